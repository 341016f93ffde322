//! Rigorous enclosures with rational ends: intervals that provably contain a real number.

mod eigenvalues;
mod elementary;
mod interval;

pub use eigenvalues::{Inertia, eigenvalue, inertia};
pub use elementary::{exp, ln, sqrt};
pub use interval::Interval;
