//! `muffliato calibrate` without a protocol: what there is to choose from, side by side.

use super::super::input::Loaded;
use super::super::number::decimal;
use super::super::output::{Report, cell, fields, write_csv, write_json};
use super::super::session::{Partial, Session};
use super::super::table;
use super::{
    Calibrate, NOTHING_CALIBRATED, colluding, collusion_json, in_time, reservations, untried, whom,
};
use muffliato::prelude::{Account, Fraction};
use muffliato_account::{
    AccountError, Calibration, Collusion, Knowledge, NoiseLaw, Target, rounded, rounded_up,
};
use serde_json::{Value, json};
use std::io::Write;

/// What one protocol takes, or why it cannot be said.
struct Row {
    name: &'static str,
    /// Whether neighbours share secrets.
    secrets: bool,
    found: Result<Calibration, AccountError>,
    collusion: Option<Collusion>,
}

impl Row {
    /// Whether the time was too short for all of it.
    fn is_late(&self) -> bool {
        match &self.found {
            Err(AccountError::OutOfTime { .. }) => true,
            Err(error) => error.is_cancelled(),
            Ok(_) => false,
        }
    }

    /// What the time was too short for, in words.
    fn no_time_for(&self) -> Option<String> {
        match &self.found {
            Ok(found) if found.is_partial() => {
                Some(format!("{} with {}", self.name, untried(found)))
            }
            _ => self.is_late().then(|| self.name.to_string()),
        }
    }

    /// Why there is no noise for it.
    fn reason(&self, error: &AccountError) -> String {
        if self.is_late() {
            "the time was up before it was calibrated".into()
        } else {
            error.to_string()
        }
    }
}

/// All protocols at one target.
struct Comparison<'a> {
    loaded: &'a Loaded,
    law: NoiseLaw,
    collude: Option<usize>,
    sight: Knowledge,
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
    let arguments = asked.arguments("one-shot".parse()?);
    let protocol = arguments.protocol(loaded, asked.sensitivity, local, session)?;
    let question = asked
        .observers
        .asked_by_calibration(&loaded.graph, session)?;
    let target = asked.target();
    let bar = session.progress("observers");
    let account = asked.asking(&question, Account::of(&protocol)?, &bar, session)?;
    let row = |name, secrets, found| Row {
        name,
        secrets,
        found,
        collusion: None,
    };
    let late = |found: &Result<Calibration, AccountError>| match found {
        Err(error) if account.is_late(error) => Some(AccountError::OutOfTime {
            done: 0,
            of: protocol.nodes(),
        }),
        _ => None,
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
            let both = account
                .with_protocol(&both)?
                .calibrate(&target, asked.sensitivity);
            rows.push(row("both", true, both));
        } else if let Some(late) = [&masked, &refreshed].into_iter().find_map(late) {
            rows.push(row("both", true, Err(late)));
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
    let baselines = account.baselines(&target, asked.sensitivity)?;
    if let Some(size) = asked.collude {
        for row in &mut rows {
            if let Ok(found) = &row.found {
                let collusion = account.collusion(size, &target, found, asked.sensitivity);
                row.collusion = in_time(&account, collusion)?;
            }
        }
    }
    drop(account);
    drop(bar);
    if rows.iter().all(|row| row.found.is_err()) {
        rows.truncate(1);
        let first = rows.pop();
        if first.as_ref().is_some_and(Row::is_late) {
            return Err(NOTHING_CALIBRATED.into());
        }
        if let Some(Err(error)) = first.map(|row| row.found) {
            return Err(error.into());
        }
    }
    let comparison = Comparison {
        loaded,
        law: asked.law.law,
        collude: asked.collude,
        sight: question.sight,
        target,
        baselines,
        rows,
    };
    asked.output.deliver(&comparison)?;
    match &comparison.unfinished()[..] {
        [] => Ok(()),
        what => Err(Partial(format!(
            "the time is up: there was none for {}",
            what.join("; ")
        ))
        .into()),
    }
}

impl Comparison<'_> {
    /// One that was found: all of them are for the same sources and observers.
    fn found(&self) -> Option<&Calibration> {
        self.rows.iter().find_map(|row| row.found.as_ref().ok())
    }

    fn whom(&self) -> String {
        self.found()
            .map_or(self.target.protect.to_string(), |found| {
                whom(&self.target, found)
            })
    }

    fn reservations(&self) -> Vec<String> {
        self.found()
            .map_or(Vec::new(), |found| reservations(found, self.sight))
    }

    /// What the time was too short for, in words.
    fn unfinished(&self) -> Vec<String> {
        let mut all: Vec<String> = self.rows.iter().filter_map(Row::no_time_for).collect();
        if let Some(size) = self.collude {
            let found = self.rows.iter().filter(|row| row.found.is_ok());
            let alone = found.filter(|row| row.collusion.is_none());
            all.extend(alone.map(|row| format!("coalitions of {size} against {}", row.name)));
        }
        all
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let mut cells = vec![row.name.to_string()];
        let Ok(found) = &row.found else {
            cells.extend(["-"; 7].map(String::from));
            cells.extend(self.collude.iter().flat_map(|_| ["-"; 2].map(String::from)));
            return cells;
        };
        let shown = |part: Option<Fraction>| part.map_or("-".into(), decimal);
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
        if self.collude.is_some() {
            let all = row.collusion.as_ref();
            let found = all.and_then(|all| all.found);
            cells.push(found.map_or("-".into(), rounded_up));
            cells.push(all.map_or("-".into(), |all| rounded_up(all.every)));
        }
        cells
    }
}

