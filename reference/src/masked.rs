//! A bound on the loss of everything that is computed from masked states.
//!
//! Let V observe. After the injection at an input, the state of a node w outside V is
//!
//! ```text
//! y_w = (what w holds) + eta_w + sum over the edges of H at w of the masks (+ or -),
//! ```
//!
//! and V knows its own draws and the masks of its own edges. Without these, y outside V is Gaussian
//! with the covariance `sigma^2 A`, `A = diag(s^2) + kappa^2 L`, where L is the Laplacian of H
//! without V (an edge {a, b} with both ends outside V adds `kappa^2 (e_a - e_b)(e_a - e_b)^T`). If
//! the inputs of u differ by Delta, the mean moves by `Delta e_u`.
//!
//! **Theorem.** The loss of u towards V is at most `(A^-1)_uu` in units of L, regardless of what is
//! sent, mixed or published afterwards. *Proof.* Everything that V sees is a function of y outside
//! V, of what V knows, and of later draws and choices that do not depend on the input given these.
//! A function of a Gaussian loses no more than the Gaussian itself: `e_u^T A^-1 e_u`. QED
//!
//! **Groups.** A is symmetric with a positive diagonal, no positive entry elsewhere and rows that
//! sum to `s^2 > 0`, so its inverse has no negative entry. With inputs of U that move by vectors
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
    checks::{check_length, check_sources, check_work, require},
    rational::{larger, rational, whole},
    solve_gram,
};
use muffliato_model::{Fraction, Graph, Observer, Protocol};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;

/// Computes an upper bound on the loss of `sources` together towards `observer` in a masked
/// protocol, in units of L. It holds for every gossip matrix, acceleration and publication, for
/// scalars and vectors, and in gradient descent for every loss function.
///
/// It is the sum over all rounds of [`masked_energy`] with node noise 1 of the sources whose data
/// is used, in the worst assignment of phases.
///
/// # Errors
///
/// Returns [`ReferenceError::NotApplicable`] without masks, and an error for sources that do not
/// exist or observe.
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
    let Some(masks) = protocol.masks() else {
        return Err(ReferenceError::NotApplicable {
            formula: "the bound for masked protocols",
            reason: "it has no masks; use Protocol::masked",
        });
    };
    let noise = vec![Fraction::ONE; protocol.nodes()];
    observer.check(protocol.nodes())?;
    let sources = check_sources(sources, protocol.nodes(), observer)?;
    let mut energies = BTreeMap::new();
    let mut largest = BigRational::zero();
    for participation in protocol.participations(sources.len()) {
        let mut sum = BigRational::zero();
        for round in participation.rounds() {
            let Some(graph) = protocol.mask_graph(round)? else {
                continue;
            };
            let used: Vec<usize> = participation
                .members_in(round)
                .map(|member| sources[member])
                .collect();
            sum += match energies.get(&(round, used.clone())) {
                Some(energy) => energy,
                None => {
                    let energy = masked_energy(&graph, masks.kappa(), &noise, &used, observer)?;
                    energies.entry((round, used)).or_insert(energy)
                }
            };
        }
        largest = larger(largest, sum);
    }
    Ok(largest)
}

/// Computes `1_U^T (diag(s^2) + kappa^2 L_{H - V})^-1 1_U` exactly, for the sources U, the mask
/// graph H, the observers V and the standard deviations `s` > 0 of the noise of every node, in
/// units of sigma.
///
/// It is the energy of the electric current that enters at U, one unit at each, and leaves through
/// the nodes, at resistance `1 / s_w^2`, along edges of resistance `1 / kappa^2`.
///
/// # Errors
///
/// Returns an error unless there is a positive deviation per node, and for sources that do not
/// exist or observe.
///
/// ```
/// use muffliato_model::{Fraction, Observer, families};
/// use muffliato_reference::masked_energy;
///
/// // 0 - 1 - 2: node 1 is alone without node 0 only if node 2 is away, too.
/// let (path, kappa) = (families::path(3)?, Fraction::ONE);
/// let energy = |noise: [i64; 3], observer: Observer| {
///     masked_energy(&path, kappa, &noise.map(Fraction::integer), &[1], &observer)
/// };
/// assert_eq!(energy([1, 1, 1], Observer::full(0))?.to_string(), "2/3");
/// assert_eq!(energy([1, 1, 2], Observer::full(0))?.to_string(), "5/9"); // more noise at node 2
/// assert_eq!(energy([1, 1, 1], Observer::coalition([0, 2])?)?.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn masked_energy(
    graph: &Graph,
    kappa: Fraction,
    noise: &[Fraction],
    sources: &[usize],
    observer: &Observer,
) -> Result<BigRational, ReferenceError> {
    let nodes = graph.nodes();
    observer.check(nodes)?;
    let sources = check_sources(sources, nodes, observer)?;
    check_length("deviations of noise", noise.len(), nodes)?;
    let expected = "it must be positive; a node without noise of its own is not covered";
    for s in noise {
        let positive = !s.is_zero() && !s.is_negative();
        require(positive, "the deviation of a node's noise", s, expected)?;
    }
    let solved = Solved::of(graph, kappa, noise, &sources, observer)?;
    let inside = solved.kept.iter().zip(&solved.potentials);
    let at_sources = inside.filter(|(node, _)| sources.contains(node));
    Ok(at_sources.map(|(_, potential)| potential).sum())
}

/// Potentials `A^-1 1_U` of the nodes that current reaches: the components of H - V that contain a
/// source.
struct Solved {
    kept: Vec<usize>,
    potentials: Vec<BigRational>,
}

impl Solved {
    fn of(
        graph: &Graph,
        kappa: Fraction,
        noise: &[Fraction],
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Self, ReferenceError> {
        let kept = components(graph, sources, observer);
        check_work(kept.len(), 2 * kept.len() + 1, 1)?;
        let square = |s: Fraction| rational(s) * rational(s);
        let coupling = square(kappa);
        let mut matrix = vec![vec![BigRational::zero(); kept.len()]; kept.len()];
        for (i, &w) in kept.iter().enumerate() {
            matrix[i][i] += square(noise[w]);
            let neighbours = graph.neighbours(w);
            for j in neighbours.filter_map(|b| kept.binary_search(&b).ok()) {
                matrix[i][i] += &coupling;
                matrix[i][j] -= &coupling;
            }
        }
        let enters = kept.iter().map(|w| whole(sources.contains(w).into()));
        let enters: Vec<_> = enters.collect();
        Ok(Self {
            potentials: solve_gram(&matrix, &enters)?,
            kept,
        })
    }
}

/// Returns the nodes that are connected to a source in the graph without the observers, in
/// increasing order.
fn components(graph: &Graph, sources: &[usize], observer: &Observer) -> Vec<usize> {
    let mut reached = vec![false; graph.nodes()];
    let mut queue = sources.to_vec();
    for &source in sources {
        reached[source] = true;
    }
    while let Some(w) = queue.pop() {
        for b in graph.neighbours(w) {
            if !reached[b] && !observer.contains(b) {
                reached[b] = true;
                queue.push(b);
            }
        }
    }
    (0..graph.nodes()).filter(|&w| reached[w]).collect()
}
