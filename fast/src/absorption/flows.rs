//! Deviations that move along masks (trusted, except that any flows may be proposed).
//!
//! At an input that uses the data, the second run may also shift masks: along an edge {a, b} of the
//! mask graph with no observer at either end, an amount `m >= 0` of the deviation moves from a to b
//! before anything is absorbed,
//!
//! ```text
//! arr'_w = arr_w - sum_b m_wb + sum_b m_bw,      cost  (m_ab + m_ba)^2 / kappa^2  for each edge
//! ```
//!
//! *Proof.* Split the flow into paths. Those that begin at w carry at most `arr_w` together (if
//! they carry more, raise `arr_w`: a larger bound on a deviation is still a bound). A path of
//! amount p shifts the masks along it by `p / arr_w` times the difference at w, a vector of length
//! at most p. The difference at w loses that part, nodes on the way do not change, and the last
//! node has at most p more. Any amounts are therefore valid, and `arr'` and the costs are rounded
//! up.
//!
//! Without flows this is the absorption bound; with the currents of the masked bound and everything
//! absorbed at once it is the masked bound.

use super::{AbsorptionBounds, improve};
use crate::{
    FastError, MaskedBounds,
    arithmetic::{add_down, add_up, minus_up, ratio_up, times_up},
    masked::mask_graphs,
};
use muffliato_model::{Absorption, Draw, Graph, Participation, Protocol};
use std::{collections::BTreeMap, sync::Arc};

/// A part of a deviation moved between two nodes at the start of a round by shifting their mask.
///
/// ```
/// use muffliato_fast::{AbsorptionBounds, MaskFlow, MaskedBounds};
/// use muffliato_model::{Absorption, GraphSpec, Lipschitz, Network, Observer, Protocol, WeightScheme};
///
/// let ring = Network::try_new("ring:4".parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::gradient_descent(ring, 1, 1)?.masked("1".parse()?)?;
/// let bounds = AbsorptionBounds::of(&protocol, &Observer::full(0), &Lipschitz::default())?;
/// // A third of the deviation moves from 1 to 2, and every node absorbs its part: 4/9 + 1/9 + 1/9.
/// let flow = MaskFlow { round: 0, from: 1, to: 2, amount: 1.0 / 3.0 };
/// let everything = Absorption::local(&protocol, &[1, 2, 3])?;
/// let bound = bounds.of_flows(&[1], &everything, &[flow])?;
/// assert!((bound - 2.0 / 3.0).abs() < 1e-12);
/// // The best flow goes on to node 3, as current does.
/// let masked = MaskedBounds::of(&protocol)?.bound(&[1], &Observer::full(0))?;
/// assert!(bounds.best_with_masks(&[1])?.0 < masked.upper() * (1.0 + 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaskFlow {
    /// The round.
    pub round: usize,
    /// The sender.
    pub from: usize,
    /// The receiver, a neighbour on the mask graph.
    pub to: usize,
    /// The amount in units of Delta; not negative.
    pub amount: f64,
}

/// Absorbed fractions and mask flows.
pub(super) type Choice = (Absorption, Vec<MaskFlow>);

/// The masks of a protocol that no observer knows.
#[derive(Clone, Debug)]
pub(super) struct Masks {
    /// The mask graph of each round, or one for all rounds.
    graphs: Vec<Arc<Graph>>,
    protocol: Protocol,
}

impl Masks {
    pub fn of(protocol: &Protocol) -> Result<Option<Self>, FastError> {
        if protocol.masks().is_none() {
            return Ok(None);
        }
        Ok(Some(Self { graphs: mask_graphs(protocol)?, protocol: protocol.clone() }))
    }

    /// Returns `kappa^-2` of an edge, rounded up.
    pub fn inverse_square(&self, edge: (usize, usize)) -> f64 {
        let variance = self.protocol.variance(Draw::Mask { time: 0, edge });
        ratio_up(variance.denominator(), variance.numerator())
    }

    pub fn graph(&self, round: usize) -> &Graph {
        &self.graphs[round.min(self.graphs.len() - 1)]
    }
}

