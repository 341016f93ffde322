//! The splitting of a row space into blocks, and its proof.
//!
//! Let A hold the messages over the n draws that are neither known nor alone. Modulo a prime its
//! reduced echelon form has r rows, whose non-zero entries join draws into blocks: block b has
//! `s_b` draws and `r_b` rows. Choose `r_b` messages that are independent on block b modulo the
//! prime; they are independent over the rationals, too. Let B_b be these messages, cut to the
//! block, and K_b its kernel, of dimension `s_b - r_b`, computed over the integers. Then **every
//! vector of every K_b is run through the protocol** as a vector of draws. If the observer sees 0
//! in all its messages, then
//!
//! ```text
//! rank A <= n - sum (s_b - r_b) = r     by the vectors that are not seen, which are independent,
//! rank A >= r                           by the minor that is not 0 modulo the prime,
//! ```
//!
//! so that the row space of A is exactly the complement of all K_b: the direct sum of the row
//! spaces of the B_b. Otherwise the prime was unlucky, and another one is taken; after [`ATTEMPTS`]
//! primes the plain elimination of [`View`](crate::View) decides.
//!
//! If all messages are independent and few (fresh noise at every step), one block needs no proof.

use super::{Place, digits, forms_work, modulo};
use crate::{
    Process, ReferenceError,
    arithmetic::{divide_by_content, eliminate, square_sum, weighted_dot},
    checks::check_work,
    modular::{Digits, Echelon, Field, Remainders, kernel, primes, primes_for},
    process::{State, simulate},
};
use muffliato_model::Observer;
use num_bigint::BigInt;
use num_traits::Zero;

/// Number of primes that are tried before the plain elimination.
pub(crate) const ATTEMPTS: usize = 2;

/// Largest number of remainders from which kernels are reconstructed at a time.
const AT_ONCE: usize = 1 << 22;

/// A part of a row space: the span of `rows`, which are independent.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// A basis in integers.
    pub rows: Vec<Vec<BigInt>>,
    /// The variance of each draw of the block, in a common unit.
    pub weights: Vec<BigInt>,
}

/// The row space of a view.
pub(super) struct Blocks {
    pub rank: usize,
    /// The place of each draw.
    pub places: Vec<Place>,
    pub blocks: Vec<Block>,
}

/// The part of a view that remains without its known draws.
struct Open<'a> {
    process: &'a Process,
    variances: Vec<BigInt>,
    /// For each draw, whether it is known or unseen.
    places: Vec<Option<Place>>,
    /// The other draws.
    draws: Vec<usize>,
    /// Messages (time and sender) that contain some of them.
    messages: Vec<(usize, usize)>,
}

/// A part of the row space modulo one prime.
struct Part {
    rank: usize,
    /// Its draws; on the first `rank` of them the rows are regular.
    draws: Vec<usize>,
    /// Independent messages, cut to the draws; empty if the rank is the number of draws.
    rows: Vec<Vec<BigInt>>,
}

/// Finds the blocks, or returns an error if finding them or computing all losses takes more than
/// `limit` operations on machine words.
pub(super) fn find(
    process: &Process,
    observer: &Observer,
    limit: u128,
) -> Result<Blocks, ReferenceError> {
    let open = Open::of(process, observer);
    let (all, draws) = (open.messages.len(), open.draws.len());
    check(&[all, draws, all.min(draws)], limit)?;
    for field in primes().take(ATTEMPTS) {
        let (echelon, independent) = open.echelon(field);
        let rank = independent.len();
        if rank == all && draws > 2 * rank {
            let found = open.whole(&independent);
            let work = found.blocks.iter().map(Block::work).sum();
            return within(work, limit).map(|()| found);
        }
        let split = open.split(field, echelon, &independent);
        within(split.iter().map(Part::work).sum(), limit)?;
        let unseen = split.iter().flat_map(Part::unseen).collect::<Vec<_>>();
        if is_unseen(process, observer, &unseen)? {
            return Ok(open.proved(split));
        }
    }
    check(&[all, all, all, all, draws], limit)?;
    let independent = open.independent();
    Ok(open.whole(&independent))
}

fn check(factors: &[usize], limit: u128) -> Result<(), ReferenceError> {
    let product = |work: u128, &factor: &usize| work.saturating_mul(factor as u128);
    within(factors.iter().fold(1, product), limit)
}

fn within(work: u128, limit: u128) -> Result<(), ReferenceError> {
    if work <= limit {
        Ok(())
    } else {
        Err(ReferenceError::TooMuchWork { work, limit })
    }
}

