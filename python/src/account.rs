//! Accounts: who leaks how much to whom.

use crate::graph::Protocol;
use crate::loss::Loss;
use crate::refused;
use crate::watched::watched;
use muffliato::fast::Progress;
use muffliato_account::{
    self as accountant, AccountError, Calibration, Choice, Formulas, Observers, Sight, Summary,
    Target,
};
use muffliato_model::Protocol as Inner;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};

/// Who observes.
#[derive(Clone, FromPyObject)]
pub enum Asked {
    /// all, auto or sample:N.
    Word(String),
    /// These nodes, each by itself.
    Listed(Vec<usize>),
}

/// The accountant of one protocol.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Account {
    protocol: Arc<Inner>,
    observers: Observers,
    sources: Option<Vec<usize>>,
    group: Option<Vec<usize>>,
    sight: Sight,
    choice: Choice,
    threads: Option<usize>,
    /// The losses of all sources towards the observer that was asked about last.
    last: Mutex<Option<(usize, Vec<accountant::Pair>)>>,
}

impl Account {
    /// The accountant's own question.
    fn asked<'a>(
        &self,
        protocol: &'a Inner,
        progress: &'a dyn Progress,
    ) -> Result<accountant::Account<'a>, AccountError> {
        let mut account = accountant::Account::of(protocol)?
            .observers(self.observers.clone())
            .sight(self.sight)
            .engine(self.choice)
            .progress(progress);
        if let Some(threads) = self.threads {
            account = account.threads(threads);
        }
        if let Some(sources) = &self.sources {
            account = account.sources(sources.iter().copied());
        }
        if let Some(group) = &self.group {
            account = account.group(group.iter().copied());
        }
        Ok(account)
    }
}

