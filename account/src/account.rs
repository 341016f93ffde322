//! The question "who leaks how much to whom", and its answer.

use crate::absorption::absorbed;
use crate::{
    AccountError, Choice, Engine, Formula, Loss, NoiseLaw, Number, Schedules, Seen, Summary,
    engine::{Asked, ClosedForms, EverySchedule, Fast, MOST_MASKED, OnGrid},
    noise_law::ProvedFor,
};
use muffliato_fast::{FastError, LocalBounds, MaskedBounds, Progress};
use muffliato_model::{Graph, Lipschitz, Masks, Observer, Protocol, shard};
use rayon::prelude::*;
use std::str::FromStr;
use std::sync::{
    Arc, Mutex, OnceLock, PoisonError,
    atomic::{AtomicUsize, Ordering},
};
use std::time::Instant;

/// Who observes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Observers {
    /// Every node where there are at most 2000, else a sample of 16.
    #[default]
    Auto,
    /// Every node.
    All,
    /// So many nodes, spread over the graph. A maximum over them promises nothing about the others.
    Sample(usize),
    /// These nodes, each by itself.
    Listed(Vec<usize>),
    /// These nodes, who put together what they see.
    Coalition(Vec<usize>),
}

/// What an observer sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// The messages that it receives and the noise that it drew.
    #[default]
    Full,
    /// The messages that it receives, as in the paper.
    Paper,
}

impl Sight {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Paper => "paper",
        }
    }

    /// One node that sees this.
    pub fn observer(self, node: usize) -> Observer {
        match self {
            Self::Full => Observer::full(node),
            Self::Paper => Observer::paper(node),
        }
    }
}

impl FromStr for Sight {
    type Err = AccountError;

    fn from_str(text: &str) -> Result<Self, AccountError> {
        match text {
            "full" => Ok(Self::Full),
            "paper" => Ok(Self::Paper),
            _ => Err(AccountError::BadParameter {
                parameter: "the view",
                value: text.to_string(),
                expected: "it is full or paper",
            }),
        }
    }
}

impl FromStr for Observers {
    type Err = AccountError;

    /// `auto`, `all` or `sample:N`.
    fn from_str(text: &str) -> Result<Self, AccountError> {
        let sample = text.strip_prefix("sample:").map(str::parse);
        match (text, sample) {
            ("auto", _) => Ok(Self::Auto),
            ("all", _) => Ok(Self::All),
            (_, Some(Ok(count))) if count > 0 => Ok(Self::Sample(count)),
            _ => Err(AccountError::BadParameter {
                parameter: "observers",
                value: text.to_string(),
                expected: "it is all, auto, sample:N or a list of nodes",
            }),
        }
    }
}

/// Up to so many nodes all of them observe, unless something else is asked for.
const MOST_OBSERVERS: usize = 2000;

/// How many observe on larger graphs.
const SAMPLE: usize = 16;

/// The most pairs that are kept, some 2 GB.
const MOST_PAIRS: usize = 16_000_000;

/// The accountant of one protocol: who leaks how much to whom.
///
/// ```
/// use muffliato_account::{Account, Observers, Status};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.1".parse()?)?;
/// let account = Account::of(&protocol)?;
/// let loss = account.loss(33, 3)?;
/// assert!(loss.status() == Status::Exact && loss.upper() < 0.28);
/// assert!(loss.guarantee(1.0, 1.0)?.epsilon(1e-6)? < 2.4);
///
/// // All pairs by distance: neighbours lose everything, others do not.
/// let summary = account.observers(Observers::All).summary()?;
/// let classes: Vec<_> = summary.classes().collect();
/// assert_eq!((classes[0].distance, summary.largest_of(classes[0]).promised()?.upper()), (Some(1), 1.0));
/// assert!(summary.largest_of(classes[1]).promised()?.upper() < 0.93);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Account<'a> {
    protocol: &'a Protocol,
    graph: Arc<Graph>,
    observers: Observers,
    sources: Sources,
    sight: Sight,
    lipschitz: Lipschitz,
    choice: Choice,
    formulas: Formulas,
    threads: Option<usize>,
    memory: u128,
    noise: ProvedFor,
    /// Whether losses are what closed forms prove, whatever the number of steps is.
    closed: bool,
    /// If losses are those of every schedule, which ones there are.
    every: Option<&'a Schedules>,
    /// Which part of the observers is looked at, of how many parts.
    shard: (usize, usize),
    /// When work ends, finished or not.
    deadline: Option<Instant>,
    progress: &'a dyn Progress,
    engine: OnceLock<Box<dyn Engine + 'a>>,
    /// The losses of all sources towards the observer that was asked about last.
    last: Mutex<Option<(Observer, LossesOfAll)>>,
}

