//! The account by the fast engine.
//!
//! The Gram form certifies protocols that draw noise at every step, at any size. All others (one-shot noise, gradient descent
//! with several gossip steps a round) are computed in multiprecision, which certifies them, as long as that takes seconds;
//! beyond, their leakage is an estimate with the certified ends that need no arithmetic.

use super::{Account, Engine, Pair, Places, Seen};
use crate::command::{
    input::Question,
    number::Quantity,
    session::{Listening, Session},
};
use muffliato::fast::{
    AllPairs, CertifiedView, Enclosure, FastError, GramView, MultiprecisionLimits, OneShot,
    OneShotOptions, Progress, bounds::PaperBounds,
};
use muffliato::model::Noise;
use muffliato::prelude::{Observer, Protocol};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The products of machine words that all observers together may take in multiprecision: some seconds.
const MULTIPRECISION_WORK: u128 = 500_000_000;

/// From so many observers on, Theorem 1 is computed for all pairs at once.
const MANY: usize = 64;

/// What one observer sees, and the loss of each set of sources that was asked about, in their order.
type View = (Seen, Vec<Quantity>);

/// Certified losses, or estimates where there is no certificate.
pub fn account(
    protocol: &Protocol,
    question: Question,
    random_walk: bool,
    session: &Session,
) -> anyhow::Result<Account> {
    let places = Places {
        question: &question,
        graph: protocol.graph()?,
    };
    let drawn = |t| protocol.noise(t) != Noise::None;
    let views = match (0..protocol.steps()).all(drawn) {
        true => gram(protocol, &places, &question.observers, session)?,
        false => multiprecision(protocol, &places, session)?,
    };
    let promises = Promises::of(protocol, &question, random_walk, session)?;
    let (mut seen, mut pairs) = (Vec::new(), Vec::new());
    let bar = session.progress("paper's bound");
    for (number, (observer, (found, losses))) in question.observers.iter().zip(views).enumerate() {
        bar.check(number, question.observers.len())?;
        seen.push(found);
        let promised = promises.towards(observer)?;
        let walks = promises.walks(observer)?;
        for ((source, set, distance), leakage) in places.of(observer).into_iter().zip(losses) {
            let paper_bound = match (set, &promised) {
                ([node], Some(promised)) => Some(promised[*node]),
                (set, Some(_)) => promises.group(set, observer)?,
                (_, None) => None,
            };
            let random_walk_bound = match (set, &walks) {
                ([node], Some(walks)) => Some(walks[*node]),
                _ => None,
            };
            pairs.push(Pair {
                source,
                observer: number,
                distance,
                paper_bound: paper_bound.map(Quantity::from),
                random_walk_bound: random_walk_bound.map(Quantity::from),
                leakage,
            });
        }
    }
    Ok(Account {
        engine: Engine::Fast,
        question,
        seen,
        pairs,
    })
}

