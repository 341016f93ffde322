//! The paper's utility inequalities, decided rigorously on an instance.
//!
//! Both bound `(1/2n) sum_v E (x_v^T - mean)^2` for scalars (for vectors each coordinate by
//! itself). The left side is computed from moments of W: with c the centred inputs,
//! `P_T(W) = sum_k p_k W^k`,
//!
//! ```text
//! || P_T(W) c ||^2 = sum_{k,l} p_k p_l c^T W^{k+l} c,     || P_T(W) ||_F^2 = sum_{k,l} p_k p_l tr W^{k+l},
//! ```
//!
//! where the moments are exact rationals and only the coefficients `p_k`, polynomials in the
//! irrational Chebyshev parameter g, are intervals.

use crate::{
    GossipMatrix, ReferenceError,
    checks::{bad, check_length, check_work, require},
    enclosure::{Interval, exp, sqrt},
    order,
    spectral::{acceleration, check_intensities, randomized_gap, spectral_gap},
};
use muffliato_model::{Graph, Network};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Enclosures of the two sides of a claimed `left <= right`.
///
/// ```
/// use muffliato_reference::{BigRational, enclosure::Interval, utility::Inequality};
///
/// let whole = |x: i64| BigRational::from_integer(x.into());
/// let left = Interval::new(whole(1), whole(3));
/// let decided = Inequality { left: left.clone(), right: Interval::exact(whole(3)) };
/// assert_eq!(decided.holds(), Some(true));
/// let open = Inequality { left, right: Interval::exact(whole(2)) };
/// assert_eq!(open.holds(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    /// The side claimed to be smaller.
    pub left: Interval,
    /// The side claimed to be larger.
    pub right: Interval,
}

impl Inequality {
    /// Returns whether `left <= right` holds, or `None` if the enclosures are too wide to decide
    /// it.
    pub fn holds(&self) -> Option<bool> {
        if order(self.left.upper(), self.right.lower()).is_le() {
            Some(true)
        } else if order(self.left.lower(), self.right.upper()).is_gt() {
            Some(false)
        } else {
            None
        }
    }
}

/// Encloses the utility theorem of Algorithm 1 (Theorem 2): after T accelerated steps the error is
/// at most `(variance + sigma^2) e^{-T sqrt(lambda_W)} + sigma^2 / n`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges, and for too large a matrix.
///
/// ```
/// use muffliato_model::{Network, WeightScheme, families};
/// use muffliato_reference::{BigRational, utility::synchronous_utility};
///
/// let whole = |x: i64| BigRational::from_integer(x.into());
/// // Two nodes that average in one step: the error is sigma^2 / 4, the claim (1 + 1)/e + 1/2.
/// let pair = Network::try_new(families::path(2)?, WeightScheme::Metropolis)?;
/// let claim = synchronous_utility(&pair, 1, &[whole(1), whole(-1)], &whole(1), 64)?;
/// assert!(claim.left.contains(&BigRational::new(1.into(), 4.into())));
/// assert_eq!(claim.holds(), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn synchronous_utility(
    network: &Network,
    steps: usize,
    values: &[BigRational],
    sigma_squared: &BigRational,
    bits: u32,
) -> Result<Inequality, ReferenceError> {
    let n = network.graph().nodes();
    check_inputs(network.graph(), values, sigma_squared)?;
    check_work(n, n, steps)?;
    // Chebyshev coefficients grow like (1 + sqrt 2)^T before they cancel.
    let lost = u32::try_from(steps).unwrap_or(u32::MAX).saturating_mul(4);
    let work = bits.saturating_add(lost);
    let gap = spectral_gap(network, work)?;
    let g = acceleration(&gap, work)?;
    let root = sqrt(&gap, work).ok_or(ReferenceError::SingleNode)?;
    Ok(Inequality {
        left: accelerated_error(network, steps, &g, values, sigma_squared, work)?,
        right: claimed_error(&root, steps, values, sigma_squared, bits)?,
    })
}

/// Encloses the utility theorem of Algorithm 2 (Theorem 3): after T random activations, with the
/// given probability per edge (in the order of [`Graph::edges`]), the expected error is at most
/// `(variance + sigma^2) e^{-T rate} + sigma^2 / n` with `rate = rate_factor * lambda(p)`.
///
/// The paper claims it with the factor 1.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges, and for too large a matrix.
pub fn randomized_utility(
    graph: &Graph,
    intensities: &[BigRational],
    rate_factor: &BigRational,
    steps: usize,
    values: &[BigRational],
    sigma_squared: &BigRational,
    bits: u32,
) -> Result<Inequality, ReferenceError> {
    let gap = randomized_gap(graph, intensities, bits)?;
    let rate = &Interval::exact(rate_factor.clone()) * &gap;
    let left = randomized_error(graph, intensities, steps, values, sigma_squared)?;
    Ok(Inequality {
        left: Interval::exact(left),
        right: claimed_error(&rate, steps, values, sigma_squared, bits)?,
    })
}

