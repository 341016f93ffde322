//! Parameters of the absorption bound, the guarantee for gradient descent with real losses.
//!
//! Two runs on data sets that differ in one user deviate from each other. A node that draws noise
//! can *absorb* part of its deviation by shifting its draw in the second run. An [`Absorption`]
//! gives the absorbed fraction of every draw; every deviation that an observer would hear must be
//! absorbed. [`Lipschitz`] constants bound how much a gradient step stretches a deviation.

use crate::{Draw, Fraction, Observer, ObserverError, Protocol, Step};
use std::collections::BTreeMap;

/// Lipschitz constants of the gradient steps, one per node.
///
/// A step `x -> x - nu grad f(x)` has the constant 1 for convex beta-smooth losses and
/// `nu <= 2/beta` (the default), `max(|1 - nu m|, |1 - nu beta|)` with strong convexity m, and
/// `1 + nu beta` without convexity. In SGD the constant must hold for every batch. Clipping a batch
/// or a regularised gradient can break the constant 1.
///
/// ```
/// use muffliato_model::{Fraction, Lipschitz};
///
/// assert_eq!(Lipschitz::default().of(7), Some(Fraction::ONE));
/// let two = Lipschitz::of_nodes(vec!["1/2".parse()?, Fraction::ONE])?;
/// assert_eq!((two.of(0), two.of(2)), (Some("1/2".parse()?), None));
/// assert!(Lipschitz::everywhere("-1".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Constants"))]
pub struct Lipschitz(Constants);

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
enum Constants {
    Everywhere(Fraction),
    OfNodes(Vec<Fraction>),
}

