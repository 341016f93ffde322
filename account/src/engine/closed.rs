//! Closed-form bounds in place of losses.

use super::{Asked, Closed, Engine, Fast, Formula, ViewLosses, absorbed};
use crate::{AccountError, Loss, noise_law::ProvedFor};
use muffliato_model::{Lipschitz, LossModel, Protocol};

/// Closed-form bounds in place of losses: for gradient descent without masks, the absorption bound.
pub(crate) struct ClosedForms<'a> {
    pub fast: Fast<'a>,
    /// The assumed Lipschitz constants of gradient steps.
    pub lipschitz: Option<Lipschitz>,
    /// The number of all pairs.
    pub pairs: usize,
    /// The noise, with the sampling of records.
    pub noise: ProvedFor,
}

impl Engine for ClosedForms<'_> {
    fn name(&self) -> &'static str {
        "closed forms"
    }

    fn protocol(&self) -> &Protocol {
        self.fast.protocol()
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        let protocol = self.protocol();
        Ok(ViewLosses {
            messages: protocol.messages_to(asked.observer)?,
            rank: None,
            losses: match &self.lipschitz {
                Some(lipschitz) if protocol.masks().is_none() => {
                    let at_most = |upper| Loss::between(0.0, upper, LossModel::LipschitzSteps);
                    let uppers = absorbed(protocol, lipschitz, asked, self.pairs)?;
                    uppers.into_iter().map(at_most).collect()
                }
                _ => self.proved(asked)?,
            },
        })
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        self.fast.formula(formula, asked)
    }

    fn proved(&self, asked: Asked<'_>) -> Result<Vec<Loss>, AccountError> {
        let found = self.fast.proved(asked)?.into_iter();
        Ok(found.map(|loss| loss.under(self.noise)).collect())
    }
}
