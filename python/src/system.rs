//! The `System` class.

use crate::loss::{Guarantee, Loss};
use crate::refused;
use muffliato_account::Account;
use muffliato_certificate::LinearSystem;
use pyo3::prelude::*;

/// A linear view of draws and inputs.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct System {
    inner: LinearSystem,
}

#[pymethods]
impl System {
    /// Reads a system from JSON.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(refused)?;
        Ok(Self { inner: LinearSystem::from_value(&value).map_err(refused)? })
    }

    /// Returns the numbers of observations, draws and inputs.
    #[getter]
    fn size(&self) -> (usize, usize, usize) {
        self.inner.size()
    }

    /// Returns the loss of inputs together.
    fn loss(&self, py: Python<'_>, inputs: Vec<usize>) -> PyResult<Loss> {
        let inner = py.detach(|| Account::of_system(&self.inner).loss(&inputs));
        Ok(Loss { inner: inner.map_err(refused)? })
    }

    /// Returns the guarantee of inputs together.
    fn guarantee(&self, py: Python<'_>, inputs: Vec<usize>) -> PyResult<Guarantee> {
        let inner = py.detach(|| Account::of_system(&self.inner).guarantee(&inputs));
        Ok(Guarantee { inner: inner.map_err(refused)? })
    }

    /// Returns the claim about inputs with its proof as JSON: alibis, or an attack.
    fn certificate(&self, py: Python<'_>, inputs: Vec<usize>, at_least: bool) -> PyResult<String> {
        let found = py.detach(|| {
            let account = Account::of_system(&self.inner);
            if at_least {
                account.attack_certificate(&inputs)
            } else {
                account.certificate(&inputs)
            }
        });
        found.map_err(refused)?.to_json().map_err(refused)
    }
}
