//! The certificates on which the checker in Coq, which is proved sound, is run: the files of
//! `proofs/theorems/certificates`, and the test vectors of `vectors/v1`. The crate gives the same
//! verdicts, and the terms that Coq reads are those of the files. `UPDATE=1` writes the terms.

use muffliato_certificate::{Certificate, SystemCertificate};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::pow;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file with its verdict.
struct File {
    name: String,
    text: String,
    holds: bool,
}

/// The test vectors that Coq does not decide: those in which there is no certificate.
const NOT_DECIDED: [&str; 11] = [
    "vector-refused-absorption-claim-is-no-number",
    "vector-refused-absorption-unknown-weights",
    "vector-refused-absorption-version-2",
    "vector-refused-file-cut-off",
    "vector-refused-file-empty",
    "vector-refused-file-field-twice",
    "vector-refused-file-no-object",
    "vector-refused-file-system-field-twice",
    "vector-refused-file-two-claims",
    "vector-refused-file-unknown-field",
    "vector-refused-sum-attack-no-such-view",
];

fn beside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Returns all files sorted by name, or `None` if the theorems are not beside this crate.
fn files() -> Option<Vec<File>> {
    let entries = std::fs::read_dir(beside("proofs/theorems/certificates")).ok()?;
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut files: Vec<_> = paths
        .map(|path| {
            let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
            let holds = name.starts_with("holds-");
            assert!(holds || name.starts_with("refused-"), "{name} begins with no verdict");
            File { name, text: std::fs::read_to_string(&path).expect("a text"), holds }
        })
        .collect();
    let vectors = std::fs::read_to_string(beside("vectors/v1/certificates.json"));
    let vectors: Value = serde_json::from_str(&vectors.expect("the vectors")).expect("JSON");
    for case in values(&vectors["cases"]) {
        let id = case["id"].as_str().expect("a name");
        let words = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let name = ["vector"].into_iter().chain(words.skip(1)).collect::<Vec<_>>().join("-");
        let text = case["question"]["text"].as_str().expect("a text").to_string();
        files.push(File { name, text, holds: case["answer"]["verdict"] == "accept" });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let twice = files.windows(2).find(|pair| pair[0].name == pair[1].name);
    assert!(twice.is_none(), "{:?}", twice.map(|pair| &pair[0].name));
    Some(files)
}

#[test]
fn the_checker_in_coq_gives_the_same_verdicts() {
    let Some(files) = files() else {
        println!("the theorems are not here: nothing is compared");
        return;
    };
    for File { name, text, holds } in &files {
        let verdict = match SystemCertificate::is_one(text) {
            true => SystemCertificate::parse(text).map(|certificate| certificate.check()),
            false => Certificate::parse(text).map(|certificate| certificate.check()),
        };
        assert_eq!(verdict == Ok(Ok(())), *holds, "{name}: {verdict:?}");
    }
    let hold = files.iter().filter(|file| file.holds).count();
    assert!(hold >= 50 && files.len() - hold >= 50, "{hold} of {}", files.len());
}

#[test]
fn coq_reads_the_same_files() {
    let Some(files) = files() else {
        println!("the theorems are not here: nothing is compared");
        return;
    };
    let path = beside("proofs/theorems/instances.v");
    let terms = terms(&files);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &terms).expect("instances.v can be written");
    }
    let written = std::fs::read_to_string(&path).expect("instances.v is there");
    assert!(
        written == terms,
        "instances.v is out of date: UPDATE=1 cargo test -p muffliato-certificate theorems"
    );
}

const HEAD: &str = "\
(* The certificates of certificates/ and of the test vectors vectors/v1, as terms: written by
   `UPDATE=1 cargo test -p muffliato-certificate theorems`, which fails while this file is out of date and compares the verdicts
   of the two checkers. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect.
From Muffliato Require Import fractions protocol checker.
From Muffliato Require linear rounding.

Local Open Scope nat_scope.
";

/// The kinds of files: their type and check in Coq, and a part of the names of theorems.
const KINDS: [(&str, &str, &str); 3] = [
    ("certificate", "check", ""),
    ("linear.claim_of_system", "linear.check_system", "_of_systems"),
    ("rounding.claim_on_grid", "rounding.check_on_grid", "_on_a_grid"),
];

