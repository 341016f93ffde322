//! Files compressed by gzip.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::{ErrorKind, MAX_FILE_BYTES, ReadError};

/// Number of bytes to which a file may unpack however short it is.
const SHORT: u64 = 16 << 20;
/// Largest ratio of the unpacked to the packed size of a longer file.
const RATIO: u64 = 100;

/// Returns the bytes, unpacked if they are gzip: at most 16 MiB or 100 times as many.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(bytes.into());
    }
    let packed = bytes.len();
    let limit = (packed as u64).saturating_mul(RATIO).clamp(SHORT, MAX_FILE_BYTES);
    let mut text = Vec::new();
    let mut beginning = MultiGzDecoder::new(bytes).take(limit + 1);
    let read = beginning.read_to_end(&mut text);
    read.map_err(|error| {
        let problem = format!("the compressed file is damaged ({error})");
        ReadError::new(ErrorKind::Content, problem, "compress it again with gzip")
    })?;
    if text.len() as u64 > limit {
        let problem = format!("the file has {packed} bytes and unpacks to more than {limit}");
        let remedy = "unpack it yourself if it is what it should be";
        return Err(ReadError::new(ErrorKind::TooLarge, problem, remedy));
    }
    if text.starts_with(b"\x1f\x8b") {
        let remedy = "unpack it once";
        return Err(ReadError::not_read("a file that gzip compressed twice", remedy));
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        assert_eq!(unpacked(b"0 1\n").unwrap(), &b"0 1\n"[..]);
        let mut two = packed(b"0 1\n");
        two.extend(packed(b"1 2\n"));
        assert_eq!(unpacked(&two).unwrap(), &b"0 1\n1 2\n"[..]);
    }

    #[test]
    fn bombs_and_damaged_files_are_refused() {
        let bomb = packed(&vec![b'0'; (SHORT + 1) as usize]);
        assert!(bomb.len() < 100_000);
        let kind = |bytes: &[u8]| unpacked(bytes).map_err(|error| error.kind).map(drop);
        assert_eq!(kind(&bomb), Err(ErrorKind::TooLarge));
        assert_eq!(kind(&packed(&vec![b'0'; SHORT as usize])), Ok(()));
        assert_eq!(kind(&bomb[..50]), Err(ErrorKind::Content));
        assert_eq!(kind(&packed(&packed(b"0 1"))), Err(ErrorKind::NotRead));
    }
}
