//! One averaging protocol, and its losses in each account.

use super::authors;
use super::setting::{ByDistance, Setting, by_distance, tau_of};
use muffliato::account::{Account, Choice, Formulas, Observers};
use muffliato::fast::bounds::PaperBounds;
use muffliato::prelude::{Graph, Network, Observer, Protocol};

/// Views of more messages are bounded by the closed form instead of factorised.
const MOST_MESSAGES: usize = 1500;

/// Muffliato for the steps that the theory asks for.
pub struct Averaging<'a> {
    setting: &'a Setting<'a>,
    /// What the graph is called.
    pub name: String,
    /// The network.
    pub network: Network,
    /// The number of steps.
    pub steps: usize,
    /// Where the authors' program cuts off its formula, in units of L.
    cut: f64,
}

/// Certified losses of a refreshed protocol towards one observer.
pub struct Refreshed {
    /// Upper ends, `None` for the observer.
    pub losses: Vec<Option<f64>>,
    /// Whether they are the loss itself, enclosed, and not a closed form above it.
    pub is_leakage: bool,
}

/// Losses of all sources towards one observer; `None` for the observer.
pub struct Leaked {
    /// Estimates, which promise nothing.
    pub estimates: Vec<Option<f64>>,
    /// Certified lower ends.
    pub at_least: Vec<Option<f64>>,
    /// Certified upper ends.
    pub at_most: Vec<Option<f64>>,
}

impl<'a> Averaging<'a> {
    /// The protocol on this graph with the steps for noise `sigma`.
    pub fn on(
        setting: &'a Setting<'a>,
        name: impl Into<String>,
        graph: Graph,
        sigma: f64,
    ) -> anyhow::Result<Self> {
        let network = Network::metropolis(graph)?;
        let steps = setting.steps(&network, sigma)?;
        Ok(Self {
            setting,
            name: name.into(),
            network,
            steps,
            cut: 1.0,
        })
    }

    /// The same for a figure in which the authors' program cuts off elsewhere than at LDP.
    pub fn authors_cut_at(mut self, cut: f64) -> Self {
        self.cut = cut;
        self
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        self.network.graph()
    }

    /// The one-shot protocol.
    pub fn protocol(&self) -> anyhow::Result<Protocol> {
        Ok(Protocol::one_shot(self.network.clone(), self.steps)?)
    }

    /// The paper's formula, or what the authors' program makes of it, for [`Self::bound`].
    fn bounds(&self) -> anyhow::Result<PaperBounds<'static>> {
        let steps = self.steps + usize::from(self.setting.as_authors);
        let protocol = Protocol::one_shot(self.network.clone(), steps)?;
        Ok(PaperBounds::of(&protocol)?)
    }

    fn bound(&self, formula: f64, source: usize, observer: usize) -> f64 {
        match self.setting.as_authors {
            true => authors::counted(formula, self.graph().has_edge(source, observer), self.cut),
            false => formula,
        }
    }

    /// The formula for all pairs, by source and observer.
    pub fn bound_of_pairs(&self) -> anyhow::Result<impl Fn(usize, usize) -> Option<f64>> {
        let bar = self.setting.session.progress(&self.name);
        let pairs = self.bounds()?.watched(&bar).all_pairs()?;
        Ok(move |source, observer| {
            let formula = pairs.get(source, observer)?.upper();
            (source != observer).then(|| self.bound(formula, source, observer))
        })
    }

    /// The formula for all pairs, by distance.
    pub fn bound_by_distance(&self) -> anyhow::Result<ByDistance> {
        let bound = self.bound_of_pairs()?;
        let nodes = self.graph().nodes();
        let losses = (0..nodes).flat_map(|observer| {
            let distances = self.graph().distances_from(observer);
            let bound = &bound;
            (0..nodes)
                .filter_map(move |source| Some((distances[source]?, bound(source, observer)?)))
        });
        Ok(by_distance(losses))
    }

    /// The formula of all others towards one node, or of this node towards all others as in the authors' program; `None` for itself.
    pub fn bound_around(&self, node: usize) -> anyhow::Result<Vec<Option<f64>>> {
        self.bound_of(node, self.setting.as_authors)
    }

    /// The formula from one node to all others, or from all others to it; `None` for itself.
    fn bound_of(&self, node: usize, is_source: bool) -> anyhow::Result<Vec<Option<f64>>> {
        let bar = self.setting.session.progress(&self.name);
        let bounds = self.bounds()?.watched(&bar);
        let found = match is_source {
            true => bounds.from_source(node)?,
            false => bounds.pairwise_all(&Observer::full(node))?,
        };
        let losses = found.iter().enumerate().map(|(other, formula)| {
            let (source, observer) = if is_source {
                (node, other)
            } else {
                (other, node)
            };
            (other != node).then(|| self.bound(formula.upper(), source, observer))
        });
        Ok(losses.collect())
    }

    /// The leakage of all sources towards an observer who knows its own noise.
    pub fn leakage_towards(&self, observer: usize) -> anyhow::Result<Leaked> {
        let bar = self.setting.session.progress(&self.name);
        towards(Account::of(&self.protocol()?)?.progress(&bar), observer)
    }

    /// The leakage towards some observers by distance: estimates, and certified upper ends.
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

    /// The same for the protocol with fresh noise of `1 / sqrt(n)` of sigma at each step, certified: the leakage, or for large views
    /// the first-passage bound.
    pub fn refreshed_towards(&self, observer: usize) -> anyhow::Result<Refreshed> {
        let bar = self.setting.session.progress("fresh noise");
        let tau = tau_of(self.graph().nodes())?;
        let protocol = self.protocol()?.refreshed(tau)?;
        let is_leakage = protocol.messages_to(&Observer::full(observer))? <= MOST_MESSAGES;
        let account = Account::of(&protocol)?.progress(&bar);
        let account = match is_leakage {
            true => account,
            false => account.closed_forms(),
        };
        let losses = towards(account, observer)?.at_most;
        Ok(Refreshed { losses, is_leakage })
    }

    /// What was found around some nodes, by distance.
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

