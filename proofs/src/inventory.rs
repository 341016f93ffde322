//! Text form of the inventory and of the output of a run, for `run.sh`.

use crate::{Entry, INVENTORY, Run};

/// Returns a paragraph for each property: name, claim, production code, bound, time of the proof, planted bug.
pub fn listing() -> String {
    INVENTORY.iter().map(paragraph).collect()
}

fn paragraph(entry: &Entry) -> String {
    let run = match entry.run {
        Run::Proved(seconds) => format!("{seconds} s"),
        Run::ProvedTogether => "proved with all others".to_owned(),
        Run::ProvedBefore => "proved before its last change".to_owned(),
        Run::NotYet => "not yet run".to_owned(),
    };
    let Entry { name, claim, item, bound, planted, .. } = entry;
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (right, wrong) = (on_one_line(planted.right), on_one_line(planted.wrong));
    format!(
        "{name}\n    {claim}\n    code    {item}\n    proof   {bound}\n    Kani    {run}\n    \
         bug     {}: `{right}` -> `{wrong}`\n",
        planted.file
    )
}

/// Returns what the output of a run of one property by Kani or by enumeration says.
pub fn verdict(succeeded: bool, output: &str) -> String {
    let claim = output.lines().find_map(|line| line.split_once("claim fails: "));
    let unmet = output.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.windows(2).position(|pair| pair == ["cover", "properties"]);
        at.is_some_and(|at| at >= 3 && words[at - 3] != words[at - 1])
    });
    let ran = output.contains("VERIFICATION:- SUCCESSFUL") || output.contains("ok. 1 passed");
    match claim {
        Some((_, claim)) if !succeeded => format!("a claim fails: {claim}"),
        None if succeeded && ran && !unmet => "as claimed".to_owned(),
        None if succeeded && ran => "A COVER IS NOT REACHED".to_owned(),
        _ => "NO ANSWER".to_owned(),
    }
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
            let paragraph = paragraph(entry);
            assert_eq!(paragraph.lines().count(), 6, "{paragraph}");
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

    #[test]
    fn outputs_of_both_engines_are_read() {
        let kani = |covers: &str| {
            format!("** {covers} cover properties satisfied\n\nVERIFICATION:- SUCCESSFUL\n")
        };
        let passed = "test result: ok. 1 passed; 0 failed";
        for (succeeded, output, said) in [
            (true, kani("2 of 2"), "as claimed"),
            (true, kani("1 of 2"), "A COVER IS NOT REACHED"),
            (true, passed.into(), "as claimed"),
            (true, "test result: ok. 0 passed; 0 failed".into(), "NO ANSWER"),
            (false, "Failed Checks: claim fails: it is so\n".into(), "a claim fails: it is so"),
            (false, "CBMC timed out".into(), "NO ANSWER"),
            (false, "Failed Checks: unwinding assertion loop 0".into(), "NO ANSWER"),
        ] {
            assert_eq!(verdict(succeeded, &output), said, "{output}");
        }
    }
}
