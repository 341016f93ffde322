//! Plans as text, JSON and CSV.

use super::super::input::Loaded;
use super::super::output::{Report, fields, write_csv, write_json};
use super::super::table::{aligned, counted};
use super::{Beside, PlanCommand};
use muffliato::prelude::*;
use muffliato::reference::decimal;
use muffliato_account::{OneMissing, deviation, rounded, rounded_up};
use muffliato_design::{Covering, Design, Ends, LocalNoise, NoisePlan, Problem, Stop, Targets};
use serde_json::{Value, json};
use std::io::Write;

/// Significant digits of sizes, which are rounded up.
const SIZE_DIGITS: u32 = 6;

/// Largest number of binding pairs in the text.
const SHOWN_PAIRS: usize = 5;

/// Largest number of binding pairs in JSON.
const LISTED_PAIRS: usize = 10;

/// Smallest part of the lower bound for which a pair is shown.
const LEAST_SHOWN: f64 = 0.01;

/// Uniform masks are recommended where a size for every draw saves less than this part.
const WORTH_IT: f64 = 0.02;

/// A plan for a graph.
pub struct Planned<'a> {
    pub asked: &'a PlanCommand,
    pub loaded: &'a Loaded,
    /// The noise of LDP.
    pub sigma: f64,
    pub problem: &'a Problem,
    pub plan: &'a NoisePlan,
}

/// A plan from the solver, with its proof and what it is compared with.
pub struct PlanReport<'a> {
    pub plan: &'a Planned<'a>,
    pub found: &'a Design,
    pub beside: &'a Beside,
    /// `true` if the time was too short for the requested gap.
    pub late: bool,
}

/// One node's part of a plan.
pub struct NodePart<'a> {
    pub plan: &'a Planned<'a>,
    pub node: usize,
}

impl Planned<'_> {
    /// Returns the noise of LDP and the target that it meets.
    pub fn noise(&self) -> LocalNoise {
        let PlanCommand { sensitivity, epsilon, delta, .. } = *self.asked;
        LocalNoise { sigma: self.sigma, sensitivity, epsilon, delta }
    }

    /// Returns the error of noise that is so many times a trusted aggregator's.
    pub fn error(&self, multiple: f64) -> f64 {
        let nodes = self.loaded.graph.nodes() as f64;
        multiple * self.problem.trusted_error() * self.sigma * self.sigma / (2.0 * nodes)
    }

    /// Returns the standard deviation of each node's noise.
    fn node_sizes(&self) -> impl Iterator<Item = f64> {
        self.plan.nodes.iter().map(|&x| deviation(self.sigma, x))
    }

    /// Returns the masks that are drawn, with their standard deviations.
    fn masks(&self) -> Vec<((usize, usize), f64)> {
        let drawn = self.plan.masks.iter().filter(|(_, variance)| !variance.is_zero());
        drawn.map(|(edge, variance)| (*edge, deviation(self.sigma, *variance))).collect()
    }

    /// Describes the graph and the target.
    pub fn introduction(&self, status: &str, whom: &str) -> String {
        let asked = self.asked;
        format!(
            "{}; {} weights, {}, {}.\n{status}\
             Target: ({}, {:e})-differential privacy for {whom}. LDP takes noise of standard deviation {}.\n\
             Errors are those of the noise alone, for each coordinate.\n\n",
            self.loaded.described(),
            asked.weights,
            counted(self.problem.steps(), "step"),
            asked.masks.mask_graph.described(),
            asked.epsilon,
            asked.delta,
            rounded_up(self.sigma),
        )
    }

    /// Describes the ranges of sizes.
    pub fn sizes_text(&self) -> String {
        let range = |sizes: &mut dyn Iterator<Item = f64>| {
            let (least, most) = sizes.fold((f64::INFINITY, 0.0_f64), |(least, most), size| {
                (least.min(size), most.max(size))
            });
            format!("{} to {}", rounded_up(least), rounded_up(most))
        };
        let nodes = range(&mut self.node_sizes());
        let masks = self.masks();
        let masks = match masks.len() {
            0 => "no masks.".into(),
            drawn => format!(
                "masks on {drawn} of {} from {}. --plan-for NODE prints a node's part, --plan-out FILE writes all.",
                counted(self.problem.mask_graph().edge_count(), "edge"),
                range(&mut masks.iter().map(|(_, size)| *size))
            ),
        };
        format!("\nStandard deviations: noise of nodes from {nodes}; {masks}")
    }

    /// Returns the fields of a plan as JSON, with others among them.
    pub fn fields(&self, others: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
        let label = |v: usize| self.loaded.graph.label(v);
        let nodes = self.node_sizes().enumerate();
        let nodes = nodes.map(|(v, sd)| json!({"node": label(v), "standard_deviation": sd}));
        let masks = self.masks().into_iter();
        let masks = masks.map(|((a, b), sd)| {
            json!({"adds": label(a), "subtracts": label(b), "standard_deviation": sd})
        });
        let mut fields = fields! {
            "graph": self.loaded.json(),
            "weights": self.asked.weights.to_string(),
            "steps": self.problem.steps(),
            "mask_graph": self.asked.masks.mask_graph.described(),
            "epsilon": self.asked.epsilon,
            "delta": self.asked.delta,
            "sensitivity": self.asked.sensitivity,
            "local_sigma": self.sigma,
            "trusted_error": self.error(1.0),
            "conditions": self.asked.conditions(),
        };
        fields.extend(others);
        fields.extend(fields! {
            "nodes": nodes.collect::<Vec<_>>(),
            "masks": masks.collect::<Vec<_>>(),
        });
        fields
    }

    /// Writes one line for each draw.
    pub fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let label = |v: usize| self.loaded.graph.label(v);
        let nodes = self.node_sizes().enumerate();
        let nodes = nodes.map(|(v, sd)| ["noise".into(), label(v), String::new(), sd.to_string()]);
        let masks = self.masks().into_iter();
        let masks = masks.map(|((a, b), sd)| ["mask".into(), label(a), label(b), sd.to_string()]);
        write_csv(out, "draw,adds,subtracts,standard_deviation", nodes.chain(masks))
    }
}

