//! Noise: masks shared by two nodes, and the grid.

use super::matrices::any_graph;
use crate::{Case, Choices, claim, cover, split};
use muffliato_fast::cores::{add_mask, nearest, nearest_step, take_mask};
use muffliato_model::Draw;

pub fn masks_cancel_in_the_sum<const N: usize>(choices: &mut impl Choices) -> Case {
    const WIDTH: usize = 2;
    let edges = any_graph::<N>(choices);
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
            let draw = Draw::Mask { time: 0, edge: (a, b) };
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
            claim!(values[v][k] == expected[v][k], "a mask enters as the model says");
        }
        claim!(sum == stays, "the sum of all states stays");
    }
    #[cfg(not(kani))]
    claim_state_agrees(&edges);
    cover!(choices, masked, "a mask that is not 0");
    Some(())
}

/// Checks the simulation's state on integer floats, whose sums are exact.
#[cfg(not(kani))]
fn claim_state_agrees<const N: usize>(edges: &super::matrices::Edges<N>) {
    use muffliato_fast::{noise::GivenNoise, simulation::GossipState};
    let graph = super::matrices::graph(edges);
    let masks = graph.edges().map(|(a, b)| (0, (a, b), vec![(7 * a + b) as f64]));
    let noise = GivenNoise::try_new(N, 1, []).and_then(|noise| noise.with_masks(masks));
    let noise = noise.expect("finite masks");
    let values = (0..N).map(|v| v as f64).collect();
    let mut state = GossipState::try_new(values, 1).expect("finite values");
    state.add_masks(0, |_| 1.0, &graph, &noise).expect("masks for all edges");
    let sum: f64 = state.values().iter().sum();
    claim!(sum == (N * (N - 1) / 2) as f64, "the sum stays in the simulation's state");
}

pub fn ends_of_an_edge_take_opposite_masks<const N: usize>(choices: &mut impl Choices) -> Case {
    let (one, other) = (choices.word() as usize, choices.word() as usize);
    choices.assume(one != other)?;
    let mask = [i64::from(choices.signed(N as u8))];
    let before = [i64::from(choices.small(3)), i64::from(choices.small(3))];
    let (mut first, mut second) = ([before[0]], [before[1]]);
    take_mask(one, other, &mask, &mut first);
    take_mask(other, one, &mask, &mut second);
    claim!(first[0] + second[0] == before[0] + before[1], "what one end adds the other subtracts");
    let adds = first[0] == before[0] + mask[0];
    claim!(mask[0] == 0 || adds == (one < other), "the end with the smaller number adds");
    #[cfg(not(kani))]
    if mask[0] == 1 && before == [1, 2] && one < 8 && other < 8 {
        whole::claim_nodes_agree(one, other, before);
    }
    cover!(choices, (one > other) & (mask[0] != 0), "the larger end first");
    Some(())
}

/// Two nodes with a common key, with masks of the shipped distribution.
#[cfg(not(kani))]
mod whole {
    use crate::claim;
    use muffliato_fast::noise::{Grid, SharedKey};
    use muffliato_model::{Graph, Network, Protocol};
    use muffliato_node::{Body, NodeProtocol, Secrets, Terms};

    pub(super) fn claim_nodes_agree(one: usize, other: usize, values: [i64; 2]) {
        let graph = Graph::try_new(8, [(one, other)]).expect("an edge");
        let network = Network::metropolis(graph).expect("a network");
        let protocol = Protocol::one_shot(network, 1).expect("one step");
        let protocol = protocol.masked("1000000000".parse().expect("a fraction"));
        // Noise of a 1024th of a step: none.
        let (grid, sigma) = (Grid::try_new(1.0).expect("a power of two"), 2_f64.powi(-10));
        let terms = Terms { sigma, sensitivity: 8.0, coordinates: 1, grid, run: [1; 16] };
        let agreed = NodeProtocol::of(&protocol.expect("masks"), terms).expect("a protocol");
        let message = |own: usize, peer: usize, value: i64| {
            let keys = Secrets::Keys(vec![(peer, SharedKey::new([5; 32]))]);
            let mut node = agreed.node(own, vec![0.0], keys).expect("a node");
            let hello = agreed.node(peer, vec![0.0], Secrets::Seed(0)).expect("a node").hello();
            node.receive(&hello).expect("the same protocol");
            node.inject(&[value as f64]).expect("an input");
            node.save();
            match node.message().expect("one step").body {
                Body::Values { values, .. } => values[0],
                body => panic!("no values: {body:?}"),
            }
        };
        let (first, second) = (message(one, other, values[0]), message(other, one, values[1]));
        claim!(first + second == values[0] + values[1], "masks under one key cancel");
        claim!(first != values[0], "a mask hides the value");
    }
}

pub fn rounded_draws_commute_with_whole_steps<const N: usize>(choices: &mut impl Choices) -> Case {
    const PLACES: [u32; 4] = [76, 88, 117, 122];
    let drawn = choices.index(PLACES.len() - 1);
    let (high, growth) = (choices.word(), choices.word());
    let mut commuted = false;
    split(drawn, PLACES.len() - 1, |index| {
        let places = PLACES[index];
        // Up to four steps, in units of a 2^-62nd of a step.
        let unit = places - 62;
        let start = u128::from(high) << unit;
        let (nearest, missing) = nearest_step(start, places);
        let half = 1_u128 << (places - 1);
        claim!(
            nearest << places <= start + half && start + half < (nearest + 1) << places,
            "the nearest whole number, halves upwards"
        );
        let (there, still) = nearest_step(start + ((N as u128) << places), places);
        commuted = there == nearest + N as u128;
        claim!(commuted && still == missing, "a shift by whole steps commutes with rounding");
        let growth = u128::from(growth) << (unit - 2);
        let grown = nearest_step(start + growth, places).0;
        claim!(
            growth >= 1 << places || (grown > nearest) == (growth >= missing),
            "reached on time"
        );
    });
    cover!(choices, commuted & (high > 1 << 62), "beyond a step");
    Some(())
}

pub fn whole_shifts_commute_with_rounding<const N: usize>(choices: &mut impl Choices) -> Case {
    let sixteenths = choices.signed(127);
    let steps = f64::from(sixteenths) / 16.0;
    let shift = N as f64;
    let (here, there) = (nearest(steps), nearest(steps + shift));
    claim!(there == here + shift, "what differs by whole steps still does after rounding");
    claim!(-0.5 < here - steps && here - steps <= 0.5, "the nearest whole number, halves upwards");
    #[cfg(not(kani))]
    {
        use muffliato_fast::noise::Grid;
        let grid = Grid::try_new(0.25).expect("a power of two");
        let mut values = [steps / 4.0, (steps + shift) / 4.0];
        claim!(grid.round(&mut values).is_ok(), "the values are near");
        claim!(values == [here / 4.0, there / 4.0], "the grid rounds so, in its steps");
    }
    cover!(choices, here - steps == 0.5, "a half");
    Some(())
}
