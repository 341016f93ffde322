//! An account gathered by distance.
//!
//! Sums are whole multiples of 2^-80, each loss rounded up to one, so that they are the same in any order: summaries of parts merge
//! into the summary of the whole, to the bit.

use crate::noise_law::ProvedFor;
use crate::shard::{Covered, fingerprint};
use crate::{
    Account, AccountError, Loss, NoiseLaw, Number, Pair, Question, Status, Towards, rounded,
    rounded_up,
};
use muffliato_fast::LocalBounds;
use muffliato_model::{Lipschitz, LossModel};
use muffliato_reference::{BigInt, BigRational, decimal, order};
use std::collections::BTreeMap;

/// The losses of a question by distance, nearest first, those without a path last.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The fingerprint of the question.
    pub(crate) question: u64,
    pub(crate) nodes: usize,
    pub(crate) model: LossModel,
    pub(crate) noise: ProvedFor,
    /// How many inputs a set of sources has.
    pub(crate) inputs: usize,
    /// The Lipschitz constants of steps that what is promised rests on; `None` if nothing is.
    pub(crate) lipschitz: Option<Lipschitz>,
    /// Of how many observers those looked at are a sample.
    pub(crate) sample_of: Option<usize>,
    /// Whether every node is a source of its own.
    pub(crate) all_sources: bool,
    /// How many observers the question is about, or the sample has.
    pub(crate) asked: usize,
    /// Which of them were looked at.
    pub(crate) covered: Covered,
    /// The largest, over the observers, of an upper bound on the mean loss of its sources.
    pub(crate) largest_mean: f64,
    /// By distance; `usize::MAX` where there is no path.
    pub(crate) classes: BTreeMap<usize, Class>,
}

/// All pairs at one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The distance; `None` collects the pairs without a path.
    pub distance: Option<usize>,
    /// Whether pairs that are farther apart, or not joined at all, are in it, too.
    pub or_farther: bool,
    /// How many pairs.
    pub pairs: usize,
    /// What Theorem 1 says, where it does.
    pub theorem_1: Option<Spread>,
    /// What is proved beside the losses, where that was asked for.
    pub proved: Option<Spread>,
    /// The upper ends of the losses.
    pub upper: Spread,
    /// The best guesses of the losses.
    pub value: Spread,
    /// The largest lower end.
    pub lower: f64,
    /// The least that is known about any of these losses.
    pub status: Status,
    pub(crate) model: LossModel,
    pub(crate) noise: ProvedFor,
}

/// The smallest, the mean and the largest of some numbers that are at least 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    pub(crate) count: usize,
    /// In units of 2^-80, each number rounded up; saturated if it is out of range.
    pub(crate) sum: u128,
    /// The sum itself, over the common denominator of all numbers, as long as these are fractions and it is short.
    pub(crate) fraction: Option<Box<(BigInt, BigInt)>>,
    pub(crate) min: Extreme,
    pub(crate) max: Extreme,
}

/// A float that is at least the number, and the number itself where it is a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extreme {
    pub float: f64,
    pub fraction: Option<Box<BigRational>>,
}

/// The largest loss of some pairs.
///
/// It can be promised only if all observers that the question is about were looked at.
///
/// ```
/// use muffliato_account::{Account, AccountError, Largest, Observers};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 3)?.refreshed("0.1".parse()?)?;
/// let sample = Account::of(&protocol)?.observers(Observers::Sample(4)).summary()?;
/// let Largest::OfSample(found) = sample.largest(2)? else { unreachable!() };
/// assert_eq!((found.observers, found.of), (4, 34));
/// assert!(matches!(sample.largest(2)?.promised(), Err(AccountError::Sampled { .. })));
///
/// let all = Account::of(&protocol)?.observers(Observers::All).summary()?;
/// assert!(all.largest(2)?.promised()?.upper() > found.loss.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Largest {
    /// Over all observers that the question is about.
    OfAll(Loss),
    /// Over a sample of them.
    OfSample(Sampled),
}

/// A maximum over some observers: others may learn more.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The largest loss towards the observers that were looked at.
    pub loss: Loss,
    /// How many were looked at.
    pub observers: usize,
    /// Of how many.
    pub of: usize,
    /// Whether more of them were asked for than were looked at: it is a shard, or the time was up.
    pub partial: bool,
}

