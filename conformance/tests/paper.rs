//! `PAPER.md` leads from each statement of the paper to its code, test and proof. The page is
//! written by hand; this test fails if it names a function, claim, test or theorem that does not
//! exist.

use muffliato_conformance::claims::CLAIMS;
use std::{fs, path::PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns the text of all files below `folder` with this extension.
fn text_below(folder: &str, ending: &str) -> String {
    let mut text = String::new();
    let mut open = vec![PathBuf::from(ROOT).join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("target") {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|found| found == ending) {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

/// Asserts that `text` defines the name in a cell, if there is one.
fn assert_defined(text: &str, keyword: &str, cell: &str, row: &str) {
    let name = cell.trim_matches('`');
    let defined = text.match_indices(&format!("{keyword} {name}")).any(|(at, found)| {
        let next = text[at + found.len()..].chars().next();
        !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    });
    assert!(name.is_empty() || defined, "there is no {keyword} {name}: {row}");
}

#[test]
fn every_statement_leads_to_code_that_exists() {
    let [reference, fast] = ["reference/src", "fast/src"].map(|folder| text_below(folder, "rs"));
    let tests = ["reference", "fast", "conformance", "account", "vectors"]
        .map(|folder| text_below(folder, "rs"))
        .concat();
    let theorems = text_below("proofs/theorems", "v");
    let page = fs::read_to_string(PathBuf::from(ROOT).join("PAPER.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() >= 27, "{} statements", rows.len());
    for row in rows {
        let escaped = row.replace("\\|", "/"); // in formulas
        let cells: Vec<&str> = escaped.trim_matches('|').split('|').map(str::trim).collect();
        let [_, _, exact, float, claim, test, theorem] = cells[..] else {
            panic!("{} cells: {row}", cells.len());
        };
        assert_defined(&reference, "fn", exact, row);
        assert_defined(&fast, "fn", float, row);
        assert_defined(&tests, "fn", test, row);
        assert_defined(&theorems, "Theorem", theorem, row);
        let is_listed = |id: &str| claim == format!("[{id}](conformance/CLAIMS.md#{id})");
        let known = claim.is_empty() || CLAIMS.iter().any(|claim| is_listed(claim.id));
        assert!(known, "the ledger has no {claim}: {row}");
    }
}
