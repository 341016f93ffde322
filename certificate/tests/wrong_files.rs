//! Wrong files of every kind, each with what is said about it.

use super::with;
use muffliato_certificate::{
    Certificate, CertificateError, MAX_BYTES, MAX_DIGITS, Refusal, SystemCertificate,
};

const GOOD: &str = r#"{"certificate": 1, "protocol": {"nodes": 4, "rounds": 2, "gossip_steps": 1,
    "network": {"edges": [[0, 1], [1, 2], [2, 3]], "weights": "metropolis"}},
    "observers": [0], "sources": [2], "at_most": "0.1112",
    "absorption": {"fractions": [[[0, 1, "1"], [1, 1, "1"]]]}}"#;

const ATTACK: &str = r#"{"certificate": 1, "protocol": {"nodes": 3, "rounds": 1, "gossip_steps": 2,
    "network": {"edges": [[0, 1], [1, 2]], "weights": "metropolis"}},
    "observers": [2], "sources": [0], "at_least": "1",
    "attack": {"inputs": [[0, 0, "1"]], "messages": [[0, 1, "-1"], [1, 1, "3"]], "own_noise": [[0, 2, "-1"]]}}"#;

/// One round on a ring of four: three eighths of the input leave node 1 towards node 2, and one eighth goes on to node 3.
const MASKED: &str = r#"{"certificate": 1, "protocol": {"nodes": 4, "rounds": 1, "gossip_steps": 2, "masks": {"kappa": "1"},
    "network": {"edges": [[0, 1], [1, 2], [2, 3], [0, 3]], "weights": "metropolis"}},
    "observers": [0], "sources": [1], "at_most": "5/8",
    "flows": [[[[1, 2, "3/8"], [2, 3, "1/8"]]]]}"#;

/// What is left is absorbed before node 1 speaks, and node 3, a neighbour of the observer, gets nothing.
const BOTH: &str = r#"{"certificate": 1, "protocol": {"nodes": 4, "rounds": 1, "gossip_steps": 1, "masks": {"kappa": "1"},
    "network": {"edges": [[0, 1], [1, 2], [2, 3], [0, 3]], "weights": "metropolis"}},
    "observers": [0], "sources": [1], "at_most": "1/2",
    "absorption": {"fractions": [[[0, 1, "1"]]], "flows": [[[[1, 2, "1/2"]]]]}}"#;

/// The source's own draw explains its input. Nobody else has to.
const ALIBI: &str = r#"{"certificate": 1, "protocol": {"nodes": 3, "rounds": 1, "gossip_steps": 2, "refresh": "1/2",
    "network": {"edges": [[0, 1], [1, 2]], "weights": "metropolis"}},
    "observers": [0], "sources": [2], "at_most": "1",
    "alibis": [{"shifts": [[[0, 2, "1"]]]}]}"#;

/// The same where the observer learns the sum of its messages.
const SUM_ALIBI: &str = r#"{"certificate": 1, "protocol": {"nodes": 3, "rounds": 1, "gossip_steps": 2, "refresh": "1/2",
    "network": {"edges": [[0, 1], [1, 2]], "weights": "metropolis"}},
    "observers": [0], "view": "sum", "sources": [2], "at_most": "1",
    "alibis": [{"shifts": [[[0, 2, "1"]]]}]}"#;

const SUM_ATTACK: &str = r#"{"certificate": 1, "protocol": {"nodes": 3, "rounds": 1, "gossip_steps": 2,
    "network": {"edges": [[0, 1], [1, 2]], "weights": "metropolis"}},
    "observers": [2], "view": "sum", "sources": [0], "at_least": "1",
    "attack": {"inputs": [[0, 0, "1"]], "messages": [[0, 2, "-3"], [1, 2, "9"]], "own_noise": [[0, 2, "-1"]]}}"#;

/// The observer takes the mask that it shares out of the message.
const MASK_ATTACK: &str = r#"{"certificate": 1, "protocol": {"nodes": 2, "rounds": 1, "gossip_steps": 1, "masks": {"kappa": "1"},
    "network": {"edges": [[0, 1]], "weights": "metropolis"}},
    "observers": [0], "sources": [1], "at_least": "1",
    "attack": {"inputs": [[0, 1, "1"]], "messages": [[0, 1, "1"]], "masks": [[0, 0, 1, "1"]]}}"#;

