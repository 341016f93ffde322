//! Settings, statistics and wording shared by the experiments.

use super::authors;
use super::files::DataFolder;
use muffliato::command::data::uniform;
use muffliato::command::session::Session;
use muffliato::fast::{
    FastError, GapOptions, Rate, SparseWeights, spectral_gap, steps_to_converge,
};
use muffliato::prelude::*;
use std::collections::BTreeMap;

/// Settings of a run.
pub struct Setting<'a> {
    pub session: &'a Session,
    pub data: DataFolder,
    /// Use smaller graphs and fewer trials.
    pub quick: bool,
    /// Reproduce the deviations of the authors' program.
    pub as_authors: bool,
    /// Number of trials, if the user gave one.
    pub trials: Option<usize>,
    pub seed: u64,
}

/// Noise of the paper's averaging experiments: with alpha = 2 and inputs in [0, 1], L = 1.
pub const SIGMA: f64 = 1.0;

impl Setting<'_> {
    /// Returns `usual`, or `quick` in a quick run.
    pub fn choose<T>(&self, usual: T, quick: T) -> T {
        if self.quick { quick } else { usual }
    }

    /// Returns the number of trials.
    pub fn trials_or(&self, usual: usize, quick: usize) -> usize {
        self.trials.unwrap_or(self.choose(usual, quick))
    }

    /// Estimates the gap that determines the steps: uses both ends of the spectrum, or with
    /// `--as-authors` from the upper end alone.
    pub fn gap(&self, network: &Network) -> anyhow::Result<f64> {
        Ok(if self.as_authors { authors::upper_gap(network)? } else { gap_of(network)? })
    }

    /// Returns the number of accelerated steps of Theorem 2 for inputs in [0, 1], whose variance is at
    /// most 1/4.
    pub fn steps(&self, network: &Network, sigma: f64) -> anyhow::Result<usize> {
        let gap = self.gap(network)?.min(1.0);
        let nodes = network.graph().nodes();
        let steps = steps_to_converge(Rate::Accelerated, gap, nodes, 0.25, sigma)?;
        Ok(steps.max(1))
    }

    /// Samples nodes by the seed, in ascending order.
    pub fn sample(&self, nodes: usize, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..nodes).collect();
        order.sort_by(|&a, &b| {
            let place = |node: usize| uniform(self.seed ^ 0xA11CE, node as u64);
            place(a).total_cmp(&place(b))
        });
        order.truncate(count);
        order.sort_unstable();
        order
    }

    /// Returns the name of the formula.
    pub fn bound_name(&self) -> &'static str {
        if self.as_authors { "Theorem 1 as in the authors' program" } else { "Theorem 1" }
    }

    /// Returns the name of the formula for titles and legends.
    pub fn refuted_bound(&self) -> String {
        format!("{} (refuted)", self.bound_name())
    }

    /// Returns the role of the marked node: losses of all others towards it, or with `--as-authors`
    /// its own towards all others.
    pub fn marked(&self) -> &'static str {
        if self.as_authors { "source" } else { "observer" }
    }

    /// Returns the preposition for the losses of other nodes.
    pub fn direction(&self) -> &'static str {
        if self.as_authors { "from" } else { "towards" }
    }
}

#[cfg(test)]
impl<'a> Setting<'a> {
    pub fn quick(session: &'a Session, as_authors: bool) -> Self {
        Self {
            session,
            data: DataFolder::find(None).expect("no folder was asked for"),
            quick: true,
            as_authors,
            trials: None,
            seed: 0,
        }
    }
}

/// Estimates the spectral gap uses both ends of the spectrum.
pub fn gap_of(network: &Network) -> anyhow::Result<f64> {
    let weights = SparseWeights::of_network(network)?;
    let options = GapOptions { prove_up_to: 0, ..GapOptions::default() };
    Ok(spectral_gap(&weights, &options, &())?.estimate)
}

/// Count, mean and range of several losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub count: usize,
    pub mean: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    /// Summarises numbers; `None` if there are none.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for number in numbers {
            let spread =
                found.get_or_insert(Self { count: 0, mean: 0.0, least: number, most: number });
            spread.count += 1;
            spread.mean += (number - spread.mean) / spread.count as f64;
            spread.least = spread.least.min(number);
            spread.most = spread.most.max(number);
        }
        found
    }
}

pub type ByDistance = BTreeMap<usize, Spread>;

