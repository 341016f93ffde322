//! Secret sampling of records.

use crate::{Node, NodeError, Secrets};
use muffliato_fast::{learning::clip, lockstep::Coins};
use zeroize::Zeroizing;

impl Node {
    /// Moves the model by the sum of the steps of sampled records, in a protocol that samples, and
    /// adds the noise and the masks of this round. Each of the `records` takes part by a coin of its
    /// own, fresh in each round and known to nobody else.
    ///
    /// `step` writes the step of a record, given its number and the model: `-nu / divisor` times its
    /// gradient, with a divisor that is fixed in advance and depends on neither the coins nor the
    /// number of records. It is clipped to the **whole** sensitivity, by which one record more or
    /// less changes the input, and rounded to the grid.
    ///
    /// # Errors
    /// Those of [`Node::inject`], and [`NodeError::NotSampled`] if the protocol does not sample.
    pub fn inject_records(
        &mut self,
        records: usize,
        mut step: impl FnMut(usize, &[f64], &mut [f64]),
    ) -> Result<(), NodeError> {
        let rate = self.agreed.protocol.sampling().ok_or(NodeError::NotSampled)?;
        self.may_use_data()?;
        let mut coins = match self.secrets {
            Secrets::Seed(seed) => Coins::seeded(seed, self.number, self.round()),
            Secrets::Keys(_) => Coins::system()?,
        };
        let mut sum = Zeroizing::new(vec![0.0; self.value.len()]);
        let mut one = sum.clone();
        for record in 0..records {
            if coins.toss(rate) {
                one.fill(0.0);
                step(record, &self.value, &mut one);
                clip(&mut one, self.agreed.terms.sensitivity)?;
                self.agreed.terms.grid.round(&mut one)?;
                sum.iter_mut().zip(&*one).for_each(|(sum, entry)| *sum += entry);
                // Nearest points of the range are no farther apart than what they are nearest to.
                self.agreed.cut(&mut sum);
            }
        }
        self.enter(&sum)
    }
}
