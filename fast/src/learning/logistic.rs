//! Logistic regression: `l(theta; x, y) = ln(1 + e^{-y theta.x})`, y = 1 or -1.

use super::LocalLoss;
use crate::{FastError, checks};

/// Logistic loss of labelled examples that are distributed over nodes. With examples of norm at
/// most 1 each term is 1-Lipschitz.
///
/// ```
/// use muffliato_fast::learning::{LocalLoss, LogisticLoss, even_shares};
///
/// let features = vec![1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0];
/// let labels = vec![1.0, 1.0, -1.0, -1.0];
/// let loss = LogisticLoss::try_new(2, features, labels, even_shares(4, 2)?)?;
/// assert_eq!((loss.nodes(), loss.examples(0)), (2, 2));
/// assert_eq!(loss.mean_value(&[0.0, 0.0]), 2_f64.ln());
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticLoss {
    dimension: usize,
    features: Vec<f64>,
    labels: Vec<f64>,
    /// Node v holds the examples `starts[v]..starts[v + 1]`.
    starts: Vec<usize>,
}

/// Distributes `examples` examples over `nodes` nodes as evenly as possible; returns the number for
/// each node. Errors if some node would get none.
///
/// ```
/// use muffliato_fast::learning::even_shares;
///
/// assert_eq!(even_shares(7, 3)?, [3, 2, 2]);
/// assert!(even_shares(3, 4).is_err());
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn even_shares(examples: usize, nodes: usize) -> Result<Vec<usize>, FastError> {
    if nodes == 0 || nodes > examples {
        let what = "the number of nodes";
        return Err(checks::bad(what, nodes, "each node needs at least one example"));
    }
    let (each, left) = (examples / nodes, examples % nodes);
    Ok((0..nodes).map(|v| each + usize::from(v < left)).collect())
}

impl LogisticLoss {
    /// Creates the loss from examples row by row (`features[e * dimension + k]`), a label 1 or -1
    /// for each, and the number of consecutive examples at each node.
    ///
    /// # Errors
    /// For wrong lengths, no parameters, a node without examples, other labels, and features that
    /// are not finite.
    pub fn try_new(
        dimension: usize,
        features: Vec<f64>,
        labels: Vec<f64>,
        shares: Vec<usize>,
    ) -> Result<Self, FastError> {
        check_examples(dimension, &features, &labels)?;
        let mut starts = vec![0];
        let mut given = 0_usize;
        for share in shares {
            if share == 0 {
                let expected = "each node needs at least 1";
                return Err(checks::bad("a node's number of examples", 0, expected));
            }
            given = given.saturating_add(share);
            starts.push(given);
        }
        checks::length("examples for the nodes", given, labels.len())?;
        Ok(Self { dimension, features, labels, starts })
    }

    fn margin(&self, example: usize, theta: &[f64]) -> f64 {
        self.labels[example] * dot(self.example(example), theta)
    }

    fn example(&self, example: usize) -> &[f64] {
        &self.features[example * self.dimension..(example + 1) * self.dimension]
    }
}

impl LocalLoss for LogisticLoss {
    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn examples(&self, node: usize) -> usize {
        self.starts[node + 1] - self.starts[node]
    }

    fn value(&self, node: usize, theta: &[f64]) -> f64 {
        let examples = self.starts[node]..self.starts[node + 1];
        let sum: f64 = examples
            .map(|example| {
                let margin = self.margin(example, theta);
                // ln(1 + e^-m), without overflow of e^-m.
                (-margin).max(0.0) + libm::log1p(libm::exp(-margin.abs()))
            })
            .sum();
        sum / self.examples(node) as f64
    }

    fn gradient(&self, node: usize, example: Option<usize>, theta: &[f64], out: &mut [f64]) {
        let start = self.starts[node];
        let examples = match example {
            Some(example) => start + example..start + example + 1,
            None => start..self.starts[node + 1],
        };
        let count = examples.len() as f64;
        out.fill(0.0);
        for example in examples {
            let slope = -self.labels[example] / (1.0 + libm::exp(self.margin(example, theta)));
            for (out, feature) in out.iter_mut().zip(self.example(example)) {
                *out += slope * feature;
            }
        }
        out.iter_mut().for_each(|out| *out /= count);
    }
}

