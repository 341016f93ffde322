//! Topics that need no view: the paper's formulas, conversions to other guarantees, noise on a grid.

use super::losses::Cases;
use super::runs::{masks, record};
use crate::exact::{Result, between, fraction, is_less, number, whole};
use crate::form::{Quantity, Question};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::{
    PaperBounds, Process,
    bounds::{
        RoundExponent, gd_bound_general, gd_bound_simple, random_walk_bound,
        time_varying_coalition_gd,
    },
    enclosure::{Interval, exp, ln},
    guarantee::{NoiseScale, gaussian_delta, mironov_epsilon},
};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

type Formula = fn(&Protocol, usize, &Observer) -> Result<BigRational>;

const AVERAGING: [(&str, Formula); 3] = [
    ("theorem-1", |protocol, u, v| Ok(PaperBounds::of(protocol)?.pairwise(u, v)?)),
    ("mean-loss", |protocol, _, v| Ok(PaperBounds::of(protocol)?.mean_loss(v)?)),
    ("corollary-1", |protocol, u, v| Ok(random_walk_bound(protocol, u, v)?)),
];

const DESCENT: [(&str, Formula); 4] = [
    ("gd-main-text", |protocol, u, v| Ok(gd_bound_simple(protocol, u, v)?)),
    ("gd-appendix", |protocol, u, v| {
        Ok(gd_bound_general(protocol, u, v, RoundExponent::AsPrinted)?)
    }),
    ("gd-appendix-with-k", |protocol, u, v| {
        Ok(gd_bound_general(protocol, u, v, RoundExponent::Full)?)
    }),
    ("coalition-gd", |protocol, u, v| Ok(time_varying_coalition_gd(protocol, u, v)?)),
];

pub(super) fn formulas(cases: &mut Cases) -> Result<()> {
    for graph in ["path:3", "path:5", "hypercube:3"] {
        for (count, steps) in [(1, 2), (1, 4), (2, 1), (3, 2)] {
            let form = record(&format!("{graph}/{count}x{steps}"))?;
            let protocol = form.build()?;
            let last = protocol.nodes() - 1;
            let process = Process::run(&protocol)?;
            let names = if count == 1 { &AVERAGING[..] } else { &DESCENT };
            let asked = [(last, vec![0]), (1, vec![0]), (1, vec![0, last])];
            for ((name, formula), (source, observers)) in
                names.iter().flat_map(|name| asked.clone().map(|asked| (name, asked)))
            {
                let mean = *name == "mean-loss";
                if mean && source != last {
                    continue;
                }
                let observer = Observer::coalition(observers.iter().copied())?;
                let value = formula(&protocol, source, &observer)?;
                let sources = if mean { Vec::new() } else { vec![source] };
                let below = !mean && is_less(&value, &process.view(&observer)?.leakage(source)?);
                let listed = |nodes: &[usize]| {
                    nodes.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
                };
                let (from, to) = (listed(&sources), listed(&observers));
                let id = format!("{name}/{graph}/{count}x{steps}/{from}->{to}");
                let question = Question::Formula {
                    name: (*name).into(),
                    protocol: form.clone(),
                    observers,
                    sources,
                };
                let flag = below.then_some("printed-below-the-loss");
                cases.add(id, flag, question, number(&value));
            }
        }
    }
    Ok(())
}

/// Bits of the enclosures.
const BITS: u32 = 160;

