//! Leakage towards one observer, all sources; of masked protocols all pairs.

use crate::measured::{Row, edge_bytes};
use crate::paper_bounds::{protocol, sample};
use muffliato_fast::{GramView, MaskedBounds, OneShot, OneShotOptions};
use muffliato_model::{Graph, GraphSpec, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::Process;
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
            let losses = GramView::of(&protocol, &Observer::full(0))?.losses()?;
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
                .towards(&Observer::full(0))?;
            let of = |&u: &usize| view.losses()[u].map(|loss| loss.scalars.estimate);
            Ok(chosen.iter().filter_map(of).collect())
        }),
        repetitions: 9,
        bytes: 8.0 * messages * nodes,
        operations: 2.0 * messages * messages * nodes,
    })
}

/// How many inputs of a Facebook graph an observer reconstructs exactly, by fractions. For a rank of at most n, elimination takes
/// `2 n^2` operations a message modulo one prime.
pub fn reconstruction(file: &str, observer: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let data = std::env::var("MUFFLIATO_DATA").unwrap_or("../shared/data".into());
    let path = format!("{data}/facebook/{file}.edges");
    let mut names: Vec<&str> = Vec::new();
    let text = std::fs::read_to_string(path)?;
    let mut ends = Vec::new();
    for name in text.split_whitespace() {
        let known = names.iter().position(|&before| before == name);
        ends.push(known.unwrap_or(names.len()));
        if known.is_none() {
            names.push(name);
        }
    }
    let edges = ends.chunks_exact(2).map(|ends| (ends[0], ends[1]));
    let graph = Graph::try_new(names.len(), edges)?;
    let observer = names.iter().position(|&name| name == observer);
    let observer = observer.ok_or("no such node")?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::one_shot(network, steps)?;
    let edges: Vec<[usize; 2]> = graph.edges().map(|(u, v)| [u, v]).collect();
    let nodes = graph.nodes();
    let messages = (steps * graph.degree(observer)) as f64;
    Ok(Row {
        given: format!("{{\"nodes\": {nodes}, \"observer\": {observer}, \"edges\": {edges:?}}}")
            .into_bytes(),
        work: Box::new(move || {
            let others: Vec<[usize; 1]> =
                (0..nodes).filter(|&u| u != observer).map(|u| [u]).collect();
            let process = Process::run(&protocol)?;
            let space = process.row_space(&Observer::full(observer))?;
            let losses = space.losses(others.iter().map(|set| &set[..]))?;
            let whole = losses.iter().filter(|loss| loss.scalar.is_integer());
            let whole = whole.filter(|loss| loss.scalar.numer().sign() == num_bigint::Sign::Plus);
            Ok(vec![whole.count() as f64])
        }),
        repetitions: 3,
        bytes: 0.0,
        operations: 2.0 * messages * (nodes * nodes) as f64,
    })
}

/// What gradients in any dimension lose. The certificates of each source take some products with its matrix beside what
/// [`gradient_descent`] takes.
pub fn vectors(spec: &str, rounds: usize) -> Result<Row, Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::gradient_descent(network, rounds, 1)?;
    let messages = (rounds * graph.degree(0)) as f64;
    let inputs = (rounds * graph.nodes()) as f64;
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let losses = GramView::of(&protocol, &Observer::full(0))?.losses()?;
            let all = losses.iter().flatten();
            Ok(all.map(|loss| loss.vectors.estimate).collect())
        }),
        repetitions: 9,
        bytes: 0.0,
        operations: messages.powi(3) / 3.0 + messages * messages * inputs / 2.0,
    })
}

/// The bound for masked protocols. One inverse of `2 n^3` operations serves all observers; the rest is of the order of the answer.
pub fn masked_pairs(spec: &str, kappa: &str) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, 4)?;
    let protocol = protocol.masked(kappa.parse()?)?;
    let chosen = sample(graph.nodes());
    let nodes = graph.nodes() as f64;
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let pairs = MaskedBounds::of(&protocol)?.all_pairs()?;
            let others = chosen.iter().filter(|&&u| u != 0);
            Ok(others.filter_map(|&u| pairs.upper(u, 0)).collect())
        }),
        repetitions: 5,
        bytes: 8.0 * nodes * nodes,
        operations: 2.0 * nodes.powi(3),
    })
}
