//! Losses from whitened columns, with all roundings accounted for (trusted).
//!
//! With `z_i` the whitened column of input i, `n_i >= ||z_i||` as computed and `eta_i` a bound on
//! its error,
//!
//! ```text
//! | P_ij - fl(z_i^T z_j) | <= gamma_m n_i n_j + (n_i + eta_i)(n_j + eta_j)/(1 - eps) - n_i n_j.
//! ```
//!
//! Summed over i and j, with `N = sum n_i` and `H = sum eta_i`, this is
//! `gamma_m N^2 + H (2N + H) + (N + H)^2 eps / (1 - eps)`.

use super::pair::{self, Pair};
use super::rows::{Columns, norm_up, root_up};
use super::whitening::Whitening;
use super::{find, vectors};
use crate::arithmetic::{Real, accumulated, inner};
use crate::dense::products;
use crate::threads::vectorized;
use crate::{Approximation, Enclosure, FastError, Loss, UNIT_ROUNDOFF, memory};
use muffliato_model::LossModel;

/// Whitened inputs of one source or group.
pub(crate) struct WhitenedInputs<'a> {
    /// The possibly non-zero entries of each input: the last of the `size` entries.
    pub entries: Vec<&'a [f64]>,
    /// For each input, a bound on its error.
    pub errors: Vec<f64>,
}

/// Errors if the inputs and the inner products of all pairs need too much memory.
pub(crate) fn check_memory(inputs: usize, floats: usize) -> Result<(), FastError> {
    let each = 8 * (inputs as u128 + floats as u128);
    memory::check(each.saturating_mul(inputs as u128), "take a smaller group")
}

/// The ends that a whitening proves.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reach {
    /// Both ends.
    Both,
    /// The lower end only: the Gram matrix was enlarged to be regular, which lowers losses.
    LowerEnd,
}

/// Bounds the error of whitened columns before their last factor, relative to the norm of the
/// column, if sums of products have this unit of rounding.
pub(crate) fn column_spread(whitening: &Whitening, column_error: f64, unit: f64) -> f64 {
    let terms = if unit == f64::UNIT {
        products::roundings(whitening.size())
    } else {
        whitening.size() as u64
    };
    let product = accumulated(terms + 4, unit);
    whitening.norm() * (column_error + product) * 1.02
}

/// `M a` for one input of some sources: the last entries of each column, and its error. The first
/// entries are 0 for all of them.
pub(crate) struct WhitenedColumns {
    rows: usize,
    entries: Vec<f64>,
    errors: Vec<f64>,
}

impl WhitenedColumns {
    /// Returns the column of the source at this index, and its error.
    pub fn get(&self, place: usize) -> (&[f64], f64) {
        let rows = place * self.rows..(place + 1) * self.rows;
        (&self.entries[rows], self.errors[place])
    }
}

/// Computes `M a` for the sources at `places` of `columns`, for each round, given the relative
/// error of columns and the underflow of an entry. Sources heard late take less time. Columns of
/// pairs are multiplied in pairs, and the result is rounded once, relative to its own size.
pub(crate) fn whitened(
    whitening: &Whitening,
    columns: &Columns,
    first_rows: &[usize],
    places: &[usize],
    (column_error, underflow): (f64, f64),
) -> Vec<WhitenedColumns> {
    let size = columns.size;
    let lost = underflow * whitening.norm() * (size as f64 + 1.0);
    let unit = if columns.in_pairs() { Pair::UNIT } else { f64::UNIT };
    let spread = column_spread(whitening, column_error, unit);
    let rounds = first_rows.iter().enumerate();
    rounds
        .map(|(round, &first)| {
            let silent = places.iter().map(|&place| columns.silent(round, place));
            let silent = silent.min().unwrap_or(0).min(size - first);
            let rows = size - first - silent;
            let mut heard = Vec::with_capacity(rows * places.len());
            let mut low = Vec::new();
            for &place in places {
                let (column, rest) = columns.get(round, place);
                heard.extend_from_slice(&column[silent..silent + rows]);
                low.extend_from_slice(rest.map_or(&[], |rest| &rest[silent..silent + rows]));
            }
            let mut entries = vec![0.0; rows * places.len()];
            let from = first + silent;
            if columns.in_pairs() {
                let heard = (&heard[..], &low[..]);
                pair::lower_times(size, whitening.matrix(), from, heard, &mut entries);
            } else {
                products::lower_times(size, whitening.matrix(), from, &heard, &mut entries);
            }
            let norms = places.iter().map(|&place| columns.norm(round, place));
            let mut errors: Vec<_> = norms.map(|norm| spread * norm + lost).collect();
            if columns.in_pairs() {
                add_rounding(&mut errors, &entries, rows, UNIT_ROUNDOFF);
            }
            if let Some(last) = whitening.correction() {
                let product = accumulated(products::roundings(size) + 4, UNIT_ROUNDOFF);
                errors.iter_mut().for_each(|e| *e *= 1.0 + last.norm);
                add_rounding(
                    &mut errors,
                    &entries,
                    rows,
                    product * last.norm + 2.0 * UNIT_ROUNDOFF,
                );
                let mut change = vec![0.0; entries.len()];
                products::lower_times(size, &last.lower, from, &entries, &mut change);
                for (entry, change) in entries.iter_mut().zip(change) {
                    *entry -= change;
                }
            }
            WhitenedColumns { rows, entries, errors }
        })
        .collect()
}

