//! Certificates: claims with proofs, found by the engines and checked before they are returned.

use crate::{
    Account, AccountError, NoiseLaw,
    engine::{
        ROUNDINGS, absorbs_on_grid,
        budgets::{EXACT_WORK, is_within},
    },
};
use muffliato_certificate::{
    Alibis, Attack, Certificate, Claim, DEFAULT_GRID, Entry, Flow, Law, MaskEntry, Proof, Rounding,
};
use muffliato_fast::{AbsorptionBounds, FastError, MaskFlow, MaskedBounds, reached};
use muffliato_model::{Absorption, Draw, Observer, Protocol};
use muffliato_reference::{BigInt, BigRational, InputChange, Observation, Process, order};

/// Flows along masks are multiples of 1 over this.
const FLOW_PARTS: f64 = 1e9;

/// A later proof replaces an earlier one if its bound is smaller by more than 1 in this many parts.
const GAIN: u64 = 1_000_000;

impl Account<'_> {
    /// Returns an upper bound on the loss of the one pair, group or coalition of the account, with
    /// its proof: alibis for one-shot noise, flows for masks, fractions otherwise, or fractions and
    /// flows if their bound is smaller together. It holds for vectors and, for rounded noise, on
    /// the grid. Under secret sampling it is about the protocol without sampling, by flows or the
    /// sources' own draws alone: a round loses its share of it, which sampling amplifies.
    ///
    /// # Errors
    ///
    /// [`AccountError::OneClaim`] for several pairs, [`AccountError::NoCertificate`] for one-shot
    /// noise beyond the reach of the exact engine, [`AccountError::BadParameter`] for discrete
    /// noise.
    ///
    /// ```
    /// use muffliato_account::{Account, Observers};
    /// use muffliato_certificate::Law;
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let protocol = Protocol::gradient_descent(Network::metropolis("karate".parse()?)?, 10, 1)?;
    /// let account = Account::of(&protocol).observers(Observers::Listed(vec![3])).sources([33]).build()?;
    /// assert_eq!(account.certificate()?.check(), Ok(()));
    /// let masked = protocol.clone().masked("3".parse()?)?;
    /// let account = Account::of(&masked).observers(Observers::Listed(vec![3])).sources([33]).build()?;
    /// assert_eq!(account.certificate()?.check(), Ok(()));
    /// let shipped = account.settings().noise("rounded:2^-20".parse()?, 1.0, 8).build()?.certificate()?;
    /// assert!(shipped.noise != Law::Gaussian && shipped.check().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certificate(&self) -> Result<Certificate, AccountError> {
        let (observer, sources) = self.one_claim()?;
        let protocol = &self.protocol().clone().without_sampling();
        let noise = self.certificate_law()?;
        let once = protocol.rounds() == 1 && !protocol.is_refreshed();
        let sampled = self.protocol().sampling().is_some();
        let exactly = is_within(EXACT_WORK, protocol);
        let proofs = match (&noise, protocol.masks()) {
            (Law::Rounded(_), _) => self.on_grid(&observer, &sources)?,
            _ if sampled => vec![self.in_each_round(&observer, &sources)?],
            (_, Some(_)) => vec![
                flows(protocol, &observer, &sources)?,
                self.absorption(&observer, &sources)?,
                self.absorption_and_flows(&observer, &sources)?,
            ],
            (_, None) if !once => {
                let mut proofs = Vec::new();
                // Whoever absorbs hides single messages; the best alibi of their sums costs less.
                if exactly && observer.sees_sums() && protocol.rounds() == 1 {
                    proofs.push(exact_alibis(protocol, &observer, &sources)?);
                }
                proofs.push(self.absorption(&observer, &sources)?);
                proofs
            }
            _ if exactly => vec![exact_alibis(protocol, &observer, &sources)?],
            _ => return Err(AccountError::NoCertificate),
        };
        let nothing = || BigRational::from_integer(0.into());
        let mut best: Option<(BigRational, Certificate)> = None;
        for proof in proofs {
            let mut certificate = Certificate {
                protocol: protocol.clone(),
                noise: noise.clone(),
                observer: observer.clone(),
                sources: sources.clone(),
                claim: Claim::AtMost(nothing()),
                proof,
            };
            let proved = certificate.proved().map_err(AccountError::Refused)?;
            let claim = match certificate.proof {
                Proof::Alibis(_) => proved,
                _ => decimal_above(&proved),
            };
            let better = |(least, _): &(BigRational, _)| order(&claim, least).is_lt();
            if best.as_ref().is_none_or(better) {
                let enough = &claim * BigRational::new(GAIN.into(), (GAIN + 1).into());
                certificate.claim = Claim::AtMost(claim);
                best = Some((enough, certificate));
            }
        }
        let (_, certificate) = best.ok_or(AccountError::NoCertificate)?;
        checked(certificate)
    }

    /// Returns a lower bound on the loss of the one pair, group or coalition of the account, with
    /// the best attack, by the exact engine. For gradient descent it is the loss of fixed
    /// gradients.
    ///
    /// # Errors
    ///
    /// [`AccountError::OneClaim`] for several pairs, [`AccountError::BadParameter`] for noise on a
    /// grid, [`AccountError::NoAttack`] for protocols beyond the reach of the exact engine.
    pub fn attack_certificate(&self) -> Result<Certificate, AccountError> {
        let (observer, sources) = self.one_claim()?;
        let protocol = self.protocol();
        let law = self.noise.law();
        if let Some(rate) = protocol.sampling() {
            let expected =
                "an attack is about records that are used in every round; leave sample= out";
            return Err(AccountError::bad("the sampling rate", rate, expected));
        }
        if law != NoiseLaw::Gaussian {
            return Err(AccountError::bad("the noise", law, "attacks are about gaussian noise"));
        }
        if !is_within(EXACT_WORK, protocol) {
            return Err(AccountError::NoAttack);
        }
        let view = Process::run(protocol)?.view(&observer)?;
        let changes = view.worst_inputs(&sources)?;
        let input =
            |InputChange { round, node, amount }| Entry { time: round, node, value: amount };
        let inputs = changes.iter().cloned().map(input).collect();
        let mut attack = Attack { inputs, ..Attack::default() };
        for (seen, value) in view.attack(&changes)? {
            let entry = |time, node, value| Entry { time, node, value };
            match seen {
                Observation::Message { time, sender: node }
                | Observation::Sum { time, member: node } => {
                    attack.messages.push(entry(time, node, value))
                }
                Observation::Known(Draw::Own { time, node }) => {
                    attack.own_noise.push(entry(time, node, value))
                }
                Observation::Known(Draw::Mask { time, edge }) => attack.masks.push(MaskEntry {
                    round: time / protocol.gossip_steps(),
                    edge,
                    value,
                }),
            }
        }
        checked(Certificate {
            protocol: protocol.clone(),
            noise: Law::Gaussian,
            claim: Claim::AtLeast(view.loss(&sources)?.scalar),
            observer,
            sources,
            proof: Proof::Attack(attack),
        })
    }

    fn one_claim(&self) -> Result<(Observer, Vec<usize>), AccountError> {
        if self.settings.every.is_some() {
            return Err(AccountError::Fast(FastError::NotApplicable {
                formula: "a certificate",
                reason: "it is about one schedule; account for the one that is drawn",
            }));
        }
        let question = self.question();
        match (&question.observers[..], &question.sources[..]) {
            ([observer], [sources]) => Ok((observer.clone(), sources.clone())),
            (observers, sources) => {
                Err(AccountError::OneClaim { pairs: observers.len() * sources.len() })
            }
        }
    }

    /// Converts the noise to the form of certificates.
    fn certificate_law(&self) -> Result<Law, AccountError> {
        let noise = self.noise;
        match noise.law() {
            NoiseLaw::Gaussian => Ok(Law::Gaussian),
            NoiseLaw::Rounded(grid) => {
                let delta = grid.sensitivity(noise.sensitivity(), noise.coordinates())?;
                let exactly = |value| BigRational::from_float(value);
                let (Some(delta), Some(step)) = (exactly(delta), exactly(grid.step())) else {
                    return Err(AccountError::NoCertificate);
                };
                Ok(Law::Rounded(Rounding {
                    sensitivity: delta / step,
                    coordinates: noise.coordinates(),
                    roundings: ROUNDINGS,
                }))
            }
            law => {
                let expected = "certificates are about gaussian or rounded noise";
                Err(AccountError::bad("the noise", law, expected))
            }
        }
    }

    /// Returns proofs for rounded noise: flows along masks, the sources' own draws, and fresh noise
    /// that absorbs everything.
    fn on_grid(&self, observer: &Observer, sources: &[usize]) -> Result<Vec<Proof>, AccountError> {
        let protocol = self.protocol();
        let mut proofs = Vec::new();
        if protocol.masks().is_some() {
            proofs.push(flows(protocol, observer, sources)?);
        }
        proofs.push(self.own_draws(observer, sources)?);
        if absorbs_on_grid(protocol) {
            let plan = Absorption::first_passage(protocol, observer)?;
            proofs.push(self.absorbing(vec![plan], vec![]));
        }
        Ok(proofs)
    }

    /// Returns the proof by the sources' own draws.
    fn own_draws(&self, observer: &Observer, sources: &[usize]) -> Result<Proof, AccountError> {
        let protocol = self.protocol();
        let heard = reached(protocol, observer);
        let heard: Vec<usize> = sources.iter().copied().filter(|&u| heard[u]).collect();
        let own = Absorption::local(protocol, &heard).map_err(FastError::from)?;
        Ok(self.absorbing(vec![own], vec![]))
    }

    /// Returns a proof whose bound is the same in each round and holds for all states: flows along
    /// masks or, without masks, the sources' own draws.
    fn in_each_round(&self, observer: &Observer, sources: &[usize]) -> Result<Proof, AccountError> {
        match self.protocol().masks() {
            Some(_) => flows(self.protocol(), observer, sources),
            None => self.own_draws(observer, sources),
        }
    }

    fn absorbing(&self, plans: Vec<Absorption>, flows: Vec<Vec<Vec<Flow>>>) -> Proof {
        Proof::Absorption { lipschitz: self.constants(), grid: DEFAULT_GRID, plans, flows }
    }

    /// Returns the proof by optimised fractions.
    fn absorption(&self, observer: &Observer, sources: &[usize]) -> Result<Proof, AccountError> {
        let bounds = AbsorptionBounds::of(self.protocol(), observer, &self.constants())?;
        let (_, plans) = self.in_time(1, bounds.watched(&self.watcher()).best(sources))?;
        Ok(self.absorbing(plans, vec![]))
    }

    /// Returns the proof by optimised fractions together with flows along masks.
    fn absorption_and_flows(
        &self,
        observer: &Observer,
        sources: &[usize],
    ) -> Result<Proof, AccountError> {
        let rounds = self.protocol().rounds();
        let bounds = AbsorptionBounds::of(self.protocol(), observer, &self.constants())?;
        let watcher = self.watcher();
        let found = bounds.watched(&watcher).best_with_masks(sources);
        let (_, choices) = self.in_time(1, found)?;
        let (mut plans, mut flows) = (Vec::new(), Vec::new());
        for (plan, moved) in choices {
            let mut of_rounds = vec![Vec::new(); rounds];
            for MaskFlow { round, from, to, amount } in moved {
                of_rounds[round].extend(flow((from, to, amount)));
            }
            plans.push(plan);
            flows.push(of_rounds);
        }
        Ok(self.absorbing(plans, flows))
    }
}

