//! Exact losses of linear systems: an alibi and an attack of the same size.
//!
//! Observers see `B x + A z`: a row for each observation, x the inputs and z independent Gaussian
//! draws with variances `s_k^2 > 0` that they do not know. For an input i, let c be the
//! coefficients of a statistic, `w = A^T c` how often each draw enters it, and `z_i = S^2 w`. The
//! rule:
//!
//! ```text
//! refuse      unless A z_i = B e_i in every row
//! P_ij      = (c_i)^T B e_j
//! ```
//!
//! Then the loss of the change d of the inputs is **exactly** `L d^T P d`.
//!
//! Why: `P_ij = (c_i)^T A z_j = (w_i)^T S^2 w_j`, so that `d^T P d = sum over draws of s^2 w^2` for
//! `w = sum d_i w_i`. The loss is at most that, because the draws `z = sum d_i z_i = S^2 w` are an
//! alibi, `A z = B d`, of the cost `sum z^2 / s^2`. It is at least that, because the statistic
//! `c = sum d_i c_i` is an attack: its variance is `sum s^2 w^2`, and the change d moves it by
//! `c^T B d = d^T P d`, so that its strength is `(d^T P d)^2 / d^T P d`.
//!
//! The finder of the statistics is not trusted.

use crate::{
    MAX_COEFFICIENTS, Refusal,
    matrix::{Matrices, common_multiple},
    question, rational,
    rules::{add_product, is_statistic_exact},
    run::Run,
};
use muffliato_model::{Draw, Observer, Protocol};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// The coefficients of all messages of a protocol: how often what enters at a time and a node is
/// contained in them.
#[derive(Clone, Debug)]
pub struct Coefficients<'a> {
    protocol: &'a Protocol,
    /// The first column of each time at which something enters; one column for each node.
    columns: BTreeMap<usize, usize>,
    /// For each time and node, the state in each column divided by a common divisor, and the
    /// divisor.
    states: Vec<Vec<(Vec<BigInt>, BigInt)>>,
}

impl<'a> Coefficients<'a> {
    /// Runs the protocol on a unit at each place and time where draws and inputs enter.
    ///
    /// # Errors
    ///
    /// Returns [`Refusal::TooManyCoefficients`] if the protocol is too large.
    pub fn of(protocol: &'a Protocol) -> Result<Self, Refusal> {
        let nodes = protocol.nodes();
        let times = if protocol.is_refreshed() { protocol.steps() } else { protocol.rounds() };
        let factors = [nodes, nodes, times, protocol.steps()];
        let coefficients = factors.iter().fold(1_u128, |all, &f| all.saturating_mul(f as u128));
        if coefficients > MAX_COEFFICIENTS {
            return Err(Refusal::TooManyCoefficients { coefficients });
        }
        let mut run = Run::new(protocol, Vec::new(), BigInt::one())?;
        let mut columns = BTreeMap::new();
        let mut states = Vec::with_capacity(protocol.steps());
        for t in 0..protocol.steps() {
            run.begin(t);
            if protocol.draws(t) {
                columns.insert(t, run.columns.len());
                for node in 0..nodes {
                    let mut column = vec![BigInt::zero(); nodes];
                    column[node] = run.denominator.clone();
                    run.columns.push(column);
                }
            }
            let state = |node: usize| {
                divided(run.columns.iter().map(|column| column[node].clone()).collect())
            };
            states.push((0..nodes).map(state).collect());
            run.mix(t)?;
        }
        Ok(Self { protocol, columns, states })
    }

    /// Returns how often what enters at `node` at the time `entered` is in the message of `sender`
    /// at the time `sent`, times a number that depends on the message alone.
    fn at(&self, sent: usize, sender: usize, entered: usize, node: usize) -> BigInt {
        let column = self.columns.get(&entered).map(|first| first + node);
        let times = column.and_then(|column| self.states[sent][sender].0.get(column));
        times.cloned().unwrap_or_default()
    }

