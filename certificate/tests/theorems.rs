//! The certificates on which the checker in Coq, which is proved sound, is run: the files of
//! `proofs/theorems/certificates`, and the test vectors of `vectors/v1`. The crate gives the same
//! verdicts, and the terms that Coq reads are those of the files. `UPDATE=1` writes the terms.

use muffliato_certificate::Certificate;
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

/// The test vectors that Coq cannot decide: there is no certificate in them.
const NOT_DECIDED: [&str; 9] = [
    "vector-refused-absorption-claim-is-no-number",
    "vector-refused-absorption-unknown-weights",
    "vector-refused-absorption-version-2",
    "vector-refused-file-cut-off",
    "vector-refused-file-empty",
    "vector-refused-file-field-twice",
    "vector-refused-file-no-object",
    "vector-refused-file-two-claims",
    "vector-refused-file-unknown-field",
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
        let verdict = Certificate::parse(text).map(|certificate| certificate.check());
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

Local Open Scope nat_scope.
";

fn terms(files: &[File]) -> String {
    let mut text = HEAD.to_string();
    let mut not_decided = Vec::new();
    let (mut hold, mut refused) = (Vec::new(), Vec::new());
    for File { name, text: file, holds } in files {
        let value = serde_json::from_str(file).ok();
        let value = value.filter(|value| file.matches("\":").count() == fields(value));
        let term = value.and_then(|value| term(&value));
        let Some(term) = term else {
            not_decided.push(name.as_str());
            continue;
        };
        let word = name.replace('-', "_");
        text += &format!("\nDefinition {word} : certificate :=\n{term}");
        if *holds { &mut hold } else { &mut refused }.push(word);
    }
    assert_eq!(not_decided, NOT_DECIDED, "what Coq cannot decide");
    text += &format!(
        "\n(* {} files that prove what they claim are accepted. *)\n\
         Theorem proofs_on_file_are_accepted : all check\n  [:: {}].\nProof. by vm_compute. Qed.\n\
         \n(* {} files that do not are refused. *)\n\
         Theorem other_files_are_refused : ~~ has check\n  [:: {}].\nProof. by vm_compute. Qed.\n\
         \n(* Not decided here, because there is no certificate in them: {}. *)\n",
        hold.len(),
        hold.join(";\n      "),
        refused.len(),
        refused.join(";\n      "),
        not_decided.join(", ")
    );
    text
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
const PROTOCOL: [&str; 12] = [
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
    let or = |name: &str, default: &str| match protocol.get(name) {
        Some(given) => number(given),
        None => fraction(default),
    };
    let masks = masks(protocol)?;
    let kappa = protocol.get("masks").map_or(fraction("0"), |masks| number(&masks["kappa"]))?;
    let edges: Vec<_> = masks.iter().map(|(a, b)| format!("({a}, {b})")).collect();
    let reaction =
        protocol.get("reaction").map_or(Some("[::]".into()), |factors| list(factors, number))?;
    let period = protocol.get("every").map_or(1, whole);
    let full = match file.get("view").map(Value::as_str) {
        None | Some(Some("full")) => true,
        Some(Some("paper")) => false,
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
        "  Certificate\n    (Protocol {nodes} {steps} {every} ({}) ({}) {period} {} ({kappa}) {reaction})\n    (ViewOf {} {full}) {}\n    {at_most} ({})\n    ({proof}).\n",
        or("refresh", "0")?,
        or("acceleration", "1")?,
        sequence(&edges),
        nodes_of("observers")?,
        nodes_of("sources")?,
        number(claim)?
    ))
}

/// Returns the edges with a mask, the smaller node first; `None` if they change from round to round.
fn masks(protocol: &Value) -> Option<Vec<(u64, u64)>> {
    let Some(masks) = protocol.get("masks") else {
        return Some(Vec::new());
    };
    let edges = masks.get("edges").or_else(|| protocol.get("network")?.get("edges"))?;
    let edges = values(edges).iter().map(|edge| (whole(&edge[0]), whole(&edge[1])));
    Some(edges.map(|(a, b)| (a.min(b), a.max(b))).collect())
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
