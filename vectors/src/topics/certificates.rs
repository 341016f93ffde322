//! Certificates: valid ones of every kind, and what must be refused.

use super::losses::Cases;
use super::runs::record;
use crate::exact::{Result, absorption_bound, fraction, potentials, whole};
use crate::form::{Answer, Question, Verdict, ViewForm, observer};
use muffliato_model::{Draw, ProtocolRecord};
use muffliato_reference::{InputChange, Observation, Process, decimal, rational};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde_json::{Value, json};

/// Absorption and flows round deviations up to a grid of 96 bits; the claim leaves room for that.
const DIGITS: u32 = 12;

fn holds(cases: &mut Cases, name: &str, certificate: &Value) {
    let answer =
        Answer::Verdict { verdict: Verdict::Accept, reason: "the proof proves the claim".into() };
    let text = certificate.to_string();
    cases.add(format!("holds/{name}"), [], Question::Certificate { text }, answer);
}

fn refused(cases: &mut Cases, name: &str, flag: &str, reason: &str, text: String) {
    let question = Question::Certificate { text };
    cases.add(format!("refused/{name}"), [flag], question, Answer::refusal(reason));
}

fn head(form: &ProtocolRecord, source: usize, watching: usize) -> Value {
    json!({ "certificate": 1, "protocol": form, "observers": [watching], "sources": [source] })
}

/// Everything is absorbed by whoever speaks to the observer, for protocols that draw noise at every step.
fn by_absorption(
    form: &ProtocolRecord,
    source: usize,
    watching: usize,
) -> Result<(Value, BigRational)> {
    let protocol = form.build()?;
    let heard = protocol.step(0).senders_to(&[watching]);
    let full = observer(ViewForm::Full, &[watching])?;
    let taken = |_, w| whole(heard.contains(&w).into());
    let bound = absorption_bound(&protocol, &[source], &full, &BigRational::one(), taken)?;
    let bound = bound.ok_or("a deviation is heard")?;
    let fractions: Vec<Value> = (0..protocol.steps())
        .flat_map(|time| heard.iter().map(move |&w| json!([time, w, "1"])))
        .collect();
    let mut certificate = head(form, source, watching);
    let room = BigRational::new(100_000_001.into(), 100_000_000.into());
    certificate["at_most"] = json!(decimal::rounded_up(&(&bound * room), DIGITS));
    certificate["absorption"] = json!({ "lipschitz": "1", "grid": 96, "fractions": [fractions] });
    Ok((certificate, bound))
}

/// Absorbs everything that reaches a node that speaks to the observer.
fn by_alibi(form: &ProtocolRecord, source: usize, watching: usize) -> Result<Value> {
    let (mut certificate, bound) = by_absorption(form, source, watching)?;
    let fields = certificate.as_object_mut().ok_or("no object")?;
    fields.remove("absorption");
    fields.insert("at_most".into(), json!(bound.to_string()));
    fields.insert("alibis".into(), json!([{ "shifts": [[]] }]));
    Ok(certificate)
}

/// The currents of the masked bound, which leave through the noise of the nodes.
fn by_flow(form: &ProtocolRecord, source: usize, watching: usize) -> Result<Value> {
    let masks = form.masks.as_ref().ok_or("no masks")?;
    let edges = &form.network.as_ref().ok_or("no network")?.edges;
    let kappa = rational(masks.kappa);
    let y = potentials(form.nodes, edges, &kappa, &[source], &[watching])?;
    let mut flows = Vec::new();
    for &(a, b) in edges {
        let amount = (&y[a] - &y[b]) * &kappa * &kappa;
        if a == watching || b == watching || amount.is_zero() {
            continue;
        }
        let (from, to) = if amount.is_positive() { (a, b) } else { (b, a) };
        flows.push(json!([from, to, amount.abs().to_string()]));
    }
    let bound = &y[source] * whole(form.rounds.div_ceil(form.every.unwrap_or(1)));
    let mut certificate = head(form, source, watching);
    certificate["at_most"] = json!(bound.to_string());
    certificate["flows"] = json!([[flows]]);
    Ok(certificate)
}

