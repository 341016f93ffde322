//! One choice after another, until all were made.

use crate::{CLAIM_FAILS, Choices};
use exhaustigen::Gen;
use std::collections::BTreeMap;

/// Choices that are enumerated.
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
pub(crate) type Run = fn(&mut Exhaustive) -> Option<()>;

/// Runs every size on all choices. Fails if a size has none inside the domain, and if at the size that Kani proves no
/// choices reach a cover.
pub(crate) fn run(name: &str, kani_size: usize, sizes: &[(usize, Run)]) {
    for (size, property) in sizes {
        let reached = run_size(name, *size, *property);
        for (what, reached) in reached {
            assert!(
                reached || *size != kani_size,
                "{name}: no choices of size {size} reach the case \"{what}\""
            );
        }
    }
}

fn run_size(name: &str, size: usize, property: Run) -> BTreeMap<&'static str, bool> {
    let mut choices = Exhaustive {
        source: Gen::new(),
        reached: BTreeMap::new(),
    };
    let mut inside = 0_u64;
    while !choices.source.done() {
        inside += u64::from(property(&mut choices).is_some());
    }
    println!("{name}: size {size}, {inside} cases");
    assert!(
        inside > 0,
        "{name}: no choices of size {size} lie inside the domain"
    );
    choices.reached
}

/// Runs a property that has a bug planted in it, at the size that Kani proves, until a claim fails.
pub(crate) fn find_planted_bug(name: &str, size: usize, property: Run) {
    let outcome = std::panic::catch_unwind(|| run_size(name, size, property));
    let panic = outcome.expect_err("the planted bug passed every claim");
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    println!("{name}: the planted bug is found: {message}");
    assert!(
        message.starts_with(CLAIM_FAILS),
        "{name}: the planted bug fails no claim, it stops the program: {message}"
    );
}
