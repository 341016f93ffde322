//! Gradient descent on graphs that are drawn anew in every round: one round is enough.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{coalitions, descent, named, smallest},
    pairs::{Promise, violation},
    private_graphs::{alike, neighbours_and_strangers},
};
use muffliato_fast::bounds::PaperBounds;
use muffliato_reference::bounds::time_varying_coalition_gd;

pub(super) const CLAIM: Claim = Claim {
    id: "time-varying-collusion",
    place: "Proposition 1 (Appendix G.1)",
    statement: "With a connected Erdos-Renyi graph drawn anew in every round, a coalition V learns of u at most twice \
                the sum over the rounds of 1 if u is its neighbour then, else of K d/(n - d), d the number of its \
                neighbours.",
    method: "One round of K = 1 to 3 steps, every coalition on all connected graphs up to 6 nodes, exact loss of \
             strangers, until one exceeds the bound on a graph that V knows: the only connected one (the gap is \
             positive) with the edges of V. Mixing over graphs plays no part then, nor does q. (V of n - 2 nodes with \
             one neighbour, and one stranger behind it, refute every K >= 2 with n > 2K + 1.)",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "6 nodes (0-1 1-2 1-4 1-5 2-3), one round, K = 2, 3 -> coalition:0,1,4,5: promised 4/5, true 1 (paper's \
                  view: 1)",
    },
    decide,
};

const PROMISE: Promise = Promise {
    exact: |protocol, sources, observer| {
        Ok(time_varying_coalition_gd(protocol, sources[0], observer)?)
    },
    again: |protocol, sources, observer| {
        Ok(PaperBounds::of(protocol)?.time_varying_coalition_gd(sources[0], observer)?)
    },
    by_message: false,
};

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=3, |graph, k| {
        let protocol = descent(graph, 1, k)?;
        let what = format!("{}, one round, K = {k}", named(graph));
        for observer in coalitions(graph)? {
            let (_, strangers) = neighbours_and_strangers(graph, &observer);
            let connected = alike(graph, &observer)?
                .into_iter()
                .filter(|other| other.is_connected());
            if strangers.is_empty() || connected.count() > 1 {
                continue;
            }
            let sources: Vec<_> = strangers.into_iter().map(|u| vec![u]).collect();
            let found = violation(&protocol, &what, &observer, &sources, &PROMISE)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    })?;
    Ok(Verdict::refuted_or_open(
        found,
        "no violation in one round of up to 3 steps on graphs up to 6 nodes that V knows".into(),
    ))
}
