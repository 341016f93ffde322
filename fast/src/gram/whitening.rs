//! A matrix M with `M G M^T` provably close to the identity (trusted).
//!
//! If `||M G M^T - I|| <= eps < 1`, then M and G are regular and for any vectors a, b, with
//! `z = M a`, `y = M b`,
//!
//! ```text
//! a^T G^-1 b = z^T (M G M^T)^-1 y,      | a^T G^-1 b - z^T y | <= eps / (1 - eps) ||z|| ||y||.
//! ```
//!
//! M is a guess (`guess`); the defect eps is proved, once for all sources. It is the sum of the computed `M G M^T - I` and of
//!
//! ```text
//! || |M| (error of G + gamma_{2m} |G|) |M|^T ||,
//! ```
//!
//! the error of G and of computing the product. Both are bounded by their largest row sums (both
//! matrices are symmetric). No lower bound on the eigenvalues of G enters: if they are too small
//! for the arithmetic, the defect is large and nothing is certified.
//!
//! In pairs, M is first improved: with Phi the lower half of the computed `E = M G M^T - I` (half
//! its diagonal), `(I - Phi) M` has a defect of the order of `||E||^2`, until only the rounding of
//! M itself is left, about `2^-53 sqrt(cond G)`. The last such factor is kept beside M and not
//! multiplied out. With `Phi + Phi^T` equal to E up to U,
//!
//! ```text
//! (I - Phi)(I + E)(I - Phi)^T - I = U - Phi U - U Phi^T + Phi U Phi^T + Phi Phi^T - Phi F - F Phi^T + Phi F Phi^T,
//! ```
//!
//! F the computed E; and no norm of Phi or F is above e, the largest row sum of `|F|`. So the
//! defect is at most `(1 + e)^2 ||U|| + 3 e^2 + e^3`.
//!
//! With many messages, the products with G are most of the work. Then the Cholesky factor L is a
//! guess, too: with `M L = I + F` and `G = L L^T + D`,
//!
//! ```text
//! M G M^T - I = F + F^T + F F^T + M D M^T,
//! ```
//!
//! so products of triangular matrices suffice. D is computed with some twenty bits more than floats
//! have, and `M D M^T` is bounded by absolute values.

use super::pair::{self, Pair};
use super::rows::Gram;
use crate::dense::slices::{Shape, Sliced, absolute_times, absolute_transposed_times, transposed};
use crate::{
    UNIT_ROUNDOFF,
    arithmetic::{Real, accumulated, raised},
    threads,
};

/// M, its defect and its norm. Only the functions of this module construct it.
#[derive(Clone)]
pub(crate) struct Whitening {
    size: usize,
    matrix: Vec<f64>,
    correction: Option<Correction>,
    defect: f64,
    norm: f64,
}

/// A factor `I - Phi`.
#[derive(Clone)]
pub(crate) struct Correction {
    /// Phi, by columns, lower triangular.
    pub lower: Vec<f64>,
    /// Upper bound on the norm of the absolute values of Phi.
    pub norm: f64,
}

/// Defect that determines a leakage in [0, 1] to less than 1e-9.
pub(crate) const SMALL_DEFECT: f64 = 4e-10;

impl Whitening {
    /// Proves the defect of a guessed inverse of a guessed Cholesky factor, lower triangular and by
    /// columns, by products of triangular matrices alone.
    pub fn of_factor(gram: &Gram, matrix: Vec<f64>, factor: &[f64]) -> Self {
        let f = inverse_defect(gram.size, &matrix, factor);
        let residual = whitened_residual(gram, &matrix, factor);
        Self {
            size: gram.size,
            defect: (2.0 * f + f * f + residual) * 1.01,
            norm: norm_of_absolute_values(gram.size, &matrix),
            matrix,
            correction: None,
        }
    }

    /// Returns the zero matrix, which proves only losses >= 0.
    pub fn nothing(size: usize) -> Self {
        let matrix = vec![0.0; size * size];
        Self { size, matrix, correction: None, defect: 0.0, norm: 0.0 }
    }

