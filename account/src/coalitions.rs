//! What coalitions of some size learn: the worst that was found, and a bound over all of them.
//!
//! There are too many coalitions to ask them all on any but small graphs. What is certified for every one of them:
//!
//! | by | where | why |
//! | --- | --- | --- |
//! | exhaustion | few coalitions | each was asked; smaller ones learn less than those they are part of |
//! | trees | masks on a fixed graph | [`MaskedBounds::any_coalition`] |
//! | first passage | refreshed averaging, sources at distance 2 or more | what arrives at the neighbours of V for the first time is at most what arrives at those of each member, so that the bounds of the members add up; for every schedule the bound depends on the distance alone |
//! | local | always | no view loses more than the inputs themselves under their noise |
//!
//! The worst coalition that was found is a lower bound on nothing and an upper bound for itself alone: others may learn more.

use crate::{
    Account, AccountError, Against, Asked, Calibration, Distances, Engine, Guarantee, Loss,
    NoiseLaw, Number, Protect, Protected, Target, engine::Fast, number::at_most,
};
use muffliato_fast::{MaskedBounds, Progress};
use muffliato_model::Observer;
use rayon::prelude::*;

/// About how many products of floats all coalitions together may take.
const EXHAUSTIVE: f64 = 4e9;
/// The same for the search.
const SEARCH: f64 = 2e9;
/// The same for first passage towards every node.
const FIRST_PASSAGE: f64 = 2e10;
/// The most nodes of all trees around sources together.
const TREES: f64 = 5e8;
/// How many sources are searched from, and how many members are tried for each place.
const SOURCES: usize = 12;
const MEMBERS: usize = 16;

/// What coalitions of one size learn of the sources that a target is for, in units of L.
///
/// ```
/// use muffliato_account::{Account, Evidence, Protect};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("hypercube:3".parse()?)?, 6)?.masked("3".parse()?)?;
/// let two = Account::of(&protocol)?.coalitions(2, Protect::All)?;
/// assert_eq!(two.evidence, Evidence::Exhausted { coalitions: 28 });
/// // Two of three neighbours collude, the third is left to hide behind.
/// assert!(two.bound.upper() < 0.35 && two.found.unwrap().bound.upper() <= two.bound.upper());
/// let three = Account::of(&protocol)?.coalitions(3, Protect::All)?;
/// assert_eq!(three.bound.upper(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coalitions {
    /// How many collude.
    pub size: usize,
    /// The coalition to which most is lost, of those that were looked at; `None` if none is far enough from anybody.
    pub found: Option<WorstFound>,
    /// No coalition of this size, or a smaller one, learns more of those whom it is for, as its conditions say.
    pub bound: Guarantee,
    /// How that is known.
    pub evidence: Evidence,
}

impl Coalitions {
    /// Returns whom the bound is for: "every node", or "sources at distance 2 or more".
    pub fn whom(&self) -> String {
        match self.bound.conditions().distances {
            Distances::AtLeast(distance) => format!("sources at distance {distance} or more"),
            _ => "every node".into(),
        }
    }
}

/// A coalition, and who loses most to it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstFound {
    /// Those who collude.
    pub members: Vec<usize>,
    /// Who loses.
    pub source: usize,
    /// What it loses: a guarantee for this coalition, which says nothing about others.
    pub bound: Guarantee,
}

/// How a bound over all coalitions is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Each of them was asked.
    Exhausted {
        /// How many there are.
        coalitions: usize,
    },
    /// By trees of the mask graph, of which they cannot cut all.
    Trees,
    /// By first passage, member by member; for every schedule, by the distance alone.
    FirstPassage,
    /// By the noise of the inputs themselves.
    Local,
}

impl Evidence {
    /// Returns the words for it.
    pub fn described(&self) -> String {
        match self {
            Self::Exhausted { coalitions } => format!("all {coalitions} of them were asked"),
            Self::Trees => "by trees of the mask graph".into(),
            Self::FirstPassage => "by first passage".into(),
            Self::Local => "by local noise alone (LDP)".into(),
        }
    }
}

