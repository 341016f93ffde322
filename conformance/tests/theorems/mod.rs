//! The paper's theorems as inequalities on instances, decided in exact numbers or rational
//! intervals, or measured where the theorem is about a rate.

mod descent;
mod rates;
mod utility;

use muffliato_model::{GraphSpec, Network, WeightScheme};
use muffliato_reference::BigRational;

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

fn network(graph: &str) -> Network {
    let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
    Network::try_new(graph, WeightScheme::Metropolis).unwrap()
}
