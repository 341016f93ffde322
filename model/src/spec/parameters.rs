//! Parameters of families that have a textual form of their own.

use std::fmt::{self, Display, Formatter};

use crate::GraphError;
use crate::families::bad_parameter;

/// How likely an edge of an Erdos-Renyi graph is.
///
/// ```
/// use muffliato_model::EdgeProbability;
///
/// assert_eq!(EdgeProbability::Given { q: 0.25 }.of_an_edge(100)?, 0.25);
/// let q = EdgeProbability::Scaled { c: 2.0 }.of_an_edge(100)?;
/// assert!((q - 2.0 * 100_f64.ln() / 100.0).abs() < 1e-15);
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeProbability {
    /// `c=2`: q = c ln n / n, where c = 1 is the threshold of connectivity.
    Scaled {
        /// The multiple of ln n / n.
        c: f64,
    },
    /// `q=0.01`: the probability itself.
    Given {
        /// The probability.
        q: f64,
    },
}

impl EdgeProbability {
    /// The probability q of an edge between two of n nodes; [`GraphError::BadParameter`] if
    /// c ln n / n is not from 0 to 1. (A q that is given is checked by the family.)
    pub fn of_an_edge(self, n: usize) -> Result<f64, GraphError> {
        match self {
            Self::Given { q } => Ok(q),
            Self::Scaled { .. } if n == 0 => Err(GraphError::Empty),
            Self::Scaled { c } => {
                let threshold = libm::log(n as f64) / n as f64;
                let q = c * threshold;
                let makes_sense = c.is_finite() && c >= 0.0;
                if makes_sense && q <= 1.0 {
                    return Ok(q);
                }
                let expected = if !makes_sense {
                    "it is a finite number, at least 0".to_string()
                } else {
                    let largest = 1.0 / threshold;
                    format!("q = c ln n / n = {q} is above 1; with n = {n} take c up to {largest}")
                };
                Err(bad_parameter("erdos-renyi", "c", c, expected))
            }
        }
    }
}

impl Display for EdgeProbability {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scaled { c } => write!(f, "c={c}"),
            Self::Given { q } => write!(f, "q={q}"),
        }
    }
}

/// The sides of a grid or a torus: one length or more, written `4x5x6`.
///
/// ```
/// use muffliato_model::Sides;
///
/// let sides = Sides::try_new(vec![4, 5, 6]).unwrap();
/// assert_eq!((sides.to_string(), sides.lengths()), ("4x5x6".into(), &[4, 5, 6][..]));
/// assert_eq!(Sides::try_new(vec![]), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides(Vec<usize>);

impl Sides {
    /// These lengths; `None` if there are none. Families check what lengths they accept.
    pub fn try_new(lengths: Vec<usize>) -> Option<Self> {
        (!lengths.is_empty()).then_some(Self(lengths))
    }

    /// The lengths, at least one.
    pub fn lengths(&self) -> &[usize] {
        &self.0
    }
}

impl Display for Sides {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, length) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "x" })?;
            write!(f, "{length}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_is_a_multiple_of_the_threshold_of_connectivity() {
        let q = |c, n| EdgeProbability::Scaled { c }.of_an_edge(n);
        assert_eq!(q(2.0, 1), Ok(0.0));
        let expected = 2.0 * 2048_f64.ln() / 2048.0;
        assert!((q(2.0, 2048).unwrap() - expected).abs() < 1e-15);
        assert_eq!(q(2.0, 0), Err(GraphError::Empty));
        assert!(q(-1.0, 1).is_err());
        for (c, part) in [
            (f64::NAN, "a finite number, at least 0"),
            (f64::INFINITY, "a finite number, at least 0"),
            (-1.0, "a finite number, at least 0"),
            (5.0, "with n = 10 take c up to 4.3"),
        ] {
            let message = q(c, 10).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
