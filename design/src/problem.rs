//! What is asked for: weights, steps, a mask graph, targets; and what is answered: variances.

use crate::{
    Costs, Covering, LEAST_COST, LowerProof, LowerRefusal, Potential, fresh::Gossip,
    solve::Programme,
};
use muffliato_certificate::{check_lower, scaled_gain};
use muffliato_model::{
    Fraction, FractionError, Graph, GraphError, Network, NoisePlan, WeightError, threads,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::collections::{HashMap, HashSet};

/// The most numbers that the inverses of all observers may hold; beyond it take the [`Covering`] plan.
const MAX_WORK: usize = 1 << 27;
/// The most products that one look at all losses may take without secrets.
const MAX_MESSAGES: u128 = 1 << 31;
/// The most nodes and edges together: the solver's matrix is dense.
const MAX_DRAWS: usize = 6000;

/// Why a design, a plan or its proof was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The mask graph has other nodes than the network.
    #[error(
        "the mask graph has {masks} nodes, the network {nodes}; give a graph on the same nodes"
    )]
    MaskGraph {
        /// Nodes of the mask graph.
        masks: usize,
        /// Nodes of the network.
        nodes: usize,
    },
    /// No pair has a target.
    #[error("no pair of a source and an observer has a target; give at least one")]
    NoTargets,
    /// A target is not positive.
    #[error("the target {value} is not positive; give a loss above 0")]
    Target {
        /// Its value.
        value: String,
    },
    /// A pair names a node that does not exist, or a node with itself.
    #[error(
        "no target can be set for source {source_node} and observer {observer}; they must be two different nodes of 0..{nodes}"
    )]
    Pair {
        /// The source.
        source_node: usize,
        /// The observer.
        observer: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Coalitions are empty or leave nobody to protect.
    #[error(
        "coalitions of {size} among {nodes} nodes; take at least 1 and leave at least one node outside"
    )]
    Coalition {
        /// How many nodes collude.
        size: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// The problem is too large for the solver.
    #[error(
        "{nodes} nodes, {masks} masks and {sets} sets of observers are too many for the solver; use the covering plan"
    )]
    TooLarge {
        /// How many nodes.
        nodes: usize,
        /// How many masks.
        masks: usize,
        /// How many sets of observers.
        sets: u128,
    },
    /// The error bound of so many steps is too large, or the error cannot be estimated in time.
    #[error(
        "{steps} steps are too many to bound rounding errors, or to estimate the error of a large graph; take fewer"
    )]
    TooManySteps {
        /// How many.
        steps: usize,
    },
    /// A plan for a large graph is for all pairs.
    #[error(
        "plans for graphs of this size are for all pairs and single observers, with shared secrets; ask for no other targets, no coalitions and nobody missing"
    )]
    LargeTargets,
    /// The weights are of a kind that is not known here.
    #[error(
        "the costs of these weights are not known; use Metropolis, max-degree-inverse, lazy or custom weights"
    )]
    Weights,
    /// A plan is for other nodes or masks.
    #[error(
        "the plan is not for these nodes and masks; give one variance for each node and each edge of the mask graph, in order, and for the fresh noise of each node only if nobody shares secrets"
    )]
    Shape,
    /// A plan is for another graph.
    #[error("the plan is for another graph, {0}; give the same graph")]
    OtherGraph(String),
    /// A variance is negative.
    #[error("a variance of the plan is negative; give numbers of at least 0")]
    NegativeVariance,
    /// A plan does not provably meet a target.
    #[error(
        "source {source_node} may lose {loss} times its target to the observers {observers:?}; raise the variances by that factor"
    )]
    Missed {
        /// The source.
        source_node: usize,
        /// The observers.
        observers: Vec<usize>,
        /// A bound on its loss, in multiples of the target.
        loss: f64,
    },
    /// No losses could be certified.
    #[error("no plan could be certified within the time; allow more")]
    NotCertified,
    /// The lower end was refused.
    #[error(transparent)]
    Lower(#[from] LowerRefusal),
    /// A number was refused.
    #[error(transparent)]
    Number(#[from] FractionError),
    /// A graph was refused.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Weights were refused.
    #[error(transparent)]
    Weight(#[from] WeightError),
    /// The text is not a design.
    #[error("this is not a design: {0}")]
    File(String),
}

/// The largest losses that are allowed, in units of L.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Targets {
    /// One target for all pairs.
    All(Fraction),
    /// The target at distance 1, 2, ... in the network; the last one holds for all nodes farther away. `None` leaves a distance without a target.
    ByDistance(Vec<Option<Fraction>>),
    /// Targets of (source, observer); other pairs have none.
    Pairs(Vec<(usize, usize, Fraction)>),
}

/// The pair that loses most in multiples of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstLoss {
    /// An upper bound on its loss in multiples of its target; infinite if nothing is proved.
    pub ratio: f64,
    /// An upper bound on its loss, in units of `L`.
    pub loss: f64,
    /// The source.
    pub source: usize,
    /// The observers.
    pub observers: Vec<usize>,
}

