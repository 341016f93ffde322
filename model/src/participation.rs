//! The rounds that use the data of each user.

use crate::Protocol;

/// Largest number of assignments of phases to a group that is enumerated.
pub const MAX_PARTICIPATIONS: usize = 1024;

/// The rounds in which each member of a group uses its data.
///
/// Users with different phases use their data in different rounds, so the loss of a group is the
/// largest over **all** assignments of phases to its members ([`Protocol::participations`]).
///
/// ```
/// use muffliato_model::{Network, Protocol};
///
/// let network = Network::metropolis("path:3".parse()?)?;
/// let protocol = Protocol::gradient_descent(network, 4, 1)?.every(2)?;
/// let all: Vec<_> = protocol.participations(2).collect();
/// let phases = all.iter().map(|one| [0, 1].map(|member| one.phase(member)));
/// assert_eq!(phases.collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]].map(|phases| phases.map(Some)));
/// // Member 0 uses its data in rounds 0 and 2, member 1 in rounds 1 and 3.
/// assert_eq!(all[1].inputs().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 0), (3, 1)]);
/// assert_eq!(all[1].input_count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participation {
    rounds: usize,
    period: usize,
    members: usize,
    /// The phases of the first members; all rounds count for the others.
    phases: Vec<usize>,
}

impl Participation {
    /// Creates the participation of all members in one round.
    pub fn in_one_round(members: usize) -> Self {
        Self { rounds: 1, period: 1, members, phases: vec![0; members] }
    }

    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.members
    }

    /// Returns the phase of a member, counted within the group, or `None` if all rounds count for
    /// it.
    pub fn phase(&self, member: usize) -> Option<usize> {
        self.phases.get(member).copied()
    }

    /// Returns `true` if every member has a phase, so that the rounds are those of an actual run.
    pub fn is_exact(&self) -> bool {
        self.phases.len() == self.members
    }

    /// Returns the members whose data is used in `round`, in increasing order.
    pub fn members_in(&self, round: usize) -> impl Iterator<Item = usize> + '_ {
        let in_phase = move |phase| round % self.period == phase;
        (0..self.members).filter(move |&member| self.phase(member).is_none_or(in_phase))
    }

    /// Returns the rounds that use the data of a member, in increasing order.
    pub fn rounds(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rounds).filter(|&round| self.members_in(round).next().is_some())
    }

    /// Returns the inputs of the group as pairs of a round and a member, ordered by round.
    pub fn inputs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rounds).flat_map(|round| self.members_in(round).map(move |member| (round, member)))
    }

    /// Returns the number of inputs of the group.
    pub fn input_count(&self) -> usize {
        let of_phase = |&phase: &usize| (self.rounds - phase).div_ceil(self.period);
        let others = (self.members - self.phases.len()).saturating_mul(self.rounds);
        let sum: usize = self.phases.iter().map(of_phase).sum();
        sum.saturating_add(others)
    }

    /// Returns an actual participation whose rounds are among these: members without a phase get
    /// the phase of the first.
    pub fn contained(&self) -> Self {
        let mut contained = self.clone();
        let first = self.phase(0).unwrap_or(0);
        contained.phases.resize(self.members, first);
        contained
    }
}

impl Protocol {
    /// Returns every assignment of phases to `members` users, in the order of a counter whose last
    /// digit is the phase of the last user.
    ///
    /// If there are more than [`MAX_PARTICIPATIONS`], only the first users (at least one) have
    /// phases, and all rounds count for the others. Quantities that grow with the set of rounds are
    /// then bounded from above; see [`Participation::is_exact`].
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let network = Network::metropolis("path:9".parse()?)?;
    /// let protocol = Protocol::gradient_descent(network, 50, 1)?;
    /// assert_eq!(protocol.participations(3).len(), 1); // all rounds use the data of everybody
    /// assert_eq!(protocol.clone().every(5)?.participations(4).len(), 625);
    /// let many: Vec<_> = protocol.every(40)?.participations(2).collect();
    /// assert_eq!((many.len(), many[7].phase(0), many[7].phase(1)), (40, Some(7), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn participations(
        &self,
        members: usize,
    ) -> impl ExactSizeIterator<Item = Participation> + Clone + use<> {
        let (rounds, period, each) = (self.rounds(), self.period(), self.phases());
        let fits =
            |&users: &usize| users == 1 || each.saturating_pow(users as u32) <= MAX_PARTICIPATIONS;
        let assigned = (1..=members).take_while(fits).last().unwrap_or(0) as u32;
        (0..each.pow(assigned)).map(move |number| {
            let digits = (0..assigned).rev();
            let phases = digits.map(|place| number / each.pow(place) % each).collect();
            Participation { rounds, period, members, phases }
        })
    }
}
