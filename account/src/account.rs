//! From settings to a question, and to the engine that answers it.

mod answer;
mod settings;

pub use settings::AccountBuilder;

use crate::guarantee::{Against, Protected};
use crate::question::distinct;
use crate::{
    AccountError, Choice, Engine, Formulas, Guarantee, Knowledge, Loss, NoiseLaw, Observers,
    Question, Schedules, Sources,
    engine::{ClosedForms, EverySchedule, Fast, OnGrid, Proved, Sums, local_loss},
    noise_law::ProvedFor,
};
use muffliato_fast::Progress;
use muffliato_model::{Lipschitz, Observer, Protocol};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Units of work that one thread does in an hour, roughly.
pub(crate) const NANOSECONDS_AN_HOUR: f64 = 1e9 * 3600.0;

impl<'a> AccountBuilder<'a> {
    /// Returns the observers and, if they are a sample, the number of all observers.
    fn observing(
        &self,
        radius: Option<usize>,
    ) -> Result<(Vec<Observer>, Option<usize>), AccountError> {
        let nodes = self.protocol.nodes();
        let single = |node| self.knowledge.observer(node);
        let observers: Vec<Observer> = match &self.observers {
            Observers::Coalition(_) if self.knowledge == Knowledge::Paper => {
                return Err(AccountError::CoalitionOnPaper);
            }
            Observers::Coalition(members) if self.knowledge == Knowledge::Sum => {
                vec![Observer::sums(members.iter().copied())?]
            }
            Observers::Coalition(members) => vec![Observer::coalition(members.iter().copied())?],
            Observers::Listed(listed) => distinct(listed).into_iter().map(single).collect(),
            _ if radius.is_some() => (0..nodes).map(single).collect(),
            some => {
                let sample = some.sample(nodes);
                let count = sample.unwrap_or(nodes);
                let spread = (0..count).map(|k| single(k * nodes / count)).collect();
                return Ok((spread, sample.map(|_| nodes)));
            }
        };
        for observer in &observers {
            observer.check(nodes)?;
        }
        Ok((observers, None))
    }

    /// Checks the settings and creates the account.
    ///
    /// # Errors
    ///
    /// Fails if there are no observers or sources, a node is outside the graph, every source
    /// observes, the noise or the shard is out of range, or the graph of all steps is too large.
    pub fn build(self) -> Result<Account<'a>, AccountError> {
        let (index, of) = self.shard;
        if index >= of {
            let expected = "shards are numbered from 0 and there is at least one";
            return Err(AccountError::bad("the shard", format!("{index} of {of}"), expected));
        }
        let (law, sensitivity, coordinates) = self.noise;
        if of > 1 && law != NoiseLaw::Gaussian {
            let expected = "shards are for gaussian noise";
            return Err(AccountError::bad(
                "the shard",
                format!("of an account for {law} noise"),
                expected,
            ));
        }
        let noise = ProvedFor::try_new(law, sensitivity, coordinates)?.sampled_by(self.protocol);
        let graph = self.protocol.graph()?;
        let radius = self.radius(&graph);
        let nodes = self.protocol.nodes();
        let (observers, sample_of) = self.observing(radius)?;
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
        check_unit(self.protocol, sources.iter().map(Vec::len).max().unwrap_or(1))?;
        let names = |nodes: &mut dyn Iterator<Item = usize>| -> Vec<String> {
            nodes.map(|node| graph.label(node)).collect()
        };
        let members = |observers: &[Observer]| {
            names(&mut observers.iter().flat_map(|one| one.members().iter().copied()))
        };
        let protected = match &self.sources {
            Sources::All => Protected::EveryNode,
            Sources::Listed(_) => Protected::Nodes(names(&mut sources.iter().map(|set| set[0]))),
            Sources::Group(_) => Protected::Group(names(&mut sources[0].iter().copied())),
        };
        let against = match (&self.observers, sample_of) {
            (Observers::Coalition(_), _) => Against::Coalition(members(&observers)),
            (Observers::Listed(_), _) => Against::Nodes(members(&observers)),
            (_, Some(of)) => Against::Sample { observers: observers.len(), of },
            (_, None) => Against::EveryNode,
        };
        let question = Question {
            inputs: inputs_of(self.protocol, sources.iter().map(Vec::len).max().unwrap_or(1)),
            local: (sources.iter()).map(|set| local_loss(self.protocol, set)).fold(0.0, f64::max),
            observers,
            sources,
            sample_of,
            conditions: self.conditions(noise, protected, against),
            graph,
        };
        let mut observers = question.observers.iter();
        if !observers.any(|observer| question.sources_for(observer).next().is_some()) {
            return Err(AccountError::AllObserve);
        }
        Ok(Account {
            settings: self,
            noise,
            radius,
            question: Arc::new(question),
            engine: OnceLock::new(),
        })
    }
}

