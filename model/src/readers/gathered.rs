//! What the readers gather before the graph is made.

use std::collections::{HashMap, HashSet};

use super::{Format, LineProblem, Note, Place, ReadError, Reading, SelfLoop};
use crate::{Fraction, Graph};

/// A file may declare this many nodes however short it is; beyond, at most one for each byte.
const NODES_OF_A_SHORT_FILE: usize = 1_000_000;

/// How many nodes a file of so many bytes may declare.
pub(super) fn most_nodes(bytes: usize) -> usize {
    bytes.clamp(NODES_OF_A_SHORT_FILE, Graph::MAX_NODES)
}

/// The number of nodes that a file declares; `Err` if it may not have so many.
pub(super) fn declared_nodes(declared: u64, limit: usize) -> Result<usize, LineProblem> {
    let nodes = usize::try_from(declared).ok();
    let nodes = nodes.filter(|&nodes| nodes <= limit);
    nodes.ok_or(LineProblem::TooManyNodes { declared, limit })
}

/// Edges in the order of the file, with repetitions, and the self-loops apart.
#[derive(Default)]
pub(super) struct Gathered {
    edges: Vec<(u32, u32)>,
    self_loops: Vec<(u32, Place)>,
    /// See [`Reading::notes`].
    pub notes: Vec<Note>,
    /// The weight of each edge and self-loop, where weights are wanted.
    weights: Option<Vec<Weight>>,
    /// Whether the file gives both directions of an edge, as a full matrix does.
    pub both_directions: bool,
}

/// A weight of a gossip matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weight {
    pub row: u32,
    pub column: u32,
    pub value: Fraction,
    pub place: Place,
}

/// A graph, and the weights of its edges where they were wanted.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub reading: Reading,
    pub weights: Vec<Weight>,
    /// See [`Gathered::both_directions`].
    pub both_directions: bool,
}

