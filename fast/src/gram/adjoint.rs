//! The Gram matrix of a view under any schedule, one message at a time (trusted).
//!
//! The states follow `y_{k+1} = D_{k+1} (g_k W_k y_k + (1 - g_k) y_{k-1}) + x_{k+1}`: the matrices
//! may change, D holds the reactions of quadratic losses, g the acceleration. The coefficients of
//! the message of w at time t are computed backwards, and their covariances with all earlier
//! messages by one forward run:
//!
//! ```text
//! p_t = e_w,   p_k = g_k W_k D_{k+1} p_{k+1} + (1 - g_{k+1}) D_{k+2} p_{k+2}           (coefficients of x_k)
//! c_0 = S_0 p_0,   c_{k+1} = D_{k+1} (g_k W_k c_k + (1 - g_k) c_{k-1}) + S_{k+1} p_{k+1}
//! G_(t,w),(k,w') = c_k(w')  for k <= t,
//! ```
//!
//! with S the diagonal matrix of the variances of the nodes' draws, and p set to 0 at the observers
//! whose draws are known before it enters c. Masks are one more injection at the input times: the
//! covariance of the draws of a round is `S + L`, L the weighted Laplacian of the mask graph without
//! the edges at the observers, so `L p_k` is added to c, with
//! `(L p)_w = sum_b kappa_wb^2 (p_w - p_b)`; in absolute values, `sum_b kappa_wb^2 (p_w + p_b)`. This
//! takes 2 t products with vectors and n t numbers per message, and no subtraction unless coefficients are
//! negative. In that case a second run with absolute values bounds the sum of the absolute values
//! of all terms, and with it the error.

use super::rows::{ColumnBlock, Columns, Gram, Messages, Rows, UNDERFLOW};
use crate::{
    FastError, Progress,
    arithmetic::{Real, accumulated},
    checks::bad,
    steps::Steps,
    threads,
};
use muffliato_model::{Draw, Fraction, Graph, Protocol};
use std::sync::Arc;

/// A view of any protocol.
pub(crate) struct GeneralView<'a, N> {
    protocol: &'a Protocol,
    messages: &'a Messages,
    matrices: Steps<N>,
    /// `(g, 1 - g)`.
    acceleration: Option<(N, N)>,
    reaction: Option<Vec<N>>,
    /// Variances of the nodes' draws at inputs.
    own: Vec<N>,
    /// Variances of the nodes' draws at other times, if there are any.
    fresh: Option<Vec<N>>,
    /// For each round, `kappa_e^2` of every entry of the adjacency of its mask graph.
    mask_variances: Vec<Arc<[N]>>,
    /// Whether all terms are replaced by their absolute values.
    absolute: bool,
    /// The view with absolute values, if some coefficient is negative.
    majorant: Option<Box<GeneralView<'a, f64>>>,
    underflow: f64,
}

impl<'a, N: Real> GeneralView<'a, N> {
    pub fn new(protocol: &'a Protocol, messages: &'a Messages) -> Result<Self, FastError> {
        let mut view = Self::with_signs(protocol, messages, false)?;
        let negative = |fraction: &Fraction| fraction.is_negative();
        let reacts = protocol.reaction().is_some_and(|f| f.iter().any(negative));
        if reacts || protocol.acceleration().is_some() || protocol.masks().is_some() {
            let majorant = GeneralView::with_signs(protocol, messages, true)?;
            view.majorant = Some(Box::new(majorant));
        }
        Ok(view)
    }

