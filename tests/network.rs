//! `examples/network`: processes on loopback give the bits of the simulation, whatever crashes.

use muffliato::account::NoiseLaw;
use muffliato::fast::noise::{Grid, RoundedGaussian};
use muffliato::prelude::*;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The example, built as the tests are.
fn program() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let path = test.parent().unwrap().parent().unwrap().join("examples/network");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--offline", "-p", "muffliato", "--example", "network"]);
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        assert!(cargo.status().unwrap().success());
        path
    })
}

/// Runs the example and returns what it says.
fn network(arguments: &str) -> String {
    let output = Command::new(program()).args(arguments.split(' ')).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {said}{errors}");
    said
}

fn field<'a>(said: &'a str, name: &str) -> &'a str {
    let line = said.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {said}"))
}

fn values(said: &str) -> Vec<f64> {
    serde_json::from_str(field(said, "values: ")).unwrap()
}

/// The value of a node, as in the example.
fn inputs(nodes: usize) -> Vec<f64> {
    (0..nodes).map(|node| (node * 37 % 101) as f64 / 100.0).collect()
}

#[test]
fn processes_find_the_mean_of_average_bit_for_bit() {
    let said = network("karate --steps 20 --seed 7");
    let sigma: f64 = field(&said, "sigma: ").parse().unwrap();
    let protocol = Protocol::one_shot(Network::metropolis("karate".parse().unwrap()).unwrap(), 20);
    let protocol = protocol.unwrap().masked("3".parse().unwrap()).unwrap();
    let grid = Grid::try_new(2_f64.powi(-16)).unwrap();
    let noise = RoundedGaussian::seeded(grid, 7);
    let run = Simulation::new(&protocol).sigma(sigma).run(&inputs(34), 1, &noise).unwrap();
    assert_eq!(values(&said), run.values);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.csv");
    let lines: Vec<String> = inputs(34).iter().map(f64::to_string).collect();
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let law = NoiseLaw::Rounded(grid).to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_muffliato"))
        .args(["average", "karate", "--steps", "20", "--protocol", "masked:3", "--seed", "7"])
        .args(["--sigma", &sigma.to_string(), "--noise", &law, "--format", "json", "--values"])
        .arg(&file)
        .output()
        .unwrap();
    let average: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = values(&said);
    let ends = [
        all.iter().copied().fold(f64::MAX, f64::min),
        all.iter().copied().fold(f64::MIN, f64::max),
    ];
    assert_eq!(
        ends.map(Value::from),
        [average["found"]["min"].clone(), average["found"]["max"].clone()]
    );
}

#[test]
fn a_process_that_is_killed_at_any_event_changes_no_bit() {
    let undisturbed = values(&network("ring:4 --steps 3 --seed 5"));
    let mut crashes = 0;
    for event in 1.. {
        let said = network(&format!("ring:4 --steps 3 --seed 5 --kill 1:{event}"));
        assert_eq!(values(&said), undisturbed, "event {event}");
        // With real keys noise is fresh. Drawn twice, it would end a neighbour that still has the first message.
        let kept = network(&format!("ring:4 --steps 3 --kill 1:{event}"));
        assert_ne!(values(&kept), undisturbed);
        if !said.contains("crashed") {
            break;
        }
        crashes += 1;
    }
    println!("{crashes} crashes");
    assert!(crashes >= 15, "{crashes}");
}

#[test]
fn the_karate_club_goes_on_without_a_member() {
    let folder = tempfile::tempdir().unwrap();
    let claim = folder.path().join("claim.json");
    let claim = claim.to_str().unwrap();
    let plan = folder.path().join("plan.json");
    let plan = plan.to_str().unwrap();
    let planned = Command::new(env!("CARGO_BIN_EXE_muffliato"))
        .args("plan karate --steps 80 --epsilon 1 --delta 1e-6 --plan-out".split(' '))
        .arg(plan)
        .output()
        .unwrap();
    assert!(planned.status.success(), "{planned:?}");
    let said =
        network(&format!("karate --plan {plan} --kill 5:30 --lose 20:40 --certificate {claim}"));
    assert!(said.contains("Node 5 crashed") && said.contains("Node 20 is gone"), "{said}");
    let number =
        |name: &str| -> f64 { field(&said, name).split(' ').next().unwrap().parse().unwrap() };
    assert!(number("epsilon: ") <= 1.0);
    // More than 25 times what is expected has a probability below 1e-6.
    let error = number("error (1/2n) sum (y - mean)^2: ");
    assert!(error < 25.0 * number("predicted: "), "{said}");
    assert_eq!(values(&said).len(), 33);

    // The record is a schedule that account accepts.
    let record: Value = serde_json::from_str(field(&said, "record: ")).unwrap();
    assert_eq!(record["missing"], serde_json::json!([20]));
    let file = folder.path().join("record.json");
    std::fs::write(&file, record.to_string()).unwrap();
    let account_of = |law: &str, options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_muffliato"))
            .args(["account", "karate", "--plan", plan, "--noise", law])
            .args(options)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, text) = account_of("gaussian", &["--took-place", file.to_str().unwrap()]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.replace('\n', " ").contains("which messages it used itself is not known"),
        "{text}"
    );
    let account = |options: &[&str]| account_of("rounded:2^-16", options);
    let (code, text) = account(&["--took-place", file.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.replace('\n', " ").contains("as they took place: some edges ended early"),
        "{text}"
    );
    for (record, reason) in [
        (
            r#"{"absent": [], "missing": [], "masks": [], "ended": [[[0, 33], 2]]}"#,
            "the edge 0-33 ended, but the graph does not have it",
        ),
        (
            r#"{"absent": [], "missing": [11], "masks": [[0, 11]], "ended": []}"#,
            "node 11 is missing, but its edge to 0, who is there, has no end",
        ),
    ] {
        std::fs::write(&file, record).unwrap();
        let (code, text) = account(&["--took-place", file.to_str().unwrap()]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.replace('\n', " ").contains(reason), "{text}");
    }

    let output =
        Command::new(env!("CARGO_BIN_EXE_muffliato")).args(["verify", claim]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn results_are_not_published_to_those_whom_nothing_reaches() {
    let output = Command::new(program()).args("path:9 --steps 5".split(' ')).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("as the diameter"), "{errors}");
}

#[test]
fn those_present_refuse_to_run_below_the_target() {
    let output =
        Command::new(program()).args("ring:6 --steps 5 --absent 2".split(' ')).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("BelowTarget"), "{errors}");
}
