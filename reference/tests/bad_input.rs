//! Invalid questions give typed errors with their place, never a panic.

use crate::instances::{graph, metropolis, ratio};
use muffliato_model::{
    CustomWeights, Fraction, Graph, MAX_STEPS, Network, Observer, ObserverError, Protocol,
    WeightScheme,
};
use muffliato_reference::{
    GossipMatrix, PaperBounds, Process, ReferenceError,
    bounds::{
        RoundExponent, erdos_renyi_bound, gd_bound_general, gd_bound_simple, random_walk_bound,
        time_varying_coalition_gd,
    },
    decimal::rounded_up,
    enclosure::Interval,
    first_passage_bound,
    guarantee::{NoiseScale, local_error, mironov_epsilon},
    refreshed_walk_bound,
    spectral::{Rate, acceleration, randomized_gap, spectral_gap, steps_to_converge},
    utility::{randomized_error, synchronous_utility},
};
use num_traits::Zero;

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
    assert_eq!(random_walk_bound(&protocol, 0, &outside).unwrap_err(), error);

    let observer = Observer::full(2);
    let view = process.view(&observer).unwrap();
    let error = ReferenceError::SourceOutOfRange { source_node: 7, nodes: 3 };
    assert_eq!(view.leakage(7).unwrap_err(), error);
    assert_eq!(view.worst_inputs(&[7]).unwrap_err(), error);
    assert_eq!(bounds.pairwise(7, &observer).unwrap_err(), error);
    let error = ReferenceError::SourceObserves { node: 2 };
    assert_eq!(view.leakage(2).unwrap_err(), error);
    assert_eq!(bounds.group(&[0, 2], &observer).unwrap_err(), error);
    assert_eq!(view.loss(&[]).unwrap_err(), ReferenceError::NoSource);
    assert_eq!(bounds.group(&[], &observer).unwrap_err(), ReferenceError::NoSource);
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
    let outside = ReferenceError::SourceOutOfRange { source_node, nodes: 3 };
    assert_eq!(all(source_node, &Observer::full(2)), [0; 3].map(|_| Err(outside.clone())));
    let observes = ReferenceError::SourceObserves { node: 2 };
    assert_eq!(all(2, &Observer::full(2)), [0; 3].map(|_| Err(observes.clone())));
}

#[test]
fn formulas_refuse_protocols_that_they_are_not_about() {
    let varying = Protocol::time_varying(vec![metropolis("path:3"), metropolis("complete:3")]);
    let varying = varying.unwrap();
    let randomized = Protocol::randomized(graph("path:3"), vec![(0, 1), (1, 2)]).unwrap();
    let descent = Protocol::gradient_descent(metropolis("path:3"), 2, 1).unwrap();
    let observer = Observer::full(2);
    let general = |protocol| gd_bound_general(protocol, 0, &observer, RoundExponent::Full);
    for refused in [
        random_walk_bound(&varying, 0, &observer),
        random_walk_bound(&descent, 0, &observer),
        gd_bound_simple(&varying, 0, &observer),
        // Rounds of several networks.
        general(&varying),
        general(&randomized),
        time_varying_coalition_gd(&varying, 0, &observer),
        time_varying_coalition_gd(&randomized, 0, &observer),
        first_passage_bound(&varying, 0, &observer),
        refreshed_walk_bound(&descent, 0, &observer),
        PaperBounds::of(&descent).map(|_| ratio(0, 1)),
    ] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, ReferenceError::NotApplicable { .. }));
    }
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
    let lonely = Network::metropolis(Graph::try_new(2, []).unwrap()).unwrap();
    let protocol = Protocol::one_shot(lonely, 1).unwrap();
    assert_eq!(
        random_walk_bound(&protocol, 0, &Observer::full(1)),
        Err(ReferenceError::NoNeighbour { observer: "full:1".into() })
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
    let disconnected = Graph::try_new(4, [(0, 1), (2, 3)]).unwrap();
    let disconnected = Network::metropolis(disconnected).unwrap();
    let gap = spectral_gap(&disconnected, 30).unwrap();
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
    let (zero, half, one, two) = (ratio(0, 1), ratio(1, 2), ratio(1, 1), ratio(2, 1));
    let (minus, five) = (ratio(-1, 1), Interval::exact(ratio(5, 1)));
    let steps = |rate, gap, variance| steps_to_converge(rate, gap, 3, variance, variance, 30);
    let scale = NoiseScale::try_new(one.clone(), one.clone()).unwrap();
    let (likely, negative) = ([ratio(2, 3), ratio(2, 3)], [ratio(-1, 3), ratio(1, 3)]);
    let (few, three) = ([one.clone(), two.clone()], [1, 2, 0].map(|x| ratio(x, 1)));
    let process = Process::run(&Protocol::one_shot(network.clone(), 1).unwrap()).unwrap();
    for (number, refused) in [
        steps(Rate::Accelerated, &gap, &zero).is_err(),
        acceleration(&five, 30).is_err(),
        NoiseScale::try_new(one.clone(), zero.clone()).is_err(),
        NoiseScale::try_new(minus.clone(), one.clone()).is_err(),
        scale.rdp(&half, &one).is_err(),
        scale.zcdp(&minus).is_err(),
        scale.gdp(&minus, 30).is_err(),
        mironov_epsilon(&zero, &two, &one, 30).is_err(),
        mironov_epsilon(&zero, &two, &zero, 30).is_err(),
        mironov_epsilon(&zero, &one, &half, 30).is_err(),
        mironov_epsilon(&minus, &two, &half, 30).is_err(),
        local_error(3, &minus, &one, &one).is_err(),
        local_error(3, &two, &minus, &one).is_err(),
        local_error(3, &two, &one, &zero).is_err(),
        local_error(0, &two, &one, &one).is_err(),
        synchronous_utility(&network, 2, &three, &minus, 30).is_err(),
        randomized_gap(network.graph(), &likely, 30).is_err(),
        randomized_gap(network.graph(), &negative, 30).is_err(),
        randomized_error(network.graph(), &likely[..1], 1, &three, &zero).is_err(),
        process.averaging_error(&few).is_err(),
        process.expected_error(&[], &zero).is_err(),
    ]
    .into_iter()
    .enumerate()
    {
        assert!(refused, "{number}");
    }
    assert!(steps(Rate::Randomized, &Interval::exact(two), &one).is_ok());
    assert_eq!(
        synchronous_utility(&network, 2, &few, &one, 30),
        Err(ReferenceError::WrongLength { what: "input values", given: 2, expected: 3 })
    );
}

