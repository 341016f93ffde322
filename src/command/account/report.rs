//! An account as a table, as JSON and as CSV.

use super::{Account, Engine, Pair, Spread, Summary};
use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    number::{Quantity, Status, rounded, rounded_up},
    output::{Report, write_list},
    table,
};
use muffliato::fast::Enclosure;
use muffliato::model::LossModel;
use muffliato::prelude::*;
use serde_json::{Value, json};
use std::io::Write;

/// An account with everything that is told about it.
pub struct AccountReport<'a> {
    /// The graph.
    pub loaded: &'a Loaded,
    /// How the protocol was asked for.
    pub arguments: &'a ProtocolArgs,
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The noise.
    pub noise: &'a NoiseArgs,
    /// The pairs by distance.
    pub summaries: Vec<Summary>,
    /// The pairs.
    pub account: &'a Account,
}

impl AccountReport<'_> {
    /// What nodes are called, as JSON: a number where the label is one; a list for several.
    fn label(&self, nodes: &[usize]) -> Value {
        let one = |node: usize| {
            let label = self.loaded.graph.label(node);
            match label.parse::<u64>() {
                Ok(number) if number.to_string() == label => Value::from(number),
                _ => Value::from(label),
            }
        };
        match nodes {
            [node] => one(*node),
            nodes => nodes.iter().map(|&node| one(node)).collect(),
        }
    }

    fn names(&self, nodes: &[usize]) -> String {
        let names: Vec<_> = nodes.iter().map(|&v| self.loaded.graph.label(v)).collect();
        names.join(",")
    }

    fn source(&self, pair: &Pair) -> &[usize] {
        &self.account.question.sources[pair.source]
    }

    fn observer(&self, pair: &Pair) -> &[usize] {
        self.account.question.observers[pair.observer].members()
    }

    fn pair(&self, pair: &Pair) -> Value {
        let mut value = json!({
            "source": self.label(self.source(pair)),
            "observer": self.label(self.observer(pair)),
            "distance": pair.distance,
        });
        if let Some(bound) = &pair.paper_bound {
            value["paper_bound"] = bound.json();
        }
        if let Some(bound) = &pair.random_walk_bound {
            value["random_walk_bound"] = bound.json();
        }
        value["leakage"] = pair.leakage.json_with_status();
        value
    }

    fn has_estimates(&self) -> bool {
        let mut summaries = self.summaries.iter();
        summaries.any(|summary| summary.status == Status::Estimate)
    }

    fn has_bounds(&self) -> bool {
        let mut pairs = self.account.pairs.iter();
        pairs.any(|pair| matches!(pair.leakage, Quantity::Bound(_)))
    }

    fn has_promises(&self) -> bool {
        let mut summaries = self.summaries.iter();
        summaries.any(|summary| summary.paper_bound.is_some())
    }

    /// For gradient descent, the epsilon that is promised whatever the loss functions are: one input for each
    /// round. `None` where the account needs no model.
    pub fn unconditional(&self) -> Option<f64> {
        let rounds = Enclosure::exact(self.protocol.rounds() as f64);
        match self.protocol.loss_model() {
            LossModel::SingleInput => None,
            _ => Some(self.noise.epsilon(&rounds).unwrap_or(f64::INFINITY)),
        }
    }

    /// What the account is about, as fields of a JSON object.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        let graph = &self.loaded.graph;
        let (nodes, edges) = (graph.nodes(), graph.edge_count());
        let engine = match self.account.engine {
            Engine::Reference => "reference",
            Engine::Fast => "fast",
        };
        vec![
            (
                "graph",
                json!({"name": self.loaded.name, "nodes": nodes, "edges": edges}),
            ),
            ("protocol", self.arguments.json(self.protocol)),
            ("view", self.account.question.view.into()),
            ("engine", engine.into()),
        ]
    }

    /// The table by distance, as JSON: upper ends and epsilons are certified.
    pub fn summary_json(&self) -> anyhow::Result<Value> {
        let spread = |spread: &Spread| {
            let [min, mean, max] = spread.values;
            json!({"min": min, "mean": mean, "max": max})
        };
        let mut rows = Vec::new();
        for summary in &self.summaries {
            rows.push(json!({
                "distance": summary.distance,
                "pairs": summary.pairs,
                "paper_bound": summary.paper_bound.as_ref().map(spread),
                "leakage": spread(&summary.leakage),
                "status": summary.status.word(),
                "at_most": summary.promised.upper(),
                "epsilon": self.noise.epsilon(&summary.promised)?,
                "delta": self.noise.delta,
            }));
        }
        Ok(rows.into())
    }

    /// What the numbers mean, in sentences.
    pub fn introduction(&self) -> String {
        let graph = &self.loaded.graph;
        let mut text = format!(
            "{}: {} nodes, {} edges, {} weights, {}.\n",
            self.loaded.name,
            graph.nodes(),
            graph.edge_count(),
            self.arguments.weights,
            self.arguments.described(self.protocol),
        );
        let question = &self.account.question;
        text += match question.view {
            "full" => "Observers know the noise that they drew. ",
            _ => "Observers have forgotten the noise that they drew (the paper's view). ",
        };
        if question.sampled {
            text += &format!("{} nodes observe. ", question.observers.len());
        }
        text += "Losses are multiples of the local (LDP) loss\n";
        text += match (self.account.engine, self.has_estimates()) {
            (Engine::Reference, _) if self.has_bounds() => {
                "and upper bounds in exact arithmetic, rounded up"
            }
            (Engine::Reference, _) => "and exact, rounded up",
            (Engine::Fast, false) => "and certified upper ends, rounded up",
            (Engine::Fast, true) => "and estimates where it says so (certified: \"at most\")",
        };
        text += match self.has_promises() {
            true => "; paper: the bound of Theorem 1 for the plain protocol.\n",
            false => ".\n",
        };
        let noise = self.noise;
        let promised = match self.unconditional() {
            Some(epsilon) => {
                text += &format!(
                    "They are upper bounds in the model of {}: other nodes do not react. Real losses can cost\nmore; \
                     what holds for any loss function is {}, the number of rounds (eps {}).\n",
                    self.protocol.loss_model(),
                    self.protocol.rounds(),
                    rounded_up(epsilon),
                );
                "holds in this model"
            }
            None => "is promised",
        };
        let unit = noise.alpha * (noise.sensitivity / noise.sigma).powi(2) / 2.0;
        text += &format!(
            "eps: what {promised} at delta = {:e} with sigma = {} and sensitivity {}; L = {} (order {}).\n",
            noise.delta,
            noise.sigma,
            noise.sensitivity,
            rounded(unit),
            noise.alpha,
        );
        text
    }

    /// The table by distance, as text.
    pub fn by_distance(&self) -> anyhow::Result<String> {
        let (head, rows) = self.rows()?;
        Ok(table::aligned(&head, &rows))
    }

    /// The table by distance: its head and its rows. Losses and epsilons are rounded up, estimates to nearest.
    pub fn rows(&self) -> anyhow::Result<(Vec<&'static str>, Vec<Vec<String>>)> {
        let estimates = self.has_estimates();
        let promises = self.has_promises();
        let mut head = vec!["distance", "pairs"];
        if promises {
            head.extend(["paper min", "mean", "max"]);
        }
        head.extend([
            if estimates { "leakage min" } else { "loss min" },
            "mean",
            "max",
        ]);
        if estimates {
            head.push("at most");
        }
        head.extend(["status", "eps"]);
        let mut rows = Vec::new();
        for summary in &self.summaries {
            let mut row = vec![table::distance(summary.distance), summary.pairs.to_string()];
            if let Some(spread) = &summary.paper_bound {
                row.extend(spread.text.clone());
            }
            row.extend(summary.leakage.text.clone());
            if estimates {
                row.push(rounded_up(summary.promised.upper()));
            }
            row.push(summary.status.word().into());
            row.push(rounded_up(self.noise.epsilon(&summary.promised)?));
            rows.push(row);
        }
        Ok((head, rows))
    }
}

