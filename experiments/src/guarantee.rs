//! Beyond the paper: the best known guarantee for gradient descent with real losses.
//!
//! For one observer of each graph and, at each distance, the source that loses most by first
//! passage: rounds times L (LDP), the first-passage bound, the best absorption bound, and the
//! certified loss in the input model, where gradients do not react.

use super::exhibit::{Exhibit, Finding, Sheet, row};
use super::setting::{Setting, short};
use muffliato::account::Number;
use muffliato::command::table::counted;
use muffliato::fast::{AbsorptionBounds, GramView};
use muffliato::model::Lipschitz;
use muffliato::prelude::*;
use std::collections::BTreeMap;

const HEAD: &str =
    "graph,nodes,rounds,gossip_steps,tau,distance,ldp,first_passage,best,input_model";

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
        // A node of low degree that is neither the best nor the worst connected.
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
                let watching = Observer::full(observer);
                let progress = setting.session.progress("absorption");
                let bounds = AbsorptionBounds::of(&protocol, &watching, &Lipschitz::default())?
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
                let view = GramView::watched(&protocol, &watching, &progress)?;
                for (distance, (source, first)) in worst {
                    let (best, model) = guarantee_and_loss(&bounds, &view, source)?;
                    let tau = tau.unwrap_or("");
                    let losses = [rounds as f64, first, best, model.upper()];
                    sheet.push(row![name, graph.nodes(), rounds, steps, tau, distance; losses]);
                    if distance == 2 {
                        findings.push(Finding::measured(
                            format!(
                                "{name}, {rounds} rounds of {}, distance 2:",
                                counted(steps, "step")
                            ),
                            format!(
                                "LDP guarantees {rounds}, first passage {}, the best absorption \
                                 bound {}; the loss in the input model is {}.",
                                short(first),
                                short(best),
                                short(model.upper()),
                            ),
                        ));
                    }
                }
            }
        }
    }
    Ok(Exhibit {
        title: "Beyond the paper: guarantees for gradient descent with real losses".into(),
        method: "Metropolis weights, one observer of low degree, and at each distance the source \
                 that loses most by first passage (the first of them if several reach LDP). The \
                 guarantees hold for all losses whose gradient steps are 1-Lipschitz (convex and \
                 smooth, step size at most 2/beta) and for vectors of any dimension; they are \
                 certified upper bounds in units of L. The loss in the input model is not a \
                 guarantee, since gradients do not react there."
            .into(),
        sheets: vec![sheet],
        plates: Vec::new(),
        findings,
    })
}

/// Returns the best guarantee and the loss in the input model for one source, with twice the digits
/// of the accountant.
fn guarantee_and_loss(
    bounds: &AbsorptionBounds<'_>,
    view: &GramView<'_>,
    source: usize,
) -> anyhow::Result<(f64, Number)> {
    let best = bounds.best(&[source])?.0.min(bounds.local(source));
    Ok((best, Number::from(&view.group_loss(&[source])?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::fast::TARGET_WIDTH;

    /// The accountant computes the losses of all sources at once, in floats where these suffice.
    #[test]
    fn the_accountant_says_the_same() {
        let network = Network::metropolis("karate".parse().unwrap()).unwrap();
        let plain = Protocol::gradient_descent(network.clone(), 5, 1).unwrap();
        let fresh = Protocol::gradient_descent(network, 3, 4).unwrap();
        for protocol in [plain, fresh.refreshed("1/4".parse().unwrap()).unwrap()] {
            let watching = Observer::full(3);
            let bounds = AbsorptionBounds::of(&protocol, &watching, &Lipschitz::default()).unwrap();
            let view = GramView::of(&protocol, &watching).unwrap();
            let account = Account::of(&protocol);
            let sources = [0, 8, 16, 33];
            let account = account.observers(Observers::Listed(vec![3])).sources(sources);
            let pairs = account.build().unwrap().pairs().unwrap();
            for (pair, source) in pairs[0].pairs.iter().zip(sources) {
                let (best, model) = guarantee_and_loss(&bounds, &view, source).unwrap();
                assert_eq!(pair.proved.unwrap(), best);
                assert_eq!(pair.loss.number().status(), model.status());
                let apart = pair.loss.upper() - model.upper();
                let inputs = protocol.rounds().pow(2) as f64;
                assert!(apart.abs() <= inputs * TARGET_WIDTH, "{source}: {apart}");
            }
        }
    }
}
