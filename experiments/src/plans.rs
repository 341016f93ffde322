//! Beyond the paper: a size for every draw against one size for all, with a bound from below.

use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::refresh::{DELTA, EPSILON};
use super::setting::{Setting, short};
use muffliato::plot::{Axis, BarChart};
use muffliato::prelude::{Fraction, Graph, GraphSpec, Network};
use muffliato_design::{Covering, Options, Problem, design, verify};
use muffliato_model::graph6::from_graph6;
use num_traits::ToPrimitive;
use std::time::{Duration, Instant};

const HEAD: &str = "graph,nodes,steps,mask_edges,local,uniform,designed_lower,designed_upper,gap_percent,all_steps_lower,seconds";

/// Co-appearances in "Les Miserables", 77 characters: D. E. Knuth, "The Stanford GraphBase" (1993).
const LES_MISERABLES: &str = "~?@LjPAA@?OB_?@?A?A?@??O?????G??W??[??N??Bw??^_@P~?A?@?A?@_@?_W?O?N?A??C?G?CO???G??O?Gc?G????A??C??O??G?@???`?A??@B?A??@B_@???`w???A??????O?????B??????E??G?O?@_???G??G??????A?????????????????@?A??S??A?A??G???????O???G?O?@???A??????C?C????????O???@???A_?OGB??gEc???????@@??????@?_O?O??_??CA_???????OJ????????_B????????_V_??????_OJw???????CA~?A??????_V{???????A@^w???????C?^w?????????_??G?BO?CA????A??s?@?_??G?O?E_?G??O@_@??I??_O??F?A??K???????????????_???????????O???G???A??GC??@w????????_AN_?";

const RIVAL_HEAD: &str = "graph,steps,solver,pairs,rounds,error,seconds";

/// The same programmes by a general solver, measured once with `experiments/rivals/plan_sdp.py` on one core of a machine that others used, too: Clarabel 0.11.1, pairs added while they are violated or (--all) every pair, and
/// processor time.
const RIVALS: [[&str; 7]; 4] = [
    ["florentine", "100", "clarabel (SDP)", "39", "3", "4.0028", "0.5"],
    ["karate", "80", "clarabel (SDP)", "181", "10", "3.2540", "38.7"],
    ["florentine", "100", "clarabel (SDP)", "210", "1", "4.0031", "1.1"],
    ["karate", "80", "clarabel (SDP)", "1122", "1", "3.2546", "69.8"],
];

/// Time for one graph, after which the best plan so far is shown with its gap.
const LONGEST: Duration = Duration::from_secs(300);

