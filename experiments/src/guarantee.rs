//! Beyond the paper: the best known guarantee for gradient descent with real losses.
//!
//! For one observer of each graph and, at each distance from it, the source that loses most by first passage: rounds times L (LDP), the absorption bound by first passage
//! and at its best, and, beside these promises, the certified loss in the model in which gradients do not react.

use super::exhibit::{Exhibit, Finding, Sheet};
use super::setting::{Setting, short};
use muffliato::fast::{AbsorptionBounds, GramView};
use muffliato::model::Lipschitz;
use muffliato::prelude::*;
use std::collections::BTreeMap;

const HEAD: &str =
    "graph,nodes,rounds,gossip_steps,tau,distance,ldp,first_passage,best,input_model";

/// The experiment.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let mut graphs = Vec::new();
    for name in ["karate", "hypercube:6"] {
        graphs.push((name.to_string(), name.parse::<GraphSpec>()?.build()?));
    }
    if let Some(graph) = setting.data.ego_network("414")? {
        graphs.push(("facebook 414".to_string(), graph));
    }
    let mut sheet = Sheet::new("guarantee", HEAD);
    let mut findings = Vec::new();
    for (name, graph) in graphs {
        // Neither the best nor the worst connected node.
        let mut by_degree: Vec<usize> = (0..graph.nodes()).collect();
        by_degree.sort_by_key(|&node| graph.degree(node));
        let observer = by_degree[graph.nodes() / 4];
        let distances = graph.distances_from_any(&[observer]);
        let network = Network::metropolis(graph.clone())?;
        for rounds in setting.choose([10, 50], [3, 5]) {
            for (steps, tau) in [(1, None), (4, Some("1/4"))] {
                let mut protocol = Protocol::gradient_descent(network.clone(), rounds, steps)?;
                if let Some(tau) = tau {
                    protocol = protocol.refreshed(tau.parse()?)?;
                }
                let observer = Observer::full(observer);
                let progress = setting.session.progress("absorption");
                let bounds = AbsorptionBounds::of(&protocol, &observer, &Lipschitz::default())?
                    .watched(&progress);
                let first = bounds.first_passage_all()?;
                let mut worst: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
                for (source, (first, distance)) in first.iter().zip(&distances).enumerate() {
                    if let (Some(first), Some(distance)) = (first, distance) {
                        let most = worst.entry(*distance).or_insert((source, *first));
                        if *first > most.1 {
                            *most = (source, *first);
                        }
                    }
                }
                let view = GramView::watched(&protocol, &observer, &progress)?;
                for (distance, (source, first)) in worst {
                    let (best, _) = bounds.best(&[source])?;
                    let model = view.group_loss(&[source])?.vectors;
                    sheet.push(vec![
                        name.clone(),
                        graph.nodes().to_string(),
                        rounds.to_string(),
                        steps.to_string(),
                        tau.unwrap_or("").to_string(),
                        distance.to_string(),
                        rounds.to_string(),
                        first.to_string(),
                        best.to_string(),
                        model.certified.upper().to_string(),
                    ]);
                    if distance == 2 {
                        findings.push(Finding::new(
                            format!("{name}, {rounds} rounds of {steps} steps, distance 2:"),
                            format!(
                                "{rounds} by LDP, {} by first passage, {} at its best; {} in the input model.",
                                short(first),
                                short(best),
                                short(model.certified.upper()),
                            ),
                        ));
                    }
                }
            }
        }
    }
    Ok(Exhibit {
        title: "Beyond the paper: what can be promised for gradient descent with real losses".into(),
        method: "Metropolis weights, one observer of low degree, and at each distance the source that loses most by first passage (the first of them, where several reach LDP). Promises hold for all losses \
                 whose steps are 1-Lipschitz (convex and smooth, steps of at most 2/beta), for vectors of any dimension; they are certified upper ends in units of L. \
                 The loss in the input model is no promise: gradients do not react there."
            .into(),
        sheets: vec![sheet],
        plates: Vec::new(),
        findings,
    })
}
