//! Leakage of randomized gossip.

use super::{fast_idle, fast_intensities, intensities, sequences};
use crate::claims::instances;
use crate::claims::prelude::*;
use muffliato_reference::PaperBounds;
use std::iter::Sum;

/// Theorem 1 given the edges of randomized gossip.
pub(in crate::claims) fn privacy() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 1..=5, |graph, steps| {
        let edges: Vec<_> = graph.edges().collect();
        for sequence in instances::sequences(edges.len(), steps) {
            let sequence: Vec<_> = sequence.into_iter().map(|edge| edges[edge]).collect();
            let setting = format!("edges {}", edge_list(sequence.clone(), ", "));
            let place = Instance::on(graph, setting);
            let protocol = Protocol::randomized(graph.clone(), sequence)?;
            for observer in single_observers(graph)? {
                let sources = each_source(graph, &observer);
                let claimed = (Relation::AtMost, Bound::Theorem1);
                violation(&protocol, &place, &observer, &sources, claimed)?;
            }
        }
        Ok(())
    }))
}

/// Sums the values of the edges of v.
fn sum_at<T: Clone + Sum>(graph: &Graph, v: usize, of_edges: &[T]) -> T {
    let all = graph.edges().zip(of_edges);
    let own = all.filter(|&((u, w), _)| u == v || w == v);
    own.map(|(_, value)| value.clone()).sum()
}

/// The number of times that a node of randomized gossip takes part.
pub(in crate::claims) fn participation() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| {
        let n = graph.nodes();
        for v in 0..n {
            let sum = sum_at(graph, v, &intensities(graph)?);
            Comparison::equal(sum, whole(2) / whole(n)).search(|| {
                let (fast, _) = fast_intensities(graph)?;
                let lines = vec![
                    hand_check::matrix(&metropolis(graph)?)?,
                    format!("the row of {v} without its diagonal, times 2/{n}"),
                ];
                let fast = [2.0 / n as f64, sum_at(graph, v, &fast)].map(estimate);
                Ok((Instance::on(graph, format!("v = {v}")), lines, fast))
            })?;
        }
        Ok(())
    })?;
    let mut cases = 0;
    for graph in graphs(6) {
        let p = intensities(&graph)?;
        for (v, taken) in taken(&graph)?.into_iter().enumerate() {
            let corrected = whole(2) * taken / whole(graph.nodes());
            let case = || format!("{}, v = {v}", graph_name(&graph));
            cases += confirm(sum_at(&graph, v, &p) == corrected, case)?;
        }
    }
    let checked = format!("{cases} nodes of connected graphs up to 6 nodes");
    Ok(Verdict::corrected(found, "as 2 (1 - W_vv)/n", checked))
}

/// Returns the expectation of (1/n) sum f(u,v) over the edges, over all u and over u != v.
fn expected(graph: &Graph, steps: usize, v: usize) -> Result<[BigRational; 2], ClaimError> {
    let p = intensities(graph)?;
    let idle = BigRational::one() - p.iter().sum::<BigRational>();
    let mut sums = [BigRational::zero(), BigRational::zero()];
    let sequences = sequences(graph, &p, idle, steps).into_iter();
    for (active, probability) in sequences.filter(|(active, _)| !active.is_empty()) {
        let protocol = Protocol::randomized(graph.clone(), active)?;
        let all = PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(v))?;
        let whole_sum: BigRational = all.iter().sum();
        sums[1] += &probability * (&whole_sum - &all[v]);
        sums[0] += probability * whole_sum;
    }
    Ok(sums.map(|sum| sum / whole(graph.nodes())))
}

/// Returns the smallest instance in which the printed value is not in this relation to the
/// expectation.
fn failure(relation: Relation) -> Result<Option<Witness>, ClaimError> {
    smallest(4, 1..=2, |graph, steps| {
        let n = graph.nodes();
        for v in 0..n {
            let [_, expected] = expected(graph, steps, v)?;
            let compared = Comparison::exact(relation, expected, whole(steps) / whole(n * n));
            compared.search(|| {
                let (p, _) = fast_intensities(graph)?;
                let mut fast = 0.0;
                for (edges, probability) in sequences(graph, &p, fast_idle(&p), steps) {
                    if !edges.is_empty() {
                        let protocol = Protocol::randomized(graph.clone(), edges)?;
                        let bounds = muffliato_fast::bounds::PaperBounds::of(&protocol)?;
                        let mean = bounds.mean_loss(&Observer::full(v))?;
                        fast += probability * mean.value();
                    }
                }
                let lines = vec![
                    hand_check::matrix(&metropolis(graph)?)?,
                    format!("v = {v} takes part in a tick with probability 2 (1 - W_vv)/n"),
                    "a message is charged with less than 1 where v itself has a share in it".into(),
                ];
                let instance = Instance::on(graph, format!("T = {steps}, towards {v}"));
                let fast = [steps as f64 / (n * n) as f64, fast];
                Ok((instance, lines, fast.map(estimate)))
            })?;
        }
        Ok(())
    })
}

/// The expected mean loss of randomized gossip differs from the printed one and is up to twice as
/// large.
pub(in crate::claims) fn mean_loss() -> Result<Verdict, ClaimError> {
    let (found, larger) = (failure(Relation::Equal)?, failure(Relation::AtMost)?);
    let found = found.map(|witness| witness.and_also(larger));
    let mut cases = 0;
    for graph in graphs(4) {
        for steps in 1..=2 {
            for (v, taken) in taken(&graph)?.into_iter().enumerate() {
                let corrected = whole(2 * steps) * taken / whole(graph.nodes().pow(2));
                let case = || format!("{}, T = {steps}, towards {v}", graph_name(&graph));
                cases += confirm(expected(&graph, steps, v)?[0] == corrected, case)?;
            }
        }
    }
    let checked = format!("{cases} observers on connected graphs up to 4 nodes, T <= 2");
    Ok(Verdict::corrected(found, "as 2 T (1 - W_vv) / n^2, over all u, v included", checked))
}