/// The loss of each node; `None` for those who observe.
type LossesOfAll = Arc<Vec<Option<Loss>>>;

#[derive(Clone)]
enum Sources {
    All,
    Listed(Vec<usize>),
    Group(Vec<usize>),
}

/// Which closed forms are computed beside the losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// Theorem 1 of the paper.
    pub theorem_1: bool,
    /// Corollary 1 of the paper.
    pub corollary_1: bool,
    /// What is proved without computing the loss.
    pub proved: bool,
}

impl Formulas {
    /// None of them: where only losses count.
    pub const NONE: Self = Self {
        theorem_1: false,
        corollary_1: false,
        proved: false,
    };
    /// All of them.
    pub const ALL: Self = Self {
        theorem_1: true,
        corollary_1: true,
        proved: true,
    };
}

/// Whose losses towards whom, in nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Those who observe.
    pub observers: Vec<Observer>,
    /// Sets of nodes that are protected together; single nodes unless a group was asked for.
    pub sources: Vec<Vec<usize>>,
    /// What each observer sees.
    pub sight: Sight,
    /// Of how many observers these are a sample; `None` if they are all who were asked about.
    pub sample_of: Option<usize>,
}

/// One source, or one group, towards one observer, in units of L.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Who is protected: the number of the set in [`Question::sources`].
    pub source: usize,
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The smallest distance between them on [`Protocol::graph`]; `None` if there is no path.
    pub distance: Option<usize>,
    /// What Theorem 1 says of the plain protocol, without fresh noise or acceleration. Refuted: it promises nothing.
    pub theorem_1: Option<Number>,
    /// What Corollary 1 says, where it is defined. Refuted, too.
    pub corollary_1: Option<Number>,
    /// What is promised without a model: for averaging what closed forms prove, for gradient descent the absorption bound, whatever the loss functions
    /// are within their Lipschitz constants.
    pub proved: Option<Loss>,
    /// The loss.
    pub loss: Loss,
}

/// What one observer sees and learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Towards {
    /// Who observes: the number in [`Question::observers`].
    pub observer: usize,
    /// The messages that it receives, T_v.
    pub messages: usize,
    /// The rank of what it sees, where it is proved.
    pub rank: Option<usize>,
    /// The losses, sources in increasing order.
    pub pairs: Vec<Pair>,
}

impl<'a> Account<'a> {
    /// The account of a protocol: all nodes are protected, each node observes by itself with the full view, and the engine is
    /// chosen by the size of the protocol.
    pub fn of(protocol: &'a Protocol) -> Result<Self, AccountError> {
        Ok(Self {
            protocol,
            graph: protocol.graph()?,
            observers: Observers::Auto,
            sources: Sources::All,
            sight: Sight::Full,
            lipschitz: Lipschitz::default(),
            choice: Choice::Auto,
            formulas: Formulas {
                theorem_1: true,
                proved: protocol.rounds() > 1,
                ..Formulas::NONE
            },
            threads: None,
            shard: (0, 1),
            deadline: None,
            memory: muffliato_fast::memory::limit(),
            noise: ProvedFor::default(),
            closed: false,
            every: None,
            progress: &(),
            engine: OnceLock::new(),
            last: Mutex::new(None),
        })
    }

