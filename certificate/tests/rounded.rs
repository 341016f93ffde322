//! Rounded noise: the alibis in whole steps that the rules speak of, built step by step as their proofs say, for every difference, and what they cost.

use super::{graph, ratio, with};
use muffliato_certificate::{Certificate, Claim, Flow, Law, Proof, Refusal, Rounding};
use muffliato_model::{Absorption, Fraction, Lipschitz, Network, Observer, Protocol};
use muffliato_reference::BigRational;
use proptest::prelude::*;

fn grid(sensitivity: i64, coordinates: usize, roundings: usize) -> Law {
    Law::Rounded(Rounding { sensitivity: ratio(sensitivity, 1), coordinates, roundings })
}

fn network(nodes: usize, numbers: &[u8]) -> Network {
    Network::metropolis(graph(nodes, numbers)).unwrap()
}

/// Returns all integer vectors of this many coordinates and at most this length.
fn differences(length: i64, coordinates: usize) -> Vec<Vec<i64>> {
    let one = (0..coordinates).fold(vec![vec![]], |lists: Vec<Vec<i64>>, _| {
        let longer = lists.iter().flat_map(|list| {
            (-length..=length).map(move |d| list.iter().copied().chain([d]).collect())
        });
        longer.collect()
    });
    let short = |d: &Vec<i64>| d.iter().map(|d| d * d).sum::<i64>() <= length * length;
    one.into_iter().filter(short).collect()
}

/// Amounts along edges, some of which lead from a node to the ground (the last vertex).
struct Amounts {
    vertices: usize,
    /// From, to, amount, and what its square counts for.
    edges: Vec<(usize, usize, BigRational, BigRational)>,
}

impl Amounts {
    fn cost(&self) -> BigRational {
        self.edges.iter().fold(ratio(0, 1), |sum, (_, _, x, price)| sum + x * x * price)
    }

    /// The square at whole numbers, linear between them, summed over all edges.
    fn interpolated(&self) -> BigRational {
        let edges = self.edges.iter();
        edges.fold(ratio(0, 1), |sum, (_, _, x, price)| {
            let (floor, rest) = (x.floor(), x - x.floor());
            let square = &floor * &floor + rest * (ratio(2, 1) * &floor + ratio(1, 1));
            sum + square * price
        })
    }

    /// What comes to each vertex.
    fn balance(&self) -> Vec<BigRational> {
        let mut balance = vec![ratio(0, 1); self.vertices];
        for (from, to, x, _) in &self.edges {
            balance[*from] -= x;
            balance[*to] += x;
        }
        balance
    }

    /// A cycle of edges with broken amounts, each with its direction.
    fn cycle(&self) -> Option<Vec<(usize, i64)>> {
        let broken = |e: usize| !self.edges[e].2.is_integer();
        let first = (0..self.edges.len()).find(|&e| broken(e))?;
        let mut walk = vec![(first, 1)];
        let mut visited = vec![self.edges[first].0];
        let mut here = self.edges[first].1;
        loop {
            if let Some(start) = visited.iter().position(|&vertex| vertex == here) {
                return Some(walk.split_off(start));
            }
            visited.push(here);
            let last = walk[walk.len() - 1].0;
            let at_here = |e: &usize| self.edges[*e].0 == here || self.edges[*e].1 == here;
            let next = (0..self.edges.len())
                .find(|e| *e != last && broken(*e) && at_here(e))
                .expect("nobody has exactly one broken amount");
            let along = self.edges[next].0 == here;
            here = if along { self.edges[next].1 } else { self.edges[next].0 };
            walk.push((next, if along { 1 } else { -1 }));
        }
    }

