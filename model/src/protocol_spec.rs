//! The textual form of a protocol without its graph.

use crate::{Fraction, FractionError, Network, Protocol, ProtocolError};
use std::{fmt, str::FromStr};

/// A protocol without its graph and weights, written as words joined by `+`:
///
/// | word | what |
/// | --- | --- |
/// | `one-shot` | noise once, then gossip |
/// | `refreshed:TAU` | fresh noise of TAU sigma at every step without input |
/// | `masked:KAPPA` | masks of KAPPA sigma that neighbours share and that cancel |
/// | `gd:ROUNDSxSTEPS` | rounds of a gradient step and gossip; `gd:RxK:TAU` is `gd:RxK+refreshed:TAU` |
/// | `gd:ROUNDSxSTEPS:every=B` | the same, where the data of a user is used in every B-th round |
/// | `gd:ROUNDSxSTEPS:sample=Q` | the same, where each record is used with probability Q in each round, by a secret coin |
/// | `randomized:SEED` | one random edge at a time |
/// | `dropout:Q:SEED` | each node is away with probability Q |
///
/// ```
/// use muffliato_model::{Network, ProtocolSpec};
///
/// let spec: ProtocolSpec = "gd:3x2:0.1".parse()?;
/// assert_eq!(spec.to_string(), "gd:3x2+refreshed:0.1");
/// let protocol = spec.on_fixed(Network::metropolis("path:3".parse()?)?, 2)?;
/// assert_eq!((protocol.rounds(), protocol.steps()), (3, 6));
/// assert!("refreshed:0.1+masked:3".parse::<ProtocolSpec>()?.masks.is_some());
/// assert!("two-shot".parse::<ProtocolSpec>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProtocolSpec {
    /// The rounds, and the gossip steps in each; `None` for averaging.
    pub rounds: Option<(usize, usize)>,
    /// Fresh noise at the steps without input, in units of sigma.
    pub refresh: Option<Fraction>,
    /// Masks that neighbours share, in units of sigma.
    pub masks: Option<Fraction>,
    /// The period of participation: the data of a user is used in every such round, if not in all.
    pub every: Option<usize>,
    /// The rate of secret sampling of records, if they are sampled.
    pub sampling: Option<Fraction>,
    /// The edges of each step.
    pub schedule: ScheduleSpec,
}

/// The edges that each step uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ScheduleSpec {
    /// All edges at every step.
    #[default]
    Fixed,
    /// One random edge per step.
    Randomized {
        /// The seed of the edges.
        seed: u64,
    },
    /// Nodes drop out at random.
    Dropout {
        /// The probability that a node is away.
        away: f64,
        /// The seed of the absences.
        seed: u64,
    },
}

/// An invalid protocol text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ProtocolSpecError {
    /// The word is unknown.
    #[error(
        "no such protocol: {word:?}; use one-shot, refreshed:TAU (such as refreshed:0.05), masked:KAPPA (such as masked:3), \
         gd:ROUNDSxSTEPS (such as gd:3x2), randomized:SEED (such as randomized:1) or dropout:Q:SEED (such as dropout:0.1:1), joined by +"
    )]
    Unknown { word: String },
    /// A word lacks its value.
    #[error("{word} takes a value: write {form}")]
    Incomplete { word: &'static str, form: &'static str },
    /// The text is not a valid number.
    #[error("{what} is {text:?}, but it must be {expected}")]
    Number { what: &'static str, text: String, expected: &'static str },
    /// The text is not a valid fraction.
    #[error(transparent)]
    Fraction(#[from] FractionError),
    /// Two words repeat or contradict each other.
    #[error("{word:?} repeats or contradicts an earlier word; leave one of them out")]
    Twice { word: String },
}