/// Two observations of one input, whose draws share one of standard deviation 3.
const SYSTEM: &str = r#"{"certificate": 1,
    "system": {"A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": ["1", "1", "3"], "known": []},
    "inputs": [0], "at_most": "2", "alibis": [["1", "1", "0"]]}"#;

/// Half the input in the first observation: a signal of 1/2 in noise of variance 10.
const SYSTEM_ATTACK: &str = r#"{"certificate": 1,
    "system": {"A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": ["1", "1", "3"], "known": []},
    "inputs": [0], "at_least": "1/40", "attack": [["1/2"], ["1", "0"]]}"#;

fn verdict(text: &str) -> Result<(), Refusal> {
    if SystemCertificate::is_one(text) {
        return SystemCertificate::parse(text).expect("it can be read").check();
    }
    Certificate::parse(text).expect("it can be read").check()
}

#[test]
fn the_good_ones_hold() {
    for good in [GOOD, ATTACK, MASKED, BOTH, ALIBI, SUM_ALIBI, SUM_ATTACK, MASK_ATTACK] {
        let certificate = Certificate::parse(good).unwrap();
        assert_eq!(certificate.check(), Ok(()));
        assert_eq!(Certificate::parse(&certificate.to_json().unwrap()), Ok(certificate));
    }
    for good in [SYSTEM, SYSTEM_ATTACK] {
        let certificate = SystemCertificate::parse(good).unwrap();
        assert_eq!(certificate.check(), Ok(()));
        assert_eq!(SystemCertificate::parse(&certificate.to_json().unwrap()), Ok(certificate));
    }
    let rows = r#""A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]]"#;
    for nothing in [r#""A": [], "B": []"#, r#""A": [[1, 0, 1], [0, 1, -1]], "B": [[], []]"#] {
        let error = SystemCertificate::parse(&with(SYSTEM, rows, nothing)).unwrap_err();
        assert!(error.to_string().contains("at least one observation and one input"), "{error}");
    }
}

