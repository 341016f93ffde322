//! Products of gossip matrices, and their effect on values.

use super::matrices::{
    Matrix, any_graph, common_denominator, is_non_negative, is_symmetric, metropolis, mixed,
    of_scheme, product, sum, sums_are,
};
use crate::{Case, Choices, claim, cover};
use muffliato_model::WeightScheme;
use muffliato_reference::cores::chebyshev_step;

pub fn product_is_its_definition<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut any = || choices.array(|choices| choices.array(|choices| choices.signed(1).into()));
    let (a, b): (Matrix<N>, Matrix<N>) = (any(), any());
    let out = product(&a, &b);
    for v in 0..N {
        for w in 0..N {
            let mut sum = 0;
            for k in 0..N {
                sum += a[v][k] * b[k][w];
            }
            claim!(out[v][w] == sum, "an entry is the sum of its products");
        }
    }
    cover!(choices, N > 1 && a[0][0] == 0 && out[0][0] < 0, "a zero factor");
    Some(())
}

pub fn products_keep_row_and_column_sums<const N: usize>(choices: &mut impl Choices) -> Case {
    let first = metropolis(&any_graph::<N>(choices));
    let second = of_scheme(&any_graph::<N>(choices), &WeightScheme::MaxDegreeInverse);
    let out = product(&second, &first);
    let denominator = common_denominator(N);
    claim!(sums_are(&out, denominator * denominator), "rows and columns of the product sum to one");
    claim!(is_non_negative(&out), "no entry is negative");
    cover!(choices, N < 3 || !is_symmetric(&out), "not symmetric");
    Some(())
}

pub fn powers_stay_symmetric<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let matrix = metropolis(&edges);
    let square = product(&matrix, &matrix);
    let cube = product(&matrix, &square);
    claim!(is_symmetric(&square) && is_symmetric(&cube), "powers are symmetric");
    let one = common_denominator(N);
    claim!(sums_are(&square, one * one) && sums_are(&cube, one * one * one), "powers sum to one");
    cover!(choices, N < 3 || !edges[0][N - 1] && square[0][N - 1] > 0, "two steps reach further");
    Some(())
}

/// Covers any multiple of each unit vector, which is enough by linearity.
pub fn mixing_keeps_the_sum<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = metropolis(&any_graph::<N>(choices));
    let value = i32::from(choices.small(15));
    for u in 0..N {
        let mut x = [0; N];
        x[u] = value;
        claim!(sum(&mixed(&matrix, &x)) == value * common_denominator(N), "the sum stays");
    }
    cover!(choices, N < 2 || matrix[0][1] > 0 && value > 0, "an edge");
    Some(())
}

pub fn mixing_stays_between_the_extremes<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = metropolis(&any_graph::<N>(choices));
    let x: [i32; N] = choices.array(|choices| choices.small(3).into());
    let (mut smallest, mut largest) = (i32::MAX, 0);
    for entry in x {
        smallest = smallest.min(entry);
        largest = largest.max(entry);
    }
    let (mixed, one) = (mixed(&matrix, &x), common_denominator(N));
    for entry in mixed {
        claim!(smallest * one <= entry && entry <= largest * one, "between the extremes");
    }
    cover!(choices, N < 2 || mixed[0] > x[0] * one, "a value grows");
    Some(())
}

/// One accelerated step on a row: `g W y + (1 - g) y'` with g = p / q.
pub fn chebyshev_keeps_row_sums<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = metropolis(&any_graph::<N>(choices));
    let below = 1 + i32::from(choices.small(3));
    let above = i32::from(choices.small(7));
    let one = common_denominator(N);
    for v in 0..N {
        let mut mixed = matrix[v];
        let mut previous = [0; N];
        previous[v] = one;
        let behind = below - above;
        chebyshev_step(&mut mixed, &previous, &above, &behind);
        claim!(sum(&mixed) == below * one, "the row still sums to one");
        claim!(sum(&matrix[v]) == one, "as before");
    }
    cover!(choices, above > below, "g above 1");
    Some(())
}
