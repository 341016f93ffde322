//! Plans on the command line: found, printed, written and checked.

use crate::running::{self, json, muffliato, printed, said};
use muffliato::fast::learning::{Aggregation, Descent, LocalLoss};
use muffliato::fast::{noise::SeededNoise, simulation::Simulation};
use muffliato::model::NoisePlan;
use muffliato::prelude::*;
use muffliato_account::{Account, Choice};
use muffliato_design::{Design, Options, Problem, Targets, design};
use serde_json::Value;
use std::fs;

const KARATE: &str = "plan karate --epsilon 1 --delta 1e-6 --steps 80";

#[test]
fn the_plan_of_the_karate_club_is_ten_times_better_than_ldp() {
    let value = json(KARATE);
    let at = |path: &str| value.pointer(path).and_then(Value::as_f64).unwrap();
    let (lower, upper) = (at("/designed/lower"), at("/designed/upper"));
    assert!(3.22 < lower && lower < upper && upper < 3.30, "{lower} {upper}");
    assert!(at("/designed/gap_percent") <= 1.0);
    for other in ["/local/over_trusted", "/uniform/over_trusted"] {
        let multiple = at(other);
        assert!((34.2..34.3).contains(&multiple), "{other}: {multiple}");
    }
    assert_eq!(value["block_bound"]["over_trusted"], "3");
    assert_eq!(value["block_bound"]["leaf_blocks"], 3);
    assert!(at("/one_more_missing/epsilon") > 1.0);
    let error = at("/trusted_error") * upper;
    assert!((at("/designed/error") / error - 1.0).abs() < 1e-12);

    let text = printed(KARATE);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    for said in [
        "local (LDP) 34.2",
        "% more than the best plan for these weights, steps and mask graph: no plan whose losses are bounded in the same way",
        "less than 3 times. The mask graph has 3 leaf blocks.",
        "11 towards 0",
        "every single observer, honest but curious; keys secret; all nodes present",
        "not on a grid; one run.",
        "Recommendation: use this plan: every two neighbours need a shared key",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

/// A leaf has no secret from its neighbour unless its own noise is that of LDP.
#[test]
fn a_leaf_gets_the_noise_of_ldp_and_its_masks() {
    let part = json(&format!("{KARATE} --plan-for 11"));
    let all = json(KARATE);
    let sigma = all["local_sigma"].as_f64().unwrap();
    let own = part["standard_deviation"].as_f64().unwrap();
    assert!(own >= sigma && own < 1.01 * sigma, "{own} {sigma}");
    assert_eq!(part["neighbours"], serde_json::json!(["0"]));
    assert_eq!(part["masks"].as_array().unwrap().len(), 1);
    assert_eq!(part["masks"][0]["with"], "0");
    let text = printed("plan florentine --epsilon 1 --delta 1e-6 --steps 40 --plan-for Pazzi");
    assert!(text.contains("Salviati") && text.contains("key shared with"), "{text}");
}

#[test]
fn a_plan_on_file_holds_until_it_is_tampered_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let file = format!("'{}'", path.display());
    printed(&format!("plan florentine --epsilon 1 --delta 1e-6 --steps 40 --plan-out {file}"));
    let verified = printed(&format!("verify {file}"));
    assert!(verified.contains(": holds:") && verified.contains("times"), "{verified}");

    let text = fs::read_to_string(&path).unwrap();
    let plan: Value = serde_json::from_str(&text).unwrap();
    assert!(text.contains("\"Medici\""));
    let mut quiet = plan.clone();
    quiet["protocol"]["plan"]["nodes"] = vec!["1/1000"; 15].into();
    let mut strange = plan.clone();
    strange["proof"]["potentials"][0]["source"] = 99.into();
    let mut negative = plan.clone();
    negative["protocol"]["plan"]["nodes"][0] = "-1".into();
    for (lie, reason) in
        [(quiet, "times its target"), (strange, "potential"), (negative, "negative")]
    {
        fs::write(&path, lie.to_string()).unwrap();
        let output = muffliato(&format!("verify {file}"));
        assert_eq!(output.status.code(), Some(1), "{reason}: {output:?}");
        let printed = said(&output).0.replace('\n', " ");
        assert!(printed.contains("does not hold") && printed.contains(reason), "{printed}");
    }
}

/// The file has the noise of its target, so that an account of it needs no further numbers.
#[test]
fn an_account_of_a_plan_on_file_meets_the_target_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let file = format!("'{}'", path.display());
    printed(&format!(
        "plan florentine --epsilon 0.5 --delta 1e-5 --sensitivity 2 --steps 40 --plan-out {file}"
    ));
    let account = json(&format!("account florentine --plan {file}"));
    let largest = |account: &Value| {
        let pairs = account["pairs"].as_array().unwrap().iter();
        pairs.map(|pair| pair["epsilon"].as_f64().unwrap()).fold(0.0, f64::max)
    };
    let epsilon = largest(&account);
    assert!((0.49..=0.5).contains(&epsilon), "{epsilon}");
    assert_eq!(account["guarantee"]["delta"], 1e-5);
    assert_eq!(account["protocol"]["steps"], 40);
    let other = json(&format!("account florentine --plan {file} --sigma 1"));
    assert!(largest(&other) > 5.0, "what is given counts");
    let shorter = muffliato(&format!("account florentine --plan {file} --steps 3"));
    assert!(said(&shorter).1.contains("the plan is for 40 steps"), "{shorter:?}");

    let mut lie: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    lie["noise"]["sigma"] = 1.into();
    fs::write(&path, lie.to_string()).unwrap();
    let output = muffliato(&format!("verify {file}"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).0.contains("above the target 0.5"), "{output:?}");
}

