//! Upper bounds by flows, for masked protocols and any loss functions.
//!
//! At each input every edge e = {a, b} of the mask graph has a draw of deviation `kappa_e sigma`
//! that a adds and b subtracts, and that nobody else knows. A flow says how much of a source's input
//! leaves along masks at which no observer is; the rest leaves through the draws of the nodes. The
//! rule, exactly, for each round and each source u:
//!
//! ```text
//! refuse     an amount along no edge of the mask graph of the round, along one at an observer, or along an edge twice
//! z_w        = [w = u] + what flows to w - what flows away from w
//! refuse     z_w != 0 at a node without noise of its own
//! ```
//!
//! With `Q_ij = sum_w z_w^i z_w^j / s_w^2 + sum over edges of m^i m^j / kappa_e^2` over the sources i, j
//! whose data is used in the round (m: the amount along the edge, with its sign), the loss of the
//! round is at most `sum |Q_ij|`, for scalars and for vectors. The rounds are added up, for the
//! assignment of phases to the sources that loses most.
//!
//! Why: draws of the nodes shifted by z and masks shifted by m give the same states after the
//! injection, and the observers know none of them. So the flow is an alibi for everything that is
//! computed from the masked states. Given these states nothing that is hidden reacts, so that the
//! rounds are composed adaptively and their losses add; no step has to be Lipschitz. For noise on a
//! grid, `rounded` says what each round loses more.

use crate::{
    ByVariance, Certificate, Flow, Refusal, count, largest, limited, matrix::common_multiple,
    question, rules::flow_shifts,
};
use muffliato_model::{Draw, Graph};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    sync::Arc,
};

/// Amounts by edge, the smaller node first: positive if they flow from it.
pub(crate) type Amounts = BTreeMap<(usize, usize), BigRational>;

impl Certificate {
    pub(crate) fn proved_by_flows(
        &self,
        rounds: &[Vec<Vec<Flow>>],
    ) -> Result<BigRational, Refusal> {
        let protocol = &self.protocol;
        if rounds.len() != 1 {
            count("rounds of flows", rounds.len(), protocol.rounds())?;
        }
        let participations = self.participations();
        self.check_work(participations.len())?;
        limited((self.sources.len() as u128).pow(2))?;
        // The mask graph of a fixed network is the same in all rounds.
        let alike = rounds.len() == 1 && protocol.fixed_network().is_some();
        let mut losses = BTreeMap::new();
        let mut sums = Vec::with_capacity(participations.len());
        for participation in participations {
            let mut sum = BigRational::zero();
            for round in 0..protocol.rounds() {
                let flows = &rounds[round % rounds.len()];
                let used: Vec<usize> = participation.members_in(round).collect();
                let round = if alike { 0 } else { round };
                let loss = match losses.entry((round, used)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(open) => {
                        let loss = self.flow_loss(round, flows, &open.key().1)?;
                        open.insert(loss)
                    }
                };
                sum += &*loss;
            }
            sums.push(sum);
        }
        Ok(largest(sums.into_iter()))
    }

    /// Computes `sum |Q_ij|` of one round over the members that are used, and what whole amounts
    /// add to it.
    fn flow_loss(
        &self,
        round: usize,
        flows: &[Vec<Flow>],
        used: &[usize],
    ) -> Result<BigRational, Refusal> {
        count("flows", flows.len(), self.sources.len())?;
        let graph = self.mask_graph(round)?;
        let amounts = flows.iter().map(|flows| self.along_masks(round, &graph, flows));
        let amounts = amounts.collect::<Result<Vec<_>, _>>()?;
        let all = amounts.iter().flat_map(Amounts::values);
        let denominator = common_multiple(all.map(|amount| amount.denom().clone()))?;
        // Everything over one denominator.
        let whole = |amount: &BigRational| amount.numer() * (&denominator / amount.denom());
        let time = round * self.protocol.gossip_steps();
        let alibi = |&member: &usize| {
            let along = amounts[member].iter().map(|(&edge, amount)| (edge, whole(amount)));
            let mut shifts: BTreeMap<Draw, BigInt> =
                along.clone().map(|(edge, shift)| (Draw::Mask { time, edge }, shift)).collect();
            let along = along.map(|((a, b), amount)| (a, b, amount));
            flow_shifts(self.sources[member], denominator.clone(), along, |node, shift| {
                *shifts.entry(Draw::Own { time, node }).or_default() += shift;
            });
            shifts
        };
        let alibis: Vec<_> = used.iter().map(alibi).collect();
        let shifts = || alibis.iter().flatten().filter(|(_, shift)| !shift.is_zero());
        for (&draw, _) in shifts() {
            if let Draw::Own { time, node } = draw
                && self.variance(draw).is_zero()
            {
                return Err(Refusal::NoDraw { time, node });
            }
        }
        let mut sum = BigRational::zero();
        for one in &alibis {
            for other in &alibis {
                let mut products = ByVariance::default();
                for (draw, a) in one {
                    if let Some(b) = other.get(draw) {
                        products.add(self.protocol.variance(*draw), a * b);
                    }
                }
                sum += products.divided()?.abs();
            }
        }
        // One for each draw that takes a share that is no whole number.
        let broken = shifts().filter(|(_, shift)| !shift.is_multiple_of(&denominator));
        let mut draws = ByVariance::default();
        for draw in broken.map(|(draw, _)| *draw).collect::<BTreeSet<_>>() {
            draws.add(self.protocol.variance(draw), BigInt::one());
        }
        let loss = sum / (&denominator * &denominator);
        Ok(loss + self.noise.of_whole_amounts(draws.divided()?))
    }

    /// Returns the mask graph of a round.
    pub(crate) fn mask_graph(&self, round: usize) -> Result<Arc<Graph>, Refusal> {
        let graph = self.protocol.mask_graph(round);
        let none = || question("flows go along masks, and the protocol has none");
        graph.map_err(question)?.ok_or_else(none)
    }

    /// Returns the amounts along the masks of a round that no observer knows.
    pub(crate) fn along_masks(
        &self,
        round: usize,
        graph: &Graph,
        flows: &[Flow],
    ) -> Result<Amounts, Refusal> {
        let mut amounts = Amounts::new();
        for Flow { from, to, amount } in flows {
            let (from, to) = (*from, *to);
            let exists = from < graph.nodes() && to < graph.nodes() && graph.has_edge(from, to);
            let hidden = !self.observer.contains(from) && !self.observer.contains(to);
            let (edge, amount) = if from < to {
                ((from, to), amount.clone())
            } else {
                ((to, from), -amount.clone())
            };
            if !(exists && hidden) || amounts.insert(edge, amount).is_some() {
                return Err(Refusal::NoMask { round, from, to });
            }
        }
        Ok(amounts)
    }
}
