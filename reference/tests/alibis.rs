//! Alibis, attacks and the absorption bound, by quickcheck on random protocols of up to 6 nodes.

use muffliato_model::{
    Absorption, Fraction, Graph, Lipschitz, Network, Observer, Protocol, WeightScheme,
};
use muffliato_reference::{
    BigRational, InputChange, Process, ReferenceError, View, absorption_bound,
};
use num_traits::{One, Zero};
use quickcheck::{Arbitrary, Gen};
use quickcheck_macros::quickcheck;

/// A protocol of 1 to 4 rounds on random graphs, an observer or a coalition, and a source outside.
#[derive(Clone, Debug)]
struct Case {
    protocol: Protocol,
    observer: Observer,
    source: usize,
    numbers: Vec<u8>,
}

fn pick(g: &mut Gen, below: usize) -> usize {
    usize::arbitrary(g) % below
}

fn random_network(nodes: usize, g: &mut Gen) -> Network {
    let density = u8::arbitrary(g) | 64;
    let pairs = (0..nodes).flat_map(|u| (u + 1..nodes).map(move |v| (u, v)));
    let edges: Vec<_> = pairs.filter(|_| u8::arbitrary(g) <= density).collect();
    let weights = match u8::arbitrary(g) % 3 {
        0 => WeightScheme::MaxDegreeInverse,
        1 => WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)),
        _ => WeightScheme::Metropolis,
    };
    Network::try_new(Graph::try_new(nodes, edges).unwrap(), weights).unwrap()
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let (nodes, rounds) = (3 + pick(g, 4), 1 + pick(g, 4));
        let gossip = 1 + pick(g, if rounds > 2 { 2 } else { 3 });
        let mut protocol = match u8::arbitrary(g) % 3 {
            0 => {
                let networks = (0..rounds).map(|_| random_network(nodes, g)).collect();
                Protocol::gradient_descent_on(networks, gossip).unwrap()
            }
            _ => Protocol::gradient_descent(random_network(nodes, g), rounds, gossip).unwrap(),
        };
        if bool::arbitrary(g) {
            let tau = Fraction::try_new(1, 1 + i128::from(u8::arbitrary(g) % 4)).unwrap();
            protocol = protocol.refreshed(tau).unwrap();
        }
        if u8::arbitrary(g).is_multiple_of(3) {
            protocol = protocol.accelerated("5/4".parse().unwrap()).unwrap();
        }
        protocol = protocol.every(1 + pick(g, 3)).unwrap();
        let observer = pick(g, nodes);
        let source = (observer + 1 + pick(g, nodes - 1)) % nodes;
        let other = pick(g, nodes);
        let observer = match u8::arbitrary(g) % 3 {
            0 => Observer::paper(observer),
            1 if other != source => Observer::coalition([observer, other]).unwrap(),
            _ => Observer::full(observer),
        };
        let numbers = (0..200).map(|_| u8::arbitrary(g)).collect();
        Self {
            protocol,
            observer,
            source,
            numbers,
        }
    }
}

impl Case {
    /// Reactions in [-1, 1], most of them at the ends.
    fn reactions(&self) -> Vec<Fraction> {
        let reaction = |number: &u8| match number % 8 {
            0..=2 => Fraction::ONE,
            3..=5 => Fraction::integer(-1),
            6 => Fraction::ZERO,
            _ => Fraction::try_new(i128::from(*number) - 128, 128).unwrap(),
        };
        self.numbers[..self.protocol.nodes()]
            .iter()
            .map(reaction)
            .collect()
    }

    /// All that must be absorbed, and random fractions of the rest.
    fn plan(&self) -> Absorption {
        let forced = Absorption::first_passage(&self.protocol, &self.observer).unwrap();
        let nodes = self.protocol.nodes();
        let mut numbers = self.numbers.iter().cycle();
        let mut fractions = Vec::new();
        for time in (0..self.protocol.steps()).filter(|&time| self.protocol.draws(time)) {
            for node in 0..nodes {
                let &number = numbers.next().unwrap();
                let free = match number % 4 {
                    0 => Fraction::ONE,
                    1 => Fraction::try_new(number.into(), 256).unwrap(),
                    _ => Fraction::ZERO,
                };
                let forced = forced.fraction(time, node);
                fractions.push((time, node, if forced.is_zero() { free } else { forced }));
            }
        }
        Absorption::try_new(&self.protocol, fractions).unwrap()
    }

    fn view(&self, protocol: &Protocol) -> (Process, View) {
        let process = Process::run(protocol).unwrap();
        let view = process.view(&self.observer).unwrap();
        (process, view)
    }
}

