//! Masked gossip: a bound for everything computed from masked states, and what happens without each
//! assumption.

use super::{Departure, plus, unit};
use crate::claims::prelude::*;
use muffliato_fast::MaskedBounds;
use muffliato_reference::masked_bound;

/// The bound for masked gossip.
pub(in crate::claims) fn masks() -> Result<Verdict, ClaimError> {
    let (mut cases, mut attained) = (0, 0);
    for graph in graphs(4) {
        for kappa in [1, 3].map(Fraction::integer) {
            let mut protocols = Vec::new();
            for steps in 1..=3 {
                protocols.push(one_shot(&graph, steps)?.masked(kappa)?);
            }
            for factor in [0, 1].map(Fraction::integer) {
                let inputs = descent(&graph, 2, 1)?.masked(kappa)?;
                protocols.push(inputs.reacting(vec![factor; graph.nodes()])?);
            }
            for protocol in &protocols {
                for observer in all_observers(&graph)? {
                    let view = view(protocol, &observer)?;
                    let mut groups = each_source(&graph, &observer);
                    groups.extend(each_pair(&graph, &observer));
                    for group in groups {
                        let bound = masked_bound(protocol, &group, &observer)?;
                        let loss = view.loss(&group)?.scalar;
                        let case =
                            || format!("{}, kappa = {kappa}, {observer}", graph_name(&graph));
                        cases += confirm(order(&loss, &bound).is_le(), case)?;
                        attained += usize::from(loss == bound);
                    }
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} losses on connected graphs up to 4 nodes; {attained} attain it"
    )))
}

const KAPPA: i64 = 3;

fn shared_masks(
    graph: &Graph,
    place: Instance,
    steps: usize,
    pairs: impl IntoIterator<Item = (usize, usize)>,
) -> Search {
    let kappa = Fraction::integer(KAPPA);
    let protocol = one_shot(graph, steps)?.masked(kappa)?;
    // An observer without neighbours takes no mask away.
    let apart = Graph::try_new(graph.nodes() + 1, graph.edges())?;
    let (apart, nobody) = (one_shot(&apart, steps)?.masked(kappa)?, Observer::full(graph.nodes()));
    for (u, v) in pairs {
        let observer = Observer::full(v);
        let claimed = masked_bound(&apart, &[u], &nobody)?;
        let fast = || Ok(MaskedBounds::of(&apart)?.bound(&[u], &nobody)?);
        above(&protocol, &[u], &observer, claimed, fast, || {
            let own: Vec<_> = graph.neighbours(u).map(|w| w.to_string()).collect();
            let own = own.join(", ");
            let line = format!("{u} shares masks with {own}; the observer {v} takes its own away");
            Ok((place.clone(), vec![line]))
        })?;
    }
    Ok(())
}

/// Masks known to the observer.
pub(in crate::claims) fn known() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=3, |graph, steps| {
        let n = graph.nodes();
        let pairs = (0..n * n).map(|k| (k / n, k % n)).filter(|(u, v)| u != v);
        let place = Instance::on(graph, format!("kappa = {KAPPA}, T = {steps}"));
        shared_masks(graph, place, steps, pairs)
    });
    let club = graph("karate")?;
    let place = Instance::on(&club, format!("karate club, kappa = {KAPPA}, T = 2"));
    Verdict::of_searches(found, shared_masks(&club, place, 2, [(11, 0)]))
}

/// A revealed mask.
pub(in crate::claims) fn revealed() -> Result<Verdict, ClaimError> {
    let kappa = Fraction::integer(KAPPA);
    Verdict::of_search(smallest(4, 1..=3, |graph, steps| {
        let whole_graph = one_shot(graph, steps)?.masked(kappa)?;
        for (a, b) in graph.edges() {
            let rest = graph.edges().filter(|&edge| edge != (a, b));
            let rest = Graph::try_new(graph.nodes(), rest)?;
            let revealed = one_shot(graph, steps)?.masked_on(rest, kappa)?;
            for observer in
                single_observers(graph)?.into_iter().filter(|v| !v.contains(a) && !v.contains(b))
            {
                let claimed = masked_bound(&whole_graph, &[a], &observer)?;
                let fast = || Ok(MaskedBounds::of(&whole_graph)?.bound(&[a], &observer)?);
                above(&revealed, &[a], &observer, claimed, fast, || {
                    let line = format!("the mask of the edge {a}-{b} is revealed");
                    let place =
                        format!("kappa = {KAPPA}, T = {steps}, the mask of {a}-{b} revealed");
                    Ok((Instance::on(graph, place), vec![line]))
                })?;
            }
        }
        Ok(())
    }))
}

/// A state that is kept without its masks.
pub(in crate::claims) fn unmasked() -> Result<Verdict, ClaimError> {
    let (kappa, square) = (Fraction::integer(KAPPA), (KAPPA * KAPPA) as usize);
    Verdict::of_search(smallest(4, 2..=2, |graph, rounds| {
        let (n, edges) = (graph.nodes(), graph.edges().collect::<Vec<_>>());
        let w = GossipMatrix::of_network(&metropolis(graph)?)?;
        let masked = descent(graph, rounds, 1)?.masked(kappa)?;
        // Draws: noise and masks of the first round, then of the second; then the inputs of both
        // rounds.
        let block = n + edges.len();
        let size = 2 * block + 2;
        let one_round = (0..block).map(|draw| whole(if draw < n { 1 } else { square }));
        let variances: Vec<_> = one_round.clone().chain(one_round).collect();
        let own = |round: usize, node: usize, u: usize| {
            let mut row = unit(size, round * block + node);
            row[2 * block + round] = whole(usize::from(node == u));
            row
        };
        let masked_state = |round: usize, node: usize, u: usize| {
            let mut row = own(round, node, u);
            for (place, &(a, b)) in edges.iter().enumerate() {
                let sign = whole(usize::from(node == a)) - whole(usize::from(node == b));
                row[round * block + n + place] = sign;
            }
            row
        };
        for v in 0..n {
            let at_v = |place: &usize| edges[*place].0 == v || edges[*place].1 == v;
            for u in (0..n).filter(|&u| u != v) {
                let mut rows = Vec::new();
                for round in 0..2 {
                    rows.push(unit(size, round * block + v));
                    let masks = (0..edges.len()).filter(at_v);
                    rows.extend(masks.map(|place| unit(size, round * block + n + place)));
                }
                for x in graph.neighbours(v) {
                    rows.push(masked_state(0, x, u));
                    let stays = w.entry(x, x).unwrap_or_default();
                    let mut sent = plus(&masked_state(1, x, u), &stays, &own(0, x, u));
                    for y in graph.neighbours(x) {
                        let weight = w.entry(x, y).unwrap_or_default();
                        sent = plus(&sent, &weight, &masked_state(0, y, u));
                    }
                    rows.push(sent);
                }
                let seen = Departure { variances: variances.clone(), rows };
                let observer = Observer::full(v);
                let claimed = masked_bound(&masked, &[u], &observer)?;
                let fast = MaskedBounds::of(&masked)?.bound(&[u], &observer)?;
                let lines = vec![
                    hand_check::matrix(&metropolis(graph)?)?,
                    "t = 1: a node sends its unmasked first state, times W_xx, what it heard from others, and its second input".into(),
                ];
                let place = Instance::on(graph, format!("kappa = {KAPPA}, K = 1, 2 rounds"));
                let place = place.of_sources(&[u]).towards(&observer);
                seen.search(claimed, fast, place, lines)?;
            }
        }
        Ok(())
    }))
}