/// Formats a bound from below.
fn rounded_down(value: f64) -> String {
    let exact = BigRational::from_float(value);
    exact.map_or("0".into(), |exact| decimal::rounded_down(&exact, 3))
}

/// Formats the size of a draw.
fn size_text(size: f64) -> String {
    let exact = BigRational::from_float(size);
    exact.map_or("unknown".into(), |exact| decimal::rounded_up(&exact, SIZE_DIGITS))
}

/// Formats the gap in percent, rounded up.
fn percent(ends: Ends) -> String {
    rounded_up((100.0 * ends.gap()).next_up().next_up().max(0.0))
}

/// Describes what every plan on a mask graph costs at least.
pub fn covering_text(covering: &Covering) -> String {
    let blocks = match covering.leaf_blocks {
        0 => String::new(),
        count => format!(" The mask graph has {}.", counted(count, "leaf block")),
    };
    format!(
        "With any number of steps and masks of any size no plan on this mask graph costs less than {} times.{blocks}",
        decimal::rounded_down(&covering.total, 3),
    )
}

/// Returns what every plan on a mask graph costs at least as JSON.
pub fn covering_json(covering: &Covering) -> Value {
    json!({"over_trusted": covering.total.to_string(), "leaf_blocks": covering.leaf_blocks})
}

/// Says what is certified of a plan.
pub fn status(secrets: bool) -> &'static str {
    if secrets { "certified, judged by the masked bound" } else { "certified" }
}

/// Says how near a plan is to the best one.
pub fn gap_text(ends: Ends, secrets: bool) -> String {
    let (best, kind) = if secrets {
        (
            "plan for these weights, steps and mask graph",
            "plan whose losses are bounded in the same way (the masked bound)",
        )
    } else {
        ("plan without secrets for these weights and steps", "such plan")
    };
    format!(
        "The designed plan costs at most {} % more than the best {best}: no {kind} costs less than {} times a trusted aggregator.",
        percent(ends),
        rounded_down(ends.lower),
    )
}

/// Names the pairs that keep every plan from costing less.
pub fn binding_text(found: &Design, graph: &Graph) -> String {
    let binding = found.binding_pairs();
    if binding.first().is_none_or(|(.., part)| *part < LEAST_SHOWN) {
        return format!(
            "The lower bound rests on {}, none of which contributes 1 % of it.",
            counted(binding.len(), "pair")
        );
    }
    let shown = binding.iter().take(SHOWN_PAIRS).map(|(u, v, part)| {
        format!("{} towards {} ({:.0} %)", graph.label(*u), names(graph, v), 100.0 * part)
    });
    format!(
        "Pairs that keep every plan from costing less (their part of the lower bound): {}{}.",
        shown.collect::<Vec<_>>().join(", "),
        match binding.len().saturating_sub(SHOWN_PAIRS) {
            0 => String::new(),
            more => format!(", and {more} more"),
        }
    )
}

