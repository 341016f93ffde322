//! Bad input gives exit code 2 and a message with the place and the remedy; nothing is written.

use crate::running;
use std::fs;

/// Lines of the command, and what the message says.
const CASES: &str = r#"
# Graphs
account hypercub:3 --steps 1 => did you mean hypercube
account cycle:3 --steps 1 => ring:8
account ring:2 --steps 1 => at least 3
account path:1 --steps 1 => two nodes or more
account hypercube:60 --steps 1 => limits are
account ./no-such-file.edges --steps 1 => no-such-file.edges
account ./bad.edges --steps 1 => line 3: "3"
account ./binary.edges --steps 1 => line 2, column 3: byte 0xff
graph ./bad.mtx => line 2
account ./torn.edges => 2 connected components (the largest has 3 of 5 nodes)
account ./torn.edges => --giant-component
graph ./torn.edges --to no-such-format => matrix-market
# Protocols
account karate --steps 0 => at least 1 step
account karate --steps many => a whole number or `auto`
account karate --steps 1 --weights heavy => metropolis
account karate --steps 1 --protocol refreshed:0 => must be positive
account karate --steps 1 --protocol refreshed:x => not a number
account karate --steps 1 --protocol two-shot => one-shot
account karate --steps 1 --protocol gd:2x2 => leave it out
account karate --protocol gd:0x2 => at least 1 round
account karate --protocol dropout:0.5:1 => --steps 20
account karate --steps 2 --protocol dropout:1.5:1 => to be away
account karate --steps 1 --accelerate 3 => between 1 and 2
account karate --steps 9 --protocol randomized:1 --accelerate 3/2 => synchronous
account torus:4x4 --weights max-degree-inverse => --steps N
# Observers
account karate --steps 1 --observer 34 => 0 to 33
account florentine --steps 1 --observer Borgia => Acciaiuoli
account karate --steps 1 --observer 3 --source 3 => no secret from itself
account karate --steps 1 --coalition 1,2 --view paper => leave it out
# Sizes and noise
account ring:4000 --steps 9 --engine reference => the fast engine
account complete:3000 --steps 40 --protocol refreshed:0.1 --observer 0 --memory 10M => fewer --steps
account karate --steps 1 --sigma 0 => sigma is 0
account karate --steps 1 --delta 2 => between 0 and 1
account karate --steps 1 --alpha 1 => above 1
account karate --steps 1 --threads 0 => at least 1
calibrate ring:200000 --epsilon 1 --delta 1e-6 --steps 40 --protocol masked => --protocol masked:3
account ring:6 --steps 4 --noise rounded:2^-60 => from 2^-10 to 2^30
account ring:6 --steps 4 --noise rounded:2^-60 --format json => from 2^-10 to 2^30
account ring:6 --steps 4 --noise discrete:2^-60 --format csv => from 2^-10 to 2^30
average ring:6 --steps 4 --noise rounded:2^-60 => from 2^-10 to 2^30
train ring:6 --data synthetic:60x2 --noise rounded:2^-60 => from 2^-10 to 2^30
account ring:6 --steps 100000000000 => take 10000000 at most
calibrate hypercube:2 --protocol refreshed:1/2 --steps 18446744073709551615 --epsilon 1 --delta 1e-6 => take 10000000 at most
calibrate hypercube:2 --protocol refreshed:1/2 --steps 1000000000000 --epsilon 1 --delta 1e-6 => take 10000000 at most
calibrate ring:6 --protocol dropout:0.1:1 --steps 1000000000000 --epsilon 1 --delta 1e-6 => take 10000000 at most
calibrate ring:6 --steps 1000000000000 --epsilon 1 --delta 1e-6 => take 10000000 at most
attack karate --source 33 --observer 3 --steps 4294967296 => take 10000000 at most
account ring:6 --protocol randomized:1 --steps 1000000000000 => take 10000000 at most
account ring:6 --protocol masked:3 --steps 1000000000000 => take 10000000 at most
average ring:6 --steps 1000000000000 => take 10000000 at most
train ring:6 --data synthetic:60x2 --protocol gd:1000000x1000000 => take 10000000 at most
report ring:6 --steps 1000000000000 --output a.html => take 10000000 at most
account ring:6 --steps -1 => a whole number or `auto`
account ring:6 --steps 1 --lipschitz -1 => --lipschitz
calibrate ring:6 --steps 1 --epsilon 1 --delta -1 => delta is -1
calibrate ring:6 --steps 1 --epsilon 1 --delta 1e-6 --sensitivity -1 => sensitivity is -1
# Files to write
account karate --steps 1 --plot picture.gif => .svg or .png
account karate --steps 1 --output no-such-folder/a.json => make it first
# Targets and data
calibrate karate --epsilon -1 --delta 1e-6 => must not be negative
calibrate karate --epsilon 0 --delta 1e-6 => --epsilon is 0
account karate --steps 1 --protocol refreshed => refreshed takes a value: write refreshed:TAU
account karate --steps 1 --max-time soon => 10min
calibrate karate --epsilon 1 --delta 0 --steps 2 => delta is 0
calibrate karate --epsilon 1 --delta 1e-6 --protect most => distance>=K
calibrate karate --epsilon 1 --delta 1e-6 --steps 2 --protect distance>=9 => farthest are at 5
average path:3 --steps 2 --values values.csv => line 3, column 1: "three"
average path:3 --steps 2 --values synthetic:zipf => synthetic:uniform
average karate --steps 2 --sensitivity 0.1 => a larger --sensitivity
average karate --protocol gd:2x2 => muffliato train
train path:3 --data words.csv => line 2, column 2: "four"
train karate --data synthetic:20x2 => each node needs at least one
train karate --data synthetic:2000x2 --protocol one-shot => gd:ROUNDSxSTEPS
# Plans
plan karate --epsilon 0 --delta 1e-6 => --epsilon is 0
plan karate --epsilon -1 --delta 1e-6 => must not be negative
plan karate --epsilon 1 --delta 0 => delta is 0
plan karate --epsilon 1 --delta 1e-6 --steps 0 => at least 1 step
plan karate --epsilon 1 --delta 1e-6 --steps 100000000000 => take 10000000 at most
plan karate --epsilon 1 --delta 1e-6 --gap 0 => a positive percentage
plan karate --epsilon 1 --delta 1e-6 --collude 0 => at least 1
plan karate --epsilon 1 --delta 1e-6 --steps 9 --missing 33 => leave at least one node outside
plan karate --epsilon 1 --delta 1e-6 --protect mean => distance>=K
plan karate --epsilon 1 --delta 1e-6 --protect distance>=9 => the farthest are at 5
plan karate --epsilon 1 --delta 1e-6 --mask-graph ring => regular:4:seed=1
plan karate --epsilon 1 --delta 1e-6 --mask-graph regular:40 => at most 33
plan karate --epsilon 1 --delta 1e-6 --mask-graph ./strange.edges => no node "Zoe"
plan karate --epsilon 1 --delta 1e-6 --targets targets.csv => targets.csv, line 3: the graph has no node "34"
plan karate --epsilon 1 --delta 1e-6 --targets words.csv => words.csv, line 1
plan karate --epsilon 1 --delta 1e-6 --plan-for 34 --plan-out plan.json => 0 to 33
plan karate --epsilon 1 --delta 1e-6 --plan-out none/plan.json => make it first
plan ./torn.edges --epsilon 1 --delta 1e-6 => --giant-component
verify half-a-plan.json => not a plan
account path:3 --plan short.json => nodes of the plan has 2 entries for 3 nodes
account ring:3 --plan plan-of-a-path.json => for another graph, with fewer edges
account star:3 --plan plan-of-a-path.json => with an edge between 1 and 2
account path:3 --plan negative.json => --plan negative.json
verify no-such-plan.json => cannot be read
# Claims and attacks
audit --claim theorem-99 => did you mean theorem-1
attack karate --source 99 --observer 3 => 0 to 33
attack karate --source 33 --observer 3 --trials 1 => at least 2
attack karate --source 16 --observer 26 --steps 1 => more steps
attack karate --source 33 --observer 3 --delta 1 => strictly between 0 and 1
# Reports
report karate --steps 2 --output none/a.html => make it first
report karate --steps 2 --output a.html --observer 99 => 0 to 33
report karate --steps 2 --output a.html --plot a.gif => .svg or .png
report karate --steps 2 --output a.html --protocol refreshed:0.1 --refreshed 0.2 => leave one of them out
report karate --steps 2 --output a.html --refreshed 0 => must be positive
report ring:300000 --steps 2 --output a.html --observer 0 --observer 1 => a page holds at most 400000
report ring:4000 --steps 2 --output a.html --observer 0 --plot a.svg => the 3000 that can be laid out
man no-such-command => calibrate
nonsense => Usage
"#;

