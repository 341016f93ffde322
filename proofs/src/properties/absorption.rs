//! The absorption bound in floats, which only round up.

use super::sparse::parts;
use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::cores::{absorb_up, add_up, mixed_entry_up, times_up};

/// Chooses a float from 1 to 2 times `2^exponent` with N free low bits; returns its mantissa and
/// itself.
fn any_float<const N: usize>(choices: &mut impl Choices, exponent: i32) -> (u128, f64) {
    let mut low = 0;
    for _ in 0..N {
        low = low << 1 | u64::from(choices.flag());
    }
    let float = f64::from_bits(((1023 + exponent) as u64) << 52 | low);
    (u128::from(1 << 52 | low), float)
}

/// Returns `true` if `float` is at least `above 2^exponent / below` and within a factor of 4 of it.
fn reaches(float: f64, above: u128, exponent: i32, below: u128) -> bool {
    if above == 0 {
        return float == 0.0;
    }
    let (mantissa, at) = parts(float);
    let shift = at - exponent + 4;
    (0..64).contains(&shift) && (below * u128::from(mantissa)) << shift >= above << 4
}

pub fn sums_and_products_only_round_up<const N: usize>(choices: &mut impl Choices) -> Case {
    let (large, a) = any_float::<N>(choices, 0);
    let (small, b) = any_float::<N>(choices, -3);
    claim!(reaches(add_up(a, b), (large << 3) + small, -55, 1), "a sum is not below the exact one");
    // The product of the mantissas without its last 52 bits, rounded up.
    let product = (large * small).div_ceil(1 << 52);
    claim!(reaches(times_up(a, b), product, -55, 1), "a product is not below the exact one");
    claim!(add_up(0.0, b) == b && add_up(a, 0.0) == a && times_up(1.0, b) == b, "exact: kept");
    claim!(times_up(0.0, b) == 0.0 && times_up(a, 0.0) == 0.0, "zeros are exact");
    cover!(choices, large * small % (1 << 52) != 0, "a product that rounds");
    Some(())
}

pub fn mixed_deviations_only_round_up<const N: usize>(choices: &mut impl Choices) -> Case {
    const EXPONENTS: [i32; 3] = [-1, -2, -2];
    let (mut row, mut x) = ([0.0; 3], [0.0; 3]);
    // The exact sum in units of 2^-107.
    let mut exact = 0_u128;
    for place in 0..3 {
        let (weight, float) = any_float::<N>(choices, EXPONENTS[place]);
        row[place] = float;
        let (value, float) = any_float::<N>(choices, 0);
        x[place] = float;
        exact += (weight * value) << (3 + EXPONENTS[place]);
    }
    let mixed = mixed_entry_up(0, &row, &[1, 2], &x);
    let (mantissa, at) = parts(mixed);
    claim!((-55..=-51).contains(&at) && u128::from(mantissa) << (at + 107) >= exact, "not below");
    claim!(u128::from(mantissa) << (at + 107) <= exact + (exact >> 48), "and hardly above it");
    let nothing = mixed_entry_up(0, &row, &[1, 2], &[0.0; 3]);
    claim!(nothing == 0.0, "nothing comes of nothing");
    let tiny = mixed_entry_up(0, &row, &[1, 2], &[0.0, f64::from_bits(1), 0.0]);
    claim!(tiny > 0.0, "what underflows is not lost");
    let computed = row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
    let (mantissa, at) = parts(computed);
    cover!(choices, u128::from(mantissa) << (at + 107) < exact, "a sum that was rounded down");
    Some(())
}

pub fn absorption_only_rounds_up<const N: usize>(choices: &mut impl Choices) -> Case {
    let drawn = choices.index(3);
    let (mantissa, arrived) = any_float::<N>(choices, 0);
    let mut emptied = false;
    split(drawn, 3, |thirds| {
        let (absorbed, left) = absorb_up(arrived, thirds as i128, 3);
        claim!(reaches(absorbed, mantissa * thirds as u128, -52, 3), "enough is absorbed");
        claim!(reaches(left, mantissa * (3 - thirds) as u128, -52, 3), "enough is left");
        claim!(absorbed >= 0.0 && left >= 0.0 && (left == 0.0) == (thirds == 3), "one leaves none");
        let (more, still) = absorb_up(arrived.next_up(), thirds as i128, 3);
        claim!(more >= absorbed && still >= left, "nothing falls when what arrives is rounded up");
        claim!(absorb_up(0.0, thirds as i128, 3) == (0.0, 0.0), "nothing of nothing");
        emptied = left == 0.0;
    });
    #[cfg(test)]
    claim_bound_is_above_the_exact_one(choices);
    cover!(choices, emptied, "all is absorbed");
    cover!(choices, !emptied, "something is left");
    Some(())
}

/// Checks the whole bound on the path of three nodes for any thirds: fractions that leave something
/// audible are rejected, and the result is not below the exact one.
#[cfg(test)]
fn claim_bound_is_above_the_exact_one(choices: &mut impl Choices) {
    use muffliato_certificate::absorption_bound;
    use muffliato_fast::AbsorptionBounds;
    use muffliato_model::{
        Absorption, Fraction, Lipschitz, Network, Observer, Protocol, WeightScheme, families,
    };
    use muffliato_reference::BigRational;
    let mut third = || Fraction::try_new(choices.small(3).into(), 3).expect("a third");
    let fractions = [(0, 2, third()), (1, 1, third()), (1, 2, third())];
    let path = families::path(3).expect("a path");
    let network = Network::try_new(path, WeightScheme::Metropolis).expect("a network");
    let protocol = Protocol::gradient_descent(network, 3, 1).expect("three rounds");
    let (observer, convex) = (Observer::full(0), Lipschitz::default());
    let all = [(2, 1, Fraction::ONE)];
    let plan = Absorption::try_new(&protocol, fractions.into_iter().chain(all));
    let plans = [plan.expect("fractions")];
    let exact = absorption_bound(&protocol, &[2], &observer, &convex, &plans);
    let bounds = AbsorptionBounds::of(&protocol, &observer, &convex).expect("a small protocol");
    let float = bounds.of_plans(&[2], &plans);
    claim!(exact.is_ok() == float.is_ok(), "what is heard is refused");
    if let (Ok(exact), Ok(float)) = (exact, float) {
        let float = BigRational::from_float(float).expect("finite");
        claim!(float >= exact, "the bound is not below the exact one");
    }
}
