//! Private random graphs and colluders.

use super::{Claim, Kind, Recorded, erdos_renyi};

pub(super) const CLAIM: Claim = Claim {
    id: "erdos-renyi-coalition",
    place: "Corollary 5 (Appendix G.1)",
    statement: "On an Erdos-Renyi graph that the coalition V does not know, who is no neighbour of V loses at most \
                2 T d_V/(n - d_V) to it.",
    method: "As for one observer, with every coalition of two (all are alike) on all 1024 graphs on 5 nodes.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "108 strangers given the neighbours of V, over all 1024 graphs on 5 nodes",
    },
    decide: || erdos_renyi::decide(2, "V"),
};
