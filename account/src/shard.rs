//! Parts of a question: shards of its observers, and summaries and losses as text.
//!
//! A summary knows which observers are in it and of which question. Parts that overlap, or that are of different questions, do not
//! merge; as long as a part is missing, the largest loss is that of a sample.

use crate::noise_law::{NoiseLaw, ProvedFor};
use crate::summary::{Class, Extreme, Spread, Summary};
use crate::{AccountError, Inputs, Loss, Number, Status, number::between};
use muffliato_model::{Fraction, Lipschitz, LossModel};
use muffliato_reference::{BigInt, BigRational};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// Which observers of a question were looked at: disjoint ranges (start, end) in increasing order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Covered(Vec<(usize, usize)>);

impl Covered {
    pub fn count(&self) -> usize {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// Joins disjoint sets; `None` if they are not.
    pub fn joined(&self, other: &Self) -> Option<Self> {
        let mut all = [&self.0[..], &other.0[..]].concat();
        all.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (start, end) in all {
            match joined.last_mut() {
                Some(last) if start < last.1 => return None,
                Some(last) if start == last.1 => last.1 = end,
                _ => joined.push((start, end)),
            }
        }
        Some(Self(joined))
    }

    pub fn one(number: usize) -> Self {
        Self(vec![(number, number + 1)])
    }

    pub fn all(observers: usize) -> Self {
        Self(vec![(0, observers)])
    }
}

/// A number that tells questions apart: FNV-1a of all that is in them.
pub(crate) fn fingerprint(question: &impl fmt::Debug) -> u64 {
    struct Hash(u64);
    impl fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let _ = fmt::Write::write_fmt(&mut hash, format_args!("{question:?}"));
    hash.0
}

/// What a text must say to be a summary.
const FORMAT: &str = "muffliato summary 2";

impl Summary {
    /// This summary as one line of JSON, which [`Summary::from_json`] reads back to the bit.
    ///
    /// ```
    /// use muffliato_account::{Account, Observers, Summary};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("path:5".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
    /// let part = |index| Account::of(&protocol)?.observers(Observers::All).shard(index, 2)?.summary();
    /// let mut first = Summary::from_json(&part(0)?.to_json())?;
    /// assert!(first.largest(2)?.promised().is_err()); // half of the observers are missing
    /// first.merge(Summary::from_json(&part(1)?.to_json())?)?;
    /// assert_eq!(first, Account::of(&protocol)?.observers(Observers::All).summary()?);
    /// assert!(first.merge(part(1)?).is_err()); // nobody is counted twice
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        let classes: Vec<Value> = self.classes.values().map(class_to_json).collect();
        let covered = &self.covered.0;
        json!({
            "format": FORMAT,
            "question": format!("{:016x}", self.question),
            "nodes": self.nodes,
            "model": self.model.to_string(),
            "noise": noise_to_json(self.noise),
            "inputs": self.inputs,
            "lipschitz": self.lipschitz.as_ref().map(lipschitz_to_json),
            "asked": self.asked,
            "sample_of": self.sample_of,
            "all_sources": self.all_sources,
            "covered": covered,
            "largest_mean": float_to_json(self.largest_mean),
            "classes": classes,
        })
        .to_string()
    }

