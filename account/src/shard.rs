//! Shards of an account, and summaries as JSON.
//!
//! A summary records its observers and the conditions of its guarantees. Parts that overlap or
//! answer different questions do not merge, and an incomplete summary counts as a sample. A summary
//! that was read is as trustworthy as its writer: merging makes no claim stronger than those of the
//! parts.

use crate::summary::Summary;
use crate::{AccountError, Conditions};
use serde::{Deserialize, Serialize};
use std::io;

/// A set of observers: disjoint ranges (start, end) in increasing order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Covered(Vec<(usize, usize)>);

impl Covered {
    /// Returns the number of observers.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(start, end)| end - start).sum()
    }

    /// Returns the union of disjoint sets; `None` if they overlap.
    pub fn union(&self, other: &Self) -> Option<Self> {
        let mut all = [&self.0[..], &other.0[..]].concat();
        all.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (start, end) in all {
            match joined.last_mut() {
                Some(last) if start < last.1 => return None,
                Some(last) if start == last.1 => last.1 = end,
                _ => joined.push((start, end)),
            }
        }
        Some(Self(joined))
    }

    /// Checks that the ranges are disjoint, increasing and at most `asked`.
    fn check(&self, asked: usize) -> Result<(), AccountError> {
        let mut before = 0;
        for &(start, end) in &self.0 {
            if start < before || start >= end || end > asked {
                return Err(refused("the ranges of covered observers overlap or are too many"));
            }
            before = end;
        }
        Ok(())
    }

    /// Creates the set of one observer.
    pub fn one(number: usize) -> Self {
        Self(vec![(number, number + 1)])
    }

    /// Creates the set of the first observers.
    pub fn all(observers: usize) -> Self {
        Self(vec![(0, observers)])
    }
}

/// Computes a fingerprint: the FNV-1a hash of the form on file, in hexadecimal.
pub(crate) fn fingerprint(record: &impl Serialize) -> String {
    struct Hash(u64);
    impl io::Write for Hash {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            for &byte in bytes {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let _ = serde_json::to_writer(&mut hash, record);
    format!("{:016x}", hash.0)
}

/// Version of the JSON format.
pub(crate) const FORMAT: &str = "muffliato summary 3";

impl Summary {
    /// Formats this summary as one line of JSON, which [`Summary::from_json`] reads back unchanged.
    ///
    /// ```
    /// use muffliato_account::{Account, AccountError, Observers, Summary};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("path:5".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
    /// let part = |index| Account::of(&protocol).observers(Observers::All).shard(index, 2).build()?.summary();
    /// let mut first = Summary::from_json(&part(0)?.to_json()?)?;
    /// assert!(first.largest(2)?.promised().is_err()); // half of the observers are missing
    /// first.merge(Summary::from_json(&part(1)?.to_json()?)?)?;
    /// assert_eq!(first, Account::of(&protocol).observers(Observers::All).build()?.summary()?);
    /// assert!(matches!(first.largest(2)?.promised(), Err(AccountError::OnFile))); // anybody can write a file
    /// assert!(first.merge(part(1)?).is_err()); // each shard counts once
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None for a summary of an account.
    pub fn to_json(&self) -> Result<String, AccountError> {
        serde_json::to_string(self).map_err(refused)
    }

    /// Parses a summary that [`Summary::to_json`] wrote. It can be merged and printed, but
    /// guarantees cannot be made from it: it is as trustworthy as the file.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoSummary`] for any other text.
    pub fn from_json(text: &str) -> Result<Self, AccountError> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
        }
        let head: Head = serde_json::from_str(text).map_err(refused)?;
        if head.format.as_deref() != Some(FORMAT) {
            return Err(refused(
                "it does not say the format that this version of account --shard writes; write the shards again",
            ));
        }
        let summary: Self = serde_json::from_str(text).map_err(refused)?;
        summary.covered.check(summary.asked)?;
        if !summary.classes.is_sorted_by(|one, next| one.key() < next.key()) {
            return Err(refused("the distances of its classes do not increase"));
        }
        for class in &summary.classes {
            let mut spreads = [&class.upper, &class.value].into_iter().chain(&class.theorem_1);
            if spreads.any(|spread| spread.count != class.pairs) {
                return Err(refused("the numbers of pairs of a class differ"));
            }
        }
        Ok(summary)
    }
}

impl Conditions {
    /// Returns the first condition that differs; `None` if all are equal.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        let unlike = [
            ("the protocol", self.fingerprint != other.fingerprint),
            ("who is protected", self.protected != other.protected),
            ("who observes", self.against != other.against),
            ("the view", self.view != other.view),
            ("the noise", self.noise != other.noise),
            ("the assumption on losses", self.losses != other.losses),
            ("a condition", self != other),
        ];
        { unlike }.into_iter().find_map(|(what, unlike)| unlike.then_some(what))
    }
}

fn refused(reason: impl ToString) -> AccountError {
    AccountError::NoSummary { reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Account;
    use muffliato_model::{Lipschitz, Protocol};

    #[test]
    fn overlapping_sets_have_no_union() {
        let set = |ranges: &[(usize, usize)]| Covered(ranges.to_vec());
        let union = set(&[(0, 2), (6, 8)]).union(&set(&[(2, 6)]));
        assert_eq!(union, Some(set(&[(0, 8)])));
        assert_eq!(set(&[(0, 3)]).union(&set(&[(2, 6)])), None);
        assert_eq!(set(&[(0, 9)]).union(&set(&[(4, 5)])), None);
    }

    /// Covers losses in a model, for any loss functions and on a grid, and constants for each node.
    #[test]
    fn summaries_survive_a_round_trip_through_json() -> Result<(), Box<dyn std::error::Error>> {
        let path = muffliato_model::Network::metropolis("path:4".parse()?)?;
        let plain = Protocol::gradient_descent(path, 3, 1)?;
        let masked = plain.clone().masked("3".parse()?)?;
        let wild = Lipschitz::of_nodes(vec!["3/2".parse()?; 4])?;
        let of = |protocol| Account::of(protocol);
        for (account, upper) in [
            (of(&plain), 3.0),
            (of(&plain).any_losses(), 3.0),
            (of(&plain).lipschitz(wild), 3.0),
            (of(&plain).noise("rounded:2^-20".parse()?, 1.0, 1), 3.0),
            (of(&masked), 3.0),
        ] {
            let summary = account.build()?.summary()?;
            let read = Summary::from_json(&summary.to_json()?)?;
            assert_eq!(read, summary);
            for (row, again) in summary.rows().zip(read.rows()) {
                let promised = row.largest();
                assert_eq!(promised, again.largest());
                assert!(promised.upper() <= upper);
            }
        }
        // Without Lipschitz constants the guarantee is the number of rounds.
        let none = Account::of(&plain).any_losses().build()?.summary()?;
        assert!(none.rows().all(|row| row.largest().upper() == 3.0));
        Ok(())
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "[]",
            "{}",
            "{\"format\": \"muffliato summary 2\"}",
            "{\"format\": \"muffliato summary 3\"}",
            "null",
        ] {
            let error = Summary::from_json(text).unwrap_err();
            assert!(matches!(error, AccountError::NoSummary { .. }), "{text}");
        }
    }
}
