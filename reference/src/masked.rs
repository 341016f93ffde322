//! A bound on the loss of everything that is computed from masked states.
//!
//! Let V observe. After the injection at an input, the state of a node w outside V is
//!
//! ```text
//! y_w = (what w holds) + eta_w + sum over the edges of H at w of the masks (+ or -),
//! ```
//!
//! and V knows its own draws and the masks of its own edges. Without these, y outside V is Gaussian
//! with the covariance `sigma^2 A`, `A = diag(s_w^2) + L`, where L is the weighted Laplacian of H
//! without V (an edge e = {a, b} with both ends outside V adds
//! `kappa_e^2 (e_a - e_b)(e_a - e_b)^T`). If the inputs of u differ by Delta, the mean moves by
//! `Delta e_u`. A is regular on a component of H - V (of edges with `kappa_e > 0`) exactly if some
//! `s_w` in it is positive; otherwise the loss of its nodes is infinite.
//!
//! **Theorem.** The loss of u towards V is at most `(A^-1)_uu` in units of L, regardless of what is
//! sent, mixed or published afterwards. *Proof.* Everything that V sees is a function of y outside
//! V, of what V knows, and of later draws and choices that do not depend on the input given these.
//! A function of a Gaussian loses no more than the Gaussian itself: `e_u^T A^-1 e_u`. QED
//!
//! **Groups.** A is symmetric and positive definite with no positive entry beside its diagonal, so
//! its inverse has no negative entry. With inputs of U that move by vectors
//! `d_u` of length at most 1 the loss is `sum <d_u, d_u'> (A^-1)_uu'`, which is largest if all
//! point the same way: the sum of the entries over U x U, exactly, in any dimension.
//!
//! **Rounds.** With new masks in each round, the masked states of a round are Gaussian given those
//! of the rounds before, and their mean moves at u alone, by at most Delta. So the rounds compose
//! adaptively and their bounds add up, for any losses, clipped or not, and for any adaptive inputs.
//!
//! **Removing edges raises the bound.** `A' <= A` implies `A'^-1 >= A^-1`. So the bound of a
//! subgraph of H holds, too.

use crate::{
    ReferenceError,
    checks::{check_sources, check_work},
    rational::{larger, rational, whole},
    solve_gram,
};
use muffliato_model::{Graph, NoisePlan, Observer, Protocol};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;

/// Computes an upper bound on the loss of `sources` together towards `observer` in a masked
/// protocol, in units of L. It holds for every gossip matrix, acceleration and publication, for
/// scalars and vectors, and in gradient descent for every loss function.
///
/// It is the sum over all rounds of [`masked_energy`] of the sources whose data is used, in the
/// worst assignment of phases.
///
/// # Errors
///
/// Returns [`ReferenceError::NotApplicable`] without masks, [`ReferenceError::InfiniteLoss`] if
/// nothing hides a source, and an error for sources that do not exist or observe.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{Process, masked_bound};
///
/// // A ring of four with masks of kappa = 1; node 0 observes, 1 - 2 - 3 share masks that it does not know.
/// let ring = Network::try_new(families::ring(4)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(ring, 3)?.masked("1".parse()?)?;
/// let observer = Observer::full(0);
/// assert_eq!(masked_bound(&protocol, &[1], &observer)?.to_string(), "5/8"); // a neighbour
/// assert_eq!(masked_bound(&protocol, &[2], &observer)?.to_string(), "1/2");
/// assert_eq!(Process::run(&protocol)?.view(&observer)?.leakage(2)?.to_string(), "1/2"); // and it is attained
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn masked_bound(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    if protocol.masks().is_none() {
        return Err(ReferenceError::NotApplicable {
            formula: "the bound for masked protocols",
            reason: "it has no masks; use Protocol::masked",
        });
    }
    observer.check(protocol.nodes())?;
    let sources = check_sources(sources, protocol.nodes(), observer)?;
    let mut energies = BTreeMap::new();
    let mut largest = BigRational::zero();
    for participation in protocol.participations(sources.len()) {
        let mut sum = BigRational::zero();
        for round in participation.rounds() {
            let used: Vec<usize> =
                participation.members_in(round).map(|member| sources[member]).collect();
            sum += match energies.get(&(round, used.clone())) {
                Some(energy) => energy,
                None => {
                    let energy = masked_energy(&protocol.plan(round)?, &used, observer)?;
                    energies.entry((round, used)).or_insert(energy)
                }
            };
        }
        largest = larger(largest, sum);
    }
    Ok(largest)
}

