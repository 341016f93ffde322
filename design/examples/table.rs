//! Prints for each graph and number of steps the error of LDP, of uniform masks, and of the best plan from below and from above, in multiples of a trusted aggregator's error (1), and the seconds taken.
//! Arguments: graphs such as `karate:80`, `grid:5x5:2000` or `edges.txt:200` (its giant component); without any, the usual ones.

use muffliato_design::{Costs, NoisePlan, Options, Problem, design, verify};
use muffliato_model::{Fraction, Graph, GraphSpec, Network};
use std::{
    error::Error,
    path::Path,
    time::{Duration, Instant},
};

const USUAL: [&str; 9] = [
    "karate:80",
    "karate:1000",
    "florentine:100",
    "florentine:2000",
    "grid:5x5:1000",
    "hypercube:4:200",
    "ring:12:400",
    "star:10:400",
    "path:8:400",
];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let usual = USUAL.map(String::from).to_vec();
    println!(
        "graph, steps | nodes | masks | LDP | uniform | leaf blocks | lower | upper | gap % | one missing | potentials | seconds | verify"
    );
    for text in if given.is_empty() { usual } else { given } {
        let (name, steps) = text.rsplit_once(':').ok_or("give GRAPH:STEPS")?;
        let graph = read(name)?;
        let problem = Problem::new(Network::metropolis(graph)?, steps.parse()?)?;
        let start = Instant::now();
        let deadline = Some(start + Duration::from_secs(600));
        let found = design(
            &problem,
            &Options {
                gap: 0.01,
                deadline,
            },
            |_| {},
        )?;
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let json = found.to_json(&problem)?;
        assert_eq!(verify(&json)?, found.ends());
        let verified = start.elapsed().as_secs_f64();
        let missing = match problem.mask_graph().nodes() < 100 {
            true => problem
                .worst_loss_if_one_is_missing(found.plan())?
                .map_or(0.0, |worst| worst.0),
            false => f64::NAN,
        };
        let costs = problem.costs()?;
        let (ldp, uniform) = uniform(&problem, &costs)?;
        let ends = found.multiples_of_trusted();
        let covering = muffliato_design::Covering::of(problem.mask_graph());
        println!(
            "{name}, {steps} | {} | {} | {ldp:.2} | {uniform:.3} | {} | {:.4} | {:.4} | {:.2} | {missing:.2} | {} | {seconds:.2} | {verified:.2}",
            problem.mask_graph().nodes(),
            problem.mask_graph().edge_count(),
            covering.leaf_blocks,
            ends.lower,
            ends.upper,
            100.0 * ends.gap(),
            found.proof().potentials.len(),
        );
    }
    Ok(())
}

fn read(name: &str) -> Result<Graph, Box<dyn Error>> {
    match Path::new(name).exists() {
        true => Ok(muffliato_io::read_file(Path::new(name))?
            .graph
            .giant_component()?),
        false => Ok(name.parse::<GraphSpec>()?.build()?),
    }
}

/// The error of one size for all nodes: without masks, and with the best size for all masks on a grid of sizes. By homogeneity the largest loss is the factor that is missing.
fn uniform(problem: &Problem, costs: &Costs) -> Result<(f64, f64), Box<dyn Error>> {
    let error = |kappa: &str| -> Result<f64, Box<dyn Error>> {
        let kappa: Fraction = kappa.parse()?;
        let plan = NoisePlan {
            nodes: vec![Fraction::ONE; problem.mask_graph().nodes()],
            masks: problem
                .mask_graph()
                .edges()
                .map(|edge| (edge, kappa))
                .collect(),
        };
        let worst = problem.worst_loss(&plan)?.map_or(0.0, |worst| worst.0);
        Ok(worst * problem.error(costs, &plan) / problem.trusted_error())
    };
    let mut best = f64::INFINITY;
    for power in -8..=24 {
        best = best.min(error(&2_f64.powi(power).to_string())?);
    }
    Ok((error("0")?, best))
}
