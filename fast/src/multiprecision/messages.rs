//! The observed rows of a view, in the order of time.
//!
//! A row has one coefficient for each draw: the draws of all nodes in the first round, then in the
//! second, and so on up to the round in which the message is sent. With `D` the reactions at the
//! beginning of a round (`D = I` if there are none) and g the acceleration, states follow
//!
//! ```text
//! y_s = D z_s + x_s  at the beginning of a round,  y_s = z_s  else,
//! z_{s+1} = W_s y_s  at the beginning of a round,  z_{s+1} = g W_s y_s + (1 - g) y_{s-1}  else.
//! ```
//!
//! # Masks
//!
//! With masks a message is `p^T (x + eta + B m)`: its row has the coefficients p on the draws of
//! the nodes and `kappa (p_a - p_b)` on each mask {a, b}, scaled to deviation 1. Masks known to the
//! observer are left out: given them, it sees a message without them. The map from p to its row is
//! linear and injective, and it maps a unit vector of an observer to itself, as all its masks are
//! known: rows depend on each other exactly if their coefficients p do.
//!
//! # Denominators
//!
//! A row times its denominator is an integer vector, which makes rank decisions possible (see
//! `space`).

use super::{
    gossip::ExactWeights,
    vector::{RoundedVector, root_above},
};
use crate::FastError;
use muffliato_model::{Fraction, Observer, Protocol, Schedule, Step};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

/// For each step of a round, the senders whose message is new; none after the last step.
pub(super) type News = Vec<Vec<usize>>;

/// The rows of a protocol.
#[derive(Clone, Debug)]
pub(super) struct Messages<'a> {
    protocol: &'a Protocol,
    /// The messages of each round that count, the last entry for all further rounds; `None` if all
    /// do.
    news: Option<&'a [News]>,
    precision: usize,
    /// The matrix of each network, in order, each for a number of steps.
    weights: Vec<ExactWeights>,
    each: usize,
    /// Whether all rows are `W^t e_w`, up to their order and combinations.
    krylov: bool,
    /// g and 1 - g, if they change the row space.
    acceleration: Option<[(BigInt, BigInt); 2]>,
    reaction: Option<Reaction>,
}

/// Factors of the state of each node at the beginning of a round.
#[derive(Clone, Debug)]
struct Reaction {
    factors: Vec<(BigInt, BigInt)>,
    /// An integer upper bound on the absolute value of all factors.
    largest: BigUint,
}

/// The row of a sender.
pub(super) struct Heard {
    pub sender: usize,
    pub row: RoundedVector,
}

impl<'a> Messages<'a> {
    pub fn of(
        protocol: &'a Protocol,
        news: Option<&'a [News]>,
        precision: usize,
    ) -> Result<Self, FastError> {
        let (distinct, each) = match protocol.schedule() {
            Schedule::Fixed(_) => (1, protocol.steps()),
            Schedule::Varying { networks, each } => (networks.len(), *each),
            _ => (protocol.steps(), 1),
        };
        let weights = (0..distinct).map(|index| ExactWeights::of_step(protocol.step(index * each)));
        let krylov = protocol.fixed_network().is_some() && protocol.rounds() == 1;
        // On a fixed network the polynomials of both recursions span the same space, in one round.
        let acceleration = protocol.acceleration().filter(|_| !krylov).map(|g| {
            let (above, below) = parts(g);
            [(above.clone(), below.clone()), (&below - above, below)]
        });
        Ok(Self {
            protocol,
            news,
            precision,
            weights: weights.collect::<Result<_, _>>()?,
            each,
            krylov,
            acceleration,
            reaction: protocol.reaction().map(Reaction::of),
        })
    }

    /// Returns the matrix of the step at time t.
    pub fn weights(&self, t: usize) -> &ExactWeights {
        &self.weights[t / self.each]
    }

    /// Returns `true` if the step at time t is accelerated.
    pub fn is_accelerated(&self, t: usize) -> bool {
        self.acceleration.is_some() && !self.protocol.has_input(t)
    }