/// Computes `1_U^T (diag(s^2) + L_{H - V})^-1 1_U` exactly, for the sources U, the observers V, and
/// the variances of a plan: `s_w^2` of each node and `kappa_e^2` of each edge of the mask graph H,
/// which weigh its Laplacian L.
///
/// It is the energy of the electric current that enters at U, one unit at each, and leaves through
/// the nodes, at resistance `1 / s_w^2`, along edges of resistance `1 / kappa_e^2`.
///
/// # Errors
///
/// Returns [`ReferenceError::InfiniteLoss`] if a source is in a component of H - V without noise,
/// and an error for sources that do not exist or observe.
///
/// ```
/// use muffliato_model::{Fraction, NoisePlan, Observer};
/// use muffliato_reference::masked_energy;
///
/// // 0 - 1 - 2: node 1 is alone without node 0 only if node 2 is away, too.
/// let energy = |noise: [i64; 3], observer: Observer| {
///     let nodes = noise.map(Fraction::integer).to_vec();
///     let masks = vec![((0, 1), Fraction::ONE), ((1, 2), Fraction::ONE)];
///     masked_energy(&NoisePlan { nodes, masks, fresh: vec![] }, &[1], &observer)
/// };
/// assert_eq!(energy([1, 1, 1], Observer::full(0))?.to_string(), "2/3");
/// assert_eq!(energy([1, 1, 4], Observer::full(0))?.to_string(), "5/9"); // more noise at node 2
/// assert_eq!(energy([0, 0, 1], Observer::full(0))?.to_string(), "2"); // that of node 2 and a mask
/// assert_eq!(energy([1, 1, 1], Observer::coalition([0, 2])?)?.to_string(), "1");
/// assert!(energy([1, 0, 1], Observer::coalition([0, 2])?).is_err()); // infinite
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn masked_energy(
    plan: &NoisePlan,
    sources: &[usize],
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    let nodes = plan.nodes.len();
    observer.check(nodes)?;
    let sources = check_sources(sources, nodes, observer)?;
    let masks = plan.masks.iter().filter(|((a, b), variance)| {
        !variance.is_zero() && !observer.contains(*a) && !observer.contains(*b)
    });
    let graph = Graph::try_new(nodes, masks.clone().map(|(edge, _)| *edge))?;
    // The nodes of the components of the sources.
    let reached = |sources: &[usize]| -> Vec<usize> {
        let distances = graph.distances_from_any(sources).into_iter().enumerate();
        distances.filter_map(|(w, distance)| distance.map(|_| w)).collect()
    };
    let kept = reached(&sources);
    for &source in &sources {
        let hidden = reached(&[source]).iter().any(|&w| !plan.nodes[w].is_zero());
        if !hidden {
            return Err(ReferenceError::InfiniteLoss { source_node: source });
        }
    }
    check_work(kept.len(), 2 * kept.len() + 1, 1)?;
    let place = |w: usize| kept.binary_search(&w).ok();
    let mut matrix = vec![vec![BigRational::zero(); kept.len()]; kept.len()];
    for (i, &w) in kept.iter().enumerate() {
        matrix[i][i] += rational(plan.nodes[w]);
    }
    for &((a, b), variance) in masks {
        if let (Some(a), Some(b)) = (place(a), place(b)) {
            let coupling = rational(variance);
            for (i, j) in [(a, b), (b, a)] {
                matrix[i][i] += &coupling;
                matrix[i][j] -= &coupling;
            }
        }
    }
    let enters: Vec<_> = kept.iter().map(|w| whole(sources.contains(w).into())).collect();
    let potentials = solve_gram(&matrix, &enters)?;
    let at_sources = potentials.iter().zip(&enters).filter(|(_, enters)| !enters.is_zero());
    Ok(at_sources.map(|(potential, _)| potential).sum())
}
