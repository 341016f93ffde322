//! Questions that make no sense get a typed error with the place, never a panic.

use muffliato_model::{
    CustomWeights, Fraction, Graph, GraphSpec, Network, Observer, ObserverError, Protocol,
    ProtocolError, WeightError, WeightScheme,
};
use muffliato_reference::{
    GossipMatrix, PaperBounds, Process, ReferenceError,
    bounds::{
        RoundExponent, erdos_renyi_bound, gd_bound_general, gd_bound_simple, random_walk_bound,
        time_varying_coalition_gd,
    },
    decimal::rounded_up,
    first_passage_bound,
    guarantee::{NoiseScale, local_error, mironov_epsilon},
    refreshed_walk_bound,
    spectral::{Rate, acceleration, randomized_gap, spectral_gap, steps_to_converge},
    utility::{randomized_error, synchronous_utility},
};
use num_rational::BigRational;
use num_traits::Zero;

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

fn graph(text: &str) -> Graph {
    text.parse::<GraphSpec>().unwrap().build().unwrap()
}

fn metropolis(text: &str) -> Network {
    Network::try_new(graph(text), WeightScheme::Metropolis).unwrap()
}

#[test]
fn protocols_without_steps_rounds_or_nodes_cannot_be_made() {
    assert_eq!(
        Protocol::one_shot(metropolis("path:3"), 0),
        Err(ProtocolError::NoSteps)
    );
    assert_eq!(
        Protocol::gradient_descent(metropolis("path:3"), 1, 0),
        Err(ProtocolError::NoSteps)
    );
    assert_eq!(
        Protocol::gradient_descent(metropolis("path:3"), 0, 1),
        Err(ProtocolError::NoRounds)
    );
    assert!(Graph::try_new(0, []).is_err());
}

#[test]
fn flawed_custom_weights_cannot_be_made() {
    let path = graph("path:2");
    let weights = |entries: [(usize, usize, i128); 4]| CustomWeights::try_new(&path, 4, entries);
    let asymmetric = weights([(0, 0, 1), (0, 1, 3), (1, 0, 2), (1, 1, 2)]);
    assert!(matches!(
        asymmetric,
        Err(WeightError::Asymmetric {
            row: 0,
            column: 1,
            ..
        })
    ));
    let negative = weights([(0, 0, 5), (0, 1, -1), (1, 0, -1), (1, 1, 5)]);
    assert_eq!(
        negative,
        Err(WeightError::Negative {
            row: 0,
            column: 1,
            value: "-1/4".into()
        })
    );
    let sum = weights([(0, 0, 1), (0, 1, 3), (1, 0, 3), (1, 1, 2)]);
    assert_eq!(
        sum,
        Err(WeightError::RowSum {
            row: 1,
            sum: "5/4".into()
        })
    );
}

#[test]
fn nodes_out_of_range_are_named() {
    let protocol = Protocol::one_shot(metropolis("path:3"), 2).unwrap();
    let process = Process::run(&protocol).unwrap();
    let bounds = PaperBounds::of(&protocol).unwrap();
    let outside = Observer::full(3);
    let error = ReferenceError::Observer(ObserverError::OutOfRange { node: 3, nodes: 3 });
    assert_eq!(process.view(&outside).unwrap_err(), error);
    assert_eq!(bounds.pairwise(0, &outside).unwrap_err(), error);
    assert_eq!(bounds.mean_loss(&outside).unwrap_err(), error);
    assert_eq!(
        random_walk_bound(&protocol, 0, &outside).unwrap_err(),
        error
    );

    let observer = Observer::full(2);
    let view = process.view(&observer).unwrap();
    let error = ReferenceError::SourceOutOfRange {
        source_node: 7,
        nodes: 3,
    };
    assert_eq!(view.leakage(7).unwrap_err(), error);
    assert_eq!(view.statistic(&[7]).unwrap_err(), error);
    assert_eq!(bounds.pairwise(7, &observer).unwrap_err(), error);
    let error = ReferenceError::SourceObserves { node: 2 };
    assert_eq!(view.leakage(2).unwrap_err(), error);
    assert_eq!(bounds.group(&[0, 2], &observer).unwrap_err(), error);
    assert_eq!(view.loss(&[]).unwrap_err(), ReferenceError::NoSource);
    assert_eq!(
        bounds.group(&[], &observer).unwrap_err(),
        ReferenceError::NoSource
    );
    assert_eq!(view.projection((9, 0), (0, 0)), None);
    assert_eq!(view.projection((usize::MAX, 1), (0, 0)), None);
    assert_eq!(view.projection((1, 0), (0, 0)), None);
    assert_eq!(view.projection((0, 0), (0, 3)), None);
    assert!(process.coefficients(3, 0).is_none() && process.coefficients(0, 3).is_none());
}