    /// The account of every schedule that a plan may draw: losses are upper bounds that hold for all of them, and distances are those of the whole graph.
    pub fn of_every(schedules: &'a Schedules) -> Result<Self, AccountError> {
        Ok(Self {
            every: Some(schedules),
            formulas: Formulas::NONE,
            ..Self::of(schedules.widest())?
        })
    }

    /// The same for these observers.
    pub fn observers(mut self, observers: Observers) -> Self {
        self.observers = observers;
        self.renewed()
    }

    /// The same for these nodes as observers who put together what they see.
    pub fn coalition(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.observers(Observers::Coalition(members.into_iter().collect()))
    }

    /// The same for these sources, each by itself.
    pub fn sources(mut self, sources: impl IntoIterator<Item = usize>) -> Self {
        self.sources = Sources::Listed(sources.into_iter().collect());
        self
    }

    /// The same for these sources, protected together.
    pub fn group(mut self, members: impl IntoIterator<Item = usize>) -> Self {
        self.sources = Sources::Group(members.into_iter().collect());
        self
    }

    /// The same where single observers see this.
    pub fn sight(mut self, sight: Sight) -> Self {
        self.sight = sight;
        self.renewed()
    }

    /// The same for gradient descent with steps of these Lipschitz constants; by default 1, which holds for convex smooth losses and
    /// steps that are not too long. What is promised depends on them, losses in a model do not.
    pub fn lipschitz(mut self, lipschitz: Lipschitz) -> Self {
        self.lipschitz = lipschitz;
        self
    }

    /// The Lipschitz constants that are assumed.
    pub(crate) fn lipschitz_constants(&self) -> &Lipschitz {
        &self.lipschitz
    }

    /// The same by this engine.
    pub fn engine(mut self, choice: Choice) -> Self {
        self.choice = choice;
        self.renewed()
    }

    /// The same with these closed forms beside the losses; by default Theorem 1, and what is proved for gradient descent.
    pub fn formulas(mut self, formulas: Formulas) -> Self {
        self.formulas = formulas;
        self
    }

    /// The same on so many threads; by default all. Results do not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The same for part `index` of `of` parts of the observers. Its summary merges with those of the other parts into that of the
    /// whole, to the bit; by itself it is a sample.
    pub fn shard(mut self, index: usize, of: usize) -> Result<Self, AccountError> {
        if index >= of {
            return Err(AccountError::BadParameter {
                parameter: "the shard",
                value: format!("{index} of {of}"),
                expected: "shards are numbered from 0 and there is at least one",
            });
        }
        self.shard = (index, of);
        Ok(self)
    }

    /// The same where a view may take at most so many bytes; by default [`muffliato_fast::memory::limit`].
    pub fn memory_limit(mut self, bytes: u128) -> Self {
        self.memory = bytes;
        self.renewed()
    }

    /// The same where this noise is drawn, for inputs of so many coordinates that change by at most `sensitivity`: losses are what is [proved](NoiseLaw) for it, and
    /// become guarantees by its curve.
    pub fn noise(
        mut self,
        law: NoiseLaw,
        sensitivity: f64,
        coordinates: usize,
    ) -> Result<Self, AccountError> {
        self.noise = ProvedFor::try_new(law, sensitivity, coordinates)?;
        Ok(self.renewed())
    }

