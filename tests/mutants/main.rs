//! The survivors of mutation testing are explained, and the explanations are about code that exists.
//!
//! `tests/mutants.sh` runs cargo-mutants; with its results in a folder, `UPDATE_MUTANTS=FOLDER cargo test --test mutants`
//! writes docs/mutants.md.

mod explained;
mod outcome;
mod page;
#[path = "../workspace/mod.rs"]
mod workspace;

use explained::{KINDS, explanations};
use page::{Engine, explained_lines, page, wilson};
use std::collections::BTreeSet;
use std::path::Path;
use workspace::{ROOT, read};

#[test]
fn every_explained_survivor_is_a_line_that_exists() {
    for explanation in explanations() {
        let (file, code) = (&explanation.file, &explanation.code);
        let found = read(file).lines().any(|line| line.trim() == code);
        assert!(found, "{file} has no line {code}");
        assert!(
            KINDS.iter().any(|(kind, _)| *kind == explanation.kind),
            "{code}"
        );
        assert!(
            !explanation.reason.is_empty() && !explanation.changes.is_empty(),
            "{code}"
        );
    }
}

#[test]
fn every_survivor_on_the_page_is_explained() {
    if let Some(folder) = std::env::var_os("UPDATE_MUTANTS") {
        let folder = Path::new(ROOT).join(folder);
        let results = outcome::read(&folder);
        let engine = |name: &'static str| {
            let list = std::fs::read_to_string(folder.join(format!("{name}.list"))).unwrap();
            // What was tried in code that has changed since is not among the results.
            let tried = list.lines().filter_map(|mutant| results.get(mutant));
            Engine {
                name,
                all: list.lines().count(),
                tried: tried.cloned().collect(),
            }
        };
        let text = page(&["reference", "fast"].map(engine), &explanations());
        std::fs::write(Path::new(ROOT).join("docs/mutants.md"), text).unwrap();
    }
    let page = read("docs/mutants.md");
    let explanations = explanations();
    let explained: BTreeSet<String> = explanations.iter().flat_map(explained_lines).collect();
    for line in page.lines().filter(|line| line.contains(".rs, `")) {
        assert!(explained.contains(line), "not explained: {line}");
    }
}

#[test]
fn the_interval_is_wilsons() {
    // Newcombe (1998), table I: 81 of 263, and 0 of 20.
    let near = |(lower, upper): (f64, f64), (a, b): (f64, f64)| {
        assert!(
            (lower - a).abs() < 5e-5 && (upper - b).abs() < 5e-5,
            "{lower}, {upper}"
        );
    };
    near(wilson(81, 263), (0.2553, 0.3662));
    near(wilson(0, 20), (0.0, 0.1611));
}