/// Two certified ends of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The number is at least this.
    pub lower: f64,
    /// The number is at most this.
    pub upper: f64,
}

impl Ends {
    /// Returns the gap relative to the lower end.
    pub fn gap(&self) -> f64 {
        self.upper / self.lower - 1.0
    }
}

/// Returns all variances: of nodes, masks and fresh noise.
pub(crate) fn variances(plan: &NoisePlan) -> impl Iterator<Item = Fraction> {
    let masks = plan.masks.iter().map(|(_, variance)| variance);
    plan.nodes.iter().chain(masks).chain(&plan.fresh).copied()
}

/// The weights, the number of steps, the mask graph, the targets and the coalitions that a plan is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    network: Network,
    steps: usize,
    mask_graph: Graph,
    /// Without secrets nodes have fresh noise in place of masks.
    secrets: bool,
    targets: Targets,
    coalition: usize,
    /// The different targets, the smallest first.
    levels: Vec<BigRational>,
    /// For each source and observer the number of its target in `levels`; empty if all pairs have one.
    level: Vec<Option<u32>>,
}

impl Problem {
    /// Returns the problem with masks between neighbours, the target 1 for all pairs and every single observer.
    pub fn new(network: Network, steps: usize) -> Result<Self, DesignError> {
        let mask_graph = network.graph().clone();
        let problem = Self {
            network,
            steps,
            mask_graph,
            secrets: true,
            targets: Targets::All(Fraction::ONE),
            coalition: 1,
            levels: Vec::new(),
            level: Vec::new(),
        };
        problem.with_targets(Targets::All(Fraction::ONE))
    }

    /// Sets the mask graph: who shares keys.
    pub fn with_mask_graph(mut self, graph: Graph) -> Result<Self, DesignError> {
        let (masks, nodes) = (graph.nodes(), self.network.graph().nodes());
        if masks != nodes {
            return Err(DesignError::MaskGraph { masks, nodes });
        }
        self.mask_graph = graph;
        Ok(self)
    }

    /// Asks for a plan without secrets: nobody shares masks, and nodes have fresh noise at every step.
    pub fn without_secrets(mut self) -> Result<Self, DesignError> {
        self.mask_graph = Graph::try_new(self.mask_graph.nodes(), [])?;
        self.secrets = false;
        Ok(self)
    }

