//! The families of Table 1, and how a quantity grows on them.

use super::{ClaimError, instances::graph};
use muffliato_model::Graph;

/// A column of Table 1.
pub(crate) struct Topology {
    pub name: &'static str,
    members: &'static [&'static str],
    /// The exponent of n in the two rows of the table: Algorithm 1, Algorithm 2.
    pub printed: [f64; 2],
}

/// The columns with a family of their own; the first column of the table is the formula that they instantiate. Odd
/// sides, because the weights of the table have no gap on even ones.
pub(crate) const TOPOLOGIES: &[Topology] = &[
    Topology {
        name: "expander (random 4-regular)",
        members: &[
            "regular:64:d=4:seed=1",
            "regular:128:d=4:seed=1",
            "regular:256:d=4:seed=1",
            "regular:512:d=4:seed=1",
            "regular:1024:d=4:seed=1",
        ],
        printed: [-2.0, -2.0],
    },
    Topology {
        name: "2-torus",
        members: &["torus:11x11", "torus:15x15", "torus:21x21", "torus:31x31"],
        printed: [-1.5, -1.0],
    },
    Topology {
        name: "3-torus",
        members: &["torus:5x5x5", "torus:7x7x7", "torus:9x9x9"],
        printed: [-5.0 / 3.0, -4.0 / 3.0],
    },
    Topology {
        name: "complete",
        members: &["complete:32", "complete:64", "complete:128", "complete:256"],
        printed: [-1.0, -2.0],
    },
    Topology {
        name: "ring",
        members: &["ring:33", "ring:65", "ring:129", "ring:257"],
        printed: [-1.0, -1.0],
    },
];

/// How far a fitted slope may be off, as families are finite.
pub(crate) const TOLERANCE: f64 = 0.12;

impl Topology {
    /// The least-squares slope of `ln quantity` against `ln n` over the members, to two decimals.
    pub fn slope(
        &self,
        quantity: impl Fn(&Graph) -> Result<f64, ClaimError>,
    ) -> Result<f64, ClaimError> {
        let mut points = Vec::new();
        for text in self.members {
            let graph = graph(text)?;
            let value = quantity(&graph)?;
            points.push((libm::log(graph.nodes() as f64), libm::log(value)));
        }
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let above: f64 = points.iter().map(|(a, b)| (a - x) * (b - y)).sum();
        let below: f64 = points.iter().map(|(a, _)| (a - x) * (a - x)).sum();
        // Two decimals, and no negative zero.
        Ok((100.0 * above / below).round() / 100.0 + 0.0)
    }
}
