//! The files of `proofs/theorems/certificates`, on which a checker in Coq that is proved sound is run: this checker gives the same verdicts,
//! and the terms that Coq reads are those of the files. `UPDATE=1` writes the terms again.

use muffliato_certificate::Certificate;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::pow;
use serde_json::Value;
use std::path::Path;

/// Name and text of each file, by name; `None` where the theorems are not beside this crate.
fn files() -> Option<Vec<(String, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proofs/theorems/certificates");
    let entries = std::fs::read_dir(folder).ok()?;
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut files: Vec<_> = paths
        .map(|path| {
            let name = path.file_stem().expect("a file").to_string_lossy();
            (
                name.into_owned(),
                std::fs::read_to_string(&path).expect("a text"),
            )
        })
        .collect();
    files.sort();
    Some(files)
}

#[test]
fn the_checker_in_coq_gives_the_same_verdicts() {
    let Some(files) = files() else {
        println!("the theorems are not here: nothing is compared");
        return;
    };
    let (mut hold, mut refused) = (0, 0);
    for (name, text) in files {
        let verdict = Certificate::parse(&text).map(|certificate| certificate.check());
        match name.split_once('-') {
            Some(("holds", _)) => {
                assert_eq!(verdict, Ok(Ok(())), "{name}");
                hold += 1;
            }
            Some(("refused", _)) => {
                assert_ne!(verdict, Ok(Ok(())), "{name}");
                refused += 1;
            }
            _ => panic!("{name} does not begin with its verdict"),
        }
    }
    assert!(hold >= 10 && refused >= 10, "{hold} and {refused}");
}

#[test]
fn coq_reads_the_same_files() {
    let Some(files) = files() else {
        println!("the theorems are not here: nothing is compared");
        return;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../proofs/theorems/instances.v");
    let terms = terms(&files);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &terms).expect("instances.v can be written");
    }
    let written = std::fs::read_to_string(&path).expect("instances.v is there");
    assert!(
        written == terms,
        "instances.v is out of date: UPDATE=1 cargo test -p muffliato-certificate --test theorems"
    );
}

const HEAD: &str = "\
(* The certificates of certificates/, as terms: written by `UPDATE=1 cargo test -p muffliato-certificate --test theorems`, which fails
   while this file is out of date and compares the verdicts of the two checkers. *)
From Coq Require Import ZArith QArith.
From mathcomp Require Import all_ssreflect.
From Muffliato Require Import fractions protocol checker.

Local Open Scope nat_scope.
";

fn terms(files: &[(String, String)]) -> String {
    let mut text = HEAD.to_string();
    for (name, file) in files {
        let file: Value = serde_json::from_str(file).expect("JSON");
        text += &format!(
            "\nDefinition {} : certificate :=\n{}",
            word(name),
            term(&file)
        );
    }
    let listed = |verdict: &str| {
        let names = files.iter().map(|(name, _)| word(name));
        let names: Vec<_> = names.filter(|name| name.starts_with(verdict)).collect();
        names.join(";\n      ")
    };
    text += &format!(
        "\n(* Files that prove what they claim are accepted. *)\n\
         Theorem proofs_on_file_are_accepted : all check\n  [:: {}].\nProof. by vm_compute. Qed.\n\
         \n(* Files that do not are refused. *)\n\
         Theorem other_files_are_refused : ~~ has check\n  [:: {}].\nProof. by vm_compute. Qed.\n",
        listed("holds"),
        listed("refused")
    );
    text
}

fn word(name: &str) -> String {
    name.replace('-', "_")
}

