//! The run of a protocol on columns of numbers, exactly and forwards in time.
//!
//! ```text
//! at inputs:  state_w <- factor_w state_w, where nodes react linearly; then what enters is added
//! mix:        state <- W_t state, or g W_t state + (1 - g) the one before, if it is of the same round
//! ```

use crate::{
    Refusal,
    matrix::{Matrices, Reactions, check_bits},
};
use muffliato_model::Protocol;
use num_bigint::BigInt;

/// The states of all nodes in some runs at one time, over a common denominator.
pub(crate) struct Run<'a> {
    protocol: &'a Protocol,
    matrices: Matrices<'a>,
    reactions: Reactions,
    /// The state of each node, for each run.
    pub columns: Vec<Vec<BigInt>>,
    pub denominator: BigInt,
    /// The states one step earlier, for the Chebyshev recursion; `None` at the beginning of a round.
    before: Option<(Vec<Vec<BigInt>>, BigInt)>,
}

impl<'a> Run<'a> {
    /// Starts at time 0 with these states.
    pub fn new(
        protocol: &'a Protocol,
        columns: Vec<Vec<BigInt>>,
        denominator: BigInt,
    ) -> Result<Self, Refusal> {
        let (matrices, reactions) = (Matrices::of(protocol), Reactions::of(protocol)?);
        Ok(Self { protocol, matrices, reactions, columns, denominator, before: None })
    }

    /// Begins the step at time t: at inputs, nodes react and the recursion starts again.
    pub fn begin(&mut self, t: usize) {
        if self.protocol.has_input(t) {
            self.before = None;
            for column in &mut self.columns {
                self.reactions.apply(column);
            }
            self.denominator *= &self.reactions.denominator;
        }
    }

    /// Returns what each node receives at time t in one of the runs, its own part included.
    pub fn received(&mut self, t: usize, column: usize) -> Result<Vec<BigInt>, Refusal> {
        Ok(self.matrices.at(t)?.times(&self.columns[column]))
    }

    /// Mixes by the step at time t.
    pub fn mix(&mut self, t: usize) -> Result<(), Refusal> {
        let matrix = self.matrices.at(t)?;
        let mut mixed: Vec<_> = self.columns.iter().map(|column| matrix.times(column)).collect();
        let mut next = &self.denominator * &matrix.denominator;
        if let (Some(g), Some((last, over))) = (self.protocol.acceleration(), &self.before) {
            let (above, below) = (BigInt::from(g.numerator()), BigInt::from(g.denominator()));
            let scale = (&below - &above) * (&next / over);
            for (place, column) in mixed.iter_mut().enumerate() {
                for (node, sum) in column.iter_mut().enumerate() {
                    *sum *= &above;
                    // Columns that entered since then were 0.
                    if let Some(last) = last.get(place) {
                        *sum += &last[node] * &scale;
                    }
                }
            }
            next *= below;
        }
        check_bits(next.bits())?;
        let last = std::mem::replace(&mut self.columns, mixed);
        self.before = Some((last, std::mem::replace(&mut self.denominator, next)));
        Ok(())
    }
}
