//! All algorithms of the paper as one linear-Gaussian process.
//!
//! The state is one number per node. At step t = 0..T every node **injects** (adds its input of
//! this step, if any, and fresh Gaussian noise of standard deviation `s_t sigma`, if any),
//! **sends** its state to its neighbours of that step, and **mixes** (`y <- W_t y`, or the two-term
//! Chebyshev recursion).
//!
//! | protocol | inputs at | noise s_t |
//! | --- | --- | --- |
//! | [`Protocol::one_shot`], [`Protocol::time_varying`], [`Protocol::randomized`] | t = 0 | 1 at t = 0, else 0 |
//! | [`Protocol::gradient_descent`], [`Protocol::gradient_descent_on`], K steps a round | t = 0, K, 2K, ... | 1 at those t, else 0 |
//! | any of them, [refreshed](Protocol::refreshed) | as before | 1 at inputs, `tau` at all other t |
//! | any of them, [masked](Protocol::masked) | as before | as before, and masks that cancel in pairs at inputs |
//! | any of them, [with a plan](Protocol::with_plan) | as before | a size of its own for every node and every mask |

mod error;

pub use error::ProtocolError;

use crate::{Fraction, Graph, GraphError, Masks, Network, Observer, noise::Variances};
use std::sync::Arc;

/// The network of each step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Schedule {
    /// The same network at every step.
    Fixed(Network),
    /// A sequence of networks, each used for a number of consecutive steps.
    Varying {
        /// The networks in order; all have the same number of nodes.
        networks: Vec<Network>,
        /// The number of steps that each network is used for.
        each: usize,
    },
    /// One edge per step, whose two ends average their values (Algorithm 2).
    EdgeSequence {
        /// The graph that the edges belong to.
        graph: Arc<Graph>,
        /// The edge of each step.
        edges: Vec<(usize, usize)>,
    },
}

/// One gossip step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
    /// All edges of a network.
    Network(&'a Network),
    /// The two ends of one edge average their values; all other nodes are idle.
    EdgeAverage {
        /// The number of nodes.
        nodes: usize,
        /// The edge.
        edge: (usize, usize),
    },
}

impl Step<'_> {
    /// Returns `true` if both steps use the same network object, so that its matrix can be reused.
    pub fn is_same_network(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Network(one), Self::Network(other)) if std::ptr::eq(*one, *other))
    }

    /// Returns `N_t(V)`: the nodes outside `members` that send a message to a member at this step,
    /// in increasing order.
    ///
    /// ```
    /// use muffliato_model::{Network, Step};
    ///
    /// let star = Network::metropolis("star:4".parse()?)?;
    /// assert_eq!(Step::Network(&star).senders_to(&[1, 2]), [0]); // once
    /// assert_eq!(Step::Network(&star).senders_to(&[0, 1]), [2, 3]);
    /// assert_eq!(Step::EdgeAverage { nodes: 4, edge: (0, 1) }.senders_to(&[1]), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn senders_to(&self, members: &[usize]) -> Vec<usize> {
        let mut senders: Vec<usize> = match *self {
            Step::Network(network) => {
                members.iter().flat_map(|&member| network.graph().neighbours(member)).collect()
            }
            Step::EdgeAverage { edge: (u, v), .. } => {
                let both = [(u, v), (v, u)].into_iter();
                both.filter(|(_, to)| members.contains(to)).map(|(from, _)| from).collect()
            }
        };
        senders.sort_unstable();
        senders.dedup();
        senders.retain(|sender| !members.contains(sender));
        senders
    }
}

/// A gossip protocol: inputs, noise, networks and mixing of every step.
///
/// ```
/// use muffliato_model::{Draw, Fraction, Graph, Network, Protocol};
///
/// let ring = Graph::try_new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let network = Network::metropolis(ring)?;
/// let tau = "0.1".parse::<Fraction>()?;
/// let protocol = Protocol::one_shot(network, 3)?.refreshed(tau)?;
/// assert_eq!(protocol.variance(Draw::Own { time: 0, node: 3 }), Fraction::ONE);
/// assert_eq!(protocol.variance(Draw::Own { time: 2, node: 3 }), tau.square()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    pub(crate) schedule: Schedule,
    pub(crate) rounds: usize,
    pub(crate) gossip_steps: usize,
    pub(crate) own: Variances,
    pub(crate) fresh: Option<Variances>,
    pub(crate) acceleration: Option<Fraction>,
    pub(crate) reaction: Option<Vec<Fraction>>,
    pub(crate) period: usize,
    pub(crate) sampling: Option<Fraction>,
    pub(crate) masks: Option<Masks>,
}

