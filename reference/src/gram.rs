//! Linear systems with a Gram matrix, solved by the elimination of the views.

use crate::{ReferenceError, arithmetic::eliminate, checks::check_length};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// Solves `G c = a` exactly for a positive semidefinite matrix `gram` (symmetric, as rows) and a
/// right side in its range. `c_i = 0` where row i depends on the rows before it.
///
/// # Errors
///
/// Returns [`ReferenceError::WrongLength`] unless the matrix is square and as long as `right`.
///
/// ```
/// use muffliato_reference::{BigRational, solve_gram};
///
/// let whole = |value: i64| BigRational::from_integer(value.into());
/// // The rows (1, 1) and (2, 2): the second says nothing new.
/// let gram = [vec![whole(2), whole(4)], vec![whole(4), whole(8)]];
/// let half = whole(1) / whole(2);
/// assert_eq!(solve_gram(&gram, &[whole(1), whole(2)])?, [half, whole(0)]);
/// assert!(solve_gram(&gram, &[whole(1)]).is_err());
/// # Ok::<(), muffliato_reference::ReferenceError>(())
/// ```
pub fn solve_gram(
    gram: &[Vec<BigRational>],
    right: &[BigRational],
) -> Result<Vec<BigRational>, ReferenceError> {
    let size = right.len();
    for given in gram.iter().map(Vec::len).chain([gram.len()]) {
        check_length("rows or columns of a Gram matrix", given, size)?;
    }
    let entries = gram.iter().flatten().chain(right);
    let unit = entries.fold(BigInt::one(), |unit, entry| unit.lcm(entry.denom()));
    let scaled = |entry: &BigRational| entry.numer() * (&unit / entry.denom());
    let mut matrix: Vec<BigInt> = gram.iter().flatten().map(scaled).collect();
    let mut border: Vec<BigInt> = right.iter().map(scaled).collect();
    let mut pivots = vec![0; size];
    let rank = eliminate(size, &mut matrix, 1, &mut border, &mut pivots);
    let right = |row: usize| BigRational::from_integer(border[row].clone());
    let mut solution = vec![BigRational::zero(); size];
    for (row, value) in back_substitution(size, &matrix, &pivots[..rank], right) {
        solution[row] = value;
    }
    Ok(solution)
}

/// Solves for the pivot rows that [`eliminate`] left, in their order: row k says
/// `sum_{l >= k} U_kl c_l = right(k)`.
pub(crate) fn back_substitution(
    size: usize,
    matrix: &[BigInt],
    pivots: &[usize],
    right: impl Fn(usize) -> BigRational,
) -> Vec<(usize, BigRational)> {
    let whole = |entry: &BigInt| BigRational::from_integer(entry.clone());
    let mut solution: Vec<(usize, BigRational)> = Vec::with_capacity(pivots.len());
    for &row in pivots.iter().rev() {
        let mut value = right(row);
        for (other, c) in &solution {
            value -= c * whole(&matrix[row * size + other]);
        }
        solution.push((row, value / whole(&matrix[row * size + row])));
    }
    solution.reverse();
    solution
}
