//! The float kernels are, bit for bit, the expressions that `theorems/floats.v` speaks of. `KERNELS.md` has the table.
//!
//! The neighbours of a float are taken from its bits here, not from the library.

use crate::{Case, Choices, claim, cover, split};
use muffliato_design::cores::Enclosed;
use muffliato_fast::{
    Enclosure,
    cores::{
        Ball, Pair, absorb_up, accumulated, add_down, add_up, degree_weights, enlarged,
        enlarged_root, fast_two_sum, minus_up, mixed_block, mixed_entry, mixed_entry_up, radius_up,
        ratio_up, residual_up, sum_up, times_up, two_product, two_sum,
    },
};

/// Sizes at which something changes: 0, subnormal and normal floats, sums that round, products that underflow or overflow.
const SIZES: &[f64] = &[
    0.0,
    f64::from_bits(1),
    f64::MIN_POSITIVE,
    1e-200,
    UNIT,
    0.1,
    1.0 / 3.0,
    1.0,
    1.0 + f64::EPSILON,
    3.0,
    1e200,
];

/// `2^-53`.
const UNIT: f64 = f64::from_bits(970 << 52);

/// `2^1000`.
const HUGE: f64 = f64::from_bits(2023 << 52);

/// Draws a finite float that is not negative.
fn any_size(choices: &mut impl Choices) -> Option<f64> {
    let size = choices.float(SIZES).abs();
    choices.assume(size < f64::INFINITY)?;
    Some(size)
}

/// Returns the next float above one that is not negative.
fn above(float: f64) -> f64 {
    if float == f64::INFINITY {
        return float;
    }
    f64::from_bits(float.to_bits() + 1)
}

/// Returns the next float below.
fn below(float: f64) -> f64 {
    match float {
        0.0 => -f64::from_bits(1),
        negative if negative < 0.0 => -above(-negative),
        positive => f64::from_bits(positive.to_bits() - 1),
    }
}

/// Returns the next float above one of any sign.
fn float_above(float: f64) -> f64 {
    -below(-float)
}

/// Returns `true` if the two numbers are the same float.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits()
}

/// Computes `add_up` of floats.v.
fn sum_above(a: f64, b: f64) -> f64 {
    match (a == 0.0, b == 0.0) {
        (true, _) => b,
        (_, true) => a,
        _ => above(a + b),
    }
}

/// Computes `times_up` of floats.v.
fn product_above(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    if a == 1.0 { b } else { above(a * b) }
}

/// Computes `ratio_up` of floats.v.
fn quotient_above(over: i128, under: i128) -> f64 {
    if over == 0 {
        return 0.0;
    }
    if over == under {
        return 1.0;
    }
    above(above(over as f64) / below(under as f64))
}

/// Computes `sum_up` of floats.v, for the number of terms plus 3.
fn sum_with_units(sum: f64, units: f64) -> f64 {
    above(sum * above(1.0 + units * UNIT))
}

pub fn add_up_is_the_float_above_the_sum<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, b) = (any_size(choices)?, any_size(choices)?);
    claim!(
        same(add_up(a, b), sum_above(a, b)),
        "a sum is the float above the nearest, and zeros are exact"
    );
    cover!(choices, a > 0.0 && a + b == b, "a term that is lost");
    Some(())
}

pub fn times_up_is_the_float_above_the_product<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, b) = (any_size(choices)?, any_size(choices)?);
    claim!(
        same(times_up(a, b), product_above(a, b)),
        "a product is the float above the nearest, and zeros and ones are exact"
    );
    cover!(choices, a > 0.0 && b > 0.0 && a * b == 0.0, "a product that underflows");
    Some(())
}

/// For whole numbers up to 2^64.
pub fn ratio_up_takes_each_part_outwards<const N: usize>(choices: &mut impl Choices) -> Case {
    let (over, under) = (i128::from(choices.word()), i128::from(choices.word()));
    choices.assume(under > 0)?;
    claim!(
        same(ratio_up(over, under), quotient_above(over, under)),
        "a quotient is above that of the float above and the float below"
    );
    cover!(choices, over > 1 << 54 && over < under, "parts that round");
    Some(())
}

