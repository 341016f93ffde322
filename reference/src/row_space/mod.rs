//! The exact loss of a view by its row space, split into blocks, without long fractions.
//!
//! A [`View`](crate::View) eliminates the Gram matrix of everything seen, in integers that grow
//! with every row. This is a faster way to the same numbers. It depends on the row space R alone,
//! because `leakage(u -> v) = || Pi e_u ||^2` with Pi the projector onto R:
//!
//! - A draw that is known, or that is alone in a message without the known draws, is in R: leakage
//!   1. A draw that is in no message is orthogonal to R: leakage 0.
//! - On all other draws R is the direct sum of row spaces `R_b` on disjoint blocks of draws. A loss
//!   needs its own block only.
//! - In a block with a basis B of `R_b`, `P_ij = b_i^T (B S^2 B^T)^-1 b_j`. Both `det G` and
//!   `det(G) P_ij` are integers of absolute value at most the product of the diagonal of
//!   `G = B S^2 B^T` (Hadamard), so their remainders modulo enough primes determine them.
//!
//! See [`blocks`] for the construction of the blocks and its proof.

mod blocks;

use crate::{
    Loss, Process, ReferenceError,
    arithmetic::weighted_dot,
    checks::{check_sources, check_work},
    inputs::{Forms, largest_upper, worst},
    modular::{Digits, Field, Remainders, forms, primes_for},
};
use blocks::Block;
use muffliato_model::{LossModel, Observer, Participation, Protocol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// What an observer sees of a run, reduced to its row space. It returns the same numbers as
/// [`View`](crate::View), faster on large graphs.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol};
/// use muffliato_reference::Process;
///
/// let network = Network::metropolis("karate".parse()?)?;
/// let process = Process::run(&Protocol::one_shot(network, 12)?)?;
/// let space = process.row_space(&Observer::full(11))?;
/// // One neighbour, twelve messages, all of them independent.
/// assert_eq!((space.messages(), space.rank()), (12, 13));
/// assert_eq!(space.losses([&[0][..]])?[0].scalar.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RowSpace {
    observer: Observer,
    model: LossModel,
    nodes: usize,
    protocol: Protocol,
    messages: usize,
    rank: usize,
    /// For each input, by round and node.
    places: Vec<Place>,
    blocks: Vec<Block>,
    /// The factor of the variances in the weights of blocks.
    unit: BigInt,
}

/// The place of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Its unit vector is in the row space.
    Known,
    /// Its unit vector is orthogonal to the row space.
    Unseen,
    /// It is a column of a block.
    Inside { block: usize, column: usize },
}

impl Process {
    /// Computes the row space of what `observer` sees of the run.
    ///
    /// Takes about `m r D` operations on machine words for m messages of rank r over D draws, the
    /// solution of the blocks' kernels, and one exact run of the protocol to check them.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    pub fn row_space(&self, observer: &Observer) -> Result<RowSpace, ReferenceError> {
        self.row_space_within(observer, u128::MAX)
    }

    /// Computes the row space within a limit on the work.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::TooMuchWork`] early if the row space and the losses of all nodes
    /// would take more than about `work` operations on machine words, a few nanoseconds each.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol};
    /// use muffliato_reference::{Process, ReferenceError};
    ///
    /// let network = Network::metropolis("karate".parse()?)?;
    /// let process = Process::run(&Protocol::one_shot(network, 3)?)?;
    /// let refused = process.row_space_within(&Observer::full(0), 100);
    /// assert!(matches!(refused, Err(ReferenceError::TooMuchWork { limit: 100, .. })));
    /// assert!(process.row_space_within(&Observer::full(0), 10_000_000).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn row_space_within(
        &self,
        observer: &Observer,
        work: u128,
    ) -> Result<RowSpace, ReferenceError> {
        let protocol = self.protocol();
        observer.check(protocol.nodes())?;
        let found = blocks::find(self, observer, work)?;
        let inputs = self.input_blocks();
        let nodes = protocol.nodes();
        let place = |start: usize| found.places[start..start + nodes].to_vec();
        Ok(RowSpace {
            observer: observer.clone(),
            model: protocol.loss_model(),
            nodes,
            protocol: protocol.clone(),
            messages: protocol.messages_to(observer)?,
            rank: found.rank,
            places: inputs.into_iter().flat_map(place).collect(),
            blocks: found.blocks,
            unit: self.variances().1,
        })
    }
}

