//! The settings of an account, and the engine that answers.

mod answer;

use crate::guarantee::{
    Against, Conditions, Distances, Inputs, Losses, Participation, Protected, ScheduleScope, Unit,
};
use crate::question::distinct;
use crate::shard::fingerprint;
use crate::{
    AccountError, Choice, Engine, Formulas, Knowledge, Loss, NoiseLaw, Observers, Question,
    Schedules, Sources,
    engine::{ClosedForms, EverySchedule, Fast, MOST_MASKED, OnGrid},
    noise_law::ProvedFor,
};
use muffliato_fast::Progress;
use muffliato_model::{Graph, Lipschitz, LossModel, Masks, Observer, Protocol};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Largest graph on which every node observes by default.
const MOST_OBSERVERS: usize = 2000;

/// Number of observers that are sampled on larger graphs.
const SAMPLE: usize = 16;

/// Units of work that one thread does in an hour, roughly.
pub(crate) const NANOSECONDS_AN_HOUR: f64 = 1e9 * 3600.0;

/// The accountant of one protocol.
///
/// ```
/// use muffliato_account::{Account, Observers, Status};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.1".parse()?)?;
/// let account = Account::of(&protocol)?;
/// let loss = account.loss(33, 3)?;
/// assert!(loss.status() == Status::Exact && loss.upper() < 0.28);
/// assert!(account.guarantee(33, 3)?.at(1.0, 1.0)?.epsilon(1e-6)? < 2.4);
///
/// // By distance: only neighbours lose everything.
/// let summary = account.observers(Observers::All).summary()?;
/// let rows: Vec<_> = summary.rows().collect();
/// assert_eq!((rows[0].distance, rows[0].largest().promised()?.upper()), (Some(1), 1.0));
/// assert!(rows[1].largest().promised()?.upper() < 0.93);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Account<'a> {
    protocol: &'a Protocol,
    graph: Arc<Graph>,
    pub(crate) observers: Observers,
    sources: Sources,
    knowledge: Knowledge,
    /// The assumed Lipschitz constants of gradient steps; `None` for any loss functions.
    lipschitz: Option<Lipschitz>,
    choice: Choice,
    formulas: Formulas,
    threads: Option<usize>,
    memory: u128,
    /// The noise that losses are proved for.
    pub(crate) noise: ProvedFor,
    /// Whether closed forms replace computed losses.
    closed: bool,
    /// The schedules, if losses hold for every one of them.
    pub(crate) every: Option<&'a Schedules>,
    /// The index of the shard, and the number of shards.
    shard: (usize, usize),
    deadline: Option<Instant>,
    progress: &'a dyn Progress,
    engine: OnceLock<Box<dyn Engine + 'a>>,
    /// The conditions of guarantees, except sources and observers.
    conditions: OnceLock<Conditions>,
    /// The losses of all sources to the observer of the last query.
    last: Mutex<Option<(Observer, LossesOfAll)>>,
}

/// The loss of each node; `None` for observers.
type LossesOfAll = Arc<Vec<Option<Loss>>>;

impl<'a> Account<'a> {
    /// Creates the account of a protocol. By default every node is protected, each node observes by
    /// itself with the full view, and the engine depends on the size of the protocol.
    ///
    /// # Errors
    ///
    /// Fails if the graph of all steps is too large.
    pub fn of(protocol: &'a Protocol) -> Result<Self, AccountError> {
        Ok(Self {
            protocol,
            graph: protocol.graph()?,
            observers: Observers::Auto,
            sources: Sources::All,
            knowledge: Knowledge::Full,
            lipschitz: Some(Lipschitz::default()),
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
            conditions: OnceLock::new(),
            last: Mutex::new(None),
        })
    }

    /// Creates the account of every schedule that a plan may draw. Losses are upper bounds for all
    /// of them, and distances are those of the whole graph.
    ///
    /// # Errors
    ///
    /// Those of [`Account::of`].
    pub fn of_every(schedules: &'a Schedules) -> Result<Self, AccountError> {
        Ok(Self {
            every: Some(schedules),
            formulas: Formulas::NONE,
            ..Self::of(schedules.widest())?
        })
    }

