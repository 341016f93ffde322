//! Noise: masks that two nodes share, and the grid.

use super::matrices::any_graph;
use crate::{Choices, claim, cover};
use muffliato_fast::cores::{add_mask, nearest};
use muffliato_model::Draw;

/// Any graph on N nodes, any whole values and masks of two coordinates.
pub(crate) fn masks_cancel_in_the_sum<C: Choices, const N: usize>(choices: &mut C) -> Option<()> {
    const WIDTH: usize = 2;
    let edges = any_graph::<C, N>(choices);
    let mut before = [[0_i64; WIDTH]; N];
    for v in 0..N {
        before[v] = [v as i64, i64::from(choices.small(1))];
    }
    let (mut values, mut expected, mut masked) = (before, before, false);
    for a in 0..N {
        for b in a + 1..N {
            if !edges[a][b] {
                continue;
            }
            let mask = [i64::from(choices.signed(2)), 1];
            add_mask((a, b), &mask, values.as_flattened_mut());
            masked |= mask[0] != 0;
            let draw = Draw::Mask {
                time: 0,
                edge: (a, b),
            };
            for (node, adds) in draw.enters() {
                for k in 0..WIDTH {
                    expected[node][k] += if adds { mask[k] } else { -mask[k] };
                }
            }
        }
    }
    for k in 0..WIDTH {
        let (mut sum, mut stays) = (0, 0);
        for v in 0..N {
            sum += values[v][k];
            stays += before[v][k];
            claim!(
                values[v][k] == expected[v][k],
                "a mask enters the two states as the model says"
            );
        }
        claim!(sum == stays, "the sum of all states stays");
    }
    #[cfg(not(kani))]
    claim_state_agrees(&edges);
    cover!(choices, masked, "a mask that is not 0");
    Some(())
}

/// The simulation's state on floats that are whole, where sums are exact.
#[cfg(not(kani))]
fn claim_state_agrees<const N: usize>(edges: &super::matrices::Edges<N>) {
    use muffliato_fast::{noise::GivenNoise, simulation::GossipState};
    let graph = super::matrices::graph(edges);
    let masks = graph
        .edges()
        .map(|(a, b)| (0, (a, b), vec![(7 * a + b) as f64]));
    let noise = GivenNoise::try_new(N, 1, []).and_then(|noise| noise.with_masks(masks));
    let noise = noise.expect("finite masks");
    let values = (0..N).map(|v| v as f64).collect();
    let mut state = GossipState::try_new(values, 1).expect("finite values");
    state
        .add_masks(0, 1.0, &graph, &noise)
        .expect("masks for all edges");
    let sum: f64 = state.values().iter().sum();
    claim!(
        sum == (N * (N - 1) / 2) as f64,
        "the sum stays in the simulation's state"
    );
}

/// For steps in sixteenths, and a shift by N whole steps.
pub(crate) fn whole_shifts_commute_with_rounding<C: Choices, const N: usize>(
    choices: &mut C,
) -> Option<()> {
    let sixteenths = choices.signed(127);
    let steps = f64::from(sixteenths) / 16.0;
    let shift = N as f64;
    let (here, there) = (nearest(steps), nearest(steps + shift));
    claim!(
        there == here + shift,
        "what differs by whole steps still does after rounding"
    );
    claim!(
        -0.5 < here - steps && here - steps <= 0.5,
        "the nearest whole number, halves upwards"
    );
    #[cfg(not(kani))]
    {
        use muffliato_fast::noise::Grid;
        let grid = Grid::try_new(0.25).expect("a power of two");
        let mut values = [steps / 4.0, (steps + shift) / 4.0];
        claim!(grid.round(&mut values).is_ok(), "the values are near");
        claim!(
            values == [here / 4.0, there / 4.0],
            "the grid rounds so, in its steps"
        );
    }
    cover!(choices, here - steps == 0.5, "a half");
    Some(())
}
