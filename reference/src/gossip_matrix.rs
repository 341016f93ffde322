//! Gossip matrices: symmetric, non-negative, rows sum to exactly 1 (SPEC of the paper's section 2).

use crate::{
    ExactInteger, ReferenceError,
    arithmetic::{fill_edge_average, fill_weights, make_lazy, multiply},
};
use muffliato_model::{CustomWeights, Graph, Network, Step, WeightScheme};
use num_bigint::BigInt;
use num_rational::Ratio;

/// A square matrix of rationals, as integer numerators over one common denominator.
///
/// ```
/// use muffliato_model::{Graph, Network, WeightScheme};
/// use muffliato_reference::GossipMatrix;
///
/// let path = Graph::try_new(3, [(0, 1), (1, 2)])?;
/// let network = Network::try_new(path, WeightScheme::Metropolis)?;
/// let w: GossipMatrix = GossipMatrix::of_network(&network)?;
/// //     | 2 1 0 |
/// // 1/3 | 1 1 1 |
/// //     | 0 1 2 |
/// assert_eq!(w.entry(0, 0).to_string(), "2/3");
/// assert_eq!(w.power(2).entry(0, 2).to_string(), "1/9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GossipMatrix<I = BigInt> {
    nodes: usize,
    numerators: Vec<I>,
    denominator: I,
}

impl<I: ExactInteger> GossipMatrix<I> {
    /// The identity, `W^0`.
    pub fn identity(nodes: usize) -> Self {
        let mut numerators = vec![I::zero(); nodes * nodes];
        for v in 0..nodes {
            numerators[v * nodes + v] = I::one();
        }
        Self {
            nodes,
            numerators,
            denominator: I::one(),
        }
    }

    /// The matrix of one gossip step.
    pub fn of_step(step: Step<'_>) -> Result<Self, ReferenceError> {
        match step {
            Step::Network(network) => Self::of_network(network),
            Step::EdgeAverage { nodes, edge } => Ok(Self::edge_average(nodes, edge)),
        }
    }

    /// The gossip matrix of a network: symmetric, non-negative, rows sum to 1, support inside the
    /// edges and the diagonal.
    pub fn of_network(network: &Network) -> Result<Self, ReferenceError> {
        Self::of_scheme(network.graph(), network.weights())
    }

    fn of_scheme(graph: &Graph, scheme: &WeightScheme) -> Result<Self, ReferenceError> {
        let larger = |v, w| graph.degree(v).max(graph.degree(w));
        match scheme {
            WeightScheme::Metropolis => Self::of_inverses(graph, |v, w| 1 + larger(v, w)),
            WeightScheme::MaxDegreeInverse => Self::of_inverses(graph, larger),
            WeightScheme::Lazy(inner) => {
                let mut matrix = Self::of_scheme(graph, inner)?;
                make_lazy(
                    matrix.nodes,
                    &mut matrix.numerators,
                    &mut matrix.denominator,
                );
                Ok(matrix)
            }
            WeightScheme::Custom(weights) => Self::of_custom(graph, weights),
            other => Err(ReferenceError::BadParameter {
                parameter: "weight scheme",
                value: other.to_string(),
                expected: "this engine does not know it",
            }),
        }
    }

    /// The matrix whose edge vw has the weight `1 / inverse(v, w)`.
    fn of_inverses(
        graph: &Graph,
        inverse: impl Fn(usize, usize) -> usize,
    ) -> Result<Self, ReferenceError> {
        let whole = |v, w| {
            let value = inverse(v, w);
            I::from_usize(value).ok_or_else(|| ReferenceError::DoesNotFit {
                value: value.to_string(),
            })
        };
        let mut denominator = I::one();
        for (v, w) in graph.edges() {
            denominator = denominator.lcm(&whole(v, w)?);
        }
        let nodes = graph.nodes();
        let mut numerators = vec![I::zero(); nodes * nodes];
        for (v, row) in numerators.chunks_exact_mut(nodes).enumerate() {
            let inverse = |w| whole(v, w).unwrap_or_else(|_| I::one()); // fitted above
            fill_weights(v, graph.neighbours(v), inverse, &denominator, row);
        }
        Ok(Self {
            nodes,
            numerators,
            denominator,
        })
    }

    fn of_custom(graph: &Graph, weights: &CustomWeights) -> Result<Self, ReferenceError> {
        let fitted = crate::rational::fitted::<I>;
        let nodes = graph.nodes();
        let mut numerators = vec![I::zero(); nodes * nodes];
        let mut edge_weights = weights.off_diagonal().iter();
        for (v, &own) in weights.diagonal().iter().enumerate() {
            numerators[v * nodes + v] = fitted(own)?;
            for (w, &weight) in graph.neighbours(v).zip(&mut edge_weights) {
                numerators[v * nodes + w] = fitted(weight)?;
            }
        }
        Ok(Self {
            nodes,
            numerators,
            denominator: fitted(weights.denominator())?,
        })
    }

    /// `I - (e_u - e_v)(e_u - e_v)^T / 2`: one step of Algorithm 2.
    fn edge_average(nodes: usize, edge: (usize, usize)) -> Self {
        let mut numerators = vec![I::zero(); nodes * nodes];
        fill_edge_average(nodes, edge, &mut numerators);
        Self {
            nodes,
            numerators,
            denominator: I::one() + I::one(),
        }
    }

    /// The number of rows.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The numerators, row by row.
    pub fn numerators(&self) -> &[I] {
        &self.numerators
    }

    /// The numerators of one row.
    pub fn row(&self, v: usize) -> &[I] {
        &self.numerators[v * self.nodes..(v + 1) * self.nodes]
    }

    /// The common denominator.
    pub fn denominator(&self) -> &I {
        &self.denominator
    }

    /// The entry in row v, column w.
    pub fn entry(&self, v: usize, w: usize) -> Ratio<I> {
        Ratio::new(self.row(v)[w].clone(), self.denominator.clone())
    }

    /// The product `self * right`.
    pub fn times(&self, right: &Self) -> Self {
        let mut numerators = vec![I::zero(); self.numerators.len()];
        multiply(
            &self.numerators,
            &right.numerators,
            self.nodes,
            self.nodes,
            &mut numerators,
        );
        Self {
            nodes: self.nodes,
            numerators,
            denominator: self.denominator.times(&right.denominator),
        }
    }

    /// `W^exponent`.
    pub fn power(&self, exponent: usize) -> Self {
        (0..exponent).fold(Self::identity(self.nodes), |product, _| {
            self.times(&product)
        })
    }
}
