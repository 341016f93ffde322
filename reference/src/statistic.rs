//! What an observer does with its view: the optimal distinguishing statistic.

use crate::{ExactInteger, Observation, ReferenceError, View};
use num_bigint::BigInt;
use num_rational::Ratio;

/// The linear statistic of a view that tells two inputs apart best.
///
/// Applied to the view it is Gaussian under either input, with the same variance
/// `sigma^2 leakage`, and means that differ by `Delta leakage`: the likelihood ratio test is a
/// threshold on it, and its advantage is that of a Gaussian shift `mu = Delta sqrt(leakage) / sigma`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic<I: ExactInteger = BigInt> {
    /// What each observation is multiplied by; observations that are left out count 0.
    pub coefficients: Vec<(Observation, Ratio<I>)>,
    /// The loss that it realises, in units of L.
    pub leakage: Ratio<I>,
}

impl<I: ExactInteger> View<I> {
    /// The statistic `G^+ a` that tells the worst-case inputs of `sources` apart.
    pub fn statistic(&self, sources: &[usize]) -> Result<Statistic<I>, ReferenceError> {
        let inputs = self.input_columns(sources)?;
        let loss = self.loss(sources)?;
        let (size, columns) = (self.observations.len(), self.rounds * self.nodes);

        // Back substitution: row k says sum_{l >= k} U_kl c_l = b_k.
        let mut solution: Vec<(usize, Ratio<I>)> = Vec::with_capacity(self.rank());
        for &row in self.pivots.iter().rev() {
            let mut right = I::zero();
            for (&column, &up) in inputs.iter().zip(&loss.signs) {
                let entry = &self.border[row * columns + column];
                if up {
                    right += entry;
                } else {
                    right -= entry;
                }
            }
            let known = solution
                .iter()
                .fold(Ratio::from_integer(I::zero()), |sum, (other, c)| {
                    sum + c.clone() * Ratio::from_integer(self.gram[row * size + other].clone())
                });
            let diagonal = Ratio::from_integer(self.gram[row * size + row].clone());
            solution.push((row, (Ratio::from_integer(right) - known) / diagonal));
        }

        let unit = Ratio::from_integer(self.unit.clone());
        let coefficients = solution
            .into_iter()
            .rev()
            .map(|(row, c)| {
                (
                    self.observations[row],
                    c * unit.clone() / self.scales[row].clone(),
                )
            })
            .collect();
        Ok(Statistic {
            coefficients,
            leakage: loss.scalar,
        })
    }
}
