//! Members of families: `family:size:option:option`, with options in any order.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::SpecError;
use super::family::{Choice, Family, Size};

/// A member of a family: its size and options, from which
/// [`GraphSpec::build`](super::GraphSpec::build) builds a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyMember {
    pub(super) family: &'static Family,
    pub(super) sizes: Vec<usize>,
    /// In the order of the family's options.
    options: Vec<(&'static str, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Number(f64),
    Whole(u64),
    Given,
}

const WHOLE: &str = "a whole number";

impl FamilyMember {
    /// Returns the family.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// Returns the number of nodes, the dimension or the sides; empty for a single graph.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Parses the size, if the family has one, and then options of the family, each at most once.
    pub(super) fn parse<'t>(
        family: &'static Family,
        mut parts: impl Iterator<Item = &'t str>,
    ) -> Result<Self, SpecError> {
        let name = family.name;
        let missing = |what| SpecError::Missing { family: name, what };
        let mut taken = |what| Ok::<_, SpecError>((what, parts.next().ok_or(missing(what))?));
        let size = match family.size {
            Size::Nothing => None,
            Size::One(what) => Some(taken(what)?),
            Size::Sides => Some(taken("list of sides")?),
        };
        let mut given = vec![None; family.options.len()];
        for part in parts {
            let (key, value) = part.split_at(part.find('=').map_or(part.len(), |at| at + 1));
            let place = family.options.iter().position(|option| option.key() == key);
            let place = place.ok_or_else(|| SpecError::UnknownOption {
                family: name,
                option: part.to_string(),
            })?;
            if given[place].replace(value).is_some() {
                let option = family.options[place].key();
                return Err(SpecError::RepeatedOption { family: name, option });
            }
        }
        let sizes = match (&family.size, size) {
            (Size::Sides, Some((what, text))) => {
                let expected = "whole numbers with an x between them";
                let sides = text.split('x').map(|side| side.parse().ok());
                let sides: Option<Vec<usize>> = sides.collect();
                sides.ok_or_else(|| bad_number(family, what, text, expected))?
            }
            (_, Some((what, text))) => vec![number(family, what, text, WHOLE)?],
            (_, None) => Vec::new(),
        };
        let needed = || {
            let options = family.options.iter().zip(&given);
            options.filter(|(option, _)| option.needed().is_some())
        };
        let mut chosen = needed().filter(|(_, text)| text.is_some());
        match (chosen.next(), chosen.next(), needed().next()) {
            (Some((first, _)), Some((second, _)), _) => {
                return Err(SpecError::Conflict {
                    family: name,
                    first: first.key(),
                    second: second.key(),
                });
            }
            (None, _, Some((first, _))) => return Err(missing(first.needed().unwrap_or_default())),
            _ => {}
        }
        let mut options = Vec::new();
        for (option, text) in family.options.iter().zip(given) {
            let value = match (option, text) {
                (Choice::Number(_, what), Some(text)) => {
                    Value::Number(number(family, what, text, "a number such as 0.5")?)
                }
                (Choice::Count(_, what), Some(text)) => {
                    let count: usize = number(family, what, text, WHOLE)?;
                    Value::Whole(count as u64)
                }
                (Choice::Seed, text) => {
                    let (text, expected) = (text.unwrap_or("0"), "a whole number below 2^64");
                    Value::Whole(number(family, "seed", text, expected)?)
                }
                (Choice::Flag(_), Some(_)) => Value::Given,
                (_, None) => continue,
            };
            options.push((option.key(), value));
        }
        Ok(Self { family, sizes, options })
    }

    /// Returns the size of a family that has one. Ranges are checked when the graph is built.
    pub(super) fn size(&self) -> usize {
        self.sizes.first().copied().unwrap_or(0)
    }

    fn value(&self, key: &str) -> Option<Value> {
        let option = self.options.iter().find(|option| option.0 == key);
        option.map(|option| option.1)
    }

    /// Returns `true` if the option is given.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Returns the number of an option, or NaN, which no family accepts, without it.
    pub(super) fn number(&self, key: &str) -> f64 {
        match self.value(key) {
            Some(Value::Number(number)) => number,
            _ => f64::NAN,
        }
    }

    /// Returns the whole number of an option, or 0 without it.
    pub(super) fn whole(&self, key: &str) -> u64 {
        match self.value(key) {
            Some(Value::Whole(number)) => number,
            _ => 0,
        }
    }
}

fn number<T: FromStr>(
    family: &Family,
    what: &'static str,
    text: &str,
    expected: &'static str,
) -> Result<T, SpecError> {
    text.parse().map_err(|_| bad_number(family, what, text, expected))
}

fn bad_number(
    family: &Family,
    what: &'static str,
    text: &str,
    expected: &'static str,
) -> SpecError {
    SpecError::BadNumber { family: family.name, what, text: text.to_string(), expected }
}

impl Display for FamilyMember {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.family.name)?;
        for (place, size) in self.sizes.iter().enumerate() {
            write!(f, "{}{size}", if place == 0 { ":" } else { "x" })?;
        }
        for (key, value) in &self.options {
            match value {
                Value::Number(number) => write!(f, ":{key}{number}")?,
                Value::Whole(number) => write!(f, ":{key}{number}")?,
                Value::Given => write!(f, ":{key}")?,
            }
        }
        Ok(())
    }
}
