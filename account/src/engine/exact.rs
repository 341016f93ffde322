//! The exact engine: found by `muffliato-fast`, checked by `muffliato-certificate`.

mod find;
mod formulas;

pub(crate) use find::equations;

use self::find::find;
use super::{Asked, Closed, Engine, Formula, Proved, ViewLosses, budgets::ATTEMPTS};
use crate::{AccountError, Loss, Number};
use muffliato_certificate::{Coefficients, Projections, Refusal, Statistic, System};
use muffliato_model::{LossModel, Observer, Participation, Protocol};
use muffliato_reference::{BigRational, ExactLoss, Forms, PaperBounds, ReferenceError};
use std::{collections::BTreeSet, sync::OnceLock};

/// The exact engine, which computes fractions.
///
/// A loss is exact only if the checker accepts a statistic for each of its inputs
/// ([`System::project`]).
pub struct Exact<'a> {
    protocol: &'a Protocol,
    coefficients: Coefficients<'a>,
    /// Work budget of a view, in operations on machine words.
    work: u128,
    bounds: OnceLock<PaperBounds>,
}

impl<'a> Exact<'a> {
    /// Runs the protocol on units. A view may take about `work` operations on machine words.
    ///
    /// # Errors
    ///
    /// Fails if the protocol is too large.
    pub fn of(protocol: &'a Protocol, work: u128) -> Result<Self, AccountError> {
        let coefficients = Coefficients::of(protocol).map_err(AccountError::Refused)?;
        Ok(Self { protocol, coefficients, work, bounds: OnceLock::new() })
    }
}

/// The inputs of a set of sources in one assignment of phases.
pub(crate) struct Assignment {
    pub participation: Participation,
    /// The numbers of the inputs in a [`System`].
    pub numbers: Vec<usize>,
    /// The sum of `1 / s_u^2` over them; `None` if a source adds no noise of its own.
    pub local: Option<BigRational>,
}

/// Returns the inputs of a set of sources, for each assignment of phases.
fn inputs(
    protocol: &Protocol,
    observer: &Observer,
    set: &[usize],
) -> Result<Vec<Assignment>, ReferenceError> {
    let nodes = protocol.nodes();
    let sources: BTreeSet<usize> = set.iter().copied().collect();
    let sources: Vec<usize> = sources.into_iter().collect();
    for &node in &sources {
        if node >= nodes {
            return Err(ReferenceError::SourceOutOfRange { source_node: node, nodes });
        }
        if observer.contains(node) {
            return Err(ReferenceError::SourceObserves { node });
        }
    }
    let of = |participation: Participation| {
        let number = |(round, member)| round * nodes + sources[member];
        let numbers = participation.inputs().map(number).collect();
        let local = Forms::local_loss(protocol, &sources, &participation);
        Assignment { participation, numbers, local }
    };
    match sources.len() {
        0 => Err(ReferenceError::NoSource),
        members => Ok(protocol.participations(members).map(of).collect()),
    }
}

/// Finds statistics for inputs within a budget of work, and returns those that the checker accepts.
pub(crate) fn proved<'a>(
    system: &'a System,
    wanted: &[usize],
    work: u128,
) -> Result<(Projections<'a>, usize), AccountError> {
    accepted(system, wanted, |attempt| find(system, wanted, attempt, work))
}

/// Checks what `find` finds for the attempts 0, 1, ... until all wanted inputs are accepted. Returns
/// the last answer if some never are.
fn accepted<'a>(
    system: &'a System,
    wanted: &[usize],
    find: impl Fn(usize) -> Result<(Vec<Statistic>, usize), AccountError>,
) -> Result<(Projections<'a>, usize), AccountError> {
    let mut attempt = 0;
    loop {
        let (statistics, rank) = find(attempt)?;
        let projections = system.project(statistics);
        attempt += 1;
        if attempt == ATTEMPTS || wanted.iter().all(|&i| projections.product(i, i).is_some()) {
            return Ok((projections, rank));
        }
    }
}

/// The exact loss of scalars and an upper bound for vectors, from projections that the checker
/// accepted. Only this module creates it, and only from what the checker accepted.
pub(crate) struct Accepted {
    scalar: BigRational,
    vector_upper: BigRational,
}

impl Accepted {
    /// Returns the loss of scalars and the bound for vectors.
    pub(crate) fn into_parts(self) -> (BigRational, BigRational) {
        (self.scalar, self.vector_upper)
    }
}

/// Returns the matrix of each assignment of phases.
///
/// # Errors
///
/// Returns [`Refusal::NotExact`] without an accepted statistic for an input.
pub(crate) fn forms(
    projections: &Projections<'_>,
    assignments: Vec<Assignment>,
) -> Result<Vec<Forms>, Refusal> {
    let form = |Assignment { participation, numbers, local }: Assignment| {
        let product = |i: usize, j: usize| projections.product(numbers[i], numbers[j]);
        Forms::new(participation, local, |i, j| product(i, j).ok_or(Refusal::NotExact))
    };
    assignments.into_iter().map(form).collect()
}

