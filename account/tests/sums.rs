//! Secure summation: an observer learns the weighted sum of the messages of each step.

use super::{graphs, network, on, protocol};
use muffliato_account::{Account, Choice, Knowledge, Observers, Status};
use muffliato_certificate::{Certificate, Claim, Proof};
use muffliato_fast::{CertifiedView, GramView, MultiprecisionLimits};
use muffliato_model::{Graph, Network, Observer, Protocol};
use muffliato_reference::{BigRational, Process};

fn exact(protocol: &Protocol, source: usize, observer: &Observer) -> BigRational {
    Process::run(protocol).unwrap().view(observer).unwrap().leakage(source).unwrap()
}

#[test]
fn sums_of_several_steps_single_out_a_neighbour() {
    for (steps, loss) in [(1, "1/2"), (2, "2/3"), (3, "1")] {
        let protocol = Protocol::one_shot(network("path:4"), steps).unwrap();
        assert_eq!(exact(&protocol, 0, &Observer::sum(1)).to_string(), loss);
        let account = Account::of(&protocol).knowledge(Knowledge::Sum).build().unwrap();
        let found = account.guarantee(0, 1).unwrap();
        assert_eq!(found.fraction().unwrap().to_string(), loss);
        assert!(found.to_string().contains("sum of the messages"), "{found}");
        // One neighbour alone is its sum.
        assert_eq!(exact(&protocol, 2, &Observer::sum(0)), exact(&protocol, 2, &Observer::full(0)));
    }
}

/// On every graph of up to 5 nodes, averaging, training, with masks, accelerated and on a graph that
/// changes: fractions, the Gram form and the account agree, and no loss exceeds that of the messages.
#[test]
fn the_engines_agree_on_every_small_graph() {
    assert_eq!([3, 4, 5].map(|nodes| graphs(nodes).len()), [4, 11, 34]);
    for graph in [3, 4, 5].into_iter().flat_map(graphs) {
        let nodes = graph.nodes();
        let complete = Network::metropolis(format!("complete:{nodes}").parse().unwrap()).unwrap();
        let network = Network::metropolis(graph).unwrap();
        let changing = vec![complete.clone(), network.clone(), complete];
        let fresh = |protocol: Protocol| protocol.refreshed("1/3".parse().unwrap()).unwrap();
        let protocols = [
            on(&network, "gd:1x3:1/3", 1),
            on(&network, "gd:2x2:1/3", 1),
            on(&network, "gd:3x1", 1),
            on(&network, "gd:3x1:every=2", 1),
            on(&network, "gd:1x2:1/3+masked:2", 1),
            on(&network, "gd:1x3:1/3", 1).accelerated("5/4".parse().unwrap()).unwrap(),
            fresh(Protocol::time_varying(changing.clone()).unwrap()),
            Protocol::gradient_descent_on(changing, 1).unwrap(),
        ];
        for protocol in protocols {
            let process = Process::run(&protocol).unwrap();
            let account = Account::of(&protocol).knowledge(Knowledge::Sum).build().unwrap();
            for observer in [Observer::sum(0), Observer::sums([0, nodes - 1]).unwrap()] {
                let sums = process.view(&observer).unwrap();
                let messages = process.view(&observer.with_messages()).unwrap();
                let fast = GramView::of(&protocol, &observer).unwrap();
                let fast_losses = fast.losses().unwrap();
                for source in (0..nodes).filter(|&u| !observer.contains(u)) {
                    let exact = sums.loss(&[source]).unwrap().scalar;
                    assert!(exact <= messages.loss(&[source]).unwrap().scalar);
                    let ends = fast_losses[source].unwrap().scalars.certified;
                    let float = muffliato_account::Number::from(exact.clone());
                    assert!(
                        ends.lower() <= float.upper() && float.lower() <= ends.upper(),
                        "{protocol:?} {observer} {source}: {ends:?} {float:?}"
                    );
                    // Signs of more inputs may differ, and the ends with them.
                    if fast.is_certified() && protocol.rounds() < 3 {
                        assert!(ends.upper() - ends.lower() < 1e-8);
                    }
                    let loss = account.loss_towards(&[source], &observer).unwrap().for_scalars();
                    assert!(loss.upper() >= float.lower(), "{protocol:?} {observer} {source}");
                    assert!(loss.fraction().is_none_or(|fraction| *fraction == exact));
                }
            }
        }
    }
}

