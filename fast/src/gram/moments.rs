//! The Gram matrix of a view under one fixed gossip matrix, from small moments (trusted).
//!
//! The message of w at time t is `sum_k (W^{t-k})_w x_k` over the draws `x_k`, of deviation `s_k`.
//! As W is symmetric, with R_t the n x d block of columns `(W^t)_{., N(v)}` and V the observers
//! whose draws are known,
//!
//! ```text
//! G_(t,w),(t',w') = sum_k s_k^2 F_{t-k, t'-k}(w, w'),
//! F_{i,j} = (W^{i+j})_{N(v),N(v)} - R_i(V)^T R_j(V),      (W^{2t}) = R_t^T R_t,  (W^{2t+1}) = R_t^T R_{t+1}.
//! ```
//!
//! Up to T - 1 the powers are rows of R, so T - 1 products with W and as many of blocks suffice,
//! and nothing of size n^2 is stored. Each of the two parts of F is a sum of non-negative terms
//! with counted roundings; the difference adds their errors.

use super::rows::{
    ColumnBlock, Columns, Gram, Messages, Rows, UNDERFLOW, norm_up, uniform_variances,
};
use crate::{
    FastError, Progress, SparseWeights, UNIT_ROUNDOFF,
    arithmetic::{Real, accumulated},
    frontier::Frontier,
    threads::{self, vectorized},
};
use muffliato_model::{Network, Protocol};

/// A view of a protocol with a fixed, symmetric matrix, without acceleration or reaction.
pub(crate) struct FixedView<'a, N> {
    protocol: &'a Protocol,
    messages: &'a Messages,
    weights: SparseWeights<N>,
    /// Whether columns are rounded to floats: products are much faster and have few roundings.
    pub rounded: bool,
}

/// Number of parts of the nodes over which products of blocks are summed, independent of the number
/// of threads.
const PARTS: usize = 64;

/// Number of nodes summed at a time within a part: the longest sum determines the error.
const NODES_AT_ONCE: usize = 128;

/// Maximum number of floats kept between the Gram matrix and the columns.
const MOST_KEPT: usize = 1 << 23;

impl<'a, N: Real> FixedView<'a, N> {
    /// Prepares the view; `network` is that of all steps of `protocol`.
    pub fn new(
        protocol: &'a Protocol,
        network: &Network,
        messages: &'a Messages,
    ) -> Result<Self, FastError> {
        Ok(Self { protocol, messages, weights: SparseWeights::of(network)?, rounded: false })
    }

    /// Returns `true` if columns have low parts.
    fn in_pairs(&self) -> bool {
        N::IN_PAIRS && !self.rounded
    }

    /// Returns the powers that were kept in floats, if columns are in floats, too, and no more
    /// precise than these.
    fn kept(&self) -> Option<&[Vec<f64>]> {
        let (pairs, powers) = self.messages.powers.get().filter(|_| !self.in_pairs())?;
        (*pairs || !N::IN_PAIRS).then_some(powers)
    }

    fn senders(&self) -> &[usize] {
        &self.messages.senders[0]
    }

    /// Calls `visit` with t, `R_{t-1}` and R_t for t = 0..T-1 (nothing before the first). While few
    /// nodes are reached only these are visited. Small blocks are kept in floats.
    fn propagate(
        &self,
        progress: &dyn Progress,
        mut visit: impl FnMut(usize, &[N], &[N]),
    ) -> Result<(), FastError> {
        let (width, steps) = (self.senders().len(), self.protocol.steps());
        let nodes = self.protocol.nodes();
        let mut kept = (nodes * self.messages.size() <= MOST_KEPT).then(Vec::new);
        let starts: Vec<u32> = self.senders().iter().map(|&w| w as u32).collect();
        let mut frontier = Frontier::default();
        frontier.restart(nodes, &starts);
        let (mut before, mut spare) = (Vec::new(), Vec::new());
        let mut block = vec![N::default(); nodes * width];
        for (k, &w) in self.senders().iter().enumerate() {
            block[w * width + k] = N::of(1.0);
        }
        for t in 0..steps {
            visit(t, &before, &block);
            progress.check(t, steps)?;
            if let Some(kept) = &mut kept {
                kept.push(block.iter().map(|entry| entry.high()).collect());
            }
            if t + 1 == steps {
                break;
            }
            let mut next: Vec<N> = std::mem::take(&mut spare);
            next.resize(block.len(), N::default());
            let few = 2 * frontier.nodes().len() <= nodes;
            if few {
                frontier.grow(&self.weights);
            }
            if few && 2 * frontier.nodes().len() <= nodes {
                next.fill(N::default());
                self.weights.apply_to(frontier.nodes(), &block, width, &mut next);
            } else {
                self.weights.multiply(&block, width, &mut next);
            }
            spare = std::mem::replace(&mut before, std::mem::replace(&mut block, next));
        }
        if let Some(kept) = kept {
            // Another view may have stored the same powers first.
            let _ = self.messages.powers.set((N::IN_PAIRS, kept));
        }
        Ok(())
    }