#[test]
fn trust_and_keys_change_the_price() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.txt");
    let upper = |more: &str| {
        let value = json(&format!("plan path:5 --epsilon 1 --delta 1e-6 --steps 40 {more}"));
        let error = value["designed"]["error"].as_f64().unwrap();
        (error, value)
    };
    let all = upper("").0;
    fs::write(&path, "# who trusts whom\nsource observer epsilon\n0 1 1\n4, 3, 2\n").unwrap();
    let trusting = format!("--targets '{}'", path.display());
    let (some, value) = upper(&trusting);
    assert!(some < all, "{some} {all}");
    // The second pair allows an epsilon of 2, and its source less noise.
    let sizes: Vec<f64> = value["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["standard_deviation"].as_f64().unwrap())
        .collect();
    assert!(sizes[4] < 0.7 * sizes[0], "{sizes:?}");
    assert!(upper("--protect distance>=2").0 < all);
    assert!(upper("--mask-graph complete").0 < all);
    let (robust, value) = upper("--mask-graph complete --missing 1");
    assert!(robust > upper("--mask-graph complete").0);
    assert_eq!(value["missing"], 1);
    let colluding = upper("--mask-graph complete --collude 2").0;
    assert_eq!(colluding, robust, "the same sets are taken out");
}

#[test]
fn where_nothing_beats_ldp_it_says_so() {
    let text = printed("plan path:2 --epsilon 1 --delta 1e-6 --steps 3");
    assert!(text.contains("Warning: ") && text.contains("Recommendation: use LDP"), "{text}");
}

/// Above the solver's size the plan is certified by trees, written, checked and accounted for.
#[test]
fn a_graph_that_is_too_large_for_the_solver_gets_a_certified_plan() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json").display().to_string();
    let graph = "regular:600:d=6:seed=1";
    let line =
        format!("plan {graph} --epsilon 1 --delta 1e-6 --steps 40 --plan-out {file} --format json");
    let found: Value = serde_json::from_str(&printed(&line)).unwrap();
    let over_trusted = found["covering"]["over_trusted_estimate"].as_f64().unwrap();
    assert!(over_trusted > 600.0 / 599.0 && over_trusted < 60.0, "{over_trusted}");
    assert!(printed(&format!("verify {file}")).contains("every source loses at most 1 L"));
    let mut quiet: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    quiet["protocol"]["plan"]["nodes"] = vec!["1/1000"; 600].into();
    fs::write(&file, quiet.to_string()).unwrap();
    let output = muffliato(&format!("verify {file}"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).0.replace('\n', " ").contains("times its target"), "{output:?}");
    let refused =
        running::refused(&format!("plan {graph} --epsilon 1 --delta 1e-6 --steps 40 --collude 2"));
    assert!(refused.contains("all pairs and single observers"), "{refused}");
}

