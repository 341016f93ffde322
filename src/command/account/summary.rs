//! An account gathered by distance.

use super::{Account, Pair};
use crate::command::number::{Quantity, Status, rounded, rounded_up};
use muffliato::fast::Enclosure;
use muffliato::model::LossModel;
use muffliato::prelude::Protocol;
use muffliato::reference::decimal;
use std::collections::BTreeMap;

/// All pairs at one distance.
pub struct Summary {
    /// The distance; `None` collects the pairs without a path.
    pub distance: Option<usize>,
    /// How many pairs.
    pub pairs: usize,
    /// What Theorem 1 promises, where it does.
    pub paper_bound: Option<Spread>,
    /// The loss: exact, or certified upper ends, or estimates, as the status says.
    pub leakage: Spread,
    /// Contains the largest loss; its upper end is what can be promised to all.
    pub promised: Enclosure,
    /// The least that is known about any of these losses.
    pub status: Status,
}

/// The smallest, the mean and the largest of a set of numbers.
pub struct Spread {
    /// As floats: for pictures.
    pub values: [f64; 3],
    /// As text; rounded up, except for estimates.
    pub text: [String; 3],
}

impl Account {
    /// The pairs gathered by distance, nearest first, those without a path last.
    pub fn by_distance(&self) -> Vec<Summary> {
        let mut groups: BTreeMap<usize, Vec<&Pair>> = BTreeMap::new();
        for pair in &self.pairs {
            let distance = pair.distance.unwrap_or(usize::MAX);
            groups.entry(distance).or_default().push(pair);
        }
        groups.into_values().map(|pairs| summary(&pairs)).collect()
    }

    /// The largest, over the observers v, of an upper bound on `(1/n) sum_u leakage(u -> v)`, the paper's mean loss.
    ///
    /// The leakages of one round sum to at most the rank of what the messages add, and so to at most their
    /// number. `None` unless every node that does not observe is a source.
    pub fn largest_mean(&self, protocol: &Protocol) -> Option<f64> {
        let nodes = protocol.nodes();
        if self.question.sources.len() != nodes {
            return None;
        }
        let mut largest = 0.0_f64;
        let mut pairs = &self.pairs[..];
        for (number, seen) in self.seen.iter().enumerate() {
            let end = pairs.partition_point(|pair| pair.observer <= number);
            let (own, rest) = pairs.split_at(end);
            pairs = rest;
            let ends = own.iter().map(|pair| pair.leakage.enclosure().upper());
            let mean = mean_rounded_up(ends, nodes);
            let heard = (seen.messages as f64 / nodes as f64).next_up();
            largest = largest.max(match protocol.rounds() {
                1 => mean.min(heard),
                _ => mean,
            });
        }
        Some(largest)
    }
}

fn summary(pairs: &[&Pair]) -> Summary {
    let losses = || pairs.iter().map(|pair| &pair.leakage);
    let status = losses().map(Quantity::status).max();
    let status = status.unwrap_or(Status::Estimate);
    let bounds: Option<Vec<&Quantity>> =
        pairs.iter().map(|pair| pair.paper_bound.as_ref()).collect();
    let ends = losses().map(Quantity::enclosure);
    let (lower, upper) = ends.fold((0.0_f64, 0.0_f64), |(lower, upper), end| {
        (lower.max(end.lower()), upper.max(end.upper()))
    });
    Summary {
        distance: pairs[0].distance,
        pairs: pairs.len(),
        paper_bound: bounds.map(|all| spread(&all, Status::Certified)),
        leakage: spread(&losses().collect::<Vec<_>>(), status),
        promised: Enclosure::try_new(lower, upper).unwrap_or(Enclosure::UNKNOWN),
        status,
    }
}

/// The spread of quantities of one engine: estimates to nearest, everything else upper ends, rounded up.
fn spread(quantities: &[&Quantity], status: Status) -> Spread {
    if let Some(spread) = exact_spread(quantities) {
        return spread;
    }
    let number = |quantity: &&Quantity| match status {
        Status::Estimate => quantity.value(),
        _ => quantity.enclosure().upper(),
    };
    let numbers = || quantities.iter().map(number);
    let values = [
        numbers().fold(f64::INFINITY, f64::min),
        mean_rounded_up(numbers(), quantities.len()),
        numbers().fold(0.0, f64::max),
    ];
    let text = match status {
        Status::Estimate => values.map(rounded),
        _ => values.map(rounded_up),
    };
    Spread { values, text }
}

/// The spread of fractions, by the reference engine.
fn exact_spread(quantities: &[&Quantity]) -> Option<Spread> {
    let fraction = |quantity: &&Quantity| match quantity {
        Quantity::Exact(value) | Quantity::Bound(value) => Some((**value).clone()),
        Quantity::Enclosed(_) | Quantity::Between(_) => None,
    };
    let pairs = quantities.iter().enumerate().map(|(source, quantity)| {
        Some(muffliato::reference::Pair {
            source,
            observer: 0,
            distance: None,
            paper_bound: None,
            leakage: fraction(quantity)?,
        })
    });
    let account = muffliato::reference::Account {
        model: LossModel::SingleInput,
        observers: Vec::new(),
        pairs: pairs.collect::<Option<_>>()?,
    };
    let found = account.by_distance().into_iter().next()?.leakage;
    let ends = [found.min, found.mean.upper().clone(), found.max];
    Some(Spread {
        text: ends.each_ref().map(|value| decimal::rounded_up(value, 3)),
        values: ends.map(|value| Quantity::from(value).value()),
    })
}

/// The mean of numbers that are at least 0, rounded up: each addition keeps what it rounded away.
fn mean_rounded_up(numbers: impl Iterator<Item = f64>, count: usize) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for number in numbers {
        let next = sum + number;
        let added = next - sum;
        lost += ((sum - (next - added)) + (number - added)).abs();
        sum = next;
    }
    if lost > 0.0 {
        // The sum of what was lost has roundings of its own, far below a millionth of it.
        sum = (sum + lost * 1.000_001).next_up();
    }
    let mean = sum / count as f64;
    match mean.mul_add(count as f64, -sum) < 0.0 {
        true => mean.next_up(),
        false => mean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_round_up_and_only_where_they_must() {
        assert_eq!(mean_rounded_up([1.0; 156].into_iter(), 156), 1.0);
        assert_eq!(mean_rounded_up([0.25, 0.75].into_iter(), 2), 0.5);
        let third = mean_rounded_up([1.0, 0.0, 0.0].into_iter(), 3);
        assert!(third > 1.0 / 3.0 && third <= (1.0_f64 / 3.0).next_up());
        let tiny = mean_rounded_up([1.0, 1e-20].into_iter(), 2);
        assert!(tiny > 0.5 && tiny < 0.5 + 1e-15);
    }
}
