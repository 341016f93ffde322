//! Reading the textual form: `family:size:option:option`, options in any order.

use std::str::FromStr;

use super::family::{self, Family};
use super::{FilePath, GraphSpec, Sides, SpecError};

impl FromStr for GraphSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or(text);
        match family::named(name) {
            Some(family) => (family.parse)(&Parameters::try_new(family, parts)?),
            None if FilePath::is_path(text) => Ok(Self::File(FilePath::new(text))),
            None => Err(SpecError::UnknownFamily {
                name: name.to_string(),
                suggestion: family::nearest(name),
            }),
        }
    }
}

const WHOLE: &str = "a whole number";

/// What follows a family's name.
pub(super) struct Parameters<'t> {
    pub(super) family: &'static Family,
    size: &'t str,
    /// Each option's key as the family has it (`seed=`, `connected`), and its value.
    options: Vec<(&'static str, &'t str)>,
}

impl<'t> Parameters<'t> {
    /// Takes the size off the front, if the family has one; the rest must be options of the
    /// family, each at most once.
    fn try_new(
        family: &'static Family,
        mut parts: impl Iterator<Item = &'t str>,
    ) -> Result<Self, SpecError> {
        let size = match family.size {
            None => "",
            Some(what) => parts.next().ok_or(SpecError::Missing {
                family: family.name,
                what,
            })?,
        };
        let mut options: Vec<(&'static str, &str)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_at(part.find('=').map_or(part.len(), |at| at + 1));
            let Some(&key) = family.options.iter().find(|&&option| option == key) else {
                return Err(SpecError::UnknownOption {
                    family: family.name,
                    option: part.to_string(),
                });
            };
            if options.iter().any(|&(earlier, _)| earlier == key) {
                return Err(SpecError::RepeatedOption {
                    family: family.name,
                    option: key,
                });
            }
            options.push((key, value));
        }
        Ok(Self {
            family,
            size,
            options,
        })
    }

