//! Any linear system: agreement with the views of protocols, both ends, and what is refused.

use super::protocol;
use muffliato_account::{Account, AccountError, Status};
use muffliato_certificate::{Claim, LinearSystem, SystemCertificate};
use muffliato_model::{Draw, Graph, Network, Observer, Protocol};
use muffliato_reference::{BigRational, Process};
use serde_json::json;

fn whole(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// Returns the view of a protocol as a system: the messages over all draws, the inputs of the first
/// round at their nodes, and the known draws.
fn system_of(protocol: &Protocol, observer: &Observer) -> LinearSystem {
    let process = Process::run(protocol).unwrap();
    let draws = process.draws();
    let deviation = |draw: &Draw| {
        muffliato_reference::rational(protocol.variance(*draw).square_root().unwrap())
    };
    let known: Vec<usize> = (0..draws.len()).filter(|&d| draws[d].is_known_to(observer)).collect();
    let (mut rows, mut inputs) = (Vec::new(), Vec::new());
    for time in 0..protocol.steps() {
        for sender in protocol.step(time).senders_to(observer.members()) {
            let row = process.coefficients(time, sender).unwrap();
            inputs.push(row[..protocol.nodes()].to_vec());
            rows.push(row);
        }
    }
    LinearSystem::try_new(rows, inputs, draws.iter().map(deviation).collect(), &known).unwrap()
}

#[test]
fn systems_of_protocols_lose_what_their_views_lose() {
    for (graph, text, steps) in
        [("path:4", "one-shot", 3), ("path:4", "refreshed:1/3", 3), ("ring:4", "masked:2", 2)]
    {
        let protocol = protocol(graph, text, steps);
        let observer = Observer::full(0);
        let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
        let system = system_of(&protocol, &observer);
        let account = Account::of_system(&system);
        for source in 1..4 {
            let loss = account.loss(&[source]).unwrap();
            assert_eq!(loss.fraction(), Some(&view.leakage(source).unwrap()));
            assert_eq!(loss.status(), Status::Exact);
        }
    }
    // Three users whose inputs pull in different directions: numbers lose 8/3, vectors at most 3.
    let graph = Graph::try_new(5, [(2, 3), (0, 4), (1, 4), (2, 4)]).unwrap();
    let protocol = Protocol::one_shot(Network::metropolis(graph).unwrap(), 3).unwrap();
    let system = system_of(&protocol, &Observer::full(0));
    let loss = Account::of_system(&system).loss(&[1, 2, 3]).unwrap();
    assert_eq!(loss.for_scalars().fraction().unwrap().to_string(), "8/3");
    assert_eq!(loss.upper(), 3.0);
    let certificate = Account::of_system(&system).certificate(&[1, 2, 3]).unwrap();
    assert_eq!(certificate.claim, Claim::AtMost(whole(3)));
}

fn read(value: serde_json::Value) -> LinearSystem {
    LinearSystem::from_value(&value).unwrap()
}

/// Losses above 1, floats as they are in binary, draws that are known, and inputs without noise.
#[test]
fn losses_are_exact_and_may_be_infinite() {
    let loss = |value| {
        let system = read(value);
        Account::of_system(&system).loss(&[0]).unwrap()
    };
    let small = loss(json!({"A": [[1]], "B": [[1]], "std": ["1/2"]}));
    assert_eq!(small.fraction(), Some(&whole(4)));
    let tenth = loss(json!({"A": [[0.1]], "B": [[0.1]], "std": [1]}));
    assert_eq!(tenth.fraction(), Some(&whole(1)));
    let tenth = loss(json!({"A": [["0.1"]], "B": [[0.1]], "std": [1]}));
    assert_ne!(tenth.fraction(), Some(&whole(1)));
    let known = json!({"A": [[1, 1]], "B": [[1]], "std": [1, 1], "known": [1]});
    assert_eq!(loss(known).fraction(), Some(&whole(1)));
    for infinite in [
        json!({"A": [[1, 0], [1, 0]], "B": [[1], [0]], "std": [1, 1]}),
        json!({"A": [[1]], "B": [[1]], "std": [0]}),
        json!({"A": [[1]], "B": [[1]], "std": [1], "known": [0]}),
    ] {
        let system = read(infinite);
        let account = Account::of_system(&system);
        let found = account.guarantee(&[0]).unwrap();
        assert_eq!(found.upper(), f64::INFINITY);
        assert_eq!(found.at(1.0, 1.0).unwrap().epsilon(1e-6).unwrap(), f64::INFINITY);
        assert!(matches!(account.certificate(&[0]), Err(AccountError::Unhidden)));
        assert!(matches!(account.attack_certificate(&[0]), Err(AccountError::Unhidden)));
    }
    let nothing = json!({"A": [[1]], "B": [[0, 1]], "std": [1], "known": [0]});
    assert_eq!(loss(nothing).fraction(), Some(&whole(0)));
}

/// Both ends of a correlated release, on file, and what the checker refuses.
#[test]
fn certificates_prove_both_ends() {
    let system = read(json!({
        "A": [[1, 0, 1, 0], [0, 1, -1, 0], [0, 0, 1, 1]],
        "B": [[1, 0], [1, "1/2"], [0, 1]],
        "std": [1, "1/2", 2, 1],
        "known": [3],
    }));
    let account = Account::of_system(&system);
    for inputs in [&[0][..], &[1], &[0, 1]] {
        let scalars = account.loss(inputs).unwrap().for_scalars();
        let scalars = scalars.fraction().unwrap();
        let (most, least) =
            (account.certificate(inputs).unwrap(), account.attack_certificate(inputs).unwrap());
        for claim in [&most, &least] {
            let text = claim.to_json().unwrap();
            assert!(SystemCertificate::is_one(&text));
            assert_eq!(&SystemCertificate::parse(&text).unwrap(), claim);
            assert_eq!(claim.check(), Ok(()));
        }
        let (Claim::AtMost(most_loss), Claim::AtLeast(least_loss)) = (&most.claim, &least.claim)
        else {
            panic!()
        };
        assert!(least_loss == scalars && most_loss >= scalars);
        let mut less = most.clone();
        less.claim = Claim::AtMost(most_loss - whole(1) / whole(1000));
        let mut more = least.clone();
        more.claim = Claim::AtLeast(least_loss + whole(1) / whole(1000));
        let mut moved = most.clone();
        moved.proof[0][3] = whole(1); // a known draw
        let mut seen = most.clone();
        seen.proof[0][0] += whole(1);
        for wrong in [less, more, moved, seen] {
            assert!(wrong.check().is_err(), "{wrong}");
        }
    }
    assert!(matches!(account.loss(&[2]), Err(AccountError::NoSuchInput { .. })));
    assert!(account.loss(&[]).is_err());
    assert!(account.guarantee(&[0, 1]).unwrap().to_string().starts_with("the inputs 0 and 1"));
}

#[test]
fn bad_systems_are_refused_by_name() {
    for (value, named) in [
        (json!({"A": [[1, 2]], "B": [[1]], "std": [1]}), "A, row 0"),
        (json!({"A": [[1]], "B": [], "std": [1]}), "A"),
        (json!({"A": [[1], [1]], "B": [[1]], "std": [1]}), "B"),
        (json!({"A": [[1]], "B": [[1]], "std": [-1]}), "std"),
        (json!({"A": [[1]], "B": [[1]], "std": [1], "known": [1]}), "known"),
        (json!({"A": [["x"]], "B": [[1]], "std": [1]}), "A[0]"),
        (json!({"A": [["1/0"]], "B": [[1]], "std": [1]}), "A[0]"),
        (json!({"A": [[1]], "B": [[1]], "std": [1], "sd": [1]}), "sd"),
        (json!([]), "system"),
    ] {
        let refused = LinearSystem::from_value(&value).unwrap_err().to_string();
        assert!(refused.contains(named), "{value}: {refused}");
    }
    let system = read(json!({"A": [[1]], "B": [[1]], "std": [1]}));
    let account = Account::of_system(&system);
    for (inputs, named) in [(&[][..], "no input was named"), (&[1], "input 1 is outside 0..1")] {
        let refused = account.loss(inputs).unwrap_err().to_string();
        assert!(refused.contains(named), "{refused}");
    }
    let size = 600;
    let row = |i: usize| (0..size).map(|j| 1.0 / (1 + i + j) as f64).collect::<Vec<f64>>();
    let large: Vec<Vec<f64>> = (0..size).map(row).collect();
    let system = read(json!({"A": large, "B": vec![vec![1]; size], "std": vec![1; size]}));
    let refused = Account::of_system(&system).loss(&[0]);
    assert!(matches!(refused, Err(AccountError::Fast(_))), "{refused:?}");
}
