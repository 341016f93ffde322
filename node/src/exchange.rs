//! Transitions of a node and bookkeeping of its messages, on storage provided by the caller.
//! Nothing here allocates, so that a model checker can run it.
//!
//! ```text
//!           inject            saved            send                 advance
//! Open ──────────────▶ Unsaved ─────▶ Ready ────────▶ (sent) ────────────────▶ Unsaved, or Open in a new round
//! ```

/// The state of a node within a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The input of the round is missing.
    Open,
    /// Input, noise and masks are in the state, which is not on file yet.
    Unsaved,
    /// The state may be sent.
    Ready,
}

/// Reasons to refuse a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The sender is not a neighbour.
    Stranger,
    /// The step is neither the current one nor the next, or lies after the last.
    WrongStep,
    /// The number of coordinates is wrong.
    WrongWidth,
    /// The value at this coordinate is out of range.
    OutOfRange(usize),
    /// The sender has already sent this for that step.
    Duplicate,
    /// The sender has already sent something else for that step.
    Conflict,
    /// The sender was dropped.
    DroppedOut,
}

/// Reasons why a transition is not possible now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All steps are done.
    Finished,
    /// The input of this round is already in the state.
    AlreadyInjected,
    /// The input of this round is missing.
    NotInjected,
    /// The state was not saved since it changed.
    NotSaved,
}

/// Messages of this step and of the next, and the progress of the protocol.
///
/// The storage (vectors in use, arrays in proofs) has three marks per neighbour: heard in this step
/// (for all neighbours, in their order), heard for the next step, dropped. `values` has one message
/// per neighbour for this step, then one for the next.
#[derive(Clone, Debug)]
pub struct Exchange<M, V> {
    pub(crate) steps: usize,
    pub(crate) gossip_steps: usize,
    /// Largest size of a value in a message.
    pub(crate) reach: u64,
    pub(crate) step: usize,
    pub(crate) phase: Phase,
    pub(crate) sent: bool,
    pub(crate) marks: M,
    pub(crate) values: V,
}

