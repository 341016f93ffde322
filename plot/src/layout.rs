//! Positions of the nodes of a graph in a drawing.
//!
//! A graph with positions keeps them. Any other graph is laid out so that the distance of two nodes
//! in the drawing is close to their distance in the graph. The stress, the sum over all pairs of
//! `(|x_i - x_j| - d_ij)^2 / d_ij^2`, is reduced by moving one pair after the other, in a fixed
//! order and by fixed steps. Only additions, multiplications, divisions and square roots are used,
//! so every machine computes the same positions.

use super::PlotError;
use muffliato_model::{Graph, split_mix};

/// Largest graph that is laid out, since all pairs are visited.
const MOST_NODES: usize = 3000;

/// Largest graph whose discs are moved apart.
const MOST_APART: usize = 300;

/// Factor by which steps shrink from one round to the next.
const COOLING: f64 = 0.75;

/// Step at which the iteration ends, in units of a pair of neighbours.
const COLD: f64 = 0.02;

/// A position in the plane for each node.
///
/// ```
/// use muffliato_model::families;
/// use muffliato_plot::Layout;
///
/// let layout = Layout::of(&families::path(3)?)?;
/// let [a, b, c] = layout.places() else { unreachable!("three nodes") };
/// let distance = |p: &[f64; 2], q: &[f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
/// // Nearly as far apart as in the graph: 1 and 2.
/// assert!((distance(a, b) - 1.0).abs() < 0.1 && (distance(a, c) / 2.0 - 1.0).abs() < 0.1);
/// let inside = |&(x, y): &(f64, f64)| (10.0..=110.0).contains(&x) && (20.0..=70.0).contains(&y);
/// assert!(layout.fit((10.0, 20.0), (100.0, 50.0)).iter().all(inside));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    places: Vec<[f64; 2]>,
}

struct Spring {
    ends: [u32; 2],
    length: f64,
}

impl Layout {
    /// Returns the positions of the graph, or computes them from its distances. The same graph gets
    /// the same positions.
    ///
    /// # Errors
    ///
    /// [`PlotError::TooManyNodes`] for more than 3000 nodes without positions.
    pub fn of(graph: &Graph) -> Result<Self, PlotError> {
        if let Some(places) = graph.positions() {
            let finite = |place: &[f64; 2]| place.map(|x| if x.is_finite() { x } else { 0.0 });
            let places = places.iter().map(finite).collect();
            return Ok(Self { places });
        }
        let nodes = graph.nodes();
        if nodes > MOST_NODES {
            return Err(PlotError::TooManyNodes { nodes, limit: MOST_NODES });
        }
        let mut numbers = Numbers(0);
        let mut springs = springs(graph);
        let longest = springs.iter().map(|spring| spring.length);
        let longest = longest.fold(1.0, f64::max);
        let mut places: Vec<[f64; 2]> = (0..nodes)
            .map(|_| [numbers.next_share(), numbers.next_share()].map(|share| share * longest))
            .collect();
        let mut step = longest * longest;
        while step > COLD {
            for k in (1..springs.len()).rev() {
                springs.swap(k, numbers.below(k + 1));
            }
            for spring in &springs {
                spring.relax(&mut places, step);
            }
            step *= COOLING;
        }
        Ok(Self { places: along_the_longer_axis(places) })
    }

    /// Returns the positions, with y upwards.
    pub fn places(&self) -> &[[f64; 2]] {
        &self.places
    }

    /// Returns the layout turned by a quarter, for a picture that is higher than wide.
    pub fn turned(&self) -> Self {
        Self { places: self.places.iter().map(|[x, y]| [*y, -x]).collect() }
    }

    /// Returns the positions in a rectangle of pixels, as [`Self::fit`] does, and moves discs of this
    /// radius apart if there are at most 300.
    pub fn fit_discs(&self, corner: (f64, f64), size: (f64, f64), radius: f64) -> Vec<(f64, f64)> {
        let mut places = self.fit(corner, size);
        if places.len() <= MOST_APART {
            move_apart(&mut places, 2.3 * radius, corner, size);
        }
        places
    }

    /// Returns the positions in a rectangle of pixels, with y downwards, centred and as large as
    /// fits without distortion.
    pub fn fit(&self, corner: (f64, f64), size: (f64, f64)) -> Vec<(f64, f64)> {
        let ends = |axis: usize| {
            let along = self.places.iter().map(|place| place[axis]);
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
                (low.min(at), high.max(at))
            })
        };
        let ((left, right), (bottom, top)) = (ends(0), ends(1));
        let ratio = |room: f64, span: f64| {
            if span > 0.0 { room / span } else { f64::INFINITY }
        };
        let zoom = ratio(size.0, right - left).min(ratio(size.1, top - bottom));
        let zoom = if zoom.is_finite() { zoom } else { 0.0 };
        let centre = ((left + right) / 2.0, (bottom + top) / 2.0);
        let middle = (corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0);
        let pixel = |place: &[f64; 2]| {
            (middle.0 + zoom * (place[0] - centre.0), middle.1 - zoom * (place[1] - centre.1))
        };
        self.places.iter().map(pixel).collect()
    }
}

/// Moves points that are nearer than `least` apart, inside a rectangle; a few rounds, in order.
fn move_apart(places: &mut [(f64, f64)], least: f64, corner: (f64, f64), size: (f64, f64)) {
    const ROUNDS: usize = 60;
    for _ in 0..ROUNDS {
        for i in 0..places.len() {
            for j in 0..i {
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let found = (dx * dx + dy * dy).sqrt();
                if found >= least || found == 0.0 {
                    continue;
                }
                let push = (least - found) / (2.0 * found);
                for (k, sign) in [(i, push), (j, -push)] {
                    places[k].0 = (places[k].0 + sign * dx).clamp(corner.0, corner.0 + size.0);
                    places[k].1 = (places[k].1 + sign * dy).clamp(corner.1, corner.1 + size.1);
                }
            }
        }
    }
}

