//! Changing networks: a new Erdos-Renyi graph at each time, and absent nodes.

use crate::{
    FastError, checks, memory,
    stream::{stream, unit},
};
use muffliato_model::{Network, Protocol, WeightScheme, families};
use rand::Rng;

/// A network for each time 0, 1, 2, ...; a time is a gossip step, or a round of gradient descent.
///
/// Each network is a function of its time alone, so a sequence need not be stored. A [`Network`] is
/// a constant sequence.
pub trait NetworkSequence: Sync {
    /// Returns the number of nodes, the same at all times.
    fn nodes(&self) -> usize;

    /// Returns the network of time `time`.
    fn network(&self, time: usize) -> Result<Network, FastError>;

    /// Returns `true` if the network is the same at all times.
    fn is_fixed(&self) -> bool {
        false
    }

    /// Returns Muffliato for `steps` steps with a new network at each step.
    ///
    /// All networks are stored: [`FastError::TooMuchMemory`] if they are too large. For many steps
    /// use [`StreamedRun`](super::StreamedRun).
    fn protocol(&self, steps: usize) -> Result<Protocol, FastError> {
        Ok(Protocol::time_varying(stored(self, steps)?)?)
    }

    /// Returns Muffliato-GD for `rounds` rounds of `gossip_steps` steps, with a new network for
    /// each round.
    fn gradient_descent(&self, rounds: usize, gossip_steps: usize) -> Result<Protocol, FastError> {
        Ok(Protocol::gradient_descent_on(stored(self, rounds)?, gossip_steps)?)
    }
}

fn stored<S: NetworkSequence + ?Sized>(
    sequence: &S,
    count: usize,
) -> Result<Vec<Network>, FastError> {
    let mut networks = Vec::new();
    let mut bytes = 0;
    for time in 0..count {
        let network = sequence.network(time)?;
        let graph = network.graph();
        bytes += 8 * (graph.nodes() + 1) as u128 + 8 * graph.edge_count() as u128;
        memory::check(bytes, "run it step by step, without storing the networks")?;
        networks.push(network);
    }
    Ok(networks)
}

impl NetworkSequence for Network {
    fn nodes(&self) -> usize {
        self.graph().nodes()
    }