impl RowSpace {
    /// Returns the loss model of this view.
    pub fn model(&self) -> LossModel {
        self.model
    }

    /// Returns the number of messages seen, `T_v`.
    pub fn messages(&self) -> usize {
        self.messages
    }

    /// Returns the dimension of the row space of messages and known draws.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Computes the exact loss of each set of sources.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss`](crate::View::loss).
    pub fn losses<'a>(
        &self,
        sets: impl IntoIterator<Item = &'a [usize]>,
    ) -> Result<Vec<Loss>, ReferenceError> {
        let forms = self.input_forms(sets.into_iter())?.into_iter();
        forms
            .map(|assignments| worst(assignments, self.model))
            .collect()
    }

    /// Computes for each set of sources the smaller of `sum |P_ij|` and the number of inputs, as
    /// [`View::loss_upper`](crate::View::loss_upper). Exact for one source with one input.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss_upper`](crate::View::loss_upper).
    pub fn loss_uppers<'a>(
        &self,
        sets: impl IntoIterator<Item = &'a [usize]>,
    ) -> Result<Vec<BigRational>, ReferenceError> {
        let forms = self.input_forms(sets.into_iter())?;
        Ok(forms.iter().map(|forms| largest_upper(forms)).collect())
    }

    /// Returns the matrix P of each set of sources in each assignment of phases.
    fn input_forms<'a>(
        &self,
        sets: impl Iterator<Item = &'a [usize]>,
    ) -> Result<Vec<Vec<Forms>>, ReferenceError> {
        let mut asked = Vec::new();
        let mut places = BTreeMap::new();
        for set in sets {
            let sources = check_sources(set, self.nodes, &self.observer)?;
            let participations = self.protocol.participations(sources.len());
            let mut assignments = Vec::with_capacity(participations.len());
            for participation in participations {
                let column = |(round, member)| round * self.nodes + sources[member];
                let columns: Vec<usize> = participation.inputs().map(column).collect();
                check_work(columns.len(), columns.len(), 1)?;
                for pair in upper_half(&columns) {
                    let next = places.len();
                    places.entry(pair).or_insert(next);
                }
                assignments.push((participation, columns));
            }
            asked.push(assignments);
        }
        let mut pairs = vec![(0, 0); places.len()];
        for (&pair, &place) in &places {
            pairs[place] = pair;
        }
        let found = self.projections(&pairs);
        let form = |(participation, columns): (Participation, Vec<usize>)| {
            let entries = upper_half(&columns).map(|pair| found[places[&pair]].clone());
            Forms::of_upper_half(participation, columns.len(), entries.collect())
        };
        let forms = asked
            .into_iter()
            .map(|assignments| assignments.into_iter().map(form).collect());
        Ok(forms.collect())
    }

    /// Returns `P_ij` for pairs of inputs, as numerators and positive denominators, which are equal
    /// within a block.
    fn projections(&self, pairs: &[(usize, usize)]) -> Vec<(BigInt, BigInt)> {
        let mut found = vec![(BigInt::zero(), BigInt::one()); pairs.len()];
        let mut asked: BTreeMap<usize, Vec<_>> = BTreeMap::new();
        for (number, &(i, j)) in pairs.iter().enumerate() {
            match (self.places[i], self.places[j]) {
                (Place::Known, Place::Known) if i == j => found[number].0 = BigInt::one(),
                (
                    Place::Inside { block, column },
                    Place::Inside {
                        block: other,
                        column: at,
                    },
                ) if block == other => {
                    asked.entry(block).or_default().push((number, (column, at)));
                }
                _ => {}
            }
        }
        for (block, asked) in asked {
            let (numbers, pairs): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
            let (determinant, forms) = self.blocks[block].forms(&self.unit, &pairs);
            for (number, numerator) in numbers.into_iter().zip(forms) {
                found[number] = (numerator, determinant.clone());
            }
        }
        found
    }
}

