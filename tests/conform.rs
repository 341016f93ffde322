//! `muffliato conform`: exit codes and forms of the report.

use crate::running::{muffliato, refused, said};
use serde_json::Value;

#[test]
fn a_published_formula_that_is_below_the_loss_fails_with_exit_code_1() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is missing: nothing was asked");
        return;
    }
    let ask = |program: &str, more: &str| {
        let path = format!("'{}/vectors/programs/{program}.py'", env!("CARGO_MANIFEST_DIR"));
        muffliato(&format!("conform --quiet --timeout 5min {more} -- python3 {path}"))
    };
    let theorem = ask("theorem_1", "--topic views --topic formulas");
    assert_eq!(theorem.status.code(), Some(1), "{theorem:?}");
    let (printed, told) = said(&theorem);
    assert!(printed.contains("UNSOUND views/path:3/plain/1x2/2->0: answered \"1/3\""), "{printed}");
    assert!(printed.contains("flag known-own-noise"), "{printed}");
    assert!(told.contains("answers are unsound"), "{told}");
    let exact = ask("theorem_1", "--topic formulas --format json");
    assert_eq!(exact.status.code(), Some(0), "{exact:?}");
    let report: Value = serde_json::from_str(&said(&exact).0).unwrap();
    let grades = report["answers"].as_array().unwrap().iter().map(|answer| &answer["grade"]);
    assert!(grades.clone().any(|grade| grade == "exact"));
    assert!(grades.clone().all(|grade| grade == "exact" || grade == "unsupported"));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    assert!(refused("conform -- /no/such/program").contains("cannot be started"));
    assert!(refused("conform --topic planes -- cat").contains("one-shot"));
    assert!(refused("conform --tolerance -1 -- cat").contains("tolerance"));
    refused("conform");
}