    /// Sets the targets.
    pub fn with_targets(mut self, targets: Targets) -> Result<Self, DesignError> {
        let graph = self.network.graph();
        let nodes = graph.nodes();
        if let Targets::All(target) = targets {
            let alone = if nodes < 2 { Err(DesignError::NoTargets) } else { Ok(()) };
            alone.and_then(|()| check_target(target))?;
            (self.levels, self.level) = (vec![rational(target)], Vec::new());
            self.targets = targets;
            return Ok(self);
        }
        if nodes.saturating_mul(nodes) > MAX_WORK {
            let (masks, sets) = (self.mask_graph.edge_count(), nodes as u128);
            return Err(DesignError::TooLarge { nodes, masks, sets });
        }
        let mut table: Vec<Option<Fraction>> = vec![None; nodes * nodes];
        match &targets {
            Targets::All(_) => {}
            Targets::ByDistance(list) => {
                for v in 0..nodes {
                    for (u, distance) in graph.distances_from(v).into_iter().enumerate() {
                        let at = distance
                            .unwrap_or(usize::MAX)
                            .saturating_sub(1)
                            .min(list.len().saturating_sub(1));
                        table[u * nodes + v] = list.get(at).copied().flatten();
                    }
                }
            }
            Targets::Pairs(pairs) => {
                for &(u, v, target) in pairs {
                    if u >= nodes || v >= nodes || u == v {
                        return Err(DesignError::Pair { source_node: u, observer: v, nodes });
                    }
                    let entry = &mut table[u * nodes + v];
                    let least = entry.map_or(target, |old| {
                        if rational(old) < rational(target) { old } else { target }
                    });
                    *entry = Some(least);
                }
            }
        }
        (0..nodes).for_each(|v| table[v * nodes + v] = None);
        table.iter().flatten().try_for_each(|target| check_target(*target))?;
        // Most pairs share few targets: long numbers are made of different ones alone.
        let different: HashSet<Fraction> = table.iter().flatten().copied().collect();
        let mut different: Vec<(BigRational, Fraction)> =
            different.into_iter().map(|target| (rational(target), target)).collect();
        different.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        if different.is_empty() {
            return Err(DesignError::NoTargets);
        }
        let (levels, different): (Vec<BigRational>, Vec<Fraction>) = different.into_iter().unzip();
        let numbers: HashMap<Fraction, u32> = different.into_iter().zip(0..).collect();
        let number = |target: &Option<Fraction>| numbers.get(target.as_ref()?).copied();
        self.level = table.iter().map(number).collect();
        self.levels = levels;
        self.targets = targets;
        Ok(self)
    }

    /// Sets how many nodes collude. Targets that hold for every coalition of `k + 1` nodes hold for single observers with any k nodes missing at the injection.
    pub fn with_coalitions(mut self, size: usize) -> Result<Self, DesignError> {
        let nodes = self.network.graph().nodes();
        if size == 0 || size >= nodes {
            return Err(DesignError::Coalition { size, nodes });
        }
        self.coalition = size;
        Ok(self)
    }

    /// Sets the number of gossip steps.
    pub fn with_steps(self, steps: usize) -> Self {
        Self { steps, ..self }
    }

    /// Returns the network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the number of gossip steps.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the mask graph.
    pub fn mask_graph(&self) -> &Graph {
        &self.mask_graph
    }

    /// Returns whether nodes share secrets, and so masks.
    pub fn secrets(&self) -> bool {
        self.secrets
    }

    /// Returns the targets.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Returns how many nodes collude.
    pub fn coalition(&self) -> usize {
        self.coalition
    }

    /// Computes what each draw costs, for problems that the solver takes.
    pub fn costs(&self) -> Result<Costs, DesignError> {
        self.check_size()?;
        Costs::of(&self.network, self.steps, &self.mask_graph)
    }

    /// Returns the target of a source towards observers, the least of those towards its members; `None` if there is none, or if this is no pair of the problem.
    pub fn target(&self, source: usize, observers: &[usize]) -> Option<BigRational> {
        self.level_of(source, observers).map(|level| self.levels[level as usize].clone())
    }

    fn level_of(&self, source: usize, observers: &[usize]) -> Option<u32> {
        let nodes = self.mask_graph.nodes();
        let exist = source < nodes && observers.iter().all(|&v| v < nodes && v != source);
        if !exist || observers.len() > self.coalition {
            return None;
        }
        let level = |v: &usize| match self.level.is_empty() {
            true => Some(0),
            false => self.level[source * nodes + v],
        };
        observers.iter().filter_map(level).min()
    }

    /// The target, rounded down.
    pub(crate) fn target_below(&self, source: usize, observers: &[usize]) -> Option<f64> {
        self.target(source, observers).map(|target| down(&target))
    }

    /// Returns the least target.
    pub fn least_target_exact(&self) -> &BigRational {
        &self.levels[0]
    }

    /// Returns the least target, rounded down.
    pub fn least_target(&self) -> f64 {
        down(&self.levels[0])
    }

    /// Returns the variance with which each node alone, without masks, meets its strictest target: the noise of LDP.
    pub fn local_variances(&self) -> Vec<f64> {
        let nodes = self.mask_graph.nodes();
        let variance = |u: usize| {
            let strictest = (0..nodes).filter_map(|v| self.level_of(u, &[v])).min();
            strictest.map_or(0.0, |level| 1.0 / down(&self.levels[level as usize]))
        };
        (0..nodes).map(variance).collect()
    }

