//! Records of who dropped out.

use crate::{Node, NodeError, NodeProtocol};
use muffliato_model::Protocol;

/// What really took place in a run: who was missing, which edges ended early, and which masks stand
/// in the sum. `muffliato account --took-place` reads it as JSON.
///
/// ```
/// use muffliato_fast::noise::Grid;
/// use muffliato_model::{Network, Protocol};
/// use muffliato_node::{NodeProtocol, Record, Terms};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:4".parse()?)?, 5)?.masked("3".parse()?)?;
/// let grid = Grid::try_new(2_f64.powi(-20))?;
/// let terms = Terms { sigma: 1.0, sensitivity: 1.0, coordinates: 1, grid, run: [1; 16] };
/// let agreed = NodeProtocol::of(&protocol, terms)?;
/// // Node 2 lost node 3 after three steps; nobody else lost anybody.
/// let record = Record::merged(&agreed, [(0, vec![], 5), (1, vec![], 5), (2, vec![(3, 3)], 5)])?;
/// assert_eq!((record.missing, record.masks), (vec![3], vec![(2, 3)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// Nodes that were absent from the beginning.
    pub absent: Vec<usize>,
    /// Nodes that dropped out: no record came from them.
    pub missing: Vec<usize>,
    /// Edges that ended early, with the number of steps in which they were used, and all edges to
    /// missing nodes.
    pub ended: Vec<((usize, usize), usize)>,
    /// Masks that no longer cancel, or may not: those shared with somebody missing.
    pub masks: Vec<(usize, usize)>,
    /// Number of rounds that took place, if the run [ended](Node::end) early. One that only missing
    /// nodes may have begun counts.
    pub rounds: Option<usize>,
}

impl Record {
    /// Merges what the nodes that finished have [recorded](Node::record).
    ///
    /// # Errors
    /// [`NodeError::Disagree`] if two nodes that both finished lost each other at different steps.
    pub fn merged(
        agreed: &NodeProtocol,
        records: impl IntoIterator<Item = (usize, Vec<(usize, usize)>, usize)>,
    ) -> Result<Self, NodeError> {
        let mut present = vec![false; agreed.protocol.nodes()];
        let (mut lost, mut taken) = (Vec::new(), vec![0; present.len()]);
        for (node, dropped, steps) in records {
            if let Some(present) = present.get_mut(node) {
                (*present, taken[node]) = (true, steps);
            }
            lost.extend(dropped.into_iter().map(|(from, until)| (node, from, until)));
        }
        let is_there = |node: usize| present.get(node).is_some_and(|&present| present);
        for u in (0..present.len()).filter(|&u| present[u]) {
            let gone = agreed.weights.row(u).0.iter().map(|&v| v as usize).filter(|&v| !present[v]);
            let unnoticed = |v: &usize| !lost.iter().any(|(a, b, _)| (*a, *b) == (u, *v));
            let unnoticed: Vec<_> = gone.filter(unnoticed).map(|v| (u, v, taken[u])).collect();
            lost.extend(unnoticed);
        }
        let mut record = Self::default();
        for &(u, v, until) in &lost {
            if is_there(v) && !lost.contains(&(v, u, until)) {
                return Err(NodeError::Disagree { u, v });
            }
            if !is_there(v) || u < v {
                record.ended.push(((u.min(v), u.max(v)), until));
            }
        }
        // An isolated node takes part in nothing.
        let gone = (0..present.len()).filter(|&v| !present[v]);
        (record.absent, record.missing) = gone.partition(|&v| agreed.weights.row(v).0.is_empty());
        let masks = agreed.masks.iter().flat_map(|masks| masks.edges());
        record.masks = masks.filter(|&(u, v)| !present[u] || !present[v]).collect();
        // A missing node may be a step ahead of its neighbours, and in a round that they did not begin.
        let most = taken.into_iter().max().unwrap_or_default() + record.missing.len();
        let rounds = most.div_ceil(agreed.protocol.gossip_steps());
        record.rounds = Some(rounds).filter(|&rounds| rounds < agreed.protocol.rounds());
        Ok(record)
    }

    /// Returns what took place of a protocol that was planned for all nodes, to predict its error and
    /// to account for it with noise on a grid (see [`Protocol::took_place`]).
    ///
    /// # Errors
    /// [`NodeError::Dropout`] if the record is of another graph.
    pub fn protocol(&self, planned: &Protocol) -> Result<Protocol, NodeError> {
        Ok(planned.took_place(&self.absent, &self.missing, &self.ended, self.rounds)?)
    }
}

impl Node {
    /// Returns the number of this node, whom it lost and the number of steps that it took, for
    /// [`Record::merged`].
    pub fn record(&self) -> (usize, Vec<(usize, usize)>, usize) {
        (self.number(), self.dropped().to_vec(), self.step())
    }
}
