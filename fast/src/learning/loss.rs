//! Local losses.

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
