//! A participant of the protocol: the messages it rejects, their order, and what it sends when.
//! Kani runs its core; enumeration also runs the whole node.

use crate::{Case, Choices, claim, cover};
use muffliato_node::{
    HEADER, Header,
    cores::{Exchange, Order, Phase, Refusal, admit},
};

/// Node 1 of the path 0 - 1 - 2, without noise, on a grid of step 1.
trait Participant {
    /// Creates the node with the value 8, before the first of `steps` steps, ready to send.
    fn new(steps: usize) -> Self;
    /// Receives a message, or returns why it is rejected.
    fn receive(&mut self, from: usize, step: usize, values: &[i64]) -> Result<(), Refusal>;
    /// Returns `true` if the neighbour has not sent yet.
    fn misses(&self, from: usize) -> bool;
    fn step(&self) -> usize;
    /// Saves and sends; returns `false` after the last step.
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
    exchange: Exchange<[bool; 6], [i64; 4]>,
    value: f64,
}

impl Participant for Core {
    fn new(steps: usize) -> Self {
        let mut exchange = Exchange::new((steps, steps), 1 << 52, [true; 6], [7; 4]);
        claim!(exchange.inject().is_ok(), "the input enters");
        exchange.saved();
        Self { exchange, value: 8.0 }
    }

    fn receive(&mut self, from: usize, step: usize, values: &[i64]) -> Result<(), Refusal> {
        self.exchange.receive(&NEIGHBOURS, from, step, values)
    }

    fn misses(&self, from: usize) -> bool {
        self.exchange.is_missing(usize::from(from == NEIGHBOURS[1]))
    }

    fn step(&self) -> usize {
        self.exchange.step()
    }

    fn speak(&mut self) -> bool {
        self.exchange.saved();
        self.exchange.send().is_ok()
    }

    fn advance(&mut self) -> bool {
        if !self.exchange.is_complete() {
            return false;
        }
        let mut mixed = [7.0];
        self.exchange.mix(OWN, &WEIGHTS, 1.0, &[self.value], &mut mixed);
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
    use super::{NEIGHBOURS, Participant, Refusal};
    use muffliato_fast::noise::Grid;
    use muffliato_model::{CustomWeights, Network, Protocol, WeightScheme, families};
    use muffliato_node::{Body, Message, Node, NodeError, NodeProtocol, Secrets, Terms};

    impl Participant for Node {
        fn new(steps: usize) -> Self {
            let graph = families::path(3).expect("a path");
            let quarters =
                [(0, 0, 3), (0, 1, 1), (1, 0, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1), (2, 2, 3)];
            let weights = CustomWeights::try_new(&graph, 4, quarters).expect("a matrix");
            let network = Network::try_new(graph, WeightScheme::Custom(weights)).expect("weights");
            let protocol = Protocol::one_shot(network, steps).expect("steps");
            // Noise of a 1024th of a step: none.
            let (grid, sigma) = (Grid::try_new(1.0).expect("a power of two"), 2_f64.powi(-10));
            let terms = Terms { sigma, sensitivity: 64.0, coordinates: 1, grid, run: [1; 16] };
            let agreed = NodeProtocol::of(&protocol, terms).expect("a protocol");
            let node = |v| agreed.node(v, vec![0.0], Secrets::Seed(0)).expect("a node");
            let mut middle = node(1);
            for v in NEIGHBOURS {
                middle.receive(&node(v).hello()).expect("the same protocol");
            }
            middle.inject(&[8.0]).expect("an input");
            middle.save();
            middle
        }

        fn receive(&mut self, from: usize, step: usize, values: &[i64]) -> Result<(), Refusal> {
            let body = Body::Values { step: step as u32, values: values.to_vec() };
            let message = Message { run: [1; 16], from: from as u32, body };
            Node::receive(self, &message).map(drop).map_err(|error| match error {
                NodeError::Stranger { .. } => Refusal::Stranger,
                NodeError::WrongStep { .. } => Refusal::WrongStep,
                NodeError::WrongWidth { .. } => Refusal::WrongWidth,
                NodeError::Duplicate { .. } => Refusal::Duplicate,
                NodeError::Conflict { .. } => Refusal::Conflict,
                NodeError::OutOfRange { coordinate, .. } => Refusal::OutOfRange(coordinate),
                other => panic!("no message is refused by {other}"),
            })
        }

        fn misses(&self, from: usize) -> bool {
            self.ask().0.contains(&from)
        }

        fn step(&self) -> usize {
            self.step()
        }

        fn speak(&mut self) -> bool {
            self.save();
            self.message().is_ok()
        }

        fn advance(&mut self) -> bool {
            self.advance().expect("no noise fails")
        }

        fn output(&self) -> Option<f64> {
            self.output().map(|value| value[0])
        }
    }
}

/// Finishes a step with the messages 16 and 32 of the neighbours that have not sent yet.
fn finish_step(node: &mut impl Participant) -> bool {
    let step = node.step();
    for (from, value) in [(0, 16), (2, 32)] {
        if node.misses(from) && node.receive(from, step, &[value]).is_err() {
            return false;
        }
    }
    node.speak() && node.advance()
}

pub fn neighbours_are_admitted_in_time<const N: usize>(choices: &mut impl Choices) -> Case {
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
    let from = if choices.flag() { choices.index(2 * N + 1) } else { choices.word() as usize };
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
        Err(_) => claim!(place.is_some() && !in_time, "a neighbour is refused for the step alone"),
    }
    cover!(choices, place.is_some() && in_time, "a message is taken");
    cover!(choices, far && place == Some(N - 1), "a far neighbour");
    Some(())
}

