//! A newcomer's run: every command of the README and of the guide, line by line, in an empty folder. What is not run has a reason.

use crate::{running, workspace};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const PAGES: [&str; 8] = [
    "README.md",
    "docs/guide/1-model.md",
    "docs/guide/2-choosing.md",
    "docs/guide/3-ledger.md",
    "docs/guide/4-trusting.md",
    "docs/guide/5-graph-files.md",
    "docs/guide/6-certificates.md",
    "docs/guide/7-running.md",
];

/// Beginnings of commands that are not run here, with the reason.
const NOT_RUN: &str = "\
cargo test: this is one of them; that the others exist is checked below
cargo bench: it measures
cargo install: it changes the machine
cargo deny: it asks the network
cargo +1.89: it takes another compiler
pip install: it changes the machine; python/tests run what it installs
bash .ci/run: it runs this
muffliato -p muffliato-experiments: it is another program, with tests of its own
proofs/run.sh: it takes Kani, which the page says
cargo kani: it takes Kani, which the page says
tests/mutants.sh: it takes hours, which the page says
muffliato audit: all claims are decided by the test of the ledger
muffliato account karate --steps 4 --beside: it draws the picture of the README, which a test of the command compares";

/// Returns the code blocks of this language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let blocks = text.split(fence.as_str()).skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap_or(block)).collect()
}

/// The commands of a page: lines of its shell blocks, and what stands between backticks and begins as a command does.
fn commands(text: &str) -> Vec<String> {
    let lines = blocks(text, "sh").into_iter().flat_map(str::lines);
    let mut commands: Vec<String> = lines.map(String::from).collect();
    let prose = text.split("```").step_by(2);
    let spans = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    let tools = ["muffliato ", "cargo ", "pip ", "bash ", "proofs/run.sh", "tests/"];
    let spans = spans.filter(|span| tools.iter().any(|tool| span.starts_with(tool)));
    commands.extend(spans.map(String::from));
    commands
}

/// The tasks of a newcomer with a graph of its own, as the lines of the README do them.
fn own_graph_to_epsilon_plan_and_certificate(outputs: &BTreeMap<String, String>, folder: &Path) {
    let said = |beginning: &str| {
        let found = outputs.iter().find(|(command, _)| command.starts_with(beginning));
        found.unwrap_or_else(|| panic!("the README has no {beginning}")).1
    };
    assert!(said("muffliato account my.edges --protocol masked:3 --sigma").contains("eps"));
    let last = said("muffliato account my.edges --plan").lines().last().unwrap();
    let epsilon: f64 = last.split_whitespace().last().unwrap().parse().unwrap();
    assert!(epsilon <= 1.0, "the plan meets its target: {last}");
    let noise = std::fs::read_to_string(folder.join("noise-of-ann.txt")).unwrap();
    assert!(noise.contains("Noise of its own") && noise.contains("key shared with"), "{noise}");
    for file in ["plan.json", "claim.json"] {
        let checked = said(&format!("muffliato verify {file}"));
        assert!(checked.starts_with(&format!("{file}: holds: ")), "{checked}");
    }
}

#[test]
fn every_line_of_readme_and_guide_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = running::installed(folder.path());
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    for page in PAGES {
        let text = workspace::read(page);
        let mut said = String::new();
        let all = commands(&text);
        assert!(all.len() >= 2, "{page} has too few commands");
        for command in all {
            let built = match command.strip_prefix("cargo run --release") {
                Some(rest) => format!("muffliato{}", rest.trim_start_matches(" --")),
                None => command.clone(),
            };
            let named = |line: &str| match line.split_once(": ").unwrap().0 {
                "muffliato audit" => built == "muffliato audit",
                beginning => built.starts_with(beginning),
            };
            if NOT_RUN.lines().any(named) || built == "muffliato" {
                continue;
            }
            let output = outputs.entry(built).or_insert_with_key(|built| {
                let mut shell = Command::new("sh");
                shell.args(["-c", built]).current_dir(&folder);
                let output = shell.env("PATH", &path).env("COLUMNS", "100").output();
                let output = output.unwrap();
                assert!(output.status.success(), "{page}: {command}\n{output:?}");
                String::from_utf8(output.stdout).unwrap()
            });
            let to_a_file = [" > ", " --output "].iter().any(|word| command.contains(word));
            assert!(to_a_file || !output.is_empty(), "{page}: {command} prints nothing");
            said += output;
        }
        if page == "README.md" {
            own_graph_to_epsilon_plan_and_certificate(&outputs, folder.path());
        }
        if text.contains("An entry") {
            said += &workspace::read("conformance/CLAIMS.md"); // which this page is about
        }
        // What is shown or quoted is what is printed, paragraph by paragraph.
        let quoted = text.lines().filter_map(|line| line.strip_prefix("> "));
        for shown in blocks(&text, "text").into_iter().chain(quoted) {
            for paragraph in shown.split("\n\n") {
                let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
                let printed = |line: &&&str| {
                    let mut said = said.lines().map(|said| said.trim());
                    said.any(|said| said.trim_start_matches("**Refuted.** ") == **line)
                };
                assert!(
                    lines.iter().filter(printed).count() == lines.len(),
                    "{page} shows what no command of it prints:\n{paragraph}"
                );
            }
        }
    }
}

/// Whatever stands in a file is explained in the help and in the guide.
#[test]
fn columns_are_explained() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_muffliato")).args(arguments).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let file = run(&["account", "path:3", "--steps", "2", "--format", "csv"]);
    let help = run(&["account", "--help"]);
    let guide = workspace::read("docs/guide/4-trusting.md");
    let (head, rows): (Vec<&str>, Vec<&str>) =
        file.lines().partition(|line| line.starts_with("# "));
    let columns: Vec<&str> = rows[0].split(',').collect();
    assert!(columns.len() > 10, "{file}");
    for column in columns {
        assert!(help.contains(column), "{column}");
        assert!(guide.contains(&format!("`{column}`")), "{column}");
    }
    let keys =
        head.iter().filter_map(|line| line[2..].split_once(": {").or(line[2..].split_once(": \"")));
    for (key, _) in keys {
        assert!(guide.contains(&format!("`{key}`")), "{key}");
    }
}

/// Of the commands that are not run because they are tests, each names one that is there.
#[test]
fn tests_that_the_guide_names_exist() {
    let mut found = 0;
    for page in PAGES {
        for command in commands(&workspace::read(page)) {
            let Some(arguments) = command.strip_prefix("cargo test") else {
                continue;
            };
            let words: Vec<&str> = arguments.split(' ').collect();
            let ["", "-p", package, module, ..] = words[..] else {
                continue;
            };
            let folder = package.trim_start_matches("muffliato").trim_start_matches('-');
            let file = |ending: &str| format!("{folder}/tests/{module}{ending}");
            let is_there = |ending| workspace::has(file(ending).trim_start_matches('/'));
            assert!(is_there(".rs") || is_there("/mod.rs"), "{page}: {command}");
            found += 1;
        }
    }
    assert!(found > 10, "the guide names {found} tests");
}

/// The Rust of the README is run by `cargo test --doc`; it must be the one that the documentation has.
#[test]
fn the_program_in_the_readme_is_a_doctest() {
    let library = workspace::read("src/lib.rs");
    assert!(library.contains("include_str!(\"../README.md\")"));
    assert_eq!(blocks(&workspace::read("README.md"), "rust").len(), 1);
}
