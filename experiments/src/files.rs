//! Data of the paper's experiments: location, checksums, and substitutes.

use anyhow::{Context, bail};
use muffliato::command::data::{self, Examples};
use muffliato::io::read_file;
use muffliato::prelude::*;
use std::path::{Path, PathBuf};

/// Sources of the files, for `--help`.
pub const HELP: &str = "\
Data:
  facebook/*.edges   the ten ego networks of ego-Facebook (J. McAuley, J. Leskovec, 2012): facebook.tar.gz at
                     https://snap.stanford.edu/data/ego-Facebook.html; only the ten files NUMBER.edges are read
  houses.csv         California housing (R. K. Pace, R. Barry, 1997), eight features and the median house value last,
                     or houses.arff: https://www.openml.org/d/823, or the table at http://lib.stat.cmu.edu/datasets/
  They are looked for in --data, else in $MUFFLIATO_DATA, else in ../shared/data beside the project. Checksums (CRC-32, as of gzip -lv) are
  compared; a file that differs is used, with a note. Without them the built-in karate club and Florentine
  families stand for Facebook and a synthetic data set of the same shape for the houses; titles say so.
";

/// Environment variable that names the folder.
const VARIABLE: &str = "MUFFLIATO_DATA";

/// Ego networks and their checksums.
const EGO_NETWORKS: [(&str, u32); 10] = [
    ("1912", 0x1f36_43d0),
    ("107", 0x6456_ccfc),
    ("1684", 0xa7ce_79a2),
    ("3437", 0xf443_4468),
    ("348", 0xe506_dfc2),
    ("0", 0xbbc0_898b),
    ("414", 0xdc4e_11e0),
    ("686", 0xb273_b3b0),
    ("698", 0xb9c0_34ab),
    ("3980", 0x8a41_0e10),
];

/// Checksum of `houses.csv`.
const HOUSES: u32 = 0x07a1_c185;

/// Folder with the data, if there is one.
#[derive(Clone, Debug)]
pub struct DataFolder(Option<PathBuf>);

/// A graph with its names.
pub struct NamedGraph {
    /// Name for files.
    pub name: String,
    /// Name for titles; it says if the graph stands for a missing one.
    pub title: String,
    /// The giant component.
    pub graph: Graph,
}

impl DataFolder {
    /// Returns the requested folder, which must exist, or the first default folder that exists.
    ///
    /// # Errors
    ///
    /// Fails if the requested folder does not exist.
    pub fn find(asked: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(folder) = asked {
            if !folder.is_dir() {
                bail!(
                    "--data {}: no such folder; see `--help` for the sources of the data",
                    folder.display()
                );
            }
            return Ok(Self(Some(folder.to_owned())));
        }
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        let mut folders =
            named
                .into_iter()
                .chain([concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data").into()]);
        Ok(Self(folders.find(|folder| folder.is_dir())))
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let path = self.0.as_ref()?.join(name);
        path.is_file().then_some(path)
    }

    /// Returns the giant component of an ego network, if the data are available.
    pub fn ego_network(&self, number: &str) -> anyhow::Result<Option<Graph>> {
        let path = self.path(&format!("facebook/{number}.edges"));
        let graph = path.map(|path| anyhow::Ok(read_file(&path)?.graph.giant_component()?));
        graph.transpose()
    }

    /// Returns the giant components of the ego networks, 1912 first, or two small built-in graphs
    /// if the data are missing.
    pub fn ego_networks(&self, notes: &mut dyn FnMut(String)) -> anyhow::Result<Vec<NamedGraph>> {
        let mut found = Vec::new();
        for (number, checksum) in EGO_NETWORKS {
            let Some(path) = self.path(&format!("facebook/{number}.edges")) else {
                continue;
            };
            check(&path, checksum, notes)?;
            found.push(NamedGraph {
                name: number.to_string(),
                title: format!("Facebook {number}"),
                graph: read_file(&path)?.graph.giant_component()?,
            });
        }
        if !found.is_empty() {
            return Ok(found);
        }
        ["karate", "florentine"]
            .into_iter()
            .map(|name| {
                Ok(NamedGraph {
                    name: name.to_string(),
                    title: format!("{name}, in place of Facebook"),
                    graph: name.parse::<GraphSpec>()?.build()?.giant_component()?,
                })
            })
            .collect()
    }

    /// Returns the examples, split by the seed, and their name.
    pub fn houses(
        &self,
        seed: u64,
        notes: &mut dyn FnMut(String),
    ) -> anyhow::Result<(Examples, &'static str)> {
        let names = ["houses.csv", "houses.arff"];
        let Some(path) = names.into_iter().find_map(|name| self.path(name)) else {
            return Ok((
                data::examples("synthetic:20640x8", seed)?,
                "synthetic data in place of the houses",
            ));
        };
        if path.extension().is_some_and(|ending| ending == "csv") {
            check(&path, HOUSES, notes)?;
        }
        let name = path.to_str().context("the path of the data is not valid UTF-8")?;
        Ok((data::examples(name, seed)?, "California housing"))
    }
}

/// Adds a note if the checksum differs.
fn check(path: &Path, expected: u32, notes: &mut dyn FnMut(String)) -> anyhow::Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let found = crc32fast::hash(&bytes);
    if found != expected {
        notes(format!(
            "{}: its checksum is {found:08x}, not {expected:08x}; results may differ",
            path.display()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitutes_for_missing_data_are_named() {
        let nowhere = DataFolder(None);
        let graphs = nowhere.ego_networks(&mut |_| ()).unwrap();
        assert!(graphs.iter().all(|graph| graph.title.contains("in place of")));
        let (examples, name) = nowhere.houses(1, &mut |_| ()).unwrap();
        let rows = examples.training_labels.len() + examples.testing_labels.len();
        assert_eq!((rows, examples.dimension), (20640, 9));
        assert!(name.contains("in place of"));
    }

    #[test]
    fn other_files_are_noted_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(DataFolder::find(Some(&folder.path().join("absent"))).is_err());
        let rows: String = (0..40).map(|k| format!("{k},{}\n", k % 7)).collect();
        std::fs::write(folder.path().join("houses.csv"), rows).unwrap();
        std::fs::create_dir(folder.path().join("facebook")).unwrap();
        std::fs::write(folder.path().join("facebook/698.edges"), "1 2\n2 3\n9 8\n").unwrap();
        let data = DataFolder::find(Some(folder.path())).unwrap();
        let mut notes = Vec::new();
        data.houses(1, &mut |note| notes.push(note)).unwrap();
        let graphs = data.ego_networks(&mut |note| notes.push(note)).unwrap();
        assert_eq!((graphs.len(), graphs[0].graph.nodes()), (1, 3));
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].contains("checksum"));
    }
}