/// Returns the pairs with the largest parts of the lower bound as JSON.
pub fn binding_json(found: &Design, graph: &Graph) -> Vec<Value> {
    let all = found.binding_pairs().iter().take(LISTED_PAIRS);
    let one = |(source, observers, part): &(usize, Vec<usize>, f64)| {
        let observers: Vec<_> = observers.iter().map(|&v| graph.label(v)).collect();
        json!({"source": graph.label(*source), "observers": observers, "part": part})
    };
    all.map(one).collect()
}

/// Says what one more missing node costs.
pub fn missing_text(missing: &OneMissing, graph: &Graph) -> String {
    match missing {
        OneMissing::NotAsked(why) => {
            format!("The cost of one more missing node was not computed: {why}.")
        }
        OneMissing::Worst { within_target: true, .. } => {
            "If one more node is missing when noise is added, the target still holds.".into()
        }
        OneMissing::Worst { epsilon, source, observers, .. } => {
            let epsilon = match epsilon.is_finite() {
                true => format!("has an epsilon of up to {}", rounded_up(*epsilon)),
                false => "has no bound on its epsilon".into(),
            };
            format!(
                "If one more node is missing when noise is added, its noise is missing, too: the pair that exceeds its target most, {} towards {}, {epsilon}.",
                graph.label(*source),
                names(graph, observers),
            )
        }
    }
}

fn names(graph: &Graph, nodes: &[usize]) -> String {
    let names: Vec<_> = nodes.iter().map(|&v| graph.label(v)).collect();
    names.join(",")
}

/// Says what both ends of a plan on file prove.
pub fn described(problem: &Problem, ends: Ends, noise: Option<LocalNoise>) -> String {
    let trusted = problem.trusted_error();
    let targets = match problem.targets() {
        Targets::All(target) => format!("every source loses at most {} L", target.decimal()),
        Targets::ByDistance(_) => "every source loses at most its target by distance".into(),
        Targets::Pairs(pairs) => {
            format!("each of {} loses at most its target", counted(pairs.len(), "pair"))
        }
    };
    let epsilon = noise.map_or(String::new(), |noise| {
        format!(
            " At sigma = {} and sensitivity {} a loss of 1 L is ({}, {:e})-differential privacy.",
            rounded_up(noise.sigma),
            noise.sensitivity,
            noise.epsilon,
            noise.delta
        )
    });
    format!(
        "on {} with {} and {}, {targets} towards {}, with Gaussian noise (real numbers) and nobody missing.{epsilon} The plan's error is at most {} times that of a trusted aggregator; no plan for these weights, steps, {} has less than {} times.",
        counted(problem.network().graph().nodes(), "node"),
        counted(problem.steps(), "step"),
        if problem.secrets() {
            counted(problem.mask_graph().edge_count(), "mask")
        } else {
            "fresh noise".into()
        },
        observers(problem.coalition()),
        rounded_up((ends.upper / trusted).next_up()),
        if problem.secrets() {
            "masks and targets that meets them by the masked bound"
        } else {
            "targets and no secrets"
        },
        rounded_down((ends.lower / trusted).next_down()),
    )
}

fn observers(coalition: usize) -> String {
    match coalition {
        1 => "every single observer".into(),
        size => format!("every coalition of {size} nodes"),
    }
}

impl PlanCommand {
    /// Names the pairs that the target covers.
    fn whom(&self, problem: &Problem) -> String {
        match (&self.targets, problem.targets()) {
            (Some(path), Targets::Pairs(pairs)) => format!(
                "the epsilons of {} for {}, no target for others",
                path.display(),
                counted(pairs.len(), "pair")
            ),
            _ => self.protect.to_string(),
        }
    }

    pub(super) fn conditions(&self) -> String {
        let missing = match self.missing {
            0 => "all nodes present when noise is injected".into(),
            count => format!("at most {} missing when noise is injected", counted(count, "node")),
        };
        format!(
            "towards {}, honest but curious; keys secret; {missing}; Gaussian noise in real numbers, not on a grid; one run",
            observers(self.collude)
        )
    }
}

