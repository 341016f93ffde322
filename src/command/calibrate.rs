//! `muffliato calibrate`: finds the smallest noise that meets a target.

use super::account::{EngineArgs, StepArgs};
use super::input::{
    GossipArgs, GraphArgs, LawArgs, Loaded, MaskGraph, ObserverArgs, ProtocolArgs, Selected,
    SizeArgs, Steps, help_on_graphs,
};
use super::output::{OutputArgs, Report, cell, fields, write_csv, write_json};
use super::plan::TargetArgs;
use super::session::{Bar, NothingFinished, Partial, Session};
use anyhow::{Context, bail};
use clap::Args;
use muffliato::model::{ProtocolSpec, ScheduleSpec};
use muffliato::prelude::*;
use muffliato_account::{
    Account, AccountBuilder, AccountError, Calibration, Choice, Collusion, Guarantee, Knowledge,
    Losses, MaskSearch, NoiseLaw, Protect, ProvedFor, ScheduleBound, Sources, Target, Tried, Unit,
    WorstFound, rounded, rounded_up,
};
use serde_json::json;
use std::io::Write;

mod comparison;

/// Arguments of `calibrate`.
#[derive(Args)]
#[command(
    after_help = help_on_graphs(),
    after_long_help = format!("{EXAMPLES}\n{}", help_on_graphs()),
    mut_arg("observers", |argument| argument.help(
        "The observers: all, sample:N for N evenly spaced nodes, or a list of names. By default all nodes observe; \
         a sample guarantees nothing against the others"
    ))
)]
pub struct Calibrate {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// The protocol, as in account. For refreshed without :TAU and masked without :KAPPA, the best
    /// value tried is used; designed finds the best plan, as muffliato plan does. Without this option, all protocols are compared.
    #[arg(long, value_name = "PROTOCOL")]
    protocol: Option<String>,
    /// Calibrate for the one schedule that randomized:SEED or dropout:Q:SEED draws, if exactly that
    /// schedule will run. By default the noise is enough for every schedule that may be drawn.
    #[arg(long)]
    schedule_is_fixed: bool,
    #[command(flatten)]
    gossip: GossipArgs,
    #[command(flatten)]
    descent: StepArgs,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  muffliato calibrate hypercube:4 --epsilon 1 --delta 1e-6
  muffliato calibrate karate --epsilon 1 --delta 1e-6 --steps 80 --plan-out plan.json
  muffliato calibrate hypercube:3 --epsilon 1 --delta 1e-6 --missing 1
  muffliato calibrate karate --epsilon 1 --delta 1e-6 --protect 'distance>=3' --protocol refreshed --steps 6
  muffliato calibrate hypercube:6 --epsilon 1 --delta 1e-6 --protect mean --protocol one-shot --steps 8
  muffliato calibrate hypercube:4 --epsilon 1 --delta 1e-6 --protocol masked:8 --collude 2
  muffliato calibrate hypercube:4 --epsilon 1 --delta 1e-6 --protocol masked:8 --noise rounded:2^-20
  muffliato calibrate karate --epsilon 1 --delta 1e-6 --protect 'distance>=3' --protocol gd:10x1
";

/// Smallest epsilon for which a warning is printed.
const WEAK: f64 = 10.0;

/// A calibration with the text around it.
struct CalibrationReport {
    loaded: Loaded,
    /// The protocol in words.
    described: String,
    /// `true` if the protocol draws a schedule.
    drawn: bool,
    /// `true` if nodes may drop out.
    drops_out: bool,
    target: Target,
    /// Number of nodes that are protected together.
    group: usize,
    /// Number of inputs of each node, or of the group.
    inputs: usize,
    sight: Knowledge,
    lipschitz: Fraction,
    found: Calibration,
    /// The mean Renyi loss of order 2 and the mean delta, with `--protect mean`.
    means: Option<(f64, f64)>,
    collusion: Option<Collusion>,
    /// Descriptions of the parts that were not finished in time.
    unfinished: Vec<String>,
}

/// The error of a calibration without any finished protocol, since a guarantee covers every
/// observer.
const NOTHING_CALIBRATED: NothingFinished = NothingFinished(
    "no protocol was checked against all observers; allow more time, take fewer --steps, or name a \
     protocol with its parameters, such as --protocol refreshed:0.1",
);

/// Converts a timeout into `None`.
fn in_time<T>(
    account: &Account<'_>,
    found: Result<T, AccountError>,
) -> Result<Option<T>, AccountError> {
    match found {
        Err(error) if account.is_late(&error) => Ok(None),
        found => found.map(Some),
    }
}

/// Returns the losses to coalitions as JSON.
fn collusion_json(collusion: &Collusion, graph: &Graph) -> serde_json::Value {
    let worst = collusion.coalitions.found.as_ref().map(|worst| {
        let members: Vec<_> = worst.members.iter().map(|&v| graph.label(v)).collect();
        json!({
            "members": members,
            "source": graph.label(worst.source),
            "loss": worst.bound.upper(),
            "epsilon": collusion.found,
            "status": "found: others may learn more",
        })
    });
    json!({
        "size": collusion.coalitions.size,
        "worst_found": worst,
        "every": {
            "of": collusion.coalitions.whom(),
            "distances": collusion.coalitions.bound.conditions().distances,
            "loss": collusion.coalitions.bound.upper(),
            "epsilon": collusion.every,
            "status": "certified",
            "by": collusion.coalitions.evidence.described(),
        },
    })
}

impl Calibrate {
    /// Calibrates the noise and writes the result.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        self.target.check()?;
        let noise =
            ProvedFor::try_new(self.law.law, self.target.sensitivity, self.law.coordinates)?;
        let local = Guarantee::local(noise);
        let local =
            local.sigma_for(self.target.epsilon, self.target.delta, self.target.sensitivity)?;
        let loaded = self.graph.load(session)?;
        let designed = "designed";
        let asked_for = match self.protocol.clone() {
            Some(asked_for) if asked_for != designed => asked_for,
            _ => return comparison::run(&self, &loaded, local, session),
        };
        if let Some(option) = self.target.option_of_plans() {
            bail!(
                "{option} is for plans; write --protocol {designed} in place of {asked_for}, or leave one of them out"
            );
        }
        if !self.target.secrets && asked_for.contains("masked") {
            bail!(
                "--protocol {asked_for} needs shared secrets, and --secrets is no; leave one of them out"
            );
        }
        let search = self.searches();
        let plan = if search {
            ProtocolSpec::default()
        } else {
            asked_for.parse().context("--protocol")?
        };
        let mut arguments = self.arguments(plan);
        if asked_for == "masked" {
            // The search applies the mask graph.
            arguments.sizes = SizeArgs::default();
        }
        let drawn = arguments.protocol.is_random();
        let asked = self.observers.asked_by_calibration(&loaded.graph, session)?;
        let every = if self.schedule_is_fixed {
            None
        } else {
            arguments.schedules(&loaded, self.target.sensitivity, local, session)?
        };
        let one;
        let account = match &every {
            Some(schedules) => Account::of_every(schedules),
            None => {
                one = arguments.protocol(&loaded, self.target.sensitivity, local, session)?;
                Account::of(&one)
            }
        };
        let bar = session.progress("observers");
        let account = self.accountant(&asked, account, &bar, session)?;
        let target = self.target.target();
        let found = match asked_for.as_str() {
            "masked" => account.calibrate_masks(
                &target,
                self.target.sensitivity,
                &self.mask_search(&loaded)?,
            ),
            "refreshed" => account.calibrate_tau(&target, self.target.sensitivity),
            _ => account.calibrate(&target, self.target.sensitivity),
        };
        let found = in_time(&account, found)?.ok_or(NOTHING_CALIBRATED)?;
        arguments.protocol.refresh = found.sizes().tau;
        arguments.protocol.masks = found.sizes().kappa;
        arguments.sizes.masks = self.target.masks.clone();
        let mut unfinished = Vec::new();
        if found.is_partial() {
            unfinished.push(untried(&found));
        }
        let means = match (self.target.protect, found.sigma_for_those_seen()) {
            (Protect::Mean, sigma) if sigma > 0.0 => {
                let curve = found.largest.over_sample(sigma, self.target.sensitivity)?;
                let renyi = (curve.rdp(2.0)? * self.target.runs as f64).next_up();
                let on_found = account.settings().protocol(&found.protocol).build()?;
                let delta = on_found.mean_delta(&target, sigma, self.target.sensitivity);
                let delta = in_time(&account, delta)?;
                if delta.is_none() {
                    unfinished.push("the mean delta".into());
                }
                delta.map(|delta| (renyi, delta))
            }
            _ => None,
        };
        let collusion = match self.target.collude {
            Some(size) => {
                let all = account.collusion(size, &target, &found, self.target.sensitivity);
                let all = in_time(&account, all)?;
                if all.is_none() {
                    unfinished.push(format!("coalitions of {size}"));
                }
                all
            }
            None => None,
        };
        let inputs = account.inputs();
        drop(account);
        drop(bar);
        let report = CalibrationReport {
            described: match &every {
                Some(_) => arguments.described_for_all(&found.protocol),
                None => arguments.described(&found.protocol),
            },
            drawn,
            drops_out: matches!(arguments.protocol.schedule, ScheduleSpec::Dropout { .. }),
            target,
            group: match &asked.sources {
                Sources::Group(members) => members.len(),
                _ => 1,
            },
            inputs,
            sight: asked.sight,
            lipschitz: self.descent.lipschitz,
            found,
            means,
            collusion,
            unfinished,
            loaded,
        };
        self.output.deliver(&report)?;
        match report.unfinished_text() {
            Some(what) => Err(Partial(format!("the time is up: {what}")).into()),
            None => Ok(()),
        }
    }

