//! The search that all claims of the form "the loss of u towards v is at most ..." share.

use super::{
    ClaimError, hand_check,
    instances::{loss_again, named, one_shot, single_observers, smallest, view},
    witness::{Comparison, Witness},
};
use muffliato_fast::Enclosure;
use muffliato_model::{Graph, Observer, Protocol};
use muffliato_reference::{BigRational, Process};

/// A promised loss, in each of the two engines.
pub(crate) struct Promise {
    pub exact: fn(&Protocol, &[usize], &Observer) -> Result<BigRational, ClaimError>,
    pub again: fn(&Protocol, &[usize], &Observer) -> Result<Enclosure, ClaimError>,
    /// The charges of the hand check are those of the promise.
    pub by_message: bool,
}

/// The smallest one-shot instance (Metropolis weights, 1 to `steps` steps, graphs of up to `nodes` nodes) in which the
/// exact loss of one of `groups` towards one of `observers` exceeds the promise.
pub(crate) fn one_shot_search(
    nodes: usize,
    steps: usize,
    observers: impl Fn(&Graph) -> Result<Vec<Observer>, ClaimError>,
    groups: impl Fn(&Graph, &Observer) -> Vec<Vec<usize>>,
    promise: &Promise,
) -> Result<Option<Witness>, ClaimError> {
    smallest(nodes, 1..=steps, |graph, steps| {
        let protocol = one_shot(graph, steps)?;
        for observer in observers(graph)? {
            let groups = groups(graph, &observer);
            let what = format!("{}, T = {steps}", named(graph));
            if let Some(found) = violation(&protocol, &what, &observer, &groups, promise)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    })
}

/// The first of `sources` (each a group) whose exact loss towards `observer` exceeds the promise.
pub(crate) fn violation(
    protocol: &Protocol,
    what: &str,
    observer: &Observer,
    sources: &[Vec<usize>],
    promise: &Promise,
) -> Result<Option<Witness>, ClaimError> {
    let process = Process::run(protocol)?;
    let view = process.view(observer)?;
    for group in sources {
        let promised = (promise.exact)(protocol, group, observer)?;
        let compared = Comparison::at_most(view.loss(group)?.scalar, promised);
        if !compared.fails() {
            continue;
        }
        let mut lines = Vec::new();
        if let Some(network) = protocol.fixed_network() {
            lines.push(hand_check::matrix(network)?);
        }
        if promise.by_message {
            lines.extend(hand_check::charges(protocol, group, observer)?);
        }
        lines.extend(hand_check::deconvolution(protocol, group, observer)?);
        let names: Vec<_> = group.iter().map(usize::to_string).collect();
        let instance = format!("{what}, {} -> {observer}", names.join("+"));
        let promised = (promise.again)(protocol, group, observer)?;
        let actual = loss_again(protocol, group, observer)?;
        return compared
            .witness(instance, lines, promised, actual)
            .map(Some);
    }
    Ok(None)
}

/// The first source that loses more to some observer in the `other` protocol than in the `promised` one; each is given with its
/// name.
pub(crate) fn larger_loss(
    graph: &Graph,
    what: &str,
    (promised_name, promised): (&str, &Protocol),
    (other_name, other): (&str, &Protocol),
) -> Result<Option<Witness>, ClaimError> {
    for observer in single_observers(graph) {
        let (before, after) = (view(promised, &observer)?, view(other, &observer)?);
        for group in each_source(graph, &observer) {
            let compared =
                Comparison::at_most(after.loss(&group)?.scalar, before.loss(&group)?.scalar);
            if !compared.fails() {
                continue;
            }
            let mut lines = vec![format!("{promised_name}:")];
            lines.extend(hand_check::deconvolution(promised, &group, &observer)?);
            lines.push(format!("{other_name}:"));
            lines.extend(hand_check::deconvolution(other, &group, &observer)?);
            let instance = format!("{}, {what}, {} -> {observer}", named(graph), group[0]);
            let promised = loss_again(promised, &group, &observer)?;
            let actual = loss_again(other, &group, &observer)?;
            return compared
                .witness(instance, lines, promised, actual)
                .map(Some);
        }
    }
    Ok(None)
}

/// Every node outside the observer, by itself.
pub(crate) fn each_source(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside = (0..graph.nodes()).filter(|&u| !observer.contains(u));
    outside.map(|u| vec![u]).collect()
}

/// Every pair of nodes outside the observer.
pub(crate) fn each_pair(graph: &Graph, observer: &Observer) -> Vec<Vec<usize>> {
    let outside: Vec<_> = (0..graph.nodes())
        .filter(|&u| !observer.contains(u))
        .collect();
    let mut pairs = Vec::new();
    for (place, &a) in outside.iter().enumerate() {
        pairs.extend(outside[place + 1..].iter().map(|&b| vec![a, b]));
    }
    pairs
}

/// Theorem 1 and its extensions to coalitions (Theorem 12) and groups (Theorem 13).
pub(crate) const THEOREM_1: Promise = Promise {
    exact: |protocol, sources, observer| {
        Ok(muffliato_reference::PaperBounds::of(protocol)?.group(sources, observer)?)
    },
    again: |protocol, sources, observer| {
        Ok(muffliato_fast::bounds::PaperBounds::of(protocol)?.group(sources, observer, &())?)
    },
    by_message: true,
};

/// Corollary 1 and its extension to coalitions (Corollary 3), for one source.
pub(crate) const RANDOM_WALK: Promise = Promise {
    exact: |protocol, sources, observer| {
        let source = sources.first().copied().unwrap_or(0);
        Ok(muffliato_reference::bounds::random_walk_bound(
            protocol, source, observer,
        )?)
    },
    again: |protocol, sources, observer| {
        let source = sources.first().copied().unwrap_or(0);
        let bounds = muffliato_fast::bounds::PaperBounds::of(protocol)?;
        Ok(bounds.random_walk(source, observer, &())?)
    },
    by_message: false,
};
