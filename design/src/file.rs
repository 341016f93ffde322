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
//! | `unit`, `potentials` | the proof from below: `[source, observers, multiplier, [[node, value], ...]]` |
//!
//! Numbers that are not whole are strings such as `"3/4"`. The ends are not in the file: [`verify`] computes them.

use crate::{Design, DesignError, Ends, LowerProof, NoisePlan, Potential, Problem, Targets};
use muffliato_model::{Fraction, Graph, Network, WeightsRecord};
use serde::{Deserialize, Serialize};

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
    unit: String,
    potentials: Vec<PotentialOnFile>,
}

/// Source, observers, multiplier, values.
type PotentialOnFile = (usize, Vec<usize>, u64, Vec<(usize, i64)>);

impl Design {
    /// Returns the design as a file, for the problem that it solves.
    pub fn to_json(&self, problem: &Problem) -> Result<String, DesignError> {
        let graph = problem.network().graph();
        let potential =
            |p: &Potential| (p.source, p.observers.clone(), p.multiplier, p.values.clone());
        let file = File {
            design: 1,
            names: graph.labels().map(<[String]>::to_vec),
            nodes: graph.nodes(),
            edges: graph.edges().collect(),
            weights: WeightsRecord::new(graph, problem.network().weights()),
            steps: problem.steps(),
            targets: problem.targets().clone(),
            coalition: problem.coalition(),
            node_variances: self.plan().nodes.clone(),
            masks: self.plan().masks.iter().map(|&((a, b), x)| (a, b, x)).collect(),
            unit: self.proof().unit.to_string(),
            potentials: self.proof().potentials.iter().map(potential).collect(),
        };
        serde_json::to_string(&file).map_err(refused)
    }
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

/// Reads what is asked, the plan and the proof from below of a design on file, without checking what they prove.
pub fn read_design(text: &str) -> Result<(Problem, NoisePlan, LowerProof), DesignError> {
    let file: File = serde_json::from_str(text).map_err(refused)?;
    if file.design != 1 {
        return Err(refused(format!("version {} is not known", file.design)));
    }
    let mut graph = Graph::try_new(file.nodes, file.edges)?;
    if let Some(names) = file.names {
        graph = graph.with_labels(names)?;
    }
    let weights = file.weights.build(&graph)?;
    let masks = file.masks.iter().map(|&(a, b, x)| ((a, b), x)).collect();
    let plan = NoisePlan { nodes: file.node_variances, masks, fresh: Vec::new() };
    let mask_graph = Graph::try_new(file.nodes, plan.masks.iter().map(|(edge, _)| *edge))?;
    let problem = Problem::new(Network::try_new(graph, weights)?, file.steps)?
        .with_mask_graph(mask_graph)?
        .with_targets(file.targets)?
        .with_coalitions(file.coalition)?;
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
    let find = |v: usize| {
        let name = planned.label(v);
        graph.node(&name).ok_or(DesignError::NoSuchNode { name })
    };
    let place = (0..nodes).map(find).collect::<Result<Vec<usize>, _>>()?;
    let mut own = vec![Fraction::ZERO; nodes];
    for (&at, &variance) in place.iter().zip(&plan.nodes) {
        own[at] = variance;
    }
    let mask = |&((a, b), variance): &((usize, usize), Fraction)| {
        let (a, b) = (place[a], place[b]);
        ((a.min(b), a.max(b)), variance)
    };
    let masks = plan.masks.iter().map(mask).collect();
    Ok(NoisePlan { nodes: own, masks, fresh: Vec::new() })
}

fn refused(why: impl ToString) -> DesignError {
    DesignError::File(why.to_string())
}
