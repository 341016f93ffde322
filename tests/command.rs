//! The real command: what it prints, in each form, and what it leaves behind.

use crate::running::{self, json, muffliato, printed, printed_with_input, said};
use std::fs;

#[test]
fn the_tour_is_what_the_readme_shows() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let output = running::command(line).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        said(&output)
    };
    let file = folder.path().join("muffliato-tour.html");
    let (tour, notes) = run("");
    assert_eq!(notes, "");
    let report = fs::read(&file).unwrap();
    assert_eq!(run("tour").0, tour);
    assert!(fs::read(&file).unwrap() == report, "the same report again");

    fs::remove_file(&file).unwrap();
    let (short, _) = run("tour --no-report");
    assert!(!short.contains("report with pictures") && !file.exists());
    fs::create_dir(&file).unwrap(); // where no file can be written
    let (without, notes) = run("");
    assert_eq!(without, short);
    assert!(notes.contains("there is no report"), "{notes}");

    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for block in tour.split("\n\n").filter(|block| !block.starts_with("Next")) {
        assert!(readme.contains(block.trim_end()), "the README does not show:\n{block}");
    }
}

#[test]
fn the_picture_in_the_readme_is_what_the_command_draws() {
    let folder = tempfile::tempdir().unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = fs::read_to_string(format!("{root}/README.md")).unwrap();
    let line = readme.lines().find_map(|line| {
        let line = line.strip_prefix("`muffliato ")?;
        line.strip_suffix(" --plot docs/karate.svg`")
    });
    let drawn = folder.path().join("karate.svg");
    printed(&format!("{} --plot '{}'", line.unwrap(), drawn.display()));
    let (drawn, shown) = (fs::read(drawn).unwrap(), fs::read(format!("{root}/docs/karate.svg")));
    assert!(drawn == shown.unwrap(), "run the line above the picture in the README again");
}

/// Names of transcripts, and the lines that they are of. The noise of the last three, which are runs, rests on the platform's logarithm; what is compared is rounded
/// to three digits.
const TRANSCRIPTS: &str = "
all_pairs: account path:3 --steps 2
one_observer_by_name: account florentine --steps 3 --observer Medici
refreshed_and_accelerated: account hypercube:3 --steps 3 --protocol refreshed:0.1 --accelerate 5/4 --weights lazy
gradient_descent_in_the_paper_view: account path:5 --protocol gd:2x2 --view paper --observer 0
gradient_descent_in_multiprecision: account karate --protocol gd:3x3 --observer 33
json_of_the_reference: account path:3 --steps 2 --observer 2 --format json
csv_of_the_reference: account path:3 --steps 2 --format csv
coalition_and_group: account florentine --steps 2 --coalition Medici,Pazzi --group Ginori,Bischeri --format json
randomized: account ring:6 --steps 40 --protocol randomized:1 --engine reference --observer 0
dropout: account ring:6 --steps 3 --protocol dropout:0.2:1
certified_by_the_fast_engine: account hypercube:4 --steps 4 --engine fast
estimates_of_the_fast_engine: account hypercube:11 --steps 12 --observer 0
a_graph: graph karate
a_graph_without_a_gap: graph torus:4x4
a_converted_graph: graph path:4 --to matrix-market
calibrated_mean: calibrate hypercube:4 --epsilon 1 --delta 1e-6 --protect mean --protocol one-shot --steps 4
a_claim: audit --claim theorem-1
a_claim_as_json: audit --claim corollary-1 --format json
calibrated_tau: calibrate karate --epsilon 1 --delta 1e-6 --protect distance>=3 --protocol refreshed --steps 4
averaging: average hypercube:3 --steps 3 --sigma 0.5 --seed 7
an_attack: attack karate --source 33 --observer 3 --steps 2 --trials 1000
training: train ring:5 --data synthetic:200x3 --protocol gd:3x2 --seed 7 --observer 0
";

#[test]
fn transcripts() {
    for case in TRANSCRIPTS.lines().filter(|line| !line.is_empty()) {
        let (name, line) = case.split_once(": ").unwrap();
        insta::assert_snapshot!(name, printed(line));
    }
}

#[test]
fn the_numbers_depend_on_the_seed_and_not_on_the_threads() {
    let with = |seed: &str| json(&format!("average karate --steps 4 --engine fast --seed {seed}"));
    let one = with("7 --threads 1");
    assert_eq!(one, with("7 --threads 3"));
    assert_ne!(one, with("8"));
}

