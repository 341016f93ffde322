//! Certified absorption bound for gradient descent with arbitrary losses.
//!
//! Two runs on data that differ at the sources deviate by at most `dev` (in units of Delta). A node
//! that draws noise can absorb a part of what arrives: the second run shifts its draw towards the
//! first. If the steps of node w are `c_w`-Lipschitz,
//!
//! ```text
//! arr = c dev at inputs (1 more at the sources, in rounds that use their data), dev at other times
//! z = theta arr,  e = arr - z,   e = 0 at every node that is heard
//! dev = W_t e,  or  g W_t e_t + (g - 1) e_{t-1}   (0 at the observers, who hear the same in both runs)
//! loss <= L sum z^2 / s^2
//! ```
//!
//! *Proof.* A shift of length at most z reduces a difference of length at most arr to at most e;
//! sums with non-negative weights preserve the inequality. The shifts depend on earlier draws only,
//! so the shifted draws are adaptively composed Gaussians whose Renyi losses add, each at most `L
//! z^2/s^2`. The first run's view is the same function of the shifted draws as the second run's
//! view is of its own draws. Losses, dimension and batches do not enter, only the Lipschitz
//! constants.
//!
//! Every choice of theta is valid, so the search for it is not trusted:
//!
//! | module | role |
//! | --- | --- |
//! | `mod`, `upward` | trusted: evaluate a given theta with directed rounding and exact zeros |
//! | `flows` | trusted: evaluates given mask flows |
//! | `adjoint` | trusted: first passage (theta = 1 where heard, 0 elsewhere) for all sources at once |
//! | `improve` | untrusted: finds theta and flows by convex optimisation |

mod adjoint;
mod flows;
mod improve;
pub mod upward;

pub use flows::MaskFlow;

use crate::{
    FastError, Progress,
    arithmetic::{absorb_up, add_up, ratio_up, times_up},
    checks,
    progress::Watcher,
    threads,
};
use flows::Choice;
use muffliato_model::{Absorption, Draw, Lipschitz, Observer, Participation, Protocol};
use upward::{Matrices, fraction_up};

/// Absorption bound of a protocol towards one observer or a coalition.
///
/// Numbers are certified upper ends in units of L, for scalars and vectors and for any losses
/// within the Lipschitz constants. If users take part in every b-th round, the assignment of phases
/// with the largest loss counts ([`Protocol::participations`]).
///
/// ```
/// use muffliato_fast::AbsorptionBounds;
/// use muffliato_model::{Lipschitz, Network, Observer, Protocol};
///
/// let network = Network::metropolis("karate".parse()?)?;
/// let protocol = Protocol::gradient_descent(network, 10, 1)?;
/// let bounds = AbsorptionBounds::of(&protocol, &Observer::full(3), &Lipschitz::default())?;
/// let first = bounds.first_passage_all()?[33].unwrap();
/// let (best, plans) = bounds.best(&[33])?;
/// assert!(best < 0.1046 && best < first && first < 0.133); // of 10 rounds
/// assert_eq!(bounds.of_plans(&[33], &plans)?, best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AbsorptionBounds<'a> {
    protocol: Protocol,
    observer: Observer,
    matrices: Matrices,
    /// Lipschitz constants, rounded up.
    constants: Vec<f64>,
    /// `s_w^-2` of each node at inputs, rounded up; 0 where nothing is drawn.
    own: Vec<f64>,
    /// `tau_w^-2` of each node at other times, rounded up; 0 where nothing is drawn.
    fresh: Vec<f64>,
    /// g and g - 1, rounded up.
    acceleration: Option<(f64, f64)>,
    observes: Vec<bool>,
    first_passage: Absorption,
    masks: Option<flows::Masks>,
    watcher: Watcher<'a>,
}