    /// Returns the number of nodes in each part of a product of blocks.
    fn part(&self) -> usize {
        self.protocol.nodes().div_ceil(PARTS).max(256)
    }

    /// Computes `x^T y` for two blocks whose product is symmetric, with parts of nodes summed in
    /// order.
    fn product(&self, x: &[N], y: &[N]) -> Vec<N> {
        let width = self.senders().len();
        let part = self.part() * width;
        let add = |total: &mut [N], sum: &[N]| {
            for (total, &entry) in total.iter_mut().zip(sum) {
                *total += entry;
            }
        };
        let partial = |(x, y): (&[N], &[N])| {
            let mut total = vec![N::default(); width * width];
            let mut sum = vec![N::default(); width * width];
            let at_once = NODES_AT_ONCE * width;
            for (x, y) in x.chunks(at_once).zip(y.chunks(at_once)) {
                sum.fill(N::default());
                vectorized(
                    #[inline(always)]
                    || add_products(x, y, width, &mut sum),
                );
                add(&mut total, &sum);
            }
            total
        };
        let parts: Vec<_> = x.chunks(part).zip(y.chunks(part)).collect();
        let partials = threads::in_order(parts.len(), |k| partial(parts[k]));
        let mut total = vec![N::default(); width * width];
        for partial in partials {
            add(&mut total, &partial);
        }
        for i in 0..width {
            for j in 0..i {
                total[j * width + i] = total[i * width + j];
            }
        }
        total
    }

    /// Counts the roundings on the longest path to an entry of G.
    fn gram_roundings(&self) -> u64 {
        let steps = self.protocol.steps() as u64;
        let sums = NODES_AT_ONCE + self.part().div_ceil(NODES_AT_ONCE) + PARTS;
        let product = (sums + self.messages.known.len()) as u64 + 2;
        // The difference, the variance (two fractions and their product) and its product, and the
        // sum over the draws.
        2 * steps * self.weights.step_roundings() + product + 1 + 8 + steps
    }
}

/// Adds the lower half of `x^T y` to `sum`.
#[inline(always)]
fn add_products<N: Real>(x: &[N], y: &[N], width: usize, sum: &mut [N]) {
    for (x, y) in x.chunks_exact(width).zip(y.chunks_exact(width)) {
        for (i, (&left, row)) in x.iter().zip(sum.chunks_exact_mut(width)).enumerate() {
            if left.high() != 0.0 {
                for (sum, &right) in row[..=i].iter_mut().zip(y) {
                    *sum += left * right;
                }
            }
        }
    }
}

impl<N: Real> Rows for FixedView<'_, N> {
    fn gram(&self, progress: &dyn Progress) -> Result<Gram, FastError> {
        let (width, steps) = (self.senders().len(), self.protocol.steps());
        let known = &self.messages.known;
        let mut small: Vec<Vec<N>> = Vec::with_capacity(steps);
        let mut large: Vec<Vec<N>> = Vec::with_capacity(steps);
        let mut known_rows: Vec<Vec<N>> = Vec::with_capacity(steps);
        if width == 0 {
            progress.check(steps, steps)?;
            return Ok(Gram::zeros(0, N::IN_PAIRS));
        }
        self.propagate(progress, |t, previous, block| {
            let row = |&v: &usize| &block[v * width..(v + 1) * width];
            small.push(self.senders().iter().flat_map(row).copied().collect());
            known_rows.push(known.iter().flat_map(row).copied().collect());
            if 2 * t > steps {
                large.push(self.product(previous, block));
            }
            if 2 * t >= steps {
                large.push(self.product(block, block));
            }
        })?;
        let moments: Vec<Vec<N>> = small.into_iter().chain(large).collect();
        let variances: Vec<Option<N>> = uniform_variances(self.protocol)
            .into_iter()
            .map(|variance| (!variance.is_zero()).then(|| N::of_fraction(variance)))
            .collect();

        let relative = accumulated(self.gram_roundings(), N::UNIT);
        let mut gram = Gram::zeros(self.messages.size(), N::IN_PAIRS);
        // F_{i,j} and the sum of its two parts, for i >= j; it enters G along a diagonal of blocks.
        for lag in 0..steps {
            let mut difference = Vec::with_capacity(steps - lag);
            for j in 0..steps - lag {
                let i = j + lag;
                let mut block = moments[i + j].clone();
                let mut both: Vec<f64> = block.iter().map(|entry| entry.high()).collect();
                for v in 0..known.len() {
                    let (left, right) = (&known_rows[i][v * width..], &known_rows[j][v * width..]);
                    for k in 0..width * width {
                        let part = left[k / width] * right[k % width];
                        block[k] = block[k] - part;
                        both[k] += part.high();
                    }
                }
                difference.push((block, both));
            }
            for late in 0..steps - lag {
                let mut sum = vec![N::default(); width * width];
                let mut size = vec![0.0; width * width];
                for (variance, (block, both)) in
                    variances.iter().zip(difference[..=late].iter().rev())
                {
                    let Some(variance) = *variance else {
                        continue;
                    };
                    for entry in 0..width * width {
                        sum[entry] += variance * block[entry];
                        size[entry] += variance.high() * both[entry];
                    }
                }
                let (row, column) = ((late + lag) * width, late * width);
                for entry in 0..width * width {
                    let (i, j) = (row + entry / width, column + entry % width);
                    if i >= j {
                        let error = relative * size[entry] * 1.01 + UNDERFLOW;
                        gram.set(i, j, sum[entry].parts(), error);
                    }
                }
            }
        }
        Ok(gram)
    }

    fn columns(&self, sources: &[usize], progress: &dyn Progress) -> Result<Columns, FastError> {
        let mut gathered = Gathered::of(self.messages, sources, self.in_pairs());
        if let Some(kept) = self.kept() {
            progress.check(0, 1)?;
            (0..).zip(kept).for_each(|(t, values)| gathered.take(t, values));
        } else if !self.senders().is_empty() {
            self.propagate(progress, |t, _, values| gathered.take(t, values))?;
        }
        Ok(gathered.columns())
    }

    fn column_error(&self) -> f64 {
        let roundings = self.protocol.steps() as u64 * self.weights.step_roundings();
        let rounded = if self.rounded { UNIT_ROUNDOFF } else { 0.0 };
        (accumulated(roundings, N::UNIT) + rounded) * 1.01
    }

    fn underflow(&self) -> f64 {
        UNDERFLOW
    }

    fn column_floats(&self) -> usize {
        self.messages.size() * (1 + usize::from(self.in_pairs()))
    }

    fn at_hand(&self) -> bool {
        self.kept().is_some()
    }
}

