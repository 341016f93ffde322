//! Checks docs/dependencies.md and the manifests against the dependencies.

use crate::workspace::{cargo, read, table_rows};
use serde_json::Value;
use std::collections::BTreeSet;
use std::{fs, path::Path};

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
        let manifest = fs::read_to_string(package["manifest_path"].as_str().unwrap());
        let inherits = manifest.unwrap().contains("\n[lints]\nworkspace = true");
        assert!(inherits, "{name} does not forbid unsafe code");
    }
}

/// The tests of a package are one program; a file that it does not name would never run.
#[test]
fn every_file_of_tests_is_run() {
    for package in members() {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("tests");
        let Ok(program) = fs::read_to_string(folder.join("main.rs")) else {
            continue;
        };
        let targets = package["targets"].as_array().unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_code = path.join("mod.rs").is_file() || path.extension() == Some("rs".as_ref());
            let is_named = program.contains(&format!("\nmod {name};"))
                || targets.iter().any(|target| target["name"] == name);
            assert!(!is_code || name == "main" || is_named, "{}", path.display());
        }
    }
}
