//! What is told of losses by distance, whether they were computed at once or in parts: under which conditions, and what is promised.

use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    output::fields,
    table,
};
use anyhow::{Context, bail};
use muffliato::model::LossModel;
use muffliato::prelude::*;
use muffliato_account::{
    Class, Inputs, Loss, NoiseLaw, Sight, Spread, Status, Summary, rounded, rounded_up,
};
use serde_json::{Value, json};

/// Under which conditions losses hold.
#[derive(Clone)]
pub struct Conditions {
    graph: Value,
    protocol: Value,
    /// The graph, the weights and the protocol, for people.
    described: String,
    sight: Sight,
    engine: String,
    /// Whether it is gradient descent.
    descends: bool,
    masked: bool,
    model: String,
    /// How many nodes are protected together.
    group: usize,
    /// Whether the schedule was drawn.
    drawn: bool,
}

/// Losses by distance and all that is told of them.
pub struct Told<'a> {
    /// Under which conditions they hold.
    pub conditions: Conditions,
    /// The losses.
    pub summary: &'a Summary,
    /// The noise.
    pub noise: &'a NoiseArgs,
}

/// What holds for gradient descent whatever is minimised.
const ANY_LOSSES: &str = "any losses";

impl Conditions {
    /// Single nodes, seen in full by an engine that is not known yet.
    pub fn of(loaded: &Loaded, arguments: &ProtocolArgs, protocol: &Protocol) -> Self {
        let (graph, weights) = (loaded.described(), &arguments.weights);
        let described = arguments.described(protocol);
        Self {
            graph: loaded.json(),
            protocol: arguments.json(protocol),
            described: format!("{graph}, {weights} weights, {described}.\n"),
            sight: Sight::Full,
            engine: String::new(),
            descends: protocol.rounds() > 1,
            masked: protocol.masks().is_some(),
            model: protocol.loss_model().to_string(),
            group: 1,
            drawn: arguments.protocol.is_random(),
        }
    }

    /// The same for observers who see this.
    pub fn seen(self, sight: Sight) -> Self {
        Self { sight, ..self }
    }

    /// The same by this engine.
    pub fn by(self, engine: &str) -> Self {
        let engine = engine.to_string();
        Self { engine, ..self }
    }

    /// The same for so many nodes that are protected together.
    pub fn together(self, group: usize) -> Self {
        Self { group, ..self }
    }

    /// Whether they are of gradient descent.
    pub fn descends(&self) -> bool {
        self.descends
    }

    /// The part of a summary, with these conditions for those who merge it.
    pub fn with(&self, part: &Summary) -> anyhow::Result<Value> {
        let mut text: Value = serde_json::from_str(&part.to_json())?;
        text["conditions"] = json!({
            "graph": self.graph,
            "protocol": self.protocol,
            "described": self.described,
            "view": self.sight.word(),
            "engine": self.engine,
            "descends": self.descends,
            "masked": self.masked,
            "model": self.model,
            "group": self.group,
            "drawn": self.drawn,
        });
        Ok(text)
    }

    /// The conditions that [`Conditions::with`] wrote into a text.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let all: Value = serde_json::from_str(text)?;
        let field = |name: &str| all.get("conditions").and_then(|found| found.get(name));
        let read = || {
            let text = |name| Some(field(name)?.as_str()?.to_string());
            let truth = |name| field(name)?.as_bool();
            Some(Self {
                graph: field("graph")?.clone(),
                protocol: field("protocol")?.clone(),
                described: text("described")?,
                sight: text("view")?.parse().ok()?,
                engine: text("engine")?,
                descends: truth("descends")?,
                masked: truth("masked")?,
                model: text("model")?,
                group: usize::try_from(field("group")?.as_u64()?).ok()?,
                drawn: truth("drawn")?,
            })
        };
        read().context("it does not say under which conditions its losses hold; write it with muffliato account --shard")
    }
}

