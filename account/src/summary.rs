//! Losses by distance.
//!
//! Sums are multiples of 2^-80, to which each loss is rounded up. They do not depend on the order
//! of summation, so the summaries of all shards merge into that of the whole, to the bit.

use crate::engine::Proved;
use crate::guarantee::{Conditions, Distances, Epsilons, Losses, Maximum, PairEpsilons, Sample};
use crate::noise_law::ProvedFor;
use crate::number::{at_most, between};
use crate::question::Promises;
use crate::shard::{Covered, FORMAT};
use crate::{
    AccountError, Against, Guarantee, Loss, NoiseLaw, Number, ObserverReport, Pair, Question,
    Status, rounded, rounded_up, text,
};
use muffliato_fast::{LocalBounds, MaskedClass};
use muffliato_model::LossModel;
use muffliato_reference::{BigInt, BigRational, order};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::{fmt, ops::Deref};

fn unbounded() -> f64 {
    f64::INFINITY
}

/// The losses of an account by distance, in increasing order, with pairs without a path last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub(crate) format: String,
    /// The conditions of guarantees.
    pub(crate) conditions: Conditions,
    pub(crate) nodes: usize,
    /// The largest number of inputs of a set of sources.
    pub(crate) inputs: usize,
    /// An upper bound on the local loss of every set of sources.
    #[serde(with = "crate::text::float", default = "unbounded")]
    pub(crate) local: f64,
    /// The number of all observers if these are a sample.
    pub(crate) sample_of: Option<usize>,
    /// `true` if every node is a source, each by itself.
    pub(crate) all_sources: bool,
    /// The number of requested observers.
    pub(crate) asked: usize,
    /// The observers that were examined.
    pub(crate) covered: Covered,
    /// The largest upper bound on the mean loss to an observer.
    #[serde(with = "text::float")]
    pub(crate) largest_mean: f64,
    /// The classes in increasing order of the distance, with pairs without a path last.
    pub(crate) classes: Vec<Class>,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

/// The source of a summary, which does not matter for equality. Deserialization makes the default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub on_file: bool,
}

impl Default for Origin {
    fn default() -> Self {
        Self { on_file: true }
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// All pairs at one distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// The distance; `None` for pairs without a path.
    pub distance: Option<usize>,
    /// `true` if the class includes pairs that are farther apart or have no path.
    pub or_farther: bool,
    /// The number of pairs.
    pub pairs: usize,
    /// The refuted bounds of Theorem 1, where it applies.
    pub theorem_1: Option<Spread>,
    /// The upper ends of the losses.
    pub upper: Spread,
    /// The estimates of the losses.
    pub value: Spread,
    /// The largest lower end.
    #[serde(with = "text::float")]
    pub lower: f64,
    /// The weakest status of these losses.
    pub status: Status,
    /// The model that the losses were computed in.
    pub model: LossModel,
    /// The largest guaranteed bound of a pair.
    pub(crate) promised: Extreme,
    /// The largest guaranteed bound for any loss functions; `None` for averaging.
    pub(crate) any_losses: Option<Extreme>,
}

/// The minimum, the mean and the maximum of some nonnegative numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub(crate) count: usize,
    /// The sum in units of 2^-80, each number rounded up; saturating.
    #[serde(with = "text::display")]
    pub(crate) sum: u128,
    /// The exact sum, if all numbers are fractions with a short common denominator.
    #[serde(with = "text::sum")]
    pub(crate) fraction: Option<Box<(BigInt, BigInt)>>,
    pub(crate) min: Extreme,
    pub(crate) max: Extreme,
}

/// An upper bound on a number as a float, and the number itself if it is a fraction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extreme {
    #[serde(with = "text::float")]
    pub float: f64,
    #[serde(with = "text::fraction")]
    pub fraction: Option<Box<BigRational>>,
}

impl Summary {
    /// Creates a summary of no observers.
    pub(crate) fn empty(question: &Question) -> Self {
        let nodes = question.graph.nodes();
        let single = question.sources.iter().all(|set| set.len() == 1);
        Self {
            format: FORMAT.into(),
            origin: Origin { on_file: false },
            conditions: question.conditions.clone(),
            nodes,
            inputs: question.inputs,
            local: question.local,
            sample_of: question.sample_of,
            all_sources: single && question.sources.len() == nodes,
            asked: question.observers.len(),
            covered: Covered::default(),
            largest_mean: 0.0,
            classes: Vec::new(),
        }
    }

