//! The answers of the loss topics, from the exact engine, and what common errors would answer in their place.

use crate::form::{Answer, Inputs};
use muffliato_model::{Draw, LossModel, Observer, Participation, Protocol};
use muffliato_reference::{
    Forms, GossipMatrix, Process, ReferenceError, View, decimal, order, rational, solve_gram,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::error::Error;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;
pub(crate) type Matrix = Vec<Vec<BigRational>>;

/// Significant digits of the decimals below and above an answer.
const DIGITS: u32 = 15;

pub(crate) fn whole(value: usize) -> BigRational {
    BigRational::from_integer(value.into())
}

/// Reads a fraction that the generator itself wrote.
pub(crate) fn fraction(text: &str) -> Result<BigRational> {
    Ok(rational(text.parse()?))
}

/// The answer of a number that is known exactly.
pub(crate) fn number(value: &BigRational) -> Answer {
    Answer::Number {
        value: Some(value.to_string()),
        below: decimal::rounded_down(value, DIGITS),
        above: decimal::rounded_up(value, DIGITS),
    }
}

/// The answer of a number between two ends, exact if they are equal.
pub(crate) fn between(lower: &BigRational, upper: &BigRational) -> Answer {
    Answer::Number {
        value: (lower == upper).then(|| lower.to_string()),
        below: decimal::rounded_down(lower, DIGITS),
        above: decimal::rounded_up(upper, DIGITS),
    }
}

pub(crate) fn is_less(a: &BigRational, b: &BigRational) -> bool {
    order(a, b).is_lt()
}

fn larger(a: BigRational, b: BigRational) -> BigRational {
    if is_less(&a, &b) { b } else { a }
}

/// Returns the largest `d^T P d` over signs d.
fn over_signs(p: &Matrix) -> Result<BigRational> {
    let together = Participation::in_one_round(p.len());
    let forms = Forms::new(together, None, |i, j| Ok::<_, ReferenceError>(p[i][j].clone()))?;
    Ok(Forms::worst(vec![forms], LossModel::SingleInput)?.scalar)
}

/// Encloses the largest `sum P_ij <d_i, d_j>` over vectors of length at most 1: below by vectors that an ascent in floats finds
/// and fractions evaluate, above by `sum |P_ij|` and by the number of inputs.
fn over_vectors(p: &Matrix) -> Result<(BigRational, BigRational)> {
    let size = p.len();
    let absolute = p.iter().flatten().map(Signed::abs).sum::<BigRational>();
    let upper = match is_less(&absolute, &whole(size)) {
        true => absolute,
        false => whole(size),
    };
    let signs = over_signs(p)?;
    if signs == upper {
        return Ok((signs, upper));
    }
    let floats: Vec<Vec<f64>> = p
        .iter()
        .map(|row| row.iter().map(|entry| entry.to_f64().unwrap_or(0.0)).collect())
        .collect();
    let mut vectors: Vec<Vec<f64>> =
        (0..size).map(|i| (0..size).map(|k| 1.0 / (1 + i + 2 * k) as f64).collect()).collect();
    for _ in 0..2000 {
        for i in 0..size {
            let sum = |k: usize| (0..size).map(|j| floats[i][j] * vectors[j][k]).sum::<f64>();
            let pulled: Vec<f64> = (0..size).map(sum).collect();
            let length = pulled.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                vectors[i] = pulled.iter().map(|x| x / length * (1.0 - 1e-13)).collect();
            }
        }
    }
    let exact = |x: &f64| BigRational::from_float(*x).unwrap_or_else(BigRational::zero);
    let vectors: Matrix = vectors.iter().map(|v| v.iter().map(exact).collect()).collect();
    let inner = |a: &[BigRational], b: &[BigRational]| -> BigRational {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    };
    if vectors.iter().any(|v| inner(v, v) > BigRational::one()) {
        return Ok((signs, upper));
    }
    let mut reached = BigRational::zero();
    for i in 0..size {
        for j in 0..size {
            reached += &p[i][j] * inner(&vectors[i], &vectors[j]);
        }
    }
    Ok((larger(signs, reached), upper))
}

/// One observer's view of a run, and the messages that it is made of.
pub(crate) struct Seen<'a> {
    protocol: &'a Protocol,
    view: View,
    /// For each message its coefficients over the draws that the observer does not know, in units of their deviations.
    noise: Matrix,
    /// The variance of each hidden draw.
    variances: Vec<BigRational>,
    /// For each message its coefficients over all inputs, round by round and node by node.
    signal: Matrix,
    known: usize,
}

