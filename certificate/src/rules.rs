//! The integer arithmetic of the checker, on slices of the caller.
//!
//! It is generic over the integer: `BigInt` in use, machine integers in proofs, where the caller
//! excludes overflow. Nothing here allocates.

mod sums;

pub use sums::*;

use num_traits::Num;

/// Returns `true` if one fraction (numerator and positive denominator) is at most the other.
pub fn is_at_most<I: Whole>(one: (&I, &I), other: (&I, &I)) -> bool {
    one.0.clone() * other.1.clone() <= other.0.clone() * one.1.clone()
}

/// Returns `above / below` rounded up, for `below > 0`.
pub fn divide_up<I: Whole>(above: I, below: &I) -> I {
    let (quotient, rest) = above.div_mod_floor(below);
    if rest.is_zero() { quotient } else { quotient + I::one() }
}

/// Absorbs fractions (node, numerator, denominator; in [0, 1]) of nonnegative deviations, rounded
/// up to whole units: all of a deviation for the fraction 1, nothing for 0. Returns the sum of the
/// squares.
pub fn absorb<I: Whole>(deviation: &mut [I], fractions: impl Iterator<Item = (usize, I, I)>) -> I {
    let mut squares = I::zero();
    for (node, numerator, denominator) in fractions {
        let arrived = deviation[node].clone();
        let absorbed = divide_up(arrived.clone() * numerator, &denominator);
        deviation[node] = arrived - absorbed.clone();
        squares += absorbed.clone() * absorbed;
    }
    squares
}

/// Moves nonnegative amounts (from, to, amount; each pair of nodes once) of deviations along masks,
/// and returns the sum of their squares. A negative deviation becomes 0, which is still an upper
/// bound.
pub fn carry<I: Whole>(deviation: &mut [I], flows: impl Iterator<Item = (usize, usize, I)>) -> I {
    let mut squares = I::zero();
    for (from, to, amount) in flows {
        deviation[from] = deviation[from].clone() - amount.clone();
        deviation[to] = deviation[to].clone() + amount.clone();
        squares += amount.clone() * amount;
    }
    for entry in deviation.iter_mut() {
        if entry.is_negative() {
            *entry = I::zero();
        }
    }
    squares
}

/// Returns the first sender with a deviation, which the observers would hear.
pub fn first_heard<I: Whole>(
    deviation: &[I],
    mut senders: impl Iterator<Item = usize>,
) -> Option<usize> {
    senders.find(|&node| !deviation[node].is_zero())
}

/// Computes a deviation after mixing, rounded up: `W e` for one row of W over `denominator`, or
/// `g W e + (g - 1) before` for `accelerated = (g's numerator, g's denominator, before)`, g at
/// least 1.
pub fn mixed_up<I: Whole>(
    row: &[(u32, I)],
    denominator: &I,
    left: &[I],
    accelerated: Option<(&I, &I, &I)>,
) -> I {
    let sum = row_product(row, left);
    match accelerated {
        None => divide_up(sum, denominator),
        Some((above, below, before)) => {
            let more = (above.clone() - below.clone()) * before.clone() * denominator.clone();
            let whole = sum * above.clone() + more;
            divide_up(whole, &(below.clone() * denominator.clone()))
        }
    }
}

/// Applies the draws of an alibi at one time. Subtracts the given shifts (node, amount) from the
/// differences, then shifts each sender to an observer by the rest, which is passed to `also`.
/// Afterwards no sender differs.
pub fn explain<I: Whole>(
    difference: &mut [I],
    given: impl Iterator<Item = (usize, I)>,
    senders: impl Iterator<Item = usize>,
    mut also: impl FnMut(usize, I),
) {
    for (node, shift) in given {
        difference[node] = difference[node].clone() - shift;
    }
    for node in senders {
        let left = std::mem::replace(&mut difference[node], I::zero());
        if !left.is_zero() {
            also(node, left);
        }
    }
}

/// Takes the weights with which states enter a statistic back by one step: from `weight` after it
/// and `sent`, which is W times that times `denominator`, to the weights before it, in `sent`.
/// `passed_on` is added to them, and becomes what `acceleration = (g's numerator, g's denominator)`
/// passes on to the state one step earlier. Returns the factor by which all denominators grow.
pub fn step_back<I: Whole>(
    sent: &mut [I],
    weight: &[I],
    passed_on: &mut [I],
    denominator: &I,
    acceleration: Option<(&I, &I)>,
) -> I {
    let (by, kept, scale) = match acceleration {
        None => (I::one(), I::zero(), denominator.clone()),
        Some((above, below)) => {
            let kept = (below.clone() - above.clone()) * denominator.clone();
            (above.clone(), kept, below.clone() * denominator.clone())
        }
    };
    for ((sum, last), next) in sent.iter_mut().zip(passed_on).zip(weight) {
        *sum *= &by;
        add_product(sum, last, &scale);
        *last = next.clone();
        *last *= &kept;
    }
    scale
}

/// Shifts the draws of nodes (node, amount) such that, with masks shifted by the amounts along them
/// (from, to, amount), the states change by a unit at the source alone.
pub fn flow_shifts<I: Whole>(
    source: usize,
    unit: I,
    along: impl Iterator<Item = (usize, usize, I)>,
    mut shift: impl FnMut(usize, I),
) {
    shift(source, unit);
    for (from, to, amount) in along {
        shift(from, -amount.clone());
        shift(to, amount);
    }
}

