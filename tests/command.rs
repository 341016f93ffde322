//! The real command: what it prints, and how it answers bad input.
#![cfg(feature = "cli")]

use std::process::{Command, Output};

fn muffliato(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muffliato"))
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = muffliato(arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_tour_is_what_the_readme_shows() {
    let tour = printed(&[]);
    assert_eq!(tour, printed(&["tour"]));
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for block in tour
        .split("\n\n")
        .filter(|block| !block.starts_with("Next"))
    {
        assert!(
            readme.contains(block.trim_end()),
            "the README does not show:\n{block}"
        );
    }
}

#[test]
fn accounts() {
    insta::assert_snapshot!("all_pairs", printed(&["account", "path:3", "--steps", "2"]));
    insta::assert_snapshot!(
        "one_observer_by_name",
        printed(&[
            "account",
            "florentine",
            "--steps",
            "3",
            "--observer",
            "Medici"
        ])
    );
    insta::assert_snapshot!(
        "refreshed_and_accelerated",
        printed(&[
            "account",
            "hypercube:3",
            "--steps",
            "3",
            "--protocol",
            "refreshed:0.1",
            "--accelerate",
            "5/4",
            "--weights",
            "lazy",
        ])
    );
    insta::assert_snapshot!(
        "gradient_descent_in_the_paper_view",
        printed(&[
            "account",
            "path:5",
            "--protocol",
            "gd:2x2",
            "--view",
            "paper",
            "--observer",
            "0"
        ])
    );
}

#[test]
fn a_file_is_a_graph_and_its_labels_are_names() {
    let path = std::env::temp_dir().join(format!("muffliato-command-{}.edges", std::process::id()));
    std::fs::write(&path, "ann bob\nbob cem\ndot eve\n").unwrap();
    let file = path.to_str().unwrap();
    let text = printed(&[
        "account",
        file,
        "--steps",
        "2",
        "--observer",
        "cem",
        "--giant-component",
    ]);
    std::fs::remove_file(&path).unwrap();
    assert!(text.contains("3 nodes, 2 edges"), "{text}");
    assert!(text.contains("Observer cem: 2 messages, rank 3"), "{text}");
}

#[test]
fn bad_input_gets_exit_code_2_and_a_remedy() {
    for (arguments, remedy) in [
        (
            &["account", "hypercub:3", "--steps", "1"][..],
            "did you mean hypercube",
        ),
        (&["account", "ring:2", "--steps", "1"], "at least 3"),
        (&["account", "hypercube:60", "--steps", "1"], "limits are"),
        (
            &["account", "./no-such-file.edges", "--steps", "1"],
            "no-such-file.edges",
        ),
        (&["account", "karate"], "--steps"),
        (&["account", "karate", "--steps", "0"], "at least 1 step"),
        (
            &["account", "karate", "--steps", "1", "--observer", "34"],
            "0 to 33",
        ),
        (
            &[
                "account",
                "florentine",
                "--steps",
                "1",
                "--observer",
                "Borgia",
            ],
            "Acciaiuoli",
        ),
        (
            &["account", "karate", "--steps", "1", "--weights", "heavy"],
            "metropolis",
        ),
        (
            &[
                "account",
                "karate",
                "--steps",
                "1",
                "--protocol",
                "refreshed:0",
            ],
            "must be positive",
        ),
        (
            &[
                "account",
                "karate",
                "--steps",
                "1",
                "--protocol",
                "refreshed:x",
            ],
            "not a number",
        ),
        (
            &[
                "account",
                "karate",
                "--steps",
                "1",
                "--protocol",
                "two-shot",
            ],
            "one-shot",
        ),
        (
            &["account", "karate", "--steps", "1", "--protocol", "gd:2x2"],
            "leave it out",
        ),
        (
            &["account", "karate", "--protocol", "gd:0x2"],
            "at least 1 round",
        ),
        (
            &["account", "karate", "--steps", "1", "--accelerate", "3"],
            "between 1 and 2",
        ),
        (
            &["account", "ring:4000", "--steps", "9"],
            "fewer nodes or steps",
        ),
        (&["nonsense"], "Usage"),
    ] {
        let output = muffliato(arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(message.contains(remedy), "{arguments:?}: {message}");
    }
}
