//! What the checker accepts is true, by the exact engine, which shares no code with it.

use super::{graph, ratio};
use muffliato_certificate::{
    Alibis, Attack, Certificate, Claim, Entry, Flow, Law, MaskEntry, Proof, Refusal,
    absorption_bound,
};
use muffliato_model::{
    Absorption, CustomWeights, Draw, Fraction, Lipschitz, Network, Observer, Participation,
    Protocol, WeightScheme,
};
use muffliato_reference::{BigRational, InputChange, Observation, Process, View, order};
use num_traits::Signed;
use proptest::prelude::*;

#[derive(Clone, Debug)]
struct Case {
    protocol: Protocol,
    observer: Observer,
    sources: Vec<usize>,
    numbers: Vec<u8>,
}

fn network(nodes: usize, numbers: &[u8]) -> Network {
    let graph = graph(nodes, numbers);
    let weights = match numbers[0] % 4 {
        0 => WeightScheme::MaxDegreeInverse,
        1 => WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)),
        2 => {
            let mut own = vec![40_i128; nodes];
            let mut entries = Vec::new();
            for ((u, v), &number) in graph.edges().zip(numbers) {
                let weight = i128::from(number % 6);
                entries.extend([(u, v, weight), (v, u, weight)]);
                own[u] -= weight;
                own[v] -= weight;
            }
            entries.extend(own.iter().enumerate().map(|(v, &own)| (v, v, own)));
            WeightScheme::Custom(CustomWeights::try_new(&graph, 40, entries).unwrap())
        }
        _ => WeightScheme::Metropolis,
    };
    Network::try_new(graph, weights).unwrap()
}

fn case() -> impl Strategy<Value = Case> {
    let sizes = (3_usize..6, 1_usize..4, 1_usize..4, 1_usize..4, 0_u8..16);
    (sizes, prop::collection::vec(any::<u8>(), 120)).prop_map(
        |((nodes, rounds, gossip, every, kind), numbers)| {
            let protocol = match kind % 4 {
                0 => {
                    let networks = (0..rounds).map(|r| network(nodes, &numbers[10 * r..]));
                    Protocol::gradient_descent_on(networks.collect(), gossip).unwrap()
                }
                1 => {
                    let network = network(nodes, &numbers);
                    let edges: Vec<_> = network.graph().edges().collect();
                    match edges.is_empty() {
                        true => Protocol::one_shot(network, 2).unwrap(),
                        false => {
                            let pick = |&number: &u8| edges[usize::from(number) % edges.len()];
                            let sequence = numbers[..4].iter().map(pick).collect();
                            Protocol::randomized(network.shared_graph(), sequence).unwrap()
                        }
                    }
                }
                _ => Protocol::gradient_descent(network(nodes, &numbers), rounds, gossip).unwrap(),
            };
            let randomized = kind % 4 == 1;
            let protocol = match kind / 4 % 2 {
                0 => protocol,
                _ => protocol.refreshed("1/3".parse().unwrap()).unwrap(),
            };
            let protocol = match kind / 8 {
                1 if !randomized => protocol.accelerated("5/4".parse().unwrap()).unwrap(),
                _ => protocol,
            };
            let protocol = match numbers[103] % 3 {
                0 => protocol.masked(["1/2", "1", "3"][every - 1].parse().unwrap()),
                _ => Ok(protocol),
            };
            let protocol = match numbers[104] % 3 {
                0 => {
                    let factor = |&n: &u8| Fraction::try_new(i128::from(n) - 128, 128).unwrap();
                    let factors = numbers[60..60 + nodes].iter().map(factor).collect();
                    protocol.unwrap().reacting(factors).unwrap()
                }
                _ => protocol.unwrap(),
            };
            let observer = usize::from(numbers[100]) % nodes;
            let source = (observer + 1 + usize::from(numbers[101]) % (nodes - 1)) % nodes;
            let other = usize::from(numbers[105]) % nodes;
            let free = other != observer && other != source;
            let mut sources = vec![source];
            if free && numbers[106] % 3 == 0 {
                sources.push(other);
                sources.sort_unstable();
            }
            Case {
                protocol: protocol.every(every).unwrap(),
                observer: match numbers[102] % 4 {
                    0 => Observer::paper(observer),
                    1 if free && sources.len() == 1 => {
                        Observer::coalition([observer, other]).unwrap()
                    }
                    _ => Observer::full(observer),
                },
                sources,
                numbers,
            }
        },
    )
}

