//! Bounds for every coalition of a given size at once, on graphs of any size.
//!
//! Removing edges only raises the bound, and every flow bounds it (Thomson's principle). For each
//! source u and any colluding nodes V:
//!
//! - **A ball.** Keep of H a breadth-first tree around u. The smallest conductance of a tree after
//!   removing C members is computed from the leaves up: removing a child is worth more than
//!   anything below it, so below a node whose children may collude the C best conductors are lost,
//!   and above the distance from which nodes may collude the C are distributed over the children.
//! - **Spanning trees**. Losses fall in every variance, so let s and kappa be the least of all. Keep K breadth-first trees of all
//!   of H with different roots. In tree k let u send its input up to the root, and from there equal amounts to all remaining nodes:
//!
//! ```text
//! energy <= s^-2/n' + kappa^-2 ( depth_k(u) + D_k (n/n')^2 ),      D_k = sum over edges of (subtree/n)^2,   n' = n less the subtrees of V
//! ```
//!
//! (on the way up at most 1 flows along an edge, elsewhere what its subtree takes). It holds in
//! tree k if no member is above u and no member has a large subtree there; then `n' >= n - C s`.
//! Count in how many trees each node is an obstacle: if the C worst nodes leave one of K trees, the
//! bound holds for every coalition. In an expander trees are shallow and parents differ, and the
//! bound tends to 1/n, the loss to a trusted aggregator.

use super::{Circuit, MaskedBounds, local::Ball};
use crate::{FastError, Progress, arithmetic::enlarged, checks, threads};
use muffliato_model::Graph;
use std::ops::Range;

/// Maximum number of spanning trees.
const MOST_TREES: usize = 64;

/// Subtrees of at most `n / (SHARE C)` nodes are small.
const SHARE: usize = 50;

impl MaskedBounds<'_> {
    /// Bounds the loss of every source to **any** coalition of at most `size` nodes, each at
    /// distance `from` or more from it on the mask graph, by trees of this radius around every
    /// source and by spanning trees. `from = 1` covers all coalitions.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the mask graph changes from round to round.
    pub fn any_coalition(&self, size: usize, from: usize, radius: usize) -> Result<f64, FastError> {
        let (circuit, times) =
            self.only_circuit("the bound for all coalitions of a masked protocol")?;
        let expected = "it must be at least 1";
        let positive = |what, value: usize| checks::require(value >= 1, what, value, expected);
        positive("the size of coalitions", size)?;
        positive("the distance of coalitions", from)?;
        positive("the radius", radius)?;
        let trees = SpanningTrees::of(circuit, size, self.watcher.0)?;
        let roundings = (radius + 1) * (circuit.graph.max_degree() + 16) * 2;
        let batch = |sources: Range<usize>| {
            let mut ball = Ball::new(circuit, radius);
            let mut largest = 0.0_f64;
            for u in sources {
                let near = enlarged(1.0 / ball.least_conductance(u, size, from), roundings);
                let mut upper = near.min(circuit.local_loss(u));
                // Spanning trees are used only if the ball around u is not enough.
                if near > largest {
                    upper = upper.min(trees.upper(u, size, from));
                }
                largest = largest.max(upper);
            }
            largest
        };
        let mut largest = 0.0_f64;
        self.in_batches(batch, |found| largest = largest.max(found))?;
        Ok(if largest == 1.0 { times as f64 } else { (largest * times as f64).next_up() })
    }
}