/// Returns one spring for each pair. Disconnected pairs are a little longer than the longest path.
fn springs(graph: &Graph) -> Vec<Spring> {
    let nodes = graph.nodes();
    let mut all = Vec::with_capacity(nodes * nodes.saturating_sub(1) / 2);
    for i in 0..nodes {
        for (j, distance) in graph.distances_from(i).into_iter().enumerate().skip(i + 1) {
            all.push(Spring {
                ends: [i as u32, j as u32],
                length: distance.map_or(f64::INFINITY, |distance| distance as f64),
            });
        }
    }
    let finite = all.iter().map(|spring| spring.length);
    let apart = 1.0 + finite.filter(|length| length.is_finite()).fold(1.0, f64::max);
    for spring in &mut all {
        spring.length = spring.length.min(apart);
    }
    all
}

impl Spring {
    /// Moves both ends towards the right distance, at most all the way.
    fn relax(&self, places: &mut [[f64; 2]], step: f64) {
        let [i, j] = self.ends.map(|end| end as usize);
        let apart = [0, 1].map(|axis| places[i][axis] - places[j][axis]);
        let found = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
        if found == 0.0 {
            return;
        }
        let share = (step / (self.length * self.length)).min(1.0);
        let change = share * (found - self.length) / (2.0 * found);
        for axis in [0, 1] {
            places[i][axis] -= change * apart[axis];
            places[j][axis] += change * apart[axis];
        }
    }
}

/// Rotates the drawing so that it is wider than high.
fn along_the_longer_axis(mut places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let count = places.len() as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|place| place[axis]).sum::<f64>() / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for place in &mut places {
        let [x, y] = [place[0] - mean[0], place[1] - mean[1]];
        *place = [x, y];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    // The eigenvector of [[xx, xy], [xy, yy]] for the larger eigenvalue.
    let half = (xx - yy) / 2.0;
    let root = (half * half + xy * xy).sqrt();
    let axis = if half >= 0.0 { [half + root, xy] } else { [xy, root - half] };
    let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
    if length == 0.0 {
        return places;
    }
    let [c, s] = axis.map(|part| part / length);
    for place in &mut places {
        let [x, y] = *place;
        *place = [c * x + s * y, c * y - s * x];
    }
    places
}

/// How many numbers were drawn, for an order without a pattern.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 += 1;
        split_mix(0, self.0 - 1)
    }

    fn next_share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato_model::GraphSpec;

    fn graph(name: &str) -> Graph {
        name.parse::<GraphSpec>().unwrap().build().unwrap()
    }

    /// Returns the mean over all pairs of the relative difference to the distance in the graph.
    fn stress(graph: &Graph, layout: &Layout) -> f64 {
        let all = springs(graph);
        let misfit = |spring: &Spring| {
            let [a, b] = spring.ends.map(|end| layout.places()[end as usize]);
            let found = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
            (found / spring.length - 1.0).powi(2)
        };
        all.iter().map(misfit).sum::<f64>() / all.len() as f64
    }

    #[test]
    fn distances_in_the_picture_are_those_of_the_graph() {
        for (name, most) in [
            ("path:12", 1e-3),
            ("ring:20", 0.05),
            ("karate", 0.08),
            ("grid:6x6", 0.05),
            ("hypercube:5", 0.2),
            ("complete:2", 1e-6),
        ] {
            let graph = graph(name);
            let layout = Layout::of(&graph).unwrap();
            let found = stress(&graph, &layout);
            println!("{name}: {found:.4}");
            assert!(found < most, "{name}: {found}");
            assert_eq!(layout, Layout::of(&graph).unwrap(), "the same again");
        }
    }

    #[test]
    fn discs_do_not_cover_each_other() {
        let layout = Layout::of(&graph("karate")).unwrap();
        let least = |places: &[(f64, f64)]| {
            let pairs = (0..places.len()).flat_map(|i| (0..i).map(move |j| (places[i], places[j])));
            pairs.map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1)).fold(f64::INFINITY, f64::min)
        };
        let (corner, size) = ((0.0, 0.0), (570.0, 390.0));
        assert!(least(&layout.fit(corner, size)) < 26.0);
        assert!(least(&layout.fit_discs(corner, size, 13.0)) >= 26.0);
    }

    #[test]
    fn parts_lie_apart_and_positions_are_kept() {
        let torn = Graph::try_new(5, [(0, 1), (2, 3)]).unwrap();
        let layout = Layout::of(&torn).unwrap();
        assert!(layout.places().iter().flatten().all(|x| x.is_finite()));
        assert!(stress(&torn, &layout) < 0.1);
        let placed = Graph::try_new(2, [(0, 1)]).unwrap();
        let placed = placed.with_positions(vec![[0.0, 1.0], [2.0, 5.0]]).unwrap();
        let layout = Layout::of(&placed).unwrap();
        assert_eq!(layout.places(), [[0.0, 1.0], [2.0, 5.0]]);
        let pixels = layout.fit((10.0, 10.0), (100.0, 40.0));
        assert_eq!(pixels, [(50.0, 50.0), (70.0, 10.0)], "y downwards");
        let many = Graph::try_new(3001, [(0, 1)]).unwrap();
        assert!(Layout::of(&many).is_err());
    }
}
