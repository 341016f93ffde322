//! Checks that the table of `KERNELS.md` is complete: every kernel has a row, and every row names existing items.

use crate::{
    INVENTORY,
    trusted::{functions_of, names, rows, without_tests},
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folder whose public functions all need a row.
const FOLDER: &str = "fast/src/arithmetic";

/// Folders in which every file that rounds needs a row or a reason.
const ROUNDING: [&str; 3] = ["fast/src", "account/src", "design/src"];

/// Words of a file that rounds.
const MARKS: [&str; 5] = ["next_up", "next_down", "UNIT_ROUNDOFF", "f64::EPSILON", "Pair::UNIT"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the rows of N cells whose first is code: file, function, theorem and property of a kernel, or files and the reason of an
/// exception.
fn rows_of<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let rows = rows(table).filter(|cells| cells[0].starts_with('`'));
    rows.filter_map(|cells| cells.try_into().ok()).collect()
}

/// Returns the files of a folder and of those in it that round outside their tests.
fn files_that_round(folder: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder of code") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let path = format!("{folder}/{name}");
        if root().join(&path).is_dir() {
            files_that_round(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let rounds = |line: &str| MARKS.iter().any(|mark| line.contains(mark));
            if without_tests(&text(&path)).any(rounds) {
                found.insert(path);
            }
        }
    }
}

#[test]
fn every_file_that_rounds_has_a_row_or_a_reason() {
    let table = text("proofs/KERNELS.md");
    let kernels = rows_of::<4>(&table).into_iter().flat_map(|[file, ..]| names(file));
    let kernels: BTreeSet<&str> = kernels.collect();
    let (mut excepted, theorems) = (BTreeSet::new(), theorems());
    for [files, reason] in rows_of::<2>(&table) {
        for file in names(files) {
            assert!(root().join(file).is_file(), "{file} is not there");
            assert!(!kernels.contains(file), "{file} is in both tables");
            assert!(excepted.insert(file), "{file} has two reasons");
        }
        assert!(!reason.is_empty(), "{files}");
        for name in names(reason).filter(|name| name.contains("_is_") || name.contains("_a_")) {
            assert!(theorems.contains(name), "{files}: no theorem {name}");
        }
    }
    let mut found = BTreeSet::new();
    ROUNDING.iter().for_each(|folder| files_that_round(folder, &mut found));
    let missing = |file: &&String| !kernels.contains(&***file) && !excepted.contains(&***file);
    let missing: Vec<_> = found.iter().filter(missing).collect();
    assert!(missing.is_empty(), "without a row or a reason: {missing:?}");
    let idle: Vec<_> = excepted.iter().filter(|file| !found.contains(**file)).collect();
    assert!(idle.is_empty(), "round nothing: {idle:?}");
}

fn folder() -> Vec<String> {
    let files = fs::read_dir(root().join(FOLDER)).expect("the folder of kernels");
    let name = |file: fs::DirEntry| file.file_name().into_string().expect("a name");
    files.map(|file| format!("{FOLDER}/{}", name(file.expect("a file")))).collect()
}

#[test]
fn every_kernel_has_a_row() {
    let table = text("proofs/KERNELS.md");
    let rows = rows_of::<4>(&table);
    let named: BTreeSet<(String, String)> = rows
        .iter()
        .flat_map(|[file, function, ..]| names(file).zip(names(function)))
        .map(|(file, function)| (file.to_owned(), function.to_owned()))
        .collect();
    assert_eq!(named.len(), rows.len(), "a row names one function of one file, once");
    let mut files: BTreeSet<String> = named.iter().map(|(file, _)| file.clone()).collect();
    files.extend(folder());
    let mut there = BTreeSet::new();
    for file in files {
        let code = text(&file);
        there.extend(functions_of(&code, true).into_iter().map(|name| (file.clone(), name)));
    }
    let without_a_row: Vec<_> = there.difference(&named).collect();
    let without_a_function: Vec<_> = named.difference(&there).collect();
    assert!(without_a_row.is_empty(), "{without_a_row:?}");
    assert!(without_a_function.is_empty(), "{without_a_function:?}");
}

/// The names of all theorems and lemmas.
fn theorems() -> BTreeSet<String> {
    let files = text("proofs/theorems/_CoqProject");
    let files = files.lines().filter(|line| line.ends_with(".v"));
    let lines: String = files.map(|file| text(&format!("proofs/theorems/{file}"))).collect();
    let name = |line: &str| {
        let line = line.strip_prefix("Theorem ").or(line.strip_prefix("Lemma "))?;
        Some(line.split([' ', ':']).next()?.to_owned())
    };
    lines.lines().filter_map(name).collect()
}

#[test]
fn the_audit_names_what_is_there() {
    let theorems = theorems();
    let properties: BTreeSet<&str> = INVENTORY.iter().map(|entry| entry.name).collect();
    let mut rows = 0;
    for [file, _, checks] in rows_of::<3>(&text("AUDIT.md")) {
        for file in names(file) {
            assert!(root().join(file).is_file(), "{file} is not there");
        }
        assert!(!checks.is_empty(), "{file} is not checked");
        for check in checks.split(';').map(str::trim) {
            for name in names(check).filter(|name| !name.contains(['/', ' ', ':', '.'])) {
                let there = match check {
                    _ if check.starts_with("Coq") => theorems.contains(name),
                    _ if check.starts_with("Kani") => properties.contains(name),
                    _ => true,
                };
                assert!(there, "{file}: nothing has the name {name}");
            }
        }
        rows += 1;
    }
    assert!(rows > 50, "{rows}");
}

#[test]
fn theorems_and_properties_are_there() {
    let theorems = theorems();
    let properties: BTreeSet<&str> = INVENTORY.iter().map(|entry| entry.name).collect();
    let table = text("proofs/KERNELS.md");
    for [_, function, theorem, property] in rows_of::<4>(&table) {
        assert!(!theorem.is_empty() && !property.is_empty(), "{function}");
        for name in names(theorem) {
            assert!(theorems.contains(name), "{function}: no theorem {name}");
        }
        for name in names(property) {
            assert!(properties.contains(name), "{function}: no property {name}");
        }
        assert!(
            !theorem.starts_with('`') || property.starts_with('`'),
            "{function}: a theorem speaks of the code only where a property shows it"
        );
    }
}