pub(super) fn conversions(cases: &mut Cases) -> Result<()> {
    let text = String::from;
    for (leakage, sensitivity, sigma) in [
        ("1", "1", "1"),
        ("1", "1", "4"),
        ("1/2", "1", "2"),
        ("1/10", "1", "1"),
        ("4/13", "2", "3"),
        ("8/3", "1", "2"),
        ("1/10000", "1", "1"),
    ] {
        // Where epsilon is more than 30 mu, delta is below every float.
        let scale = NoiseScale::try_new(fraction(sensitivity)?, fraction(sigma)?)?;
        let square = scale.zcdp(&fraction(leakage)?)? * whole(2);
        let far = |epsilon: &BigRational| epsilon * epsilon > &square * whole(900);
        let mut wants = vec![Quantity::Zcdp, Quantity::Mu];
        wants.extend(["3/2", "2", "10"].map(|alpha| Quantity::Rdp(text(alpha))));
        for epsilon in ["0", "1/10", "1", "3"] {
            if !far(&fraction(epsilon)?) {
                wants.push(Quantity::Delta(text(epsilon)));
            }
        }
        wants.extend(["1/1000", "1/1000000"].map(|delta| Quantity::Epsilon(text(delta))));
        for (alpha, delta) in [("2", "1/1000"), ("10", "1/1000000"), ("30", "1/1000000")] {
            wants.push(Quantity::MironovEpsilon(text(alpha), text(delta)));
            wants.push(Quantity::RenyiEpsilon(text(alpha), text(delta)));
        }
        for want in wants {
            let (lower, upper) = guarantee(leakage, sensitivity, sigma, &want)?;
            let shown = serde_json::to_string(&want)?.replace(['"', '{', '}', '[', ']'], "");
            let id = format!("rho{leakage}/Delta{sensitivity}/sigma{sigma}/{shown}");
            let question = Question::Guarantee {
                leakage: leakage.into(),
                sensitivity: sensitivity.into(),
                sigma: sigma.into(),
                want,
            };
            cases.add(id, [], question, between(&lower, &upper));
        }
    }
    Ok(())
}

/// Encloses a quantity that follows from a leakage.
fn guarantee(
    leakage: &str,
    sensitivity: &str,
    sigma: &str,
    want: &Quantity,
) -> Result<(BigRational, BigRational)> {
    let leakage = fraction(leakage)?;
    let scale = NoiseScale::try_new(fraction(sensitivity)?, fraction(sigma)?)?;
    let exactly = |value: BigRational| Ok((value.clone(), value));
    let ends = |interval: Interval| Ok((interval.lower().clone(), interval.upper().clone()));
    let mu = scale.gdp(&leakage, 100)?.rounded(100);
    // The curve rises with mu.
    let delta = |epsilon: &BigRational| -> Result<Interval> {
        let far = "an argument of the normal law is beyond 40";
        let lower = gaussian_delta(mu.lower(), epsilon, BITS).ok_or(far)?;
        let upper = gaussian_delta(mu.upper(), epsilon, BITS).ok_or(far)?;
        Ok(Interval::new(lower.lower().clone(), upper.upper().clone()))
    };
    let logarithm = |x: &BigRational| {
        ln(&Interval::exact(x.clone()), BITS)
            .ok_or("the logarithm of a number that is not positive")
    };
    match want {
        Quantity::Rdp(alpha) => exactly(scale.rdp(&leakage, &fraction(alpha)?)?),
        Quantity::Zcdp => exactly(scale.zcdp(&leakage)?),
        Quantity::Mu => ends(mu.clone()),
        Quantity::Delta(epsilon) => ends(delta(&fraction(epsilon)?)?),
        Quantity::Epsilon(wanted) => {
            let wanted = fraction(wanted)?;
            let largest = mu.lower() * whole(30);
            let largest = if is_less(&largest, &whole(8)) { largest } else { whole(8) };
            let (mut lower, mut upper) = (BigRational::zero(), largest);
            if !is_less(&wanted, delta(&lower)?.upper()) {
                return exactly(lower);
            }
            for _ in 0..40 {
                let middle = (&lower + &upper) / whole(2);
                let reached = delta(&middle)?;
                if !is_less(&wanted, reached.upper()) {
                    upper = middle;
                } else if is_less(&wanted, reached.lower()) {
                    lower = middle;
                } else {
                    break;
                }
            }
            Ok((lower, upper))
        }
        Quantity::MironovEpsilon(alpha, delta) => {
            let alpha = fraction(alpha)?;
            let loss = scale.rdp(&leakage, &alpha)?;
            ends(mironov_epsilon(&loss, &alpha, &fraction(delta)?, BITS)?)
        }
        Quantity::RenyiEpsilon(alpha, delta) => {
            let (alpha, delta) = (fraction(alpha)?, fraction(delta)?);
            let less = &alpha - BigRational::one();
            let rest = &logarithm(&delta)? + &logarithm(&alpha)?;
            let rest = &rest * &Interval::exact(less.recip());
            let first = Interval::exact(scale.rdp(&leakage, &alpha)?);
            ends(&(&first + &logarithm(&(&less / &alpha))?) - &rest)
        }
    }
}

