//! The losses of all pairs in the page: each distinct number once, with its class and its epsilon.

use crate::command::account::AccountReport;
use crate::command::input::NoiseArgs;
use muffliato::model::NoisePlan;
use muffliato::plot::LossClass;
use muffliato_account::{AccountError, Epsilons, Number, Pair, Status, rounded, rounded_up};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// A quantity by which nodes can be coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The bound of Theorem 1 for the plain protocol.
    Paper,
    /// The loss without fresh noise.
    Plain,
    /// The loss with fresh noise.
    Refreshed,
    /// The loss with masks.
    Masked,
    /// The loss with a noise plan.
    Planned,
}

impl Layer {
    /// Describes the layer.
    pub fn described(self) -> &'static str {
        match self {
            Self::Paper => "the bound of Theorem 1",
            Self::Plain => "noise once",
            Self::Refreshed => "fresh noise at each step",
            Self::Masked => "masks that neighbours share",
            Self::Planned => "a noise plan",
        }
    }
}

/// The pairs with the largest loss.
pub struct Worst<'a> {
    /// The loss.
    pub loss: &'a str,
    /// The epsilon.
    pub epsilon: f64,
    /// Sources and observers.
    pub pairs: Vec<(usize, usize)>,
}

impl Worst<'_> {
    /// Counts the nodes that lose as much.
    pub fn sources(&self) -> usize {
        self.pairs.iter().map(|pair| pair.0).collect::<BTreeSet<_>>().len()
    }

    /// Returns `true` if every node loses as much.
    pub fn is_of_every_node(&self, nodes: usize) -> bool {
        self.sources() == nodes
    }
}

/// The losses of all pairs in all layers.
pub struct Losses {
    observers: Vec<usize>,
    nodes: usize,
    /// Number of neighbours of each observer.
    degrees: Vec<usize>,
    distances: Vec<Option<usize>>,
    numbers: Vec<Shown>,
    layers: Vec<Pairs>,
    delta: f64,
}

/// A loss as it is printed.
struct Shown {
    text: String,
    /// Largest epsilon of the guarantees that round up to this number; `None` without a guarantee.
    epsilon: Option<f64>,
}

/// A layer: for each observer and node the indices of its numbers, `None` for the observer itself.
struct Pairs {
    layer: Layer,
    cells: Vec<Option<Cell>>,
}

#[derive(Clone, Copy)]
struct Cell {
    shown: usize,
    promised: usize,
    status: Status,
}

#[derive(Default)]
struct Numbers {
    places: HashMap<String, usize>,
    all: Vec<Shown>,
}

impl Numbers {
    fn place(&mut self, text: String) -> usize {
        *self.places.entry(text.clone()).or_insert_with(|| {
            self.all.push(Shown { text, epsilon: None });
            self.all.len() - 1
        })
    }

    fn cell(&mut self, pair: &Pair, epsilons: &mut Epsilons) -> Result<Cell, AccountError> {
        let epsilon = pair.epsilons(epsilons)?.epsilon;
        let promised = self.place(pair.promised_text());
        let largest = &mut self.all[promised].epsilon;
        *largest = Some(largest.map_or(epsilon, |before| before.max(epsilon)));
        let (loss, status) = (&pair.loss, pair.loss.status());
        let shown = self.place(match status {
            Status::Estimate => rounded(loss.value()),
            _ => loss.rounded_up(),
        });
        Ok(Cell { shown, promised, status })
    }

    /// Adds the value of a formula, which guarantees nothing.
    fn formula(&mut self, found: &Number) -> Cell {
        let shown = self.place(found.rounded_up());
        Cell { shown, promised: shown, status: found.status() }
    }
}

impl Shown {
    fn class(&self) -> usize {
        LossClass::number_of(self.text.parse().unwrap_or(f64::NAN))
    }
}

