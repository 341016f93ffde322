//! Identities that hold on every graph, checked on random graphs of up to 8 nodes.

use muffliato_model::{
    CustomWeights, Draw, Fraction, Graph, Network, Observer, Protocol, WeightScheme,
};
use muffliato_reference::{
    GossipMatrix, Observation, PaperBounds, Process, View, bounds::random_walk_bound,
    enclosure::inertia, first_passage_bound, rational, refreshed_walk_bound,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use quickcheck::{Arbitrary, Gen};
use quickcheck_macros::quickcheck;

/// A protocol on a random graph of 2 to 8 nodes, connected or not.
#[derive(Clone, Debug)]
struct Case {
    graph: Graph,
    weights: WeightScheme,
    steps: usize,
    source: usize,
    observer: usize,
    numbers: Vec<u8>,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let nodes = 2 + usize::arbitrary(g) % 7;
        let density = u8::arbitrary(g);
        let mut edges = Vec::new();
        for u in 0..nodes {
            for v in u + 1..nodes {
                if u8::arbitrary(g) <= density {
                    edges.push((u, v));
                }
            }
        }
        let graph = Graph::try_new(nodes, edges).unwrap();
        let weights = match u8::arbitrary(g) % 4 {
            0 => WeightScheme::MaxDegreeInverse,
            1 => WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)),
            2 => WeightScheme::Custom(random_weights(&graph, g)),
            _ => WeightScheme::Metropolis,
        };
        let observer = usize::arbitrary(g) % nodes;
        let source = (observer + 1 + usize::arbitrary(g) % (nodes - 1)) % nodes;
        Self {
            graph,
            weights,
            steps: 1 + usize::arbitrary(g) % 5,
            source,
            observer,
            numbers: (0..40).map(|_| u8::arbitrary(g)).collect(),
        }
    }
}

/// Draws weights of the edges, some of them 0, over a common denominator.
fn random_weights(graph: &Graph, g: &mut Gen) -> CustomWeights {
    let denominator = 12 * graph.nodes() as i128;
    let mut own = vec![denominator; graph.nodes()];
    let mut entries = Vec::new();
    for (u, v) in graph.edges() {
        let weight = i128::from(u8::arbitrary(g) % 13);
        entries.extend([(u, v, weight), (v, u, weight)]);
        own[u] -= weight;
        own[v] -= weight;
    }
    entries.extend(own.iter().enumerate().map(|(v, &weight)| (v, v, weight)));
    CustomWeights::try_new(graph, denominator, entries).unwrap()
}

impl Case {
    fn network(&self) -> Network {
        Network::try_new(self.graph.clone(), self.weights.clone()).unwrap()
    }

    fn one_shot(&self) -> Protocol {
        Protocol::one_shot(self.network(), self.steps).unwrap()
    }

    fn tau(&self) -> Fraction {
        Fraction::try_new(1 + i128::from(self.numbers[0] % 50), 30).unwrap()
    }

    fn g(&self) -> Fraction {
        Fraction::try_new(32 + i128::from(self.numbers[1] % 33), 32).unwrap()
    }

    /// Returns every kind of protocol on this case.
    fn protocols(&self) -> Vec<Protocol> {
        let mut protocols = vec![
            self.one_shot(),
            self.one_shot().accelerated(self.g()).unwrap(),
            self.one_shot().refreshed(self.tau()).unwrap(),
            self.one_shot().refreshed(self.tau()).unwrap().accelerated(self.g()).unwrap(),
            Protocol::time_varying(self.dropouts()).unwrap(),
            Protocol::gradient_descent(self.network(), 2, self.steps.min(3)).unwrap(),
            Protocol::gradient_descent_on(self.dropouts(), 1)
                .unwrap()
                .reacting(self.factors())
                .unwrap(),
        ];
        let edges: Vec<_> = self.graph.edges().collect();
        if !edges.is_empty() {
            let pick = |t: usize| edges[usize::from(self.numbers[t + 10]) % edges.len()];
            let sequence = (0..2 * self.steps).map(pick).collect();
            protocols.push(Protocol::randomized(self.graph.clone(), sequence).unwrap());
        }
        protocols
    }

