//! The two engines of the tests: enumeration of all choices, and random choices of larger sizes by proptest.

use crate::{Case, Choices};
use exhaustigen::Gen;
use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{cell::Cell, collections::BTreeMap};

/// A property with its size.
type Sized<C> = (usize, fn(&mut C) -> Case);

/// Enumerated choices, and the cases that they reached.
pub(crate) struct Exhaustive {
    source: Gen,
    reached: BTreeMap<&'static str, bool>,
}

impl Choices for Exhaustive {
    fn flag(&mut self) -> bool {
        self.source.flip()
    }

    fn small(&mut self, most: u8) -> u8 {
        self.source.r#gen(usize::from(most)) as u8
    }

    fn byte(&mut self, meaningful: &'static [u8]) -> u8 {
        *self.source.pick(meaningful)
    }

    fn word(&mut self) -> u64 {
        let power = 1_u64 << self.source.r#gen(63);
        *self.source.pick(&[power - 1, power, power + 1, power.wrapping_neg()])
    }

    fn float(&mut self, meaningful: &'static [f64]) -> f64 {
        *self.source.pick(meaningful)
    }

    fn note(&mut self, what: &'static str, reached: bool) {
        *self.reached.entry(what).or_default() |= reached;
    }
}

/// Environment variable that limits enumeration to the size of the proof, as `run.sh --planted`
/// does.
const ONLY_THE_PROOF: &str = "MUFFLIATO_ONLY_THE_PROOF";

/// Runs the property on all choices: at the size that Kani proves, where every cover must be
/// reached, and at the other sizes. Fails if a size has no choices inside the domain.
pub(crate) fn enumerate(name: &str, proof: Sized<Exhaustive>, sizes: &[Sized<Exhaustive>]) {
    let only_the_proof = std::env::var_os(ONLY_THE_PROOF).is_some();
    let others = sizes.iter().filter(|(size, _)| *size != proof.0 && !only_the_proof);
    for &(size, property) in std::iter::once(&proof).chain(others) {
        let mut choices = Exhaustive { source: Gen::new(), reached: BTreeMap::new() };
        let mut inside = 0_u64;
        while !choices.source.done() {
            inside += u64::from(property(&mut choices).is_some());
        }
        println!("{name}: size {size}, {inside} cases");
        assert!(inside > 0, "{name}: no choices of size {size} lie inside the domain");
        let missed = choices.reached.iter().find(|(_, reached)| size == proof.0 && !**reached);
        assert!(missed.is_none(), "{name}: no choices of size {size} reach the case {missed:?}");
    }
}

/// Largest number of random words per case; beyond them all choices are the smallest.
const TAPE: usize = 1024;

/// Choices from a tape of random words. Smaller words make smaller choices, so that a failure
/// shrinks. Half of the bytes and floats are meaningful ones.
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

    fn byte(&mut self, meaningful: &'static [u8]) -> u8 {
        let word = self.word();
        if word & 256 == 0 { meaningful[word as usize % meaningful.len()] } else { word as u8 }
    }

    fn word(&mut self) -> u64 {
        self.tape.next().unwrap_or(0)
    }

    fn float(&mut self, meaningful: &'static [f64]) -> f64 {
        let (is_meaningful, word) = (self.flag(), self.word());
        if is_meaningful {
            meaningful[word as usize % meaningful.len()]
        } else {
            f64::from_bits(word)
        }
    }
}

/// Runs every size on 256 random cases with a fixed seed; fails if none lies inside the domain.
pub(crate) fn sample(name: &str, sizes: &[Sized<Random>]) {
    for (size, property) in sizes {
        let config = Config { failure_persistence: None, ..Config::default() };
        let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let inside = Cell::new(0);
        let run = |tape: Vec<u64>| {
            let tape = tape.into_iter();
            inside.set(inside.get() + u32::from(property(&mut Random { tape }).is_some()));
            Ok(())
        };
        let ran = TestRunner::new_with_rng(config, seed).run(&vec(any::<u64>(), TAPE), run);
        ran.unwrap_or_else(|failure| panic!("{name}, size {size}: {failure}"));
        println!("{name}: size {size}, {} cases", inside.get());
        assert!(inside.get() > 0, "{name}: no case of size {size} lies inside the domain");
    }
}
