//! Schedules of runs in which nodes are missing or drop out.
//!
//! A node that loses a neighbour puts the weight of the lost edge on itself. Both ends do so, so
//! the gossip matrix stays symmetric and its rows still sum to 1, and no other node has to know.

use crate::{
    CustomWeights, Fraction, Graph, GraphError, Network, Protocol, ProtocolError, Schedule,
    WeightError, WeightScheme, check_steps, weights::stochastic::entry_place,
};

/// The reason why a run without some nodes or edges cannot be described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum DropoutError {
    /// The protocol has no fixed network.
    #[error("the network changes from step to step; drop-out is recorded for a fixed network")]
    NotFixed,
    /// There is no such node.
    #[error("node {node} is missing, but there are {nodes} nodes, numbered from 0")]
    NoSuchNode { node: usize, nodes: usize },
    /// An edge that ended is not in the graph.
    #[error("the edge {u}-{v} ended, but the graph does not have it")]
    NoSuchEdge { u: usize, v: usize },
    /// An edge ended twice.
    #[error("the edge {u}-{v} ended twice; give the step at which it was last used, once")]
    Twice { u: usize, v: usize },
    /// A missing node has an edge without an end.
    #[error(
        "node {node} is missing, but its edge to {other}, who is there, has no end; give the number of steps in which it was used"
    )]
    NoEnd { node: usize, other: usize },
    /// More rounds took place than were planned.
    #[error("{rounds} rounds took place, but {planned} were planned")]
    TooManyRounds { rounds: usize, planned: usize },
    /// The weights have no common denominator.
    #[error(transparent)]
    Weights(#[from] WeightError),
    /// The graph without the edges is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The protocol without the edges is invalid.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
}

impl Protocol {
    /// Returns the protocol of those present: `missing` nodes take part in nothing, and keep their
    /// numbers. Their edges and masks are gone; their weights go to the other ends.
    ///
    /// Noise that a missing node would have drawn hides nobody, so losses can be larger. Call it
    /// **before** inputs enter, and account for the result.
    ///
    /// # Errors
    ///
    /// Returns an error for a network that changes and for a node that does not exist.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:4".parse()?)?;
    /// let present = Protocol::one_shot(path, 5)?.masked("3".parse()?)?.without_nodes(&[3])?;
    /// assert_eq!(present.graph()?.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    /// assert_eq!(present.mask_graph(0)?.unwrap().edge_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_nodes(&self, missing: &[usize]) -> Result<Self, DropoutError> {
        let network = self.fixed_network().ok_or(DropoutError::NotFixed)?;
        let nodes = self.nodes();
        if let Some(&node) = missing.iter().find(|&&node| node >= nodes) {
            return Err(DropoutError::NoSuchNode { node, nodes });
        }
        if missing.is_empty() {
            return Ok(self.clone());
        }
        let is_gone = |u: usize, v: usize| missing.contains(&u) || missing.contains(&v);
        let present = lessened(network, |u, v| if is_gone(u, v) { Edge::Gone } else { Edge::Used });
        Ok(Self { schedule: Schedule::Fixed(present?), ..self.clone() })
    }

    /// Returns the schedule that took place if each edge of `ends` was used in the steps before the
    /// given one only.
    ///
    /// Until the end of that round the edge stays in the graph, with weight 0: its ends do not
    /// mix what they send each other, but messages were on their way when they lost each other, and
    /// masks are shared by both.
    ///
    /// # Errors
    ///
    /// Returns an error for a network that changes, and for an edge that does not exist or is given
    /// twice.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let path = Network::metropolis("path:3".parse()?)?;
    /// let took_place = Protocol::gradient_descent(path, 2, 5)?.interrupted(&[((1, 2), 3)])?;
    /// assert_eq!(took_place.step(4).senders_to(&[1]), [0, 2]);
    /// assert_eq!(took_place.step(5).senders_to(&[1]), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn interrupted(&self, ends: &[((usize, usize), usize)]) -> Result<Self, DropoutError> {
        self.ended(ends, &[])
    }

    /// Returns the schedule of [`Protocol::interrupted`]. A missing node may have been a step ahead.
    fn ended(
        &self,
        ends: &[((usize, usize), usize)],
        missing: &[usize],
    ) -> Result<Self, DropoutError> {
        let network = self.fixed_network().ok_or(DropoutError::NotFixed)?;
        let ordered = |(u, v): (usize, usize)| (u.min(v), u.max(v));
        for (place, &((u, v), _)) in ends.iter().enumerate() {
            if !network.graph().has_edge(u, v) {
                return Err(DropoutError::NoSuchEdge { u, v });
            }
            if ends[..place].iter().any(|(edge, _)| ordered(*edge) == ordered((u, v))) {
                return Err(DropoutError::Twice { u, v });
            }
        }
        if ends.iter().all(|&(_, end)| end >= self.steps()) {
            return Ok(self.clone());
        }
        let last_heard = |(u, v): (usize, usize), end: usize| {
            let ahead = usize::from(missing.contains(&u) || missing.contains(&v));
            ((end.min(self.steps()) + ahead) / self.gossip_steps() + 1) * self.gossip_steps() - 1
        };
        let mut networks: Vec<Network> = Vec::with_capacity(self.steps());
        for t in 0..self.steps() {
            let changes = |end: usize| end == t || self.has_input(t) && end < t;
            let network = match networks.last() {
                Some(last) if !ends.iter().any(|&(_, end)| changes(end)) => last.clone(),
                _ => lessened(network, |u, v| {
                    match ends.iter().find(|(edge, _)| ordered(*edge) == ordered((u, v))) {
                        Some(&(edge, end)) if t > last_heard(edge, end) => Edge::Gone,
                        Some(&(_, end)) if end <= t => Edge::Heard,
                        _ => Edge::Used,
                    }
                })?,
            };
            networks.push(network);
        }
        Ok(Self { schedule: Schedule::Varying { networks, each: 1 }, ..self.clone() })
    }
}

