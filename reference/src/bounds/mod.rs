//! The paper's formulas, as printed, in units of `L = alpha Delta^2 / (2 sigma^2)`.
//!
//! These are the paper's *claims*, not guarantees: most of the pairwise ones are refuted, because
//! the messages that a node receives are correlated and their losses do not add up. What is
//! guaranteed is the exact loss, [`View::leakage`](crate::View::leakage).
//!
//! Coalitions need no formula of their own: an [`Observer`] with several members receives the
//! messages of the distinct neighbours of its members outside itself.

mod gradient_descent;
mod random_graph;
mod random_walk;

pub use gradient_descent::{
    RoundExponent, gd_bound_general, gd_bound_simple, time_varying_coalition_gd,
};
pub use random_graph::{ErdosRenyiBound, erdos_renyi_bound};
pub use random_walk::random_walk_bound;

use crate::{
    ExactInteger, GossipMatrix, ReferenceError, arithmetic::square_sum, check_source,
    rational::whole,
};
use muffliato_model::{Observer, Protocol, Schedule};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;

/// Theorem 1 and what follows from it, for one averaging protocol.
///
/// Noise that is refreshed and Chebyshev acceleration do not enter: the paper's analysis is that of
/// the plain protocol on the same matrices.
#[derive(Clone, Debug)]
pub struct PaperBounds<I = BigInt> {
    protocol: Protocol,
    /// `W_{0:t}` for t = 0..T.
    products: Vec<GossipMatrix<I>>,
}

impl<I: ExactInteger> PaperBounds<I> {
    /// Computes the products `W_{0:t} = W_{t-1} ... W_0`. Gradient descent of several rounds has
    /// bounds of its own, [`gd_bound_simple`] and [`gd_bound_general`].
    pub fn of(protocol: &Protocol) -> Result<Self, ReferenceError> {
        if protocol.rounds() != 1 {
            return Err(ReferenceError::BadParameter {
                parameter: "rounds",
                value: protocol.rounds().to_string(),
                expected: "Theorem 1 is about one round of averaging; use the bounds for gradient descent",
            });
        }
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let entries = nodes as u128 * nodes as u128 * steps as u128;
        let limit = crate::Process::<I>::MAX_ENTRIES;
        if entries > limit {
            return Err(ReferenceError::TooLarge {
                nodes,
                steps,
                entries,
                limit,
            });
        }
        let mut matrix = GossipMatrix::of_step(protocol.step(0))?;
        let mut products = vec![GossipMatrix::identity(nodes)];
        for t in 1..steps {
            products.push(matrix.times(&products[t - 1]));
            if !matches!(protocol.schedule(), Schedule::Fixed(_)) {
                matrix = GossipMatrix::of_step(protocol.step(t))?;
            }
        }
        Ok(Self {
            protocol: protocol.clone(),
            products,
        })
    }

    /// Theorem 1: `f(u,v) = sum_{t<T} sum_{w in N_t(v)} (W_{0:t})_{w,u}^2 / ||(W_{0:t})_w||^2`; for a
    /// coalition its extension in the appendix.
    ///
    /// The entry is that of row w (the message of w), column u: rows and columns differ for
    /// time-varying matrices.
    pub fn pairwise(&self, source: usize, observer: &Observer) -> Result<Ratio<I>, ReferenceError> {
        self.group(&[source], observer)
    }

    /// The group bound: Theorem 1 with the numerator `sum_{u in U} (W_{0:t})_{w,u}^2`.
    pub fn group(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Ratio<I>, ReferenceError> {
        observer.check(self.protocol.nodes())?;
        if sources.is_empty() {
            return Err(ReferenceError::NoSource);
        }
        let mut distinct = sources.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        for &source in &distinct {
            check_source(source, self.protocol.nodes(), observer)?;
        }
        let mut sum = Ratio::zero();
        for (t, product) in self.products.iter().enumerate() {
            for w in self.protocol.step(t).senders_to(observer.members()) {
                sum += squared_share(product.row(w), &distinct);
            }
        }
        Ok(sum)
    }

    /// Theorem 1 for all sources at once, the observers themselves included (which the mean-loss
    /// identity counts).
    pub fn pairwise_all(&self, observer: &Observer) -> Result<Vec<Ratio<I>>, ReferenceError> {
        observer.check(self.protocol.nodes())?;
        let mut sums = vec![Ratio::zero(); self.protocol.nodes()];
        for (t, product) in self.products.iter().enumerate() {
            for w in self.protocol.step(t).senders_to(observer.members()) {
                let row = product.row(w);
                let norm = square_sum(row);
                for (sum, entry) in sums.iter_mut().zip(row) {
                    if !entry.is_zero() {
                        *sum += Ratio::new(entry.times(entry), norm.clone());
                    }
                }
            }
        }
        Ok(sums)
    }

    /// The paper's mean loss `(1/n) sum_{u not in V} f(u,V)`. With the observers included the sum is
    /// exactly the number of messages (the mean-loss identity), so that this is at most `T_v / n`.
    pub fn mean_loss(&self, observer: &Observer) -> Result<Ratio<I>, ReferenceError> {
        let all = self.pairwise_all(observer)?;
        let outside = all.into_iter().enumerate();
        let sum = outside
            .filter(|&(u, _)| !observer.contains(u))
            .fold(Ratio::zero(), |sum: Ratio<I>, (_, f)| sum + f);
        Ok(sum / Ratio::from_integer(whole(self.protocol.nodes())?))
    }
}

/// `sum_{u in sources} row_u^2 / ||row||^2`: what Theorem 1 charges for one message.
pub(crate) fn squared_share<I: ExactInteger>(row: &[I], sources: &[usize]) -> Ratio<I> {
    let mut above = I::zero();
    for &u in sources {
        above += &row[u].times(&row[u]);
    }
    Ratio::new(above, square_sum(row))
}
