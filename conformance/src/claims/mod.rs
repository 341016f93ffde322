//! Claims that are decided by computation: those of the paper, and the theorems of this project.
//!
//! The record `CLAIMS.md` has the place of each claim in the paper, its statement in our words and
//! its method; [`Claim::decide`] runs the decision and returns a [`Verdict`] with the numbers, which
//! the record must have, too. A refutation is a [`Witness`]: the
//! smallest instance (fewest nodes, then edges, then steps) at which the exact engine finds a
//! violation **and** the fast engine confirms it; if they disagree, the decision is an error. A
//! loss refutes a bound only if it does so in the paper's view of the observer, too, without the
//! noise that the observer drew.
//!
//! Losses are in units of `L = alpha Delta^2 / (2 sigma^2)`, weights are Metropolis and observers
//! have their full view unless a claim says otherwise.

mod error;
mod hand_check;
mod instances;
mod search;
mod verdict;
mod witness;

mod averaging;
mod coalitions;
mod conversions;
mod descent;
mod ours;
mod randomized;

/// The vocabulary that the decisions share.
mod prelude {
    pub(super) use super::{
        ClaimError, Verdict, Witness,
        error::confirm,
        hand_check,
        instances::*,
        search::*,
        witness::{Comparison, Instance, Relation, Search, Stop, estimate, outcome},
    };
    pub(super) use muffliato_fast::Enclosure;
    pub(super) use muffliato_model::{Fraction, Graph, Network, Observer, Protocol};
    pub(super) use muffliato_reference::{
        BigRational, GossipMatrix, Process, View, enclosure::Interval, order,
    };
    pub(super) use num_traits::{One, ToPrimitive, Zero};
}

pub use error::ClaimError;
pub use verdict::{Standing, Verdict};
pub use witness::{Comparison, Instance, Relation, Witness};

/// Standing of a statement in the paper, which orders the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A theorem, or a part of one.
    Theorem,
    /// A corollary, lemma, proposition or numbered equation.
    Corollary,
    /// A sentence of the text, a table, or a step of a proof.
    Remark,
    /// A theorem of this project, or a variant of it without one of its assumptions.
    Ours,
}

impl Weight {
    /// All weights, heaviest first.
    pub const ALL: [Self; 4] = [Self::Theorem, Self::Corollary, Self::Remark, Self::Ours];

    /// Returns the heading of the claims of this weight.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Theorem => "Theorems",
            Self::Corollary => "Corollaries, lemmas, propositions and equations",
            Self::Remark => "Text, tables and steps of proofs",
            Self::Ours => {
                "Theorems of this project, and what becomes of them without an assumption"
            }
        }
    }
}

/// The record of all claims. Its prose is written by hand, the verdicts by the ledger.
pub(crate) const PAGE: &str = include_str!("../../CLAIMS.md");

/// A claim of the paper or of this project.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Name of the claim.
    pub id: &'static str,
    decide: fn() -> Result<Verdict, ClaimError>,
}

impl Claim {
    const fn new(id: &'static str, decide: fn() -> Result<Verdict, ClaimError>) -> Self {
        Self { id, decide }
    }

    /// Returns the position after `mark` in the record.
    fn after(mark: &str) -> Option<&'static str> {
        PAGE.split_once(mark).map(|(_, after)| after)
    }

    /// Returns the place in the paper; empty if no table of the record lists the claim.
    pub fn place(&self) -> &'static str {
        let row = Self::after(&format!("\n| [{0}](#{0}) | ", self.id)).unwrap_or_default();
        row.split(" |").next().unwrap_or_default()
    }

    /// Returns the standing of the statement, by the heading above its row.
    pub fn weight(&self) -> Weight {
        let row = format!("\n| [{0}](#{0}) | ", self.id);
        let listed = |weight: &&Weight| {
            let below = Self::after(&format!("# {}\n", weight.heading())).unwrap_or_default();
            below.split("\n#").next().is_some_and(|section| section.contains(&row))
        };
        *Weight::ALL.iter().find(listed).unwrap_or(&Weight::Ours)
    }

    /// Returns a paragraph of the entry, counted from 0.
    fn paragraph(&self, number: usize) -> &'static str {
        let entry = Self::after(&format!("\n## {}\n\n", self.id)).unwrap_or_default();
        entry.split("\n\n").nth(number).unwrap_or_default()
    }

    /// Returns the statement in our words.
    pub fn statement(&self) -> &'static str {
        let text = self.paragraph(0);
        text.strip_prefix(self.place()).and_then(|text| text.strip_prefix(". ")).unwrap_or(text)
    }

    /// Returns the method of the decision.
    pub fn method(&self) -> &'static str {
        let text = self.paragraph(1);
        text.strip_prefix("*Method.* ").unwrap_or(text)
    }

    /// Runs the decision.
    ///
    /// # Errors
    ///
    /// Fails if an engine fails or the two engines contradict each other.
    pub fn decide(&self) -> Result<Verdict, ClaimError> {
        (self.decide)()
    }
}

