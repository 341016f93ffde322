//! The functions of the trusted base, each with its properties and theorems, computed from the tree.

use crate::INVENTORY;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

/// A function of the trusted base.
struct Function {
    name: String,
    properties: BTreeSet<String>,
    theorems: BTreeSet<String>,
}

/// Returns a table: every function of every file that `AUDIT.md` names, with the properties (`run.sh --list`) and the theorems (`theorems/README.md`, `KERNELS.md`) that name it, and then, by file, the functions that nothing names.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn trusted_base(root: &Path) -> io::Result<String> {
    let (mut proved, mut holes) = (String::new(), String::new());
    let (mut with, mut without) = (0, 0);
    for (file, (functions, checks)) in files(root)? {
        let mut alone = Vec::new();
        for Function { name, properties, theorems } in functions {
            if properties.is_empty() && theorems.is_empty() {
                alone.push(name);
                continue;
            }
            with += 1;
            let list = |names: BTreeSet<_>| names.into_iter().collect::<Vec<String>>().join(", ");
            let (properties, theorems) = (list(properties), list(theorems));
            proved += &format!("{file}\t{name}\t{properties}\t{theorems}\n");
        }
        without += alone.len();
        if !alone.is_empty() {
            holes += &format!("{file}\t{}\t{checks}\n", alone.join(" "));
        }
    }
    Ok(format!(
        "file\tfunction\tproperties\ttheorems\n{proved}\n\
         Without a property or a theorem of their own: file, functions, what checks the file\n{holes}\n\
         {with} functions with a property or a theorem, {without} without\n"
    ))
}

/// Returns the functions of every file of `AUDIT.md`, and what it says checks the file.
fn files(root: &Path) -> io::Result<BTreeMap<String, (Vec<Function>, String)>> {
    let text = |path: &str| fs::read_to_string(root.join(path));
    let (audit, kernels) = (text("AUDIT.md")?, text("proofs/KERNELS.md")?);
    let theorems = text("proofs/theorems/README.md")?;
    let all = |cell: &str| names(cell).map(str::to_owned).collect::<Vec<_>>();
    let mut files = BTreeMap::new();
    for cells in rows(&audit).filter(|cells| cells.len() == 3) {
        let file = cells[0].trim_matches('`');
        if files.contains_key(file) {
            continue;
        }
        let mut functions = Vec::new();
        for name in functions_of(&text(file)?, false) {
            let speaking = INVENTORY.iter().filter(|entry| speaks_of(entry.item, file, &name));
            let mut properties: BTreeSet<_> = speaking.map(|entry| entry.name.to_owned()).collect();
            let speaking = rows(&theorems).filter(|row| row.len() == 6);
            let speaking = speaking.filter(|row| speaks_of(&row[3].replace('`', ""), file, &name));
            let mut theorems: BTreeSet<_> = speaking.flat_map(|row| all(row[1])).collect();
            let is_of = |row: &Vec<&str>| all(row[0]) == [file] && all(row[1]) == [&*name];
            for row in rows(&kernels).filter(|row| row.len() == 4 && is_of(row)) {
                theorems.extend(all(row[2]));
                properties.extend(all(row[3]));
            }
            functions.push(Function { name, properties, theorems });
        }
        files.insert(file.to_owned(), (functions, cells[2].to_owned()));
    }
    Ok(files)
}

/// Returns the cells of the rows whose table has code in some cell.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| line.starts_with('|') && line.contains('`'));
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// Returns the names between backticks.
pub(crate) fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Returns the lines of code before its tests.
pub(crate) fn without_tests(code: &str) -> impl Iterator<Item = &str> {
    code.lines().take_while(|line| *line != "#[cfg(test)]")
}

/// Returns the names of the functions of a file, or of those that others can call.
pub(crate) fn functions_of(code: &str, by_others: bool) -> BTreeSet<String> {
    let name = |line: &str| {
        let line = line.trim_start();
        let called = ["pub ", "pub(crate) ", "pub(super) "];
        let called = called.iter().find_map(|start| line.strip_prefix(start));
        let line = called.or((!by_others).then_some(line))?;
        let line = line.strip_prefix("const ").unwrap_or(line);
        Some(line.strip_prefix("fn ")?.split(['(', '<']).next()?.to_owned())
    };
    without_tests(code).filter_map(name).collect()
}

/// Returns `true` if a list of paths such as `certificate::rules::{absorb, carry}` names a function of a file: its crate, its file or folder, and the function last.
fn speaks_of(paths: &str, file: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has =
        |word: &str| paths.split(|c| !is_word(c)).any(|other| other.eq_ignore_ascii_case(word));
    let last =
        paths.split([',', ';', ' ', '{', '}']).any(|path| path.rsplit("::").next() == Some(name));
    let parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let (crate_name, places) = (parts[0], parts.get(2..).unwrap_or_default());
    last && has(crate_name) && places.iter().any(|place| has(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_kernels_have_no_holes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files = files(&root).unwrap();
        assert!(files.len() > 80, "{}", files.len());
        for file in ["certificate/src/rules.rs", "fast/src/arithmetic/upward.rs"] {
            for Function { name, properties, .. } in &files[file].0 {
                assert!(!properties.is_empty(), "{file}: {name} has no property");
            }
        }
        assert!(speaks_of("a::rules::{one, two}", "a/src/rules.rs", "two"));
        assert!(!speaks_of("a::two::one", "a/src/two.rs", "two"));
        assert!(!speaks_of("b::rules::two", "a/src/rules.rs", "two"));
    }
}
