//! Checks that `KERNELS.md` is complete, and that it and `AUDIT.md` name what is there.

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

/// Folders in which every file that rounds needs a row or a reason, and words of such a file.
const ROUNDING: [&str; 3] = ["fast/src", "account/src", "design/src"];
const MARKS: [&str; 5] = ["next_up", "next_down", "UNIT_ROUNDOFF", "f64::EPSILON", "Pair::UNIT"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the rows of N cells whose first is code.
fn rows_of<const N: usize>(table: &str) -> Vec<[&str; N]> {
    let rows = rows(table).filter(|cells| cells[0].starts_with('`'));
    rows.filter_map(|cells| cells.try_into().ok()).collect()
}

/// Returns the files of a folder, and of those in it.
fn files_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder of code");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a name");
    let paths = entries.map(|entry| format!("{folder}/{}", name(entry.expect("an entry"))));
    paths
        .flat_map(|path| if root().join(&path).is_dir() { files_in(&path) } else { vec![path] })
        .collect()
}

/// Returns the names of all theorems and lemmas, or of all properties.
fn named_by(prover: &str) -> BTreeSet<String> {
    if prover != "Coq" {
        return INVENTORY.iter().map(|entry| entry.name.to_owned()).collect();
    }
    let project = text("proofs/theorems/_CoqProject");
    let files = project.lines().filter(|line| line.ends_with(".v"));
    let lines: String = files.map(|file| text(&format!("proofs/theorems/{file}"))).collect();
    let statements = lines.lines().filter_map(|line| {
        let statement = line.strip_prefix("Theorem ").or(line.strip_prefix("Lemma "))?;
        Some(statement.split([' ', ':']).next()?.to_owned())
    });
    statements.collect()
}

#[test]
fn every_file_that_rounds_has_a_row_or_a_reason() {
    let (table, theorems) = (text("proofs/KERNELS.md"), named_by("Coq"));
    let kernels = rows_of::<4>(&table).into_iter().flat_map(|[file, ..]| names(file));
    let kernels: BTreeSet<&str> = kernels.collect();
    let mut excepted = BTreeSet::new();
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
    let rounds = |line: &str| MARKS.iter().any(|mark| line.contains(mark));
    let code = ROUNDING.iter().flat_map(|folder| files_in(folder));
    let code = code.filter(|file| file.ends_with(".rs") && !file.ends_with("/tests.rs"));
    let found: BTreeSet<_> = code.filter(|file| without_tests(&text(file)).any(rounds)).collect();
    let known = |file: &str| kernels.contains(file) || excepted.contains(file);
    let missing: Vec<_> = found.iter().filter(|file| !known(file)).collect();
    assert!(missing.is_empty(), "without a row or a reason: {missing:?}");
    let idle: Vec<_> = excepted.iter().filter(|file| !found.contains(**file)).collect();
    assert!(idle.is_empty(), "round nothing: {idle:?}");
}

#[test]
fn every_kernel_has_a_row() {
    let table = text("proofs/KERNELS.md");
    let rows = rows_of::<4>(&table);
    let named = rows.iter().flat_map(|[file, function, ..]| names(file).zip(names(function)));
    let named: BTreeSet<_> = named.map(|(file, name)| (file.to_owned(), name.to_owned())).collect();
    assert_eq!(named.len(), rows.len(), "a row names one function of one file, once");
    let mut files: BTreeSet<String> = named.iter().map(|(file, _)| file.clone()).collect();
    files.extend(files_in(FOLDER));
    let functions = |file: String| {
        let names = functions_of(&text(&file), true).into_iter();
        names.map(|name| (file.clone(), name)).collect::<Vec<_>>()
    };
    let there: BTreeSet<_> = files.into_iter().flat_map(functions).collect();
    let odd: Vec<_> = there.symmetric_difference(&named).collect();
    assert!(odd.is_empty(), "functions without a row, or rows without a function: {odd:?}");
}

#[test]
fn theorems_and_properties_are_there() {
    let (theorems, properties) = (named_by("Coq"), named_by("Kani"));
    for [_, function, theorem, property] in rows_of::<4>(&text("proofs/KERNELS.md")) {
        for (cell, there) in [(theorem, &theorems), (property, &properties)] {
            assert!(!cell.is_empty(), "{function}");
            let absent = names(cell).find(|name| !there.contains(*name));
            assert!(absent.is_none(), "{function}: {absent:?} is not there");
        }
        assert!(
            !theorem.starts_with('`') || property.starts_with('`'),
            "{function}: a theorem speaks of the code only where a property shows it"
        );
    }
}

#[test]
fn the_audit_names_what_is_there() {
    let provers = ["Coq", "Kani"].map(|prover| (prover, named_by(prover)));
    let table = text("AUDIT.md");
    let rows = rows_of::<3>(&table);
    for [file, _, checks] in &rows {
        let absent = names(file).find(|file| !root().join(file).is_file());
        assert!(absent.is_none() && !checks.is_empty(), "{file}: {absent:?} is not there");
        for check in checks.split(';').map(str::trim) {
            for (_, there) in provers.iter().filter(|(prover, _)| check.starts_with(prover)) {
                let mut names = names(check).filter(|name| !name.contains(['/', ' ', ':', '.']));
                let absent = names.find(|name| !there.contains(*name));
                assert!(absent.is_none(), "{file}: nothing has the name {absent:?}");
            }
        }
    }
    assert!(rows.len() > 50, "{}", rows.len());
}
