//! The parts of a view: the Gram matrix of its messages, and the columns of its sources (trusted).

use super::sums::Combination;
use crate::{
    FastError, Progress,
    arithmetic::{enlarged_root, inner},
};
use muffliato_model::{Draw, Fraction, Graph, Observer, Protocol};
use std::sync::{Arc, OnceLock};

/// Largest effect of underflow on any entry, if values do not grow: fewer than 2^60 operations of
/// at most 2^-1060 each, times variances below 2^254.
pub(crate) const UNDERFLOW: f64 = f64::from_bits(323 << 52); // 2^-700

/// A symmetric matrix `high + low`, and a bound on the error of each entry.
pub(crate) struct Gram {
    pub size: usize,
    pub high: Vec<f64>,
    /// Empty in single precision.
    pub low: Vec<f64>,
    pub error: Vec<f64>,
}

impl Gram {
    pub fn zeros(size: usize, pairs: bool) -> Self {
        Self {
            size,
            high: vec![0.0; size * size],
            low: vec![0.0; if pairs { size * size } else { 0 }],
            error: vec![0.0; size * size],
        }
    }

    /// Stores an entry on both sides of the diagonal.
    pub fn set(&mut self, i: usize, j: usize, (high, low): (f64, f64), error: f64) {
        for place in [i * self.size + j, j * self.size + i] {
            self.high[place] = high;
            self.error[place] = error;
            if let Some(entry) = self.low.get_mut(place) {
                *entry = low;
            }
        }
    }
}

/// Coefficients of the inputs of some sources in the messages.
///
/// The input of round r reaches the messages from `first_rows[r]` on; its coefficients there are
/// the leading entries of a column of `size` entries, one column per source. With the same matrix
/// at every step, all rounds share the columns of the first.
pub(crate) struct Columns {
    pub size: usize,
    /// One block of columns for each round, or one for all.
    pub blocks: Vec<ColumnBlock>,
}

/// Columns `high + low`, one after the other.
pub(crate) struct ColumnBlock {
    pub high: Vec<f64>,
    /// Empty in single precision.
    pub low: Vec<f64>,
    /// For each column, an upper bound on the Euclidean norm of a vector that dominates it in
    /// absolute value entry by entry.
    pub norms: Vec<f64>,
    /// Number of leading zeros of each column.
    pub silent: Vec<usize>,
}

impl ColumnBlock {
    /// Returns columns of `entries` zeros in total.
    pub fn zeros(entries: usize, pairs: bool) -> Self {
        Self {
            high: vec![0.0; entries],
            low: vec![0.0; if pairs { entries } else { 0 }],
            norms: Vec::new(),
            silent: Vec::new(),
        }
    }

    pub fn set(&mut self, place: usize, (high, low): (f64, f64)) {
        self.high[place] = high;
        if let Some(entry) = self.low.get_mut(place) {
            *entry = low;
        }
    }
}

impl Columns {
    /// Creates columns of `size` entries.
    pub fn new(size: usize, blocks: impl IntoIterator<Item = ColumnBlock>) -> Self {
        let silent = |column: &[f64]| column.iter().take_while(|&&entry| entry == 0.0).count();
        let block = |block: ColumnBlock| ColumnBlock {
            silent: block.high.chunks_exact(size.max(1)).map(silent).collect(),
            ..block
        };
        Self { size, blocks: blocks.into_iter().map(block).collect() }
    }

    /// Returns `true` if entries have low parts.
    pub fn in_pairs(&self) -> bool {
        self.blocks.iter().any(|block| !block.low.is_empty())
    }

    fn block(&self, round: usize) -> &ColumnBlock {
        &self.blocks[round.min(self.blocks.len() - 1)]
    }

    /// Returns the column of the source at this index, and its low parts, if any.
    pub fn get(&self, round: usize, place: usize) -> (&[f64], Option<&[f64]>) {
        let column = place * self.size..(place + 1) * self.size;
        let ColumnBlock { high, low, .. } = self.block(round);
        (&high[column.clone()], low.get(column))
    }

    /// Returns the bound on the norm of a column.
    pub fn norm(&self, round: usize, place: usize) -> f64 {
        self.block(round).norms[place]
    }

    /// Returns the number of leading zeros: messages before the source is first heard.
    pub fn silent(&self, round: usize, place: usize) -> usize {
        self.block(round).silent.get(place).copied().unwrap_or(0)
    }
}