/// A message of any sender and step, with a number, one out of range, or too many numbers.
#[derive(Clone, Copy)]
struct Intruder {
    from: usize,
    step: usize,
    kind: usize,
    /// `true` if neighbour 0 has been heard before.
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
            claim!(node.receive(0, 0, &[16]).is_ok(), "a neighbour is heard");
        }
        let values: &[i64] = match self.kind {
            0 => &[1024],
            1 => &[i64::MIN],
            _ => &[1, 2],
        };
        match node.receive(self.from, self.step, values) {
            Ok(()) => {
                claim!(self.is_welcome(steps), "only what is welcome is taken");
                return;
            }
            Err(Refusal::Stranger) => claim!(!self.is_neighbour(), "strangers are strangers"),
            Err(Refusal::WrongStep) => claim!(!self.is_in_time(steps), "the step is wrong"),
            // What neighbour 0 sends first is another number.
            Err(Refusal::Conflict) => claim!(self.is_second(), "it is the second"),
            Err(Refusal::Duplicate) => claim!(false, "nothing is sent twice"),
            Err(Refusal::WrongWidth | Refusal::OutOfRange(_)) => {
                claim!(self.kind > 0, "the values are wrong");
            }
            Err(Refusal::DroppedOut) => claim!(false, "nobody dropped out"),
        }
        claim!(node.step() == 0, "the step stays");
        claim!(node.misses(0) != self.heard && node.misses(2), "those who were missing still are");
        for _ in 0..steps {
            claim!(finish_step(&mut node), "the protocol goes on");
        }
        let expected = [8.0, 16.0, 20.0, 22.0][steps];
        claim!(node.output() == Some(expected), "the result is that of the welcome messages");
    }
}

pub fn refused_messages_change_nothing<const N: usize>(choices: &mut impl Choices) -> Case {
    let drawn = Intruder {
        from: choices.index(3),
        step: choices.index(2),
        kind: choices.index(2),
        heard: choices.flag(),
    };
    drawn.intrude::<Core>(N);
    #[cfg(not(kani))]
    drawn.intrude::<muffliato_node::Node>(N);
    cover!(choices, drawn.is_welcome(N), "a message is taken");
    cover!(choices, drawn.is_second() && drawn.kind == 0, "a second message");
    Some(())
}

/// Delivers both messages, in this order or reversed.
fn hear_both<P: Participant>(first: i64, second: i64, turned: bool) {
    let mut order = [(0, first), (2, second)];
    if turned {
        order.swap(0, 1);
    }
    let mut node = P::new(1);
    for (from, value) in order {
        claim!(!node.advance(), "nothing happens before all have spoken");
        claim!(node.receive(from, 0, &[value]).is_ok(), "a neighbour is heard");
    }
    claim!(!node.advance(), "nothing happens before the node has spoken");
    claim!(node.speak(), "the node speaks");
    claim!(node.advance(), "then it advances");
    let expected = 0.5 * 8.0 + 0.25 * first as f64 + 0.25 * second as f64;
    claim!(node.output() == Some(expected), "summed in the order of the nodes, bit for bit");
}

pub fn the_order_of_messages_does_not_matter<const N: usize>(choices: &mut impl Choices) -> Case {
    const VALUES: [i64; 3] = [-8, 1 << 52, 3];
    let (first, second) = (choices.index(2), choices.index(2));
    let turned = choices.flag();
    hear_both::<Core>(VALUES[first], VALUES[second], turned);
    #[cfg(not(kani))]
    hear_both::<muffliato_node::Node>(VALUES[first], VALUES[second], turned);
    cover!(choices, turned && first != second, "turned around");
    Some(())
}

/// What a caller can do with a node.
#[derive(Clone, Copy, PartialEq)]
enum Move {
    Inject,
    Save,
    Send,
    Receive(usize),
    Advance,
    DropOut,
}

