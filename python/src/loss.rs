//! What one user loses to one observer.

use crate::refused;
use muffliato_account as account;
use pyo3::prelude::*;

/// A loss in units of the local (LDP) loss L = alpha Delta^2 / (2 sigma^2). Guarantees are made from its upper end.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Loss {
    pub inner: account::Loss,
}

impl Loss {
    fn guarantee(&self, sigma: f64, sensitivity: f64) -> PyResult<account::Guarantee> {
        self.inner.guarantee(sigma, sensitivity).map_err(refused)
    }
}

#[pymethods]
impl Loss {
    /// The loss is at least this, certified.
    #[getter]
    fn lower(&self) -> f64 {
        self.inner.lower()
    }

    /// The best guess; never a promise.
    #[getter]
    fn value(&self) -> f64 {
        self.inner.value()
    }

    /// The loss is at most this, certified.
    #[getter]
    fn upper(&self) -> f64 {
        self.inner.upper()
    }

    /// How much is known: exact, certified or estimate.
    #[getter]
    fn status(&self) -> &'static str {
        self.inner.status().word()
    }

    /// Numerator and denominator as decimal text, where the loss is known as a fraction.
    #[getter]
    fn fraction(&self) -> Option<(String, String)> {
        let fraction = self.inner.fraction()?;
        Some((fraction.numer().to_string(), fraction.denom().to_string()))
    }

    /// For which inputs the upper end holds.
    #[getter]
    fn inputs(&self) -> String {
        self.inner.inputs().to_string()
    }

    /// The model that the loss was computed in.
    #[getter]
    fn model(&self) -> String {
        self.inner.model().to_string()
    }

    /// This loss as text that `read` reads back to the bit.
    fn text(&self) -> String {
        self.inner.to_json()
    }

    /// The loss with this text.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let inner = account::Loss::from_json(text).map_err(refused)?;
        Ok(Self { inner })
    }

    /// The loss if every input is one number.
    fn for_scalars(&self) -> Self {
        Self {
            inner: self.inner.for_scalars(),
        }
    }

    /// The loss of so many independent runs.
    fn repeated(&self, runs: usize) -> Self {
        Self {
            inner: self.inner.repeated(runs),
        }
    }

    /// The epsilon at this delta, rounded up.
    fn epsilon(&self, sigma: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
        let guarantee = self.guarantee(sigma, sensitivity)?;
        guarantee.epsilon(delta).map_err(refused)
    }

    /// The delta at this epsilon, rounded up.
    fn delta(&self, sigma: f64, epsilon: f64, sensitivity: f64) -> PyResult<f64> {
        let guarantee = self.guarantee(sigma, sensitivity)?;
        guarantee.delta(epsilon).map_err(refused)
    }

    /// The mu of Gaussian differential privacy, rounded up.
    fn mu(&self, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        let mu = self.guarantee(sigma, sensitivity)?.mu();
        Ok(mu.unwrap_or(f64::INFINITY))
    }

    /// The Renyi loss of this order, rounded up.
    fn rdp(&self, alpha: f64, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        let guarantee = self.guarantee(sigma, sensitivity)?;
        guarantee.rdp(alpha).map_err(refused)
    }

    /// The zero-concentrated loss, rounded up.
    fn zcdp(&self, sigma: f64, sensitivity: f64) -> PyResult<f64> {
        Ok(self.guarantee(sigma, sensitivity)?.zcdp())
    }

    /// The smallest noise with which the loss meets (epsilon, delta), rounded up.
    fn sigma_for(&self, epsilon: f64, delta: f64, sensitivity: f64) -> PyResult<f64> {
        let sigma = self.inner.sigma_for(epsilon, delta, sensitivity);
        sigma.map_err(refused)
    }
}
