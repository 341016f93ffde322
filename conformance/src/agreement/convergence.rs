//! Spectral gaps, acceleration, and steps to converge.

use super::{Answer, Answers, Quantity, Refusal, Width, one};
use crate::case::Case;
use muffliato_fast::{
    Enclosure, FastError, GapOptions, Rate, SparseWeights, SpectralGap, acceleration,
    gossip_steps_per_round, randomized_gap, spectral_gap, steps_to_converge,
};
use muffliato_model::Step;
use muffliato_reference::{
    BigRational, ReferenceError, enclosure::Interval, rational, spectral as exact,
};
use num_traits::{One, Signed};

/// Precision of intervals for irrational numbers, in bits.
const BITS: u32 = 90;

/// Precision of eigenvalues, in bits; each bit costs an elimination.
const GAP_BITS: u32 = 48;

/// Converts a gap. An enclosure that contains 0 counts as no gap, since the fast engine then
/// reports none.
fn exact_gap(gap: Result<Interval, ReferenceError>) -> Answers {
    let gap = gap?;
    if !gap.lower().is_positive() {
        return Err(Refusal::NoGap);
    }
    Ok(vec![gap.into()])
}

fn fast_gap(gap: Result<SpectralGap, FastError>) -> Answers {
    let found = match gap {
        Err(FastError::BadParameter { .. }) => return Err(Refusal::SingleNode),
        found => found?,
    };
    let answer = Answer::from(found.certified).claiming(Width::Relative(1e-9));
    Ok(vec![answer.guessed(Some((found.estimate, 1e-11)))])
}

/// Compares the gaps of the network and of the first step's graph, and the quantities that follow
/// from the gap among the parameters of the case.
pub(super) fn quantities(case: &Case) -> Vec<Quantity> {
    let mut found = Vec::new();
    if let Step::Network(network) = case.protocol.step(0) {
        let fast = SparseWeights::of_network(network)
            .and_then(|weights| spectral_gap(&weights, &GapOptions::default(), &()));
        found.push(Quantity::new(
            "the spectral gap",
            exact_gap(exact::spectral_gap(network, GAP_BITS)),
            fast_gap(fast),
        ));
    }
    if let Some((graph, intensity)) = case.edge_intensity() {
        let same = BigRational::from_float(intensity).unwrap_or_default();
        let intensities = vec![same; graph.edge_count()];
        let floats = vec![intensity; graph.edge_count()];
        found.push(Quantity::new(
            "the gap of randomized gossip",
            exact_gap(exact::randomized_gap(&graph, &intensities, GAP_BITS)),
            fast_gap(randomized_gap(&graph, &floats, &GapOptions::default(), &())),
        ));
    }
    let given = case.parameters().gap;
    let gap = Interval::exact(rational(given));
    found.extend([
        Quantity::new(
            "the Chebyshev parameter",
            one(exact::acceleration(&gap, BITS)),
            one(acceleration(given.to_f64()).map(|g| Answer::estimated(g, 1e-14))),
        ),
        Quantity::new("the steps to converge", steps(case), fast_steps(case)),
    ]);
    found
}

/// Compares the steps of plain, accelerated and randomized gossip and of a round of gradient
/// descent.
fn steps(case: &Case) -> Answers {
    let given = case.parameters();
    let (gap, sigma) = (Interval::exact(rational(given.gap)), rational(given.sigma));
    let (nodes, variance) = (case.protocol.nodes(), rational(given.variance));
    let rounded_up = |steps: &Interval| Answer::between(steps.lower().ceil(), steps.upper().ceil());
    let to_converge = |rate| {
        let squared = &sigma * &sigma;
        exact::steps_to_converge(rate, &gap, nodes, &variance, &squared, BITS)
    };
    let in_a_round = exact::gossip_steps_per_round(&gap, nodes, &variance, BITS)?;
    Ok(vec![
        rounded_up(&to_converge(exact::Rate::Plain)?),
        rounded_up(&to_converge(exact::Rate::Accelerated)?),
        rounded_up(&to_converge(exact::Rate::Randomized)?),
        rounded_up(&in_a_round.max(&Interval::exact(BigRational::one()))),
    ])
}

fn fast_steps(case: &Case) -> Answers {
    let given = case.parameters();
    let (gap, nodes) = (given.gap.to_f64(), case.protocol.nodes());
    let (variance, sigma) = (given.variance.to_f64(), given.sigma.to_f64());
    // Rounding up may add one step too many.
    let at_most = |steps: usize| {
        let ends = Enclosure::try_new(steps as f64 - 1.0, steps as f64);
        Answer::from(ends.unwrap_or(Enclosure::exact(steps as f64)))
    };
    let mut found = Vec::new();
    for rate in [Rate::Plain, Rate::Accelerated, Rate::Randomized] {
        let steps = steps_to_converge(rate, gap, nodes, variance, sigma)?;
        found.push(at_most(steps));
    }
    found.push(at_most(gossip_steps_per_round(gap, nodes, variance)?));
    Ok(found)
}