fn term(file: &Value) -> String {
    let protocol = &file["protocol"];
    for field in protocol.as_object().expect("an object").keys() {
        let known = [
            "nodes",
            "rounds",
            "gossip_steps",
            "refresh",
            "network",
            "averages",
        ];
        assert!(
            known.contains(&field.as_str()),
            "{field}: the checker in Coq has no word for it"
        );
    }
    let (nodes, rounds) = (whole(&protocol["nodes"]), whole(&protocol["rounds"]));
    let every = whole(&protocol["gossip_steps"]);
    let steps = match protocol.get("averages") {
        Some(averages) => list(averages, |edge| format!("Average {} {}", edge[0], edge[1])),
        None => format!(
            "(nseq {} ({}))",
            rounds * every,
            network(&protocol["network"])
        ),
    };
    let refresh = protocol.get("refresh").map_or(fraction("0"), number);
    let knows = file.get("view").is_none_or(|view| view == "full");
    let (at_most, claim) = match file.get("at_most") {
        Some(claim) => (true, claim),
        None => (false, &file["at_least"]),
    };
    let proof = if let Some(absorption) = file.get("absorption") {
        let one = Value::from("1");
        let constant = number(absorption.get("lipschitz").unwrap_or(&one));
        let constants = vec![constant; nodes as usize].join("; ");
        let fractions = entries(&absorption["fractions"][0], 1);
        format!("Absorption [:: {constants}] {fractions}")
    } else if let Some(alibis) = file.get("alibis") {
        let sources = values(&file["sources"]);
        let inputs = (0..rounds).flat_map(|round| sources.iter().map(move |u| (round * every, u)));
        let shifts = values(&alibis[0]["shifts"]);
        let alibis = inputs.zip(shifts);
        let alibis: Vec<_> = alibis
            .map(|((time, u), shifts)| format!("({time}, {u}, {})", entries(shifts, 1)))
            .collect();
        format!("Alibis [:: {}]", alibis.join("; "))
    } else {
        let attack = &file["attack"];
        let (inputs, messages) = (&attack["inputs"], &attack["messages"]);
        let own = entries(&attack["own_noise"], 1);
        format!(
            "Attack {} {} {own}",
            entries(inputs, every),
            entries(messages, 1)
        )
    };
    let nodes_of = |field: &str| list(&file[field], Value::to_string);
    format!(
        "  Certificate\n    (Protocol {nodes} {steps} {every} ({refresh}))\n    (ViewOf {} {knows}) {}\n    {at_most} ({})\n    ({proof}).\n",
        nodes_of("observers"),
        nodes_of("sources"),
        number(claim)
    )
}

fn network(network: &Value) -> String {
    fn scheme(name: &str) -> String {
        match (name, name.strip_prefix("lazy:")) {
            ("metropolis", _) => "Metropolis".into(),
            ("max-degree-inverse", _) => "MaxDegreeInverse".into(),
            (_, Some(inner)) => format!("(Lazy {})", scheme(inner)),
            _ => panic!("{name}: Coq has no word for these weights"),
        }
    }
    let edges = list(&network["edges"], |edge| {
        format!("({}, {})", edge[0], edge[1])
    });
    format!(
        "Network {edges} {}",
        scheme(network["weights"].as_str().expect("a name"))
    )
}

fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

fn values(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn list(value: &Value, item: impl Fn(&Value) -> String) -> String {
    let items: Vec<_> = values(value).iter().map(item).collect();
    match items.is_empty() {
        true => "[::]".into(),
        false => format!("[:: {}]", items.join("; ")),
    }
}

/// Scales the first number of entries, a time or a round, by a number of steps.
fn entries(value: &Value, steps: u64) -> String {
    list(value, |entry| {
        let time = whole(&entry[0]) * steps;
        format!("({time}, {}, {})", entry[1], number(&entry[2]))
    })
}

fn number(value: &Value) -> String {
    fraction(value.as_str().expect("a number as a string"))
}

fn fraction(text: &str) -> String {
    let whole = |digits: &str| digits.parse::<BigInt>().expect("digits");
    let value = match (text.split_once('/'), text.split_once('.')) {
        (Some((above, below)), _) => BigRational::new(whole(above), whole(below)),
        (_, Some((before, after))) => {
            let below = pow(BigInt::from(10), after.len());
            BigRational::new(whole(&format!("{before}{after}")), below)
        }
        _ => whole(text).into(),
    };
    format!("Qmake ({}) {}", value.numer(), value.denom())
}
