//! A finder of exact losses, by elimination in prime fields.
//!
//! Observers see `B x + A z`: rows over hidden draws z with variances `s^2`, and over inputs x. The
//! loss of input i is `b^T G^+ b` with `b = B e_i` and the Gram matrix `G = A S^2 A^T`, and its
//! witness is the statistic `c = G^+ b`. Rows that are independent modulo one prime, r of them,
//! are independent over the rationals. On them `det(G)` and `det(G) c` are integers, which their
//! remainders modulo enough primes determine. Modulo a prime every number is one machine word, and
//! elimination is as fast as in floating point. If there are as many independent rows as draws and
//! b is column k of A (the draw that protects input i), then c is row k of `A^-1` over `s_k^2`, in
//! integers of half the length.
//!
//! Nothing here is trusted. A prime may be unlucky and divide all minors of the largest size, so
//! that rows are missing; a checker refuses what is then found, and the next prime is tried.
//!
//! | module | content |
//! | --- | --- |
//! | `field` | products modulo a prime without division (Montgomery 1985) |
//! | `elimination` | independent rows, inverses, and solutions with a Gram matrix |
//! | `remainders` | integers from their remainders |

mod elimination;
mod field;
mod remainders;

use crate::FastError;
use elimination::{Echelon, inverse_rows, solve_gram};
use field::{Digits, Field, primes};
use num_bigint::BigInt;
use remainders::{Remainders, primes_for};

/// Largest number of remainders that are reconstructed at a time.
const AT_ONCE: usize = 1 << 22;

/// A linear system and the inputs that statistics are wanted for.
#[derive(Clone, Debug)]
pub struct ExactEquations<'a> {
    /// The rows of A, over the draws.
    pub rows: Vec<&'a [BigInt]>,
    /// The positive variances of the draws, times `unit`.
    pub variances: &'a [BigInt],
    /// The positive factor of the variances.
    pub unit: &'a BigInt,
    /// For each input, its coefficient in each row.
    pub inputs: Vec<Vec<&'a BigInt>>,
}

/// The statistics that [`ExactEquations::solve`] finds.
#[derive(Clone, Debug)]
pub struct ExactStatistics {
    /// The number of independent rows.
    pub rank: usize,
    /// For each input, rows with their numerators, and the common positive denominator.
    pub solutions: Vec<(Vec<(usize, BigInt)>, BigInt)>,
}

/// The integers that determine the statistics.
enum Solver {
    /// `det(G)`, and `det(G) c` for each input.
    Gram,
    /// `det(A)`, and for each input row k of `det(A) A^-1`.
    Inverse(Vec<usize>),
}

