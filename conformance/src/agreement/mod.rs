//! The comparison: both engines are asked the same, and a disagreement panics with the whole case.
//!
//! An [`Answer`] is a number with everything that its engine claims about it: ends between which it provably lies, the width
//! that the engine promises for them, and an estimate with the tolerance that is stated for it. The reference answers with
//! exact rationals, or with rational intervals where a root or an exponential is involved.
//!
//! ```
//! use muffliato_conformance::{agreement::{Topic, assert_agreement}, case::Case};
//!
//! let case: Case = "network Bg metropolis\nrounds 1\ngossip-steps 2\nobserver full:2\ngroup 0\nseed 1".parse()?;
//! assert!(assert_agreement(&case, &Topic::ALL) > 20);
//! # Ok::<(), muffliato_conformance::case::CaseError>(())
//! ```

mod account;
mod answer;
mod bounds;
mod convergence;
mod guarantee;
mod losses;
mod simulation;

pub use answer::{Answer, Answers, Refusal, Width};

use crate::case::{Case, CaseError};
use muffliato_model::Fraction;
use muffliato_reference::{BigRational, ReferenceError};

/// Quantities that belong together and cost about the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Theorem 1 and what follows from it, the theorem on random graphs.
    PaperBounds,
    /// The closed forms, as the accountant tells them.
    Formulas,
    /// Theorem 1 for all pairs at once, whoever observes in the case.
    AllPairs,
    /// The paper's bounds for gradient descent.
    GradientDescent,
    /// The walk bound for refreshed protocols.
    RefreshedBounds,
    /// The absorption bound, and the bound for masked protocols.
    OurBounds,
    /// Leakage and rank where noise is drawn with the inputs only.
    Leakage,
    /// The losses of any protocol, of groups and of vectors.
    Losses,
    /// Gaps, acceleration, steps.
    Spectrum,
    /// From leakage to a guarantee.
    Guarantee,
    /// Runs with given noise, and expected errors.
    Simulation,
}

impl Topic {
    /// All topics.
    pub const ALL: [Self; 11] = [
        Self::PaperBounds,
        Self::Formulas,
        Self::AllPairs,
        Self::GradientDescent,
        Self::RefreshedBounds,
        Self::OurBounds,
        Self::Leakage,
        Self::Losses,
        Self::Spectrum,
        Self::Guarantee,
        Self::Simulation,
    ];
}

impl Topic {
    /// What both engines say about each of its quantities.
    fn quantities(self, case: &Case) -> Vec<Quantity> {
        match self {
            Self::PaperBounds => bounds::paper(case),
            Self::Formulas => account::formulas(case),
            Self::AllPairs => bounds::all_pairs(case),
            Self::GradientDescent => bounds::gradient_descent(case),
            Self::RefreshedBounds => bounds::refreshed(case),
            Self::OurBounds => bounds::ours(case),
            Self::Leakage => losses::unrefreshed(case),
            Self::Losses => losses::any(case),
            Self::Spectrum => convergence::quantities(case),
            Self::Guarantee => guarantee::quantities(case),
            Self::Simulation => simulation::quantities(case),
        }
    }
}

/// What both engines say about a quantity.
struct Quantity {
    name: &'static str,
    /// Whether its numbers are those of the sources outside the observer, and so 0 for those who cannot be heard.
    of_sources: bool,
    exact: Answers,
    fast: Answers,
}

impl Quantity {
    fn new(name: &'static str, exact: Answers, fast: Answers) -> Self {
        Self {
            name,
            of_sources: false,
            exact,
            fast,
        }
    }

    fn of_sources(name: &'static str, exact: Answers, fast: Answers) -> Self {
        Self {
            of_sources: true,
            ..Self::new(name, exact, fast)
        }
    }
}

/// Enclosures of sums of non-negative numbers are this narrow, relative to the sum.
const SUMS: Width = Width::Relative(1e-12);

/// Numbers that are known exactly.
fn exactly(numbers: Result<Vec<BigRational>, ReferenceError>) -> Answers {
    Ok(numbers?.into_iter().map(Answer::exact).collect())
}

/// One number.
fn one<N: Into<Answer>, E: Into<Refusal>>(number: Result<N, E>) -> Answers {
    Ok(vec![number.map_err(Into::into)?.into()])
}

/// The nearest float: exact for dyadic parameters.
fn float(fraction: Fraction) -> f64 {
    fraction.numerator() as f64 / fraction.denominator() as f64
}

/// Asks both engines for every quantity of the topics. Returns how many numbers were compared; quantities that both refuse for
/// the same reason count none.
///
/// # Panics
///
/// If the engines contradict each other, or the fast one a claim that it makes about its precision; the message holds the
/// textual form of the case for [`replay`].
///
/// ```
/// use muffliato_conformance::{agreement::{Topic, assert_agreement}, case::Case};
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let network = Network::try_new(families::ring(5)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(network, 3)?.refreshed("1/8".parse()?)?;
/// let case = Case::new(protocol, Observer::full(0), 7);
/// assert_eq!(assert_agreement(&case, &[Topic::RefreshedBounds]), 4); // four sources
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assert_agreement(case: &Case, topics: &[Topic]) -> usize {
    let asked = topics.iter().flat_map(|topic| topic.quantities(case));
    asked
        .map(|quantity| match compare(&quantity, case) {
            Ok(compared) => compared,
            Err(reason) => panic!("{}", report(quantity.name, &reason, case)),
        })
        .sum()
}

/// Reads a case in its textual form and asks both engines for everything; see [`assert_agreement`].
///
/// ```
/// use muffliato_conformance::agreement::replay;
///
/// let text = "graph Bg\nedges 0-1 1-2\nobserver full:2\ngroup 0\nseed 3";
/// assert!(replay(text)? > 20);
/// assert!(replay("graph Bg").is_err());
/// # Ok::<(), muffliato_conformance::case::CaseError>(())
/// ```
pub fn replay(text: &str) -> Result<usize, CaseError> {
    Ok(assert_agreement(&text.parse()?, &Topic::ALL))
}

fn report(quantity: &str, reason: &str, case: &Case) -> String {
    format!(
        "the engines disagree on {quantity}: {reason}\n\
         To replay: save these lines as conformance/tests/agreement/cases/NAME.case and run\n\
         cargo test -p muffliato-conformance --test agreement saved_cases\n{case}"
    )
}

fn compare(quantity: &Quantity, case: &Case) -> Result<usize, String> {
    let (expected, found) = match (&quantity.exact, &quantity.fast) {
        (Ok(expected), Ok(found)) => (expected, found),
        (Err(one), Err(other)) if one == other => return Ok(0),
        (Ok(none), Err(_)) if none.is_empty() => return Ok(0), // nobody is left whose input could be protected
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
        return Err(format!(
            "{one} numbers of the reference, {other} of the fast engine"
        ));
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
