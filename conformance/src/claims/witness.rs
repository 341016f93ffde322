//! Instances at which a claim fails, confirmed by both engines.

use super::{ClaimError, instances::graph_name};
use muffliato_fast::Enclosure;
use muffliato_model::{Graph, Observer};
use muffliato_reference::{BigRational, decimal, enclosure::Interval, order};
use serde_json::{Value, json};
use std::fmt;

/// An instance of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// The graph, if the claim is about one.
    pub graph: Option<Graph>,
    /// Steps, rounds and other parameters.
    pub setting: String,
    /// Sources whose inputs are at stake.
    pub sources: Vec<usize>,
    /// The observer, if there is one.
    pub observer: Option<Observer>,
}

impl Instance {
    /// Creates an instance without a graph.
    pub(crate) fn of(setting: impl Into<String>) -> Self {
        Self { setting: setting.into(), ..Self::default() }
    }

    /// Creates an instance on a graph.
    pub(crate) fn on(graph: &Graph, setting: impl Into<String>) -> Self {
        Self { graph: Some(graph.clone()), ..Self::of(setting) }
    }

    /// Sets the sources.
    pub(crate) fn of_sources(self, sources: &[usize]) -> Self {
        Self { sources: sources.to_vec(), ..self }
    }

    /// Sets the observer.
    pub(crate) fn towards(self, observer: &Observer) -> Self {
        Self { observer: Some(observer.clone()), ..self }
    }
}

/// Largest number of edges that are listed in a graph's name.
const LISTED: usize = 12;

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let small = self.graph.as_ref().filter(|g| g.edge_count() <= LISTED);
        let names: Vec<_> = self.sources.iter().map(usize::to_string).collect();
        let observer = self.observer.as_ref().map(Observer::to_string);
        let seen = match (names.join("+"), observer) {
            (sources, None) => sources,
            (sources, Some(observer)) if sources.is_empty() => observer,
            (sources, Some(observer)) => format!("{sources} -> {observer}"),
        };
        let parts = [small.map(graph_name).unwrap_or_default(), self.setting.clone(), seen];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(", "))
    }
}

/// Claimed relation of the true number to the claimed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The true number is at most the claimed one.
    AtMost,
    /// The true number is at least the claimed one.
    AtLeast,
    /// The numbers are equal.
    Equal,
}

impl Relation {
    /// Returns `true` if a true number provably above or below the claimed one contradicts the
    /// claim.
    fn fails(self, above: bool, below: bool) -> bool {
        match self {
            Self::AtMost => above,
            Self::AtLeast => below,
            Self::Equal => above || below,
        }
    }
}

/// A claimed relation between two numbers, each exact or enclosed in rationals.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The claimed relation.
    pub relation: Relation,
    /// The claimed number.
    pub claimed: Interval,
    /// The true number.
    pub actual: Interval,
}

impl Comparison {
    /// Claims `actual <= claimed`.
    pub(crate) fn at_most(actual: BigRational, claimed: BigRational) -> Self {
        Self::exact(Relation::AtMost, actual, claimed)
    }

    /// Claims `actual = claimed`.
    pub(crate) fn equal(actual: BigRational, claimed: BigRational) -> Self {
        Self::exact(Relation::Equal, actual, claimed)
    }

    /// Claims a relation between two fractions.
    pub(crate) fn exact(relation: Relation, actual: BigRational, claimed: BigRational) -> Self {
        Self { relation, claimed: Interval::exact(claimed), actual: Interval::exact(actual) }
    }

    /// Returns `true` if the claim fails; overlapping enclosures do not count as a failure.
    pub fn fails(&self) -> bool {
        let above = order(self.claimed.upper(), self.actual.lower()).is_lt();
        let below = order(self.claimed.lower(), self.actual.upper()).is_gt();
        self.relation.fails(above, below)
    }

    /// Ends a search with a witness if the claim fails. `describe` returns the instance, the hand
    /// check, and the claimed and true number by the fast engine.
    pub(crate) fn search(
        self,
        describe: impl FnOnce() -> Result<(Instance, Vec<String>, [Enclosure; 2]), ClaimError>,
    ) -> Search {
        if !self.fails() {
            return Ok(());
        }
        let (instance, hand_check, fast) = describe()?;
        Err(Stop::Found(Box::new(self.witness(instance, hand_check, fast)?)))
    }

    /// Returns the witness if `fast`, the claimed and the true number by the fast engine, shows the
    /// same failure, and an error otherwise.
    pub(crate) fn witness(
        self,
        instance: Instance,
        hand_check: Vec<String>,
        fast: [Enclosure; 2],
    ) -> Result<Witness, ClaimError> {
        let [claimed, actual] = fast;
        let above = claimed.upper() < actual.lower();
        let below = claimed.lower() > actual.upper();
        let fails = self.relation.fails(above, below);
        let agree = meet(&self.claimed, &claimed) && meet(&self.actual, &actual);
        if !(self.fails() && fails && agree) {
            return Err(ClaimError::EnginesDisagree {
                instance: instance.to_string(),
                exact: self.to_string(),
                fast: format!("{claimed:?} and {actual:?}"),
            });
        }
        Ok(Witness { instance, exact: self, fast, paper_view: None, hand_check, also: None })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::AtMost => "at most ",
            Relation::AtLeast => "at least ",
            Relation::Equal => "",
        };
        let (claimed, actual) = (format_interval(&self.claimed), format_interval(&self.actual));
        write!(f, "claimed {relation}{claimed}, true {actual}")
    }
}

