//! Views under secure summation: the rows of weighted sums from those of the messages (trusted).
//!
//! The sum that member v learns at a step is `s_v = sum_w W_vw y_w` over the senders w outside. With
//! C the matrix of these weights, the Gram matrix is `C G C^T` and a column `C a`. No weight is
//! negative, and rows and columns of C sum to at most 1, so `||C|| <= 1`: errors and norms of columns
//! do not grow. Sums are computed in pairs, with
//!
//! ```text
//! error of (C G C^T)_ij <= sum_ab C_ia C_jb (error_ab + k 2^-101 |G_ab|),      k roundings
//! ```

use super::pair::Pair;
use super::rows::{ColumnBlock, Columns, Gram, Messages, Rows, UNDERFLOW};
use crate::{FastError, Progress, UNIT_ROUNDOFF, arithmetic::Real, steps::Steps};
use muffliato_model::{Observer, Protocol};

/// Covers the roundings of computed error bounds.
const SLACK: f64 = 1.0 + 1e-9;

/// The rows of messages, and their weights in a sum.
type Terms = Vec<(usize, Pair)>;

/// The weights of each sum on the messages.
pub(crate) struct Combination {
    /// For each sum, the rows of its messages and their weights.
    terms: Vec<Terms>,
    /// The members that learn a sum, by time.
    pub members: Vec<Vec<usize>>,
    /// The first row of each round among the messages, and among the sums.
    first_rows: Vec<(usize, usize)>,
    /// Largest number of roundings of a weighted sum, its weights included.
    roundings: f64,
}

impl Combination {
    /// Returns the sums that an observer learns of its messages. A sum of no message is left out, and
    /// so is one that another member learns, too.
    pub fn of(
        protocol: &Protocol,
        observer: &Observer,
        messages: &Messages,
    ) -> Result<Self, FastError> {
        let steps = Steps::<Pair>::of(protocol)?;
        let (mut terms, mut members) = (Vec::new(), Vec::new());
        let mut starts = vec![0];
        let mut roundings = 0.0_f64;
        let mut last: Option<Vec<(usize, Terms)>> = None;
        for (t, senders) in messages.senders.iter().enumerate() {
            let step = protocol.step(t);
            let again = t > 0 && step.is_same_network(&protocol.step(t - 1));
            let sums = match last.take().filter(|_| again) {
                Some(sums) => sums,
                None => {
                    let mut sums: Vec<(usize, Terms)> = Vec::new();
                    for &member in observer.members() {
                        let (weights, rounded) = steps.at(t).weights_of(member);
                        let heard = weights
                            .into_iter()
                            .filter(|(w, weight)| !observer.contains(*w) && weight.high() > 0.0);
                        let heard: Vec<_> = heard
                            .filter_map(|(w, weight)| {
                                Some((senders.binary_search(&w).ok()?, weight))
                            })
                            .collect();
                        roundings = roundings.max((rounded + heard.len() as u64 + 4) as f64);
                        let alike = |(_, other): &(usize, Terms)| {
                            let same = |(a, b): (&(usize, Pair), &(usize, Pair))| {
                                a.0 == b.0 && (heard.len() == 1 || a.1 == b.1)
                            };
                            other.len() == heard.len() && other.iter().zip(&heard).all(same)
                        };
                        if !heard.is_empty() && !sums.iter().any(alike) {
                            sums.push((member, heard));
                        }
                    }
                    sums
                }
            };
            let row = messages.offsets[t];
            terms.extend(sums.iter().map(|(_, heard)| {
                heard.iter().map(|&(place, weight)| (row + place, weight)).collect::<Vec<_>>()
            }));
            starts.push(terms.len());
            members.push(sums.iter().map(|(member, _)| *member).collect());
            last = Some(sums);
        }
        let rounds = messages.first_rows.iter().enumerate();
        let first = |(round, &row): (usize, &usize)| (row, starts[round * protocol.gossip_steps()]);
        let first_rows = rounds.map(first).collect();
        Ok(Self { terms, members, first_rows, roundings })
    }
}

/// The rows of sums.
pub(crate) struct Sums<'a> {
    pub messages: Box<dyn Rows + 'a>,
    pub combination: &'a Combination,
    /// Whether the messages are in pairs.
    pub in_pairs: bool,
}

impl Sums<'_> {
    /// Returns the relative error of a weighted sum.
    fn rounding(&self) -> f64 {
        let last = if self.in_pairs { 0.0 } else { 1.01 * UNIT_ROUNDOFF };
        2.0 * self.combination.roundings * Pair::UNIT + last
    }
}

impl Rows for Sums<'_> {
    fn gram(&self, progress: &dyn Progress) -> Result<Gram, FastError> {
        let of_messages = self.messages.gram(progress)?;
        let terms = &self.combination.terms;
        let mut gram = Gram::zeros(terms.len(), self.in_pairs);
        for (i, left) in terms.iter().enumerate() {
            for (j, right) in terms.iter().enumerate().take(i + 1) {
                let mut sum = Pair::default();
                let (mut error, mut size) = (0.0_f64, 0.0_f64);
                for &(a, of_a) in left {
                    for &(b, of_b) in right {
                        let place = a * of_messages.size + b;
                        let low = of_messages.low.get(place).copied().unwrap_or(0.0);
                        let entry = Pair { high: of_messages.high[place], low };
                        let weight = of_a * of_b;
                        sum += weight * entry;
                        error += weight.high * of_messages.error[place];
                        size += weight.high * entry.high.abs();
                    }
                }
                let terms = 2.0 + (left.len() * right.len()) as f64;
                let rounding = terms * Pair::UNIT + 2.0 * self.rounding();
                let error = (error + rounding * size) * SLACK + UNDERFLOW;
                gram.set(i, j, (sum.high, sum.low), error);
            }
        }
        Ok(gram)
    }

    fn columns(&self, sources: &[usize], progress: &dyn Progress) -> Result<Columns, FastError> {
        let of_messages = self.messages.columns(sources, progress)?;
        let (long, size) = (of_messages.size, self.combination.terms.len());
        let summed = |(round, block): (usize, &ColumnBlock)| {
            let (first, own_first) = self.combination.first_rows[round];
            let mut sums = ColumnBlock::zeros(sources.len() * size, self.in_pairs);
            for source in 0..sources.len() {
                for (k, terms) in self.combination.terms[own_first..].iter().enumerate() {
                    let mut sum = Pair::default();
                    for &(row, weight) in terms {
                        let place = source * long + row - first;
                        let low = block.low.get(place).copied().unwrap_or(0.0);
                        sum += weight * Pair { high: block.high[place], low };
                    }
                    sums.set(source * size + k, (sum.high, sum.low));
                }
            }
            sums.norms = block.norms.iter().map(|norm| norm * SLACK).collect();
            sums
        };
        let blocks: Vec<ColumnBlock> = of_messages.blocks.iter().enumerate().map(summed).collect();
        Ok(Columns::new(size, blocks))
    }

    fn column_error(&self) -> f64 {
        (self.messages.column_error() + self.rounding()) * SLACK
    }

    fn underflow(&self) -> f64 {
        2.0 * self.messages.underflow() + UNDERFLOW
    }

    fn column_floats(&self) -> usize {
        self.messages.column_floats()
    }
}
