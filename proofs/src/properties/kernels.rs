//! The float kernels are, bit for bit, the expressions of the theorems in `theorems/`; `KERNELS.md` has the table. The neighbours of
//! a float are taken from its bits, not from the library.

use crate::{Case, Choices, claim, cover, split};
use muffliato_design::cores::Enclosed;
use muffliato_fast::{
    Enclosure,
    cores::{
        Ball, Pair, absorb_up, accumulated, add_down, add_up, degree_weights, enlarged,
        enlarged_root, fast_two_sum, minus_up, mixed_block, mixed_entry, mixed_entry_up, radius_up,
        raised, ratio_up, residual_up, sum_up, times_up, two_product, two_sum,
    },
};

/// `2^-53` and the smallest float.
const UNIT: f64 = power(-53);
const SMALLEST: f64 = f64::from_bits(1);

/// Sizes at which something changes: 0, subnormal and normal floats, sums that round, products that underflow or overflow.
#[rustfmt::skip]
const SIZES: &[f64] = &[
    0.0, SMALLEST, f64::MIN_POSITIVE, 1e-200, UNIT, 0.1, 1.0 / 3.0, 1.0, 1.0 + f64::EPSILON, 3.0, 1e200,
];

const fn power(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Draws finite floats that are not negative.
fn sizes<const K: usize>(choices: &mut impl Choices) -> Option<[f64; K]> {
    let sizes = choices.array(|choices| choices.float(SIZES).abs());
    for size in sizes {
        choices.assume(size < f64::INFINITY)?;
    }
    Some(sizes)
}

/// Draws finite floats of any sign, below `most` in size.
fn numbers<const K: usize>(choices: &mut impl Choices, most: f64) -> Option<[f64; K]> {
    let mut numbers = sizes(choices)?;
    for number in &mut numbers {
        choices.assume(*number < most)?;
        if choices.flag() {
            *number = -*number;
        }
    }
    Some(numbers)
}

/// Returns the next float above one that is no NaN.
fn above(float: f64) -> f64 {
    match float {
        f64::INFINITY => float,
        negative if negative < 0.0 => f64::from_bits(float.to_bits() - 1),
        _ => f64::from_bits(float.abs().to_bits() + 1),
    }
}

/// Returns the next float below one that is no NaN.
fn below(float: f64) -> f64 {
    -above(-float)
}

/// Returns `true` if the two numbers are the same float.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits()
}

/// Returns `true` if both parts are the same floats.
fn both_same(one: (f64, f64), other: (f64, f64)) -> bool {
    same(one.0, other.0) && same(one.1, other.1)
}

// Definitions of floats.v: `add_up`, `times_up`, `ratio_up`, and `sum_up` for the number of terms plus 3.

fn sum_above(a: f64, b: f64) -> f64 {
    match (a == 0.0, b == 0.0) {
        (true, _) => b,
        (_, true) => a,
        _ => above(a + b),
    }
}

fn product_above(a: f64, b: f64) -> f64 {
    match a {
        1.0 => b,
        _ if a == 0.0 || b == 0.0 => 0.0,
        _ => above(a * b),
    }
}

fn quotient_above(over: i128, under: i128) -> f64 {
    match over {
        0 => 0.0,
        _ if over == under => 1.0,
        _ => above(above(over as f64) / below(under as f64)),
    }
}

fn sum_with_units(sum: f64, units: f64) -> f64 {
    above(sum * above(1.0 + units * UNIT))
}

pub fn add_up_is_the_float_above_the_sum<const N: usize>(choices: &mut impl Choices) -> Case {
    let [a, b] = sizes(choices)?;
    claim!(same(add_up(a, b), sum_above(a, b)), "the float above the nearest");
    cover!(choices, a > 0.0 && a + b == b, "a term that is lost");
    Some(())
}

pub fn times_up_is_the_float_above_the_product<const N: usize>(choices: &mut impl Choices) -> Case {
    let [a, b] = sizes(choices)?;
    claim!(same(times_up(a, b), product_above(a, b)), "the float above the nearest");
    cover!(choices, a > 0.0 && b > 0.0 && a * b == 0.0, "a product that underflows");
    Some(())
}

pub fn ratio_up_takes_each_part_outwards<const N: usize>(choices: &mut impl Choices) -> Case {
    let [over, under] = choices.array(|choices| i128::from(choices.word()));
    choices.assume(under > 0)?;
    claim!(same(ratio_up(over, under), quotient_above(over, under)), "the floats around");
    cover!(choices, over > 1 << 54 && over < under, "parts that round");
    Some(())
}

