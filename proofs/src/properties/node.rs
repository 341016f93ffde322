//! One participant of the protocol: what it refuses, and the order of messages.

use crate::{Choices, Fault, claim, cover, split};
use muffliato_fast::{
    FastError,
    cores::{Refusal, admit},
    node::{Node, NodeError, NodeProtocol, NodeWeights},
    noise::NoiseSource,
};

/// No noise: the protocol without its random part.
struct Silence;

impl NoiseSource for Silence {
    fn fill(&self, _: usize, _: usize, _: f64, out: &mut [f64]) -> Result<(), FastError> {
        out.fill(0.0);
        Ok(())
    }
}

/// Node 1 of the path 0 - 1 - 2, of `steps` steps.
fn node(steps: usize) -> Node<Silence> {
    let weights = known(NodeWeights::try_new(1, 0.5, [(0, 0.25), (2, 0.25)]));
    let protocol = NodeProtocol {
        steps,
        sigma: 0.0,
        tau: 0.0,
        acceleration: None,
    };
    known(Node::try_new(vec![4.0], weights, protocol, Silence))
}

/// What cannot fail; without the text of the error, which a model checker would have to follow.
fn known<T, E>(made: Result<T, E>) -> T {
    match made {
        Ok(made) => made,
        Err(_) => panic!("the node of the property is refused"),
    }
}

/// One step with the messages 8 and 16, from whom they are still missing.
fn finish_step(node: &mut Node<Silence>) -> bool {
    let step = node.step();
    let mut missing = [false; 3];
    for from in node.missing() {
        missing[from] = true;
    }
    for (from, value) in [(0, 8.0), (2, 16.0)] {
        if missing[from] && node.receive(from, step, &[value]).is_err() {
            return false;
        }
    }
    node.message().is_some() && matches!(node.advance(), Ok(true))
}

/// N neighbours, any sender, step and state of the node.
pub(crate) fn neighbours_are_admitted_in_time<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let mut neighbours = [0; N];
    let mut next = 0;
    for neighbour in &mut neighbours {
        next += 1 + choices.index(1);
        *neighbour = next;
    }
    // Large numbers among the neighbours, too.
    let far = choices.flag();
    if far {
        neighbours[N - 1] = usize::MAX;
    }
    let from = if choices.flag() {
        choices.index(2 * N + 1)
    } else {
        choices.word() as usize
    };
    // A step by its distance from the current one, and a number of steps likewise.
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
    let answer = if fault.planted() {
        admit(&neighbours, current, steps.saturating_add(1), from, step)
    } else {
        admit(&neighbours, current, steps, from, step)
    };
    match answer {
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

/// A message of any sender and step, and what it holds: a number, NaN, or too much.
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

    /// Tries the message on a node of so many steps, and runs the protocol to its end if it is refused.
    fn intrude(self, steps: usize, fault: Fault) {
        let mut left = node(steps);
        if self.heard {
            claim!(left.receive(0, 0, &[8.0]).is_ok(), "a neighbour is heard");
        }
        let values: &[f64] = match self.kind {
            0 => &[1024.0],
            1 => &[f64::NAN],
            _ => &[1.0, 2.0],
        };
        match left.receive(self.from, self.step, values) {
            Ok(()) => {
                claim!(self.is_welcome(steps), "only what is welcome is taken");
                return;
            }
            Err(NodeError::Stranger { .. }) => {
                claim!(!self.is_neighbour(), "strangers are strangers");
            }
            Err(NodeError::WrongStep { .. }) => {
                claim!(!self.is_in_time(steps), "the step is wrong");
            }
            Err(NodeError::Duplicate { .. }) => claim!(self.is_second(), "it is the second"),
            Err(_) => claim!(self.kind > 0, "the values are wrong"),
        }
        claim!(left.step() == 0, "the step stays");
        let mut missing = 0;
        for _ in left.missing() {
            missing += 1;
        }
        claim!(
            missing == 2 - usize::from(self.heard),
            "those who were missing still are"
        );
        if fault.planted() {
            left = node(steps + 1);
        }
        for _ in 0..steps {
            claim!(finish_step(&mut left), "the protocol goes on");
        }
        let expected = [4.0, 8.0, 10.0, 11.0][steps];
        claim!(
            matches!(left.output(), Some(&[value]) if value == expected),
            "the result is that of the welcome messages"
        );
    }
}

/// A node of N steps, in its first.
pub(crate) fn refused_messages_change_nothing<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    let drawn = Intruder {
        from: choices.index(3),
        step: choices.index(2),
        kind: choices.index(2),
        heard: choices.flag(),
    };
    split(drawn.from, 3, |from| {
        split(drawn.step, 2, |step| {
            split(drawn.kind, 2, |kind| {
                split(usize::from(drawn.heard), 1, |heard| {
                    let heard = heard == 1;
                    let intruder = Intruder {
                        from,
                        step,
                        kind,
                        heard,
                    };
                    intruder.intrude(N, fault);
                });
            });
        });
    });
    cover!(choices, drawn.is_welcome(N), "a message is taken");
    cover!(
        choices,
        drawn.is_second() && drawn.kind == 0,
        "a second message"
    );
    Some(())
}

/// Both neighbours speak, in this order or turned around.
fn hear_both(first: f64, second: f64, turned: bool, fault: Fault) {
    let mut order = [(0, first), (2, second)];
    if turned {
        order.swap(0, 1);
    }
    let mut left = node(1);
    for (from, value) in order {
        claim!(
            matches!(left.advance(), Ok(false)),
            "nothing happens before all have spoken"
        );
        claim!(
            left.receive(from, 0, &[value]).is_ok(),
            "a neighbour is heard"
        );
    }
    claim!(
        matches!(left.advance(), Ok(false)),
        "nothing happens before the node has spoken"
    );
    claim!(left.message().is_some(), "the node speaks");
    claim!(matches!(left.advance(), Ok(true)), "then it advances");
    let (first, second) = if fault.planted() && turned {
        (second, first)
    } else {
        (first, second)
    };
    let expected = 0.5 * 4.0 + 0.25 * first + 0.25 * second;
    claim!(
        matches!(left.output(), Some(&[value]) if value == expected),
        "the sum is taken in the order of the nodes, bit for bit"
    );
}

/// Values of different sizes, whose sum depends on the order; the size has no meaning here.
pub(crate) fn the_order_of_messages_does_not_matter<C: Choices, const N: usize>(
    choices: &mut C,
    fault: Fault,
) -> Option<()> {
    const VALUES: [f64; 3] = [-8.0, 1e-16, 3.0];
    let (first, second) = (choices.index(2), choices.index(2));
    let turned = choices.flag();
    split(first, 2, |first| {
        split(second, 2, |second| {
            split(usize::from(turned), 1, |turned| {
                hear_both(VALUES[first], VALUES[second], turned == 1, fault);
            });
        });
    });
    cover!(choices, turned && first != second, "turned around");
    Some(())
}
