//! The claim of a certificate in one sentence, with every condition that it holds on.

use crate::{Certificate, Claim, Law, Proof, rational};
use muffliato_model::{Fraction, LossModel};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::fmt;

const VECTORS: &str = "for vectors of any dimension";
const MASKED: &str = ", as long as a node carries nothing but its masked state from round to round";

impl fmt::Display for Certificate {
    /// Formats the claim with all its conditions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The fraction of the file implies the decimal.
        let loss = match &self.claim {
            Claim::AtMost(loss) => format!("at most {}", decimal(loss, true)),
            Claim::AtLeast(loss) => format!("at least {}", decimal(loss, false)),
        };
        write!(
            f,
            "{} loses {loss} L to {}, {}, {}, with {}, where a node's whole input is replaced; {}",
            self.names("node", "the group", &self.sources),
            self.names("node", "the coalition", self.observer.members()),
            self.view(),
            self.assumption(),
            self.noise_in_words(),
            self.protocol.describe(),
        )
    }
}

impl Certificate {
    /// Formats the names of nodes; terminal control characters are escaped.
    fn names(&self, one: &str, several: &str, nodes: &[usize]) -> String {
        let graph = self.protocol.graph();
        let name = |&node: &usize| match &graph {
            Ok(graph) => graph.label(node).escape_debug().to_string(),
            Err(_) => node.to_string(),
        };
        let names: Vec<String> = nodes.iter().map(name).collect();
        match &names[..] {
            [name] => format!("{one} {name}"),
            names => format!("{several} {}", names.join(", ")),
        }
    }

    fn view(&self) -> &'static str {
        if self.observer.sees_sums() {
            "who learns only the sum of the messages of each step, and knows the noise that it drew"
        } else if self.observer.knows_own_noise() {
            "who knows the noise that it drew"
        } else {
            "who does not use its own noise (no guarantee against an observer that does)"
        }
    }

    /// Describes the inputs and loss functions that the claim holds for.
    fn assumption(&self) -> String {
        let descends = self.protocol.rounds() > 1;
        match &self.proof {
            Proof::Flows(_) if descends => format!("{VECTORS} and any loss functions{MASKED}"),
            Proof::Absorption { lipschitz, flows, .. } if descends => {
                let constants = (0..self.protocol.nodes()).filter_map(|node| lipschitz.of(node));
                let order = |a: &Fraction, b: &Fraction| rational(*a).cmp(&rational(*b));
                let ends = constants.clone().min_by(order).zip(constants.max_by(order));
                let constants = match ends {
                    Some((one, other)) if one == other => format!("{one}-Lipschitz"),
                    Some((one, other)) => {
                        format!("Lipschitz with the constants of the file, {one} to {other}")
                    }
                    None => "Lipschitz with the constants of the file".into(),
                };
                let masked = if flows.is_empty() { "" } else { MASKED };
                format!(
                    "{VECTORS} and loss functions whose steps x - nu grad f(x) are {constants}{masked}"
                )
            }
            Proof::Flows(_) | Proof::Absorption { .. } => VECTORS.into(),
            Proof::Alibis(_) => self.modelled(VECTORS),
            Proof::Attack(_) => self.modelled("for some inputs"),
        }
    }

    /// Adds the model of training that a claim about some inputs holds in.
    fn modelled(&self, inputs: &str) -> String {
        match self.protocol.loss_model() {
            LossModel::SingleInput => inputs.into(),
            LossModel::QuadraticLosses => {
                format!("{inputs} in the model of quadratic losses with the reactions of the file")
            }
            _ => format!(
                "{inputs} in the model of gradients that do not react (no promise for real losses)"
            ),
        }
    }

    fn noise_in_words(&self) -> String {
        match &self.noise {
            Law::Gaussian => "Gaussian noise (real numbers)".into(),
            Law::Rounded(grid) => format!(
                "Gaussian noise rounded to a grid (inputs differ by at most {} steps, in {} coordinates; roundings add {} steps)",
                grid.sensitivity, grid.coordinates, grid.roundings
            ),
        }
    }
}

/// Formats three significant digits, rounded up or down.
fn decimal(value: &BigRational, up: bool) -> String {
    let ten = BigInt::from(10);
    let (mut scale, mut places) = (BigInt::one(), 0);
    let size = value.abs();
    // At most twelve places: smaller claims are rounded there.
    while places < 12 && (size.numer() * &scale) / size.denom() < BigInt::from(100) {
        scale *= &ten;
        places += 1;
    }
    let scaled = value * BigRational::from_integer(scale.clone());
    let whole = if up { scaled.ceil() } else { scaled.floor() }.to_integer();
    if places == 0 {
        return whole.to_string();
    }
    let sign = if whole.is_negative() { "-" } else { "" };
    let whole = whole.abs();
    let (before, after) = (&whole / &scale, &whole % &scale);
    let text = format!("{sign}{before}.{after:0>places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::decimal;
    use num_rational::BigRational;

    #[test]
    fn decimals_never_strengthen_a_claim() {
        let third = BigRational::new(1.into(), 3.into());
        assert_eq!(
            (decimal(&third, true), decimal(&third, false)),
            ("0.334".into(), "0.333".into())
        );
        let large = BigRational::new(12345.into(), 2.into());
        assert_eq!((decimal(&large, true), decimal(&large, false)), ("6173".into(), "6172".into()));
        let one = BigRational::from_integer(1.into());
        assert_eq!((decimal(&one, true), decimal(&one, false)), ("1".into(), "1".into()));
        let above_one = BigRational::new(201.into(), 200.into());
        assert_eq!(decimal(&above_one, true), "1.01");
        let tiny = BigRational::new(1.into(), num_bigint::BigInt::from(10).pow(15));
        assert_eq!(decimal(&tiny, true), "0.000000000001");
        let zero = BigRational::from_integer(0.into());
        assert_eq!(decimal(&zero, true), "0");
    }
}
