//! Losses under secure summation: an observer learns the weighted sum of the messages of a step.

use super::budgets::{SUMS_ROWS, SUMS_WORK, is_within};
use super::{Asked, Closed, Engine, Exact, Formula, Proved, ViewLosses, fast::gram_losses};
use crate::{AccountError, Loss};
use muffliato_fast::{FastError, GramView};
use muffliato_model::Protocol;

/// The engine of views of sums: fractions for small protocols, the Gram form if noise is drawn at
/// every step, and otherwise the upper ends of the view of all messages, which loses no less.
pub(crate) struct Sums<'a> {
    protocol: &'a Protocol,
    /// The engine for the view of all messages.
    messages: Box<dyn Engine + 'a>,
    /// The exact engine, if the protocol is small.
    exact: Option<Exact<'a>>,
}

impl<'a> Sums<'a> {
    /// Creates the engine over that of the view of all messages.
    pub fn of(
        protocol: &'a Protocol,
        messages: Box<dyn Engine + 'a>,
        only_fast: bool,
    ) -> Result<Self, AccountError> {
        let small = is_within(SUMS_WORK, protocol) && 2 * protocol.steps() <= SUMS_ROWS;
        let exact = if small && !only_fast { Some(Exact::of(protocol, SUMS_WORK)?) } else { None };
        Ok(Self { protocol, messages, exact })
    }

    /// Returns the upper ends of the view of all messages.
    fn bounded(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        let observer = asked.observer.with_messages();
        let seen = self.messages.losses(Asked::new(&observer, asked.sets, asked.progress))?;
        let at_most = |loss: &Loss| Loss::between(0.0, Proved::of(loss.number()), loss.model());
        Ok(ViewLosses {
            messages: seen.messages,
            rank: None,
            losses: seen.losses.iter().map(at_most).collect(),
        })
    }

    fn certified(&self, asked: Asked<'_>) -> Result<Option<ViewLosses>, AccountError> {
        let view = GramView::watched(self.protocol, asked.observer, asked.progress)?;
        if !view.is_certified() {
            return Ok(None);
        }
        let losses = gram_losses(&view, asked)?;
        Ok(Some(ViewLosses { messages: view.messages(), rank: None, losses }))
    }
}

impl Engine for Sums<'_> {
    fn name(&self) -> &'static str {
        "sums of messages"
    }

    fn protocol(&self) -> &Protocol {
        self.protocol
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        if !asked.observer.sees_sums() {
            return self.messages.losses(asked);
        }
        // The bound for masks holds for any loss functions, and for every view.
        if self.protocol.masks().is_some() && self.protocol.rounds() > 1 {
            return self.bounded(asked);
        }
        if let Some(exact) = &self.exact {
            match exact.losses(asked) {
                Err(
                    AccountError::Refused(_) | AccountError::Fast(FastError::TooMuchWork { .. }),
                ) => {}
                found => return found,
            }
        }
        let drawn = |t| self.protocol.draws(t);
        if (0..self.protocol.steps()).all(drawn)
            && let Some(certified) = self.certified(asked)?
        {
            return Ok(certified);
        }
        self.bounded(asked)
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        let observer = asked.observer.with_messages();
        self.messages.formula(formula, Asked::new(&observer, asked.sets, asked.progress))
    }
}
