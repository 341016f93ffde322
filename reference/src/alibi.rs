//! Alibis and attacks: every loss between two certificates.
//!
//! A run is linear in its draws and its inputs. Fix a change d of the inputs; it enters with the draws of the same place, so the
//! view changes by `a = A d`, A the rows that are observed (messages, and unit rows of the draws that the observer knows).
//!
//! - An **alibi** is a change zeta of the draws with `A zeta = a`: with these draws the other inputs give the same view, and none
//!   of the draws that the observer knows has changed. Its cost is `sum_k zeta_k^2 / s_k^2`.
//! - An **attack** is a vector c of coefficients on the view. Its strength is `(c^T a)^2 / sum_k s_k^2 (A^T c)_k^2`.
//!
//! *No attack is stronger than an alibi costs.* `c^T a = c^T A zeta = sum_k (s_k (A^T c)_k) (zeta_k / s_k)`, and the square of that
//! is at most the product of the two sums of squares (Cauchy-Schwarz).
//!
//! *The best of both meet at the loss.* Let `G = A S^2 A^T` be the Gram matrix of the view and `c = G^+ a`, which solves `G c = a` because
//! a is in the range of A S (all `s_k > 0`). The attack c has the strength `(a^T G^+ a)^2 / (c^T G c) = a^T G^+ a`. The draws
//! `zeta = S^2 A^T c` are an alibi, `A zeta = G c = a`, of the cost `c^T G c = a^T G^+ a`. That is the loss.
//!
//! Masks are draws, too. [`Process::alibi_cost`] takes alibis that leave them alone, which masks do not harm.
//!
//! So both are by-products of the elimination that finds the loss, and whoever does not trust it recomputes two sums:
//! [`Process::alibi_cost`] and [`Process::attack_strength`] know the rows and nothing of the elimination.

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
    /// In which round.
    pub round: usize,
    /// Whose.
    pub node: usize,
    /// By how much.
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
    /// When it is drawn.
    pub time: usize,
    /// By whom.
    pub node: usize,
    /// By how much it changes.
    pub amount: BigRational,
}

/// The linear statistic of a view that tells two inputs apart best.
///
/// Applied to the view it is Gaussian under either input, with the same variance
/// `sigma^2 leakage`, and means that differ by `Delta leakage`: the likelihood ratio test is a
/// threshold on it, and its advantage is that of a Gaussian shift `mu = Delta sqrt(leakage) / sigma`.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Process;
///
/// // One step: a neighbour's message is its noisy input, and the best statistic is that message.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let view = Process::run(&Protocol::one_shot(path, 1)?)?.view(&Observer::paper(0))?;
/// let statistic = view.statistic(&[1])?;
/// assert_eq!(statistic.coefficients.len(), 1);
/// assert_eq!(statistic.coefficients[0].1.to_string(), "1");
/// assert_eq!(statistic.leakage.to_string(), "1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// What each observation is multiplied by; observations that are left out count 0.
    pub coefficients: Vec<(Observation, BigRational)>,
    /// The loss that it realises, in units of L.
    pub leakage: BigRational,
}

impl View {
    /// The statistic `G^+ a` that tells the worst-case inputs of `sources` apart.
    pub fn statistic(&self, sources: &[usize]) -> Result<Statistic, ReferenceError> {
        Ok(Statistic {
            coefficients: self.attack(&self.worst_inputs(sources)?)?,
            leakage: self.loss(sources)?.scalar,
        })
    }

    /// The change of the inputs of `sources` that loses most, each by 1 up or down: what [`View::loss`] is the loss of.
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

