//! Taken literally, Theorem 1 looks up the wrong entry of a product of different matrices.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graphs, loss_again, named, single_observers, smallest, view},
    pairs::{THEOREM_1, both_views, each_source, in_both_views},
    witness::{Comparison, estimate},
};
use muffliato_fast::{Enclosure, simulation::GossipState};
use muffliato_model::{Graph, Protocol};
use muffliato_reference::{BigRational, Process};

pub(super) const CLAIM: Claim = Claim {
    id: "theorem-1-indices",
    place: "Theorem 1, the entry (W_0:t)_u,w",
    statement: "A message of w at time t is charged with the entry of W_0:t in row u and column w, squared, over the \
                squared norm of row w.",
    method: "Observers who receive one message only, for which Theorem 1 has nothing to add up: all sequences of up \
             to 4 edges that average, on all connected graphs up to 4 nodes, until the exact loss exceeds the charge. \
             Then with row w and column u, which agrees with the loss everywhere (and is what this project calls f). \
             For one matrix the two are the same.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "star of 4 (0-3 1-3 2-3), edges 2-3, 1-3, 0-3, 1 -> full:0: promised 1/6, true 2/3 (paper's view: 2/3). \
                  Holds with the entry in row w and column u, which is the loss: 7864 pairs with one message, 4 edges on \
                  connected graphs up to 4 nodes",
    },
    decide,
};

/// A sequence of edges that average, in which an observer takes part once.
struct Relay {
    edges: Vec<(usize, usize)>,
    /// When its only message is sent.
    time: usize,
    /// By whom.
    sender: usize,
}

/// All relays of so many edges to v.
fn relays(graph: &Graph, steps: usize, v: usize) -> Vec<Relay> {
    let all: Vec<_> = graph.edges().collect();
    let mut relays = Vec::new();
    for number in 0..all.len().pow(steps as u32) {
        let at = |t: usize| all[number / all.len().pow(t as u32) % all.len()];
        let edges: Vec<_> = (0..steps).map(at).collect();
        let numbered = edges.iter().enumerate();
        let mut own = numbered.filter(|&(_, &(a, b))| a == v || b == v);
        if let (Some((time, &(a, b))), None) = (own.next(), own.next()) {
            let sender = if a == v { b } else { a };
            relays.push(Relay {
                edges: edges.clone(),
                time,
                sender,
            });
        }
    }
    relays
}

/// The charge of the message of w at time t as it is printed, in the fast engine.
fn again(
    nodes: usize,
    before: &[(usize, usize)],
    u: usize,
    w: usize,
) -> Result<Enclosure, ClaimError> {
    let unit = |place: usize| f64::from(place / nodes == place % nodes);
    let mut rows = GossipState::try_new((0..nodes * nodes).map(unit).collect(), nodes)?;
    for &(a, b) in before {
        rows.average(a, b)?;
    }
    let norm: f64 = rows.value(w).iter().map(|entry| entry * entry).sum();
    Ok(estimate(rows.value(u)[w] * rows.value(u)[w] / norm))
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=4, |graph, steps| {
        for observer in single_observers(graph) {
            for relay in relays(graph, steps, observer.members()[0]) {
                let Relay {
                    edges,
                    time: t,
                    sender: w,
                } = relay;
                let protocol = Protocol::randomized(graph.clone(), edges.clone())?;
                let process = Process::run(&protocol)?;
                let row = |node| process.coefficients(t, node).unwrap_or_default();
                let norm: BigRational = row(w).iter().map(|entry| entry * entry).sum();
                let Some(views) = both_views(&protocol, &observer)? else {
                    continue;
                };
                for source in each_source(graph, &observer) {
                    let u = source[0];
                    let entry = row(u)[w].clone();
                    let charge = &entry * &entry / &norm;
                    let found = in_both_views(
                        &views,
                        |view| Ok(Comparison::at_most(view.leakage(u)?, charge.clone())),
                        |view| {
                            let actual = loss_again(&protocol, &source, view.observer())?;
                            Ok([again(graph.nodes(), &edges[..t], u, w)?, actual])
                        },
                        || {
                            let mut lines = hand_check::charges(&protocol, &source, &observer)?;
                            lines.push(format!("as printed, with {entry} in row {u} and column {w}, it is charged {charge}"));
                            lines.extend(hand_check::deconvolution(&protocol, &source, &observer)?);
                            let text: Vec<_> =
                                edges.iter().map(|(u, v)| format!("{u}-{v}")).collect();
                            let what = format!("{}, edges {}", named(graph), text.join(", "));
                            Ok((format!("{what}, {u} -> {observer}"), lines))
                        },
                    )?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(None)
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        for observer in single_observers(&graph) {
            for relay in relays(&graph, 4, observer.members()[0]) {
                let protocol = Protocol::randomized(graph.clone(), relay.edges)?;
                let view = view(&protocol, &observer)?;
                for source in each_source(&graph, &observer) {
                    if view.leakage(source[0])? != (THEOREM_1.exact)(&protocol, &source, &observer)?
                    {
                        let case = format!("{}, {} -> {observer}", named(&graph), source[0]);
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::corrected(
        found,
        "with the entry in row w and column u, which is the loss",
        format!("{cases} pairs with one message, 4 edges on connected graphs up to 4 nodes"),
    ))
}
