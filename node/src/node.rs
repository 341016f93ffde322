//! One participant, without I/O of its own.

use crate::{
    Body, Message, NodeError, NodeProtocol,
    exchange::{Exchange, Phase},
};
use muffliato_fast::{
    FastError,
    learning::clip,
    lockstep::{chebyshev, take_mask},
    noise::{Grid, NoiseOf, NoiseSource, RoundedGaussian, SharedKey},
};
use muffliato_model::Draw;
use std::{fmt, sync::Arc};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The source of a node's noise and masks.
#[derive(Clone)]
pub enum Secrets {
    /// Noise from the operating system, under a fresh key in each round, and masks from the key
    /// shared with each neighbour on the mask graph: for real data. Masks are expanded from
    /// [`NodeProtocol::mask_key`], so that no other run or plan has the same.
    Keys(Vec<(usize, SharedKey)>),
    /// Noise and masks from a seed, the same as in `average --noise rounded:STEP` and `train`: for
    /// tests and simulation, where the seed replaces all secrets.
    Seed(u64),
}

/// Hides keys and seed.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(..)")
    }
}

/// A participant: a state machine that is driven by its caller's transport.
///
/// ```text
///   hello()  ──▶ to every peer         receive(hello) from every peer
///   inject()                                                         once a round
///   save()   ──▶ message() ──▶ to every neighbour                    once a step
///   receive(values) from every neighbour, then advance()             once a step
/// ```
///
/// Messages of a step may arrive in any order. A neighbour can be one step ahead, never two, so a
/// message of the next step is kept and one of any other step is refused. Whatever returns an error
/// changes nothing, but that a peer that shows another fingerprint is no longer greeted.
///
/// Keys and draws are overwritten as soon as no later draw needs them.
///
/// The sum over the neighbours is taken in the order of their numbers, so results equal those of
/// the matrix engine bit for bit.
pub struct Node {
    pub(crate) agreed: Arc<NodeProtocol>,
    pub(crate) number: usize,
    pub(crate) secrets: Secrets,
    /// The key of this round's noise, unless it comes from a seed.
    pub(crate) noise: Option<SharedKey>,
    /// The model at the start of a round, then the state to be sent.
    pub(crate) value: Zeroizing<Vec<f64>>,
    /// The state that was sent in the step before; the value itself before step 1.
    pub(crate) previous: Zeroizing<Vec<f64>>,
    pub(crate) neighbours: Vec<usize>,
    /// Neighbours on the graph or the mask graph, in increasing order.
    pub(crate) peers: Vec<usize>,
    /// The peers that have shown an equal fingerprint.
    pub(crate) greeted: Vec<bool>,
    pub(crate) exchange: Exchange<Vec<bool>, Vec<i64>>,
    /// Neighbours that dropped out, with the number of steps in which they took part.
    pub(crate) dropped: Vec<(usize, usize)>,
}

