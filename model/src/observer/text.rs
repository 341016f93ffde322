//! Observers as text, their errors, and parts of a list of observers.

use super::Observer;
use std::{fmt, ops::Range, str::FromStr};

/// An invalid observer, or one that does not fit a protocol.
///
/// ```
/// use muffliato_model::{Observer, ObserverError};
///
/// assert_eq!(Observer::coalition([]), Err(ObserverError::NoMembers));
/// assert_eq!(Observer::full(3).check(3), Err(ObserverError::OutOfRange { node: 3, nodes: 3 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum ObserverError {
    /// A coalition has no members.
    #[error("a coalition without members sees nothing; name at least one node")]
    NoMembers,
    /// A member is not a node of the protocol.
    #[error("observer {node} is outside 0..{nodes}; nodes are numbered from 0")]
    OutOfRange { node: usize, nodes: usize },
    /// The text does not describe an observer.
    #[error(
        "{text:?} is not an observer; write full:V, paper:V, coalition:V,W or sum:V,W with numbers of nodes"
    )]
    Text { text: String },
}

impl fmt::Display for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match (self.members.len(), self.knows_own_noise) {
            _ if self.sees_sums => "sum",
            (_, false) => "paper",
            (1, true) => "full",
            _ => "coalition",
        };
        let names: Vec<_> = self.members.iter().map(usize::to_string).collect();
        write!(f, "{kind}:{}", names.join(","))
    }
}

impl FromStr for Observer {
    type Err = ObserverError;

    /// Parses the output of [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<Self, ObserverError> {
        let refused = || ObserverError::Text { text: text.into() };
        let (kind, members) = text.split_once(':').ok_or_else(refused)?;
        let members: Result<Vec<usize>, _> = members.split(',').map(str::parse).collect();
        let members = members.map_err(|_| refused())?;
        match (kind, members.as_slice()) {
            ("full", &[node]) => Ok(Self::full(node)),
            ("paper", &[node]) => Ok(Self::paper(node)),
            ("coalition", members) => Self::coalition(members.iter().copied()),
            ("sum", members) => Self::sums(members.iter().copied()),
            _ => Err(refused()),
        }
    }
}

/// Returns the numbers of the observers in part `index` of `of` parts. For every `of` >= 1 the
/// parts cover `0..observers` once each, and their sizes differ by at most one. Empty for
/// `index >= of`.
///
/// ```
/// use muffliato_model::shard;
///
/// let parts: Vec<_> = (0..3).map(|index| shard(10, index, 3)).collect();
/// assert_eq!(parts, [0..3, 3..6, 6..10]);
/// ```
pub fn shard(observers: usize, index: usize, of: usize) -> Range<usize> {
    if index >= of {
        return 0..0;
    }
    let from = |part: usize| (observers as u128 * part as u128 / of as u128) as usize;
    from(index)..from(index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_every_observer_once() {
        for observers in 0..40 {
            for of in 1..45 {
                let mut next = 0;
                for index in 0..of {
                    let part = shard(observers, index, of);
                    assert_eq!(part.start, next);
                    assert!(part.len() == observers / of || part.len() == observers.div_ceil(of));
                    next = part.end;
                }
                assert_eq!(next, observers);
            }
        }
        assert_eq!(shard(usize::MAX, usize::MAX - 1, usize::MAX).len(), 1);
        assert!(shard(5, 3, 3).is_empty() && shard(5, 0, 0).is_empty());
    }

    #[test]
    fn observers_are_read_as_they_are_written() {
        let coalition = Observer::coalition([5, 2, 5]).unwrap();
        assert!(coalition.contains(5) && !coalition.contains(3));
        let sums = Observer::sums([4, 1]).unwrap();
        assert_eq!(sums.with_messages(), Observer::coalition([1, 4]).unwrap());
        for observer in [coalition, Observer::full(3), Observer::paper(0), sums] {
            assert_eq!(observer.to_string().parse(), Ok(observer));
        }
        for text in ["full", "full:", "full:1,2", "half:1", "coalition:"] {
            assert!(text.parse::<Observer>().is_err(), "{text}");
        }
    }
}
