//! Certificates: claims with their proofs, found by the engines and checked before anybody gets them.

use crate::{Account, AccountError};
use muffliato_certificate::{
    Alibis, Certificate, Claim, DEFAULT_GRID, Entry, Flow, MaskEntry, Proof,
};
use muffliato_fast::{AbsorptionBounds, FastError, MaskedBounds};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::{BigInt, BigRational, InputChange, Observation, Process, View, order};

/// The operations on machine words that the exact engine may take for alibis and attacks: some seconds.
const MOST_EXACT_WORK: u128 = 1_000_000_000;

/// Amounts that flow along masks have so many parts of 1.
const FLOW_PARTS: f64 = 1e9;

impl Account<'_> {
    /// The claim about the one pair, group or coalition that is asked about, with what proves it: alibis for noise that is drawn once, flows for masks,
    /// fractions for what is promised elsewhere. It holds for vectors, too.
    ///
    /// [`AccountError::OneClaim`] if it is about several pairs, [`AccountError::NoCertificate`] for noise that is drawn once, beyond the reach of the exact engine.
    ///
    /// ```
    /// use muffliato_account::{Account, Observers};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
    /// let account = Account::of(&protocol)?.observers(Observers::Listed(vec![3])).sources([33]);
    /// assert_eq!(account.certificate()?.check(), Ok(()));
    /// let masked = protocol.clone().masked("3".parse()?)?;
    /// let account = Account::of(&masked)?.observers(Observers::Listed(vec![3])).sources([33]);
    /// assert_eq!(account.certificate()?.check(), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate(&self) -> Result<Certificate, AccountError> {
        let (observer, sources) = self.one_claim()?;
        let protocol = self.protocol();
        let once = protocol.rounds() == 1 && protocol.refresh().is_none();
        let (claim, proof) = match once && protocol.masks().is_none() {
            true if Process::work(protocol) <= MOST_EXACT_WORK => {
                exact_alibis(protocol, &observer, &sources)?
            }
            true => return Err(AccountError::NoCertificate),
            false => {
                let absorbed = self.absorption(&observer, &sources)?;
                match protocol.masks() {
                    None => absorbed,
                    Some(_) => {
                        let flows = flows(protocol, &observer, &sources)?;
                        match order(&flows.0, &absorbed.0).is_lt() {
                            true => flows,
                            false => absorbed,
                        }
                    }
                }
            }
        };
        self.checked(observer, sources, Claim::AtMost(claim), proof)
    }

    /// The claim that the one pair, group or coalition that is asked about loses at least so much, with the best attack, by the exact engine. In gradient
    /// descent it is the loss of gradients that do not react.
    ///
    /// [`AccountError::OneClaim`] if it is about several pairs; errors of the exact engine for protocols beyond its reach.
    ///
    /// ```
    /// use muffliato_account::{Account, Observers};
    /// use muffliato_model::{Network, Protocol};
    ///
    /// // Node 33 of the karate club, two steps away, is reconstructed.
    /// let protocol = Protocol::one_shot(Network::metropolis("karate".parse()?)?, 2)?;
    /// let account = Account::of(&protocol)?.observers(Observers::Listed(vec![3])).sources([33]);
    /// let certificate = account.attack_certificate()?;
    /// assert_eq!((certificate.claim.to_string().as_str(), certificate.check()), ("at least 1", Ok(())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attack_certificate(&self) -> Result<Certificate, AccountError> {
        let (observer, sources) = self.one_claim()?;
        let protocol = self.protocol();
        if Process::work(protocol) > MOST_EXACT_WORK {
            return Err(AccountError::NoAttack);
        }
        let view = Process::run(protocol)?.view(&observer)?;
        let changes = view.worst_inputs(&sources)?;
        let (mut messages, mut own_noise, mut masks) = (Vec::new(), Vec::new(), Vec::new());
        for (seen, value) in view.attack(&changes)? {
            let entry = |time, node, value| Entry { time, node, value };
            match seen {
                Observation::Message { time, sender } => messages.push(entry(time, sender, value)),
                Observation::OwnNoise { time, node } => own_noise.push(entry(time, node, value)),
                Observation::SharedMask { time, edge } => masks.push(MaskEntry {
                    round: time / protocol.gossip_steps(),
                    edge,
                    value,
                }),
            }
        }
        let input = |InputChange {
                         round,
                         node,
                         amount,
                     }| Entry {
            time: round,
            node,
            value: amount,
        };
        let proof = Proof::Attack {
            inputs: changes.into_iter().map(input).collect(),
            messages,
            own_noise,
            masks,
        };
        let loss = view.loss(&sources)?.scalar;
        self.checked(observer, sources, Claim::AtLeast(loss), proof)
    }

    fn one_claim(&self) -> Result<(Observer, Vec<usize>), AccountError> {
        if self.every().is_some() {
            return Err(AccountError::Fast(FastError::NotApplicable {
                formula: "a certificate",
                reason: "it is about one schedule; account for the one that is drawn",
            }));
        }
        let question = self.question()?;
        match (&question.observers[..], &question.sources[..]) {
            ([observer], [sources]) => Ok((observer.clone(), sources.clone())),
            (observers, sources) => Err(AccountError::OneClaim {
                pairs: observers.len() * sources.len(),
            }),
        }
    }

    /// Nobody gets a certificate that does not hold.
    fn checked(
        &self,
        observer: Observer,
        sources: Vec<usize>,
        claim: Claim,
        proof: Proof,
    ) -> Result<Certificate, AccountError> {
        let certificate = Certificate {
            protocol: self.protocol().clone(),
            observer,
            sources,
            claim,
            proof,
        };
        certificate.check().map_err(AccountError::Refused)?;
        Ok(certificate)
    }

    /// The best fractions that are found, and their bound.
    fn absorption(
        &self,
        observer: &Observer,
        sources: &[usize],
    ) -> Result<(BigRational, Proof), AccountError> {
        let constants = self.lipschitz_constants();
        let bounds = AbsorptionBounds::of(self.protocol(), observer, constants)?;
        let (bound, plans) = bounds.watched(self.watcher()).best(sources)?;
        let proof = Proof::Absorption {
            lipschitz: constants.clone(),
            grid: DEFAULT_GRID,
            plans,
            flows: Vec::new(),
        };
        Ok((decimal_above(bound), proof))
    }
}