    /// Creates a summary of bounds for all pairs. The class beyond the radius is at the next
    /// distance and marked `or_farther`.
    pub(crate) fn of_local(question: &Question, radius: usize, bounds: &LocalBounds) -> Self {
        let nodes = question.graph.nodes();
        let class = |class: &MaskedClass| {
            let extreme = |float| Extreme { float, fraction: None };
            let spread = Spread {
                count: class.pairs as usize,
                sum: units(class.mean).saturating_mul(class.pairs.into()),
                fraction: None,
                min: extreme(class.smallest),
                max: extreme(class.largest),
            };
            let loss = Loss::between(0.0, Proved::of_class(class), LossModel::SingleInput);
            let Promises { promised, any_losses } = question.promise(&loss, None, question.local);
            Class {
                distance: class.distance.or(Some(radius + 1)),
                or_farther: class.distance.is_none(),
                pairs: class.pairs as usize,
                theorem_1: None,
                upper: spread.clone(),
                value: spread,
                lower: 0.0,
                status: Status::Certified,
                model: LossModel::SingleInput,
                promised: Extreme::of(&promised),
                any_losses: any_losses.as_ref().map(Extreme::of),
            }
        };
        let mut classes: Vec<Class> = bounds.classes.iter().map(class).collect();
        classes.sort_by_key(Class::key);
        Self {
            covered: Covered::all(nodes),
            largest_mean: bounds.largest,
            classes,
            ..Self::empty(question)
        }
    }

    /// Adds the losses to one observer.
    pub(crate) fn add(&mut self, report: &ObserverReport) {
        let mut sum = Spread::none();
        for pair in &report.pairs {
            sum.add(pair.promised_upper(), None);
            self.add_class(Class::of(pair));
        }
        sum.count = self.nodes;
        // The losses of one round sum to at most the rank that the messages add, and so to at most
        // their number. On a grid this fails: the digits of one message can hold many states.
        let heard = (report.messages as f64 / self.nodes as f64).next_up();
        let mean = match (&self.conditions.losses, self.noise().law()) {
            (Losses::None, NoiseLaw::Gaussian) => sum.mean().min(heard),
            _ => sum.mean(),
        };
        self.largest_mean = self.largest_mean.max(mean);
        let one = Covered::one(report.observer);
        self.covered = self.covered.union(&one).unwrap_or(one);
    }

    fn add_class(&mut self, class: Class) {
        match self.classes.binary_search_by_key(&class.key(), Class::key) {
            Ok(place) => self.classes[place].merge(&class),
            Err(place) => self.classes.insert(place, class),
        }
    }

    /// Merges the summary of other observers of the same question.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unlike`] for another question, [`AccountError::Overlap`] if an observer is
    /// in both.
    pub fn merge(&mut self, other: Self) -> Result<(), AccountError> {
        if let Some(what) = self.conditions.difference(&other.conditions) {
            return Err(AccountError::Unlike { what });
        }
        let counts =
            |summary: &Self| (summary.nodes, summary.inputs, summary.local, summary.sample_of);
        if counts(self) != counts(&other) || self.asked != other.asked {
            return Err(AccountError::Unlike { what: "who observes" });
        }
        let covered = self.covered.union(&other.covered);
        self.covered = covered.ok_or(AccountError::Overlap)?;
        other.classes.into_iter().for_each(|class| self.add_class(class));
        self.largest_mean = self.largest_mean.max(other.largest_mean);
        self.origin.on_file |= other.origin.on_file;
        Ok(())
    }