pub fn nothing_is_sent_unmasked_unsaved_or_out_of_order<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let mut exchange = Exchange::new((4, 2), 1 << 52, [true; 3], [7; 2]);
    // What the history allows: the rounds whose input entered, whether nothing changed since the state
    // was saved, whom it heard.
    let (mut entered, mut on_file, mut gone, mut sent_at) = (0, false, false, None);
    let mut heard = [false; 5];
    for _ in 0..N {
        let drawn = match choices.small(5) {
            0 => Move::Inject,
            1 => Move::Save,
            2 => Move::Send,
            3 => Move::Receive(choices.index(3)),
            4 => Move::Advance,
            _ => Move::DropOut,
        };
        let step = exchange.step();
        match drawn {
            Move::Inject => {
                let allowed = step < 4 && entered == step / 2;
                claim!(exchange.inject().is_ok() == allowed, "an input enters once a round");
                entered += usize::from(allowed);
                on_file &= !allowed;
            }
            Move::Save => {
                exchange.saved();
                on_file = true;
            }
            Move::Send => match exchange.send() {
                Ok(()) => {
                    claim!(step < 4 && step / 2 < entered, "no message without noise and masks");
                    claim!(on_file, "nothing is sent that is not on file");
                    sent_at = Some(step);
                }
                Err(Order::Finished) => claim!(step == 4, "the end is the end"),
                Err(Order::NotInjected) => claim!(entered == step / 2, "the input is missing"),
                Err(order) => {
                    claim!(order == Order::NotSaved && !on_file, "the state is not on file");
                }
            },
            Move::Receive(of) => match exchange.receive(&[0], 0, of, &[1]) {
                Ok(()) => {
                    claim!(of == step || of == step + 1, "a step out of order is not accepted");
                    claim!(!gone && !heard[of], "nothing is accepted twice or from the dropped");
                    heard[of] = true;
                }
                Err(Refusal::DroppedOut) => claim!(gone, "it dropped out"),
                Err(Refusal::Duplicate) => claim!(heard[of], "it was heard before"),
                Err(refusal) => {
                    claim!(
                        refusal == Refusal::WrongStep && of != step && of != step + 1,
                        "the step is wrong"
                    );
                }
            },
            Move::Advance => {
                if exchange.is_complete() {
                    claim!(sent_at == Some(step), "a step ends when its message was sent");
                    claim!(heard[step] || gone, "and when the neighbour was heard, or dropped");
                    exchange.advance();
                    on_file = false;
                    claim!(exchange.step() == step + 1, "steps follow each other");
                }
            }
            Move::DropOut => {
                let next = step < 4 && heard[step + 1];
                match exchange.drop_out(0) {
                    Some(until) => {
                        (gone, on_file) = (true, false);
                        claim!(until >= step && until <= step + 2, "what was heard counts");
                    }
                    None => {
                        claim!(next && !heard[step], "a message is missing before one that came")
                    }
                }
            }
        }
    }
    cover!(choices, sent_at == Some(1), "the second step is reached");
    cover!(choices, exchange.phase() == Phase::Unsaved, "a state is not on file");
    Some(())
}

pub fn headers_are_read_exactly_as_written<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut bytes = [0; HEADER];
    bytes[0] = choices.byte(&[0, 1, 2]);
    bytes[1] = choices.byte(&[0, 1]);
    bytes[2] = choices.byte(&[0, 1, 2, 3, 4]);
    bytes[3] = choices.byte(&[0, 1]);
    bytes[4] = choices.byte(&[0, 31, 32, 36, 40]);
    bytes[5] = choices.byte(&[0, 1]);
    bytes[7] = choices.byte(&[0, 255]);
    bytes[8] = choices.byte(&[7]);
    bytes[24] = choices.byte(&[0, 3]);
    bytes[28] = choices.byte(&[0, 1]);
    let cut = choices.index(HEADER);
    let most = HEADER + 256;
    let stated = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize;
    let whole = [bytes[0], bytes[1]] == [1, 0] && stated <= most && stated >= HEADER;
    let payload = stated.wrapping_sub(HEADER);
    let fits = match [bytes[2], bytes[3]] {
        [1, 0] => payload == 7 * 32 && bytes[28] == 0,
        [2, 0] => payload.is_multiple_of(8),
        [3, 0] => payload == 0,
        _ => false,
    };
    let read = Header::read(&bytes[..cut], most);
    claim!(read.is_ok() == (cut == HEADER && whole && fits), "exactly whole headers are read");
    if let Ok(header) = read {
        claim!(header.length == stated, "the length is the one that was written");
        claim!(header.kind == u16::from(bytes[2]), "and so is the kind");
        claim!(header.run[0] == bytes[8] && header.from == u32::from(bytes[24]), "run and sender");
        claim!(header.step == u32::from(bytes[28]), "and the step");
        #[cfg(not(kani))]
        {
            use muffliato_node::Message;
            let mut message = bytes.to_vec();
            message.resize(stated, N as u8);
            let decoded = Message::from_bytes(&message, most).expect("a message");
            claim!(decoded.to_bytes() == message, "a message is written as it was read");
            message.push(0);
            claim!(Message::from_bytes(&message, most).is_err(), "nothing may follow it");
        }
    }
    cover!(choices, read.is_ok() && bytes[2] == 1, "a greeting");
    cover!(choices, read.is_ok() && bytes[2] == 2 && stated > HEADER, "values");
    Some(())
}