impl<'a> AbsorptionBounds<'a> {
    /// Prepares the bound of a protocol. The losses within `lipschitz` include any reaction named
    /// by the protocol; only [`AbsorptionBounds::best_with_masks`] uses masks.
    ///
    /// # Errors
    /// An observer outside the protocol, or constants that do not fit it.
    pub fn of(
        protocol: &Protocol,
        observer: &Observer,
        lipschitz: &Lipschitz,
    ) -> Result<Self, FastError> {
        let first_passage = Absorption::first_passage(protocol, observer)?;
        let constants = lipschitz.constants(protocol)?;
        let inverse_variance = |time: usize| {
            let of = move |node| {
                let variance = protocol.variance(Draw::Own { time, node });
                if variance.is_zero() {
                    0.0
                } else {
                    ratio_up(variance.denominator(), variance.numerator())
                }
            };
            (0..protocol.nodes()).map(of).collect::<Vec<f64>>()
        };
        let acceleration = protocol.acceleration().map(|g| {
            let more = ratio_up(g.numerator() - g.denominator(), g.denominator());
            (fraction_up(g), more)
        });
        let mut observes = vec![false; protocol.nodes()];
        for &member in observer.members() {
            observes[member] = true;
        }
        Ok(Self {
            protocol: protocol.clone(),
            observer: observer.clone(),
            matrices: Matrices::of(protocol)?,
            constants: constants.into_iter().map(fraction_up).collect(),
            own: inverse_variance(0),
            // With one step a round there is no other time.
            fresh: inverse_variance(if protocol.gossip_steps() > 1 { 1 } else { 0 }),
            acceleration,
            observes,
            first_passage,
            masks: flows::Masks::of(protocol)?,
            watcher: Watcher::default(),
        })
    }

    /// Sets the receiver of progress reports.
    pub fn watched(mut self, progress: &'a dyn Progress) -> Self {
        self.watcher = Watcher(progress);
        self
    }

    /// Returns `1 / s_w(t)^2`, rounded up; 0 if node w draws nothing at time t.
    fn inverse_variance(&self, t: usize, w: usize) -> f64 {
        if self.protocol.has_input(t) { self.own[w] } else { self.fresh[w] }
    }

    /// Returns the local bound of a source, which holds for any losses: `1 / s_u^2` for each round of
    /// a phase; infinite without noise.
    pub fn local(&self, source: usize) -> f64 {
        let inverse = self.own.get(source).copied().filter(|&inverse| inverse > 0.0);
        let rounds = self.protocol.rounds_of_phase(0).count() as f64;
        let all = |inverse| if inverse == 1.0 { rounds } else { times_up(inverse, rounds) };
        inverse.map_or(f64::INFINITY, all)
    }

    /// Computes the bound of given fractions for `sources` together: one plan for each assignment
    /// of phases, or one for all.
    ///
    /// # Errors
    /// [`FastError::NotAbsorbed`] if a deviation would be heard.
    pub fn of_plans(&self, sources: &[usize], plans: &[Absorption]) -> Result<f64, FastError> {
        let sources = self.check_sources(sources)?;
        let participations = self.protocol.participations(sources.len());
        if plans.len() != 1 {
            checks::length("choices of fractions", plans.len(), participations.len())?;
        }
        let mut largest = 0.0_f64;
        for (participation, plan) in participations.zip(plans.iter().cycle()) {
            largest = largest.max(self.cost(&sources, &participation, plan, &[])?);
        }
        Ok(largest)
    }

    /// Computes the first-passage bound of each source alone, or the local bound if that is
    /// smaller; `None` for the observers, infinite where neither proves anything.
    ///
    /// Theta is 1 where a deviation would be heard before the next draw and 0 elsewhere. On a fixed
    /// network this takes about `T d_v` products with the matrix for all sources together.
    pub fn first_passage_all(&self) -> Result<Vec<Option<f64>>, FastError> {
        let costs = threads::inside(|| adjoint::first_passage_all(self, self.watcher.0))?;
        let cost = |(u, cost): (usize, f64)| (!self.observes[u]).then(|| cost.min(self.local(u)));
        Ok(costs.into_iter().enumerate().map(cost).collect())
    }

    /// Finds a small bound for `sources` together, and the fractions that prove it for each
    /// assignment of phases.
    pub fn best(&self, sources: &[usize]) -> Result<(f64, Vec<Absorption>), FastError> {
        let sources = self.check_sources(sources)?;
        let (bound, choices) = self.cheapest(&sources, |participation| {
            let plans = [
                self.first_passage.clone(),
                Absorption::local(&self.protocol, &sources)?,
                improve::improved(self, &sources, participation)?,
            ];
            Ok(plans.map(|plan| (plan, Vec::new())).into())
        })?;
        Ok((bound, choices.into_iter().map(|(plan, _)| plan).collect()))
    }

