//! Upper bounds by absorption, for gradient descent with Lipschitz steps.
//!
//! Deviations of two runs (on data that differ at the sources) are counted in units of
//! `2^-grid Delta`. The rule, for t = 0, 1, ..., T - 1:
//!
//! ```text
//! at an input:   deviation_w <- ceil(c_w deviation_w);  each source whose data is used in this round gets 2^grid units more
//! with masks:    deviation_w <- max(0, deviation_w - what flows away from w + what flows to w), amounts m rounded up to units
//! at a draw:     z_w = ceil(theta_w deviation_w);  deviation_w <- deviation_w - z_w
//! refuse         if z_w > 0 for a node w without noise at t, or deviation_w > 0 for one that sends to an observer at t
//! mix:           deviation <- ceil(W_t deviation), or ceil(g W_t deviation + (g - 1) the one before, if it is of the same round)
//! ```
//!
//! The loss is at most `L / 4^grid (sum z_w(t)^2 / s_w(t)^2 + sum m_e^2 / kappa_e^2)`, for the assignment
//! of phases to the sources that gives most. Amounts flow along masks at which no observer is,
//! along each in one direction.
//!
//! Why: shift the draw of w at t in the second run by at most `z_w(t)`, towards the first. Then the
//! two states of w differ by no more than `deviation_w`, which each line above preserves (a
//! Lipschitz step, a change of at most Delta, a shift, a sum with non-negative weights); observers
//! hear the same in both. Draws with shifts of bounded length, each a function of earlier draws,
//! are Gaussians composed adaptively, whose Renyi losses add. Rounding up only enlarges deviations,
//! and a rounded z is another fraction in [0, 1]. Flows: split them into paths; one that takes p
//! units from w shifts the masks along it by p / deviation_w times the difference at w, which is no
//! longer than p, and only its ends notice. Masks that nothing flows along, and reactions within
//! the Lipschitz constants, change nothing. `rounded` says what is added for noise on a grid.

use crate::{
    ByVariance, Certificate, Claim, Flow, Law, MAX_GRID, Proof, Refusal, count, largest,
    matrix::{Matrices, check_bits},
    question,
    rules::{absorb, carry, divide_up, first_heard, is_at_most, mixed_up},
};
use muffliato_model::{Absorption, Draw, Fraction, Lipschitz, Observer, Participation, Protocol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Deviations of [`absorption_bound`] are multiples of 2 to minus this.
const FINE_GRID: u32 = 1024;

/// Computes the absorption bound on the loss of `sources` together towards `observer`, in units of
/// L, for Gaussian noise.
///
/// `plans` has one choice of fractions for each assignment of phases to the sources, or one choice
/// for all. Deviations are rounded up to multiples of `2^-1024`.
///
/// # Errors
///
/// Returns what [`Certificate::proved`] returns, such as [`Refusal::Heard`] for a deviation that
/// reaches an observer.
///
/// ```
/// use muffliato_certificate::{Refusal, absorption_bound};
/// use muffliato_model::{Absorption, Lipschitz, Network, Observer, Protocol};
///
/// // Two rounds on 0 - 1 - 2: a third of the first change of node 2 is at node 1 in the second round.
/// let protocol = Protocol::gradient_descent(Network::metropolis("path:3".parse()?)?, 2, 1)?;
/// let (observer, convex) = (Observer::full(0), Lipschitz::default());
/// let bound = |plan| absorption_bound(&protocol, &[2], &observer, &convex, &[plan]);
/// let first = bound(Absorption::first_passage(&protocol, &observer)?)?;
/// assert!(first >= "1/9".parse()? && first < "1111112/10000000".parse()?);
/// assert_eq!(bound(Absorption::local(&protocol, &[2])?)?, "2".parse()?); // L in each round
/// let nothing = Absorption::try_new(&protocol, [])?;
/// assert_eq!(bound(nothing), Err(Refusal::Heard { time: 1, node: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn absorption_bound(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
    lipschitz: &Lipschitz,
    plans: &[Absorption],
) -> Result<BigRational, Refusal> {
    let mut sources = sources.to_vec();
    sources.sort_unstable();
    sources.dedup();
    let proof = Proof::Absorption {
        lipschitz: lipschitz.clone(),
        grid: FINE_GRID,
        plans: plans.to_vec(),
        flows: Vec::new(),
    };
    let certificate = Certificate {
        protocol: protocol.clone(),
        noise: Law::Gaussian,
        observer: observer.clone(),
        sources,
        claim: Claim::AtMost(BigRational::zero()),
        proof,
    };
    certificate.proved()
}

