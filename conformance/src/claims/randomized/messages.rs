//! Number of messages to a node of randomized gossip.

use crate::claims::prelude::*;
use muffliato_fast::SparseWeights;
use muffliato_reference::{BigInt, enclosure::exp, spectral::spectral_gap};
use num_traits::{Pow, Signed};

/// Returns `P(B >= k)` exactly for a binomial B with `trials` trials of probability `p`.
fn tail(trials: usize, p: &BigRational, k: usize) -> BigRational {
    let q = BigRational::one() - p;
    let mut choose = BigInt::one();
    let mut sum = BigRational::zero();
    for j in 0..=trials {
        if j >= k {
            let weight: BigRational =
                Pow::pow(p.clone(), j as u32) * Pow::pow(q.clone(), (trials - j) as u32);
            sum += weight * BigRational::from_integer(choose.clone());
        }
        choose = choose * (trials - j) / (j + 1);
    }
    sum
}

/// Returns `P(B >= k)` in floats, by recursion over the trials.
fn float_tail(trials: usize, p: f64, k: usize) -> f64 {
    let mut law = vec![1.0];
    for _ in 0..trials {
        let mut next = vec![0.0; law.len() + 1];
        for (j, weight) in law.iter().enumerate() {
            next[j] += weight * (1.0 - p);
            next[j + 1] += weight * p;
        }
        law = next;
    }
    law.iter().skip(k).sum()
}

/// Returns `k - T p`, the distance of k above the mean.
fn above_mean(trials: usize, p: &BigRational, k: usize) -> BigRational {
    whole(k) - whole(trials) * p
}

/// The number of messages of randomized gossip concentrates.
pub(in crate::claims) fn hoeffding() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for trials in 1..=16 {
        for twelfths in 1..12 {
            let p = ratio(twelfths, 12);
            for k in 0..=trials {
                let c = above_mean(trials, &p, k);
                if !c.is_positive() {
                    continue;
                }
                let exponent = Interval::exact(-&c * &c / whole(trials));
                let text = || format!("T = {trials}, p = {p}, C = {c}");
                let bound = exp(&exponent, 60).ok_or_else(|| ClaimError::undecided(text()))?;
                cases += confirm(order(&tail(trials, &p, k), bound.lower()).is_le(), text)?;
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} tails, T <= 16")))
}

/// The tail bound with the horizon inserted: the inequality points the other way.
pub(in crate::claims) fn hoeffding_final() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 1..=40, |graph, trials| {
        let network = metropolis(graph)?;
        let n = graph.nodes();
        let gap = spectral_gap(&network, 60)?;
        let horizon = whole(2 * trials) * gap.lower();
        if horizon < whole(n) {
            return Ok(());
        }
        for (v, taken) in taken(graph)?.into_iter().enumerate() {
            let p = taken * whole(2) / whole(n);
            for k in (0..=trials).filter(|&k| above_mean(trials, &p, k).is_positive()) {
                let c = above_mean(trials, &p, k);
                let exponent = &Interval::exact(-&c * &c / whole(n)) * &gap;
                let Some(bound) = exp(&exponent, 60) else {
                    continue;
                };
                let compared = Comparison {
                    relation: Relation::AtMost,
                    claimed: bound,
                    actual: Interval::exact(tail(trials, &p, k)),
                };
                compared.search(|| {
                    let weights = SparseWeights::of_network(&network)?;
                    let gap = fast_gap(&network)?.certified.value();
                    let chance = 2.0 * (1.0 - weights.own(v)) / n as f64;
                    let excess = c.to_f64().unwrap_or(f64::NAN);
                    let exponent = -excess * excess * gap / n as f64;
                    let lines = vec![
                        format!("T_v is binomial with {trials} trials of probability {p}"),
                        format!("P(T_v >= {k}) = {}", tail(trials, &p, k)),
                        format!("exp(-C^2 lambda_W/n) with C = {c}, lambda_W = {gap:.6}"),
                    ];
                    let setting = format!("T = {trials}, v = {v}, C = {c}");
                    let fast = [libm::exp(exponent), float_tail(trials, chance, k)];
                    Ok((Instance::on(graph, setting), lines, fast.map(estimate)))
                })?;
            }
        }
        Ok(())
    }))
}