/// Collects the columns of some sources while the powers are computed.
struct Gathered<'a> {
    sources: &'a [usize],
    width: usize,
    size: usize,
    block: ColumnBlock,
}

impl<'a> Gathered<'a> {
    fn of(messages: &Messages, sources: &'a [usize], pairs: bool) -> Self {
        let (width, size) = (messages.senders[0].len(), messages.size());
        Self { sources, width, size, block: ColumnBlock::zeros(size * sources.len(), pairs) }
    }

    fn take<N: Real>(&mut self, t: usize, values: &[N]) {
        for (place, &u) in self.sources.iter().enumerate() {
            let from = &values[u * self.width..][..self.width];
            for (to, from) in (place * self.size + t * self.width..).zip(from) {
                self.block.set(to, from.parts());
            }
        }
    }

    fn columns(mut self) -> Columns {
        self.block.norms = match self.size {
            0 => vec![0.0; self.sources.len()],
            size => vectorized(
                #[inline(always)]
                || self.block.high.chunks_exact(size).map(norm_up).collect(),
            ),
        };
        Columns::new(self.size, [self.block])
    }
}

#[cfg(test)]
mod tests {
    use super::super::pair::Pair;
    use super::*;
    use muffliato_model::{Network, Observer};

    fn one_shot(spec: &str, steps: usize) -> Protocol {
        let network = Network::metropolis(spec.parse().unwrap()).unwrap();
        Protocol::one_shot(network, steps).unwrap()
    }

    fn floats<'a>(protocol: &'a Protocol, messages: &'a Messages) -> FixedView<'a, f64> {
        FixedView::new(protocol, protocol.fixed_network().unwrap(), messages).unwrap()
    }

    #[test]
    fn products_have_no_more_parts_than_are_counted() {
        for nodes in [3_usize, 256, 257, 16_385, 50_000] {
            let protocol = one_shot(&format!("ring:{nodes}"), 2);
            let messages = Messages::of(&protocol, &Observer::full(0)).unwrap();
            let view = floats(&protocol, &messages);
            assert!(nodes.div_ceil(view.part()) <= PARTS, "{nodes} nodes");
        }
    }

    #[test]
    fn columns_of_floats_are_within_their_error_of_columns_of_pairs() {
        let protocol = one_shot("karate", 6);
        let messages = Messages::of(&protocol, &Observer::full(0)).unwrap();
        let floats = floats(&protocol, &messages);
        let network = protocol.fixed_network().unwrap();
        let pairs = FixedView::<Pair>::new(&protocol, network, &messages).unwrap();
        let sources: Vec<_> = (1..34).collect();
        let rough = floats.columns(&sources, &()).unwrap();
        let fine = pairs.columns(&sources, &()).unwrap();
        assert!(pairs.column_error() < floats.column_error());
        let error = floats.column_error() + pairs.column_error();
        let mut same = true;
        for place in 0..sources.len() {
            let columns = rough.get(0, place).0.iter().zip(fine.get(0, place).0);
            for (x, y) in columns {
                let near = (x - y).abs() <= error * fine.norm(0, place);
                assert!(near, "{x} and {y}");
                same &= x == y;
            }
        }
        assert!(!same, "roundings show");
    }
}
