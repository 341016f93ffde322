//! Eigenvalues of symmetric rational matrices, found by counting (Sylvester's law of inertia).

use super::Interval;
use crate::{ExactInteger, checks::MAX_BITS, order};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// Numbers of positive, negative and zero eigenvalues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Inertia {
    /// Eigenvalues above 0.
    pub positive: usize,
    /// Eigenvalues below 0.
    pub negative: usize,
    /// Eigenvalues that are 0.
    pub zero: usize,
}

/// Computes the inertia of a symmetric integer matrix (`size` x `size`), which is overwritten.
///
/// Congruences `M -> C M C^T` preserve the signs. The method is fraction-free symmetric elimination
/// on a diagonal pivot, after adding one row and column to another where the diagonal is all zero.
pub fn inertia<I: ExactInteger>(size: usize, matrix: &mut [I]) -> Inertia {
    let at = |i: usize, j: usize| i * size + j;
    let mut found = Inertia::default();
    let mut previous = I::one();
    for k in 0..size {
        let diagonal = (k..size).find(|&i| !matrix[at(i, i)].is_zero());
        let pivot_row = diagonal.or_else(|| {
            // a_ij != 0 with zero diagonals: the sum of rows i and j has 2 a_ij on its diagonal.
            let (i, j) = (k..size)
                .flat_map(|i| (i + 1..size).map(move |j| (i, j)))
                .find(|&(i, j)| !matrix[at(i, j)].is_zero())?;
            for column in k..size {
                let entry = matrix[at(j, column)].clone();
                matrix[at(i, column)] += &entry;
            }
            for row in k..size {
                let entry = matrix[at(row, j)].clone();
                matrix[at(row, i)] += &entry;
            }
            Some(i)
        });
        let Some(p) = pivot_row else {
            found.zero = size - k;
            break;
        };
        for column in k..size {
            matrix.swap(at(k, column), at(p, column));
        }
        for row in k..size {
            matrix.swap(at(row, k), at(row, p));
        }
        let pivot = matrix[at(k, k)].clone();
        for i in k + 1..size {
            let factor = matrix[at(i, k)].clone();
            for j in i..size {
                let mut entry = matrix[at(i, j)].times(&pivot);
                entry -= &factor.times(&matrix[at(k, j)]);
                entry /= &previous;
                matrix[at(j, i)] = entry.clone();
                matrix[at(i, j)] = entry;
            }
        }
        // The pivot of the elimination over the rationals is `pivot / previous`.
        if pivot.is_negative() == previous.is_negative() {
            found.positive += 1;
        } else {
            found.negative += 1;
        }
        previous = pivot;
    }
    found
}

