//! The best noise plan beside the other protocols.

use super::super::atomic_file::write_file;
use super::super::input::{Acceleration, Asked, Loaded, Steps};
use super::super::plan::{
    OneMissing, binding_json, binding_text, find, fraction_below, gap_text, missing_text,
    one_missing,
};
use super::super::session::{Bar, NothingFinished, Session};
use super::Calibrate;
use muffliato::prelude::*;
use muffliato_account::{
    Account, Calibration, Knowledge, NoiseLaw, Observers, Protect, Sources, Target,
};
use muffliato_design::{Design, DesignError, Ends, LocalNoise, Problem, Targets};
use serde_json::{Value, json};

/// The gap of the plan to the lower bound.
const GAP: f64 = 0.01;

/// Largest product of nodes and squared draws for which a plan is designed unasked, some seconds.
const MOST_WORK: f64 = 1e8;

/// A designed plan with what is told about it.
pub struct Designed {
    /// The noise that the accountant finds for the plan.
    pub found: Calibration,
    plan: Design,
    missing: OneMissing,
    /// `true` if the time was too short for the gap.
    pub late: bool,
}

/// Why there is no designed plan.
pub enum Refusal {
    /// The time was up.
    Late,
    /// A plan does not apply here.
    Because(String),
}

impl Designed {
    /// Designs the plan for the target, writes it to `--plan-out`, and calibrates it.
    pub fn find(
        asked: &Calibrate,
        loaded: &Loaded,
        question: &Asked,
        account: &Account<'_>,
        bar: &Bar,
        session: &Session,
    ) -> anyhow::Result<Result<Self, Refusal>> {
        let refused = |why: &str| Ok(Err(Refusal::Because(why.into())));
        if let Some(why) = asked.no_plan(question) {
            return refused(why);
        }
        let (target, graph) = (asked.target(), &loaded.graph);
        let plain = account.protocol();
        let Some(network) = plain.fixed_network() else {
            return refused("a plan is for a fixed graph");
        };
        let mask_graph = asked.mask_graph.on(graph)?;
        let draws = (graph.nodes() + mask_graph.edge_count()) as f64;
        if asked.plan_out.is_none() && graph.nodes() as f64 * draws * draws > MOST_WORK {
            return refused("it takes long on this graph; muffliato plan or --plan-out finds it");
        }
        // Masks take longer to mix.
        let steps = match asked.steps {
            Steps::Given(steps) => steps,
            Steps::Auto => 3 * plain.steps(),
        };
        let sigma = account.local_sigma(&target, asked.sensitivity)?;
        let Some(targets) = targets(&target, sigma, account, asked.sensitivity)? else {
            return refused("the two epsilons are too far apart");
        };
        let problem = Problem::new(network.clone(), steps)
            .and_then(|problem| problem.with_mask_graph(mask_graph)?.with_targets(targets));
        let problem = match problem {
            Err(error @ (DesignError::TooLarge { .. } | DesignError::NoTargets)) => {
                return refused(&error.to_string());
            }
            problem => problem?,
        };
        let (plan, late) = match find(&problem, GAP, session) {
            Err(error) if error.is::<NothingFinished>() => return Ok(Err(Refusal::Late)),
            Err(error) => match error.downcast_ref() {
                Some(error @ DesignError::TooLarge { .. }) => return refused(&error.to_string()),
                _ => return Err(error),
            },
            Ok(found) => found,
        };
        let planned = Protocol::one_shot(network.clone(), steps)?.with_plan(plan.plan().clone())?;
        let account =
            asked.accountant(question, Account::of(&planned).closed_forms(), bar, session)?;
        let found = match account.calibrate(&target, asked.sensitivity) {
            Err(error) if account.is_late(&error) => return Ok(Err(Refusal::Late)),
            found => found?,
        };
        let missing = match session.deadline {
            Some(_) => OneMissing::NotAsked("the time is limited"),
            None => {
                one_missing(&problem, &plan, (asked.sensitivity, sigma, target.delta), |_| true)?
            }
        };
        if let Some(path) = &asked.plan_out {
            let noise = LocalNoise {
                sigma,
                sensitivity: asked.sensitivity,
                epsilon: target.epsilon,
                delta: target.delta,
            };
            let text = plan.to_json_with(&problem, noise)?;
            write_file(path, |out| Ok(writeln!(out, "{text}")?))?;
            session.note(&format!("wrote {}", path.display()));
        }
        Ok(Ok(Self { found, plan, missing, late }))
    }

    /// Returns the certified ends of the least error, in multiples of a trusted aggregator's.
    fn ends(&self) -> Ends {
        self.plan.multiples_of_trusted()
    }

    /// Describes the gap, the pairs that bind, and what a missing node costs.
    pub fn described(&self, graph: &Graph) -> String {
        [gap_text(self.ends()), binding_text(&self.plan, graph), missing_text(&self.missing, graph)]
            .join("\n")
    }

    /// Returns the certified ends and the pairs that bind as JSON.
    pub fn json(&self, graph: &Graph) -> Value {
        let ends = self.ends();
        json!({
            "over_trusted": {"lower": ends.lower, "upper": ends.upper},
            "gap_percent": 100.0 * ends.gap(),
            "status": "certified, judged by the masked bound",
            "binding_pairs": binding_json(&self.plan, graph),
        })
    }
}

impl Calibrate {
    /// Explains why no plan applies to this question.
    fn no_plan(&self, question: &Asked) -> Option<&'static str> {
        let all = matches!(question.observers, Observers::All)
            && matches!(question.sources, Sources::All)
            && question.sight == Knowledge::Full;
        Some(match () {
            () if !self.secrets => {
                "masks need secrets; without them a node that is protected from its neighbours needs the noise of LDP"
            }
            () if self.protect == Protect::Mean => "a plan is for pairs, and not for the mean",
            () if !all => "a plan is for all nodes and single observers that forget nothing",
            () if self.law.law != NoiseLaw::Gaussian => {
                "a plan is for Gaussian noise in real numbers, and not on a grid"
            }
            () if self.accelerate != Acceleration::Off => {
                "a plan is for gossip without acceleration"
            }
            () => return None,
        })
    }
}

/// Returns the target losses in units of that of LDP with noise sigma, rounded down; `None` if they
/// are out of range.
fn targets(
    target: &Target,
    sigma: f64,
    account: &Account<'_>,
    sensitivity: f64,
) -> anyhow::Result<Option<Targets>> {
    let least = match target.protect {
        Protect::Distance(least) => least.max(1),
        Protect::All | Protect::Mean => 1,
    };
    let Some(epsilon) = target.neighbour_epsilon else {
        let near = std::iter::repeat_n(None, least - 1);
        return Ok(Some(match least {
            1 => Targets::All(Fraction::ONE),
            _ => Targets::ByDistance(near.chain([Some(Fraction::ONE)]).collect()),
        }));
    };
    let near = Target { epsilon, ..*target };
    let ratio = (sigma / account.local_sigma(&near, sensitivity)?).next_down();
    let Some(near) = fraction_below((ratio * ratio).next_down()) else {
        return Ok(None);
    };
    // The epsilon of neighbours is for all pairs.
    let far = if ratio < 1.0 { near } else { Fraction::ONE };
    let list = std::iter::repeat_n(Some(near), least - 1).chain([Some(far)]);
    Ok(Some(Targets::ByDistance(list.collect())))
}
