//! At most, for gradient descent with Lipschitz steps: the absorption bound.
//!
//! Deviations of two runs (on data that differ at the sources) are counted in units of `2^-grid Delta`. The rule, for t = 0, 1, ..., T - 1:
//!
//! ```text
//! at an input:   deviation_w <- ceil(c_w deviation_w);  a source whose data are used in this round gets 2^grid units more
//! at a draw:     z_w = ceil(theta_w deviation_w);  deviation_w <- deviation_w - z_w
//! refuse         if deviation_w > 0 for a node w that sends to an observer at t
//! mix:           deviation <- ceil(W_t deviation), or ceil(g W_t deviation + (g - 1) the one before, if it is of the same round)
//! ```
//!
//! The loss is at most `L sum z_w(t)^2 / (s_t^2 4^grid)`, for the phase of participation that gives most.
//!
//! Why: shift the draw of w at t in the second run by at most `z_w(t)`, towards the first. Then the two states of w differ by no more than `deviation_w`,
//! which each line above preserves (a Lipschitz step, a change of at most Delta, a shift, a sum with non-negative weights); observers hear the same in both. Draws with
//! shifts of bounded length, each a function of earlier draws, are Gaussians composed adaptively, whose Renyi losses add. Rounding up only enlarges deviations, and a rounded
//! z is another fraction in [0, 1].

use crate::{
    Certificate, MAX_GRID, Refusal,
    core::{absorb, divide_up, first_heard, is_at_most, mixed_up},
    matrix::Matrices,
    parts,
};
use muffliato_model::{Absorption, Fraction, Lipschitz, Noise};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

impl Certificate {
    pub(crate) fn check_absorption(
        &self,
        lipschitz: &Lipschitz,
        grid: u32,
        plans: &[Absorption],
        claim: &BigRational,
    ) -> Result<(), Refusal> {
        let protocol = &self.protocol;
        let phases = protocol.phases();
        if plans.len() != 1 && plans.len() != phases {
            return Err(Refusal::Count {
                what: "choices of fractions",
                given: plans.len(),
                expected: phases,
            });
        }
        if grid > MAX_GRID {
            return Err(Refusal::TooManyBits { bits: grid.into() });
        }
        self.check_work(phases)?;
        let constants = lipschitz
            .constants(protocol)
            .map_err(|error| Refusal::Question(error.to_string()))?;
        for phase in 0..phases {
            let cost = self.cost(phase, &plans[phase % plans.len()], &constants, grid)?;
            if !is_at_most(parts(&cost), parts(claim)) {
                return Err(Refusal::CostsMore {
                    found: crate::format::decimal(&cost),
                });
            }
        }
        Ok(())
    }

    /// `sum z^2 / s^2` if the data are used in the rounds of `phase`.
    fn cost(
        &self,
        phase: usize,
        plan: &Absorption,
        constants: &[Fraction],
        grid: u32,
    ) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        let nodes = protocol.nodes();
        let unit = BigInt::one() << grid;
        let constants: Vec<(BigInt, BigInt)> = constants.iter().map(whole_parts).collect();
        let mut matrices = Matrices::of(protocol);
        let mut deviation = vec![BigInt::zero(); nodes];
        let mut before: Option<Vec<BigInt>> = None;
        // Squares absorbed by draws of deviation 1, and by fresh draws of deviation tau.
        let (mut full, mut fresh) = (BigInt::zero(), BigInt::zero());
        for t in 0..protocol.steps() {
            if protocol.has_input(t) {
                before = None;
                for (at, (above, below)) in deviation.iter_mut().zip(&constants) {
                    *at = divide_up(&*at * above, below);
                }
                if (t / protocol.gossip_steps()) % protocol.period() == phase {
                    for &source in &self.sources {
                        deviation[source] += &unit;
                    }
                }
            }
            if protocol.noise(t) != Noise::None {
                if let Some(&(node, _)) = plan.at(t).iter().find(|(node, _)| *node >= nodes) {
                    return Err(Refusal::NoDraw { time: t, node });
                }
                let fractions = plan.at(t).iter().map(|(node, fraction)| {
                    let (above, below) = whole_parts(fraction);
                    (*node, above, below)
                });
                let squares = absorb(&mut deviation, fractions);
                match protocol.noise(t) {
                    Noise::Full => full += squares,
                    _ => fresh += squares,
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
                mixed_up(
                    &matrix.rows[w],
                    &matrix.denominator,
                    &deviation,
                    accelerated,
                )
            });
            let mixed = mixed.collect();
            before = Some(std::mem::replace(&mut deviation, mixed));
        }
        let (above, below) = match protocol.refresh() {
            Some(tau) => whole_parts(&tau),
            None => (BigInt::one(), BigInt::one()),
        };
        let (variance, inverse) = (&above * &above, &below * &below);
        let sum = full * &variance + fresh * inverse;
        Ok(BigRational::new(sum, variance * &unit * &unit))
    }
}

fn whole_parts(fraction: &Fraction) -> (BigInt, BigInt) {
    (fraction.numerator().into(), fraction.denominator().into())
}
