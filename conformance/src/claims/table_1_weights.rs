//! The weights of Table 1 do not always mix.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict, hand_check,
    instances::{graph, named, ratio, smallest},
    witness::{Comparison, Relation},
};
use muffliato_fast::{Enclosure, FastError, GapOptions, SparseWeights};
use muffliato_model::{Graph, Network, WeightScheme};
use muffliato_reference::{enclosure::Interval, spectral::spectral_gap};

pub(super) const CLAIM: Claim = Claim {
    id: "table-1-weights",
    place: "Table 1, caption",
    statement: "With the weights min(1/d_v, 1/d_w) the spectral gap is positive, so that the utilities of the table are \
                finite.",
    method: "Enclosed gap of all connected graphs up to 6 nodes until it is below 2^-40; then the ring of 4. On a bipartite \
             regular graph the diagonal is 0 and -1 is an eigenvalue: the even rings and tori and all hypercubes.",
    recorded: Recorded {
        kind: Kind::Refuted,
        evidence: "ring of 4 (0-1 0-3 1-2 2-3): promised a positive gap, true 0. Smallest: path of 2 (0-1): \
                  promised a positive gap, true 0",
    },
    decide,
};

/// A gap above this counts as positive.
const SMALL: f64 = 1.0 / (1_u64 << 40) as f64;

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| gapless(graph))?;
    let Some(mut witness) = found else {
        return Ok(Verdict::Holds {
            checked: "all connected graphs up to 6 nodes".into(),
        });
    };
    if let Some(square) = gapless(&graph("ring:4")?)? {
        witness.instance = format!("{square}. Smallest: {}", witness.instance);
    }
    Ok(Verdict::Refuted { witness })
}

fn gapless(graph: &Graph) -> Result<Option<super::Witness>, ClaimError> {
    let network = Network::try_new(graph.clone(), WeightScheme::MaxDegreeInverse)?;
    // A positive gap is promised: its negative is at most -2^-40.
    let gap = spectral_gap(&network, 60)?;
    let compared = Comparison {
        relation: Relation::AtMost,
        promised: Interval::exact(ratio(-1, 1 << 40)),
        actual: -&gap,
    };
    if !compared.fails() {
        return Ok(None);
    }
    let weights = SparseWeights::of_network(&network)?;
    // The fast engine refuses a network that it sees to be periodic: its gap is 0.
    let again = match muffliato_fast::spectral_gap(&weights, &GapOptions::default(), &()) {
        Err(FastError::NoGap { .. }) => Enclosure::exact(0.0),
        found => found?.certified,
    };
    let again = Enclosure::try_new(-again.upper(), -again.lower());
    let lines = vec![
        hand_check::matrix(&network)?,
        "W maps the vector that is 1 on one side and -1 on the other to its negative".into(),
    ];
    let mut witness = compared.witness(
        named(graph),
        lines,
        Enclosure::exact(-SMALL),
        again.unwrap_or(Enclosure::exact(0.0)),
    )?;
    witness.promised = "a positive gap".into();
    witness.actual = super::witness::shown(&gap);
    Ok(Some(witness))
}
