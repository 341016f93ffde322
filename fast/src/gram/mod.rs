//! Leakage of protocols with fresh noise, by the Gram form with a certificate (SPEC sections 5, 8, 9).
//!
//! Let A hold the coefficients of the observed messages over the draws, those that the observer knows taken out, each
//! scaled by its standard deviation; let `G = A A^T` and let `a_i` be the coefficients of input i. If G is regular, the
//! projector onto the row space of A has `P_ij = e_i^T Pi e_j = a_i^T G^-1 a_j`. G has one row for each message, whatever
//! the number of nodes.
//!
//! # How large the smallest eigenvalue of G is
//!
//! For symmetric gossip matrices W_t (one or many, each of norm at most 1), reactions of absolute value at
//! most 1, no acceleration, and noise of deviation at least `tau` at every step:
//!
//! ```text
//! G >= min(1, tau)^2 / 4 * I.
//! ```
//!
//! *Proof.* States y and draws x are related by `y = N y + x` with N the block sub-diagonal of the `D_{t+1} W_t`, a contraction; so
//! `y = L x`, `L = (I - N)^-1`. From `||x||^2 = ||y - N y||^2 <= 2 ||y||^2 - 2 <N y, y> = 2 <x, y>` we have
//! `<x, L x> >= ||x||^2 / 2`. This property is inherited by the principal submatrix L' without the rows and columns
//! of the known draws (take x zero there), so that `||L'^T z|| >= ||z|| / 2`. All messages come from nodes that are
//! not observers, so G is a principal submatrix of `L' S^2 L'^T >= min(s)^2 / 4`. QED.
//!
//! The constant 1 in place of 1/4 would be wrong: two nodes, Metropolis weights, T = 2, observer 0 have
//! `G = [[1, 1/2], [1/2, 1/4 + tau^2]]`, of determinant `tau^2` and trace above 1, so that its smallest eigenvalue is below `tau^2`. [`walk_bound`] is the closed form that follows from it.
//!
//! With acceleration the same relation gives `||x|| <= (1 + g + |1-g|) ||y||` for the paper's view only.
//! The certificate below needs none of these constants: it proves the regularity of G as it goes.
//!
//! # The certificate
//!
//! A guess M for the inverse Cholesky factor of G is checked once, `||M G M^T - I|| <= eps`; then `P_ij` is
//! `(M a_i)^T (M a_j)` up to known errors, for any number of sources. G is computed in f64 with counted roundings, and in
//! pairs of floats where tau is so small that those of f64 are too many. Where G is singular or too close to it (one-shot noise, gradient
//! descent with K > 1 without refreshing), a small multiple of I is added to it. This lowers all losses, so that the
//! lower end stays certified; the value is an estimate, and the certified upper end is the trivial one.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `moments` | a fixed symmetric matrix: G from `(W^k)_{N(v),N(v)}` |
//! | `adjoint` | any schedule: a row of G from one run backwards and one forwards |
//! | `whitening` | the certificate |
//! | `loss` | from columns to losses |
//! | `pair` | 106-bit numbers |

mod adjoint;
mod dense;
mod loss;
mod mixing;
mod moments;
mod number;
mod pair;
mod rows;
mod sharing;
mod walk;
mod whitening;

pub use loss::{LossModel, ViewLoss};
pub use walk::walk_bound;

use crate::{FastError, Progress};
use adjoint::GeneralView;
use loss::{Reach, WhitenedInputs, column_spread, whitened};
use moments::FixedView;
use muffliato_model::{Observer, Protocol};
use number::Number;
use pair::Pair;
use rows::{Columns, Gram, Messages, Rows};
use sharing::in_order;
use whitening::{SMALL_DEFECT, Whitening};

/// The most bytes that a view may take.
pub const MEMORY_LIMIT: u128 = 4 << 30;

/// The width of the enclosure of one `P_ij` that is aimed for; losses of several inputs sum them.
pub const TARGET_WIDTH: f64 = 1e-9;

/// Sources that are whitened together, whatever the number of threads.
const BATCH: usize = 64;

/// Everything that an observer sees of a run, reduced so that the losses of all sources can be read off.
///
/// Memory is `O(n (d_v + T) + (T d_v)^2)` for protocols on a fixed network, and `O(n T)` for each thread plus
/// `O((T d_v)^2)` otherwise; beyond [`MEMORY_LIMIT`] a view is refused.
///
/// ```
/// use muffliato_fast::GramView;
/// use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
///
/// let cube = "hypercube:4".parse::<GraphSpec>()?.build()?;
/// let network = Network::try_new(cube, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(network, 6)?.refreshed("0.1".parse()?)?;
/// let losses = GramView::of(&protocol, &Observer::full(0), &())?.losses(&())?;
/// let far = losses[15].expect("15 does not observe").loss;
/// assert!(far.is_certified(1e-9) && far.certified.upper() < 0.46);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GramView {
    protocol: Protocol,
    observer: Observer,
    messages: Messages,
    whitening: Whitening,
    reach: Reach,
}

