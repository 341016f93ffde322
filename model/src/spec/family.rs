//! The table of families, which defines parsing, printing, error messages and the command's help.

use std::fmt::{self, Display, Formatter};

use super::FamilyMember;
use crate::{Graph, GraphError, families, families::bad_parameter};

/// A graph family, as help and error messages show it.
///
/// ```
/// use muffliato_model::GraphSpec;
///
/// let ring = GraphSpec::families().iter().find(|family| family.name == "ring").unwrap();
/// assert_eq!(ring.example, "ring:8");
/// assert_eq!(ring.example.parse::<GraphSpec>()?.build()?.nodes(), 8);
/// # Ok::<(), muffliato_model::SpecError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Family {
    /// The word before the first ':'.
    pub name: &'static str,
    /// A valid example.
    pub example: &'static str,
    /// One line without a full stop.
    pub description: &'static str,
    pub(super) size: Size,
    /// The options in the order of the normal form.
    pub(super) options: &'static [Choice],
    pub(super) build: fn(&FamilyMember) -> Result<Graph, GraphError>,
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The size after the name of a family.
#[derive(Debug)]
pub(super) enum Size {
    Nothing,
    /// A whole number, with its meaning.
    One(&'static str),
    /// Whole numbers, as in `4x5`.
    Sides,
}

/// An option of a family with its key and meaning. A family needs exactly one of its numbers.
#[derive(Debug)]
pub(super) enum Choice {
    Number(&'static str, &'static str),
    Count(&'static str, &'static str),
    /// `seed=`, by default 0.
    Seed,
    Flag(&'static str),
}

impl Choice {
    pub fn key(&self) -> &'static str {
        match self {
            Self::Number(key, _) | Self::Count(key, _) | Self::Flag(key) => key,
            Self::Seed => "seed=",
        }
    }

    /// Returns the meaning of a required number.
    pub fn needed(&self) -> Option<&'static str> {
        match self {
            Self::Number(_, what) | Self::Count(_, what) => Some(what),
            Self::Seed | Self::Flag(_) => None,
        }
    }
}

const NODES: Size = Size::One("number of nodes");

/// Makes a row of the table.
const fn family(
    name: &'static str,
    example: &'static str,
    description: &'static str,
    size: Size,
    options: &'static [Choice],
    build: fn(&FamilyMember) -> Result<Graph, GraphError>,
) -> Family {
    Family { name, example, description, size, options, build }
}

#[rustfmt::skip]
pub(super) static FAMILIES: [Family; 12] = [
    family("path", "path:5", "5 nodes in a line", NODES, &[], |member| families::path(member.size())),
    family("ring", "ring:8", "8 nodes in a circle, at least 3", NODES, &[], |member| families::ring(member.size())),
    family("complete", "complete:6", "6 nodes, all joined to each other", NODES, &[], |member| families::complete(member.size())),
    family("star", "star:7", "7 nodes: the centre, node 0, and 6 leaves", NODES, &[], |member| families::star(member.size())),
    family("grid", "grid:45x45", "a grid with these sides, of any dimension", Size::Sides, &[], |member| families::grid(&member.sizes)),
    family("torus", "torus:8x8x8", "a grid that closes on itself, sides at least 3", Size::Sides, &[], |member| families::torus(&member.sizes)),
    family(
        "hypercube", "hypercube:11", "the 2^11 bit strings of length 11, joined where one bit differs",
        Size::One("dimension"), &[], |member| families::hypercube(member.size()),
    ),
    family(
        "erdos-renyi", "erdos-renyi:2048:c=2:seed=1",
        "each pair is an edge with probability c ln n / n, or q with q=0.01; add :connected to draw until connected",
        NODES,
        &[
            Choice::Number("c=", "probability, as c= or q=,"), Choice::Number("q=", "probability q="),
            Choice::Seed, Choice::Flag("connected"),
        ],
        |member| {
            let (n, seed) = (member.size(), member.whole("seed="));
            let q = if member.has("q=") { member.number("q=") } else { scaled(member.number("c="), n)? };
            let connected = member.has("connected");
            if connected { families::erdos_renyi_connected(n, q, seed) } else { families::erdos_renyi(n, q, seed) }
        },
    ),
    family(
        "geometric", "geometric:2048:r=0.07:seed=3", "uniform points in the unit square, joined up to distance r",
        NODES, &[Choice::Number("r=", "radius r="), Choice::Seed],
        |member| families::geometric(member.size(), member.number("r="), member.whole("seed=")),
    ),
    family(
        "regular", "regular:1000:d=8:seed=1", "a random graph in which every node has degree d",
        NODES, &[Choice::Count("d=", "degree d="), Choice::Seed],
        |member| families::random_regular(member.size(), member.whole("d=") as usize, member.whole("seed=")),
    ),
    family("karate", "karate", "Zachary's karate club, 34 members", Size::Nothing, &[], |_| families::karate()),
    family("florentine", "florentine", "marriages between 15 Florentine families, by name", Size::Nothing, &[], |_| families::florentine()),
];

