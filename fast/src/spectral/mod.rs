//! The spectral gap of a gossip matrix, and its consequences.
//!
//! `lambda_W` is the smallest `1 - |lambda|` over all eigenvalues other than one copy of 1, that is
//! `min(1 - lambda_2, 1 + lambda_n)`. Status of the numbers:
//!
//! | number | status |
//! | --- | --- |
//! | a gap of exactly 0 | decided by the graph (components, two-colouring): [`FastError::NoGap`] |
//! | upper end of [`SpectralGap::certified`] | proved, from the quotient of one vector; relative excess about 1e-13 once converged |
//! | lower end, up to [`GapOptions::prove_up_to`] nodes | proved by an elimination, about `n^2 2^-52` below the estimate |
//! | lower end, more nodes | proved but crude: Mohar's and Gershgorin's inequalities |
//! | [`SpectralGap::estimate`] | an estimate: for it to be too large, the random start must have missed an eigenvector |

mod check;
mod convergence;
mod lanczos;
mod operator;
mod tridiagonal;
mod vector;

pub use convergence::{
    Rate, acceleration, acceleration_fraction, gossip_steps_per_round, steps_to_converge,
};
pub use lanczos::SpectrumEnd;

use crate::{
    Enclosure, FastError, Progress, SparseWeights,
    checks::{self, require},
};
use lanczos::{Wanted, lanczos};
use muffliato_model::Graph;
use operator::{Laplacian, Symmetric};

/// Options for the computation of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GapOptions {
    /// Target residual of the eigenvector, relative to the gap; the error of the gap is of the
    /// order of its square.
    pub tolerance: f64,
    /// Maximum number of products with the matrix before the eigenvector is summed.
    pub max_iterations: usize,
    /// Seed of the random start. Results do not depend on the number of threads.
    pub seed: u64,
    /// Largest number of nodes n for which a sharp lower end is proved, in `4 n^2` bytes and
    /// `n^3/3` multiplications.
    pub prove_up_to: usize,
}

impl Default for GapOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 50_000, seed: 0, prove_up_to: 1024 }
    }
}

/// A spectral gap: an estimate, certified ends, and statistics.
///
/// ```
/// use muffliato_fast::{GapOptions, SparseWeights, SpectrumEnd, spectral_gap};
/// use muffliato_model::Network;
///
/// let network = Network::metropolis("ring:5".parse()?)?;
/// let weights = SparseWeights::of_network(&network)?;
/// let gap = spectral_gap(&weights, &GapOptions::default(), &())?;
/// // The second largest eigenvalue is (1 + 2 cos(2 pi / 5)) / 3.
/// let exact = 2.0 / 3.0 * (1.0 - (std::f64::consts::TAU / 5.0).cos());
/// assert!((gap.estimate - exact).abs() < 1e-12 && gap.certified.contains(gap.estimate));
/// assert_eq!(gap.end, SpectrumEnd::Top);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpectralGap {
    /// Best estimate; never a guarantee.
    pub estimate: f64,
    /// Interval that provably contains the exact gap.
    pub certified: Enclosure,
    /// Number of products with the matrix (and as many again for the vector).
    pub iterations: usize,
    /// The end of the spectrum that determines the gap.
    pub end: SpectrumEnd,
}

impl SpectralGap {
    /// Returns `true` if the certified ends differ by at most `tolerance` times the upper one.
    pub fn is_certified(&self, tolerance: f64) -> bool {
        self.certified.relative_width() <= tolerance
    }
}

/// Computes the gap `lambda_W` of a gossip matrix, in the memory of five vectors beside the matrix
/// (and the proof of [`GapOptions::prove_up_to`]).
///
/// # Errors
/// [`FastError::NoGap`] exactly if the gap is 0, [`FastError::NotConverged`] if the iteration ends
/// too early, [`FastError::BadParameter`] for a single node or invalid options.
pub fn spectral_gap(
    weights: &SparseWeights,
    options: &GapOptions,
    progress: &dyn Progress,
) -> Result<SpectralGap, FastError> {
    check_options(options)?;
    let connected = check::connectivity(weights, true)?;
    let found = lanczos(weights, Wanted::NearestToUnit, 1.0, options, progress)?;
    let (estimate, upper) = check::distance(weights, found.end, &found.vector);

    let smallest_own = (0..weights.nodes()).map(|v| weights.own(v)).fold(1.0, f64::min);
    let margin = 1.0 - 2.0 * (weights.roundings() as f64 + 4.0) * crate::UNIT_ROUNDOFF;
    let aperiodic = 2.0 * smallest_own * margin.max(0.0);
    let proved = prove(weights, options, 1.0, estimate, |s| {
        let top = check::proves_at_least(weights, SpectrumEnd::Top, 1.0, s)?;
        if aperiodic >= top {
            return Some(top);
        }
        let bottom = check::proves_at_least(weights, SpectrumEnd::Bottom, 1.0, s)?;
        Some(top.min(bottom))
    });
    let lower = proved.unwrap_or(0.0).max(connected.min(aperiodic));
    Ok(SpectralGap {
        estimate: estimate.min(1.0),
        certified: interval(lower, upper.min(1.0)),
        iterations: found.iterations,
        end: found.end,
    })
}

