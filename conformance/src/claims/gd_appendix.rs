//! The bound of the appendix for gradient descent, with the exponent K - 1, as printed.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, descent_bounds::descent_search,
    instances::of_source, pairs::Promise,
};

pub(super) const CLAIM: Claim = Claim {
    id: "gd-appendix",
    place: "Theorem 11 (Appendix F.2), as printed",
    statement: "The loss is at most the sum over rounds t and j >= t and steps k < K of Theorem 1's charges for the \
                matrix that carries round t to step k of round j.",
    method: "Exact loss (gradients as inputs) of every pair, 2 to 3 rounds of up to 3 steps on all connected graphs up \
             to 5 nodes, until one exceeds the bound with the exponent K - 1, as printed.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 3 (0-1 0-2), K = 1, 2 rounds, 2 -> full:1: promised 0, true 1/10 (paper's view: 1/11)",
    },
    decide,
};

pub(super) const PROMISE: Promise = Promise {
    exact: |protocol, sources, observer| {
        use muffliato_reference::bounds::{RoundExponent, gd_bound_general};
        Ok(gd_bound_general(
            protocol,
            sources[0],
            observer,
            RoundExponent::AsPrinted,
        )?)
    },
    again: |protocol, sources, observer| {
        use muffliato_fast::bounds::{PaperBounds, RoundExponent};
        let bounds = PaperBounds::of(protocol)?;
        let all = bounds.gd_general_all(observer, RoundExponent::AsPrinted, &())?;
        of_source(&all, sources[0])
    },
    by_message: false,
};

fn decide() -> Result<Verdict, ClaimError> {
    Ok(Verdict::unless(
        descent_search(5, 1..=3, 3, &PROMISE)?,
        "2 to 3 rounds of up to 3 steps on all connected graphs up to 5 nodes, paper's view".into(),
    ))
}
