//! The exact engine, by topic.

mod bad_input;
mod formulas;
mod identities;
mod instances;
mod masks;
