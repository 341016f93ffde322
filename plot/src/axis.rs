//! Axes: positions and labels of numbers.

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal distances.
    Linear,
    /// Equal ratios have equal distances.
    Log,
}

/// An axis with its label, which should name the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The label.
    pub label: String,
    /// The scale.
    pub scale: Scale,
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        let (label, scale) = (label.into(), Scale::Linear);
        Self { label, scale }
    }

    /// Creates a logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        let (label, scale) = (label.into(), Scale::Log);
        Self { label, scale }
    }
}

/// The range of an axis, with its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    scale: Scale,
    low: f64,
    high: f64,
    /// `true` if 0 has a place below a break of a logarithmic axis.
    broken: bool,
    /// Numbers with their labels.
    pub ticks: Vec<(f64, String)>,
}

/// Share of a broken axis below the break, which is at two thirds of it.
const BELOW_BREAK: f64 = 0.09;

/// Approximate number of ticks.
const TICKS: f64 = 6.0;

impl Range {
    /// Computes the range of some numbers, with room at both ends. Numbers that the axis cannot
    /// show are ignored. A logarithmic axis is broken if 0 is among them.
    pub fn of(scale: Scale, numbers: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high, mut whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
        let mut zero = false;
        for number in numbers {
            zero |= number == 0.0;
            let Some(at) = place(scale, number) else {
                continue;
            };
            (low, high) = (low.min(at), high.max(at));
            whole &= at.fract() == 0.0;
        }
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let (low, high) = if high - low < 1e-9 * high.abs().max(1e-3) {
            (low - 0.5, high + 0.5)
        } else {
            (low, high)
        };
        match scale {
            Scale::Linear => Self::linear(low, high, whole),
            Scale::Log => Self::log(low, high, zero),
        }
    }

    /// Creates a linear range with given ends and ticks.
    pub fn with_ticks(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Self { scale: Scale::Linear, low, high, broken: false, ticks }
    }

    /// Builds a linear range. Ticks are whole if all numbers are, and the range then ends at the
    /// smallest and largest number.
    fn linear(low: f64, high: f64, whole: bool) -> Self {
        let rough = (high - low) / TICKS;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0];
        let step = steps.map(|step| step * power).into_iter();
        let step = step.filter(|&step| step >= rough * 0.999).fold(f64::INFINITY, f64::min);
        let step = if whole { step.max(1.0) } else { step };
        let (first, last) = if whole && low.fract() == 0.0 && high.fract() == 0.0 {
            ((low / step).ceil(), (high / step).floor())
        } else {
            ((low / step).floor(), (high / step).ceil())
        };
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let ticks = (0..=(last - first) as usize).map(|k| {
            let number = (first + k as f64) * step;
            (number, format!("{number:.digits$}"))
        });
        Self::with_ticks(low.min(first * step), high.max(last * step), ticks.collect())
    }

    /// Builds a logarithmic range with a tick at each decade, or finer ones for one or two decades.
    fn log(low: f64, high: f64, broken: bool) -> Self {
        let (first, last) = (low.floor(), high.ceil());
        let zero = broken.then(|| (0.0, "0".to_string()));
        if high - low <= 2.0 {
            return Self::fine(low, high, zero);
        }
        let exponents = 0..=(last - first) as usize;
        let label = |exponent: i64| match exponent {
            0 => "1".to_string(),
            1 => "10".to_string(),
            _ => format!("10{}", superscript(exponent)),
        };
        let ticks = exponents.map(|k| {
            let exponent = first as i64 + k as i64;
            (10_f64.powi(exponent as i32), label(exponent))
        });
        Self {
            scale: Scale::Log,
            low: first,
            high: last,
            broken,
            ticks: zero.into_iter().chain(ticks).collect(),
        }
    }

    /// Builds a logarithmic range between multiples of a power of ten by 1, 2 or 5.
    fn fine(low: f64, high: f64, zero: Option<(f64, String)>) -> Self {
        let decades = (low.floor() as i32)..=(high.ceil() as i32);
        let marks: Vec<(i32, i32)> =
            decades.flat_map(|exponent| [1, 2, 5].map(|digit| (digit, exponent))).collect();
        let at = |(digit, exponent): (i32, i32)| f64::from(digit).log10() + f64::from(exponent);
        let slack = 1e-9;
        let below = marks.iter().rposition(|&mark| at(mark) <= low + slack);
        let above = marks.iter().position(|&mark| at(mark) >= high - slack);
        let (below, above) = (below.unwrap_or(0), above.unwrap_or(marks.len() - 1));
        let marks = &marks[below..=above.max(below + 1).min(marks.len() - 1)];
        let tick = |&(digit, exponent): &(i32, i32)| {
            let number = f64::from(digit) * 10_f64.powi(exponent);
            let digits = usize::try_from(-exponent).unwrap_or(0);
            (number, format!("{number:.digits$}"))
        };
        Self {
            scale: Scale::Log,
            low: marks.first().map_or(low, |&mark| at(mark)),
            high: marks.last().map_or(high, |&mark| at(mark)),
            broken: zero.is_some(),
            ticks: zero.into_iter().chain(marks.iter().map(tick)).collect(),
        }
    }

    /// Returns the position of the break, from 0 to 1.
    pub fn broken_at(&self) -> Option<f64> {
        self.broken.then_some(2.0 / 3.0 * BELOW_BREAK)
    }

    /// Returns the position of a number on the axis, from 0 to 1; `None` if it cannot be shown.
    pub fn share(&self, number: f64) -> Option<f64> {
        if self.broken && number == 0.0 {
            return Some(0.0);
        }
        let share = (place(self.scale, number)? - self.low) / (self.high - self.low);
        Some(if self.broken { BELOW_BREAK + (1.0 - BELOW_BREAK) * share } else { share })
    }

    /// Returns the position of a number, or 0 if it lies below the axis (0 on a logarithmic one).
    pub fn share_or_floor(&self, number: f64) -> f64 {
        self.share(number).unwrap_or(0.0).clamp(0.0, 1.0)
    }
}