/// Returns the fraction of examples whose label is the sign of `theta.x` (0 counts as 1).
///
/// ```
/// use muffliato_fast::learning::accuracy;
///
/// let (features, labels) = ([1.0, -2.0, 3.0, 0.0], [1.0, 1.0, 1.0, 1.0]);
/// assert_eq!(accuracy(&[1.0], &features, &labels)?, 0.75);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
pub fn accuracy(theta: &[f64], features: &[f64], labels: &[f64]) -> Result<f64, FastError> {
    check_examples(theta.len(), features, labels)?;
    checks::finite("parameter", theta, theta.len())?;
    let right = features
        .chunks_exact(theta.len())
        .zip(labels)
        .filter(|&(example, &label)| (dot(example, theta) >= 0.0) == (label > 0.0));
    Ok(right.count() as f64 / labels.len() as f64)
}

fn check_examples(dimension: usize, features: &[f64], labels: &[f64]) -> Result<(), FastError> {
    if dimension == 0 || labels.is_empty() {
        let expected = "there must be a feature and an example";
        return Err(checks::bad("the number of features", dimension, expected));
    }
    let expected = labels.len().saturating_mul(dimension);
    checks::length("features", features.len(), expected)?;
    if let Some(value) = features.iter().find(|value| !value.is_finite()) {
        return Err(checks::bad("a feature", value, "it must be finite"));
    }
    match labels.iter().find(|label| label.abs() != 1.0) {
        Some(label) => Err(checks::bad("a label", label, "it must be 1 or -1")),
        None => Ok(()),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss() -> LogisticLoss {
        let features = vec![0.6, 0.8, -0.3, 0.1, 1.0, 0.0];
        LogisticLoss::try_new(2, features, vec![1.0, -1.0, -1.0], vec![2, 1]).unwrap()
    }

    #[test]
    fn the_gradient_is_the_derivative() {
        let theta = [0.4, -1.1];
        for node in 0..2 {
            let mut gradient = [0.0; 2];
            loss().gradient(node, None, &theta, &mut gradient);
            for k in 0..2 {
                let at = |shift: f64| {
                    let mut moved = theta;
                    moved[k] += shift;
                    loss().value(node, &moved)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((slope - gradient[k]).abs() < 1e-9, "{slope} {}", gradient[k]);
            }
        }
    }

    #[test]
    fn the_full_gradient_is_the_mean_of_the_examples() {
        let (mut full, mut sum, mut one) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        loss().gradient(0, None, &[0.2, 0.5], &mut full);
        for example in 0..2 {
            loss().gradient(0, Some(example), &[0.2, 0.5], &mut one);
            (0..2).for_each(|k| sum[k] += one[k] / 2.0);
        }
        assert!((0..2).all(|k| (full[k] - sum[k]).abs() < 1e-15));
    }

    #[test]
    fn far_margins_do_not_overflow() {
        let mut gradient = [0.0; 2];
        for theta in [[1e4, 1e4], [-1e4, -1e4]] {
            loss().gradient(0, None, &theta, &mut gradient);
            assert!(gradient.iter().all(|entry| entry.is_finite()));
            assert!(loss().value(0, &theta).is_finite());
        }
    }

    #[test]
    fn bad_input_is_refused() {
        let made = |dimension, features: &[f64], labels: &[f64], shares: &[usize]| {
            LogisticLoss::try_new(dimension, features.to_vec(), labels.to_vec(), shares.to_vec())
        };
        assert!(made(1, &[1.0, 2.0], &[1.0, -1.0], &[1, 1]).is_ok());
        assert!(made(0, &[], &[1.0], &[1]).is_err());
        assert!(made(1, &[], &[], &[]).is_err());
        assert!(made(1, &[1.0], &[1.0, -1.0], &[1, 1]).is_err());
        assert!(made(1, &[1.0, 2.0], &[1.0, 0.0], &[1, 1]).is_err());
        assert!(made(1, &[1.0, f64::NAN], &[1.0, -1.0], &[1, 1]).is_err());
        assert!(made(1, &[1.0, 2.0], &[1.0, -1.0], &[2, 0]).is_err());
        assert!(made(1, &[1.0, 2.0], &[1.0, -1.0], &[usize::MAX, 2]).is_err());
        assert!(even_shares(3, 4).is_err() && even_shares(3, 0).is_err());
        assert_eq!(even_shares(7, 3).unwrap(), [3, 2, 2]);
        assert!(accuracy(&[f64::NAN], &[1.0], &[1.0]).is_err());
        assert!(accuracy(&[], &[], &[1.0]).is_err());
        assert_eq!(accuracy(&[1.0], &[1.0, -2.0, 3.0], &[1.0, 1.0, 1.0]).unwrap(), 2.0 / 3.0);
    }
}
