//! The comparison of all protocols, for `muffliato calibrate` without `--protocol`.

use super::super::atomic_file::save_text;
use super::super::input::{Loaded, SizeArgs};
use super::super::output::{Report, cell, fields, write_csv, write_json};
use super::super::plan::{PlanRequest, binding_json, binding_text, gap_text, missing_text, status};
use super::super::session::{Partial, Session};
use super::super::table;
use super::{
    Calibrate, NOTHING_CALIBRATED, caveats, collusion_json, member_names, protected_pairs, untried,
};
use anyhow::bail;
use muffliato::prelude::{Account, Fraction, Graph};
use muffliato_account::{
    AccountError, Calibration, Choice, Collusion, Compared, Designed, Knowledge, NoiseLaw,
    PlanBrief, Rival, Target, Terms, rounded, rounded_up,
};
use muffliato_design::to_json;
use serde_json::{Value, json};
use std::io::Write;

/// Describes the part of a row that was not finished in time.
fn unfinished_text(row: &Compared) -> Option<String> {
    match &row.found {
        Ok(found) if found.is_partial() => {
            Some(format!("{} with {}", row.rival.as_str(), untried(found)))
        }
        found => is_late(found).then(|| row.rival.as_str().to_string()),
    }
}

/// Returns `true` if nothing was finished in time.
fn is_late(found: &Result<Calibration, AccountError>) -> bool {
    let late = |error: &AccountError| {
        matches!(error, AccountError::OutOfTime { .. }) || error.is_cancelled()
    };
    found.as_ref().is_err_and(late)
}

/// Explains why a row has no calibration.
fn reason(row: &Compared, error: &AccountError) -> String {
    match is_late(&row.found) {
        true => "the time was up before it was calibrated".into(),
        false => error.to_string(),
    }
}

/// Returns the expected error, if all observers were looked at.
fn promised_error(row: &Compared) -> Option<f64> {
    let found = row.found.as_ref().ok()?;
    found.sigma().ok()?;
    found.expected_error
}

/// Describes what a protocol needs.
fn needs(rival: Rival, partners: &str, secrets: bool) -> String {
    match rival {
        Rival::Designed if !secrets => {
            "it needs no keys, and every draw has a size of its own (--plan-out FILE writes it)"
                .into()
        }
        Rival::Designed => format!(
            "every {partners} need a shared key and every draw a size of its own (--plan-out FILE writes it)"
        ),
        Rival::Masked | Rival::Both => format!("every {partners} need a shared key"),
        Rival::OneShot | Rival::Refreshed => "it needs no keys".into(),
    }
}

/// Describes the gap of a plan, the pairs that bind, and what a missing node costs.
fn designed_text(designed: &Designed, graph: &Graph) -> String {
    let Designed { plan, missing, problem, .. } = designed;
    let ends = plan.multiples_of_trusted();
    [gap_text(ends, problem.secrets()), binding_text(plan, graph), missing_text(missing, graph)]
        .join("\n")
}

/// Returns the certified ends of a plan and the pairs that bind as JSON.
fn designed_json(designed: &Designed, graph: &Graph) -> Value {
    let ends = designed.plan.multiples_of_trusted();
    json!({
        "over_trusted": {"lower": ends.lower, "upper": ends.upper},
        "gap_percent": 100.0 * ends.gap(),
        "status": status(designed.problem.secrets()),
        "binding_pairs": binding_json(&designed.plan, graph),
    })
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
    /// The noise of local differential privacy.
    local_sigma: f64,
    /// Whether nodes share secrets.
    secrets: bool,
    /// Two nodes that share a key.
    partners: &'static str,
    /// The protocols, those with the smallest expected error first.
    rows: Vec<Compared>,
}

/// Simpler protocols are recommended where others save less than this part.
const WORTH_IT: f64 = 0.02;