pub fn absorb_up_takes_both_shares_up<const N: usize>(choices: &mut impl Choices) -> Case {
    let [arrived] = sizes(choices)?;
    let [over, under] = choices.array(|choices| i128::from(choices.word()));
    choices.assume(under > 0 && over <= under)?;
    let share = |over| product_above(quotient_above(over, under), arrived);
    let expected = (share(over), share(under - over));
    claim!(both_same(absorb_up(arrived, over, under), expected), "products with both fractions");
    cover!(choices, arrived > 0.0 && over == under, "nothing is left");
    Some(())
}

pub fn sum_up_adds_three_units_to_the_terms<const N: usize>(choices: &mut impl Choices) -> Case {
    let ([sum], terms) = (sizes(choices)?, choices.word() as u32);
    let expected = sum_with_units(sum, f64::from(terms) + 3.0);
    claim!(same(sum_up(sum, terms as usize), expected), "a unit for each term and three more");
    cover!(choices, sum > 1.0 && terms > 1 << 26, "many terms");
    Some(())
}

/// The row of node 1, its weight first, with N neighbours: all others from node 0 on. Rows and vectors have a place more than there are
/// nodes, so that node 1 is there.
struct Row<const N: usize> {
    columns: [u32; N],
    row: [f64; 16],
    x: [f64; 16],
}

impl<const N: usize> Row<N> {
    fn any(choices: &mut impl Choices) -> Option<Self> {
        let (mut columns, mut row, mut x) = ([0; N], [0.0; 16], [0.0; 16]);
        [row[0], x[1]] = sizes(choices)?;
        for place in 0..N {
            let node = place + usize::from(place > 0);
            columns[place] = node as u32;
            [row[place + 1], x[node]] = sizes(choices)?;
        }
        Some(Self { columns, row, x })
    }

    /// Adds the products in order, beginning with that of the node itself.
    fn sum(&self, times: impl Fn(f64, f64) -> f64, plus: impl Fn(f64, f64) -> f64) -> f64 {
        let mut sum = times(self.row[0], self.x[1]);
        for place in 0..N {
            sum = plus(sum, times(self.row[place + 1], self.x[self.columns[place] as usize]));
        }
        sum
    }
}

pub fn mixed_entries_are_summed_in_order<const N: usize>(choices: &mut impl Choices) -> Case {
    let drawn = Row::<N>::any(choices)?;
    let sum = drawn.sum(|a, b| a * b, |a, b| a + b);
    let Row { columns, row, x } = drawn;
    let (own, values) = (row[0], &row[1..=N]);
    claim!(same(mixed_entry(1, own, &columns, values, &x), sum), "the products in order");
    let (mut block, mut out) = ([1.0; 32], [0.0; 2]);
    for node in 0..16 {
        block[2 * node + 1] = x[node];
    }
    mixed_block(1, own, &columns, values, &block, &mut out);
    claim!(same(out[1], sum), "a block is summed in the same order");
    cover!(choices, sum > own * x[1], "a sum");
    Some(())
}

pub fn mixed_entry_up_is_above_what_is_summed_in_order<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let drawn = Row::<N>::any(choices)?;
    let sum = drawn.sum(|a, b| a * b, |a, b| a + b);
    let terms = drawn.sum(product_above, sum_above);
    let far = sum > power(-900);
    let expected = if far { sum_with_units(sum, N as f64 + 4.0) } else { terms };
    let computed = mixed_entry_up(1, &drawn.row[..=N], &drawn.columns, &drawn.x);
    claim!(same(computed, expected), "units, or term by term near underflow");
    cover!(choices, far, "far from underflow");
    cover!(choices, !far && terms > 0.0, "near underflow");
    Some(())
}

pub fn enclosures_have_the_ends_of_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let ([value], operations) = (sizes(choices)?, choices.word());
    let lost = operations as f64 * SMALLEST;
    let drawn = choices.index(N);
    split(drawn, N, |roundings| {
        let around = Enclosure::around(value, roundings as u64, operations);
        let ends = (around.lower(), around.upper());
        if lost == 0.0 && (value == 0.0 || roundings == 0) {
            claim!(ends.0 == value && ends.1 == value, "what is not rounded is exact");
            return;
        }
        let units = (roundings as f64 + 2.0) * UNIT;
        let spread = units / (1.0 - units) * (1.0 + 8.0 * UNIT);
        let (mut low, mut high) = (below(value * (1.0 - spread)), value);
        if lost > 0.0 {
            (low, high) = (below(low - lost), above(value + lost));
        }
        let low = if low > 0.0 { low } else { 0.0 };
        claim!(both_same(ends, (low, above(high * (1.0 + spread)))), "the ends of the lemma");
    });
    cover!(choices, value > lost && lost > 0.0 && drawn == N, "a loss");
    Some(())
}

