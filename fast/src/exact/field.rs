//! The integers modulo a prime below 2^61.
//!
//! An element x is stored as `x 2^64 mod p` (Montgomery 1985), so that a product needs three
//! multiplications and no division. Sums of up to 32 products fit into 128 bits and are reduced
//! once.

use num_bigint::{BigInt, Sign};

/// A prime field, or the integers modulo an odd number while its primality is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    prime: u64,
    /// `prime^-1 mod 2^64`.
    inverse: u64,
    /// `2^128 mod prime`.
    square: u64,
}

/// The largest prime below 2^61, the largest one used.
const LARGEST: u64 = (1 << 61) - 1;

/// All primes used are above `2^BITS`.
pub(crate) const BITS: u64 = 60;

/// Number of products of two numbers below 2^61 that are summed before a reduction.
const AT_ONCE: usize = 32;

/// Returns the primes below 2^61, from the largest down.
pub(crate) fn primes() -> impl Iterator<Item = Field> {
    let odd = (1 << BITS..=LARGEST).rev().step_by(2);
    odd.map(Field::of).filter(Field::is_prime)
}

impl Field {
    /// Creates the field of an odd modulus above 1 and below 2^61.
    pub(crate) fn of(prime: u64) -> Self {
        // Newton: each step doubles the number of correct bits, starting from five.
        let mut inverse = prime.wrapping_mul(3) ^ 2;
        for _ in 0..4 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let word = (1_u128 << 64) % u128::from(prime);
        Self { prime, inverse, square: (word * word % u128::from(prime)) as u64 }
    }

    pub fn prime(&self) -> u64 {
        self.prime
    }

    /// Returns `sum / 2^64` modulo the prime, below `max(sum / 2^64, prime)`.
    #[inline(always)]
    fn fold(&self, sum: u128) -> u64 {
        let factor = (sum as u64).wrapping_mul(self.inverse);
        let above = (sum >> 64) as u64;
        let taken = ((u128::from(factor) * u128::from(self.prime)) >> 64) as u64;
        if above >= taken { above - taken } else { above + self.prime - taken }
    }

    /// Returns the element of a number below 2^61.
    pub fn element(&self, number: u64) -> u64 {
        self.product(number, self.square)
    }

    pub fn one(&self) -> u64 {
        self.element(1)
    }

    /// Returns the number of an element, below the prime.
    pub fn number(&self, element: u64) -> u64 {
        self.fold(u128::from(element))
    }

    /// Multiplies two elements, which gives an element, or a number and an element, which gives a
    /// number.
    #[inline(always)]
    pub fn product(&self, a: u64, b: u64) -> u64 {
        self.fold(u128::from(a) * u128::from(b))
    }

