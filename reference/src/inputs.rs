//! Several inputs at once: the rounds of gradient descent, groups of users.
//!
//! With P the matrix of `e_i^T Pi e_j` over the k protected inputs, the loss is
//! `L max { d^T P d : |d_i| <= 1 }`. The form is convex, so that the maximum is at signs. Vectors of
//! length at most 1 in place of the d_i lose at most `L sum |P_ij|`, with equality if P >= 0, and at most `k L`, as no
//! eigenvalue of P is above 1.

use crate::{
    ReferenceError, View, arithmetic::largest_over_signs, order, rational::whole,
    sources::check_sources,
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
        let forms = self.input_forms(sources)?;
        let inputs = forms.size;
        let mut signs = vec![true; inputs];
        let scalar = if forms.numerators.iter().all(|entry| !entry.is_negative()) {
            forms.numerators.iter().sum()
        } else if inputs <= MAX_ENUMERATED_INPUTS {
            let (mut flipped, mut applied) = (signs.clone(), vec![BigInt::zero(); inputs]);
            largest_over_signs(
                inputs,
                &forms.numerators,
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
            scalar: BigRational::new(scalar, forms.denominator.clone()),
            vector_upper: forms.upper(),
            signs,
            model: self.model(),
        })
    }

    /// The smaller of `sum |P_ij|` and the number of inputs: an upper bound on the loss of all inputs of
    /// `sources` together, scalars or vectors, for any number of them. In the model of [`View::model`].
    ///
    /// ```
    /// use muffliato_model::{Observer, Protocol, families};
    /// use muffliato_reference::Process;
    ///
    /// // Nodes 0 and 1 average, then node 1 sends the mean of both to node 2: all four entries of P are 1/2.
    /// let protocol = Protocol::randomized(families::path(3)?, vec![(0, 1), (1, 2)])?;
    /// let view = Process::run(&protocol)?.view(&Observer::full(2))?;
    /// assert_eq!(view.loss_upper(&[0, 1])?.to_string(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn loss_upper(&self, sources: &[usize]) -> Result<BigRational, ReferenceError> {
        Ok(self.input_forms(sources)?.upper())
    }

    /// The columns of the inputs of `sources`, round by round.
    pub(crate) fn input_columns(&self, sources: &[usize]) -> Result<Vec<usize>, ReferenceError> {
        let sources = check_sources(sources, self.nodes, self.observer())?;
        let of_round = |round| {
            sources
                .iter()
                .map(move |&source| round * self.nodes + source)
        };
        Ok((0..self.rounds).flat_map(of_round).collect())
    }

    fn input_forms(&self, sources: &[usize]) -> Result<Forms, ReferenceError> {
        let columns = self.input_columns(sources)?;
        let size = columns.len();
        crate::limits::check_work(size, size, 1)?;
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
struct Forms {
    size: usize,
    numerators: Vec<BigInt>,
    denominator: BigInt,
}

impl Forms {
    fn upper(&self) -> BigRational {
        let sum = self.numerators.iter().map(Signed::abs).sum();
        let (sum, inputs) = (
            BigRational::new(sum, self.denominator.clone()),
            whole(self.size),
        );
        if order(&sum, &inputs).is_lt() {
            sum
        } else {
            inputs
        }
    }
}
