//! Leakage of averaging with fresh noise by the cheapest alibi, one step at a time.
//!
//! An alibi of u towards the observers V shifts draws unknown to V so that no message changes when
//! u's input does. The leakage of u is the least cost of an alibi: with `z_t` the shifts of the
//! draws of time t, of deviation `s_t`,
//!
//! ```text
//! leakage(u -> V) = min sum_t ||z_t||^2 / s_t^2    over   m_0 = e_u,   r_t = m_t - z_t,   m_{t+1} = W_t r_t,
//!                                                         r_t = 0 at the nodes that V hears at time t.
//! ```
//!
//! (It is the shortest z with `A z = A e_u`, which is `Pi e_u`. Nothing arrives at observers who
//! know their own draws.) The least cost from time t on is a quadratic form `m^T Q_t m`, found
//! backwards from `Q_T = 0`. With F the nodes neither heard at t nor known to V,
//!
//! ```text
//! B = W_t Q_{t+1} W_t,    X_t = (I + s_t^2 B_FF)^-1,    r_t = X_t m_t on F,
//! Q_t = s_t^-2 I at the heard nodes,   s_t^-2 (I - X_t) on F.
//! ```
//!
//! This takes `T n^3` multiplications for all sources together, where the Gram form takes `(T
//! d_v)^3`: it is faster for long runs and for hubs.
//!
//! A mask is a draw shared by two nodes: at time 0 a shift `f_ab` of the mask of an edge without
//! observers moves `kappa f_ab` from b to a at the cost `f_ab^2`, and an attack sees
//! `kappa (p_0(a) - p_0(b))` of it.
//!
//! # What is trusted
//!
//! The `X_t` (module `gains`) are not trusted. Any matrices in their place define an alibi, whose
//! cost is an upper end. An attack gives the lower end: for any coefficients `p_t` of the draws
//! with `p_t = W_t p_{t+1}` on F and 0 at V (the states of V are functions of what it knows),
//!
//! ```text
//! leakage(u -> V) >= 2 p_0(u) - sum_t s_t^2 ||p_t||^2,
//! ```
//!
//! with equality for `p_t = z_t / s_t^2` of the cheapest alibi. At the heard nodes p is taken from
//! the alibi, elsewhere it is computed. The gap between the ends is quadratic in the error of the
//! `X_t`. The only numerical errors are those of products with W_t, a symmetric non-negative matrix
//! of norm 1: at most gamma times the length of the vector, gamma the relative error of k
//! roundings. Module `ends` evaluates both.

mod ends;
mod gains;

use crate::gram::{
    pair::Pair,
    rows::{Messages, uniform_variances},
};
use crate::{
    FastError, Loss, Progress, TARGET_WIDTH,
    arithmetic::{Real, accumulated},
    checks, memory,
    progress::Watcher,
    reach,
    steps::Steps,
    threads,
};
use gains::{Gain, Masked};
use muffliato_model::{Observer, Protocol, Schedule};

/// Number of sources handled together, independent of the number of threads.
const BATCH: usize = 64;

/// Leakage of every node of a refreshed averaging protocol, with or without masks, to an observer
/// or a coalition, by the cheapest alibis.
///
/// Like [`GramView`](crate::GramView) it is exact up to certified roundings. It takes `T n^3`
/// multiplications regardless of the number of messages.
///
/// ```
/// use muffliato_fast::{AlibiView, GramView};
/// use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
///
/// let karate = Network::try_new("karate".parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(karate, 12)?.refreshed("0.1".parse()?)?;
/// let alibi = AlibiView::of(&protocol, &Observer::full(0))?.losses()?[16].unwrap().scalars;
/// let gram = GramView::of(&protocol, &Observer::full(0))?.losses()?[16].unwrap().scalars;
/// assert!(alibi.is_certified(1e-11));
/// assert!(gram.certified.lower() <= alibi.certified.upper() && alibi.certified.lower() <= gram.certified.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AlibiView<'a> {
    protocol: Protocol,
    observer: Observer,
    messages: Messages,
    gains: Vec<Gain>,
    masked: Option<Masked>,
    watcher: Watcher<'a>,
}

impl<'a> AlibiView<'a> {
    /// Computes the gains of each step.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] unless [`AlibiView::applies`]; an error if it would exceed
    /// [`memory::limit`].
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Self, FastError> {
        Self::watched(protocol, observer, &())
    }

    /// Computes the gains of each step, reporting to `progress` now and in later calls.
    pub fn watched(
        protocol: &Protocol,
        observer: &Observer,
        progress: &'a dyn Progress,
    ) -> Result<Self, FastError> {
        checks::applies(
            Self::applies(protocol),
            "the cheapest alibi",
            "it is for averaging on networks, with uniform noise at every step, without acceleration; use GramView",
        )?;
        observer.check(protocol.nodes())?;
        checks::single_messages(observer, "the cheapest alibi")?;
        let (nodes, steps) = (protocol.nodes() as u128, protocol.steps() as u128);
        let bytes = 8 * nodes.saturating_mul(nodes).saturating_mul(steps + 6);
        memory::check(bytes, "use GramView")?;
        let messages = Messages::of(protocol, observer)?;
        let (gains, masked) = threads::inside(|| {
            let mixings = Mixings::<f64>::of(protocol)?;
            gains::backwards(protocol, &messages, &mixings, progress)
        })?;
        Ok(Self {
            protocol: protocol.clone(),
            observer: observer.clone(),
            messages,
            gains,
            masked,
            watcher: Watcher(progress),
        })
    }

