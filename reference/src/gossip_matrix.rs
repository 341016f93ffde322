//! Gossip matrices: symmetric, non-negative, with rows that sum to exactly 1.

use crate::{
    ReferenceError,
    arithmetic::{
        degree_shift, fill_edge_average, fill_weights, inverse_weight, make_lazy, multiply,
    },
    checks::check_work,
};
use muffliato_model::{CustomWeights, Graph, Network, Step, WeightScheme};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeSet;

/// A square matrix of rationals, stored as integer numerators over one common denominator.
///
/// ```
/// use muffliato_model::{Graph, Network, WeightScheme};
/// use muffliato_reference::GossipMatrix;
///
/// let path = Graph::try_new(3, [(0, 1), (1, 2)])?;
/// let network = Network::try_new(path, WeightScheme::Metropolis)?;
/// let w = GossipMatrix::of_network(&network)?;
/// //     | 2 1 0 |
/// // 1/3 | 1 1 1 |
/// //     | 0 1 2 |
/// assert_eq!(w.entry(0, 0).unwrap().to_string(), "2/3");
/// assert_eq!(w.power(2)?.entry(0, 2).unwrap().to_string(), "1/9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GossipMatrix {
    nodes: usize,
    numerators: Vec<BigInt>,
    denominator: BigInt,
}

impl GossipMatrix {
    /// Creates the gossip matrix of a network.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::TooLarge`] for more than about 7000 nodes.
    pub fn of_network(network: &Network) -> Result<Self, ReferenceError> {
        Self::of_scheme(network.graph(), network.weights())
    }

