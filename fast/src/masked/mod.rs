//! Certified upper bounds on the loss of everything computed from masked states.
//!
//! V observes, H is the mask graph of a round, and `M = diag(s^2) + L_{H-V}`, L the Laplacian of H
//! without the edges at V, each weighted by its `kappa_e^2`, is the covariance (in units of sigma^2)
//! of the states outside V after the injection, given V's knowledge. Whatever is computed from these states loses at most what
//! they lose themselves:
//!
//! ```text
//! loss(U -> V) <= 1_U^T M^-1 1_U       of each round, and the rounds add up: for any losses, scalars and vectors
//! ```
//!
//! (M has no positive entry off its diagonal and is positive definite where there is noise, so no
//! entry of its inverse is negative, and the worst inputs of a group all point the same way.) It is
//! the energy of a current that enters at U and leaves through the nodes, at resistance `s_w^-2`,
//! along edges of resistance `kappa_e^-2`. Removing edges makes M smaller and the bound larger.
//!
//! | module | idea |
//! | --- | --- |
//! | `energy` | one source (or group) and any coalition: an untrusted solution y, checked by `2 a^T y - y^T M y + sum_w (a - M y)_w^2 / s_w^2` |
//! | `all_pairs` | all pairs of some thousands of nodes: an untrusted inverse, checked, and a rank-d update for each observer |
//! | `local` | all pairs of millions of nodes: trees around each source, on which the energy is a continued fraction (trusted) |
//! | `coalitions` | every coalition of some size: the worst one of a tree, and many spanning trees, of which it cannot cut all (trusted) |

#[cfg(feature = "leakage")]
mod all_pairs;
mod coalitions;
mod energy;
mod local;

#[cfg(feature = "leakage")]
pub use all_pairs::MaskedPairs;
pub use local::{LocalBounds, MaskedClass};

use crate::{
    Enclosure, FastError, Progress, UNIT_ROUNDOFF, arithmetic::enlarged, checks, progress::Watcher,
    threads,
};
use muffliato_model::{Draw, Fraction, Graph, Observer, Participation, Protocol};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Certified bounds on the losses of a masked protocol, in units of L, for every gossip matrix,
/// acceleration and publication, and in gradient descent for every loss function.
///
/// ```
/// use muffliato_fast::MaskedBounds;
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:6".parse()?)?;
/// let protocol = Protocol::one_shot(network, 10)?.masked("3".parse()?)?;
/// let bounds = MaskedBounds::of(&protocol)?;
/// // A neighbour, and the opposite corner: near 1/64, the loss to a trusted aggregator.
/// let near = bounds.bound(&[1], &Observer::full(0))?;
/// assert!(near.upper() < 0.0415 && near.relative_width() < 1e-9);
/// assert!(bounds.bound(&[63], &Observer::full(0))?.upper() < near.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MaskedBounds<'a> {
    nodes: usize,
    /// The masks of each round, or those of all rounds.
    circuits: Vec<Circuit>,
    protocol: Protocol,
    watcher: Watcher<'a>,
}

/// The mask graph of a round with the variances of its draws, each within three roundings.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    pub graph: Arc<Graph>,
    /// `s_w^2` of each node.
    pub variances: Vec<f64>,
    /// `kappa_e^2` of each entry of the adjacency.
    squares: Vec<f64>,
    /// `kappa^2` if it is the same for all edges and `s = 1` for all nodes.
    uniform: Option<f64>,
}

impl Circuit {
    /// Returns the neighbours of a node with their `kappa^2`.
    pub fn row(&self, w: usize) -> impl Iterator<Item = (usize, f64)> {
        let (offsets, targets) = self.graph.adjacency();
        let row = offsets[w]..offsets[w + 1];
        targets[row.clone()].iter().map(|&b| b as usize).zip(self.squares[row].iter().copied())
    }

    /// Returns an upper bound on `1 / s_w^2`, exactly 1 for 1.
    pub fn local_loss(&self, w: usize) -> f64 {
        let variance = self.variances[w];
        if variance == 1.0 { 1.0 } else { energy::over(1.0, variance) }
    }

    /// Returns the number of variances, those of edges twice.
    fn draws(&self) -> usize {
        self.variances.len() + self.squares.len()
    }

    /// Returns an upper bound on all `1 / s_w^2`.
    fn most(&self) -> f64 {
        (0..self.graph.nodes()).map(|w| self.local_loss(w)).fold(0.0, f64::max)
    }
}

/// Returns the masks of each round of a protocol, or those of all rounds.
pub(crate) fn circuits(protocol: &Protocol) -> Result<Vec<Circuit>, FastError> {
    let of_node = |node| variance_of(protocol.variance(Draw::Own { time: 0, node }));
    let variances: Vec<f64> = (0..protocol.nodes()).map(of_node).collect::<Result<_, _>>()?;
    let uniform = protocol.uniform().ok().and_then(|sizes| sizes.kappa).is_some();
    let circuit = |graph: Arc<Graph>| {
        let (offsets, targets) = graph.adjacency();
        let mut squares = Vec::with_capacity(targets.len());
        for a in 0..graph.nodes() {
            for &b in &targets[offsets[a]..offsets[a + 1]] {
                let edge = (a.min(b as usize), a.max(b as usize));
                let variance = protocol.variance(Draw::Mask { time: 0, edge });
                squares.push(variance_of(variance)?);
            }
        }
        let uniform = squares.first().copied().filter(|_| uniform);
        Ok(Circuit { variances: variances.clone(), squares, uniform, graph })
    };
    mask_graphs(protocol)?.into_iter().map(circuit).collect()
}

