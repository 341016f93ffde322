//! The grid of inputs and discrete noise.

use crate::{FastError, arithmetic::add_up, checks};

/// The multiples of a power of two, the step.
///
/// With a power of two, multiples and their sums are exact floats: for integers a and b up to
/// [`Grid::REACH`], `a step + b step` in floating point is `(a + b) step`, and depends on the sum
/// of the two alone. With any other step, such as 0.1, the low bits of the sum would reveal its
/// terms.
///
/// ```
/// use muffliato_fast::noise::Grid;
///
/// let grid = Grid::try_new(0.25)?;
/// let mut values = [0.3, -0.375, 7.0];
/// grid.round(&mut values)?;
/// assert_eq!(values, [0.25, -0.25, 7.0]); // halves go up
/// assert_eq!(grid.sensitivity(1.1, 1)?, 1.25);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    step: f64,
}

impl Grid {
    /// Largest distance of a value from 0 in steps: `2^52`.
    pub const REACH: u64 = 1 << 52;

    /// Creates the grid of this step. Errors unless it is a power of two from `2^-900` to `2^900`.
    pub fn try_new(step: f64) -> Result<Self, FastError> {
        let mantissa = step.to_bits() & ((1 << 52) - 1);
        let in_range = step >= 2_f64.powi(-900) && step <= 2_f64.powi(900);
        if !in_range || mantissa != 0 {
            let expected =
                "it must be a power of two from 2^-900 to 2^900, such as 0.0009765625 (2^-10)";
            return Err(checks::bad("the step of the grid", step, expected));
        }
        Ok(Self { step })
    }

    /// Returns the grid of the largest step with `deviation >= 2^20 step`, fine enough not to
    /// affect accuracy. Pass the smallest deviation needed, such as `tau sigma`; up to 500 times as
    /// much is in range.
    pub fn for_deviation(deviation: f64) -> Result<Self, FastError> {
        checks::positive("the deviation", deviation)?;
        let bits = deviation.to_bits() & !((1 << 52) - 1);
        Self::try_new(f64::from_bits(bits) / (1 << 20) as f64)
    }

    /// Returns the step.
    pub fn step(self) -> f64 {
        self.step
    }

    /// Rounds each value to the nearest multiple of the step, halves upwards.
    ///
    /// As halves all go the same way, two values that differ by at most D afterwards differ by at
    /// most D rounded up to a multiple of the step.
    ///
    /// # Errors
    /// [`FastError::OffGrid`] for a value that is not finite or more than [`Grid::REACH`] steps
    /// from 0; nothing changes.
    pub fn round(self, values: &mut [f64]) -> Result<(), FastError> {
        let reach = Self::REACH as f64;
        let is_near = |value: f64| (value / self.step).abs() <= reach;
        if let Some(coordinate) = values.iter().position(|&value| !is_near(value)) {
            return Err(FastError::OffGrid { coordinate, step: self.step });
        }
        for value in values {
            // Division by a power of two is exact.
            *value = nearest(*value / self.step) * self.step;
        }
        Ok(())
    }

    /// Returns the sensitivity of rounded inputs: an upper bound on the Euclidean distance of
    /// inputs with this many coordinates after rounding, if it was at most `sensitivity`.
    ///
    /// For one coordinate it is the sensitivity rounded up to a multiple of the step; for d
    /// coordinates, `sensitivity + sqrt(d) step`.
    pub fn sensitivity(self, sensitivity: f64, coordinates: usize) -> Result<f64, FastError> {
        checks::not_negative("the sensitivity", sensitivity)?;
        let rounded = if coordinates == 1 {
            // A quotient that underflows is still a step.
            let least = if sensitivity > 0.0 { 1.0 } else { 0.0 };
            let steps = (sensitivity / self.step).ceil().max(least);
            steps * self.step
        } else {
            // A product with a power of two is exact.
            let corner = (coordinates as f64).next_up().sqrt().next_up() * self.step;
            add_up(sensitivity, corner)
        };
        if rounded.is_finite() {
            return Ok(rounded);
        }
        let expected = "it must be a float when it is rounded up to the grid";
        Err(checks::bad("the sensitivity", sensitivity, expected))
    }
}

