//! The protocol: steps, weights, noise and acceleration.

use super::{Loaded, MaskGraph, Weights, noise_on_file, plan_on_file};
use crate::command::{session::Session, table::counted};
use anyhow::bail;
use clap::Args;
use muffliato::fast::acceleration_fraction;
use muffliato::model::{ProtocolSpec, ScheduleSpec};
use muffliato::prelude::*;
use muffliato_account::{Schedules, Sizes, gap_of, planned, steps_to_mix};
use muffliato_design::LocalNoise;
use serde_json::{Value, json};
use std::{path::PathBuf, str::FromStr};

/// Options for the steps and the weights.
#[derive(Args, Clone)]
pub struct GossipArgs {
    /// Number of gossip steps, or auto for enough steps to bring the error down to that of the
    /// noise; gd:ROUNDSxSTEPS sets its own.
    #[arg(long, value_name = "N|auto", default_value = "auto", allow_negative_numbers = true)]
    pub steps: Steps,
    /// The weights: metropolis, max-degree-inverse, lazy, lazy:SCHEME, or the path of a file with a gossip matrix
    /// (Matrix Market, a dense matrix, or edges with weights).
    #[arg(long, value_name = "SCHEME|FILE", default_value = "metropolis")]
    pub weights: Weights,
    /// Chebyshev acceleration: its parameter g between 1 and 2, auto to derive it from the spectral
    /// gap, or off.
    #[arg(long, value_name = "auto|G|off", default_value = "off")]
    pub accelerate: Acceleration,
}

/// Options that select the protocol.
#[derive(Args, Clone)]
pub struct ProtocolArgs {
    #[command(flatten)]
    pub gossip: GossipArgs,
    /// The protocol: one-shot, refreshed:TAU, masked:KAPPA, gd:ROUNDSxSTEPS[:TAU][:every=B][:sample=Q],
    /// randomized:SEED or dropout:Q:SEED, joined by +. With sample=Q each record of a node is used with
    /// probability Q in a round, in secret. A random schedule is drawn once, and the
    /// result holds for that draw.
    #[arg(long, value_name = "PROTOCOL", default_value = "one-shot")]
    pub protocol: ProtocolSpec,
    #[command(flatten)]
    pub sizes: SizeArgs,
}

/// Options for draws of different sizes and for masks on another graph.
#[derive(Args, Clone, Default)]
pub struct SizeArgs {
    /// A noise plan, a size for every draw, as muffliato plan --plan-out writes it. It replaces the
    /// noise and the masks of the protocol, and sets the steps unless --steps does.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    #[command(flatten)]
    pub masks: MaskArgs,
}

/// The option for the mask graph.
#[derive(Args, Clone, Default)]
pub struct MaskArgs {
    /// Who shares the keys that masks need: neighbours, complete (everybody with everybody),
    /// regular:D:seed=S (a random graph in which everybody shares D keys), or the path of a graph
    /// file with the same node names.
    #[arg(
        long,
        value_name = "neighbours|complete|regular:D:seed=S|FILE",
        default_value = "neighbours"
    )]
    pub mask_graph: MaskGraph,
}

impl SizeArgs {
    /// Returns LDP's noise and the target of the plan, if there is a plan that has them.
    pub fn noise(&self) -> anyhow::Result<Option<LocalNoise>> {
        self.plan.as_deref().map_or(Ok(None), noise_on_file)
    }

    /// Reads the plan or the mask graph for the nodes of a graph.
    pub fn on(&self, graph: &Graph) -> anyhow::Result<Sizes> {
        let plan = self.plan.as_deref().map(|path| plan_on_file(path, graph)).transpose()?;
        let masks = (self.masks.mask_graph != MaskGraph::Neighbours)
            .then(|| self.masks.mask_graph.on(graph));
        Ok(Sizes { plan: plan.map(|(plan, _)| plan), mask_graph: masks.transpose()? })
    }
}

/// The value of `--steps`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// Enough steps to mix down to the noise.
    Auto,
    /// A fixed number of steps.
    Given(usize),
}

/// The value of `--accelerate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Acceleration {
    /// Plain gossip.
    Off,
    /// Chebyshev acceleration with the parameter of the spectral gap.
    Auto,
    /// Chebyshev acceleration with this parameter.
    Given(Fraction),
}

impl FromStr for Steps {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Given(
                text.parse().map_err(|_| anyhow::anyhow!("expected a whole number or `auto`"))?,
            )),
        }
    }
}

impl FromStr for Acceleration {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        match text {
            "off" => Ok(Self::Off),
            "auto" => Ok(Self::Auto),
            _ => Ok(Self::Given(text.parse()?)),
        }
    }
}