pub fn roundings_accumulate_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let roundings = choices.word();
    let unit = if choices.flag() { UNIT } else { 32.0 * UNIT * UNIT };
    let spread = (roundings as f64 + 2.0) * unit;
    let expected = if spread < 1e-3 { spread * 1.01 } else { f64::INFINITY };
    claim!(same(accumulated(roundings, unit), expected), "two more, and a hundredth");
    cover!(choices, spread >= 1e-3, "too many roundings");
    cover!(choices, roundings < 1000, "few roundings");
    Some(())
}

pub fn degree_weights_are_summed_in_groups<const N: usize>(choices: &mut impl Choices) -> Case {
    let own = choices.word() as u32 >> 6;
    let others: [u32; N] = choices.array(|choices| choices.word() as u32 >> 6);
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

/// Beyond 2^1000 the difference of a sum and a term may be infinite.
pub fn sums_and_their_errors_are_those_of_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let [a, b] = numbers(choices, power(1000))?;
    claim!(both_same(two_sum(a, b), knuth(a, b)), "a sum has the error of Knuth");
    claim!(both_same(fast_two_sum(a, b), dekker(a, b)), "and that of Dekker");
    cover!(choices, knuth(a, b).1 != 0.0, "a sum that rounds");
    Some(())
}

pub fn products_and_their_errors_are_those_of_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let [a, b] = numbers(choices, 1e150)?;
    claim!(both_same(two_product(a, b), dekker_product(a, b)), "a product has the error of Dekker");
    cover!(choices, dekker_product(a, b).1 != 0.0, "a product that rounds");
    Some(())
}

pub fn pairs_are_computed_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let [a, b, c, d] = numbers(choices, 1e75)?;
    let (x, y) = (Pair { high: a, low: b }, Pair { high: c, low: d });
    let is = |pair: Pair, expected| both_same((pair.high, pair.low), expected);
    claim!(is(x.negated(), (-a, -b)), "both parts change their signs");
    let ((sum, lost), (tail, tail_lost)) = (knuth(a, c), knuth(b, d));
    let (once, rest) = dekker(sum, lost + tail);
    claim!(is(x.plus(y), dekker(once, tail_lost + rest)), "a sum has the errors of both parts");
    let (product, lost) = dekker_product(a, c);
    let mixed = lost + (a * d + b * c);
    claim!(is(x.times(y), dekker(product, mixed)), "a product has both mixed products");
    let scaled = |(high, low): (f64, f64), factor: f64| {
        let (product, lost) = dekker_product(high, factor);
        let (once, rest) = dekker(product, low * factor);
        dekker(once, rest + lost)
    };
    claim!(is(x.scaled(c), scaled((a, b), c)), "a multiple has both errors");
    cover!(choices, a != 0.0 && sum == 0.0 && tail != 0.0, "high parts that cancel");
    cover!(choices, lost != 0.0, "a product that rounds");
    let quotient = a / c;
    choices.assume(c != 0.0 && quotient.abs() < 1e75)?;
    let back = scaled((c, d), quotient);
    let corrected = dekker(quotient, ((a - back.0) + (b - back.1)) / c);
    claim!(is(x.over(y), corrected), "a quotient is corrected once");
    Some(())
}

pub fn computed_numbers_are_enlarged_as_in_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let ([value], roundings) = (sizes(choices)?, choices.word() as u32);
    let (count, number) = (f64::from(roundings), roundings as usize);
    claim!(same(raised(value, number), value * (1.0 + (count + 2.0) * UNIT * 1.01)), "two more");
    let spread = (count + 4.0) * UNIT * 1.01;
    let expected = above(value * (1.0 + spread)) + count * SMALLEST;
    claim!(same(enlarged(value, number), expected), "four roundings more, and underflow");
    let expected = value * (1.0 + (count + 8.0) * UNIT) + count * power(-530);
    claim!(same(enlarged_root(value, number), expected), "eight more, and squares that underflow");
    cover!(choices, value > 1.0 && roundings > 1 << 20, "many roundings");
    Some(())
}

/// Computes `radius_up` of balls.v.
fn sum_of_terms_above(terms: &[f64]) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        sum += term;
    }
    sum * (1.0 + 16.0 * UNIT) + 16.0 * SMALLEST
}

