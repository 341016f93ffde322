//! Theorem 1 for all pairs and for one observer.

use crate::measured::{Row, edge_bytes};
use muffliato_fast::bounds::PaperBounds;
use muffliato_model::{Graph, GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::error::Error;

/// Returns the nodes whose answers are compared.
pub fn sample(nodes: usize) -> Vec<usize> {
    (0..16).map(|k| k * 7919 % nodes).collect()
}

pub fn protocol(spec: &str, steps: usize) -> Result<(Graph, Protocol), Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    Ok((graph, Protocol::one_shot(network, steps)?))
}

/// Theorem 1 for all pairs.
pub fn all_pairs(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let pairs = PaperBounds::of(&protocol)?.all_pairs()?;
            let values = chosen.iter().map(|&u| pairs.get(u, 0).map(|f| f.value()));
            Ok(values.flatten().collect())
        }),
        repetitions: 5,
    })
}

/// Theorem 1 for one observer.
pub fn one_observer(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let all = PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(0))?;
            Ok(chosen.iter().map(|&u| all[u].value()).collect())
        }),
        repetitions: 3,
    })
}
