//! The protocol: what nodes do, for how many steps, with which weights.

use super::Loaded;
use super::kind::{Acceleration, Kind, Steps};
use crate::command::session::Session;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::fast::{
    GapOptions, Rate, SparseWeights, SpectralGap, acceleration_fraction, gossip_intensities,
    randomized_gap,
    simulation::{Dropout, EdgeActivation, NetworkSequence},
    spectral_gap, steps_to_converge,
};
use muffliato::prelude::*;
use serde_json::{Value, json};

/// What nodes do.
#[derive(Args, Clone)]
pub struct ProtocolArgs {
    /// The number of gossip steps, or auto for as many as bring the error down to that of the noise;
    /// gd:ROUNDSxSTEPS says its own.
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    pub steps: Steps,
    /// The weights: metropolis, max-degree-inverse, lazy or lazy:SCHEME.
    #[arg(long, value_name = "SCHEME", default_value = "metropolis")]
    pub weights: WeightScheme,
    /// The protocol: one-shot, refreshed:TAU, gd:ROUNDSxSTEPS, gd:ROUNDSxSTEPS:TAU, randomized:SEED or
    /// dropout:Q:SEED.
    #[arg(long, value_name = "PROTOCOL", default_value = "one-shot")]
    pub protocol: Kind,
    /// Chebyshev acceleration: its parameter g between 1 and 2, auto for the one of the spectral gap, or off.
    #[arg(long, value_name = "auto|G|off", default_value = "off")]
    pub accelerate: Acceleration,
}

/// The spectral gap of a network.
pub fn gap_of(network: &Network, session: &Session) -> anyhow::Result<SpectralGap> {
    let weights = SparseWeights::of_network(network)?;
    let bar = session.progress("spectral gap");
    Ok(spectral_gap(&weights, &GapOptions::default(), &bar)?)
}

