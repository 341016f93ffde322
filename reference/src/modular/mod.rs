//! Exact results computed in prime fields.
//!
//! Modulo a prime every number is one machine word, and elimination is as fast as in floating
//! point. Results are never trusted by themselves: integers are reconstructed from enough primes
//! that a proved bound on their size leaves only one candidate ([`Remainders`]), and ranks found
//! with a single prime are checked over the integers by the caller ([`RowSpace`](crate::RowSpace)).
//!
//! | module | its one idea |
//! | --- | --- |
//! | `field` | products modulo a prime without division (Montgomery 1985) |
//! | `elimination` | echelon form, kernels and quadratic forms over a field |
//! | `remainders` | integers from their remainders |

mod elimination;
mod field;
mod remainders;

pub(crate) use elimination::{Echelon, forms, kernel};
pub(crate) use field::{Digits, Field, primes};
pub(crate) use remainders::{Remainders, primes_for};
