//! How much noise for (1, 1e-6)-differential privacy towards everybody at distance 3 or more?
//!
//! `cargo run --release --example calibrate`

use muffliato::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = "hypercube:7".parse::<GraphSpec>()?.build()?;
    let observer = Observer::full(0); // all nodes of a hypercube are alike
    let distances = graph.distances_from(0);
    let network = Network::try_new(graph, WeightScheme::Metropolis)?;
    for tau in ["0.03", "0.1", "0.3"] {
        let protocol = Protocol::one_shot(network.clone(), 10)?.refreshed(tau.parse()?)?;
        let losses = GramView::of(&protocol, &observer, &())?.losses(&())?;
        // The certified upper ends are what can be promised.
        let far = losses
            .iter()
            .zip(&distances)
            .filter(|(_, distance)| **distance >= Some(3));
        let ends = far
            .flat_map(|(loss, _)| loss)
            .map(|loss| loss.loss.certified.upper());
        let worst = Enclosure::exact(ends.fold(0.0, f64::max));
        let sigma = calibrate_sigma(&worst, 1.0, 1.0, 1e-6)?;
        println!(
            "tau = {tau}: the loss is at most {:.4}, sigma = {sigma:.3} is enough",
            worst.upper()
        );
    }
    let local = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-6)?;
    println!("towards neighbours, or without a graph: sigma = {local:.3}");
    Ok(())
}
