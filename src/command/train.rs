//! `muffliato train`: trains by decentralized logistic regression and accounts for the privacy
//! loss.

use super::account::{AccountReport, Computed, EngineArgs};
use super::average::{seeded_noise, simulation};
use super::data::{self, Examples};
use super::input::{GraphArgs, NoiseArgs, ObserverArgs, ProtocolArgs, help_on_graphs};
use super::output::{OutputArgs, PlotArgs, Report, fields, write_csv, write_json};
use super::session::Session;
use super::table;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::fast::learning::{
    Aggregation, Descent, LocalLoss, LogisticLoss, Sampling, Trajectory, accuracy, even_shares,
};
use muffliato::model::Lipschitz;
use muffliato::plot::{Axis, LineChart, Picture, Series};
use muffliato::prelude::*;
use muffliato_account::{Account, Formulas, NoiseLaw, Observers, rounded};
use serde_json::{Value, json};
use std::io::Write;

/// Arguments of `train`.
#[derive(Args)]
#[command(
    after_help = help_on_graphs(),
    after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()),
    mut_arg("observers", |argument| argument.help(format!(
        "The observers: all, sample:N for N evenly spaced nodes, or a list of names. By default all nodes observe; where that \
         takes more than about {:.0} min of one core, a sample does, and nothing is guaranteed against the others",
        MOST_SECONDS / 60.0
    ))),
    mut_arg("steps", |argument| argument.hide(true)), // gd:ROUNDSxSTEPS sets them
    mut_arg("protocol", |argument| argument
        .value_name("gd:ROUNDSxSTEPS[:TAU][:every=B][:sample=Q]")
        .default_value("gd:20x5")
        .help(PROTOCOL))
)]
pub struct Train {
    #[command(flatten)]
    graph: GraphArgs,
    /// The data: a CSV file whose last column is to be predicted (above or below its mean), or
    /// synthetic:EXAMPLESxFEATURES. Each node holds an equal share.
    #[arg(long, value_name = "FILE|synthetic:..")]
    data: String,
    #[command(flatten)]
    protocol: ProtocolArgs,
    /// The step size.
    #[arg(long, value_name = "NU", default_value_t = 0.7)]
    step_size: f64,
    /// Norm to which gradients are clipped; the sensitivity is twice as large. With sample=Q, the
    /// gradient of each record is clipped, and the sensitivity is this norm over Q times the largest
    /// number of records of a node.
    #[arg(long, value_name = "NORM", default_value_t = 1.0)]
    clip: f64,
    /// Standard deviation of the noise on each gradient; by default that of --plan, or 1.
    #[arg(long, value_name = "SIGMA")]
    sigma: Option<f64>,
    /// The delta of (epsilon, delta); by default that of --plan, or 1e-6.
    #[arg(long, value_name = "DELTA")]
    delta: Option<f64>,
    /// The noise for which losses are proved, as in account. On a grid, sigma and sensitivity of the account are those of the steps,
    /// NU times those of the gradients.
    #[arg(
        long = "noise",
        value_name = "gaussian|rounded:STEP|discrete:STEP",
        default_value = "gaussian"
    )]
    law: NoiseLaw,
    /// Seed of the noise, of the split and of synthetic data.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    plot: PlotArgs,
}

const PROTOCOL: &str = "\
Number of rounds and gossip steps in each, with fresh noise of TAU sigma between rounds if it is given. With every=B, node v uses its \
data only in the rounds v mod B, B + v mod B, ... With sample=Q, each record is used with probability Q in a round, by a secret coin; \
then one record is protected, not all records of a node. Masks (+masked:KAPPA) make it useful";

const EXAMPLES: &str = "\
Examples:
  muffliato train hypercube:5 --data synthetic:2000x8 --protocol gd:10x4 --observer 0
  muffliato train karate --data synthetic:1000x4 --protocol gd:10x1 --plot accuracy.png
";

/// Estimated time of one core, in seconds, up to which all nodes observe by default.
const MOST_SECONDS: f64 = 60.0;

struct TrainReport<'a> {
    account: AccountReport<'a>,
    /// `Ok` if the steps of this run are 1-Lipschitz, otherwise the reason why this is unknown.
    assumption: Result<(), String>,
    seed: u64,
    /// Training loss and test accuracy at the start of each round and at the end.
    gossip: Vec<(f64, f64)>,
    /// Training loss and test accuracy with a trusted aggregator that adds the same noise.
    trusted: Vec<(f64, f64)>,
}

