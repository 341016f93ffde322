//! Intervals of floats that provably contain an exact number.
//!
//! The engine computes sums and products of non-negative numbers in plain floating point and counts
//! roundings: a result with k roundings along its longest path, none of which underflowed, lies within
//! the factors `(1 + u)^-k` and `(1 + u)^k` of the exact value, `u = 2^-53`. What underflows is off by at most
//! `2^-1074` an operation, which is added.

/// A closed interval of floats that contains an exact number; `0 <= lower <= upper` or both of any sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    lower: f64,
    upper: f64,
}

/// The unit roundoff of f64, `2^-53`.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// The smallest positive float, `2^-1074`: the most that one operation loses to underflow.
pub const SMALLEST: f64 = f64::from_bits(1);

impl Enclosure {
    /// The interval of two floats; `None` unless `lower <= upper`, both numbers.
    pub fn try_new(lower: f64, upper: f64) -> Option<Self> {
        (lower <= upper).then_some(Self { lower, upper })
    }

    /// A number that is known exactly. NaN becomes the whole line.
    pub fn exact(value: f64) -> Self {
        if value.is_nan() {
            return Self {
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
            };
        }
        Self {
            lower: value,
            upper: value,
        }
    }

    /// Encloses a non-negative number that was computed as `value` with at most `roundings`
    /// roundings along any path, and at most `operations` operations that may have underflowed.
    pub fn around(value: f64, roundings: u64, operations: u64) -> Self {
        if value.is_nan() || value < 0.0 {
            return Self::exact(f64::NAN);
        }
        // (1+u)^k - 1 <= k u / (1 - k u) for k u < 1; two more units cover the roundings made here.
        let spread = (roundings as f64 + 2.0) * UNIT_ROUNDOFF;
        if spread >= 0.5 {
            return Self {
                lower: 0.0,
                upper: f64::INFINITY,
            };
        }
        let spread = spread / (1.0 - spread) * (1.0 + 4.0 * UNIT_ROUNDOFF);
        let lost = if operations == 0 {
            0.0
        } else {
            // Results below are scaled by factors of at most 2^60 afterwards.
            (operations as f64).max(1.0) * 2.0 * SMALLEST
        };
        Self {
            lower: (value * (1.0 - spread)).next_down().max(0.0) - lost,
            upper: (value * (1.0 + spread)).next_up() + lost,
        }
        .clamped_below(0.0)
    }

    /// The lower end.
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// The upper end: what is promised where the number is a loss.
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// The middle of the interval: an estimate.
    pub fn value(&self) -> f64 {
        if self.lower == self.upper {
            self.lower
        } else {
            self.lower + (self.upper - self.lower) / 2.0
        }
    }

    /// Whether `number` lies inside.
    pub fn contains(&self, number: f64) -> bool {
        self.lower <= number && number <= self.upper
    }

    /// `(upper - lower) / upper`, 0 for an exact number.
    pub fn relative_width(&self) -> f64 {
        if self.lower == self.upper {
            0.0
        } else {
            (self.upper - self.lower) / self.upper
        }
    }

    /// The same number, known to be at least `bound`.
    pub fn clamped_below(self, bound: f64) -> Self {
        Self {
            lower: self.lower.max(bound),
            upper: self.upper.max(bound),
        }
    }

    /// The same number, known to be at most `bound`.
    pub fn clamped_above(self, bound: f64) -> Self {
        Self {
            lower: self.lower.min(bound),
            upper: self.upper.min(bound),
        }
    }
}