impl Losses {
    /// Collects the losses of several accounts of the same question.
    pub fn of(reports: &[(Layer, AccountReport<'_>)], noise: &NoiseArgs) -> anyhow::Result<Self> {
        let first = &reports[0].1;
        let nodes = first.loaded.graph.nodes();
        let question = &first.computed.question;

        let observers: Vec<usize> = question.observers().iter().map(|v| v.members()[0]).collect();
        let at = |pair: &Pair| pair.observer() * nodes + pair.source();
        let mut distances = vec![None; observers.len() * nodes];
        for pair in first.computed.pairs() {
            distances[at(pair)] = pair.distance;
        }
        let mut numbers = Numbers::default();
        let mut epsilons = noise.epsilons(0);
        let mut layers = Vec::new();
        for (layer, report) in reports {
            let layer = *layer;
            let mut cells = vec![None; observers.len() * nodes];
            for pair in report.computed.pairs() {
                cells[at(pair)] = Some(numbers.cell(pair, &mut epsilons)?);
            }
            layers.push(Pairs { layer, cells });
        }
        let mut cells = vec![None; observers.len() * nodes];
        for pair in first.computed.pairs() {
            cells[at(pair)] = pair.theorem_1.as_ref().map(|bound| numbers.formula(bound));
        }
        if cells.iter().any(Option::is_some) {
            let layer = Layer::Paper;
            layers.push(Pairs { layer, cells });
        }
        let numbers = numbers.all;
        let graph = &first.loaded.graph;
        Ok(Self {
            degrees: observers.iter().map(|&node| graph.degree(node)).collect(),
            observers,
            nodes,
            distances,
            numbers,
            layers,
            delta: noise.delta,
        })
    }

    /// Returns the displayed loss of each node towards an observer, `None` for the observer itself
    /// and for unknown losses.
    pub fn towards(&self, observer: usize, layer: Layer) -> Vec<Option<f64>> {
        let found = self.layers.iter().find(|pairs| pairs.layer == layer);
        let row = self.observers.iter().position(|&node| node == observer);
        let (Some(pairs), Some(row)) = (found, row) else {
            return vec![None; self.nodes];
        };
        let number = |cell: &Cell| self.numbers[cell.shown].text.parse().unwrap_or(f64::NAN);
        let row = &pairs.cells[row * self.nodes..][..self.nodes];
        row.iter().map(|cell| cell.as_ref().map(number)).collect()
    }

    /// Returns the pairs with the largest guaranteed loss among those at distances that are `kept`.
    pub fn worst(&self, layer: Layer, kept: impl Fn(Option<usize>) -> bool) -> Option<Worst<'_>> {
        let pairs = self.layers.iter().find(|pairs| pairs.layer == layer)?;
        let cells = pairs.cells.iter().zip(&self.distances).enumerate();
        let found = cells.filter_map(|(at, (cell, &distance))| {
            let number = &self.numbers[cell.as_ref().filter(|_| kept(distance))?.promised];
            let ends = (at % self.nodes, self.observers[at / self.nodes]);
            Some((ends, number.text.as_str(), number.epsilon?))
        });
        let mut worst: Option<Worst<'_>> = None;
        for (ends, loss, epsilon) in found {
            match &mut worst {
                Some(most) if epsilon < most.epsilon => {}
                Some(most) if epsilon == most.epsilon => most.pairs.push(ends),
                _ => worst = Some(Worst { loss, epsilon, pairs: vec![ends] }),
            }
        }
        worst
    }

    /// Returns the pairs that the headline is about: those that lose most, or, if every node loses as
    /// much to a neighbour, those that lose most beyond neighbours.
    pub fn headline(&self, layer: Layer) -> Option<Worst<'_>> {
        let worst = self.worst(layer, |_| true)?;
        match worst.is_of_every_node(self.nodes) {
            true => self.worst(layer, |distance| distance != Some(1)).or(Some(worst)),
            false => Some(worst),
        }
    }

    /// Returns the observer of the headline towards whom the losses are most diverse: those that fall
    /// into the most classes.
    pub fn most_telling(&self, layer: Layer) -> Option<usize> {
        let classes = |observer: usize| {
            let losses = self.towards(observer, layer).into_iter().flatten();
            let classes: BTreeSet<usize> = losses.map(LossClass::number_of).collect();
            classes.len()
        };
        let observers: BTreeSet<usize> = match self.headline(layer) {
            Some(worst) => worst.pairs.iter().map(|pair| pair.1).collect(),
            None => self.observers.iter().copied().collect(),
        };
        let each = observers.into_iter().map(|observer| (classes(observer), observer));
        let best = each.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, observer)| observer)
    }

    /// Iterates over the layers.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        self.layers.iter().map(|pairs| pairs.layer)
    }

    /// Returns the observers whose losses are in the page.
    pub fn observers(&self) -> &[usize] {
        &self.observers
    }

    /// Returns the data for the script of the page. Numbers are `[text, class, epsilon or null]`.
    /// Rows hold their indices, or -1. Statuses are the letters e (exact), c (certified) and s
    /// (estimate).
    pub fn json(
        &self,
        labels: Vec<String>,
        first: usize,
        promised: &str,
        plan: Option<&NoisePlan>,
    ) -> Value {
        let numbers: Vec<Value> = self
            .numbers
            .iter()
            .map(|number| json!([number.text, number.class(), number.epsilon.map(rounded_up)]))
            .collect();
        let distances: Vec<Vec<i64>> = self
            .distances
            .chunks(self.nodes)
            .map(|row| row.iter().map(|d| d.map_or(-1, |d| d as i64)).collect())
            .collect();
        let layers: Vec<Value> = self.layers.iter().map(|pairs| self.layer(pairs, plan)).collect();
        json!({
            "labels": labels,
            "first": first,
            "promised": promised,
            "observers": self.observers,
            "degrees": self.degrees,
            "delta": format!("{:e}", self.delta),
            "distances": distances,
            "numbers": numbers,
            "layers": layers,
        })
    }

    fn layer(&self, pairs: &Pairs, plan: Option<&NoisePlan>) -> Value {
        let place = |cell: &Option<Cell>, of: fn(&Cell) -> usize| {
            cell.as_ref().map_or(-1, |cell| of(cell) as i64)
        };
        let rows = |of: fn(&Cell) -> usize| -> Vec<Vec<i64>> {
            let rows = pairs.cells.chunks(self.nodes);
            rows.map(|row| row.iter().map(|cell| place(cell, of)).collect()).collect()
        };
        let letter = |cell: &Option<Cell>| match cell.as_ref().map(|cell| cell.status) {
            Some(Status::Exact) => 'e',
            Some(Status::Certified) => 'c',
            Some(Status::Estimate) => 's',
            None => '-',
        };
        let statuses: Vec<String> =
            pairs.cells.chunks(self.nodes).map(|row| row.iter().map(letter).collect()).collect();
        let mut cells = pairs.cells.iter().flatten();
        let another = cells.any(|cell| cell.shown != cell.promised);
        let promises = pairs.layer != Layer::Paper;
        let plan = plan.filter(|_| pairs.layer == Layer::Planned);
        let sizes = |plan: &NoisePlan| -> Vec<String> {
            plan.nodes.iter().map(|&variance| rounded_up(variance.to_f64().sqrt())).collect()
        };
        json!({
            "name": pairs.layer.described(),
            "promises": promises,
            "statuses": statuses,
            "shown": rows(|cell| cell.shown),
            "promised": (promises && another).then(|| rows(|cell| cell.promised)),
            "sizes": plan.map(sizes),
        })
    }
}
