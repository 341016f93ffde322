//! Averaging on one graph, and its losses by each account.

use super::authors;
use super::setting::{ByDistance, Setting, by_distance, tau_of};
use muffliato::account::{Account, AccountBuilder, Choice, Formulas, Observers};
use muffliato::fast::bounds::PaperBounds;
use muffliato::prelude::{Graph, Network, Observer, Protocol};

/// Largest view, in messages, that is factorised; larger ones get the closed form.
const MOST_MESSAGES: usize = 1500;

/// Muffliato on one graph with the number of steps of Theorem 2.
pub struct Averaging<'a> {
    setting: &'a Setting<'a>,
    pub name: String,
    pub network: Network,
    pub steps: usize,
    /// Cap on the formula in the authors' program, in units of L.
    cap: f64,
}

/// Certified losses of the refreshed protocol towards one observer.
pub struct Refreshed {
    /// Upper ends; `None` for the observer.
    pub losses: Vec<Option<f64>>,
    /// `true` if they enclose the loss itself, `false` if they are a closed form above it.
    pub is_leakage: bool,
}

/// Losses of all sources towards one observer; `None` for the observer.
pub struct Leaked {
    /// Estimates, without a guarantee.
    pub estimates: Vec<Option<f64>>,
    /// Certified lower ends.
    pub at_least: Vec<Option<f64>>,
    /// Certified upper ends.
    pub at_most: Vec<Option<f64>>,
}

impl<'a> Averaging<'a> {
    /// Creates the protocol on a graph, with the number of steps for noise `sigma`.
    pub fn new(
        setting: &'a Setting<'a>,
        name: impl Into<String>,
        graph: Graph,
        sigma: f64,
    ) -> anyhow::Result<Self> {
        let network = Network::metropolis(graph)?;
        let steps = setting.steps(&network, sigma)?;
        Ok(Self { setting, name: name.into(), network, steps, cap: 1.0 })
    }

    /// Sets the cap of the authors' program where it differs from LDP.
    pub fn with_authors_cap(mut self, cap: f64) -> Self {
        self.cap = cap;
        self
    }

    pub fn graph(&self) -> &Graph {
        self.network.graph()
    }

    pub fn protocol(&self) -> anyhow::Result<Protocol> {
        Ok(Protocol::one_shot(self.network.clone(), self.steps)?)
    }

    /// Returns the bounds from which [`Self::bound`] derives a loss, for one step more with
    /// `--as-authors`.
    fn bounds(&self) -> anyhow::Result<PaperBounds<'static>> {
        let steps = self.steps + usize::from(self.setting.as_authors);
        let protocol = Protocol::one_shot(self.network.clone(), steps)?;
        Ok(PaperBounds::of(&protocol)?)
    }

    fn bound(&self, formula: f64, source: usize, observer: usize) -> f64 {
        if self.setting.as_authors {
            authors::theorem_1_as_counted(
                formula,
                self.graph().has_edge(source, observer),
                self.cap,
            )
        } else {
            formula
        }
    }

    /// Returns the formula as a function of source and observer.
    pub fn bound_of_pairs(&self) -> anyhow::Result<impl Fn(usize, usize) -> Option<f64>> {
        let bar = self.setting.session.progress(&self.name);
        let pairs = self.bounds()?.watched(&bar).all_pairs()?;
        Ok(move |source, observer| {
            let formula = pairs.get(source, observer)?.upper();
            (source != observer).then(|| self.bound(formula, source, observer))
        })
    }

    /// Returns the formula for all pairs, grouped by distance.
    pub fn bound_by_distance(&self) -> anyhow::Result<ByDistance> {
        let bound = self.bound_of_pairs()?;
        let nodes: Vec<usize> = (0..self.graph().nodes()).collect();
        self.around(&nodes, |observer| {
            Ok(nodes.iter().map(|&source| bound(source, observer)).collect())
        })
    }

    /// Returns the formula from all others to `node`, or from `node` to all others with
    /// `--as-authors`; `None` for `node` itself.
    pub fn bound_around(&self, node: usize) -> anyhow::Result<Vec<Option<f64>>> {
        self.bound_of(node, self.setting.as_authors)
    }

    /// Returns the formula from `node` to all others or from all others to it; `None` for itself.
    fn bound_of(&self, node: usize, is_source: bool) -> anyhow::Result<Vec<Option<f64>>> {
        let bar = self.setting.session.progress(&self.name);
        let bounds = self.bounds()?.watched(&bar);
        let found = if is_source {
            bounds.from_source(node)?
        } else {
            bounds.pairwise_all(&Observer::full(node))?
        };
        let losses = found.iter().enumerate().map(|(other, formula)| {
            let (source, observer) = if is_source { (node, other) } else { (other, node) };
            (other != node).then(|| self.bound(formula.upper(), source, observer))
        });
        Ok(losses.collect())
    }

    /// Returns the leakage of all sources towards an observer who knows its own noise.
    pub fn leakage_towards(&self, observer: usize) -> anyhow::Result<Leaked> {
        let bar = self.setting.session.progress(&self.name);
        losses_towards(Account::of(&self.protocol()?).progress(&bar), observer)
    }

    /// Returns the leakage towards `observers` by distance: estimates and certified upper ends.
    pub fn leakage_around(&self, observers: &[usize]) -> anyhow::Result<[ByDistance; 2]> {
        let mut ends = Vec::new();
        let estimates = self.around(observers, |observer| {
            let found = self.leakage_towards(observer)?;
            ends.push(found.at_most);
            Ok(found.estimates)
        })?;
        let mut ends = ends.into_iter();
        let at_most = self.around(observers, |_| Ok(ends.next().unwrap_or_default()))?;
        Ok([estimates, at_most])
    }

    /// Returns certified losses with fresh noise of sigma / sqrt(n) at each step: the leakage, or
    /// the first-passage bound for large views.
    pub fn refreshed_towards(&self, observer: usize) -> anyhow::Result<Refreshed> {
        let bar = self.setting.session.progress("fresh noise");
        let tau = tau_of(self.graph().nodes())?;
        let protocol = self.protocol()?.refreshed(tau)?;
        let is_leakage = protocol.messages_to(&Observer::full(observer))? <= MOST_MESSAGES;
        let account = Account::of(&protocol).progress(&bar);
        let account = if is_leakage { account } else { account.closed_forms() };
        let losses = losses_towards(account, observer)?.at_most;
        Ok(Refreshed { losses, is_leakage })
    }

    /// Groups the losses around `nodes` by distance.
    pub fn around(
        &self,
        nodes: &[usize],
        mut losses: impl FnMut(usize) -> anyhow::Result<Vec<Option<f64>>>,
    ) -> anyhow::Result<ByDistance> {
        let mut all = Vec::new();
        for &node in nodes {
            let distances = self.graph().distances_from(node);
            let found = losses(node)?;
            let pairs = distances.into_iter().zip(found);
            all.extend(pairs.filter_map(|(distance, loss)| Some((distance?, loss?))));
        }
        Ok(by_distance(all))
    }
}

