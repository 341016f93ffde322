//! Every verdict of the ledger is as recorded in `CLAIMS.md`.
//!
//! After a deliberate change, `UPDATE=1 cargo test -p muffliato-conformance ledger` rewrites
//! the verdicts of the page.

use muffliato_conformance::{
    Audit, Ledger,
    claims::{CLAIMS, Standing, Weight},
};
use std::{collections::BTreeSet, sync::OnceLock};

/// Runs all decisions once for all tests.
fn audit() -> &'static Audit {
    static AUDIT: OnceLock<Audit> = OnceLock::new();
    AUDIT.get_or_init(|| Ledger::complete().run(&()).unwrap())
}

#[test]
fn every_verdict_is_as_recorded() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/CLAIMS.md");
    let page = audit().markdown();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
        return;
    }
    for entry in &audit().entries {
        let (id, kind) = (entry.claim.id, entry.verdict.standing);
        let evidence = &entry.verdict.evidence;
        assert!(entry.is_as_recorded(), "not on record: {id}: {kind}: {evidence}");
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == page,
        "CLAIMS.md is out of date; run UPDATE=1 cargo test -p muffliato-conformance ledger"
    );
}

#[test]
fn every_refutation_stands_in_the_other_engine() {
    let mut refuted = 0;
    for entry in &audit().entries {
        let fails = matches!(entry.verdict.standing, Standing::Refuted | Standing::HoldsCorrected);
        assert_eq!(fails, entry.verdict.witness.is_some());
        if let Some(witness) = &entry.verdict.witness {
            let [claimed, actual] = witness.fast;
            assert!(
                claimed.upper() < actual.lower() || claimed.lower() > actual.upper(),
                "{}: {claimed:?} and {actual:?}",
                entry.claim.id
            );
            assert!(!witness.hand_check.is_empty(), "{}", entry.claim.id);
            refuted += 1;
        }
    }
    assert!(refuted >= 20, "{refuted} witnesses");
}

/// The paper's observers forget the noise that they drew; a refutation must hold without it.
#[test]
fn losses_refute_in_the_papers_view_too() {
    let entries = audit().entries.iter();
    let mut losses = 0;
    for witness in entries.filter_map(|entry| entry.verdict.witness.as_ref()) {
        if let Some(printed) = &witness.paper_view {
            assert!(printed.fails() && witness.exact.fails(), "{witness}");
            assert_eq!(printed.relation, witness.exact.relation, "{witness}");
            losses += 1;
        }
    }
    assert!(losses >= 15, "{losses} losses");
}

#[test]
fn json_carries_what_the_table_shows() {
    let json = audit().json();
    let claims = json["claims"].as_array().unwrap();
    assert_eq!(claims.len(), CLAIMS.len());
    for (value, entry) in claims.iter().zip(&audit().entries) {
        assert_eq!(value["claim"], entry.claim.id);
        assert_eq!(value["evidence"], entry.verdict.evidence);
    }
}

#[test]
fn every_claim_has_a_place_a_statement_and_a_method() {
    for claim in CLAIMS {
        for text in [claim.place(), claim.statement(), claim.method()] {
            assert!(text.len() > 5 && !text.contains('\n'), "{}: {text:?}", claim.id);
        }
        assert!(!claim.method().starts_with("**"), "{} has no method", claim.id);
    }
}

#[test]
fn names_are_distinct_words_joined_by_hyphens() {
    let names: BTreeSet<_> = CLAIMS.iter().map(|claim| claim.id).collect();
    assert_eq!(names.len(), CLAIMS.len());
    let allowed =
        |letter: char| letter == '-' || letter.is_ascii_lowercase() || letter.is_ascii_digit();
    assert!(names.iter().all(|name| name.chars().all(allowed)));
}

#[test]
fn a_changed_verdict_is_reported() {
    let mut changed = audit().clone();
    changed.entries.truncate(2);
    assert!(changed.text().contains("2 decided, 0 changed"));
    changed.entries[1].verdict.standing = Standing::Open;
    assert!(!changed.is_as_recorded());
    let named = format!("changed: {}", changed.entries[1].claim.id);
    assert!(changed.text().contains(&named));
    assert_eq!(changed.json()["as_recorded"], false);
}

#[test]
fn one_claim_can_be_run_by_name() {
    let ledger = Ledger::only("theorem-1").unwrap();
    assert_eq!(ledger.claims().len(), 1);
    let unknown = Ledger::only("theorem-99").unwrap_err();
    assert!(unknown.to_string().contains("did you mean theorem-1"));
}

#[test]
fn one_claim_prints_its_whole_entry() {
    let audit = Ledger::only("theorem-1").unwrap().run(&()).unwrap();
    let (text, claim) = (audit.text(), audit.entries[0].claim);
    for part in [claim.statement(), claim.method(), "Refuted. path of 3", "the observer forms"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Theorems of this project, and their variants, do not count among the paper's claims.
#[test]
fn the_tally_counts_the_paper_and_the_project_apart() {
    let json = audit().json();
    let sum = |whose: &str| {
        let counts = json["tally"][whose].as_object().unwrap().values();
        counts.map(|count| count.as_u64().unwrap() as usize).sum::<usize>()
    };
    let ours = CLAIMS.iter().filter(|claim| claim.weight() == Weight::Ours).count();
    assert_eq!((sum("paper"), sum("ours")), (CLAIMS.len() - ours, ours));
    assert!(ours >= 9 && audit().text().contains(&audit().tally()));
}