/// Returns the nearest integer, halves upwards, for numbers up to `2^52`.
///
/// The comparison is exact: such a float is an integer and a fraction, and where their difference
/// rounds, it does not cross one half.
pub fn nearest(steps: f64) -> f64 {
    let whole = steps.floor();
    let up = steps - whole >= 0.5;
    whole + f64::from(u8::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_two_are_steps() {
        for step in [1.0, 0.5, 1024.0, 2_f64.powi(-900), 2_f64.powi(900)] {
            assert_eq!(Grid::try_new(step).unwrap().step(), step);
        }
        for step in [0.1, 0.0, -1.0, 3.0, f64::NAN, f64::INFINITY, 2_f64.powi(-901)] {
            assert!(Grid::try_new(step).is_err(), "{step}");
        }
        assert_eq!(Grid::for_deviation(3.0).unwrap().step(), 2_f64.powi(-19));
        assert!(Grid::for_deviation(0.0).is_err() && Grid::for_deviation(5e-324).is_err());
    }

    #[test]
    fn rounding_does_not_spread_neighbours() {
        let grid = Grid::try_new(1.0).unwrap();
        // Eighths from -4 to 4: values at a distance of at most D end at most ceil(D) apart.
        let eighths: Vec<f64> = (-32..=32).map(|k| f64::from(k) / 8.0).collect();
        let mut rounded = eighths.clone();
        grid.round(&mut rounded).unwrap();
        for (x, to_x) in eighths.iter().zip(&rounded) {
            assert!((x - to_x).abs() <= 0.5);
            for (y, to_y) in eighths.iter().zip(&rounded) {
                let most = grid.sensitivity((x - y).abs(), 1).unwrap();
                assert!((to_x - to_y).abs() <= most, "{x} {y}");
            }
        }
    }

    #[test]
    fn halves_are_decided_exactly() {
        let grid = Grid::try_new(1.0).unwrap();
        let half = 0.5_f64;
        let large = (1_u64 << 51) as f64;
        for (value, expected) in [
            (half, 1.0),
            (half.next_down(), 0.0),
            (-half, 0.0),
            (-half.next_down(), 0.0),
            (-half.next_up(), -1.0),
            (-1e-300, 0.0),
            (large + 0.5, large + 1.0),
            (-large - 0.5, -large),
            (2.0 * large, 2.0 * large),
        ] {
            let mut values = [value];
            grid.round(&mut values).unwrap();
            assert_eq!(values, [expected], "{value:e}");
        }
    }

    #[test]
    fn values_off_the_grid_are_refused_without_change() {
        let grid = Grid::try_new(0.5).unwrap();
        for bad in [f64::NAN, f64::INFINITY, f64::MAX, -(2_f64.powi(52))] {
            let mut values = [0.3, bad];
            let refused = grid.round(&mut values);
            assert!(matches!(refused, Err(FastError::OffGrid { coordinate: 1, .. })), "{bad}");
            assert_eq!(values[0], 0.3);
        }
        assert!(grid.sensitivity(-1.0, 1).is_err() && grid.sensitivity(f64::MAX, 2).is_err());
        assert!(grid.sensitivity(1.0, 4).unwrap() >= 2.0);
    }

    #[test]
    fn a_tiny_sensitivity_is_a_whole_step() {
        let grid = Grid::try_new(2_f64.powi(100)).unwrap();
        assert_eq!(grid.sensitivity(1e-300, 1).unwrap(), 2_f64.powi(100));
        assert_eq!(grid.sensitivity(0.0, 1).unwrap(), 0.0);
    }
}