impl Node {
    pub(crate) fn new(
        agreed: Arc<NodeProtocol>,
        number: usize,
        model: Vec<f64>,
        secrets: Secrets,
    ) -> Result<Self, NodeError> {
        let nodes = agreed.protocol.nodes();
        if number >= nodes {
            let (parameter, value) = ("the number of a node", number.to_string());
            let expected = "it must be below the number of nodes";
            return Err(FastError::BadParameter { parameter, value, expected }.into());
        }
        let model = Zeroizing::new(model);
        let (width, grid, reach) = (agreed.terms.coordinates, agreed.terms.grid, agreed.reach());
        check_width("coordinates of the model", model.len(), width)?;
        if let Some(coordinate) = model.iter().position(|x| !in_reach(*x, grid, reach / 4)) {
            return Err(FastError::OffGrid { coordinate, step: grid.step() }.into());
        }
        let neighbours: Vec<usize> =
            agreed.weights.row(number).0.iter().map(|&w| w as usize).collect();
        let masked = agreed.mask_neighbours(number);
        let secrets = match secrets {
            Secrets::Keys(keys) => {
                check_keys(&keys, &masked)?;
                Secrets::Keys(
                    keys.iter().map(|(peer, key)| (*peer, agreed.mask_key(key))).collect(),
                )
            }
            seed => seed,
        };
        let mut peers = [neighbours.clone(), masked].concat();
        peers.sort_unstable();
        peers.dedup();
        let (steps, gossip_steps) = (agreed.protocol.steps(), agreed.protocol.gossip_steps());
        let degree = neighbours.len();
        let (marks, values) = (vec![false; 3 * degree], vec![0; 2 * degree * width]);
        let exchange = Exchange::new((steps, gossip_steps), reach, marks, values);
        Ok(Self {
            agreed,
            number,
            secrets,
            noise: None,
            previous: model.clone(),
            value: model,
            neighbours,
            greeted: vec![false; peers.len()],
            peers,
            exchange,
            dropped: Vec::new(),
        })
    }

    /// Returns the number of the node.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns what all nodes agree on.
    pub fn protocol(&self) -> &Arc<NodeProtocol> {
        &self.agreed
    }

    /// Returns the current step, from 0 to T.
    pub fn step(&self) -> usize {
        self.exchange.step()
    }

    /// Returns the neighbours who have not dropped out, in increasing order: those to whom messages
    /// go.
    pub fn neighbours(&self) -> Vec<usize> {
        self.places(|place| !self.exchange.is_gone(place))
    }

    fn places(&self, chosen: impl Fn(usize) -> bool) -> Vec<usize> {
        let places = (0..self.neighbours.len()).filter(|&place| chosen(place));
        places.map(|place| self.neighbours[place]).collect()
    }

    /// Returns the neighbours on the graph and on the mask graph in increasing order: those to whom
    /// greetings go.
    pub fn peers(&self) -> &[usize] {
        &self.peers
    }

    /// Returns the greeting: the fingerprint of all that the node runs.
    pub fn hello(&self) -> Message {
        self.says(Body::Hello(self.agreed.fingerprint))
    }

    /// Returns the model at the start of a round, for the caller to compute its step from; `None`
    /// within a round.
    pub fn model(&self) -> Option<&[f64]> {
        self.exchange.may_inject().is_ok().then_some(&self.value[..])
    }

    /// Returns `true` if the next round to start uses the data of this node.
    pub fn is_its_turn(&self) -> bool {
        let period = self.agreed.protocol.period();
        self.round() % period == self.number % period
    }

    /// Returns the current round, from 0.
    pub(crate) fn round(&self) -> usize {
        self.step() / self.agreed.protocol.gossip_steps()
    }

    /// Moves the model by `step`, clipped to half the sensitivity and rounded to the grid, and adds
    /// the noise and the masks of this round. In averaging `step` is the value less the model (see
    /// [`Node::inject_value`]), in gradient descent it is `-nu` times the gradient.
    ///
    /// Save the state before sending: a restored node never draws for this round again.
    ///
    /// # Errors
    /// If the input of this round has entered, a peer has not shown its fingerprint, a neighbour
    /// dropped out in an earlier round, the round does not use this node's data, the protocol
    /// samples records ([`Node::inject_records`]), a number is not finite, or the operating system
    /// has no randomness.
    pub fn inject(&mut self, step: &[f64]) -> Result<(), NodeError> {
        self.may_use_data()?;
        if self.agreed.protocol.sampling().is_some() {
            return Err(NodeError::Sampled);
        }
        check_width("coordinates of a step", step.len(), self.value.len())?;
        let mut moved = Zeroizing::new(step.to_vec());
        clip(&mut moved, self.agreed.terms.sensitivity / 2.0)?;
        self.agreed.terms.grid.round(&mut moved)?;
        self.enter(&moved)
    }

