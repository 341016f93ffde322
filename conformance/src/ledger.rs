//! All claims with their verdicts, and whether these are the ones on record, which is `CLAIMS.md`.

use crate::claims::{CLAIMS, Claim, ClaimError, Standing, Verdict, Weight, Witness};
use muffliato_fast::Progress;
use serde_json::{Value, json};
use std::fmt::Write;

/// The claims to be decided.
///
/// ```
/// use muffliato_conformance::{Ledger, claims::{CLAIMS, Standing}};
///
/// assert_eq!(Ledger::complete().claims().len(), CLAIMS.len());
/// let audit = Ledger::only("gd-main-text")?.run()?;
/// assert_eq!(audit.entries[0].verdict.standing(), Standing::Refuted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    claims: Vec<&'static Claim>,
}

/// The error for a name that no claim has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no claim {id:?}; did you mean {near}? Without a name, all claims are listed")]
pub struct UnknownClaim {
    /// The name that was asked for.
    pub id: String,
    /// The names that are nearest to it, separated by commas.
    pub near: String,
}

/// What the decisions came to.
///
/// ```
/// use muffliato_conformance::Ledger;
///
/// let audit = Ledger::only("corollary-1")?.run()?;
/// assert!(audit.is_as_recorded());
/// assert!(audit.text().contains("Refuted. path of 3"));
/// assert_eq!(audit.json()["claims"][0]["witness"]["claimed"], "1/3");
/// assert!(audit.markdown().contains("| [corollary-1](#corollary-1) | Corollary 1 | refuted |"));
/// assert!(Ledger::only("corolary-1").unwrap_err().to_string().contains("did you mean corollary-1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit {
    /// One entry for each claim.
    pub entries: Vec<Entry>,
}

/// One claim and its verdict.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The claim.
    pub claim: &'static Claim,
    /// The verdict that was reached now.
    pub verdict: Verdict,
}

impl Ledger {
    /// All claims, in the order of the paper.
    pub fn complete() -> Self {
        Self {
            claims: CLAIMS.iter().collect(),
        }
    }

    /// The claim of one name.
    pub fn only(id: &str) -> Result<Self, UnknownClaim> {
        let claims: Vec<_> = CLAIMS.iter().filter(|claim| claim.id == id).collect();
        if claims.is_empty() {
            return Err(UnknownClaim {
                id: id.into(),
                near: nearest(id).join(", "),
            });
        }
        Ok(Self { claims })
    }

    /// The claims.
    pub fn claims(&self) -> &[&'static Claim] {
        &self.claims
    }

    /// Decides one claim after the other. An error if an engine fails, or if the engines contradict each other.
    pub fn run(&self) -> Result<Audit, ClaimError> {
        self.run_watched(&())
    }

    /// The same, watched by `progress`.
    pub fn run_watched(&self, progress: &dyn Progress) -> Result<Audit, ClaimError> {
        let mut entries = Vec::with_capacity(self.claims.len());
        for (done, &claim) in self.claims.iter().enumerate() {
            progress.check(done, self.claims.len())?;
            let verdict = claim.decide()?;
            entries.push(Entry { claim, verdict });
        }
        Ok(Audit { entries })
    }
}

/// The record.
const PAGE: &str = include_str!("../CLAIMS.md");

impl Entry {
    /// Whether the page `CLAIMS.md` has this very statement, decision, verdict and evidence.
    pub fn is_as_recorded(&self) -> bool {
        PAGE.contains(&self.section())
    }
}

impl Audit {
    /// Whether every verdict is the one on record.
    pub fn is_as_recorded(&self) -> bool {
        self.entries.iter().all(Entry::is_as_recorded)
    }

    /// Returns the claims in the given standing, of the paper or of this project.
    fn tallied(&self, ours: bool, standing: Standing) -> usize {
        let entries = self.entries.iter();
        let counted = entries.filter(|entry| {
            (entry.claim.weight == Weight::Ours) == ours && entry.verdict.standing() == standing
        });
        counted.count()
    }

