//! Guarantees and their conditions in words and on file.

use super::{
    Against, Conditions, Distances, Guarantee, Inputs, Losses, Protected, ScheduleScope, Unit,
};
use crate::{Knowledge, Number, number::at_most, text};
use muffliato_model::Fraction;
use muffliato_reference::BigRational;
use serde::{Deserialize, Serialize};
use std::fmt;

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalars => "scalars",
            Self::Vectors => "vectors of any dimension",
        })
    }
}

impl Losses {
    /// Returns the Lipschitz constant that all nodes share, if one is assumed.
    pub fn constant(&self) -> Option<Fraction> {
        match self {
            Self::Lipschitz(constants) => constants.of(usize::MAX),
            _ => None,
        }
    }
}

/// A guarantee in a file: the loss and its conditions.
///
/// A record can be printed, compared and written, but promises nothing, since anybody can write a
/// file. Recompute it with an [`Account`](crate::Account), or check its
/// [certificate](crate::Account::certificate).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GuaranteeRecord {
    /// The upper bound on the loss, in units of L.
    #[serde(with = "text::float")]
    pub upper: f64,
    /// The loss as a fraction, if exact arithmetic computed it.
    #[serde(with = "text::fraction")]
    pub exact: Option<Box<BigRational>>,
    /// The conditions of the guarantee.
    pub conditions: Conditions,
}

impl fmt::Display for GuaranteeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loss = match &self.exact {
            Some(exact) => Number::from((**exact).clone()),
            None => at_most(self.upper),
        };
        f.write_str(&sentence(&loss, &self.conditions))
    }
}

fn sentence(loss: &Number, conditions: &Conditions) -> String {
    let status = if loss.fraction().is_some() { "exact" } else { "certified" };
    let loss = format!("at most {} L ({status})", loss.rounded_up());
    format!("{}; {}", conditions.sentence(&loss), conditions.protocol)
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sentence(self.number(), self.conditions()))
    }
}

impl From<Guarantee> for GuaranteeRecord {
    fn from(guarantee: Guarantee) -> Self {
        Self {
            upper: guarantee.upper(),
            exact: guarantee.fraction().cloned().map(Box::new),
            conditions: guarantee.conditions().clone(),
        }
    }
}

impl Conditions {
    /// Returns the clauses of the sentence that follow the nodes and precede the protocol.
    fn clauses(&self) -> Vec<String> {
        let who = match self.against {
            Against::Sample { .. } => "each of whom",
            _ => "who",
        };
        let mut clauses = vec![match self.view {
            _ if self.against == Against::View => "with the draws that are given as known".into(),
            Knowledge::Full => format!("{who} knows the noise that it drew"),
            Knowledge::Sum => format!(
                "{who} learns only the sum of the messages of each step (an ideal secure summation) and knows the noise that it drew"
            ),
            Knowledge::Paper => format!(
                "{who} does not use its own noise (no guarantee against an observer that does)"
            ),
        }];
        match self.schedule {
            ScheduleScope::Fixed => {}
            ScheduleScope::One => {
                clauses
                    .push("for the one schedule that was drawn (another one may lose more)".into());
            }
            ScheduleScope::Every => clauses.push("for every schedule that may be drawn".into()),
        }
        match &self.losses {
            Losses::None => {}
            Losses::Any => clauses.push("for any loss functions, clipped or not".into()),
            Losses::Lipschitz(constants) => {
                let constants = match constants.of(usize::MAX) {
                    Some(constant) => format!("{constant}-Lipschitz"),
                    None => "Lipschitz with a constant for each node".into(),
                };
                let convex = if self.losses.constant() == Some(Fraction::ONE) {
                    " (as for convex beta-smooth losses and nu at most 2/beta)"
                } else {
                    ""
                };
                clauses.push(format!(
                    "for loss functions whose steps x - nu grad f(x) are {constants}{convex}"
                ));
            }
        }
        if self.masked_state_only {
            clauses.push(
                "as long as a node carries nothing but its masked state from round to round".into(),
            );
        }
        clauses.push(format!("for inputs that are {}", self.inputs));
        clauses.push(match self.unit {
            Unit::NodeReplaced => "where a node's whole input is replaced".into(),
            Unit::InputChanged => "where an input changes by at most the sensitivity".into(),
            Unit::RecordAddedOrRemoved => {
                "where one record of a node is added or removed (not several)".into()
            }
        });
        clauses.push(format!("with {}", self.noise.described()));
        if self.runs > 1 {
            clauses.push(format!("in {} runs with new noise together", self.runs));
        }
        clauses
    }

    /// Formats who loses `loss` to whom, with all conditions except the protocol.
    pub(super) fn sentence(&self, loss: &str) -> String {
        let (unit, batches) = match self.noise.sampling {
            Some(sampling) => {
                let rounds = sampling.rounds;
                ("one record of ", format!(" in {rounds} batches that contain it"))
            }
            None => ("", String::new()),
        };
        let who = match &self.protected {
            Protected::EveryNode => "each node".to_string(),
            Protected::Nodes(nodes) => names("node", "each of the nodes", nodes),
            Protected::Group(nodes) => names("node", "the group", nodes),
            Protected::Inputs(inputs) => names("input", "the inputs", inputs),
        };
        let far = match self.distances {
            Distances::Any => String::new(),
            Distances::Exactly(distance) => format!(" at distance {distance}"),
            Distances::AtLeast(distance) => format!(" at distance {distance} or more"),
            Distances::NoPath => " that no path joins to the observer".into(),
        };
        let whom = match &self.against {
            Against::EveryNode => "every other node".to_string(),
            Against::Nodes(nodes) => names("node", "each of the nodes", nodes),
            Against::Coalition(nodes) => names("node", "the coalition", nodes),
            Against::View => "an observer of the view".to_string(),
            Against::EveryCoalition(size) => format!("every coalition of {size}"),
            Against::Sample { observers, of } => {
                format!(
                    "the {observers} of {of} observers that were looked at (others may learn more)"
                )
            }
        };
        let clauses = self.clauses().join(", ");
        format!("{unit}{who}{far} loses {loss}{batches} to {whom}, {clauses}")
    }

    /// Formats all conditions except the protocol.
    pub fn scope(&self) -> String {
        self.sentence("at most this")
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.scope(), self.protocol)
    }
}

/// Largest number of names that are written out.
const MOST_NAMES: usize = 12;

/// Formats a list of nodes, such as "node 3" or "the group 3, 4 and 5".
fn names(one: &str, several: &str, nodes: &[String]) -> String {
    // Escapes terminal control characters.
    let escaped = |name: &String| name.escape_debug().to_string();
    let shown: Vec<String> = nodes.iter().take(MOST_NAMES + 1).map(escaped).collect();
    match &shown[..] {
        [node] => format!("{one} {node}"),
        _ if nodes.len() > MOST_NAMES => format!(
            "{several} {} and {} others",
            shown[..MOST_NAMES].join(", "),
            nodes.len() - MOST_NAMES
        ),
        [others @ .., last] => format!("{several} {} and {last}", others.join(", ")),
        [] => "nobody".into(),
    }
}
