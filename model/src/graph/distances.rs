//! Distances, by breadth-first search.

use super::Graph;

/// Runs a breadth-first search from the nodes `queue[..queued]` and sets `distance` of every node
/// reached; the others become `None`. Returns the number of nodes reached, which `queue` then lists
/// by distance.
///
/// `distance` and `queue` have one entry per node, and `queue[..queued]` are distinct nodes.
pub fn fill_distances(
    offsets: &[usize],
    targets: &[u32],
    queue: &mut [u32],
    queued: usize,
    distance: &mut [Option<usize>],
) -> usize {
    distance.fill(None);
    for &source in &queue[..queued] {
        distance[source as usize] = Some(0);
    }
    let (mut next, mut reached) = (0, queued);
    while next < reached {
        let node = queue[next] as usize;
        let further = distance[node].map(|so_far| so_far + 1);
        next += 1;
        for &neighbour in &targets[offsets[node]..offsets[node + 1]] {
            let place = &mut distance[neighbour as usize];
            if place.is_none() {
                *place = further;
                queue[reached] = neighbour;
                reached += 1;
            }
        }
    }
    reached
}

impl Graph {
    /// Returns the length of a shortest path from `source` to each node, or `None` without a path.
    /// All are `None` if `source` is out of range.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// let graph = Graph::try_new(4, [(0, 1), (1, 2)])?;
    /// assert_eq!(graph.distances_from(0), [Some(0), Some(1), Some(2), None]);
    /// assert_eq!(graph.distances_from(99), [None; 4]);
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn distances_from(&self, source: usize) -> Vec<Option<usize>> {
        self.distances_from_any(&[source])
    }

    /// Returns the distance from the nearest of `sources` to each node.
    ///
    /// ```
    /// use muffliato_model::families;
    ///
    /// let path = families::path(5)?;
    /// assert_eq!(path.distances_from_any(&[0, 4]), [0, 1, 2, 1, 0].map(Some));
    /// # Ok::<(), muffliato_model::GraphError>(())
    /// ```
    pub fn distances_from_any(&self, sources: &[usize]) -> Vec<Option<usize>> {
        let nodes = self.nodes();
        let mut queue = vec![0; nodes];
        let mut queued = 0;
        let mut listed = vec![false; nodes];
        for &source in sources.iter().filter(|&&source| source < nodes) {
            if !std::mem::replace(&mut listed[source], true) {
                queue[queued] = source as u32;
                queued += 1;
            }
        }
        let mut distance = vec![None; nodes];
        let (offsets, targets) = self.adjacency();
        fill_distances(offsets, targets, &mut queue, queued, &mut distance);
        distance
    }
}
