//! Runs with given inputs and noise, and expected errors.

use super::{Answer, Answers, Quantity};
use crate::case::Case;
use muffliato_fast::FastError;
use muffliato_fast::noise::GivenNoise;
use muffliato_fast::simulation::{Outcome, Simulation};
use muffliato_model::Draw;
use muffliato_reference::{BigRational, Process};
use num_traits::Zero;

/// Tolerance of a run: a few hundred roundings of numbers near 1.
const RUN: f64 = 1e-11;

/// Compares the final states of all nodes, the messages to the observer by step and sender, and the
/// bias and noise of the expected error of the output relative to 0.
pub(super) fn quantities(case: &Case) -> Vec<Quantity> {
    if case.protocol.masks().is_some() {
        return Vec::new(); // given noise has no masks
    }
    let outcome = simulated(case);
    let of_run = |numbers: fn(&Outcome) -> Vec<f64>| -> Answers {
        let outcome = outcome.as_ref().map_err(FastError::clone)?;
        let numbers = numbers(outcome).into_iter();
        Ok(numbers.map(|number| Answer::estimated(number, RUN)).collect())
    };
    let heard = |outcome: &Outcome| {
        let messages = outcome.messages.iter();
        messages.flat_map(|message| message.values.clone()).collect()
    };
    vec![
        Quantity::new("the values of a run", values(case), of_run(|run| run.values.clone())),
        Quantity::new("the messages of a run", messages(case), of_run(heard)),
        Quantity::new("the expected error", error(case), fast_error(case)),
    ]
}

/// Computes the state that a node sends at a time, with the inputs and draws of the case.
fn state(case: &Case, process: &Process, time: usize, node: usize) -> Answer {
    let (protocol, nodes) = (&case.protocol, case.protocol.nodes());
    let inputs = protocol.rounds() * nodes;
    let coefficients = process.coefficients(time, node).unwrap_or_default();
    let mut sum = BigRational::zero();
    let mut round = 0;
    for (&drawn, row) in process.draw_times().iter().zip(coefficients.chunks(nodes)) {
        for (u, coefficient) in row.iter().enumerate().filter(|(_, entry)| !entry.is_zero()) {
            let mut entering = number(case, inputs + drawn * nodes + u);
            if protocol.has_input(drawn) {
                entering += number(case, round * nodes + u);
            }
            sum += coefficient * entering;
        }
        round += usize::from(protocol.has_input(drawn));
    }
    Answer::exact(sum)
}

fn number(case: &Case, place: usize) -> BigRational {
    BigRational::from_float(case.number(place)).unwrap_or_default()
}

fn values(case: &Case) -> Answers {
    let protocol = &case.protocol;
    let process = Process::run(protocol)?;
    let nodes = 0..protocol.nodes();
    Ok(nodes.map(|v| state(case, &process, protocol.steps(), v)).collect())
}

fn messages(case: &Case) -> Answers {
    let protocol = &case.protocol;
    let process = Process::run(protocol)?;
    let sent = (0..protocol.steps()).flat_map(|t| {
        let senders = protocol.step(t).senders_to(case.observer.members());
        senders.into_iter().map(move |sender| (t, sender))
    });
    Ok(sent.map(|(t, w)| state(case, &process, t, w)).collect())
}

fn error(case: &Case) -> Answers {
    let nodes = case.protocol.nodes();
    let inputs: Vec<Vec<_>> = (0..case.protocol.rounds())
        .map(|round| (0..nodes).map(|u| number(case, round * nodes + u)).collect())
        .collect();
    let error = Process::run(&case.protocol)?.expected_error(&inputs, &BigRational::zero())?;
    Ok(vec![Answer::exact(error.bias), Answer::exact(error.noise)])
}

/// Runs the fast engine on inputs of `width` coordinates with the given noise.
fn run(
    case: &Case,
    inputs: &[f64],
    width: usize,
    noise: impl Iterator<Item = (usize, Vec<f64>)>,
) -> Result<Outcome, FastError> {
    let given = GivenNoise::try_new(case.protocol.nodes(), width, noise)?;
    Simulation::new(&case.protocol)
        .recording_messages_to(case.observer.clone())
        .against(vec![0.0; width])
        .run(inputs, width, &given)
}

fn draw_times(case: &Case) -> impl Iterator<Item = usize> {
    let protocol = &case.protocol;
    (0..protocol.steps()).filter(|&t| protocol.draws(t))
}

fn inputs(case: &Case) -> Vec<f64> {
    let count = case.protocol.rounds() * case.protocol.nodes();
    (0..count).map(|place| case.number(place)).collect()
}

fn simulated(case: &Case) -> Result<Outcome, FastError> {
    let (inputs, nodes) = (inputs(case), case.protocol.nodes());
    let first = inputs.len();
    let block = |t: usize| {
        let numbers = (0..nodes).map(|u| case.number(first + t * nodes + u));
        (t, numbers.collect())
    };
    run(case, &inputs, 1, draw_times(case).map(block))
}

/// Computes the bias by a run without noise, and the noise by one run per draw with that draw
/// alone.
fn fast_error(case: &Case) -> Answers {
    let (protocol, nodes) = (&case.protocol, case.protocol.nodes());
    let silent = draw_times(case).map(|t| (t, vec![0.0; nodes]));
    let bias = run(case, &inputs(case), 1, silent)?.errors;
    let width = draw_times(case).count() * nodes;
    let drawn = draw_times(case).enumerate().map(|(block, t)| {
        let mut draws = vec![0.0; nodes * width];
        for u in 0..nodes {
            let variance = protocol.variance(Draw::Own { time: t, node: u }).to_f64();
            draws[u * width + block * nodes + u] = variance.sqrt();
        }
        (t, draws)
    });
    let nothing = vec![0.0; protocol.rounds() * nodes * width];
    let noise = run(case, &nothing, width, drawn)?.errors;
    let last = |errors: Vec<(usize, f64)>| errors.last().map_or(f64::NAN, |&(_, error)| error);
    Ok([bias, noise].map(last).map(|error| Answer::estimated(error, RUN * error.max(1.0))).to_vec())
}