    /// Moves the model to `value` as [`Node::inject`] does, for averaging.
    pub fn inject_value(&mut self, value: &[f64]) -> Result<(), NodeError> {
        check_width("coordinates of the value", value.len(), self.value.len())?;
        let step = value.iter().zip(&*self.value).map(|(x, model)| x - model);
        self.inject(&Zeroizing::new(step.collect::<Vec<f64>>()))
    }

    /// Adds the noise and the masks of this round and uses no data.
    pub fn pass(&mut self) -> Result<(), NodeError> {
        self.may_enter()?;
        self.enter(&vec![0.0; self.value.len()])
    }

    /// Checks that the data of this node may enter now.
    pub(crate) fn may_use_data(&self) -> Result<(), NodeError> {
        self.may_enter()?;
        if !self.is_its_turn() {
            return Err(NodeError::NotItsTurn { round: self.round() });
        }
        Ok(())
    }

    fn may_enter(&self) -> Result<(), NodeError> {
        let at = self.step();
        self.exchange.may_inject().map_err(|order| NodeError::order(order, at))?;
        if let Some(&(node, _)) = self.dropped.first() {
            return Err(NodeError::Missing { node });
        }
        if let Some(place) = self.greeted.iter().position(|greeted| !greeted) {
            return Err(NodeError::NotGreeted { from: self.peers[place] });
        }
        Ok(())
    }

    /// Moves the model by a step on the grid, and adds noise and masks, if the node
    /// [may](Node::may_enter).
    pub(crate) fn enter(&mut self, moved: &[f64]) -> Result<(), NodeError> {
        let at = self.step();
        let mut value = self.value.clone();
        self.agreed.terms.grid.round(&mut value)?;
        value.iter_mut().zip(moved).for_each(|(value, step)| *value += step);
        let key = match self.secrets {
            Secrets::Keys(_) => Some(SharedKey::random()?),
            Secrets::Seed(_) => None,
        };
        self.add_noise(key.as_ref(), at, &mut value)?;
        if let Some(masks) = &self.agreed.masks {
            let mut mask = Zeroizing::new(vec![0.0; value.len()]);
            for other in masks.neighbours(self.number) {
                let edge = (self.number.min(other), self.number.max(other));
                let deviation = self.agreed.deviation(Draw::Mask { time: at, edge });
                self.draw(NoiseOf::Edge(edge.0, edge.1), at, deviation, &mut mask)?;
                take_mask(self.number, other, &mask, &mut value);
            }
        }
        self.agreed.cut(&mut value);
        self.exchange.inject().map_err(|order| NodeError::order(order, at))?;
        (self.noise, self.value) = (key, value);
        self.forget();
        Ok(())
    }

    /// Overwrites the keys that no later draw needs.
    fn forget(&mut self) {
        if !self.draws_noise_later() {
            self.noise = None;
        }
        if self.exchange.is_finished() || !self.draws_masks_later() && self.has_keys() {
            self.secrets = Secrets::Keys(Vec::new());
        }
    }

    fn has_keys(&self) -> bool {
        matches!(self.secrets, Secrets::Keys(_))
    }

    /// Returns `true` if this round has fresh noise after this step.
    pub(crate) fn draws_noise_later(&self) -> bool {
        let time = self.step() + 1;
        let own = Draw::Own { time, node: self.number };
        self.exchange.phase() != Phase::Open
            && !time.is_multiple_of(self.agreed.protocol.gossip_steps())
            && self.agreed.deviation(own) > 0.0
    }

    /// Returns `true` if the input of a round has not entered.
    pub(crate) fn draws_masks_later(&self) -> bool {
        let gossip_steps = self.agreed.protocol.gossip_steps();
        let of_this_round = self.exchange.may_inject().is_ok();
        of_this_round || self.step() / gossip_steps + 1 < self.exchange.steps / gossip_steps
    }

