//! Reconstruction of integers from their remainders modulo primes.
//!
//! An integer of absolute value below B is determined by its remainders modulo primes whose product
//! is above 2B. The digits of Garner (1959) are found prime by prime: with
//! `x = d_0 + d_1 p_0 + d_2 p_0 p_1 + ...`, `0 <= d_k < p_k`,
//!
//! ```text
//! d_k = (x - d_0 - d_1 p_0 - ...) / (p_0 ... p_{k-1})  modulo p_k.
//! ```

use super::field::{BITS, Field, primes};
use num_bigint::{BigInt, BigUint};

/// Integers known modulo primes.
pub(crate) struct Remainders {
    fields: Vec<Field>,
    /// For each prime, the remainder of each integer: numbers below the prime.
    values: Vec<Vec<u64>>,
}

/// Returns the number of primes that determine an integer of absolute value below `2^bits`.
pub(crate) fn primes_for(bits: u64) -> usize {
    (bits + 1) as usize / BITS as usize + 1
}

impl Remainders {
    /// Collects the remainders of integers below `2^bits` in absolute value modulo enough primes.
    /// If `of` returns `None` for a field, the next prime is taken.
    ///
    /// Stops earlier if a combination of the integers does not change by two more primes.
    pub fn collect(bits: u64, of: impl Fn(&Field) -> Option<Vec<u64>>) -> Self {
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        let (mut digits, mut unchanged) = (Vec::new(), 0);
        for field in primes() {
            if fields.len() == primes_for(bits) || unchanged == 2 {
                break;
            }
            let Some(found) = of(&field) else {
                continue;
            };
            let mut combined = 0;
            for &value in &found {
                // Horner's rule at 3: every integer counts.
                combined = field.sum(field.sum(combined, combined), field.sum(combined, value));
            }
            let (products, inverse) = radix(&fields, &field);
            let rest = field.difference(combined, field.dot(&digits, &products));
            let digit = field.product(rest, inverse);
            unchanged = if digit == 0 || digit + 1 == field.prime() { unchanged + 1 } else { 0 };
            digits.push(digit);
            fields.push(field);
            values.push(found);
        }
        Self { fields, values }
    }

    /// Reconstructs the integers.
    pub fn integers(&self) -> Vec<BigInt> {
        let count = self.values.first().map_or(0, Vec::len);
        let numbered = self.fields.iter().enumerate();
        let radices = numbered.map(|(k, field)| radix(&self.fields[..k], field));
        let radices: Vec<(Vec<u64>, u64)> = radices.collect();
        let whole: BigInt = self.fields.iter().map(|f| BigInt::from(f.prime())).product();
        let half = &whole >> 1;
        (0..count)
            .map(|number| {
                let mut digits: Vec<u64> = Vec::with_capacity(self.fields.len());
                for (k, (products, inverse)) in radices.iter().enumerate() {
                    let field = &self.fields[k];
                    let known = field.dot(&digits, products);
                    let rest = field.difference(self.values[k][number], known);
                    digits.push(field.product(rest, *inverse));
                }
                let value = BigInt::from(self.horner(&digits));
                if value > half { value - &whole } else { value }
            })
            .collect()
    }

    /// Computes `d_0 + p_0 (d_1 + p_1 (d_2 + ...))`.
    fn horner(&self, digits: &[u64]) -> BigUint {
        let mut words: Vec<u64> = Vec::with_capacity(digits.len());
        for (field, &digit) in self.fields.iter().zip(digits).rev() {
            let mut carry = u128::from(digit);
            for word in &mut words {
                carry += u128::from(*word) * u128::from(field.prime());
                *word = carry as u64;
                carry >>= 64;
            }
            if carry > 0 {
                words.push(carry as u64);
            }
        }
        let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

/// Returns the products `1, p_0, p_0 p_1, ...` of all but the last of some primes, and the inverse
/// of the product of all, as elements of a field.
fn radix(fields: &[Field], field: &Field) -> (Vec<u64>, u64) {
    let mut product = field.one();
    let mut products = Vec::with_capacity(fields.len());
    for smaller in fields {
        products.push(product);
        product = field.product(product, field.element(smaller.prime() % field.prime()));
    }
    (products, field.inverse(product))
}

#[cfg(test)]
mod tests {
    use super::super::field::Digits;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_come_back(
            words in prop::collection::vec(any::<u64>(), 0..12),
            shifts: Vec<u8>,
            skipped in 0_usize..3,
        ) {
            let mut integers: Vec<BigInt> = shifts.iter().map(|&s| BigInt::from(-1) << s).collect();
            let mut sum = BigInt::from(0);
            for word in words {
                sum = (sum << 64) + word;
                integers.extend([sum.clone(), -sum.clone()]);
            }
            let bits = integers.iter().map(BigInt::bits).max().unwrap_or(0);
            let refused = primes().nth(skipped).unwrap();
            let remainders = Remainders::collect(bits, |field| {
                let of = |x: &BigInt| field.number(Digits::from(x).modulo(field));
                (*field != refused).then(|| integers.iter().map(of).collect())
            });
            prop_assert_eq!(remainders.integers(), integers);
        }
    }
}
