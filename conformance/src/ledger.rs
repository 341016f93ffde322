//! Ledger of all claims and verdicts, and its record `CLAIMS.md`.

use crate::claims::{CLAIMS, Claim, ClaimError, PAGE, Standing, Verdict, Weight, Witness};
use muffliato_fast::Progress;
use muffliato_model::edit_distance;
use serde_json::{Value, json};
use std::fmt::Write;

/// A selection of claims.
#[derive(Clone, Debug)]
pub struct Ledger {
    claims: Vec<&'static Claim>,
}

/// An error for an unknown claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no claim {id:?}; did you mean {near}? Without a name, all claims are listed")]
pub struct UnknownClaim {
    /// The requested name.
    pub id: String,
    /// The nearest names, separated by commas.
    pub near: String,
}

/// The verdicts of a ledger.
///
/// ```
/// use muffliato_conformance::Ledger;
///
/// let audit = Ledger::only("corollary-1")?.run(&())?;
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

/// A claim and its verdict.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The claim.
    pub claim: &'static Claim,
    /// The verdict of this run.
    pub verdict: Verdict,
}

impl Ledger {
    /// Returns all claims, in the order of the paper.
    pub fn complete() -> Self {
        Self { claims: CLAIMS.iter().collect() }
    }

    /// Returns the claim of this name.
    ///
    /// # Errors
    ///
    /// Fails if there is no such claim; the error lists the nearest names.
    pub fn only(id: &str) -> Result<Self, UnknownClaim> {
        let claims: Vec<_> = CLAIMS.iter().filter(|claim| claim.id == id).collect();
        if claims.is_empty() {
            return Err(UnknownClaim { id: id.into(), near: nearest(id).join(", ") });
        }
        Ok(Self { claims })
    }

    /// Returns the claims.
    pub fn claims(&self) -> &[&'static Claim] {
        &self.claims
    }

    /// Decides all claims in turn and reports progress.
    ///
    /// # Errors
    ///
    /// Fails if an engine fails, the engines contradict each other, or `progress` cancels.
    pub fn run(&self, progress: &dyn Progress) -> Result<Audit, ClaimError> {
        let mut entries = Vec::with_capacity(self.claims.len());
        for (done, &claim) in self.claims.iter().enumerate() {
            progress.check(done, self.claims.len())?;
            let verdict = claim.decide()?;
            entries.push(Entry { claim, verdict });
        }
        Ok(Audit { entries })
    }
}

impl Entry {
    /// Returns `true` if `CLAIMS.md` has exactly this verdict and evidence.
    pub fn is_as_recorded(&self) -> bool {
        PAGE.contains(&self.section())
    }
}

impl Audit {
    /// Returns `true` if every entry is as recorded.
    pub fn is_as_recorded(&self) -> bool {
        self.entries.iter().all(Entry::is_as_recorded)
    }

    /// Counts the claims in the given standing, of the paper or of this project.
    fn count(&self, ours: bool, standing: Standing) -> usize {
        let entries = self.entries.iter();
        let counted = entries.filter(|entry| {
            (entry.claim.weight() == Weight::Ours) == ours && entry.verdict.standing == standing
        });
        counted.count()
    }

    /// Summarises the verdicts on the claims of the paper in a sentence.
    pub fn tally(&self) -> String {
        let of = |standing| self.count(false, standing);
        format!(
            "The paper: {} hold, {} hold with a correction, {} are refuted, {} are open.",
            of(Standing::Holds),
            of(Standing::HoldsCorrected),
            of(Standing::Refuted),
            of(Standing::Open),
        )
    }

    /// Summarises the theorems of this project and their assumptions in a sentence.
    pub fn own_tally(&self) -> String {
        let of = |standing| self.count(true, standing);
        format!(
            "This project: {} theorems hold; {} variants without an assumption are refuted, so that the assumption is needed.",
            of(Standing::Holds),
            of(Standing::Refuted),
        )
    }

