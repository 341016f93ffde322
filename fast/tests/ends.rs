//! The certified ends, bit by bit, as they were last reviewed (`tests/snapshots/ends__*`).
//!
//! That an enclosure holds the exact number, and is narrow, is tested elsewhere. Between the two a margin that was counted
//! could go missing unseen: here every change of an end shows. Nothing rests on dense linear algebra, whose last bits may depend
//! on the processor. Floats are written with as many digits as tell them apart.

mod fixtures;

use fixtures::{fraction, graph, network};
use muffliato_fast::bounds::{PaperBounds, RefreshedBounds, RoundExponent, erdos_renyi_bound};
use muffliato_fast::{
    CertifiedView, Enclosure, FastError, GapOptions, GaussianPrivacy, GramView, LanczosOptions,
    MultiprecisionLimits, OneShot, OneShotOptions, Rate, SparseWeights, SpectralGap, acceleration,
    calibrate_sigma, central_error, gossip_intensities, gossip_steps_per_round, local_error,
    mironov_epsilon, randomized_gap, spectral_gap, steps_to_converge,
};
use muffliato_model::{Network, Observer, Protocol};
use std::fmt::{Display, Write};

fn networks(texts: &[&str]) -> Vec<Network> {
    texts.iter().map(|text| network(text)).collect()
}

fn coalition(members: &[usize]) -> Observer {
    Observer::coalition(members.to_vec()).unwrap()
}

fn end(value: f64) -> String {
    format!("{value:?}")
}

fn ends(enclosure: Enclosure) -> String {
    match enclosure.lower() == enclosure.upper() {
        true => end(enclosure.lower()),
        false => format!("{:?} .. {:?}", enclosure.lower(), enclosure.upper()),
    }
}

/// The table of a snapshot.
#[derive(Default)]
struct Table(String);

impl Table {
    fn row(&mut self, name: impl Display, value: impl Display) {
        writeln!(self.0, "{name}: {value}").unwrap();
    }

    /// Up to nine one by one, more by their sums.
    fn rows(&mut self, name: impl Display, values: &[Enclosure]) {
        if values.len() > 9 {
            let lower: f64 = values.iter().map(Enclosure::lower).sum();
            let upper: f64 = values.iter().map(Enclosure::upper).sum();
            return self.row(name, format!("sum {lower:?} .. {upper:?}"));
        }
        for (place, &value) in values.iter().enumerate() {
            self.row(format!("{name} {place}"), ends(value));
        }
    }
}

/// Protocols of every kind of matrix, with observers: few nodes, more than fit into a block, and numbers that underflow.
fn averaging() -> Vec<(&'static str, Protocol, Observer)> {
    let one_shot = |text, steps| Protocol::one_shot(network(text), steps).unwrap();
    let changing = [
        "ring:7",
        "path:7 lazy",
        "star:7",
        "erdos-renyi:7:q=0.4:seed=3",
    ];
    let edges = vec![(0, 1), (2, 3), (1, 2), (0, 4), (3, 4), (1, 2), (0, 1)];
    let randomized = |graph| Protocol::randomized(graph, edges.clone()).unwrap();
    vec![
        ("path", one_shot("path:5", 4), Observer::full(0)),
        ("star", one_shot("star:6 lazy", 3), coalition(&[0, 3])),
        (
            "complete",
            one_shot("complete:4 max-degree-inverse", 5),
            Observer::full(2),
        ),
        ("karate", one_shot("karate", 6), coalition(&[0, 33])),
        (
            "regular",
            one_shot("regular:1100:d=6:seed=1", 7),
            Observer::full(5),
        ),
        ("long", one_shot("path:6", 700), Observer::full(5)),
        (
            "changing",
            Protocol::time_varying(networks(&changing)).unwrap(),
            Observer::full(3),
        ),
        (
            "long changing",
            Protocol::time_varying(networks(&changing.repeat(150))).unwrap(),
            coalition(&[1, 6]),
        ),
        ("edges", randomized(graph("complete:5")), Observer::full(4)),
    ]
}

