//! Losses of several inputs: the rounds of gradient descent, and groups of users.
//!
//! With P the matrix of `e_i^T Pi e_j` over the k protected inputs, the loss is
//! `L max { d^T P d : |d_i| <= 1 }`. The form is convex, so the maximum is attained at signs.
//! Vectors of length at most 1 in place of the d_i lose at most `L sum |P_ij|`, with equality if
//! `P >= 0`, and at most `k L`, as no eigenvalue of P is above 1. Their loss is exactly `max tr(P X)`
//! over `X >= 0` with diagonal at most 1 (X the inner products of the d_i), and any lambda with
//! `diag(lambda) - P >= 0` bounds it by `sum lambda`, as
//! `tr(P X) <= tr(diag(lambda) X) <= sum lambda`, lambda being non-negative like the diagonal of P.
//!
//! If the data of a user is used in some rounds only
//! ([`Protocol::every`](muffliato_model::Protocol::every)), each member of a group has its own
//! phase, and the loss is the largest over all assignments of phases.

use crate::{
    ReferenceError, View,
    arithmetic::largest_over_signs,
    checks::{check_sources, check_work},
    order,
    rational::{larger, whole},
};
use muffliato_model::{LossModel, MAX_PARTICIPATIONS, Participation};
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
    /// The largest loss over all scalar inputs with |d_i| <= 1, exactly.
    pub scalar: BigRational,
    /// An upper bound for vector inputs of length at most 1; exact if it equals `scalar`.
    pub vector_upper: BigRational,
    /// Worst-case signs, `true` for up, in the order of [`Participation::inputs`].
    pub signs: Vec<bool>,
    /// The worst-case phases of the sources, in increasing order of the sources.
    pub participation: Participation,
    /// The loss model.
    pub model: LossModel,
}

/// Largest number of inputs for which all signs are enumerated.
pub const MAX_ENUMERATED_INPUTS: usize = 20;

impl View {
    /// Computes the exact loss of all inputs of `sources` together, in the worst assignment of
    /// phases.
    ///
    /// # Errors
    ///
    /// Returns an error for mixed correlations of more than [`MAX_ENUMERATED_INPUTS`] inputs
    /// (sources times rounds; fewer if there are many assignments), for more than
    /// [`MAX_PARTICIPATIONS`] assignments, and for sources that do not exist or observe.
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
        worst(self.forms(sources)?, self.model())
    }

    /// Computes the smaller of `sum |P_ij|` and the number of inputs, in the worst assignment of
    /// phases. This is an upper bound on the loss of all inputs of `sources` together, scalars or
    /// vectors, in the model of [`View::model`].
    ///
    /// # Errors
    ///
    /// Returns an error for sources that do not exist or observe.
    pub fn loss_upper(&self, sources: &[usize]) -> Result<BigRational, ReferenceError> {
        Ok(largest_upper(&self.forms(sources)?))
    }

    /// Returns the matrix P of each assignment of phases.
    fn forms(&self, sources: &[usize]) -> Result<Vec<Forms>, ReferenceError> {
        let sources = check_sources(sources, self.nodes, self.observer())?;
        let participations = self.protocol.participations(sources.len());
        let form = |participation| self.input_forms(&sources, participation);
        participations.map(form).collect()
    }

    fn input_forms(
        &self,
        sources: &[usize],
        participation: Participation,
    ) -> Result<Forms, ReferenceError> {
        let inputs = participation.inputs();
        let columns = inputs.map(|(round, member)| round * self.nodes + sources[member]);
        let columns: Vec<usize> = columns.collect();
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
            participation,
        })
    }
}

/// The matrix P over a common positive denominator.
pub(crate) struct Forms {
    pub participation: Participation,
    pub size: usize,
    pub numerators: Vec<BigInt>,
    pub denominator: BigInt,
}

/// Returns the largest loss over all assignments of phases, given P of each.
pub(crate) fn worst(assignments: Vec<Forms>, model: LossModel) -> Result<Loss, ReferenceError> {
    let number = assignments.len();
    // A single user has few phases. For groups the signs are enumerated once per assignment.
    let spent = match assignments.first() {
        Some(first) if first.participation.members() == 1 => 0,
        _ => number.next_power_of_two().trailing_zeros() as usize,
    };
    let limit = MAX_ENUMERATED_INPUTS - spent;
    let mut worst: Option<Loss> = None;
    for forms in assignments {
        if !forms.participation.is_exact() {
            return Err(ReferenceError::TooManyParticipations {
                members: forms.participation.members(),
                limit: MAX_PARTICIPATIONS,
            });
        }
        let loss = forms.loss(model, limit)?;
        worst = Some(match worst {
            None => loss,
            Some(before) => {
                let vector_upper = larger(before.vector_upper.clone(), loss.vector_upper.clone());
                let most = if order(&loss.scalar, &before.scalar).is_gt() {
                    loss
                } else {
                    before
                };
                Loss {
                    vector_upper,
                    ..most
                }
            }
        });
    }
    worst.ok_or(ReferenceError::NoSource)
}

/// Returns the largest upper bound for vectors, given P of each assignment of phases.
pub(crate) fn largest_upper(assignments: &[Forms]) -> BigRational {
    let uppers = assignments.iter().map(Forms::upper);
    uppers.fold(whole(0), larger)
}

impl Forms {
    /// Computes the largest loss over signs, and the bound for vectors.
    fn loss(self, model: LossModel, limit: usize) -> Result<Loss, ReferenceError> {
        let inputs = self.size;
        let mut signs = vec![true; inputs];
        let scalar = if self.numerators.iter().all(|entry| !entry.is_negative()) {
            self.numerators.iter().sum()
        } else if inputs <= limit {
            let (mut flipped, mut applied) = (signs.clone(), vec![BigInt::zero(); inputs]);
            largest_over_signs(
                inputs,
                &self.numerators,
                &mut flipped,
                &mut signs,
                &mut applied,
            )
        } else {
            return Err(ReferenceError::TooManyInputs { inputs, limit });
        };
        Ok(Loss {
            vector_upper: self.upper(),
            scalar: BigRational::new(scalar, self.denominator),
            signs,
            participation: self.participation,
            model,
        })
    }

    fn upper(&self) -> BigRational {
        let sum = self.numerators.iter().map(Signed::abs).sum();
        let sum = BigRational::new(sum, self.denominator.clone());
        if order(&sum, &whole(self.size)).is_lt() {
            sum
        } else {
            whole(self.size)
        }
    }
}
