//! An account as a table, as JSON and as CSV.

use super::{Computed, Conditions, Told};
use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    number,
    output::{Report, cell, fields, write_csv, write_list},
};
use muffliato::prelude::*;
use muffliato_account::{AccountError, Epsilons, Loss, Number, Pair, Status};
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

    fn pair(&self, pair: &Pair, [epsilon, model, any_loss]: [Option<f64>; 3]) -> Value {
        let mut value = json!({
            "source": self.label(self.source(pair)),
            "observer": self.label(self.observer(pair)),
            "distance": pair.distance,
        });
        if let Some(bound) = &pair.theorem_1 {
            value["paper_theorem_1"] = number::number(bound);
        }
        if let Some(bound) = &pair.corollary_1 {
            value["paper_corollary_1"] = number::number(bound);
        }
        if let Some(bound) = &pair.proved {
            value["proved_bound"] = bound.upper().into();
        }
        value["leakage"] = number::loss(&pair.loss);
        value["epsilon"] = epsilon.into();
        if let Some(model) = model {
            value["model_epsilon"] = model.into();
        }
        if let Some(any_loss) = any_loss {
            value["any_loss_epsilon"] = any_loss.into();
        }
        value
    }

    /// What is promised to each pair, in their order, for all runs; beside it, where they are others, what the loss would promise in its model, and what holds
    /// for any loss functions.
    fn epsilons(&self) -> Result<Vec<[Option<f64>; 3]>, AccountError> {
        let &NoiseArgs {
            sigma,
            sensitivity,
            delta,
            runs,
            ..
        } = self.noise;
        let told = self.told();
        let (summary, descends) = (told.summary, told.conditions.descends());
        let mut epsilons = Epsilons::of(self.computed.pairs().count(), sigma, sensitivity, delta);
        let of_each = self.computed.pairs().map(|pair| {
            let mut when = |wanted: bool, loss: &Loss| match wanted {
                true => epsilons.epsilon(&loss.repeated(runs)).map(Some),
                false => Ok(None),
            };
            Ok([
                when(true, &summary.promised_to(pair))?,
                when(summary.is_modelled(), &pair.loss)?,
                when(descends, &summary.for_any_loss(pair.loss.clone()))?,
            ])
        });
        of_each.collect()
    }

    /// What is told of it.
    pub fn told(&self) -> Told<'_> {
        let question = &self.computed.question;
        let group = question.sources.iter().map(Vec::len).max().unwrap_or(1);
        let (arguments, protocol) = (self.arguments, self.protocol);
        Told {
            conditions: Conditions::of(self.loaded, arguments, protocol)
                .seen(question.sight)
                .by(self.computed.engine)
                .together(group),
            summary: &self.computed.summary,
            noise: self.noise,
        }
    }

    /// What a run of this program is about, with what it was.
    pub fn about_run(&self, seed: u64) -> Vec<(&'static str, Value)> {
        let mut fields = self.told().about();
        fields.extend(fields! {
            "sigma": self.noise.sigma,
            "seed": seed,
            "noise": "simulated: Gaussian in floating point, from the seed",
        });
        fields
    }
}

impl Report for AccountReport<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let told = self.told();
        writeln!(out, "{}", told.introduction())?;
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
        Ok(write!(out, "{}", told.by_distance()?)?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let epsilons = self.epsilons()?;
        for (number, (key, value)) in self.told().about().iter().enumerate() {
            let start = if number == 0 { "{" } else { " " };
            writeln!(out, "{start}\"{key}\": {value},")?;
        }
        write!(out, " \"observers\": ")?;
        let observers = &self.computed.question.observers;
        let seen = self.computed.towards.iter().map(|seen| {
            let name = self.label(observers[seen.observer].members());
            json!({"observer": name, "messages": seen.messages, "rank": seen.rank})
        });
        write_list(out, seen)?;
        write!(out, ",\n \"pairs\": ")?;
        let pairs = self.computed.pairs().zip(epsilons);
        let pairs = pairs.map(|(pair, epsilons)| self.pair(pair, epsilons));
        write_list(out, pairs)?;
        Ok(writeln!(out, "}}")?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let epsilons = self.epsilons()?;
        for (key, value) in self.told().about() {
            writeln!(out, "# {key}: {value}")?;
        }
        writeln!(out, "# an empty distance: no path joins the two")?;
        let upper = |number: &Option<Number>| cell(number.as_ref().map(Number::upper));
        let rows = self
            .computed
            .pairs()
            .zip(epsilons)
            .map(|(pair, [epsilon, model, any_loss])| {
                let loss = &pair.loss;
                let shown = match loss.status() {
                    Status::Estimate => loss.value(),
                    _ => loss.upper(),
                };
                let scalars = loss.for_scalars();
                let scalars = scalars.fraction().filter(|_| loss.fraction().is_none());
                [
                    self.names(self.source(pair)),
                    self.names(self.observer(pair)),
                    cell(pair.distance),
                    upper(&pair.theorem_1),
                    upper(&pair.corollary_1),
                    cell(pair.proved.as_ref().map(Loss::upper)),
                    shown.to_string(),
                    loss.lower().to_string(),
                    loss.upper().to_string(),
                    cell(loss.fraction()),
                    cell(scalars),
                    loss.status().word().into(),
                    cell(epsilon),
                    cell(model),
                    cell(any_loss),
                ]
            });
        let head = "source,observer,distance,paper_theorem_1,paper_corollary_1,proved_bound,leakage,leakage_lower,leakage_upper,leakage_exact,scalars_exact,status,epsilon,model_epsilon,any_loss_epsilon";
        write_csv(out, head, rows)
    }
}
