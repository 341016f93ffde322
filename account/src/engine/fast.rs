//! The fast engine's answers.
//!
//! The Gram form certifies protocols that draw noise at every step, at any size. All others (one-shot noise, gradient descent
//! with several gossip steps a round) are computed in multiprecision, which certifies them, as long as that takes seconds;
//! beyond, their loss is an estimate; one-shot protocols have certified lower ends there, too, by attacks.

use super::{Asked, Closed, Engine, Formula, ViewLosses};
use crate::{AccountError, Loss, Number, noise_law::ProvedFor, number::at_most};
use muffliato_fast::{
    AlibiView, AllPairs, CertifiedView, Enclosure, FastError, GramView, GramViews, MaskedBounds,
    MaskedPairs, MultiprecisionLimits, OneShot, OneShotOptions, Progress, TARGET_WIDTH,
    bounds::{PaperBounds, RefreshedBounds},
    reached,
};
use muffliato_model::{LossModel, Noise, Observer, Protocol};
use std::sync::OnceLock;

/// The products of machine words that all observers together may take in multiprecision: some seconds.
const MULTIPRECISION_WORK: u128 = 500_000_000;

/// From so many observers on, Theorem 1 is computed for all pairs at once, up to so many nodes.
const MANY: usize = 64;

/// Up to so many nodes all pairs of a masked protocol are bounded at once; beyond, by trees of this radius.
pub(crate) const MOST_MASKED: usize = 4096;
const RADIUS: usize = 3;

const MOST_AT_ONCE: usize = 8192;

/// Up to so many multiplications the lower ends of masked rounds are computed in a model.
const MODELLED: f64 = 1e7;

/// Certified floating point, by `muffliato-fast`.
pub struct Fast<'a> {
    protocol: &'a Protocol,
    observers: usize,
    limits: MultiprecisionLimits,
    bounds: PaperBounds<'static>,
    views: GramViews<'a>,
    all_pairs: OnceLock<Option<AllPairs>>,
    masked: Option<MaskedBounds<'static>>,
    masked_pairs: Option<MaskedPairs>,
}

/// How the fast engine computes losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Noise is drawn at every step: the Gram form, or the cheapest alibis where they take less work.
    Gram,
    /// Two nodes share a draw: the bound for masked states, and the Gram form where it certifies more.
    Masked,
    /// Multiprecision within a budget of work; beyond it, estimates.
    Multiprecision,
}

