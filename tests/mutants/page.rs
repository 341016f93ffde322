//! docs/mutants.md.

use crate::explained::{Explanation, KINDS};
use crate::outcome::{Fate, Mutant, Tried};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results for one engine.
pub struct Engine {
    pub name: &'static str,
    /// How many mutants there are.
    pub all: usize,
    /// Those that were tried.
    pub tried: Vec<Tried>,
}

impl Engine {
    fn count(&self, is: impl Fn(&Tried) -> bool) -> usize {
        self.tried.iter().filter(|tried| is(tried)).count()
    }

    fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        let survived = self
            .tried
            .iter()
            .filter(|tried| tried.last == Fate::Survived);
        survived.map(|tried| &tried.mutant)
    }

    /// Its row of the first table.
    fn row(&self, explanations: &[Explanation]) -> String {
        let last = |fate: Fate| self.count(|tried| tried.last == fate);
        let first = |fate: Fate| self.count(|tried| tried.first == fate);
        let (noticed, survived) = (last(Fate::Noticed), last(Fate::Survived));
        let explained = self
            .survivors()
            .filter(|mutant| explanation(explanations, mutant).is_some());
        let changes_nothing = |tried: &Tried| {
            let explained = explanation(explanations, &tried.mutant);
            explained.is_some_and(|found| ["equivalent", "speed"].contains(&found.kind.as_str()))
        };
        let hits = first(Fate::Noticed);
        let misses = first(Fate::Survived);
        let unseen = self.count(|tried| tried.first == Fate::Survived && changes_nothing(tried));
        let cells = [
            self.all,
            self.tried.len(),
            last(Fate::Unviable),
            noticed,
            survived,
            explained.count(),
        ];
        let cells = cells.map(|count| count.to_string()).join(" | ");
        format!(
            "| `{}` | {cells} | {} | {} | {} |\n",
            self.name,
            percent(noticed, noticed + survived),
            estimate(hits, hits + misses),
            estimate(hits, hits + misses - unseen)
        )
    }
}

/// A share with its interval.
fn estimate(hits: usize, trials: usize) -> String {
    let (lower, upper) = wilson(hits, trials);
    let share = percent(hits, trials);
    format!("{share} ({:.1} % to {:.1} %)", 100.0 * lower, 100.0 * upper)
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// The page.
pub fn page(engines: &[Engine], explanations: &[Explanation]) -> String {
    let mut page = String::from(HEAD);
    for engine in engines {
        page.push_str(&engine.row(explanations));
    }
    page.push_str(FILES);
    for engine in engines {
        let mut files: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for Tried { mutant, last, .. } in &engine.tried {
            let counts = files.entry(&mutant.file).or_default();
            counts[0] += usize::from(*last == Fate::Noticed);
            counts[1] += usize::from(*last == Fate::Survived);
        }
        for (file, [noticed, survived]) in files {
            writeln!(page, "| {file} | {noticed} | {survived} |").unwrap();
        }
    }
    page.push_str(SURVIVORS);
    for (kind, meaning) in KINDS {
        writeln!(page, "- *{kind}*: {meaning}").unwrap();
    }
    for engine in engines {
        writeln!(page, "\n### `{}`\n", engine.name).unwrap();
        let mut survivors: Vec<_> = engine.survivors().collect();
        survivors.sort();
        for mutant in survivors {
            let line = match explanation(explanations, mutant) {
                Some(found) => explained_line(found, &mutant.change),
                None => format!("- {}, `{}`: {}.", mutant.file, mutant.code, mutant.change),
            };
            writeln!(page, "{line}").unwrap();
        }
    }
    page
}

/// How the page shows the mutants of an explanation.
pub fn explained_lines(explanation: &Explanation) -> impl Iterator<Item = String> {
    let changes = explanation.changes.iter();
    changes.map(|change| explained_line(explanation, change))
}

fn explained_line(explanation: &Explanation, change: &str) -> String {
    let Explanation {
        file,
        code,
        kind,
        reason,
        ..
    } = explanation;
    format!("- {file}, `{code}`: {change}. *{kind}*: {reason}")
}

fn explanation<'a>(all: &'a [Explanation], mutant: &Mutant) -> Option<&'a Explanation> {
    all.iter().find(|explanation| explanation.covers(mutant))
}

/// Wilson's interval of confidence 95 % for a share of which `hits` of `trials` were seen.
pub fn wilson(hits: usize, trials: usize) -> (f64, f64) {
    let (hits, trials) = (hits as f64, trials.max(1) as f64);
    let square = 1.959_964_f64.powi(2) / trials;
    let share = hits / trials;
    let middle = share + square / 2.0;
    let half = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    (
        (middle - half) / (1.0 + square),
        (middle + half) / (1.0 + square),
    )
}

const HEAD: &str = "\
# Mutation testing

Written by `tests/mutants.sh`, which changes the code in one place at a time with cargo-mutants and runs the unit tests and the integration
tests of the package. A change is noticed when a test fails or does not end; otherwise it survives. What is changed: the exact engine, and of the
fast engine what accounts for privacy (`.cargo/mutants.toml`). Property tests draw new cases in each run, so that a few fates may differ from run to
run.

Where not all mutants were tried, those that were are spread evenly over the source (every n-th of the list, whole shares of it). The last columns
estimate the score of all from them, with the interval of confidence 95 % (Wilson). They count what was noticed when the share was first tried,
before tests were written for its survivors: these tests make the score of the share better than that of the rest. The very last one leaves out
survivors that change no result (*equivalent* and *speed* below), which no test can notice.

| engine | mutants | tried | do not compile | noticed | survived | of these explained | score | score of all, estimated | of those that change a result |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

const FILES: &str = "
## By file

| file | noticed | survived |
| --- | --- | --- |
";

const SURVIVORS: &str = "
## Survivors

Each with the line that it changes. The reasons are in `docs/mutants/explained.json`:

";
