//! The table of families: from it come parsing, error messages and the command's help.

use std::fmt::{self, Display, Formatter};

use super::parse::Parameters;
use super::{EdgeProbability, GraphSpec, SpecError};

/// A graph family, as help and error messages show it.
///
/// ```
/// use muffliato_model::GraphSpec;
///
/// let ring = GraphSpec::families().iter().find(|family| family.name == "ring").unwrap();
/// assert_eq!(ring.example, "ring:8");
/// assert_eq!(ring.example.parse(), Ok(GraphSpec::Ring { nodes: 8 }));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Family {
    /// The word before the first ':'.
    pub name: &'static str,
    /// A text that parses and builds.
    pub example: &'static str,
    /// One line, without a full stop.
    pub description: &'static str,
    /// What the part after the name is, if there is one.
    pub(super) size: Option<&'static str>,
    /// What may follow: `name=` with a value, or a flag.
    pub(super) options: &'static [&'static str],
    pub(super) parse: fn(&Parameters<'_>) -> Result<GraphSpec, SpecError>,
}

const NODES: Option<&str> = Some("number of nodes");
const SIDES: Option<&str> = Some("list of sides");

pub(super) static FAMILIES: [Family; 12] = [
    Family {
        name: "path",
        example: "path:5",
        description: "5 nodes in a line",
        size: NODES,
        options: &[],
        parse: |text| text.size().map(|nodes| GraphSpec::Path { nodes }),
    },
    Family {
        name: "ring",
        example: "ring:8",
        description: "8 nodes in a circle, at least 3",
        size: NODES,
        options: &[],
        parse: |text| text.size().map(|nodes| GraphSpec::Ring { nodes }),
    },
    Family {
        name: "complete",
        example: "complete:6",
        description: "6 nodes, all joined to each other",
        size: NODES,
        options: &[],
        parse: |text| text.size().map(|nodes| GraphSpec::Complete { nodes }),
    },
    Family {
        name: "star",
        example: "star:7",
        description: "7 nodes: the centre, node 0, and 6 leaves",
        size: NODES,
        options: &[],
        parse: |text| text.size().map(|nodes| GraphSpec::Star { nodes }),
    },
    Family {
        name: "grid",
        example: "grid:45x45",
        description: "a grid with these sides, of any dimension",
        size: SIDES,
        options: &[],
        parse: |text| text.sides().map(|sides| GraphSpec::Grid { sides }),
    },
    Family {
        name: "torus",
        example: "torus:8x8x8",
        description: "a grid that closes on itself, sides at least 3",
        size: SIDES,
        options: &[],
        parse: |text| text.sides().map(|sides| GraphSpec::Torus { sides }),
    },
    Family {
        name: "hypercube",
        example: "hypercube:11",
        description: "the 2^11 bit strings of length 11, joined where one bit differs",
        size: Some("dimension"),
        options: &[],
        parse: |text| {
            text.size()
                .map(|dimension| GraphSpec::Hypercube { dimension })
        },
    },
    Family {
        name: "erdos-renyi",
        example: "erdos-renyi:2048:c=2:seed=1",
        description: "each pair is an edge with probability c ln n / n, or q with q=0.01; \
                      add :connected to draw until connected",
        size: NODES,
        options: &["c=", "q=", "seed=", "connected"],
        parse: |text| {
            Ok(GraphSpec::ErdosRenyi {
                nodes: text.size()?,
                probability: edge_probability(text)?,
                seed: text.seed()?,
                connected: text.has("connected"),
            })
        },
    },
    Family {
        name: "geometric",
        example: "geometric:2048:r=0.07:seed=3",
        description: "uniform points in the unit square, joined up to distance r",
        size: NODES,
        options: &["r=", "seed="],
        parse: |text| {
            Ok(GraphSpec::Geometric {
                nodes: text.size()?,
                radius: text.required_number("r=", "radius r=")?,
                seed: text.seed()?,
            })
        },
    },
    Family {
        name: "regular",
        example: "regular:1000:d=8:seed=1",
        description: "a random graph in which every node has degree d",
        size: NODES,
        options: &["d=", "seed="],
        parse: |text| {
            Ok(GraphSpec::Regular {
                nodes: text.size()?,
                degree: text.required_count("d=", "degree d=")?,
                seed: text.seed()?,
            })
        },
    },
    Family {
        name: "karate",
        example: "karate",
        description: "Zachary's karate club, 34 members",
        size: None,
        options: &[],
        parse: |_| Ok(GraphSpec::Karate),
    },
    Family {
        name: "florentine",
        example: "florentine",
        description: "marriages between 15 Florentine families, by name",
        size: None,
        options: &[],
        parse: |_| Ok(GraphSpec::Florentine),
    },
];

fn edge_probability(text: &Parameters<'_>) -> Result<EdgeProbability, SpecError> {
    match (text.has("c="), text.has("q=")) {
        (true, true) => Err(SpecError::Conflict {
            family: text.family.name,
            first: "c=",
            second: "q=",
        }),
        (false, true) => Ok(EdgeProbability::Given {
            q: text.required_number("q=", "probability q=")?,
        }),
        _ => Ok(EdgeProbability::Scaled {
            c: text.required_number("c=", "probability, as c= or q=,")?,
        }),
    }
}

/// The family with this name.
pub(super) fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| family.name == name)
}

/// A text of this family that parses.
pub(super) fn example_of(name: &str) -> &'static str {
    named(name).map_or("", |family| family.example)
}

/// The options of this family, for a message.
pub(super) fn options_of(name: &str) -> String {
    match named(name).map_or(&[][..], |family| family.options) {
        [] => "none".to_string(),
        options => options.join(", "),
    }
}

/// All families, one to a line, with examples.
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

/// The family whose name is nearest to `name`, if no more than two letters are wrong (one for
/// the names with four letters). Upper and lower case are the same here.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let written: Vec<char> = name.to_lowercase().chars().take(32).collect();
    FAMILIES
        .iter()
        .map(|family| (edit_distance(&written, family.name), family.name))
        .filter(|&(distance, name)| distance <= if name.len() <= 4 { 1 } else { 2 })
        .min()
        .map(|(_, name)| name)
}

/// How many letters must be inserted, left out, replaced, or swapped with the next one.
fn edit_distance(written: &[char], name: &str) -> usize {
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
            let mut distance = (table[i - 1][j] + 1)
                .min(table[i][j - 1] + 1)
                .min(table[i - 1][j - 1] + replaced);
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
    fn edit_distances() {
        let distance = |a: &str, b| edit_distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(distance("", "grid"), 4);
        assert_eq!(distance("grid", ""), 4);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("gird", "grid"), 1);
    }
}
