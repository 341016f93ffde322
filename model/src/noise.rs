//! Sizes of the draws of a protocol.

use crate::{Draw, Fraction, Masks, Protocol};
use std::sync::Arc;

/// One variance for all draws of a kind, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Variances {
    All(Fraction),
    Each(Arc<[Fraction]>),
}

impl Variances {
    pub fn new(each: Vec<Fraction>) -> Self {
        match each.first() {
            Some(&first) if each.iter().all(|&variance| variance == first) => Self::All(first),
            _ => Self::Each(each.into()),
        }
    }

    fn at(&self, index: usize) -> Fraction {
        match self {
            Self::All(variance) => *variance,
            Self::Each(each) => each.get(index).copied().unwrap_or(Fraction::ZERO),
        }
    }

    /// Returns the variances of `count` draws.
    pub fn list(&self, count: usize) -> impl Iterator<Item = Fraction> + '_ {
        (0..count).map(|index| self.at(index))
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Self::All(variance) if variance.is_zero())
    }

    /// Returns the common standard deviation if there is one and it is rational.
    pub fn deviation(&self) -> Option<Fraction> {
        match self {
            Self::All(variance) => variance.square_root(),
            Self::Each(_) => None,
        }
    }
}

/// Sizes of the draws of a protocol in which all nodes add the same noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformNoise {
    /// The standard deviation of the fresh noise in units of sigma, if there is any.
    pub tau: Option<Fraction>,
    /// The standard deviation of the masks in units of sigma, if there are any.
    pub kappa: Option<Fraction>,
}

/// A protocol whose nodes or edges have noise of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this formula is for uniform noise, and the nodes or masks of this protocol have noise of different sizes (a noise plan); use its exact loss or the masked bound"
)]
pub struct NotUniform;

impl Protocol {
    /// Returns the variance of a draw in units of `sigma^2`; 0 at a time without such draws.
    ///
    /// Everything that depends on the size of a draw asks here.
    pub fn variance(&self, draw: Draw) -> Fraction {
        match draw {
            Draw::Own { time, node } if self.has_input(time) => self.own.at(node),
            Draw::Own { node, .. } => self.fresh.as_ref().map_or(Fraction::ZERO, |x| x.at(node)),
            Draw::Mask { time, edge } => match &self.masks {
                Some(masks) if self.has_input(time) => masks.variance(edge),
                _ => Fraction::ZERO,
            },
        }
    }

    /// Returns `true` if nodes add fresh noise at steps without input.
    pub fn is_refreshed(&self) -> bool {
        self.fresh.is_some()
    }

    /// Returns the sizes of the noise if every node adds noise of standard deviation sigma at its
    /// inputs, and all fresh noise and all masks have one rational standard deviation each.
    ///
    /// # Errors
    ///
    /// Returns [`NotUniform`] otherwise.
    pub fn uniform(&self) -> Result<UniformNoise, NotUniform> {
        if self.own != Variances::All(Fraction::ONE) {
            return Err(NotUniform);
        }
        let deviation = |variances: &Variances| variances.deviation().ok_or(NotUniform);
        let tau = self.fresh.as_ref().map(deviation).transpose()?;
        let kappa = self.masks.as_ref().map(|masks| deviation(&masks.variances)).transpose()?;
        Ok(UniformNoise { tau, kappa })
    }
}

impl Masks {
    /// Returns the variance of the mask of an edge, given by its smaller end first.
    fn variance(&self, edge: (usize, usize)) -> Fraction {
        match &self.variances {
            Variances::All(variance) => *variance,
            each => self.edges.binary_search(&edge).map_or(Fraction::ZERO, |at| each.at(at)),
        }
    }
}
