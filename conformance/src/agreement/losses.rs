//! Exact losses, by the three methods of the fast engine: multiprecision, the Gram form, and
//! estimates.

use super::{Answer, Answers, Quantity, Refusal, Width, account, exactly};
use crate::case::Case;
use muffliato_account::{Fast, Method};
use muffliato_fast::{
    Approximation, CertifiedView, Enclosure, FastError, GramView, Loss, MultiprecisionLimits,
    OneShot, OneShotOptions, TARGET_WIDTH,
};
use muffliato_reference::{BigRational, Process, ReferenceError, View};
use std::collections::BTreeSet;

/// Width of the numbers `P_ij` of multiprecision.
const CERTIFIED: f64 = 1e-12;

/// Tolerance of an estimated leakage where the decisions about the rank were clear.
const ESTIMATE: f64 = 1e-7;

/// Largest gap between the best attack found in floats and the leakage where no direction is faint.
const ATTACK: f64 = 1e-3;

/// Exact numbers of a view: losses of the sources and upper bounds for their vectors, for single
/// sources and for the group.
struct Exact {
    losses: Answers,
    vectors: Answers,
    group: Answers,
}

impl Exact {
    fn of(case: &Case, view: &Result<View, ReferenceError>) -> Self {
        let view = || view.as_ref().map_err(ReferenceError::clone);
        let group = || {
            let loss = view()?.loss(&case.group)?;
            Ok(vec![loss.scalar, loss.vector_upper])
        };
        Self {
            losses: exactly(case.each(|u| view()?.leakage(u))),
            vectors: exactly(case.each(|u| view()?.loss_upper(&[u]))),
            group: exactly(group()),
        }
    }
}

/// Compares protocols whose noise is drawn only with the inputs, by the method that proves the rank
/// and by estimates.
pub(super) fn unrefreshed(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, .. } = case;
    let one_round = protocol.masks().is_none() || protocol.rounds() == 1;
    let once = !protocol.is_refreshed() && one_round && protocol.uniform().is_ok();
    let view = if once {
        Process::run(protocol).and_then(|process| process.view(observer))
    } else {
        Err(ReferenceError::NotApplicable {
            formula: "leakage",
            reason: "noise is drawn at every step, shared in several rounds, or of different sizes",
        })
    };
    let exact = Exact::of(case, &view);
    let limits = MultiprecisionLimits::default();
    let proved = CertifiedView::of(protocol, observer, &limits);
    let proved = || proved.as_ref().map_err(FastError::clone);
    let [inputs, together] = &inputs(case);
    let each = || {
        let losses = proved()?.losses().iter().flatten();
        let answer = |loss| vector(loss, Some(CERTIFIED), inputs);
        Ok(losses.map(answer).collect())
    };
    let group = || {
        let found = proved()?.group_loss(&case.group)?;
        Ok(both(&found, Some(CERTIFIED), together))
    };
    let rank = view.map(|view| BigRational::from_integer(view.rank().into()));
    let mut found = vec![
        Quantity::of_sources("leakage of vectors", exact.vectors, each()),
        Quantity::new("leakage of the group", exact.group, group()),
    ];
    if once {
        found.extend(account::losses(case));
    }
    found.extend(estimated(case, exact.losses, rank.ok()));
    found
}

/// Compares estimates, with lower bounds from attacks. The rank is claimed only where the decisions
/// about it were clear; attacks are claimed to come near the leakage only where no direction is
/// faint.
fn estimated(case: &Case, losses: Answers, rank: Option<BigRational>) -> Vec<Quantity> {
    let expected = match case.protocol.rounds() {
        1 if case.protocol.masks().is_none() => losses,
        _ => Err(Refusal::NotApplicable),
    };
    let view = OneShot::try_new(&case.protocol, OneShotOptions::default())
        .and_then(|one_shot| one_shot.attacked(&case.observer));
    let view = match view {
        Ok(view) => view,
        Err(error) => {
            let refused = Err(error.into());
            return vec![Quantity::of_sources("estimated leakage", expected, refused)];
        }
    };
    let pivots = view.pivots();
    let clear = pivots.smallest_accepted.unwrap_or(1.0) > 1e-4
        && pivots.largest_rejected.unwrap_or(0.0) < 1e-11;
    let strong = clear && pivots.smallest_accepted.unwrap_or(1.0) > 0.05;
    let leakages = || view.losses().iter().flatten().map(|loss| loss.scalars);
    let answer = |leakage: Approximation| {
        let estimate = clear.then_some((leakage.estimate, ESTIMATE));
        Answer::from(leakage.certified).guessed(estimate)
    };
    let attack = |leakage: Approximation| {
        let near = strong.then_some((leakage.certified.lower(), ATTACK));
        Answer::from(leakage.certified).guessed(near)
    };
    let mut found = vec![
        Quantity::of_sources(
            "estimated leakage",
            expected.clone(),
            Ok(leakages().map(answer).collect()),
        ),
        Quantity::of_sources("leakage by attacks", expected, Ok(leakages().map(attack).collect())),
    ];
    if let Some(rank) = rank.filter(|_| clear) {
        let estimate = Answer::from(Enclosure::exact(view.rank() as f64));
        found.push(Quantity::new("estimated rank", exactly(Ok(vec![rank])), Ok(vec![estimate])));
    }
    found
}

