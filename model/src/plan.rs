//! Noise plans: a variance for every draw of a protocol.

use crate::{Draw, Fraction, Graph, GraphError, Masks, Protocol, ProtocolError, noise::Variances};
use std::sync::Arc;

/// Variances of the draws of a protocol, in units of `sigma^2`.
///
/// Variances may be 0. [`Protocol::with_plan`] checks a plan and uses it.
///
/// ```
/// use muffliato_model::{Draw, Fraction, Network, NoisePlan, Protocol};
///
/// let half = Fraction::try_new(1, 2)?;
/// let plan = NoisePlan {
///     nodes: vec![half, Fraction::ZERO, Fraction::ONE],
///     masks: vec![((0, 2), Fraction::integer(9))],
///     fresh: vec![],
/// };
/// let path = Network::metropolis("path:3".parse()?)?;
/// let protocol = Protocol::one_shot(path, 4)?.with_plan(plan)?;
/// assert_eq!(protocol.variance(Draw::Own { time: 0, node: 0 }), half);
/// assert_eq!(protocol.variance(Draw::Own { time: 1, node: 0 }), Fraction::ZERO);
/// assert_eq!(protocol.variance(Draw::Mask { time: 0, edge: (0, 2) }), Fraction::integer(9));
/// assert!(protocol.uniform().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NoisePlan {
    /// `s_w^2`: the noise of each node at every input.
    pub nodes: Vec<Fraction>,
    /// `kappa_e^2`: the mask of each edge of the mask graph, the smaller end first.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "serde", serde(with = "crate::record::of_edges"))]
    pub masks: Vec<((usize, usize), Fraction)>,
    /// `tau_w^2`: the fresh noise of each node at every step without input; empty without fresh
    /// noise.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub fresh: Vec<Fraction>,
}

/// Sizes of the draws of a protocol in which all nodes add the same noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformNoise {
    /// The standard deviation of the fresh noise in units of sigma, if there is any.
    pub tau: Option<Fraction>,
    /// The standard deviation of the masks in units of sigma, if there are any.
    pub kappa: Option<Fraction>,
}

/// A protocol whose nodes or edges have noise of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this formula is for uniform noise, and the nodes or masks of this protocol have noise of different sizes (a noise plan); use its exact loss or the masked bound"
)]
pub struct NotUniform;

