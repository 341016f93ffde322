//! The test vectors, and programs that are graded by them.

mod programs;
mod vectors;