impl Train {
    /// Trains, accounts for the run and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        let examples = data::examples(&self.data, self.seed)?;
        let loaded = self.graph.load(session)?;
        let sampling = self.sampling(&examples, loaded.graph.nodes())?;
        // The grid is that of the steps, NU times the gradients.
        let scale = if self.law.grid().is_some() { self.step_size } else { 1.0 };
        let clip = scale * self.clip;
        let planned = self.protocol.sizes.noise()?;
        let sigma = self.sigma.or(planned.map(|plan| plan.sigma)).unwrap_or(1.0);
        let noise = NoiseArgs {
            sigma: scale * sigma,
            sensitivity: match sampling {
                Sampling::EachExample { divisor, .. } => (clip / divisor).next_up(),
                _ => 2.0 * clip,
            },
            alpha: 2.0,
            delta: self.delta.or(planned.map(|plan| plan.delta)).unwrap_or(1e-6),
            runs: 1,
        };
        noise.check(self.law, 1)?;
        self.output.check()?;
        self.plot.check()?;
        if self.protocol.protocol.rounds.is_none() {
            bail!("training has rounds; give --protocol gd:ROUNDSxSTEPS, such as gd:20x5");
        }
        let protocol = self.protocol.protocol(&loaded, noise.sensitivity, sigma, session)?;
        let most = affordable_observers(&protocol)?;
        let asked = self.observers.asked_of(&loaded.graph, most, most, session)?;
        let gossip = Aggregation::of(&protocol)?;
        let by_gossip = self.train(&examples, &protocol, sigma, sampling, gossip, session)?;
        let trusted = Aggregation::TrustedAggregator;
        let by_trust = self.train(&examples, &protocol, sigma, sampling, trusted, session)?;
        let assumption = self.assumption(&examples);
        let account = asked
            .of(&protocol, self.engine.choice())
            .noise(self.law, noise.sensitivity, examples.dimension)
            .formulas(Formulas { proved: true, ..Formulas::NONE });
        let account = match assumption {
            Ok(()) => account.lipschitz(Lipschitz::default()),
            Err(_) => account.any_losses(),
        };
        let computed = Computed::of(account, session)?;
        let report = TrainReport {
            account: AccountReport::new(&loaded, &self.protocol, &protocol, &noise, &computed),
            assumption,
            seed: self.seed,
            gossip: by_gossip,
            trusted: by_trust,
        };
        self.plot.deliver(|| Ok(report.picture()))?;
        self.output.deliver(&report)?;
        computed.complete()
    }

    /// Checks that every step of a node is 1-Lipschitz. The logistic loss of rows of norm r is
    /// convex and `r^2/4`-smooth, and its gradients have norm at most r, so clipping at r changes
    /// nothing.
    fn assumption(&self, examples: &Examples) -> Result<(), String> {
        let rows = examples.training.chunks_exact(examples.dimension);
        let square = rows.map(|row| row.iter().map(|x| x * x).sum::<f64>());
        let square = square.fold(0.0_f64, f64::max);
        // Norms are known up to rounding.
        if square.sqrt() > self.clip * (1.0 + 1e-9) {
            return Err(format!(
                "gradients of norm up to {} are clipped to {}, and clipping the gradient of a node can stretch differences; raise --clip",
                rounded(square.sqrt()),
                self.clip,
            ));
        }
        if self.step_size * square / 4.0 > 2.0 {
            return Err(format!(
                "steps are longer than 2/beta = {}; lower --step-size",
                rounded(8.0 / square),
            ));
        }
        Ok(())
    }

    /// Returns the records that each round uses. The sum over a sampled batch is divided by the
    /// expected size of the largest batch, a number that no coin changes.
    fn sampling(&self, examples: &Examples, nodes: usize) -> anyhow::Result<Sampling> {
        let Some(rate) = self.protocol.protocol.sampling else {
            return Ok(Sampling::AllExamples);
        };
        let largest = shares(examples, nodes)?.into_iter().max().unwrap_or(1);
        let divisor = rate.to_f64() * largest as f64;
        Ok(Sampling::EachExample { seed: self.seed, rate, divisor })
    }

    /// Trains, and returns the training loss and the test accuracy of the mean parameters in each
    /// round.
    fn train(
        &self,
        examples: &Examples,
        protocol: &Protocol,
        sigma: f64,
        sampling: Sampling,
        aggregation: Aggregation<'_>,
        session: &Session,
    ) -> anyhow::Result<Vec<(f64, f64)>> {
        let nodes = protocol.nodes();
        let loss = LogisticLoss::try_new(
            examples.dimension,
            examples.training.clone(),
            examples.training_labels.clone(),
            shares(examples, nodes)?,
        )?;
        let descent = Descent {
            step_size: self.step_size,
            sigma,
            clip: Some(self.clip),
            sampling,
            ..Descent::of(protocol)?
        };
        let start = vec![0.0; nodes * examples.dimension];
        let noise = seeded_noise(self.law, self.seed);
        let bar = session.progress("training");
        let Trajectory { means, .. } =
            descent.run_watched(&loss, &start, aggregation, &*noise, &bar)?;
        let measured = means.iter().map(|theta| {
            let right = accuracy(theta, &examples.testing, &examples.testing_labels)?;
            Ok((loss.mean_value(theta), right))
        });
        measured.collect()
    }
}

