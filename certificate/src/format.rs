//! Certificates as JSON; see the table in the documentation of the crate.

use crate::{
    Alibis, Certificate, CertificateError, Claim, DEFAULT_GRID, Entry, Flow, Grid, Law, MAX_BYTES,
    MAX_DIGITS, MAX_NODES, MAX_STEPS, MaskEntry, Proof,
};
use muffliato_model::{
    Absorption, CustomWeights, Fraction, Graph, Lipschitz, Network, Observer, Protocol, Schedule,
    WeightScheme,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde_json::{Map, Value, json};

type Result<T> = std::result::Result<T, CertificateError>;

impl Certificate {
    /// Parses a certificate, without checking its proof.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a certificate.
    pub fn parse(text: &str) -> Result<Self> {
        let bytes = text.len();
        if bytes > MAX_BYTES {
            return Err(CertificateError::TooLong { bytes });
        }
        let value: Value = serde_json::from_str(text).map_err(|error| CertificateError::Json {
            reason: error.to_string(),
        })?;
        if members(&value) != colons(text) {
            return Err(wrong("the file", "a field is given twice"));
        }
        let mut fields = Fields::of("", value)?;
        if fields.read("certificate", whole)? != 1 {
            return Err(wrong("certificate", "this checker reads version 1"));
        }
        let protocol = protocol(fields.fields("protocol")?)?;
        let noise = if fields.has("noise") {
            rounded(fields.fields("noise")?)?
        } else {
            Law::Gaussian
        };
        let members = fields.read("observers", nodes)?;
        let view = fields.maybe("view", string)?;
        let observer = match (view.as_deref().unwrap_or("full"), &members[..]) {
            ("full", _) => {
                Observer::coalition(members).map_err(|error| wrong("observers", error))?
            }
            ("paper", &[member]) => Observer::paper(member),
            _ => return Err(wrong("view", "\"full\", or \"paper\" for one observer")),
        };
        let sources = fields.read("sources", nodes)?;
        let at_least = fields.maybe("at_least", rational)?;
        let claim = match (fields.maybe("at_most", rational)?, at_least) {
            (Some(loss), None) => Claim::AtMost(loss),
            (None, Some(loss)) => Claim::AtLeast(loss),
            _ => return Err(wrong("at_most", "give either at_most or at_least")),
        };
        let proof = if fields.has("absorption") {
            absorption(fields.fields("absorption")?, &protocol)?
        } else if fields.has("flows") {
            Proof::Flows(fields.read("flows", flows)?)
        } else if fields.has("alibis") {
            Proof::Alibis(fields.read("alibis", |path, value| items(path, value, alibis))?)
        } else {
            let mut attack = fields.fields("attack")?;
            let proof = Proof::Attack {
                inputs: attack.read("inputs", entries)?,
                messages: attack.read("messages", entries)?,
                own_noise: attack.maybe("own_noise", entries)?.unwrap_or_default(),
                masks: attack.maybe("masks", mask_entries)?.unwrap_or_default(),
            };
            attack.end()?;
            proof
        };
        fields.end()?;
        Ok(Self {
            protocol,
            noise,
            observer,
            sources,
            claim,
            proof,
        })
    }

    /// Formats the certificate as JSON.
    ///
    /// # Errors
    ///
    /// Fails for weights of more than 64 bits.
    pub fn to_json(&self) -> Result<String> {
        let mut file = Map::new();
        file.insert("certificate".into(), json!(1));
        file.insert("protocol".into(), write_protocol(&self.protocol)?);
        if let Law::Rounded(grid) = &self.noise {
            let rounded = json!({
                "sensitivity": grid.sensitivity.to_string(),
                "coordinates": grid.coordinates,
                "roundings": grid.roundings,
            });
            file.insert("noise".into(), json!({ "rounded": rounded }));
        }
        file.insert("observers".into(), json!(self.observer.members()));
        if !self.observer.knows_own_noise() {
            file.insert("view".into(), json!("paper"));
        }
        file.insert("sources".into(), json!(self.sources));
        let (kind, loss) = match &self.claim {
            Claim::AtMost(loss) => ("at_most", loss),
            Claim::AtLeast(loss) => ("at_least", loss),
        };
        file.insert(kind.into(), json!(loss.to_string()));
        let (kind, proof) = match &self.proof {
            Proof::Absorption {
                lipschitz,
                grid,
                plans,
                flows,
            } => {
                let constants: Vec<_> = (0..self.protocol.nodes())
                    .filter_map(|node| Some(lipschitz.of(node)?.to_string()))
                    .collect();
                let lipschitz = match constants.first() {
                    Some(first) if constants.iter().all(|constant| constant == first) => {
                        json!(first)
                    }
                    _ => json!(constants),
                };
                let plan = |plan: &Absorption| -> Value {
                    let times = (0..plan.times()).flat_map(|time| {
                        let absorbing = plan.at(time).iter();
                        absorbing
                            .map(move |(node, fraction)| json!([time, node, fraction.to_string()]))
                    });
                    times.collect()
                };
                let fractions: Vec<_> = plans.iter().map(plan).collect();
                let mut proof =
                    json!({ "lipschitz": lipschitz, "grid": grid, "fractions": fractions });
                if !flows.is_empty() {
                    proof["flows"] = write_flows(flows);
                }
                ("absorption", proof)
            }
            Proof::Flows(rounds) => ("flows", write_flows(rounds)),
            Proof::Alibis(runs) => {
                let run = |alibis: &Alibis| {
                    let shifts: Vec<_> = alibis.shifts.iter().map(|shifts| write(shifts)).collect();
                    match &alibis.lambda {
                        None => json!({ "shifts": shifts }),
                        Some(lambda) => {
                            let lambda: Vec<_> = lambda.iter().map(ToString::to_string).collect();
                            json!({ "shifts": shifts, "lambda": lambda })
                        }
                    }
                };
                ("alibis", runs.iter().map(run).collect())
            }
            Proof::Attack {
                inputs,
                messages,
                own_noise,
                masks,
            } => {
                let (inputs, messages) = (write(inputs), write(messages));
                let own_noise = write(own_noise);
                let mut proof =
                    json!({ "inputs": inputs, "messages": messages, "own_noise": own_noise });
                if !masks.is_empty() {
                    let mask = |MaskEntry { round, edge, value }: &MaskEntry| {
                        json!([round, edge.0, edge.1, value.to_string()])
                    };
                    proof["masks"] = masks.iter().map(mask).collect();
                }
                ("attack", proof)
            }
        };
        file.insert(kind.into(), proof);
        Ok(Value::Object(file).to_string())
    }
}

/// Counts the fields of all objects.
fn members(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.len() + fields.values().map(members).sum::<usize>(),
        Value::Array(values) => values.iter().map(members).sum(),
        _ => 0,
    }
}

