//! The loss of vectors, and of users that take part in some rounds only, against the exact engine.

use muffliato_fast::{CertifiedView, GramView, MultiprecisionLimits, ViewLoss};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::Process;
use num_traits::ToPrimitive;

fn florentine(rounds: usize) -> (Protocol, usize, usize) {
    let graph = "florentine".parse::<GraphSpec>().unwrap().build().unwrap();
    let (medici, albizzi) = (
        graph.node("Medici").unwrap(),
        graph.node("Albizzi").unwrap(),
    );
    let network = Network::try_new(graph, WeightScheme::MaxDegreeInverse).unwrap();
    (
        Protocol::gradient_descent(network, rounds, 1).unwrap(),
        medici,
        albizzi,
    )
}

/// Between the signs and the sum of all absolute values: 4.571241, 7.270042, 9.070952.
#[test]
fn vectors_on_the_florentine_families() {
    for (rounds, signs, vectors, absolute) in [
        (5, 4.565819, 4.571241, 4.877409),
        (8, 7.247974, 7.270042, 8.291252),
        (10, 9.038945, 9.070952, 10.62),
    ] {
        let (protocol, medici, albizzi) = florentine(rounds);
        let view = GramView::of(&protocol, &Observer::full(medici)).unwrap();
        let found = view.group_loss(&[albizzi]).unwrap();
        let ends = found.vectors.certified;
        assert!(
            ends.lower() <= vectors + 5e-7 && vectors - 5e-7 <= ends.upper(),
            "{ends:?}"
        );
        assert!(ends.upper() - ends.lower() < 1e-6, "{ends:?}");
        // Signs are searched one by one: what they reach is a lower end.
        let scalars = found.loss.certified;
        assert!(scalars.lower() <= signs + 5e-7 && signs <= scalars.upper());
        assert!(ends.upper() > signs);
        assert!(
            (found.absolute_sum.estimate - absolute).abs() < 5e-3,
            "{found:?}"
        );
    }
}

fn encloses(found: &ViewLoss, protocol: &Protocol, observer: usize, source: usize) {
    let view = Process::run(protocol)
        .unwrap()
        .view(&Observer::full(observer))
        .unwrap();
    let exact = view.loss(&[source]).unwrap();
    let (scalar, sum) = (
        exact.scalar.to_f64().unwrap(),
        exact.vector_upper.to_f64().unwrap(),
    );
    let (loss, vectors) = (found.loss.certified, found.vectors.certified);
    assert!(
        loss.lower() <= scalar + 1e-12 && scalar <= loss.upper() + 1e-12,
        "{loss:?} {scalar}"
    );
    assert!(
        vectors.upper() <= sum + 1e-9 && vectors.upper() >= scalar - 1e-12,
        "{vectors:?} {sum}"
    );
}

#[test]
fn users_of_every_second_or_third_round() {
    let network = Network::metropolis("karate".parse().unwrap()).unwrap();
    for every in [1, 2, 3, 9] {
        let protocol = Protocol::gradient_descent(network.clone(), 4, 1).unwrap();
        let protocol = protocol.every(every).unwrap();
        let view = GramView::of(&protocol, &Observer::full(11)).unwrap();
        let losses = view.losses().unwrap();
        for source in [0, 4, 33] {
            encloses(&losses[source].unwrap(), &protocol, 11, source);
        }
        let twice = Protocol::gradient_descent(network.clone(), 3, 2).unwrap();
        let twice = twice.every(every).unwrap();
        let limits = MultiprecisionLimits::default();
        let view = CertifiedView::of(&twice, &Observer::full(11), &limits).unwrap();
        for source in [0, 4, 33] {
            encloses(&view.losses()[source].unwrap(), &twice, 11, source);
        }
    }
}
