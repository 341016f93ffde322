//! Statistics found by `muffliato-fast`, before they are checked.

use crate::AccountError;
use muffliato_certificate::{Statistic, System};
use muffliato_fast::ExactEquations;

/// Returns the equations of the best statistics for inputs.
pub(crate) fn equations<'a>(system: &'a System, wanted: &[usize]) -> ExactEquations<'a> {
    let column = |&input: &usize| system.rows().iter().map(|row| &row.inputs[input]).collect();
    ExactEquations {
        rows: system.rows().iter().map(|row| &row.draws[..]).collect(),
        variances: system.variances(),
        unit: system.unit(),
        inputs: wanted.iter().map(column).collect(),
    }
}

/// Finds statistics for inputs, and returns them with the rank that the finder claims.
pub(super) fn find(
    system: &System,
    wanted: &[usize],
    attempt: usize,
    work: u128,
) -> Result<(Vec<Statistic>, usize), AccountError> {
    let found = equations(system, wanted).solve(attempt, work)?;
    Ok((Statistic::of_solutions(wanted, found.solutions), found.rank))
}
