//! A simulated run under dropout, and its accounts.

use super::authors;
use super::averaging::towards;
use super::setting::{SIGMA, Setting, tau_of};
use muffliato::account::Account;
use muffliato::command::data::uniform;
use muffliato::fast::noise::NoiseSource;
use muffliato::fast::simulation::{
    Dropout, ErdosRenyiSequence, NetworkSequence, StreamedRun, StreamedStep,
};
use muffliato::fast::{FastError, Progress, SparseWeights};
use muffliato::prelude::*;

/// Largest number of steps of a run.
const MOST_STEPS: usize = 20_000;

/// Number of sources that are accounted for in each run.
pub const SOURCES: usize = 8;

/// Parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub nodes: usize,
    /// Probability that a node is away at a step.
    pub away: f64,
    pub seed: u64,
    pub sources: usize,
    pub as_authors: bool,
}

/// A run and its account by Theorem 1.
pub struct Run {
    pub steps: usize,
    /// Mean loss over observers and sources after each step.
    pub losses: Vec<f64>,
    /// Final mean loss over observers, by source.
    pub ends: Vec<f64>,
    /// Error after each step; with `--as-authors` divided by the squared error of the mean.
    pub errors: Vec<f64>,
}

/// Product of all matrices so far, by rows.
struct Product {
    nodes: usize,
    rows: Vec<Vec<f64>>,
    squares: Vec<f64>,
}

impl Product {
    fn identity(nodes: usize) -> Self {
        let unit = |v| (0..nodes).map(|u| f64::from(u8::from(u == v))).collect();
        Self {
            nodes,
            rows: (0..nodes).map(unit).collect(),
            squares: vec![1.0; nodes],
        }
    }

    /// Multiplies by the matrix of a step; only rows of nodes with neighbours change.
    fn multiply(&mut self, weights: &SparseWeights) {
        let mut changed = Vec::new();
        for v in 0..self.nodes {
            let (columns, values) = weights.row(v);
            if columns.is_empty() {
                continue;
            }
            let own = weights.own(v);
            let mut row: Vec<f64> = self.rows[v].iter().map(|x| own * x).collect();
            for (&w, weight) in columns.iter().zip(values) {
                for (out, x) in row.iter_mut().zip(&self.rows[w as usize]) {
                    *out += weight * x;
                }
            }
            changed.push((v, row));
        }
        for (v, row) in changed {
            self.squares[v] = row.iter().map(|x| x * x).sum();
            self.rows[v] = row;
        }
    }

    /// Adds what the messages of this step reveal about the first nodes.
    fn add_shares(&self, graph: &Graph, losses: &mut [Vec<f64>]) {
        for w in 0..self.nodes {
            for (source, losses) in losses.iter_mut().enumerate() {
                let share = self.rows[w][source].powi(2) / self.squares[w];
                for v in graph.neighbours(w) {
                    losses[v] += share;
                }
            }
        }
    }
}

/// Creates the networks of a run.
pub fn networks(
    nodes: usize,
    away: f64,
    seed: u64,
) -> Result<Dropout<ErdosRenyiSequence>, FastError> {
    let q = 2.0 / nodes as f64;
    let graphs = ErdosRenyiSequence::try_new(nodes, q, WeightScheme::Metropolis, seed)?;
    Dropout::try_new(graphs, away, seed)
}

/// Returns the inputs, the standard deviation of the noise still to be added, and the noise floor.
fn start(plan: &Plan, noise: &SeededNoise) -> Result<(Vec<f64>, f64, f64), FastError> {
    let inputs: Vec<f64> = (0..plan.nodes as u64)
        .map(|v| uniform(plan.seed, v))
        .collect();
    if !plan.as_authors {
        return Ok((inputs, SIGMA, SIGMA * SIGMA / plan.nodes as f64));
    }
    let mut drawn = vec![0.0; plan.nodes];
    for (node, drawn) in drawn.iter_mut().enumerate() {
        noise.fill(node, 0, SIGMA, std::slice::from_mut(drawn))?;
    }
    let noisy = authors::clipped(&inputs, &drawn);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let floor = (mean(&noisy) - mean(&inputs)).powi(2);
    Ok((noisy, 0.0, floor))
}

