//! Several inputs at once: the rounds of gradient descent, groups of users.
//!
//! With P the matrix of `e_i^T Pi e_j` over the protected inputs, the loss is
//! `L max { d^T P d : |d_i| <= 1 }`. The form is convex, so that the maximum is at signs. Vectors of
//! length at most 1 in place of the d_i lose at most `L sum |P_ij|`, with equality if P >= 0.

use crate::{ExactInteger, LossModel, ReferenceError, View};
use num_bigint::BigInt;
use num_rational::Ratio;

/// The loss of several inputs, in units of L.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss<I: ExactInteger = BigInt> {
    /// The largest loss over all scalar inputs with |d_i| <= 1: exact.
    pub scalar: Ratio<I>,
    /// An upper bound for vector inputs of length at most 1; exact if it equals `scalar`.
    pub vector_upper: Ratio<I>,
    /// Worst-case signs: whether input i goes up (`true`) or down, round by round and within a
    /// round in the order of the sources.
    pub signs: Vec<bool>,
    /// What it was computed for.
    pub model: LossModel,
}

/// The most inputs for which all signs are tried.
pub const MAX_ENUMERATED_INPUTS: usize = 20;

impl<I: ExactInteger> View<I> {
    /// The exact loss of all inputs of `sources` together. Mixed correlations of more than
    /// [`MAX_ENUMERATED_INPUTS`] inputs (sources times rounds) are an error.
    pub fn loss(&self, sources: &[usize]) -> Result<Loss<I>, ReferenceError> {
        let forms = self.input_forms(sources)?;
        let inputs = forms.size;
        let (scalar, signs) = if forms.numerators.iter().all(|entry| !entry.is_negative()) {
            (forms.absolute_sum(), vec![true; inputs])
        } else if inputs <= MAX_ENUMERATED_INPUTS {
            largest_over_signs(inputs, &forms.numerators)
        } else {
            return Err(ReferenceError::TooManyInputs {
                inputs,
                limit: MAX_ENUMERATED_INPUTS,
            });
        };
        Ok(Loss {
            scalar: Ratio::new(scalar, forms.denominator.clone()),
            vector_upper: Ratio::new(forms.absolute_sum(), forms.denominator),
            signs,
            model: self.model(),
        })
    }

    /// `sum |P_ij|`: an upper bound on the loss of all inputs of `sources` together, scalars or
    /// vectors, for any number of them.
    pub fn loss_upper(&self, sources: &[usize]) -> Result<Ratio<I>, ReferenceError> {
        let forms = self.input_forms(sources)?;
        Ok(Ratio::new(forms.absolute_sum(), forms.denominator))
    }

    /// The columns of the inputs of `sources`, round by round.
    pub(crate) fn input_columns(&self, sources: &[usize]) -> Result<Vec<usize>, ReferenceError> {
        if sources.is_empty() {
            return Err(ReferenceError::NoSource);
        }
        let mut distinct = sources.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        for &source in &distinct {
            crate::check_source(source, self.nodes, self.observer())?;
        }
        let of_round = |round| {
            distinct
                .iter()
                .map(move |&source| round * self.nodes + source)
        };
        Ok((0..self.rounds).flat_map(of_round).collect())
    }

    fn input_forms(&self, sources: &[usize]) -> Result<Forms<I>, ReferenceError> {
        let columns = self.input_columns(sources)?;
        let size = columns.len();
        let mut numerators = vec![I::zero(); size * size];
        for (i, &a) in columns.iter().enumerate() {
            for (j, &b) in columns.iter().enumerate().skip(i) {
                let entry = self.projection_numerator(a, b);
                numerators[j * size + i] = entry.clone();
                numerators[i * size + j] = entry;
            }
        }
        Ok(Forms {
            size,
            numerators,
            denominator: self.projection_denominator(),
        })
    }
}

/// The matrix P over a common positive denominator.
struct Forms<I> {
    size: usize,
    numerators: Vec<I>,
    denominator: I,
}

impl<I: ExactInteger> Forms<I> {
    fn absolute_sum(&self) -> I {
        let mut sum = I::zero();
        for entry in &self.numerators {
            sum += &entry.abs();
        }
        sum
    }
}

/// The largest `d^T P d` over signs d, and such signs, by a Gray code: each step flips one sign.
/// The last sign stays positive, as d and -d give the same value.
fn largest_over_signs<I: ExactInteger>(size: usize, p: &[I]) -> (I, Vec<bool>) {
    let mut signs = vec![true; size];
    let mut applied: Vec<I> = p
        .chunks_exact(size)
        .map(|row| row.iter().fold(I::zero(), |sum, entry| sum + entry.clone()))
        .collect();
    let mut value = applied
        .iter()
        .fold(I::zero(), |sum, entry| sum + entry.clone());
    let (mut best, mut best_signs) = (value.clone(), signs.clone());
    let two = I::one() + I::one();
    let four = two.times(&two);
    for step in 1_u64..1 << (size - 1) {
        let i = step.trailing_zeros() as usize;
        // Flipping d_i takes 4 d_i (P d)_i away and gives 4 P_ii back.
        let change = applied[i].times(&four);
        if signs[i] {
            value -= &change;
        } else {
            value += &change;
        }
        value += &p[i * size + i].times(&four);
        for (sum, entry) in applied.iter_mut().zip(&p[i * size..(i + 1) * size]) {
            let twice = entry.times(&two);
            if signs[i] {
                *sum -= &twice;
            } else {
                *sum += &twice;
            }
        }
        signs[i] = !signs[i];
        if value > best {
            best = value.clone();
            best_signs.clone_from(&signs);
        }
    }
    (best, best_signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gray_code_visits_every_sign() {
        // A Gram matrix of small vectors, so that it is positive semidefinite.
        let vectors = [[3, -1], [-2, 4], [1, 1], [-5, 2]];
        let p: Vec<i64> = (0..16)
            .map(|k| crate::arithmetic::dot(&vectors[k / 4], &vectors[k % 4]))
            .collect();
        let value = |mask: u32| -> i64 {
            let d = |i: usize| if mask >> i & 1 == 1 { 1 } else { -1 };
            (0..16).map(|k| d(k / 4) * d(k % 4) * p[k]).sum()
        };
        let expected = (0..16).map(value).max().unwrap();
        let (best, signs) = largest_over_signs(4, &p);
        assert_eq!(best, expected);
        let mask = (0..4).fold(0, |mask, i| mask | (u32::from(signs[i]) << i));
        assert_eq!(value(mask), expected);
    }
}
