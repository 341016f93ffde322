//! Registered properties, and the macro that generates their runs from one entry.

/// A property in the inventory.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name of the function and of the harness.
    pub name: &'static str,
    /// The claim in words.
    pub claim: &'static str,
    /// The production code that it runs.
    pub item: &'static str,
    /// Inputs for which the model checker proves it.
    pub bound: &'static str,
    /// Size that the model checker proves.
    pub kani_size: usize,
    /// Bound on loop iterations for the model checker.
    pub unwind: usize,
    /// Time of the model checker's run, if any.
    pub run: Run,
    /// A bug of the production code that the property finds.
    pub planted: Planted,
}

/// Time of the model checker's run, in seconds; versions and date are in `README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Proved as it stands, in this many seconds.
    Proved(usize),
    /// Proved as it stands, in a run of all harnesses; only the total time is known.
    ProvedTogether,
    /// Proved before the harness or its core was changed, and not run since.
    ProvedBefore,
    /// Not yet run.
    NotYet,
}

/// A bug: one place of the production code, and its replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// File, relative to the root of the workspace.
    pub file: &'static str,
    /// The correct text, which occurs once.
    pub right: &'static str,
    /// The replacement.
    pub wrong: &'static str,
}

impl Planted {
    /// Returns the file's text with the bug, or `None` unless the correct text occurs exactly once.
    pub fn into_text(&self, text: &str) -> Option<String> {
        let once = text.matches(self.right).count() == 1;
        once.then(|| text.replace(self.right, self.wrong))
    }
}

/// Registers properties. Each entry generates an entry of [`INVENTORY`](crate::INVENTORY) and a
/// module of three runs: Kani's harness `proof`, and the tests `exhaustive` and `random`. An entry
/// without one of them, or without a planted bug, does not compile.
macro_rules! register {
    ($(
        $topic:ident :: $name:ident: $counts:ident = $kani:literal, unwind = $unwind:tt, $run:expr,
            enumerated [$($exhaustive:literal),+], random [$($random:literal),+];
        $claim:literal of $item:literal for $bound:literal bug $file:literal: $right:literal => $wrong:literal
    )+) => {
        /// Every registered property.
        pub const INVENTORY: &[Entry] = &[$(Entry {
            name: stringify!($name),
            claim: $claim,
            item: $item,
            bound: $bound,
            kani_size: $kani,
            unwind: $unwind,
            run: $run,
            planted: Planted { file: $file, right: $right, wrong: $wrong },
        }),+];

        /// The runs of each property.
        #[cfg(any(test, kani))]
        pub mod harnesses {
            $(
                crate::registry::gate! { $topic
                #[doc = $claim]
                pub mod $name {
                    #[cfg(kani)]
                    use crate::symbolic::Symbolic;
                    use crate::properties::$topic::$name as property;

                    #[doc = $bound]
                    #[cfg(kani)]
                    #[cfg_attr(not(kani_stand_in), kani::proof)]
                    #[cfg_attr(not(kani_stand_in), kani::unwind($unwind))]
                    #[cfg_attr(not(kani_stand_in), kani::solver(cadical))]
                    pub fn proof() {
                        property::<$kani>(&mut Symbolic);
                    }

                    #[cfg(test)]
                    #[test]
                    fn exhaustive() {
                        let sizes: &[_] = &[$(($exhaustive, property::<$exhaustive> as _)),+];
                        crate::engines::enumerate(stringify!($name), ($kani, property::<$kani>), sizes);
                    }

                    #[cfg(test)]
                    #[test]
                    fn random() {
                        let sizes: &[_] = &[$(($random, property::<$random> as _)),+];
                        crate::engines::sample(stringify!($name), sizes);
                    }
                }
                }
            )+
        }
    };
}

/// Leaves the float kernels, which Kani has not yet run, to the feature `floats`.
#[cfg(any(test, kani))]
macro_rules! gate {
    (kernels $item:item) => {
        #[cfg(any(test, kani_stand_in, feature = "floats"))]
        $item
    };
    ($topic:ident $item:item) => {
        $item
    };
}

#[cfg(any(test, kani))]
pub(crate) use gate;
pub(crate) use register;