impl ProtocolSpec {
    /// Builds the protocol on a fixed network, with `steps` gossip steps unless the text names its
    /// own. Ignores [`ProtocolSpec::schedule`]: random schedules are drawn elsewhere.
    ///
    /// # Errors
    ///
    /// Returns an error if the parameters are invalid.
    pub fn on_fixed(&self, network: Network, steps: usize) -> Result<Protocol, ProtocolError> {
        let plain = match self.rounds {
            Some((rounds, steps)) => Protocol::gradient_descent(network, rounds, steps)?,
            None => Protocol::one_shot(network, steps)?,
        };
        self.noisy(plain)
    }

    /// Adds the fresh noise, the masks, the participation and the sampling, if any.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is invalid.
    pub fn noisy(&self, mut protocol: Protocol) -> Result<Protocol, ProtocolError> {
        if let Some(tau) = self.refresh {
            protocol = protocol.refreshed(tau)?;
        }
        if let Some(kappa) = self.masks {
            protocol = protocol.masked(kappa)?;
        }
        if let Some(period) = self.every {
            protocol = protocol.every(period)?;
        }
        match self.sampling {
            Some(rate) => protocol.sampled(rate),
            None => Ok(protocol),
        }
    }

    /// Returns `true` if the edges are random, so that results hold for one draw only.
    pub fn is_random(&self) -> bool {
        self.schedule != ScheduleSpec::Fixed
    }

    fn add(&mut self, word: &str) -> Result<(), ProtocolSpecError> {
        let twice = || ProtocolSpecError::Twice { word: word.into() };
        let parts: Vec<&str> = word.split(':').collect();
        let mut refresh = None;
        let mut schedule = ScheduleSpec::Fixed;
        match parts[..] {
            ["one-shot"] if *self == Self::default() => return Ok(()),
            ["one-shot"] => return Err(twice()),
            ["refreshed", tau] => refresh = Some(tau.parse()?),
            ["masked", kappa] => {
                if self.masks.replace(kappa.parse()?).is_some() {
                    return Err(twice());
                }
            }
            ["gd", sizes, ..] if sizes.contains('x') && parts.len() <= 5 => {
                let (rounds, steps) = sizes.split_once('x').unwrap_or((sizes, ""));
                let sizes =
                    (whole(rounds, "the number of rounds")?, whole(steps, "the number of steps")?);
                if self.rounds.replace(sizes).is_some() || self.is_random() {
                    return Err(twice());
                }
                for part in &parts[2..] {
                    let again = match part.split_once('=') {
                        Some(("every", period)) => {
                            self.every.replace(whole(period, "the period")?).is_some()
                        }
                        Some(("sample", rate)) => self.sampling.replace(rate.parse()?).is_some(),
                        _ => refresh.replace(part.parse()?).is_some(),
                    };
                    if again {
                        return Err(twice());
                    }
                }
            }
            ["randomized", seed] => {
                let seed = whole(seed, "the seed")?;
                schedule = ScheduleSpec::Randomized { seed };
            }
            ["dropout", away, seed] => {
                let seed = whole(seed, "the seed")?;
                let away = away.parse().map_err(|_| ProtocolSpecError::Number {
                    what: "the probability to be away",
                    text: away.into(),
                    expected: "a number from 0 to 1",
                })?;
                schedule = ScheduleSpec::Dropout { away, seed };
            }
            _ => {
                let incomplete = INCOMPLETE.iter().find(|(known, _)| *known == word);
                return Err(match incomplete {
                    Some(&(word, form)) => ProtocolSpecError::Incomplete { word, form },
                    None => ProtocolSpecError::Unknown { word: word.into() },
                });
            }
        }
        if let Some(tau) = refresh
            && self.refresh.replace(tau).is_some()
        {
            return Err(twice());
        }
        if schedule != ScheduleSpec::Fixed {
            if self.is_random() || self.rounds.is_some() {
                return Err(twice());
            }
            self.schedule = schedule;
        }
        Ok(())
    }
}

fn whole<T: FromStr>(text: &str, what: &'static str) -> Result<T, ProtocolSpecError> {
    text.parse().map_err(|_| ProtocolSpecError::Number {
        what,
        text: text.into(),
        expected: "a whole number",
    })
}

