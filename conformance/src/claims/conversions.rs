//! Divergences: Renyi, Gaussian, mixtures, and the gain of a trusted aggregator.

use crate::claims::prelude::*;
use muffliato_fast::{GaussianPrivacy, mironov_epsilon};
use muffliato_reference::{
    enclosure::ln,
    guarantee::{central_error, local_error},
};
use num_traits::Pow;

/// The distribution (p, 1 - p).
#[derive(Clone, Debug)]
struct TwoPoints(BigRational);

impl TwoPoints {
    /// Returns all distributions with p a multiple of `1/parts` strictly between 0 and 1.
    fn all(parts: i64) -> Vec<Self> {
        (1..parts).map(|k| Self(ratio(k, parts))).collect()
    }

    fn weights(&self) -> [BigRational; 2] {
        [self.0.clone(), BigRational::one() - &self.0]
    }

    /// Returns `sum_x p(x)^a / q(x)^(a-1)` for an integer order a >= 2: the exponential of (a - 1)
    /// times the Renyi divergence.
    fn power_sum(&self, other: &Self, order: u32) -> BigRational {
        let (p, q) = (self.weights(), other.weights());
        p.into_iter().zip(q).map(|(p, q)| Pow::pow(p, order) / Pow::pow(q, order - 1)).sum()
    }

    /// Encloses the Renyi divergence of an integer order a >= 2.
    fn divergence(&self, other: &Self, order: u32, bits: u32) -> Option<Interval> {
        let logarithm = ln(&Interval::exact(self.power_sum(other, order)), bits)?;
        Some(&logarithm * &Interval::exact(ratio(1, i64::from(order) - 1)))
    }
}

/// Conversion from Renyi to (eps, delta).
pub(in crate::claims) fn renyi_to_dp() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for alpha in 2..=4_u32 {
        for delta in [ratio(1, 2), ratio(1, 10), ratio(1, 1000)] {
            for p in TwoPoints::all(12) {
                for q in TwoPoints::all(12) {
                    // e^{(alpha - 1) epsilon} = power sum / delta. P(S) - delta <= e^epsilon Q(S)
                    // is compared after raising to the power alpha - 1.
                    let power = p.power_sum(&q, alpha) / &delta;
                    for (p, q) in p.weights().into_iter().zip(q.weights()) {
                        let excess: BigRational = p - &delta;
                        let fails = excess > whole(0)
                            && Pow::pow(excess, alpha - 1) > &power * Pow::pow(q, alpha - 1);
                        cases += confirm(!fails, || format!("alpha = {alpha}, delta = {delta}"))?;
                    }
                }
            }
        }
    }
    let mut shifts = 0;
    for mu in [0.01, 0.1, 0.5, 1.0, 2.0, 5.0] {
        let privacy = GaussianPrivacy::of_mu(mu)?;
        for alpha in [1.1, 1.5, 2.0, 4.0, 16.0, 64.0] {
            for delta in [1e-1, 1e-3, 1e-6, 1e-9] {
                let epsilon = mironov_epsilon(privacy.rdp(alpha)?, alpha, delta)?;
                let case = || format!("mu = {mu}, alpha = {alpha}, delta = {delta}");
                shifts += confirm(privacy.delta_upper(epsilon)? <= delta, case)?;
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} events of two-point distributions, {shifts} Gaussian shifts"
    )))
}

/// The Gaussian mechanism.
pub(in crate::claims) fn gaussian() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let square = |value: BigRational| &value * &value;
    let mut points = 0;
    for [x, y, z] in (0..27).map(|k| [k % 3, k / 3 % 3, k / 9].map(|value| ratio(value, 1))) {
        for alpha in (2..6).map(|alpha| ratio(alpha, 2)) {
            let left = &alpha * square(&z - &x) + (&one - &alpha) * square(&z - &y);
            let m = &alpha * &x + (&one - &alpha) * &y;
            let right = square(&z - m) - &alpha * (&alpha - &one) * square(&x - &y);
            let case = || format!("x = {x}, y = {y}, z = {z}, alpha = {alpha}");
            points += confirm(left == right, case)?;
        }
    }
    Ok(Verdict::holds(format!(
        "a polynomial identity, equal at {points} points; the bound is attained at |x - y| = Delta"
    )))
}

const BITS: u32 = 40;