    /// Returns the rows in increasing order of the distance, with pairs without a path last.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let row = |class| Row { summary: self, class };
        self.classes.iter().map(row)
    }

    /// Returns the noise that the losses are proved for.
    pub fn noise(&self) -> ProvedFor {
        self.conditions.noise
    }

    /// Returns the conditions of its guarantees. If observers are missing, they name the sample.
    pub fn conditions(&self) -> Conditions {
        let mut conditions = self.conditions.clone();
        if let Some(Sample { observers, of, .. }) = self.sample() {
            conditions.against = Against::Sample { observers, of };
        }
        conditions
    }

    /// Returns the number of observers that were examined.
    pub fn observers(&self) -> usize {
        self.covered.count()
    }

    /// Returns the observers that were examined if these are a sample or a part of all.
    pub fn sample(&self) -> Option<Sample> {
        let partial = self.is_partial();
        let of = self.sample_of.or(partial.then_some(self.asked))?;
        Some(Sample { observers: self.observers(), of, partial })
    }

    /// Returns `true` if requested observers are missing: this is a shard, or the
    /// [deadline](crate::AccountBuilder::deadline) passed. It counts as a sample until the other parts are
    /// merged.
    pub fn is_partial(&self) -> bool {
        self.observers() < self.asked
    }

    /// Returns the largest guaranteed bound of pairs at this distance or farther, including those
    /// without a path.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoPair`] if there is no such pair.
    pub fn largest(&self, from: usize) -> Result<Maximum, AccountError> {
        let (from, far) = self.from(from);
        let largest =
            far.reduce(
                |one, other| {
                    if other.promised.compare(&one.promised).is_gt() { other } else { one }
                },
            );
        let largest = largest.ok_or_else(|| self.no_pair(from))?;
        let distances = match from {
            0 | 1 => Distances::Any,
            from => Distances::AtLeast(from),
        };
        Ok(self.maximum(largest.promised.number(), distances))
    }

    /// Returns the largest loss of pairs at this distance or farther, which may hold in a model
    /// only.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoPair`] if there is no such pair.
    pub fn largest_loss(&self, from: usize) -> Result<Loss, AccountError> {
        let (from, far) = self.from(from);
        let loss = far
            .map(|class| class.loss(self.noise()))
            .reduce(|one, other| if other.upper() > one.upper() { other } else { one });
        loss.ok_or_else(|| self.no_pair(from))
    }

    /// Returns the classes from this distance on. A class that reaches beyond its distance counts
    /// for all distances beyond.
    fn from(&self, from: usize) -> (usize, impl Iterator<Item = &Class>) {
        let last = self.classes.iter().rfind(|class| class.or_farther);
        let first = last.map_or(from, |last| from.min(last.distance.unwrap_or(from)));
        (from, self.classes.iter().filter(move |class| class.key() >= first))
    }

    fn no_pair(&self, from: usize) -> AccountError {
        let farthest = self.classes.iter().filter_map(|class| class.distance).max().unwrap_or(0);
        AccountError::NoPair { from, farthest }
    }

    /// Returns the largest number of inputs of a set of sources: its members times the rounds that
    /// use their data.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns `true` if losses hold in a model of training only, which real loss functions can
    /// exceed.
    pub fn is_modelled(&self) -> bool {
        self.rows().any(|row| row.loss().is_of_a_model())
    }

    /// Returns `true` if the guarantee differs from the computed loss. This holds for gradient
    /// descent, unless the loss is for any loss functions and nothing is assumed of them.
    pub fn promises_another(&self) -> bool {
        self.is_modelled() || matches!(self.conditions.losses, Losses::Lipschitz(_))
    }

    /// Returns the guarantee of local differential privacy: a loss of `1 / s_u^2` for each input, 1
    /// for uniform noise.
    pub fn local(&self) -> Guarantee {
        let mut conditions = self.conditions();
        if conditions.losses != Losses::None {
            conditions.losses = Losses::Any;
        }
        Guarantee::new(at_most(self.local), conditions)
    }

    /// Returns an upper bound on the paper's mean loss `(1/n) sum_u loss(u -> v)` for every
    /// observer v. It promises nothing to a single pair.
    ///
    /// # Errors
    ///
    /// [`AccountError::MeanOfSome`] unless every node is a source, [`AccountError::SampledMean`] under
    /// secret sampling.
    pub fn largest_mean(&self) -> Result<Maximum, AccountError> {
        if !self.all_sources {
            return Err(AccountError::MeanOfSome);
        }
        if self.noise().sampling_rate().is_some() {
            return Err(AccountError::SampledMean);
        }
        let mean = at_most(self.largest_mean);
        Ok(Maximum { is_mean: true, ..self.maximum(mean, Distances::Any) })
    }

    fn maximum(&self, number: Number, distances: Distances) -> Maximum {
        let conditions = Conditions { distances, ..self.conditions() };
        Maximum {
            bound: Guarantee::new(number, conditions),
            sample: self.sample(),
            is_mean: false,
            origin: self.origin,
        }
    }
}

