//! Several inputs at once: the rounds of gradient descent, groups of users.
//!
//! With P the matrix of `e_i^T Pi e_j` over the k protected inputs, the loss is
//! `L max { d^T P d : |d_i| <= 1 }`. The form is convex, so that the maximum is at signs. Vectors of
//! length at most 1 in place of the d_i lose at most `L sum |P_ij|`, with equality if P >= 0, and at most `k L`, as no
//! eigenvalue of P is above 1. Their loss is exactly `max tr(P X)` over `X >= 0` with diagonal at most 1 (X the inner products of the d_i), and
//! any lambda with `diag(lambda) - P >= 0` bounds it by `sum lambda`, as `tr(P X) <= tr(diag(lambda) X) <= sum lambda`, lambda being non-negative
//! like the diagonal of P.
//!
//! Where the data of a user is used in some rounds only ([`Protocol::every`](muffliato_model::Protocol::every)), the inputs are those of one phase,
//! and the loss is that of the phase that loses most.

use crate::{
    ReferenceError, View,
    arithmetic::largest_over_signs,
    checks::{check_sources, check_work, require},
    order,
    rational::{larger, whole},
};
use muffliato_model::LossModel;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// The loss of several inputs, in units of L.
///
/// ```
/// use muffliato_model::{LossModel, Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Process;
///
/// // Two rounds of one step: node 0 hears (g_0 + g_1 + g_2) / 3 under the fresh noise of node 1.
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let process = Process::run(&Protocol::gradient_descent(path, 2, 1)?)?;
/// let loss = process.view(&Observer::full(0))?.loss(&[2])?;
/// assert_eq!(loss.scalar.to_string(), "1/10"); // (1/3)^2 / ((1/3)^2 + 1)
/// assert_eq!((loss.vector_upper, loss.model), (loss.scalar, LossModel::GradientsAsInputs));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The largest loss over all scalar inputs with |d_i| <= 1: exact.
    pub scalar: BigRational,
    /// An upper bound for vector inputs of length at most 1; exact if it equals `scalar`.
    pub vector_upper: BigRational,
    /// Worst-case signs: whether input i goes up (`true`) or down, round by round and within a
    /// round in the order of the sources.
    pub signs: Vec<bool>,
    /// The phase of participation that loses most, to which the signs belong; 0 if all rounds are used.
    pub phase: usize,
    /// What it was computed for.
    pub model: LossModel,
}

/// The most inputs for which all signs are tried.
pub const MAX_ENUMERATED_INPUTS: usize = 20;

impl View {
    /// The exact loss of all inputs of `sources` together. Mixed correlations of more than
    /// [`MAX_ENUMERATED_INPUTS`] inputs (sources times rounds) are an error.
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
    pub fn loss(&self, sources: &[usize]) -> Result<Loss, ReferenceError> {
        worst(&self.forms_of_phases(sources)?, self.model())
    }

    /// The smaller of `sum |P_ij|` and the number of inputs: an upper bound on the loss of all inputs of
    /// `sources` together, scalars or vectors, for any number of them. In the model of [`View::model`].
    pub fn loss_upper(&self, sources: &[usize]) -> Result<BigRational, ReferenceError> {
        Ok(largest_upper(&self.forms_of_phases(sources)?))
    }

    fn forms_of_phases(&self, sources: &[usize]) -> Result<Vec<Forms>, ReferenceError> {
        (0..self.phases.len())
            .map(|phase| self.input_forms(sources, phase))
            .collect()
    }

    /// The columns of the inputs of `sources` in the rounds of a phase, round by round.
    pub(crate) fn input_columns(
        &self,
        sources: &[usize],
        phase: usize,
    ) -> Result<Vec<usize>, ReferenceError> {
        let sources = check_sources(sources, self.nodes, self.observer())?;
        let expected = "it must be below the number of phases of the protocol";
        require(phase < self.phases.len(), "the phase", &phase, expected)?;
        let of_round = |&round: &usize| {
            let nodes = self.nodes;
            sources.iter().map(move |&source| round * nodes + source)
        };
        Ok(self.phases[phase].iter().flat_map(of_round).collect())
    }

    fn input_forms(&self, sources: &[usize], phase: usize) -> Result<Forms, ReferenceError> {
        let columns = self.input_columns(sources, phase)?;
        let size = columns.len();
        check_work(size, size, 1)?;
        let mut numerators = vec![BigInt::zero(); size * size];
        for (i, &a) in columns.iter().enumerate() {
            for (j, &b) in columns.iter().enumerate().skip(i) {
                let entry = self.projection_numerator(a, b);
                numerators[j * size + i] = entry.clone();
                numerators[i * size + j] = entry;
            }
        }
        Ok(Forms {
            size,
            numerators,
            denominator: self.projection_denominator(),
        })
    }
}

/// The matrix P over a common positive denominator.
pub(crate) struct Forms {
    pub size: usize,
    pub numerators: Vec<BigInt>,
    pub denominator: BigInt,
}

/// The loss in the phase that loses most, given P of each.
pub(crate) fn worst(phases: &[Forms], model: LossModel) -> Result<Loss, ReferenceError> {
    let mut worst = phases[0].loss(0, model)?;
    for (phase, forms) in phases.iter().enumerate().skip(1) {
        let other = forms.loss(phase, model)?;
        let vector_upper = larger(worst.vector_upper.clone(), other.vector_upper.clone());
        if order(&other.scalar, &worst.scalar).is_gt() {
            worst = other;
        }
        worst.vector_upper = vector_upper;
    }
    Ok(worst)
}

/// The largest upper bound for vectors, given P of each phase.
pub(crate) fn largest_upper(phases: &[Forms]) -> BigRational {
    let uppers = phases.iter().map(Forms::upper);
    uppers.fold(whole(0), larger)
}

impl Forms {
    /// The largest loss over signs, and the bound for vectors.
    fn loss(&self, phase: usize, model: LossModel) -> Result<Loss, ReferenceError> {
        let inputs = self.size;
        let mut signs = vec![true; inputs];
        let scalar = if self.numerators.iter().all(|entry| !entry.is_negative()) {
            self.numerators.iter().sum()
        } else if inputs <= MAX_ENUMERATED_INPUTS {
            let (mut flipped, mut applied) = (signs.clone(), vec![BigInt::zero(); inputs]);
            largest_over_signs(
                inputs,
                &self.numerators,
                &mut flipped,
                &mut signs,
                &mut applied,
            )
        } else {
            return Err(ReferenceError::TooManyInputs {
                inputs,
                limit: MAX_ENUMERATED_INPUTS,
            });
        };
        Ok(Loss {
            scalar: BigRational::new(scalar, self.denominator.clone()),
            vector_upper: self.upper(),
            signs,
            phase,
            model,
        })
    }

    fn upper(&self) -> BigRational {
        let sum = self.numerators.iter().map(Signed::abs).sum();
        let sum = BigRational::new(sum, self.denominator.clone());
        match order(&sum, &whole(self.size)).is_lt() {
            true => sum,
            false => whole(self.size),
        }
    }
}