fn place(scale: Scale, number: f64) -> Option<f64> {
    let at = match scale {
        Scale::Linear => number,
        Scale::Log if number > 0.0 => number.log10(),
        Scale::Log => return None,
    };
    at.is_finite().then_some(at)
}

fn superscript(exponent: i64) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    exponent.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, numbers: &[f64]) -> Vec<String> {
        let range = Range::of(scale, numbers.iter().copied());
        range.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_around_the_data() {
        assert_eq!(labels(Scale::Linear, &[1.0, 5.0]), ["1", "2", "3", "4", "5"]);
        assert_eq!(labels(Scale::Linear, &[1.0, 11.0]), ["2", "4", "6", "8", "10"]);
        assert_eq!(labels(Scale::Log, &[1e-12, 1.0]).len(), 13, "each decade");
        assert_eq!(labels(Scale::Linear, &[1.0, 3.0]), ["1", "2", "3"]);
        let fine = labels(Scale::Linear, &[0.0, 0.13]);
        assert_eq!((fine[0].as_str(), fine[1].as_str()), ("0.00", "0.05"));
        assert_eq!(labels(Scale::Log, &[0.002, 30.0]), ["10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²"]);
        assert_eq!(labels(Scale::Log, &[0.3, 0.8]), ["0.2", "0.5", "1"]);
        assert_eq!(labels(Scale::Log, &[1.0, 30.0]), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(superscript(-14), "⁻¹⁴");
        for nothing in [&[][..], &[f64::NAN], &[-1.0], &[7.0]] {
            assert!(labels(Scale::Log, nothing).len() >= 2);
            assert!(labels(Scale::Linear, nothing).len() >= 2);
        }
    }

    #[test]
    fn what_cannot_be_shown_has_no_place() {
        let range = Range::of(Scale::Log, [0.001, 1000.0].into_iter());
        assert_eq!(range.share(1.0), Some(0.5));
        assert_eq!((range.share(0.0), range.share(f64::NAN)), (None, None));
        assert_eq!((range.share_or_floor(0.0), range.broken_at()), (0.0, None));
    }

    #[test]
    fn zero_is_below_a_break_of_a_logarithmic_axis() {
        let range = Range::of(Scale::Log, [0.0, 0.001, 1.0].into_iter());
        let shares = [0.0, 0.001, 1.0].map(|number| range.share(number).unwrap());
        assert_eq!((shares[0], shares[2]), (0.0, 1.0));
        let at = range.broken_at().unwrap();
        assert!(shares[0] < at && at < shares[1], "{shares:?}");
        assert_eq!(range.ticks[0], (0.0, "0".to_string()));
        assert_eq!(Range::of(Scale::Linear, [0.0, 1.0].into_iter()).broken_at(), None);
    }
}
