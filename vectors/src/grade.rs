//! Grades of another program's answers.

use crate::form::{Answer, Case, File, Question, Verdict};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Worth of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grade {
    /// The right answer.
    Exact,
    /// A bound that is not below the right number.
    Sound,
    /// A number below the right one, a formula, matrix or graph that is another one, or the acceptance of what must be refused.
    Unsound,
    /// A refusal of a question that has an answer.
    Refused,
    /// The program does not answer questions of this kind.
    Unsupported,
    /// The program ended, or its answer could not be read.
    Crashed,
    /// No answer came in time.
    TooSlow,
}

impl Grade {
    /// All grades, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::Exact,
        Self::Sound,
        Self::Unsound,
        Self::Refused,
        Self::Unsupported,
        Self::Crashed,
        Self::TooSlow,
    ];
}

/// One graded answer.
#[derive(Clone, Debug, Serialize)]
pub struct Graded {
    /// The case.
    pub id: String,
    /// Its topic.
    pub topic: String,
    /// Its flags.
    pub flags: Vec<String>,
    /// The program's answer, shortened; empty if there was none.
    pub answered: String,
    /// The right answer.
    pub right: Answer,
    /// The grade of the answer.
    pub grade: Grade,
    /// Excess of a sound answer over the right one.
    pub slack: Option<f64>,
}

/// All graded answers of a program.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The command that was run.
    pub program: Vec<String>,
    /// The answers, in the order of the questions.
    pub answers: Vec<Graded>,
}

impl Report {
    /// Head of [`Report::rows`], separated by commas.
    pub const HEAD: &str =
        "topic or flag,cases,exact,sound,UNSOUND,refused,unsupported,crashed,too slow,slack";

    /// Returns how many answers have this grade.
    pub fn count(&self, grade: Grade) -> usize {
        self.answers.iter().filter(|answer| answer.grade == grade).count()
    }

    /// Returns the table: a row for each topic, then a row for each flag.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut topics: Vec<&str> = Vec::new();
        for answer in &self.answers {
            if topics.last() != Some(&answer.topic.as_str()) {
                topics.push(&answer.topic);
            }
        }
        let flags: BTreeSet<&str> =
            self.answers.iter().flat_map(|answer| &answer.flags).map(String::as_str).collect();
        let of_topic = topics.iter().map(|&topic| {
            let of_it = self.answers.iter().filter(|answer| answer.topic == topic);
            row(topic.into(), of_it)
        });
        let of_flag = flags.iter().map(|&flag| {
            let with_it =
                self.answers.iter().filter(|answer| answer.flags.iter().any(|f| f == flag));
            row(format!("flag {flag}"), with_it)
        });
        of_topic.chain(of_flag).collect()
    }
}

fn row<'a>(name: String, answers: impl Iterator<Item = &'a Graded>) -> Vec<String> {
    let mut counts: BTreeMap<Grade, usize> = BTreeMap::new();
    let (mut cases, mut slack) = (0, None::<f64>);
    for answer in answers {
        *counts.entry(answer.grade).or_default() += 1;
        cases += 1;
        slack = slack.into_iter().chain(answer.slack).reduce(f64::max);
    }
    let shown = |count: usize| {
        if count == 0 { "-".into() } else { count.to_string() }
    };
    let counts = Grade::ALL.map(|grade| shown(counts.get(&grade).copied().unwrap_or(0)));
    let slack = slack.map_or("-".into(), |slack| format!("{slack:.3}"));
    [name, cases.to_string()].into_iter().chain(counts).chain([slack]).collect()
}

/// A number, or infinity.
enum Number {
    Finite(BigRational),
    Infinite,
}

/// An answer that could be read.
enum Given {
    Interval(Option<BigRational>, Number),
    Rows(Vec<Vec<BigRational>>),
    Graph(BTreeSet<String>, BTreeSet<[String; 2]>),
    Accept,
    Refuse,
    Unsupported,
}

/// Longest text of a number.
const LONGEST: usize = 100_000;

/// Largest power of ten in a number: beyond that of every float.
const LARGEST_POWER: u32 = 5_000;

