//! After T_stop steps accelerated gossip is at its floor.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, metropolis, named, ratio, whole},
};
use muffliato_reference::{
    BigRational, order,
    spectral::{Rate, acceleration, spectral_gap, steps_to_converge},
    utility::accelerated_error,
};
use num_traits::{One, ToPrimitive};

pub(super) const CLAIM: Claim = Claim {
    id: "synchronous-floor",
    place: "Theorem 2",
    statement: "After T_stop = ln(n max(1, variance/sigma^2)) / sqrt(lambda_W) steps the expected error of Muffliato is \
                at most 3 sigma^2/n.",
    method: "Rational enclosure of the error for sigma = 1 after T_stop steps, rounded up, on all connected graphs up to \
             5 nodes for the inputs (a, 0, ...), a = 1, 10, 100.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "90 instances on connected graphs up to 5 nodes, T_stop up to 26",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let (mut cases, mut longest) = (0, 0);
    for graph in graphs(5) {
        let network = metropolis(&graph)?;
        let n = graph.nodes();
        for a in [1, 10, 100] {
            let mut values = vec![ratio(0, 1); n];
            values[0] = ratio(a, 1);
            let variance = ratio(a * a, 1) * whole(n - 1) / whole(n * n);
            let gap = spectral_gap(&network, 60)?;
            let stop = steps_to_converge(Rate::Accelerated, &gap, n, &variance, &one, 60)?;
            let steps = stop.upper().ceil().to_integer().to_usize().unwrap_or(1);
            let bits = 60 + 4 * steps as u32;
            let gap = spectral_gap(&network, bits)?;
            let g = acceleration(&gap, bits)?;
            let error = accelerated_error(&network, steps, &g, &values, &one, bits)?;
            if order(error.upper(), &(whole(3) / whole(n))).is_gt() {
                let case = format!("{}, a = {a}, T = {steps}", named(&graph));
                return Ok(Verdict::unconfirmed(case));
            }
            cases += 1;
            longest = longest.max(steps);
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} instances on connected graphs up to 5 nodes, T_stop up to {longest}"
    )))
}