/// Encloses the `rank`-th largest eigenvalue (counted from 1, with multiplicity) of the symmetric
/// matrix `numerators / denominator`, to a width of at most `2^-bits`. Returns `None` if there are
/// fewer, if the slice does not have `size * size` entries, or if the denominator is not positive.
///
/// Each of about `bits` bisections costs one elimination of n^3/3 integer operations.
///
/// ```
/// use muffliato_reference::{BigRational, enclosure::eigenvalue};
///
/// // Metropolis weights on the path of three nodes: eigenvalues 1, 2/3 and 0.
/// let numerators = [2, 1, 0, 1, 1, 1, 0, 1, 2].map(|x| x.into());
/// let second = eigenvalue(3, &numerators, &3.into(), 2, 40).unwrap();
/// assert!(second.contains(&BigRational::new(2.into(), 3.into())));
/// assert!(second.width() <= BigRational::new(1.into(), (1_i64 << 40).into()));
/// assert!(eigenvalue(3, &numerators, &3.into(), 4, 40).is_none());
/// ```
pub fn eigenvalue(
    size: usize,
    numerators: &[BigInt],
    denominator: &BigInt,
    rank: usize,
    bits: u32,
) -> Option<Interval> {
    let square = size.checked_mul(size) == Some(numerators.len());
    if rank == 0 || rank > size || !square || !denominator.is_positive() {
        return None;
    }
    let bits = bits.min(MAX_BITS);
    let shifted_inertia = |x: &BigRational| {
        // x.denom * numerators - x.numer * denominator * I has the signs of W - x.
        let mut matrix: Vec<BigInt> = numerators.iter().map(|entry| entry * x.denom()).collect();
        let shift = x.numer() * denominator;
        for i in 0..size {
            matrix[i * size + i] -= &shift;
        }
        inertia(size, &mut matrix)
    };
    // Whether the eigenvalue is above, at or below x.
    let side = |x: &BigRational| {
        let signs = shifted_inertia(x);
        if signs.positive >= rank {
            std::cmp::Ordering::Greater
        } else if signs.positive + signs.zero >= rank {
            std::cmp::Ordering::Equal
        } else {
            std::cmp::Ordering::Less
        }
    };

    let radius = numerators
        .chunks_exact(size)
        .map(|row| row.iter().map(Signed::abs).sum::<BigInt>())
        .max()
        .unwrap_or_else(BigInt::zero);
    let radius = BigRational::new(radius, denominator.clone());
    let (mut lower, mut upper) = (-&radius, radius);
    for end in [&lower, &upper] {
        if side(end).is_eq() {
            return Some(Interval::exact(end.clone()));
        }
    }
    let target = BigRational::new(1.into(), super::interval::power_of_two(bits.into()));
    while order(&(&upper - &lower), &target).is_gt() {
        let middle = Interval::new(lower.clone(), upper.clone()).midpoint();
        match side(&middle) {
            std::cmp::Ordering::Greater => lower = middle,
            std::cmp::Ordering::Less => upper = middle,
            std::cmp::Ordering::Equal => return Some(Interval::exact(middle)),
        }
    }
    Some(Interval::ordered(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inertia_needs_no_nonzero_diagonal() {
        let signs = |size, matrix: &[i64]| inertia(size, &mut matrix.to_vec());
        let of = |positive, negative, zero| Inertia { positive, negative, zero };
        assert_eq!(signs(2, &[0, 1, 1, 0]), of(1, 1, 0));
        assert_eq!(signs(3, &[0; 9]), of(0, 0, 3));
        assert_eq!(signs(3, &[0, 0, 1, 0, -4, 0, 1, 0, 0]), of(1, 2, 0));
        assert_eq!(signs(3, &[1, 1, 1, 1, 1, 1, 1, 1, 1]), of(1, 0, 2));
        // The 4-cycle has the eigenvalues 2, 0, 0, -2.
        let cycle = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0];
        assert_eq!(signs(4, &cycle), of(1, 1, 2));
    }

    #[test]
    fn inertia_agrees_with_a_diagonal_form_that_was_hidden() {
        // C diag(3, -2, 0, 5, -1) C^T for a unimodular C.
        let diagonal = [3_i64, -2, 0, 5, -1];
        let c = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => (i * 3 + j * 5) as i64 % 7 - 3,
        };
        let matrix: Vec<i64> = (0..25)
            .map(|k| (0..5).map(|m| c(k / 5, m) * diagonal[m] * c(k % 5, m)).sum())
            .collect();
        let signs = inertia(5, &mut matrix.clone());
        assert_eq!((signs.positive, signs.negative, signs.zero), (2, 2, 1));
    }

    #[test]
    fn eigenvalues_of_a_path() {
        // 1/3 [[2,1,0],[1,1,1],[0,1,2]] has the eigenvalues 1, 2/3, 0.
        let numerators = [2, 1, 0, 1, 1, 1, 0, 1, 2].map(BigInt::from);
        let third = |k| eigenvalue(3, &numerators, &3.into(), k, 40);
        let is =
            |above: i64, below: i64| Interval::exact(BigRational::new(above.into(), below.into()));
        assert_eq!(third(1), Some(is(1, 1)));
        assert_eq!(third(3), Some(is(0, 1)));
        assert_eq!(eigenvalue(3, &numerators, &(-3).into(), 1, 40), None);
        assert_eq!(eigenvalue(2, &numerators, &3.into(), 1, 40), None);
        assert_eq!(third(0), None);
    }
}