/// Largest number of gossip steps of a protocol, in all rounds together.
pub const MAX_STEPS: usize = 10_000_000;

/// Checks that there is at least one round of at least one step, and at most [`MAX_STEPS`] steps in
/// all.
///
/// Every protocol is checked by this. Call it before work that grows with the steps.
///
/// # Errors
///
/// Returns [`ProtocolError::NoRounds`], [`ProtocolError::NoSteps`] or
/// [`ProtocolError::TooManySteps`].
///
/// ```
/// use muffliato_model::{MAX_STEPS, check_steps};
///
/// assert!(check_steps(1, MAX_STEPS).is_ok());
/// assert!(check_steps(2, MAX_STEPS).is_err() && check_steps(1, 0).is_err());
/// ```
pub fn check_steps(rounds: usize, gossip_steps: usize) -> Result<(), ProtocolError> {
    if rounds == 0 {
        return Err(ProtocolError::NoRounds);
    }
    if gossip_steps == 0 {
        return Err(ProtocolError::NoSteps);
    }
    if rounds.saturating_mul(gossip_steps) > MAX_STEPS {
        return Err(ProtocolError::TooManySteps { rounds, gossip_steps });
    }
    Ok(())
}

impl Protocol {
    /// Creates Muffliato (Algorithm 1): every node adds noise once and gossips for `steps` steps.
    ///
    /// # Errors
    ///
    /// Returns an error unless there are 1 to [`MAX_STEPS`] steps.
    pub fn one_shot(network: Network, steps: usize) -> Result<Self, ProtocolError> {
        Self::gradient_descent(network, 1, steps)
    }

