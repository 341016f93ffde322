//! `muffliato attack`.

use super::audit::Format;
use anyhow::Context;
use clap::Args;
use muffliato::prelude::*;
use muffliato_conformance::attack::{Attack as Breach, Rounding};

/// A break-in.
#[derive(Args)]
pub struct Attack {
    /// The graph: a family such as hypercube:4, or a file's path.
    graph: String,
    /// The node whose input is attacked, by its name.
    #[arg(long, value_name = "NODE")]
    source: String,
    /// The node that attacks, by its name.
    #[arg(long, value_name = "NODE")]
    observer: String,
    /// The number of gossip steps; without it one more than the distance of the two.
    #[arg(long, value_name = "T")]
    steps: Option<usize>,
    /// The number of simulated runs, half with each input.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    trials: usize,
    /// The seed of the noise.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The standard deviation of the noise; the two inputs are 0 and 1.
    #[arg(long, value_name = "SIGMA", default_value_t = 1.0)]
    sigma: f64,
    /// The delta at which eps is bounded from below.
    #[arg(long, value_name = "DELTA", default_value_t = 1e-5)]
    delta: f64,
    /// Fresh noise of TAU sigma at every later step.
    #[arg(long, value_name = "TAU")]
    refreshed: Option<Fraction>,
    /// Messages arrive as f32, or rounded to this number of decimals.
    #[arg(long, value_name = "f32|DIGITS", default_value = "f64")]
    round: Rounding,
    /// How to print the result.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl Attack {
    pub fn run(self) -> anyhow::Result<String> {
        let graph = self.graph.parse::<GraphSpec>()?.build()?;
        let node = |name: &str| {
            graph
                .node(name)
                .with_context(|| format!("the graph has no node {name}"))
        };
        let (source, observer) = (node(&self.source)?, node(&self.observer)?);
        let distance = graph.distances_from(source)[observer];
        let steps = self.steps.unwrap_or(distance.unwrap_or(0) + 1);
        let network = Network::try_new(graph, WeightScheme::Metropolis)?;
        let mut protocol = Protocol::one_shot(network, steps)?;
        if let Some(tau) = self.refreshed {
            protocol = protocol.refreshed(tau)?;
        }
        let report = Breach::new(&protocol, source, Observer::full(observer))
            .sigma(self.sigma)
            .delta(self.delta)
            .trials(self.trials)
            .seed(self.seed)
            .rounding(self.round)
            .run(&())?;
        Ok(match self.format {
            Format::Table => report.text(),
            Format::Json => format!("{:#}\n", report.json()),
        })
    }
}
