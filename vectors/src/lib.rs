//! Test vectors for privacy accounting of gossip protocols.
//!
//! `v1/*.json` hold questions with exact answers, one file a topic, for programs in any language; the README says how to use them.
//! [`files`] computes all of them from the exact engine alone, and [`FILES`] is what is on disk. [`conform`] asks another
//! program, and [`Grade`] says what its answers are worth.

mod exact;
pub mod form;
mod grade;
mod program;
mod topics;

pub use grade::{Grade, Graded, Report, grade};
pub use program::{ConformError, Program, conform, grade_all};
pub use topics::{files, schema};

use form::File;

/// Pairs topics with their files.
macro_rules! files {
    ($($topic:literal)*) => { [$(($topic, include_str!(concat!("../v1/", $topic, ".json")))),*] };
}

/// The topics on disk: the name of each, and its file.
pub const FILES: [(&str, &str); 18] = files!(
    "weights" "process" "one-shot" "refreshed" "masked" "plans" "training" "absorption" "participation"
    "coalitions" "groups" "views" "formulas" "conversions" "sampling" "grid" "certificates" "graph-files"
);

impl File {
    /// Reads all files on disk.
    ///
    /// # Errors
    /// If a file is not of the form that [`form`] describes.
    ///
    /// ```
    /// let files = muffliato_vectors::form::File::all()?;
    /// let case = files[2].cases.iter().find(|case| case.id == "one-shot/path:3/T2/0->2").unwrap();
    /// assert!(case.flags.contains(&"correlated-messages".into()));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn all() -> Result<Vec<Self>, serde_json::Error> {
        FILES.iter().map(|(_, text)| serde_json::from_str(text)).collect()
    }

    /// Writes the file as JSON, one case a line.
    ///
    /// # Errors
    /// If the file cannot be serialized.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let cases = self.cases.iter().map(serde_json::to_string);
        let cases = cases.collect::<Result<Vec<_>, _>>()?.join(",\n");
        let field = serde_json::to_string::<str>;
        Ok(format!(
            "{{\"version\":{},\"generator\":{},\"topic\":{},\"clause\":{},\n\"about\":{},\n\"cases\":[\n{cases}\n]}}\n",
            self.version,
            field(&self.generator)?,
            field(&self.topic)?,
            field(&self.clause)?,
            field(&self.about)?,
        ))
    }
}
