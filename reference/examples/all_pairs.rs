//! How long the exact account of all pairs takes: `cargo run --release -p muffliato-reference --example all_pairs`.

use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::Account;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:<14} {:>5} {:>7} {:>10} {:>9}",
        "graph", "steps", "pairs", "full rank", "seconds"
    );
    for (name, steps) in [
        ("florentine", 6),
        ("karate", 3),
        ("karate", 6),
        ("hypercube:4", 6),
        ("hypercube:6", 4),
    ] {
        let start = Instant::now();
        let graph = name.parse::<GraphSpec>()?.build()?;
        let nodes = graph.nodes();
        let protocol =
            Protocol::one_shot(Network::try_new(graph, WeightScheme::Metropolis)?, steps)?;
        let observers: Vec<_> = (0..nodes).map(Observer::full).collect();
        let account = Account::of(&protocol, &observers)?;
        let full = account
            .observers
            .iter()
            .filter(|seen| seen.rank == nodes)
            .count();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:<14} {steps:>5} {:>7} {full:>10} {seconds:>9.3}",
            account.pairs.len()
        );
    }
    Ok(())
}
