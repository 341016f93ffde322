//! What holds for every schedule that a plan may draw.
//!
//! Randomized gossip and drop-out draw who speaks to whom. The loss of one draw says nothing about another one. This does:
//!
//! | by | where | why |
//! | --- | --- | --- |
//! | local (LDP) | always | one for each input: its own draw is alibi enough; 0 beyond distance T, where nothing is heard |
//! | masks | randomized gossip | masks lie on the whole graph before any edge is drawn. *Not* with drop-out: they are shared by those who are there at the first step, and a node may be alone then |
//! | first passage | fresh noise at every step, no acceleration | below |
//!
//! # First passage over the worst schedule
//!
//! The source u is no neighbour of the observers V. Its alibi: whoever speaks to V, whenever it does, takes into its fresh draw all that has arrived at it. Write `x_w(t)` for what has arrived
//! at w, in units of Delta (`x(0)` is 1 at u and 0 elsewhere), and `z_1, z_2, ...` for what is taken. Then
//!
//! - whoever speaks to V is left with 0 and mixes with V, so that V itself always has 0: it hears no difference, and passes none on. A node that speaks again takes what has arrived since;
//! - nobody but u has anything at time 0, and u does not speak to V: all is taken from draws of `tau sigma`. They are draws of nodes that speak, so that it does not matter whether silent nodes draw, too;
//! - the loss is at most `tau^-2 sum_i z_i^2`, by the alibi. Gossip matrices are symmetric, so that the sum of all x never grows, and `sum_i z_i <= 1`.
//!
//! What is left is to bound `sum_i z_i^2` over all schedules of T steps. All that is taken is taken at distance `j = dist(u, V) - 1` from u or farther, after at most T - 1 mixings.
//!
//! **Randomized gossip.** Put what is taken into a barrel of its own, one for each `z_i`; they count as nodes at distance j. Let `S_i^r(t)` be the largest sum of r numbers at distance i or
//! farther, after t mixings, over all schedules and graphs. Two nodes y and w average. If both are that far away or none is, no such sum grows. If w is at distance i, y at i - 1, and w is in the sum over R,
//!
//! ```text
//! x(R - w) + (x_w + x_y)/2  =  x(R - w)/2 + x(R + y)/2  <=  ( S_i^{r-1} + S_{i-1}^{r+1} ) / 2 .
//! ```
//!
//! So `S_i^r(t)` is at most the probability that a coin-tossing walk that starts at r has i heads before it is at 0 (heads one up, tails one down), in t tosses: it satisfies that recursion with equality, and grows with t. Its increments
//! `a_r = S_j^r - S_j^{r-1}` decrease in r: by induction over the tosses, since `a_i^r` becomes `(a_i^{r-1} + a_{i-1}^{r+1})/2`, or `(a_{i-1}^1 + a_{i-1}^2)/2` for r = 1. The r largest of the z sum to at most
//! `a_1 + ... + a_r` for each r, hence (Abel summation, twice) `sum z_i^2 <= sum a_r^2`: 1/3 for j = 1, which a path of three attains in the limit, and about `0.4 j^-1/2` for large j.
//!
//! **Drop-out.** `sum z_i^2 <= max z_i`, and what a node at distance i or farther has is at most `m_i(t)`. The weight of an edge is at most `f/(s + k)` for a node with k neighbours that are there (Metropolis: f = s = 1; inverse
//! largest degree: f = 1, s = 0; lazy: f/2), so that among the k from which w gains, which have no more than `m_{i-1}` each and `1 - x_w` together,
//!
//! ```text
//! x_w + f/(s+k) sum (x_y - x_w)  <=  min( m_i + f k/(s+k) (m_{i-1} - m_i),  f/(s+k) + m_i max(0, 1 - f (k+1)/(s+k)) ) .
//! ```
//!
//! `m_i(t+1)` is the largest of these over k, or `m_i(t)`. For Metropolis weights it is never above 1/2.
//!
//! **Groups.** One alibi for each member, and `|<z, z'>| <= |z| |z'|`: the root of the loss is at most the sum of the roots.

use crate::{AccountError, planned};
use muffliato_fast::FastError;
use muffliato_model::{
    Fraction, Network, Protocol, ProtocolError, ProtocolSpec, ScheduleSpec, WeightScheme,
};

