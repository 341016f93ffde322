//! In gradient descent acceleration is no post-processing: noise enters between the rounds.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{descent, smallest},
    pairs::larger_loss,
};
use muffliato_model::Fraction;

pub(super) const CLAIM: Claim = Claim {
    id: "acceleration-in-descent",
    place: "Theorem 6 with Algorithm 3 (Section 4)",
    statement: "The accelerated gossip of Muffliato-GD is post-processing of the plain one: it leaks at most as much.",
    method: "Exact losses (gradients as inputs) with g = 5/4 and without, two rounds of K = 1 to 4 steps on all \
             connected graphs up to 6 nodes, until the accelerated one is larger.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "path of 4 (0-1 0-3 1-2), two rounds, K = 2, g = 5/4, 3 -> full:2: promised 10/91, true 125/773 (paper's \
                  view: promised 1783/28513, true 713425/7626289)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let g = Fraction::try_new(5, 4)?;
    let found = smallest(6, 1..=4, |graph, k| {
        let plain = descent(graph, 2, k)?;
        let accelerated = plain.clone().accelerated(g)?;
        let what = format!("two rounds, K = {k}, g = 5/4");
        larger_loss(
            graph,
            &what,
            ("plain", &plain),
            ("accelerated", &accelerated),
        )
    })?;
    Ok(Verdict::unless(
        found,
        "two rounds of up to 4 steps on all connected graphs up to 6 nodes, g = 5/4, paper's view"
            .into(),
    ))
}
