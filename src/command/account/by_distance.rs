//! An account by distance, computed or merged from parts: text, table and JSON.

use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    output::fields,
    table,
};
use muffliato::prelude::*;
use muffliato_account::{
    Conditions, Knowledge, Losses, Spread, Status, Summary, rounded, rounded_up,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Formats a number of the noise: all digits if there are few of them.
fn shown(number: f64) -> String {
    const LONGEST: usize = 8;
    let text = number.to_string();
    if text.len() <= LONGEST { text } else { rounded(number) }
}

/// The graph, the protocol and the engine of an account.
#[derive(Clone, Serialize, Deserialize)]
pub struct Subject {
    graph: Value,
    protocol: Value,
    /// The graph, the weights and the protocol in words.
    described: String,
    engine: String,
}

impl Subject {
    /// Describes a protocol on a graph.
    pub fn new(
        loaded: &Loaded,
        arguments: &ProtocolArgs,
        protocol: &Protocol,
        engine: &str,
    ) -> Self {
        let (graph, weights) = (loaded.described(), &arguments.gossip.weights);
        let described = arguments.described(protocol);
        Self {
            graph: loaded.json(),
            protocol: arguments.json(protocol),
            described: format!("{graph}, {weights} weights, {described}."),
            engine: engine.to_string(),
        }
    }

    /// Returns `true` if parts about both subjects can be merged. The name of the graph may differ
    /// between machines.
    pub fn is_like(&self, other: &Self) -> bool {
        (&self.protocol, &self.engine) == (&other.protocol, &other.engine)
    }
}

/// Losses by distance, with their subject and noise.
pub struct ByDistance<'a> {
    /// The graph and the protocol.
    pub subject: Subject,
    /// The losses and the guarantees.
    pub summary: &'a Summary,
    /// The noise.
    pub noise: &'a NoiseArgs,
}

