//! What one user loses to one observer.

use crate::refused;
use muffliato_account as account;
use pyo3::prelude::*;

/// A loss in units of the local (LDP) loss L = alpha Delta^2 / (2 sigma^2). Guarantees are made from its upper end.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Loss {
    pub inner: account::Loss,
}

/// Lower end, best guess and upper end; the status; the fraction, where it is known; for which inputs the upper end holds, and in which model.
type Parts = (
    (f64, f64, f64),
    &'static str,
    Option<String>,
    String,
    String,
);

impl Loss {
    fn guarantee(&self, sigma: f64, sensitivity: f64) -> PyResult<account::Guarantee> {
        self.inner.guarantee(sigma, sensitivity).map_err(refused)
    }
}

#[pymethods]
impl Loss {
    /// What is known of it.
    #[getter]
    fn parts(&self) -> Parts {
        let loss = &self.inner;
        let ends = (loss.lower(), loss.value(), loss.upper());
        let exact = loss.fraction().map(ToString::to_string);
        let (inputs, model) = (loss.inputs().to_string(), loss.model().to_string());
        (ends, loss.status().word(), exact, inputs, model)
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
