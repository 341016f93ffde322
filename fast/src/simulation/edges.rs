//! Random activation of edges in randomized gossip (Algorithm 2).
//!
//! At each tick of a clock the edge uv is active with probability `p_uv`, given or `2 W_uv / n`.
//! The probabilities sum to at most 1; with the remaining probability the tick is **idle**: no node
//! sends or changes. For `p_uv = 2 W_uv / n` an idle tick has probability `(1/n) sum_v W_vv`. Idle
//! ticks are left out of the [`Protocol`](muffliato_model::Protocol): they change neither the state nor any view (views are
//! accounted for given the whole sequence of edges).
//!
//! An edge is found by bisection in the cumulative sums `P_e = p_1 + ... + p_e`: a uniform number r
//! chooses the first edge with `r < P_e`.

use crate::{
    FastError, SparseWeights, checks, gossip_intensities, memory,
    stream::{stream, unit},
};
use muffliato_model::{Graph, Network};

/// Activation probability of each edge at a tick.
///
/// ```
/// use muffliato_fast::simulation::EdgeActivation;
/// use muffliato_model::{Graph, Network, Protocol, WeightScheme};
///
/// let ring = Graph::try_new(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let network = Network::try_new(ring, WeightScheme::Metropolis)?;
/// let activation = EdgeActivation::of_network(&network)?;
/// // Four edges of weight 1/3, each with probability 2/3/4; a third of the ticks is idle.
/// let drawn = activation.draw(600, 7)?;
/// assert!(drawn.len() < 500);
/// let protocol = Protocol::randomized(network.graph().clone(), drawn)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeActivation {
    edges: Vec<(usize, usize)>,
    cumulative: Vec<f64>,
}

/// Excess of the sum of intensities over 1 that is attributed to rounding and scaled away.
const FORGIVEN: f64 = 1e-9;

impl EdgeActivation {
    /// Creates the activation of each edge from its probability, in the order of [`Graph::edges`].
    ///
    /// # Errors
    /// For a wrong number of intensities, one that is negative or not finite, or a sum of 0 or
    /// above 1.
    pub fn try_new(graph: &Graph, intensities: &[f64]) -> Result<Self, FastError> {
        checks::length("intensities", intensities.len(), graph.edge_count())?;
        let mut sum = 0.0;
        let mut cumulative = Vec::with_capacity(intensities.len());
        for &intensity in intensities {
            checks::not_negative("an intensity", intensity)?;
            sum += intensity;
            cumulative.push(sum);
        }
        if !(sum > 0.0 && sum <= 1.0 + FORGIVEN) {
            let expected = "they are probabilities: their sum must be above 0, and at most 1";
            return Err(checks::bad("the sum of all intensities", sum, expected));
        }
        if sum > 1.0 {
            cumulative.iter_mut().for_each(|entry| *entry /= sum);
        }
        Ok(Self { edges: graph.edges().collect(), cumulative })
    }

    /// Creates the activation of edge uv with probability `2 W_uv / n`.
    pub fn of_network(network: &Network) -> Result<Self, FastError> {
        let intensities = gossip_intensities(&SparseWeights::of_network(network)?);
        Self::try_new(network.graph(), &intensities)
    }

    /// Draws the edges that are active in `ticks` ticks; fewer than `ticks` if some are idle.
    pub fn draw(&self, ticks: usize, seed: u64) -> Result<Vec<(usize, usize)>, FastError> {
        let each = size_of::<(usize, usize)>() as u128;
        memory::check(ticks as u128 * each, "draw fewer ticks")?;
        let mut generator = stream("edges", seed, 0, 0);
        let mut edges = Vec::new();
        for _ in 0..ticks {
            let mark = unit(&mut generator);
            let place = self.cumulative.partition_point(|&sum| sum <= mark);
            if let Some(&edge) = self.edges.get(place) {
                edges.push(edge);
            }
        }
        Ok(edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::WeightScheme;

    fn star() -> Graph {
        Graph::try_new(4, [(0, 1), (0, 2), (0, 3)]).unwrap()
    }

    /// Chi-square with 2 degrees of freedom is above 27.63 with probability 1e-6.
    #[test]
    fn edges_and_idle_ticks_follow_their_law() {
        let law = [0.1, 0.0, 0.3, 0.6];
        let activation = EdgeActivation::try_new(&star(), &law[..3]).unwrap();
        let ticks = 200_000;
        let drawn = activation.draw(ticks, 3).unwrap();
        let mut seen = [0; 4];
        drawn.iter().for_each(|&(_, v)| seen[v - 1] += 1);
        seen[3] = ticks - drawn.len();
        assert_eq!(seen[1], 0);
        let statistic: f64 = [0, 2, 3]
            .map(|i| (seen[i] as f64 - ticks as f64 * law[i]).powi(2) / (ticks as f64 * law[i]))
            .iter()
            .sum();
        assert!(statistic < 27.63, "chi-square {statistic}: {seen:?} (false-alarm rate 1e-6)");
    }

    #[test]
    fn weights_give_intensities() {
        let network = Network::try_new(star(), WeightScheme::Metropolis).unwrap();
        let activation = EdgeActivation::of_network(&network).unwrap();
        // Three edges of weight 1/4: 3 * 2/4/4.
        assert!((activation.cumulative[2] - 0.375).abs() < 1e-15);
    }

    #[test]
    fn bad_input_is_refused() {
        for intensities in [
            &[0.5][..],
            &[0.5, 0.5, f64::NAN],
            &[0.5, 0.5, -0.1],
            &[0.5, 0.5, 0.1],
            &[0.0; 3],
            &[f64::INFINITY; 3],
        ] {
            assert!(EdgeActivation::try_new(&star(), intensities).is_err(), "{intensities:?}");
        }
        assert!(EdgeActivation::try_new(&Graph::try_new(2, []).unwrap(), &[]).is_err());
        let sure = EdgeActivation::try_new(&star(), &[0.5, 0.25, 0.25 + 1e-12]).unwrap();
        assert_eq!(sure.draw(50, 0).unwrap().len(), 50);
        assert!(matches!(sure.draw(usize::MAX, 0), Err(FastError::TooMuchMemory { .. })));
        assert!(sure.draw(0, 0).unwrap().is_empty());
    }
}
