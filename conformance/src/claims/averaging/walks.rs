//! Corollary 1: random walks.

use crate::claims::prelude::*;
use muffliato_fast::{SparseWeights, simulation::GossipState};

/// The random-walk form of Theorem 1 fails where Theorem 1 does.
pub(in crate::claims) fn corollary_1() -> Result<Verdict, ClaimError> {
    let claimed = (Relation::AtMost, Bound::RandomWalk);
    Verdict::of_search(one_shot_search(6, 6, single_observers, each_source, claimed))
}

/// Corollary 1 is weaker than Theorem 1, as it should be.
pub(in crate::claims) fn above_theorem_1() -> Result<Verdict, ClaimError> {
    let (mut pairs, mut equal) = (0, 0);
    everywhere(6, 3, single_observers, |run| {
        for group in each_source(run.graph, run.observer) {
            let walk = Bound::RandomWalk.exact(run.protocol, &group, run.observer)?;
            let sum = Bound::Theorem1.exact(run.protocol, &group, run.observer)?;
            if order(&walk, &sum).is_lt() {
                return Ok(false);
            }
            pairs += 1;
            equal += usize::from(walk == sum);
        }
        Ok(true)
    })?;
    Ok(Verdict::holds(format!(
        "{pairs} pairs on connected graphs up to 6 nodes, T <= 3; {equal} with equality"
    )))
}

/// Returns the sum over the neighbours of v and the probability that it is said to equal, for walks
/// of T - 1 steps to u.
fn first_steps(run: &Run<'_>, u: usize) -> Result<[BigRational; 2], ClaimError> {
    let (v, t) = (run.observer.members()[0], run.protocol.steps() - 1);
    let w = GossipMatrix::of_network(&metropolis(run.graph)?)?;
    let to_u = |from: usize, steps: usize| {
        let row = run.process.coefficients(steps, from).unwrap_or_default();
        row.get(u).cloned().unwrap_or_default()
    };
    let mut sum = BigRational::zero();
    for x in run.graph.neighbours(v) {
        sum += w.entry(v, x).unwrap_or_default() * to_u(x, t - 1);
    }
    Ok([sum, to_u(v, t)])
}

/// The walk may stay at its node.
pub(in crate::claims) fn first_step() -> Result<Verdict, ClaimError> {
    let found = smallest_run(5, 4, |run| {
        let (v, steps) = (run.observer.members()[0], run.protocol.steps());
        for u in (0..run.graph.nodes()).filter(|&u| u != v && steps > 1) {
            let [sum, probability] = first_steps(&run, u)?;
            Comparison::equal(sum, probability).search(|| {
                let network = metropolis(run.graph)?;
                let weights = SparseWeights::of_network(&network)?;
                let n = run.graph.nodes();
                let start = (0..n).map(|x| f64::from(x == u)).collect();
                let mut walk = GossipState::try_new(start, 1)?;
                for _ in 0..steps - 2 {
                    walk.mix(&weights)?;
                }
                let before = walk.values().to_vec();
                walk.mix(&weights)?;
                let total = walk.values()[v];
                let fast = [total, total - weights.own(v) * before[v]].map(estimate);
                let lines = vec![
                    hand_check::matrix(&network)?,
                    format!(
                        "W_{v}{v} times the probability to get from {v} to {u} in {} is missing",
                        steps - 2
                    ),
                ];
                let mut instance = run.instance().of_sources(&[u]);
                instance.setting = format!("t = {}", steps - 2);
                Ok((instance, lines, fast))
            })?;
        }
        Ok(())
    })?;
    let cases = everywhere(5, 4, single_observers, |run| {
        let v = run.observer.members()[0];
        for u in (0..run.graph.nodes()).filter(|&u| u != v && run.protocol.steps() > 1) {
            let [sum, probability] = first_steps(&run, u)?;
            if order(&sum, &probability).is_gt() {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(Verdict::corrected(
        found,
        "with \"at most\" in place of \"is\"",
        format!("{cases} nodes v of connected graphs up to 5 nodes, t <= 2"),
    ))
}
