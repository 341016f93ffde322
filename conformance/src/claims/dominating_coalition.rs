//! A coalition next to everybody learns everything, and others do too.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{all_observers, graphs, loss_again, metropolis, named, one_shot, smallest, whole},
    pairs::{both_views, each_source, in_both_views},
    witness::{Comparison, Relation},
};
use muffliato_fast::Enclosure;
use muffliato_model::{Graph, Observer};
use muffliato_reference::{Process, enclosure::Interval};
use num_traits::One;

pub(super) const CLAIM: Claim = Claim {
    id: "dominating-coalition",
    place: "Appendix G.1, discussion",
    statement: "A coalition knows as much as the omniscient observer of local privacy, so that every loss is 1, \
                exactly if it dominates the graph (everybody outside is a neighbour).",
    method: "Exact leakages towards every set of observers on all connected graphs up to 5 nodes, T <= 4: until they \
             are all 1 for one that does not dominate; then all 1 for each that does. How many others see everything \
             is counted.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 4 (0-1 0-3 1-2), T = 2, full:0, nodes with amplification: promised 1, true 0 (paper's view: 0). \
                  Holds with \"if\" in place of \"exactly if\": 2096 dominating sets on connected graphs up to 5 nodes, T \
                  <= 4; so do 456 of 816 other sets",
    },
    decide,
};

fn dominates(graph: &Graph, observer: &Observer) -> bool {
    let distances = graph.distances_from_any(observer.members());
    distances.iter().all(|&d| d <= Some(1))
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(5, 1..=4, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in all_observers(graph)? {
            let views = both_views(&protocol, &observer)?;
            let Some(views) = views.filter(|_| !dominates(graph, &observer)) else {
                continue;
            };
            let sources = each_source(graph, &observer);
            let found = in_both_views(
                &views,
                |view| {
                    let leakages = view.leakages()?;
                    let amplified = leakages.iter().flatten().filter(|loss| !loss.is_one());
                    Ok(Comparison {
                        relation: Relation::AtLeast,
                        promised: Interval::exact(whole(1)),
                        actual: Interval::exact(whole(amplified.count())),
                    })
                },
                |view| {
                    let mut amplified = 0.0;
                    for source in &sources {
                        let loss = loss_again(&protocol, source, view.observer())?;
                        amplified += f64::from(loss.upper() < 1.0);
                    }
                    Ok([Enclosure::exact(1.0), Enclosure::exact(amplified)])
                },
                || {
                    let mut lines = vec![hand_check::matrix(&metropolis(graph)?)?];
                    for source in &sources {
                        lines.extend(hand_check::deconvolution(&protocol, source, &observer)?);
                    }
                    let what = format!("{}, T = {steps}", named(graph));
                    Ok((
                        format!("{what}, {observer}, nodes with amplification"),
                        lines,
                    ))
                },
            )?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    })?;
    let (mut dominating, mut others, mut seeing) = (0, 0, 0);
    for graph in graphs(5) {
        for steps in 1..=4 {
            let process = Process::run(&one_shot(&graph, steps)?)?;
            for observer in all_observers(&graph)? {
                let dominates = dominates(&graph, &observer);
                let leakages = process.view(&observer)?.leakages()?;
                let everything = leakages.iter().flatten().all(One::is_one);
                if dominates && !everything {
                    let case = format!("{}, T = {steps}, {observer}", named(&graph));
                    return Ok(Verdict::unconfirmed(case));
                }
                dominating += usize::from(dominates);
                others += usize::from(!dominates);
                seeing += usize::from(!dominates && everything);
            }
        }
    }
    let checked = format!(
        "{dominating} dominating sets on connected graphs up to 5 nodes, T <= 4; so do {seeing} of {others} other sets"
    );
    Ok(Verdict::corrected(
        found,
        "with \"if\" in place of \"exactly if\"",
        checked,
    ))
}