    /// Returns `true` if the protocol is supported: one input per node, noise at every step, and
    /// networks whose nodes average with all neighbours, all with the same noise.
    pub fn applies(protocol: &Protocol) -> bool {
        let networks = matches!(protocol.schedule(), Schedule::Fixed(_) | Schedule::Varying { .. });
        let drawn = |t| protocol.draws(t);
        let plain = protocol.acceleration().is_none();
        // A single step under masks is left to the Gram form.
        let enough = protocol.masks().is_none() || protocol.steps() > 1;
        let uniform = protocol.uniform().is_ok();
        let drawn = (0..protocol.steps()).all(drawn);
        uniform && protocol.rounds() == 1 && networks && plain && enough && drawn
    }

    /// Estimates the nanoseconds that all losses take on one core: an inverse and a product of
    /// matrices over the nodes not heard, and four products with the gossip matrix, at each step
    /// (`cargo bench --bench estimates` compares the estimate with the clock).
    pub fn work(protocol: &Protocol, observer: &Observer) -> Result<f64, FastError> {
        let (nodes, steps) = (protocol.nodes() as f64, protocol.steps() as f64);
        let heard = protocol.messages_to(observer)? as f64 / steps.max(1.0);
        let free = (nodes - heard - observer.members().len() as f64).max(0.0);
        let entries = 2.0 * protocol.graph()?.edge_count() as f64 + nodes;
        // The last step needs no matrix.
        let products = 0.07 * free.powi(3) + nodes * nodes + 0.6 * entries * nodes;
        Ok((steps - 1.0) * (products + 3_000.0))
    }

    /// Computes the loss of every node; `None` for the observers.
    ///
    /// Sources that cannot reach the observer have exactly 0. Without masks, sources that send
    /// their input directly to the observer have exactly 1.
    pub fn losses(&self) -> Result<Vec<Option<Loss>>, FastError> {
        let (mut losses, mut unknown) = reach::certain_losses(&self.protocol, &self.observer);
        threads::inside(|| {
            let floats = Mixings::<f64>::of(&self.protocol)?;
            self.fill(&floats, &unknown, &mut losses)?;
            let poor = |u: &usize| {
                losses[*u].is_none_or(|found| !found.scalars.is_certified(TARGET_WIDTH))
            };
            unknown.retain(poor);
            if unknown.is_empty() {
                return Ok(());
            }
            let pairs = Mixings::<Pair>::of(&self.protocol)?;
            self.fill(&pairs, &unknown, &mut losses)
        })?;
        Ok(losses)
    }

    fn fill<N: Real>(
        &self,
        mixings: &Mixings<N>,
        sources: &[usize],
        losses: &mut [Option<Loss>],
    ) -> Result<(), FastError> {
        let batches: Vec<&[usize]> = sources.chunks(BATCH).collect();
        let found = threads::in_order(batches.len(), |batch| {
            self.watcher.0.check(batch, batches.len()).map(|()| self.ends(mixings, batches[batch]))
        });
        for (batch, found) in batches.iter().zip(found) {
            for (&u, loss) in batch.iter().zip(found?) {
                losses[u] = Some(loss);
            }
        }
        Ok(())
    }
}

/// Gossip matrices of all steps in one precision.
struct Mixings<N = f64> {
    steps: Steps<N>,
    /// The noise variances `s_t^2`.
    variances: Vec<muffliato_model::Fraction>,
    /// Error of a product relative to the length of the vector.
    gamma: f64,
}

impl<N: Real> Mixings<N> {
    fn of(protocol: &Protocol) -> Result<Self, FastError> {
        let steps = Steps::of(protocol)?;
        let gamma = accumulated(steps.roundings(), N::UNIT);
        Ok(Self { steps, variances: uniform_variances(protocol), gamma })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{GraphSpec, Network, WeightScheme};

    /// Gains are not trusted: wrong ones widen the ends but keep them sound.
    #[test]
    fn wrong_gains_only_widen_the_ends() {
        let graph = "grid:4x4".parse::<GraphSpec>().unwrap().build().unwrap();
        let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
        let protocol = Protocol::one_shot(network, 6).unwrap();
        let protocol = protocol.refreshed("1/4".parse().unwrap()).unwrap();
        let mut view = AlibiView::of(&protocol, &Observer::full(0)).unwrap();
        let right = view.losses().unwrap();
        for gain in &mut view.gains {
            for (place, entry) in gain.matrix.iter_mut().enumerate() {
                *entry *= 1.0 + 0.3 * ((place % 7) as f64 / 7.0 - 0.5);
            }
        }
        let wrong = view.losses().unwrap();
        let mut wider = 0;
        for (right, wrong) in right.iter().flatten().zip(wrong.iter().flatten()) {
            let (right, wrong) = (right.scalars, wrong.scalars);
            assert!(wrong.certified.upper() >= right.certified.lower());
            assert!(wrong.certified.lower() <= right.certified.upper());
            wider += usize::from(!wrong.is_certified(1e-6));
        }
        assert!(wider > 8, "{wider}");
    }
}
