//! The exact run of a protocol: the coefficients of every state.
//!
//! Every algorithm is linear, so the state of node w at time t is a row of coefficients over the
//! **draws** of the protocol: one coordinate for each (time with noise, node), then one for each
//! mask. An input enters at the same place as the noise that protects it, so the same row tells how
//! inputs reach w.

use crate::{
    GossipMatrix, ReferenceError,
    arithmetic::{chebyshev_step, multiply},
    checks::check_work,
    rational::rational,
};
use muffliato_model::{Draw, Protocol, Step};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The coefficients of all states of a protocol, at times 0..=T.
///
/// At t < T they belong to the messages sent at t (after the injection of that step); at T they
/// belong to the output.
///
/// ```
/// use muffliato_model::{Network, Protocol, WeightScheme, families};
/// use muffliato_reference::Process;
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let process = Process::run(&Protocol::one_shot(path, 2)?)?;
/// assert_eq!(process.draw_times(), [0]);
/// let output = process.coefficients(2, 0).unwrap(); // the first row of W^2
/// let shown: Vec<_> = output.iter().map(ToString::to_string).collect();
/// assert_eq!(shown, ["5/9", "1/3", "1/9"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Process {
    protocol: Protocol,
    /// The times at which noise is drawn, in order.
    draw_times: Vec<usize>,
    /// The draws of the columns.
    draws: Vec<Draw>,
    states: Vec<State>,
}

/// The coefficients of all nodes at one time, over a common denominator.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// One row per node, one column per draw.
    pub numerators: Vec<BigInt>,
    pub denominator: BigInt,
}

impl Process {
    /// Runs `protocol` symbolically: inject, send and mix at each step.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::TooLarge`] if the coefficients are too many.
    pub fn run(protocol: &Protocol) -> Result<Self, ReferenceError> {
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let drawn = if protocol.is_refreshed() { steps } else { protocol.rounds() };
        check_work(nodes, nodes.saturating_mul(drawn), steps)?;
        let draw_times: Vec<_> = (0..steps).filter(|&t| protocol.draws(t)).collect();
        let draws = protocol.all_draws()?;
        let width = draws.len();
        check_work(nodes, width, steps)?;

        let mut states = Vec::with_capacity(steps + 1);
        let mut gossip = Gossip::new(protocol, State::zero(nodes, width), width)?;
        for t in 0..steps {
            if protocol.has_input(t) {
                gossip.previous = None;
                gossip.state.react(protocol, width);
            }
            gossip.state.inject(&draws, t);
            states.push(gossip.state.clone());
            gossip.mix(t)?;
        }
        states.push(gossip.state);
        Ok(Self { protocol: protocol.clone(), draw_times, draws, states })
    }

    /// Estimates the operations on machine words of [`Process::run`], to choose an engine by. Stops
    /// counting beyond `enough`.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    /// use muffliato_reference::Process;
    ///
    /// let work = |spec: &str| -> Result<u128, Box<dyn std::error::Error>> {
    ///     let network = Network::metropolis(spec.parse()?)?;
    ///     Ok(Process::work(&Protocol::one_shot(network, 6)?, u128::MAX))
    /// };
    /// assert!(work("path:10")? < work("karate")? && work("karate")? < work("hypercube:10")?);
    /// let endless = Protocol::one_shot(Network::metropolis("path:10".parse()?)?, 10_000_000)?;
    /// assert!(Process::work(&endless, 1_000_000) > 1_000_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn work(protocol: &Protocol, enough: u128) -> u128 {
        /// The operations of a product of two short integers.
        const PRODUCT: u64 = 32;
        let (nodes, steps) = (protocol.nodes() as u128, protocol.steps());
        let drawn = if protocol.is_refreshed() { steps } else { protocol.rounds() } as u128;
        let masks = protocol.masks().map_or(0, |masks| match (masks.graph(), protocol.step(0)) {
            (Some(graph), _) => graph.edge_count() as u128,
            (None, Step::Network(network)) => network.graph().edge_count() as u128,
            (None, Step::EdgeAverage { .. }) => 1,
        });
        let draws = nodes * drawn + masks * protocol.rounds() as u128;
        let accelerated = protocol
            .acceleration()
            .map_or(0, |g| u64::from(128 - g.denominator().unsigned_abs().leading_zeros()));
        let (mut bits, mut sum, mut last) = (0, 0_u128, (0, 0));
        for t in 0..steps {
            if sum > enough {
                break;
            }
            let step = protocol.step(t);
            if t == 0 || !step.is_same_network(&protocol.step(t - 1)) {
                let entries = match step {
                    Step::Network(network) => nodes + 2 * network.graph().edge_count() as u128,
                    Step::EdgeAverage { .. } => nodes + 2,
                };
                last = (entries, GossipMatrix::denominator_bits(step) + accelerated);
            }
            let words = u128::from(PRODUCT + bits / 64);
            sum = sum.saturating_add((last.0 * words).saturating_mul(draws) + nodes * nodes);
            bits += last.1;
        }
        sum
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// Returns the times at which noise is drawn.
    pub fn draw_times(&self) -> &[usize] {
        &self.draw_times
    }