impl Case {
    fn certificate(&self, claim: Claim, proof: Proof) -> Certificate {
        Certificate {
            protocol: self.protocol.clone(),
            noise: Law::Gaussian,
            observer: self.observer.clone(),
            sources: self.sources.clone(),
            claim,
            proof,
        }
    }

    fn run(&self, protocol: &Protocol) -> (Process, View) {
        let process = Process::run(protocol).unwrap();
        let view = process.view(&self.observer).unwrap();
        (process, view)
    }

    /// Everything that can be proved of it: the certificate, and what its proof gives.
    fn certificates(&self) -> Vec<(Certificate, BigRational)> {
        let mut all = vec![self.absorption(), self.alibis(), self.attack()];
        if self.protocol.masks().is_some() {
            all.push(self.flows());
            all.push(self.absorption_and_flows());
        }
        all
    }

    /// Random amounts along the masks of a round that the observers do not know.
    fn random_flows(&self, round: usize, from: usize) -> Vec<Flow> {
        let graph = self.protocol.mask_graph(round).unwrap().unwrap();
        let hidden = graph
            .edges()
            .filter(|&(a, b)| !self.observer.contains(a) && !self.observer.contains(b));
        let mut numbers = self.numbers[from..].iter();
        let flow = |(a, b): (usize, usize)| {
            let number = *numbers.next().unwrap();
            let (from, to) = if number.is_multiple_of(2) { (a, b) } else { (b, a) };
            Flow { from, to, amount: ratio(i64::from(number / 2), 400) }
        };
        hidden.map(flow).collect()
    }

    fn flows(&self) -> (Certificate, BigRational) {
        let kappa = self.protocol.uniform().unwrap().kappa.unwrap();
        let kappa = BigRational::new(kappa.numerator().into(), kappa.denominator().into());
        let rounds: Vec<Vec<Vec<Flow>>> = (0..self.protocol.rounds())
            .map(|round| {
                (0..self.sources.len())
                    .map(|k| self.random_flows(round, 7 * round + 20 * k))
                    .collect()
            })
            .collect();
        // The alibi of each source over nodes and masks, the latter in units of kappa.
        let alibi = |(&source, flows): (&usize, &Vec<Flow>)| {
            let nodes = self.protocol.nodes();
            let mut alibi = vec![ratio(0, 1); nodes + nodes * nodes];
            alibi[source] = ratio(1, 1);
            for Flow { from, to, amount } in flows {
                alibi[*from] -= amount;
                alibi[*to] += amount;
                let (a, b, sign) = if from < to { (from, to, 1) } else { (to, from, -1) };
                alibi[nodes + a * nodes + b] += amount / &kappa * ratio(sign, 1);
            }
            alibi
        };
        let loss = |flows: &Vec<Vec<Flow>>, used: Vec<usize>| {
            let used = used.iter();
            let alibis: Vec<_> =
                used.map(|&member| alibi((&self.sources[member], &flows[member]))).collect();
            let mut sum = ratio(0, 1);
            for one in &alibis {
                for other in &alibis {
                    let products = one.iter().zip(other).map(|(a, b)| a * b);
                    let product = products.sum::<BigRational>();
                    sum += product.abs();
                }
            }
            sum
        };
        let run = |participation: Participation| {
            let used = |round| participation.members_in(round).collect();
            let losses = (0..self.protocol.rounds()).map(|round| loss(&rounds[round], used(round)));
            losses.sum::<BigRational>()
        };
        let participations = self.protocol.participations(self.sources.len());
        let bound = participations.map(run).max_by(order).unwrap();
        (self.certificate(Claim::AtMost(bound.clone()), Proof::Flows(rounds)), bound)
    }

