//! What an observer does with its view: the optimal distinguishing statistic.

use crate::{Observation, ReferenceError, View};
use num_rational::BigRational;

/// The linear statistic of a view that tells two inputs apart best.
///
/// Applied to the view it is Gaussian under either input, with the same variance
/// `sigma^2 leakage`, and means that differ by `Delta leakage`: the likelihood ratio test is a
/// threshold on it, and its advantage is that of a Gaussian shift `mu = Delta sqrt(leakage) / sigma`.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Process;
///
/// // One step: a neighbour's message is its noisy input, and the best statistic is that message.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let view = Process::run(&Protocol::one_shot(path, 1)?)?.view(&Observer::paper(0))?;
/// let statistic = view.statistic(&[1])?;
/// assert_eq!(statistic.coefficients.len(), 1);
/// assert_eq!(statistic.coefficients[0].1.to_string(), "1");
/// assert_eq!(statistic.leakage.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// What each observation is multiplied by; observations that are left out count 0.
    pub coefficients: Vec<(Observation, BigRational)>,
    /// The loss that it realises, in units of L.
    pub leakage: BigRational,
}

impl View {
    /// The statistic `G^+ a` that tells the worst-case inputs of `sources` apart.
    pub fn statistic(&self, sources: &[usize]) -> Result<Statistic, ReferenceError> {
        Ok(Statistic {
            coefficients: self.attack(&self.worst_inputs(sources)?)?,
            leakage: self.loss(sources)?.scalar,
        })
    }
}
