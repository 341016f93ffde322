//! Where the authors' public program departs from their paper: all of it in one place.
//!
//! `--as-authors` imitates every departure of [`DEPARTURES`], so that the published pictures come out. Without it, experiments are
//! made as the paper describes them.

pub mod descent;

use super::setting::ByDistance;
use muffliato::fast::{
    FastError, GapOptions, LanczosOptions, SparseWeights, gossip_intensities, randomized_gap,
};
use muffliato::prelude::{Graph, Network};

/// One departure.
pub struct Departure {
    /// The figures and tables that it changes.
    pub experiments: &'static str,
    /// What the program does.
    pub program: &'static str,
    /// What is done without `--as-authors`.
    pub paper: &'static str,
}

/// All of them, for the page.
pub const DEPARTURES: [Departure; 14] = [
    Departure {
        experiments: "Figures 1a, 1b, 2, 3, 4, 5",
        program: "counts the messages of times 1 to T (powers of W from 1 on)",
        paper: "the messages of times 0 to T - 1",
    },
    Departure {
        experiments: "Figures 1a, 2, 3, 5",
        program: "cuts off losses at LDP",
        paper: "the formula as it comes",
    },
    Departure {
        experiments: "Figures 1a, 1b, 2, 4, 5",
        program: "accounts for one source and all observers",
        paper: "all pairs in Figure 1a; else one observer and all sources, since it is observers who know things",
    },
    Departure {
        experiments: "Figures 1a, 1b, 1c, 2, 3, 4, 5",
        program: "computes steps (for inputs of variance 1/4, as here) and acceleration from the second largest eigenvalue alone",
        paper: "from both ends of the spectrum",
    },
    Departure {
        experiments: "Figures 1a, 3",
        program: "leaves out the largest distance",
        paper: "all distances",
    },
    Departure {
        experiments: "Figure 1a",
        program: "takes node 0 for the source, which is a corner of the grid, and the same Erdos-Renyi graph in all five runs",
        paper: "five graphs",
    },
    Departure {
        experiments: "Figures 1b, 5",
        program: "takes sigma^2 = alpha eps / 2, with which LDP loses 1 / eps",
        paper: "sigma^2 = alpha / (2 eps), with which LDP loses eps",
    },
    Departure {
        experiments: "Figures 1b, 5",
        program: "multiplies by alpha / (2 sigma^2) in Figure 1b alone, with alpha = 2, and cuts off the product at 1; in all other figures the \
                  factor is missing, or is 1",
        paper: "losses in units of L = alpha / (2 sigma^2)",
    },
    Departure {
        experiments: "Figures 1b, 5",
        program: "shows user 37 of the file (the first draw of a fixed seed) in Figure 1b, and in Figure 5 the first user with a single neighbour",
        paper: "a user drawn by the seed",
    },
    Departure {
        experiments: "Figure 1c, accuracy",
        program: "begins the gossip of a round with a previous state of zero, which multiplies the mean by 1 / (2 - g) in the limit",
        paper: "the first step is a plain one",
    },
    Departure {
        experiments: "Figure 1c, accuracy",
        program: "adds noise of deviation 0.75 before clipping, not after it, and takes the mean over nodes of the accuracy of each",
        paper: "noise of deviation 1 on clipped gradients, the accuracy of the mean parameters",
    },
    Departure {
        experiments: "Figure 1c, losses",
        program: "has 2 K d / (n - d) for each round, cut off at LDP, with the degree d of the observer and 2 for its loop; LDP for neighbours",
        paper: "Theorem 1 of each round",
    },
    Departure {
        experiments: "Figure 6, Table 3",
        program: "clips noisy inputs to [0, 1]",
        paper: "they are not clipped",
    },
    Departure {
        experiments: "Figure 6, Table 3",
        program: "stops at three times the squared error of the mean in the same run, divides errors by it, and counts the source as an observer of itself",
        paper: "three times sigma^2 / n, and other observers only",
    },
];

/// Theorem 1 as the program counts it, from the formula for one step more: the messages of time 0 are those of neighbours, of which
/// each gives away all.
pub fn counted(one_step_more: f64, adjacent: bool, cut: f64) -> f64 {
    (one_step_more - f64::from(u8::from(adjacent))).clamp(0.0, cut)
}

/// Leaves out the largest distance.
pub fn drop_farthest(losses: &mut ByDistance) {
    losses.pop_last();
}

/// One less the second largest eigenvalue, whatever the smallest one is: an estimate.
pub fn upper_gap(network: &Network) -> Result<f64, FastError> {
    let weights = SparseWeights::of_network(network)?;
    let options = GapOptions {
        lanczos: LanczosOptions::default(),
        prove_up_to: 0,
    };
    let intensities = gossip_intensities(&weights);
    let found = randomized_gap(network.graph(), &intensities, &options)?;
    Ok(found.estimate * weights.nodes() as f64 / 2.0)
}

