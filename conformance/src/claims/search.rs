//! Search shared by all claims of the form "the loss of u towards v is at most ...".

use super::{
    ClaimError, hand_check,
    instances::{fast_loss, one_shot, paper_view, single_observers, smallest, view},
    witness::{Comparison, Instance, Search, Stop, Witness},
};
use muffliato_fast::Enclosure;
use muffliato_model::{Graph, Observer, Protocol};
use muffliato_reference::{BigRational, View};

/// A claimed loss, by each of the two engines.
pub(crate) struct Bound {
    pub exact: fn(&Protocol, &[usize], &Observer) -> Result<BigRational, ClaimError>,
    pub fast: fn(&Protocol, &[usize], &Observer) -> Result<Enclosure, ClaimError>,
    /// `true` if the charges of the hand check add up to the bound.
    pub by_message: bool,
}

/// Searches for the smallest one-shot instance (Metropolis weights, 1 to `steps` steps, graphs of
/// up to `nodes` nodes) in which the exact loss of one of `groups` towards one of `observers`
/// exceeds the bound.
pub(crate) fn one_shot_search(
    nodes: usize,
    steps: usize,
    observers: impl Fn(&Graph) -> Result<Vec<Observer>, ClaimError>,
    groups: impl Fn(&Graph, &Observer) -> Vec<Vec<usize>>,
    bound: &Bound,
) -> Result<Option<Witness>, ClaimError> {
    smallest(nodes, 1..=steps, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        let place = Instance::on(graph, format!("T = {steps}"));
        for observer in observers(graph)? {
            let groups = groups(graph, &observer);
            violation(&protocol, &place, &observer, &groups, bound)?;
        }
        Ok(())
    })
}

/// Returns the view with the noise that the observer drew, and the paper's view without it.
pub(crate) fn both_views(
    protocol: &Protocol,
    observer: &Observer,
) -> Result<Option<[View; 2]>, ClaimError> {
    let Some(printed) = paper_view(protocol, observer) else {
        return Ok(None);
    };
    Ok(Some([view(protocol, observer)?, view(protocol, &printed)?]))
}

/// Ends a search with a witness if a comparison of losses fails in the full view and in the paper's
/// view, `[full, printed]`, by both engines.
pub(crate) fn in_both_views<V>(
    [full, printed]: &[V; 2],
    compared: impl Fn(&V) -> Result<Comparison, ClaimError>,
    fast: impl Fn(&V) -> Result<[Enclosure; 2], ClaimError>,
    describe: impl FnOnce() -> Result<(Instance, Vec<String>), ClaimError>,
) -> Search {
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

/// Ends with the first of `sources` (each a group) whose exact loss towards `observer` exceeds the
/// bound in both views.
pub(crate) fn violation(
    protocol: &Protocol,
    place: &Instance,
    observer: &Observer,
    sources: &[Vec<usize>],
    bound: &Bound,
) -> Search {
    let Some(views) = both_views(protocol, observer)? else {
        return Ok(());
    };
    for group in sources {
        let claimed = (bound.exact)(protocol, group, observer)?;
        in_both_views(
            &views,
            |view| {
                let loss = view.loss(group)?.scalar;
                Ok(Comparison::at_most(loss, claimed.clone()))
            },
            |view| {
                let claimed = (bound.fast)(protocol, group, observer)?;
                Ok([claimed, fast_loss(protocol, group, view.observer())?])
            },
            || {
                let mut lines = Vec::new();
                if let Some(network) = protocol.fixed_network() {
                    lines.push(hand_check::matrix(network)?);
                }
                if bound.by_message {
                    lines.extend(hand_check::charges(protocol, group, observer)?);
                }
                lines.extend(hand_check::deconvolution(protocol, group, observer)?);
                let instance = place.clone().of_sources(group).towards(observer);
                Ok((instance, lines))
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
        let (Some(before), Some(after)) =
            (both_views(claimed, &observer)?, both_views(other, &observer)?)
        else {
            continue;
        };
        let ([before, before_printed], [after, after_printed]) = (before, after);
        let views = [(before, after), (before_printed, after_printed)];
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
                    let mut lines = vec![format!("{claimed_name}:")];
                    lines.extend(hand_check::deconvolution(claimed, &group, &observer)?);
                    lines.push(format!("{other_name}:"));
                    lines.extend(hand_check::deconvolution(other, &group, &observer)?);
                    let instance =
                        Instance::on(graph, setting).of_sources(&group).towards(&observer);
                    Ok((instance, lines))
                },
            )?;
        }
    }
    Ok(())
}

/// Returns every single node outside the observer.
pub(crate) fn each_source(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside = (0..graph.nodes()).filter(|&u| !observer.contains(u));
    outside.map(|u| vec![u]).collect()
}

/// Returns every pair of nodes outside the observer.
pub(crate) fn each_pair(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside = each_source(graph, observer).concat();
    let mut pairs = Vec::new();
    for (place, &a) in outside.iter().enumerate() {
        pairs.extend(outside[place + 1..].iter().map(|&b| vec![a, b]));
    }
    pairs
}

/// Theorem 1 and its extensions to coalitions (Theorem 12) and groups (Theorem 13).
pub(crate) const THEOREM_1: Bound = Bound {
    exact: |protocol, sources, observer| {
        Ok(muffliato_reference::PaperBounds::of(protocol)?.group(sources, observer)?)
    },
    fast: |protocol, sources, observer| {
        Ok(muffliato_fast::bounds::PaperBounds::of(protocol)?.group(sources, observer)?)
    },
    by_message: true,
};

/// Corollary 1 and its extension to coalitions (Corollary 3), for one source.
pub(crate) const RANDOM_WALK: Bound = Bound {
    exact: |protocol, sources, observer| {
        let source = sources.first().copied().unwrap_or(0);
        Ok(muffliato_reference::bounds::random_walk_bound(protocol, source, observer)?)
    },
    fast: |protocol, sources, observer| {
        let source = sources.first().copied().unwrap_or(0);
        let bounds = muffliato_fast::bounds::PaperBounds::of(protocol)?;
        Ok(bounds.random_walk(source, observer)?)
    },
    by_message: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::instances::{graph, whole};

    #[test]
    fn what_only_an_observer_with_its_noise_refutes_is_no_witness() {
        let protocol = one_shot(&graph("path:3").unwrap(), 2).unwrap();
        let (observer, group) = (Observer::full(0), vec![1, 2]);
        let claimed = (THEOREM_1.exact)(&protocol, &group, &observer).unwrap();
        let [full, printed] = both_views(&protocol, &observer).unwrap().unwrap();
        assert_eq!(claimed, whole(5) / whole(3));
        assert_eq!(full.loss(&group).unwrap().scalar, whole(2));
        assert_eq!(printed.loss(&group).unwrap().scalar, whole(3) / whole(2));
        let place = Instance::of("path");
        let found = violation(&protocol, &place, &observer, &[group], &THEOREM_1);
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