fn network(graph: &Graph) -> Network {
    Network::metropolis(graph.clone()).unwrap()
}

fn designed(problem: &Problem) -> Design {
    design(problem, &Options::default(), |_| {}).unwrap()
}

/// Returns the connected graphs of up to 4 nodes, each with its nodes in every order, and some of 5 to 7.
fn small_graphs() -> Vec<Graph> {
    let mut graphs = Vec::new();
    for nodes in 2..=4 {
        let pairs: Vec<_> = (0..nodes).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        for chosen in 0..1_u32 << pairs.len() {
            let edges = pairs.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
            graphs.push(Graph::try_new(nodes, edges.map(|(_, &edge)| edge)).unwrap());
        }
    }
    graphs.retain(Graph::is_connected);
    assert_eq!(graphs.len(), 1 + 4 + 38);
    let larger = ["path:5", "ring:5", "star:5", "complete:5", "grid:2x3", "star:6", "path:7"];
    graphs.extend(larger.map(|graph| graph.parse::<Graph>().unwrap()));
    graphs
}

/// The exact engine computes the losses of a plan by itself, in fractions: no pair is above its target, and one is near it.
#[test]
fn no_pair_of_a_designed_plan_is_above_its_target() {
    for graph in small_graphs() {
        let nodes = graph.nodes();
        let complete = format!("complete:{nodes}").parse::<Graph>().unwrap();
        let problem = || Problem::new(network(&graph), 3).unwrap();
        let far = match graph.diameter() {
            Some(2..) => Targets::ByDistance(vec![None, Some(Fraction::ONE)]),
            _ => Targets::All(Fraction::ONE),
        };
        let without = problem().without_secrets().unwrap().with_targets(far).unwrap();
        let complete = problem().with_mask_graph(complete).unwrap();
        for problem in [problem(), complete, without] {
            let plan = designed(&problem).plan().clone();
            let protocol = Protocol::one_shot(network(&graph), 3).unwrap().with_plan(plan).unwrap();
            let account = Account::of(&protocol).engine(Choice::Exact).build().unwrap();
            let mut largest = BigRational::default();
            for (u, v) in (0..nodes).flat_map(|u| (0..nodes).map(move |v| (u, v))) {
                let Some(target) = problem.target(u, &[v]) else { continue };
                let loss = account.loss(u, v).unwrap();
                let ratio = loss.fraction().unwrap() / target;
                assert!(ratio <= "1".parse().unwrap(), "{graph:?}, {u} to {v}: {loss:?}");
                largest = largest.max(ratio);
            }
            assert!(largest > "1/2".parse().unwrap(), "{graph:?}: {largest}");
        }
    }
}

/// A loss of training without any gradient: what is left is noise.
struct NoLoss {
    nodes: usize,
    dimension: usize,
}

