//! Proved upper bounds on losses.
//!
//! A certified loss is made from a [`Proved`] bound. Only this module and those below it make one
//! from a float:
//!
//! | module | bound | proof |
//! | --- | --- | --- |
//! | here | local differential privacy | every noisy input is seen |
//! | `masked` | masked states, any loss functions | `muffliato_fast::MaskedBounds` |
//! | `absorption` | gradient descent with Lipschitz steps | `muffliato_fast::AbsorptionBounds` |
//! | `on_grid` | noise on a grid | `noise_law` |
//! | `every_schedule` | every schedule | `schedules` |

pub(crate) mod absorption;
mod every_schedule;
pub(in crate::engine) mod masked;
mod on_grid;

pub(crate) use every_schedule::EverySchedule;
pub(crate) use on_grid::{OnGrid, ROUNDINGS, absorbs_on_grid};

use crate::{Loss, Number};
use muffliato_fast::MaskedClass;
use muffliato_model::{Draw, Fraction, LossModel, Protocol};
use muffliato_reference::BigRational;

/// A proved upper bound on a loss, in units of L.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Proved(f64);

impl Proved {
    /// No bound.
    pub const NONE: Self = Self(f64::INFINITY);
    /// The bound of sources that no observer hears.
    pub const SILENT: Self = Self(0.0);

    /// Creates the bound of a fraction that the checker accepted.
    pub fn exact(bound: BigRational) -> Self {
        Self(Number::from(bound).upper())
    }

    /// Creates the upper end of a number that an engine computed.
    pub fn of(number: &Number) -> Self {
        Self(number.upper())
    }

    /// Creates the bound of all pairs at a distance.
    pub fn of_class(class: &MaskedClass) -> Self {
        Self(class.largest)
    }

    /// Returns the bound.
    pub fn upper(self) -> f64 {
        self.0
    }

    /// Returns the smaller of two bounds.
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }
}

/// Returns the loss of a set for any loss functions: the smallest of the local loss of the sources
/// that are heard and of other bounds.
pub(super) fn smallest(
    protocol: &Protocol,
    heard: &[usize],
    others: impl IntoIterator<Item = Proved>,
) -> Loss {
    let local = Proved(local_loss(protocol, heard));
    Loss::between(0.0, others.into_iter().fold(local, Proved::min), LossModel::SingleInput)
}

/// Returns an upper bound on the loss of local differential privacy: `1 / s_u^2` for each input of
/// the sources, which is their number for uniform noise; infinite if a source adds no noise.
pub(crate) fn local_loss(protocol: &Protocol, sources: &[usize]) -> f64 {
    let inputs = protocol.rounds_of_phase(0).count() as f64;
    let mut sum = 0.0_f64;
    for &node in sources {
        let variance = protocol.variance(Draw::Own { time: 0, node });
        sum = if variance == Fraction::ONE && sum.fract() == 0.0 {
            sum + inputs
        } else {
            let inverse = (variance.denominator() as f64).next_up()
                / (variance.numerator() as f64).next_down().max(0.0);
            (sum + (inverse.next_up() * inputs).next_up()).next_up()
        };
    }
    sum
}
