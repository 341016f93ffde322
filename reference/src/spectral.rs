//! The spectral gap, its acceleration parameter, and the number of steps to converge.

use crate::{
    GossipMatrix, ReferenceError,
    checks::{check_length, check_work, require},
    enclosure::{Interval, eigenvalue, ln, sqrt},
};
use muffliato_model::{Graph, Network};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Encloses the spectral gap `lambda_W`: the smallest `1 - |lambda|` over all eigenvalues of W
/// other than one copy of 1. It is exactly 0 if the graph is not connected or the walk is periodic.
///
/// # Errors
///
/// Returns an error for one node, and for too large a matrix.
///
/// ```
/// use muffliato_model::{Network, WeightScheme, families};
/// use muffliato_reference::{BigRational, spectral::spectral_gap};
///
/// // Eigenvalues 1, 2/3 and 0.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// assert!(spectral_gap(&path, 40)?.contains(&BigRational::new(1.into(), 3.into())));
/// // Eigenvalues 1, 0, 0 and -1.
/// let ring = Network::try_new(families::ring(4)?, WeightScheme::MaxDegreeInverse)?;
/// assert_eq!(spectral_gap(&ring, 40)?.to_string(), "[0, 0]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spectral_gap(network: &Network, bits: u32) -> Result<Interval, ReferenceError> {
    let w = GossipMatrix::of_network(network)?;
    let n = w.nodes();
    let at = |rank| eigenvalue(n, w.numerators(), w.denominator(), rank, bits);
    let (Some(second), Some(last)) = (at(2), at(n)) else {
        return Err(ReferenceError::SingleNode);
    };
    Ok(&Interval::exact(BigRational::one()) - &second.max(&-&last))
}

/// Encloses `lambda(p)`: the second smallest eigenvalue of the Laplacian of the graph whose edges
/// (in the order of [`Graph::edges`]) are weighted by their activation probabilities.
///
/// # Errors
///
/// Returns an error for invalid probabilities, one node, and too large a matrix.
pub fn randomized_gap(
    graph: &Graph,
    intensities: &[BigRational],
    bits: u32,
) -> Result<Interval, ReferenceError> {
    check_intensities(graph, intensities)?;
    let n = graph.nodes();
    check_work(n, n, 1)?;
    let denominator =
        intensities.iter().fold(BigInt::one(), |lcm, p| num_integer::lcm(lcm, p.denom().clone()));
    let mut laplacian = vec![BigInt::zero(); n * n];
    for ((u, v), p) in graph.edges().zip(intensities) {
        let weight = (p * BigRational::from_integer(denominator.clone())).to_integer();
        for (row, column) in [(u, v), (v, u)] {
            laplacian[row * n + column] -= &weight;
            laplacian[row * n + row] += &weight;
        }
    }
    // A single node has no eigenvalue of rank 0.
    eigenvalue(n, &laplacian, &denominator, n.saturating_sub(1), bits)
        .ok_or(ReferenceError::SingleNode)
}

/// Checks that there is a non-negative probability per edge and that they sum to at most 1.
pub(crate) fn check_intensities(
    graph: &Graph,
    intensities: &[BigRational],
) -> Result<(), ReferenceError> {
    check_length("edge intensities", intensities.len(), graph.edge_count())?;
    let sum: BigRational = intensities.iter().sum();
    let holds = !intensities.iter().any(Signed::is_negative) && sum <= BigRational::one();
    let expected = "intensities are probabilities: none is negative and they sum to at most 1";
    require(holds, "the sum of the edge intensities", &sum, expected)
}

