//! Every public struct, enum, trait and free function has an example that runs as a test.
//!
//! Methods belong to the examples of their types. What is `pub` in a private module counts as well: nearly all of it is
//! re-exported. The command is no library and is left out.

mod workspace;

use std::{fs, path::Path};
use workspace::{ROOT, read};

const LIBRARIES: [&str; 5] = ["model", "reference", "fast", "conformance", "."];

const ITEMS: [&str; 5] = ["struct", "enum", "trait", "fn", "const fn"];

/// The Rust files below a folder, named from the root, without tests.
fn files(folder: &str) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() && !path.ends_with("src/command") {
            found.extend(files(&path));
        } else if path.ends_with(".rs") && !path.ends_with("/tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Whether a doc comment has a block that rustdoc runs: one that three backticks open and nothing else.
fn has_example(comment: &[&str]) -> bool {
    let fences = comment.iter().filter(|line| line.starts_with("/// ```"));
    fences.step_by(2).any(|&opening| opening == "/// ```")
}

/// The items at the margin without an example, as `file:line: item`.
fn bare_items(file: &str, text: &str) -> Vec<String> {
    let (mut bare, mut comment) = (vec![], vec![]);
    for (number, line) in text.lines().enumerate() {
        let is_item = |kind: &&str| line.starts_with(&format!("pub {kind} "));
        if line.starts_with("///") {
            comment.push(line);
        } else if ITEMS.iter().any(is_item) && !has_example(&comment) {
            bare.push(format!("{file}:{}: {line}", number + 1));
        }
        let is_attribute = line.starts_with(['#', ' ', ')']);
        if !line.starts_with("///") && !is_attribute {
            comment.clear();
        }
    }
    bare
}

#[test]
fn every_public_item_has_an_example() {
    let files = LIBRARIES.map(|library| files(&format!("{library}/src")));
    assert!(files.iter().all(|files| !files.is_empty()));
    let bare = files.iter().flatten();
    let bare: Vec<_> = bare
        .flat_map(|file| bare_items(file, &read(file)))
        .collect();
    assert!(
        bare.is_empty(),
        "no example that runs:\n{}",
        bare.join("\n")
    );
}

#[test]
fn a_picture_is_no_example() {
    let picture = "/// ```text\n/// a - b\n/// ```\n#[derive(\n    Clone,\n)]\npub struct Path;";
    assert_eq!(bare_items("a.rs", picture), ["a.rs:7: pub struct Path;"]);
    let example = picture.replace("```text", "```");
    let after = format!("{example}\npub(crate) fn hidden() {{}}\npub const fn seen() {{}}");
    assert_eq!(
        bare_items("a.rs", &after),
        ["a.rs:9: pub const fn seen() {}"]
    );
}
