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
