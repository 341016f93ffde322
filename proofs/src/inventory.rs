//! Text form of the inventory, for `run.sh`.

use crate::{Entry, INVENTORY, Run};

/// Returns one tab-separated line for each property: name, bound, time of the proof, planted bug as
/// `file: right -> wrong`, claim, and production code.
pub fn tab_separated() -> String {
    INVENTORY.iter().map(line).collect()
}

fn line(entry: &Entry) -> String {
    let run = match entry.run {
        Run::Proved(seconds) => format!("{seconds} s"),
        Run::ProvedTogether => "proved with all others".to_owned(),
        Run::ProvedBefore => "proved before its last change".to_owned(),
        Run::NotYet => "not yet run".to_owned(),
    };
    let planted = entry.planted;
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bug = format!(
        "{}: `{}` -> `{}`",
        planted.file,
        on_one_line(planted.right),
        on_one_line(planted.wrong)
    );
    let fields = [entry.name, entry.bound, &run, &bug, entry.claim, entry.item];
    fields.join("\t") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, path::Path};

    #[test]
    fn entries_are_complete_and_distinct() {
        let names: BTreeSet<_> = INVENTORY.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), INVENTORY.len());
        for entry in INVENTORY {
            let line = line(entry);
            assert_eq!(line.trim_end().split('\t').count(), 6, "{line}");
            assert!(entry.unwind > entry.kani_size, "{}", entry.name);
        }
    }

    /// `run.sh --planted`, or `run.sh --enumerate --planted`, shows that the property finds the
    /// bug.
    #[test]
    fn every_bug_can_be_planted() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for Entry { name, planted, .. } in INVENTORY {
            let text = std::fs::read_to_string(root.join(planted.file)).unwrap();
            let changed = planted.into_text(&text);
            assert!(
                changed.is_some_and(|changed| changed != text),
                "{name}: {} has not exactly one {:?}",
                planted.file,
                planted.right
            );
        }
    }
}