    fn network(&self, _time: usize) -> Result<Network, FastError> {
        Ok(self.clone())
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

/// A new independent Erdos-Renyi graph G(n, q) at each time.
///
/// ```
/// use muffliato_fast::simulation::{ErdosRenyiSequence, NetworkSequence};
/// use muffliato_model::WeightScheme;
///
/// let graphs = ErdosRenyiSequence::try_new(100, 0.05, WeightScheme::Metropolis, 7)?;
/// let protocol = graphs.protocol(20)?;
/// assert_eq!(protocol.steps(), 20);
///
/// // Or conditioned on connectedness.
/// let connected = ErdosRenyiSequence::try_new(30, 0.15, WeightScheme::Metropolis, 7)?.connected();
/// assert!((0..20).all(|time| connected.network(time).is_ok_and(|network| network.graph().is_connected())));
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ErdosRenyiSequence {
    nodes: usize,
    q: f64,
    weights: WeightScheme,
    seed: u64,
    connected: bool,
}

impl ErdosRenyiSequence {
    /// Creates the sequence of graphs of `nodes` nodes, each pair joined with probability `q`, with
    /// the weights of a scheme. Errors if q is not a probability, or for custom weights, which
    /// belong to one graph.
    pub fn try_new(
        nodes: usize,
        q: f64,
        weights: WeightScheme,
        seed: u64,
    ) -> Result<Self, FastError> {
        checks::probability("q", q)?;
        check_scheme(&weights)?;
        Ok(Self { nodes, q, weights, seed, connected: false })
    }

    /// Conditions each graph on being connected. A time at which none is found is an error.
    pub fn connected(mut self) -> Self {
        self.connected = true;
        self
    }
}

impl NetworkSequence for ErdosRenyiSequence {
    fn nodes(&self) -> usize {
        self.nodes
    }

    fn network(&self, time: usize) -> Result<Network, FastError> {
        let seed = stream("graphs", self.seed, 0, time).next_u64();
        let graph = if self.connected {
            families::erdos_renyi_connected(self.nodes, self.q, seed)?
        } else {
            families::erdos_renyi(self.nodes, self.q, seed)?
        };
        Ok(Network::try_new(graph, self.weights.clone())?)
    }
}

/// Dropout: at each time each node is absent with probability `away`, independently. It then has no
/// edges, and the weights are those of the remaining graph.
///
/// ```
/// use muffliato_fast::simulation::{Dropout, ErdosRenyiSequence, NetworkSequence};
/// use muffliato_model::WeightScheme;
///
/// let graphs = ErdosRenyiSequence::try_new(20, 0.3, WeightScheme::Metropolis, 1)?;
/// let graphs = Dropout::try_new(graphs, 0.5, 2)?;
/// let network = graphs.network(0)?;
/// for (node, away) in graphs.absences(0).into_iter().enumerate() {
///     assert!(!away || network.graph().degree(node) == 0);
/// }
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dropout<S> {
    networks: S,
    away: f64,
    seed: u64,
}

impl<S: NetworkSequence> Dropout<S> {
    /// Creates the sequence of networks without the absent nodes. Errors unless `away` is a
    /// probability.
    pub fn try_new(networks: S, away: f64, seed: u64) -> Result<Self, FastError> {
        checks::probability("the probability to be away", away)?;
        Ok(Self { networks, away, seed })
    }

    /// Returns the absent nodes at `time`.
    pub fn absences(&self, time: usize) -> Vec<bool> {
        let mut generator = stream("dropout", self.seed, 0, time);
        let mut is_away = |_| unit(&mut generator) < self.away;
        (0..self.networks.nodes()).map(&mut is_away).collect()
    }
}

impl<S: NetworkSequence> NetworkSequence for Dropout<S> {
    fn nodes(&self) -> usize {
        self.networks.nodes()
    }

    fn network(&self, time: usize) -> Result<Network, FastError> {
        let whole = self.networks.network(time)?;
        check_scheme(whole.weights())?;
        let left = whole.graph().isolating(&self.absences(time))?;
        Ok(Network::try_new(left, whole.weights().clone())?)
    }
}

/// Errors for weights that belong to one graph.
fn check_scheme(weights: &WeightScheme) -> Result<(), FastError> {
    match weights {
        WeightScheme::Custom(_) => Err(FastError::NotApplicable {
            formula: "a sequence of different graphs",
            reason: "custom weights belong to one graph; use a scheme that is defined by degrees",
        }),
        WeightScheme::Lazy(inner) => check_scheme(inner),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{CustomWeights, Graph};

    fn graphs(q: f64) -> ErdosRenyiSequence {
        ErdosRenyiSequence::try_new(60, q, WeightScheme::Metropolis, 1).unwrap()
    }

    #[test]
    fn each_time_has_its_own_reproducible_graph() {
        let sequence = graphs(0.1);
        assert_eq!(sequence.network(3), sequence.network(3));
        assert_ne!(sequence.network(3), sequence.network(4));
        let connected = graphs(0.06).connected();
        assert!((0..20).all(|t| connected.network(t).unwrap().graph().is_connected()));
        assert!(!(0..20).all(|t| graphs(0.06).network(t).unwrap().graph().is_connected()));
    }

    /// 6000 absences of probability 0.3 are within 6 standard deviations (35.5) of their mean
    /// except with probability 2e-9.
    #[test]
    fn absent_nodes_have_the_right_frequency_and_no_edges() {
        let dropout = Dropout::try_new(graphs(0.2), 0.3, 5).unwrap();
        let mut count = 0;
        for t in 0..100 {
            let absences = dropout.absences(t);
            let network = dropout.network(t).unwrap();
            let whole = graphs(0.2).network(t).unwrap();
            for u in 0..60 {
                count += usize::from(absences[u]);
                for v in 0..60 {
                    let expected = whole.graph().has_edge(u, v) && !absences[u] && !absences[v];
                    assert_eq!(network.graph().has_edge(u, v), expected);
                }
            }
        }
        assert!((1587..=2013).contains(&count), "{count} of 6000 absences");
        let gone = Dropout::try_new(graphs(0.2), 1.0, 5).unwrap();
        assert_eq!(gone.network(0).unwrap().graph().edge_count(), 0);
        let here = Dropout::try_new(graphs(0.2), 0.0, 5).unwrap();
        assert_eq!(here.network(7), graphs(0.2).network(7));
    }

    #[test]
    fn bad_input_is_refused() {
        for q in [f64::NAN, -0.1, 1.5] {
            assert!(ErdosRenyiSequence::try_new(5, q, WeightScheme::Metropolis, 0).is_err());
            assert!(Dropout::try_new(graphs(0.1), q, 0).is_err());
        }
        let empty = ErdosRenyiSequence::try_new(0, 0.5, WeightScheme::Metropolis, 0).unwrap();
        assert!(matches!(empty.network(0), Err(FastError::Graph(_))));
        assert!(matches!(graphs(0.1).protocol(0), Err(FastError::Protocol(_))));
        assert!(matches!(graphs(0.1).gradient_descent(0, 3), Err(FastError::Protocol(_))));
        let graph = Graph::try_new(2, [(0, 1)]).unwrap();
        let custom =
            CustomWeights::try_new(&graph, 2, [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)]);
        let custom = WeightScheme::Lazy(Box::new(WeightScheme::Custom(custom.unwrap())));
        assert!(ErdosRenyiSequence::try_new(2, 0.5, custom.clone(), 0).is_err());
        let network = Network::try_new(graph, custom).unwrap();
        assert!(Dropout::try_new(network, 0.5, 0).unwrap().network(0).is_err());
    }
}