    /// Returns `true` if parameters of the protocol are searched.
    fn searches(&self) -> bool {
        let named = self.protocol.as_deref();
        named.is_none_or(|named| ["refreshed", "masked"].contains(&named))
    }

    fn arguments(&self, protocol: ProtocolSpec) -> ProtocolArgs {
        let sizes = SizeArgs { plan: None, masks: self.target.masks.clone() };
        ProtocolArgs { gossip: self.gossip.clone(), protocol, sizes }
    }

    /// Returns what a search for masks may choose: a given number of steps is kept.
    fn mask_search(&self, loaded: &Loaded) -> anyhow::Result<MaskSearch> {
        let graph = match self.target.masks.mask_graph {
            MaskGraph::Neighbours => None,
            _ => Some(self.target.masks.mask_graph.on(&loaded.graph)?),
        };
        Ok(MaskSearch { graph, keeps_steps: self.gossip.steps != Steps::Auto })
    }

    /// Configures the accountant for the noise law. A search uses certified floats, since it runs
    /// the account many times.
    fn accountant<'a>(
        &self,
        asked: &Selected,
        account: AccountBuilder<'a>,
        bar: &'a Bar,
        session: &Session,
    ) -> anyhow::Result<Account<'a>> {
        let choice = match self.engine.choice() {
            Choice::Auto if self.searches() => Choice::Fast,
            chosen => chosen,
        };
        let account = asked
            .about(account, choice)
            .lipschitz(self.descent.constants()?)
            .noise(self.law.law, self.target.sensitivity, self.law.coordinates)
            .progress(bar)
            .build()?;
        session.announce(&account, true)?;
        Ok(account)
    }
}