/// For whole numbers up to 2^64.
pub fn absorb_up_takes_both_shares_up<const N: usize>(choices: &mut impl Choices) -> Case {
    let arrived = any_size(choices)?;
    let (over, under) = (i128::from(choices.word()), i128::from(choices.word()));
    choices.assume(under > 0 && over <= under)?;
    let (absorbed, left) = absorb_up(arrived, over, under);
    claim!(
        same(absorbed, product_above(quotient_above(over, under), arrived)),
        "what is absorbed is the product with the fraction"
    );
    claim!(
        same(left, product_above(quotient_above(under - over, under), arrived)),
        "what is left is the product with the rest of the fraction"
    );
    cover!(choices, arrived > 0.0 && over == under, "nothing is left");
    Some(())
}

/// For any number of terms in 32 bits.
pub fn sum_up_adds_three_units_to_the_terms<const N: usize>(choices: &mut impl Choices) -> Case {
    let sum = any_size(choices)?;
    let terms = choices.word() as u32;
    claim!(
        same(sum_up(sum, terms as usize), sum_with_units(sum, f64::from(terms) + 3.0)),
        "a sum grows by a unit for each term and three more, each step to the float above"
    );
    cover!(choices, sum > 1.0 && terms > 1 << 26, "many terms");
    Some(())
}

/// The row of node 1 with N neighbours, all others: the terms of its product, and its product with two vectors stored together.
pub fn mixed_entries_are_summed_in_order<const N: usize>(choices: &mut impl Choices) -> Case {
    let (own, at_v) = (any_size(choices)?, any_size(choices)?);
    let (mut columns, mut values) = ([0_u32; N], [0.0; N]);
    // One neighbour more than there are, so that node 1 is there.
    let (mut x, mut block) = ([0.0; 16], [0.0; 32]);
    x[1] = at_v;
    let mut sum = own * at_v;
    for place in 0..N {
        let node = place + usize::from(place > 0);
        (columns[place], values[place]) = (node as u32, any_size(choices)?);
        x[node] = any_size(choices)?;
        sum += values[place] * x[node];
    }
    for node in 0..=N {
        (block[2 * node], block[2 * node + 1]) = (1.0, x[node]);
    }
    claim!(
        same(mixed_entry(1, own, &columns, &values, &x), sum),
        "the sum is that of the products in order"
    );
    let mut out = [0.0; 2];
    mixed_block(1, own, &columns, &values, &block, &mut out);
    claim!(same(out[1], sum), "a block is summed in the same order");
    cover!(choices, sum > own * at_v, "a sum");
    Some(())
}

/// A row as above, rounded up.
pub fn mixed_entry_up_is_above_what_is_summed_in_order<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let (own, at_v) = (any_size(choices)?, any_size(choices)?);
    let (mut columns, mut row, mut x) = ([0_u32; N], [0.0; 16], [0.0; 16]);
    (row[0], x[1]) = (own, at_v);
    let (mut sum, mut terms) = (own * at_v, product_above(own, at_v));
    for place in 0..N {
        let node = place + usize::from(place > 0);
        (columns[place], row[place + 1]) = (node as u32, any_size(choices)?);
        x[node] = any_size(choices)?;
        sum += row[place + 1] * x[node];
        terms = sum_above(terms, product_above(row[place + 1], x[node]));
    }
    let far = sum > f64::from_bits(123 << 52);
    let expected = match far {
        true => sum_with_units(sum, N as f64 + 4.0),
        false => terms,
    };
    claim!(
        same(mixed_entry_up(1, &row[..=N], &columns, &x), expected),
        "far from underflow a row grows by its roundings, elsewhere term by term"
    );
    cover!(choices, far, "far from underflow");
    cover!(choices, !far && terms > 0.0, "near underflow");
    Some(())
}

