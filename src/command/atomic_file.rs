//! Files that are written completely or not at all.

use super::{interrupt, output};
use anyhow::Context;
use std::{
    fs::{self, OpenOptions},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The files that were saved, of which the session tells at the end.
static SAVED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Writes a file that the user asked for, as [`write_file`] does.
pub fn save(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    write_file(path, content)?;
    if path.is_file() {
        SAVED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
    }
    Ok(())
}

/// Writes a text and a line break to a file that the user asked for.
pub fn save_text(path: &Path, text: &str) -> anyhow::Result<()> {
    save(path, |out| Ok(writeln!(out, "{text}")?))
}

/// Returns the files that were saved since the last call.
pub fn saved() -> Vec<PathBuf> {
    std::mem::take(&mut SAVED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Writes a file under a temporary name and renames it. On an error or Ctrl-C the old content
/// stays. Symbolic links are followed, and the file they point to is replaced. A device or a pipe
/// is written to directly.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}; check the path and its permissions", path.display());
    if path == Path::new("/dev/stdout") {
        return output::print(content);
    }
    let mut options = OpenOptions::new();
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        let there = options.write(true).open(path).with_context(failed)?;
        let mut buffer = BufWriter::new(there);
        content(&mut buffer).with_context(failed)?;
        return buffer.flush().with_context(failed);
    }
    let path = &follow_links(path).with_context(failed)?;
    let temporary = temporary_path(path).with_context(failed)?;
    let file = options.write(true).create_new(true).open(&temporary).with_context(failed)?;
    let unfinished = interrupt::unfinished_file(&temporary);
    let mut buffer = BufWriter::new(file);
    content(&mut buffer)?;
    buffer.flush().with_context(failed)?;
    drop(buffer);
    unfinished.complete(|from| fs::rename(from, path)).with_context(failed)
}

/// Follows symbolic links, to a target that need not exist.
fn follow_links(path: &Path) -> anyhow::Result<PathBuf> {
    /// The limit of common operating systems.
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            Ok(target) => place = place.with_file_name("").join(target),
            Err(_) => return Ok(place),
        }
    }
    anyhow::bail!("it leads through more than {MOST_LINKS} symbolic links")
}

/// Returns a hidden name in the same folder, so that the rename stays on one file system.
fn temporary_path(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().context("it has no file name")?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// Fails if the folder of `path` does not exist. Called before any work is done.
pub fn check_folder(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        anyhow::bail!("{} is a folder; give a file in it", path.display());
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => return Ok(()),
    };
    if !folder.is_dir() {
        anyhow::bail!("{}: there is no folder {}; make it first", path.display(), folder.display());
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

    #[cfg(unix)]
    #[test]
    fn links_stay_and_the_file_that_they_lead_to_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("there")).unwrap();
        fs::write(at("there/old.txt"), "old").unwrap();
        for (file, link) in [("old.txt", "first"), ("new.txt", "second")] {
            symlink(format!("there/{file}"), at("hop")).unwrap();
            symlink(at("hop"), at(link)).unwrap();
            write_file(&at(link), |out| Ok(writeln!(out, "{link}")?)).unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
            let path = at("there").join(file);
            assert!(fs::symlink_metadata(&path).unwrap().is_file());
            assert_eq!(fs::read_to_string(path).unwrap(), format!("{link}\n"));
            fs::remove_file(at("hop")).unwrap();
        }
        symlink(at("circle"), at("circle")).unwrap();
        assert!(write_file(&at("circle"), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_written_to_and_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let is_pipe = || fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo();
        // The reader exists from the start, so the writer never blocks.
        let mut ends = OpenOptions::new();
        let mut reader = ends.read(true).write(true).open(&pipe).unwrap();
        write_file(&pipe, |out| Ok(write!(out, "result")?)).unwrap();
        assert!(is_pipe());
        let mut heard = [0; 6];
        std::io::Read::read_exact(&mut reader, &mut heard).unwrap();
        assert_eq!(&heard, b"result");
        let failed = write_file(&pipe, |_| anyhow::bail!("the power went out"));
        assert!(failed.is_err() && is_pipe());
    }
}