/// Counts the colons of a JSON text outside of strings, one for each field.
fn colons(text: &str) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

fn protocol(mut fields: Fields) -> Result<Protocol> {
    let nodes = fields.read("nodes", whole)?;
    if nodes > MAX_NODES {
        return Err(wrong("protocol.nodes", format!("at most {MAX_NODES}")));
    }
    let rounds = fields.read("rounds", whole)?;
    let gossip_steps = fields.read("gossip_steps", whole)?;
    if rounds.saturating_mul(gossip_steps) > MAX_STEPS {
        let reason = format!("at most {MAX_STEPS} steps");
        return Err(wrong("protocol.rounds", reason));
    }
    let bad = |error: muffliato_model::ProtocolError| wrong("protocol", error);
    let labels = fields.maybe("labels", |path, value| items(path, value, string))?;
    let mut labels = labels.into_iter();
    let mut protocol = if fields.has("networks") {
        let refused = |reason: &str| Err(wrong("protocol.networks", reason));
        let networks = fields.read("networks", list)?;
        if networks.len().saturating_mul(nodes) > MAX_STEPS {
            return refused("too many networks of so many nodes");
        }
        let networks = networks
            .into_iter()
            .map(|value| network(nodes, labels.next(), value));
        let networks = networks.collect::<Result<Vec<_>>>()?;
        let each = fields.read("each", whole)?;
        match (rounds, each) {
            (1, 1) if networks.len() == gossip_steps => Protocol::time_varying(networks),
            _ if each == gossip_steps && networks.len() == rounds => {
                Protocol::gradient_descent_on(networks, gossip_steps)
            }
            _ => return refused("one for each round, or for each step of one round"),
        }
    } else {
        let labels = labels.next();
        let network = fields.read("network", |_, value| network(nodes, labels, value))?;
        match fields.maybe("averages", pairs)? {
            None => Protocol::gradient_descent(network, rounds, gossip_steps),
            Some(averages) if rounds == 1 && averages.len() == gossip_steps => {
                Protocol::randomized(network.shared_graph(), averages)
            }
            Some(_) => return Err(wrong("protocol.averages", "one for each step of one round")),
        }
    }
    .map_err(bad)?;
    if let Some(tau) = fields.maybe("refresh", fraction)? {
        protocol = protocol.refreshed(tau).map_err(bad)?;
    }
    if let Some(g) = fields.maybe("acceleration", fraction)? {
        protocol = protocol.accelerated(g).map_err(bad)?;
    }
    if fields.has("masks") {
        let mut masks = fields.fields("masks")?;
        let kappa = masks.read("kappa", fraction)?;
        let graph = masks.maybe("edges", |path, edges| graph(nodes, path, edges))?;
        protocol = match graph {
            None => protocol.masked(kappa),
            Some(graph) => protocol.masked_on(graph, kappa),
        }
        .map_err(bad)?;
        masks.end()?;
    }
    let fractions = |path: &str, value| items(path, value, fraction);
    if let Some(factors) = fields.maybe("reaction", fractions)? {
        protocol = protocol.reacting(factors).map_err(bad)?;
    }
    if let Some(period) = fields.maybe("every", whole)? {
        protocol = protocol.every(period).map_err(bad)?;
    }
    fields.end()?;
    Ok(protocol)
}