#[test]
fn bounds_of_averaging() {
    let mut table = Table::default();
    for (name, protocol, observer) in averaging() {
        let bounds = PaperBounds::of(&protocol).unwrap();
        let all = bounds.pairwise_all(&observer).unwrap();
        table.rows(name, &all);
        let mean = bounds.mean_loss(&observer).unwrap();
        table.row(format!("{name}, mean"), ends(mean));
        let outside = |u: &usize| !observer.contains(*u);
        let group: Vec<_> = (0..protocol.nodes()).filter(outside).take(3).collect();
        let group = bounds.group(&group, &observer).unwrap();
        table.row(format!("{name}, group"), ends(group));
        let source = bounds.from_source(1).unwrap();
        table.rows(format!("{name}, source 1 to"), &source);
        if protocol.nodes() <= 40 {
            let pairs = bounds.all_pairs().unwrap();
            let pairs: Vec<_> = (0..protocol.nodes())
                .flat_map(|v| pairs.observed_by(v))
                .collect();
            table.rows(format!("{name}, all pairs"), &pairs);
        }
        if let Ok(walk) = bounds.random_walk_all(&observer) {
            table.rows(format!("{name}, random walk"), &walk);
        }
    }
    let wide = Protocol::one_shot(network("erdos-renyi:300:q=0.05:seed=2"), 5).unwrap();
    let pairs = PaperBounds::of(&wide).unwrap().all_pairs().unwrap();
    let pairs: Vec<_> = (0..300).flat_map(|v| pairs.observed_by(v)).collect();
    table.rows("wide, all pairs", &pairs);
    insta::assert_snapshot!(table.0);
}

#[test]
fn bounds_of_gradient_descent() {
    let fixed = |text, rounds, steps| Protocol::gradient_descent(network(text), rounds, steps);
    let changing = networks(&["ring:6", "path:6 lazy", "complete:6"]);
    let cases = [
        ("path", fixed("path:5", 3, 2), Observer::full(0)),
        ("star", fixed("star:6 lazy", 2, 3), coalition(&[1, 2])),
        ("karate", fixed("karate", 4, 3), Observer::full(0)),
        ("one step", fixed("ring:5", 4, 1), Observer::full(2)),
        ("long", fixed("path:4", 30, 25), Observer::full(3)),
        (
            "changing",
            Protocol::gradient_descent_on(changing, 2),
            Observer::full(1),
        ),
        (
            "sparser and denser",
            Protocol::gradient_descent_on(networks(&["star:7", "path:7", "ring:7"]), 3),
            coalition(&[0, 1]),
        ),
    ];
    let mut table = Table::default();
    for (name, protocol, observer) in cases {
        let bounds = PaperBounds::of(&protocol.unwrap()).unwrap();
        if let Ok(simple) = bounds.gd_simple_all(&observer) {
            table.rows(format!("{name}, simple"), &simple);
        }
        for exponent in [RoundExponent::AsPrinted, RoundExponent::Full] {
            let found = bounds.gd_general_all(&observer, exponent).unwrap();
            table.rows(format!("{name}, {exponent:?}"), &found);
        }
        let coalition = bounds.time_varying_coalition_gd(3, &observer);
        if let Ok(found) = coalition {
            table.row(format!("{name}, time-varying from 3"), ends(found));
        }
    }
    insta::assert_snapshot!(table.0);
}

#[test]
fn bounds_of_refreshed_protocols() {
    let mut table = Table::default();
    for (name, protocol, observer) in averaging() {
        for tau in ["1/20", "3"] {
            let refreshed = protocol.clone().refreshed(fraction(tau)).unwrap();
            let bounds = RefreshedBounds::of(&refreshed).unwrap();
            let walk = bounds.walk_all(&observer).unwrap();
            table.rows(format!("{name}, tau {tau}, walk"), &walk);
            let passage = bounds.first_passage_all(&observer).unwrap();
            table.rows(format!("{name}, tau {tau}, first passage"), &passage);
        }
    }
    insta::assert_snapshot!(table.0);
}

/// Along a path of 420 nodes in 400 steps, some of it in two rounds: numbers below the smallest float, and none beyond the reach of the steps.
#[test]
fn bounds_that_underflow() {
    let mut table = Table::default();
    let path = Protocol::one_shot(network("path:420"), 400).unwrap();
    let bounds = PaperBounds::of(&path).unwrap();
    let observer = Observer::full(0);
    let mut far = |name: &str, found: Vec<Enclosure>| table.rows(name, &found[396..404]);
    far(
        "one observer, 396 +",
        bounds.pairwise_all(&observer).unwrap(),
    );
    far("one source, 396 +", bounds.from_source(0).unwrap());
    far(
        "random walk, 396 +",
        bounds.random_walk_all(&observer).unwrap(),
    );
    let fresh = path.refreshed(fraction("1/20")).unwrap();
    let bounds = RefreshedBounds::of(&fresh).unwrap();
    far("walk, 396 +", bounds.walk_all(&observer).unwrap());
    far(
        "first passage, 396 +",
        bounds.first_passage_all(&observer).unwrap(),
    );
    let changing = Protocol::time_varying(networks(&["path:420", "path:420 lazy"].repeat(200)));
    let bounds = PaperBounds::of(&changing.unwrap()).unwrap();
    far("changing, 396 +", bounds.pairwise_all(&observer).unwrap());
    let rounds = networks(&["path:410", "path:410 lazy"]);
    let bounds = PaperBounds::of(&Protocol::gradient_descent_on(rounds, 200).unwrap()).unwrap();
    let found = bounds.gd_general_all(&coalition(&[0, 2]), RoundExponent::Full);
    far("rounds, 396 +", found.unwrap());
    insta::assert_snapshot!(table.0);
}