impl<'a> Open<'a> {
    fn of(process: &'a Process, observer: &'a Observer) -> Self {
        let protocol = process.protocol();
        let (variances, _) = process.variances();
        // A draw without variance is ignored.
        let unseen = |variance: &BigInt| variance.is_zero().then_some(Place::Unseen);
        let mut places: Vec<_> = variances.iter().map(unseen).collect();
        for (draw, place) in process.draws().iter().zip(&mut places) {
            if place.is_none() && draw.is_known_to(observer) {
                *place = Some(Place::Known);
            }
        }
        let times = 0..protocol.steps();
        let mut messages: Vec<(usize, usize)> = times
            .flat_map(|time| {
                let senders = protocol.step(time).senders_to(observer.members());
                senders.into_iter().map(move |sender| (time, sender))
            })
            .collect();
        // A draw that is alone in a message is known, which can leave others alone.
        loop {
            let before = messages.len();
            messages.retain(|&(time, sender)| {
                let row = process.row(time, sender).0.iter().zip(&places).enumerate();
                let mut open =
                    row.filter(|(_, (entry, place))| place.is_none() && !entry.is_zero());
                let first = open.next().map(|(draw, _)| draw);
                let several = open.next().is_some();
                drop(open);
                if let Some(draw) = first.filter(|_| !several) {
                    places[draw] = Some(Place::Known);
                }
                several
            });
            if messages.len() == before {
                break;
            }
        }
        let mut seen = vec![false; places.len()];
        for &(time, sender) in &messages {
            for (seen, entry) in seen.iter_mut().zip(process.row(time, sender).0) {
                *seen |= !entry.is_zero();
            }
        }
        for (place, seen) in places.iter_mut().zip(seen) {
            if place.is_none() && !seen {
                *place = Some(Place::Unseen);
            }
        }
        let draws = (0..places.len()).filter(|&draw| places[draw].is_none());
        Self {
            process,
            draws: draws.collect(),
            variances,
            places,
            messages,
        }
    }

    /// Restricts a message to some draws.
    fn row(&self, message: usize, draws: &[usize]) -> Vec<BigInt> {
        let (time, sender) = self.messages[message];
        let (row, _) = self.process.row(time, sender);
        draws.iter().map(|&draw| row[draw].clone()).collect()
    }

    /// Computes the echelon form of all messages modulo a prime, and the independent messages.
    fn echelon(&self, field: Field) -> (Echelon, Vec<usize>) {
        let mut echelon = Echelon::new(field);
        let mut independent = Vec::new();
        for message in 0..self.messages.len() {
            if independent.len() == self.draws.len() {
                break;
            }
            let row = digits(&self.row(message, &self.draws));
            if echelon.insert(modulo(&row, &field)) {
                independent.push(message);
            }
        }
        (echelon, independent)
    }

    /// Returns the messages that are independent of those before them, by the plain elimination.
    fn independent(&self) -> Vec<usize> {
        let size = self.messages.len();
        let rows: Vec<_> = (0..size)
            .map(|message| self.row(message, &self.draws))
            .collect();
        let weights = self.weights(&self.draws);
        let mut gram = vec![BigInt::zero(); size * size];
        for i in 0..size {
            for j in i..size {
                gram[i * size + j] = weighted_dot(&rows[i], &rows[j], &weights);
            }
        }
        let mut pivots = vec![0; size];
        let rank = eliminate(size, &mut gram, 0, &mut [], &mut pivots);
        pivots.truncate(rank);
        pivots
    }

    fn weights(&self, draws: &[usize]) -> Vec<BigInt> {
        draws
            .iter()
            .map(|&draw| self.variances[draw].clone())
            .collect()
    }

    /// Splits the echelon form into independent parts.
    fn split(&self, field: Field, mut echelon: Echelon, independent: &[usize]) -> Vec<Part> {
        echelon.reduce();
        let mut leader: Vec<usize> = (0..self.draws.len()).collect();
        for (row, &pivot) in echelon.rows.iter().zip(&echelon.pivots) {
            for column in (0..row.len()).filter(|&column| row[column] != 0) {
                let (a, b) = (root(&mut leader, pivot), root(&mut leader, column));
                leader[a.max(b)] = a.min(b);
            }
        }
        let mut columns = vec![Vec::new(); self.draws.len()];
        for column in 0..self.draws.len() {
            columns[root(&mut leader, column)].push(column);
        }
        let mut is_pivot = vec![false; self.draws.len()];
        echelon
            .pivots
            .iter()
            .for_each(|&pivot| is_pivot[pivot] = true);
        columns.retain(|columns| !columns.is_empty());
        let part = |columns: Vec<usize>| {
            let (pivots, free): (Vec<_>, Vec<_>) = columns.iter().partition(|&&c| is_pivot[c]);
            let order = pivots.iter().chain(&free);
            let draws: Vec<_> = order.map(|&&column| self.draws[column]).collect();
            let rank = pivots.len();
            let mut echelon = Echelon::new(field);
            let mut rows = Vec::with_capacity(rank);
            for &message in independent {
                if rows.len() == rank || rank == draws.len() {
                    break;
                }
                let mut row = self.row(message, &draws);
                if echelon.insert(modulo(&digits(&row), &field)) {
                    divide_by_content(&mut row);
                    rows.push(row);
                }
            }
            Part { rank, draws, rows }
        };
        columns.into_iter().map(part).collect()
    }

