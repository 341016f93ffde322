//! The error of the readers.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

use muffliato_model::{GraphError, WeightError};

/// An error of a reader: the problem, its place and the remedy. As text: `club.csv: line 3: problem; remedy`.
///
/// ```
/// use muffliato_io::{ErrorKind, Format, Place, read};
///
/// let error = read(Format::EdgeList, b"0 1\n1 \xff\n").unwrap_err();
/// assert_eq!((error.kind, error.place), (ErrorKind::Content, Some(Place::Column { line: 2, column: 3 })));
/// assert_eq!(error.to_string(), "line 2, column 3: byte 0xff is not UTF-8; save the file as UTF-8 text");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// The kind of the problem.
    pub kind: ErrorKind,
    /// The file, if it is known.
    pub path: Option<PathBuf>,
    /// The place of the problem, if it is in one place.
    pub place: Option<Place>,
    /// The problem.
    pub problem: String,
    /// The remedy.
    pub remedy: Cow<'static, str>,
}

/// A kind of [`ReadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file could not be opened or read.
    Io,
    /// The file, what it unpacks to, or the graph is too large.
    TooLarge,
    /// The file is in a format that is not read.
    NotRead,
    /// The file can be read in two ways; an option tells which.
    Unclear,
    /// The graph is directed.
    Directed,
    /// The content does not follow the format.
    Content,
    /// The weights are missing, or do not fit the graph.
    Weights,
}

/// A place in a file. As text: `line 3`, `line 3, column 5`, `link 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This line, counted from 1.
    Line(usize),
    /// This byte of a line, both counted from 1.
    Column {
        /// The line.
        line: usize,
        /// The byte.
        column: usize,
    },
    /// This entry of a list of links, counted from 0.
    Link(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Column { line, column } => write!(f, "line {line}, column {column}"),
            Self::Link(link) => write!(f, "link {link}"),
        }
    }
}

impl ReadError {
    pub(crate) fn new(
        kind: ErrorKind,
        problem: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { kind, path: None, place: None, problem: problem.into(), remedy: remedy.into() }
    }

    /// Returns an error of the content of a line.
    pub(crate) fn line(
        line: usize,
        problem: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(ErrorKind::Content, problem, remedy).at(Place::Line(line))
    }

    /// Returns an error of a line in which `found` stands where something else should.
    pub(crate) fn found(line: usize, found: &str, remedy: impl Into<Cow<'static, str>>) -> Self {
        Self::line(line, format!("found {:?}", excerpt(found)), remedy)
    }

    /// Returns the error of a format that is not read.
    pub(crate) fn not_read(looks_like: &str, remedy: &'static str) -> Self {
        let problem = format!("this looks like {looks_like}, which is not read");
        Self::new(ErrorKind::NotRead, problem, remedy)
    }

    /// Returns the error of a file that could be in two formats.
    pub(crate) fn two_formats(first: &str, second: &str) -> Self {
        let problem = format!("this could be {first} or {second}");
        let remedy = "say which with the format (--graph-format on the command line)";
        Self::new(ErrorKind::Unclear, problem, remedy)
    }

    /// Returns the error of a directed graph; `what` says so.
    pub(crate) fn directed(what: &str) -> Self {
        Self::new(
            ErrorKind::Directed,
            format!("{what} says that edges are directed, and gossip needs an undirected graph"),
            "convert it, e.g. with to_undirected() of networkx",
        )
    }

    /// Returns the error of something that a simple graph has no place for.
    pub(crate) fn not_simple(line: usize, what: &str) -> Self {
        let remedy = "give one graph of nodes and edges between two nodes";
        Self::line(line, format!("{what} are not read"), remedy)
    }

    pub(crate) fn no_nodes() -> Self {
        let remedy = "give a graph with at least one";
        Self::new(ErrorKind::Content, "the file names no nodes", remedy)
    }

    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Wraps the message of another error, which has its own remedy.
    fn wrapping(kind: ErrorKind, message: &str) -> Self {
        let (problem, remedy) = message.split_once("; ").unwrap_or((message, ""));
        Self::new(kind, problem, remedy.to_owned())
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.problem)?;
        match &*self.remedy {
            "" => Ok(()),
            remedy => write!(f, "; {remedy}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<GraphError> for ReadError {
    fn from(error: GraphError) -> Self {
        Self::wrapping(ErrorKind::TooLarge, &error.to_string())
    }
}

impl From<WeightError> for ReadError {
    fn from(error: WeightError) -> Self {
        Self::wrapping(ErrorKind::Weights, &error.to_string())
    }
}

impl From<muffliato_model::graph6::Graph6Error> for ReadError {
    fn from(error: muffliato_model::graph6::Graph6Error) -> Self {
        Self::wrapping(ErrorKind::Content, &error.to_string())
    }
}

/// Returns the first 60 characters of a text, for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 60;
    let mut rest = text.chars();
    let mut beginning: String = rest.by_ref().take(LENGTH).collect();
    if rest.next().is_some() {
        beginning.push('…');
    }
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_shortened_by_characters() {
        assert_eq!(excerpt("ä b"), "ä b");
        let long = excerpt(&"ä".repeat(61));
        assert_eq!(long, "ä".repeat(60) + "…");
    }
}
