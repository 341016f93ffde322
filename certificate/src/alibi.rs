//! Upper bounds by alibis, for inputs that do not react.
//!
//! An alibi for an input is a change of draws that the observers do not know, with which they hear
//! the same although the input has changed by 1. The rule follows the difference of the two runs,
//! exactly, for t = 0, 1, ..., T - 1:
//!
//! ```text
//! at inputs:        difference_w <- factor_w difference_w, where nodes react linearly
//! at the input:     difference_u <- difference_u + 1
//! at a draw:        difference_w <- difference_w - shift_w(t);  a node that sends to an observer at t shifts by all that is left
//! refuse            if difference_w != 0 for a node w that sends to an observer at t
//! sums:             no node shifts by itself; refuse if (W_t difference)_v != 0 for an observer v, who has the difference 0 until then
//! mix:              difference <- W_t difference, or g W_t difference + (1 - g) the one before, if it is of the same round
//! ```
//!
//! With `Q_ij = sum over draws of shift_i shift_j / s^2` over the inputs i, j of an assignment of
//! phases to the sources, the loss of scalars or vectors of length at most 1 is at most
//! `sum |Q_ij|`, and at most `sum lambda` if `diag(lambda) - Q` is positive semidefinite.
//!
//! Why: the combination of the alibis with the changes d_i as weights is an alibi for these
//! changes, and costs `sum Q_ij <d_i, d_j>`. The view of the run with the first inputs and draws
//! eta is that of the run with the other inputs and draws shifted by the alibi (masks stay as they
//! are); two Gaussians whose means differ by a vector of squared length C (in units of the
//! deviations) have the loss `C L`.

use crate::{
    Alibis, Certificate, Entry, Refusal, count, largest, limited,
    matrix::common_multiple,
    no_variance,
    rules::{explain, first_indefinite_row, weighted_product},
    run::Run,
};
use muffliato_model::Draw;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// The shifts of draws that make an alibi.
pub(crate) type Shifts<D> = BTreeMap<D, BigRational>;

impl Certificate {
    pub(crate) fn proved_by_alibis(&self, runs: &[Alibis]) -> Result<BigRational, Refusal> {
        let participations = self.participations();
        count("assignments of phases", runs.len(), participations.len())?;
        let (mut passes, mut products) = (0_usize, 0_u128);
        for (alibis, participation) in runs.iter().zip(participations.clone()) {
            let inputs = participation.input_count();
            let power = if alibis.lambda.is_some() { 3 } else { 2 };
            passes = passes.saturating_add(inputs);
            products = products.saturating_add((inputs as u128).saturating_pow(power));
        }
        self.check_work(passes)?;
        limited(products)?;
        let mut losses = Vec::with_capacity(runs.len());
        for (run, (alibis, participation)) in runs.iter().zip(participations).enumerate() {
            let Alibis { shifts, lambda } = alibis;
            let inputs = participation.inputs();
            let inputs: Vec<_> =
                inputs.map(|(round, member)| (round, self.sources[member])).collect();
            count("alibis", shifts.len(), inputs.len())?;
            let alibis = inputs.iter().zip(shifts);
            let alibis = alibis.map(|(&input, shifts)| self.complete_alibi(input, shifts));
            let alibis = alibis.collect::<Result<Vec<_>, Refusal>>()?;
            let variance = |&(time, node): &_| self.variance(Draw::Own { time, node });
            let products = inner_products(&alibis, variance)?;
            losses.push(match lambda {
                None => products.iter().map(Signed::abs).sum(),
                Some(lambda) => {
                    count("entries of lambda", lambda.len(), inputs.len())?;
                    check_dual(run, lambda, &products)?;
                    lambda.iter().sum::<BigRational>()
                }
            });
        }
        Ok(largest(losses.into_iter()))
    }

