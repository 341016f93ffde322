//! Limits on the work in multiprecision.

use crate::{FastError, memory};
use muffliato_model::{Observer, Protocol, Schedule};

/// Limits of a computation in multiprecision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiprecisionLimits {
    /// Maximum number of products of machine words, by an estimate: `n r^2 (P/64)^2` for n nodes, r
    /// rows and P bits in one round, and about a third of R times that for r rows in R rounds.
    /// About `10^8` take a second.
    pub work: u128,
    /// Maximum number of bytes of the basis.
    pub memory: u128,
}

impl Default for MultiprecisionLimits {
    /// `2^37` products, which take minutes, and [`memory::limit`].
    fn default() -> Self {
        Self { work: 1 << 37, memory: memory::limit() }
    }
}

impl MultiprecisionLimits {
    /// Errors if a view with this many rows of messages in each round and this many bits exceeds
    /// the limits.
    pub(super) fn check(
        &self,
        protocol: &Protocol,
        observer: &Observer,
        rows: impl Fn(usize) -> usize,
        precision: usize,
    ) -> Result<(), FastError> {
        let words = precision as u128 / 64;
        let number = 8 * words + 32;
        let draws = (protocol.nodes() + shared(protocol)) as u128 * protocol.rounds() as u128;
        // A row has all draws.
        self.check_memory(draws.saturating_mul(number))?;
        let cost = Cost::of(protocol, observer, rows);
        self.check_memory(cost.entries.saturating_mul(number))?;
        let products = cost.products.saturating_mul(words * words);
        let products = products.saturating_add(cost.gossip.saturating_mul(words));
        if products > self.work {
            return Err(FastError::TooMuchWork { products, limit: self.work });
        }
        Ok(())
    }

    fn check_memory(&self, bytes: u128) -> Result<(), FastError> {
        let remedy = "take fewer steps, or an observer with fewer neighbours";
        memory::check_within(bytes, self.memory, remedy)
    }
}

/// Returns the number of masks in a round.
fn shared(protocol: &Protocol) -> usize {
    let graph = protocol.mask_graph(0).ok().flatten();
    graph.map_or(0, |graph| graph.edge_count())
}

/// Cost of a basis.
struct Cost {
    /// Number of entries of all vectors.
    entries: u128,
    /// Products of numbers: each row meets each earlier vector twice.
    products: u128,
    /// Products of numbers and weights, and copies of numbers, on the way from each message back to
    /// the draws.
    gossip: u128,
}

impl Cost {
    fn of(protocol: &Protocol, observer: &Observer, rows: impl Fn(usize) -> usize) -> Self {
        let nodes = (protocol.nodes() + shared(protocol)) as u128;
        let members = observer.members().len();
        let edges = match protocol.schedule() {
            Schedule::Fixed(network) => network.graph().edge_count(),
            Schedule::Varying { networks, .. } => {
                let edges = networks.iter().map(|network| network.graph().edge_count());
                edges.max().unwrap_or(0)
            }
            _ => 1,
        };
        let step = match protocol.schedule() {
            // All rows of a time follow from those of the time before.
            Schedule::Fixed(_) if protocol.rounds() == 1 => 0,
            _ => nodes + edges as u128,
        };
        let (mut draws, mut vectors) = (0, 0_u128);
        let (mut entries, mut products, mut gossip) = (0_u128, 0_u128, 0_u128);
        for round in 0..protocol.rounds() {
            draws += nodes;
            let heard = rows(round);
            let steps = (round + 1).saturating_mul(protocol.gossip_steps()) as u128;
            let way = steps.saturating_mul(step);
            gossip = gossip.saturating_add(way.saturating_mul(heard as u128));
            let rows = (heard.saturating_add(members) as u128).min(draws - vectors);
            vectors += rows;
            let own = rows.saturating_mul(draws);
            let met = entries.saturating_mul(2).saturating_add(own);
            products = products.saturating_add(rows.saturating_mul(met));
            entries = entries.saturating_add(own);
        }
        Self { entries, products, gossip }
    }
}
