//! Graph files on the command line: what was left out is told, what is not clear is asked, and gossip matrices are checked.

use crate::running::{self, printed_with_input, said};
use std::fs;
use std::process::Output;

fn in_folder(files: &[(&str, &str)], line: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let output = running::command(line).current_dir(folder.path()).output();
    output.unwrap()
}

#[test]
fn what_was_left_out_is_told() {
    let file = "source,target,weight\nann,bob,2\nbob,cem,3\ncem,cem,1\n";
    let output = in_folder(&[("club.csv", file)], "graph ./club.csv");
    let (stdout, stderr) = said(&output);
    assert!(output.status.success(), "{stderr}");
    assert!(stdout.contains("3 nodes, 2 edges"), "{stdout}");
    for note in [
        "note: line 1 was read as names of columns: source, target, weight",
        "note: the third column \"weight\", which looks like weights, was left out",
        "note: 1 self-loop left out, the first at node cem",
    ] {
        assert!(stderr.contains(note), "{stderr}");
    }
    let quiet = in_folder(&[("club.csv", file)], "graph ./club.csv --quiet");
    assert_eq!(said(&quiet).1, "");
}

#[test]
fn what_is_not_clear_is_asked_and_an_option_answers() {
    let names = &[("club.csv", "hero,villain\nann,bob\nbob,cem\n")];
    let asked = in_folder(names, "graph ./club.csv");
    assert_eq!(asked.status.code(), Some(2));
    assert!(running::words(&said(&asked).1).contains("--header yes or no"), "{asked:?}");
    for (answer, size) in [("yes", "3 nodes, 2 edges"), ("no", "5 nodes, 3 edges")] {
        let output = in_folder(names, &format!("graph ./club.csv --header {answer}"));
        assert!(said(&output).0.contains(size), "{output:?}");
    }

    let latin = &[("k4.txt", "0 1 2 3\n1 0 3 2\n2 3 0 1\n3 2 1 0\n")];
    let asked = in_folder(latin, "graph ./k4.txt");
    assert!(said(&asked).1.contains("--graph-format"), "{asked:?}");
    let list = in_folder(latin, "graph ./k4.txt --graph-format adjacency-list");
    assert!(said(&list).0.contains("4 nodes, 6 edges"), "{list:?}");

    let decimals = &[("d.txt", "1 2 0,5\n2 3 0,7\n")];
    assert!(said(&in_folder(decimals, "graph ./d.txt")).1.contains("--delimiter"));
    let spaces = in_folder(decimals, "graph ./d.txt --delimiter space");
    assert!(said(&spaces).0.contains("3 nodes, 2 edges"), "{spaces:?}");
}

/// A doubt is an error, which `--quiet` does not hide.
#[test]
fn lists_with_colons_and_arrows_are_read_as_they_are_meant() {
    for (file, size) in
        [("0: 1 2\n1: 0 2\n2: 0 1\n", "3 nodes, 3 edges"), ("0 -- 1\n1 -- 2\n", "3 nodes, 2 edges")]
    {
        let output = in_folder(&[("g.txt", file)], "graph ./g.txt --quiet");
        assert!(said(&output).0.contains(size), "{output:?}");
    }
    for (file, problem) in
        [("a b\n1 2\n2 3\n", "is this an edge?"), ("0 -> 1\n1 -> 2\n", "the edge is directed")]
    {
        let output = in_folder(&[("g.txt", file)], "graph ./g.txt --quiet");
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output).1.contains(problem), "{output:?}");
    }
}

#[test]
fn the_content_decides_on_standard_input_too() {
    let json =
        br#"{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}]}"#;
    let dense = b"0 1 1\n1 0 1\n1 1 0\n";
    for (bytes, size) in [(&json[..], "2 nodes, 1 edge"), (dense, "3 nodes, 3 edges")] {
        let printed = printed_with_input("graph -", bytes);
        assert!(printed.contains(size), "{printed}");
    }
}

/// W = (I + W') / 2 for the Metropolis weights W' of the path of three nodes, as a file of one's own.
#[test]
fn a_gossip_matrix_of_ones_own_gives_the_losses_of_its_scheme() {
    let files =
        &[("w.csv", "0,1,1/6\n1,2,1/6\n"), ("w.txt", "5/6 1/6 0\n1/6 2/3 1/6\n0 1/6 5/6\n")];
    let losses = |weights: &str| {
        let output =
            in_folder(files, &format!("account path:3 --steps 3 --weights {weights} --format csv"));
        assert!(output.status.success(), "{output:?}");
        let (stdout, _) = said(&output);
        let data: Vec<String> =
            stdout.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
        data.join("\n")
    };
    let lazy = losses("lazy");
    assert!(lazy.lines().count() > 3);
    assert_eq!(losses("./w.txt"), lazy);
    assert_eq!(losses("./w.csv"), lazy);
}

#[test]
fn a_wrong_gossip_matrix_is_refused_with_row_column_and_value() {
    for (weights, expected) in [
        (
            "0 1 0.5\n0 2 0.5\n",
            "the weight at row 0, column 2 is 1/2, but the graph has no edge 0-2",
        ),
        (
            "0.5 0.5 0\n0.25 0.5 0.25\n0 0.25 0.75\n",
            "it is 0.25 at row 2, column 1, but 0.5 at row 1, column 2",
        ),
        ("0.5 0.4 0\n0.4 0.35 0.25\n0 0.25 0.75\n", "row 0 of the weights sums to 9/10"),
        ("0 1 much\n1 2 more\n", "line 1 has no weight; give every edge one"),
    ] {
        let output = in_folder(&[("w.txt", weights)], "account path:3 --steps 2 --weights ./w.txt");
        let stderr = running::words(&said(&output).1);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr.contains(expected) && stderr.contains("w.txt"), "{stderr}");
    }
}
