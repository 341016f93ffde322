//! The fast engine's answers.
//!
//! The Gram form certifies protocols that draw noise at every step, at any size. All others (one-shot noise, gradient descent
//! with several gossip steps a round) are computed in multiprecision, which certifies them, as long as that takes seconds;
//! beyond, their loss is an estimate with the certified ends that need no arithmetic.

use super::{Engine, Formula, Seen};
use crate::{AccountError, Loss, Number};
use muffliato_fast::{
    AllPairs, CertifiedView, Enclosure, FastError, GramView, MaskedBounds, MaskedPairs,
    MultiprecisionLimits, OneShot, OneShotOptions, Progress,
    bounds::{PaperBounds, RefreshedBounds},
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

/// Certified floating point, by `muffliato-fast`.
pub struct Fast<'a> {
    protocol: &'a Protocol,
    observers: usize,
    limits: MultiprecisionLimits,
    bounds: PaperBounds,
    all_pairs: OnceLock<Option<AllPairs>>,
    masked: Option<MaskedBounds>,
    masked_pairs: Option<MaskedPairs>,
}

/// How the fast engine computes losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The Gram form: noise is drawn at every step.
    Gram,
    /// Two nodes share a draw: the bound for masked states, and the Gram form where it certifies more.
    Masked,
    /// Multiprecision within a budget of work; beyond it, estimates.
    Multiprecision,
}

/// Progress that may be given to every function of the engine.
struct Within<'a>(&'a dyn Progress);

impl Progress for Within<'_> {
    fn report(&self, done: usize, total: usize) -> bool {
        self.0.report(done, total)
    }
}