impl Protocol {
    /// Replaces the noise of the nodes, the masks and the fresh noise by those of a plan. Every
    /// round uses the same plan; a mask of an end that is away is not drawn.
    ///
    /// # Errors
    ///
    /// Returns an error unless the plan has a variance of at least 0 for each node, for each edge
    /// once, and for the fresh noise of each node or of none.
    pub fn with_plan(mut self, plan: NoisePlan) -> Result<Self, ProtocolError> {
        let nodes = self.nodes();
        for (given, what) in [(plan.nodes.len(), "node"), (plan.fresh.len(), "fresh")] {
            if given != nodes && (given > 0 || what == "node") {
                return Err(ProtocolError::PlanLength { what, given, nodes });
            }
        }
        let mut masks = plan.masks;
        masks.sort_by_key(|(edge, _)| *edge);
        if let Some(pair) = masks.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (u, v) = pair[0].0;
            return Err(ProtocolError::PlanEdge { u, v });
        }
        if let Some(&((u, v), _)) = masks.iter().find(|((u, v), _)| u >= v || *v >= nodes) {
            return Err(ProtocolError::PlanEdge { u, v });
        }
        let all = plan.nodes.iter().chain(&plan.fresh).chain(masks.iter().map(|(_, x)| x));
        if let Some(&variance) = all.clone().find(|variance| variance.is_negative()) {
            return Err(ProtocolError::NegativeVariance { variance });
        }
        self.own = Variances::new(plan.nodes);
        let fresh = Variances::new(plan.fresh);
        let drawn = !matches!(&fresh, Variances::Each(each) if each.is_empty());
        self.fresh = (drawn && !fresh.is_zero()).then_some(fresh);
        masks.retain(|(_, variance)| !variance.is_zero());
        self.masks = None;
        if !masks.is_empty() {
            let (edges, variances): (Vec<_>, Vec<_>) = masks.into_iter().unzip();
            let graph = Some(Arc::new(Graph::try_new(nodes, edges.iter().copied())?));
            self.masks = Some(match Variances::new(variances) {
                all @ Variances::All(_) => Masks { variances: all, graph, edges: Arc::default() },
                variances => Masks { variances, graph, edges: edges.into() },
            });
        }
        Ok(self)
    }

    /// Returns the plan of a round, with the masks that are drawn in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the mask graph cannot be built.
    pub fn plan(&self, round: usize) -> Result<NoisePlan, GraphError> {
        Ok(self.plan_on(self.mask_graph(round)?.as_deref()))
    }

    /// Returns the variances of the nodes, of the fresh noise, and of the masks on a graph.
    pub(crate) fn plan_on(&self, graph: Option<&Graph>) -> NoisePlan {
        let mask = |edge| (edge, self.variance(Draw::Mask { time: 0, edge }));
        NoisePlan {
            nodes: self.own.list(self.nodes()).collect(),
            masks: graph.into_iter().flat_map(Graph::edges).map(mask).collect(),
            fresh: self.fresh.iter().flat_map(|fresh| fresh.list(self.nodes())).collect(),
        }
    }

    /// Returns the sizes of the noise if every node adds noise of standard deviation sigma at its
    /// inputs, and all fresh noise and all masks have one rational standard deviation each.
    ///
    /// # Errors
    ///
    /// Returns [`NotUniform`] otherwise.
    pub fn uniform(&self) -> Result<UniformNoise, NotUniform> {
        if self.own != Variances::All(Fraction::ONE) {
            return Err(NotUniform);
        }
        let deviation = |variances: &Variances| variances.deviation().ok_or(NotUniform);
        let tau = self.fresh.as_ref().map(deviation).transpose()?;
        let kappa = self.masks.as_ref().map(|masks| deviation(&masks.variances)).transpose()?;
        Ok(UniformNoise { tau, kappa })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Network, NotUniform, UniformNoise, families};

    fn path() -> Protocol {
        Protocol::gradient_descent(Network::metropolis(families::path(3).unwrap()).unwrap(), 2, 2)
            .unwrap()
    }

    #[test]
    fn a_uniform_protocol_is_a_plan() {
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        let uniform = path().refreshed(fraction("1/10")).unwrap();
        let uniform = uniform.masked_on(families::path(3).unwrap(), fraction("3")).unwrap();
        let plan = uniform.plan(0).unwrap();
        assert_eq!(plan.nodes, [Fraction::ONE; 3]);
        assert_eq!(plan.fresh, [fraction("1/100"); 3]);
        assert_eq!(plan.masks, [((0, 1), fraction("9")), ((1, 2), fraction("9"))]);
        assert_eq!(path().with_plan(plan.clone()), Ok(uniform.clone()));
        let sizes = UniformNoise { tau: Some(fraction("1/10")), kappa: Some(fraction("3")) };
        assert_eq!(uniform.uniform(), Ok(sizes));
        let irrational = NoisePlan { fresh: vec![fraction("2"); 3], ..plan };
        assert_eq!(path().with_plan(irrational).unwrap().uniform(), Err(NotUniform));
    }

    #[test]
    fn draws_have_the_variance_of_the_plan() {
        let fraction = |text: &str| text.parse::<Fraction>().unwrap();
        let plan = NoisePlan {
            nodes: ["2", "0", "1/3"].map(fraction).to_vec(),
            masks: vec![((1, 2), fraction("5")), ((0, 2), fraction("7")), ((0, 1), fraction("0"))],
            fresh: ["0", "1/4", "0"].map(fraction).to_vec(),
        };
        let protocol = path().with_plan(plan).unwrap();
        let own = |time, node| protocol.variance(Draw::Own { time, node }).to_string();
        assert_eq!([own(0, 0), own(2, 2), own(1, 1), own(3, 0)], ["2", "1/3", "1/4", "0"]);
        let mask = |time, edge| protocol.variance(Draw::Mask { time, edge }).to_string();
        assert_eq!([mask(0, (0, 2)), mask(2, (1, 2)), mask(1, (1, 2))], ["7", "5", "0"]);
        assert_eq!(protocol.mask_graph(0).unwrap().unwrap().edge_count(), 2);
        assert!(protocol.is_refreshed() && protocol.draws(1));
    }

    #[test]
    fn wrong_plans_are_refused() {
        let plan = |nodes: usize, masks: &[(usize, usize)], fresh: usize| NoisePlan {
            nodes: vec![Fraction::ONE; nodes],
            masks: masks.iter().map(|&edge| (edge, Fraction::ONE)).collect(),
            fresh: vec![Fraction::ONE; fresh],
        };
        use ProtocolError::*;
        for (refused, error) in [
            (plan(2, &[], 0), PlanLength { what: "node", given: 2, nodes: 3 }),
            (plan(3, &[], 2), PlanLength { what: "fresh", given: 2, nodes: 3 }),
            (plan(3, &[(1, 0)], 0), PlanEdge { u: 1, v: 0 }),
            (plan(3, &[(1, 1)], 0), PlanEdge { u: 1, v: 1 }),
            (plan(3, &[(1, 3)], 0), PlanEdge { u: 1, v: 3 }),
            (plan(3, &[(0, 1), (0, 1)], 0), PlanEdge { u: 0, v: 1 }),
        ] {
            assert_eq!(path().with_plan(refused), Err(error));
        }
        let variance = Fraction::integer(-1);
        let negative = NoisePlan { nodes: vec![variance; 3], ..NoisePlan::default() };
        assert_eq!(path().with_plan(negative), Err(NegativeVariance { variance }));
    }
}
