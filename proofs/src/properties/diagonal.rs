//! The fast engine's diagonal without cancellation, in exact fractions.

use super::{matrices::common_denominator, sparse::shift_of};
use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::cores::degree_weights;

/// Exact fractions over the square of [`common_denominator`] of N + 1: enough for a row of N
/// neighbours.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Scaled<const N: usize>(i32);

impl<const N: usize> Scaled<N> {
    const ONE: i32 = common_denominator(N + 1) * common_denominator(N + 1);
}

/// Returns `a * b / below`, an integer.
fn rescaled(a: i32, b: i32, below: i32) -> i32 {
    let above = a * b;
    assert!(above % below == 0, "the scale is too coarse");
    above / below
}

impl<const N: usize> From<u32> for Scaled<N> {
    fn from(whole: u32) -> Self {
        Self(whole as i32 * Self::ONE)
    }
}

impl<const N: usize> std::ops::Add for Scaled<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<const N: usize> std::ops::AddAssign for Scaled<N> {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl<const N: usize> std::ops::Sub for Scaled<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<const N: usize> std::ops::Mul for Scaled<N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(rescaled(self.0, other.0, Self::ONE))
    }
}

impl<const N: usize> std::ops::Div for Scaled<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(rescaled(self.0, Self::ONE, other.0))
    }
}

pub fn diagonal_is_one_minus_the_rest<const N: usize>(choices: &mut impl Choices) -> Case {
    let metropolis = choices.flag();
    let shift = shift_of(metropolis);
    let drawn = choices.index(N);
    let others: [u32; N] = choices.array(|choices| 1 + u32::from(choices.small(N as u8)));
    split(drawn, N, |count| {
        let own = (count + shift).max(1) as u32;
        let mut values = [Scaled::<N>(0); N];
        let diagonal = degree_weights(own, others[..count].iter().copied(), &mut values[..count]);
        let mut sum = diagonal.0;
        for place in 0..count {
            let larger = own.max(others[place]) as i32;
            claim!(values[place].0 * larger == Scaled::<N>::ONE, "one over the larger degree");
            sum += values[place].0;
        }
        claim!(diagonal.0 >= 0, "the diagonal is not negative");
        claim!(!metropolis || diagonal.0 > 0, "the diagonal of Metropolis is positive");
        claim!(sum == Scaled::<N>::ONE, "the diagonal is one minus the weights of the edges");
    });
    cover!(choices, drawn == N && others[0] > N as u32, "a larger degree");
    Some(())
}
