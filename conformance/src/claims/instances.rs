//! Instances of the decisions, in search order: fewest nodes, then edges, then steps.

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
use muffliato_reference::{BigRational, GossipMatrix, PaperBounds, Process, View};
use std::ops::RangeInclusive;

/// Returns a fraction.
pub(crate) fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

/// Returns an integer.
pub(crate) fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}

/// Builds the graph of a textual form.
pub(crate) fn graph(text: &str) -> Result<Graph, ClaimError> {
    Ok(text.parse::<GraphSpec>()?.build()?)
}

/// Builds a network with Metropolis weights.
pub(crate) fn metropolis(graph: &Graph) -> Result<Network, ClaimError> {
    Ok(Network::try_new(graph.clone(), WeightScheme::Metropolis)?)
}

/// Builds Muffliato on a graph with Metropolis weights.
pub(crate) fn one_shot(graph: &Graph, steps: usize) -> Result<Protocol, ClaimError> {
    Ok(Protocol::one_shot(metropolis(graph)?, steps)?)
}

/// Builds Muffliato-GD on a graph with Metropolis weights.
pub(crate) fn descent(graph: &Graph, rounds: usize, k: usize) -> Result<Protocol, ClaimError> {
    Ok(Protocol::gradient_descent(metropolis(graph)?, rounds, k)?)
}

/// Returns what each node takes of its neighbours' values with Metropolis weights: `1 - W_vv`.
pub(crate) fn taken(graph: &Graph) -> Result<Vec<BigRational>, ClaimError> {
    let w = GossipMatrix::of_network(&metropolis(graph)?)?;
    let own = |v| w.entry(v, v).unwrap_or_default();
    Ok((0..graph.nodes()).map(|v| whole(1) - own(v)).collect())
}

/// Computes the observer's view of a protocol.
pub(crate) fn view(protocol: &Protocol, observer: &Observer) -> Result<View, ClaimError> {
    Ok(Process::run(protocol)?.view(observer)?)
}

/// Returns the connected graphs with 2 to `nodes` nodes.
pub(crate) fn graphs(nodes: usize) -> impl Iterator<Item = Graph> {
    connected().map(|(_, graph)| graph).filter(move |graph| (2..=nodes).contains(&graph.nodes()))
}

/// Returns the first witness over the connected graphs with 2 to `nodes` nodes and the given steps,
/// in search order.
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

/// Returns all sequences of `length` numbers below `choices`, the first varying fastest.
pub(crate) fn sequences(choices: usize, length: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..choices.pow(length as u32)).map(move |number| {
        let digit = |place: usize| number / choices.pow(place as u32) % choices;
        (0..length).map(digit).collect()
    })
}

/// A one-shot protocol with an observer.
pub(crate) struct Run<'a> {
    pub graph: &'a Graph,
    pub protocol: &'a Protocol,
    pub bounds: &'a PaperBounds,
    pub process: &'a Process,
    pub observer: &'a Observer,
}

/// Counts the runs of 1 to `steps` steps on all connected graphs up to `nodes` nodes and towards
/// each of the `observers`.
///
/// # Errors
///
/// Fails with the first run in which `holds` is false.
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
                let case = || format!("{}, T = {steps}, {observer}", graph_name(&graph));
                cases += confirm(holds(run)?, case)?;
                Ok::<(), ClaimError>(())
            })?;
        }
    }
    Ok(cases)
}

/// Visits the run on a graph with each of the observers.
fn each_run<E: From<ClaimError>>(
    graph: &Graph,
    steps: usize,
    observers: &[Observer],
    mut visit: impl FnMut(Run<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let protocol = &one_shot(graph, steps)?;
    let bounds = &PaperBounds::of(protocol).map_err(ClaimError::from)?;
    let process = &Process::run(protocol).map_err(ClaimError::from)?;
    observers
        .iter()
        .try_for_each(|observer| visit(Run { graph, protocol, bounds, process, observer }))
}

/// Searches for the smallest run at which `look` finds a witness: Metropolis weights, 1 to `steps`
/// steps, graphs of up to `nodes` nodes, single observers.
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
    /// Returns the instance of this run.
    pub fn instance(&self) -> Instance {
        let setting = format!("T = {}", self.protocol.steps());
        Instance::on(self.graph, setting).towards(self.observer)
    }

    /// Returns the number of messages that the observer receives.
    pub fn messages(&self) -> Result<usize, ClaimError> {
        Ok(self.protocol.messages_to(self.observer)?)
    }

    /// Returns the exact losses of all nodes outside the observer.
    pub fn leakages(&self) -> Result<Vec<BigRational>, ClaimError> {
        let leakages = self.process.view(self.observer)?.leakages()?;
        Ok(leakages.into_iter().flatten().collect())
    }
}

/// Returns every single node as an observer with its full view.
pub(crate) fn single_observers(graph: &Graph) -> Result<Vec<Observer>, ClaimError> {
    Ok((0..graph.nodes()).map(Observer::full).collect())
}

/// Returns the paper's observer, who has forgotten the noise that it drew. A coalition each of
/// whose members hears another one knows that noise from the messages and is returned unchanged;
/// there is no paper view of other coalitions.
pub(crate) fn paper_view(protocol: &Protocol, observer: &Observer) -> Option<Observer> {
    let members = observer.members();
    if let [v] = members {
        return Some(Observer::paper(*v));
    }
    let graph = protocol.fixed_network()?.graph();
    let heard = |&v: &usize| graph.neighbours(v).any(|w| observer.contains(w));
    members.iter().all(heard).then(|| observer.clone())
}

/// Returns every set of two or more nodes that leaves some node outside.
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

/// Returns every set of nodes that leaves some node outside.
pub(crate) fn all_observers(graph: &Graph) -> Result<Vec<Observer>, ClaimError> {
    let mut observers = single_observers(graph)?;
    observers.extend(coalitions(graph)?);
    Ok(observers)
}

/// Formats edges like `0-2 1-2`.
pub(crate) fn edge_list(edges: impl IntoIterator<Item = (usize, usize)>, between: &str) -> String {
    let edges = edges.into_iter().map(|(u, v)| format!("{u}-{v}"));
    edges.collect::<Vec<_>>().join(between)
}

/// Formats a graph like `3 nodes (0-2 1-2)`.
pub(crate) fn graph_name(graph: &Graph) -> String {
    let shape = match (graph.nodes(), graph.edge_count(), graph.max_degree()) {
        (n, m, d) if m == n - 1 && d <= 2 => format!("path of {n}"),
        (n, m, 2) if m == n => format!("ring of {n}"),
        (n, m, _) if m == n * (n - 1) / 2 => format!("complete graph on {n}"),
        (n, m, d) if m == n - 1 && d == n - 1 => format!("star of {n}"),
        (n, ..) => format!("{n} nodes"),
    };
    format!("{shape} ({})", edge_list(graph.edges(), " "))
}

/// Returns the gap by the fast engine.
pub(crate) fn fast_gap(network: &Network) -> Result<SpectralGap, FastError> {
    spectral_gap(&SparseWeights::of_network(network)?, &GapOptions::default(), &())
}

/// Returns the exact loss by the fast engine with the method of the accountant; for masked
/// protocols, which the accountant only bounds, by the Gram form.
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
