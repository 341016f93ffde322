//! Validated simple undirected graphs.

pub(crate) mod adjacency;
mod error;
mod traversal;

pub use error::GraphError;

use adjacency::{
    count_neighbours, fill_distances, fill_neighbours, isolate, merge_rows, sort_rows,
};

/// A simple undirected graph on the nodes `0..n`, without self-loops and repeated edges.
///
/// Neighbours are sorted, in one array for the whole graph. The graph need not be connected.
///
/// ```
/// use muffliato_model::Graph;
///
/// //  0 - 1 - 2
/// //      |
/// //      3
/// let graph = Graph::try_new(4, [(0, 1), (1, 2), (3, 1)])?;
/// assert_eq!(graph.neighbours(1).collect::<Vec<_>>(), [0, 2, 3]);
/// assert_eq!(graph.distances_from(0), [Some(0), Some(1), Some(2), Some(2)]);
/// # Ok::<(), muffliato_model::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// `targets[offsets[v]..offsets[v + 1]]` are the neighbours of v.
    offsets: Vec<usize>,
    targets: Vec<u32>,
    labels: Option<Vec<String>>,
    positions: Option<Vec<[f64; 2]>>,
}

impl Graph {
    /// Largest number of nodes.
    pub const MAX_NODES: usize = 1 << 26;
    /// Largest number of edges.
    pub const MAX_EDGES: usize = 1 << 28;

    /// Creates the graph on `0..nodes` with these edges. Repeated edges, in either direction,
    /// merge.
    ///
    /// # Errors
    ///
    /// Returns an error for a self-loop, a node out of range, an empty or a too large graph.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let graph = Graph::try_new(3, [(2, 0), (0, 2), (0, 1), (0, 2)])?;
    /// assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (0, 2)]);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn try_new(
        nodes: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        if nodes == 0 {
            return Err(GraphError::Empty);
        }
        Self::check_size(nodes as u128, 0)?;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (u, v) in edges {
            if u >= nodes || v >= nodes {
                return Err(GraphError::NodeOutOfRange { u, v, nodes });
            }
            if u == v {
                return Err(GraphError::SelfLoop { node: u });
            }
            if pairs.len() == 2 * Self::MAX_EDGES {
                Self::check_size(nodes as u128, pairs.len() as u128)?;
            }
            pairs.push((u as u32, v as u32));
        }