    /// Claims what no function here proves.
    #[cfg(test)]
    pub fn claimed(matrix: Vec<f64>, correction: Option<Correction>, norm: f64) -> Self {
        let size = matrix.len().isqrt();
        Self { size, matrix, correction, defect: 0.0, norm }
    }

    /// Returns the number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns M, or M before its last factor; by columns, lower triangular.
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// Returns the last factor, if any.
    pub fn correction(&self) -> Option<&Correction> {
        self.correction.as_ref()
    }

    /// Returns an upper bound on `|| M G M^T - I ||`.
    pub fn defect(&self) -> f64 {
        self.defect
    }

    /// Returns an upper bound on the norm of the absolute values of [`Whitening::matrix`].
    pub fn norm(&self) -> f64 {
        self.norm
    }
}

/// The product `M G M^T` for a guess of M.
pub(crate) struct Product {
    size: usize,
    excess: Vec<f64>,
    defect: Defect,
}

impl Product {
    /// Computes the product for a lower triangular matrix by columns.
    pub fn of(gram: &Gram, matrix: &[f64]) -> Self {
        let excess = excess(gram, matrix);
        let defect = defect(gram, matrix, &excess);
        Self { size: gram.size, excess: excess.entries, defect }
    }

    /// Returns the largest row sum of the computed `|M G M^T - I|`.
    pub fn computed(&self) -> f64 {
        self.defect.computed
    }

    /// Returns an upper bound on `|| M G M^T - I ||`.
    pub fn defect(&self) -> f64 {
        self.defect.whole
    }

    /// Returns Phi: the lower half of the computed `M G M^T - I`, with half its diagonal.
    pub fn half(&self) -> Vec<f64> {
        lower_half(self.size, &self.excess)
    }

    /// Returns the whitening by this matrix, of which the product was computed; with the last factor
    /// if `corrected`, and if that lowers the defect.
    pub fn whitening(&self, matrix: Vec<f64>, corrected: bool) -> Option<Whitening> {
        let once_more = self.defect.once_corrected();
        let corrected = corrected && once_more < self.defect.whole;
        let correction = || Correction { lower: self.half(), norm: self.defect.computed };
        let found = Whitening {
            size: self.size,
            norm: norm_of_absolute_values(self.size, &matrix),
            matrix,
            correction: corrected.then(correction),
            defect: if corrected { once_more } else { self.defect.whole },
        };
        (self.defect.whole < 0.5).then_some(found)
    }
}

/// Distance of `M G M^T` from the identity.
struct Defect {
    /// Largest row sum of the computed part.
    computed: f64,
    /// Largest row sum of the uncertain part.
    uncertain: f64,
    /// Largest row sum of both together.
    whole: f64,
}

/// Bounds the norm of `F = M L - I`: the root of its largest row sum times its largest column sum.
fn inverse_defect(size: usize, matrix: &[f64], factor: &[f64]) -> f64 {
    let (ones, turned) = (vec![1.0; size], transposed(size, factor));
    let (left, right) = (Sliced::of(size, matrix, &[]), Sliced::of(size, &turned, &[]));
    let mut rows = left.error_times(&right, &ones);
    let mut columns = left.transposed_error_times(&right, &ones);
    let panels = left.panels(&right, Shape::LowerFactor, |panel| {
        let (mut rows, mut columns) = (vec![0.0; size], Vec::new());
        for (column, (high, low)) in panel.columns() {
            let mut sum = 0.0;
            for row in panel.first..size {
                let identity = if row == column { 1.0 } else { 0.0 };
                let excess = ((high[row] - identity) + low[row]).abs();
                rows[row] += excess;
                sum += excess;
            }
            columns.push(sum);
        }
        (panel.first, rows, columns)
    });
    for (first, of_rows, of_columns) in panels {
        add_raised(&mut rows, &of_rows, size + 8);
        add_raised(&mut columns[first..], &of_columns, size + 8);
    }
    (largest(rows.into_iter()) * largest(columns.into_iter())).sqrt() * 1.02
}

