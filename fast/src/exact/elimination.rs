//! Elimination over a prime field.

use super::field::Field;

/// Rows in echelon form, each with 1 at its pivot and 0 at the pivots of the rows before it.
pub(crate) struct Echelon {
    field: Field,
    rows: Vec<Vec<u64>>,
    pivots: Vec<usize>,
}

impl Echelon {
    pub fn new(field: Field) -> Self {
        Self { field, rows: Vec::new(), pivots: Vec::new() }
    }

    /// Inserts a row unless it depends on those before it, and returns whether it was inserted.
    pub fn insert(&mut self, mut row: Vec<u64>) -> bool {
        let field = self.field;
        for (known, &pivot) in self.rows.iter().zip(&self.pivots) {
            let factor = row[pivot];
            if factor != 0 {
                field.subtract_multiple(&mut row, factor, known);
            }
        }
        let Some(pivot) = row.iter().position(|&entry| entry != 0) else {
            return false;
        };
        let scale = field.inverse(row[pivot]);
        for entry in &mut row {
            *entry = field.product(*entry, scale);
        }
        self.rows.push(row);
        self.pivots.push(pivot);
        true
    }
}

/// For a square matrix A, returns `det A` and the entries of some rows of `det(A) A^-1`, as numbers.
/// Returns `None` if A is singular.
pub(crate) fn inverse_rows(
    field: &Field,
    mut rows: Vec<Vec<u64>>,
    wanted: &[usize],
) -> Option<Vec<u64>> {
    let size = rows.len();
    // In place: column k of the matrix becomes that of the inverse. Rows are swapped on the way.
    let mut order: Vec<usize> = (0..size).collect();
    let mut determinant = field.one();
    for k in 0..size {
        let found = (k..size).find(|&i| rows[i][k] != 0)?;
        if found != k {
            rows.swap(found, k);
            order.swap(found, k);
            determinant = field.negative(determinant);
        }
        let pivot = rows[k][k];
        determinant = field.product(determinant, pivot);
        let scale = field.inverse(pivot);
        let (before, rest) = rows.split_at_mut(k);
        let (row, after) = rest.split_first_mut()?;
        row[k] = field.one();
        for entry in row.iter_mut() {
            *entry = field.product(*entry, scale);
        }
        for other in before.iter_mut().chain(after) {
            let factor = std::mem::take(&mut other[k]);
            if factor != 0 {
                field.subtract_multiple(other, factor, row);
            }
        }
    }
    let mut numbers = vec![field.number(determinant)];
    for &row in wanted {
        let mut entries = vec![0; size];
        for (&column, &entry) in order.iter().zip(&rows[row]) {
            entries[column] = field.number(field.product(entry, determinant));
        }
        numbers.extend(entries);
    }
    Some(numbers)
}

/// For a symmetric matrix G (its rows up to the diagonal) and some columns b, returns `det G` and
/// the entries of `det(G) G^-1 b` column by column, as numbers. Returns `None` if a leading minor
/// of G is 0.
pub(crate) fn solve_gram(
    field: &Field,
    gram: &[Vec<u64>],
    mut columns: Vec<Vec<u64>>,
) -> Option<Vec<u64>> {
    // G = L D L^T, row by row: t_ij = l_ij d_j = g_ij - sum_{k<j} t_ik l_jk.
    let mut lower: Vec<Vec<u64>> = Vec::with_capacity(gram.len());
    let mut inverses = Vec::with_capacity(gram.len());
    let mut determinant = field.one();
    for row in gram {
        let (&last, row) = row.split_last()?;
        let mut scaled: Vec<u64> = Vec::with_capacity(row.len());
        for (&entry, above) in row.iter().zip(&lower) {
            scaled.push(field.difference(entry, field.dot(&scaled, above)));
        }
        let factors = scaled.iter().zip(&inverses);
        let factors: Vec<u64> = factors.map(|(&t, &d)| field.product(t, d)).collect();
        let pivot = field.difference(last, field.dot(&factors, &scaled));
        if pivot == 0 {
            return None;
        }
        determinant = field.product(determinant, pivot);
        inverses.push(field.inverse(pivot));
        lower.push(factors);
    }
    for column in &mut columns {
        for (i, factors) in lower.iter().enumerate() {
            column[i] = field.difference(column[i], field.dot(factors, &column[..i]));
        }
        for (entry, &inverse) in column.iter_mut().zip(&inverses) {
            *entry = field.product(field.product(*entry, inverse), determinant);
        }
        for (i, factors) in lower.iter().enumerate().rev() {
            let factor = column[i];
            field.subtract_multiple(&mut column[..i], factor, factors);
        }
    }
    let entries = columns.iter().flatten().map(|&entry| field.number(entry));
    Some(std::iter::once(field.number(determinant)).chain(entries).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(field: &Field, rows: &[&[i64]]) -> Vec<Vec<u64>> {
        let element = |&x: &i64| {
            let size = field.element(x.unsigned_abs());
            if x < 0 { field.negative(size) } else { size }
        };
        let row = |row: &&[i64]| row.iter().map(element).collect();
        rows.iter().map(row).collect()
    }

    /// Converts numbers modulo 101 to signed ones.
    fn signed(numbers: Vec<u64>) -> Vec<i64> {
        let signed = |x: u64| if x > 50 { x as i64 - 101 } else { x as i64 };
        numbers.into_iter().map(signed).collect()
    }

    #[test]
    fn echelon_form_of_dependent_rows() {
        let field = Field::of(101);
        let mut echelon = Echelon::new(field);
        let rows = elements(&field, &[&[0, 2, 2, 0], &[1, 1, 0, 3], &[1, 2, 1, 3], &[2, 0, 1, 0]]);
        let taken: Vec<_> = rows.into_iter().map(|row| echelon.insert(row)).collect();
        assert_eq!(taken, [true, true, false, true]);
        assert_eq!(echelon.pivots, [1, 0, 2]);
    }

    #[test]
    fn rows_of_an_inverse() {
        let field = Field::of(101);
        // The adjugate of [[0, 1, 2], [1, 0, 3], [4, -3, 8]], whose determinant is -2.
        let rows = elements(&field, &[&[0, 1, 2], &[1, 0, 3], &[4, -3, 8]]);
        let found = inverse_rows(&field, rows, &[2, 0]).map(signed);
        assert_eq!(found, Some(vec![-2, -3, 4, -1, 9, -14, 3]));
        assert_eq!(inverse_rows(&field, elements(&field, &[&[1, 2], &[2, 4]]), &[0]), None);
    }

    #[test]
    fn solutions_with_a_small_matrix() {
        let field = Field::of(101);
        // G = [[2, 1], [1, 3]] has the determinant 5 and the adjugate [[3, -1], [-1, 2]].
        let gram = elements(&field, &[&[2], &[1, 3]]);
        let columns = elements(&field, &[&[1, 0], &[1, 2]]);
        let found = solve_gram(&field, &gram, columns.clone());
        assert_eq!(found.map(signed), Some(vec![5, 3, -1, 1, 3]));
        let singular = elements(&field, &[&[0], &[1, 3]]);
        assert_eq!(solve_gram(&field, &singular, columns), None);
    }
}