    /// Returns what `observer` hears at a time: each message alone, or for each member the sum of
    /// what it receives from outside. Messages have factors for the numbers of [`Self::at`].
    fn heard(
        &self,
        observer: &Observer,
        t: usize,
        matrices: &mut Matrices<'_>,
    ) -> Result<Vec<Vec<(usize, BigInt)>>, Refusal> {
        if !observer.sees_sums() {
            let senders = self.protocol.step(t).senders_to(observer.members()).into_iter();
            return Ok(senders.map(|sender| vec![(sender, BigInt::one())]).collect());
        }
        let matrix = matrices.at(t)?;
        let sum = |&member: &usize| {
            let row = matrix.rows[member].iter().map(|(w, weight)| (*w as usize, weight));
            let outside = row.filter(|(w, _)| !observer.contains(*w));
            outside.map(|(w, weight)| (w, weight * &self.states[t][w].1)).collect()
        };
        let sums = observer.members().iter().map(sum);
        Ok(sums.filter(|sum: &Vec<_>| !sum.is_empty()).collect())
    }

    /// Returns what `observer` sees: messages or their sums, without the draws that it knows. Input
    /// `round * nodes + node` is that of `node` in `round`.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol.
    pub fn system(&self, observer: &Observer) -> Result<System, Refusal> {
        let protocol = self.protocol;
        observer.check(protocol.nodes()).map_err(question)?;
        let draws = protocol.all_draws().map_err(question)?;
        let all = draws.len();
        let mut hidden: Vec<(Draw, BigRational)> = Vec::new();
        for draw in draws.into_iter().filter(|draw| !draw.is_known_to(observer)) {
            hidden.push((draw, rational(protocol.variance(draw))));
        }
        let known = all - hidden.len();
        hidden.retain(|(_, variance)| !variance.is_zero());
        let mut rows = Vec::new();
        let mut matrices = Matrices::of(protocol);
        for t in 0..protocol.steps() {
            for messages in self.heard(observer, t, &mut matrices)? {
                let times = |entered: usize, node: usize| -> BigInt {
                    let term = |(sender, factor): &(usize, BigInt)| {
                        self.at(t, *sender, entered, node) * factor
                    };
                    messages.iter().map(term).sum()
                };
                let coefficient = |(draw, _): &(Draw, BigRational)| {
                    let mut sum = BigInt::zero();
                    for (node, added) in draw.enters() {
                        let times = times(draw.time(), node);
                        sum = if added { sum + times } else { sum - times };
                    }
                    sum
                };
                let inputs = (0..protocol.rounds()).flat_map(|round| {
                    let entered = round * protocol.gossip_steps();
                    (0..protocol.nodes()).map(move |node| (entered, node))
                });
                let inputs = inputs.map(|(entered, node)| times(entered, node));
                rows.push(Row {
                    draws: hidden.iter().map(coefficient).collect(),
                    inputs: inputs.collect(),
                });
            }
        }
        let inputs = protocol.rounds() * protocol.nodes();
        System::new(rows, hidden.into_iter().map(|(_, variance)| variance).collect(), inputs, known)
    }
}

/// Divides numbers by a common divisor, and returns it.
fn divided(mut numbers: Vec<BigInt>) -> (Vec<BigInt>, BigInt) {
    let mut divisor = BigInt::zero();
    for number in &numbers {
        if divisor.is_one() {
            return (numbers, divisor);
        }
        divisor = divisor.gcd(number);
    }
    if divisor.is_zero() {
        return (numbers, BigInt::one());
    }
    numbers.iter_mut().for_each(|number| *number /= &divisor);
    (numbers, divisor)
}

/// One observation, times a positive number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The coefficient of each hidden draw.
    pub draws: Vec<BigInt>,
    /// The coefficient of each input.
    pub inputs: Vec<BigInt>,
}

/// The view of observers: a linear function of draws that they do not know and of inputs.
#[derive(Clone, Debug)]
pub struct System {
    rows: Vec<Row>,
    /// The variance of each draw, times `unit`.
    variances: Vec<BigInt>,
    /// The factor that makes the variances whole.
    unit: BigInt,
    inputs: usize,
    known: usize,
}

/// A statistic of what is seen: the sum of rows times coefficients, over a denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// The input that it is about.
    pub input: usize,
    /// Rows and their coefficients, times the denominator.
    pub coefficients: Vec<(usize, BigInt)>,
    /// The denominator, which is positive.
    pub denominator: BigInt,
}

impl Statistic {
    /// Creates the statistics of some inputs from coefficients of rows and their denominators.
    pub fn of_solutions(
        inputs: &[usize],
        solutions: Vec<(Vec<(usize, BigInt)>, BigInt)>,
    ) -> Vec<Self> {
        let solutions = inputs.iter().zip(solutions);
        let statistics = solutions.map(|(&input, (coefficients, denominator))| Self {
            input,
            coefficients,
            denominator,
        });
        statistics.collect()
    }
}

