//! What a loss is computed for.

use crate::Protocol;
use std::fmt;

/// What a loss was computed for. Every number of gradient descent carries it.
///
/// ```
/// use muffliato_model::{LossModel, Network, Protocol, WeightScheme, families};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// assert_eq!(Protocol::one_shot(path.clone(), 2)?.loss_model(), LossModel::SingleInput);
/// let descent = Protocol::gradient_descent(path, 2, 1)?;
/// assert_eq!(descent.loss_model().to_string(), "gradients as inputs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossModel {
    /// Each node has one input: the loss is exact.
    SingleInput,
    /// Gradients are bounded inputs of the nodes, and the gradients of others do not react to them. Real
    /// losses can cost more; whatever they are, T rounds cost at most T times L.
    GradientsAsInputs,
    /// Quadratic losses `a_w/2 (theta - b_w)^2` with the linear reaction of every node to its state, for
    /// datasets that differ in the linear term (a change of `a_w` would change the covariance). The worst
    /// case over a change in each round; one fixed change of `b_w` is one of them.
    QuadraticLosses,
    /// Any loss functions whose steps are Lipschitz with the constants that were given: what can be promised for gradient descent
    /// with real losses.
    LipschitzSteps,
}

impl fmt::Display for LossModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SingleInput => "one input a node",
            Self::GradientsAsInputs => "gradients as inputs",
            Self::QuadraticLosses => "quadratic losses",
            Self::LipschitzSteps => "any losses with Lipschitz steps",
        })
    }
}

impl Protocol {
    /// What the losses of this protocol are computed for.
    pub fn loss_model(&self) -> LossModel {
        match (self.rounds(), self.reaction()) {
            (1, _) => LossModel::SingleInput,
            (_, None) => LossModel::GradientsAsInputs,
            (_, Some(_)) => LossModel::QuadraticLosses,
        }
    }
}
