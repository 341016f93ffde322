//! The utility of accelerated synchronous gossip.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, metropolis, named, ratio},
};
use muffliato_reference::utility::synchronous_utility;

pub(super) const CLAIM: Claim = Claim {
    id: "synchronous-utility",
    place: "Theorem 7 (Appendix C.1)",
    statement: "The expected error of Muffliato after T steps is at most (variance + sigma^2) e^(-T sqrt(lambda_W)) + \
                sigma^2/n.",
    method: "Rational enclosures of both sides on all connected graphs up to 5 nodes, T <= 6, for the inputs (1, 0, ...) \
             and (0, 1, 4, 9, ...) and sigma^2 = 0 and 1.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "720 instances on connected graphs up to 5 nodes, T <= 6",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(5) {
        let network = metropolis(&graph)?;
        let n = graph.nodes() as i64;
        let inputs = [
            (0..n)
                .map(|v| ratio(i64::from(v == 0), 1))
                .collect::<Vec<_>>(),
            (0..n).map(|v| ratio(v * v, 1)).collect(),
        ];
        for steps in 1..=6 {
            for values in &inputs {
                for variance in [ratio(0, 1), ratio(1, 1)] {
                    let sides = synchronous_utility(&network, steps, values, &variance, 40)?;
                    let instance =
                        || format!("{}, T = {steps}, sigma^2 = {variance}", named(&graph));
                    match sides.holds() {
                        Some(true) => cases += 1,
                        Some(false) => {
                            return Ok(Verdict::unconfirmed(instance()));
                        }
                        None => {
                            return Err(ClaimError::Undecided {
                                instance: instance(),
                            });
                        }
                    }
                }
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} instances on connected graphs up to 5 nodes, T <= 6"
    )))
}
