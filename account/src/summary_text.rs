//! Summaries as JSON, so that parts of an account can be kept and merged: exactly what was computed, to the bit.

use crate::{AccountError, Class, Spread, Status, Summary, summary::Extreme};
use muffliato_model::LossModel;
use muffliato_reference::{BigInt, BigRational};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl Summary {
    /// As JSON.
    pub fn to_json(&self) -> Value {
        let classes: Vec<Value> = self.classes.values().map(class_json).collect();
        json!({
            "nodes": self.nodes,
            "model": self.model.to_string(),
            "sample_of": self.sample_of,
            "all_sources": self.all_sources,
            "asked": self.asked,
            "observers": self.observers,
            "largest_mean": float_json(self.largest_mean),
            "classes": classes,
        })
    }

    /// What [`Summary::to_json`] wrote.
    ///
    /// ```
    /// use muffliato_account::{Account, Summary};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
    /// let shard = |part| Account::of(&protocol)?.shard(part, 3).summary();
    /// let mut merged = shard(1)?;
    /// assert!(merged.largest(2)?.promised().is_err()); // two thirds of the observers are missing
    /// for part in [0, 2] {
    ///     let text = shard(part)?.to_json().to_string();
    ///     merged.merge(Summary::from_json(&text.parse()?)?)?;
    /// }
    /// assert_eq!(merged, Account::of(&protocol)?.summary()?); // the same bits
    /// assert!(merged.largest(2)?.promised().is_ok());
    /// assert!(merged.merge(shard(0)?).is_err()); // counted twice
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(value: &Value) -> Result<Self, AccountError> {
        let mut classes = BTreeMap::new();
        for value in value["classes"]
            .as_array()
            .ok_or_else(|| missing("classes"))?
        {
            let class = class(value)?;
            classes.insert(class.distance.unwrap_or(usize::MAX), class);
        }
        Ok(Self {
            nodes: whole(value, "nodes")?,
            model: model(value)?,
            sample_of: optional(value, "sample_of")?,
            all_sources: value["all_sources"]
                .as_bool()
                .ok_or_else(|| missing("all_sources"))?,
            asked: whole(value, "asked")?,
            observers: whole(value, "observers")?,
            largest_mean: float(&value["largest_mean"])?,
            classes,
        })
    }
}

fn class_json(class: &Class) -> Value {
    json!({
        "distance": class.distance,
        "or_farther": class.or_farther,
        "pairs": class.pairs,
        "theorem_1": class.theorem_1.as_ref().map(spread_json),
        "upper": spread_json(&class.upper),
        "value": spread_json(&class.value),
        "lower": float_json(class.lower),
        "status": class.status.word(),
        "model": class.model.to_string(),
    })
}

fn class(value: &Value) -> Result<Class, AccountError> {
    let status = value["status"].as_str().and_then(Status::of_word);
    Ok(Class {
        distance: optional(value, "distance")?,
        or_farther: value["or_farther"].as_bool().unwrap_or(false),
        pairs: whole(value, "pairs")?,
        theorem_1: match &value["theorem_1"] {
            Value::Null => None,
            value => Some(spread(value)?),
        },
        upper: spread(&value["upper"])?,
        value: spread(&value["value"])?,
        lower: float(&value["lower"])?,
        status: status.ok_or_else(|| missing("status"))?,
        model: model(value)?,
    })
}

fn spread_json(spread: &Spread) -> Value {
    let sum = spread.fraction.as_ref();
    json!({
        "count": spread.count,
        "sum": spread.sum.to_string(),
        "fraction": sum.map(|sum| [sum.0.to_string(), sum.1.to_string()]),
        "min": extreme_json(&spread.min),
        "max": extreme_json(&spread.max),
    })
}

fn spread(value: &Value) -> Result<Spread, AccountError> {
    let part = |place: usize| -> Option<BigInt> { value["fraction"][place].as_str()?.parse().ok() };
    let sum = value["sum"].as_str().and_then(|sum| sum.parse().ok());
    let fraction = match &value["fraction"] {
        Value::Null => None,
        _ => {
            let parts = part(0)
                .zip(part(1))
                .filter(|parts| parts.1 > BigInt::from(0));
            Some(Box::new(parts.ok_or_else(|| missing("fraction"))?))
        }
    };
    Ok(Spread {
        count: whole(value, "count")?,
        sum: sum.ok_or_else(|| missing("sum"))?,
        fraction,
        min: extreme(&value["min"])?,
        max: extreme(&value["max"])?,
    })
}

fn extreme_json(extreme: &Extreme) -> Value {
    let fraction = extreme
        .fraction
        .as_ref()
        .map(|fraction| fraction.to_string());
    json!({"float": float_json(extreme.float), "fraction": fraction})
}

fn extreme(value: &Value) -> Result<Extreme, AccountError> {
    let fraction = match &value["fraction"] {
        Value::Null => None,
        value => {
            let fraction = value
                .as_str()
                .and_then(|text| text.parse::<BigRational>().ok());
            Some(Box::new(fraction.ok_or_else(|| missing("fraction"))?))
        }
    };
    Ok(Extreme {
        float: float(&value["float"])?,
        fraction,
    })
}

/// JSON has no infinity.
fn float_json(float: f64) -> Value {
    match float.is_finite() {
        true => float.into(),
        false => float.to_string().into(),
    }
}

fn float(value: &Value) -> Result<f64, AccountError> {
    let text = value.as_str().and_then(|text| text.parse().ok());
    value.as_f64().or(text).ok_or_else(|| missing("number"))
}

fn whole(value: &Value, key: &str) -> Result<usize, AccountError> {
    let number = value[key]
        .as_u64()
        .and_then(|number| number.try_into().ok());
    number.ok_or_else(|| missing(key))
}

fn optional(value: &Value, key: &str) -> Result<Option<usize>, AccountError> {
    match value[key] {
        Value::Null => Ok(None),
        _ => whole(value, key).map(Some),
    }
}

fn model(value: &Value) -> Result<LossModel, AccountError> {
    let all = [
        LossModel::SingleInput,
        LossModel::GradientsAsInputs,
        LossModel::QuadraticLosses,
    ];
    let word = value["model"].as_str();
    let found = all
        .into_iter()
        .find(|model| Some(model.to_string().as_str()) == word);
    found.ok_or_else(|| missing("model"))
}

fn missing(key: &str) -> AccountError {
    AccountError::NoSummary {
        reason: format!("{key} is missing or of another kind"),
    }
}