#[test]
fn bounds_of_random_graphs() {
    let mut table = Table::default();
    for (nodes, members, degree, steps, q, noise, alpha) in [
        (10, 1, 3, 4, "1/10", "2", "2"),
        (1000, 30, 400, 17, "0.007", "1/2", "3/2"),
        (1_000_000, 1, 8, 20, "1e-6", "50", "10"),
        (1_000_000, 100_000, 500_000, 3, "1e-12", "28", "8"),
    ] {
        let (q, noise, alpha) = (fraction(q), fraction(noise), fraction(alpha));
        let found = erdos_renyi_bound(nodes, members, degree, steps, q, noise, alpha).unwrap();
        let name = format!("{nodes} nodes, {members} members");
        let three = [found.neighbour_probability, found.neighbour, found.stranger];
        table.rows(name, &three);
    }
    insta::assert_snapshot!(table.0);
}

#[test]
fn guarantees() {
    let mut table = Table::default();
    for mu in [
        0.0, 1e-300, 1e-12, 1e-3, 0.03, 0.25, 1.0, 3.7, 6.1, 11.0, 40.0, 1e3, 1e10, 1e160,
    ] {
        let privacy = GaussianPrivacy::of_mu(mu).unwrap();
        table.row(format!("{mu:?}, zcdp"), end(privacy.zcdp()));
        let rdp = privacy.rdp(1.5).unwrap();
        table.row(format!("{mu:?}, rdp 1.5"), end(rdp));
        for epsilon in [
            0.0, 1e-14, 1e-5, 0.01, 0.5, 1.3, 4.0, 20.0, 300.0, 1e5, 1e300,
        ] {
            let delta = privacy.delta(epsilon).unwrap();
            let logarithm = privacy.ln_delta(epsilon).unwrap();
            table.row(
                format!("{mu:?}, delta({epsilon:?})"),
                format!("{}, ln {logarithm:?}", ends(delta)),
            );
        }
        for delta in [1e-305, 1e-200, 1e-30, 1e-9, 1e-3, 0.04, 0.5, 0.99] {
            let epsilon = privacy.epsilon(delta).unwrap();
            let (mironov, order) = privacy.mironov(delta).unwrap();
            table.row(
                format!("{mu:?}, eps({delta:?})"),
                format!("{}, Mironov {mironov:?} at {order:?}", ends(epsilon)),
            );
        }
    }
    for (rho, sensitivity, sigma) in [(0.3, 1.0, 2.0), (1e-300, 1e-10, 1e100), (1.0, 7.0, 0.1)] {
        let rho = Enclosure::try_new(rho / 2.0, rho).unwrap();
        let mu = GaussianPrivacy::of_leakage(&rho, sensitivity, sigma).unwrap();
        table.row(format!("{}, mu", ends(rho)), end(mu.mu()));
        for (epsilon, delta) in [(0.0, 0.1), (1.0, 1e-6), (5.0, 1e-250)] {
            let sigma = calibrate_sigma(&rho, sensitivity, epsilon, delta).unwrap();
            table.row(
                format!("{}, sigma for {epsilon:?}, {delta:?}", ends(rho)),
                end(sigma),
            );
        }
    }
    for (loss, alpha, delta) in [
        (0.5, 2.0, 1e-6),
        (0.0, 1.0 + 1e-9, 1e-300),
        (3.0, 60.0, 0.9),
    ] {
        let epsilon = mironov_epsilon(loss, alpha, delta).unwrap();
        table.row(
            format!("Mironov {loss:?} {alpha:?} {delta:?}"),
            end(epsilon),
        );
        let local = local_error(7, alpha, 1.3, loss + 0.1).unwrap();
        let central = central_error(7, alpha, 1.3, loss + 0.1).unwrap();
        table.row("errors", format!("{local:?} {central:?}"));
    }
    insta::assert_snapshot!(table.0);
}

