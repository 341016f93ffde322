//! The builder of the graph that a file describes: nodes, edges and weights in the order of the file.

use std::collections::{BTreeSet, HashMap, HashSet};

use muffliato_model::{Fraction, Graph};

use crate::error::excerpt;
use crate::{ErrorKind, Format, Place, ReadError, Reading, SelfLoop};

/// Number of nodes that a file may declare however short it is; beyond, at most one for each byte.
const NODES_OF_A_SHORT_FILE: usize = 1_000_000;
/// Number of names of attributes that a note lists.
const NAMES_IN_A_NOTE: usize = 8;

/// Returns the number of nodes that a file of `bytes` bytes may declare.
pub(crate) fn most_nodes(bytes: usize) -> usize {
    bytes.clamp(NODES_OF_A_SHORT_FILE, Graph::MAX_NODES)
}

/// Checks the number of nodes that a file declares in a line.
pub(crate) fn declared_nodes(line: usize, declared: u64, limit: usize) -> Result<usize, ReadError> {
    let nodes = usize::try_from(declared).ok();
    nodes.filter(|&nodes| nodes <= limit).ok_or_else(|| {
        let problem =
            format!("{declared} nodes are declared, and a file of this size may have {limit}");
        ReadError::line(line, problem, "remove the nodes without edges")
            .of_kind(ErrorKind::TooLarge)
    })
}

/// A weight of a gossip matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weight {
    pub row: u32,
    pub column: u32,
    pub value: Fraction,
    pub place: Place,
}

/// A graph, and the weights of its edges where they were wanted.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub reading: Reading,
    pub weights: Vec<Weight>,
    /// See [`GraphBuilder::both_directions`].
    pub both_directions: bool,
}

/// A graph in the making.
#[derive(Default)]
pub(crate) struct GraphBuilder {
    edges: Vec<(u32, u32)>,
    self_loops: Vec<(u32, Place)>,
    /// See [`Reading::notes`].
    pub notes: Vec<String>,
    /// The weights of edges and self-loops, where they are wanted.
    weights: Option<Vec<Weight>>,
    /// `true` if the file gives both directions of an edge, as a full matrix does.
    pub both_directions: bool,
    labels: Vec<String>,
    numbers: HashMap<String, u32>,
    names: HashMap<u32, String>,
    /// Nodes that edges name and that are not declared yet, with the line of the first edge.
    awaited: HashMap<u32, usize>,
    node_attributes: BTreeSet<String>,
    edge_attributes: BTreeSet<String>,
}

impl GraphBuilder {
    /// Returns a builder that keeps weights.
    pub fn weighing() -> Self {
        Self { weights: Some(Vec::new()), ..Self::default() }
    }

    /// Returns `true` if weights are kept.
    pub fn wants_weights(&self) -> bool {
        self.weights.is_some()
    }

    /// Returns the number of the node with a label, which is a new one if the label is.
    pub fn node(&mut self, label: &str) -> Result<u32, ReadError> {
        if let Some(&number) = self.numbers.get(label) {
            return Ok(number);
        }
        let number = next_node(self.labels.len())?;
        self.numbers.insert(label.to_owned(), number);
        self.labels.push(label.to_owned());
        Ok(number)
    }

    /// Declares a node of a format in which nodes have ids.
    pub fn declare(&mut self, id: &str, line: usize) -> Result<u32, ReadError> {
        let known = self.labels.len();
        let node = self.node(id)?;
        if (node as usize) < known && self.awaited.remove(&node).is_none() {
            let problem = format!("the node {:?} is declared again", excerpt(id));
            return Err(ReadError::line(line, problem, "give each node an id of its own"));
        }
        Ok(node)
    }

    /// Names a node, unless it has a name.
    pub fn name(&mut self, node: u32, name: String) {
        self.names.entry(node).or_insert(name);
    }

    /// Adds an edge between the nodes with two ids, which may be declared later.
    pub fn edge(
        &mut self,
        ends: [&str; 2],
        line: usize,
        weight: Option<&str>,
    ) -> Result<(), ReadError> {
        let mut numbers = [0; 2];
        for (number, id) in numbers.iter_mut().zip(ends) {
            let known = self.labels.len();
            *number = self.node(id)?;
            if *number as usize == known {
                self.awaited.insert(*number, line);
            }
        }
        if weight.is_some() && !self.wants_weights() {
            self.attribute("edge", "weight");
        }
        self.add(numbers.into(), Place::Line(line), weight)
    }

    /// Notes an attribute of a `node` or an `edge` that is left out.
    pub fn attribute(&mut self, element: &str, name: &str) {
        let names = match element {
            "node" => &mut self.node_attributes,
            _ => &mut self.edge_attributes,
        };
        if names.len() < NAMES_IN_A_NOTE && !names.contains(name) {
            names.insert(excerpt(name));
        }
    }

