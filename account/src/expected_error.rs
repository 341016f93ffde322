//! The expected error of an averaging protocol, estimated in floating point.
//!
//! ```text
//! (1/2n) ( ||(M_0 - J) x||^2 + sigma^2 ( ||M_0||_F^2 + tau^2 sum_{t=1..T-1} ||M_t||_F^2 ) )
//! ```
//!
//! (with a noise plan, each column of `M_t` has the variance of its draw as a weight) and, with masks, `sigma^2 kappa^2 / (2n)` times
//! `trace(M_0 L_H M_0^T) = sum_j <M_0 e_j, M_0 L_H e_j>`: what of them has not mixed. `M_t` is the
//! map from an injection at t to the state at T. The norms are those of the columns, which are runs
//! of the protocol from unit vectors.

use muffliato_fast::{FastError, Progress, SparseWeights, simulation::GossipState};
use muffliato_model::{Draw, Fraction, Graph, Protocol, Step};
use std::ops::Range;

/// Number of columns that are mixed together.
const BLOCK: usize = 64;

/// The fraction of the noise that is left at the end of a protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseGain {
    nodes: f64,
    /// `||M_0||_F^2`.
    initial: f64,
    /// `sum_w s_w^2 ||M_0 e_w||^2`.
    own: f64,
    /// `sum_{t=1..T-1} ||M_t||_F^2`.
    fresh: f64,
    /// `trace(M_0 L_H M_0^T)`, H the mask graph; 0 without masks.
    masks: f64,
    /// The size of the masks; `None` for a noise plan, whose variances are in the sums already.
    kappa: Option<f64>,
}

impl NoiseGain {
    /// Computes the gain of a protocol of one round.
    ///
    /// # Errors
    ///
    /// Fails if a step is invalid or the work is cancelled.
    pub fn of(protocol: &Protocol, progress: &dyn Progress) -> Result<Self, FastError> {
        let steps = protocol.steps();
        Ok(Self::by_step(protocol, progress)?[steps])
    }

    /// Computes the gains of a protocol of one round after 0, 1, 2, ... steps.
    ///
    /// # Errors
    ///
    /// Those of [`NoiseGain::of`].
    pub fn by_step(protocol: &Protocol, progress: &dyn Progress) -> Result<Vec<Self>, FastError> {
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let mut weights: Vec<SparseWeights> = Vec::new();
        for t in 0..steps {
            match protocol.step(t) {
                Step::Network(network)
                    if weights.is_empty() || protocol.fixed_network().is_none() =>
                {
                    weights.push(SparseWeights::of_network(network)?);
                }
                _ => {}
            }
        }
        let g = protocol.acceleration();
        let g = g.map(Fraction::to_f64);
        let step = |state: &mut GossipState, t: usize| match protocol.step(t) {
            Step::EdgeAverage { edge: (u, v), .. } => state.average(u, v),
            Step::Network(_) => state.mix(&weights[t.min(weights.len() - 1)]),
        };
        let uniform = protocol.uniform().ok();
        let nothing = Self {
            nodes: nodes as f64,
            initial: 0.0,
            own: 0.0,
            fresh: 0.0,
            masks: 0.0,
            kappa: uniform.map(|sizes| sizes.kappa.map_or(0.0, Fraction::to_f64)),
        };
        let weight = |draw: Draw| match uniform {
            Some(_) => 1.0,
            None => protocol.variance(draw).to_f64(),
        };
        let weights_at = |time: usize, of: Range<usize>| {
            of.map(|node| weight(Draw::Own { time, node })).collect::<Vec<f64>>()
        };
        let mask_graph = protocol.mask_graph(0)?;
        let mut gains = vec![nothing; steps + 1];
        for start in (0..nodes).step_by(BLOCK) {
            let width = BLOCK.min(nodes - start);
            let mut units = vec![0.0; nodes * width];
            for k in 0..width {
                units[(start + k) * width + k] = 1.0;
            }
            let mut state = GossipState::try_new(units.clone(), width)?.accelerated(g)?;
            let mut shared = match &mask_graph {
                Some(graph) => {
                    let mask = |edge| weight(Draw::Mask { time: 0, edge });
                    let columns = laplacian(graph, start, width, mask);
                    Some(GossipState::try_new(columns, width)?.accelerated(g)?)
                }
                None => None,
            };
            let common = |state: &GossipState, shared: &Option<GossipState>| {
                let pairs = shared.iter().flat_map(|s| s.values().iter().zip(state.values()));
                pairs.map(|(x, y)| x * y).sum::<f64>()
            };
            let ones = vec![1.0; width];
            let own = weights_at(0, start..start + width);
            gains[0].initial += squares(&state, &ones);
            gains[0].own += squares(&state, &own);
            gains[0].masks += common(&state, &shared);
            for t in 0..steps {
                progress.check(start, nodes)?;
                step(&mut state, t)?;
                if let Some(shared) = &mut shared {
                    step(shared, t)?;
                }
                gains[t + 1].initial += squares(&state, &ones);
                gains[t + 1].own += squares(&state, &own);
                gains[t + 1].masks += common(&state, &shared);
            }
            // On a fixed network what is injected at t is, j steps later, what was injected at 1 is
            // j steps after that.
            let fixed = protocol.fixed_network().is_some();
            for injected in 1..if fixed { steps.min(2) } else { steps } {
                let mut state = GossipState::try_new(vec![0.0; nodes * width], width)?;
                state = state.accelerated(g)?;
                step(&mut state, injected - 1)?;
                state.inject(&units)?;
                let mut fresh = 0.0;
                for t in injected..steps {
                    progress.check(start, nodes)?;
                    step(&mut state, t)?;
                    let weights = weights_at(injected, start..start + width);
                    fresh = squares(&state, &weights) + if fixed { fresh } else { 0.0 };
                    gains[t + 1].fresh += fresh;
                }
            }
        }
        Ok(gains)
    }

