//! Intervals of floats that provably contain an exact number.
//!
//! The engine computes sums, products and quotients of non-negative numbers in floating point and
//! counts roundings. A rounding to nearest without underflow multiplies the exact result by a
//! factor between `1 / (1 + u)` and `1 + u`, `u = 2^-53`. Such factors are closed under products
//! and inverses, and a sum of non-negative numbers takes the worst factor of its terms. A result
//! with k roundings along its longest path therefore satisfies
//!
//! ```text
//! exact (1 + u)^-k  <=  computed  <=  exact (1 + u)^k .
//! ```
//!
//! A product or quotient that underflows loses at most `2^-1075` more; sums never underflow.

/// A closed interval of floats that provably contains an exact number.
///
/// ```
/// use muffliato_fast::Enclosure;
///
/// let loss = Enclosure::try_new(0.25, 0.5).unwrap();
/// assert!(loss.contains(0.3) && !loss.contains(0.6));
/// assert_eq!(loss.upper(), 0.5); // the number to guarantee
/// assert!(Enclosure::try_new(0.5, 0.25).is_none());
/// assert_eq!((loss.value(), loss.clamped_below(0.3).lower()), (0.375, 0.3));
///
/// let third = Enclosure::around(1.0 / 3.0, 1, 0); // after one rounding
/// assert!(third.lower() < 1.0 / 3.0 && 1.0 / 3.0 < third.upper() && third.relative_width() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    lower: f64,
    upper: f64,
}

/// The unit roundoff of f64, `2^-53`.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// The smallest positive float, `2^-1074`: an upper bound on the loss of one operation to
/// underflow.
pub(crate) const SMALLEST: f64 = f64::from_bits(1);

impl Enclosure {
    /// The whole line: nothing is known.
    pub const UNKNOWN: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Returns the interval between two floats, or `None` unless `lower <= upper`.
    pub fn try_new(lower: f64, upper: f64) -> Option<Self> {
        (lower <= upper).then_some(Self { lower, upper })
    }

    /// Returns the interval of one exactly known number, or the whole line for NaN.
    pub fn exact(value: f64) -> Self {
        if value.is_nan() {
            return Self::UNKNOWN;
        }
        Self { lower: value, upper: value }
    }

    /// Encloses a non-negative number computed as `value` with at most `roundings` roundings along
    /// any path. At most `operations` of them underflowed, and each such loss was later multiplied
    /// by at most 2.
    pub fn around(value: f64, roundings: u64, operations: u64) -> Self {
        Self::around_with_loss(value, roundings, operations as f64 * SMALLEST)
    }

    /// Encloses every number x >= 0 with
    /// `x (1 + u)^-k - lost <= value <= (x + lost) (1 + u)^k`, k = `roundings`, u = `2^-53`.
    ///
    /// A negative or NaN `value` or `lost` gives the whole line. Overflow, or more than `2^52`
    /// roundings, gives all non-negative numbers. Zero that lost nothing is exact.
    pub(crate) fn around_with_loss(value: f64, roundings: u64, lost: f64) -> Self {
        if !(value >= 0.0 && lost >= 0.0) {
            return Self::UNKNOWN;
        }
        if lost == 0.0 && (value == 0.0 || roundings == 0) && value.is_finite() {
            return Self::exact(value);
        }
        // (1 + u)^k <= 1 / (1 - k u) and (1 + u)^-k >= 1 - k u. Two more units cover the rounding
        // of 1 +- spread, the last factor the rounding of spread itself.
        let spread = (roundings as f64 + 2.0) * UNIT_ROUNDOFF;
        if spread >= 0.5 || !value.is_finite() {
            return Self { lower: 0.0, upper: f64::INFINITY };
        }
        let spread = spread / (1.0 - spread) * (1.0 + 8.0 * UNIT_ROUNDOFF);
        let below = (value * (1.0 - spread)).next_down();
        let (below, above) = if lost == 0.0 {
            (below, value)
        } else {
            ((below - lost).next_down(), (value + lost).next_up())
        };
        Self { lower: below.max(0.0), upper: (above * (1.0 + spread)).next_up() }
    }

    /// Returns the lower end.
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// Returns the upper end: the number to guarantee if it is a loss.
    pub fn upper(&self) -> f64 {
        self.upper
    }

    /// Returns the midpoint, an estimate.
    pub fn value(&self) -> f64 {
        if self.lower == self.upper {
            self.lower
        } else {
            self.lower + (self.upper - self.lower) / 2.0
        }
    }

    /// Returns `true` if `number` lies in the interval.
    pub fn contains(&self, number: f64) -> bool {
        self.lower <= number && number <= self.upper
    }

    /// Returns `(upper - lower) / |upper|`, 0 for an exact number; infinite or NaN if an end is
    /// infinite.
    pub fn relative_width(&self) -> f64 {
        if self.lower == self.upper { 0.0 } else { (self.upper - self.lower) / self.upper.abs() }
    }

    /// Returns the interval, given that the number is at least `bound`.
    pub fn clamped_below(self, bound: f64) -> Self {
        Self { lower: self.lower.max(bound), upper: self.upper.max(bound) }
    }