/// What the observer hears at a time, over all draws: each message, or the sum that each member learns.
fn heard(process: &Process, observer: &Observer, time: usize) -> Result<Matrix> {
    let step = process.protocol().step(time);
    let message =
        |&sender: &usize| Ok(process.coefficients(time, sender).ok_or("no such message")?);
    let senders = step.senders_to(observer.members());
    let messages: Matrix = senders.iter().map(message).collect::<Result<_>>()?;
    if !observer.sees_sums() {
        return Ok(messages);
    }
    let matrix = GossipMatrix::of_step(step)?;
    let sum = |&member: &usize| {
        let mut sum = vec![BigRational::zero(); process.draws().len()];
        for (&sender, message) in senders.iter().zip(&messages) {
            let weight = matrix.entry(member, sender).ok_or("no such weight")?;
            for (sum, entry) in sum.iter_mut().zip(message) {
                *sum += &weight * entry;
            }
        }
        Ok(sum)
    };
    observer.members().iter().map(sum).collect()
}

/// The inputs of `sources`, each in the rounds of its phase.
fn inputs(sources: &[usize], phases: &Participation) -> Vec<(usize, usize)> {
    phases.inputs().map(|(round, member)| (round, sources[member])).collect()
}

impl<'a> Seen<'a> {
    pub fn of(process: &'a Process, observer: &Observer) -> Result<Self> {
        let protocol = process.protocol();
        let draws = process.draws();
        let variance = |d: usize| rational(protocol.variance(draws[d]));
        let unknown: Vec<_> =
            (0..draws.len()).filter(|&d| !draws[d].is_known_to(observer)).collect();
        let hidden: Vec<_> = unknown.iter().copied().filter(|&d| !variance(d).is_zero()).collect();
        let inputs: Vec<_> = (0..draws.len())
            .filter(|&d| matches!(draws[d], Draw::Own { time, .. } if protocol.has_input(time)))
            .collect();
        let (mut noise, mut signal) = (Vec::new(), Vec::new());
        for time in 0..protocol.steps() {
            for row in heard(process, observer, time)? {
                if hidden.iter().all(|&d| row[d].is_zero()) {
                    continue; // It says nothing that the observer does not know.
                }
                noise.push(hidden.iter().map(|&d| row[d].clone()).collect());
                signal.push(inputs.iter().map(|&d| row[d].clone()).collect());
            }
        }
        Ok(Self {
            protocol,
            view: process.view(observer)?,
            noise,
            variances: hidden.iter().map(|&d| variance(d)).collect(),
            signal,
            known: draws.len() - unknown.len(),
        })
    }

    fn projections(&self, inputs: &[(usize, usize)]) -> Result<Matrix> {
        let entry = |i, j| self.view.projection(i, j).ok_or("no such input");
        let row = |&i| inputs.iter().map(|&j| entry(i, j)).collect::<std::result::Result<_, _>>();
        Ok(inputs.iter().map(row).collect::<std::result::Result<_, _>>()?)
    }

    /// Encloses the loss of `sources` together: the largest over all assignments of phases to them.
    pub fn loss(&self, sources: &[usize], inputs: Inputs) -> Result<(BigRational, BigRational)> {
        match inputs {
            Inputs::Scalars => {
                let scalar = self.view.loss(sources)?.scalar;
                Ok((scalar.clone(), scalar))
            }
            Inputs::Vectors => self.worst(sources, |_| true, over_vectors),
        }
    }

    /// The loss if all sources had one and the same phase; the first one, if `first`.
    pub fn loss_in_one_phase(&self, sources: &[usize], first: bool) -> Result<BigRational> {
        let alike = |phases: &Participation| {
            let phase = if first { Some(0) } else { phases.phase(0) };
            (0..sources.len()).all(|member| phases.phase(member) == phase)
        };
        Ok(self.worst(sources, alike, |p| Ok((over_signs(p)?, BigRational::zero())))?.0)
    }

    /// The largest ends over some assignments of phases to the sources.
    fn worst(
        &self,
        sources: &[usize],
        counts: impl Fn(&Participation) -> bool,
        ends: impl Fn(&Matrix) -> Result<(BigRational, BigRational)>,
    ) -> Result<(BigRational, BigRational)> {
        let mut worst = (BigRational::zero(), BigRational::zero());
        for phases in self.protocol.participations(sources.len()).filter(counts) {
            let (lower, upper) = ends(&self.projections(&inputs(sources, &phases))?)?;
            worst = (larger(worst.0, lower), larger(worst.1, upper));
        }
        Ok(worst)
    }

    /// The sum of the losses of single messages, as if they were independent.
    pub fn marginal_sum(&self, sources: &[usize]) -> Result<BigRational> {
        let nodes = self.protocol.nodes();
        let mut worst = BigRational::zero();
        for phases in self.protocol.participations(sources.len()) {
            let inputs = inputs(sources, &phases);
            let column = |&(round, node): &(usize, usize)| round * nodes + node;
            let mut p = vec![vec![BigRational::zero(); inputs.len()]; inputs.len()];
            for (noise, signal) in self.noise.iter().zip(&self.signal) {
                let variance = self.inner(noise, noise);
                for (i, a) in inputs.iter().map(column).enumerate() {
                    for (j, b) in inputs.iter().map(column).enumerate() {
                        p[i][j] += &signal[a] * &signal[b] / &variance;
                    }
                }
            }
            worst = larger(worst, over_signs(&p)?);
        }
        Ok(worst)
    }