    /// Formats the verdicts for the terminal: the whole entry of a single claim, or statements and
    /// verdicts by weight and a summary. Paragraphs are not wrapped.
    pub fn text(&self) -> String {
        let mut text = match &self.entries[..] {
            [entry] => entry.text(),
            _ => self.listed(),
        };
        for Entry { claim, .. } in self.changed() {
            let _ =
                writeln!(text, "\nchanged: {} has another entry on record, in CLAIMS.md", claim.id);
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
        entries.filter(move |entry| entry.claim.weight() == weight)
    }

    fn listed(&self) -> String {
        let mut text = String::new();
        for weight in Weight::ALL {
            let _ = writeln!(text, "{}\n", weight.heading());
            for Entry { claim, verdict } in self.of_weight(weight) {
                let _ = writeln!(
                    text,
                    "  {}: {} ({})\n    {}\n",
                    verdict.standing,
                    claim.id,
                    claim.place(),
                    claim.statement()
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
                "holds": self.count(ours, Standing::Holds),
                "holds_corrected": self.count(ours, Standing::HoldsCorrected),
                "refuted": self.count(ours, Standing::Refuted),
                "open": self.count(ours, Standing::Open),
            })
        };
        json!({
            "as_recorded": self.is_as_recorded(),
            "tally": {"paper": of(false), "ours": of(true)},
            "claims": entries,
        })
    }

    /// Formats the page `CLAIMS.md` with these verdicts; its prose is kept.
    pub fn markdown(&self) -> String {
        const FIRST: &str = "\n## The paper\n";
        let head = PAGE.split(FIRST).next().unwrap_or_default();
        let mut page = format!("{head}{FIRST}\n{}\n", self.tally());
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
                    claim.place(),
                    verdict.standing
                );
            }
        }
        page.push_str("\n# Entries\n");
        page.extend(self.entries.iter().map(Entry::section));
        page
    }
}

/// Returns the names of the claims that contain `id`, or else the most similar name.
fn nearest(id: &str) -> Vec<&'static str> {
    let names = CLAIMS.iter().map(|claim| claim.id);
    let longer: Vec<_> = names.clone().filter(|name| name.contains(id)).collect();
    if longer.is_empty() || id.is_empty() {
        let letters: Vec<char> = id.chars().collect();
        return names.min_by_key(|name| edit_distance(&letters, name)).into_iter().collect();
    }
    longer
}

impl Entry {
    fn json(&self) -> Value {
        let Self { claim, verdict } = self;
        let witness = verdict.witness.as_ref().map(Witness::json);
        json!({
            "claim": claim.id,
            "place": claim.place(),
            "ours": claim.weight() == Weight::Ours,
            "statement": claim.statement(),
            "decided_by": claim.method(),
            "verdict": verdict.standing.to_string(),
            "evidence": verdict.evidence,
            "witness": witness,
            "as_recorded": self.is_as_recorded(),
        })
    }

    /// Returns the whole entry for the terminal.
    fn text(&self) -> String {
        let Self { claim, .. } = self;
        let by_hand = |lines: &[String]| format!("\nBy hand:\n  {}\n", lines.join("\n  "));
        self.written(format!("{} ({})\n\n", claim.id, claim.place()), ["Method:", ""], by_hand)
    }

    /// Returns the entry of the record.
    fn section(&self) -> String {
        let Self { claim, .. } = self;
        let listing = |lines: &[String]| format!("\n```text\n{}\n```\n", lines.join("\n"));
        let head = format!("\n## {}\n\n{}. ", claim.id, claim.place());
        self.written(head, ["*Method.*", "**"], listing)
    }

    /// Returns the statement, the method and the verdict after `head`, and the hand check.
    fn written(
        &self,
        head: String,
        [method, bold]: [&str; 2],
        hand_check: impl Fn(&[String]) -> String,
    ) -> String {
        let Self { claim, verdict } = self;
        let standing = capitalised(&verdict.standing.to_string());
        let (statement, evidence) = (claim.statement(), &verdict.evidence);
        let witness = verdict.witness.as_ref().map(|witness| hand_check(&witness.hand_check));
        format!(
            "{head}{statement}\n\n{method} {}\n\n{bold}{standing}.{bold} {evidence}.\n{}",
            claim.method(),
            witness.unwrap_or_default()
        )
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