impl Gathered {
    /// For a reader that keeps the weights, too.
    pub fn weighing() -> Self {
        Self {
            weights: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Whether the weights are wanted.
    pub fn wants_weights(&self) -> bool {
        self.weights.is_some()
    }

    /// Adds an edge, or a self-loop; `Err` if weights are wanted and this has none.
    pub fn add(
        &mut self,
        (row, column): (u32, u32),
        place: Place,
        weight: Option<&str>,
    ) -> Result<(), ReadError> {
        if row == column {
            self.self_loops.push((row, place));
        } else {
            self.edges.push((row, column));
        }
        let Some(weights) = &mut self.weights else {
            return Ok(());
        };
        let text = weight.ok_or(ReadError::NoWeight { place })?;
        let value = text.parse().map_err(|problem| ReadError::Weight {
            place,
            text: super::error::excerpt(text),
            problem,
        })?;
        weights.push(Weight {
            row,
            column,
            value,
            place,
        });
        Ok(())
    }

    /// The graph on nodes with these labels, which differ. If they are exactly the integers
    /// `0..n`, the nodes take them as their numbers and have no labels.
    pub fn labelled(mut self, format: Format, labels: Vec<String>) -> Result<Outcome, ReadError> {
        let Some(numbers) = own_numbers(&labels, labels.len(), 0) else {
            return self.reading(format, labels.len(), Some(labels));
        };
        self.renumber(&numbers);
        self.reading(format, labels.len(), None)
    }

    /// The graph on nodes with these ids, called by their names where every node has one of its own.
    pub fn named(
        mut self,
        format: Format,
        ids: Vec<String>,
        names: Vec<Option<String>>,
    ) -> Result<Outcome, ReadError> {
        let mut seen = HashSet::new();
        let given = names.iter().flatten().filter(|name| !name.is_empty());
        let some = given.clone().next().is_some();
        if !ids.is_empty()
            && given.clone().count() == ids.len()
            && given.into_iter().all(|name| seen.insert(name))
        {
            return self.labelled(format, names.into_iter().flatten().collect());
        }
        if some {
            self.notes.push(Note::NamesNotUsed);
        }
        self.labelled(format, ids)
    }

    /// The graph on as many nodes as a file of so many bytes declares; the labels are those of nodes with edges.
    pub fn declared(
        mut self,
        format: Format,
        declared: u64,
        labels: Vec<String>,
        bytes: usize,
    ) -> Result<Outcome, ReadError> {
        let found = labels.len();
        let wrong = ReadError::NodeCount { declared, found };
        let nodes = declared_nodes(declared, most_nodes(bytes)).map_err(|_| wrong.clone())?;
        if nodes == found {
            return self.labelled(format, labels);
        }
        let from = |least| own_numbers(&labels, nodes, least);
        match (from(0), from(1)) {
            (Some(numbers), None) => {
                self.renumber(&numbers);
                self.reading(format, nodes, None)
            }
            (None, Some(numbers)) => {
                self.renumber(&numbers);
                let labels = (1..=nodes).map(|node| node.to_string()).collect();
                self.reading(format, nodes, Some(labels))
            }
            // Neither 0 nor the last number occurs, so that it is not clear which nodes are alone; or labels are no
            // numbers.
            _ => Err(wrong),
        }
    }

    fn renumber(&mut self, numbers: &[u32]) {
        for (u, v) in &mut self.edges {
            *u = numbers[*u as usize];
            *v = numbers[*v as usize];
        }
        for (node, _) in &mut self.self_loops {
            *node = numbers[*node as usize];
        }
        for weight in self.weights.iter_mut().flatten() {
            weight.row = numbers[weight.row as usize];
            weight.column = numbers[weight.column as usize];
        }
    }

    /// The graph on the nodes `0..nodes`, with these labels if there are any.
    pub fn reading(
        self,
        format: Format,
        nodes: usize,
        labels: Option<Vec<String>>,
    ) -> Result<Outcome, ReadError> {
        if nodes == 0 {
            return Err(ReadError::NoNodes);
        }
        let edges = self.edges.iter().map(|&(u, v)| (u as usize, v as usize));
        let mut graph = Graph::try_new(nodes, edges)?;
        if let Some(labels) = labels {
            graph = graph.with_labels(labels)?;
        }
        let self_loops = self.self_loops.iter().map(|&(node, place)| SelfLoop {
            node: node as usize,
            label: graph.label(node as usize),
            place,
        });
        let reading = Reading {
            format,
            repeated_edges: self.edges.len() - graph.edge_count(),
            self_loops: self_loops.collect(),
            notes: self.notes,
            graph,
        };
        Ok(Outcome {
            reading,
            weights: self.weights.unwrap_or_default(),
            both_directions: self.both_directions,
        })
    }
}

/// Nodes in the order in which their labels appear.
#[derive(Default)]
pub(super) struct Nodes {
    pub labels: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Nodes {
    /// The number of the node with this label, which is a new one if the label is.
    pub fn number(&mut self, label: &str) -> Result<u32, ReadError> {
        if let Some(&number) = self.numbers.get(label) {
            return Ok(number);
        }
        let number = next_node(self.labels.len())?;
        self.numbers.insert(label.to_owned(), number);
        self.labels.push(label.to_owned());
        Ok(number)
    }
}

/// The number of the next node after `count` others; `Err` if that is one node too many.
pub(super) fn next_node(count: usize) -> Result<u32, ReadError> {
    Graph::check_size(count as u128 + 1, 0)?;
    Ok(count as u32)
}

/// The integers that the labels write, less `least`, if all are from 0 to `nodes` - 1, in decimal form without sign or
/// leading zeros. Labels differ: n different integers below n are all of them.
fn own_numbers(labels: &[String], nodes: usize, least: u32) -> Option<Vec<u32>> {
    let number = |label: &String| -> Option<u32> {
        let canonical = label == "0" || !label.starts_with(['0', '+']);
        let number: u32 = label.parse().ok().filter(|_| canonical)?;
        let number = number.checked_sub(least)?;
        ((number as usize) < nodes).then_some(number)
    };
    labels.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_node_more_than_a_graph_stores_is_refused() {
        assert_eq!(next_node(0), Ok(0));
        assert!(next_node(Graph::MAX_NODES - 1).is_ok());
        assert!(matches!(
            next_node(Graph::MAX_NODES),
            Err(ReadError::Graph(_))
        ));
    }
}
