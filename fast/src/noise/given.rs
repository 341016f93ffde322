//! Predetermined noise.

use super::{Drawn, NoiseOf, NoiseSource};
use crate::{FastError, checks};
use std::{collections::BTreeMap, fmt};

/// Predetermined noise: for each step that draws, one block for all nodes. It is used as it is,
/// regardless of the requested standard deviation.
#[derive(Clone, PartialEq)]
pub struct GivenNoise {
    width: usize,
    blocks: BTreeMap<usize, Vec<f64>>,
    masks: BTreeMap<(usize, (usize, usize)), Vec<f64>>,
}

impl GivenNoise {
    /// Creates the noise of `nodes` nodes with `width` coordinates each from pairs of a step and
    /// its block, node by node (`block[v * width + k]`). A later block for the same step replaces
    /// an earlier one. Errors for a block of another length, or a number that is not finite.
    pub fn try_new(
        nodes: usize,
        width: usize,
        blocks: impl IntoIterator<Item = (usize, Vec<f64>)>,
    ) -> Result<Self, FastError> {
        let blocks: BTreeMap<_, _> = blocks.into_iter().collect();
        for block in blocks.values() {
            checks::length("entries of a block of noise", block.len(), nodes * width)?;
            checks::finite("noise", block, width)?;
        }
        Ok(Self {
            width,
            blocks,
            masks: BTreeMap::new(),
        })
    }

    /// Adds masks: triples of a step, an edge with the smaller end first, and one finite number per
    /// coordinate.
    pub fn with_masks(
        mut self,
        masks: impl IntoIterator<Item = (usize, (usize, usize), Vec<f64>)>,
    ) -> Result<Self, FastError> {
        for (step, edge, values) in masks {
            checks::length("coordinates of a mask", values.len(), self.width)?;
            checks::finite("mask", &values, self.width)?;
            self.masks.insert((step, edge), values);
        }
        Ok(self)
    }
}

/// Prints the shape, not the noise.
impl fmt::Debug for GivenNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenNoise")
            .field("width", &self.width)
            .field("steps", &self.blocks.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl NoiseSource for GivenNoise {
    fn draw(&self, of: NoiseOf<'_>, step: usize, _deviation: f64, out: &mut [f64]) -> Drawn {
        let width = out.len();
        let (node, given) = match of {
            NoiseOf::Node(node) => {
                let block = self.blocks.get(&step).filter(|_| width == self.width);
                let start = node.saturating_mul(width);
                let place = start..start.saturating_add(width);
                (node, block.and_then(|block| block.get(place)))
            }
            NoiseOf::Edge(a, b) => {
                let mask = self.masks.get(&(step, (a, b))).map(|mask| &mask[..]);
                (a, mask.filter(|mask| mask.len() == width))
            }
            NoiseOf::Key(_) => return Err(of.refused()),
        };
        out.copy_from_slice(given.ok_or(FastError::NoiseNotGiven { node, step, width })?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_noise_refuses_what_it_does_not_have() {
        assert!(GivenNoise::try_new(2, 1, [(0, vec![0.0])]).is_err());
        assert!(GivenNoise::try_new(1, 1, [(0, vec![f64::NAN])]).is_err());
        let given = GivenNoise::try_new(2, 2, [(1, vec![1.0, 2.0, 3.0, 4.0])]).unwrap();
        assert!(!format!("{given:?}").contains("3.0"));
        let mut out = [0.0; 2];
        given.fill(1, 1, 9.0, &mut out).unwrap();
        assert_eq!(out, [3.0, 4.0]);
        for (node, step, width) in [(2, 1, 2), (0, 0, 2), (0, 1, 1), (usize::MAX, 1, 2)] {
            let refused = given.fill(node, step, 1.0, &mut vec![0.0; width]);
            assert_eq!(refused, Err(FastError::NoiseNotGiven { node, step, width }));
        }
    }
}
