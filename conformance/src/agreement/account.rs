//! Answers of the accountant, through its own trait.

use super::{Answer, Answers, Quantity, Refusal, SUMS, Width};
use crate::case::Case;
use muffliato_account::{
    AccountError, Asked, Engine, Exact, Fast, Formula, Loss, Method, Number, ViewLosses,
};
use muffliato_reference::BigRational;

/// Width of the numbers `P_ij` of multiprecision.
const CERTIFIED: f64 = 1e-12;

type Prepared<'a> = Result<Box<dyn Engine + 'a>, Refusal>;

/// Prepares the exact and the fast engine for the protocol of a case.
fn engines(case: &Case) -> [Prepared<'_>; 2] {
    let exact = Exact::of(&case.protocol, u128::MAX);
    let fast = Fast::of(&case.protocol, 1, u128::MAX);
    [
        exact.map(|engine| Box::new(engine) as Box<dyn Engine>),
        fast.map(|engine| Box::new(engine) as Box<dyn Engine>),
    ]
    .map(|engine| engine.map_err(Refusal::from))
}

fn whole(number: usize) -> Answer {
    Answer::exact(BigRational::from_integer(number.into()))
}

fn quantity(name: &'static str, answers: [Answers; 2]) -> Quantity {
    let [exact, fast] = answers;
    Quantity::new(name, exact, fast)
}

/// Compares the number of messages, the rank of the view, the loss of each source and that of the
/// group. Both engines refuse an empty group.
pub(super) fn losses(case: &Case) -> Vec<Quantity> {
    let sources: Vec<[usize; 1]> = case.sources().into_iter().map(|u| [u]).collect();
    let sources: Vec<&[usize]> = sources.iter().map(|source| &source[..]).collect();
    let mut group = case.group.clone();
    group.sort_unstable();
    group.dedup();
    let engines = engines(case);
    let ask = |sets: &[&[usize]]| {
        engines.each_ref().map(|engine| -> Result<ViewLosses, Refusal> {
            let engine = engine.as_ref().map_err(Refusal::clone)?;
            Ok(engine.losses(Asked::new(&case.observer, sets, &()))?)
        })
    };
    let (alone, together) = (ask(&sources), ask(&[&group]));
    let messages = |seen: &Result<ViewLosses, Refusal>| -> Answers {
        let seen = seen.as_ref().map_err(Refusal::clone)?;
        Ok(vec![whole(seen.messages)])
    };
    let narrow = matches!(Fast::method(&case.protocol), Method::Multiprecision);
    let of = |[exact, fast]: &[Result<ViewLosses, Refusal>; 2], inputs: usize| -> [Answers; 2] {
        let width = narrow.then_some(CERTIFIED * (inputs * inputs) as f64);
        let answers = |seen: &Result<ViewLosses, Refusal>,
                       answer: &dyn Fn(usize, &Loss) -> Answer| {
            let seen = seen.as_ref().map_err(Refusal::clone)?.losses.iter();
            Ok(seen.enumerate().map(|(k, loss)| answer(k, loss)).collect())
        };
        // Where scalars and vectors lose the same, the loss is known to the width; elsewhere it
        // lies between the ends.
        let coincide = |k: usize| {
            let exact = exact.as_ref().ok().and_then(|seen| seen.losses.get(k));
            exact.is_some_and(|loss| loss.fraction().is_some())
        };
        [
            answers(exact, &|_, loss| loss.for_scalars().number().into()),
            answers(fast, &|k, loss| {
                let answer = Answer::from(loss.number());
                match width.filter(|_| coincide(k)) {
                    Some(width) => answer.claiming(Width::Absolute(width)),
                    None => answer,
                }
            }),
        ]
    };
    let rounds = case.protocol.rounds();
    let mut found = vec![
        quantity("messages", alone.each_ref().map(messages)),
        Quantity {
            of_sources: case.protocol.masks().is_none(), // with masks it is a bound
            ..quantity("losses by the accountant", of(&alone, rounds))
        },
        quantity("the group's loss by the accountant", of(&together, rounds * group.len())),
    ];
    if let [Ok(exact), Ok(fast)] = &alone
        && let (Some(exact), Some(fast)) = (exact.rank, fast.rank)
    {
        let ranks = [exact, fast].map(|rank| Ok(vec![whole(rank)]));
        found.push(quantity("rank", ranks));
    }
    found
}

/// Compares the closed forms for each source. Where one is undefined, both engines must say so.
pub(super) fn formulas(case: &Case) -> Vec<Quantity> {
    let sources: Vec<[usize; 1]> = case.sources().into_iter().map(|u| [u]).collect();
    let sources: Vec<&[usize]> = sources.iter().map(|source| &source[..]).collect();
    let engines = engines(case);
    let numbers_of = |engine: &Prepared<'_>, formula: Formula| -> Result<Vec<Number>, Refusal> {
        let engine = engine.as_ref().map_err(Refusal::clone)?;
        let numbers = engine.formula(formula, Asked::new(&case.observer, &sources, &()))?;
        let defined = |number: Option<Number>| number.ok_or(Refusal::Undefined);
        numbers.into_iter().map(defined).collect()
    };
    let ask = |formula: Formula, width: Option<Width>| {
        let [exact, fast] = &engines;
        let claiming = |number: &Number| match width {
            Some(width) => Answer::from(number).claiming(width),
            None => Answer::from(number),
        };
        [
            numbers_of(exact, formula).map(|numbers| numbers.iter().map(Answer::from).collect()),
            numbers_of(fast, formula).map(|numbers| numbers.iter().map(claiming).collect()),
        ]
    };
    let mut found = vec![
        quantity("Theorem 1", ask(Formula::Theorem1, Some(SUMS))),
        quantity("Corollary 1", ask(Formula::Corollary1, Some(SUMS))),
        quantity("the masked bound", ask(Formula::Masked, None)),
    ];
    // The fast engine has no first-passage bound with acceleration.
    if !case.protocol.is_refreshed() || case.protocol.acceleration().is_none() {
        let answers = ask(Formula::FirstPassage, Some(SUMS));
        found.push(quantity("the first-passage bound", answers));
    }
    found
}

impl From<&Number> for Answer {
    fn from(number: &Number) -> Self {
        match number.fraction() {
            Some(fraction) => Self::exact(fraction.clone()),
            None => number.enclosure().into(),
        }
    }
}

impl From<AccountError> for Refusal {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Reference(error) => error.into(),
            AccountError::Fast(error) => error.into(),
            other => Self::Other(other.to_string()),
        }
    }
}
