//! The textual form of a graph.

mod error;
mod family;
mod member;

pub use error::SpecError;
pub use family::{Family, edit_distance};
pub use member::FamilyMember;

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::str::FromStr;

use crate::Graph;

/// A graph as text: a member of a family, or a file. `Display` prints this form and `FromStr`
/// parses it.
///
/// Printing gives the normal form (options in a fixed order, always with the seed). Parsing the
/// printed form gives the same value unless it has a NaN. Parsing does not access the file system
/// and does not check sizes; [`GraphSpec::build`] checks them.
///
/// ```
/// use muffliato_model::GraphSpec;
///
/// let spec: GraphSpec = "erdos-renyi:2048:connected:c=2".parse()?;
/// assert_eq!(spec.to_string(), "erdos-renyi:2048:c=2:seed=0:connected");
/// assert_eq!("hypercube:11".parse::<GraphSpec>()?.build()?.nodes(), 2048);
///
/// let error = "hypercub:11".parse::<GraphSpec>().unwrap_err();
/// assert!(error.to_string().contains("did you mean hypercube?"));
/// # Ok::<(), muffliato_model::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GraphSpec {
    /// A member of a family, such as `hypercube:11`.
    Member(FamilyMember),
    /// The path of a file, such as `./club.mtx`.
    File(PathBuf),
}

impl GraphSpec {
    /// Returns every family with an example and a description, in the order of the help.
    pub fn families() -> &'static [Family] {
        &family::FAMILIES
    }

    /// Builds the member of a family. Files are read by `muffliato_io::read_file`.
    ///
    /// ```
    /// use muffliato_model::{GraphSpec, SpecError};
    ///
    /// let torus = "torus:4x5".parse::<GraphSpec>()?.build()?;
    /// assert_eq!((torus.nodes(), torus.edge_count()), (20, 40));
    /// assert!(matches!("ring:2".parse::<GraphSpec>()?.build(), Err(SpecError::Graph(_))));
    /// # Ok::<(), SpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`SpecError::Graph`] if the parameters are invalid or the graph is too large, and
    /// [`SpecError::File`] for the path of a file.
    pub fn build(&self) -> Result<Graph, SpecError> {
        match self {
            Self::Member(member) => Ok((member.family.build)(member)?),
            Self::File(path) => Err(SpecError::File { path: path.display().to_string() }),
        }
    }
}

impl FromStr for GraphSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or(text);
        match family::named(name) {
            Some(family) => Ok(Self::Member(FamilyMember::parse(family, parts)?)),
            None if text.contains(['/', '.']) => Ok(Self::File(text.into())),
            None => Err(SpecError::UnknownFamily {
                name: name.to_string(),
                suggestion: family::nearest(name),
            }),
        }
    }
}

impl FromStr for Graph {
    type Err = SpecError;

    /// Builds the graph that a text describes with [`GraphSpec::build`].
    fn from_str(text: &str) -> Result<Self, SpecError> {
        text.parse::<GraphSpec>()?.build()
    }
}

