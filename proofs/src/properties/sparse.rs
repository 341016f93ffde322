//! Rows of the fast engine's gossip matrices: products, exactness on integers, rounding of the
//! weights.

use super::matrices::common_denominator;
use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::cores::{
    chebyshev, degree_roundings, degree_shift, degree_weights, mixed_block, mixed_entry,
};
use muffliato_model::WeightScheme;

/// The mixed row: neither the first nor, except for two nodes, the last.
const ROW: usize = 1;

/// A row of a sparse matrix on N + 1 nodes: the neighbours and their weights, sparse and dense.
struct Row<const N: usize> {
    count: usize,
    columns: [u32; N],
    values: [i64; N],
    own: i64,
    dense: [i64; N],
}

/// Returns the nodes other than [`ROW`], in order.
fn other(place: usize) -> usize {
    place + usize::from(place >= ROW)
}

fn any_row<const N: usize>(choices: &mut impl Choices) -> Row<N> {
    let mut row = Row {
        count: 0,
        columns: [0; N],
        values: [0; N],
        own: i64::from(choices.small(3)),
        dense: [0; N],
    };
    for w in 0..N {
        if choices.flag() {
            let weight = i64::from(choices.small(3));
            row.columns[row.count] = other(w) as u32;
            row.values[row.count] = weight;
            row.dense[w] = weight;
            row.count += 1;
        }
    }
    row
}

pub fn sparse_product_is_the_dense_one<const N: usize>(choices: &mut impl Choices) -> Case {
    let row = any_row::<N>(choices);
    let mut x = [0_i64; 9];
    for node in 0..=N {
        x[node] = i64::from(choices.signed(1));
    }
    let mut expected = row.own * x[ROW];
    for w in 0..N {
        expected += row.dense[w] * x[other(w)];
    }
    let sum =
        mixed_entry(ROW, row.own, &row.columns[..row.count], &row.values[..row.count], &x[..N + 1]);
    claim!(sum == expected, "the sparse product is the dense one");
    cover!(choices, row.count == N && sum < 0, "all are neighbours");
    Some(())
}

pub fn blocks_are_mixed_vector_by_vector<const N: usize>(choices: &mut impl Choices) -> Case {
    const WIDTH: usize = 2;
    let row = any_row::<N>(choices);
    let mut block = [0_i64; 9 * WIDTH];
    for place in 0..(N + 1) * WIDTH {
        block[place] = i64::from(choices.small(1));
    }
    let (columns, values) = (&row.columns[..row.count], &row.values[..row.count]);
    let mut out = [7; WIDTH];
    let x = &block[..(N + 1) * WIDTH];
    mixed_block(ROW, row.own, columns, values, x, &mut out);
    for k in 0..WIDTH {
        let mut vector = [0; 9];
        for node in 0..=N {
            vector[node] = block[node * WIDTH + k];
        }
        let alone = mixed_entry(ROW, row.own, columns, values, &vector[..N + 1]);
        claim!(out[k] == alone, "each vector is mixed as if it were alone");
    }
    cover!(choices, out[0] != out[1], "two vectors that differ");
    Some(())
}

pub fn steps_on_integers_are_exact<const N: usize>(choices: &mut impl Choices) -> Case {
    let row = any_row::<N>(choices);
    const FLOATS: [f64; 4] = [0.0, 1.0, 2.0, 3.0];
    let (mut values, mut whole, mut x) = ([0.0; N], [0; 9], [0.0; 9]);
    for place in 0..N {
        values[place] = FLOATS[row.values[place] as usize];
    }
    for node in 0..=N {
        let value = choices.index(3);
        whole[node] = value as i64;
        x[node] = FLOATS[value];
    }
    let columns = &row.columns[..row.count];
    let exact = mixed_entry(ROW, row.own, columns, &row.values[..row.count], &whole[..N + 1]);
    let float =
        mixed_entry(ROW, FLOATS[row.own as usize], columns, &values[..row.count], &x[..N + 1]);
    claim!(float == exact as f64, "no rounding on integers");
    cover!(choices, exact > 9, "several products");
    Some(())
}

/// Splits a finite positive float: `mantissa * 2^exponent`.
pub fn parts(float: f64) -> (u64, i32) {
    let bits = float.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent as i32 - 1075),
    }
}

/// Returns `true` if `float` lies within `roundings` times 2^-53 of `above / below`, relatively;
/// for fractions of at most one with terms below 2^12.
fn is_within(float: f64, above: u64, below: u64, roundings: u64) -> bool {
    if above == 0 {
        return float == 0.0;
    }
    let (mantissa, exponent) = parts(float);
    if mantissa == 0 || !(-64..=0).contains(&exponent) {
        return false;
    }
    let computed = u128::from(mantissa) * u128::from(below);
    let exact = u128::from(above) << -exponent;
    // Both terms are below 2^76, and the error is a few units of 2^12.
    let error = computed.abs_diff(exact);
    error < 1 << 64 && error << 53 <= u128::from(roundings) * exact
}

/// Returns what the scheme adds to degrees.
pub fn shift_of(metropolis: bool) -> usize {
    let inverse = WeightScheme::MaxDegreeInverse;
    let scheme = if metropolis { WeightScheme::Metropolis } else { inverse };
    degree_shift(&scheme).expect("a scheme that goes by degrees")
}

pub fn float_weights_round_as_counted<const N: usize>(choices: &mut impl Choices) -> Case {
    let metropolis = choices.flag();
    let drawn = choices.index(N);
    let others: [usize; N] = choices.array(|choices| choices.index(N));
    split(usize::from(metropolis), 1, |metropolis| {
        split(drawn, N, |count| {
            let own = (count + shift_of(metropolis == 1)).max(1) as u32;
            let mut constant = [1_u32; N];
            for place in 0..N {
                split(others[place], N, |other| constant[place] = 1 + other as u32);
            }
            let mut values = [0.0; N];
            let diagonal: f64 =
                degree_weights(own, constant[..count].iter().copied(), &mut values[..count]);
            let one = common_denominator(N + 1) as u64;
            let mut rest = one;
            for place in 0..count {
                let larger = u64::from(own.max(constant[place]));
                rest -= one / larger;
                claim!(is_within(values[place], 1, larger, 1), "an edge is rounded once");
            }
            // One rounding less than counted, which leaves room for higher powers of 2^-53.
            let roundings = degree_roundings(count);
            claim!(is_within(diagonal, rest, one, roundings - 1), "the diagonal is near");
        });
    });
    cover!(choices, drawn == N && others[0] == N, "a larger degree");
    Some(())
}

pub fn acceleration_keeps_constants_and_sums<const N: usize>(choices: &mut impl Choices) -> Case {
    let g = i64::from(choices.small(5));
    let (mut mixed, mut previous) = ([0; N], [0; N]);
    let mut difference = 0;
    for node in 0..N {
        mixed[node] = i64::from(choices.small(3));
        previous[node] = i64::from(choices.small(3));
        difference += mixed[node] - previous[node];
    }
    choices.assume(difference == 0)?;
    let before = (mixed, previous);
    chebyshev(g, &mut mixed, &previous);
    let (mut sum, mut expected) = (0, 0);
    for node in 0..N {
        sum += mixed[node];
        expected += before.0[node];
        claim!(before.0[node] != before.1[node] || mixed[node] == before.0[node], "fixed points");
    }
    claim!(sum == expected, "the sum stays");
    cover!(choices, N < 2 || g > 1 && mixed[0] > 3, "an overshoot");
    Some(())
}
