//! A participant of the protocol: the messages it rejects, and their order. Kani runs its
//! message-handling core; enumeration also runs the whole node.

use crate::{Choices, claim, cover};
use muffliato_fast::cores::{Exchange, Refusal, admit};

/// Node 1 of the path 0 - 1 - 2, without noise.
trait Participant {
    /// Creates the node with the value 4, before the first of `steps` steps.
    fn new(steps: usize) -> Self;
    /// Receives a message, or returns why it is rejected.
    fn receive(&mut self, from: usize, step: usize, values: &[f64]) -> Result<(), Refusal>;
    /// Returns `true` if the neighbour has not sent yet.
    fn misses(&self, from: usize) -> bool;
    fn step(&self) -> usize;
    /// Sends; returns `false` after the last step.
    fn speak(&mut self) -> bool;
    /// Mixes and advances; returns `false` if a message is missing.
    fn advance(&mut self) -> bool;
    /// Returns the result after the last step.
    fn output(&self) -> Option<f64>;
}

const NEIGHBOURS: [usize; 2] = [0, 2];
const OWN: f64 = 0.5;
const WEIGHTS: [f64; 2] = [0.25, 0.25];

/// The core with storage for two neighbours and messages of one number.
struct Core {
    exchange: Exchange<[bool; 4], [f64; 4]>,
    value: f64,
}

impl Participant for Core {
    fn new(steps: usize) -> Self {
        Self {
            exchange: Exchange::new(steps, [true; 4], [7.0; 4]),
            value: 4.0,
        }
    }

    fn receive(&mut self, from: usize, step: usize, values: &[f64]) -> Result<(), Refusal> {
        self.exchange.receive(&NEIGHBOURS, from, step, values)
    }

    fn misses(&self, from: usize) -> bool {
        self.exchange.is_missing(usize::from(from == NEIGHBOURS[1]))
    }

    fn step(&self) -> usize {
        self.exchange.step()
    }

    fn speak(&mut self) -> bool {
        self.exchange.send()
    }

    fn advance(&mut self) -> bool {
        if !self.exchange.is_complete() {
            return false;
        }
        let mut mixed = [7.0];
        self.exchange.mix(OWN, &WEIGHTS, &[self.value], &mut mixed);
        self.exchange.advance();
        self.value = mixed[0];
        true
    }

    fn output(&self) -> Option<f64> {
        self.exchange.is_finished().then_some(self.value)
    }
}

#[cfg(not(kani))]
mod whole {
    use super::{NEIGHBOURS, OWN, Participant, Refusal, WEIGHTS};
    use muffliato_fast::{
        FastError,
        node::{Node, NodeError, NodeProtocol, NodeWeights},
        noise::{NoiseOf, NoiseSource},
    };

    /// A noise source that draws zeros.
    pub(super) struct Silence;

    impl NoiseSource for Silence {
        fn draw(&self, _: NoiseOf<'_>, _: usize, _: f64, out: &mut [f64]) -> Result<(), FastError> {
            out.fill(0.0);
            Ok(())
        }
    }

    impl Participant for Node<Silence> {
        fn new(steps: usize) -> Self {
            let neighbours = NEIGHBOURS.into_iter().zip(WEIGHTS);
            let weights = NodeWeights::try_new(1, OWN, neighbours).expect("a row");
            let protocol = NodeProtocol {
                steps,
                sigma: 0.0,
                tau: 0.0,
                acceleration: None,
            };
            Node::try_new(vec![4.0], weights, protocol, Silence).expect("a node")
        }

        fn receive(&mut self, from: usize, step: usize, values: &[f64]) -> Result<(), Refusal> {
            Node::receive(self, from, step, values).map_err(|error| match error {
                NodeError::Stranger { .. } => Refusal::Stranger,
                NodeError::WrongStep { .. } => Refusal::WrongStep,
                NodeError::WrongWidth { .. } => Refusal::WrongWidth,
                NodeError::Duplicate { .. } => Refusal::Duplicate,
                NodeError::NotFinite { value, .. } => Refusal::NotFinite(value),
                other => panic!("no message is refused by {other}"),
            })
        }

        fn misses(&self, from: usize) -> bool {
            self.missing().any(|missing| missing == from)
        }

        fn step(&self) -> usize {
            self.step()
        }

        fn speak(&mut self) -> bool {
            self.message().is_some()
        }

        fn advance(&mut self) -> bool {
            self.advance().expect("no noise fails")
        }

        fn output(&self) -> Option<f64> {
            self.output().map(|value| value[0])
        }
    }
}

/// Finishes a step with the messages 8 and 16 of the neighbours that have not sent yet.
fn finish_step(node: &mut impl Participant) -> bool {
    let step = node.step();
    for (from, value) in [(0, 8.0), (2, 16.0)] {
        if node.misses(from) && node.receive(from, step, &[value]).is_err() {
            return false;
        }
    }
    node.speak() && node.advance()
}

