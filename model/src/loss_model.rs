//! The inputs that a loss is computed for.

use crate::Protocol;
use std::fmt;

/// The inputs that a loss was computed for. Every number of gradient descent carries it.
///
/// ```
/// use muffliato_model::{LossModel, Network, Protocol};
///
/// let path = Network::metropolis("path:3".parse()?)?;
/// assert_eq!(Protocol::one_shot(path.clone(), 2)?.loss_model(), LossModel::SingleInput);
/// let descent = Protocol::gradient_descent(path, 2, 1)?;
/// assert_eq!(descent.loss_model().to_string(), "gradients as inputs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LossModel {
    /// Each node has one input; the loss is exact.
    #[cfg_attr(feature = "serde", serde(rename = "one input a node"))]
    SingleInput,
    /// Gradients are bounded inputs, and the gradients of other nodes do not react to them. Real
    /// losses can cost more; for any losses, T rounds cost at most T times L.
    #[cfg_attr(feature = "serde", serde(rename = "gradients as inputs"))]
    GradientsAsInputs,
    /// Quadratic losses `a_w/2 (theta - b_w)^2` with the linear reaction of every node to its
    /// state, for data sets that differ in the linear term (a change of `a_w` would change the
    /// covariance). The loss is the worst case over a change in each round, which includes one
    /// fixed change of `b_w`.
    #[cfg_attr(feature = "serde", serde(rename = "quadratic losses"))]
    QuadraticLosses,
    /// Any losses whose gradient steps are Lipschitz with the given constants. This is the
    /// guarantee for gradient descent with real losses.
    #[cfg_attr(feature = "serde", serde(rename = "any losses with Lipschitz steps"))]
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
    /// Returns the loss model of this protocol.
    pub fn loss_model(&self) -> LossModel {
        match (self.rounds(), self.reaction()) {
            (1, _) => LossModel::SingleInput,
            (_, None) => LossModel::GradientsAsInputs,
            (_, Some(_)) => LossModel::QuadraticLosses,
        }
    }
}