    /// Returns `true` if a row that depends on earlier ones does so at all later times.
    pub fn dependence_lasts(&self) -> bool {
        self.krylov
    }

    /// Returns the messages of time t to the observers, in the order of their senders. If
    /// dependence lasts, only `before`, the independent ones of the time before, are followed.
    pub fn at(&self, t: usize, observer: &Observer, before: Vec<Heard>) -> Vec<Heard> {
        if self.krylov && t > 0 {
            return before
                .into_iter()
                .map(|heard| Heard { sender: heard.sender, row: self.weights(t).apply(&heard.row) })
                .collect();
        }
        let heard = |sender| Heard { sender, row: self.row(t, sender) };
        match self.news {
            Some(news) => {
                let steps = self.protocol.gossip_steps();
                let round = (t / steps).min(news.len() - 1);
                let senders = news[round].get(t % steps).into_iter().flatten();
                senders.copied().map(heard).collect()
            }
            None => {
                let senders = self.protocol.step(t).senders_to(observer.members());
                senders.into_iter().map(heard).collect()
            }
        }
    }

    /// Computes the row of the message of `sender` at time t, from the last step to the first.
    fn row(&self, t: usize, sender: usize) -> RoundedVector {
        // The rest of the message is p^T y_s + q^T y_{s-1}.
        let mut p = RoundedVector::unit(sender, self.protocol.nodes(), self.precision);
        let mut q: Option<RoundedVector> = None;
        let mut blocks = Vec::new();
        let mut s = t;
        loop {
            if self.protocol.has_input(s) {
                blocks.push(p.clone());
                if s == 0 {
                    break;
                }
                if let Some(reaction) = &self.reaction {
                    p = reaction.apply(&p);
                }
            }
            s -= 1;
            let mut next = self.weights(s).apply(&p);
            let mut behind = None;
            if let Some([g, rest]) = &self.acceleration
                && self.is_accelerated(s)
            {
                // 1 <= g <= 2.
                next = next.scaled(|_| (&g.0, &g.1), &BigUint::from(2_u8));
                behind = Some(p.scaled(|_| (&rest.0, &rest.1), &BigUint::one()));
            }
            p = match &q {
                Some(q) => next.plus(q),
                None => next,
            };
            q = behind;
        }
        let mut row = RoundedVector {
            entries: Vec::with_capacity(blocks.len() * self.protocol.nodes()),
            radius: BigUint::ZERO,
        };
        for block in blocks.into_iter().rev() {
            row.entries.extend(block.entries);
            row.radius += block.radius;
        }
        row
    }
}

impl Reaction {
    fn of(factors: &[Fraction]) -> Self {
        let whole = |factor: &Fraction| {
            let (above, below) = (factor.numerator(), factor.denominator());
            BigUint::from(above.unsigned_abs().div_ceil(below.unsigned_abs()))
        };
        Self {
            factors: factors.iter().map(|&factor| parts(factor)).collect(),
            largest: factors.iter().map(whole).max().unwrap_or(BigUint::one()),
        }
    }

    fn apply(&self, x: &RoundedVector) -> RoundedVector {
        let factor = |place: usize| {
            let (above, below) = &self.factors[place];
            (above, below)
        };
        x.scaled(factor, &self.largest)
    }
}

fn parts(fraction: Fraction) -> (BigInt, BigInt) {
    (BigInt::from(fraction.numerator()), BigInt::from(fraction.denominator()))
}

/// The masks of a protocol of one round that an observer does not know.
#[derive(Clone, Debug)]
pub(super) struct HiddenMasks {
    edges: Vec<(usize, usize)>,
    kappa: (BigInt, BigInt),
    /// An integer upper bound on the norm of the map from p to its row.
    stretch: BigUint,
    /// Number of masks known to the observer.
    pub known: usize,
}

