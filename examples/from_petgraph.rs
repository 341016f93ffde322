//! A graph of your own, from petgraph: who leaks how much to whom.
//!
//! `cargo run --release --features petgraph --example from_petgraph`

use muffliato::prelude::*;
use petgraph::graph::UnGraph;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut friends = UnGraph::<&str, ()>::new_undirected();
    let [ann, bob, cem, dot, eve] =
        ["ann", "bob", "cem", "dot", "eve"].map(|name| friends.add_node(name));
    for (one, other) in [(ann, bob), (bob, cem), (cem, dot), (dot, eve), (eve, ann)] {
        friends.add_edge(one, other, ());
    }

    let graph = Graph::from_petgraph_labelled(&friends, |name| name.to_string())?;
    let observer = Observer::full(graph.node("ann").ok_or("no ann")?);
    let network = Network::try_new(graph.clone(), WeightScheme::Metropolis)?;
    let protocol = Protocol::one_shot(network, 3)?.refreshed("0.1".parse()?)?;
    let process = Process::run(&protocol)?;
    let view = process.view(&observer)?;
    for name in ["bob", "cem", "dot", "eve"] {
        let source = graph.node(name).ok_or("no such friend")?;
        println!(
            "{name} leaks {} of the local loss to ann",
            view.leakage(source)?
        );
    }
    Ok(())
}