    /// Returns the row space of proved parts.
    fn proved(self, parts: Vec<Part>) -> Blocks {
        let known = |place: &&Option<Place>| **place == Some(Place::Known);
        let rank = self.places.iter().filter(known).count();
        let rank = rank + parts.iter().map(|part| part.rank).sum::<usize>();
        let mut places = self.places.clone();
        let mut blocks = Vec::new();
        for part in parts {
            for (column, &draw) in part.draws.iter().enumerate() {
                let block = blocks.len();
                places[draw] = Some(if part.rank == part.draws.len() {
                    Place::Known
                } else {
                    Place::Inside { block, column }
                });
            }
            if part.rank < part.draws.len() {
                blocks.push(Block {
                    weights: self.weights(&part.draws),
                    rows: part.rows,
                });
            }
        }
        let unseen = |place: Option<Place>| place.unwrap_or(Place::Unseen);
        Blocks {
            rank,
            places: places.into_iter().map(unseen).collect(),
            blocks,
        }
    }

    /// Returns all draws in one block, spanned by these messages.
    fn whole(self, independent: &[usize]) -> Blocks {
        let rows = independent.iter().map(|&message| {
            let mut row = self.row(message, &self.draws);
            divide_by_content(&mut row);
            row
        });
        let part = Part {
            rank: independent.len(),
            draws: self.draws.clone(),
            rows: rows.collect(),
        };
        self.proved(vec![part])
    }
}

fn root(leader: &mut [usize], mut column: usize) -> usize {
    while leader[column] != column {
        leader[column] = leader[leader[column]];
        column = leader[column];
    }
    column
}

impl Part {
    /// Returns Hadamard's bound on the bits of a minor of the rows.
    fn bits(&self) -> u64 {
        let bits: u64 = self.rows.iter().map(|row| square_sum(row).bits()).sum();
        bits / 2 + 1
    }

    /// Estimates the operations for the kernel and the losses.
    fn work(&self) -> u128 {
        let (rank, width) = (self.rows.len() as u128, self.draws.len() as u128);
        let primes = primes_for(self.bits()) as u128;
        3 * rank * rank * width * primes
            + rank * width * primes * primes
            + forms_work(rank, width, 2 * primes)
    }

    /// Computes the kernel of the rows: for each vector its non-zero draws and their integers.
    fn unseen(&self) -> Vec<Vec<(usize, BigInt)>> {
        let (rank, width) = (self.rank, self.draws.len());
        let bits = self.bits();
        let rows: Vec<_> = self.rows.iter().map(|row| digits(row)).collect();
        let at_once = (AT_ONCE / (primes_for(bits) * rank.max(1))).max(1);
        let free: Vec<usize> = (rank..width).collect();
        let mut vectors = Vec::with_capacity(free.len());
        for free in free.chunks(at_once) {
            let remainders = Remainders::collect(bits, |field| {
                let cut = |row: &Vec<Digits>| {
                    let columns = (0..rank).chain(free.iter().copied());
                    columns.map(|column| row[column].modulo(field)).collect()
                };
                kernel(field, rows.iter().map(cut).collect())
            });
            let integers = remainders.integers();
            for (k, &column) in free.iter().enumerate() {
                let pivots = (0..rank).map(|i| integers[1 + i * free.len() + k].clone());
                let mut vector: Vec<BigInt> = pivots.chain([integers[0].clone()]).collect();
                divide_by_content(&mut vector);
                let draws = self.draws[..rank].iter().chain([&self.draws[column]]);
                let entries = draws.copied().zip(vector);
                vectors.push(entries.filter(|(_, entry)| !entry.is_zero()).collect());
            }
        }
        vectors
    }
}

/// Returns `true` if the observer sees 0 in all messages for each of these vectors of draws.
fn is_unseen(
    process: &Process,
    observer: &Observer,
    vectors: &[Vec<(usize, BigInt)>],
) -> Result<bool, ReferenceError> {
    let (protocol, draws) = (process.protocol(), process.draws());
    let width = vectors.len();
    if width == 0 {
        return Ok(true);
    }
    check_work(protocol.nodes(), width, protocol.steps())?;
    let inject = |time: usize, state: &mut State| {
        for (k, vector) in vectors.iter().enumerate() {
            for (draw, entry) in vector
                .iter()
                .filter(|(draw, _)| draws[*draw].time() == time)
            {
                let entry = entry * &state.denominator;
                for (node, added) in draws[*draw].enters() {
                    if added {
                        state.numerators[node * width + k] += &entry
                    } else {
                        state.numerators[node * width + k] -= &entry
                    }
                }
            }
        }
    };
    let mut unseen = true;
    simulate(protocol, width, inject, |time, state| {
        for sender in protocol.step(time).senders_to(observer.members()) {
            let message = &state.numerators[sender * width..(sender + 1) * width];
            unseen &= message.iter().all(Zero::is_zero);
        }
    })?;
    Ok(unseen)
}