/// N neighbours, any sender, step and state of the node.
pub(crate) fn neighbours_are_admitted_in_time<C: Choices, const N: usize>(
    choices: &mut C,
) -> Option<()> {
    let mut neighbours = [0; N];
    let mut next = 0;
    for neighbour in &mut neighbours {
        next += 1 + choices.index(1);
        *neighbour = next;
    }
    // Neighbours may also have large numbers.
    let far = choices.flag();
    if far {
        neighbours[N - 1] = usize::MAX;
    }
    let from = if choices.flag() {
        choices.index(2 * N + 1)
    } else {
        choices.word() as usize
    };
    // Step and number of steps, by their distance from the current step.
    let current = choices.word() as usize;
    let step = current.wrapping_add(choices.index(3)).wrapping_sub(1);
    let steps = current.wrapping_add(choices.index(3)).wrapping_sub(1);
    let mut place = None;
    for at in 0..N {
        if neighbours[at] == from {
            place = Some(at);
        }
    }
    let in_time = current <= step && step - current <= 1 && step < steps;
    match admit(&neighbours, current, steps, from, step) {
        Ok((at, ahead)) => {
            claim!(in_time, "the message is in time");
            claim!(Some(at) == place, "the place is the neighbour's");
            claim!(current + ahead == step, "the step is the message's");
        }
        Err(Refusal::Stranger) => claim!(place.is_none(), "strangers are strangers"),
        Err(_) => claim!(
            place.is_some() && !in_time,
            "a neighbour is refused for the step alone"
        ),
    }
    cover!(choices, place.is_some() && in_time, "a message is taken");
    cover!(choices, far && place == Some(N - 1), "a far neighbour");
    Some(())
}

/// A message of any sender and step, with a number, NaN, or too many numbers.
#[derive(Clone, Copy)]
struct Intruder {
    from: usize,
    step: usize,
    kind: usize,
    /// Whether neighbour 0 has been heard before.
    heard: bool,
}

impl Intruder {
    fn is_neighbour(self) -> bool {
        self.from == 0 || self.from == 2
    }

    fn is_in_time(self, steps: usize) -> bool {
        self.step < steps && self.step <= 1
    }

    fn is_second(self) -> bool {
        self.heard && self.from == 0 && self.step == 0
    }

    fn is_welcome(self, steps: usize) -> bool {
        self.is_neighbour() && self.is_in_time(steps) && self.kind == 0 && !self.is_second()
    }

    /// Sends the message to a node of `steps` steps, and runs the protocol to its end if the
    /// message is rejected.
    fn intrude<P: Participant>(self, steps: usize) {
        let mut node = P::new(steps);
        if self.heard {
            claim!(node.receive(0, 0, &[8.0]).is_ok(), "a neighbour is heard");
        }
        let values: &[f64] = match self.kind {
            0 => &[1024.0],
            1 => &[f64::NAN],
            _ => &[1.0, 2.0],
        };
        match node.receive(self.from, self.step, values) {
            Ok(()) => {
                claim!(self.is_welcome(steps), "only what is welcome is taken");
                return;
            }
            Err(Refusal::Stranger) => claim!(!self.is_neighbour(), "strangers are strangers"),
            Err(Refusal::WrongStep) => claim!(!self.is_in_time(steps), "the step is wrong"),
            Err(Refusal::Duplicate) => claim!(self.is_second(), "it is the second"),
            Err(Refusal::WrongWidth | Refusal::NotFinite(_)) => {
                claim!(self.kind > 0, "the values are wrong");
            }
        }
        claim!(node.step() == 0, "the step stays");
        claim!(
            node.misses(0) != self.heard && node.misses(2),
            "those who were missing still are"
        );
        for _ in 0..steps {
            claim!(finish_step(&mut node), "the protocol goes on");
        }
        let expected = [4.0, 8.0, 10.0, 11.0][steps];
        claim!(
            node.output() == Some(expected),
            "the result is that of the welcome messages"
        );
    }
}

/// A node of N steps, in its first.
pub(crate) fn refused_messages_change_nothing<C: Choices, const N: usize>(
    choices: &mut C,
) -> Option<()> {
    let drawn = Intruder {
        from: choices.index(3),
        step: choices.index(2),
        kind: choices.index(2),
        heard: choices.flag(),
    };
    drawn.intrude::<Core>(N);
    #[cfg(not(kani))]
    drawn.intrude::<muffliato_fast::node::Node<whole::Silence>>(N);
    cover!(choices, drawn.is_welcome(N), "a message is taken");
    cover!(
        choices,
        drawn.is_second() && drawn.kind == 0,
        "a second message"
    );
    Some(())
}

/// Delivers both messages, in this order or reversed.
fn hear_both<P: Participant>(first: f64, second: f64, turned: bool) {
    let mut order = [(0, first), (2, second)];
    if turned {
        order.swap(0, 1);
    }
    let mut node = P::new(1);
    for (from, value) in order {
        claim!(!node.advance(), "nothing happens before all have spoken");
        claim!(
            node.receive(from, 0, &[value]).is_ok(),
            "a neighbour is heard"
        );
    }
    claim!(
        !node.advance(),
        "nothing happens before the node has spoken"
    );
    claim!(node.speak(), "the node speaks");
    claim!(node.advance(), "then it advances");
    let expected = 0.5 * 4.0 + 0.25 * first + 0.25 * second;
    claim!(
        node.output() == Some(expected),
        "the sum is taken in the order of the nodes, bit for bit"
    );
}

/// Values of different sizes, whose sum depends on the order; the size is not used.
pub(crate) fn the_order_of_messages_does_not_matter<C: Choices, const N: usize>(
    choices: &mut C,
) -> Option<()> {
    const VALUES: [f64; 3] = [-8.0, 1e-16, 3.0];
    let (first, second) = (choices.index(2), choices.index(2));
    let turned = choices.flag();
    hear_both::<Core>(VALUES[first], VALUES[second], turned);
    #[cfg(not(kani))]
    hear_both::<muffliato_fast::node::Node<whole::Silence>>(VALUES[first], VALUES[second], turned);
    cover!(choices, turned && first != second, "turned around");
    Some(())
}
