//! Dense linear algebra: the only module that knows faer.

pub(crate) mod blocks;
pub(crate) mod factors;
pub(crate) mod slices;
