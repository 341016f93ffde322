//! Intervals with rational ends.

use crate::{checks::MAX_BITS, order};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, Mul, Neg, Sub},
};

/// A closed interval of reals with rational ends, `lower <= upper`. Sums and products enclose every
/// sum and product of numbers inside.
///
/// ```
/// use muffliato_reference::{BigRational, enclosure::Interval};
/// use std::cmp::Ordering;
///
/// let whole = |x: i64| BigRational::from_integer(x.into());
/// let x = Interval::new(whole(1), whole(2));
/// assert_eq!((&x - &x).to_string(), "[-1, 1]"); // two numbers inside need not be the same
/// assert_eq!(x.inverse().unwrap().to_string(), "[1/2, 1]");
/// assert_eq!(x.midpoint(), BigRational::new(3.into(), 2.into()));
/// assert_eq!(x.compare(&Interval::exact(whole(3))), Some(Ordering::Less));
/// assert_eq!(x.compare(&Interval::exact(whole(2))), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    lower: BigRational,
    upper: BigRational,
}

impl Interval {
    /// Creates the smallest interval that contains both ends, in either order.
    pub fn new(one_end: BigRational, other_end: BigRational) -> Self {
        if order(&one_end, &other_end).is_le() {
            Self { lower: one_end, upper: other_end }
        } else {
            Self { lower: other_end, upper: one_end }
        }
    }

    /// Creates an interval from a lower and an upper end.
    pub(super) fn ordered(lower: BigRational, upper: BigRational) -> Self {
        debug_assert!(order(&lower, &upper).is_le(), "an enclosure came out empty");
        Self::new(lower, upper)
    }

    /// Creates an interval of one number.
    pub fn exact(value: BigRational) -> Self {
        Self { lower: value.clone(), upper: value }
    }

    /// Returns the lower end.
    pub fn lower(&self) -> &BigRational {
        &self.lower
    }

    /// Returns the upper end.
    pub fn upper(&self) -> &BigRational {
        &self.upper
    }

    /// Returns `upper - lower`.
    pub fn width(&self) -> BigRational {
        &self.upper - &self.lower
    }

    /// Returns the number halfway between the ends.
    pub fn midpoint(&self) -> BigRational {
        (&self.lower + &self.upper) / BigRational::from_integer(2.into())
    }

    /// Returns `true` if `value` lies inside.
    pub fn contains(&self, value: &BigRational) -> bool {
        order(&self.lower, value).is_le() && order(value, &self.upper).is_le()
    }

    /// Compares the enclosed numbers, if the intervals decide it.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if order(&self.upper, &other.lower).is_lt() {
            Some(Ordering::Less)
        } else if order(&self.lower, &other.upper).is_gt() {
            Some(Ordering::Greater)
        } else if self.lower == self.upper && self == other {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// Encloses `1 / x` for every x inside, or returns `None` if 0 is inside.
    pub fn inverse(&self) -> Option<Self> {
        let contains_zero = !self.lower.is_positive() && !self.upper.is_negative();
        (!contains_zero).then(|| Self::new(self.upper.recip(), self.lower.recip()))
    }

    /// Encloses the larger of two enclosed numbers.
    pub fn max(&self, other: &Self) -> Self {
        Self {
            lower: larger(&self.lower, &other.lower).clone(),
            upper: larger(&self.upper, &other.upper).clone(),
        }
    }

    /// Returns an interval around this one whose ends have about `bits` significant bits, which
    /// keeps long computations fast.
    ///
    /// ```
    /// use muffliato_reference::{BigRational, enclosure::Interval};
    ///
    /// let small = BigRational::new(1.into(), 1000.into());
    /// let rounded = Interval::exact(small.clone()).rounded(4);
    /// // Multiples of 2^-13 on either side: 1/1000 lies between 8/8192 and 9/8192.
    /// assert_eq!(rounded.to_string(), "[1/1024, 9/8192]");
    /// assert!(rounded.contains(&small));
    /// ```
    pub fn rounded(&self, bits: u32) -> Self {
        let bits = bits.min(2 * MAX_BITS);
        Self { lower: round_down(&self.lower, bits), upper: -round_down(&-&self.upper, bits) }
    }
}

fn larger<'a>(a: &'a BigRational, b: &'a BigRational) -> &'a BigRational {
    if order(a, b).is_lt() { b } else { a }
}

/// Returns the largest number with about `bits` significant bits that is at most `value`.
pub(super) fn round_down(value: &BigRational, bits: u32) -> BigRational {
    let short = value.numer().bits() <= bits.into() && value.denom().bits() <= bits.into();
    if value.is_zero() || short {
        return value.clone();
    }
    let magnitude = value.numer().bits() as i64 - value.denom().bits() as i64;
    let shift = i64::from(bits) - magnitude;
    let scale = power_of_two(shift.unsigned_abs());
    if shift >= 0 {
        let floor = (value.numer() * &scale).div_floor(value.denom());
        BigRational::new(floor, scale)
    } else {
        let floor = value.numer().div_floor(&(value.denom() * &scale));
        BigRational::from_integer(floor * scale)
    }
}

