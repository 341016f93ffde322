//! Fraction-free elimination of a Gram matrix (Bareiss 1968).
//!
//! For a positive semidefinite integer matrix G and integer columns B, elimination without pivoting
//! never leaves the integers: after the pivots `i_1 < ... < i_k` every remaining entry is a minor
//! of `[G | B]`, so the division by the previous pivot is exact. A row whose remaining diagonal
//! entry is 0 is a combination of the rows before it: the whole remaining row is 0, and it is
//! skipped. The result is the factor in `G = L D L^T`, from which
//!
//! ```text
//! b^T G^+ c = sum over pivots k of b_k c_k / (d_{k-1} d_k),     d_0 = 1
//! ```
//!
//! for columns b, c of B, where `d_k` is the determinant of the pivot rows up to the k-th and `b_k`
//! the entry of column b in the k-th pivot row.

use crate::ExactInteger;

/// Eliminates the positive semidefinite `gram` (`size` x `size`; only its upper triangle is read)
/// with the `columns` columns of `border` beside it, in place. Writes the indices of the pivot rows
/// to `pivots` and returns their number, the rank of `gram`.
///
/// Afterwards the k-th pivot row i holds `d_k` on its diagonal, and to its right the rows of the
/// fraction-free factor and of the reduced border.
pub fn eliminate<I: ExactInteger>(
    size: usize,
    gram: &mut [I],
    columns: usize,
    border: &mut [I],
    pivots: &mut [usize],
) -> usize {
    let mut rank = 0;
    let mut previous = I::one();
    for i in 0..size {
        let pivot = gram[i * size + i].clone();
        if pivot.is_zero() {
            continue;
        }
        for j in i + 1..size {
            let factor = gram[i * size + j].clone();
            let (above, below) = gram.split_at_mut(j * size);
            let from = &above[i * size + j..(i + 1) * size];
            reduce_row(&mut below[j..size], from, &pivot, &factor, &previous);
            let (above, below) = border.split_at_mut(j * columns);
            let from = &above[i * columns..(i + 1) * columns];
            reduce_row(&mut below[..columns], from, &pivot, &factor, &previous);
        }
        pivots[rank] = i;
        rank += 1;
        previous = pivot;
    }
    rank
}

/// Computes `row <- (pivot * row - factor * from) / previous`, exactly.
fn reduce_row<I: ExactInteger>(row: &mut [I], from: &[I], pivot: &I, factor: &I, previous: &I) {
    for (entry, above) in row.iter_mut().zip(from) {
        if !entry.is_zero() {
            *entry *= pivot;
        }
        if !factor.is_zero() && !above.is_zero() {
            *entry -= &factor.times(above);
        }
        if !entry.is_zero() && !previous.is_one() {
            *entry /= previous;
        }
    }
}

/// Returns the numerator of `b^T G^+ c` over the last determinant, given `(d_k, b_k, c_k)` for each
/// pivot as [`eliminate`] left them. The denominator is the last `d_k` (1 without pivots).
pub fn quadratic_form<'a, I: ExactInteger + 'a>(
    pivots: impl Iterator<Item = (&'a I, &'a I, &'a I)>,
) -> I {
    let mut numerator = I::zero();
    let mut previous = I::one();
    for (determinant, b, c) in pivots {
        // numerator / previous + b c / (previous * determinant), over `determinant`
        numerator *= determinant;
        numerator += &b.times(c);
        numerator /= &previous;
        previous = determinant.clone();
    }
    numerator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependent_row_is_passed_over() {
        // Rows (1,1,0), (2,2,0), (0,1,1): Gram matrix and the three unit columns.
        let rows = [[1, 1, 0], [2, 2, 0], [0, 1, 1]];
        let mut gram = [0; 9];
        for i in 0..3 {
            for j in 0..3 {
                gram[i * 3 + j] = crate::arithmetic::vector::dot(&rows[i], &rows[j]);
            }
        }
        let mut border = rows.concat();
        let mut pivots = [0; 3];
        let rank = eliminate(3, &mut gram, 3, &mut border, &mut pivots);
        assert_eq!((rank, &pivots[..rank]), (2, &[0, 2][..]));
        // Projector onto the span of (1,1,0) and (0,1,1): 1/3 [[2,1,-1],[1,2,1],[-1,1,2]].
        let entry = |u: usize, w: usize| {
            quadratic_form(
                pivots[..rank]
                    .iter()
                    .map(|&i| (&gram[i * 4], &border[i * 3 + u], &border[i * 3 + w])),
            )
        };
        assert_eq!(gram[2 * 4], 3);
        assert_eq!([entry(0, 0), entry(0, 1), entry(0, 2)], [2, 1, -1]);
        assert_eq!([entry(1, 1), entry(1, 2), entry(2, 2)], [2, 1, 2]);
    }

    #[test]
    fn the_empty_view_has_rank_zero() {
        let rank = eliminate::<i64>(0, &mut [], 3, &mut [], &mut []);
        assert_eq!(rank, 0);
        assert_eq!(quadratic_form::<i64>(std::iter::empty()), 0);
    }
}
