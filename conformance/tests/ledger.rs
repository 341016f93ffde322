//! The ledger: every verdict is the one on record, and the page and the table are up to date.
//!
//! After a deliberate change: `UPDATE=1 INSTA_UPDATE=always cargo test -p muffliato-conformance --test ledger` writes
//! `CLAIMS.md` and the snapshot; the record itself is in the claim's file.

use muffliato_conformance::{
    Audit, Ledger,
    claims::{CLAIMS, Kind, Verdict},
};
use muffliato_reference::BigRational;
use std::{collections::BTreeSet, sync::OnceLock};

/// All decisions, run once for all tests.
fn audit() -> &'static Audit {
    static AUDIT: OnceLock<Audit> = OnceLock::new();
    AUDIT.get_or_init(|| Ledger::complete().run(&()).unwrap())
}

#[test]
fn every_verdict_is_as_recorded() {
    let audit = audit();
    for entry in &audit.entries {
        assert!(
            entry.is_as_recorded(),
            "{}\n  on record: {}: {}\n  now:       {}: {}",
            entry.claim.id,
            entry.claim.recorded.kind,
            entry.claim.recorded.evidence,
            entry.verdict.kind(),
            entry.verdict.evidence()
        );
    }
    assert!(audit.is_as_recorded());
}

#[test]
fn the_page_and_the_table_are_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/CLAIMS.md");
    let page = audit().markdown();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert!(
        written == page,
        "CLAIMS.md is out of date; run UPDATE=1 cargo test -p muffliato-conformance --test ledger"
    );
    insta::assert_snapshot!("audit", audit().text());
}

#[test]
fn every_refutation_stands_in_the_other_engine() {
    let mut refuted = 0;
    for entry in &audit().entries {
        let fails = matches!(entry.verdict.kind(), Kind::Refuted | Kind::HoldsCorrected);
        assert_eq!(fails, entry.verdict.witness().is_some());
        if let Some(witness) = entry.verdict.witness() {
            let (promised, actual) = (witness.promised_again, witness.actual_again);
            assert!(
                promised.upper() < actual.lower() || promised.lower() > actual.upper(),
                "{}: {promised:?} and {actual:?}",
                entry.claim.id
            );
            assert!(!witness.hand_check.is_empty(), "{}", entry.claim.id);
            refuted += 1;
        }
    }
    assert!(refuted >= 20, "{refuted} witnesses");
}

/// The paper's observers forget the noise that they drew, and what refutes the paper has to do without it.
#[test]
fn losses_refute_in_the_papers_view_too() {
    let order = |promised: &str, actual: &str| {
        let [promised, actual] = [promised, actual].map(|text| text.parse::<BigRational>());
        muffliato_reference::order(&promised.unwrap(), &actual.unwrap())
    };
    let witnesses = audit().entries.iter();
    let witnesses = witnesses.filter_map(|entry| entry.verdict.witness());
    let mut losses = 0;
    for witness in witnesses {
        if let Some([promised, actual]) = &witness.paper_view {
            let printed = order(promised, actual);
            assert!(printed.is_ne(), "{witness}");
            assert_eq!(
                printed,
                order(&witness.promised, &witness.actual),
                "{witness}"
            );
            losses += 1;
        }
    }
    assert!(losses >= 19, "{losses} losses");
}

#[test]
fn json_carries_what_the_table_shows() {
    let json = audit().json();
    assert_eq!(json["as_recorded"], true);
    let claims = json["claims"].as_array().unwrap();
    assert_eq!(claims.len(), CLAIMS.len());
    for (value, entry) in claims.iter().zip(&audit().entries) {
        assert_eq!(value["claim"], entry.claim.id);
        assert_eq!(value["evidence"], entry.verdict.evidence());
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
    assert!(changed.is_as_recorded());
    let search = "nothing was searched".to_string();
    changed.entries[1].verdict = Verdict::Open { search };
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
    assert!(unknown.to_string().contains("theorem-1,"));
}