    /// The summary that [`Summary::to_json`] wrote; [`AccountError::NoSummary`] for any other text.
    pub fn from_json(text: &str) -> Result<Self, AccountError> {
        let fields = &object(text)?;
        if fields.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(refused(
                "it does not say the format that this version of account --shard writes; write the shards again",
            ));
        }
        let mut classes = BTreeMap::new();
        let noise = noise_of_json(field(fields, "noise", Value::as_object)?)?;
        for value in field(fields, "classes", Value::as_array)? {
            let class = class_of_json(value, noise)?;
            classes.insert(class.distance.unwrap_or(usize::MAX), class);
        }
        let mut covered = Covered::default();
        for range in field(fields, "covered", Value::as_array)? {
            let end = |place: usize| range.get(place).and_then(whole);
            let (Some(start), Some(end)) = (end(0), end(1)) else {
                return Err(refused("covered is no list of ranges"));
            };
            let joined = covered.joined(&Covered(vec![(start, end)]));
            let joined = joined.filter(|_| start < end);
            covered = joined.ok_or_else(|| refused("covered ranges overlap"))?;
        }
        let question = field(fields, "question", Value::as_str)?;
        let asked = field(fields, "asked", whole)?;
        if covered.0.last().is_some_and(|last| last.1 > asked) {
            return Err(refused("it covers more observers than there are"));
        }
        Ok(Self {
            question: u64::from_str_radix(question, 16)
                .map_err(|_| refused("question is no number"))?,
            nodes: field(fields, "nodes", whole)?,
            model: model_of(fields)?,
            noise,
            inputs: field(fields, "inputs", whole)?,
            lipschitz: optional(fields, "lipschitz", lipschitz_of_json)?,
            asked,
            sample_of: optional(fields, "sample_of", whole)?,
            all_sources: field(fields, "all_sources", Value::as_bool)?,
            covered,
            largest_mean: field(fields, "largest_mean", float_of_json)?,
            classes,
        })
    }
}

impl Loss {
    /// This loss as one line of JSON, which [`Loss::from_json`] reads back to the bit.
    ///
    /// ```
    /// use muffliato_account::{Account, Loss};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("path:5".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
    /// let loss = Account::of(&protocol)?.loss(0, 4)?;
    /// assert_eq!(Loss::from_json(&loss.to_json())?, loss);
    /// assert!(Loss::from_json("0.1").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut text = json!({
            "lower": float_to_json(self.lower()),
            "value": float_to_json(self.value()),
            "upper": float_to_json(self.upper()),
            "exact": self.fraction().map(ToString::to_string),
            "scalars_exact": self.scalar.as_ref().map(ToString::to_string),
            "status": self.status.word(),
            "inputs": self.inputs.to_string(),
            "model": self.model.to_string(),
        });
        if let (Value::Object(text), Value::Object(noise)) = (&mut text, noise_to_json(self.noise))
        {
            text.extend(noise);
        }
        text.to_string()
    }

    /// The loss that [`Loss::to_json`] wrote; [`AccountError::NoSummary`] for any other text.
    pub fn from_json(text: &str) -> Result<Self, AccountError> {
        let fields = &object(text)?;
        let float = |name: &str| field(fields, name, float_of_json);
        let fraction = |name: &str| {
            optional(fields, name, |value| {
                value.as_str()?.parse::<BigRational>().ok()
            })
        };
        let (lower, value, upper) = (float("lower")?, float("value")?, float("upper")?);
        if !(lower <= value && value <= upper) {
            return Err(refused("its value is not between its ends"));
        }
        let inputs = field(fields, "inputs", Value::as_str)?;
        let known = [Inputs::Scalars, Inputs::Vectors];
        let known = known.into_iter().find(|known| known.to_string() == inputs);
        Ok(Self {
            number: match fraction("exact")? {
                Some(exact) => Number::from(exact),
                None => Number::estimated(value, between(lower, upper)),
            },
            status: status_of(fields)?,
            inputs: known.ok_or_else(|| refused(format!("there are no inputs {inputs:?}")))?,
            model: model_of(fields)?,
            noise: noise_of_json(fields)?,
            scalar: fraction("scalars_exact")?.map(Box::new),
        })
    }
}

fn object(text: &str) -> Result<Map<String, Value>, AccountError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(refused("it is no JSON object")),
        Err(error) => Err(refused(error.to_string())),
    }
}

fn status_of(fields: &Map<String, Value>) -> Result<Status, AccountError> {
    let status = field(fields, "status", Value::as_str)?;
    Status::of_word(status).ok_or_else(|| refused(format!("there is no status {status:?}")))
}

fn refused(reason: impl Into<String>) -> AccountError {
    AccountError::NoSummary {
        reason: reason.into(),
    }
}

fn field<'a, T>(
    fields: &'a Map<String, Value>,
    name: &str,
    read: impl Fn(&'a Value) -> Option<T>,
) -> Result<T, AccountError> {
    let value = fields.get(name).and_then(read);
    value.ok_or_else(|| refused(format!("the field {name:?} is missing or no such thing")))
}