    /// Returns Metropolis networks in which some nodes are away at each step.
    fn dropouts(&self) -> Vec<Network> {
        (0..self.steps)
            .map(|t| {
                let away = |v| self.numbers[20 + t] >> v & 1 == 1;
                let away: Vec<_> = (0..self.graph.nodes()).map(away).collect();
                let graph = self.graph.isolating(&away).unwrap();
                Network::try_new(graph, WeightScheme::Metropolis).unwrap()
            })
            .collect()
    }

    fn factors(&self) -> Vec<Fraction> {
        let factor = |v: usize| Fraction::try_new(i128::from(self.numbers[30 + v] % 9) - 4, 4);
        (0..self.graph.nodes()).map(|v| factor(v).unwrap()).collect()
    }
}

fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}

fn view(protocol: &Protocol, observer: &Observer) -> View {
    Process::run(protocol).unwrap().view(observer).unwrap()
}

fn sum_of_leakages(view: &View) -> BigRational {
    view.leakages().unwrap().into_iter().flatten().sum()
}

#[quickcheck]
fn the_bounds_of_all_sources_sum_to_the_number_of_messages(case: Case) {
    for protocol in case.protocols() {
        let Ok(bounds) = PaperBounds::of(&protocol) else {
            assert!(protocol.rounds() > 1);
            continue;
        };
        let observer = Observer::full(case.observer);
        let all = bounds.pairwise_all(&observer).unwrap();
        let messages = whole(protocol.messages_to(&observer).unwrap());
        assert_eq!(all.iter().sum::<BigRational>(), messages);
        assert_eq!(bounds.pairwise(case.source, &observer).unwrap(), all[case.source]);
        let mean = (messages - &all[case.observer]) / whole(case.graph.nodes());
        assert_eq!(bounds.mean_loss(&observer).unwrap(), mean);
    }
}

#[quickcheck]
fn leakages_sum_to_the_rank_less_one(case: Case) {
    let averaging = |protocol: &Protocol| protocol.rounds() == 1 && !protocol.is_refreshed();
    for protocol in case.protocols().into_iter().filter(averaging) {
        let full = view(&protocol, &Observer::full(case.observer));
        assert_eq!(sum_of_leakages(&full), whole(full.rank() - 1));
        assert!(full.rank() - 1 <= full.messages());
        // Without its own draw the observer's own coordinate takes part.
        let paper = view(&protocol, &Observer::paper(case.observer));
        let own = paper.projection((0, case.observer), (0, case.observer)).unwrap();
        assert_eq!(sum_of_leakages(&paper) + own, whole(paper.rank()));
    }
}

#[quickcheck]
fn accelerated_averaging_leaks_what_plain_averaging_leaks(case: Case) {
    let observer = Observer::full(case.observer);
    let plain = view(&case.one_shot(), &observer);
    let accelerated = view(&case.one_shot().accelerated(case.g()).unwrap(), &observer);
    assert_eq!(plain.rank(), accelerated.rank());
    assert_eq!(plain.leakages(), accelerated.leakages());
}

#[quickcheck]
fn no_loss_exceeds_ldp_and_none_reaches_beyond_the_steps(case: Case) {
    let one = BigRational::one();
    let distance = case.graph.distances_from(case.observer);
    for protocol in case.protocols() {
        let rounds = whole(protocol.rounds());
        let full = view(&protocol, &Observer::full(case.observer));
        let paper = view(&protocol, &Observer::paper(case.observer));
        for u in (0..case.graph.nodes()).filter(|&u| u != case.observer) {
            let loss = full.leakage(u).unwrap();
            assert!(loss >= BigRational::zero());
            if protocol.reaction().is_none() {
                assert!(loss <= rounds.clone() * &rounds);
            }
            if protocol.rounds() == 1 {
                assert!(loss <= one);
            }
            assert!(paper.leakage(u).unwrap() <= loss, "forgetting its noise helps nobody");
            if distance[u].is_none_or(|d| d > protocol.steps()) {
                assert!(loss.is_zero());
            }
        }
    }
    for u in case.graph.neighbours(case.observer) {
        assert_eq!(
            view(&case.one_shot(), &Observer::full(case.observer)).leakage(u),
            Ok(one.clone())
        );
    }
}

