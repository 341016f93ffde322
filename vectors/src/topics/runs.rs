//! Runs by name: `path:4/gd3x1/tau1/4/every2` is a graph and what is different about its gossip.

use crate::exact::{Result, Seen, potentials, whole};
use crate::form::{Inputs, ViewForm, observer};
use muffliato_model::{
    Fraction, Graph, MasksRecord, NetworkRecord, NoisePlan, Protocol, ProtocolRecord,
    WeightsRecord, Whole,
};
use muffliato_reference::{Process, rational};
use num_rational::BigRational;

/// A protocol with its name, and its run.
pub(super) struct Run {
    pub name: String,
    pub form: ProtocolRecord,
    pub process: Process,
}

/// Returns the texts that `{a|b}` in a text stands for; the first braces change slowest.
pub(super) fn expanded(text: &str) -> Vec<String> {
    match text.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?))) {
        None => vec![text.into()],
        Some((head, (choices, tail))) => {
            let texts = choices.split('|').flat_map(|choice| expanded(&format!("{choice}{tail}")));
            texts.map(|text| format!("{head}{text}")).collect()
        }
    }
}

pub(super) fn graph(name: &str) -> Result<Graph> {
    let edges: &[(usize, usize)] = match name {
        // Graphs that no family of the command has.
        "tree:2:2" => &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)],
        "wheel:6" => {
            &[(1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]
        }
        "petersen" => {
            let inner = (0..5).map(|v| (5 + v, 5 + (v + 2) % 5));
            let outer = (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5)]);
            return Ok(Graph::try_new(10, outer.chain(inner))?);
        }
        "five" => &[(2, 3), (0, 4), (1, 4), (2, 4)],
        name => return Ok(name.parse()?),
    };
    let nodes = edges.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
    Ok(Graph::try_new(nodes, edges.iter().copied())?)
}

/// Weights over a common denominator: `01=3` is the numerator in row 0, column 1.
pub(super) fn custom(denominator: i128, entries: &str) -> Result<WeightsRecord> {
    let entry = |text: &str| {
        let (place, numerator) = text.split_once('=').ok_or("no entry")?;
        let (row, column) = place.split_at(1);
        Ok((row.parse()?, column.parse()?, Whole(numerator.parse()?)))
    };
    let entries = entries.split_whitespace().map(entry).collect::<Result<_>>()?;
    Ok(WeightsRecord::Custom { denominator: Whole(denominator), entries })
}

/// Masks of `kappa` sigma, on edges of their own if there are some.
pub(super) fn masks(kappa: &str, edges: &[(usize, usize)]) -> Result<Option<MasksRecord>> {
    let edges = (!edges.is_empty()).then(|| edges.to_vec());
    Ok(Some(MasksRecord { kappa: kappa.parse()?, edges }))
}

fn fractions(texts: &str) -> Result<Vec<Fraction>> {
    Ok(texts
        .split([',', ' '])
        .filter(|text| !text.is_empty())
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?)
}

/// Variances by node, by mask and of fresh noise.
pub(super) fn plan(
    nodes: &str,
    masks: &[(usize, usize, &str)],
    fresh: &str,
) -> Result<Option<NoisePlan>> {
    let masks = masks.iter().map(|&(a, b, text)| Ok(((a, b), text.parse()?)));
    let masks = masks.collect::<Result<_>>()?;
    Ok(Some(NoisePlan { nodes: fractions(nodes)?, masks, fresh: fractions(fresh)? }))
}

