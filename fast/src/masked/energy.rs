//! The energy of one source or group towards one observer or coalition: found by conjugate
//! gradients, then checked.
//!
//! Let `M = diag(s^2) + L` be the matrix of the sources' component of H - V. For any y and
//! `r = a - M y`,
//!
//! ```text
//! a^T M^-1 a = 2 a^T y - y^T M y + r^T M^-1 r ,
//! 0 <= r^T M^-1 r <= ( sqrt(sum over s_w > 0 of r_w^2 / s_w^2) + sum over s_w = 0 of |r_w| sqrt(R_w) )^2 ,
//! ```
//!
//! where `R_w` is the resistance of a path of masks from w to a node with noise, and of that node:
//! `M >= diag(s^2)`, the energy of a unit current from w is at most that of the current along the
//! path, and `sqrt(x^T M^-1 x)` is a norm. If no `s_w` in a component is positive, its energy is
//! infinite.
//!
//! Any y therefore gives both ends (`check`), however it was found (`solve`). No term of
//! `y^T M y = sum s_w^2 y_w^2 + sum over edges of kappa_e^2 (y_a - y_b)^2` is negative.

use super::Circuit;
use crate::{Enclosure, SMALLEST, UNIT_ROUNDOFF, arithmetic::residual_up};
use muffliato_model::Observer;

/// Target residual; the ends differ by its square.
const TARGET: f64 = 1e-13;

/// Encloses `1_U^T M^-1 1_U` for distinct sources outside the observers.
pub(super) fn energy(circuit: &Circuit, sources: &[usize], observer: &Observer) -> Enclosure {
    let system = Component::of(circuit, sources, observer);
    let entering = system.entering(sources);
    system.check(&entering, &system.solve(&entering))
}

/// Estimates the current along each edge of `H - V` that carries one, from the first node to the
/// second.
pub(super) fn currents(
    circuit: &Circuit,
    sources: &[usize],
    observer: &Observer,
) -> Vec<(usize, usize, f64)> {
    let system = Component::of(circuit, sources, observer);
    let y = system.solve(&system.entering(sources));
    let places = 0..system.nodes.len();
    let downhill = places.flat_map(|a| system.row(a).map(move |(b, square)| (a, b, square)));
    let current = downhill.filter(|&(a, b, _)| y[a] > y[b]).map(|(a, b, square)| {
        let amount = square * (y[a] - y[b]);
        (system.nodes[a], system.nodes[b], amount)
    });
    current.collect()
}

/// The part of `H - V` reachable from the sources, renumbered, in compressed rows.
pub(super) struct Component {
    /// The nodes in the order of discovery.
    pub nodes: Vec<usize>,
    /// `s_w^2`.
    variances: Vec<f64>,
    offsets: Vec<usize>,
    targets: Vec<u32>,
    /// `kappa_e^2` of each target.
    squares: Vec<f64>,
    /// `1 / s_w^2`, or the resistance of a path to noise for a node without; rounded up.
    resistances: Vec<f64>,
}