fn optional<'a, T>(
    fields: &'a Map<String, Value>,
    name: &str,
    read: impl Fn(&'a Value) -> Option<T>,
) -> Result<Option<T>, AccountError> {
    match fields.get(name) {
        Some(Value::Null) => Ok(None),
        _ => field(fields, name, read).map(Some),
    }
}

fn whole(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// Infinity is a word; every other float is read back as it was written.
fn float_to_json(number: f64) -> Value {
    match number.is_finite() {
        true => number.into(),
        false => "unbounded".into(),
    }
}

/// A float that is not negative.
fn float_of_json(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("unbounded") => Some(f64::INFINITY),
        _ => value.as_f64().filter(|number| *number >= 0.0),
    }
}

fn noise_to_json(noise: ProvedFor) -> Value {
    json!({
        "noise": noise.law().to_string(),
        "sensitivity": float_to_json(noise.sensitivity()),
        "coordinates": noise.coordinates(),
    })
}

fn noise_of_json(fields: &Map<String, Value>) -> Result<ProvedFor, AccountError> {
    match field(fields, "noise", Value::as_str)?.parse()? {
        NoiseLaw::Gaussian => Ok(ProvedFor::default()),
        law => {
            let sensitivity = field(fields, "sensitivity", float_of_json)?;
            ProvedFor::try_new(law, sensitivity, field(fields, "coordinates", whole)?)
        }
    }
}

/// One constant for all nodes, or a list.
fn lipschitz_to_json(lipschitz: &Lipschitz) -> Value {
    let constants = || (0..).map_while(|node| lipschitz.of(node));
    match lipschitz.of(usize::MAX) {
        Some(constant) => constant.to_string().into(),
        None => constants().map(|constant| constant.to_string()).collect(),
    }
}

fn lipschitz_of_json(value: &Value) -> Option<Lipschitz> {
    let constant = |value: &Value| value.as_str()?.parse::<Fraction>().ok();
    match value {
        Value::Array(all) => {
            let constants = all.iter().map(constant).collect::<Option<_>>()?;
            Lipschitz::of_nodes(constants).ok()
        }
        one => Lipschitz::everywhere(constant(one)?).ok(),
    }
}

fn model_of(fields: &Map<String, Value>) -> Result<LossModel, AccountError> {
    let name = field(fields, "model", Value::as_str)?;
    let models = [
        LossModel::SingleInput,
        LossModel::GradientsAsInputs,
        LossModel::QuadraticLosses,
        LossModel::LipschitzSteps,
    ];
    let found = models.into_iter().find(|model| model.to_string() == name);
    found.ok_or_else(|| refused(format!("there is no model {name:?}")))
}

fn class_to_json(class: &Class) -> Value {
    json!({
        "distance": class.distance,
        "or_farther": class.or_farther,
        "pairs": class.pairs,
        "status": class.status.word(),
        "model": class.model.to_string(),
        "lower": float_to_json(class.lower),
        "upper": spread_to_json(&class.upper),
        "value": spread_to_json(&class.value),
        "theorem_1": class.theorem_1.as_ref().map(spread_to_json),
        "proved": class.proved.as_ref().map(spread_to_json),
    })
}

fn class_of_json(value: &Value, noise: ProvedFor) -> Result<Class, AccountError> {
    let Some(fields) = value.as_object() else {
        return Err(refused("a class is no JSON object"));
    };
    let pairs = field(fields, "pairs", whole)?;
    let spread = |value: &Value| spread_of_json(value).filter(|spread| spread.count == pairs);
    Ok(Class {
        distance: optional(fields, "distance", whole)?,
        or_farther: field(fields, "or_farther", Value::as_bool)?,
        pairs,
        theorem_1: optional(fields, "theorem_1", spread)?,
        proved: optional(fields, "proved", spread)?,
        upper: field(fields, "upper", spread)?,
        value: field(fields, "value", spread)?,
        lower: field(fields, "lower", float_of_json)?,
        status: status_of(fields)?,
        model: model_of(fields)?,
        noise,
    })
}