    /// Sets the size of the masks, for a protocol with uniform noise and masks.
    pub fn with_kappa(self, kappa: f64) -> Self {
        Self { kappa: self.kappa.map(|_| kappa), ..self }
    }

    /// Returns the expected error with noise `sigma` and fresh noise `tau sigma`, for independent
    /// inputs that are uniform in an interval of length `sensitivity`. A noise plan has its own
    /// sizes of fresh noise in place of tau.
    pub fn error(&self, sigma: f64, tau: f64, sensitivity: f64) -> f64 {
        // M keeps the mean, so ||M - J||_F^2 = ||M||_F^2 - 1.
        let bias = (self.initial - 1.0).max(0.0) * sensitivity * sensitivity / 12.0;
        let (tau, kappa) = self.kappa.map_or((1.0, 1.0), |kappa| (tau, kappa));
        let shared = kappa * kappa * self.masks;
        let noise = sigma * sigma * (self.own + tau * tau * self.fresh + shared);
        (bias + noise) / (2.0 * self.nodes)
    }
}

/// Returns the columns of the weighted Laplacian from `start` on.
fn laplacian(
    graph: &Graph,
    start: usize,
    width: usize,
    weight: impl Fn((usize, usize)) -> f64,
) -> Vec<f64> {
    let mut columns = vec![0.0; graph.nodes() * width];
    for k in 0..width {
        let j = start + k;
        for b in graph.neighbours(j) {
            let weight = weight((j.min(b), j.max(b)));
            columns[j * width + k] += weight;
            columns[b * width + k] = -weight;
        }
    }
    columns
}

