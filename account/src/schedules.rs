//! Bounds for every schedule that a plan may draw.
//!
//! Randomized gossip and drop-out draw the edges that are used. The loss of one draw says nothing
//! about another. These bounds hold for all:
//!
//! | by | where | why |
//! | --- | --- | --- |
//! | local (LDP) | always | a loss of 1 for each input, by its own draw; 0 beyond distance T |
//! | masks | randomized gossip | masks lie on the whole graph before any edge is drawn. *Not* with drop-out: only nodes that are present at the first step share them |
//! | first passage | fresh noise at every step, no acceleration | below |
//!
//! # First passage over the worst schedule
//!
//! The source u is no neighbour of the observers V. Its alibi: each sender to V, whenever it
//! sends, takes into its fresh draw all that has arrived at it. Write `x_w(t)` for what has arrived
//! at w, in units of Delta (`x(0)` is 1 at u and 0 elsewhere), and `z_1, z_2, ...` for what is
//! taken. Then
//!
//! - a sender to V is left with 0 and mixes with V, so that V itself always has 0: it hears
//!   no difference, and passes none on. A node that speaks again takes what has arrived since;
//! - nobody but u has anything at time 0, and u does not speak to V: all is taken from draws of
//!   `tau sigma`. They are draws of nodes that speak, so that it does not matter whether silent
//!   nodes draw, too;
//! - the loss is at most `tau^-2 sum_i z_i^2`, by the alibi. Gossip matrices are symmetric, so that
//!   the sum of all x never grows, and `sum_i z_i <= 1`.
//!
//! What is left is to bound `sum_i z_i^2` over all schedules of T steps. All that is taken is taken
//! at distance `j = dist(u, V) - 1` from u or farther, after at most T - 1 mixings.
//!
//! **Randomized gossip.** Put what is taken into a barrel of its own, one for each `z_i`; they
//! count as nodes at distance j. Let `S_i^r(t)` be the largest sum of r numbers at distance i or
//! farther, after t mixings, over all schedules and graphs. Two nodes y and w average. If both are
//! that far away or none is, no such sum grows. If w is at distance i, y at i - 1, and w is in the
//! sum over R,
//!
//! ```text
//! x(R - w) + (x_w + x_y)/2  =  x(R - w)/2 + x(R + y)/2  <=  ( S_i^{r-1} + S_{i-1}^{r+1} ) / 2 .
//! ```
//!
//! So `S_i^r(t)` is at most the probability that a coin-tossing walk that starts at r has i heads
//! before it is at 0 (heads one up, tails one down), in t tosses: it satisfies that recursion with
//! equality, and grows with t. Its increments `a_r = S_j^r - S_j^{r-1}` decrease in r: by induction
//! over the tosses, since `a_i^r` becomes `(a_i^{r-1} + a_{i-1}^{r+1})/2`, or
//! `(a_{i-1}^1 + a_{i-1}^2)/2` for r = 1. The r largest of the z sum to at most `a_1 + ... + a_r`
//! for each r, hence (Abel summation, twice) `sum z_i^2 <= sum a_r^2`: 1/3 for j = 1, which a path
//! of three attains in the limit, and about `0.4 j^-1/2` for large j.
//!
//! **Drop-out.** `sum z_i^2 <= max z_i`, and what a node at distance i or farther has is at most
//! `m_i(t)`. The weight of an edge is at most `f/(s + k)` for a node with k neighbours that are
//! there (Metropolis: f = s = 1; inverse largest degree: f = 1, s = 0; lazy: f/2), so that among
//! the k from which w gains, which have no more than `m_{i-1}` each and `1 - x_w` together,
//!
//! ```text
//! x_w + f/(s+k) sum (x_y - x_w)  <=  min( m_i + f k/(s+k) (m_{i-1} - m_i),  f/(s+k) + m_i max(0, 1 - f (k+1)/(s+k)) ) .
//! ```
//!
//! `m_i(t+1)` is the largest of these over k, or `m_i(t)`. For Metropolis weights it is never above
//! 1/2.
//!
//! **Groups.** One alibi for each member, and `|<z, z'>| <= |z| |z'|`: the root of the loss is at
//! most the sum of the roots.

use crate::{AccountError, planned};
use muffliato_fast::FastError;
use muffliato_model::{
    Fraction, Network, Protocol, ProtocolError, ProtocolSpec, ScheduleSpec, WeightScheme,
};
use serde::Serialize;

