//! An account as a table, as JSON and as CSV.

use super::Computed;
use crate::command::{
    input::{Loaded, NoiseArgs, ProtocolArgs},
    number,
    output::{Report, cell, fields, write_csv, write_list},
    table,
};
use muffliato::model::LossModel;
use muffliato::prelude::*;
use muffliato_account::{
    AccountError, Class, Epsilons, Inputs, Loss, NoiseLaw, Number, Pair, Sight, Spread, Status,
    Summary, rounded, rounded_up,
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
    /// The Lipschitz constant of steps of gradient descent that is assumed; `None` if no constant is known to hold, and nothing but rounds times L can be promised.
    pub lipschitz: Option<Fraction>,
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

    fn pair(&self, pair: &Pair, epsilon: f64) -> Value {
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
        value
    }

    /// The epsilon of each pair, in their order, for all runs.
    fn epsilons(&self) -> Result<Vec<f64>, AccountError> {
        let &NoiseArgs {
            sigma,
            sensitivity,
            delta,
            runs,
            ..
        } = self.noise;
        let mut epsilons = Epsilons::of(self.computed.pairs().count(), sigma, sensitivity, delta);
        let losses = self.computed.pairs().map(|pair| pair.loss.repeated(runs));
        losses.map(|loss| epsilons.epsilon(&loss)).collect()
    }

    fn summary(&self) -> &Summary {
        &self.computed.summary
    }

    /// Whether one of the losses is an estimate.
    pub fn has_estimates(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.any(|class| class.status == Status::Estimate)
    }

    fn is_exact(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.all(|class| class.status == Status::Exact)
    }

    /// Whether observers are missing because the time was up.
    fn is_partial(&self) -> bool {
        self.summary().is_partial()
    }

    /// Whether more than the number of rounds is promised for gradient descent.
    fn promises(&self) -> bool {
        self.protocol.rounds() > 1 && self.lipschitz.is_some() && self.coordinates().is_none()
    }

    /// The largest loss of a class that is promised without a model.
    fn promised_of(&self, class: &Class) -> Option<Loss> {
        let promised = self.summary().promised_of(class)?;
        self.promises().then(|| promised.of_those_seen().clone())
    }

    fn has_formula(&self) -> bool {
        let mut classes = self.summary().classes();
        classes.any(|class| class.theorem_1.is_some())
    }

    /// Whether the losses of gradient descent hold for any loss functions, clipped or not: by masks, and on a grid by closed forms.
    pub fn holds_for_any_loss(&self) -> bool {
        let in_no_model = self.protocol.masks().is_some() || self.coordinates().is_some();
        in_no_model && self.protocol.rounds() > 1
    }

    /// For gradient descent, the epsilon that is promised whatever the loss functions are: one input for each
    /// round and each member of the group. `None` where the account needs no model.
    pub fn unconditional(&self) -> Option<f64> {
        let local = Loss::local(self.computed.inputs, self.summary().noise());
        match self.protocol.loss_model() {
            LossModel::SingleInput => None,
            _ if self.holds_for_any_loss() => None,
            _ => Some(self.noise.epsilon(&local).unwrap_or(f64::INFINITY)),
        }
    }

    /// What the account is about, as fields of a JSON object.
    pub fn about(&self) -> Vec<(&'static str, Value)> {
        let sampled = self.sampled();
        fields! {
            "graph": self.loaded.json(),
            "protocol": self.arguments.json(self.protocol),
            "view": self.computed.question.sight.word(),
            "engine": self.computed.engine,
            "sampled": sampled.map(|(observers, of)| json!({"observers": observers, "of": of})),
            "partial": self.is_partial(),
            "guarantee": json!({
                "sigma": self.noise.sigma,
                "sensitivity": self.noise.sensitivity,
                "delta": self.noise.delta,
                "runs": self.noise.runs,
                "noise": self.summary().noise().law().to_string(),
                "coordinates": self.coordinates(),
                "inputs": Inputs::Vectors.to_string(),
                "model": self.protocol.loss_model().to_string(),
            }),
        }
    }

    /// The same of a run of this program, with what it was.
    pub fn about_run(&self, seed: u64) -> Vec<(&'static str, Value)> {
        let mut fields = self.about();
        fields.extend(fields! {
            "sigma": self.noise.sigma,
            "seed": seed,
            "noise": "simulated: Gaussian in floating point, from the seed",
        });
        fields
    }

    /// How many coordinates inputs have, where that matters.
    fn coordinates(&self) -> Option<usize> {
        let noise = self.summary().noise();
        (noise.law() != NoiseLaw::Gaussian).then_some(noise.coordinates())
    }

    /// How many of how many nodes observe, if these are a sample or a part.
    fn sampled(&self) -> Option<(usize, usize)> {
        Some((self.summary().observers(), self.summary().sample_of()?))
    }

    /// The table by distance, as JSON: upper ends and epsilons are certified.
    pub fn summary_json(&self) -> anyhow::Result<Value> {
        let spread = |spread: &Spread| {
            let [min, mean, max] = spread.floats();
            json!({"min": min, "mean": mean, "max": max})
        };
        let mut rows = Vec::new();
        for class in self.summary().classes() {
            let largest = self.summary().largest_of(class);
            let largest = largest.of_those_seen();
            rows.push(json!({
                "distance": class.distance,
                "or_farther": class.or_farther,
                "pairs": class.pairs,
                "paper_theorem_1": class.theorem_1.as_ref().map(spread),
                "leakage": spread(class.shown()),
                "status": self.summary().word_of(class),
                "at_most": largest.upper(),
                "epsilon": self.noise.epsilon(largest)?,
                "delta": self.noise.delta,
            }));
            if let (Some(promised), Some(row)) = (self.promised_of(class), rows.last_mut()) {
                row["promised"] = promised.upper().into();
                row["promised_epsilon"] = self.noise.epsilon(&promised)?.into();
            }
        }
        Ok(rows.into())
    }

    /// What the numbers mean, in sentences.
    pub fn introduction(&self) -> String {
        let mut text = format!(
            "{}, {} weights, {}.\n",
            self.loaded.described(),
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
        if let Some((observers, of)) = self.sampled() {
            text += &match self.is_partial() {
                true => format!("The time was up after {observers} of {of} observers:\n"),
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
        let noise = self.noise;
        if self.protocol.masks().is_none() && self.holds_for_any_loss() {
            text += "They hold for any loss functions, clipped or not.\n";
        } else if self.holds_for_any_loss() {
            text += "They hold for any loss functions, clipped or not, as long as a node carries nothing but its masked state\n\
                     from round to round.\n";
            if let Some(constant) = self.lipschitz.filter(|_| self.promises()) {
                text += &format!(
                    "promised: what holds for real losses whose steps x - nu grad f(x) are {constant}-Lipschitz (absorption, and flows\n\
                     along masks: certified; vectors of any dimension, every batch).\n",
                );
            }
        }
        let promised = match self.unconditional() {
            Some(epsilon) => {
                let group = question.sources.iter().map(Vec::len).max().unwrap_or(1);
                let what = match group {
                    1 => "the number of rounds",
                    _ => "the number of rounds times the size of the group",
                };
                text += &format!(
                    "They are upper bounds in the model of {}: other nodes do not react. Real losses can cost\nmore; \
                     what holds for any loss function is {}, {what} (eps {}).\n",
                    self.protocol.loss_model(),
                    self.computed.inputs,
                    rounded_up(epsilon),
                );
                match self.lipschitz {
                    Some(constant) => {
                        text += &format!(
                            "promised: what holds for real losses whose steps x - nu grad f(x) are {constant}-Lipschitz{}\n\
                             (the absorption bound, certified; vectors of any dimension, every batch).\n",
                            match constant == Fraction::ONE {
                                true => ", as for convex beta-smooth ones with nu at most 2/beta",
                                false => "",
                            },
                        );
                        "is promised"
                    }
                    None => "holds in this model",
                }
            }
            None => "is promised",
        };
        let promised = match self.summary().sample_of() {
            Some(_) if self.is_partial() => "holds towards the finished observers",
            Some(_) => "holds towards the observers of the sample",
            None => promised,
        };
        if self.computed.inputs > 1 {
            text += "They hold for inputs that are vectors of any dimension, numbers included.\n";
        }
        if self.arguments.protocol.is_random() {
            text += "They hold for the one schedule that was drawn: another one may lose more.\n";
        }
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

    /// The noise that the losses are proved for, in words.
    fn drawn(&self) -> String {
        let law = self.summary().noise().law();
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
            choose(self.promises(), "status,promised,eps", "status,eps"),
        ];
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
            let largest = self.summary().largest_of(class);
            let largest = largest.of_those_seen();
            if estimates {
                row.push(largest.rounded_up());
            }
            row.push(self.summary().word_of(class).into());
            let promised = self.promised_of(class);
            row.extend(promised.as_ref().map(Loss::rounded_up));
            let epsilon = self.noise.epsilon(promised.as_ref().unwrap_or(largest))?;
            row.push(rounded_up(epsilon));
            rows.push(row);
        }
        Ok((head.join(","), rows))
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
        let epsilons = self.epsilons()?;
        for (number, (key, value)) in self.about().iter().enumerate() {
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
        let pairs = pairs.map(|(pair, epsilon)| self.pair(pair, epsilon));
        write_list(out, pairs)?;
        Ok(writeln!(out, "}}")?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let epsilons = self.epsilons()?;
        for (key, value) in self.about() {
            writeln!(out, "# {key}: {value}")?;
        }
        writeln!(out, "# an empty distance: no path joins the two")?;
        let upper = |number: &Option<Number>| cell(number.as_ref().map(Number::upper));
        let rows = self.computed.pairs().zip(epsilons).map(|(pair, epsilon)| {
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
                epsilon.to_string(),
            ]
        });
        let head = "source,observer,distance,paper_theorem_1,paper_corollary_1,proved_bound,leakage,leakage_lower,leakage_upper,leakage_exact,scalars_exact,status,epsilon";
        write_csv(out, head, rows)
    }
}