impl LocalLoss for NoLoss {
    fn nodes(&self) -> usize {
        self.nodes
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn examples(&self, _: usize) -> usize {
        1
    }

    fn value(&self, _: usize, _: &[f64]) -> f64 {
        0.0
    }

    fn gradient(&self, _: usize, _: Option<usize>, _: &[f64], out: &mut [f64]) {
        out.fill(0.0);
    }
}

/// The probability that one of the runs below is off by chance.
const FALSE_ALARM: f64 = 1e-6;

/// Runs of averaging and of training err as the costs of their plans predict. Over n coordinates the error is a sum of squares of independent Gaussians whose weights add up to n E, none above E, so that its
/// mean is off by more than `E (2 sqrt(t/n) + 2 t/n)` with probability at most `2 e^-t` (Laurent and Massart 2000, lemma 1).
#[test]
fn runs_with_a_plan_err_as_predicted() {
    let (nodes, coordinates, steps, sigma, step_size) = (15, 20_000, 10, 2.0, 0.5);
    let network = network(&"florentine".parse().unwrap());
    let far = Targets::ByDistance(vec![None, Some(Fraction::ONE)]);
    let masked = Problem::new(network.clone(), steps).unwrap();
    let without = masked.clone().without_secrets().unwrap().with_targets(far).unwrap();
    let (runs, t) = (4.0, (2.0 * 4.0 / FALSE_ALARM).ln());
    assert!(runs * 2.0 * (-t).exp() <= FALSE_ALARM * 1.001);
    let n = coordinates as f64;
    let limit = 2.0 * (t / n).sqrt() + 2.0 * t / n;
    let zeros = vec![0.0; nodes * coordinates];
    let check = |what: &str, values: &[f64], predicted: f64| {
        let measured = values.iter().map(|x| x * x).sum::<f64>() / (2.0 * nodes as f64 * n);
        let (low, high) = (predicted * (1.0 - limit), predicted * (1.0 + limit));
        assert!(
            low <= measured && measured <= high,
            "{what}: n = {coordinates}, error {measured}, predicted {predicted}, limits {low} to {high}, false alarms {FALSE_ALARM:e}"
        );
    };
    // Masks and noise of a round go on being mixed in later ones; fresh noise would enter there, too.
    for (problem, rounds) in [(masked, 3), (without, 1)] {
        let plan: NoisePlan = designed(&problem).plan().clone();
        let after = |rounds: usize| {
            let problem = problem.clone().with_steps(steps * rounds);
            let error = problem.error(&problem.costs().unwrap(), &plan);
            error * sigma * sigma / (2.0 * nodes as f64)
        };
        let protocol = Protocol::one_shot(network.clone(), steps).unwrap();
        let protocol = protocol.with_plan(plan.clone()).unwrap();
        let simulation = Simulation::new(&protocol).sigma(sigma);
        let outcome = simulation.run(&zeros, coordinates, &SeededNoise::new(5)).unwrap();
        check("average", &outcome.values, after(1));

        let protocol = Protocol::gradient_descent(network.clone(), rounds, steps).unwrap();
        let protocol = protocol.with_plan(plan.clone()).unwrap();
        let descent = Descent { step_size, sigma, ..Descent::of(&protocol).unwrap() };
        let loss = NoLoss { nodes, dimension: coordinates };
        let gossip = Aggregation::of(&protocol).unwrap();
        let trained = descent.run(&loss, &zeros, gossip, &SeededNoise::new(6)).unwrap();
        let predicted: f64 = (1..=rounds).map(after).sum();
        check("train", &trained.parameters, step_size * step_size * predicted);
    }
}

/// Noise of LDP that is named or recommended meets every target, those of neighbours too.
#[test]
fn the_noise_of_ldp_is_that_of_the_strictest_target() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("targets.txt"), "* * 7\n0 1 1\n").unwrap();
    let line = "path:3 --delta 1e-6 --steps 2";
    let sigma = |more: &str| json(&format!("{more} {line}"))["local_sigma"].as_f64().unwrap();
    let unit = sigma("plan --epsilon 1");
    let near = |found: f64| found >= unit && found < unit * (1.0 + 1e-6);
    assert!(near(sigma("plan --epsilon 4 --neighbour-epsilon 1")));
    assert!(near(sigma(&format!("plan --epsilon 4 --targets '{}'", file("targets.txt")))));
    assert!(near(sigma("plan --epsilon 1 --neighbour-epsilon 4")));
    assert!(near(sigma("calibrate --epsilon 4 --neighbour-epsilon 1")));
    let text = printed(&format!("plan {line} --epsilon 4 --neighbour-epsilon 1"));
    assert!(text.contains("standard deviation 4.23"), "{text}");
    // The unit of a plan on file is that of its epsilon.
    let plan = file("plan.json");
    for command in ["plan", "calibrate"] {
        let asked = format!("{line} --epsilon 4 --neighbour-epsilon 1 --plan-out '{plan}'");
        printed(&format!("{command} {asked}"));
        assert!(printed(&format!("verify '{plan}'")).contains("At sigma = 1.2 "));
        let losses = json(&format!("account path:3 --plan '{plan}'"));
        let epsilons = losses["pairs"].as_array().unwrap().iter();
        let worst = epsilons.map(|pair| pair["epsilon"].as_f64().unwrap()).fold(0.0, f64::max);
        assert!(worst <= 1.0 + 1e-6 && worst > 0.99, "{worst}");
    }
}

