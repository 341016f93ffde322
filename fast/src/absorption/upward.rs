//! Gossip matrices rounded up (trusted).

use crate::{
    Enclosure, FastError, SparseWeights,
    arithmetic::{add_up, mixed_entry_up, ratio_up, times_up},
    steps::{StepMatrix, Steps},
};
use muffliato_model::{Fraction, Protocol};

/// Returns a float not below the non-negative fraction.
pub fn fraction_up(fraction: Fraction) -> f64 {
    ratio_up(fraction.numerator(), fraction.denominator())
}

/// Returns the weights of a gossip matrix, rounded up.
fn entries_up(weights: &SparseWeights) -> Vec<f64> {
    let up = |weight: f64| {
        if weight == 0.0 { 0.0 } else { Enclosure::around(weight, weights.roundings(), 0).upper() }
    };
    let mut entries = Vec::with_capacity(weights.nodes() + weights.entries());
    for v in 0..weights.nodes() {
        let (neighbours, values) = weights.row(v);
        // A node without neighbours keeps its value.
        entries.push(if neighbours.is_empty() { 1.0 } else { up(weights.own(v)) });
        entries.extend(values.iter().map(|&weight| up(weight)));
    }
    entries
}

/// Gossip matrices of all steps of a protocol.
#[derive(Clone, Debug)]
pub struct Matrices {
    steps: Steps,
    /// For each network the weights, rounded up, exact zeros kept: node by node the diagonal and
    /// then the neighbours.
    entries: Vec<Vec<f64>>,
}

impl Matrices {
    pub fn of(protocol: &Protocol) -> Result<Self, FastError> {
        let steps = Steps::of(protocol)?;
        let entries = steps.networks().map(entries_up).collect();
        Ok(Self { steps, entries })
    }

    /// Computes `out >= W_t x`, 0 where `W_t x` is 0. W is symmetric, so this is also `W_t^T x`.
    pub fn mix_up(&self, t: usize, x: &[f64], out: &mut [f64]) {
        match self.steps.at(t) {
            StepMatrix::Average(u, v) => {
                out.copy_from_slice(x);
                let mean = times_up(0.5, add_up(x[u], x[v]));
                (out[u], out[v]) = (mean, mean);
            }
            StepMatrix::Network(weights, _) => {
                let entries = &self.entries[self.steps.place(t)];
                let mut place = 0;
                for (v, out) in out.iter_mut().enumerate() {
                    let (neighbours, _) = weights.row(v);
                    let row = &entries[place..=place + neighbours.len()];
                    place += row.len();
                    *out = mixed_entry_up(v, row, neighbours, x);
                }
            }
        }
    }

    /// Computes `W_t x` approximately, for the untrusted solver.
    pub fn mix(&self, t: usize, x: &[f64]) -> Vec<f64> {
        self.steps.mixed(t, x, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::Network;

    #[test]
    fn nothing_rounds_down_and_zeros_stay() {
        assert!(add_up(0.1, 0.2) > 0.3 && add_up(1.0, 1e-30) > 1.0);
        assert_eq!(
            (add_up(0.0, 0.1), times_up(0.0, f64::MAX), times_up(1.0, 0.1)),
            (0.1, 0.0, 0.1)
        );
        assert!(times_up(1e-300, 1e-300) > 0.0);
        assert!(ratio_up(1, 3) * 3.0 > 1.0 && ratio_up(i128::MAX - 1, i128::MAX) >= 1.0);
        assert_eq!((ratio_up(0, 7), ratio_up(7, 7)), (0.0, 1.0));
    }

    /// Tiny products are rounded up to a positive number; zero stays zero.
    #[test]
    fn underflow_rounds_up_and_zero_stays_zero() {
        let network = Network::metropolis("path:3".parse().unwrap()).unwrap();
        let matrices = Matrices::of(&Protocol::one_shot(network, 1).unwrap()).unwrap();
        let mut up = [0.0; 3];
        matrices.mix_up(0, &[f64::from_bits(1), 0.0, 0.0], &mut up);
        assert!(up[0] > 0.0 && up[1] > 0.0 && up[2] == 0.0);
    }

    #[test]
    fn a_step_is_not_below_the_exact_one() {
        let network = Network::metropolis("karate".parse().unwrap()).unwrap();
        let protocol = Protocol::one_shot(network, 1).unwrap();
        let matrices = Matrices::of(&protocol).unwrap();
        let mut up = vec![0.0; 34];
        matrices.mix_up(0, &[1.0; 34], &mut up);
        assert!(up.iter().all(|&sum| (1.0..1.0 + 1e-12).contains(&sum)), "rows sum to 1");
        let mut one = vec![0.0; 34];
        one[16] = 1.0;
        matrices.mix_up(0, &one, &mut up);
        let near = matrices.mix(0, &one);
        assert!(
            up.iter().zip(&near).all(|(up, near)| up >= near && (*up == 0.0) == (*near == 0.0))
        );
    }

    #[test]
    fn every_step_has_the_matrix_of_its_network() {
        let networks = ["path:5", "star:5", "ring:5"].map(|spec| spec.parse().unwrap());
        let networks = networks.map(|spec| Network::metropolis(spec).unwrap());
        let protocol = Protocol::time_varying(networks.to_vec()).unwrap();
        let matrices = Matrices::of(&protocol).unwrap();
        let (x, mut up, mut near) = ([1.0, 0.0, 2.0, 0.0, 5.0], [0.0; 5], [0.0; 5]);
        for (t, network) in networks.iter().enumerate() {
            let weights = SparseWeights::of_network(network).unwrap();
            weights.apply(&x, 1, &mut near).unwrap();
            matrices.mix_up(t, &x, &mut up);
            for (up, near) in up.iter().zip(&near) {
                assert!(up >= near && *up <= near * (1.0 + 1e-12), "{t}: {up} {near}");
            }
        }
    }
}