#[quickcheck]
fn the_best_attack_and_the_cheapest_alibi_are_the_loss(case: Case) -> bool {
    let protocol = case.protocol.clone().reacting(case.reactions()).unwrap();
    let (process, view) = case.view(&protocol);
    let inputs = view.worst_inputs(&[case.source]).unwrap();
    let loss = view.leakage(case.source).unwrap();
    let alibi = process.alibi(&view, &inputs).unwrap();
    let attack = view.attack(&inputs).unwrap();
    let cost = process.alibi_cost(&case.observer, &inputs, &alibi).unwrap();
    let strength = process
        .attack_strength(&case.observer, &inputs, &attack)
        .unwrap();
    cost == loss && strength == loss
}

#[quickcheck]
fn no_attack_is_stronger_and_no_alibi_cheaper_than_the_loss(case: Case) -> bool {
    let (process, view) = case.view(&case.protocol);
    let inputs = view.worst_inputs(&[case.source]).unwrap();
    let loss = view.leakage(case.source).unwrap();
    let mut attack = view.attack(&inputs).unwrap();
    for ((_, c), &number) in attack.iter_mut().zip(&case.numbers) {
        *c += BigRational::new((i64::from(number) - 128).into(), 1000.into());
    }
    let strength = process
        .attack_strength(&case.observer, &inputs, &attack)
        .unwrap();
    // Another change of the draws is heard, or it costs more.
    let mut other = process.alibi(&view, &inputs).unwrap();
    for (shift, &number) in other.iter_mut().zip(&case.numbers) {
        shift.amount += BigRational::new((i64::from(number) - 128).into(), 1000.into());
    }
    let none = match process.alibi_cost(&case.observer, &inputs, &other) {
        Ok(cost) => cost >= loss,
        Err(error) => matches!(error, ReferenceError::NoAlibi { .. }),
    };
    strength <= loss && none
}

/// Whatever the fractions are: for scalars, and for vectors in the plane of rational directions.
#[quickcheck]
fn absorption_is_never_below_the_exact_loss_with_reaction(case: Case) -> bool {
    let reactions = case.reactions();
    let tight = reactions.iter().map(|factor| factor.abs()).collect();
    let protocol = case.protocol.clone().reacting(reactions).unwrap();
    let (_, view) = case.view(&protocol);
    let exact = view.leakage(case.source).unwrap();
    let bound = |lipschitz: &Lipschitz, plan: Absorption| {
        let (source, observer) = ([case.source], &case.observer);
        absorption_bound(&case.protocol, &source, observer, lipschitz, &[plan]).unwrap()
    };
    let tight = Lipschitz::of_nodes(tight).unwrap();
    let best = bound(&tight, case.plan());
    let local = bound(
        &tight,
        Absorption::local(&case.protocol, &[case.source]).unwrap(),
    );
    let most = case.protocol.rounds_of_phase(0).count();
    let directions = [[3, 4], [4, -3], [5, 0], [-4, 3], [0, 5], [-3, -4]];
    let vectors = (0..case.protocol.phases()).map(|phase| {
        let rounds: Vec<_> = case.protocol.rounds_of_phase(phase).collect();
        let direction = |i: usize| directions[case.numbers[i] as usize % directions.len()];
        let mut sum = BigRational::zero();
        for (i, &r) in rounds.iter().enumerate() {
            for (j, &s) in rounds.iter().enumerate() {
                let (a, b) = (direction(i), direction(j));
                let product: i64 = a[0] * b[0] + a[1] * b[1];
                let p = view.projection((r, case.source), (s, case.source)).unwrap();
                sum += p * BigRational::new(product.into(), 25.into());
            }
        }
        sum
    });
    best >= exact
        && vectors.into_iter().all(|loss| best >= loss)
        && bound(&Lipschitz::default(), case.plan()) >= best
        && local == BigRational::from_integer(most.into())
}

fn karate(rounds: usize) -> Protocol {
    let network = Network::metropolis("karate".parse().unwrap()).unwrap();
    Protocol::gradient_descent(network, rounds, 1).unwrap()
}

/// Measured: 0.132, 0.217 and 0.192 of 10.
#[test]
fn first_passage_on_the_karate_club() {
    let protocol = karate(10);
    for (source, observer, expected) in [(33, 3, 132), (16, 3, 217), (0, 16, 192)] {
        let observer = Observer::full(observer);
        let plan = Absorption::first_passage(&protocol, &observer).unwrap();
        let convex = Lipschitz::default();
        let bound = absorption_bound(&protocol, &[source], &observer, &convex, &[plan]).unwrap();
        let thousandths = (bound * BigRational::from_integer(1000.into())).round();
        assert_eq!(thousandths, BigRational::from_integer(expected.into()));
    }
}

