//! Muffliato on an Erdos-Renyi graph unknown to the observer.
//!
//! The probability that a source is a neighbour of one of m observers is summed without cancellation:
//!
//! ```text
//! 1 - (1-q)^m = q sum_{i<m} (1-q)^i .
//! ```

use crate::{Enclosure, FastError, checks::bad};
use muffliato_model::{Fraction, Graph};

/// The two cases of the theorem on private random graphs, in units of L.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErdosRenyiBound {
    /// Probability that the source is a neighbour of the observers: `1 - (1-q)^|V|`.
    pub neighbour_probability: Enclosure,
    /// Bound for a neighbour: 1, no amplification.
    pub neighbour: Enclosure,
    /// Bound for any other node: `2 T d / (n - d)`.
    pub stranger: Enclosure,
}

/// Encloses the theorem on private random graphs (Theorem 4) and its corollary for coalitions:
/// `members` observers with `degree` distinct neighbours outside, among `nodes` nodes, after
/// `steps` steps on an Erdos-Renyi graph with edge probability `q`. It is a theorem for one
/// observer; for a coalition it can be too small (see the ledger), and `2 (T-1) d / (n - |V| - d)`
/// holds.
///
/// # Errors
/// Names an invalid parameter. The condition `sigma^2 >= Delta^2 alpha (alpha - 1) / 2`, with
/// `noise = sigma^2 / Delta^2`, is decided exactly.
pub fn erdos_renyi_bound(
    nodes: usize,
    members: usize,
    degree: usize,
    steps: usize,
    q: Fraction,
    noise: Fraction,
    alpha: Fraction,
) -> Result<ErdosRenyiBound, FastError> {
    if q.is_negative() || q.numerator() > q.denominator() {
        return Err(bad("q", q, "a probability lies in [0, 1]"));
    }
    if alpha.numerator() <= alpha.denominator() {
        return Err(bad("alpha", alpha, "it must be above 1"));
    }
    let expected = match noise_suffices(noise, alpha) {
        Some(true) => None,
        Some(false) => Some("the theorem needs at least alpha (alpha - 1) / 2"),
        None => Some("it and alpha must be simpler fractions to be compared exactly"),
    };
    if let Some(expected) = expected {
        return Err(bad("sigma^2 / Delta^2", noise, expected));
    }
    if nodes > Graph::MAX_NODES {
        return Err(bad("nodes", nodes, "at most 2^26 are accepted"));
    }
    if members == 0 || members >= nodes {
        let expected = "observers must be at least 1 and fewer than the nodes";
        return Err(bad("members", members, expected));
    }
    if degree > nodes - members {
        let expected = "observers have at most all other nodes as neighbours";
        return Err(bad("degree", degree, expected));
    }
    let below = q.denominator() as f64;
    let (edge, no_edge) =
        (q.numerator() as f64 / below, (q.denominator() - q.numerator()) as f64 / below);
    let (mut power, mut sum) = (1.0, 0.0);
    for _ in 0..members {
        sum += power;
        power *= no_edge;
    }
    // Three roundings in each quotient; underflowing powers add nothing to a sum of at least 1.
    let roundings = 5 * members as u64 + 5;
    let stranger = 2.0 * (steps as f64 * degree as f64) / (nodes - degree) as f64;
    Ok(ErdosRenyiBound {
        neighbour_probability: Enclosure::around_with_loss(edge * sum, roundings, 0.0)
            .clamped_above(1.0),
        neighbour: Enclosure::exact(1.0),
        stranger: Enclosure::around_with_loss(stranger, 4, 0.0),
    })
}

/// Returns whether `2 noise >= alpha (alpha - 1)`; `None` if the products overflow.
fn noise_suffices(noise: Fraction, alpha: Fraction) -> Option<bool> {
    let square = alpha.denominator().checked_mul(alpha.denominator())?;
    let left = noise.numerator().checked_mul(2)?.checked_mul(square)?;
    let above = alpha.numerator().checked_sub(alpha.denominator())?;
    let right = alpha.numerator().checked_mul(above)?;
    Some(left >= right.checked_mul(noise.denominator())?)
}
