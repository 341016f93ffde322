//! A separate random stream for each purpose, place and time.
//!
//! ChaCha maps a 32-byte key and an 8-byte stream number to random words that are computationally
//! indistinguishable from uniform ones:
//!
//! ```text
//! key = seed (8 bytes) | place, such as a node (8) | purpose (16),               stream number = time
//! key = seed (8 bytes) | ends of an edge (8 each)  | purpose (8),
//! ```
//!
//! Draws need no shared state, so results depend neither on threads nor on the order in which nodes
//! act.

use crate::{FastError, noise::system_generator};
use muffliato_model::Fraction;
use rand::{Rng, SeedableRng, rngs::ChaCha12Rng};

/// Returns the stream of `purpose` (at most 16 bytes) under `seed`, at one place and time.
pub(crate) fn stream(purpose: &'static str, seed: u64, place: usize, time: usize) -> ChaCha12Rng {
    keyed(&[seed, place as u64], purpose, time)
}

/// Returns the stream of `purpose` (at most 8 bytes) that belongs to an edge.
pub(crate) fn edge_stream(
    purpose: &'static str,
    seed: u64,
    (a, b): (usize, usize),
    time: usize,
) -> ChaCha12Rng {
    keyed(&[seed, a as u64, b as u64], purpose, time)
}

fn keyed(numbers: &[u64], purpose: &str, time: usize) -> ChaCha12Rng {
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    let mut key = [0; 32];
    for (byte, part) in key.iter_mut().zip(numbers.chain(purpose.bytes())) {
        *byte = part;
    }
    let mut generator = ChaCha12Rng::from_seed(key);
    generator.set_stream(time as u64);
    generator
}

/// The coins by which a node samples its records in one round, one toss for each record.
pub struct Coins(Box<dyn Rng>);

impl Coins {
    /// Creates coins from a seed, **for tests and simulation**.
    pub fn seeded(seed: u64, node: usize, round: usize) -> Self {
        Self(Box::new(stream("coins", seed, node, round)))
    }

    /// Creates coins from the operating system's randomness.
    ///
    /// # Errors
    /// [`FastError::SystemRandomness`] if it has none.
    pub fn system() -> Result<Self, FastError> {
        Ok(Self(Box::new(system_generator()?)))
    }

    /// Returns `true` with a probability of at most `rate`, and within `2^-48` of it relative to it.
    pub fn toss(&mut self, rate: Fraction) -> bool {
        toss(&mut self.0, rate)
    }
}

/// Draws a uniform multiple of `2^-53` in `[0, 1)`.
pub(crate) fn unit(generator: &mut impl Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns `true` with a probability of at most `rate`, and within `2^-48` of it relative to it.
/// Always draws one word.
pub(crate) fn toss(generator: &mut impl Rng, rate: Fraction) -> bool {
    let drawn = generator.next_u64();
    if rate.numerator() >= rate.denominator() {
        return true;
    }
    // The factor covers the roundings of the rate.
    let share = rate.numerator() as f64 / rate.denominator() as f64 * (1.0 - 4.0 * f64::EPSILON);
    drawn < (share * 2_f64.powi(64)) as u64
}

/// Draws uniformly from `0..bound` up to a bias of `bound 2^-64`; returns 0 if `bound` is 0.
pub(crate) fn below(generator: &mut impl Rng, bound: usize) -> usize {
    ((u128::from(generator.next_u64()) * bound as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_streams_are_frozen() {
        let mut noise = stream("noise", 7, 3, 2);
        assert_eq!(
            [noise.next_u64(), noise.next_u64()],
            [9117808312946072874, 11824632500393811330]
        );
    }

    #[test]
    fn streams_differ_by_purpose_seed_place_and_time() {
        let words = [
            stream("a", 0, 0, 0),
            stream("b", 0, 0, 0),
            stream("a", 1, 0, 0),
            stream("a", 0, 1, 0),
            stream("a", 0, 0, 1),
        ]
        .map(|mut generator| generator.next_u64());
        for (i, word) in words.iter().enumerate() {
            assert!(!words[..i].contains(word));
        }
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut generator = stream("test", 0, 0, 0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&unit(&mut generator)));
            seen[below(&mut generator, 5)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
        assert_eq!(below(&mut generator, 0), 0);
    }
}
