//! The bound of the main text for gradient descent forgets what later rounds carry on.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, descent_bounds::descent_search,
    instances::of_source, pairs::Promise,
};
use muffliato_fast::bounds::PaperBounds;
use muffliato_reference::bounds::gd_bound_simple;

pub(super) const CLAIM: Claim = Claim {
    id: "gd-main-text",
    place: "Theorem 6",
    statement: "After T rounds of K steps the loss is at most T^2 times Theorem 1's sum over one round.",
    method: "Exact loss (gradients as inputs, which is what the theorem accounts for) of every pair, up to 3 rounds of \
             up to 3 steps on all connected graphs up to 5 nodes, until one exceeds the bound. One round is Theorem 1, \
             so the search asks for at least two.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 3 (0-1 0-2), K = 1, 2 rounds, 2 -> full:1: promised 0, true 1/10 (paper's view: 1/11)",
    },
    decide,
};

pub(super) const PROMISE: Promise = Promise {
    exact: |protocol, sources, observer| Ok(gd_bound_simple(protocol, sources[0], observer)?),
    again: |protocol, sources, observer| {
        let all = PaperBounds::of(protocol)?.gd_simple_all(observer, &())?;
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