/// Both commands have one set of options for the target and the plan.
#[test]
fn calibrate_finds_the_plan_of_plan() {
    let folder = tempfile::tempdir().unwrap();
    let targets = folder.path().join("targets.txt").display().to_string();
    fs::write(&targets, "friends = 0 1\n* * 2\nfriends friends 7\n").unwrap();
    let line = "path:5 --epsilon 1 --delta 1e-6 --steps 9";
    for more in [
        "--protocol designed",
        "--protocol designed --runs 3 --protect distance>=2 --neighbour-epsilon 3",
        "--protocol designed --secrets no --protect distance>=2 --collude 2 --gap 3",
        "--mask-graph complete --missing 1",
        "--plan-for 2",
        "--protocol designed --secrets no --plan-for 2",
        &format!("--targets '{targets}'"),
        &format!("--targets '{targets}' --runs 2 --secrets no"),
    ] {
        let found = json(&format!("calibrate {line} {more}"));
        assert_eq!(
            found,
            json(&format!("plan {line} {}", more.replace("--protocol designed", "")))
        );
        assert!(found["conditions"].is_string(), "{more}: {found}");
        let text = printed(&format!("calibrate {line} {more}"));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    for (more, remedy) in [
        ("--missing 1 --protocol masked:3", "write --protocol designed in place of masked:3"),
        ("--gap 2 --protocol refreshed", "--gap is for plans"),
        ("--protocol designed --engine fast", "whatever --engine says; leave out"),
        ("--protocol designed --noise rounded:2^-20", "not on a grid; leave out"),
        ("--missing 1 --observer 0", "for all nodes and single observers"),
        ("--protocol designed --protect mean", "not for the mean; leave out"),
        ("--missing 1 --accelerate auto", "without acceleration; leave out"),
        ("--targets none.txt --neighbour-epsilon 2", "cannot be used with"),
        ("--secrets no --mask-graph complete", "leave one of them out"),
        ("--secrets no --missing 1", "leave out --secrets no"),
        ("--runs 0", "--runs is 0; give at least 1"),
        ("--gap 0", "give a positive percentage"),
    ] {
        let refused = running::refused(&format!("calibrate {line} {more}"));
        assert!(refused.contains(remedy), "{more}: {refused}");
    }
}

/// A node has to know all that it draws.
#[test]
fn the_part_of_a_node_has_its_fresh_noise() {
    let line = "plan path:5 --epsilon 1 --delta 1e-6 --steps 4 --secrets no --protect distance>=2";
    let all = json(line);
    for node in 0..5 {
        let part = json(&format!("{line} --plan-for {node}"));
        for size in ["standard_deviation", "fresh_standard_deviation"] {
            assert!(part[size].as_f64().unwrap() > 0.0, "{part}");
            assert_eq!(part[size], all["nodes"][node][size]);
        }
    }
    assert!(
        printed(&format!("{line} --plan-for 1")).contains("Fresh noise before each later step")
    );
    let csv = printed(&format!("{line} --plan-for 1 --format csv"));
    assert!(csv.contains("\nfresh noise,,"), "{csv}");
    assert!(printed(&format!("{line} --format csv")).contains("\nfresh noise,4,,"));
}

/// The designed plan stands beside the other protocols, in the order of their errors.
#[test]
fn calibrate_has_the_designed_plan_and_ends_with_a_recommendation() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json").display().to_string();
    let line = "calibrate karate --epsilon 1 --delta 1e-6 --steps 80";
    let found = json(&format!("{line} --plan-out {file}"));
    let rows = found["protocols"].as_array().unwrap();
    let errors: Vec<f64> = rows.iter().map(|row| row["expected_error"].as_f64().unwrap()).collect();
    assert!(errors.is_sorted() && rows.len() == 5, "{errors:?}");
    assert!(rows.iter().all(|row| row["steps"] == 80), "{rows:?}");
    assert_eq!(rows[0]["protocol"], "designed");
    let trusted = found["trusted_error"].as_f64().unwrap();
    let ends = &found["designed"]["over_trusted"];
    let (lower, upper) = (ends["lower"].as_f64().unwrap(), ends["upper"].as_f64().unwrap());
    // What of the inputs has not mixed is in the expected error alone.
    let multiple = errors[0] / trusted;
    assert!((upper - 1e-3..1.01 * upper).contains(&multiple), "{multiple} {ends}");
    assert!(lower > 3.22 && upper < 3.30, "{ends}");
    assert!(found["recommendation"].as_str().unwrap().contains("use the designed plan"));
    // The file is that of `plan`, and the accountant agrees.
    assert!(printed(&format!("verify {file}")).contains(": holds:"));
    let sigma = rows[0]["sigma"].as_f64().unwrap();
    assert!(sigma <= found["local_sigma"].as_f64().unwrap() * (1.0 + 1e-9));

    let text = printed(line);
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("trusted aggregator") < at("\ndesigned") && at("\ndesigned") < at("local (LDP)"));
    assert!(at("Pairs that keep") < at("Recommendation: use the designed plan"));
    assert!(text.trim_end().ends_with("times smaller than LDP's."), "{text}");
    let keys = json("calibrate karate --epsilon 1 --delta 1e-6 --mask-graph regular:8:seed=1");
    assert!(keys["designed"]["over_trusted"]["upper"].as_f64().unwrap() < 2.4, "{keys}");
}

