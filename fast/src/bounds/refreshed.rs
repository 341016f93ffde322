//! Closed forms that bound the leakage of refreshed protocols.
//!
//! The leakage `a^T G^{-1} a` is the least squared norm of draws (in units of their standard
//! deviations, none of them the observer's) that give the observer the same messages as a unit
//! input at u. Any such explanation is therefore an upper bound. In this one the sender w, when
//! heard at t, draws exactly the amount that arrives from u at w without having passed a heard
//! sender before. By decomposing walks at their first such passage, the draws account for
//! everything heard later. Draws have standard deviation 1 at t = 0 and tau later: this is the
//! *first-passage bound*. Its amounts `f_{t,w}` are at most `(W_{0:t})_{w,u}`, which gives the
//! weaker *walk bound*.
//!
//! ```text
//! walk:           [u in N_0(V)] + tau^-2 sum_{t=1..T-1} sum_{w in N_t(V)} (W_{0:t})_{w,u}^2
//! first passage:  [u in N_0(V)] + tau^-2 sum_{t=1..T-1} sum_{w in N_t(V)} f_{t,w}^2
//!                 x_0 = e_u; f_t = x_t at N_t(V), which is then set to 0 in x_t; x_{t+1} = W_t x_t
//! ```
//!
//! The explanation does not use masks, so both bounds also hold with masks. For all u at once, f is
//! computed backwards from w as in the paper's bound, with the entries at `N_s(V)` set to 0 at each
//! time s.

use super::{PaperBounds, Summed, Sums};
use crate::{Enclosure, FastError, Progress, SMALLEST};
use muffliato_model::{Fraction, Observer, Protocol};

/// Certified upper bounds on the leakage of a refreshed averaging protocol, in units of L.
///
/// Each value encloses the closed form, capped at 1 (LDP). Its upper end bounds the leakage to the
/// full view, and so to the paper's view, which knows less.
///
/// ```
/// use muffliato_fast::bounds::RefreshedBounds;
/// use muffliato_model::{Network, Observer, Protocol};
///
/// let network = Network::metropolis("hypercube:8".parse()?)?;
/// let protocol = Protocol::one_shot(network, 12)?.refreshed("1/16".parse()?)?;
/// let bounds = RefreshedBounds::of(&protocol)?;
/// let far = bounds.first_passage_all(&Observer::full(0))?[255];
/// let walk = bounds.walk_all(&Observer::full(0))?[255];
/// assert!(far.upper() < walk.upper() && walk.upper() < 1.0, "{far:?} {walk:?}");
/// assert!(bounds.with_memory_limit(8).walk_all(&Observer::full(0)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RefreshedBounds<'a> {
    /// The formulas of the protocol, whose sums are reused.
    paper: PaperBounds<'a>,
    tau: Fraction,
}

impl<'a> RefreshedBounds<'a> {
    /// Prepares the gossip matrices of a refreshed protocol of one round without acceleration.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for any other protocol.
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        let refuse = |reason| FastError::NotApplicable {
            formula: "a closed form for refreshed protocols",
            reason,
        };
        let tau = protocol.uniform()?.tau;
        let tau = tau.ok_or(refuse("it adds no fresh noise; use Protocol::refreshed"))?;
        if protocol.rounds() != 1 {
            return Err(refuse(
                "it has inputs in several rounds; use the leakage of gradient descent",
            ));
        }
        if protocol.acceleration().is_some() {
            return Err(refuse(
                "it is accelerated, so that its messages are no walk's probabilities; use the certified leakage",
            ));
        }
        Ok(Self { paper: PaperBounds::of(protocol)?, tau })
    }

    /// Sets the memory limit, in bytes, of one answer beside the matrices.
    pub fn with_memory_limit(mut self, bytes: u128) -> Self {
        self.paper = self.paper.with_memory_limit(bytes);
        self
    }

    /// Sets the receiver of progress reports.
    pub fn watched(mut self, progress: &'a dyn Progress) -> Self {
        self.paper = self.paper.watched(progress);
        self
    }

    /// Computes the walk bound for all sources; 1 for the observers.
    pub fn walk_all(&self, observer: &Observer) -> Result<Vec<Enclosure>, FastError> {
        self.all(observer, false)
    }

    /// Computes the first-passage bound for all sources, never above the walk bound; 1 for the
    /// observers.
    pub fn first_passage_all(&self, observer: &Observer) -> Result<Vec<Enclosure>, FastError> {
        self.all(observer, true)
    }

    fn all(&self, observer: &Observer, absorbing: bool) -> Result<Vec<Enclosure>, FastError> {
        let Sums { values, mut precision, heard } =
            self.paper.summed(observer, 1, Summed::Squares { absorbing })?;
        let below = self.tau.denominator() as f64 / self.tau.numerator() as f64;
        let factor = below * below;
        let zeros_are_exact = precision.lost == 0.0;
        // Three roundings in 1/tau, so seven in its square, and the product with the sum.
        precision = precision.and(8);
        // These products can underflow if tau is large.
        precision.lost = precision.lost * factor * 2.0 + SMALLEST;
        let mut bounds: Vec<_> = (0..values.len())
            .map(|u| {
                let reached = heard.as_ref().is_none_or(|heard| heard[u]);
                if !reached || (values[u] == 0.0 && zeros_are_exact) {
                    return Enclosure::exact(0.0);
                }
                precision.enclose(values[u] * factor).clamped_above(1.0)
            })
            .collect();
        let known = observer.members().iter().copied();
        for u in known.chain(self.paper.steps.senders(0, observer.members())) {
            bounds[u] = Enclosure::exact(1.0);
        }
        Ok(bounds)
    }
}
