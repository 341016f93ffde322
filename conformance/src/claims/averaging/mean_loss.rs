//! The mean loss, which the paper accounts for correctly.

use crate::claims::prelude::*;

/// The mean-loss identity.
pub(in crate::claims) fn mean_loss_identity() -> Result<Verdict, ClaimError> {
    let cases = everywhere(6, 4, single_observers, |run| {
        let sum: BigRational = run.bounds.pairwise_all(run.observer)?.iter().sum();
        Ok(sum == whole(run.messages()?))
    })?;
    Ok(Verdict::holds(observers(cases)))
}

fn observers(cases: usize) -> String {
    format!("{cases} observers on connected graphs up to 6 nodes, T <= 4")
}

/// The mean loss as printed in the main text, with an equality that holds only for the sum over all
/// nodes.
pub(in crate::claims) fn mean_loss_printed() -> Result<Verdict, ClaimError> {
    Ok(Verdict::corrected(
        differs(|run| Ok((run.messages()?, run.graph.nodes())))?,
        "with \"at most\" in place of \"equals\"",
        observers(at_most_messages_over_nodes()?),
    ))
}

/// The mean loss behind Table 1 is printed with an extra factor n.
pub(in crate::claims) fn mean_loss_table() -> Result<Verdict, ClaimError> {
    Ok(Verdict::corrected(
        differs(|run| Ok((run.messages()?, run.graph.nodes().pow(2))))?,
        "as \"at most d_v T/n\"",
        observers(at_most_messages_over_nodes()?),
    ))
}

/// Returns the smallest run whose mean loss differs from the claimed fraction.
fn differs(
    claimed: impl Fn(&Run<'_>) -> Result<(usize, usize), ClaimError>,
) -> Result<Option<Witness>, ClaimError> {
    smallest_run(6, 4, |run| {
        let (above, below) = claimed(&run)?;
        let mean = run.bounds.mean_loss(run.observer)?;
        Comparison::equal(mean, whole(above) / whole(below)).search(|| {
            let mut lines = Vec::new();
            for source in each_source(run.graph, run.observer) {
                lines.push(format!("{} -> {}", source[0], run.observer));
                lines.extend(hand_check::charges(run.protocol, &source, run.observer)?);
            }
            let bounds = muffliato_fast::bounds::PaperBounds::of(run.protocol)?;
            let claimed = estimate(above as f64 / below as f64);
            let fast = [claimed, bounds.mean_loss(run.observer)?];
            Ok((run.instance(), lines, fast))
        })
    })
}

/// Counts the runs and checks that the mean loss is at most T_v/n in each.
fn at_most_messages_over_nodes() -> Result<usize, ClaimError> {
    everywhere(6, 4, single_observers, |run| {
        let most = whole(run.messages()?) / whole(run.graph.nodes());
        Ok(order(&run.bounds.mean_loss(run.observer)?, &most).is_le())
    })
}

/// The privacy statement about the average holds.
pub(in crate::claims) fn average() -> Result<Verdict, ClaimError> {
    let mut strict = 0;
    let cases = everywhere(6, 4, single_observers, |run| {
        let sum: BigRational = run.leakages()?.into_iter().sum();
        let (rank, messages) = (run.process.view(run.observer)?.rank(), run.messages()?);
        strict += usize::from(rank <= messages);
        Ok(sum == whole(rank - 1) && rank <= messages + 1)
    })?;
    Ok(Verdict::holds(format!("{}; the sum is rank - 1, below T_v for {strict}", observers(cases))))
}
