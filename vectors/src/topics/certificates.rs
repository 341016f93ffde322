//! Certificates: valid ones of every kind, and what must be refused.

use super::losses::{Cases, plan, rounds, uneven};
use crate::exact::{Result, Seen, absorption_bound, fraction, potentials, whole};
use crate::form::{Answer, Question, Verdict, ViewForm, observer};
use muffliato_model::{Draw, MasksRecord, ProtocolRecord};
use muffliato_reference::{GossipMatrix, Process, decimal, rational};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use serde_json::{Value, json};

/// Absorption and flows round deviations up to a grid of 96 bits; the claim leaves room for that.
const DIGITS: u32 = 12;

fn holds(cases: &mut Cases, name: &str, certificate: &Value) {
    let answer =
        Answer::Verdict { verdict: Verdict::Accept, reason: "the proof proves the claim".into() };
    let text = certificate.to_string();
    cases.add(format!("holds/{name}"), Vec::new(), Question::Certificate { text }, answer);
}

fn refused(cases: &mut Cases, name: &str, flag: &str, reason: &str, text: String) {
    let answer = Answer::Verdict { verdict: Verdict::Refuse, reason: reason.into() };
    cases.add(format!("refused/{name}"), vec![flag], Question::Certificate { text }, answer);
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

/// An attack on the weighted messages of an only neighbour, which are their own sums.
fn by_attack_on_sums(form: &ProtocolRecord, source: usize, watching: usize) -> Result<Value> {
    let mut certificate = by_attack(form, source, watching)?;
    let matrix = GossipMatrix::of_step(form.build()?.step(0))?;
    let heard = form.build()?.step(0).senders_to(&[watching]);
    let [only] = heard[..] else { return Err("several neighbours".into()) };
    let weight = BigRational::new(
        matrix.numerators()[watching * form.nodes + only].clone(),
        matrix.denominator().clone(),
    );
    let messages = certificate["attack"]["messages"].as_array_mut().ok_or("no messages")?;
    for message in messages {
        let c = fraction(message[2].as_str().ok_or("no number")?)? / &weight;
        *message = json!([message[0], watching, c.to_string()]);
    }
    certificate["view"] = json!("sum");
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
fn by_attack(form: &ProtocolRecord, source: usize, watching: usize) -> Result<Value> {
    let process = Process::run(&form.build()?)?;
    let full = observer(ViewForm::Full, &[watching])?;
    let seen = Seen::of(&process, &full)?;
    let c = seen.attack(source)?;
    let strength = process.view(&full)?.projection((0, source), (0, source));
    let mut certificate = head(form, source, watching);
    certificate["at_least"] = json!(strength.ok_or("no such input")?.to_string());
    let mut known = vec![BigRational::zero(); process.draws().len()];
    let mut messages = Vec::new();
    for (&(time, sender), c) in seen.senders.iter().zip(&c).filter(|(_, c)| !c.is_zero()) {
        messages.push(json!([time, sender, c.to_string()]));
        let row = process.coefficients(time, sender).ok_or("no such message")?;
        for (known, entry) in known.iter_mut().zip(row) {
            *known -= entry * c;
        }
    }
    let (mut own, mut masks) = (Vec::new(), Vec::new());
    for (draw, c) in process.draws().iter().zip(&known) {
        if !draw.is_known_to(&full) || c.is_zero() {
            continue;
        }
        match *draw {
            Draw::Own { time, node } => own.push(json!([time, node, c.to_string()])),
            Draw::Mask { time, edge: (a, b) } => {
                masks.push(json!([time / form.gossip_steps, a, b, c.to_string()]));
            }
        }
    }
    let inputs = json!([[0, source, "1"]]);
    let mut attack = json!({ "inputs": inputs, "messages": messages, "own_noise": own });
    if !masks.is_empty() {
        attack["masks"] = json!(masks);
    }
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

pub(super) fn certificates() -> Result<Cases> {
    let mut cases = Cases::new("certificates");
    let refreshed = |name: &str, tau: &str, count, steps| -> Result<ProtocolRecord> {
        let mut form = rounds(name, count, steps)?;
        form.refresh = Some(tau.parse()?);
        Ok(form)
    };
    let masked = |name: &str, kappa: &str, count, steps| -> Result<ProtocolRecord> {
        let mut form = rounds(name, count, steps)?;
        form.masks = Some(MasksRecord { kappa: kappa.parse()?, edges: None });
        Ok(form)
    };
    let mut valid = Vec::new();
    for (name, count) in [("path:3", 2), ("path:4", 3), ("ring:5", 3), ("hypercube:3", 2)] {
        let form = rounds(name, count, 1)?;
        valid.push((format!("absorption/{name}/gd{count}x1/2->0"), by_absorption(&form, 2, 0)?.0));
    }
    let form = refreshed("star:5", "1/2", 2, 2)?;
    valid.push(("absorption/star:5/gd2x2/tau1/2/2->1".into(), by_absorption(&form, 2, 1)?.0));
    for (name, tau, steps) in [("path:3", "1/2", 2), ("path:5", "1/3", 4), ("ring:5", "2", 3)] {
        let form = refreshed(name, tau, 1, steps)?;
        valid.push((format!("alibi/{name}/tau{tau}/T{steps}/2->0"), by_alibi(&form, 2, 0)?));
    }
    for (name, kappa, count, steps) in [
        ("ring:4", "1", 1, 3),
        ("ring:5", "3", 1, 2),
        ("hypercube:3", "2", 2, 2),
        ("complete:4", "1/2", 1, 1),
    ] {
        let form = masked(name, kappa, count, steps)?;
        valid.push((
            format!("flow/{name}/kappa{kappa}/{count}x{steps}/1->0"),
            by_flow(&form, 1, 0)?,
        ));
    }
    for (name, form) in [
        ("path:3/T2", rounds("path:3", 1, 2)?),
        ("path:5/T4", rounds("path:5", 1, 4)?),
        ("karate/T2", rounds("karate", 1, 2)?),
        ("path:4/tau1/2/T3", refreshed("path:4", "1/2", 1, 3)?),
        ("path:4/gd3x1", rounds("path:4", 3, 1)?),
        ("ring:5/kappa2/T3", masked("ring:5", "2", 1, 3)?),
    ] {
        valid.push((format!("attack/{name}/2->0"), by_attack(&form, 2, 0)?));
    }
    let mut phases = masked("ring:5", "2", 3, 1)?;
    phases.every = Some(2);
    valid.push(("flow/ring:5/kappa2/3x1/every2/1->0".into(), by_flow(&phases, 1, 0)?));
    let grid = masked("ring:4", "1", 2, 2)?;
    valid.push(("grid/ring:4/kappa1/2x2/k1000/1->0".into(), on_grid(&grid, 1000)?));
    let fresh = refreshed("ring:6", "1/2", 1, 4)?;
    valid.push(("dual/ring:6/tau1/2/T4/2,3->0".into(), by_dual(&fresh, [2, 3], 0)?));
    let mut paper = by_alibi(&fresh, 3, 0)?;
    paper["view"] = json!("paper");
    valid.push(("paper/alibi/ring:6/tau1/2/T4/3->0".into(), paper));
    let mut sums = by_absorption(&fresh, 3, 0)?.0;
    sums["view"] = json!("sum");
    valid.push(("sum/absorption/ring:6/tau1/2/T4/3->0".into(), sums));
    let path = rounds("path:4", 1, 3)?;
    valid.push(("sum/attack/path:4/T3/2->0".into(), by_attack_on_sums(&path, 2, 0)?));
    let custom = ProtocolRecord::on_network(4, uneven(), 3, 1);
    valid.push(("absorption/path:4/custom/gd3x1/2->0".into(), by_absorption(&custom, 2, 0)?.0));
    valid.push(("attack/path:4/custom/gd3x1/2->0".into(), by_attack(&custom, 2, 0)?));
    let mut planned = rounds("path:4", 3, 1)?;
    planned.plan = plan(&["1/4", "2", "1/9", "1"], &[], &[])?;
    valid.push(("absorption/path:4/plan/gd3x1/2->0".into(), by_absorption(&planned, 2, 0)?.0));
    valid.push(("attack/path:4/plan/gd3x1/2->0".into(), by_attack(&planned, 2, 0)?));
    valid.extend(of_systems());
    for (name, certificate) in &valid {
        holds(&mut cases, name, certificate);
        let reason = "the claim is one percent beyond what the proof proves";
        refused(
            &mut cases,
            &format!("overstated/{name}"),
            "claims-too-much",
            reason,
            overstated(certificate)?.to_string(),
        );
    }

    // Changes of single fields that leave no proof. The path says where; `null` takes the field away.
    let of = |kind: &str| {
        valid.iter().find(|(name, _)| name.starts_with(kind)).map(|(_, value)| value.clone())
    };
    let changes: [(&str, &str, &str, &str, Value); 34] = [
        ("absorption", "nothing-absorbed", "heard-deviation", "/absorption/fractions/0", json!([])),
        (
            "absorption",
            "fraction-above-1",
            "bad-number",
            "/absorption/fractions/0/0/2",
            json!("3/2"),
        ),
        (
            "absorption",
            "fraction-negative",
            "bad-number",
            "/absorption/fractions/0/0/2",
            json!("-1/2"),
        ),
        ("absorption", "no-such-node", "bad-question", "/absorption/fractions/0/0/1", json!(7)),
        (
            "absorption",
            "too-large-a-constant",
            "claims-too-much",
            "/absorption/lipschitz",
            json!("2"),
        ),
        ("absorption", "source-observes", "bad-question", "/sources", json!([0])),
        ("absorption", "no-source", "bad-question", "/sources", json!([])),
        ("absorption", "source-twice", "bad-question", "/sources", json!([2, 2])),
        ("absorption", "more-sources", "claims-too-much", "/sources", json!([1, 2])),
        ("absorption", "more-rounds", "heard-deviation", "/protocol/rounds", json!(3)),
        ("absorption", "version-2", "bad-format", "/certificate", json!(99)),
        (
            "absorption",
            "unknown-weights",
            "not-stochastic",
            "/protocol/network/weights",
            json!("uniform"),
        ),
        ("absorption", "edge-outside", "bad-question", "/protocol/network/edges/0", json!([0, 9])),
        ("absorption", "claim-is-no-number", "bad-number", "/at_most", json!("one half")),
        ("alibi", "less-noise", "claims-too-much", "/protocol/refresh", json!("1/3")),
        ("alibi", "no-fresh-noise", "heard-deviation", "/protocol/refresh", Value::Null),
        ("alibi", "input-missing", "bad-format", "/alibis/0/shifts", json!([])),
        ("alibi", "known-draw", "known-own-noise", "/alibis/0/shifts/0", json!([[0, 0, "1/2"]])),
        ("flow", "along-no-edge", "bad-question", "/flows/0/0", json!([[1, 3, "1/4"]])),
        ("flow", "known-mask", "whole-graph-laplacian", "/flows/0/0", json!([[1, 0, "1/2"]])),
        ("flow", "without-masks", "whole-graph-laplacian", "/protocol/masks", Value::Null),
        ("attack", "message-not-heard", "bad-question", "/attack/messages/0/1", json!(2)),
        ("attack", "after-the-end", "bad-question", "/attack/messages/0/0", json!(2)),
        ("attack", "change-above-1", "bad-number", "/attack/inputs/0/2", json!("2")),
        ("grid", "coarser", "rounded-inputs", "/noise/rounded/sensitivity", json!("10")),
        ("grid", "no-steps", "bad-number", "/noise/rounded/sensitivity", json!("0")),
        ("dual", "diagonal-only", "group-adds-up", "/alibis/0/lambda/0", json!("1/1000")),
        ("dual", "entry-missing", "bad-format", "/alibis/0/lambda", json!(["1"])),
        ("sum/attack", "message-of-another", "bad-question", "/attack/messages/0/1", json!(1)),
        ("sum/attack", "no-such-view", "bad-format", "/view", json!("sums")),
        ("system/shared/most", "seen", "correlated-messages", "/alibis/0/0", json!("1/2")),
        ("system/known/most", "known-draw", "known-own-noise", "/alibis/0", json!(["0", "1/2"])),
        ("system/known/most", "no-such-draw", "bad-question", "/system/known", json!([2])),
        ("system/group/least", "change-above-1", "bad-number", "/attack/0/0", json!("2")),
    ];
    for (kind, name, flag, path, change) in changes {
        let mut certificate = of(kind).ok_or("no such certificate")?;
        match (&change, path.rsplit_once('/')) {
            (Value::Null, Some((parent, field))) => {
                let parent = certificate.pointer_mut(parent).and_then(Value::as_object_mut);
                parent.ok_or("no such object")?.remove(field);
            }
            _ => *certificate.pointer_mut(path).ok_or("no such field")? = change,
        }
        let reason = format!("{path} was changed, and the proof no longer proves the claim");
        refused(&mut cases, &format!("{kind}/{name}"), flag, &reason, certificate.to_string());
    }
    // A claim without the room that whole steps need.
    let mut exactly = on_grid(&grid, 1000)?;
    exactly["at_most"] = by_flow(&grid, 1, 0)?["at_most"].clone();
    let reason = "the claim is that of real numbers, and the noise is on a grid";
    refused(&mut cases, "grid/as-real-numbers", "rounded-inputs", reason, exactly.to_string());
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
        refused(
            &mut cases,
            &format!("file/{name}"),
            "bad-format",
            "the text is no certificate",
            text,
        );
    }
    Ok(cases)
}
