//! Graphs as one bit per pair of nodes, which suits a model checker, and gossip matrices on them.

use crate::Choices;
#[cfg(not(kani))]
use muffliato_model::Graph;
use muffliato_model::WeightScheme;
use muffliato_reference::cores::{degree_shift, fill_weights, inverse_weight, multiply};

/// Adjacency of each pair of nodes.
pub type Edges<const N: usize> = [[bool; N]; N];

/// Numerators of a matrix.
pub type Matrix<const N: usize> = [[i32; N]; N];

/// Chooses any graph on N nodes.
pub fn any_graph<const N: usize>(choices: &mut impl Choices) -> Edges<N> {
    let mut edges = [[false; N]; N];
    for u in 0..N {
        for v in u + 1..N {
            let edge = choices.flag();
            edges[u][v] = edge;
            edges[v][u] = edge;
        }
    }
    edges
}

/// Chooses a symmetric matrix with entries up to `most` of either sign.
pub fn any_symmetric<const N: usize>(choices: &mut impl Choices, most: u8) -> Matrix<N> {
    let mut matrix = [[0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let entry = i32::from(choices.signed(most));
            matrix[i][j] = entry;
            matrix[j][i] = entry;
        }
    }
    matrix
}

pub fn sum<const N: usize>(entries: &[i32; N]) -> i32 {
    let mut sum = 0;
    for entry in entries {
        sum += *entry;
    }
    sum
}

/// Multiplies by the reference engine's core.
pub fn product<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    let mut out = [[7; N]; N];
    multiply(a.as_flattened(), b.as_flattened(), N, N, out.as_flattened_mut());
    out
}

/// Multiplies a vector likewise.
pub fn mixed<const N: usize>(a: &Matrix<N>, x: &[i32; N]) -> [i32; N] {
    let mut out = [7; N];
    multiply(a.as_flattened(), x, N, 1, &mut out);
    out
}

/// Returns a multiple of `1, 2, ..., N`, a common denominator of all weights on N nodes.
pub const fn common_denominator(nodes: usize) -> i32 {
    let (mut multiple, mut next) = (1, 1);
    while next <= nodes as i32 {
        let (mut a, mut b) = (multiple, next);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        multiple *= next / a;
        next += 1;
    }
    multiple
}

/// Returns Metropolis weights by the reference engine's cores, over [`common_denominator`].
pub fn metropolis<const N: usize>(edges: &Edges<N>) -> Matrix<N> {
    of_scheme(edges, &WeightScheme::Metropolis)
}

/// Returns the weights of a scheme that goes by degrees, likewise.
pub fn of_scheme<const N: usize>(edges: &Edges<N>, scheme: &WeightScheme) -> Matrix<N> {
    let shift = degree_shift(scheme).expect("a scheme that goes by degrees");
    let mut degrees = [0; N];
    for v in 0..N {
        for w in 0..N {
            degrees[v] += usize::from(edges[v][w]);
        }
    }
    let mut matrix = [[0; N]; N];
    for v in 0..N {
        let neighbours = (0..N).filter(|&w| edges[v][w]);
        let inverse = |w: usize| inverse_weight(shift, degrees[v], degrees[w]) as i32;
        fill_weights(v, neighbours, inverse, &common_denominator(N), &mut matrix[v]);
    }
    matrix
}

/// Builds the graph of the edges u < v.
#[cfg(not(kani))]
pub fn graph<const N: usize>(edges: &Edges<N>) -> Graph {
    let pairs = (0..N).flat_map(|v| (0..v).map(move |u| (u, v)));
    Graph::try_new(N, pairs.filter(|&(u, v)| edges[u][v])).expect("a graph")
}

/// Returns `true` if all rows and columns sum to `denominator`.
pub fn sums_are<const N: usize>(matrix: &Matrix<N>, denominator: i32) -> bool {
    let mut all = true;
    for v in 0..N {
        let mut column = 0;
        for w in 0..N {
            column += matrix[w][v];
        }
        all &= sum(&matrix[v]) == denominator && column == denominator;
    }
    all
}

pub fn is_symmetric<const N: usize>(matrix: &Matrix<N>) -> bool {
    let mut all = true;
    for v in 0..N {
        for w in 0..v {
            all &= matrix[v][w] == matrix[w][v];
        }
    }
    all
}

pub fn is_non_negative<const N: usize>(matrix: &Matrix<N>) -> bool {
    let mut all = true;
    for row in matrix {
        for entry in row {
            all &= *entry >= 0;
        }
    }
    all
}

/// Returns `true` if all off-diagonal entries are on edges.
pub fn is_inside<const N: usize>(matrix: &Matrix<N>, edges: &Edges<N>) -> bool {
    let mut all = true;
    for v in 0..N {
        for w in 0..N {
            all &= v == w || edges[v][w] || matrix[v][w] == 0;
        }
    }
    all
}

/// Largest number of nodes of an [`Adjacency`], as small as Kani's sizes allow, since every
/// symbolic index chooses among all entries.
pub const MOST_NODES: usize = if cfg!(kani) { 3 } else { 8 };

/// Sorted adjacency arrays of a graph on at most [`MOST_NODES`] nodes.
pub struct Adjacency {
    pub offsets: [usize; MOST_NODES + 1],
    pub targets: [u32; MOST_NODES * (MOST_NODES - 1)],
}

impl Default for Adjacency {
    fn default() -> Self {
        Self { offsets: [0; MOST_NODES + 1], targets: [0; MOST_NODES * (MOST_NODES - 1)] }
    }
}

impl Adjacency {
    pub fn of<const N: usize>(edges: &Edges<N>) -> Self {
        let mut stored = Self::default();
        let mut end = 0;
        for v in 0..N {
            for w in 0..N {
                if edges[v][w] {
                    stored.targets[end] = w as u32;
                    end += 1;
                }
            }
            stored.offsets[v + 1] = end;
        }
        stored
    }

    /// Returns `true` if the arrays hold exactly these edges, each row strictly increasing.
    pub fn is<const N: usize>(&self, edges: &Edges<N>) -> bool {
        let mut place = 0;
        let mut same = self.offsets[0] == 0;
        for v in 0..N {
            for w in 0..N {
                if edges[v][w] {
                    same &= self.targets[place] == w as u32;
                    place += 1;
                }
            }
            same &= self.offsets[v + 1] == place;
        }
        same
    }
}
