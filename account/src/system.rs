//! Accounts of any linear system: what is found is checked by the rules of its certificates.

use crate::engine::Accepted;
use crate::guarantee::{
    Against, Conditions, Distances, Inputs, Losses, Participation, Protected, ScheduleScope, Unit,
};
use crate::shard::fingerprint;
use crate::{Account, AccountError, Guarantee, Knowledge, Loss, Number, ProvedFor};
use muffliato_certificate::{Claim, LinearSystem, SystemCertificate};
use muffliato_fast::ExactEquations;
use muffliato_model::LossModel;
use muffliato_reference::{BigInt, BigRational};

/// Largest number of inputs whose signs are enumerated.
const MOST_SIGNS: usize = 16;

/// Work budget of the exact solution, in products of machine words: about a minute.
const MOST_WORK: u128 = 20_000_000_000;

/// Number of primes that the finder tries.
const ATTEMPTS: usize = 4;

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

/// The best statistics of some inputs, and the matrix of their products.
struct Found {
    /// For each input, the coefficients of the observations: `c` with `A S^2 A^T c = B e_i`.
    statistics: Vec<Vec<BigRational>>,
    /// `P_ij`, row by row.
    products: Vec<BigRational>,
}

impl<'a> Account<'a> {
    /// Creates the account of a linear system: of whatever correlates noise and does not react.
    pub fn of_system(system: &'a LinearSystem) -> SystemAccount<'a> {
        SystemAccount { system }
    }
}

fn increasing(inputs: &[usize], all: usize) -> Result<Vec<usize>, AccountError> {
    let inputs = crate::question::distinct(inputs);
    match inputs.last() {
        None => Err(AccountError::Nobody { what: "source" }),
        Some(&node) if node >= all => Err(AccountError::NoSuchSource { node, nodes: all }),
        Some(_) => Ok(inputs),
    }
}

impl SystemAccount<'_> {
    /// Returns the system.
    pub fn system(&self) -> &LinearSystem {
        self.system
    }

    /// Finds the best statistic of each input, and checks it; `None` if an input has no alibi, so
    /// that its loss is infinite.
    fn found(&self, inputs: &[usize]) -> Result<Option<Found>, AccountError> {
        let system = self.system;
        let (_, draws, _) = system.size();
        let hidden: Vec<(usize, BigRational)> =
            (0..draws).filter_map(|draw| system.deviation(draw).map(|s| (draw, s * s))).collect();
        let whole = |entry: &BigRational, unit: &BigInt| entry.numer() * (unit / entry.denom());
        // Each row is scaled to whole numbers, which changes no loss.
        let pairs = || system.draws().iter().zip(system.inputs());
        let scales: Vec<BigInt> = pairs()
            .map(|(row, signal)| LinearSystem::common_denominator(row.iter().chain(signal)))
            .collect();
        let rows: Vec<Vec<BigInt>> = system
            .draws()
            .iter()
            .zip(&scales)
            .map(|(row, scale)| hidden.iter().map(|(draw, _)| whole(&row[*draw], scale)).collect())
            .collect();
        let signals: Vec<Vec<BigInt>> = inputs
            .iter()
            .map(|&input| {
                let rows = system.inputs().iter().zip(&scales);
                rows.map(|(row, scale)| whole(&row[input], scale)).collect()
            })
            .collect();
        let unit = LinearSystem::common_denominator(hidden.iter().map(|(_, variance)| variance));
        let variances: Vec<BigInt> =
            hidden.iter().map(|(_, variance)| whole(variance, &unit)).collect();
        let equations = ExactEquations {
            rows: rows.iter().map(Vec::as_slice).collect(),
            variances: &variances,
            unit: &unit,
            inputs: signals.iter().map(|signal| signal.iter().collect()).collect(),
        };
        for attempt in 0..ATTEMPTS {
            if hidden.is_empty() {
                break;
            }
            let solved = equations.solve(attempt, MOST_WORK)?;
            let statistic = |(coefficients, denominator): &(Vec<(usize, BigInt)>, BigInt)| {
                let mut c = vec![BigRational::from_integer(0.into()); scales.len()];
                for (row, numerator) in coefficients {
                    c[*row] = BigRational::new(numerator * &scales[*row], denominator.clone());
                }
                c
            };
            let statistics: Vec<_> = solved.solutions.iter().map(statistic).collect();
            let alibis: Vec<_> = statistics.iter().map(|c| self.alibi(c)).collect();
            if system.at_most(inputs, &alibis).is_ok() {
                let product = |i: usize, j: usize| -> BigRational {
                    let rows = system.inputs().iter().zip(&statistics[j]);
                    rows.map(|(row, c)| &row[inputs[i]] * c).sum()
                };
                let count = inputs.len();
                let products = (0..count * count).map(|k| product(k / count, k % count)).collect();
                return Ok(Some(Found { statistics, products }));
            }
        }
        Ok(None)
    }

