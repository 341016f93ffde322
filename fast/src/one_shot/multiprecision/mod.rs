//! Certified leakage of one-shot protocols, with as many digits as it takes.
//!
//! Gram-Schmidt on the observed rows in fixed point, in which each stored vector knows its distance from
//! an exact vector of the row space (`space`), then a check in whole numbers that turns the basis into
//! enclosures (`projection`). Where a decision is unclear, everything is done again with twice the digits;
//! in the end each one is clear, because the weights are rational. Nothing is shared with the reference,
//! neither code nor integers.

mod gossip;
mod messages;
mod projection;
mod space;
mod vector;

use super::{OneShot, reach};
use crate::{Enclosure, FastError, Progress};
use messages::{Heard, Messages};
use muffliato_model::Observer;
use space::{Space, Verdict};
use vector::RoundedVector;

/// The digits to begin with, in bits.
const FIRST_PRECISION: usize = 256;

/// Proved leakage of every source towards one observer.
#[derive(Clone, Debug, PartialEq)]
pub struct CertifiedView {
    observer: Observer,
    enclosures: Vec<Option<Enclosure>>,
    rank: usize,
    precision: usize,
}

impl OneShot<'_> {
    /// Encloses the leakage of every source towards `observer`, each to a width of at most `1e-12`, and
    /// proves the rank of what is observed.
    ///
    /// Refused with [`FastError::TooMuchWork`] where the digits that it takes exceed
    /// [`OneShotOptions::work_limit`](super::OneShotOptions::work_limit), and with
    /// [`FastError::TooMuchMemory`] where they do not fit. `progress` is told the number of gossip steps that
    /// are done; it starts again where more digits are needed.
    pub fn certified(
        &self,
        observer: &Observer,
        progress: &impl Progress,
    ) -> Result<CertifiedView, FastError> {
        let mut precision = FIRST_PRECISION;
        loop {
            self.check_size(observer, precision)?;
            if let Some(view) = self.attempt(observer, precision, progress)? {
                return Ok(view);
            }
            precision *= 2;
        }
    }

    /// `n r^2` products of numbers of P bits, r the number of rows.
    fn check_size(&self, observer: &Observer, precision: usize) -> Result<(), FastError> {
        let nodes = self.protocol.nodes() as u128;
        let messages = self.protocol.messages_to(observer)? as u128;
        let rows = nodes.min(messages + observer.members().len() as u128);
        let words = precision as u128 / 64;
        let products = [rows, rows, words, words];
        let products = products
            .iter()
            .fold(nodes, |all, &factor| all.saturating_mul(factor));
        let limit = self.options.work_limit;
        if products > limit {
            return Err(FastError::TooMuchWork { products, limit });
        }
        let bytes = nodes.saturating_mul(rows).saturating_mul(8 * words + 32);
        let limit = self.options.memory_limit;
        if bytes > limit {
            let remedy = "take fewer steps, or an observer with fewer neighbours";
            return Err(FastError::TooMuchMemory {
                bytes,
                limit,
                remedy,
            });
        }
        Ok(())
    }

    /// The view, or `None` if it takes more digits.
    fn attempt(
        &self,
        observer: &Observer,
        precision: usize,
        progress: &impl Progress,
    ) -> Result<Option<CertifiedView>, FastError> {
        let (nodes, steps) = (self.protocol.nodes(), self.protocol.steps());
        let messages = Messages::of(self.protocol, precision)?;
        let denominators = messages.denominators();
        let mut space = Space::new(precision);
        if observer.knows_own_noise() {
            for &node in observer.members() {
                let row = RoundedVector::unit(node, nodes, precision);
                if space.add(&row, 0) == Verdict::Unclear {
                    return Ok(None);
                }
            }
        }
        let mut heard: Vec<Heard> = Vec::new();
        for t in 0..steps {
            progress.check(t, steps)?;
            if space.vectors.len() == nodes {
                break;
            }
            heard = messages.at(t, observer, heard);
            let mut followed = Vec::with_capacity(heard.len());
            for message in heard {
                if space.vectors.len() == nodes {
                    break;
                }
                match space.add(&message.row, denominators.bits(t, message.sender)) {
                    Verdict::Unclear => return Ok(None),
                    Verdict::Dependent if messages.dependence_lasts() => {}
                    _ => followed.push(message),
                }
            }
            heard = followed;
        }
        let Some(projected) = projection::enclosures(&space, nodes) else {
            return Ok(None);
        };
        let rank = space.vectors.len();
        let ends = reach::certain_ends(self.protocol, observer).into_iter();
        let enclosures = ends
            .zip(projected)
            .enumerate()
            .map(|(u, (ends, projected))| {
                (!observer.contains(u)).then(|| {
                    if rank == nodes {
                        Enclosure::exact(1.0)
                    } else {
                        projected
                            .clamped_below(ends.lower())
                            .clamped_above(ends.upper())
                    }
                })
            });
        Ok(Some(CertifiedView {
            observer: observer.clone(),
            enclosures: enclosures.collect(),
            rank,
            precision,
        }))
    }
}

impl CertifiedView {
    /// Who observes.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// An enclosure of the leakage of every node; `None` for the observers themselves.
    pub fn enclosures(&self) -> &[Option<Enclosure>] {
        &self.enclosures
    }

    /// An enclosure of the leakage of one source. An error for an observer and for a number that is no
    /// node.
    pub fn leakage(&self, source: usize) -> Result<Enclosure, FastError> {
        match self.enclosures.get(source) {
            Some(&Some(enclosure)) => Ok(enclosure),
            Some(None) => Err(FastError::SourceObserves { node: source }),
            None => Err(FastError::SourceOutOfRange {
                source_node: source,
                nodes: self.enclosures.len(),
            }),
        }
    }

    /// The rank of what is observed (messages and known draws): proved.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many bits after the binary point it took.
    pub fn precision(&self) -> usize {
        self.precision
    }
}
