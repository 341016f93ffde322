//! All choices at once, for the model checker.

use crate::Choices;
#[cfg(kani_stand_in)]
use crate::stand_in as kani;

pub(crate) use kani::{assert as require, cover};

/// Choices left open by Kani.
pub struct Symbolic;

impl Choices for Symbolic {
    fn flag(&mut self) -> bool {
        kani::any()
    }

    fn small(&mut self, most: u8) -> u8 {
        let value: u8 = kani::any();
        kani::assume(value <= most);
        value
    }

    fn byte(&mut self, _: &'static [u8]) -> u8 {
        kani::any()
    }

    fn word(&mut self) -> u64 {
        kani::any()
    }

    fn float(&mut self, _: &'static [f64]) -> f64 {
        f64::from_bits(kani::any())
    }

    fn assume(&mut self, holds: bool) -> Option<()> {
        kani::assume(holds);
        Some(())
    }
}
