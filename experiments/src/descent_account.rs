//! Losses of Muffliato-GD on graphs that are redrawn each round: the paper's formula, and leakage
//! in the input model.

use super::authors;
use super::averaging::losses_towards;
use super::descent_run::Rounds;
use super::exhibit::{Finding, row};
use super::setting::{Setting, Spread, short, tau_of};
use anyhow::Context;
use muffliato::account::Number;
use muffliato::fast::bounds::{PaperBounds, RoundExponent};
use muffliato::fast::simulation::NetworkSequence;
use muffliato::fast::{CertifiedView, FastError, MultiprecisionLimits, Progress};
use muffliato::prelude::{Account, Observer, Protocol};

/// Number of features of the housing data, with the constant.
const DIMENSION: usize = 9;
/// The observer; all nodes are alike.
const OBSERVER: usize = 0;
/// Number of rounds of the exact account.
const FEW_ROUNDS: usize = 5;

/// Sums Theorem 1, or its replacement in the authors' program, over independent rounds.
pub fn sum_over_rounds(
    setting: &Setting<'_>,
    nodes: usize,
    count: usize,
) -> anyhow::Result<Vec<Option<f64>>> {
    let rounds = Rounds::new(setting, nodes, DIMENSION, setting.seed)?;
    let bar = setting.session.progress("formula");
    let mut sums = vec![0.0; nodes];
    for round in 0..count {
        bar.check(round, count)?;
        let network = rounds.graphs.network(round)?;
        let found = if setting.as_authors {
            let steps = rounds.steps_on(setting, &network)?.0;
            authors::round_losses(network.graph(), OBSERVER, steps)
        } else {
            let protocol = Protocol::one_shot(network, rounds.steps)?;
            let bounds = PaperBounds::of(&protocol)?;
            let found = bounds.pairwise_all(&Observer::full(OBSERVER))?;
            found.iter().map(|formula| formula.upper()).collect()
        };
        for (sum, loss) in sums.iter_mut().zip(found) {
            *sum += loss;
        }
    }
    let others = sums.into_iter().enumerate();
    Ok(others.map(|(source, sum)| (source != OBSERVER).then_some(sum)).collect())
}

/// Several accounts of the same rounds: losses over all sources, in units of L.
pub struct Accounts {
    nodes: usize,
    steps: usize,
    summed: Spread,
    appendix: Spread,
    /// Certified lower and upper ends; the upper end is that of LDP if multiprecision takes too
    /// long.
    leakage: [Spread; 2],
    /// Certified upper ends.
    refreshed: Spread,
}

/// Computes all accounts on a smaller graph with fewer rounds of plain gossip.
pub fn account(setting: &Setting<'_>, nodes: usize) -> anyhow::Result<Accounts> {
    let rounds = Rounds::new(setting, nodes, DIMENSION, setting.seed)?;
    let bar = setting.session.progress("leakage of rounds");
    let protocol = rounds.graphs.gradient_descent(FEW_ROUNDS, rounds.steps)?;
    let watching = Observer::full(OBSERVER);
    let bounds = PaperBounds::of(&protocol)?;
    let appendix = bounds.watched(&bar).gd_general_all(&watching, RoundExponent::AsPrinted)?;
    let asked =
        |protocol: &Protocol| losses_towards(Account::of(protocol).progress(&bar), OBSERVER);
    // The accountant itself does not spend minutes on multiprecision.
    let limits = MultiprecisionLimits::default();
    let [lower, upper] = match CertifiedView::watched(&protocol, &watching, &limits, &bar) {
        Ok(view) => [Number::lower, Number::upper].map(|end| {
            let losses = view.losses().iter().flatten();
            losses.map(|found| end(&Number::from(found))).collect()
        }),
        Err(FastError::TooMuchWork { .. }) => {
            let found = asked(&protocol)?;
            [found.at_least, found.at_most]
                .map(|ends| ends.into_iter().flatten().collect::<Vec<_>>())
        }
        Err(error) => return Err(error.into()),
    };
    let refreshed = asked(&protocol.clone().refreshed(tau_of(nodes)?)?)?.at_most;
    let others = (0..nodes).filter(|&source| source != OBSERVER);
    Ok(Accounts {
        nodes,
        steps: rounds.steps,
        summed: spread(sum_over_rounds(setting, nodes, FEW_ROUNDS)?.into_iter().flatten())?,
        appendix: spread(others.map(|source| appendix[source].upper()))?,
        leakage: [spread(lower.into_iter())?, spread(upper.into_iter())?],
        refreshed: spread(refreshed.into_iter().flatten())?,
    })
}