/// Bounds the largest row sum of `|M| |D| |M|^T`, with `D = G - L L^T`.
fn whitened_residual(gram: &Gram, matrix: &[f64], factor: &[f64]) -> f64 {
    let size = gram.size;
    let through = absolute_transposed_times(size, matrix, &vec![1.0; size]);
    let sliced = Sliced::of(size, factor, &[]);
    // Only the lower half of the product is used.
    let mut middle = sliced.error_times(&sliced, &through);
    add_raised(&mut middle, &sliced.transposed_error_times(&sliced, &through), 0);
    let panels = sliced.panels(&sliced, Shape::LowerHalf, |panel| {
        let mut sums = vec![0.0; size];
        for (column, (high, low)) in panel.columns() {
            let mut mirrored = 0.0;
            for row in column..size {
                let place = column * size + row;
                let (near, far) = (gram.high[place] - high[row], gram.low[place] - low[row]);
                // Three roundings, of differences and of their sum.
                let small = near.abs() + gram.low[place].abs() + low[row].abs();
                let left = (near + far).abs() + 4.0 * UNIT_ROUNDOFF * small + gram.error[place];
                sums[row] += left * through[column];
                if row > column {
                    mirrored += left * through[row];
                }
            }
            sums[column] += mirrored;
        }
        sums
    });
    for sums in panels {
        add_raised(&mut middle, &sums, 2 * size + 8);
    }
    largest(absolute_times(size, matrix, &middle).into_iter()) * 1.02
}

/// Adds more sums, raised by these roundings.
fn add_raised(sums: &mut [f64], more: &[f64], roundings: usize) {
    for (sum, &more) in sums.iter_mut().zip(more) {
        *sum += raised(more, roundings);
    }
}

impl Defect {
    /// Bounds the defect with one more factor `I - Phi`.
    fn once_corrected(&self) -> f64 {
        let e = self.computed;
        ((1.0 + e) * (1.0 + e) * self.uncertain + e * e * (3.0 + e)) * (1.0 + 16.0 * UNIT_ROUNDOFF)
    }
}

/// The computed `M G M^T - I`.
struct Excess {
    entries: Vec<f64>,
    /// Error of `entries` as a part of `|M| |G| |M|^T`.
    relative: f64,
    /// Bound on the row sums of a further error matrix.
    absolute: f64,
}

/// Error that slices may leave: a small part of the tolerated defect.
pub(super) const SMALL_REST: f64 = SMALL_DEFECT / 10.0;

/// Computes the excess by products of slices, or in pairs if these leave too much.
fn excess(gram: &Gram, matrix: &[f64]) -> Excess {
    let sliced = in_slices(gram, matrix);
    if gram.low.is_empty() || sliced.absolute <= SMALL_REST {
        sliced
    } else {
        in_pairs(gram, matrix)
    }
}

