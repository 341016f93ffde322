//! Designs on file: one JSON object with everything that both ends are checked from.
//!
//! | field | meaning |
//! | --- | --- |
//! | `design` | the version of the format, 1 |
//! | `names` | the names of the nodes, in order (optional); elsewhere nodes are numbers from 0 |
//! | `nodes`, `edges` | the network |
//! | `weights` | `"metropolis"`, `"max-degree-inverse"`, `"lazy:..."`, or `{"denominator": d, "entries": [[v, w, numerator], ...]}` |
//! | `steps` | T |
//! | `targets` | `{"all": r}`, `{"by_distance": [r or null, ...]}` or `{"pairs": [[source, observer, r], ...]}` |
//! | `coalition` | how many nodes collude |
//! | `node_variances`, `masks` | `s_w^2` of each node; `[a, b, kappa^2]` of each edge of the mask graph, a < b |
//! | `fresh_variances` | without secrets: `tau_w^2` of each node; there are no masks then |
//! | `sigma`, `sensitivity`, `epsilon`, `delta` | LDP's noise, of which variances are multiples, and the target that it meets (optional; all or none) |
//! | `unit`, `potentials` | the proof from below: `[source, observers, multiplier, [[node, value], ...]]`; without secrets coefficients of messages, that of w at t numbered `t n + w` |
//!
//! Numbers that are not whole are strings such as `"3/4"`. The ends are not in the file: [`verify`] computes them.

use crate::{
    Design, DesignError, Ends, LocalNoise, LowerProof, NoisePlan, Potential, Problem, Targets,
    problem::check_variances,
};
use muffliato_model::{Fraction, Graph, Network, WeightsRecord};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    design: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    names: Option<Vec<String>>,
    nodes: usize,
    edges: Vec<(usize, usize)>,
    weights: WeightsRecord,
    steps: usize,
    targets: Targets,
    coalition: usize,
    node_variances: Vec<Fraction>,
    masks: Vec<(usize, usize, Fraction)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fresh_variances: Option<Vec<Fraction>>,
    unit: String,
    potentials: Vec<PotentialOnFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sigma: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sensitivity: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
}

/// Source, observers, multiplier, values.
type PotentialOnFile = (usize, Vec<usize>, u64, Vec<(usize, i64)>);

impl Design {
    /// Returns the design as a file, for the problem that it solves.
    pub fn to_json(&self, problem: &Problem) -> Result<String, DesignError> {
        to_json(problem, self.plan(), self.proof(), None)
    }

    /// Returns the design as a file, with LDP's noise and the target that it meets.
    pub fn to_json_with(
        &self,
        problem: &Problem,
        noise: LocalNoise,
    ) -> Result<String, DesignError> {
        to_json(problem, self.plan(), self.proof(), Some(noise))
    }
}

/// Returns a plan as a file, with what proves its lower end and, if given, LDP's noise and the target that it meets. A plan for a large graph has no potentials.
pub fn to_json(
    problem: &Problem,
    plan: &NoisePlan,
    proof: &LowerProof,
    noise: Option<LocalNoise>,
) -> Result<String, DesignError> {
    let graph = problem.network().graph();
    let potential = |p: &Potential| (p.source, p.observers.clone(), p.multiplier, p.values.clone());
    let file = File {
        design: 1,
        names: graph.labels().map(<[String]>::to_vec),
        nodes: graph.nodes(),
        edges: graph.edges().collect(),
        weights: WeightsRecord::new(graph, problem.network().weights()),
        steps: problem.steps(),
        targets: problem.targets().clone(),
        coalition: problem.coalition(),
        node_variances: plan.nodes.clone(),
        masks: plan.masks.iter().map(|&((a, b), x)| (a, b, x)).collect(),
        fresh_variances: (!problem.secrets()).then(|| plan.fresh.clone()),
        unit: proof.unit.to_string(),
        potentials: proof.potentials.iter().map(potential).collect(),
        sigma: noise.map(|noise| noise.sigma),
        sensitivity: noise.map(|noise| noise.sensitivity),
        epsilon: noise.map(|noise| noise.epsilon),
        delta: noise.map(|noise| noise.delta),
    };
    serde_json::to_string(&file).map_err(refused)
}

/// Checks both ends of a design on file from the graph alone and returns them, in units of `sigma^2 / (2 n)`: the plan meets every target at the upper one, and no plan on its mask graph costs less than the lower one.
pub fn verify(text: &str) -> Result<Ends, DesignError> {
    let (problem, plan, proof) = read_design(text)?;
    let costs = problem.costs()?;
    Ok(Ends {
        lower: problem.check_lower(&costs, &proof)?,
        upper: problem.check_plan(&costs, &plan)?,
    })
}