impl Report for Comparison<'_> {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(
            out,
            "{}.\n\
             Target: the loss of ({}, {:e})-differential privacy, for {}.\n\
             Each protocol has the best of the parameters tried. Sigmas and epsilons are rounded up and proved for {}; errors are \
             estimates, for inputs that are uniform in an interval. Masks take secrets that neighbours share (masked, both).",
            self.loaded.described(),
            self.target.epsilon,
            self.target.delta,
            self.whom(),
            match self.law {
                NoiseLaw::Gaussian => "Gaussian noise".to_string(),
                law => law.described(),
            },
        )?;
        if let Some(size) = self.collude {
            writeln!(
                out,
                "Coalitions of {size}: the epsilon of the worst that was found (others may learn more), and what is certified for every one."
            )?;
        }
        writeln!(out)?;
        let mut head =
            String::from("protocol,steps,tau,kappa,sigma,error,over trusted,eps of neighbours");
        if self.collude.is_some() {
            head += ",coalition found,every coalition";
        }
        let (local, central) = self.baselines;
        let baseline = |name: &str, error: f64, neighbour: String| {
            let mut row = vec![name.to_string()];
            row.extend(["-"; 4].map(String::from));
            row.extend([rounded(error), rounded(error / central), neighbour.clone()]);
            // Whoever colludes sees what everybody sees.
            row.extend(
                self.collude
                    .iter()
                    .flat_map(|_| [neighbour.clone(), neighbour.clone()]),
            );
            row
        };
        let epsilon = rounded_up(self.target.epsilon);
        let mut rows = vec![baseline("local (LDP)", local, epsilon)];
        rows.extend(self.rows.iter().map(|row| self.cells(row)));
        rows.push(baseline("trusted aggregator", central, "-".into()));
        write!(out, "{}", table::aligned(&head, &rows))?;
        for row in &self.rows {
            match (&row.found, row.no_time_for()) {
                (Err(error), _) => writeln!(out, "\n{}: {}", row.name, row.reason(error))?,
                (Ok(_), Some(what)) => writeln!(
                    out,
                    "\nPartial: there was no time for {what}. The noise is enough all the same."
                )?,
                (Ok(_), None) => {}
            }
            if let Some(Collusion { coalitions, .. }) = &row.collusion {
                write!(
                    out,
                    "\n{}: every coalition {};",
                    row.name,
                    coalitions.evidence.described()
                )?;
                if let Some(worst) = &coalitions.found {
                    let graph = &self.loaded.graph;
                    let (members, source) = (colluding(worst, graph), graph.label(worst.source));
                    write!(out, " the worst found is {members} about {source}")?;
                }
            }
        }
        if self.collude.is_some() {
            writeln!(out)?;
        }
        for reservation in self.reservations() {
            writeln!(out, "\n{reservation}")?;
        }
        Ok(())
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "# for {}", self.whom())?;
        for reservation in self.reservations() {
            writeln!(out, "# {reservation}")?;
        }
        for what in self.unfinished() {
            writeln!(out, "# partial: no time for {what}")?;
        }
        let rows = self.rows.iter().filter_map(|row| {
            let (found, all) = (row.found.as_ref().ok()?, row.collusion.as_ref());
            Some([
                row.name.into(),
                row.secrets.to_string(),
                found.protocol.steps().to_string(),
                cell(found.protocol.refresh()),
                cell(found.protocol.masks().map(|masks| masks.kappa())),
                found.sigma_for_those_seen().to_string(),
                cell(found.expected_error),
                found.neighbour_epsilon.to_string(),
                found.largest.as_str().into(),
                cell(all.and_then(|all| all.found)),
                cell(all.map(|all| all.every)),
            ])
        });
        let head = "protocol,secrets,steps,tau,kappa,sigma,expected_error,neighbour_epsilon,status,coalition_found_epsilon,every_coalition_epsilon";
        write_csv(out, head, rows)
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
                "status": found.largest.as_str(),
                "collude": row.collusion.as_ref().map(|all| collusion_json(all, &self.loaded.graph)),
            }),
            Err(error) => json!({
                "protocol": row.name,
                "secrets": row.secrets,
                "refused": row.reason(error),
            }),
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let fields = fields! {
            "graph": self.loaded.json(),
            "epsilon": self.target.epsilon,
            "delta": self.target.delta,
            "protect": self.whom(),
            "view": self.sight.as_str(),
            "remarks": self.reservations(),
            "partial": !self.unfinished().is_empty(),
            "unfinished": self.unfinished(),
            "noise": self.law.to_string(),
            "local_error": self.baselines.0,
            "trusted_error": self.baselines.1,
            "protocols": rows,
        };
        write_json(out, &fields)
    }
}
