//! The bound for masked states, for any loss functions.

use super::Proved;
use crate::engine::{Asked, Fast, MOST_MASKED, fast::MANY};
use crate::{AccountError, noise_law::ProvedFor};
use muffliato_fast::FastError;

/// Radius of the trees that bound pairs on larger graphs.
const RADIUS: usize = 3;

impl Fast<'_> {
    /// Computes upper bounds for masked states with the corrections of a grid; infinite without
    /// masks.
    pub(in crate::engine) fn masked_bounds_for(
        &self,
        noise: ProvedFor,
        asked: Asked<'_>,
    ) -> Result<Vec<Proved>, AccountError> {
        let Some(bounds) = &self.masked else {
            return Ok(vec![Proved::NONE; asked.sets.len()]);
        };
        let mut uppers = self.masked_uppers(asked)?;
        if let Some(ratio) = noise.ratio()? {
            for (upper, set) in uppers.iter_mut().zip(asked.sets) {
                upper.0 = bounds.on_grid(upper.0, set.len(), ratio, noise.coordinates())?;
            }
        }
        Ok(uppers)
    }

    /// Computes certified upper bounds for masked protocols, for any loss functions.
    pub(in crate::engine) fn masked_uppers(
        &self,
        asked: Asked<'_>,
    ) -> Result<Vec<Proved>, FastError> {
        let Some(bounds) = &self.masked else {
            return Err(FastError::NotApplicable {
                formula: "the bound for masked protocols",
                reason: "it has no masks; use Protocol::masked",
            });
        };
        let single = asked.are_single();
        if let (true, Some(pairs), [v]) = (single, &self.masked_pairs, asked.observer.members()) {
            asked.observer.check(self.protocol.nodes())?;
            return asked.each(|set| {
                let observes = FastError::SourceObserves { node: set[0] };
                pairs.upper(set[0], *v).map(Proved).ok_or(observes)
            });
        }
        let many = self.protocol.nodes() > MOST_MASKED && asked.sets.len() > MANY;
        if single && many && self.protocol.fixed_network().is_some() {
            let all = bounds.clone().watched(asked.progress).towards(asked.observer, RADIUS)?;
            return Ok(asked.sets.iter().map(|set| Proved(all[set[0]])).collect());
        }
        asked.each(|set| {
            asked.progress.check(0, 1)?;
            Ok(Proved(bounds.bound(set, asked.observer)?.upper()))
        })
    }
}
