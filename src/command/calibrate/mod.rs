//! `muffliato calibrate`: the smallest noise that meets a target.

mod report;

use super::account::{Account, EngineArgs, Summary};
use super::expected_error::NoiseGain;
use super::input::{GraphArgs, Loaded, ObserverArgs, ProtocolArgs, help_on_graphs};
use super::output::OutputArgs;
use super::session::Session;
use anyhow::{Context, bail};
use clap::Args;
use muffliato::fast::{Enclosure, GaussianPrivacy, calibrate_sigma};
use muffliato::prelude::*;
use report::Calibration;
use std::str::FromStr;

/// The smallest noise that meets a target.
#[derive(Args)]
#[command(after_help = help_on_graphs(), after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()))]
pub struct Calibrate {
    #[command(flatten)]
    graph: GraphArgs,
    /// The epsilon to meet.
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: f64,
    /// The delta to meet.
    #[arg(long, value_name = "D")]
    delta: f64,
    /// Whom the target is for: all pairs, the mean over the sources of each observer, or the pairs from a
    /// distance on.
    #[arg(long, value_name = "all|mean|distance>=K", default_value = "all")]
    protect: Protect,
    /// As in account; refreshed without :TAU finds the best tau.
    #[arg(long, value_name = "PROTOCOL", default_value = "refreshed")]
    protocol: String,
    /// The number of gossip steps, or auto.
    #[arg(long, value_name = "N|auto", default_value = "auto")]
    steps: String,
    /// The weights: metropolis, max-degree-inverse, lazy or lazy:SCHEME.
    #[arg(long, value_name = "SCHEME", default_value = "metropolis")]
    weights: WeightScheme,
    /// Chebyshev acceleration: auto, its parameter g, or off.
    #[arg(long, value_name = "auto|G|off", default_value = "off")]
    accelerate: String,
    /// The most by which an input can change.
    #[arg(long, value_name = "DELTA", default_value_t = 1.0)]
    sensitivity: f64,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato calibrate karate --epsilon 1 --delta 1e-6 --protect 'distance>=3' --steps 6
  muffliato calibrate hypercube:6 --epsilon 1 --delta 1e-6 --protect mean --protocol one-shot --steps 8
";

/// Whom a target is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protect {
    /// Every pair.
    All,
    /// The mean over the sources, for each observer.
    Mean,
    /// Pairs at this distance or farther.
    Distance(usize),
}

impl FromStr for Protect {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let far = text.strip_prefix("distance>=").map(str::parse);
        match (text, far) {
            ("all", _) => Ok(Self::All),
            ("mean", _) => Ok(Self::Mean),
            (_, Some(Ok(distance))) => Ok(Self::Distance(distance)),
            _ => {
                bail!("write all, mean or distance>=K with a whole number K, such as 'distance>=2'")
            }
        }
    }
}

/// A protocol with the noise that it needs.
struct Candidate {
    protocol: Protocol,
    /// How many observe, where these are not all.
    sampled: Option<usize>,
    leakage: Enclosure,
    sigma: f64,
    error: Option<f64>,
}