fn rounded(mut noise: Fields) -> Result<Law> {
    let mut fields = noise.fields("rounded")?;
    let grid = Grid {
        sensitivity: fields.read("sensitivity", rational)?,
        coordinates: fields.read("coordinates", whole)?,
        roundings: fields.read("roundings", whole)?,
    };
    fields.end()?;
    noise.end()?;
    Ok(Law::Rounded(grid))
}

fn graph(nodes: usize, path: &str, edges: Value) -> Result<Graph> {
    Graph::try_new(nodes, pairs(path, edges)?).map_err(|error| wrong(path, error))
}

fn network(nodes: usize, labels: Option<Vec<String>>, value: Value) -> Result<Network> {
    let mut fields = Fields::of("network.", value)?;
    let mut graph = fields.read("edges", |path, edges| graph(nodes, path, edges))?;
    if let Some(labels) = labels {
        let labelled = graph.with_labels(labels);
        graph = labelled.map_err(|error| wrong("protocol.labels", error))?;
    }
    let bad = |error: muffliato_model::WeightError| wrong("network.weights", error);
    let scheme = match fields.read("weights", |_, value| Ok(value))? {
        Value::String(name) => name.parse().map_err(bad)?,
        custom => {
            let mut fields = Fields::of("network.weights.", custom)?;
            let denominator = fields.read("denominator", whole)? as i128;
            let entry = |path: &str, value| {
                let (v, w, weight) = triple(path, value, "[row, column, numerator]", whole)?;
                Ok((v, w, weight as i128))
            };
            let entries = fields.read("entries", |path, value| items(path, value, entry))?;
            fields.end()?;
            WeightScheme::Custom(CustomWeights::try_new(&graph, denominator, entries).map_err(bad)?)
        }
    };
    fields.end()?;
    Network::try_new(graph, scheme).map_err(bad)
}

