//! What a view costs, and which precision is tried first (no loss depends on it).

use super::assembly::fixed_and_plain;
use super::rows::Messages;
use super::view::GramView;
use crate::{FastError, UNIT_ROUNDOFF, checks, memory};
use muffliato_model::{Draw, Network, Observer, Protocol};

impl GramView<'_> {
    /// Estimates the nanoseconds that all losses take on one core: with m messages, `m^3` for the
    /// whitening, `m^2` for each input, and the gossip of the coefficients, in pairs if likely
    /// (`cargo bench --bench estimates` compares the estimate with the clock).
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, FastError> {
        let messages = protocol.messages_to(observer)? as f64;
        let (nodes, steps) = (protocol.nodes() as f64, protocol.steps() as f64);
        let graph = protocol.graph()?;
        let entries = 2.0 * graph.edge_count() as f64 + nodes;
        let pairs = likely_in_pairs(protocol, messages as usize)?;
        // Slices are used for large matrices only.
        let (whitening, gossip) = match (pairs, messages < 256.0) {
            (true, true) => (3.0, 5.0),
            (true, false) => (0.2, 5.0),
            (false, _) => (0.08, 1.0),
        };
        // Other views run back and forth for each message.
        let runs = if fixed_and_plain(protocol).is_some() { 1.0 } else { 2.0 * steps };
        let passes = runs * messages * entries;
        let columns = messages * messages * nodes * protocol.rounds() as f64;
        Ok(whitening * messages.powi(3) + 0.04 * columns + gossip * passes)
    }
}

/// Number of messages from which whitening takes longer than assembly in any precision.
const MANY_MESSAGES: usize = 1024;

/// Part of the smallest variance from which roundings times messages make pairs likely.
const LIKELY_PAIRS: f64 = 4e-9;

/// Returns `true` if f64 probably has too many roundings for a view of `messages` messages.
fn likely_in_pairs(protocol: &Protocol, messages: usize) -> Result<bool, FastError> {
    let times = 0..protocol.steps().min(2); // at an input and, if there is one, at another time
    let draws = times.flat_map(|time| (0..protocol.nodes()).map(move |node| (time, node)));
    let least = draws
        .map(|(time, node)| checks::float(protocol.variance(Draw::Own { time, node })))
        .fold(1.0, f64::min);
    let roundings = 2 * protocol.steps() * (protocol.graph()?.max_degree() + 3);
    let lost = messages as f64 * roundings as f64 * UNIT_ROUNDOFF;
    Ok(lost > least * LIKELY_PAIRS)
}

/// Returns the network if the view is assembled in pairs at once: f64 is unlikely to suffice, and
/// assembly is the smaller part of the work.
pub(super) fn at_once_in_pairs<'a>(
    protocol: &'a Protocol,
    messages: &Messages,
) -> Result<Option<&'a Network>, FastError> {
    let size = messages.size();
    let many = size >= MANY_MESSAGES && messages.summed.is_none();
    let pairs = many && likely_in_pairs(protocol, size)?;
    Ok(fixed_and_plain(protocol).filter(|_| pairs))
}

/// Errors if the view of `observer` needs more than [`crate::memory::limit`].
pub(crate) fn check_memory(protocol: &Protocol, observer: &Observer) -> Result<(), FastError> {
    observer.check(protocol.nodes())?;
    let senders = |t| protocol.step(t).senders_to(observer.members()).len() as u128;
    let steps = protocol.steps() as u128;
    let (size, width) = match protocol.fixed_network() {
        Some(_) => (steps.saturating_mul(senders(0)), senders(0)),
        None => (0..protocol.steps())
            .map(senders)
            .fold((0, 0), |(sum, most), at| (sum + at, most.max(at))),
    };
    let linear = (protocol.nodes() as u128).saturating_mul(width + steps);
    // Three blocks of pairs and the columns of some sources; thirteen square matrices.
    let bytes =
        size.saturating_mul(size).saturating_mul(104).saturating_add(linear.saturating_mul(64));
    memory::check(bytes, "take fewer steps or an observer with fewer neighbours")
}
