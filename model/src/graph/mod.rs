//! Validated simple undirected graphs.

pub(crate) mod adjacency;
pub(crate) mod distances;
mod error;
mod names;
mod traversal;

pub use error::GraphError;

use adjacency::{count_neighbours, fill_neighbours, isolate, merge_rows, sort_rows};

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
        self.row(node).iter().map(|&w| w as usize)
    }

    fn row(&self, node: usize) -> &[u32] {
        match self.offsets.get(node..node.saturating_add(2)) {
            Some(&[start, end]) => &self.targets[start..end],
            _ => &[],
        }
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
        self.row(node).len()
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
        u32::try_from(v).is_ok_and(|v| self.row(u).binary_search(&v).is_ok())
    }

    /// Returns each edge once, as (u, v) with u < v, in increasing order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.nodes())
            .flat_map(move |u| self.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v)))
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