impl ExactEquations<'_> {
    /// Finds c with `A S^2 A^T c = b` for each input.
    ///
    /// The result is right unless the prime number `attempt` (counted from 0) is unlucky, or b is
    /// not in the range of A. Callers check it.
    ///
    /// # Errors
    ///
    /// Returns [`FastError::TooMuchWork`] before it takes more than about `limit` products of
    /// machine words.
    pub fn solve(&self, attempt: usize, limit: u128) -> Result<ExactStatistics, FastError> {
        let (all, width, wanted) = (self.rows.len(), self.variances.len(), self.inputs.len());
        within([all, width, all.min(width)].iter().map(|&f| f as u128).product(), limit)?;
        let independent = independent_rows(&self.rows, width, attempt);
        let rank = independent.len();
        let chosen: Vec<&[BigInt]> = independent.iter().map(|&row| self.rows[row]).collect();
        let columns = if rank == width { self.columns() } else { None };
        let (solver, bits) = match columns {
            Some(columns) => (Solver::Inverse(columns), determinant_bits(&chosen)),
            None => (Solver::Gram, self.gram_bits(&chosen)),
        };
        let primes = primes_for(bits);
        within(work(rank, width, all, wanted, primes), limit)?;

        let chosen: Vec<Vec<Digits>> = chosen.iter().map(|row| digits(row)).collect();
        let weights = digits(self.variances);
        let at_once = (AT_ONCE / (primes * rank.max(1))).max(1);
        let inputs: Vec<usize> = (0..wanted).collect();
        let mut solutions = Vec::with_capacity(wanted);
        for inputs in inputs.chunks(at_once) {
            let side = |&input: &usize| -> Vec<Digits> {
                let entries = independent.iter().map(|&row| self.inputs[input][row]);
                entries.map(Digits::from).collect()
            };
            let sides: Vec<Vec<Digits>> = inputs.iter().map(side).collect();
            let remainders = Remainders::collect(bits, |field| {
                let rows: Vec<_> = chosen.iter().map(|row| modulo(row, field)).collect();
                match &solver {
                    Solver::Inverse(columns) => {
                        let columns: Vec<_> = inputs.iter().map(|&input| columns[input]).collect();
                        inverse_rows(field, rows, &columns)
                    }
                    Solver::Gram => {
                        let gram = gram(field, &rows, &modulo(&weights, field));
                        let sides = sides.iter().map(|side| modulo(side, field));
                        solve_gram(field, &gram, sides.collect())
                    }
                }
            });
            let mut integers = remainders.integers().into_iter();
            let determinant = integers.next().unwrap_or_default();
            for &input in inputs {
                let found = independent.iter().copied().zip(&mut integers);
                let denominator = match &solver {
                    Solver::Inverse(columns) => &determinant * &self.variances[columns[input]],
                    Solver::Gram => determinant.clone(),
                };
                solutions.push(self.scaled(found.collect(), denominator));
            }
        }
        Ok(ExactStatistics { rank, solutions })
    }

    /// Returns the draw whose column is that of each input, if all inputs have one.
    fn columns(&self) -> Option<Vec<usize>> {
        let is_input = |input: &[&BigInt], draw: usize| {
            self.rows.iter().zip(input).all(|(row, entry)| row[draw] == **entry)
        };
        let draw =
            |input: &Vec<&BigInt>| (0..self.variances.len()).find(|&draw| is_input(input, draw));
        self.inputs.iter().map(draw).collect()
    }

    /// Returns an upper bound on the bits of `det(G)` and `det(G) c`.
    fn gram_bits(&self, rows: &[&[BigInt]]) -> u64 {
        let square = |row: &&[BigInt]| -> BigInt {
            let entries = row.iter().zip(self.variances);
            entries.map(|(entry, variance)| entry * entry * variance).sum()
        };
        let determinant: u64 = rows.iter().map(|row| square(row).bits()).sum();
        let largest = self.inputs.iter().flatten().map(|entry| entry.bits()).max();
        determinant + largest.unwrap_or(0) + u64::from(usize::BITS)
    }

    /// Multiplies the numerators by the factor of the variances, leaves zeros out, and makes the
    /// denominator positive.
    fn scaled(
        &self,
        mut numerators: Vec<(usize, BigInt)>,
        denominator: BigInt,
    ) -> (Vec<(usize, BigInt)>, BigInt) {
        let zero = BigInt::from(0);
        numerators.retain(|(_, numerator)| *numerator != zero);
        let negative = denominator < zero;
        let factor = if negative { -self.unit } else { self.unit.clone() };
        if factor != BigInt::from(1) {
            numerators.iter_mut().for_each(|(_, numerator)| *numerator *= &factor);
        }
        (numerators, if negative { -denominator } else { denominator })
    }
}

/// Returns an upper bound on the bits of all minors.
fn determinant_bits(rows: &[&[BigInt]]) -> u64 {
    let square = |row: &&[BigInt]| -> BigInt { row.iter().map(|entry| entry * entry).sum() };
    let bits: u64 = rows.iter().map(|row| square(row).bits()).sum();
    bits / 2 + 1
}

/// Returns the rows that are independent of those before them modulo a prime.
fn independent_rows(rows: &[&[BigInt]], width: usize, attempt: usize) -> Vec<usize> {
    let mut independent = Vec::new();
    if let Some(field) = primes().nth(attempt) {
        let mut echelon = Echelon::new(field);
        for (number, row) in rows.iter().enumerate() {
            if independent.len() == width {
                break;
            }
            if echelon.insert(modulo(&digits(row), &field)) {
                independent.push(number);
            }
        }
    }
    independent
}

/// Returns the lower half of the Gram matrix, row by row.
fn gram(field: &Field, rows: &[Vec<u64>], weights: &[u64]) -> Vec<Vec<u64>> {
    let mut gram: Vec<Vec<u64>> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let weighted = row.iter().zip(weights);
        let weighted: Vec<_> = weighted.map(|(&x, &w)| field.product(x, w)).collect();
        gram.push(rows[..=i].iter().map(|other| field.dot(&weighted, other)).collect());
    }
    gram
}

/// Estimates the products of machine words to find the solutions and to check them.
fn work(rank: usize, width: usize, rows: usize, sides: usize, primes: usize) -> u128 {
    let [rank, width, rows, sides, primes] =
        [rank, width, rows, sides, primes].map(|factor| factor as u128);
    primes * rank * rank * (rank / 6 + width / 2 + sides)
        + sides * primes * (rank * primes / 2 + 2 * (rank + rows) * width)
}

fn within(products: u128, limit: u128) -> Result<(), FastError> {
    if products <= limit { Ok(()) } else { Err(FastError::TooMuchWork { products, limit }) }
}

fn digits(integers: &[BigInt]) -> Vec<Digits> {
    integers.iter().map(Digits::from).collect()
}

fn modulo(digits: &[Digits], field: &Field) -> Vec<u64> {
    digits.iter().map(|number| number.modulo(field)).collect()
}