/// Encloses `ln(1 + q^2 (e^x - 1))` and its like: R times the logarithm of a mean of exponentials over alpha - 1.
fn renyi(terms: Vec<(BigRational, BigRational)>, rounds: usize, order: usize) -> Result<Interval> {
    let mut mean = Interval::exact(BigRational::zero());
    for (weight, exponent) in terms {
        let grown = exp(&Interval::exact(exponent), BITS).ok_or("too large an exponent")?;
        mean = (&mean + &(&Interval::exact(weight) * &grown)).rounded(BITS);
    }
    let factor = whole(rounds) / whole(order - 1);
    let logarithm = ln(&mean, BITS).ok_or("the logarithm of a number that is not positive")?;
    Ok(&Interval::exact(factor) * &logarithm)
}

pub(super) fn sampling(cases: &mut Cases) -> Result<()> {
    for (leakage, sigma, rate, rounds, order) in [
        ("1", "1", "1/2", 1, 2_usize),
        ("1", "2", "1/10", 10, 2),
        ("1/5", "1", "1/100", 100, 3),
        ("3/2", "1", "1/20", 5, 8),
        ("1/64", "1/2", "1/3", 1000, 5),
        ("1", "1", "1", 3, 4),
        ("1/10", "1/4", "1/50", 20, 2),
        ("2/3", "1/2", "1/1000", 365, 16),
        ("1/7", "3", "9/10", 2, 32),
    ] {
        let (mu, q) = (fraction(leakage)? / fraction(sigma)?.pow(2), fraction(rate)?);
        let rest = BigRational::one() - &q;
        let mut choices = BigRational::one();
        let mut terms = Vec::new();
        for k in 0..=order {
            let weight = &choices * rest.pow((order - k) as i32) * q.pow(k as i32);
            terms.push((weight, &mu * whole(k * k.saturating_sub(1)) / whole(2)));
            choices = choices * whole(order - k) / whole(k + 1);
        }
        let found = renyi(terms, rounds, order)?;
        let id = format!("renyi/rho{leakage}/sigma{sigma}/q{rate}/R{rounds}/alpha{order}");
        let question = Question::SampledRenyi {
            leakage: leakage.into(),
            sensitivity: "1".into(),
            sigma: sigma.into(),
            rate: rate.into(),
            rounds,
            order,
        };
        cases.add(id, [], question, between(found.lower(), found.upper()));
    }
    for (graph, count, masked, source, observer) in [
        ("path:3", 1, false, 2, 0),
        ("path:3", 2, false, 2, 0),
        ("path:3", 3, false, 2, 0),
        ("path:3", 3, false, 1, 0),
        ("ring:4", 3, false, 2, 0),
        ("ring:4", 3, true, 2, 0),
        ("ring:4", 2, true, 1, 0),
        ("ring:5", 3, true, 2, 0),
        ("path:4", 4, false, 3, 0),
        ("star:5", 3, false, 2, 1),
    ] {
        let mut form = record(&format!("{graph}/{count}x1"))?;
        form.sample = Some("1/2".parse()?);
        if masked {
            form.masks = masks("1", &[])?;
        }
        let protocol = form.build()?.without_sampling();
        let view = Process::run(&protocol)?.view(&Observer::full(observer))?;
        let p = |r, s| view.projection((r, source), (s, source)).ok_or("no such input");
        // Pairs of choices of rounds, each with probability 4^-R.
        let chances = BigRational::new(1.into(), (1_usize << (2 * count)).into());
        let mut terms = Vec::new();
        for pair in 0..1_usize << (2 * count) {
            let mut product = BigRational::zero();
            for r in (0..count).filter(|r| pair >> r & 1 == 1) {
                for s in (0..count).filter(|s| pair >> (count + s) & 1 == 1) {
                    product += p(r, s)?;
                }
            }
            terms.push((chances.clone(), product));
        }
        let found = renyi(terms, 1, 2)?;
        let mut alone = Interval::exact(BigRational::zero());
        let quarter = whole(1) / whole(4);
        for r in 0..count {
            let terms =
                vec![(whole(1) - &quarter, BigRational::zero()), (quarter.clone(), p(r, r)?)];
            alone = &alone + &renyi(terms, 1, 2)?;
        }
        let below = is_less(alone.upper(), found.lower());
        let flag = below.then_some("sampling-without-masks");
        let kind = if masked { "masked" } else { "plain" };
        let id = format!("loss/{graph}/{kind}/{count}x1/{source}->{observer}");
        let question = Question::SampledLoss { protocol: form, observers: vec![observer], source };
        cases.add(id, flag, question, between(found.lower(), found.upper()));
    }
    Ok(())
}

