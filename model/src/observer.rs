//! Observers and their views.

mod text;

pub use text::{ObserverError, shard};

/// The honest-but-curious nodes whose view is accounted for.
///
/// | view | what is seen |
/// | --- | --- |
/// | [`Observer::paper`] | the messages that v receives at times 0..T-1, and its own input |
/// | [`Observer::full`] (default) | the same, and the noise that v itself drew |
/// | [`Observer::coalition`] | the union of the full views of its members |
/// | [`Observer::sums`] | for each member v the sums `sum_w W_vw y_w` over its neighbours outside, in place of their single messages, and the noise that members drew |
///
/// ```
/// use muffliato_model::Observer;
///
/// assert_eq!(Observer::full(3).to_string(), "full:3");
/// assert_eq!(Observer::coalition([4, 1, 4])?.to_string(), "coalition:1,4");
/// # Ok::<(), muffliato_model::ObserverError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observer {
    /// Sorted, distinct and not empty.
    members: Vec<usize>,
    knows_own_noise: bool,
    sees_sums: bool,
}

impl Observer {
    /// Creates the view of one node as printed in the paper, which omits the noise that the node
    /// drew.
    pub fn paper(node: usize) -> Self {
        Self { members: vec![node], knows_own_noise: false, sees_sums: false }
    }

    /// Creates the view of one node, with the noise that it drew.
    pub fn full(node: usize) -> Self {
        Self { members: vec![node], knows_own_noise: true, sees_sums: false }
    }

    /// Creates the union of the full views of several nodes.
    ///
    /// # Errors
    ///
    /// Returns [`ObserverError::NoMembers`] without members.
    pub fn coalition(members: impl IntoIterator<Item = usize>) -> Result<Self, ObserverError> {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        if members.is_empty() {
            return Err(ObserverError::NoMembers);
        }
        Ok(Self { members, knows_own_noise: true, sees_sums: false })
    }

    /// Creates the view of one node under secure summation; see [`Observer::sums`].
    pub fn sum(node: usize) -> Self {
        Self { sees_sums: true, ..Self::full(node) }
    }

    /// Creates the view of one or more nodes under secure summation: at each step a node learns only
    /// the weighted sum of the messages that it receives. It tells no more than the messages do.
    ///
    /// # Errors
    ///
    /// Returns [`ObserverError::NoMembers`] without members.
    pub fn sums(members: impl IntoIterator<Item = usize>) -> Result<Self, ObserverError> {
        Ok(Self { sees_sums: true, ..Self::coalition(members)? })
    }

    /// Returns the observer that sees every single message, and so at least as much.
    #[must_use]
    pub fn with_messages(&self) -> Self {
        Self { sees_sums: false, ..self.clone() }
    }

    /// Returns the observing nodes in increasing order.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// Returns `true` if the observing nodes know the noise that they drew.
    pub fn knows_own_noise(&self) -> bool {
        self.knows_own_noise
    }

    /// Returns `true` if only weighted sums of the messages of a step are seen.
    pub fn sees_sums(&self) -> bool {
        self.sees_sums
    }

    /// Returns `true` if `node` observes.
    pub fn contains(&self, node: usize) -> bool {
        self.members.binary_search(&node).is_ok()
    }

    /// Checks that all members are in `0..nodes`.
    ///
    /// # Errors
    ///
    /// Returns [`ObserverError::OutOfRange`] with the first member that is not.
    pub fn check(&self, nodes: usize) -> Result<(), ObserverError> {
        match self.members.iter().find(|&&node| node >= nodes) {
            Some(&node) => Err(ObserverError::OutOfRange { node, nodes }),
            None => Ok(()),
        }
    }
}