    /// Draws the noise of this node or of an edge: from the seed, or from the key of its owner.
    fn draw(
        &self,
        of: NoiseOf<'_>,
        step: usize,
        deviation: f64,
        out: &mut [f64],
    ) -> Result<(), FastError> {
        let grid = self.agreed.terms.grid;
        match (&self.secrets, of) {
            (Secrets::Seed(seed), of) => {
                RoundedGaussian::seeded(grid, *seed).draw(of, step, deviation, out)
            }
            (Secrets::Keys(keys), NoiseOf::Edge(a, b)) => {
                let other = a ^ b ^ self.number;
                let key = keys.iter().find(|(peer, _)| *peer == other);
                let of = key.map_or(of, |(_, key)| NoiseOf::Key(key));
                RoundedGaussian::on(grid).draw(of, step, deviation, out)
            }
            (Secrets::Keys(_), of) => RoundedGaussian::on(grid).draw(of, step, deviation, out),
        }
    }

    /// Adds the noise of this node at `time`.
    fn add_noise(
        &self,
        key: Option<&SharedKey>,
        time: usize,
        value: &mut [f64],
    ) -> Result<(), FastError> {
        let mut drawn = Zeroizing::new(vec![0.0; value.len()]);
        let of = key.map_or(NoiseOf::Node(self.number), NoiseOf::Key);
        let deviation = self.agreed.deviation(Draw::Own { time, node: self.number });
        self.draw(of, time, deviation, &mut drawn)?;
        value.iter_mut().zip(&*drawn).for_each(|(value, noise)| *value += noise);
        Ok(())
    }

    /// Returns the message of this step, for every neighbour. Repeated calls return the same.
    ///
    /// # Errors
    /// [`NodeError::NotInjected`] before the input of the round, [`NodeError::NotSaved`] before the
    /// state of this step was saved, [`NodeError::Finished`] after the last step.
    pub fn message(&mut self) -> Result<Message, NodeError> {
        let step = self.step();
        self.exchange.send().map_err(|order| NodeError::order(order, step))?;
        Ok(self.says_values(step, &self.value))
    }

    /// Returns the message of a step once more, for a neighbour that asks for it.
    ///
    /// # Errors
    /// [`NodeError::NotKept`] unless it is of the step before or, if it was sent, of this one.
    pub fn resend(&self, step: usize) -> Result<Message, NodeError> {
        if step == self.step() && self.exchange.sent {
            return Ok(self.says_values(step, &self.value));
        }
        if self.step().checked_sub(1) == Some(step) {
            return Ok(self.says_values(step, &self.previous));
        }
        Err(NodeError::NotKept { step })
    }

    /// Returns the neighbours whose message of this step is missing, with the request to send it
    /// again. Ask after a restart, and when nothing has come for long.
    pub fn ask(&self) -> (Vec<usize>, Message) {
        let missing = self.places(|place| self.exchange.is_missing(place));
        (missing, self.says(Body::Ask { step: self.step() as u32 }))
    }

    fn says(&self, body: Body) -> Message {
        Message { run: self.agreed.terms.run, from: self.number as u32, body }
    }

    fn says_values(&self, step: usize, values: &[f64]) -> Message {
        let inverse = 1.0 / self.agreed.terms.grid.step(); // exact, as the step is a power of two
        let values = values.iter().map(|value| (value * inverse) as i64).collect();
        self.says(Body::Values { step: step as u32, values })
    }

