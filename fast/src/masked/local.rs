//! All pairs of a large graph, source by source.
//!
//! Removing edges only raises the bound. Keep therefore, for a source u, a breadth-first tree of
//! the ball around it: observers outside the ball remove nothing, and one inside removes itself and
//! its subtree. On a tree the energy of a unit current at the root is a continued fraction: with
//! `g(w)` the conductance from w downwards into the nodes,
//!
//! ```text
//! g(w) = s_w^2 + sum over children c of  kappa_c^2 g(c) / (kappa_c^2 + g(c)),        energy = 1 / g(u)
//! ```
//!
//! (the node itself has conductance `s_w^2`, and a child's is in series with its edge). Without v the sum
//! at its parent has one term less, and the new values propagate to the root: `O(radius)` for each
//! v of the ball, with the sums of all siblings but one, from both sides. Nothing is subtracted,
//! and `x -> kappa^2 x / (kappa^2 + x)` does not raise relative errors, so roundings are counted.
//!
//! A random regular graph is a tree around almost every node, and the bound is nearly tight. With
//! many short cycles (grids) it is not: use `all_pairs` if it fits.

use super::{Circuit, MaskedBounds, coalitions::SpanningTrees};
use crate::{FastError, arithmetic::enlarged, checks, threads};
use muffliato_model::Observer;
use std::ops::Range;

/// Number of sources handled together, independent of the number of threads.
const BATCH: usize = 1024;

/// Certified bounds for all pairs at one distance on the mask graph.
///
/// ```
/// use muffliato_fast::MaskedBounds;
/// use muffliato_model::{Network, Protocol};
///
/// let network = Network::metropolis("regular:2000:d=8:seed=1".parse()?)?;
/// let protocol = Protocol::one_shot(network, 10)?.masked("3".parse()?)?;
/// let local = MaskedBounds::of(&protocol)?.local(3)?;
/// let neighbours = &local.classes[0];
/// assert_eq!((neighbours.distance, neighbours.pairs), (Some(1), 2000 * 8));
/// assert!(neighbours.largest < 0.05 && neighbours.mean <= neighbours.largest);
/// assert_eq!(local.classes[3].distance, None); // farther than 3
/// assert!(local.mean <= local.largest && local.largest == neighbours.largest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MaskedClass {
    /// The distance; `None` for all farther or unconnected pairs.
    pub distance: Option<usize>,
    /// Number of ordered pairs.
    pub pairs: u64,
    /// The smallest bound, in units of L.
    pub smallest: f64,
    /// Upper bound on the loss of each pair, in units of L.
    pub largest: f64,
    /// Upper bound on the mean loss.
    pub mean: f64,
}

/// Certified upper bounds on the losses of all pairs (source, observer) of a masked protocol, by
/// distance.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalBounds {
    /// Distances 1, 2, ... up to the radius, and all farther pairs together; empty classes are
    /// omitted.
    pub classes: Vec<MaskedClass>,
    /// Upper bound on the loss of each pair.
    pub largest: f64,
    /// Upper bound on the mean loss over all pairs.
    pub mean: f64,
}

impl LocalBounds {
    /// Lowers the bounds of all pairs at distance `from` or more to at most `bound`.
    ///
    /// ```
    /// use muffliato_fast::MaskedBounds;
    /// use muffliato_model::{GraphSpec, Network, Protocol, WeightScheme};
    ///
    /// let ring = Network::try_new("ring:9".parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
    /// let bounds = MaskedBounds::of(&Protocol::one_shot(ring, 1)?.masked("3".parse()?)?)?;
    /// let mut local = bounds.local(3)?;
    /// let near = local.classes[0].largest;
    /// local.cap(2, 0.25);
    /// assert!(local.classes[0].largest == near && local.classes[1].largest == 0.25);
    /// assert!(local.largest == near.max(0.25) && local.mean <= local.largest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cap(&mut self, from: usize, bound: f64) {
        let far = |class: &&mut MaskedClass| class.distance.is_none_or(|d| d >= from);
        for class in self.classes.iter_mut().filter(far) {
            class.smallest = class.smallest.min(bound);
            class.mean = class.mean.min(bound);
            class.largest = class.largest.min(bound);
        }
        let all = self.classes.iter().map(|class| class.largest);
        self.largest = all.fold(0.0, f64::max);
        self.mean = self.mean.min(self.largest);
    }

    /// Merges all distances into one class.
    pub fn as_one_class(mut self) -> Self {
        let smallest = self.classes.iter().map(|class| class.smallest);
        let all = MaskedClass {
            distance: None,
            pairs: self.classes.iter().map(|class| class.pairs).sum(),
            smallest: smallest.fold(f64::INFINITY, f64::min),
            largest: self.largest,
            mean: self.mean,
        };
        self.classes = vec![all];
        self
    }

    /// Applies a concave increasing function to each bound, which keeps means valid.
    pub fn each<E>(mut self, of: impl Fn(f64) -> Result<f64, E>) -> Result<Self, E> {
        for class in &mut self.classes {
            class.smallest = of(class.smallest)?;
            class.mean = of(class.mean)?;
            class.largest = of(class.largest)?;
        }
        self.largest = of(self.largest)?;
        self.mean = of(self.mean)?;
        Ok(self)
    }
}

