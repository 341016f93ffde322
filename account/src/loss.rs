//! The loss of a source to an observer, as an engine computed it.

use crate::{
    AccountError, Inputs, Number, Status,
    engine::{Accepted, Proved},
    noise_law::ProvedFor,
    number::between,
    summary::Origin,
    text,
};
use muffliato_fast as fast;
use muffliato_model::LossModel;
use muffliato_reference::BigRational;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The loss of one source, or of a group, to one observer, in units of
/// `L = alpha Delta^2 / (2 sigma^2)`.
///
/// It promises nothing: for gradient descent it may hold only in a [model](Loss::model). An
/// [`Account`](crate::Account) derives a [`Guarantee`](crate::Guarantee) from it.
///
/// The upper end holds for vectors of any dimension. Vectors with several inputs (rounds, groups)
/// can lose more than scalars; [`Loss::for_scalars`] is the smaller loss.
///
/// ```
/// use muffliato_account::{Account, Inputs, Status};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?.refreshed("1/2".parse()?)?;
/// let loss = Account::of(&protocol).build()?.loss(0, 2)?;
/// assert_eq!(loss.fraction().unwrap().to_string(), "4/13");
/// assert_eq!((loss.status(), loss.inputs()), (Status::Exact, Inputs::Vectors));
/// assert_eq!(loss.to_string(), "at most 0.308 L (exact)");
///
/// // A loss in the model of fixed gradients is smaller than the guarantee.
/// let descent = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
/// let account = Account::of(&descent).build()?;
/// let modelled = account.loss(33, 3)?.hypothetical_epsilon(2.0, 1.0, 1e-6)?;
/// assert!(modelled < account.guarantee(33, 3)?.at(2.0, 1.0)?.epsilon(1e-6)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    #[serde(flatten)]
    pub(crate) number: Number,
    /// The exact loss of scalars, if it differs from that of vectors.
    #[serde(rename = "scalars_exact", with = "text::fraction")]
    pub(crate) scalar: Option<Box<BigRational>>,
    pub(crate) status: Status,
    pub(crate) inputs: Inputs,
    pub(crate) model: LossModel,
    pub(crate) noise: ProvedFor,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl Loss {
    /// Creates a loss from an exact loss of scalars and an exact upper bound for vectors that the
    /// checker accepted. It is exact if the two are equal.
    pub(crate) fn exact(accepted: Accepted, model: LossModel) -> Self {
        let (scalar, vector_upper) = accepted.into_parts();
        if scalar == vector_upper {
            return Self::single(scalar.into(), model);
        }
        let lower = Number::from(scalar.clone()).lower();
        Self {
            scalar: Some(Box::new(scalar)),
            ..Self::between(lower, Proved::exact(vector_upper), model)
        }
    }

    /// Creates a certified loss: scalars lose at least `lower`, vectors at most `upper`.
    pub(crate) fn between(lower: f64, upper: Proved, model: LossModel) -> Self {
        let upper = upper.upper();
        let number = Number::estimated(upper, between(lower, upper));
        Self { status: Status::Certified, ..Self::single(number, model) }
    }

    /// Creates a loss from a result of the fast engine. It is certified if the ends are close or,
    /// for several inputs, if the bound for vectors is.
    pub(crate) fn enclosed(found: &fast::Loss) -> Self {
        let bound = Number::estimated(0.0, found.absolute_sum.certified);
        let loss = Self::single(found.into(), found.model);
        match bound.status() {
            Status::Certified => Self { status: Status::Certified, ..loss },
            _ => loss,
        }
    }

    /// Creates the loss of one input, which is the same for scalars and for vectors.
    pub(crate) fn single(number: Number, model: LossModel) -> Self {
        Self {
            status: number.status(),
            number,
            inputs: Inputs::Vectors,
            model,
            noise: ProvedFor::default(),
            scalar: None,
            origin: Origin { on_file: false },
        }
    }

    /// Returns the certified lower end.
    pub fn lower(&self) -> f64 {
        self.number.lower()
    }

    /// Returns the certified upper end.
    pub fn upper(&self) -> f64 {
        self.number.upper()
    }

    /// Returns the estimate.
    pub fn value(&self) -> f64 {
        self.number.value()
    }

    /// Returns the ends, the estimate and the fraction.
    pub fn number(&self) -> &Number {
        &self.number
    }

    /// Returns the status.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Returns the loss as a fraction, if exact arithmetic computed it.
    pub fn fraction(&self) -> Option<&BigRational> {
        self.number.fraction()
    }

    /// Returns the inputs that the loss holds for.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// Returns the model that the loss was computed in.
    pub fn model(&self) -> LossModel {
        self.model
    }

    /// Returns `true` for a loss in a model of training, which real loss functions can exceed.
    pub fn is_of_a_model(&self) -> bool {
        match self.model {
            LossModel::GradientsAsInputs | LossModel::QuadraticLosses => true,
            LossModel::SingleInput | LossModel::LipschitzSteps => false,
        }
    }

    /// Returns the noise that the loss is proved for.
    pub fn noise(&self) -> ProvedFor {
        self.noise
    }

    /// Sets the noise that the loss is proved for.
    pub(crate) fn under(self, noise: ProvedFor) -> Self {
        Self { noise, ..self }
    }

    /// Returns the upper end as a short decimal, rounded up.
    pub fn rounded_up(&self) -> String {
        self.number.rounded_up()
    }

    /// Returns the loss if every input is one number. It is at most that of vectors.
    ///
    /// ```
    /// use muffliato_account::{Account, Inputs, Status};
    /// use muffliato_model::{Graph, Network, Observer, Protocol};
    ///
    /// // Three users whose inputs pull in different directions: numbers lose 8/3, vectors in the plane 3.
    /// let graph = Graph::try_new(5, [(2, 3), (0, 4), (1, 4), (2, 4)])?;
    /// let protocol = Protocol::one_shot(Network::metropolis(graph)?, 3)?;
    /// let loss = Account::of(&protocol).build()?.loss_towards(&[1, 2, 3], &Observer::full(0))?;
    /// assert!(loss.upper() >= 3.0 && loss.fraction().is_none());
    /// let scalars = loss.for_scalars();
    /// assert_eq!((scalars.inputs(), scalars.status()), (Inputs::Scalars, Status::Exact));
    /// assert_eq!(scalars.fraction().unwrap().to_string(), "8/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_scalars(&self) -> Self {
        let exact = self.scalar.as_ref().map(|scalar| Self {
            status: Status::Exact,
            number: Number::from((**scalar).clone()),
            scalar: None,
            ..self.clone()
        });
        Self { inputs: Inputs::Scalars, ..exact.unwrap_or_else(|| self.clone()) }
    }

    /// Computes the epsilon at `delta` of the upper end, for noise of standard deviation `sigma`
    /// and inputs that change by at most `sensitivity`. It promises nothing; see
    /// [`Guarantee`](crate::Guarantee).
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range, and with [`AccountError::OnFile`] for a loss that was
    /// read from a file.
    pub fn hypothetical_epsilon(
        &self,
        sigma: f64,
        sensitivity: f64,
        delta: f64,
    ) -> Result<f64, AccountError> {
        if self.origin.on_file {
            return Err(AccountError::OnFile);
        }
        let curve = self.noise.curve(&self.number.enclosure(), sensitivity, sigma)?;
        curve.epsilon(delta)
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (upper, status) = (self.rounded_up(), self.status.as_str());
        write!(f, "at most {upper} L ({status}")?;
        if self.is_of_a_model() {
            write!(f, ", in the model of {}", self.model)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::at_most;
    use muffliato_fast::Approximation;

    #[test]
    fn a_wide_loss_is_certified_if_the_bound_for_vectors_is_known() {
        let found =
            |lower, upper| Approximation { estimate: lower, certified: between(lower, upper) };
        let loss = |absolute_sum| fast::Loss {
            scalars: found(0.5, 0.75),
            vectors: found(0.5, 0.75),
            absolute_sum,
            model: LossModel::GradientsAsInputs,
        };
        let known = Loss::enclosed(&loss(found(0.75, 0.75)));
        assert_eq!((known.status(), known.value()), (Status::Certified, 0.75));
        assert_eq!(known.lower(), 0.5);
        let unknown = Loss::enclosed(&loss(found(0.5, 2.0)));
        assert_eq!((unknown.status(), unknown.value()), (Status::Estimate, 0.5));
    }

    #[test]
    fn repeated_runs_add_up_and_round_up() {
        let thrice = at_most(0.1).times(3);
        assert!(thrice.lower() == 0.0 && thrice.upper() >= 0.1 * 3.0);
        assert_eq!(at_most(1.0).times(3).upper(), 3.0);
        // No runs promise no more than one does.
        assert_eq!(at_most(0.5).times(0).upper(), 0.5);
        let exact = Number::from(BigRational::new(1.into(), 10.into())).times(3);
        assert_eq!(exact.fraction().unwrap().to_string(), "3/10");
        assert_eq!(at_most(0.0).times(5).upper(), 0.0);
    }

    #[test]
    fn losses_survive_a_round_trip_through_json() {
        let third = BigRational::new(1.into(), 3.into());
        let upper = |upper| Proved::of(&at_most(upper));
        for loss in [
            Loss::single(third.clone().into(), LossModel::SingleInput),
            Loss {
                scalar: Some(Box::new(third)),
                ..Loss::between(0.3, upper(1.0), LossModel::LipschitzSteps)
            },
            Loss::between(0.1, Proved::NONE, LossModel::GradientsAsInputs),
        ] {
            let text = serde_json::to_string(&loss).unwrap();
            let read: Loss = serde_json::from_str(&text).unwrap();
            assert_eq!(read, loss, "{text}");
            // Anybody can write "certified": no epsilon comes from a file.
            for read in [read.clone(), read.for_scalars()] {
                let epsilon = read.hypothetical_epsilon(1.0, 1.0, 1e-6);
                assert!(matches!(epsilon, Err(AccountError::OnFile)), "{epsilon:?}");
            }
        }
        assert!(serde_json::from_str::<Loss>("0.1").is_err());
    }
}
