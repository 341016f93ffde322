//! The mean loss of gradient descent: where it holds, and where it does not.

use super::bounds::{AS_PRINTED, FULL};
use crate::claims::{
    Claim, ClaimError, Verdict, Weight,
    error::confirm,
    instances::{descent, graph, graph_name, graphs, ratio, single_observers, view, whole},
    search::each_source,
    witness::{Comparison, Instance, Relation, estimate},
};
use muffliato_model::{Fraction, Observer};
use muffliato_reference::{BigRational, enclosure::Interval, order};

/// The mean loss holds if nodes react linearly.
pub(in crate::claims) const AVERAGE: Claim = Claim {
    id: "gd-average-loss",
    place: "Appendix F.2, the mean of Theorem 11, for gradients that do not react or react linearly",
    weight: Weight::Remark,
    statement: "After T rounds of K steps the average over u of the loss towards v is at most K \
                T^2 d_v/n.",
    method: "The exact losses, with gradients as inputs and for quadratic losses (1 - nu a_w is 0 \
             or 1), and both readings of Theorem 11's sum are summed for every observer of all \
             connected graphs up to 4 nodes, T <= 3, K <= 2. This is a theorem if the reaction is \
             linear: with P_u the block of the projector at the T inputs of u, the loss is at \
             most T tr P_u, and the traces sum to rank - T <= K T d_v.",
    decide: average,
};

fn average() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(4) {
        for (rounds, k) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
            let inputs = descent(&graph, rounds, k)?;
            for observer in single_observers(&graph)? {
                let degree = graph.degree(observer.members()[0]);
                let most = whole(k * rounds * rounds * degree);
                let sources = each_source(&graph, &observer);
                let case = || {
                    format!(
                        "{}, K = {k}, {rounds} rounds, {observer}",
                        graph_name(&graph)
                    )
                };
                for bound in [&AS_PRINTED, &FULL] {
                    let mut sum = BigRational::default();
                    for source in &sources {
                        sum += (bound.exact)(&inputs, source, &observer)?;
                    }
                    confirm(order(&sum, &most).is_le(), case)?;
                }
                for factors in 0..1_i64 << graph.nodes() {
                    // Factors of 1 everywhere mean no reaction.
                    let reaction = (0..graph.nodes()).map(|w| Fraction::integer(factors >> w & 1));
                    let protocol = inputs.clone().reacting(reaction.collect())?;
                    let view = view(&protocol, &observer)?;
                    let mut sum = BigRational::default();
                    for source in &sources {
                        sum += view.loss(source)?.scalar;
                    }
                    let by_rank = whole(rounds * (view.rank() - rounds));
                    let below = order(&sum, &by_rank).is_le() && order(&by_rank, &most).is_le();
                    confirm(below, case)?;
                    cases += 1;
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} observers and reactions on connected graphs up to 4 nodes, T <= 3, K <= 2"
    )))
}

/// Gradients can carry a message.
pub(in crate::claims) const ANY_LOSS: Claim = Claim {
    id: "gd-average-loss-any",
    place: "Appendix F.2, the mean of Theorem 11, under Assumption 3 alone",
    weight: Weight::Remark,
    statement: "For all losses whose gradients differ by at most Delta between neighbouring data \
                sets, at every point, the average over u of the loss towards v after T rounds of \
                K steps is at most K T^2 d_v/n.",
    method: "A star of n = m + 2 nodes, observer a leaf, K = 1, T = 3, alpha = 2, Delta = sigma, \
             so that L = 1. In the second round leaf j, whose state is s_j = W_jj y_j + W_jc y_c, \
             has the gradient B_j floor(s_j / (h W_jj)), cut off at 12 sigma, to which its data \
             add a constant. The gradient is increasing, so the loss is convex; it can be \
             smoothed with steep risers. If the B_j are far apart, the third message of the \
             centre reveals all levels to the observer, and the first reveals y_c. Given y_c the \
             level of leaf j is y_j rounded to bins of width h. The likelihood ratio of N(1,1) to \
             N(0,1) varies by at most e^h in a bin, so sum p^2/q is at least e^(1-h) times the \
             mass of N(2,1) between the cuts, and the divergence of order 2 is at least 1 - h - \
             10^-9. Divergences are lower semicontinuous, so this is reached with finite B_j. The \
             centre loses 1 by its first message alone. The witness has h = 1/10 and the smallest \
             m for which the sum exceeds 9; the fast side sums the divergences of the rounded \
             distributions. (In the limit h -> 0 the losses sum to m + 3: seven leaves are \
             enough.)",
    decide: any_loss,
};

