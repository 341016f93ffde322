//! Lanczos iteration on the vectors that sum to 0, in the memory of five vectors (untrusted).
//!
//! ```text
//! beta_k q_{k+1} = A q_k - alpha_k q_k - beta_{k-1} q_{k-1}
//! ```
//!
//! Each new vector is made orthogonal to the constant vector again, the one known and unwanted
//! eigenvector; the others are not kept. Without reorthogonalisation extreme Ritz values still
//! converge (Paige); converged ones may reappear, which does not harm an extreme eigenvalue. When
//! the wanted end of the tridiagonal matrix has converged, the iteration is repeated with the same
//! operations in the same order to sum the Ritz vector `sum_j s_j q_j`. Nothing rests on this
//! theory: the caller computes quotients and residuals from the vector.

use super::{
    GapOptions,
    operator::Symmetric,
    tridiagonal::{largest, smallest},
    vector::{centre, dot, norm, update},
};
use crate::{FastError, Progress};
use rand::SeedableRng;
use rand::rngs::ChaCha12Rng;
use rand_distr::{Distribution, StandardNormal};

/// The wanted eigenvalues, and the origin of their distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Of a gossip matrix: the one nearest to 1 or to -1.
    NearestToUnit,
    /// Of a Laplacian: the one nearest to 0.
    NearestToZero,
}

/// One end of the spectrum on the vectors that sum to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpectrumEnd {
    /// The second largest eigenvalue of a gossip matrix.
    Top,
    /// The smallest eigenvalue of a gossip matrix, or the smallest positive one of a Laplacian.
    Bottom,
}

/// An approximate eigenvector of the wanted eigenvalue.
pub(super) struct RitzVector {
    pub end: SpectrumEnd,
    pub vector: Vec<f64>,
    pub iterations: usize,
}

struct Ritz {
    end: SpectrumEnd,
    coefficients: Vec<f64>,
    distance: f64,
    residual: f64,
}

/// Runs the iteration until the wanted end has converged. `scale` is at least the norm of A.
pub(super) fn lanczos(
    a: &impl Symmetric,
    wanted: Wanted,
    scale: f64,
    options: &GapOptions,
    progress: &dyn Progress,
) -> Result<RitzVector, FastError> {
    let start = random_start(a.nodes(), options.seed);
    let floor = 8.0 * f64::EPSILON * scale;
    let good = |ritz: &Ritz| ritz.residual <= (options.tolerance * ritz.distance).max(floor);
    let mut recurrence = Recurrence::new(a, &start);
    let mut next_check = 1;
    let ritz = loop {
        let k = recurrence.step()?;
        progress.check(k, options.max_iterations)?;
        let exhausted = recurrence.beta[k - 1] <= f64::EPSILON * scale;
        let last = k >= options.max_iterations;
        if k < next_check && !exhausted && !last {
            continue;
        }
        next_check = k + 1 + k / 16;
        let (ritz, other) = recurrence.ends(wanted);
        let settled = other
            .is_none_or(|other| good(&other) || other.distance - other.residual >= ritz.distance);
        if exhausted || (good(&ritz) && settled) {
            break ritz;
        }
        if last {
            return Err(FastError::NotConverged {
                iterations: k,
                residual: ritz.residual,
                estimate: ritz.distance,
            });
        }
    };
    let mut vector = vec![0.0; a.nodes()];
    let iterations = ritz.coefficients.len();
    let mut again = Recurrence::new(a, &start);
    for (k, &coefficient) in ritz.coefficients.iter().enumerate() {
        progress.check(iterations + k, 2 * iterations)?;
        update(&mut vector, |v, entry| entry + coefficient * again.now[v]);
        again.step()?;
    }
    centre_and_scale(&mut vector);
    Ok(RitzVector { end: ritz.end, vector, iterations })
}

/// Returns a centred Gaussian vector of norm 1: it has a component along every eigenvector almost
/// surely.
fn random_start(nodes: usize, seed: u64) -> Vec<f64> {
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    let mut start: Vec<f64> = StandardNormal.sample_iter(&mut generator).take(nodes).collect();
    centre_and_scale(&mut start);
    start
}

fn centre_and_scale(vector: &mut [f64]) {
    centre(vector);
    let length = norm(vector);
    update(vector, |_, entry| entry / length);
}

struct Recurrence<'a, A> {
    a: &'a A,
    before: Vec<f64>,
    now: Vec<f64>,
    product: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
}

impl<'a, A: Symmetric> Recurrence<'a, A> {
    fn new(a: &'a A, start: &[f64]) -> Self {
        Self {
            a,
            before: vec![0.0; start.len()],
            now: start.to_vec(),
            product: vec![0.0; start.len()],
            alpha: Vec::new(),
            beta: Vec::new(),
        }
    }

    /// Runs one product with the matrix; returns the number of steps so far.
    fn step(&mut self) -> Result<usize, FastError> {
        self.a.apply(&self.now, &mut self.product)?;
        let last_beta = self.beta.last().copied().unwrap_or(0.0);
        let alpha = dot(&self.now, &self.product);
        let (before, now) = (&self.before, &self.now);
        update(&mut self.product, |v, entry| entry - alpha * now[v] - last_beta * before[v]);
        centre(&mut self.product);
        let beta = norm(&self.product);
        let inverse = if beta > 0.0 { 1.0 / beta } else { 0.0 };
        update(&mut self.product, |_, entry| entry * inverse);
        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.product);
        self.alpha.push(alpha);
        self.beta.push(beta);
        Ok(self.alpha.len())
    }

    /// Returns the wanted Ritz pair, and that of the other end if it counts.
    fn ends(&self, wanted: Wanted) -> (Ritz, Option<Ritz>) {
        let k = self.alpha.len();
        let (joints, out) = (&self.beta[..k - 1], self.beta[k - 1]);
        let pair = |end, (value, coefficients): (f64, Vec<f64>)| Ritz {
            end,
            distance: match (wanted, end) {
                (Wanted::NearestToZero, _) => value,
                (Wanted::NearestToUnit, SpectrumEnd::Top) => 1.0 - value,
                (Wanted::NearestToUnit, SpectrumEnd::Bottom) => 1.0 + value,
            },
            residual: out * coefficients[k - 1].abs(),
            coefficients,
        };
        let bottom = pair(SpectrumEnd::Bottom, smallest(&self.alpha, joints));
        if wanted == Wanted::NearestToZero {
            return (bottom, None);
        }
        let top = pair(SpectrumEnd::Top, largest(&self.alpha, joints));
        if top.distance <= bottom.distance { (top, Some(bottom)) } else { (bottom, Some(top)) }
    }
}