impl Largest {
    /// The loss that can be promised; [`AccountError::Sampled`] for a sample.
    pub fn promised(self) -> Result<Loss, AccountError> {
        match self {
            Self::OfAll(loss) => Ok(loss),
            Self::OfSample(Sampled { observers, of, .. }) => {
                Err(AccountError::Sampled { observers, of })
            }
        }
    }

    /// The loss towards the observers that were looked at, whoever they are: to be shown, with [`Largest::word`].
    pub fn of_those_seen(&self) -> &Loss {
        match self {
            Self::OfAll(loss) => loss,
            Self::OfSample(sampled) => &sampled.loss,
        }
    }

    /// What is known about it: `sampled` for a sample and `partial` for a part, whatever is known about its losses.
    pub fn word(&self) -> &'static str {
        match self {
            Self::OfAll(loss) => loss.status().word(),
            Self::OfSample(Sampled { partial: true, .. }) => "partial",
            Self::OfSample(_) => "sampled",
        }
    }
}

impl Summary {
    /// The summary before any observer was looked at.
    pub(crate) fn empty(account: &Account<'_>, question: &Question) -> Self {
        let nodes = account.protocol().nodes();
        let single = question.sources.iter().all(|set| set.len() == 1);
        Self {
            nodes,
            model: account.loss_model(),
            noise: account.noise,
            inputs: account.inputs(),
            lipschitz: account.assumed().cloned(),
            sample_of: question.sample_of,
            all_sources: single && question.sources.len() == nodes,
            question: match account.every {
                None => fingerprint(&(account.protocol(), question)),
                Some(schedules) => fingerprint(&(schedules, account.protocol(), question)),
            },
            asked: question.observers.len(),
            covered: Covered::default(),
            largest_mean: 0.0,
            classes: BTreeMap::new(),
        }
    }

    /// The summary of bounds for all pairs; the class beyond the radius counts as one at the next distance, and says so.
    pub(crate) fn of_local(account: &Account<'_>, radius: usize, bounds: &LocalBounds) -> Self {
        let (protocol, noise) = (account.protocol(), account.noise);
        let mut classes = BTreeMap::new();
        for class in &bounds.classes {
            let key = class.distance.unwrap_or(radius + 1);
            let extreme = |float| Extreme {
                float,
                fraction: None,
            };
            let spread = Spread {
                count: class.pairs as usize,
                sum: units(class.mean).saturating_mul(class.pairs.into()),
                fraction: None,
                min: extreme(class.smallest),
                max: extreme(class.largest),
            };
            let class = Class {
                distance: Some(key),
                or_farther: class.distance.is_none(),
                pairs: class.pairs as usize,
                theorem_1: None,
                proved: None,
                upper: spread.clone(),
                value: spread,
                lower: 0.0,
                status: Status::Certified,
                model: LossModel::SingleInput,
                noise,
            };
            classes.insert(key, class);
        }
        Self {
            nodes: protocol.nodes(),
            model: protocol.loss_model(),
            noise,
            inputs: account.inputs(),
            lipschitz: None,
            sample_of: None,
            all_sources: true,
            question: fingerprint(protocol),
            asked: protocol.nodes(),
            covered: Covered::all(protocol.nodes()),
            largest_mean: bounds.largest,
            classes,
        }
    }

    /// The summary of losses that were kept.
    pub fn of(account: &Account<'_>, question: &Question, all: &[Towards]) -> Self {
        let mut summary = Self::empty(account, question);
        all.iter().for_each(|towards| summary.add(towards));
        summary
    }