    /// Returns how many claims of the paper stand how, in a sentence.
    pub fn tally(&self) -> String {
        let of = |standing| self.tallied(false, standing);
        format!(
            "The paper: {} hold, {} hold with a correction, {} are refuted, {} are open.",
            of(Standing::Holds),
            of(Standing::HoldsCorrected),
            of(Standing::Refuted),
            of(Standing::Open),
        )
    }

    /// Returns how many theorems of this project hold, and how many of their assumptions are needed, in a sentence.
    pub fn own_tally(&self) -> String {
        let of = |standing| self.tallied(true, standing);
        format!(
            "This project: {} theorems hold; {} variants without an assumption are refuted, so that the assumption is needed.",
            of(Standing::Holds),
            of(Standing::Refuted),
        )
    }

    /// Returns the text for the terminal: the whole entry if there is one claim only; else statements and verdicts by weight, then the
    /// tally. Paragraphs are not wrapped.
    pub fn text(&self) -> String {
        let mut text = match &self.entries[..] {
            [entry] => entry.text(),
            _ => self.listed(),
        };
        for Entry { claim, .. } in self.changed() {
            let _ = writeln!(
                text,
                "\nchanged: {} has another entry on record, in CLAIMS.md",
                claim.id
            );
        }
        text
    }

    /// Returns the entries that differ from the record.
    fn changed(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_as_recorded())
    }

    /// Returns the entries of one weight.
    fn of_weight(&self, weight: Weight) -> impl Iterator<Item = &Entry> {
        let entries = self.entries.iter();
        entries.filter(move |entry| entry.claim.weight == weight)
    }

    fn listed(&self) -> String {
        let mut text = String::new();
        for weight in Weight::ALL {
            let _ = writeln!(text, "{}\n", weight.heading());
            for Entry { claim, verdict } in self.of_weight(weight) {
                let _ = writeln!(
                    text,
                    "  {}: {} ({})\n    {}\n",
                    verdict.standing(),
                    claim.id,
                    claim.place,
                    claim.statement
                );
            }
        }
        let _ = writeln!(
            text,
            "{}\n{}\n{} decided, {} changed. The whole entry of one of them: --claim NAME.",
            self.tally(),
            self.own_tally(),
            self.entries.len(),
            self.changed().count()
        );
        text
    }

    /// Returns everything as JSON.
    pub fn json(&self) -> Value {
        let entries: Vec<Value> = self.entries.iter().map(Entry::json).collect();
        let of = |ours| {
            json!({
                "holds": self.tallied(ours, Standing::Holds),
                "holds_corrected": self.tallied(ours, Standing::HoldsCorrected),
                "refuted": self.tallied(ours, Standing::Refuted),
                "open": self.tallied(ours, Standing::Open),
            })
        };
        json!({
            "as_recorded": self.is_as_recorded(),
            "tally": {"paper": of(false), "ours": of(true)},
            "claims": entries,
        })
    }

    /// The page `CLAIMS.md`, with statements, decisions and hand checks.
    pub fn markdown(&self) -> String {
        let mut page = format!("{HEAD}\n## The paper\n\n{}\n", self.tally());
        for weight in Weight::ALL {
            if weight == Weight::Ours {
                let _ = write!(page, "\n## {}\n\n{}\n", weight.heading(), self.own_tally());
            } else {
                let _ = write!(page, "\n### {}\n", weight.heading());
            }
            page.push_str("\n| claim | place | verdict |\n| --- | --- | --- |\n");
            for Entry { claim, verdict } in self.of_weight(weight) {
                let _ = writeln!(
                    page,
                    "| [{}](#{}) | {} | {} |",
                    claim.id,
                    claim.id,
                    claim.place,
                    verdict.standing()
                );
            }
        }
        page.push_str("\n# Entries\n");
        page.extend(self.entries.iter().map(Entry::section));
        page
    }
}

const HEAD: &str = "# The claims of the paper, decided

