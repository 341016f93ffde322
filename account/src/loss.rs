//! What a source loses to an observer, and what can be promised of it.

use crate::{
    AccountError, Number, Status,
    noise_law::{Privacy, ProvedFor},
    number::between,
};
use muffliato_fast as fast;
use muffliato_model::LossModel;
use muffliato_reference::BigRational;
use std::{collections::HashMap, fmt};

/// For which inputs a loss holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Every input is one number.
    Scalars,
    /// Inputs are vectors of any dimension; numbers included.
    Vectors,
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalars => "scalars",
            Self::Vectors => "vectors of any dimension",
        })
    }
}

/// The loss of one source, or of a group, towards one observer, in units of `L = alpha Delta^2 / (2 sigma^2)`.
///
/// The upper end is what can be promised, and by default it holds for vectors of any dimension. With one input the loss of
/// vectors is that of numbers; with several (rounds, groups) vectors can lose more, and [`Loss::for_scalars`] is the
/// smaller loss of numbers.
///
/// ```
/// use muffliato_account::{Account, Inputs, Status};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?.refreshed("1/2".parse()?)?;
/// let loss = Account::of(&protocol)?.loss(0, 2)?;
/// assert_eq!(loss.fraction().unwrap().to_string(), "4/13");
/// assert_eq!((loss.status(), loss.inputs()), (Status::Exact, Inputs::Vectors));
///
/// // Numbers in [0, 1] under noise of standard deviation 2.
/// let guarantee = loss.guarantee(2.0, 1.0)?;
/// assert!(guarantee.epsilon(1e-6)? < 1.25 && guarantee.rdp(2.0)? < 0.08);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    pub(crate) number: Number,
    pub(crate) status: Status,
    pub(crate) inputs: Inputs,
    pub(crate) model: LossModel,
    pub(crate) noise: ProvedFor,
    /// The exact loss of numbers, where it is another one than that of vectors.
    pub(crate) scalar: Option<Box<BigRational>>,
}

impl Loss {
    /// The loss of numbers and an upper bound for vectors, in exact arithmetic; exact for both if they are equal.
    pub fn exact(scalar: BigRational, vector_upper: BigRational, model: LossModel) -> Self {
        if scalar == vector_upper {
            return Self::single(scalar.into(), model);
        }
        let lower = Number::from(scalar.clone()).lower();
        Self {
            scalar: Some(Box::new(scalar)),
            ..Self::between(lower, Number::from(vector_upper).upper(), model)
        }
    }

    /// A loss of which both ends are known as well as they can be: scalars reach the lower one, vectors at most the upper one.
    pub fn between(lower: f64, upper: f64, model: LossModel) -> Self {
        let number = Number::estimated(upper, between(lower, upper));
        Self {
            status: Status::Certified,
            ..Self::single(number, model)
        }
    }

    /// The loss of local differential privacy, one for each input: it holds for every protocol and for this noise.
    pub fn local(inputs: usize, noise: ProvedFor) -> Self {
        Self::between(0.0, inputs as f64, LossModel::SingleInput).under(noise)
    }

    /// What the fast engine found: certified if its ends are near or, for several inputs, if the bound for vectors is known.
    pub fn enclosed(found: &fast::Loss) -> Self {
        let known = |found: fast::Approximation| Number::estimated(found.estimate, found.certified);
        let (scalars, bound) = (known(found.scalars), known(found.absolute_sum));
        match (scalars.status(), bound.status()) {
            (Status::Estimate, Status::Certified) => Self::between(
                scalars.lower(),
                found.vectors.certified.upper(),
                found.model,
            ),
            _ => Self::single(scalars, found.model),
        }
    }

    /// The loss of one input: the same for numbers and for vectors.
    pub fn single(number: Number, model: LossModel) -> Self {
        Self {
            status: number.status(),
            number,
            inputs: Inputs::Vectors,
            model,
            noise: ProvedFor::default(),
            scalar: None,
        }
    }

    /// It is provably at least this.
    pub fn lower(&self) -> f64 {
        self.number.lower()
    }

    /// It is provably at most this: what can be promised.
    pub fn upper(&self) -> f64 {
        self.number.upper()
    }

    /// The best guess, as a float; never a promise.
    pub fn value(&self) -> f64 {
        self.number.value()
    }

    /// The ends, the value and the fraction without their meaning.
    pub fn number(&self) -> &Number {
        &self.number
    }