#[test]
fn a_given_number_of_steps_is_kept_and_refusals_have_reasons() {
    let line = "calibrate hypercube:4 --epsilon 1 --delta 1e-6";
    for row in json(&format!("{line} --steps 4"))["protocols"].as_array().unwrap() {
        assert_eq!(row["steps"], 4, "{row}");
    }
    let masked = printed(&format!("{line} --steps 4 --protocol masked"));
    assert!(masked.contains(", 4 steps, masks of"), "{masked}");
    for (more, reason) in [
        ("--protect mean", "not for the mean"),
        ("--noise rounded:2^-20", "not on a grid"),
        ("--accelerate 5/4", "without acceleration"),
        ("--observers sample:3", "for all nodes"),
    ] {
        let line = format!("{line} --steps 4 {more}");
        let found = json(&line);
        let rows = found["protocols"].as_array().unwrap();
        let row = rows.iter().find(|row| row["protocol"] == "designed").unwrap();
        assert!(row["refused"].as_str().unwrap().contains(reason), "{more}: {row}");
        let error = running::refused(&format!("{line} --plan-out plan.json"));
        assert!(error.contains("there is no designed plan"), "{error}");
    }
    let text = printed("calibrate path:2 --epsilon 1 --delta 1e-6 --steps 4");
    assert!(text.contains("Warning: ") && text.contains("Recommendation: use LDP"), "{text}");
}