/// For up to N roundings, and what any number of operations may have lost to underflow.
pub fn enclosures_have_the_ends_of_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let (value, operations) = (any_size(choices)?, choices.word());
    let lost = operations as f64 * f64::from_bits(1);
    let drawn = choices.index(N);
    split(drawn, N, |roundings| {
        let around = Enclosure::around(value, roundings as u64, operations);
        if lost == 0.0 && (value == 0.0 || roundings == 0) {
            claim!(
                around.lower() == value && around.upper() == value,
                "what is not rounded is exact"
            );
            return;
        }
        let units = (roundings as f64 + 2.0) * UNIT;
        let spread = units / (1.0 - units) * (1.0 + 8.0 * UNIT);
        let (mut low, mut high) = (below(value * (1.0 - spread)), value);
        if lost > 0.0 {
            (low, high) = (below(low - lost), above(value + lost));
        }
        claim!(
            same(around.upper(), above(high * (1.0 + spread))),
            "the upper end is that of the lemma"
        );
        claim!(
            same(around.lower(), if low > 0.0 { low } else { 0.0 }),
            "the lower end is that of the lemma"
        );
    });
    cover!(choices, value > lost && lost > 0.0 && drawn == N, "a loss");
    Some(())
}

/// For any number of roundings, of f64 and of pairs.
pub fn roundings_accumulate_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let roundings = choices.word();
    let unit = if choices.flag() { UNIT } else { 32.0 * UNIT * UNIT };
    let spread = (roundings as f64 + 2.0) * unit;
    let expected = match spread < 1e-3 {
        true => spread * 1.01,
        false => f64::INFINITY,
    };
    claim!(
        same(accumulated(roundings, unit), expected),
        "roundings grow by two and a hundredth, or say nothing"
    );
    cover!(choices, spread >= 1e-3, "too many roundings");
    cover!(choices, roundings < 1000, "few roundings");
    Some(())
}

/// A node with N neighbours, of any degrees below 2^26.
pub fn degree_weights_are_summed_in_groups<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut degree = || choices.word() as u32 >> 6;
    let own = degree();
    let mut others = [0; N];
    for other in &mut others {
        *other = degree();
    }
    choices.assume(own as usize >= N)?;
    let mut values = [0.0; N];
    let diagonal: f64 = degree_weights(own, others.iter().copied(), &mut values);
    let (size, mut larger) = (f64::from(own), false);
    let mut expected = f64::from(own - N as u32) / size;
    for start in (0..=N).step_by(32) {
        let mut group = 0.0;
        for place in start..N.min(start + 32) {
            let other = f64::from(others[place]);
            let most = if other > size { other } else { size };
            claim!(same(values[place], 1.0 / most), "a weight is the inverse of the larger degree");
            larger |= other > size;
            group += if other > size { (other - size) / (size * other) } else { 0.0 };
        }
        expected += group;
    }
    claim!(same(diagonal, expected), "the weight of a node is summed in groups of 32");
    cover!(choices, larger && diagonal < 1.0, "a larger degree");
    Some(())
}

/// A finite float of any sign.
fn any_number(choices: &mut impl Choices) -> Option<f64> {
    let size = any_size(choices)?;
    Some(if choices.flag() { -size } else { size })
}

