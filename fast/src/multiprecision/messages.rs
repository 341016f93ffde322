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

use super::{gossip::ExactWeights, vector::RoundedVector};
use crate::FastError;
use dashu_int::{IBig, UBig};
use muffliato_model::{Fraction, Observer, Protocol, Schedule};

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
    acceleration: Option<[(IBig, IBig); 2]>,
    reaction: Option<Reaction>,
}

/// Factors of the state of each node at the beginning of a round.
#[derive(Clone, Debug)]
struct Reaction {
    factors: Vec<(IBig, IBig)>,
    /// An integer upper bound on the absolute value of all factors.
    largest: UBig,
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
                .map(|heard| Heard {
                    sender: heard.sender,
                    row: self.weights(t).apply(&heard.row),
                })
                .collect();
        }
        let heard = |sender| Heard {
            sender,
            row: self.row(t, sender),
        };
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
                next = next.scaled(|_| (&g.0, &g.1), &UBig::from(2_u8));
                behind = Some(p.scaled(|_| (&rest.0, &rest.1), &UBig::ONE));
            }
            p = match &q {
                Some(q) => next.plus(q),
                None => next,
            };
            q = behind;
        }
        let mut row = RoundedVector {
            entries: Vec::with_capacity(blocks.len() * self.protocol.nodes()),
            radius: UBig::ZERO,
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
            UBig::from(above.unsigned_abs().div_ceil(below.unsigned_abs()))
        };
        Self {
            factors: factors.iter().map(|&factor| parts(factor)).collect(),
            largest: factors.iter().map(whole).max().unwrap_or(UBig::ONE),
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

fn parts(fraction: Fraction) -> (IBig, IBig) {
    (
        IBig::from(fraction.numerator()),
        IBig::from(fraction.denominator()),
    )
}