/// A good file, what is replaced in it by what, and why the result is refused.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str, &str)] = &[
    (GOOD, "0.1112", "0.1111", "the proof gives 0.111111111111, which is above the claim"),
    (GOOD, r#", [1, 1, "1"]"#, "", "node 1 still deviates when it speaks to an observer at time 1"),
    (GOOD, r#"[1, 1, "1"]"#, r#"[1, 1, "0.999999"]"#, "node 1 still deviates when it speaks to an observer at time 1"),
    (GOOD, r#""observers": [0]"#, r#""observers": [3]"#, "node 2 still deviates when it speaks to an observer at time 0"),
    (GOOD, "[2, 3]", "[2, 3], [0, 2]", "node 2 still deviates when it speaks to an observer at time 0"),
    (GOOD, r#""sources": [2]"#, r#""sources": [1]"#, "above the claim"),
    (GOOD, r#""sources": [2]"#, r#""sources": []"#, "no source is named"),
    (GOOD, r#""sources": [2]"#, r#""sources": [0]"#, "source 0 is no node, or it observes"),
    (GOOD, r#""sources": [2]"#, r#""sources": [4]"#, "source 4 is no node, or it observes"),
    (GOOD, r#""sources": [2]"#, r#""sources": [2, 2]"#, "not in increasing order"),
    (GOOD, r#""sources": [2]"#, r#""sources": [3, 2]"#, "not in increasing order"),
    (GOOD, r#""fractions""#, r#""lipschitz": "2", "fractions""#, "above the claim"),
    (GOOD, r#""fractions""#, r#""grid": 1000000, "fractions""#, "the numbers grow to 1000000 bits"),
    (GOOD, r#""fractions""#, r#""grid": 4097, "fractions""#, "the numbers grow to 4097 bits"),
    (GOOD, "at_most", "at_least", "a claim at least an attack"),
    (ATTACK, r#""3""#, r#""3.1""#, "below the claim"),
    (ATTACK, r#""at_least": "1""#, r#""at_least": "1.0001""#, "the attack has the strength 1.000000000000, which is below the claim"),
    (ATTACK, r#"[[0, 2, "-1"]]"#, "[]", "below the claim"),
    (ATTACK, "[1, 1,", "[1, 0,", "does not see what node 0 did at time 1"),
    (ATTACK, "[1, 1,", "[2, 1,", "does not see what node 1 did at time 2"),
    (ATTACK, "[1, 1,", "[0, 1,", "does not see what node 1 did at time 0, or it is used twice"),
    (ATTACK, "[0, 2,", "[0, 1,", "does not see what node 1 did at time 0"),
    (ATTACK, r#""observers""#, r#""view": "paper", "observers""#, "does not see what node 2 did at time 0"),
    (ATTACK, r#"[0, 0, "1"]"#, r#"[0, 0, "2"]"#, "the input of node 0 in round 0"),
    (ATTACK, r#"[0, 0, "1"]"#, r#"[0, 1, "1"]"#, "the input of node 1 in round 0"),
    (ATTACK, r#"[0, 0, "1"]"#, r#"[1, 0, "1"]"#, "the input of node 0 in round 1"), // there is one round
    (ATTACK, "[0, 2,", "[1, 2,", "does not see what node 2 did at time 1"), // nothing is drawn
    (ATTACK, "[0, 2,", "[2, 2,", "does not see what node 2 did at time 2"), // the run has ended
    (SUM_ATTACK, "[1, 2,", "[1, 1,", "does not see what node 1 did at time 1"), // who does not observe learns no sum
    (SUM_ATTACK, "[1, 2,", "[2, 2,", "does not see what node 2 did at time 2"),
    (MASK_ATTACK, "[[0, 0, 1,", "[[1, 0, 1,", "does not see what node 0 did at time 1"),
    (MASK_ATTACK, "[[0, 0, 1,", "[[0, 0, 2,", "does not see what node 0 did at time 0"),
    (MASK_ATTACK, r#"[[0, 0, 1, "1"]]"#, "[]", "below the claim"),
    (SYSTEM, r#""at_most": "2""#, r#""at_most": "1.9""#, "the proof gives 2.000000000000"),
    (SYSTEM, r#""inputs": [0]"#, r#""inputs": [1]"#, "distinct, in increasing order and below 1"),
    (SYSTEM, r#""inputs": [0]"#, r#""inputs": []"#, "distinct, in increasing order and below 1"),
    (SYSTEM, r#""inputs": [0]"#, r#""inputs": [0, 0]"#, "distinct, in increasing order and below 1"),
    (SYSTEM, r#"["1", "1", "0"]"#, r#"["1", "1"]"#, "give 1 alibis of 3 changes each"),
    (SYSTEM, r#"["1", "1", "0"]"#, r#"["1", "1", "0"], ["1", "1", "0"]"#, "give 1 alibis of 3 changes each"),
    (SYSTEM, r#""known": []"#, r#""known": [1]"#, "draw 1 cannot change"),
    (SYSTEM, r#"["1", "1", "0"]"#, r#"["1", "0", "0"]"#, "the alibi of input 0 is seen in observation 1"),
    (SYSTEM_ATTACK, "1/40", "1/39", "below the claim"),
    (SYSTEM_ATTACK, r#"[["1/2"]"#, r#"[["3/2"]"#, "an input changes by at most 1"),
    (SYSTEM_ATTACK, r#"[["1/2"]"#, r#"[["1/2", "1"]"#, "give 1 changes and 2 coefficients"),
    (SYSTEM_ATTACK, r#"["1", "0"]"#, r#"["1"]"#, "give 1 changes and 2 coefficients"),
    (MASKED, r#""5/8""#, r#""0.62""#, "the proof gives 0.625000000000"),
    (MASKED, r#""kappa": "1""#, r#""kappa": "1/2""#, "the proof gives 1.093750000000"),
    (MASKED, "3/8", "1/4", "above the claim"),
    (MASKED, "[1, 2, \"3", "[2, 1, \"3", "above the claim"),
    (MASKED, r#""rounds": 1"#, r#""rounds": 2"#, "the proof gives 1.250000000000"),
    (MASKED, "[2, 3, \"", "[3, 0, \"", "nothing can flow from node 3 to node 0 in round 0"), // the observer knows it
    (MASKED, "[2, 3, \"", "[1, 3, \"", "nothing can flow from node 1 to node 3 in round 0"), // there is none
    (MASKED, "[2, 3, \"", "[2, 9, \"", "nothing can flow from node 2 to node 9 in round 0"),
    (MASKED, "[2, 3, \"", "[2, 4, \"", "nothing can flow from node 2 to node 4 in round 0"),
    (MASKED, "[2, 3, \"", "[4, 2, \"", "nothing can flow from node 4 to node 2 in round 0"),
    (MASKED, "[2, 3, \"", "[2, 1, \"", "nothing can flow from node 2 to node 1 in round 0"), // twice
    (MASKED, r#" "masks": {"kappa": "1"},"#, "", "flows go along masks, and the protocol has none"),
    (MASKED, "[1], \"at_most", "[1, 2], \"at_most", "flows: 1 were given, 2 are needed"),
    (BOTH, r#""1/2","#, r#""0.49","#, "the proof gives 0.500000000000"),
    (BOTH, "[1, 2, \"", "[2, 1, \"", "the proof gives 2.500000000000"),
    (BOTH, "[1, 2, \"", "[1, 0, \"", "nothing can flow from node 1 to node 0 in round 0"),
    (BOTH, "[1, 2, \"1", "[1, 2, \"-1", "nothing can flow from node 1 to node 2 in round 0"),
    // What flows to a neighbour of the observer is heard unless that one absorbs it.
    (BOTH, r#"[[1, 2, "1/2"]]"#, r#"[[1, 2, "1/2"], [2, 3, "1/4"]]"#, "node 3 still deviates when it speaks to an observer at time 0"),
    (ALIBI, r#""at_most": "1""#, r#""at_most": "0.9""#, "the proof gives 1.000000000000"),
    (SUM_ALIBI, r#"[0, 2, "1"]"#, "", "node 0 still deviates when it speaks to an observer at time 1"),
    (ALIBI, "[0, 2,", "[0, 3,", "the draw of node 3 at time 0 cannot be shifted"),
    (ALIBI, "[0, 2,", "[0, 9,", "the draw of node 9 at time 0 cannot be shifted"),
    (ALIBI, "[0, 2,", "[7, 2,", "the draw of node 2 at time 7 cannot be shifted"),
    (ALIBI, "[0, 2,", "[0, 0,", "the draw of node 0 at time 0 cannot be shifted"), // the observer knows it
    (ALIBI, "[0, 2,", r#"[0, 2, "0"], [0, 2,"#, "the draw of node 2 at time 0 cannot be shifted"), // twice
    (BOTH, r#""nodes""#, r#""reaction": ["1", "-1.01", "1", "0"], "nodes""#, "node 1 reacts with a factor beyond its Lipschitz constant"),
];

#[test]
fn wrong_proofs_are_refused_with_the_reason() {
    for &(good, from, to, reason) in REFUSED {
        let refusal = verdict(&with(good, from, to)).unwrap_err().to_string();
        assert!(refusal.contains(reason), "{to}: {refusal}");
    }
    assert_eq!(verdict(&with(GOOD, r#""fractions""#, r#""grid": 4096, "fractions""#)), Ok(()));
    // A part of what a sender is shifted by anyhow may be given.
    assert_eq!(verdict(&with(ALIBI, r#"[0, 2, "1"]"#, r#"[0, 2, "1"], [0, 1, "1/4"]"#)), Ok(()));
    // What deviates cannot be absorbed by a node without noise; nothing can.
    let silent = with(GOOD, r#""nodes""#, r#""plan": {"nodes": ["1", "0", "1", "1"]}, "nodes""#);
    let silent = silent.replace(", 1, \"1\"", ", 2, \"1\"");
    let proof = Certificate::parse(GOOD).unwrap().proof;
    let silent = Certificate { proof, ..Certificate::parse(&silent).unwrap() };
    assert_eq!(silent.check(), Err(Refusal::NoDraw { time: 1, node: 1 }));
    let reaction = r#""reaction": ["1", "-1", "1", "0"], "nodes""#;
    assert_eq!(verdict(&with(BOTH, r#""nodes""#, reaction)), Ok(()));
    let two_steps = with(GOOD, r#""gossip_steps": 1"#, r#""gossip_steps": 2"#);
    let read = Certificate::parse(&two_steps);
    assert!(read.is_err(), "no noise is drawn at time 1");
    let heard = verdict(&with(&two_steps, "[1, 1,", "[2, 1,"));
    assert_eq!(heard, Err(Refusal::Heard { time: 1, node: 1 }));
    // An attack that uses nothing has no noise, and no strength.
    let nothing = ATTACK.replace(r#"[0, 1, "-1"], [1, 1, "3"]"#, "").replace(r#"[0, 2, "-1"]"#, "");
    let found = "0.000000000000".into();
    assert_eq!(verdict(&nothing), Err(Refusal::Weaker { found }));
}

#[test]
fn what_is_no_certificate_is_said() {
    let error = |from, to| Certificate::parse(&with(GOOD, from, to)).unwrap_err();
    for (from, to, message) in [
        (r#""observers""#, r#""colour": 3, "observers""#, "the field colour is not known"),
        (r#""nodes""#, r#""seats": 1, "nodes""#, "the field seats is not known"),
        (r#""observers": [0], "#, "", "the field observers is missing"),
        (r#""nodes""#, r#""labels": ["a"], "nodes""#, "protocol.labels"),
        (r#""nodes""#, r#""labels": ["a", "a", "b", "c"], "nodes""#, "protocol.labels"),
        (r#""nodes": 4"#, r#""nodes": 4000000000"#, "protocol.nodes"),
        (r#""rounds": 2"#, r#""rounds": 1000000000"#, "protocol.rounds"),
        ("metropolis", "median", "protocol.network.weights"),
    ] {
        assert!(error(from, to).to_string().contains(message), "{to}");
    }
    let values = [
        (r#""certificate": 1"#, r#""certificate": 2"#),
        ("0.1112", "1e-3"),
        ("0.1112", "1/0"),
        ("0.1112", "NaN"),
        (r#""0.1112""#, "0.1112"),
        (r#""at_most""#, r#""at_least": "1", "at_most""#),
        (r#"[0, 1, "1"]"#, r#"[0, 1, "1.5"]"#),
        (r#"[0, 1, "1"]"#, r#"[0, 1, "-1"]"#),
        (r#"[0, 1, "1"]"#, r#"[1, 1, "1"]"#),
        (r#"[0, 1, "1"]"#, r#"[2, 1, "1"]"#),
        (r#"[0, 1, "1"]"#, r#"[0, 4, "1"]"#),
        (r#"[0, 1, "1"]"#, r#"[0, 1]"#),
        ("[2, 3]", "[2, 4]"),
        ("[2, 3]", "[2, 2]"),
        ("[2, 3]", "[2, -1]"),
        ("metropolis", "median"),
        (r#""rounds": 2"#, r#""rounds": 0"#),
        (r#""nodes""#, r#""every": 0, "nodes""#),
        (r#""nodes""#, r#""refresh": "0", "nodes""#),
    ];
    for (from, to) in values {
        assert!(matches!(error(from, to), CertificateError::Value { .. }), "{to}");
    }
    // Lists in place of objects, and nulls.
    for (from, to) in [
        (
            r#"{"fractions": [[[0, 1, "1"], [1, 1, "1"]]]}"#,
            r#"[null, null, [[[0, 1, "1"], [1, 1, "1"]]], null]"#,
        ),
        (
            r#"{"edges": [[0, 1], [1, 2], [2, 3]], "weights": "metropolis"}"#,
            r#"[[[0, 1], [1, 2], [2, 3]], "metropolis"]"#,
        ),
        (r#""observers""#, r#""view": null, "observers""#),
        (r#""nodes""#, r#""refresh": null, "nodes""#),
    ] {
        assert!(matches!(error(from, to), CertificateError::Value { .. }), "{to}");
    }
}

#[test]
fn deep_long_and_huge_files_are_refused() {
    let error = |text: &str| Certificate::parse(text).unwrap_err();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(error(&deep), CertificateError::Json { .. }));
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let long = "9".repeat(MAX_DIGITS + 1);
    let choices = format!("[{}]", vec!["[]"; 1000].join(","));
    let rounds = GOOD.replace(r#""rounds": 2"#, r#""rounds": 100000"#);
    for text in [
        with(GOOD, r#""0.1112""#, &deep),
        with(GOOD, "0.1112", &long),
        with(&rounds, r#"[[[0, 1, "1"], [1, 1, "1"]]]"#, &choices),
    ] {
        assert!(matches!(error(&text), CertificateError::Value { .. }));
    }
    let longest = with(GOOD, "0.1112", &long[1..]);
    assert_eq!(verdict(&longest), Ok(()));
    let spaces = " ".repeat(MAX_BYTES + 1);
    assert!(matches!(error(&spaces), CertificateError::TooLong { .. }));
    // In each step every node and both ends of each of three edges.
    let steps = ATTACK.replace(r#""gossip_steps": 2"#, r#""gossip_steps": 10000000"#);
    let steps = steps.replace(r#""nodes": 3"#, r#""nodes": 1000"#);
    let steps = with(&steps, "[1, 2]", "[1, 2], [2, 3]");
    assert_eq!(verdict(&steps), Err(Refusal::TooLarge { work: 1006 * 10_000_000 }));
    let network = r#"{"edges": [[0, 1], [1, 2], [2, 3]], "weights": "metropolis"}"#;
    let networks = format!(r#""networks": [{network}, {network}], "each": 5000000"#);
    let varying = with(&steps, &format!(r#""network": {network}"#), &networks);
    let varying = with(&varying, r#""rounds": 1"#, r#""rounds": 2"#).replace("10000000", "5000000");
    assert_eq!(verdict(&varying), Err(Refusal::TooLarge { work: 1006 * 10_000_000 }));
    // Nine networks of two million nodes.
    let nine = [r#"{"edges": [], "weights": "metropolis"}"#; 9].join(",");
    let networks = format!(r#""networks": [{nine}], "each": 1"#);
    let huge = ATTACK.replace(r#""gossip_steps": 2"#, r#""gossip_steps": 9"#);
    let network = r#""network": {"edges": [[0, 1], [1, 2]], "weights": "metropolis"}"#;
    let huge = with(&huge.replace(r#""nodes": 3"#, r#""nodes": 2000000"#), network, &networks);
    assert!(error(&huge).to_string().contains("protocol.networks"), "{}", error(&huge));
}

/// Two readers of a file with a field twice could read two claims.
#[test]
fn fields_that_are_given_twice_are_refused() {
    let doubled = [
        (r#""at_most""#, r#""at_most": "9", "at_most""#),
        (r#""at_most""#, r#""at_most": "0.1112", "at_most""#),
        (r#""nodes""#, r#""nodes": 9, "nodes""#),
        (r#""edges""#, r#""edges": [], "edges""#),
        (r#""fractions""#, r#""\u0066ractions": [[]], "fractions""#),
    ];
    for (from, to) in doubled {
        let error = Certificate::parse(&with(GOOD, from, to)).unwrap_err();
        assert!(error.to_string().contains("twice"), "{to}: {error}");
    }
    // Colons and quotes within strings are no fields.
    let labels = r#""labels": ["\":", "b", "c", "\\"], "nodes""#;
    assert_eq!(verdict(&with(GOOD, r#""nodes""#, labels)), Ok(()));
    let error = Certificate::parse(&with(GOOD, "metropolis", r#"a\":\\"#)).unwrap_err();
    assert!(!error.to_string().contains("twice"), "{error}");
}

/// What could be read in two ways, or hides something: each is refused, or changes nothing.
#[test]
fn questions_with_a_trick_are_refused_or_harmless() {
    let read = |text: &str| Certificate::parse(text).map(|certificate| certificate.check());
    let refused = |from: &str, to: &str| {
        let found = read(&with(GOOD, from, to));
        assert!(!matches!(found, Ok(Ok(()))), "{to}: {found:?}");
    };
    // An edge or an observer twice is one.
    assert_eq!(verdict(&with(GOOD, "[2, 3]", "[2, 3], [3, 2], [1, 2]")), Ok(()));
    assert_eq!(verdict(&with(GOOD, r#""observers": [0]"#, r#""observers": [0, 0]"#)), Ok(()));
    refused(r#""observers": [0]"#, r#""observers": []"#);
    refused(r#""observers": [0]"#, r#""observers": [0, 2]"#);
    refused(r#""observers": [0]"#, r#""observers": [0, 0], "view": "paper""#);
    refused(r#""observers": [0]"#, r#""observers": [9]"#);
    // Phases that have no proof, with rounds that do not divide evenly.
    let three = with(GOOD, r#""rounds": 2"#, r#""rounds": 5, "every": 3"#);
    let all = r#"[[0, 1, "1"], [1, 1, "1"], [2, 1, "1"], [3, 1, "1"], [4, 1, "1"]]"#;
    let plans =
        |plans: &str| with(&three, r#"[[[0, 1, "1"], [1, 1, "1"]]]"#, plans).replace("0.1112", "3");
    assert_eq!(verdict(&plans(&format!("[{all}]"))), Ok(()));
    assert_eq!(verdict(&plans(&format!("[{all}, {all}, {all}]"))), Ok(()));
    for wrong in [
        "[]".to_string(),
        format!("[{all}, {all}]"),
        format!("[{all}, {all}, []]"),
        format!("[[], {all}, {all}]"),
    ] {
        let found = read(&plans(&wrong));
        assert!(!matches!(found, Ok(Ok(()))), "{wrong}: {found:?}");
    }
    // Weights that are not symmetric, not stochastic, negative, repeated, or outside the edges.
    let weights = |entries: &str| {
        let custom = format!(
            r#"{{"denominator": 3, "entries": [[0,0,2],[0,1,1],[1,0,1],[1,1,1],[2,1,1],[2,2,1],[2,3,1],[3,2,1],{entries}]}}"#
        );
        read(&with(GOOD, r#""metropolis""#, &custom))
    };
    assert_eq!(weights("[1,2,1],[3,3,2]"), Ok(Ok(())));
    for entries in [
        "[1,2,0],[3,3,2]",
        "[1,2,2],[3,3,2]",
        "[1,2,1],[3,3,1]",
        "[1,2,1],[3,3,3]",
        "[1,2,-1],[3,3,2]",
        "[1,2,1],[1,2,1],[3,3,2]",
        "[1,2,1],[3,3,2],[0,3,1],[3,0,1]",
    ] {
        assert!(weights(entries).is_err(), "{entries}");
    }
    // Numbers that no reader should follow.
    for number in [
        "1e999999999",
        "1e-999999999",
        "0x1",
        "1_0",
        "--1",
        "1//2",
        "1/2/3",
        "1/-2",
        ".",
        "",
        " 1",
        "\u{0661}",
    ] {
        refused("0.1112", number);
    }
    for tau in ["1e999999999", "1e-999999999", "1/0", "-1"] {
        let found = read(&with(GOOD, r#""nodes""#, &format!(r#""refresh": "{tau}", "nodes""#)));
        assert!(found.is_err(), "{tau}: {found:?}");
    }
    refused(r#""rounds": 2"#, r#""rounds": 2.0"#);
    refused(r#""rounds": 2"#, r#""rounds": 1e999999999"#);
    refused(r#""rounds": 2"#, r#""rounds": 18446744073709551617"#);
    // Masks of no noise, and masks between nodes that do not exist.
    for masks in [
        r#"{"kappa": "0"}"#,
        r#"{"kappa": "-1"}"#,
        r#"{"kappa": "1", "edges": [[1, 4]]}"#,
        r#"{"kappa": "1", "edges": [[2, 2]]}"#,
    ] {
        assert!(read(&with(MASKED, r#"{"kappa": "1"}"#, masks)).is_err(), "{masks}");
    }
    // Steps that stretch without end, where nobody listens.
    let huge = with(GOOD, "[1, 2], ", "").replace(r#""rounds": 2"#, r#""rounds": 20000"#);
    let constant = format!(r#""lipschitz": "1{}", "fractions""#, "0".repeat(38));
    let huge = with(&huge, r#""fractions""#, &constant);
    assert!(matches!(verdict(&huge), Err(Refusal::TooManyBits { .. })));
    // Pairs of sources, and dual vectors of many inputs, beyond what anybody waits for.
    let sources: Vec<_> = (1..=70_000).map(|node| node.to_string()).collect();
    let flows = vec!["[]"; sources.len()].join(",");
    let many = with(MASKED, r#""nodes": 4"#, r#""nodes": 80000"#);
    let many = with(&many, r#""sources": [1]"#, &format!(r#""sources": [{}]"#, sources.join(",")));
    let many = with(&many, r#"[[1, 2, "3/8"], [2, 3, "1/8"]]"#, &flows);
    assert!(matches!(verdict(&many), Err(Refusal::TooLarge { .. })));
    let dual = GOOD.split(r#""absorption""#).next().unwrap();
    let dual = format!(r#"{dual} "alibis": [{{"shifts": [], "lambda": []}}]}}"#);
    let dual = dual.replace(r#""rounds": 2"#, r#""rounds": 2000"#);
    assert!(matches!(verdict(&dual), Err(Refusal::TooLarge { .. })));
}