pub(super) fn power_of_two(exponent: u64) -> BigInt {
    BigInt::one() << exponent
}

impl Add for &Interval {
    type Output = Interval;

    fn add(self, other: Self) -> Interval {
        Interval { lower: &self.lower + &other.lower, upper: &self.upper + &other.upper }
    }
}

impl Neg for &Interval {
    type Output = Interval;

    fn neg(self) -> Interval {
        Interval { lower: -&self.upper, upper: -&self.lower }
    }
}

impl Sub for &Interval {
    type Output = Interval;

    fn sub(self, other: Self) -> Interval {
        self + &-other
    }
}

impl Mul for &Interval {
    type Output = Interval;

    fn mul(self, other: Self) -> Interval {
        let products = [
            &self.lower * &other.lower,
            &self.lower * &other.upper,
            &self.upper * &other.lower,
            &self.upper * &other.upper,
        ];
        let [first, rest @ ..] = products;
        let (mut lower, mut upper) = (first.clone(), first);
        for product in rest {
            if order(&product, &lower).is_lt() {
                lower = product;
            } else if order(&product, &upper).is_gt() {
                upper = product;
            }
        }
        Interval { lower, upper }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(above: i64, below: i64) -> BigRational {
        BigRational::new(above.into(), below.into())
    }

    #[test]
    fn products_of_all_signs() {
        let a = Interval::new(ratio(-1, 1), ratio(2, 1));
        let b = Interval::new(ratio(-3, 1), ratio(1, 2));
        assert_eq!(&a * &b, Interval::new(ratio(-6, 1), ratio(3, 1)));
        assert_eq!(&a - &b, Interval::new(ratio(-3, 2), ratio(5, 1)));
        assert_eq!(a.inverse(), None);
        let c = Interval::new(ratio(-4, 1), ratio(-2, 1));
        assert_eq!(c.inverse(), Some(Interval::new(ratio(-1, 2), ratio(-1, 4))));
        assert_eq!(c.compare(&a), Some(Ordering::Less));
        assert_eq!(a.compare(&b), None);
    }

    #[test]
    fn comparisons_that_are_decided_and_those_that_are_not() {
        let third = Interval::exact(ratio(1, 3));
        let around = Interval::new(ratio(1, 4), ratio(1, 2));
        let above = Interval::new(ratio(1, 2), ratio(1, 1));
        assert_eq!(third.compare(&third), Some(Ordering::Equal));
        assert_eq!(third.compare(&above), Some(Ordering::Less));
        assert_eq!(above.compare(&third), Some(Ordering::Greater));
        // Overlapping, the same but wide, touching.
        assert_eq!(third.compare(&around), None);
        assert_eq!(around.compare(&around), None);
        assert_eq!(around.compare(&above), None);
        assert!(around.contains(&ratio(1, 4)) && around.contains(&ratio(1, 2)));
        assert!(!around.contains(&ratio(1, 5)) && !around.contains(&ratio(3, 5)));
        assert_eq!(around.max(&third), Interval::new(ratio(1, 3), ratio(1, 2)));
        assert_eq!((around.midpoint(), around.width()), (ratio(3, 8), ratio(1, 4)));
        assert_eq!(Interval::new(ratio(0, 1), ratio(1, 2)).inverse(), None);
        assert_eq!(Interval::new(ratio(-1, 2), ratio(0, 1)).inverse(), None);
        assert_eq!(around.to_string(), "[1/4, 1/2]");
    }

    #[test]
    fn numbers_of_up_to_twice_the_largest_precision_are_kept() {
        let long = BigRational::new(BigInt::one(), power_of_two(u64::from(MAX_BITS) + 100));
        let long = Interval::exact(BigRational::one() + long);
        assert_eq!(long.rounded(2 * MAX_BITS), long);
        assert!(long.rounded(MAX_BITS).width().is_positive());
    }

    #[test]
    fn rounding_goes_outward_and_stays_close() {
        assert_eq!(Interval::exact(ratio(1, 3)).rounded(20), Interval::exact(ratio(1, 3)));
        for value in
            [ratio(4_000_000, 12_000_003), ratio(-1_000_000_007, 3), ratio(-1, 1_000_000_007)]
        {
            let rounded = Interval::exact(value.clone()).rounded(20);
            assert!(rounded.contains(&value));
            assert!(rounded.width() <= value.abs() * ratio(1, 1 << 17));
            assert!(rounded.lower() < rounded.upper());
        }
    }
}