impl PlanReport<'_> {
    fn multiples(&self) -> Ends {
        self.found.multiples_of_trusted()
    }

    /// Says why the requested gap was not reached; `None` if it was.
    fn short_of_the_gap(&self) -> Option<String> {
        let why = match self.found.stop() {
            _ if 100.0 * self.found.ends().gap() <= self.plan.asked.gap => return None,
            Stop::Deadline => {
                let gap = self.plan.asked.gap;
                return Some(format!("Partial: the time was up before the gap was {gap} %."));
            }
            Stop::Reached => "certifying the plan took more of it than expected",
            Stop::Iterations => "the solver did not converge",
            Stop::Singular => "the solver met a matrix that it could not factor",
        };
        Some(format!("The gap asked for, {} %, was not reached: {why}.", self.plan.asked.gap))
    }

    /// Returns the lower bound of the blocks; `None` where it does not hold.
    fn blocks(&self) -> Option<Covering> {
        let problem = self.plan.problem;
        let all = matches!(problem.targets(), Targets::All(_));
        all.then(|| Covering::of(problem.mask_graph()))
    }

    fn rows(&self) -> Vec<(String, f64)> {
        let mut rows = vec![
            ("trusted aggregator".into(), 1.0),
            ("designed plan".into(), self.multiples().upper),
        ];
        if let Some(uniform) = &self.beside.uniform {
            let name = format!("uniform masks, kappa {}", uniform.kappa);
            rows.push((name, uniform.multiple));
        }
        rows.push(("local (LDP)".into(), self.beside.local));
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        rows
    }

    fn is_worth_it(&self) -> bool {
        self.multiples().upper < self.beside.local
    }

    fn recommendation(&self) -> String {
        let (upper, local) = (self.multiples().upper, self.beside.local);
        let partners = self.plan.asked.masks.mask_graph.partners();
        let uniform = self.beside.uniform.as_ref();
        match uniform.filter(|uniform| uniform.multiple * (1.0 - WORTH_IT) <= upper) {
            _ if !self.is_worth_it() => {
                "use LDP: it needs no keys, and nothing here has a smaller error.".into()
            }
            Some(uniform) if uniform.multiple < local => format!(
                "use noise of standard deviation {} at all nodes and masks of {} times that: every {partners} need a shared key, and the error is {} times smaller than LDP's.",
                size_text(uniform.noise),
                uniform.kappa,
                rounded(local / uniform.multiple),
            ),
            _ => format!(
                "use this plan: every {partners} need a shared key and every draw a size of its own, and the error is {} times smaller than LDP's.",
                rounded(local / upper),
            ),
        }
    }
}

impl Report for PlanReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (plan, asked, ends) = (self.plan, self.plan.asked, self.multiples());
        let graph = &plan.loaded.graph;
        write!(out, "{}", plan.introduction("", &asked.whom(plan.problem)))?;
        let row = |(name, multiple): &(String, f64)| {
            // The designed plan's error is certified; the others are there to be compared with it.
            let shown = match *multiple == ends.upper {
                true => rounded_up,
                false => rounded,
            };
            vec![name.clone(), shown(*multiple), shown(plan.error(*multiple))]
        };
        let rows: Vec<_> = self.rows().iter().map(row).collect();
        write!(out, "{}", aligned("protocol,over trusted,error", &rows))?;
        writeln!(out, "\n{}", gap_text(ends, true))?;
        if let Some(short) = self.short_of_the_gap() {
            writeln!(out, "{short}")?;
        }
        if let Some(blocks) = self.blocks() {
            writeln!(out, "{}", covering_text(&blocks))?;
        }
        writeln!(out, "{}", plan.sizes_text())?;
        writeln!(out, "{}", binding_text(self.found, graph))?;
        write!(out, "{}", missing_text(&self.beside.missing, graph))?;
        match self.beside.missing {
            OneMissing::Worst { within_target: false, .. } => {
                writeln!(out, " --missing {} finds a plan for that.", asked.missing + 1)?;
            }
            _ => writeln!(out)?,
        }
        if asked.missing > 0 {
            writeln!(out, "Those who observe together here are observers and missing nodes.")?;
        }
        writeln!(out, "\nThe target holds {}.", asked.conditions())?;
        if !self.is_worth_it() {
            writeln!(out, "Warning: no plan that was found is better than LDP.")?;
        }
        writeln!(out, "Recommendation: {}", self.recommendation())?;
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (plan, asked) = (self.plan, self.plan.asked);
        let label = |v: usize| plan.loaded.graph.label(v);
        let labels = |nodes: &[usize]| nodes.iter().map(|&v| label(v)).collect::<Vec<_>>();
        let ends = self.multiples();
        let missing = match &self.beside.missing {
            OneMissing::NotAsked(why) => json!({
                "not_known": why,
                "within_target": null,
                "epsilon": null,
                "source": null,
                "observers": null,
            }),
            OneMissing::Worst { within_target, epsilon, source, observers } => json!({
                "not_known": null,
                "within_target": within_target,
                "epsilon": epsilon.is_finite().then_some(*epsilon),
                "source": label(*source),
                "observers": labels(observers),
            }),
        };
        let fields = fields! {
            "protect": asked.whom(plan.problem),
            "collude": asked.collude,
            "missing": asked.missing,
            "designed": json!({
                "lower": ends.lower,
                "upper": ends.upper,
                "gap_percent": 100.0 * ends.gap(),
                "error": plan.error(ends.upper),
                "status": status(true),
            }),
            "uniform": self.beside.uniform.as_ref().map(|uniform| json!({
                "standard_deviation": uniform.noise,
                "kappa": uniform.kappa,
                "over_trusted": uniform.multiple,
                "error": plan.error(uniform.multiple),
            })),
            "local": json!({"over_trusted": self.beside.local, "error": plan.error(self.beside.local)}),
            "block_bound": self.blocks().as_ref().map(covering_json),
            "one_more_missing": missing,
            "recommendation": self.recommendation(),
            "partial": self.late,
            "short_of_the_gap": self.short_of_the_gap(),
            "binding_pairs": binding_json(self.found, &plan.loaded.graph),
        };
        write_json(out, &plan.fields(fields))
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.plan.csv(out)
    }
}

