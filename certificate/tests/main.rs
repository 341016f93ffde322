//! The checker of certificates: what it accepts, and what it refuses.

mod absorption;
mod rounded;
mod soundness;
mod theorems;
mod wrong_files;
