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
    let whole = r#"{"protocol":{"nodes":3,"rounds":1,"gossip_steps":1,
        "network":{"edges":[[0,1],[1,2]],"weights":"metropolis"}},"observer":"full:1"}"#;
    assert!(whole.parse::<Case>().is_ok());
    let changed = |from: &str, to: &str| refused(&whole.replace(from, to));
    assert!(changed("gossip_steps", "steps").contains("at line 1 column"));
    assert!(changed("\"metropolis\"", "\"metro\"").contains("not a weight scheme"));
    assert!(changed(",\"observer\":\"full:1\"", "").contains("missing field `observer`"));
    assert!(changed("full:1", "full:3").contains("outside 0..3"));
    assert!(changed("\"full:1\"", "\"full:1\",\"group\":[1]").contains("observes"));
}