    /// Adds what one observer learns.
    pub(crate) fn add(&mut self, towards: &Towards) {
        let mut sum = Spread::none();
        for pair in &towards.pairs {
            sum.add(pair.loss.upper(), None);
            let key = pair.distance.unwrap_or(usize::MAX);
            let one = Class::of(pair);
            match self.classes.get_mut(&key) {
                Some(class) => class.merge(&one),
                None => drop(self.classes.insert(key, one)),
            }
        }
        sum.count = self.nodes;
        // The losses of one round sum to at most the rank of what the messages add, and so to at most their number. Not on a grid: there one
        // message can hold the states of many, each on digits of its own.
        let heard = (towards.messages as f64 / self.nodes as f64).next_up();
        let mean = match (self.model, self.noise.law()) {
            (LossModel::SingleInput, NoiseLaw::Gaussian) => sum.mean().min(heard),
            _ => sum.mean(),
        };
        self.largest_mean = self.largest_mean.max(mean);
        let one = Covered::one(towards.observer);
        self.covered = self.covered.joined(&one).unwrap_or(one);
    }

    /// Joins the summary of other observers of the same question.
    pub fn merge(&mut self, other: Self) -> Result<(), AccountError> {
        for (what, alike) in [
            (
                "the protocol, who observes or who is protected",
                self.question == other.question,
            ),
            ("the number of nodes", self.nodes == other.nodes),
            ("the model", self.model == other.model),
            ("the noise", self.noise == other.noise),
            ("the number of inputs", self.inputs == other.inputs),
            ("the Lipschitz constants", self.lipschitz == other.lipschitz),
            ("the sample", self.sample_of == other.sample_of),
            ("who is protected", self.all_sources == other.all_sources),
            ("who observes", self.asked == other.asked),
        ] {
            if !alike {
                return Err(AccountError::Unlike { what });
            }
        }
        let covered = self.covered.joined(&other.covered);
        self.covered = covered.ok_or(AccountError::Overlap)?;
        for (key, class) in other.classes {
            match self.classes.get_mut(&key) {
                Some(mine) => mine.merge(&class),
                None => drop(self.classes.insert(key, class)),
            }
        }
        self.largest_mean = self.largest_mean.max(other.largest_mean);
        Ok(())
    }

