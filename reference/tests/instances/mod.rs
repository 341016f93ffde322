//! Short constructors of numbers, graphs and networks.

use muffliato_model::{Graph, Network};
use muffliato_reference::BigRational;

pub fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

pub fn graph(text: &str) -> Graph {
    text.parse().unwrap()
}

pub fn metropolis(text: &str) -> Network {
    Network::metropolis(graph(text)).unwrap()
}