/// Computes the excess by products of slices. With H = M G off by A and H M^T by B, the lower half
/// of the result is off by at most `A |M|^T + B`, and its mirror image by the transpose.
fn in_slices(gram: &Gram, matrix: &[f64]) -> Excess {
    let size = gram.size;
    let guess = Sliced::of(size, matrix, &[]);
    let ones = vec![1.0; size];
    let (mut rows, mut columns);
    let (high, low) = {
        let gram = Sliced::of(size, &gram.high, &gram.low);
        rows = guess.error_times(&gram, &absolute_transposed_times(size, matrix, &ones));
        columns = absolute_times(size, matrix, &guess.transposed_error_times(&gram, &ones));
        guess.times_transposed(&gram, Shape::FullFactor)
    };
    let half = Sliced::of(size, &high, &low);
    drop(low);
    for (sums, more) in [
        (&mut rows, half.error_times(&guess, &ones)),
        (&mut columns, half.transposed_error_times(&guess, &ones)),
    ] {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    let (high, low) = half.times_transposed(&guess, Shape::LowerHalf);
    let mut entries = high;
    for column in 0..size {
        for row in column..size {
            let place = column * size + row;
            let identity = if row == column { 1.0 } else { 0.0 };
            let entry = (entries[place] - identity) + low[place];
            entries[place] = entry;
            entries[row * size + column] = entry;
        }
    }
    let both = rows.iter().zip(&columns).map(|(row, column)| row + column);
    Excess { entries, relative: 0.0, absolute: 1.01 * largest(both) }
}

/// Computes the excess one sum after the other.
fn in_pairs(gram: &Gram, matrix: &[f64]) -> Excess {
    let size = gram.size;
    // half[j] is column j of M G: its high and its low parts.
    let half: Vec<(Vec<f64>, Vec<f64>)> = threads::in_order(size, |j| {
        let entry = |k: usize| Pair { high: gram.high[j * size + k], low: gram.low[j * size + k] };
        pair::lower_sums(size, matrix, (0, size), entry)
    });
    // Row i of M (M G)^T, up to the diagonal.
    let lower: Vec<Vec<f64>> = threads::in_order(size, |i| {
        let entry = |k: usize| Pair { high: half[k].0[i], low: half[k].1[i] };
        let (high, low) = pair::lower_sums(size, matrix, (0, i + 1), entry);
        let sums = high.into_iter().zip(low).enumerate();
        let less_identity = |(j, (high, low))| {
            let identity = Pair::of(if i == j { -1.0 } else { 0.0 });
            (Pair { high, low } + identity).high
        };
        sums.map(less_identity).collect()
    });
    let mut entries = vec![0.0; size * size];
    for (i, row) in lower.iter().enumerate() {
        for (j, &entry) in row.iter().enumerate() {
            entries[j * size + i] = entry;
            entries[i * size + j] = entry;
        }
    }
    let relative = accumulated(2 * size as u64 + 4, Pair::UNIT);
    Excess { entries, relative, absolute: 0.0 }
}

/// Bounds `|| M G M^T - I ||` and its parts.
fn defect(gram: &Gram, matrix: &[f64], excess: &Excess) -> Defect {
    let size = gram.size;
    let evaluation = excess.relative;
    // q = |M| (error + evaluation |G|) |M|^T 1, by three products with non-negative vectors.
    let mut column_sums = vec![0.0; size];
    for (k, sum) in column_sums.iter_mut().enumerate() {
        *sum = matrix[k * size..(k + 1) * size].iter().map(|m| m.abs()).sum();
    }
    let mut middle = vec![0.0; size];
    for (k, &sum) in column_sums.iter().enumerate() {
        let column = k * size..(k + 1) * size;
        let entries = gram.error[column.clone()].iter().zip(&gram.high[column]);
        for (middle, (error, high)) in middle.iter_mut().zip(entries) {
            *middle += (error + evaluation * 1.01 * high.abs()) * sum;
        }
    }
    let mut uncertain = vec![0.0; size];
    let mut computed = vec![0.0; size];
    for k in 0..size {
        let column = k * size..(k + 1) * size;
        for (i, (m, e)) in matrix[column.clone()].iter().zip(&excess.entries[column]).enumerate() {
            uncertain[i] += m.abs() * middle[k];
            computed[i] += e.abs();
        }
    }
    let whole = largest(uncertain.iter().zip(&computed).map(|(q, e)| q + e));
    // The sums above; and the subtraction of the identity, or the rounding of the result to a
    // float.
    let sums = |sum: f64| raised(sum, 4 * size + 8);
    let rounding = 4.0 * UNIT_ROUNDOFF + excess.absolute;
    Defect {
        computed: sums(largest(computed.into_iter())),
        uncertain: sums(largest(uncertain.into_iter())) + rounding,
        whole: sums(whole) + rounding,
    }
}

/// Returns the largest of some sums; infinite if one is NaN.
fn largest(sums: impl Iterator<Item = f64>) -> f64 {
    sums.fold(0.0, |largest: f64, sum| if sum.is_nan() { f64::INFINITY } else { largest.max(sum) })
}

/// Returns Phi: the lower half of a symmetric matrix, with half its diagonal.
fn lower_half(size: usize, symmetric: &[f64]) -> Vec<f64> {
    let mut half = vec![0.0; size * size];
    for column in 0..size {
        half[column * size + column] = symmetric[column * size + column] / 2.0;
        let below = column * size + column + 1..(column + 1) * size;
        half[below.clone()].copy_from_slice(&symmetric[below]);
    }
    half
}

/// Bounds `|| |M| ||_2 <= sqrt( ||M||_1 ||M||_inf )`, rounded up.
fn norm_of_absolute_values(size: usize, matrix: &[f64]) -> f64 {
    let mut largest_column: f64 = 0.0;
    let mut rows = vec![0.0; size];
    for column in matrix.chunks_exact(size.max(1)) {
        largest_column = largest_column.max(column.iter().map(|m| m.abs()).sum());
        for (row, entry) in rows.iter_mut().zip(column) {
            *row += entry.abs();
        }
    }
    let largest_row = rows.into_iter().fold(0.0, f64::max);
    raised((largest_column * largest_row).sqrt(), size + 8)
}

#[cfg(test)]
mod tests {
    use super::super::guess::{self, corrected};
    use super::*;
    use crate::dense::factors;

    /// The excess with these entries, each after ten roundings of floats.
    fn rounded(entries: Vec<f64>) -> Excess {
        Excess { entries, relative: accumulated(8, UNIT_ROUNDOFF), absolute: 0.0 }
    }

    /// Asserts that `value` is `exact` or above it by a few roundings.
    fn assert_just_above(value: f64, exact: f64) {
        assert!(value >= exact && value <= exact * (1.0 + 1e-13), "{value}");
    }

    #[test]
    fn the_defect_counts_what_is_computed_and_the_errors_of_the_gram_matrix() {
        // |M| = [[1/2, 0], [1/4, 1/4]] has the column sums (3/4, 1/4); the errors make (1/8, 1/4) of them, and |M|
        // (1/16, 3/32) of these. The rows of the excess sum to 1/16 and 1/8.
        let gram = Gram { error: vec![0.125, 0.125, 0.125, 0.625], ..Gram::zeros(2, false) };
        let matrix = [0.5, -0.25, 0.0, 0.25];
        let entries = vec![0.03125, -0.03125, 0.03125, 0.09375];
        let found = defect(&gram, &matrix, &rounded(entries));
        assert_just_above(found.computed, 0.125);
        assert_just_above(found.uncertain, 0.09375 + 4.0 * UNIT_ROUNDOFF);
        assert_just_above(found.whole, 0.09375 + 0.125 + 4.0 * UNIT_ROUNDOFF);
        // (9/8)^2 3/32 + (1/8)^2 (25/8).
        let corrected = 243.0 / 2048.0 + 25.0 / 512.0;
        assert_just_above(found.once_corrected(), corrected + 1.265625 * 4.0 * UNIT_ROUNDOFF);
    }

    /// M G M^T = I + E for G = I + E and M = I, E of norm 1/4: as with the last factor multiplied out.
    #[test]
    fn the_last_factor_stays_within_its_bound() {
        let e = [0.0, 0.25, 0.25, -0.125];
        let gram = Gram { high: vec![1.0, e[1], e[2], 1.0 + e[3]], ..Gram::zeros(2, true) };
        let identity = [1.0, 0.0, 0.0, 1.0];
        let said = defect(&gram, &identity, &rounded(e.to_vec())).once_corrected();
        let factor = corrected(2, &identity, &lower_half(2, &e));
        let left = defect(&gram, &factor, &excess(&gram, &factor)).computed;
        assert!(left > 0.05 && left <= said && said < 0.5, "{left} {said}");
    }

    #[test]
    fn the_defect_counts_the_roundings_of_the_product() {
        // Two products of length 2 take 2 * 2 + 4 roundings of entries 2^50: 1 in all.
        let size = 2.0_f64.powi(50);
        let gram = Gram { high: vec![size, 0.0, 0.0, -size], ..Gram::zeros(2, false) };
        let found = defect(&gram, &[1.0, 0.0, 0.0, 1.0], &rounded(vec![0.0; 4]));
        let whole = found.whole;
        assert!(whole > 1.0 && whole < 1.3, "{whole}");
    }

    #[test]
    fn the_norm_is_bounded_by_the_largest_row_and_column() {
        // Columns (3, -4) and (0, 5): sums 7 and 5; rows 3 and 9.
        let norm = norm_of_absolute_values(2, &[3.0, -4.0, 0.0, 5.0]);
        let bound = 63_f64.sqrt();
        assert!(norm >= bound && norm <= bound * (1.0 + 1e-14), "{norm}");
    }

    /// G = [[2, 1], [1, 3]] and M = [[1/2, 0], [-1/4, 1/2]] make M G M^T = [[1/2, 0], [0, 5/8]].
    fn small(pairs: bool) -> (Gram, Vec<f64>) {
        let gram = Gram { high: vec![2.0, 1.0, 1.0, 3.0], ..Gram::zeros(2, pairs) };
        (gram, vec![0.5, -0.25, 0.0, 0.5])
    }

    #[test]
    fn a_view_without_messages_is_whitened() {
        for pairs in [false, true] {
            assert_eq!(guess::whitening(&Gram::zeros(0, pairs)).map(|found| found.size()), Some(0));
        }
    }

    #[test]
    fn the_excess_is_the_same_in_both_precisions() {
        for pairs in [false, true] {
            let (gram, matrix) = small(pairs);
            let found = excess(&gram, &matrix).entries;
            assert_eq!(found, [-0.5, 0.0, 0.0, -0.375], "{pairs}");
            // M = [[1, 0], [1, 1]]: M G M^T = [[2, 3], [3, 7]].
            let found = excess(&gram, &[1.0, 1.0, 0.0, 1.0]).entries;
            assert_eq!(found, [1.0, 3.0, 3.0, 6.0], "{pairs}");
        }
    }

    /// The Gram matrix of nearly equal rows: slices and pairs agree up to their errors.
    #[test]
    fn slices_and_pairs_agree() {
        let size = 90;
        let mut gram = Gram::zeros(size, true);
        for i in 0..size {
            for j in 0..=i {
                let entry = 1.0 / (1.0 + (i - j) as f64) + if i == j { 0.25 } else { 0.0 };
                gram.set(i, j, (entry, entry * 2_f64.powi(-55)), 0.0);
            }
        }
        let matrix = factors::inverse_cholesky_factor(size, &gram.high).unwrap();
        let (slices, pairs) = (in_slices(&gram, &matrix), in_pairs(&gram, &matrix));
        assert!(slices.absolute < 1e-17, "{}", slices.absolute);
        let mut largest = 0.0_f64;
        for (x, y) in slices.entries.iter().zip(&pairs.entries) {
            assert!((x - y).abs() <= slices.absolute + 1e-24, "{x:e} {y:e}");
            largest = largest.max(x.abs());
        }
        assert!(largest > 1e-17 && largest < 1e-13, "{largest}");
    }

    /// The bound from triangular products is near the one from the whole product, and not below it.
    #[test]
    fn a_factor_proves_about_as_much_as_the_product() {
        let size = 300;
        let mut gram = Gram::zeros(size, true);
        for i in 0..size {
            for j in 0..=i {
                let entry = 1.0 / (1.0 + (i - j) as f64) + if i == j { 0.25 } else { 0.0 };
                gram.set(i, j, (entry, entry * 2_f64.powi(-55)), 1e-17 * entry);
            }
        }
        let found = guess::by_factor(&gram).unwrap();
        let shown = |gram: &Gram| defect(gram, &found.matrix, &excess(gram, &found.matrix));
        assert!(found.defect >= shown(&gram).whole, "{:e}", found.defect);
        assert!(found.defect < 1e-10, "{:e}", found.defect);
        // A wrong inverse is noticed.
        let (factor, mut wrong) = factors::cholesky_factor_and_inverse(size, &gram.high).unwrap();
        wrong.iter_mut().for_each(|entry| *entry *= 1.0 + 1e-6);
        let shown_of_wrong = defect(&gram, &wrong, &excess(&gram, &wrong)).whole;
        let proved = Whitening::of_factor(&gram, wrong, &factor).defect;
        assert!(shown_of_wrong > 1e-6 && proved >= shown_of_wrong, "{proved:e}");
        // Another matrix than the factored one, and errors of it, are noticed.
        for (change, error) in [(1e-6, 0.0), (0.0, 1e-6)] {
            let mut other =
                Gram { high: gram.high.clone(), low: gram.low.clone(), ..Gram::zeros(size, true) };
            other.low.iter_mut().for_each(|low| *low += change);
            other.error.fill(error);
            let found = guess::by_factor(&other).unwrap();
            assert!(
                found.defect > 1e-6 && found.defect >= shown(&other).whole,
                "{:e}",
                found.defect
            );
        }
    }

    /// Returns the identity of two panels with these further entries.
    fn nearly_identity(size: usize, entries: &[(usize, usize, f64)]) -> Vec<f64> {
        let mut matrix = vec![0.0; size * size];
        matrix.iter_mut().step_by(size + 1).for_each(|one| *one = 1.0);
        for &(row, column, entry) in entries {
            matrix[column * size + row] = entry;
        }
        matrix
    }

    #[test]
    fn both_halves_of_the_residual_count() {
        // Row 127 has an error below the diagonal and one above it, the mirror image of one in the
        // next panel.
        let size = 130;
        let identity = nearly_identity(size, &[]);
        let mut gram = Gram::zeros(size, true);
        gram.high.clone_from(&identity);
        for (i, j) in [(127, 3), (129, 127)] {
            gram.set(i, j, (0.0, 0.0), 0.25);
        }
        let found = whitened_residual(&gram, &identity, &identity);
        assert!((0.5..0.52).contains(&found), "{found}");
    }

    #[test]
    fn rows_and_columns_of_an_inverse_are_those_of_all_panels() {
        // F has one row of sum 1/2, and two columns of sum 1/4 in different panels.
        let size = 130;
        let guess = nearly_identity(size, &[(129, 3, 0.25), (129, 128, 0.25)]);
        let found = inverse_defect(size, &guess, &nearly_identity(size, &[]));
        let norm = 0.125_f64.sqrt();
        assert!((norm..1.03 * norm).contains(&found), "{found}");
    }

    #[test]
    fn a_correction_takes_half_of_the_excess_from_either_side() {
        // Phi(E) = [[1/4, 0], [1/2, -1/8]] and M = [[2, 0], [4, 8]]: (I - Phi) M = [[3/2, 0], [7/2, 9]].
        let lower = lower_half(2, &[0.5, 0.5, 0.5, -0.25]);
        assert_eq!(lower, [0.25, 0.5, 0.0, -0.125]);
        let found = corrected(2, &[2.0, 4.0, 0.0, 8.0], &lower);
        assert_eq!(found, [1.5, 3.5, 0.0, 9.0]);
    }

    /// What floats cannot represent is an error of the Gram matrix; in pairs it is not, and the guess
    /// is corrected until not even its rounding is left.
    #[test]
    fn pairs_prove_a_smaller_defect() {
        let (tiny, low) = (2_f64.powi(-40), 2_f64.powi(-62));
        let defect = |pairs: bool| {
            let parts = vec![0.0, 0.0, 0.0, low];
            let (low, error) = if pairs { (parts, vec![0.0; 4]) } else { (Vec::new(), parts) };
            let gram = Gram { size: 2, high: vec![1.0, 1.0, 1.0, 1.0 + tiny], low, error };
            guess::whitening(&gram).map(|whitening| whitening.defect)
        };
        let (single, double) = (defect(false).unwrap(), defect(true).unwrap());
        assert!(single > 1e-7 && double < 1e-12, "{single} {double}");
    }
}