    /// Creates Muffliato with its own network at each step (time-varying graphs, dropout).
    ///
    /// # Errors
    ///
    /// Returns an error without networks, or if they have different sizes.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:4".parse()?)?;
    /// let star = Network::metropolis("star:4".parse()?)?;
    /// let protocol = Protocol::time_varying(vec![path, star])?;
    /// assert_eq!(protocol.step(0).senders_to(&[3]), [2]);
    /// assert_eq!(protocol.step(1).senders_to(&[3]), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn time_varying(networks: Vec<Network>) -> Result<Self, ProtocolError> {
        let steps = networks.len();
        Self::new(Schedule::Varying { networks, each: 1 }, 1, steps)
    }

    /// Creates randomized Muffliato (Algorithm 2) from the edge of each step.
    ///
    /// # Errors
    ///
    /// Returns an error without edges, or if an edge is not in the graph.
    ///
    /// ```
    /// use muffliato_model::{Observer, Protocol, families};
    ///
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1), (1, 2), (0, 1)])?;
    /// assert_eq!(protocol.steps(), 3);
    /// assert_eq!(protocol.messages_to(&Observer::full(0))?, 2);
    /// assert_eq!(protocol.messages_to(&Observer::full(2))?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn randomized(
        graph: impl Into<Arc<Graph>>,
        edges: Vec<(usize, usize)>,
    ) -> Result<Self, ProtocolError> {
        let graph = graph.into();
        let mut steps = edges.iter().enumerate();
        if let Some((step, &(u, v))) = steps.find(|(_, (u, v))| !graph.has_edge(*u, *v)) {
            return Err(ProtocolError::NoSuchEdge { step, u, v });
        }
        let steps = edges.len();
        Self::new(Schedule::EdgeSequence { graph, edges }, 1, steps)
    }

    /// Creates Muffliato-GD (Algorithm 3) on a fixed network: each round adds a gradient and noise
    /// at every node, then gossips for `gossip_steps` = K steps.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no rounds, no steps, or too many of them.
    pub fn gradient_descent(
        network: Network,
        rounds: usize,
        gossip_steps: usize,
    ) -> Result<Self, ProtocolError> {
        Self::new(Schedule::Fixed(network), rounds, gossip_steps)
    }

    /// Creates Muffliato-GD with its own network in each round.
    ///
    /// # Errors
    ///
    /// Returns an error without networks or steps, or if the networks have different sizes.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:4".parse()?)?;
    /// let star = Network::metropolis("star:4".parse()?)?;
    /// let protocol = Protocol::gradient_descent_on(vec![path, star.clone()], 3)?;
    /// assert_eq!((protocol.rounds(), protocol.steps()), (2, 6));
    /// assert_eq!(protocol.round_network(1), Some(&star));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gradient_descent_on(
        networks: Vec<Network>,
        gossip_steps: usize,
    ) -> Result<Self, ProtocolError> {
        let rounds = networks.len();
        Self::new(Schedule::Varying { networks, each: gossip_steps }, rounds, gossip_steps)
    }

    fn new(schedule: Schedule, rounds: usize, gossip_steps: usize) -> Result<Self, ProtocolError> {
        check_steps(rounds, gossip_steps)?;
        if let Schedule::Varying { networks, .. } = &schedule {
            let expected = networks[0].graph().nodes();
            for (index, network) in networks.iter().enumerate() {
                let found = network.graph().nodes();
                if found != expected {
                    return Err(ProtocolError::NodeCount { index, found, expected });
                }
            }
        }
        Ok(Self {
            schedule,
            rounds,
            gossip_steps,
            own: Variances::All(Fraction::ONE),
            fresh: None,
            acceleration: None,
            reaction: None,
            period: 1,
            sampling: None,
            masks: None,
        })
    }

    /// Adds fresh noise of standard deviation `tau sigma` at every step without input.
    ///
    /// # Errors
    ///
    /// Returns [`ProtocolError::Refresh`] unless tau is positive, and an error if its square is too
    /// long.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let plain = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 4)?;
    /// assert_eq!(plain.refreshed("0.1".parse()?)?.uniform()?.tau, Some("1/10".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refreshed(mut self, tau: Fraction) -> Result<Self, ProtocolError> {
        if !tau.is_positive() {
            return Err(ProtocolError::Refresh { tau });
        }
        self.fresh = Some(Variances::All(tau.square()?));
        Ok(self)
    }

    /// Mixes by the Chebyshev recursion `y_{t+1} = g W_t y_t + (1 - g) y_{t-1}` after a first plain
    /// step. In gradient descent the recursion restarts in each round.
    ///
    /// # Errors
    ///
    /// Returns an error unless 1 <= g <= 2, and for randomized gossip.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let plain = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 4)?;
    /// assert_eq!(plain.accelerated("1.25".parse()?)?.acceleration(), Some("5/4".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accelerated(mut self, g: Fraction) -> Result<Self, ProtocolError> {
        let above_one = g.numerator().saturating_sub(g.denominator());
        if above_one < 0 || above_one > g.denominator() {
            return Err(ProtocolError::Acceleration { g });
        }
        if matches!(self.schedule, Schedule::EdgeSequence { .. }) {
            return Err(ProtocolError::AcceleratedRandomized);
        }
        self.acceleration = Some(g);
        Ok(self)
    }

    /// Sets the reaction of gradient descent on quadratic losses `a_w/2 (theta - b_w)^2` with step
    /// size nu: before the inputs of each later round, node w multiplies its state by
    /// `factors[w] = 1 - nu a_w`.
    ///
    /// # Errors
    ///
    /// Returns [`ProtocolError::Reactions`] unless there is one factor per node.
    ///
    /// ```
    /// use muffliato_model::{Fraction, LossModel, Network, Protocol};
    ///
    /// let plain = Protocol::gradient_descent(Network::metropolis("path:3".parse()?)?, 2, 1)?;
    /// let reacting = plain.reacting(vec![Fraction::ONE, Fraction::ZERO, Fraction::ONE])?;
    /// assert_eq!(reacting.loss_model(), LossModel::QuadraticLosses);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reacting(mut self, factors: Vec<Fraction>) -> Result<Self, ProtocolError> {
        let (given, nodes) = (factors.len(), self.nodes());
        if given != nodes {
            return Err(ProtocolError::Reactions { given, nodes });
        }
        self.reaction = Some(factors);
        Ok(self)
    }

    /// Uses the data of a user in every `period`-th round only: in the rounds k, k + period, ... of
    /// its phase k. Users may have different phases; losses are the largest over all assignments of
    /// phases ([`Protocol::participations`]).
    ///
    /// # Errors
    ///
    /// Returns [`ProtocolError::NeverUsed`] if the period is 0.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol, ProtocolError};
    ///
    /// let path = Network::metropolis("path:3".parse()?)?;
    /// let plain = Protocol::gradient_descent(path, 10, 1)?;
    /// let sparse = plain.clone().every(4)?;
    /// assert_eq!((sparse.period(), sparse.phases()), (4, 4));
    /// assert_eq!(sparse.rounds_of_phase(1).collect::<Vec<_>>(), [1, 5, 9]);
    /// assert_eq!(sparse.every(20)?.phases(), 10); // in one round at most, whichever it is
    /// assert_eq!(plain.every(0), Err(ProtocolError::NeverUsed));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn every(mut self, period: usize) -> Result<Self, ProtocolError> {
        if period == 0 {
            return Err(ProtocolError::NeverUsed);
        }
        self.period = period;
        Ok(self)
    }

    /// Uses each record of a node in each round with probability `rate`, by a secret coin of its
    /// own.
    ///
    /// The protected unit is then one record that is added or removed. The gradient of a node is the
    /// sum of the clipped gradients of its sampled records over a fixed number, and noise and masks
    /// are added in every round.
    ///
    /// # Errors
    ///
    /// Returns an error unless 0 < rate <= 1 and all steps use the same network.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let plain = Protocol::gradient_descent(Network::metropolis("path:3".parse()?)?, 10, 1)?;
    /// assert_eq!(plain.sampled("0.1".parse()?)?.sampling(), Some("1/10".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sampled(mut self, rate: Fraction) -> Result<Self, ProtocolError> {
        if !rate.is_positive() || rate.numerator() > rate.denominator() {
            return Err(ProtocolError::SamplingRate { rate });
        }
        if self.fixed_network().is_none() {
            return Err(ProtocolError::SampledChanging);
        }
        self.sampling = Some(rate);
        Ok(self)
    }

    /// Removes the secret sampling: every record is used in every round, which loses no less.
    pub fn without_sampling(mut self) -> Self {
        self.sampling = None;
        self
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        match &self.schedule {
            Schedule::Fixed(network) => network.graph().nodes(),
            Schedule::Varying { networks, .. } => networks[0].graph().nodes(),
            Schedule::EdgeSequence { graph, .. } => graph.nodes(),
        }
    }

    /// Returns the number of gossip steps T in all rounds together.
    pub fn steps(&self) -> usize {
        self.rounds * self.gossip_steps
    }

    /// Returns the number of rounds; 1 for averaging.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the number of gossip steps K of each round; T for averaging.
    pub fn gossip_steps(&self) -> usize {
        self.gossip_steps
    }

    /// Returns the schedule of networks.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the network if all steps use the same one.
    pub fn fixed_network(&self) -> Option<&Network> {
        match &self.schedule {
            Schedule::Fixed(network) => Some(network),
            _ => None,
        }
    }

    /// Returns the network of a round if all its steps use the same one.
    pub fn round_network(&self, round: usize) -> Option<&Network> {
        match &self.schedule {
            Schedule::Fixed(network) => Some(network),
            Schedule::Varying { networks, each } if each.is_multiple_of(self.gossip_steps) => {
                networks.get(round / (each / self.gossip_steps))
            }
            _ => None,
        }
    }

    /// Returns the step at time `t`, or the last one if `t` is beyond the end.
    ///
    /// ```
    /// use muffliato_model::{Protocol, Step, families};
    ///
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1), (1, 2)])?;
    /// assert_eq!(protocol.step(1), Step::EdgeAverage { nodes: 3, edge: (1, 2) });
    /// assert_eq!(protocol.step(9), protocol.step(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&self, t: usize) -> Step<'_> {
        let t = t.min(self.steps() - 1);
        match &self.schedule {
            Schedule::Fixed(network) => Step::Network(network),
            Schedule::Varying { networks, each } => Step::Network(&networks[t / each]),
            Schedule::EdgeSequence { graph, edges } => {
                Step::EdgeAverage { nodes: graph.nodes(), edge: edges[t] }
            }
        }
    }

    /// Returns the graph of all edges that some step may use: the graph itself if it is fixed, the
    /// union of all graphs otherwise. Values travel at most T edges on it.
    ///
    /// # Errors
    ///
    /// Returns an error if the union is too large.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:4".parse()?)?;
    /// let star = Network::metropolis("star:4".parse()?)?;
    /// let union = Protocol::time_varying(vec![path, star])?.graph()?;
    /// assert_eq!(union.edges().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn graph(&self) -> Result<Arc<Graph>, GraphError> {
        match &self.schedule {
            Schedule::Fixed(network) => Ok(network.shared_graph()),
            Schedule::EdgeSequence { graph, .. } => Ok(Arc::clone(graph)),
            Schedule::Varying { networks, .. } => {
                let edges = networks.iter().flat_map(|network| network.graph().edges());
                let graph = Graph::try_new(self.nodes(), edges)?;
                let labels = networks.iter().find_map(|network| network.graph().labels());
                Ok(Arc::new(match labels {
                    Some(labels) => graph.with_labels(labels.to_vec())?,
                    None => graph,
                }))
            }
        }
    }

    /// Returns `true` if inputs enter at time `t`, the beginning of a round.
    pub fn has_input(&self, t: usize) -> bool {
        t.is_multiple_of(self.gossip_steps)
    }

    /// Returns the Chebyshev parameter g, if the protocol is accelerated.
    pub fn acceleration(&self) -> Option<Fraction> {
        self.acceleration
    }

    /// Returns the factors `1 - nu a_w` of the linear reactions, if any.
    pub fn reaction(&self) -> Option<&[Fraction]> {
        self.reaction.as_deref()
    }

    /// Returns `true` if nodes draw noise at time `t`: at inputs, and at all times if the protocol
    /// is refreshed.
    pub fn draws(&self, t: usize) -> bool {
        self.has_input(t) || self.is_refreshed()
    }

    /// Returns the period of participation; 1 if all rounds use the data of a user.
    pub fn period(&self) -> usize {
        self.period
    }

    /// Returns the rate of secret sampling, if records are sampled.
    pub fn sampling(&self) -> Option<Fraction> {
        self.sampling
    }

    /// Returns the number of phases of participation.
    pub fn phases(&self) -> usize {
        self.period.min(self.rounds)
    }

    /// Returns the rounds of a phase in increasing order.
    pub fn rounds_of_phase(&self, phase: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        (phase..self.rounds).step_by(self.period)
    }

    /// Returns the number of messages that reach the observer from outside at times 0..T-1: `T_v`,
    /// or `sum_t |N_t(V)|` for a coalition.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol};
    ///
    /// let path = Network::metropolis("path:4".parse()?)?;
    /// let protocol = Protocol::one_shot(path, 5)?;
    /// assert_eq!(protocol.messages_to(&Observer::full(0))?, 5);
    /// // Nodes 1 and 2 hear 0 and 3; what they tell each other is not counted.
    /// assert_eq!(protocol.messages_to(&Observer::coalition([1, 2])?)?, 10);
    /// assert!(protocol.messages_to(&Observer::full(4)).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn messages_to(&self, observer: &Observer) -> Result<usize, ProtocolError> {
        observer.check(self.nodes())?;
        let at = |t| self.step(t).senders_to(observer.members()).len();
        Ok(match &self.schedule {
            Schedule::Fixed(_) => self.steps().saturating_mul(at(0)),
            _ => (0..self.steps()).map(at).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ProtocolError::*;
    use super::*;
    use crate::families;

    #[test]
    fn invalid_protocols_are_refused() {
        let path = |nodes| Network::metropolis(families::path(nodes).unwrap()).unwrap();
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        let randomized = |edges| Protocol::randomized(families::path(3).unwrap(), edges);
        let plain = || Protocol::one_shot(path(3), 1).unwrap();
        let (rounds, gossip_steps) = (usize::MAX, 2);
        let (index, found, expected) = (1, 4, 3);
        let (zero, below, above) = (Fraction::ZERO, fraction("0.99"), fraction("2.01"));
        for (refused, error) in [
            (Protocol::one_shot(path(3), 0), NoSteps),
            (Protocol::time_varying(vec![]), NoSteps),
            (Protocol::gradient_descent(path(3), 0, 1), NoRounds),
            (Protocol::gradient_descent_on(vec![path(3)], 0), NoSteps),
            (Protocol::gradient_descent_on(vec![], 2), NoRounds),
            (
                Protocol::gradient_descent(path(3), rounds, gossip_steps),
                TooManySteps { rounds, gossip_steps },
            ),
            (Protocol::time_varying(vec![path(3), path(4)]), NodeCount { index, found, expected }),
            (randomized(vec![]), NoSteps),
            (
                randomized(vec![(0, 1)]).and_then(|p| p.accelerated(Fraction::ONE)),
                AcceleratedRandomized,
            ),
            (plain().accelerated(below), Acceleration { g: below }),
            (plain().accelerated(above), Acceleration { g: above }),
            (plain().refreshed(zero), Refresh { tau: zero }),
            (plain().masked(zero), Mask { kappa: zero }),
            (plain().reacting(vec![zero]), Reactions { given: 1, nodes: 3 }),
            (plain().every(0), NeverUsed),
            (plain().sampled(zero), SamplingRate { rate: zero }),
            (plain().sampled(above), SamplingRate { rate: above }),
        ] {
            assert_eq!(refused, Err(error));
        }
        assert!(plain().accelerated(fraction("2")).is_ok());
    }
}