The paper is taken as published at NeurIPS 2022; there is a later version. This page is written by
`UPDATE=1 cargo test -p muffliato-conformance --test ledger`, which fails while the page is out of date. `muffliato audit` decides all
claims again in about ten seconds.

**Losses** are multiples of the local (LDP) loss `L = alpha Delta^2 / (2 sigma^2)`. Weights are Metropolis and observers know the noise
that they drew, unless a claim says otherwise. The paper defines an observer's view without that noise. A loss therefore refutes a statement
only if it does so in this *paper's view*, too; its value there is given. (In a coalition where every member hears another one, the noise is
known anyway; refutations by coalitions are by such coalitions.)

**Holds** means: exactly, in every case that was enumerated (for the slopes of Table 1: as a fit). Where a proof for all cases is known,
*decided by* gives its steps, and a name there is that of its theorem in `proofs/theorems`, proved for all sizes. **Holds corrected** means:
false as printed, and true in every enumerated case with the correction given. **Refuted** means: false at the instance given, the first in
the order of fewest nodes, edges and steps. It was found by the exact engine and confirmed by a second computation in other arithmetic:
certified ends of the fast engine for losses and bounds; floating-point estimates for means over graphs, utility, gaps, tails and rounded laws.
**Open** means: neither.

In a **hand check** `y` are the noisy inputs, `m` the messages and `noise` the draws of the observer itself; its own input, which it knows, is
left out. A place called a *remark* is one where the paper speaks in passing.

**Not here**, because they leave constants open, speak of experiments, or fix too little to be decided: the utility of gradient descent
(Theorems 5 and 10, and the second halves of Theorems 6 and 11), the rate of Corollary 4 (its noise is here), accelerated randomized gossip
(Remark 1), the remark that merging a group into one node would give better results (no weights are given), and the figures.
";

/// Returns the names of the claims that contain `id`; if there are none, the one that is most like it.
fn nearest(id: &str) -> Vec<&'static str> {
    let names = CLAIMS.iter().map(|claim| claim.id);
    let longer: Vec<_> = names.clone().filter(|name| name.contains(id)).collect();
    if longer.is_empty() || id.is_empty() {
        return names
            .min_by_key(|name| edits(id, name))
            .into_iter()
            .collect();
    }
    longer
}

/// Returns the number of letters to insert, delete or change to get from one name to the other.
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.bytes().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

impl Entry {
    fn json(&self) -> Value {
        let Self { claim, verdict } = self;
        let witness = verdict.witness().map(Witness::json);
        json!({
            "claim": claim.id,
            "place": claim.place,
            "ours": claim.weight == Weight::Ours,
            "statement": claim.statement,
            "decided_by": claim.method,
            "verdict": verdict.standing().to_string(),
            "evidence": verdict.evidence(),
            "witness": witness,
            "as_recorded": self.is_as_recorded(),
        })
    }

    /// Returns the whole entry for the terminal.
    fn text(&self) -> String {
        let Self { claim, verdict } = self;
        let mut text = format!(
            "{} ({})\n\n{}\n\nDecided by: {}\n\n{}. {}.\n",
            claim.id,
            claim.place,
            claim.statement,
            claim.method,
            capitalised(&verdict.standing().to_string()),
            verdict.evidence()
        );
        if let Some(witness) = verdict.witness() {
            let _ = writeln!(text, "\nBy hand:\n  {}", witness.hand_check.join("\n  "));
        }
        text
    }

    fn section(&self) -> String {
        let Self { claim, verdict } = self;
        let mut section = format!(
            "\n## {}\n\n{}. {}\n\n*Decided by.* {}\n\n**{}.** {}.\n",
            claim.id,
            claim.place,
            claim.statement,
            claim.method,
            capitalised(&verdict.standing().to_string()),
            verdict.evidence()
        );
        if let Some(witness) = verdict.witness() {
            let _ = writeln!(section, "\n```text\n{}\n```", witness.hand_check.join("\n"));
        }
        section
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