    fn with_signs(
        protocol: &'a Protocol,
        messages: &'a Messages,
        absolute: bool,
    ) -> Result<Self, FastError> {
        let steps = protocol.steps();
        let number =
            |fraction: Fraction| N::of_fraction(if absolute { fraction.abs() } else { fraction });
        let acceleration = match protocol.acceleration() {
            Some(g) => {
                let behind = Fraction::try_new(g.denominator() - g.numerator(), g.denominator())
                    .map_err(|_| bad("the acceleration g", g, "1 - g must be a fraction, too"))?;
                Some((number(g), number(behind)))
            }
            None => None,
        };
        let reaction = protocol
            .reaction()
            .map(|factors| factors.iter().map(|&factor| number(factor)).collect());
        let variances = |time: usize| {
            let variance = |node| N::of_fraction(protocol.variance(Draw::Own { time, node }));
            (0..protocol.nodes()).map(variance).collect::<Vec<N>>()
        };
        let of_masks = |graph: &Graph| -> Arc<[N]> {
            let (offsets, targets) = graph.adjacency();
            let ends = (0..graph.nodes()).flat_map(|w| {
                targets[offsets[w]..offsets[w + 1]].iter().map(move |&b| (w, b as usize))
            });
            let mask = |(a, b): (usize, usize)| Draw::Mask { time: 0, edge: (a.min(b), a.max(b)) };
            ends.map(|ends| N::of_fraction(protocol.variance(mask(ends)))).collect()
        };
        let mut mask_variances: Vec<Arc<[N]>> = Vec::with_capacity(messages.masked.len());
        for (round, graph) in messages.masked.iter().enumerate() {
            let same = round > 0 && Arc::ptr_eq(graph, &messages.masked[round - 1]);
            let variances =
                if same { Arc::clone(&mask_variances[round - 1]) } else { of_masks(graph) };
            mask_variances.push(variances);
        }
        let fresh = protocol.is_refreshed() && protocol.gossip_steps() > 1;
        let mut view = Self {
            protocol,
            messages,
            matrices: Steps::of(protocol)?,
            acceleration,
            reaction,
            own: variances(0),
            fresh: fresh.then(|| variances(1)),
            mask_variances,
            absolute,
            majorant: None,
            underflow: UNDERFLOW,
        };
        // Each step multiplies an error by at most `reaction * mixing`, up to its roundings.
        let sizes = view.reaction.iter().flatten().map(|f| f.high().abs());
        let reaction = sizes.fold(1.0, f64::max);
        let mixing =
            view.acceleration.map_or(1.0, |(g, behind)| g.high().abs() + behind.high().abs());
        let rounding = 1.0 + accumulated(view.step_roundings(), f64::UNIT);
        view.underflow *= (rounding * reaction * mixing).powf(2.0 * steps as f64);
        if protocol.masks().is_some() {
            view.underflow *= 4.0 * (1 + view.mask_degree()) as f64;
        }
        let masks = view.mask_variances.iter().flat_map(|round| round.iter());
        let sizes = view.own.iter().chain(view.fresh.iter().flatten()).chain(masks);
        view.underflow *= sizes.fold(1.0, |most: f64, size| most.max(1.01 * size.high()));
        Ok(view)
    }

    /// Returns `g_k` and `1 - g_k`; `None` for a plain step.
    fn acceleration(&self, k: usize) -> Option<(N, N)> {
        self.acceleration.filter(|_| !self.protocol.has_input(k))
    }

    /// Applies `D_k` in place.
    fn react(&self, k: usize, x: &mut [N]) {
        if let Some(factors) = &self.reaction
            && k > 0
            && self.protocol.has_input(k)
        {
            for (entry, &factor) in x.iter_mut().zip(factors) {
                *entry = *entry * factor;
            }
        }
    }

    fn mix(&self, k: usize, x: &[N]) -> Vec<N> {
        let mut out = self.matrices.mixed(k, x, 1);
        if let Some((g, _)) = self.acceleration(k) {
            out.iter_mut().for_each(|entry| *entry = *entry * g);
        }
        out
    }

    /// Computes `p_0, ..., p_t` for the message of `w` at time `t`.
    fn backward(&self, t: usize, w: usize) -> Vec<Vec<N>> {
        let mut rows = vec![Vec::new(); t + 1];
        rows[t] = vec![N::default(); self.protocol.nodes()];
        rows[t][w] = N::of(1.0);
        let mut reacted = rows[t].clone();
        self.react(t, &mut reacted);
        let mut before: Option<Vec<N>> = None;
        for k in (0..t).rev() {
            let mut row = self.mix(k, &reacted);
            if let (Some((_, behind)), Some(before)) = (self.acceleration(k + 1), &before) {
                add_scaled(&mut row, behind, before);
            }
            let mut next = row.clone();
            self.react(k, &mut next);
            before = Some(std::mem::replace(&mut reacted, next));
            rows[k] = row;
        }
        rows
    }

