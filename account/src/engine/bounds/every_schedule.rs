//! Bounds for every schedule: the smallest of local noise, masks and first passage. The proofs are
//! in `schedules`.

use super::{Proved, on_grid::check_masks, smallest};
use crate::engine::{Asked, Closed, Engine, Fast, Formula, ViewLosses};
use crate::schedules::{Schedules, WorstPassage};
use crate::{AccountError, Loss, NoiseLaw, noise_law::ProvedFor};
use muffliato_model::{Graph, Protocol};
use std::sync::Arc;

/// The engine of bounds for every schedule.
pub(crate) struct EverySchedule<'a> {
    /// The plan on the whole graph.
    fast: Fast<'a>,
    graph: Arc<Graph>,
    schedules: &'a Schedules,
    passage: Option<WorstPassage>,
    noise: ProvedFor,
}

impl<'a> EverySchedule<'a> {
    /// Creates the engine for a protocol on the whole graph, which may differ from that of the
    /// schedules in its noise only.
    pub fn of(
        schedules: &'a Schedules,
        widest: &'a Protocol,
        observers: usize,
        memory: u128,
        noise: ProvedFor,
    ) -> Result<Self, AccountError> {
        schedules.check(widest)?;
        check_masks(widest, noise)?;
        let observers = if schedules.masks_hold() { observers } else { 1 };
        Ok(Self {
            fast: Fast::of(widest, observers, memory)?,
            graph: widest.graph()?,
            schedules,
            // Roundings on the way to the senders are not bounded.
            passage: match noise.law() {
                NoiseLaw::Gaussian => schedules.first_passage(widest),
                _ => None,
            },
            noise,
        })
    }
}

impl Engine for EverySchedule<'_> {
    fn name(&self) -> &'static str {
        "bounds for every schedule"
    }

    fn protocol(&self) -> &Protocol {
        self.fast.protocol()
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        let protocol = self.fast.protocol();
        let (steps, messages) = (protocol.steps(), protocol.messages_to(asked.observer)?);
        let distances = self.graph.distances_from_any(asked.observer.members());
        let heard = |node: &&usize| distances[**node].is_some_and(|distance| distance <= steps);
        let masked = if self.schedules.masks_hold() {
            self.fast.masked_bounds_for(self.noise, asked)?
        } else {
            vec![Proved::NONE; asked.sets.len()]
        };
        let loss = |(set, masked): (&&[usize], Proved)| {
            let heard: Vec<usize> = set.iter().filter(heard).copied().collect();
            let passage = self.passage.as_ref().map(|passage| {
                let alone = set.iter().map(|&node| passage.at(distances[node]));
                Proved(match set.len() {
                    1 => alone.sum(),
                    members => {
                        let roots: f64 = alone.map(f64::sqrt).sum();
                        // A root and a sum for each member, and the square.
                        roots * roots * (1.0 + 4.0 * (members + 2) as f64 * f64::EPSILON)
                    }
                })
            });
            smallest(protocol, &heard, passage.into_iter().chain([masked])).under(self.noise)
        };
        Ok(ViewLosses {
            messages: self.schedules.most_messages(messages, steps),
            rank: None,
            losses: asked.sets.iter().zip(masked).map(loss).collect(),
        })
    }

    /// Returns `None` for each set: closed forms are about one schedule.
    fn formula(&self, _formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        Ok(vec![None; asked.sets.len()])
    }

    fn proved(&self, asked: Asked<'_>) -> Result<Vec<Loss>, AccountError> {
        Ok(self.losses(asked)?.losses)
    }
}
