//! Theorem 1, and remarks about it.

use crate::claims::prelude::*;
use muffliato_fast::simulation::GossipState;

/// Theorem 1 does not bound the loss: messages are correlated, and their losses do not add up.
pub(in crate::claims) fn theorem_1() -> Result<Verdict, ClaimError> {
    let claimed = (Relation::AtMost, Bound::Theorem1);
    let found = one_shot_search(6, 6, single_observers, each_source, claimed);
    let club = graph("karate")?;
    let place = Instance::on(&club, "karate club, T = 2");
    let (club, observer) = (one_shot(&club, 2)?, Observer::full(3));
    let also = violation(&club, &place, &observer, &[vec![33]], claimed);
    Verdict::of_searches(found, also)
}

/// A sequence of averaging edges in which the observer takes part once.
struct Relay {
    edges: Vec<(usize, usize)>,
    /// Time of its only message.
    time: usize,
    /// Sender of its only message.
    sender: usize,
}

/// Returns all relays of `steps` edges to v.
fn relays(graph: &Graph, steps: usize, v: usize) -> Vec<Relay> {
    let all: Vec<_> = graph.edges().collect();
    let mut relays = Vec::new();
    for sequence in sequences(all.len(), steps) {
        let edges: Vec<_> = sequence.into_iter().map(|edge| all[edge]).collect();
        let numbered = edges.iter().enumerate();
        let mut own = numbered.filter(|&(_, &(a, b))| a == v || b == v);
        if let (Some((time, &(a, b))), None) = (own.next(), own.next()) {
            let sender = if a == v { b } else { a };
            relays.push(Relay { edges: edges.clone(), time, sender });
        }
    }
    relays
}

/// Returns the printed charge of the message of w at time t, by the fast engine.
fn fast_charge(
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

/// Read literally, Theorem 1 takes the wrong entry of a product of different matrices.
pub(in crate::claims) fn indices() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=4, |graph, steps| {
        for observer in single_observers(graph)? {
            for relay in relays(graph, steps, observer.members()[0]) {
                let Relay { edges, time: t, sender: w } = relay;
                let protocol = Protocol::randomized(graph.clone(), edges.clone())?;
                let process = Process::run(&protocol)?;
                let row = |node| process.coefficients(t, node).unwrap_or_default();
                let norm: BigRational = row(w).iter().map(|entry| entry * entry).sum();
                let views = both_views(&protocol, &observer)?;
                for source in each_source(graph, &observer) {
                    let u = source[0];
                    let entry = row(u)[w].clone();
                    let charge = &entry * &entry / &norm;
                    in_both_views(
                        &views,
                        |view| Ok(Comparison::at_most(view.leakage(u)?, charge.clone())),
                        |view| {
                            let actual = fast_loss(&protocol, &source, view.observer())?;
                            Ok([fast_charge(graph.nodes(), &edges[..t], u, w)?, actual])
                        },
                        || {
                            let mut lines = hand_check::charges(&protocol, &source, &observer)?;
                            lines.push(format!("as printed, with {entry} in row {u} and column {w}, it is charged {charge}"));
                            lines.extend(hand_check::deconvolution(&protocol, &source, &observer)?);
                            let setting = format!("edges {}", edge_list(edges.clone(), ", "));
                            let place = Instance::on(graph, setting);
                            Ok((place.of_sources(&source).towards(&observer), lines))
                        },
                    )?;
                }
            }
        }
        Ok(())
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        for observer in single_observers(&graph)? {
            for relay in relays(&graph, 4, observer.members()[0]) {
                let protocol = Protocol::randomized(graph.clone(), relay.edges)?;
                let view = view(&protocol, &observer)?;
                for source in each_source(&graph, &observer) {
                    let charge = Bound::Theorem1.exact(&protocol, &source, &observer)?;
                    let case = || format!("{}, {} -> {observer}", graph_name(&graph), source[0]);
                    cases += confirm(view.leakage(source[0])? == charge, case)?;
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

/// Theorem 1 is said to be tight.
pub(in crate::claims) fn tight() -> Result<Verdict, ClaimError> {
    let claimed = (Relation::Equal, Bound::Theorem1);
    Verdict::of_search(one_shot_search(6, 6, single_observers, each_source, claimed))
}

/// No loss exceeds the local one.
pub(in crate::claims) fn below_ldp() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let (mut pairs, mut above) = (0, 0);
    everywhere(6, 4, single_observers, |run| {
        let (leakages, mut sums) = (run.leakages()?, run.bounds.pairwise_all(run.observer)?);
        sums.remove(run.observer.members()[0]);
        pairs += leakages.len();
        above += sums.iter().filter(|sum| **sum > one).count();
        Ok(leakages.iter().all(|loss| *loss <= one))
    })?;
    Ok(Verdict::holds(format!(
        "{pairs} pairs on connected graphs up to 6 nodes, T <= 4; f(u,v) is above 1 for {above} of them"
    )))
}