/// Whoever observes, alone or in pairs, the engine that answers is exact.
#[test]
fn the_account_is_exact_for_every_observer_and_pair() {
    for graph in [3, 4, 5].into_iter().flat_map(graphs) {
        let protocol = Protocol::one_shot(Network::metropolis(graph).unwrap(), 3).unwrap();
        let process = Process::run(&protocol).unwrap();
        let account = Account::of(&protocol).knowledge(Knowledge::Sum).build().unwrap();
        let nodes = 0..protocol.nodes();
        for (a, b) in nodes.clone().flat_map(|a| (a..nodes.end).map(move |b| (a, b))) {
            let members = if a == b { vec![a] } else { vec![a, b] };
            let observer = Observer::sums(members).unwrap();
            let sums = process.view(&observer).unwrap();
            for source in nodes.clone().filter(|&u| !observer.contains(u)) {
                let loss = account.loss_towards(&[source], &observer).unwrap();
                assert_eq!(loss.fraction(), Some(&sums.leakage(source).unwrap()), "{protocol:?}");
            }
        }
    }
}

fn claim(certificate: &Certificate) -> &BigRational {
    match &certificate.claim {
        Claim::AtMost(loss) | Claim::AtLeast(loss) => loss,
    }
}

/// Alibis and attacks meet at the exact loss, survive a file, and are refused for less.
#[test]
fn certificates_prove_both_ends() {
    for graph in ["path:4", "star:4", "ring:5", "complete:4"] {
        for members in [vec![1], vec![0, 1]] {
            for text in ["one-shot", "refreshed:1/3"] {
                let protocol = protocol(graph, text, 3);
                let observer = Observer::sums(members.clone()).unwrap();
                let account = Account::of(&protocol).knowledge(Knowledge::Sum);
                let account = account.coalition(members.clone()).sources([3]).build().unwrap();
                let loss = exact(&protocol, 3, &observer);
                let (most, least) =
                    (account.certificate().unwrap(), account.attack_certificate().unwrap());
                for certificate in [most, least] {
                    assert_eq!(claim(&certificate), &loss, "{graph}");
                    assert_eq!(certificate.observer, observer);
                    let text = certificate.to_json().unwrap();
                    assert!(text.contains("\"sum\""));
                    let read = Certificate::parse(&text).unwrap();
                    assert_eq!(read.check(), Ok(()));
                    // The alibi of a sum is heard by one who sees the messages.
                    let mut others = read.clone();
                    others.observer = observer.with_messages();
                    if exact(&protocol, 3, &others.observer) > loss {
                        let alibi = matches!(others.proof, Proof::Alibis(_));
                        assert!(!alibi || others.check().is_err(), "{graph}");
                    }
                }
            }
        }
    }
}

/// Other protocols and sizes: upper ends of the messages where nothing better is known.
#[test]
fn every_protocol_has_an_upper_bound() {
    let randomized =
        Protocol::randomized("path:4".parse::<Graph>().unwrap(), vec![(0, 1), (1, 2), (2, 3)]);
    let randomized = randomized.unwrap();
    let (sums, messages) = (Observer::sum(2), Observer::full(2));
    assert_eq!(exact(&randomized, 0, &sums), exact(&randomized, 0, &messages));

    let large = Protocol::one_shot(network("hypercube:6"), 4).unwrap();
    let sum = Account::of(&large).knowledge(Knowledge::Sum).build().unwrap().loss(1, 0).unwrap();
    assert!(sum.lower() == 0.0 && sum.upper() == 1.0);
    let fresh = large.refreshed("1/10".parse().unwrap()).unwrap();
    let account = |view| Account::of(&fresh).knowledge(view).engine(Choice::Fast).build().unwrap();
    let (sum, full) =
        (account(Knowledge::Sum).loss(1, 0).unwrap(), account(Knowledge::Full).loss(1, 0).unwrap());
    assert_eq!(sum.status(), Status::Certified);
    assert!(sum.lower() > 0.0 && sum.upper() < full.upper());

    let descent = Protocol::gradient_descent(network("ring:6"), 4, 1).unwrap();
    let account = |view| Account::of(&descent).knowledge(view).build().unwrap();
    let (sum, full) = (account(Knowledge::Sum), account(Knowledge::Full));
    // In the model of fixed gradients it loses less; for real losses the bound is that of messages.
    assert!(sum.loss(1, 0).unwrap().upper() < full.loss(1, 0).unwrap().upper());
    assert_eq!(sum.guarantee(3, 0).unwrap().upper(), full.guarantee(3, 0).unwrap().upper());
    let masked = descent.clone().masked("2".parse().unwrap()).unwrap();
    let account = Account::of(&masked).knowledge(Knowledge::Sum).build().unwrap();
    let of_messages = Account::of(&masked).build().unwrap().guarantee(3, 0).unwrap().upper();
    assert!((account.guarantee(3, 0).unwrap().upper() - of_messages).abs() < 1e-9);

    // What is about single messages is refused.
    let refused = CertifiedView::of(&randomized, &sums, &MultiprecisionLimits::default());
    assert!(refused.is_err());
    let all = Account::of(&descent).observers(Observers::All);
    let all = all.knowledge("sum".parse().unwrap()).build().unwrap();
    assert!(all.summary().is_ok());
}