#[test]
fn bounds_of_gradient_descent_name_nodes_out_of_range() {
    let descent = Protocol::gradient_descent(metropolis("path:3"), 2, 1).unwrap();
    let all = |source, observer: &Observer| {
        [
            gd_bound_simple(&descent, source, observer),
            gd_bound_general(&descent, source, observer, RoundExponent::Full),
            time_varying_coalition_gd(&descent, source, observer),
        ]
    };
    let source_node = 7;
    let outside = ReferenceError::SourceOutOfRange {
        source_node,
        nodes: 3,
    };
    assert_eq!(
        all(source_node, &Observer::full(2)),
        [0; 3].map(|_| Err(outside.clone()))
    );
    let observes = ReferenceError::SourceObserves { node: 2 };
    assert_eq!(
        all(2, &Observer::full(2)),
        [0; 3].map(|_| Err(observes.clone()))
    );
}

#[test]
fn formulas_refuse_protocols_that_they_are_not_about() {
    let varying = Protocol::time_varying(vec![metropolis("path:3"); 2]).unwrap();
    let randomized = Protocol::randomized(graph("path:3"), vec![(0, 1)]).unwrap();
    let descent = Protocol::gradient_descent(metropolis("path:3"), 2, 1).unwrap();
    let observer = Observer::full(2);
    let walk = |protocol| random_walk_bound(protocol, 0, &observer);
    assert!(matches!(
        walk(&varying),
        Err(ReferenceError::NotApplicable { .. })
    ));
    assert!(matches!(
        walk(&descent),
        Err(ReferenceError::NotApplicable { .. })
    ));
    assert!(matches!(
        gd_bound_simple(&varying, 0, &observer),
        Err(ReferenceError::NotApplicable { .. })
    ));
    assert!(matches!(
        gd_bound_general(&randomized, 0, &observer, RoundExponent::Full),
        Err(ReferenceError::NotApplicable { .. })
    ));
    assert!(PaperBounds::of(&descent).is_err());
    assert!(first_passage_bound(&varying, 0, &observer).is_err());
    assert!(refreshed_walk_bound(&descent, 0, &observer).is_err());
}

#[test]
fn the_walk_bound_needs_positive_weights_around_the_observer() {
    let path = graph("path:2");
    let identity = CustomWeights::try_new(&path, 1, [(0, 0, 1), (1, 1, 1)]).unwrap();
    let network = Network::try_new(path, WeightScheme::Custom(identity)).unwrap();
    let protocol = Protocol::one_shot(network, 1).unwrap();
    assert_eq!(
        random_walk_bound(&protocol, 0, &Observer::full(1)),
        Err(ReferenceError::ZeroWeight { u: 1, v: 0 })
    );
    let lonely =
        Network::try_new(Graph::try_new(2, []).unwrap(), WeightScheme::Metropolis).unwrap();
    let protocol = Protocol::one_shot(lonely, 1).unwrap();
    assert_eq!(
        random_walk_bound(&protocol, 0, &Observer::full(1)),
        Err(ReferenceError::NoNeighbour {
            observer: "full:1".into()
        })
    );
    // An isolated observer sees nothing but its own draw.
    let process = Process::run(&protocol).unwrap();
    let view = process.view(&Observer::full(1)).unwrap();
    assert_eq!((view.messages(), view.rank()), (0, 1));
    assert!(view.leakage(0).unwrap().is_zero());
    let process = Process::run(&protocol).unwrap();
    let view = process.view(&Observer::paper(1)).unwrap();
    assert_eq!(view.rank(), 0);
    assert!(view.leakage(0).unwrap().is_zero());
}