    /// Returns all shifts of the alibi for one input: the given ones, and those of senders to an
    /// observer.
    fn complete_alibi(
        &self,
        (round, source): (usize, usize),
        shifts: &[Entry],
    ) -> Result<Shifts<(usize, usize)>, Refusal> {
        let protocol = &self.protocol;
        let mut given = Shifts::new();
        for Entry { time, node, value } in shifts {
            let (time, node) = (*time, *node);
            let exists = time < protocol.steps() && node < protocol.nodes();
            let known = self.observer.knows_own_noise() && self.observer.contains(node);
            let drawn = exists && !known && !self.variance(Draw::Own { time, node }).is_zero();
            if !drawn || given.insert((time, node), value.clone()).is_some() {
                return Err(Refusal::NoDraw { time, node });
            }
        }
        let denominator = common_multiple(given.values().map(|value| value.denom().clone()))?;
        let zeros = vec![BigInt::zero(); protocol.nodes()];
        let mut run = Run::new(protocol, vec![zeros], denominator)?;
        for t in 0..protocol.steps() {
            run.begin(t);
            let (difference, denominator) = (&mut run.columns[0], &run.denominator);
            if t == round * protocol.gossip_steps() {
                difference[source] += denominator;
            }
            let here = given.range((t, 0)..(t + 1, 0)).map(|((_, node), value)| {
                let shift = value.numer() * (denominator / value.denom());
                (*node, shift)
            });
            let senders = if self.observer.sees_sums() {
                Vec::new()
            } else {
                protocol.step(t).senders_to(self.observer.members())
            };
            let mut arrived = Vec::new();
            let also = |node, left| arrived.push((node, left));
            explain(difference, here, senders.into_iter(), also);
            for (node, left) in arrived {
                if self.variance(Draw::Own { time: t, node }).is_zero() {
                    return Err(Refusal::Heard { time: t, node });
                }
                let left = BigRational::new(left, denominator.clone());
                *given.entry((t, node)).or_insert_with(BigRational::zero) += left;
            }
            if self.observer.sees_sums() {
                let received = run.received(t, 0)?;
                let heard = |&&member: &&usize| !received[member].is_zero();
                if let Some(&node) = self.observer.members().iter().find(heard) {
                    return Err(Refusal::Heard { time: t, node });
                }
            }
            run.mix(t)?;
        }
        Ok(given)
    }
}

/// Computes `Q_ij`, the sum of `shift_i shift_j / variance` over the draws, row by row.
pub(crate) fn inner_products<D: Ord>(
    alibis: &[Shifts<D>],
    variance: impl Fn(&D) -> BigRational,
) -> Result<Vec<BigRational>, Refusal> {
    let product = |(one, other): (&Shifts<D>, &Shifts<D>)| {
        let shared = one.iter().filter_map(|(draw, a)| Some((draw, a, other.get(draw)?)));
        let shared = shared.map(|(draw, a, b)| (a.clone(), b.clone(), variance(draw)));
        weighted_product(shared).ok_or_else(no_variance)
    };
    let pairs = alibis.iter().flat_map(|one| alibis.iter().map(move |other| (one, other)));
    pairs.map(product).collect()
}

/// Checks that `diag(lambda) - Q` is positive semidefinite.
fn check_dual(run: usize, lambda: &[BigRational], products: &[BigRational]) -> Result<(), Refusal> {
    let size = lambda.len();
    let mut rest: Vec<BigRational> = products.iter().map(|entry| -entry).collect();
    for (i, entry) in lambda.iter().enumerate() {
        rest[i * size + i] += entry;
    }
    let common = common_multiple(rest.iter().map(|entry| entry.denom().clone()))?;
    let whole = |entry: &BigRational| entry.numer() * (&common / entry.denom());
    let mut rest: Vec<BigInt> = rest.iter().map(whole).collect();
    match first_indefinite_row(size, &mut rest) {
        None => Ok(()),
        Some(row) => Err(Refusal::NotDual { run, row }),
    }
}