/// Returns the number of training examples of each node.
fn shares(examples: &Examples, nodes: usize) -> anyhow::Result<Vec<usize>> {
    let count = examples.training_labels.len();
    even_shares(count, nodes).with_context(|| {
        format!(
            "{count} training examples cannot be shared among {nodes} nodes; each node needs at least one: give more examples or a smaller graph"
        )
    })
}

/// Estimates the number of observers that take [`MOST_SECONDS`] of one core: at least one, at most
/// all nodes. The estimate does not depend on the machine or on the number of threads, so results
/// do not either.
fn affordable_observers(protocol: &Protocol) -> anyhow::Result<usize> {
    let nodes = protocol.nodes();
    let account = Account::of(protocol).observers(Observers::All).threads(1).build()?;
    let seconds = 3600.0 * account.hours()?;
    if seconds <= MOST_SECONDS {
        return Ok(nodes);
    }
    Ok(((nodes as f64 * MOST_SECONDS / seconds) as usize).clamp(1, nodes))
}

impl TrainReport<'_> {
    fn picture(&self) -> Picture {
        let accuracies = |rounds: &[(f64, f64)]| {
            let points = rounds.iter().enumerate();
            points.map(|(round, &(_, right))| (round as f64, right)).collect()
        };
        Picture::from(LineChart {
            title: format!("Training on {}", self.account.loaded.title()),
            x: Axis::linear("rounds"),
            y: Axis::linear("accuracy on test examples"),
            series: vec![
                Series::new("gossip", accuracies(&self.gossip)),
                Series::new("trusted aggregator", accuracies(&self.trusted)),
            ],
        })
    }

    fn rounds(&self) -> impl Iterator<Item = (usize, [f64; 4])> + '_ {
        let both = self.gossip.iter().zip(&self.trusted).enumerate();
        both.map(|(round, (gossip, trusted))| (round, [gossip.0, gossip.1, trusted.0, trusted.1]))
    }
}

impl Report for TrainReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let by_distance = self.account.by_distance();
        writeln!(out, "{}", by_distance.introduction())?;
        writeln!(
            out,
            "Training loss and test accuracy of the mean parameters, with seed {}. How the data was standardised and split is not \
             part of the account.\n",
            self.seed
        )?;
        let rows: Vec<_> = self
            .rounds()
            .map(|(round, numbers)| {
                let mut row = vec![round.to_string()];
                row.extend(numbers.map(rounded));
                row
            })
            .collect();
        let head = "round,loss,accuracy,trusted loss,accuracy";
        writeln!(out, "{}", table::aligned(head, &rows))?;
        let law = self.account.computed.summary.noise().law();
        writeln!(out, "{}\n", simulation(law))?;
        match &self.assumption {
            _ if by_distance.holds_for_any_loss() => {
                writeln!(out, "Privacy loss of the run, for any loss functions:\n")?;
            }
            Ok(()) => writeln!(
                out,
                "Privacy loss of the run. Rows have norm 1, no gradient is clipped and the step is short enough: the promised loss is \
                 the guarantee. The other losses are in the model of {}.\n",
                self.account.protocol.loss_model()
            )?,
            Err(reason) => writeln!(
                out,
                "There is no guarantee but the number of rounds: {reason}.\nPrivacy loss in the model of {}:\n",
                self.account.protocol.loss_model()
            )?,
        }
        Ok(write!(out, "{}", by_distance.table()?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rounds: Vec<Value> = self
            .rounds()
            .map(|(round, [loss, right, trusted_loss, trusted_right])| {
                json!({
                    "round": round,
                    "gossip": {"loss": loss, "accuracy": right},
                    "trusted_aggregator": {"loss": trusted_loss, "accuracy": trusted_right},
                })
            })
            .collect();
        let by_distance = self.account.by_distance();
        let mut fields = self.account.about_run(self.seed);
        fields.extend(fields! {
            "rounds": rounds,
            "by_distance": by_distance.json()?,
            "epsilon_for_any_loss": by_distance.unconditional(),
            "no_guarantee_because": self.assumption.as_ref().err(),
        });
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.rounds().map(|(round, numbers)| {
            let mut row = vec![round.to_string()];
            row.extend(numbers.map(|number| number.to_string()));
            row
        });
        write_csv(out, "round,loss,accuracy,trusted_loss,trusted_accuracy", rows)
    }
}