/// Returns `sum p^2/q` of N(1,1) against N(0,1), rounded to bins of width h, in floats.
fn rounded_power_sum(h: f64, offset: f64) -> f64 {
    let tail = |x: f64| libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
    let mass = |from: f64, to: f64| {
        if from > 0.0 {
            tail(from) - tail(to)
        } else {
            tail(-to) - tail(-from)
        }
    };
    let bins = (24.0 / h) as i32;
    let sum = (0..bins).map(|bin| {
        let from = -12.0 + offset + h * f64::from(bin);
        let (p, q) = (mass(from - 1.0, from + h - 1.0), mass(from, from + h));
        p * p / q
    });
    sum.sum()
}

fn any_loss() -> Result<Verdict, ClaimError> {
    let each = ratio(9, 10) - ratio(1, 1_000_000_000);
    let most = whole(9);
    let leaves = (1..100).find(|&m| order(&(whole(1) + whole(m) * &each), &most).is_gt());
    let m = leaves.unwrap_or_default();
    let sum = whole(1) + whole(m) * each;
    let compared = Comparison {
        relation: Relation::AtMost,
        claimed: Interval::exact(most),
        // No node loses more than its three inputs.
        actual: Interval::new(sum, whole(3 * (m + 1))),
    };
    let smallest = (0..10)
        .map(|tenth| rounded_power_sum(0.1, 0.01 * f64::from(tenth)))
        .fold(f64::INFINITY, f64::min);
    let fast = [9.0, 1.0 + m as f64 * libm::log(smallest)].map(estimate);
    let star = graph(&format!("star:{}", m + 2))?;
    let lines = vec![
        "t = 0: the centre sends y_c".into(),
        "t = 1: leaf j reacts to s_j with B_j times the number of its bin".into(),
        format!("t = 2: the centre sends a sum in which the {m} numbers can be told apart"),
        format!("1 + {m} (1 - 1/10 - 10^-9) is above K T^2 d_v = 9"),
    ];
    let setting = "K = 1, 3 rounds, stairs of width sigma/10, sum of all losses";
    let instance = Instance::on(&star, setting).towards(&Observer::full(1));
    let witness = compared.witness(instance, lines, fast)?;
    Ok(Verdict::Refuted { witness })
}

/// Between the two: bounded gradients, or non-expansive steps.
pub(in crate::claims) const LIPSCHITZ: Claim = Claim {
    id: "gd-average-loss-lipschitz",
    place: "Appendix F.2, the mean of Theorem 11, for losses that are Lipschitz (Theorem 6) or steps that do not expand",
    weight: Weight::Remark,
    statement: "If every loss is Delta/2-Lipschitz, or every gradient step is non-expansive, the \
                average over u of the loss towards v after T rounds of K steps is at most K T^2 \
                d_v/n.",
    method: "Linear non-expansive reactions are covered by gd-average-loss. The staircase losses \
             of gd-average-loss-any do not qualify: their gradients are many times Delta, and \
             their steps expand. For small Delta/sigma, gradients of at most Delta/2 change the \
             view as little, and what remains is the input model.",
    decide: || {
        Ok(Verdict::Open {
            search: "neither a violation nor a proof is known beyond linear reactions".into(),
        })
    },
};
