//! docs/mutants.md.

use crate::explained::{Explanation, KINDS};
use crate::outcome::{Fate, Mutant};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results for one engine.
pub struct Engine {
    pub name: &'static str,
    /// How many mutants there are.
    pub all: usize,
    /// Those that were tried.
    pub tried: Vec<(Mutant, Fate)>,
}

impl Engine {
    fn count(&self, fate: Fate) -> usize {
        self.tried
            .iter()
            .filter(|(_, found)| *found == fate)
            .count()
    }

    fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        let survived = self
            .tried
            .iter()
            .filter(|(_, fate)| *fate == Fate::Survived);
        survived.map(|(mutant, _)| mutant)
    }
}

/// The page.
pub fn page(engines: &[Engine], explanations: &[Explanation]) -> String {
    let mut page = String::from(HEAD);
    for engine in engines {
        let (noticed, survived) = (engine.count(Fate::Noticed), engine.count(Fate::Survived));
        let explained = engine
            .survivors()
            .filter(|mutant| explanation(explanations, mutant).is_some());
        let whole = if engine.tried.len() == engine.all {
            "all".to_owned()
        } else {
            let (lower, upper) = wilson(noticed, noticed + survived);
            format!("{:.1} % to {:.1} %", 100.0 * lower, 100.0 * upper)
        };
        let score = 100.0 * noticed as f64 / (noticed + survived).max(1) as f64;
        writeln!(
            page,
            "| `{}` | {} | {} | {} | {noticed} | {survived} | {} | {score:.1} % | {whole} |",
            engine.name,
            engine.all,
            engine.tried.len(),
            engine.count(Fate::Unviable),
            explained.count(),
        )
        .unwrap();
    }
    page.push_str(FILES);
    for engine in engines {
        let mut files: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for (mutant, fate) in &engine.tried {
            let counts = files.entry(&mutant.file).or_default();
            counts[0] += usize::from(*fate == Fate::Noticed);
            counts[1] += usize::from(*fate == Fate::Survived);
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

Where not all mutants were tried, those that were are spread evenly over the source (every n-th of the list, whole shares of it). The last column is
then the interval of confidence 95 % (Wilson) for the score of all of them.

| engine | mutants | tried | do not compile | noticed | survived | of these explained | score | score of all |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
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