/// Adds to the error of each column this part of its norm.
fn add_rounding(errors: &mut [f64], entries: &[f64], rows: usize, part: f64) {
    for (error, column) in errors.iter_mut().zip(entries.chunks_exact(rows.max(1))) {
        *error += 1.02 * part * norm_up(column);
    }
}

impl WhitenedInputs<'_> {
    /// Computes the inner products of all pairs.
    #[inline(always)]
    fn products(&self) -> Vec<f64> {
        let inputs = self.entries.len();
        let mut products = vec![0.0; inputs * inputs];
        for (i, left) in self.entries.iter().enumerate() {
            for (j, right) in self.entries.iter().enumerate().take(i + 1) {
                let shared = left.len().min(right.len());
                let (left, right) = (&left[left.len() - shared..], &right[right.len() - shared..]);
                let product = inner(left, right);
                products[i * inputs + j] = product;
                products[j * inputs + i] = product;
            }
        }
        products
    }

    /// Computes the loss of these inputs together, which is at most `local`, the sum of their
    /// `1 / s^2`.
    pub fn loss(&self, local: f64, defect: f64, reach: Reach, model: LossModel) -> Loss {
        let inputs = self.entries.len();
        let longest = self.entries.iter().map(|z| z.len()).max().unwrap_or(0) as u64;
        let p = vectorized(
            #[inline(always)]
            || self.products(),
        );
        let squares = self.entries.iter().zip(p.iter().step_by(inputs + 1));
        let norms = squares.map(|(z, &square)| root_up(square, z.len()));
        let (norm, error) = (norms.sum::<f64>(), self.errors.iter().sum::<f64>());
        let gamma = accumulated(longest + 2 + 2 * inputs as u64, UNIT_ROUNDOFF);
        let both = norm + error;
        let uncertain = (gamma * norm * norm
            + error * (2.0 * norm + error)
            + both * both * defect / (1.0 - defect))
            * 1.01
            + f64::MIN_POSITIVE;

        let row_sum = |row: &[f64]| row.iter().map(|entry| entry.abs()).sum::<f64>();
        let absolute: f64 = p.chunks_exact(inputs.max(1)).map(row_sum).sum();
        let coincide = p.iter().all(|&entry| entry >= 0.0);
        let reached = if coincide { absolute } else { form(&p, &find::signs(inputs, &p)) };
        let cap = local;
        let upper = match reach {
            Reach::Both if (absolute + uncertain).is_finite() => absolute + uncertain,
            // P_ij is Q_ij / (s_i s_j) with Q a part of a projector, whose Frobenius norm is at most
            // sqrt(inputs).
            _ => cap * (inputs as f64).sqrt() * (1.0 + 4.0 * UNIT_ROUNDOFF),
        };
        let lower =
            if (reached - uncertain).is_nan() { 0.0 } else { (reached - uncertain).max(0.0) };
        let within = |estimate: f64, lower: f64, upper: f64| Approximation {
            estimate: if estimate.is_nan() {
                upper
            } else {
                estimate.clamp(lower.min(upper), upper)
            },
            certified: Enclosure::try_new(lower.min(upper), upper).unwrap_or(Enclosure::UNKNOWN),
        };
        let absolute_lower = match reach {
            Reach::Both => lower.max(absolute - uncertain),
            Reach::LowerEnd => lower,
        };
        let vectors = if coincide || reach == Reach::LowerEnd {
            within(absolute, absolute_lower, upper.min(cap))
        } else {
            let (least, most) = vectors::ends(inputs, &p);
            let most = (most + uncertain).next_up().min(upper).min(cap);
            let least = if (least - uncertain).is_nan() {
                lower
            } else {
                lower.max((least - uncertain).next_down())
            };
            within(least + uncertain, least.min(most), most)
        };
        Loss {
            scalars: within(reached, lower, upper.min(cap)),
            vectors,
            absolute_sum: within(absolute, absolute_lower, upper),
            model,
        }
    }
}