    /// Returns the error of a trusted aggregator at the least target, `1 / (n r)`, in units of `sigma^2 / (2 n)`.
    pub fn trusted_error(&self) -> f64 {
        1.0 / (self.mask_graph.nodes() as f64 * self.least_target())
    }

    /// Refuses what is too large for the solver.
    pub(crate) fn check_size(&self) -> Result<(), DesignError> {
        let (nodes, masks) = (self.mask_graph.nodes(), self.mask_graph.edge_count());
        let mut sets = 1_u128;
        for k in 0..self.coalition {
            sets = sets.saturating_mul((nodes - k) as u128) / (k as u128 + 1);
        }
        let numbers = sets.saturating_mul((nodes * nodes) as u128);
        let messages = numbers.saturating_mul(self.steps as u128);
        let heard = !self.secrets && messages > MAX_MESSAGES;
        if numbers > MAX_WORK as u128 || nodes + masks > MAX_DRAWS || heard {
            return Err(DesignError::TooLarge { nodes, masks, sets });
        }
        Ok(())
    }

    /// Every coalition of the problem's size.
    pub(crate) fn observer_sets(&self) -> Result<Vec<Vec<usize>>, DesignError> {
        let nodes = self.mask_graph.nodes();
        if self.coalition >= nodes {
            return Err(DesignError::NoTargets);
        }
        self.check_size()?;
        let mut sets = vec![Vec::new()];
        for _ in 0..self.coalition {
            let longer = |set: &Vec<usize>| {
                let set = set.clone();
                let first = set.last().map_or(0, |last| last + 1);
                (first..nodes).map(move |v| set.iter().copied().chain([v]).collect())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        Ok(sets)
    }

    pub(crate) fn skeleton(&self) -> Result<Programme, DesignError> {
        let gossip = (!self.secrets).then(|| Gossip::of(&self.network, self.steps));
        Ok(Programme {
            nodes: self.mask_graph.nodes(),
            edges: self.mask_graph.edges().collect(),
            gossip: gossip.transpose()?,
            cost: Vec::new(),
            observers: Vec::new(),
            targets: Vec::new(),
        })
    }

    /// The costs of the draws of a plan: nodes, masks, and fresh noise without secrets.
    fn costs_of_draws<'a>(&self, costs: &'a Costs) -> impl Iterator<Item = &'a (f64, f64)> {
        let fresh = if self.secrets { &[][..] } else { &costs.fresh };
        costs.nodes.iter().chain(&costs.masks).chain(fresh)
    }

    /// The programme in floats: costs in multiples of `1/n`, targets in multiples of the least one.
    pub(crate) fn programme(&self, costs: &Costs) -> Result<Programme, DesignError> {
        let mut programme = self.skeleton()?;
        let nodes = programme.nodes;
        let cost = |cost: &(f64, f64)| (cost.1 * nodes as f64).max(LEAST_COST);
        programme.cost = self.costs_of_draws(costs).map(cost).collect();
        let relative: Vec<f64> = self
            .levels
            .iter()
            .map(|level| (level / &self.levels[0]).to_f64().unwrap_or(f64::MAX))
            .collect();
        for observers in self.observer_sets()? {
            let target = |u| {
                self.level_of(u, &observers).map_or(f64::INFINITY, |level| relative[level as usize])
            };
            let targets: Vec<f64> = (0..nodes).map(target).collect();
            if targets.iter().any(|target| target.is_finite()) {
                programme.targets.push(targets);
                programme.observers.push(observers);
            }
        }
        Ok(programme)
    }

    pub(crate) fn check_shape(&self, plan: &NoisePlan) -> Result<(), DesignError> {
        let edges = plan.masks.iter().map(|(edge, _)| *edge);
        let nodes = self.mask_graph.nodes();
        let fresh = if self.secrets { 0 } else { nodes };
        let shape = (plan.nodes.len(), plan.fresh.len()) == (nodes, fresh);
        if !shape || !edges.eq(self.mask_graph.edges()) {
            return Err(DesignError::Shape);
        }
        check_variances(plan)
    }

