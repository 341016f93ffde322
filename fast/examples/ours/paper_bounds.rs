//! Theorem 1 for all pairs and for one observer.

use crate::measured::{Row, edge_bytes};
use muffliato_fast::bounds::PaperBounds;
use muffliato_model::{Graph, GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::error::Error;

/// Which answers are compared.
pub fn sample(nodes: usize) -> Vec<usize> {
    (0..16).map(|k| k * 7919 % nodes).collect()
}

pub fn protocol(spec: &str, steps: usize) -> Result<(Graph, Protocol), Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    Ok((graph, Protocol::one_shot(network, steps)?))
}

/// All pairs: each of T - 1 products has `2 (2 |E| + n) n` operations, the shares three for each of `T n^2` entries, the last sum
/// `2 |E| n`. Only the answer need go to memory.
pub fn all_pairs(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let (nodes, entries) = (graph.nodes() as f64, 2.0 * graph.edge_count() as f64);
    let count = steps as f64;
    let products = 2.0 * (count - 1.0) * (entries + nodes) * nodes;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let pairs = PaperBounds::of(&protocol)?.all_pairs()?;
            let values = chosen.iter().map(|&u| pairs.get(u, 0).map(|f| f.value()));
            Ok(values.flatten().collect())
        }),
        repetitions: 5,
        bytes: 8.0 * nodes * nodes,
        operations: products + 3.0 * count * nodes * nodes + entries * nodes,
    })
}

/// One observer: every product reads a cache line for each entry of the matrix beside the entry itself (12 bytes), and the vectors
/// once, and writes them.
pub fn one_observer(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let (nodes, entries) = (graph.nodes() as f64, 2.0 * graph.edge_count() as f64);
    let products = (steps - 1) as f64;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let all = PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(0))?;
            Ok(chosen.iter().map(|&u| all[u].value()).collect())
        }),
        repetitions: 3,
        bytes: products * (entries * (64.0 + 4.0) + nodes * 2.0 * 64.0),
        operations: products * (entries + nodes) * 16.0,
    })
}
