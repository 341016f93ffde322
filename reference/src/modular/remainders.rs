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
    pub fn collect(bits: u64, of: impl Fn(&Field) -> Option<Vec<u64>>) -> Self {
        let answers = primes().filter_map(|field| Some((field, of(&field)?)));
        let (fields, values) = answers.take(primes_for(bits)).unzip();
        Self { fields, values }
    }

    /// Reconstructs the integers.
    pub fn integers(&self) -> Vec<BigInt> {
        let count = self.values.first().map_or(0, Vec::len);
        // For prime k: the products p_0 ... p_{j-1} modulo p_k, j <= k, and the inverse of the
        // last.
        let radices: Vec<(Vec<u64>, u64)> = (0..self.fields.len())
            .map(|k| {
                let field = &self.fields[k];
                let mut product = field.one();
                let mut products = Vec::with_capacity(k);
                for smaller in &self.fields[..k] {
                    products.push(product);
                    let factor = field.element(smaller.prime() % field.prime());
                    product = field.product(product, factor);
                }
                (products, field.inverse(product))
            })
            .collect();
        let whole: BigInt = self
            .fields
            .iter()
            .map(|f| BigInt::from(f.prime()))
            .product();
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
        let halves = words
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        BigUint::new(halves.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::Digits;
    use super::*;
    use quickcheck_macros::quickcheck;

    #[quickcheck]
    fn integers_come_back(words: Vec<u64>, shifts: Vec<u8>, skipped: u8) -> bool {
        let mut integers: Vec<BigInt> = shifts.iter().map(|&s| BigInt::from(-1) << s).collect();
        let mut sum = BigInt::from(0);
        for word in words {
            sum = (sum << 64) + word;
            integers.extend([sum.clone(), -sum.clone()]);
        }
        let bits = integers.iter().map(BigInt::bits).max().unwrap_or(0);
        let refused = primes().nth(usize::from(skipped % 3)).unwrap();
        let remainders = Remainders::collect(bits, |field| {
            let of = |x: &BigInt| field.number(Digits::from(x).modulo(field));
            (*field != refused).then(|| integers.iter().map(of).collect())
        });
        remainders.integers() == integers
    }
}
