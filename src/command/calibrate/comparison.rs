//! `muffliato calibrate` without a protocol: what there is to choose from, side by side.

use super::super::input::{Loaded, ProtocolArgs};
use super::super::output::{Report, write_json};
use super::super::session::Session;
use super::super::table;
use super::Calibrate;
use anyhow::Context;
use muffliato::prelude::Fraction;
use muffliato_account::{AccountError, Calibration, Choice, Target, rounded, rounded_up};
use serde_json::{Value, json};
use std::io::Write;

/// What one protocol takes, or why it cannot be said.
struct Row {
    name: &'static str,
    /// Whether neighbours share secrets.
    secrets: bool,
    found: Result<Calibration, AccountError>,
}

/// All protocols at one target.
struct Comparison {
    name: String,
    nodes: usize,
    edges: usize,
    target: Target,
    /// The expected errors of local differential privacy and of a trusted aggregator.
    baselines: (f64, f64),
    rows: Vec<Row>,
}

/// Calibrates one-shot, refreshed and masked averaging, and both together, each at the best of the parameters tried.
pub fn run(
    asked: &Calibrate,
    loaded: &Loaded,
    local: f64,
    session: &Session,
) -> anyhow::Result<()> {
    let arguments = ProtocolArgs {
        steps: asked.steps.parse().context("--steps")?,
        weights: asked.weights.clone(),
        protocol: "one-shot".parse()?,
        accelerate: asked.accelerate.parse().context("--accelerate")?,
    };
    let protocol = arguments.protocol(loaded, asked.sensitivity, local, session)?;
    let question = asked
        .observers
        .asked_by_calibration(&loaded.graph, session)?;
    let choice = match asked.engine.choice() {
        Choice::Auto => Choice::Fast,
        chosen => chosen,
    };
    let target = Target {
        epsilon: asked.epsilon,
        delta: asked.delta,
        protect: asked.protect,
        neighbour_epsilon: asked.neighbour_epsilon,
        runs: asked.runs,
    };
    let bar = session.progress("observers");
    let account = question.of(&protocol, choice)?.progress(&bar);
    let row = |name, secrets, found| Row {
        name,
        secrets,
        found,
    };
    let one_shot = account.calibrate(&target, asked.sensitivity);
    let refreshed = account.calibrate_tau(&target, asked.sensitivity);
    let mut rows = Vec::new();
    if asked.secrets {
        let masked = account.calibrate_masks(&target, asked.sensitivity);
        // Both: the fresh noise and the masks that each found, together.
        let tau = refreshed
            .as_ref()
            .ok()
            .and_then(|found| found.protocol.refresh());
        if let (Ok(masked), Some(tau)) = (&masked, tau) {
            let both = masked.protocol.clone().refreshed(tau)?;
            let both = account.on(&both)?.calibrate(&target, asked.sensitivity);
            rows.push(row("both", true, both));
        }
        rows.insert(0, row("masked", true, masked));
    }
    rows.splice(
        0..0,
        [
            row("one-shot", false, one_shot),
            row("refreshed", false, refreshed),
        ],
    );
    drop(account);
    drop(bar);
    if rows.iter().all(|row| row.found.is_err()) {
        rows.truncate(1);
        if let Some(Err(error)) = rows.pop().map(|row| row.found) {
            return Err(error.into());
        }
    }
    let half = local * local / 2.0;
    let nodes = protocol.nodes();
    asked.output.deliver(&Comparison {
        name: loaded.name.clone(),
        nodes,
        edges: loaded.graph.edge_count(),
        target,
        baselines: (half / nodes as f64, half / (nodes as f64 * nodes as f64)),
        rows,
    })
}