    /// Amounts in whole steps, as the proof finds them.
    fn whole(mut self) -> Self {
        while let Some(cycle) = self.cycle() {
            let moved = |sign: i64| {
                let room = cycle.iter().map(|&(e, way)| {
                    let x = &self.edges[e].2;
                    if sign * way > 0 { x.ceil() - x } else { x - x.floor() }
                });
                let by = room.min().unwrap() * ratio(sign, 1);
                let mut edges = self.edges.clone();
                for &(e, way) in &cycle {
                    edges[e].2 += &by * ratio(way, 1);
                }
                Self { vertices: self.vertices, edges }
            };
            let before = self.interpolated();
            let (one, other) = (moved(1), moved(-1));
            self = if one.interpolated() <= other.interpolated() { one } else { other };
            assert!(self.interpolated() <= before);
        }
        self
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every difference of one or two sources up to the largest has an alibi in whole steps that costs no more than is proved.
    #[test]
    fn flows_in_whole_steps_cost_no_more_than_is_proved(
        nodes in 3_usize..6, several in any::<bool>(), coordinates in 1_usize..3, largest in 1_i64..5, parts in 1_i64..9,
        kappa in 1_u8..4, numbers in prop::collection::vec(any::<u8>(), 60)
    ) {
        let protocol = Protocol::one_shot(network(nodes, &numbers), 2).unwrap();
        let protocol = protocol.masked(format!("{kappa}/2").parse().unwrap()).unwrap();
        let observer = Observer::full(0);
        let sources: Vec<usize> = if several { vec![1, 2] } else { vec![1] };
        // Two coordinates of two sources are many differences.
        let (coordinates, largest) = if several { (1, largest.min(3)) } else { (coordinates, largest) };
        let graph = protocol.mask_graph(0).unwrap().unwrap();
        let hidden: Vec<_> = graph.edges().filter(|(a, _)| *a != 0).collect();
        let flows: Vec<Vec<Flow>> = (0..sources.len()).map(|i| {
            let amount = |n: u8| ratio(i64::from(n % 9) - 4, parts);
            let edges = hidden.iter().zip(&numbers[20 + 15 * i..]);
            edges.map(|(&(from, to), &n)| Flow { from, to, amount: amount(n) }).collect()
        }).collect();
        let shares = |i: usize, edge: (usize, usize)| {
            let flow = flows[i].iter().find(|flow| (flow.from, flow.to) == edge).unwrap();
            flow.amount.clone()
        };
        let certificate = Certificate {
            protocol: protocol.clone(), noise: grid(largest, coordinates, 1), observer, sources: sources.clone(),
            claim: Claim::AtMost(ratio(0, 1)), proof: Proof::Flows(vec![flows.clone()]),
        };
        let proved = certificate.proved().unwrap();
        let ideal = Certificate { noise: Law::Gaussian, ..certificate.clone() };
        prop_assert!(ideal.proved().unwrap() <= proved);
        let price = ratio(4, i64::from(kappa) * i64::from(kappa));
        let one = differences(largest, coordinates);
        let all: Vec<Vec<Vec<i64>>> = if several {
            one.iter().flat_map(|d| one.iter().map(move |e| vec![d.clone(), e.clone()])).collect()
        } else {
            one.into_iter().map(|d| vec![d]).collect()
        };
        for difference in all {
            let mut cost = ratio(0, 1);
            for c in 0..coordinates {
                let mut edges = Vec::new();
                let mut through = vec![ratio(0, 1); nodes];
                for (&source, d) in sources.iter().zip(&difference) {
                    through[source] += ratio(d[c], 1);
                }
                let entering = through.clone();
                for &(a, b) in &hidden {
                    let x = (0..sources.len()).fold(ratio(0, 1), |sum, i| sum + shares(i, (a, b)) * ratio(difference[i][c], 1));
                    through[a] -= &x;
                    through[b] += &x;
                    edges.push((a, b, x, price.clone()));
                }
                edges.extend(through.into_iter().enumerate().map(|(w, z)| (w, nodes, z, ratio(1, 1))));
                let alibi = Amounts { vertices: nodes + 1, edges }.whole();
                prop_assert!(alibi.edges.iter().all(|(_, _, x, _)| x.is_integer()));
                for (balance, entering) in alibi.balance().iter().zip(&entering) {
                    prop_assert_eq!(balance + entering, ratio(0, 1));
                }
                cost += alibi.cost();
            }
            prop_assert!(cost <= &proved * ratio(largest * largest, 1), "{:?}: {cost}", difference);
        }
    }

    /// Two runs on the grid with the shifts of the rule: those who are heard have the same, and the shifts cost no more than is proved.
    #[test]
    fn absorption_in_whole_steps_costs_no_more_than_is_proved(
        nodes in 3_usize..6, rounds in 1_usize..3, gossip in 1_usize..4, coordinates in 1_usize..3, roundings in 1_usize..3,
        largest in 1_i64..5, numbers in prop::collection::vec(any::<u8>(), 200)
    ) {
        let protocol = Protocol::gradient_descent(network(nodes, &numbers), rounds, gossip).unwrap();
        let protocol = protocol.refreshed("1/2".parse().unwrap()).unwrap();
        let observer = Observer::full(0);
        let source = 1 + usize::from(numbers[11]) % (nodes - 1);
        let forced = Absorption::first_passage(&protocol, &observer).unwrap();
        let mut next = numbers.iter().skip(20).cycle().copied();
        let mut fractions = Vec::new();
        for time in 0..protocol.steps() {
            for node in 1..nodes {
                let free = Fraction::try_new(i128::from(next.next().unwrap() % 5), 4).unwrap();
                let forced = forced.fraction(time, node);
                fractions.push((time, node, if forced.is_zero() { free } else { forced }));
            }
        }
        let plan = Absorption::try_new(&protocol, fractions).unwrap();
        let proof = Proof::Absorption { lipschitz: Lipschitz::default(), grid: 96, plans: vec![plan.clone()], flows: vec![] };
        let certificate = Certificate {
            protocol: protocol.clone(), noise: grid(largest, coordinates, roundings), observer: observer.clone(), sources: vec![source],
            claim: Claim::AtMost(ratio(0, 1)), proof,
        };
        let proved = certificate.proved().unwrap();
        let zero = vec![0_i64; coordinates];
        let (mut one, mut other) = (vec![zero.clone(); nodes], vec![zero; nodes]);
        let mut cost = ratio(0, 1);
        let all = differences(largest, coordinates);
        for t in 0..protocol.steps() {
            if protocol.has_input(t) {
                let difference = &all[(usize::from(next.next().unwrap()) * 251 + t) % all.len()];
                for (state, d) in other[source].iter_mut().zip(difference) {
                    *state += d;
                }
            }
            for w in 0..nodes {
                let theta = plan.fraction(t, w);
                let (above, below) = (theta.numerator() as i64, theta.denominator() as i64);
                for c in 0..coordinates {
                    let shift = (other[w][c] - one[w][c]) * above / below;
                    let draw = i64::from(next.next().unwrap()) - 128;
                    one[w][c] += draw;
                    other[w][c] += draw - shift;
                    let square = ratio(shift * shift, 1);
                    cost += if protocol.has_input(t) { square } else { square * ratio(4, 1) };
                }
            }
            for node in protocol.step(t).senders_to(observer.members()) {
                prop_assert_eq!(&one[node], &other[node]);
            }
            let salt = next.next().unwrap();
            one = mixed(&protocol, &one, roundings, salt);
            other = mixed(&protocol, &other, roundings, salt);
        }
        prop_assert!(cost <= &proved * ratio(largest * largest, 1), "{cost} {proved}");
    }
}

/// The states after mixing, rounded to whole steps: the nearest, or one that is half a step off for each further rounding.
fn mixed(protocol: &Protocol, states: &[Vec<i64>], roundings: usize, salt: u8) -> Vec<Vec<i64>> {
    let network = protocol.fixed_network().unwrap();
    let graph = network.graph();
    let mix = |w: usize| -> Vec<i64> {
        let coordinate = |c: usize| {
            let own = ratio(states[w][c], 1);
            let sum = graph.neighbours(w).fold(own.clone(), |sum, v| {
                let weight = ratio(1, 1 + graph.degree(v).max(graph.degree(w)) as i64);
                sum + weight * (ratio(states[v][c], 1) - &own)
            });
            let entered = graph.neighbours(w).map(|v| states[v][c]).sum::<i64>() + 7 * states[w][c];
            let up = (entered + i64::from(salt)).rem_euclid(2) == 0;
            let off = ratio(if up { 1 } else { -1 } * (roundings as i64 - 1), 2);
            let nearest = (sum + off + ratio(1, 2)).floor().to_integer();
            i64::try_from(nearest).unwrap()
        };
        (0..states[w].len()).map(coordinate).collect()
    };
    (0..states.len()).map(mix).collect()
}

/// One round on a ring of four: three eighths of the input leave node 1 towards node 2, and one eighth goes on to node 3; three nodes and two masks take parts of steps.
const MASKED: &str = r#"{"certificate": 1, "protocol": {"nodes": 4, "rounds": 1, "gossip_steps": 2, "masks": {"kappa": "1/2"},
    "network": {"edges": [[0, 1], [1, 2], [2, 3], [0, 3]], "weights": "metropolis"}},
    "noise": {"rounded": {"sensitivity": "1000", "coordinates": 1, "roundings": 1}},
    "observers": [0], "sources": [1], "at_most": "1.09375275",
    "flows": [[[[1, 2, "3/8"], [2, 3, "1/8"]]]]}"#;