#[pymethods]
impl Account {
    #[new]
    #[pyo3(signature = (protocol, observers, sources, coalition, group, view, engine, threads))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one for each keyword of the Python function"
    )]
    fn new(
        protocol: &Protocol,
        observers: Asked,
        sources: Option<Vec<usize>>,
        coalition: Option<Vec<usize>>,
        group: Option<Vec<usize>>,
        view: &str,
        engine: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let observers = match (coalition, observers) {
            (Some(members), _) => Observers::Coalition(members),
            (None, Asked::Listed(nodes)) => Observers::Listed(nodes),
            (None, Asked::Word(word)) => word.parse().map_err(refused)?,
        };
        Ok(Self {
            protocol: Arc::new(protocol.inner.clone()),
            observers,
            sources,
            group,
            sight: view.parse().map_err(refused)?,
            choice: engine.parse().map_err(refused)?,
            threads,
            last: Mutex::new(None),
        })
    }

    /// The engine that answers.
    #[getter]
    fn engine(&self) -> PyResult<String> {
        let account = self.asked(&self.protocol, &()).map_err(refused)?;
        Ok(account.answering().map_err(refused)?.name().to_string())
    }

    /// What `source` loses to `observer`.
    fn loss(&self, py: Python<'_>, source: usize, observer: usize) -> PyResult<Loss> {
        let inner = watched(
            py,
            None,
            || (),
            |progress| {
                let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.as_ref().is_none_or(|(before, _)| *before != observer) {
                    let account = accountant::Account::of(&self.protocol)?
                        .observers(Observers::Listed(vec![observer]))
                        .sight(self.sight)
                        .engine(self.choice)
                        .formulas(Formulas::NONE)
                        .progress(progress);
                    let towards = account.pairs()?.swap_remove(0);
                    *last = Some((observer, towards.pairs));
                }
                let pairs = last.as_ref().map_or(&[][..], |(_, pairs)| pairs);
                match pairs.iter().find(|pair| pair.source == source) {
                    Some(pair) => Ok(pair.loss.clone()),
                    None if source < self.protocol.nodes() => Err(AccountError::AllObserve),
                    None => Err(AccountError::NoSuchSource {
                        node: source,
                        nodes: self.protocol.nodes(),
                    }),
                }
            },
        )?;
        Ok(Loss { inner })
    }

    /// What these sources together lose to `observer`.
    fn group_loss(&self, py: Python<'_>, sources: Vec<usize>, observer: usize) -> PyResult<Loss> {
        let inner = watched(
            py,
            None,
            || (),
            |progress| {
                self.asked(&self.protocol, progress)?
                    .group_loss(&sources, observer)
            },
        )?;
        Ok(Loss { inner })
    }

    /// All pairs, column by column.
    #[pyo3(signature = (shown))]
    fn columns<'py>(
        &self,
        py: Python<'py>,
        shown: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (question, all) = watched(
            py,
            shown,
            || (),
            |progress| {
                let account = self.asked(&self.protocol, progress)?;
                Ok::<_, AccountError>((account.question()?, account.pairs()?))
            },
        )?;
        let pairs = || all.iter().flat_map(|towards| &towards.pairs);
        let floats = |value: &dyn Fn(&accountant::Pair) -> f64| -> Bound<'py, PyArray1<f64>> {
            pairs().map(value).collect::<Vec<f64>>().into_pyarray(py)
        };
        let columns = PyDict::new(py);
        let source = |pair: &accountant::Pair| question.sources[pair.source].clone();
        columns.set_item("source", pairs().map(source).collect::<Vec<_>>())?;
        let observer =
            |pair: &accountant::Pair| question.observers[pair.observer].members().to_vec();
        columns.set_item("observer", pairs().map(observer).collect::<Vec<_>>())?;
        columns.set_item(
            "distance",
            pairs().map(|pair| pair.distance).collect::<Vec<_>>(),
        )?;
        columns.set_item("lower", floats(&|pair| pair.loss.lower()))?;
        columns.set_item("value", floats(&|pair| pair.loss.value()))?;
        columns.set_item("upper", floats(&|pair| pair.loss.upper()))?;
        columns.set_item(
            "status",
            pairs()
                .map(|pair| pair.loss.status().word())
                .collect::<Vec<_>>(),
        )?;
        columns.set_item(
            "paper_theorem_1",
            floats(&|pair| {
                pair.theorem_1
                    .as_ref()
                    .map_or(f64::NAN, |number| number.upper())
            }),
        )?;
        let fraction = |pair: &accountant::Pair| pair.loss.fraction().map(ToString::to_string);
        columns.set_item("exact", pairs().map(fraction).collect::<Vec<_>>())?;
        Ok(columns)
    }

    /// The losses towards every `of`-th part of the observers by distance, as text that [`merged`] reads.
    #[pyo3(signature = (index, of, shown))]
    fn shard(
        &self,
        py: Python<'_>,
        index: usize,
        of: usize,
        shown: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        watched(
            py,
            shown,
            || (),
            |progress| {
                let account = self.asked(&self.protocol, progress)?.shard(index, of)?;
                Ok::<_, AccountError>(account.summary()?.to_json())
            },
        )
    }

    /// The smallest noise for a target: a dictionary.
    #[pyo3(signature = (epsilon, delta, protect, neighbour_epsilon, sensitivity, search_tau, shown))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one for each keyword of the Python function"
    )]
    fn calibrate<'py>(
        &self,
        py: Python<'py>,
        epsilon: f64,
        delta: f64,
        protect: &str,
        neighbour_epsilon: Option<f64>,
        sensitivity: f64,
        search_tau: bool,
        shown: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let target = Target {
            protect: protect.parse().map_err(refused)?,
            neighbour_epsilon,
            ..Target::new(epsilon, delta)
        };
        let (found, sigma): (Calibration, f64) = watched(
            py,
            shown,
            || (),
            |progress| {
                let account = self.asked(&self.protocol, progress)?;
                let found = match search_tau {
                    true => account.calibrate_tau(&target, sensitivity)?,
                    false => account.calibrate(&target, sensitivity)?,
                };
                let sigma = found.sigma()?;
                Ok::<_, AccountError>((found, sigma))
            },
        )?;
        let row = PyDict::new(py);
        row.set_item("sigma", sigma)?;
        row.set_item("tau", found.protocol.refresh().map(|tau| tau.to_string()))?;
        row.set_item("steps", found.protocol.steps())?;
        row.set_item("loss", found.largest.of_those_seen().upper())?;
        row.set_item("status", found.largest.word())?;
        row.set_item("expected_error", found.expected_error)?;
        row.set_item("error_of_ldp", found.baselines.map(|(local, _)| local))?;
        row.set_item(
            "error_of_trusted_aggregator",
            found.baselines.map(|(_, trusted)| trusted),
        )?;
        row.set_item("neighbour_epsilon", found.neighbour_epsilon)?;
        Ok(row)
    }
}

/// The summary of all parts, and whether all observers of the question are in it.
#[pyfunction]
pub fn merged<'py>(
    py: Python<'py>,
    parts: Vec<String>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, bool)> {
    let mut parts = parts.iter().map(|part| Summary::from_json(part));
    let Some(first) = parts.next() else {
        return Err(refused("there are no parts to merge"));
    };
    let mut summary = first.map_err(refused)?;
    for part in parts {
        summary.merge(part.map_err(refused)?).map_err(refused)?;
    }
    let mut rows = Vec::new();
    for class in summary.classes() {
        let row = PyDict::new(py);
        let [least, mean, most] = class.upper.floats();
        row.set_item("distance", class.distance)?;
        row.set_item("pairs", class.pairs)?;
        row.set_item("min", least)?;
        row.set_item("mean", mean)?;
        row.set_item("max", most)?;
        row.set_item("estimated_max", class.value.floats()[2])?;
        row.set_item("status", class.status.word())?;
        rows.push(row);
    }
    Ok((rows, summary.sample_of().is_none()))
}
