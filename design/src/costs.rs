//! What each draw costs: `||M_T e_w||^2` for the noise of a node, `||M_T (e_a - e_b)||^2` for a mask, the sum of `||W^t e_w||^2` over 0 < t < T for fresh noise, each between two certified ends.
//!
//! `M_T = W^T` is computed in f64. Weights and states are not negative, so nothing cancels, and errors are relative. With `u = 2^-53` and d the largest degree a weight is a sum of at most `d + 1` terms,
//! each after three operations, and may be halved lazily 64 times; a product and d additions follow. So a step adds at most `(2 d + 72) u` to first order, and `T (2 d + 80) u` bounds the error of T steps as long
//! as it is below 0.01. Underflow adds less than `1e-300` in all. A difference of two entries is off by at most their sum times that error.

use crate::DesignError;
use muffliato_model::{Graph, Network, WeightScheme, threads};

/// The most steps that costs are computed for.
const MAX_STEPS: usize = 1 << 20;

/// The costs of all draws, each with a lower and an upper end; the error is `sigma^2 / (2 n)` times their sum with variances.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// For each node.
    pub nodes: Vec<(f64, f64)>,
    /// For each edge of the mask graph, in its order.
    pub masks: Vec<(f64, f64)>,
    /// For the fresh noise of each node, all times together.
    pub fresh: Vec<(f64, f64)>,
}

impl Costs {
    /// Computes the costs of draws that enter `steps` gossip steps on `network`, for masks on the edges of `mask_graph`.
    pub fn of(network: &Network, steps: usize, mask_graph: &Graph) -> Result<Self, DesignError> {
        let graph = network.graph();
        let n = graph.nodes();
        let unit = f64::EPSILON / 2.0;
        let error = steps as f64 * (2 * graph.max_degree() + 80) as f64 * unit;
        if error > 0.01 || steps > MAX_STEPS {
            return Err(DesignError::TooManySteps { steps });
        }
        let (diagonal, entries) = weights(graph, network.weights())?;
        let (offsets, targets) = graph.adjacency();
        // Column w of W^T is its row w: W is symmetric.
        let square = |x: f64| x * x;
        let squares = |column: &[f64]| column.iter().map(|&x| square(x)).sum::<f64>();
        let (columns, fresh): (Vec<Vec<f64>>, Vec<f64>) = threads::in_order(n, |w| {
            let mut column = vec![0.0; n];
            column[w] = 1.0;
            // What enters at the time t is mixed steps - t times.
            let mut fresh = 0.0;
            for step in 0..steps {
                if step > 0 {
                    fresh += squares(&column);
                }
                let mixed = (0..n).map(|v| {
                    let row = offsets[v]..offsets[v + 1];
                    let received = targets[row.clone()].iter().zip(&entries[row]);
                    received.fold(diagonal[v] * column[v], |sum, (&w, weight)| {
                        sum + weight * column[w as usize]
                    })
                });
                column = mixed.collect();
            }
            (column, fresh)
        })
        .into_iter()
        .unzip();
        // Squares, their sum and the factors below.
        let sum = (2 * n + 8) as f64 * unit;
        let enclosed = |cost: f64, terms: usize| {
            let relative = 2.1 * error + sum + terms as f64 * unit;
            (cost * (1.0 - relative), cost * (1.0 + relative))
        };
        let node = |column: &Vec<f64>| {
            let (lower, upper) = enclosed(squares(column), 0);
            // ||M_T e_w||^2 >= 1/n, since the entries sum to 1.
            (lower.max((1.0 / n as f64).next_down()), upper)
        };
        let mask = |(a, b): (usize, usize)| {
            let (mut lower, mut upper) = (0.0, 0.0);
            for (x, y) in columns[a].iter().zip(&columns[b]) {
                let off = (error + 4.0 * unit) * (x + y) + 1e-300;
                let difference = (x - y).abs();
                lower += square((difference - off).max(0.0));
                upper += square(difference + off);
            }
            (lower * (1.0 - sum), (upper * (1.0 + sum)).max(f64::MIN_POSITIVE))
        };
        let edges: Vec<_> = mask_graph.edges().collect();
        Ok(Self {
            nodes: columns.iter().map(node).collect(),
            masks: threads::in_order(edges.len(), |k| mask(edges[k])),
            fresh: fresh.into_iter().map(|cost| enclosed(cost, steps)).collect(),
        })
    }
}

/// The diagonal of W, and one entry for each entry of the adjacency.
pub(crate) fn weights(
    graph: &Graph,
    scheme: &WeightScheme,
) -> Result<(Vec<f64>, Vec<f64>), DesignError> {
    let nodes = graph.nodes();
    // 1 / inverse(v, w) off the diagonal; the diagonal is a sum of terms that are not negative.
    let by_degree = |more: usize| {
        let weight =
            |v: usize, w: usize| 1.0 / (more + graph.degree(v).max(graph.degree(w))) as f64;
        let diagonal = (0..nodes).map(|v| {
            let own = more + graph.degree(v);
            if own == 0 {
                return 1.0;
            }
            let lost = |w: usize| {
                let larger = more + graph.degree(v).max(graph.degree(w));
                (larger - own) as f64 / (own as f64 * larger as f64)
            };
            more as f64 / own as f64 + graph.neighbours(v).map(lost).sum::<f64>()
        });
        let entries = (0..nodes).flat_map(|v| graph.neighbours(v).map(move |w| weight(v, w)));
        (diagonal.collect(), entries.collect())
    };
    Ok(match scheme {
        WeightScheme::Metropolis => by_degree(1),
        WeightScheme::MaxDegreeInverse => by_degree(0),
        WeightScheme::Lazy(inner) => {
            let (diagonal, entries) = weights(graph, inner)?;
            let halved = |weights: Vec<f64>, more: f64| {
                weights.into_iter().map(|w| (w + more) / 2.0).collect()
            };
            (halved(diagonal, 1.0), halved(entries, 0.0))
        }
        WeightScheme::Custom(custom) => {
            let ratio = |&numerator: &i128| numerator as f64 / custom.denominator() as f64;
            (
                custom.diagonal().iter().map(ratio).collect(),
                custom.off_diagonal().iter().map(ratio).collect(),
            )
        }
        _ => return Err(DesignError::Weights),
    })
}
