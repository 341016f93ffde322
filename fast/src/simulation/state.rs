//! The values of all nodes, and the steps that change them.
//!
//! Values are stored node by node, `y[v * D + k]`, so one pass over the gossip matrix mixes all D
//! coordinates. The Chebyshev recursion `P_0 = 1, P_1 = X, P_{t+1} = g X P_t + (1-g) P_{t-1}`
//! becomes
//!
//! ```text
//! y_1 = W y_0,     y_{t+1} = g (W y_t) + (1 - g) y_{t-1}   for t >= 1.
//! ```

use crate::{
    FastError, SparseWeights,
    arithmetic::{add_mask, chebyshev},
    checks,
    noise::{NoiseOf, NoiseSource, add_noise},
    threads,
};
use muffliato_model::{Draw, Graph, Protocol};

/// The state of a gossip protocol in all nodes, driven step by step: for networks that come from
/// elsewhere or are too many to store.
///
/// ```
/// use muffliato_fast::{SparseWeights, noise::SeededNoise, simulation::GossipState};
/// use muffliato_model::{Graph, Network, WeightScheme};
///
/// let path = Graph::try_new(3, [(0, 1), (1, 2)])?;
/// let weights = SparseWeights::of_network(&Network::try_new(path, WeightScheme::Metropolis)?)?;
/// let mut state = GossipState::try_new(vec![3.0, 0.0, 0.0], 1)?;
/// state.mix(&weights)?;
/// assert_eq!(state.values(), [2.0, 1.0, 0.0]);
/// // The Chebyshev step uses the state before, unless it is restarted.
/// let mut accelerated = GossipState::try_new(vec![3.0, 0.0, 0.0], 1)?.accelerated(Some(1.5))?;
/// accelerated.mix(&weights)?;
/// accelerated.restart();
/// accelerated.mix(&weights)?;
/// state.mix(&weights)?;
/// assert_eq!(accelerated.values(), state.values());
/// state.add_noise(0, 0.1, &SeededNoise::new(1))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Randomized gossip, and new inputs during the run:
///
/// ```
/// use muffliato_fast::simulation::GossipState;
///
/// let mut state = GossipState::try_new(vec![1.0, 0.0, 5.0, 0.0], 2)?;
/// assert_eq!((state.nodes(), state.mean()), (2, vec![3.0, 0.0]));
/// assert_eq!(state.disagreement(), 2.0); // (2^2 + 2^2) / (2 * 2)
/// state.average(0, 1)?;
/// assert_eq!((state.value(0), state.disagreement()), (&[3.0, 0.0][..], 0.0));
/// state.scale(&[0.5, 1.0])?;
/// state.inject(&[0.5, 0.0, 0.0, 0.0])?;
/// state.check_finite()?;
/// assert_eq!(state.error(&[2.0, 0.0])?, 0.25);
/// assert_eq!(state.into_values(), [2.0, 0.0, 3.0, 0.0]);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GossipState {
    width: usize,
    acceleration: Option<f64>,
    current: Vec<f64>,
    /// `y_{t-1}` if `has_previous`; otherwise scratch space.
    previous: Vec<f64>,
    has_previous: bool,
    mixed: Vec<f64>,
}

impl GossipState {
    /// Creates a state of `values`, `width` >= 1 per node, without acceleration. Errors if there
    /// are none, for a length that `width` does not divide, and for values that are not finite.
    pub fn try_new(values: Vec<f64>, width: usize) -> Result<Self, FastError> {
        if width == 0 || values.is_empty() {
            let expected = "each node needs a value of at least one coordinate";
            return Err(checks::bad("the number of coordinates", width, expected));
        }
        checks::length("values", values.len(), values.len().next_multiple_of(width))?;
        checks::finite("value", &values, width)?;
        Ok(Self {
            width,
            acceleration: None,
            mixed: vec![0.0; values.len()],
            current: values,
            previous: Vec::new(),
            has_previous: false,
        })
    }

    /// Sets the parameter g, from 1 to 2, of the Chebyshev recursion for later steps; `None` for
    /// plain gossip.
    pub fn accelerated(mut self, g: Option<f64>) -> Result<Self, FastError> {
        checks::acceleration(g)?;
        self.acceleration = g;
        self.restart();
        Ok(self)
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.current.len() / self.width
    }

