//! Certified losses of the Gram form: known numbers, precision, and refusals.

use crate::fixtures::{fraction, graph, network};
use muffliato_fast::{
    AlibiView, Approximation, Enclosure, ExactEquations, FastError, GramView, linear_loss,
};
use muffliato_model::{
    Fraction, LossModel, Network, Observer, ObserverError, Protocol, WeightScheme,
};
use num_bigint::BigInt;

#[test]
fn known_values_are_exact() {
    let path = Protocol::one_shot(network("path:6"), 3).unwrap();
    let path = path.refreshed(fraction("0.1")).unwrap();
    let losses = GramView::of(&path, &Observer::full(0)).unwrap();
    let losses = losses.losses().unwrap();
    assert_eq!(losses[0], None);
    assert_eq!(losses[1].unwrap().scalars.certified, Enclosure::exact(1.0));
    assert!(losses[3].unwrap().scalars.certified.lower() > 0.0);
    for beyond in [4, 5] {
        assert_eq!(losses[beyond].unwrap().scalars.certified, Enclosure::exact(0.0));
    }
}

/// Known from floating point, here certified.
#[test]
fn fresh_noise_restores_amplification_on_the_hypercube() {
    for (tau, expected, tolerance) in
        [("0.001", 0.19, 5e-3), ("0.01", 0.011, 5e-4), ("0.03", 0.0023, 5e-5)]
    {
        let protocol = Protocol::one_shot(network("hypercube:10"), 17).unwrap();
        let protocol = protocol.refreshed(fraction(tau)).unwrap();
        let view = GramView::of(&protocol, &Observer::full(0)).unwrap();
        let farthest = view.losses().unwrap()[1023].unwrap().scalars;
        assert!(farthest.is_certified(1e-9), "{tau}: {farthest:?}");
        let upper = farthest.certified.upper();
        assert!((upper - expected).abs() < tolerance, "{tau}: {upper}");
    }
}

#[test]
fn bad_questions_are_errors() {
    let protocol = Protocol::one_shot(network("path:3"), 2).unwrap();
    let outside = ObserverError::OutOfRange { node: 3, nodes: 3 };
    let refused = GramView::of(&protocol, &Observer::full(3)).err();
    assert!(matches!(refused, Some(FastError::Observer(found)) if found == outside));

    let view = GramView::of(&protocol, &Observer::full(0)).unwrap();
    assert!(!view.is_certified() || view.model() == LossModel::SingleInput);
    let nodes = 3;
    assert_eq!(
        view.group_loss(&[1, 7]),
        Err(FastError::SourceOutOfRange { source_node: 7, nodes })
    );
    assert_eq!(view.group_loss(&[0]), Err(FastError::SourceObserves { node: 0 }));
    assert_eq!(view.group_loss(&[]), Err(FastError::NoSource));

    let going = std::sync::atomic::AtomicBool::new(true);
    let watch = |_: usize, _: usize| going.load(std::sync::atomic::Ordering::Relaxed);
    let view = GramView::watched(&protocol, &Observer::full(0), &watch).unwrap();
    going.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(view.losses(), Err(FastError::Cancelled));
    assert_eq!(
        GramView::watched(&protocol, &Observer::full(0), &watch).err(),
        Some(FastError::Cancelled)
    );

    // Inner products of all pairs of 30000 inputs, and their columns of two messages.
    let wide = Protocol::one_shot(network("star:30002"), 2).unwrap();
    let wide = wide.refreshed(fraction("0.1")).unwrap();
    let everybody: Vec<usize> = (2..30_002).collect();
    let view = GramView::of(&wide, &Observer::full(1)).unwrap();
    assert!(matches!(
        view.group_loss(&everybody),
        Err(FastError::TooMuchMemory { bytes, .. }) if bytes == 8 * 30_000 * (30_000 + 3 * 2)
    ));

    let long = Protocol::one_shot(network("hypercube:10"), 3000).unwrap();
    let long = long.refreshed(fraction("0.1")).unwrap();
    assert!(matches!(
        GramView::of(&long, &Observer::full(0)),
        Err(FastError::TooMuchMemory { .. })
    ));
    let endless = Protocol::one_shot(network("path:3"), muffliato_model::MAX_STEPS).unwrap();
    let endless = endless.refreshed(fraction("0.1")).unwrap();
    assert!(matches!(
        GramView::of(&endless, &Observer::full(0)),
        Err(FastError::TooMuchMemory { .. })
    ));
}

