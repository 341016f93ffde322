//! Input of limited size.

use anyhow::{Context, bail};
use std::{fs::File, io::Read, path::Path};

/// Reads a text file of at most `limit` bytes.
pub fn text_file(path: &Path, limit: u64) -> anyhow::Result<String> {
    let name = path.display().to_string();
    let file =
        File::open(path).with_context(|| format!("{name}: cannot be read; check the path"))?;
    String::from_utf8(bounded(file, limit, &name)?)
        .with_context(|| format!("{name}: not a text file"))
}

/// Reads all of `source`, called `name` in errors.
///
/// # Errors
///
/// Fails if there are more than `limit` bytes.
pub fn bounded(source: impl Read, limit: u64, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .with_context(|| format!("{name}: cannot be read"))?;
    if bytes.len() as u64 > limit {
        bail!("{name}: it has more than {limit} bytes; give a smaller file");
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_refused_and_never_cut() {
        assert_eq!(bounded(&b"abc"[..], 3, "a").unwrap(), b"abc");
        let endless = bounded(std::io::repeat(b'1'), 3, "the tape").unwrap_err();
        assert_eq!(endless.to_string(), "the tape: it has more than 3 bytes; give a smaller file");
    }
}