/// Without secrets a plan has fresh noise, and the engines agree that it meets its target.
#[test]
fn a_plan_without_secrets_is_better_than_one_size_of_fresh_noise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json").display().to_string();
    let line = "calibrate path:6 --epsilon 1 --delta 1e-6 --steps 4 --protect distance>=2";
    let found = json(&format!("{line} --secrets no --plan-out {file}"));
    let rows = found["protocols"].as_array().unwrap();
    let error = |name: &str| {
        let row = rows.iter().find(|row| row["protocol"] == name).unwrap();
        assert_eq!(row["secrets"], false);
        row["expected_error"].as_f64().unwrap()
    };
    assert!(error("designed") < error("refreshed"), "{rows:?}");
    assert_eq!(found["designed"]["status"], "certified");
    assert!(found["recommendation"].as_str().unwrap().contains("it needs no keys"), "{found}");
    assert!(printed(&format!("verify {file}")).contains(": holds:"));

    let account = json(&format!("account path:6 --plan {file}"));
    let far = |pair: &&Value| pair["distance"].as_u64().unwrap() >= 2;
    let losses = account["pairs"].as_array().unwrap().iter().filter(far).map(|pair| {
        assert_eq!(pair["leakage"]["status"], "exact", "{pair}");
        pair["leakage"]["value"].as_f64().unwrap()
    });
    let largest = losses.fold(0.0, f64::max);
    assert!(largest <= 1.0 && largest > 0.99, "{largest}");
    let mut quiet: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    quiet["protocol"]["plan"]["fresh"] = vec!["1/1000000"; 6].into();
    fs::write(&file, quiet.to_string()).unwrap();
    assert_eq!(muffliato(&format!("verify {file}")).status.code(), Some(1));
}

/// With masks more steps cost no privacy, and the search takes as many as are worth it.
#[test]
fn the_number_of_steps_is_part_of_the_search() {
    let line = "plan path:5 --epsilon 1 --delta 1e-6";
    let of = |found: &Value| found["designed"]["error"].as_f64().unwrap();
    let found = json(line);
    let (steps, error) = (found["steps"].as_u64().unwrap(), of(&found));
    let with = |steps: u64| of(&json(&format!("{line} --steps {steps}")));
    assert!(with(steps / 2) > 1.01 * error && with(2 * steps) > 0.9 * error, "{steps}");
}

/// Neighbours have an epsilon of their own.
#[test]
fn the_designed_plan_keeps_the_epsilon_of_neighbours() {
    let line = "calibrate florentine --epsilon 1 --delta 1e-6 --steps 30 --protect distance>=2";
    let found = json(&format!("{line} --neighbour-epsilon 3"));
    let rows = found["protocols"].as_array().unwrap();
    let row = rows.iter().find(|row| row["protocol"] == "designed").unwrap();
    assert!(row["neighbour_epsilon"].as_f64().unwrap() <= 3.0 * (1.0 + 1e-6), "{row}");
    let free = json(line);
    let error = |found: &Value| found["designed"]["over_trusted"]["upper"].as_f64().unwrap();
    assert!(error(&free) < error(&found));
}

/// The record of a run whose nodes agreed to start without one of them.
#[test]
fn a_plan_is_accounted_without_an_absent_node() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json").display().to_string();
    printed(&format!("plan ring:5 --epsilon 1 --delta 1e-6 --steps 3 --plan-out {file}"));
    let record = folder.path().join("record.json");
    fs::write(&record, r#"{"absent":[2],"missing":[],"ended":[],"masks":[]}"#).unwrap();
    let line = format!("account ring:5 --steps 3 --plan {file}");
    let losses = |line: &str| -> Vec<f64> {
        let pairs = json(line)["pairs"].as_array().unwrap().clone();
        pairs.iter().map(|pair| pair["leakage"]["value"].as_f64().unwrap()).collect()
    };
    let most = |losses: Vec<f64>| losses.into_iter().fold(0.0, f64::max);
    for engine in ["", " --engine fast"] {
        let planned = most(losses(&format!("{line}{engine}")));
        let record = format!("{line}{engine} --took-place '{}'", record.display());
        assert!(printed(&record).contains("ring:5"));
        assert!(most(losses(&record)) > planned, "its noise and masks are missing");
    }
}
