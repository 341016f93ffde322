//! The numbers that the engine computes with.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// A kind of numbers with the four operations: `f64` in use, exact ones in proofs.
///
/// ```
/// use muffliato_fast::arithmetic::{Number, degree_weights};
/// use num_rational::Ratio;
///
/// /// What the middle of three nodes in a row keeps of its value, with Metropolis weights.
/// fn own_weight<T: Number>() -> T {
///     degree_weights(3, [2, 2].into_iter(), &mut [T::from(0); 2])
/// }
/// assert_eq!(own_weight::<Ratio<u32>>(), Ratio::new(1, 3));
/// assert_eq!(own_weight::<f64>(), 1.0 / 3.0);
/// ```
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