#[test]
fn graphs_without_a_gap_are_told_what_to_use() {
    let disconnected = Network::try_new(
        Graph::try_new(4, [(0, 1), (2, 3)]).unwrap(),
        WeightScheme::Metropolis,
    );
    let gap = spectral_gap(&disconnected.unwrap(), 30).unwrap();
    assert!(gap.upper().is_zero());
    let error = acceleration(&gap, 30).unwrap_err();
    assert!(error.to_string().contains("Metropolis or lazy"), "{error}");
    let steps = steps_to_converge(Rate::Accelerated, &gap, 4, &ratio(1, 1), &ratio(1, 1), 30);
    assert!(matches!(steps, Err(ReferenceError::NoGap { .. })));
    let single = spectral_gap(&metropolis("path:1"), 30);
    assert_eq!(single, Err(ReferenceError::SingleNode));
    let single = randomized_gap(&graph("path:1"), &[], 30);
    assert_eq!(single, Err(ReferenceError::SingleNode));
}

#[test]
fn numbers_outside_their_range_are_refused() {
    let network = metropolis("path:3");
    let gap = spectral_gap(&network, 30).unwrap();
    let zero = ratio(0, 1);
    assert!(steps_to_converge(Rate::Accelerated, &gap, 3, &zero, &zero, 30).is_err());
    assert!(NoiseScale::try_new(ratio(1, 1), zero.clone()).is_err());
    assert!(NoiseScale::try_new(ratio(-1, 1), ratio(1, 1)).is_err());
    let scale = NoiseScale::try_new(ratio(1, 1), ratio(1, 1)).unwrap();
    assert!(scale.rdp(&ratio(1, 2), &ratio(1, 1)).is_err());
    assert!(scale.zcdp(&ratio(-1, 2)).is_err());
    assert!(mironov_epsilon(&zero, &ratio(2, 1), &ratio(1, 1), 30).is_err());
    assert!(mironov_epsilon(&zero, &ratio(1, 1), &ratio(1, 2), 30).is_err());
    assert!(mironov_epsilon(&ratio(-5, 1), &ratio(2, 1), &ratio(1, 2), 30).is_err());
    assert!(local_error(3, &ratio(-2, 1), &ratio(1, 1), &ratio(1, 1)).is_err());
    assert!(local_error(3, &ratio(2, 1), &ratio(-1, 1), &ratio(1, 1)).is_err());
    let large = muffliato_reference::enclosure::Interval::exact(ratio(5, 1));
    assert!(
        acceleration(&large, 30)
            .unwrap_err()
            .to_string()
            .contains("between 0 and 1")
    );
    assert!(local_error(0, &ratio(2, 1), &ratio(1, 1), &ratio(1, 1)).is_err());
    assert!(local_error(3, &ratio(2, 1), &ratio(1, 1), &zero).is_err());
    let values = [ratio(1, 1), ratio(2, 1)];
    assert_eq!(
        synchronous_utility(&network, 2, &values, &ratio(1, 1), 30),
        Err(ReferenceError::WrongLength {
            what: "input values",
            given: 2,
            expected: 3
        })
    );
    let three = [ratio(1, 1), ratio(2, 1), ratio(0, 1)];
    assert!(synchronous_utility(&network, 2, &three, &ratio(-1, 1), 30).is_err());
    let too_likely = [ratio(2, 3), ratio(2, 3)];
    assert!(randomized_gap(network.graph(), &too_likely, 30).is_err());
    assert!(randomized_error(network.graph(), &too_likely[..1], 1, &three, &zero).is_err());
    let negative = [ratio(-1, 3), ratio(1, 3)];
    assert!(randomized_gap(network.graph(), &negative, 30).is_err());
    let widest = muffliato_reference::enclosure::Interval::exact(ratio(2, 1));
    let one = ratio(1, 1);
    assert!(steps_to_converge(Rate::Randomized, &widest, 3, &one, &one, 30).is_ok());
    let process = Process::run(&Protocol::one_shot(network, 1).unwrap()).unwrap();
    assert!(process.averaging_error(&values).is_err());
    assert!(process.expected_error(&[], &zero).is_err());
}

#[test]
fn too_many_signs_and_too_many_numbers_are_refused() {
    // Round inputs on a path are mixed in sign for some source; 21 of them are too many.
    let descent = Protocol::gradient_descent(metropolis("path:4"), 21, 1).unwrap();
    let process = Process::run(&descent).unwrap();
    let view = process.view(&Observer::full(0)).unwrap();
    let refused = (1..4).map(|u| view.loss(&[u])).find_map(Result::err);
    assert_eq!(
        refused,
        Some(ReferenceError::TooManyInputs {
            inputs: 21,
            limit: 20
        })
    );
    assert!(view.loss_upper(&[3]).unwrap() > ratio(0, 1));

    let large = Protocol::one_shot(metropolis("ring:3000"), 20).unwrap();
    let error = Process::run(&large).unwrap_err();
    assert!(matches!(
        error,
        ReferenceError::TooLarge {
            nodes: 3000,
            steps: 20,
            ..
        }
    ));
    assert!(matches!(
        PaperBounds::of(&large),
        Err(ReferenceError::TooLarge { .. })
    ));
}

