//! Loss and distance.

use crate::claims::prelude::*;
use muffliato_reference::PaperBounds;
use std::collections::BTreeMap;

/// A larger distance does not give more privacy.
pub(in crate::claims) fn distance() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest_run(6, 6, |run| {
        let Run { protocol, observer, .. } = run;
        let views = both_views(protocol, observer)?;
        let distances = run.graph.distances_from_any(observer.members());
        let sources = each_source(run.graph, observer).concat();
        let pairs = sources.iter().flat_map(|&far| sources.iter().map(move |&near| (far, near)));
        for (far, near) in pairs.filter(|&(far, near)| distances[far] > distances[near]) {
            in_both_views(
                &views,
                |view| Ok(Comparison::at_most(view.leakage(far)?, view.leakage(near)?)),
                |view| {
                    let claimed = fast_loss(protocol, &[near], view.observer())?;
                    Ok([claimed, fast_loss(protocol, &[far], view.observer())?])
                },
                || {
                    let mut lines = vec![hand_check::matrix(&metropolis(run.graph)?)?];
                    for node in [near, far] {
                        let away = distances[node].unwrap_or_default();
                        lines.push(format!("{node} at distance {away}:"));
                        lines.extend(hand_check::deconvolution(protocol, &[node], observer)?);
                    }
                    let mut instance = run.instance().of_sources(&[far]);
                    instance.setting += &format!(", against the loss of the nearer {near}");
                    Ok((instance, lines))
                },
            )?;
        }
        Ok(())
    }))
}

/// A distant node can lose more than the average.
pub(in crate::claims) fn below_the_mean() -> Result<Verdict, ClaimError> {
    let claimed = (Relation::AtMost, Bound::MeanLoss);
    Verdict::of_search(one_shot_search(6, 6, single_observers, farthest, claimed))
}

/// Returns the nodes farthest from the observer if some node is nearer.
fn farthest(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let distances = graph.distances_from_any(observer.members());
    let farthest = distances.iter().max().copied().flatten();
    let far = |&u: &usize| farthest > Some(1) && distances[u] == farthest;
    let nodes = (0..graph.nodes()).filter(far);
    nodes.map(|u| vec![u]).collect()
}

/// On the hypercube the loss depends only on the distance.
pub(in crate::claims) fn hypercube() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    let mut last = BTreeMap::new();
    for dimension in 1..=4 {
        let cube = graph(&format!("hypercube:{dimension}"))?;
        for steps in 1..=dimension {
            let protocol = one_shot(&cube, steps)?;
            let (bounds, process) = (PaperBounds::of(&protocol)?, Process::run(&protocol)?);
            let mut classes: BTreeMap<u32, (BigRational, BigRational)> = BTreeMap::new();
            for v in 0..cube.nodes() {
                let observer = Observer::full(v);
                let (sums, view) = (bounds.pairwise_all(&observer)?, process.view(&observer)?);
                for u in (0..cube.nodes()).filter(|&u| u != v) {
                    let found = (sums[u].clone(), view.leakage(u)?);
                    let distance = (u ^ v).count_ones();
                    let first = classes.entry(distance).or_insert_with(|| found.clone());
                    let case = || format!("dimension {dimension}, T = {steps}, {u} -> {v}");
                    cases += confirm(*first == found, case)?;
                }
            }
            last = classes;
        }
    }
    let leakages: Vec<_> = last.values().map(|(_, leakage)| leakage.to_string()).collect();
    Ok(Verdict::holds(format!(
        "{cases} pairs on the cubes of dimension 1 to 4; leakage {} at distances 1 to 4 for T = 4",
        leakages.join(", ")
    )))
}