    /// Returns the change of draws `S^2 A^T c`.
    fn alibi(&self, c: &[BigRational]) -> Vec<BigRational> {
        let change = |draw: usize| match self.system.deviation(draw) {
            None => BigRational::from_integer(0.into()),
            Some(s) => {
                let rows = self.system.draws().iter().zip(c);
                let times: BigRational = rows.map(|(row, c)| &row[draw] * c).sum();
                times * s * s
            }
        };
        (0..self.system.size().1).map(change).collect()
    }

    /// Returns the loss of inputs together: exact for scalars, and for vectors where the two
    /// coincide.
    ///
    /// # Errors
    ///
    /// Fails for inputs that do not exist, and if the system is too large for fractions.
    pub fn loss(&self, inputs: &[usize]) -> Result<Loss, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let Some(found) = self.found(&inputs)? else {
            return Ok(Loss::between(0.0, f64::INFINITY, LossModel::SingleInput));
        };
        let alibis: Vec<_> = found.statistics.iter().map(|c| self.alibi(c)).collect();
        let signs = found.worst_signs();
        let attack = found.attack(&signs);
        let accepted = Accepted::of_system(self.system, &inputs, &alibis, (&signs, &attack));
        let accepted = accepted.map_err(AccountError::Refused)?;
        if inputs.len() > MOST_SIGNS {
            let (lower, upper) = accepted.into_parts();
            let (lower, upper) = (Number::from(lower).lower(), Number::from(upper).upper());
            return Ok(Loss::between(lower, upper, LossModel::SingleInput));
        }
        Ok(Loss::exact(accepted, LossModel::SingleInput))
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
        let conditions = Conditions {
            protocol: format!(
                "a linear system of {observations} observations, {draws} draws and {all} inputs"
            ),
            fingerprint: fingerprint(self.system),
            protected: Protected::Inputs(inputs.iter().map(usize::to_string).collect()),
            against: Against::View,
            distances: Distances::Any,
            view: Knowledge::Full,
            schedule: ScheduleScope::Fixed,
            noise: ProvedFor::default(),
            losses: Losses::None,
            masked_state_only: false,
            inputs: Inputs::Vectors,
            unit: Unit::InputChanged,
            participation: Participation { rounds: 1, every: 1 },
            runs: 1,
        };
        Ok(Guarantee::new(loss.number().clone(), conditions))
    }

    /// Returns an upper bound on the loss of inputs together with its alibis.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoCertificate`] for an infinite loss, and those of [`SystemAccount::loss`].
    pub fn certificate(&self, inputs: &[usize]) -> Result<SystemCertificate, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let found = self.found(&inputs)?.ok_or(AccountError::NoCertificate)?;
        let proof: Vec<_> = found.statistics.iter().map(|c| self.alibi(c)).collect();
        let claim = self.system.at_most(&inputs, &proof).map_err(AccountError::Refused)?;
        self.checked(inputs, Claim::AtMost(claim), proof)
    }

    /// Returns a lower bound on the loss of inputs together with the best attack.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoAttack`] for an infinite loss, and those of [`SystemAccount::loss`].
    pub fn attack_certificate(&self, inputs: &[usize]) -> Result<SystemCertificate, AccountError> {
        let inputs = increasing(inputs, self.system.size().2)?;
        let found = self.found(&inputs)?.ok_or(AccountError::NoAttack)?;
        let signs = found.worst_signs();
        let attack = found.attack(&signs);
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

impl Found {
    /// Returns the statistic of the inputs that change by `signs`.
    fn attack(&self, signs: &[BigRational]) -> Vec<BigRational> {
        let observations = 0..self.statistics[0].len();
        let coefficient = |row: usize| -> BigRational {
            self.statistics.iter().zip(signs).map(|(c, sign)| &c[row] * sign).sum()
        };
        observations.map(coefficient).collect()
    }

    /// Returns the signs d of the largest `d^T P d`; beyond [`MOST_SIGNS`] inputs the best of single
    /// flips from equal signs.
    fn worst_signs(&self) -> Vec<BigRational> {
        let count = self.statistics.len();
        let value = |signs: &[bool]| -> BigRational {
            let entries = self.products.iter().enumerate();
            entries
                .map(|(k, p)| if signs[k / count] == signs[k % count] { p.clone() } else { -p })
                .sum()
        };
        let mut best = (value(&vec![true; count]), vec![true; count]);
        if count <= MOST_SIGNS {
            for flipped in 1..1_usize << (count - 1) {
                let signs: Vec<bool> = (0..count).map(|i| flipped >> i & 1 == 0).collect();
                let reached = value(&signs);
                if reached > best.0 {
                    best = (reached, signs);
                }
            }
        } else {
            for i in 0..count {
                let mut signs = best.1.clone();
                signs[i] = !signs[i];
                let reached = value(&signs);
                if reached > best.0 {
                    best = (reached, signs);
                }
            }
        }
        let sign = |&plus: &bool| BigRational::from_integer(if plus { 1 } else { -1 }.into());
        best.1.iter().map(sign).collect()
    }
}