/// Mixtures of pairs of distributions.
pub(in crate::claims) fn quasi_convexity() -> Result<Verdict, ClaimError> {
    let undecided = || ClaimError::undecided("a divergence of two points");
    let points = TwoPoints::all(6);
    let mut cases = 0;
    for alpha in [2_u32, 3] {
        let below = ratio(i64::from(alpha) - 1, 1);
        let mut pairs = Vec::new();
        for p in &points {
            for q in &points {
                let divergence = p.divergence(q, alpha, BITS).ok_or_else(undecided)?;
                let c = divergence.upper() * &below;
                if p.0 != q.0 && order(&c, &BigRational::one()).is_le() {
                    pairs.push((p, q, divergence));
                }
            }
        }
        for (p, q, one) in &pairs {
            for (r, s, other) in &pairs {
                for rho in [ratio(1, 4), ratio(1, 2), ratio(3, 4)] {
                    let rest = BigRational::one() - &rho;
                    let mixed = TwoPoints(&rho * &p.0 + &rest * &r.0);
                    let against = TwoPoints(&rho * &q.0 + &rest * &s.0);
                    let left = mixed.divergence(&against, alpha, BITS).ok_or_else(undecided)?;
                    let c = &one.max(other) * &Interval::exact(below.clone());
                    let mean =
                        &(&Interval::exact(rho.clone()) * one) + &(&Interval::exact(rest) * other);
                    let right = &(&Interval::exact(BigRational::one()) + &c) * &mean;
                    cases += confirm(order(left.upper(), right.lower()).is_le(), || {
                        let pairs = format!("({}, {}) and ({}, {})", p.0, q.0, r.0, s.0);
                        format!("alpha = {alpha}, {pairs}, rho = {rho}")
                    })?;
                }
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} mixtures")))
}

/// The gain of a trusted aggregator.
pub(in crate::claims) fn local_central() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for n in 2..=8 {
        let process = Process::run(&one_shot(&graph(&format!("complete:{n}"))?, 1)?)?;
        let values = vec![ratio(0, 1); n];
        // The expected error has a factor 1/2 that the statement lacks.
        let per_variance = whole(2) * process.averaging_error(&values)?.noise;
        for alpha in [ratio(3, 2), ratio(2, 1), ratio(5, 1)] {
            for (delta, epsilon) in [(ratio(1, 1), ratio(1, 1)), (ratio(2, 3), ratio(1, 10))] {
                let variance = &alpha * &delta * &delta / (whole(2) * &epsilon);
                let local = &variance * &per_variance;
                let central = &variance / whole(n * n);
                let same = local == local_error(n, &alpha, &delta, &epsilon)?
                    && central == central_error(n, &alpha, &delta, &epsilon)?
                    && local == &central * whole(n);
                let case = || format!("n = {n}, alpha = {alpha}: {local} and {central}");
                cases += confirm(same, case)?;
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} cases, ratio exactly n in each")))
}

/// The Gaussian mechanism is not optimal: shrinking its output costs no privacy.
pub(in crate::claims) fn optimum() -> Result<Verdict, ClaimError> {
    let (mut first, mut holds) = (None, 0);
    for n in 2..=8 {
        for alpha in [ratio(2, 1), ratio(3, 2), ratio(5, 1)] {
            for epsilon in [ratio(1, 1), ratio(1, 10)] {
                for (kind, error) in
                    [("central", central_error as fn(_, &_, &_, &_) -> _), ("local", local_error)]
                {
                    let gaussian = error(n, &alpha, &ratio(1, 1), &epsilon)?;
                    let s = ratio(1, 1) / (ratio(1, 1) + whole(4) * &gaussian);
                    let rest = ratio(1, 1) - &s;
                    let shrunk = &rest * &rest * ratio(1, 4) + &s * &s * &gaussian;
                    let compared = Comparison::exact(Relation::AtLeast, shrunk, gaussian);
                    holds += usize::from(!compared.fails());
                    first.get_or_insert((kind, n, alpha.clone(), epsilon.clone(), s, compared));
                }
            }
        }
    }
    let Some((kind, n, alpha, epsilon, s, compared)) = first.filter(|_| holds == 0) else {
        return Err(ClaimError::unconfirmed(format!("{holds} cases are not beaten")));
    };
    let setting = format!("{kind}, n = {n}, alpha = {alpha}, eps = {epsilon}, Delta = 1");
    let lines = vec![format!(
        "midpoint + {s} (Gaussian output - midpoint) errs at most (1 - {s})^2/4 + ({s})^2 alpha/(2 n^2 eps)"
    )];
    let before = 2.0 / (2.0 * (n * n) as f64);
    let after = before / (1.0 + 4.0 * before);
    let fast = [before, after].map(estimate);
    Ok(Verdict::refuted(compared.witness(Instance::of(setting), lines, fast)?))
}