/// Reads a protocol from its name: a graph, and words that a slash divides, as in `T4`, `gd3x2`,
/// `tau1/4`, `kappa2`, `g5:4`, `every2` or the name of weights.
pub(super) fn record(name: &str) -> Result<ProtocolRecord> {
    let mut words: Vec<String> = Vec::new();
    for part in name.split('/') {
        match words.last_mut() {
            // The denominator of a fraction.
            Some(word) if part.starts_with(|c: char| c.is_ascii_digit()) && !part.contains('x') => {
                word.push('/');
                word.push_str(part);
            }
            _ => words.push(part.into()),
        }
    }
    let graph = graph(&words[0])?;
    let mut form =
        ProtocolRecord::on_network(graph.nodes(), NetworkRecord::new(&graph, "metropolis"), 1, 1);
    let mut weights = None;
    for word in &words[1..] {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        match (&word[..word.len() - digits.len()], digits) {
            ("plain" | "gd", "") => {}
            ("T", steps) => form.gossip_steps = steps.parse()?,
            ("gd" | "", size) => {
                let (rounds, steps) = size.split_once('x').ok_or("no rounds and steps")?;
                (form.rounds, form.gossip_steps) = (rounds.parse()?, steps.parse()?);
            }
            ("tau", "") => form.refresh = Some("1/4".parse()?),
            ("refreshed", "") => form.refresh = Some("1/3".parse()?),
            ("tau", size) => form.refresh = Some(size.parse()?),
            ("masked", "") => form.masks = masks("2", &[])?,
            ("kappa", size) => form.masks = masks(size, &[])?,
            ("accelerated", "") => form.acceleration = Some("3/2".parse()?),
            ("g", g) => form.acceleration = Some(g.replace(':', "/").parse()?),
            ("reacting", "") => form.reaction = Some(fractions("1/2,0,-1")?),
            ("react", factors) => form.reaction = Some(fractions(factors)?),
            ("every", period) => form.every = Some(period.parse()?),
            ("plan", "") => form.plan = plan("1/4 2 1/9 1", &[], "")?,
            ("custom", "") => {
                let entries = "00=7 01=3 10=3 11=2 12=5 21=5 22=4 23=1 32=1 33=9";
                weights = Some(custom(10, entries)?);
            }
            _ => weights = Some(WeightsRecord::Scheme(word.clone())),
        }
    }
    if let (Some(weights), Some(network)) = (weights, &mut form.network) {
        network.weights = weights;
    }
    Ok(form)
}

impl Run {
    pub fn named(name: &str) -> Result<Self> {
        Self::of(name, record(name)?)
    }

    pub fn of(name: &str, form: ProtocolRecord) -> Result<Self> {
        let process = Process::run(&form.build()?)?;
        Ok(Self { name: name.into(), form, process })
    }

    pub fn protocol(&self) -> &Protocol {
        self.process.protocol()
    }

    pub fn with(&self, change: impl FnOnce(&mut ProtocolRecord)) -> Result<Self> {
        let mut form = self.form.clone();
        change(&mut form);
        Self::of("", form)
    }

    /// The same run with draws of variance 1 in place of those of a plan; `None` without a plan.
    pub fn uniform(&self) -> Result<Option<Self>> {
        let Some(plan) = &self.form.plan else {
            return Ok(None);
        };
        let edges: Vec<_> = plan.masks.iter().map(|&(edge, _)| edge).collect();
        let masks = if edges.is_empty() { None } else { masks("1", &edges)? };
        let refresh = (!plan.fresh.is_empty()).then_some(Fraction::ONE);
        self.with(|form| (form.plan, form.refresh, form.masks) = (None, refresh, masks)).map(Some)
    }

    /// The masked bound by the mask graph with the observers' edges; `None` without masks.
    pub fn on_whole_graph(&self, sources: &[usize]) -> Result<Option<BigRational>> {
        let Some(masks) = &self.form.masks else {
            return Ok(None);
        };
        let (edges, kappa) = (self.mask_edges()?, rational(masks.kappa));
        let whole_graph = potentials(self.form.nodes, &edges, &kappa, sources, &[])?;
        let energy: BigRational = sources.iter().map(|&u| &whole_graph[u]).sum();
        Ok(Some(energy * whole(self.form.rounds)))
    }

    pub fn loss(
        &self,
        view: ViewForm,
        observers: &[usize],
        sources: &[usize],
    ) -> Result<BigRational> {
        let seen = Seen::of(&self.process, &observer(view, observers)?)?;
        Ok(seen.loss(sources, Inputs::Scalars)?.0)
    }

    /// The edges that share masks in the first round.
    pub fn mask_edges(&self) -> Result<Vec<(usize, usize)>> {
        let graph = self.protocol().mask_graph(0)?.ok_or("the protocol has no masks")?;
        Ok(graph.edges().collect())
    }

    /// The first source at every distance from an observer, as the text `{1|2}->0`.
    pub fn at_every_distance(&self, observer: usize) -> Result<String> {
        let graph = self.protocol().graph()?;
        let distances = graph.distances_from(observer);
        let first = |d| distances.iter().position(|&at| at == Some(d));
        let sources: Vec<_> = (1..graph.nodes()).filter_map(first).map(|u| u.to_string()).collect();
        Ok(format!("{{{}}}->{observer}", sources.join("|")))
    }
}
