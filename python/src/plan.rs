//! The `Plan` class.

use crate::account::Wanted;
use crate::graph::{Graph, Weights};
use crate::refused;
use crate::watched::watched;
use muffliato_account::{OneMissing, PlanBrief, deviation};
use muffliato_design::{Design, Problem, read_design};
use muffliato_model::{self as model, Fraction, Network, NoisePlan};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A draw: its variance in units of sigma squared, and its standard deviation, rounded up.
type Draw = (String, f64);

/// The largest loss relative to its target: whether it holds, epsilon, source and observers.
type Missing = (bool, f64, usize, Vec<usize>);

/// A size for every draw.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Plan {
    pub problem: Problem,
    pub plan: NoisePlan,
    /// What it was designed for, and its proofs; none for a plan on file.
    found: Option<(PlanBrief, f64, Design, bool)>,
}

impl Plan {
    fn found(&self) -> PyResult<&(PlanBrief, f64, Design, bool)> {
        self.found.as_ref().ok_or_else(|| refused("a plan on file does not say what it is for"))
    }
}

#[pymethods]
impl Plan {
    /// Designs the best plan. `coalition` is the number of nodes that observe together or are
    /// missing.
    #[new]
    #[pyo3(signature = (graph, weights, target, sensitivity, pairs, mask_graph, coalition, steps, gap, max_time))]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the Python function")]
    fn new(
        py: Python<'_>,
        graph: &Graph,
        weights: Weights,
        target: Wanted,
        sensitivity: f64,
        pairs: Option<Vec<(usize, usize, f64)>>,
        mask_graph: Option<&Graph>,
        coalition: usize,
        steps: Option<usize>,
        gap: f64,
        max_time: Option<f64>,
    ) -> PyResult<Self> {
        let brief = PlanBrief {
            pairs,
            mask_graph: mask_graph.map(|graph| model::Graph::clone(&graph.inner)),
            coalition,
            steps,
            ..PlanBrief::new(target.read()?, sensitivity)
        };
        let sigma = brief.sigma().map_err(refused)?;
        let seconds = max_time.map(Duration::try_from_secs_f64).transpose().map_err(refused)?;
        let deadline = seconds.and_then(|time| Instant::now().checked_add(time));
        let scheme = weights.scheme(&graph.inner)?;
        let network = Network::try_new(Arc::clone(&graph.inner), scheme).map_err(refused)?;
        let (problem, found, late) = watched(py, None, |progress| {
            let problem = brief.problem(network, progress)?;
            brief.best(problem, gap, deadline, |_| {})
        })?;
        let plan = found.plan().clone();
        Ok(Self { problem, plan, found: Some((brief, sigma, found, late)) })
    }

    /// Reads a plan on file, without checking what it proves.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let (problem, plan, _) = read_design(text).map_err(refused)?;
        Ok(Self { problem, plan, found: None })
    }

    /// Returns the plan with both of its proofs as a file.
    fn text(&self) -> PyResult<String> {
        self.found()?.2.to_json(&self.problem).map_err(refused)
    }

    /// Returns the number of gossip steps.
    #[getter]
    fn steps(&self) -> usize {
        self.problem.steps()
    }

    /// Returns the noise of local differential privacy, the unit of the plan.
    #[getter]
    fn sigma(&self) -> PyResult<f64> {
        Ok(self.found()?.1)
    }

    /// Returns the certified ends of the least error, in multiples of a trusted aggregator's.
    #[getter]
    fn ends(&self) -> PyResult<(f64, f64)> {
        let ends = self.found()?.2.multiples_of_trusted();
        Ok((ends.lower, ends.upper))
    }

    /// Returns `True` if the time was too short for the gap.
    #[getter]
    fn partial(&self) -> PyResult<bool> {
        Ok(self.found()?.3)
    }

    /// Returns the noise of each node.
    fn nodes(&self) -> PyResult<Vec<Draw>> {
        let sigma = self.sigma()?;
        Ok(self.plan.nodes.iter().map(|&variance| draw(sigma, variance)).collect())
    }

    /// Returns the masks that are drawn. The first node adds its mask, the second subtracts it.
    fn masks(&self) -> PyResult<Vec<((usize, usize), Draw)>> {
        let sigma = self.sigma()?;
        let drawn = self.plan.masks.iter().filter(|(_, variance)| !variance.is_zero());
        Ok(drawn.map(|&(edge, variance)| (edge, draw(sigma, variance))).collect())
    }

    /// Returns the pairs that keep every plan from costing less, with their part of the lower end.
    fn binding(&self) -> PyResult<Vec<(usize, Vec<usize>, f64)>> {
        Ok(self.found()?.2.binding_pairs().to_vec())
    }

    /// Returns what one more missing node costs, or why that is not known.
    fn if_one_is_missing(&self, py: Python<'_>) -> PyResult<(Option<Missing>, Option<&str>)> {
        let (brief, _, found, _) = self.found()?;
        let worst = watched(py, None, |_| brief.one_missing(&self.problem, found, |_| true))?;
        Ok(match worst {
            OneMissing::NotAsked(why) => (None, Some(why)),
            OneMissing::Worst { within_target, epsilon, source, observers } => {
                (Some((within_target, epsilon, source, observers)), None)
            }
        })
    }
}

fn draw(sigma: f64, variance: Fraction) -> Draw {
    (variance.to_string(), deviation(sigma, variance))
}