/// Returns the sum of the squares of all columns, each times its weight.
fn squares(state: &GossipState, weights: &[f64]) -> f64 {
    let rows = state.values().chunks_exact(weights.len());
    let row = |row: &[f64]| row.iter().zip(weights).map(|(x, weight)| weight * x * x).sum::<f64>();
    rows.map(row).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;
    use muffliato_model::{Fraction, Network, NoisePlan};
    use muffliato_reference::{BigRational, Process};

    fn exact(protocol: &Protocol) -> f64 {
        let zeros = vec![BigRational::from_integer(0.into()); protocol.nodes()];
        let error = Process::run(protocol).unwrap().averaging_error(&zeros).unwrap();
        Number::from(error.noise).value()
    }

    /// Against the exact expected error of the reference, plain and accelerated, refreshed and not,
    /// after each step.
    #[test]
    fn gains_agree_with_the_reference() {
        for (graph, g) in [("karate", None), ("hypercube:3", Some("5/4"))] {
            let network = Network::metropolis(graph.parse().unwrap()).unwrap();
            let after = |steps: usize| {
                let protocol = Protocol::one_shot(network.clone(), steps).unwrap();
                match g {
                    Some(g) => protocol.accelerated(g.parse().unwrap()).unwrap(),
                    None => protocol,
                }
            };
            let gains = NoiseGain::by_step(&after(4), &()).unwrap();
            assert_eq!(gains[4], NoiseGain::of(&after(4), &()).unwrap());
            assert_eq!(gains[0].error(1.0, 0.5, 0.0), 0.5);
            for steps in 1..=4 {
                let refreshed = after(steps).refreshed("1/2".parse().unwrap()).unwrap();
                for (tau, protocol) in [(0.0, after(steps)), (0.5, refreshed)] {
                    let (found, exact) = (gains[steps].error(1.0, tau, 0.0), exact(&protocol));
                    assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
                }
            }
        }
    }

    #[test]
    fn masks_count_unless_they_have_mixed() {
        let network = Network::metropolis("karate".parse().unwrap()).unwrap();
        for steps in [1, 4] {
            let plain = Protocol::one_shot(network.clone(), steps).unwrap();
            let masked = plain.clone().masked("3".parse().unwrap()).unwrap();
            let refreshed = masked.clone().refreshed("1/2".parse().unwrap()).unwrap();
            for (tau, protocol) in [(0.0, &masked), (0.5, &refreshed)] {
                let gain = NoiseGain::of(protocol, &()).unwrap();
                let found = gain.error(1.0, tau, 0.0);
                assert!((found / exact(protocol) - 1.0).abs() < 1e-12, "{found}");
                assert!(gain.with_kappa(0.0).error(1.0, tau, 0.0) < found);
            }
        }
    }

    /// Every draw of a plan counts with its own variance: two graphs, plain and accelerated.
    #[test]
    fn plans_count_draw_by_draw() {
        let network = |graph: &str| Network::metropolis(graph.parse().unwrap()).unwrap();
        let fractions = |k: i64, count: i64| {
            (0..count).map(move |i| Fraction::try_new(((i * 7 + k) % 5).into(), 3).unwrap())
        };
        let edges = network("ring:6").graph().edges().collect::<Vec<_>>();
        let masks = edges.into_iter().zip(fractions(2, 6)).collect();
        let plan =
            NoisePlan { nodes: fractions(0, 6).collect(), masks, fresh: fractions(1, 6).collect() };
        let fixed = Protocol::one_shot(network("path:6"), 3).unwrap();
        let varying = vec![network("path:6"), network("star:6"), network("ring:6")];
        let accelerated = fixed.clone().accelerated("5/4".parse().unwrap()).unwrap();
        for protocol in [fixed, accelerated, Protocol::time_varying(varying).unwrap()] {
            let planned = protocol.with_plan(plan.clone()).unwrap();
            let found = NoiseGain::of(&planned, &()).unwrap().error(1.0, 0.0, 0.0);
            assert!((found / exact(&planned) - 1.0).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn fresh_noise_counts_on_changing_graphs() {
        let network = |graph: &str| Network::metropolis(graph.parse().unwrap()).unwrap();
        let networks =
            vec![network("path:5"), network("star:5"), network("ring:5"), network("star:5")];
        let varying = Protocol::time_varying(networks).unwrap();
        let edges = vec![(0, 1), (1, 2), (3, 4), (2, 3), (0, 1)];
        let randomized = Protocol::randomized("path:5".parse::<Graph>().unwrap(), edges).unwrap();
        let accelerated = varying.clone().accelerated("5/4".parse().unwrap()).unwrap();
        for protocol in [varying, randomized, accelerated] {
            let refreshed = protocol.refreshed("1/2".parse().unwrap()).unwrap();
            let found = NoiseGain::of(&refreshed, &()).unwrap().error(1.0, 0.5, 0.0);
            assert!((found / exact(&refreshed) - 1.0).abs() < 1e-12);
        }
    }
}