impl<'a> Fast<'a> {
    /// Prepares the gossip matrices. `observers` share the budget of multiprecision; a view takes at most `memory` bytes.
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
        let masked_pairs = match many.map(|masked| masked.all_pairs(&())) {
            Some(Err(FastError::NotApplicable { .. })) | None => None,
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

    /// Certified upper bounds for masked protocols, for any loss functions.
    fn masked_uppers(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, FastError> {
        let Some(bounds) = &self.masked else {
            return Err(FastError::NotApplicable {
                formula: "the bound for masked protocols",
                reason: "it has no masks; use Protocol::masked",
            });
        };
        let single = sets.iter().all(|set| set.len() == 1);
        if let (true, Some(pairs), [v]) = (single, &self.masked_pairs, observer.members()) {
            observer.check(self.protocol.nodes())?;
            let of = |set: &&[usize]| {
                let observes = FastError::SourceObserves { node: set[0] };
                pairs.upper(set[0], *v).ok_or(observes)
            };
            return sets.iter().map(of).collect();
        }
        let many = self.protocol.nodes() > MOST_MASKED && sets.len() > MANY;
        if single && many && self.protocol.fixed_network().is_some() {
            let all = bounds.towards(observer, RADIUS, progress)?;
            return Ok(sets.iter().map(|set| all[set[0]]).collect());
        }
        let of = |set: &&[usize]| {
            progress.check(0, 1)?;
            Ok(bounds.bound(set, observer)?.upper())
        };
        sets.iter().map(of).collect()
    }

    /// What is certified of a masked protocol: the bound, or, for averaging with noise at every step, the loss itself.
    fn masked(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, FastError> {
        let uppers = self.masked_uppers(observer, sets, progress)?;
        let drawn = |t| self.protocol.noise(t) != Noise::None;
        let steps = 0..self.protocol.steps();
        if self.protocol.rounds() == 1 && steps.len() > 1 && { steps }.all(drawn) {
            let mut seen = self.gram(observer, sets, progress)?;
            for (loss, &upper) in seen.losses.iter_mut().zip(&uppers) {
                if loss.upper() > upper {
                    *loss = Loss::between(loss.lower().min(upper), upper, loss.model());
                }
            }
            return Ok(seen);
        }
        let bounded = |&upper: &f64| Loss::between(0.0, upper, LossModel::SingleInput);
        Ok(Seen {
            messages: self.protocol.messages_to(observer)?,
            rank: None,
            losses: uppers.iter().map(bounded).collect(),
        })
    }

    /// About how many multiplications the view of an observer takes: with m messages, `m^2` for each node and `m^3` for their Gram
    /// matrix; in multiprecision many times that.
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, AccountError> {
        if protocol.masks().is_some() && protocol.refresh().is_none() {
            // Trees of some hundred nodes for each source, or its share of one inverse.
            return Ok(1e5 * protocol.nodes() as f64);
        }
        let messages = protocol.messages_to(observer)? as f64;
        let nodes = protocol.nodes() as f64;
        let columns = messages * messages * nodes * protocol.rounds() as f64;
        let gossip = nodes * protocol.steps() as f64 * messages;
        Ok(columns + messages.powi(3) + gossip)
    }

    /// The Gram form: certified if noise is drawn at every step, estimates else.
    fn gram(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, FastError> {
        let view = GramView::of(self.protocol, observer, progress)?;
        let drawn = |&t: &usize| self.protocol.noise(t) != Noise::None;
        let known = match observer.knows_own_noise() {
            true => (0..self.protocol.steps()).filter(drawn).count() * observer.members().len(),
            false => 0,
        };
        let losses = match sets.iter().all(|set| set.len() == 1) {
            true => {
                let all = view.losses(progress)?;
                let of = |set: &&[usize]| {
                    let observes = FastError::SourceObserves { node: set[0] };
                    all[set[0]].as_ref().map(Loss::enclosed).ok_or(observes)
                };
                sets.iter().map(of).collect::<Result<_, _>>()?
            }
            false => {
                let of = |set: &&[usize]| Ok(Loss::enclosed(&view.group_loss(set, progress)?));
                sets.iter().map(of).collect::<Result<_, FastError>>()?
            }
        };
        Ok(Seen {
            messages: view.messages(),
            rank: (view.is_certified() && self.protocol.masks().is_none())
                .then(|| view.messages() + known),
            losses,
        })
    }

    /// Certified in multiprecision; `None` beyond the budget.
    fn multiprecision(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Option<Seen>, FastError> {
        let view = match CertifiedView::of(self.protocol, observer, &self.limits, progress) {
            Ok(view) => view,
            Err(FastError::TooMuchWork { .. } | FastError::TooMuchMemory { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let of = |set: &&[usize]| Ok(Loss::enclosed(&view.group_loss(set)?));
        Ok(Some(Seen {
            messages: self.protocol.messages_to(observer)?,
            rank: Some(view.rank()),
            losses: sets.iter().map(of).collect::<Result<_, FastError>>()?,
        }))
    }

    /// Estimates of one-shot protocols.
    fn one_shot(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, FastError> {
        let options = OneShotOptions {
            memory_limit: self.limits.memory,
            ..OneShotOptions::default()
        };
        let engine = OneShot::try_new(self.protocol, options)?;
        let model = self.protocol.loss_model();
        let views =
            engine.leakages_of(std::slice::from_ref(observer), &Within(progress), |view| {
                let of = |set: &&[usize]| Ok(Loss::single(view.leakage(set[0])?.into(), model));
                sets.iter().map(of).collect::<Result<_, FastError>>()
            })?;
        Ok(Seen {
            messages: self.protocol.messages_to(observer)?,
            rank: None,
            losses: views.into_iter().next().unwrap_or(Ok(Vec::new()))?,
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
                .get_or_init(|| self.bounds.all_pairs(&Within(progress)).ok());
            if let Some(all) = all {
                observer.check(nodes)?;
                return Ok(all.observed_by(observer.members()[0]));
            }
        }
        self.bounds.pairwise_all(observer, &Within(progress))
    }
}

impl Engine for Fast<'_> {
    fn name(&self) -> &'static str {
        "fast"
    }

    fn protocol(&self) -> &Protocol {
        self.protocol
    }

    fn losses(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, AccountError> {
        match Self::method(self.protocol) {
            Method::Gram => return Ok(self.gram(observer, sets, progress)?),
            Method::Masked => return Ok(self.masked(observer, sets, progress)?),
            Method::Multiprecision => {}
        }
        if let Some(certified) = self.multiprecision(observer, sets, progress)? {
            return Ok(certified);
        }
        let single = sets.iter().all(|set| set.len() == 1);
        Ok(match self.protocol.rounds() == 1 && single {
            true => self.one_shot(observer, sets, progress)?,
            false => self.gram(observer, sets, progress)?,
        })
    }

    fn formula(
        &self,
        formula: Formula,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Number>>, AccountError> {
        if formula == Formula::Masked {
            let uppers = self.masked_uppers(observer, sets, progress)?;
            let at_most = |upper| Some(Number::from(Enclosure::exact(upper)));
            return Ok(uppers.into_iter().map(at_most).collect());
        }
        let within = Within(progress);
        let refreshed = || RefreshedBounds::of(self.protocol);
        let all = match formula {
            Formula::Theorem1 => self.theorem_1(observer, progress),
            Formula::Corollary1 => self.bounds.random_walk_all(observer, &within),
            Formula::FirstPassage => refreshed()?.first_passage_all(observer, &within),
            Formula::Masked => Ok(Vec::new()),
        };
        let all = match all {
            Err(FastError::NoNeighbour { .. } | FastError::ZeroWeight { .. }) => {
                return Ok(vec![None; sets.len()]);
            }
            all => all?,
        };
        let found = sets.iter().map(|set| match set {
            [source] => Ok(Some(all[*source].into())),
            set if formula == Formula::Theorem1 => {
                Ok(Some(self.bounds.group(set, observer, &within)?.into()))
            }
            _ => Ok(None),
        });
        found.collect()
    }
}