    /// The same with what closed forms prove in place of losses: cheap at any size, and for masks the same for any number of steps.
    ///
    /// ```
    /// use muffliato_account::Account;
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.3".parse()?)?;
    /// let loss = Account::of(&protocol)?.loss(33, 3)?;
    /// let bound = Account::of(&protocol)?.closed_forms().loss(33, 3)?;
    /// assert!(loss.upper() < bound.upper() && bound.upper() < 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closed_forms(mut self) -> Self {
        self.closed = true;
        self.renewed()
    }

    /// Which schedules losses are for, if it is every one of them.
    pub(crate) fn every(&self) -> Option<&'a Schedules> {
        self.every
    }

    /// The masks that a promise can rest on.
    pub(crate) fn masks(&self) -> Option<&'a Masks> {
        let hold = self.every.is_none_or(Schedules::masks_hold);
        self.protocol.masks().filter(|_| hold)
    }

    /// Which noise losses are proved for.
    pub(crate) fn proved_for(&self) -> ProvedFor {
        self.noise
    }

    /// The same with progress, which may also ask to stop: it is told how many observers are finished.
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// The same, ending at this moment. [`Account::summary`] and [`Account::pairs`] are then of the observers that are finished, and a summary
    /// says that it [is partial](Summary::is_partial); whatever must look at all of them is [`AccountError::OutOfTime`], as is
    /// a summary of nobody.
    ///
    /// ```
    /// use muffliato_account::{Account, AccountError};
    /// use muffliato_model::{Network, Protocol};
    /// use std::time::Instant;
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?;
    /// let late = Account::of(&protocol)?.until(Instant::now());
    /// assert!(matches!(late.summary(), Err(AccountError::OutOfTime { done: 0, of: 34 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The same question about another protocol on the same nodes.
    pub fn on<'b>(&'b self, protocol: &'b Protocol) -> Result<Account<'b>, AccountError> {
        Ok(Account {
            graph: protocol.graph()?,
            protocol,
            observers: self.observers.clone(),
            sources: self.sources.clone(),
            lipschitz: self.lipschitz.clone(),
            progress: self.progress,
            engine: OnceLock::new(),
            last: Mutex::new(None),
            ..*self
        })
    }

    /// Whether work ended with this error because the time was up.
    pub fn is_late(&self, error: &AccountError) -> bool {
        let up = self.deadline.is_some_and(|end| Instant::now() >= end);
        matches!(error, AccountError::OutOfTime { .. }) || (error.is_cancelled() && up)
    }

    /// The observers that were asked for.
    pub(crate) fn asked(&self) -> &Observers {
        &self.observers
    }

    /// Who is told about progress.
    pub(crate) fn watcher(&self) -> &'a dyn Progress {
        self.progress
    }

    fn renewed(mut self) -> Self {
        self.engine = OnceLock::new();
        self.last = Mutex::new(None);
        self
    }

    /// The protocol.
    pub fn protocol(&self) -> &'a Protocol {
        self.protocol
    }

    /// How many inputs a set of the question has: members times the rounds that use their data. No loss is above it, whatever the loss functions are.
    pub fn inputs(&self) -> usize {
        let members = match &self.sources {
            Sources::Group(members) => distinct(members).len(),
            _ => 1,
        };
        members
            * self
                .protocol
                .rounds_of_phase(0)
                .count()
                .div_ceil(self.protocol.period())
    }

    /// The engine, for questions of one's own.
    pub fn answering(&self) -> Result<&dyn Engine, AccountError> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine.as_ref());
        }
        let observers = self.observing()?.0.len();
        let engine = self.engine_for(observers)?;
        Ok(self.engine.get_or_init(|| engine).as_ref())
    }

    pub(crate) fn engine_for(
        &self,
        observers: usize,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        self.engine_by(observers, self.closed)
    }

    /// The same by closed forms, or not.
    pub(crate) fn engine_by(
        &self,
        observers: usize,
        closed: bool,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        if let Some(schedules) = self.every {
            let (protocol, noise) = (self.protocol, self.noise);
            let engine = EverySchedule::of(schedules, protocol, observers, self.memory, noise)?;
            return Ok(Box::new(engine));
        }
        match self.noise.ratio()? {
            None if closed => {
                let fast = Fast::of(self.protocol, observers, self.memory)?;
                Ok(Box::new(ClosedForms(fast)))
            }
            None => self.choice.engine(self.protocol, observers, self.memory),
            Some(ratio) => {
                let (protocol, noise) = (self.protocol, self.noise);
                let engine = OnGrid::of(protocol, observers, self.memory, noise, ratio)?;
                Ok(Box::new(engine))
            }
        }
    }

    /// The radius of the trees that bound all pairs of a masked protocol: as large as some billions of nodes in all of them allow. `None` where pairs are
    /// looked at one by one.
    pub fn bounded_locally(&self) -> Option<usize> {
        let all = matches!(self.observers, Observers::Auto | Observers::All);
        let everybody = all && matches!(self.sources, Sources::All) && self.shard.1 == 1;
        let nodes = self.protocol.nodes();
        let fixed = self.protocol.fixed_network().is_some();
        if !(self.masks().is_some() && everybody && fixed && nodes > MOST_MASKED) {
            return None;
        }
        let degree = 2.0 * self.graph.edge_count() as f64 / nodes as f64;
        let mut radius = 1;
        let mut ball = 1.0 + degree;
        while radius < nodes && ball * (degree - 1.0).max(1.0) * nodes as f64 <= 4e9 {
            ball *= (degree - 1.0).max(1.0);
            ball += 1.0;
            radius += 1;
        }
        Some(radius)
    }

    /// Those who observe, and of how many they are a sample.
    fn observing(&self) -> Result<(Vec<Observer>, Option<usize>), AccountError> {
        let nodes = self.protocol.nodes();
        let single = |node| self.sight.observer(node);
        let spread = |count: usize| (0..count).map(|k| single(k * nodes / count)).collect();
        Ok(match &self.observers {
            Observers::Coalition(_) if self.sight == Sight::Paper => {
                return Err(AccountError::CoalitionOnPaper);
            }
            Observers::Coalition(members) => {
                let coalition = Observer::coalition(members.iter().copied())?;
                coalition.check(nodes)?;
                (vec![coalition], None)
            }
            Observers::Listed(listed) => {
                let observers: Vec<_> = distinct(listed).into_iter().map(single).collect();
                for observer in &observers {
                    observer.check(nodes)?;
                }
                (observers, None)
            }
            Observers::Auto if nodes > MOST_OBSERVERS && self.bounded_locally().is_none() => {
                (spread(SAMPLE), Some(nodes))
            }
            &Observers::Sample(count) if count < nodes => (spread(count), Some(nodes)),
            _ => ((0..nodes).map(single).collect(), None),
        })
    }

    /// Whose losses towards whom: who observes and who is protected, looked up and checked.
    pub fn question(&self) -> Result<Question, AccountError> {
        let nodes = self.protocol.nodes();
        let (observers, sample_of) = self.observing()?;
        if observers.is_empty() {
            return Err(AccountError::Nobody { what: "observer" });
        }
        let sources: Vec<Vec<usize>> = match &self.sources {
            Sources::All => (0..nodes).map(|node| vec![node]).collect(),
            Sources::Listed(listed) => distinct(listed).into_iter().map(|u| vec![u]).collect(),
            Sources::Group(members) => vec![distinct(members)],
        };
        if sources.iter().all(Vec::is_empty) {
            return Err(AccountError::Nobody { what: "source" });
        }
        if let Some(&node) = sources.iter().flatten().find(|&&node| node >= nodes) {
            return Err(AccountError::NoSuchSource { node, nodes });
        }
        let question = Question {
            observers,
            sources,
            sight: self.sight,
            sample_of,
        };
        let mut observers = question.observers.iter();
        if !observers.any(|observer| question.sources_for(observer).next().is_some()) {
            return Err(AccountError::AllObserve);
        }
        Ok(question)
    }

    /// What `source` loses to `observer`, whatever observers and sources the account is about.
    pub fn loss(&self, source: usize, observer: usize) -> Result<Loss, AccountError> {
        let observer = self.sight.observer(observer);
        let nodes = self.protocol.nodes();
        observer.check(nodes)?;
        if source >= nodes {
            return Err(AccountError::NoSuchSource {
                node: source,
                nodes,
            });
        }
        let kept = self
            .last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let losses = match kept {
            Some((towards, losses)) if towards == observer => losses,
            _ => {
                let sources: Vec<usize> = (0..nodes).filter(|&u| !observer.contains(u)).collect();
                let sets: Vec<&[usize]> = sources.iter().map(std::slice::from_ref).collect();
                let seen = self.one(&observer, &sets)?;
                let mut losses = vec![None; nodes];
                for (source, loss) in sources.into_iter().zip(seen.losses) {
                    losses[source] = Some(loss);
                }
                let losses = Arc::new(losses);
                let mut kept = self.last.lock().unwrap_or_else(PoisonError::into_inner);
                *kept = Some((observer, Arc::clone(&losses)));
                losses
            }
        };
        losses[source].clone().ok_or(AccountError::AllObserve)
    }

    /// What all of `sources` together lose to `observer`.
    pub fn group_loss(&self, sources: &[usize], observer: usize) -> Result<Loss, AccountError> {
        self.loss_towards(sources, &self.sight.observer(observer))
    }

    /// What all of `sources` together lose to an observer, such as a coalition.
    pub fn loss_towards(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Loss, AccountError> {
        let sources = distinct(sources);
        let nodes = self.protocol.nodes();
        observer.check(nodes)?;
        if let Some(&node) = sources.iter().find(|&&node| node >= nodes) {
            return Err(AccountError::NoSuchSource { node, nodes });
        }
        if sources.is_empty() {
            return Err(AccountError::Nobody { what: "source" });
        }
        if sources.iter().any(|&source| observer.contains(source)) {
            return Err(AccountError::AllObserve);
        }
        let seen = self.one(observer, &[&sources])?;
        seen.losses
            .into_iter()
            .next()
            .ok_or(AccountError::AllObserve)
    }

    /// One view, with the whole budget of work for itself.
    fn one(&self, observer: &Observer, sets: &[&[usize]]) -> Result<Seen, AccountError> {
        let engine = self.engine_for(1)?;
        let counting = Counting::of(self, 1);
        let seen = engine.losses(Asked::new(observer, sets, &counting));
        seen.map_err(|error| counting.explained(error))
    }

    /// All losses, observer by observer; [`AccountError::TooManyPairs`] where they are too many to keep. Fewer than all observers are in it
    /// only if the time was up.
    pub fn pairs(&self) -> Result<Vec<Towards>, AccountError> {
        let question = self.question()?;
        let pairs = question
            .sources
            .len()
            .saturating_mul(question.observers.len());
        if pairs > MOST_PAIRS {
            return Err(AccountError::TooManyPairs { pairs });
        }
        let mut all = Vec::new();
        let found = self.each(
            &question,
            |towards| towards,
            |towards| {
                all.push(towards);
                Ok(())
            },
        );
        or_some(found)?;
        Ok(all)
    }

    /// The losses by distance, without keeping pairs: at any size.
    ///
    /// A masked protocol on many nodes is bounded for *all* pairs at once, by trees around every source, unless observers or sources were named.
    pub fn summary(&self) -> Result<Summary, AccountError> {
        if let Some(radius) = self.bounded_locally() {
            return self.summary_by_trees(radius);
        }
        let (summary, found) = self.summed(|_| (), |()| ())?;
        or_some(found)?;
        Ok(summary)
    }

    /// The summary of the observers that are finished, and whether all are. What `also` makes of each is handed to `hear`, in their order.
    pub(crate) fn summed<T: Send>(
        &self,
        also: impl Fn(&Towards) -> T + Sync,
        mut hear: impl FnMut(T) + Send,
    ) -> Result<(Summary, Result<(), AccountError>), AccountError> {
        let question = self.question()?;
        let empty = Summary::empty(self, &question);
        let mut summary = empty.clone();
        let one = |towards: Towards| {
            let mut part = empty.clone();
            part.add(&towards);
            (part, also(&towards))
        };
        let found = self.each(&question, one, |(part, told)| {
            hear(told);
            summary.merge(part)
        });
        Ok((summary, found))
    }

    /// All pairs by trees around every source, or by spanning trees where these prove less; on a grid, what they become there.
    fn summary_by_trees(&self, radius: usize) -> Result<Summary, AccountError> {
        let counting = Counting::of(self, self.protocol.nodes());
        // Several passes over all nodes, each of which counts by itself.
        let passing =
            |done: usize, total: usize| self.progress.report(done, total) && !counting.time_is_up();
        let bounds = MaskedBounds::of(self.protocol)?.watched(&passing);
        let found = || -> Result<LocalBounds, FastError> {
            let mut local = bounds.local(radius)?;
            for from in [1, 2] {
                local.cap(from, bounds.any_coalition(1, from, 1)?);
            }
            Ok(local)
        };
        let mut local = found().map_err(|error| counting.explained(error.into()))?;
        if let Some(ratio) = self.noise.ratio()? {
            let coordinates = self.noise.coordinates();
            local = local.each(|loss| bounds.on_grid(loss, 1, ratio, coordinates))?;
        }
        let summary = Summary::of_local(self.protocol, radius, &local, self.noise);
        Ok(summary)
    }

    /// Hands the losses towards each observer to `part`, on all threads, and what it makes of them to `keep`, in the order of the
    /// observers. Only some views are held at a time. If the time is up, those that are finished were handed over before
    /// [`AccountError::OutOfTime`] is returned.
    pub fn each<T: Send>(
        &self,
        question: &Question,
        part: impl Fn(Towards) -> T + Sync,
        mut keep: impl FnMut(T) -> Result<(), AccountError> + Send,
    ) -> Result<(), AccountError> {
        if self.shard.1 > 1 && self.noise.law() != NoiseLaw::Gaussian {
            return Err(AccountError::BadParameter {
                parameter: "the shard",
                value: format!("of an account for {} noise", self.noise.law()),
                expected: "shards are for gaussian noise",
            });
        }
        let numbers = shard(question.observers.len(), self.shard.0, self.shard.1);
        let engine = self.answering()?;
        let counting = Counting::of(self, numbers.len());
        let looked_at = |number: usize| -> Result<T, AccountError> {
            counting.check(0, 1)?;
            let towards = self.towards(engine, question, number, &counting)?;
            let before = counting.done.fetch_add(1, Ordering::Relaxed);
            // Finished is finished: whoever asks to stop now is heard by the next one.
            self.progress.report(before + 1, counting.total);
            Ok(part(towards))
        };
        // Nothing of an observer that is not finished.
        let one = |number: usize| match looked_at(number) {
            Err(error) if error.is_cancelled() && counting.time_is_up() => Ok(None),
            found => found.map(Some),
        };
        let mut all = || {
            let numbers: Vec<usize> = numbers.clone().collect();
            for chunk in numbers.chunks(4 * rayon::current_num_threads()) {
                let found: Result<Vec<Option<T>>, AccountError> = chunk
                    .par_iter()
                    .with_max_len(1)
                    .map(|&number| one(number))
                    .collect();
                found?.into_iter().flatten().try_for_each(&mut keep)?;
            }
            counting.all_done()
        };
        match self.threads {
            None => all(),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.map_err(|_| AccountError::Threads { threads })?
                    .install(all)
            }
        }
    }

    /// The losses towards one observer of the question.
    fn towards(
        &self,
        engine: &dyn Engine,
        question: &Question,
        number: usize,
        progress: &dyn Progress,
    ) -> Result<Towards, AccountError> {
        let observer = &question.observers[number];
        let (numbers, sets): (Vec<usize>, Vec<&[usize]>) = question.sources_for(observer).unzip();
        let asked = Asked::new(observer, &sets, progress);
        let seen = engine.losses(asked)?;
        let averaging = self.protocol.rounds() == 1;
        let formula = |wanted: bool, formula: Formula| match wanted {
            true => engine.formula(formula, asked),
            false => Ok(vec![None; sets.len()]),
        };
        let theorem_1 = formula(self.formulas.theorem_1 && averaging, Formula::Theorem1)?;
        let fixed = averaging && self.protocol.fixed_network().is_some();
        let corollary_1 = formula(self.formulas.corollary_1 && fixed, Formula::Corollary1)?;
        let mut proved = match self.formulas.proved {
            true if !averaging && self.noise.law() == NoiseLaw::Gaussian => {
                let pairs = sets.len().saturating_mul(question.observers.len());
                let (protocol, lipschitz) = (self.protocol, &self.lipschitz);
                absorbed(protocol, observer, lipschitz, &sets, pairs, progress)?
                    .into_iter()
                    .map(Some)
                    .collect()
            }
            true => engine.proved(asked)?.into_iter().map(Some).collect(),
            false => vec![None; sets.len()],
        }
        .into_iter();
        let distances = self.graph.distances_from_any(observer.members());
        let nearest = |set: &[usize]| set.iter().filter_map(|&node| distances[node]).min();
        let found = numbers.into_iter().zip(&sets).zip(seen.losses);
        let pairs = found.zip(theorem_1).zip(corollary_1);
        let pairs = pairs.map(|((((source, set), loss), theorem_1), corollary_1)| Pair {
            source,
            observer: number,
            distance: nearest(set),
            theorem_1,
            corollary_1,
            proved: proved.next().flatten(),
            loss,
        });
        Ok(Towards {
            observer: number,
            messages: seen.messages,
            rank: seen.rank,
            pairs: pairs.collect(),
        })
    }

    /// About how many hours all observers of the question take on the threads there are: an estimate.
    pub fn hours(&self) -> Result<f64, AccountError> {
        if self.bounded_locally().is_some() {
            return Ok(0.1);
        }
        let question = self.question()?;
        let closed = self.closed || self.noise.law() != NoiseLaw::Gaussian;
        let mut work = 0.0;
        for observer in &question.observers {
            work += match closed {
                // Distances, and what masks take.
                _ if self.every.is_some() && self.masks().is_none() => {
                    (self.graph.nodes() + 2 * self.graph.edge_count()) as f64
                }
                _ if self.every.is_some() => 1e5 * self.graph.nodes() as f64,
                // One walk backwards from each message.
                true => {
                    let messages = self.protocol.messages_to(observer)?;
                    (messages * (self.graph.nodes() + 2 * self.graph.edge_count())) as f64
                }
                false => Fast::work(self.protocol, observer)?,
            };
        }
        let threads = self.threads.unwrap_or_else(rayon::current_num_threads);
        Ok(work / NANOSECONDS_AN_HOUR / threads as f64)
    }
}