/// Formats the members of a coalition.
fn member_names(worst: &WorstFound, graph: &Graph) -> String {
    let names: Vec<_> = worst.members.iter().map(|&v| graph.label(v)).collect();
    names.join(",")
}

/// Describes the parameters that were not tried in time.
fn untried(found: &Calibration) -> String {
    let name = match found.tried {
        Some(_) => "tau",
        None => "kappa",
    };
    let values: Vec<_> = found.untried.iter().map(|&value| rounded(value.to_f64())).collect();
    format!("{name} of {}", values.join(", "))
}

/// Describes the pairs that a calibration protects.
fn protected_pairs(target: &Target, found: &Calibration) -> String {
    let mut text = target.protect.to_string();
    if found.named {
        text += ", of those who were named alone";
    }
    if let Some(sample) = found.largest.sample() {
        text += &format!(", towards {sample} only");
    }
    if target.runs > 1 {
        text += &format!(", in {} runs together", target.runs);
    }
    text
}

/// Returns the caveats of a calibration.
fn caveats(found: &Calibration, sight: Knowledge) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(sample) = found.largest.sample() {
        all.push(format!(
            "Sampled: {sample} were looked at, and others may learn more. This is not a guarantee; --observers all gives one."
        ));
    }
    if found.named {
        all.push(
            "For the sources and observers that were named: others may lose or learn more.".into(),
        );
    }
    if found.largest.conditions().unit == Unit::RecordAddedOrRemoved {
        all.push(
            "For one record of a node that is added or removed: not for several records, nor for one that is replaced."
                .into(),
        );
    }
    if sight == Knowledge::Paper {
        all.push(
            "Against observers that do not use their own noise (--view paper): others may learn more.".into(),
        );
    }
    all
}