    fn gram(&self) -> Matrix {
        let row = |a: &Vec<BigRational>| self.noise.iter().map(|b| self.inner(a, b)).collect();
        self.noise.iter().map(row).collect()
    }

    /// The covariance of two combinations of the hidden draws.
    fn inner(&self, a: &[BigRational], b: &[BigRational]) -> BigRational {
        a.iter().zip(b).zip(&self.variances).map(|((x, y), variance)| x * y * variance).sum()
    }

    /// Returns `true` if elimination in floats, with pivots below 1e-10 taken for 0, finds a rank that is too small.
    pub fn is_nearly_singular(&self) -> bool {
        let float = |x: &BigRational| x.to_f64().unwrap_or(0.0);
        let gram: Vec<Vec<f64>> =
            self.gram().iter().map(|row| row.iter().map(float).collect()).collect();
        let size = gram.len();
        let mut rest: Vec<Vec<f64>> = (0..size)
            .map(|i| (0..size).map(|j| gram[i][j] / (gram[i][i] * gram[j][j]).sqrt()).collect())
            .collect();
        let mut rank = 0;
        while let Some(k) = (0..size).max_by(|&i, &j| rest[i][i].total_cmp(&rest[j][j])) {
            let pivot = rest[k][k];
            if pivot < 1e-10 {
                break;
            }
            let row = rest[k].clone();
            for i in 0..size {
                let factor = rest[i][k] / pivot;
                for j in 0..size {
                    rest[i][j] -= factor * row[j];
                }
            }
            rest[k] = vec![0.0; size];
            rank += 1;
        }
        rank < self.view.rank() - self.known
    }
}

/// The absorption bound: how far two runs deviate, where the fractions absorb; `None` if a deviation is heard.
///
/// One phase of participation, no acceleration.
pub(crate) fn absorption_bound(
    protocol: &Protocol,
    sources: &[usize],
    observer: &Observer,
    lipschitz: &BigRational,
    absorbed: impl Fn(usize, usize) -> BigRational,
) -> Result<Option<BigRational>> {
    let nodes = protocol.nodes();
    let mut deviation = vec![BigRational::zero(); nodes];
    let mut cost = BigRational::zero();
    for time in 0..protocol.steps() {
        if protocol.has_input(time) {
            for (w, deviation) in deviation.iter_mut().enumerate() {
                *deviation *= lipschitz;
                if sources.contains(&w) {
                    *deviation += BigRational::one();
                }
            }
        }
        for w in 0..nodes {
            let variance = rational(protocol.variance(Draw::Own { time, node: w }));
            if !variance.is_zero() {
                let taken = &deviation[w] * absorbed(time, w);
                deviation[w] -= &taken;
                cost += &taken * &taken / variance;
            }
        }
        let heard = protocol.step(time).senders_to(observer.members());
        if heard.iter().any(|&w| !deviation[w].is_zero()) {
            return Ok(None);
        }
        let matrix = GossipMatrix::of_step(protocol.step(time))?;
        let denominator = BigRational::from_integer(matrix.denominator().clone());
        let over = |above: &BigInt| BigRational::from_integer(above.clone()) / &denominator;
        let rows = matrix.numerators().chunks_exact(nodes);
        deviation =
            rows.map(|row| row.iter().zip(&deviation).map(|(w, e)| over(w) * e).sum()).collect();
    }
    Ok(Some(cost))
}

/// Potentials of the currents that enter at the sources and leave through the noise of the nodes and along masks: the solution of
/// `(I + kappa^2 L) y = 1_U`, L the Laplacian of the edges without those at `removed`.
pub(crate) fn potentials(
    nodes: usize,
    edges: &[(usize, usize)],
    kappa: &BigRational,
    sources: &[usize],
    removed: &[usize],
) -> Result<Vec<BigRational>> {
    let mut matrix = vec![vec![BigRational::zero(); nodes]; nodes];
    for (w, row) in matrix.iter_mut().enumerate() {
        row[w] = BigRational::one();
    }
    let coupling = kappa * kappa;
    for &(a, b) in edges {
        if !removed.contains(&a) && !removed.contains(&b) {
            matrix[a][a] += &coupling;
            matrix[b][b] += &coupling;
            matrix[a][b] -= &coupling;
            matrix[b][a] -= &coupling;
        }
    }
    let enters: Vec<_> = (0..nodes).map(|w| whole(sources.contains(&w).into())).collect();
    Ok(solve_gram(&matrix, &enters)?)
}