impl Default for Lipschitz {
    /// Returns the constant 1 for every node: convex smooth losses and a short enough step.
    fn default() -> Self {
        Self(Constants::Everywhere(Fraction::ONE))
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Constants> for Lipschitz {
    type Error = AbsorptionError;

    fn try_from(constants: Constants) -> Result<Self, AbsorptionError> {
        match constants {
            Constants::Everywhere(constant) => Self::everywhere(constant),
            Constants::OfNodes(constants) => Self::of_nodes(constants),
        }
    }
}

impl Lipschitz {
    /// Creates the same constant for every node.
    ///
    /// # Errors
    ///
    /// Returns [`AbsorptionError::Constant`] if the constant is negative.
    pub fn everywhere(constant: Fraction) -> Result<Self, AbsorptionError> {
        check_constant(0, constant)?;
        Ok(Self(Constants::Everywhere(constant)))
    }

    /// Creates one constant per node.
    ///
    /// # Errors
    ///
    /// Returns [`AbsorptionError::Constant`] if a constant is negative.
    pub fn of_nodes(constants: Vec<Fraction>) -> Result<Self, AbsorptionError> {
        for (node, &constant) in constants.iter().enumerate() {
            check_constant(node, constant)?;
        }
        Ok(Self(Constants::OfNodes(constants)))
    }

    /// Returns the constant of a node, or `None` if it has none.
    pub fn of(&self, node: usize) -> Option<Fraction> {
        match &self.0 {
            Constants::Everywhere(constant) => Some(*constant),
            Constants::OfNodes(constants) => constants.get(node).copied(),
        }
    }

    /// Returns the constant of every node of `protocol`. Where users skip rounds
    /// ([`Protocol::every`]) it is at least 1, because a node that skips a round keeps its state.
    ///
    /// # Errors
    ///
    /// Returns [`AbsorptionError::NoConstant`] if a node has no constant.
    ///
    /// ```
    /// use muffliato_model::{Fraction, Lipschitz, Network, Protocol};
    ///
    /// let path = Network::metropolis("path:2".parse()?)?;
    /// let protocol = Protocol::gradient_descent(path, 4, 1)?;
    /// let half = Lipschitz::everywhere("1/2".parse()?)?;
    /// assert_eq!(half.constants(&protocol)?, ["1/2".parse()?; 2]);
    /// assert_eq!(half.constants(&protocol.every(2)?)?, [Fraction::ONE; 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constants(&self, protocol: &Protocol) -> Result<Vec<Fraction>, AbsorptionError> {
        let nodes = protocol.nodes();
        let constants = (0..nodes).map(|node| {
            let constant = self.of(node).ok_or(AbsorptionError::NoConstant { node, nodes })?;
            let shrinks = constant.numerator() < constant.denominator();
            Ok(if shrinks && protocol.period() > 1 { Fraction::ONE } else { constant })
        });
        constants.collect()
    }
}

fn check_constant(node: usize, constant: Fraction) -> Result<(), AbsorptionError> {
    if constant.is_negative() {
        return Err(AbsorptionError::Constant { node, constant });
    }
    Ok(())
}

/// Fractions of the deviation that each node absorbs at each of its draws.
///
/// ```
/// use muffliato_model::{Absorption, Fraction, Network, Protocol};
///
/// let path = Network::metropolis("path:4".parse()?)?;
/// let protocol = Protocol::gradient_descent(path, 2, 1)?;
/// // Node 1 speaks to the observer and absorbs all, node 2 a half in the second round.
/// let half = "1/2".parse()?;
/// let absorption = Absorption::try_new(&protocol, [(0, 1, Fraction::ONE), (1, 1, Fraction::ONE), (1, 2, half)])?;
/// assert_eq!(absorption.at(1), [(1, Fraction::ONE), (2, half)]);
/// assert_eq!((absorption.fraction(1, 2), absorption.fraction(0, 2)), (half, Fraction::ZERO));
/// for refused in [(0, 1, "3/2".parse()?), (0, 9, half), (2, 1, half)] {
///     assert!(Absorption::try_new(&protocol, [refused]).is_err()); // no fraction, no node, no time
/// }
/// let silent = Protocol::gradient_descent(Network::metropolis("path:4".parse()?)?, 2, 2)?;
/// assert!(Absorption::try_new(&silent, [(2, 1, half)]).is_ok() && Absorption::try_new(&silent, [(1, 1, half)]).is_err()); // no draw
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absorption {
    /// For each time step the absorbing nodes, in increasing order, with their fractions.
    steps: Vec<Vec<(usize, Fraction)>>,
}

/// An invalid fraction or Lipschitz constant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum AbsorptionError {
    /// A Lipschitz constant is negative.
    #[error("the Lipschitz constant of node {node} is {constant}; it cannot be negative")]
    Constant { node: usize, constant: Fraction },
    /// A node has no Lipschitz constant.
    #[error("node {node} has no Lipschitz constant; give one for each of the {nodes} nodes")]
    NoConstant { node: usize, nodes: usize },
    /// The node draws no noise at this time.
    #[error(
        "node {node} draws no noise at time {time}; a deviation can only be absorbed by a draw"
    )]
    NoDraw { time: usize, node: usize },
    /// The node does not exist.
    #[error("node {node} is outside 0..{nodes}; nodes are numbered from 0")]
    NoNode { node: usize, nodes: usize },
    /// A fraction is outside [0, 1].
    #[error(
        "node {node} absorbs the fraction {fraction} at time {time}; it must lie between 0 and 1"
    )]
    Fraction { time: usize, node: usize, fraction: Fraction },
    /// A draw has two fractions.
    #[error("the draw of node {node} at time {time} is given two fractions; give it one")]
    Twice { time: usize, node: usize },
}

impl Absorption {
    /// Creates an absorption from triples (time, node, fraction). All other draws absorb nothing.
    ///
    /// # Errors
    ///
    /// Returns an error for a draw without noise, an unknown node, a fraction outside [0, 1] and a
    /// draw that is given twice.
    pub fn try_new(
        protocol: &Protocol,
        fractions: impl IntoIterator<Item = (usize, usize, Fraction)>,
    ) -> Result<Self, AbsorptionError> {
        let (nodes, count) = (protocol.nodes(), protocol.steps());
        let mut steps = vec![BTreeMap::new(); count];
        for (time, node, fraction) in fractions {
            if node >= nodes {
                return Err(AbsorptionError::NoNode { node, nodes });
            }
            if time >= count || protocol.variance(Draw::Own { time, node }).is_zero() {
                return Err(AbsorptionError::NoDraw { time, node });
            }
            if fraction.is_negative() || fraction.numerator() > fraction.denominator() {
                return Err(AbsorptionError::Fraction { time, node, fraction });
            }
            if steps[time].insert(node, fraction).is_some() {
                return Err(AbsorptionError::Twice { time, node });
            }
        }
        let steps = steps.into_iter().map(|step| step.into_iter().collect()).collect();
        Ok(Self { steps })
    }

