//! From certificates to their files, and numbers in messages.

use super::{AbsorptionRecord, File, Number, Result, refused};
use crate::{Certificate, Claim, Proof};
use muffliato_model::{Absorption, Fraction};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;

impl Certificate {
    /// Formats the certificate as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub fn to_json(&self) -> Result<String> {
        let (at_most, at_least) = match &self.claim {
            Claim::AtMost(loss) => (Some(Number(loss.clone())), None),
            Claim::AtLeast(loss) => (None, Some(Number(loss.clone()))),
        };
        let mut file = File {
            certificate: 1,
            protocol: (&self.protocol).into(),
            noise: self.noise.clone(),
            observers: self.observer.members().to_vec(),
            view: match &self.observer {
                observer if !observer.knows_own_noise() => Some("paper".into()),
                observer if observer.sees_sums() => Some("sum".into()),
                _ => None,
            },
            sources: self.sources.clone(),
            at_most,
            at_least,
            absorption: None,
            flows: None,
            alibis: None,
            attack: None,
        };
        match &self.proof {
            Proof::Absorption { lipschitz, grid, plans, flows } => {
                file.absorption = Some(AbsorptionRecord {
                    lipschitz: lipschitz.clone(),
                    grid: *grid,
                    fractions: plans.iter().map(fractions).collect(),
                    flows: flows.clone(),
                });
            }
            Proof::Flows(rounds) => file.flows = Some(rounds.clone()),
            Proof::Alibis(runs) => file.alibis = Some(runs.clone()),
            Proof::Attack(attack) => file.attack = Some(attack.clone()),
        }
        serde_json::to_string(&file).map_err(refused)
    }
}

/// Returns the fractions of a plan by time and node.
fn fractions(plan: &Absorption) -> Vec<(usize, usize, Fraction)> {
    let at = |time| plan.at(time).iter().map(move |&(node, fraction)| (time, node, fraction));
    (0..plan.times()).flat_map(at).collect()
}

impl From<Number> for String {
    fn from(number: Number) -> Self {
        number.0.to_string()
    }
}

/// Formats a number truncated to twelve places, for messages only.
pub(crate) fn decimal(value: &BigRational) -> String {
    let scale = BigInt::from(1_000_000_000_000_u64);
    let cut = (value.numer().abs() * &scale) / value.denom();
    let sign = if value.is_negative() { "-" } else { "" };
    let (before, after) = (&cut / &scale, &cut % &scale);
    format!("{sign}{before}.{after:0>12}")
}
