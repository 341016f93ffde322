//! Bounds of one source towards all observers, and of all pairs.

use super::{
    AllPairs, PaperBounds,
    accuracy::{Accuracy, Precision},
    all_pairs::{self, Block},
    lanes::{Lanes, WIDE},
    varying_pairs::{self, SentRows},
};
use crate::{
    Enclosure, FastError, Progress, SparseWeights,
    frontier::Frontier,
    memory,
    threads::{self, vectorized},
};

/// Number of blocks of senders between two progress reports.
const WAVE: usize = 64;

impl PaperBounds<'_> {
    /// Encloses Theorem 1 for all pairs of a source and a single observer.
    ///
    /// Takes time `T n |E|` on a fixed network and about three times that on a changing one, and
    /// `16 n^2` bytes (plus `72 n T` on a changing network).
    pub fn all_pairs(&self) -> Result<AllPairs, FastError> {
        let remedy = "raise the limit, or ask for one observer or one source";
        let allow = |bytes| memory::check_within(bytes, self.memory_limit, remedy);
        self.check_averaging()?;
        let nodes = self.steps.nodes();
        let matrices = 16 * (nodes as u128 + WIDE as u128) * nodes as u128;
        let values = if let Some(weights) = self.steps.fixed() {
            allow(matrices + all_pairs::bytes(nodes))?;
            all_pairs::fixed(weights, self.steps.count(), self.watcher.0)?
        } else {
            allow(matrices + varying_pairs::bytes(&self.steps))?;
            varying_pairs::all(&self.steps, self.watcher.0)?
        };
        Ok(AllPairs::new(nodes, values, self.pair_precision()))
    }

    /// Encloses Theorem 1 for one source and every single observer, in the order of the nodes; the
    /// source's own entry is its term of the mean-loss identity.
    ///
    /// It needs the row norms of all senders within distance T - 1 of the source, so the time is at
    /// most that of all pairs, but the memory is `O(n)` on a fixed network and `72 n T` bytes on a
    /// changing one.
    pub fn from_source(&self, source: usize) -> Result<Vec<Enclosure>, FastError> {
        let remedy = "raise the limit, or use a smaller graph or fewer steps";
        let allow = |bytes| memory::check_within(bytes, self.memory_limit, remedy);
        self.check_averaging()?;
        let nodes = self.steps.nodes();
        if source >= nodes {
            return Err(FastError::SourceOutOfRange { source_node: source, nodes });
        }
        let values = if let Some(weights) = self.steps.fixed() {
            allow(all_pairs::bytes(nodes))?;
            from_one(weights, source, self.steps.count(), self.watcher.0)?
        } else {
            allow(varying_pairs::bytes(&self.steps))?;
            let rows = SentRows::of(&self.steps, self.watcher.0)?;
            let mut out = vec![Lanes::ZERO; nodes];
            rows.bounds(&self.steps, &[source], &mut out);
            self.watcher.0.check(2, 2)?;
            out.iter().map(|entries| entries.0[0]).collect()
        };
        let precision = self.pair_precision();
        Ok(values.into_iter().map(|f| precision.enclose(f)).collect())
    }

    fn pair_precision(&self) -> Precision {
        let (nodes, count) = (self.steps.nodes(), self.steps.count());
        let accuracy = Accuracy::of_steps(&self.steps, true);
        let (norm_sums, sums) = match self.steps.fixed() {
            Some(weights) => (all_pairs::norm_sums(nodes), count + weights.max_degree()),
            None => (varying_pairs::norm_sums(nodes), varying_pairs::sums(&self.steps)),
        };
        let terms = count as f64 * nodes as f64;
        accuracy.shares(terms, norm_sums, sums)
    }
}

/// Computes `f(source, v)` for all v, following only senders that the source reaches.
fn from_one(
    weights: &SparseWeights,
    source: usize,
    steps: usize,
    progress: &dyn Progress,
) -> Result<Vec<f64>, FastError> {
    let senders = within(weights, source, steps - 1);
    let blocks: Vec<&[u32]> = senders.chunks(WIDE).collect();
    let mut sums = vec![Lanes::ZERO; blocks.len()];
    for (wave, sums) in sums.chunks_mut(WAVE).enumerate() {
        progress.check(wave * WAVE, blocks.len())?;
        threads::on_chunks(sums, 1, Block::default, |block, index, sum| {
            vectorized(
                #[inline(always)]
                || {
                    let senders = blocks[wave * WAVE + index];
                    sum[0] = block.shares(weights, senders, steps, |u| u == source)[source];
                },
            );
        });
    }
    progress.check(blocks.len(), blocks.len())?;
    let mut shares = vec![0.0; weights.nodes()];
    for (block, sum) in blocks.iter().zip(&sums) {
        for (&w, &share) in block.iter().zip(&sum.0) {
            shares[w as usize] = share;
        }
    }
    let heard = |v| weights.row(v).0.iter().map(|&w| shares[w as usize]).sum();
    Ok((0..weights.nodes()).map(heard).collect())
}

/// Returns the nodes within `distance` of the source, in increasing order.
fn within(weights: &SparseWeights, source: usize, distance: usize) -> Vec<u32> {
    let mut frontier = Frontier::default();
    frontier.restart(weights.nodes(), &[source as u32]);
    frontier.grow_to(distance, weights);
    let mut nodes = frontier.nodes().to_vec();
    nodes.sort_unstable();
    nodes
}
