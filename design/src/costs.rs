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
        let weights = Weights::of(graph, network.weights())?;
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
                column = weights.mixed(&column);
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

/// W in floats: for each node the nodes whose states enter its next one, itself first, with their weights.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub rows: Vec<Vec<(usize, f64)>>,
}

impl Weights {
    pub fn of(graph: &Graph, scheme: &WeightScheme) -> Result<Self, DesignError> {
        // 1 / larger(v, w) off the diagonal; the diagonal is a sum of terms that are not negative.
        let by_degree = |more: usize| {
            let row = |v: usize| {
                let larger = |w: usize| (more + graph.degree(v).max(graph.degree(w))) as f64;
                let own = (more + graph.degree(v)) as f64;
                let lost = graph.neighbours(v).map(|w| (larger(w) - own) / (own * larger(w)));
                let kept = if own == 0.0 { 1.0 } else { more as f64 / own + lost.sum::<f64>() };
                let others = graph.neighbours(v).map(|w| (w, 1.0 / larger(w)));
                std::iter::once((v, kept)).chain(others).collect()
            };
            Self { rows: (0..graph.nodes()).map(row).collect() }
        };
        Ok(match scheme {
            WeightScheme::Metropolis => by_degree(1),
            WeightScheme::MaxDegreeInverse => by_degree(0),
            WeightScheme::Lazy(inner) => {
                let mut weights = Self::of(graph, inner)?;
                for (v, row) in weights.rows.iter_mut().enumerate() {
                    for (w, weight) in row {
                        *weight = (*weight + f64::from(u8::from(*w == v))) / 2.0;
                    }
                }
                weights
            }
            WeightScheme::Custom(custom) => {
                let ratio = |numerator: i128| numerator as f64 / custom.denominator() as f64;
                let mut entries = custom.off_diagonal().iter();
                let row = |(v, &own): (usize, &i128)| {
                    let others = graph.neighbours(v).zip(&mut entries);
                    let others = others.map(|(w, &weight)| (w, ratio(weight)));
                    std::iter::once((v, ratio(own))).chain(others).collect()
                };
                Self { rows: custom.diagonal().iter().enumerate().map(row).collect() }
            }
            _ => return Err(DesignError::Weights),
        })
    }

    /// Computes the states after a step.
    pub fn mixed(&self, state: &[f64]) -> Vec<f64> {
        let row = |row: &Vec<(usize, f64)>| row.iter().map(|(w, weight)| weight * state[*w]).sum();
        self.rows.iter().map(row).collect()
    }
}