    /// Random fractions and random flows; what they give is what the checker says.
    fn absorption_and_flows(&self) -> (Certificate, BigRational) {
        let (mut certificate, _) = self.absorption();
        if let Proof::Absorption { flows, .. } = &mut certificate.proof {
            *flows = vec![
                (0..self.protocol.rounds())
                    .map(|round| self.random_flows(round, 3 * round))
                    .collect(),
            ];
        }
        let bound = certificate.proved().unwrap();
        certificate.claim = Claim::AtMost(bound.clone());
        (certificate, bound)
    }

    /// All that is heard is absorbed, and random fractions elsewhere.
    fn plan(&self) -> Absorption {
        let forced = Absorption::first_passage(&self.protocol, &self.observer).unwrap();
        let mut numbers = self.numbers.iter().cycle();
        let mut fractions = Vec::new();
        for time in (0..self.protocol.steps()).filter(|&time| self.protocol.draws(time)) {
            for node in 0..self.protocol.nodes() {
                let number = i128::from(*numbers.next().unwrap());
                let free =
                    Fraction::try_new(if number % 2 == 0 { 0 } else { number }, 255).unwrap();
                let forced = forced.fraction(time, node);
                fractions.push((time, node, if forced.is_zero() { free } else { forced }));
            }
        }
        Absorption::try_new(&self.protocol, fractions).unwrap()
    }

    fn absorption(&self) -> (Certificate, BigRational) {
        let plans = vec![self.plan()];
        let constant: Fraction = "4/5".parse().unwrap();
        let lipschitz = match self.protocol.reaction() {
            None => Lipschitz::everywhere(constant).unwrap(),
            Some(factors) => {
                Lipschitz::of_nodes(factors.iter().map(|factor| factor.abs()).collect()).unwrap()
            }
        };
        let (sources, observer) = (&self.sources, &self.observer);
        let bound = absorption_bound(&self.protocol, sources, observer, &lipschitz, &plans);
        let bound = bound.unwrap();
        let proof = Proof::Absorption { lipschitz, grid: 96, plans, flows: vec![] };
        let above = &bound * ratio(1_000_001, 1_000_000);
        (self.certificate(Claim::AtMost(above), proof), bound)
    }

    /// The cheapest alibi of every input; those who speak to the observer are left to the checker.
    fn alibis(&self) -> (Certificate, BigRational) {
        // An alibi that leaves masks alone is one with masks, too.
        let (process, view) = self.run(&self.protocol.clone().without_masks());
        let inputs = |participation: Participation| -> Vec<(usize, usize)> {
            let inputs = participation.inputs();
            inputs.map(|(round, member)| (round, self.sources[member])).collect()
        };
        let run = |participation| {
            let shifts = inputs(participation).into_iter().map(|(round, node)| {
                let input = InputChange { round, node, amount: ratio(1, 1) };
                let alibi = process.alibi(&view, &[input]).unwrap();
                let heard = |time: usize, node: usize| {
                    let step = self.protocol.step(time);
                    step.senders_to(self.observer.members()).contains(&node)
                };
                let free = alibi.into_iter().filter(|shift| !heard(shift.time, shift.node));
                let entry = free.map(|s| Entry { time: s.time, node: s.node, value: s.amount });
                entry.collect()
            });
            Alibis { shifts: shifts.collect(), lambda: None }
        };
        let participations = self.protocol.participations(self.sources.len());
        let runs = participations.clone().map(run).collect();
        // Without the cap at the number of inputs that the engine knows.
        let bound = participations.map(|participation| {
            let inputs = inputs(participation);
            let pairs = inputs.iter().flat_map(|&i| inputs.iter().map(move |&j| (i, j)));
            let entry = |(i, j)| view.projection(i, j).unwrap();
            pairs.map(entry).map(|p| p.abs()).sum::<BigRational>()
        });
        let bound = bound.max_by(order).unwrap();
        (self.certificate(Claim::AtMost(bound.clone()), Proof::Alibis(runs)), bound)
    }