    #[inline(always)]
    pub fn sum(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    #[inline(always)]
    pub fn difference(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    pub fn negative(&self, a: u64) -> u64 {
        self.difference(0, a)
    }

    /// Returns the inner product of two lists, all below 2^61.
    pub fn dot(&self, a: &[u64], b: &[u64]) -> u64 {
        let mut total = 0;
        for (a, b) in a.chunks(AT_ONCE).zip(b.chunks(AT_ONCE)) {
            let products = a.iter().zip(b).map(|(&a, &b)| u128::from(a) * u128::from(b));
            total = self.sum(total, self.fold(products.sum()) % self.prime);
        }
        total
    }

    /// Computes `row - factor * other` in place.
    pub fn subtract_multiple(&self, row: &mut [u64], factor: u64, other: &[u64]) {
        for (entry, &other) in row.iter_mut().zip(other) {
            *entry = self.difference(*entry, self.product(factor, other));
        }
    }

    fn power(&self, base: u64, exponent: u64) -> u64 {
        let mut result = self.one();
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            result = self.product(result, result);
            if exponent >> bit & 1 == 1 {
                result = self.product(result, base);
            }
        }
        result
    }

    /// Returns `a^-1` for a non-zero element, by Fermat's theorem.
    pub fn inverse(&self, a: u64) -> u64 {
        self.power(a, self.prime - 2)
    }

    /// Runs the Miller-Rabin test with the first twelve primes, which is a proof below 3 * 10^24
    /// (Sorenson and Webster 2015).
    fn is_prime(&self) -> bool {
        const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        if BASES.iter().any(|base| self.prime.is_multiple_of(*base)) {
            return BASES.contains(&self.prime);
        }
        let (one, minus_one) = (self.one(), self.negative(self.one()));
        let halvings = (self.prime - 1).trailing_zeros();
        BASES.iter().all(|&base| {
            let mut power = self.power(self.element(base), (self.prime - 1) >> halvings);
            let mut passes = power == one || power == minus_one;
            for _ in 1..halvings {
                power = self.product(power, power);
                passes |= power == minus_one;
            }
            passes
        })
    }
}

/// An integer in machine words, to be reduced modulo many primes.
#[derive(Clone, Debug)]
pub(crate) struct Digits {
    negative: bool,
    /// From the lowest to the highest.
    words: Vec<u64>,
}

impl From<&BigInt> for Digits {
    fn from(integer: &BigInt) -> Self {
        let (sign, words) = integer.to_u64_digits();
        Self { negative: sign == Sign::Minus, words }
    }
}

impl Digits {
    /// Reduces the integer to an element of a field.
    pub fn modulo(&self, field: &Field) -> u64 {
        // Horner's rule on elements. A word may be up to 2^64, and is folded with 2^128.
        let mut sum = 0;
        for &word in self.words.iter().rev() {
            let shifted = field.product(sum, field.square);
            let low = field.fold(u128::from(word) * u128::from(field.square));
            sum = field.sum(shifted, low % field.prime);
        }
        if self.negative { field.negative(sum) } else { sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_largest_primes_below_two_to_the_61() {
        let below: Vec<_> = primes().take(4).map(|f| (1 << 61) - f.prime()).collect();
        assert_eq!(below, [1, 31, 45, 229]);
    }

    #[test]
    fn strong_pseudoprimes_are_not_primes() {
        // Pseudoprimes to the bases 2, 3, 5 and 7; and a Carmichael number.
        for composite in [3_215_031_751, 561, 1_122_004_669_633] {
            assert!(!Field::of(composite).is_prime(), "{composite}");
        }
        assert!([41, 43, 1_000_003].iter().all(|&p| Field::of(p).is_prime()));
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_the_integers(
            a in 0_u64..1 << 61,
            b in 0_u64..1 << 61,
            big in prop::collection::vec(any::<u64>(), 0..6),
            negative: bool,
        ) {
            let field = Field::of(LARGEST - 30);
            let p = u128::from(field.prime());
            let (x, y) = (field.element(a), field.element(b));
            let wide = |x: u64| u128::from(x);
            let product = wide(a) * wide(b) % p;
            let long = a % 70;
            let dots = wide(long) * product % p;
            let mut integer = BigInt::from(0);
            for &word in big.iter().rev() {
                integer = (integer << 64) + word;
            }
            if negative {
                integer = -integer;
            }
            let expected = ((&integer % p) + p) % p;
            let found = field.number(Digits::from(&integer).modulo(&field));
            prop_assert_eq!(wide(field.number(field.product(x, y))), product);
            prop_assert_eq!(wide(field.product(a, y)), product);
            prop_assert_eq!(wide(field.number(field.sum(x, y))), (wide(a) + wide(b)) % p);
            prop_assert_eq!(field.sum(field.difference(x, y), y), x);
            let dot = field.dot(&vec![x; long as usize], &vec![y; long as usize]);
            prop_assert_eq!(wide(field.number(dot)), dots);
            prop_assert!(x == 0 || field.product(x, field.inverse(x)) == field.one());
            prop_assert_eq!(BigInt::from(found), expected);
        }
    }
}
