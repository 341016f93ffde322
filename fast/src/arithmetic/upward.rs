//! Arithmetic on non-negative floats that only rounds up. Zeros are exact: what is 0 stays 0, and nothing else becomes 0.
//!
//! The sum or product of two floats, rounded to nearest, is below the next float above the result: `exact <= next_up(computed)`.

/// At least `a + b`.
#[inline]
pub fn add_up(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        b
    } else if b == 0.0 {
        a
    } else {
        (a + b).next_up()
    }
}

/// At least `a b`, and 0 only if one of them is.
#[inline]
pub fn times_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else if a == 1.0 {
        b
    } else {
        (a * b).next_up()
    }
}

/// At least `above / below` for `above >= 0`, `below > 0`.
pub fn ratio_up(above: i128, below: i128) -> f64 {
    if above == 0 {
        return 0.0;
    }
    if above == below {
        return 1.0;
    }
    // Conversions round to nearest: one float away is on the safe side.
    ((above as f64).next_up() / (below as f64).next_down()).next_up()
}

/// Absorbs the fraction `above / below`, from 0 to 1, of what has arrived: what is absorbed, and what is left, neither of them less than exactly. Nothing
/// is left by the fraction 1.
pub fn absorb_up(arrived: f64, above: i128, below: i128) -> (f64, f64) {
    let absorbed = times_up(ratio_up(above, below), arrived);
    let left = times_up(ratio_up(below - above, below), arrived);
    (absorbed, left)
}