/// Refuses groups under secret sampling, which protects one record.
fn check_unit(protocol: &Protocol, members: usize) -> Result<(), AccountError> {
    match protocol.sampling() {
        Some(_) if members > 1 => Err(AccountError::SampledGroup { members }),
        _ => Ok(()),
    }
}

/// Returns the number of inputs of a set of this many sources.
fn inputs_of(protocol: &Protocol, members: usize) -> usize {
    members * protocol.rounds_of_phase(0).count()
}

/// The accountant of one protocol: a checked [`Question`], and the engine that answers it.
///
/// ```
/// use muffliato_account::{Account, Observers, Status};
/// use muffliato_model::{Network, Protocol};
///
/// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 4)?.refreshed("0.1".parse()?)?;
/// let account = Account::of(&protocol).observers(Observers::All).build()?;
/// let loss = account.loss(33, 3)?;
/// assert!(loss.status() == Status::Exact && loss.upper() < 0.28);
/// assert!(account.guarantee(33, 3)?.at(1.0, 1.0)?.epsilon(1e-6)? < 2.4);
///
/// // By distance: only neighbours lose everything.
/// let summary = account.summary()?;
/// let rows: Vec<_> = summary.rows().collect();
/// assert_eq!((rows[0].distance, rows[0].largest().promised()?.upper()), (Some(1), 1.0));
/// assert!(rows[1].largest().promised()?.upper() < 0.93);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Account<'a> {
    pub(crate) settings: AccountBuilder<'a>,
    /// The noise that losses are proved for.
    pub(crate) noise: ProvedFor,
    radius: Option<usize>,
    question: Arc<Question>,
    engine: OnceLock<Box<dyn Engine + 'a>>,
}

impl<'a> Account<'a> {
    /// Describes the account of a protocol. By default every node is protected, each node observes
    /// by itself with the full view, and the engine depends on the size of the protocol.
    pub fn of(protocol: &'a Protocol) -> AccountBuilder<'a> {
        AccountBuilder::new(protocol)
    }

    /// Describes the account of every schedule that a plan may draw. Losses are upper bounds for
    /// all of them, and distances are those of the whole graph.
    pub fn of_every(schedules: &'a Schedules) -> AccountBuilder<'a> {
        AccountBuilder {
            every: Some(schedules),
            formulas: Formulas::NONE,
            ..AccountBuilder::new(schedules.widest())
        }
    }

    /// Returns the settings, to build another account from.
    pub fn settings(&self) -> AccountBuilder<'a> {
        self.settings.clone()
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &'a Protocol {
        self.settings.protocol
    }

    /// Returns the question.
    pub fn question(&self) -> &Arc<Question> {
        &self.question
    }

    /// Returns the Lipschitz constants that a certificate states.
    pub(crate) fn constants(&self) -> Lipschitz {
        self.settings.lipschitz.clone().unwrap_or_default()
    }

    /// Returns `true` if the error means that the deadline passed.
    pub fn is_late(&self, error: &AccountError) -> bool {
        let up = self.settings.deadline.is_some_and(|end| Instant::now() >= end);
        matches!(error, AccountError::OutOfTime { .. }) || (error.is_cancelled() && up)
    }

    /// Converts a cancellation past the deadline into [`AccountError::OutOfTime`], with none of `of`
    /// observers finished.
    pub(crate) fn in_time<T, E: Into<AccountError>>(
        &self,
        of: usize,
        found: Result<T, E>,
    ) -> Result<T, AccountError> {
        found.map_err(|error| match error.into() {
            error if self.is_late(&error) => AccountError::OutOfTime { done: 0, of },
            error => error,
        })
    }

    /// Returns a progress receiver that cancels at the deadline.
    pub(crate) fn watcher(&self) -> impl Progress + 'a {
        let (progress, deadline) = (self.settings.progress, self.settings.deadline);
        move |done: usize, total: usize| {
            progress.report(done, total) && deadline.is_none_or(|end| Instant::now() < end)
        }
    }

