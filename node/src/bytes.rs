//! Reading and writing of numbers in bytes, little-endian.

/// Bytes that are read from the front. `None` means that too few are left.
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    /// Reads a flag, 0 or 1.
    pub fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.u64()?).ok()
    }

    /// Reads `count` numbers; allocates no more than is there, and all at once: a vector that grows
    /// would leave copies behind.
    fn numbers<T>(&mut self, count: usize, read: fn([u8; 8]) -> T) -> Option<Vec<T>> {
        let (numbers, _) = self.take(count.checked_mul(8)?)?.as_chunks();
        Some(numbers.iter().map(|bytes| read(*bytes)).collect())
    }

    pub fn integers(&mut self, count: usize) -> Option<Vec<i64>> {
        self.numbers(count, i64::from_le_bytes)
    }

    pub fn floats(&mut self, count: usize) -> Option<Vec<f64>> {
        self.numbers(count, f64::from_le_bytes)
    }
}

/// Appends integers.
pub(crate) fn put_integers(out: &mut Vec<u8>, values: &[i64]) {
    let start = out.len();
    out.resize(start + 8 * values.len(), 0);
    for (bytes, value) in out[start..].chunks_exact_mut(8).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
}

/// Appends floats.
pub(crate) fn put_floats(out: &mut Vec<u8>, values: &[f64]) {
    for value in values {
        out.extend_from_slice(&value.to_le_bytes());
    }
}

/// Appends a size as 8 bytes.
pub(crate) fn put_size(out: &mut Vec<u8>, size: usize) {
    out.extend_from_slice(&(size as u64).to_le_bytes());
}