impl Display for GraphSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(member) => member.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use proptest::prelude::*;

    /// Texts that resemble specifications, valid or not: examples with other numbers, and options.
    fn nearly_a_spec() -> impl Strategy<Value = String> {
        let number = prop_oneof!["[0-9]{1,20}", "[-+0-9.e]{0,4}"];
        let option = "(:((c|q|r|d|seed)=[-+0-9.ex]{0,4}|connected|[a-z./=]{0,3}))?";
        (0..family::FAMILIES.len(), number, option).prop_map(|(index, number, option)| {
            let example = family::FAMILIES[index].example;
            let parts = example.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty());
            let mut text = parts.collect::<Vec<_>>().join(&number);
            if example.ends_with(|c: char| c.is_ascii_digit()) {
                text += &number;
            }
            text + &option
        })
    }

    proptest! {
        #[test]
        fn specs_are_parsed_as_they_are_printed(text in prop_oneof![any::<String>(), nearly_a_spec()]) {
            if let Ok(spec) = text.parse::<GraphSpec>() {
                prop_assert_eq!(spec.to_string().parse::<GraphSpec>(), Ok(spec));
            }
        }
    }

    #[test]
    fn specs_build_their_families() {
        for (text, graph) in [
            ("path:5", families::path(5)),
            ("ring:8", families::ring(8)),
            ("ring:2", families::ring(2)),
            ("complete:6", families::complete(6)),
            ("star:7", families::star(7)),
            ("grid:4x5", families::grid(&[4, 5])),
            ("torus:3x4x5", families::torus(&[3, 4, 5])),
            ("hypercube:4", families::hypercube(4)),
            ("hypercube:60", families::hypercube(60)),
            ("erdos-renyi:50:q=0.1:seed=2", families::erdos_renyi(50, 0.1, 2)),
            (
                "erdos-renyi:50:q=0.06:seed=2:connected",
                families::erdos_renyi_connected(50, 0.06, 2),
            ),
            ("erdos-renyi:9:q=2", families::erdos_renyi(9, 2.0, 0)),
            ("geometric:50:r=0.2:seed=9", families::geometric(50, 0.2, 9)),
            ("regular:50:d=4:seed=9", families::random_regular(50, 4, 9)),
            ("karate", families::karate()),
            ("florentine", families::florentine()),
        ] {
            let built = text.parse::<GraphSpec>().unwrap().build();
            assert_eq!(built, graph.map_err(SpecError::from), "{text}");
        }
        assert!("erdos-renyi:9:c=9".parse::<Graph>().is_err());
    }

    #[test]
    fn options_come_in_any_order_and_the_normal_form_is_printed() {
        for (text, normal) in [
            ("grid:04x+5", "grid:4x5"),
            ("erdos-renyi:9:q=.5", "erdos-renyi:9:q=0.5:seed=0"),
            ("erdos-renyi:9:connected:seed=3:c=2.0", "erdos-renyi:9:c=2:seed=3:connected"),
            ("geometric:9:seed=4:r=1e-2", "geometric:9:r=0.01:seed=4"),
            ("regular:9:d=2", "regular:9:d=2:seed=0"),
            ("./a:b=c", "./a:b=c"),
            ("./karate", "./karate"),
            ("karate.txt", "karate.txt"),
            ("data/club", "data/club"),
            ("C:\\club.mtx", "C:\\club.mtx"),
        ] {
            let spec: GraphSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), normal);
            assert_eq!(normal.parse(), Ok(spec));
        }
    }

    #[test]
    fn the_path_of_a_file_names_its_reader() {
        let error = "club.mtx".parse::<GraphSpec>().unwrap().build();
        assert_eq!(
            error.unwrap_err().to_string(),
            "club.mtx is a file; read it with muffliato_io::read_file (the feature `readers` of muffliato)"
        );
    }

    #[test]
    fn errors_give_an_example() {
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
            ("path", "path: the number of nodes is missing; write for example path:5"),
            ("torus", "torus: the list of sides is missing"),
            ("erdos-renyi:9:seed=1", "the probability, as c= or q=, is missing"),
            ("regular:9", "regular: the degree d= is missing"),
            ("geometric:9", "the radius r= is missing"),
            (
                "ring:eight",
                "ring: the number of nodes is \"eight\", but it must be a whole number; write for example ring:8",
            ),
            ("path:", "is \"\", but it must be a whole number"),
            ("path:-3", "is \"-3\", but"),
            ("path:99999999999999999999999", "it must be a whole number"),
            ("grid:", "list of sides is \"\", but it must be whole numbers"),
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
            ("path:5/x", "the number of nodes is \"5/x\""),
            ("grid:4.txt", "is \"4.txt\", but"),
            ("path:5:seed=1", "unknown option"),
            ("erdos-renyi:9:q=0.1:connected=yes", "unknown option"),
            ("erdos-renyi:9:q=0.1:seed", "unknown option"),
        ] {
            assert!(message(text).contains(part), "{}", message(text));
        }
    }
}