    fn attack(&self) -> (Certificate, BigRational) {
        let (_, view) = self.run(&self.protocol);
        let inputs = view.worst_inputs(&self.sources).unwrap();
        let mut attack = Attack::default();
        for (seen, value) in view.attack(&inputs).unwrap() {
            match seen {
                Observation::Message { time, sender: node }
                | Observation::Sum { time, member: node } => {
                    attack.messages.push(Entry { time, node, value });
                }
                Observation::Known(Draw::Mask { time, edge }) => {
                    let round = time / self.protocol.gossip_steps();
                    attack.masks.push(MaskEntry { round, edge, value });
                }
                Observation::Known(Draw::Own { time, node }) => {
                    attack.own_noise.push(Entry { time, node, value });
                }
            }
        }
        let entry = |i: InputChange| Entry { time: i.round, node: i.node, value: i.amount };
        attack.inputs = inputs.into_iter().map(entry).collect();
        let loss = view.loss(&self.sources).unwrap().scalar;
        let proof = Proof::Attack(attack);
        (self.certificate(Claim::AtLeast(loss.clone()), proof), loss)
    }
}

/// Whether the claim of an accepted certificate is true, by the exact engine alone.
fn is_true(certificate: &Certificate) -> bool {
    let (protocol, observer) = (&certificate.protocol, &certificate.observer);
    let loss = |protocol: &Protocol| {
        let view = Process::run(protocol).unwrap().view(observer).unwrap();
        view.loss(&certificate.sources).unwrap().scalar
    };
    match (&certificate.claim, &certificate.proof) {
        (Claim::AtMost(claim), Proof::Absorption { lipschitz, .. }) => {
            // Whatever the reaction is, within the constants.
            let constants = lipschitz.constants(protocol).unwrap();
            let signs = [1, -1].map(|sign: i128| {
                let factor = |c: &Fraction| {
                    Fraction::try_new(sign * c.numerator(), c.denominator()).unwrap()
                };
                protocol.clone().reacting(constants.iter().map(factor).collect()).unwrap()
            });
            signs.iter().all(|protocol| loss(protocol) <= *claim)
        }
        (Claim::AtMost(claim), Proof::Flows(_)) => {
            // Whatever the reaction is.
            let factors =
                ["1", "-1", "3"].map(|factor| vec![factor.parse().unwrap(); protocol.nodes()]);
            let mut reacting =
                factors.into_iter().map(|factors| protocol.clone().reacting(factors).unwrap());
            reacting.all(|protocol| loss(&protocol) <= *claim)
        }
        (Claim::AtMost(claim), _) => loss(protocol) <= *claim,
        (Claim::AtLeast(claim), _) => loss(protocol) >= *claim,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Inputs move along rational directions of the plane, a different one in each round.
    #[test]
    fn absorption_is_never_below_the_loss_of_vectors(case in case()) {
        const DIRECTIONS: [[i64; 2]; 6] = [[3, 4], [4, -3], [5, 0], [-4, 3], [0, 5], [-3, -4]];
        let (_, bound) = case.absorption();
        let mut protocol = case.protocol.clone().without_masks();
        if protocol.reaction().is_none() {
            let factors = vec!["4/5".parse().unwrap(); protocol.nodes()];
            protocol = protocol.reacting(factors).unwrap();
        }
        let (_, view) = case.run(&protocol);
        let inner = |a: [i64; 2], b: [i64; 2]| ratio(a[0] * b[0] + a[1] * b[1], 25);
        for participation in case.protocol.participations(case.sources.len()) {
            let inputs: Vec<_> = participation
                .inputs()
                .zip(&case.numbers)
                .map(|((round, member), &n)| {
                    ((round, case.sources[member]), DIRECTIONS[usize::from(n) % 6])
                })
                .collect();
            let pairs = inputs.iter().flat_map(|i| inputs.iter().map(move |j| (i, j)));
            let term = |(i, j): (&(_, _), &(_, _))| view.projection(i.0, j.0).unwrap() * inner(i.1, j.1);
            let loss = pairs.map(term).sum::<BigRational>();
            prop_assert!(bound >= loss, "{bound} below {loss}");
        }
    }

    #[test]
    fn what_the_exact_engine_finds_is_accepted_and_nothing_better(case in case()) {
        for (certificate, bound) in case.certificates() {
            prop_assert_eq!(certificate.check(), Ok(()));
            let text = certificate.to_json().unwrap();
            prop_assert_eq!(&Certificate::parse(&text).unwrap(), &certificate);
            let better = match &certificate.claim {
                Claim::AtMost(_) => Claim::AtMost(&bound * ratio(999_999, 1_000_000)),
                Claim::AtLeast(_) => Claim::AtLeast(&bound * ratio(1_000_001, 1_000_000)),
            };
            let better = Certificate { claim: better, ..certificate };
            if bound > ratio(0, 1) {
                let refused = better.check();
                let less = matches!(refused, Err(Refusal::CostsMore { .. } | Refusal::Weaker { .. }));
                prop_assert!(less, "{refused:?}");
            }
        }
    }

    /// One number of the file is changed, or one item of a list is left out or doubled: whatever is still accepted is still true.
    #[test]
    fn a_file_that_was_tampered_with_is_refused_or_true(case in case(), places in prop::collection::vec(any::<u32>(), 12)) {
        for (certificate, _) in case.certificates() {
            let text = certificate.to_json().unwrap();
            for &place in &places {
                let Ok(tampered) = Certificate::parse(&tampered(&text, place)) else { continue };
                if tampered.protocol.nodes() < 9 && tampered.protocol.steps() < 12 && tampered.check().is_ok() {
                    prop_assert!(is_true(&tampered), "{place}: {tampered:?}");
                }
            }
        }
    }

    /// The question of another case with the answer of this one.
    #[test]
    fn another_graph_observer_or_source_is_refused_or_true(case in case(), other in case()) {
        for (certificate, _) in case.certificates() {
            let mut graph = certificate.clone();
            graph.protocol = other.protocol.clone();
            let mut observer = certificate.clone();
            observer.observer = other.observer.clone();
            let mut source = certificate;
            source.sources = other.sources.clone();
            for swapped in [graph, observer, source] {
                let fits = match &swapped.proof {
                    Proof::Absorption { plans, .. } => plans.iter().all(|plan| plan.times() == swapped.protocol.steps()
                        && (0..plan.times()).all(|t| plan.at(t).iter().all(|&(node, _)| node < swapped.protocol.nodes()))),
                    _ => true,
                };
                if fits && swapped.check().is_ok() {
                    prop_assert!(is_true(&swapped), "{swapped:?}");
                }
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in ".{0,60}", json in r#"[\[\]{}",:0-9a-z./-]{0,80}"#) {
        for text in [text, json] {
            let _ = Certificate::parse(&text).map(|certificate| certificate.check());
        }
    }
}

/// The text with one run of digits changed, or one item of a list left out or doubled.
fn tampered(text: &str, place: u32) -> String {
    let place = place as usize;
    if place.is_multiple_of(4) {
        let items: Vec<_> = text.match_indices("],[").collect();
        if items.len() > 1 {
            let pick = place / 4 % (items.len() - 1);
            let (from, to) = (items[pick].0 + 1, items[pick + 1].0 + 1);
            return match place / 4 % 2 {
                0 => format!("{}{}", &text[..from], &text[to..]),
                _ => format!("{}{}{}", &text[..to], &text[from..to], &text[to..]),
            };
        }
    }
    let starts: Vec<usize> = (1..text.len())
        .filter(|&i| {
            text.as_bytes()[i].is_ascii_digit() && !text.as_bytes()[i - 1].is_ascii_digit()
        })
        .collect();
    let start = starts[place % starts.len()];
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let changed = match place / 7 % 4 {
        0 => "0".into(),
        1 => "1".into(),
        2 => format!("{}9", &text[start..start + digits]),
        _ => (text[start..start + digits]
            .bytes()
            .fold(0_u64, |n, b| n.wrapping_mul(10).wrapping_add(u64::from(b - b'0')))
            .wrapping_add(1))
        .to_string(),
    };
    format!("{}{changed}{}", &text[..start], &text[start + digits..])
}