    /// Computes the covariances of the message of `w` at time `t` with all messages up to then.
    fn covariances(&self, t: usize, w: usize) -> Vec<N> {
        let rows = self.backward(t, w);
        let mut found = Vec::with_capacity(self.messages.offsets[t + 1]);
        let mut current = vec![N::default(); self.protocol.nodes()];
        let mut previous: Option<Vec<N>> = None;
        for (k, mut row) in rows.into_iter().enumerate() {
            if k > 0 {
                let mut next = self.mix(k - 1, &current);
                if let (Some((_, behind)), Some(previous)) = (self.acceleration(k - 1), &previous) {
                    add_scaled(&mut next, behind, previous);
                }
                self.react(k, &mut next);
                previous = Some(std::mem::replace(&mut current, next));
            }
            let sizes =
                if self.protocol.has_input(k) { Some(&self.own) } else { self.fresh.as_ref() };
            if let Some(variances) = sizes {
                for &v in &self.messages.known {
                    row[v] = N::default();
                }
                for ((entry, &variance), &p) in current.iter_mut().zip(variances).zip(&row) {
                    *entry += variance * p;
                }
            }
            self.add_masks(k, &row, &mut current);
            found.extend(self.messages.senders[k].iter().map(|&w| current[w]));
        }
        found
    }

    /// Adds `L p` to c at an input time.
    fn add_masks(&self, k: usize, p: &[N], c: &mut [N]) {
        let round = k / self.protocol.gossip_steps();
        let masks = self.mask_variances.get(round).zip(self.messages.masked.get(round));
        let Some((variances, graph)) = masks else {
            return;
        };
        if !self.protocol.has_input(k) {
            return;
        }
        let offsets = graph.adjacency().0;
        for (w, entry) in c.iter_mut().enumerate() {
            let difference = |(b, &variance): (usize, &N)| {
                let sum = if self.absolute { p[w] + p[b] } else { p[w] - p[b] };
                variance * sum
            };
            let variances = &variances[offsets[w]..offsets[w + 1]];
            let terms = graph.neighbours(w).zip(variances).map(difference);
            *entry += terms.fold(N::default(), N::add);
        }
    }

    /// Returns the largest number of masks at a node.
    fn mask_degree(&self) -> usize {
        let degrees = self.messages.masked.iter().map(|graph| graph.max_degree());
        degrees.max().unwrap_or(0)
    }

    /// Counts the roundings of one step: the product with the matrix, with g and the reaction
    /// (themselves within three), and two sums.
    fn step_roundings(&self) -> u64 {
        self.matrices.roundings() + 2 * 4 + 2 + 8
    }

    /// Computes the coefficients of the inputs of these sources in the message of `w` at time `t`,
    /// by round and source.
    fn coefficients(&self, t: usize, w: usize, sources: &[usize]) -> Vec<N> {
        let rows = self.backward(t, w);
        let inputs = (0..self.protocol.rounds()).map(|round| round * self.protocol.gossip_steps());
        let rows = inputs.take_while(|&k| k <= t).map(|k| &rows[k]);
        rows.flat_map(|row| sources.iter().map(|&u| row[u])).collect()
    }

    /// Calls `keep` with the row of each message, its numbers and their sizes in absolute values, in
    /// order.
    fn each_message(
        &self,
        progress: &dyn Progress,
        numbers: impl Fn(usize, usize) -> (Vec<N>, Option<Vec<f64>>) + Sync + Send,
        mut keep: impl FnMut(usize, Vec<N>, Vec<f64>),
    ) -> Result<(), FastError> {
        const BATCH: usize = 64;
        let times = self.messages.senders.iter().enumerate();
        let messages = times.flat_map(|(t, senders)| senders.iter().map(move |&w| (t, w)));
        let messages: Vec<(usize, usize)> = messages.collect();
        for (index, batch) in messages.chunks(BATCH).enumerate() {
            progress.check(index * BATCH, messages.len())?;
            let found =
                threads::in_order(batch.len(), |place| numbers(batch[place].0, batch[place].1));
            for (row, (numbers, sizes)) in (index * BATCH..).zip(found) {
                let highs = || numbers.iter().map(|number| number.high()).collect();
                let sizes = sizes.unwrap_or_else(highs);
                keep(row, numbers, sizes);
            }
        }
        Ok(())
    }
}

/// Computes `x += factor * y`.
fn add_scaled<N: Real>(x: &mut [N], factor: N, y: &[N]) {
    for (x, &y) in x.iter_mut().zip(y) {
        *x += factor * y;
    }
}