/// The alibis of two sources that all who speak to the observer absorb, with a dual: as no product is negative, its entries are the
/// row sums of the matrix of products.
fn by_dual(form: &ProtocolRecord, sources: [usize; 2], watching: usize) -> Result<Value> {
    let protocol = form.build()?;
    let heard = protocol.step(0).senders_to(&[watching]);
    let full = observer(ViewForm::Full, &[watching])?;
    let bound = |sources: &[usize]| -> Result<BigRational> {
        let taken = |_, w| whole(heard.contains(&w).into());
        let bound = absorption_bound(&protocol, sources, &full, &BigRational::one(), taken)?;
        bound.ok_or("a deviation is heard".into())
    };
    let (together, alone) = (bound(&sources)?, [bound(&sources[..1])?, bound(&sources[1..])?]);
    let product = (&together - &alone[0] - &alone[1]) / whole(2);
    let mut certificate = head(form, sources[0], watching);
    certificate["sources"] = json!(sources);
    certificate["at_most"] = json!(together.to_string());
    let lambda = alone.map(|square| (square + &product).to_string());
    certificate["alibis"] = json!([{ "shifts": [[], []], "lambda": lambda }]);
    Ok(certificate)
}

/// A flow whose noise is rounded to a grid of `steps` in a unit of the inputs, with room for whole steps in every draw.
fn on_grid(form: &ProtocolRecord, steps: usize) -> Result<Value> {
    let mut certificate = by_flow(form, 1, 0)?;
    let masks = form.masks.as_ref().ok_or("no masks")?;
    let edges = form.network.as_ref().ok_or("no network")?.edges.len();
    let kappa = rational(masks.kappa);
    let resistances = whole(form.nodes) + whole(edges) / (&kappa * &kappa);
    let room = resistances * whole(form.rounds) / whole(4 * steps * steps);
    let claim = fraction(certificate["at_most"].as_str().ok_or("no claim")?)? + room;
    certificate["at_most"] = json!(claim.to_string());
    let grid = json!({ "sensitivity": steps.to_string(), "coordinates": 1, "roundings": 1 });
    certificate["noise"] = json!({ "rounded": grid });
    Ok(certificate)
}

/// Claims about linear systems, both ends: releases that share noise, a draw that is known, and a group.
fn of_systems() -> Vec<(String, Value)> {
    let shared = json!({ "A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": ["1", "1", "3"], "known": [] });
    let known = json!({ "A": [["1/2", "1"]], "B": [["1/2"]], "std": ["2", "1"], "known": [1] });
    let group = json!({ "A": [["1", "0"], ["1", "1"]], "B": [["1", "0"], ["0", "1"]], "std": ["1", "1/2"] });
    let most = |system: &Value, inputs: Value, claim: &str, alibis: Value| json!({ "certificate": 1, "system": system, "inputs": inputs, "at_most": claim, "alibis": alibis });
    let least = |system: &Value, inputs: Value, claim: &str, attack: Value| json!({ "certificate": 1, "system": system, "inputs": inputs, "at_least": claim, "attack": attack });
    let named = |name: &str, claim: Value| (format!("system/{name}"), claim);
    vec![
        named("shared/most", most(&shared, json!([0]), "2", json!([["1", "1", "0"]]))),
        named("shared/least", least(&shared, json!([0]), "2", json!([["1"], ["1", "1"]]))),
        named("known/most", most(&known, json!([0]), "1/4", json!([["1", "0"]]))),
        named("known/least", least(&known, json!([0]), "1/4", json!([["1"], ["1"]]))),
        named("group/most", most(&group, json!([0, 1]), "17", json!([["1", "-1"], ["0", "1"]]))),
        named("group/least", least(&group, json!([0, 1]), "17", json!([["1", "-1"], ["9", "-8"]]))),
    ]
}

/// The best attack on the first input of the source.
fn by_attack(
    form: &ProtocolRecord,
    view: ViewForm,
    source: usize,
    watching: usize,
) -> Result<Value> {
    let process = Process::run(&form.build()?)?;
    let view = process.view(&observer(view, &[watching])?)?;
    let strength = view.projection((0, source), (0, source)).ok_or("no such input")?;
    let (mut messages, mut own, mut masks) = (Vec::new(), Vec::new(), Vec::new());
    let amount = BigRational::one();
    let attack = view.attack(&[InputChange { round: 0, node: source, amount }])?;
    for (seen, c) in attack.into_iter().filter(|(_, c)| !c.is_zero()) {
        let c = c.to_string();
        match seen {
            Observation::Message { time, sender: node }
            | Observation::Sum { time, member: node } => {
                messages.push(json!([time, node, c]));
            }
            Observation::Known(Draw::Own { time, node }) => own.push(json!([time, node, c])),
            Observation::Known(Draw::Mask { time, edge: (a, b) }) => {
                masks.push(json!([time / form.gossip_steps, a, b, c]));
            }
        }
    }
    let inputs = json!([[0, source, "1"]]);
    let mut attack = json!({ "inputs": inputs, "messages": messages, "own_noise": own });
    if !masks.is_empty() {
        attack["masks"] = json!(masks);
    }
    let mut certificate = head(form, source, watching);
    certificate["at_least"] = json!(strength.to_string());
    certificate["attack"] = attack;
    Ok(certificate)
}