#[test]
fn leakage_in_multiprecision() {
    let one_shot = |text, steps| Protocol::one_shot(network(text), steps);
    let descent = |text, rounds, steps| Protocol::gradient_descent(network(text), rounds, steps);
    let changing = networks(&["ring:6", "path:6 lazy", "complete:6"]);
    let cases = [
        ("path", one_shot("path:5", 4), Observer::full(0)),
        ("ring", one_shot("ring:9 lazy", 7), Observer::full(4)),
        ("star", one_shot("star:6 lazy", 3), coalition(&[1, 3])),
        ("karate", one_shot("karate", 4), Observer::full(0)),
        ("messages", one_shot("karate", 3), Observer::paper(2)),
        (
            "changing",
            Protocol::time_varying(changing.clone()),
            Observer::full(1),
        ),
        ("descent", descent("path:5", 3, 2), Observer::full(0)),
        (
            "lazy descent",
            descent("star:5 lazy", 2, 3),
            Observer::full(1),
        ),
        (
            "changing descent",
            Protocol::gradient_descent_on(changing, 2),
            Observer::full(4),
        ),
    ];
    let mut table = Table::default();
    for (name, protocol, observer) in cases {
        let protocol = protocol.unwrap();
        let limits = MultiprecisionLimits::default();
        let view = CertifiedView::of(&protocol, &observer, &limits).unwrap();
        table.row(
            name,
            format!("rank {}, {} bits", view.rank(), view.precision()),
        );
        let losses = view.losses().iter().flatten();
        let found: Vec<_> = losses
            .clone()
            .map(|found| found.scalars.certified)
            .collect();
        table.rows(name, &found);
        let sums: Vec<_> = losses.map(|found| found.absolute_sum.certified).collect();
        table.rows(format!("{name}, absolute"), &sums);
    }
    insta::assert_snapshot!(table.0);
}

/// What is refused says how much it would take.
#[test]
fn estimates_of_memory_and_work() {
    fn refused<T>(found: Result<T, FastError>) -> String {
        found
            .err()
            .map_or("accepted".into(), |error| error.to_string())
    }
    let mut table = Table::default();
    for (name, protocol, observer) in averaging() {
        let bounds = PaperBounds::of(&protocol).unwrap().with_memory_limit(0);
        let observed = bounds.pairwise_all(&observer);
        table.row(format!("{name}, observer"), refused(observed));
        let source = bounds.from_source(1);
        table.row(format!("{name}, source"), refused(source));
        table.row(format!("{name}, pairs"), refused(bounds.all_pairs()));
        let walk = bounds.random_walk_all(&observer);
        table.row(format!("{name}, random walk"), refused(walk));
        let fresh = protocol.clone().refreshed(fraction("1/9")).unwrap();
        let fresh = RefreshedBounds::of(&fresh).unwrap().with_memory_limit(0);
        let walk = fresh.walk_all(&observer);
        table.row(format!("{name}, refreshed"), refused(walk));

        let little = MultiprecisionLimits {
            work: 0,
            memory: u128::MAX,
        };
        let view = CertifiedView::of(&protocol, &observer, &little);
        table.row(format!("{name}, multiprecision"), refused(view));
        let little = MultiprecisionLimits {
            work: u128::MAX,
            memory: 0,
        };
        let view = CertifiedView::of(&protocol, &observer, &little);
        table.row(format!("{name}, multiprecision"), refused(view));
        let options = OneShotOptions {
            memory_limit: 0,
            ..OneShotOptions::default()
        };
        let estimate = OneShot::try_new(&protocol, options);
        let estimate = estimate.and_then(|one_shot| one_shot.towards(&observer));
        table.row(format!("{name}, one-shot"), refused(estimate));
    }
    let rounds = networks(&["ring:9", "path:9"]);
    for (name, descent) in [
        (
            "rounds",
            Protocol::gradient_descent(network("ring:9"), 2, 3),
        ),
        ("changing rounds", Protocol::gradient_descent_on(rounds, 3)),
    ] {
        let bounds = PaperBounds::of(&descent.unwrap()).unwrap();
        let bounds = bounds.with_memory_limit(0);
        let general = bounds.gd_general_all(&Observer::full(0), RoundExponent::Full);
        table.row(format!("{name}, general"), refused(general));
    }
    let long = Protocol::one_shot(network("complete:80"), 500).unwrap();
    let edges = vec![(0, 1); 40_000];
    let edges = Protocol::randomized(graph("complete:3"), edges).unwrap();
    for (name, protocol) in [("long", long), ("edges", edges)] {
        let view = GramView::of(&protocol, &Observer::full(0));
        table.row(format!("{name}, Gram"), refused(view));
    }
    insta::assert_snapshot!(table.0);
}