impl<N: Real> Rows for GeneralView<'_, N> {
    fn gram(&self, progress: &dyn Progress) -> Result<Gram, FastError> {
        let steps = self.protocol.steps() as u64;
        // A term passes one injection: of noise, or of a mask (the sum at a node, and kappa^2).
        let masks = if self.mask_variances.is_empty() { 0 } else { self.mask_degree() as u64 + 8 };
        let injection = 16 + masks;
        let relative = accumulated(2 * steps * self.step_roundings() + injection, N::UNIT);
        let mut gram = Gram::zeros(self.messages.size(), N::IN_PAIRS);
        let covariances = |t, w| {
            let covariances = self.covariances(t, w);
            let sizes = self.majorant.as_ref().map(|majorant| majorant.covariances(t, w));
            (covariances, sizes)
        };
        self.each_message(progress, covariances, |i, covariances, sizes| {
            for j in 0..=i {
                let error = relative * sizes[j] * 1.01 + self.underflow;
                gram.set(i, j, covariances[j].parts(), error);
            }
        })?;
        Ok(gram)
    }

    fn columns(&self, sources: &[usize], progress: &dyn Progress) -> Result<Columns, FastError> {
        let size = self.messages.size();
        let rounds = self.protocol.rounds();
        let zeros = || ColumnBlock::zeros(size * sources.len(), N::IN_PAIRS);
        let mut blocks: Vec<_> = (0..rounds).map(|_| zeros()).collect();
        let mut squares = vec![vec![0.0; sources.len()]; rounds];
        let coefficients = |t, w| {
            let coefficients = self.coefficients(t, w, sources);
            let majorant = self.majorant.as_ref();
            (coefficients, majorant.map(|majorant| majorant.coefficients(t, w, sources)))
        };
        self.each_message(progress, coefficients, |row, values, sizes| {
            for (place, (value, bound)) in values.into_iter().zip(sizes).enumerate() {
                let (round, source) = (place / sources.len(), place % sources.len());
                let row = row - self.messages.first_rows[round];
                blocks[round].set(source * size + row, value.parts());
                squares[round][source] += bound * bound;
            }
        })?;
        let norm = |&square: &f64| square.sqrt() * 1.01 + 2f64.powi(-500);
        for (block, squares) in blocks.iter_mut().zip(&squares) {
            block.norms = squares.iter().map(norm).collect();
        }
        Ok(Columns::new(size, blocks))
    }

    fn column_error(&self) -> f64 {
        let roundings = self.protocol.steps() as u64 * self.step_roundings();
        accumulated(roundings, N::UNIT)
    }

    fn underflow(&self) -> f64 {
        self.underflow
    }

    fn column_floats(&self) -> usize {
        self.protocol.rounds() * self.messages.size() * (1 + usize::from(N::IN_PAIRS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{GraphSpec, Network, Observer, WeightScheme};

    #[test]
    fn underflow_grows_with_reaction_and_acceleration() {
        let graph = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
        let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
        let fraction = |above, below| Fraction::try_new(above, below).unwrap();
        let protocol = Protocol::gradient_descent(network, 2, 2)
            .unwrap()
            .accelerated(fraction(3, 2))
            .unwrap()
            .reacting(vec![fraction(1, 2), fraction(-3, 1), fraction(1, 1)])
            .unwrap();
        let messages = Messages::of(&protocol, &Observer::full(0)).unwrap();
        let view = GeneralView::<f64>::new(&protocol, &messages).unwrap();
        // Four steps there and back, each times |-3| (|3/2| + |-1/2|).
        let growth = view.underflow() / UNDERFLOW;
        assert!(growth >= 6_f64.powi(8) && growth < 6.1_f64.powi(8), "{growth}");
    }

    #[test]
    fn underflow_stays_small_in_long_runs() {
        let graph = "path:3".parse::<GraphSpec>().unwrap().build().unwrap();
        let edges = (0..40_000).map(|t| (t % 2, t % 2 + 1)).collect();
        let protocol = Protocol::randomized(graph, edges).unwrap();
        let messages = Messages::of(&protocol, &Observer::full(0)).unwrap();
        let view = GeneralView::<f64>::new(&protocol, &messages).unwrap();
        assert!(view.underflow() < 2.0 * UNDERFLOW);
    }
}
