//! Results of an experiment: tables, pictures and findings, and how they are written.

use anyhow::Context;
use muffliato::command::{atomic_file::write_file, output::write_csv};
use muffliato::plot::{Picture, PictureFormat};
use std::path::Path;

/// Folder of the files of all experiments, inside the one that the user names.
pub const FOLDER: &str = "results";

/// A finding: what the paper claims or what was measured, and what the tables say.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The claim or the subject, paraphrased.
    subject: String,
    /// `true` if the paper claims it.
    claimed: bool,
    pub found: String,
}

/// A picture with a caption.
#[derive(Clone, Debug)]
pub struct Plate {
    /// File name without extension.
    pub name: String,
    pub caption: String,
    pub picture: Picture,
}

/// A table of numbers.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// File name without extension.
    pub name: String,
    /// Names of the columns, separated by commas.
    pub head: &'static str,
    pub rows: Vec<Vec<String>>,
}

/// Everything that an experiment shows.
#[derive(Clone, Debug)]
pub struct Exhibit {
    /// Subject and data.
    pub title: String,
    pub method: String,
    pub sheets: Vec<Sheet>,
    pub plates: Vec<Plate>,
    pub findings: Vec<Finding>,
}

/// Formats the cells of a row; `; cells` appends an iterator of displayable cells.
macro_rules! row {
    ($($cell:expr),* $(,)? $(; $more:expr)?) => {{
        let cells = [$($cell.to_string()),*].into_iter();
        $(let cells = cells.chain($more.into_iter().map(|cell| cell.to_string()));)?
        cells.collect::<Vec<String>>()
    }};
}
pub(crate) use row;

impl Sheet {
    /// Creates an empty table.
    pub fn new(name: impl Into<String>, head: &'static str) -> Self {
        Self { name: name.into(), head, rows: Vec::new() }
    }

    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl Plate {
    pub fn new(name: &str, caption: impl Into<String>, picture: impl Into<Picture>) -> Self {
        Self { name: name.into(), caption: caption.into(), picture: picture.into() }
    }

    /// Describes the picture for those who do not see it.
    pub fn described(&self) -> String {
        let kind = match &self.picture {
            Picture::Lines(_) => "Line chart",
            Picture::Multiples(_) => "Line charts",
            Picture::Bars(_) => "Bar chart",
            Picture::Histogram(_) => "Histogram",
            Picture::Graph(_) => "Drawing of a graph, nodes coloured by loss",
        };
        format!("{kind}. {}", self.picture.title())
    }
}

/// Size in bytes above which a drawing is kept only as PNG.
const LARGEST_SVG: usize = 64 << 10;

impl Finding {
    /// Creates a finding about a claim of the paper.
    pub fn claimed(claim: impl Into<String>, found: impl Into<String>) -> Self {
        Self { subject: claim.into(), claimed: true, found: found.into() }
    }

    /// Creates a finding about something that the paper does not discuss.
    pub fn measured(subject: impl Into<String>, found: impl Into<String>) -> Self {
        Self { claimed: false, ..Self::claimed(subject, found) }
    }

    /// Returns the claim and the finding, labelled unless the paper claims nothing.
    pub fn lines(&self) -> [String; 2] {
        if self.claimed {
            [format!("Claimed: {}", self.subject), format!("Found: {}", self.found)]
        } else {
            [self.subject.clone(), self.found.clone()]
        }
    }
}

impl Exhibit {
    /// Writes all files into `folder`, pictures after tables; each appears complete or not at all.
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

/// Creates the folder for the files.
pub fn prepare(out: &Path) -> anyhow::Result<std::path::PathBuf> {
    let folder = out.join(FOLDER);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(folder)
}