pub fn by_distance(losses: impl IntoIterator<Item = (usize, f64)>) -> ByDistance {
    let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (distance, loss) in losses {
        groups.entry(distance).or_default().push(loss);
    }
    let spread = |(distance, losses)| Some((distance, Spread::of(losses)?));
    groups.into_iter().filter_map(spread).collect()
}

/// Returns the mean and the population standard deviation.
pub fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let square: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (mean, (square / count).sqrt())
}

/// Returns the slope of the least-squares line through `(ln x, ln y)`, the exponent of a power law.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let x = logs.iter().map(|point| point.0).sum::<f64>() / count;
    let y = logs.iter().map(|point| point.1).sum::<f64>() / count;
    let above: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let below: f64 = logs.iter().map(|point| (point.0 - x).powi(2)).sum();
    above / below
}

/// Returns Spearman's rank correlation; ties share the mean of their ranks.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |value: &dyn Fn(&(f64, f64)) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&a, &b| value(&pairs[a]).total_cmp(&value(&pairs[b])));
        let mut ranks = vec![0.0; pairs.len()];
        let mut start = 0;
        while start < order.len() {
            let same = |&&place: &&usize| value(&pairs[place]) == value(&pairs[order[start]]);
            let count = order[start..].iter().take_while(same).count();
            for &place in &order[start..start + count] {
                ranks[place] = start as f64 + (count as f64 - 1.0) / 2.0;
            }
            start += count;
        }
        ranks
    };
    let (first, second) = (ranks(&|pair| pair.0), ranks(&|pair| pair.1));
    let ((a, spread_a), (b, spread_b)) = (mean_and_deviation(&first), mean_and_deviation(&second));
    let products = first.iter().zip(&second).map(|(x, y)| (x - a) * (y - b));
    products.sum::<f64>() / pairs.len() as f64 / (spread_a * spread_b)
}

/// Returns the default fresh noise `1 / sqrt(n)`, with the root rounded to an integer.
pub fn tau_of(nodes: usize) -> Result<Fraction, FastError> {
    let root = (nodes as f64).sqrt().round().max(1.0) as i128;
    Fraction::try_new(1, root).map_err(|_| FastError::BadParameter {
        parameter: "tau",
        value: root.to_string(),
        expected: "it is one over the root of the number of nodes",
    })
}

/// Formats three significant digits.
pub fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".into(),
        size if (0.001..1000.0).contains(&size) => {
            let digits = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{number:.digits$}")
        }
        _ => format!("{number:.2e}"),
    }
}

/// Lists where something is true: `all of them`, `none of them`, or `A and B`.
pub fn where_true<'a>(cases: impl IntoIterator<Item = (&'a str, bool)>) -> String {
    let cases: Vec<_> = cases.into_iter().collect();
    let names = cases.iter().filter(|case| case.1).map(|case| case.0);
    let names: Vec<_> = names.collect();
    match names.split_last() {
        None => "none of them".into(),
        Some(_) if names.len() == cases.len() => "all of them".into(),
        Some((last, [])) => (*last).to_string(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Returns `yes` or `no`.
pub fn choose<'a>(condition: bool, yes: &'a str, no: &'a str) -> &'a str {
    if condition { yes } else { no }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_by_hand() {
        let pairs = [(1.0, 9.0), (2.0, 4.0), (3.0, 4.0), (4.0, 1.0)];
        // Ranks 0 1 2 3 and 3 1.5 1.5 0: covariance -1.125, variances 1.25 and 1.125.
        let expected = -1.125 / (1.25_f64 * 1.125).sqrt();
        assert!((rank_correlation(&pairs) - expected).abs() < 1e-15);
        let law: Vec<_> = (1..6).map(|n| (f64::from(n), 3.0 * f64::from(n).powf(-1.5))).collect();
        assert!((exponent(&law) + 1.5).abs() < 1e-12);
        assert_eq!(mean_and_deviation(&[1.0, 3.0]), (2.0, 1.0));
        let spread = Spread::of([2.0, 1.0, 6.0]).unwrap();
        assert_eq!((spread.count, spread.mean, spread.least, spread.most), (3, 3.0, 1.0, 6.0));
        assert_eq!([short(0.012345), short(12.34), short(1e-7)], ["0.0123", "12.3", "1.00e-7"]);
    }

    #[test]
    fn places_are_named_unless_all_or_none() {
        let told = |true_of: [bool; 3]| where_true(["a", "b", "c"].into_iter().zip(true_of));
        assert_eq!(told([true; 3]), "all of them");
        assert_eq!(told([false; 3]), "none of them");
        assert_eq!(told([false, true, false]), "b");
        assert_eq!(told([true, false, true]), "a and c");
    }
}
