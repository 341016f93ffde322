//! After the printed number of ticks the error of randomized gossip is not at its floor.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graphs, named, ratio, smallest, whole},
    randomized::{error_again, intensities, intensities_again},
    witness::Comparison,
};
use muffliato_fast::Enclosure;
use muffliato_model::Graph;
use muffliato_reference::{
    BigRational,
    enclosure::Interval,
    order,
    spectral::{Rate, randomized_gap, steps_to_converge},
    utility::randomized_error,
};
use num_traits::{One, ToPrimitive};

pub(super) const CLAIM: Claim = Claim {
    id: "randomized-floor",
    place: "Theorem 3",
    statement: "After T_stop = ln(n max(1, variance/sigma^2)) / lambda(p) ticks the expected error of randomized gossip \
                is at most 2 sigma^2/n.",
    method: "Exact expected error for sigma = 1 and the input (a, 0, ..., 0), a the largest multiple of 1/10 with \
             T_stop <= T, on all connected graphs up to 4 nodes, T <= 8, until it is above 2/n; then the same with \
             lambda(p)/2 and T <= 16.",
    recorded: Recorded {
        kind: Kind::HoldsCorrected,
        evidence: "path of 2 (0-1), x = (52/5, 0, ...), sigma = 1, T = 4: promised 1, true 1777/1600. Holds with \
                  lambda(p)/2 in place of lambda(p): 59 instances on connected graphs up to 4 nodes, T <= 16",
    },
    decide,
};

/// The largest a (in tenths) with `T_stop <= steps` at this rate, or `None` if there is none.
fn largest_input(
    graph: &Graph,
    gap: &Interval,
    steps: usize,
) -> Result<Option<BigRational>, ClaimError> {
    let n = graph.nodes();
    let fits = |tenths: i64| -> Result<bool, ClaimError> {
        let a = ratio(tenths, 10);
        // (1/n) sum (x_v - xbar)^2 for the input (a, 0, ..., 0).
        let variance = &a * &a * whole(n - 1) / whole(n * n);
        let one = BigRational::one();
        let stop = steps_to_converge(Rate::Randomized, gap, n, &variance, &one, 60)?;
        Ok(order(stop.upper(), &whole(steps)).is_le())
    };
    if !fits(1)? {
        return Ok(None);
    }
    let mut tenths = 1;
    while fits(2 * tenths)? {
        tenths *= 2;
    }
    let mut step = tenths;
    while step > 0 {
        if fits(tenths + step)? {
            tenths += step;
        }
        step /= 2;
    }
    Ok(Some(ratio(tenths, 10)))
}

fn inputs(graph: &Graph, a: &BigRational) -> Vec<BigRational> {
    let mut values = vec![ratio(0, 1); graph.nodes()];
    values[0] = a.clone();
    values
}

fn decide() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let found = smallest(4, 1..=8, |graph, steps| {
        let p = intensities(graph)?;
        let gap = randomized_gap(graph, &p, 60)?;
        let Some(a) = largest_input(graph, &gap, steps)? else {
            return Ok(None);
        };
        let floor = whole(2) / whole(graph.nodes());
        let actual = randomized_error(graph, &p, steps, &inputs(graph, &a), &one)?;
        let compared = Comparison::at_most(actual, floor);
        if !compared.fails() {
            return Ok(None);
        }
        let (p, gap) = intensities_again(graph)?;
        let mut numbers = vec![0.0; graph.nodes()];
        numbers[0] = a.to_f64().unwrap_or(f64::NAN);
        let actual = error_again(graph, &p, steps, &numbers, 1.0)?;
        let promised = Enclosure::around(2.0 / graph.nodes() as f64, 1, 1);
        let lines = vec![format!("p = {p:.4?}, lambda(p) = {:.6}", gap.value())];
        let text = format!(
            "{}, x = ({a}, 0, ...), sigma = 1, T = {steps}",
            named(graph)
        );
        compared.witness(text, lines, promised, actual).map(Some)
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        let p = intensities(&graph)?;
        let gap = &randomized_gap(&graph, &p, 60)? * &Interval::exact(ratio(1, 2));
        for steps in 1..=16 {
            let Some(a) = largest_input(&graph, &gap, steps)? else {
                continue;
            };
            let actual = randomized_error(&graph, &p, steps, &inputs(&graph, &a), &one)?;
            if order(&actual, &(whole(2) / whole(graph.nodes()))).is_gt() {
                let case = format!("{}, T = {steps} with lambda(p)/2", named(&graph));
                return Ok(Verdict::unconfirmed(case));
            }
            cases += 1;
        }
    }
    let checked = format!("{cases} instances on connected graphs up to 4 nodes, T <= 16");
    Ok(Verdict::corrected(
        found,
        "with lambda(p)/2 in place of lambda(p)",
        checked,
    ))
}
