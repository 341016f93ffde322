//! Intervals of floats that provably contain an exact number.
//!
//! The engine computes sums, products and quotients of non-negative numbers in plain floating point
//! and counts roundings. A rounding to nearest that does not underflow multiplies the exact result by a
//! factor between `1 / (1 + u)` and `1 + u`, `u = 2^-53` (the relative error to nearest is at most
//! `u / (1 + u)`). Such factors are closed under products and inverses, and sums of non-negative numbers
//! take the worst of their terms, so a result with k roundings along its longest path satisfies
//!
//! ```text
//! exact (1 + u)^-k  <=  computed  <=  exact (1 + u)^k .
//! ```
//!
//! A product or quotient that underflows is off by at most `2^-1075` more; sums never underflow.

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
    /// roundings along any path, `operations` of which may have underflowed; what each of these lost may
    /// have been multiplied since by at most 2.
    pub fn around(value: f64, roundings: u64, operations: u64) -> Self {
        Self::around_with_loss(value, roundings, operations as f64 * SMALLEST)
    }

    /// Encloses every number x >= 0 with
    /// `x (1 + u)^-k - lost <= value <= (x + lost) (1 + u)^k`, k = `roundings`, u = `2^-53`.
    ///
    /// A `value` or `lost` that is negative or NaN gives the whole line; one that overflowed, or
    /// roundings beyond `2^52`, give all non-negative numbers. Zero that lost nothing is exact.
    pub fn around_with_loss(value: f64, roundings: u64, lost: f64) -> Self {
        if !(value >= 0.0 && lost >= 0.0) {
            return Self::exact(f64::NAN);
        }
        if lost == 0.0 && (value == 0.0 || roundings == 0) && value.is_finite() {
            return Self::exact(value);
        }
        // (1 + u)^k <= 1 / (1 - k u) and (1 + u)^-k >= 1 - k u. Two more units cover the rounding of
        // 1 +- spread, the last factor those of spread itself.
        let spread = (roundings as f64 + 2.0) * UNIT_ROUNDOFF;
        if spread >= 0.5 || !value.is_finite() {
            return Self {
                lower: 0.0,
                upper: f64::INFINITY,
            };
        }
        let spread = spread / (1.0 - spread) * (1.0 + 8.0 * UNIT_ROUNDOFF);
        let below = (value * (1.0 - spread)).next_down();
        let (below, above) = if lost == 0.0 {
            (below, value)
        } else {
            ((below - lost).next_down(), (value + lost).next_up())
        };
        Self {
            lower: below.max(0.0),
            upper: (above * (1.0 + spread)).next_up(),
        }
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

    /// `(upper - lower) / |upper|`, 0 for an exact number; infinite or NaN where an end is infinite.
    pub fn relative_width(&self) -> f64 {
        if self.lower == self.upper {
            0.0
        } else {
            (self.upper - self.lower) / self.upper.abs()
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