/// What all sources lose to one observer, by the fast engine.
pub fn towards(account: Account<'_>, observer: usize) -> anyhow::Result<Leaked> {
    let nothing = vec![None; account.protocol().nodes()];
    let mut leaked = Leaked {
        estimates: nothing.clone(),
        at_least: nothing.clone(),
        at_most: nothing,
    };
    let account = account.engine(Choice::Fast).formulas(Formulas::NONE);
    let found = account
        .observers(Observers::Listed(vec![observer]))
        .pairs()?;
    for pair in found.into_iter().flat_map(|towards| towards.pairs) {
        leaked.estimates[pair.source] = Some(pair.loss.value());
        leaked.at_least[pair.source] = Some(pair.loss.lower());
        leaked.at_most[pair.source] = Some(pair.loss.upper());
    }
    Ok(leaked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;
    use muffliato::model::families;

    /// Figure 1a: on the hypercube the distance determines the formula, it falls with distance, and both directions agree; with the
    /// authors' deviations as well, where it is cut off at LDP. Leakage does not fall.
    #[test]
    fn facts_of_figure_1a() {
        let session = Session::new(true);
        for as_authors in [false, true] {
            let setting = Setting::quick(&session, as_authors);
            let cube = families::hypercube(7).unwrap();
            let averaging = Averaging::on(&setting, "cube", cube, 1.0).unwrap();
            // ln(128) over the root of the gap 2/8.
            assert_eq!(averaging.steps, 10);
            let losses = averaging.bound_by_distance().unwrap();
            assert!(
                losses
                    .values()
                    .all(|at| at.most - at.least < 1e-9 * at.most)
            );
            let means: Vec<f64> = losses.values().map(|at| at.mean).collect();
            let falls = |means: &[f64]| means.windows(2).all(|pair| pair[1] <= pair[0]);
            assert!(falls(&means), "{means:?}");
            assert_eq!(means[0] > 1.0, !as_authors, "{means:?}");
            let (from, towards) = (
                averaging.bound_of(5, true).unwrap(),
                averaging.bound_of(5, false).unwrap(),
            );
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

    /// By hand: on a path of three nodes with one step, the messages of time 0 count for the paper, and those of time 1 for the authors'
    /// program: row 1 of W is (1/3, 1/3, 1/3).
    #[test]
    fn the_authors_begin_one_step_later() {
        let session = Session::new(true);
        for (as_authors, expected) in [(false, [1.0, 0.0]), (true, [1.0 / 3.0, 1.0 / 3.0])] {
            let setting = Setting::quick(&session, as_authors);
            let network = Network::metropolis(families::path(3).unwrap()).unwrap();
            let averaging = Averaging {
                setting: &setting,
                name: "path".into(),
                network,
                steps: 1,
                cut: 1.0,
            };
            let found = averaging.bound_of(2, false).unwrap();
            for (found, expected) in [found[1], found[0]].into_iter().zip(expected) {
                assert!(
                    (found.unwrap() - expected).abs() < 1e-12,
                    "{found:?} {expected}"
                );
            }
        }
    }
}
