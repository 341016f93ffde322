//! The mean loss of gradient descent: where it holds, and where it does not.

use crate::claims::prelude::*;

/// The mean loss holds if nodes react linearly.
pub(in crate::claims) fn average() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(4) {
        for (rounds, k) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
            let inputs = descent(&graph, rounds, k)?;
            for observer in single_observers(&graph)? {
                let degree = graph.degree(observer.members()[0]);
                let most = whole(k * rounds * rounds * degree);
                let sources = each_source(&graph, &observer);
                let case =
                    || format!("{}, K = {k}, {rounds} rounds, {observer}", graph_name(&graph));
                for bound in [Bound::DescentAsPrinted, Bound::DescentFull] {
                    let mut sum = BigRational::default();
                    for source in &sources {
                        sum += bound.exact(&inputs, source, &observer)?;
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
                    cases += confirm(below, case)?;
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} observers and reactions on connected graphs up to 4 nodes, T <= 3, K <= 2"
    )))
}

/// Returns `sum p^2/q` of N(1,1) against N(0,1), rounded to bins of width h, in floats.
fn rounded_power_sum(h: f64, offset: f64) -> f64 {
    let tail = |x: f64| libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
    let mass = |from: f64, to: f64| {
        if from > 0.0 { tail(from) - tail(to) } else { tail(-to) - tail(-from) }
    };
    let bins = (24.0 / h) as i32;
    let sum = (0..bins).map(|bin| {
        let from = -12.0 + offset + h * f64::from(bin);
        let (p, q) = (mass(from - 1.0, from + h - 1.0), mass(from, from + h));
        p * p / q
    });
    sum.sum()
}

/// Gradients can carry a message.
pub(in crate::claims) fn any_loss() -> Result<Verdict, ClaimError> {
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
    Ok(Verdict::refuted(compared.witness(instance, lines, fast)?))
}

/// Between the two: bounded gradients, or non-expansive steps.
pub(in crate::claims) fn gd_average_loss_lipschitz() -> Result<Verdict, ClaimError> {
    Ok(Verdict::open("neither a violation nor a proof is known beyond linear reactions"))
}
