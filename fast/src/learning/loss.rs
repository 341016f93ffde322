//! Local losses, and the quadratic one: `phi_v(theta) = (a_v / 2) ||theta - b_v||^2`.

use crate::{FastError, checks};

/// A differentiable local loss `phi_v` for each node v, the mean of one term per example of the
/// node.
///
/// Implementations may rely on `node < nodes()`, `example < examples(node)`, and slices of
/// `dimension()` entries. A gradient that is not finite ends a descent with an error.
///
/// ```
/// use muffliato_fast::learning::{Aggregation, Descent, LocalLoss};
/// use muffliato_fast::noise::SeededNoise;
///
/// /// `ln cosh(theta - v)`: a smooth distance to the number of the node.
/// struct Distance;
/// impl LocalLoss for Distance {
///     fn nodes(&self) -> usize { 3 }
///     fn dimension(&self) -> usize { 1 }
///     fn examples(&self, _node: usize) -> usize { 1 }
///     fn value(&self, node: usize, theta: &[f64]) -> f64 {
///         (theta[0] - node as f64).cosh().ln()
///     }
///     fn gradient(&self, node: usize, _example: Option<usize>, theta: &[f64], out: &mut [f64]) {
///         out[0] = (theta[0] - node as f64).tanh();
///     }
/// }
///
/// let descent = Descent { rounds: 50, sigma: 0.0, ..Descent::default() };
/// let run = descent.run(&Distance, &[4.0; 3], Aggregation::TrustedAggregator, &SeededNoise::new(1))?;
/// assert!((run.means[50][0] - 1.0).abs() < 1e-9); // the middle node
/// assert!(Distance.mean_value(&[1.0]) < Distance.mean_value(&[1.1]));
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub trait LocalLoss: Sync {
    /// Returns the number of nodes n.
    fn nodes(&self) -> usize;

    /// Returns the number D of parameters.
    fn dimension(&self) -> usize;

    /// Returns the number of examples of `node`, at least 1.
    fn examples(&self, node: usize) -> usize;

    /// Computes `phi_v(theta)`.
    fn value(&self, node: usize, theta: &[f64]) -> f64;

    /// Writes the gradient of one example's term, or of `phi_v` for `None`.
    fn gradient(&self, node: usize, example: Option<usize>, theta: &[f64], out: &mut [f64]);

    /// Computes `phi(theta) = (1/n) sum_v phi_v(theta)`.
    fn mean_value(&self, theta: &[f64]) -> f64 {
        let values = (0..self.nodes()).map(|node| self.value(node, theta));
        values.sum::<f64>() / self.nodes() as f64
    }
}

/// A quadratic loss with curvature `a_v` and centre `b_v` for each node. Its local step is linear,
/// `theta - nu grad = (1 - nu a_v) theta + nu a_v b_v`, so the descent is a linear process.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadraticLoss {
    dimension: usize,
    curvatures: Vec<f64>,
    centres: Vec<f64>,
}

impl QuadraticLoss {
    /// Creates the loss from one curvature > 0 per node, and one centre of `dimension` >= 1
    /// coordinates per node, node by node.
    pub fn try_new(
        dimension: usize,
        curvatures: Vec<f64>,
        centres: Vec<f64>,
    ) -> Result<Self, FastError> {
        if dimension == 0 || curvatures.is_empty() {
            let expected = "there must be a parameter and a node";
            return Err(checks::bad("the number of parameters", dimension, expected));
        }
        for &curvature in &curvatures {
            checks::positive("a curvature", curvature)?;
        }
        let expected = curvatures.len().saturating_mul(dimension);
        checks::length("coordinates of centres", centres.len(), expected)?;
        checks::finite("centre", &centres, dimension)?;
        Ok(Self { dimension, curvatures, centres })
    }

    fn centre(&self, node: usize) -> &[f64] {
        &self.centres[node * self.dimension..(node + 1) * self.dimension]
    }
}

impl LocalLoss for QuadraticLoss {
    fn nodes(&self) -> usize {
        self.curvatures.len()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn examples(&self, _node: usize) -> usize {
        1
    }

    fn value(&self, node: usize, theta: &[f64]) -> f64 {
        let pairs = theta.iter().zip(self.centre(node));
        let square: f64 = pairs.map(|(x, centre)| (x - centre) * (x - centre)).sum();
        self.curvatures[node] / 2.0 * square
    }

    fn gradient(&self, node: usize, _example: Option<usize>, theta: &[f64], out: &mut [f64]) {
        for ((out, x), centre) in out.iter_mut().zip(theta).zip(self.centre(node)) {
            *out = self.curvatures[node] * (x - centre);
        }
    }
}