/// The schedules that a plan may draw on a network, and the one that its seed draws.
///
/// ```
/// use muffliato_account::{Account, Observers, Protect, Schedules, Target};
/// use muffliato_model::{Network, ProtocolSpec};
///
/// let network = Network::metropolis("path:5".parse()?)?;
/// let plan: ProtocolSpec = "refreshed:1+randomized:1".parse()?;
/// let schedules = Schedules::planned(&plan, &network, 40)?.unwrap();
/// let every = Account::of_every(&schedules).build()?;
/// // Neighbours learn the noisy input; at distance 2 a third, in the worst schedule.
/// assert_eq!(every.loss(1, 0)?.upper(), 1.0);
/// assert!((every.loss(2, 0)?.upper() - 1.0 / 3.0).abs() < 1e-9);
/// // The drawn schedule loses no more.
/// let one = Account::of(schedules.drawn()).build()?.loss(2, 0)?;
/// assert!(one.upper() <= every.loss(2, 0)?.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schedules {
    /// The plan with the whole graph at every step.
    widest: Protocol,
    drawn: Protocol,
    mixing: Mixing,
}

/// The matrices that a step may draw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Mixing {
    /// The average along one edge.
    Edge,
    /// The weights of present nodes: at most `factor / (shift + k)` for a node with k neighbours.
    Present { factor: f64, shift: f64, degree: usize },
}

/// The kind of bound behind a guarantee for every schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleBound {
    /// Local differential privacy.
    Local,
    /// Masks that are shared before any edge is drawn.
    Masks,
    /// First passage over the worst schedule.
    FirstPassage,
    /// The smaller of masks and first passage for each pair.
    Smaller,
    /// Local noise and the number of messages that an observer can receive, for means.
    Messages,
}

impl ScheduleBound {
    /// Describes the bound.
    pub fn described(self) -> &'static str {
        match self {
            Self::Local => "by local noise alone (LDP)",
            Self::Masks => "by masks",
            Self::FirstPassage => "by first passage over the worst schedule",
            Self::Smaller => "by masks or by first passage over the worst schedule",
            Self::Messages => "by the number of messages that anybody can hear",
        }
    }
}

impl Schedules {
    /// Returns the form on file, which fingerprints are made of.
    pub(crate) fn record(&self) -> impl Serialize {
        (&self.widest, &self.drawn, self.mixing)
    }

    /// Returns the schedules of a plan with `steps` steps; `None` if it draws none.
    ///
    /// # Errors
    ///
    /// [`FastError::NotApplicable`] for rounds of gradient descent, and those of [`planned`].
    pub fn planned(
        plan: &ProtocolSpec,
        network: &Network,
        steps: usize,
    ) -> Result<Option<Self>, AccountError> {
        let mixing = match plan.schedule {
            ScheduleSpec::Fixed => return Ok(None),
            ScheduleSpec::Randomized { .. } => Mixing::Edge,
            ScheduleSpec::Dropout { .. } => {
                let (factor, shift) = largest_weight(network.weights());
                let degree = network.graph().max_degree();
                Mixing::Present { factor, shift, degree }
            }
        };
        let widest = plan.on_fixed(network.clone(), steps)?;
        check_rounds(&widest)?;
        Ok(Some(Self { widest, drawn: planned(plan, network, steps)?, mixing }))
    }

    /// Adds the Chebyshev recursion.
    ///
    /// # Errors
    ///
    /// Fails for randomized gossip.
    pub fn accelerated(self, g: Fraction) -> Result<Self, ProtocolError> {
        Ok(Self { drawn: self.drawn.accelerated(g)?, widest: self.widest.accelerated(g)?, ..self })
    }

    /// Returns the schedule that the seed of the plan draws.
    pub fn drawn(&self) -> &Protocol {
        &self.drawn
    }

    /// Returns the plan with the whole graph at every step.
    pub(crate) fn widest(&self) -> &Protocol {
        &self.widest
    }

    /// Checks that a protocol on the whole graph differs from this one at most in its noise.
    pub(crate) fn check(&self, widest: &Protocol) -> Result<(), AccountError> {
        check_rounds(widest)?;
        if widest.fixed_network() == self.widest.fixed_network() {
            return Ok(());
        }
        Err(not_applicable("the protocol runs on another network; make the schedules of that one"))
    }

    /// Returns `true` if masks are on the whole graph for every draw.
    pub(crate) fn masks_hold(&self) -> bool {
        self.mixing == Mixing::Edge
    }

    /// Returns the largest number of messages to an observer, given the number on the whole graph.
    pub(crate) fn most_messages(&self, from_all: usize, steps: usize) -> usize {
        match self.mixing {
            Mixing::Edge => from_all.min(steps),
            Mixing::Present { .. } => from_all,
        }
    }

