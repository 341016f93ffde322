//! The question "who leaks how much to whom": how it is asked, and of which engine.

mod answer;

use crate::question::distinct;
use crate::{
    AccountError, Choice, Engine, Formulas, Loss, NoiseLaw, Observers, Question, Schedules, Sight,
    Sources,
    engine::{ClosedForms, EverySchedule, Fast, MOST_MASKED, OnGrid},
    noise_law::ProvedFor,
};
use muffliato_fast::Progress;
use muffliato_model::{Graph, Lipschitz, LossModel, Masks, Observer, Protocol};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Up to so many nodes all of them observe, unless something else is asked for.
const MOST_OBSERVERS: usize = 2000;

/// How many observe on larger graphs.
const SAMPLE: usize = 16;

/// What one thread does in an hour, roughly.
pub(crate) const NANOSECONDS_AN_HOUR: f64 = 1e9 * 3600.0;

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
    pub(crate) observers: Observers,
    sources: Sources,
    sight: Sight,
    /// Of the steps of gradient descent.
    pub(crate) lipschitz: Lipschitz,
    choice: Choice,
    formulas: Formulas,
    threads: Option<usize>,
    memory: u128,
    /// Which noise losses are proved for.
    pub(crate) noise: ProvedFor,
    /// Whether losses are what closed forms prove, whatever the number of steps is.
    closed: bool,
    /// If losses are those of every schedule, which ones there are.
    pub(crate) every: Option<&'a Schedules>,
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

    /// The same where these are protected.
    pub fn protecting(mut self, sources: Sources) -> Self {
        self.sources = sources;
        self
    }

    /// The same for these sources, each by itself.
    pub fn sources(self, sources: impl IntoIterator<Item = usize>) -> Self {
        self.protecting(Sources::Listed(sources.into_iter().collect()))
    }

    /// The same for these sources, protected together.
    pub fn group(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.protecting(Sources::Group(members.into_iter().collect()))
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

    /// The constants that a promise rests on: those of gradient descent under Gaussian noise, if it was asked for.
    pub(crate) fn assumed(&self) -> Option<&Lipschitz> {
        let descent = self.protocol.rounds() > 1 && self.noise.law() == NoiseLaw::Gaussian;
        (self.formulas.proved && descent).then_some(&self.lipschitz)
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

    /// The same where a view may take at most so many bytes; by default [`muffliato_fast::memory::limit`], above which no view goes.
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

    /// The masks that a promise can rest on.
    pub(crate) fn masks(&self) -> Option<&'a Masks> {
        let hold = self.every.is_none_or(Schedules::masks_hold);
        self.protocol.masks().filter(|_| hold)
    }

    /// The same with progress, which may also ask to stop: it is told how many observers are finished.
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// The same, ending at this moment. [`Account::summary`] and [`Account::pairs`] are then of the observers that are finished, and a summary
    /// says that it [is partial](crate::Summary::is_partial); whatever must look at all of them is [`AccountError::OutOfTime`], as is
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

    /// That the time is up before one of so many observers is finished, where this error is of that.
    pub(crate) fn explained(&self, error: AccountError, of: usize) -> AccountError {
        match self.is_late(&error) {
            true => AccountError::OutOfTime { done: 0, of },
            false => error,
        }
    }

    /// Who is told about progress, and ends it in time.
    pub(crate) fn watcher(&self) -> impl Progress + 'a {
        let (progress, deadline) = (self.progress, self.deadline);
        move |done: usize, total: usize| {
            progress.report(done, total) && deadline.is_none_or(|end| Instant::now() < end)
        }
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
        members * self.protocol.rounds_of_phase(0).count()
    }

    /// The same where losses are what can be promised: for gradient descent, whose losses are those of a model, by closed forms.
    pub(crate) fn promising(self) -> Self {
        let in_a_model = self.protocol.loss_model() == LossModel::GradientsAsInputs;
        match in_a_model && self.protocol.masks().is_none() {
            true => self.closed_forms(),
            false => self,
        }
    }

    /// What its losses are computed for.
    pub(crate) fn loss_model(&self) -> LossModel {
        let gaussian = self.noise.law() == NoiseLaw::Gaussian && self.every.is_none();
        match self.protocol.loss_model() {
            LossModel::GradientsAsInputs
                if self.closed && gaussian && self.protocol.masks().is_none() =>
            {
                LossModel::LipschitzSteps
            }
            model => model,
        }
    }

    /// Whether all nodes observe, or a sample of them, and all are protected, or a group.
    pub(crate) fn is_about_all(&self) -> bool {
        let named = matches!(
            self.observers,
            Observers::Listed(_) | Observers::Coalition(_)
        );
        !named && !matches!(self.sources, Sources::Listed(_))
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
            None if closed => Ok(Box::new(ClosedForms {
                fast: Fast::of(self.protocol, observers, self.memory)?,
                lipschitz: self.lipschitz.clone(),
                pairs: observers.saturating_mul(self.protocol.nodes()),
            })),
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
}
