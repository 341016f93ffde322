//! Numbers and losses as JSON.

use muffliato_account::{Loss, Number, Status};
use serde_json::{Value, json};

/// Returns a formula's value as `{"exact", "lower", "upper", "value", "status"}`; `exact` is null
/// unless the value is a known fraction. Decimals of fractions round up.
pub fn number(number: &Number) -> Value {
    described(number, number.status())
}

/// Returns a loss in the same form, with the exact loss of scalars if it differs, otherwise null.
pub fn loss(loss: &Loss) -> Value {
    let mut value = described(loss.number(), loss.status());
    let scalars = loss.for_scalars();
    let scalars = scalars.fraction().filter(|_| loss.fraction().is_none());
    value["scalars"] = scalars.map_or(
        Value::Null,
        |fraction| json!({"exact": fraction.to_string(), "value": loss.for_scalars().upper()}),
    );
    value
}

fn described(number: &Number, status: Status) -> Value {
    let exact = number.fraction();
    json!({
        "exact": exact.map(ToString::to_string),
        "lower": number.lower(),
        "upper": number.upper(),
        "value": if exact.is_some() { number.upper() } else { number.value() },
        "status": status.as_str(),
    })
}