    /// Returns the cheapest candidate for each assignment of phases and the cost of the worst
    /// assignment.
    fn cheapest(
        &self,
        sources: &[usize],
        candidates: impl Fn(&Participation) -> Result<Vec<Choice>, FastError>,
    ) -> Result<(f64, Vec<Choice>), FastError> {
        let participations = self.protocol.participations(sources.len());
        let mut largest = 0.0_f64;
        let runs = participations.len();
        let mut chosen = Vec::with_capacity(runs);
        for participation in participations {
            let (mut best, mut heard): (Option<(f64, Choice)>, _) = (None, None);
            for (plan, flows) in candidates(&participation)? {
                let cost = match self.cost(sources, &participation, &plan, &flows) {
                    Err(error @ FastError::NotAbsorbed { .. }) => {
                        heard = Some(error);
                        continue;
                    }
                    cost => cost?,
                };
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, (plan, flows)));
                }
            }
            match (best, heard) {
                (Some((cost, choice)), _) => {
                    largest = largest.max(cost);
                    chosen.push(choice);
                }
                (None, Some(heard)) => return Err(heard),
                (None, None) => {}
            }
            self.watcher.0.check(chosen.len(), runs)?;
        }
        Ok((largest, chosen))
    }

    fn check_sources(&self, sources: &[usize]) -> Result<Vec<usize>, FastError> {
        checks::sources(sources, self.protocol.nodes(), &self.observer)
    }

    /// Computes an upper bound on `sum z^2 / s^2` plus the cost of the flows.
    fn cost(
        &self,
        sources: &[usize],
        participation: &Participation,
        plan: &Absorption,
        flows: &[MaskFlow],
    ) -> Result<f64, FastError> {
        let unused = |flow: &&MaskFlow| {
            let within = flow.round < self.protocol.rounds();
            !(within && participation.members_in(flow.round).next().is_some())
        };
        if let Some(&MaskFlow { round, from, to, .. }) = flows.iter().find(unused) {
            return Err(FastError::NoFlow { round, from, to });
        }
        let protocol = &self.protocol;
        let nodes = protocol.nodes();
        let (mut state, mut mixed) = (vec![0.0; nodes], vec![0.0; nodes]);
        let mut before: Option<Vec<f64>> = None;
        let mut cost = 0.0;
        for t in 0..protocol.steps() {
            if protocol.has_input(t) {
                before = None;
                for (at, &c) in state.iter_mut().zip(&self.constants) {
                    *at = times_up(c, *at);
                }
                let round = t / protocol.gossip_steps();
                for member in participation.members_in(round) {
                    let source = sources[member];
                    state[source] = add_up(state[source], 1.0);
                }
                let here = flows.iter().filter(|flow| flow.round == round);
                cost = add_up(cost, self.move_up(round, here, &mut state)?);
            }
            if protocol.draws(t) {
                for &(node, theta) in plan.at(t) {
                    let (above, below) = (theta.numerator(), theta.denominator());
                    let (z, left) = absorb_up(state[node], above, below);
                    state[node] = left;
                    let inverse = self.inverse_variance(t, node);
                    if z > 0.0 && inverse == 0.0 {
                        return Err(FastError::NotAbsorbed { time: t, node });
                    }
                    cost = add_up(cost, times_up(times_up(z, z), inverse));
                }
            }
            for node in protocol.step(t).senders_to(self.observer.members()) {
                if state[node] > 0.0 {
                    return Err(FastError::NotAbsorbed { time: t, node });
                }
            }
            self.matrices.mix_up(t, &state, &mut mixed);
            if let (Some((g, more)), Some(before)) = (self.acceleration, &before) {
                for (sum, &last) in mixed.iter_mut().zip(before) {
                    *sum = add_up(times_up(g, *sum), times_up(more, last));
                }
            }
            for &member in self.observer.members() {
                mixed[member] = 0.0;
            }
            if self.acceleration.is_some() {
                before = Some(state.clone());
            }
            std::mem::swap(&mut state, &mut mixed);
        }
        Ok(cost)
    }
}