    /// How much is known about it.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The loss itself, where exact arithmetic found it.
    pub fn fraction(&self) -> Option<&BigRational> {
        self.number.fraction()
    }

    /// For which inputs it holds.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// What it was computed for.
    pub fn model(&self) -> LossModel {
        self.model
    }

    /// Which noise it is proved for.
    pub fn noise(&self) -> ProvedFor {
        self.noise
    }

    /// The same number, proved for this noise.
    pub(crate) fn under(self, noise: ProvedFor) -> Self {
        Self { noise, ..self }
    }

    /// A loss that is at most `upper`, too, in the same model and for the same noise.
    pub(crate) fn no_more_than(&self, upper: f64) -> Self {
        let upper = upper.min(self.upper());
        Self::between(0.0, upper, self.model).under(self.noise)
    }

    /// A loss of at most `upper`, in the same model and for the same noise.
    pub fn rounded_up_to(&self, upper: f64) -> Self {
        Self::between(0.0, upper.max(self.upper()), self.model).under(self.noise)
    }

    /// An upper bound on it as a short decimal.
    pub fn rounded_up(&self) -> String {
        self.number.rounded_up()
    }

    /// The loss if every input is one number: not above that of vectors, and exact where exact arithmetic found it.
    ///
    /// ```
    /// use muffliato_account::{Account, Inputs, Status};
    /// use muffliato_model::{Graph, Network, Protocol};
    ///
    /// // Three users whose inputs pull in different directions: numbers lose 8/3, vectors in the plane 3.
    /// let graph = Graph::try_new(5, [(2, 3), (0, 4), (1, 4), (2, 4)])?;
    /// let protocol = Protocol::one_shot(Network::metropolis(graph)?, 3)?;
    /// let loss = Account::of(&protocol)?.group_loss(&[1, 2, 3], 0)?;
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
        Self {
            inputs: Inputs::Scalars,
            ..exact.unwrap_or_else(|| self.clone())
        }
    }

    /// The loss of `runs` runs with new noise and the same inputs: losses add up.
    pub fn repeated(&self, runs: usize) -> Self {
        if runs == 1 {
            return self.clone();
        }
        let times =
            |fraction: &BigRational| fraction * BigRational::from_integer((runs as u64).into());
        let number = match self.fraction() {
            Some(fraction) => times(fraction).into(),
            None => {
                let runs = runs as f64;
                let (lower, upper) = (
                    (self.lower() * runs).next_down(),
                    (self.upper() * runs).next_up(),
                );
                let upper = if self.upper() == 0.0 { 0.0 } else { upper };
                let ends = between(lower.max(0.0), upper);
                Number::estimated(
                    (self.value() * runs).clamp(ends.lower(), ends.upper()),
                    ends,
                )
            }
        };
        Self {
            number,
            scalar: self.scalar.as_ref().map(|scalar| Box::new(times(scalar))),
            ..self.clone()
        }
    }

    /// What the upper end promises if the noise has standard deviation `sigma` and an input changes by at most
    /// `sensitivity`; both positive and finite. By the curve of the [noise that it is proved for](Loss::noise).
    pub fn guarantee(&self, sigma: f64, sensitivity: f64) -> Result<Guarantee, AccountError> {
        let ends = self.number.enclosure();
        Ok(Guarantee {
            privacy: self.noise.privacy(&ends, sensitivity, sigma)?,
            inputs: self.inputs,
            model: self.model,
        })
    }

    /// The smallest sigma at which the upper end is (epsilon, delta)-differentially private; 0 if nothing is lost.
    pub fn sigma_for(
        &self,
        epsilon: f64,
        delta: f64,
        sensitivity: f64,
    ) -> Result<f64, AccountError> {
        self.noise
            .sigma_for(self.upper(), epsilon, delta, sensitivity)
    }
}

/// What can be promised about a loss. Every number rounds up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    privacy: Privacy,
    inputs: Inputs,
    model: LossModel,
}

impl Guarantee {
    /// The epsilon at a delta between 0 and 1.
    pub fn epsilon(&self, delta: f64) -> Result<f64, AccountError> {
        Ok(match self.privacy {
            Privacy::Gaussian(privacy) => privacy.epsilon_upper(delta)?,
            Privacy::Concentrated(privacy) => privacy.epsilon(delta)?,
        })
    }

    /// The delta at an epsilon.
    pub fn delta(&self, epsilon: f64) -> Result<f64, AccountError> {
        Ok(match self.privacy {
            Privacy::Gaussian(privacy) => privacy.delta_upper(epsilon)?,
            Privacy::Concentrated(privacy) => privacy.delta(epsilon)?,
        })
    }