    /// Absorbs everything at each draw whose value could reach the observer before the next draw,
    /// and nothing elsewhere.
    ///
    /// If noise is drawn at every step, these are the nodes that send to the observer. With K
    /// noiseless steps after a draw on a fixed graph, these are the nodes within distance K of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    ///
    /// ```
    /// use muffliato_model::{Absorption, Network, Observer, Protocol};
    ///
    /// let path = Network::metropolis("path:5".parse()?)?;
    /// let nodes = |protocol: &Protocol| -> Result<Vec<usize>, Box<dyn std::error::Error>> {
    ///     let plan = Absorption::first_passage(protocol, &Observer::full(0))?;
    ///     Ok(plan.at(0).iter().map(|&(node, _)| node).collect())
    /// };
    /// let twice = Protocol::gradient_descent(path.clone(), 3, 2)?;
    /// assert_eq!(nodes(&twice)?, [1, 2]);
    /// assert_eq!(nodes(&twice.refreshed("1/8".parse()?)?)?, [1]);
    /// assert_eq!(nodes(&Protocol::gradient_descent(path, 3, 1)?)?, [1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_passage(protocol: &Protocol, observer: &Observer) -> Result<Self, ObserverError> {
        observer.check(protocol.nodes())?;
        let count = protocol.steps();
        // Backwards in time: the nodes heard at t, and those whose value is heard before the next
        // draw.
        let mut heard: Vec<Vec<usize>> = vec![Vec::new(); count + 2];
        for time in (0..count).rev() {
            let mut nodes = protocol.step(time).senders_to(observer.members());
            let silent = |time: usize| {
                let own = |&&node: &&usize| protocol.variance(Draw::Own { time, node }).is_zero();
                heard[time].iter().filter(own).copied().collect::<Vec<usize>>()
            };
            nodes.extend(reaching(protocol.step(time), &silent(time + 1)));
            if protocol.acceleration().is_some() && !protocol.has_input(time + 1) {
                nodes.extend(silent(time + 2));
            }
            nodes.sort_unstable();
            nodes.dedup();
            nodes.retain(|&node| !observer.contains(node));
            heard[time] = nodes;
        }
        let step = |time: usize| {
            let drawn = |&&node: &&usize| !protocol.variance(Draw::Own { time, node }).is_zero();
            heard[time].iter().filter(drawn).map(|&node| (node, Fraction::ONE)).collect()
        };
        Ok(Self { steps: (0..count).map(step).collect() })
    }

    /// Absorbs everything where it enters, with the draws of `sources` at their inputs (of those
    /// that draw noise). This is the local guarantee: `L / s_u^2` for each round, for any losses.
    ///
    /// # Errors
    ///
    /// Returns [`AbsorptionError::NoNode`] if a source is not a node.
    pub fn local(protocol: &Protocol, sources: &[usize]) -> Result<Self, AbsorptionError> {
        let mut distinct = sources.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let silent = |&node: &usize| {
            node < protocol.nodes() && protocol.variance(Draw::Own { time: 0, node }).is_zero()
        };
        distinct.retain(|node| !silent(node));
        let inputs = (0..protocol.steps()).filter(|&time| protocol.has_input(time));
        let draws =
            inputs.flat_map(|time| distinct.iter().map(move |&node| (time, node, Fraction::ONE)));
        Self::try_new(protocol, draws)
    }

    /// Returns the nodes that absorb at `time`, in increasing order, with their fractions. Empty
    /// beyond the last step.
    pub fn at(&self, time: usize) -> &[(usize, Fraction)] {
        self.steps.get(time).map_or(&[], Vec::as_slice)
    }

    /// Returns the fraction that `node` absorbs at `time`.
    pub fn fraction(&self, time: usize, node: usize) -> Fraction {
        let step = self.at(time);
        match step.binary_search_by_key(&node, |&(node, _)| node) {
            Ok(place) => step[place].1,
            Err(_) => Fraction::ZERO,
        }
    }

    /// Returns the number of time steps of the protocol.
    pub fn times(&self) -> usize {
        self.steps.len()
    }
}

/// Returns the nodes whose value a step may bring to one of `targets`.
fn reaching(step: Step<'_>, targets: &[usize]) -> Vec<usize> {
    match step {
        Step::Network(network) => {
            let around = |&node: &usize| network.graph().neighbours(node).chain([node]);
            targets.iter().flat_map(around).collect()
        }
        Step::EdgeAverage { edge: (u, v), .. } => {
            let mut nodes = targets.to_vec();
            if targets.contains(&u) || targets.contains(&v) {
                nodes.extend([u, v]);
            }
            nodes
        }
    }
}
