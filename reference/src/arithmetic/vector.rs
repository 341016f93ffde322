//! Sums over vectors of integers.

use crate::ExactInteger;

/// Returns `sum_i a_i b_i`.
pub(super) fn dot<I: ExactInteger>(a: &[I], b: &[I]) -> I {
    let mut sum = I::zero();
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum += &x.times(y);
        }
    }
    sum
}

/// Returns `sum_i a_i^2`.
pub fn square_sum<I: ExactInteger>(a: &[I]) -> I {
    dot(a, a)
}

/// Returns what Theorem 1 charges `sources` for one message,
/// `sum_{u in sources} row_u^2 / ||row||^2`, as numerator and denominator.
pub fn squared_share<I: ExactInteger>(row: &[I], sources: &[usize]) -> (I, I) {
    let mut above = I::zero();
    for &u in sources {
        above += &row[u].times(&row[u]);
    }
    (above, square_sum(row))
}

/// Returns `sum_i weight_i a_i b_i`.
pub fn weighted_dot<I: ExactInteger>(a: &[I], b: &[I], weight: &[I]) -> I {
    let mut sum = I::zero();
    for ((x, y), weight) in a.iter().zip(b).zip(weight) {
        if !x.is_zero() && !y.is_zero() {
            sum += &x.times(y).times(weight);
        }
    }
    sum
}

/// Divides the vector by the greatest common divisor of its entries and returns that divisor
/// (1 for the zero vector).
pub fn divide_by_content<I: ExactInteger>(a: &mut [I]) -> I {
    let mut content = I::zero();
    for x in a.iter() {
        content = content.gcd(x);
        if content.is_one() {
            return content;
        }
    }
    if content.is_zero() {
        return I::one();
    }
    for x in a {
        *x /= &content;
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_content() {
        assert_eq!(dot(&[1, -2, 3], &[4, 5, 0]), -6);
        assert_eq!(square_sum(&[3, -4]), 25);
        assert_eq!(weighted_dot(&[1, 2], &[3, 4], &[10, 100]), 830);
        let mut vector = [-6, 0, 9];
        assert_eq!(divide_by_content(&mut vector), 3);
        assert_eq!(vector, [-2, 0, 3]);
        assert_eq!(divide_by_content(&mut [0, 0]), 1);
    }
}
