//! Other programs, asked: those of the README, and some that are wrong on purpose.
//!
//! They need python3; without it there is nothing to ask. `UPDATE=1 cargo test -p muffliato-vectors programs` renews the README.

use muffliato_vectors::{ConformError, Grade, Program, Report, conform, form::File};
use num_rational::BigRational;
use num_traits::Zero;
use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

const PROGRAMS: [&str; 9] = [
    "one_shot",
    "theorem_1",
    "corollary_1",
    "gd_main_text",
    "gd_appendix",
    "gd_later_form",
    "marginal_sum",
    "pseudo_inverse",
    "whole_graph_masks",
];

const TOPICS: [&str; 10] = [
    "one-shot",
    "refreshed",
    "masked",
    "plans",
    "training",
    "participation",
    "coalitions",
    "groups",
    "views",
    "formulas",
];

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        eprintln!("python3 is missing: nothing was asked");
    }
    found
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn asked(command: &[&str], patience: Duration, topics: &[&str], tolerance: BigRational) -> Report {
    let command = command.iter().map(ToString::to_string).collect();
    let topics: Vec<String> = topics.iter().map(ToString::to_string).collect();
    let mut program = Program::new(command, patience).unwrap();
    conform(&mut program, &topics, &tolerance, |_, _| true).unwrap()
}

/// Nobody is in a hurry.
const LONG: Duration = Duration::from_secs(300);

fn shipped(name: &str) -> Report {
    let path = folder().join(format!("programs/{name}.py"));
    let tolerance = match name {
        "pseudo_inverse" => BigRational::new(1.into(), 1_000_000_000.into()),
        _ => BigRational::zero(),
    };
    asked(&["python3", path.to_str().unwrap()], LONG, &TOPICS, tolerance)
}

/// Replaces what stands between the marker and its end.
fn replaced(text: &str, marker: &str, content: &str) -> String {
    let begin = format!("<!-- {marker} -->\n");
    let (before, rest) = text.split_once(&begin).expect("the marker");
    let (_, after) = rest.split_once("<!-- end -->").expect("its end");
    format!("{before}{begin}{content}<!-- end -->{after}")
}

/// What asking costs, as it was when the table was written.
fn cost(elapsed: Duration) -> String {
    let files = File::all().unwrap();
    let cases: usize = files.iter().map(|file| file.cases.len()).sum();
    let bytes: usize = files.iter().map(|file| file.to_json().unwrap().len()).sum();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    let memory = peak.map_or(String::new(), |peak| format!(", in {} MB of memory", peak / 1000));
    format!(
        "There are {cases} cases in {} kB. Asking all {} programs the topics of the table took {} seconds{memory} when it was written.\n",
        bytes / 1000,
        PROGRAMS.len(),
        elapsed.as_secs(),
    )
}

#[test]
fn the_readme_shows_what_the_shipped_programs_answer() {
    if !has_python() {
        return;
    }
    let begun = Instant::now();
    let mut table = format!("| program | {} |\n", TOPICS.join(" | "));
    table.push_str(&format!("| --- |{}\n", " --- |".repeat(TOPICS.len())));
    for name in PROGRAMS {
        let report = shipped(name);
        assert_eq!(report.count(Grade::Crashed) + report.count(Grade::TooSlow), 0, "{name}");
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for answer in &report.answers {
            let (fine, below) = counts.entry(&answer.topic).or_default();
            match answer.grade {
                Grade::Exact | Grade::Sound => *fine += 1,
                Grade::Unsound => *below += 1,
                _ => {}
            }
        }
        let cells = TOPICS.map(|topic| match counts[topic] {
            (0, 0) => "-".into(),
            (fine, 0) => fine.to_string(),
            (fine, below) => format!("{fine} / **{below}**"),
        });
        table.push_str(&format!("| `{name}.py` | {} |\n", cells.join(" | ")));
        if name == "one_shot" {
            let answered = |topic: &&muffliato_vectors::Graded| topic.topic == "one-shot";
            assert!(
                report.answers.iter().filter(answered).all(|answer| answer.grade == Grade::Exact)
            );
        }
    }
    let path = folder().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let program = fs::read_to_string(folder().join("programs/one_shot.py")).unwrap();
    let renewed = replaced(&readme, "one_shot.py", &format!("```python\n{program}```\n"));
    let renewed = replaced(&renewed, "table", &table);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, replaced(&renewed, "cost", &cost(begun.elapsed()))).unwrap();
    } else {
        assert!(readme == renewed, "README.md is out of date; UPDATE=1 renews it:\n{table}");
    }
}