fn spread_to_json(spread: &Spread) -> Value {
    let extreme = |extreme: &Extreme| {
        let fraction = extreme.fraction.as_ref().map(ToString::to_string);
        json!({"float": float_to_json(extreme.float), "fraction": fraction})
    };
    let sum = spread.fraction.as_ref();
    json!({
        "count": spread.count,
        "sum": spread.sum.to_string(),
        "fraction": sum.map(|sum| [sum.0.to_string(), sum.1.to_string()]),
        "min": extreme(&spread.min),
        "max": extreme(&spread.max),
    })
}

fn spread_of_json(value: &Value) -> Option<Spread> {
    let extreme = |value: &Value| {
        let fraction = match value.get("fraction")? {
            Value::Null => None,
            text => Some(Box::new(text.as_str()?.parse::<BigRational>().ok()?)),
        };
        Some(Extreme {
            float: float_of_json(value.get("float")?)?,
            fraction,
        })
    };
    let fraction = match value.get("fraction")? {
        Value::Null => None,
        parts => {
            let whole = |place: usize| parts.get(place)?.as_str()?.parse::<BigInt>().ok();
            let (above, below) = (whole(0)?, whole(1)?);
            (below > BigInt::from(0)).then_some(())?;
            Some(Box::new((above, below)))
        }
    };
    Some(Spread {
        count: whole(value.get("count")?)?,
        sum: value.get("sum")?.as_str()?.parse().ok()?,
        fraction,
        min: extreme(value.get("min")?)?,
        max: extreme(value.get("max")?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Account, Formulas};
    use muffliato_model::Protocol;

    #[test]
    fn sets_that_overlap_do_not_join() {
        let set = |ranges: &[(usize, usize)]| Covered(ranges.to_vec());
        let joined = set(&[(0, 2), (6, 8)]).joined(&set(&[(2, 6)])).unwrap();
        assert_eq!(joined, set(&[(0, 8)]));
        assert_eq!(set(&[(0, 3)]).joined(&set(&[(2, 6)])), None);
        assert_eq!(set(&[(0, 9)]).joined(&set(&[(4, 5)])), None);
    }

    /// Losses in a model, for any losses and for noise on a grid, and constants for each node, are read back as they were.
    #[test]
    fn what_is_promised_is_read_back() -> Result<(), Box<dyn std::error::Error>> {
        let path = muffliato_model::Network::metropolis("path:4".parse()?)?;
        let plain = Protocol::gradient_descent(path, 3, 1)?;
        let masked = plain.clone().masked("3".parse()?)?;
        let wild = Lipschitz::of_nodes(vec!["3/2".parse()?; 4])?;
        let of = |protocol| Account::of(protocol);
        for (account, upper) in [
            (of(&plain)?, 3.0),
            (of(&plain)?.formulas(Formulas::NONE), 3.0),
            (of(&plain)?.lipschitz(wild), 3.0),
            (of(&plain)?.noise("rounded:2^-20".parse()?, 1.0, 1)?, 3.0),
            (of(&masked)?, 3.0),
        ] {
            let summary = account.summary()?;
            let read = Summary::from_json(&summary.to_json())?;
            assert_eq!(read, summary);
            for (class, again) in summary.classes().zip(read.classes()) {
                let promised = summary.promised_of(class);
                assert_eq!(promised, read.promised_of(again));
                assert!(promised.of_those_seen().upper() <= upper);
            }
        }
        // Without constants nothing below the number of rounds is promised to users of gradient descent.
        let none = Account::of(&plain)?.formulas(Formulas::NONE).summary()?;
        let uppers = none.classes().map(|class| none.promised_of(class));
        assert!({ uppers }.all(|promised| promised.of_those_seen().upper() == 3.0));
        Ok(())
    }

    #[test]
    fn texts_that_are_no_summaries_are_refused() {
        for text in [
            "",
            "[]",
            "{}",
            "{\"format\": \"muffliato summary 1\"}",
            "{\"format\": \"muffliato summary 2\"}",
            "null",
        ] {
            let error = Summary::from_json(text).unwrap_err();
            assert!(matches!(error, AccountError::NoSummary { .. }), "{text}");
        }
    }
}