    /// Returns all values, node by node.
    pub fn values(&self) -> &[f64] {
        &self.current
    }

    /// Returns the value of one node, its next message; empty if there is no such node.
    pub fn value(&self, node: usize) -> &[f64] {
        let start = node.saturating_mul(self.width);
        let range = start..start.saturating_add(self.width);
        self.current.get(range).unwrap_or(&[])
    }

    /// Returns the values.
    pub fn into_values(self) -> Vec<f64> {
        self.current
    }

    /// Forgets the previous state: the next step is plain, as at the beginning of a round.
    pub fn restart(&mut self) {
        self.has_previous = false;
    }

    /// Adds `inputs`, a block of the same shape; on an error nothing is added.
    pub fn inject(&mut self, inputs: &[f64]) -> Result<(), FastError> {
        checks::length("inputs", inputs.len(), self.current.len())?;
        checks::finite("input", inputs, self.width)?;
        for (value, input) in self.current.iter_mut().zip(inputs) {
            *value += input;
        }
        Ok(())
    }

    /// Multiplies the value of each node by its finite factor.
    pub fn scale(&mut self, factors: &[f64]) -> Result<(), FastError> {
        checks::length("factors", factors.len(), self.nodes())?;
        checks::finite("factor", factors, 1)?;
        for (value, factor) in self.current.chunks_exact_mut(self.width).zip(factors) {
            value.iter_mut().for_each(|entry| *entry *= factor);
        }
        Ok(())
    }

    /// Adds to every node its noise of `step`, of standard deviation `deviation` >= 0, after
    /// rounding its value to the source's grid, if any.
    ///
    /// # Errors
    /// Returns the error of the first node whose source failed; the values must not be used any
    /// more.
    pub fn add_noise(
        &mut self,
        step: usize,
        deviation: f64,
        source: &dyn NoiseSource,
    ) -> Result<(), FastError> {
        checks::not_negative("the standard deviation", deviation)?;
        let add = |drawn: &mut Vec<f64>, node: usize, value: &mut [f64]| {
            add_noise(source, (node, step), deviation, value, drawn)
        };
        threads::try_on_chunks(&mut self.current, self.width, 64, Vec::new, add)
    }

    /// Adds the draws of `protocol` at the time `of`, with the noise of `step` and `sigma` >= 0: the
    /// noise of every node, and the masks at an input. On a grid every value is rounded first, also
    /// where nothing is drawn.
    ///
    /// # Errors
    /// Returns the error of the first source that failed; the values must not be used any more.
    pub fn add_draws(
        &mut self,
        protocol: &Protocol,
        of: usize,
        step: usize,
        sigma: f64,
        source: &dyn NoiseSource,
    ) -> Result<(), FastError> {
        checks::not_negative("sigma", sigma)?;
        checks::length("nodes of the protocol", protocol.nodes(), self.nodes())?;
        if !protocol.draws(of) {
            return self.round_to(source);
        }
        // Uniform sizes are computed once.
        let first = protocol.variance(Draw::Own { time: of, node: 0 });
        let uniform = protocol.uniform().ok();
        let own = uniform.map(|_| checks::deviation(sigma, first));
        let mask = uniform.and_then(|sizes| sizes.kappa);
        let mask = mask.map(|kappa| checks::product(sigma, checks::size(kappa)));
        let size = |draw: Draw| checks::deviation(sigma, protocol.variance(draw));
        let add = |drawn: &mut Vec<f64>, node: usize, value: &mut [f64]| {
            source.prepare(value)?;
            let deviation = own.unwrap_or_else(|| size(Draw::Own { time: of, node }));
            add_noise(source, (node, step), deviation, value, drawn)
        };
        threads::try_on_chunks(&mut self.current, self.width, 64, Vec::new, add)?;
        if let Some(graph) = protocol.mask_graph(of / protocol.gossip_steps())?
            && protocol.has_input(of)
        {
            let size = |edge| mask.unwrap_or_else(|| size(Draw::Mask { time: of, edge }));
            self.add_masks(step, size, &graph, source)?;
        }
        Ok(())
    }

