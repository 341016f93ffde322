//! Plans as text, JSON and CSV.

use super::super::output::{Report, fields, write_csv, write_json};
use super::super::table::{aligned, counted};
use super::{PlanRequest, Uniform};
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

/// Draws of one size are recommended where a size for every draw saves less than this part.
const WORTH_IT: f64 = 0.02;

/// A plan for a graph.
pub struct Planned<'a> {
    pub asked: &'a PlanRequest<'a>,
    /// The noise of LDP at the epsilon of the target, the unit of the plan.
    pub sigma: f64,
    pub problem: &'a Problem,
    pub plan: &'a NoisePlan,
}

/// What is printed about a plan.
pub struct PlanReport<'a> {
    pub plan: &'a Planned<'a>,
    /// What is printed below the description of the graph.
    pub status: String,
    /// Protocols, their errors in multiples of a trusted aggregator's, and whether these are
    /// certified.
    pub rows: Vec<(String, f64, bool)>,
    /// What is printed below the table.
    pub remarks: Vec<String>,
    /// What JSON has beside the plan.
    pub fields: Vec<(&'static str, Value)>,
}

/// One node's part of a plan.
pub struct NodePart<'a> {
    pub plan: &'a Planned<'a>,
    pub node: usize,
}

/// A draw of a plan.
struct Draw {
    /// `NOISE`, `MASK` or `FRESH`.
    kind: &'static str,
    /// The node that draws it, or that adds the mask.
    adds: usize,
    /// The node that subtracts the mask.
    subtracts: Option<usize>,
    /// Its standard deviation, rounded up.
    size: f64,
}

const NOISE: &str = "noise";
const MASK: &str = "mask";
/// Noise that is drawn afresh at every later step.
const FRESH: &str = "fresh noise";