/// Compares the losses of any protocol by the Gram form.
pub(super) fn any(case: &Case) -> Vec<Quantity> {
    let Case { protocol, observer, .. } = case;
    let view = Process::run(protocol).and_then(|process| process.view(observer));
    let exact = Exact::of(case, &view);
    let gram = GramView::of(protocol, observer);
    let gram = || gram.as_ref().map_err(FastError::clone);
    let [inputs, together] = &inputs(case);
    let width = gram().ok().and_then(|gram| gram_width(case, gram));
    let losses = gram().and_then(|gram| gram.losses());
    let each = |number: fn(&Loss, Option<f64>, &Inputs) -> Answer| {
        let losses = losses.as_ref().map_err(FastError::clone)?.iter().flatten();
        Ok(losses.map(|loss| number(loss, width, inputs)).collect())
    };
    let group = || {
        let found = gram()?.group_loss(&case.group)?;
        Ok(both(&found, width, together))
    };
    let mut found = vec![
        Quantity::of_sources("losses", exact.losses, each(scalar)),
        Quantity::of_sources("losses of vectors", exact.vectors, each(vector)),
        Quantity::new("the loss of the group", exact.group, group()),
    ];
    if Fast::method(protocol) != Method::Multiprecision {
        found.extend(account::losses(case));
    }
    found
}

/// Returns the width claimed for the Gram form: [`TARGET_WIDTH`] if noise that is not tiny is drawn
/// at every step without acceleration, so that the Gram matrix is far from singular. Otherwise only
/// the bounds themselves are claimed.
fn gram_width(case: &Case, gram: &GramView) -> Option<f64> {
    let protocol = &case.protocol;
    let drawn = match protocol.uniform().map(|sizes| sizes.tau) {
        Ok(Some(tau)) => tau.to_f64() >= 1e-3,
        Ok(None) => protocol.gossip_steps() == 1,
        Err(_) => false,
    };
    let narrow = drawn && protocol.acceleration().is_none() && gram.is_certified();
    narrow.then_some(TARGET_WIDTH)
}

/// Numbers of inputs of a source and of the group, for the phases with the fewest and with the
/// most, and whether each input has a local loss of 1.
struct Inputs {
    uniform: bool,
    fewest: usize,
    most: usize,
}

fn inputs(case: &Case) -> [Inputs; 2] {
    let members: BTreeSet<usize> = case.group.iter().copied().collect();
    let protocol = &case.protocol;
    let rounds = |phase| protocol.rounds_of_phase(phase).count();
    [1, members.len()].map(|members| Inputs {
        uniform: protocol.uniform().is_ok(),
        fewest: members * rounds(protocol.phases() - 1),
        most: members * rounds(0),
    })
}

fn both(loss: &Loss, width: Option<f64>, inputs: &Inputs) -> Vec<Answer> {
    vec![scalar(loss, width, inputs), vector(loss, width, inputs)]
}

/// Returns the loss of k scalar inputs. Each of the `k^2` numbers `P_ij` is known to `width`, and
/// so is the loss where it is the sum of their absolute values.
fn scalar(loss: &Loss, width: Option<f64>, inputs: &Inputs) -> Answer {
    let sum = loss.absolute_sum.estimate.min(inputs.most as f64);
    let width = width.filter(|_| loss.scalars.estimate >= sum);
    enclosed(loss.scalars.certified, width, inputs.most)
}

/// Returns the upper bound for k vectors. It is at most k if all noise has one size; for a plan it
/// is between the loss of vectors and the sum of absolute values. With more inputs than the smallest
/// phase has, it may be less than the sum for the phase that has the largest.
fn vector(loss: &Loss, width: Option<f64>, inputs: &Inputs) -> Answer {
    if !inputs.uniform {
        let lower = loss.vectors.certified.lower();
        let ends = Enclosure::try_new(lower, loss.absolute_sum.certified.upper());
        return enclosed(ends.unwrap_or(Enclosure::UNKNOWN), width, inputs.most);
    }
    let capped = loss.absolute_sum.certified.clamped_above(inputs.most as f64);
    match Enclosure::try_new(0.0, capped.upper()) {
        Some(below) if capped.upper() > inputs.fewest as f64 && inputs.fewest < inputs.most => {
            Answer::from(below)
        }
        _ => enclosed(capped, width, inputs.most),
    }
}

fn enclosed(loss: Enclosure, width: Option<f64>, inputs: usize) -> Answer {
    let answer = Answer::from(loss);
    match width {
        Some(width) => answer.claiming(Width::Absolute(width * (inputs * inputs) as f64)),
        None => answer,
    }
}