    /// Takes a message: a greeting, values of a neighbour, or a request, which is answered.
    ///
    /// # Errors
    /// Refuses a message of another run, of a stranger, of a node with another fingerprint (which
    /// has to greet again), values before the greeting, of another step, for the second time, of a
    /// wrong width or out of range, and a request for what is not kept.
    ///
    /// [`NodeError::Conflict`] is an alarm: the sender has sent two messages for one step, so that
    /// its noise was drawn twice and its privacy is lost, or somebody else has its keys.
    pub fn receive(&mut self, message: &Message) -> Result<Option<Message>, NodeError> {
        let from = message.from as usize;
        let place = self.peers.binary_search(&from).map_err(|_| NodeError::Stranger { from })?;
        if let Body::Hello(theirs) = &message.body
            && let Some(part) = self.agreed.fingerprint.difference(theirs)
        {
            self.greeted[place] = false;
            return Err(NodeError::Differs { from, part });
        }
        if message.run != self.agreed.terms.run {
            return Err(NodeError::WrongRun { from });
        }
        match &message.body {
            Body::Hello(_) => {
                self.greeted[place] = true;
                Ok(None)
            }
            _ if !self.greeted[place] => Err(NodeError::NotGreeted { from }),
            Body::Ask { step } => match self.neighbours.binary_search(&from) {
                Err(_) => Err(NodeError::Stranger { from }),
                Ok(place) if self.exchange.is_gone(place) => Err(NodeError::DroppedOut { from }),
                Ok(_) => self.resend(*step as usize).map(Some),
            },
            Body::Values { step, values } => {
                let (step, current, width) = (*step as usize, self.step(), self.value.len());
                let taken = self.exchange.receive(&self.neighbours, from, step, values);
                let (widths, reach) = ((values.len(), width), self.agreed.reach());
                taken.map(|()| None).map_err(|refusal| {
                    NodeError::refusal(refusal, from, (step, current), widths, reach)
                })
            }
        }
    }

    /// Mixes and moves to the next step if [`Node::message`] was called and all messages of this
    /// step have arrived. Otherwise, and after the last step, does nothing and returns `false`.
    /// [Save](Node::save) the state before the next message.
    ///
    /// A state that leaves the range (of the grid; `2^40` steps with fresh noise) is cut to it, here
    /// and when an input enters: an error would speak of it without noise.
    ///
    /// # Errors
    /// If noise cannot be drawn; nothing changes.
    pub fn advance(&mut self) -> Result<bool, NodeError> {
        if !self.exchange.is_complete() {
            return Ok(false);
        }
        let (grid, gossip_steps) = (self.agreed.terms.grid, self.agreed.protocol.gossip_steps());
        let mut mixed = Zeroizing::new(vec![0.0; self.value.len()]);
        let (own, weights) =
            (self.agreed.weights.own(self.number), self.agreed.weights.row(self.number).1);
        self.exchange.mix(own, weights, grid.step(), &self.value, &mut mixed);
        if let Some(g) = self.agreed.acceleration()
            && !self.step().is_multiple_of(gossip_steps)
        {
            chebyshev(g, &mut mixed, &self.previous);
        }
        self.agreed.cut(&mut mixed);
        let next = self.step() + 1;
        if !next.is_multiple_of(gossip_steps) {
            grid.round(&mut mixed)?;
            self.add_noise(self.noise.as_ref(), next, &mut mixed)?;
            self.agreed.cut(&mut mixed);
        }
        self.previous = std::mem::replace(&mut self.value, mixed);
        self.exchange.advance();
        self.forget();
        Ok(true)
    }

    /// Ends the run before its last round, as after a loss: overwrites the keys and returns the
    /// model, which is also the [output](Node::output). The [record](Node::record) says how many
    /// rounds took place.
    ///
    /// # Errors
    /// [`NodeError::WithinRound`] unless a round is over.
    pub fn end(&mut self) -> Result<&[f64], NodeError> {
        if !self.exchange.end() {
            return Err(NodeError::WithinRound { step: self.step() });
        }
        self.forget();
        Ok(&self.value)
    }

    /// Checks that values are in the range of this protocol.
    pub(crate) fn check(&self, value: &[f64]) -> Result<(), FastError> {
        let (grid, reach) = (self.agreed.terms.grid, self.agreed.reach());
        match value.iter().position(|x| !in_reach(*x, grid, reach)) {
            Some(coordinate) => Err(FastError::OffGrid { coordinate, step: grid.step() }),
            None => Ok(()),
        }
    }

