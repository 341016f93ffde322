//! What cargo-mutants found.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// One change of the code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mutant {
    pub file: String,
    /// What was changed in which function.
    pub change: String,
    /// The first line that it changes.
    pub code: String,
}

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It does not compile.
    Unviable,
    /// A test failed, or did not end.
    Noticed,
    /// All tests passed.
    Survived,
}

/// The results of every run in `folder`, under the names that cargo-mutants gives, which begin with file, line and column.
pub fn read(folder: &Path) -> BTreeMap<String, (Mutant, Fate)> {
    let mut results = BTreeMap::new();
    for run in std::fs::read_dir(folder).unwrap() {
        let run = run.unwrap().path().join("mutants.out");
        let Ok(text) = std::fs::read_to_string(run.join("outcomes.json")) else {
            continue;
        };
        let outcomes: Value = serde_json::from_str(&text).unwrap();
        for outcome in outcomes["outcomes"].as_array().unwrap() {
            let mutant = &outcome["scenario"]["Mutant"];
            let Some(name) = mutant["name"].as_str() else {
                continue;
            };
            let fate = match outcome["summary"].as_str().unwrap() {
                "Unviable" => Fate::Unviable,
                "CaughtMutant" | "Timeout" => Fate::Noticed,
                "MissedMutant" => Fate::Survived,
                other => panic!("{name}: {other}"),
            };
            let diff = std::fs::read_to_string(run.join(outcome["diff_path"].as_str().unwrap()));
            let found = Mutant {
                file: mutant["file"].as_str().unwrap().to_owned(),
                change: name.splitn(4, ':').nth(3).unwrap().trim().to_owned(),
                code: first_removed(&diff.unwrap()),
            };
            results.insert(name.to_owned(), (found, fate));
        }
    }
    results
}

fn first_removed(diff: &str) -> String {
    let mut removed = diff
        .lines()
        .skip(2)
        .filter_map(|line| line.strip_prefix('-'));
    removed.next().unwrap_or_default().trim().to_owned()
}