/// The condition of the Gram matrix is about `tau^-2`. As tau falls, floats no longer suffice for
/// some sources, and then for none.
#[test]
fn very_little_fresh_noise_is_certified_to_a_billionth() {
    for halvings in 8..24 {
        let tau = Fraction::try_new(1, 1 << halvings).unwrap();
        for protocol in [
            Protocol::one_shot(network("karate"), 8).unwrap(),
            Protocol::gradient_descent(network("karate"), 4, 2).unwrap(),
        ] {
            let protocol = protocol.refreshed(tau).unwrap();
            let view = GramView::of(&protocol, &Observer::full(3)).unwrap();
            for found in view.losses().unwrap().into_iter().flatten() {
                let sum = found.absolute_sum;
                let width = 1e-9 * sum.estimate.max(1.0);
                assert!(sum.is_certified(width), "tau {tau}: {found:?}");
            }
        }
    }
}

#[test]
fn progress_runs_from_zero_to_its_total() {
    // 90 messages; with acceleration they are computed one at a time.
    let plain = Protocol::one_shot(network("hypercube:3"), 30).unwrap();
    let plain = plain.refreshed(fraction("0.1")).unwrap();
    let accelerated = plain.clone().accelerated(fraction("5/4")).unwrap();
    for protocol in [plain, accelerated] {
        let reports = std::sync::Mutex::new(Vec::new());
        let watch = |done: usize, total: usize| {
            reports.lock().unwrap().push((done, total));
            true
        };
        let view = GramView::watched(&protocol, &Observer::full(0), &watch).unwrap();
        view.group_loss(&[1, 2]).unwrap();
        view.losses().unwrap();
        let reports = reports.into_inner().unwrap();
        assert!(reports.iter().all(|(done, total)| done <= total));
        assert_eq!(reports[0].0, 0);
        for pair in reports.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            let goes_on = after.1 == before.1 && after.0 > before.0;
            assert!(goes_on || after.0 == 0 || after.0 == after.1, "{pair:?}");
        }
    }
}

/// Reactions beyond the range of floats.
#[test]
fn overflow_gives_an_estimate_between_its_ends() {
    let protocol = Protocol::gradient_descent(network("path:3"), 20, 1).unwrap();
    let huge = fraction("100000000000000000000000000000000000000");
    let protocol = protocol.reacting(vec![huge; 3]).unwrap();
    let view = GramView::of(&protocol, &Observer::full(0)).unwrap();
    for found in view.losses().unwrap().into_iter().flatten() {
        let Approximation { estimate, certified } = found.scalars;
        assert!(certified.lower() <= estimate && estimate <= certified.upper());
        assert!(certified.upper() <= 20.0, "{found:?}");
    }
}

/// One-shot noise leaves a singular Gram matrix: the value is an estimate with certified ends.
#[test]
fn without_fresh_noise_only_the_lower_end_is_certified() {
    let protocol = Protocol::one_shot(network("path:5"), 9).unwrap();
    let view = GramView::of(&protocol, &Observer::full(0)).unwrap();
    assert!(!view.is_certified());
    let far = view.losses().unwrap()[4].unwrap().scalars;
    assert!(far.estimate > 0.9 && far.certified.upper() == 1.0, "{far:?}");
}

