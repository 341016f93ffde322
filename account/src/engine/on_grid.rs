//! What is proved where noise is drawn on a grid: closed forms with their corrections, by the proof at the head of `noise_law`.

use super::{Asked, Closed, Engine, Fast, Formula, ViewLosses};
use crate::{AccountError, Loss, NoiseLaw, noise_law::ProvedFor};
use muffliato_fast::{FastError, bounds::RefreshedBounds, reached};
use muffliato_model::{LossModel, Network, Protocol};

/// Losses that hold on a grid.
pub(crate) struct OnGrid<'a> {
    fast: Fast<'a>,
    noise: ProvedFor,
    /// The step in units of the sensitivity of rounded inputs.
    ratio: f64,
    refreshed: Option<RefreshedBounds<'static>>,
}

/// With more neighbours the floats of one mixing may be more than a step off.
const MOST_NEIGHBOURS: usize = 2000;

/// By how many steps the difference of two states can grow in a coordinate when they are mixed in floats and rounded.
pub(crate) const ROUNDINGS: usize = 2;

/// Whether fresh noise absorbs what arrives in whole steps: plain averaging on a fixed graph.
pub(crate) fn absorbs_on_grid(protocol: &Protocol) -> bool {
    let plain = protocol.rounds() == 1 && protocol.acceleration().is_none();
    let few = |network: &Network| network.graph().max_degree() <= MOST_NEIGHBOURS;
    plain && protocol.refresh().is_some() && protocol.fixed_network().is_some_and(few)
}

/// [`FastError::NotApplicable`] for masks of discrete noise, which nobody draws.
pub(super) fn check_masks(protocol: &Protocol, noise: ProvedFor) -> Result<(), AccountError> {
    match (protocol.masks(), noise.law()) {
        (Some(_), NoiseLaw::Discrete(_)) => Err(AccountError::Fast(FastError::NotApplicable {
            formula: "discrete noise",
            reason: "masks are drawn as rounded Gaussians; take rounded noise",
        })),
        _ => Ok(()),
    }
}

impl<'a> OnGrid<'a> {
    /// `Err` as of [`check_masks`].
    pub fn of(
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
        noise: ProvedFor,
        ratio: f64,
    ) -> Result<Self, AccountError> {
        check_masks(protocol, noise)?;
        let refreshed = match absorbs_on_grid(protocol) {
            true => Some(RefreshedBounds::of(protocol)?.with_memory_limit(memory)),
            false => None,
        };
        Ok(Self {
            fast: Fast::of(protocol, observers, memory)?,
            noise,
            ratio,
            refreshed,
        })
    }

    /// The first-passage bounds of single sources with their corrections; nothing for groups.
    fn refreshed(&self, asked: Asked<'_>) -> Result<Vec<Option<f64>>, AccountError> {
        let protocol = self.fast.protocol();
        let (Some(bounds), Some(tau)) = (&self.refreshed, protocol.refresh()) else {
            return Ok(vec![None; asked.sets.len()]);
        };
        let all = bounds
            .clone()
            .watched(asked.progress)
            .first_passage_all(asked.observer)?;
        let senders = protocol.step(0).senders_to(asked.observer.members()).len();
        let times: f64 = (1..protocol.steps()).map(|t| (t * t) as f64).sum();
        let draws = self.noise.coordinates() as f64 * senders as f64 * times;
        let extra = ROUNDINGS as f64 * self.ratio / crate::float(tau) * draws.sqrt();
        let on_grid = |set: &&[usize]| {
            let [source] = set else { return None };
            let length = all[*source].upper().sqrt() + extra;
            // A dozen roundings, and no more than a float can count.
            Some(length * length * (1.0 + 1e-12))
        };
        Ok(asked.sets.iter().map(on_grid).collect())
    }
}

impl Engine for OnGrid<'_> {
    fn name(&self) -> &'static str {
        "closed forms on a grid"
    }

    fn protocol(&self) -> &Protocol {
        self.fast.protocol()
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        let protocol = self.fast.protocol();
        let heard = reached(protocol, asked.observer);
        let refreshed = self.refreshed(asked)?;
        let masked = self.fast.masked_under(self.noise, asked)?;
        let used = protocol.rounds().div_ceil(protocol.period());
        let found = asked.sets.iter().zip(refreshed).zip(masked);
        let losses = found.map(|((set, refreshed), masked)| {
            let local = (set.iter().filter(|&&node| heard[node]).count() * used) as f64;
            let upper = refreshed
                .map_or(local, |bound| local.min(bound))
                .min(masked);
            Loss::between(0.0, upper, LossModel::SingleInput).under(self.noise)
        });
        Ok(ViewLosses {
            messages: protocol.messages_to(asked.observer)?,
            rank: None,
            losses: losses.collect(),
        })
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        self.fast.formula(formula, asked)
    }

    fn proved(&self, asked: Asked<'_>) -> Result<Vec<Loss>, AccountError> {
        Ok(self.losses(asked)?.losses)
    }
}
