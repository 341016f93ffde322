//! What a trusted aggregator is worth.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graph, one_shot, ratio, whole},
};
use muffliato_reference::{
    Process,
    guarantee::{central_error, local_error},
};

pub(super) const CLAIM: Claim = Claim {
    id: "local-central-gap",
    place: "Section 2.2, end, as what can be had",
    statement: "The errors alpha Delta^2/(2 n eps) of local and alpha Delta^2/(2 n^2 eps) of central privacy are \
                attained: the Gaussian mechanism has them, a factor n apart.",
    method: "Exactly: sigma^2 from the loss, the error of averaging n noisy values from the run of the protocol on the \
             complete graph (where one step averages), the aggregator's from sensitivity Delta/n; n = 2 to 8, \
             alpha = 3/2, 2 and 5.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "42 cases, ratio exactly n in each",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for n in 2..=8 {
        let process = Process::run(&one_shot(&graph(&format!("complete:{n}"))?, 1)?)?;
        let values = vec![ratio(0, 1); n];
        // The expected error has a factor 1/2 that the statement has not.
        let per_variance = whole(2) * process.averaging_error(&values)?.noise;
        for alpha in [ratio(3, 2), ratio(2, 1), ratio(5, 1)] {
            for (delta, epsilon) in [(ratio(1, 1), ratio(1, 1)), (ratio(2, 3), ratio(1, 10))] {
                let variance = &alpha * &delta * &delta / (whole(2) * &epsilon);
                let local = &variance * &per_variance;
                let central = &variance / whole(n * n);
                let same = local == local_error(n, &alpha, &delta, &epsilon)?
                    && central == central_error(n, &alpha, &delta, &epsilon)?
                    && local == &central * whole(n);
                if !same {
                    let case = format!("n = {n}, alpha = {alpha}: {local} and {central}");
                    return Ok(Verdict::unconfirmed(case));
                }
                cases += 1;
            }
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} cases, ratio exactly n in each"
    )))
}