/// Checks a certificate before it is returned.
fn checked(certificate: Certificate) -> Result<Certificate, AccountError> {
    certificate.check().map_err(AccountError::Refused)?;
    Ok(certificate)
}

/// Rounds an amount to parts; `None` if it is less than half of one.
fn flow((from, to, amount): (usize, usize, f64)) -> Option<Flow> {
    let parts = (amount * FLOW_PARTS).round() as i128;
    let amount = BigRational::new(parts.into(), (FLOW_PARTS as i128).into());
    (parts > 0).then_some(Flow { from, to, amount })
}

/// Returns the proof by flows along masks.
fn flows(
    protocol: &Protocol,
    observer: &Observer,
    sources: &[usize],
) -> Result<Proof, AccountError> {
    let bounds = MaskedBounds::of(protocol)?;
    let different = match protocol.fixed_network() {
        Some(_) => 1,
        None => protocol.rounds(),
    };
    let of_source = |round: usize, source: usize| -> Result<Vec<Flow>, AccountError> {
        let currents = bounds.flow(round, source, observer)?;
        Ok(currents.into_iter().filter_map(flow).collect())
    };
    let of_round = |round| sources.iter().map(|&u| of_source(round, u)).collect();
    let rounds: Result<_, AccountError> = (0..different).map(of_round).collect();
    Ok(Proof::Flows(rounds?))
}