/// A reason to end a search early.
pub(crate) enum Stop {
    Found(Box<Witness>),
    Failed(ClaimError),
}

impl<E: Into<ClaimError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A search for a witness, or a part of one; a witness is passed to the caller by `?`, like an
/// error.
pub(crate) type Search = Result<(), Stop>;

/// Returns the witness of a search, if there is one.
pub(crate) fn outcome(search: Search) -> Result<Option<Witness>, ClaimError> {
    match search {
        Ok(()) => Ok(None),
        Err(Stop::Found(witness)) => Ok(Some(*witness)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// An instance at which a claim fails in exact arithmetic and, independently, by the fast engine.
///
/// ```
/// use muffliato_conformance::Ledger;
///
/// let audit = Ledger::only("corollary-1")?.run(&())?;
/// let witness = audit.entries[0].verdict.witness.as_ref().unwrap();
/// let text = "path of 3 (0-1 0-2), T = 2, 2 -> full:1: claimed at most 1/3, true 1 (paper's view: 1/2)";
/// assert_eq!(witness.to_string(), text);
/// let [claimed, actual] = witness.fast;
/// assert!(claimed.upper() < actual.lower());
/// assert!(!witness.hand_check.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The instance.
    pub instance: Instance,
    /// Claimed and true number, exactly.
    pub exact: Comparison,
    /// Claimed and true number by the fast engine.
    pub fast: [Enclosure; 2],
    /// The comparison in the paper's view, in which observers forget the noise that they drew. A
    /// loss refutes the paper only if it does so in this view, too.
    pub paper_view: Option<Comparison>,
    /// Hand check, line by line.
    pub hand_check: Vec<String>,
    /// A larger instance where the two numbers are farther apart or the reason is plainer.
    pub also: Option<Box<Witness>>,
}

impl Witness {
    /// Adds a further instance, if there is one.
    pub(crate) fn and_also(self, also: Option<Witness>) -> Self {
        Self { also: also.map(Box::new), ..self }
    }

    /// Returns the witness as JSON.
    pub(crate) fn json(&self) -> Value {
        let Instance { graph, setting, sources, observer } = &self.instance;
        let edges = graph.as_ref().map(|graph| graph.edges().collect::<Vec<_>>());
        json!({
            "instance": self.instance.to_string(),
            "nodes": graph.as_ref().map(Graph::nodes),
            "edges": edges,
            "setting": setting,
            "sources": sources,
            "observer": observer.as_ref().map(Observer::to_string),
            "claimed": format_interval(&self.exact.claimed),
            "true": format_interval(&self.exact.actual),
            "paper_view": self.paper_view.as_ref().map(|printed| {
                json!({ "claimed": format_interval(&printed.claimed), "true": format_interval(&printed.actual) })
            }),
            "fast": self.fast.map(|number| [number.lower(), number.upper()]),
            "hand_check": self.hand_check,
            "also": self.also.as_ref().map(|also| also.json()),
        })
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.instance, self.exact)?;
        match &self.paper_view {
            None => {}
            Some(printed) if printed.claimed == self.exact.claimed => {
                write!(f, " (paper's view: {})", format_interval(&printed.actual))?;
            }
            Some(printed) => write!(f, " (paper's view: {printed})")?,
        }
        match &self.also {
            None => Ok(()),
            Some(also) => write!(f, "; also {also}"),
        }
    }
}

/// Returns `true` if an exact enclosure and one of the fast engine intersect.
fn meet(exact: &Interval, fast: &Enclosure) -> bool {
    let [lower, upper] = [fast.lower(), fast.upper()].map(BigRational::from_float);
    let below = lower.is_none_or(|lower| order(&lower, exact.upper()).is_le());
    below && upper.is_none_or(|upper| order(&upper, exact.lower()).is_ge())
}

/// Returns an enclosure of 1e-9 around an estimate without a proof.
pub(crate) fn estimate(value: f64) -> Enclosure {
    const TOLERANCE: f64 = 1e-9;
    let width = TOLERANCE * value.abs().max(TOLERANCE);
    Enclosure::try_new(value - width, value + width).unwrap_or(Enclosure::exact(value))
}

/// Formats a short fraction exactly, others with six digits.
pub(crate) fn format_interval(value: &Interval) -> String {
    let text = value.lower().to_string();
    if value.lower() == value.upper() && text.len() <= 28 {
        text
    } else {
        format!("{}...", decimal::rounded_down(value.lower(), 6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::instances::ratio;

    fn compared(fast: [Enclosure; 2]) -> Result<Witness, ClaimError> {
        let comparison = Comparison::at_most(ratio(1, 1), ratio(1, 3));
        comparison.witness(Instance::of("here"), vec![], fast)
    }

    #[test]
    fn a_refutation_needs_both_engines() {
        let third = Enclosure::around(1.0 / 3.0, 1, 1);
        assert!(compared([third, Enclosure::exact(1.0)]).is_ok());
        let no_failure = [third, third];
        let another_claim = [Enclosure::exact(0.25), Enclosure::exact(1.0)];
        let another_loss = [third, Enclosure::exact(0.5)];
        for fast in [no_failure, another_claim, another_loss] {
            assert!(matches!(compared(fast), Err(ClaimError::EnginesDisagree { .. })));
        }
    }

    #[test]
    fn what_holds_exactly_is_never_a_witness() {
        let holds = Comparison::at_most(ratio(1, 3), ratio(1, 1));
        let fast = [0.0, 2.0].map(Enclosure::exact);
        assert!(!holds.fails());
        assert!(holds.witness(Instance::of("here"), vec![], fast).is_err());
    }
}