    /// Adds an edge or a self-loop between numbered nodes; an error if weights are wanted and it has none.
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
        let missing = || {
            let problem = format!("{place} has no weight");
            ReadError::new(ErrorKind::Weights, problem, "give every edge one")
        };
        let text = weight.ok_or_else(missing)?;
        let value = text.parse::<Fraction>().map_err(|error| {
            let problem = format!("the weight {:?}: {error}", excerpt(text));
            ReadError::new(ErrorKind::Weights, problem, "").at(place)
        })?;
        weights.push(Weight { row, column, value, place });
        Ok(())
    }

    /// Builds the graph on the labelled nodes. If the labels are exactly the integers `0..n`, the nodes take them as
    /// their numbers and have no labels.
    pub fn labelled(mut self, format: Format) -> Result<Outcome, ReadError> {
        let labels = std::mem::take(&mut self.labels);
        let nodes = labels.len();
        match own_numbers(&labels, nodes, 0) {
            Some(numbers) => self.renumbered(&numbers).counted(format, nodes, None),
            None => self.counted(format, nodes, Some(labels)),
        }
    }

    /// Builds the graph on the declared nodes, called by their names where every node has one of its own.
    pub fn declared(mut self, format: Format) -> Result<Outcome, ReadError> {
        if let Some((&node, &line)) = self.awaited.iter().min_by_key(|(_, line)| **line) {
            let id = excerpt(&self.labels[node as usize]);
            let problem = format!("an edge names {id:?}, which is no node");
            return Err(ReadError::line(line, problem, "declare it"));
        }
        for (of, names) in [("nodes", &self.node_attributes), ("edges", &self.edge_attributes)] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                let note = format!("attributes of {of} were left out: {}", names.join(", "));
                self.notes.push(note);
            }
        }
        self.names.retain(|_, name| !name.is_empty());
        let different: HashSet<&String> = self.names.values().collect();
        if !self.labels.is_empty() && different.len() == self.labels.len() {
            let nodes = 0..self.labels.len() as u32;
            self.labels = nodes.filter_map(|node| self.names.remove(&node)).collect();
        } else if !self.names.is_empty() {
            let note = "nodes are called by their ids: their names repeat or are not all there";
            self.notes.push(note.to_owned());
        }
        self.labelled(format)
    }

    /// Builds the graph on as many nodes as a file of `bytes` bytes declares, where labels are those of nodes with
    /// edges.
    pub fn declaring(
        mut self,
        format: Format,
        declared: u64,
        bytes: usize,
    ) -> Result<Outcome, ReadError> {
        let found = self.labels.len();
        let wrong = || {
            let problem = format!("{declared} nodes are declared, and the edges name {found}");
            let remedy = "number the nodes from 0 or from 1, or correct the first line";
            ReadError::new(ErrorKind::Content, problem, remedy)
        };
        let nodes = declared_nodes(1, declared, most_nodes(bytes)).map_err(|_| wrong())?;
        if nodes == found {
            return self.labelled(format);
        }
        let labels = std::mem::take(&mut self.labels);
        let from = |least| own_numbers(&labels, nodes, least);
        match (from(0), from(1)) {
            (Some(numbers), None) => self.renumbered(&numbers).counted(format, nodes, None),
            (None, Some(numbers)) => {
                let labels = (1..=nodes).map(|node| node.to_string()).collect();
                self.renumbered(&numbers).counted(format, nodes, Some(labels))
            }
            // Neither 0 nor the last number occurs, so that it is not clear which nodes are alone; or labels are no
            // numbers.
            _ => Err(wrong()),
        }
    }

    fn renumbered(mut self, numbers: &[u32]) -> Self {
        let new = |node: &mut u32| *node = numbers[*node as usize];
        self.edges.iter_mut().for_each(|(u, v)| {
            new(u);
            new(v);
        });
        self.self_loops.iter_mut().for_each(|(node, _)| new(node));
        for weight in self.weights.iter_mut().flatten() {
            new(&mut weight.row);
            new(&mut weight.column);
        }
        self
    }

    /// Builds the graph on the nodes `0..nodes`, with labels if there are any.
    pub fn counted(
        self,
        format: Format,
        nodes: usize,
        labels: Option<Vec<String>>,
    ) -> Result<Outcome, ReadError> {
        if nodes == 0 {
            return Err(ReadError::no_nodes());
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

/// Returns the number of the next node after `count` others; an error if that is one node too many.
pub(crate) fn next_node(count: usize) -> Result<u32, ReadError> {
    if count >= Graph::MAX_NODES {
        let problem = format!("there are more than {} nodes", Graph::MAX_NODES);
        return Err(ReadError::new(ErrorKind::TooLarge, problem, "give a smaller graph"));
    }
    Ok(count as u32)
}

/// Returns the integers that the labels write, less `least`, if all are from 0 to `nodes` - 1, in decimal form without
/// sign or leading zeros. Labels differ: n different integers below n are all of them.
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
        assert!(next_node(Graph::MAX_NODES).is_err());
    }
}
