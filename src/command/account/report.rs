//! An account as a table, JSON and CSV.

use super::{ByDistance, Computed, Subject};
use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    number,
    output::{FORMAT, Report, cell, fields, write_csv, write_list},
    table,
};
use muffliato::prelude::*;
use muffliato_account::{AccountError, Number, Pair, PairEpsilons, Status, Summary};
use serde_json::{Value, json};
use std::io::Write;

/// An account with the text around it.
pub struct AccountReport<'a> {
    /// The graph.
    pub loaded: &'a Loaded,
    /// The arguments that describe the protocol.
    pub arguments: &'a ProtocolArgs,
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The noise.
    pub noise: &'a NoiseArgs,
    /// The losses.
    pub computed: &'a Computed,
    /// Names and losses of other protocols beside it in its table.
    pub beside: &'a [(String, Summary)],
}

impl<'a> AccountReport<'a> {
    /// Creates the report of one account.
    pub fn new(
        loaded: &'a Loaded,
        arguments: &'a ProtocolArgs,
        protocol: &'a Protocol,
        noise: &'a NoiseArgs,
        computed: &'a Computed,
    ) -> Self {
        Self { loaded, arguments, protocol, noise, computed, beside: &[] }
    }
    /// Returns the name of a node as JSON, and a list for several nodes.
    fn label(&self, nodes: &[usize]) -> Value {
        let one = |node: usize| Value::from(self.loaded.graph.label(node));
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
        &self.computed.question.sources()[pair.source()]
    }

    fn observer(&self, pair: &Pair) -> &[usize] {
        self.computed.question.observers()[pair.observer()].members()
    }

    fn pair(&self, pair: &Pair, epsilons: PairEpsilons) -> Value {
        json!({
            "source": self.label(self.source(pair)),
            "observer": self.label(self.observer(pair)),
            "distance": pair.distance,
            "paper_theorem_1": pair.theorem_1.as_ref().map(number::number),
            "paper_corollary_1": pair.corollary_1.as_ref().map(number::number),
            "proved_bound": pair.proved,
            "leakage": number::loss(&pair.loss),
            "epsilon": epsilons.epsilon,
            "model_epsilon": epsilons.model_epsilon,
            "any_loss_epsilon": epsilons.any_loss_epsilon,
        })
    }

    /// Returns the epsilons of each pair, in order, for all runs.
    fn epsilons(&self) -> Result<Vec<PairEpsilons>, AccountError> {
        let mut epsilons = self.noise.epsilons(self.computed.pairs().count());
        let pairs = self.computed.pairs();
        pairs.map(|pair| pair.epsilons(&mut epsilons)).collect()
    }

    /// Returns the account by distance.
    pub fn by_distance(&self) -> ByDistance<'_> {
        let engine = self.computed.engine;
        ByDistance {
            subject: Subject::new(self.loaded, self.arguments, self.protocol, engine),
            summary: &self.computed.summary,
            noise: self.noise,
        }
    }

    /// Returns the description of a simulated run, as fields of a JSON object.
    pub fn about_run(&self, seed: u64) -> Vec<(&'static str, Value)> {
        let mut fields = self.by_distance().about();
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
        let by_distance = self.by_distance();
        writeln!(out, "{}", by_distance.introduction())?;
        let observers = self.computed.question.observers();
        if let [observer] = observers {
            let who = match observer.members() {
                [_] => "Observer",
                _ => "Coalition",
            };
            let names = self.names(observer.members());
            writeln!(out, "{who}: {names}.\n")?;
        }
        write!(out, "{}", by_distance.table()?)?;
        if self.beside.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nThe largest loss that is guaranteed, beside other protocols:\n")?;
        let own = self.arguments.protocol.to_string();
        let others = self.beside.iter().map(|(name, summary)| (name, summary));
        let all: Vec<_> = std::iter::once((&own, &self.computed.summary)).chain(others).collect();
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        let cell = |summary: &Summary, distance| {
            let found = summary.rows().find(|row| row.distance == distance);
            found.map_or("-".into(), |row| row.largest().rounded_up())
        };
        let rows = self.computed.summary.rows().map(|row| {
            let cells = all.iter().map(|(_, summary)| cell(summary, row.distance));
            std::iter::once(table::distance(row.distance)).chain(cells).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        Ok(write!(out, "{}", table::aligned(&format!("distance,{}", names.join(",")), &rows))?)
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let epsilons = self.epsilons()?;
        let by_distance = self.by_distance();
        writeln!(out, "{{\"format\": {FORMAT},")?;
        for (key, value) in by_distance.about() {
            writeln!(out, " \"{key}\": {value},")?;
        }
        write!(out, " \"by_distance\": ")?;
        write_list(out, by_distance.json()?.into_iter())?;
        write!(out, ",\n \"observers\": ")?;
        let observers = self.computed.question.observers();
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
        for (key, value) in self.by_distance().about() {
            writeln!(out, "# {key}: {value}")?;
        }
        writeln!(out, "# an empty distance: no path joins the two")?;
        let upper = |number: &Option<Number>| cell(number.as_ref().map(Number::upper));
        let rows = self.computed.pairs().zip(epsilons).map(|(pair, epsilons)| {
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
                cell(pair.proved),
                shown.to_string(),
                loss.lower().to_string(),
                loss.upper().to_string(),
                cell(loss.fraction()),
                cell(scalars),
                loss.status().as_str().into(),
                epsilons.epsilon.to_string(),
                cell(epsilons.model_epsilon),
                cell(epsilons.any_loss_epsilon),
            ]
        });
        let head = "source,observer,distance,paper_theorem_1,paper_corollary_1,proved_bound,leakage,leakage_lower,leakage_upper,leakage_exact,scalars_exact,status,epsilon,model_epsilon,any_loss_epsilon";
        write_csv(out, head, rows)
    }
}