    /// Computes the first-passage bounds over the worst schedule of a protocol on the whole graph; `None`
    /// without fresh noise, or with acceleration.
    pub(crate) fn first_passage(&self, widest: &Protocol) -> Option<WorstPassage> {
        let tau = widest.uniform().ok()?.tau.filter(|_| widest.acceleration().is_none())?;
        let mixings = widest.steps() - 1;
        Some(WorstPassage {
            squares: match self.mixing {
                Mixing::Edge => along_edges(mixings),
                Mixing::Present { factor, shift, degree } => {
                    among_present(mixings, factor, shift, degree)
                }
            },
            steps: widest.steps(),
            inverse_tau: above(tau.denominator() as f64 / tau.numerator() as f64),
        })
    }
}

/// Checks that there is one round: alibis are for one input.
fn check_rounds(widest: &Protocol) -> Result<(), AccountError> {
    match widest.rounds() {
        1 => Ok(()),
        _ => Err(not_applicable(
            "they are proved for averaging; account for rounds of gradient descent on one schedule",
        )),
    }
}

fn not_applicable(reason: &'static str) -> AccountError {
    AccountError::Fast(FastError::NotApplicable { formula: "bounds for every schedule", reason })
}

/// Returns `f` and `s` of a scheme: the weight of an edge is at most `f / (s + k)` for a node with
/// k neighbours.
fn largest_weight(scheme: &WeightScheme) -> (f64, f64) {
    match scheme {
        WeightScheme::Metropolis => (1.0, 1.0),
        WeightScheme::Lazy(inner) => {
            let (factor, shift) = largest_weight(inner);
            (factor / 2.0, shift)
        }
        // Holds for any gossip matrix.
        _ => (1.0, 0.0),
    }
}

/// First-passage bounds by distance, over all schedules.
#[derive(Clone, Debug)]
pub(crate) struct WorstPassage {
    /// Bounds on `sum_i z_i^2`, by the distance from the source to the senders to the observers.
    squares: Vec<f64>,
    steps: usize,
    inverse_tau: f64,
}

impl WorstPassage {
    /// Returns the bound for a source at this distance from the observers: at most 1, and 0 if
    /// nothing arrives.
    pub fn at(&self, distance: Option<usize>) -> f64 {
        match distance {
            None => 0.0,
            Some(distance) if distance > self.steps => 0.0,
            Some(distance) if distance <= 1 => 1.0,
            Some(distance) => {
                let squares = self.squares[(distance - 1).min(FARTHEST)];
                above(squares * self.inverse_tau * self.inverse_tau).min(1.0)
            }
        }
    }
}

/// Largest distance from the source with a bound of its own; farther ones use it too.
const FARTHEST: usize = 32;

/// Number of largest values that are distinguished. The others are at most the last of these each,
/// and at most 1 together.
const RANKS: usize = 192;

/// Rounds up a number that was computed from nonnegative floats with at most eight roundings.
fn above(value: f64) -> f64 {
    value * (1.0 + 8.0 * f64::EPSILON)
}

/// Returns `(a + b)/2`, rounded up; 0 only if both are 0.
fn middle(a: f64, b: f64) -> f64 {
    if a + b > 0.0 { (a + b).next_up() / 2.0 } else { 0.0 }
}

/// Computes upper bounds on `sum_r a_r^2` by distance, after `mixings` averages along edges.
fn along_edges(mixings: usize) -> Vec<f64> {
    // Row i at place r - 1 is `a_i^r`. What lies beyond the last place is lost, which is seen one
    // place farther left in each next row.
    let width = RANKS + FARTHEST;
    let mut rows = vec![vec![0.0; width]; FARTHEST + 1];
    rows[0][0] = 1.0;
    // A walk from r has i heads, or is at 0, within 2 i + r - 1 tosses.
    for _ in 0..mixings.min(2 * FARTHEST + RANKS) {
        let before = rows.clone();
        for i in 1..=FARTHEST {
            rows[i][0] = middle(before[i - 1][0], before[i - 1][1]);
            for place in 1..width - 1 {
                rows[i][place] = middle(before[i][place - 1], before[i - 1][place + 1]);
            }
        }
    }
    let squares = |row: Vec<f64>| {
        let ranks = &row[..RANKS];
        let sum = ranks.iter().map(|a| a * a).sum::<f64>();
        (sum + row[RANKS - 1]) * (1.0 + 2.0 * RANKS as f64 * f64::EPSILON)
    };
    rows.into_iter().map(squares).collect()
}