pub(super) fn grid(cases: &mut Cases) -> Result<()> {
    for (sigma, shift) in [("1", 1), ("1", 2), ("2", 1), ("2", 3), ("5", 5), ("1/2", 1)] {
        for epsilon in ["0", "1/2", "1", "2", "43/10", "127/20"] {
            let delta = discrete_delta(&fraction(sigma)?, shift, &fraction(epsilon)?)?;
            let mu = whole(shift as usize) / fraction(sigma)?;
            let gaussian = gaussian_delta(&mu, &fraction(epsilon)?, BITS).ok_or("beyond 40")?;
            let below = is_less(gaussian.upper(), delta.lower());
            let flag = below.then_some("gaussian-curve-for-discrete");
            let question =
                Question::DiscreteGaussian { sigma: sigma.into(), shift, epsilon: epsilon.into() };
            let id = format!("discrete/sigma{sigma}/shift{shift}/epsilon{epsilon}");
            cases.add(id, flag, question, between(delta.lower(), delta.upper()));
        }
    }
    for steps in ["1", "3/2", "7", "1000", "2001/2", "1/3"] {
        let given = fraction(steps)?;
        let rounded = given.ceil();
        let flag = (rounded != given).then_some("rounded-inputs");
        let question = Question::RoundedInputs { steps: steps.into() };
        cases.add(format!("rounded-inputs/{steps}"), flag, question, number(&rounded));
    }
    Ok(())
}

/// Encloses `sum_x max(0, p(x) - e^epsilon p(x - k))` for the discrete Gaussian p: the terms with `x < k/2 - epsilon sigma^2/k` count.
fn discrete_delta(sigma: &BigRational, shift: u32, epsilon: &BigRational) -> Result<Interval> {
    let variance = sigma * sigma;
    let two = whole(2);
    let enclosed = |exponent: BigRational| {
        exp(&Interval::exact(exponent), BITS).ok_or("too large an exponent")
    };
    let weight = |x: i64| enclosed(-BigRational::from_integer((x * x).into()) / (&two * &variance));
    // Beyond 20 sigma less than 2^-280 of the law is left.
    let reach =
        (whole(20) * sigma).ceil().to_i64().ok_or("too large a sigma")? + i64::from(shift) + 1;
    let factor = enclosed(epsilon.clone())?;
    let zero = || Interval::exact(BigRational::zero());
    let (mut all, mut above) = (zero(), zero());
    for x in -reach..=reach {
        let here = weight(x)?;
        let shift = i64::from(shift);
        let threshold = BigRational::from_integer(shift.into()) / &two
            - epsilon * &variance / BigRational::from_integer(shift.into());
        if BigRational::from_integer(x.into()) < threshold {
            above = &above + &(&here - &(&factor * &weight(x - shift)?));
        }
        all = (&all + &here).rounded(BITS);
        above = above.rounded(BITS);
    }
    let left_out = BigRational::new(1.into(), num_bigint::BigInt::one() << 250_u32);
    let all = Interval::new(all.lower().clone(), all.upper() + &left_out);
    let above = Interval::new(above.lower().clone(), above.upper() + &left_out);
    let inverse = all.inverse().ok_or("an empty law")?;
    Ok(&above * &inverse)
}
