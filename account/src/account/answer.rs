//! The answers of an account: the losses of one pair, of all pairs, and by distance.

use super::{Account, NANOSECONDS_AN_HOUR, check_unit};
use crate::engine::{Proved, absorbed};
use crate::question::distinct;
use crate::{
    AccountError, Engine, Formula, Guarantee, Loss, NoiseLaw, ObserverReport, Pair, Summary,
    engine::{Asked, Fast},
};
use muffliato_fast::{FastError, LocalBounds, MaskedBounds, Progress};
use muffliato_model::{Observer, shard, threads};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Largest number of pairs that are kept, about 2 GB.
const MOST_PAIRS: usize = 16_000_000;

impl Account<'_> {
    /// Returns the loss of `source` to `observer`, regardless of the observers and sources of the
    /// account. For gradient descent it may hold in a model only; see [`Account::guarantee`]. For
    /// many sources, [`Account::pairs`] shares the work.
    ///
    /// # Errors
    ///
    /// Those of [`Account::loss_towards`].
    pub fn loss(&self, source: usize, observer: usize) -> Result<Loss, AccountError> {
        self.loss_towards(&[source], &self.settings.knowledge.observer(observer))
    }

    /// Returns the guarantee of `source` against `observer`, regardless of the observers and
    /// sources of the account.
    ///
    /// # Errors
    ///
    /// Those of [`Account::loss_towards`].
    pub fn guarantee(&self, source: usize, observer: usize) -> Result<Guarantee, AccountError> {
        self.guarantee_towards(&[source], &self.settings.knowledge.observer(observer))
    }

    /// Returns the loss of a group of sources to an observer, such as a coalition.
    ///
    /// # Errors
    ///
    /// Fails if there is no source, a node is outside the graph, a source observes, or the engine
    /// refuses.
    pub fn loss_towards(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Loss, AccountError> {
        let sources = distinct(sources);
        self.check(&sources, observer)?;
        let (watcher, sets) = (self.watcher(), [&sources[..]]);
        let asked = Asked::new(observer, &sets, &watcher);
        let seen = self.in_time(1, self.engine_for(1)?.losses(asked))?;
        seen.losses.into_iter().next().ok_or(AccountError::AllObserve)
    }

    /// Returns the guarantee of a group of sources against an observer, such as a coalition.
    ///
    /// # Errors
    ///
    /// Those of [`Account::loss_towards`].
    pub fn guarantee_towards(
        &self,
        sources: &[usize],
        observer: &Observer,
    ) -> Result<Guarantee, AccountError> {
        let sources = distinct(sources);
        let loss = self.loss_towards(&sources, observer)?;
        let (watcher, sets) = (self.watcher(), [&sources[..]]);
        let asked = Asked::new(observer, &sets, &watcher);
        let absorbed = match self.settings.assumed() {
            Some(lipschitz) => {
                let found = absorbed(self.protocol(), lipschitz, asked, 1);
                self.in_time(1, found)?.first().copied()
            }
            None => None,
        };
        Ok(self.promised(&sources, observer, &loss, absorbed))
    }

    /// Checks that sources and observer are different nodes of the protocol.
    fn check(&self, sources: &[usize], observer: &Observer) -> Result<(), AccountError> {
        let nodes = self.protocol().nodes();
        observer.check(nodes)?;
        if sources.is_empty() {
            return Err(AccountError::Nobody { what: "source" });
        }
        for &node in sources {
            if node >= nodes {
                return Err(AccountError::NoSuchSource { node, nodes });
            }
            if observer.contains(node) {
                return Err(AccountError::AllObserve);
            }
        }
        check_unit(self.protocol(), sources.len())
    }

    /// Returns all losses, observer by observer. Observers are missing only if the
    /// [deadline](crate::AccountBuilder::deadline) passed.
    ///
    /// # Errors
    ///
    /// [`AccountError::TooManyPairs`] if there are too many pairs to keep.
    pub fn pairs(&self) -> Result<Vec<ObserverReport>, AccountError> {
        Ok(self.pairs_and_summary()?.0)
    }

    /// Returns all losses as [`Account::pairs`] does, and their summary by distance.
    ///
    /// # Errors
    ///
    /// Those of [`Account::pairs`].
    pub fn pairs_and_summary(&self) -> Result<(Vec<ObserverReport>, Summary), AccountError> {
        let question = &self.question;
        let pairs = question.sources.len().saturating_mul(question.observers.len());
        if pairs > MOST_PAIRS {
            return Err(AccountError::TooManyPairs { pairs });
        }
        let mut all = Vec::new();
        let mut summary = Summary::empty(question);
        let found = self.each(
            |report| report,
            |report| {
                summary.add(&report);
                all.push(report);
                Ok(())
            },
        );
        or_some(found)?;
        Ok((all, summary))
    }

    /// Returns the losses by distance, without keeping pairs.
    ///
    /// For a masked protocol on many nodes, trees around every source bound *all* pairs at once,
    /// unless observers or sources were named.
    ///
    /// # Errors
    ///
    /// Fails if the question is invalid, the engine refuses, or the work is cancelled.
    pub fn summary(&self) -> Result<Summary, AccountError> {
        if let Some(radius) = self.radius {
            return self.summary_by_trees(radius);
        }
        let (summary, found) = self.summed(|_| (), |()| ())?;
        or_some(found)?;
        Ok(summary)
    }

    /// Returns the summary of the finished observers, and an error unless all are finished. Passes
    /// the result of `also` for each observer to `hear`, in order.
    pub(crate) fn summed<T: Send>(
        &self,
        also: impl Fn(&ObserverReport) -> T + Sync,
        mut hear: impl FnMut(T) + Send,
    ) -> Result<(Summary, Result<(), AccountError>), AccountError> {
        let empty = Summary::empty(&self.question);
        let mut summary = empty.clone();
        let one = |towards: ObserverReport| {
            let mut part = empty.clone();
            part.add(&towards);
            (part, also(&towards))
        };
        let found = self.each(one, |(part, told)| {
            hear(told);
            summary.merge(part)
        });
        Ok((summary, found))
    }

    /// Bounds all pairs by trees around every source, or by spanning trees if these give less, with
    /// the corrections of a grid.
    fn summary_by_trees(&self, radius: usize) -> Result<Summary, AccountError> {
        // Each of several passes over all nodes reports its own progress.
        let watcher = self.watcher();
        let bounds = MaskedBounds::of(self.protocol())?.watched(&watcher);
        let found = || -> Result<LocalBounds, FastError> {
            let mut local = bounds.local(radius)?;
            for from in [1, 2] {
                local.cap(from, bounds.any_coalition(1, from, 1)?);
            }
            Ok(local)
        };
        let nodes = self.protocol().nodes();
        let mut local = self.in_time(nodes, found())?;
        if let Some(ratio) = self.noise.ratio()? {
            let coordinates = self.noise.coordinates();
            local = local.each(|loss| bounds.on_grid(loss, 1, ratio, coordinates))?;
        }
        // Classes are by distance on the mask graph.
        let other = self.protocol().mask_graph(0)?;
        if other.is_some_and(|graph| !graph.edges().eq(self.question.graph.edges())) {
            return Ok(Summary::of_local(&self.question, 0, &local.as_one_class()));
        }
        Ok(Summary::of_local(&self.question, radius, &local))
    }

    /// Computes the losses observer by observer, on all threads: `part` maps each report, and `keep`
    /// receives the results in the order of the observers. Only a few views are in memory at a time.
    ///
    /// # Errors
    ///
    /// [`AccountError::OutOfTime`] after passing on the observers that were finished before the
    /// deadline, errors of `keep`, and those of the engine.
    pub fn each<T: Send>(
        &self,
        part: impl Fn(ObserverReport) -> T + Sync,
        mut keep: impl FnMut(T) -> Result<(), AccountError> + Send,
    ) -> Result<(), AccountError> {
        let numbers =
            shard(self.question.observers.len(), self.settings.shard.0, self.settings.shard.1);
        let engine = self.answering()?;
        let (total, done, watcher) = (numbers.len(), AtomicUsize::new(0), self.watcher());
        let counting = |_: usize, _: usize| watcher.report(done.load(Ordering::Relaxed), total);
        let looked_at = |number: usize| -> Result<T, AccountError> {
            counting.check(0, 1)?;
            let towards = self.towards(engine, number, &counting)?;
            let before = done.fetch_add(1, Ordering::Relaxed);
            // A stop request takes effect at the next observer.
            self.settings.progress.report(before + 1, total);
            Ok(part(towards))
        };
        // An unfinished observer is dropped.
        let one = |number: usize| match looked_at(number) {
            Err(error) if self.is_late(&error) => Ok(None),
            found => found.map(Some),
        };
        let mut all = || {
            let numbers: Vec<usize> = numbers.clone().collect();
            for chunk in numbers.chunks(4 * threads::count()) {
                let found = threads::try_in_order(chunk.len(), |k| one(chunk[k]))?;
                found.into_iter().flatten().try_for_each(&mut keep)?;
            }
            match done.load(Ordering::Relaxed) {
                done if done == total => Ok(()),
                done => Err(AccountError::OutOfTime { done, of: total }),
            }
        };
        match self.settings.threads {
            None => all(),
            Some(count) => {
                threads::on(count, all).ok_or(AccountError::Threads { threads: count })?
            }
        }
    }

    /// Computes the losses to one observer of the question.
    pub(crate) fn report(&self, number: usize) -> Result<ObserverReport, AccountError> {
        self.in_time(1, self.towards(self.answering()?, number, &self.watcher()))
    }

    fn towards(
        &self,
        engine: &dyn Engine,
        number: usize,
        progress: &dyn Progress,
    ) -> Result<ObserverReport, AccountError> {
        let question = &self.question;
        let observer = &question.observers[number];
        let (numbers, sets): (Vec<usize>, Vec<&[usize]>) = question.sources_for(observer).unzip();
        let asked = Asked::new(observer, &sets, progress);
        let seen = engine.losses(asked)?;
        // The paper's formulas are for uniform noise.
        let averaging = self.protocol().rounds() == 1 && self.protocol().uniform().is_ok();
        let formula = |wanted: bool, formula: Formula| {
            if wanted { engine.formula(formula, asked) } else { Ok(vec![None; sets.len()]) }
        };
        let theorem_1 = formula(self.settings.formulas.theorem_1 && averaging, Formula::Theorem1)?;
        let fixed = averaging && self.protocol().fixed_network().is_some();
        let corollary_1 =
            formula(self.settings.formulas.corollary_1 && fixed, Formula::Corollary1)?;
        // With closed forms the losses are the absorption bounds.
        let absorbs = self.settings.assumed().filter(|_| !self.settings.closed);
        let mut proved = match (absorbs, self.settings.formulas.proved) {
            (Some(lipschitz), true) => {
                let pairs = sets.len().saturating_mul(question.observers.len());
                absorbed(self.protocol(), lipschitz, asked, pairs)?
            }
            (None, true) => {
                let proved = engine.proved(asked)?;
                proved.iter().map(|loss| Proved::of(loss.number())).collect()
            }
            (_, false) => Vec::new(),
        }
        .into_iter();
        let distances = self.question.graph.distances_from_any(observer.members());
        let nearest = |set: &[usize]| set.iter().filter_map(|&node| distances[node]).min();
        let found = numbers.into_iter().zip(&sets).zip(seen.losses);
        let pairs = found.zip(theorem_1).zip(corollary_1);
        let pairs = pairs.map(|((((source, set), loss), theorem_1), corollary_1)| {
            let proved = proved.next();
            let absorbed = proved.filter(|_| absorbs.is_some());
            Pair {
                promises: question.promise(&loss, absorbed, question.local),
                source,
                observer: number,
                distance: nearest(set),
                theorem_1,
                corollary_1,
                proved: proved.map(Proved::upper),
                loss,
                question: Arc::clone(question),
            }
        });
        Ok(ObserverReport {
            observer: number,
            messages: seen.messages,
            rank: seen.rank,
            pairs: pairs.collect(),
        })
    }

    /// Estimates the hours that all observers take on the available threads.
    ///
    /// # Errors
    ///
    /// Fails if the question is invalid.
    pub fn hours(&self) -> Result<f64, AccountError> {
        if self.bounds_all_at_once() {
            return Ok(0.1);
        }
        let graph = &self.question.graph;
        let closed = self.settings.closed || self.noise.law() != NoiseLaw::Gaussian;
        let step = (graph.nodes() + 2 * graph.edge_count()) as f64;
        let mut work = 0.0;
        for observer in &self.question.observers {
            work += if self.settings.every.is_some() {
                let masked = self.settings.masks().is_some();
                if masked { 1e5 * graph.nodes() as f64 } else { step }
            } else if closed {
                // One backward walk for each message.
                self.protocol().messages_to(observer)? as f64 * step
            } else {
                Fast::work(self.protocol(), observer)?
            };
        }
        let threads = self.settings.threads.unwrap_or_else(threads::count);
        Ok(work / NANOSECONDS_AN_HOUR / threads as f64)
    }
}

/// Ignores a timeout if some observers are finished.
fn or_some(found: Result<(), AccountError>) -> Result<(), AccountError> {
    match found {
        Err(AccountError::OutOfTime { done, .. }) if done > 0 => Ok(()),
        found => found,
    }
}