/// Computes the loss of a set: exact for scalars, and for vectors if the two coincide.
pub(crate) fn loss(
    projections: &Projections<'_>,
    assignments: Vec<Assignment>,
    model: LossModel,
) -> Result<Loss, AccountError> {
    let silent = assignments.iter().any(|inputs| inputs.local.is_none());
    let forms = match forms(projections, assignments) {
        // Without noise of its own, the loss of a source may be infinite.
        Err(_) if silent => return Ok(Loss::between(0.0, Proved::NONE, model)),
        found => found.map_err(AccountError::Refused)?,
    };
    let upper = Forms::largest_upper(&forms);
    match Forms::worst(forms, model) {
        Err(
            ReferenceError::TooManyInputs { .. } | ReferenceError::TooManyParticipations { .. },
        ) => Ok(Loss::between(0.0, Proved::exact(upper), model)),
        found => {
            let ExactLoss { scalar, vector_upper, .. } = found?;
            Ok(Loss::exact(Accepted { scalar, vector_upper }, model))
        }
    }
}

impl Engine for Exact<'_> {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn protocol(&self) -> &Protocol {
        self.protocol
    }

    fn losses(&self, asked: Asked<'_>) -> Result<ViewLosses, AccountError> {
        // The bound for masks holds for any loss functions.
        if self.protocol.masks().is_some() && self.protocol.rounds() > 1 {
            let found = self.formula(Formula::Masked, asked)?;
            let at_most =
                |bound: &Number| Loss::between(0.0, Proved::of(bound), LossModel::SingleInput);
            return Ok(ViewLosses {
                messages: self.protocol.messages_to(asked.observer)?,
                rank: None,
                losses: found.iter().flatten().map(at_most).collect(),
            });
        }
        asked.progress.check(0, 1)?;
        asked.observer.check(self.protocol.nodes())?;
        let system = self.coefficients.system(asked.observer).map_err(AccountError::Refused)?;
        let sets = asked.sets.iter().map(|set| inputs(self.protocol, asked.observer, set));
        let sets = sets.collect::<Result<Vec<_>, _>>()?;
        let numbers = sets.iter().flatten().flat_map(|inputs| &inputs.numbers);
        let wanted: BTreeSet<usize> = numbers.copied().collect();
        let wanted: Vec<usize> = wanted.into_iter().collect();
        let (projections, rank) = proved(&system, &wanted, self.work)?;
        asked.progress.check(0, 1)?;
        let model = self.protocol.loss_model();
        let losses = sets.into_iter().map(|set| loss(&projections, set, model));
        Ok(ViewLosses {
            messages: system.rows().len(),
            rank: Some(rank + system.known()),
            losses: losses.collect::<Result<_, _>>()?,
        })
    }

    fn formula(&self, formula: Formula, asked: Asked<'_>) -> Result<Closed, AccountError> {
        self.closed(formula, asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::Network;

    /// The statistics of all inputs for node 11 of the karate club, which hears one neighbour.
    fn found() -> (System, Vec<Statistic>) {
        let network = Network::metropolis("karate".parse().unwrap()).unwrap();
        let protocol = Protocol::one_shot(network, 5).unwrap();
        let coefficients = Coefficients::of(&protocol).unwrap();
        let system = coefficients.system(&Observer::full(11)).unwrap();
        let wanted: Vec<usize> = (0..34).filter(|&node| node != 11).collect();
        let (statistics, _) = find(&system, &wanted, 0, u128::MAX).unwrap();
        (system, statistics)
    }

    #[test]
    fn wrong_statistics_are_refused_and_a_later_attempt_counts() {
        let (system, right) = found();
        let exact =
            |place: usize, of: &Projections<'_>| of.product(right[place].input, right[place].input);
        let all = system.project(right.clone());
        let mut planted = 0;
        for (place, statistic) in right.iter().enumerate() {
            let truth = exact(place, &all);
            assert!(truth.is_some());
            let mut wrong = vec![];
            for entry in 0..statistic.coefficients.len() {
                let mut other = statistic.clone();
                other.coefficients[entry].1 += 1;
                wrong.push(other);
                let mut other = statistic.clone();
                other.coefficients.remove(entry);
                wrong.push(other);
                let mut other = statistic.clone();
                other.coefficients[entry].0 = usize::MAX;
                wrong.push(other);
            }
            if !statistic.coefficients.is_empty() {
                let denominator = &statistic.denominator * 2;
                wrong.push(Statistic { denominator, ..statistic.clone() });
                wrong.push(Statistic { denominator: 0.into(), ..statistic.clone() });
                let other = right[(place + 1) % right.len()].clone();
                if other.coefficients != statistic.coefficients {
                    wrong.push(Statistic { input: statistic.input, ..other });
                }
            }
            for wrong in wrong {
                planted += 1;
                let wanted = [statistic.input];
                let never = |_| Ok((vec![wrong.clone()], 0));
                let (refused, _) = accepted(&system, &wanted, never).unwrap();
                assert_eq!(exact(place, &refused), None);
                let model = LossModel::SingleInput;
                let refused = loss(&refused, single(statistic.input), model);
                assert!(matches!(refused, Err(AccountError::Refused(Refusal::NotExact))));
                let later = |attempt| {
                    let found = if attempt < 2 { wrong.clone() } else { statistic.clone() };
                    Ok((vec![found], attempt))
                };
                let (found, attempt) = accepted(&system, &wanted, later).unwrap();
                assert_eq!((exact(place, &found), attempt), (truth.clone(), 2));
            }
        }
        assert!(planted > 300, "{planted}");
    }

    /// Returns the single input of a node.
    fn single(node: usize) -> Vec<Assignment> {
        let network = Network::metropolis("karate".parse().unwrap()).unwrap();
        let protocol = Protocol::one_shot(network, 5).unwrap();
        inputs(&protocol, &Observer::full(11), &[node]).unwrap()
    }
}