impl<'a> Fast<'a> {
    /// Prepares the gossip matrices. `observers` share the budget of multiprecision; a view takes at most `memory` bytes, and no more than the
    /// [limit of the process](muffliato_fast::memory::limit).
    pub fn of(
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
    ) -> Result<Self, AccountError> {
        let masked = match protocol.masks() {
            Some(_) => Some(MaskedBounds::of(protocol)?),
            None => None,
        };
        // All pairs at once are not much more work than two observers.
        let many = masked
            .as_ref()
            .filter(|_| observers > 1 && protocol.nodes() <= MOST_MASKED);
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
            bounds: PaperBounds::of(protocol)?.with_memory_limit(memory),
            views: GramViews::of(protocol),
            all_pairs: OnceLock::new(),
        })
    }

    /// How losses of a protocol are computed.
    pub fn method(protocol: &Protocol) -> Method {
        let drawn = |t| protocol.noise(t) != Noise::None;
        match (0..protocol.steps()).all(drawn) {
            _ if protocol.masks().is_some() => Method::Masked,
            true => Method::Gram,
            false => Method::Multiprecision,
        }
    }

    /// Upper bounds for masked states under this noise, with what a grid adds; infinite without masks.
    pub(crate) fn masked_under(
        &self,
        noise: ProvedFor,
        asked: Asked<'_>,
    ) -> Result<Vec<f64>, AccountError> {
        let Some(bounds) = &self.masked else {
            return Ok(vec![f64::INFINITY; asked.sets.len()]);
        };
        let mut uppers = self.masked_uppers(asked)?;
        if let Some(ratio) = noise.ratio()? {
            for (upper, set) in uppers.iter_mut().zip(asked.sets) {
                *upper = bounds.on_grid(*upper, set.len(), ratio, noise.coordinates())?;
            }
        }
        Ok(uppers)
    }

    /// Certified upper bounds for masked protocols, for any loss functions.
    fn masked_uppers(&self, asked: Asked<'_>) -> Result<Vec<f64>, FastError> {
        let Some(bounds) = &self.masked else {
            return Err(FastError::NotApplicable {
                formula: "the bound for masked protocols",
                reason: "it has no masks; use Protocol::masked",
            });
        };
        let single = asked.are_single();
        if let (true, Some(pairs), [v]) = (single, &self.masked_pairs, asked.observer.members()) {
            asked.observer.check(self.protocol.nodes())?;
            return asked.each(|set| {
                let observes = FastError::SourceObserves { node: set[0] };
                pairs.upper(set[0], *v).ok_or(observes)
            });
        }
        let many = self.protocol.nodes() > MOST_MASKED && asked.sets.len() > MANY;
        if single && many && self.protocol.fixed_network().is_some() {
            let all = bounds
                .clone()
                .watched(asked.progress)
                .towards(asked.observer, RADIUS)?;
            return Ok(asked.sets.iter().map(|set| all[set[0]]).collect());
        }
        asked.each(|set| {
            asked.progress.check(0, 1)?;
            Ok(bounds.bound(set, asked.observer)?.upper())
        })
    }

    /// What is certified of a masked protocol: the loss itself for averaging with noise at every step, and for one-shot noise within the budget of multiprecision;
    /// else the bound, with what the model of fixed gradients loses as its lower end where that is cheap.
    fn masked(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let uppers = self.masked_uppers(asked)?;
        let drawn = |t| self.protocol.noise(t) != Noise::None;
        let steps = 0..self.protocol.steps();
        if self.protocol.rounds() == 1 && steps.len() > 1 && { steps }.all(drawn) {
            let mut seen = self.certified(asked)?;
            for (loss, &upper) in seen.losses.iter_mut().zip(&uppers) {
                if loss.upper() > upper {
                    *loss = Loss::between(loss.lower().min(upper), upper, loss.model());
                }
            }
            return Ok(seen);
        }
        // One-shot noise with many digits; rounds that draw at every step in the model of fixed gradients, which are among all losses.
        let modelled = match self.protocol.rounds() {
            1 if self.protocol.refresh().is_none() => self.multiprecision(asked)?,
            _ if { 0..self.protocol.steps() }.all(drawn)
                && GramView::work(self.protocol, asked.observer)? <= MODELLED =>
            {
                Some(self.gram(asked)?)
            }
            _ => None,
        };
        let heard = reached(self.protocol, asked.observer);
        let bounded = |(k, &upper): (usize, &f64)| {
            let silent = asked.sets[k].iter().all(|&node| !heard[node]);
            let upper = if silent { 0.0 } else { upper };
            let found = modelled.as_ref().map(|seen| &seen.losses[k]);
            let lower = found.map_or(0.0, |loss| loss.lower().min(upper));
            let upper = match (found, self.protocol.rounds()) {
                (Some(found), 1) => upper.min(found.upper()),
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

    /// About how many nanoseconds the view of an observer takes one core; in multiprecision the multiplications of floats, which take
    /// many times that.
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, AccountError> {
        if protocol.masks().is_some() && protocol.refresh().is_none() {
            // Trees of some hundred nodes for each source, or its share of one inverse.
            return Ok(1e5 * protocol.nodes() as f64);
        }
        let messages = protocol.messages_to(observer)? as f64;
        let nodes = protocol.nodes() as f64;
        if Self::method(protocol) == Method::Multiprecision {
            let draws = nodes * protocol.rounds() as f64;
            // No more messages bring something new than there are draws.
            let rows = messages.min(draws);
            let passes = match protocol.fixed_network() {
                // What a message brings follows from those of the step before.
                Some(_) => protocol.rounds(),
                None => protocol.steps(),
            };
            return Ok(rows * rows * draws + rows.powi(3) + nodes * messages * passes as f64);
        }
        let gram = GramView::work(protocol, observer)?;
        Ok(match AlibiView::applies(protocol) {
            true => gram.min(AlibiView::work(protocol, observer)?),
            false => gram,
        })
    }

    /// The loss where noise is drawn at every step.
    fn certified(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        match self.alibis(asked)? {
            Some(seen) => Ok(seen),
            None => self.gram(asked),
        }
    }

    /// The cheapest alibis, where they take less work than the Gram form and certify as much.
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
            losses: of_each(asked.sets, &all)?,
        }))
    }

    /// How many draws an observer knows.
    fn known_draws(&self, observer: &Observer) -> usize {
        let drawn = |&t: &usize| self.protocol.noise(t) != Noise::None;
        match observer.knows_own_noise() {
            true => (0..self.protocol.steps()).filter(drawn).count() * observer.members().len(),
            false => 0,
        }
    }

    /// The Gram form: certified if noise is drawn at every step, estimates else.
    fn gram(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let view = self.views.towards(asked.observer, asked.progress)?;
        let losses = match asked.are_single() {
            true => of_each(asked.sets, &view.losses()?)?,
            false => of_groups(asked.sets, |set| view.group_loss(set))?,
        };
        Ok(ViewLosses {
            messages: view.messages(),
            rank: (view.is_certified() && self.protocol.masks().is_none())
                .then(|| view.messages() + self.known_draws(asked.observer)),
            losses,
        })
    }

    /// Certified in multiprecision; `None` beyond the budget.
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
            losses: of_groups(asked.sets, |set| view.group_loss(set))?,
        }))
    }

    /// Estimates of one-shot protocols, with lower ends by attacks.
    fn one_shot(&self, asked: Asked<'_>) -> Result<ViewLosses, FastError> {
        let options = OneShotOptions {
            memory_limit: self.limits.memory,
            ..OneShotOptions::default()
        };
        let engine = OneShot::try_new(self.protocol, options)?.watched(asked.progress);
        let view = match engine.attacked(asked.observer) {
            Err(FastError::TooMuchMemory { .. }) => engine.towards(asked.observer),
            found => found,
        }?;
        Ok(ViewLosses {
            messages: self.protocol.messages_to(asked.observer)?,
            rank: None,
            losses: of_each(asked.sets, view.losses())?,
        })
    }

    /// Theorem 1 for every node.
    fn theorem_1(
        &self,
        observer: &Observer,
        progress: &dyn Progress,
    ) -> Result<Vec<Enclosure>, FastError> {
        let nodes = self.protocol.nodes();
        if self.observers >= MANY && nodes <= MOST_AT_ONCE && observer.members().len() == 1 {
            let all = self
                .all_pairs
                .get_or_init(|| self.bounds.watched(progress).all_pairs().ok());
            if let Some(all) = all {
                observer.check(nodes)?;
                return Ok(all.observed_by(observer.members()[0]));
            }
        }
        self.bounds.watched(progress).pairwise_all(observer)
    }
}

