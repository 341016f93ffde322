//! The exact run of a protocol: what each node's state is made of.
//!
//! Every algorithm is linear, so the state of node w at time t is a row of coefficients over the
//! **draws** of the protocol: one coordinate for each (time with noise, node). An input enters at
//! the same place as the noise that protects it, so the same row tells how inputs reach w.

use crate::{
    ExactInteger, GossipMatrix, ReferenceError,
    arithmetic::{chebyshev_step, multiply},
    rational::{fitted, rational},
};
use muffliato_model::{Noise, Protocol, Schedule};
use num_bigint::BigInt;
use num_rational::Ratio;

/// The coefficients of all states of a protocol, at times 0..=T.
///
/// At a time t < T they are those of the messages that are sent at t (after the injection of that
/// step); at T they are those of the output.
#[derive(Clone, Debug)]
pub struct Process<I = BigInt> {
    protocol: Protocol,
    /// The times at which noise is drawn, in order.
    draw_times: Vec<usize>,
    states: Vec<State<I>>,
}

/// The coefficients of all nodes at one time, over a common denominator.
#[derive(Clone, Debug)]
pub(crate) struct State<I> {
    /// One row a node, one column a draw.
    pub numerators: Vec<I>,
    pub denominator: I,
}

impl<I: ExactInteger> Process<I> {
    /// The most numbers that a run stores.
    pub const MAX_ENTRIES: u128 = 50_000_000;

    /// Runs `protocol` on symbols: inject, send, mix, for each step in turn.
    pub fn run(protocol: &Protocol) -> Result<Self, ReferenceError> {
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let drawn = match protocol.refresh() {
            Some(_) => steps,
            None => protocol.rounds(),
        };
        let entries = nodes as u128 * nodes as u128 * drawn as u128 * (steps as u128 + 1);
        if entries > Self::MAX_ENTRIES {
            return Err(ReferenceError::TooLarge {
                nodes,
                steps,
                entries,
                limit: Self::MAX_ENTRIES,
            });
        }
        let draw_times: Vec<_> = (0..steps)
            .filter(|&t| protocol.noise(t) != Noise::None)
            .collect();
        let width = draw_times.len() * nodes;

        let mut states = Vec::with_capacity(steps + 1);
        let mut state = State {
            numerators: vec![I::zero(); nodes * width],
            denominator: I::one(),
        };
        let mut previous: Option<State<I>> = None;
        let mut matrix = GossipMatrix::of_step(protocol.step(0))?;
        let mut block = 0;
        for t in 0..steps {
            if protocol.has_input(t) {
                previous = None;
                if t > 0 {
                    state.react(protocol, width)?;
                }
            }
            if protocol.noise(t) != Noise::None {
                state.inject(nodes, width, block);
                block += 1;
            }
            states.push(state.clone());
            if t > 0 && !matches!(protocol.schedule(), Schedule::Fixed(_)) {
                matrix = GossipMatrix::of_step(protocol.step(t))?;
            }
            let mut mixed = state.mixed(&matrix, width);
            if let (Some(g), Some(previous)) = (protocol.acceleration(), &previous) {
                let (above, below) = (fitted::<I>(g.numerator())?, fitted::<I>(g.denominator())?);
                // Over the new denominator `below * mixed.denominator`, g is `above` and the
                // previous state counts `(below - above)` times the ratio of denominators.
                let ratio = mixed.denominator.over(&previous.denominator);
                let behind = below.less(&above).times(&ratio);
                chebyshev_step(&mut mixed.numerators, &previous.numerators, &above, &behind);
                mixed.denominator *= &below;
            }
            previous = Some(std::mem::replace(&mut state, mixed));
        }
        states.push(state);
        Ok(Self {
            protocol: protocol.clone(),
            draw_times,
            states,
        })
    }

    /// The protocol that was run.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// The times at which noise is drawn.
    pub fn draw_times(&self) -> &[usize] {
        &self.draw_times
    }

    /// The number of draws, one for each drawing time and node.
    pub(crate) fn width(&self) -> usize {
        self.draw_times.len() * self.protocol.nodes()
    }

    pub(crate) fn state(&self, t: usize) -> &State<I> {
        &self.states[t]
    }

    /// The coefficients of node w's state at time t over all draws, and their denominator.
    pub(crate) fn row(&self, t: usize, w: usize) -> (&[I], &I) {
        let state = self.state(t);
        let width = self.width();
        (
            &state.numerators[w * width..(w + 1) * width],
            &state.denominator,
        )
    }

    /// The coefficients of the state of `node` at `time` (of its message, if `time < T`) over all draws:
    /// for each time in [`Process::draw_times`], one coefficient for each node. `None` if there is no
    /// such time or node.
    pub fn coefficients(&self, time: usize, node: usize) -> Option<Vec<Ratio<I>>> {
        if time > self.protocol.steps() || node >= self.protocol.nodes() {
            return None;
        }
        let (row, denominator) = self.row(time, node);
        let over = |entry: &I| Ratio::new(entry.clone(), denominator.clone());
        Some(row.iter().map(over).collect())
    }

    /// The draws that protect inputs: for each round, the coordinate of node 0 in its block.
    pub(crate) fn input_blocks(&self) -> Vec<usize> {
        let nodes = self.protocol.nodes();
        let numbered = self.draw_times.iter().enumerate();
        numbered
            .filter(|&(_, &t)| self.protocol.has_input(t))
            .map(|(block, _)| block * nodes)
            .collect()
    }
}

impl<I: ExactInteger> State<I> {
    /// Every node adds the draw of this block, with coefficient 1.
    fn inject(&mut self, nodes: usize, width: usize, block: usize) {
        for w in 0..nodes {
            self.numerators[w * width + block * nodes + w] += &self.denominator;
        }
    }

    /// Node w multiplies its state by `1 - nu a_w` (quadratic losses).
    fn react(&mut self, protocol: &Protocol, width: usize) -> Result<(), ReferenceError> {
        let Some(factors) = protocol.reaction() else {
            return Ok(());
        };
        let factors = factors
            .iter()
            .map(|&factor| rational::<I>(factor))
            .collect::<Result<Vec<_>, _>>()?;
        let common = factors
            .iter()
            .fold(I::one(), |lcm, factor| lcm.lcm(factor.denom()));
        for (row, factor) in self.numerators.chunks_exact_mut(width).zip(&factors) {
            let scale = common.over(factor.denom()).times(factor.numer());
            for entry in row {
                *entry *= &scale;
            }
        }
        self.denominator *= &common;
        Ok(())
    }

    /// `W y`.
    fn mixed(&self, matrix: &GossipMatrix<I>, width: usize) -> Self {
        let mut numerators = vec![I::zero(); self.numerators.len()];
        multiply(
            matrix.numerators(),
            &self.numerators,
            matrix.nodes(),
            width,
            &mut numerators,
        );
        Self {
            numerators,
            denominator: self.denominator.times(matrix.denominator()),
        }
    }
}