fn absorption(mut fields: Fields, protocol: &Protocol) -> Result<Proof> {
    let bad = |error: muffliato_model::AbsorptionError| wrong("absorption", error);
    let lipschitz = |path: &str, value| match value {
        Value::Array(_) => Lipschitz::of_nodes(items(path, value, fraction)?).map_err(bad),
        constant => Lipschitz::everywhere(fraction(path, constant)?).map_err(bad),
    };
    let lipschitz = fields.maybe("lipschitz", lipschitz)?.unwrap_or_default();
    let grid = match fields.maybe("grid", whole)? {
        None => DEFAULT_GRID,
        Some(grid) => u32::try_from(grid).map_err(|_| wrong("absorption.grid", "too fine"))?,
    };
    let plan = |path: &str, value| {
        let entry = |path: &str, value| triple(path, value, "[time, node, fraction]", fraction);
        Absorption::try_new(protocol, items(path, value, entry)?).map_err(bad)
    };
    let plans = |path: &str, value| {
        let plans = list(path, value)?;
        if plans.len().saturating_mul(protocol.steps()) > MAX_STEPS {
            return Err(wrong(path, "too many choices for so many steps"));
        }
        plans.into_iter().map(|value| plan(path, value)).collect()
    };
    let plans = fields.read("fractions", plans)?;
    let flows = fields.maybe("flows", flows)?.unwrap_or_default();
    fields.end()?;
    Ok(Proof::Absorption {
        lipschitz,
        grid,
        plans,
        flows,
    })
}

fn alibis(_: &str, value: Value) -> Result<Alibis> {
    let mut fields = Fields::of("alibis.", value)?;
    let shifts = fields.read("shifts", |path, value| items(path, value, entries))?;
    let lambda = fields.maybe("lambda", |path, value| items(path, value, rational))?;
    fields.end()?;
    Ok(Alibis { shifts, lambda })
}

fn write_protocol(protocol: &Protocol) -> Result<Value> {
    let mut fields = Map::new();
    fields.insert("nodes".into(), json!(protocol.nodes()));
    fields.insert("rounds".into(), json!(protocol.rounds()));
    fields.insert("gossip_steps".into(), json!(protocol.gossip_steps()));
    let labelled = match protocol.schedule() {
        Schedule::Fixed(network) => Some(network.graph()),
        Schedule::Varying { networks, .. } => networks.first().map(Network::graph),
        Schedule::EdgeSequence { graph, .. } => Some(&**graph),
        _ => None,
    };
    if let Some(labels) = labelled.and_then(Graph::labels) {
        fields.insert("labels".into(), json!(labels));
    }
    if let Some(tau) = protocol.refresh() {
        fields.insert("refresh".into(), json!(tau.to_string()));
    }
    if let Some(g) = protocol.acceleration() {
        fields.insert("acceleration".into(), json!(g.to_string()));
    }
    if protocol.period() > 1 {
        fields.insert("every".into(), json!(protocol.period()));
    }
    if let Some(masks) = protocol.masks() {
        let mut words = json!({ "kappa": masks.kappa().to_string() });
        if let Some(graph) = masks.graph() {
            words["edges"] = json!(graph.edges().collect::<Vec<_>>());
        }
        fields.insert("masks".into(), words);
    }
    if let Some(factors) = protocol.reaction() {
        let factors: Vec<_> = factors.iter().map(ToString::to_string).collect();
        fields.insert("reaction".into(), json!(factors));
    }
    match protocol.schedule() {
        Schedule::Fixed(network) => {
            fields.insert("network".into(), write_network(network)?);
        }
        Schedule::Varying { networks, each } => {
            let networks = networks
                .iter()
                .map(write_network)
                .collect::<Result<Vec<_>>>()?;
            fields.insert("networks".into(), networks.into());
            fields.insert("each".into(), json!(each));
        }
        Schedule::EdgeSequence { graph, edges } => {
            let network =
                json!({ "edges": graph.edges().collect::<Vec<_>>(), "weights": "metropolis" });
            fields.insert("network".into(), network);
            fields.insert("averages".into(), json!(edges));
        }
        _ => {
            return Err(wrong(
                "protocol",
                "certificates have no words for this schedule",
            ));
        }
    }
    Ok(Value::Object(fields))
}

