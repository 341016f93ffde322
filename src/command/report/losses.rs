//! The losses of all pairs, as the page keeps them: each number once, with its class and its epsilon.

use crate::command::account::AccountReport;
use crate::command::input::NoiseArgs;
use muffliato::plot::LossClass;
use muffliato_account::{
    AccountError, Epsilons, Number as Found, ObserverReport, Pair, Status, rounded, rounded_up,
};
use serde_json::{Value, json};
use std::collections::HashMap;

/// What nodes can be coloured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// What Theorem 1 promises for the plain protocol.
    Paper,
    /// The loss without fresh noise.
    Plain,
    /// The loss with it.
    Refreshed,
}

impl Layer {
    /// What it is, for people.
    pub fn described(self) -> &'static str {
        match self {
            Self::Paper => "the bound of Theorem 1",
            Self::Plain => "noise once",
            Self::Refreshed => "fresh noise at each step",
        }
    }
}

/// All pairs of all layers.
pub struct Losses {
    observers: Vec<usize>,
    nodes: usize,
    seen: Vec<String>,
    distances: Vec<Option<usize>>,
    numbers: Vec<Number>,
    layers: Vec<Pairs>,
    delta: f64,
}

struct Number {
    text: String,
    /// The largest epsilon of what is promised and rounded up to it; `None` if nothing is.
    epsilon: Option<f64>,
}

/// One layer: for each observer and each node the places of its numbers, `None` for the observer itself.
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
    all: Vec<Number>,
}

impl Numbers {
    fn place(&mut self, text: String) -> usize {
        *self.places.entry(text.clone()).or_insert_with(|| {
            self.all.push(Number {
                text,
                epsilon: None,
            });
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
        Ok(Cell {
            shown,
            promised,
            status,
        })
    }

    /// A formula's value, which promises nothing.
    fn formula(&mut self, found: &Found) -> Cell {
        let shown = self.place(found.rounded_up());
        Cell {
            shown,
            promised: shown,
            status: found.status(),
        }
    }
}

impl Number {
    fn class(&self) -> usize {
        LossClass::number_of(self.text.parse().unwrap_or(f64::NAN))
    }
}

impl Losses {
    /// The losses of one or two accounts of the same question: without fresh noise, and with it.
    pub fn of(
        reports: &[(&'static str, AccountReport<'_>)],
        noise: &NoiseArgs,
    ) -> anyhow::Result<Self> {
        let first = &reports[0].1;
        let nodes = first.loaded.graph.nodes();
        let question = &first.computed.question;

        let observers: Vec<usize> = question
            .observers()
            .iter()
            .map(|v| v.members()[0])
            .collect();
        let at = |pair: &Pair| pair.observer * nodes + pair.source;
        let mut distances = vec![None; observers.len() * nodes];
        for pair in first.computed.pairs() {
            distances[at(pair)] = pair.distance;
        }
        let mut numbers = Numbers::default();
        let mut epsilons = noise.epsilons(0);
        let mut layers = Vec::new();
        for (number, (_, report)) in reports.iter().enumerate() {
            let layer = [Layer::Plain, Layer::Refreshed][number];
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
        let described = |seen: &ObserverReport| match seen.rank {
            Some(rank) => format!("{} messages, rank {rank}", seen.messages),
            None => format!("{} messages", seen.messages),
        };
        Ok(Self {
            seen: first.computed.towards.iter().map(described).collect(),
            observers,
            nodes,
            distances,
            numbers,
            layers,
            delta: noise.delta,
        })
    }

    /// What is shown of each node towards an observer, `None` for the observer itself and where nothing is known.
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

    /// The names and kinds of the layers, the first one being where the page starts.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        self.layers.iter().map(|pairs| pairs.layer)
    }

    /// Those whose losses are in the page.
    pub fn observers(&self) -> &[usize] {
        &self.observers
    }

    /// Everything that the page's program needs. Numbers are `[text, class, epsilon or null]`; rows hold their places, -1
    /// for none; statuses are the letters e, c and s of exact, certified and estimate.
    pub fn json(&self, labels: Vec<String>, first: usize, promised: &str) -> Value {
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
        let layers: Vec<Value> = self.layers.iter().map(|pairs| self.layer(pairs)).collect();
        json!({
            "labels": labels,
            "first": first,
            "promised": promised,
            "observers": self.observers,
            "seen": self.seen,
            "delta": format!("{:e}", self.delta),
            "distances": distances,
            "numbers": numbers,
            "layers": layers,
        })
    }

    fn layer(&self, pairs: &Pairs) -> Value {
        let place = |cell: &Option<Cell>, of: fn(&Cell) -> usize| {
            cell.as_ref().map_or(-1, |cell| of(cell) as i64)
        };
        let rows = |of: fn(&Cell) -> usize| -> Vec<Vec<i64>> {
            let rows = pairs.cells.chunks(self.nodes);
            rows.map(|row| row.iter().map(|cell| place(cell, of)).collect())
                .collect()
        };
        let letter = |cell: &Option<Cell>| match cell.as_ref().map(|cell| cell.status) {
            Some(Status::Exact) => 'e',
            Some(Status::Certified) => 'c',
            Some(Status::Estimate) => 's',
            None => '-',
        };
        let statuses: Vec<String> = pairs
            .cells
            .chunks(self.nodes)
            .map(|row| row.iter().map(letter).collect())
            .collect();
        let mut cells = pairs.cells.iter().flatten();
        let another = cells.any(|cell| cell.shown != cell.promised);
        let promises = pairs.layer != Layer::Paper;
        json!({
            "name": pairs.layer.described(),
            "promises": promises,
            "statuses": statuses,
            "shown": rows(|cell| cell.shown),
            "promised": (promises && another).then(|| rows(|cell| cell.promised)),
        })
    }
}
