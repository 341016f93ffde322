//! Convergence of randomized gossip.

use super::{fast_intensities, intensities, simulated_error};
use crate::claims::prelude::*;
use muffliato_reference::{
    enclosure::{eigenvalue, exp},
    spectral::{Rate, randomized_gap, spectral_gap, steps_to_converge},
    utility::{randomized_error, randomized_utility},
};
use std::cmp::Ordering;

/// Returns the largest a (in tenths) with `T_stop <= steps` at this rate, if there is one; `noise`
/// is added to the variance of the inputs.
fn largest_input(
    graph: &Graph,
    gap: &Interval,
    steps: usize,
    noise: usize,
) -> Result<Option<BigRational>, ClaimError> {
    let n = graph.nodes();
    let fits = |tenths: i64| -> Result<bool, ClaimError> {
        let a = ratio(tenths, 10);
        // (1/n) sum (x_v - xbar)^2 for the input (a, 0, ..., 0).
        let variance = &a * &a * whole(n - 1) / whole(n * n) + whole(noise);
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

/// Returns inputs of a few nodes and 0 for the others.
fn inputs(graph: &Graph, first: &[BigRational]) -> Vec<BigRational> {
    (0..graph.nodes()).map(|v| first.get(v).cloned().unwrap_or_default()).collect()
}

fn floats(values: &[BigRational]) -> Vec<f64> {
    values.iter().map(|value| value.to_f64().unwrap_or(f64::NAN)).collect()
}

/// After the printed number of ticks the error of randomized gossip is not at its floor.
pub(in crate::claims) fn floor() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let found = smallest(4, 1..=8, |graph, steps| {
        let p = intensities(graph)?;
        let gap = randomized_gap(graph, &p, 60)?;
        let Some(a) = largest_input(graph, &gap, steps, 1)? else {
            return Ok(());
        };
        let floor = whole(2) / whole(graph.nodes());
        let values = inputs(graph, std::slice::from_ref(&a));
        let actual = randomized_error(graph, &p, steps, &values, &one)?;
        Comparison::at_most(actual, floor).search(|| {
            let (p, gap) = fast_intensities(graph)?;
            let actual = simulated_error(graph, &p, steps, &floats(&values), 1.0)?;
            let claimed = Enclosure::around(2.0 / graph.nodes() as f64, 1, 1);
            let lines = vec![format!("p = {p:.4?}, lambda(p) = {:.6}", gap.value())];
            let setting = format!("x = ({a}, 0, ...), sigma = 1, T = {steps}");
            Ok((Instance::on(graph, setting), lines, [claimed, actual]))
        })
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        let p = intensities(&graph)?;
        let gap = &randomized_gap(&graph, &p, 60)? * &Interval::exact(ratio(1, 2));
        for steps in 1..=16 {
            let Some(a) = largest_input(&graph, &gap, steps, 0)? else {
                continue;
            };
            let actual = randomized_error(&graph, &p, steps, &inputs(&graph, &[a]), &one)?;
            let floor = whole(2) / whole(graph.nodes());
            let case = || format!("{}, T = {steps} with lambda(p)/2", graph_name(&graph));
            cases += confirm(order(&actual, &floor).is_le(), case)?;
        }
    }
    let checked = format!("{cases} instances on connected graphs up to 4 nodes, T <= 16");
    Ok(Verdict::corrected(found, "with lambda(p)/2 in place of lambda(p)", checked))
}

const BITS: u32 = 40;

/// The gap of randomized gossip is not that of the gossip matrix.
pub(in crate::claims) fn gap() -> Result<Verdict, ClaimError> {
    let found = smallest(6, 1..=1, |graph, _| {
        let network = metropolis(graph)?;
        let scale = Interval::exact(whole(2) / whole(graph.nodes()));
        let compared = Comparison {
            relation: Relation::Equal,
            claimed: &spectral_gap(&network, BITS)? * &scale,
            actual: randomized_gap(graph, &intensities(graph)?, BITS)?,
        };
        compared.search(|| {
            let gap = fast_gap(&network)?;
            let scale = 2.0 / graph.nodes() as f64;
            let ends = (gap.certified.lower() * scale, gap.certified.upper() * scale);
            let claimed = Enclosure::try_new(ends.0.next_down(), ends.1.next_up());
            let (_, actual) = fast_intensities(graph)?;
            let end = gap.end;
            let lines = vec![
                hand_check::matrix(&network)?,
                format!("the smallest eigenvalue is the larger one in size: {end:?}"),
            ];
            let fast = [claimed.unwrap_or(gap.certified), actual];
            Ok((Instance::on(graph, ""), lines, fast))
        })
    })?;
    let mut cases = 0;
    for graph in graphs(5) {
        let w = GossipMatrix::of_network(&metropolis(&graph)?)?;
        let n = graph.nodes();
        let second = eigenvalue(n, w.numerators(), w.denominator(), 2, BITS);
        let second = second.ok_or_else(|| ClaimError::undecided(graph_name(&graph)))?;
        let scale = Interval::exact(whole(2) / whole(n));
        let corrected = &(&Interval::exact(BigRational::one()) - &second) * &scale;
        let gap = randomized_gap(&graph, &intensities(&graph)?, BITS)?;
        let same = corrected.compare(&gap).is_none_or(Ordering::is_eq);
        cases += confirm(same, || graph_name(&graph))?;
    }
    let checked = format!("{cases} connected graphs up to 5 nodes");
    Ok(Verdict::corrected(found, "as 2 (1 - lambda_2) / n", checked))
}

fn instance(graph: &Graph) -> (Vec<BigRational>, BigRational) {
    (inputs(graph, &[ratio(1, 1), ratio(-1, 1)]), ratio(1, 1000))
}

/// Randomized gossip contracts at half the printed rate.
pub(in crate::claims) fn utility() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=6, |graph, steps| {
        let (values, sigma_squared) = instance(graph);
        let p = intensities(graph)?;
        let sides =
            randomized_utility(graph, &p, &ratio(1, 1), steps, &values, &sigma_squared, 60)?;
        let ticks = Interval::exact(-whole(steps));
        let decay = exp(&(&randomized_gap(graph, &p, 60)? * &ticks), 60);
        let decay = decay.ok_or_else(|| ClaimError::undecided(graph_name(graph)))?;
        let noise = &decay * &Interval::exact(sigma_squared);
        let compared = Comparison {
            relation: Relation::AtMost,
            claimed: &sides.right + &noise,
            actual: sides.left,
        };
        compared.search(|| {
            let (p, gap) = fast_intensities(graph)?;
            let nodes = graph.nodes() as f64;
            let decay = libm::exp(-(steps as f64) * gap.value());
            let claimed = estimate((2.0 / nodes + 2e-3) * decay + 1e-3 / nodes);
            let actual = simulated_error(graph, &p, steps, &floats(&values), 1e-3)?;
            let lines = vec![
                format!("p = {p:.4?}, lambda(p) = {:.6}", gap.value()),
                "each tick multiplies the expected square of the slowest mode by 1 - lambda(p)/2, not by 1 - lambda(p)"
                    .into(),
            ];
            let setting = format!("x = (1, -1, 0, ...), sigma^2 = 1/1000, T = {steps}");
            Ok((Instance::on(graph, setting), lines, [claimed, actual]))
        })
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        let (values, sigma_squared) = instance(&graph);
        for steps in 1..=12 {
            let p = intensities(&graph)?;
            let half = ratio(1, 2);
            let sides = randomized_utility(&graph, &p, &half, steps, &values, &sigma_squared, 60)?;
            let case = || format!("{}, T = {steps} with lambda(p)/2", graph_name(&graph));
            cases += confirm(sides.holds() == Some(true), case)?;
        }
    }
    let checked = format!("{cases} instances on connected graphs up to 4 nodes, T <= 12");
    Ok(Verdict::corrected(found, "with lambda(p)/2 in place of lambda(p)", checked))
}
