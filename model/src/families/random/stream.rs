//! The random bits of the random families.

use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};

/// A stream of random numbers: the output of ChaCha12 under the key "seed, then the family's name",
/// so that families with the same seed do not share their randomness.
///
/// It takes only 64-bit words from the generator and derives all else here, so the numbers depend
/// neither on the platform nor on how a release of `rand` samples.
pub(super) struct Stream(ChaCha12Rng);

impl Stream {
    /// Creates a stream. The key is 32 bytes: the seed in little-endian order, the name, then
    /// zeros.
    pub(super) fn new(family: &'static str, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (place, byte) in std::iter::zip(&mut key[8..], family.bytes()) {
            *place = byte;
        }
        Self(ChaCha12Rng::from_seed(key))
    }

    /// Draws a uniform 64-bit word.
    pub(super) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws an exactly uniform number in `0..bound`, for `bound >= 1`: the high half of word *
    /// bound, where the 2^64 mod bound words that would make some values more likely are redrawn
    /// (D. Lemire, "Fast random integer generation in an interval", 2019).
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.word()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// Draws a uniform number among k 2^-53 with `1 <= k <= 2^53`: above 0, at most 1.
    pub(super) fn unit(&mut self) -> f64 {
        ((self.word() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::chi_square::assert_fits;
    use super::*;

    #[test]
    fn the_stream_is_frozen() {
        let mut stream = Stream::new("geometric", 7);
        assert_eq!([stream.word(), stream.word()], [2965989146710863981, 10713164691905228562]);
    }

    #[test]
    fn seeds_and_families_have_streams_of_their_own() {
        let first = |family, seed| Stream::new(family, seed).word();
        let words = [first("a", 0), first("a", 1), first("b", 0), first("", 0)];
        for (i, word) in words.iter().enumerate() {
            assert!(!words[..i].contains(word));
        }
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut stream = Stream::new("test", 1);
        assert_eq!(stream.below(1), 0);
        let draws = 60_000;
        let mut seen = [0; 6];
        for _ in 0..draws {
            seen[stream.below(6) as usize] += 1;
        }
        assert_fits(&seen, &[draws as f64 / 6.0; 6], 35.888);
        // A quarter of the words is redrawn here; otherwise the multiples of 3 would be twice as
        // likely.
        let mut seen = [0; 3];
        for _ in 0..draws {
            seen[(stream.below(3 << 62) % 3) as usize] += 1;
        }
        assert_fits(&seen, &[draws as f64 / 3.0; 3], 27.631);
    }

    #[test]
    fn units_are_above_zero_and_up_to_one() {
        let mut stream = Stream::new("test", 3);
        let draws = 60_000;
        let mut seen = [0; 6];
        for _ in 0..draws {
            let unit = stream.unit();
            assert!(unit > 0.0 && unit <= 1.0);
            seen[((unit * 6.0) as usize).min(5)] += 1;
        }
        assert_fits(&seen, &[draws as f64 / 6.0; 6], 35.888);
    }
}
