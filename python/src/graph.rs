//! The `Graph` and `Protocol` classes.

use crate::plan::Plan;
use crate::refused;
use crate::watched::watched;
use muffliato_account::{Schedules, Sizes, gap_of, planned, steps_to_mix};
use muffliato_design::plan_on;
use muffliato_fast::acceleration_fraction;
use muffliato_model::{
    self as model, CustomWeights, Fraction, GraphSpec, Network, ProtocolSpec, WeightScheme,
};
use pyo3::prelude::*;
use std::error::Error;
use std::sync::Arc;

/// A simple graph on the nodes 0, 1, ..., n - 1.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Graph {
    pub inner: Arc<model::Graph>,
}

#[pymethods]
impl Graph {
    /// Creates a graph from edges and names of nodes.
    #[new]
    #[pyo3(signature = (nodes, edges, labels=None))]
    fn new(
        nodes: usize,
        edges: Vec<(usize, usize)>,
        labels: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let mut inner = model::Graph::try_new(nodes, edges).map_err(refused)?;
        if let Some(labels) = labels {
            inner = inner.with_labels(labels).map_err(refused)?;
        }
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Creates a graph from a family such as `hypercube:11`, or from a file.
    #[staticmethod]
    fn named(text: &str) -> PyResult<Self> {
        let spec = text.parse::<GraphSpec>().map_err(refused)?;
        let graph = match &spec {
            GraphSpec::File(path) => muffliato_io::read_file(path).map_err(refused)?.graph,
            _ => spec.build().map_err(refused)?,
        };
        Ok(Self { inner: Arc::new(graph) })
    }

    /// Returns the number of nodes.
    #[getter]
    fn nodes(&self) -> usize {
        self.inner.nodes()
    }

    /// Returns the names of the nodes, if there are any.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        self.inner.labels().map(<[String]>::to_vec)
    }

    /// Returns the edges, each once.
    fn edges(&self) -> Vec<(usize, usize)> {
        self.inner.edges().collect()
    }
}

/// A protocol on a network.
#[pyclass(frozen, module = "muffliato._muffliato")]
pub struct Protocol {
    pub inner: model::Protocol,
    /// All schedules that the protocol may draw, if it draws one.
    pub schedules: Option<Arc<Schedules>>,
}

#[pymethods]
impl Protocol {
    /// Creates the protocol of a plan such as `refreshed:0.1` on a graph. Without `steps`, enough
    /// steps are taken to mix down to the noise.
    #[new]
    #[pyo3(signature = (graph, plan, steps, weights, accelerate, sigma, sensitivity, mask_graph, noise_plan))]
    #[expect(clippy::too_many_arguments, reason = "one for each keyword of the Python function")]
    fn new(
        py: Python<'_>,
        graph: &Graph,
        plan: &str,
        steps: Option<usize>,
        weights: Weights,
        accelerate: &str,
        sigma: f64,
        sensitivity: f64,
        mask_graph: Option<&Graph>,
        noise_plan: Option<&Plan>,
    ) -> PyResult<Self> {
        let planned_noise = |of: &Plan| plan_on(&of.problem, &of.plan, &graph.inner);
        let sizes = Sizes {
            plan: noise_plan.map(planned_noise).transpose().map_err(refused)?,
            mask_graph: mask_graph.map(|graph| model::Graph::clone(&graph.inner)),
        };
        // A plan sets the steps of averaging unless they are given.
        let plan = plan.parse::<ProtocolSpec>().map_err(refused)?;
        let of_plan = noise_plan.filter(|_| plan.rounds.is_none());
        let steps = steps.or(of_plan.map(|of| of.problem.steps()));
        let scheme = weights.scheme(&graph.inner)?;
        let network = Network::try_new(Arc::clone(&graph.inner), scheme).map_err(refused)?;
        let (inner, schedules) =
            watched(py, None, |progress| -> Result<_, Box<dyn Error + Send + Sync>> {
                let accelerated = accelerate != "off";
                let steps = match (plan.rounds, steps) {
                    (Some((_, steps)), None) | (None, Some(steps)) => steps,
                    (None, None) => {
                        steps_to_mix(&plan, &network, accelerated, sensitivity, sigma, progress)?
                    }
                    (Some(_), Some(_)) => {
                        return Err("gd:ROUNDSxSTEPS says the steps itself; leave steps out".into());
                    }
                };
                let g: Option<Fraction> = match accelerate {
                    "off" => None,
                    "auto" => {
                        let gap = gap_of(&network, progress)?;
                        Some(acceleration_fraction(gap.estimate)?)
                    }
                    g => Some(g.parse().map_err(|error| format!("accelerate: {error}"))?),
                };
                sizes.check(&plan)?;
                let schedules = Schedules::planned(&plan, &network, steps);
                let schedules = match (schedules?, g) {
                    (Some(all), Some(g)) => Some(all.accelerated(g)?),
                    (schedules, _) => schedules,
                };
                if let Some(all) = schedules {
                    return Ok((all.drawn().clone(), Some(Arc::new(all))));
                }
                let protocol = sizes.apply(planned(&plan, &network, steps)?, &plan)?;
                let protocol = match g {
                    Some(g) => protocol.accelerated(g)?,
                    None => protocol,
                };
                Ok((protocol, None))
            })?;
        Ok(Self { inner, schedules })
    }

    /// Parses the JSON that `str` returns.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        let inner = serde_json::from_str(text).map_err(refused)?;
        Ok(Self { inner, schedules: None })
    }

    fn __str__(&self) -> PyResult<String> {
        serde_json::to_string(&self.inner).map_err(refused)
    }

    /// Returns the number of gossip steps.
    #[getter]
    fn steps(&self) -> usize {
        self.inner.steps()
    }

    /// Returns the number of rounds, 1 for averaging.
    #[getter]
    fn rounds(&self) -> usize {
        self.inner.rounds()
    }
}

/// The `weights` argument.
#[derive(FromPyObject)]
pub enum Weights {
    /// A scheme by name.
    Scheme(String),
    /// A common denominator, and the numerators of the edges.
    Given(i128, Vec<(usize, usize, i128)>),
}

impl Weights {
    /// Returns the scheme on a graph.
    pub fn scheme(self, graph: &model::Graph) -> PyResult<WeightScheme> {
        match self {
            Self::Scheme(name) => name.parse().map_err(refused),
            Self::Given(denominator, edges) => {
                let weights = CustomWeights::try_new(graph, denominator, edges).map_err(refused)?;
                Ok(WeightScheme::Custom(weights))
            }
        }
    }
}
