//! Paths of files among the texts of graphs.

use std::path::Path;

use super::{SpecError, family};
use crate::Graph;

/// The path of a graph's file, such that its text is not read as anything else.
///
/// ```
/// use muffliato_model::{FilePath, GraphSpec};
///
/// let file = FilePath::new("karate"); // a file, not the family
/// assert_eq!(file.text(), "./karate");
/// assert_eq!("./karate".parse(), Ok(GraphSpec::File(file)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePath(String);

impl FilePath {
    /// The path with this text. Where the text would be read as a family (`karate`,
    /// `path:5/x`) or as neither (`edges`), it gets the prefix `./`.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        if Self::is_path(&text) {
            Self(text)
        } else {
            Self(format!("./{text}"))
        }
    }

    /// Whether `text` is read as a path: the word before the first ':' is no family, and there
    /// is a '/' or a '.' in it.
    pub(super) fn is_path(text: &str) -> bool {
        let word = text.split(':').next().unwrap_or(text);
        family::named(word).is_none() && text.contains(['/', '.'])
    }

    /// The path as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The path.
    pub fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// The graph that the file holds.
    #[cfg(feature = "readers")]
    pub(super) fn read(&self) -> Result<Graph, SpecError> {
        Ok(crate::readers::read_file(self.as_path())?.graph)
    }

    /// An error that says how to have files read.
    #[cfg(not(feature = "readers"))]
    pub(super) fn read(&self) -> Result<Graph, SpecError> {
        Err(SpecError::ReadersNotEnabled {
            path: self.0.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphSpec;

    #[test]
    fn a_prefix_is_added_only_where_it_is_needed() {
        for (given, text) in [
            ("club.mtx", "club.mtx"),
            ("data/club", "data/club"),
            ("karate.txt", "karate.txt"),
            ("./karate", "./karate"),
            ("C:\\club.mtx", "C:\\club.mtx"),
            ("karate", "./karate"),
            ("edges", "./edges"),
            ("path:5/x", "./path:5/x"),
            ("grid:4.txt", "./grid:4.txt"),
            ("", "./"),
        ] {
            let path = FilePath::new(given);
            assert_eq!(path.text(), text);
            assert_eq!(path.as_path(), Path::new(text));
            let parsed: GraphSpec = text.parse().unwrap();
            assert_eq!(parsed, GraphSpec::File(path));
        }
    }

    #[cfg(not(feature = "readers"))]
    #[test]
    fn without_readers_the_error_names_the_feature() {
        let error = GraphSpec::File(FilePath::new("club.mtx")).build();
        let message = error.unwrap_err().to_string();
        assert_eq!(
            message,
            "club.mtx is a file, and this build reads none; \
             enable the feature `readers` of muffliato-model"
        );
    }
}
