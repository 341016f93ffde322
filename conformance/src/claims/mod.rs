//! One small file for each claim of the paper that a computer can decide.
//!
//! A claim knows its place in the paper, its statement in our words and how it is decided; [`Claim::decide`] runs the
//! decision and returns a [`Verdict`] with the numbers. A refutation is a [`Witness`]: the smallest instance (fewest
//! nodes, then edges, then steps) at which the exact engine finds a violation **and** the fast engine confirms it; if
//! the two disagree, the decision is an error. A loss refutes a bound only if it does so in the paper's view of the
//! observer too, without the noise that the observer drew.
//!
//! Losses are in units of `L = alpha Delta^2 / (2 sigma^2)`, weights are Metropolis and observers have their full view
//! unless a claim says otherwise.

mod error;
mod hand_check;
mod instances;
mod pairs;
mod private_graphs;
mod verdict;
mod witness;

mod acceleration_in_averaging;
mod acceleration_in_descent;
mod average_loss;
mod binomial;
mod chebyshev_lemma;
mod coalition_bound;
mod coalition_degree;
mod coalition_mean;
mod coalition_noise;
mod coalition_walk_bound;
mod corollary_1;
mod corollary_1_above_theorem_1;
mod descent_bounds;
mod distance;
mod dominating_coalition;
mod dominating_sets;
mod erdos_renyi;
mod erdos_renyi_coalition;
mod gaussian_mechanism;
mod gd_appendix;
mod gd_appendix_exponent;
mod gd_appendix_one_step;
mod gd_average_loss;
mod gd_input_model;
mod gd_main_text;
mod gd_main_text_follows;
mod group_bound;
mod group_merge;
mod hoeffding;
mod hoeffding_final;
mod hypercube;
mod local_central_gap;
mod local_central_optimum;
mod loss_below_ldp;
mod mean_loss_identity;
mod mean_loss_printed;
mod mean_loss_table;
mod more_edges;
mod quasi_convexity;
mod randomized;
mod randomized_floor;
mod randomized_gap;
mod randomized_mean_loss;
mod randomized_participation;
mod randomized_privacy;
mod randomized_utility;
mod renyi_to_dp;
mod synchronous_floor;
mod synchronous_utility;
mod table_1_randomized;
mod table_1_synchronous;
mod table_1_weights;
mod theorem_1;
mod theorem_1_indices;
mod theorem_1_tight;
mod time_varying_collusion;
mod topologies;
mod two_points;

pub use error::ClaimError;
pub use verdict::{Kind, Verdict};
pub use witness::Witness;

/// A claim of the paper.
///
/// ```
/// use muffliato_conformance::claims::CLAIMS;
///
/// let claim = CLAIMS.iter().find(|claim| claim.id == "local-central-gap").unwrap();
/// assert_eq!(claim.place, "Section 2.2, end, as what can be had");
/// assert_eq!(claim.decide()?.evidence(), "42 cases, ratio exactly n in each");
/// # Ok::<(), muffliato_conformance::claims::ClaimError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its name here.
    pub id: &'static str,
    /// Where the paper states it.
    pub place: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// How it is decided.
    pub method: &'static str,
    /// The verdict on record.
    pub recorded: Recorded,
    decide: fn() -> Result<Verdict, ClaimError>,
}

/// A verdict that was reached before.
///
/// ```
/// use muffliato_conformance::claims::{CLAIMS, Kind};
///
/// let on_record = |kind| CLAIMS.iter().filter(|claim| claim.recorded.kind == kind).count();
/// assert!(on_record(Kind::Holds) > 15 && on_record(Kind::Refuted) > 15);
/// assert!(CLAIMS.iter().all(|claim| !claim.recorded.evidence.is_empty()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its kind.
    pub kind: Kind,
    /// Its evidence, as [`Verdict::evidence`] gives it.
    pub evidence: &'static str,
}

impl Claim {
    /// Runs the decision. An error if an engine fails or the two engines contradict each other.
    pub fn decide(&self) -> Result<Verdict, ClaimError> {
        (self.decide)()
    }
}

/// Every claim, in the order of the paper.
pub static CLAIMS: &[Claim] = &[
    more_edges::CLAIM,
    renyi_to_dp::CLAIM,
    gaussian_mechanism::CLAIM,
    local_central_gap::CLAIM,
    local_central_optimum::CLAIM,
    theorem_1::CLAIM,
    theorem_1_indices::CLAIM,
    theorem_1_tight::CLAIM,
    mean_loss_identity::CLAIM,
    mean_loss_printed::CLAIM,
    average_loss::CLAIM,
    loss_below_ldp::CLAIM,
    distance::CLAIM,
    synchronous_floor::CLAIM,
    acceleration_in_averaging::CLAIM,
    corollary_1::CLAIM,
    corollary_1_above_theorem_1::CLAIM,
    table_1_weights::CLAIM,
    table_1_synchronous::CLAIM,
    table_1_randomized::CLAIM,
    randomized_floor::CLAIM,
    randomized_gap::CLAIM,
    erdos_renyi::CLAIM,
    gd_main_text::CLAIM,
    acceleration_in_descent::CLAIM,
    quasi_convexity::CLAIM,
    synchronous_utility::CLAIM,
    chebyshev_lemma::CLAIM,
    mean_loss_table::CLAIM,
    randomized_utility::CLAIM,
    randomized_privacy::CLAIM,
    randomized_participation::CLAIM,
    randomized_mean_loss::CLAIM,
    hoeffding::CLAIM,
    hoeffding_final::CLAIM,
    gd_appendix::CLAIM,
    gd_appendix_exponent::CLAIM,
    gd_appendix_one_step::CLAIM,
    gd_main_text_follows::CLAIM,
    gd_average_loss::CLAIM,
    gd_input_model::CLAIM,
    coalition_bound::CLAIM,
    coalition_mean::CLAIM,
    coalition_walk_bound::CLAIM,
    coalition_noise::CLAIM,
    erdos_renyi_coalition::CLAIM,
    time_varying_collusion::CLAIM,
    coalition_degree::CLAIM,
    dominating_coalition::CLAIM,
    dominating_sets::CLAIM,
    group_bound::CLAIM,
    group_merge::CLAIM,
    hypercube::CLAIM,
];
