//! Table 1: gaps, weights, and the growth of errors on families of graphs.

use crate::claims::prelude::*;
use crate::claims::{instances, randomized::fast_intensities};
use muffliato_fast::FastError;
use muffliato_model::WeightScheme;
use muffliato_reference::{enclosure::sqrt, spectral::spectral_gap};

/// Columns of Table 1 with a family of their own, where braces stand for a size: the name, the family,
/// its sizes, and the exponents of n in the two rows of the table (Algorithm 1, Algorithm 2). The
/// first column of the table is the formula that they instantiate. Sides are odd because the weights
/// of the table have no gap on even ones.
const TOPOLOGIES: [(&str, &str, &[usize], [f64; 2]); 5] = [
    (
        "expander (random 4-regular)",
        "regular:{}:d=4:seed=1",
        &[64, 128, 256, 512, 1024],
        [-2.0, -2.0],
    ),
    ("2-torus", "torus:{}x{}", &[11, 15, 21, 31], [-1.5, -1.0]),
    ("3-torus", "torus:{}x{}x{}", &[5, 7, 9], [-5.0 / 3.0, -4.0 / 3.0]),
    ("complete", "complete:{}", &[32, 64, 128, 256], [-1.0, -2.0]),
    ("ring", "ring:{}", &[33, 65, 129, 257], [-1.0, -1.0]),
];

/// Tolerance of a fitted slope, since families are finite.
const TOLERANCE: f64 = 0.12;

/// Returns the slope of the least-squares line, to two decimals.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    let below: f64 = points.iter().map(|(a, _)| (a - x) * (a - x)).sum();
    // Rounds to two decimals without a negative zero.
    (100.0 * above / below).round() / 100.0 + 0.0
}

/// Returns the certified gap of the fast engine, or 0 if it refuses a periodic network.
fn fast_gap(network: &Network) -> Result<Enclosure, ClaimError> {
    match instances::fast_gap(network) {
        Err(FastError::NoGap { .. }) => Ok(Enclosure::exact(0.0)),
        found => Ok(found?.certified),
    }
}

/// More edges do not always mix better.
pub(in crate::claims) fn more_edges() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(5, 1..=1, |graph, _| {
        let before = metropolis(graph)?;
        for (u, v) in (0..graph.nodes()).flat_map(|u| (0..u).map(move |v| (v, u))) {
            if graph.has_edge(u, v) {
                continue;
            }
            let edges = graph.edges().chain([(u, v)]);
            let after = metropolis(&Graph::try_new(graph.nodes(), edges)?)?;
            let compared = Comparison {
                relation: Relation::AtLeast,
                claimed: spectral_gap(&before, 40)?,
                actual: spectral_gap(&after, 40)?,
            };
            compared.search(|| {
                let lines = vec![
                    format!("before: {}", hand_check::matrix(&before)?),
                    format!("after: {}", hand_check::matrix(&after)?),
                ];
                let instance = Instance::on(graph, format!("and the edge {u}-{v}"));
                Ok((instance, lines, [fast_gap(&before)?, fast_gap(&after)?]))
            })?;
        }
        Ok(())
    }))
}

/// The weights of Table 1 do not always mix.
pub(in crate::claims) fn table_1_weights() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| gapless(graph));
    Verdict::of_searches(found, gapless(&graph("ring:4")?))
}

/// Ends with a witness if the gap is below 2^-40.
fn gapless(graph: &Graph) -> Search {
    let network = Network::try_new(graph.clone(), WeightScheme::MaxDegreeInverse)?;
    let compared = Comparison {
        relation: Relation::AtLeast,
        claimed: Interval::exact(ratio(1, 1 << 40)),
        actual: spectral_gap(&network, 60)?,
    };
    compared.search(|| {
        let lines = vec![
            hand_check::matrix(&network)?,
            "W maps the vector that is 1 on one side and -1 on the other to its negative".into(),
        ];
        let small = Enclosure::exact(1.0 / (1_u64 << 40) as f64);
        let instance = Instance::on(graph, "a positive gap");
        Ok((instance, lines, [small, fast_gap(&network)?]))
    })
}

/// The factor between gossip and a trusted aggregator grows on the exponential graph.
pub(in crate::claims) fn exponential() -> Result<Verdict, ClaimError> {
    for m in 2..=4 {
        let cube = graph(&format!("hypercube:{m}"))?;
        let gap = spectral_gap(&metropolis(&cube)?, 40)?;
        confirm(gap.contains(&(whole(2) / whole(m + 1))), || graph_name(&cube))?;
    }
    let undecided = |m: usize| ClaimError::undecided(format!("hypercube of dimension {m}"));
    let factor = |m: usize| {
        let square = whole(m * m * (m + 1)) / whole(2);
        sqrt(&Interval::exact(square), 60).ok_or_else(|| undecided(m))
    };
    let fast = |m: usize| {
        let gap = fast_gap(&metropolis(&graph(&format!("hypercube:{m}"))?)?)?;
        let ends = [gap.upper(), gap.lower()].map(|end| m as f64 / end.sqrt());
        let (lower, upper) = (ends[0] * (1.0 - 1e-12), ends[1] * (1.0 + 1e-12));
        Enclosure::try_new(lower, upper).ok_or_else(|| undecided(m))
    };
    let compared =
        Comparison { relation: Relation::Equal, claimed: factor(3)?, actual: factor(11)? };
    let lines = vec!["d = m, lambda_W = 2/(m + 1): 3 sqrt(2) and 11 sqrt(6)".into()];
    let instance = Instance::of("d/sqrt(lambda_W) of the 11-cube against that of the 3-cube");
    Ok(Verdict::refuted(compared.witness(instance, lines, [fast(3)?, fast(11)?])?))
}

/// The first row of Table 1.
pub(in crate::claims) fn table_1_synchronous() -> Result<Verdict, ClaimError> {
    fitted(0, |graph| {
        let network = Network::try_new(graph.clone(), WeightScheme::MaxDegreeInverse)?;
        let (gap, nodes) = (fast_gap(&network)?.lower(), graph.nodes() as f64);
        Ok(graph.max_degree() as f64 / (nodes * nodes * gap.sqrt()))
    })
}

/// Fits the slopes of the quantity that the error is proportional to, and compares them with a row
/// of the table.
fn fitted(
    row: usize,
    error: impl Fn(&Graph) -> Result<f64, ClaimError>,
) -> Result<Verdict, ClaimError> {
    let mut slopes = Vec::new();
    for (name, family, sizes, printed) in TOPOLOGIES {
        let mut points = Vec::new();
        for size in sizes {
            let graph = graph(&family.replace("{}", &size.to_string()))?;
            points.push((libm::log(graph.nodes() as f64), libm::log(error(&graph)?)));
        }
        let (slope, printed) = (slope(&points), printed[row]);
        let text = format!("{name} {slope:.2} ({printed:.2})");
        confirm((slope - printed).abs() <= TOLERANCE, || text.clone())?;
        slopes.push(text);
    }
    Ok(Verdict::holds(format!("fitted slope in n (printed): {}", slopes.join(", "))))
}

/// The second row of Table 1.
pub(in crate::claims) fn table_1_randomized() -> Result<Verdict, ClaimError> {
    fitted(1, |graph| {
        let (_, gap) = fast_intensities(graph)?;
        let nodes = graph.nodes() as f64;
        Ok((2.0 / (nodes * nodes * gap.lower())).min(1.0) / nodes)
    })
}