/// A half of what is at node 2 is absorbed in the first round, and a step more is left.
const DESCENT: &str = r#"{"certificate": 1, "protocol": {"nodes": 4, "rounds": 2, "gossip_steps": 1,
    "network": {"edges": [[0, 1], [1, 2], [2, 3]], "weights": "metropolis"}},
    "noise": {"rounded": {"sensitivity": "1000", "coordinates": 1, "roundings": 1}},
    "observers": [0], "sources": [2], "at_most": "0.278561001",
    "absorption": {"grid": 200, "fractions": [[[0, 2, "1/2"], [0, 1, "1"], [1, 1, "1"]]]}}"#;

fn verdict(text: &str) -> Result<(), Refusal> {
    let certificate = Certificate::parse(text).expect("it can be read");
    let again = Certificate::parse(&certificate.to_json().unwrap()).unwrap();
    assert_eq!(again, certificate);
    certificate.check()
}

/// What is replaced in a file by what, and what the proof gives then, where that is above the claim.
type Row = (&'static str, &'static str, Option<&'static str>);

fn assert_verdicts(file: &str, rows: &[Row]) {
    for &(from, to, found) in rows {
        let expected = found.map_or(Ok(()), |found| {
            let found = found.into();
            Err(Refusal::CostsMore { found })
        });
        assert_eq!(verdict(&with(file, from, to)), expected, "{to}");
    }
}

#[test]
#[rustfmt::skip]
fn wrong_flows_on_a_grid_are_refused() {
    assert_verdicts(MASKED, &[
        ("", "", None),
        ("1.09375275", "1.09375274", Some("1.093752750000")),
        // Without the grid, amounts need not be whole.
        ("1.09375275", "1.09375", Some("1.093752750000")),
        // A coarser grid, more coordinates, more rounds; a finer grid costs less.
        (r#""1000""#, r#""999""#, Some("1.093752755508")),
        (r#""1000""#, r#""1/1000""#, Some("2750001.093750000000")),
        (r#""1000""#, r#""1001""#, None),
        (r#""coordinates": 1"#, r#""coordinates": 2"#, Some("1.093755500000")),
        (r#""rounds": 1"#, r#""rounds": 2"#, Some("2.187505500000")),
        // How messages are rounded does not matter: masked states are all that anybody has.
        (r#""roundings": 1"#, r#""roundings": 9"#, None),
    ]);
    let noise = r#""noise": {"rounded": {"sensitivity": "1000", "coordinates": 1, "roundings": 1}},"#;
    assert_verdicts(&with(MASKED, noise, ""), &[("1.09375275", "1.09375", None)]);
    // Whole amounts cost nothing more: a node's own draw takes all, on any grid.
    let coarse = with(MASKED, r#""1000""#, r#""1""#);
    let local = with(&coarse, r#"[1, 2, "3/8"], [2, 3, "1/8"]"#, "");
    assert_verdicts(&local, &[("1.09375275", "1", None)]);
    let whole = with(MASKED, r#"[1, 2, "3/8"], [2, 3, "1/8"]"#, r#"[1, 2, "2/2"]"#);
    assert_verdicts(&whole, &[("1.09375275", "5", None), ("1.09375275", "4.99999", Some("5.000000000000"))]);
    let almost = with(&with(&whole, "2/2", "0.999999"), "1.09375275", "5");
    assert_verdicts(&almost, &[(r#""1000""#, r#""1""#, Some("6.499990000006"))]);
}

#[test]
#[rustfmt::skip]
fn wrong_absorption_on_a_grid_is_refused() {
    assert_verdicts(DESCENT, &[
        // 1/4 + ((1/2 + 0.001) / 3 + 0.001 + 0.001)^2: a step is left, one is added by mixing, and one by the next input.
        ("", "", None),
        ("0.278561001", "0.278561", Some("0.278561000000")),
        (r#""1000""#, r#""500""#, Some("0.279355111111")),
        // sqrt(4) = 2 steps, and sqrt(2) rounded up.
        (r#""coordinates": 1"#, r#""coordinates": 4"#, Some("0.279355111111")),
        (r#""coordinates": 1"#, r#""coordinates": 2"#, Some("0.278888610548")),
        (r#""roundings": 1"#, r#""roundings": 2"#, Some("0.279241000000")),
        // Rounded toward 0, no shift leaves more than there was: 1/4 + (1/3 + 2)^2.
        (r#""1000""#, r#""1""#, Some("5.694444444444")),
    ]);
    // Whole fractions leave nothing more, and equal states stay equal: the source absorbs all, on any grid.
    let local = with(DESCENT, r#"[0, 2, "1/2"]"#, r#"[0, 2, "1"], [1, 2, "1"]"#);
    let local = with(&with(&local, "0.278561001", "2"), r#""1000""#, r#""1""#);
    assert_verdicts(&local, &[(r#""coordinates": 1"#, r#""coordinates": 7"#, None)]);
    // What is heard is 0 exactly.
    let heard = verdict(&with(DESCENT, r#"[1, 1, "1"]"#, r#"[1, 1, "0.999"]"#));
    assert_eq!(heard, Err(Refusal::Heard { time: 1, node: 1 }));
    // A third round: 1.169 was left at node 2, and (1.169 / 3 + 0.002)^2 is added.
    let longer = with(DESCENT, r#""rounds": 2"#, r#""rounds": 3"#);
    assert_verdicts(&longer, &[(r#"[1, 1, "1"]"#, r#"[1, 1, "1"], [2, 1, "1"]"#, Some("0.431963777777"))]);
}

#[test]
fn what_has_no_rule_on_a_grid_is_refused() {
    let flows = with(DESCENT, r#""grid": 200"#, r#""flows": [[[]]], "grid": 200"#);
    assert_eq!(verdict(&flows), Err(Refusal::NotOnGrid));
    let alibis = MASKED.split(r#""flows""#).next().unwrap();
    assert_eq!(
        verdict(&format!(r#"{alibis} "alibis": [{{"shifts": [[]]}}]}}"#)),
        Err(Refusal::NotOnGrid)
    );
    let attack = alibis.replace("at_most", "at_least");
    let attack = format!(r#"{attack} "attack": {{"inputs": [], "messages": []}}}}"#);
    assert_eq!(verdict(&attack), Err(Refusal::NotOnGrid));
    for (from, to) in [
        (r#""1000""#, r#""0""#),
        (r#""1000""#, r#""-1000""#),
        (r#""coordinates": 1"#, r#""coordinates": 0"#),
        (r#""roundings": 1"#, r#""roundings": 0"#),
    ] {
        let refused = verdict(&with(MASKED, from, to));
        assert!(matches!(refused, Err(Refusal::Question(_))), "{to}: {refused:?}");
    }
    for (from, to) in [
        ("rounded", "discrete"),
        (r#""coordinates": 1, "#, ""),
        (r#", "roundings": 1"#, ""),
        (r#""1000""#, "1000"),
        (r#""1000""#, r#""1e3""#),
        (r#""roundings": 1"#, r#""roundings": 1, "sigma": "1""#),
        (r#""roundings": 1}"#, r#""roundings": 1}, "discrete": {}"#),
        (r#"{"rounded""#, r#""gaussian", "rounded""#),
    ] {
        assert!(Certificate::parse(&with(MASKED, from, to)).is_err(), "{to}");
    }
}
