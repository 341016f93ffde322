//! From below: no plan does better. An exact rule without floats that shares no code with the solver.
//!
//! A plan gives variances `x >= 0` to the nodes and to the edges of a mask graph H, at costs c. A pair (u, V) with target r is met if `l_uV(x) <= r`, where l is the masked bound.
//!
//! **Theorem.** Let `y^i` be potentials on the nodes that are 0 on `V_i`, and `lambda_i >= 0` with
//!
//! ```text
//! sum_i lambda_i (y^i_w)^2          <= c_w   for every node w
//! sum_i lambda_i (y^i_a - y^i_b)^2  <= c_e   for every edge e = {a, b} of H, over the i for which neither a nor b is in V_i
//! ```
//!
//! Then every plan that meets the targets `r_i` of the pairs `(u_i, V_i)` costs at least `sum_i lambda_i (2 y^i_{u_i} - r_i)`.
//!
//! *Proof.* `l_uV(x) = max_y 2 y_u - y^T M y` with `y^T M y = sum_w x_w y_w^2 + sum_{e outside V} x_e (y_a - y_b)^2`. So a plan that meets its targets has `(y^i)^T M_i y^i >= 2 y^i_{u_i} - r_i`.
//! Multiply by `lambda_i` and add: the left side is `sum_d x_d` times the sums above, at most `c . x`. (In Coq: `design.v`.)
//!
//! Multipliers are given up to a common factor: the rule takes the largest factor that the costs allow.

use crate::{
    format::numbers,
    rules::{Whole, add_product},
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Num, Signed, Zero};
use serde::{Deserialize, Serialize};

/// A potential with its multiplier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Potential {
    /// The source u.
    pub source: usize,
    /// The observers V.
    pub observers: Vec<usize>,
    /// Its multiplier, up to a factor that all multipliers share.
    pub multiplier: u64,
    /// The nodes with a value other than 0, and the values in units of the proof.
    pub values: Vec<(usize, i64)>,
}

/// Potentials that prove a lower end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowerProof {
    /// What the values are multiples of; positive.
    #[serde(serialize_with = "numbers::write", deserialize_with = "numbers::read")]
    pub unit: BigRational,
    /// The potentials.
    pub potentials: Vec<Potential>,
}

/// Why a lower end was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LowerRefusal {
    /// The unit is not positive.
    #[error("the unit of the potentials is not positive")]
    Unit,
    /// A node does not exist or is given twice.
    #[error("potential {potential}: node {node} does not exist or is given twice")]
    Node {
        /// Which potential.
        potential: usize,
        /// Which node.
        node: usize,
    },
    /// A potential is not 0 at an observer.
    #[error("potential {potential} is not 0 at the observer {node}")]
    AtObserver {
        /// Which potential.
        potential: usize,
        /// Which node.
        node: usize,
    },
    /// A pair has no target.
    #[error("potential {potential}: the pair has no target")]
    NoTarget {
        /// Which potential.
        potential: usize,
    },
    /// There is no potential that is not 0 somewhere.
    #[error("no potential differs from 0")]
    Empty,
    /// The costs are not those of a plan.
    #[error("the costs must be one number, not negative, for each node and each edge")]
    Costs,
}

/// Adds what a potential loads on the nodes, and after them on the edges: its squares at the nodes, and those of its differences along edges of which no end observes, times its multiplier.
pub fn add_loads<I: Whole>(
    loads: &mut [I],
    edges: &[(usize, usize)],
    values: &[I],
    observes: &[bool],
    multiplier: &I,
) {
    let (of_nodes, of_edges) = loads.split_at_mut(values.len());
    for (load, value) in of_nodes.iter_mut().zip(values) {
        add_product(load, &(value.clone() * value.clone()), multiplier);
    }
    for (load, &(a, b)) in of_edges.iter_mut().zip(edges) {
        if !observes[a] && !observes[b] {
            let difference = values[a].clone() - values[b].clone();
            add_product(load, &(difference.clone() * difference), multiplier);
        }
    }
}

/// Returns the gain times the largest factor that the costs allow, `min cost / load`, as numerator and positive denominator; nothing less than 0, since no cost is negative.
///
/// # Errors
///
/// Returns an error unless there is a load that is not 0, and for each load a cost that is not negative.
pub fn scaled_gain<I: Num + Clone + PartialOrd>(
    loads: &[I],
    costs: &[I],
    gain: &I,
) -> Result<(I, I), LowerRefusal> {
    let zero = I::zero();
    if loads.len() != costs.len() || costs.iter().any(|cost| *cost < zero) {
        return Err(LowerRefusal::Costs);
    }
    let mut least: Option<(&I, &I)> = None;
    for (load, cost) in loads.iter().zip(costs).filter(|(load, _)| **load > zero) {
        let less =
            |(over, under): (&I, &I)| cost.clone() * under.clone() < over.clone() * load.clone();
        if least.is_none_or(less) {
            least = Some((cost, load));
        }
    }
    let (cost, load) = least.ok_or(LowerRefusal::Empty)?;
    let gain = if *gain > zero { cost.clone() * gain.clone() } else { zero };
    Ok((gain, load.clone()))
}

/// Checks a proof and returns the largest lower bound that it gives on the cost of every plan that meets the
/// targets.
///
/// `costs` are those of the nodes and then of the edges, exact or rounded down. `target` returns the target of a pair, `None` if it has none.
///
/// # Errors
///
/// Returns an error if the potentials, or the costs, are not those of the theorem.
pub fn check_lower(
    nodes: usize,
    edges: &[(usize, usize)],
    costs: &[BigRational],
    target: impl Fn(usize, &[usize]) -> Option<BigRational>,
    proof: &LowerProof,
) -> Result<BigRational, LowerRefusal> {
    if !proof.unit.is_positive() {
        return Err(LowerRefusal::Unit);
    }
    let mut loads = vec![BigInt::zero(); nodes + edges.len()];
    let mut gain = BigRational::zero();
    for (potential, given) in proof.potentials.iter().enumerate() {
        let mut observes = vec![false; nodes];
        for &node in &given.observers {
            if node >= nodes || std::mem::replace(&mut observes[node], true) {
                return Err(LowerRefusal::Node { potential, node });
            }
        }
        let target = target(given.source, &given.observers);
        let target = target.ok_or(LowerRefusal::NoTarget { potential })?;
        if given.source >= nodes {
            return Err(LowerRefusal::Node { potential, node: given.source });
        }
        let mut values: Vec<Option<i64>> = vec![None; nodes];
        for &(node, value) in &given.values {
            if node >= nodes || values[node].replace(value).is_some() {
                return Err(LowerRefusal::Node { potential, node });
            }
            if observes[node] && value != 0 {
                return Err(LowerRefusal::AtObserver { potential, node });
            }
        }
        let values: Vec<BigInt> = values.iter().map(|v| BigInt::from(v.unwrap_or(0))).collect();
        let multiplier = BigInt::from(given.multiplier);
        add_loads(&mut loads, edges, &values, &observes, &multiplier);
        let twice = BigRational::from(&values[given.source] * 2) * &proof.unit;
        gain += (twice - target) * BigRational::from(multiplier);
    }
    let square = &proof.unit * &proof.unit;
    let load = |load: BigInt| BigRational::from(load) * &square;
    let loads: Vec<BigRational> = loads.into_iter().map(load).collect();
    let (above, below) = scaled_gain(&loads, costs, &gain)?;
    Ok(above / below)
}