impl System {
    /// Creates a system from its rows and the variance of each draw. `known` counts the draws that
    /// were removed because the observers know them.
    ///
    /// # Errors
    ///
    /// Returns an error for a row of another length, and for a variance that is not positive.
    pub fn new(
        rows: Vec<Row>,
        variances: Vec<BigRational>,
        inputs: usize,
        known: usize,
    ) -> Result<Self, Refusal> {
        if !variances.iter().all(BigRational::is_positive) {
            return Err(question("a draw has a variance that is not positive"));
        }
        let unit = common_multiple(variances.iter().map(|variance| variance.denom().clone()))?;
        let whole = |variance: &BigRational| variance.numer() * (&unit / variance.denom());
        let variances: Vec<BigInt> = variances.iter().map(whole).collect();
        for row in &rows {
            crate::count("draws of a row", row.draws.len(), variances.len())?;
            crate::count("inputs of a row", row.inputs.len(), inputs)?;
        }
        Ok(Self { rows, variances, unit, inputs, known })
    }

    /// Returns the observations.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the variance of each draw, times [`System::unit`].
    pub fn variances(&self) -> &[BigInt] {
        &self.variances
    }

    /// Returns the factor that makes the variances whole.
    pub fn unit(&self) -> &BigInt {
        &self.unit
    }

    /// Returns the number of draws that the observers know.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Keeps the statistics that prove the exact loss of their input.
    pub fn project(&self, statistics: Vec<Statistic>) -> Projections<'_> {
        let accepted = statistics.into_iter().filter(|statistic| self.is_exact(statistic));
        let accepted = accepted.map(|statistic| (statistic.input, statistic));
        Projections { system: self, statistics: accepted.collect() }
    }

    /// Returns `true` if the rule accepts a statistic.
    fn is_exact(&self, statistic: &Statistic) -> bool {
        let Statistic { input, coefficients, denominator } = statistic;
        let exist = coefficients.iter().all(|(row, _)| *row < self.rows.len());
        if !exist || *input >= self.inputs || !denominator.is_positive() {
            return false;
        }
        let rows = self.rows.iter().map(|row| (&row.draws[..], &row.inputs[*input]));
        let statistic = coefficients.iter().map(|(row, c)| (&self.rows[*row].draws[..], c));
        let mut shifts = vec![BigInt::zero(); self.variances.len()];
        let scale = &self.unit * denominator;
        is_statistic_exact(rows, statistic, &self.variances, &scale, &mut shifts)
    }
}

/// The matrix P over the inputs whose statistics were accepted. Only [`System::project`] creates it.
///
/// ```
/// use muffliato_certificate::{Coefficients, Statistic};
/// use muffliato_model::{Network, Observer, Protocol};
///
/// // Node 2 hears y_1 and then (y_0 + y_1 + y_2) / 3, and knows its own noise.
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?;
/// let system = Coefficients::of(&protocol)?.system(&Observer::full(2))?;
/// let attack = |first: i32, second: i32| Statistic {
///     input: 0,
///     coefficients: vec![(0, first.into()), (1, second.into())],
///     denominator: 1.into(),
/// };
/// let loss = system.project(vec![attack(-1, 1)]).product(0, 0).unwrap();
/// assert_eq!(loss.to_string(), "1");
/// assert_eq!(system.project(vec![attack(0, 1)]).product(0, 0), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Projections<'a> {
    system: &'a System,
    statistics: BTreeMap<usize, Statistic>,
}

impl Projections<'_> {
    /// Returns the accepted statistic of an input.
    pub fn statistic(&self, input: usize) -> Option<&Statistic> {
        self.statistics.get(&input)
    }

    /// Returns `P_ij`, or `None` without an accepted statistic for both inputs.
    pub fn product(&self, i: usize, j: usize) -> Option<BigRational> {
        let (statistic, _) = (self.statistics.get(&i)?, self.statistics.get(&j)?);
        let mut sum = BigInt::zero();
        for (row, c) in &statistic.coefficients {
            add_product(&mut sum, c, &self.system.rows[*row].inputs[j]);
        }
        let (whole, rest) = sum.div_rem(&statistic.denominator);
        if rest.is_zero() {
            // Frequent, and spared a long common divisor.
            return Some(BigRational::from_integer(whole));
        }
        Some(BigRational::new(sum, statistic.denominator.clone()))
    }
}
