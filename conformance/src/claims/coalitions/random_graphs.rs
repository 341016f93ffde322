//! Coalitions on random graphs.

use crate::claims::averaging::private_graphs::{
    self, alike, known, mean, neighbours_and_strangers,
};
use crate::claims::prelude::*;
use muffliato_reference::bounds::erdos_renyi_bound;
use num_traits::Pow;

/// Ends with the first stranger whose mean loss is too large, given the observer's `own` edges.
fn strangers_loss(own: &Graph, observer: &Observer, steps: usize) -> Search {
    let (heard, strangers) = neighbours_and_strangers(own, observer);
    let (nodes, degree) = (own.nodes(), heard.len());
    let (members, q) = (observer.members().len(), ratio(9, 10));
    let (noise, alpha) = (whole(1), whole(2));
    let claimed = erdos_renyi_bound(nodes, members, degree, steps, &q, &noise, &alpha)?.stranger;
    // No loss exceeds 1. Where the two views coincide, one is enough.
    let printed = paper_view(&one_shot(own, steps)?, observer);
    if order(&claimed, &whole(1)).is_ge() || printed.as_ref() != Some(observer) {
        return Ok(());
    }
    let graphs = alike(own, observer)?;
    let protocols = graphs.iter().map(|graph| one_shot(graph, steps));
    let protocols = protocols.collect::<Result<Vec<_>, _>>()?;
    let views = protocols.iter().map(|protocol| view(protocol, observer));
    let views = views.collect::<Result<Vec<_>, _>>()?;
    let mut ranks: Vec<_> = views.iter().map(View::rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    for u in strangers {
        let leakages = views.iter().map(|view| view.leakage(u));
        let leakages = leakages.collect::<Result<Vec<_>, _>>()?;
        let compared = Comparison::at_most(mean(&leakages, &q), claimed.clone());
        if !compared.fails() || ranks.len() < views.len() {
            continue;
        }
        let (mut lines, mut fast) = (Vec::new(), 0.0);
        for (mask, (graph, protocol)) in graphs.iter().zip(&protocols).enumerate() {
            let (present, absent) = (mask.count_ones(), ranks.len().ilog2() - mask.count_ones());
            let weight = 0.9_f64.powi(present as i32) * 0.1_f64.powi(absent as i32);
            fast += weight * fast_loss(protocol, &[u], observer)?.value();
            lines.push(format!(
                "on {}, rank {}:",
                edge_list(graph.edges(), " "),
                views[mask].rank()
            ));
            if leakages[mask].is_one() {
                lines.extend(hand_check::deconvolution(protocol, &[u], observer)?);
            } else {
                lines.push(format!("the loss of {u} is {}", leakages[mask]));
            }
        }
        let reason = "Gaussians of different ranks are told apart with probability 1: the divergence is \
                      ln(sum P(G) e^((alpha-1) loss(G) L))/(alpha-1), at least the mean loss";
        lines.push(reason.into());
        let setting = format!(
            "of which V knows its own edges, the others have probability {q}, T = {steps}, mean loss"
        );
        let instance = Instance::on(own, setting).of_sources(&[u]).towards(observer);
        let [q, noise, alpha] = ["9/10", "1", "2"].map(str::parse::<Fraction>);
        let claimed = muffliato_fast::bounds::erdos_renyi_bound(
            nodes, members, degree, steps, q?, noise?, alpha?,
        )?;
        let witness = compared.witness(instance, lines, [claimed.stranger, estimate(fast)])?;
        return Err(Stop::Found(Box::new(Witness {
            paper_view: Some(witness.exact.clone()),
            ..witness
        })));
    }
    Ok(())
}

/// Searches by number of nodes, then known edges, then steps.
fn smallest() -> Search {
    for nodes in 2..=6 {
        let mut all = Vec::new();
        for members in 1..nodes {
            let observer = Observer::coalition(0..members)?;
            let own = known(nodes, &observer)?.into_iter();
            all.extend(own.map(|own| (own, observer.clone())));
        }
        all.sort_by_key(|(own, _)| own.edge_count());
        for class in all.chunk_by(|(a, _), (b, _)| a.edge_count() == b.edge_count()) {
            for steps in 1..=3 {
                for (own, observer) in class {
                    strangers_loss(own, observer, steps)?;
                }
            }
        }
    }
    Ok(())
}

/// Private random graphs and coalitions: members of a coalition are not strangers.
pub(in crate::claims) fn erdos_renyi() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for members in 1..=4 {
        let corrected =
            |degree, steps: usize| whole(2 * (steps - 1) * degree) / whole(5 - members - degree);
        cases += private_graphs::strangers(members, corrected)?;
    }
    Ok(Verdict::corrected(
        outcome(smallest())?,
        "with 2 (T-1) d_V/(n - |V| - d_V)",
        format!("{cases} strangers given the edges of V, over all 1024 graphs on 5 nodes"),
    ))
}

/// Gradient descent on graphs that are redrawn every round: one round is enough to refute it.
pub(in crate::claims) fn time_varying() -> Result<Verdict, ClaimError> {
    for nodes in 4..=16 {
        let path = graph(&format!("path:{nodes}"))?;
        let observer = Observer::coalition(0..nodes - 2)?;
        let connected = alike(&path, &observer)?.into_iter();
        let connected = connected.filter(Graph::is_connected).count();
        confirm(connected <= 1, || "V does not know the graph".into())?;
        for k in 1..=3 {
            let place = Instance::on(&path, format!("one round, K = {k}"));
            let (protocol, stranger) = (descent(&path, 1, k)?, vec![nodes - 1]);
            let claimed = (Relation::AtMost, Bound::OneRoundMore);
            let found = violation(&protocol, &place, &observer, &[stranger], claimed);
            if let Some(witness) = outcome(found)? {
                return Ok(Verdict::refuted(witness));
            }
        }
    }
    Ok(Verdict::open("no violation in one round of up to 3 steps on paths up to 16 nodes"))
}

/// Returns `(n - |V|)(1 - (1-q)^|V|)`.
fn expected(nodes: usize, members: usize, q: &BigRational) -> BigRational {
    let none: BigRational = Pow::pow(BigRational::one() - q, members as u32);
    whole(nodes - members) * (BigRational::one() - none)
}

/// Expected number of neighbours of a coalition on an Erdos-Renyi graph.
pub(in crate::claims) fn degree() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for nodes in 2..=5 {
        for members in 1..nodes {
            let observer = Observer::coalition(0..members)?;
            let counts = known(nodes, &observer)?.into_iter();
            let counts = counts.map(|own| whole(neighbours_and_strangers(&own, &observer).0.len()));
            let counts: Vec<_> = counts.collect();
            for q in [ratio(1, 5), ratio(1, 2), ratio(4, 5)] {
                let case = || format!("n = {nodes}, |V| = {members}, q = {q}");
                cases += confirm(mean(&counts, &q) == expected(nodes, members, &q), case)?;
            }
        }
    }
    let compared = Comparison::equal(expected(1000, 2, &ratio(1, 100)), ratio(2, 100));
    let witness = compared.witness(
        Instance::of("n = 1000, |V| = 2, q = 1/100, mean number of neighbours"),
        vec!["each of the 998 others is a neighbour with probability 1 - (99/100)^2".into()],
        [0.02, 998.0 * (1.0 - 0.99 * 0.99)].map(estimate),
    )?;
    let checked = format!("{cases} means on up to 5 nodes");
    Ok(Verdict::corrected(Some(witness), "as (n - |V|)(1 - (1-q)^|V|), about c |V| ln n", checked))
}
