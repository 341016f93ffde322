//! What a registered property is, and the macro that makes its runs from one entry.

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
    /// Whether the model checker has run it, and how long that took.
    pub run: Run,
    /// A change of the production code that the property finds.
    pub planted: Planted,
    /// The sizes that are enumerated.
    pub exhaustive: &'static [usize],
    /// The sizes that are drawn at random.
    pub random: &'static [usize],
}

/// What is known of the model checker's time, in seconds; the versions and the date are in `README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Proved as it stands, in so many seconds.
    Proved(usize),
    /// Proved as it stands, in a run of all harnesses whose time is known for all together.
    ProvedTogether,
    /// Proved before the harness or its core was changed; not yet run since.
    ProvedBefore,
    /// Not yet run.
    NotYet,
}

/// A bug: one place of the production code, and what to write there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The file, from the root of the workspace.
    pub file: &'static str,
    /// What stands there, once.
    pub right: &'static str,
    /// What is written in its place.
    pub wrong: &'static str,
}

impl Planted {
    /// The file's text with the bug; `None` unless the right text stands there exactly once.
    pub fn into_text(&self, text: &str) -> Option<String> {
        let once = text.matches(self.right).count() == 1;
        once.then(|| text.replace(self.right, self.wrong))
    }
}

/// Registers properties. Each entry makes an entry of [`INVENTORY`](crate::INVENTORY) and a module of three runs: Kani's harness
/// `proof`, and the tests `exhaustive` and `random`. An entry that leaves one out, or the bug that is planted, does not compile.
macro_rules! register {
    ($(
        $topic:ident :: $name:ident {
            claim: $claim:literal,
            item: $item:literal,
            bound: $bound:literal,
            planted: $file:literal, $right:literal => $wrong:literal,
            kani: $counts:ident = $kani:literal, unwind = $unwind:tt, $run:expr,
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
            run: $run,
            planted: Planted { file: $file, right: $right, wrong: $wrong },
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
                    use crate::properties::$topic::$name as property;

                    #[doc = $bound]
                    #[cfg(kani)]
                    #[cfg_attr(not(kani_stand_in), kani::proof)]
                    #[cfg_attr(not(kani_stand_in), kani::unwind($unwind))]
                    #[cfg_attr(not(kani_stand_in), kani::solver(cadical))]
                    pub fn proof() {
                        property::<Symbolic, $kani>(&mut Symbolic);
                    }

                    #[cfg(test)]
                    #[test]
                    fn exhaustive() {
                        crate::exhaustive::run(
                            stringify!($name),
                            ($kani, property::<Exhaustive, $kani>),
                            &[$(($exhaustive, property::<Exhaustive, $exhaustive>)),+],
                        );
                    }

                    #[cfg(test)]
                    #[test]
                    fn random() {
                        crate::random::run(
                            stringify!($name),
                            &[$(($random, property::<Random, $random>)),+],
                        );
                    }
                }
            )+
        }
    };
}

pub(crate) use register;
