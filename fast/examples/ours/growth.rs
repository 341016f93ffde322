//! How cost grows with the number of nodes.

use muffliato_fast::bounds::PaperBounds;
use muffliato_fast::{GramView, OneShot, OneShotOptions};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::{error::Error, hint::black_box, time::Instant};

const STEPS: usize = 12;
const REPETITIONS: usize = 3;

type Work = fn(&Network) -> Result<(), Box<dyn Error>>;

/// The works, and how their cost should grow on hypercubes, where `|E| = n log2(n) / 2` and the observer has log2(n) neighbours.
const WORKS: [(&str, &str, Work); 4] = [
    ("paper bound, all pairs", "T n |E|", all_pairs),
    (
        "paper bound, one observer",
        "T |E| for eight neighbours",
        one_observer,
    ),
    ("one-shot leakage, one observer", "n (T d)^2", one_shot),
    (
        "leakage of GD, one observer",
        "n T (T d)^2",
        gradient_descent,
    ),
];

fn all_pairs(network: &Network) -> Result<(), Box<dyn Error>> {
    let protocol = Protocol::one_shot(network.clone(), STEPS)?;
    black_box(PaperBounds::of(&protocol)?.all_pairs()?);
    Ok(())
}

fn one_observer(network: &Network) -> Result<(), Box<dyn Error>> {
    let protocol = Protocol::one_shot(network.clone(), STEPS)?;
    black_box(PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(0))?);
    Ok(())
}

fn one_shot(network: &Network) -> Result<(), Box<dyn Error>> {
    let protocol = Protocol::one_shot(network.clone(), STEPS)?;
    black_box(OneShot::try_new(&protocol, OneShotOptions::default())?.towards(&Observer::full(0))?);
    Ok(())
}

fn gradient_descent(network: &Network) -> Result<(), Box<dyn Error>> {
    let protocol = Protocol::gradient_descent(network.clone(), STEPS, 1)?;
    black_box(GramView::of(&protocol, &Observer::full(0))?.losses()?);
    Ok(())
}

/// One line of JSON: for each work the best time of a few runs on the hypercubes of 2^8 to 2^13 nodes.
pub fn measure() -> Result<String, Box<dyn Error>> {
    let dimensions = 8..=13;
    let networks = dimensions.clone().map(|dimension| {
        let graph = format!("hypercube:{dimension}")
            .parse::<GraphSpec>()?
            .build()?;
        Ok(Network::try_new(graph, WeightScheme::Metropolis)?)
    });
    let networks: Vec<Network> = networks.collect::<Result<_, Box<dyn Error>>>()?;
    let mut rows = Vec::new();
    for (name, cost, work) in WORKS {
        let mut times = Vec::new();
        for network in &networks {
            let mut best = f64::INFINITY;
            for _ in 0..REPETITIONS {
                let start = Instant::now();
                work(network)?;
                best = best.min(start.elapsed().as_secs_f64());
            }
            times.push(best);
        }
        rows.push(format!(
            "{{\"work\": {name:?}, \"cost\": {cost:?}, \"seconds\": {times:?}}}"
        ));
    }
    let nodes: Vec<usize> = dimensions.map(|dimension| 1 << dimension).collect();
    Ok(format!(
        "{{\"steps\": {STEPS}, \"nodes\": {nodes:?}, \"rows\": [{}]}}",
        rows.join(", ")
    ))
}
