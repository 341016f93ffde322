//! Proofs from statistics, and from draws that hide one input each. What is found is checked as any other proof.

use super::{LinearSystem, column};
use crate::{Refusal, Statistic};
use num_rational::BigRational;
use num_traits::{Signed, Zero};

impl LinearSystem {
    /// Returns the coefficient of each observation in a statistic of the system in whole numbers.
    ///
    /// # Errors
    ///
    /// Refuses a statistic of another system.
    pub fn coefficients(&self, statistic: &Statistic) -> Result<Vec<BigRational>, Refusal> {
        let mut all = vec![BigRational::zero(); self.draws.len()];
        for (row, numerator) in &statistic.coefficients {
            let c = all.get_mut(*row).filter(|_| statistic.denominator.is_positive());
            let c = c.ok_or(Refusal::NotExact)?;
            *c = BigRational::new(numerator * self.scale(*row)?, statistic.denominator.clone());
        }
        Ok(all)
    }

    /// Returns the alibi of a statistic c, the change `S^2 A^T c` of each draw.
    pub fn alibi(&self, statistic: &[BigRational]) -> Vec<BigRational> {
        let change = |draw: usize| match self.deviation(draw) {
            None => BigRational::zero(),
            Some(s) => column(&self.draws, draw, statistic) * s * s,
        };
        (0..self.size().1).map(change).collect()
    }

    /// Returns alibis that change one draw each, a different one for each of `inputs`; `None` unless
    /// every input enters as such a draw does.
    pub fn own_draws(&self, inputs: &[usize]) -> Option<Vec<Vec<BigRational>>> {
        self.check_inputs(inputs).ok()?;
        let draws = 0..self.size().1;
        let mut used = vec![false; draws.len()];
        let of_input = |&input: &usize| {
            let alike = |draw: usize| {
                let mut rows = self.draws.iter().zip(&self.inputs);
                rows.all(|(row, signal)| row[draw] == signal[input])
            };
            let free = |&draw: &usize| !used[draw] && self.deviation(draw).is_some() && alike(draw);
            let own = draws.clone().find(free)?;
            used[own] = true;
            let whole = |draw| BigRational::from_integer(u8::from(draw == own).into());
            Some(draws.clone().map(whole).collect())
        };
        inputs.iter().map(of_input).collect()
    }
}
