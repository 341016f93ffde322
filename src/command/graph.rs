//! `muffliato graph`: describes a graph or converts it to another format.

use super::conversion::{GraphFormat, write_graph};
use super::input::{GraphArgs, Loaded, help_on_graphs};
use super::output::{OutputArgs, Report, fields, write_csv, write_json};
use super::session::{Listening, Session};
use super::table;
use clap::Args;
use muffliato::fast::{FastError, Progress, Rate, SpectralGap, steps_to_converge};
use muffliato::prelude::*;
use muffliato_account::{AccountError, gap_of, rounded};
use serde_json::{Value, json};
use std::io::Write;

/// Arguments of `graph`.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct GraphCommand {
    #[command(flatten)]
    graph: GraphArgs,
    /// Write the graph in this format instead of describing it.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<GraphFormat>,
    /// Standard deviation of the noise for which steps are counted, with inputs in an interval of
    /// length 1.
    #[arg(long, value_name = "SIGMA", default_value_t = 1.0)]
    sigma: f64,
    /// Compute the spectral gap and the steps even on a large graph, where this takes minutes.
    #[arg(long)]
    gap: bool,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato graph karate
  muffliato graph hypercube:11 --format json
  muffliato graph florentine --to json --output florentine.json
";

/// Largest number of edges that the searches for the diameter may visit.
const DIAMETER_WORK: usize = 2_000_000_000;

/// Largest number of edges for which the spectral gap is computed by default, in about a second.
const GAP_EDGES: usize = 100_000;

/// Largest variance of inputs in an interval of length 1.
const VARIANCE: f64 = 0.25;

struct Description {
    loaded: Loaded,
    components: usize,
    diameter: Option<usize>,
    schemes: Vec<Scheme>,
}

struct Scheme {
    name: String,
    /// The spectral gap with the steps of plain and accelerated gossip, or the reason why there is
    /// none.
    gap: Result<(SpectralGap, usize, usize), String>,
}

impl GraphCommand {
    /// Describes or converts the graph.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        let loaded = self.graph.load(session)?;
        if let Some(format) = self.to {
            return self.output.write(|out| write_graph(&loaded.graph, format, out));
        }
        let description = self.describe(loaded, session)?;
        self.output.deliver(&description)
    }

    fn describe(&self, loaded: Loaded, session: &Session) -> anyhow::Result<Description> {
        let graph = &loaded.graph;
        let components = graph.components().len();
        let work = graph.nodes().saturating_mul(graph.edge_count() + graph.nodes());
        Listening.check(0, 1)?;
        let diameter = if work <= DIAMETER_WORK {
            graph.diameter()
        } else {
            session.note("the graph is too large for its diameter");
            None
        };
        let mut schemes = Vec::new();
        let wanted = if self.gap || graph.edge_count() <= GAP_EDGES {
            &["metropolis", "max-degree-inverse", "lazy"][..]
        } else {
            &[]
        };
        for &name in wanted {
            let weights: WeightScheme = name.parse()?;
            let network = Network::try_new(graph.clone(), weights)?;
            let gap = match gap_of(&network, &session.progress("spectral gap")) {
                Ok(gap) => {
                    let steps = |rate| {
                        steps_to_converge(rate, gap.estimate, graph.nodes(), VARIANCE, self.sigma)
                    };
                    let (plain, accelerated) = (steps(Rate::Plain)?, steps(Rate::Accelerated)?);
                    Ok((gap, plain, accelerated))
                }
                Err(AccountError::Fast(FastError::NoGap { reason, .. })) => Err(reason.to_string()),
                Err(AccountError::Fast(error @ FastError::NotConverged { .. })) => {
                    Err(error.to_string())
                }
                Err(error) => return Err(error.into()),
            };
            let name = name.to_string();
            schemes.push(Scheme { name, gap });
        }
        Ok(Description { loaded, components, diameter, schemes })
    }
}

impl Description {
    fn degrees(&self) -> (usize, f64, usize) {
        let graph = &self.loaded.graph;
        let least = (0..graph.nodes()).map(|v| graph.degree(v)).min().unwrap_or(0);
        let mean = 2.0 * graph.edge_count() as f64 / graph.nodes() as f64;
        (least, mean, graph.max_degree())
    }
}

impl Report for Description {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (least, mean, most) = self.degrees();
        writeln!(
            out,
            "{}, degrees {least} to {most} (mean {}).",
            self.loaded.described(),
            rounded(mean),
        )?;
        match (self.components, self.diameter) {
            (1, Some(diameter)) => writeln!(out, "Connected, diameter {diameter}.")?,
            (1, None) => writeln!(out, "Connected.")?,
            (components, _) => writeln!(
                out,
                "Not connected: {components} components; --giant-component keeps the largest."
            )?,
        }
        if self.schemes.is_empty() {
            writeln!(
                out,
                "The spectral gap and the steps take minutes on a graph of this size; --gap computes them."
            )?;
            return Ok(());
        }
        writeln!(
            out,
            "\nGossip steps until inputs in an interval of length 1 have mixed down to the noise:\n"
        )?;
        let rows: Vec<_> = self
            .schemes
            .iter()
            .map(|scheme| match &scheme.gap {
                Ok((gap, plain, accelerated)) => vec![
                    scheme.name.clone(),
                    rounded(gap.estimate),
                    if gap.is_certified(1e-6) { "certified".into() } else { "estimate".into() },
                    plain.to_string(),
                    accelerated.to_string(),
                ],
                Err(_) => [&scheme.name, "-", "-", "-", "-"].map(String::from).into(),
            })
            .collect();
        let head = "weights,spectral gap,status,plain steps,accelerated";
        write!(out, "{}", table::aligned(head, &rows))?;
        for scheme in &self.schemes {
            if let Err(reason) = &scheme.gap {
                writeln!(out, "\nNo gap with {} weights: {reason}.", scheme.name)?;
            }
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (least, mean, most) = self.degrees();
        let schemes: Vec<Value> = self
            .schemes
            .iter()
            .map(|scheme| match &scheme.gap {
                Ok((gap, plain, accelerated)) => json!({
                    "weights": scheme.name,
                    "spectral_gap": {
                        "lower": gap.certified.lower(),
                        "upper": gap.certified.upper(),
                        "value": gap.estimate,
                    },
                    "plain_steps": plain,
                    "accelerated_steps": accelerated,
                }),
                Err(reason) => {
                    json!({"weights": scheme.name, "spectral_gap": null, "reason": reason})
                }
            })
            .collect();
        let fields = fields! {
            "graph": self.loaded.json(),
            "degrees": json!({"min": least, "mean": mean, "max": most}),
            "components": self.components,
            "diameter": self.diameter,
            "schemes": schemes,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let graph = &self.loaded.graph;
        let row = |node| [graph.label(node), graph.degree(node).to_string()];
        write_csv(out, "node,degree", (0..graph.nodes()).map(row))
    }
}
