//! Accounts of any linear system: what is found is checked by the rules of its certificates.

use crate::engine::{Assignment, budgets::SYSTEM_WORK, equations, forms, loss, proved};
use crate::guarantee::{Against, Conditions, Protected, Unit};
use crate::shard::fingerprint;
use crate::{Account, AccountError, Guarantee, Loss, ProvedFor};
use muffliato_certificate::{Claim, LinearSystem, System, SystemCertificate};
use muffliato_fast::{FastError, linear_loss};
use muffliato_model::LossModel;
use muffliato_reference::{BigRational, Forms, ReferenceError, order};

/// The account of a linear view `A z + B x`.
///
/// ```
/// use muffliato_account::Account;
/// use muffliato_certificate::LinearSystem;
///
/// // Two releases of one input, with noise that they share: the sum of their losses, 1/2 + 1/2, is
/// // no bound, because their sum has no noise that is shared.
/// let system = serde_json::json!({"A": [[1, 0, 1], [0, 1, -1]], "B": [[1], [1]], "std": [1, 1, 1]});
/// let system = LinearSystem::from_value(&system)?;
/// let account = Account::of_system(&system);
/// assert_eq!(account.loss(&[0])?.fraction().unwrap().to_string(), "2");
/// assert!(account.guarantee(&[0])?.at(2.0, 1.0)?.epsilon(1e-6)? < 5.0);
/// assert_eq!(account.certificate(&[0])?.check(), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SystemAccount<'a> {
    system: &'a LinearSystem,
}

impl<'a> Account<'a> {
    /// Creates the account of a linear system: of whatever correlates noise and does not react.
    pub fn of_system(system: &'a LinearSystem) -> SystemAccount<'a> {
        SystemAccount { system }
    }
}

/// Coefficients of the observations for each input, and the sign of each input.
type Statistics = (Vec<Vec<BigRational>>, Vec<bool>);

fn increasing(inputs: &[usize], all: usize) -> Result<Vec<usize>, AccountError> {
    let inputs = crate::question::distinct(inputs);
    match inputs.last() {
        None => Err(AccountError::Nobody { what: "input" }),
        Some(&input) if input >= all => Err(AccountError::NoSuchInput { input, inputs: all }),
        Some(_) => Ok(inputs),
    }
}

/// Returns the certified loss of inputs together, in pairs of floats.
fn certified(system: &System, inputs: &[usize]) -> Result<Loss, AccountError> {
    let found = linear_loss(&equations(system, inputs))?;
    let nearly_dependent = FastError::NotApplicable {
        formula: "the loss of so large a system in floating point",
        reason: "an observation (nearly) follows from the others; leave it out, or ask for fewer",
    };
    Ok(Loss::enclosed(&found.ok_or(nearly_dependent)?))
}

impl SystemAccount<'_> {
    /// Returns the system.
    pub fn system(&self) -> &LinearSystem {
        self.system
    }