/// Calibrates one-shot, refreshed and masked averaging and their combination, each with the best
/// parameters tried.
pub fn run(
    asked: &Calibrate,
    loaded: &Loaded,
    local: f64,
    session: &Session,
) -> anyhow::Result<()> {
    let mut arguments = asked.arguments("one-shot".parse()?);
    arguments.sizes = SizeArgs::default();
    let protocol = arguments.protocol(loaded, asked.target.sensitivity, local, session)?;
    let question = asked.observers.asked_by_calibration(&loaded.graph, session)?;
    let target = asked.target.target();
    let bar = session.progress("observers");
    let account = asked.accountant(&question, Account::of(&protocol), &bar, session)?;
    let named = asked.protocol.as_ref().map(|_| "--protocol designed");
    if let Some(option) = named.or(asked.target.plan_option()) {
        let engine = (asked.engine.choice() != Choice::Auto)
            .then_some("a plan is certified by rules of its own, whatever --engine says");
        if let Some(reason) = account.no_plan(&target).or(engine) {
            bail!("{option}: {reason}; leave out what asks for that");
        }
        drop(account);
        drop(bar);
        let Calibrate { target, gossip, output, .. } = asked;
        return PlanRequest { loaded, target, gossip, output }.run(session);
    }
    let terms = Terms {
        secrets: asked.target.secrets,
        masks: asked.mask_search(loaded)?,
        designs_at_any_size: asked.target.plan_out.is_some(),
        gap: asked.target.gap / 100.0,
        collude: asked.target.collude,
        ..Terms::default()
    };
    let rows = match account.compare(&target, asked.target.sensitivity, &terms) {
        Err(error) if account.is_late(&error) => return Err(NOTHING_CALIBRATED.into()),
        rows => rows?,
    };
    let baselines = account.baselines(&target, asked.target.sensitivity)?;
    let local_sigma = account.local_sigma(&target, asked.target.sensitivity)?;
    drop(account);
    drop(bar);
    if let Some(path) = &asked.target.plan_out {
        for row in rows.iter().filter(|row| row.rival == Rival::Designed) {
            match (&row.designed, &row.found) {
                (Some(designed), _) => {
                    let unit = PlanBrief::new(target, asked.target.sensitivity).sigma()?;
                    let noise = asked.target.noise(unit);
                    let Designed { plan, problem, .. } = &**designed;
                    save_text(path, &to_json(problem, plan.plan(), plan.proof(), Some(noise))?)?;
                }
                (None, Err(error)) if !is_late(&row.found) => {
                    bail!("--plan-out: there is no designed plan: {error}")
                }
                _ => {}
            }
        }
    }
    let comparison = Comparison {
        loaded,
        law: asked.law.law,
        collude: asked.target.collude,
        sight: question.sight,
        target,
        baselines,
        local_sigma,
        secrets: asked.target.secrets,
        partners: asked.target.masks.mask_graph.partners(),
        rows,
    };
    asked.output.deliver(&comparison)?;
    match &comparison.unfinished()[..] {
        [] => Ok(()),
        what => {
            Err(Partial(format!("the time is up: there was none for {}", what.join("; "))).into())
        }
    }
}