/// All schedules that a plan may draw on a network, and the one that its seed draws.
///
/// ```
/// use muffliato_account::{Account, Observers, Protect, Schedules, Target};
/// use muffliato_model::{Network, ProtocolSpec};
///
/// let network = Network::metropolis("path:5".parse()?)?;
/// let plan: ProtocolSpec = "refreshed:1+randomized:1".parse()?;
/// let schedules = Schedules::planned(&plan, &network, 40)?.unwrap();
/// let every = Account::of_every(&schedules)?;
/// // Neighbours tell each other their noisy inputs; at distance 2 a third is heard, in the worst schedule.
/// assert_eq!(every.loss(1, 0)?.upper(), 1.0);
/// assert!((every.loss(2, 0)?.upper() - 1.0 / 3.0).abs() < 1e-9);
/// // What is drawn loses no more.
/// let one = Account::of(schedules.drawn())?.loss(2, 0)?;
/// assert!(one.upper() <= every.loss(2, 0)?.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Schedules {
    /// The plan on the whole graph at each of its steps: who can hear whom, and when at the earliest.
    widest: Protocol,
    drawn: Protocol,
    mixing: Mixing,
}

/// Which matrices a step may draw.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mixing {
    /// The average along one edge.
    Edge,
    /// The weights of those who are there: at most `factor / (shift + k)` for a node with k neighbours.
    Present {
        factor: f64,
        shift: f64,
        degree: usize,
    },
}

/// What a promise for every schedule rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleBound {
    /// The noise of the inputs themselves.
    Local,
    /// Masks that lie before any edge is drawn.
    Masks,
    /// First passage over the worst schedule.
    FirstPassage,
    /// Masks or first passage, whichever is smaller for a pair.
    Smaller,
    /// Local noise, and how many messages anybody can hear: for means.
    Messages,
}

impl ScheduleBound {
    /// The words for it.
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
    /// The schedules of a plan of so many steps; `None` if it draws none. [`FastError::NotApplicable`] for rounds of gradient descent.
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
                Mixing::Present {
                    factor,
                    shift,
                    degree,
                }
            }
        };
        let widest = plan.on_fixed(network.clone(), steps)?;
        check_rounds(&widest)?;
        Ok(Some(Self {
            widest,
            drawn: planned(plan, network, steps)?,
            mixing,
        }))
    }

    /// The same with the Chebyshev recursion, which randomized gossip has not.
    pub fn accelerated(self, g: Fraction) -> Result<Self, ProtocolError> {
        Ok(Self {
            drawn: self.drawn.accelerated(g)?,
            widest: self.widest.accelerated(g)?,
            ..self
        })
    }

    /// The one schedule that the seed of the plan draws.
    pub fn drawn(&self) -> &Protocol {
        &self.drawn
    }

    /// The plan on the whole graph, at each of its steps.
    pub(crate) fn widest(&self) -> &Protocol {
        &self.widest
    }

    /// `Err` unless a protocol on the whole graph differs from this one at most in its noise: weights and rounds are what the bounds are proved for.
    pub(crate) fn check(&self, widest: &Protocol) -> Result<(), AccountError> {
        check_rounds(widest)?;
        match widest.fixed_network() == self.widest.fixed_network() {
            true => Ok(()),
            false => Err(not_applicable(
                "the protocol runs on another network; make the schedules of that one",
            )),
        }
    }

    /// Whether masks lie on the whole graph, whatever is drawn.
    pub(crate) fn masks_hold(&self) -> bool {
        self.mixing == Mixing::Edge
    }

    /// The most messages that an observer hears, if so many would come from the whole graph at each step.
    pub(crate) fn most_messages(&self, from_all: usize, steps: usize) -> usize {
        match self.mixing {
            Mixing::Edge => from_all.min(steps),
            Mixing::Present { .. } => from_all,
        }
    }

    /// The first-passage bounds over the worst schedule of a protocol on the whole graph; `None` without fresh noise, or with acceleration.
    pub(crate) fn first_passage(&self, widest: &Protocol) -> Option<WorstPassage> {
        let tau = widest
            .refresh()
            .filter(|_| widest.acceleration().is_none())?;
        let mixings = widest.steps() - 1;
        Some(WorstPassage {
            squares: match self.mixing {
                Mixing::Edge => along_edges(mixings),
                Mixing::Present {
                    factor,
                    shift,
                    degree,
                } => among_present(mixings, factor, shift, degree),
            },
            steps: widest.steps(),
            inverse_tau: above(tau.denominator() as f64 / tau.numerator() as f64),
        })
    }
}