    /// Creates the matrix of one gossip step.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::TooLarge`] for more than about 7000 nodes.
    ///
    /// ```
    /// use muffliato_model::{Protocol, families};
    /// use muffliato_reference::GossipMatrix;
    ///
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1)])?;
    /// let w = GossipMatrix::of_step(protocol.step(0))?;
    /// assert_eq!(w.entry(0, 1).unwrap().to_string(), "1/2");
    /// assert_eq!(w.entry(2, 2).unwrap().to_string(), "1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_step(step: Step<'_>) -> Result<Self, ReferenceError> {
        match step {
            Step::Network(network) => Self::of_network(network),
            Step::EdgeAverage { nodes, edge } => {
                let mut matrix = Self::zero(nodes)?;
                fill_edge_average(nodes, edge, &mut matrix.numerators);
                matrix.denominator = 2.into();
                Ok(matrix)
            }
        }
    }

    /// Creates the zero matrix. All matrices start here.
    fn zero(nodes: usize) -> Result<Self, ReferenceError> {
        check_work(nodes, nodes, 1)?;
        Ok(Self {
            nodes,
            numerators: vec![BigInt::zero(); nodes * nodes],
            denominator: BigInt::one(),
        })
    }

    /// Creates `W^0`.
    fn identity(nodes: usize) -> Result<Self, ReferenceError> {
        let mut matrix = Self::zero(nodes)?;
        for v in 0..nodes {
            matrix.numerators[v * nodes + v] = BigInt::one();
        }
        Ok(matrix)
    }

    fn of_scheme(graph: &Graph, scheme: &WeightScheme) -> Result<Self, ReferenceError> {
        match scheme {
            WeightScheme::Lazy(inner) => {
                let mut matrix = Self::of_scheme(graph, inner)?;
                make_lazy(matrix.nodes, &mut matrix.numerators, &mut matrix.denominator);
                Ok(matrix)
            }
            WeightScheme::Custom(weights) => Self::of_custom(graph, weights),
            other => match degree_shift(other) {
                Some(shift) => Self::of_degrees(graph, shift),
                None => Err(ReferenceError::UnknownScheme { scheme: other.to_string() }),
            },
        }
    }

    /// Returns an upper bound on the bits of the denominator, without the matrix.
    pub(crate) fn denominator_bits(step: Step<'_>) -> u64 {
        let Step::Network(network) = step else {
            return 2;
        };
        let of_inverses = |shift| common_denominator(network.graph(), shift).bits();
        let (mut scheme, mut halvings) = (network.weights(), 0);
        while let WeightScheme::Lazy(inner) = scheme {
            (scheme, halvings) = (inner, halvings + 1);
        }
        halvings
            + match scheme {
                WeightScheme::MaxDegreeInverse => of_inverses(0),
                WeightScheme::Custom(weights) => BigInt::from(weights.denominator()).bits(),
                _ => of_inverses(1),
            }
    }

    /// Creates the matrix whose edge vw has the weight `1 / (shift + max(d_v, d_w))`.
    fn of_degrees(graph: &Graph, shift: usize) -> Result<Self, ReferenceError> {
        let inverse = |v, w| inverse_weight(shift, graph.degree(v), graph.degree(w));
        let nodes = graph.nodes();
        let mut matrix = Self::zero(nodes)?;
        matrix.denominator = common_denominator(graph, shift);
        for (v, row) in matrix.numerators.chunks_exact_mut(nodes).enumerate() {
            let inverse = |w| inverse(v, w).into();
            fill_weights(v, graph.neighbours(v), inverse, &matrix.denominator, row);
        }
        Ok(matrix)
    }

    fn of_custom(graph: &Graph, weights: &CustomWeights) -> Result<Self, ReferenceError> {
        let nodes = graph.nodes();
        let mut matrix = Self::zero(nodes)?;
        let mut edge_weights = weights.off_diagonal().iter();
        for (v, &own) in weights.diagonal().iter().enumerate() {
            matrix.numerators[v * nodes + v] = own.into();
            for (w, &weight) in graph.neighbours(v).zip(&mut edge_weights) {
                matrix.numerators[v * nodes + w] = weight.into();
            }
        }
        matrix.denominator = weights.denominator().into();
        Ok(matrix)
    }

    /// Returns the number of rows.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the numerators, row by row.
    pub fn numerators(&self) -> &[BigInt] {
        &self.numerators
    }

    /// Returns the common denominator.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// Returns the entry in row v, column w, or `None` outside the matrix.
    pub fn entry(&self, v: usize, w: usize) -> Option<BigRational> {
        let inside = v < self.nodes && w < self.nodes;
        inside.then(|| BigRational::new(self.row(v)[w].clone(), self.denominator.clone()))
    }

    /// Returns the numerators of one row.
    pub(crate) fn row(&self, v: usize) -> &[BigInt] {
        &self.numerators[v * self.nodes..(v + 1) * self.nodes]
    }

    /// Multiplies two matrices of the same size.
    pub(crate) fn times(&self, right: &Self) -> Self {
        let mut numerators = vec![BigInt::zero(); self.numerators.len()];
        multiply(&self.numerators, &right.numerators, self.nodes, self.nodes, &mut numerators);
        Self { nodes: self.nodes, numerators, denominator: &self.denominator * &right.denominator }
    }

    /// Returns the first `count` powers `W^0, W^1, ...`, or an error if they are too many.
    pub(crate) fn powers(
        &self,
        count: usize,
    ) -> Result<impl Iterator<Item = Self>, ReferenceError> {
        check_work(self.nodes, self.nodes, count)?;
        let first = Self::identity(self.nodes)?;
        Ok(std::iter::successors(Some(first), |power| Some(self.times(power))).take(count))
    }

    /// Computes `W^exponent`.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::TooLarge`] if it takes too long.
    pub fn power(&self, exponent: usize) -> Result<Self, ReferenceError> {
        let last = self.powers(exponent.saturating_add(1))?.last();
        last.map_or_else(|| Self::identity(self.nodes), Ok)
    }

    /// Returns `W_{0:t} = W_{t-1} ... W_0` for t = 0, 1, ..., one for each of `steps`. The last
    /// step is not applied.
    pub(crate) fn products<'a>(
        nodes: usize,
        steps: impl ExactSizeIterator<Item = Step<'a>>,
    ) -> Result<Vec<Self>, ReferenceError> {
        check_work(nodes, nodes, steps.len())?;
        let mut products = vec![Self::identity(nodes)?];
        let mut known: Option<(Step<'a>, Self)> = None;
        let count = steps.len();
        for step in steps.take(count.saturating_sub(1)) {
            let matrix = match known.take() {
                Some((same, matrix)) if same.is_same_network(&step) => matrix,
                _ => Self::of_step(step)?,
            };
            products.push(matrix.times(&products[products.len() - 1]));
            known = Some((step, matrix));
        }
        Ok(products)
    }
}

/// Returns the least common multiple of all `shift + max(d_v, d_w)` over the edges.
fn common_denominator(graph: &Graph, shift: usize) -> BigInt {
    let inverse = |(v, w)| inverse_weight(shift, graph.degree(v), graph.degree(w));
    let inverses: BTreeSet<usize> = graph.edges().map(inverse).collect();
    inverses.into_iter().fold(BigInt::one(), |lcm, inverse| lcm.lcm(&inverse.into()))
}
