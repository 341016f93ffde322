//! Linear systems, secure summation and secret sampling on the command line.

use crate::running::{json, muffliato, printed, refused, said};
use serde_json::Value;
use std::fs;

#[test]
fn a_linear_system_has_losses_and_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let system =
        r#"{"A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": ["1", 1, 1.0], "known": []}"#;
    fs::write(path("system.json"), system).unwrap();
    let found = json(&format!("account --system {} --sigma 2", path("system.json")));
    assert_eq!(found["losses"][0]["leakage"]["exact"], "2");
    assert!(found["losses"][0]["epsilon"].as_f64().unwrap() > 3.0);
    let text = printed(&format!("account --system {}", path("system.json")));
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("input 0 loses at most 2 L (exact) to an observer of the view"),
        "{text}"
    );

    for (kind, flag) in [("most.json", ""), ("least.json", "--at-least")] {
        let claim = path(kind);
        let system = path("system.json");
        printed(&format!("account --system {system} --source 0 --certificate {claim} {flag}"));
        assert!(printed(&format!("verify {claim}")).contains("holds"));
        let text = fs::read_to_string(&claim).unwrap();
        let wrong = text.replace("\"at_most\":\"2\"", "\"at_most\":\"1\"");
        let wrong = wrong.replace("\"at_least\":\"2\"", "\"at_least\":\"3\"");
        assert_ne!(wrong, text);
        fs::write(&claim, wrong).unwrap();
        assert_eq!(muffliato(&format!("verify {claim}")).status.code(), Some(1));
    }

    // The same system as Matrix Market files, one sparse and one dense.
    let sparse =
        "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 1\n1 3 1\n2 2 1\n2 3 -1\n";
    fs::write(path("a.mtx"), sparse).unwrap();
    fs::write(path("b.mtx"), "%%MatrixMarket matrix array real general\n2 1\n1\n1\n").unwrap();
    let found = json(&format!("account --system {},{}", path("a.mtx"), path("b.mtx")));
    assert_eq!(found["losses"][0]["leakage"]["exact"], "2");

    // Entries are taken as they are written: a tenth is no float.
    let [a, b] = ["a", "b"].map(|name| {
        let text = "%%MatrixMarket matrix array real general\n1 1\n1.0e-1\n";
        fs::write(path(name), text.replace("1.0e-1", if name == "a" { "1.0e-1" } else { "0.2" }))
            .unwrap();
        path(name)
    });
    let found = json(&format!("account --system {a},{b}"));
    assert_eq!(found["losses"][0]["leakage"]["exact"], "4");
    let text = printed(&format!("account --system {a},{b} --runs 3"));
    assert!(text.contains("of 3 runs together"), "{text}");
    for other in [
        "--protocol masked:1",
        "--steps 2",
        "--view sum",
        "--accelerate auto",
        "--plan plan.json",
        "--engine fast",
        "--took-place took.json",
        "--mask-graph regular:4",
        "--beside masked:1",
    ] {
        let refusal = refused(&format!("account --system {a},{b} {other}"));
        assert!(refusal.contains("cannot be used with"), "{other}: {refusal}");
    }

    fs::write(path("bad.json"), r#"{"A": [[1, 2]], "B": [[1]], "std": [1]}"#).unwrap();
    assert!(refused(&format!("account --system {}", path("bad.json"))).contains("A, row 0"));
    fs::write(path("bad.mtx"), sparse.replace("2 3 -1\n", "2 4 -1\n")).unwrap();
    let place = refused(&format!("account --system {},{}", path("bad.mtx"), path("b.mtx")));
    assert!(place.contains("line 6"), "{place}");
    refused("account");
}

#[test]
fn secure_summation_is_a_view() {
    for (steps, loss) in [(1, "1/2"), (2, "2/3"), (3, "1")] {
        let ask = format!("account path:4 --steps {steps} --observer 1 --source 0 --view sum");
        let found: Value = json(&ask);
        assert_eq!(found["pairs"][0]["leakage"]["exact"], loss, "{found}");
    }
    // Sums hide neighbours, too.
    let target = "calibrate ring:6 --epsilon 1 --delta 1e-6 --protocol refreshed:0.1 --view sum";
    assert!(json(target)["neighbour_epsilon"].as_f64().unwrap() <= 1.0 + 1e-9);
    let attacked = json("attack path:4 --source 0 --observer 1 --steps 2 --view sum --trials 2000");
    assert_eq!(attacked["leakage"], "2/3", "{attacked}");
    let text = printed("account path:4 --steps 2 --observer 1 --view sum");
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("learns only the sum of the messages of each step"), "{text}");
}

#[test]
fn secret_sampling_names_its_unit() {
    let ask = "account hypercube:3 --protocol gd:10x1:sample=1/20+masked:3";
    let text = printed(ask);
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    assert!(words.contains("one record of a node is added or removed"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let claim = folder.path().join("claim.json");
    let one = format!("{ask} --observer 0 --source 5 --certificate {}", claim.display());
    let (_, told) = said(&muffliato(&one));
    let told: Vec<&str> = told.split_whitespace().collect();
    assert!(
        told.join(" ").contains("the loss of 10 rounds without sampling. Each of them loses 1/10"),
        "{told:?}"
    );
    let sampled = json(&format!("{ask} --observer 0"));
    let plain = json("account hypercube:3 --protocol gd:10x1+masked:3 --observer 0");
    let epsilon = |found: &Value| found["pairs"][0]["epsilon"].as_f64().unwrap();
    assert!(epsilon(&sampled) < 0.5 * epsilon(&plain));
    let trained =
        json("train hypercube:3 --data synthetic:400x3 --protocol gd:3x2:sample=1/4+masked:3");
    assert_eq!(trained["guarantee"]["unit"], "record-added-or-removed", "{trained}");
    let bare = printed("account hypercube:3 --protocol gd:10x1:sample=1/20");
    let bare: Vec<&str> = bare.split_whitespace().collect();
    assert!(bare.join(" ").contains("only the loss of all states is amplified"), "{bare:?}");
    let group =
        refused("account ring:5 --protocol gd:3x1:sample=1/2+masked:1 --group 1,2 --observer 0");
    assert!(group.contains("one record"), "{group}");
    assert!(refused("account ring:5 --protocol gd:3x1:sample=2").contains("sampling rate"));
    // An edge that ended leaves node 2 without a mask that node 1 does not know: one of the last
    // rounds alone has an epsilon of 17.567.
    let folder = tempfile::tempdir().unwrap();
    let took = folder.path().join("took.json");
    fs::write(&took, r#"{"absent":[],"ended":[[[2,3],18]],"missing":[],"masks":[]}"#).unwrap();
    let ended = json(&format!(
        "account ring:6 --protocol gd:20x1:sample=1/100+masked:10 --took-place {} --observer 1 --source 2 --sigma 0.25",
        took.display()
    ));
    assert!(epsilon(&ended) > 17.567, "{ended}");
    let target = "calibrate ring:5 --epsilon 1 --delta 1e-6 --protocol gd:3x1:sample=1/9+masked:1";
    assert!(printed(target).contains("one record"));
}
