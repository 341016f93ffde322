//! The number of steps to mix, and the protocol of a plan on a network.

use crate::AccountError;
use muffliato_fast::{
    GapOptions, Progress, Rate, SparseWeights, SpectralGap, gossip_intensities, randomized_gap,
    simulation::{Dropout, EdgeActivation, NetworkSequence},
    spectral_gap, steps_to_converge,
};
use muffliato_model::{
    Graph, Network, NoisePlan, Protocol, ProtocolSpec, ScheduleSpec, check_steps,
};

/// Computes the spectral gap of a network.
///
/// # Errors
///
/// Fails if the gap cannot be computed or the work is cancelled.
pub fn gap_of(network: &Network, progress: &dyn Progress) -> Result<SpectralGap, AccountError> {
    let weights = SparseWeights::of_network(network)?;
    Ok(spectral_gap(&weights, &GapOptions::default(), progress)?)
}

/// Returns the number of steps after which inputs in an interval of length `sensitivity` have mixed
/// down to noise of standard deviation `sigma`: `ln(.)/(2 lambda)` for plain gossip,
/// `ln(.)/sqrt(lambda)` for accelerated gossip, and `2 ln(.)/lambda(p)` along random edges.
///
/// # Errors
///
/// [`AccountError::StepsUnknown`] for drop-out, and errors of the spectral gap.
///
/// ```
/// use muffliato_account::steps_to_mix;
/// use muffliato_model::{Network, ProtocolSpec};
///
/// let cube = Network::metropolis("hypercube:9".parse()?)?;
/// let steps = |plan: &str, accelerated| -> Result<usize, Box<dyn std::error::Error>> {
///     Ok(steps_to_mix(&plan.parse()?, &cube, accelerated, 1.0, 1.0, &())?)
/// };
/// assert_eq!((steps("one-shot", false)?, steps("one-shot", true)?), (16, 14));
/// assert!(steps("dropout:0.1:1", false).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn steps_to_mix(
    plan: &ProtocolSpec,
    network: &Network,
    accelerated: bool,
    sensitivity: f64,
    sigma: f64,
    progress: &dyn Progress,
) -> Result<usize, AccountError> {
    let (rate, gap) = match plan.schedule {
        ScheduleSpec::Fixed => {
            let gap = gap_of(network, progress)?.estimate;
            let rate = if accelerated { Rate::Accelerated } else { Rate::Plain };
            (rate, gap)
        }
        ScheduleSpec::Randomized { .. } => {
            let intensities = gossip_intensities(&SparseWeights::of_network(network)?);
            let options = GapOptions::default();
            let gap = randomized_gap(network.graph(), &intensities, &options, progress)?;
            (Rate::RandomizedHalved, gap.estimate)
        }
        ScheduleSpec::Dropout { .. } => return Err(AccountError::StepsUnknown),
    };
    // Inputs in an interval of length Delta have a variance of at most Delta^2 / 4.
    let variance = sensitivity * sensitivity / 4.0;
    Ok(steps_to_converge(rate, gap, network.graph().nodes(), variance, sigma)?.max(1))
}

/// Builds the protocol of a plan on a network, with `steps` steps unless the plan names its own.
/// Random schedules are drawn from their seeds.
///
/// # Errors
///
/// Fails for an invalid number of steps, for rounds of gradient descent on a random schedule, and
/// if no edge is drawn.
pub fn planned(
    plan: &ProtocolSpec,
    network: &Network,
    steps: usize,
) -> Result<Protocol, AccountError> {
    if plan.is_random() && plan.rounds.is_some() {
        let expected = "a random schedule is for averaging; leave the rounds or the schedule out";
        return Err(AccountError::bad("the plan", plan, expected));
    }
    check_steps(1, steps)?;
    match plan.schedule {
        ScheduleSpec::Fixed => Ok(plan.on_fixed(network.clone(), steps)?),
        ScheduleSpec::Randomized { seed } => {
            let edges = EdgeActivation::of_network(network)?.draw(steps, seed)?;
            if edges.is_empty() {
                return Err(AccountError::NoActiveEdge);
            }
            Ok(plan.noisy(Protocol::randomized(network.graph().clone(), edges)?)?)
        }
        ScheduleSpec::Dropout { away, seed } => {
            let present = Dropout::try_new(network.clone(), away, seed)?;
            Ok(plan.noisy(present.protocol(steps)?)?)
        }
    }
}

/// Sizes of draws and owners of masks that the words of a protocol do not give.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// A size for every draw.
    pub plan: Option<NoisePlan>,
    /// The graph of the masks; the network if it is `None`.
    pub mask_graph: Option<Graph>,
}

impl Sizes {
    /// Checks that the plan and the mask graph fit the words of a protocol.
    ///
    /// # Errors
    ///
    /// [`AccountError::NoPlan`] if they do not.
    pub fn check(&self, spec: &ProtocolSpec) -> Result<(), AccountError> {
        let noise = spec.refresh.is_some() || spec.masks.is_some();
        let reason = match (&self.plan, &self.mask_graph) {
            (None, None) => return Ok(()),
            _ if spec.is_random() => {
                "a plan and a mask graph are for a fixed graph; leave out randomized and dropout"
            }
            (Some(_), masks) if noise || masks.is_some() => {
                "a plan sets the size of every draw and the masks; leave out refreshed, masked and the mask graph"
            }
            (None, Some(_)) if spec.masks.is_none() => {
                "a mask graph is for masks; add masked:KAPPA to the protocol, such as masked:3"
            }
            _ => return Ok(()),
        };
        Err(AccountError::NoPlan { reason })
    }

    /// Applies the plan or the mask graph to the protocol of a specification.
    ///
    /// # Errors
    ///
    /// Those of [`Sizes::check`], and errors of the protocol.
    pub fn apply(&self, protocol: Protocol, spec: &ProtocolSpec) -> Result<Protocol, AccountError> {
        self.check(spec)?;
        Ok(match (&self.plan, &self.mask_graph, spec.masks) {
            (Some(plan), ..) => protocol.with_plan(plan.clone())?,
            (None, Some(graph), Some(kappa)) => {
                protocol.without_masks().masked_on(graph.clone(), kappa)?
            }
            _ => protocol,
        })
    }
}