    /// The classes of pairs, nearest first, those without a path last.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values()
    }

    /// Which noise the losses are proved for.
    pub fn noise(&self) -> ProvedFor {
        self.noise
    }

    /// How many observers were looked at.
    pub fn observers(&self) -> usize {
        self.covered.count()
    }

    /// Of how many observers those looked at are a sample or a shard; `None` if they are all.
    pub fn sample_of(&self) -> Option<usize> {
        self.missing()
    }

    /// Whether some observers that the question is about are missing: it is of a shard, or the [time was up](Account::until). Its largest loss is that of a
    /// sample, until the other parts are merged.
    pub fn is_partial(&self) -> bool {
        self.observers() < self.asked
    }

    /// The largest loss of pairs at this distance or farther, those without a path included.
    pub fn largest(&self, from: usize) -> Result<Largest, AccountError> {
        // A class that reaches beyond its distance counts for all distances beyond.
        let last = self.classes.values().rfind(|class| class.or_farther);
        let from = last.map_or(from, |last| from.min(last.distance.unwrap_or(from)));
        let far = self.classes.range(from..).map(|(_, class)| class.largest());
        let loss = far.reduce(|one, other| match other.upper() > one.upper() {
            true => other,
            false => one,
        });
        let loss = loss.ok_or_else(|| {
            let farthest = self.classes.keys().filter(|&&key| key < usize::MAX).max();
            let farthest = farthest.copied().unwrap_or(0);
            AccountError::NoPair { from, farthest }
        })?;
        Ok(self.seen(loss))
    }

    /// The largest loss of one class of pairs: its upper end can be promised to all of them, if all observers were looked at.
    pub fn largest_of(&self, class: &Class) -> Largest {
        self.seen(class.largest())
    }

    /// What is known about the losses of a class: `sampled` or `partial` where observers are missing.
    pub fn word_of(&self, class: &Class) -> &'static str {
        match self.missing() {
            Some(_) if self.is_partial() => "partial",
            Some(_) => "sampled",
            None => class.status.word(),
        }
    }

    /// What is promised to the pairs of one class: the largest of what is [promised to each](Summary::promised_to).
    pub fn promised_of(&self, class: &Class) -> Largest {
        let proved = class.proved.as_ref().map(|proved| proved.max.float);
        self.seen(self.promised(proved, class.largest()))
    }

    /// What is promised to one pair of the question: the loss where it needs no model, and otherwise the number of inputs (local differential privacy),
    /// which holds for any loss functions; not more than the absorption bound, if steps are [assumed](Summary::lipschitz) to be Lipschitz.
    pub fn promised_to(&self, pair: &Pair) -> Loss {
        self.promised(pair.proved.as_ref().map(Loss::upper), pair.loss.clone())
    }

    fn promised(&self, proved: Option<f64>, loss: Loss) -> Loss {
        let any_loss = self.for_any_loss(loss);
        match (&self.lipschitz, proved) {
            (Some(_), Some(proved)) => {
                let upper = proved.min(any_loss.upper());
                Loss::between(0.0, upper, LossModel::LipschitzSteps).under(self.noise)
            }
            _ => any_loss,
        }
    }

    /// What holds for any loss functions if this loss was found: itself where it needs no model, else the number of inputs.
    pub fn for_any_loss(&self, loss: Loss) -> Loss {
        match loss.model() {
            LossModel::SingleInput => loss,
            _ => Loss::local(self.inputs, self.noise),
        }
    }

    /// The Lipschitz constants of the steps of gradient descent that what is promised rests on; `None` if it rests on none.
    pub fn lipschitz(&self) -> Option<&Lipschitz> {
        self.lipschitz.as_ref()
    }

    /// How many inputs a set of sources has: members times the rounds that use their data.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Whether the losses are those in a model, which real losses can exceed.
    pub fn is_modelled(&self) -> bool {
        let mut classes = self.classes.values();
        classes.any(|class| class.model != LossModel::SingleInput)
    }

    /// The largest, over the observers v, of an upper bound on the paper's mean loss `(1/n) sum_u loss(u -> v)`. It promises
    /// nothing to a single pair.
    pub fn largest_mean(&self) -> Result<Largest, AccountError> {
        match self.all_sources {
            true => {
                Ok(self.seen(Loss::between(0.0, self.largest_mean, self.model).under(self.noise)))
            }
            false => Err(AccountError::MeanOfSome),
        }
    }

    /// Of how many observers those looked at are only some.
    fn missing(&self) -> Option<usize> {
        let part = self.is_partial().then_some(self.asked);
        self.sample_of.or(part)
    }

    fn seen(&self, loss: Loss) -> Largest {
        match self.missing() {
            None => Largest::OfAll(loss),
            Some(of) => Largest::OfSample(Sampled {
                loss,
                observers: self.observers(),
                of,
                partial: self.is_partial(),
            }),
        }
    }
}

