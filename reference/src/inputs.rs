//! Losses of several inputs: the rounds of gradient descent, and groups of users.
//!
//! With P the matrix of `a_i^T G^+ a_j` over the k protected inputs, the loss is
//! `L max { d^T P d : |d_i| <= 1 }`. The form is convex, so the maximum is attained at signs.
//! Vectors of length at most 1 in place of the d_i lose at most `L sum |P_ij|`, with equality if
//! `P >= 0`, and at most `L sum 1 / s_i^2`, the loss of the noisy inputs themselves. Their loss is exactly `max tr(P X)`
//! over `X >= 0` with diagonal at most 1 (X the inner products of the d_i), and any lambda with
//! `diag(lambda) - P >= 0` bounds it by `sum lambda`, as
//! `tr(P X) <= tr(diag(lambda) X) <= sum lambda`, lambda being non-negative like the diagonal of P.
//!
//! If the data of a user is used in some rounds only
//! ([`Protocol::every`](muffliato_model::Protocol::every)), each member of a group has its own
//! phase, and the loss is the largest over all assignments of phases.

use crate::{
    ReferenceError,
    arithmetic::largest_over_signs,
    order,
    rational::{larger, rational, whole},
};
use muffliato_model::{Draw, LossModel, MAX_PARTICIPATIONS, Participation, Protocol};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

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
pub struct ExactLoss {
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

/// The matrix P of one assignment of phases, over a common positive denominator.
///
/// ```
/// use muffliato_model::{LossModel, Network, Protocol};
/// use muffliato_reference::{BigRational, Forms, ReferenceError};
///
/// // Two users whose inputs enter one sum of three draws.
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?;
/// let third = BigRational::new(1.into(), 3.into());
/// let of_two = protocol.participations(2).map(|phases| {
///     let local = Forms::local_loss(&protocol, &[0, 1], &phases);
///     Forms::new(phases, local, |_, _| Ok::<_, ReferenceError>(third.clone()))
/// });
/// let loss = Forms::worst(of_two.collect::<Result<_, _>>()?, LossModel::SingleInput)?;
/// assert_eq!(loss.scalar.to_string(), "4/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Forms {
    participation: Participation,
    size: usize,
    numerators: Vec<BigInt>,
    denominator: BigInt,
    /// The loss if every noisy input is seen, `sum 1 / s_u^2`; `None` if it is infinite.
    local: Option<BigRational>,
}

impl Forms {
    /// Returns the sum of `1 / s_u^2` over all inputs of the sources, the loss of the local model;
    /// `None` if it is infinite.
    pub fn local_loss(
        protocol: &Protocol,
        sources: &[usize],
        participation: &Participation,
    ) -> Option<BigRational> {
        let mut sum = BigRational::zero();
        for (round, member) in participation.inputs() {
            let time = round * protocol.gossip_steps();
            let variance = protocol.variance(Draw::Own { time, node: sources[member] });
            if variance.is_zero() {
                return None;
            }
            sum += rational(variance).recip();
        }
        Some(sum)
    }

    /// Creates the matrix from its entries on and above the diagonal, by the numbers of two inputs
    /// in [`Participation::inputs`], and from the [local loss](Self::local_loss) of these inputs.
    ///
    /// # Errors
    ///
    /// Returns the error of an entry.
    pub fn new<E>(
        participation: Participation,
        local: Option<BigRational>,
        entry: impl Fn(usize, usize) -> Result<BigRational, E>,
    ) -> Result<Self, E> {
        let size = participation.inputs().count();
        let mut entries = Vec::with_capacity(size * (size + 1) / 2);
        for i in 0..size {
            for j in i..size {
                entries.push(((i, j), entry(i, j)?));
            }
        }
        let common = |lcm: BigInt, (_, entry): &(_, BigRational)| lcm.lcm(entry.denom());
        let denominator = entries.iter().fold(BigInt::one(), common);
        let mut numerators = vec![BigInt::zero(); size * size];
        for ((i, j), entry) in entries {
            let numerator = entry.numer() * (&denominator / entry.denom());
            numerators[j * size + i] = numerator.clone();
            numerators[i * size + j] = numerator;
        }
        Ok(Self { participation, size, numerators, denominator, local })
    }

    /// Returns the largest loss over all assignments of phases, given the matrix of each.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`View::loss`](crate::View::loss).
    pub fn worst(assignments: Vec<Self>, model: LossModel) -> Result<ExactLoss, ReferenceError> {
        let number = assignments.len();
        // A single user has few phases. For groups the signs are enumerated once per assignment.
        let spent = match assignments.first() {
            Some(first) if first.participation.members() == 1 => 0,
            _ => number.next_power_of_two().trailing_zeros() as usize,
        };
        let limit = MAX_ENUMERATED_INPUTS - spent;
        let mut worst: Option<ExactLoss> = None;
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
                    let vector_upper =
                        larger(before.vector_upper.clone(), loss.vector_upper.clone());
                    let most =
                        if order(&loss.scalar, &before.scalar).is_gt() { loss } else { before };
                    ExactLoss { vector_upper, ..most }
                }
            });
        }
        worst.ok_or(ReferenceError::NoSource)
    }

    /// Returns the largest upper bound for vectors, given the matrix of each assignment of phases.
    pub fn largest_upper(assignments: &[Self]) -> BigRational {
        let uppers = assignments.iter().map(Self::upper);
        uppers.fold(whole(0), larger)
    }

    /// Computes the largest loss over signs, and the bound for vectors.
    fn loss(self, model: LossModel, limit: usize) -> Result<ExactLoss, ReferenceError> {
        let inputs = self.size;
        let mut signs = vec![true; inputs];
        let scalar = if self.numerators.iter().all(|entry| !entry.is_negative()) {
            self.numerators.iter().sum()
        } else if inputs <= limit {
            let (mut flipped, mut applied) = (signs.clone(), vec![BigInt::zero(); inputs]);
            largest_over_signs(inputs, &self.numerators, &mut flipped, &mut signs, &mut applied)
        } else {
            return Err(ReferenceError::TooManyInputs { inputs, limit });
        };
        Ok(ExactLoss {
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
        match &self.local {
            Some(local) if order(local, &sum).is_lt() => local.clone(),
            _ => sum,
        }
    }
}
