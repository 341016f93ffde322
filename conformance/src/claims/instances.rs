//! The instances that decisions run on, in the order in which witnesses are looked for: fewest nodes, then edges, then
//! steps.

use super::{
    ClaimError,
    error::confirm,
    witness::{Instance, Search, Witness, outcome},
};
use crate::small_graphs::connected;
use muffliato_account::{Asked, Choice};
use muffliato_fast::{
    Enclosure, FastError, GapOptions, GramView, SparseWeights, SpectralGap, spectral_gap,
};
use muffliato_model::{Graph, GraphSpec, Network, Observer, Protocol, WeightScheme};
use muffliato_reference::{BigRational, PaperBounds, Process, View};
use std::ops::RangeInclusive;

/// A whole number or fraction.
pub(crate) fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

/// A whole number.
pub(crate) fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}

/// The graph of a textual form.
pub(crate) fn graph(text: &str) -> Result<Graph, ClaimError> {
    Ok(text.parse::<GraphSpec>()?.build()?)
}

/// A graph with Metropolis weights.
pub(crate) fn metropolis(graph: &Graph) -> Result<Network, ClaimError> {
    Ok(Network::try_new(graph.clone(), WeightScheme::Metropolis)?)
}

/// Muffliato on a graph with Metropolis weights.
pub(crate) fn one_shot(graph: &Graph, steps: usize) -> Result<Protocol, ClaimError> {
    Ok(Protocol::one_shot(metropolis(graph)?, steps)?)
}

/// Muffliato-GD on a graph with Metropolis weights.
pub(crate) fn descent(graph: &Graph, rounds: usize, k: usize) -> Result<Protocol, ClaimError> {
    Ok(Protocol::gradient_descent(metropolis(graph)?, rounds, k)?)
}

/// What an observer sees of a protocol.
pub(crate) fn view(protocol: &Protocol, observer: &Observer) -> Result<View, ClaimError> {
    Ok(Process::run(protocol)?.view(observer)?)
}

/// The connected graphs with 2 to `nodes` nodes.
pub(crate) fn graphs(nodes: usize) -> impl Iterator<Item = Graph> {
    connected()
        .map(|(_, graph)| graph)
        .filter(move |graph| (2..=nodes).contains(&graph.nodes()))
}

/// The first witness over the connected graphs with 2 to `nodes` nodes and the given steps: fewest nodes, then edges,
/// then steps.
pub(crate) fn smallest(
    nodes: usize,
    steps: RangeInclusive<usize>,
    mut look: impl FnMut(&Graph, usize) -> Search,
) -> Result<Option<Witness>, ClaimError> {
    let all: Vec<Graph> = graphs(nodes).collect();
    let size = |graph: &Graph| (graph.nodes(), graph.edge_count());
    let mut classes = all.chunk_by(|a, b| size(a) == size(b));
    outcome(classes.try_for_each(|class| {
        let mut counts = steps.clone();
        counts.try_for_each(|count| class.iter().try_for_each(|graph| look(graph, count)))
    }))
}

/// All sequences of so many choices out of 0, 1, ..., the first varying fastest.
pub(crate) fn sequences(choices: usize, length: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..choices.pow(length as u32)).map(move |number| {
        let digit = |place: usize| number / choices.pow(place as u32) % choices;
        (0..length).map(digit).collect()
    })
}

/// A one-shot protocol and somebody who looks on.
pub(crate) struct Run<'a> {
    pub graph: &'a Graph,
    pub protocol: &'a Protocol,
    pub bounds: &'a PaperBounds,
    pub process: &'a Process,
    pub observer: &'a Observer,
}