#[test]
fn extreme_sizes_are_refused_before_they_are_tried() {
    let endless = Protocol::one_shot(metropolis("path:3"), usize::MAX).unwrap();
    let tau = Fraction::try_new(1, 2).unwrap();
    let refreshed = endless.clone().refreshed(tau).unwrap();
    let rounds = Protocol::gradient_descent(metropolis("path:3"), 1 << 40, 1).unwrap();
    let long_rounds = Protocol::gradient_descent(metropolis("path:3"), 1, usize::MAX).unwrap();
    let observer = Observer::full(2);
    let refusals = [
        Process::run(&endless).map(|_| ()),
        Process::run(&refreshed).map(|_| ()),
        PaperBounds::of(&endless).map(|_| ()),
        random_walk_bound(&endless, 0, &observer).map(|_| ()),
        first_passage_bound(&refreshed, 0, &observer).map(|_| ()),
        refreshed_walk_bound(&refreshed, 0, &observer).map(|_| ()),
        gd_bound_simple(&long_rounds, 0, &observer).map(|_| ()),
        gd_bound_general(&rounds, 0, &observer, RoundExponent::Full).map(|_| ()),
        time_varying_coalition_gd(&rounds, 0, &observer).map(|_| ()),
        GossipMatrix::of_network(&metropolis("path:100000")).map(|_| ()),
        spectral_gap(&metropolis("path:100000"), 30).map(|_| ()),
    ];
    for (number, refusal) in refusals.into_iter().enumerate() {
        assert!(
            matches!(refusal, Err(ReferenceError::TooLarge { .. })),
            "{number}: {refusal:?}"
        );
    }
    assert_eq!(endless.messages_to(&observer), Ok(usize::MAX));
    let values = [1, 2, 3].map(|x| ratio(x, 1));
    let one = ratio(1, 1);
    let utility = synchronous_utility(&metropolis("path:3"), usize::MAX, &values, &one, 30);
    assert!(matches!(utility, Err(ReferenceError::TooLarge { .. })));
    let error = randomized_error(
        &graph("path:3"),
        &[ratio(1, 2), ratio(1, 2)],
        usize::MAX,
        &values,
        &one,
    );
    assert!(matches!(error, Err(ReferenceError::TooLarge { .. })));
    let w = GossipMatrix::of_network(&metropolis("path:3")).unwrap();
    assert!(w.power(usize::MAX).is_err());
    assert_eq!((w.entry(3, 0), w.entry(0, 3)), (None, None));
    assert!(erdos_renyi_bound(1 << 40, 1 << 30, 1, 1, &ratio(1, 2), &one, &ratio(3, 2)).is_err());
    let coarse = spectral_gap(&metropolis("path:3"), u32::MAX).unwrap();
    assert!(coarse.contains(&ratio(1, 3)));
    assert_eq!(rounded_up(&ratio(1, 3), u32::MAX).len(), 1002);
}

#[test]
fn gradient_descent_bounds_refuse_rounds_of_several_networks() {
    let edge = |u, v| {
        let graph = Graph::try_new(3, [(u, v)]).unwrap();
        Network::try_new(graph, WeightScheme::Metropolis).unwrap()
    };
    let varying = Protocol::time_varying(vec![edge(0, 1), edge(1, 2)]).unwrap();
    let randomized = Protocol::randomized(graph("path:3"), vec![(0, 1), (1, 2)]).unwrap();
    let observer = Observer::full(2);
    for protocol in [varying, randomized] {
        let general = gd_bound_general(&protocol, 0, &observer, RoundExponent::Full);
        assert!(matches!(general, Err(ReferenceError::NotApplicable { .. })));
        let colluders = time_varying_coalition_gd(&protocol, 0, &observer);
        assert!(matches!(
            colluders,
            Err(ReferenceError::NotApplicable { .. })
        ));
    }
}