impl NodePart<'_> {
    /// Returns the masks at the node: the other end, `true` if the node adds it, and its standard deviation.
    fn masks(&self) -> Vec<(String, bool, f64)> {
        let masks = self.plan.masks().into_iter();
        let at_node = masks.filter_map(|((a, b), sd)| match self.node {
            node if node == a => Some((b, true, sd)),
            node if node == b => Some((a, false, sd)),
            _ => None,
        });
        let label = |v: usize| self.plan.loaded.graph.label(v);
        at_node.map(|(v, adds, sd)| (label(v), adds, sd)).collect()
    }

    fn name(&self) -> String {
        self.plan.loaded.graph.label(self.node)
    }

    fn size(&self) -> f64 {
        deviation(self.plan.sigma, self.plan.plan.nodes[self.node])
    }

    fn neighbours(&self) -> Vec<String> {
        let graph = &self.plan.loaded.graph;
        let neighbours = graph.neighbours(self.node);
        neighbours.map(|v| graph.label(v)).collect()
    }
}

impl Report for NodePart<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "The part of node {} in the plan for {}, {}, at ({}, {:e})-differential privacy.\n\
             Noise of its own: standard deviation {}.\n\
             Neighbours that it gossips with: {}.",
            self.name(),
            self.plan.loaded.name,
            counted(self.plan.problem.steps(), "step"),
            self.plan.asked.epsilon,
            self.plan.asked.delta,
            size_text(self.size()),
            self.neighbours().join(", "),
        )?;
        let masks = self.masks();
        match masks.len() {
            0 => writeln!(out, "It shares no masks.")?,
            _ => {
                let sign = |adds: bool| if adds { "adds" } else { "subtracts" };
                let row = |(name, adds, sd): &(String, bool, f64)| {
                    vec![name.clone(), sign(*adds).into(), size_text(*sd)]
                };
                let rows: Vec<_> = masks.iter().map(row).collect();
                let head = "key shared with,this node,standard deviation of the mask";
                write!(out, "\n{}", aligned(head, &rows))?;
            }
        }
        Ok(writeln!(
            out,
            "\nSizes are rounded up. The target holds {}.",
            self.plan.asked.conditions()
        )?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let masks = self.masks().into_iter();
        let masks: Vec<Value> = masks
            .map(|(name, adds, sd)| json!({"with": name, "adds": adds, "standard_deviation": sd}))
            .collect();
        let fields = fields! {
            "node": self.name(),
            "epsilon": self.plan.asked.epsilon,
            "delta": self.plan.asked.delta,
            "steps": self.plan.problem.steps(),
            "standard_deviation": self.size(),
            "neighbours": self.neighbours(),
            "conditions": self.plan.asked.conditions(),
            "masks": masks,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let own = ["noise".into(), String::new(), self.size().to_string()];
        let masks = self.masks().into_iter().map(|(name, adds, sd)| {
            let sign = if adds { "mask added" } else { "mask subtracted" };
            [sign.into(), name, sd.to_string()]
        });
        let rows = std::iter::once(own).chain(masks);
        write_csv(out, "draw,with,standard_deviation", rows)
    }
}