/// Sums over pairs, by distance; the last entry is for farther pairs.
#[derive(Clone, Debug)]
struct Tally {
    pairs: Vec<u64>,
    sums: Vec<f64>,
    smallest: Vec<f64>,
    largest: Vec<f64>,
}

impl Tally {
    fn new(classes: usize) -> Self {
        Self {
            pairs: vec![0; classes],
            sums: vec![0.0; classes],
            smallest: vec![f64::INFINITY; classes],
            largest: vec![0.0; classes],
        }
    }

    fn add(&mut self, other: &Self) {
        for k in 0..self.pairs.len() {
            self.pairs[k] += other.pairs[k];
            self.sums[k] += other.sums[k];
            self.smallest[k] = self.smallest[k].min(other.smallest[k]);
            self.largest[k] = self.largest[k].max(other.largest[k]);
        }
    }
}

impl MaskedBounds<'_> {
    /// Computes certified bounds for **all pairs** by breadth-first trees of `radius` >= 1 around
    /// every source, and by spanning trees where these give less. Takes time proportional to the total size of all balls and memory for one ball
    /// per thread.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the mask graph changes from round to round.
    pub fn local(&self, radius: usize) -> Result<LocalBounds, FastError> {
        let (circuit, times) = self.only_circuit("the local bound for masked protocols")?;
        let expected = "it must be at least 1";
        checks::require(radius >= 1, "the radius", radius, expected)?;
        let trees = SpanningTrees::of(circuit, 1, self.watcher.0)?;
        let mut total = Tally::new(radius + 1);
        let batch = |sources: Range<usize>| {
            let mut ball = Ball::new(circuit, radius);
            let mut tally = Tally::new(radius + 1);
            sources.for_each(|u| tally.add(&ball.around(u, trees.upper(u, 1, 1))));
            tally
        };
        self.in_batches(batch, |tally| total.add(&tally))?;
        Ok(self.summary(total, circuit, radius, times))
    }

    /// Computes, for each source, a certified bound on its largest loss to a single observer, by
    /// the same trees.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the mask graph changes from round to round.
    pub fn largest_of_each(&self, radius: usize) -> Result<Vec<f64>, FastError> {
        let (circuit, times) = self.only_circuit("the local bound for masked protocols")?;
        let expected = "it must be at least 1";
        checks::require(radius >= 1, "the radius", radius, expected)?;
        let trees = SpanningTrees::of(circuit, 1, self.watcher.0)?;
        let roundings = (radius + 1) * (circuit.graph.max_degree() + 16);
        let mut all = Vec::with_capacity(self.nodes);
        let batch = |sources: Range<usize>| -> Vec<f64> {
            let mut ball = Ball::new(circuit, radius);
            let largest = |u: usize| {
                let tally = ball.around(u, trees.upper(u, 1, 1));
                let largest = tally.largest.into_iter().fold(0.0, f64::max);
                let upper = enlarged(largest, roundings).min(circuit.local_loss(u));
                (upper * times as f64).next_up()
            };
            sources.map(largest).collect()
        };
        self.in_batches(batch, |found| all.extend(found))?;
        Ok(all)
    }

    /// Calls `keep(work(sources))` for batches of all sources, in their order.
    pub(super) fn in_batches<R: Send>(
        &self,
        work: impl Fn(Range<usize>) -> R + Sync + Send,
        mut keep: impl FnMut(R),
    ) -> Result<(), FastError> {
        let (nodes, batches) = (self.nodes, self.nodes.div_ceil(BATCH));
        // Batches are grouped so that progress is reported between groups.
        let at_once = 8 * threads::count();
        for first in (0..batches).step_by(at_once) {
            self.watcher.0.check((first * BATCH).min(nodes), nodes)?;
            let found = threads::in_order(at_once.min(batches - first), |k| {
                let start = (first + k) * BATCH;
                work(start..(start + BATCH).min(nodes))
            });
            found.into_iter().for_each(&mut keep);
        }
        self.watcher.0.check(nodes, nodes)
    }

    /// Computes certified bounds for every source towards one observer or coalition by
    /// breadth-first trees of this radius that avoid the observers; the local loss for the observers
    /// themselves.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the mask graph changes from round to round.
    pub fn towards(&self, observer: &Observer, radius: usize) -> Result<Vec<f64>, FastError> {
        let (circuit, times) = self.only_circuit("the local bound for masked protocols")?;
        let nodes = self.nodes;
        observer.check(nodes)?;
        let roundings = (radius + 1) * (circuit.graph.max_degree() + 16);
        let mut bounds: Vec<f64> = (0..nodes).map(|w| circuit.local_loss(w)).collect();
        self.watcher.0.check(0, nodes)?;
        threads::on_chunks(
            &mut bounds,
            BATCH,
            || Ball::new(circuit, radius),
            |ball, chunk, bounds| {
                for (k, bound) in bounds.iter_mut().enumerate() {
                    let u = chunk * BATCH + k;
                    if !observer.contains(u) {
                        ball.grow(u, observer.members());
                        ball.conduct();
                        *bound = enlarged(1.0 / ball.conductance[0], roundings).min(*bound);
                    }
                    *bound = (*bound * times as f64).next_up();
                }
            },
        );
        self.watcher.0.check(nodes, nodes)?;
        Ok(bounds)
    }

    fn summary(
        &self,
        tally: Tally,
        circuit: &Circuit,
        radius: usize,
        rounds: usize,
    ) -> LocalBounds {
        // On the way to the root each level adds the sum over its children and seven more, those of
        // the variances included.
        let roundings = (radius + 1) * (circuit.graph.max_degree() + 16);
        let most = circuit.most();
        let largest = |value: f64| (enlarged(value, roundings).min(most) * rounds as f64).next_up();
        // A mean adds the sums over a ball, over a batch and over the batches.
        let mean = |sum: f64, pairs: u64| {
            let sums = roundings + BATCH + self.nodes.div_ceil(BATCH) + 4;
            (enlarged(sum / pairs as f64, sums + self.nodes).min(most) * rounds as f64).next_up()
        };
        let numbered = tally.pairs.iter().enumerate();
        let classes = numbered.filter(|&(_, &pairs)| pairs > 0);
        let classes = classes.map(|(k, &pairs)| MaskedClass {
            distance: (k < radius).then_some(k + 1),
            pairs,
            smallest: largest(tally.smallest[k]),
            largest: largest(tally.largest[k]),
            mean: mean(tally.sums[k], pairs).min(largest(tally.largest[k])),
        });
        let pairs: u64 = tally.pairs.iter().sum();
        let most = largest(tally.largest.iter().copied().fold(0.0, f64::max));
        LocalBounds {
            classes: classes.collect(),
            largest: most,
            mean: mean(tally.sums.iter().sum(), pairs.max(1)).min(most),
        }
    }
}

