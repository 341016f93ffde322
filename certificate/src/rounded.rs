//! Gaussian noise rounded to a grid: the additional cost of whole steps.
//!
//! Every draw and every mask is a Gaussian rounded to multiples of a step h, in each of D
//! coordinates, and states are on the grid when it is added. Inputs on the grid that are protected
//! differ by whole steps, in length by at most `Delta = k h`; claims are in units of
//! `L = alpha Delta^2 / (2 sigma^2)` with this Delta. A shift by whole steps commutes with
//! rounding: a draw and the shifted draw are one function of two Gaussians that far apart. So an
//! alibi in whole steps costs what it costs with real numbers, whatever sigma is. It is needed for
//! *every* difference of whole steps up to the largest, and each rule covers all of them at once.
//!
//! # Flows
//!
//! A round loses at most `L (sum |Q_ij| + D / (4 k^2) (sum_w 1 / s_w^2 + sum_e 1 / kappa_e^2))`,
//! where the sums are over the nodes w and the masks e of which the share of a source is no whole
//! number.
//!
//! Why: let the inputs of the sources differ by `d^i`, whole vectors of length at most k. In
//! coordinate c the shares give an alibi, the amounts `x = sum_i d^i_c (m^i, z^i)` along masks and
//! through nodes; summed over coordinates these cost at most `k^2 sum |Q_ij|` steps^2. Measure them
//! with q in place of squares: q agrees with the square at whole numbers and is linear between
//! them, so that `x^2 <= q(x) <= x^2 + 1/4`. See masks as edges between their nodes, and what
//! leaves through a node (with noise of its own) as an edge from it to the ground. What enters at a node is whole, and so
//! is what reaches the ground; hence nobody has exactly one edge whose amount is not whole, and as
//! long as there are such edges, some of them form a cycle. Move amounts around it, one way or the
//! other, until the first is whole: on the way the sum of all `q / s^2` is linear, so that one of
//! the two ways does not enlarge it. In the end all amounts are whole, and cost no more than q did
//! at the beginning. The alibi depends on the difference alone, so that rounds compose as for real
//! numbers; whatever is computed from masked states, rounded messages included, is a function of
//! them.
//!
//! # Absorption
//!
//! States are computed anew at inputs and when they are mixed, and rounded. Where two runs differ
//! at all in what enters, the result differs in each coordinate by at most r steps more than
//! exactly: 1 if it is computed exactly and rounded once, one more for each further rounding on the
//! way (of messages, or of floats). The rule is that of `absorption` without flows, with
//!
//! ```text
//! computed anew:  deviation_w <- deviation_w + r sqrt(D) steps, unless it is 0      (at inputs before the sources' own change, and after mixing)
//! at a draw:      deviation_w <- min(deviation_w, deviation_w - z_w + sqrt(D) steps), unless z_w is 0 or all of it
//! ```
//!
//! Why: the shift is the fraction `z_w / deviation_w` of the difference, which is whole, with each
//! coordinate rounded toward 0. It is no longer than z_w, and leaves less than a step more in each
//! coordinate, and no more than there was; a fraction of 0 or 1 is whole by itself. Equal states
//! stay equal, and who is heard has the same in both runs, exactly. A source's rounded step moves
//! by at most Delta when its data change, from any state.

use crate::{
    Refusal,
    format::numbers,
    parts, question,
    rules::{Whole, divide_up},
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use serde::{Deserialize, Serialize};

/// The noise that a claim is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// Gaussian noise, real numbers.
    #[default]
    #[serde(skip)]
    Gaussian,
    /// Gaussian noise rounded to a grid.
    Rounded(Rounding),
}

/// A grid that noise and states are rounded to, relative to the inputs.
///
/// ```
/// use muffliato_certificate::Rounding;
///
/// // Steps of 2^-20 of the sensitivity.
/// let grid = Rounding { sensitivity: "1048576".parse()?, coordinates: 1, roundings: 2 };
/// assert_eq!(grid.sensitivity.to_string(), "1048576");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounding {
    /// The sensitivity of inputs on the grid, in steps.
    #[serde(serialize_with = "numbers::write", deserialize_with = "numbers::read")]
    pub sensitivity: BigRational,
    /// The number of coordinates of an input.
    pub coordinates: usize,
    /// The number of steps by which roundings can enlarge the difference of two states in a
    /// coordinate, each time they are recomputed.
    pub roundings: usize,
}