    /// Sets the observers.
    pub fn observers(mut self, observers: Observers) -> Self {
        self.observers = observers;
        self.invalidate()
    }

    /// Sets a coalition as the observer: its members combine their views.
    pub fn coalition(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.observers(Observers::Coalition(members.into_iter().collect()))
    }

    /// Sets the protected nodes: a list of nodes, each by itself, or [`Sources`].
    pub fn sources(mut self, sources: impl Into<Sources>) -> Self {
        self.sources = sources.into();
        self
    }

    /// Sets a group of nodes that are protected together.
    pub fn group(self, members: impl IntoIterator<Item = usize>) -> Self {
        self.sources(Sources::Group(members.into_iter().collect()))
    }

    /// Sets the knowledge of single observers.
    pub fn knowledge(mut self, knowledge: Knowledge) -> Self {
        self.knowledge = knowledge;
        self.invalidate()
    }

    /// Sets the assumed Lipschitz constants of gradient steps. The default 1 holds for convex
    /// smooth losses and step sizes that are not too large. Guarantees depend on them; losses in a
    /// model do not.
    pub fn lipschitz(mut self, lipschitz: Lipschitz) -> Self {
        self.lipschitz = Some(lipschitz);
        self.invalidate()
    }

    /// Drops the assumption on gradient steps: guarantees hold for any loss functions.
    pub fn any_losses(mut self) -> Self {
        self.lipschitz = None;
        self.invalidate()
    }

    /// Returns the Lipschitz constants that a certificate states.
    pub(crate) fn constants(&self) -> Lipschitz {
        self.lipschitz.clone().unwrap_or_default()
    }

    /// Returns the Lipschitz constants that guarantees assume, if any.
    pub(crate) fn assumed(&self) -> Option<&Lipschitz> {
        let descent = self.protocol.rounds() > 1 && self.noise.law() == NoiseLaw::Gaussian;
        self.lipschitz.as_ref().filter(|_| descent)
    }

    /// Sets the engine.
    pub fn engine(mut self, choice: Choice) -> Self {
        self.choice = choice;
        self.invalidate()
    }

    /// Sets the closed forms that are computed in addition to losses; by default Theorem 1, and the
    /// proved bound for gradient descent.
    pub fn formulas(mut self, formulas: Formulas) -> Self {
        self.formulas = formulas;
        self
    }

    /// Sets the number of threads; by default all cores. Results do not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Restricts the account to shard `index` of `of` shards of the observers. The summaries of all
    /// shards merge into that of the whole account, to the bit.
    ///
    /// # Errors
    ///
    /// Fails unless `index` is below `of`.
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

    /// Sets the memory limit of a view, in bytes. The default [`muffliato_fast::memory::limit`] is
    /// also the maximum.
    pub fn memory_limit(mut self, bytes: u128) -> Self {
        self.memory = bytes;
        self.invalidate()
    }

    /// Sets the noise, for inputs of this many coordinates that change by at most `sensitivity`.
    /// Losses are [proved](NoiseLaw) for it, and its curve converts them to epsilons.
    ///
    /// # Errors
    ///
    /// Fails unless the sensitivity is positive and there is a coordinate.
    pub fn noise(
        mut self,
        law: NoiseLaw,
        sensitivity: f64,
        coordinates: usize,
    ) -> Result<Self, AccountError> {
        self.noise = ProvedFor::try_new(law, sensitivity, coordinates)?;
        Ok(self.invalidate())
    }

    /// Replaces losses by closed-form bounds, which are cheap at any size. For masks they do not
    /// depend on the number of steps.
    pub fn closed_forms(mut self) -> Self {
        self.closed = true;
        self.invalidate()
    }