impl Comparison<'_> {
    /// Returns a successful calibration. All have the same sources and observers.
    fn found(&self) -> Option<&Calibration> {
        self.rows.iter().find_map(|row| row.found.as_ref().ok())
    }

    fn designed(&self) -> Option<&Designed> {
        self.rows.iter().find_map(|row| row.designed.as_deref())
    }

    fn protected_pairs(&self) -> String {
        self.found()
            .map_or(self.target.protect.to_string(), |found| protected_pairs(&self.target, found))
    }

    fn caveats(&self) -> Vec<String> {
        self.found().map_or(Vec::new(), |found| caveats(found, self.sight))
    }

    /// Describes the parts that were not finished in time.
    fn unfinished(&self) -> Vec<String> {
        let mut all: Vec<String> = self.rows.iter().filter_map(unfinished_text).collect();
        if self.designed().is_some_and(|designed| designed.late) {
            all.push("a smaller gap of the designed plan".into());
        }
        if let Some(size) = self.collude {
            let found = self.rows.iter().filter(|row| row.found.is_ok());
            let alone = found.filter(|row| row.collusion.is_none());
            all.extend(
                alone.map(|row| format!("coalitions of {size} against {}", row.rival.as_str())),
            );
        }
        all
    }

    /// Returns the simplest protocol whose error is within [`WORTH_IT`] of the smallest one, if it
    /// is smaller than that of local differential privacy.
    fn best(&self) -> Option<(&Compared, f64)> {
        let promised = self.rows.iter().filter_map(|row| Some((row, promised_error(row)?)));
        let better = promised.filter(|(_, error)| *error < self.baselines.0);
        let least = better.clone().map(|(_, error)| error).fold(f64::INFINITY, f64::min);
        let near = better.filter(|(_, error)| *error <= (1.0 + WORTH_IT) * least);
        near.min_by_key(|(row, _)| row.rival)
    }

    /// Returns what to do, in one sentence, after a warning where nothing is better than LDP.
    fn recommendation(&self) -> String {
        if self.rows.iter().all(|row| promised_error(row).is_none()) {
            return "Recommendation: none, because no error is known for a target that holds towards all observers."
                .into();
        }
        let Some((row, error)) = self.best() else {
            let untried = self.rows.iter().filter(|row| {
                is_late(&row.found) || matches!(row.found, Err(AccountError::PlanTakesLong))
            });
            let untried: Vec<_> = untried.map(|row| row.rival.as_str()).collect();
            if !untried.is_empty() {
                return format!(
                    "Recommendation: none yet. What was tried is no better than LDP, and {} was not tried; muffliato plan may find less noise.",
                    untried.join(", ")
                );
            }
            return "Warning: no protocol here is better than LDP.\nRecommendation: use LDP: it needs no keys, and nothing here has a smaller error."
                .into();
        };
        let neighbours = match &row.found {
            Ok(found) if found.neighbour_epsilon > self.target.epsilon * 1.01 => format!(
                "; a node has an epsilon of {} towards its neighbours",
                rounded_up(found.neighbour_epsilon)
            ),
            _ => String::new(),
        };
        let name = match row.rival {
            Rival::Designed => "the designed plan",
            Rival::Both => "fresh noise and masks (both)",
            rival => rival.as_str(),
        };
        let least = self.rows.iter().filter_map(promised_error).fold(f64::INFINITY, f64::min);
        let simpler = match error > least {
            true => format!(
                "; no other protocol saves more than {:.0} % of the error, and this is the simplest of those",
                100.0 * WORTH_IT
            ),
            false => String::new(),
        };
        format!(
            "Recommendation: use {name}: {}, and the error is {} times smaller than LDP's{neighbours}{simpler}.",
            needs(row.rival, self.partners, self.secrets),
            rounded(self.baselines.0 / error),
        )
    }

    fn cells(&self, row: &Compared) -> Vec<String> {
        let mut cells = vec![row.rival.as_str().to_string()];
        let Ok(found) = &row.found else {
            cells.extend(["-"; 7].map(String::from));
            cells.extend(self.collude.iter().flat_map(|_| ["-"; 2].map(String::from)));
            return cells;
        };
        let shown = |part: Option<Fraction>| part.map_or("-".into(), Fraction::decimal);
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
            shown(found.sizes().tau),
            shown(found.sizes().kappa),
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
             estimates, for inputs that are uniform in an interval.{}",
            self.loaded.described(),
            self.target.epsilon,
            self.target.delta,
            self.protected_pairs(),
            match self.law {
                NoiseLaw::Gaussian => "Gaussian noise".to_string(),
                law => law.described(),
            },
            if self.secrets { " Masks take shared secrets (masked, both, designed)." } else { "" },
        )?;
        if let Some(size) = self.collude {
            writeln!(
                out,
                "Coalitions of {size}: the epsilon of the worst coalition found (others may learn more), and a certified one for every coalition."
            )?;
        }
        writeln!(out)?;
        let mut head =
            String::from("protocol,steps,tau,kappa,sigma,error,over trusted,eps of neighbours");
        if self.collude.is_some() {
            head += ",coalition found,every coalition";
        }
        let (local, central) = self.baselines;
        let baseline = |name: &str, sigma: String, error: f64, neighbour: String| {
            let mut row = vec![name.to_string()];
            row.extend(["-"; 3].map(String::from));
            row.push(sigma);
            row.extend([rounded(error), rounded(error / central), neighbour.clone()]);
            // Under LDP a coalition sees what everybody sees.
            row.extend(self.collude.iter().flat_map(|_| [neighbour.clone(), neighbour.clone()]));
            row
        };
        let Target { epsilon, neighbour_epsilon, .. } = self.target;
        let epsilon = rounded_up(neighbour_epsilon.map_or(epsilon, |near| near.min(epsilon)));
        let sigma = rounded_up(self.local_sigma);
        let mut rows = vec![
            (central, baseline("trusted aggregator", "-".into(), central, "-".into())),
            (local, baseline("local (LDP)", sigma, local, epsilon)),
        ];
        for row in &self.rows {
            let error = row.found.as_ref().ok().and_then(|found| found.expected_error);
            rows.push((error.unwrap_or(f64::INFINITY), self.cells(row)));
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let rows: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
        write!(out, "{}", table::aligned(&head, &rows))?;
        for row in &self.rows {
            match (&row.found, unfinished_text(row)) {
                (Err(error), _) => {
                    writeln!(out, "\n{}: {}", row.rival.as_str(), reason(row, error))?
                }
                (Ok(_), Some(what)) => writeln!(
                    out,
                    "\nPartial: there was no time for {what}. The noise meets the target."
                )?,
                (Ok(_), None) => {}
            }
            if let Some(Collusion { coalitions, .. }) = &row.collusion {
                write!(
                    out,
                    "\n{}: every coalition {};",
                    row.rival.as_str(),
                    coalitions.evidence.described()
                )?;
                if let Some(worst) = &coalitions.found {
                    let graph = &self.loaded.graph;
                    let (members, source) = (member_names(worst, graph), graph.label(worst.source));
                    write!(out, " the worst found is {members} about {source}")?;
                }
            }
        }
        if self.collude.is_some() {
            writeln!(out)?;
        }
        if let Some(designed) = self.designed() {
            writeln!(out, "\n{}", designed_text(designed, &self.loaded.graph))?;
        }
        for caveat in self.caveats() {
            writeln!(out, "\n{caveat}")?;
        }
        Ok(writeln!(out, "\n{}", self.recommendation())?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "# for {}", self.protected_pairs())?;
        for caveat in self.caveats() {
            writeln!(out, "# {caveat}")?;
        }
        writeln!(out, "# {}", self.recommendation().replace('\n', " "))?;
        for what in self.unfinished() {
            writeln!(out, "# partial: no time for {what}")?;
        }
        let rows = self.rows.iter().filter_map(|row| {
            let (found, all) = (row.found.as_ref().ok()?, row.collusion.as_ref());
            Some([
                row.rival.as_str().into(),
                (self.secrets && row.rival.needs_secrets()).to_string(),
                found.protocol.steps().to_string(),
                cell(found.sizes().tau),
                cell(found.sizes().kappa),
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
        let row = |row: &Compared| {
            let found = row.found.as_ref().ok();
            let sizes = found.map(Calibration::sizes);
            json!({
                "protocol": row.rival.as_str(),
                "secrets": self.secrets && row.rival.needs_secrets(),
                "refused": row.found.as_ref().err().map(|error| reason(row, error)),
                "steps": found.map(|found| found.protocol.steps()),
                "tau": sizes.and_then(|sizes| sizes.tau).map(|tau| tau.to_string()),
                "kappa": sizes.and_then(|sizes| sizes.kappa).map(|kappa| kappa.to_string()),
                "sigma": found.map(Calibration::sigma_for_those_seen),
                "expected_error": found.and_then(|found| found.expected_error),
                "neighbour_epsilon": found.map(|found| found.neighbour_epsilon),
                "status": found.map(|found| found.largest.as_str()),
                "collude": row.collusion.as_ref().map(|all| collusion_json(all, &self.loaded.graph)),
            })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        let fields = fields! {
            "graph": self.loaded.json(),
            "epsilon": self.target.epsilon,
            "delta": self.target.delta,
            "protect": self.protected_pairs(),
            "view": self.sight.as_str(),
            "remarks": self.caveats(),
            "partial": !self.unfinished().is_empty(),
            "unfinished": self.unfinished(),
            "noise": self.law.to_string(),
            "local_error": self.baselines.0,
            "trusted_error": self.baselines.1,
            "local_sigma": self.local_sigma,
            "protocols": rows,
            "designed": self.designed().map(|designed| designed_json(designed, &self.loaded.graph)),
            "recommendation": self.recommendation(),
        };
        write_json(out, &fields)
    }
}
