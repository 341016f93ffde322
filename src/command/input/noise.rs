//! The noise, and the conversion of losses to epsilons.

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
#[derive(Args)]
#[command(next_help_heading = "Guarantee")]
pub struct NoiseArgs {
    /// Standard deviation of the noise.
    #[arg(long, allow_negative_numbers = true, default_value_t = 1.0)]
    pub sigma: f64,
    /// Largest change of an input, Delta.
    #[arg(long, allow_negative_numbers = true, value_name = "DELTA", default_value_t = 1.0)]
    pub sensitivity: f64,
    /// Order of the Renyi loss, above 1.
    #[arg(long, allow_negative_numbers = true, value_name = "ORDER", default_value_t = 2.0)]
    pub alpha: f64,
    /// The delta of (epsilon, delta).
    #[arg(long, allow_negative_numbers = true, default_value_t = 1e-6)]
    pub delta: f64,
    /// Number of runs with new noise and the same inputs that the epsilon covers; losses add up.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub runs: usize,
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