impl CalibrationReport {
    fn protected_pairs(&self) -> String {
        protected_pairs(&self.target, &self.found)
    }

    fn tau(&self) -> Option<Fraction> {
        self.found.sizes().tau
    }

    /// Returns `every` or `one`, if a schedule is drawn.
    fn schedule(&self) -> Option<&'static str> {
        match self.found.every {
            Some(_) => Some("every"),
            None => self.drawn.then_some("one"),
        }
    }

    /// Describes the parts that were not finished in time.
    fn unfinished_text(&self) -> Option<String> {
        let what = self.unfinished.join("; ");
        (!what.is_empty()).then(|| format!("there was none for {what}"))
    }

    /// Describes the pairs to which the epsilon of local differential privacy applies.
    fn neighbour(&self) -> &'static str {
        match self.group {
            1 => "towards a neighbour",
            _ => "for the group towards its neighbours",
        }
    }

    /// Explains why a protected node loses as much as under local privacy.
    fn why_local(&self) -> String {
        let graph = &self.loaded.graph;
        let leaf = (0..graph.nodes()).find(|&node| graph.degree(node) == 1);
        match (self.found.protocol.masks(), leaf) {
            (Some(_), Some(leaf)) => format!(
                "Node {} has a single neighbour, which therefore sees its noisy input",
                graph.label(leaf)
            ),
            (None, _) if self.target.protect == Protect::All => {
                "Every node sends its noisy input to its neighbours".into()
            }
            _ => "An observer may be able to work out the noisy input of a protected node".into(),
        }
    }

    /// Suggests options that need less noise.
    fn suggestion(&self) -> &'static str {
        if self.target.protect == Protect::All {
            "--protect 'distance>=2' and --protect mean ask for less; masks protect neighbours, too."
        } else {
            "Fresh noise (refreshed) and masks lose less."
        }
    }

    /// Returns the remarks about the result.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = caveats(&self.found, self.sight);
        let loss = &self.found.largest;
        if let Some(what) = self.unfinished_text() {
            remarks.push(format!(
                "Partial: the time was up, and {what}. The noise meets the target; another choice may have a smaller error."
            ));
        }
        if let Some(by) = self.found.every {
            remarks.push(format!("Holds for every schedule, {}.", by.described()));
            if self.found.protocol.masks().is_some() && self.drops_out {
                remarks.push(
                    "Masks are shared by those who are there at the first step, and a node may be alone then: they promise nothing here.".into(),
                );
            }
            let local = by == ScheduleBound::Local && self.tau().is_some();
            if local && loss.conditions().noise.law() == NoiseLaw::Gaussian {
                remarks.push(
                    "Against the worst schedule, fresh noise does not protect neighbours, and protects other nodes only if tau is near 1 or larger.".into(),
                );
            }
        } else if self.drawn {
            remarks.push(
                "For the one schedule that was drawn; another one may need more noise.".into(),
            );
        }
        if let Losses::Lipschitz(_) = &loss.conditions().losses {
            remarks.push(format!(
                "Holds for real losses whose steps x - nu grad f(x) are {}-Lipschitz{}, and for {}; \
                 any other loss function needs the noise of LDP for {} inputs.",
                self.lipschitz,
                if self.lipschitz == Fraction::ONE {
                    ", as for convex beta-smooth ones with nu at most 2/beta"
                } else {
                    ""
                },
                loss.conditions().inputs,
                self.inputs
            ));
        }
        if let Some((renyi, delta)) = self.means {
            remarks.push(format!(
                "The mean is not an (epsilon, delta) guarantee, and guarantees nothing for a single pair: with this noise the mean Renyi loss of \
                 order 2 is at most {}, and the mean delta at epsilon {} at most {}.",
                rounded_up(renyi),
                self.target.epsilon,
                rounded_up(delta)
            ));
        }
        if self.found.neighbour_epsilon > WEAK {
            remarks.push(format!(
                "An epsilon above {WEAK} protects very little: that of neighbours is {}. --neighbour-epsilon E limits it.",
                rounded_up(self.found.neighbour_epsilon)
            ));
        }
        if let Some(Tried { at_edge: true, largest, .. }) = self.found.tried {
            let tau = self.tau().map_or(0.0, Fraction::to_f64);
            let remark = if tau == largest {
                "tau is the largest that was tried: a larger one may need less noise, but protects neighbours less; \
                 --protocol refreshed:TAU takes it."
            } else {
                "tau is the smallest that was tried; --protocol refreshed:TAU takes a smaller one."
            };
            remarks.push(remark.into());
        }
        if loss.upper() >= self.inputs as f64 {
            remarks.push(format!(
                "{}: this takes the noise of local privacy (LDP). {}",
                self.why_local(),
                self.suggestion()
            ));
        }
        remarks
    }
}

