//! The fast engine.
//!
//! The Gram form certifies protocols that draw noise at every step, at any size. All others
//! (one-shot noise, gradient descent with several gossip steps in a round) are certified in
//! multiprecision if that takes seconds. Beyond that their losses are estimates, for one-shot noise
//! with certified lower ends by attacks.

use super::bounds::masked::Masked;
use super::budgets::MULTIPRECISION_WORK;
use super::formulas::Formulas;
use super::{Asked, Closed, Engine, Formula, ViewLosses};
use crate::{AccountError, Loss};
use muffliato_fast::{AlibiView, FastError, GramView, MultiprecisionLimits, TARGET_WIDTH};
use muffliato_model::{Observer, Protocol};

/// Certified floating point, by `muffliato-fast`.
pub struct Fast<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) limits: MultiprecisionLimits,
    pub(super) formulas: Formulas,
    /// The bound for masked states, if two nodes share a draw.
    pub(super) masked: Option<Masked>,
}

/// The method of the fast engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The Gram form, or the cheapest alibis if they take less work: noise is drawn at every step, or
    /// the sizes of the draws differ.
    Gram,
    /// The bound for masked states, or the Gram form if it certifies more: two nodes share a draw.
    Masked,
    /// Multiprecision within a budget of work, and estimates beyond it.
    Multiprecision,
}

impl<'a> Fast<'a> {
    /// Creates the engine. `observers` views share the budget of multiprecision, and each takes at
    /// most `memory` bytes and the [limit of the process](muffliato_fast::memory::limit).
    ///
    /// # Errors
    ///
    /// Fails if the protocol is not supported.
    pub fn of(
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
    ) -> Result<Self, AccountError> {
        Ok(Self {
            protocol,
            limits: MultiprecisionLimits {
                work: MULTIPRECISION_WORK / observers.max(1) as u128,
                memory,
            },
            formulas: Formulas::of(protocol, observers, memory)?,
            masked: Masked::of(protocol, observers)?,
        })
    }

    /// Returns the method for a protocol.
    pub fn method(protocol: &Protocol) -> Method {
        let drawn = (0..protocol.steps()).all(|t| protocol.draws(t));
        if protocol.masks().is_some() {
            Method::Masked
        } else if drawn || protocol.uniform().is_err() {
            Method::Gram
        } else {
            Method::Multiprecision
        }
    }

    /// Computes certified losses of protocols that draw noise at every step.
    pub(super) fn certified(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        match self.alibis(asked)? {
            Some(seen) => Ok(seen),
            None => self.gram(asked),
        }
    }

    /// Computes losses by the cheapest alibis; `None` if the Gram form is cheaper or certifies
    /// more.
    fn alibis(&self, asked: Asked<'_>) -> Result<Option<ViewLosses>, FastError> {
        if !asked.are_single()
            || !AlibiView::applies(self.protocol)
            || AlibiView::work(self.protocol, asked.observer)?
                > GramView::work(self.protocol, asked.observer)?
        {
            return Ok(None);
        }
        let view = match AlibiView::watched(self.protocol, asked.observer, asked.progress) {
            Err(FastError::TooMuchMemory { .. }) => return Ok(None),
            view => view?,
        };
        let all = view.losses()?;
        let wide = |found: &muffliato_fast::Loss| !found.scalars.is_certified(TARGET_WIDTH);
        if all.iter().flatten().any(wide) {
            return Ok(None);
        }
        let messages = self.protocol.messages_to(asked.observer)?;
        Ok(Some(ViewLosses {
            messages,
            rank: (self.protocol.masks().is_none())
                .then(|| messages + self.known_draws(asked.observer)),
            losses: single_losses(asked.sets, &all)?,
        }))
    }

    /// Returns the number of draws that an observer knows.
    fn known_draws(&self, observer: &Observer) -> usize {
        let drawn = |&t: &usize| self.protocol.draws(t);
        if !observer.knows_own_noise() {
            return 0;
        }
        (0..self.protocol.steps()).filter(drawn).count() * observer.members().len()
    }

    /// Computes losses by the Gram form: certified if noise is drawn at every step, otherwise
    /// estimates.
    pub(super) fn gram(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let view = GramView::watched(self.protocol, asked.observer, asked.progress)?;
        let losses = gram_losses(&view, asked)?;
        Ok(ViewLosses {
            messages: view.messages(),
            rank: (view.is_certified()
                && self.protocol.masks().is_none()
                && self.protocol.uniform().is_ok())
            .then(|| view.messages() + self.known_draws(asked.observer)),
            losses,
        })
    }
}

/// Computes the losses of sets by the Gram form of a view.
pub(super) fn gram_losses(view: &GramView, asked: Asked<'_>) -> Result<Vec<Loss>, FastError> {
    if asked.are_single() {
        single_losses(asked.sets, &view.losses()?)
    } else {
        group_losses(asked.sets, |set| view.group_loss(set))
    }
}

/// Selects the losses of single sources from those of all nodes.
pub(super) fn single_losses(
    sets: &[&[usize]],
    all: &[Option<muffliato_fast::Loss>],
) -> Result<Vec<Loss>, FastError> {
    group_losses(sets, |set| match all.get(set[0]) {
        Some(found) => found.ok_or(FastError::SourceObserves { node: set[0] }),
        None => Err(FastError::SourceOutOfRange { source_node: set[0], nodes: all.len() }),
    })
}

/// Converts the losses of sets.
pub(super) fn group_losses(
    sets: &[&[usize]],
    found: impl Fn(&[usize]) -> Result<muffliato_fast::Loss, FastError>,
) -> Result<Vec<Loss>, FastError> {
    let of = |set: &&[usize]| Ok(Loss::enclosed(&found(set)?));
    sets.iter().map(of).collect()
}

impl Engine for Fast<'_> {
    fn name(&self) -> &'static str {
        "fast"
    }

    fn protocol(&self) -> &Protocol {
        self.protocol
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        match Self::method(self.protocol) {
            Method::Gram => return Ok(self.certified(asked)?),
            Method::Masked => return Ok(self.masked(asked)?),
            Method::Multiprecision => {}
        }
        if let Some(certified) = self.multiprecision(asked)? {
            return Ok(certified);
        }
        if self.protocol.rounds() == 1 && asked.are_single() {
            Ok(self.one_shot(asked)?)
        } else {
            Ok(self.gram(asked)?)
        }
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        self.closed_form(formula, asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::Network;

    /// Covers alibis, the Gram form, multiprecision and estimates.
    #[test]
    fn every_method_refuses_observing_and_unknown_sources() {
        let karate = || Network::metropolis("karate".parse().unwrap()).unwrap();
        let once = |steps| Protocol::one_shot(karate(), steps).unwrap();
        let fresh = |steps| once(steps).refreshed("0.1".parse().unwrap()).unwrap();
        let many = usize::MAX; // leaves no budget of multiprecision
        for (protocol, observers) in [(fresh(12), 1), (fresh(1), 1), (once(4), 1), (once(4), many)]
        {
            let engine = Fast::of(&protocol, observers, u128::MAX).unwrap();
            let ask = |u: usize| engine.losses(Asked::new(&Observer::full(0), &[&[u]], &()));
            assert_eq!(ask(33).unwrap().losses.len(), 1);
            assert!(matches!(
                ask(0),
                Err(AccountError::Fast(FastError::SourceObserves { node: 0 }))
            ));
            let outside = FastError::SourceOutOfRange { source_node: 34, nodes: 34 };
            assert!(matches!(ask(34), Err(AccountError::Fast(error)) if error == outside));
        }
    }
}