/// A breadth-first tree around a source, rebuilt in place for each source.
pub(super) struct Ball<'a> {
    pub(super) circuit: &'a Circuit,
    radius: usize,
    /// The last source that reached each node, plus one.
    stamp: Vec<u32>,
    pub(super) nodes: Vec<u32>,
    parent: Vec<u32>,
    pub(super) depth: Vec<u32>,
    /// `kappa^2` of the edge to the parent.
    square: Vec<f64>,
    /// Index of the first child of each node; children are contiguous.
    pub(super) first_child: Vec<u32>,
    conductance: Vec<f64>,
    /// The conductance of the parent without this node.
    without: Vec<f64>,
}

impl<'a> Ball<'a> {
    pub(super) fn new(circuit: &'a Circuit, radius: usize) -> Self {
        Self {
            circuit,
            radius,
            stamp: vec![0; circuit.graph.nodes()],
            nodes: Vec::new(),
            parent: Vec::new(),
            depth: Vec::new(),
            square: Vec::new(),
            first_child: Vec::new(),
            conductance: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Computes `kappa^2 g / (kappa^2 + g)` for the edge from `place` to its parent.
    pub(super) fn behind_an_edge(&self, place: usize, conductance: f64) -> f64 {
        let square = self.square[place];
        square * conductance / (square + conductance)
    }

    /// Returns `s^2` of the node at `place`.
    pub(super) fn variance(&self, place: usize) -> f64 {
        self.circuit.variances[self.nodes[place] as usize]
    }

    /// Computes the bounds of u towards all others; no loss of u is above `cap`.
    fn around(&mut self, u: usize, cap: f64) -> Tally {
        self.grow(u, &[]);
        self.conduct();
        let mut tally = Tally::new(self.radius + 1);
        let mut place = 1;
        while place < self.nodes.len() {
            let class = self.depth[place] as usize - 1;
            let bound = (1.0 / self.conductance_without(place)).min(cap);
            // In uniform noise, leaves below one parent have equal bounds.
            let alike = if class + 1 == self.radius && self.circuit.uniform.is_some() {
                self.first_child[self.parent[place] as usize + 1] as usize - place
            } else {
                1
            };
            tally.pairs[class] += alike as u64;
            tally.sums[class] += bound * alike as f64;
            tally.smallest[class] = tally.smallest[class].min(bound);
            tally.largest[class] = tally.largest[class].max(bound);
            place += alike;
        }
        let outside = self.circuit.graph.nodes() - self.nodes.len();
        if outside > 0 {
            let bound = (1.0 / self.conductance[0]).min(cap);
            tally.pairs[self.radius] = outside as u64;
            tally.sums[self.radius] = bound * outside as f64;
            tally.smallest[self.radius] = bound;
            tally.largest[self.radius] = bound;
        }
        tally
    }

    /// Builds the tree: each node is a child of the first one that reached it; nodes to avoid have
    /// no children.
    pub(super) fn grow(&mut self, u: usize, avoid: &[usize]) {
        let mark = u as u32 + 1;
        self.nodes.clear();
        self.parent.clear();
        self.depth.clear();
        self.square.clear();
        self.first_child.clear();
        self.nodes.push(u as u32);
        self.parent.push(0);
        self.depth.push(0);
        self.square.push(0.0);
        self.stamp[u] = mark;
        for &v in avoid {
            self.stamp[v] = mark;
        }
        let mut next = 0;
        while next < self.nodes.len() {
            self.first_child.push(self.nodes.len() as u32);
            if (self.depth[next] as usize) < self.radius {
                for (b, square) in self.circuit.row(self.nodes[next] as usize) {
                    if self.stamp[b] != mark {
                        self.stamp[b] = mark;
                        self.nodes.push(b as u32);
                        self.square.push(square);
                        self.parent.push(next as u32);
                        self.depth.push(self.depth[next] + 1);
                    }
                }
            }
            next += 1;
        }
        self.first_child.push(self.nodes.len() as u32);
    }

    /// Computes, from the leaves to the root, the conductance of each node and of its parent
    /// without it.
    fn conduct(&mut self) {
        let size = self.nodes.len();
        self.conductance.clear();
        self.conductance.resize(size, 0.0);
        self.without.clear();
        self.without.resize(size, 0.0);
        for place in (0..size).rev() {
            let children = self.first_child[place] as usize..self.first_child[place + 1] as usize;
            let mut sum = self.variance(place);
            for child in children.clone() {
                self.without[child] = sum;
                sum += self.behind_an_edge(child, self.conductance[child]);
            }
            self.conductance[place] = sum;
            let mut later = 0.0;
            for child in children.rev() {
                self.without[child] += later;
                later += self.behind_an_edge(child, self.conductance[child]);
            }
        }
    }

    /// Returns the conductance from the root without the subtree of `place`.
    fn conductance_without(&self, place: usize) -> f64 {
        let mut conductance = self.without[place];
        let mut above = self.parent[place] as usize;
        while above > 0 {
            conductance = self.without[above] + self.behind_an_edge(above, conductance);
            above = self.parent[above] as usize;
        }
        conductance
    }
}
