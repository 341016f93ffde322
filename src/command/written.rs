//! Files that appear complete or not at all.

use super::interrupt;
use anyhow::Context;
use std::{
    fs::{self, OpenOptions},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes a file: first beside its place, then renamed to it. On an error or Ctrl-C what was there before stays.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let failed = || {
        format!(
            "cannot write {}; check the path and its permissions",
            path.display()
        )
    };
    let beside = beside(path).with_context(failed)?;
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create_new(true)
        .open(&beside)
        .with_context(failed)?;
    let unfinished = interrupt::unfinished_file(&beside);
    let mut buffer = BufWriter::new(file);
    content(&mut buffer)?;
    buffer.flush().with_context(failed)?;
    drop(buffer);
    unfinished
        .complete(|from| fs::rename(from, path))
        .with_context(failed)
}

/// A hidden name in the same folder, so that the rename stays on one file system.
fn beside(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("it has no file name")?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// `Err` unless the folder of `path` is there, before any work is done for it.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        anyhow::bail!("{} is a folder; give a file in it", path.display());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => return Ok(()),
    };
    if !folder.is_dir() {
        anyhow::bail!(
            "{}: there is no folder {}; make it first",
            path.display(),
            folder.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.txt");
        write_file(&path, |out| Ok(writeln!(out, "first")?)).unwrap();
        let failed = write_file(&path, |out| {
            writeln!(out, "second, and then")?;
            anyhow::bail!("the power went out")
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "first\n");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "no file beside it: {names:?}");
        assert!(check_folder(&folder.path().join("absent/result.txt")).is_err());
        assert!(check_folder(folder.path()).is_err());
    }
}
