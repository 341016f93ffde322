//! Search shared by all claims of the form "the loss of u towards v is at most ...".

use super::{
    ClaimError, hand_check,
    instances::{fast_loss, one_shot, paper_view, single_observers, smallest, view, whole},
    witness::{Comparison, Instance, Relation, Search, Stop, Witness},
};
use muffliato_fast::{Enclosure, bounds as fast};
use muffliato_model::{Graph, Observer, Protocol};
use muffliato_reference::{BigRational, PaperBounds, View, bounds};

/// A formula of the paper for the loss of sources towards an observer.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    /// Theorem 1 and its extensions to coalitions (Theorem 12) and groups (Theorem 13).
    Theorem1,
    /// Corollary 1 and its extension to coalitions (Corollary 3), for one source.
    RandomWalk,
    /// The mean loss as the paper accounts for it, for every source.
    MeanLoss,
    /// Theorem 6.
    DescentSimple,
    /// Theorem 11 with W^(K-1).
    DescentAsPrinted,
    /// Theorem 11 with W^K.
    DescentFull,
    /// The sum of time-varying gradient descent over one more round than is run.
    OneRoundMore,
}

impl Bound {
    /// Computes the bound by the exact engine.
    pub fn exact(
        self,
        protocol: &Protocol,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<BigRational, ClaimError> {
        let (u, general) = (sources[0], bounds::gd_bound_general);
        let paper = || PaperBounds::of(protocol);
        Ok(match self {
            Self::Theorem1 => paper()?.group(sources, observer)?,
            Self::RandomWalk => bounds::random_walk_bound(protocol, u, observer)?,
            Self::MeanLoss => paper()?.mean_loss(observer)?,
            Self::DescentSimple => bounds::gd_bound_simple(protocol, u, observer)?,
            Self::DescentAsPrinted => {
                general(protocol, u, observer, bounds::RoundExponent::AsPrinted)?
            }
            Self::DescentFull => general(protocol, u, observer, bounds::RoundExponent::Full)?,
            Self::OneRoundMore => {
                let rounds = whole(protocol.rounds());
                let sum = bounds::time_varying_coalition_gd(protocol, u, observer)?;
                sum / &rounds * (rounds + whole(1))
            }
        })
    }

    /// Computes the bound by the fast engine.
    pub fn fast(
        self,
        protocol: &Protocol,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Enclosure, ClaimError> {
        let (u, paper) = (sources[0], fast::PaperBounds::of(protocol)?);
        Ok(match self {
            Self::Theorem1 => paper.group(sources, observer)?,
            Self::RandomWalk => paper.random_walk(u, observer)?,
            Self::MeanLoss => paper.mean_loss(observer)?,
            Self::DescentSimple => paper.gd_simple_all(observer)?[u],
            Self::DescentAsPrinted => {
                paper.gd_general_all(observer, fast::RoundExponent::AsPrinted)?[u]
            }
            Self::DescentFull => paper.gd_general_all(observer, fast::RoundExponent::Full)?[u],
            Self::OneRoundMore => {
                let sum = paper.time_varying_coalition_gd(u, observer)?;
                let more = 1.0 + 1.0 / protocol.rounds() as f64;
                let ends = ((sum.lower() * more).next_down(), (sum.upper() * more).next_up());
                Enclosure::try_new(ends.0, ends.1).unwrap_or(sum)
            }
        })
    }
}

/// Searches for the smallest one-shot instance (Metropolis weights, 1 to `steps` steps, graphs of
/// up to `nodes` nodes) in which the exact loss of one of `groups` towards one of `observers` is not
/// in this relation to the bound.
pub(crate) fn one_shot_search(
    nodes: usize,
    steps: usize,
    observers: impl Fn(&Graph) -> Result<Vec<Observer>, ClaimError>,
    groups: impl Fn(&Graph, &Observer) -> Vec<Vec<usize>>,
    claimed: (Relation, Bound),
) -> Result<Option<Witness>, ClaimError> {
    smallest(nodes, 1..=steps, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let place = Instance::on(graph, format!("T = {steps}"));
        for observer in observers(graph)? {
            let groups = groups(graph, &observer);
            violation(&protocol, &place, &observer, &groups, claimed)?;
        }
        Ok(())
    })
}

/// Returns the view with the noise that the observer drew, and the paper's view without it; nothing
/// for a coalition that has no paper view.
pub(crate) fn both_views(
    protocol: &Protocol,
    observer: &Observer,
) -> Result<Vec<View>, ClaimError> {
    let Some(printed) = paper_view(protocol, observer) else {
        return Ok(Vec::new());
    };
    Ok(vec![view(protocol, observer)?, view(protocol, &printed)?])
}

/// Ends a search with a witness if a comparison of losses fails in the full view and in the paper's
/// view, by both engines. Without both views nothing is a witness.
pub(crate) fn in_both_views<V>(
    views: &[V],
    compared: impl Fn(&V) -> Result<Comparison, ClaimError>,
    fast: impl Fn(&V) -> Result<[Enclosure; 2], ClaimError>,
    describe: impl FnOnce() -> Result<(Instance, Vec<String>), ClaimError>,
) -> Search {
    let [full, printed] = views else {
        return Ok(());
    };
    let (here, there) = (compared(full)?, compared(printed)?);
    if !(here.fails() && there.fails()) {
        return Ok(());
    }
    let (instance, lines) = describe()?;
    let in_print = there.witness(instance.clone(), vec![], fast(printed)?)?;
    Err(Stop::Found(Box::new(Witness {
        paper_view: Some(in_print.exact),
        ..here.witness(instance, lines, fast(full)?)?
    })))
}

/// Ends with the first of `sources` (each a group) whose exact loss towards `observer` is not in
/// this relation to the bound in both views.
pub(crate) fn violation(
    protocol: &Protocol,
    place: &Instance,
    observer: &Observer,
    sources: &[Vec<usize>],
    (relation, bound): (Relation, Bound),
) -> Search {
    let views = both_views(protocol, observer)?;
    for group in sources {
        let claimed = bound.exact(protocol, group, observer)?;
        in_both_views(
            &views,
            |view| Ok(Comparison::exact(relation, view.loss(group)?.scalar, claimed.clone())),
            |view| {
                let claimed = bound.fast(protocol, group, observer)?;
                Ok([claimed, fast_loss(protocol, group, view.observer())?])
            },
            || {
                let mut lines = Vec::new();
                if let Some(network) = protocol.fixed_network() {
                    lines.push(hand_check::matrix(network)?);
                }
                if bound == Bound::Theorem1 {
                    lines.extend(hand_check::charges(protocol, group, observer)?);
                }
                lines.extend(hand_check::deconvolution(protocol, group, observer)?);
                Ok((place.clone().of_sources(group).towards(observer), lines))
            },
        )?;
    }
    Ok(())
}

/// Ends with the first source that loses more to some observer in the `other` protocol than in the
/// `claimed` one, in both views; each protocol is given with its name.
pub(crate) fn larger_loss(
    graph: &Graph,
    setting: &str,
    (claimed_name, claimed): (&str, &Protocol),
    (other_name, other): (&str, &Protocol),
) -> Search {
    for observer in single_observers(graph)? {
        let views = both_views(claimed, &observer)?.into_iter().zip(both_views(other, &observer)?);
        let views: Vec<_> = views.collect();
        for group in each_source(graph, &observer) {
            in_both_views(
                &views,
                |(before, after)| {
                    let (before, after) = (before.loss(&group)?, after.loss(&group)?);
                    Ok(Comparison::at_most(after.scalar, before.scalar))
                },
                |(before, after)| {
                    let before = fast_loss(claimed, &group, before.observer())?;
                    Ok([before, fast_loss(other, &group, after.observer())?])
                },
                || {
                    let mut lines = Vec::new();
                    for (name, protocol) in [(claimed_name, claimed), (other_name, other)] {
                        lines.push(format!("{name}:"));
                        lines.extend(hand_check::deconvolution(protocol, &group, &observer)?);
                    }
                    let instance = Instance::on(graph, setting);
                    Ok((instance.of_sources(&group).towards(&observer), lines))
                },
            )?;
        }
    }
    Ok(())
}

/// Ends with a witness if the exact loss of a group exceeds the claimed one, which `fast` is by the
/// fast engine; `describe` returns the setting and the hand check.
pub(crate) fn above(
    protocol: &Protocol,
    group: &[usize],
    observer: &Observer,
    claimed: BigRational,
    fast: impl FnOnce() -> Result<Enclosure, ClaimError>,
    describe: impl FnOnce() -> Result<(Instance, Vec<String>), ClaimError>,
) -> Search {
    let loss = view(protocol, observer)?.loss(group)?.scalar;
    Comparison::at_most(loss, claimed).search(|| {
        let ((place, lines), fast) = (describe()?, fast()?);
        let fast = [fast, fast_loss(protocol, group, observer)?];
        Ok((place.of_sources(group).towards(observer), lines, fast))
    })
}

/// Returns every single node outside the observer.
pub(crate) fn each_source(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside = (0..graph.nodes()).filter(|&u| !observer.contains(u));
    outside.map(|u| vec![u]).collect()
}

/// Returns every pair of nodes outside the observer.
pub(crate) fn each_pair(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside = each_source(graph, observer).concat();
    let pairs = outside.iter().flat_map(|&a| outside.iter().map(move |&b| vec![a, b]));
    pairs.filter(|pair| pair[0] < pair[1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::instances::graph;

    #[test]
    fn what_only_an_observer_with_its_noise_refutes_is_no_witness() {
        let protocol = one_shot(&graph("path:3").unwrap(), 2).unwrap();
        let (observer, group) = (Observer::full(0), vec![1, 2]);
        let claimed = Bound::Theorem1.exact(&protocol, &group, &observer).unwrap();
        let [full, printed] = &both_views(&protocol, &observer).unwrap()[..] else { panic!() };
        assert_eq!(claimed, whole(5) / whole(3));
        assert_eq!(full.loss(&group).unwrap().scalar, whole(2));
        assert_eq!(printed.loss(&group).unwrap().scalar, whole(3) / whole(2));
        let place = Instance::of("path");
        let found =
            violation(&protocol, &place, &observer, &[group], (Relation::AtMost, Bound::Theorem1));
        assert!(found.is_ok());
    }

    #[test]
    fn coalitions_who_hear_each_other_know_their_noise() {
        let protocol = one_shot(&graph("path:4").unwrap(), 2).unwrap();
        let (together, apart) = (Observer::coalition([0, 1]), Observer::coalition([0, 3]));
        let (together, apart) = (together.unwrap(), apart.unwrap());
        assert_eq!(paper_view(&protocol, &together), Some(together));
        assert_eq!(paper_view(&protocol, &apart), None);
        let alone = paper_view(&protocol, &Observer::full(2));
        assert_eq!(alone, Some(Observer::paper(2)));
    }
}
