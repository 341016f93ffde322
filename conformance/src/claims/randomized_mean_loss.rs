//! The expected mean loss of randomized gossip is not what is printed, and up to twice as large.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, Witness,
    instances::{graphs, metropolis, named, smallest, whole},
    randomized::{intensities, intensities_again, sequences},
    witness::{Comparison, Relation, estimate},
};
use muffliato_model::{Graph, Observer, Protocol};
use muffliato_reference::{BigRational, GossipMatrix, PaperBounds, enclosure::Interval};
use num_traits::{One, Zero};

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-mean-loss",
    place: "Appendix D.2",
    statement: "With p_uv = 2 W_uv / n the mean loss towards v after T ticks is T/n^2 in expectation.",
    method: "Exact expectation of (1/n) sum over u != v of f(u,v) over all sequences of edges on all connected graphs \
             up to 4 nodes, T <= 2, until it differs, and until it is larger; then with 2 T (1 - W_vv) / n^2 for the \
             sum over all u.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 3 (0-1 0-2), T = 1, towards 0: promised 1/9, true 4/27. Smallest: path of 2 (0-1), T = 2, towards \
                  0: promised 1/2, true 7/16. Holds as 2 T (1 - W_vv) / n^2, over all u, v included: 64 observers on \
                  connected graphs up to 4 nodes, T <= 2",
    },
    decide,
};

/// The expectation of (1/n) sum f(u,v) over the edges, over all u and over u != v.
fn expected(graph: &Graph, steps: usize, v: usize) -> Result<[BigRational; 2], ClaimError> {
    let p = intensities(graph)?;
    let idle = BigRational::one() - p.iter().sum::<BigRational>();
    let edges: Vec<_> = graph.edges().collect();
    let choices = edges.len() + 1;
    let mut sums = [BigRational::zero(), BigRational::zero()];
    for number in 0..choices.pow(steps as u32) {
        let ticks = (0..steps).map(|t| number / choices.pow(t as u32) % choices);
        let mut probability = BigRational::one();
        for choice in ticks.clone() {
            probability *= p.get(choice).unwrap_or(&idle);
        }
        let active: Vec<_> = ticks
            .filter_map(|choice| edges.get(choice).copied())
            .collect();
        if active.is_empty() {
            continue;
        }
        let protocol = Protocol::randomized(graph.clone(), active)?;
        let all = PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(v))?;
        let whole_sum: BigRational = all.iter().sum();
        sums[1] += &probability * (&whole_sum - &all[v]);
        sums[0] += probability * whole_sum;
    }
    Ok(sums.map(|sum| sum / whole(graph.nodes())))
}

/// The smallest instance in which the printed value is not in this relation to the expectation.
fn failure(relation: Relation) -> Result<Option<Witness>, ClaimError> {
    smallest(4, 1..=2, |graph, steps| {
        let n = graph.nodes();
        for v in 0..n {
            let compared = Comparison {
                relation,
                promised: Interval::exact(whole(steps) / whole(n * n)),
                actual: Interval::exact(expected(graph, steps, v)?[1].clone()),
            };
            if !compared.fails() {
                continue;
            }
            let (p, _) = intensities_again(graph)?;
            let mut again = 0.0;
            for (edges, probability) in sequences(graph, &p, steps) {
                if !edges.is_empty() {
                    let protocol = Protocol::randomized(graph.clone(), edges)?;
                    let bounds = muffliato_fast::bounds::PaperBounds::of(&protocol)?;
                    let mean = bounds.mean_loss(&Observer::full(v), &())?;
                    again += probability * mean.value();
                }
            }
            let promised = estimate(steps as f64 / (n * n) as f64);
            let lines = vec![
                super::hand_check::matrix(&metropolis(graph)?)?,
                format!("v = {v} takes part in a tick with probability 2 (1 - W_vv)/n"),
                "a message is charged with less than 1 where v itself has a share in it".into(),
            ];
            let text = format!("{}, T = {steps}, towards {v}", named(graph));
            return compared
                .witness(text, lines, promised, estimate(again))
                .map(Some);
        }
        Ok(None)
    })
}

fn decide() -> Result<Verdict, ClaimError> {
    let mut found = failure(Relation::Equal)?;
    if let (Some(witness), Some(larger)) = (&mut found, failure(Relation::AtMost)?) {
        witness.instance = format!("{larger}. Smallest: {}", witness.instance);
    }
    let mut cases = 0;
    for graph in graphs(4) {
        let w = GossipMatrix::of_network(&metropolis(&graph)?)?;
        for steps in 1..=2 {
            for v in 0..graph.nodes() {
                let n = graph.nodes();
                let apart = BigRational::one() - w.entry(v, v).unwrap_or_default();
                let corrected = whole(2 * steps) * apart / whole(n * n);
                if expected(&graph, steps, v)?[0] != corrected {
                    let case = format!("{}, T = {steps}, towards {v}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    let checked = format!("{cases} observers on connected graphs up to 4 nodes, T <= 2");
    Ok(Verdict::corrected(
        found,
        "as 2 T (1 - W_vv) / n^2, over all u, v included",
        checked,
    ))
}
