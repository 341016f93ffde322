//! A refutation written out so that it can be followed with pencil and paper.

use super::ClaimError;
use muffliato_model::{Network, Observer, Protocol};
use muffliato_reference::{BigRational, GossipMatrix, Observation, Process};
use num_traits::{One, Signed, Zero};

/// The gossip matrix over its common denominator.
pub(crate) fn matrix(network: &Network) -> Result<String, ClaimError> {
    let w = GossipMatrix::of_network(network)?;
    let rows: Vec<_> = w.numerators().chunks(w.nodes()).map(listed).collect();
    Ok(format!("W = 1/{} [{}]", w.denominator(), rows.join("; ")))
}

fn listed(row: &[impl ToString]) -> String {
    let entries: Vec<_> = row.iter().map(ToString::to_string).collect();
    entries.join(" ")
}

/// What each message of an averaging protocol is charged with by Theorem 1 for the sources, and the sum.
pub(crate) fn charges(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
) -> Result<Vec<String>, ClaimError> {
    let process = Process::run(protocol)?;
    let mut lines = Vec::new();
    let mut sum = BigRational::zero();
    for t in 0..protocol.steps() {
        for w in protocol.step(t).senders_to(observer.members()) {
            let row = process.coefficients(t, w).unwrap_or_default();
            let norm: BigRational = row.iter().map(|entry| entry * entry).sum();
            let of_sources: BigRational = sources.iter().map(|&u| &row[u] * &row[u]).sum();
            let share = of_sources / norm;
            lines.push(format!(
                "t = {t}: node {w} sends ({}) y; charged {share}",
                listed(&row)
            ));
            sum += share;
        }
    }
    lines.push(format!("the charges add up to {sum}"));
    Ok(lines)
}

/// The best statistic of the observer and what is left of all draws in it: the sum of its entries at the inputs of the
/// sources, with the worst-case signs, is the exact loss.
pub(crate) fn deconvolution(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
) -> Result<Vec<String>, ClaimError> {
    let process = Process::run(protocol)?;
    let view = process.view(observer)?;
    let statistic = view.statistic(sources)?;
    let loss = view.loss(sources)?;
    let (nodes, times) = (protocol.nodes(), process.draw_times());
    let mut combined = vec![BigRational::zero(); nodes * times.len()];
    let mut terms = Vec::new();
    for (seen, factor) in statistic
        .coefficients
        .iter()
        .filter(|(_, factor)| !factor.is_zero())
    {
        let term = match *seen {
            Observation::Message { time, sender } => {
                let row = process.coefficients(time, sender).unwrap_or_default();
                for (sum, entry) in combined.iter_mut().zip(&row) {
                    *sum += factor * entry;
                }
                format!("m(t={time}, node {sender})")
            }
            Observation::OwnNoise { time, node } => {
                let block = times.iter().position(|&t| t == time).unwrap_or(0);
                combined[block * nodes + node] += factor;
                format!("noise(t={time}, node {node})")
            }
        };
        terms.push(signed(factor, &term, terms.is_empty()));
    }
    let draws = combined
        .iter()
        .enumerate()
        .filter(|(_, entry)| !entry.is_zero());
    let mut left = Vec::new();
    for (place, entry) in draws {
        let name = match times.len() {
            1 => format!("y_{}", place % nodes),
            _ => format!("y_{}(t={})", place % nodes, times[place / nodes]),
        };
        left.push(signed(entry, &name, left.is_empty()));
    }
    let inputs: Vec<usize> = times
        .iter()
        .enumerate()
        .filter(|&(_, &t)| protocol.has_input(t))
        .flat_map(|(block, _)| sources.iter().map(move |&u| block * nodes + u))
        .collect();
    let total: BigRational = inputs
        .iter()
        .zip(&loss.signs)
        .map(|(&place, &up)| {
            let entry = combined[place].clone();
            if up { entry } else { -entry }
        })
        .sum();
    Ok(vec![
        format!(
            "the observer forms {} = {}",
            terms.join(" "),
            left.join(" ")
        ),
        format!("in which the inputs of {sources:?} have weight {total}: the exact loss"),
    ])
}

fn signed(factor: &BigRational, name: &str, first: bool) -> String {
    let sign = match (factor.is_negative(), first) {
        (true, true) => "-",
        (true, false) => "- ",
        (false, true) => "",
        (false, false) => "+ ",
    };
    let size = factor.abs();
    if size.is_one() {
        format!("{sign}{name}")
    } else {
        format!("{sign}{size} {name}")
    }
}
