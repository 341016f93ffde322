//! The first row of Table 1.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    topologies::{TOLERANCE, TOPOLOGIES},
};
use muffliato_fast::{GapOptions, SparseWeights, spectral_gap};
use muffliato_model::{Network, WeightScheme};

pub(super) const CLAIM: Claim = Claim {
    id: "table-1-synchronous",
    place: "Table 1, first row",
    statement: "Under a fixed mean loss the error of Algorithm 1 is, up to logarithms, d/(n^2 sqrt(lambda_W)): n^-2 on \
                expanders, n^(1/C-2) on C-tori, n^-1 on complete graphs and rings.",
    method: "d/(n^2 sqrt(lambda_W)) with certified gaps of the table's weights (odd sides): the slope of the \
             formula's logarithm against ln n, fitted over finite families, within 0.12 of the printed exponent. An \
             estimate, and of the formula: no run is measured.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "fitted slope in n (printed): expander (random 4-regular) -1.97 (-2.00), 2-torus -1.50 (-1.50), \
                  3-torus -1.67 (-1.67), complete -0.99 (-1.00), ring -1.00 (-1.00)",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut fitted = Vec::new();
    for topology in TOPOLOGIES {
        let slope = topology.slope(|graph| {
            let network = Network::try_new(graph.clone(), WeightScheme::MaxDegreeInverse)?;
            let weights = SparseWeights::of_network(&network)?;
            let gap = spectral_gap(&weights, &GapOptions::default(), &())?.certified;
            let nodes = graph.nodes() as f64;
            Ok(graph.max_degree() as f64 / (nodes * nodes * gap.lower().sqrt()))
        })?;
        let printed = topology.printed[0];
        if (slope - printed).abs() > TOLERANCE {
            let case = format!("{}: {slope:.2}, printed {printed:.2}", topology.name);
            return Ok(Verdict::unconfirmed(case));
        }
        fitted.push(format!("{} {slope:.2} ({printed:.2})", topology.name));
    }
    Ok(Verdict::holds(format!(
        "fitted slope in n (printed): {}",
        fitted.join(", ")
    )))
}