/// Computes `sum one other / variance` over draws (one, other, variance), or `None` if both shift a
/// draw without variance.
pub fn weighted_product<F: Num>(mut draws: impl Iterator<Item = (F, F, F)>) -> Option<F> {
    draws.try_fold(F::zero(), |sum, (one, other, variance)| {
        let product = one * other;
        match (product.is_zero(), variance.is_zero()) {
            (true, _) => Some(sum),
            (false, true) => None,
            (false, false) => Some(sum + product / variance),
        }
    })
}

/// Returns the first row in which elimination shows that a symmetric matrix is not positive
/// semidefinite (a negative pivot, or a zero pivot with a nonzero entry beside it), or `None` if it
/// is. The elimination is fraction-free: entries stay minors of the matrix, which is overwritten.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_values_by_hand() {
        assert_eq!([6, 7, 0].map(|above| divide_up(above, &3)), [2, 3, 0]);
        let mut deviation = [5, 5, 5, 0];
        let fractions = [(0, 1, 2), (1, 1, 1), (3, 1, 2)];
        assert_eq!(absorb(&mut deviation, fractions.into_iter()), 9 + 25);
        assert_eq!(deviation, [2, 0, 5, 0]);
        assert_eq!(first_heard(&deviation, [1, 3].into_iter()), None);
        let mut carried = [4, 0, 1];
        let flows = [(0, 1, 3), (1, 2, 2), (2, 0, 4)];
        assert_eq!(carry(&mut carried, flows.into_iter()), 9 + 4 + 16);
        assert_eq!(carried, [5, 1, 0]);
        assert_eq!(first_heard(&deviation, [1, 2].into_iter()), Some(2));
        // Two thirds of 5; one of 5 to the next node.
        let (mut absorbed, mut moved) = ([5], [5, 0]);
        assert_eq!(absorb(&mut absorbed, [(0, 2, 3)].into_iter()), 16);
        assert_eq!(carry(&mut moved, [(0, 1, 1)].into_iter()), 1);
        assert_eq!((absorbed, moved), ([1], [4, 1]));
        // (2 * 2 + 5) / 4, and 3/2 of it and half of 3.
        let row = [(0, 2), (2, 1)];
        assert_eq!(mixed_up(&row, &4, &deviation, None), 3);
        assert_eq!(mixed_up(&row, &4, &deviation, Some((&3, &2, &3))), 5);
        // 5/2 of it and 3/2 of 3.
        assert_eq!(mixed_up(&row, &4, &deviation, Some((&5, &2, &3))), 11);
        assert!(is_at_most((&1, &3), (&2, &6)) && !is_at_most((&1, &3), (&1, &4)));
        assert_eq!(first_indefinite_row(2, &mut [1, 1, 1, 1]), None);
        assert_eq!(first_indefinite_row(2, &mut [1, 2, 2, 3]), Some(1));
        assert_eq!(first_indefinite_row(2, &mut [0, 1, 1, 5]), Some(0));
        assert_eq!(first_indefinite_row(2, &mut [2, 2, 2, 2]), None);
        assert_eq!(first_indefinite_row(3, &mut [1, 0, 0, 0, 0, 2, 0, 2, 5]), Some(1));
        // The Gram matrix of (2, 0), (1, 1) and (3, 5), and with its last entry too small.
        assert_eq!(first_indefinite_row(3, &mut [4, 2, 6, 2, 2, 8, 6, 8, 34]), None);
        assert_eq!(first_indefinite_row(3, &mut [4, 2, 6, 2, 2, 8, 6, 8, 33]), Some(2));
    }

    #[test]
    fn alibis_and_attacks_agree_with_values_by_hand() {
        let (mut difference, mut heard) = ([5, 7, 2, 0], Vec::new());
        let also = |node, left| heard.push((node, left));
        explain(&mut difference, [(0, 2)].into_iter(), 1..4, also);
        assert_eq!((difference, heard), ([3, 0, 0, 0], vec![(1, 7), (2, 2)]));

        let (mut sent, mut passed_on) = ([7, 1], [5, 4]);
        assert_eq!(step_back(&mut sent, &[2, 3], &mut passed_on, &6, Some((&5, &2))), 12);
        assert_eq!((sent, passed_on), ([35 + 60, 5 + 48], [-18 * 2, -18 * 3]));
        assert_eq!(step_back(&mut sent, &[2, 3], &mut passed_on, &6, None), 6);
        assert_eq!((sent, passed_on), ([95 - 216, 53 - 324], [0, 0]));

        let mut totals = [0; 3];
        let along = [(1, 0, 4), (0, 2, 3)].into_iter();
        flow_shifts(1, 10, along, |node, by| totals[node] += by);
        assert_eq!(totals, [1, 6, 3]);
        let product = |draws: &[(i32, i32, i32)]| weighted_product(draws.iter().copied());
        assert_eq!(product(&[(4, 3, 2), (5, 2, 1), (0, 1, 0)]), Some(16));
        assert_eq!(product(&[(4, 3, 2), (1, 1, 0)]), None);
    }
}
