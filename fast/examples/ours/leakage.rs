//! Leakage to one observer from all sources, and all pairs of masked protocols.

use crate::measured::{Row, edge_bytes};
use crate::paper_bounds::{protocol, sample};
use muffliato_certificate::{Coefficients, Statistic};
use muffliato_fast::{ExactEquations, GramView, MaskedBounds, OneShot, OneShotOptions};
use muffliato_model::{Graph, GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::error::Error;

/// Gradient descent with one gossip step per round.
pub fn gradient_descent(spec: &str, rounds: usize) -> Result<Row, Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::gradient_descent(network, rounds, 1)?;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let losses = GramView::of(&protocol, &Observer::full(0))?.losses()?;
            let of = |&u: &usize| losses[u].map(|loss| loss.absolute_sum.estimate);
            Ok(chosen.iter().filter_map(of).collect())
        }),
        repetitions: 25,
    })
}

/// One-shot noise.
pub fn one_shot(spec: &str, steps: usize) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, steps)?;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let view = OneShot::try_new(&protocol, OneShotOptions::default())?
                .towards(&Observer::full(0))?;
            let of = |&u: &usize| view.losses()[u].map(|loss| loss.scalars.estimate);
            Ok(chosen.iter().filter_map(of).collect())
        }),
        repetitions: 9,
    })
}

/// The number of inputs of a Facebook graph that an observer reconstructs exactly, by fractions.
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
    Ok(Row {
        given: format!("{{\"nodes\": {nodes}, \"observer\": {observer}, \"edges\": {edges:?}}}")
            .into_bytes(),
        work: Box::new(move || {
            let coefficients = Coefficients::of(&protocol)?;
            let system = coefficients.system(&Observer::full(observer))?;
            let others: Vec<usize> = (0..nodes).filter(|&u| u != observer).collect();
            let rows = system.rows();
            let column = |&input: &usize| rows.iter().map(|row| &row.inputs[input]).collect();
            let equations = ExactEquations {
                rows: rows.iter().map(|row| &row.draws[..]).collect(),
                variances: system.variances(),
                unit: system.unit(),
                inputs: others.iter().map(column).collect(),
            };
            let found = equations.solve(0, u128::MAX)?;
            let statistics = Statistic::of_solutions(&others, found.solutions);
            let projections = system.project(statistics);
            let losses = others.iter().filter_map(|&u| projections.product(u, u));
            let whole = losses.filter(|loss| loss.is_integer());
            let whole = whole.filter(|loss| loss.numer().sign() == num_bigint::Sign::Plus);
            Ok(vec![whole.count() as f64])
        }),
        repetitions: 3,
    })
}

/// The loss of gradients in any dimension.
pub fn vectors(spec: &str, rounds: usize) -> Result<Row, Box<dyn Error>> {
    let graph = spec.parse::<GraphSpec>()?.build()?;
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::gradient_descent(network, rounds, 1)?;
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let losses = GramView::of(&protocol, &Observer::full(0))?.losses()?;
            let all = losses.iter().flatten();
            Ok(all.map(|loss| loss.vectors.estimate).collect())
        }),
        repetitions: 9,
    })
}

/// The bound for masked protocols.
pub fn masked_pairs(spec: &str, kappa: &str) -> Result<Row, Box<dyn Error>> {
    let (graph, protocol) = protocol(spec, 4)?;
    let protocol = protocol.masked(kappa.parse()?)?;
    let chosen = sample(graph.nodes());
    Ok(Row {
        given: edge_bytes(&graph),
        work: Box::new(move || {
            let pairs = MaskedBounds::of(&protocol)?.all_pairs()?;
            let others = chosen.iter().filter(|&&u| u != 0);
            Ok(others.filter_map(|&u| pairs.upper(u, 0)).collect())
        }),
        repetitions: 5,
    })
}