#[test]
fn a_program_that_underestimates_by_a_percent_in_one_topic_is_caught() {
    if !has_python() {
        return;
    }
    // It knows all answers, and takes a percent away from the losses of coalitions.
    let script = r#"
import glob, json, sys
from fractions import Fraction
right = {}
for name in glob.glob(sys.argv[1] + "/*.json"):
    for case in json.load(open(name))["cases"]:
        right[case["id"]] = case["answer"]
for line in sys.stdin:
    question = json.loads(line)
    answer = right[question["id"]]
    found = answer.get("verdict") or answer.get("value") or answer.get("above")
    if question["topic"] == "coalitions":
        found = str(Fraction(found) * 99 / 100)
    print(json.dumps({"id": question["id"], "answer": found or answer}), flush=True)
"#;
    let vectors = folder().join("v1");
    let command = ["python3", "-c", script, vectors.to_str().unwrap()];
    let report = asked(&command, LONG, &[], BigRational::zero());
    for answer in &report.answers {
        let zero = matches!(&answer.right, muffliato_vectors::form::Answer::Number { value: Some(value), .. } if value == "0");
        let caught = answer.topic == "coalitions" && !zero;
        let worth = if caught { Grade::Unsound } else { Grade::Exact };
        assert_eq!(answer.grade, worth, "{answer:?}");
    }
    assert!(report.count(Grade::Unsound) > 100);
}

#[test]
fn a_program_that_ends_or_hangs_is_started_again_and_the_case_is_counted() {
    if !has_python() {
        return;
    }
    let dies = "import sys\nfor line in sys.stdin:\n  if 'discrete' in line: sys.exit(1)\n  print('\"unsupported\"', flush=True)";
    let report = asked(&["python3", "-c", dies], LONG, &["grid"], BigRational::zero());
    assert_eq!((report.count(Grade::Crashed), report.count(Grade::Unsupported)), (36, 6));
    let hangs = "import sys, time\nfor line in sys.stdin:\n  if 'steps\":\"7\"' in line: time.sleep(1000)\n  print('\"refuse\"', flush=True)";
    let report =
        asked(&["python3", "-c", hangs], Duration::from_secs(20), &["grid"], BigRational::zero());
    assert_eq!((report.count(Grade::TooSlow), report.count(Grade::Refused)), (1, 41));
    // A greeting is no answer, and the answers after it are not taken for those of later questions.
    let talks = "import sys\nprint('hello', flush=True)\nfor line in sys.stdin:\n  print('\"inf\"', flush=True)";
    let report = asked(&["python3", "-c", talks], LONG, &["grid"], BigRational::zero());
    assert!(report.count(Grade::Crashed) > 0);
    assert_eq!(report.count(Grade::Unsound), 0);
}

#[test]
fn a_program_that_cannot_be_started_and_a_topic_that_does_not_exist_are_errors() {
    let ask = |command: &str, topic: &str| {
        let mut program = Program::new(vec![command.into()], LONG).unwrap();
        conform(&mut program, &[topic.into()], &BigRational::zero(), |_, _| true).unwrap_err()
    };
    assert!(matches!(ask("/no/such/program", "grid"), ConformError::NotStarted { .. }));
    assert!(matches!(ask("/no/such/program", "grids"), ConformError::NoTopic { .. }));
    assert!(matches!(Program::new(vec![], LONG), Err(ConformError::NoCommand)));
}
