//! The best attack on a view and the cheapest alibi for it.
//!
//! A run is linear in its draws and its inputs. Fix a change d of the inputs. It enters with the
//! draws of the same place, so the view changes by `a = A d`, where A holds the observed rows
//! (messages, and unit rows of the draws that the observer knows).
//!
//! - An **alibi** is a change zeta of the draws with `A zeta = a`: with these draws the other
//!   inputs give the same view. Its cost is `sum_k zeta_k^2 / s_k^2`.
//! - An **attack** is a vector c of coefficients on the view. Its strength is
//!   `(c^T a)^2 / sum_k s_k^2 (A^T c)_k^2`.
//!
//! *No attack is stronger than an alibi costs.*
//! `c^T a = c^T A zeta = sum_k (s_k (A^T c)_k) (zeta_k / s_k)`, and its square is at most the
//! product of the two sums of squares (Cauchy-Schwarz).
//!
//! *The best attack and the cheapest alibi meet at the loss.* Let `G = A S^2 A^T` be the Gram
//! matrix of the view and `c = G^+ a`, which solves `G c = a` if a is in the range of A S (as it is
//! if the noise at the inputs has `s_k > 0`; otherwise the loss is infinite). The attack c has the strength `(a^T G^+ a)^2 / (c^T G c) = a^T G^+ a`. The draws
//! `zeta = S^2 A^T c` are an alibi, `A zeta = G c = a`, of the cost `c^T G c = a^T G^+ a`, which is
//! the loss.
//!
//! Both are by-products of the elimination that computes the loss. `muffliato-certificate` checks
//! them without it.

use crate::{
    Observation, Process, ReferenceError, View,
    checks::{check_sources, require},
    gram::back_substitution,
};
use muffliato_model::{Draw, Observer};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// A change of one input, in units of Delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputChange {
    /// The round of the input.
    pub round: usize,
    /// The node of the input.
    pub node: usize,
    /// The size of the change.
    pub amount: BigRational,
}

/// A change of one draw, in units of Delta.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Process;
///
/// // Node 2 hears node 1, then the mean of all. Node 0 says: my input did not go up by 1, node 1 drew 1/3 more later.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let protocol = Protocol::one_shot(path, 2)?.refreshed("1".parse()?)?;
/// let process = Process::run(&protocol)?;
/// let view = process.view(&Observer::full(2))?;
/// let alibi = process.alibi(&view, &view.worst_inputs(&[0])?)?;
/// let shown: Vec<_> = alibi.iter().map(|shift| (shift.time, shift.node, shift.amount.to_string())).collect();
/// assert_eq!(shown, [(0, 0, "1/10".into()), (1, 1, "3/10".into())]); // most of it, at less than 1/9
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    /// The time of the draw.
    pub time: usize,
    /// The node that draws.
    pub node: usize,
    /// The size of the change.
    pub amount: BigRational,
}

impl View {
    /// Returns the change of the inputs of `sources`, each by 1 up or down, that attains
    /// [`View::loss`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss`].
    pub fn worst_inputs(&self, sources: &[usize]) -> Result<Vec<InputChange>, ReferenceError> {
        let loss = self.loss(sources)?;
        let sources = check_sources(sources, self.nodes, self.observer())?;
        let change = |((round, member), up): ((usize, usize), bool)| InputChange {
            round,
            node: sources[member],
            amount: BigRational::from_integer(if up { 1 } else { -1 }.into()),
        };
        let inputs = loss.participation.inputs();
        Ok(inputs.zip(loss.signs).map(change).collect())
    }