/// How many runs of 1 to `steps` steps, on all connected graphs up to `nodes` nodes and towards each of the `observers`, there
/// are, if `holds` in all of them; else an error with the first in which it does not.
pub(crate) fn everywhere(
    nodes: usize,
    steps: usize,
    observers: impl Fn(&Graph) -> Result<Vec<Observer>, ClaimError>,
    mut holds: impl FnMut(Run<'_>) -> Result<bool, ClaimError>,
) -> Result<usize, ClaimError> {
    let mut cases = 0;
    for graph in graphs(nodes) {
        for steps in 1..=steps {
            each_run(&graph, steps, &observers(&graph)?, |run| {
                let observer = run.observer;
                let case = || format!("{}, T = {steps}, {observer}", named(&graph));
                cases += 1;
                confirm(holds(run)?, case)
            })?;
        }
    }
    Ok(cases)
}

/// Visits the run of so many steps on a graph, with each of the observers.
fn each_run<E: From<ClaimError>>(
    graph: &Graph,
    steps: usize,
    observers: &[Observer],
    mut visit: impl FnMut(Run<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let protocol = &one_shot(graph, steps)?;
    let bounds = &PaperBounds::of(protocol).map_err(ClaimError::from)?;
    let process = &Process::run(protocol).map_err(ClaimError::from)?;
    observers.iter().try_for_each(|observer| {
        visit(Run {
            graph,
            protocol,
            bounds,
            process,
            observer,
        })
    })
}

/// The smallest run (Metropolis weights, 1 to `steps` steps, graphs of up to `nodes` nodes, single observers) at which `look`
/// finds a witness.
pub(crate) fn smallest_run(
    nodes: usize,
    steps: usize,
    look: impl Fn(Run<'_>) -> Search,
) -> Result<Option<Witness>, ClaimError> {
    smallest(nodes, 1..=steps, |graph, steps| {
        each_run(graph, steps, &single_observers(graph)?, &look)
    })
}

impl Run<'_> {
    /// Where this is.
    pub fn instance(&self) -> Instance {
        let setting = format!("T = {}", self.protocol.steps());
        Instance::on(self.graph, setting).towards(self.observer)
    }

    /// The messages that the observer receives.
    pub fn messages(&self) -> Result<usize, ClaimError> {
        Ok(self.protocol.messages_to(self.observer)?)
    }

    /// The exact losses of all that do not observe.
    pub fn leakages(&self) -> Result<Vec<BigRational>, ClaimError> {
        let leakages = self.process.view(self.observer)?.leakages()?;
        Ok(leakages.into_iter().flatten().collect())
    }
}

/// Every single node as an observer with its full view.
pub(crate) fn single_observers(graph: &Graph) -> Result<Vec<Observer>, ClaimError> {
    Ok((0..graph.nodes()).map(Observer::full).collect())
}

/// The observer as the paper has it, who has forgotten the noise that it drew. A coalition in which everybody hears
/// another member knows that noise from the messages and is the same; other coalitions are not offered.
pub(crate) fn paper_view(protocol: &Protocol, observer: &Observer) -> Option<Observer> {
    let members = observer.members();
    if let [v] = members {
        return Some(Observer::paper(*v));
    }
    let graph = protocol.fixed_network()?.graph();
    let heard = |&v: &usize| graph.neighbours(v).any(|w| observer.contains(w));
    members.iter().all(heard).then(|| observer.clone())
}

/// Every set of two or more nodes that leaves somebody outside.
pub(crate) fn coalitions(graph: &Graph) -> Result<Vec<Observer>, ClaimError> {
    let nodes = graph.nodes();
    (1_usize..(1 << nodes) - 1)
        .filter(|set| set.count_ones() >= 2)
        .map(|set| {
            let members = (0..nodes).filter(|v| set >> v & 1 == 1);
            Ok(Observer::coalition(members)?)
        })
        .collect()
}

/// Every set of nodes that leaves somebody outside.
pub(crate) fn all_observers(graph: &Graph) -> Result<Vec<Observer>, ClaimError> {
    let mut observers = single_observers(graph)?;
    observers.extend(coalitions(graph)?);
    Ok(observers)
}

/// `0-2 1-2`, for witnesses.
pub(crate) fn edge_list(edges: impl IntoIterator<Item = (usize, usize)>, between: &str) -> String {
    let edges = edges.into_iter().map(|(u, v)| format!("{u}-{v}"));
    edges.collect::<Vec<_>>().join(between)
}

/// `3 nodes (0-2 1-2)`, for witnesses.
pub(crate) fn named(graph: &Graph) -> String {
    let shape = match (graph.nodes(), graph.edge_count(), graph.max_degree()) {
        (n, m, d) if m == n - 1 && d <= 2 => format!("path of {n}"),
        (n, m, 2) if m == n => format!("ring of {n}"),
        (n, m, _) if m == n * (n - 1) / 2 => format!("complete graph on {n}"),
        (n, m, d) if m == n - 1 && d == n - 1 => format!("star of {n}"),
        (n, ..) => format!("{n} nodes"),
    };
    format!("{shape} ({})", edge_list(graph.edges(), " "))
}

/// The gap in the fast engine.
pub(crate) fn fast_gap(network: &Network) -> Result<SpectralGap, FastError> {
    spectral_gap(&SparseWeights::of_network(network)?, &GapOptions::default())
}

/// The exact loss in the fast engine, by the method that the accountant chooses for it; of masked protocols, of which the accountant
/// takes a bound, in the Gram form.
pub(crate) fn fast_loss(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
) -> Result<Enclosure, ClaimError> {
    if protocol.masks().is_some() {
        let loss = GramView::of(protocol, observer)?.group_loss(sources)?;
        return Ok(loss.scalars.certified);
    }
    let mut group = sources.to_vec();
    group.sort_unstable();
    let engine = Choice::Fast.engine(protocol, 1, muffliato_fast::memory::limit())?;
    let seen = engine.losses(Asked::new(observer, &[&group], &()))?;
    let loss = seen.losses.first().ok_or(FastError::NoSource)?;
    Ok(loss.number().enclosure())
}

/// An answer of the fast engine for one source out of all.
pub(crate) fn of_source(all: &[Enclosure], source: usize) -> Result<Enclosure, ClaimError> {
    let nodes = all.len();
    let outside = FastError::SourceOutOfRange {
        source_node: source,
        nodes,
    };
    Ok(*all.get(source).ok_or(outside)?)
}