#[quickcheck]
fn corollary_1_is_above_theorem_1(case: Case) {
    let protocol = case.one_shot();
    let bounds = PaperBounds::of(&protocol).unwrap();
    let observer = Observer::full(case.observer);
    if let Ok(walk) = random_walk_bound(&protocol, case.source, &observer) {
        assert!(bounds.pairwise(case.source, &observer).unwrap() <= walk);
    }
}

#[quickcheck]
fn larger_coalitions_learn_more_and_their_mean_bound_holds(case: Case) {
    let nodes = case.graph.nodes();
    let third = (0..nodes).find(|&v| v != case.source && v != case.observer);
    let Some(third) = third else { return };
    let pair = Observer::coalition([case.observer, third]).unwrap();
    for protocol in case.protocols() {
        let together = view(&protocol, &pair);
        let alone = view(&protocol, &Observer::full(case.observer));
        assert!(alone.leakage(case.source).unwrap() <= together.leakage(case.source).unwrap());
        if protocol.rounds() == 1 {
            assert!(sum_of_leakages(&together) <= whole(together.messages()));
        }
    }
}

/// Computes `|| Pi e_u ||^2` by rational Gram-Schmidt without square roots, as an independent oracle.
fn leakage_by_gram_schmidt(rows: &[Vec<BigRational>], coordinate: usize) -> BigRational {
    let dot = |a: &[BigRational], b: &[BigRational]| -> BigRational {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    };
    let mut basis: Vec<Vec<BigRational>> = Vec::new();
    for row in rows {
        let mut rest = row.clone();
        for q in &basis {
            let share = dot(row, q) / dot(q, q);
            for (x, y) in rest.iter_mut().zip(q) {
                *x -= &share * y;
            }
        }
        if rest.iter().any(|x| !x.is_zero()) {
            basis.push(rest);
        }
    }
    basis.iter().map(|q| &q[coordinate] * &q[coordinate] / dot(q, q)).sum()
}

#[quickcheck]
fn leakage_agrees_with_gram_schmidt_on_the_powers_of_w(case: Case) {
    let n = case.graph.nodes();
    let w = GossipMatrix::of_network(&case.network()).unwrap();
    let mut rows = vec![(0..n).map(|k| whole(usize::from(k == case.observer))).collect()];
    for t in 0..case.steps {
        let power = w.power(t).unwrap();
        for sender in case.graph.neighbours(case.observer) {
            rows.push((0..n).map(|k| power.entry(sender, k).unwrap()).collect());
        }
    }
    let expected = leakage_by_gram_schmidt(&rows, case.source);
    let full = view(&case.one_shot(), &Observer::full(case.observer));
    assert_eq!(full.leakage(case.source), Ok(expected));
}

#[quickcheck]
fn changing_networks_multiply_from_the_left(case: Case) {
    let n = case.graph.nodes();
    let networks = case.dropouts();
    let protocol = Protocol::time_varying(networks.clone()).unwrap();
    let process = Process::run(&protocol).unwrap();
    let mut product: Vec<Vec<_>> =
        (0..n).map(|v| (0..n).map(|w| whole(usize::from(v == w))).collect()).collect();
    for (t, network) in networks.iter().enumerate() {
        for v in 0..n {
            assert_eq!(process.coefficients(t, v).as_ref(), Some(&product[v]));
        }
        let matrix = GossipMatrix::of_network(network).unwrap();
        let entry = |v: usize, w: usize| -> BigRational {
            let through = (0..n).map(|k| matrix.entry(v, k).unwrap() * &product[k][w]);
            through.sum()
        };
        product = (0..n).map(|v| (0..n).map(|w| entry(v, w)).collect()).collect();
    }
}