impl Ball<'_> {
    /// Returns the smallest conductance of the tree around u after removing any `size` of its nodes
    /// at depth `from` or more, except u.
    fn least_conductance(&mut self, u: usize, size: usize, from: usize) -> f64 {
        self.grow(u, &[]);
        let width = size + 1;
        // For each node and number of members below it.
        let mut least = vec![0.0; self.nodes.len() * width];
        let mut shares: Vec<f64> = Vec::new();
        for place in (0..self.nodes.len()).rev() {
            let children = self.first_child[place] as usize..self.first_child[place + 1] as usize;
            let mut sums = vec![self.variance(place); width];
            if self.depth[place] as usize + 1 >= from {
                shares.clear();
                shares
                    .extend(children.map(|child| self.behind_an_edge(child, least[child * width])));
                shares.sort_by(f64::total_cmp);
                for (members, sum) in sums.iter_mut().enumerate() {
                    let kept = shares.len().saturating_sub(members);
                    *sum += shares[..kept].iter().sum::<f64>();
                }
            } else {
                for child in children {
                    let before = sums.clone();
                    for (members, sum) in sums.iter_mut().enumerate() {
                        let split = (0..=members).map(|below| {
                            let share = self.behind_an_edge(child, least[child * width + below]);
                            before[members - below] + share
                        });
                        *sum = split.fold(f64::INFINITY, f64::min);
                    }
                }
            }
            least[place * width..(place + 1) * width].copy_from_slice(&sums);
        }
        least[size]
    }
}

/// Breadth-first trees of a connected graph.
pub(super) struct SpanningTrees {
    nodes: usize,
    /// The least `s^2` and `kappa^2`.
    least: (f64, f64),
    trees: Vec<Tree>,
    /// Largest size of a small subtree.
    small: usize,
    /// Number of trees in which each node has a large subtree, and the maximum.
    tops: Vec<u8>,
    most_tops: usize,
    /// The largest `D_k`.
    spread: f64,
}

struct Tree {
    parent: Vec<u32>,
    depth: Vec<u16>,
    size: Vec<u32>,
}

impl SpanningTrees {
    /// Builds trees for coalitions of this size; none if the graph is not connected, if such a
    /// coalition is most of it, or if a variance is 0.
    pub(super) fn of(
        circuit: &Circuit,
        size: usize,
        progress: &dyn Progress,
    ) -> Result<Self, FastError> {
        let graph = &circuit.graph;
        let nodes = graph.nodes();
        let least = |variances: &[f64]| variances.iter().copied().fold(f64::INFINITY, f64::min);
        let least = (least(&circuit.variances), least(&circuit.squares));
        let small = nodes / (SHARE * size);
        let count = (8 * (size + 1)).min(MOST_TREES).min(nodes);
        let mut all = Self {
            nodes,
            least,
            trees: Vec::new(),
            small,
            tops: vec![0; nodes],
            most_tops: 0,
            spread: 0.0,
        };
        if small == 0 || graph.max_degree() <= size || least.0 == 0.0 {
            return Ok(all);
        }
        progress.check(0, nodes)?;
        let trees = threads::in_order(count, |k| Tree::of(graph, k * nodes / count, k));
        let Some(trees) = trees.into_iter().collect::<Option<Vec<Tree>>>() else {
            return Ok(all);
        };
        for tree in &trees {
            let mut squares = 0.0;
            for (node, &size) in tree.size.iter().enumerate() {
                // No edge leads to the root.
                if (size as usize) < nodes {
                    let part = f64::from(size) / nodes as f64;
                    squares += part * part;
                }
                all.tops[node] += u8::from(size as usize > small);
            }
            all.spread = all.spread.max(enlarged(squares, nodes + 16));
        }
        all.most_tops = all.tops.iter().copied().max().unwrap_or(0).into();
        all.trees = trees;
        Ok(all)
    }