impl GramView {
    /// What `observer` sees of `protocol`. An observer outside the protocol, an unknown weight scheme and a view
    /// beyond [`MEMORY_LIMIT`] are errors.
    pub fn of(
        protocol: &Protocol,
        observer: &Observer,
        progress: &dyn Progress,
    ) -> Result<Self, FastError> {
        check_memory(protocol, observer)?;
        let messages = Messages::of(protocol, observer);
        let (whitening, reach) = whiten(protocol, &messages, progress)?;
        Ok(Self {
            protocol: protocol.clone(),
            observer: observer.clone(),
            messages,
            whitening,
            reach,
        })
    }

    /// What the losses of this view are computed for.
    pub fn model(&self) -> LossModel {
        match (self.protocol.rounds(), self.protocol.reaction()) {
            (1, _) => LossModel::SingleInput,
            (_, None) => LossModel::GradientsAsInputs,
            (_, Some(_)) => LossModel::QuadraticLosses,
        }
    }

    /// The number of messages that the observer receives.
    pub fn messages(&self) -> usize {
        self.messages.size()
    }

    /// Whether the Gram matrix was proved regular, so that both ends of all losses are certified. Otherwise
    /// values are estimates with a certified lower and a trivial upper end.
    pub fn is_certified(&self) -> bool {
        self.reach == Reach::Both
    }

    /// The loss of every node; `None` for the observers themselves.
    ///
    /// Sources that cannot reach the observer have exactly 0, and with one input a node those who send it to the observer
    /// at once exactly 1.
    pub fn losses(&self, progress: &dyn Progress) -> Result<Vec<Option<ViewLoss>>, FastError> {
        let model = self.model();
        let reachable = self.messages.reachable(&self.protocol);
        let mut losses = vec![None; self.protocol.nodes()];
        let mut unknown = Vec::new();
        for (u, loss) in losses.iter_mut().enumerate() {
            if self.observer.contains(u) {
                continue;
            } else if !reachable[u] {
                *loss = Some(ViewLoss::exactly(0.0, model));
            } else if model == LossModel::SingleInput && self.messages.senders[0].contains(&u) {
                *loss = Some(ViewLoss::exactly(1.0, model));
            } else {
                unknown.push(u);
            }
        }
        let single = view::<f64>(&self.protocol, &self.messages)?;
        if column_spread(&self.whitening, single.column_error()) <= TARGET_WIDTH {
            self.fill(&*single, &unknown, &mut losses, progress)?;
        }
        let poor = |u: &usize| {
            losses[*u].is_none_or(|found| {
                found.width() > TARGET_WIDTH * found.absolute_sum.estimate.max(1.0)
            })
        };
        let poor: Vec<_> = match self.reach {
            Reach::Both => unknown.iter().copied().filter(poor).collect(),
            Reach::LowerEnd => unknown
                .iter()
                .copied()
                .filter(|&u| losses[u].is_none())
                .collect(),
        };
        if !poor.is_empty() {
            let double = view::<Pair>(&self.protocol, &self.messages)?;
            self.fill(&*double, &poor, &mut losses, progress)?;
        }
        Ok(losses)
    }

    /// The loss of all inputs of `sources` together: a group of users. Sources are counted once; an empty group loses nothing.
    /// A source that observes or is not a node is an error.
    pub fn group_loss(
        &self,
        sources: &[usize],
        progress: &dyn Progress,
    ) -> Result<ViewLoss, FastError> {
        let mut distinct = sources.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let nodes = self.protocol.nodes();
        for &source_node in &distinct {
            if source_node >= nodes {
                return Err(FastError::SourceOutOfRange { source_node, nodes });
            }
            if self.observer.contains(source_node) {
                return Err(FastError::SourceObserves { node: source_node });
            }
        }
        let reachable = self.messages.reachable(&self.protocol);
        distinct.retain(|&source| reachable[source]);
        if distinct.is_empty() {
            return Ok(ViewLoss::exactly(0.0, self.model()));
        }
        let view = view::<Pair>(&self.protocol, &self.messages)?;
        let columns = view.columns(&distinct, progress)?;
        let found = self.whitened(&*view, &columns, 0, distinct.len());
        let all: Vec<_> = (0..distinct.len()).collect();
        Ok(self.loss_of(&found, &all))
    }

