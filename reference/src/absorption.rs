//! Gradient descent with real losses: the absorption bound.
//!
//! At the beginning of a round every node applies its step `x -> x - nu grad f_w(x)`, adds its draw, sends and mixes. What the steps are is
//! not known; what is assumed is that the step of node w is `c_w`-Lipschitz, whatever batch it uses, and that the data of the protected users move
//! their own steps by at most Delta at any point.
//!
//! # The bound
//!
//! The numbers `dev_w` (in units of Delta) bound how far two runs on the two data sets are from each other at node w:
//!
//! ```text
//! at an input:     arr_w = c_w dev_w,  and 1 more at a protected user whose data are used in this round
//! at other times:  arr_w = dev_w
//! at a draw:       z_w = theta_w arr_w is absorbed,  e_w = arr_w - z_w is left      (theta in [0, 1]; without a draw, 0)
//! what is heard:   e_w = 0 for every w that sends to an observer
//! mixing:          dev = W_t e,  or  g W_t e_t + (g - 1) e_{t-1}  with acceleration, which starts anew at inputs
//! ```
//!
//! Then the loss of these users towards the observers is at most `L sum z_w(t)^2 / s_t^2`, and the view is mu-GDP with `mu^2 = Delta^2/sigma^2` times that sum.
//!
//! # Proof
//!
//! Let the first run use the draws eta. Build the second run beside it, in the order of time, with draws `eta + shift`: at (t, w) let D be what
//! the first state of w is ahead of the second, before the draw. If `|D| <= z_w(t)` the shift is D, otherwise it is `z_w(t) D/|D|`. So the shift is no longer
//! than `z_w(t)`, and what is left of the difference is at most `max(0, |D| - z_w(t))`.
//!
//! *Deviations stay below dev and e.* By induction on time. A step of w changes a difference of length at most `dev_w` to one of at most `c_w dev_w`, as both runs
//! apply the same map; at a protected user the two maps differ by at most 1 at each point, so `c_w dev_w + 1`. After the draw at most
//! `arr_w - z_w = e_w` is left. Mixing is a sum with non-negative weights, and the recursion of acceleration adds `|1 - g| = g - 1` times a state *as it was sent*, of which `e` is known.
//! Observers never deviate: what they hear is equal in both runs (`e = 0` at those who send to them), and what they do is a function of that, of their own draws, which are not shifted, and of data that did not change.
//!
//! *The price.* The shift at time t is a function of draws before t, so `eta -> eta + shift` changes one draw after the other, each given those before it: under the second data set the draws
//! `omega = eta + shift` give the view that eta gives under the first. The view under the first data set is therefore a function of omega, the view under the second the same function of eta. Given its past, a block
//! of omega is a Gaussian of deviation `s_t sigma` around a shift no longer than `z Delta`, and eta is the same around 0. Renyi divergences of such a
//! sequence add up, at most `alpha z^2 Delta^2 / (2 s^2 sigma^2) = L z^2/s^2` each, in either direction; the parameters of Gaussian privacy add in squares. QED.
//!
//! # Masks
//!
//! [`absorption_bound`] leaves masks alone, in both runs the same: it holds with them, and does not use them. [`masked_absorption_bound`] also moves deviations along
//! edges of the mask graph that no observer is at: at an input, after `arr`, flows `m_ab >= 0` leave `arr'_w = arr_w - sum_b m_wb + sum_b m_bw`, which must not be negative,
//! and cost `(m_ab + m_ba)^2 / kappa^2` for each edge. *Proof.* Split the flow into paths; those that begin at w carry at most `arr_w` together. A path of amount p from w
//! shifts the masks along it by `p / arr_w` times the difference at w, a vector of length at most p: the difference at w becomes shorter by that part, nobody on the way changes (what
//! one mask adds the next takes away), and the last node has at most p more. An edge is shifted by at most the sum of its paths. QED
//!
//! With the currents of [`mask_currents`] and everything absorbed at once it is [`masked_bound`](crate::masked_bound); without flows it is the absorption bound. So the best choice
//! is never above the smaller of the two.
//!
//! Dimension does not enter: lengths of vectors are all that is used. Nothing is promised to a user whose state is published at the end; the view ends with the messages of time T - 1.

