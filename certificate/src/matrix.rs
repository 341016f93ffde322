//! Gossip matrices in whole numbers, from the graph.

use crate::{MAX_BITS, Refusal, question, rules::row_product};
use muffliato_model::{Fraction, Graph, Protocol, Step, WeightScheme};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use std::collections::BTreeSet;

/// `W` as numerators over one denominator: for each node, the entries of its row that are not 0. W
/// is symmetric, so that its rows are its columns.
pub(crate) struct Matrix {
    pub rows: Vec<Vec<(u32, BigInt)>>,
    pub denominator: BigInt,
}

impl Matrix {
    pub fn of_step(step: Step<'_>) -> Result<Self, Refusal> {
        match step {
            Step::Network(network) => Self::of_scheme(network.graph(), network.weights()),
            Step::EdgeAverage { nodes, edge: (u, v) } => {
                let row = |w: usize| match w {
                    _ if w == u => vec![(u as u32, BigInt::one()), (v as u32, BigInt::one())],
                    _ if w == v => vec![(v as u32, BigInt::one()), (u as u32, BigInt::one())],
                    _ => vec![(w as u32, BigInt::from(2))],
                };
                Ok(Self { rows: (0..nodes).map(row).collect(), denominator: BigInt::from(2) })
            }
        }
    }

    /// Creates the matrix of a scheme. Each row begins with the entry on the diagonal, even if it is 0.
    fn of_scheme(graph: &Graph, scheme: &WeightScheme) -> Result<Self, Refusal> {
        let larger = |v, w| graph.degree(v).max(graph.degree(w));
        match scheme {
            WeightScheme::Metropolis => Self::of_inverses(graph, |v, w| 1 + larger(v, w)),
            WeightScheme::MaxDegreeInverse => Self::of_inverses(graph, larger),
            WeightScheme::Lazy(inner) => {
                // (I + W) / 2
                let mut matrix = Self::of_scheme(graph, inner)?;
                for row in &mut matrix.rows {
                    row[0].1 += &matrix.denominator;
                }
                matrix.denominator *= 2;
                Ok(matrix)
            }
            WeightScheme::Custom(weights) => {
                let mut edge_weights = weights.off_diagonal().iter();
                let mut rows = Vec::with_capacity(graph.nodes());
                for (v, &own) in weights.diagonal().iter().enumerate() {
                    let mut row = vec![(v as u32, BigInt::from(own))];
                    for (w, &weight) in graph.neighbours(v).zip(&mut edge_weights) {
                        if weight != 0 {
                            row.push((w as u32, BigInt::from(weight)));
                        }
                    }
                    rows.push(row);
                }
                Ok(Self { rows, denominator: weights.denominator().into() })
            }
            _ => Err(question("unknown weights")),
        }
    }

    /// Creates the matrix whose edge vw has the weight `1 / inverse(v, w)`; the rest of each row is on
    /// the diagonal.
    fn of_inverses(
        graph: &Graph,
        inverse: impl Fn(usize, usize) -> usize,
    ) -> Result<Self, Refusal> {
        let inverses: BTreeSet<usize> = graph.edges().map(|(v, w)| inverse(v, w)).collect();
        let denominator = common_multiple(inverses.into_iter().map(BigInt::from))?;
        let row = |v: usize| {
            let mut row = vec![(v as u32, denominator.clone())];
            for w in graph.neighbours(v) {
                let weight = &denominator / BigInt::from(inverse(v, w));
                row[0].1 -= &weight;
                row.push((w as u32, weight));
            }
            row
        };
        Ok(Self { rows: (0..graph.nodes()).map(row).collect(), denominator })
    }

    /// Returns `denominator * W x`.
    pub fn times(&self, x: &[BigInt]) -> Vec<BigInt> {
        self.rows.iter().map(|row| row_product(row, x)).collect()
    }
}

/// Checks that a number of bits is within the limit.
pub(crate) fn check_bits(bits: u64) -> Result<(), Refusal> {
    if bits > MAX_BITS {
        return Err(Refusal::TooManyBits { bits });
    }
    Ok(())
}

/// Returns the least common multiple of positive numbers, or an error if it is too long.
pub(crate) fn common_multiple(numbers: impl Iterator<Item = BigInt>) -> Result<BigInt, Refusal> {
    let mut multiple = BigInt::one();
    for number in numbers {
        multiple = multiple.lcm(&number);
        check_bits(multiple.bits())?;
    }
    Ok(multiple)
}

/// The factors of the states of nodes at an input, over one denominator; none without reactions.
pub(crate) struct Reactions {
    factors: Vec<BigInt>,
    pub denominator: BigInt,
}

impl Reactions {
    pub fn of(protocol: &Protocol) -> Result<Self, Refusal> {
        let factors = protocol.reaction().unwrap_or(&[]);
        let denominator = common_multiple(factors.iter().map(|c| c.denominator().into()))?;
        let whole = |factor: &Fraction| {
            let (above, below) = (factor.numerator(), factor.denominator());
            BigInt::from(above) * (&denominator / BigInt::from(below))
        };
        Ok(Self { factors: factors.iter().map(whole).collect(), denominator })
    }

    /// Multiplies each number by the factor of its node, times the denominator.
    pub fn apply(&self, numbers: &mut [BigInt]) {
        for (number, factor) in numbers.iter_mut().zip(&self.factors) {
            *number *= factor;
        }
    }
}

/// The matrices of the steps of a protocol, made once for each network.
pub(crate) struct Matrices<'a> {
    protocol: &'a Protocol,
    known: Option<(usize, Matrix)>,
}

impl<'a> Matrices<'a> {
    pub fn of(protocol: &'a Protocol) -> Self {
        Self { protocol, known: None }
    }

    /// Returns the matrix of the step at time t.
    pub fn at(&mut self, t: usize) -> Result<&Matrix, Refusal> {
        let step = self.protocol.step(t);
        let known = self.known.take();
        let known = known.filter(|(s, _)| step.is_same_network(&self.protocol.step(*s)));
        let matrix = match known {
            Some((_, matrix)) => matrix,
            None => Matrix::of_step(step)?,
        };
        Ok(&self.known.insert((t, matrix)).1)
    }
}