/// Errors in multiples of a trusted aggregator's.
struct Errors {
    local: f64,
    uniform: f64,
    upper: f64,
}

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let graphs: &[(&str, usize)] = setting.choose(
        &[
            ("karate", 80),
            ("florentine", 100),
            ("path:8", 400),
            ("ring:12", 400),
            ("star:10", 400),
            ("grid:5x5", 400),
            ("hypercube:4", 200),
            ("erdos-renyi:30:q=0.2:seed=1", 100),
        ][..],
        &[("karate", 80), ("florentine", 20), ("grid:3x3", 20)],
    );
    let mut sheet = Sheet::new("plans", HEAD);
    let mut bars = vec![("a trusted aggregator".to_string(), 1.0)];
    let mut gaps = Vec::new();
    let mut add = |name: &str, graph: Graph, steps, masks: Option<Graph>| {
        setting.session.note(&format!("{name}, {steps} steps"));
        let (cells, errors, gap) = compare(name, graph, steps, masks)?;
        sheet.push(cells);
        gaps.push(gap);
        anyhow::Ok(errors)
    };
    let karate = "karate".parse::<GraphSpec>()?.build()?;
    let shared = "regular:34:d=8:seed=1".parse::<GraphSpec>()?.build()?;
    let keys = add("karate; keys on a random 8-regular graph", karate, 80, Some(shared))?;
    bars.push(("a plan, keys shared beyond friends".into(), keys.upper));
    for &(spec, steps) in graphs {
        let errors = add(spec, spec.parse::<GraphSpec>()?.build()?, steps, None)?;
        if spec == "karate" {
            bars.push(("a plan, keys shared by friends".into(), errors.upper));
            bars.push(("one size for all masks".into(), errors.uniform));
            bars.push(("local differential privacy".into(), errors.local));
        }
    }
    if !setting.quick {
        let edges = (1..15).map(|child| ((child - 1) / 2, child));
        add("binary tree of 15 nodes", Graph::try_new(15, edges)?, 400, None)?;
        add("Les Miserables", from_graph6(LES_MISERABLES)?, 200, None)?;
        for number in ["3980", "698", "414", "686", "348"] {
            if let Some(graph) = setting.data.ego_network(number)? {
                add(&format!("Facebook {number}"), graph, 200, None)?;
            }
        }
    }
    let mut rivals = Sheet::new("plans_rival", RIVAL_HEAD);
    RIVALS.iter().for_each(|row| rivals.push(row.map(String::from).to_vec()));
    let [.., rival_error, rival_seconds] = RIVALS[1];
    let (plan, local) = (bars[2].1, bars[4].1);
    let picture = BarChart {
        title: format!("Karate club, epsilon {EPSILON} towards every member"),
        x: Axis::linear("error, in multiples of a trusted aggregator's"),
        bars,
    };
    let largest = gaps.into_iter().fold(0.0, f64::max);
    Ok(Exhibit {
        title: "Beyond the paper: the best noise for a graph".into(),
        method: format!(
            "({EPSILON}, {DELTA:e})-privacy of every node towards every other, by certified losses; \
             Metropolis weights. A plan gives each node's noise and each edge's mask a size of its \
             own. Errors are in multiples of a trusted aggregator's. `designed_upper` is the error \
             of the plan that was found, `designed_lower` a bound that no plan for these weights, \
             steps and masks goes below, judged by the masked bound; both are checked by `muffliato \
             verify`. `all_steps_lower` holds for any number of steps. `uniform` has the best size \
             for all masks, of powers of 2 as variance. `plans_rival.csv` has the same programmes by a \
             general solver, measured once; `experiments/rivals/plan_sdp.py` measures again."
        ),
        sheets: vec![sheet, rivals],
        plates: vec![Plate::new(
            "plans",
            "What the same guarantee costs on the karate club",
            picture,
        )],
        findings: vec![
            Finding::measured(
                "A size for every draw:",
                format!(
                    "on the karate club a plan has {} times the error of a trusted aggregator, local \
                 differential privacy {} times. No plan of the table is more than {} % above the \
                 best of its kind.",
                    hundredths(plan, f64::ceil),
                    short(local),
                    short(largest)
                ),
            ),
            Finding::measured(
                "A general solver:",
                format!(
                    "Clarabel, a semidefinite programme with pairs added as they are violated, finds \
                 {rival_error} on the karate club in {rival_seconds} s of processor time, without a \
                 certificate: within the two ends."
                ),
            ),
        ],
    })
}

/// Designs a plan, verifies it, and compares it with one size for all.
fn compare(
    name: &str,
    graph: Graph,
    steps: usize,
    masks: Option<Graph>,
) -> anyhow::Result<(Vec<String>, Errors, f64)> {
    let mut problem = Problem::new(Network::metropolis(graph)?, steps)?;
    if let Some(masks) = masks {
        problem = problem.with_mask_graph(masks)?;
    }
    let start = Instant::now();
    let options = Options { gap: 0.01, deadline: Some(start + LONGEST) };
    let found = design(&problem, &options, |_| {})?;
    let seconds = start.elapsed().as_secs_f64();
    let ends = verify(&found.to_json(&problem)?)?;
    anyhow::ensure!(ends == found.ends(), "{name}: the plan on file has other ends");
    let (local, uniform) = uniform_errors(&problem)?;
    let (ends, nodes) = (found.multiples_of_trusted(), problem.mask_graph().nodes());
    let covering = Covering::of(problem.mask_graph()).total;
    let covering = covering.to_f64().unwrap_or(f64::NAN);
    let gap = 100.0 * ends.gap();
    let numbers = [
        short(local),
        short(uniform),
        hundredths(ends.lower, f64::floor),
        hundredths(ends.upper, f64::ceil),
        short(gap),
        hundredths(covering, f64::floor),
        short(seconds),
    ];
    let cells = row![name, nodes, steps, problem.mask_graph().edge_count(); numbers];
    Ok((cells, Errors { local, uniform, upper: ends.upper }, gap))
}

/// Formats an end of an interval, rounded outwards.
fn hundredths(end: f64, round: impl Fn(f64) -> f64) -> String {
    format!("{:.2}", round(end * 100.0) / 100.0)
}

/// Returns the error of one size for all nodes, without masks and with the best size for all masks.
/// Losses are inverse to the variances, so the largest loss is the factor that the variances lack.
fn uniform_errors(problem: &Problem) -> anyhow::Result<(f64, f64)> {
    let costs = problem.costs()?;
    let error = |mask: Fraction| {
        let (worst, error) = problem.uniform(&costs, mask)?;
        anyhow::Ok(worst * error / problem.trusted_error())
    };
    let sizes = (0..=24).map(|power| Fraction::try_new(1 << power, 1 << 8));
    let errors = sizes.map(|size| error(size?)).collect::<anyhow::Result<Vec<f64>>>()?;
    Ok((error(Fraction::ZERO)?, errors.into_iter().fold(f64::INFINITY, f64::min)))
}
