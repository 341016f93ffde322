//! Losses to coalitions of a given size: the worst that was found, and a bound for all of them.
//!
//! Except on small graphs there are too many coalitions to examine. Bounds for every one of them:
//!
//! | by | where | why |
//! | --- | --- | --- |
//! | exhaustion | few coalitions | each is examined; a subset of a coalition learns no more |
//! | trees | masks on a fixed graph | [`MaskedBounds::any_coalition`] |
//! | first passage | refreshed averaging, sources at distance 2 or more | first arrivals at the neighbours of V are at most those at the neighbours of its members, so the bounds of the members add up; for every schedule the bound depends on the distance only |
//! | local | always | no view loses more than the noisy inputs themselves |
//!
//! The worst coalition that was found bounds no other coalition.

use crate::{
    Account, AccountError, Against, Asked, Calibration, Conditions, Distances, Engine, Guarantee,
    Loss, NoiseLaw, Number, Protect, Protected, Target,
    engine::{Fast, local_loss},
    number::at_most,
};
use muffliato_fast::{MaskedBounds, Progress};
use muffliato_model::{Graph, Observer, threads};

/// Work budget of all coalitions together, in products of floats.
const EXHAUSTIVE: f64 = 4e9;
/// Work budget of the search.
const SEARCH: f64 = 2e9;
/// Work budget of first passage to every node.
const FIRST_PASSAGE: f64 = 2e10;
/// Largest number of nodes of all trees together.
const TREES: f64 = 5e8;
/// Numbers of sources to search from, and of candidates for each member.
const SOURCES: usize = 12;
const MEMBERS: usize = 16;

/// The losses of protected sources to coalitions of one size, in units of L.
///
/// ```
/// use muffliato_account::{Account, Evidence, Protect};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("hypercube:3".parse()?)?, 6)?.masked("3".parse()?)?;
/// let two = Account::of(&protocol).build()?.coalitions(2, Protect::All)?;
/// assert_eq!(two.evidence, Evidence::Exhausted { coalitions: 28 });
/// // Two of three neighbours collude.
/// assert!(two.bound.upper() < 0.35 && two.found.unwrap().bound.upper() <= two.bound.upper());
/// let three = Account::of(&protocol).build()?.coalitions(3, Protect::All)?;
/// assert_eq!(three.bound.upper(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Coalitions {
    /// The size of the coalitions.
    pub size: usize,
    /// The coalition with the largest loss of those examined; `None` if no source is far enough
    /// away.
    pub found: Option<WorstFound>,
    /// The bound for every coalition of at most this size.
    pub bound: Guarantee,
    /// The proof of the bound.
    pub evidence: Evidence,
}

impl Coalitions {
    /// Formats the sources that the bound is for.
    pub fn whom(&self) -> String {
        match self.bound.conditions().distances {
            Distances::AtLeast(distance) => format!("sources at distance {distance} or more"),
            _ => "every node".into(),
        }
    }
}

/// A coalition and the source that loses most to it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstFound {
    /// The members.
    pub members: Vec<usize>,
    /// The source.
    pub source: usize,
    /// The guarantee against this coalition. It says nothing about others.
    pub bound: Guarantee,
}

/// The proof of a bound for all coalitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every coalition was examined.
    Exhausted {
        /// The number of coalitions.
        coalitions: usize,
    },
    /// Trees of the mask graph, not all of which a coalition can cut.
    Trees,
    /// First passage, added over the members; for every schedule, by the distance only.
    FirstPassage,
    /// The noise of the inputs themselves.
    Local,
}

impl Evidence {
    /// Describes the proof.
    pub fn described(&self) -> String {
        match self {
            Self::Exhausted { coalitions } => format!("by checking all {coalitions} coalitions"),
            Self::Trees => "by trees of the mask graph".into(),
            Self::FirstPassage => "by first passage".into(),
            Self::Local => "by local noise alone (LDP)".into(),
        }
    }
}

/// The losses to coalitions, and their epsilons with the noise of a calibration.
#[derive(Clone, Debug, PartialEq)]
pub struct Collusion {
    /// The losses, in units of L.
    pub coalitions: Coalitions,
    /// The epsilon of the worst coalition found. Others may learn more.
    pub found: Option<f64>,
    /// The epsilon for every coalition.
    pub every: f64,
}

