//! The number of ticks in which a node of randomized gossip takes part.

use super::instances::whole;
use muffliato_reference::{BigInt, BigRational};
use num_traits::{One, Pow, Zero};

/// `P(B >= k)` for a binomial B with `trials` trials of probability `p`, exactly.
pub(crate) fn tail(trials: usize, p: &BigRational, k: usize) -> BigRational {
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

/// The same in floating point, by the recursion of the distribution over the trials.
pub(crate) fn tail_again(trials: usize, p: f64, k: usize) -> f64 {
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

/// `k - T p`, how far k is above the mean.
pub(crate) fn above_mean(trials: usize, p: &BigRational, k: usize) -> BigRational {
    whole(k) - whole(trials) * p
}