fn terms(files: &[File]) -> String {
    let mut text = HEAD.to_string();
    let mut not_decided = Vec::new();
    // Of each kind: those that hold, and others.
    let mut lists = KINDS.map(|_| [vec![], vec![]]);
    for File { name, text: file, holds } in files {
        let value: Option<Value> = serde_json::from_str(file).ok();
        let value = value.filter(|value| file.matches("\":").count() == fields(value));
        let has = |field| value.as_ref().is_some_and(|value| value.get(field).is_some());
        let kind = if has("system") { 1 } else { 2 * usize::from(has("noise")) };
        let term = value.and_then(|value| match kind {
            0 => Some(format!("{}.\n", term(&value)?)),
            1 => system(&value),
            _ => on_grid(value),
        });
        let Some(term) = term else {
            not_decided.push(name.as_str());
            continue;
        };
        let word = name.replace('-', "_");
        text += &format!("\nDefinition {word} : {} :=\n{term}", KINDS[kind].0);
        lists[kind][usize::from(!*holds)].push(word);
    }
    assert_eq!(not_decided, NOT_DECIDED, "what Coq cannot decide");
    for ([hold, refused], (_, check, kind)) in lists.iter().zip(KINDS) {
        text += &format!(
            "\n(* {} files{} that prove what they claim are accepted. *)\n\
             Theorem proofs{kind}_on_file_are_accepted : all {check}\n  [:: {}].\nProof. by vm_compute. Qed.\n\
             \n(* {} files{} that do not are refused. *)\n\
             Theorem other_files{kind}_are_refused : ~~ has {check}\n  [:: {}].\nProof. by vm_compute. Qed.\n",
            hold.len(),
            kind.replace('_', " "),
            hold.join(";\n      "),
            refused.len(),
            kind.replace('_', " "),
            refused.join(";\n      "),
        );
    }
    text + &format!(
        "\n(* Not decided here, because there is no certificate in them: {}. *)\n",
        not_decided.join(", ")
    )
}

/// Counts the fields of all objects.
fn fields(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.len() + members.values().map(fields).sum::<usize>(),
        Value::Array(values) => values.iter().map(fields).sum(),
        _ => 0,
    }
}

/// The fields of a certificate and of a protocol that Coq has words for.
const FIELDS: [&str; 11] = [
    "certificate",
    "protocol",
    "observers",
    "view",
    "sources",
    "at_most",
    "at_least",
    "absorption",
    "alibis",
    "attack",
    "flows",
];
const PROTOCOL: [&str; 13] = [
    "nodes",
    "rounds",
    "gossip_steps",
    "refresh",
    "network",
    "networks",
    "each",
    "averages",
    "acceleration",
    "every",
    "masks",
    "plan",
    "reaction",
];