/// All claims, in the order of the paper, then those of this project.
pub static CLAIMS: &[Claim] = &[
    Claim::new("more-edges", averaging::topologies::more_edges),
    Claim::new("renyi-to-dp", conversions::renyi_to_dp),
    Claim::new("gaussian-mechanism", conversions::gaussian),
    Claim::new("local-central-gap", conversions::local_central),
    Claim::new("local-central-optimum", conversions::optimum),
    Claim::new("theorem-1", averaging::theorem_1::theorem_1),
    Claim::new("theorem-1-indices", averaging::theorem_1::indices),
    Claim::new("theorem-1-tight", averaging::theorem_1::tight),
    Claim::new("mean-loss-identity", averaging::mean_loss::mean_loss_identity),
    Claim::new("mean-loss-printed", averaging::mean_loss::mean_loss_printed),
    Claim::new("average-loss", averaging::mean_loss::average),
    Claim::new("loss-below-ldp", averaging::theorem_1::below_ldp),
    Claim::new("distance", averaging::distance::distance),
    Claim::new("distant-nodes", averaging::distance::below_the_mean),
    Claim::new("synchronous-floor", averaging::convergence::floor),
    Claim::new("acceleration-in-averaging", averaging::convergence::acceleration),
    Claim::new("corollary-1", averaging::walks::corollary_1),
    Claim::new("corollary-1-above-theorem-1", averaging::walks::above_theorem_1),
    Claim::new("corollary-1-first-step", averaging::walks::first_step),
    Claim::new("table-1-weights", averaging::topologies::table_1_weights),
    Claim::new("table-1-synchronous", averaging::topologies::table_1_synchronous),
    Claim::new("table-1-randomized", averaging::topologies::table_1_randomized),
    Claim::new("exponential-graph", averaging::topologies::exponential),
    Claim::new("randomized-floor", randomized::utility::floor),
    Claim::new("randomized-gap", randomized::utility::gap),
    Claim::new("erdos-renyi", averaging::private_graphs::erdos_renyi),
    Claim::new("gd-main-text", descent::bounds::main_text),
    Claim::new("acceleration-in-descent", descent::reactions::acceleration),
    Claim::new("quasi-convexity", conversions::quasi_convexity),
    Claim::new("synchronous-utility", averaging::convergence::utility),
    Claim::new("chebyshev-lemma", averaging::convergence::chebyshev),
    Claim::new("mean-loss-table", averaging::mean_loss::mean_loss_table),
    Claim::new("randomized-utility", randomized::utility::utility),
    Claim::new("randomized-privacy", randomized::privacy::privacy),
    Claim::new("randomized-participation", randomized::privacy::participation),
    Claim::new("randomized-mean-loss", randomized::privacy::mean_loss),
    Claim::new("hoeffding", randomized::messages::hoeffding),
    Claim::new("hoeffding-final", randomized::messages::hoeffding_final),
    Claim::new("gd-appendix", descent::bounds::gd_appendix),
    Claim::new("gd-appendix-one-step", descent::bounds::gd_appendix_one_step),
    Claim::new("gd-later-form", descent::bounds::gd_later_form),
    Claim::new("gd-main-text-follows", descent::bounds::main_text_follows),
    Claim::new("gd-average-loss", descent::mean_loss::average),
    Claim::new("gd-average-loss-any", descent::mean_loss::any_loss),
    Claim::new("gd-average-loss-lipschitz", descent::mean_loss::gd_average_loss_lipschitz),
    Claim::new("gd-input-model", descent::reactions::input_model),
    Claim::new("coalition-bound", coalitions::bounds::coalition_bound),
    Claim::new("coalition-mean", coalitions::bounds::mean),
    Claim::new("coalition-walk-bound", coalitions::bounds::walk_bound),
    Claim::new("coalition-noise", coalitions::noise::noise),
    Claim::new("erdos-renyi-coalition", coalitions::random_graphs::erdos_renyi),
    Claim::new("time-varying-collusion", coalitions::random_graphs::time_varying),
    Claim::new("coalition-degree", coalitions::random_graphs::degree),
    Claim::new("dominating-coalition", coalitions::dominating::coalition),
    Claim::new("dominating-sets", coalitions::dominating::sets),
    Claim::new("group-bound", coalitions::bounds::groups),
    Claim::new("hypercube", averaging::distance::hypercube),
    Claim::new("absorption", ours::absorption::absorption),
    Claim::new("absorption-expansive", ours::absorption::expansive),
    Claim::new("absorption-clipping", ours::absorption::clipping),
    Claim::new("absorption-distance", ours::absorption::too_near),
    Claim::new("absorption-previous-state", ours::absorption::previous_state),
    Claim::new("masks", ours::masks::masks),
    Claim::new("masks-known", ours::masks::known),
    Claim::new("masks-revealed", ours::masks::revealed),
    Claim::new("masks-unmasked-iterate", ours::masks::unmasked),
];