impl Comparison {
    fn cells(&self, row: &Row) -> Vec<String> {
        let secrets = if row.secrets { "yes" } else { "no" };
        let mut cells = vec![row.name.to_string(), secrets.to_string()];
        let Ok(found) = &row.found else {
            cells.extend(["-"; 7].map(String::from));
            return cells;
        };
        let shown = |part: Option<Fraction>| part.map_or("-".into(), |part| part.to_string());
        let error = |scale: f64| {
            let error = found.expected_error.map(|error| rounded(error / scale));
            error.unwrap_or("-".into())
        };
        let sampled = match found.sigma() {
            Ok(_) => "",
            Err(_) => " (sampled)",
        };
        cells.extend([
            found.protocol.steps().to_string(),
            shown(found.protocol.refresh()),
            shown(found.protocol.masks().map(|masks| masks.kappa())),
            rounded_up(found.sigma_for_those_seen()) + sampled,
            error(1.0),
            error(self.baselines.1),
            rounded_up(found.neighbour_epsilon),
        ]);
        cells
    }
}

impl Report for Comparison {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{}: {} nodes, {} edges.\n\
             Target: the loss of ({}, {:e})-differential privacy, for {}.\n\
             Each at the best of the parameters tried. Sigmas and epsilons are rounded up; errors are estimates, for inputs that\n\
             are uniform in an interval. Masks take secrets that neighbours share.\n",
            self.name,
            self.nodes,
            self.edges,
            self.target.epsilon,
            self.target.delta,
            self.target.protect,
        )?;
        let head = [
            "protocol",
            "secrets",
            "steps",
            "tau",
            "kappa",
            "sigma",
            "error",
            "over trusted",
            "eps of neighbours",
        ];
        let (local, central) = self.baselines;
        let baseline = |name: &str, error: f64, neighbour: String| {
            let mut row = vec![name.to_string()];
            row.extend(["-"; 5].map(String::from));
            row.extend([rounded(error), rounded(error / central), neighbour]);
            row
        };
        let epsilon = rounded_up(self.target.epsilon);
        let mut rows = vec![baseline("local (LDP)", local, epsilon)];
        rows.extend(self.rows.iter().map(|row| self.cells(row)));
        rows.push(baseline("trusted aggregator", central, "-".into()));
        write!(out, "{}", table::aligned(&head, &rows))?;
        for row in &self.rows {
            if let Err(error) = &row.found {
                writeln!(out, "\n{}: {error}", row.name)?;
            }
        }
        Ok(())
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "protocol,secrets,steps,tau,kappa,sigma,expected_error,neighbour_epsilon,status"
        )?;
        for row in &self.rows {
            if let Ok(found) = &row.found {
                let shown =
                    |part: Option<Fraction>| part.map_or(String::new(), |part| part.to_string());
                writeln!(
                    out,
                    "{},{},{},{},{},{},{},{},{}",
                    row.name,
                    row.secrets,
                    found.protocol.steps(),
                    shown(found.protocol.refresh()),
                    shown(found.protocol.masks().map(|masks| masks.kappa())),
                    found.sigma_for_those_seen(),
                    found
                        .expected_error
                        .map_or(String::new(), |e| e.to_string()),
                    found.neighbour_epsilon,
                    found.largest.word(),
                )?;
            }
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let row = |row: &Row| match &row.found {
            Ok(found) => json!({
                "protocol": row.name,
                "secrets": row.secrets,
                "steps": found.protocol.steps(),
                "tau": found.protocol.refresh().map(|tau| tau.to_string()),
                "kappa": found.protocol.masks().map(|masks| masks.kappa().to_string()),
                "sigma": found.sigma_for_those_seen(),
                "expected_error": found.expected_error,
                "neighbour_epsilon": found.neighbour_epsilon,
                "status": found.largest.word(),
            }),
            Err(error) => json!({
                "protocol": row.name,
                "secrets": row.secrets,
                "refused": error.to_string(),
            }),
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let fields = [
            (
                "graph",
                json!({"name": self.name, "nodes": self.nodes, "edges": self.edges}),
            ),
            ("epsilon", self.target.epsilon.into()),
            ("delta", self.target.delta.into()),
            ("protect", self.target.protect.to_string().into()),
            ("local_error", self.baselines.0.into()),
            ("trusted_error", self.baselines.1.into()),
            ("protocols", rows.into()),
        ];
        write_json(out, &fields)
    }
}