    /// Returns the error of a plan in units of `sigma^2 / (2 n)`, rounded up, if the plan certainly meets all targets.
    pub fn check_plan(&self, costs: &Costs, plan: &NoisePlan) -> Result<f64, DesignError> {
        match self.worst_loss(plan)? {
            Some(WorstLoss { ratio, source, observers, .. }) if ratio > 1.0 => {
                Err(DesignError::Missed { source_node: source, observers, loss: ratio })
            }
            _ => Ok(self.error(costs, plan)),
        }
    }

    /// Returns the error of a plan for this mask graph in units of `sigma^2 / (2 n)`, rounded up, whatever its losses are.
    pub fn error(&self, costs: &Costs, plan: &NoisePlan) -> f64 {
        let draws = variances(plan).map(above).zip(self.costs_of_draws(costs));
        draws.fold(0.0, |sum: f64, (x, cost)| (sum + (x * cost.1).next_up()).next_up())
    }

    /// Evaluates variance 1 for all nodes and `others` for all masks (or all fresh noise): the factor that the variances lack, which is the largest loss in multiples of its target, and the error in units of `sigma^2 / (2 n)` without it.
    pub fn uniform(&self, costs: &Costs, others: Fraction) -> Result<(f64, f64), DesignError> {
        let nodes = self.mask_graph.nodes();
        let plan = NoisePlan {
            nodes: vec![Fraction::ONE; nodes],
            masks: self.mask_graph.edges().map(|edge| (edge, others)).collect(),
            fresh: if self.secrets { Vec::new() } else { vec![others; nodes] },
        };
        let worst = self.worst_loss(&plan)?.map_or(0.0, |worst| worst.ratio);
        Ok((worst, self.error(costs, &plan)))
    }

    /// Returns the pair that loses most in multiples of its target, of those that have one, with certified bounds.
    pub fn worst_loss(&self, plan: &NoisePlan) -> Result<Option<WorstLoss>, DesignError> {
        self.worst_without(plan, |observers| vec![observers.to_vec()])
    }

    /// Returns the same if any one more node is missing at the injection and takes its noise along. It takes an inverse for each set of observers and each missing node.
    pub fn worst_loss_if_one_is_missing(
        &self,
        plan: &NoisePlan,
    ) -> Result<Option<WorstLoss>, DesignError> {
        self.worst_without(plan, |observers| {
            let others = (0..plan.nodes.len()).filter(|w| !observers.contains(w));
            others.map(|away| [observers, &[away]].concat()).collect()
        })
    }

    fn worst_without(
        &self,
        plan: &NoisePlan,
        removed: impl Fn(&[usize]) -> Vec<Vec<usize>> + Sync,
    ) -> Result<Option<WorstLoss>, DesignError> {
        self.check_shape(plan)?;
        let skeleton = self.skeleton()?;
        let variances: Vec<f64> = variances(plan).map(below).collect();
        let worst = |observers: &Vec<usize>| {
            let targets: Vec<Option<f64>> =
                (0..skeleton.nodes).map(|u| self.target_below(u, observers)).collect();
            let mut worst: Option<WorstLoss> = None;
            for removed in removed(observers) {
                let losses = skeleton.certified_losses(&variances, &removed);
                for (source, (&loss, target)) in losses.iter().zip(&targets).enumerate() {
                    let Some(target) = *target else { continue };
                    let ratio = (loss / target).next_up();
                    let ratio = if loss <= target { ratio.min(1.0) } else { ratio };
                    if worst.as_ref().is_none_or(|worst| ratio > worst.ratio) {
                        worst =
                            Some(WorstLoss { ratio, loss, source, observers: observers.clone() });
                    }
                }
            }
            worst
        };
        let sets = self.observer_sets()?;
        let all = threads::in_order(sets.len(), |k| worst(&sets[k]));
        Ok(all.into_iter().flatten().reduce(|a, b| if b.ratio > a.ratio { b } else { a }))
    }

    /// Returns the lower end that a proof gives, in units of `sigma^2 / (2 n)`, rounded down.
    pub fn check_lower(&self, costs: &Costs, proof: &LowerProof) -> Result<f64, DesignError> {
        let exact = |cost: &(f64, f64)| BigRational::from_float(cost.0).unwrap_or_default();
        let lower: Vec<BigRational> = self.costs_of_draws(costs).map(exact).collect();
        if !self.secrets {
            return self.check_statistics(&lower, proof);
        }
        let edges: Vec<_> = self.mask_graph.edges().collect();
        let target = |source: usize, observers: &[usize]| self.target(source, observers);
        Ok(down(&check_lower(self.mask_graph.nodes(), &edges, &lower, target, proof)?))
    }

