//! What is promised for gradient descent, and certificates of it.
//!
//! Losses of gradient descent are computed in a model: gradients do not react. What can be promised to users with real losses is the
//! absorption bound, which needs nothing but the Lipschitz constants of the steps.

use crate::{Account, AccountError, Loss};
use muffliato_certificate::{Alibis, Certificate, Claim, DEFAULT_GRID, Entry, Proof};
use muffliato_fast::{AbsorptionBounds, Progress};
use muffliato_model::{Lipschitz, LossModel, Observer, Protocol};
use muffliato_reference::{BigInt, BigRational, InputChange, Process, View, order};

/// The most products of weights for which better fractions are looked for, for all pairs of a question together.
const MOST_WORK: f64 = 4e9;

/// The most work of the exact engine for a certificate.
const MOST_EXACT_WORK: u128 = 1_000_000_000;

/// Iterations that better fractions take, roughly.
const ITERATIONS: f64 = 1000.0;

/// The absorption bound of each set towards an observer: with the best fractions that are found where `pairs` pairs are few enough, or else by first passage.
pub(crate) fn promised(
    protocol: &Protocol,
    observer: &Observer,
    lipschitz: &Lipschitz,
    sets: &[&[usize]],
    pairs: usize,
    progress: &dyn Progress,
) -> Result<Vec<Loss>, AccountError> {
    let bounds = AbsorptionBounds::of(protocol, observer, lipschitz)?;
    let graph = protocol.graph()?;
    let step = (graph.nodes() + 2 * graph.edge_count()) as f64;
    let work = step * protocol.steps() as f64 * protocol.phases() as f64 * pairs as f64;
    let best = work * ITERATIONS <= MOST_WORK;
    let first = bounds.first_passage_all(progress)?;
    let bound = |set: &&[usize]| {
        let alone = match set {
            [source] => first[*source],
            _ => None,
        };
        // Absorbing at the sources alone holds for every group; the bounds of single users do not add up to that of a group.
        let local = set.len() as f64 * bounds.local();
        match alone {
            Some(0.0) => Ok(0.0),
            _ if best => Ok(local.min(bounds.best(set, progress)?.0)),
            Some(first) => Ok(local.min(first)),
            None => Ok(local),
        }
    };
    let bounds = sets
        .iter()
        .map(bound)
        .collect::<Result<Vec<f64>, AccountError>>()?;
    let loss = |upper: f64| Loss::between(0.0, upper, LossModel::LipschitzSteps);
    Ok(bounds.into_iter().map(loss).collect())
}

impl Account<'_> {
    /// The claim about the one pair of the question, with its proof: for gradient descent and refreshed gossip the absorption bound, for averaging
    /// with noise that is drawn once the exact loss, within the reach of the exact engine. [`AccountError::OneClaim`] if the question has several pairs.
    ///
    /// ```
    /// use muffliato_account::{Account, Observers};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
    /// let account = Account::of(&protocol)?.observers(Observers::Listed(vec![3])).sources([33]);
    /// let certificate = account.certificate()?;
    /// assert_eq!(certificate.check(), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate(&self) -> Result<Certificate, AccountError> {
        let question = self.question()?;
        let ([observer], [sources]) = (&question.observers[..], &question.sources[..]) else {
            let pairs = question.observers.len() * question.sources.len();
            return Err(AccountError::OneClaim { pairs });
        };
        let protocol = self.protocol();
        let once = protocol.rounds() == 1 && protocol.refresh().is_none();
        let (claim, proof) = match once && protocol.masks().is_none() {
            true if Process::work(protocol) <= MOST_EXACT_WORK => {
                exact_alibis(protocol, observer, sources)?
            }
            true => return Err(AccountError::NoCertificate),
            false => {
                let bounds = AbsorptionBounds::of(protocol, observer, self.lipschitz_constants())?;
                let (bound, plans) = bounds.best(sources, self.told())?;
                let proof = Proof::Absorption {
                    lipschitz: self.lipschitz_constants().clone(),
                    grid: DEFAULT_GRID,
                    plans,
                };
                (decimal_above(bound), proof)
            }
        };
        let certificate = Certificate {
            protocol: protocol.clone(),
            observer: observer.clone(),
            sources: sources.clone(),
            claim: Claim::AtMost(claim),
            proof,
        };
        // Nobody gets a certificate that does not hold.
        certificate.check().map_err(AccountError::Refused)?;
        Ok(certificate)
    }
}

/// A decimal of 15 places that is not below the bound, with some room for the checker, who rounds deviations up.
fn decimal_above(bound: f64) -> BigRational {
    let places = BigInt::from(10_u64.pow(15));
    let bound =
        BigRational::from_float(bound).unwrap_or_else(|| BigRational::from_integer(places.clone()));
    let scaled = bound * BigRational::from_integer(places.clone());
    let room = if scaled.numer() == &BigInt::from(0) {
        0
    } else {
        1
    };
    BigRational::new(scaled.ceil().to_integer() + BigInt::from(room), places)
}

/// The cheapest alibi of every source, and what all of them cost together.
fn exact_alibis(
    protocol: &Protocol,
    observer: &Observer,
    sources: &[usize],
) -> Result<(BigRational, Proof), AccountError> {
    let process = Process::run(protocol)?;
    let view = process.view(observer)?;
    let shifts = sources.iter().map(|&node| {
        let amount = BigRational::from_integer(1.into());
        let alibi = process.alibi(
            &view,
            &[InputChange {
                round: 0,
                node,
                amount,
            }],
        )?;
        let free = alibi.into_iter().filter(|shift| {
            let senders = protocol.step(shift.time).senders_to(observer.members());
            senders.binary_search(&shift.node).is_err()
        });
        let entry = free.map(|shift| Entry {
            time: shift.time,
            node: shift.node,
            value: shift.amount,
        });
        Ok(entry.collect())
    });
    let shifts = shifts.collect::<Result<Vec<Vec<Entry>>, AccountError>>()?;
    let alibis = Alibis {
        shifts,
        lambda: None,
    };
    Ok((absolute_sum(&view, sources), Proof::Alibis(vec![alibis])))
}

/// `sum |P_ij|` over one input of each source.
fn absolute_sum(view: &View, sources: &[usize]) -> BigRational {
    let zero = BigRational::from_integer(0.into());
    let pairs = sources
        .iter()
        .flat_map(|&u| sources.iter().map(move |&w| (u, w)));
    let entries = pairs.filter_map(|(u, w)| view.projection((0, u), (0, w)));
    entries.fold(zero.clone(), |sum, entry| {
        match order(&entry, &zero).is_lt() {
            true => sum - entry,
            false => sum + entry,
        }
    })
}
