//! Where a property takes its inputs from.

/// A source of choices. The model checker takes all of them at once, enumeration one after another, proptest some
/// at random.
///
/// Scalars are drawn one by one, in the smallest type that holds them: that is what a model checker likes.
pub trait Choices {
    /// Either truth value.
    fn flag(&mut self) -> bool;

    /// An integer from 0 to `most`.
    fn small(&mut self, most: u8) -> u8;

    /// Any byte; enumeration takes those of `meaningful`.
    fn byte(&mut self, meaningful: &'static [u8]) -> u8;

    /// Any word of 64 bits; enumeration takes the powers of two, their neighbours and their negatives modulo 2^64.
    fn word(&mut self) -> u64;

    /// Any float, NaN and infinities included; enumeration takes those of `meaningful`.
    fn float(&mut self, meaningful: &'static [f64]) -> f64;

    /// Goes on only if `holds`: `None` says that the choices lie outside the property's domain.
    #[must_use]
    fn assume(&mut self, holds: bool) -> Option<()>;

    /// Notes whether an interesting case is `reached`; called by [`cover!`](crate::cover).
    fn note(&mut self, what: &'static str, reached: bool);

    /// An integer from `-most` to `most`, which is at most 127.
    fn signed(&mut self, most: u8) -> i8 {
        let shifted = i16::from(self.small(2 * most));
        (shifted - i16::from(most)) as i8
    }

    /// An index from 0 to `most`, which is at most 255.
    fn index(&mut self, most: usize) -> usize {
        usize::from(self.small(most as u8))
    }
}

/// Fails unless the condition holds, with a message that begins with "claim fails: ". A planted bug counts as found only
/// if it fails a claim.
#[macro_export]
macro_rules! claim {
    ($holds:expr, $what:literal) => {{
        // Kani's own function shows the message; its `assert!` would show how the message is made.
        #[cfg(kani)]
        $crate::symbolic::require($holds, concat!("claim fails: ", $what));
        #[cfg(not(kani))]
        assert!($holds, concat!("claim fails: ", $what));
    }};
}

/// Requires that some choices reach the condition: a check of the model checker (`kani::cover!`), and of the
/// enumeration, which fails where none does.
#[macro_export]
macro_rules! cover {
    ($choices:expr, $reached:expr, $what:literal) => {{
        #[cfg(kani)]
        $crate::symbolic::cover!($reached, $what);
        #[cfg(not(kani))]
        $choices.note($what, $reached);
    }};
}

/// Calls `with` with the value as a constant: a loop over `0..=most` whose body runs once. A model checker then
/// computes with constants in each branch, which is what floats and divisions need.
pub fn split(value: usize, most: usize, mut with: impl FnMut(usize)) {
    for constant in 0..=most {
        if value == constant {
            with(constant);
        }
    }
}