/// Computes `d^T P d`, with d the signs of these numbers.
pub(super) fn form(p: &[f64], numbers: &[f64]) -> f64 {
    let row = |(row, number): (&[f64], &f64)| -> f64 {
        let sum: f64 = row.iter().zip(numbers).map(|(p, number)| p * number.signum()).sum();
        sum * number.signum()
    };
    p.chunks_exact(numbers.len()).zip(numbers).map(row).sum()
}

#[cfg(test)]
mod tests {
    use super::super::rows::ColumnBlock;
    use super::super::whitening::Correction;
    use super::*;

    #[test]
    fn both_ends_allow_for_inputs_that_are_off_by_their_errors() {
        // Four times the same unit vector: each may be longer or shorter by a tenth, in its own
        // direction.
        let unit = [0.6, 0.8];
        let inputs = WhitenedInputs { entries: vec![&unit; 4], errors: vec![0.1; 4] };
        let sum = inputs.loss(4.0, 0.0, Reach::Both, LossModel::SingleInput).absolute_sum;
        assert!(sum.certified.lower() <= 16.0 * 0.9 * 0.9);
        assert!(sum.certified.upper() >= 16.0 * 1.1 * 1.1);
        assert!(sum.certified.relative_width() < 0.5);
    }

    #[test]
    fn whitened_columns_are_off_by_their_spread_and_by_underflow() {
        let whitening = Whitening::claimed(vec![1.0, 0.0, 0.0, 2.0], None, 3.0);
        let columns = |high, low, norms| ColumnBlock { high, low, norms, silent: Vec::new() };
        let spread = column_spread(&whitening, 0.5, f64::UNIT);
        assert!((1.5..1.56).contains(&spread), "{spread}");
        let floats = columns(vec![1.0, 2.0, 3.0, 4.0], Vec::new(), vec![7.0, 5.0]);
        let floats = Columns::new(2, [floats]);
        let found = whitened(&whitening, &floats, &[0], &[1], (0.5, 2.0));
        let error = spread * 5.0 + 2.0 * 3.0 * 3.0;
        assert_eq!(found[0].get(0), (&[3.0, 8.0][..], error));

        // 1/3 and 1/3 + 1e-20, of which the second row takes the difference; the last factor halves
        // the first.
        let last = Correction { lower: vec![0.5, 0.0, 0.0, 0.0], norm: 0.5 };
        let whitening = Whitening::claimed(vec![1.0, -1.0, 0.0, 1.0], Some(last), 3.0);
        let third = 1.0 / 3.0;
        let pairs = columns(vec![third; 2], vec![0.0, 1e-20], vec![0.5]);
        let found = whitened(&whitening, &Columns::new(2, [pairs]), &[0], &[0], (0.0, 0.0));
        let (entries, error) = found[0].get(0);
        assert_eq!(entries, [third / 2.0, 1e-20]);
        // Cut to a float, times 3/2; the product with the last factor, of length 2; and its
        // difference.
        let roundings = 1.5 + 0.5 * 2.0 + 1.5;
        let least = roundings * UNIT_ROUNDOFF * third;
        assert!(error >= least && error < 2.0 * least, "{error} {least}");
    }
}
