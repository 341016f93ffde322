//! Both engines behind one trait, with answers in one vocabulary.
//!
//! An [`Answer`] is a number with everything that its engine claims about it: ends between which it provably lies, the width
//! that the engine promises for them, and an estimate with the tolerance that is stated for it. The reference answers with
//! exact rationals, or with rational intervals where a root or an exponential is involved.
//!
//! | section of the mathematics | methods |
//! | --- | --- |
//! | the exact loss, where noise is drawn with the inputs only | [`Engine::leakage`], [`Engine::vector_leakage`], [`Engine::group_leakage`], [`Engine::rank`], [`Engine::leakage_estimate`] |
//! | the exact loss of any protocol | [`Engine::losses`], [`Engine::vector_losses`], [`Engine::group_loss`] |
//! | the paper's formulas | [`Engine::theorem_1`] to [`Engine::gossip_steps_per_round`] |
//! | closed forms for refreshed protocols | [`Engine::walk_bound`], [`Engine::first_passage_bound`] |
//! | guarantees | [`Engine::mu`] to [`Engine::central_error`] |
//! | runs with given noise, expected errors | [`Engine::simulated_values`], [`Engine::simulated_messages`], [`Engine::expected_error`] |

mod answer;
mod exact_curve;
mod fast;
mod reference;

pub use answer::{Answer, Answers, Refusal, Width};
pub use exact_curve::{delta as exact_delta, normal_distribution};
pub use fast::FastEngine;
pub use reference::ReferenceEngine;

/// What both engines compute for one [`Case`](crate::case::Case), one method a quantity. Losses are in units of L.
///
/// ```
/// use muffliato_conformance::{case::Case, engine::{Engine, FastEngine, ReferenceEngine}};
///
/// let text = "network Bg metropolis\nrounds 1\ngossip-steps 2\ntau 1/8\nobserver full:2\ngroup 0\nseed 1";
/// let case: Case = text.parse()?;
/// let engines: [&dyn Engine; 2] = [&ReferenceEngine::new(&case), &FastEngine::new(&case)];
/// let [exact, fast] = engines.map(|engine| engine.losses().unwrap());
/// assert_eq!(exact.len(), 2); // the sources 0 and 1
/// assert!(fast.iter().zip(&exact).all(|(fast, exact)| fast.contradiction(exact).is_none()));
/// # Ok::<(), muffliato_conformance::case::CaseError>(())
/// ```
pub trait Engine {
    /// Theorem 1 for every node, observers included.
    fn theorem_1(&self) -> Answers;
    /// Theorem 1 for every pair of a node and a single observer: `f(u, v)` at `u n + v`.
    fn theorem_1_all_pairs(&self) -> Answers;
    /// The same numbers in the same order, asked for source by source.
    fn theorem_1_by_source(&self) -> Answers;
    /// The paper's mean loss.
    fn mean_loss(&self) -> Answers;
    /// The group bound for the group of the case.
    fn group_bound(&self) -> Answers;
    /// Corollary 1 for every source outside the observer.
    fn random_walk_bound(&self) -> Answers;
    /// The theorem on private random graphs: probability of a neighbour, bound for a neighbour, bound for others.
    fn erdos_renyi_bound(&self) -> Answers;
    /// The bound of the main text for gradient descent, every source outside the observer.
    fn gd_bound_simple(&self) -> Answers;
    /// The bound of the appendix with exponent K - 1.
    fn gd_bound_as_printed(&self) -> Answers;
    /// The bound of the appendix with exponent K.
    fn gd_bound_full(&self) -> Answers;
    /// The proposition on colluders with time-varying graphs, every source outside the observer.
    fn time_varying_coalition_gd(&self) -> Answers;
    /// The spectral gap of the network of the first step.
    fn spectral_gap(&self) -> Answers;
    /// `lambda(p)` of the graph of the first step, with equal intensities of about `1 / |E|`.
    fn randomized_gap(&self) -> Answers;
    /// The Chebyshev parameter of the gap among the parameters of the case.
    fn acceleration(&self) -> Answers;
    /// The steps to converge at that gap: synchronous, then randomized as printed.
    fn steps_to_converge(&self) -> Answers;
    /// The gossip steps of a round of gradient descent at that gap.
    fn gossip_steps_per_round(&self) -> Answers;

    /// The walk bound of a refreshed protocol, capped at 1, every source outside the observer.
    fn walk_bound(&self) -> Answers;
    /// The first-passage bound of a refreshed protocol, capped at 1.
    fn first_passage_bound(&self) -> Answers;

    /// The loss of every source outside the observer, for scalar inputs and noise that is drawn with the inputs only, from
    /// the computation that proves the rank.
    fn leakage(&self) -> Answers;
    /// The upper bound for vector inputs, from the same computation.
    fn vector_leakage(&self) -> Answers;
    /// The loss of the group of the case, from the same computation: scalar, then the upper bound for vectors.
    fn group_leakage(&self) -> Answers;
    /// The rank of what is observed, for the same protocols.
    fn rank(&self) -> Answers;
    /// The leakage of one input a node with noise that is drawn once, from the computation that only estimates.
    fn leakage_estimate(&self) -> Answers;
    /// The loss of every source outside the observer, for any protocol and scalar inputs.
    fn losses(&self) -> Answers;
    /// The upper bound for vector inputs, of every source outside the observer.
    fn vector_losses(&self) -> Answers;
    /// The loss of the group of the case: scalar, then the upper bound for vectors.
    fn group_loss(&self) -> Answers;

    /// The shift `mu` of the leakage among the parameters of the case.
    fn mu(&self) -> Answers;
    /// The zero-concentrated loss.
    fn zcdp(&self) -> Answers;
    /// The Renyi loss.
    fn rdp(&self) -> Answers;
    /// The exact delta at the eps of the parameters.
    fn delta(&self) -> Answers;
    /// The exact eps at the delta of the parameters.
    fn epsilon(&self) -> Answers;
    /// Mironov's conversion of the Renyi loss.
    fn mironov_epsilon(&self) -> Answers;
    /// The error of local differential privacy at the eps of the parameters plus 1.
    fn local_error(&self) -> Answers;
    /// The error of a trusted aggregator.
    fn central_error(&self) -> Answers;

    /// What every node holds after the last step, with the inputs and the noise of the case given.
    fn simulated_values(&self) -> Answers;
    /// What the observer receives, by step and then by sender.
    fn simulated_messages(&self) -> Answers;
    /// Bias and noise of the expected error of the output against 0: `bias + sigma^2 noise`.
    fn expected_error(&self) -> Answers;
}
