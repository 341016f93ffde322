//! The exact loss of a view, called leakage.
//!
//! Stack the observed rows into a matrix A over the draws, and append the unit rows of the draws
//! that the observer knows. With S the diagonal matrix of standard deviations `s_d` and G the Gram
//! matrix `A S^2 A^T`, the view under two inputs of u that differ by Delta is a pair of Gaussians
//! with the same covariance `sigma^2 G`, whose means differ by `Delta a` with `a = A e_u`. Its
//! Renyi divergence is *exactly* `L a^T G^+ a` with the unit `L = alpha Delta^2 / (2 sigma^2)`, and
//! infinite if a is not in the range of G. Where the noise of u has a standard deviation `s_u > 0`,
//! that is
//!
//! ```text
//! leakage(u -> v) = || Pi e_u ||^2 / s_u^2   in [0, 1 / s_u^2],
//! ```
//!
//! with Pi the orthogonal projector onto the row space of A S.

use crate::{
    ExactLoss, Forms, GossipMatrix, Process, ReferenceError,
    arithmetic::{divide_by_content, eliminate, quadratic_form, weighted_dot},
    checks::{check_sources, check_work},
    rational::rational,
};
use muffliato_model::{Draw, LossModel, Observer, Participation, Protocol};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// A value that an observer sees.
///
/// ```
/// use muffliato_model::{Draw, Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{Observation, Process};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let view = Process::run(&Protocol::one_shot(path, 2)?)?.view(&Observer::full(2))?;
/// // Node 2 finds the noisy input of node 0: three times the second message, less the first and its
/// // own noise.
/// let attack = view.attack(&view.worst_inputs(&[0])?)?;
/// let found: Vec<_> = attack.iter().map(|(seen, c)| (*seen, c.to_string())).collect();
/// assert_eq!(found[0], (Observation::Known(Draw::Own { time: 0, node: 2 }), "-1".into()));
/// assert_eq!(found[1], (Observation::Message { time: 0, sender: 1 }, "-1".into()));
/// assert_eq!(found[2], (Observation::Message { time: 1, sender: 1 }, "3".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The message that `sender` sent at `time`.
    Message {
        /// The time.
        time: usize,
        /// The sender.
        sender: usize,
    },
    /// The weighted sum of the messages that `member` received at `time` from outside.
    Sum {
        /// The time.
        time: usize,
        /// The observing node.
        member: usize,
    },
    /// A known draw: noise of its own, or a mask that it shares.
    Known(Draw),
}

/// Everything that an observer sees of a run, in eliminated form.
#[derive(Clone, Debug)]
pub struct View {
    pub(crate) observer: Observer,
    pub(crate) model: LossModel,
    pub(crate) nodes: usize,
    pub(crate) rounds: usize,
    pub(crate) protocol: Protocol,
    pub(crate) observations: Vec<Observation>,
    /// Each observation is `scale` times the primitive integer row that was eliminated.
    pub(crate) scales: Vec<BigRational>,
    /// The Gram matrix and, beside it, one column per input (by round and node), after
    /// [`eliminate`].
    pub(crate) gram: Vec<BigInt>,
    pub(crate) border: Vec<BigInt>,
    pub(crate) pivots: Vec<usize>,
    /// The factor that made the Gram matrix integral: the common denominator of the variances.
    pub(crate) unit: BigInt,
}

impl Process {
    /// Computes what `observer` sees of the run.
    ///
    /// Takes about `m^2 (m + n R)` integer operations for m messages and R rounds, on integers that
    /// grow to about m times the length of an entry of `W^T`.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer is not part of the protocol or the view is too large.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
    /// use muffliato_reference::Process;
    ///
    /// let path = Network::try_new(families::path(4)?, WeightScheme::Metropolis)?;
    /// let process = Process::run(&Protocol::one_shot(path, 1)?)?;
    /// // Nodes 1 and 2 hear nodes 0 and 3, and know two draws of their own.
    /// let view = process.view(&Observer::coalition([1, 2])?)?;
    /// assert_eq!((view.messages(), view.rank()), (2, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self, observer: &Observer) -> Result<View, ReferenceError> {
        let protocol = self.protocol();
        let nodes = protocol.nodes();
        observer.check(nodes)?;
        let width = self.width();
        let messages = protocol.messages_to(observer)?;
        check_work(messages, messages.saturating_add(width), 1)?;

        let mut rows: Vec<Vec<BigInt>> = Vec::new();
        let mut scales = Vec::new();
        let mut observations = Vec::new();
        for (column, draw) in self.draws().iter().enumerate() {
            if draw.is_known_to(observer) {
                let mut row = vec![BigInt::zero(); width];
                row[column] = BigInt::one();
                rows.push(row);
                scales.push(BigRational::from_integer(BigInt::one()));
                observations.push(Observation::Known(*draw));
            }
        }
        for time in 0..protocol.steps() {
            for (seen, mut row, denominator) in self.heard(observer, time)? {
                let content = divide_by_content(&mut row);
                rows.push(row);
                scales.push(BigRational::new(content, denominator));
                observations.push(seen);
            }
        }

