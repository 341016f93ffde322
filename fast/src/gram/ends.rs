//! Gram matrices and losses with their errors, bit by bit, as they were last reviewed (`snapshots/`): a margin that goes missing
//! shows. What rests on dense linear algebra is not here, as its last bits may depend on the processor.

use super::assembly::view;
use super::loss::{Reach, WhitenedInputs, column_spread};
use super::number::Number;
use super::pair::Pair;
use super::rows::Messages;
use super::whitening::Whitening;
use muffliato_model::{
    CustomWeights, Fraction, GraphSpec, LossModel, Network, Observer, Protocol, WeightScheme,
};
use std::fmt::Write;

/// A graph and its weights, `GRAPH SCHEME`.
fn network(text: &str) -> Network {
    let (spec, scheme) = text.split_once(' ').unwrap();
    let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
    Network::try_new(graph, scheme.parse().unwrap()).unwrap()
}

fn custom() -> Network {
    let graph = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
    let entries = [
        (0, 0, 4),
        (0, 1, 3),
        (1, 0, 3),
        (1, 1, 2),
        (1, 2, 2),
        (2, 1, 2),
        (2, 2, 5),
    ];
    let weights = CustomWeights::try_new(&graph, 7, entries).unwrap();
    Network::try_new(graph, WeightScheme::Custom(weights)).unwrap()
}

fn fraction(text: &str) -> Fraction {
    text.parse().unwrap()
}

/// Protocols and observers that take every way through the assembly.
fn cases() -> Vec<(&'static str, Protocol, Observer)> {
    let refreshed = |network, steps, tau| {
        let protocol = Protocol::one_shot(network, steps).unwrap();
        protocol.refreshed(fraction(tau)).unwrap()
    };
    let descent =
        |text, rounds, steps| Protocol::gradient_descent(network(text), rounds, steps).unwrap();
    let changing = ["ring:6 metropolis", "path:6 lazy", "star:6 metropolis"];
    let changing = changing.map(network).to_vec();
    let edges = vec![(0, 1), (1, 2), (0, 2), (2, 3), (0, 1)];
    let complete = network("complete:4 metropolis").graph().clone();
    let coalition = |members: [usize; 2]| Observer::coalition(members).unwrap();
    vec![
        (
            "refreshed",
            refreshed(network("path:5 metropolis"), 3, "1/20"),
            Observer::full(1),
        ),
        ("custom", refreshed(custom(), 4, "1e-6"), Observer::full(0)),
        (
            "messages only",
            refreshed(network("star:5 lazy"), 3, "3"),
            Observer::paper(0),
        ),
        (
            "coalition",
            refreshed(network("karate metropolis"), 4, "1/10"),
            coalition([0, 33]),
        ),
        (
            "many",
            refreshed(network("regular:900:d=3:seed=1 lazy"), 5, "1/10"),
            Observer::full(7),
        ),
        ("descent", descent("path:4 lazy", 3, 1), Observer::full(0)),
        ("rounds", descent("ring:5 lazy", 2, 2), coalition([0, 2])),
        (
            "changing",
            Protocol::time_varying(changing.clone())
                .unwrap()
                .refreshed(fraction("1/7"))
                .unwrap(),
            Observer::full(2),
        ),
        (
            "changing descent",
            Protocol::gradient_descent_on(changing, 1).unwrap(),
            Observer::full(0),
        ),
        (
            "edges",
            Protocol::randomized(complete, edges)
                .unwrap()
                .refreshed(fraction("1/3"))
                .unwrap(),
            Observer::full(0),
        ),
        (
            "accelerated",
            refreshed(network("path:4 metropolis"), 4, "1/2")
                .accelerated(fraction("5/4"))
                .unwrap(),
            Observer::full(0),
        ),
        (
            "reacting",
            descent("path:4 metropolis", 3, 1)
                .reacting(["1/2", "-1/3", "1", "0"].map(fraction).to_vec())
                .unwrap(),
            Observer::full(1),
        ),
    ]
}

/// Up to 16 one by one, more by their sum and the sum of their absolute values.
fn numbers(values: &[f64]) -> String {
    if values.len() <= 16 {
        return format!("{values:?}");
    }
    let sum: f64 = values.iter().sum();
    let absolute: f64 = values.iter().map(|value| value.abs()).sum();
    format!("{} with sum {sum:?}, absolute {absolute:?}", values.len())
}