/// The noise of the ego networks.
pub fn ego_sigma(alpha: f64, local_loss: f64) -> f64 {
    (alpha * local_loss / 2.0).sqrt()
}

/// What LDP loses in the program's units in Figure 1b: `alpha / (2 sigma^2)` with its default alpha = 2.
pub fn ego_unit(sigma: f64) -> f64 {
    sigma.powi(-2)
}

/// The user of the published picture of an ego network, if the name is that of one. In Figure 1b (1912) it is the number that the
/// program's generator draws first, the same for 513 to 1024 users; in Figure 5 the first user with a single neighbour.
pub fn published_user(name: &str, graph: &Graph) -> Option<usize> {
    match name {
        "1912" => (513..=1024).contains(&graph.nodes()).then_some(37),
        _ if name.parse::<u32>().is_ok() => {
            (0..graph.nodes()).find(|&node| graph.degree(node) <= 1)
        }
        _ => None,
    }
}

/// Noisy inputs, clipped.
pub fn clipped(inputs: &[f64], noise: &[f64]) -> Vec<f64> {
    let noisy = inputs.iter().zip(noise);
    noisy.map(|(x, eta)| (x + eta).clamp(0.0, 1.0)).collect()
}

/// What one round of descent on this graph costs `source` towards each node, in units of L.
pub fn round_losses(graph: &Graph, source: usize, steps: usize) -> Vec<f64> {
    let nodes = graph.nodes();
    let loss = |observer: usize| {
        let degree = graph.degree(observer) as f64 + 2.0;
        match observer == source || graph.has_edge(source, observer) {
            true => 1.0,
            false => (2.0 * steps as f64 * degree / (nodes as f64 - degree)).clamp(0.0, 1.0),
        }
    };
    (0..nodes).map(loss).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::{by_distance, gap_of};
    use muffliato::model::families;
    use muffliato::prelude::WeightScheme;

    #[test]
    fn messages_of_time_0_are_taken_off_and_the_rest_is_cut() {
        assert_eq!(counted(1.25, true, 1.0), 0.25);
        assert_eq!(counted(1.25, false, 1.0), 1.0);
        assert_eq!(counted(4.25, true, 3.75), 3.25);
        assert_eq!(counted(0.9, true, 1.0), 0.0);
    }

    /// A complete bipartite graph with the weights of Metropolis has the eigenvalues 1, 1/(1 + d) and 1/(1 + d) - 2 d/(1 + d).
    #[test]
    fn the_upper_gap_is_blind_to_the_lower_end() {
        let edges = (0..3).flat_map(|u| (3..6).map(move |v| (u, v)));
        let graph = Graph::try_new(6, edges).unwrap();
        let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
        assert!((upper_gap(&network).unwrap() - 0.75).abs() < 1e-9);
        let both = gap_of(&network).unwrap();
        assert!((both - 0.5).abs() < 1e-9, "{both}");
    }

    #[test]
    fn the_users_of_the_published_pictures() {
        let star = families::star(5).unwrap();
        let ring = families::ring(600).unwrap();
        for (name, of_star, of_ring) in [
            ("1912", None, Some(37)),
            ("348", Some(1), None),
            ("karate", None, None),
        ] {
            assert_eq!(published_user(name, &star), of_star, "{name}");
            assert_eq!(published_user(name, &ring), of_ring, "{name}");
        }
    }

    #[test]
    fn the_largest_distance_is_left_out() {
        let mut losses = by_distance([(1, 1.0), (2, 0.5), (3, 0.25)]);
        drop_farthest(&mut losses);
        assert_eq!(losses.into_keys().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn noise_of_the_ego_networks() {
        let sigma = ego_sigma(1.5, 5.0);
        assert!((sigma * sigma - 3.75).abs() < 1e-12);
        assert!((1.5 / (2.0 * sigma * sigma) - 0.2).abs() < 1e-12);
        assert!((ego_unit(sigma) - 1.0 / 3.75).abs() < 1e-12);
    }

    #[test]
    fn noisy_inputs_are_clipped() {
        assert_eq!(
            clipped(&[0.5, 0.5, 0.5], &[0.25, 3.0, -1.0]),
            [0.75, 1.0, 0.0]
        );
    }

    /// A star of 20 nodes with one step: the hub is the neighbour of a leaf; another leaf has degree 1 + 2.
    #[test]
    fn a_round_by_hand() {
        let star = families::star(20).unwrap();
        let losses = round_losses(&star, 1, 1);
        assert_eq!((losses[0], losses[1]), (1.0, 1.0));
        assert!((losses[2] - 6.0 / 17.0).abs() < 1e-15);
        assert_eq!(round_losses(&star, 1, 100)[2], 1.0);
    }
}
