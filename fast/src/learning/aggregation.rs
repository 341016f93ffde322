//! Aggregation of local steps: by gossip, or by a trusted server as in the baseline.

use crate::{
    FastError, Progress, SparseWeights, checks, gossip_steps_per_round,
    noise::NoiseSource,
    simulation::{GossipState, NetworkSequence},
};
use muffliato_model::Protocol;

/// Gossip between two local steps.
#[derive(Clone, Copy)]
pub struct Gossip<'a> {
    /// The network of each round.
    pub networks: &'a dyn NetworkSequence,
    /// Number K >= 1 of gossip steps in each round; see [`gossip_steps_for`].
    pub steps: usize,
    /// Chebyshev parameter g, from 1 to 2; `None` for plain gossip.
    pub acceleration: Option<f64>,
    /// Fresh noise of standard deviation `tau nu sigma` at each gossip step after the first of a
    /// round; 0 for none.
    pub tau: f64,
}

/// The way in which nodes combine their local steps.
#[derive(Clone, Copy)]
pub enum Aggregation<'a> {
    /// Muffliato.
    Gossip(Gossip<'a>),
    /// Muffliato with the noise, fresh noise and masks of a protocol. Every draw has its size times
    /// `nu sigma`, and masks are fresh in each round. Their guarantee holds for any loss
    /// ([`MaskedBounds`](crate::MaskedBounds)): a node carries nothing from round to round but its
    /// masked state.
    PlannedGossip {
        /// The gossip; its `tau` is not used.
        gossip: Gossip<'a>,
        /// The protocol that decides the size of each draw.
        protocol: &'a Protocol,
    },
    /// A trusted server distributes the exact mean of the noisy updates, with the same noise at
    /// each node as in gossip: the limit of many gossip steps.
    TrustedAggregator,
}

/// Returns the number of gossip steps per round of the paper's utility theorem: `K = ceil(
/// ln(max(n, zeta^2 / (D sigma^2 + rho^2))) / sqrt(lambda_W) )`, at least 1.
///
/// `gap` is lambda_W, `heterogeneity` is zeta^2 (the distance of local gradients from their mean at
/// the optimum), `gradient_variance` is rho^2 (0 for full gradients).
///
/// # Errors
/// [`FastError::NoGap`] for a gap of 0; [`FastError::BadParameter`] for numbers out of range and
/// for heterogeneity without noise, for which no K suffices.
pub fn gossip_steps_for(
    gap: f64,
    nodes: usize,
    dimension: usize,
    sigma: f64,
    heterogeneity: f64,
    gradient_variance: f64,
) -> Result<usize, FastError> {
    if gap == 0.0 {
        return Err(FastError::NoGap {
            reason: "it was given as 0",
            remedy: "use a connected graph with Metropolis or lazy weights",
        });
    }
    checks::not_negative("sigma", sigma)?;
    checks::not_negative("the heterogeneity", heterogeneity)?;
    checks::not_negative("the gradient variance", gradient_variance)?;
    let noise = dimension as f64 * sigma * sigma + gradient_variance;
    let ratio = if heterogeneity == 0.0 { 0.0 } else { heterogeneity / noise };
    if !ratio.is_finite() {
        let expected = "without noise no number of gossip steps is enough; give a sigma above 0";
        return Err(checks::bad("sigma", sigma, expected));
    }
    gossip_steps_per_round(gap, nodes, ratio)
}

