//! Figure 2: the loss between one node and all others, drawn on four graphs.

use super::averaging::Averaging;
use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::fig1a::graphs;
use super::setting::{SIGMA, Setting, short};
use muffliato::plot::GraphDrawing;
use muffliato::prelude::*;

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let mut sheet = Sheet::new("fig2", "graph,nodes,share_below_0.01,share_below_0.1");
    let (mut plates, mut findings) = (Vec::new(), Vec::new());
    for (name, runs) in graphs(setting)? {
        let Some(graph) = runs.into_iter().next() else {
            continue;
        };
        let nodes = graph.nodes();
        let source = match name {
            "hypercube" => 0,
            "grid" => nodes / 2,
            _ => setting.sample(nodes, 1)[0],
        };
        let graph = if name == "grid" { with_grid_positions(graph)? } else { graph };
        let averaging = Averaging::new(setting, name, graph, SIGMA)?;
        let losses = averaging.bound_around(source)?;
        let below = |limit: f64| {
            let small = losses.iter().flatten().filter(|&&loss| loss < limit);
            small.count() as f64 / (nodes - 1) as f64
        };
        let (hundredth, tenth) = (below(0.01), below(0.1));
        sheet.push(row![name, nodes, hundredth, tenth]);
        findings.push(Finding::claimed(
            format!("{name}: the loss fades with distance."),
            format!(
                "By the formula a share of {} of the nodes loses less than a tenth of the local \
                 loss, and a share of {} less than a hundredth. Figure 1a shows the actual leakage.",
                short(tenth), short(hundredth)
            ),
        ));
        let title = format!("{name}, n = {nodes}: {}", setting.refuted_bound());
        plates.push(Plate::new(
            &format!("fig2_{}", name.to_lowercase()),
            format!(
                "{name}: the formula between each node and the marked one, the {}.",
                setting.marked()
            ),
            GraphDrawing::try_new(title, averaging.graph().clone(), losses)?
                .marked_as(setting.marked()),
        ));
    }
    Ok(Exhibit {
        title: "Figure 2: loss between one node and all others, on the graph".into(),
        method: format!(
            "The graphs of Figure 1a. Colours show {} {} the marked node; the paper, like \
             --as-authors, shows losses from it.",
            setting.bound_name(),
            setting.direction()
        ),
        sheets: vec![sheet],
        plates,
        findings,
    })
}

/// Gives the nodes of a square grid their positions.
fn with_grid_positions(graph: Graph) -> anyhow::Result<Graph> {
    let side = (graph.nodes() as f64).sqrt().round() as usize;
    let at = |node: usize| [(node % side) as f64, (node / side) as f64];
    let positions = (0..graph.nodes()).map(at).collect();
    Ok(graph.with_positions(positions)?)
}
