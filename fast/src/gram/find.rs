//! Inputs with large losses (untrusted: `loss` and `vectors` compute what they lose).

use super::loss::form;

/// Maximum number of passes over all signs.
const MAX_SWEEPS: usize = 8;

/// Maximum number of passes over all directions.
const MAX_TURNS: usize = 2000;

/// Relative gain of a pass over all directions below which the search ends.
const REST: f64 = 1e-13;

/// Finds signs d with a large `d^T P d`, flipping one sign at a time from two starting points. Signs
/// that agree with all entries are found if they exist.
pub(super) fn signs(inputs: usize, p: &[f64]) -> Vec<f64> {
    let starts = [vec![1.0; inputs], agreeing_signs(inputs, p)];
    let [one, other] = starts.map(|signs| climbed(inputs, p, signs));
    if form(p, &one) >= form(p, &other) { one } else { other }
}

/// Chooses signs such that `d_i d_j` has the sign of `P_ij` along a tree of the largest entries.
fn agreeing_signs(inputs: usize, p: &[f64]) -> Vec<f64> {
    let mut signs = vec![0.0; inputs];
    // For each input the entry that joins it to the tree, times the sign at its other end.
    let mut nearest = vec![0.0_f64; inputs];
    for _ in 0..inputs {
        let outside = (0..inputs).filter(|&i| signs[i] == 0.0);
        let Some(next) = outside.max_by(|&i, &j| nearest[i].abs().total_cmp(&nearest[j].abs()))
        else {
            break;
        };
        signs[next] = if nearest[next] < 0.0 { -1.0 } else { 1.0 };
        for (nearest, entry) in nearest.iter_mut().zip(&p[next * inputs..]) {
            if entry.abs() > nearest.abs() {
                *nearest = entry * signs[next];
            }
        }
    }
    signs
}

/// Flips single signs as long as that increases `d^T P d`.
fn climbed(inputs: usize, p: &[f64], mut signs: Vec<f64>) -> Vec<f64> {
    for _ in 0..MAX_SWEEPS {
        let row = |row: &[f64]| row.iter().zip(&signs).map(|(p, s)| p * s).sum::<f64>();
        let mut sums: Vec<f64> = p.chunks_exact(inputs).map(row).collect();
        let mut flips = 0;
        for i in 0..inputs {
            // Flipping d_i takes 4 d_i (P d)_i away and gives 4 P_ii back.
            if p[i * inputs + i] > signs[i] * sums[i] {
                for (sum, entry) in sums.iter_mut().zip(&p[i * inputs..]) {
                    *sum -= 2.0 * signs[i] * entry;
                }
                signs[i] = -signs[i];
                flips += 1;
            }
        }
        if flips == 0 {
            break;
        }
    }
    signs
}

/// Finds unit vectors with a large loss, one after the other, and the corresponding dual vector.
///
/// Each is turned to where it loses most, `d_i` along `g_i = sum_{j != i} P_ij d_j` (the mixing
/// method, Wang, Chang and Kolter 2017); at a fixed point `lambda_i = |g_i| + P_ii` is the dual.
pub(super) fn directions(size: usize, p: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let dimension = ((2 * size) as f64).sqrt().ceil() as usize + 1;
    // Any directions will do to begin with; these are spread out and deterministic.
    let start = |place: usize| ((place * place + 7 * place + 3) as f64).sin();
    let mut directions: Vec<f64> = (0..size * dimension).map(start).collect();
    let unit = |vector: &mut [f64]| -> f64 {
        let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            vector.iter_mut().for_each(|x| *x /= norm);
        }
        norm
    };
    for direction in directions.chunks_exact_mut(dimension) {
        unit(direction);
    }
    let mut norms = vec![0.0; size];
    let mut last = 0.0;
    for _ in 0..MAX_TURNS {
        for i in 0..size {
            let mut pull = vec![0.0; dimension];
            for j in (0..size).filter(|&j| j != i) {
                let other = &directions[j * dimension..(j + 1) * dimension];
                for (pull, &x) in pull.iter_mut().zip(other) {
                    *pull += p[i * size + j] * x;
                }
            }
            norms[i] = unit(&mut pull);
            if norms[i] > 0.0 {
                directions[i * dimension..(i + 1) * dimension].copy_from_slice(&pull);
            }
        }
        let dual: f64 = (0..size).map(|i| norms[i] + p[i * size + i]).sum();
        if (dual - last).abs() <= REST * dual {
            break;
        }
        last = dual;
    }
    let dual = (0..size).map(|i| norms[i] + p[i * size + i]).collect();
    (directions, dual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_flipped_as_long_as_it_helps() {
        let best = |inputs, p: &[f64]| form(p, &signs(inputs, p));
        assert_eq!(best(2, &[1.0, -0.5, -0.5, 1.0]), 3.0);
        // Signs (-1, 1, -1), up to the sign of all.
        let p = [1.0, -0.5, 0.25, -0.5, 1.0, -0.25, 0.25, -0.25, 1.0];
        assert_eq!(best(3, &p), 5.0);
        // No single flip helps, but three do: inputs 0 to 2 against 3 to 5, whose entries are
        // negative.
        let mut p = [0.0; 36];
        for i in 0..6 {
            for j in 0..6 {
                p[i * 6 + j] = if i / 3 == j / 3 { 0.5 } else { -0.125 };
            }
        }
        assert_eq!(form(&p, &climbed(6, &p, vec![1.0; 6])), 9.0 - 2.25);
        assert_eq!(best(6, &p), 9.0 + 2.25);
        // The first flips make further ones profitable.
        let p = [1.0, 0.25, -0.25, 0.25, 1.0, -0.5, -0.25, -0.5, 1.0];
        assert_eq!(best(3, &p), 5.0);
    }
}