fn write<N: Number>(table: &mut String, name: &str, protocol: &Protocol, observer: &Observer) {
    let messages = Messages::of(protocol, observer).unwrap();
    let view = view::<N>(protocol, &messages).unwrap();
    let gram = view.gram(&()).unwrap();
    let outside = |u: &usize| !observer.contains(*u);
    let sources: Vec<usize> = (0..protocol.nodes()).filter(outside).take(9).collect();
    let columns = view.columns(&sources, &()).unwrap();
    let mut line = |what: &str, text: String| writeln!(table, "{name}, {what}: {text}").unwrap();
    line("high", numbers(&gram.high));
    line("low", numbers(&gram.low));
    line("error", numbers(&gram.error));
    line("column error", format!("{:?}", view.column_error()));
    line("underflow", format!("{:?}", view.underflow()));
    let blocks = view.column_floats() / (N::FLOATS * messages.size());
    for round in 0..blocks {
        let places = 0..sources.len();
        let column = |place: usize| columns.get(round, place);
        let high = places.clone().flat_map(|place| column(place).0).copied();
        line("columns", numbers(&high.collect::<Vec<_>>()));
        let low = places.clone().filter_map(|place| column(place).1);
        let low: Vec<f64> = low.flatten().copied().collect();
        line("low columns", numbers(&low));
        let norms: Vec<f64> = places.clone().map(|k| columns.norm(round, k)).collect();
        line("norms", numbers(&norms));
        let silent: Vec<usize> = places.map(|k| columns.silent(round, k)).collect();
        line("silent", format!("{silent:?}"));
    }
}

#[test]
fn gram_matrices() {
    let mut table = String::new();
    for (name, protocol, observer) in cases() {
        write::<f64>(&mut table, name, &protocol, &observer);
        write::<Pair>(
            &mut table,
            &format!("{name} in pairs"),
            &protocol,
            &observer,
        );
    }
    insta::assert_snapshot!(table);
}

/// A name, whitened columns, their errors and the defect.
type Inputs<'a> = (&'static str, &'a [&'a [f64]], &'a [f64], f64);

#[test]
fn losses_of_whitened_inputs() {
    let long: Vec<f64> = (0..40).map(|k| f64::from(k * k % 7 - 3) / 64.0).collect();
    let cases: [Inputs<'_>; 6] = [
        ("one", &[&[0.5, 0.25, 0.125]], &[1e-12], 1e-11),
        ("two", &[&[0.5, 0.25], &[0.75]], &[1e-9, 1e-10], 1e-13),
        (
            "opposite",
            &[&[0.5, 0.25], &[-0.75, 0.1]],
            &[0.0, 1e-14],
            0.0,
        ),
        (
            "three",
            &[&long, &long[3..], &long[17..]],
            &[1e-6, 1e-7, 1e-8],
            1e-3,
        ),
        ("nothing heard", &[&[], &[0.5]], &[1e-12, 1e-12], 1e-12),
        ("not finite", &[&[f64::MAX, 1.0], &[1.0]], &[0.0, 0.0], 0.25),
    ];
    let mut table = String::new();
    for (name, entries, errors, defect) in cases {
        for reach in [Reach::Both, Reach::LowerEnd] {
            let (entries, errors) = (entries.to_vec(), errors.to_vec());
            let inputs = WhitenedInputs { entries, errors };
            let found = inputs.loss(defect, reach, LossModel::SingleInput);
            let reach = if reach == Reach::Both {
                "both"
            } else {
                "lower"
            };
            for (what, number) in [
                ("loss", found.scalars),
                ("absolute", found.absolute_sum),
                ("vectors", found.vectors),
            ] {
                let (estimate, ends) = (number.estimate, number.certified);
                let (lower, upper) = (ends.lower(), ends.upper());
                let line = format!("{estimate:?} in {lower:?} .. {upper:?}");
                writeln!(table, "{name}, {reach}, {what}: {line}").unwrap();
            }
        }
    }
    for (size, norm, error) in [(1, 1.0, 1e-15), (100, 37.5, 3e-14), (5000, 1e6, 0.0)] {
        let whitening = Whitening {
            size,
            matrix: Vec::new(),
            correction: None,
            defect: 0.0,
            norm,
        };
        let spread = [f64::UNIT, Pair::UNIT].map(|unit| column_spread(&whitening, error, unit));
        writeln!(table, "spread {size} {norm:?} {error:?}: {spread:?}").unwrap();
    }
    insta::assert_snapshot!(table);
}
