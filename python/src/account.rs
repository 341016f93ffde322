//! The `Account` class.

use crate::graph::{Graph, Protocol};
use crate::loss::{Guarantee, Loss};
use crate::refused;
use crate::watched::watched;
use muffliato_account::{
    self as accountant, AccountBuilder, AccountError, Calibration, Choice, Collusion, Epsilons,
    Formulas, Knowledge, MaskSearch, NoiseLaw, Number, Observers, PairEpsilons, Rival,
    ScheduleBound, Schedules, Sources, Status, Summary, Target, Terms,
};
use muffliato_fast::Progress;
use muffliato_model::{self as model, Fraction, Lipschitz, Observer, Protocol as Inner};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The statuses of a loss, in the order of their numbers.
const STATUSES: [Status; 3] = [Status::Exact, Status::Certified, Status::Estimate];

/// A column of epsilons: its name and its value in a pair.
type EpsilonColumn = (&'static str, fn(&PairEpsilons) -> Option<f64>);

/// The columns of epsilons.
const EPSILONS: [EpsilonColumn; 3] = [
    ("epsilon", |of| Some(of.epsilon)),
    ("model_epsilon", |of| of.model_epsilon),
    ("any_loss_epsilon", |of| of.any_loss_epsilon),
];

/// The `observers` argument.
#[derive(Clone, FromPyObject)]
pub enum ObserverNames {
    /// `all`, `auto` or `sample:N`.
    Word(String),
    /// A list of nodes.
    Listed(Vec<usize>),
}

/// The accountant of one protocol.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Account {
    protocol: Arc<Inner>,
    /// All schedules that the protocol may draw, if it draws one.
    schedules: Option<Arc<Schedules>>,
    observers: Observers,
    sources: Sources,
    knowledge: Knowledge,
    lipschitz: Lipschitz,
    choice: Choice,
    /// The law of the noise, the sensitivity and the number of coordinates of an input.
    noise: (NoiseLaw, f64, usize),
    threads: Option<usize>,
    /// Time limit of each answer.
    max_time: Option<Duration>,
    /// The losses towards the last observer.
    last: Mutex<Option<(usize, Vec<accountant::Pair>)>>,
}

impl Account {
    /// Returns the settings of the accountant for this question.
    fn settings<'a>(&'a self, progress: &'a dyn Progress) -> AccountBuilder<'a> {
        self.about(accountant::Account::of(&self.protocol), progress)
    }

    /// Configures an accountant for this question.
    fn about<'a>(
        &self,
        account: AccountBuilder<'a>,
        progress: &'a dyn Progress,
    ) -> AccountBuilder<'a> {
        let (law, sensitivity, coordinates) = self.noise;
        let mut account = account
            .noise(law, sensitivity, coordinates)
            .observers(self.observers.clone())
            .sources(self.sources.clone())
            .knowledge(self.knowledge)
            .lipschitz(self.lipschitz.clone())
            .engine(self.choice)
            .progress(progress);
        if let Some(threads) = self.threads {
            account = account.threads(threads);
        }
        if let Some(end) = self.max_time.and_then(|time| Instant::now().checked_add(time)) {
            account = account.deadline(end);
        }
        account
    }

    /// Returns the accountant, for what it says before it computes.
    fn account(&self) -> PyResult<accountant::Account<'_>> {
        self.settings(&()).build().map_err(refused)
    }

    /// Returns the observer at a node, or the coalition of the question.
    fn observer(&self, account: &accountant::Account<'_>, node: Option<usize>) -> Observer {
        match node {
            Some(node) => self.knowledge.observer(node),
            None => account.question().observers()[0].clone(),
        }
    }

    /// Returns the loss of one pair, from the cached losses towards its observer if possible.
    fn pair(
        &self,
        source: usize,
        observer: usize,
        progress: &dyn Progress,
    ) -> Result<accountant::Pair, AccountError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|(before, _)| *before != observer) {
            let account = self.settings(progress).observers(Observers::Listed(vec![observer]));
            let account = account.sources(Sources::All).formulas(Formulas::NONE);
            let report = account.build()?.pairs()?.swap_remove(0);
            *last = Some((observer, report.pairs));
        }
        let pairs = last.as_ref().map_or(&[][..], |(_, pairs)| pairs);
        match pairs.iter().find(|pair| pair.source() == source) {
            Some(pair) => Ok(pair.clone()),
            None if source < self.protocol.nodes() => Err(AccountError::AllObserve),
            None => Err(AccountError::NoSuchSource { node: source, nodes: self.protocol.nodes() }),
        }
    }
}

