//! The two engines agree: on every small graph, on random cases of every shape, and on every case that was ever saved.

mod exhaustive;
mod generators;
mod larger;
mod random;
mod saved;
