//! Equitable partitions: nodes that an observer need not distinguish.
//!
//! Take a partition in which every observer and the source form a cell of their own and all nodes
//! of a cell have the same total weight towards each cell (it is *equitable*). The matrix Q that
//! averages over the cells commutes with W and preserves the space R of observed vectors, because
//! the senders are unions of cells: `Q W^t e_w = W^t Q e_w`. The projector onto R therefore
//! commutes with Q, and since the source is alone in its cell, `Pi e_u = Pi Q e_u = Q Pi e_u`. The
//! best statistic gives all senders of a cell the same coefficient, and everything can be computed
//! for the means over the cells: on the 10-cube, with the source opposite the observer, 11 cells
//! instead of 1024 nodes.

use muffliato_model::{Graph, Network, Observer, WeightScheme};
use muffliato_reference::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// An equitable partition with the weights between its cells.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// The cell of each node.
    pub of_node: Vec<usize>,
    /// The nodes of each cell.
    pub members: Vec<Vec<usize>>,
    /// `mixing[c][d]`: the weight of a node of cell c towards all nodes of cell d.
    pub mixing: Vec<Vec<BigRational>>,
}

impl Cells {
    /// Computes the coarsest such partition for a weight scheme that depends only on degrees;
    /// `None` for other schemes.
    pub fn of(network: &Network, observer: &Observer, source: usize) -> Option<Self> {
        let graph = network.graph();
        let mut of_node: Vec<usize> = (0..graph.nodes())
            .map(|v| match observer.members().binary_search(&v) {
                Ok(place) => place + 2,
                Err(_) => usize::from(v == source),
            })
            .collect();
        let mut count = 0;
        loop {
            let mut keys: BTreeMap<(usize, usize, Vec<usize>), usize> = BTreeMap::new();
            let refined: Vec<usize> = (0..graph.nodes())
                .map(|v| {
                    let mut around: Vec<_> = graph.neighbours(v).map(|w| of_node[w]).collect();
                    around.sort_unstable();
                    let next = keys.len();
                    *keys.entry((of_node[v], graph.degree(v), around)).or_insert(next)
                })
                .collect();
            of_node = refined;
            if keys.len() == count {
                break;
            }
            count = keys.len();
        }
        let mut members = vec![Vec::new(); count];
        for (v, &cell) in of_node.iter().enumerate() {
            members[cell].push(v);
        }
        let mixing = members
            .iter()
            .map(|nodes| row(network.weights(), graph, nodes[0], &of_node, count))
            .collect::<Option<_>>()?;
        Some(Self { of_node, members, mixing })
    }
}

/// Returns the weights of node v towards the cells.
fn row(
    scheme: &WeightScheme,
    graph: &Graph,
    v: usize,
    of_node: &[usize],
    cells: usize,
) -> Option<Vec<BigRational>> {
    let mut row = vec![BigRational::zero(); cells];
    let mut own = BigRational::one();
    for w in graph.neighbours(v) {
        let weight = weight(scheme, graph.degree(v), graph.degree(w))?;
        own -= &weight;
        row[of_node[w]] += weight;
    }
    row[of_node[v]] += own;
    Some(row)
}

/// Returns the weight of an edge between nodes of these degrees.
fn weight(scheme: &WeightScheme, one: usize, other: usize) -> Option<BigRational> {
    let below = |degree: usize| BigRational::new(1.into(), degree.into());
    match scheme {
        WeightScheme::Metropolis => Some(below(1 + one.max(other))),
        WeightScheme::MaxDegreeInverse => Some(below(one.max(other))),
        WeightScheme::Lazy(inner) => Some(weight(inner, one, other)? * below(2)),
        _ => None,
    }
}
