//! The module `_muffliato` of the Python package: graphs, accounts, losses and the command, without
//! arithmetic of its own.
//!
//! Work runs on its own thread with the interpreter lock released. Every tenth of a second,
//! progress is reported and Ctrl-C is checked.

mod account;
mod graph;
mod loss;
mod watched;

use muffliato_account::{NoiseLaw, ProvedFor};
use muffliato_certificate::Certificate;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fmt::Display;

create_exception!(
    muffliato,
    MuffliatoError,
    PyValueError,
    "What was asked for makes no sense, or cannot be had; the message says what to do."
);

/// Converts an error of the library into a `MuffliatoError`.
fn refused(error: impl Display) -> PyErr {
    MuffliatoError::new_err(error.to_string())
}

/// Returns the guarantee of local differential privacy, which publishes the noisy value: the unit
/// of losses.
#[pyfunction]
fn local_guarantee(noise: &str, sensitivity: f64, coordinates: usize) -> PyResult<loss::Guarantee> {
    let law = noise.parse::<NoiseLaw>().map_err(refused)?;
    let noise = ProvedFor::try_new(law, sensitivity, coordinates).map_err(refused)?;
    let inner = muffliato_account::Guarantee::local(noise);
    Ok(loss::Guarantee { inner })
}

/// Checks a certificate from the graph alone. Returns a dictionary.
#[pyfunction]
fn verify<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let certificate = Certificate::parse(text).map_err(refused)?;
    let checked = py.detach(|| certificate.check());
    let answer = PyDict::new(py);
    answer.set_item("holds", checked.is_ok())?;
    answer.set_item("reason", checked.err().map(|reason| reason.to_string()))?;
    answer.set_item("claim", certificate.claim.to_string())?;
    answer.set_item("sentence", certificate.to_string())?;
    answer.set_item("nodes", certificate.protocol.nodes())?;
    answer.set_item("sources", &certificate.sources)?;
    answer.set_item("observers", certificate.observer.members())?;
    Ok(answer)
}

/// Runs the command `muffliato` with these arguments, without progress and notes.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<String>) -> PyResult<()> {
    watched::stoppable(py, None, muffliato::command::interrupt, move |_| {
        muffliato::command::called(&arguments).map_err(|error| format!("{error:#}"))
    })
}

#[pymodule]
fn _muffliato(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MuffliatoError", module.py().get_type::<MuffliatoError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Protocol>()?;
    module.add_class::<loss::Loss>()?;
    module.add_class::<loss::Guarantee>()?;
    module.add_class::<account::Account>()?;
    module.add_function(wrap_pyfunction!(account::merged, module)?)?;
    module.add_function(wrap_pyfunction!(local_guarantee, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    Ok(())
}