/// The claim, moved by one part in a hundred to where the proof no longer reaches.
fn overstated(certificate: &Value) -> Result<Value> {
    let mut lie = certificate.clone();
    for (kind, percent) in [("at_most", 99), ("at_least", 101)] {
        if let Some(claim) = certificate[kind].as_str() {
            lie[kind] = json!((fraction(claim)? * whole(percent) / whole(100)).to_string());
        }
    }
    Ok(lie)
}

/// The certificates that hold, by their names: the kind of the proof, the run, and who loses to whom.
const VALID: &str = "\
    absorption/path:3/gd2x1/2->0 absorption/path:4/gd3x1/2->0 absorption/ring:5/gd3x1/2->0 \
    absorption/hypercube:3/gd2x1/2->0 absorption/star:5/gd2x2/tau1/2/2->1 alibi/path:3/tau1/2/T2/2->0 \
    alibi/path:5/tau1/3/T4/2->0 alibi/ring:5/tau2/T3/2->0 flow/ring:4/kappa1/1x3/1->0 \
    flow/ring:5/kappa3/1x2/1->0 flow/hypercube:3/kappa2/2x2/1->0 flow/complete:4/kappa1/2/1x1/1->0 \
    attack/path:3/T2/2->0 attack/path:5/T4/2->0 attack/karate/T2/2->0 attack/path:4/tau1/2/T3/2->0 \
    attack/path:4/gd3x1/2->0 attack/ring:5/kappa2/T3/2->0 flow/ring:5/kappa2/3x1/every2/1->0 \
    grid/ring:4/kappa1/2x2/k1000/1->0 dual/ring:6/tau1/2/T4/2,3->0 paper/alibi/ring:6/tau1/2/T4/3->0 \
    sum/absorption/ring:6/tau1/2/T4/3->0 sum/attack/path:4/T3/2->0 absorption/path:4/custom/gd3x1/2->0 \
    attack/path:4/custom/gd3x1/2->0 absorption/path:4/plan/gd3x1/2->0 attack/path:4/plan/gd3x1/2->0";

/// Builds the certificate of a name.
fn certificate(name: &str) -> Result<Value> {
    let (kind, run) = name.split_once('/').ok_or("no run")?;
    let (view, (kind, run)) = match kind {
        "paper" => (ViewForm::Paper, run.split_once('/').ok_or("no run")?),
        "sum" => (ViewForm::Sum, run.split_once('/').ok_or("no run")?),
        _ => (ViewForm::Full, (kind, run)),
    };
    let (run, pair) = run.rsplit_once('/').ok_or("no pair")?;
    let (source, watching) = pair.split_once("->").ok_or("no observer")?;
    let (form, watching) = (record(run.trim_end_matches("/k1000"))?, watching.parse()?);
    let (source, second) = source.split_once(',').unwrap_or((source, "0"));
    let (source, second) = (source.parse()?, second.parse()?);
    let mut certificate = match kind {
        "absorption" => by_absorption(&form, source, watching)?.0,
        "alibi" => by_alibi(&form, source, watching)?,
        "flow" => by_flow(&form, source, watching)?,
        "grid" => on_grid(&form, 1000)?,
        "attack" => by_attack(&form, view, source, watching)?,
        _ => by_dual(&form, [source, second], watching)?,
    };
    if view != ViewForm::Full {
        certificate["view"] = json!(view);
    }
    Ok(certificate)
}

