//! Pairs of distributions on two points, for statements about all distributions.

use super::instances::ratio;
use muffliato_reference::{
    BigRational,
    enclosure::{Interval, ln},
};
use num_traits::{One, Pow};

/// The distribution (p, 1 - p).
#[derive(Clone, Debug)]
pub(crate) struct TwoPoints(pub BigRational);

impl TwoPoints {
    /// All with p a multiple of `1/parts` strictly between 0 and 1.
    pub fn all(parts: i64) -> Vec<Self> {
        (1..parts).map(|k| Self(ratio(k, parts))).collect()
    }

    /// The probabilities of the two points.
    pub fn weights(&self) -> [BigRational; 2] {
        [self.0.clone(), BigRational::one() - &self.0]
    }

    /// `sum_x p(x)^a / q(x)^(a-1)` for a whole order a >= 2: the exponential of (a - 1) times the Renyi divergence.
    pub fn power_sum(&self, other: &Self, order: u32) -> BigRational {
        let (p, q) = (self.weights(), other.weights());
        p.into_iter()
            .zip(q)
            .map(|(p, q)| Pow::pow(p, order) / Pow::pow(q, order - 1))
            .sum()
    }

    /// Encloses the Renyi divergence of a whole order a >= 2.
    pub fn divergence(&self, other: &Self, order: u32, bits: u32) -> Option<Interval> {
        let logarithm = ln(&Interval::exact(self.power_sum(other, order)), bits)?;
        Some(&logarithm * &Interval::exact(ratio(1, i64::from(order) - 1)))
    }
}
