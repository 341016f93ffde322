//! Upper bounds by flows, for masked protocols and any loss functions.
//!
//! At each input every edge {a, b} of the mask graph has a draw of deviation `kappa sigma` that a
//! adds and b subtracts, and that nobody else knows. A flow says how much of a source's input
//! leaves along masks at which no observer is; the rest leaves through the draws of the nodes. The
//! rule, exactly, for each round and each source u:
//!
//! ```text
//! refuse     an amount along no edge of the mask graph of the round, along one at an observer, or along an edge twice
//! z_w        = [w = u] + what flows to w - what flows away from w
//! ```
//!
//! With `Q_ij = sum_w z_w^i z_w^j + sum over edges of m^i m^j / kappa^2` over the sources i, j
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
    Certificate, Flow, Refusal, count, largest, limited, matrix::common_multiple, rational,
};
use muffliato_model::Graph;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
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
        let (graph, kappa) = self.masks(round)?;
        let amounts = flows.iter();
        let amounts = amounts.map(|flows| self.along_masks(round, &graph, flows));
        let amounts = amounts.collect::<Result<Vec<_>, _>>()?;
        let all = amounts.iter().flat_map(Amounts::values);
        let denominator = common_multiple(all.map(|amount| amount.denom().clone()))?;
        // Everything over one denominator.
        let whole = |amount: &BigRational| amount.numer() * (&denominator / amount.denom());
        let shifts = used.iter().map(|&member| {
            let (source, along) = (self.sources[member], &amounts[member]);
            let mut shifts = BTreeMap::from([(source, denominator.clone())]);
            for (&(a, b), amount) in along {
                *shifts.entry(a).or_default() -= whole(amount);
                *shifts.entry(b).or_default() += whole(amount);
            }
            let masks: BTreeMap<_, _> = along.iter().map(|(&edge, m)| (edge, whole(m))).collect();
            (shifts, masks)
        });
        let shifts: Vec<_> = shifts.collect();
        let (above, below) = (kappa.numer() * kappa.numer(), kappa.denom() * kappa.denom());
        let mut sum = BigInt::zero();
        for (nodes, masks) in &shifts {
            for (other_nodes, other_masks) in &shifts {
                let product =
                    product(nodes, other_nodes) * &above + product(masks, other_masks) * &below;
                sum += product.abs();
            }
        }
        // How many draws take shares that are no whole numbers, each over its variance.
        let nodes = broken(shifts.iter().map(|(nodes, _)| nodes), &denominator);
        let masks = broken(shifts.iter().map(|(_, masks)| masks), &denominator);
        let draws = BigRational::new(&above * nodes + below * masks, above.clone());
        let loss = BigRational::new(sum, above * &denominator * &denominator);
        Ok(loss + self.noise.of_whole_amounts(draws))
    }

    /// The mask graph of a round, and kappa.
    pub(crate) fn masks(&self, round: usize) -> Result<(Arc<Graph>, BigRational), Refusal> {
        let graph = self.protocol.mask_graph(round);
        let graph = graph.map_err(|error| Refusal::Question(error.to_string()))?;
        match (graph, self.protocol.masks()) {
            (Some(graph), Some(masks)) => Ok((graph, rational(masks.kappa()))),
            _ => Err(Refusal::Question(
                "flows go along masks, and the protocol has none".into(),
            )),
        }
    }

    /// The amounts along the masks of a round that no observer knows.
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

/// Computes the inner product of two sparse vectors.
fn product<K: Ord>(one: &BTreeMap<K, BigInt>, other: &BTreeMap<K, BigInt>) -> BigInt {
    let shared = one.iter().filter_map(|(key, a)| Some(a * other.get(key)?));
    shared.sum()
}

/// Counts the keys whose amount in one of the lists is not a multiple of `whole`.
fn broken<'a, K: Ord + 'a>(
    lists: impl Iterator<Item = &'a BTreeMap<K, BigInt>>,
    whole: &BigInt,
) -> usize {
    let not_whole = |(_, amount): &(&K, &BigInt)| !amount.is_multiple_of(whole);
    let keys = lists.flat_map(|list| list.iter().filter(not_whole).map(|(key, _)| key));
    keys.collect::<BTreeSet<_>>().len()
}