/// Alibis are for one input.
fn check_rounds(widest: &Protocol) -> Result<(), AccountError> {
    match widest.rounds() {
        1 => Ok(()),
        _ => Err(not_applicable(
            "they are proved for averaging; account for rounds of gradient descent on one schedule",
        )),
    }
}

fn not_applicable(reason: &'static str) -> AccountError {
    AccountError::Fast(FastError::NotApplicable {
        formula: "bounds for every schedule",
        reason,
    })
}

/// `f` and `s` of a scheme: the weight of an edge is at most `f / (s + k)` for a node with k neighbours.
fn largest_weight(scheme: &WeightScheme) -> (f64, f64) {
    match scheme {
        WeightScheme::Metropolis => (1.0, 1.0),
        WeightScheme::Lazy(inner) => {
            let (factor, shift) = largest_weight(inner);
            (factor / 2.0, shift)
        }
        // As much as any gossip matrix can do: a node takes over what its neighbour had.
        _ => (1.0, 0.0),
    }
}

/// What a source at each distance loses at most by first passage, over all schedules.
#[derive(Clone, Debug)]
pub(crate) struct WorstPassage {
    /// Of `sum_i z_i^2`, by the distance from the source to whoever speaks to the observers.
    squares: Vec<f64>,
    steps: usize,
    inverse_tau: f64,
}

impl WorstPassage {
    /// The loss of a source at this distance from the observers, at most 1; 0 where nothing is heard.
    pub fn at(&self, distance: Option<usize>) -> f64 {
        match distance {
            None => 0.0,
            Some(distance) if distance > self.steps => 0.0,
            Some(distance) if distance <= 1 => 1.0,
            Some(distance) => {
                // More distance is in the sums of less.
                let squares = self.squares[(distance - 1).min(FARTHEST)];
                above(squares * self.inverse_tau * self.inverse_tau).min(1.0)
            }
        }
    }
}

/// Distances from the source beyond this one are bounded like it.
const FARTHEST: usize = 32;

/// So many of the largest numbers are told apart; the others are each at most the last of these, and at most 1 together.
const RANKS: usize = 192;

/// At least a number that was computed from floats that are not negative, in at most eight roundings.
fn above(value: f64) -> f64 {
    value * (1.0 + 8.0 * f64::EPSILON)
}

/// At least `(a + b)/2`, and 0 only if both are.
fn middle(a: f64, b: f64) -> f64 {
    match a + b > 0.0 {
        true => (a + b).next_up() / 2.0,
        false => 0.0,
    }
}

/// Upper bounds on `sum_r a_r^2` by distance after so many averages along edges.
fn along_edges(mixings: usize) -> Vec<f64> {
    // Row i at place r - 1 is `a_i^r`. What lies beyond the last place is lost, which is seen one place farther left in each next row.
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
        // As many roundings as there are ranks.
        (sum + row[RANKS - 1]) * (1.0 + 2.0 * RANKS as f64 * f64::EPSILON)
    };
    rows.into_iter().map(squares).collect()
}

/// Upper bounds on `max z_i` by distance after so many mixings of those who are there.
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

    /// The largest `sum z_i^2` over all sequences of so many edges, from the last node of a graph towards node 0; dyadic, so exact.
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
    fn sums_in_the_limit() {
        let long = along_edges(1_000_000);
        let near = |i: usize, value: f64| (long[i] / value - 1.0).abs() < 1e-12;
        assert!(near(1, 1.0 / 3.0) && near(2, 13.0 / 54.0), "{long:?}");
        assert!(long.windows(2).all(|pair| pair[1] < pair[0]));
        // 2 FARTHEST + RANKS - 1 tosses decide all that is told apart.
        assert_eq!(long, along_edges(2 * FARTHEST + RANKS));
        assert!((long[32] * 32.0_f64.sqrt() - 0.375).abs() < 1e-3);
    }

    #[test]
    fn what_those_who_are_there_pass_on() {
        // Metropolis: a half at most, and in two steps a third at distance 2 only by two neighbours of 1/2 each.
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