impl Report for CalibrationReport {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let graph = &self.loaded.graph;
        writeln!(
            out,
            "{}, {}.\n\
             Target: the loss of ({}, {:e})-differential privacy, for {}.\n",
            self.loaded.described(),
            self.described,
            self.target.epsilon,
            self.target.delta,
            self.protected_pairs(),
        )?;
        if let Some(kappa) = self.found.sizes().kappa {
            writeln!(out, "kappa     {}", kappa.decimal())?;
        }
        if let Some(tau) = self.tau() {
            let tried = self.found.tried.map_or(String::new(), |tried| {
                format!(
                    " (the best of {} that were tried, {} to {})",
                    tried.count,
                    rounded(tried.smallest),
                    rounded(tried.largest)
                )
            });
            writeln!(out, "tau       {}{tried}", tau.decimal())?;
        }
        let loss = &self.found.largest;
        let word = self.found.largest.as_str();
        writeln!(out, "loss      {} ({word}, in units of L)", rounded_up(loss.upper()))?;
        let sigma = rounded_up(self.found.sigma_for_those_seen());
        let drawn = match loss.conditions().noise.law() {
            NoiseLaw::Gaussian => "of Gaussian noise".to_string(),
            law => format!("of {}", law.described()),
        };
        writeln!(out, "sigma     {sigma} ({drawn}, rounded up)")?;
        writeln!(
            out,
            "epsilon   {} {}, at the same delta",
            rounded_up(self.found.neighbour_epsilon),
            self.neighbour()
        )?;
        if let Some(collusion) = &self.collusion {
            let size = collusion.coalitions.size;
            if let (Some(epsilon), Some(worst)) = (collusion.found, &collusion.coalitions.found) {
                writeln!(
                    out,
                    "epsilon   {} for {} towards {}, the worst coalition of {size} found",
                    rounded_up(epsilon),
                    graph.label(worst.source),
                    member_names(worst, graph),
                )?;
            }
            writeln!(
                out,
                "epsilon   {} towards every coalition of {size} (certified)\n          for {}, {}",
                rounded_up(collusion.every),
                collusion.coalitions.whom(),
                collusion.coalitions.evidence.described(),
            )?;
        }
        if let (Some(ours), Some((local, central))) =
            (self.found.expected_error, self.found.baselines)
        {
            let of = match self.found.every {
                Some(_) => ", of the schedule that the seed draws",
                None => "",
            };
            writeln!(
                out,
                "\nExpected error{of}, for inputs that are uniform in an interval (estimates):"
            )?;
            writeln!(out, "trusted aggregator  {}", rounded(central))?;
            writeln!(out, "this protocol       {}", rounded(ours))?;
            writeln!(out, "local (LDP)         {}", rounded(local))?;
        }
        for remark in self.remarks() {
            writeln!(out, "\n{remark}")?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let graph = &self.loaded.graph;
        let found = &self.found;
        let errors = found.expected_error.zip(found.baselines).map(|(ours, (local, central))| {
            json!({"protocol": ours, "local": local, "trusted_aggregator": central, "status": "estimate"})
        });
        let loss = &found.largest;
        let sampled = found.largest.sample();
        let sampled = sampled.map(|sample| json!({"observers": sample.observers, "of": sample.of}));
        let tried = found.tried.map(|tried| {
            json!({
                "count": tried.count,
                "smallest": tried.smallest,
                "largest": tried.largest,
                "at_edge": tried.at_edge,
            })
        });
        let on_grid = loss.conditions().noise.law() != NoiseLaw::Gaussian;
        let collusion = self.collusion.as_ref();
        let fields = fields! {
            "graph": self.loaded.json(),
            "protocol": self.described,
            "guarantee": loss.conditions(),
            "target": json!({
                "epsilon": self.target.epsilon,
                "delta": self.target.delta,
                "neighbour_epsilon": self.target.neighbour_epsilon,
                "runs": self.target.runs,
            }),
            "protect": self.protected_pairs(),
            "named": found.named,
            "view": self.sight.as_str(),
            "lipschitz": loss.conditions().losses.constant().map(|constant| constant.to_string()),
            "tau": self.tau().map(|tau| tau.to_string()),
            "tried": tried,
            "leakage": json!({"upper": loss.upper(), "status": found.largest.as_str()}),
            "sampled": sampled,
            "schedule": self.schedule(),
            "schedule_by": found.every.map(ScheduleBound::described),
            "partial": !self.unfinished.is_empty(),
            "unfinished": self.unfinished,
            "sigma": found.sigma_for_those_seen(),
            "noise": loss.conditions().noise.law().to_string(),
            "coordinates": on_grid.then_some(loss.conditions().noise.coordinates()),
            "neighbour_epsilon": found.neighbour_epsilon,
            "collude": collusion.map(|collusion| collusion_json(collusion, graph)),
            "mean_renyi_loss": self.means.map(|means| means.0),
            "mean_delta": self.means.map(|means| means.1),
            "expected_error": errors,
            "remarks": self.remarks(),
        };
        write_json(out, &fields)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "# for {}", self.protected_pairs())?;
        for remark in self.remarks() {
            writeln!(out, "# {}", remark.replace('\n', " "))?;
        }
        let found = &self.found;
        let row = [
            cell(self.tau()),
            found.largest.upper().to_string(),
            found.largest.as_str().into(),
            found.sigma_for_those_seen().to_string(),
            found.neighbour_epsilon.to_string(),
            cell(found.expected_error),
            cell(found.baselines.map(|baselines| baselines.0)),
            cell(found.baselines.map(|baselines| baselines.1)),
            cell(self.schedule()),
        ];
        let head =
            "tau,leakage,status,sigma,neighbour_epsilon,error,error_local,error_trusted,schedule";
        write_csv(out, head, [row])
    }
}
