//! Exact expected error of the output of a protocol.

use crate::{
    Process, ReferenceError, arithmetic::weighted_dot, checks::check_length, rational::whole,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// The two parts of `(1/2n) sum_v E (y_v^T - target)^2 = bias + sigma^2 noise`.
///
/// ```
/// use muffliato_model::{Network, Protocol, WeightScheme, families};
/// use muffliato_reference::{BigRational, Process};
///
/// let whole = |x: i64| BigRational::from_integer(x.into());
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let process = Process::run(&Protocol::one_shot(path, 1)?)?;
/// // (3, 0, 0) becomes (2, 1, 0), whose mean is 1.
/// let error = process.averaging_error(&[3, 0, 0].map(whole))?;
/// assert_eq!(error.bias.to_string(), "1/3");
/// assert_eq!(error.noise.to_string(), "13/54"); // the squares of W sum to 13/9
/// assert_eq!(error.total(&whole(1)).to_string(), "31/54");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedError {
    /// The error without noise: `(1/2n) || M_T x - target 1 ||^2`.
    pub bias: BigRational,
    /// The error added by noise of variance 1: `(1/2n) sum_t s_t^2 || M_{t->T} ||_F^2`.
    pub noise: BigRational,
}

impl ExpectedError {
    /// Returns `bias + sigma^2 noise`.
    pub fn total(&self, variance: &BigRational) -> BigRational {
        self.bias.clone() + variance.clone() * self.noise.clone()
    }
}

impl Process {
    /// Computes the expected error of averaging `values`, one per node, against their mean.
    ///
    /// # Errors
    ///
    /// Returns an error unless the protocol has one round and there is one value per node.
    pub fn averaging_error(&self, values: &[BigRational]) -> Result<ExpectedError, ReferenceError> {
        let nodes = whole(self.protocol().nodes());
        let sum: BigRational = values.iter().sum();
        self.expected_error(&[values.to_vec()], &(sum / nodes))
    }

    /// Computes the expected error of the output against `target`, for the inputs of each round
    /// (one value per node) and a state that starts at 0.
    ///
    /// # Errors
    ///
    /// Returns an error unless there is one list per round with one value per node.
    pub fn expected_error(
        &self,
        inputs: &[Vec<BigRational>],
        target: &BigRational,
    ) -> Result<ExpectedError, ReferenceError> {
        let protocol = self.protocol();
        let (nodes, rounds) = (protocol.nodes(), protocol.rounds());
        check_length("rounds of inputs", inputs.len(), rounds)?;
        for values in inputs {
            check_length("input values", values.len(), nodes)?;
        }
        let blocks = self.input_blocks();
        let (variances, unit) = self.variances();
        let (mut bias, mut noise) = (BigRational::zero(), BigInt::zero());
        for v in 0..nodes {
            let (row, denominator) = self.row(protocol.steps(), v);
            let mut mean = BigRational::zero();
            for (values, &start) in inputs.iter().zip(&blocks) {
                for (value, coefficient) in values.iter().zip(&row[start..start + nodes]) {
                    if !coefficient.is_zero() {
                        mean += value.clone()
                            * BigRational::new(coefficient.clone(), denominator.clone());
                    }
                }
            }
            let off = mean - target.clone();
            bias += off.clone() * off;
            noise += &weighted_dot(row, row, &variances);
        }
        let denominator = &self.state(protocol.steps()).denominator;
        let noise = BigRational::new(noise, denominator * denominator * unit);
        let twice_nodes = whole(2 * nodes);
        Ok(ExpectedError { bias: bias / twice_nodes.clone(), noise: noise / twice_nodes })
    }
}
