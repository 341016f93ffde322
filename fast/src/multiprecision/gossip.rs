//! One gossip step on fixed-point vectors, with exact rational weights.
//!
//! With `delta_uv = W_uv (x_v - x_u)` for each edge, `(W x)_u = x_u + sum_v delta_uv`: the diagonal
//! is not needed, and each edge is rounded once. W is symmetric with non-negative rows that sum to
//! 1, so it does not lengthen a vector: the radius grows by the rounding alone.

use super::vector::{RoundedVector, root_above};
use crate::FastError;
use muffliato_model::{Graph, Network, Step, WeightScheme};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// A gossip matrix as its edges and their weights.
#[derive(Clone, Debug)]
pub(super) struct ExactWeights {
    edges: Vec<(usize, usize, BigInt, BigInt)>,
    /// Upper bound on the norm of the rounding errors of one product.
    rounding: BigUint,
    /// A common denominator of all entries.
    pub denominator: BigUint,
}

impl ExactWeights {
    /// Returns the weights of one step.
    pub fn of_step(step: Step<'_>) -> Result<Self, FastError> {
        let edges = match step {
            Step::Network(network) => of_network(network)?,
            Step::EdgeAverage { edge: (u, v), .. } => vec![(u, v, BigInt::one(), BigInt::from(2))],
        };
        let mut denominator = BigUint::one();
        let mut degrees = std::collections::HashMap::new();
        for (u, v, above, below) in &edges {
            *degrees.entry(*u).or_insert(0_usize) += 1;
            *degrees.entry(*v).or_insert(0_usize) += 1;
            denominator = denominator.lcm((below / above.gcd(below)).magnitude());
        }
        // Less than one unit for each edge of a node.
        let squares = degrees.values().map(|degree| degree * degree).sum();
        Ok(Self { edges, rounding: root_above(squares), denominator })
    }

    /// Computes `W x`, rounded.
    pub fn apply(&self, x: &RoundedVector) -> RoundedVector {
        let mut entries = x.entries.clone();
        for (u, v, above, below) in &self.edges {
            if x.entries[*u] != x.entries[*v] {
                let moved = (&x.entries[*v] - &x.entries[*u]) * above / below;
                entries[*u] += &moved;
                entries[*v] -= moved;
            }
        }
        RoundedVector { entries, radius: &x.radius + &self.rounding }
    }
}

fn of_network(network: &Network) -> Result<Vec<(usize, usize, BigInt, BigInt)>, FastError> {
    let graph = network.graph();
    let mut scheme = network.weights();
    let mut halvings = 0;
    while let WeightScheme::Lazy(inner) = scheme {
        scheme = inner;
        halvings += 1;
    }
    let larger = |u: usize, v: usize| graph.degree(u).max(graph.degree(v));
    let weight = |u: usize, v: usize| match scheme {
        WeightScheme::Metropolis => Ok((BigInt::one(), BigInt::from(1 + larger(u, v)))),
        WeightScheme::MaxDegreeInverse => Ok((BigInt::one(), BigInt::from(larger(u, v)))),
        WeightScheme::Custom(weights) => {
            let place = place_of(graph, u, v);
            let above = place.and_then(|place| weights.off_diagonal().get(place));
            let above = above.copied().unwrap_or(0);
            Ok((BigInt::from(above), BigInt::from(weights.denominator())))
        }
        other => Err(FastError::UnknownScheme { scheme: other.to_string() }),
    };
    let mut edges = Vec::with_capacity(graph.edge_count());
    for (u, v) in graph.edges() {
        let (above, below) = weight(u, v)?;
        if !above.is_zero() {
            edges.push((u, v, above, below << halvings));
        }
    }
    Ok(edges)
}

/// Returns the index of an edge in the graph's adjacency.
fn place_of(graph: &Graph, u: usize, v: usize) -> Option<usize> {
    let (offsets, _) = graph.adjacency();
    let within = graph.neighbours(u).position(|w| w == v)?;
    Some(offsets[u] + within)
}