impl Component {
    pub fn of(circuit: &Circuit, sources: &[usize], observer: &Observer) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let count = circuit.graph.nodes();
        let mut place = vec![UNSEEN; count];
        let mut nodes = Vec::new();
        for &u in sources {
            place[u] = nodes.len() as u32;
            nodes.push(u);
        }
        let mut hidden = vec![true; count];
        for &v in observer.members() {
            hidden[v] = false;
        }
        let (mut offsets, mut targets, mut squares) = (vec![0], Vec::new(), Vec::new());
        let mut next = 0;
        while next < nodes.len() {
            for (b, square) in circuit.row(nodes[next]).filter(|&(b, _)| hidden[b]) {
                if place[b] == UNSEEN {
                    place[b] = nodes.len() as u32;
                    nodes.push(b);
                }
                targets.push(place[b]);
                squares.push(square);
            }
            offsets.push(targets.len());
            next += 1;
        }
        let variances: Vec<f64> = nodes.iter().map(|&w| circuit.variances[w]).collect();
        let resistances = variances.iter().map(|&variance| over(1.0, variance)).collect();
        let mut system = Self { nodes, variances, offsets, targets, squares, resistances };
        system.connect_to_noise();
        system
    }

    /// Finds a path to a node with noise for every node without.
    fn connect_to_noise(&mut self) {
        let mut queue: Vec<usize> =
            (0..self.nodes.len()).filter(|&w| self.resistances[w].is_finite()).collect();
        let mut next = 0;
        while next < queue.len() && queue.len() < self.nodes.len() {
            let w = queue[next];
            let around: Vec<(usize, f64)> = self.row(w).collect();
            for (b, square) in around {
                if self.resistances[b].is_infinite() {
                    self.resistances[b] = (self.resistances[w] + over(1.0, square)).next_up();
                    queue.push(b);
                }
            }
            next += 1;
        }
    }

    fn entering(&self, sources: &[usize]) -> Vec<f64> {
        let mut entering = vec![0.0; self.nodes.len()];
        entering[..sources.len()].fill(1.0);
        entering
    }

    fn row(&self, w: usize) -> impl Iterator<Item = (usize, f64)> {
        let row = self.offsets[w]..self.offsets[w + 1];
        self.targets[row.clone()].iter().map(|&b| b as usize).zip(self.squares[row].iter().copied())
    }

    /// Computes `M x`.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (w, out) in out.iter_mut().enumerate() {
            let flow: f64 = self.row(w).map(|(b, square)| square * (x[w] - x[b])).sum();
            *out = self.variances[w] * x[w] + flow;
        }
    }

    /// Solves by conjugate gradients with a diagonal preconditioner (untrusted).
    fn solve(&self, a: &[f64]) -> Vec<f64> {
        let size = a.len();
        let diagonal =
            |w: usize| self.variances[w] + self.row(w).map(|(_, square)| square).sum::<f64>();
        let inverse: Vec<f64> = (0..size).map(|w| 1.0 / diagonal(w)).collect();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut y = vec![0.0; size];
        let mut r = a.to_vec();
        let mut z: Vec<f64> = r.iter().zip(&inverse).map(|(r, d)| r * d).collect();
        let mut p = z.clone();
        let mut rho = dot(&r, &z);
        let mut image = vec![0.0; size];
        // What the residual costs.
        let cost = |r: &[f64]| -> f64 {
            r.iter().zip(&self.resistances).map(|(r, resistance)| r * r * resistance).sum()
        };
        for _ in 0..(10 * size).clamp(100, 20_000) {
            if cost(&r) <= TARGET * TARGET || rho <= 0.0 {
                break;
            }
            self.apply(&p, &mut image);
            let step = rho / dot(&p, &image);
            if !step.is_finite() {
                break;
            }
            for k in 0..size {
                y[k] += step * p[k];
                r[k] -= step * image[k];
                z[k] = r[k] * inverse[k];
            }
            let next = dot(&r, &z);
            let ratio = next / rho;
            rho = next;
            for k in 0..size {
                p[k] = z[k] + ratio * p[k];
            }
        }
        y
    }

    /// Returns the ends that y proves, of at most the local loss `sum over U of 1 / s_u^2`.
    pub fn check(&self, a: &[f64], y: &[f64]) -> Enclosure {
        let size = a.len();
        let most = local_loss(a.iter().zip(&self.variances).filter(|(a, _)| **a > 0.0));
        if self.resistances.iter().any(|resistance| resistance.is_infinite()) {
            return Enclosure::exact(f64::INFINITY); // every node is connected to a source
        }
        let degree = self.offsets.windows(2).map(|pair| pair[1] - pair[0]).max();
        // Three roundings in each variance, two for each term of a sum at a node, and some.
        let gamma = (degree.unwrap_or(0) as f64 + 16.0) * UNIT_ROUNDOFF * 1.01;
        let (mut linear, mut linear_size) = (0.0, 0.0);
        let (mut own, mut edges, mut noisy, mut silent) = (0.0, 0.0, 0.0, 0.0);
        for w in 0..size {
            linear += 2.0 * a[w] * y[w];
            linear_size += 2.0 * a[w] * y[w].abs();
            own += self.variances[w] * y[w] * y[w];
            let energy = |(b, square): (usize, f64)| square * (y[w] - y[b]) * (y[w] - y[b]);
            edges += self.row(w).map(energy).sum::<f64>();
            let row = self.row(w).map(|(b, square)| (square, y[b]));
            let bound = residual_up(a[w], self.variances[w], y[w], row);
            if self.variances[w] > 0.0 {
                noisy += bound * bound * self.resistances[w];
            } else {
                silent += bound * self.resistances[w].sqrt();
            }
        }
        // Each edge was counted at both ends.
        let form = own + 0.5 * edges;
        let spread = (size as f64 + 32.0) * UNIT_ROUNDOFF * 1.01 + gamma;
        let error = spread * (linear_size + form) + 64.0 * size as f64 * SMALLEST;
        let value = linear - form;
        let rest = if silent > 0.0 { (noisy.sqrt() + silent).powi(2) } else { noisy };
        let upper = value + error + rest * (1.0 + 4.0 * spread);
        let upper = upper * (1.0 + 8.0 * UNIT_ROUNDOFF) + 8.0 * SMALLEST;
        let lower = (value - error) * (1.0 - 8.0 * UNIT_ROUNDOFF) - 8.0 * SMALLEST;
        if !(spread < 1e-3 && upper.is_finite() && lower.is_finite()) {
            return Enclosure::try_new(0.0, most).unwrap_or(Enclosure::UNKNOWN);
        }
        let ends = Enclosure::try_new(lower.clamp(0.0, most), upper.clamp(0.0, most));
        ends.unwrap_or(Enclosure::UNKNOWN)
    }
}