/// What is asked of an engine that may take so many bytes.
type Asked<'a> = Box<dyn Fn(u128) -> Result<(), FastError> + 'a>;

#[test]
fn what_was_estimated_is_enough_and_less_is_not() {
    for (name, protocol, observer) in averaging() {
        let bounds = |limit| PaperBounds::of(&protocol).unwrap().with_memory_limit(limit);
        let fresh = protocol.clone().refreshed(fraction("1/9")).unwrap();
        let one_shot = |memory_limit| OneShotOptions {
            memory_limit,
            ..OneShotOptions::default()
        };
        let mut asked: Vec<Asked> = vec![
            Box::new(|limit| bounds(limit).pairwise_all(&observer).map(drop)),
            Box::new(|limit| bounds(limit).from_source(1).map(drop)),
            Box::new(|limit| {
                let bounds = RefreshedBounds::of(&fresh)?.with_memory_limit(limit);
                bounds.first_passage_all(&observer).map(drop)
            }),
            Box::new(|limit| {
                let estimate = OneShot::try_new(&protocol, one_shot(limit))?;
                estimate.towards(&observer).map(drop)
            }),
        ];
        if protocol.nodes() <= 40 {
            asked.push(Box::new(|limit| bounds(limit).all_pairs().map(drop)));
        }
        for (place, ask) in asked.iter().enumerate() {
            let Err(FastError::TooMuchMemory { bytes, .. }) = ask(0) else {
                panic!("{name}, {place}: nothing takes no memory");
            };
            assert_eq!(ask(bytes), Ok(()), "{name}, {place}");
            let less = ask(bytes - 1);
            let refused =
                matches!(less, Err(FastError::TooMuchMemory { bytes: same, .. }) if same == bytes);
            assert!(refused, "{name}, {place}: {less:?}");
        }
    }
}

fn gap_row(table: &mut Table, name: &str, gap: SpectralGap) {
    let SpectralGap {
        estimate,
        certified,
        residual,
        iterations,
        end,
    } = gap;
    table.row(
        name,
        format!(
            "{} ({estimate:?}, residual {residual:?}, {iterations} products, {end:?})",
            ends(certified)
        ),
    );
}

#[test]
fn gaps_and_steps() {
    let mut table = Table::default();
    let rough = GapOptions {
        lanczos: LanczosOptions {
            tolerance: 1e-4,
            ..LanczosOptions::default()
        },
        prove_up_to: 0,
    };
    for text in [
        "ring:5",
        "ring:12 lazy",
        "path:30",
        "star:9 lazy",
        "complete:6",
        "karate",
        "hypercube:5",
        "regular:60:d=3:seed=4 lazy",
    ] {
        let network = network(text);
        let weights = SparseWeights::of_network(&network).unwrap();
        let gap = spectral_gap(&weights, &GapOptions::default()).unwrap();
        gap_row(&mut table, text, gap);
        let unproved = spectral_gap(&weights, &rough).unwrap();
        gap_row(&mut table, "  roughly", unproved);
        let intensities = gossip_intensities(&weights);
        let gap = randomized_gap(network.graph(), &intensities, &GapOptions::default());
        gap_row(&mut table, "  randomized", gap.unwrap());
        let gap = randomized_gap(network.graph(), &intensities, &rough);
        gap_row(&mut table, "  randomized, roughly", gap.unwrap());
    }
    for gap in [1e-7, 0.02, 0.5, 1.0] {
        let steps = [Rate::Accelerated, Rate::Randomized, Rate::RandomizedHalved]
            .map(|rate| steps_to_converge(rate, gap, 50, 12.0, 0.7).unwrap());
        let rounds = gossip_steps_per_round(gap, 50, 300.0).unwrap();
        let g = acceleration(gap).unwrap();
        table.row(
            format!("gap {gap:?}"),
            format!("steps {steps:?}, {rounds} a round, g {g:?}"),
        );
    }
    insta::assert_snapshot!(table.0);
}
