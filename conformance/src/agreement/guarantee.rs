//! Conversion from leakage to a guarantee, at the parameters of the case.

use super::{Answer, Answers, Quantity, Width, exactly, one};
use crate::case::Case;
use muffliato_fast::{
    Enclosure, FastError, GaussianPrivacy, central_error, local_error, mironov_epsilon,
};
use muffliato_reference::{
    BigRational,
    enclosure::Interval,
    guarantee::{self, NoiseScale},
    order, rational,
};
use num_traits::{One, Zero};

/// Precision of intervals for irrational numbers, in bits.
const BITS: u32 = 90;

/// Relative excess allowed for a number that is rounded up.
const ROUNDED: f64 = 1e-14;

/// Compares shift, zero-concentrated and Renyi loss, the exact curve in both directions, Mironov's
/// conversion, and the baselines.
pub(super) fn quantities(case: &Case) -> Vec<Quantity> {
    let given = case.parameters();
    let (epsilon, delta) = (rational(given.epsilon), rational(given.delta));
    // The shift is rational, because the leakage is a square.
    let shift = rational(given.root_leakage) * rational(given.sensitivity) / rational(given.sigma);
    let mut found = vec![
        Quantity::new("mu, zCDP and Renyi loss", losses(case), fast_losses(case)),
        Quantity::new(
            "Mironov's conversion",
            one(guarantee::mironov_epsilon(
                &rational(given.variance),
                &rational(given.alpha),
                &delta,
                BITS,
            )),
            one(mironov_epsilon(
                given.variance.to_f64(),
                given.alpha.to_f64(),
                given.delta.to_f64(),
            )
            .map(|epsilon| Answer::rounded_up(epsilon, 1e-13))),
        ),
        Quantity::new("local and central error", baselines(case), fast_baselines(case)),
    ];
    // The shift as an exact float: all its factors are dyadic.
    let scale = given.sensitivity.to_f64() / given.sigma.to_f64();
    let shifted = || GaussianPrivacy::of_mu(given.root_leakage.to_f64() * scale);
    // The exact curve ends where an argument of the normal distribution exceeds 40.
    if let Some(exact) = guarantee::gaussian_delta(&shift, &epsilon, 200) {
        let fast = shifted().and_then(|privacy| privacy.delta(given.epsilon.to_f64()));
        let exact = Ok(vec![exact.into()]);
        found.push(Quantity::new("the exact delta", exact, one(fast)));
    }
    if let Some(exact) = smallest_epsilon(&shift, &delta) {
        let fast = shifted().and_then(|privacy| privacy.epsilon(given.delta.to_f64()));
        let narrow = |found: Enclosure| Answer::from(found).claiming(Width::Absolute(1e-9));
        let fast = one(fast.map(narrow));
        found.push(Quantity::new("the exact eps", Ok(vec![exact]), fast));
    }
    found
}

fn losses(case: &Case) -> Answers {
    let given = case.parameters();
    let root = rational(given.root_leakage);
    let scale = NoiseScale::try_new(rational(given.sensitivity), rational(given.sigma))?;
    let leakage = &root * &root;
    Ok(vec![
        scale.gdp(&leakage, BITS)?.into(),
        Answer::exact(scale.zcdp(&leakage)?),
        Answer::exact(scale.rdp(&leakage, &rational(given.alpha))?),
    ])
}

fn fast_losses(case: &Case) -> Answers {
    let given = case.parameters();
    let root = given.root_leakage.to_f64();
    let leakage = Enclosure::exact(root * root);
    let (sensitivity, sigma) = (given.sensitivity.to_f64(), given.sigma.to_f64());
    let privacy = GaussianPrivacy::of_leakage(&leakage, sensitivity, sigma)?;
    let numbers = [privacy.mu(), privacy.zcdp(), privacy.rdp(given.alpha.to_f64())?];
    Ok(numbers.map(|number| Answer::rounded_up(number, ROUNDED)).to_vec())
}

/// Compares the baselines at the epsilon of the parameters plus 1.
fn baselines(case: &Case) -> Answers {
    let (given, nodes) = (case.parameters(), case.protocol.nodes());
    let (alpha, sensitivity) = (rational(given.alpha), rational(given.sensitivity));
    let epsilon = rational(given.epsilon) + BigRational::one();
    let errors = || {
        Ok(vec![
            guarantee::local_error(nodes, &alpha, &sensitivity, &epsilon)?,
            guarantee::central_error(nodes, &alpha, &sensitivity, &epsilon)?,
        ])
    };
    exactly(errors())
}

fn fast_baselines(case: &Case) -> Answers {
    let (given, nodes) = (case.parameters(), case.protocol.nodes());
    let (alpha, sensitivity) = (given.alpha.to_f64(), given.sensitivity.to_f64());
    let epsilon = given.epsilon.to_f64() + 1.0;
    let errors: [Result<f64, FastError>; 2] = [
        local_error(nodes, alpha, sensitivity, epsilon),
        central_error(nodes, alpha, sensitivity, epsilon),
    ];
    let answer = |error| Ok(Answer::estimated(error, 1e-14 * error));
    errors.into_iter().map(|error| answer(error?)).collect()
}

/// Finds the smallest epsilon for a delta to `2^-12` by bisection; each step costs two series.
/// Returns `None` where the exact curve ends.
fn smallest_epsilon(mu: &BigRational, delta: &BigRational) -> Option<Answer> {
    let at = |epsilon: &BigRational| guarantee::gaussian_delta(mu, epsilon, 80);
    let mut lower = BigRational::zero();
    if order(at(&lower)?.upper(), delta).is_le() {
        return Some(Answer::exact(lower));
    }
    let mut upper = BigRational::one();
    while order(at(&upper)?.upper(), delta).is_gt() {
        lower = upper.clone();
        upper += upper.clone();
    }
    let fine = BigRational::new(1.into(), (1_i64 << 12).into());
    while order(&(&upper - &lower), &fine).is_gt() {
        let middle = Interval::new(lower.clone(), upper.clone()).midpoint();
        let reached = at(&middle)?;
        if order(reached.upper(), delta).is_le() {
            upper = middle;
        } else if order(reached.lower(), delta).is_gt() {
            lower = middle;
        } else {
            break;
        }
    }
    Some(Answer::between(lower, upper))
}