/// Changes of single fields that leave no proof: of which certificate, the name of the change and of the error that accepts it, where
/// it is, and the value in its place; a dash takes the field away.
const CHANGES: &str = r#"
absorption nothing-absorbed heard-deviation /absorption/fractions/0 []
absorption fraction-above-1 bad-number /absorption/fractions/0/0/2 "3/2"
absorption fraction-negative bad-number /absorption/fractions/0/0/2 "-1/2"
absorption no-such-node bad-question /absorption/fractions/0/0/1 7
absorption too-large-a-constant claims-too-much /absorption/lipschitz "2"
absorption source-observes bad-question /sources [0]
absorption no-source bad-question /sources []
absorption source-twice bad-question /sources [2, 2]
absorption more-sources claims-too-much /sources [1, 2]
absorption more-rounds heard-deviation /protocol/rounds 3
absorption version-2 bad-format /certificate 99
absorption unknown-weights not-stochastic /protocol/network/weights "uniform"
absorption edge-outside bad-question /protocol/network/edges/0 [0, 9]
absorption claim-is-no-number bad-number /at_most "one half"
alibi less-noise claims-too-much /protocol/refresh "1/3"
alibi no-fresh-noise heard-deviation /protocol/refresh -
alibi input-missing bad-format /alibis/0/shifts []
alibi known-draw known-own-noise /alibis/0/shifts/0 [[0, 0, "1/2"]]
flow along-no-edge bad-question /flows/0/0 [[1, 3, "1/4"]]
flow known-mask whole-graph-laplacian /flows/0/0 [[1, 0, "1/2"]]
flow without-masks whole-graph-laplacian /protocol/masks -
attack message-not-heard bad-question /attack/messages/0/1 2
attack after-the-end bad-question /attack/messages/0/0 2
attack change-above-1 bad-number /attack/inputs/0/2 "2"
grid coarser rounded-inputs /noise/rounded/sensitivity "10"
grid no-steps bad-number /noise/rounded/sensitivity "0"
dual diagonal-only group-adds-up /alibis/0/lambda/0 "1/1000"
dual entry-missing bad-format /alibis/0/lambda ["1"]
sum/attack message-of-another bad-question /attack/messages/0/1 1
sum/attack no-such-view bad-format /view "sums"
system/shared/most seen correlated-messages /alibis/0/0 "1/2"
system/known/most known-draw known-own-noise /alibis/0 ["0", "1/2"]
system/known/most no-such-draw bad-question /system/known [2]
system/group/least change-above-1 bad-number /attack/0/0 "2"
"#;

pub(super) fn certificates(cases: &mut Cases) -> Result<()> {
    let valid = VALID.split_whitespace().map(|name| Ok((name.to_string(), certificate(name)?)));
    let mut valid = valid.collect::<Result<Vec<_>>>()?;
    valid.extend(of_systems());
    for (name, certificate) in &valid {
        holds(cases, name, certificate);
        let reason = "the claim is one percent beyond what the proof proves";
        refused(
            cases,
            &format!("overstated/{name}"),
            "claims-too-much",
            reason,
            overstated(certificate)?.to_string(),
        );
    }

    let of = |kind: &str| {
        valid.iter().find(|(name, _)| name.starts_with(kind)).map(|(_, value)| value.clone())
    };
    for change in CHANGES.lines().skip(1) {
        let mut words = change.splitn(5, ' ');
        let mut word = || words.next().ok_or("a word is missing");
        let (kind, name, flag, path, value) = (word()?, word()?, word()?, word()?, word()?);
        let mut certificate = of(kind).ok_or("no such certificate")?;
        let (parent, field) = path.rsplit_once('/').ok_or("no path")?;
        let place = certificate.pointer_mut(if value == "-" { parent } else { path });
        match (place.ok_or("no such field")?, value) {
            (Value::Object(fields), "-") => drop(fields.remove(field)),
            (place, value) => *place = serde_json::from_str(value)?,
        }
        let reason = format!("{path} was changed, and the proof no longer proves the claim");
        refused(cases, &format!("{kind}/{name}"), flag, &reason, certificate.to_string());
    }
    // A claim without the room that whole steps need.
    let mut exactly = of("grid").ok_or("no such certificate")?;
    exactly["at_most"] = by_flow(&record("ring:4/kappa1/2x2")?, 1, 0)?["at_most"].clone();
    let reason = "the claim is that of real numbers, and the noise is on a grid";
    refused(cases, "grid/as-real-numbers", "rounded-inputs", reason, exactly.to_string());
    let whole_file = of("absorption").ok_or("no such certificate")?.to_string();
    let rest = whole_file.strip_prefix('{').ok_or("no object")?.to_string();
    for (name, text) in [
        ("empty", String::new()),
        ("no-object", "[1]".into()),
        ("cut-off", whole_file[..whole_file.len() - 1].into()),
        ("unknown-field", format!("{{\"note\":\"trust me\",{rest}")),
        ("field-twice", format!("{{\"certificate\":1,{rest}")),
        ("two-claims", format!("{{\"at_least\":\"0\",{rest}")),
        ("system-field-twice", {
            let system = of("system").ok_or("no such certificate")?.to_string();
            system.replacen('{', "{\"inputs\":[0],", 1)
        }),
    ] {
        refused(cases, &format!("file/{name}"), "bad-format", "the text is no certificate", text);
    }
    Ok(())
}