/// Encloses the Chebyshev parameter `g = 2 (1 - sqrt(l (1 - l/4))) / (1 - l/2)^2` of a gap l in (0,
/// 1].
///
/// # Errors
///
/// Returns an error if the gap is outside (0, 1].
pub fn acceleration(gap: &Interval, bits: u32) -> Result<Interval, ReferenceError> {
    require_gap(gap)?;
    let ratio =
        |above: i64, below: i64| Interval::exact(BigRational::new(above.into(), below.into()));
    let one = ratio(1, 1);
    let quarter = &one - &(gap * &ratio(1, 4));
    let root = sqrt(&(gap * &quarter), bits).ok_or_else(|| no_gap(gap))?;
    let half = &one - &(gap * &ratio(1, 2));
    let below = (&half * &half).inverse().ok_or_else(|| no_gap(gap))?;
    Ok((&(&ratio(2, 1) * &(&one - &root)) * &below).rounded(bits))
}

/// The rate of convergence of a gossip algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// `2 lambda_W`: plain synchronous gossip, whose squared error falls like
    /// `(1 - lambda_W)^(2T)`.
    Plain,
    /// `sqrt(lambda_W)`: accelerated synchronous gossip (Theorem 2), the rounds of GD (Theorem 5).
    Accelerated,
    /// `lambda(p)`: randomized gossip (Theorem 3, as printed).
    Randomized,
}

/// Encloses `T_stop = ln( (n / sigma^2) max(sigma^2, variance) ) / rate`, where `variance` is
/// `(1/n) sum (x_v - mean)^2`. The ceiling of its upper end is enough steps.
///
/// For D-dimensional inputs pass `D sigma^2` in place of `sigma^2`, and squared lengths in the
/// variance.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn steps_to_converge(
    rate: Rate,
    gap: &Interval,
    nodes: usize,
    variance: &BigRational,
    sigma_squared: &BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    let holds = sigma_squared.is_positive();
    require(holds, "sigma^2", sigma_squared, "it must be positive")?;
    let noise = sigma_squared.clone().max(variance.clone());
    let argument = BigRational::from_integer(nodes.into()) * noise / sigma_squared;
    steps(rate, gap, argument, bits)
}

/// Encloses the number of gossip steps of a round of gradient descent before rounding up:
/// `ln(max(n, zeta^2 / (D sigma^2 + rho^2))) / sqrt(lambda_W)`, given the ratio.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn gossip_steps_per_round(
    gap: &Interval,
    nodes: usize,
    heterogeneity: &BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    let argument = BigRational::from_integer(nodes.into()).max(heterogeneity.clone());
    steps(Rate::Accelerated, gap, argument, bits)
}

fn steps(
    rate: Rate,
    gap: &Interval,
    argument: BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    require_gap(gap)?;
    let (holds, expected) = (argument.is_positive(), "there must be at least one");
    require(holds, "the number of nodes", &0, expected)?;
    let rate = match rate {
        Rate::Plain => Some(gap + gap),
        Rate::Accelerated => sqrt(gap, bits),
        Rate::Randomized => Some(gap.clone()),
    };
    let inverse = rate.and_then(|rate| rate.inverse());
    let logarithm = ln(&Interval::exact(argument), bits);
    match (logarithm, inverse) {
        (Some(logarithm), Some(inverse)) => Ok((&logarithm * &inverse).rounded(bits)),
        _ => Err(no_gap(gap)),
    }
}

fn require_gap(gap: &Interval) -> Result<(), ReferenceError> {
    let holds = *gap.upper() <= BigRational::from_integer(2.into());
    let expected = "it must lie between 0 and 1 (and lambda(p) between 0 and 2)";
    require(holds, "the spectral gap", gap, expected)?;
    if gap.lower().is_positive() { Ok(()) } else { Err(no_gap(gap)) }
}

fn no_gap(gap: &Interval) -> ReferenceError {
    if gap.upper().is_positive() {
        ReferenceError::NoGap {
            reason: "or too small for the precision asked for",
            remedy: "ask for more bits",
        }
    } else {
        ReferenceError::NoGap {
            reason: "the graph is not connected, or the weights are periodic",
            remedy: "use a connected graph (its giant component) and Metropolis or lazy weights",
        }
    }
}
