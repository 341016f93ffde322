//! Closed forms in fractions.

use super::Exact;
use crate::engine::{Asked, Closed, Formula};
use crate::{AccountError, Number, number::at_most};
use muffliato_reference::{
    BigRational, PaperBounds, ReferenceError, bounds::random_walk_bound, first_passage_bound,
    masked_bound, order,
};

impl Exact<'_> {
    /// Returns the paper's formulas for averaging.
    pub(in crate::engine) fn averaging(&self) -> Result<&PaperBounds, AccountError> {
        if let Some(bounds) = self.bounds.get() {
            return Ok(bounds);
        }
        let bounds = PaperBounds::of(self.protocol)?;
        Ok(self.bounds.get_or_init(|| bounds))
    }

    /// Computes a closed form for each set.
    pub(super) fn closed(
        &self,
        formula: Formula,
        asked: Asked<'_>,
    ) -> Result<Closed, AccountError> {
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
                (Formula::Masked, ..) => match masked_bound(protocol, set, observer) {
                    Err(ReferenceError::InfiniteLoss { .. }) => {
                        return Ok(Some(at_most(f64::INFINITY)));
                    }
                    found => Some(found?),
                },
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
                    protocol.uniform().map_err(ReferenceError::from)?;
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

fn at_most_one(value: BigRational) -> BigRational {
    let one = BigRational::from_integer(1.into());
    if order(&value, &one).is_gt() { one } else { value }
}