/// Returns the probability q = c ln n / n of an edge between two of n nodes, where c = 1 is the
/// threshold of connectivity, or [`GraphError::BadParameter`] if it is not in [0, 1].
fn scaled(c: f64, n: usize) -> Result<f64, GraphError> {
    if n == 0 {
        return Err(GraphError::Empty);
    }
    let threshold = libm::log(n as f64) / n as f64;
    let q = c * threshold;
    let makes_sense = c.is_finite() && c >= 0.0;
    if makes_sense && q <= 1.0 {
        return Ok(q);
    }
    let expected = if !makes_sense {
        "it is a finite number, at least 0".to_string()
    } else {
        let largest = 1.0 / threshold;
        format!("q = c ln n / n = {q} is above 1; with n = {n} take c up to {largest}")
    };
    Err(bad_parameter("erdos-renyi", "c", c, expected))
}

/// Returns the family with this name.
pub(super) fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// Returns a valid example of this family.
pub(super) fn example_of(name: &str) -> &'static str {
    named(name).map_or("", |family| family.example)
}

/// Lists the options of this family for a message.
pub(super) fn options_of(name: &str) -> String {
    let options = named(name).map_or(&[][..], |family| family.options);
    let keys: Vec<_> = options.iter().map(Choice::key).collect();
    if keys.is_empty() { "none".to_string() } else { keys.join(", ") }
}

/// All families, one per line, with examples.
pub(super) struct Families;

impl Display for Families {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = FAMILIES.iter().map(|family| family.example.len()).max();
        let width = width.unwrap_or(0);
        f.write_str("write one of")?;
        for family in &FAMILIES {
            write!(f, "\n  {:width$}  {}", family.example, family.description)?;
        }
        Ok(())
    }
}

/// Returns the family whose name is nearest to `name`, ignoring case, with at most two wrong
/// letters (one for names of four letters).
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let written: Vec<char> = name.to_lowercase().chars().take(32).collect();
    FAMILIES
        .iter()
        .map(|family| (edit_distance(&written, family.name), family.name))
        .filter(|&(distance, name)| distance <= if name.len() <= 4 { 1 } else { 2 })
        .min()
        .map(|(_, name)| name)
}

/// Returns the number of insertions, deletions, replacements and swaps of adjacent letters.
///
/// ```
/// let letters: Vec<char> = "cilnig".chars().collect();
/// assert_eq!(muffliato_model::edit_distance(&letters, "ceiling"), 2); // a letter and a swap
/// ```
pub fn edit_distance(written: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    // table[i][j] is the distance between the first i and the first j letters.
    let mut table = vec![vec![0; name.len() + 1]; written.len() + 1];
    for i in 0..=written.len() {
        for j in 0..=name.len() {
            if i == 0 || j == 0 {
                table[i][j] = i + j;
                continue;
            }
            let replaced = usize::from(written[i - 1] != name[j - 1]);
            let mut distance =
                (table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(table[i - 1][j - 1] + replaced);
            let swapped =
                i > 1 && j > 1 && written[i - 1] == name[j - 2] && written[i - 2] == name[j - 1];
            if swapped {
                distance = distance.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = distance;
        }
    }
    table[written.len()][name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphSpec;

    #[test]
    fn every_example_is_in_normal_form_and_builds() {
        for family in &FAMILIES {
            let spec: GraphSpec = family.example.parse().unwrap();
            assert_eq!(spec.to_string(), family.example);
            assert_eq!(family.example.split(':').next(), Some(family.name));
            assert!(spec.build().is_ok(), "{}", family.example);
        }
    }

    #[test]
    fn names_are_different_words_that_are_no_paths() {
        for (i, family) in FAMILIES.iter().enumerate() {
            assert!(!family.name.contains([':', '/', '.']));
            assert!(FAMILIES[..i].iter().all(|other| other.name != family.name));
        }
    }

    #[test]
    fn near_names_are_found() {
        for (written, name) in [
            ("Karate", Some("karate")),
            ("erdos_renyi", Some("erdos-renyi")),
            ("erdosrenyi", Some("erdos-renyi")),
            ("hypercubes", Some("hypercube")),
            ("gird", Some("grid")),
            ("pth", Some("path")),
            ("tours", Some("torus")),
            ("", None),
            ("cycle", None),
            ("expander", None),
        ] {
            assert_eq!(nearest(written), name, "{written}");
        }
    }

    #[test]
    fn c_is_a_multiple_of_the_threshold_of_connectivity() {
        let q = scaled;
        assert_eq!(q(2.0, 1), Ok(0.0));
        let expected = 2.0 * 2048_f64.ln() / 2048.0;
        assert!((q(2.0, 2048).unwrap() - expected).abs() < 1e-15);
        assert_eq!(q(2.0, 0), Err(GraphError::Empty));
        assert!(q(-1.0, 1).is_err());
        for (c, part) in [
            (f64::NAN, "a finite number, at least 0"),
            (f64::INFINITY, "a finite number, at least 0"),
            (-1.0, "a finite number, at least 0"),
            (5.0, "with n = 10 take c up to 4.3"),
        ] {
            let message = q(c, 10).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
