//! The exact engine's answers.

use super::{Choice, Engine, Formula, Seen};
use crate::{AccountError, Loss, Number, error::AccountError::Reference};
use muffliato_fast::Progress;
use muffliato_model::{LossModel, Observer, Protocol};
use muffliato_reference::{
    BigRational, PaperBounds, Process, ReferenceError, View,
    bounds::{RoundExponent, gd_bound_general, gd_bound_simple, random_walk_bound},
    first_passage_bound, masked_bound, order, refreshed_walk_bound,
};

/// Fractions, by `muffliato-reference`.
pub struct Exact {
    process: Process,
    /// The paper's formulas, for averaging.
    bounds: Option<PaperBounds>,
}

impl Exact {
    /// Runs the protocol on symbols.
    pub fn of(protocol: &Protocol) -> Result<Self, AccountError> {
        let bounds = match protocol.rounds() {
            1 => Some(PaperBounds::of(protocol)?),
            _ => None,
        };
        Ok(Self {
            process: Process::run(protocol)?,
            bounds,
        })
    }

    fn averaging(&self) -> Result<&PaperBounds, AccountError> {
        self.bounds
            .as_ref()
            .ok_or(Reference(ReferenceError::NotApplicable {
                formula: "Theorem 1",
                reason: "it is about one round of averaging; use the bounds for gradient descent",
            }))
    }
}

/// The loss of a set: exact for scalars, and for vectors where the two coincide.
fn loss(view: &View, set: &[usize]) -> Result<Loss, AccountError> {
    match view.loss(set) {
        Ok(loss) => Ok(Loss::exact(loss.scalar, loss.vector_upper, loss.model)),
        Err(ReferenceError::TooManyInputs { .. }) => {
            let upper = Number::from(view.loss_upper(set)?);
            Ok(Loss::at_most(&upper, view.model()))
        }
        Err(error) => Err(error.into()),
    }
}

/// A formula that may be undefined for this observer.
fn defined(
    found: Result<BigRational, ReferenceError>,
) -> Result<Option<BigRational>, ReferenceError> {
    match found {
        Err(ReferenceError::ZeroWeight { .. } | ReferenceError::NoNeighbour { .. }) => Ok(None),
        found => found.map(Some),
    }
}

fn at_most_one(value: BigRational) -> BigRational {
    let one = BigRational::from_integer(1.into());
    match order(&value, &one).is_gt() {
        true => one,
        false => value,
    }
}

impl Engine for Exact {
    fn choice(&self) -> Choice {
        Choice::Exact
    }

    fn protocol(&self) -> &Protocol {
        self.process.protocol()
    }

    fn losses(
        &self,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Seen, AccountError> {
        let view = self.process.view(observer)?;
        let protocol = self.protocol();
        let losses = sets.iter().map(|set| {
            progress.check(0, 1)?;
            // What gradients react to is not known; masks hold for any of them.
            if protocol.masks().is_some() && protocol.rounds() > 1 {
                let bound = Number::from(masked_bound(protocol, set, observer)?);
                return Ok(Loss::at_most(&bound, LossModel::SingleInput));
            }
            loss(&view, set)
        });
        Ok(Seen {
            messages: view.messages(),
            rank: Some(view.rank()),
            losses: losses.collect::<Result<_, _>>()?,
        })
    }

    fn formula(
        &self,
        formula: Formula,
        observer: &Observer,
        sets: &[&[usize]],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Number>>, AccountError> {
        let protocol = self.protocol();
        if formula == Formula::Theorem1 {
            let bounds = self.averaging()?;
            let all = bounds.pairwise_all(observer)?;
            let found = sets.iter().map(|set| match set {
                [source] => Ok(all[*source].clone()),
                set => bounds.group(set, observer),
            });
            let found = found.map(|found| Ok(Some(found?.into())));
            return found.collect();
        }
        let of = |source: usize| -> Result<Option<BigRational>, ReferenceError> {
            match formula {
                Formula::Theorem1 => Ok(None),
                Formula::Corollary1 => defined(random_walk_bound(protocol, source, observer)),
                Formula::DescentMainText => gd_bound_simple(protocol, source, observer).map(Some),
                Formula::DescentAppendix => {
                    gd_bound_general(protocol, source, observer, RoundExponent::AsPrinted).map(Some)
                }
                Formula::DescentAppendixFull => {
                    gd_bound_general(protocol, source, observer, RoundExponent::Full).map(Some)
                }
                Formula::FirstPassage => Ok(Some(at_most_one(first_passage_bound(
                    protocol, source, observer,
                )?))),
                Formula::RefreshedWalk => Ok(Some(at_most_one(refreshed_walk_bound(
                    protocol, source, observer,
                )?))),
                Formula::Masked => masked_bound(protocol, &[source], observer).map(Some),
            }
        };
        let found = sets.iter().map(|set| match set {
            set if formula == Formula::Masked => {
                Ok(Some(masked_bound(protocol, set, observer)?.into()))
            }
            [source] => {
                progress.check(0, 1)?;
                Ok(of(*source)?.map(Number::from))
            }
            _ => Ok(None),
        });
        found.collect()
    }

    fn mean_loss(&self, observer: &Observer, _: &dyn Progress) -> Result<Number, AccountError> {
        Ok(self.averaging()?.mean_loss(observer)?.into())
    }

    fn noise_error(&self, _: &dyn Progress) -> Result<Number, AccountError> {
        let protocol = self.protocol();
        let zero = BigRational::from_integer(0.into());
        let zeros = vec![vec![zero.clone(); protocol.nodes()]; protocol.rounds()];
        Ok(self.process.expected_error(&zeros, &zero)?.noise.into())
    }

    /// `m^2 (m + draws)` products of integers for m messages, which grow with them.
    fn work(&self, observer: &Observer) -> Result<f64, AccountError> {
        let messages = self.protocol().messages_to(observer)? as f64;
        let draws = (self.process.draw_times().len() * self.protocol().nodes()) as f64;
        Ok(messages * messages * (messages + draws) * (messages + 1.0))
    }
}
