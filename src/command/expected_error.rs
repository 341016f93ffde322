//! The expected error of an averaging protocol, in floating point: an estimate.
//!
//! ```text
//! (1/2n) ( ||(M_0 - J) x||^2 + sigma^2 ( ||M_0||_F^2 + tau^2 sum_{t=1..T-1} ||M_t||_F^2 ) )
//! ```
//!
//! with `M_t` the map from an injection at t to the state at T. The norms are those of the columns, which are runs of the
//! protocol from unit vectors.

use super::session::Session;
use muffliato::fast::{FastError, Progress, SparseWeights, simulation::GossipState};
use muffliato::model::Step;
use muffliato::prelude::*;

/// Columns that are run together.
const BLOCK: usize = 64;

/// How much of the noise is left at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseGain {
    nodes: f64,
    /// `||M_0||_F^2`.
    initial: f64,
    /// `sum_{t=1..T-1} ||M_t||_F^2`, on a fixed network; else 0.
    fresh: f64,
}

impl NoiseGain {
    /// The gain of a protocol of one round.
    pub fn of(protocol: &Protocol, session: &Session) -> Result<Self, FastError> {
        let steps = protocol.steps();
        Ok(Self::by_step(protocol, session)?[steps])
    }

    /// The gains of a protocol of one round if it ended after 0, 1, 2, ... steps.
    pub fn by_step(protocol: &Protocol, session: &Session) -> Result<Vec<Self>, FastError> {
        let (nodes, steps) = (protocol.nodes(), protocol.steps());
        let mut weights: Vec<SparseWeights> = Vec::new();
        for t in 0..steps {
            match protocol.step(t) {
                Step::Network(network)
                    if weights.is_empty() || protocol.fixed_network().is_none() =>
                {
                    weights.push(SparseWeights::of_network(network)?);
                }
                _ => {}
            }
        }
        let g = protocol.acceleration();
        let g = g.map(|g| g.numerator() as f64 / g.denominator() as f64);
        let step = |state: &mut GossipState, t: usize| match protocol.step(t) {
            Step::EdgeAverage { edge: (u, v), .. } => state.average(u, v),
            Step::Network(_) => state.mix(&weights[t.min(weights.len() - 1)]),
        };
        let bar = session.progress("expected error");
        let nothing = Self {
            nodes: nodes as f64,
            initial: 0.0,
            fresh: 0.0,
        };
        let mut gains = vec![nothing; steps + 1];
        for start in (0..nodes).step_by(BLOCK) {
            bar.check(start, nodes)?;
            let width = BLOCK.min(nodes - start);
            let mut units = vec![0.0; nodes * width];
            for k in 0..width {
                units[(start + k) * width + k] = 1.0;
            }
            let mut state = GossipState::try_new(units.clone(), width)?.accelerated(g)?;
            gains[0].initial += squares(&state);
            for t in 0..steps {
                step(&mut state, t)?;
                gains[t + 1].initial += squares(&state);
            }
            if protocol.fixed_network().is_some() && steps > 1 {
                // Nothing until step 1, where the units come in; after j more steps this is M_(T-j).
                let mut state = GossipState::try_new(vec![0.0; nodes * width], width)?;
                state = state.accelerated(g)?;
                step(&mut state, 0)?;
                state.inject(&units)?;
                let mut fresh = 0.0;
                for t in 1..steps {
                    step(&mut state, t)?;
                    fresh += squares(&state);
                    gains[t + 1].fresh += fresh;
                }
            }
        }
        Ok(gains)
    }

    /// The expected error with noise `sigma` and fresh noise `tau sigma`, for independent inputs that are uniform in an
    /// interval of length `sensitivity`.
    pub fn error(&self, sigma: f64, tau: f64, sensitivity: f64) -> f64 {
        // M keeps the mean, so ||M - J||_F^2 = ||M||_F^2 - 1.
        let bias = (self.initial - 1.0).max(0.0) * sensitivity * sensitivity / 12.0;
        let noise = sigma * sigma * (self.initial + tau * tau * self.fresh);
        (bias + noise) / (2.0 * self.nodes)
    }
}

fn squares(state: &GossipState) -> f64 {
    state.values().iter().map(|value| value * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the exact expected error of the reference, plain and accelerated, refreshed and not, after each step.
    #[test]
    fn gains_are_those_of_the_reference() {
        let session = Session::new(true);
        for (graph, g) in [("karate", None), ("hypercube:3", Some("5/4"))] {
            let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
            let nodes = graph.nodes();
            let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
            let after = |steps: usize| {
                let protocol = Protocol::one_shot(network.clone(), steps).unwrap();
                match g {
                    Some(g) => protocol.accelerated(g.parse().unwrap()).unwrap(),
                    None => protocol,
                }
            };
            let gains = NoiseGain::by_step(&after(4), &session).unwrap();
            assert_eq!(gains[4], NoiseGain::of(&after(4), &session).unwrap());
            assert_eq!(gains[0].error(1.0, 0.5, 0.0), 0.5);
            let zeros = vec![BigRational::from_integer(0.into()); nodes];
            for steps in 1..=4 {
                let tau = "1/2".parse().unwrap();
                let refreshed = after(steps).refreshed(tau).unwrap();
                for (tau, protocol) in [(0.0, after(steps)), (0.5, refreshed)] {
                    let process = Process::run(&protocol).unwrap();
                    let exact = process.averaging_error(&zeros).unwrap().noise;
                    let exact = crate::command::number::Quantity::from(exact).value();
                    let found = gains[steps].error(1.0, tau, 0.0);
                    assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
                }
            }
        }
    }
}