/// The best attack shifts by the leakage under the worst-case inputs, and its variance is the leakage,
/// with and without masks.
#[quickcheck]
fn the_best_attack_attains_the_loss(case: Case) {
    let plain = case.protocols();
    let masked = plain.iter().map(|plain| plain.clone().masked(case.tau()));
    let masked: Vec<_> = masked.map(Result::unwrap).collect();
    for protocol in plain.into_iter().chain(masked) {
        let process = Process::run(&protocol).unwrap();
        let observer = Observer::full(case.observer);
        let view = process.view(&observer).unwrap();
        let inputs = view.worst_inputs(&[case.source]).unwrap();
        let loss = view.loss(&[case.source]).unwrap();
        let mut row = vec![BigRational::zero(); process.draws().len()];
        for (seen, c) in &view.attack(&inputs).unwrap() {
            let known = match *seen {
                Observation::Message { time, sender } => {
                    let message = process.coefficients(time, sender).unwrap();
                    let entries = row.iter_mut().zip(message);
                    entries.for_each(|(sum, x)| *sum += x * c);
                    continue;
                }
                Observation::Sum { .. } => panic!("the full view has no sums"),
                Observation::Known(draw) => draw,
            };
            assert!(known.is_known_to(&observer));
            let column = process.draws().iter().position(|draw| *draw == known);
            row[column.unwrap()] += c;
        }
        let (mut shift, mut variance) = (BigRational::zero(), BigRational::zero());
        for (draw, c) in process.draws().iter().zip(&row) {
            let deviation = match *draw {
                Draw::Mask { .. } => case.tau(),
                Draw::Own { time, .. } if !protocol.has_input(time) => {
                    protocol.uniform().unwrap().tau.unwrap()
                }
                Draw::Own { time, node } => {
                    if node == case.source {
                        let up = loss.signs[time / protocol.gossip_steps()];
                        shift += if up { c.clone() } else { -c.clone() };
                    }
                    Fraction::ONE
                }
            };
            let share = c * rational(deviation);
            variance += &share * &share;
        }
        assert_eq!(shift, loss.scalar);
        assert_eq!(variance, loss.scalar);
    }
}

#[quickcheck]
fn the_loss_is_the_form_of_the_projections_at_its_signs(case: Case) {
    for protocol in case.protocols() {
        let view = view(&protocol, &Observer::full(case.observer));
        let loss = view.loss(&[case.source]).unwrap();
        let mut form = BigRational::zero();
        for (i, up) in loss.signs.iter().enumerate() {
            for (j, other) in loss.signs.iter().enumerate() {
                let entry = view.projection((i, case.source), (j, case.source)).unwrap();
                form += if up == other { entry } else { -entry };
            }
        }
        assert_eq!(loss.scalar, form);
    }
}

#[quickcheck]
fn refreshed_leakage_is_below_its_closed_forms(case: Case) {
    let observer = Observer::full(case.observer);
    for protocol in case.protocols() {
        let protocol = protocol.refreshed(case.tau()).unwrap();
        if protocol.rounds() > 1 {
            assert!(first_passage_bound(&protocol, case.source, &observer).is_err());
            continue;
        }
        let leakage = view(&protocol, &observer).leakage(case.source).unwrap();
        let passage = first_passage_bound(&protocol, case.source, &observer).unwrap();
        assert!(leakage <= passage);
        match refreshed_walk_bound(&protocol, case.source, &observer) {
            Ok(walk) => assert!(passage <= walk),
            Err(_) => assert!(protocol.acceleration().is_some()),
        }
    }
}

