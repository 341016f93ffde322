//! Sources of a property's inputs.

/// An input that was tried, or `None` if it is outside the property's domain.
pub type Case = Option<()>;

/// A source of choices. The model checker explores all of them at once, enumeration one after
/// another, proptest some at random.
///
/// Scalars are drawn one by one in the smallest type that holds them, which suits a model checker.
pub trait Choices {
    /// Chooses a truth value.
    fn flag(&mut self) -> bool;

    /// Chooses an integer from 0 to `most`.
    fn small(&mut self, most: u8) -> u8;

    /// Chooses any byte; enumeration tries those of `meaningful`.
    fn byte(&mut self, meaningful: &'static [u8]) -> u8;

    /// Chooses any 64-bit word; enumeration tries the powers of two, their neighbours and their
    /// negatives modulo 2^64.
    fn word(&mut self) -> u64;

    /// Chooses any float, including NaN and infinities; enumeration tries those of `meaningful`.
    fn float(&mut self, meaningful: &'static [f64]) -> f64;

    /// Continues only if `holds`. Returns `None` if the choices lie outside the property's domain.
    #[must_use]
    fn assume(&mut self, holds: bool) -> Option<()> {
        holds.then_some(())
    }

    /// Records whether an interesting case is `reached`; called by [`cover!`](crate::cover).
    fn note(&mut self, _what: &'static str, _reached: bool) {}

    /// Chooses an integer from `-most` to `most`, which is at most 127.
    fn signed(&mut self, most: u8) -> i8 {
        let shifted = i16::from(self.small(2 * most));
        (shifted - i16::from(most)) as i8
    }

    /// Chooses an index from 0 to `most`, which is at most 255.
    fn index(&mut self, most: usize) -> usize {
        usize::from(self.small(most as u8))
    }

    /// Chooses each entry of an array.
    fn array<T, const N: usize>(&mut self, mut any: impl FnMut(&mut Self) -> T) -> [T; N] {
        std::array::from_fn(|_| any(self))
    }
}

/// Fails unless the condition holds, with a message that begins with "claim fails: ". A planted bug
/// counts as found only if it fails a claim.
#[macro_export]
macro_rules! claim {
    ($holds:expr, $what:literal) => {{
        // Kani's own function prints the message; its `assert!` would print the expression that
        // builds it.
        #[cfg(kani)]
        $crate::symbolic::require($holds, concat!("claim fails: ", $what));
        #[cfg(not(kani))]
        assert!($holds, concat!("claim fails: ", $what));
    }};
}

/// Requires that some choices reach the condition. It is a reachability check under Kani
/// (`kani::cover!`); enumeration fails if no choices reach it.
#[macro_export]
macro_rules! cover {
    ($choices:expr, $reached:expr, $what:literal) => {{
        #[cfg(kani)]
        $crate::symbolic::cover!($reached, $what);
        #[cfg(not(kani))]
        $choices.note($what, $reached);
    }};
}

/// Calls `with` with the value as a constant, by a loop over `0..=most` whose body runs once. A
/// model checker then computes with constants in each branch, which floats and divisions need.
pub fn split(value: usize, most: usize, mut with: impl FnMut(usize)) {
    for constant in 0..=most {
        if value == constant {
            with(constant);
        }
    }
}
