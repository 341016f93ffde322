//! Statistics of an observer.

use super::{AttackError, cells::Cells};
use muffliato_model::{Draw, Observer, Protocol};
use muffliato_reference::{
    BigRational, GossipMatrix, Observation, Process, ReferenceError, rational, solve_gram,
};
use num_traits::{One, ToPrimitive, Zero};

/// A linear statistic of what the observer sees.
///
/// ```
/// use muffliato_conformance::attack::Strategy;
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
///
/// let protocol = Protocol::one_shot(Network::try_new(families::path(3)?, WeightScheme::Metropolis)?, 2)?;
/// // Signal to noise, in multiples of Delta / sigma; its square is the leakage.
/// let ratio = |strategy: &Strategy| strategy.weight / strategy.deviation;
/// let best = Strategy::best(&protocol, 2, &Observer::full(0), 0.0)?;
/// assert_eq!(best.leakage.to_string(), "1");
/// assert!((ratio(&best) - 1.0).abs() < 1e-12);
/// let coarse = Strategy::best(&protocol, 2, &Observer::full(0), 0.01)?;
/// assert!(ratio(&coarse) < ratio(&best));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Coefficient of each observation.
    pub coefficients: Vec<(Observation, f64)>,
    /// Exact leakage of the source if messages are not rounded.
    pub leakage: BigRational,
    /// Weight of the source's input in the statistic.
    pub weight: f64,
    /// Standard deviation of the statistic for sigma = 1, with the assumed rounding errors.
    pub deviation: f64,
}

/// Largest number of fractions in the exact computation of a statistic.
const MAX_NUMBERS: usize = 4_000_000;

impl Strategy {
    /// Computes the best statistic of `observer` against `source` for messages with an error of
    /// variance `rounding` each, in units of sigma^2. Arithmetic is exact up to the conversion of
    /// the coefficients.
    ///
    /// On a fixed network whose weights depend only on degrees, nodes that the observer need not
    /// distinguish are treated together. Other protocols use the exact engine, without rounding.
    ///
    /// # Errors
    ///
    /// Fails if source or observer is not a node, the source observes, there are several rounds, or
    /// the view is too large.
    pub fn best(
        protocol: &Protocol,
        source: usize,
        observer: &Observer,
        rounding: f64,
    ) -> Result<Self, AttackError> {
        let nodes = protocol.nodes();
        observer.check(nodes).map_err(ReferenceError::from)?;
        if source >= nodes {
            let source_node = source;
            return Err(ReferenceError::SourceOutOfRange { source_node, nodes }.into());
        }
        if observer.contains(source) {
            return Err(ReferenceError::SourceObserves { node: source }.into());
        }
        let plain = protocol.rounds() == 1
            && protocol.acceleration().is_none()
            && protocol.masks().is_none()
            && protocol.uniform().is_ok();
        let cells = protocol
            .fixed_network()
            .filter(|_| plain && !observer.sees_sums())
            .and_then(|network| Cells::of(network, observer, source));
        match cells {
            Some(cells) => {
                Averaged::of(protocol, observer, &cells)?.solve(&cells, source, rounding)
            }
            None => Self::from_view(protocol, source, observer),
        }
    }

    /// Returns the coefficient of each message, as time, sender and coefficient. A sum counts as the
    /// weighted messages that a member receives from outside, so that one can be there twice.
    pub(super) fn messages(
        &self,
        protocol: &Protocol,
        observer: &Observer,
    ) -> Result<Vec<(usize, usize, f64)>, AttackError> {
        let mut messages = Vec::new();
        for &(seen, coefficient) in &self.coefficients {
            match seen {
                Observation::Known(_) => {}
                Observation::Message { time, sender } => messages.push((time, sender, coefficient)),
                Observation::Sum { time, member } => {
                    let matrix = GossipMatrix::of_step(protocol.step(time))?;
                    for sender in protocol.step(time).senders_to(observer.members()) {
                        let weight = matrix.entry(member, sender).map_or(0.0, |w| float(&w));
                        messages.push((time, sender, weight * coefficient));
                    }
                }
            }
        }
        Ok(messages)
    }

    fn from_view(
        protocol: &Protocol,
        source: usize,
        observer: &Observer,
    ) -> Result<Self, AttackError> {
        if protocol.rounds() != 1 {
            return Err(AttackError::SeveralRounds);
        }
        let view = Process::run(protocol)?.view(observer)?;
        let attack = view.attack(&view.worst_inputs(&[source])?)?;
        let exact = view.leakage(source)?;
        let leakage = float(&exact);
        Ok(Self {
            coefficients: attack
                .iter()
                .map(|(seen, coefficient)| (*seen, float(coefficient)))
                .collect(),
            leakage: exact,
            weight: leakage,
            deviation: leakage.sqrt(),
        })
    }
}