    /// Returns the draws that the coefficients of a state belong to, in their order.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// Returns the number of draws.
    pub(crate) fn width(&self) -> usize {
        self.draws.len()
    }

    pub(crate) fn state(&self, t: usize) -> &State {
        &self.states[t]
    }

    /// Returns the coefficients of the state of node w at time t over all draws, and their
    /// denominator.
    pub(crate) fn row(&self, t: usize, w: usize) -> (&[BigInt], &BigInt) {
        let state = self.state(t);
        let width = self.width();
        (&state.numerators[w * width..(w + 1) * width], &state.denominator)
    }

    /// Returns the coefficients of the state of `node` at `time` (of its message, if `time < T`)
    /// over all draws, in the order of [`Process::draws`]: for each time in [`Process::draw_times`]
    /// one coefficient per node, then one per mask. `None` if the time or the node does not exist.
    pub fn coefficients(&self, time: usize, node: usize) -> Option<Vec<BigRational>> {
        if time > self.protocol.steps() || node >= self.protocol.nodes() {
            return None;
        }
        let (row, denominator) = self.row(time, node);
        let over = |entry: &BigInt| BigRational::new(entry.clone(), denominator.clone());
        Some(row.iter().map(over).collect())
    }

    /// Returns the draws that protect inputs: for each round, the coordinate of node 0 in its
    /// block.
    pub(crate) fn input_blocks(&self) -> Vec<usize> {
        let nodes = self.protocol.nodes();
        let numbered = self.draw_times.iter().enumerate();
        numbered
            .filter(|&(_, &t)| self.protocol.has_input(t))
            .map(|(block, _)| block * nodes)
            .collect()
    }
}

impl State {
    pub fn zero(nodes: usize, width: usize) -> Self {
        Self { numerators: vec![BigInt::zero(); nodes * width], denominator: BigInt::one() }
    }

    /// Adds the draws of time t, with coefficient 1 where they are added and -1 where they are
    /// subtracted.
    fn inject(&mut self, draws: &[Draw], t: usize) {
        let now = draws.iter().enumerate().filter(|(_, draw)| draw.time() == t);
        for (column, draw) in now {
            for (w, added) in draw.enters() {
                let entry = &mut self.numerators[w * draws.len() + column];
                if added {
                    *entry += &self.denominator;
                } else {
                    *entry -= &self.denominator;
                }
            }
        }
    }

    /// Multiplies the state of each node w by `1 - nu a_w` (quadratic losses).
    fn react(&mut self, protocol: &Protocol, width: usize) {
        let Some(factors) = protocol.reaction() else {
            return;
        };
        let factors: Vec<_> = factors.iter().map(|&factor| rational(factor)).collect();
        let common = factors.iter().fold(BigInt::one(), |lcm, factor| lcm.lcm(factor.denom()));
        for (row, factor) in self.numerators.chunks_exact_mut(width).zip(&factors) {
            let scale = &common / factor.denom() * factor.numer();
            for entry in row {
                *entry *= &scale;
            }
        }
        self.denominator *= &common;
    }
}

/// A state during the gossip steps of a protocol.
pub(crate) struct Gossip<'a> {
    protocol: &'a Protocol,
    matrix: GossipMatrix,
    width: usize,
    pub state: State,
    /// The previous state for the Chebyshev recursion; `None` at the beginning of a round.
    previous: Option<State>,
}

impl<'a> Gossip<'a> {
    /// Starts at time 0 with `width` numbers per node.
    pub fn new(protocol: &'a Protocol, state: State, width: usize) -> Result<Self, ReferenceError> {
        Ok(Self {
            protocol,
            matrix: GossipMatrix::of_step(protocol.step(0))?,
            width,
            state,
            previous: None,
        })
    }

    /// Applies the step at time t: `y <- W_t y`, or `y_{t+1} = g W_t y_t + (1 - g) y_{t-1}`.
    pub fn mix(&mut self, t: usize) -> Result<(), ReferenceError> {
        let step = self.protocol.step(t);
        if t > 0 && !step.is_same_network(&self.protocol.step(t - 1)) {
            self.matrix = GossipMatrix::of_step(step)?;
        }
        let mut numerators = vec![BigInt::zero(); self.state.numerators.len()];
        multiply(
            self.matrix.numerators(),
            &self.state.numerators,
            self.matrix.nodes(),
            self.width,
            &mut numerators,
        );
        let mut denominator = &self.state.denominator * self.matrix.denominator();
        if let (Some(g), Some(previous)) = (self.protocol.acceleration(), &self.previous) {
            let (above, below) = (BigInt::from(g.numerator()), BigInt::from(g.denominator()));
            // Over the new denominator `below * denominator`, g is `above`, and the previous state
            // has the factor `below - above` times the ratio of the denominators.
            let ratio = &denominator / &previous.denominator;
            let behind = (&below - &above) * ratio;
            chebyshev_step(&mut numerators, &previous.numerators, &above, &behind);
            denominator *= below;
        }
        let mixed = State { numerators, denominator };
        self.previous = Some(std::mem::replace(&mut self.state, mixed));
        Ok(())
    }
}