/// Computes upper bounds on `max z_i` by distance, after `mixings` mixings of present nodes.
fn among_present(mixings: usize, factor: f64, shift: f64, degree: usize) -> Vec<f64> {
    let mut most = vec![0.0; FARTHEST + 1];
    most[0] = 1.0;
    for _ in 0..mixings {
        for i in (1..=FARTHEST).rev() {
            let (own, others) = (most[i], most[i - 1]);
            for k in 1..=degree {
                let k = k as f64;
                let kept = (shift + (1.0 - factor) * k) / (shift + k);
                let by_each = above(own * kept + others * factor * k / (shift + k));
                let kept = (shift - factor + (1.0 - factor) * k).max(0.0) / (shift + k);
                let by_all = above(factor / (shift + k) + own * kept);
                most[i] = by_each.min(by_all).max(most[i]);
                // The first grows with k, the second falls.
                if by_all <= by_each {
                    break;
                }
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::families;

    /// Computes the largest `sum z_i^2` at node 0 over all sequences of edges. Values are dyadic,
    /// so exact.
    fn worst_along_edges(edges: &[(usize, usize)], state: Vec<f64>, steps: usize) -> f64 {
        if steps == 0 {
            return 0.0;
        }
        let next = |&(a, b): &(usize, usize)| {
            let mut state = state.clone();
            let heard = if a == 0 { state[b] } else { 0.0 };
            if a == 0 {
                state[b] = 0.0;
            }
            let middle = (state[a] + state[b]) / 2.0;
            (state[a], state[b]) = (middle, middle);
            heard * heard + worst_along_edges(edges, state, steps - 1)
        };
        edges.iter().map(next).fold(0.0, f64::max)
    }

    #[test]
    fn no_sequence_of_edges_passes_more_than_the_walk_says() {
        for (graph, longest) in [
            (families::path(3), 9),
            (families::path(4), 9),
            (families::ring(4), 8),
            (families::ring(5), 7),
            // Two ways to the only neighbour of node 0, and a node to store things in.
            (
                muffliato_model::Graph::try_new(
                    5,
                    [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (2, 3)],
                ),
                7,
            ),
        ] {
            let graph = graph.unwrap();
            let edges: Vec<_> = graph.edges().collect();
            let source = graph.nodes() - 1;
            let Some(source) = (1..=source).rfind(|&u| !graph.has_edge(0, u)) else {
                unreachable!()
            };
            let distance = graph.distances_from_any(&[0])[source].unwrap();
            let mut state = vec![0.0; graph.nodes()];
            state[source] = 1.0;
            for steps in 1..=longest {
                let worst = worst_along_edges(&edges, state.clone(), steps);
                let bound = along_edges(steps - 1)[distance - 1];
                assert!(worst <= bound, "{worst} > {bound}: {graph:?}, {steps}");
                if graph.nodes() == 3 && [2, 8].contains(&steps) {
                    assert!(worst > 0.99 * bound, "{worst} {bound}");
                }
                if steps < distance {
                    assert_eq!(bound, 0.0);
                }
            }
        }
    }

    /// By hand: 1/4 + 1/16 + ... at distance 1.
    #[test]
    fn sums_converge_to_their_limits() {
        let long = along_edges(1_000_000);
        let near = |i: usize, value: f64| (long[i] / value - 1.0).abs() < 1e-12;
        assert!(near(1, 1.0 / 3.0) && near(2, 13.0 / 54.0), "{long:?}");
        assert!(long.windows(2).all(|pair| pair[1] < pair[0]));
        // 2 FARTHEST + RANKS - 1 tosses decide all that is told apart.
        assert_eq!(long, along_edges(2 * FARTHEST + RANKS));
        assert!((long[32] * 32.0_f64.sqrt() - 0.375).abs() < 1e-3);
    }

    #[test]
    fn drop_out_bounds_by_hand() {
        // Metropolis: a half at most, and in two steps a third at distance 2 only by two neighbours
        // of 1/2 each.
        let metropolis = among_present(1000, 1.0, 1.0, 10);
        assert!(metropolis[1..].iter().all(|most| *most <= 0.5 + 1e-12));
        let near = |value: f64, expected: f64| (value - expected).abs() < 1e-14;
        let two = among_present(2, 1.0, 1.0, 10);
        assert!(near(two[1], 0.5) && near(two[2], 1.0 / 3.0) && two[3] == 0.0);
        let path = among_present(2, 1.0, 1.0, 1);
        assert!(near(path[2], 0.25));
        // A pair with weight 1 swaps; the lazy version averages.
        let swaps = among_present(3, 1.0, 0.0, 2);
        assert!(near(swaps[3], 1.0) && swaps[4] == 0.0);
        assert!(near(among_present(1000, 0.5, 0.0, 2)[1], 0.5));
        assert_eq!(largest_weight(&"lazy:lazy".parse().unwrap()), (0.25, 1.0));
    }
}