/// Certified where it takes seconds, else estimates.
fn multiprecision(
    protocol: &Protocol,
    places: &Places<'_>,
    session: &Session,
) -> anyhow::Result<Vec<View>> {
    let observers = &places.question.observers;
    let limits = MultiprecisionLimits {
        work: MULTIPRECISION_WORK / observers.len().max(1) as u128,
        ..MultiprecisionLimits::default()
    };
    let certified = |observer: &Observer| {
        let view = match CertifiedView::of(protocol, observer, &limits, &Listening) {
            Ok(view) => view,
            Err(FastError::TooMuchWork { .. } | FastError::TooMuchMemory { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let seen = Seen {
            messages: protocol.messages_to(observer)?,
            rank: Some(view.rank()),
        };
        let sets = places.of(observer).into_iter();
        let losses = sets.map(|(_, set, _)| Ok(Quantity::from(view.group_loss(set)?)));
        Ok(Some((seen, losses.collect::<Result<_, FastError>>()?)))
    };
    let mut views = each(observers, "multiprecision", session, certified)?;
    let open: Vec<Observer> = observers
        .iter()
        .zip(&views)
        .filter(|(_, view)| view.is_none())
        .map(|(observer, _)| observer.clone())
        .collect();
    let single = places.question.sources.iter().all(|set| set.len() == 1);
    let estimates = match protocol.rounds() == 1 && single {
        true => one_shot(protocol, places, &open, session)?,
        false => gram(protocol, places, &open, session)?,
    };
    let mut estimates = estimates.into_iter();
    for view in views.iter_mut().filter(|view| view.is_none()) {
        *view = estimates.next();
    }
    Ok(views.into_iter().flatten().collect())
}

/// Estimates of one-shot protocols.
fn one_shot(
    protocol: &Protocol,
    places: &Places<'_>,
    observers: &[Observer],
    session: &Session,
) -> anyhow::Result<Vec<View>> {
    let engine = OneShot::try_new(protocol, OneShotOptions::default())?;
    let bar = session.progress("leakage");
    let estimates = engine.leakages_of(observers, &bar, |view| {
        let observer = view.observer();
        let seen = Seen {
            messages: protocol.messages_to(observer)?,
            rank: None,
        };
        let sets = places.of(observer).into_iter();
        let losses = sets.map(|(_, set, _)| Ok(Quantity::from(view.leakage(set[0])?)));
        Ok((seen, losses.collect::<Result<_, FastError>>()?))
    })?;
    Ok(estimates.into_iter().collect::<Result<_, FastError>>()?)
}

/// The Gram form: certified if noise is drawn at every step, estimates else.
fn gram(
    protocol: &Protocol,
    places: &Places<'_>,
    observers: &[Observer],
    session: &Session,
) -> anyhow::Result<Vec<View>> {
    let draws = (0..protocol.steps())
        .filter(|&t| protocol.noise(t) != Noise::None)
        .count();
    let view_of = |observer: &Observer| {
        let view = GramView::of(protocol, observer, &Listening)?;
        let known = match observer.knows_own_noise() {
            true => draws * observer.members().len(),
            false => 0,
        };
        let seen = Seen {
            messages: view.messages(),
            rank: view.is_certified().then(|| view.messages() + known),
        };
        let sets = places.of(observer);
        let losses = match sets.iter().all(|(_, set, _)| set.len() == 1) {
            true => {
                let all = view.losses(&Listening)?;
                let one = |set: &[usize]| all[set[0]].map(Quantity::from);
                sets.iter().filter_map(|(_, set, _)| one(set)).collect()
            }
            false => sets
                .iter()
                .map(|(_, set, _)| Ok(view.group_loss(set, &Listening)?.into()))
                .collect::<Result<_, FastError>>()?,
        };
        Ok((seen, losses))
    };
    each(observers, "leakage", session, view_of)
}

/// One observer after the other, on all threads, in their order.
fn each<T: Send>(
    observers: &[Observer],
    what: &str,
    session: &Session,
    view: impl Fn(&Observer) -> Result<T, FastError> + Sync,
) -> anyhow::Result<Vec<T>> {
    let bar = session.progress(what);
    let done = AtomicUsize::new(0);
    let found: Result<Vec<T>, FastError> = observers
        .par_iter()
        .with_max_len(1)
        .map(|observer| {
            bar.check(done.load(Ordering::Relaxed), observers.len())?;
            let found = view(observer)?;
            bar.check(done.fetch_add(1, Ordering::Relaxed) + 1, observers.len())?;
            Ok(found)
        })
        .collect();
    Ok(found?)
}

/// The paper's bounds, for averaging.
struct Promises {
    bounds: Option<PaperBounds>,
    all_pairs: Option<AllPairs>,
    random_walk: bool,
}

impl Promises {
    fn of(
        protocol: &Protocol,
        question: &Question,
        random_walk: bool,
        session: &Session,
    ) -> anyhow::Result<Self> {
        if protocol.rounds() > 1 {
            return Ok(Self {
                bounds: None,
                all_pairs: None,
                random_walk: false,
            });
        }
        let bounds = PaperBounds::of(protocol)?;
        let many = question.observers.len() >= MANY;
        let single = question.observers.iter().all(|v| v.members().len() == 1);
        let all_pairs = match many && single {
            true => Some(bounds.all_pairs(&session.progress("paper's bound"))?),
            false => None,
        };
        Ok(Self {
            bounds: Some(bounds),
            all_pairs,
            random_walk: random_walk && protocol.fixed_network().is_some(),
        })
    }

    /// Theorem 1 for all sources.
    fn towards(&self, observer: &Observer) -> Result<Option<Vec<Enclosure>>, FastError> {
        match (&self.all_pairs, &self.bounds) {
            (Some(all), _) => Ok(Some(all.observed_by(observer.members()[0]))),
            (None, Some(bounds)) => bounds.pairwise_all(observer, &Listening).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn group(&self, set: &[usize], observer: &Observer) -> Result<Option<Enclosure>, FastError> {
        let group = |bounds: &PaperBounds| bounds.group(set, observer, &Listening);
        self.bounds.as_ref().map(group).transpose()
    }

    /// Corollary 1 for all sources; `None` where it is not defined.
    fn walks(&self, observer: &Observer) -> Result<Option<Vec<Enclosure>>, FastError> {
        let Some(bounds) = self.bounds.as_ref().filter(|_| self.random_walk) else {
            return Ok(None);
        };
        match bounds.random_walk_all(observer, &Listening) {
            Ok(walks) => Ok(Some(walks)),
            Err(FastError::NoNeighbour { .. } | FastError::ZeroWeight { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
