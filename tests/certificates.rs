//! Guarantees for gradient descent on the command line, and certificates of them.

use crate::running::{json, muffliato, printed, refused};

#[test]
fn a_certificate_is_written_and_holds_until_it_is_tampered_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claim.json");
    let file = format!("'{}'", path.display());
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
        let said = printed(&format!("verify {file}")).replace('\n', " ");
        assert!(said.contains(": holds: "), "{question}: {said}");
        let rounded = question.contains("rounded");
        assert_eq!(said.contains("noise rounded to a grid"), rounded, "{said}");
        assert_eq!(said.contains("(real numbers)"), !rounded, "{said}");
        let text = std::fs::read_to_string(&path).unwrap();
        let start = text.find("\"at_most\":\"").unwrap() + 11;
        let end = start + text[start..].find('"').unwrap();
        let (above, below) = text[start..end].split_once('/').unwrap_or((&text[start..end], "1"));
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
        let said = printed(&format!("verify {file}")).replace('\n', " ");
        assert!(said.contains(" loses at least "), "{question}: {said}");
        let modelled = question.contains("gd:");
        assert_eq!(said.contains("that do not react"), modelled, "{question}: {said}");
    }
    let karate = |rest: &str| refused(&format!("account karate {rest} --certificate {file}"));
    let said = karate("--steps 2 --observer 3 --source 33 --noise discrete:2^-20");
    assert!(said.contains("gaussian or rounded noise"), "{said}");
    assert!(karate("--protocol gd:2x1").contains("one claim"));
    std::fs::write(&path, "[]").unwrap();
    refused(&format!("verify {file}"));
}

#[test]
fn gradient_descent_has_a_promise_beside_the_model() {
    let text = printed("account karate --protocol gd:10x1 --observer 3 --source 33 --source 16");
    assert!(text.contains("promised") && text.contains("1-Lipschitz"), "{text}");
    assert!(text.contains("0.105") && text.contains("0.177"), "{text}");
    let promised = |more: &str| {
        let line = format!("account karate --observer 3 --source 33 --protocol gd:10x1{more}");
        json(&line)["pairs"][0]["proved_bound"].as_f64().unwrap()
    };
    let usual = promised("");
    assert!((0.1044..0.1046).contains(&usual), "{usual}");
    // A longer step stretches deviations, and the promise is weaker.
    assert!(promised(" --lipschitz 1.1") > usual);
    assert!(promised(":every=5") < usual);
}

#[test]
fn training_promises_where_its_steps_are_lipschitz_and_says_why_not() {
    let run = "train path:4 --data synthetic:100x3 --protocol gd:4x1 --observer 0";
    let value = json(run);
    let mut classes = value["by_distance"].as_array().unwrap().iter();
    let far = classes.find(|row| row["distance"] == 2).unwrap();
    assert!(far["promised"].as_f64().unwrap() < 1.0, "not rounds times L");
    assert!(value["no_guarantee_because"].is_null());
    for (change, why) in [("--clip 0.5", "clip"), ("--step-size 9", "step")] {
        let line = format!("{run} {change}");
        let value = json(&line);
        assert_eq!(value["by_distance"][1]["promised"], 4.0, "{change}");
        let because = value["no_guarantee_because"].as_str().unwrap();
        assert!(because.contains(why), "{because}");
        let text = printed(&line);
        assert!(text.contains("no guarantee but the number of rounds"), "{text}");
    }
}

/// The account is of the protocol that was run.
#[test]
fn training_with_users_of_every_second_round_is_another_run() {
    let run = |every: &str| {
        json(&format!("train path:4 --data synthetic:100x3 --protocol gd:6x1{every} --observer 0"))
    };
    let (usual, sparse) = (run(""), run(":every=2"));
    assert_eq!(usual["rounds"][0], sparse["rounds"][0]);
    for round in 1..=6 {
        assert_ne!(usual["rounds"][round], sparse["rounds"][round], "{round}");
    }
    assert_eq!(run(":every=1")["rounds"], usual["rounds"]);
    let nearest = |value: &serde_json::Value| value["by_distance"][0]["at_most"].as_f64().unwrap();
    assert!(nearest(&usual) > 5.9 && nearest(&sparse) < 3.0);
}