/// Two rounds of two steps on a path: node 2 must absorb, too, although it does not speak to the observer.
#[test]
fn absorbing_within_one_step_less_is_too_little() {
    let network = Network::metropolis("path:5".parse().unwrap()).unwrap();
    let protocol = Protocol::gradient_descent(network, 2, 2).unwrap();
    let (observer, convex) = (Observer::full(0), Lipschitz::default());
    let near = |nodes: &[usize]| {
        let draws = [0, 2].into_iter();
        let fractions = draws.flat_map(|t| nodes.iter().map(move |&w| (t, w, Fraction::ONE)));
        let plan = Absorption::try_new(&protocol, fractions).unwrap();
        absorption_bound(&protocol, &[4], &observer, &convex, &[plan])
    };
    let heard = ReferenceError::NotAbsorbed { time: 3, node: 1 };
    assert_eq!(near(&[1]), Err(heard));
    let first = Absorption::first_passage(&protocol, &observer).unwrap();
    let first = absorption_bound(&protocol, &[4], &observer, &convex, &[first]);
    assert_eq!(near(&[1, 2]), first);
    assert_eq!(first.unwrap().to_string(), "1/81"); // two steps from 4 to 2, in the first round
}

/// A step that stretches by 2: node 0 learns more than the constant 1 would allow.
#[test]
fn an_expansive_step_needs_its_constant() {
    let network = Network::metropolis("path:3".parse().unwrap()).unwrap();
    let protocol = Protocol::gradient_descent(network, 2, 1).unwrap();
    let observer = Observer::full(0);
    let plan = [Absorption::first_passage(&protocol, &observer).unwrap()];
    let two = Fraction::integer(2);
    let reacting = protocol.clone().reacting(vec![two; 3]).unwrap();
    let exact = Process::run(&reacting)
        .unwrap()
        .view(&observer)
        .unwrap()
        .leakage(2)
        .unwrap();
    let bound =
        |lipschitz| absorption_bound(&protocol, &[2], &observer, &lipschitz, &plan).unwrap();
    assert!(bound(Lipschitz::default()) < exact);
    assert!(bound(Lipschitz::everywhere(two).unwrap()) >= exact);
    assert_eq!(exact.to_string(), "4/13"); // (2/3)^2 / ((2/3)^2 + 1)
}

#[test]
fn less_participation_loses_less() {
    let observer = Observer::full(3);
    let at = |period| {
        let protocol = karate(6).every(period).unwrap();
        let plan = Absorption::first_passage(&protocol, &observer).unwrap();
        let convex = Lipschitz::default();
        let bound = absorption_bound(&protocol, &[16], &observer, &convex, &[plan]).unwrap();
        let view = Process::run(&protocol).unwrap().view(&observer).unwrap();
        (
            bound,
            view.loss_upper(&[16]).unwrap(),
            view.loss(&[0]).unwrap(),
        )
    };
    let (all, half, once) = (at(1), at(2), at(6));
    assert!(all.0 > half.0 && half.0 > once.0 && once.0 > once.1);
    assert!(all.1 > half.1 && half.1 > once.1);
    assert_eq!(once.2.scalar, BigRational::one()); // a neighbour, heard once
    assert!(half.2.vector_upper <= BigRational::from_integer(3.into()));
    assert_eq!(all.2.participation.phase(0), Some(0));
    assert_eq!((half.2.signs.len(), once.2.signs.len()), (3, 1));
}

#[test]
fn wrong_alibis_attacks_and_plans_are_named() {
    let protocol = karate(2);
    let process = Process::run(&protocol).unwrap();
    let observer = Observer::full(3);
    let one = BigRational::one();
    let input = |round, node| {
        [InputChange {
            round,
            node,
            amount: one.clone(),
        }]
    };
    assert!(matches!(
        process.alibi_cost(&observer, &input(2, 0), &[]),
        Err(ReferenceError::BadParameter { .. })
    ));
    assert_eq!(
        process.alibi_cost(&observer, &input(0, 3), &[]),
        Err(ReferenceError::SourceObserves { node: 3 })
    );
    let seen = muffliato_reference::Observation::Message {
        time: 0,
        sender: 33,
    };
    assert_eq!(
        process.attack_strength(&observer, &input(0, 0), &[(seen, one.clone())]),
        Err(ReferenceError::NotObserved { time: 0, node: 33 })
    );
    let convex = Lipschitz::default();
    let none = absorption_bound(&protocol, &[0], &observer, &convex, &[]);
    assert!(matches!(
        none,
        Err(ReferenceError::WrongLength { expected: 1, .. })
    ));
}
