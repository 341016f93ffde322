//! Denominators of the rows of a time, in one round.
//!
//! A row times its denominator is an integer vector, which makes rank decisions possible (see
//! `space`).

use super::messages::Messages;
use dashu_int::{UBig, ops::BitTest};
use muffliato_model::{Protocol, Schedule, Step};

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
        Self {
            protocol,
            messages,
            bits,
        }
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
                    *parts += parts_of(&UBig::from(g.denominator().unsigned_abs()));
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
fn parts_of(number: &UBig) -> i128 {
    if number.is_one() {
        0
    } else {
        number.pow(PARTS).bit_len() as i128
    }
}
