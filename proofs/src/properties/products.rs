//! Products of gossip matrices, and their effect on values.

use super::matrices::{
    Matrix, any_graph, common_denominator, is_non_negative, is_symmetric, max_degree_inverse,
    metropolis, row_sum, sums_are,
};
use crate::{Case, Choices, claim, cover};
use muffliato_reference::cores::{chebyshev_step, multiply};

fn product<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    let mut out = [[7; N]; N];
    multiply(a.as_flattened(), b.as_flattened(), N, N, out.as_flattened_mut());
    out
}

pub fn product_is_its_definition<const N: usize>(choices: &mut impl Choices) -> Case {
    let (mut a, mut b) = ([[0; N]; N], [[0; N]; N]);
    for matrix in [&mut a, &mut b] {
        for entry in matrix.as_flattened_mut() {
            *entry = i32::from(choices.signed(1));
        }
    }
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
    let second = max_degree_inverse(&any_graph::<N>(choices));
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
    claim!(
        sums_are(&square, one * one) && sums_are(&cube, one * one * one),
        "rows and columns of powers sum to one"
    );
    cover!(
        choices,
        N < 3 || !edges[0][N - 1] && square[0][N - 1] > 0,
        "two steps reach further than one"
    );
    Some(())
}

/// Covers any multiple of each unit vector, which is enough by linearity.
pub fn mixing_keeps_the_sum<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = metropolis(&any_graph::<N>(choices));
    let value = i32::from(choices.small(15));
    for u in 0..N {
        let (mut x, mut mixed) = ([0; N], [0; N]);
        x[u] = value;
        multiply(matrix.as_flattened(), &x, N, 1, &mut mixed);
        let mut sum = 0;
        for entry in mixed {
            sum += entry;
        }
        claim!(sum == value * common_denominator(N), "the sum stays");
    }
    cover!(choices, N < 2 || matrix[0][1] > 0 && value > 0, "an edge");
    Some(())
}

pub fn mixing_stays_between_the_extremes<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = metropolis(&any_graph::<N>(choices));
    let mut x = [0; N];
    let (mut smallest, mut largest) = (i32::MAX, 0);
    for entry in &mut x {
        *entry = i32::from(choices.small(3));
        smallest = smallest.min(*entry);
        largest = largest.max(*entry);
    }
    let mut mixed = [0; N];
    multiply(matrix.as_flattened(), &x, N, 1, &mut mixed);
    let one = common_denominator(N);
    for entry in mixed {
        claim!(
            smallest * one <= entry && entry <= largest * one,
            "a mixed value lies between the smallest and the largest"
        );
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
        let mut sum = 0;
        for entry in mixed {
            sum += entry;
        }
        claim!(sum == below * one, "the row still sums to one");
        claim!(row_sum(&matrix, v) == one, "as before");
    }
    cover!(choices, above > below, "g above 1");
    Some(())
}