/// Returns `true` if a ball has this centre and the radius of these terms, or says nothing.
fn is_ball(ball: Ball, centre: f64, terms: &[f64]) -> bool {
    let radius = sum_of_terms_above(terms);
    let known = centre.abs() < f64::INFINITY && radius < f64::INFINITY;
    let ends = ball.lower() == below(centre - radius) && ball.upper() == above(centre + radius);
    !known || same(ball.centre(), centre) && ends
}

/// Kani knows nothing of square roots, so that whether the centre of one is the root is tried, not proved.
pub fn balls_have_the_radius_of_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let ([a, b], [r, s]) = (numbers(choices, f64::INFINITY)?, sizes(choices)?);
    let terms = [r, s, a.abs(), b.abs()];
    let sum = sum_of_terms_above(&terms);
    choices.assume(sum < f64::INFINITY)?;
    claim!(same(radius_up(&terms), sum), "a radius is the sum with sixteen units");
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
        let underflow = 2.0 * SMALLEST * (1.0 + s);
        let carried = (r + quotient.abs() * s + underflow) / least;
        let terms = [carried, UNIT * quotient.abs()];
        claim!(is_ball(one.over(other), quotient, &terms), "a quotient is in its ball");
    }
    if a > 0.0 {
        let ball = one.sqrt();
        let root = ball.centre();
        claim!(cfg!(kani) || same(root, a.sqrt()), "a root is around the root");
        claim!(is_ball(ball, root, &[r / root, UNIT * root]), "a root is in its ball");
    }
    if a <= b {
        let middle = a + (b - a) / 2.0;
        let reach = if b - middle > middle - a { b - middle } else { middle - a };
        let ball = Ball::between(a, b);
        claim!(is_ball(ball, middle, &[reach, UNIT * reach]), "the ends are in the ball");
    }
    cover!(choices, least > 0.0 && s > 0.0, "a quotient");
    Some(())
}

pub fn differences_round_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let [a, b] = sizes(choices)?;
    let least = below(a + b);
    claim!(add_down(a, b) == if least > 0.0 { least } else { 0.0 }, "the float below, or 0");
    let most = if b < a { above(a - b) } else { 0.0 };
    claim!(same(minus_up(a, b), most), "the float above, or 0");
    cover!(choices, b > 0.0 && a - b == a, "a difference that is lost");
    Some(())
}

pub fn intervals_round_outwards_as_in_the_lemma<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let ([a, b, c, d], [factor]) = (numbers(choices, f64::INFINITY)?, sizes(choices)?);
    choices.assume(a <= b && c <= d)?;
    let (one, other) = (Enclosed(a, b), Enclosed(c, d));
    let is = |found: Enclosed, low, high| found.0 == below(low) && found.1 == above(high);
    claim!(is(one.plus(other), a + c, b + d), "a sum is between the sums of the ends");
    claim!(is(one.minus(other), a - d, b - c), "a difference is between those of opposite ends");
    claim!(is(one.times(factor), a * factor, b * factor), "a product is between those of the ends");
    let least = if a > 0.0 { a } else { b.min(0.0) };
    let square = below(least * least);
    let square = if square > 0.0 { square } else { 0.0 };
    claim!(one.square_below() == square, "at least the square of the end next to 0");
    let most = if a.abs() > b.abs() { a } else { b };
    claim!(one.square_above() == above(most * most), "at most that of the end away from 0");
    cover!(choices, b < 0.0 && square > 0.0, "a negative number");
    Some(())
}

pub fn residuals_are_bounded_as_in_the_lemma<const N: usize>(choices: &mut impl Choices) -> Case {
    let ([a, variance], [y]) = (sizes(choices)?, numbers(choices, f64::INFINITY)?);
    let mut row = [(0.0, 0.0); N];
    let (mut flow, mut flow_size) = (0.0, 0.0);
    for place in &mut row {
        let ([square], [b]) = (sizes(choices)?, numbers(choices, f64::INFINITY)?);
        *place = (square, b);
        flow += square * (y - b);
        flow_size += square * (y.abs() + b.abs());
    }
    let residual = a - variance * y - flow;
    let size = a + variance * y.abs() + flow_size;
    choices.assume(size < f64::INFINITY)?;
    let terms = N as f64 + 16.0;
    let expected = residual.abs() + terms * UNIT * 1.01 * size + terms * SMALLEST;
    let bound = residual_up(a, variance, y, row.iter().copied());
    claim!(same(bound, expected), "its size for each neighbour and sixteen times more");
    cover!(choices, residual < 0.0, "a negative residual");
    Some(())
}