/// Returns `true` if every eigenvalue of the covariance of the messages to the observer, given its
/// own draws, is at least `floor`.
fn covariance_is_above(protocol: &Protocol, observer: usize, floor: &BigRational) -> bool {
    let process = Process::run(protocol).unwrap();
    let nodes = protocol.nodes();
    let tau = rational(protocol.uniform().unwrap().tau.unwrap());
    let variance = |draw: usize| match draw {
        _ if draw % nodes == observer => BigRational::zero(),
        _ if draw < nodes => BigRational::one(),
        _ => &tau * &tau,
    };
    let mut rows = Vec::new();
    for t in 0..protocol.steps() {
        for sender in protocol.step(t).senders_to(&[observer]) {
            rows.push(process.coefficients(t, sender).unwrap());
        }
    }
    let size = rows.len();
    let entries: Vec<BigRational> = (0..size * size)
        .map(|k| {
            let (i, j) = (k / size, k % size);
            let pairs = rows[i].iter().zip(&rows[j]).enumerate();
            let covariance: BigRational = pairs.map(|(draw, (x, y))| x * y * variance(draw)).sum();
            if i == j { covariance - floor } else { covariance }
        })
        .collect();
    let common = entries
        .iter()
        .fold(BigInt::one(), |lcm, entry| num_integer::lcm(lcm, entry.denom().clone()));
    let mut whole: Vec<BigInt> = entries
        .iter()
        .map(|entry| (entry * BigRational::from_integer(common.clone())).to_integer())
        .collect();
    inertia(size, &mut whole).negative == 0
}

#[quickcheck]
fn refreshed_messages_have_a_covariance_of_a_quarter_of_tau_squared(case: Case) {
    let tau = rational(case.tau());
    let smaller = (&tau * &tau).min(BigRational::one());
    let quarter = smaller / whole(4);
    let plain = [case.one_shot(), Protocol::time_varying(case.dropouts()).unwrap()];
    for protocol in plain {
        let refreshed = protocol.refreshed(case.tau()).unwrap();
        assert!(covariance_is_above(&refreshed, case.observer, &quarter));
    }
}

#[test]
fn refreshed_messages_do_not_have_a_covariance_of_tau_squared() {
    // Two nodes, two steps: G = [[1, 1/2], [1/2, 1/4 + tau^2]] has determinant tau^2, trace above 1 + tau^2.
    let pair = Graph::try_new(2, [(0, 1)]).unwrap();
    let network = Network::try_new(pair, WeightScheme::Metropolis).unwrap();
    let tau = Fraction::try_new(1, 10).unwrap();
    let protocol = Protocol::one_shot(network, 2).unwrap().refreshed(tau).unwrap();
    let floor = |above: i64, below: i64| BigRational::new(above.into(), below.into());
    assert!(!covariance_is_above(&protocol, 0, &floor(1, 100)));
    assert!(covariance_is_above(&protocol, 0, &floor(1, 400)));
}

#[test]
fn on_a_hypercube_loss_and_bound_depend_on_distance_alone() {
    for (dimension, steps) in [(2, 3), (3, 2), (3, 4), (4, 3)] {
        let cube = format!("hypercube:{dimension}").parse().unwrap();
        let network = Network::metropolis(cube).unwrap();
        let protocol = Protocol::one_shot(network, steps).unwrap();
        let tau = Fraction::try_new(1, 10).unwrap();
        let refreshed = protocol.clone().refreshed(tau).unwrap();
        let bounds = PaperBounds::of(&protocol).unwrap();
        let mut by_distance = vec![None; dimension + 1];
        for v in 0..1_usize << dimension {
            let observer = Observer::full(v);
            let views = [view(&protocol, &observer), view(&refreshed, &observer)];
            for u in (0..1 << dimension).filter(|&u| u != v) {
                let found = (
                    bounds.pairwise(u, &observer).unwrap(),
                    views.each_ref().map(|view| view.leakage(u).unwrap()),
                );
                let distance = (u ^ v).count_ones() as usize;
                let expected = by_distance[distance].get_or_insert_with(|| found.clone());
                assert_eq!(&found, expected);
            }
        }
    }
}