use crate::{
    GossipMatrix, ReferenceError,
    checks::{check_length, check_sources, check_work},
    rational::{larger, rational},
};
use muffliato_model::{Absorption, Lipschitz, Noise, Observer, Participation, Protocol};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// The absorption bound on the loss of `sources` together towards `observer`, in units of L: exact, for the given fractions.
///
/// For every choice of losses whose steps satisfy `lipschitz`, in any dimension, the loss is at most this number. `plans` has one choice of fractions for each
/// assignment of phases to the sources ([`Protocol::participations`]: one, if all rounds use the data), or one for all of them; the assignment that loses most counts.
/// [`ReferenceError::NotAbsorbed`] if a deviation is heard. A reaction that the protocol names is ignored: it is one of the losses that `lipschitz` is about.
///
/// ```
/// use muffliato_model::{Absorption, Lipschitz, Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::absorption_bound;
///
/// // Two rounds on 0 - 1 - 2, observer 0, source 2: a third of the first change is at node 1 in the second round.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::gradient_descent(path, 2, 1)?;
/// let (observer, convex) = (Observer::full(0), Lipschitz::default());
/// let bound = |plan| absorption_bound(&protocol, &[2], &observer, &convex, &[plan]);
/// assert_eq!(bound(Absorption::first_passage(&protocol, &observer)?)?.to_string(), "1/9");
/// assert_eq!(bound(Absorption::local(&protocol, &[2])?)?.to_string(), "2"); // rounds times L
/// assert!(bound(Absorption::try_new(&protocol, [])?).is_err()); // node 1 would give it away
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn absorption_bound(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
    lipschitz: &Lipschitz,
    plans: &[Absorption],
) -> Result<BigRational, ReferenceError> {
    masked_absorption_bound(protocol, sources, observer, lipschitz, plans, &[])
}

/// A part of a deviation that goes from one node to another at the beginning of a round, by a change of the mask that they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskFlow {
    /// In which round.
    pub round: usize,
    /// From whom.
    pub from: usize,
    /// To whom: a neighbour on the mask graph.
    pub to: usize,
    /// How much, in units of Delta; not negative.
    pub amount: BigRational,
}

/// The absorption bound of a masked protocol with flows along masks that no observer knows, in the rounds that use the data: exact, for the given fractions and flows.
///
/// [`ReferenceError::NoFlow`] for a flow along no such edge, and for one that leaves less than nothing at a node.
///
/// ```
/// use muffliato_model::{Absorption, Fraction, Lipschitz, Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{mask_currents, masked_absorption_bound, masked_bound};
///
/// let ring = Network::try_new(families::ring(4)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::gradient_descent(ring, 2, 1)?.masked("1".parse()?)?;
/// let (observer, any) = (Observer::full(0), Lipschitz::default());
/// let everything = Absorption::local(&protocol, &[1, 2, 3])?;
/// let currents = mask_currents(&protocol, &[1], &observer)?;
/// let found = masked_absorption_bound(&protocol, &[1], &observer, &any, &[everything], &currents)?;
/// assert_eq!(found, masked_bound(&protocol, &[1], &observer)?); // 5/8 in each round
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn masked_absorption_bound(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
    lipschitz: &Lipschitz,
    plans: &[Absorption],
    flows: &[MaskFlow],
) -> Result<BigRational, ReferenceError> {
    let nodes = protocol.nodes();
    observer.check(nodes)?;
    let sources = check_sources(sources, nodes, observer)?;
    let constants = lipschitz.constants(protocol)?;
    let run = Run {
        protocol,
        sources: &sources,
        observer,
        constants: constants.into_iter().map(rational).collect(),
        flows,
    };
    let participations = protocol.participations(sources.len());
    let runs = participations.len();
    check_work(nodes, nodes, protocol.steps().saturating_mul(runs))?;
    if plans.len() != 1 {
        check_length("choices of fractions", plans.len(), runs)?;
    }
    let mut largest = BigRational::zero();
    for (participation, plan) in participations.zip(plans.iter().cycle()) {
        largest = larger(largest, run.cost(&participation, plan)?);
    }
    Ok(largest)
}

struct Run<'a> {
    protocol: &'a Protocol,
    sources: &'a [usize],
    observer: &'a Observer,
    constants: Vec<BigRational>,
    flows: &'a [MaskFlow],
}