/// Computes `lambda(p)` of randomized gossip: the second smallest eigenvalue of the Laplacian of
/// the graph with the activation probability of each edge (in the order of [`Graph::edges`], taken
/// as exact) as its weight. An edge of intensity 0 is absent.
///
/// # Errors
/// As for [`spectral_gap`]; and for intensities that are negative, not finite or sum to more than 1
/// (up to rounding).
///
/// ```
/// use muffliato_fast::{GapOptions, randomized_gap};
/// use muffliato_model::families;
///
/// // A ring of 4, each edge in every fourth tick: (1/4) (2 - 2 cos(pi / 2)).
/// let gap = randomized_gap(&families::ring(4)?, &[0.25; 4], &GapOptions::default(), &())?;
/// assert!(gap.certified.contains(0.5) && gap.is_certified(1e-10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn randomized_gap(
    graph: &Graph,
    intensities: &[f64],
    options: &GapOptions,
    progress: &dyn Progress,
) -> Result<SpectralGap, FastError> {
    check_options(options)?;
    check_intensities(graph, intensities)?;
    let laplacian = Laplacian::of(graph, intensities);
    let connected = check::connectivity(&laplacian, false)?;
    let scale = laplacian.scale() * (1.0 + 1e-9);
    let found = lanczos(&laplacian, Wanted::NearestToZero, scale, options, progress)?;
    let (estimate, upper) = check::distance(&laplacian, SpectrumEnd::Top, &found.vector);
    let proved = prove(&laplacian, options, scale, estimate, |s| {
        check::proves_at_least(&laplacian, SpectrumEnd::Top, scale, s)
    });
    Ok(SpectralGap {
        estimate,
        certified: interval(proved.unwrap_or(0.0).max(connected), upper),
        iterations: found.iterations,
        end: found.end,
    })
}

/// Returns the intensities `2 W_uv / n` of randomized gossip that belong to a gossip matrix, in the
/// order of [`Graph::edges`]; they sum to at most 1. Their `lambda(p)` is `2 (1 - lambda_2) / n`.
pub fn gossip_intensities(weights: &SparseWeights) -> Vec<f64> {
    let n = weights.nodes();
    let row = |v: usize| {
        let (columns, values) = weights.row(v);
        let later = columns.iter().zip(values).filter(move |&(&u, _)| u as usize > v);
        later.map(move |(_, weight)| 2.0 * weight / n as f64)
    };
    (0..n).flat_map(row).collect()
}

/// Tries a few proofs, from the sharpest down, that the gap is nearly the estimate.
fn prove(
    a: &impl Symmetric,
    options: &GapOptions,
    scale: f64,
    estimate: f64,
    proof: impl Fn(f64) -> Option<f64>,
) -> Option<f64> {
    if a.nodes() > options.prove_up_to {
        return None;
    }
    let slack = check::slack(a.nodes(), scale);
    let targets = [
        estimate * (1.0 - 1e-12) - slack,
        estimate * (1.0 - 1e-9) - 8.0 * slack,
        estimate * 0.999,
        estimate * 0.9,
        estimate * 0.5,
    ];
    let positive = targets.into_iter().filter(|&target| target > 0.0);
    positive.filter_map(proof).find(|&bound| bound > 0.0)
}

/// Returns `[lower, upper]`, or `[0, upper]` if rounding made the ends cross.
fn interval(lower: f64, upper: f64) -> Enclosure {
    Enclosure::try_new(lower, upper)
        .or(Enclosure::try_new(0.0, upper))
        .unwrap_or(Enclosure::UNKNOWN)
}

fn check_options(options: &GapOptions) -> Result<(), FastError> {
    let GapOptions { tolerance, max_iterations: most, .. } = *options;
    let inside = tolerance > 0.0 && tolerance < 1.0;
    require(inside, "the tolerance", tolerance, "it must lie strictly between 0 and 1")?;
    require(most > 0, "the largest number of iterations", most, "it must be positive")
}

fn check_intensities(graph: &Graph, intensities: &[f64]) -> Result<(), FastError> {
    checks::length("edge intensities", intensities.len(), graph.edge_count())?;
    for (&value, (node, _)) in intensities.iter().zip(graph.edges()) {
        if !value.is_finite() {
            return Err(FastError::NotFinite { what: "intensity of an edge", node, value });
        }
    }
    let sum: f64 = intensities.iter().sum();
    let fits = intensities.iter().all(|&p| p >= 0.0) && sum <= 1.0 + 1e-9;
    let expected = "intensities are probabilities: none is negative and they sum to at most 1";
    require(fits, "the sum of the edge intensities", sum, expected)
}
