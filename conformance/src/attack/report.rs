//! Result of an attack.

use super::{Rounding, SuccessInterval};
use muffliato_reference::{BigRational, decimal};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::fmt::{Display, Write};

/// The result of an attack. Each measured interval or bound is wrong with probability at most
/// [`AttackReport::miss`].
///
/// ```
/// use muffliato_conformance::attack::Attack;
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let protocol = Protocol::one_shot(Network::try_new(families::path(3)?, WeightScheme::Metropolis)?, 2)?;
/// let report = Attack { trials: 10_000, ..Attack::new(&protocol, 2, Observer::full(0)) }.run(&())?;
/// let paper = report.theorem_1.as_ref().unwrap();
/// assert!(report.accuracy.lower > paper.accuracy); // guessed right more often than Theorem 1 allows,
/// assert!(report.is_below_exact()); // and not more often than the exact leakage does
/// assert!((paper.bound - 1.0 / 3.0).abs() < 1e-14);
/// assert_eq!(report.json()["leakage"], "1");
/// assert!(report.text().contains("More than Theorem 1 allows"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AttackReport {
    /// The source.
    pub source: usize,
    /// The observer.
    pub observer: String,
    /// Standard deviation of the noise.
    pub sigma: f64,
    /// Distance of the two inputs.
    pub sensitivity: f64,
    /// Delta of every eps.
    pub delta: f64,
    /// Probability with which an interval or bound may be wrong.
    #[serde(rename = "miss_probability")]
    pub miss: f64,
    /// Rounding of messages on the wire.
    #[serde(serialize_with = "as_text")]
    pub rounding: Rounding,
    /// Exact leakage of unrounded messages, in units of L.
    #[serde(serialize_with = "as_text")]
    pub leakage: BigRational,
    /// Share of correct guesses.
    pub accuracy: SuccessInterval,
    /// Success probability of the best observer of unrounded messages.
    pub exact_accuracy: f64,
    /// Runs with input Delta above the threshold for eps.
    pub hits: SuccessInterval,
    /// Runs with input 0 above the threshold for eps.
    pub alarms: SuccessInterval,
    /// Lower bound: no (eps, delta)-guarantee below it is true.
    pub epsilon_lower: f64,
    /// The true eps, rounded up.
    pub exact_epsilon: f64,
    /// What Theorem 1 says; `None` for a noise plan, which it is not about.
    pub theorem_1: Option<Theorem1>,
}

/// What follows from Theorem 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Theorem1 {
    /// Its bound, in units of L.
    pub bound: f64,
    /// Largest success probability if it held.
    pub accuracy: f64,
    /// The eps that follows from it.
    pub epsilon: f64,
}

impl AttackReport {
    /// Returns `true` if the measurement contradicts Theorem 1, by accuracy or by eps. If Theorem 1
    /// held, the probability of this would be at most 3/2 of [`AttackReport::miss`]: half of it for
    /// the lower bound on the accuracy, all of it for the two bounds behind eps.
    pub fn contradicts_theorem_1(&self) -> bool {
        self.theorem_1.is_some_and(|paper| {
            self.accuracy.lower > paper.accuracy || self.epsilon_lower > paper.epsilon
        })
    }

    /// Returns `true` if the measurement is possible under the exact leakage; wrongly denied with
    /// probability at most 3/2 of [`AttackReport::miss`].
    pub fn is_below_exact(&self) -> bool {
        self.accuracy.lower <= self.exact_accuracy && self.epsilon_lower <= self.exact_epsilon
    }

    /// Formats the report with the numbers of the nodes.
    pub fn text(&self) -> String {
        self.text_naming(&format!("node {}", self.source), &self.observer)
    }

    /// Formats the report with these names of source and observer.
    pub fn text_naming(&self, source: &str, observer: &str) -> String {
        let mut text = String::new();
        let SuccessInterval { lower, upper, trials, .. } = self.accuracy;
        let _ = writeln!(
            text,
            "Attack of {observer} on the input of {source}: in each of {trials} simulated runs it guesses which of two inputs, 0 or {}, {source} has. sigma = {}, messages as {}.\n\n\
             loss: in multiples of the local (LDP) loss. right: the share of right guesses.\n",
            self.sensitivity, self.sigma, self.rounding
        );
        let four = |share: f64| format!("{share:.4}");
        let leakage = decimal::rounded_up(&self.leakage, 4);
        let up = |value| digits(value, decimal::rounded_up);
        let measured = format!(">= {}", digits(self.epsilon_lower, decimal::rounded_down));
        let row = |name: &str, leakage: String, right: f64, epsilon: String| {
            [name.into(), leakage, four(right), epsilon]
        };
        let head = ["", "loss", "right", &format!("eps at {:e}", self.delta)].map(String::from);
        let paper = self
            .theorem_1
            .map(|paper| row("Theorem 1", up(paper.bound), paper.accuracy, up(paper.epsilon)));
        let exact = row("exact", leakage, self.exact_accuracy, up(self.exact_epsilon));
        let measured = row("measured", String::new(), self.accuracy.share(), measured);
        let rows = [Some(head), paper, Some(exact), Some(measured)].into_iter().flatten();
        for [name, leakage, right, epsilon] in rows {
            let _ = writeln!(text, "{name:<12} {leakage:>12} {right:>12} {epsilon:>14}");
        }
        let _ = writeln!(
            text,
            "\nright: between {lower:.4} and {upper:.4}; each measured bound is wrong with probability at most {:e} (Clopper-Pearson). \
             The threshold for eps was passed in {} of {} runs with the input Delta and in {} of {} with 0.",
            self.miss,
            self.hits.successes,
            self.hits.trials,
            self.alarms.successes,
            self.alarms.trials
        );
        let verdict = match (self.contradicts_theorem_1(), self.is_below_exact()) {
            (false, true) if self.theorem_1.is_none() => "No more than the exact leakage allows.",
            (true, true) => "More than Theorem 1 allows, and what the exact leakage allows.",
            (false, true) => "No more than Theorem 1 and the exact leakage allow.",
            (_, false) => "More than the exact leakage allows: a defect, or a very rare event.",
        };
        let _ = writeln!(text, "{verdict}");
        if self.rounding != Rounding::Double {
            let _ = writeln!(
                text,
                "Rounding hides what this statistic cannot use any more. That is a measurement, not a guarantee."
            );
        }
        text
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        let mut value = json!(self);
        value["contradicts_theorem_1"] = self.contradicts_theorem_1().into();
        value["is_below_exact"] = self.is_below_exact().into();
        value
    }
}

fn as_text<S: Serializer>(value: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Formats four digits, rounded up for losses or down for proved ones.
fn digits(value: f64, rounded: fn(&BigRational, u32) -> String) -> String {
    BigRational::from_float(value).map_or(value.to_string(), |exact| rounded(&exact, 4))
}