#[test]
fn too_many_signs_and_too_many_numbers_are_refused() {
    // Round inputs on a path are mixed in sign for some source; 21 of them are too many.
    let descent = Protocol::gradient_descent(metropolis("path:4"), 21, 1).unwrap();
    let process = Process::run(&descent).unwrap();
    let view = process.view(&Observer::full(0)).unwrap();
    let refused = (1..4).map(|u| view.loss(&[u])).find_map(Result::err);
    assert_eq!(refused, Some(ReferenceError::TooManyInputs { inputs: 21, limit: 20 }));
    assert!(view.loss_upper(&[3]).unwrap() > ratio(0, 1));

    let large = Protocol::one_shot(metropolis("ring:3000"), 20).unwrap();
    let error = Process::run(&large).unwrap_err();
    assert!(matches!(error, ReferenceError::TooLarge { nodes: 3000, steps: 20, .. }));
    assert!(matches!(PaperBounds::of(&large), Err(ReferenceError::TooLarge { .. })));
}

#[test]
fn extreme_sizes_are_refused_before_they_are_tried() {
    let endless = Protocol::one_shot(metropolis("path:9"), MAX_STEPS).unwrap();
    let tau = Fraction::try_new(1, 2).unwrap();
    let refreshed = endless.clone().refreshed(tau).unwrap();
    let rounds = Protocol::gradient_descent(metropolis("path:9"), MAX_STEPS, 1).unwrap();
    let observer = Observer::full(2);
    let (values, one) = ([1, 2, 3].map(|x| ratio(x, 1)), ratio(1, 1));
    let (path, halves) = (metropolis("path:3"), [ratio(1, 2), ratio(1, 2)]);
    let refusals = [
        Process::run(&endless).map(|_| ()),
        Process::run(&refreshed).map(|_| ()),
        PaperBounds::of(&endless).map(|_| ()),
        random_walk_bound(&endless, 0, &observer).map(|_| ()),
        first_passage_bound(&refreshed, 0, &observer).map(|_| ()),
        refreshed_walk_bound(&refreshed, 0, &observer).map(|_| ()),
        gd_bound_simple(&endless, 0, &observer).map(|_| ()),
        gd_bound_general(&rounds, 0, &observer, RoundExponent::Full).map(|_| ()),
        time_varying_coalition_gd(&rounds, 0, &observer).map(|_| ()),
        GossipMatrix::of_network(&metropolis("path:100000")).map(|_| ()),
        spectral_gap(&metropolis("path:100000"), 30).map(|_| ()),
        synchronous_utility(&path, usize::MAX, &values, &one, 30).map(|_| ()),
        randomized_error(path.graph(), &halves, usize::MAX, &values, &one).map(|_| ()),
    ];
    for (number, refusal) in refusals.into_iter().enumerate() {
        assert!(matches!(refusal, Err(ReferenceError::TooLarge { .. })), "{number}: {refusal:?}");
    }
    assert_eq!(endless.messages_to(&observer), Ok(2 * MAX_STEPS));
    let w = GossipMatrix::of_network(&metropolis("path:3")).unwrap();
    assert!(w.power(usize::MAX).is_err());
    assert_eq!((w.entry(3, 0), w.entry(0, 3)), (None, None));
    assert!(erdos_renyi_bound(1 << 40, 1 << 30, 1, 1, &ratio(1, 2), &one, &ratio(3, 2)).is_err());
    let coarse = spectral_gap(&metropolis("path:3"), u32::MAX).unwrap();
    assert!(coarse.contains(&ratio(1, 3)));
    assert_eq!(rounded_up(&ratio(1, 3), u32::MAX).len(), 1002);
}