/// Returns the term of a file, or `None` if Coq has no words for it.
fn term(file: &Value) -> Option<String> {
    let knows = |value: &Value, words: &[&str]| {
        value.as_object().is_some_and(|fields| fields.keys().all(|name| words.contains(&&**name)))
    };
    let protocol = &file["protocol"];
    if !knows(file, &FIELDS) || !knows(protocol, &PROTOCOL) || file["certificate"] != 1 {
        return None;
    }
    let (nodes, rounds) = (whole(&protocol["nodes"]), whole(&protocol["rounds"]));
    let every = whole(&protocol["gossip_steps"]);
    let steps = if let Some(averages) = protocol.get("averages") {
        list(averages, |edge| Some(format!("Average {} {}", edge[0], edge[1])))?
    } else if let Some(networks) = protocol.get("networks") {
        let each = whole(&protocol["each"]);
        let networks = values(networks).iter();
        let networks = networks.map(|one| Some(format!("nseq {each} ({})", network(one)?)));
        let networks: Option<Vec<_>> = networks.collect();
        format!("({})", networks?.join(" ++ "))
    } else {
        format!("(nseq {} ({}))", rounds * every, network(&protocol["network"])?)
    };
    let acceleration = protocol.get("acceleration").map_or(fraction("1"), number)?;
    let (masks, mask_variances) = masks(protocol)?;
    let edges: Vec<_> = masks.iter().map(|(a, b)| format!("({a}, {b})")).collect();
    let plan = |field: &str| protocol.get("plan").and_then(|plan| plan.get(field));
    let numbers =
        |field: &str| plan(field).map_or(Some("[::]".into()), |given| list(given, number));
    let (input_variances, mut fresh) = (numbers("nodes")?, numbers("fresh")?);
    if let Some(refresh) = protocol.get("refresh") {
        fresh = format!("(nseq {nodes} (squared ({})))", number(refresh)?);
    }
    let reaction =
        protocol.get("reaction").map_or(Some("[::]".into()), |factors| list(factors, number))?;
    let period = protocol.get("every").map_or(1, whole);
    let view = match file.get("view").map(Value::as_str) {
        None | Some(Some("full")) => "true false",
        Some(Some("paper")) => "false false",
        Some(Some("sum")) => "true true",
        _ => return None,
    };
    let (at_most, claim) = match (file.get("at_most"), file.get("at_least")) {
        (Some(claim), None) => (true, claim),
        (None, Some(claim)) => (false, claim),
        _ => return None,
    };
    let proof = if let Some(absorption) = file.get("absorption") {
        if !knows(absorption, &["lipschitz", "grid", "fractions"]) {
            return None;
        }
        let constants = match absorption.get("lipschitz") {
            Some(Value::Array(_)) => list(&absorption["lipschitz"], number)?,
            one => {
                let constant = one.map_or(fraction("1"), number)?;
                format!("(nseq {nodes} ({constant}))")
            }
        };
        let plans = list(&absorption["fractions"], |plan| entries(plan, 1))?;
        format!("Absorption {constants} {plans}")
    } else if let Some(flows) = file.get("flows") {
        let round = |sources: &Value| list(sources, |flow| entries(flow, 1));
        format!("Flows {}", list(flows, round)?)
    } else if let Some(runs) = file.get("alibis") {
        let run = |run: &Value| {
            let shifts = list(&run["shifts"], |shifts| entries(shifts, 1))?;
            let dual = match run.get("lambda") {
                Some(lambda) => format!("Some {}", list(lambda, number)?),
                None => "None".into(),
            };
            Some(format!("({shifts}, {dual})"))
        };
        format!("Alibis {}", list(runs, run)?)
    } else {
        let attack = &file["attack"];
        let mut known = Vec::new();
        for own in values(attack.get("own_noise").unwrap_or(&Value::Array(Vec::new()))) {
            known.push(format!("({}, {}, {})", own[0], own[1], number(&own[2])?));
        }
        for mask in values(attack.get("masks").unwrap_or(&Value::Array(Vec::new()))) {
            let edge = (whole(&mask[1]), whole(&mask[2]));
            let place = masks.iter().position(|mask| *mask == edge).unwrap_or(masks.len());
            let place = nodes + place as u64;
            known.push(format!("({}, {place}, {})", whole(&mask[0]) * every, number(&mask[3])?));
        }
        let (inputs, messages) = (&attack["inputs"], &attack["messages"]);
        let (inputs, messages) = (entries(inputs, every)?, entries(messages, 1)?);
        format!("Attack {inputs} {messages} {}", sequence(&known))
    };
    let nodes_of = |field: &str| list(&file[field], |node| Some(node.to_string()));
    Some(format!(
        "  Certificate\n    (Protocol {nodes} {steps} {every} {input_variances} {fresh} ({acceleration}) {period} {} {mask_variances} {reaction})\n    (ViewOf {} {view}) {}\n    {at_most} ({})\n    ({proof})",
        sequence(&edges),
        nodes_of("observers")?,
        nodes_of("sources")?,
        number(claim)?
    ))
}

/// Returns the term of a claim for noise on a grid, or `None` if Coq has no words for it.
fn on_grid(mut file: Value) -> Option<String> {
    let noise = file.as_object_mut()?.remove("noise")?;
    let (grid, certificate) = (noise.get("rounded")?, term(&file)?);
    let coordinates = whole(&grid["coordinates"]);
    let steps = number(&grid["sensitivity"])?;
    Some(format!("  rounding.ClaimOnGrid\n  ({certificate})\n    ({steps}) {coordinates}.\n"))
}