/// Encloses the expected error of T steps with the Chebyshev parameter g, an interval because it
/// may be irrational.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges, and for too large a matrix.
pub fn accelerated_error(
    network: &Network,
    steps: usize,
    g: &Interval,
    values: &[BigRational],
    sigma_squared: &BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    check_inputs(network.graph(), values, sigma_squared)?;
    let w = GossipMatrix::of_network(network)?;
    let n = w.nodes();
    check_work(n, n, steps.saturating_mul(2))?;
    let coefficients = chebyshev_coefficients(steps, g, bits);
    let centred = centred(values);

    let mut moments = Vec::new();
    for power in w.powers(steps.saturating_mul(2).saturating_add(1))? {
        let mut moment = BigRational::zero();
        for v in 0..n {
            let row = power.row(v);
            let applied: BigRational = row
                .iter()
                .zip(&centred)
                .map(|(entry, x)| x * BigRational::from_integer(entry.clone()))
                .sum();
            let own = BigRational::from_integer(row[v].clone());
            moment += applied * &centred[v] + own * sigma_squared;
        }
        moments.push(moment / BigRational::from_integer(power.denominator().clone()));
    }
    let mut sum = Interval::exact(BigRational::zero());
    for (k, p) in coefficients.iter().enumerate() {
        for (l, q) in coefficients.iter().enumerate() {
            let moment = Interval::exact(moments[k + l].clone());
            sum = (&sum + &(&(p * q) * &moment)).rounded(bits);
        }
    }
    let twice_n = BigRational::new(BigInt::one(), (2 * n).into());
    Ok(&sum * &Interval::exact(twice_n))
}

/// Encloses the coefficients of `P_T`, from `P_0 = 1, P_1 = X, P_{t+1} = g X P_t + (1-g) P_{t-1}`
/// for t >= 1.
fn chebyshev_coefficients(steps: usize, g: &Interval, bits: u32) -> Vec<Interval> {
    let zero = Interval::exact(BigRational::zero());
    let one = Interval::exact(BigRational::one());
    let behind = &one - g;
    let mut previous = vec![one.clone()];
    if steps == 0 {
        return previous;
    }
    let mut current = vec![zero.clone(), one];
    for _ in 1..steps {
        let mut next = vec![zero.clone()];
        next.extend(current.iter().map(|c| (g * c).rounded(bits)));
        for (sum, c) in next.iter_mut().zip(&previous) {
            *sum = (&*sum + &(&behind * c)).rounded(bits);
        }
        previous = std::mem::replace(&mut current, next);
    }
    current
}

/// Computes the exact expected error of T steps of randomized gossip over the noise and the edges:
/// the second moment of the centred state, `S <- sum_e p_e W_e S W_e`, started at
/// `c c^T + sigma^2 I`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges, and for too large a matrix.
pub fn randomized_error(
    graph: &Graph,
    intensities: &[BigRational],
    steps: usize,
    values: &[BigRational],
    sigma_squared: &BigRational,
) -> Result<BigRational, ReferenceError> {
    check_inputs(graph, values, sigma_squared)?;
    check_intensities(graph, intensities)?;
    let n = graph.nodes();
    check_work(n, n.saturating_mul(graph.edge_count().max(1)), steps)?;
    let centred = centred(values);
    let mut second: Vec<BigRational> =
        (0..n * n).map(|k| &centred[k / n] * &centred[k % n]).collect();
    for v in 0..n {
        second[v * n + v] += sigma_squared;
    }
    let idle = BigRational::one() - intensities.iter().sum::<BigRational>();
    let half = BigRational::new(1.into(), 2.into());
    for _ in 0..steps {
        let mut next: Vec<_> = second.iter().map(|entry| entry * &idle).collect();
        for ((u, v), p) in graph.edges().zip(intensities) {
            let mut averaged = second.clone();
            for k in 0..n {
                let mean = (&averaged[u * n + k] + &averaged[v * n + k]) * &half;
                averaged[u * n + k] = mean.clone();
                averaged[v * n + k] = mean;
            }
            for k in 0..n {
                let mean = (&averaged[k * n + u] + &averaged[k * n + v]) * &half;
                averaged[k * n + u] = mean.clone();
                averaged[k * n + v] = mean;
            }
            for (sum, entry) in next.iter_mut().zip(&averaged) {
                *sum += p * entry;
            }
        }
        second = next;
    }
    let trace: BigRational = (0..n).map(|v| second[v * n + v].clone()).sum();
    Ok(trace / BigRational::from_integer((2 * n).into()))
}

/// Encloses `(variance + sigma^2) e^{-T rate} + sigma^2 / n`.
fn claimed_error(
    rate: &Interval,
    steps: usize,
    values: &[BigRational],
    sigma_squared: &BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    let nodes = BigRational::from_integer(values.len().into());
    let variance = centred(values).iter().map(|x| x * x).sum::<BigRational>() / &nodes;
    let time = Interval::exact(BigRational::from_integer(steps.into()));
    let decay = exp(&-&(&time * rate), bits);
    let decay = decay.ok_or_else(|| bad("the rate", rate, "it must not be negative"))?;
    let start = Interval::exact(variance + sigma_squared);
    Ok(&(&start * &decay) + &Interval::exact(sigma_squared / nodes))
}

/// Subtracts the mean from the values.
fn centred(values: &[BigRational]) -> Vec<BigRational> {
    let mean = values.iter().sum::<BigRational>() / BigRational::from_integer(values.len().into());
    values.iter().map(|x| x - &mean).collect()
}

fn check_inputs(
    graph: &Graph,
    values: &[BigRational],
    sigma_squared: &BigRational,
) -> Result<(), ReferenceError> {
    check_length("input values", values.len(), graph.nodes())?;
    let holds = !sigma_squared.is_negative();
    require(holds, "sigma^2", sigma_squared, "it must not be negative")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_polynomial_is_g_x_squared_less_g_minus_1() {
        let g = Interval::exact(BigRational::new(5.into(), 4.into()));
        let coefficients = chebyshev_coefficients(2, &g, 64);
        let shown: Vec<_> = coefficients.iter().map(|c| c.upper().to_string()).collect();
        assert_eq!(shown, ["-1/4", "0", "5/4"]);
    }
}
