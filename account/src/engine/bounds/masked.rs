//! The bound for masked states, for any loss functions.

use super::Proved;
use crate::engine::budgets::{MANY, MODELLED, MOST_MASKED};
use crate::engine::{Asked, Fast, ViewLosses};
use crate::{AccountError, Loss, noise_law::ProvedFor};
use muffliato_fast::{FastError, GramView, MaskedBounds, MaskedPairs, reached};
use muffliato_model::{LossModel, Protocol};

/// Radius of the trees that bound pairs on larger graphs.
const RADIUS: usize = 3;

/// The bound of one protocol.
pub(in crate::engine) struct Masked {
    bounds: MaskedBounds<'static>,
    /// All pairs, if they were bounded at once.
    pairs: Option<MaskedPairs>,
}

impl Masked {
    /// Prepares the bound for this number of observers; `None` without masks.
    pub fn of(protocol: &Protocol, observers: usize) -> Result<Option<Self>, FastError> {
        if protocol.masks().is_none() {
            return Ok(None);
        }
        let bounds = MaskedBounds::of(protocol)?;
        // All pairs at once cost little more than two observers.
        let many = observers > 1 && protocol.nodes() <= MOST_MASKED;
        let pairs = match many.then(|| bounds.all_pairs()) {
            Some(Err(FastError::NotApplicable { .. } | FastError::TooMuchMemory { .. })) | None => {
                None
            }
            Some(found) => Some(found?),
        };
        Ok(Some(Self { bounds, pairs }))
    }
}

impl Fast<'_> {
    /// Computes losses of a masked protocol: the loss itself for averaging with noise at every
    /// step, and for one-shot noise within the budget of multiprecision. Otherwise returns the
    /// bound, with the loss in the model of fixed gradients as lower end if that is cheap.
    pub(in crate::engine) fn masked(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let uppers = self.masked_uppers(asked)?;
        let drawn = |t| self.protocol.draws(t);
        let steps = 0..self.protocol.steps();
        if self.protocol.rounds() == 1 && steps.len() > 1 && { steps }.all(drawn) {
            let mut seen = self.certified(asked)?;
            for (loss, &upper) in seen.losses.iter_mut().zip(&uppers) {
                if loss.upper() > upper.upper() {
                    *loss = Loss::between(loss.lower().min(upper.upper()), upper, loss.model());
                }
            }
            return Ok(seen);
        }
        // Fixed gradients are a special case of all loss functions.
        let once = self.protocol.rounds() == 1 && !self.protocol.is_refreshed();
        let modelled = if once && self.protocol.uniform().is_ok() {
            self.multiprecision(asked)?
        } else if (once || (0..self.protocol.steps()).all(drawn))
            // The Gram matrix of few steps is often regular.
            && GramView::work(self.protocol, asked.observer)? <= MODELLED
        {
            Some(self.gram(asked)?)
        } else {
            None
        };
        let heard = reached(self.protocol, asked.observer);
        let bounded = |(k, &upper): (usize, &Proved)| {
            let silent = asked.sets[k].iter().all(|&node| !heard[node]);
            let upper = if silent { Proved::SILENT } else { upper };
            let found = modelled.as_ref().map(|seen| &seen.losses[k]);
            let lower = found.map_or(0.0, Loss::lower).min(upper.upper());
            let upper = match (found, self.protocol.rounds()) {
                (Some(found), 1) => upper.min(Proved::of(found.number())),
                _ => upper,
            };
            Loss::between(lower, upper, LossModel::SingleInput)
        };
        Ok(ViewLosses {
            messages: self.protocol.messages_to(asked.observer)?,
            rank: modelled.as_ref().and_then(|seen| seen.rank),
            losses: uppers.iter().enumerate().map(bounded).collect(),
        })
    }

    /// Computes upper bounds for masked states with the corrections of a grid; infinite without
    /// masks.
    pub(in crate::engine) fn masked_bounds_for(
        &self,
        noise: ProvedFor,
        asked: Asked<'_>,
    ) -> Result<Vec<Proved>, AccountError> {
        let Some(Masked { bounds, .. }) = &self.masked else {
            return Ok(vec![Proved::NONE; asked.sets.len()]);
        };
        let mut uppers = self.masked_uppers(asked)?;
        if let Some(ratio) = noise.ratio()? {
            for (upper, set) in uppers.iter_mut().zip(asked.sets) {
                upper.0 = bounds.on_grid(upper.0, set.len(), ratio, noise.coordinates())?;
            }
        }
        Ok(uppers)
    }

    /// Computes certified upper bounds for masked protocols, for any loss functions.
    pub(in crate::engine) fn masked_uppers(
        &self,
        asked: Asked<'_>,
    ) -> Result<Vec<Proved>, FastError> {
        let Some(Masked { bounds, pairs }) = &self.masked else {
            return Err(FastError::NotApplicable {
                formula: "the bound for masked protocols",
                reason: "it has no masks; use Protocol::masked",
            });
        };
        let single = asked.are_single();
        if let (true, Some(pairs), [v]) = (single, pairs, asked.observer.members()) {
            asked.observer.check(self.protocol.nodes())?;
            return asked.each(|set| {
                let observes = FastError::SourceObserves { node: set[0] };
                pairs.upper(set[0], *v).map(Proved).ok_or(observes)
            });
        }
        let many = self.protocol.nodes() > MOST_MASKED && asked.sets.len() > MANY;
        if single && many && self.protocol.fixed_network().is_some() {
            let all = bounds.clone().watched(asked.progress).towards(asked.observer, RADIUS)?;
            return Ok(asked.sets.iter().map(|set| Proved(all[set[0]])).collect());
        }
        asked.each(|set| {
            asked.progress.check(0, 1)?;
            Ok(Proved(bounds.bound(set, asked.observer)?.upper()))
        })
    }
}
