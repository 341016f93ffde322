//! Files that gzip compressed.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{MAX_FILE_BYTES, ReadError};

/// A file may unpack to this many bytes however short it is; beyond, to so many times its size.
const SHORT: u64 = 16 << 20;
const RATIO: u64 = 100;

/// The bytes themselves, or what they unpack to if they begin as gzip does. At most 16 MiB or 100 times as many are
/// unpacked.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ReadError> {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(bytes.into());
    }
    let packed = bytes.len();
    let limit = (packed as u64)
        .saturating_mul(RATIO)
        .clamp(SHORT, MAX_FILE_BYTES);
    let mut text = Vec::new();
    let mut beginning = MultiGzDecoder::new(bytes).take(limit + 1);
    let read = beginning.read_to_end(&mut text);
    read.map_err(|error| ReadError::Gzip {
        message: error.to_string(),
    })?;
    if text.len() as u64 > limit {
        return Err(ReadError::Unpacked { packed, limit });
    }
    if text.starts_with(b"\x1f\x8b") {
        return Err(ReadError::NotRead {
            looks_like: "a file that gzip compressed twice",
            remedy: "unpack it once",
        });
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
        let (packed_size, limit) = (bomb.len(), SHORT);
        let refused = Err(ReadError::Unpacked {
            packed: packed_size,
            limit,
        });
        assert_eq!(unpacked(&bomb), refused);
        assert!(unpacked(&packed(&vec![b'0'; SHORT as usize])).is_ok());
        assert!(matches!(unpacked(&bomb[..50]), Err(ReadError::Gzip { .. })));
        let twice = packed(&packed(b"0 1"));
        assert!(matches!(unpacked(&twice), Err(ReadError::NotRead { .. })));
    }
}
