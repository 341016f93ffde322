//! Keys shared by two neighbours.

use rand::{SeedableRng, rngs::ChaCha20Rng};
use std::fmt;

/// A 256-bit secret of two neighbours, from which both derive the same masks by ChaCha20: one
/// stream for each step.
///
/// Masks are as secret as the key. Use a key for **one run**: two runs under one key share their
/// masks, so the difference of their messages is free of them. Agree on a new one for each run (by
/// a key exchange, or by hashing a long-lived secret with the number of the run).
///
/// ```
/// use muffliato_fast::noise::{NoiseOf, NoiseSource, SeededNoise, SharedKey};
///
/// let key = SharedKey::new([1; 32]);
/// let (mut ours, mut theirs, mut later) = ([0.0; 2], [0.0; 2], [0.0; 2]);
/// SeededNoise::new(1).draw(NoiseOf::Key(&key), 0, 1.0, &mut ours)?;
/// SeededNoise::new(2).draw(NoiseOf::Key(&key), 0, 1.0, &mut theirs)?;
/// SeededNoise::new(1).draw(NoiseOf::Key(&key), 5, 1.0, &mut later)?;
/// assert!(ours == theirs && ours != later);
/// # Ok::<(), muffliato_fast::FastError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SharedKey([u8; 32]);

impl SharedKey {
    /// Creates a key from bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the random words of a step.
    pub(super) fn stream(&self, step: usize) -> ChaCha20Rng {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream(step as u64);
        generator
    }
}

/// Hides the key.
impl fmt::Debug for SharedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedKey(..)")
    }
}