        let (variances, unit) = self.variances();
        let size = rows.len();
        let mut gram = vec![BigInt::zero(); size * size];
        for i in 0..size {
            for j in i..size {
                gram[i * size + j] = weighted_dot(&rows[i], &rows[j], &variances);
            }
        }
        let inputs = self.input_blocks();
        let columns = inputs.len() * nodes;
        let mut border = Vec::with_capacity(size * columns);
        for row in &rows {
            for &start in &inputs {
                border.extend_from_slice(&row[start..start + nodes]);
            }
        }
        let mut pivots = vec![0; size];
        let rank = eliminate(size, &mut gram, columns, &mut border, &mut pivots);
        pivots.truncate(rank);

        Ok(View {
            observer: observer.clone(),
            model: protocol.loss_model(),
            nodes,
            rounds: inputs.len(),
            protocol: protocol.clone(),
            observations,
            scales,
            gram,
            border,
            pivots,
            unit,
        })
    }

    /// Returns what the observer hears at a time: the rows of single messages, or of their weighted
    /// sums, with their denominators.
    pub(crate) fn heard(
        &self,
        observer: &Observer,
        time: usize,
    ) -> Result<Vec<(Observation, Vec<BigInt>, BigInt)>, ReferenceError> {
        let step = self.protocol().step(time);
        if !observer.sees_sums() {
            let senders = step.senders_to(observer.members()).into_iter();
            return Ok(senders
                .map(|sender| {
                    let (row, denominator) = self.row(time, sender);
                    (Observation::Message { time, sender }, row.to_vec(), denominator.clone())
                })
                .collect());
        }
        let matrix = GossipMatrix::of_step(step)?;
        let nodes = matrix.nodes();
        let mut sums = Vec::new();
        for &member in observer.members() {
            let weights = &matrix.numerators()[member * nodes..(member + 1) * nodes];
            let outside = |w: &usize| !observer.contains(*w) && !weights[*w].is_zero();
            let senders: Vec<usize> = (0..nodes).filter(outside).collect();
            if senders.is_empty() {
                continue;
            }
            let mut sum = vec![BigInt::zero(); self.width()];
            for &sender in &senders {
                for (sum, entry) in sum.iter_mut().zip(self.row(time, sender).0) {
                    *sum += &weights[sender] * entry;
                }
            }
            let denominator = matrix.denominator() * &self.state(time).denominator;
            sums.push((Observation::Sum { time, member }, sum, denominator));
        }
        Ok(sums)
    }

    /// Returns the variance of each draw in units of sigma^2, all multiplied by the second value.
    pub(crate) fn variances(&self) -> (Vec<BigInt>, BigInt) {
        let of = |&draw: &Draw| rational(self.protocol().variance(draw));
        let variances: Vec<BigRational> = self.draws().iter().map(of).collect();
        let unit = variances.iter().fold(BigInt::one(), |unit, x| unit.lcm(x.denom()));
        let scaled = |x: &BigRational| x.numer() * (&unit / x.denom());
        (variances.iter().map(scaled).collect(), unit)
    }
}

impl View {
    /// Returns the observer.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// Returns the loss model of this view.
    pub fn model(&self) -> LossModel {
        self.model
    }

    /// Returns the number of messages seen, `T_v`, or of sums.
    pub fn messages(&self) -> usize {
        let is_message = |seen: &&Observation| !matches!(seen, Observation::Known(_));
        self.observations.iter().filter(is_message).count()
    }

