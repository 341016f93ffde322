//! A basis of the observed rows: Gram-Schmidt on the rows of new messages, with as many digits as
//! needed.

use super::limits::MultiprecisionLimits;
use super::messages::{Denominators, Heard, HiddenMasks, Messages, News};
use super::projection::Projection;
use super::space::{Space, Verdict};
use super::vector::RoundedVector;
use crate::{FastError, Progress};
use muffliato_model::{Observer, Protocol};

/// Initial precision in bits.
const FIRST_PRECISION: usize = 256;

/// A proved basis of the row space.
pub(super) struct Basis {
    pub projection: Projection,
    pub precision: usize,
    /// The messages that were new.
    pub news: News,
    /// Number of masks known to the observer: each is one more dimension of the view.
    pub known_masks: usize,
}

/// An observer, and the limits and progress of its computations.
pub(super) struct Task<'a> {
    pub observer: &'a Observer,
    pub limits: &'a MultiprecisionLimits,
    pub progress: &'a dyn Progress,
}

impl Task<'_> {
    /// Computes the basis of a protocol of one round, proving which messages are new.
    pub fn of_one_round(&self, protocol: &Protocol) -> Result<Basis, FastError> {
        crate::checks::single_messages(self.observer, "multiprecision")?;
        let rows = protocol.messages_to(self.observer)?;
        self.solve(protocol, None, |_| rows)
    }

    /// Computes the basis of a protocol of several rounds, given the new messages of each round
    /// alone.
    pub fn of_rounds(&self, protocol: &Protocol, news: &[News]) -> Result<Basis, FastError> {
        let rows: Vec<usize> = news.iter().map(|news| news.iter().map(Vec::len).sum()).collect();
        self.solve(protocol, Some(news), |round| rows[round.min(rows.len() - 1)])
    }

    fn solve(
        &self,
        protocol: &Protocol,
        news: Option<&[News]>,
        rows: impl Fn(usize) -> usize,
    ) -> Result<Basis, FastError> {
        let mut precision = FIRST_PRECISION;
        loop {
            self.limits.check(protocol, self.observer, &rows, precision)?;
            if let Some(basis) = self.attempt(protocol, news, precision)? {
                return Ok(basis);
            }
            precision *= 2;
        }
    }

    /// Computes the basis, or `None` if it needs more digits.
    fn attempt(
        &self,
        protocol: &Protocol,
        given: Option<&[News]>,
        precision: usize,
    ) -> Result<Option<Basis>, FastError> {
        let observer = self.observer;
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let messages = Messages::of(protocol, given, precision)?;
        let mut denominators = match given {
            None => Some(Denominators::new(protocol, &messages)),
            Some(_) => None,
        };
        let masks = HiddenMasks::of(protocol, observer)?;
        let mut space = Space::new(precision);
        let mut heard: Vec<Heard> = Vec::new();
        let mut news = News::new();
        let mut draws = 0;
        for t in 0..steps {
            self.progress.check(t, steps)?;
            if protocol.has_input(t) {
                draws += nodes;
                let known = observer.members().iter();
                for node in known.filter(|_| observer.knows_own_noise()) {
                    let row = RoundedVector::unit(draws - nodes + node, draws, precision);
                    if space.add(&row, Some(0)) == Verdict::Unclear {
                        return Ok(None);
                    }
                }
            }
            heard = messages.at(t, observer, heard);
            let mut followed = Vec::with_capacity(heard.len());
            let mut new = Vec::new();
            for message in heard {
                if space.vectors.len() == draws {
                    break;
                }
                let bits = denominators.as_ref().map(|all| all.bits(message.sender));
                let verdict = match &masks {
                    None => space.add(&message.row, bits),
                    Some(masks) => {
                        let bits = bits.map(|bits| bits + masks.denominator_bits());
                        space.add(&masks.row(&message.row), bits)
                    }
                };
                match verdict {
                    Verdict::Unclear => return Ok(None),
                    Verdict::Dependent if messages.dependence_lasts() => continue,
                    Verdict::Dependent => {}
                    Verdict::Added => new.push(message.sender),
                }
                followed.push(message);
            }
            news.push(new);
            heard = followed;
            if heard.is_empty() && messages.dependence_lasts() {
                break;
            }
            if let Some(denominators) = &mut denominators {
                denominators.pass(t);
            }
        }
        let shared = masks.as_ref().map_or(0, HiddenMasks::len);
        let projection = Projection::of(&space, protocol.rounds() * nodes + shared);
        Ok(projection.map(|projection| Basis {
            projection,
            precision,
            news,
            known_masks: masks.as_ref().map_or(0, |masks| masks.known),
        }))
    }
}
