//! Closed forms: the formulas of the paper, and the bounds for refreshed and for masked protocols.

use super::budgets::{MANY, MOST_AT_ONCE};
use super::{Asked, Closed, Fast, Formula};
use crate::{AccountError, Number, number::at_most};
use muffliato_fast::{
    AllPairs, Enclosure, FastError, Progress,
    bounds::{PaperBounds, RefreshedBounds},
};
use muffliato_model::{NotUniform, Observer, Protocol};
use std::sync::OnceLock;

/// The formulas of the paper for one protocol.
pub(super) struct Formulas {
    /// `None` for a noise plan.
    bounds: Option<PaperBounds<'static>>,
    all_pairs: OnceLock<Option<AllPairs>>,
    /// Whether Theorem 1 is computed for all pairs at once.
    at_once: bool,
}

impl Formulas {
    /// Prepares the formulas for this number of observers, each with at most `memory` bytes.
    pub fn of(protocol: &Protocol, observers: usize, memory: u128) -> Result<Self, FastError> {
        Ok(Self {
            bounds: match PaperBounds::of(protocol) {
                Err(FastError::NotUniform(_)) => None,
                bounds => Some(bounds?.with_memory_limit(memory)),
            },
            all_pairs: OnceLock::new(),
            at_once: observers >= MANY && protocol.nodes() <= MOST_AT_ONCE,
        })
    }

    /// Computes Theorem 1 for every node.
    fn theorem_1(
        &self,
        observer: &Observer,
        progress: &dyn Progress,
    ) -> Result<Vec<Enclosure>, FastError> {
        let bounds = self.paper(progress)?;
        if let ([member], true) = (observer.members(), self.at_once)
            && let Some(all) = self.all_pairs.get_or_init(|| bounds.all_pairs().ok())
        {
            return Ok(all.observed_by(*member));
        }
        bounds.pairwise_all(observer)
    }

    /// Returns the formulas, which are for uniform noise.
    fn paper<'b>(&self, progress: &'b dyn Progress) -> Result<PaperBounds<'b>, FastError> {
        let bounds = self.bounds.as_ref().ok_or(NotUniform)?;
        Ok(bounds.watched(progress))
    }
}

impl Fast<'_> {
    /// Computes a closed form for each set.
    pub(super) fn closed_form(
        &self,
        formula: Formula,
        asked: Asked<'_>,
    ) -> Result<Closed, AccountError> {
        asked.observer.check(self.protocol.nodes()).map_err(FastError::from)?;
        let all = match formula {
            Formula::Theorem1 => self.formulas.theorem_1(asked.observer, asked.progress),
            Formula::Corollary1 => {
                self.formulas.paper(asked.progress)?.random_walk_all(asked.observer)
            }
            Formula::FirstPassage => RefreshedBounds::of(self.protocol)?
                .watched(asked.progress)
                .first_passage_all(asked.observer),
            Formula::Masked => {
                let uppers = self.masked_uppers(asked)?.into_iter();
                return Ok(uppers.map(|upper| Some(at_most(upper.upper()))).collect());
            }
        };
        let all = match all {
            Err(FastError::NoNeighbour { .. } | FastError::ZeroWeight { .. }) => {
                return Ok(vec![None; asked.sets.len()]);
            }
            all => all?,
        };
        let number = |ends: Enclosure| Number::estimated(ends.value(), ends);
        let found = asked.sets.iter().map(|set| match set {
            [source] => Ok(Some(number(all[*source]))),
            set if formula == Formula::Theorem1 => {
                let bounds = self.formulas.paper(asked.progress)?;
                Ok(Some(number(bounds.group(set, asked.observer)?)))
            }
            _ => Ok(None),
        });
        found.collect()
    }
}
