//! Refutations written out for checking with pencil and paper.

use super::ClaimError;
use muffliato_model::{Draw, Network, Observer, Protocol};
use muffliato_reference::{BigRational, GossipMatrix, Observation, Process};
use num_traits::{One, Signed, Zero};

/// Formats the gossip matrix over its common denominator.
pub(crate) fn matrix(network: &Network) -> Result<String, ClaimError> {
    let w = GossipMatrix::of_network(network)?;
    let rows: Vec<_> = w.numerators().chunks(w.nodes()).map(listed).collect();
    Ok(format!("W = 1/{} [{}]", w.denominator(), rows.join("; ")))
}

fn listed(row: &[impl ToString]) -> String {
    let entries: Vec<_> = row.iter().map(ToString::to_string).collect();
    entries.join(" ")
}

/// Lists what Theorem 1 charges each message of an averaging protocol with for the sources, and the
/// sum.
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
            lines.push(format!("t = {t}: node {w} sends ({}) y; charged {share}", listed(&row)));
            sum += share;
        }
    }
    lines.push(format!("the charges add up to {sum}"));
    Ok(lines)
}

/// Lists the best statistic of the observer and the draws that remain in it. The sum of its entries
/// at the inputs of the sources, with worst-case signs, is the exact loss.
pub(crate) fn deconvolution(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
) -> Result<Vec<String>, ClaimError> {
    let process = Process::run(protocol)?;
    let view = process.view(observer)?;
    let attack = view.attack(&view.worst_inputs(sources)?)?;
    let loss = view.loss(sources)?;
    let (draws, times) = (process.draws(), process.draw_times());
    let place = |sought: Draw| draws.iter().position(|draw| *draw == sought);
    let mut combined = vec![BigRational::zero(); draws.len()];
    let mut terms = Vec::new();
    for (seen, factor) in attack.iter().filter(|(_, factor)| !factor.is_zero()) {
        let term = match *seen {
            Observation::Message { time, sender } => {
                let row = process.coefficients(time, sender).unwrap_or_default();
                combined.iter_mut().zip(&row).for_each(|(sum, entry)| *sum += factor * entry);
                format!("m(t={time}, node {sender})")
            }
            // No claim of the paper is about sums.
            Observation::Sum { .. } => continue,
            Observation::Known(draw) => {
                place(draw).into_iter().for_each(|place| combined[place] += factor);
                match draw {
                    Draw::Own { time, node } => format!("noise(t={time}, node {node})"),
                    Draw::Mask { time, edge: (a, b) } => format!("mask(t={time}, edge {a}-{b})"),
                }
            }
        };
        terms.push(signed(factor, &term, terms.is_empty()));
    }
    let mut left = Vec::new();
    for (draw, entry) in draws.iter().zip(&combined).filter(|(_, entry)| !entry.is_zero()) {
        let name = match (*draw, times.len()) {
            (Draw::Own { node, .. }, 1) => format!("y_{node}"),
            (Draw::Own { time, node }, _) => format!("y_{node}(t={time})"),
            (Draw::Mask { time, edge: (a, b) }, _) => format!("mask_{a}-{b}(t={time})"),
        };
        left.push(signed(entry, &name, left.is_empty()));
    }
    let inputs = times.iter().filter(|&&t| protocol.has_input(t));
    let inputs = inputs.flat_map(|&time| sources.iter().map(move |&node| Draw::Own { time, node }));
    let weights = inputs.zip(&loss.signs).filter_map(|(input, &up)| {
        let entry = combined[place(input)?].clone();
        Some(if up { entry } else { -entry })
    });
    let total: BigRational = weights.sum();
    Ok(vec![
        format!("the observer forms {} = {}", terms.join(" "), left.join(" ")),
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
    if size.is_one() { format!("{sign}{name}") } else { format!("{sign}{size} {name}") }
}