    /// Returns the loss of inputs together: exact for scalars, and for vectors where the two
    /// coincide; certified for a system that is too large for fractions.
    ///
    /// # Errors
    ///
    /// Fails for inputs that do not exist, and if the observations of a system that is too large for
    /// fractions are not proved independent.
    pub fn loss(&self, inputs: &[usize]) -> Result<Loss, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let system = self.system.in_whole_numbers().map_err(AccountError::Refused)?;
        match proved(&system, &inputs, SYSTEM_WORK) {
            Err(AccountError::Fast(FastError::TooMuchWork { .. })) => certified(&system, &inputs),
            found => loss(&found?.0, vec![self.together(&inputs)], LossModel::SingleInput),
        }
    }

    /// Returns inputs that change together, in one round.
    fn together(&self, inputs: &[usize]) -> Assignment {
        let own = self.system.own_draws(inputs);
        Assignment {
            participation: muffliato_model::Participation::in_one_round(inputs.len()),
            numbers: inputs.to_vec(),
            local: own.and_then(|alibis| self.system.at_most(inputs, &alibis).ok()),
        }
    }

    /// Returns the best statistic of each input, as coefficients of the observations, and the signs
    /// of the changes that lose most (equal signs, if there are too many to enumerate); `None` if an
    /// input has no alibi, so that its loss is infinite.
    fn statistics(&self, inputs: &[usize]) -> Result<Option<Statistics>, AccountError> {
        let system = self.system.in_whole_numbers().map_err(AccountError::Refused)?;
        let (projections, _) = proved(&system, inputs, SYSTEM_WORK)?;
        let Ok(forms) = forms(&projections, vec![self.together(inputs)]) else {
            return Ok(None);
        };
        let signs = match Forms::worst(forms, LossModel::SingleInput) {
            Err(ReferenceError::TooManyInputs { .. }) => vec![true; inputs.len()],
            worst => worst?.signs,
        };
        let found = inputs.iter().filter_map(|&input| projections.statistic(input));
        let statistics = found.map(|statistic| self.system.coefficients(statistic));
        let statistics = statistics.collect::<Result<_, _>>().map_err(AccountError::Refused)?;
        Ok(Some((statistics, signs)))
    }

    /// Returns the guarantee of inputs together.
    ///
    /// # Errors
    ///
    /// Those of [`SystemAccount::loss`].
    pub fn guarantee(&self, inputs: &[usize]) -> Result<Guarantee, AccountError> {
        let loss = self.loss(inputs)?;
        let inputs = increasing(inputs, self.system.size().2)?;
        let (observations, draws, all) = self.system.size();
        let described = format!(
            "a linear system of {observations} observations, {draws} draws and {all} inputs"
        );
        let conditions = Conditions {
            protected: Protected::Inputs(inputs.iter().map(usize::to_string).collect()),
            against: Against::View,
            unit: Unit::InputChanged,
            ..Conditions::new(described, fingerprint(self.system), ProvedFor::default())
        };
        Ok(Guarantee::new(loss.number().clone(), conditions))
    }

    /// Returns an upper bound on the loss of inputs together with its alibis.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unhidden`] for an infinite loss, and those of [`SystemAccount::loss`].
    pub fn certificate(&self, inputs: &[usize]) -> Result<SystemCertificate, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let (statistics, _) = self.statistics(&inputs)?.ok_or(AccountError::Unhidden)?;
        let best: Vec<_> = statistics.iter().map(|c| self.system.alibi(c)).collect();
        let (mut claim, mut proof) = (self.system.at_most(&inputs, &best), best);
        // The best alibis of several inputs may pull in different directions.
        if let Some(own) = self.system.own_draws(&inputs) {
            let local = self.system.at_most(&inputs, &own);
            if matches!((&local, &claim), (Ok(local), Ok(claim)) if order(local, claim).is_lt()) {
                (claim, proof) = (local, own);
            }
        }
        let claim = claim.map_err(AccountError::Refused)?;
        self.checked(inputs, Claim::AtMost(claim), proof)
    }

    /// Returns a lower bound on the loss of inputs together with the best attack.
    ///
    /// # Errors
    ///
    /// [`AccountError::Unhidden`] for an infinite loss, and those of [`SystemAccount::loss`].
    pub fn attack_certificate(&self, inputs: &[usize]) -> Result<SystemCertificate, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let (statistics, signs) = self.statistics(&inputs)?.ok_or(AccountError::Unhidden)?;
        let sign = |&up: &bool| BigRational::from_integer(if up { 1 } else { -1 }.into());
        let signs: Vec<BigRational> = signs.iter().map(sign).collect();
        let coefficient = |row: usize| -> BigRational {
            statistics.iter().zip(&signs).map(|(c, sign)| &c[row] * sign).sum()
        };
        let attack: Vec<_> = (0..self.system.size().0).map(coefficient).collect();
        let claim = self.system.at_least(&inputs, &signs, &attack);
        let claim = claim.map_err(AccountError::Refused)?;
        self.checked(inputs, Claim::AtLeast(claim), vec![signs, attack])
    }

    fn checked(
        &self,
        inputs: Vec<usize>,
        claim: Claim,
        proof: Vec<Vec<BigRational>>,
    ) -> Result<SystemCertificate, AccountError> {
        let certificate = SystemCertificate { system: self.system.clone(), inputs, claim, proof };
        certificate.check().map_err(AccountError::Refused)?;
        Ok(certificate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_certificate::Row;
    use muffliato_reference::BigInt;

    /// Systems from a simple generator of numbers, some with dependent observations, some with numbers
    /// of very different lengths: both ends enclose the exact loss, and are close where there are any.
    #[test]
    fn certified_losses_enclose_exact_ones() {
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let (mut refused, mut close) = (0, 0);
        for case in 0..300 {
            let (size, width, inputs) = (1 + draw(5), 1 + draw(7), 1 + draw(3));
            let mut whole = |shift: u64| {
                BigInt::from(draw(21) as i64 - 10) << if case % 3 == 0 { draw(60) } else { shift }
            };
            let mut rows: Vec<Row> = Vec::new();
            for row in 0..size {
                let draws = (0..width).map(|_| whole(row)).collect();
                rows.push(Row { draws, inputs: (0..inputs).map(|_| whole(row)).collect() });
            }
            if case % 5 == 0 && size > 2 {
                rows[0] = rows[1].clone();
            }
            let variance = |d: u64| BigRational::new((d + 1).into(), (3 * d + 2).into());
            let variances = (0..width).map(variance).collect();
            let system = System::new(rows, variances, inputs as usize, 0).unwrap();
            let wanted: Vec<usize> = (0..inputs as usize).collect();
            let participation = muffliato_model::Participation::in_one_round(wanted.len());
            let together = Assignment { participation, numbers: wanted.clone(), local: None };
            let (projections, _) = proved(&system, &wanted, SYSTEM_WORK).unwrap();
            let exact = loss(&projections, vec![together], LossModel::SingleInput).unwrap();
            match certified(&system, &wanted) {
                Err(_) => refused += 1,
                Ok(found) => {
                    let scalars = exact.for_scalars();
                    assert!(found.upper() >= scalars.lower(), "{case}: {found} {exact}");
                    assert!(found.lower() <= exact.upper(), "{case}: {found} {exact}");
                    close += usize::from(found.upper() - found.lower() <= 1e-9 * found.upper());
                }
            }
        }
        assert!(refused > 20 && close > 150, "{refused} {close}");
    }
}