/// Returns a sum and its error by Knuth.
fn knuth(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// Returns a sum and its error by Dekker, for a first term that is larger.
fn dekker(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Returns a product and its error by Dekker.
fn dekker_product(a: f64, b: f64) -> (f64, f64) {
    let halves = |x: f64| {
        let shifted = x * 134_217_729.0;
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let ((a1, a2), (b1, b2)) = (halves(a), halves(b));
    let product = a * b;
    (product, (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2)
}

/// Returns `true` if both parts are the same floats.
fn both_same(one: (f64, f64), other: (f64, f64)) -> bool {
    same(one.0, other.0) && same(one.1, other.1)
}

pub fn sums_and_their_errors_are_those_of_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let (a, b) = (any_number(choices)?, any_number(choices)?);
    // Beyond, the difference of the sum and a term may be infinite.
    choices.assume(a.abs() < HUGE && b.abs() < HUGE)?;
    claim!(both_same(two_sum(a, b), knuth(a, b)), "a sum has the error of Knuth");
    claim!(
        both_same(fast_two_sum(a, b), dekker(a, b)),
        "a sum has the error of Dekker, if the first term is larger"
    );
    cover!(choices, knuth(a, b).1 != 0.0, "a sum that rounds");
    Some(())
}

pub fn products_and_their_errors_are_those_of_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let (a, b) = (any_number(choices)?, any_number(choices)?);
    choices.assume(a.abs() < 1e150 && b.abs() < 1e150)?;
    claim!(both_same(two_product(a, b), dekker_product(a, b)), "a product has the error of Dekker");
    cover!(choices, dekker_product(a, b).1 != 0.0, "a product that rounds");
    Some(())
}

/// Two pairs of any parts, far from overflow.
pub fn pairs_are_computed_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, b) = (any_number(choices)?, any_number(choices)?);
    let (c, d) = (any_number(choices)?, any_number(choices)?);
    choices.assume(a.abs() < 1e75 && b.abs() < 1e75 && c.abs() < 1e75 && d.abs() < 1e75)?;
    let (x, y) = (Pair { high: a, low: b }, Pair { high: c, low: d });
    let parts = |pair: Pair| (pair.high, pair.low);
    claim!(both_same(parts(x.negated()), (-a, -b)), "both parts change their signs");
    let ((sum, lost), (tail, tail_lost)) = (knuth(a, c), knuth(b, d));
    let (once, rest) = dekker(sum, lost + tail);
    claim!(
        both_same(parts(x.plus(y)), dekker(once, tail_lost + rest)),
        "a sum has the errors of both parts"
    );
    let (product, lost) = dekker_product(a, c);
    claim!(
        both_same(parts(x.times(y)), dekker(product, lost + (a * d + b * c))),
        "a product has its error and both mixed products"
    );
    let scaled = |(high, low): (f64, f64), factor: f64| {
        let (product, lost) = dekker_product(high, factor);
        let (once, rest) = dekker(product, low * factor);
        dekker(once, rest + lost)
    };
    claim!(both_same(parts(x.scaled(c)), scaled((a, b), c)), "a multiple has both errors");
    cover!(choices, a != 0.0 && sum == 0.0 && tail != 0.0, "high parts that cancel");
    cover!(choices, lost != 0.0, "a product that rounds");
    let quotient = a / c;
    choices.assume(c != 0.0 && quotient.abs() < 1e75)?;
    let back = scaled((c, d), quotient);
    claim!(
        both_same(parts(x.over(y)), dekker(quotient, ((a - back.0) + (b - back.1)) / c)),
        "a quotient is corrected once"
    );
    Some(())
}

/// For any number of roundings in 32 bits.
pub fn computed_numbers_are_enlarged_as_in_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let value = any_size(choices)?;
    let roundings = choices.word() as u32;
    let count = f64::from(roundings);
    let spread = (count + 4.0) * UNIT * 1.01;
    let smallest = f64::from_bits(1);
    claim!(
        same(enlarged(value, roundings as usize), above(value * (1.0 + spread)) + count * smallest),
        "a number grows by its roundings and four more, and by what underflow took"
    );
    let lost = f64::from_bits(493 << 52); // 2^-530
    claim!(
        same(
            enlarged_root(value, roundings as usize),
            value * (1.0 + (count + 8.0) * UNIT) + count * lost
        ),
        "a root grows by the roundings of its square and eight more, and by the squares that underflow took"
    );
    cover!(choices, value > 1.0 && roundings > 1 << 20, "many roundings");
    Some(())
}

/// `radius_up` of balls.v.
fn sum_of_terms_above(terms: &[f64]) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        sum += term;
    }
    sum * (1.0 + 16.0 * UNIT) + 16.0 * f64::from_bits(1)
}

/// The ends of a ball are those of this centre and these terms.
fn is_ball(ball: Ball, centre: f64, terms: &[f64]) -> bool {
    let radius = sum_of_terms_above(terms);
    if !(centre.abs() < f64::INFINITY && radius < f64::INFINITY) {
        return true; // says nothing
    }
    same(ball.centre(), centre)
        && ball.upper() == float_above(centre + radius)
        && ball.lower() == below(centre - radius)
}

