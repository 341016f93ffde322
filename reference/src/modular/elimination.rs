//! Elimination over a prime field.

use super::field::Field;

/// Rows in echelon form, each with 1 at its pivot and 0 at the pivots of the rows before it.
pub(crate) struct Echelon {
    field: Field,
    pub rows: Vec<Vec<u64>>,
    pub pivots: Vec<usize>,
}

impl Echelon {
    pub fn new(field: Field) -> Self {
        Self {
            field,
            rows: Vec::new(),
            pivots: Vec::new(),
        }
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

    /// Clears the pivots of later rows, too, so that the result depends on the row space alone.
    pub fn reduce(&mut self) {
        for last in (0..self.rows.len()).rev() {
            let (before, rest) = self.rows.split_at_mut(last);
            for row in before {
                let factor = row[self.pivots[last]];
                if factor != 0 {
                    self.field.subtract_multiple(row, factor, &rest[0]);
                }
            }
        }
    }
}

/// For a square matrix B and columns F beside it (`rows` of both), returns `det B` and the entries
/// of `-det(B) B^-1 F` row by row, as numbers. By Cramer's rule this is the kernel of `[B | F]` in
/// integers. Returns `None` if B is singular.
pub(crate) fn kernel(field: &Field, mut rows: Vec<Vec<u64>>) -> Option<Vec<u64>> {
    let size = rows.len();
    let mut determinant = field.one();
    for k in 0..size {
        let found = (k..size).find(|&i| rows[i][k] != 0)?;
        if found != k {
            rows.swap(found, k);
            determinant = field.negative(determinant);
        }
        let pivot = rows[k][k];
        determinant = field.product(determinant, pivot);
        let scale = field.inverse(pivot);
        let (before, rest) = rows.split_at_mut(k);
        let (row, after) = rest.split_first_mut()?;
        for entry in &mut row[k..] {
            *entry = field.product(*entry, scale);
        }
        for other in before.iter_mut().chain(after) {
            let factor = other[k];
            if factor != 0 {
                field.subtract_multiple(&mut other[k..], factor, &row[k..]);
            }
        }
    }
    let minus = field.negative(determinant);
    let entries = rows.iter().flat_map(|row| &row[size..]);
    let entries = entries.map(|&entry| field.number(field.product(entry, minus)));
    Some(
        std::iter::once(field.number(determinant))
            .chain(entries)
            .collect(),
    )
}

/// For a symmetric matrix G (its rows up to the diagonal) and some columns, returns `det G` and
/// `det(G) a^T G^-1 b` for pairs (a, b) of them, as numbers. Returns `None` if a leading minor of G
/// is 0.
pub(crate) fn forms(
    field: &Field,
    gram: &[Vec<u64>],
    mut columns: Vec<Vec<u64>>,
    pairs: &[(usize, usize)],
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
    }
    let scaled: Vec<Vec<u64>> = columns
        .iter()
        .map(|column| {
            let entries = column.iter().zip(&inverses);
            entries.map(|(&c, &d)| field.product(c, d)).collect()
        })
        .collect();
    let found = pairs.iter().map(|&(a, b)| {
        let form = field.dot(&scaled[a], &columns[b]);
        field.number(field.product(form, determinant))
    });
    Some(
        std::iter::once(field.number(determinant))
            .chain(found)
            .collect(),
    )
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
        let rows = elements(
            &field,
            &[&[0, 2, 2, 0], &[1, 1, 0, 3], &[1, 2, 1, 3], &[2, 0, 1, 0]],
        );
        let taken: Vec<_> = rows.into_iter().map(|row| echelon.insert(row)).collect();
        assert_eq!(taken, [true, true, false, true]);
        echelon.reduce();
        assert_eq!(echelon.pivots, [1, 0, 2]);
        // From (2, 0, 1, 0) - 2 (1, 0, -1, 3) = (0, 0, 3, -6).
        let reduced = elements(&field, &[&[0, 1, 0, 2], &[1, 0, 0, 1], &[0, 0, 1, -2]]);
        assert_eq!(echelon.rows, reduced);
    }

    #[test]
    fn a_kernel_by_cramers_rule() {
        let field = Field::of(101);
        // x + 2y + 3z = 0, 3x + 4y + 4z = 0: determinant -2, solved by (-4, 5, -2).
        let rows = elements(&field, &[&[1, 2, 3], &[3, 4, 4]]);
        assert_eq!(kernel(&field, rows).map(signed), Some(vec![-2, -4, 5]));
        let swapped = elements(&field, &[&[0, 1, 5], &[1, 0, 7]]);
        assert_eq!(kernel(&field, swapped).map(signed), Some(vec![-1, 7, 5]));
        assert_eq!(
            kernel(&field, elements(&field, &[&[1, 2, 3], &[2, 4, 4]])),
            None
        );
    }

    #[test]
    fn forms_of_a_small_matrix() {
        let field = Field::of(101);
        // G = [[2, 1], [1, 3]] has the determinant 5 and the adjugate [[3, -1], [-1, 2]].
        let gram = elements(&field, &[&[2], &[1, 3]]);
        let columns = elements(&field, &[&[1, 0], &[1, 2]]);
        let found = forms(&field, &gram, columns.clone(), &[(0, 0), (0, 1), (1, 1)]);
        assert_eq!(found.map(signed), Some(vec![5, 3, 1, 7]));
        let singular = elements(&field, &[&[0], &[1, 3]]);
        assert_eq!(forms(&field, &singular, columns, &[]), None);
    }
}