    /// Computes the losses of `sources` in this precision, as many at a time as memory allows.
    fn fill(
        &self,
        view: &dyn Rows,
        sources: &[usize],
        losses: &mut [Option<ViewLoss>],
        progress: &dyn Progress,
    ) -> Result<(), FastError> {
        let width = self
            .messages
            .senders
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        let linear = self.protocol.nodes() * (width + self.protocol.steps());
        let column = (self.messages.size() * view.blocks()).max(1);
        let at_once = ((2 * linear).max(1 << 21) / column).max(BATCH);
        for (pass, sources) in sources.chunks(at_once).enumerate() {
            let columns = view.columns(sources, progress)?;
            let batches: Vec<usize> = (0..sources.len()).step_by(BATCH).collect();
            let found = in_order(&batches, |&from| {
                let count = BATCH.min(sources.len() - from);
                let whitened = self.whitened(view, &columns, from, count);
                (0..count)
                    .map(|k| self.loss_of(&whitened, &[k]))
                    .collect::<Vec<_>>()
            });
            for (&u, loss) in sources.iter().zip(found.into_iter().flatten()) {
                losses[u] = Some(loss);
            }
            let done = (pass * at_once + sources.len()).min(losses.len());
            progress.check(done, losses.len())?;
        }
        Ok(())
    }

    fn whitened(
        &self,
        view: &dyn Rows,
        columns: &Columns,
        from: usize,
        count: usize,
    ) -> Vec<(Vec<f64>, Vec<f64>)> {
        let spread = column_spread(&self.whitening, view.column_error());
        let rounds = &self.messages.first_rows;
        let errors = (spread, view.underflow());
        whitened(&self.whitening, columns, rounds, from, count, errors)
    }

    /// The loss of the sources at these places of a whitened batch, taken together.
    fn loss_of(&self, whitened: &[(Vec<f64>, Vec<f64>)], places: &[usize]) -> ViewLoss {
        let mut inputs = WhitenedInputs {
            entries: Vec::with_capacity(whitened.len() * places.len()),
            errors: Vec::with_capacity(whitened.len() * places.len()),
        };
        for ((entries, errors), first) in whitened.iter().zip(&self.messages.first_rows) {
            let rows = self.messages.size() - first;
            for &place in places {
                inputs
                    .entries
                    .push(&entries[place * rows..(place + 1) * rows]);
                inputs.errors.push(errors[place]);
            }
        }
        inputs.loss(self.whitening.defect, self.reach, self.model())
    }
}

/// The view in one precision, assembled by the cheaper way that applies.
fn view<'a, N: Number>(
    protocol: &'a Protocol,
    messages: &'a Messages,
) -> Result<Box<dyn Rows + 'a>, FastError> {
    let plain = protocol.acceleration().is_none()
        && (protocol.reaction().is_none() || protocol.rounds() == 1);
    Ok(if protocol.fixed_network().is_some() && plain {
        Box::new(FixedView::<N>::new(protocol, messages)?)
    } else {
        Box::new(GeneralView::<N>::new(protocol, messages)?)
    })
}

fn whiten(
    protocol: &Protocol,
    messages: &Messages,
    progress: &dyn Progress,
) -> Result<(Whitening, Reach), FastError> {
    let gram = view::<f64>(protocol, messages)?.gram(progress)?;
    let single = Whitening::of(&gram);
    if let Some(single) = single.as_ref()
        && single.defect <= SMALL_DEFECT / protocol.rounds() as f64
    {
        return Ok((single.clone(), Reach::Both));
    }
    let double = Whitening::of(&view::<Pair>(protocol, messages)?.gram(progress)?);
    if let Some(best) = double.or(single) {
        return Ok((best, Reach::Both));
    }
    Ok((enlarged(gram), Reach::LowerEnd))
}

/// The whitening of `G + delta I` for a small delta that makes it regular. If nothing does, the zero matrix, which says that losses are at least 0.
fn enlarged(mut gram: Gram) -> Whitening {
    let size = gram.size;
    let diagonal = |k: usize| k * (size + 1);
    let largest = (0..size)
        .map(|k| gram.high[diagonal(k)])
        .fold(0.0, f64::max);
    let mut delta = largest * 2f64.powi(-48);
    for _ in 0..12 {
        for k in 0..size {
            let sum = gram.high[diagonal(k)] + delta;
            gram.error[diagonal(k)] += crate::UNIT_ROUNDOFF * 1.01 * sum;
            gram.high[diagonal(k)] = sum;
        }
        if let Some(whitening) = Whitening::of(&gram) {
            return whitening;
        }
        delta *= 8.0;
    }
    Whitening {
        size,
        matrix: vec![0.0; size * size],
        defect: 0.0,
        norm: 0.0,
    }
}

/// `Err` if the view of `observer` takes more than [`MEMORY_LIMIT`], before anything is allocated.
fn check_memory(protocol: &Protocol, observer: &Observer) -> Result<(), FastError> {
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
    // Three blocks of pairs and the columns of some sources; six square matrices.
    let bytes = size
        .saturating_mul(size)
        .saturating_mul(48)
        .saturating_add(linear.saturating_mul(64));
    if bytes > MEMORY_LIMIT {
        return Err(FastError::TooMuchMemory {
            bytes,
            limit: MEMORY_LIMIT,
            remedy: "take fewer steps or an observer with fewer neighbours",
        });
    }
    Ok(())
}
