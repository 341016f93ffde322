//! Guarantees for gradient descent on the command line, and certificates of them.

use std::process::{Command, Output};

fn muffliato(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muffliato"));
    command.args(arguments.split(' ')).arg("--quiet");
    command.env("RUST_BACKTRACE", "0").output().unwrap()
}

fn printed(arguments: &str) -> String {
    let output = muffliato(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_certificate_is_written_and_holds_until_it_is_tampered_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claim.json");
    let file = path.display().to_string();
    let questions = [
        "account karate --protocol gd:10x1 --observer 3 --source 33",
        "account karate --protocol gd:3x2:1/4 --coalition 3,5 --group 33,16 --lipschitz 3/2",
        "account karate --protocol gd:6x1:every=3 --observer 3 --source 16",
        "account path:5 --steps 3 --observer 0 --source 4",
        "account hypercube:5 --steps 6 --protocol refreshed:1/8 --observer 0 --source 31",
        "account karate --protocol gd:3x1+masked:3 --observer 3 --source 0",
        "account karate --steps 4 --protocol masked:3 --coalition 3,5 --group 33,16",
        "account karate --protocol gd:10x1+masked:3 --observer 3 --source 33",
        "account karate --steps 4 --protocol masked:3 --observer 3 --source 33 --noise rounded:2^-20",
        "account hypercube:5 --steps 6 --protocol refreshed:1/8 --observer 0 --source 31 --noise rounded:2^-20 --coordinates 8",
    ];
    for question in questions {
        printed(&format!("{question} --certificate {file}"));
        let said = printed(&format!("verify {file}"));
        assert!(said.contains(": holds: "), "{question}: {said}");
        let rounded = question.contains("rounded");
        assert_eq!(said.contains("noise rounded to a grid"), rounded, "{said}");
        assert_eq!(said.contains("(real numbers)"), !rounded, "{said}");
        let text = std::fs::read_to_string(&path).unwrap();
        let start = text.find("\"at_most\":\"").unwrap() + 11;
        let end = start + text[start..].find('"').unwrap();
        let (above, below) = text[start..end]
            .split_once('/')
            .unwrap_or((&text[start..end], "1"));
        if above == "0" {
            continue;
        }
        let lie = format!("{}{}/{}0{}", &text[..start], above, below, &text[end..]);
        std::fs::write(&path, lie).unwrap();
        let refused = muffliato(&format!("verify {file}"));
        assert_eq!(refused.status.code(), Some(1), "{question}");
        assert!(String::from_utf8_lossy(&refused.stdout).contains(": does not hold: "));
    }
    for question in [
        "account karate --steps 2 --observer 3 --source 33",
        "account path:4 --protocol gd:2x1+masked:1/2 --coalition 0,1 --source 3",
    ] {
        printed(&format!("{question} --certificate {file} --at-least"));
        let said = printed(&format!("verify {file}"));
        assert!(said.contains(" loses at least "), "{question}: {said}");
        assert!(said.contains("that do not react"), "{question}: {said}");
    }
    let discrete = muffliato(&format!(
        "account karate --steps 2 --observer 3 --source 33 --noise discrete:2^-20 --certificate {file}"
    ));
    assert_eq!(discrete.status.code(), Some(2));
    let said = String::from_utf8_lossy(&discrete.stderr);
    assert!(said.contains("gaussian or rounded noise"), "{said}");
    let several = muffliato(&format!(
        "account karate --protocol gd:2x1 --certificate {file}"
    ));
    assert_eq!(several.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&several.stderr).contains("one claim"));
    std::fs::write(&path, "[]").unwrap();
    assert_eq!(muffliato(&format!("verify {file}")).status.code(), Some(2));
}

#[test]
fn gradient_descent_has_a_promise_beside_the_model() {
    let text = printed("account karate --protocol gd:10x1 --observer 3 --source 33 --source 16");
    assert!(
        text.contains("promised") && text.contains("1-Lipschitz"),
        "{text}"
    );
    assert!(text.contains("0.105") && text.contains("0.177"), "{text}");
    let json = printed("account karate --protocol gd:10x1 --observer 3 --source 33 --format json");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let promised = value["pairs"][0]["proved_bound"].as_f64().unwrap();
    assert!((0.1044..0.1046).contains(&promised), "{promised}");
    // A longer step stretches deviations, and the promise is weaker.
    let longer =
        "account karate --protocol gd:10x1 --observer 3 --source 33 --format json --lipschitz 1.1";
    let longer: serde_json::Value = serde_json::from_str(&printed(longer)).unwrap();
    assert!(longer["pairs"][0]["proved_bound"].as_f64().unwrap() > promised);
    let every = "account karate --protocol gd:10x1:every=5 --observer 3 --source 33 --format json";
    let every: serde_json::Value = serde_json::from_str(&printed(every)).unwrap();
    assert!(every["pairs"][0]["proved_bound"].as_f64().unwrap() < promised);
}

#[test]
fn training_promises_where_its_steps_are_lipschitz_and_says_why_not() {
    let run = "train path:4 --data synthetic:100x3 --protocol gd:4x1 --observer 0 --format json";
    let value: serde_json::Value = serde_json::from_str(&printed(run)).unwrap();
    let far = value["account"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["distance"] == 2);
    assert!(
        far.unwrap()["promised"].as_f64().unwrap() < 1.0,
        "not rounds times L"
    );
    assert!(value["no_guarantee_because"].is_null());
    for (change, why) in [("--clip 0.5", "clip"), ("--step-size 9", "step")] {
        let value: serde_json::Value =
            serde_json::from_str(&printed(&format!("{run} {change}"))).unwrap();
        assert!(value["account"][1].get("promised").is_none(), "{change}");
        assert!(
            value["no_guarantee_because"]
                .as_str()
                .unwrap()
                .contains(why)
        );
        let text = printed(&format!("{run} {change}").replace(" --format json", ""));
        assert!(
            text.contains("no guarantee but the number of rounds"),
            "{text}"
        );
    }
}