    /// The best attack on a change of inputs, `G^+ a`: coefficients on what is observed, in its order; those left out are 0.
    pub fn attack(
        &self,
        inputs: &[InputChange],
    ) -> Result<Vec<(Observation, BigRational)>, ReferenceError> {
        self.check_inputs(inputs)?;
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
    /// The cheapest alibi for a change of inputs, `S^2 A^T G^+ a`, in the order of draws; those left out do not change. `view` is a view
    /// of this run. [`ReferenceError::NotApplicable`] with masks, whose alibis are flows: see [`masked_bound`](crate::masked_bound).
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

    /// What an alibi costs, in units of L; [`ReferenceError::NoAlibi`] unless it explains the change of `inputs` exactly: unless the
    /// observer hears the same, and knows none of the draws that change.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
    /// use muffliato_reference::{BigRational, InputChange, Process, Shift};
    ///
    /// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
    /// let process = Process::run(&Protocol::one_shot(path, 1)?)?;
    /// let one = BigRational::from_integer(1.into());
    /// let input = [InputChange { round: 0, node: 0, amount: one.clone() }];
    /// let own = Shift { time: 0, node: 0, amount: one };
    /// assert_eq!(process.alibi_cost(&Observer::full(1), &input, &[own])?.to_string(), "1"); // LDP
    /// assert!(process.alibi_cost(&Observer::full(1), &input, &[]).is_err());
    /// assert_eq!(process.alibi_cost(&Observer::full(2), &input, &[])?.to_string(), "0"); // not heard
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn alibi_cost(
        &self,
        observer: &Observer,
        inputs: &[InputChange],
        shifts: &[Shift],
    ) -> Result<BigRational, ReferenceError> {
        let mut difference = self.enters(observer, inputs)?;
        for entry in &mut difference {
            *entry = -entry.clone();
        }
        let (variances, unit) = self.variances();
        let mut cost = BigRational::zero();
        let mut changed = vec![false; difference.len()];
        for Shift { time, node, amount } in shifts {
            let draw = self.draw(*time, *node);
            let draw = draw.filter(|&draw| !std::mem::replace(&mut changed[draw], true));
            let draw = draw.filter(|&draw| !self.draws()[draw].is_known_to(observer));
            let Some(draw) = draw else {
                return Err(ReferenceError::NoAlibi {
                    time: *time,
                    node: *node,
                });
            };
            difference[draw] += amount;
            cost += amount * amount * BigRational::new(unit.clone(), variances[draw].clone());
        }
        for time in 0..self.protocol().steps() {
            for node in self.protocol().step(time).senders_to(observer.members()) {
                let (row, _) = self.row(time, node);
                let heard = row.iter().zip(&difference).filter(|(c, _)| !c.is_zero());
                let heard = heard.fold(BigRational::zero(), |sum, (c, by)| {
                    sum + by * BigRational::from_integer(c.clone())
                });
                if !heard.is_zero() {
                    return Err(ReferenceError::NoAlibi { time, node });
                }
            }
        }
        Ok(cost)
    }

    /// The strength of an attack on a change of inputs, in units of L; 0 for one that hears nothing. An error for a coefficient of
    /// something that `observer` does not observe.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
    /// use muffliato_reference::{BigRational, InputChange, Observation, Process};
    ///
    /// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
    /// let process = Process::run(&Protocol::one_shot(path, 2)?)?;
    /// let one = BigRational::from_integer(1.into());
    /// let input = [InputChange { round: 0, node: 0, amount: one.clone() }];
    /// // Node 2 takes the mean of all three as it is.
    /// let mean = [(Observation::Message { time: 1, sender: 1 }, one)];
    /// assert_eq!(process.attack_strength(&Observer::full(2), &input, &mean)?.to_string(), "1/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attack_strength(
        &self,
        observer: &Observer,
        inputs: &[InputChange],
        coefficients: &[(Observation, BigRational)],
    ) -> Result<BigRational, ReferenceError> {
        let change = self.enters(observer, inputs)?;
        let spread = self.spread(observer, coefficients)?;
        let (variances, unit) = self.variances();
        let (mut signal, mut noise) = (BigRational::zero(), BigRational::zero());
        for ((c, by), variance) in spread.iter().zip(&change).zip(variances) {
            signal += c * by;
            noise += c * c * BigRational::new(variance, unit.clone());
        }
        if noise.is_zero() {
            return Ok(noise);
        }
        Ok(&signal * &signal / noise)
    }

    /// The draw of `node` at `time`.
    fn draw(&self, time: usize, node: usize) -> Option<usize> {
        let block = self.draw_times().binary_search(&time).ok()?;
        let nodes = self.protocol().nodes();
        (node < nodes).then(|| block * nodes + node)
    }

    /// The change of inputs, over the draws that they enter with.
    fn enters(
        &self,
        observer: &Observer,
        inputs: &[InputChange],
    ) -> Result<Vec<BigRational>, ReferenceError> {
        observer.check(self.protocol().nodes())?;
        let nodes: Vec<_> = inputs.iter().map(|input| input.node).collect();
        check_sources(&nodes, self.protocol().nodes(), observer)?;
        check_rounds(inputs, self.protocol().rounds())?;
        let mut change = vec![BigRational::zero(); self.width()];
        let blocks = self.input_blocks();
        for input in inputs {
            change[blocks[input.round] + input.node] += &input.amount;
        }
        Ok(change)
    }

    /// `A^T c`: with which coefficient each draw enters the statistic c of a view.
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
                    let (Draw::Own { time, node }
                    | Draw::Mask {
                        time,
                        edge: (node, _),
                    }) = draw;
                    let column = column.ok_or(ReferenceError::NotObserved { time, node })?;
                    spread[column] += c;
                }
                Observation::Message { time, sender } => {
                    let senders = match time < self.protocol().steps() {
                        true => self.protocol().step(time).senders_to(observer.members()),
                        false => Vec::new(),
                    };
                    if !senders.contains(&sender) {
                        return Err(ReferenceError::NotObserved { time, node: sender });
                    }
                    let (row, denominator) = self.row(time, sender);
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
