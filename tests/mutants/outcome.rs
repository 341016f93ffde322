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

/// What became of a mutant in its share, and since then.
#[derive(Clone)]
pub struct Tried {
    pub mutant: Mutant,
    /// When its share was tried, before there were tests for its survivors.
    pub first: Fate,
    /// When it was last tried.
    pub last: Fate,
}

/// The results of every share in `folder`, its survivors of some tests being tried with all (`SHARE-all`), and those of the survivors
/// that were tried again (`again-*`), under the names that cargo-mutants gives, which begin with file, line and column.
pub fn read(folder: &Path) -> BTreeMap<String, Tried> {
    let runs = std::fs::read_dir(folder).unwrap();
    let mut runs: Vec<_> = runs.map(|run| run.unwrap().path()).collect();
    let name = |run: &Path| run.file_name().unwrap().to_string_lossy().into_owned();
    let is_again = |run: &Path| name(run).starts_with("again");
    let with_all_tests = |run: &Path| name(run).ends_with("-all");
    runs.sort_by_key(|run| (is_again(run), run.clone()));
    let mut results: BTreeMap<String, Tried> = BTreeMap::new();
    for run in runs {
        for (mutated, mutant, last) in outcomes(&run.join("mutants.out")) {
            match results.get_mut(&mutated) {
                Some(tried) => {
                    tried.last = last;
                    if with_all_tests(&run) {
                        tried.first = last;
                    }
                }
                // cargo-mutants adds some that were not asked for.
                None if is_again(&run) || with_all_tests(&run) => {}
                None => {
                    let first = last;
                    results.insert(
                        mutated,
                        Tried {
                            mutant,
                            first,
                            last,
                        },
                    );
                }
            }
        }
    }
    results
}

/// The results of one run; none if the folder holds no run.
fn outcomes(run: &Path) -> Vec<(String, Mutant, Fate)> {
    let Ok(text) = std::fs::read_to_string(run.join("outcomes.json")) else {
        return Vec::new();
    };
    let outcomes: Value = serde_json::from_str(&text).unwrap();
    let mut results = Vec::new();
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
        results.push((name.to_owned(), found, fate));
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