/// More than a thousand messages under little fresh noise: assembled in pairs, whitened by slices,
/// read off in floats. The cheapest alibis agree.
#[test]
fn views_of_many_messages_agree_with_the_cheapest_alibis() {
    let network = network("regular:48:d=36:seed=1");
    let protocol = Protocol::one_shot(network, 30).unwrap();
    let protocol = protocol.refreshed("0.01".parse().unwrap()).unwrap();
    let observer = Observer::full(5);
    let view = GramView::of(&protocol, &observer).unwrap();
    assert_eq!(view.messages(), 36 * 30);
    let (gram, alibis) = (view.losses().unwrap(), AlibiView::of(&protocol, &observer).unwrap());
    let mut open = 0;
    for (gram, alibi) in gram.iter().zip(alibis.losses().unwrap()) {
        let (Some(gram), Some(alibi)) = (gram, alibi) else {
            continue;
        };
        let (gram, alibi) = (gram.scalars, alibi.scalars.certified);
        assert!(gram.is_certified(1e-9), "{gram:?}");
        assert!(gram.certified.lower() <= alibi.upper() && alibi.lower() <= gram.certified.upper());
        open += usize::from(gram.certified.upper() < 0.99);
    }
    assert!(open >= 11, "{open}");
}

/// Two sums of many draws, all with the coefficient x in one and about 3 x / 4 in the other, which has
/// one more draw of coefficient y: together they show that draw, so an input of coefficient y there loses
/// exactly `y^2 / y^2 = 1`. The Gram matrix has a condition number near 2^50, and as all terms of an
/// entry are alike, so are the roundings of its sum.
#[test]
fn nearly_dependent_observations_stay_within_their_enclosure() {
    const DRAWS: u32 = 1 << 16;
    let mut rounded = false;
    for part in [7, 9, 11] {
        let x = (BigInt::from(1) << 118) / part;
        let less = &x * 3 / 4 + 1;
        let y = (&x * 256) >> 25;
        let (zero, one) = (BigInt::from(0), BigInt::from(1));
        let row = |entry: &BigInt, last: &BigInt| {
            let mut row = vec![entry.clone(); DRAWS as usize];
            row.push(last.clone());
            row
        };
        let (first, second) = (row(&x, &zero), row(&less, &y));
        let view = ExactEquations {
            rows: vec![&first, &second],
            variances: &vec![one.clone(); DRAWS as usize + 1],
            unit: &one,
            inputs: vec![vec![&zero, &y]],
        };
        let found = linear_loss(&view).unwrap().expect("a regular system").scalars;
        assert!(found.certified.contains(1.0), "{part}: {found:?}");
        assert!(found.is_certified(1e-8), "{part}: {found:?}");
        // The roundings show, far beyond those of floats.
        rounded |= (found.estimate - 1.0).abs() > 1e-14;
    }
    assert!(rounded);
}

/// Between the signs and the sum of all absolute values: 4.571241, 7.270042, 9.070952.
#[test]
fn vectors_on_the_florentine_families() {
    for (rounds, signs, vectors, absolute) in [
        (5, 4.565819, 4.571241, 4.877409),
        (8, 7.247974, 7.270042, 8.291252),
        (10, 9.038945, 9.070952, 10.62),
    ] {
        let graph = graph("florentine");
        let (medici, albizzi) = (graph.node("Medici"), graph.node("Albizzi"));
        let (medici, albizzi) = (medici.unwrap(), albizzi.unwrap());
        let network = Network::try_new(graph, WeightScheme::MaxDegreeInverse).unwrap();
        let protocol = Protocol::gradient_descent(network, rounds, 1).unwrap();
        let view = GramView::of(&protocol, &Observer::full(medici)).unwrap();
        let found = view.group_loss(&[albizzi]).unwrap();
        let ends = found.vectors.certified;
        assert!(ends.lower() <= vectors + 5e-7 && vectors - 5e-7 <= ends.upper(), "{ends:?}");
        assert!(ends.upper() - ends.lower() < 1e-6, "{ends:?}");
        // Signs are searched one by one, so their result is a lower end.
        let scalars = found.scalars.certified;
        assert!(scalars.lower() <= signs + 5e-7 && signs <= scalars.upper());
        assert!(ends.upper() > signs);
        assert!((found.absolute_sum.estimate - absolute).abs() < 5e-3, "{found:?}");
    }
}