/// The columns of a table under construction.
struct Columns<'a, 'py> {
    py: Python<'py>,
    pairs: &'a [accountant::Pair],
    columns: &'a Bound<'py, PyDict>,
}

impl Columns<'_, '_> {
    fn whole(&self, name: &str, of: impl Fn(&accountant::Pair) -> i64) -> PyResult<()> {
        self.bytes(name, self.pairs.iter().map(|pair| of(pair).to_ne_bytes()))
    }

    fn floats(&self, name: &str, of: impl Fn(&accountant::Pair) -> f64) -> PyResult<()> {
        self.bytes(name, self.pairs.iter().map(|pair| of(pair).to_ne_bytes()))
    }

    fn bytes(&self, name: &str, column: impl Iterator<Item = [u8; 8]>) -> PyResult<()> {
        let column: Vec<u8> = column.flatten().collect();
        self.columns.set_item(name, PyBytes::new(self.py, &column))
    }

    fn fractions(
        &self,
        name: &str,
        of: impl Fn(&accountant::Loss) -> Option<String>,
    ) -> PyResult<()> {
        let column: Vec<_> = self.pairs.iter().map(|pair| of(&pair.loss)).collect();
        self.columns.set_item(name, column)
    }
}

#[pymethods]
impl Account {
    #[new]
    #[pyo3(signature = (protocol, observers, sources, coalition, group, view, lipschitz, engine, noise, threads, max_time))]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the Python function")]
    fn new(
        protocol: &Protocol,
        observers: ObserverNames,
        sources: Option<Vec<usize>>,
        coalition: Option<Vec<usize>>,
        group: Option<Vec<usize>>,
        view: &str,
        lipschitz: &str,
        engine: &str,
        noise: (String, f64, usize),
        threads: Option<usize>,
        max_time: Option<f64>,
    ) -> PyResult<Self> {
        let bad_time = |time| refused(format!("max_time is {time}; give seconds, at least 0"));
        let seconds = |time| Duration::try_from_secs_f64(time).map_err(|_| bad_time(time));
        let observers = match (coalition, observers) {
            (Some(members), _) => Observers::Coalition(members),
            (None, ObserverNames::Listed(nodes)) => Observers::Listed(nodes),
            (None, ObserverNames::Word(word)) => word.parse().map_err(refused)?,
        };
        Ok(Self {
            protocol: Arc::new(protocol.inner.clone()),
            schedules: protocol.schedules.clone(),
            observers,
            sources: match (group, sources) {
                (Some(members), _) => Sources::Group(members),
                (None, Some(listed)) => Sources::Listed(listed),
                (None, None) => Sources::All,
            },
            knowledge: view.parse().map_err(refused)?,
            lipschitz: Lipschitz::everywhere(lipschitz.parse::<Fraction>().map_err(refused)?)
                .map_err(refused)?,
            choice: engine.parse().map_err(refused)?,
            noise: (noise.0.parse().map_err(refused)?, noise.1, noise.2),
            threads,
            max_time: max_time.map(seconds).transpose()?,
            last: Mutex::new(None),
        })
    }

    /// Returns the name of the engine.
    #[getter]
    fn engine(&self) -> PyResult<String> {
        Ok(self.account()?.answering().map_err(refused)?.name().to_string())
    }

    /// Returns the numbers of observers and sources.
    #[getter]
    fn size(&self) -> PyResult<(usize, usize)> {
        let account = self.account()?;
        let question = account.question();
        Ok((question.observers().len(), question.sources().len()))
    }

    /// Returns `True` if all pairs are bounded at once, which cannot be split into parts.
    #[getter]
    fn at_once(&self) -> PyResult<bool> {
        Ok(self.account()?.bounds_all_at_once())
    }

    /// Returns the estimated time of one thread for all observers, in seconds.
    #[getter]
    fn seconds(&self) -> PyResult<f64> {
        let account = self.settings(&()).threads(1).build().map_err(refused)?;
        Ok(3600.0 * account.hours().map_err(refused)?)
    }

    /// Returns the loss of `source` to `observer`, or to the coalition.
    #[pyo3(signature = (source, observer))]
    fn loss(&self, py: Python<'_>, source: usize, observer: Option<usize>) -> PyResult<Loss> {
        let Some(observer) = observer else {
            return self.group_loss(py, vec![source], None);
        };
        let inner = watched(py, None, |progress| {
            Ok::<_, AccountError>(self.pair(source, observer, progress)?.loss.clone())
        })?;
        Ok(Loss { inner })
    }

