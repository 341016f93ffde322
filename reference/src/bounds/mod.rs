//! The paper's formulas, as printed, in units of `L = alpha Delta^2 / (2 sigma^2)`.
//!
//! These are the paper's *claims*, not guarantees. Most of the pairwise ones are refuted, because
//! the messages that a node receives are correlated and their losses do not add up. The guarantee
//! is the exact loss, [`View::leakage`](crate::View::leakage).
//!
//! Coalitions need no formula of their own: an [`Observer`] with several members receives the
//! messages of the distinct neighbours outside it.

mod gradient_descent;
mod random_graph;
mod random_walk;

pub use gradient_descent::{
    RoundExponent, gd_bound_general, gd_bound_simple, time_varying_coalition_gd,
};
pub use random_graph::{ErdosRenyiBound, erdos_renyi_bound};
pub use random_walk::random_walk_bound;

use crate::{
    GossipMatrix, ReferenceError, arithmetic::square_sum, checks::check_sources, rational::whole,
};
use muffliato_model::{Observer, Protocol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeSet;

/// Theorem 1 and its consequences for one averaging protocol.
///
/// Refreshed noise, masks and Chebyshev acceleration are ignored: the paper's analysis is that of
/// the plain protocol on the same matrices. Noise plans are refused.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::PaperBounds;
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let bounds = PaperBounds::of(&Protocol::one_shot(path, 2)?)?;
/// let shown: Vec<_> = bounds.pairwise_all(&Observer::full(2))?.iter().map(ToString::to_string).collect();
/// assert_eq!(shown, ["1/3", "4/3", "1/3"]); // they sum to the two messages
/// assert_eq!(bounds.mean_loss(&Observer::full(2))?.to_string(), "5/9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PaperBounds {
    protocol: Protocol,
    /// `W_{0:t}` for t = 0..T.
    products: Vec<GossipMatrix>,
}

impl PaperBounds {
    /// Computes the products `W_{0:t} = W_{t-1} ... W_0`. For gradient descent of several rounds
    /// see [`gd_bound_simple`] and [`gd_bound_general`].
    ///
    /// # Errors
    ///
    /// Returns an error for several rounds, for a noise plan, and for too large a protocol.
    pub fn of(protocol: &Protocol) -> Result<Self, ReferenceError> {
        if protocol.rounds() != 1 {
            return Err(ReferenceError::NotApplicable {
                formula: "Theorem 1",
                reason: "it is about one round of averaging; use the bounds for gradient descent",
            });
        }
        protocol.uniform()?;
        let steps = (0..protocol.steps()).map(|t| protocol.step(t));
        Ok(Self {
            protocol: protocol.clone(),
            products: GossipMatrix::products(protocol.nodes(), steps)?,
        })
    }

    /// Computes Theorem 1,
    /// `f(u,v) = sum_{t<T} sum_{w in N_t(v)} (W_{0:t})_{w,u}^2 / ||(W_{0:t})_w||^2`; for a
    /// coalition its extension in the appendix.
    ///
    /// The entry is that of row w (the message of w), column u. Rows and columns differ for
    /// time-varying matrices.
    ///
    /// # Errors
    ///
    /// Returns an error for a source that does not exist or observes.
    pub fn pairwise(
        &self,
        source: usize,
        observer: &Observer,
    ) -> Result<BigRational, ReferenceError> {
        self.group(&[source], observer)
    }

    /// Computes the group bound: Theorem 1 with the numerator `sum_{u in U} (W_{0:t})_{w,u}^2`.
    ///
    /// # Errors
    ///
    /// Returns an error for sources that do not exist or observe.
    pub fn group(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<BigRational, ReferenceError> {
        observer.check(self.protocol.nodes())?;
        let sources = check_sources(sources, self.protocol.nodes(), observer)?;
        let rows = self.observed_rows(observer);
        Ok(rows.map(|row| squared_share(row, &sources)).sum())
    }

    /// Computes Theorem 1 for all sources at once, including the observers (which the mean-loss
    /// identity counts).
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    pub fn pairwise_all(&self, observer: &Observer) -> Result<Vec<BigRational>, ReferenceError> {
        observer.check(self.protocol.nodes())?;
        let mut sums = vec![BigRational::zero(); self.protocol.nodes()];
        for row in self.observed_rows(observer) {
            let norm = square_sum(row);
            for (sum, entry) in sums.iter_mut().zip(row) {
                if !entry.is_zero() {
                    *sum += BigRational::new(entry * entry, norm.clone());
                }
            }
        }
        Ok(sums)
    }

    /// Estimates the operations on machine words of [`PaperBounds::pairwise_all`]: the denominators
    /// of different messages multiply, and each sum is reduced message by message.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    pub fn work(&self, observer: &Observer) -> Result<u128, ReferenceError> {
        observer.check(self.protocol.nodes())?;
        let norms: Vec<BigInt> = self.observed_rows(observer).map(square_sum).collect();
        let distinct: BTreeSet<&BigInt> = norms.iter().collect();
        let bits: u128 = distinct.iter().map(|norm| u128::from(norm.bits())).sum();
        let sums = norms.len() as u128 * self.protocol.nodes() as u128;
        Ok(sums.saturating_mul(bits.saturating_mul(bits)) / 100)
    }

    /// Computes the paper's mean loss `(1/n) sum_{u not in V} f(u,V)`. With the observers included
    /// the sum is exactly the number of messages (the mean-loss identity), so this is at most
    /// `T_v / n`.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    pub fn mean_loss(&self, observer: &Observer) -> Result<BigRational, ReferenceError> {
        let all = self.pairwise_all(observer)?;
        let outside = all.into_iter().enumerate();
        let sum: BigRational =
            outside.filter(|&(u, _)| !observer.contains(u)).map(|(_, bound)| bound).sum();
        Ok(sum / whole(self.protocol.nodes()))
    }

    /// Returns the rows of `W_{0:t}` that reach the observer as messages.
    fn observed_rows(&self, observer: &Observer) -> impl Iterator<Item = &[BigInt]> {
        self.products.iter().enumerate().flat_map(move |(t, product)| {
            let senders = self.protocol.step(t).senders_to(observer.members());
            senders.into_iter().map(move |w| product.row(w))
        })
    }
}

/// Returns `sum_{u in sources} row_u^2 / ||row||^2`, the charge of Theorem 1 for one message.
pub(crate) fn squared_share(row: &[BigInt], sources: &[usize]) -> BigRational {
    let (above, below) = crate::arithmetic::squared_share(row, sources);
    BigRational::new(above, below)
}
