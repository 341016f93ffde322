//! The real command: the ledger and the break-in.
#![cfg(feature = "cli")]

mod running;

use running::{muffliato, printed};

#[test]
fn audit_decides_a_claim_by_its_name() {
    let table = printed(&["audit", "--claim", "theorem-1"]);
    assert!(table.contains("refuted") && table.contains("42837025/4854427082"));
    let json = printed(&["audit", "--claim", "average-loss", "--format", "json"]);
    assert!(json.contains("\"as_recorded\": true"));
    let unknown = muffliato(&["audit", "--claim", "theorem-99"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn attack_reports_what_it_measured() {
    let club = ["attack", "karate", "--source", "33", "--observer", "3"];
    let run = |more: &[&str]| printed(&[&club[..], more].concat());
    let text = run(&["--steps", "2", "--trials", "4000"]);
    assert!(text.contains("More than Theorem 1 allows"), "{text}");
    let json = run(&["--steps", "2", "--trials", "400", "--format", "json"]);
    assert!(json.contains("\"leakage\": \"1\""), "{json}");
    let rounded = run(&[
        "--steps",
        "2",
        "--trials",
        "400",
        "--round",
        "3",
        "--protocol",
        "refreshed:0.1",
    ]);
    assert!(rounded.contains("not a guarantee"), "{rounded}");
    let masked = run(&["--steps", "2", "--trials", "400", "--protocol", "masked:3"]);
    assert!(!masked.contains("More than Theorem 1"), "{masked}");
    let nobody = muffliato(&["attack", "karate", "--source", "99", "--observer", "3"]);
    assert_eq!(nobody.status.code(), Some(2));
}