    /// Bounds the loss of u to every coalition of at most `size` nodes at distance `from` or more;
    /// infinite if the trees prove nothing.
    pub(super) fn upper(&self, u: usize, size: usize, from: usize) -> f64 {
        let mut in_the_way: Vec<u32> = Vec::new();
        let mut depth = 0;
        for tree in &self.trees {
            depth = depth.max(tree.depth[u]);
            let mut above = u;
            // In breadth-first trees, the node j levels above is at distance j.
            for level in 1..=tree.depth[u] as usize {
                above = tree.parent[above] as usize;
                if level >= from && tree.size[above] as usize <= self.small {
                    in_the_way.push(above as u32);
                }
            }
        }
        in_the_way.sort_unstable();
        let alike = in_the_way.chunk_by(|a, b| a == b);
        let mut blocked: Vec<usize> =
            alike.map(|alike| alike.len() + usize::from(self.tops[alike[0] as usize])).collect();
        blocked.extend(std::iter::repeat_n(self.most_tops, size));
        blocked.sort_unstable_by(|a, b| b.cmp(a));
        if blocked[..size].iter().sum::<usize>() >= self.trees.len() {
            return f64::INFINITY;
        }
        let nodes = self.nodes as f64;
        let left = (self.nodes - size * self.small) as f64;
        let stretch = nodes / left;
        let flow = f64::from(depth) + self.spread * stretch * stretch;
        enlarged(1.0 / (self.least.0 * left) + flow / self.least.1, 32)
    }
}

