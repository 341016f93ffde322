//! Exact parameters.

mod text;

pub use text::FractionError;

/// An exact rational parameter (`tau`, `g`, a custom weight) in lowest terms.
///
/// It carries a number from the user to an engine; each engine has its own arithmetic. It is parsed from `3/4`,
/// `0.75`, `7.5e-1` or `2`, always exactly: `0.1` is one tenth, not the nearest binary float.
///
/// ```
/// use muffliato_model::Fraction;
///
/// let tau: Fraction = "0.05".parse()?;
/// assert_eq!(tau, Fraction::try_new(1, 20)?);
/// assert_eq!(tau.to_string(), "1/20");
/// # Ok::<(), muffliato_model::FractionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// The number 0.
    pub const ZERO: Self = Self::integer(0);
    /// The number 1.
    pub const ONE: Self = Self::integer(1);

    /// Creates a whole number.
    pub const fn integer(value: i64) -> Self {
        Self { numerator: value as i128, denominator: 1 }
    }

    /// Creates `numerator / denominator` in lowest terms.
    ///
    /// # Errors
    ///
    /// Returns an error if the denominator is zero or the reduced fraction does not fit into 127
    /// bits.
    ///
    /// ```
    /// use muffliato_model::Fraction;
    ///
    /// let half = Fraction::try_new(-3, -6)?;
    /// assert_eq!((half.numerator(), half.denominator()), (1, 2));
    /// # Ok::<(), muffliato_model::FractionError>(())
    /// ```
    pub fn try_new(numerator: i128, denominator: i128) -> Result<Self, FractionError> {
        if denominator == 0 {
            return Err(FractionError::ZeroDenominator { numerator });
        }
        let too_long = || FractionError::TooLong { text: format!("{numerator}/{denominator}") };
        // `i128::MIN` has no positive counterpart.
        let negative = (numerator < 0) != (denominator < 0);
        let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = greatest_common_divisor(above, below);
        let above = i128::try_from(above / divisor).map_err(|_| too_long())?;
        let below = i128::try_from(below / divisor).map_err(|_| too_long())?;
        Ok(Self { numerator: if negative { -above } else { above }, denominator: below })
    }

    /// Returns the numerator in lowest terms, which carries the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator in lowest terms, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Returns `true` if the number is below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// Returns `true` if the number is above 0.
    pub fn is_positive(self) -> bool {
        self.numerator > 0
    }

    /// Returns the absolute value.
    pub fn abs(self) -> Self {
        // The numerator is never `i128::MIN`.
        Self { numerator: self.numerator.abs(), ..self }
    }

    /// Returns the square.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not fit into 127 bits.
    ///
    /// ```
    /// use muffliato_model::Fraction;
    ///
    /// let tau: Fraction = "0.05".parse()?;
    /// assert_eq!(tau.square()?, Fraction::try_new(1, 400)?);
    /// assert_eq!(tau.square()?.square_root(), Some(tau));
    /// assert_eq!(Fraction::integer(2).square_root(), None);
    /// # Ok::<(), muffliato_model::FractionError>(())
    /// ```
    pub fn square(self) -> Result<Self, FractionError> {
        let square = |part: i128| {
            part.checked_mul(part)
                .ok_or_else(|| FractionError::TooLong { text: format!("({self})^2") })
        };
        Ok(Self { numerator: square(self.numerator)?, denominator: square(self.denominator)? })
    }

    /// Returns the square root, if it is rational.
    pub fn square_root(self) -> Option<Self> {
        let root = |part: i128| {
            let root = u128::try_from(part).ok()?.isqrt();
            (root * root == part.unsigned_abs()).then_some(root as i128)
        };
        Some(Self { numerator: root(self.numerator)?, denominator: root(self.denominator)? })
    }

    /// Returns `true` if the number is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Returns a float near the number: both parts and their quotient are rounded to the nearest.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
