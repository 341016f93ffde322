//! Random regular graphs, drawn by matching stubs.

use super::super::deterministic::complete;
use super::stream::Stream;
use crate::families::bad_parameter;
use crate::{Graph, GraphError};

const FAMILY: &str = "regular";
/// Largest degree for which whole matchings are redrawn. About exp(-(d^2 - 1) / 4) of large
/// matchings are simple: one in 7 for degree 3, one in 43 for degree 4.
const UNIFORM_DEGREE: usize = 3;
const MOST_ATTEMPTS: usize = 10_000;

/// Draws a random simple graph on n nodes of degree d, for d < n and n d even.
///
/// Each node gets d stubs, and the stubs are matched at random. Up to degree 3 the whole matching
/// is redrawn until the graph is simple. Each simple graph comes from (d!)^n matchings, so the
/// graph is exactly uniform (B. Bollobas, "A probabilistic proof of an asymptotic formula for the
/// number of labelled regular graphs", 1980). From degree 4 on, only the pairs that would be a
/// self-loop or a repeated edge are matched again, restarting if no valid pair is left (after A.
/// Steger and N. C. Wormald, "Generating random regular graphs quickly", 1999, as in networkx).
/// That law is exchangeable but not uniform, and no bound on its distance from uniform is claimed.
/// If n - 1 - d is below d, the graph is the complement of one with degree n - 1 - d, and uniform
/// if that one is.
///
/// # Errors
///
/// Returns [`GraphError::BadParameter`] for an invalid degree, and [`GraphError::NotFound`] after
/// 10000 attempts, which no test has seen.
pub fn random_regular(n: usize, d: usize, seed: u64) -> Result<Graph, GraphError> {
    if n == 0 {
        return Err(GraphError::Empty);
    }
    if d >= n {
        let expected = format!("with n = {n} a degree is at most {}", n - 1);
        return Err(bad_parameter(FAMILY, "d", d, expected));
    }
    let stubs = n as u128 * d as u128;
    if stubs % 2 == 1 {
        let expected = format!("n d = {stubs} is odd; with n = {n} the degree must be even");
        return Err(bad_parameter(FAMILY, "d", d, expected));
    }
    Graph::check_size(n as u128, stubs / 2)?;

    let mut stream = Stream::new(FAMILY, seed);
    let complement = n - 1 - d;
    if complement < d {
        let absent = sparse(n, complement, &mut stream)?;
        let edges = complete(n)?;
        return Graph::try_new(n, edges.edges().filter(|&(u, v)| !absent.has_edge(u, v)));
    }
    sparse(n, d, &mut stream)
}

fn sparse(n: usize, d: usize, stream: &mut Stream) -> Result<Graph, GraphError> {
    let mut partial = Partial::new(n, d);
    for _ in 0..MOST_ATTEMPTS {
        partial.clear();
        if partial.complete(stream) {
            return Graph::try_new(n, partial.edges());
        }
    }
    Err(GraphError::NotFound {
        family: FAMILY,
        wanted: "simple",
        draws: MOST_ATTEMPTS,
        remedy: "try another seed",
    })
}

/// A simple graph with at most d neighbours per node.
struct Partial {
    n: usize,
    d: usize,
    /// The current number of neighbours of each node.
    filled: Vec<usize>,
    /// `slots[v * d..v * d + filled[v]]` are the neighbours of v.
    slots: Vec<u32>,
}

impl Partial {
    fn new(n: usize, d: usize) -> Self {
        Self { n, d, filled: vec![0; n], slots: vec![0; n * d] }
    }

    fn clear(&mut self) {
        self.filled.fill(0);
    }

    fn neighbours(&self, node: usize) -> &[u32] {
        &self.slots[node * self.d..node * self.d + self.filled[node]]
    }

    fn may_join(&self, u: u32, v: u32) -> bool {
        u != v && !self.neighbours(u as usize).contains(&v)
    }

    fn join(&mut self, u: u32, v: u32) {
        for (from, to) in [(u as usize, v), (v as usize, u)] {
            self.slots[from * self.d + self.filled[from]] = to;
            self.filled[from] += 1;
        }
    }

    /// Matches all stubs; returns `false` if the attempt failed.
    fn complete(&mut self, stream: &mut Stream) -> bool {
        let nodes = 0..self.n as u32;
        let mut stubs: Vec<u32> = nodes.flat_map(|v| std::iter::repeat_n(v, self.d)).collect();
        while !stubs.is_empty() {
            let before = stubs.len();
            let mut kept = 0;
            for first in (0..before).step_by(2) {
                // Pairs the first remaining stub with a random other one.
                let others = before - first - 1;
                let partner = first + 1 + stream.below(others as u64) as usize;
                stubs.swap(first + 1, partner);
                let (u, v) = (stubs[first], stubs[first + 1]);
                if self.may_join(u, v) {
                    self.join(u, v);
                } else if self.d <= UNIFORM_DEGREE {
                    return false;
                } else {
                    stubs[kept] = u;
                    stubs[kept + 1] = v;
                    kept += 2;
                }
            }
            stubs.truncate(kept);
            if kept == before && self.is_stuck(&stubs) {
                return false;
            }
        }
        true
    }

