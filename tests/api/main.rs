//! The public items of each crate are those of docs/api, so that a change of them shows up in review.
//!
//! `UPDATE_API=1 cargo test --test api` writes the listings again.

mod listing;
mod source;
#[path = "../workspace/mod.rs"]
mod workspace;

use listing::Listing;
use source::Crate;
use std::collections::BTreeSet;
use std::path::Path;
use workspace::{ROOT, read};

const HEAD: &str = "\
# Public items, from the source, for all features; written by: UPDATE_API=1 cargo test --test api
# Not seen: what macros expand to (derives are named, not expanded), items of other crates behind a re-export,
# implementations on types of other crates, and whether two texts mean the same type.
";

const CRATES: [(&str, &str); 5] = [
    ("muffliato", "src"),
    ("muffliato-model", "model/src"),
    ("muffliato-reference", "reference/src"),
    ("muffliato-fast", "fast/src"),
    ("muffliato-conformance", "conformance/src"),
];

/// The lines of a listing, each behind the item that it belongs to.
fn qualified(listing: &str) -> BTreeSet<String> {
    let mut item = "";
    let mut lines = BTreeSet::new();
    for line in listing.lines() {
        match line.strip_prefix("    ") {
            Some(part) => lines.insert(format!("{item}: {part}")),
            None => {
                item = line;
                lines.insert(line.to_owned())
            }
        };
    }
    lines
}

#[test]
fn the_public_items_are_those_on_record() {
    let mut changes = String::new();
    for (name, folder) in CRATES {
        let found = Crate::read(name, &Path::new(ROOT).join(folder));
        let listing = format!("{HEAD}{}", Listing::of(&found));
        let file = format!("docs/api/{name}.txt");
        if std::env::var_os("UPDATE_API").is_some() {
            std::fs::write(format!("{ROOT}/{file}"), &listing).unwrap();
        }
        let recorded = read(&file);
        let (old, new) = (qualified(&recorded), qualified(&listing));
        let count = changes.len();
        changes.extend(old.difference(&new).map(|line| format!("- {line}\n")));
        changes.extend(new.difference(&old).map(|line| format!("+ {line}\n")));
        if changes.len() == count && listing != recorded {
            changes.push_str(&format!(
                "{file}: the same lines in another order or number\n"
            ));
        }
    }
    assert!(
        changes.is_empty(),
        "the API changed; UPDATE_API=1 cargo test --test api records it:\n{changes}"
    );
}

#[test]
fn an_item_is_listed_once_with_what_belongs_to_it() {
    let listing = read("docs/api/muffliato-fast.txt");
    let head = "pub struct muffliato_fast::Enclosure";
    assert_eq!(listing.matches(&format!("{head}\n")).count(), 1);
    let own = listing
        .split(head)
        .nth(1)
        .unwrap()
        .split("\npub ")
        .next()
        .unwrap();
    assert!(own.contains("    pub fn upper(&self) -> f64\n"), "{own}");
    assert!(!own.contains("    lower"), "private: {own}");
    assert!(own.contains("    (private fields)\n"), "{own}");
    assert!(listing.contains("pub trait muffliato_fast::noise::NoiseSource: Sync\n"));
    let conditional = "pub struct muffliato_fast::GramView\n    #[cfg(feature = \"leakage\")]\n";
    assert!(listing.contains(conditional), "{listing}");
}
