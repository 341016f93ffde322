//! An account as a table, as JSON and as CSV.

use super::Computed;
use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    number,
    output::{Report, write_list},
    table,
};
use muffliato::model::LossModel;
use muffliato::prelude::*;
use muffliato_account::{
    Choice, Loss, Number, Pair, Sight, Spread, Status, Summary, rounded, rounded_up,
};
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
    /// The losses.
    pub computed: &'a Computed,
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
        &self.computed.question.sources[pair.source]
    }

    fn observer(&self, pair: &Pair) -> &[usize] {
        self.computed.question.observers[pair.observer].members()
    }

    fn pair(&self, pair: &Pair) -> Value {
        let mut value = json!({
            "source": self.label(self.source(pair)),
            "observer": self.label(self.observer(pair)),
            "distance": pair.distance,
        });
        if let Some(bound) = &pair.theorem_1 {
            value["paper_bound"] = number::number(bound);
        }
        if let Some(bound) = &pair.corollary_1 {
            value["random_walk_bound"] = number::number(bound);
        }
        value["leakage"] = number::loss(&pair.loss);
        value
    }

    fn summary(&self) -> &Summary {
        &self.computed.summary
    }

    /// Whether one of the losses is an estimate.
    pub fn has_estimates(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.any(|class| class.status == Status::Estimate)
    }

    /// Whether one of the losses is enclosed and not exact.
    fn has_bounds(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.any(|class| class.status != Status::Exact)
    }

    fn has_formula(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.any(|class| class.theorem_1.is_some())
    }

    /// Whether the losses of gradient descent hold for any loss functions, clipped or not: by masks.
    pub fn holds_for_any_loss(&self) -> bool {
        self.protocol.masks().is_some() && self.protocol.rounds() > 1
    }

    /// For gradient descent, the epsilon that is promised whatever the loss functions are: one input for each
    /// round. `None` where the account needs no model.
    pub fn unconditional(&self) -> Option<f64> {
        let local = Loss::between(0.0, self.protocol.rounds() as f64, LossModel::SingleInput);
        match self.protocol.loss_model() {
            LossModel::SingleInput => None,
            _ if self.holds_for_any_loss() => None,
            _ => Some(self.noise.epsilon(&local).unwrap_or(f64::INFINITY)),
        }
    }

    /// What the account is about, as fields of a JSON object.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        let graph = &self.loaded.graph;
        let (nodes, edges) = (graph.nodes(), graph.edge_count());
        vec![
            (
                "graph",
                json!({"name": self.loaded.name, "nodes": nodes, "edges": edges}),
            ),
            ("protocol", self.arguments.json(self.protocol)),
            ("view", self.computed.question.sight.word().into()),
            ("engine", self.computed.choice.to_string().into()),
        ]
    }

    /// The table by distance, as JSON: upper ends and epsilons are certified.
    pub fn summary_json(&self) -> anyhow::Result<Value> {
        let spread = |spread: &Spread| {
            let [min, mean, max] = spread.floats();
            json!({"min": min, "mean": mean, "max": max})
        };
        let mut rows = Vec::new();
        for class in self.summary().classes() {
            let largest = class.largest();
            rows.push(json!({
                "distance": class.distance,
                "or_farther": class.or_farther,
                "pairs": class.pairs,
                "paper_bound": class.theorem_1.as_ref().map(spread),
                "leakage": spread(class.shown()),
                "status": class.status.word(),
                "at_most": largest.upper(),
                "epsilon": self.noise.epsilon(&largest)?,
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
        let question = &self.computed.question;
        text += match question.sight {
            Sight::Full => "Observers know the noise that they drew. ",
            Sight::Paper => {
                "Observers have forgotten the noise that they drew (the paper's view). "
            }
        };
        if question.sample_of.is_some() {
            text += &format!("{} nodes observe. ", question.observers.len());
        }
        text += "Losses are multiples of the local (LDP) loss\n";
        text += match (self.computed.choice, self.has_estimates()) {
            (Choice::Exact, _) if self.has_bounds() => {
                "and upper bounds in exact arithmetic, rounded up"
            }
            (Choice::Exact, _) => "and exact, rounded up",
            (_, false) => "and certified upper ends, rounded up",
            (_, true) => "and estimates where it says so (certified: \"at most\")",
        };
        text += match self.has_formula() {
            true => "; paper: the bound of Theorem 1 for the plain protocol.\n",
            false => ".\n",
        };
        let noise = self.noise;
        if self.holds_for_any_loss() {
            text += "They hold for any loss functions, clipped or not, as long as a node carries nothing but its masked state\n\
                     from round to round.\n";
        }
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
        let promises = self.has_formula();
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
        for class in self.summary().classes() {
            let mut distance = table::distance(class.distance);
            if class.or_farther {
                distance += "+";
            }
            let mut row = vec![distance, class.pairs.to_string()];
            if let Some(spread) = &class.theorem_1 {
                row.extend(spread.rounded_up());
            }
            row.extend(class.shown_text());
            let largest = class.largest();
            if estimates {
                row.push(largest.rounded_up());
            }
            row.push(class.status.word().into());
            row.push(rounded_up(self.noise.epsilon(&largest)?));
            rows.push(row);
        }
        Ok((head, rows))
    }
}

impl Report for AccountReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{}", self.introduction())?;
        let observers = &self.computed.question.observers[..];
        if let ([observer], [seen]) = (observers, &self.computed.towards[..]) {
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
        let observers = self.computed.question.observers.iter();
        let seen = observers
            .zip(&self.computed.towards)
            .map(|(observer, seen)| {
                let name = self.label(observer.members());
                json!({"observer": name, "messages": seen.messages, "rank": seen.rank})
            });
        write_list(out, seen)?;
        write!(out, ",\n \"pairs\": ")?;
        write_list(out, self.computed.pairs().map(|pair| self.pair(pair)))?;
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
        let upper = |number: &Option<Number>| {
            number
                .as_ref()
                .map_or(String::new(), |number| number.upper().to_string())
        };
        for pair in self.computed.pairs() {
            let loss = &pair.loss;
            csv.write_record([
                self.names(self.source(pair)),
                self.names(self.observer(pair)),
                pair.distance.map_or(String::new(), |d| d.to_string()),
                upper(&pair.theorem_1),
                upper(&pair.corollary_1),
                loss.value().to_string(),
                loss.lower().to_string(),
                loss.upper().to_string(),
                loss.fraction().map_or(String::new(), ToString::to_string),
                loss.status().word().into(),
            ])?;
        }
        Ok(csv.flush()?)
    }
}
