//! The checker of certificates: what it accepts, and what it refuses.

mod absorption;
mod rounded;
mod soundness;
mod theorems;
mod wrong_files;

use muffliato_model::Graph;
use muffliato_reference::BigRational;

/// Returns the graph with an edge for each number that is no multiple of 3.
fn graph(nodes: usize, numbers: &[u8]) -> Graph {
    let pairs = (0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v)));
    let chosen = pairs.zip(numbers).filter(|(_, number)| *number % 3 > 0);
    Graph::try_new(nodes, chosen.map(|(pair, _)| pair)).unwrap()
}

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

/// Replaces a part of a text, which has it.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}
