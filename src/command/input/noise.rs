//! How much noise, and how a loss becomes a guarantee.

use clap::Args;
use muffliato_account::{Epsilons, Guarantee, NoiseLaw, ProvedFor};

/// Which noise is drawn. The heading is for all options that follow, too: those without one come before.
#[derive(Args, Clone, Copy)]
#[command(next_help_heading = "Guarantee")]
pub struct LawArgs {
    /// The noise that losses are proved for: gaussian (real numbers, as in the theorems), rounded:STEP (Gaussian noise rounded to a
    /// grid whose step is a power of two, such as rounded:2^-20: what a run on a computer draws) or discrete:STEP (the discrete Gaussian, by its Renyi losses).
    #[arg(
        long = "noise",
        value_name = "gaussian|rounded:STEP|discrete:STEP",
        default_value = "gaussian"
    )]
    pub law: NoiseLaw,
    /// How many coordinates an input has: what rounding to a grid costs depends on it.
    #[arg(long, value_name = "D", default_value_t = 1)]
    pub coordinates: usize,
}

/// The noise and the conversion to (epsilon, delta).
#[derive(Args)]
#[command(next_help_heading = "Guarantee")]
pub struct NoiseArgs {
    /// The standard deviation of the noise.
    #[arg(long, allow_negative_numbers = true, default_value_t = 1.0)]
    pub sigma: f64,
    /// The most by which an input can change, Delta.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "DELTA",
        default_value_t = 1.0
    )]
    pub sensitivity: f64,
    /// The order of the Renyi loss, above 1.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "ORDER",
        default_value_t = 2.0
    )]
    pub alpha: f64,
    /// The delta of (epsilon, delta).
    #[arg(long, allow_negative_numbers = true, default_value_t = 1e-6)]
    pub delta: f64,
    /// How many runs with new noise and the same inputs the epsilon is for: losses add up.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub runs: usize,
}

impl NoiseArgs {
    /// `Err` if a number is outside its range, or the noise is not drawn on the grid of its law, before any work is done.
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

    /// Returns the converter of about this many losses to epsilons, for all runs.
    pub fn epsilons(&self, losses: usize) -> Epsilons {
        let (sigma, sensitivity) = (self.sigma, self.sensitivity);
        Epsilons::of(losses, sigma, sensitivity, self.delta, self.runs)
    }
}
