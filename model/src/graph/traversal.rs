//! Components, the diameter, and subgraphs.

use super::{Graph, GraphError};

impl Graph {
    /// Returns the connected components as sorted lists of nodes, ordered by their smallest node.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let graph = Graph::try_new(5, [(0, 3), (1, 4)])?;
    /// assert_eq!(graph.components(), [vec![0, 3], vec![1, 4], vec![2]]);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.nodes()];
        let mut components = Vec::new();
        for start in 0..self.nodes() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut component = vec![start];
            let mut next = 0;
            while let Some(&node) = component.get(next) {
                next += 1;
                for neighbour in self.neighbours(node) {
                    if !std::mem::replace(&mut seen[neighbour], true) {
                        component.push(neighbour);
                    }
                }
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }

    /// Returns `true` if there is a path between any two nodes.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// assert!(Graph::try_new(3, [(0, 1), (1, 2)])?.is_connected());
    /// assert!(!Graph::try_new(3, [(0, 1)])?.is_connected());
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn is_connected(&self) -> bool {
        self.distances_from(0).iter().all(Option::is_some)
    }

    /// Returns the largest component (the first of the largest), with the old names as labels.
    /// Returns the graph itself if it is connected.
    ///
    /// # Errors
    ///
    /// Never returns an error for a valid graph.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let giant = Graph::try_new(4, [(1, 2), (2, 3)])?.giant_component()?;
    /// assert_eq!((giant.nodes(), giant.labels().unwrap()), (3, &["1", "2", "3"].map(String::from)[..]));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn giant_component(&self) -> Result<Self, GraphError> {
        let components = self.components();
        if components.len() == 1 {
            return Ok(self.clone());
        }
        let size = components.iter().map(Vec::len).max().unwrap_or(0);
        match components.iter().find(|component| component.len() == size) {
            Some(largest) => self.induced(largest),
            None => Err(GraphError::Empty),
        }
    }

    /// Returns the largest distance between two nodes, or `None` if the graph is not connected.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// assert_eq!(families::hypercube(4)?.diameter(), Some(4));
    /// assert_eq!(families::karate()?.diameter(), Some(5));
    /// assert_eq!("erdos-renyi:3:q=0".parse::<muffliato_model::Graph>()?.diameter(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn diameter(&self) -> Option<usize> {
        (0..self.nodes())
            .map(|source| {
                self.distances_from(source)
                    .into_iter()
                    .max_by_key(|d| d.map_or(usize::MAX, |d| d))?
            })
            .try_fold(0, |largest, distance| Some(largest.max(distance?)))
    }

    /// Returns the subgraph induced by the `kept` nodes, which are different, renumbered in their order.
    /// Labels are the old ones (or the old numbers); positions are kept.
    fn induced(&self, kept: &[usize]) -> Result<Self, GraphError> {
        let mut new_number = vec![usize::MAX; self.nodes()];
        for (number, &node) in kept.iter().enumerate() {
            new_number[node] = number;
        }
        let edges = kept
            .iter()
            .flat_map(|&u| self.neighbours(u).filter(move |&v| u < v).map(move |v| (u, v)));
        let inside =
            edges.map(|(u, v)| (new_number[u], new_number[v])).filter(|&(_, v)| v != usize::MAX);
        let mut graph = Self::try_new(kept.len(), inside)?;
        graph.labels = Some(kept.iter().map(|&v| self.label(v)).collect());
        graph.positions = self.positions().map(|at| kept.iter().map(|&v| at[v]).collect());
        Ok(graph)
    }
}