    /// Goes on without a neighbour that does not come back: what it has sent is used, later
    /// messages are refused, and it gets none. The weight of the edge goes to this node.
    ///
    /// **The masked bound survives this**, and nothing else does: it holds whatever is computed from
    /// masked states, as long as nobody reveals a mask. What fresh noise promises holds for the
    /// planned messages only, so with it, or without masks, a run must not go on: on the karate
    /// club with `refreshed:0.1` and 8 steps, a loss of 0.6 becomes 1 if the edge 0-11 ends after
    /// 3. A run that stops has sent a part of what was planned and accounted for.
    ///
    /// The round is finished without it. A later round of training refuses to start: [`end`](Node::end),
    /// account for those present and start a new run.
    ///
    /// # Errors
    /// [`NodeError::Stranger`], [`NodeError::Unmasked`] without masks and with fresh noise,
    /// [`NodeError::NotInjected`]
    /// before the input of this round (account for those present instead:
    /// [`NodeProtocol::of_present`]), [`NodeError::DroppedOut`] the second time, and
    /// [`NodeError::OutOfOrder`].
    pub fn drop_out(&mut self, from: usize) -> Result<(), NodeError> {
        let place =
            self.neighbours.binary_search(&from).map_err(|_| NodeError::Stranger { from })?;
        let masks = self.agreed.masks.as_ref().is_some_and(|masks| masks.edge_count() > 0);
        if !masks || self.agreed.protocol.is_refreshed() {
            return Err(NodeError::Unmasked { node: from });
        }
        if self.model().is_some() {
            return Err(NodeError::NotInjected { step: self.step() });
        }
        if self.exchange.is_gone(place) {
            return Err(NodeError::DroppedOut { from });
        }
        let until = self.exchange.drop_out(place).ok_or(NodeError::OutOfOrder { from })?;
        self.dropped.push((from, until));
        Ok(())
    }

    /// Returns the neighbours that dropped out, with the number of steps in which they took part.
    pub fn dropped(&self) -> &[(usize, usize)] {
        &self.dropped
    }

    /// Returns the result after the last step.
    pub fn output(&self) -> Option<&[f64]> {
        self.exchange.is_finished().then_some(&self.value[..])
    }
}

/// Checks that there is one key for each of the sorted `peers`, and that no two are equal.
pub(crate) fn check_keys(keys: &[(usize, SharedKey)], peers: &[usize]) -> Result<(), NodeError> {
    let count = |peer: usize| keys.iter().filter(|(other, _)| *other == peer).count();
    let mut named = peers.iter().copied().chain(keys.iter().map(|(peer, _)| *peer));
    let wrong = |peer: &usize| count(*peer) != 1 || peers.binary_search(peer).is_err();
    if let Some(peer) = named.find(wrong) {
        return Err(NodeError::Keys { peer });
    }
    for (place, (second, key)) in keys.iter().enumerate() {
        for (first, other) in &keys[..place] {
            if key.bytes().ct_eq(other.bytes()).into() {
                return Err(NodeError::EqualKeys { first: *first, second: *second });
            }
        }
    }
    Ok(())
}

fn check_width(what: &'static str, given: usize, expected: usize) -> Result<(), FastError> {
    if given == expected {
        return Ok(());
    }
    Err(FastError::WrongLength { what, given, expected })
}

/// Returns `true` if a value is at most `reach` steps from 0.
fn in_reach(value: f64, grid: Grid, reach: u64) -> bool {
    (value / grid.step()).abs() <= reach as f64
}

/// Prints the progress, not the private values.
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("number", &self.number)
            .field("step", &self.step())
            .field("phase", &self.exchange.phase())
            .finish_non_exhaustive()
    }
}