    /// Returns the interval, given that the number is at most `bound`.
    pub fn clamped_above(self, bound: f64) -> Self {
        Self { lower: self.lower.min(bound), upper: self.upper.min(bound) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_rational::BigRational;
    use num_traits::{One, Zero};
    use proptest::prelude::*;

    fn exactly(number: f64) -> BigRational {
        BigRational::from_float(number).expect("finite")
    }

    /// Checks that the interval covers `value (1+u)^-k - lost .. (value + lost) (1+u)^k`, cut at 0.
    fn reaches(enclosure: Enclosure, value: f64, roundings: u64, lost: f64) -> bool {
        let growth = (BigRational::one() + exactly(UNIT_ROUNDOFF)).pow(roundings as i32);
        let lower = exactly(value) / &growth - exactly(lost);
        let upper = (exactly(value) + exactly(lost)) * growth;
        exactly(enclosure.lower()) <= lower.max(BigRational::zero())
            && upper <= exactly(enclosure.upper())
    }

    /// Generates positive floats of all sizes, including subnormal ones.
    fn floats() -> impl Strategy<Value = f64> {
        prop_oneof![
            (1..0x7fdf_ffff_ffff_ffff_u64).prop_map(f64::from_bits),
            (1..1_u64 << 53).prop_map(f64::from_bits),
            Just(0.0),
            Just(1.0),
            Just(f64::MIN_POSITIVE),
            Just(1.0 - UNIT_ROUNDOFF),
        ]
    }

    proptest! {
        #[test]
        fn the_interval_reaches_as_far_as_counted(
            value in floats(),
            roundings in 0..60_u64,
            lost in prop_oneof![Just(0.0), floats().prop_map(|lost| lost.min(1e300))],
        ) {
            let value = value.min(1e300);
            let around = Enclosure::around_with_loss(value, roundings, lost);
            prop_assert!(reaches(around, value, roundings, lost), "{around:?}");
            let counted = Enclosure::around(value, roundings, 3);
            prop_assert!(reaches(counted, value, roundings, 3.0 * SMALLEST), "{counted:?}");
        }

        #[test]
        fn one_rounding_of_each_operation_is_one_rounding(a in floats(), b in floats()) {
            let (x, y) = (exactly(a), exactly(b));
            let results = [
                (a + b, x.clone() + y.clone(), 0),
                (a * b, x.clone() * y.clone(), 1),
                (a / b, if b == 0.0 { BigRational::zero() } else { x / y }, 1),
            ];
            for (computed, exact, underflows) in results {
                if computed.is_finite() {
                    let around = Enclosure::around(computed, 1, underflows);
                    prop_assert!(exactly(around.lower()) <= exact && exact <= exactly(around.upper()));
                }
            }
        }

        #[test]
        fn a_sum_of_products_is_enclosed(
            terms in prop::collection::vec((0..1_u64 << 40, 1..1_u64 << 40, 0..700_i32), 1..20)
        ) {
            let (mut sum, mut exact) = (0.0, BigRational::zero());
            for &(above, below, shift) in &terms {
                let scale = 2_f64.powi(-shift);
                sum += above as f64 / below as f64 * scale * scale;
                let ratio = exactly(above as f64) / exactly(below as f64);
                exact += ratio * exactly(scale) * exactly(scale);
            }
            // A quotient, two products and the additions; each product can underflow.
            let around = Enclosure::around(sum, 3 + terms.len() as u64, 3 * terms.len() as u64);
            prop_assert!(exactly(around.lower()) <= exact && exact <= exactly(around.upper()));
        }

        #[test]
        fn any_bits_give_an_interval(
            value in any::<u64>(),
            lost in any::<u64>(),
            roundings in any::<u64>(),
        ) {
            let (value, lost) = (f64::from_bits(value), f64::from_bits(lost));
            let around = Enclosure::around_with_loss(value, roundings, lost);
            prop_assert!(around.lower() <= around.upper());
            if value >= 0.0 && lost >= 0.0 {
                prop_assert!(around.lower() >= 0.0 && around.lower() <= value);
                prop_assert!(around.upper() >= value);
            }
        }
    }

    #[test]
    fn intervals_are_tight_and_zero_is_exact() {
        assert_eq!(Enclosure::around(0.0, 50, 0), Enclosure::exact(0.0));
        assert_eq!(Enclosure::around(0.3, 0, 0), Enclosure::exact(0.3));
        let width = Enclosure::around(1.0, 1000, 0).relative_width();
        assert!(width < 2010.0 * UNIT_ROUNDOFF, "{width}");
        let unknown = Enclosure::around(f64::INFINITY, 0, 0);
        assert_eq!((unknown.lower(), unknown.upper()), (0.0, f64::INFINITY));
        assert_eq!(Enclosure::try_new(1.0, 0.0), None);
        assert_eq!(Enclosure::try_new(f64::NAN, 0.0), None);
        assert!(Enclosure::UNKNOWN.contains(-3.0));
        assert_eq!(Enclosure::around(-1.0, 0, 0).lower(), f64::NEG_INFINITY);
    }
}
