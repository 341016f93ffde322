//! Bounds for noise on a grid: closed forms with corrections. The proof is in `noise_law`.

use super::{Proved, smallest};
use crate::engine::{Asked, Closed, Engine, Fast, Formula, ViewLosses};
use crate::{AccountError, Loss, NoiseLaw, noise_law::ProvedFor};
use muffliato_fast::{FastError, bounds::RefreshedBounds, reached};
use muffliato_model::{Network, Protocol};

/// The engine of bounds for noise on a grid.
pub(crate) struct OnGrid<'a> {
    fast: Fast<'a>,
    noise: ProvedFor,
    /// The step in units of the sensitivity of rounded inputs.
    ratio: f64,
    refreshed: Option<RefreshedBounds<'static>>,
}

/// Largest degree for which the floats of one mixing are within a step.
const MOST_NEIGHBOURS: usize = 2000;

/// Number of steps by which mixing in floats and rounding can enlarge the difference of two states
/// in a coordinate.
pub(crate) const ROUNDINGS: usize = 2;

/// Returns `true` if fresh noise absorbs arrivals in whole steps: plain averaging on a fixed graph,
/// with uniform noise.
pub(crate) fn absorbs_on_grid(protocol: &Protocol) -> bool {
    let plain = protocol.rounds() == 1 && protocol.acceleration().is_none();
    let few = |network: &Network| network.graph().max_degree() <= MOST_NEIGHBOURS;
    let refreshed = protocol.uniform().is_ok_and(|sizes| sizes.tau.is_some());
    plain && refreshed && protocol.fixed_network().is_some_and(few)
}

/// Refuses masks of discrete noise.
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
    pub fn of(
        protocol: &'a Protocol,
        observers: usize,
        memory: u128,
        noise: ProvedFor,
        ratio: f64,
    ) -> Result<Self, AccountError> {
        check_masks(protocol, noise)?;
        let refreshed = if absorbs_on_grid(protocol) {
            Some(RefreshedBounds::of(protocol)?.with_memory_limit(memory))
        } else {
            None
        };
        Ok(Self { fast: Fast::of(protocol, observers, memory)?, noise, ratio, refreshed })
    }

    /// Computes first-passage bounds of single sources with their corrections; `None` for groups.
    fn refreshed(&self, asked: Asked<'_>) -> Result<Vec<Option<Proved>>, AccountError> {
        let protocol = self.fast.protocol();
        let tau = protocol.uniform().ok().and_then(|sizes| sizes.tau);
        let (Some(bounds), Some(tau)) = (&self.refreshed, tau) else {
            return Ok(vec![None; asked.sets.len()]);
        };
        let all = bounds.clone().watched(asked.progress).first_passage_all(asked.observer)?;
        let senders = protocol.step(0).senders_to(asked.observer.members()).len();
        let times: f64 = (1..protocol.steps()).map(|t| (t * t) as f64).sum();
        let draws = self.noise.coordinates() as f64 * senders as f64 * times;
        let extra = ROUNDINGS as f64 * self.ratio / tau.to_f64() * draws.sqrt();
        let on_grid = |set: &&[usize]| {
            let [source] = set else { return None };
            let length = all[*source].upper().sqrt() + extra;
            // Covers a dozen roundings.
            Some(Proved(length * length * (1.0 + 1e-12)))
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
        let masked = self.fast.masked_bounds_for(self.noise, asked)?;
        let found = asked.sets.iter().zip(refreshed).zip(masked);
        let losses = found.map(|((set, refreshed), masked)| {
            let heard: Vec<usize> = set.iter().copied().filter(|&node| heard[node]).collect();
            smallest(protocol, &heard, refreshed.into_iter().chain([masked])).under(self.noise)
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