/// The currents of each source along masks, and their energy; rounding them costs a billionth of it at most.
fn flows(
    protocol: &Protocol,
    observer: &Observer,
    sources: &[usize],
) -> Result<(BigRational, Proof), AccountError> {
    let bounds = MaskedBounds::of(protocol)?;
    let bound = bounds.bound(sources, observer)?.upper();
    let different = match protocol.fixed_network() {
        Some(_) => 1,
        None => protocol.rounds(),
    };
    let flow = |(from, to, amount): (usize, usize, f64)| Flow {
        from,
        to,
        amount: BigRational::new(
            BigInt::from((amount * FLOW_PARTS).round() as i128),
            BigInt::from(FLOW_PARTS as u64),
        ),
    };
    let of_source = |round: usize, source: usize| -> Result<Vec<Flow>, AccountError> {
        let currents = bounds.flow(round, source, observer)?.into_iter();
        let seen = currents.filter(|(_, _, amount)| amount * FLOW_PARTS >= 0.5);
        Ok(seen.map(flow).collect())
    };
    let of_round = |round| sources.iter().map(|&u| of_source(round, u)).collect();
    let rounds: Result<_, AccountError> = (0..different).map(of_round).collect();
    let rounds = rounds?;
    Ok((decimal_above(bound * (1.0 + 1e-9)), Proof::Flows(rounds)))
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
