//! Bounds of one source towards all observers, and of all pairs.

use super::{
    AllPairs, PaperBounds,
    accuracy::{Accuracy, Precision},
    all_pairs,
    lanes::{Lanes, WIDE},
    varying_pairs::{self, SentRows},
};
use crate::{Enclosure, FastError, memory};

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
        let (values, precision) = if let Some(weights) = self.steps.fixed() {
            allow(matrices + all_pairs::bytes(nodes))?;
            let sums = self.steps.count() + weights.max_degree();
            let precision = self.pair_precision(all_pairs::norm_sums(nodes), sums);
            (all_pairs::fixed(weights, self.steps.count(), self.watcher.0)?, precision)
        } else {
            allow(matrices + varying_pairs::bytes(&self.steps))?;
            (varying_pairs::all(&self.steps, self.watcher.0)?, self.swept_precision())
        };
        Ok(AllPairs::new(nodes, values, precision))
    }

    /// Encloses Theorem 1 for one source and every single observer, in the order of the nodes; the
    /// source's own entry is its term of the mean-loss identity.
    ///
    /// It needs the norms of all rows that are sent, so it takes as long as all pairs, but only `72 n
    /// T` bytes.
    pub fn from_source(&self, source: usize) -> Result<Vec<Enclosure>, FastError> {
        self.check_averaging()?;
        let nodes = self.steps.nodes();
        if source >= nodes {
            return Err(FastError::SourceOutOfRange { source_node: source, nodes });
        }
        let remedy = "raise the limit, or use a smaller graph or fewer steps";
        memory::check_within(varying_pairs::bytes(&self.steps), self.memory_limit, remedy)?;
        let rows = SentRows::of(&self.steps, self.watcher.0)?;
        let mut out = vec![Lanes::ZERO; nodes];
        rows.bounds(&self.steps, &[source], &mut out);
        self.watcher.0.check(2, 2)?;
        let precision = self.swept_precision();
        Ok(out.iter().map(|entries| precision.enclose(entries.0[0])).collect())
    }

    /// Returns the precision of bounds by [`SentRows`].
    fn swept_precision(&self) -> Precision {
        let norm_sums = varying_pairs::norm_sums(self.steps.nodes());
        self.pair_precision(norm_sums, varying_pairs::sums(&self.steps))
    }

    fn pair_precision(&self, norm_sums: usize, sums: usize) -> Precision {
        let terms = self.steps.count() as f64 * self.steps.nodes() as f64;
        Accuracy::of_steps(&self.steps, true).shares(terms, norm_sums, sums)
    }
}