#[test]
fn both_engines_agree_on_every_pair() {
    let line = "account karate --steps 3 --protocol refreshed:0.2 --engine";
    let (exact, fast) = (json(&format!("{line} reference")), json(&format!("{line} fast")));
    assert_eq!(exact["observers"], fast["observers"]);
    let pairs = |account: &serde_json::Value| account["pairs"].as_array().unwrap().clone();
    assert_eq!(pairs(&exact).len(), 34 * 33);
    for (exact, fast) in pairs(&exact).iter().zip(&pairs(&fast)) {
        for key in ["source", "observer", "distance"] {
            assert_eq!(exact[key], fast[key]);
        }
        for key in ["paper_theorem_1", "paper_corollary_1", "leakage"] {
            let value = exact[key]["value"].as_f64().unwrap();
            let (lower, upper) = (&fast[key]["lower"], &fast[key]["upper"]);
            let slack = 1e-14 * value;
            assert!(
                lower.as_f64().unwrap() <= value + slack
                    && value - slack <= upper.as_f64().unwrap(),
                "{key}: {exact} {fast}"
            );
            assert_eq!(fast[key]["status"], "certified", "{fast}");
        }
    }
}

#[test]
fn other_protocols_stand_beside_in_the_table() {
    let text = printed("account karate --steps 4 --beside refreshed:0.1 --beside masked:3");
    let (_, table) = text.split_once("beside other protocols:").unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows.contains(&vec!["distance", "one-shot", "refreshed:0.1", "masked:3"]), "{text}");
    let alone = printed("account karate --steps 4 --protocol refreshed:0.1");
    let at_two = |text: &str, column: usize| {
        let mut rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.find(|row| row.first() == Some(&"2")).unwrap()[column].to_string()
    };
    assert_eq!(at_two(table, 2), at_two(&alone, 7), "{text} {alone}");
}

#[test]
fn a_file_is_a_graph_and_its_labels_are_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.edges");
    fs::write(&path, "ann bob\nbob cem\ndot eve\n").unwrap();
    let rest = "--steps 2 --observer cem --giant-component";
    let text = printed(&format!("account '{}' {rest}", path.display()));
    assert!(text.contains("3 nodes, 2 edges"), "{text}");
    assert!(text.contains("Observer: cem."), "{text}");
    let input = fs::read(&path).unwrap();
    let same = printed_with_input(&format!("account - {rest}"), &input);
    assert_eq!(text.lines().nth(5), same.lines().nth(5));
    let json =
        br#" {"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}"#;
    let text = printed_with_input("graph -", json);
    assert!(text.starts_with("-: 2 nodes, 1 edge"), "{text}");
}

#[test]
fn results_and_pictures_go_to_files_and_nothing_else_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (json, svg, png) = (at("a.json"), at("a.svg"), at("a.PNG"));
    let line = "account karate --steps 2 --format json";
    for picture in [&svg, &png] {
        let output = muffliato(&format!("{line} --output '{json}' --plot '{picture}'"));
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
    let text = fs::read_to_string(&json).unwrap();
    assert_eq!(text, printed(line));
    assert!(fs::read_to_string(&svg).unwrap().contains("paper&apos;s bound"));
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// Long work is interrupted; the file that was there before is untouched.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.json");
    fs::write(&path, "before").unwrap();
    let long = "account hypercube:10 --threads 1 --steps 20 --protocol refreshed:0.1 --format json";
    let mut child = running::started(&format!("{long} --output '{}'", path.display()));
    std::thread::sleep(std::time::Duration::from_millis(800));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_shell_gets_completions_and_a_manual() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(printed(&format!("completions {shell}")).contains("giant-component"));
    }
    assert!(printed("man").contains(".TH muffliato"));
    assert!(printed("man account").contains("coalition"));
}

/// The examples of every help page run, line by line in one folder; pages and what is printed fit a
/// terminal of 80 columns.
#[cfg(unix)]
#[test]
fn help_and_what_its_examples_print_fit_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = running::installed(folder.path());
    fs::write(folder.path().join("big.edges"), "ann bob\nbob cem\ncem dan\ndan ann\n").unwrap();
    let run = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", line]).current_dir(&folder).env("PATH", &path).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        let (text, notes) = said(&output);
        assert!(!text.contains('\u{1b}'), "{line}: colours are for terminals");
        let to_a_program = ["--format", "completions", "muffliato man"];
        if !to_a_program.iter().any(|word| line.contains(word)) {
            let wide = text.lines().chain(notes.lines()).find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{line}");
        }
        text
    };
    let pages = run("muffliato --help");
    let (_, list) = pages.split_once("Commands:\n").unwrap();
    let names = list.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> =
        names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !["", "help"].contains(name)).collect();
    assert!(names.len() > 14 && names.contains(&"plan"), "{names:?}");
    let mut examples = 0;
    for name in names {
        let page = run(&format!("muffliato {name} --help")).replace(" \\\n      ", " ");
        if name == "conform" {
            continue; // its examples are programs of the repository, which tests/conform.rs asks
        }
        for line in page.lines().filter_map(|line| line.strip_prefix("  ")) {
            if line.starts_with("muffliato ") && !line.contains(" > ") || line.starts_with("for ") {
                run(line);
                examples += 1;
            }
        }
    }
    assert!(examples > 30, "{examples}");
    for line in [
        "muffliato tour --no-report",
        "muffliato account karate --protocol gd:3x1",
        "muffliato account karate --protocol gd:3x1+masked:3 --lipschitz 2",
        "muffliato calibrate hypercube:3 --epsilon 1 --delta 1e-6 --steps 3 --collude 2",
        "muffliato calibrate karate --epsilon 1 --delta 1e-6 --steps 3 --protocol masked:3",
        "muffliato plan star:700 --epsilon 1 --delta 1e-6 --steps 2",
    ] {
        run(line);
    }
}