/// Rounds a bound up to 15 decimal places.
fn decimal_above(bound: &BigRational) -> BigRational {
    let places = BigInt::from(10_u64.pow(15));
    let scaled = bound * BigRational::from_integer(places.clone());
    BigRational::new(scaled.ceil().to_integer(), places)
}

/// Returns the proof by the cheapest alibi of every source.
fn exact_alibis(
    protocol: &Protocol,
    observer: &Observer,
    sources: &[usize],
) -> Result<Proof, AccountError> {
    let process = Process::run(protocol)?;
    let view = process.view(observer)?;
    let shifts = sources.iter().map(|&node| {
        let amount = BigRational::from_integer(1.into());
        let alibi = process.alibi(&view, &[InputChange { round: 0, node, amount }])?;
        // The checker adds the shifts of those who send to the observer.
        let free = alibi.into_iter().filter(|shift| {
            if observer.sees_sums() {
                return true;
            }
            let senders = protocol.step(shift.time).senders_to(observer.members());
            senders.binary_search(&shift.node).is_err()
        });
        let entry =
            free.map(|shift| Entry { time: shift.time, node: shift.node, value: shift.amount });
        Ok(entry.collect())
    });
    let shifts = shifts.collect::<Result<Vec<Vec<Entry>>, AccountError>>()?;
    let alibis = Alibis { shifts, lambda: None };
    Ok(Proof::Alibis(vec![alibis]))
}
