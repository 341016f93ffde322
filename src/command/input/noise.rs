//! The noise, and the conversion of losses to epsilons.

use super::SizeArgs;
use clap::Args;
use muffliato_account::{Epsilons, Guarantee, NoiseLaw, ProvedFor};

/// The noise law. Its help heading also applies to the options that follow it.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Guarantee")]
pub struct LawArgs {
    /// The noise for which losses are proved: gaussian (real numbers, as in the theorems),
    /// rounded:STEP (Gaussian noise rounded to a grid whose step is a power of two, such as
    /// rounded:2^-20, as drawn on a computer) or discrete:STEP (the discrete Gaussian, by its Renyi
    /// losses).
    #[arg(
        long = "noise",
        value_name = "gaussian|rounded:STEP|discrete:STEP",
        default_value = "gaussian"
    )]
    pub law: NoiseLaw,
    /// Number of coordinates of an input, which determines the cost of rounding to a grid.
    #[arg(long, value_name = "D", default_value_t = 1)]
    pub coordinates: usize,
}

/// The noise and the conversion to (epsilon, delta).
pub struct NoiseArgs {
    /// Standard deviation of the noise.
    pub sigma: f64,
    /// Largest change of an input.
    pub sensitivity: f64,
    /// Order of the Renyi loss.
    pub alpha: f64,
    /// The delta of (epsilon, delta).
    pub delta: f64,
    /// Number of runs that the epsilon covers.
    pub runs: usize,
}

/// Options for the noise. With `--plan`, sigma, sensitivity and delta are those of the plan unless
/// they are given.
#[derive(Args)]
#[command(next_help_heading = "Guarantee")]
pub struct NoiseOptions {
    /// Standard deviation of the noise; by default that of --plan, or 1.
    #[arg(long, allow_negative_numbers = true)]
    sigma: Option<f64>,
    /// Largest change of an input, Delta; by default that of --plan, or 1.
    #[arg(long, allow_negative_numbers = true, value_name = "DELTA")]
    sensitivity: Option<f64>,
    /// Order of the Renyi loss, above 1.
    #[arg(long, allow_negative_numbers = true, value_name = "ORDER", default_value_t = 2.0)]
    alpha: f64,
    /// The delta of (epsilon, delta); by default that of --plan, or 1e-6.
    #[arg(long, allow_negative_numbers = true)]
    delta: Option<f64>,
    /// Number of runs with new noise and the same inputs that the epsilon covers; losses add up.
    #[arg(long, value_name = "N", default_value_t = 1)]
    runs: usize,
}

impl NoiseOptions {
    /// Returns the noise, with the numbers of a plan in place of those that are not given.
    pub fn with_plan(&self, sizes: &SizeArgs) -> anyhow::Result<NoiseArgs> {
        let plan = sizes.noise()?;
        Ok(NoiseArgs {
            sigma: self.sigma.or(plan.map(|plan| plan.sigma)).unwrap_or(1.0),
            sensitivity: self.sensitivity.or(plan.map(|plan| plan.sensitivity)).unwrap_or(1.0),
            alpha: self.alpha,
            delta: self.delta.or(plan.map(|plan| plan.delta)).unwrap_or(1e-6),
            runs: self.runs,
        })
    }
}

impl NoiseArgs {
    /// Fails if a number is out of range, or if the law cannot draw this noise on its grid. Called
    /// before any work is done.
    pub fn check(&self, law: NoiseLaw, coordinates: usize) -> anyhow::Result<()> {
        if self.runs == 0 {
            anyhow::bail!("--runs is 0; give at least 1");
        }
        let noise = ProvedFor::try_new(law, self.sensitivity, coordinates)?;
        let local = Guarantee::local(noise).repeated(self.runs);
        let local = local.at(self.sigma, self.sensitivity)?;
        local.epsilon(self.delta)?;
        local.rdp(self.alpha)?;
        Ok(())
    }

    /// Returns a converter from losses to epsilons for all runs, with room for this many losses.
    pub fn epsilons(&self, losses: usize) -> Epsilons {
        let (sigma, sensitivity) = (self.sigma, self.sensitivity);
        Epsilons::of(losses, sigma, sensitivity, self.delta, self.runs)
    }
}