impl Planned<'_> {
    /// Returns the error of noise that is so many times a trusted aggregator's.
    pub fn error(&self, multiple: f64) -> f64 {
        let nodes = self.problem.mask_graph().nodes() as f64;
        multiple * self.problem.trusted_error() * self.sigma * self.sigma / (2.0 * nodes)
    }

    /// Returns the noise with which LDP meets the strictest target, rounded up.
    fn local_sigma(&self) -> f64 {
        match self.problem.least_target() {
            1.0 => self.sigma,
            least => (self.sigma * (1.0 / least).next_up().sqrt().next_up()).next_up(),
        }
    }

    fn label(&self, node: usize) -> String {
        self.asked.loaded.graph.label(node)
    }

    /// Returns the draws: noise of nodes, masks that are drawn, fresh noise.
    fn draws(&self) -> Vec<Draw> {
        let NoisePlan { nodes, masks, fresh } = self.plan;
        let draw = |kind, adds, subtracts, variance| Draw {
            kind,
            adds,
            subtracts,
            size: deviation(self.sigma, variance),
        };
        let own = nodes.iter().enumerate().map(|(v, &x)| draw(NOISE, v, None, x));
        let drawn = masks.iter().filter(|(_, variance)| !variance.is_zero());
        let masks = drawn.map(|&((a, b), x)| draw(MASK, a, Some(b), x));
        let fresh = fresh.iter().enumerate().map(|(v, &x)| draw(FRESH, v, None, x));
        own.chain(masks).chain(fresh).collect()
    }

    /// Describes who shares secrets.
    fn masks_text(&self) -> String {
        match self.problem.secrets() {
            true => self.asked.target.masks.mask_graph.described(),
            false => "no shared secrets".into(),
        }
    }

    /// Says what a plan takes.
    pub fn needs(&self) -> String {
        match self.problem.secrets() {
            true => {
                format!("every {} need a shared key", self.asked.target.masks.mask_graph.partners())
            }
            false => "it needs no keys".into(),
        }
    }

    /// Describes the graph and the target.
    fn introduction(&self, status: &str) -> String {
        let target = self.asked.target;
        format!(
            "{}; {} weights, {}, {}.\n{status}\
             Target: ({}, {:e})-differential privacy for {}. LDP takes noise of standard deviation {}.\n\
             Errors are those of the noise alone, for each coordinate.\n\n",
            self.asked.loaded.described(),
            self.asked.gossip.weights,
            counted(self.problem.steps(), "step"),
            self.masks_text(),
            target.epsilon,
            target.delta,
            self.whom(),
            rounded_up(self.local_sigma()),
        )
    }

    /// Names the pairs that the target covers.
    fn whom(&self) -> String {
        let target = self.asked.target;
        let mut text = match (&target.targets, self.problem.targets()) {
            (Some(path), Targets::Pairs(pairs)) => format!(
                "the epsilons of {} for {}, no target for others",
                path.display(),
                counted(pairs.len(), "pair")
            ),
            _ => target.protect.to_string(),
        };
        if let Some(epsilon) = target.neighbour_epsilon {
            text += &format!(", and an epsilon of {epsilon} for neighbours");
        }
        if target.runs > 1 {
            text += &format!(", in {} runs together", target.runs);
        }
        text
    }

    /// Describes the ranges of sizes.
    pub fn sizes_text(&self) -> String {
        let draws = self.draws();
        let of = |kind: &'static str| draws.iter().filter(move |draw| draw.kind == kind);
        let range = |kind: &'static str| {
            let sizes = || of(kind).map(|draw| draw.size);
            let (least, most) =
                (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
            format!("{} to {}", rounded_up(least), rounded_up(most))
        };
        let others = match of(MASK).count() {
            _ if !self.problem.secrets() => {
                format!("fresh noise at each later step from {}", range(FRESH))
            }
            0 => "no masks".into(),
            drawn => format!(
                "masks on {drawn} of {} from {}",
                counted(self.problem.mask_graph().edge_count(), "edge"),
                range(MASK)
            ),
        };
        format!(
            "\nStandard deviations: noise of nodes from {}; {others}. --plan-for NODE prints a node's part, --plan-out FILE writes all.",
            range(NOISE)
        )
    }

    /// Says under which conditions the target holds.
    pub fn conditions(&self) -> String {
        let target = self.asked.target;
        let keys = if self.problem.secrets() { " keys secret;" } else { "" };
        let missing = match target.missing {
            0 => "all nodes present when noise is injected".into(),
            count => format!("at most {} missing when noise is injected", counted(count, "node")),
        };
        format!(
            "towards {}, honest but curious;{keys} {missing}; Gaussian noise in real numbers, not on a grid; {}",
            observers(target.observers()),
            match target.runs {
                1 => "one run".into(),
                runs => format!("{runs} runs together"),
            }
        )
    }

    /// Returns the fields of a plan as JSON, with others among them.
    fn fields(&self, others: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
        let size = |variance: Fraction| deviation(self.sigma, variance);
        let nodes = self.plan.nodes.iter().enumerate().map(|(v, &variance)| {
            json!({
                "node": self.label(v),
                "standard_deviation": size(variance),
                "fresh_standard_deviation": self.plan.fresh.get(v).map(|&fresh| size(fresh)),
            })
        });
        let masks = self.draws().into_iter().filter_map(|draw| {
            let (adds, subtracts) = (self.label(draw.adds), self.label(draw.subtracts?));
            Some(json!({"adds": adds, "subtracts": subtracts, "standard_deviation": draw.size}))
        });
        let target = self.asked.target;
        let mut fields = fields! {
            "graph": self.asked.loaded.json(),
            "weights": self.asked.gossip.weights.to_string(),
            "steps": self.problem.steps(),
            "mask_graph": self.masks_text(),
            "epsilon": target.epsilon,
            "delta": target.delta,
            "sensitivity": target.sensitivity,
            "runs": target.runs,
            "protect": self.whom(),
            "local_sigma": self.local_sigma(),
            "trusted_error": self.error(1.0),
            "conditions": self.conditions(),
        };
        fields.extend(others);
        fields.extend(fields! {
            "nodes": nodes.collect::<Vec<_>>(),
            "masks": masks.collect::<Vec<_>>(),
        });
        fields
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
    let shown = binding.iter().take(SHOWN_PAIRS).filter(|(.., part)| *part >= LEAST_SHOWN);
    let shown: Vec<String> = shown
        .map(|(u, v, part)| {
            format!("{} towards {} ({:.0} %)", graph.label(*u), names(graph, v), 100.0 * part)
        })
        .collect();
    format!(
        "Pairs that keep every plan from costing less (their part of the lower bound): {}{}.",
        shown.join(", "),
        match binding.len() - shown.len() {
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

/// Returns what one more missing node costs as JSON.
fn missing_json(missing: &OneMissing, graph: &Graph) -> Value {
    let (not_known, within_target, epsilon, pair) = match missing {
        OneMissing::NotAsked(why) => (Some(why), None, None, None),
        OneMissing::Worst { within_target, epsilon, source, observers } => {
            let epsilon = epsilon.is_finite().then_some(epsilon);
            (None, Some(within_target), epsilon, Some((source, observers)))
        }
    };
    let label = |&v: &usize| graph.label(v);
    json!({
        "not_known": not_known,
        "within_target": within_target,
        "epsilon": epsilon,
        "source": pair.map(|(source, _)| label(source)),
        "observers": pair.map(|(_, observers)| observers.iter().map(label).collect::<Vec<_>>()),
    })
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

impl<'a> PlanReport<'a> {
    /// Describes a plan of the solver, beside uniform draws, LDP and what a missing node costs.
    pub(super) fn solved(
        plan: &'a Planned<'a>,
        found: &Design,
        (uniform, local, missing): (Option<Uniform>, f64, OneMissing),
        late: bool,
    ) -> Self {
        let (problem, target) = (plan.problem, plan.asked.target);
        let graph = &plan.asked.loaded.graph;
        let (ends, secrets) = (found.multiples_of_trusted(), problem.secrets());
        let others = if secrets { ("masks", "kappa") } else { ("fresh noise", "tau") };
        let mut rows =
            vec![("designed plan".into(), ends.upper, true), ("local (LDP)".into(), local, false)];
        rows.extend(uniform.as_ref().map(|uniform| {
            let name = format!("uniform {}, {} {}", others.0, others.1, uniform.others);
            (name, uniform.multiple, false)
        }));
        let short = short_of_the_gap(found, target.gap);
        let all = matches!(problem.targets(), Targets::All(_)) && secrets;
        let blocks = all.then(|| Covering::of(problem.mask_graph()));
        let mut missing_text = missing_text(&missing, graph);
        if let OneMissing::Worst { within_target: false, .. } = missing {
            missing_text += &format!(" --missing {} finds a plan for that.", target.missing + 1);
        }
        let mut remarks = vec![format!("\n{}", gap_text(ends, secrets))];
        remarks.extend(short.clone());
        remarks.extend(blocks.as_ref().map(covering_text));
        remarks.extend([plan.sizes_text(), binding_text(found, graph), missing_text]);
        if target.missing > 0 {
            let who = "Those who observe together here are observers and missing nodes.";
            remarks.push(who.into());
        }
        remarks.push(format!("\nThe target holds {}.", plan.conditions()));
        let recommendation = match uniform.as_ref() {
            _ if ends.upper >= local => {
                remarks.push("Warning: no plan that was found is better than LDP.".into());
                "use LDP: it needs no keys, and nothing here has a smaller error.".into()
            }
            Some(uniform)
                if uniform.multiple * (1.0 - WORTH_IT) <= ends.upper
                    && uniform.multiple < local =>
            {
                format!(
                    "use noise of standard deviation {} at all nodes and {} of {} times that: {}, and the error is {} times smaller than LDP's.",
                    size_text(uniform.noise),
                    others.0,
                    uniform.others,
                    plan.needs(),
                    rounded(local / uniform.multiple),
                )
            }
            _ => format!(
                "use this plan: {}{} a size of its own, and the error is {} times smaller than LDP's.",
                plan.needs(),
                if secrets { " and every draw" } else { ", every draw has" },
                rounded(local / ends.upper),
            ),
        };
        remarks.push(format!("Recommendation: {recommendation}"));
        let fields = fields! {
            "neighbour_epsilon": target.neighbour_epsilon,
            "collude": target.observers(),
            "missing": target.missing,
            "designed": json!({
                "lower": ends.lower,
                "upper": ends.upper,
                "gap_percent": 100.0 * ends.gap(),
                "error": plan.error(ends.upper),
                "status": status(secrets),
            }),
            "uniform": uniform.map(|uniform| json!({
                "standard_deviation": uniform.noise,
                "kappa": secrets.then_some(uniform.others),
                "tau": (!secrets).then_some(uniform.others),
                "over_trusted": uniform.multiple,
                "error": plan.error(uniform.multiple),
            })),
            "local": json!({"over_trusted": local, "error": plan.error(local)}),
            "block_bound": blocks.as_ref().map(covering_json),
            "one_more_missing": missing_json(&missing, graph),
            "recommendation": recommendation,
            "partial": late,
            "short_of_the_gap": short,
            "binding_pairs": binding_json(found, graph),
        };
        Self { plan, status: String::new(), rows, remarks, fields }
    }
}

/// Says why the requested gap was not reached; `None` if it was.
fn short_of_the_gap(found: &Design, gap: f64) -> Option<String> {
    let why = match found.stop() {
        _ if 100.0 * found.ends().gap() <= gap => return None,
        Stop::Deadline => {
            return Some(format!("Partial: the time was up before the gap was {gap} %."));
        }
        Stop::Reached => "certifying the plan took more of it than expected",
        Stop::Iterations => "the solver did not converge",
        Stop::Singular => "the solver met a matrix that it could not factor",
    };
    Some(format!("The gap asked for, {gap} %, was not reached: {why}."))
}

impl Report for PlanReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write!(out, "{}", self.plan.introduction(&self.status))?;
        let mut rows = self.rows.clone();
        rows.push(("trusted aggregator".into(), 1.0, false));
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let row = |(name, multiple, certified): &(String, f64, bool)| {
            // Others are there to be compared with what is certified.
            let shown = if *certified { rounded_up } else { rounded };
            vec![name.clone(), shown(*multiple), shown(self.plan.error(*multiple))]
        };
        let rows: Vec<_> = rows.iter().map(row).collect();
        write!(out, "{}", aligned("protocol,over trusted,error", &rows))?;
        self.remarks.iter().try_for_each(|remark| Ok(writeln!(out, "{remark}")?))
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write_json(out, &self.plan.fields(self.fields.clone()))
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.plan.draws().into_iter().map(|draw| {
            let subtracts = draw.subtracts.map_or(String::new(), |b| self.plan.label(b));
            [draw.kind.into(), self.plan.label(draw.adds), subtracts, draw.size.to_string()]
        });
        write_csv(out, "draw,adds,subtracts,standard_deviation", rows)
    }
}

impl NodePart<'_> {
    /// Returns the masks at the node: the other end, `true` if the node adds it, and its standard
    /// deviation.
    fn masks(&self) -> Vec<(String, bool, f64)> {
        let at_node = |draw: Draw| match (draw.adds, draw.subtracts?) {
            (node, other) if node == self.node => Some((self.plan.label(other), true, draw.size)),
            (other, node) if node == self.node => Some((self.plan.label(other), false, draw.size)),
            _ => None,
        };
        self.plan.draws().into_iter().filter_map(at_node).collect()
    }

    /// Returns the standard deviations of its noise and, without secrets, of its fresh noise.
    fn sizes(&self) -> (f64, Option<f64>) {
        let size = |variance: &Fraction| deviation(self.plan.sigma, *variance);
        let NoisePlan { nodes, fresh, .. } = self.plan.plan;
        (size(&nodes[self.node]), fresh.get(self.node).map(size))
    }

    fn neighbours(&self) -> Vec<String> {
        let neighbours = self.plan.asked.loaded.graph.neighbours(self.node);
        neighbours.map(|v| self.plan.label(v)).collect()
    }
}

impl Report for NodePart<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (own, fresh) = self.sizes();
        let fresh = fresh.map_or(String::new(), |fresh| {
            let fresh = size_text(fresh);
            format!("Fresh noise before each later step: standard deviation {fresh}.\n")
        });
        writeln!(
            out,
            "The part of node {} in the plan for {}, {}, at ({}, {:e})-differential privacy.\n\
             Noise of its own: standard deviation {}.\n{fresh}\
             Neighbours that it gossips with: {}.",
            self.plan.label(self.node),
            self.plan.asked.loaded.name,
            counted(self.plan.problem.steps(), "step"),
            self.plan.asked.target.epsilon,
            self.plan.asked.target.delta,
            size_text(own),
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
        Ok(writeln!(out, "\nSizes are rounded up. The target holds {}.", self.plan.conditions())?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let masks = self.masks().into_iter();
        let masks: Vec<Value> = masks
            .map(|(name, adds, sd)| json!({"with": name, "adds": adds, "standard_deviation": sd}))
            .collect();
        let (own, fresh) = self.sizes();
        let fields = fields! {
            "node": self.plan.label(self.node),
            "epsilon": self.plan.asked.target.epsilon,
            "delta": self.plan.asked.target.delta,
            "steps": self.plan.problem.steps(),
            "standard_deviation": own,
            "fresh_standard_deviation": fresh,
            "neighbours": self.neighbours(),
            "conditions": self.plan.conditions(),
            "masks": masks,
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (own, fresh) = self.sizes();
        let own = std::iter::once((NOISE, own)).chain(fresh.map(|fresh| (FRESH, fresh)));
        let own = own.map(|(draw, size)| [draw.into(), String::new(), size.to_string()]);
        let masks = self.masks().into_iter().map(|(name, adds, sd)| {
            let sign = if adds { "mask added" } else { "mask subtracted" };
            [sign.into(), name, sd.to_string()]
        });
        write_csv(out, "draw,with,standard_deviation", own.chain(masks))
    }
}
