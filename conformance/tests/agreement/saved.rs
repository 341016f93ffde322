//! Saved cases: former disagreements of the engines, and hostile shapes.

use muffliato_conformance::{agreement::replay, case::Case};
use std::{fs, path::Path};

#[test]
fn saved_cases_are_replayed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement/cases");
    let mut replayed = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        println!("{}", path.display());
        let compared = replay(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(compared >= 10, "{}: {compared} numbers", path.display());
        replayed += 1;
    }
    assert!(replayed >= 5, "{replayed} cases");
}

/// A panic of a case with a wrong number contains the case, which can be parsed again.
#[test]
fn a_text_that_is_no_case_says_where() {
    let refused = |text: &str| text.parse::<Case>().unwrap_err().to_string();
    assert!(refused("network Bg metropolis\nsteps 3").starts_with("line 2"));
    assert!(refused("network Bg\nrounds 1").contains("network Bg metropolis"));
    assert!(refused("network Bg custom:4:0-1=5").contains("must not be negative"));
    assert!(refused("network Bg metropolis\nrounds 1\ngossip-steps 1").contains("no observer"));
    assert!(refused("observer full:0").contains("do not describe a protocol"));
    let observed = "network Bg metropolis\nrounds 1\ngossip-steps 1\nobserver full:";
    assert!(refused(&format!("{observed}3")).contains("outside 0..3"));
    assert!(refused(&format!("{observed}1\ngroup 1")).contains("observes"));
    assert!(format!("{observed}1").parse::<Case>().is_ok());
}
