//! Leakage of your own graph: `cargo run -p muffliato-reference --example own_graph`.

use muffliato_model::{Graph, Network, Observer, Protocol};
use muffliato_reference::{PaperBounds, Process, decimal::rounded_up};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    //  ann - bob - cem - eve
    //         \    /
    //          dot
    let names = ["ann", "bob", "cem", "dot", "eve"].map(String::from).to_vec();
    let edges = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4)];
    let graph = Graph::try_new(5, edges)?.with_labels(names)?;
    let (ann, eve) = (graph.node("ann").unwrap(), graph.node("eve").unwrap());

    // Everybody adds Gaussian noise once and gossips for three steps.
    let network = Network::metropolis(graph)?;
    let protocol = Protocol::one_shot(network, 3)?;

    // One pair: what the paper promises ann towards eve, and what eve learns.
    let bounds = PaperBounds::of(&protocol)?;
    let process = Process::run(&protocol)?;
    let view = process.view(&Observer::full(eve))?;
    println!("ann -> eve, in multiples of the local (LDP) loss:");
    println!("  claimed by Theorem 1   {}", bounds.pairwise(ann, &Observer::full(eve))?);
    println!("  exact                  {}", view.leakage(ann)?);

    // How eve does it: multiply each message by its coefficient and add up.
    println!("eve's statistic:");
    for (seen, coefficient) in view.attack(&view.worst_inputs(&[ann])?)? {
        println!("  {coefficient} x {seen:?}");
    }

    // The repair: fresh noise of a tenth of sigma at each step.
    let refreshed = protocol.refreshed("0.1".parse()?)?;
    let view = Process::run(&refreshed)?.view(&Observer::full(eve))?;
    println!("refreshed: {}", rounded_up(&view.leakage(ann)?, 3));
    Ok(())
}
