//! What the readers gather before the graph is made.

use super::{Format, Place, ReadError, Reading, SelfLoop};
use crate::Graph;

/// Edges in the order of the file, with repetitions, and the self-loops apart.
#[derive(Default)]
pub(super) struct Gathered {
    edges: Vec<(u32, u32)>,
    self_loops: Vec<(u32, Place)>,
    /// See [`Reading::ignored_columns`].
    pub ignored_columns: Option<usize>,
}

impl Gathered {
    /// Adds an edge, or a self-loop.
    pub fn add(&mut self, u: u32, v: u32, place: Place) {
        if u == v {
            self.self_loops.push((u, place));
        } else {
            self.edges.push((u, v));
        }
    }

    /// The graph on nodes with these labels, which differ. If they are exactly the integers
    /// `0..n`, the nodes take them as their numbers and have no labels.
    pub fn labelled(mut self, format: Format, labels: Vec<String>) -> Result<Reading, ReadError> {
        let Some(numbers) = own_numbers(&labels) else {
            return self.reading(format, labels.len(), Some(labels));
        };
        for (u, v) in &mut self.edges {
            *u = numbers[*u as usize];
            *v = numbers[*v as usize];
        }
        for (node, _) in &mut self.self_loops {
            *node = numbers[*node as usize];
        }
        self.reading(format, labels.len(), None)
    }

    /// The graph on the nodes `0..nodes`, without labels.
    pub fn numbered(self, format: Format, nodes: usize) -> Result<Reading, ReadError> {
        self.reading(format, nodes, None)
    }

    fn reading(
        self,
        format: Format,
        nodes: usize,
        labels: Option<Vec<String>>,
    ) -> Result<Reading, ReadError> {
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
        Ok(Reading {
            format,
            repeated_edges: self.edges.len() - graph.edge_count(),
            self_loops: self_loops.collect(),
            ignored_columns: self.ignored_columns,
            graph,
        })
    }
}

/// The number of the next node after `count` others; `Err` if that is one node too many.
pub(super) fn next_node(count: usize) -> Result<u32, ReadError> {
    Graph::check_size(count as u128 + 1, 0)?;
    Ok(count as u32)
}

/// The integers that the labels write, if they are `0..n` in some order and in decimal form
/// without sign or leading zeros. The labels must differ: n different integers below n are all
/// of them.
fn own_numbers(labels: &[String]) -> Option<Vec<u32>> {
    let number = |label: &String| -> Option<u32> {
        let canonical = label == "0" || !label.starts_with(['0', '+']);
        let number: u32 = label.parse().ok().filter(|_| canonical)?;
        ((number as usize) < labels.len()).then_some(number)
    };
    labels.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exactly_the_integers_below_n_are_numbers() {
        let numbers = |labels: &[&str]| {
            own_numbers(
                &labels
                    .iter()
                    .map(|label| (*label).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(numbers(&["2", "0", "1"]), Some(vec![2, 0, 1]));
        assert_eq!(numbers(&["0"]), Some(vec![0]));
        for labels in [
            ["1", "2"],
            ["0", "2"],
            ["0", "01"],
            ["+0", "1"],
            ["-0", "1"],
            ["0", "a"],
            ["0", "4294967297"],
        ] {
            assert_eq!(numbers(&labels), None, "{labels:?}");
        }
    }

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