/// Sums, products and quotients of balls; the square root is not modelled.
pub fn balls_have_the_radius_of_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, r) = (any_number(choices)?, any_size(choices)?);
    let (b, s) = (any_number(choices)?, any_size(choices)?);
    let terms = [r, s, a.abs(), b.abs()];
    let above = sum_of_terms_above(&terms);
    choices.assume(above < f64::INFINITY)?;
    claim!(same(radius_up(&terms), above), "a radius is the sum with sixteen units");
    // Widening rounds the radii up once.
    let (one, other) = (Ball::exact(a).widened(r), Ball::exact(b).widened(s));
    let (r, s) = (sum_of_terms_above(&[0.0, r]), sum_of_terms_above(&[0.0, s]));
    let sum = a + b;
    claim!(is_ball(one.plus(other), sum, &[r, s, UNIT * sum.abs()]), "a sum is in its ball");
    let product = a * b;
    let terms = [a.abs() * s, b.abs() * r, r * s, UNIT * product.abs()];
    claim!(is_ball(one.times(other), product, &terms), "a product is in its ball");
    let least = (b.abs() - s) * (1.0 - 4.0 * UNIT);
    if least > 0.0 {
        let quotient = a / b;
        let underflow = 2.0 * f64::from_bits(1) * (1.0 + s);
        let carried = (r + quotient.abs() * s + underflow) / least;
        let terms = [carried, UNIT * quotient.abs()];
        claim!(is_ball(one.over(other), quotient, &terms), "a quotient is in its ball");
    }
    cover!(choices, least > 0.0 && s > 0.0, "a quotient");
    Some(())
}

pub fn differences_round_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, b) = (any_size(choices)?, any_size(choices)?);
    let least = below(a + b);
    claim!(
        add_down(a, b) == if least > 0.0 { least } else { 0.0 },
        "a sum from below is the float below the nearest, or 0"
    );
    claim!(
        same(minus_up(a, b), if b < a { above(a - b) } else { 0.0 }),
        "a difference from above is the float above the nearest, or 0"
    );
    cover!(choices, b > 0.0 && a - b == a, "a difference that is lost");
    Some(())
}

/// Ends of any sign; the factor is not negative.
pub fn intervals_round_outwards_as_in_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let (a, b) = (any_number(choices)?, any_number(choices)?);
    let (c, d) = (any_number(choices)?, any_number(choices)?);
    let factor = any_size(choices)?;
    choices.assume(a <= b && c <= d)?;
    let (one, other) = (Enclosed(a, b), Enclosed(c, d));
    let is = |found: Enclosed, low: f64, high: f64| {
        found.0 == below(low) && found.1 == float_above(high)
    };
    claim!(is(one.plus(other), a + c, b + d), "a sum is between the sums of the ends");
    claim!(is(one.minus(other), a - d, b - c), "a difference is between those of opposite ends");
    claim!(is(one.times(factor), a * factor, b * factor), "a product is between those of the ends");
    let least = if a > 0.0 { a } else { b.min(0.0) };
    let square = below(least * least);
    claim!(
        one.square_below() == if square > 0.0 { square } else { 0.0 },
        "a square is at least that of the end next to 0, and 0 between ends of both signs"
    );
    let most = if a.abs() > b.abs() { a } else { b };
    claim!(
        one.square_above() == float_above(most * most),
        "a square is at most that of the end that is away from 0"
    );
    cover!(choices, b < 0.0 && square > 0.0, "a negative number");
    Some(())
}

/// A node with N neighbours.
pub fn residuals_are_bounded_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let (a, variance) = (any_size(choices)?, any_size(choices)?);
    let y = any_number(choices)?;
    let mut row = [(0.0, 0.0); N];
    let (mut flow, mut flow_size) = (0.0, 0.0);
    for place in &mut row {
        *place = (any_size(choices)?, any_number(choices)?);
        flow += place.0 * (y - place.1);
        flow_size += place.0 * (y.abs() + place.1.abs());
    }
    let residual = a - variance * y - flow;
    let size = a + variance * y.abs() + flow_size;
    choices.assume(size < f64::INFINITY)?;
    let terms = N as f64 + 16.0;
    let expected = residual.abs() + terms * UNIT * 1.01 * size + terms * f64::from_bits(1);
    claim!(
        same(residual_up(a, variance, y, row.iter().copied()), expected),
        "a residual grows by its size for each neighbour and sixteen times more"
    );
    cover!(choices, residual < 0.0, "a negative residual");
    Some(())
}
