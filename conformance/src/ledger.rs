//! All claims with their verdicts, and whether these are the ones on record: in `CLAIMS.md`, and nowhere else.

use crate::claims::{CLAIMS, Claim, ClaimError, Verdict, Witness};
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

/// There is no claim of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no claim {id:?}; there are {known}")]
pub struct UnknownClaim {
    /// What was asked for.
    pub id: String,
    /// The names of all claims.
    pub known: String,
}

/// What the decisions came to.
///
/// ```
/// use muffliato_conformance::Ledger;
///
/// let audit = Ledger::only("corollary-1")?.run()?;
/// assert!(audit.is_as_recorded());
/// assert!(audit.text().ends_with("1 decided, 0 changed\n"));
/// assert_eq!(audit.json()["claims"][0]["witness"]["claimed"], "1/3");
/// assert!(audit.markdown().contains("| [corollary-1](#corollary-1) | Corollary 1 | refuted |"));
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
            let known: Vec<_> = CLAIMS.iter().map(|claim| claim.id).collect();
            return Err(UnknownClaim {
                id: id.into(),
                known: known.join(", "),
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

    /// The table of the terminal: claim, place, verdict and evidence, and whatever changed.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for Entry { claim, verdict } in &self.entries {
            let _ = writeln!(
                text,
                "{:<28} {:<16} {}\n    {}",
                claim.id,
                verdict.standing(),
                claim.place,
                verdict.evidence()
            );
        }
        let changed: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| !entry.is_as_recorded())
            .collect();
        for Entry { claim, .. } in &changed {
            let _ = writeln!(
                text,
                "\nchanged: {} is otherwise on record in CLAIMS.md",
                claim.id
            );
        }
        let _ = writeln!(
            text,
            "\n{} decided, {} changed",
            self.entries.len(),
            changed.len()
        );
        text
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let entries: Vec<Value> = self.entries.iter().map(Entry::json).collect();
        json!({ "as_recorded": self.is_as_recorded(), "claims": entries })
    }

    /// The page `CLAIMS.md`, with statements, decisions and hand checks.
    pub fn markdown(&self) -> String {
        let mut page = String::from(HEAD);
        page.push_str("\n| claim | place | verdict |\n| --- | --- | --- |\n");
        for Entry { claim, verdict } in &self.entries {
            let _ = writeln!(
                page,
                "| [{}](#{}) | {} | {} |",
                claim.id,
                claim.id,
                claim.place,
                verdict.standing()
            );
        }
        page.extend(self.entries.iter().map(Entry::section));
        page
    }
}

const HEAD: &str = "# The claims of the paper, decided

Generated by `UPDATE=1 cargo test -p muffliato-conformance --test ledger`; the same test fails while this page is out of
date. `muffliato audit` runs all decisions again. The page is about the paper as it was published at NeurIPS 2022; there is a later version.

Losses are multiples of the local (LDP) loss `L = alpha Delta^2 / (2 sigma^2)`; weights are Metropolis and observers know
the noise that they drew, unless a claim says otherwise. The paper prints their view without that noise, so that a loss refutes
a statement only if it does so in that view, too: it is given as the *paper's view*. (A coalition in which everybody hears another
member knows its noise anyway; refutations by coalitions are by such ones.)

*Holds* means: exactly, in every case that was enumerated (for the slopes of Table 1: as a fit); where a proof for all cases is known, its
steps are under *decided by*, and a name there is that of its theorem in `proofs/theorems`, proved for all sizes. A refutation was found by the exact engine, in the order of fewest nodes, edges and steps, and
confirmed by a second computation in other arithmetic: certified ends of the fast engine for losses and bounds, floating-point estimates for
means over graphs, utility, gaps, tails and rounded laws. In a hand check `y` are the noisy inputs, `m` the messages and `noise` the draws of the
observer itself; its own input, which it knows, is left out. A place that is called a *remark* is one where the paper speaks in passing. At the end
are theorems of ours, and after each what becomes of it without one of its assumptions: there a refutation shows that the assumption is needed.

Not here, because they leave constants open, speak of experiments, or fix too little to be decided: the utility of gradient descent (Theorems 5
and 10, and the second halves of Theorems 6 and 11), the rate of Corollary 4 (its noise is here), accelerated randomized gossip (Remark 1), the
remark that merging a group into one node would give better results (no weights are given), and the figures.
";

impl Entry {
    fn json(&self) -> Value {
        let Self { claim, verdict } = self;
        let witness = verdict.witness().map(Witness::json);
        json!({
            "claim": claim.id,
            "place": claim.place,
            "statement": claim.statement,
            "decided_by": claim.method,
            "verdict": verdict.standing().to_string(),
            "evidence": verdict.evidence(),
            "witness": witness,
            "as_recorded": self.is_as_recorded(),
        })
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
