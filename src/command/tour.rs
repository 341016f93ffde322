//! The tour.

use super::{output::print, session::Session, table};
use muffliato::prelude::*;
use muffliato::reference::{Spread, decimal::rounded_up};
use std::fmt::Write;

const STEPS: usize = 4;
const TAU: &str = "0.1";
/// The pair that the tour looks at: the club's officer, and a member at distance 2.
const SOURCE: usize = 33;
const OBSERVER: usize = 3;

/// The karate club: what the paper promises, what is lost, and what a little fresh noise restores.
pub fn run(_: &Session) -> anyhow::Result<()> {
    let text = text()?;
    print(|out| Ok(out.write_all(text.as_bytes())?))
}

fn text() -> anyhow::Result<String> {
    let graph = "karate".parse::<GraphSpec>()?.build()?;
    let observers: Vec<_> = (0..graph.nodes()).map(Observer::full).collect();
    let network = Network::try_new(graph, WeightScheme::Metropolis)?;
    let one_shot = Protocol::one_shot(network.clone(), STEPS)?;
    let refreshed = one_shot.clone().refreshed(TAU.parse()?)?;
    let plain = Account::of(&one_shot, &observers)?;
    let repaired = Account::of(&refreshed, &observers)?;

    let mut text = format!(
        "Zachary's karate club: 34 members, Metropolis weights, {STEPS} gossip steps.\n\
         Everybody adds Gaussian noise once and gossips. How much of its input does each member\n\
         leak to each other member? In multiples of the local (LDP) loss, by distance:\n\n"
    );
    let rows: Vec<_> = plain
        .by_distance()
        .iter()
        .zip(repaired.by_distance())
        .map(|(plain, repaired)| {
            let mut row = vec![table::distance(plain.distance), plain.pairs.to_string()];
            for spread in [
                plain.paper_bound.as_ref(),
                Some(&plain.leakage),
                Some(&repaired.leakage),
            ] {
                row.extend(mean_and_largest(spread));
            }
            row
        })
        .collect();
    let head = [
        "distance",
        "pairs",
        "paper mean",
        "max",
        "exact mean",
        "max",
        "refreshed mean",
        "max",
    ];
    text += &table::aligned(&head, &rows);

    let witness = Protocol::one_shot(network, 2)?;
    let observer = Observer::full(OBSERVER);
    let bounds = PaperBounds::of(&witness)?;
    let promised = bounds.pairwise(SOURCE, &observer)?;
    let process = Process::run(&witness)?;
    let lost = process.view(&observer)?.leakage(SOURCE)?;
    writeln!(
        text,
        "\nThe paper's bound (Theorem 1) is not a bound: the messages that a member receives are\n\
         correlated, and their losses do not add up. After 2 steps it promises member {SOURCE} a loss of\n\
         {promised} (about {}) towards member {OBSERVER}, at distance 2. Member {OBSERVER} can\n\
         work out the noisy input itself: the exact loss is {lost}. Fresh noise of {TAU} sigma at each step\n\
         (refreshed) restores privacy at a distance.",
        rounded_up(&promised, 2),
    )?;
    text += "\n\
             Next: muffliato account my.edges --protocol refreshed:0.1 --plot loss.svg\n      \
             muffliato calibrate karate --epsilon 1 --delta 1e-6 --protect 'distance>=3' --steps 4\n      \
             muffliato account hypercube:11 --steps 12 --protocol refreshed:0.02 --observer 0\n      \
             muffliato --help\n";
    Ok(text)
}

/// Both rounded up; dashes where there is nothing.
fn mean_and_largest(spread: Option<&Spread>) -> [String; 2] {
    match spread {
        Some(spread) => [spread.mean.upper(), &spread.max].map(|value| rounded_up(value, 3)),
        None => ["-"; 2].map(String::from),
    }
}