impl Tree {
    /// Builds the breadth-first tree of a connected graph from `root`, in which node w visits its
    /// neighbours beginning with the (w + turn)-th.
    fn of(graph: &Graph, root: usize, turn: usize) -> Option<Self> {
        let nodes = graph.nodes();
        let mut parent = vec![u32::MAX; nodes];
        let mut depth = vec![0_u16; nodes];
        let mut order = Vec::with_capacity(nodes);
        parent[root] = root as u32;
        order.push(root as u32);
        let mut next = 0;
        while next < order.len() {
            let w = order[next] as usize;
            let degree = graph.degree(w).max(1);
            let first = (w + turn) % degree;
            let (early, late) = (graph.neighbours(w).take(first), graph.neighbours(w).skip(first));
            for b in late.chain(early) {
                if parent[b] == u32::MAX {
                    parent[b] = w as u32;
                    depth[b] = depth[w].checked_add(1)?;
                    order.push(b as u32);
                }
            }
            next += 1;
        }
        if order.len() < nodes {
            return None;
        }
        let mut size = vec![1; nodes];
        for &w in order[1..].iter().rev() {
            size[parent[w as usize] as usize] += size[w as usize];
        }
        Some(Self { parent, depth, size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{
        Fraction, GraphSpec, Network, NoisePlan, Observer, Protocol, WeightScheme,
    };

    fn bounds(spec: &str, kappa: &str) -> MaskedBounds<'static> {
        let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
        let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
        let protocol = Protocol::one_shot(network, 1).unwrap();
        let kappa: Fraction = kappa.parse().unwrap();
        MaskedBounds::of(&protocol.masked(kappa).unwrap()).unwrap()
    }

    /// Returns the largest bound over all coalitions of a size that are far enough from the source.
    fn exhaustive(bounds: &MaskedBounds<'_>, size: usize, from: usize) -> f64 {
        let graph = &bounds.circuits[0].graph;
        let nodes = graph.nodes();
        let mut largest = 0.0_f64;
        for number in 0_u32..1 << nodes {
            if number.count_ones() as usize != size {
                continue;
            }
            let members: Vec<usize> = (0..nodes).filter(|v| number >> v & 1 == 1).collect();
            let near = graph.distances_from_any(&members);
            let observer = Observer::coalition(members).unwrap();
            for u in (0..nodes).filter(|&u| near[u].is_none_or(|near| near >= from)) {
                largest = largest.max(bounds.bound(&[u], &observer).unwrap().lower());
            }
        }
        largest
    }

    #[test]
    fn no_coalition_learns_more_than_the_bound_for_all() {
        for (spec, kappa) in [
            ("complete:8", "3"),
            ("ring:9", "2"),
            ("hypercube:3", "1"),
            ("regular:12:d=4:seed=3", "5"),
            ("grid:3x4", "10"),
            ("path:6", "1"),
        ] {
            let bounds = bounds(spec, kappa);
            for (size, from) in [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (2, 3)] {
                let truth = exhaustive(&bounds, size, from);
                for radius in [1, 2, 4] {
                    let found = bounds.any_coalition(size, from, radius).unwrap();
                    assert!(
                        found >= truth - 1e-12,
                        "{spec}, {size} from {from}: {found} below {truth}"
                    );
                }
            }
        }
    }

    /// On a tree seen as a whole the bound is exact: the ends of a path of five towards {1}, {2},
    /// and towards two.
    #[test]
    fn on_trees_it_is_attained() {
        let bounds = bounds("path:6", "1");
        for (size, from) in [(1, 2), (1, 3), (2, 2), (2, 3)] {
            let found = bounds.any_coalition(size, from, 6).unwrap();
            let truth = exhaustive(&bounds, size, from);
            assert!((found - truth).abs() < 1e-12, "{size} {from}: {found} {truth}");
        }
    }

    /// Spanning trees alone, on graphs large enough for small subtrees: never below the loss to
    /// hand-made coalitions, and near 1/n.
    #[test]
    fn spanning_trees_bound_coalitions_next_to_the_source() {
        let bounds = bounds("regular:400:d=6:seed=5", "200");
        let graph = &bounds.circuits[0].graph;
        let trees = SpanningTrees::of(&bounds.circuits[0], 2, &()).unwrap();
        let (mut told, mut sharp) = (0, 0);
        for u in 0..400 {
            let upper = trees.upper(u, 2, 1);
            let beside: Vec<usize> = graph.neighbours(u).take(2).collect();
            let observer = Observer::coalition(beside).unwrap();
            let learned = bounds.bound(&[u], &observer).unwrap();
            assert!(learned.lower() <= upper, "{u}: {learned:?} above {upper}");
            told += usize::from(upper < 1.0);
            sharp += usize::from(upper < 1.1 / 400.0);
        }
        assert!(told > 350 && sharp > 350, "{told} {sharp}");
        // Trees do not bound nodes with a single neighbour.
        let star = self::bounds("star:400", "200");
        let trees = SpanningTrees::of(&star.circuits[0], 1, &()).unwrap();
        assert_eq!(trees.upper(7, 1, 1), f64::INFINITY);
        let two = Graph::try_new(200, (1..100).map(|v| (v - 1, v))).unwrap();
        let apart = Circuit { graph: two.into(), ..star.circuits[0].clone() };
        assert!(SpanningTrees::of(&apart, 1, &()).unwrap().trees.is_empty());
    }

    /// Plans: every bound holds against the energy of every pair, with draws of size 0 too.
    #[test]
    fn bounds_of_plans_hold_for_every_pair() {
        let fraction = |above: usize, below: i128| Fraction::try_new(above as i128, below).unwrap();
        for (spec, zeros) in [("regular:60:d=4:seed=2", false), ("grid:4x5", true)] {
            let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
            let nodes = graph.nodes();
            let size = |k: usize| if zeros && !k.is_multiple_of(3) { 0 } else { 1 + k * 7 % 5 };
            let plan = NoisePlan {
                nodes: (0..nodes).map(|v| fraction(size(v), 60)).collect(),
                masks: graph
                    .edges()
                    .enumerate()
                    .map(|(k, e)| (e, fraction(10 * size(k), 1)))
                    .collect(),
                fresh: Vec::new(),
            };
            let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
            let protocol = Protocol::one_shot(network, 1).unwrap().with_plan(plan).unwrap();
            let bounds = MaskedBounds::of(&protocol).unwrap();
            let trees = SpanningTrees::of(&bounds.circuits[0], 1, &()).unwrap();
            let (mut told, each) = (0, bounds.largest_of_each(2).unwrap());
            let local = bounds.local(2).unwrap();
            for u in 0..nodes {
                let learned = |v| bounds.bound(&[u], &Observer::full(v)).unwrap().lower();
                let most = (0..nodes).filter(|&v| v != u).map(learned).fold(0.0, f64::max);
                let upper = trees.upper(u, 1, 1);
                assert!(most <= each[u] && each[u] <= local.largest, "{spec} {u}: {most}");
                assert!(most <= upper, "{spec} {u}: {most} {upper}");
                told += usize::from(upper <= each[u]);
            }
            assert!(zeros || told > 30, "{told}");
        }
    }
}
