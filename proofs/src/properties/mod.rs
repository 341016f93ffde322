//! Properties, by topic; `table.rs` says for which inputs. Each takes its size as a constant, so that a model checker sees arrays of a
//! fixed size.

pub mod absorption;
pub mod bounds;
pub mod certificate;
pub mod diagonal;
pub mod floats;
pub mod graph;
#[cfg_attr(not(any(test, kani_stand_in, feature = "floats")), allow(dead_code))]
pub mod kernels;
pub mod leakage;
pub mod matrices;
pub mod node;
pub mod noise;
pub mod places;
pub mod plans;
pub mod products;
pub mod readers;
pub mod sparse;
pub mod weights;