impl Calibrate {
    /// Searches and writes.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        calibrate_sigma(
            &Enclosure::exact(1.0),
            self.sensitivity,
            self.epsilon,
            self.delta,
        )?;
        let loaded = self.graph.load(session)?;
        let calibration = self.calibration(loaded, session)?;
        self.output.deliver(&calibration)
    }

    fn arguments(&self, protocol: &str) -> anyhow::Result<ProtocolArgs> {
        Ok(ProtocolArgs {
            steps: self.steps.parse().context("--steps")?,
            weights: self.weights.clone(),
            protocol: protocol.parse().context("--protocol")?,
            accelerate: self.accelerate.parse().context("--accelerate")?,
        })
    }

    fn calibration(&self, loaded: Loaded, session: &Session) -> anyhow::Result<Calibration> {
        let search = self.protocol == "refreshed";
        let arguments = self.arguments(if search { "one-shot" } else { &self.protocol })?;
        let local = calibrate_sigma(
            &Enclosure::exact(1.0),
            self.sensitivity,
            self.epsilon,
            self.delta,
        )?;
        let protocol = arguments.protocol(&loaded, self.sensitivity, local, session)?;
        let gain = match protocol.rounds() {
            1 => Some(NoiseGain::of(&protocol, session)?),
            _ => None,
        };
        let found = match search {
            true => self.best_tau(&loaded, &protocol, gain.as_ref(), session)?,
            false => self.candidate(&loaded, protocol, gain.as_ref(), session)?,
        };
        let nodes = loaded.graph.nodes() as f64;
        let square = local * local / 2.0;
        let tau = found.protocol.refresh();
        let arguments = match (search, tau) {
            (true, Some(tau)) => self.arguments(&format!("refreshed:{tau}"))?,
            _ => arguments,
        };
        Ok(Calibration {
            described: arguments.described(&found.protocol),
            model: found.protocol.loss_model(),
            target: (self.epsilon, self.delta),
            protect: self.whom(found.sampled),
            tau,
            leakage: found.leakage,
            sigma: found.sigma,
            everybody: self.towards_everybody(&found)?,
            errors: found
                .error
                .map(|error| [error, square / nodes, square / nodes / nodes]),
            loaded,
        })
    }

    /// What the noise found promises for the largest loss there is: one input for each round.
    fn towards_everybody(&self, found: &Candidate) -> anyhow::Result<f64> {
        if found.sigma == 0.0 {
            return Ok(f64::INFINITY);
        }
        let whole = Enclosure::exact(found.protocol.rounds() as f64);
        let privacy = GaussianPrivacy::of_leakage(&whole, self.sensitivity, found.sigma)?;
        Ok(privacy.epsilon_upper(self.delta)?)
    }

    /// Whom the target is for, in words.
    fn whom(&self, sampled: Option<usize>) -> String {
        let pairs = match self.protect {
            Protect::All => "all pairs".into(),
            Protect::Mean => "the mean over the sources of each observer".into(),
            Protect::Distance(distance) => format!("pairs at distance {distance} or more"),
        };
        match sampled {
            Some(observers) => format!("{pairs}, towards {observers} of the nodes only"),
            None => pairs,
        }
    }

    /// The noise that a protocol needs.
    fn candidate(
        &self,
        loaded: &Loaded,
        protocol: Protocol,
        gain: Option<&NoiseGain>,
        session: &Session,
    ) -> anyhow::Result<Candidate> {
        let question = self.observers.question(&loaded.graph, session)?;
        let sampled = question.sampled.then_some(question.observers.len());
        let engine = self.engine.engine_or_fast();
        let account = Account::of(&protocol, question, engine, false, session)?;
        let leakage = self.protected_leakage(&account, &protocol)?;
        let sigma = calibrate_sigma(&leakage, self.sensitivity, self.epsilon, self.delta)?;
        let tau = protocol.refresh();
        let tau = tau.map_or(0.0, |tau| tau.numerator() as f64 / tau.denominator() as f64);
        let error = gain.map(|gain| gain.error(sigma, tau, self.sensitivity));
        Ok(Candidate {
            protocol,
            sampled,
            leakage,
            sigma,
            error,
        })
    }

    /// The largest loss of those whom the target is for: its upper end is certified.
    fn protected_leakage(
        &self,
        account: &Account,
        protocol: &Protocol,
    ) -> anyhow::Result<Enclosure> {
        let upper = match self.protect {
            Protect::Mean => account
                .largest_mean(protocol)
                .context("--protect mean is about all sources; leave --source and --group out")?,
            Protect::All => largest(&account.by_distance(), 0)?,
            Protect::Distance(distance) => largest(&account.by_distance(), distance)?,
        };
        Ok(Enclosure::exact(upper))
    }

    /// The tau with the smallest expected error, at most 1: first by factors of 2 around `1/sqrt(n)`, then closer.
    ///
    /// A larger tau could do with less noise at the first step, at the cost of those who are not protected.
    fn best_tau(
        &self,
        loaded: &Loaded,
        protocol: &Protocol,
        gain: Option<&NoiseGain>,
        session: &Session,
    ) -> anyhow::Result<Candidate> {
        let middle = 1.0 / (protocol.nodes() as f64).sqrt();
        let at = |exponent: f64| -> anyhow::Result<Candidate> {
            // Two digits are enough, and make a short fraction.
            let tau = (middle * 2_f64.powf(exponent)).min(1.0);
            let tau: Fraction = format!("{tau:.1e}").parse()?;
            self.candidate(loaded, protocol.clone().refreshed(tau)?, gain, session)
        };
        let error = |candidate: &Candidate| candidate.error.unwrap_or(f64::INFINITY);
        let mut best = (0.0, at(0.0)?);
        for step in [1.0, 0.5, 0.25] {
            for direction in [-step, step] {
                for _ in 0..5 {
                    let next = at(best.0 + direction)?;
                    if error(&next) >= error(&best.1) {
                        break;
                    }
                    best = (best.0 + direction, next);
                }
            }
        }
        Ok(best.1)
    }
}

/// The largest certified upper end from a distance on.
fn largest(summaries: &[Summary], from: usize) -> anyhow::Result<f64> {
    let far = |summary: &&Summary| summary.distance.is_none_or(|distance| distance >= from);
    let ends = summaries
        .iter()
        .filter(far)
        .map(|summary| summary.promised.upper());
    ends.reduce(f64::max).with_context(|| {
        let farthest = summaries
            .iter()
            .filter_map(|summary| summary.distance)
            .max();
        format!(
            "no pair is at distance {from} or more; the farthest are at {}",
            farthest.unwrap_or(0)
        )
    })
}