    /// The Renyi loss of order `alpha` above 1.
    pub fn rdp(&self, alpha: f64) -> Result<f64, AccountError> {
        Ok(match self.privacy {
            Privacy::Gaussian(privacy) => privacy.rdp(alpha)?,
            Privacy::Concentrated(privacy) => privacy.rdp(alpha)?,
        })
    }

    /// The zero-concentrated loss.
    pub fn zcdp(&self) -> f64 {
        match self.privacy {
            Privacy::Gaussian(privacy) => privacy.zcdp(),
            Privacy::Concentrated(privacy) => privacy.zcdp(),
        }
    }

    /// The parameter of Gaussian differential privacy; `None` for noise that has its Renyi losses alone.
    pub fn mu(&self) -> Option<f64> {
        match self.privacy {
            Privacy::Gaussian(privacy) => Some(privacy.mu()),
            Privacy::Concentrated(_) => None,
        }
    }

    /// For which inputs it is promised.
    pub fn inputs(&self) -> Inputs {
        self.inputs
    }

    /// In which model it is promised.
    pub fn model(&self) -> LossModel {
        self.model
    }
}

/// The epsilons of many losses. Of very many the losses are rounded up to four digits first, so that each epsilon is found once.
///
/// ```
/// use muffliato_account::{Account, Epsilons};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?.refreshed("1/2".parse()?)?;
/// let loss = Account::of(&protocol)?.loss(0, 2)?;
/// let (sigma, sensitivity, delta) = (2.0, 1.0, 1e-6);
/// let exact = loss.guarantee(sigma, sensitivity)?.epsilon(delta)?;
/// assert_eq!(Epsilons::of(1, sigma, sensitivity, delta).epsilon(&loss)?, exact);
/// let rounded = Epsilons::of(1_000_000, sigma, sensitivity, delta).epsilon(&loss)?;
/// assert!(exact <= rounded && rounded < 1.001 * exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Epsilons {
    many: bool,
    sigma: f64,
    sensitivity: f64,
    delta: f64,
    known: HashMap<u64, f64>,
}

/// Up to so many losses each has its own epsilon.
const FEW: usize = 10_000;

impl Epsilons {
    /// For about so many losses, noise of standard deviation `sigma`, inputs that change by at most `sensitivity`, and this delta.
    pub fn of(losses: usize, sigma: f64, sensitivity: f64, delta: f64) -> Self {
        Self {
            many: losses > FEW,
            sigma,
            sensitivity,
            delta,
            known: HashMap::new(),
        }
    }

    /// The epsilon that the loss allows to promise, rounded up.
    pub fn epsilon(&mut self, loss: &Loss) -> Result<f64, AccountError> {
        let upper = match self.many {
            true => four_digits_up(loss.upper()),
            false => loss.upper(),
        };
        if let Some(&known) = self.known.get(&upper.to_bits()) {
            return Ok(known);
        }
        let loss = loss.rounded_up_to(upper);
        let guarantee = loss.guarantee(self.sigma, self.sensitivity)?;
        let epsilon = guarantee.epsilon(self.delta)?;
        self.known.insert(upper.to_bits(), epsilon);
        Ok(epsilon)
    }
}

/// At least the number, and at most a thousandth part above it.
fn four_digits_up(number: f64) -> f64 {
    let digits = format!("{:.3e}", number * 1.0006);
    digits
        .parse()
        .map_or(f64::INFINITY, |up: f64| up.max(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_fast::{Approximation, Enclosure};

    #[test]
    fn a_wide_loss_is_certified_if_the_bound_for_vectors_is_known() {
        let found = |lower, upper| Approximation {
            estimate: lower,
            certified: between(lower, upper),
        };
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
        let tenth = Loss::single(Enclosure::exact(0.1).into(), LossModel::SingleInput);
        let thrice = tenth.repeated(3);
        assert!(thrice.lower() <= 0.1 * 3.0 && thrice.upper() >= 0.1 * 3.0);
        let exact = BigRational::new(1.into(), 10.into());
        let exact = Loss::exact(exact.clone(), exact, LossModel::SingleInput).repeated(3);
        assert_eq!(exact.fraction().unwrap().to_string(), "3/10");
        let nothing = Loss::single(Enclosure::exact(0.0).into(), LossModel::SingleInput);
        assert_eq!(nothing.repeated(5).upper(), 0.0);
    }
}
