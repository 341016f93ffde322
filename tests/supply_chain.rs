//! What docs/dependencies.md, deny.toml and the manifests say about dependencies is true.

mod workspace;

use serde_json::Value;
use std::collections::BTreeSet;
use workspace::{cargo, read, table_rows};

/// The members of the workspace, as cargo describes them; needs no package of others.
fn members() -> Vec<Value> {
    let text = cargo("metadata --no-deps --format-version 1 --offline --locked");
    let metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn cargo_run_finds_the_command() {
    let is_root = |package: &Value| package["name"] == "muffliato";
    let root = members().into_iter().find(is_root).unwrap();
    assert_eq!(root["default_run"], "muffliato");
}

/// The packages of others in an answer of `cargo tree`.
fn of_others(tree: &str) -> BTreeSet<&str> {
    let names = tree.lines().map(|line| line.split(" (").next().unwrap());
    names
        .filter(|name| !name.is_empty() && !name.starts_with("muffliato"))
        .collect()
}

#[test]
fn every_dependency_has_a_reason_and_nothing_else_has() {
    let mut used = BTreeSet::new();
    for package in members() {
        for dependency in package["dependencies"].as_array().unwrap() {
            let kind = match (dependency["kind"].as_str(), &dependency["optional"]) {
                (None, Value::Bool(true)) => "optional",
                (None, _) => "always",
                (Some("dev"), _) => "tests",
                (Some(other), _) => other,
            };
            if !dependency["source"].is_null() {
                let [crate_name, name] = [&package["name"], &dependency["name"]]
                    .map(|name| name.as_str().unwrap().to_owned());
                used.insert((crate_name, name, kind.to_owned()));
            }
        }
    }
    let page = read("docs/dependencies.md");
    let mut explained = BTreeSet::new();
    for row in table_rows(&page, "crate") {
        let [crate_name, name, kind, reason] = row.as_slice() else {
            panic!("four columns: {row:?}");
        };
        assert!(!reason.is_empty(), "no reason for {name} in {crate_name}");
        let key = (crate_name.clone(), name.clone(), kind.clone());
        assert!(explained.insert(key), "twice: {row:?}");
    }
    assert_eq!(used, explained, "left: the manifests, right: the page");
}

#[test]
fn the_number_of_packages_is_as_stated() {
    let page = read("docs/dependencies.md");
    let rows = table_rows(&page, "command");
    assert!(rows.len() >= 3, "{rows:?}");
    for row in rows {
        let command = row[0].trim_matches('`').strip_prefix("cargo ").unwrap();
        let tree = cargo(&format!("{command} --prefix none --offline --locked"));
        let found = of_others(&tree).len();
        if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            assert_eq!(row[1], found.to_string(), "{command}");
        } else {
            println!("{command}: {found} here, {} on 64-bit Linux", row[1]);
        }
    }
}

#[test]
fn nothing_of_ours_runs_at_build_time_or_is_unsafe() {
    assert!(read("Cargo.toml").contains("\nunsafe_code = \"forbid\"\n"));
    for package in members() {
        let name = &package["name"];
        for target in package["targets"].as_array().unwrap() {
            for kind in target["kind"].as_array().unwrap() {
                let forbidden = ["custom-build", "proc-macro"].contains(&kind.as_str().unwrap());
                assert!(!forbidden, "{name} has a {kind}");
            }
        }
        let manifest = std::fs::read_to_string(package["manifest_path"].as_str().unwrap());
        let inherits = manifest.unwrap().contains("\n[lints]\nworkspace = true");
        assert!(inherits, "{name} does not forbid unsafe code");
    }
}

/// Whether one of the alternatives is allowed, in every part of an SPDX expression.
fn is_allowed(licence: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = licence.replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let mut alternatives = part.trim_matches(['(', ')']).split(" OR ");
        alternatives.any(|name| allowed.contains(name.trim()))
    })
}

#[test]
fn licences_and_sources_are_those_of_deny_toml() {
    let policy = read("deny.toml");
    let list = policy.split("\nallow = [").nth(1).unwrap();
    let list = list.split(']').next().unwrap();
    let allowed: BTreeSet<String> = list
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    assert!(is_allowed("(MIT OR X) AND Zlib", &allowed) && !is_allowed("MIT AND X", &allowed));

    let tree =
        "tree --workspace --all-features -e normal,build,dev --prefix none --offline --locked";
    let licences = cargo(&format!("{tree} --format {{p}}|{{l}}"));
    assert!(licences.lines().count() > 100, "{licences}");
    for line in licences.lines().filter(|line| !line.is_empty()) {
        let (package, licence) = line.split_once('|').unwrap();
        let licence = licence.trim_end_matches(" (*)");
        assert!(is_allowed(licence, &allowed), "{package}: {licence}");
    }
    for source in read("Cargo.lock")
        .lines()
        .filter(|line| line.starts_with("source = "))
    {
        let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        assert_eq!(source, registry);
    }
}
