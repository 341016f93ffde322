//! Agreement of the two engines on every small graph, on random cases of every shape, and on every
//! saved case.

mod exhaustive;
mod generators;
mod larger;
mod plans;
mod random;
mod saved;
