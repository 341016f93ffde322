//! The observed rows of a one-shot view, in the order of time, each with a denominator.
//!
//! A row times its denominator is a vector of whole numbers; this is what makes rank decisions possible (see
//! `space`).

use super::{
    gossip::ExactWeights,
    vector::{RoundedVector, root_above},
};
use crate::FastError;
use dashu_int::{IBig, UBig};
use muffliato_model::{Fraction, Observer, Protocol, Schedule, Step};

/// Where the rows of a protocol come from.
#[derive(Clone, Debug)]
pub(super) struct Messages<'a> {
    protocol: &'a Protocol,
    precision: usize,
    /// The matrix of each step; one for all on a fixed network.
    weights: Vec<ExactWeights>,
    fixed: bool,
    /// The Chebyshev parameter where it changes the row space.
    acceleration: Option<Fraction>,
}

/// The rows of the senders at one time.
pub(super) struct Heard {
    pub sender: usize,
    pub row: RoundedVector,
}

impl<'a> Messages<'a> {
    pub fn of(protocol: &'a Protocol, precision: usize) -> Result<Self, FastError> {
        let fixed = matches!(protocol.schedule(), Schedule::Fixed(_));
        let times = if fixed { 1 } else { protocol.steps() };
        let weights = (0..times).map(|t| ExactWeights::of_step(protocol.step(t)));
        Ok(Self {
            protocol,
            precision,
            weights: weights.collect::<Result<_, _>>()?,
            fixed,
            // On a fixed network the polynomials of both recursions span the same space.
            acceleration: protocol.acceleration().filter(|_| !fixed),
        })
    }

    /// The messages of time t to the observers, in the order of their senders. On a fixed network,
    /// `before` are those of the time before that are worth following, and only they are.
    pub fn at(&self, t: usize, observer: &Observer, before: Vec<Heard>) -> Vec<Heard> {
        if self.fixed && t > 0 {
            return before
                .into_iter()
                .map(|heard| Heard {
                    sender: heard.sender,
                    row: self.weights[0].apply(&heard.row),
                })
                .collect();
        }
        let senders = self.protocol.step(t).senders_to(observer.members());
        senders
            .into_iter()
            .map(|sender| Heard {
                sender,
                row: self.row(t, sender),
            })
            .collect()
    }

    /// Whether a row that depends on those before it stays so at all later times.
    pub fn dependence_lasts(&self) -> bool {
        self.fixed
    }

    /// The row `e_w^T M_t`, from the last matrix to the first.
    fn row(&self, t: usize, sender: usize) -> RoundedVector {
        let nodes = self.protocol.nodes();
        let mut now = RoundedVector::unit(sender, nodes, self.precision);
        let Some(g) = self.acceleration else {
            for s in (0..t).rev() {
                now = self.weights[s].apply(&now);
            }
            return now;
        };
        // What was p^T M_{s+1} + q^T M_s is (g W_s p + q)^T M_s + ((1 - g) p)^T M_{s-1}.
        let (above, below) = (IBig::from(g.numerator()), IBig::from(g.denominator()));
        let scaled = |x: &RoundedVector, above: &IBig| RoundedVector {
            entries: x.entries.iter().map(|x| x * above / &below).collect(),
            // |above / below| <= 2.
            radius: &x.radius * UBig::from(2_u8) + root_above(nodes),
        };
        let mut before = RoundedVector {
            entries: vec![IBig::ZERO; nodes],
            radius: UBig::ZERO,
        };
        for s in (0..t).rev() {
            let mixed = self.weights[s].apply(&now);
            let mut next = if s > 0 { scaled(&mixed, &above) } else { mixed };
            for (next, before) in next.entries.iter_mut().zip(&before.entries) {
                *next += before;
            }
            next.radius += &before.radius;
            before = scaled(&now, &(&below - &above));
            now = next;
        }
        now
    }

    /// For each time, a whole number that makes every row of that time whole; for edge sequences for
    /// each node.
    pub fn denominators(&self) -> Denominators {
        let steps = self.protocol.steps();
        if let Schedule::EdgeSequence { graph, .. } = self.protocol.schedule() {
            // Averaging two states over 2^a and 2^b gives one over 2^(max(a, b) + 1).
            let mut halvings = vec![vec![0_usize; graph.nodes()]];
            for t in 0..steps {
                let mut next = halvings[t].clone();
                if let Step::EdgeAverage { edge: (u, v), .. } = self.protocol.step(t) {
                    let most = next[u].max(next[v]) + 1;
                    (next[u], next[v]) = (most, most);
                }
                halvings.push(next);
            }
            return Denominators::Powers(halvings);
        }
        let mut products = vec![UBig::ONE];
        for t in 0..steps {
            let weights = &self.weights[if self.fixed { 0 } else { t }];
            let mut next = &products[t] * &weights.denominator;
            if let (Some(g), true) = (self.acceleration, t > 0) {
                next *= UBig::from(g.denominator().unsigned_abs());
            }
            products.push(next);
        }
        Denominators::Common(products)
    }
}

/// Denominators of the observed rows.
pub(super) enum Denominators {
    /// One for each time.
    Common(Vec<UBig>),
    /// Powers of 2, for each time and node.
    Powers(Vec<Vec<usize>>),
}

impl Denominators {
    /// A whole number L with `denominator <= 2^L` for the message of `sender` at time t.
    pub fn bits(&self, t: usize, sender: usize) -> i128 {
        use dashu_int::ops::BitTest;
        match self {
            Self::Common(products) => products[t].bit_len() as i128,
            Self::Powers(halvings) => halvings[t][sender] as i128,
        }
    }
}
