//! Randomized gossip contracts at half the printed rate.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, ratio, smallest},
    randomized::{error_again, intensities, intensities_again},
    witness::{Comparison, Relation, estimate},
};
use muffliato_model::Graph;
use muffliato_reference::{BigRational, utility::randomized_utility};

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-utility",
    place: "Theorem 8 (Appendix D.1)",
    statement: "With p_uv = 2 W_uv / n the expected error of randomized gossip after T ticks is at most \
                (variance + sigma^2) e^(-T lambda(p)) + sigma^2/n.",
    method: "Exact expected error over the noise and the edges, against a rational enclosure of the bound, for inputs \
             (1, -1, 0, ...) and sigma^2 = 1/1000 on all connected graphs up to 4 nodes, T <= 6, until it is larger; \
             then the same with lambda(p)/2.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), x = (1, -1, 0, ...), sigma^2 = 1/1000, T = 3: promised 0.0503368..., true \
                  2009/32000. Holds with lambda(p)/2 in place of lambda(p): 108 instances on connected graphs up \
                  to 4 nodes, T <= 12",
    },
    decide,
};

fn instance(graph: &Graph) -> (Vec<BigRational>, BigRational) {
    let mut values = vec![ratio(0, 1); graph.nodes()];
    values[0] = ratio(1, 1);
    values[1] = ratio(-1, 1);
    (values, ratio(1, 1000))
}

fn decide() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=6, |graph, steps| {
        let (values, sigma_squared) = instance(graph);
        let p = intensities(graph)?;
        let sides =
            randomized_utility(graph, &p, &ratio(1, 1), steps, &values, &sigma_squared, 60)?;
        let compared = Comparison {
            relation: Relation::AtMost,
            promised: sides.right,
            actual: sides.left,
        };
        if !compared.fails() {
            return Ok(None);
        }
        let (p, gap) = intensities_again(graph)?;
        let numbers: Vec<f64> = (0..graph.nodes())
            .map(|v| [1.0, -1.0].get(v).copied().unwrap_or(0.0))
            .collect();
        let nodes = graph.nodes() as f64;
        let decay = libm::exp(-(steps as f64) * gap.value());
        let promised = estimate((2.0 / nodes + 1e-3) * decay + 1e-3 / nodes);
        let actual = error_again(graph, &p, steps, &numbers, 1e-3)?;
        let lines = vec![
            format!("p = {p:.4?}, lambda(p) = {:.6}", gap.value()),
            "each tick multiplies the expected square of the slowest mode by 1 - lambda(p)/2, not by 1 - lambda(p)"
                .into(),
        ];
        let text = format!(
            "{}, x = (1, -1, 0, ...), sigma^2 = 1/1000, T = {steps}",
            named(graph)
        );
        compared.witness(text, lines, promised, actual).map(Some)
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        let (values, sigma_squared) = instance(&graph);
        for steps in 1..=12 {
            let p = intensities(&graph)?;
            let half = ratio(1, 2);
            let sides = randomized_utility(&graph, &p, &half, steps, &values, &sigma_squared, 60)?;
            if sides.holds() != Some(true) {
                let case = format!("{}, T = {steps} with lambda(p)/2", named(&graph));
                return Ok(Verdict::unconfirmed(case));
            }
            cases += 1;
        }
    }
    let checked = format!("{cases} instances on connected graphs up to 4 nodes, T <= 12");
    Ok(Verdict::corrected(
        found,
        "with lambda(p)/2 in place of lambda(p)",
        checked,
    ))
}
