//! The textual form of a graph.

mod error;
mod family;
mod file_path;
mod parameters;
mod parse;
#[cfg(test)]
mod round_trip;

pub use error::SpecError;
pub use family::Family;
pub use file_path::FilePath;
pub use parameters::{EdgeProbability, Sides};

use std::fmt::{self, Display, Formatter};

use crate::{Graph, families};

/// Which graph: a member of a family, or a file. This is the one textual form of a graph,
/// printed by `Display` and read by `FromStr`.
///
/// Parsing what is printed gives the same value, for every value without a NaN; printing what
/// was parsed gives the normal form (options in a fixed order, the seed always there). Parsing
/// does not look at the file system and does not check sizes; [`GraphSpec::build`] does.
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
    /// `path:5`, [`families::path`].
    Path {
        /// The number of nodes.
        nodes: usize,
    },
    /// `ring:8`, [`families::ring`].
    Ring {
        /// The number of nodes.
        nodes: usize,
    },
    /// `complete:6`, [`families::complete`].
    Complete {
        /// The number of nodes.
        nodes: usize,
    },
    /// `star:7`, [`families::star`].
    Star {
        /// The number of nodes, the centre included.
        nodes: usize,
    },
    /// `grid:45x45`, [`families::grid`].
    Grid {
        /// The number of nodes along each direction.
        sides: Sides,
    },
    /// `torus:8x8x8`, [`families::torus`].
    Torus {
        /// The number of nodes along each direction.
        sides: Sides,
    },
    /// `hypercube:11`, [`families::hypercube`].
    Hypercube {
        /// The length of the bit strings that are the nodes.
        dimension: usize,
    },
    /// `erdos-renyi:2048:c=2:seed=1`, [`families::erdos_renyi`]; with the flag `connected`,
    /// [`families::erdos_renyi_connected`].
    ErdosRenyi {
        /// The number of nodes.
        nodes: usize,
        /// How likely an edge is.
        probability: EdgeProbability,
        /// The seed of the random stream.
        seed: u64,
        /// Whether to draw until the graph is connected.
        connected: bool,
    },
    /// `geometric:2048:r=0.07:seed=3`, [`families::geometric`].
    Geometric {
        /// The number of nodes.
        nodes: usize,
        /// The largest distance at which nodes are joined.
        radius: f64,
        /// The seed of the random stream.
        seed: u64,
    },
    /// `regular:1000:d=8:seed=1`, [`families::random_regular`].
    Regular {
        /// The number of nodes.
        nodes: usize,
        /// The degree of every node.
        degree: usize,
        /// The seed of the random stream.
        seed: u64,
    },
    /// `karate`, [`families::karate`].
    Karate,
    /// `florentine`, [`families::florentine`].
    Florentine,
    /// A file's path, such as `./club.mtx`.
    File(FilePath),
}

impl GraphSpec {
    /// Every family with an example and a description, in the order in which help lists them.
    pub fn families() -> &'static [Family] {
        &family::FAMILIES
    }

    /// The graph. [`SpecError::Graph`] if its parameters make no sense or it is too large; a
    /// file is read if the crate has its feature `readers`, and otherwise is
    /// [`SpecError::ReadersNotEnabled`].
    ///
    /// ```
    /// use muffliato_model::{GraphSpec, SpecError};
    ///
    /// let torus = "torus:4x5".parse::<GraphSpec>()?.build()?;
    /// assert_eq!((torus.nodes(), torus.edge_count()), (20, 40));
    /// assert!(matches!("ring:2".parse::<GraphSpec>()?.build(), Err(SpecError::Graph(_))));
    /// # Ok::<(), SpecError>(())
    /// ```
    pub fn build(&self) -> Result<Graph, SpecError> {
        let graph = match self {
            Self::Path { nodes } => families::path(*nodes),
            Self::Ring { nodes } => families::ring(*nodes),
            Self::Complete { nodes } => families::complete(*nodes),
            Self::Star { nodes } => families::star(*nodes),
            Self::Grid { sides } => families::grid(sides.lengths()),
            Self::Torus { sides } => families::torus(sides.lengths()),
            Self::Hypercube { dimension } => families::hypercube(*dimension),
            Self::ErdosRenyi {
                nodes,
                probability,
                seed,
                connected,
            } => {
                let draw = if *connected {
                    families::erdos_renyi_connected
                } else {
                    families::erdos_renyi
                };
                draw(*nodes, probability.of_an_edge(*nodes)?, *seed)
            }
            Self::Geometric {
                nodes,
                radius,
                seed,
            } => families::geometric(*nodes, *radius, *seed),
            Self::Regular {
                nodes,
                degree,
                seed,
            } => families::random_regular(*nodes, *degree, *seed),
            Self::Karate => families::karate(),
            Self::Florentine => families::florentine(),
            Self::File(path) => return path.read(),
        };
        Ok(graph?)
    }
}

impl std::str::FromStr for Graph {
    type Err = SpecError;

    /// The graph that a text describes: [`GraphSpec::build`] of the parsed text.
    ///
    /// ```
    /// use muffliato_model::Graph;
    ///
    /// assert_eq!("hypercube:4".parse::<Graph>()?.nodes(), 16);
    /// # Ok::<(), muffliato_model::SpecError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, SpecError> {
        text.parse::<GraphSpec>()?.build()
    }
}

impl Display for GraphSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path { nodes } => write!(f, "path:{nodes}"),
            Self::Ring { nodes } => write!(f, "ring:{nodes}"),
            Self::Complete { nodes } => write!(f, "complete:{nodes}"),
            Self::Star { nodes } => write!(f, "star:{nodes}"),
            Self::Grid { sides } => write!(f, "grid:{sides}"),
            Self::Torus { sides } => write!(f, "torus:{sides}"),
            Self::Hypercube { dimension } => write!(f, "hypercube:{dimension}"),
            Self::ErdosRenyi {
                nodes,
                probability,
                seed,
                connected,
            } => {
                write!(f, "erdos-renyi:{nodes}:{probability}:seed={seed}")?;
                f.write_str(if *connected { ":connected" } else { "" })
            }
            Self::Geometric {
                nodes,
                radius,
                seed,
            } => write!(f, "geometric:{nodes}:r={radius}:seed={seed}"),
            Self::Regular {
                nodes,
                degree,
                seed,
            } => write!(f, "regular:{nodes}:d={degree}:seed={seed}"),
            Self::Karate => f.write_str("karate"),
            Self::Florentine => f.write_str("florentine"),
            Self::File(path) => f.write_str(path.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "erdos-renyi:50:q=0.1:seed=2",
                families::erdos_renyi(50, 0.1, 2),
            ),
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
}