    /// Rounds every value to the source's grid, if it has one, as before a message.
    ///
    /// # Errors
    /// Returns the error of the first node that is out of range.
    pub fn round_to(&mut self, source: &dyn NoiseSource) -> Result<(), FastError> {
        self.current.chunks_exact_mut(self.width).try_for_each(|value| source.prepare(value))
    }

    /// Adds and subtracts at the ends of every edge of `graph` their mask of `step`, of the given
    /// standard deviation >= 0: the sum of all values does not change, up to rounding. If the
    /// source fails, the values must not be used any more.
    pub fn add_masks(
        &mut self,
        step: usize,
        deviation: impl Fn((usize, usize)) -> f64,
        graph: &Graph,
        source: &dyn NoiseSource,
    ) -> Result<(), FastError> {
        checks::length("nodes of a mask graph", graph.nodes(), self.nodes())?;
        let width = self.width;
        let mut drawn = vec![0.0; width];
        for (a, b) in graph.edges() {
            let deviation = deviation((a, b));
            checks::not_negative("the standard deviation", deviation)?;
            source.draw(NoiseOf::Edge(a, b), step, deviation, &mut drawn)?;
            add_mask((a, b), &drawn, &mut self.current);
        }
        Ok(())
    }

    /// Runs one synchronous step: `y <- W y`, or the Chebyshev recursion.
    pub fn mix(&mut self, weights: &SparseWeights) -> Result<(), FastError> {
        weights.apply(&self.current, self.width, &mut self.mixed)?;
        if let Some(g) = self.acceleration {
            if self.has_previous {
                chebyshev(g, &mut self.mixed, &self.previous);
            }
            self.previous.clone_from(&self.current);
            self.has_previous = true;
        }
        std::mem::swap(&mut self.current, &mut self.mixed);
        Ok(())
    }

    /// Runs one step of randomized gossip: the two ends of an edge take the mean of their values.
    /// Errors if a node does not exist.
    pub fn average(&mut self, u: usize, v: usize) -> Result<(), FastError> {
        for node in [u, v] {
            if node >= self.nodes() {
                let expected = "it must be the number of a node";
                return Err(checks::bad("the end of an edge", node, expected));
            }
        }
        for k in 0..self.width {
            let (at_u, at_v) = (u * self.width + k, v * self.width + k);
            let mean = 0.5 * self.current[at_u] + 0.5 * self.current[at_v];
            self.current[at_u] = mean;
            self.current[at_v] = mean;
        }
        Ok(())
    }

    /// Returns the mean over the nodes, summed in their order.
    pub fn mean(&self) -> Vec<f64> {
        mean(&self.current, self.width)
    }

    /// Computes `(1/2n) sum_v ||y_v - target||^2`. Errors unless `target` has one entry per
    /// coordinate.
    pub fn error(&self, target: &[f64]) -> Result<f64, FastError> {
        checks::length("coordinates of the target", target.len(), self.width)?;
        Ok(spread(&self.current, target))
    }

    /// Computes the error against the mean of the values themselves.
    pub fn disagreement(&self) -> f64 {
        self.error(&self.mean()).unwrap_or(f64::NAN)
    }

    /// Errors at the first node whose value has overflowed; an overflow never disappears by mixing.
    pub fn check_finite(&self) -> Result<(), FastError> {
        checks::finite("value", &self.current, self.width)
    }
}

/// Computes `(1/2n) sum_v ||y_v - centre||^2` for a block with as many entries per node as the
/// centre.
pub(crate) fn spread(block: &[f64], centre: &[f64]) -> f64 {
    let nodes = block.chunks_exact(centre.len());
    let count = nodes.len() as f64;
    let mut sum = 0.0;
    for value in nodes {
        for (entry, centre) in value.iter().zip(centre) {
            sum += (entry - centre) * (entry - centre);
        }
    }
    sum / (2.0 * count)
}

/// Computes the mean of a block over the nodes.
pub(crate) fn mean(block: &[f64], width: usize) -> Vec<f64> {
    let mut sum = vec![0.0; width];
    for value in block.chunks_exact(width) {
        for (sum, entry) in sum.iter_mut().zip(value) {
            *sum += entry;
        }
    }
    let nodes = (block.len() / width) as f64;
    sum.iter_mut().for_each(|sum| *sum /= nodes);
    sum
}

#[cfg(test)]
mod tests;
