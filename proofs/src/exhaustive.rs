//! Enumeration of all choices.

use crate::{Case, Choices};
use exhaustigen::Gen;
use std::collections::BTreeMap;

/// Enumerated choices.
pub(crate) struct Exhaustive {
    source: Gen,
    reached: BTreeMap<&'static str, bool>,
}

impl Exhaustive {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.source.pick(from)
    }
}

impl Choices for Exhaustive {
    fn flag(&mut self) -> bool {
        self.source.flip()
    }

    fn small(&mut self, most: u8) -> u8 {
        self.source.r#gen(usize::from(most)) as u8
    }

    fn byte(&mut self, meaningful: &'static [u8]) -> u8 {
        self.pick(meaningful)
    }

    fn word(&mut self) -> u64 {
        let power = 1_u64 << self.source.r#gen(63);
        self.pick(&[power - 1, power, power + 1, power.wrapping_neg()])
    }

    fn float(&mut self, meaningful: &'static [f64]) -> f64 {
        self.pick(meaningful)
    }

    fn assume(&mut self, holds: bool) -> Option<()> {
        holds.then_some(())
    }

    fn note(&mut self, what: &'static str, reached: bool) {
        *self.reached.entry(what).or_default() |= reached;
    }
}

/// A property of one size.
pub(crate) type Property = fn(&mut Exhaustive) -> Case;

/// Environment variable that limits enumeration to the size of the proof, as `run.sh --planted`
/// does.
const ONLY_THE_PROOF: &str = "MUFFLIATO_ONLY_THE_PROOF";

/// Runs the property on all choices: at the size that Kani proves, where every cover must be
/// reached, and at the other sizes. Fails if a size has no choices inside the domain.
pub(crate) fn run(name: &str, proof: (usize, Property), sizes: &[(usize, Property)]) {
    for (what, reached) in run_size(name, proof) {
        let size = proof.0;
        assert!(reached, "{name}: no choices of size {size} reach the case \"{what}\"");
    }
    if std::env::var_os(ONLY_THE_PROOF).is_some() {
        return;
    }
    for &other in sizes.iter().filter(|(size, _)| *size != proof.0) {
        run_size(name, other);
    }
}

fn run_size(name: &str, (size, property): (usize, Property)) -> BTreeMap<&'static str, bool> {
    let mut choices = Exhaustive { source: Gen::new(), reached: BTreeMap::new() };
    let mut inside = 0_u64;
    while !choices.source.done() {
        inside += u64::from(property(&mut choices).is_some());
    }
    println!("{name}: size {size}, {inside} cases");
    assert!(inside > 0, "{name}: no choices of size {size} lie inside the domain");
    choices.reached
}