fn write_network(network: &Network) -> Result<Value> {
    let number = |value: i128| {
        u64::try_from(value).map_err(|_| wrong("network.weights", "a number of more than 64 bits"))
    };
    let edges: Vec<_> = network.graph().edges().collect();
    let weights = match network.weights() {
        WeightScheme::Custom(weights) => {
            let mut entries = Vec::new();
            let mut edge_weights = weights.off_diagonal().iter();
            for (v, &own) in weights.diagonal().iter().enumerate() {
                entries.push(json!([v, v, number(own)?]));
                for (w, &weight) in network.graph().neighbours(v).zip(&mut edge_weights) {
                    entries.push(json!([v, w, number(weight)?]));
                }
            }
            json!({ "denominator": number(weights.denominator())?, "entries": entries })
        }
        scheme => json!(scheme.to_string()),
    };
    Ok(json!({ "edges": edges, "weights": weights }))
}

fn write(entries: &[Entry]) -> Value {
    let entry = |entry: &Entry| json!([entry.time, entry.node, entry.value.to_string()]);
    entries.iter().map(entry).collect()
}

fn write_flows(flows: &[Vec<Vec<Flow>>]) -> Value {
    let flow = |Flow { from, to, amount }: &Flow| json!([from, to, amount.to_string()]);
    let lists = |lists: &Vec<Vec<Flow>>| -> Value {
        let list = |list: &Vec<Flow>| -> Value { list.iter().map(flow).collect() };
        lists.iter().map(list).collect()
    };
    flows.iter().map(lists).collect()
}

/// The fields of an object, which are removed as they are read; the rest is unknown.
struct Fields {
    prefix: String,
    fields: Map<String, Value>,
}

impl Fields {
    fn of(prefix: &str, value: Value) -> Result<Self> {
        match value {
            Value::Object(fields) => Ok(Self {
                prefix: prefix.into(),
                fields,
            }),
            _ => Err(wrong(
                prefix.trim_end_matches('.'),
                "an object is needed here",
            )),
        }
    }

    fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn has(&self, name: &str) -> bool {
        self.fields.contains_key(name)
    }

    /// Parses an optional field from its path and value.
    fn maybe<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str, Value) -> Result<T>,
    ) -> Result<Option<T>> {
        let value = self.fields.remove(name);
        value
            .map(|value| parse(&self.path(name), value))
            .transpose()
    }

    /// Parses a required field.
    fn read<T>(&mut self, name: &str, parse: impl FnOnce(&str, Value) -> Result<T>) -> Result<T> {
        let field = self.path(name);
        let found = self.maybe(name, parse)?;
        found.ok_or(CertificateError::Missing { field })
    }

    fn fields(&mut self, name: &str) -> Result<Fields> {
        self.read(name, |path, value| Fields::of(&format!("{path}."), value))
    }

    fn end(self) -> Result<()> {
        match self.fields.keys().next() {
            None => Ok(()),
            Some(name) => Err(CertificateError::Unknown {
                field: self.path(name),
            }),
        }
    }
}

fn wrong(field: &str, reason: impl ToString) -> CertificateError {
    CertificateError::Value {
        field: field.into(),
        reason: reason.to_string(),
    }
}