fn finite(text: &str) -> Option<BigRational> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    if let Some((above, below)) = text.split_once('/') {
        let below: BigInt = below.parse().ok()?;
        return (!below.is_zero()).then(|| Some(BigRational::new(above.parse().ok()?, below)))?;
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if !part.bytes().all(|byte| byte.is_ascii_digit()) || exponent.unsigned_abs() > LARGEST_POWER {
        return None;
    }
    let digits = BigRational::from_integer(format!("{whole}{part}").parse().ok()?);
    let ten = |power: usize| BigRational::from_integer(Pow::pow(BigInt::from(10), power));
    let scaled = match exponent >= 0 {
        true => digits * ten(exponent as usize),
        false => digits / ten(exponent.unsigned_abs() as usize),
    };
    Some(scaled / ten(part.len()))
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::String(text) if matches!(text.as_str(), "inf" | "infinity") => {
            Some(Number::Infinite)
        }
        Value::String(text) => finite(text).map(Number::Finite),
        Value::Number(number) => finite(&number.to_string()).map(Number::Finite),
        _ => None,
    }
}

fn read(line: &str, id: &str) -> Option<Given> {
    let mut value: Value = serde_json::from_str(line).ok()?;
    if let Some(named) = value.get("id") {
        if named.as_str() != Some(id) {
            return None;
        }
        value = value.get_mut("answer")?.take();
    }
    Some(match &value {
        Value::String(word) if word == "refuse" => Given::Refuse,
        Value::String(word) if word == "accept" => Given::Accept,
        Value::String(word) if word == "unsupported" => Given::Unsupported,
        Value::Array(ends) => match &ends[..] {
            [lower, upper] => match number(lower)? {
                Number::Finite(lower) => Given::Interval(Some(lower), number(upper)?),
                Number::Infinite => return None,
            },
            _ => return None,
        },
        Value::Object(fields) if fields.contains_key("rows") => {
            let entry = |value: &Value| match number(value)? {
                Number::Finite(number) => Some(number),
                Number::Infinite => None,
            };
            let row = |row: &Value| row.as_array()?.iter().map(entry).collect::<Option<_>>();
            Given::Rows(fields["rows"].as_array()?.iter().map(row).collect::<Option<_>>()?)
        }
        Value::Object(fields) => {
            let name = |value: &Value| match value {
                Value::String(name) => Some(name.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            };
            let nodes = fields.get("nodes")?.as_array()?.iter().map(name);
            let nodes: Vec<String> = nodes.collect::<Option<_>>()?;
            let edge = |edge: &Value| {
                let end = |i: usize| Some(usize::try_from(edge.get(i)?.as_u64()?).ok());
                Some((end(0)??, end(1)??))
            };
            let edges = fields.get("edges")?.as_array()?.iter().map(edge);
            graph(&nodes, edges.collect::<Option<Vec<_>>>()?.into_iter())?
        }
        other => Given::Interval(None, number(other)?),
    })
}

/// The graph by the names of its nodes.
fn graph(nodes: &[String], edges: impl Iterator<Item = (usize, usize)>) -> Option<Given> {
    let named = |(a, b): (usize, usize)| {
        let mut edge = [nodes.get(a)?.clone(), nodes.get(b)?.clone()];
        edge.sort();
        Some(edge)
    };
    let edges = edges.map(named).collect::<Option<_>>()?;
    Some(Given::Graph(nodes.iter().cloned().collect(), edges))
}

/// Grades the line that a program answered. Numbers that are too small by at most the part `tolerance` of the right one count as exact.
///
/// ```
/// use muffliato_vectors::{Grade, form::File, grade};
///
/// let files = File::all()?;
/// // The loss is 1; Theorem 1 of the paper says 1/3.
/// let case = files[2].cases.iter().find(|case| case.id == "one-shot/path:3/T2/0->2").unwrap();
/// let exactly = &"0".parse()?;
/// for (answer, worth) in [
///     ("1", Grade::Exact),
///     (r#""1/3""#, Grade::Unsound),
///     (r#"["0.9", 1.25]"#, Grade::Sound),
///     ("0.99", Grade::Unsound),
///     (r#""refuse""#, Grade::Refused),
///     (r#""unsupported""#, Grade::Unsupported),
///     ("one", Grade::Crashed),
/// ] {
///     assert_eq!(grade(case, answer, exactly).0, worth);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grade(case: &Case, line: &str, tolerance: &BigRational) -> (Grade, Option<f64>) {
    let Some(given) = read(line, &case.id) else {
        return (Grade::Crashed, None);
    };
    let right = |holds: bool| (if holds { Grade::Exact } else { Grade::Unsound }, None);
    match (given, &case.answer) {
        (Given::Unsupported, _) => (Grade::Unsupported, None),
        (Given::Refuse, Answer::Verdict { verdict: Verdict::Refuse, .. }) => right(true),
        (Given::Refuse, Answer::Graph { or_refuse: true, .. }) => right(true),
        (Given::Refuse, _) => (Grade::Refused, None),
        (Given::Accept, Answer::Verdict { verdict, .. }) => right(*verdict == Verdict::Accept),
        (_, Answer::Verdict { verdict: Verdict::Refuse, .. }) => right(false),
        (Given::Rows(given), Answer::Rows { rows }) => {
            let row = |row: &Vec<String>| row.iter().map(|entry| finite(entry)).collect();
            right(rows.iter().map(row).collect::<Option<Vec<_>>>() == Some(given))
        }
        (Given::Graph(nodes, edges), Answer::Graph { nodes: names, edges: pairs, .. }) => {
            match graph(names, pairs.iter().copied()) {
                Some(Given::Graph(named, joined)) => right(nodes == named && edges == joined),
                _ => (Grade::Crashed, None),
            }
        }
        (Given::Interval(lower, upper), Answer::Number { value, below, above }) => {
            let ends = match value.as_deref().map(finite) {
                Some(value) => (value.clone(), value),
                None => (finite(below), finite(above)),
            };
            let (Some(least), Some(most)) = ends else {
                return (Grade::Crashed, None);
            };
            let slip = tolerance * most.abs();
            let formula = matches!(case.question, Question::Formula { .. });
            if lower.is_some_and(|lower| lower > &most + &slip) {
                return (Grade::Unsound, None);
            }
            match upper {
                Number::Finite(upper) if upper < &least - &slip => (Grade::Unsound, None),
                Number::Finite(upper) if upper <= &most + &slip => (Grade::Exact, None),
                _ if formula => (Grade::Unsound, None),
                Number::Finite(upper) => (Grade::Sound, (upper - most).to_f64()),
                Number::Infinite => (Grade::Sound, Some(f64::INFINITY)),
            }
        }
        _ => (Grade::Crashed, None),
    }
}

