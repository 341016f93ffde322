//! Certificates as JSON; see the table in the documentation of the crate.

mod write;

pub(crate) use write::decimal;

use crate::{
    Alibis, Attack, Certificate, CertificateError, Claim, DEFAULT_GRID, Entry, Flow, Law,
    MAX_BYTES, MAX_DIGITS, MAX_NODES, MAX_STEPS, MaskEntry, Proof,
};
use muffliato_model::{
    Absorption, Fraction, GraphError, Lipschitz, Observer, Protocol, ProtocolRecord, RecordError,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, error::Category};

type Result<T> = std::result::Result<T, CertificateError>;

/// A certificate on file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    certificate: usize,
    protocol: ProtocolRecord,
    #[serde(default, skip_serializing_if = "Law::is_gaussian")]
    noise: Law,
    observers: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<String>,
    sources: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absorption: Option<AbsorptionRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<Flows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alibis: Option<Vec<Alibis>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<Attack>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AbsorptionRecord {
    #[serde(default)]
    lipschitz: Lipschitz,
    #[serde(default = "default_grid")]
    grid: u32,
    /// Time, node and fraction, for each assignment of phases.
    fractions: Vec<Vec<(usize, usize, Fraction)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flows: Flows,
}

fn default_grid() -> u32 {
    DEFAULT_GRID
}

type Flows = Vec<Vec<Vec<Flow>>>;

/// A number of any length, as a string.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Number(pub(crate) BigRational);

/// Two places and a number.
pub(crate) type Triple = (usize, usize, Number);
/// A round, the two ends of an edge, and a number.
pub(crate) type OfEdge = (usize, usize, usize, Number);

/// Converts a struct to the list of its fields, and back.
macro_rules! as_list {
    ($name:ident { $($fields:tt)* }, $list:ty: $($part:ident),* and $number:ident) => {
        impl From<$list> for $name {
            fn from(($($part,)* Number($number)): $list) -> Self {
                Self { $($fields)* }
            }
        }

        impl From<$name> for $list {
            fn from($name { $($fields)* }: $name) -> Self {
                ($($part,)* Number($number))
            }
        }
    };
}

as_list!(Entry { time, node, value }, Triple: time, node and value);
as_list!(Flow { from, to, amount }, Triple: from, to and amount);
as_list!(MaskEntry { round, edge: (a, b), value }, OfEdge: round, a, b and value);

impl Certificate {
    /// Parses a certificate, without checking its proof.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a certificate.
    pub fn parse(text: &str) -> Result<Self> {
        let file: File = read(text)?;
        let protocol = protocol(&file.protocol)?;
        let observer = match (file.view.as_deref().unwrap_or("full"), &file.observers[..]) {
            ("full", members) => Observer::coalition(members.iter().copied())
                .map_err(|error| wrong("observers", error))?,
            ("paper", &[member]) => Observer::paper(member),
            ("sum", members) => Observer::sums(members.iter().copied())
                .map_err(|error| wrong("observers", error))?,
            _ => return Err(wrong("view", "\"full\", \"sum\", or \"paper\" for one observer")),
        };
        let claim = match (file.at_most, file.at_least) {
            (Some(loss), None) => Claim::AtMost(loss.0),
            (None, Some(loss)) => Claim::AtLeast(loss.0),
            _ => return Err(wrong("at_most", "give either at_most or at_least")),
        };
        let proof = match (file.absorption, file.flows, file.alibis, file.attack) {
            (Some(record), None, None, None) => record.proof(&protocol)?,
            (None, Some(flows), None, None) => Proof::Flows(flows),
            (None, None, Some(runs), None) => Proof::Alibis(runs),
            (None, None, None, Some(attack)) => Proof::Attack(attack),
            _ => {
                let reason = "give one proof: absorption, flows, alibis or attack";
                return Err(wrong("the file", reason));
            }
        };
        Ok(Self { protocol, noise: file.noise, observer, sources: file.sources, claim, proof })
    }
}

/// Builds the protocol of a file, within the limits of the checker.
fn protocol(record: &ProtocolRecord) -> Result<Protocol> {
    if record.nodes > MAX_NODES {
        return Err(wrong("protocol.nodes", format!("at most {MAX_NODES}")));
    }
    if record.rounds.saturating_mul(record.gossip_steps) > MAX_STEPS {
        return Err(wrong("protocol.rounds", format!("at most {MAX_STEPS} steps")));
    }
    let networks = record.networks.as_ref().map_or(0, Vec::len);
    if networks.saturating_mul(record.nodes) > MAX_STEPS {
        return Err(wrong("protocol.networks", "too many networks of so many nodes"));
    }
    record.build().map_err(|error| {
        let place = match &error {
            RecordError::Graph(GraphError::RepeatedLabel { .. }) => "protocol.labels",
            RecordError::Graph(GraphError::WrongLength { what: "labels", .. }) => "protocol.labels",
            RecordError::Weights(_) => "protocol.network.weights",
            _ => "protocol",
        };
        wrong(place, error)
    })
}