#[test]
fn an_attack_is_told_by_what_it_measured() {
    let club = "attack karate --source 33 --observer 3 --steps 2 --trials 400";
    assert_eq!(json(club)["leakage"], "1");
    let rounded = printed(&format!("{club} --round 3 --protocol refreshed:0.1"));
    assert!(rounded.contains("not a guarantee"), "{rounded}");
    let masked = printed(&format!("{club} --protocol masked:3"));
    assert!(!masked.contains("More than Theorem 1"), "{masked}");
}

/// The exact statistic of so many steps takes hours and reports no progress.
#[test]
fn max_time_ends_work_that_reports_no_progress() {
    let long = "attack karate --source 33 --observer 3 --steps 2000 --max-time 0.2s";
    let output = muffliato(long);
    let (printed, told) = said(&output);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(printed.is_empty() && told.contains("--max-time is up"), "{told}");
}

#[test]
fn a_merge_of_some_parts_is_a_failed_check() {
    let folder = tempfile::tempdir().unwrap();
    let part = |index: usize| folder.path().join(format!("{index}.json"));
    for index in 0..2 {
        let line = "account path:4 --steps 2 --protocol refreshed:0.1";
        let file = part(index);
        printed(&format!("{line} --shard {index}/2 -o '{}'", file.display()));
    }
    let (one, other) = (part(0), part(1));
    let output = muffliato(&format!("merge '{}'", one.display()));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).1.contains("2 of 4 observers"), "{output:?}");
    printed(&format!("merge '{}' '{}'", one.display(), other.display()));
}

#[test]
fn a_run_draws_the_noise_that_it_names() {
    let line = "average ring:6 --steps 1 --values zeros.csv";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("zeros.csv"), "0\n".repeat(6)).unwrap();
    let run = |noise: &str| {
        let mut command = running::command(&format!("{line} --noise {noise}"));
        running::checked(command.current_dir(folder.path()).output().unwrap())
    };
    let (gaussian, rounded) = (run("gaussian"), run("rounded:2^-20"));
    assert!(gaussian.contains("its Gaussian noise in floating point"), "{gaussian}");
    assert!(rounded.contains("its Gaussian noise rounded to multiples of 2^-20"), "{rounded}");
    // The first error is the mean square of what was drawn: on a grid of step 4, a multiple of 16/12.
    let coarse = run("rounded:2^2 --format csv");
    let first = coarse.lines().nth(1).unwrap().strip_prefix("0,").unwrap();
    let steps = first.parse::<f64>().unwrap() * 12.0 / 16.0;
    assert!((steps - steps.round()).abs() < 1e-9, "{coarse}");
}

#[test]
fn training_asks_all_observers_where_that_is_cheap() {
    let line = "train karate --data synthetic:200x2 --protocol gd:3x1";
    let output = muffliato(line);
    let (printed, notes) = said(&output);
    assert_eq!(notes, "");
    assert!(printed.contains("promised") && !printed.contains("sample"), "{printed}");
    let long = "train hypercube:9 --data synthetic:2000x2 --protocol gd:30x4 --max-time 1s";
    let (_, notes) = said(&muffliato(long));
    assert!(notes.contains("of 512 nodes observe, and nothing is promised"), "{notes}");
}

#[test]
fn a_report_is_named_after_its_graph() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = running::command("report path:3 --steps 2 --plot drawn.svg");
    let output = command.current_dir(folder.path()).output().unwrap();
    let (_, notes) = said(&output);
    assert!(output.status.success() && folder.path().join("path-3.html").exists());
    assert!(notes.contains("wrote path-3.html") && notes.contains("wrote drawn.svg"), "{notes}");
}
