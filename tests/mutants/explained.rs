//! The survivors that need no test, and why.

use crate::outcome::Mutant;
use crate::workspace::read;
use serde_json::Value;

/// The kinds of reasons.
pub const KINDS: [(&str, &str); 5] = [
    ("equivalent", "the same results on every input"),
    ("speed", "the same results, later or with more memory"),
    (
        "wider",
        "a wider enclosure or an earlier refusal, still valid",
    ),
    (
        "masked",
        "a smaller margin, behind a coarser rounding outward that hides it",
    ),
    ("elsewhere", "noticed by a test of another package"),
];

/// Mutants of one line that survive for the same reason.
pub struct Explanation {
    pub file: String,
    /// The line, without its indentation.
    pub code: String,
    /// The changes, each as cargo-mutants describes it.
    pub changes: Vec<String>,
    pub kind: String,
    pub reason: String,
}

impl Explanation {
    pub fn covers(&self, mutant: &Mutant) -> bool {
        let same_line = (&self.file, &self.code) == (&mutant.file, &mutant.code);
        same_line && self.changes.contains(&mutant.change)
    }
}

/// Those on record.
pub fn explanations() -> Vec<Explanation> {
    let entries: Value = serde_json::from_str(&read("docs/mutants/explained.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = entries.as_array().unwrap().iter();
    let explanation = |entry: &Value| Explanation {
        file: text(&entry["file"]),
        code: text(&entry["code"]),
        changes: entry["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(text)
            .collect(),
        kind: text(&entry["kind"]),
        reason: text(&entry["reason"]),
    };
    entries.map(explanation).collect()
}
