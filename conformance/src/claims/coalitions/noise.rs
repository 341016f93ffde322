//! Noise against colluders.

use crate::claims::averaging::private_graphs::neighbours_and_strangers;
use crate::claims::prelude::*;
use muffliato_reference::spectral::{Rate, spectral_gap, steps_to_converge};

/// Returns `T_stop`, rounded up, for inputs whose variance is at most that of the noise.
fn stop(graph: &Graph) -> Result<usize, ClaimError> {
    let gap = spectral_gap(&metropolis(graph)?, 60)?;
    let (zero, one) = (BigRational::zero(), BigRational::one());
    let steps = steps_to_converge(Rate::Accelerated, &gap, graph.nodes(), &zero, &one, 60)?;
    Ok(steps.upper().ceil().to_integer().to_usize().unwrap_or(1))
}

fn sum(view: &View) -> Result<BigRational, ClaimError> {
    Ok(view.leakages()?.into_iter().flatten().sum())
}

/// The noise of Corollary 4 is too small for its mean loss.
pub(in crate::claims) fn noise() -> Result<Verdict, ClaimError> {
    let found = smallest(4, 1..=1, |graph, _| {
        let (n, steps) = (graph.nodes(), stop(graph)?);
        let protocol = one_shot(graph, steps)?;
        for observer in all_observers(graph)? {
            let views = both_views(&protocol, &observer)?;
            let degree = neighbours_and_strangers(graph, &observer).0.len();
            in_both_views(
                &views,
                |view| Ok(Comparison::at_most(sum(view)? * whole(4) / whole(n * degree), whole(1))),
                |view| {
                    let mut sum = 0.0;
                    for source in each_source(graph, &observer) {
                        sum += fast_loss(&protocol, &source, view.observer())?.value();
                    }
                    Ok([estimate(1.0), estimate(4.0 * sum / (n * degree) as f64)])
                },
                || {
                    let mut lines = vec![format!("L = 4 eps/{degree}")];
                    for source in each_source(graph, &observer) {
                        lines.extend(hand_check::deconvolution(&protocol, &source, &observer)?);
                    }
                    let setting = format!("T_stop = {steps}, alpha = 2, mean loss in units of eps");
                    Ok((Instance::on(graph, setting).towards(&observer), lines))
                },
            )?;
        }
        Ok(())
    })?;
    let mut cases = 0;
    for graph in graphs(4) {
        let steps = stop(&graph)?;
        let protocol = one_shot(&graph, steps)?;
        for observer in all_observers(&graph)? {
            let degree = neighbours_and_strangers(&graph, &observer).0.len();
            let sum = sum(&view(&protocol, &observer)?)?;
            let case = || format!("{}, {observer}", graph_name(&graph));
            cases += confirm(order(&sum, &whole(steps * degree)).is_le(), case)?;
        }
    }
    let checked = format!("{cases} sets of observers on connected graphs up to 4 nodes");
    Ok(Verdict::corrected(found, "with sigma^2 = alpha d_V T_stop Delta^2/(2 n eps)", checked))
}