    /// Returns the rank of the observed rows (messages and known draws).
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Computes `leakage(u -> v)`: the exact loss of `source` in units of L, for scalar inputs.
    ///
    /// With one input per node it lies in `[0, 1 / s_u^2]`, and vectors lose the same. With several rounds it
    /// is the largest loss over all bounded scalar inputs; for vectors see [`View::loss`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss`].
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
    /// use muffliato_reference::Process;
    ///
    /// // A leaf of a star hears the centre, then the mean of all nodes.
    /// let star = Network::try_new(families::star(4)?, WeightScheme::Metropolis)?;
    /// let view = Process::run(&Protocol::one_shot(star, 2)?)?.view(&Observer::full(1))?;
    /// // It knows y_0 and y_1, so that y_2 + y_3 is left: half of either.
    /// assert_eq!(view.leakage(0)?.to_string(), "1");
    /// assert_eq!(view.leakage(2)?.to_string(), "1/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leakage(&self, source: usize) -> Result<BigRational, ReferenceError> {
        Ok(self.loss(&[source])?.scalar)
    }

    /// Computes the exact loss of all inputs of `sources` together, in the worst assignment of
    /// phases.
    ///
    /// # Errors
    ///
    /// Returns an error for mixed correlations of more than [`MAX_ENUMERATED_INPUTS`](crate::MAX_ENUMERATED_INPUTS) inputs
    /// (sources times rounds; fewer if there are many assignments), for more than
    /// [`MAX_PARTICIPATIONS`](muffliato_model::MAX_PARTICIPATIONS) assignments, for an infinite loss, and for sources that do not exist or
    /// observe.
    ///
    /// ```
    /// use muffliato_model::{Observer, Protocol, families};
    /// use muffliato_reference::{PaperBounds, Process};
    ///
    /// // Nodes 0 and 1 average, then node 1 sends the mean of both to node 2.
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1), (1, 2)])?;
    /// let observer = Observer::full(2);
    /// let loss = Process::run(&protocol)?.view(&observer)?.loss(&[0, 1])?;
    /// assert_eq!(loss.scalar.to_string(), "2");
    /// assert_eq!(PaperBounds::of(&protocol)?.group(&[0, 1], &observer)?.to_string(), "1"); // the paper's
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn loss(&self, sources: &[usize]) -> Result<ExactLoss, ReferenceError> {
        Forms::worst(self.forms(sources)?, self.model())
    }

    /// Computes the smaller of `sum |P_ij|` and the local loss `sum 1 / s_i^2`, in the worst
    /// assignment of phases. This is an upper bound on the loss of all inputs of `sources` together, scalars or
    /// vectors, in the model of [`View::model`].
    ///
    /// # Errors
    ///
    /// Returns an error for sources that do not exist or observe.
    pub fn loss_upper(&self, sources: &[usize]) -> Result<BigRational, ReferenceError> {
        Ok(Forms::largest_upper(&self.forms(sources)?))
    }

    /// Returns the matrix P of each assignment of phases.
    fn forms(&self, sources: &[usize]) -> Result<Vec<Forms>, ReferenceError> {
        let sources = check_sources(sources, self.nodes, self.observer())?;
        let form = |participation: Participation| {
            let inputs = participation.inputs();
            let columns = inputs.map(|(round, member)| round * self.nodes + sources[member]);
            let columns: Vec<usize> = columns.collect();
            check_work(columns.len(), columns.len(), 1)?;
            let local = Forms::local_loss(&self.protocol, &sources, &participation);
            Forms::new(participation, local, |i, j| self.product(columns[i], columns[j]))
        };
        self.protocol.participations(sources.len()).map(form).collect()
    }

    /// Computes the leakage of every node; `None` for the observing nodes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss`].
    pub fn leakages(&self) -> Result<Vec<Option<BigRational>>, ReferenceError> {
        let leakage = |u| {
            if self.observer.contains(u) { Ok(None) } else { self.leakage(u).map(Some) }
        };
        (0..self.nodes).map(leakage).collect()
    }

    /// Returns `a_i^T G^+ a_j` for the inputs i and j, given as (round, node), or `None` if one does
    /// not exist or has an infinite loss.
    ///
    /// ```
    /// use muffliato_model::{Observer, Protocol, families};
    /// use muffliato_reference::Process;
    ///
    /// // Nodes 0 and 1 average, then node 1 sends the mean of both to node 2.
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1), (1, 2)])?;
    /// let view = Process::run(&protocol)?.view(&Observer::full(2))?;
    /// assert_eq!(view.projection((0, 0), (0, 1)).unwrap().to_string(), "1/2");
    /// assert!(view.projection((0, 0), (1, 0)).is_none()); // there is one round
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn projection(&self, i: (usize, usize), j: (usize, usize)) -> Option<BigRational> {
        let column = |(round, node)| {
            (round < self.rounds && node < self.nodes).then(|| round * self.nodes + node)
        };
        self.product(column(i)?, column(j)?).ok()
    }

    /// Returns an error if the loss of an input, given by its column of the border, is infinite: if
    /// a row that is 0 in the Gram matrix is not 0 in the column.
    pub(crate) fn check_finite(&self, column: usize) -> Result<(), ReferenceError> {
        let columns = self.rounds * self.nodes;
        let bare = |row: &usize| !self.border[row * columns + column].is_zero();
        let mut dependent =
            (0..self.observations.len()).filter(|row| self.pivots.binary_search(row).is_err());
        if dependent.any(|row| bare(&row)) {
            return Err(ReferenceError::InfiniteLoss { source_node: column % self.nodes });
        }
        Ok(())
    }

    /// Returns `a_i^T G^+ a_j` for two columns of the border.
    fn product(&self, i: usize, j: usize) -> Result<BigRational, ReferenceError> {
        self.check_finite(i)?;
        self.check_finite(j)?;
        let (size, columns) = (self.observations.len(), self.rounds * self.nodes);
        let pivot = |&row: &usize| &self.gram[row * size + row];
        let pivots = self.pivots.iter().map(|row| {
            (pivot(row), &self.border[row * columns + i], &self.border[row * columns + j])
        });
        let numerator = quadratic_form(pivots) * &self.unit;
        let denominator = self.pivots.last().map_or_else(BigInt::one, |last| pivot(last).clone());
        Ok(BigRational::new(numerator, denominator))
    }
}