    /// Returns `true` if no two of these stubs may be joined. Their nodes are then all neighbours
    /// of each other, so there are at most d of them.
    fn is_stuck(&self, stubs: &[u32]) -> bool {
        let mut nodes = stubs.to_vec();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() <= self.d
            && nodes.iter().enumerate().all(|(i, &u)| {
                let mut later = nodes[i + 1..].iter();
                later.all(|&v| !self.may_join(u, v))
            })
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.n).flat_map(move |u| {
            let above = self.neighbours(u).iter().map(|&v| v as usize);
            above.filter(move |&v| u < v).map(move |v| (u, v))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::chi_square::{FALSE_ALARM_RATE, assert_fits};
    use super::*;

    #[test]
    fn every_node_has_the_degree_asked_for() {
        for n in 1..16 {
            for d in (0..n).filter(|d| n * d % 2 == 0) {
                for seed in 0..20 {
                    let graph = random_regular(n, d, seed).unwrap();
                    assert_eq!(graph.nodes(), n);
                    assert!((0..n).all(|v| graph.degree(v) == d), "n = {n}, d = {d}");
                }
            }
        }
        for (n, d) in [(1000, 8), (1001, 4), (200, 99), (200, 100), (500, 496)] {
            let graph = random_regular(n, d, 1).unwrap();
            assert!((0..n).all(|v| graph.degree(v) == d), "n = {n}, d = {d}");
        }
        assert_eq!(random_regular(9, 8, 4), complete(9));
    }

    #[test]
    fn large_graphs_are_quick() {
        let graph = random_regular(100_000, 8, 1).unwrap();
        assert_eq!(graph.edge_count(), 400_000);
        assert!(graph.is_connected());
    }

    /// By symmetry each pair is joined with probability d / (n - 1). With 94 pairs and 5.7 standard
    /// deviations the false-alarm rate is about 94 * 1.2e-8, the stated 1e-6.
    #[test]
    fn all_pairs_are_joined_equally_often() {
        for (n, d) in [(8, 3), (12, 5)] {
            let draws = 10_000;
            let mut joined = [[0; 12]; 12];
            for seed in 0..draws {
                for (u, v) in random_regular(n, d, seed).unwrap().edges() {
                    joined[u][v] += 1;
                }
            }
            let q = d as f64 / (n - 1) as f64;
            let deviation = (draws as f64 * q * (1.0 - q)).sqrt();
            for v in 0..n {
                for u in 0..v {
                    let off = (f64::from(joined[u][v]) - draws as f64 * q) / deviation;
                    assert!(
                        off.abs() < 5.7,
                        "pair {u}-{v} of degree {d}: joined in {} of {draws} graphs, {off} \
                         standard deviations off (false-alarm rate {FALSE_ALARM_RATE})",
                        joined[u][v]
                    );
                }
            }
        }
    }

    /// Enumerates every regular graph on n nodes by joining the first node that lacks neighbours to
    /// each later node that does.
    fn all_regular(n: usize, d: usize) -> Vec<Vec<(usize, usize)>> {
        fn extend(
            lacking: &mut Vec<usize>,
            edges: &mut Vec<(usize, usize)>,
            found: &mut Vec<Vec<(usize, usize)>>,
        ) {
            let Some(u) = lacking.iter().position(|&count| count > 0) else {
                found.push(edges.clone());
                return;
            };
            let start = match edges.last() {
                Some(&(last, v)) if last == u => v + 1,
                _ => u + 1,
            };
            for v in start..lacking.len() {
                if lacking[v] > 0 {
                    lacking[u] -= 1;
                    lacking[v] -= 1;
                    edges.push((u, v));
                    extend(lacking, edges, found);
                    edges.pop();
                    lacking[u] += 1;
                    lacking[v] += 1;
                }
            }
        }
        let mut found = Vec::new();
        extend(&mut vec![d; n], &mut Vec::new(), &mut found);
        found
    }

    /// Compares the frequency of each graph. Degree 3 on six nodes goes through complements. The
    /// numbers of graphs are OEIS A001205 and A002829.
    #[test]
    fn low_degrees_are_uniform() {
        for (n, d, graphs, critical) in
            [(6, 2, 70, 139.829), (6, 3, 70, 139.829), (8, 3, 19355, 20303.6)]
        {
            let draws = 40 * graphs as u64;
            let mut seen: HashMap<_, u64> =
                all_regular(n, d).into_iter().map(|edges| (edges, 0)).collect();
            assert_eq!(seen.len(), graphs);
            for seed in 0..draws {
                let edges: Vec<_> = random_regular(n, d, seed).unwrap().edges().collect();
                *seen.get_mut(&edges).expect("a regular graph") += 1;
            }
            let observed: Vec<u64> = seen.into_values().collect();
            assert_fits(&observed, &vec![40.0; graphs], critical);
        }
    }
}
