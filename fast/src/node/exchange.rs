//! Bookkeeping of messages, on storage provided by the caller. Nothing here allocates, so that a
//! model checker can run it.

/// Reasons to refuse a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// The sender is not a neighbour.
    Stranger,
    /// The step is neither the current one nor the next, or lies after the last.
    WrongStep,
    /// The number of coordinates is wrong.
    WrongWidth,
    /// The message contains this value, which is not finite.
    NotFinite(f64),
    /// The sender has already sent for that step.
    Duplicate,
}

/// Messages of this step and of the next, and the progress of the protocol.
///
/// The storage (vectors in use, arrays in proofs) has two slots per neighbour, in the order of the
/// neighbours: those of this step, then those of the next. `heard` marks the filled slots; `values`
/// has one message per slot.
pub struct Exchange<H, V> {
    steps: usize,
    step: usize,
    sent: bool,
    heard: H,
    values: V,
}

impl<H, V> Exchange<H, V>
where
    H: AsRef<[bool]> + AsMut<[bool]>,
    V: AsRef<[f64]> + AsMut<[f64]>,
{
    /// Starts a protocol of `steps` steps; no message has arrived.
    pub fn new(steps: usize, mut heard: H, values: V) -> Self {
        heard.as_mut().fill(false);
        Self {
            steps,
            step: 0,
            sent: false,
            heard,
            values,
        }
    }

    /// Returns the current step, from 0 to the number of steps.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns `true` after the last step.
    pub fn is_finished(&self) -> bool {
        self.step == self.steps
    }

    /// Records that the node has sent its message; returns `false` after the last step.
    pub fn send(&mut self) -> bool {
        self.sent = !self.is_finished();
        self.sent
    }

    /// Accepts the message of `from` for `step` to a node with these sorted `neighbours`. A refused
    /// message changes nothing.
    pub fn receive(
        &mut self,
        neighbours: &[usize],
        from: usize,
        step: usize,
        message: &[f64],
    ) -> Result<(), Refusal> {
        let (place, ahead) = admit(neighbours, self.step, self.steps, from, step)?;
        let slot = ahead * neighbours.len() + place;
        let width = self.width();
        if message.len() != width {
            return Err(Refusal::WrongWidth);
        }
        if let Some(&value) = message.iter().find(|value| !value.is_finite()) {
            return Err(Refusal::NotFinite(value));
        }
        let heard = &mut self.heard.as_mut()[slot];
        if *heard {
            return Err(Refusal::Duplicate);
        }
        *heard = true;
        let values = &mut self.values.as_mut()[slot * width..(slot + 1) * width];
        values.copy_from_slice(message);
        Ok(())
    }

    /// Returns the number of coordinates of a message.
    fn width(&self) -> usize {
        let slots = self.heard.as_ref().len();
        self.values.as_ref().len().checked_div(slots).unwrap_or(0)
    }

    /// Returns the slots of this step, one per neighbour.
    fn current(&self) -> &[bool] {
        let heard = self.heard.as_ref();
        &heard[..heard.len() / 2]
    }

    /// Returns `true` if the neighbour at this index has not sent in this step.
    pub fn is_missing(&self, place: usize) -> bool {
        !self.is_finished() && !self.current()[place]
    }

    /// Returns `true` if the node and all its neighbours have sent in this step.
    pub fn is_complete(&self) -> bool {
        self.sent && self.current().iter().all(|&heard| heard)
    }

    /// Computes `out = own * value + sum of weight * message`, in the order of the neighbours.
    pub fn mix(&self, own: f64, weights: &[f64], value: &[f64], out: &mut [f64]) {
        for (sum, entry) in out.iter_mut().zip(value) {
            *sum = own * entry;
        }
        let messages = self.values.as_ref().chunks_exact(value.len().max(1));
        for (message, weight) in messages.zip(weights) {
            for (sum, entry) in out.iter_mut().zip(message) {
                *sum += weight * entry;
            }
        }
    }

    /// Moves to the next step, keeping messages that arrived early.
    pub fn advance(&mut self) {
        self.step += 1;
        self.sent = false;
        let heard = self.heard.as_mut();
        let neighbours = heard.len() / 2;
        heard.copy_within(neighbours.., 0);
        heard[neighbours..].fill(false);
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
