//! The exact engine.

use super::{Asked, Closed, Engine, Formula, ViewLosses};
use crate::{AccountError, Loss, Number, error::AccountError::Reference};
use muffliato_model::{LossModel, Protocol};
use muffliato_reference::{
    BigRational, PaperBounds, Process, ReferenceError, RowSpace, bounds::random_walk_bound,
    first_passage_bound, masked_bound, order,
};
use std::sync::OnceLock;

/// The exact engine, which computes fractions by `muffliato-reference`.
pub struct Exact<'a> {
    protocol: &'a Protocol,
    process: Process,
    /// Work budget of a view, in operations on machine words.
    work: u128,
    bounds: OnceLock<PaperBounds>,
}

impl<'a> Exact<'a> {
    /// Runs the protocol symbolically. A view may take about `work` operations on machine words.
    ///
    /// # Errors
    ///
    /// Fails if the protocol is too large.
    pub fn of(protocol: &'a Protocol, work: u128) -> Result<Self, AccountError> {
        Ok(Self {
            protocol,
            process: Process::run(protocol)?,
            work,
            bounds: OnceLock::new(),
        })
    }

    /// Returns the paper's formulas for averaging.
    pub(super) fn averaging(&self) -> Result<&PaperBounds, AccountError> {
        if self.protocol.rounds() > 1 {
            return Err(Reference(ReferenceError::NotApplicable {
                formula: "Theorem 1",
                reason: "it is about one round of averaging; use the bounds for gradient descent",
            }));
        }
        if let Some(bounds) = self.bounds.get() {
            return Ok(bounds);
        }
        let bounds = PaperBounds::of(self.protocol)?;
        Ok(self.bounds.get_or_init(|| bounds))
    }
}

/// Computes the losses of sets: exact for scalars, and for vectors if the two coincide.
fn losses(space: &RowSpace, sets: &[&[usize]]) -> Result<Vec<Loss>, ReferenceError> {
    let found = match space.losses(sets.iter().copied()) {
        Err(
            ReferenceError::TooManyInputs { .. } | ReferenceError::TooManyParticipations { .. },
        ) => {
            let uppers = space.loss_uppers(sets.iter().copied())?.into_iter();
            let at_most = |upper| Loss::between(0.0, Number::from(upper).upper(), space.model());
            return Ok(uppers.map(at_most).collect());
        }
        found => found?,
    };
    let loss =
        |loss: muffliato_reference::Loss| Loss::exact(loss.scalar, loss.vector_upper, loss.model);
    Ok(found.into_iter().map(loss).collect())
}

fn at_most_one(value: BigRational) -> BigRational {
    let one = BigRational::from_integer(1.into());
    if order(&value, &one).is_gt() {
        one
    } else {
        value
    }
}

impl Engine for Exact<'_> {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn protocol(&self) -> &Protocol {
        self.protocol
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        // The bound for masks holds for any loss functions.
        if self.protocol.masks().is_some() && self.protocol.rounds() > 1 {
            let found = self.formula(Formula::Masked, asked)?;
            let at_most =
                |bound: &Number| Loss::between(0.0, bound.upper(), LossModel::SingleInput);
            return Ok(ViewLosses {
                messages: self.protocol.messages_to(asked.observer)?,
                rank: None,
                losses: found.iter().flatten().map(at_most).collect(),
            });
        }
        asked.progress.check(0, 1)?;
        let space = self.process.row_space_within(asked.observer, self.work)?;
        asked.progress.check(0, 1)?;
        Ok(ViewLosses {
            messages: space.messages(),
            rank: Some(space.rank()),
            losses: losses(&space, asked.sets)?,
        })
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        let (protocol, observer) = (self.protocol, asked.observer);
        let theorem_1 = match formula {
            Formula::Theorem1 => {
                let bounds = self.averaging()?;
                Some((bounds, bounds.pairwise_all(observer)?))
            }
            _ => None,
        };
        let of = |set: &&[usize]| {
            asked.progress.check(0, 1)?;
            let found = match (formula, &theorem_1, *set) {
                (_, Some((_, all)), [source]) => Some(all[*source].clone()),
                (_, Some((bounds, _)), set) => Some(bounds.group(set, observer)?),
                (Formula::Masked, ..) => Some(masked_bound(protocol, set, observer)?),
                (Formula::Corollary1, _, &[source]) => {
                    match random_walk_bound(protocol, source, observer) {
                        // It is not defined for this observer.
                        Err(
                            ReferenceError::ZeroWeight { .. } | ReferenceError::NoNeighbour { .. },
                        ) => None,
                        found => Some(found?),
                    }
                }
                (Formula::FirstPassage, _, &[source]) => {
                    let bound = first_passage_bound(protocol, source, observer)?;
                    Some(at_most_one(bound))
                }
                _ => None,
            };
            Ok(found.map(Number::from))
        };
        asked.sets.iter().map(of).collect()
    }
}
