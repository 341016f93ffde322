//! The module `_muffliato` of the Python package: graphs, accounts and losses, without
//! arithmetic of its own.
//!
//! Work runs on its own thread with the interpreter lock released. Every tenth of a second,
//! progress is reported and Ctrl-C is checked.

mod account;
mod graph;
mod loss;
mod plan;
mod system;
mod watched;

use muffliato_account::{NoiseLaw, ProvedFor};
use muffliato_certificate::{Certificate, SystemCertificate};
use muffliato_model::ProtocolSpec;
use muffliato_reference::rational;
use muffliato_vectors::{ConformError, Grade, Report, grade_all};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
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

/// Returns the text of a protocol as the command prints it.
#[pyfunction]
fn spelled(protocol: &str) -> PyResult<String> {
    Ok(protocol.parse::<ProtocolSpec>().map_err(refused)?.to_string())
}

/// Checks a certificate from the graph alone. Returns a dictionary.
#[pyfunction]
fn verify<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    let (checked, claim, sentence) = if SystemCertificate::is_one(text) {
        let certificate = SystemCertificate::parse(text).map_err(refused)?;
        answer.set_item("inputs", &certificate.inputs)?;
        let checked = py.detach(|| certificate.check());
        (checked, certificate.claim.to_string(), certificate.to_string())
    } else {
        let certificate = Certificate::parse(text).map_err(refused)?;
        answer.set_item("nodes", certificate.protocol.nodes())?;
        answer.set_item("sources", &certificate.sources)?;
        answer.set_item("observers", certificate.observer.members())?;
        let checked = py.detach(|| certificate.check());
        (checked, certificate.claim.to_string(), certificate.to_string())
    };
    answer.set_item("holds", checked.is_ok())?;
    answer.set_item("reason", checked.err().map(|reason| reason.to_string()))?;
    answer.set_item("claim", claim)?;
    answer.set_item("sentence", sentence)?;
    Ok(answer)
}

/// Asks `function` the test vectors of these topics, all if there are none. It maps a question to
/// an answer, both as JSON. Returns the graded answers as JSON, and the table with its head.
#[pyfunction]
fn conform(
    py: Python<'_>,
    function: &Bound<'_, PyAny>,
    topics: Vec<String>,
    tolerance: &str,
) -> PyResult<(String, Vec<String>, Vec<Vec<String>>)> {
    let tolerance = rational(tolerance.parse().map_err(refused)?);
    let mut interrupted = None;
    let ask = |line: &str| match function.call1((line,)).and_then(|answer| answer.extract()) {
        Ok(answer) => Ok(Ok(answer)),
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(Err(Grade::Crashed)),
        Err(error) => {
            interrupted = Some(error);
            Err(ConformError::Stopped)
        }
    };
    let graded = grade_all(ask, &topics, &tolerance, |_, _| py.check_signals().is_ok());
    if let Some(error) = interrupted {
        return Err(error);
    }
    let report = Report { program: Vec::new(), answers: graded.map_err(refused)? };
    let answers = serde_json::to_string(&report.answers).map_err(refused)?;
    let head = Report::HEAD.split(',').map(String::from).collect();
    Ok((answers, head, report.rows()))
}

#[pymodule]
fn _muffliato(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("MuffliatoError", module.py().get_type::<MuffliatoError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<graph::Graph>()?;
    module.add_class::<graph::Protocol>()?;
    module.add_class::<plan::Plan>()?;
    module.add_class::<loss::Loss>()?;
    module.add_class::<loss::Guarantee>()?;
    module.add_class::<account::Account>()?;
    module.add_class::<system::System>()?;
    module.add_function(wrap_pyfunction!(account::merged, module)?)?;
    module.add_function(wrap_pyfunction!(local_guarantee, module)?)?;
    module.add_function(wrap_pyfunction!(spelled, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)?;
    module.add_function(wrap_pyfunction!(conform, module)?)?;
    Ok(())
}