/// The words that take values, with their correct forms.
const INCOMPLETE: [(&str, &str); 5] = [
    ("refreshed", "refreshed:TAU, such as refreshed:0.05"),
    ("masked", "masked:KAPPA, such as masked:3"),
    ("gd", "gd:ROUNDSxSTEPS, such as gd:3x2"),
    ("randomized", "randomized:SEED, such as randomized:1"),
    ("dropout", "dropout:Q:SEED, such as dropout:0.1:1"),
];

impl FromStr for ProtocolSpec {
    type Err = ProtocolSpecError;

    fn from_str(text: &str) -> Result<Self, ProtocolSpecError> {
        let mut spec = Self::default();
        let one_shot = text.split('+').any(|word| word == "one-shot");
        for word in text.split('+') {
            spec.add(word)?;
        }
        let more = spec.rounds.is_some() || spec.refresh.is_some() || spec.masks.is_some();
        if one_shot && more {
            Err(ProtocolSpecError::Twice { word: text.into() })
        } else {
            Ok(spec)
        }
    }
}

impl fmt::Display for ProtocolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some((rounds, steps)) = self.rounds {
            let every = self.every.map(|period| format!(":every={period}")).unwrap_or_default();
            let sample = self.sampling.map(|rate| format!(":sample={}", rate.decimal()));
            let sample = sample.unwrap_or_default();
            words.push(format!("gd:{rounds}x{steps}{every}{sample}"));
        }
        if let Some(tau) = self.refresh {
            words.push(format!("refreshed:{}", tau.decimal()));
        }
        if let Some(kappa) = self.masks {
            words.push(format!("masked:{}", kappa.decimal()));
        }
        match self.schedule {
            ScheduleSpec::Fixed => {}
            ScheduleSpec::Randomized { seed } => words.push(format!("randomized:{seed}")),
            ScheduleSpec::Dropout { away, seed } => words.push(format!("dropout:{away}:{seed}")),
        }
        if words.is_empty() { f.write_str("one-shot") } else { f.write_str(&words.join("+")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_survive_a_round_trip() {
        for text in [
            "one-shot",
            "refreshed:0.1",
            "gd:3x2",
            "gd:3x2+refreshed:0.1",
            "gd:9x2:sample=0.01+masked:3",
            "gd:9x2:every=3:sample=0.5",
            "gd:9x2:every=3+refreshed:0.1+masked:3",
            "masked:1/3",
            "randomized:7",
            "refreshed:0.0123+dropout:0.25:3",
            "masked:3",
            "refreshed:0.1+masked:3",
            "gd:10x1+masked:2.5",
            "masked:3+randomized:7",
        ] {
            assert_eq!(text.parse::<ProtocolSpec>().unwrap().to_string(), text);
        }
        let swapped: ProtocolSpec = "dropout:0.25:3+refreshed:0.5".parse().unwrap();
        assert_eq!(swapped.to_string(), "refreshed:0.5+dropout:0.25:3");
    }

    #[test]
    fn contradicting_words_are_refused() {
        for text in [
            "one-shot+refreshed:1",
            "refreshed:1+one-shot",
            "refreshed:1+refreshed:2",
            "masked:1+masked:2",
            "one-shot+masked:2",
            "gd:2x2+gd:2x2",
            "gd:2x2:1+refreshed:2",
            "gd:2x2:1:2",
            "gd:2x2:sample=1/2:sample=1/2",
            "randomized:1+dropout:0.1:1",
            "gd:2x2+randomized:1",
            "randomized:1+gd:2x2",
        ] {
            let refused = text.parse::<ProtocolSpec>();
            assert!(matches!(refused, Err(ProtocolSpecError::Twice { .. })), "{text}: {refused:?}");
        }
        let refused = "refreshed".parse::<ProtocolSpec>().unwrap_err().to_string();
        assert!(refused.contains("refreshed:0.05"), "{refused}");
        for text in ["", "refreshed", "gd:2", "gd:x", "dropout:a:1", "randomized:-1", "one-shot+"] {
            assert!(text.parse::<ProtocolSpec>().is_err(), "{text}");
        }
    }
}
