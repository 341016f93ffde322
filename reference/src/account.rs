//! All pairs of a protocol, and their summary by distance.

use crate::{PaperBounds, Process, ReferenceError, enclosure::Interval, order};
use muffliato_model::{LossModel, Observer, Protocol};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;

/// Who leaks how much to whom: one entry for each pair of source and observer.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Account;
///
/// let cube = Network::try_new(families::hypercube(4)?, WeightScheme::Metropolis)?;
/// let account = Account::of(&Protocol::one_shot(cube, 4)?, &[Observer::full(0)])?;
/// assert_eq!(account.pairs.len(), 15);
/// // More distance is not more privacy.
/// let largest: Vec<_> = account.by_distance().iter().map(|at| at.leakage.max.to_string()).collect();
/// assert_eq!(largest, ["1", "2/3", "1", "1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What the losses are computed for.
    pub model: LossModel,
    /// What each observer sees.
    pub observers: Vec<ObserverSummary>,
    /// The pairs, observer by observer, sources in increasing order.
    pub pairs: Vec<Pair>,
}

/// How much one observer sees.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Account;
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let account = Account::of(&Protocol::one_shot(path, 5)?, &[Observer::full(2)])?;
/// // Five messages of one neighbour; they and its own noise span three dimensions only.
/// assert_eq!((account.observers[0].messages, account.observers[0].rank), (5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObserverSummary {
    /// The observer.
    pub observer: Observer,
    /// The messages that it receives, T_v.
    pub messages: usize,
    /// The rank of what it sees.
    pub rank: usize,
}

/// One source towards one observer, in units of L.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Account;
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let account = Account::of(&Protocol::one_shot(path, 2)?, &[Observer::full(2)])?;
/// let pair = &account.pairs[0];
/// assert_eq!((pair.source, pair.distance), (0, Some(2)));
/// assert_eq!(pair.paper_bound.as_ref().unwrap().to_string(), "1/3"); // promised
/// assert_eq!(pair.leakage.to_string(), "1"); // lost
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Whose input is protected.
    pub source: usize,
    /// Which of [`Account::observers`] observes.
    pub observer: usize,
    /// The distance between them on [`Protocol::graph`]; `None` if there is no path.
    pub distance: Option<usize>,
    /// What Theorem 1 promises for the plain protocol, without fresh noise or acceleration; `None` for
    /// gradient descent.
    pub paper_bound: Option<BigRational>,
    /// The exact loss. For gradient descent, whose inputs are vectors, an upper bound on it that is
    /// exact where no correlation is negative ([`View::loss_upper`](crate::View::loss_upper)).
    pub leakage: BigRational,
}

/// All pairs at one distance.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::Account;
///
/// let path = Network::try_new(families::path(4)?, WeightScheme::Metropolis)?;
/// let account = Account::of(&Protocol::one_shot(path, 2)?, &[Observer::full(0)])?;
/// let by_distance = account.by_distance();
/// assert_eq!((by_distance[2].distance, by_distance[2].pairs), (Some(3), 1));
/// assert_eq!(by_distance[2].leakage.max.to_string(), "0"); // two steps do not reach it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceSummary {
    /// The distance; `None` collects the pairs without a path.
    pub distance: Option<usize>,
    /// How many pairs.
    pub pairs: usize,
    /// What Theorem 1 promises, where it does.
    pub paper_bound: Option<Spread>,
    /// The loss, as in [`Pair::leakage`].
    pub leakage: Spread,
}

/// The smallest, the mean and the largest of a set of numbers.
///
/// ```
/// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
/// use muffliato_reference::{Account, BigRational};
///
/// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
/// let observers = [Observer::full(1), Observer::full(2)];
/// let account = Account::of(&Protocol::one_shot(path, 2)?, &observers)?;
/// // Theorem 1 says 9/5, 9/5 and 4/3 for the three pairs of neighbours.
/// let spread = account.by_distance()[0].paper_bound.clone().unwrap();
/// assert_eq!((spread.min.to_string(), spread.max.to_string()), ("4/3".into(), "9/5".into()));
/// assert!(spread.mean.contains(&BigRational::new(74.into(), 45.into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The smallest.
    pub min: BigRational,
    /// Encloses the mean (whose exact fraction can be very long).
    pub mean: Interval,
    /// The largest.
    pub max: BigRational,
}

impl Account {
    /// The account of `protocol` towards each of `observers`, one after the other.
    pub fn of(protocol: &Protocol, observers: &[Observer]) -> Result<Self, ReferenceError> {
        for observer in observers {
            observer.check(protocol.nodes())?;
        }
        let process = Process::run(protocol)?;
        let bounds = match protocol.rounds() {
            1 => Some(PaperBounds::of(protocol)?),
            _ => None,
        };
        let graph = protocol.graph()?;
        let mut account = Self {
            model: protocol.loss_model(),
            observers: Vec::with_capacity(observers.len()),
            pairs: Vec::new(),
        };
        for (number, observer) in observers.iter().enumerate() {
            let view = process.view(observer)?;
            account.observers.push(ObserverSummary {
                observer: observer.clone(),
                messages: view.messages(),
                rank: view.rank(),
            });
            let distances = graph.distances_from_any(observer.members());
            let promised = match &bounds {
                Some(bounds) => Some(bounds.pairwise_all(observer)?),
                None => None,
            };
            for source in (0..protocol.nodes()).filter(|&u| !observer.contains(u)) {
                account.pairs.push(Pair {
                    source,
                    observer: number,
                    distance: distances[source],
                    paper_bound: promised.as_ref().map(|all| all[source].clone()),
                    leakage: view.loss_upper(&[source])?,
                });
            }
        }
        Ok(account)
    }

    /// The pairs gathered by distance, nearest first, those without a path last.
    pub fn by_distance(&self) -> Vec<DistanceSummary> {
        let mut groups: BTreeMap<usize, Vec<&Pair>> = BTreeMap::new();
        for pair in &self.pairs {
            groups
                .entry(pair.distance.unwrap_or(usize::MAX))
                .or_default()
                .push(pair);
        }
        groups
            .values()
            .filter_map(|pairs| {
                let bounds: Option<Vec<_>> =
                    pairs.iter().map(|pair| pair.paper_bound.as_ref()).collect();
                Some(DistanceSummary {
                    distance: pairs[0].distance,
                    pairs: pairs.len(),
                    paper_bound: bounds.and_then(|all| Spread::of(all.into_iter())),
                    leakage: Spread::of(pairs.iter().map(|pair| &pair.leakage))?,
                })
            })
            .collect()
    }
}

impl Spread {
    /// `None` for no numbers.
    fn of<'a>(numbers: impl Iterator<Item = &'a BigRational> + Clone) -> Option<Self> {
        const BITS: u32 = 80;
        let mut sum = Interval::exact(BigRational::zero());
        for number in numbers.clone() {
            sum = (&sum + &Interval::exact(number.clone())).rounded(BITS);
        }
        let count = BigRational::new(1.into(), numbers.clone().count().max(1).into());
        Some(Self {
            min: numbers.clone().min_by(|a, b| order(a, b))?.clone(),
            mean: &sum * &Interval::exact(count),
            max: numbers.max_by(|a, b| order(a, b))?.clone(),
        })
    }
}
