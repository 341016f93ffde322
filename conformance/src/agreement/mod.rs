//! Comparison of the two engines. A disagreement panics with the whole case.
//!
//! An [`Answer`] is a number with everything that its engine claims about it: proved bounds, the
//! width of the enclosure, and an estimate with its tolerance. The reference answers with exact
//! rationals, or with rational intervals where a root or an exponential is involved.

mod account;
mod answer;
mod bounds;
mod convergence;
mod guarantee;
mod losses;
mod simulation;

pub use answer::{Answer, Answers, Refusal, Width};

use crate::case::{Case, CaseError};
use muffliato_reference::{BigRational, ReferenceError};

/// A group of related quantities of similar cost, which it computes with both engines.
#[derive(Clone, Copy, Debug)]
pub struct Topic(fn(&Case) -> Vec<Quantity>);

impl Topic {
    /// Theorem 1, its consequences, and the theorem on random graphs.
    pub const PAPER_BOUNDS: Self = Self(bounds::paper);
    /// The closed forms as the accountant reports them.
    pub const FORMULAS: Self = Self(account::formulas);
    /// Theorem 1 for all pairs at once.
    pub const ALL_PAIRS: Self = Self(bounds::all_pairs);
    /// The paper's bounds for gradient descent.
    pub const GRADIENT_DESCENT: Self = Self(bounds::gradient_descent);
    /// The walk bound for refreshed protocols.
    pub const REFRESHED_BOUNDS: Self = Self(bounds::refreshed);
    /// The absorption bound, and the bound for masked protocols.
    pub const OUR_BOUNDS: Self = Self(bounds::ours);
    /// Leakage and rank if noise is drawn only with the inputs.
    pub const LEAKAGE: Self = Self(losses::unrefreshed);
    /// Losses of any protocol, of groups and of vectors.
    pub const LOSSES: Self = Self(losses::any);
    /// Gaps, acceleration and steps.
    pub const SPECTRUM: Self = Self(convergence::quantities);
    /// Conversion from leakage to a guarantee.
    pub const GUARANTEE: Self = Self(guarantee::quantities);
    /// Runs with given noise, and expected errors.
    pub const SIMULATION: Self = Self(simulation::quantities);

    /// All topics.
    pub const ALL: [Self; 11] = [
        Self::PAPER_BOUNDS,
        Self::FORMULAS,
        Self::ALL_PAIRS,
        Self::GRADIENT_DESCENT,
        Self::REFRESHED_BOUNDS,
        Self::OUR_BOUNDS,
        Self::LEAKAGE,
        Self::LOSSES,
        Self::SPECTRUM,
        Self::GUARANTEE,
        Self::SIMULATION,
    ];
}

/// The answers of both engines about a quantity.
struct Quantity {
    name: &'static str,
    /// `true` if there is a number per source outside the observer; it is 0 for sources that cannot
    /// be heard.
    of_sources: bool,
    exact: Answers,
    fast: Answers,
}

impl Quantity {
    fn new(name: &'static str, exact: Answers, fast: Answers) -> Self {
        Self { name, of_sources: false, exact, fast }
    }

    fn of_sources(name: &'static str, exact: Answers, fast: Answers) -> Self {
        Self { of_sources: true, ..Self::new(name, exact, fast) }
    }
}

/// Relative width of sums of non-negative numbers.
const SUMS: Width = Width::Relative(1e-12);

/// Wraps numbers that are known exactly.
fn exactly(numbers: Result<Vec<BigRational>, ReferenceError>) -> Answers {
    Ok(numbers?.into_iter().map(Answer::exact).collect())
}

/// Wraps one number.
fn one<N: Into<Answer>, E: Into<Refusal>>(number: Result<N, E>) -> Answers {
    Ok(vec![number.map_err(Into::into)?.into()])
}

/// Compares both engines on every quantity of the topics and returns the number of compared values.
/// A quantity that both engines refuse for the same reason counts as none.
///
/// # Panics
///
/// Panics if the engines contradict each other, or if the fast one misses its own precision. The
/// message contains the textual form of the case for [`replay`].
///
/// ```
/// use muffliato_conformance::{agreement::{Topic, assert_agreement}, case::Case};
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let network = Network::try_new(families::ring(5)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(network, 3)?.refreshed("1/8".parse()?)?;
/// let case = Case::new(protocol, Observer::full(0), 7);
/// assert_eq!(assert_agreement(&case, &[Topic::REFRESHED_BOUNDS]), 4); // four sources
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assert_agreement(case: &Case, topics: &[Topic]) -> usize {
    let asked = topics.iter().flat_map(|topic| (topic.0)(case));
    asked
        .map(|quantity| match compare(&quantity, case) {
            Ok(compared) => compared,
            Err(reason) => panic!("{}", report(quantity.name, &reason, case)),
        })
        .sum()
}

/// Parses a case and compares both engines on all topics; see [`assert_agreement`].
///
/// # Errors
///
/// Fails if `text` is not the textual form of a case.
pub fn replay(text: &str) -> Result<usize, CaseError> {
    Ok(assert_agreement(&text.parse()?, &Topic::ALL))
}

fn report(quantity: &str, reason: &str, case: &Case) -> String {
    format!(
        "the engines disagree on {quantity}: {reason}\n\
         To replay: save this line as conformance/tests/agreement/cases/NAME.json and run\n\
         cargo test -p muffliato-conformance saved_cases\n{case}"
    )
}

fn compare(quantity: &Quantity, case: &Case) -> Result<usize, String> {
    let (expected, found) = match (&quantity.exact, &quantity.fast) {
        (Ok(expected), Ok(found)) => (expected, found),
        (Err(one), Err(other)) if one == other => return Ok(0),
        (Ok(none), Err(_)) if none.is_empty() => return Ok(0), // there is no source
        (expected, found) => {
            let said = |answers: &Answers| match answers {
                Ok(answers) => format!("{} numbers", answers.len()),
                Err(refusal) => format!("{refusal:?}"),
            };
            return Err(format!(
                "the reference says {}, the fast engine {}",
                said(expected),
                said(found)
            ));
        }
    };
    if expected.len() != found.len() {
        let (one, other) = (expected.len(), found.len());
        return Err(format!("{one} numbers of the reference, {other} of the fast engine"));
    }
    let sources = case.sources();
    for (place, (exact, answer)) in expected.iter().zip(found).enumerate() {
        let mut wrong = answer.contradiction(exact);
        if quantity.of_sources && !case.is_heard(sources[place]) {
            let zero = exact.is_zero() && answer.is_zero();
            wrong = wrong.or((!zero).then(|| "nothing can be heard, and it is not 0".into()));
        }
        if let Some(wrong) = wrong {
            return Err(format!(
                "number {place}: {wrong}\nreference: {exact}\nfast:      {answer}"
            ));
        }
    }
    Ok(found.len())
}