impl AbsorptionBounds<'_> {
    /// Computes the bound of given fractions and flows for `sources` together, all of them in the
    /// first phase, for a protocol with masks.
    ///
    /// # Errors
    /// [`FastError::NoFlow`] for a flow along no edge of the mask graph, at an observer, in a round
    /// that does not use the data, or of a negative amount.
    pub fn of_flows(
        &self,
        sources: &[usize],
        plan: &Absorption,
        flows: &[MaskFlow],
    ) -> Result<f64, FastError> {
        let sources = self.check_sources(sources)?;
        match self.protocol.participations(sources.len()).next() {
            Some(first) => self.cost(&sources, &first.contained(), plan, flows),
            None => Ok(0.0),
        }
    }

    /// Finds a small bound for `sources` together with flows along masks, and the fractions and
    /// flows that prove it for each assignment of phases.
    ///
    /// It never exceeds the best bound without flows, nor, up to rounding, the masked bound. The
    /// assignment of phases with the largest loss counts.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for a protocol without masks.
    pub fn best_with_masks(&self, sources: &[usize]) -> Result<(f64, Vec<Choice>), FastError> {
        let sources = self.check_sources(sources)?;
        let masked = MaskedBounds::of(&self.protocol)?;
        let others: Vec<usize> =
            (0..self.protocol.nodes()).filter(|&w| !self.observes[w]).collect();
        let everything = Absorption::local(&self.protocol, &others)?;
        self.cheapest(&sources, |participation| {
            let mut currents = Vec::new();
            for round in participation.rounds() {
                let used = participation.members_in(round);
                let used: Vec<usize> = used.map(|member| sources[member]).collect();
                let along = masked.currents(round, &used, &self.observer);
                currents.extend(along.into_iter().map(|(from, to, amount)| MaskFlow {
                    round,
                    from,
                    to,
                    amount,
                }));
            }
            let together = improve::with_flows(self, &sources, participation, &currents)?;
            Ok(vec![
                (everything.clone(), currents),
                (self.first_passage.clone(), Vec::new()),
                (improve::improved(self, &sources, participation)?, Vec::new()),
                together,
            ])
        })
    }

    /// Moves arrived deviations along the masks of a round and returns the cost, both rounded up.
    pub(super) fn move_up<'a>(
        &self,
        round: usize,
        flows: impl Iterator<Item = &'a MaskFlow>,
        arrived: &mut [f64],
    ) -> Result<f64, FastError> {
        let mut edges: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        // Outflow of a node, rounded down, and inflow, rounded up.
        let mut net: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for &MaskFlow { from, to, amount, .. } in flows {
            let hidden = |w: usize| self.observes.get(w) == Some(&false);
            let joined = |masks: &Masks| masks.graph(round).has_edge(from, to);
            let fits = amount >= 0.0 && amount.is_finite();
            let masked = self.masks.as_ref().is_some_and(joined);
            if !(hidden(from) && hidden(to) && masked && fits) {
                return Err(FastError::NoFlow { round, from, to });
            }
            let out = &mut net.entry(from).or_default().0;
            *out = add_down(*out, amount);
            let into = &mut net.entry(to).or_default().1;
            *into = add_up(*into, amount);
            let sum = edges.entry((from.min(to), from.max(to))).or_default();
            *sum = add_up(*sum, amount);
        }
        for (node, (out, into)) in net {
            arrived[node] = minus_up(add_up(arrived[node], into), out);
        }
        let price = |edge| self.masks.as_ref().map_or(0.0, |masks| masks.inverse_square(edge));
        let costs = edges.into_iter().map(|(edge, sum)| times_up(times_up(sum, sum), price(edge)));
        Ok(costs.fold(0.0, add_up))
    }

    /// Returns the edges without observers of the mask graphs, in the rounds that use data.
    pub(super) fn hidden_edges(&self, participation: &Participation) -> Vec<(usize, usize, usize)> {
        let Some(masks) = &self.masks else {
            return Vec::new();
        };
        let rounds = participation.rounds();
        let hidden = |&(a, b): &(usize, usize)| !self.observes[a] && !self.observes[b];
        let edges = rounds.flat_map(|round| {
            let here = masks.graph(round).edges().filter(hidden);
            here.map(move |(a, b)| (round, a, b)).collect::<Vec<_>>()
        });
        edges.collect()
    }
}

impl MaskFlow {
    /// Builds the flow of a signed amount from a to b.
    pub(super) fn signed((round, a, b): (usize, usize, usize), amount: f64) -> Self {
        let (from, to) = if amount >= 0.0 { (a, b) } else { (b, a) };
        Self { round, from, to, amount: amount.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{GraphSpec, Lipschitz, Network, Observer, WeightScheme};

    fn bounds(kappa: &str) -> AbsorptionBounds<'static> {
        let ring = "ring:5".parse::<GraphSpec>().unwrap().build().unwrap();
        let ring = Network::try_new(ring, WeightScheme::Metropolis).unwrap();
        let protocol = Protocol::gradient_descent(ring, 3, 1).unwrap();
        let protocol = protocol.masked(kappa.parse().unwrap()).unwrap();
        AbsorptionBounds::of(&protocol, &Observer::full(0), &Lipschitz::default()).unwrap()
    }

    #[test]
    fn flows_along_known_masks_and_of_bad_amounts_are_refused() {
        let bounds = bounds("2");
        let everything = Absorption::local(&bounds.protocol, &[1, 2, 3, 4]).unwrap();
        let refused = |round, from, to, amount| {
            let flow = MaskFlow { round, from, to, amount };
            let found = bounds.of_flows(&[2], &everything, &[flow]);
            assert!(matches!(found, Err(FastError::NoFlow { .. })), "{flow:?}: {found:?}");
        };
        refused(0, 1, 0, 0.5); // the observer knows it
        refused(0, 1, 3, 0.5); // no edge
        refused(0, 2, 9, 0.5);
        refused(7, 2, 3, 0.5);
        for amount in [-0.5, f64::NAN, f64::INFINITY] {
            refused(0, 2, 3, amount);
        }
        let fits = MaskFlow { round: 0, from: 2, to: 3, amount: 0.5 };
        assert!(bounds.of_flows(&[2], &everything, &[fits]).unwrap() < 3.0);
    }

    /// Sending more than a node has enlarges the receiver's deviation; it never lowers the loss.
    #[test]
    fn sending_more_than_arrived_never_lowers_the_bound() {
        let bounds = bounds("2");
        let everything = Absorption::local(&bounds.protocol, &[1, 2, 3, 4]).unwrap();
        let nothing = bounds.of_flows(&[2], &everything, &[]).unwrap();
        let from = |from, to| MaskFlow { round: 0, from, to, amount: 1.5 };
        for flow in [from(1, 2), from(4, 3), from(2, 3)] {
            let found = bounds.of_flows(&[2], &everything, &[flow]).unwrap();
            assert!(found > nothing, "{flow:?}: {found}");
        }
        // Flows in both directions are charged together.
        let both = [from(3, 4), from(4, 3)].map(|flow| MaskFlow { amount: 0.5, ..flow });
        let found = bounds.of_flows(&[2], &everything, &both).unwrap();
        assert!((found - nothing - 0.25).abs() < 1e-12, "{found} {nothing}");
    }
}
