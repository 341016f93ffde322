//! The words for protocols, steps and acceleration.

use anyhow::bail;
use muffliato::prelude::Fraction;
use std::str::FromStr;

/// How many steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// As many as it takes.
    Auto,
    /// So many.
    Given(usize),
}

/// Which recursion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Acceleration {
    /// Plain gossip.
    Off,
    /// Chebyshev with the parameter of the spectral gap.
    Auto,
    /// Chebyshev with this parameter.
    Given(Fraction),
}

/// Which algorithm.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Noise once, then gossip.
    OneShot,
    /// With fresh noise at each step.
    Refreshed(Fraction),
    /// Rounds of a gradient step and gossip.
    GradientDescent {
        /// The rounds.
        rounds: usize,
        /// Gossip steps in each.
        steps: usize,
        /// Fresh noise at the steps between.
        tau: Option<Fraction>,
    },
    /// One random edge at a time.
    Randomized(u64),
    /// Nodes are away at random.
    Dropout {
        /// With this probability.
        away: f64,
        /// The seed of the absences.
        seed: u64,
    },
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

impl FromStr for Kind {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let whole = |text: &str, what: &str| -> anyhow::Result<usize> {
            let number = text.parse();
            number.map_err(|_| anyhow::anyhow!("{what} is {text:?}, but it must be a whole number"))
        };
        match parts[..] {
            ["one-shot"] => Ok(Self::OneShot),
            ["refreshed", tau] => Ok(Self::Refreshed(tau.parse()?)),
            ["gd", sizes] | ["gd", sizes, _] if sizes.contains('x') => {
                let (rounds, steps) = sizes.split_once('x').unwrap_or((sizes, ""));
                let tau = match parts.get(2) {
                    Some(tau) => Some(tau.parse()?),
                    None => None,
                };
                Ok(Self::GradientDescent {
                    rounds: whole(rounds, "the number of rounds")?,
                    steps: whole(steps, "the number of steps")?,
                    tau,
                })
            }
            ["randomized", seed] => Ok(Self::Randomized(whole(seed, "the seed")? as u64)),
            ["dropout", away, seed] => Ok(Self::Dropout {
                away: away.parse().map_err(|_| {
                    anyhow::anyhow!("the probability to be away is {away:?}, but it must be a number from 0 to 1")
                })?,
                seed: whole(seed, "the seed")? as u64,
            }),
            _ => bail!(
                "no such protocol; use one-shot, refreshed:TAU (such as refreshed:0.05), gd:ROUNDSxSTEPS (such as gd:3x2), \
                 randomized:SEED (such as randomized:1) or dropout:Q:SEED (such as dropout:0.1:1)"
            ),
        }
    }
}

impl Kind {
    /// The word for it, the first part of its textual form.
    pub fn word(&self) -> &'static str {
        match self {
            Self::OneShot => "one-shot",
            Self::Refreshed(_) => "refreshed",
            Self::GradientDescent { .. } => "gd",
            Self::Randomized(_) => "randomized",
            Self::Dropout { .. } => "dropout",
        }
    }
}
