//! Numbers and losses as JSON, and fractions as floats.

use muffliato::prelude::Fraction;
use muffliato_account::{Loss, Number, Status};
use serde_json::{Value, json};

/// Returns a formula's value as `{"exact", "value"}` or `{"lower", "upper", "value", "status"}`.
/// Decimals of fractions round up.
pub fn number(number: &Number) -> Value {
    match number.fraction() {
        Some(fraction) => json!({"exact": fraction.to_string(), "value": number.upper()}),
        None => enclosed(number, number.status()),
    }
}

/// Returns a loss as JSON with its status, and the exact loss of scalars if it differs.
pub fn loss(loss: &Loss) -> Value {
    let mut value = match loss.fraction() {
        Some(_) => number(loss.number()),
        None => enclosed(loss.number(), loss.status()),
    };
    value["status"] = loss.status().as_str().into();
    let scalars = loss.for_scalars();
    if let (None, Some(fraction)) = (loss.fraction(), scalars.fraction()) {
        value["scalars"] = json!({"exact": fraction.to_string(), "value": scalars.upper()});
    }
    value
}

fn enclosed(number: &Number, status: Status) -> Value {
    json!({
        "lower": number.lower(),
        "upper": number.upper(),
        "value": number.value(),
        "status": status.as_str(),
    })
}

/// Formats a fraction as a decimal if that is exact and short, otherwise as a fraction.
pub fn decimal(fraction: Fraction) -> String {
    fraction.decimal()
}

/// Returns the nearest float, up to two roundings.
pub fn float(fraction: Fraction) -> f64 {
    fraction.numerator() as f64 / fraction.denominator() as f64
}
