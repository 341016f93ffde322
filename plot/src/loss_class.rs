//! Colours of losses: a few classes from light to dark.

/// A class of losses, in units of L, and its colour.
///
/// ```
/// use muffliato_plot::LossClass;
///
/// let label = |loss| LossClass::ALL[LossClass::number_of(loss)].label;
/// assert_eq!([0.0, 1e-9, 0.3, 1.0].map(label), ["0", "up to 0.001", "0.1 to 0.3", "1 or more"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossClass {
    /// The range of losses as text.
    pub label: &'static str,
    /// The largest loss in the class.
    upper: f64,
    /// Red, green and blue.
    pub colour: (u8, u8, u8),
    /// `true` if text on this colour is dark.
    pub dark_letters: bool,
}

const fn class(label: &'static str, upper: f64, colour: u32, dark_letters: bool) -> LossClass {
    LossClass {
        label,
        upper,
        colour: ((colour >> 16) as u8, (colour >> 8) as u8, colour as u8),
        dark_letters,
    }
}

/// The largest number below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

impl LossClass {
    /// All classes, from no loss to the local loss or more. The colours darken with the loss, from
    /// grey and yellow to brown, so that people with any colour vision can tell them apart.
    pub const ALL: [Self; 7] = [
        class("0", 0.0, 0xD6_D8_DB, true),
        class("up to 0.001", 0.001, 0xF7_D7_74, true),
        class("0.001 to 0.01", 0.01, 0xF9_BE_55, true),
        class("0.01 to 0.1", 0.1, 0xF3_9A_3A, true),
        class("0.1 to 0.3", 0.3, 0xDD_6A_12, true),
        class("0.3 to 1", BELOW_ONE, 0xA8_3C_02, false),
        class("1 or more", f64::INFINITY, 0x5A_1A_04, false),
    ];

    /// Returns the index of the class of a loss; the last one for NaN.
    pub fn number_of(loss: f64) -> usize {
        let found = Self::ALL.iter().position(|class| loss <= class.upper);
        found.unwrap_or(Self::ALL.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_in_the_class_that_the_legend_names() {
        let label = |loss| LossClass::ALL[LossClass::number_of(loss)].label;
        for (loss, expected) in [
            (0.0, "0"),
            (1e-300, "up to 0.001"),
            (0.01, "0.001 to 0.01"),
            (0.300_000_001, "0.3 to 1"),
            (1.0_f64.next_down(), "0.3 to 1"),
            (1.0, "1 or more"),
            (f64::INFINITY, "1 or more"),
            (f64::NAN, "1 or more"),
        ] {
            assert_eq!(label(loss), expected, "{loss}");
        }
    }

    #[test]
    fn more_loss_is_darker() {
        let light = |class: &LossClass| {
            let (r, g, b) = class.colour;
            299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)
        };
        let lights: Vec<_> = LossClass::ALL.iter().map(light).collect();
        assert!(lights.windows(2).all(|pair| pair[0] > pair[1]), "{lights:?}");
        assert!(lights[0] < 225_000, "on white paper: {lights:?}");
    }
}