    /// The same without secrets: the potentials are statistics of messages, `t n + w` the number of that of w at t. What they load on draws is rounded up.
    fn check_statistics(
        &self,
        costs: &[BigRational],
        proof: &LowerProof,
    ) -> Result<f64, DesignError> {
        if !proof.unit.is_positive() {
            return Err(LowerRefusal::Unit.into());
        }
        let gossip = Gossip::of(&self.network, self.steps)?;
        let checked = |potential: usize| {
            let given: &Potential = &proof.potentials[potential];
            let target = self.target(given.source, &given.observers);
            let target = target.ok_or(LowerRefusal::NoTarget { potential })?;
            let loads = gossip.loads(&given.observers, given.source, &given.values);
            let (loads, moved) = loads.map_err(|node| LowerRefusal::Node { potential, node })?;
            let exact = |float: f64| BigRational::from_float(float).ok_or(LowerRefusal::Costs);
            let multiplier = BigRational::from(BigInt::from(given.multiplier));
            let gain = exact(2.0 * moved)? * &proof.unit - target;
            let loads = loads.into_iter().map(|load| Ok(exact(load)? * &multiplier));
            Ok((loads.collect::<Result<Vec<_>, _>>()?, gain * &multiplier))
        };
        let checked = threads::in_order(proof.potentials.len(), checked);
        let mut loads = vec![BigRational::zero(); costs.len()];
        let mut gain = BigRational::zero();
        for one in checked {
            let (more, gained) = one.map_err(DesignError::Lower)?;
            loads.iter_mut().zip(more).for_each(|(load, more)| *load += more);
            gain += gained;
        }
        let square = &proof.unit * &proof.unit;
        loads.iter_mut().for_each(|load| *load *= &square);
        let (above, below) = scaled_gain(&loads, costs, &gain)?;
        Ok(down(&(above / below)))
    }

    /// The proof from the blocks of the mask graph, if all pairs have one target.
    pub(crate) fn floor(&self) -> Option<LowerProof> {
        match self.targets {
            Targets::All(target) if self.secrets => {
                Covering::of(&self.mask_graph).proof(&rational(target))
            }
            _ => None,
        }
    }
}

pub(crate) fn check_variances(plan: &NoisePlan) -> Result<(), DesignError> {
    match variances(plan).any(|variance| variance.is_negative()) {
        true => Err(DesignError::NegativeVariance),
        false => Ok(()),
    }
}

fn check_target(target: Fraction) -> Result<(), DesignError> {
    match target.is_negative() || target.is_zero() {
        true => Err(DesignError::Target { value: target.to_string() }),
        false => Ok(()),
    }
}

pub(crate) fn rational(fraction: Fraction) -> BigRational {
    BigRational::new(fraction.numerator().into(), fraction.denominator().into())
}

/// A float that is not above the number.
pub(crate) fn down(number: &BigRational) -> f64 {
    let mut float = number.to_f64().unwrap_or(0.0);
    while BigRational::from_float(float).is_none_or(|exact| exact > *number) {
        float = if float.is_finite() { float.next_down() } else { f64::MAX };
    }
    float
}

pub(crate) fn below(fraction: Fraction) -> f64 {
    down(&rational(fraction))
}

pub(crate) fn above(fraction: Fraction) -> f64 {
    -down(&-rational(fraction))
}

/// The exact value of a float that is not negative.
pub(crate) fn fraction(float: f64) -> Result<Fraction, FractionError> {
    let too_long = || FractionError::TooLong { text: float.to_string() };
    let exact = BigRational::from_float(float).ok_or_else(too_long)?;
    let whole = |number: &BigInt| number.to_i128().ok_or_else(too_long);
    Fraction::try_new(whole(exact.numer())?, whole(exact.denom())?)
}

/// A float that is not negative, rounded up to 24 bits.
pub(crate) fn rounded_up(x: f64) -> Result<Fraction, FractionError> {
    if x == 0.0 {
        return Ok(Fraction::ZERO);
    }
    let grid = x.log2().floor().exp2() / f64::from(1 << 23);
    fraction((x / grid).ceil() * grid)
}
