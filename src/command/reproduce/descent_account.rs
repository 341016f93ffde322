//! The losses of Muffliato-GD on graphs that are redrawn: the paper's, and the leakage in the input model.

use super::descent::{ROUNDS, Rounds};
use super::exhibit::Finding;
use super::setting::{Setting, Spread, short, tau_of};
use muffliato::fast::bounds::{PaperBounds, RoundExponent};
use muffliato::fast::simulation::NetworkSequence;
use muffliato::fast::{GramView, Progress, acceleration_fraction};
use muffliato::prelude::{Observer, Protocol};

/// Features of the housing data, and a constant.
const DIMENSION: usize = 9;
/// Who observes; all nodes are alike.
const OBSERVER: usize = 0;
/// Rounds of the exact account.
const FEW_ROUNDS: usize = 5;

/// Theorem 1 of each round by itself, summed over the rounds; with the authors' deviations where they are asked for.
pub fn promised(setting: &Setting<'_>, nodes: usize) -> anyhow::Result<Vec<Option<f64>>> {
    summed(setting, nodes, ROUNDS)
}

fn summed(setting: &Setting<'_>, nodes: usize, count: usize) -> anyhow::Result<Vec<Option<f64>>> {
    let rounds = Rounds::of(setting, nodes, DIMENSION, setting.seed)?;
    let bar = setting.session.progress("formula");
    let mut sums = vec![0.0; nodes];
    for round in 0..count {
        bar.check(round, count)?;
        let network = rounds.graphs.network(round)?;
        let graph = network.shared_graph();
        let steps = rounds.steps + usize::from(setting.as_authors);
        let protocol = Protocol::one_shot(network, steps)?;
        let found = PaperBounds::of(&protocol)?.pairwise_all(&Observer::full(OBSERVER), &())?;
        for (source, (sum, formula)) in sums.iter_mut().zip(found).enumerate() {
            let first = f64::from(u8::from(graph.has_edge(source, OBSERVER)));
            *sum += match setting.as_authors {
                true => (formula.upper() - first).clamp(0.0, 1.0),
                false => formula.upper(),
            };
        }
    }
    let others = sums.into_iter().enumerate();
    Ok(others
        .map(|(source, sum)| (source != OBSERVER).then_some(sum))
        .collect())
}

/// Several accounts of the same rounds.
pub struct Account {
    nodes: usize,
    steps: usize,
    /// Mean and largest over the sources, in units of L.
    summed: Spread,
    appendix: Spread,
    /// Estimates with a certified lower end.
    leakage: Spread,
    /// Certified.
    refreshed: Spread,
}

/// All accounts on a smaller graph with fewer rounds.
pub fn account(setting: &Setting<'_>, nodes: usize) -> anyhow::Result<Account> {
    let rounds = Rounds::of(setting, nodes, DIMENSION, setting.seed)?;
    let bar = setting.session.progress("leakage of rounds");
    let plain = rounds.graphs.gradient_descent(FEW_ROUNDS, rounds.steps)?;
    let watching = Observer::full(OBSERVER);
    let appendix =
        PaperBounds::of(&plain)?.gd_general_all(&watching, RoundExponent::AsPrinted, &bar)?;
    let protocol = plain.accelerated(acceleration_fraction(rounds.gap)?)?;
    let leakage = GramView::of(&protocol, &watching, &bar)?.losses(&bar)?;
    let protocol = protocol.refreshed(tau_of(nodes)?)?;
    let refreshed = GramView::of(&protocol, &watching, &bar)?.losses(&bar)?;
    let spread = |losses: Vec<f64>| {
        let none = Spread {
            count: 0,
            mean: 0.0,
            least: 0.0,
            most: 0.0,
        };
        Spread::of(losses).unwrap_or(none)
    };
    let others = appendix
        .iter()
        .enumerate()
        .filter(|&(source, _)| source != OBSERVER);
    Ok(Account {
        nodes,
        steps: rounds.steps,
        summed: spread(
            summed(setting, nodes, FEW_ROUNDS)?
                .into_iter()
                .flatten()
                .collect(),
        ),
        appendix: spread(others.map(|(_, loss)| loss.upper()).collect()),
        leakage: spread(
            leakage
                .iter()
                .flatten()
                .map(|loss| loss.loss.estimate)
                .collect(),
        ),
        refreshed: spread(
            refreshed
                .iter()
                .flatten()
                .map(|loss| loss.loss.certified.upper())
                .collect(),
        ),
    })
}

impl Account {
    /// The columns.
    pub const HEAD: [&'static str; 11] = [
        "nodes",
        "rounds",
        "gossip_steps",
        "summed_mean",
        "summed_most",
        "appendix_mean",
        "appendix_most",
        "leakage_mean_estimate",
        "leakage_most_estimate",
        "refreshed_mean_certified",
        "refreshed_most_certified",
    ];

    /// A row of the table.
    pub fn row(&self) -> Vec<String> {
        let mut row = vec![
            self.nodes.to_string(),
            FEW_ROUNDS.to_string(),
            self.steps.to_string(),
        ];
        for spread in [self.summed, self.appendix, self.leakage, self.refreshed] {
            row.extend([spread.mean.to_string(), spread.most.to_string()]);
        }
        row
    }

    /// What it says.
    pub fn finding(&self) -> Finding {
        Finding::new(
            format!(
                "n = {}, {FEW_ROUNDS} rounds: the gains over LDP are clear towards all nodes.",
                self.nodes
            ),
            format!(
                "Mean and largest loss, of {FEW_ROUNDS} for LDP: formula summed over the rounds {} and {}, as printed in the appendix {} and {}; leakage with \
                 gradients as inputs (an estimate) {} and {}; with fresh noise of sigma/sqrt(n) between the rounds' inputs, certified, {} and {}.",
                short(self.summed.mean),
                short(self.summed.most),
                short(self.appendix.mean),
                short(self.appendix.most),
                short(self.leakage.mean),
                short(self.leakage.most),
                short(self.refreshed.mean),
                short(self.refreshed.most)
            ),
        )
    }
}
