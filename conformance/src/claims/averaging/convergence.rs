//! Convergence of synchronous gossip, and the effect of acceleration on privacy.

use crate::claims::prelude::*;
use muffliato_fast::{SparseWeights, simulation::GossipState};
use muffliato_reference::{
    enclosure::sqrt,
    spectral::{Rate, acceleration as chebyshev_parameter, spectral_gap, steps_to_converge},
    utility::{accelerated_error, synchronous_utility},
};

/// Accelerated gossip reaches its floor after T_stop steps.
pub(in crate::claims) fn floor() -> Result<Verdict, ClaimError> {
    let one = BigRational::one();
    let (mut cases, mut longest) = (0, 0);
    for graph in graphs(5) {
        let network = metropolis(&graph)?;
        let n = graph.nodes();
        for a in [1, 10, 100] {
            let mut values = vec![ratio(0, 1); n];
            values[0] = ratio(a, 1);
            let variance = ratio(a * a, 1) * whole(n - 1) / whole(n * n);
            let gap = spectral_gap(&network, 60)?;
            let stop = steps_to_converge(Rate::Accelerated, &gap, n, &variance, &one, 60)?;
            let steps = stop.upper().ceil().to_integer().to_usize().unwrap_or(1);
            let bits = 60 + 4 * steps as u32;
            let gap = spectral_gap(&network, bits)?;
            let g = chebyshev_parameter(&gap, bits)?;
            let error = accelerated_error(&network, steps, &g, &values, &one, bits)?;
            let case = || format!("{}, a = {a}, T = {steps}", graph_name(&graph));
            cases += confirm(order(error.upper(), &(whole(3) / whole(n))).is_le(), case)?;
            longest = longest.max(steps);
        }
    }
    Ok(Verdict::holds(format!(
        "{cases} instances on connected graphs up to 5 nodes, T_stop up to {longest}"
    )))
}

/// The utility of accelerated synchronous gossip.
pub(in crate::claims) fn utility() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(5) {
        let network = metropolis(&graph)?;
        let n = graph.nodes() as i64;
        let inputs = [
            (0..n).map(|v| ratio(i64::from(v == 0), 1)).collect::<Vec<_>>(),
            (0..n).map(|v| ratio(v * v, 1)).collect(),
        ];
        for steps in 1..=6 {
            for values in &inputs {
                for variance in [ratio(0, 1), ratio(1, 1)] {
                    let sides = synchronous_utility(&network, steps, values, &variance, 40)?;
                    let case =
                        || format!("{}, T = {steps}, sigma^2 = {variance}", graph_name(&graph));
                    let holds = sides.holds().ok_or_else(|| ClaimError::undecided(case()))?;
                    cases += confirm(holds, case)?;
                }
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} instances on connected graphs up to 5 nodes, T <= 6")))
}

const BITS: u32 = 80;

/// The contraction of Chebyshev polynomials fails near gap 1.
pub(in crate::claims) fn chebyshev() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(5, 1..=6, |graph, steps| {
        let network = metropolis(graph)?;
        let n = graph.nodes();
        let gap = spectral_gap(&network, BITS)?;
        let g = chebyshev_parameter(&gap, BITS)?;
        let mut y = vec![ratio(0, 1); n];
        y[0] = ratio(1, 1);
        y[1] = ratio(-1, 1);
        let half = accelerated_error(&network, steps, &g, &y, &BigRational::zero(), BITS)?;
        let Some(root) = sqrt(&gap, BITS) else {
            return Ok(());
        };
        let factor = &Interval::exact(BigRational::one()) - &root;
        let mut claimed = Interval::exact(ratio(4, 1)); // 2 ||y||^2
        for _ in 0..steps {
            claimed = (&claimed * &factor).rounded(BITS);
        }
        let compared = Comparison {
            relation: Relation::AtMost,
            claimed,
            actual: &half * &Interval::exact(ratio(2 * n as i64, 1)),
        };
        compared.search(|| {
            let weights = SparseWeights::of_network(&network)?;
            let gap = fast_gap(&network)?.estimate;
            let g = muffliato_fast::acceleration(gap)?;
            let start = (0..n).map(|v| [1.0, -1.0].get(v).copied().unwrap_or(0.0));
            let mut state = GossipState::try_new(start.collect(), 1)?.accelerated(Some(g))?;
            for _ in 0..steps {
                state.mix(&weights)?;
            }
            let norm = state.values().iter().map(|y| y * y).sum();
            let bound = 4.0 * (1.0 - gap.sqrt()).powi(steps as i32);
            let lines = vec![
                hand_check::matrix(&network)?,
                format!("lambda_W = {gap:.6}, g = {g:.6}, P_2(W) = g W^2 + (1 - g) I"),
                "where W y = 0 this is (1 - g) y, not 0".into(),
            ];
            let instance = Instance::on(graph, format!("t = {steps}, y = (1, -1, 0, ...)"));
            Ok((instance, lines, [bound, norm].map(estimate)))
        })
    }))
}

/// Accelerated averaging is post-processing of plain averaging.
pub(in crate::claims) fn acceleration() -> Result<Verdict, ClaimError> {
    let mut views = 0;
    for (above, below) in [(1, 1), (5, 4), (3, 2), (2, 1)] {
        let g = Fraction::try_new(above, below)?;
        views += everywhere(5, 4, single_observers, |run| {
            let accelerated = Process::run(&run.protocol.clone().accelerated(g)?)?;
            let plain = run.process.view(run.observer)?;
            let other = accelerated.view(run.observer)?;
            Ok(plain.rank() == other.rank() && plain.leakages()? == other.leakages()?)
        })?;
    }
    Ok(Verdict::holds(format!("{views} views on connected graphs up to 5 nodes, T <= 4")))
}
