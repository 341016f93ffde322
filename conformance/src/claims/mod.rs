//! Claims that are decided by computation: those of the paper, and the theorems of this project.
//!
//! A claim has its place in the paper, its statement in our words and its method; [`Claim::decide`]
//! runs the decision and returns a [`Verdict`] with the numbers. A refutation is a [`Witness`]: the
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

/// A claim of the paper or of this project.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Name of the claim.
    pub id: &'static str,
    /// Place in the paper.
    pub place: &'static str,
    /// Standing of the statement.
    pub weight: Weight,
    /// Statement in our words.
    pub statement: &'static str,
    /// Method of the decision.
    pub method: &'static str,
    decide: fn() -> Result<Verdict, ClaimError>,
}

impl Claim {
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
    averaging::topologies::MORE_EDGES,
    conversions::RENYI_TO_DP,
    conversions::GAUSSIAN,
    conversions::LOCAL_CENTRAL,
    conversions::OPTIMUM,
    averaging::theorem_1::THEOREM_1,
    averaging::theorem_1::INDICES,
    averaging::theorem_1::TIGHT,
    averaging::mean_loss::IDENTITY,
    averaging::mean_loss::PRINTED,
    averaging::mean_loss::AVERAGE,
    averaging::theorem_1::BELOW_LDP,
    averaging::distance::DISTANCE,
    averaging::distance::BELOW_THE_MEAN,
    averaging::convergence::FLOOR,
    averaging::convergence::ACCELERATION,
    averaging::walks::COROLLARY_1,
    averaging::walks::ABOVE_THEOREM_1,
    averaging::walks::FIRST_STEP,
    averaging::topologies::WEIGHTS,
    averaging::topologies::SYNCHRONOUS,
    averaging::topologies::RANDOMIZED,
    averaging::topologies::EXPONENTIAL,
    randomized::utility::FLOOR,
    randomized::utility::GAP,
    averaging::private_graphs::ERDOS_RENYI,
    descent::bounds::MAIN_TEXT,
    descent::reactions::ACCELERATION,
    conversions::QUASI_CONVEXITY,
    averaging::convergence::UTILITY,
    averaging::convergence::CHEBYSHEV,
    averaging::mean_loss::TABLE,
    randomized::utility::UTILITY,
    randomized::privacy::PRIVACY,
    randomized::privacy::PARTICIPATION,
    randomized::privacy::MEAN_LOSS,
    randomized::messages::HOEFFDING,
    randomized::messages::HOEFFDING_FINAL,
    descent::bounds::APPENDIX,
    descent::bounds::ONE_STEP,
    descent::bounds::LATER,
    descent::bounds::MAIN_TEXT_FOLLOWS,
    descent::mean_loss::AVERAGE,
    descent::mean_loss::ANY_LOSS,
    descent::mean_loss::LIPSCHITZ,
    descent::reactions::INPUT_MODEL,
    coalitions::bounds::BOUND,
    coalitions::bounds::MEAN,
    coalitions::bounds::WALK_BOUND,
    coalitions::noise::NOISE,
    coalitions::random_graphs::ERDOS_RENYI,
    coalitions::random_graphs::TIME_VARYING,
    coalitions::random_graphs::DEGREE,
    coalitions::dominating::COALITION,
    coalitions::dominating::SETS,
    coalitions::bounds::GROUPS,
    averaging::distance::HYPERCUBE,
    ours::absorption::ABSORPTION,
    ours::absorption::EXPANSIVE,
    ours::absorption::CLIPPING,
    ours::absorption::TOO_NEAR,
    ours::absorption::PREVIOUS_STATE,
    ours::masks::MASKS,
    ours::masks::KNOWN,
    ours::masks::REVEALED,
    ours::masks::UNMASKED,
];
