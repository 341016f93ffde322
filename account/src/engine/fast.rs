//! The fast engine.
//!
//! The Gram form certifies protocols that draw noise at every step, at any size. All others
//! (one-shot noise, gradient descent with several gossip steps in a round) are certified in
//! multiprecision if that takes seconds. Beyond that their losses are estimates, for one-shot noise
//! with certified lower ends by attacks.

use super::budgets::{MODELLED, MULTIPRECISION_WORK};
use super::{Asked, Closed, Engine, Formula, Proved, ViewLosses};
use crate::{AccountError, Loss, Number, number::at_most};
use muffliato_fast::{
    AlibiView, AllPairs, CertifiedView, Enclosure, FastError, GramView, MaskedBounds, MaskedPairs,
    MultiprecisionLimits, OneShot, OneShotOptions, Progress, TARGET_WIDTH,
    bounds::{PaperBounds, RefreshedBounds},
    reached,
};
use muffliato_model::{LossModel, NotUniform, Observer, Protocol};
use std::sync::OnceLock;

/// Smallest number of observers for which Theorem 1 is computed for all pairs at once.
pub(super) const MANY: usize = 64;

/// Largest graph on which all pairs of a masked protocol are bounded at once.
pub(crate) const MOST_MASKED: usize = 4096;

/// Largest graph on which Theorem 1 is computed for all pairs at once.
const MOST_AT_ONCE: usize = 8192;

/// Certified floating point, by `muffliato-fast`.
pub struct Fast<'a> {
    pub(super) protocol: &'a Protocol,
    observers: usize,
    limits: MultiprecisionLimits,
    /// The formulas of the paper; `None` for a noise plan.
    bounds: Option<PaperBounds<'static>>,
    all_pairs: OnceLock<Option<AllPairs>>,
    pub(super) masked: Option<MaskedBounds<'static>>,
    pub(super) masked_pairs: Option<MaskedPairs>,
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
        let masked = match protocol.masks() {
            Some(_) => Some(MaskedBounds::of(protocol)?),
            None => None,
        };
        // All pairs at once cost little more than two observers.
        let many = masked.as_ref().filter(|_| observers > 1 && protocol.nodes() <= MOST_MASKED);
        let masked_pairs = match many.map(|masked| masked.all_pairs()) {
            Some(Err(FastError::NotApplicable { .. } | FastError::TooMuchMemory { .. })) | None => {
                None
            }
            Some(found) => Some(found?),
        };
        Ok(Self {
            masked,
            masked_pairs,
            protocol,
            observers,
            limits: MultiprecisionLimits {
                work: MULTIPRECISION_WORK / observers.max(1) as u128,
                memory,
            },
            bounds: match PaperBounds::of(protocol) {
                Err(FastError::NotUniform(_)) => None,
                bounds => Some(bounds?.with_memory_limit(memory)),
            },
            all_pairs: OnceLock::new(),
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

    /// Computes losses of a masked protocol: the loss itself for averaging with noise at every
    /// step, and for one-shot noise within the budget of multiprecision. Otherwise returns the
    /// bound, with the loss in the model of fixed gradients as lower end if that is cheap.
    fn masked(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
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

    /// Estimates the nanoseconds that a view takes on one core. For multiprecision, returns the
    /// number of multiplications, each of which takes much longer.
    ///
    /// # Errors
    ///
    /// Fails if the observer is outside the graph.
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, AccountError> {
        if protocol.masks().is_some() && !protocol.is_refreshed() {
            // Trees of some hundred nodes for each source, or a share of one inverse.
            return Ok(1e5 * protocol.nodes() as f64);
        }
        let messages = protocol.messages_to(observer)? as f64;
        let nodes = protocol.nodes() as f64;
        if Self::method(protocol) == Method::Multiprecision {
            let draws = nodes * protocol.rounds() as f64;
            // The rank is at most the number of draws.
            let rows = messages.min(draws);
            let passes = match protocol.fixed_network() {
                Some(_) => protocol.rounds(),
                None => protocol.steps(),
            };
            return Ok(rows * rows * draws + rows.powi(3) + nodes * messages * passes as f64);
        }
        let gram = GramView::work(protocol, observer)?;
        if AlibiView::applies(protocol) {
            Ok(gram.min(AlibiView::work(protocol, observer)?))
        } else {
            Ok(gram)
        }
    }

    /// Computes certified losses of protocols that draw noise at every step.
    fn certified(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
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
    fn gram(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
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

    /// Computes certified losses in multiprecision; `None` beyond the budget.
    fn multiprecision(&self, asked: Asked<'_>) -> Result<Option<ViewLosses>, FastError> {
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
    fn one_shot(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
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

    /// Computes Theorem 1 for every node.
    fn theorem_1(
        &self,
        observer: &Observer,
        progress: &dyn Progress,
    ) -> Result<Vec<Enclosure>, FastError> {
        let nodes = self.protocol.nodes();
        let bounds = self.paper(progress)?;
        if self.observers >= MANY && nodes <= MOST_AT_ONCE && observer.members().len() == 1 {
            let all = self.all_pairs.get_or_init(|| bounds.all_pairs().ok());
            if let Some(all) = all {
                observer.check(nodes)?;
                return Ok(all.observed_by(observer.members()[0]));
            }
        }
        bounds.pairwise_all(observer)
    }

    /// Returns the formulas of the paper, which are for uniform noise.
    fn paper<'b>(&self, progress: &'b dyn Progress) -> Result<PaperBounds<'b>, FastError> {
        let bounds = self.bounds.as_ref().ok_or(NotUniform)?;
        Ok(bounds.watched(progress))
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
fn single_losses(
    sets: &[&[usize]],
    all: &[Option<muffliato_fast::Loss>],
) -> Result<Vec<Loss>, FastError> {
    group_losses(sets, |set| match all.get(set[0]) {
        Some(found) => found.ok_or(FastError::SourceObserves { node: set[0] }),
        None => Err(FastError::SourceOutOfRange { source_node: set[0], nodes: all.len() }),
    })
}

/// Converts the losses of sets.
fn group_losses(
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
        let all = match formula {
            Formula::Theorem1 => self.theorem_1(asked.observer, asked.progress),
            Formula::Corollary1 => self.paper(asked.progress)?.random_walk_all(asked.observer),
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
                let bounds = self.paper(asked.progress)?;
                Ok(Some(number(bounds.group(set, asked.observer)?)))
            }
            _ => Ok(None),
        });
        found.collect()
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