    /// Returns the number of inputs of a set of sources: its members times the rounds that use
    /// their data.
    pub fn inputs(&self) -> usize {
        self.question.inputs
    }

    /// Returns `true` unless observers or sources were listed.
    pub(crate) fn is_about_all(&self) -> bool {
        let AccountBuilder { observers, sources, .. } = &self.settings;
        let named = matches!(observers, Observers::Listed(_) | Observers::Coalition(_));
        !named && !matches!(sources, Sources::Listed(_))
    }

    /// Returns `true` if all pairs are bounded at once, by trees around every source, and not one
    /// by one.
    pub fn bounds_all_at_once(&self) -> bool {
        self.radius.is_some()
    }

    /// Returns the engine that answers.
    ///
    /// # Errors
    ///
    /// Fails if the engine refuses the protocol.
    pub fn answering(&self) -> Result<&dyn Engine, AccountError> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine.as_ref());
        }
        let engine = self.engine_for(self.question.observers.len())?;
        Ok(self.engine.get_or_init(|| engine).as_ref())
    }

    /// Creates an engine for this many observers.
    pub(crate) fn engine_for(
        &self,
        observers: usize,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        self.engine_by(observers, self.settings.closed)
    }

    /// Creates an engine for this many observers, by closed forms if `closed`.
    pub(crate) fn engine_by(
        &self,
        observers: usize,
        closed: bool,
    ) -> Result<Box<dyn Engine + 'a>, AccountError> {
        let (protocol, noise) = (self.protocol(), self.noise);
        let memory = muffliato_fast::memory::limit();
        if let Some(schedules) = self.settings.every {
            let engine = EverySchedule::of(schedules, protocol, observers, memory, noise)?;
            return Ok(Box::new(engine));
        }
        match noise.ratio()? {
            // In a model of training, or of the messages of a round alone, sampling amplifies nothing.
            None if closed || protocol.sampling().is_some() => Ok(Box::new(ClosedForms {
                noise,
                fast: Fast::of(protocol, observers, memory)?,
                lipschitz: self.settings.assumed().cloned(),
                pairs: observers.saturating_mul(protocol.nodes()),
            })),
            None => {
                let choice = self.settings.choice;
                let messages = choice.engine(protocol, observers, memory)?;
                Ok(match self.settings.knowledge {
                    Knowledge::Sum => {
                        Box::new(Sums::of(protocol, messages, choice == Choice::Fast)?)
                    }
                    _ => messages,
                })
            }
            Some(ratio) => Ok(Box::new(OnGrid::of(protocol, observers, memory, noise, ratio)?)),
        }
    }

    /// Derives the guarantee of one checked set of sources against one observer from its computed
    /// loss.
    pub(crate) fn promised(
        &self,
        sources: &[usize],
        observer: &Observer,
        loss: &Loss,
        absorbed: Option<Proved>,
    ) -> Guarantee {
        let local = local_loss(self.protocol(), sources);
        let promises = self.question.promise(loss, absorbed, local);
        promises.under(self.question.of_pair(sources, observer))
    }
}