    /// Returns the masks that guarantees can use.
    pub(crate) fn masks(&self) -> Option<&'a Masks> {
        let hold = self.every.is_none_or(Schedules::masks_hold);
        self.protocol.masks().filter(|_| hold)
    }

    /// Sets the receiver of progress reports, which count finished observers. It may cancel the
    /// work.
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// Sets the deadline. After it, [`Account::summary`] and [`Account::pairs`] return the
    /// observers that are finished, and the summary [is partial](crate::Summary::is_partial).
    /// Methods that need every observer, or finished none, return [`AccountError::OutOfTime`].
    pub fn deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Returns an account of another protocol with the same settings.
    ///
    /// # Errors
    ///
    /// Those of [`Account::of`].
    pub fn with_protocol<'b>(
        &'b self,
        protocol: &'b Protocol,
    ) -> Result<Account<'b>, AccountError> {
        Ok(Account {
            graph: protocol.graph()?,
            protocol,
            observers: self.observers.clone(),
            sources: self.sources.clone(),
            lipschitz: self.lipschitz.clone(),
            progress: self.progress,
            engine: OnceLock::new(),
            conditions: OnceLock::new(),
            last: Mutex::new(None),
            ..*self
        })
    }

    /// Returns `true` if the error means that the deadline passed.
    pub fn is_late(&self, error: &AccountError) -> bool {
        let up = self.deadline.is_some_and(|end| Instant::now() >= end);
        matches!(error, AccountError::OutOfTime { .. }) || (error.is_cancelled() && up)
    }

    /// Converts a cancellation past the deadline into [`AccountError::OutOfTime`].
    pub(crate) fn map_timeout(&self, error: AccountError, of: usize) -> AccountError {
        if self.is_late(&error) {
            AccountError::OutOfTime { done: 0, of }
        } else {
            error
        }
    }

    /// Returns a progress receiver that cancels at the deadline.
    pub(crate) fn watcher(&self) -> impl Progress + 'a {
        let (progress, deadline) = (self.progress, self.deadline);
        move |done: usize, total: usize| {
            progress.report(done, total) && deadline.is_none_or(|end| Instant::now() < end)
        }
    }

    fn invalidate(mut self) -> Self {
        self.engine = OnceLock::new();
        self.conditions = OnceLock::new();
        self.last = Mutex::new(None);
        self
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &'a Protocol {
        self.protocol
    }

    /// Returns the number of inputs of a set of sources: its members times the rounds that use
    /// their data. No loss exceeds it, for any loss functions.
    pub fn inputs(&self) -> usize {
        let members = match &self.sources {
            Sources::Group(members) => distinct(members).len(),
            _ => 1,
        };
        self.inputs_of(members)
    }

    /// Returns the number of inputs of a set of this many sources.
    fn inputs_of(&self, members: usize) -> usize {
        members * self.protocol.rounds_of_phase(0).count()
    }

    /// Replaces losses in a model of training, which promise nothing, by closed forms.
    pub(crate) fn promising(self) -> Self {
        let in_a_model = self.protocol.loss_model() != LossModel::SingleInput;
        if in_a_model && self.protocol.masks().is_none() {
            self.closed_forms()
        } else {
            self
        }
    }

    /// Returns `true` unless observers or sources were listed.
    pub(crate) fn is_about_all(&self) -> bool {
        let named = matches!(
            self.observers,
            Observers::Listed(_) | Observers::Coalition(_)
        );
        !named && !matches!(self.sources, Sources::Listed(_))
    }

    /// Returns the engine that answers.
    ///
    /// # Errors
    ///
    /// Fails if the observers are invalid or the engine refuses the protocol.
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

    /// Creates an engine for this many observers, by closed forms if `closed`.
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
                lipschitz: self.assumed().cloned(),
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

    /// Returns the radius of the trees that bound all pairs of a masked protocol at once, or `None`
    /// if pairs are examined one by one. The trees have at most some billions of nodes in all.
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

    /// Returns the observers and, if they are a sample, the number of all observers.
    fn observing(&self) -> Result<(Vec<Observer>, Option<usize>), AccountError> {
        let nodes = self.protocol.nodes();
        let single = |node| self.knowledge.observer(node);
        let spread = |count: usize| (0..count).map(|k| single(k * nodes / count)).collect();
        Ok(match &self.observers {
            Observers::Coalition(_) if self.knowledge == Knowledge::Paper => {
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

    /// Returns the conditions that do not depend on sources and observers.
    fn conditions(&self) -> &Conditions {
        self.conditions.get_or_init(|| {
            let protocol = self.protocol;
            Conditions {
                protocol: protocol.describe(),
                fingerprint: match self.every {
                    None => fingerprint(protocol),
                    Some(schedules) => fingerprint(&(schedules, protocol)),
                },
                protected: Protected::EveryNode,
                against: Against::EveryNode,
                distances: Distances::Any,
                view: self.knowledge,
                schedule: match (self.every, protocol.fixed_network()) {
                    (Some(_), _) => ScheduleScope::Every,
                    (None, Some(_)) => ScheduleScope::Fixed,
                    (None, None) => ScheduleScope::One,
                },
                noise: self.noise,
                losses: match (protocol.rounds(), self.assumed()) {
                    (1, _) => Losses::None,
                    (_, Some(lipschitz)) => Losses::Lipschitz(lipschitz.clone()),
                    (_, None) => Losses::Any,
                },
                masked_state_only: protocol.rounds() > 1 && self.masks().is_some(),
                inputs: Inputs::Vectors,
                unit: Unit::NodeReplaced,
                participation: Participation {
                    rounds: protocol.rounds(),
                    every: protocol.period(),
                },
                runs: 1,
            }
        })
    }

    /// Returns the checked observers and sources.
    ///
    /// # Errors
    ///
    /// Fails if there are no observers or sources, or a node is outside the graph.
    pub fn question(&self) -> Result<Arc<Question>, AccountError> {
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
        let names = |nodes: &mut dyn Iterator<Item = usize>| -> Vec<String> {
            nodes.map(|node| self.graph.label(node)).collect()
        };
        let members = |observers: &[Observer]| {
            names(
                &mut observers
                    .iter()
                    .flat_map(|one| one.members().iter().copied()),
            )
        };
        let conditions = Conditions {
            protected: match &self.sources {
                Sources::All => Protected::EveryNode,
                Sources::Listed(_) => {
                    Protected::Nodes(names(&mut sources.iter().map(|set| set[0])))
                }
                Sources::Group(_) => Protected::Group(names(&mut sources[0].iter().copied())),
            },
            against: match (&self.observers, sample_of) {
                (Observers::Coalition(_), _) => Against::Coalition(members(&observers)),
                (Observers::Listed(_), _) => Against::Nodes(members(&observers)),
                (_, Some(of)) => Against::Sample {
                    observers: observers.len(),
                    of,
                },
                (_, None) => Against::EveryNode,
            },
            ..self.conditions().clone()
        };
        let question = Question {
            inputs: self.inputs_of(sources.iter().map(Vec::len).max().unwrap_or(1)),
            observers,
            sources,
            sample_of,
            conditions,
            graph: Arc::clone(&self.graph),
        };
        let mut observers = question.observers.iter();
        if !observers.any(|observer| question.sources_for(observer).next().is_some()) {
            return Err(AccountError::AllObserve);
        }
        Ok(Arc::new(question))
    }

    /// Returns the question about one checked set of sources and one observer.
    pub(crate) fn question_of(&self, sources: &[usize], observer: &Observer) -> Question {
        let question = Question {
            inputs: self.inputs_of(sources.len()),
            observers: vec![observer.clone()],
            sources: vec![sources.to_vec()],
            sample_of: None,
            conditions: self.conditions().clone(),
            graph: Arc::clone(&self.graph),
        };
        Question {
            conditions: question.of_pair(sources, observer),
            ..question
        }
    }
}
