//! Designs on file: one JSON object with everything that both ends are checked from.
//!
//! | field | meaning |
//! | --- | --- |
//! | `design` | the version of the format, 2 |
//! | `protocol` | a protocol [on file](muffliato_model::ProtocolRecord): one round on one network with `plan`, in multiples of LDP's noise. The mask graph has the edges of its `masks`; with `fresh` variances there are no secrets, and no masks |
//! | `targets` | `{"all": r}`, `{"by_distance": [r or null, ...]}` or `{"pairs": [[source, observer, r], ...]}` |
//! | `coalition` | how many nodes collude |
//! | `proof` | the proof from below: `unit`, and `potentials`, each `{"source": u, "observers": [...], "multiplier": m, "values": [[node, value], ...]}`; without secrets coefficients of messages, that of w at t numbered `t n + w` |
//! | `noise` | `{"sigma": ..., "sensitivity": ..., "epsilon": ..., "delta": ...}`: LDP's noise, of which variances are multiples, and the target that it meets (optional) |
//!
//! Numbers that are not whole are strings such as `"3/4"`. The ends are not in the file: [`verify`] computes them.

use crate::{
    Design, DesignError, Ends, LocalNoise, LowerProof, NoisePlan, Problem, Targets,
    problem::check_variances,
};
use muffliato_model::{Fraction, Graph, Network, Protocol, ProtocolRecord};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    design: u32,
    protocol: ProtocolRecord,
    targets: Targets,
    coalition: usize,
    proof: LowerProof,
    #[serde(skip_serializing_if = "Option::is_none")]
    noise: Option<LocalNoise>,
}

/// The version of the format.
const VERSION: u32 = 2;

impl Design {
    /// Returns the design as a file, for the problem that it solves.
    pub fn to_json(&self, problem: &Problem) -> Result<String, DesignError> {
        to_json(problem, self.plan(), self.proof(), None)
    }
}

/// Returns a plan as a file, with what proves its lower end and, if given, LDP's noise and the target that it meets. A plan for a large graph has no potentials.
pub fn to_json(
    problem: &Problem,
    plan: &NoisePlan,
    proof: &LowerProof,
    noise: Option<LocalNoise>,
) -> Result<String, DesignError> {
    let plain = Protocol::one_shot(problem.network().clone(), problem.steps()).map_err(refused)?;
    let fresh = if problem.secrets() { Vec::new() } else { plan.fresh.clone() };
    let plan = NoisePlan { fresh, ..plan.clone() };
    let file = File {
        design: VERSION,
        protocol: ProtocolRecord { plan: Some(plan), ..(&plain).into() },
        targets: problem.targets().clone(),
        coalition: problem.coalition(),
        proof: proof.clone(),
        noise,
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
    Ok(read(text)?.noise)
}

fn read(text: &str) -> Result<File, DesignError> {
    let file: File = serde_json::from_str(text).map_err(refused)?;
    if file.design != VERSION {
        return Err(refused(format!("version {} is not known", file.design)));
    }
    Ok(file)
}

/// Parses a design on file into its problem, its plan and the proof that no plan costs less, without checking
/// what they prove.
pub fn read_design(text: &str) -> Result<(Problem, NoisePlan, LowerProof), DesignError> {
    let mut file = read(text)?;
    let plan = file.protocol.plan.take().ok_or_else(|| refused("the protocol has no plan"))?;
    let other = || refused("a plan is for one round on one network");
    // Networks take memory for every node, before any of this is found out.
    if file.protocol.network.is_none() {
        return Err(other());
    }
    if file.protocol.nodes > text.len() {
        return Err(refused("it has more nodes than letters, and a variance for each"));
    }
    let run = file.protocol.build().map_err(refused)?;
    let of_network = |network: &Network| Protocol::one_shot(network.clone(), run.steps());
    let network = run.fixed_network().filter(|network| of_network(network).as_ref() == Ok(&run));
    let network = network.ok_or_else(other)?;
    let mask_graph = Graph::try_new(run.nodes(), plan.masks.iter().map(|(edge, _)| *edge))?;
    let problem = Problem::new(network.clone(), run.steps())?;
    let problem = match (plan.fresh.is_empty(), mask_graph.edge_count()) {
        (true, _) => problem.with_mask_graph(mask_graph)?,
        (false, 0) => problem.without_secrets()?,
        (false, _) => return Err(refused("it has masks and fresh noise; leave out one of them")),
    };
    let problem = problem.with_targets(file.targets)?.with_coalitions(file.coalition)?;
    Ok((problem, plan, file.proof))
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
        let other = format!("with {given} nodes in place of {nodes}");
        return Err(DesignError::OtherGraph(other));
    }
    let short = |what: &str, given: usize| {
        refused(format!(
            "{what} of the plan has {given} entries for {nodes} nodes; give one for each"
        ))
    };
    if plan.nodes.len() != nodes {
        return Err(short("nodes", plan.nodes.len()));
    }
    if !problem.secrets() && plan.fresh.len() != nodes {
        return Err(short("fresh", plan.fresh.len()));
    }
    check_variances(plan)?;
    let known: HashMap<String, usize> = (0..nodes).map(|v| (graph.label(v), v)).collect();
    let find = |v: usize| {
        let name = planned.label(v);
        let unknown = || DesignError::OtherGraph(format!("with a node {name:?}"));
        known.get(&name).copied().ok_or_else(unknown)
    };
    let place = (0..nodes).map(find).collect::<Result<Vec<usize>, _>>()?;
    let other = planned.edges().find(|&(a, b)| !graph.has_edge(place[a], place[b]));
    if other.is_some() || planned.edge_count() != graph.edge_count() {
        let edge =
            |(a, b)| format!("with an edge between {} and {}", planned.label(a), planned.label(b));
        return Err(DesignError::OtherGraph(other.map_or("with fewer edges".into(), edge)));
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
