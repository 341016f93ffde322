//! The energy of one source or group towards one observer or coalition: found by conjugate
//! gradients, then checked.
//!
//! For `A >= I`, any y and `r = a - A y`,
//!
//! ```text
//! a^T A^-1 a = 2 a^T y - y^T A y + r^T A^-1 r,     0 <= r^T A^-1 r <= ||r||^2 .
//! ```
//!
//! Any y therefore gives both ends (`check`), however it was found (`solve`). No term of
//! `y^T A y = sum y_w^2 + kappa^2 sum over edges of (y_a - y_b)^2` is negative. The error of the
//! entry of r at w is at most `gamma (|a_w| + |y_w| + kappa^2 sum_b (|y_w| + |y_b|))`.

use crate::{Enclosure, SMALLEST, UNIT_ROUNDOFF};
use muffliato_model::{Graph, Observer};

/// Target residual; the ends differ by its square.
const TARGET: f64 = 1e-13;

/// Encloses `1_U^T (I + kappa^2 L_{H-V})^-1 1_U` for distinct sources outside the observers.
pub(super) fn energy(
    graph: &Graph,
    square: f64,
    sources: &[usize],
    observer: &Observer,
) -> Enclosure {
    let system = Component::of(graph, square, sources, observer);
    let entering = system.entering(sources);
    system.check(&entering, &system.solve(&entering))
}

/// Estimates the current along each edge of `H - V` that carries one, from the first node to the
/// second.
pub(super) fn currents(
    graph: &Graph,
    square: f64,
    sources: &[usize],
    observer: &Observer,
) -> Vec<(usize, usize, f64)> {
    let system = Component::of(graph, square, sources, observer);
    let y = system.solve(&system.entering(sources));
    let places = 0..system.nodes.len();
    let downhill = places.flat_map(|a| system.row(a).map(move |b| (a, b)));
    let current = downhill.filter(|&(a, b)| y[a] > y[b]).map(|(a, b)| {
        let amount = square * (y[a] - y[b]);
        (system.nodes[a], system.nodes[b], amount)
    });
    current.collect()
}

/// The part of `H - V` reachable from the sources, renumbered, in compressed rows.
struct Component {
    square: f64,
    /// The nodes in the order of discovery.
    nodes: Vec<usize>,
    offsets: Vec<usize>,
    targets: Vec<u32>,
}

impl Component {
    fn of(graph: &Graph, square: f64, sources: &[usize], observer: &Observer) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let mut place = vec![UNSEEN; graph.nodes()];
        let mut nodes = Vec::new();
        for &u in sources {
            place[u] = nodes.len() as u32;
            nodes.push(u);
        }
        let mut hidden = vec![true; graph.nodes()];
        for &v in observer.members() {
            hidden[v] = false;
        }
        let (mut offsets, mut targets) = (vec![0], Vec::new());
        let mut next = 0;
        while next < nodes.len() {
            for b in graph.neighbours(nodes[next]).filter(|&b| hidden[b]) {
                if place[b] == UNSEEN {
                    place[b] = nodes.len() as u32;
                    nodes.push(b);
                }
                targets.push(place[b]);
            }
            offsets.push(targets.len());
            next += 1;
        }
        Self {
            square,
            nodes,
            offsets,
            targets,
        }
    }

    fn entering(&self, sources: &[usize]) -> Vec<f64> {
        let mut entering = vec![0.0; self.nodes.len()];
        entering[..sources.len()].fill(1.0);
        entering
    }

    fn row(&self, w: usize) -> impl Iterator<Item = usize> {
        let row = &self.targets[self.offsets[w]..self.offsets[w + 1]];
        row.iter().map(|&b| b as usize)
    }

    /// Computes `A x`.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (w, out) in out.iter_mut().enumerate() {
            let flow: f64 = self.row(w).map(|b| x[w] - x[b]).sum();
            *out = x[w] + self.square * flow;
        }
    }

    /// Solves by conjugate gradients with a diagonal preconditioner (untrusted).
    fn solve(&self, a: &[f64]) -> Vec<f64> {
        let size = a.len();
        let degree = |w: usize| (self.offsets[w + 1] - self.offsets[w]) as f64;
        let inverse: Vec<f64> = (0..size)
            .map(|w| 1.0 / (1.0 + self.square * degree(w)))
            .collect();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let mut y = vec![0.0; size];
        let mut r = a.to_vec();
        let mut z: Vec<f64> = r.iter().zip(&inverse).map(|(r, d)| r * d).collect();
        let mut p = z.clone();
        let mut rho = dot(&r, &z);
        let mut image = vec![0.0; size];
        for _ in 0..(10 * size).clamp(100, 20_000) {
            if dot(&r, &r) <= TARGET * TARGET || rho <= 0.0 {
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

    /// Returns the ends that y proves, within `[0, |U|]`.
    fn check(&self, a: &[f64], y: &[f64]) -> Enclosure {
        let size = a.len();
        let most: f64 = a.iter().sum();
        let degree = self.offsets.windows(2).map(|pair| pair[1] - pair[0]).max();
        // Seven roundings in kappa^2, one for each sum at a node, and some.
        let gamma = (degree.unwrap_or(0) as f64 + 16.0) * UNIT_ROUNDOFF * 1.01;
        let (mut linear, mut linear_size) = (0.0, 0.0);
        let (mut square, mut edges, mut rest) = (0.0, 0.0, 0.0);
        for w in 0..size {
            linear += 2.0 * a[w] * y[w];
            linear_size += 2.0 * a[w] * y[w].abs();
            square += y[w] * y[w];
            let (mut flow, mut flow_size, mut energy) = (0.0, 0.0, 0.0);
            for b in self.row(w) {
                let difference = y[w] - y[b];
                flow += difference;
                flow_size += y[w].abs() + y[b].abs();
                energy += difference * difference;
            }
            edges += energy;
            let residual = a[w] - y[w] - self.square * flow;
            let residual_size = a[w] + y[w].abs() + self.square * flow_size;
            let bound = residual.abs() + gamma * residual_size + 8.0 * SMALLEST;
            rest += bound * bound;
        }
        // Each edge was counted at both ends.
        let form = square + 0.5 * self.square * edges;
        let spread = (size as f64 + 32.0) * UNIT_ROUNDOFF * 1.01 + gamma;
        let error = spread * (linear_size + form) + 64.0 * size as f64 * SMALLEST;
        let value = linear - form;
        let upper = value + error + rest * (1.0 + spread);
        let upper = upper * (1.0 + 8.0 * UNIT_ROUNDOFF) + 8.0 * SMALLEST;
        let lower = (value - error) * (1.0 - 8.0 * UNIT_ROUNDOFF) - 8.0 * SMALLEST;
        if !(spread < 1e-3 && upper.is_finite() && lower.is_finite()) {
            return Enclosure::try_new(0.0, most).unwrap_or(Enclosure::exact(most));
        }
        let ends = Enclosure::try_new(lower.clamp(0.0, most), upper.clamp(0.0, most));
        ends.unwrap_or(Enclosure::UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::GraphSpec;

    fn component(spec: &str, kappa: &str, sources: &[usize], observer: usize) -> Component {
        let graph = spec.parse::<GraphSpec>().unwrap().build().unwrap();
        let square = crate::masked::square_of(kappa.parse().unwrap()).unwrap();
        Component::of(&graph, square, sources, &Observer::full(observer))
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
        assert!(
            best.contains(0.625) && best.relative_width() < 1e-13,
            "{best:?}"
        );
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
        assert!(
            alone
                .check(&entering, &alone.solve(&entering))
                .contains(1.0)
        );
    }
}
