//! The second row of Table 1.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    randomized::intensities_again,
    topologies::{TOLERANCE, TOPOLOGIES},
};
use muffliato_model::Graph;

pub(super) const CLAIM: Claim = Claim {
    id: "table-1-randomized",
    place: "Table 1, second row",
    statement: "Under a fixed mean loss the error of Algorithm 2 is, up to logarithms, n^-2 on expanders and complete \
                graphs, n^(2/C-2) on C-tori, n^-1 on rings.",
    method: "(1/n) min(1, 2/(n^2 lambda(p))): the error is sigma^2/n, the mean loss T_v/n with T_v = 2T/n messages in \
             T = 1/lambda(p) ticks, and never above 1, the local loss (Section 2.3). Certified gaps for Metropolis \
             weights; the slope of the formula's logarithm against ln n, fitted over finite families, within 0.12 of \
             the printed exponent. An estimate, and of the formula: no run is measured. Without the cap, as in the \
             column for arbitrary graphs, 1/(n^2 lambda_W), rings would have n^0, worse than local privacy.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "fitted slope in n (printed): expander (random 4-regular) -1.94 (-2.00), 2-torus -1.01 (-1.00), 3-torus \
                  -1.39 (-1.33), complete -2.00 (-2.00), ring -1.00 (-1.00)",
    },
    decide,
};

/// What the error is proportional to.
fn error(graph: &Graph) -> Result<f64, ClaimError> {
    let (_, gap) = intensities_again(graph)?;
    let nodes = graph.nodes() as f64;
    Ok((2.0 / (nodes * nodes * gap.lower())).min(1.0) / nodes)
}

fn decide() -> Result<Verdict, ClaimError> {
    let mut fitted = Vec::new();
    for topology in TOPOLOGIES {
        let (slope, printed) = (topology.slope(error)?, topology.printed[1]);
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
