//! What a registered property is, and the macro that makes its three runs from one entry.

/// A property in the inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name: the function's, and the harness's.
    pub name: &'static str,
    /// What is claimed, in words.
    pub claim: &'static str,
    /// The production code that it runs.
    pub item: &'static str,
    /// What the model checker proves it for, in words.
    pub bound: &'static str,
    /// What a size counts.
    pub counts: &'static str,
    /// The size that the model checker proves.
    pub kani_size: usize,
    /// How often the model checker unrolls a loop.
    pub unwind: usize,
    /// How many seconds the model checker is expected to take, roughly.
    pub seconds: usize,
    /// The sizes that are enumerated.
    pub exhaustive: &'static [usize],
    /// The sizes that are drawn at random.
    pub random: &'static [usize],
}

/// Registers properties. Each entry makes a line of [`INVENTORY`](crate::INVENTORY) and a module of four runs: Kani's harness `proof` (and,
/// with the feature `planted`, the harness `planted`, which must fail), and the tests `exhaustive`, `random` and
/// `planted_bug_is_found`. An entry that leaves out an engine does not compile.
macro_rules! register {
    ($(
        $topic:ident :: $name:ident {
            claim: $claim:literal,
            item: $item:literal,
            bound: $bound:literal,
            kani: $counts:ident = $kani:literal, unwind = $unwind:tt, seconds = $seconds:literal,
            exhaustive: [$($exhaustive:literal),+],
            random: [$($random:literal),+],
        }
    )+) => {
        /// Every registered property.
        pub const INVENTORY: &[Entry] = &[$(Entry {
            name: stringify!($name),
            claim: $claim,
            item: $item,
            bound: $bound,
            counts: stringify!($counts),
            kani_size: $kani,
            unwind: $unwind,
            seconds: $seconds,
            exhaustive: &[$($exhaustive),+],
            random: &[$($random),+],
        }),+];

        /// The runs of each property.
        #[cfg(any(test, kani))]
        pub mod harnesses {
            $(
                #[doc = $claim]
                pub mod $name {
                    #[cfg(kani)]
                    use crate::symbolic::Symbolic;
                    #[cfg(test)]
                    use crate::{exhaustive::Exhaustive, random::Random};
                    use crate::{Fault, properties::$topic::$name as property};

                    #[doc = $bound]
                    #[cfg(kani)]
                    #[cfg_attr(not(kani_stand_in), kani::proof)]
                    #[cfg_attr(not(kani_stand_in), kani::unwind($unwind))]
                    #[cfg_attr(not(kani_stand_in), kani::solver(cadical))]
                    pub fn proof() {
                        property::<Symbolic, $kani>(&mut Symbolic, Fault::Absent);
                    }

                    /// The same with a planted bug, which must be found.
                    #[cfg(all(kani, feature = "planted"))]
                    #[cfg_attr(not(kani_stand_in), kani::proof)]
                    #[cfg_attr(not(kani_stand_in), kani::should_panic)]
                    #[cfg_attr(not(kani_stand_in), kani::unwind($unwind))]
                    #[cfg_attr(not(kani_stand_in), kani::solver(cadical))]
                    pub fn planted() {
                        property::<Symbolic, $kani>(&mut Symbolic, Fault::Planted);
                    }

                    #[cfg(test)]
                    #[test]
                    fn exhaustive() {
                        crate::exhaustive::run(stringify!($name), $kani, &[$((
                            $exhaustive,
                            |choices| property::<Exhaustive, $exhaustive>(choices, Fault::Absent),
                        )),+]);
                    }

                    #[cfg(test)]
                    #[test]
                    fn random() {
                        crate::random::run(stringify!($name), &[$((
                            $random,
                            |choices| property::<Random, $random>(choices, Fault::Absent),
                        )),+]);
                    }

                    #[cfg(test)]
                    #[test]
                    fn planted_bug_is_found() {
                        crate::exhaustive::find_planted_bug(stringify!($name), $kani, |choices| {
                            property::<Exhaustive, $kani>(choices, Fault::Planted)
                        });
                    }
                }
            )+
        }
    };
}

pub(crate) use register;
