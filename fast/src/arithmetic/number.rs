//! The numbers that the engine computes with.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A kind of numbers with the four operations: `f64` in use, exact ones in proofs.
pub trait Number:
    Copy
    + PartialOrd
    + From<u32>
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl<T> Number for T where
    T: Copy
        + PartialOrd
        + From<u32>
        + Add<Output = T>
        + AddAssign
        + Sub<Output = T>
        + Mul<Output = T>
        + Div<Output = T>
{
}
