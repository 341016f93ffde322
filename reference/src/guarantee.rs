//! Conversion of leakage to a guarantee, and the two baselines.
//!
//! A view of leakage rho distinguishes two inputs exactly as well as a Gaussian shift
//! `mu = Delta sqrt(rho) / sigma`. All results are exact or enclosures.

mod curve;

pub use curve::gaussian_delta;

use crate::{
    ReferenceError,
    checks::{bad, require},
    enclosure::{Interval, ln, sqrt},
};
use num_rational::BigRational;
use num_traits::{One, Signed};

/// The sensitivity Delta of an input and the standard deviation sigma of the noise; both positive.
///
/// ```
/// use muffliato_reference::guarantee::NoiseScale;
/// use num_rational::BigRational;
///
/// let ratio = |above: i64, below: i64| BigRational::new(above.into(), below.into());
/// let scale = NoiseScale::try_new(ratio(1, 1), ratio(2, 1))?;
/// // A leakage of 1/2 at order 3: 3 * 1/2 * (1/2)^2 / 2
/// assert_eq!(scale.rdp(&ratio(1, 2), &ratio(3, 1))?, ratio(3, 16));
/// # Ok::<(), muffliato_reference::ReferenceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseScale {
    sensitivity: BigRational,
    sigma: BigRational,
}

impl NoiseScale {
    /// Creates a noise scale.
    ///
    /// # Errors
    ///
    /// Returns an error unless both are positive.
    pub fn try_new(sensitivity: BigRational, sigma: BigRational) -> Result<Self, ReferenceError> {
        require_positive("the sensitivity", &sensitivity)?;
        require_positive("sigma", &sigma)?;
        Ok(Self { sensitivity, sigma })
    }

    /// Returns the unit of every loss at order alpha, the LDP loss
    /// `L = alpha Delta^2 / (2 sigma^2)`.
    ///
    /// # Errors
    ///
    /// Returns an error unless alpha is above 1.
    pub fn unit(&self, alpha: &BigRational) -> Result<BigRational, ReferenceError> {
        check_order(alpha)?;
        Ok(alpha * self.zcdp(&BigRational::one())?)
    }

    /// Returns the Renyi loss of order alpha, `alpha mu^2 / 2 = L rho`.
    ///
    /// # Errors
    ///
    /// Returns an error unless alpha is above 1 and the leakage is not negative.
    pub fn rdp(
        &self,
        leakage: &BigRational,
        alpha: &BigRational,
    ) -> Result<BigRational, ReferenceError> {
        check_leakage(leakage)?;
        Ok(self.unit(alpha)? * leakage)
    }

    /// Returns the zero-concentrated loss `mu^2 / 2`.
    ///
    /// # Errors
    ///
    /// Returns an error if the leakage is negative.
    pub fn zcdp(&self, leakage: &BigRational) -> Result<BigRational, ReferenceError> {
        check_leakage(leakage)?;
        let ratio = &self.sensitivity / &self.sigma;
        Ok(&ratio * &ratio * leakage / BigRational::from_integer(2.into()))
    }

    /// Encloses the parameter `mu = Delta sqrt(rho) / sigma` of Gaussian differential privacy.
    ///
    /// # Errors
    ///
    /// Returns an error if the leakage is negative.
    pub fn gdp(&self, leakage: &BigRational, bits: u32) -> Result<Interval, ReferenceError> {
        let root = sqrt(&Interval::exact(leakage.clone()), bits);
        let root = root.ok_or_else(|| bad("the leakage", leakage, NOT_NEGATIVE))?;
        Ok(&root * &Interval::exact(&self.sensitivity / &self.sigma))
    }
}

/// Encloses Mironov's conversion of (alpha, eps)-RDP to (epsilon, delta)-DP,
/// `epsilon = eps + ln(1/delta) / (alpha - 1)`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn mironov_epsilon(
    rdp: &BigRational,
    alpha: &BigRational,
    delta: &BigRational,
    bits: u32,
) -> Result<Interval, ReferenceError> {
    check_order(alpha)?;
    require(!rdp.is_negative(), "the Renyi loss", rdp, NOT_NEGATIVE)?;
    let inside = delta.is_positive() && *delta < BigRational::one();
    let expected = "it must lie strictly between 0 and 1";
    require(inside, "delta", delta, expected)?;
    let logarithm = ln(&Interval::exact(delta.recip()), bits);
    let logarithm = logarithm.ok_or_else(|| bad("delta", delta, expected))?;
    let order = Interval::exact((alpha - BigRational::one()).recip());
    Ok(&Interval::exact(rdp.clone()) + &(&logarithm * &order))
}

/// Returns the squared error of local differential privacy at the Renyi loss `epsilon` of order
/// alpha: `alpha Delta^2 / (2 n epsilon)`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn local_error(
    nodes: usize,
    alpha: &BigRational,
    sensitivity: &BigRational,
    epsilon: &BigRational,
) -> Result<BigRational, ReferenceError> {
    check_order(alpha)?;
    require_positive("the sensitivity", sensitivity)?;
    require_positive("epsilon", epsilon)?;
    require_positive("the number of nodes", &BigRational::from_integer(nodes.into()))?;
    let twice = BigRational::from_integer((2 * nodes as u128).into());
    Ok(alpha * sensitivity * sensitivity / (twice * epsilon))
}

/// Returns the squared error of a trusted aggregator at the same loss:
/// `alpha Delta^2 / (2 n^2 epsilon)`.
///
/// # Errors
///
/// Returns an error for parameters outside their ranges.
pub fn central_error(
    nodes: usize,
    alpha: &BigRational,
    sensitivity: &BigRational,
    epsilon: &BigRational,
) -> Result<BigRational, ReferenceError> {
    let local = local_error(nodes, alpha, sensitivity, epsilon)?;
    Ok(local / BigRational::from_integer(nodes.into()))
}

const NOT_NEGATIVE: &str = "it must not be negative";

fn require_positive(parameter: &'static str, value: &BigRational) -> Result<(), ReferenceError> {
    require(value.is_positive(), parameter, value, "it must be positive")
}

fn check_leakage(leakage: &BigRational) -> Result<(), ReferenceError> {
    require(!leakage.is_negative(), "the leakage", leakage, NOT_NEGATIVE)
}

/// Checks that the order of a Renyi divergence is above 1.
fn check_order(alpha: &BigRational) -> Result<(), ReferenceError> {
    let holds = *alpha > BigRational::one();
    require(holds, "alpha", alpha, "it must be above 1")
}
