//! The `Loss` and `Guarantee` classes.

use crate::refused;
use muffliato_account as account;
use pyo3::prelude::*;

/// A computed loss in units of the local (LDP) loss L = alpha Delta^2 / (2 sigma^2). It is not a
/// guarantee.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Loss {
    pub inner: account::Loss,
}

/// Lower end, estimate and upper end; the status; the fraction, if it is known; the inputs for
/// which the upper end holds; and the model.
type Parts = ((f64, f64, f64), &'static str, Option<String>, String, String);

#[pymethods]
impl Loss {
    /// Returns the fields of the loss.
    #[getter]
    fn parts(&self) -> Parts {
        let loss = &self.inner;
        let ends = (loss.lower(), loss.value(), loss.upper());
        let exact = loss.fraction().map(ToString::to_string);
        let (inputs, model) = (loss.inputs().to_string(), loss.model().to_string());
        (ends, loss.status().as_str(), exact, inputs, model)
    }

    /// Serializes the loss as JSON, which `read` restores exactly.
    fn text(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner).map_err(refused)
    }

    /// Parses the text of a loss.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let inner = serde_json::from_str(text).map_err(refused)?;
        Ok(Self { inner })
    }

    /// Returns the loss if every input is one number.
    fn for_scalars(&self) -> Self {
        Self { inner: self.inner.for_scalars() }
    }

    /// Returns the epsilon that the loss would have if it were a guarantee.
    fn hypothetical_epsilon(&self, sigma: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
        let loss = &self.inner;
        let epsilon = loss.hypothetical_epsilon(sigma, sensitivity, delta);
        epsilon.map_err(refused)
    }
}

/// An upper bound on a loss with all its conditions, made by an account.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Guarantee {
    pub inner: account::Guarantee,
}

impl Guarantee {
    fn at(&self, sigma: f64, sensitivity: f64) -> PyResult<account::Curve> {
        self.inner.at(sigma, sensitivity).map_err(refused)
    }
}

#[pymethods]
impl Guarantee {
    /// Returns the upper bound, its status, and the fraction if it is exact.
    #[getter]
    fn parts(&self) -> (f64, &'static str, Option<String>) {
        let exact = self.inner.fraction().map(ToString::to_string);
        (self.inner.upper(), self.inner.status().as_str(), exact)
    }

    /// Returns the guarantee with all conditions as a sentence.
    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    /// Serializes the guarantee as JSON.
    fn text(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner).map_err(refused)
    }

    /// Returns the guarantee for several independent runs.
    fn repeated(&self, runs: usize) -> Self {
        Self { inner: self.inner.repeated(runs) }
    }

    /// Returns the epsilon at this delta, rounded up.
    fn epsilon(&self, sigma: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
        self.at(sigma, sensitivity)?.epsilon(delta).map_err(refused)
    }

    /// Returns the delta at this epsilon, rounded up.
    fn delta(&self, sigma: f64, epsilon: f64, sensitivity: f64) -> PyResult<f64> {
        self.at(sigma, sensitivity)?.delta(epsilon).map_err(refused)
    }

    /// Returns the mu of Gaussian differential privacy, rounded up.
    fn mu(&self, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        let mu = self.at(sigma, sensitivity)?.mu();
        mu.ok_or_else(|| {
            refused(
                "the discrete Gaussian and secret sampling have no mu; ask for epsilon, delta or rdp",
            )
        })
    }

    /// Returns the rate, the rounds and the mu of a round under secret sampling, rounded up.
    fn sampling(&self, sigma: f64, sensitivity: f64) -> PyResult<Option<(f64, usize, f64)>> {
        let sampled = self.at(sigma, sensitivity)?.sampled();
        Ok(sampled.map(|privacy| (privacy.rate(), privacy.rounds(), privacy.mu())))
    }

    /// Returns the Renyi loss of this order, rounded up.
    fn rdp(&self, alpha: f64, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        self.at(sigma, sensitivity)?.rdp(alpha).map_err(refused)
    }

    /// Returns the zero-concentrated loss, rounded up.
    fn zcdp(&self, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        let zcdp = self.at(sigma, sensitivity)?.zcdp();
        zcdp.ok_or_else(|| {
            refused("secret sampling has no zero-concentrated loss; ask for epsilon, delta or rdp")
        })
    }

    /// Returns the smallest noise that meets (epsilon, delta), rounded up.
    fn sigma_for(&self, epsilon: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
        let sigma = self.inner.sigma_for(epsilon, delta, sensitivity);
        sigma.map_err(refused)
    }
}
