//! What an experiment shows: tables, pictures and what was found; and the one way in which it is written.

use anyhow::Context;
use muffliato::command::{atomic_file::write_file, output::write_csv};
use muffliato::plot::{Picture, PictureFormat};
use std::path::Path;

/// The folder of all files of experiments, inside the one that the user names.
pub const FOLDER: &str = "results";

/// A result in words: what the paper claims about something, or what was measured, and what the numbers in the tables say.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The claim or the subject, in our own words.
    subject: String,
    /// Whether the paper claims it.
    claimed: bool,
    /// What the numbers in the tables say.
    pub found: String,
}

/// A picture with its name and its caption.
#[derive(Clone, Debug)]
pub struct Plate {
    /// The name of its files, without an ending.
    pub name: String,
    /// What is to be seen.
    pub caption: String,
    /// The picture.
    pub picture: Picture,
}

/// Numbers, one line an entry.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The name of its file, without an ending.
    pub name: String,
    /// The names of the columns, separated by commas.
    pub head: &'static str,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// All that an experiment shows.
#[derive(Clone, Debug)]
pub struct Exhibit {
    /// What it is about, and what the data were.
    pub title: String,
    /// How it was made.
    pub method: String,
    /// All numbers.
    pub sheets: Vec<Sheet>,
    /// The pictures.
    pub plates: Vec<Plate>,
    /// Claim by claim.
    pub findings: Vec<Finding>,
}

impl Sheet {
    /// A table without rows.
    pub fn new(name: impl Into<String>, head: &'static str) -> Self {
        Self {
            name: name.into(),
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl Plate {
    /// A picture and its caption.
    pub fn new(name: &str, caption: impl Into<String>, picture: impl Into<Picture>) -> Self {
        Self {
            name: name.into(),
            caption: caption.into(),
            picture: picture.into(),
        }
    }
}

/// Larger drawings, of many edges or points, are kept as PNG alone.
const LARGEST_SVG: usize = 400_000;

impl Finding {
    /// Creates a finding about a claim of the paper.
    pub fn claimed(claim: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            subject: claim.into(),
            claimed: true,
            found: found.into(),
        }
    }

    /// Creates a finding about something that the paper does not speak of.
    pub fn measured(subject: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            claimed: false,
            ..Self::claimed(subject, found)
        }
    }

    /// Returns the claim and the finding, each with a word that says which is which; without such words where the paper claims nothing.
    pub fn lines(&self) -> [String; 2] {
        if self.claimed {
            [
                format!("Claimed: {}", self.subject),
                format!("Found: {}", self.found),
            ]
        } else {
            [self.subject.clone(), self.found.clone()]
        }
    }
}

impl Exhibit {
    /// Writes all files into `folder`; each appears complete or not at all, the pictures after the numbers.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let mut pictures = Vec::new();
        for plate in &self.plates {
            let path = |ending: &str| folder.join(format!("{}.{ending}", plate.name));
            let svg = plate.picture.encode(PictureFormat::Svg)?;
            if svg.len() <= LARGEST_SVG {
                pictures.push((path("svg"), svg));
            }
            pictures.push((path("png"), plate.picture.encode(PictureFormat::Png)?));
        }
        for sheet in &self.sheets {
            write_file(&folder.join(format!("{}.csv", sheet.name)), |out| {
                write_csv(out, sheet.head, &sheet.rows)
            })?;
        }
        for (path, bytes) in pictures {
            write_file(&path, |out| Ok(out.write_all(&bytes)?))?;
        }
        Ok(())
    }
}

/// Makes the folder for the files.
pub fn prepare(out: &Path) -> anyhow::Result<std::path::PathBuf> {
    let folder = out.join(FOLDER);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(folder)
}