impl Law {
    /// Returns `true` for Gaussian noise.
    pub(crate) fn is_gaussian(&self) -> bool {
        *self == Self::Gaussian
    }

    /// Checks that a grid has a positive sensitivity, a coordinate and a rounding.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Rounded(grid)
                if !grid.sensitivity.is_positive()
                    || grid.coordinates == 0
                    || grid.roundings == 0 =>
            {
                Err(question(
                    "a grid has a positive sensitivity, and at least one coordinate and rounding",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Returns the additional loss of a round if amounts must be whole, for `draws` draws over
    /// their variances.
    pub(crate) fn of_whole_amounts(&self, draws: BigRational) -> BigRational {
        match self {
            Self::Gaussian => BigRational::zero(),
            Self::Rounded(grid) => {
                let (above, below) =
                    of_whole_amount(grid.coordinates.into(), parts(&grid.sensitivity));
                draws * BigRational::new(above, below)
            }
        }
    }

    /// Returns the corrections of deviations, for a sensitivity of `unit` units.
    pub(crate) fn corrections(&self, unit: &BigInt) -> Corrections<BigInt> {
        match self {
            Self::Gaussian => Corrections { step: BigInt::zero(), anew: BigInt::zero() },
            Self::Rounded(grid) => Corrections::of_grid(
                unit,
                parts(&grid.sensitivity),
                grid.coordinates.into(),
                grid.roundings.into(),
                BigInt::sqrt,
            ),
        }
    }
}

/// Returns the numerator and denominator of `D / (4 k^2)`, for a sensitivity of k steps.
pub fn of_whole_amount<I: Whole>(coordinates: I, (above, below): (&I, &I)) -> (I, I) {
    let two_steps = above.clone() + above.clone();
    let times = coordinates * below.clone() * below.clone();
    (times, two_steps.clone() * two_steps)
}

/// The amounts that roundings add to deviations; 0 for real numbers.
pub struct Corrections<I> {
    /// `sqrt(D)` steps, rounded up.
    step: I,
    /// `r sqrt(D)` steps, rounded up.
    anew: I,
}

impl<I: Whole> Corrections<I> {
    /// Creates the corrections for a sensitivity of `above / below` steps, or `unit` units; `root`
    /// is the square root rounded down.
    pub fn of_grid(
        unit: &I,
        (above, below): (&I, &I),
        coordinates: I,
        roundings: I,
        root: impl FnOnce(&I) -> I,
    ) -> Self {
        let square = |number: I| number.clone() * number;
        let squared = coordinates * square(unit.clone() * below.clone());
        let squared = divide_up(squared, &square(above.clone()));
        let root = root(&squared);
        let step = if square(root.clone()) < squared { root + I::one() } else { root };
        let anew = step.clone() * roundings;
        Self { step, anew }
    }

    /// Corrects a deviation that was recomputed.
    pub fn anew(&self, deviation: I) -> I {
        if deviation.is_zero() { deviation } else { deviation + self.anew.clone() }
    }

    /// Corrects the rest of a deviation after absorption in whole steps.
    pub fn left(&self, arrived: &I, left: &I) -> I {
        if left.is_zero() {
            I::zero()
        } else {
            arrived.clone().min(left.clone() + self.step.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_units_agree_with_values_by_hand() {
        let corrections = |unit: i64, (above, below): (i64, i64), coordinates, roundings| {
            let root = |square: &i64| square.isqrt();
            Corrections::of_grid(&unit, (&above, &below), coordinates, roundings, root)
        };
        // 8 units are 3/2 steps, or 2 steps in one coordinate and in two.
        for (steps, coordinates, step) in [((3, 2), 1, 6), ((2, 1), 1, 4), ((2, 1), 2, 6)] {
            let found = corrections(8, steps, coordinates, 3);
            assert_eq!((found.step, found.anew), (step, 3 * step));
        }
    }
}