/// Returns LDP's noise of a design on file, if it has one. That it meets its target is not checked.
pub fn read_noise(text: &str) -> Result<Option<LocalNoise>, DesignError> {
    let file = read(text)?;
    match (file.sigma, file.sensitivity, file.epsilon, file.delta) {
        (Some(sigma), Some(sensitivity), Some(epsilon), Some(delta)) => {
            Ok(Some(LocalNoise { sigma, sensitivity, epsilon, delta }))
        }
        (None, None, None, None) => Ok(None),
        _ => Err(refused("sigma, sensitivity, epsilon and delta must be given together")),
    }
}

fn read(text: &str) -> Result<File, DesignError> {
    let file: File = serde_json::from_str(text).map_err(refused)?;
    if file.design != 1 {
        return Err(refused(format!("version {} is not known", file.design)));
    }
    Ok(file)
}

/// Reads what is asked, the plan and the proof from below of a design on file, without checking what they prove.
pub fn read_design(text: &str) -> Result<(Problem, NoisePlan, LowerProof), DesignError> {
    let file = read(text)?;
    let mut graph = Graph::try_new(file.nodes, file.edges)?;
    if let Some(names) = file.names {
        graph = graph.with_labels(names)?;
    }
    let weights = file.weights.build(&graph)?;
    let masks = file.masks.iter().map(|&(a, b, x)| ((a, b), x)).collect();
    let secrets = file.fresh_variances.is_none();
    let fresh = file.fresh_variances.unwrap_or_default();
    let plan = NoisePlan { nodes: file.node_variances, masks, fresh };
    let mask_graph = Graph::try_new(file.nodes, plan.masks.iter().map(|(edge, _)| *edge))?;
    let problem = Problem::new(Network::try_new(graph, weights)?, file.steps)?;
    let problem = match (secrets, mask_graph.edge_count()) {
        (true, _) => problem.with_mask_graph(mask_graph)?,
        (false, 0) => problem.without_secrets()?,
        (false, _) => return Err(refused("it has masks and fresh noise; leave out one of them")),
    };
    let problem = problem.with_targets(file.targets)?.with_coalitions(file.coalition)?;
    let potentials = file.potentials.into_iter();
    let proof = LowerProof {
        unit: file.unit.parse().map_err(|_| refused("the unit is not a fraction"))?,
        potentials: potentials
            .map(|(source, observers, multiplier, values)| Potential {
                source,
                observers,
                multiplier,
                values,
            })
            .collect(),
    };
    Ok((problem, plan, proof))
}

/// Reads the plan of a design on file for the nodes of a graph, which are found by name, and its number of steps.
pub fn read_plan(text: &str, graph: &Graph) -> Result<(NoisePlan, usize), DesignError> {
    let (problem, plan, _) = read_design(text)?;
    Ok((plan_on(&problem, &plan, graph)?, problem.steps()))
}

/// Returns the plan of a problem for the nodes of another graph, which are found by name.
pub fn plan_on(
    problem: &Problem,
    plan: &NoisePlan,
    graph: &Graph,
) -> Result<NoisePlan, DesignError> {
    let planned = problem.network().graph();
    let (nodes, given) = (graph.nodes(), planned.nodes());
    if given != nodes {
        return Err(DesignError::OtherNodes { given, nodes });
    }
    let short = |what: &str, given: usize| {
        refused(format!("{what} has {given} entries for {nodes} nodes; give one for each node"))
    };
    if plan.nodes.len() != nodes {
        return Err(short("node_variances", plan.nodes.len()));
    }
    if !problem.secrets() && plan.fresh.len() != nodes {
        return Err(short("fresh_variances", plan.fresh.len()));
    }
    check_variances(plan)?;
    let known: HashMap<String, usize> = (0..nodes).map(|v| (graph.label(v), v)).collect();
    let find = |v: usize| {
        let name = planned.label(v);
        known.get(&name).copied().ok_or(DesignError::NoSuchNode { name })
    };
    let place = (0..nodes).map(find).collect::<Result<Vec<usize>, _>>()?;
    let other = planned.edges().find(|&(a, b)| !graph.has_edge(place[a], place[b]));
    if other.is_some() || planned.edge_count() != graph.edge_count() {
        let edge = other.map(|(a, b)| (planned.label(a), planned.label(b)));
        return Err(DesignError::OtherGraph { edge });
    }
    let placed = |variances: &[Fraction]| {
        let mut placed = vec![Fraction::ZERO; variances.len()];
        place.iter().zip(variances).for_each(|(&at, &variance)| placed[at] = variance);
        placed
    };
    let mask = |&((a, b), variance): &((usize, usize), Fraction)| {
        let (a, b) = (place[a], place[b]);
        ((a.min(b), a.max(b)), variance)
    };
    let masks = plan.masks.iter().map(mask).collect();
    Ok(NoisePlan { nodes: placed(&plan.nodes), masks, fresh: placed(&plan.fresh) })
}

fn refused(why: impl ToString) -> DesignError {
    DesignError::File(why.to_string())
}