impl Conditions {
    /// `Err` if other parts hold under other conditions than these. The graph may be called otherwise on another machine.
    pub fn check(&self, other: &Self) -> anyhow::Result<()> {
        let told = |all: &Self| {
            let numbers = (all.descends, all.masked, all.group, all.drawn);
            let words = [&all.engine, &all.model].map(Clone::clone);
            (all.protocol.clone(), all.sight, words, numbers)
        };
        if told(self) != told(other) {
            bail!(
                "its losses hold under other conditions than those of the parts before it; merge parts of one account only"
            );
        }
        Ok(())
    }
}

impl Told<'_> {
    /// Whether one of the losses is an estimate.
    pub fn has_estimates(&self) -> bool {
        let mut classes = self.summary.classes();
        classes.any(|class| class.status == Status::Estimate)
    }

    fn is_exact(&self) -> bool {
        let mut classes = self.summary.classes();
        classes.all(|class| class.status == Status::Exact)
    }

    fn has_formula(&self) -> bool {
        let mut classes = self.summary.classes();
        classes.any(|class| class.theorem_1.is_some())
    }

    /// Whether losses are one thing and what is promised another.
    fn promises_another(&self) -> bool {
        self.constant().is_some() || self.summary.is_modelled()
    }

    /// Whether the losses of gradient descent hold for any loss functions, clipped or not: by masks, and on a grid by closed forms.
    pub fn holds_for_any_loss(&self) -> bool {
        self.conditions.descends && !self.summary.is_modelled()
    }

    /// Whether observers are those of the paper, against whom alone nothing can be promised.
    pub fn is_of_the_paper(&self) -> bool {
        self.conditions.sight == Sight::Paper
    }

    /// The Lipschitz constant of all steps of gradient descent, if what is promised rests on one.
    fn constant(&self) -> Option<Fraction> {
        self.summary.lipschitz()?.of(usize::MAX)
    }

    /// For gradient descent in a model, the epsilon that is promised whatever the loss functions are: one input for each
    /// round and each member of the group. `None` where the account needs no model.
    pub fn unconditional(&self) -> Option<f64> {
        let local = Loss::local(self.summary.inputs(), self.summary.noise());
        let epsilon = || self.noise.epsilon(&local).unwrap_or(f64::INFINITY);
        self.summary.is_modelled().then(epsilon)
    }

    /// What the losses are about, as fields of a JSON object.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        let conditions = &self.conditions;
        let model = LossModel::LipschitzSteps.to_string();
        let any = match conditions.descends {
            true => ANY_LOSSES,
            false => &conditions.model,
        };
        fields! {
            "graph": conditions.graph,
            "protocol": conditions.protocol,
            "view": conditions.sight.word(),
            "engine": conditions.engine,
            "sampled": self.sampled().map(|(observers, of)| json!({"observers": observers, "of": of})),
            "partial": self.summary.is_partial(),
            "guarantee": json!({
                "sigma": self.noise.sigma,
                "sensitivity": self.noise.sensitivity,
                "delta": self.noise.delta,
                "runs": self.noise.runs,
                "noise": self.summary.noise().law().to_string(),
                "coordinates": self.coordinates(),
                "inputs": Inputs::Vectors.to_string(),
                "holds_against": match conditions.sight {
                    Sight::Full => "observers who know the noise that they drew",
                    Sight::Paper => "observers who forget the noise that they drew: no promise against others",
                },
                "model": if self.constant().is_some() { &model } else { any },
                "lipschitz": self.constant().map(|constant| constant.to_string()),
                "leakage_model": if self.summary.is_modelled() { &conditions.model } else { any },
            }),
        }
    }

    /// How many coordinates inputs have, where that matters.
    fn coordinates(&self) -> Option<usize> {
        let noise = self.summary.noise();
        (noise.law() != NoiseLaw::Gaussian).then_some(noise.coordinates())
    }

    /// How many of how many nodes observe, if these are a sample or a part.
    fn sampled(&self) -> Option<(usize, usize)> {
        Some((self.summary.observers(), self.summary.sample_of()?))
    }

    /// The epsilons of a class: what is promised, and beside it, where they are others, what the loss would promise in its model and what holds for any loss
    /// functions.
    pub fn epsilons_of(&self, class: &Class) -> anyhow::Result<(f64, Option<f64>, Option<f64>)> {
        let largest = self.summary.largest_of(class);
        let largest = largest.of_those_seen();
        let any_loss = self.summary.for_any_loss(largest.clone());
        let when = |condition: bool, loss: &Loss| match condition {
            true => self.noise.epsilon(loss).map(Some),
            false => Ok(None),
        };
        Ok((
            self.noise
                .epsilon(self.summary.promised_of(class).of_those_seen())?,
            when(self.summary.is_modelled(), largest)?,
            when(self.conditions.descends, &any_loss)?,
        ))
    }

    /// The table by distance, as JSON: upper ends and epsilons are certified.
    pub fn summary_json(&self) -> anyhow::Result<Value> {
        let spread = |spread: &Spread| {
            let [min, mean, max] = spread.floats();
            json!({"min": min, "mean": mean, "max": max})
        };
        let mut rows = Vec::new();
        for class in self.summary.classes() {
            let (epsilon, model, any_loss) = self.epsilons_of(class)?;
            let mut row = json!({
                "distance": class.distance,
                "or_farther": class.or_farther,
                "pairs": class.pairs,
                "paper_theorem_1": class.theorem_1.as_ref().map(spread),
                "leakage": spread(class.shown()),
                "status": self.summary.word_of(class),
                "at_most": self.summary.largest_of(class).of_those_seen().upper(),
                "epsilon": epsilon,
                "delta": self.noise.delta,
            });
            if self.promises_another() {
                let promised = self.summary.promised_of(class);
                row["promised"] = promised.of_those_seen().upper().into();
            }
            if let Some(model) = model {
                row["model_epsilon"] = model.into();
            }
            if let Some(any_loss) = any_loss {
                row["any_loss_epsilon"] = any_loss.into();
            }
            rows.push(row);
        }
        Ok(rows.into())
    }

    /// What the numbers mean, in sentences.
    pub fn introduction(&self) -> String {
        let conditions = &self.conditions;
        let mut text = conditions.described.clone();
        text += match conditions.sight {
            Sight::Full => "Observers know the noise that they drew. ",
            Sight::Paper => {
                "Observers have forgotten the noise that they drew (the paper's view): what holds against them is no promise against\n\
                 those who know it. "
            }
        };
        if let Some((observers, of)) = self.sampled() {
            text += &match self.summary.is_partial() {
                true => format!("Only {observers} of {of} observers are finished:\n"),
                false => format!("A sample of {observers} of {of} nodes observes:\n"),
            };
            text += "others may learn more, and these numbers promise nothing about them. ";
        }
        text += "Losses are multiples of the local (LDP) loss\n";
        text += match self.has_estimates() {
            true => "and estimates where it says so (certified: \"at most\")",
            false if self.is_exact() => "and exact, rounded up",
            false => "and certified upper ends, rounded up",
        };
        text += match self.has_formula() {
            true => "; paper: the bound of Theorem 1 for the plain protocol.\n",
            false => ".\n",
        };
        text += &self.descent();
        if self.summary.inputs() > 1 {
            text += "They hold for inputs that are vectors of any dimension, numbers included.\n";
        }
        if conditions.drawn {
            text += "They hold for the one schedule that was drawn: another one may lose more.\n";
        }
        let promised = match self.summary.sample_of() {
            Some(_) if self.summary.is_partial() => "holds towards the finished observers",
            Some(_) => "holds towards the observers of the sample",
            None if self.is_of_the_paper() => "holds against observers who forget their noise",
            None => "is promised",
        };
        let noise = self.noise;
        let runs = match noise.runs {
            1 => String::new(),
            runs => format!(" for {runs} runs with new noise"),
        };
        let unit = noise.alpha * (noise.sensitivity / noise.sigma).powi(2) / 2.0;
        text += &format!(
            "eps: what {promised}{runs} at delta = {:e} with {}, sigma = {} and sensitivity {}; L = {} (order {}).\n",
            noise.delta,
            self.drawn(),
            noise.sigma,
            noise.sensitivity,
            rounded(unit),
            noise.alpha,
        );
        text
    }

    /// What losses of gradient descent mean, and what is promised; nothing for averaging.
    fn descent(&self) -> String {
        let mut text = String::new();
        if self.holds_for_any_loss() {
            text += match self.conditions.masked {
                false => "They hold for any loss functions, clipped or not.\n",
                true => {
                    "They hold for any loss functions, clipped or not, as long as a node carries nothing but its masked state\n\
                     from round to round.\n"
                }
            };
            if let Some(constant) = self.constant() {
                text += &format!(
                    "promised: what holds for real losses whose steps x - nu grad f(x) are {constant}-Lipschitz (absorption, and flows\n\
                     along masks: certified; vectors of any dimension, every batch).\n",
                );
            }
        }
        if let Some(epsilon) = self.unconditional() {
            let what = match self.conditions.group {
                1 => "the number of rounds that use one's data",
                _ => "the number of rounds that use one's data times the size of the group",
            };
            text += &format!(
                "They are upper bounds in the model of {}: other nodes do not react. Real losses can cost\nmore; \
                 what holds for any loss function is {}, {what} (eps {}).\n",
                self.conditions.model,
                self.summary.inputs(),
                rounded_up(epsilon),
            );
            text += &match self.constant() {
                Some(constant) => format!(
                    "promised: what holds for real losses whose steps x - nu grad f(x) are {constant}-Lipschitz{}\n\
                     (the absorption bound, certified; vectors of any dimension, every batch).\n",
                    match constant == Fraction::ONE {
                        true => ", as for convex beta-smooth ones with nu at most 2/beta",
                        false => "",
                    },
                ),
                None => "promised: what holds for any loss function.\n".into(),
            };
        }
        text
    }

    /// The noise that the losses are proved for, in words.
    fn drawn(&self) -> String {
        let law = self.summary.noise().law();
        match self.coordinates() {
            None => "Gaussian noise".into(),
            Some(1) => law.described(),
            Some(coordinates) => format!("{} in {coordinates} coordinates", law.described()),
        }
    }

    /// The table by distance, as text.
    pub fn by_distance(&self) -> anyhow::Result<String> {
        let (head, rows) = self.rows()?;
        Ok(table::aligned(&head, &rows))
    }

    /// The table by distance: its head, separated by commas, and its rows. Losses and epsilons are rounded up, estimates to nearest.
    pub fn rows(&self) -> anyhow::Result<(String, Vec<Vec<String>>)> {
        let estimates = self.has_estimates();
        let another = self.promises_another();
        let choose = |condition, yes, no| if condition { yes } else { no };
        let head = [
            choose(
                self.has_formula(),
                "distance,pairs,paper min,mean,max",
                "distance,pairs",
            ),
            choose(
                estimates,
                "leakage min,mean,max,at most",
                "loss min,mean,max",
            ),
            choose(another, "status,promised,eps", "status,eps"),
        ];
        let mut rows = Vec::new();
        for class in self.summary.classes() {
            let mut distance = table::distance(class.distance);
            if class.or_farther {
                distance += "+";
            }
            let mut row = vec![distance, class.pairs.to_string()];
            if let Some(spread) = &class.theorem_1 {
                row.extend(spread.rounded_up());
            }
            row.extend(class.shown_text());
            if estimates {
                let largest = self.summary.largest_of(class);
                row.push(largest.of_those_seen().rounded_up());
            }
            row.push(self.summary.word_of(class).into());
            let promised = self.summary.promised_of(class);
            let promised = promised.of_those_seen();
            if another {
                row.push(promised.rounded_up());
            }
            row.push(rounded_up(self.noise.epsilon(promised)?));
            rows.push(row);
        }
        Ok((head.join(","), rows))
    }
}