/// One row of a summary: the pairs at one distance.
///
/// ```
/// use muffliato_account::Account;
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:3".parse()?)?, 2)?.refreshed("1/2".parse()?)?;
/// let rows: Vec<String> = Account::of(&protocol).build()?.summary()?.rows().map(|row| row.to_string()).collect();
/// assert_eq!(rows, ["distance 1: 4 pairs lose at most 1 L (exact)", "distance 2: 2 pairs lose at most 0.308 L (exact)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    summary: &'a Summary,
    class: &'a Class,
}

impl Deref for Row<'_> {
    type Target = Class;

    fn deref(&self) -> &Class {
        self.class
    }
}

impl Row<'_> {
    /// Returns the largest guaranteed bound of these pairs.
    pub fn largest(&self) -> Maximum {
        let distances = match (self.class.distance, self.class.or_farther) {
            (Some(distance), true) => Distances::AtLeast(distance),
            (Some(distance), false) => Distances::Exactly(distance),
            (None, _) => Distances::NoPath,
        };
        self.summary.maximum(self.class.promised.number(), distances)
    }

    /// Returns the largest loss of these pairs, which may hold in a model only.
    pub fn loss(&self) -> Loss {
        self.class.loss(self.summary.noise())
    }

    /// Returns the name of the status of [the numbers shown](Class::shown): `sampled` or `partial`
    /// if observers are missing.
    pub fn as_str(&self) -> &'static str {
        match self.summary.sample() {
            None => self.class.status.as_str(),
            Some(_) => self.largest().as_str(),
        }
    }

    /// Converts the bounds for the observers that were examined to epsilons.
    ///
    /// # Errors
    ///
    /// Fails if sigma, the sensitivity or the delta is out of range.
    pub fn epsilons(&self, epsilons: &mut Epsilons) -> Result<PairEpsilons, AccountError> {
        let promises = Promises {
            promised: self.class.promised.number(),
            any_losses: self.class.any_losses.as_ref().map(Extreme::number),
        };
        epsilons.of_promises(&promises, &self.loss(), self.summary.noise())
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.class.distance, self.class.or_farther) {
            (Some(distance), false) => write!(f, "distance {distance}: ")?,
            (Some(distance), true) => write!(f, "distance {distance} or more: ")?,
            (None, _) => f.write_str("no path: ")?,
        }
        let (largest, pairs) = (self.largest(), self.class.pairs);
        write!(f, "{pairs} pairs lose at most {} L ({})", largest.rounded_up(), largest.as_str())
    }
}

impl Class {
    /// Returns the distance, or `usize::MAX` for pairs without a path.
    pub(crate) fn key(&self) -> usize {
        self.distance.unwrap_or(usize::MAX)
    }

