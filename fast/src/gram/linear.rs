//! The view of any linear system, in pairs of floats (trusted).
//!
//! Whole numbers become pairs within `2^-104` of their size, and variances within `2^-100`. Each term
//! `A_id v_d A_jd` of the Gram matrix is then off by at most 16 units of pairs, `2^-101`, and a sum of
//! k terms by k more, relative to the sum of sizes. Rows are divided by powers of two, so that no
//! coefficient of a draw is above 1.

use super::guess;
use super::loss::{Reach, WhitenedInputs, whitened};
use super::pair::Pair;
use super::rows::{ColumnBlock, Columns, Gram, UNDERFLOW, norm_up};
use crate::{ExactEquations, FastError, Loss, arithmetic::Real, memory, threads};
use muffliato_model::LossModel;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Covers the roundings of computed error bounds.
const SLACK: f64 = 1.0 + 1e-9;

/// Bits of a whole number that a pair is made of.
const BITS: u64 = 120;

/// Largest power of two, up or down, of a number that is represented.
const RANGE: i64 = 250;

/// Computes the certified loss of all inputs of a linear view together; `None` if the Gram matrix of
/// its observations is not proved regular in pairs of floats, or numbers are out of range.
///
/// # Errors
/// For a view beyond [`crate::memory::limit`].
pub fn linear_loss(view: &ExactEquations<'_>) -> Result<Option<Loss>, FastError> {
    let (size, width) = (view.rows.len(), view.variances.len());
    let floats = (size as u128).saturating_mul(13 * size as u128 + 4 * width as u128);
    memory::check(floats.saturating_mul(8), "leave observations out")?;
    Ok(threads::inside(|| loss(view)))
}

fn loss(view: &ExactEquations<'_>) -> Option<Loss> {
    let size = view.rows.len();
    let length = |numbers: &[BigInt]| numbers.iter().map(BigInt::bits).max().unwrap_or(0);
    let common = length(view.variances).max(view.unit.bits());
    let unit = pair(view.unit, common)?;
    let variances: Vec<Pair> =
        view.variances.iter().map(|v| Some(pair(v, common)?.over(unit))).collect::<Option<_>>()?;
    let lengths: Vec<u64> = view.rows.iter().map(|row| length(row)).collect();
    let row = |(row, &length): (&&[BigInt], &u64)| row.iter().map(|x| pair(x, length)).collect();
    let rows: Vec<Vec<Pair>> = view.rows.iter().zip(&lengths).map(row).collect::<Option<_>>()?;

    let terms = threads::in_order(size, |i| {
        let weighted: Vec<Pair> =
            rows[i].iter().zip(&variances).map(|(x, v)| x.times(*v)).collect();
        let entry = |other: &Vec<Pair>| {
            let (mut sum, mut sizes) = (Pair::default(), 0.0);
            for (x, y) in weighted.iter().zip(other).filter(|(x, y)| x.high * y.high != 0.0) {
                let term = x.times(*y);
                sum = sum.plus(term);
                sizes += term.high.abs();
            }
            (sum, sizes)
        };
        rows[..=i].iter().map(entry).collect::<Vec<_>>()
    });
    let mut gram = Gram::zeros(size, true);
    let rounding = (variances.len() as f64 + 16.0) * Pair::UNIT;
    for (i, entries) in terms.into_iter().enumerate() {
        for (j, (sum, sizes)) in entries.into_iter().enumerate() {
            gram.set(i, j, (sum.high, sum.low), rounding * sizes * SLACK + UNDERFLOW);
        }
    }
    let whitening = guess::whitening(&gram)?;

    let mut block = ColumnBlock::zeros(size * view.inputs.len(), true);
    for (input, column) in view.inputs.iter().enumerate() {
        for (row, (entry, &length)) in column.iter().zip(&lengths).enumerate() {
            let entry = pair(entry, length)?;
            block.set(input * size + row, (entry.high, entry.low));
        }
    }
    block.norms = block.high.chunks_exact(size).map(|column| norm_up(column) * SLACK).collect();
    let places: Vec<usize> = (0..view.inputs.len()).collect();
    let found =
        whitened(&whitening, &Columns::new(size, [block]), &[0], &places, (Pair::UNIT, UNDERFLOW));
    let (entries, errors) = places.iter().map(|&place| found[0].get(place)).unzip();
    let inputs = WhitenedInputs { entries, errors };
    Some(inputs.loss(f64::INFINITY, whitening.defect(), Reach::Both, LossModel::SingleInput))
}

/// Converts a whole number over `2^length`; `None` beyond `2^250` and below its inverse.
fn pair(value: &BigInt, length: u64) -> Option<Pair> {
    let cut = value.bits().saturating_sub(BITS);
    let Pair { high, low } = Pair::of_integer((value >> cut).to_i128()?);
    let power = i64::try_from(cut).ok()? - i64::try_from(length).ok()?;
    let size = i64::try_from(value.bits()).ok()? - i64::try_from(length).ok()?;
    let scale = 2.0_f64.powi(i32::try_from(power).ok()?);
    let within = value.bits() == 0 || (-RANGE..=RANGE).contains(&size);
    within.then_some(Pair { high: high * scale, low: low * scale })
}