fn float(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// An observation: a known draw, or the mean of the messages of a cell.
struct Row {
    /// Observations that are averaged.
    seen: Vec<Observation>,
    /// Coefficients over the mean draws of the cells, by draw time.
    coefficients: Vec<BigRational>,
}

/// View of the means over the cells.
struct Averaged {
    rows: Vec<Row>,
    /// Variance of each mean draw, in units of sigma^2.
    variances: Vec<BigRational>,
}

impl Averaged {
    fn of(protocol: &Protocol, observer: &Observer, cells: &Cells) -> Result<Self, AttackError> {
        let count = cells.members.len();
        let draws: Vec<usize> = (0..protocol.steps()).filter(|&t| protocol.draws(t)).collect();
        let width = draws.len() * count;
        let senders = protocol.step(0).senders_to(observer.members());
        let numbers = width.saturating_mul(count + protocol.steps().saturating_mul(senders.len()));
        if numbers > MAX_NUMBERS {
            return Err(AttackError::TooLarge { numbers, limit: MAX_NUMBERS });
        }
        let mut variances = Vec::with_capacity(width);
        for &t in &draws {
            let variance = rational(protocol.variance(Draw::Own { time: t, node: 0 }));
            for nodes in &cells.members {
                variances.push(&variance / BigRational::from_integer(nodes.len().into()));
            }
        }
        let mut rows = Vec::new();
        if observer.knows_own_noise() {
            for (block, &time) in draws.iter().enumerate() {
                for &node in observer.members() {
                    let mut coefficients = vec![BigRational::zero(); width];
                    coefficients[block * count + cells.of_node[node]] = BigRational::one();
                    let seen = vec![Observation::Known(Draw::Own { time, node })];
                    rows.push(Row { seen, coefficients });
                }
            }
        }
        let mut heard: Vec<usize> = senders.iter().map(|&w| cells.of_node[w]).collect();
        heard.sort_unstable();
        heard.dedup();
        let mut state = vec![vec![BigRational::zero(); width]; count];
        for time in 0..protocol.steps() {
            if let Some(block) = draws.iter().position(|&t| t == time) {
                for (cell, row) in state.iter_mut().enumerate() {
                    row[block * count + cell] += BigRational::one();
                }
            }
            for &cell in &heard {
                let members = &cells.members[cell];
                let seen = members.iter().map(|&sender| Observation::Message { time, sender });
                rows.push(Row { seen: seen.collect(), coefficients: state[cell].clone() });
            }
            state = cells.mixing.iter().map(|mix| mixed(mix, &state)).collect();
        }
        Ok(Self { rows, variances })
    }

    /// Solves `c = (G + rounding)^+ a` by elimination; rows that depend on earlier ones get 0.
    fn solve(&self, cells: &Cells, source: usize, rounding: f64) -> Result<Strategy, AttackError> {
        let input = cells.of_node[source];
        let a: Vec<BigRational> =
            self.rows.iter().map(|row| row.coefficients[input].clone()).collect();
        let exact = self.gram();
        let leakage = dot(&solve_gram(&exact, &a)?, &a);
        let mut blurred = exact;
        let rounding = BigRational::from_float(rounding).unwrap_or_default();
        for (place, row) in self.rows.iter().enumerate() {
            if let Observation::Message { .. } = row.seen[0] {
                let count = BigRational::from_integer(row.seen.len().into());
                blurred[place][place] += &rounding / count;
            }
        }
        let c = solve_gram(&blurred, &a)?;
        let weight = dot(&c, &a);
        let mut coefficients = Vec::new();
        for (row, c) in self.rows.iter().zip(&c) {
            let each = float(&(c / BigRational::from_integer(row.seen.len().into())));
            coefficients.extend(row.seen.iter().map(|&seen| (seen, each)));
        }
        // c^T (G + rounding) c = c^T a.
        Ok(Strategy {
            coefficients,
            leakage,
            deviation: float(&weight).sqrt(),
            weight: float(&weight),
        })
    }

    fn gram(&self) -> Vec<Vec<BigRational>> {
        let inner = |a: &Row, b: &Row| {
            let mut sum = BigRational::zero();
            for ((x, y), variance) in
                a.coefficients.iter().zip(&b.coefficients).zip(&self.variances)
            {
                if !x.is_zero() && !y.is_zero() {
                    sum += x * y * variance;
                }
            }
            sum
        };
        let all = |a: &Row| self.rows.iter().map(|b| inner(a, b)).collect();
        self.rows.iter().map(all).collect()
    }
}

fn mixed(weights: &[BigRational], state: &[Vec<BigRational>]) -> Vec<BigRational> {
    let mut row = vec![BigRational::zero(); state[0].len()];
    for (weight, other) in weights.iter().zip(state) {
        if weight.is_zero() {
            continue;
        }
        for (sum, entry) in row.iter_mut().zip(other) {
            if !entry.is_zero() {
                *sum += weight * entry;
            }
        }
    }
    row
}

fn dot(a: &[BigRational], b: &[BigRational]) -> BigRational {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