impl File {
    /// Returns the question of a case as the line that a program is asked.
    ///
    /// # Errors
    /// If the question cannot be serialized.
    pub fn line(&self, case: &Case) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        struct Line<'a> {
            id: &'a str,
            topic: &'a str,
            #[serde(flatten)]
            question: &'a Question,
        }
        let (id, topic, question) = (&case.id, &self.topic, &case.question);
        serde_json::to_string(&Line { id, topic, question })
    }
}

#[cfg(test)]
mod tests {
    use super::{Grade, grade};
    use crate::form::{Answer, File};
    use num_rational::BigRational;
    use num_traits::Zero;

    fn graded(topic: &str, right: &str, line: &str) -> Grade {
        let files = File::all().unwrap();
        let file = files.iter().find(|file| file.topic == topic).unwrap();
        let is_right = |answer: &Answer| matches!(answer, Answer::Number { value: Some(value), .. } if value == right);
        let case = file.cases.iter().find(|case| is_right(&case.answer)).unwrap();
        grade(case, line, &BigRational::zero()).0
    }

    #[test]
    fn a_lower_end_above_the_loss_is_unsound_whatever_the_upper_end() {
        assert_eq!(graded("one-shot", "0", r#"[1, "inf"]"#), Grade::Unsound);
        assert_eq!(graded("one-shot", "0", r#"[0, "inf"]"#), Grade::Sound);
        assert_eq!(graded("one-shot", "0", r#""inf""#), Grade::Sound);
    }

    #[test]
    fn a_formula_is_equal_or_wrong() {
        assert_eq!(graded("formulas", "1", "1"), Grade::Exact);
        for line in [r#""inf""#, r#"[1, "inf"]"#, "2"] {
            assert_eq!(graded("formulas", "1", line), Grade::Unsound, "{line}");
        }
    }

    #[test]
    fn powers_of_ten_have_an_end() {
        assert_eq!(graded("one-shot", "1", r#""1e300""#), Grade::Sound);
        assert_eq!(graded("one-shot", "1", r#""1e-300""#), Grade::Unsound);
        for line in [r#""1e99999""#, r#""1e-99999""#, r#"[0, "1e99999"]"#] {
            assert_eq!(graded("one-shot", "1", line), Grade::Crashed, "{line}");
        }
    }
}