impl<M, V> Exchange<M, V>
where
    M: AsRef<[bool]> + AsMut<[bool]>,
    V: AsRef<[i64]> + AsMut<[i64]>,
{
    /// Starts a protocol of `steps` steps, `gossip_steps` to a round, with values up to `reach`; no
    /// message has arrived.
    pub fn new((steps, gossip_steps): (usize, usize), reach: u64, mut marks: M, values: V) -> Self {
        marks.as_mut().fill(false);
        let (step, phase, sent) = (0, Phase::Open, false);
        Self { steps, gossip_steps, reach, step, phase, sent, marks, values }
    }

    /// Returns the current step, from 0 to the number of steps.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns `true` after the last step.
    pub fn is_finished(&self) -> bool {
        self.step == self.steps
    }

    fn neighbours(&self) -> usize {
        self.marks.as_ref().len() / 3
    }

    /// Returns `true` if the neighbour at this index was dropped.
    pub fn is_gone(&self, place: usize) -> bool {
        self.marks.as_ref()[2 * self.neighbours() + place]
    }

    /// Checks that the input of a round may enter now.
    pub fn may_inject(&self) -> Result<(), Order> {
        if self.is_finished() {
            return Err(Order::Finished);
        }
        if self.phase == Phase::Open { Ok(()) } else { Err(Order::AlreadyInjected) }
    }

    /// Records that input, noise and masks of this round are in the state.
    pub fn inject(&mut self) -> Result<(), Order> {
        self.may_inject()?;
        self.phase = Phase::Unsaved;
        Ok(())
    }

    /// Records that the state was saved.
    pub fn saved(&mut self) {
        if self.phase == Phase::Unsaved {
            self.phase = Phase::Ready;
        }
    }

    /// Records that the node sends its message of this step; it may do so again.
    pub fn send(&mut self) -> Result<(), Order> {
        match self.phase {
            _ if self.is_finished() => Err(Order::Finished),
            Phase::Open => Err(Order::NotInjected),
            Phase::Unsaved => Err(Order::NotSaved),
            Phase::Ready => {
                self.sent = true;
                Ok(())
            }
        }
    }

    /// Accepts the message of `from` for `step` to a node with these sorted `neighbours`. A refused
    /// message changes nothing.
    pub fn receive(
        &mut self,
        neighbours: &[usize],
        from: usize,
        step: usize,
        message: &[i64],
    ) -> Result<(), Refusal> {
        let (place, ahead) = admit(neighbours, self.step, self.steps, from, step)?;
        if self.is_gone(place) {
            return Err(Refusal::DroppedOut);
        }
        let slot = ahead * neighbours.len() + place;
        let width = self.width();
        if message.len() != width {
            return Err(Refusal::WrongWidth);
        }
        if let Some(at) = message.iter().position(|value| value.unsigned_abs() > self.reach) {
            return Err(Refusal::OutOfRange(at));
        }
        let heard = &mut self.marks.as_mut()[slot];
        let kept = &mut self.values.as_mut()[slot * width..(slot + 1) * width];
        if *heard {
            let same = kept == message;
            return Err(if same { Refusal::Duplicate } else { Refusal::Conflict });
        }
        *heard = true;
        kept.copy_from_slice(message);
        Ok(())
    }

    /// Returns the number of coordinates of a message.
    fn width(&self) -> usize {
        self.values.as_ref().len().checked_div(2 * self.neighbours()).unwrap_or(0)
    }

    /// Returns `true` if the neighbour at this index has not sent in this step and is expected to.
    pub fn is_missing(&self, place: usize) -> bool {
        !self.is_finished() && !self.marks.as_ref()[place] && !self.is_gone(place)
    }

    /// Drops the neighbour at this index: what it has sent is used, nothing else is waited for.
    /// Returns the number of steps in which it takes part; `None`, and does nothing, if its message
    /// of the next step is here and that of this step is not. The state is no longer on file.
    pub fn drop_out(&mut self, place: usize) -> Option<usize> {
        let neighbours = self.neighbours();
        let marks = self.marks.as_mut();
        let (now, next) = (marks[place], marks[neighbours + place]);
        if next && !now {
            return None;
        }
        marks[2 * neighbours + place] = true;
        if self.phase == Phase::Ready {
            self.phase = Phase::Unsaved;
        }
        Some(self.step + usize::from(now) + usize::from(next))
    }

    /// Returns `true` if the node and all neighbours that are left have sent in this step.
    pub fn is_complete(&self) -> bool {
        self.sent && (0..self.neighbours()).all(|place| !self.is_missing(place))
    }

    /// Computes `out = own * value + sum of weight * message`, in the order of the neighbours, with
    /// messages in units of `step`. The weight of a neighbour that has not sent is the node's own.
    pub fn mix(&self, own: f64, weights: &[f64], step: f64, value: &[f64], out: &mut [f64]) {
        let heard = self.marks.as_ref();
        let lost = weights.iter().zip(heard).filter(|(_, heard)| !**heard);
        let own = lost.fold(own, |own, (weight, _)| own + weight);
        for (sum, entry) in out.iter_mut().zip(value) {
            *sum = own * entry;
        }
        let messages = self.values.as_ref().chunks_exact(value.len().max(1));
        for ((message, weight), _) in messages.zip(weights).zip(heard).filter(|(_, heard)| **heard)
        {
            for (sum, &entry) in out.iter_mut().zip(message) {
                *sum += weight * (entry as f64 * step);
            }
        }
    }

    /// Makes this step the last: the protocol is finished. Returns `false`, and does nothing, within
    /// a round.
    pub fn end(&mut self) -> bool {
        if self.phase == Phase::Open {
            self.steps = self.step;
        }
        self.is_finished()
    }

    /// Moves to the next step, keeping messages that arrived early. The state is no longer on file.
    pub fn advance(&mut self) {
        self.step += 1;
        self.sent = false;
        let ends_round = self.step.is_multiple_of(self.gossip_steps);
        self.phase = if ends_round { Phase::Open } else { Phase::Unsaved };
        let neighbours = self.neighbours();
        let marks = self.marks.as_mut();
        marks.copy_within(neighbours..2 * neighbours, 0);
        marks[neighbours..2 * neighbours].fill(false);
        let values = self.values.as_mut();
        values.copy_within(values.len() / 2.., 0);
    }
}

/// Decides whether a node with these sorted `neighbours` in step `current` of `steps` accepts a
/// message of `from` for `step`. Returns the neighbour's index and whether the message is 0 or 1
/// steps ahead.
pub fn admit(
    neighbours: &[usize],
    current: usize,
    steps: usize,
    from: usize,
    step: usize,
) -> Result<(usize, usize), Refusal> {
    let place = neighbours.binary_search(&from);
    let place = place.map_err(|_| Refusal::Stranger)?;
    let ahead = step.checked_sub(current).filter(|&ahead| ahead <= 1);
    let ahead = ahead.filter(|_| step < steps).ok_or(Refusal::WrongStep)?;
    Ok((place, ahead))
}