/// Returns the pairs on and above the diagonal, row by row.
fn upper_half(columns: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let row = |(place, &i): (usize, &usize)| columns[place..].iter().map(move |&j| (i, j));
    columns.iter().enumerate().flat_map(row)
}

impl Forms {
    /// Creates the matrix from the entries on and above the diagonal, row by row.
    fn of_upper_half(
        participation: Participation,
        size: usize,
        entries: Vec<(BigInt, BigInt)>,
    ) -> Self {
        let mut denominator = BigInt::one();
        for (_, below) in &entries {
            if !(&denominator % below).is_zero() {
                denominator *= below;
            }
        }
        let mut numerators = vec![BigInt::zero(); size * size];
        let mut entries = entries.into_iter();
        for i in 0..size {
            for (j, (above, below)) in (i..size).zip(&mut entries) {
                let entry = if below == denominator {
                    above
                } else {
                    above * (&denominator / below)
                };
                numerators[j * size + i] = entry.clone();
                numerators[i * size + j] = entry;
            }
        }
        Self {
            participation,
            size,
            numerators,
            denominator,
        }
    }
}

impl Block {
    /// Returns the diagonal of the Gram matrix.
    fn squares(&self) -> Vec<BigInt> {
        let square = |row: &Vec<BigInt>| weighted_dot(row, row, &self.weights);
        self.rows.iter().map(square).collect()
    }

    /// Returns an upper bound on the bits of the determinant.
    fn bits(&self) -> u64 {
        self.squares().iter().map(BigInt::bits).sum()
    }

    /// Estimates the operations of [`Block::forms`] for all columns: the Gram matrix, its factor
    /// and the columns, for each prime.
    fn work(&self) -> u128 {
        let primes = primes_for(self.bits()) as u128;
        forms_work(self.rows.len() as u128, self.weights.len() as u128, primes)
    }

    /// Computes `det G`, and `unit det(G) b_i^T G^-1 b_j` for pairs of columns.
    fn forms(&self, unit: &BigInt, pairs: &[(usize, usize)]) -> (BigInt, Vec<BigInt>) {
        let mut columns: Vec<usize> = pairs.iter().flat_map(|&(i, j)| [i, j]).collect();
        columns.sort_unstable();
        columns.dedup();
        let at = |column| columns.binary_search(&column).unwrap_or(0);
        let pairs: Vec<_> = pairs.iter().map(|&(i, j)| (at(i), at(j))).collect();
        let rows: Vec<Vec<Digits>> = self.rows.iter().map(|row| digits(row)).collect();
        let weights = digits(&self.weights);
        let unit = Digits::from(unit);
        let remainders = Remainders::collect(self.bits(), |field| {
            let rows: Vec<_> = rows.iter().map(|row| modulo(row, field)).collect();
            let weights = modulo(&weights, field);
            let mut gram: Vec<Vec<u64>> = Vec::with_capacity(rows.len());
            for (i, row) in rows.iter().enumerate() {
                let weighted = row.iter().zip(&weights);
                let weighted: Vec<_> = weighted.map(|(&x, &w)| field.product(x, w)).collect();
                gram.push(
                    rows[..=i]
                        .iter()
                        .map(|other| field.dot(&weighted, other))
                        .collect(),
                );
            }
            let borders = columns.iter();
            let borders = borders.map(|&column| rows.iter().map(|row| row[column]).collect());
            let mut found = forms(field, &gram, borders.collect(), &pairs)?;
            let unit = unit.modulo(field);
            for form in &mut found[1..] {
                *form = field.product(*form, unit);
            }
            Some(found)
        });
        let mut integers = remainders.integers().into_iter();
        (integers.next().unwrap_or_default(), integers.collect())
    }
}

/// Estimates the operations for the losses of a block modulo `primes` primes and their
/// reconstruction.
fn forms_work(rank: u128, width: u128, primes: u128) -> u128 {
    primes * (rank * rank * (rank / 6 + width + 1) + 2 * width * primes)
}

fn digits(integers: &[BigInt]) -> Vec<Digits> {
    integers.iter().map(Digits::from).collect()
}

fn modulo(digits: &[Digits], field: &Field) -> Vec<u64> {
    digits.iter().map(|number| number.modulo(field)).collect()
}
