//! Exact answers by way of prime fields.
//!
//! Modulo a prime every number is one machine word, and elimination costs what it costs in floating
//! point. What is found there is never trusted: integers are put together from enough primes that
//! a proved bound on their size leaves one candidate only ([`Remainders`]), and what a single prime says
//! about ranks is checked over the integers by the caller ([`RowSpace`](crate::RowSpace)).
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
