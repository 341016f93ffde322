//! For one step a round, no violation of the appendix's bound with the corrected exponent is known.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, descent_bounds::descent_search,
    gd_appendix_exponent,
};

pub(super) const CLAIM: Claim = Claim {
    id: "gd-appendix-one-step",
    place: "Theorem 11 with exponent K, for K = 1",
    statement: "With one gossip step a round the loss is at most the appendix's sum with the exponent K.",
    method: "Exact loss (gradients as inputs) of every pair, 2 to 4 rounds on all connected graphs up to 5 nodes.",
    recorded: Recorded {
        kind: Kind::Open,
        evidence: "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    Ok(Verdict::refuted_or_open(
        descent_search(5, 1..=1, 4, &gd_appendix_exponent::PROMISE)?,
        "no violation in 2 to 4 rounds of one step on all connected graphs up to 5 nodes".into(),
    ))
}
