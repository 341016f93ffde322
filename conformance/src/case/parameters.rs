//! Parameters of a case, drawn from its seed.

use super::Case;
use muffliato_model::{Fraction, split_mix};

/// Parameters of guarantees and of convergence. All are dyadic and therefore exact floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Square root of a leakage, in (0, 2].
    pub root_leakage: Fraction,
    /// Sensitivity Delta, in (0, 2].
    pub sensitivity: Fraction,
    /// Standard deviation sigma: a power of 2 in [1/4, 4].
    pub sigma: Fraction,
    /// Order alpha, in (1, 9].
    pub alpha: Fraction,
    /// Epsilon of the curve, in [0, 4).
    pub epsilon: Fraction,
    /// A power of 1/2 down to `2^-40`, or half of 1.
    pub delta: Fraction,
    /// Edge probability of a random graph.
    pub edge_probability: Fraction,
    /// Spectral gap, in (0, 1].
    pub gap: Fraction,
    /// Variance of the inputs, in [0, 8).
    pub variance: Fraction,
}

impl Case {
    /// Returns the parameters for the seed.
    pub fn parameters(&self) -> Parameters {
        let draw = |place: u64, below: u64| (split_mix(self.seed, place) % below) as i64;
        let over = |above: i64, below: i64| {
            Fraction::try_new(above.into(), below.into()).expect("the denominator is not 0")
        };
        Parameters {
            root_leakage: over(1 + draw(0, 32), 16),
            sensitivity: over(1 + draw(1, 8), 4),
            sigma: over(1 << draw(2, 5), 4),
            alpha: over(9 + draw(3, 64), 8),
            epsilon: over(draw(4, 64), 16),
            delta: over(1, 1 << (1 + draw(5, 40))),
            edge_probability: over(draw(6, 65), 64),
            gap: over(1, 1 << draw(7, 20)),
            variance: over(draw(8, 64), 8),
        }
    }

    /// Returns the `place`-th input or draw of a simulated run: a multiple of `2^-10` in [-1, 1).
    pub fn number(&self, place: usize) -> f64 {
        (split_mix(self.seed, 1000 + place as u64) % 2048) as f64 / 1024.0 - 1.0
    }
}