impl Report for AccountReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.introduction())?;
        if let ([observer], [seen]) = (&self.account.question.observers[..], &self.account.seen[..])
        {
            let rank = match seen.rank {
                Some(rank) => format!(", rank {rank}"),
                None => String::new(),
            };
            let who = match observer.members() {
                [_] => "Observer",
                _ => "Coalition",
            };
            let names = self.names(observer.members());
            writeln!(out, "{who} {names}: {} messages{rank}.\n", seen.messages)?;
        }
        Ok(write!(out, "{}", self.by_distance()?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for (number, (key, value)) in self.about().iter().enumerate() {
            let start = if number == 0 { "{" } else { " " };
            writeln!(out, "{start}\"{key}\": {value},")?;
        }
        write!(out, " \"observers\": ")?;
        let observers = self.account.question.observers.iter();
        let seen = observers.zip(&self.account.seen).map(|(observer, seen)| {
            let name = self.label(observer.members());
            json!({"observer": name, "messages": seen.messages, "rank": seen.rank})
        });
        write_list(out, seen)?;
        write!(out, ",\n \"pairs\": ")?;
        write_list(out, self.account.pairs.iter().map(|pair| self.pair(pair)))?;
        Ok(writeln!(out, "}}")?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record([
            "source",
            "observer",
            "distance",
            "paper_bound",
            "random_walk_bound",
            "leakage",
            "leakage_lower",
            "leakage_upper",
            "leakage_exact",
            "status",
        ])?;
        let upper = |quantity: &Option<Quantity>| match quantity {
            Some(quantity) => quantity.enclosure().upper().to_string(),
            None => String::new(),
        };
        for pair in &self.account.pairs {
            let ends = pair.leakage.enclosure();
            csv.write_record([
                self.names(self.source(pair)),
                self.names(self.observer(pair)),
                pair.distance.map_or(String::new(), |d| d.to_string()),
                upper(&pair.paper_bound),
                upper(&pair.random_walk_bound),
                pair.leakage.value().to_string(),
                ends.lower().to_string(),
                ends.upper().to_string(),
                pair.leakage.fraction(),
                pair.leakage.status().word().into(),
            ])?;
        }
        Ok(csv.flush()?)
    }
}
