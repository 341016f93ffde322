//! Errors of weights.

use super::stochastic::StochasticFlaw;
use crate::{Fraction, WeightScheme};

/// Invalid weights. Values are given as fractions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum WeightError {
    /// The common denominator is not positive.
    #[error("the common denominator of the weights is {denominator}; it must be positive")]
    Denominator { denominator: i128 },
    /// An entry lies outside the matrix.
    #[error("the weight at row {row}, column {column} lies outside the {nodes} x {nodes} matrix")]
    OutOfRange { row: usize, column: usize, nodes: usize },
    /// An entry is given twice.
    #[error("the weight at row {row}, column {column} is given twice; give it once")]
    Repeated { row: usize, column: usize },
    /// An entry is negative.
    #[error("the weight at row {row}, column {column} is {value}; weights must not be negative")]
    Negative { row: usize, column: usize, value: String },
    /// An entry is not zero where the graph has no edge.
    #[error(
        "the weight at row {row}, column {column} is {value}, but the graph has no edge {row}-{column}; add the edge or make it 0"
    )]
    NoEdge { row: usize, column: usize, value: String },
    /// The matrix is not symmetric.
    #[error(
        "the weight at row {row}, column {column} is {value}, but at row {column}, column {row} it is {mirrored}; make the matrix symmetric"
    )]
    Asymmetric { row: usize, column: usize, value: String, mirrored: String },
    /// A row does not sum to 1.
    #[error(
        "row {row} of the weights sums to {sum}; it must sum to exactly 1 (adjust the entry at row {row}, column {row})"
    )]
    RowSum { row: usize, sum: String },
    /// The common denominator or a sum does not fit into 127 bits.
    #[error("the weights have no common denominator of at most 127 bits; give simpler fractions")]
    TooLong,
    /// A scheme is nested in too many `lazy` levels.
    #[error(
        "the weight scheme has {depth} nested lazy levels; the limit is {}",
        WeightScheme::MAX_LAZY
    )]
    TooLazy { depth: usize },
    /// Custom weights belong to another graph.
    #[error("the custom weights were made for another graph; make them for this one")]
    OtherGraph,
    /// The text does not name a scheme.
    #[error(
        "{text:?} is not a weight scheme; use metropolis, max-degree-inverse, lazy or lazy:SCHEME"
    )]
    Unknown { text: String },
}

impl WeightError {
    /// Returns the error for a flaw of weights over a common denominator.
    pub(super) fn of_flaw(flaw: StochasticFlaw, denominator: i128) -> Self {
        let fraction_text = |numerator| fraction_text(numerator, denominator);
        match flaw {
            StochasticFlaw::Asymmetric { row, column, numerator, mirrored } => Self::Asymmetric {
                row,
                column,
                value: fraction_text(numerator),
                mirrored: fraction_text(mirrored),
            },
            StochasticFlaw::Negative { row, column, numerator } => {
                Self::Negative { row, column, value: fraction_text(numerator) }
            }
            StochasticFlaw::RowSum { row, sum } => Self::RowSum { row, sum: fraction_text(sum) },
            StochasticFlaw::Overflow => Self::TooLong,
        }
    }
}

/// Formats a fraction, in lowest terms if it fits.
pub(super) fn fraction_text(numerator: i128, denominator: i128) -> String {
    match Fraction::try_new(numerator, denominator) {
        Ok(fraction) => fraction.to_string(),
        Err(_) => format!("{numerator}/{denominator}"),
    }
}