impl ProtocolArgs {
    /// The protocol on this graph. With `--steps auto`, the steps after which inputs in an interval of length
    /// `sensitivity` have mixed down to noise of standard deviation `sigma`.
    pub fn protocol(
        &self,
        loaded: &Loaded,
        sensitivity: f64,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<Protocol> {
        let network = Network::try_new(loaded.graph.clone(), self.weights.clone())?;
        let steps = || self.steps_on(loaded, &network, sensitivity, sigma, session);
        let protocol = match &self.protocol {
            Kind::OneShot => Protocol::one_shot(network.clone(), steps()?)?,
            Kind::Refreshed(tau) => {
                Protocol::one_shot(network.clone(), steps()?)?.refreshed(*tau)?
            }
            Kind::GradientDescent { .. } if self.steps != Steps::Auto => {
                bail!(
                    "--steps does not go with --protocol gd:ROUNDSxSTEPS, which says the steps itself; leave it out"
                )
            }
            Kind::GradientDescent { rounds, steps, tau } => {
                let plain = Protocol::gradient_descent(network.clone(), *rounds, *steps)?;
                match tau {
                    Some(tau) => plain.refreshed(*tau)?,
                    None => plain,
                }
            }
            Kind::Randomized(seed) => EdgeActivation::of_network(&network)?
                .draw(steps()?, *seed)?
                .protocol()
                .context("no edge was active; give more --steps")?,
            Kind::Dropout { away, seed } => {
                Dropout::try_new(network.clone(), *away, *seed)?.protocol(steps()?)?
            }
        };
        match self.accelerate {
            Acceleration::Off => Ok(protocol),
            Acceleration::Given(g) => Ok(protocol.accelerated(g)?),
            Acceleration::Auto => {
                loaded.check_connected("--accelerate auto needs a spectral gap")?;
                let gap = gap_of(&network, session)?;
                Ok(protocol.accelerated(acceleration_fraction(gap.estimate)?)?)
            }
        }
    }

    fn steps_on(
        &self,
        loaded: &Loaded,
        network: &Network,
        sensitivity: f64,
        sigma: f64,
        session: &Session,
    ) -> anyhow::Result<usize> {
        if let Steps::Given(steps) = self.steps {
            return Ok(steps);
        }
        if let Kind::Dropout { .. } = self.protocol {
            bail!(
                "--steps auto knows no number for a graph that changes; give one, such as --steps 20"
            );
        }
        loaded.check_connected("--steps auto counts the steps until all values agree")?;
        // Inputs in an interval of length Delta have a variance of at most Delta^2 / 4.
        let variance = sensitivity * sensitivity / 4.0;
        let nodes = loaded.graph.nodes();
        if let Kind::Randomized(_) = self.protocol {
            let intensities = gossip_intensities(&SparseWeights::of_network(network)?);
            let bar = session.progress("spectral gap");
            let gap = randomized_gap(network.graph(), &intensities, &GapOptions::default(), &bar)?;
            let rate = Rate::RandomizedHalved;
            return Ok(steps_to_converge(
                rate,
                gap.estimate,
                nodes,
                variance,
                sigma,
            )?);
        }
        let gap = gap_of(network, session)?.estimate;
        let steps = match self.accelerate {
            Acceleration::Off => plain_steps(gap, nodes, variance, sigma)?,
            _ => steps_to_converge(Rate::Accelerated, gap, nodes, variance, sigma)?,
        };
        Ok(steps.max(1))
    }

    /// The fresh noise that was asked for.
    pub fn tau(&self) -> Option<Fraction> {
        match self.protocol {
            Kind::Refreshed(tau) => Some(tau),
            Kind::GradientDescent { tau, .. } => tau,
            _ => None,
        }
    }

    /// The same with this fresh noise or without any; `None` where the graph changes from step to step.
    pub fn with_tau(&self, fresh: Option<Fraction>) -> Option<Self> {
        let protocol = match (&self.protocol, fresh) {
            (Kind::OneShot | Kind::Refreshed(_), Some(tau)) => Kind::Refreshed(tau),
            (Kind::OneShot | Kind::Refreshed(_), None) => Kind::OneShot,
            (&Kind::GradientDescent { rounds, steps, .. }, tau) => {
                Kind::GradientDescent { rounds, steps, tau }
            }
            (Kind::Randomized(_) | Kind::Dropout { .. }, Some(_)) => return None,
            (changing, None) => changing.clone(),
        };
        Some(Self {
            protocol,
            ..self.clone()
        })
    }

    /// As JSON, without what does not apply.
    pub fn json(&self, protocol: &Protocol) -> Value {
        let mut value = json!({"kind": self.protocol.word(), "steps": protocol.steps()});
        match &self.protocol {
            Kind::OneShot => {}
            Kind::Refreshed(tau) => value["tau"] = tau.to_string().into(),
            Kind::GradientDescent { rounds, steps, tau } => {
                value["rounds"] = (*rounds).into();
                value["gossip_steps"] = (*steps).into();
                value["model"] = protocol.loss_model().to_string().into();
                if let Some(tau) = tau {
                    value["tau"] = tau.to_string().into();
                }
            }
            Kind::Randomized(seed) => value["seed"] = (*seed).into(),
            Kind::Dropout { away, seed } => {
                value["away"] = (*away).into();
                value["seed"] = (*seed).into();
            }
        }
        if let Some(g) = protocol.acceleration() {
            value["acceleration"] = g.to_string().into();
        }
        value["weights"] = self.weights.to_string().into();
        value
    }

    /// For people.
    pub fn described(&self, protocol: &Protocol) -> String {
        let steps = protocol.steps();
        let mut text = match &self.protocol {
            Kind::OneShot => format!("{steps} steps"),
            Kind::Refreshed(tau) => format!("{steps} steps, fresh noise of {tau} sigma"),
            Kind::GradientDescent { rounds, steps, tau } => {
                let fresh = tau.map(|tau| format!(", fresh noise of {tau} sigma between"));
                format!(
                    "gradient descent of {rounds} rounds with {steps} steps each{}",
                    fresh.unwrap_or_default()
                )
            }
            Kind::Randomized(seed) => {
                format!("randomized gossip along {steps} random edges (seed {seed})")
            }
            Kind::Dropout { away, seed } => {
                format!("{steps} steps, each node away with probability {away} (seed {seed})")
            }
        };
        if let Some(g) = protocol.acceleration() {
            let g = match self.accelerate {
                Acceleration::Auto => {
                    format!("{:.6}", g.numerator() as f64 / g.denominator() as f64)
                }
                _ => g.to_string(),
            };
            text += &format!(", accelerated with g = {g}");
        }
        text
    }
}

/// The steps of plain gossip, whose squared error falls like `(1 - lambda)^(2T) <= e^(-2 lambda T)`, to where
/// [`steps_to_converge`] brings accelerated gossip.
pub fn plain_steps(
    gap: f64,
    nodes: usize,
    variance: f64,
    sigma: f64,
) -> Result<usize, muffliato::fast::FastError> {
    steps_to_converge(
        Rate::Randomized,
        (2.0 * gap).min(1.0),
        nodes,
        variance,
        sigma,
    )
}