fn list(path: &str, value: Value) -> Result<Vec<Value>> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(wrong(path, "a list is needed here")),
    }
}

fn items<T>(path: &str, value: Value, item: impl Fn(&str, Value) -> Result<T>) -> Result<Vec<T>> {
    let values = list(path, value)?.into_iter();
    values.map(|value| item(path, value)).collect()
}

/// Parses a list of N values, which `words` describe.
fn tuple<const N: usize>(path: &str, value: Value, words: &str) -> Result<[Value; N]> {
    let values = list(path, value)?;
    values
        .try_into()
        .map_err(|_| wrong(path, format!("give {words}")))
}

/// Parses a list of two integers and another value.
fn triple<T>(
    path: &str,
    value: Value,
    words: &str,
    last: impl Fn(&str, Value) -> Result<T>,
) -> Result<(usize, usize, T)> {
    let [a, b, c] = tuple(path, value, words)?;
    Ok((whole(path, a)?, whole(path, b)?, last(path, c)?))
}

fn whole(path: &str, value: Value) -> Result<usize> {
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| wrong(path, format!("{value:.40} is no whole number that fits")))
}

fn string(path: &str, value: Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(wrong(path, "a string is needed here")),
    }
}

fn nodes(path: &str, value: Value) -> Result<Vec<usize>> {
    items(path, value, whole)
}

fn pairs(path: &str, value: Value) -> Result<Vec<(usize, usize)>> {
    items(path, value, |path, value| {
        let [u, v] = tuple(path, value, "pairs of nodes")?;
        Ok((whole(path, u)?, whole(path, v)?))
    })
}

fn entries(path: &str, value: Value) -> Result<Vec<Entry>> {
    items(path, value, |path, value| {
        let (time, node, value) = triple(path, value, "[time, node, number]", rational)?;
        Ok(Entry { time, node, value })
    })
}

fn flows(path: &str, value: Value) -> Result<Vec<Vec<Vec<Flow>>>> {
    let flow = |path: &str, value| {
        let (from, to, amount) = triple(path, value, "[from, to, amount]", rational)?;
        Ok(Flow { from, to, amount })
    };
    let list = |path: &str, value| items(path, value, flow);
    items(path, value, |path, value| items(path, value, list))
}

fn mask_entries(path: &str, value: Value) -> Result<Vec<MaskEntry>> {
    items(path, value, |path, value| {
        let [round, a, b, value] = tuple(path, value, "[round, a, b, number]")?;
        Ok(MaskEntry {
            round: whole(path, round)?,
            edge: (whole(path, a)?, whole(path, b)?),
            value: rational(path, value)?,
        })
    })
}

fn fraction(path: &str, value: Value) -> Result<Fraction> {
    let text = value
        .as_str()
        .ok_or_else(|| wrong(path, "a number as a string is needed here"))?;
    text.parse().map_err(|error| wrong(path, error))
}

/// Parses `p/q`, `p` or a decimal without exponent, exactly.
fn rational(path: &str, value: Value) -> Result<BigRational> {
    let not = || wrong(path, "a number such as \"3/4\" or \"0.75\" is needed here");
    let text = value.as_str().ok_or_else(not)?;
    if text.len() > MAX_DIGITS {
        return Err(wrong(
            path,
            format!("a number of more than {MAX_DIGITS} digits"),
        ));
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-BigInt::one(), rest),
        None => (BigInt::one(), text),
    };
    let natural = |digits: &str| -> Result<BigInt> {
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
    Ok(BigRational::new(sign * above, below))
}

/// Formats a number truncated to twelve places, for messages only.
pub(crate) fn decimal(value: &BigRational) -> String {
    let scale = BigInt::from(1_000_000_000_000_u64);
    let cut = (value.numer().abs() * &scale) / value.denom();
    let sign = if value.is_negative() { "-" } else { "" };
    let (before, after) = (&cut / &scale, &cut % &scale);
    format!("{sign}{before}.{after:0>12}")
}
