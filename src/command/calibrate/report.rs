//! A calibration as a table, as JSON and as CSV.

use crate::command::{
    input::Loaded,
    number::{rounded, rounded_up},
    output::{Report, write_json},
};
use muffliato::fast::Enclosure;
use muffliato::model::LossModel;
use muffliato::prelude::Fraction;
use serde_json::json;
use std::io::Write;

/// What was found.
pub struct Calibration {
    /// The graph.
    pub loaded: Loaded,
    /// The protocol, in words.
    pub described: String,
    /// What the loss is computed for.
    pub model: LossModel,
    /// The epsilon and the delta to meet.
    pub target: (f64, f64),
    /// Whom the target is for, in words.
    pub protect: String,
    /// The fresh noise, in units of sigma.
    pub tau: Option<Fraction>,
    /// The largest loss of those who are protected; its upper end is certified.
    pub leakage: Enclosure,
    /// The noise that it takes.
    pub sigma: f64,
    /// The epsilon that this noise promises towards everybody, whatever leaks.
    pub everybody: f64,
    /// Expected errors: of the protocol, of LDP, of a trusted aggregator.
    pub errors: Option<[f64; 3]>,
}

impl Report for Calibration {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let graph = &self.loaded.graph;
        writeln!(
            out,
            "{}: {} nodes, {} edges, {}.\n\
             Target: the loss of ({}, {:e})-differential privacy, for {}.\n",
            self.loaded.name,
            graph.nodes(),
            graph.edge_count(),
            self.described,
            self.target.0,
            self.target.1,
            self.protect,
        )?;
        if self.model != LossModel::SingleInput {
            writeln!(
                out,
                "In the model of {}: real losses can cost more.",
                self.model
            )?;
        }
        if let Some(tau) = self.tau {
            writeln!(
                out,
                "tau       {}",
                rounded(tau.numerator() as f64 / tau.denominator() as f64)
            )?;
        }
        writeln!(
            out,
            "loss      {} (certified, in units of L)",
            rounded_up(self.leakage.upper())
        )?;
        writeln!(out, "sigma     {} (rounded up)", rounded_up(self.sigma))?;
        writeln!(
            out,
            "epsilon   {} towards everybody, at the same delta",
            rounded_up(self.everybody)
        )?;
        if let Some([ours, local, central]) = self.errors {
            writeln!(
                out,
                "\nExpected error, for inputs that are uniform in an interval (estimates):"
            )?;
            writeln!(out, "trusted aggregator  {}", rounded(central))?;
            writeln!(out, "this protocol       {}", rounded(ours))?;
            writeln!(out, "local (LDP)         {}", rounded(local))?;
        }
        if self.leakage.upper() >= 1.0 {
            writeln!(
                out,
                "\nSomebody who is protected tells a neighbour its noisy input, or may do so: this takes the noise\n\
                 of LDP. --protect 'distance>=2' or --protect mean ask for less, refreshed protocols lose less."
            )?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let graph = &self.loaded.graph;
        let errors = self.errors.map(|[ours, local, central]| {
            json!({"protocol": ours, "local": local, "trusted_aggregator": central, "status": "estimate"})
        });
        let fields = [
            (
                "graph",
                json!({"name": self.loaded.name, "nodes": graph.nodes(), "edges": graph.edge_count()}),
            ),
            ("protocol", self.described.clone().into()),
            ("model", self.model.to_string().into()),
            (
                "target",
                json!({"epsilon": self.target.0, "delta": self.target.1}),
            ),
            ("protect", self.protect.clone().into()),
            ("tau", json!(self.tau.map(|tau| tau.to_string()))),
            (
                "leakage",
                json!({"upper": self.leakage.upper(), "status": "certified"}),
            ),
            ("sigma", self.sigma.into()),
            ("epsilon_towards_everybody", self.everybody.into()),
            ("expected_error", json!(errors)),
        ];
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record([
            "tau",
            "leakage",
            "sigma",
            "error",
            "error_local",
            "error_trusted",
        ])?;
        let mut record = vec![
            self.tau.map_or(String::new(), |tau| tau.to_string()),
            self.leakage.upper().to_string(),
            self.sigma.to_string(),
        ];
        match self.errors {
            Some(errors) => record.extend(errors.map(|error| error.to_string())),
            None => record.extend([const { String::new() }; 3]),
        }
        csv.write_record(record)?;
        Ok(csv.flush()?)
    }
}