impl ProtocolArgs {
    /// Builds the protocol on a graph. `--steps auto` takes the steps after which inputs in an
    /// interval of length `sensitivity` have mixed down to noise of standard deviation `sigma`.
    pub fn protocol(
        &self,
        loaded: &Loaded,
        sensitivity: f64,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<Protocol> {
        let (network, steps) = self.sized(loaded, sensitivity, sigma, session)?;
        let protocol = planned(&self.protocol, &network, steps)?;
        let protocol = self.sizes.on(&loaded.graph)?.apply(protocol, &self.protocol)?;
        Ok(match self.g(loaded, &network, session)? {
            Some(g) => protocol.accelerated(g)?,
            None => protocol,
        })
    }

    /// Builds the set of all schedules that may be drawn; `None` if the schedule is fixed.
    pub fn schedules(
        &self,
        loaded: &Loaded,
        sensitivity: f64,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<Option<Schedules>> {
        if !self.protocol.is_random() {
            return Ok(None);
        }
        let (network, steps) = self.sized(loaded, sensitivity, sigma, session)?;
        self.sizes.on(&loaded.graph)?.check(&self.protocol)?;
        let schedules = Schedules::planned(&self.protocol, &network, steps)?;
        Ok(match (schedules, self.g(loaded, &network, session)?) {
            (Some(schedules), Some(g)) => Some(schedules.accelerated(g)?),
            (schedules, _) => schedules,
        })
    }

    /// Builds the network and determines the number of steps.
    fn sized(
        &self,
        loaded: &Loaded,
        sensitivity: f64,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<(Network, usize)> {
        let weights = self.gossip.weights.of(&loaded.graph, session)?;
        let network = Network::try_new(loaded.graph.clone(), weights)?;
        let planned = match &self.sizes.plan {
            Some(path) => Some(plan_on_file(path, &loaded.graph)?.1),
            None => None,
        };
        if let (None, Steps::Auto, Some(steps)) = (self.protocol.rounds, self.gossip.steps, planned)
        {
            return Ok((network, steps));
        }
        let steps = match (self.protocol.rounds, self.gossip.steps) {
            (Some(_), Steps::Given(_)) => bail!(
                "--steps conflicts with --protocol gd:ROUNDSxSTEPS, which sets the steps; leave it out"
            ),
            (Some((_, steps)), _) | (None, Steps::Given(steps)) => steps,
            (None, Steps::Auto) => {
                if let ScheduleSpec::Dropout { .. } = self.protocol.schedule {
                    bail!(
                        "--steps auto does not work on a graph that changes; give a number, such as --steps 20"
                    );
                }
                loaded.check_connected("--steps auto counts the steps until all values agree")?;
                let accelerated = self.gossip.accelerate != Acceleration::Off;
                let bar = session.progress("spectral gap");
                steps_to_mix(&self.protocol, &network, accelerated, sensitivity, sigma, &bar)?
            }
        };
        if let Some(planned) = planned.filter(|planned| *planned != steps) {
            session.note(&format!(
                "the plan is for {}, and the protocol has {}: its target need not hold, and the numbers here are those of the protocol",
                counted(planned, "step"),
                counted(steps, "step"),
            ));
        }
        Ok((network, steps))
    }

    /// Returns the parameter of the Chebyshev recursion.
    fn g(
        &self,
        loaded: &Loaded,
        network: &Network,
        session: &Session,
    ) -> anyhow::Result<Option<Fraction>> {
        Ok(match self.gossip.accelerate {
            Acceleration::Off => None,
            Acceleration::Given(g) => Some(g),
            Acceleration::Auto => {
                loaded.check_connected("--accelerate auto needs a spectral gap")?;
                let gap = gap_of(network, &session.progress("spectral gap"))?;
                Some(acceleration_fraction(gap.estimate)?)
            }
        })
    }

    /// Returns `true` if the protocol is the record of a run in which edges ended early.
    fn was_interrupted(&self, protocol: &Protocol) -> bool {
        let is_fixed = matches!(self.protocol.schedule, ScheduleSpec::Fixed);
        is_fixed && protocol.fixed_network().is_none()
    }

    /// Describes the protocol as JSON, without fields that do not apply.
    pub fn json(&self, protocol: &Protocol) -> Value {
        let kind = match (protocol.rounds(), self.protocol.schedule, protocol.is_refreshed()) {
            (1, ScheduleSpec::Randomized { .. }, _) => "randomized",
            (1, ScheduleSpec::Dropout { .. }, _) => "dropout",
            (1, _, true) => "refreshed",
            (1, _, false) => "one-shot",
            _ => "gd",
        };
        let mut value = json!({
            "plan": self.protocol.to_string(),
            "kind": kind,
            "steps": protocol.steps(),
        });
        if self.protocol.rounds.is_some() {
            value["rounds"] = protocol.rounds().into();
            value["gossip_steps"] = protocol.gossip_steps().into();
        }
        if let (Err(_), Ok(plan)) = (protocol.uniform(), protocol.plan(0)) {
            value["noise_plan"] = json!(plan);
        }
        if self.sizes.masks.mask_graph != MaskGraph::Neighbours {
            value["mask_graph"] = self.sizes.masks.mask_graph.described().into();
        }
        let sizes = protocol.uniform().unwrap_or_default();
        if let Some(tau) = sizes.tau {
            value["tau"] = tau.to_string().into();
        }
        if let Some(kappa) = sizes.kappa {
            value["kappa"] = kappa.to_string().into();
        }
        if protocol.period() > 1 {
            value["every"] = protocol.period().into();
        }
        if let Some(rate) = protocol.sampling() {
            value["sampling_rate"] = rate.to_string().into();
        }
        match self.protocol.schedule {
            ScheduleSpec::Fixed => {}
            ScheduleSpec::Randomized { seed } => value["seed"] = seed.into(),
            ScheduleSpec::Dropout { away, seed } => {
                value["away"] = away.into();
                value["seed"] = seed.into();
            }
        }
        if self.protocol.is_random() || self.was_interrupted(protocol) {
            value["holds_for"] = "this schedule only".into();
        }
        if let Some(g) = protocol.acceleration() {
            value["acceleration"] = g.to_string().into();
        }
        value["weights"] = self.gossip.weights.to_string().into();
        value
    }

    /// Describes the protocol in words.
    pub fn described(&self, protocol: &Protocol) -> String {
        let steps = protocol.steps();
        let schedule = match (self.protocol.rounds, self.protocol.schedule) {
            (Some(_), _) => format!(
                "gradient descent of {} with {}{}",
                counted(protocol.rounds(), "round"),
                counted(protocol.gossip_steps(), "step"),
                if protocol.rounds() == 1 { "" } else { " each" },
            ),
            (None, ScheduleSpec::Fixed) => counted(steps, "step"),
            (None, ScheduleSpec::Randomized { seed }) => {
                format!(
                    "randomized gossip along {} (seed {seed}; idle steps are dropped)",
                    counted(steps, "random edge")
                )
            }
            (None, ScheduleSpec::Dropout { away, seed }) => {
                format!(
                    "{}, each node away with probability {away} (seed {seed})",
                    counted(steps, "step")
                )
            }
        };
        self.described_as(schedule, protocol)
    }

    /// Describes the protocol in words, for every schedule.
    pub fn described_for_all(&self, protocol: &Protocol) -> String {
        let steps = protocol.steps();
        let schedule = match self.protocol.schedule {
            ScheduleSpec::Fixed => counted(steps, "step"),
            ScheduleSpec::Randomized { .. } => {
                format!("randomized gossip along any {}", counted(steps, "edge"))
            }
            ScheduleSpec::Dropout { .. } => {
                format!("{} at which any node may be away", counted(steps, "step"))
            }
        };
        self.described_as(schedule, protocol)
    }

    fn described_as(&self, schedule: String, protocol: &Protocol) -> String {
        let mut text = schedule;
        if self.was_interrupted(protocol) {
            text += ", as they took place: some edges ended early";
        }
        let sizes = protocol.uniform();
        if sizes.is_err() {
            text += ", with noise and masks of a plan (a size of its own for every draw)";
        }
        let sizes = sizes.unwrap_or_default();
        if let Some(tau) = sizes.tau {
            text += &format!(", fresh noise of {} sigma", tau.decimal());
            if protocol.rounds() > 1 {
                text += " between";
            }
        }
        if let Some(kappa) = sizes.kappa {
            text += &match &self.sizes.masks.mask_graph {
                MaskGraph::Neighbours => format!(", masks of {} sigma", kappa.decimal()),
                graph => format!(", {}, each of {} sigma", graph.described(), kappa.decimal()),
            };
        }
        if protocol.period() > 1 {
            text += &format!(", data used in one of {} rounds", protocol.period());
        }
        if let Some(rate) = protocol.sampling() {
            text += &format!(", each record used with probability {} in a round", rate.decimal());
            if protocol.masks().is_none() {
                text += " (without masks later messages carry what earlier rounds used, so that only the loss of all states is amplified)";
            }
        }
        if let Some(g) = protocol.acceleration() {
            let g = match self.gossip.accelerate {
                Acceleration::Auto => format!("{:.6}", g.to_f64()),
                _ => g.decimal(),
            };
            text += &format!(", accelerated with g = {g}");
        }
        text
    }
}
