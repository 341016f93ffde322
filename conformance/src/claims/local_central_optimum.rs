//! The Gaussian mechanism is not the best: shrinking its output costs no privacy.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{ratio, whole},
    witness::{Comparison, Relation, estimate},
};
use muffliato_reference::{
    enclosure::Interval,
    guarantee::{central_error, local_error},
};

pub(super) const CLAIM: Claim = Claim {
    id: "local-central-optimum",
    place: "Section 2.2, end, as what cannot be beaten",
    statement: "Nothing that is (alpha, eps)-private errs less than alpha Delta^2/(2 n eps) under local and alpha \
                Delta^2/(2 n^2 eps) under central privacy.",
    method: "Inputs lie in an interval of length Delta. The Gaussian output, drawn towards its midpoint by a factor \
             s, is post-processing and errs at most (1-s)^2 Delta^2/4 + s^2 b Delta^2, where it erred b Delta^2 \
             before: with s = 1/(1+4b) that is b/(1+4b) Delta^2, less than b Delta^2 always. Exactly for n = 2 to 8, \
             alpha = 3/2, 2 and 5, eps = 1 and 1/10. That says nothing against the order in n: for a fixed eps the \
             factor 1/(1+4b) tends to 1.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "central, n = 2, alpha = 2, eps = 1, Delta = 1: promised 1/4, true 1/8",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let (mut first, mut holds) = (None, 0);
    for n in 2..=8 {
        for alpha in [ratio(2, 1), ratio(3, 2), ratio(5, 1)] {
            for epsilon in [ratio(1, 1), ratio(1, 10)] {
                for (kind, error) in [
                    ("central", central_error as fn(_, &_, &_, &_) -> _),
                    ("local", local_error),
                ] {
                    let gaussian = error(n, &alpha, &ratio(1, 1), &epsilon)?;
                    let s = ratio(1, 1) / (ratio(1, 1) + whole(4) * &gaussian);
                    let rest = ratio(1, 1) - &s;
                    let shrunk = &rest * &rest * ratio(1, 4) + &s * &s * &gaussian;
                    let compared = Comparison {
                        relation: Relation::AtLeast,
                        promised: Interval::exact(gaussian),
                        actual: Interval::exact(shrunk),
                    };
                    holds += usize::from(!compared.fails());
                    first.get_or_insert((kind, n, alpha.clone(), epsilon.clone(), s, compared));
                }
            }
        }
    }
    let Some((kind, n, alpha, epsilon, s, compared)) = first.filter(|_| holds == 0) else {
        return Ok(Verdict::unconfirmed(format!(
            "{holds} cases are not beaten"
        )));
    };
    let instance = format!("{kind}, n = {n}, alpha = {alpha}, eps = {epsilon}, Delta = 1");
    let lines = vec![format!(
        "midpoint + {s} (Gaussian output - midpoint) errs at most (1 - {s})^2/4 + ({s})^2 alpha/(2 n^2 eps)"
    )];
    let before = 2.0 / (2.0 * (n * n) as f64);
    let after = before / (1.0 + 4.0 * before);
    let witness = compared.witness(instance, lines, estimate(before), estimate(after))?;
    Ok(Verdict::Refuted { witness })
}
