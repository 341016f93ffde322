//! The arithmetic of the checker: whole numbers, on slices that the caller provides. Generic over the integer, so that it runs on
//! `BigInt` in use and on machine integers in proofs (where the caller excludes overflow).

use num_integer::Integer;
use num_traits::Signed;

/// The integers that the checker counts with.
pub trait Whole: Integer + Signed + Clone {}

impl<I: Integer + Signed + Clone> Whole for I {}

/// The least whole number that is not below `above / below`, for `below > 0`.
///
/// ```
/// use muffliato_certificate::core::divide_up;
///
/// assert_eq!((divide_up(6, &3), divide_up(7, &3), divide_up(0, &3)), (2, 3, 0));
/// ```
pub fn divide_up<I: Whole>(above: I, below: &I) -> I {
    let (quotient, rest) = above.div_mod_floor(below);
    if rest.is_zero() {
        quotient
    } else {
        quotient + I::one()
    }
}

/// What a node absorbs of `arrived >= 0` units with the fraction `numerator / denominator` in [0, 1], rounded up: a whole number of units, never more
/// than `arrived`; all of it for the fraction 1, nothing for 0.
///
/// ```
/// use muffliato_certificate::core::absorbed;
///
/// assert_eq!(absorbed(&5, &1, &2), 3);
/// assert_eq!((absorbed(&5, &1, &1), absorbed(&5, &0, &1), absorbed(&0, &1, &2)), (5, 0, 0));
/// ```
pub fn absorbed<I: Whole>(arrived: &I, numerator: &I, denominator: &I) -> I {
    divide_up(arrived.clone() * numerator.clone(), denominator)
}

/// `sum_j weight_j values_j` over the entries (j, weight) of one row of a matrix.
///
/// ```
/// use muffliato_certificate::core::row_product;
///
/// assert_eq!(row_product(&[(0, 2), (2, 1)], &[3, 4, 5]), 11);
/// ```
pub fn row_product<I: Whole>(row: &[(u32, I)], values: &[I]) -> I {
    row.iter().fold(I::zero(), |sum, (j, weight)| {
        let value = &values[*j as usize];
        match value.is_zero() {
            true => sum,
            false => sum + weight.clone() * value.clone(),
        }
    })
}

/// The first row in which the elimination of a symmetric matrix shows that it is not positive semidefinite: a pivot below 0, or a pivot 0 with an
/// entry beside it that is not 0. `None` if it is positive semidefinite. Fraction-free: entries stay minors of the matrix, which is overwritten.
///
/// ```
/// use muffliato_certificate::core::first_indefinite_row;
///
/// assert_eq!(first_indefinite_row(2, &mut [1, 1, 1, 1]), None);
/// assert_eq!(first_indefinite_row(2, &mut [1, 2, 2, 3]), Some(1));
/// assert_eq!(first_indefinite_row(2, &mut [0, 1, 1, 5]), Some(0));
/// ```
pub fn first_indefinite_row<I: Whole>(size: usize, matrix: &mut [I]) -> Option<usize> {
    let mut previous = I::one();
    for i in 0..size {
        let pivot = matrix[i * size + i].clone();
        let zeros_beside = (i + 1..size).all(|j| matrix[i * size + j].is_zero());
        if pivot.is_negative() || (pivot.is_zero() && !zeros_beside) {
            return Some(i);
        }
        if pivot.is_zero() {
            continue; // a row of zeros: nothing to eliminate
        }
        for j in i + 1..size {
            for k in j..size {
                let product = matrix[i * size + j].clone() * matrix[i * size + k].clone();
                let entry = matrix[j * size + k].clone() * pivot.clone() - product;
                matrix[j * size + k] = entry / previous.clone();
            }
        }
        previous = pivot;
    }
    None
}