/// Returns the term of a claim about a linear system, or `None` if it is none.
fn system(file: &Value) -> Option<String> {
    let system = &file["system"];
    let rows = |rows: &Value| list(rows, |row| list(row, entry));
    let (at_most, claim, proof) = match (file.get("at_most"), file.get("at_least")) {
        (Some(claim), None) => (true, claim, &file["alibis"]),
        (None, Some(claim)) => (false, claim, &file["attack"]),
        _ => return None,
    };
    let whole_numbers = |given: &Value| list(given, |node| Some(node.to_string()));
    let known = system.get("known").map_or(Some("[::]".into()), whole_numbers)?;
    Some(format!(
        "  linear.ClaimOfSystem\n    (linear.System {} {} {} {known})\n    {} {at_most} ({})\n    {}.\n",
        rows(&system["A"])?,
        rows(&system["B"])?,
        list(&system["std"], entry)?,
        whole_numbers(&file["inputs"])?,
        number(claim)?,
        rows(proof)?
    ))
}

/// Returns an entry of a system, a number or a text.
fn entry(value: &Value) -> Option<String> {
    value.as_i64().map_or_else(|| number(value), |whole| fraction(&whole.to_string()))
}

/// Returns the edges with a mask, the smaller node first, and their variances; `None` if they
/// change from round to round.
fn masks(protocol: &Value) -> Option<(Vec<(u64, u64)>, String)> {
    let ordered = |edge: &Value| {
        let (a, b) = (whole(&edge[0]), whole(&edge[1]));
        (a.min(b), a.max(b))
    };
    if let Some(masks) = protocol.get("plan").and_then(|plan| plan.get("masks")) {
        let variances = list(masks, |mask| number(&mask[2]))?;
        return Some((values(masks).iter().map(ordered).collect(), variances));
    }
    let Some(masks) = protocol.get("masks") else {
        return Some((Vec::new(), "[::]".into()));
    };
    let edges = masks.get("edges").or_else(|| protocol.get("network")?.get("edges"))?;
    let edges: Vec<_> = values(edges).iter().map(ordered).collect();
    let variances = format!("(nseq {} (squared ({})))", edges.len(), number(&masks["kappa"])?);
    Some((edges, variances))
}

fn network(network: &Value) -> Option<String> {
    fn scheme(name: &str) -> Option<String> {
        match (name, name.strip_prefix("lazy:")) {
            ("metropolis", _) => Some("Metropolis".into()),
            ("max-degree-inverse", _) => Some("MaxDegreeInverse".into()),
            (_, Some(inner)) => Some(format!("(Lazy {})", scheme(inner)?)),
            _ => None,
        }
    }
    let edges = list(&network["edges"], |edge| Some(format!("({}, {})", edge[0], edge[1])))?;
    let weights = match &network["weights"] {
        Value::String(name) => scheme(name)?,
        custom => {
            let below = &custom["denominator"];
            let entry = |entry: &Value| {
                let value = fraction(&format!("{}/{below}", entry[2]))?;
                Some(format!("({}, {}, {value})", entry[0], entry[1]))
            };
            format!("(Custom {})", list(&custom["entries"], entry)?)
        }
    };
    Some(format!("Network {edges} {weights}"))
}

fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

fn values(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn sequence(items: &[String]) -> String {
    if items.is_empty() { "[::]".into() } else { format!("[:: {}]", items.join("; ")) }
}

fn list(value: &Value, item: impl Fn(&Value) -> Option<String>) -> Option<String> {
    let items: Option<Vec<_>> = values(value).iter().map(item).collect();
    Some(sequence(&items?))
}

/// Scales the first number of entries, a time or a round, by a number of steps.
fn entries(value: &Value, steps: u64) -> Option<String> {
    list(value, |entry| {
        let time = whole(&entry[0]) * steps;
        Some(format!("({time}, {}, {})", entry[1], number(&entry[2])?))
    })
}

fn number(value: &Value) -> Option<String> {
    fraction(value.as_str()?)
}

fn fraction(text: &str) -> Option<String> {
    let whole = |digits: &str| digits.parse::<BigInt>().ok();
    let value = match (text.split_once('/'), text.split_once('.')) {
        (Some((above, below)), _) => BigRational::new(whole(above)?, whole(below)?),
        (_, Some((before, after))) => {
            let below = pow(BigInt::from(10), after.len());
            BigRational::new(whole(&format!("{before}{after}"))?, below)
        }
        _ => whole(text)?.into(),
    };
    Some(format!("Qmake ({}) {}", value.numer(), value.denom()))
}
