//! Sums of products, and the check of a statistic.

use num_integer::Integer;
use num_traits::{NumAssignRef, Signed};

/// An integer type of the checker.
pub trait Whole: Integer + Signed + NumAssignRef + Clone {}

impl<I: Integer + Signed + NumAssignRef + Clone> Whole for I {}

/// Computes `sum_j weight_j values_j` over the entries (j, weight) of one row of a matrix.
pub fn row_product<I: Whole>(row: &[(u32, I)], values: &[I]) -> I {
    let mut sum = I::zero();
    for (j, weight) in row {
        add_product(&mut sum, weight, &values[*j as usize]);
    }
    sum
}

/// Adds `one * other` to `sum`.
pub fn add_product<I: Whole>(sum: &mut I, one: &I, other: &I) {
    if !one.is_zero() && !other.is_zero() {
        let mut product = one.clone();
        product *= other;
        *sum += &product;
    }
}

/// Adds `factor` times the entries of a row to `sums`.
pub fn add_multiple<I: Whole>(sums: &mut [I], factor: &I, row: &[I]) {
    for (sum, entry) in sums.iter_mut().zip(row) {
        add_product(sum, entry, factor);
    }
}

/// Returns `true` if the shifts (draw, amount) change a row by exactly `expected`.
pub fn changes_by<'a, I: Whole + 'a>(
    row: &[I],
    shifts: impl Iterator<Item = (usize, &'a I)>,
    expected: &I,
) -> bool {
    let mut change = I::zero();
    for (draw, shift) in shifts {
        add_product(&mut change, &row[draw], shift);
    }
    change == *expected
}

/// Returns `true` if a statistic proves the exact loss of an input: the draws that enter it, times
/// their variances, change every observation as the input does. `rows` has the coefficients of the
/// draws and of the input in each observation, `statistic` those of the draws in the observations
/// that it contains, and how often. `scale` is the denominator of the statistic times that of the
/// variances. `shifts`, of zeros, becomes what the draws change by.
pub fn is_statistic_exact<'a, I: Whole + 'a>(
    mut rows: impl Iterator<Item = (&'a [I], &'a I)>,
    statistic: impl Iterator<Item = (&'a [I], &'a I)>,
    variances: &[I],
    scale: &I,
    shifts: &mut [I],
) -> bool {
    for (draws, times) in statistic {
        add_multiple(shifts, times, draws);
    }
    for (shift, variance) in shifts.iter_mut().zip(variances) {
        *shift *= variance;
    }
    rows.all(|(draws, input)| {
        let mut expected = input.clone();
        expected *= scale;
        let moved = shifts.iter().enumerate().filter(|(_, shift)| !shift.is_zero());
        changes_by(draws, moved, &expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_agree_with_values_by_hand() {
        let mut sums = [1, 2];
        add_multiple(&mut sums, &3, &[4, 5]);
        assert_eq!(sums, [13, 17]);
        let moves = |expected| changes_by(&[2, 3], [(0, &4), (1, &-1)].into_iter(), &expected);
        assert!(moves(5) && !moves(4));
        // Twice the first observation: draws of variances 2 and 3 change by 4 and 12, and the two
        // observations by 28 and 0.
        let rows = [[1, 2], [3, -1]];
        let accepts = |inputs: [i32; 2]| {
            let seen = rows.iter().zip(&inputs).map(|(row, input)| (&row[..], input));
            let statistic = [(&rows[0][..], &2)].into_iter();
            is_statistic_exact(seen, statistic, &[2, 3], &7, &mut [0, 0])
        };
        assert!(accepts([4, 0]) && !accepts([5, 0]) && !accepts([4, 1]));
    }
}
