//! The first-passage bound for all sources at once (trusted).
//!
//! Let theta = 1 where a deviation would be heard and 0 elsewhere. The amount that node w absorbs
//! at time t is a sum over the rounds r of the data, `z_w(t) = sum_r F_r(u)`, where `F_r(u)` is the
//! part of a unit entering at u in round r that arrives at (t, w). One vector, propagated backwards
//! from (t, w), holds it for all u:
//!
//! ```text
//! at t:           weight = e_w
//! at inputs:      F = weight;  weight <- c weight
//! one step back:  weight <- W weight (nothing from observers), 0 where everything is absorbed
//! ```
//!
//! On a fixed network the pass from (t + K, w) begins like the pass from (t, w), so one pass from
//! the last round serves all rounds: the sums over its first q + 1 rounds are those of round q.

use super::AbsorptionBounds;
use crate::{
    FastError, Progress,
    arithmetic::{add_up, times_up},
    threads,
};
use muffliato_model::Fraction;

/// Number of passes between two progress reports.
const WAVE: usize = 64;

/// Computes the cost of the first-passage choice for each source alone.
pub(super) fn first_passage_all(
    bounds: &AbsorptionBounds,
    progress: &dyn Progress,
) -> Result<Vec<f64>, FastError> {
    let protocol = &bounds.protocol;
    let (nodes, phases) = (protocol.nodes(), protocol.phases());
    let ends: Vec<(usize, usize)> = (0..protocol.gossip_steps())
        .flat_map(|k| bounds.first_passage.at(k).iter().map(move |&(w, _)| (k, w)))
        .collect();
    // Where a node is heard without noise of its own, a forward pass sees what it cannot absorb.
    let silent = |inverse: &[f64]| inverse.contains(&0.0);
    let silent = silent(&bounds.own) || (protocol.is_refreshed() && silent(&bounds.fresh));
    if silent || protocol.fixed_network().is_none() || ends.len() > nodes * phases {
        return source_by_source(bounds, progress);
    }
    let mut costs = vec![0.0; phases * nodes];
    for (wave, some) in ends.chunks(WAVE).enumerate() {
        let found = threads::in_order(some.len(), |i| absorbed_at(bounds, some[i]));
        for of_end in found {
            for (sum, cost) in costs.iter_mut().zip(of_end) {
                *sum = add_up(*sum, cost);
            }
        }
        progress.check(wave * WAVE + some.len(), ends.len())?;
    }
    let largest = |u: usize| costs[u..].iter().step_by(nodes).fold(0.0_f64, |a, &b| a.max(b));
    Ok((0..nodes).map(largest).collect())
}

/// Computes the cost of what w absorbs at the k-th step of all rounds, by phase and source.
fn absorbed_at(bounds: &AbsorptionBounds, (k, w): (usize, usize)) -> Vec<f64> {
    let protocol = &bounds.protocol;
    let (nodes, phases, period) = (protocol.nodes(), protocol.phases(), protocol.period());
    let last = (protocol.rounds() - 1) * protocol.gossip_steps() + k;
    let inverse_variance = bounds.inverse_variance(k, w);
    let mut costs = vec![0.0; phases * nodes];
    // Contributions of the earlier rounds i, i + b, ...
    let mut sums = vec![0.0; phases * nodes];
    let (mut weight, mut mixed) = (vec![0.0; nodes], vec![0.0; nodes]);
    weight[w] = 1.0;
    let mut passed_on = vec![0.0; nodes]; // from acceleration, for one step further back
    for t in (0..=last).rev() {
        if protocol.has_input(t) {
            let back = (last - t) / protocol.gossip_steps();
            let place = back % period;
            if place < phases {
                for (sum, &f) in sums[place * nodes..].iter_mut().zip(&weight) {
                    *sum = add_up(*sum, f);
                }
            }
            // The pass has covered the whole past of round `back`.
            for phase in 0..phases.min(back + 1) {
                let place = (back - phase) % period;
                let squares = costs[phase * nodes..(phase + 1) * nodes].iter_mut();
                for (cost, &z) in squares.zip(&sums[place * nodes..]) {
                    *cost = add_up(*cost, times_up(times_up(z, z), inverse_variance));
                }
            }
            for (at, &c) in weight.iter_mut().zip(&bounds.constants) {
                *at = times_up(c, *at);
            }
        }
        if t == 0 {
            break;
        }
        for &member in bounds.observer.members() {
            weight[member] = 0.0;
        }
        // With acceleration, the state at t also depends on that of t - 2 in the same round.
        bounds.matrices.mix_up(t - 1, &weight, &mut mixed);
        let mut further = vec![0.0; nodes];
        if let Some((g, more)) = bounds.acceleration
            && !protocol.has_input(t - 1)
        {
            for ((sum, rest), &at) in mixed.iter_mut().zip(&mut further).zip(&weight) {
                *sum = times_up(g, *sum);
                *rest = times_up(more, at);
            }
        }
        for (sum, &more) in mixed.iter_mut().zip(&passed_on) {
            *sum = add_up(*sum, more);
        }
        passed_on = further;
        for &(node, theta) in bounds.first_passage.at(t - 1) {
            debug_assert_eq!(theta, Fraction::ONE);
            mixed[node] = 0.0;
        }
        std::mem::swap(&mut weight, &mut mixed);
    }
    costs
}

/// Runs one forward pass for each source and phase.
fn source_by_source(
    bounds: &AbsorptionBounds,
    progress: &dyn Progress,
) -> Result<Vec<f64>, FastError> {
    let nodes = bounds.protocol.nodes();
    let mut costs = Vec::with_capacity(nodes);
    while costs.len() < nodes {
        let first = costs.len();
        let found = threads::in_order(WAVE.min(nodes - first), |i| {
            let phases = bounds.protocol.participations(1);
            let source = first + i;
            if bounds.observes[source] {
                return Ok::<f64, FastError>(0.0);
            }
            let cost = |phase| match bounds.cost(&[source], &phase, &bounds.first_passage, &[]) {
                Err(FastError::NotAbsorbed { .. }) => Ok(f64::INFINITY),
                cost => cost,
            };
            let costs = phases.map(cost).collect::<Result<Vec<f64>, FastError>>()?;
            Ok(costs.into_iter().fold(0.0_f64, f64::max))
        });
        for cost in found {
            costs.push(cost?);
        }
        progress.check(costs.len(), nodes)?;
    }
    Ok(costs)
}
