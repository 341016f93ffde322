//! Noise at the inputs alone: multiprecision within a budget of work, and estimates beyond it.

use super::fast::{group_losses, single_losses};
use super::{Asked, Fast, ViewLosses};
use muffliato_fast::{CertifiedView, FastError, OneShot, OneShotOptions};

impl Fast<'_> {
    /// Computes certified losses in multiprecision; `None` beyond the budget.
    pub(super) fn multiprecision(&self, asked: Asked<'_>) -> Result<Option<ViewLosses>, FastError> {
        let view = match CertifiedView::watched(
            self.protocol,
            asked.observer,
            &self.limits,
            asked.progress,
        ) {
            Ok(view) => view,
            Err(FastError::TooMuchWork { .. } | FastError::TooMuchMemory { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        Ok(Some(ViewLosses {
            messages: self.protocol.messages_to(asked.observer)?,
            rank: Some(view.rank()),
            losses: group_losses(asked.sets, |set| view.group_loss(set))?,
        }))
    }

    /// Estimates losses of one-shot protocols, with lower ends by attacks.
    pub(super) fn one_shot(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let options =
            OneShotOptions { memory_limit: self.limits.memory, ..OneShotOptions::default() };
        let engine = OneShot::try_new(self.protocol, options)?.watched(asked.progress);
        let view = match engine.attacked(asked.observer) {
            Err(FastError::TooMuchMemory { .. }) => engine.towards(asked.observer),
            found => found,
        }?;
        Ok(ViewLosses {
            messages: self.protocol.messages_to(asked.observer)?,
            rank: None,
            losses: single_losses(asked.sets, view.losses())?,
        })
    }
}