impl HiddenMasks {
    /// Returns the hidden masks; `None` for a protocol without masks.
    pub fn of(protocol: &Protocol, observer: &Observer) -> Result<Option<Self>, FastError> {
        let (Some(kappa), Some(graph)) = (protocol.uniform()?.kappa, protocol.mask_graph(0)?)
        else {
            return Ok(None);
        };
        let hidden = |&(a, b): &(usize, usize)| !observer.contains(a) && !observer.contains(b);
        let edges: Vec<(usize, usize)> = graph.edges().filter(hidden).collect();
        let (above, below) = (kappa.numerator(), kappa.denominator());
        // No eigenvalue of a graph Laplacian exceeds twice the largest degree.
        let whole = BigUint::from(above.unsigned_abs().div_ceil(below.unsigned_abs()));
        let stretch = whole * root_above(2 * graph.max_degree()) + BigUint::one();
        Ok(Some(Self {
            known: graph.edge_count() - edges.len(),
            edges,
            kappa: (BigInt::from(above), BigInt::from(below)),
            stretch,
        }))
    }

    /// Returns the number of draws of a row besides those of the nodes.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Returns the row of the coefficients p.
    pub fn row(&self, p: &RoundedVector) -> RoundedVector {
        let (above, below) = &self.kappa;
        let on_mask = |&(a, b): &(usize, usize)| (&p.entries[a] - &p.entries[b]) * above / below;
        let mut entries = p.entries.clone();
        entries.extend(self.edges.iter().map(on_mask));
        RoundedVector { entries, radius: &p.radius * &self.stretch + root_above(self.edges.len()) }
    }

    /// Returns by how many bits the denominator of a row exceeds that of its coefficients.
    pub fn denominator_bits(&self) -> i128 {
        i128::from(self.kappa.1.bits())
    }
}

/// Resolution of logarithms, in parts of a bit, so that small factors are not rounded up to powers
/// of 2.
const PARTS: usize = 16;

/// Denominators of the observed rows of one time.
pub(super) struct Denominators<'a> {
    protocol: &'a Protocol,
    messages: &'a Messages<'a>,
    bits: Bits,
}

enum Bits {
    /// One denominator for all rows: at most 2 to the power of this many parts of a bit.
    Common(i128),
    /// Powers of 2, for each sender.
    Powers(Vec<usize>),
}

impl<'a> Denominators<'a> {
    /// Returns the denominators of time 0.
    pub fn new(protocol: &'a Protocol, messages: &'a Messages<'a>) -> Self {
        let bits = match protocol.schedule() {
            Schedule::EdgeSequence { graph, .. } => Bits::Powers(vec![0; graph.nodes()]),
            _ => Bits::Common(0),
        };
        Self { protocol, messages, bits }
    }

    /// Advances from time t to t + 1.
    pub fn pass(&mut self, t: usize) {
        match (&mut self.bits, self.protocol.step(t)) {
            // Averaging two states over 2^a and 2^b gives one over 2^(max(a, b) + 1).
            (Bits::Powers(halvings), Step::EdgeAverage { edge: (u, v), .. }) => {
                let most = halvings[u].max(halvings[v]) + 1;
                (halvings[u], halvings[v]) = (most, most);
            }
            (Bits::Powers(_), Step::Network(_)) => {}
            (Bits::Common(parts), _) => {
                *parts += parts_of(&self.messages.weights(t).denominator);
                if let Some(g) = self.protocol.acceleration()
                    && self.messages.is_accelerated(t)
                {
                    *parts += parts_of(&BigUint::from(g.denominator().unsigned_abs()));
                }
            }
        }
    }

    /// Returns an integer L with `denominator <= 2^L` for the message of `sender`.
    pub fn bits(&self, sender: usize) -> i128 {
        match &self.bits {
            Bits::Common(parts) => (parts + PARTS as i128 - 1) / PARTS as i128,
            Bits::Powers(halvings) => halvings[sender] as i128,
        }
    }
}

/// Returns an integer k with `number <= 2^(k / PARTS)`.
fn parts_of(number: &BigUint) -> i128 {
    if number.is_one() { 0 } else { i128::from(number.pow(PARTS as u32).bits()) }
}