fn spread(losses: impl Iterator<Item = f64>) -> anyhow::Result<Spread> {
    Spread::of(losses).context("a network of one node has no losses")
}

impl Accounts {
    pub const HEAD: &'static str = "nodes,rounds,gossip_steps,summed_mean,summed_most,appendix_mean,appendix_most,leakage_mean_lower_end,leakage_most_lower_end,leakage_mean_upper_end,leakage_most_upper_end,refreshed_mean_certified,refreshed_most_certified";

    /// Formats a row of the table.
    pub fn row(&self) -> Vec<String> {
        let [lower, upper] = self.leakage;
        let spreads = [self.summed, self.appendix, lower, upper, self.refreshed];
        let numbers = spreads.into_iter().flat_map(|spread| [spread.mean, spread.most]);
        row![self.nodes, FEW_ROUNDS, self.steps; numbers]
    }

    pub fn finding(&self) -> Finding {
        let [lower, upper] = self.leakage;
        let told = |spread: &Spread| format!("{} and {}", short(spread.mean), short(spread.most));
        Finding::claimed(
            format!(
                "n = {}, {FEW_ROUNDS} rounds: the gain over LDP is clear towards all nodes.",
                self.nodes
            ),
            format!(
                "Mean and largest loss (LDP: {FEW_ROUNDS}): {} by the formula summed over the \
                 rounds, {} by the formula printed in the appendix. Certified leakage with \
                 gradients as inputs: at least {}, at most {}. Certified with fresh noise of \
                 sigma/sqrt(n) at each gossip step: {}.",
                told(&self.summed),
                told(&self.appendix),
                told(&lower),
                told(&upper),
                told(&self.refreshed)
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descent_run::ROUNDS;
    use muffliato::account::Number;
    use muffliato::command::session::Session;

    /// The sum over two rounds equals Theorem 1 by the exact engine on each of them, or the
    /// authors' closed form. Every node but the observer has a sum.
    #[test]
    fn sums_over_rounds_are_those_of_each_by_itself() {
        let (session, nodes, count) = (Session::new(true), 30, 2);
        for as_authors in [false, true] {
            let setting = Setting::quick(&session, as_authors);
            let rounds = Rounds::new(&setting, nodes, DIMENSION, setting.seed).unwrap();
            let losses = |round: usize| -> Vec<f64> {
                let network = rounds.graphs.network(round).unwrap();
                if as_authors {
                    let steps = rounds.steps_on(&setting, &network).unwrap().0;
                    return authors::round_losses(network.graph(), OBSERVER, steps);
                }
                let protocol = Protocol::one_shot(network, rounds.steps).unwrap();
                let bounds = muffliato::reference::PaperBounds::of(&protocol).unwrap();
                let exact = bounds.pairwise_all(&Observer::full(OBSERVER)).unwrap();
                exact.into_iter().map(|loss| Number::from(loss).upper()).collect()
            };
            let each: Vec<_> = (0..count).map(losses).collect();
            for (source, found) in
                sum_over_rounds(&setting, nodes, count).unwrap().iter().enumerate()
            {
                assert_eq!(found.is_none(), source == OBSERVER);
                let expected: f64 = each.iter().map(|losses| losses[source]).sum();
                let off = (found.unwrap_or(expected) - expected).abs();
                assert!(off < 1e-9, "{source}: {found:?} {expected}");
            }
        }
    }

    /// The two ends of the leakage differ only where gradients of different signs add up.
    #[test]
    fn multiprecision_decides_the_leakage_of_rounds() {
        let session = Session::new(true);
        let found = account(&Setting::quick(&session, false), 30).unwrap();
        let [lower, upper] = found.leakage;
        assert!(upper.mean - lower.mean < 0.01 && upper.most <= FEW_ROUNDS as f64);
        assert!(lower.mean > found.refreshed.mean);
    }

    /// Figure 1c: the mean of the histogram falls from 2000 to 4000 nodes, with and without the
    /// authors' deviations. The number of gossip steps depends on the gap of one random graph, so
    /// means over three seeds are compared.
    #[test]
    fn the_histogram_moves_down_with_n() {
        let session = Session::new(true);
        for as_authors in [false, true] {
            let mean = |nodes| {
                let means = (0..3).map(|seed| {
                    let setting = Setting { seed, ..Setting::quick(&session, as_authors) };
                    let losses = sum_over_rounds(&setting, nodes, ROUNDS).unwrap();
                    spread(losses.into_iter().flatten()).unwrap().mean
                });
                means.sum::<f64>() / 3.0
            };
            let means = [mean(2000), mean(4000)];
            println!("{means:?}");
            assert!(means[0] > 1.2 * means[1], "{means:?}");
        }
    }
}