impl<'a> Aggregation<'a> {
    /// Returns the gossip of each round of a protocol, with its acceleration, fresh noise and
    /// masks.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] if the network changes.
    ///
    /// ```
    /// use muffliato_fast::learning::Aggregation;
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let ring = Network::metropolis("ring:8".parse()?)?;
    /// let protocol = Protocol::gradient_descent(ring.clone(), 4, 3)?.refreshed("0.5".parse()?)?;
    /// let Aggregation::Gossip(gossip) = Aggregation::of(&protocol)? else { panic!("it has no masks") };
    /// assert_eq!((gossip.steps, gossip.tau), (3, 0.5));
    /// assert!(Aggregation::of(&Protocol::gradient_descent_on(vec![ring; 4], 3)?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(protocol: &'a Protocol) -> Result<Self, FastError> {
        let refused = |reason| FastError::NotApplicable { formula: "training", reason };
        let networks = (protocol.fixed_network())
            .ok_or_else(|| refused("the network changes from step to step; give one network"))?;
        let gossip = Gossip {
            networks,
            steps: protocol.gossip_steps(),
            acceleration: protocol.acceleration().map(checks::float),
            tau: 0.0,
        };
        Ok(match protocol.uniform() {
            Ok(sizes) if sizes.kappa.is_none() => {
                Self::Gossip(Gossip { tau: sizes.tau.map_or(0.0, checks::size), ..gossip })
            }
            _ => Self::PlannedGossip { gossip, protocol },
        })
    }
}

impl Aggregation<'_> {
    /// Returns the number of gossip steps per round, 1 for the baseline.
    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Gossip(gossip) | Self::PlannedGossip { gossip, .. } => gossip.steps,
            Self::TrustedAggregator => 1,
        }
    }

    pub(super) fn check(&self, nodes: usize) -> Result<(), FastError> {
        match self {
            Self::Gossip(gossip) | Self::PlannedGossip { gossip, .. } => {
                checks::length("nodes of the loss", nodes, gossip.networks.nodes())?;
                checks::positive("the number of gossip steps", gossip.steps as f64)?;
                checks::acceleration(gossip.acceleration)?;
                checks::not_negative("tau", gossip.tau)
            }
            Self::TrustedAggregator => Ok(()),
        }
    }

    /// Runs one round on the updates of all nodes, `width` numbers each, with noise `scale sigma`.
    /// Noise is drawn at step `round K + k`, as in the [`Protocol`](muffliato_model::Protocol) of
    /// the same rounds.
    pub(super) fn combine(
        &self,
        updates: Vec<f64>,
        width: usize,
        round: usize,
        noise: Noise<'_>,
        known: &mut Option<SparseWeights>,
        report: &Report<'_>,
    ) -> Result<Vec<f64>, FastError> {
        let mut state = GossipState::try_new(updates, width)?;
        let first = round * self.steps();
        let deviation = noise.scale * noise.sigma;
        if let Self::PlannedGossip { protocol, .. } = self {
            state.add_draws(protocol, 0, first, deviation, noise.source)?;
        } else {
            state.add_noise(first, deviation, noise.source)?;
        }
        let gossip = match self {
            Self::Gossip(gossip) | Self::PlannedGossip { gossip, .. } => gossip,
            Self::TrustedAggregator => {
                let mean = state.mean();
                report.progress.check(first + 1, report.total)?;
                return Ok(mean.repeat(state.nodes()));
            }
        };
        let weights = match known.take().filter(|_| gossip.networks.is_fixed()) {
            Some(weights) => weights,
            None => SparseWeights::of_network(&gossip.networks.network(round)?)?,
        };
        state = state.accelerated(gossip.acceleration)?;
        for k in 0..gossip.steps {
            match self {
                _ if k == 0 => {}
                Self::PlannedGossip { protocol, .. } => {
                    state.add_draws(protocol, k, first + k, deviation, noise.source)?;
                }
                _ if gossip.tau > 0.0 => {
                    let fresh = checks::product(gossip.tau, deviation);
                    state.add_noise(first + k, fresh, noise.source)?;
                }
                _ => state.round_to(noise.source)?,
            }
            state.mix(&weights)?;
            report.progress.check(first + k + 1, report.total)?;
        }
        *known = Some(weights);
        state.check_finite()?;
        Ok(state.into_values())
    }
}

/// Noise of standard deviation `scale sigma`.
#[derive(Clone, Copy)]
pub(super) struct Noise<'a> {
    pub source: &'a dyn NoiseSource,
    pub sigma: f64,
    pub scale: f64,
}

/// Progress reports over the steps of all rounds.
pub(super) struct Report<'a> {
    pub progress: &'a dyn Progress,
    pub total: usize,
}