/// Returns a variance within three roundings, and 1 only for 1.
fn variance_of(variance: Fraction) -> Result<f64, FastError> {
    let value = checks::float(variance);
    // Fractions of 128 bits cannot overflow this.
    let fits = variance.is_zero() || (value > 1e-200 && value < 1e200);
    let expected = "a variance is 0 or between 1e-200 and 1e200";
    checks::require(fits, "the variance of a draw", value, expected)?;
    Ok(if value == 1.0 && variance != Fraction::ONE { value.next_down() } else { value })
}

impl<'a> MaskedBounds<'a> {
    /// Prepares the mask graphs of all rounds.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for a protocol without masks.
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        let refuse = FastError::NotApplicable {
            formula: "the bound for masked protocols",
            reason: "it has no masks; use Protocol::masked",
        };
        protocol.masks().ok_or(refuse)?;
        Ok(Self {
            nodes: protocol.nodes(),
            circuits: circuits(protocol)?,
            protocol: protocol.clone(),
            watcher: Watcher::default(),
        })
    }

    /// Sets the receiver of progress reports.
    pub fn watched(mut self, progress: &'a dyn Progress) -> Self {
        self.watcher = Watcher(progress);
        self
    }

    /// Computes the bound on the joint loss of `sources` towards `observer`: the sum over the
    /// rounds of `1_U^T M^-1 1_U`, U the sources whose data is used, in the worst assignment of
    /// phases. The enclosure contains that sum; its upper end is the guarantee, infinite if nothing
    /// hides a source.
    ///
    /// If the mask graph is the same in all rounds, the worst assignment is the first phase for
    /// every source: no phase has more rounds, and as no entry of `M^-1` is negative, sources lose
    /// more in the same round than in different ones.
    ///
    /// Under secret sampling it is the number of rounds times the loss of the worst one: what is
    /// amplified is the loss of each round, which the mean of rounds that differ is below.
    ///
    /// # Errors
    /// For a source that observes or is not a node, and an empty list. Duplicates count once.
    pub fn bound(&self, sources: &[usize], observer: &Observer) -> Result<Enclosure, FastError> {
        observer.check(self.nodes)?;
        let distinct = checks::sources(sources, self.nodes, observer)?;
        // Multiplicities of each graph and its sources.
        let rounds = |participation: &Participation| {
            let mut times = BTreeMap::new();
            for round in participation.rounds() {
                let used = participation.members_in(round);
                let used: Vec<usize> = used.map(|member| distinct[member]).collect();
                *times.entry((round, used)).or_insert(0) += 1;
            }
            times
        };
        let runs: Vec<(BTreeMap<_, usize>, BTreeMap<_, usize>)> = match self.circuits.len() {
            1 => {
                let times = BTreeMap::from([((0, distinct.clone()), self.used())]);
                vec![(times.clone(), times)]
            }
            _ => {
                let participations = self.protocol.participations(distinct.len());
                let run = |one: Participation| (rounds(&one.contained()), rounds(&one));
                participations.map(run).collect()
            }
        };
        let terms = runs.iter().flat_map(|(run, above)| run.keys().chain(above.keys()));
        let terms: Vec<&(usize, Vec<usize>)> = terms.collect::<BTreeSet<_>>().into_iter().collect();
        let energies = threads::in_order(terms.len(), |index| {
            let (graph, used) = terms[index];
            energy::energy(&self.circuits[*graph], used, observer)
        });
        let energies: BTreeMap<_, _> = terms.iter().copied().zip(energies).collect();
        let sum = |times: &BTreeMap<_, usize>, end: fn(&Enclosure) -> f64| -> f64 {
            let terms = times.iter();
            terms.map(|(term, &times)| end(&energies[term]) * times as f64).sum()
        };
        let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
        for (run, above) in &runs {
            lower = lower.max(sum(run, Enclosure::lower));
            upper = upper.max(sum(above, Enclosure::upper));
        }
        if self.protocol.sampling().is_some() {
            let most = energies.values().map(Enclosure::upper).fold(0.0, f64::max);
            upper = upper.max(most * self.used() as f64);
        }
        let roundings = 2 * self.circuits.len();
        let down = lower * (1.0 - 2.0 * roundings as f64 * UNIT_ROUNDOFF);
        let ends = Enclosure::try_new(down.next_down().max(0.0), enlarged(upper, roundings));
        Ok(ends.unwrap_or(Enclosure::UNKNOWN))
    }

    /// Estimates the flow whose energy is the bound in `round`: along each edge, from the first
    /// node to the second.
    pub(crate) fn currents(
        &self,
        round: usize,
        sources: &[usize],
        observer: &Observer,
    ) -> Vec<(usize, usize, f64)> {
        let circuit = &self.circuits[round.min(self.circuits.len() - 1)];
        energy::currents(circuit, sources, observer)
    }

    /// Converts a joint loss of at most `loss` of `members` group members to noise and masks that
    /// are Gaussians [rounded to a grid](crate::noise::RoundedGaussian), for inputs of some number
    /// of coordinates on the grid; `ratio` is its step in units of the sensitivity of [rounded
    /// inputs](crate::noise::Grid::sensitivity). The result is an upper bound.
    ///
    /// *Proof.* Alibis must be whole steps. The cheapest one for a difference of k steps in one
    /// coordinate is a flow of value k. Measure amounts with q, which is the square at integers and
    /// linear between them: `x^2 <= q(x) <= x^2 + 1/4`. In the network with a ground connected to
    /// all nodes, every inflow is an integer, so edges with fractional amounts form cycles. Around
    /// a cycle amounts can be moved either way until the first is an integer; the sum of `q / s^2`
    /// is linear on the way, and one of the two directions does not enlarge it. In the end all are
    /// integers. A difference of any number of steps therefore costs at most a quarter of
    /// `sum_w s_w^-2 + sum_e kappa_e^-2` steps^2 more for each coordinate and round, over the nodes
    /// with noise and the edges. The trivial alibi is whole by itself: no loss is above
    /// `1 / s_u^2` for each member and round.
    pub fn on_grid(
        &self,
        loss: f64,
        members: usize,
        ratio: f64,
        coordinates: usize,
    ) -> Result<f64, FastError> {
        checks::not_negative("the loss", loss)?;
        checks::not_negative("the step of the grid, in units of Delta,", ratio)?;
        let inputs = members.saturating_mul(self.used());
        // Members in different phases differ in different rounds.
        let rounds = inputs.min(self.protocol.rounds()) as f64;
        let resistances = |circuit: &Circuit| {
            let nodes = circuit.variances.iter().filter(|variance| **variance > 0.0);
            let edges = circuit.squares.iter().map(|square| 0.5 / square);
            nodes.map(|variance| 1.0 / variance).sum::<f64>() + edges.sum::<f64>()
        };
        let draws = self.circuits.iter().map(resistances).fold(0.0, f64::max);
        let extra = ratio * ratio * coordinates as f64 * draws * rounds / 4.0;
        let roundings = 32 + self.circuits.iter().map(Circuit::draws).max().unwrap_or(0);
        let most = self.circuits.iter().map(Circuit::most).fold(0.0, f64::max);
        let local = if most == 1.0 { inputs as f64 } else { enlarged(most * inputs as f64, 4) };
        Ok(enlarged(loss + extra, roundings).min(local))
    }

    /// Estimates the flow whose energy is the bound of one source in `round`: the amount along each
    /// mask, from the first node to the second. It is untrusted; any flow gives an upper bound.
    ///
    /// # Errors
    /// For an observer or source that is not a node, and a source that observes.
    ///
    /// ```
    /// use muffliato_fast::MaskedBounds;
    /// use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
    ///
    /// let ring = Network::try_new("ring:4".parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
    /// let bounds = MaskedBounds::of(&Protocol::one_shot(ring, 1)?.masked("1".parse()?)?)?;
    /// let flow = bounds.flow(0, 1, &Observer::full(0))?;
    /// let amounts: Vec<_> = flow.iter().map(|&(from, to, amount)| (from, to, (amount * 8.0).round())).collect();
    /// assert_eq!(amounts, [(1, 2, 3.0), (2, 3, 1.0)]); // in eighths
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn flow(
        &self,
        round: usize,
        source: usize,
        observer: &Observer,
    ) -> Result<Vec<(usize, usize, f64)>, FastError> {
        observer.check(self.nodes)?;
        let source = checks::sources(&[source], self.nodes, observer)?;
        Ok(self.currents(round, &source, observer))
    }

    /// Returns the largest number of rounds that use the data of a user.
    fn used(&self) -> usize {
        self.protocol.rounds_of_phase(0).count()
    }

    /// Returns the masks, if they are the same in all rounds, and the largest number of rounds that
    /// use data.
    fn only_circuit(&self, formula: &'static str) -> Result<(&Circuit, usize), FastError> {
        match &self.circuits[..] {
            [circuit] => Ok((circuit, self.used())),
            _ => Err(FastError::NotApplicable {
                formula,
                reason: "its mask graph changes from round to round; use MaskedBounds::bound",
            }),
        }
    }
}

/// Returns the mask graph of each round of a protocol with masks, or one for all rounds.
pub(crate) fn mask_graphs(protocol: &Protocol) -> Result<Vec<Arc<Graph>>, FastError> {
    let different = match protocol.fixed_network() {
        Some(_) => 1,
        None => protocol.rounds(),
    };
    let graphs = (0..different).filter_map(|round| protocol.mask_graph(round).transpose());
    Ok(graphs.collect::<Result<_, _>>()?)
}
