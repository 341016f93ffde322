//! The protocol: steps, weights, noise and acceleration.

use super::{Loaded, Weights};
use crate::command::{
    number::{decimal, float},
    session::Session,
    table::counted,
};
use anyhow::bail;
use clap::Args;
use muffliato::fast::acceleration_fraction;
use muffliato::model::{ProtocolSpec, ScheduleSpec};
use muffliato::prelude::*;
use muffliato_account::{Schedules, gap_of, planned, steps_to_mix};
use serde_json::{Value, json};
use std::str::FromStr;

/// Options that select the protocol.
#[derive(Args, Clone)]
pub struct ProtocolArgs {
    /// Number of gossip steps, or auto for enough steps to bring the error down to that of the
    /// noise; gd:ROUNDSxSTEPS sets its own.
    #[arg(
        long,
        value_name = "N|auto",
        default_value = "auto",
        allow_negative_numbers = true
    )]
    pub steps: Steps,
    /// The weights: metropolis, max-degree-inverse, lazy, lazy:SCHEME, or the path of a file with a gossip matrix
    /// (Matrix Market, a dense matrix, or edges with weights).
    #[arg(long, value_name = "SCHEME|FILE", default_value = "metropolis")]
    pub weights: Weights,
    /// The protocol: one-shot, refreshed:TAU, masked:KAPPA, gd:ROUNDSxSTEPS[:TAU][:every=B],
    /// randomized:SEED or dropout:Q:SEED, joined by +. A random schedule is drawn once, and the
    /// result holds for that draw.
    #[arg(long, value_name = "PROTOCOL", default_value = "one-shot")]
    pub protocol: ProtocolSpec,
    /// Chebyshev acceleration: its parameter g between 1 and 2, auto to derive it from the spectral
    /// gap, or off.
    #[arg(long, value_name = "auto|G|off", default_value = "off")]
    pub accelerate: Acceleration,
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
            _ => Ok(Self::Given(text.parse().map_err(|_| {
                anyhow::anyhow!("it is no number of steps; give a whole number, or auto")
            })?)),
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
        let weights = self.weights.of(&loaded.graph, session)?;
        let network = Network::try_new(loaded.graph.clone(), weights)?;
        let steps = match (self.protocol.rounds, self.steps) {
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
                let accelerated = self.accelerate != Acceleration::Off;
                let bar = session.progress("spectral gap");
                steps_to_mix(
                    &self.protocol,
                    &network,
                    accelerated,
                    sensitivity,
                    sigma,
                    &bar,
                )?
            }
        };
        Ok((network, steps))
    }

    /// Returns the parameter of the Chebyshev recursion.
    fn g(
        &self,
        loaded: &Loaded,
        network: &Network,
        session: &Session,
    ) -> anyhow::Result<Option<Fraction>> {
        Ok(match self.accelerate {
            Acceleration::Off => None,
            Acceleration::Given(g) => Some(g),
            Acceleration::Auto => {
                loaded.check_connected("--accelerate auto needs a spectral gap")?;
                let gap = gap_of(network, &session.progress("spectral gap"))?;
                Some(acceleration_fraction(gap.estimate)?)
            }
        })
    }

    /// Describes the protocol as JSON, without fields that do not apply.
    pub fn json(&self, protocol: &Protocol) -> Value {
        let kind = match (
            protocol.rounds(),
            self.protocol.schedule,
            protocol.refresh(),
        ) {
            (1, ScheduleSpec::Randomized { .. }, _) => "randomized",
            (1, ScheduleSpec::Dropout { .. }, _) => "dropout",
            (1, _, Some(_)) => "refreshed",
            (1, _, None) => "one-shot",
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
        if let Some(tau) = protocol.refresh() {
            value["tau"] = tau.to_string().into();
        }
        if let Some(masks) = protocol.masks() {
            value["kappa"] = masks.kappa().to_string().into();
        }
        if protocol.period() > 1 {
            value["every"] = protocol.period().into();
        }
        match self.protocol.schedule {
            ScheduleSpec::Fixed => {}
            ScheduleSpec::Randomized { seed } => value["seed"] = seed.into(),
            ScheduleSpec::Dropout { away, seed } => {
                value["away"] = away.into();
                value["seed"] = seed.into();
            }
        }
        if self.protocol.is_random() {
            value["holds_for"] = "this schedule only".into();
        }
        if let Some(g) = protocol.acceleration() {
            value["acceleration"] = g.to_string().into();
        }
        value["weights"] = self.weights.to_string().into();
        value
    }

    /// Describes the protocol in words.
    pub fn described(&self, protocol: &Protocol) -> String {
        let steps = protocol.steps();
        let schedule = match (self.protocol.rounds, self.protocol.schedule) {
            (Some(_), _) => format!(
                "gradient descent of {} with {} each",
                counted(protocol.rounds(), "round"),
                counted(protocol.gossip_steps(), "step"),
            ),
            (None, ScheduleSpec::Fixed) => counted(steps, "step"),
            (None, ScheduleSpec::Randomized { seed }) => {
                format!("randomized gossip along {steps} random edges (seed {seed})")
            }
            (None, ScheduleSpec::Dropout { away, seed }) => {
                format!("{steps} steps, each node away with probability {away} (seed {seed})")
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
                format!("randomized gossip along any {steps} edges")
            }
            ScheduleSpec::Dropout { .. } => {
                format!("{steps} steps at which anybody may be away")
            }
        };
        self.described_as(schedule, protocol)
    }

    fn described_as(&self, schedule: String, protocol: &Protocol) -> String {
        let mut text = schedule;
        if let Some(tau) = protocol.refresh() {
            text += &format!(", fresh noise of {} sigma", decimal(tau));
            if protocol.rounds() > 1 {
                text += " between";
            }
        }
        if let Some(masks) = protocol.masks() {
            text += &format!(", masks of {} sigma", decimal(masks.kappa()));
        }
        if protocol.period() > 1 {
            text += &format!(", data used in one of {} rounds", protocol.period());
        }
        if let Some(g) = protocol.acceleration() {
            let g = match self.accelerate {
                Acceleration::Auto => format!("{:.6}", float(g)),
                _ => decimal(g),
            };
            text += &format!(", accelerated with g = {g}");
        }
        text
    }
}