/// What coalitions learn, and their epsilons with the noise of a calibration.
#[derive(Clone, Debug, PartialEq)]
pub struct Collusion {
    /// What they learn, in units of L.
    pub coalitions: Coalitions,
    /// The epsilon of the worst that was found; others may learn more.
    pub found: Option<f64>,
    /// The epsilon that holds for every one of them.
    pub every: f64,
}

impl Account<'_> {
    /// Returns what coalitions of `size` nodes get at a target with the protocol and the noise that were found for single observers.
    ///
    /// ```
    /// use muffliato_account::{Account, Target};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("hypercube:3".parse()?)?, 6)?.masked("3".parse()?)?;
    /// let (account, target) = (Account::of(&protocol)?, Target::new(1.0, 1e-6));
    /// let found = account.calibrate(&target, 1.0)?;
    /// let two = account.collusion(2, &target, &found, 1.0)?;
    /// assert!(two.every > 1.0 && two.found.unwrap() <= two.every);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collusion(
        &self,
        size: usize,
        target: &Target,
        found: &Calibration,
        sensitivity: f64,
    ) -> Result<Collusion, AccountError> {
        let account = self.with_protocol(&found.protocol)?.promising();
        let question = account.question()?;
        let alone = question.observers.get(found.worst).map(Observer::members);
        let coalitions = account.coalitions_with(alone, size, target.protect)?;
        let sigma = found.sigma_for_those_seen();
        let epsilon = |bound: &Guarantee| -> Result<f64, AccountError> {
            let bound = bound.repeated(target.runs);
            match sigma > 0.0 {
                true => bound.at(sigma, sensitivity)?.epsilon(target.delta),
                false if bound.upper() == 0.0 => Ok(0.0),
                false => Ok(f64::INFINITY),
            }
        };
        let worst = coalitions.found.as_ref();
        Ok(Collusion {
            found: worst.map(|worst| epsilon(&worst.bound)).transpose()?,
            every: epsilon(&coalitions.bound)?,
            coalitions,
        })
    }

    /// Returns what coalitions of `size` nodes learn of single sources: those at the distance that `protect` names and beyond (with a
    /// mean, of all).
    ///
    /// # Errors
    ///
    /// If the size is 0 or leaves nobody.
    pub fn coalitions(&self, size: usize, protect: Protect) -> Result<Coalitions, AccountError> {
        self.coalitions_with(None, size, protect)
    }

    /// The same, searched from the observer to whom most is lost alone, too, if it is known.
    fn coalitions_with(
        &self,
        alone: Option<&[usize]>,
        size: usize,
        protect: Protect,
    ) -> Result<Coalitions, AccountError> {
        let protocol = self.protocol();
        let nodes = protocol.nodes();
        if size == 0 || size >= nodes {
            return Err(AccountError::BadParameter {
                parameter: "the size of coalitions",
                value: size.to_string(),
                expected: "it must be at least 1 and leave a node that does not collude",
            });
        }
        let from = match protect {
            Protect::Distance(from) => from.max(1),
            Protect::All | Protect::Mean => 1,
        };
        let rounds = protocol.rounds().div_ceil(protocol.period());
        let every = |number: &Number| {
            let single = self.question_of(&[0], &Observer::coalition([1])?);
            Ok::<_, AccountError>(single.guarantee(number, |conditions| {
                conditions.protected = Protected::EveryNode;
                conditions.against = Against::EveryCoalition(size);
                conditions.distances = match from {
                    1 => Distances::Any,
                    from => Distances::AtLeast(from),
                };
            }))
        };
        if let Some(count) = self.few_coalitions(size, from)? {
            let found = self.exhausted(size, from, count)?;
            return Ok(Coalitions {
                size,
                bound: match &found {
                    Some(worst) => every(worst.bound.number())?,
                    None => every(&at_most(0.0))?,
                },
                evidence: Evidence::Exhausted { coalitions: count },
                found,
            });
        }
        let mut bound = (rounds as f64, Evidence::Local);
        let proved = [
            (self.by_trees(size, from)?, Evidence::Trees),
            (self.by_first_passage(size, from)?, Evidence::FirstPassage),
        ];
        for (upper, evidence) in proved {
            if let Some(upper) = upper.filter(|&upper| upper < bound.0) {
                bound = (upper, evidence);
            }
        }
        Ok(Coalitions {
            size,
            found: self.searched(alone, size, from, rounds as f64)?,
            bound: every(&at_most(bound.0))?,
            evidence: bound.1,
        })
    }

    /// About what the losses of all sources to a coalition of this size take.
    fn work_of(&self, size: usize) -> Result<f64, AccountError> {
        let protocol = self.protocol();
        let (nodes, edges) = (
            protocol.nodes() as f64,
            protocol.graph()?.edge_count() as f64,
        );
        if protocol.masks().is_some() && protocol.refresh().is_none() {
            return Ok(nodes * (nodes + 2.0 * edges) * 60.0);
        }
        let some = Observer::coalition(0..size)?;
        // One-shot noise is computed with many digits.
        let times = if protocol.refresh().is_some() {
            4.0
        } else {
            50.0
        };
        Ok(times * Fast::work(protocol, &some)?)
    }

    /// How many coalitions there are, if they are few enough to ask them all.
    fn few_coalitions(&self, size: usize, from: usize) -> Result<Option<usize>, AccountError> {
        let nodes = self.protocol().nodes();
        let choose = |size: usize| {
            let factors = (0..size).map(|k| (nodes - k) as f64 / (k + 1) as f64);
            factors.product::<f64>()
        };
        let count: f64 = sizes(size, from).map(choose).sum();
        let few = count * self.work_of(size)? <= EXHAUSTIVE;
        Ok(few.then_some(count.round() as usize))
    }

    /// The largest loss towards any coalition of this size, each being asked.
    fn exhausted(
        &self,
        size: usize,
        from: usize,
        count: usize,
    ) -> Result<Option<WorstFound>, AccountError> {
        let nodes = self.protocol().nodes();
        let engine = self.engine_for(count)?;
        let mut all: Vec<Vec<usize>> = Vec::with_capacity(count);
        for size in sizes(size, from) {
            let mut next: Vec<usize> = (0..size).collect();
            loop {
                all.push(next.clone());
                let Some(place) = (0..size).rfind(|&k| next[k] < nodes - size + k) else {
                    break;
                };
                next[place] += 1;
                for k in place + 1..size {
                    next[k] = next[k - 1] + 1;
                }
            }
        }
        let worst = all
            .par_iter()
            .map(|members| self.worst_source(engine.as_ref(), members, from));
        let worst: Vec<Option<WorstFound>> = worst.collect::<Result<_, AccountError>>()?;
        Ok(worst.into_iter().flatten().reduce(worse))
    }

    /// Who of those far enough away loses most to a coalition.
    fn worst_source(
        &self,
        engine: &dyn Engine,
        members: &[usize],
        from: usize,
    ) -> Result<Option<WorstFound>, AccountError> {
        self.watcher().check(0, 1)?;
        let distances = self.protocol().graph()?.distances_from_any(members);
        let far = |u: &usize| distances[*u].is_none_or(|distance| distance >= from);
        let sources: Vec<usize> = (0..distances.len()).filter(far).collect();
        let sets: Vec<&[usize]> = sources.iter().map(std::slice::from_ref).collect();
        if sets.is_empty() {
            return Ok(None);
        }
        let observer = Observer::coalition(members.iter().copied())?;
        let watcher = self.watcher();
        let losses = engine
            .losses(Asked::new(&observer, &sets, &watcher))?
            .losses;
        let found = sources
            .into_iter()
            .zip(losses)
            .map(|(source, loss)| self.found(members, source, &observer, &loss));
        Ok(found.reduce(worse))
    }

    /// Returns what is promised to a source towards a coalition of whom this loss was found.
    fn found(
        &self,
        members: &[usize],
        source: usize,
        observer: &Observer,
        loss: &Loss,
    ) -> WorstFound {
        let question = self.question_of(&[source], observer);
        let promises = question.promise(loss, None);
        WorstFound {
            members: members.to_vec(),
            source,
            bound: question.guarantee(&promises.promised, |conditions| promises.refine(conditions)),
        }
    }

    /// The worst coalition of a greedy search: around sources with few neighbours and some spread over the graph, member by member.
    fn searched(
        &self,
        alone: Option<&[usize]>,
        size: usize,
        from: usize,
        most: f64,
    ) -> Result<Option<WorstFound>, AccountError> {
        let graph = self.protocol().graph()?;
        let nodes = graph.nodes();
        let masked = self.protocol().masks().is_some() && self.protocol().refresh().is_none();
        let view = self.work_of(size)?;
        // Bounds for masks are computed for one source; all others for a whole view.
        let one = if masked { view / nodes as f64 } else { view };
        let mut asked = ((SEARCH / one) as usize).clamp(2 * size, 2000);
        let engine = match masked {
            true => self.engine_by(1, true)?,
            false => self.engine_for(asked)?,
        };
        let mut sources: Vec<usize> = (0..nodes).collect();
        sources.sort_by_key(|&u| (graph.degree(u), u));
        sources.truncate(SOURCES / 2);
        sources.extend((0..SOURCES / 2).map(|k| k * nodes / (SOURCES / 2)));
        let first = match alone {
            Some(observer) => self.worst_source(engine.as_ref(), observer, from)?,
            None => None,
        };
        sources.splice(0..0, first.iter().map(|found| found.source));
        sources.dedup();
        let mut worst: Option<WorstFound> = None;
        for source in sources {
            let distances = graph.distances_from_any(&[source]);
            let mut near: Vec<usize> = (0..nodes)
                .filter(|&v| distances[v].is_some_and(|distance| distance >= from))
                .collect();
            near.sort_by_key(|&v| (distances[v], graph.degree(v), v));
            if let Some(first) = first.as_ref().filter(|first| first.source == source) {
                near.sort_by_key(|v| !first.members.contains(v));
            }
            near.truncate(MEMBERS.max(size));
            if near.len() < size {
                continue;
            }
            let mut members: Vec<usize> = Vec::new();
            for place in 0..size {
                let mut best: Option<WorstFound> = None;
                let free = |v: &&usize| !members.contains(*v);
                for &v in near.iter().filter(free) {
                    if best.is_some() && asked == 0 {
                        break;
                    }
                    asked = asked.saturating_sub(1);
                    let mut tried = members.clone();
                    tried.push(v);
                    let observer = Observer::coalition(tried.iter().copied())?;
                    let set: &[&[usize]] = &[&[source]];
                    let seen = engine.losses(Asked::new(&observer, set, &self.watcher()))?;
                    let Some(loss) = seen.losses.into_iter().next() else {
                        continue;
                    };
                    let found = self.found(&tried, source, &observer, &loss);
                    best = best.into_iter().chain([found]).reduce(worse);
                }
                let Some(best) = best else { break };
                members = best.members.clone();
                if place + 1 == size {
                    worst = worst.into_iter().chain([best]).reduce(worse);
                }
            }
            if worst
                .as_ref()
                .is_some_and(|worst| worst.bound.upper() >= most)
                || asked == 0
            {
                break;
            }
        }
        Ok(worst)
    }

    /// The bound by trees of the mask graph.
    fn by_trees(&self, size: usize, from: usize) -> Result<Option<f64>, AccountError> {
        let protocol = self.protocol();
        let Some(masks) = self.masks() else {
            return Ok(None);
        };
        // Distances are those of the graph that gossips.
        if protocol.fixed_network().is_none() || (masks.graph().is_some() && from > 1) {
            return Ok(None);
        }
        let watcher = self.watcher();
        let bounds = MaskedBounds::of(protocol)?.watched(&watcher);
        let graph = protocol.graph()?;
        let degree = 2.0 * graph.edge_count() as f64 / graph.nodes() as f64;
        let (mut radius, mut ball) = (1, 1.0 + degree);
        while radius < 20 && ball * degree * graph.nodes() as f64 <= TREES {
            ball *= degree;
            radius += 1;
        }
        let upper = bounds.any_coalition(size, from, radius)?;
        Ok(Some(match self.noise.ratio()? {
            Some(ratio) => bounds.on_grid(upper, 1, ratio, self.noise.coordinates())?,
            None => upper,
        }))
    }

    /// The bound by first passage: for each source the `size` members that hear most.
    fn by_first_passage(&self, size: usize, from: usize) -> Result<Option<f64>, AccountError> {
        let protocol = self.protocol();
        if let Some(schedules) = self.every {
            // It depends on the distance alone, whoever observes.
            let gaussian = self.noise.law() == NoiseLaw::Gaussian;
            let passage = schedules.first_passage(protocol).filter(|_| gaussian);
            return Ok(passage.map(|passage| passage.at(Some(from))));
        }
        let plain = protocol.rounds() == 1 && protocol.acceleration().is_none();
        let refreshed = protocol.refresh().is_some() && protocol.masks().is_none();
        if !(plain && refreshed && from >= 2 && protocol.fixed_network().is_some()) {
            return Ok(None);
        }
        let graph = protocol.graph()?;
        let (nodes, edges) = (graph.nodes(), graph.edge_count() as f64);
        if 4.0 * edges * edges * protocol.steps() as f64 > FIRST_PASSAGE {
            return Ok(None);
        }
        let engine = self.engine_for(nodes)?;
        let towards = |v: usize| -> Result<Vec<f64>, AccountError> {
            let distances = graph.distances_from_any(&[v]);
            let far = |u: &usize| distances[*u].is_none_or(|distance| distance >= from);
            let sources: Vec<usize> = (0..nodes).filter(far).collect();
            let sets: Vec<&[usize]> = sources.iter().map(std::slice::from_ref).collect();
            let observer = Observer::full(v);
            let proved = engine.proved(Asked::new(&observer, &sets, &self.watcher()))?;
            let mut uppers = vec![0.0; nodes];
            for (source, loss) in sources.into_iter().zip(proved) {
                uppers[source] = loss.upper();
            }
            Ok(uppers)
        };
        let all: Vec<Vec<f64>> = (0..nodes)
            .into_par_iter()
            .map(towards)
            .collect::<Result<_, AccountError>>()?;
        let of_source = |u: usize| {
            let mut heard: Vec<f64> = all.iter().map(|uppers| uppers[u]).collect();
            heard.sort_by(|a, b| b.total_cmp(a));
            heard[..size]
                .iter()
                .fold(0.0, |sum: f64, x| (sum + x).next_up())
        };
        Ok(Some((0..nodes).map(of_source).fold(0.0, f64::max)))
    }
}

/// The sizes that have to be asked: smaller coalitions learn less than those they are part of, if there is always one that is as far away.
fn sizes(size: usize, from: usize) -> std::ops::RangeInclusive<usize> {
    match from {
        1 => size..=size,
        _ => 1..=size,
    }
}

/// The one that loses more; the first of equals.
fn worse(one: WorstFound, other: WorstFound) -> WorstFound {
    match other.bound.upper() > one.bound.upper() {
        true => other,
        false => one,
    }
}