/// Returns the loss of every source towards one observer, by the fast engine.
pub fn losses_towards(account: AccountBuilder<'_>, observer: usize) -> anyhow::Result<Leaked> {
    let account = account.engine(Choice::Fast).formulas(Formulas::NONE);
    let account = account.observers(Observers::Listed(vec![observer])).build()?;
    let nothing = vec![None; account.protocol().nodes()];
    let mut leaked =
        Leaked { estimates: nothing.clone(), at_least: nothing.clone(), at_most: nothing };
    for pair in account.pairs()?.into_iter().flat_map(|towards| towards.pairs) {
        leaked.estimates[pair.source()] = Some(pair.loss.value());
        leaked.at_least[pair.source()] = Some(pair.loss.lower());
        leaked.at_most[pair.source()] = Some(pair.loss.upper());
    }
    Ok(leaked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;
    use muffliato::model::families;

    /// Figure 1a: on the hypercube the distance determines the formula, the formula falls with
    /// distance, and both directions agree. This holds with the authors' deviations, too, where the
    /// formula is capped at LDP. Leakage does not fall.
    #[test]
    fn facts_of_figure_1a() {
        let session = Session::new(true);
        for as_authors in [false, true] {
            let setting = Setting::quick(&session, as_authors);
            let cube = families::hypercube(7).unwrap();
            let averaging = Averaging::new(&setting, "cube", cube, 1.0).unwrap();
            // ln(128) over the root of the gap 2/8.
            assert_eq!(averaging.steps, 10);
            let losses = averaging.bound_by_distance().unwrap();
            assert!(losses.values().all(|at| at.most - at.least < 1e-9 * at.most));
            let means: Vec<f64> = losses.values().map(|at| at.mean).collect();
            let falls = |means: &[f64]| means.windows(2).all(|pair| pair[1] <= pair[0]);
            assert!(falls(&means), "{means:?}");
            assert_eq!(means[0] > 1.0, !as_authors, "{means:?}");
            let (from, towards) =
                (averaging.bound_of(5, true).unwrap(), averaging.bound_of(5, false).unwrap());
            for (from, towards) in from.into_iter().zip(towards) {
                assert!((from.unwrap_or(0.0) - towards.unwrap_or(0.0)).abs() < 1e-9);
            }
            let [leakage, at_most] = averaging.leakage_around(&[0]).unwrap();
            assert!((leakage[&7].mean - 1.0).abs() < 1e-6, "{leakage:?}");
            for (distance, found) in &leakage {
                assert!(found.most <= at_most[distance].most + 1e-6, "{at_most:?}");
            }
            let refreshed = averaging.around(&[0], |v| Ok(averaging.refreshed_towards(v)?.losses));
            let means: Vec<f64> = refreshed.unwrap().values().map(|at| at.mean).collect();
            assert!(falls(&means) && means[6] < 0.02, "{means:?}");
        }
    }

    /// A path of three nodes and one step, by hand: the paper counts the messages of time 0, the
    /// authors' program those of time 1. Row 1 of W is (1/3, 1/3, 1/3).
    #[test]
    fn the_authors_begin_one_step_later() {
        let session = Session::new(true);
        for (as_authors, expected) in [(false, [1.0, 0.0]), (true, [1.0 / 3.0, 1.0 / 3.0])] {
            let setting = Setting::quick(&session, as_authors);
            let network = Network::metropolis(families::path(3).unwrap()).unwrap();
            let averaging =
                Averaging { setting: &setting, name: "path".into(), network, steps: 1, cap: 1.0 };
            let found = averaging.bound_of(2, false).unwrap();
            for (found, expected) in [found[1], found[0]].into_iter().zip(expected) {
                assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?} {expected}");
            }
        }
    }
}