    fn size_name(&self) -> &'static str {
        self.family.size.unwrap_or("size")
    }

    /// The size, a whole number.
    pub(super) fn size(&self) -> Result<usize, SpecError> {
        self.number(self.size_name(), self.size, WHOLE)
    }

    /// The size, as the sides of a lattice.
    pub(super) fn sides(&self) -> Result<Sides, SpecError> {
        let missing = SpecError::Missing {
            family: self.family.name,
            what: self.size_name(),
        };
        let expected = "whole numbers with an x between them";
        self.size
            .split('x')
            .map(|side| side.parse().ok())
            .collect::<Option<Vec<usize>>>()
            .ok_or_else(|| self.bad_number(self.size_name(), self.size, expected))
            .and_then(|lengths| Sides::try_new(lengths).ok_or(missing))
    }

    /// Whether the option is given.
    pub(super) fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn value(&self, key: &str) -> Option<&'t str> {
        let option = self.options.iter().find(|option| option.0 == key)?;
        Some(option.1)
    }

    fn required(&self, key: &str, what: &'static str) -> Result<&'t str, SpecError> {
        self.value(key).ok_or(SpecError::Missing {
            family: self.family.name,
            what,
        })
    }

    /// The option's value, a number; ranges are checked when the graph is built.
    pub(super) fn required_number(&self, key: &str, what: &'static str) -> Result<f64, SpecError> {
        let text = self.required(key, what)?;
        self.number(what, text, "a number such as 0.5")
    }

    /// The option's value, a whole number.
    pub(super) fn required_count(&self, key: &str, what: &'static str) -> Result<usize, SpecError> {
        let text = self.required(key, what)?;
        self.number(what, text, WHOLE)
    }

    /// The option `seed=`, or 0.
    pub(super) fn seed(&self) -> Result<u64, SpecError> {
        let expected = "a whole number below 2^64";
        self.value("seed=")
            .map_or(Ok(0), |text| self.number("seed", text, expected))
    }

    fn number<T: FromStr>(
        &self,
        what: &'static str,
        text: &str,
        expected: &'static str,
    ) -> Result<T, SpecError> {
        text.parse()
            .map_err(|_| self.bad_number(what, text, expected))
    }

    fn bad_number(&self, what: &'static str, text: &str, expected: &'static str) -> SpecError {
        SpecError::BadNumber {
            family: self.family.name,
            what,
            text: text.to_string(),
            expected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order_and_the_normal_form_is_printed() {
        for (text, normal) in [
            ("grid:04x+5", "grid:4x5"),
            ("erdos-renyi:9:q=.5", "erdos-renyi:9:q=0.5:seed=0"),
            (
                "erdos-renyi:9:connected:seed=3:c=2.0",
                "erdos-renyi:9:c=2:seed=3:connected",
            ),
            ("geometric:9:seed=4:r=1e-2", "geometric:9:r=0.01:seed=4"),
            ("regular:9:d=2", "regular:9:d=2:seed=0"),
            ("./a:b=c", "./a:b=c"),
        ] {
            let spec: GraphSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), normal);
            assert_eq!(normal.parse(), Ok(spec));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_an_example() {
        let message = |text: &str| text.parse::<GraphSpec>().unwrap_err().to_string();
        let families = message("hyprcube:3");
        assert!(families.starts_with(
            "there is no graph family \"hyprcube\"; did you mean hypercube?\nwrite one of\n"
        ));
        for family in GraphSpec::families() {
            assert!(families.contains(family.example) && families.contains(family.description));
        }
        assert!(families.ends_with("which contains a '/' or a '.', such as ./graph"));
        for (text, part) in [
            ("", "no graph family"),
            (":", "no graph family"),
            ("edges:5", "no graph family"),
            ("=", "no graph family"),
            (
                "path",
                "path: the number of nodes is missing; write for example path:5",
            ),
            ("torus", "torus: the list of sides is missing"),
            (
                "erdos-renyi:9:seed=1",
                "the probability, as c= or q=, is missing",
            ),
            ("regular:9", "regular: the degree d= is missing"),
            ("geometric:9", "the radius r= is missing"),
            (
                "ring:eight",
                "ring: the number of nodes is \"eight\", but it must be a whole number; write for example ring:8",
            ),
            ("path:", "is \"\", but it must be a whole number"),
            ("path:-3", "is \"-3\", but"),
            ("path:99999999999999999999999", "it must be a whole number"),
            (
                "grid:",
                "list of sides is \"\", but it must be whole numbers",
            ),
            ("grid:4x", "\"4x\", but it must be whole numbers with an x"),
            ("grid:4,5", "is \"4,5\", but"),
            ("hypercube:2.5", "the dimension is \"2.5\""),
            ("erdos-renyi:9:q=half", "the probability q= is \"half\""),
            ("erdos-renyi:9:q=.5:seed=-1", "below 2^64"),
            ("geometric:9:r=", "the radius r= is \"\""),
            ("regular:9:d=2.5", "the degree d= is \"2.5\""),
            (
                "karate:34",
                "karate: unknown option \"34\"; accepted: none; write for example karate",
            ),
            (
                "geometric:9:radius=0.1",
                "unknown option \"radius=0.1\"; accepted: r=, seed=; write for example geometric:2048",
            ),
            (
                "geometric:9:r=0.1:seed=1:seed=1",
                "the option seed= is given twice; give each of these once: r=, seed=",
            ),
            (
                "erdos-renyi:9:c=1:q=0.1",
                "the options c= and q= exclude each other; give one of them",
            ),
            ("path:5:", "unknown option"),
            ("path:5:seed=1", "unknown option"),
            ("erdos-renyi:9:q=0.1:connected=yes", "unknown option"),
            ("erdos-renyi:9:q=0.1:seed", "unknown option"),
        ] {
            assert!(message(text).contains(part), "{}", message(text));
        }
    }
}