impl Run<'_> {
    /// Moves what arrives along the masks of a round and returns what that costs.
    fn moved(&self, round: usize, left: &mut [BigRational]) -> Result<BigRational, ReferenceError> {
        let flows = self.flows.iter().filter(|flow| flow.round == round);
        let masks = self.protocol.masks();
        let mut edges: BTreeMap<(usize, usize), BigRational> = BTreeMap::new();
        for flow in flows {
            let &MaskFlow { from, to, .. } = flow;
            let refused = ReferenceError::NoFlow { round, from, to };
            let graph = self.protocol.mask_graph(round)?;
            let hidden = !self.observer.contains(from) && !self.observer.contains(to);
            let joined = graph.is_some_and(|graph| graph.has_edge(from, to));
            if !(hidden && joined) || flow.amount.is_negative() {
                return Err(refused);
            }
            left[from] -= &flow.amount;
            left[to] += &flow.amount;
            let edge = (from.min(to), from.max(to));
            *edges.entry(edge).or_insert_with(BigRational::zero) += &flow.amount;
        }
        if let Some(node) = left.iter().position(Signed::is_negative) {
            let (from, to) = (node, node);
            return Err(ReferenceError::NoFlow { round, from, to });
        }
        let kappa = masks.map_or(BigRational::one(), |masks| rational(masks.kappa()));
        let shares = edges.values().map(|amount| amount / &kappa);
        Ok(shares.map(|share| &share * &share).sum())
    }

    /// Computes `sum z_w(t)^2 / s_t^2`, if the sources take part like this.
    fn cost(
        &self,
        participation: &Participation,
        plan: &Absorption,
    ) -> Result<BigRational, ReferenceError> {
        let protocol = self.protocol;
        let mut cost = BigRational::zero();
        let mut deviation = vec![BigRational::zero(); protocol.nodes()];
        let mut before: Option<Vec<BigRational>> = None;
        let mut matrix = GossipMatrix::of_step(protocol.step(0))?;
        for t in 0..protocol.steps() {
            if t > 0 && !protocol.step(t).is_same_network(&protocol.step(t - 1)) {
                matrix = GossipMatrix::of_step(protocol.step(t))?;
            }
            let mut left = deviation;
            if protocol.has_input(t) {
                before = None;
                for (at, c) in left.iter_mut().zip(&self.constants) {
                    *at *= c;
                }
                let round = t / protocol.gossip_steps();
                let mut used = false;
                for member in participation.members_in(round) {
                    left[self.sources[member]] += BigRational::one();
                    used = true;
                }
                if used {
                    cost += self.moved(round, &mut left)?;
                }
            }
            let spread = match protocol.noise(t) {
                Noise::Full => BigRational::one(),
                Noise::Refresh(tau) => rational(tau),
                Noise::None => BigRational::zero(),
            };
            let absorbing = if spread.is_zero() { &[] } else { plan.at(t) };
            for &(node, fraction) in absorbing {
                let absorbed = &left[node] * rational(fraction);
                left[node] -= &absorbed;
                let share = absorbed / &spread;
                cost += &share * &share;
            }
            for node in protocol.step(t).senders_to(self.observer.members()) {
                if left[node].is_positive() {
                    return Err(ReferenceError::NotAbsorbed { time: t, node });
                }
            }
            deviation = self.mixed(&matrix, &left, before.as_deref());
            before = Some(left);
        }
        Ok(cost)
    }

    /// `W e`, or `g W e + (g - 1) before`; nothing at the observers, who hear nothing of it.
    fn mixed(
        &self,
        matrix: &GossipMatrix,
        left: &[BigRational],
        before: Option<&[BigRational]>,
    ) -> Vec<BigRational> {
        let weight = |entry| BigRational::new(entry, matrix.denominator().clone());
        let mut mixed = vec![BigRational::zero(); left.len()];
        for (w, sum) in mixed.iter_mut().enumerate() {
            if self.observer.contains(w) {
                continue;
            }
            for (entry, from) in matrix.row(w).iter().zip(left) {
                if !entry.is_zero() && !from.is_zero() {
                    *sum += from * weight(entry.clone());
                }
            }
            if let (Some(g), Some(before)) = (self.protocol.acceleration(), before) {
                let g = rational(g);
                *sum = &*sum * &g + (g - BigRational::one()) * &before[w];
            }
        }
        mixed
    }
}
