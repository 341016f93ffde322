//! The largest value of a quadratic form over signs.

use crate::ExactInteger;

/// Returns the largest `d^T P d` over vectors d of signs, for the symmetric matrix `p` (`size` x
/// `size`), and writes such signs to `best`, `true` for +1.
///
/// The enumeration is a Gray code: each of the `2^(size-1)` steps flips one sign. The last sign
/// stays positive, as d and -d give the same value. `signs`, `best` and `applied` have `size`
/// entries and need no initial value.
pub fn largest_over_signs<I: ExactInteger>(
    size: usize,
    p: &[I],
    signs: &mut [bool],
    best: &mut [bool],
    applied: &mut [I],
) -> I {
    signs.fill(true);
    best.fill(true);
    let mut value = I::zero();
    for (sum, row) in applied.iter_mut().zip(p.chunks_exact(size.max(1))) {
        *sum = I::zero();
        for entry in row {
            *sum += entry;
        }
        value += &*sum;
    }
    let mut largest = value.clone();
    let two = I::one() + I::one();
    let four = two.times(&two);
    for step in 1_u64..1 << size.saturating_sub(1) {
        let i = step.trailing_zeros() as usize;
        // Flipping d_i subtracts 4 d_i (P d)_i and adds 4 P_ii.
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
        if value > largest {
            largest = value.clone();
            best.copy_from_slice(signs);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gray_code_visits_every_sign() {
        // A Gram matrix of small vectors, so that it is positive semidefinite.
        let vectors = [[3, -1], [-2, 4], [1, 1], [-5, 2]];
        let p: Vec<i64> = (0..16)
            .map(|k| crate::arithmetic::vector::dot(&vectors[k / 4], &vectors[k % 4]))
            .collect();
        let value = |mask: u32| -> i64 {
            let d = |i: usize| if mask >> i & 1 == 1 { 1 } else { -1 };
            (0..16).map(|k| d(k / 4) * d(k % 4) * p[k]).sum()
        };
        let expected = (0..16).map(value).max().unwrap();
        let mut best = [false; 4];
        let found = largest_over_signs(4, &p, &mut [false; 4], &mut best, &mut [0; 4]);
        assert_eq!(found, expected);
        let mask = (0..4).fold(0, |mask, i| mask | (u32::from(best[i]) << i));
        assert_eq!(value(mask), expected);
    }
}
