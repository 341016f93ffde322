//! Quadratic losses: `phi_v(theta) = (a_v / 2) ||theta - b_v||^2`.

use super::LocalLoss;
use crate::{FastError, checks};

/// A quadratic loss with curvature `a_v` and centre `b_v` for each node. Its local step is linear,
/// `theta - nu grad = (1 - nu a_v) theta + nu a_v b_v`, so the descent is a linear process.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadraticLoss {
    dimension: usize,
    curvatures: Vec<f64>,
    centres: Vec<f64>,
}

impl QuadraticLoss {
    /// Creates the loss from one curvature > 0 per node, and one centre of `dimension` >= 1
    /// coordinates per node, node by node.
    pub fn try_new(
        dimension: usize,
        curvatures: Vec<f64>,
        centres: Vec<f64>,
    ) -> Result<Self, FastError> {
        if dimension == 0 || curvatures.is_empty() {
            let expected = "there must be a parameter and a node";
            return Err(checks::bad("the number of parameters", dimension, expected));
        }
        for &curvature in &curvatures {
            checks::positive("a curvature", curvature)?;
        }
        let expected = curvatures.len().saturating_mul(dimension);
        checks::length("coordinates of centres", centres.len(), expected)?;
        checks::finite("centre", &centres, dimension)?;
        Ok(Self {
            dimension,
            curvatures,
            centres,
        })
    }

    fn centre(&self, node: usize) -> &[f64] {
        &self.centres[node * self.dimension..(node + 1) * self.dimension]
    }
}

impl LocalLoss for QuadraticLoss {
    fn nodes(&self) -> usize {
        self.curvatures.len()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn examples(&self, _node: usize) -> usize {
        1
    }

    fn value(&self, node: usize, theta: &[f64]) -> f64 {
        let pairs = theta.iter().zip(self.centre(node));
        let square: f64 = pairs.map(|(x, centre)| (x - centre) * (x - centre)).sum();
        self.curvatures[node] / 2.0 * square
    }

    fn gradient(&self, node: usize, _example: Option<usize>, theta: &[f64], out: &mut [f64]) {
        for ((out, x), centre) in out.iter_mut().zip(theta).zip(self.centre(node)) {
            *out = self.curvatures[node] * (x - centre);
        }
    }
}
