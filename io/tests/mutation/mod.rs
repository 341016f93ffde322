//! A seeded mutator of byte strings.

use rand::{Rng, SeedableRng, rngs::ChaCha12Rng};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

/// Returns the number of inputs to try: `usual`, or the value of `MUFFLIATO_HOSTILE_ROUNDS`.
pub fn rounds(usual: usize) -> usize {
    let given = std::env::var("MUFFLIATO_HOSTILE_ROUNDS").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// The files of a folder of `tests/corpus`, in the order of their names.
pub fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(root.join(folder)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} is empty");
    let file = |path| std::fs::read(path).unwrap();
    paths.iter().map(file).collect()
}

/// Runs a check on an input, and prints the input if the check panics.
pub fn shown<T>(bytes: &[u8], check: impl FnOnce(&[u8]) -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| check(bytes))).unwrap_or_else(|panic| {
        println!("the input that failed: \"{}\"", bytes.escape_ascii());
        resume_unwind(panic)
    })
}

/// Changes byte strings at random.
pub struct Mutator<'a> {
    generator: ChaCha12Rng,
    words: &'a [&'a str],
    files: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    /// Under a seed: splices these words into these files, and the files into each other.
    pub fn new(seed: u64, words: &'a [&'a str], files: &'a [Vec<u8>]) -> Self {
        let generator = ChaCha12Rng::seed_from_u64(seed);
        Self { generator, words, files }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.generator.next_u64() % bound.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let (a, b) = (self.below(length + 1), self.below(length + 1));
        a.min(b)..a.max(b)
    }

    /// One of the files after one to six changes, of at most `limit` bytes.
    pub fn mutated(&mut self, limit: usize) -> Vec<u8> {
        let file = self.below(self.files.len());
        let mut bytes = self.files[file].clone();
        for _ in 0..1 + self.below(6) {
            self.change(&mut bytes);
            bytes.truncate(limit);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let (kind, range) = (self.below(8), self.range(bytes.len()));
        let at = range.start;
        match kind {
            0 if at < bytes.len() => bytes[at] = self.below(256) as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            2 => {
                bytes.drain(at..(at + 1 + self.below(3)).min(bytes.len()));
            }
            3 => bytes.truncate(range.end),
            4 => {
                let copy = bytes[range].to_vec();
                bytes.splice(at..at, copy);
            }
            5 => {
                let other = self.below(self.files.len());
                let part = self.range(self.files[other].len());
                let part = self.files[other][part].to_vec();
                bytes.splice(at..at, part);
            }
            6 => {
                // A run of digits becomes another number.
                let digit = |byte: &u8| byte.is_ascii_digit();
                if let Some(start) = bytes[at..].iter().position(digit).map(|k| at + k) {
                    let rest = bytes[start..].iter().position(|byte| !digit(byte));
                    let end = rest.map_or(bytes.len(), |k| start + k);
                    let number = self.generator.next_u64() >> self.below(64);
                    bytes.splice(start..end, number.to_string().into_bytes());
                }
            }
            _ => {
                let word = self.words[self.below(self.words.len())];
                bytes.splice(at..at, word.bytes());
            }
        }
    }
}