/// The messages of a view: the senders at each time, in the order of their rows.
pub(crate) struct Messages {
    pub senders: Vec<Vec<usize>>,
    /// The row of the first message of each time, and the number of all messages.
    pub offsets: Vec<usize>,
    /// The row of the first message that each round's input can reach.
    pub first_rows: Vec<usize>,
    /// The observers whose draws are known.
    pub known: Vec<usize>,
    /// For each round the edges whose masks no observer knows; empty without masks.
    pub masked: Vec<Arc<Graph>>,
    /// `(W^t)_{., N(v)}` for all t, rounded to floats, if small enough to keep, and whether they were
    /// computed in pairs.
    pub powers: OnceLock<(bool, Vec<Vec<f64>>)>,
    /// The messages that these rows are weighted sums of, under secure summation.
    pub summed: Option<Box<(Messages, Combination)>>,
}

impl Messages {
    /// Returns the messages to an observer.
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Self, FastError> {
        if observer.sees_sums() {
            let messages = Self::of(protocol, &observer.with_messages())?;
            let sums = Combination::of(protocol, observer, &messages)?;
            let members = sums.members.clone();
            let mut rows = Self::with_senders(protocol, observer, members)?;
            rows.summed = Some(Box::new((messages, sums)));
            return Ok(rows);
        }
        let times = 0..protocol.steps();
        let senders: Vec<_> = match protocol.fixed_network() {
            Some(_) => vec![protocol.step(0).senders_to(observer.members()); times.len()],
            None => times.map(|t| protocol.step(t).senders_to(observer.members())).collect(),
        };
        Self::with_senders(protocol, observer, senders)
    }

    fn with_senders(
        protocol: &Protocol,
        observer: &Observer,
        senders: Vec<Vec<usize>>,
    ) -> Result<Self, FastError> {
        let mut offsets = vec![0];
        for at in &senders {
            offsets.push(offsets[offsets.len() - 1] + at.len());
        }
        let rounds = 0..protocol.rounds();
        let first_rows = rounds.map(|round| offsets[round * protocol.gossip_steps()]).collect();
        Ok(Self {
            senders,
            offsets,
            first_rows,
            known: if observer.knows_own_noise() {
                observer.members().to_vec()
            } else {
                Vec::new()
            },
            masked: masked(protocol, observer)?,
            powers: OnceLock::new(),
            summed: None,
        })
    }

    /// Returns the number of messages.
    pub fn size(&self) -> usize {
        self.offsets[self.senders.len()]
    }
}

/// Returns `H - V` of every round.
fn masked(protocol: &Protocol, observer: &Observer) -> Result<Vec<Arc<Graph>>, FastError> {
    let observes: Vec<bool> = (0..protocol.nodes()).map(|w| observer.contains(w)).collect();
    let mut rounds: Vec<Arc<Graph>> = Vec::new();
    for round in 0..protocol.rounds() {
        match (rounds.first(), protocol.fixed_network()) {
            (Some(first), Some(_)) => rounds.push(Arc::clone(first)),
            _ => {
                let graph = protocol.mask_graph(round)?;
                let hidden = graph.map(|graph| graph.isolating(&observes));
                rounds.extend(hidden.transpose()?.map(Arc::new));
            }
        }
    }
    Ok(rounds)
}

/// Returns the variance of the noise of each step, 0 for none, of a protocol with uniform noise.
pub(crate) fn uniform_variances(protocol: &Protocol) -> Vec<Fraction> {
    (0..protocol.steps()).map(|time| protocol.variance(Draw::Own { time, node: 0 })).collect()
}

/// A protocol and an observer, ready to be assembled in some precision.
pub(crate) trait Rows: Sync {
    /// Computes the Gram matrix of the messages, without the draws that the observer knows.
    fn gram(&self, progress: &dyn Progress) -> Result<Gram, FastError>;

    /// Computes the columns of these sources. All entries are within [`Rows::column_error`] times
    /// the norm of their column, plus underflow.
    fn columns(&self, sources: &[usize], progress: &dyn Progress) -> Result<Columns, FastError>;

    /// Returns the relative error of columns.
    fn column_error(&self) -> f64;

    /// Bounds the effect of underflow on an entry.
    fn underflow(&self) -> f64;

    /// Returns the number of floats in the columns of a source.
    fn column_floats(&self) -> usize;

    /// Returns `true` if columns need only be gathered, so that small batches cost no more.
    fn at_hand(&self) -> bool {
        false
    }
}

/// Returns an upper bound on the Euclidean norm of a slice.
#[inline(always)]
pub(crate) fn norm_up(entries: &[f64]) -> f64 {
    root_up(inner(entries, entries), entries.len())
}

/// Returns an upper bound on the norm, given the sum of squares in any order.
pub(crate) fn root_up(square: f64, entries: usize) -> f64 {
    enlarged_root(square.sqrt(), entries)
}