impl Protocol {
    /// Returns what took place of a run: `absent` nodes took part in nothing, `missing` ones dropped
    /// out, and each edge of `ends` was used in the steps before the given one only. Every edge
    /// between a missing node and one that is there has an end, even if it was used in all steps.
    /// If given, only the first `rounds` took place.
    ///
    /// What a missing node used itself is not known: it may have mixed a message whose sender no
    /// longer heard it. Bounds that hold for whatever is computed from masked states, such as those
    /// of noise on a grid, hold all the same; others need records of both ends of each edge.
    ///
    /// # Errors
    ///
    /// Returns an error for an edge without an end, more rounds than planned, and those of
    /// [`Protocol::without_nodes`] and [`Protocol::interrupted`].
    ///
    /// ```
    /// use muffliato_model::{DropoutError, Network, Protocol};
    ///
    /// let planned = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 5)?;
    /// assert_eq!(planned.took_place(&[], &[2], &[], None), Err(DropoutError::NoEnd { node: 2, other: 1 }));
    /// assert_eq!(planned.took_place(&[], &[2], &[((1, 2), 5)], None)?, planned);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn took_place(
        &self,
        absent: &[usize],
        missing: &[usize],
        ends: &[((usize, usize), usize)],
        rounds: Option<usize>,
    ) -> Result<Self, DropoutError> {
        let planned = self.rounds();
        if let Some(rounds) = rounds.filter(|&rounds| rounds > planned) {
            return Err(DropoutError::TooManyRounds { rounds, planned });
        }
        let mut present = self.without_nodes(absent)?;
        let network = present.fixed_network().ok_or(DropoutError::NotFixed)?;
        for &node in missing {
            if node >= self.nodes() {
                return Err(DropoutError::NoSuchNode { node, nodes: self.nodes() });
            }
            let has_end = |other: &usize| {
                ends.iter().any(|(edge, _)| *edge == (node, *other) || *edge == (*other, node))
            };
            let mut others = network.graph().neighbours(node).filter(|w| !missing.contains(w));
            if let Some(other) = others.find(|other| !has_end(other)) {
                return Err(DropoutError::NoEnd { node, other });
            }
        }
        if let Some(rounds) = rounds {
            check_steps(rounds, self.gossip_steps())?;
            present.rounds = rounds;
        }
        present.ended(ends, missing)
    }
}

/// What is left of an edge.
#[derive(PartialEq)]
enum Edge {
    Used,
    /// Its ends hear each other, and do not mix what they hear.
    Heard,
    Gone,
}

/// Returns the network with what is `left` of its edges; the weight of one that is not used goes to
/// both its ends.
fn lessened(
    network: &Network,
    left: impl Fn(usize, usize) -> Edge,
) -> Result<Network, DropoutError> {
    let graph = network.graph();
    let mut denominator = 1_i128;
    for (u, v) in graph.edges() {
        let (_, own) = edge_weight(graph, network.weights(), u, v)?;
        // The least common multiple: their quotient in lowest terms has the missing factor.
        let ratio = Fraction::try_new(own, denominator).map_err(|_| WeightError::TooLong)?;
        denominator = denominator.checked_mul(ratio.numerator()).ok_or(WeightError::TooLong)?;
    }
    let mut entries = Vec::new();
    for v in 0..graph.nodes() {
        let mut rest = denominator;
        for w in graph.neighbours(v).filter(|&w| left(v, w) == Edge::Used) {
            let (numerator, own) = edge_weight(graph, network.weights(), v, w)?;
            let numerator = numerator * (denominator / own);
            entries.push((v, w, numerator));
            rest -= numerator;
        }
        entries.push((v, v, rest));
    }
    let edges = graph.edges().filter(|&(u, v)| left(u, v) != Edge::Gone);
    let mut lessened = Graph::try_new(graph.nodes(), edges)?;
    if let Some(labels) = graph.labels() {
        lessened = lessened.with_labels(labels.to_vec())?;
    }
    let weights = CustomWeights::try_new(&lessened, denominator, entries)?;
    Ok(Network::try_new(lessened, WeightScheme::Custom(weights))?)
}

