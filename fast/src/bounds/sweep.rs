//! Bounds towards one observer on a changing network, for all sources at once.
//!
//! The message of w at time t is the row `(W_{0:t})_w`, and as every `W_s` is symmetric, that row
//! is the column
//!
//! ```text
//! (W_{0:t})_w^T = W_0 W_1 ... W_{t-1} e_w :
//! ```
//!
//! a sweep backwards in time. Eight messages sweep together; each joins at its time. Memory: 128
//! bytes per node for each of a few sweeps, regardless of T.

use super::{
    Summed,
    lanes::{Lanes, WIDTH},
    streaming::GROUP,
};
use crate::{FastError, Progress, steps::Steps, threads};

/// Number of sweeps whose sums are kept at a time.
pub(super) const WAVE: usize = 16;

/// Squared coefficients of the messages to an observer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep<'a> {
    pub steps: &'a Steps,
    pub members: &'a [usize],
    pub what: Summed,
}

/// A message: its time and its sender.
pub(crate) type Message = (usize, usize);

/// Sums, for each node, the results of `back` over all sweeps in their order.
pub(super) fn in_waves<S: Sync>(
    sweeps: &[S],
    nodes: usize,
    progress: &dyn Progress,
    back: impl Fn(&S) -> Vec<f64> + Sync,
) -> Result<Vec<f64>, FastError> {
    let mut sums = vec![0.0; nodes];
    for (index, wave) in sweeps.chunks(WAVE).enumerate() {
        progress.check(index * WAVE, sweeps.len())?;
        for part in threads::in_order(wave.len(), |place| back(&wave[place])) {
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum += part;
            }
        }
    }
    progress.check(sweeps.len(), sweeps.len())?;
    Ok(sums)
}

/// Returns the number of bytes that [`Sweep::run`] needs for this many messages.
pub(crate) fn bytes(nodes: usize, messages: usize) -> u128 {
    let sweeps = messages.div_ceil(WIDTH).min(WAVE);
    nodes as u128 * (sweeps * (2 * size_of::<Lanes>() + size_of::<f64>()) + 16) as u128
}

impl Sweep<'_> {
    /// Returns the messages from time `from` on to the members, the latest first.
    pub fn messages(&self, from: usize) -> Vec<Message> {
        let times = (from..self.steps.count()).rev();
        let at = |t| self.steps.senders(t, self.members).into_iter();
        times.flat_map(|t| at(t).map(move |w| (t, w))).collect()
    }

    /// Sums over these messages, the latest first, for all sources, each with at most [`sums`]
    /// additions.
    pub fn run(
        &self,
        messages: &[Message],
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, FastError> {
        let sweeps: Vec<&[Message]> = messages.chunks(WIDTH).collect();
        in_waves(&sweeps, self.steps.nodes(), progress, |messages| self.back(messages))
    }

    fn back(&self, messages: &[Message]) -> Vec<f64> {
        let nodes = self.steps.nodes();
        let mut now = vec![Lanes::ZERO; nodes];
        let mut spare = now.clone();
        let latest = messages.first().map_or(0, |&(t, _)| t);
        let mut waiting = messages.iter().enumerate().peekable();
        for s in (0..=latest).rev() {
            if s < latest {
                self.steps.at(s).mix(&mut now, &mut spare);
                if self.what == (Summed::Squares { absorbing: true }) {
                    for w in self.steps.senders(s, self.members) {
                        now[w] = Lanes::ZERO;
                    }
                }
            }
            while let Some((lane, &(_, w))) = waiting.next_if(|(_, message)| message.0 == s) {
                now[w].0[lane] = 1.0;
            }
        }
        squares(&now, self.what)
    }
}

/// Sums, for each node, the eight squares or their shares.
pub(super) fn squares(vectors: &[Lanes], what: Summed) -> Vec<f64> {
    let factors = match what {
        Summed::Shares => {
            let mut norm = Lanes::ZERO;
            for group in vectors.chunks(GROUP) {
                let mut part = Lanes::ZERO;
                group.iter().for_each(|entries| part.add_squares(entries));
                norm.add(&part);
            }
            norm.inverse(1.0)
        }
        Summed::Squares { .. } => Lanes([1.0; WIDTH]),
    };
    let sum = |entries: &Lanes| entries.squares_times(&factors).sum();
    vectors.iter().map(sum).collect()
}

/// Returns the largest number of additions on any path to a sum over this many messages.
pub(crate) fn sums(messages: usize) -> usize {
    Lanes::<WIDTH>::SUM_ROUNDINGS + messages.div_ceil(WIDTH)
}