/// Returns `above / below` rounded up, for a denominator within three roundings; infinite for 0.
pub(super) fn over(above: f64, below: f64) -> f64 {
    if below == 0.0 { f64::INFINITY } else { above / below * (1.0 + 8.0 * UNIT_ROUNDOFF) }
}

/// Bounds the sum of `a / s^2` from above, exactly where all `s` are 1.
fn local_loss<'a>(inputs: impl Iterator<Item = (&'a f64, &'a f64)>) -> f64 {
    let (mut sum, mut whole, mut count) = (0.0, true, 0.0);
    for (a, &variance) in inputs {
        whole &= variance == 1.0;
        sum += if variance == 1.0 { *a } else { over(*a, variance) };
        count += 1.0;
    }
    if whole { sum } else { sum * (1.0 + count * 2.0 * UNIT_ROUNDOFF) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::{Draw, Fraction, GraphSpec, Network, NoisePlan, Protocol};

    fn component(spec: &str, kappa: &str, sources: &[usize], observer: usize) -> Component {
        let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
        let plan = Protocol::one_shot(Network::metropolis(graph).unwrap(), 1).unwrap();
        let plan = plan.masked(kappa.parse().unwrap()).unwrap();
        let circuits = crate::masked::circuits(&plan).unwrap();
        Component::of(&circuits[0], sources, &Observer::full(observer))
    }

    /// 1 - 2 - 3 with kappa = 1: `[[2,-1,0],[-1,3,-1],[0,-1,2]]` has the inverse `[[5,2,1],[2,4,2],[1,2,5]] / 8`.
    #[test]
    fn any_solution_gives_sound_ends_and_a_good_one_tight_ends() {
        let system = component("ring:4", "1", &[1], 0);
        let entering = system.entering(&[1]);
        assert!(system.check(&entering, &[0.0; 3]).contains(5.0 / 8.0));
        for y in [[0.6, 0.2, 0.1], [1.0, 1.0, 1.0], [-3.0, 5.0, 0.25]] {
            let ends = system.check(&entering, &y);
            assert!(ends.contains(0.625), "{y:?}: {ends:?}");
        }
        let near = system.check(&entering, &[0.6, 0.25, 0.125]);
        assert!(near.upper() < 0.64 && near.lower() > 0.62, "{near:?}");
        let best = system.check(&entering, &system.solve(&entering));
        assert!(best.contains(0.625) && best.relative_width() < 1e-13, "{best:?}");
        let broken = system.check(&entering, &[f64::NAN, 0.0, 0.0]);
        assert_eq!(broken.upper(), 1.0);
    }

    #[test]
    fn groups_and_small_components() {
        let system = component("ring:4", "1", &[1, 2], 0);
        let entering = system.entering(&[1, 2]);
        let ends = system.check(&entering, &system.solve(&entering));
        assert!(ends.contains(13.0 / 8.0), "{ends:?}"); // (5 + 2 + 2 + 4) / 8
        // Only a leaf of a star is left without its centre.
        let alone = component("star:5", "3", &[2], 0);
        assert_eq!(alone.nodes, [2]);
        let entering = alone.entering(&[2]);
        assert!(alone.check(&entering, &alone.solve(&entering)).contains(1.0));
    }

    /// The certificate for M >= I is too small for M = 1/4: with a = 1 and y = 0 it proves 1 in
    /// place of 4.
    #[test]
    fn a_residual_costs_more_where_there_is_less_noise() {
        let network = Network::metropolis("path:2".parse().unwrap()).unwrap();
        let quarter = Fraction::try_new(1, 4).unwrap();
        let plan = NoisePlan {
            nodes: vec![quarter, Fraction::ONE],
            masks: vec![((0, 1), Fraction::ONE)],
            fresh: vec![],
        };
        let protocol = Protocol::one_shot(network, 1).unwrap().with_plan(plan).unwrap();
        assert_eq!(protocol.variance(Draw::Own { time: 0, node: 0 }), quarter);
        let circuits = crate::masked::circuits(&protocol).unwrap();
        let system = Component::of(&circuits[0], &[0], &Observer::full(1));
        for y in [0.0, 1.0, 3.9, 4.0, 5.0, -1.0] {
            let ends = system.check(&[1.0], &[y]);
            assert!(ends.contains(4.0), "{y}: {ends:?}");
        }
    }

    /// 1 - 2 - 3 with noise at node 3 alone: the current leaves there, through two masks.
    #[test]
    fn nodes_without_noise_are_covered() {
        let network = Network::metropolis("ring:4".parse().unwrap()).unwrap();
        let masks = [(0, 1), (1, 2), (2, 3)].map(|edge| (edge, Fraction::integer(2))).to_vec();
        let mut nodes = vec![Fraction::ZERO; 4];
        nodes[3] = Fraction::ONE;
        let plan = NoisePlan { nodes, masks, fresh: vec![] };
        let protocol = Protocol::one_shot(network, 1).unwrap().with_plan(plan).unwrap();
        let circuits = crate::masked::circuits(&protocol).unwrap();
        let ends = energy(&circuits[0], &[1], &Observer::full(0));
        assert!(ends.contains(2.0) && ends.relative_width() < 1e-12, "{ends:?}");
        let system = Component::of(&circuits[0], &[1], &Observer::full(0));
        for y in [[0.0; 3], [2.0, 1.5, 1.1], [1.0, 5.0, -1.0]] {
            assert!(system.check(&[1.0, 0.0, 0.0], &y).contains(2.0));
        }
        let alone = energy(&circuits[0], &[1], &Observer::coalition([0, 3]).unwrap());
        assert_eq!(alone.upper(), f64::INFINITY);
    }
}