/// Returns numerator and denominator of the weight of an edge.
fn edge_weight(
    graph: &Graph,
    scheme: &WeightScheme,
    u: usize,
    v: usize,
) -> Result<(i128, i128), WeightError> {
    let degree = graph.degree(u).max(graph.degree(v)) as i128;
    match scheme {
        WeightScheme::Metropolis => Ok((1, degree + 1)),
        WeightScheme::MaxDegreeInverse => Ok((1, degree)),
        WeightScheme::Lazy(inner) => {
            let (numerator, denominator) = edge_weight(graph, inner, u, v)?;
            Ok((numerator, denominator.checked_mul(2).ok_or(WeightError::TooLong)?))
        }
        WeightScheme::Custom(custom) => {
            let (offsets, targets) = graph.adjacency();
            let place = entry_place(offsets, targets, u, v);
            let numerator = place.map_or(0, |place| custom.off_diagonal()[place]);
            Ok((numerator, custom.denominator()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observer, Step};

    fn one_shot(spec: &str, scheme: WeightScheme, steps: usize) -> Protocol {
        let network = Network::try_new(spec.parse::<Graph>().unwrap(), scheme).unwrap();
        Protocol::one_shot(network, steps).unwrap()
    }

    #[test]
    fn weights_of_lost_edges_go_to_their_ends() {
        for (scheme, denominator, diagonal) in [
            (WeightScheme::Metropolis, 3, [3, 2, 1, 2]),
            (WeightScheme::MaxDegreeInverse, 2, [2, 1, 0, 1]),
            (WeightScheme::Lazy(Box::new(WeightScheme::Metropolis)), 6, [6, 5, 4, 5]),
        ] {
            let present = one_shot("path:4", scheme, 2).without_nodes(&[0]).unwrap();
            let network = present.fixed_network().unwrap();
            let WeightScheme::Custom(weights) = network.weights() else { panic!("custom") };
            assert_eq!((weights.denominator(), weights.diagonal()), (denominator, &diagonal[..]));
            // Once more, from custom weights.
            let fewer = present.without_nodes(&[3]).unwrap();
            assert_eq!(fewer.graph().unwrap().edges().collect::<Vec<_>>(), [(1, 2)]);
        }
    }

    #[test]
    fn edges_end_at_their_steps() {
        let network = Network::metropolis("ring:4".parse::<Graph>().unwrap()).unwrap();
        let protocol = Protocol::gradient_descent(network, 2, 2).unwrap();
        let took_place = protocol.interrupted(&[((1, 0), 1), ((0, 3), 0)]).unwrap();
        let senders = [0, 1, 2, 3].map(|t| took_place.step(t).senders_to(&[0]));
        assert_eq!(senders, [vec![1, 3], vec![1, 3], vec![], vec![]]);
        let own = [0, 1, 2, 3].map(|t| {
            let Step::Network(network) = took_place.step(t) else { panic!("a network") };
            let WeightScheme::Custom(weights) = network.weights() else { panic!("custom") };
            (weights.diagonal()[0], weights.off_diagonal().iter().filter(|w| **w == 0).count())
        });
        assert_eq!(own, [(2, 2), (3, 4), (3, 0), (3, 0)]);
        assert_eq!(protocol.interrupted(&[((0, 1), 4)]).unwrap(), protocol);
    }

    /// Node 1 sent its first message to 0 and heard nothing: 0 knows it all the same.
    #[test]
    fn messages_that_were_on_their_way_are_heard() {
        let protocol = one_shot("path:3", WeightScheme::Metropolis, 2);
        let took_place = protocol.took_place(&[], &[0], &[((0, 1), 0)], None).unwrap();
        assert_eq!(took_place.messages_to(&Observer::full(0)).unwrap(), 2);
    }

    /// The last that was heard of node 0 is from the end of a round; it may have begun the next.
    #[test]
    fn a_missing_node_may_have_been_a_step_ahead() {
        let network = Network::metropolis("path:3".parse().unwrap()).unwrap();
        let protocol = Protocol::gradient_descent(network, 2, 2).unwrap();
        let senders = |missing: &[usize]| {
            let took_place = protocol.took_place(&[], missing, &[((0, 1), 1)], None).unwrap();
            took_place.step(2).senders_to(&[1])
        };
        assert_eq!(senders(&[0]), [0, 2]);
        assert_eq!(senders(&[]), [2]);
    }

    #[test]
    fn impossible_records_are_refused() {
        let protocol = one_shot("path:3", WeightScheme::Metropolis, 4);
        let no_edge = DropoutError::NoSuchEdge { u: 0, v: 2 };
        assert_eq!(protocol.interrupted(&[((0, 2), 1)]), Err(no_edge));
        let twice = DropoutError::Twice { u: 1, v: 0 };
        assert_eq!(protocol.interrupted(&[((0, 1), 1), ((1, 0), 2)]), Err(twice));
        let no_node = DropoutError::NoSuchNode { node: 3, nodes: 3 };
        assert_eq!(protocol.without_nodes(&[3]), Err(no_node));
        let moving = protocol.interrupted(&[((0, 1), 1)]).unwrap();
        assert_eq!(moving.without_nodes(&[0]), Err(DropoutError::NotFixed));
        assert_eq!(moving.interrupted(&[]), Err(DropoutError::NotFixed));
    }
}
