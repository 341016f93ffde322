//! The inventory as text.

use crate::{Entry, INVENTORY};
use std::fmt::Write;

/// The table of `README.md`.
pub fn markdown() -> String {
    let mut table = String::from(
        "| property | claim | production code | proved by Kani for | enumerated | at random | Kani, about |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for entry in INVENTORY {
        let Entry {
            name,
            claim,
            item,
            bound,
            counts,
            seconds,
            ..
        } = entry;
        let (enumerated, drawn) = (sizes(entry.exhaustive), sizes(entry.random));
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "| `{name}` | {claim} | `{item}` | {bound} | {counts} {enumerated} | {counts} {drawn} | {seconds} s |"
        );
    }
    table
}

fn sizes(sizes: &[usize]) -> String {
    let written: Vec<String> = sizes.iter().map(usize::to_string).collect();
    written.join(", ")
}

/// One line for each property: name, size that Kani proves, unwinding, expected seconds.
pub fn tab_separated() -> String {
    let line = |entry: &Entry| {
        format!(
            "{}\t{}\t{}\t{}\n",
            entry.name, entry.kani_size, entry.unwind, entry.seconds
        )
    };
    INVENTORY.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const BEGIN: &str = "<!-- inventory: generated -->\n";
    const END: &str = "<!-- end of inventory -->";

    /// `UPDATE_INVENTORY=1 cargo test -p muffliato-proofs inventory` writes the table.
    #[test]
    fn the_inventory_in_the_readme_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        let readme = std::fs::read_to_string(path).unwrap();
        let (before, rest) = readme.split_once(BEGIN).expect("the table's beginning");
        let (_, after) = rest.split_once(END).expect("the table's end");
        let expected = format!("{before}{BEGIN}{}{END}{after}", markdown());
        if std::env::var_os("UPDATE_INVENTORY").is_some() {
            std::fs::write(path, &expected).unwrap();
            return;
        }
        assert!(
            readme == expected,
            "the inventory is stale: UPDATE_INVENTORY=1 cargo test -p muffliato-proofs inventory"
        );
    }

    #[test]
    fn entries_are_complete_and_distinct() {
        let names: BTreeSet<_> = INVENTORY.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), INVENTORY.len());
        assert!(names.len() >= 25, "{}", names.len());
        for entry in INVENTORY {
            let texts = [entry.claim, entry.item, entry.bound];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", entry.name);
            assert!(entry.unwind > entry.kani_size, "{}", entry.name);
            // Covers and planted bugs are checked by enumeration at this size.
            assert!(
                entry.exhaustive.contains(&entry.kani_size),
                "{}",
                entry.name
            );
        }
    }
}