    fn of(pair: &Pair) -> Self {
        let (loss, number) = (&pair.loss, pair.loss.number());
        let spread = |number: &Number| Spread::of(number.upper(), number.fraction());
        Self {
            distance: pair.distance,
            or_farther: false,
            pairs: 1,
            theorem_1: pair.theorem_1.as_ref().map(spread),
            upper: Spread::of(number.upper(), number.fraction()),
            value: Spread::of(number.value(), number.fraction()),
            lower: number.lower(),
            status: loss.status(),
            model: loss.model(),
            promised: Extreme::of(&pair.promises.promised),
            any_losses: pair.promises.any_losses.as_ref().map(Extreme::of),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.or_farther |= other.or_farther;
        self.theorem_1 = match (self.theorem_1.take(), &other.theorem_1) {
            (Some(mut mine), Some(other)) => {
                mine.merge(other);
                Some(mine)
            }
            _ => None,
        };
        self.upper.merge(&other.upper);
        self.value.merge(&other.value);
        self.lower = self.lower.max(other.lower);
        self.status = self.status.max(other.status);
        if other.model != LossModel::SingleInput {
            self.model = other.model;
        }
        self.promised.raise(&other.promised);
        if let (Some(mine), Some(other)) = (&mut self.any_losses, &other.any_losses) {
            mine.raise(other);
        }
    }

    /// Returns the largest loss to the observers that were examined.
    fn loss(&self, noise: ProvedFor) -> Loss {
        let upper = &self.upper.max;
        let loss = match (&upper.fraction, self.status) {
            (Some(fraction), Status::Exact) => {
                Loss::single((**fraction).clone().into(), self.model)
            }
            (_, Status::Estimate) => {
                let ends = between(self.lower, upper.float);
                Loss::single(Number::estimated(self.value.max.float, ends), self.model)
            }
            _ => Loss::between(self.lower, Proved::of(&upper.number()), self.model),
        };
        loss.under(noise)
    }

    /// Returns the estimates if one of the losses is an estimate, otherwise the upper ends.
    pub fn shown(&self) -> &Spread {
        match self.status {
            Status::Estimate => &self.value,
            _ => &self.upper,
        }
    }

    /// Returns the minimum, the mean and the maximum as short decimals, rounded up; estimates are
    /// rounded to nearest.
    pub fn shown_text(&self) -> [String; 3] {
        match self.status {
            Status::Estimate => self.value.floats().map(rounded),
            _ => self.upper.rounded_up(),
        }
    }
}

/// Converts a nonnegative number to units of 2^-80, rounded up.
fn units(number: f64) -> u128 {
    if number.is_nan() || number >= 2_f64.powi(40) {
        return u128::MAX;
    }
    // The product is exact up to 2^120.
    match (number * 2_f64.powi(80)).ceil() {
        0.0 if number > 0.0 => 1,
        units => units as u128,
    }
}

/// Longest common denominator of sums that are kept as fractions, in bits.
const LONGEST: u64 = 128;

/// Adds two fractions over the least common multiple of their denominators; `None` if that is long.
/// The result is not reduced, so that sums do not depend on their order.
fn add_fractions(
    one: &(BigInt, BigInt),
    other: &(BigInt, BigInt),
) -> Option<Box<(BigInt, BigInt)>> {
    let ratio = BigRational::new(one.1.clone(), other.1.clone());
    let common = ratio.numer() * &other.1;
    let above = &one.0 * ratio.denom() + &other.0 * ratio.numer();
    (common.bits() <= LONGEST).then(|| Box::new((above, common)))
}

impl Spread {
    fn none() -> Self {
        let none = |float| Extreme { float, fraction: None };
        Self {
            count: 0,
            sum: 0,
            fraction: Some(Box::new((0.into(), 1.into()))),
            min: none(f64::INFINITY),
            max: none(0.0),
        }
    }

    fn of(number: f64, fraction: Option<&BigRational>) -> Self {
        let mut spread = Self::none();
        spread.add(number, fraction);
        spread
    }

    fn add(&mut self, number: f64, fraction: Option<&BigRational>) {
        let extreme = Extreme {
            float: number,
            fraction: fraction.map(|fraction| Box::new(fraction.clone())),
        };
        self.merge(&Self {
            count: 1,
            sum: units(number),
            fraction: fraction.map(|f| Box::new((f.numer().clone(), f.denom().clone()))),
            min: extreme.clone(),
            max: extreme,
        });
    }

    fn merge(&mut self, other: &Self) {
        let first = self.count == 0;
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.fraction = match (self.fraction.take(), &other.fraction) {
            (Some(one), Some(other)) => add_fractions(&one, other),
            _ => None,
        };
        if first || other.min.compare(&self.min).is_lt() {
            self.min = other.min.clone();
        }
        if first || other.max.compare(&self.max).is_gt() {
            self.max = other.max.clone();
        }
    }

    /// Returns the mean as a fraction, rounded up unless it is short; `None` if it is out of range.
    fn mean_fraction(&self) -> Option<BigRational> {
        let (above, below) = match &self.fraction {
            Some(sum) => (sum.0.clone(), sum.1.clone()),
            None if self.sum == u128::MAX => return None,
            None => (self.sum.into(), BigInt::from(1) << 80),
        };
        Some(BigRational::new(above, below * BigInt::from(self.count.max(1))))
    }

    /// Returns the mean, rounded up.
    pub fn mean(&self) -> f64 {
        let mean = self.mean_fraction();
        let mean = mean.map_or(f64::INFINITY, |mean| crate::number::enclosing(&mean).upper());
        // Numbers below one unit were counted as one.
        mean.min(self.max.float)
    }