/// Returns a plan for the path of three nodes with these variances.
fn plan_on_file(variances: &str) -> String {
    format!(
        r#"{{"design":2,"protocol":{{"nodes":3,"rounds":1,"gossip_steps":2,"network":{{"edges":[[0,1],[1,2]],"weights":"metropolis"}},"plan":{{"nodes":[{variances}]}}}},"targets":{{"all":"1"}},"coalition":1,"proof":{{"unit":"1","potentials":[]}}}}"#
    )
}

#[test]
fn bad_input_gets_exit_code_2_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("bad.edges", &b"0 1\n1 2\n3\n"[..]),
        ("torn.edges", b"0 1\n1 2\n3 4\n"),
        ("values.csv", b"1\n2\nthree\n"),
        ("bad.mtx", b"%%MatrixMarket matrix array real general\n"),
        ("words.csv", b"1,2\n3,four\n5,6\n7,8\n9,10\n"),
        ("binary.edges", b"0 1\n1 \xff\n"),
        ("targets.csv", b"source,observer,epsilon\n0,1,2\n34,1,2\n"),
        ("strange.edges", b"0 Zoe\n1 2\n"),
        ("half-a-plan.json", b"{\"design\":2,\"potentials\":[\"1\""),
        ("short.json", plan_on_file("\"1\",\"1\"").as_bytes()),
        ("plan-of-a-path.json", plan_on_file("\"1\",\"1\",\"1\"").as_bytes()),
        ("negative.json", plan_on_file("\"1\",\"1\",\"-1\"").as_bytes()),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let files = fs::read_dir(folder.path()).unwrap().count();

    let cases = CASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for case in cases {
        let (line, remedy) = case.split_once(" => ").unwrap();
        let output = running::command(line).current_dir(folder.path()).output();
        let output = output.unwrap();
        let (printed, message) = running::said(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {message}");
        assert!(printed.is_empty(), "{line}");
        assert!(message.lines().all(|line| line.chars().count() <= 80), "{line}: {message}");
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(remedy), "{line}: {message}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, files, "{line} left a file behind");
    }
}

/// An engine's answer is not cut short where the reader of a pipe stops reading.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let program = env!("CARGO_BIN_EXE_muffliato");
    let line = format!("{program} account karate --steps 2 --format json | head -1");
    let shell = std::process::Command::new("sh").args(["-c", &line]).output();
    let shell = shell.unwrap();
    assert!(shell.status.success() && shell.stderr.is_empty(), "{shell:?}");
}
