//! Weights, rows, bases and what they prove, digit by digit, as they were last reviewed (`snapshots/`): a rounding that is
//! no longer counted shows.

use super::denominators::Denominators;
use super::gossip::ExactWeights;
use super::messages::Messages;
use super::projection::Projection;
use super::space::Space;
use super::vector::{RoundedVector, bits_above, divided_up, root_above, shifted_up};
use dashu_int::UBig;
use muffliato_model::{Fraction, GraphSpec, Network, Observer, Protocol};
use std::fmt::Write;

const PRECISION: usize = 128;

/// A graph and its weights, `GRAPH SCHEME`.
fn network(text: &str) -> Network {
    let (spec, scheme) = text.split_once(' ').unwrap();
    let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
    Network::try_new(graph, scheme.parse().unwrap()).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

/// Rows of every kind: powers of one matrix, changing ones, edges, accelerated and reacting ones.
fn cases() -> Vec<(&'static str, Protocol, Observer)> {
    let changing = ["path:4 metropolis", "star:4 lazy", "ring:4 metropolis"].map(network);
    let edges = vec![(0, 1), (1, 2), (0, 2), (0, 1)];
    let triangle = network("complete:3 metropolis").graph().clone();
    let accelerated = Protocol::time_varying(changing.to_vec()).unwrap();
    let reactions = ["1/2", "-5/3", "1", "0"].map(fraction).to_vec();
    let descent = Protocol::gradient_descent(network("path:4 lazy"), 2, 2).unwrap();
    vec![
        (
            "one matrix",
            Protocol::one_shot(network("path:4 metropolis"), 4).unwrap(),
            Observer::full(0),
        ),
        (
            "changing",
            Protocol::time_varying(changing.to_vec()).unwrap(),
            Observer::paper(1),
        ),
        (
            "edges",
            Protocol::randomized(triangle, edges).unwrap(),
            Observer::full(0),
        ),
        (
            "accelerated",
            accelerated.accelerated(fraction("5/4")).unwrap(),
            Observer::full(3),
        ),
        (
            "reacting",
            descent.reacting(reactions).unwrap(),
            Observer::coalition([0, 3]).unwrap(),
        ),
    ]
}

#[test]
fn weights_of_steps() {
    let mut table = String::new();
    for (name, protocol, _) in cases() {
        for t in 0..protocol.steps().min(3) {
            let weights = ExactWeights::of_step(protocol.step(t)).unwrap();
            writeln!(table, "{name}, {t}: {weights:?}").unwrap();
        }
    }
    let star = Protocol::one_shot(network("star:12 lazy:max-degree-inverse"), 1).unwrap();
    let weights = ExactWeights::of_step(star.step(0)).unwrap();
    writeln!(table, "star: {weights:?}").unwrap();
    for number in [0_usize, 1, 5, 16, 17] {
        let up = (root_above(number), bits_above(&UBig::from(number)));
        let shifted = shifted_up(UBig::from(number), 2);
        let divided = divided_up(UBig::from(number), &UBig::from(5_u8));
        writeln!(table, "{number}: {up:?} {shifted} {divided}").unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn rows_and_bases() {
    let mut table = String::new();
    for (name, protocol, observer) in cases() {
        let messages = Messages::of(&protocol, None, PRECISION).unwrap();
        let mut denominators = Denominators::new(&protocol, &messages);
        let mut space = Space::new(PRECISION);
        let mut heard = Vec::new();
        let mut draws = 0;
        for t in 0..protocol.steps() {
            if protocol.has_input(t) {
                draws += protocol.nodes();
                let unit = RoundedVector::unit(draws - 1, draws, PRECISION);
                let verdict = space.add(&unit, Some(0));
                writeln!(table, "{name}, {t}, a draw: {verdict:?}").unwrap();
            }
            heard = messages.at(t, &observer, heard);
            for message in &heard {
                let (sender, row) = (message.sender, &message.row);
                let bits = denominators.bits(sender);
                let verdict = space.add(row, Some(bits));
                writeln!(
                    table,
                    "{name}, {t}, {sender}, {bits} bits: {verdict:?} {row:?}"
                )
                .unwrap();
            }
            denominators.pass(t);
        }
        writeln!(table, "{name}: {space:?}").unwrap();
        let projection = Projection::of(&space, draws);
        writeln!(table, "{name}: {projection:?}").unwrap();
    }
    insta::assert_snapshot!(table);
}