impl Certificate {
    pub(crate) fn proved_by_absorption(
        &self,
        lipschitz: &Lipschitz,
        grid: u32,
        plans: &[Absorption],
        flows: &[Vec<Vec<Flow>>],
    ) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        let participations = self.participations();
        let runs = participations.len();
        let once_or = |what, given, expected| match given {
            1 => Ok(()),
            _ => count(what, given, expected),
        };
        once_or("choices of fractions", plans.len(), runs)?;
        if !flows.is_empty() {
            once_or("choices of flows", flows.len(), runs)?;
        }
        for rounds in flows {
            once_or("rounds of flows", rounds.len(), protocol.rounds())?;
        }
        if !flows.is_empty() && !self.noise.is_gaussian() {
            return Err(Refusal::NotOnGrid);
        }
        if grid > MAX_GRID {
            return Err(Refusal::TooManyBits { bits: grid.into() });
        }
        self.check_work(runs)?;
        let constants = lipschitz.constants(protocol).map_err(question)?;
        let reactions = protocol.reaction().into_iter().flatten();
        for (node, (factor, constant)) in reactions.zip(&constants).enumerate() {
            let (factor, constant) = (whole_parts(&factor.abs()), whole_parts(constant));
            if !is_at_most((&factor.0, &factor.1), (&constant.0, &constant.1)) {
                return Err(Refusal::Reacts { node });
            }
        }
        let cost = |(run, participation): (usize, Participation)| {
            let flows: &[Vec<Flow>] = match flows.len() {
                0 => &[],
                choices => &flows[run % choices],
            };
            let plan = &plans[run % plans.len()];
            self.cost(&participation, plan, flows, &constants, grid)
        };
        let costs = participations.enumerate().map(cost);
        let costs = costs.collect::<Result<Vec<_>, _>>()?;
        Ok(largest(costs.into_iter()))
    }

    /// Computes `sum z^2 / s^2 + sum m^2 / kappa^2` for one assignment of phases.
    fn cost(
        &self,
        participation: &Participation,
        plan: &Absorption,
        flows: &[Vec<Flow>],
        constants: &[Fraction],
        grid: u32,
    ) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        let nodes = protocol.nodes();
        let unit = BigInt::one() << grid;
        let constants: Vec<(BigInt, BigInt)> = constants.iter().map(whole_parts).collect();
        let corrections = self.noise.corrections(&unit);
        let mut matrices = Matrices::of(protocol);
        let mut deviation = vec![BigInt::zero(); nodes];
        let mut before: Option<Vec<BigInt>> = None;
        // Squares absorbed by draws and by masks.
        let mut squares = ByVariance::default();
        for t in 0..protocol.steps() {
            if protocol.has_input(t) {
                before = None;
                for (at, (above, below)) in deviation.iter_mut().zip(&constants) {
                    *at = corrections.anew(divide_up(&*at * above, below));
                }
                let round = t / protocol.gossip_steps();
                for member in participation.members_in(round) {
                    deviation[self.sources[member]] += &unit;
                }
                if let Some(flows) = flows.get(round % flows.len().max(1)) {
                    self.carry_along_masks(round, flows, &unit, &mut deviation, &mut squares)?;
                }
            }
            if protocol.draws(t) {
                for &(node, fraction) in plan.at(t) {
                    if node >= nodes {
                        return Err(Refusal::NoDraw { time: t, node });
                    }
                    let arrived = deviation[node].clone();
                    let (above, below) = whole_parts(&fraction);
                    let square = absorb(&mut deviation, [(node, above, below)].into_iter());
                    deviation[node] = corrections.left(&arrived, &deviation[node]);
                    let variance = protocol.variance(Draw::Own { time: t, node });
                    if variance.is_zero() && !square.is_zero() {
                        return Err(Refusal::NoDraw { time: t, node });
                    }
                    squares.add(variance, square);
                }
            }
            let senders = protocol.step(t).senders_to(self.observer.members());
            if let Some(node) = first_heard(&deviation, senders.into_iter()) {
                return Err(Refusal::Heard { time: t, node });
            }
            let matrix = matrices.at(t)?;
            let acceleration = protocol.acceleration().map(|g| whole_parts(&g));
            let mixed = (0..nodes).map(|w| {
                if self.observer.contains(w) {
                    return BigInt::zero(); // they heard nothing
                }
                let last = before.as_ref().zip(acceleration.as_ref());
                let accelerated = last.map(|(before, (above, below))| (above, below, &before[w]));
                corrections.anew(mixed_up(
                    &matrix.rows[w],
                    &matrix.denominator,
                    &deviation,
                    accelerated,
                ))
            });
            let mixed: Vec<BigInt> = mixed.collect();
            check_bits(mixed.iter().map(BigInt::bits).max().unwrap_or(0))?;
            before = Some(std::mem::replace(&mut deviation, mixed));
        }
        Ok(squares.divided()? / (&unit * &unit))
    }

    /// Moves deviations along the masks of a round, and adds the squares of the amounts, in units.
    fn carry_along_masks(
        &self,
        round: usize,
        flows: &[Flow],
        unit: &BigInt,
        deviation: &mut [BigInt],
        squares: &mut ByVariance,
    ) -> Result<(), Refusal> {
        if flows.is_empty() {
            return Ok(());
        }
        self.along_masks(round, &*self.mask_graph(round)?, flows)?;
        let negative = flows.iter().find(|flow| flow.amount.is_negative());
        if let Some(&Flow { from, to, .. }) = negative {
            return Err(Refusal::NoMask { round, from, to });
        }
        let time = round * self.protocol.gossip_steps();
        let mut amounts = Vec::with_capacity(flows.len());
        for Flow { from, to, amount } in flows {
            let units = divide_up(amount.numer() * unit, amount.denom());
            let edge = ((*from).min(*to), (*from).max(*to));
            squares.add(self.protocol.variance(Draw::Mask { time, edge }), &units * &units);
            amounts.push((*from, *to, units));
        }
        carry(deviation, amounts.into_iter());
        Ok(())
    }
}

fn whole_parts(fraction: &Fraction) -> (BigInt, BigInt) {
    (fraction.numerator().into(), fraction.denominator().into())
}