        let mut offsets = vec![0; nodes + 1];
        count_neighbours(&pairs, &mut offsets);
        let mut targets = vec![0; 2 * pairs.len()];
        fill_neighbours(&pairs, &mut offsets, &mut targets);
        sort_rows(&offsets, &mut targets);
        let kept = merge_rows(&mut offsets, &mut targets);
        targets.truncate(kept);
        targets.shrink_to_fit();
        Self::check_size(nodes as u128, kept as u128 / 2)?;
        Ok(Self { offsets, targets, labels: None, positions: None })
    }

    /// Checks that a graph of this size is not too large. Families call it before they allocate.
    pub(crate) fn check_size(nodes: u128, edges: u128) -> Result<(), GraphError> {
        if nodes > Self::MAX_NODES as u128 || edges > Self::MAX_EDGES as u128 {
            return Err(GraphError::TooLarge { nodes, edges });
        }
        Ok(())
    }

    /// Labels the nodes.
    ///
    /// # Errors
    ///
    /// Returns an error unless there is one label per node and all differ.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let graph = Graph::try_new(2, [(0, 1)])?.with_labels(vec!["ann".into(), "bob".into()])?;
    /// assert_eq!(graph.label(1), "bob");
    /// assert_eq!(graph.node("bob"), Some(1));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn with_labels(mut self, labels: Vec<String>) -> Result<Self, GraphError> {
        self.check_length("labels", labels.len())?;
        let mut seen = std::collections::HashMap::with_capacity(labels.len());
        for (second, label) in labels.iter().enumerate() {
            if let Some(first) = seen.insert(label, second) {
                let label = label.clone();
                return Err(GraphError::RepeatedLabel { label, first, second });
            }
        }
        self.labels = Some(labels);
        Ok(self)
    }

    /// Places the nodes in the plane.
    ///
    /// # Errors
    ///
    /// Returns an error unless there is one position per node.
    pub fn with_positions(mut self, positions: Vec<[f64; 2]>) -> Result<Self, GraphError> {
        self.check_length("positions", positions.len())?;
        self.positions = Some(positions);
        Ok(self)
    }

    fn check_length(&self, what: &'static str, given: usize) -> Result<(), GraphError> {
        let nodes = self.nodes();
        if given == nodes { Ok(()) } else { Err(GraphError::WrongLength { what, given, nodes }) }
    }

    /// Returns the number of nodes, n >= 1.
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of undirected edges.
    pub fn edge_count(&self) -> usize {
        self.targets.len() / 2
    }

    /// Returns the neighbours of `node` in increasing order; none if `node` is out of range.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let star = families::star(4)?;
    /// assert_eq!(star.neighbours(0).collect::<Vec<_>>(), [1, 2, 3]);
    /// assert_eq!(star.neighbours(9).len(), 0);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn neighbours(&self, node: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.neighbour_slice(node).iter().map(|&w| w as usize)
    }

    fn neighbour_slice(&self, node: usize) -> &[u32] {
        if node >= self.nodes() {
            return &[];
        }
        &self.targets[self.offsets[node]..self.offsets[node + 1]]
    }

    /// Returns the adjacency arrays: `targets[offsets[v]..offsets[v + 1]]` are the neighbours of v
    /// in increasing order.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let path = families::path(3)?;
    /// assert_eq!(path.adjacency(), (&[0, 1, 3, 4][..], &[1, 0, 2, 1][..]));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn adjacency(&self) -> (&[usize], &[u32]) {
        (&self.offsets, &self.targets)
    }

    /// Returns the number of neighbours of `node`; 0 if `node` is out of range.
    pub fn degree(&self, node: usize) -> usize {
        self.neighbour_slice(node).len()
    }

    /// Returns the largest degree.
    pub fn max_degree(&self) -> usize {
        (0..self.nodes()).map(|v| self.degree(v)).max().unwrap_or(0)
    }

    /// Returns `true` if u and v are joined by an edge.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let path = families::path(3)?;
    /// assert!(path.has_edge(2, 1) && !path.has_edge(0, 2) && !path.has_edge(0, 9));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn has_edge(&self, u: usize, v: usize) -> bool {
        u32::try_from(v).is_ok_and(|v| self.neighbour_slice(u).binary_search(&v).is_ok())
    }

    /// Returns each edge once, as (u, v) with u < v, in increasing order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.nodes())
            .flat_map(move |u| self.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v)))
    }

    /// Returns the labels, if the nodes have any.
    pub fn labels(&self) -> Option<&[String]> {
        self.labels.as_deref()
    }

    /// Returns the label of `node`, or its number without labels.
    pub fn label(&self, node: usize) -> String {
        match self.labels().and_then(|labels| labels.get(node)) {
            Some(label) => label.clone(),
            None => node.to_string(),
        }
    }

    /// Returns the node with this label, or with this number if there are no labels.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let marriages = families::florentine()?;
    /// assert_eq!(marriages.label(marriages.node("Medici").unwrap()), "Medici");
    /// assert_eq!(families::path(3)?.node("2"), Some(2));
    /// assert_eq!(families::path(3)?.node("+2"), None);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn node(&self, name: &str) -> Option<usize> {
        match self.labels() {
            Some(labels) => labels.iter().position(|label| label == name),
            None => name
                .parse()
                .ok()
                .filter(|&node: &usize| node < self.nodes() && node.to_string() == name),
        }
    }

    /// Returns the positions of the nodes in the plane, if any.
    pub fn positions(&self) -> Option<&[[f64; 2]]> {
        self.positions.as_deref()
    }

    /// Removes all edges of the nodes for which `away` is `true`, as in one step of a protocol with
    /// dropout.
    ///
    /// # Errors
    ///
    /// Returns an error unless `away` has one entry per node.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let ring = families::ring(4)?;
    /// let without = ring.isolating(&[true, false, false, false])?;
    /// assert_eq!(without.edges().collect::<Vec<_>>(), [(1, 2), (2, 3)]);
    /// assert!(ring.isolating(&[true]).is_err());
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn isolating(&self, away: &[bool]) -> Result<Self, GraphError> {
        self.check_length("availabilities", away.len())?;
        let mut graph = self.clone();
        let kept = isolate(&mut graph.offsets, &mut graph.targets, away);
        graph.targets.truncate(kept);
        graph.targets.shrink_to_fit();
        Ok(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_place() {
        assert_eq!(Graph::try_new(0, []), Err(GraphError::Empty));
        let labels = ["a", "b", "a"].map(String::from).to_vec();
        let error = Graph::try_new(3, []).unwrap().with_labels(labels);
        assert!(error.unwrap_err().to_string().contains("0 and 2"));
        assert!(matches!(
            Graph::try_new(Graph::MAX_NODES + 1, []),
            Err(GraphError::TooLarge { .. })
        ));
    }
}