impl Class {
    fn of(pair: &Pair) -> Self {
        let (loss, number) = (&pair.loss, pair.loss.number());
        let spread = |number: &Number| Spread::of(number.upper(), number.fraction());
        Self {
            distance: pair.distance,
            or_farther: false,
            pairs: 1,
            theorem_1: pair.theorem_1.as_ref().map(spread),
            proved: pair.proved.as_ref().map(|proved| spread(proved.number())),
            upper: Spread::of(number.upper(), number.fraction()),
            value: Spread::of(number.value(), number.fraction()),
            lower: number.lower(),
            status: loss.status(),
            model: loss.model(),
            noise: loss.noise(),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.or_farther |= other.or_farther;
        let both = |mine: Option<Spread>, other: &Option<Spread>| {
            let (mut mine, other) = (mine?, other.as_ref()?);
            mine.merge(other);
            Some(mine)
        };
        self.theorem_1 = both(self.theorem_1.take(), &other.theorem_1);
        self.proved = both(self.proved.take(), &other.proved);
        self.upper.merge(&other.upper);
        self.value.merge(&other.value);
        self.lower = self.lower.max(other.lower);
        self.status = self.status.max(other.status);
        if other.model != LossModel::SingleInput {
            self.model = other.model;
        }
    }

    /// The largest loss towards the observers that were looked at.
    fn largest(&self) -> Loss {
        let upper = &self.upper.max;
        let loss = match (&upper.fraction, self.status) {
            (Some(fraction), Status::Exact) => {
                Loss::exact((**fraction).clone(), (**fraction).clone(), self.model)
            }
            (_, Status::Estimate) => {
                let ends = crate::number::between(self.lower, upper.float);
                Loss::single(Number::estimated(self.value.max.float, ends), self.model)
            }
            _ => Loss::between(self.lower, upper.float, self.model),
        };
        loss.under(self.noise)
    }

    /// What is shown of these losses: best guesses where one of them is an estimate, else upper ends.
    pub fn shown(&self) -> &Spread {
        match self.status {
            Status::Estimate => &self.value,
            _ => &self.upper,
        }
    }

    /// The smallest, the mean and the largest as short decimals: rounded up, estimates to nearest.
    pub fn shown_text(&self) -> [String; 3] {
        match self.status {
            Status::Estimate => self.value.floats().map(rounded),
            _ => self.upper.rounded_up(),
        }
    }
}

/// How many units of 2^-80 a number that is at least 0 takes, rounded up.
fn units(number: f64) -> u128 {
    if number.is_nan() || number >= 2_f64.powi(40) {
        return u128::MAX;
    }
    // The product is exact up to 2^120, unless it underflows, and then it is one unit.
    match (number * 2_f64.powi(80)).ceil() {
        0.0 if number > 0.0 => 1,
        units => units as u128,
    }
}

/// The longest common denominator of sums that are kept as fractions, in bits.
const LONGEST: u64 = 128;

/// The sum of two fractions over the least common multiple of their denominators; `None` if that is long. Denominators are not
/// reduced, so that it does not depend on the order of sums.
fn joined(one: &(BigInt, BigInt), other: &(BigInt, BigInt)) -> Option<Box<(BigInt, BigInt)>> {
    let ratio = BigRational::new(one.1.clone(), other.1.clone());
    let common = ratio.numer() * &other.1;
    let above = &one.0 * ratio.denom() + &other.0 * ratio.numer();
    (common.bits() <= LONGEST).then(|| Box::new((above, common)))
}

impl Spread {
    fn none() -> Self {
        let none = |float| Extreme {
            float,
            fraction: None,
        };
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
            (Some(one), Some(other)) => joined(&one, other),
            _ => None,
        };
        if first || other.min.compare(&self.min).is_lt() {
            self.min = other.min.clone();
        }
        if first || other.max.compare(&self.max).is_gt() {
            self.max = other.max.clone();
        }
    }

    /// The mean as a fraction, rounded up unless it is short; `None` if it is out of range.
    fn mean_fraction(&self) -> Option<BigRational> {
        let (above, below) = match &self.fraction {
            Some(sum) => (sum.0.clone(), sum.1.clone()),
            None if self.sum == u128::MAX => return None,
            None => (self.sum.into(), BigInt::from(1) << 80),
        };
        Some(BigRational::new(
            above,
            below * BigInt::from(self.count.max(1)),
        ))
    }

    /// The mean, rounded up.
    pub fn mean(&self) -> f64 {
        let mean = self.mean_fraction();
        let mean = mean.map_or(f64::INFINITY, |mean| {
            crate::number::enclosing(&mean).upper()
        });
        // What is below a unit was counted as one.
        mean.min(self.max.float)
    }

    /// The smallest, the mean (rounded up) and the largest, as floats.
    pub fn floats(&self) -> [f64; 3] {
        [self.min.float, self.mean(), self.max.float]
    }

    /// The smallest, the mean and the largest as short decimals, rounded up.
    pub fn rounded_up(&self) -> [String; 3] {
        let shown = |extreme: &Extreme| match &extreme.fraction {
            Some(fraction) => decimal::rounded_up(fraction, 3),
            None => rounded_up(extreme.float),
        };
        let mean = match (&self.fraction, self.mean_fraction()) {
            (Some(_), Some(mean)) => decimal::rounded_up(&mean, 3),
            _ => rounded_up(self.mean()),
        };
        [shown(&self.min), mean, shown(&self.max)]
    }
}

impl Extreme {
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.fraction, &other.fraction) {
            (Some(one), Some(other)) => order(one, other),
            _ => self.float.total_cmp(&other.float),
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
    fn means_round_up_and_only_where_they_must() {
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
    fn sums_are_the_same_in_any_order() {
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