    /// Returns the minimum, the mean (rounded up) and the maximum.
    pub fn floats(&self) -> [f64; 3] {
        [self.min.float, self.mean(), self.max.float]
    }

    /// Returns the minimum, the mean and the maximum as short decimals, rounded up.
    pub fn rounded_up(&self) -> [String; 3] {
        let mean = match (&self.fraction, self.mean_fraction()) {
            (Some(_), Some(mean)) => Number::from(mean).rounded_up(),
            _ => rounded_up(self.mean()),
        };
        [self.min.number().rounded_up(), mean, self.max.number().rounded_up()]
    }
}

impl Extreme {
    fn of(number: &Number) -> Self {
        Self { float: number.upper(), fraction: number.fraction().cloned().map(Box::new) }
    }

    fn number(&self) -> Number {
        match &self.fraction {
            Some(fraction) => Number::from((**fraction).clone()),
            None => at_most(self.float),
        }
    }

    /// Replaces the number by a larger one.
    fn raise(&mut self, other: &Self) {
        if other.compare(self).is_gt() {
            *self = other.clone();
        }
    }

    /// Compares exactly: the float above a fraction is larger than the fraction.
    fn compare(&self, other: &Self) -> Ordering {
        let with_float = |fraction: &BigRational, float| match BigRational::from_float(float) {
            Some(float) => order(fraction, &float),
            None => Ordering::Less,
        };
        match (&self.fraction, &other.fraction) {
            (Some(one), Some(other)) => order(one, other),
            (Some(one), None) => with_float(one, other.float),
            (None, Some(other)) => with_float(other, self.float).reverse(),
            (None, None) => self.float.total_cmp(&other.float),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(numbers: &[f64]) -> f64 {
        let mut spread = Spread::none();
        numbers.iter().for_each(|&number| spread.add(number, None));
        spread.mean()
    }

    #[test]
    fn means_round_up_only_if_they_are_inexact() {
        assert_eq!(mean(&[1.0; 156]), 1.0);
        assert_eq!(mean(&[0.25, 0.75]), 0.5);
        let third = mean(&[1.0, 0.0, 0.0]);
        assert!(third > 1.0 / 3.0 && third <= (1.0_f64 / 3.0).next_up());
        let tiny = mean(&[1.0, 1e-20]);
        assert!(tiny > 0.5 && tiny < 0.5 + 1e-15);
        assert_eq!(mean(&[1e-300, 1e-300]), 1e-300);
        assert_eq!(mean(&[f64::INFINITY, 0.0]), f64::INFINITY);
        assert_eq!(mean(&[0.0; 3]), 0.0);
    }

    #[test]
    fn the_mean_of_short_fractions_is_exact() {
        let mut spread = Spread::none();
        for (above, below) in [(1, 3), (2, 3), (1, 10), (1, 10)] {
            let fraction = BigRational::new(above.into(), below.into());
            spread.add(crate::number::enclosing(&fraction).upper(), Some(&fraction));
        }
        assert_eq!(spread.rounded_up(), ["0.1", "0.3", "0.667"]);
    }

    #[test]
    fn a_bound_above_a_fraction_is_larger_than_the_fraction() {
        let third = Number::from(BigRational::new(1.into(), 3.into()));
        for (first, second) in
            [(at_most(third.upper()), third.clone()), (third.clone(), at_most(third.upper()))]
        {
            let mut largest = Extreme::of(&first);
            largest.raise(&Extreme::of(&second));
            assert_eq!(largest, Extreme { float: third.upper(), fraction: None });
        }
        let mut below = Extreme::of(&at_most(third.lower()));
        below.raise(&Extreme::of(&third));
        assert_eq!(below, Extreme::of(&third));
    }

    #[test]
    fn sums_do_not_depend_on_their_order() {
        let numbers: Vec<f64> = (1..200).map(|k| 1.0 / f64::from(k)).collect();
        let mut parts = [Spread::none(), Spread::none()];
        for (k, &number) in numbers.iter().rev().enumerate() {
            parts[k % 2].add(number, None);
        }
        let mut whole = parts[0].clone();
        whole.merge(&parts[1]);
        let mut forward = Spread::none();
        numbers.iter().for_each(|&number| forward.add(number, None));
        assert_eq!(whole, forward);
    }
}