impl Plan {
    /// Runs until the mean squared distance to the common mean is three times the noise floor, and
    /// accounts for the first nodes as sources. The floor is `sigma^2 / n`, or the squared error of
    /// the mean with `--as-authors`.
    pub fn run(&self, progress: &dyn Progress) -> Result<Run, FastError> {
        let Self { nodes, sources, .. } = *self;
        let noise = SeededNoise::new(self.seed);
        let (inputs, sigma, floor) = start(self, &noise)?;
        let run = StreamedRun {
            sigma,
            most_steps: MOST_STEPS,
            // Errors are half of mean squares.
            until: Some(1.5 * floor),
            ..StreamedRun::default()
        };
        let mut product = Product::identity(nodes);
        let mut losses = vec![vec![0.0; nodes]; sources];
        let mut path = Vec::new();
        let mean = |source: usize, losses: &[f64]| {
            let own = if self.as_authors { 0.0 } else { losses[source] };
            (losses.iter().sum::<f64>() - own) / nodes as f64
        };
        let ends = |losses: &[Vec<f64>]| -> Vec<f64> {
            let sources = losses.iter().enumerate();
            sources
                .map(|(source, losses)| mean(source, losses))
                .collect()
        };
        let account = |step: StreamedStep<'_>| {
            progress.check(step.step, MOST_STEPS)?;
            product.add_shares(step.network.graph(), &mut losses);
            product.multiply(step.weights);
            path.push(ends(&losses).iter().sum::<f64>() / sources as f64);
            Ok(())
        };
        let sequence = networks(nodes, self.away, self.seed)?;
        let outcome = run.run(&sequence, &inputs, 1, &noise, account)?;
        let unit = if self.as_authors { floor / 2.0 } else { 1.0 };
        Ok(Run {
            steps: outcome.steps,
            losses: path,
            ends: ends(&losses),
            errors: outcome.errors.iter().map(|error| error / unit).collect(),
        })
    }
}

/// Returns leakage towards sampled observers: the mean over all sources of the estimates for
/// one-shot noise, the mean of the certified losses with fresh noise, and the number of sources per
/// observer that lose more than half with one-shot noise.
pub fn leakage(
    setting: &Setting<'_>,
    nodes: usize,
    away: f64,
    seed: u64,
    steps: usize,
) -> anyhow::Result<[f64; 3]> {
    let observers = setting.sample(nodes, setting.choose(12, 4));
    let protocol = networks(nodes, away, seed)?.protocol(steps)?;
    let bar = setting.session.progress("leakage under dropout");
    let refreshed = protocol.clone().refreshed(tau_of(nodes)?)?;
    let (mut leaked, mut certified, mut open) = (0.0, 0.0, 0);
    for &observer in &observers {
        let found = towards(Account::of(&protocol)?.progress(&bar), observer)?.estimates;
        leaked += found.iter().flatten().sum::<f64>() / nodes as f64;
        // Many lose exactly half, up to rounding.
        let more = |loss: &&f64| **loss > 0.5 + 1e-9;
        open += found.iter().flatten().filter(more).count();
        let found = towards(Account::of(&refreshed)?.progress(&bar), observer)?.at_most;
        certified += found.iter().flatten().sum::<f64>() / nodes as f64;
    }
    let count = observers.len() as f64;
    Ok([leaked / count, certified / count, open as f64 / count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::mean_and_deviation;

    /// The row-wise product agrees with the engine, and the account with Theorem 1. The authors
    /// count the source as an observer.
    #[test]
    fn the_account_is_theorem_1() {
        for as_authors in [false, true] {
            let plan = Plan {
                nodes: 60,
                away: 0.3,
                seed: 5,
                sources: 3,
                as_authors,
            };
            let run = plan.run(&()).unwrap();
            let protocol = networks(60, 0.3, 5).unwrap().protocol(run.steps).unwrap();
            let bounds = muffliato::fast::bounds::PaperBounds::of(&protocol).unwrap();
            for (source, found) in run.ends.iter().enumerate() {
                let losses = bounds.from_source(source).unwrap();
                let counted = losses.iter().enumerate();
                let counted = counted.filter(|&(v, _)| as_authors || v != source);
                let mean = counted.map(|(_, loss)| loss.value()).sum::<f64>() / 60.0;
                assert!((found / mean - 1.0).abs() < 1e-12, "{found} {mean}");
            }
            let mean = mean_and_deviation(&run.ends).0;
            assert!((run.losses.last().unwrap() / mean - 1.0).abs() < 1e-12);
        }
    }

    /// Noisy inputs leave [0, 1] unless they are clipped; a run stops at three times its own floor.
    #[test]
    fn the_authors_clip_inputs_and_stop_at_the_error_of_the_mean() {
        let plan = |as_authors| Plan {
            nodes: 200,
            away: 0.1,
            seed: 2,
            sources: 1,
            as_authors,
        };
        let noise = SeededNoise::new(2);
        let (inputs, sigma, floor) = start(&plan(true), &noise).unwrap();
        assert!(inputs.iter().all(|x| (0.0..=1.0).contains(x)) && sigma == 0.0);
        assert!(inputs.iter().filter(|&&x| x == 0.0 || x == 1.0).count() > 50);
        assert!(floor > 0.0 && floor != 1.0 / 200.0);
        let errors = plan(true).run(&()).unwrap().errors;
        let (last, before) = errors.split_last().unwrap();
        assert!(
            *last <= 3.0 && before.iter().all(|&error| error > 3.0),
            "{errors:?}"
        );
        assert_eq!(start(&plan(false), &noise).unwrap().1, SIGMA);
    }
}