/// Of the losses of all nodes those of sets of one node each.
fn of_each(
    sets: &[&[usize]],
    all: &[Option<muffliato_fast::Loss>],
) -> Result<Vec<Loss>, FastError> {
    of_groups(sets, |set| match all.get(set[0]) {
        Some(found) => found.ok_or(FastError::SourceObserves { node: set[0] }),
        None => Err(FastError::SourceOutOfRange {
            source_node: set[0],
            nodes: all.len(),
        }),
    })
}

/// The losses of these sets.
fn of_groups(
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
        Ok(match self.protocol.rounds() == 1 && asked.are_single() {
            true => self.one_shot(asked)?,
            false => self.gram(asked)?,
        })
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        let bounds = self.bounds.watched(asked.progress);
        let all = match formula {
            Formula::Theorem1 => self.theorem_1(asked.observer, asked.progress),
            Formula::Corollary1 => bounds.random_walk_all(asked.observer),
            Formula::FirstPassage => RefreshedBounds::of(self.protocol)?
                .watched(asked.progress)
                .first_passage_all(asked.observer),
            Formula::Masked => {
                let uppers = self.masked_uppers(asked)?.into_iter();
                return Ok(uppers.map(|upper| Some(at_most(upper))).collect());
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

    /// By alibis, by the Gram form, in multiprecision and by estimates.
    #[test]
    fn a_source_that_observes_or_is_no_node_is_an_error_of_every_method() {
        let karate = || Network::metropolis("karate".parse().unwrap()).unwrap();
        let once = |steps| Protocol::one_shot(karate(), steps).unwrap();
        let fresh = |steps| once(steps).refreshed("0.1".parse().unwrap()).unwrap();
        let many = usize::MAX; // they leave nothing of the budget of multiprecision to each
        for (protocol, observers) in [(fresh(12), 1), (fresh(1), 1), (once(4), 1), (once(4), many)]
        {
            let engine = Fast::of(&protocol, observers, u128::MAX).unwrap();
            let ask = |u: usize| engine.losses(Asked::new(&Observer::full(0), &[&[u]], &()));
            assert_eq!(ask(33).unwrap().losses.len(), 1);
            assert!(matches!(
                ask(0),
                Err(AccountError::Fast(FastError::SourceObserves { node: 0 }))
            ));
            let outside = FastError::SourceOutOfRange {
                source_node: 34,
                nodes: 34,
            };
            assert!(matches!(ask(34), Err(AccountError::Fast(error)) if error == outside));
        }
    }
}
