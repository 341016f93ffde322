//! Random choices of larger sizes, by proptest.

use crate::{Case, Choices};
use proptest::{
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::cell::Cell;

/// Largest number of random words per case; beyond them all choices are the smallest.
const TAPE: usize = 1024;

/// Choices from a tape of random words. Smaller words make smaller choices, so that a failure
/// shrinks.
pub(crate) struct Random {
    tape: std::vec::IntoIter<u64>,
}

impl Choices for Random {
    fn flag(&mut self) -> bool {
        self.word() & 1 == 1
    }

    fn small(&mut self, most: u8) -> u8 {
        (self.word() % (u64::from(most) + 1)) as u8
    }

    /// Takes half of the bytes from `meaningful`.
    fn byte(&mut self, meaningful: &'static [u8]) -> u8 {
        let word = self.word();
        if word & 256 == 0 { meaningful[word as usize % meaningful.len()] } else { word as u8 }
    }

    fn word(&mut self) -> u64 {
        self.tape.next().unwrap_or(0)
    }

    /// Takes half of the floats from `meaningful`.
    fn float(&mut self, meaningful: &'static [f64]) -> f64 {
        if self.flag() {
            meaningful[self.word() as usize % meaningful.len()]
        } else {
            f64::from_bits(self.word())
        }
    }

    fn assume(&mut self, holds: bool) -> Option<()> {
        holds.then_some(())
    }

    fn note(&mut self, _: &'static str, _: bool) {}
}

/// A property of one size.
type Property = fn(&mut Random) -> Case;

/// Runs every size on 256 random cases with a fixed seed; fails if none lies inside the domain.
pub(crate) fn run(name: &str, sizes: &[(usize, Property)]) {
    for (size, property) in sizes {
        let config = Config { failure_persistence: None, ..Config::default() };
        let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let inside = Cell::new(0);
        TestRunner::new_with_rng(config, seed)
            .run(&proptest::collection::vec(any::<u64>(), TAPE), |tape| {
                let tape = tape.into_iter();
                inside.set(inside.get() + u32::from(property(&mut Random { tape }).is_some()));
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{name}, size {size}: {failure}"));
        println!("{name}: size {size}, {} cases", inside.get());
        assert!(inside.get() > 0, "{name}: no case of size {size} lies inside the domain");
    }
}