    /// Returns the best attack on a change of inputs, `G^+ a`, as coefficients of the observations
    /// in their order. All others are 0.
    ///
    /// Under either input this statistic of the view is Gaussian with variance `sigma^2 leakage`,
    /// and the means differ by `Delta leakage`. The likelihood ratio test is a threshold on it, with
    /// the advantage of a Gaussian shift `mu = Delta sqrt(leakage) / sigma`.
    ///
    /// # Errors
    ///
    /// Returns an error for a round or a node that does not exist, for an input of an observer, and
    /// for an infinite loss.
    pub fn attack(
        &self,
        inputs: &[InputChange],
    ) -> Result<Vec<(Observation, BigRational)>, ReferenceError> {
        self.check_inputs(inputs)?;
        for input in inputs {
            self.check_finite(input.round * self.nodes + input.node)?;
        }
        let columns = self.rounds * self.nodes;
        let whole = |entry: &BigInt| BigRational::from_integer(entry.clone());
        let right = |row: usize| {
            let change = inputs.iter().map(|input| {
                let column = input.round * self.nodes + input.node;
                whole(&self.border[row * columns + column]) * &input.amount
            });
            change.sum()
        };
        let solution = back_substitution(self.observations.len(), &self.gram, &self.pivots, right);
        let unit = whole(&self.unit);
        let coefficient = |(row, c): (usize, BigRational)| {
            (self.observations[row], c * &unit / &self.scales[row])
        };
        Ok(solution.into_iter().map(coefficient).collect())
    }

    fn check_inputs(&self, inputs: &[InputChange]) -> Result<(), ReferenceError> {
        let nodes: Vec<_> = inputs.iter().map(|input| input.node).collect();
        check_sources(&nodes, self.nodes, self.observer())?;
        check_rounds(inputs, self.rounds)
    }
}

fn check_rounds(inputs: &[InputChange], rounds: usize) -> Result<(), ReferenceError> {
    let last = inputs.iter().map(|input| input.round).max().unwrap_or(0);
    let expected = "it must be a round of the protocol, counted from 0";
    require(last < rounds, "the round of an input", &last, expected)
}

impl Process {
    /// Returns the cheapest alibi for a change of inputs, `S^2 A^T G^+ a`, in the order of draws.
    /// All others do not change. `view` is a view of this run.
    ///
    /// # Errors
    ///
    /// Returns [`ReferenceError::NotApplicable`] with masks, whose alibis are flows: see
    /// [`masked_bound`](crate::masked_bound). Returns the errors of [`View::attack`].
    pub fn alibi(&self, view: &View, inputs: &[InputChange]) -> Result<Vec<Shift>, ReferenceError> {
        if self.protocol().masks().is_some() {
            return Err(ReferenceError::NotApplicable {
                formula: "an alibi that changes the noise of nodes",
                reason: "the cheapest one changes masks, too; use masked_bound",
            });
        }
        let spread = self.spread(view.observer(), &view.attack(inputs)?)?;
        let (variances, unit) = self.variances();
        let unit = BigRational::from_integer(unit);
        let shifts = spread.into_iter().zip(variances).enumerate();
        let shifts = shifts.filter(|(_, (amount, _))| !amount.is_zero());
        let shift = |(draw, (amount, variance)): (usize, (BigRational, BigInt))| Shift {
            time: self.draw_times()[draw / self.protocol().nodes()],
            node: draw % self.protocol().nodes(),
            amount: amount * BigRational::from_integer(variance) / &unit,
        };
        Ok(shifts.map(shift).collect())
    }

    /// Returns `A^T c`: the coefficient of each draw in the statistic c of a view.
    fn spread(
        &self,
        observer: &Observer,
        coefficients: &[(Observation, BigRational)],
    ) -> Result<Vec<BigRational>, ReferenceError> {
        let mut spread = vec![BigRational::zero(); self.width()];
        for (seen, c) in coefficients {
            match *seen {
                Observation::Known(draw) => {
                    let column = self.draws().iter().position(|other| *other == draw);
                    let column = column.filter(|_| draw.is_known_to(observer));
                    let (Draw::Own { time, node } | Draw::Mask { time, edge: (node, _) }) = draw;
                    let column = column.ok_or(ReferenceError::NotObserved { time, node })?;
                    spread[column] += c;
                }
                Observation::Message { time, sender: node }
                | Observation::Sum { time, member: node } => {
                    let heard = if time < self.protocol().steps() {
                        self.heard(observer, time)?
                    } else {
                        Vec::new()
                    };
                    let found = heard.into_iter().find(|(other, ..)| other == seen);
                    let (_, row, denominator) =
                        found.ok_or(ReferenceError::NotObserved { time, node })?;
                    for (sum, entry) in spread.iter_mut().zip(row) {
                        if !entry.is_zero() {
                            *sum += c * BigRational::new(entry.clone(), denominator.clone());
                        }
                    }
                }
            }
        }
        Ok(spread)
    }
}