    /// Returns the joint guarantee of these sources towards `observer`, or the coalition.
    #[pyo3(signature = (sources, observer))]
    fn guarantee(
        &self,
        py: Python<'_>,
        sources: Vec<usize>,
        observer: Option<usize>,
    ) -> PyResult<Guarantee> {
        let work = |progress: &dyn Progress| {
            // Averaging needs only the cached losses towards the observer.
            if let (1, &[source], Some(observer)) = (self.protocol.rounds(), &sources[..], observer)
            {
                return Ok(self.pair(source, observer, progress)?.guarantee());
            }
            let account = self.settings(progress).build()?;
            account.guarantee_towards(&sources, &self.observer(&account, observer))
        };
        let inner = watched(py, None, work)?;
        Ok(Guarantee { inner })
    }

    /// Returns the joint loss of these sources to `observer`, or to the coalition.
    #[pyo3(signature = (sources, observer))]
    fn group_loss(
        &self,
        py: Python<'_>,
        sources: Vec<usize>,
        observer: Option<usize>,
    ) -> PyResult<Loss> {
        let work = |progress: &dyn Progress| {
            let account = self.settings(progress).build()?;
            account.loss_towards(&sources, &self.observer(&account, observer))
        };
        let inner = watched(py, None, work)?;
        Ok(Loss { inner })
    }

    /// Returns a certificate of the loss of one pair, as text for `verify`.
    fn certificate(&self, py: Python<'_>, source: usize, observer: usize) -> PyResult<String> {
        let work = |progress: &dyn Progress| {
            let account = self.settings(progress).observers(Observers::Listed(vec![observer]));
            account.sources([source]).build()?.certificate()
        };
        watched(py, None, work)?.to_json().map_err(refused)
    }