impl Account<'_> {
    /// Computes the losses to coalitions of `size` nodes with the protocol and noise of a
    /// calibration for single observers.
    ///
    /// # Errors
    ///
    /// Those of [`Account::coalitions`].
    pub fn collusion(
        &self,
        size: usize,
        target: &Target,
        found: &Calibration,
        sensitivity: f64,
    ) -> Result<Collusion, AccountError> {
        let account = self.settings().protocol(&found.protocol).promising().build()?;
        let alone = account.question().observers.get(found.worst).map(Observer::members);
        let coalitions = account.coalitions_with(alone, size, target.protect)?;
        let sigma = found.sigma_for_those_seen();
        let epsilon = |bound: &Guarantee| -> Result<f64, AccountError> {
            let bound = bound.repeated(target.runs);
            if sigma > 0.0 {
                bound.at(sigma, sensitivity)?.epsilon(target.delta)
            } else if bound.upper() == 0.0 {
                Ok(0.0)
            } else {
                Ok(f64::INFINITY)
            }
        };
        let worst = coalitions.found.as_ref();
        Ok(Collusion {
            found: worst.map(|worst| epsilon(&worst.bound)).transpose()?,
            every: epsilon(&coalitions.bound)?,
            coalitions,
        })
    }

    /// Computes the losses of single sources to coalitions of `size` nodes. Sources are those at
    /// the distance of `protect` or farther; for a mean, all.
    ///
    /// # Errors
    ///
    /// Fails if the size is 0 or leaves no source, and for errors of the engine.
    pub fn coalitions(&self, size: usize, protect: Protect) -> Result<Coalitions, AccountError> {
        self.coalitions_with(None, size, protect)
    }

    /// Computes [`Account::coalitions`], starting the search from the worst single observer if
    /// known.
    fn coalitions_with(
        &self,
        alone: Option<&[usize]>,
        size: usize,
        protect: Protect,
    ) -> Result<Coalitions, AccountError> {
        let protocol = self.protocol();
        let nodes = protocol.nodes();
        if size == 0 || size >= nodes {
            let expected = "it must be at least 1 and leave a node that does not collude";
            return Err(AccountError::bad("the size of coalitions", size, expected));
        }
        let from = protect.least_distance().unwrap_or(1).max(1);
        let single = (0..nodes).map(|u| local_loss(protocol, &[u]));
        let local = single.fold(0.0, f64::max);
        let conditions = Conditions {
            protected: Protected::EveryNode,
            against: Against::EveryCoalition(size),
            distances: match from {
                1 => Distances::Any,
                from => Distances::AtLeast(from),
            },
            ..self.question().of_pair(&[0], &Observer::coalition([1])?)
        };
        let every = |number: &Number| Guarantee::new(number.clone(), conditions.clone());
        if let Some(count) = self.few_coalitions(size, from)? {
            let found = self.exhaust(size, from, count)?;
            return Ok(Coalitions {
                size,
                bound: match &found {
                    Some(worst) => every(worst.bound.number()),
                    None => every(&at_most(0.0)),
                },
                evidence: Evidence::Exhausted { coalitions: count },
                found,
            });
        }
        let mut bound = (local, Evidence::Local);
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
            found: self.search(alone, size, from, local)?,
            bound: every(&at_most(bound.0)),
            evidence: bound.1,
        })
    }

    /// Estimates the work of one view of a coalition of this size.
    fn work_of(&self, size: usize) -> Result<f64, AccountError> {
        let protocol = self.protocol();
        let (nodes, edges) = (protocol.nodes() as f64, protocol.graph()?.edge_count() as f64);
        if protocol.masks().is_some() && !protocol.is_refreshed() {
            return Ok(nodes * (nodes + 2.0 * edges) * 60.0);
        }
        let some = Observer::coalition(0..size)?;
        // One-shot noise needs multiprecision.
        let times = if protocol.is_refreshed() { 4.0 } else { 50.0 };
        Ok(times * Fast::work(protocol, &some)?)
    }

    /// Returns the number of coalitions, if they are few enough to examine all.
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

    /// Finds the worst coalition of this size by examining all.
    fn exhaust(
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
        let worst = |k: usize| self.worst_source(engine.as_ref(), &all[k], from);
        let worst = threads::try_in_order(all.len(), worst)?;
        Ok(worst.into_iter().flatten().reduce(worse))
    }

    /// Finds the source at distance `from` or more that loses most to a coalition.
    fn worst_source(
        &self,
        engine: &dyn Engine,
        members: &[usize],
        from: usize,
    ) -> Result<Option<WorstFound>, AccountError> {
        self.watcher().check(0, 1)?;
        let sources = far_sources(&*self.protocol().graph()?, members, from);
        let sets: Vec<&[usize]> = sources.iter().map(std::slice::from_ref).collect();
        if sets.is_empty() {
            return Ok(None);
        }
        let observer = Observer::coalition(members.iter().copied())?;
        let watcher = self.watcher();
        let losses = engine.losses(Asked::new(&observer, &sets, &watcher))?.losses;
        let found = sources
            .into_iter()
            .zip(losses)
            .map(|(source, loss)| self.found(members, source, &observer, &loss));
        Ok(found.reduce(worse))
    }

    /// Derives the guarantee of a source against a coalition from its computed loss.
    fn found(
        &self,
        members: &[usize],
        source: usize,
        observer: &Observer,
        loss: &Loss,
    ) -> WorstFound {
        let bound = self.promised(&[source], observer, loss, None);
        WorstFound { members: members.to_vec(), source, bound }
    }

    /// Searches greedily for a bad coalition, around sources with few neighbours and some spread
    /// over the graph, member by member.
    fn search(
        &self,
        alone: Option<&[usize]>,
        size: usize,
        from: usize,
        most: f64,
    ) -> Result<Option<WorstFound>, AccountError> {
        let graph = self.protocol().graph()?;
        let nodes = graph.nodes();
        let masked = self.protocol().masks().is_some() && !self.protocol().is_refreshed();
        let view = self.work_of(size)?;
        // Bounds for masks are computed for one source at a time, others for a whole view.
        let one = if masked { view / nodes as f64 } else { view };
        let mut asked = ((SEARCH / one) as usize).clamp(2 * size, 2000);
        let engine = if masked { self.engine_by(1, true)? } else { self.engine_for(asked)? };
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
            if worst.as_ref().is_some_and(|worst| worst.bound.upper() >= most) || asked == 0 {
                break;
            }
        }
        Ok(worst)
    }

    /// Computes the bound by trees of the mask graph.
    fn by_trees(&self, size: usize, from: usize) -> Result<Option<f64>, AccountError> {
        let protocol = self.protocol();
        let Some(masks) = self.settings.masks() else {
            return Ok(None);
        };
        // Distances are those of the gossip graph.
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

    /// Computes the bound by first passage: the sum of the `size` largest bounds of each source.
    fn by_first_passage(&self, size: usize, from: usize) -> Result<Option<f64>, AccountError> {
        let protocol = self.protocol();
        if let Some(schedules) = self.settings.every {
            let gaussian = self.noise.law() == NoiseLaw::Gaussian;
            let passage = schedules.first_passage(protocol).filter(|_| gaussian);
            return Ok(passage.map(|passage| passage.at(Some(from))));
        }
        let plain = protocol.rounds() == 1 && protocol.acceleration().is_none();
        let uniform = protocol.uniform().is_ok();
        let refreshed = uniform && protocol.is_refreshed() && protocol.masks().is_none();
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
            let sources = far_sources(&graph, &[v], from);
            let sets: Vec<&[usize]> = sources.iter().map(std::slice::from_ref).collect();
            let observer = Observer::full(v);
            let proved = engine.proved(Asked::new(&observer, &sets, &self.watcher()))?;
            let mut uppers = vec![0.0; nodes];
            for (source, loss) in sources.into_iter().zip(proved) {
                uppers[source] = loss.upper();
            }
            Ok(uppers)
        };
        let all = threads::try_in_order(nodes, towards)?;
        let of_source = |u: usize| {
            let mut heard: Vec<f64> = all.iter().map(|uppers| uppers[u]).collect();
            heard.sort_by(|a, b| b.total_cmp(a));
            heard[..size].iter().fold(0.0, |sum: f64, x| (sum + x).next_up())
        };
        Ok(Some((0..nodes).map(of_source).fold(0.0, f64::max)))
    }
}

/// Returns the nodes at this distance from all members, or farther.
fn far_sources(graph: &Graph, members: &[usize], from: usize) -> Vec<usize> {
    let distances = graph.distances_from_any(members);
    let far = |u: &usize| distances[*u].is_none_or(|distance| distance >= from);
    (0..graph.nodes()).filter(far).collect()
}

/// Returns the sizes to examine. A smaller coalition is part of a larger one, which learns no less
/// but may be nearer to the source.
fn sizes(size: usize, from: usize) -> std::ops::RangeInclusive<usize> {
    match from {
        1 => size..=size,
        _ => 1..=size,
    }
}

/// Returns the larger loss, or the first if they are equal.
fn worse(one: WorstFound, other: WorstFound) -> WorstFound {
    if other.bound.upper() > one.bound.upper() { other } else { one }
}