/// What one thread does in an hour, roughly.
const NANOSECONDS_AN_HOUR: f64 = 1e9 * 3600.0;

impl Question {
    /// The sets that are protected and do not observe, with their numbers.
    pub fn sources_for<'b>(
        &'b self,
        observer: &'b Observer,
    ) -> impl Iterator<Item = (usize, &'b [usize])> {
        let outside = |set: &&[usize]| !set.iter().any(|&node| observer.contains(node));
        let sets = self.sources.iter().map(Vec::as_slice).enumerate();
        sets.filter(move |(_, set)| outside(set))
    }
}

/// Reports how many observers are finished, whatever one of them reports, and ends in time.
struct Counting<'a> {
    progress: &'a dyn Progress,
    deadline: Option<Instant>,
    done: AtomicUsize,
    total: usize,
}

impl<'a> Counting<'a> {
    fn of(account: &Account<'a>, total: usize) -> Self {
        Self {
            progress: account.progress,
            deadline: account.deadline,
            done: AtomicUsize::new(0),
            total,
        }
    }

    fn time_is_up(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    fn all_done(&self) -> Result<(), AccountError> {
        let (done, of) = (self.done.load(Ordering::Relaxed), self.total);
        match done == of {
            true => Ok(()),
            false => Err(AccountError::OutOfTime { done, of }),
        }
    }

    /// Why work was cancelled.
    fn explained(&self, error: AccountError) -> AccountError {
        match error.is_cancelled() && self.time_is_up() {
            true => AccountError::OutOfTime {
                done: 0,
                of: self.total,
            },
            false => error,
        }
    }
}

impl Progress for Counting<'_> {
    fn report(&self, _done: usize, _total: usize) -> bool {
        let going_on = self
            .progress
            .report(self.done.load(Ordering::Relaxed), self.total);
        going_on && !self.time_is_up()
    }
}

/// Being out of time is no error where some observers are finished: there is a part to show.
fn or_some(found: Result<(), AccountError>) -> Result<(), AccountError> {
    match found {
        Err(AccountError::OutOfTime { done, .. }) if done > 0 => Ok(()),
        found => found,
    }
}

/// In increasing order, each once.
fn distinct(nodes: &[usize]) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