    /// Returns all pairs, or those of a part of the observers, as columns, with epsilons for
    /// `noise` (sigma, sensitivity, delta). Sources and observers are indices into the lists
    /// `sources` and `observers`, and `finished` observers are included. A distance of -1 means
    /// that there is no path. A status is an index into `statuses`. Numbers are 64-bit floats or
    /// integers in native byte order.
    #[pyo3(signature = (noise, part, shown))]
    fn columns<'py>(
        &self,
        py: Python<'py>,
        noise: Option<(f64, f64, f64)>,
        part: Option<(usize, usize)>,
        shown: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let work = |progress: &dyn Progress| {
            let account = self.settings(progress).formulas(Formulas::ALL);
            let (index, of) = part.unwrap_or((0, 1));
            let account = account.shard(index, of).build()?;
            let question = Arc::clone(account.question());
            let mut all = Vec::new();
            let found = match part {
                None => account.pairs().map(|pairs| all = pairs),
                Some(_) => account.each(
                    |towards| towards,
                    |towards| {
                        all.push(towards);
                        Ok(())
                    },
                ),
            };
            match found {
                Err(AccountError::OutOfTime { .. }) => {}
                found => found?,
            }
            let finished = all.len();
            let pairs: Vec<_> = all.into_iter().flat_map(|towards| towards.pairs).collect();
            let asked = question.sources().len() * question.observers().len();
            let epsilons = match noise {
                None => None,
                Some((sigma, sensitivity, delta)) => {
                    let mut epsilons = Epsilons::of(asked, sigma, sensitivity, delta, 1);
                    let of_each = pairs.iter().map(|pair| pair.epsilons(&mut epsilons));
                    Some(of_each.collect::<Result<Vec<_>, AccountError>>()?)
                }
            };
            Ok::<_, AccountError>((question, finished, pairs, epsilons))
        };
        let (question, finished, pairs, epsilons) = watched(py, shown, work)?;
        let columns = PyDict::new(py);
        columns.set_item("finished", finished)?;
        columns.set_item("sources", question.sources())?;
        let observers = question.observers().iter();
        let observers = observers.map(|observer| observer.members().to_vec());
        columns.set_item("observers", observers.collect::<Vec<_>>())?;
        let exact = pairs.iter().any(|pair| {
            let loss = &pair.loss;
            loss.fraction().is_some() || loss.for_scalars().fraction().is_some()
        });
        columns.set_item("statuses", STATUSES.map(Status::as_str))?;
        let filled = Columns { py, pairs: &pairs, columns: &columns };
        filled.whole("source", |pair| pair.source() as i64)?;
        filled.whole("observer", |pair| pair.observer() as i64)?;
        filled.whole("distance", |pair| pair.distance.map_or(-1, |distance| distance as i64))?;
        filled.whole("status", |pair| pair.loss.status() as i64)?;
        let bound = |bound: &Option<Number>| bound.as_ref().map_or(f64::NAN, Number::upper);
        filled.floats("paper_theorem_1", |pair| bound(&pair.theorem_1))?;
        filled.floats("paper_corollary_1", |pair| bound(&pair.corollary_1))?;
        filled.floats("proved_bound", |pair| pair.proved.unwrap_or(f64::NAN))?;
        filled.floats("lower", |pair| pair.loss.lower())?;
        filled.floats("value", |pair| pair.loss.value())?;
        filled.floats("upper", |pair| pair.loss.upper())?;
        if let Some(epsilons) = epsilons {
            for (name, which) in EPSILONS {
                let column = epsilons.iter().map(|of| which(of).unwrap_or(f64::NAN));
                filled.bytes(name, column.map(f64::to_ne_bytes))?;
            }
        }
        if exact {
            filled.fractions("exact", |loss| loss.fraction().map(ToString::to_string))?;
            filled.fractions("scalars_exact", |loss| match loss.fraction() {
                Some(_) => None,
                None => loss.for_scalars().fraction().map(ToString::to_string),
            })?;
        }
        Ok(columns)
    }

    /// Returns the losses towards part `index` of `of` of the observers by distance, as text for
    /// [`merged`]. `None` if no observer is finished in time.
    #[pyo3(signature = (index, of, shown))]
    fn shard(
        &self,
        py: Python<'_>,
        index: usize,
        of: usize,
        shown: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<String>> {
        watched(py, shown, |progress| {
            let account = self.settings(progress).shard(index, of).build()?;
            match account.summary() {
                Err(AccountError::OutOfTime { .. }) => Ok(None),
                found => Ok::<_, AccountError>(Some(found?.to_json()?)),
            }
        })
    }

    /// Returns the smallest noise for a target as a dictionary, for every schedule unless it is
    /// fixed. With `collude`, coalitions of this size are examined.
    #[pyo3(signature = (target, schedule_is_fixed, collude, shown))]
    fn calibrate<'py>(
        &self,
        py: Python<'py>,
        target: Wanted,
        schedule_is_fixed: bool,
        collude: Option<usize>,
        shown: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let target = target.read()?;
        let sensitivity = self.noise.1;
        let every = self.schedules.as_deref().filter(|_| !schedule_is_fixed);
        let (found, collusion) = watched(py, shown, |progress| {
            let account = match every {
                Some(schedules) => accountant::Account::of_every(schedules),
                None => accountant::Account::of(&self.protocol),
            };
            let account = self.about(account, progress).build()?;
            let found = account.calibrate(&target, sensitivity)?;
            let all = |size| account.collusion(size, &target, &found, sensitivity);
            let collusion = match collude.map(all).transpose() {
                Err(error) if account.is_late(&error) => None,
                collusion => collusion?,
            };
            found.sigma()?;
            Ok::<_, AccountError>((found, collusion))
        })?;
        let row = PyDict::new(py);
        row.set_item("secrets", found.protocol.masks().is_some())?;
        let one = self.schedules.is_some().then_some("one");
        let schedule = found.every.map_or(one, |_| Some("every"));
        calibrated(&row, &found, schedule, collude, collusion.as_ref())?;
        Ok(row)
    }

    /// Compares the usual protocols of these names, each with the best parameters tried, and
    /// returns their rows, those with the smallest expected error first. `mask_graph` says who
    /// shares keys, and `keeps_steps` keeps the number of steps.
    #[pyo3(signature = (target, names, secrets, mask_graph, keeps_steps, collude, shown))]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the Python function")]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        target: Wanted,
        names: Vec<String>,
        secrets: bool,
        mask_graph: Option<&Graph>,
        keeps_steps: bool,
        collude: Option<usize>,
        shown: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let target = target.read()?;
        let is_named = |rival: &Rival| names.iter().any(|name| name == rival.as_str());
        let terms = Terms {
            rivals: Rival::ALL.into_iter().filter(is_named).collect(),
            secrets,
            masks: MaskSearch {
                graph: mask_graph.map(|graph| model::Graph::clone(&graph.inner)),
                keeps_steps,
            },
            collude,
            ..Terms::default()
        };
        let compared = watched(py, shown, |progress| {
            let account = self.settings(progress).build()?;
            account.compare(&target, self.noise.1, &terms)
        })?;
        let mut rows = Vec::new();
        for one in compared {
            let row = PyDict::new(py);
            row.set_item("protocol", one.rival.as_str())?;
            row.set_item("secrets", secrets && one.rival.needs_secrets())?;
            match one.found.and_then(|found| found.sigma().map(|_| found)) {
                Ok(found) => calibrated(&row, &found, None, collude, one.collusion.as_ref())?,
                Err(error) => row.set_item("refused", error.to_string())?,
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// A target: epsilon, delta, the pairs that it is for, the epsilon of neighbours, and the runs.
#[derive(FromPyObject)]
pub struct Wanted(f64, f64, String, Option<f64>, usize);

impl Wanted {
    /// Converts the target.
    pub fn read(&self) -> PyResult<Target> {
        Ok(Target {
            protect: self.2.parse().map_err(refused)?,
            neighbour_epsilon: self.3,
            runs: self.4,
            ..Target::new(self.0, self.1)
        })
    }
}

/// Adds a calibration that all observers were examined for to a row.
fn calibrated(
    row: &Bound<'_, PyDict>,
    found: &Calibration,
    schedule: Option<&str>,
    collude: Option<usize>,
    collusion: Option<&Collusion>,
) -> PyResult<()> {
    row.set_item("sigma", found.sigma().map_err(refused)?)?;
    row.set_item("tau", found.sizes().tau.map(|tau| tau.to_string()))?;
    row.set_item("kappa", found.sizes().kappa.map(|kappa| kappa.to_string()))?;
    row.set_item("steps", found.protocol.steps())?;
    row.set_item("loss", found.largest.upper())?;
    row.set_item("status", found.largest.as_str())?;
    row.set_item("expected_error", found.expected_error)?;
    row.set_item("local_error", found.baselines.map(|(local, _)| local))?;
    row.set_item("trusted_error", found.baselines.map(|(_, trusted)| trusted))?;
    row.set_item("neighbour_epsilon", found.neighbour_epsilon)?;
    row.set_item("schedule", schedule)?;
    row.set_item("schedule_by", found.every.map(ScheduleBound::described))?;
    let mut untried: Vec<_> = found.untried.iter().map(ToString::to_string).collect();
    if let (Some(size), None) = (collude, collusion) {
        untried.push(format!("coalitions of {size}"));
    }
    if !untried.is_empty() {
        row.set_item("no_time_for", untried)?;
    }
    if let Some(all) = collusion {
        let worst = all.coalitions.found.as_ref();
        let members = worst.map(|worst| worst.members.clone());
        row.set_item("coalition_found", members)?;
        row.set_item("coalition_found_epsilon", all.found)?;
        row.set_item("every_coalition_epsilon", all.every)?;
        row.set_item("every_coalition_of", all.coalitions.whom())?;
    }
    Ok(())
}

/// Parses a part: a summary, or a file of `muffliato account --shard`, which contains one.
fn summary_of(part: &str) -> PyResult<Summary> {
    let file: serde_json::Value = serde_json::from_str(part).map_err(refused)?;
    let text = file.get("summary").map(ToString::to_string);
    Summary::from_json(text.as_deref().unwrap_or(part)).map_err(refused)
}

/// Merges parts into a summary. Also returns whether all observers are included and, if not, how
/// many are.
#[pyfunction]
pub fn merged<'py>(
    py: Python<'py>,
    parts: Vec<String>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, bool, Option<usize>)> {
    let mut parts = parts.iter().map(|part| summary_of(part));
    let Some(first) = parts.next() else {
        return Err(refused("there are no parts to merge"));
    };
    let mut summary = first?;
    for part in parts {
        summary.merge(part?).map_err(refused)?;
    }
    let mut rows = Vec::new();
    for found in summary.rows() {
        let row = PyDict::new(py);
        let [least, mean, most] = found.upper.floats();
        row.set_item("distance", found.distance)?;
        row.set_item("or_farther", found.or_farther)?;
        row.set_item("pairs", found.pairs)?;
        row.set_item("min", least)?;
        row.set_item("mean", mean)?;
        row.set_item("max", most)?;
        row.set_item("estimated_max", found.value.floats()[2])?;
        let status = if summary.is_partial() { found.as_str() } else { found.status.as_str() };
        row.set_item("status", status)?;
        let paper = found.theorem_1.as_ref().map(|bound| bound.floats()[2]);
        row.set_item("paper_max", paper)?;
        let promised = found.largest().upper();
        let another = summary.promises_another();
        row.set_item("promised", another.then_some(promised))?;
        rows.push(row);
    }
    let some = summary.is_partial().then(|| summary.observers());
    Ok((rows, summary.sample().is_none(), some))
}
