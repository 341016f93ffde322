//! Leakage towards one observer, all sources.

use crate::measured::{Row, edge_bytes};
use crate::paper_bounds::{protocol, sample};
use muffliato_fast::{GramView, OneShot, OneShotOptions};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::error::Error;

/// Gradient descent of one-step rounds. For m messages and n T inputs, half of which a message cannot carry yet: the Gram matrix,
/// its factor (`m^3 / 3`), and the factor applied to all inputs (`m^2 / 2` each).
pub fn gradient_descent(spec: &str, rounds: usize) -> Result<Row, Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::gradient_descent(network, rounds, 1)?;
    let messages = (rounds * graph.degree(0)) as f64;
    let inputs = (rounds * graph.nodes()) as f64;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let losses = GramView::of(&protocol, &Observer::full(0), &())?.losses(&())?;
            let of = |&u: &usize| losses[u].map(|loss| loss.absolute_sum.estimate);
            Ok(chosen.iter().filter_map(of).collect())
        }),
        repetitions: 25,
        bytes: 8.0 * messages * inputs / 2.0,
        operations: messages.powi(3) / 3.0 + messages * messages * inputs / 2.0,
    })
}

/// One-shot noise. For m independent messages on n nodes, one full projection of each: `2 m^2 n` operations.
pub fn one_shot(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let chosen = sample(graph.nodes());
    let nodes = graph.nodes() as f64;
    let messages = (steps * graph.degree(0)) as f64;
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let view = OneShot::try_new(&protocol, OneShotOptions::default())?
                .leakage(&Observer::full(0))?;
            let others = chosen.iter().filter(|&&u| u != 0);
            let estimates: Result<Vec<f64>, _> = others
                .map(|&u| view.leakage(u).map(|leakage| leakage.estimate))
                .collect();
            Ok(estimates?)
        }),
        repetitions: 9,
        bytes: 8.0 * messages * nodes,
        operations: 2.0 * messages * messages * nodes,
    })
}