impl AbsorptionRecord {
    fn proof(self, protocol: &Protocol) -> Result<Proof> {
        let bad = |error: muffliato_model::AbsorptionError| wrong("absorption", error);
        if self.fractions.len().saturating_mul(protocol.steps()) > MAX_STEPS {
            return Err(wrong("absorption.fractions", "too many choices for so many steps"));
        }
        let plans = self.fractions.into_iter().map(|plan| Absorption::try_new(protocol, plan));
        Ok(Proof::Absorption {
            lipschitz: self.lipschitz,
            grid: self.grid,
            plans: plans.collect::<std::result::Result<_, _>>().map_err(bad)?,
            flows: self.flows,
        })
    }
}

impl TryFrom<String> for Number {
    type Error = String;

    /// Parses `p/q`, `p` or a decimal without exponent, exactly.
    fn try_from(text: String) -> std::result::Result<Self, String> {
        let not = || "a number such as \"3/4\" or \"0.75\" is needed here".to_string();
        if text.len() > MAX_DIGITS {
            return Err(format!("a number of more than {MAX_DIGITS} digits"));
        }
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-BigInt::one(), rest),
            None => (BigInt::one(), &text[..]),
        };
        let natural = |digits: &str| -> std::result::Result<BigInt, String> {
            let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if !all_digits {
                return Err(not());
            }
            digits.parse().map_err(|_| not())
        };
        let (above, below) = if let Some((above, below)) = digits.split_once('/') {
            (natural(above)?, natural(below)?)
        } else if let Some((before, after)) = digits.split_once('.') {
            let below = num_traits::pow(BigInt::from(10), after.len());
            (natural(&format!("{before}{after}"))?, below)
        } else {
            (natural(digits)?, BigInt::one())
        };
        if below.is_zero() {
            return Err(not());
        }
        Ok(Self(BigRational::new(sign * above, below)))
    }
}

/// Fields on file that hold numbers: one, or an optional list.
pub(crate) mod numbers {
    use super::{BigRational, Number};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn write<S: Serializer>(number: &BigRational, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(crate) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<BigRational, D::Error> {
        Number::deserialize(from).map(|number| number.0)
    }

    pub(crate) fn write_list<S: Serializer>(
        list: &Option<Vec<BigRational>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(list.iter().flatten().map(ToString::to_string))
    }

    pub(crate) fn read_list<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Vec<BigRational>>, D::Error> {
        let list = Option::<Vec<Number>>::deserialize(from)?;
        Ok(list.map(|list| list.into_iter().map(|number| number.0).collect()))
    }
}

/// Parses a file of version 1.
pub(crate) fn read<T: Serialize + DeserializeOwned>(text: &str) -> Result<T> {
    let bytes = text.len();
    if bytes > MAX_BYTES {
        return Err(CertificateError::TooLong { bytes });
    }
    if !text.trim_start().starts_with('{') {
        return Err(CertificateError::Json { reason: "a certificate is one object".into() });
    }
    let file: T = serde_json::from_str(text).map_err(refused)?;
    // A list in place of an object, or a null, would be read, too.
    let fields = serde_json::to_value(&file).map_err(refused)?;
    if unquoted(text, b'{') != objects(&fields) || unquoted(text, b'n') > 0 {
        return Err(wrong("the file", "a field is null, or a list is given for an object"));
    }
    if fields["certificate"] != 1 {
        return Err(wrong("certificate", "this checker reads version 1"));
    }
    Ok(file)
}

pub(crate) fn wrong(field: &str, reason: impl ToString) -> CertificateError {
    CertificateError::Value { field: field.into(), reason: reason.to_string() }
}

/// Returns what the parser says: about the text, about a field, or about a value.
pub(crate) fn refused(error: serde_json::Error) -> CertificateError {
    let reason = error.to_string();
    if error.classify() != Category::Data {
        return CertificateError::Json { reason };
    }
    let place = match (error.line(), error.column()) {
        (0, _) => "system".into(), // which is not read from a text
        (line, column) => format!("line {line}, column {column}"),
    };
    let mut quoted = reason.split('`');
    let (what, field) = (quoted.next().unwrap_or(""), quoted.next().unwrap_or(""));
    match what.trim_end() {
        "missing field" => CertificateError::Missing { field: field.into() },
        "unknown field" => CertificateError::Unknown { field: field.into() },
        "duplicate field" => wrong(&place, format!("the field {field} is given twice")),
        _ => wrong(&place, reason),
    }
}

/// Counts the objects.
fn objects(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(objects).sum::<usize>(),
        Value::Array(values) => values.iter().map(objects).sum(),
        _ => 0,
    }
}

/// Counts a byte in a JSON text outside of strings, where `{` begins an object and only null has an n.
fn unquoted(text: &str, wanted: u8) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    let outside = |byte: &u8| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ => {}
        }
        !quoted && *byte == wanted
    };
    text.as_bytes().iter().copied().filter(outside).count()
}
