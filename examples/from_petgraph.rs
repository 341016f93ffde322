//! Accounts for a petgraph graph: how much each node leaks to each other node.
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
    let protocol = Protocol::one_shot(Network::metropolis(graph.clone())?, 3)?;
    let protocol = protocol.refreshed("0.1".parse()?)?;
    let account = Account::of(&protocol).build()?;
    let ann = graph.node("ann").ok_or("ann is missing")?;
    for name in ["bob", "cem", "dot", "eve"] {
        let source = graph.node(name).ok_or("a friend is missing")?;
        println!(
            "{name} leaks {} of the local loss to ann",
            account.loss(source, ann)?.rounded_up()
        );
    }
    Ok(())
}