impl ByDistance<'_> {
    /// Returns `true` if some loss is an estimate.
    pub fn has_estimates(&self) -> bool {
        self.summary.rows().any(|row| row.status == Status::Estimate)
    }

    fn has_formula(&self) -> bool {
        self.summary.rows().any(|row| row.theorem_1.is_some())
    }

    /// Returns the conditions of the guarantees, for all runs.
    pub fn conditions(&self) -> Conditions {
        let mut conditions = self.summary.conditions();
        conditions.runs = self.noise.runs;
        conditions
    }

    /// Returns `true` if the losses of training hold for any loss functions, clipped or not: with
    /// masks, or with noise on a grid.
    pub fn holds_for_any_loss(&self) -> bool {
        let trains = self.summary.conditions().losses != Losses::None;
        trains && !self.summary.is_modelled()
    }

    /// Returns the epsilon for any loss functions, with one input for each round and each member of
    /// the group. `None` unless the losses are those of a model.
    pub fn unconditional(&self) -> Option<f64> {
        let local = self.summary.local().repeated(self.noise.runs);
        let epsilon = || {
            let curve = local.at(self.noise.sigma, self.noise.sensitivity)?;
            curve.epsilon(self.noise.delta)
        };
        let modelled = self.summary.is_modelled();
        modelled.then(|| epsilon().unwrap_or(f64::INFINITY))
    }

    /// Describes the account, as fields of a JSON object.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        let conditions = self.conditions();
        let sample = self.summary.sample();
        let mut guarantee = json!(conditions);
        guarantee["sigma"] = self.noise.sigma.into();
        guarantee["sensitivity"] = self.noise.sensitivity.into();
        guarantee["delta"] = self.noise.delta.into();
        guarantee["sentence"] = conditions.to_string().into();
        let model = self.summary.rows().map(|row| row.model).next();
        let model = model.filter(|_| self.summary.is_modelled());
        fields! {
            "graph": self.subject.graph,
            "protocol": self.subject.protocol,
            "view": conditions.view.as_str(),
            "engine": self.subject.engine,
            "sampled": sample.map(|sample| json!({"observers": sample.observers, "of": sample.of})),
            "partial": self.summary.is_partial(),
            "leakage_model": model.map(|model| model.to_string()),
            "guarantee": guarantee,
        }
    }

    /// Returns the table by distance as JSON. Upper ends and epsilons are certified.
    pub fn json(&self) -> anyhow::Result<Vec<Value>> {
        let spread = |spread: &Spread| {
            let [min, mean, max] = spread.floats();
            json!({"min": min, "mean": mean, "max": max})
        };
        let mut epsilons = self.noise.epsilons(0);
        let mut rows = Vec::new();
        for row in self.summary.rows() {
            let found = row.epsilons(&mut epsilons)?;
            rows.push(json!({
                "distance": row.distance,
                "or_farther": row.or_farther,
                "pairs": row.pairs,
                "paper_theorem_1": row.theorem_1.as_ref().map(spread),
                "leakage": spread(row.shown()),
                "status": row.as_str(),
                "at_most": row.loss().upper(),
                "promised": row.largest().upper(),
                "epsilon": found.epsilon,
                "delta": self.noise.delta,
                "model_epsilon": found.model_epsilon,
                "any_loss_epsilon": found.any_loss_epsilon,
            }));
        }
        Ok(rows)
    }

    /// Explains the numbers in sentences.
    pub fn introduction(&self) -> String {
        let conditions = self.conditions();
        let mut text = self.subject.described.clone() + "\n";
        if let Some(sample) = self.summary.sample() {
            text += &if sample.partial {
                format!("Only {sample} are finished: ")
            } else {
                format!("A sample of {sample} was looked at: ")
            };
            text += "other nodes may learn more, and nothing is guaranteed against them.\n";
        }
        let exact = self.summary.rows().all(|row| row.status == Status::Exact);
        text += "loss: in multiples of the local (LDP) loss; ";
        text += if self.has_estimates() {
            "an estimate where the status says so. at most: its certified upper end.\n"
        } else if exact {
            "exact, rounded up.\n"
        } else {
            "certified upper ends, rounded up.\n"
        };
        if self.has_formula() {
            text += "paper: the value of Theorem 1 without fresh noise (refuted; not a bound).\n";
        }
        if let Some(epsilon) = self.unconditional() {
            let inputs = self.summary.inputs();
            text += &format!(
                "The loss columns treat gradients as fixed inputs; real training can lose more. For any loss function the loss is at \
                 most {inputs}, one for each round that uses the node's data (eps {}).\n",
                rounded_up(epsilon),
            );
        }
        match self.steps() {
            Some(steps) => {
                text += &format!(
                    "any loss: the loss for every loss function, clipped or not; the first eps is for it.\n\
                     {steps}: the largest loss that is guaranteed if steps x - nu grad f(x) are {}; the last eps is for it.\n",
                    steps.trim_end_matches(" steps"),
                );
            }
            None if self.holds_for_any_loss() => {
                text += "The losses hold for every loss function, clipped or not.\n";
            }
            None if self.summary.promises_another() => {
                text += "promised: the largest loss that is guaranteed; eps is computed from it.\n";
            }
            None => {}
        }
        let what = match self.summary.sample() {
            Some(sample) if sample.partial => " against the finished observers",
            Some(_) => " against the observers of the sample",
            None if conditions.view == Knowledge::Paper => {
                " against observers that do not use their own noise"
            }
            None => "",
        };
        let noise = self.noise;
        let unit = noise.alpha * (noise.sensitivity / noise.sigma).powi(2) / 2.0;
        text += &format!(
            "eps: epsilon{what} at delta = {:e}, sigma = {}, sensitivity {}; L = {} (order {}). {} means: {}.\n",
            noise.delta,
            shown(noise.sigma),
            shown(noise.sensitivity),
            rounded(unit),
            noise.alpha,
            if self.steps().is_some() { "The last eps" } else { "It" },
            conditions.scope(),
        );
        text
    }

    /// Formats the table by distance.
    pub fn table(&self) -> anyhow::Result<String> {
        let (head, mut rows) = self.rows()?;
        let bold: Vec<usize> = head
            .split(',')
            .enumerate()
            .filter(|(_, name)| *name == "eps")
            .map(|(at, _)| at)
            .collect();
        for row in &mut rows {
            for &column in &bold {
                row[column] = table::bold(&row[column]);
            }
        }
        Ok(table::aligned(&head, &rows))
    }

    /// Names the steps of the second guarantee of training, such as "1-Lipschitz steps"; `None`
    /// unless there is another one for any loss functions.
    fn steps(&self) -> Option<String> {
        if !self.holds_for_any_loss() || !self.summary.promises_another() {
            return None;
        }
        Some(match self.summary.conditions().losses.constant() {
            Some(constant) => format!("{constant}-Lipschitz steps"),
            None => "Lipschitz steps".into(),
        })
    }

    /// Returns the header, separated by commas, and the rows of the table. Losses and epsilons are
    /// rounded up, estimates to nearest.
    pub fn rows(&self) -> anyhow::Result<(String, Vec<Vec<String>>)> {
        let estimates = self.has_estimates();
        let another = self.summary.promises_another();
        let steps = self.steps();
        let choose = |condition, yes, no| if condition { yes } else { no };
        let promised = match &steps {
            Some(steps) => format!("status,eps,{steps},eps"),
            None => choose(another, "status,promised,eps", "status,eps").into(),
        };
        let head = [
            choose(self.has_formula(), "distance,pairs,paper min,mean,max", "distance,pairs"),
            choose(steps.is_some(), "any loss min,mean,max", "loss min,mean,max"),
            choose(estimates, "at most,", ""),
        ];
        let head = format!("{},{},{}{promised}", head[0], head[1], head[2]);
        let mut epsilons = self.noise.epsilons(0);
        let mut rows = Vec::new();
        for row in self.summary.rows() {
            let mut distance = table::distance(row.distance);
            if row.or_farther {
                distance += "+";
            }
            let mut cells = vec![distance, row.pairs.to_string()];
            if let Some(spread) = &row.theorem_1 {
                cells.extend(spread.rounded_up());
            }
            cells.extend(row.shown_text());
            if estimates {
                cells.push(row.loss().rounded_up());
            }
            cells.push(row.as_str().into());
            let found = row.epsilons(&mut epsilons)?;
            if steps.is_some() {
                cells.push(found.any_loss_epsilon.map_or("-".into(), rounded_up));
            }
            if another {
                cells.push(row.largest().rounded_up());
            }
            cells.push(rounded_up(found.epsilon));
            rows.push(cells);
        }
        Ok((head, rows))
    }
}
