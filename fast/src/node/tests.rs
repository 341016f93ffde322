use super::*;
use crate::{
    noise::{GivenNoise, Grid, RoundedGaussian, SeededNoise, SharedKey},
    simulation::Simulation,
    stream::{below, stream},
};
use muffliato_model::{Network, Protocol};

const PLAIN: NodeProtocol = NodeProtocol {
    steps: 3,
    sigma: 1.0,
    tau: 0.0,
    acceleration: None,
};

fn karate() -> Network {
    Network::metropolis("karate".parse().unwrap()).unwrap()
}

/// Returns a node in the middle of the path 0 - 1 - 2.
fn middle() -> Node<SeededNoise> {
    let weights = NodeWeights::try_new(1, 0.5, [(2, 0.25), (0, 0.25)]).unwrap();
    Node::try_new(vec![1.0], weights, PLAIN, SeededNoise::new(0)).unwrap()
}

/// Delivers messages in a random order, some of them a step early, until all nodes have finished;
/// returns the outputs and the number of early messages.
fn through_an_unordered_network(
    network: &Network,
    inputs: &[f64],
    width: usize,
    protocol: NodeProtocol,
    order: u64,
) -> (Vec<f64>, usize) {
    let weights = SparseWeights::of_network(network).unwrap();
    let mut nodes: Vec<_> = (0..weights.nodes())
        .map(|v| {
            let value = inputs[v * width..(v + 1) * width].to_vec();
            let row = NodeWeights::of_row(&weights, v).unwrap();
            Node::try_new(value, row, protocol, SeededNoise::new(11)).unwrap()
        })
        .collect();
    let mut generator = stream("test", order, 0, 0);
    let mut in_flight = Vec::new();
    let mut early = 0;
    let send = |node: &mut Node<SeededNoise>, from: usize, in_flight: &mut Vec<_>| {
        let (step, to) = (node.step(), node.neighbours().to_vec());
        if let Some(values) = node.message() {
            let values = values.to_vec();
            in_flight.extend(to.into_iter().map(|to| (from, to, step, values.clone())));
        }
    };
    for (v, node) in nodes.iter_mut().enumerate() {
        send(node, v, &mut in_flight);
    }
    while !in_flight.is_empty() {
        let chosen = below(&mut generator, in_flight.len());
        let (from, to, step, values) = in_flight.swap_remove(chosen);
        early += usize::from(step == nodes[to].step() + 1);
        nodes[to].receive(from, step, &values).unwrap();
        while nodes[to].advance().unwrap() {
            send(&mut nodes[to], to, &mut in_flight);
        }
    }
    let outputs = nodes
        .iter()
        .flat_map(|node| node.output().unwrap().to_vec());
    (outputs.collect(), early)
}

#[test]
fn any_order_of_messages_gives_the_matrix_engines_numbers_bit_for_bit() {
    let width = 3;
    let inputs: Vec<f64> = (0..34 * width).map(|k| (k * 7 % 11) as f64 / 3.0).collect();
    for (tau, g) in [
        (None, None),
        (None, Some("1.37")),
        (Some("0.05"), None),
        (Some("0.05"), Some("1.37")),
    ] {
        let mut protocol = Protocol::one_shot(karate(), 9).unwrap();
        if let Some(tau) = tau {
            protocol = protocol.refreshed(tau.parse().unwrap()).unwrap();
        }
        if let Some(g) = g {
            protocol = protocol.accelerated(g.parse().unwrap()).unwrap();
        }
        let matrix = Simulation::new(&protocol)
            .sigma(0.5)
            .run(&inputs, width, &SeededNoise::new(11))
            .unwrap();
        let settings = NodeProtocol {
            steps: 9,
            sigma: 0.5,
            tau: tau.map_or(0.0, |tau| tau.parse().unwrap()),
            acceleration: g.map(|g| g.parse().unwrap()),
        };
        for order in 0..5 {
            let (outputs, early) =
                through_an_unordered_network(&karate(), &inputs, width, settings, order);
            assert_eq!(outputs, matrix.values, "order {order}");
            assert!(early > 100, "{early} messages came early");
        }
    }
}

/// Acceptance on random scripts is tested in `tests/hostile_messages.rs`.
#[test]
fn refusals_say_why() {
    let mut node = middle();
    node.receive(0, 0, &[4.0]).unwrap();
    let late = |step| NodeError::WrongStep {
        from: 2,
        step,
        current: 0,
    };
    let wide = |given| NodeError::WrongWidth {
        from: 2,
        given,
        expected: 1,
    };
    let value = f64::INFINITY;
    for (from, step, values, refused) in [
        (0, 0, &[5.0][..], NodeError::Duplicate { from: 0, step: 0 }),
        (3, 0, &[5.0], NodeError::Stranger { from: 3 }),
        (1, 0, &[5.0], NodeError::Stranger { from: 1 }),
        (2, 2, &[5.0], late(2)),
        (2, 0, &[5.0, 5.0], wide(2)),
        (2, 0, &[], wide(0)),
        (2, 0, &[value], NodeError::NotFinite { from: 2, value }),
    ] {
        assert_eq!(node.receive(from, step, values), Err(refused));
    }
}

#[test]
fn an_overflow_and_a_failing_source_change_nothing() {
    let weights = NodeWeights::try_new(0, 0.0, [(1, 1.0)]).unwrap();
    let given = GivenNoise::try_new(1, 1, [(0, vec![0.0]), (1, vec![f64::MAX])]).unwrap();
    let refreshed = NodeProtocol { tau: 0.1, ..PLAIN };
    let mut node = Node::try_new(vec![1.0], weights, refreshed, &given).unwrap();
    node.message();
    node.receive(1, 0, &[f64::MAX]).unwrap();
    for _ in 0..2 {
        let overflow = NodeError::Engine(FastError::NotFinite {
            what: "value",
            node: 0,
            value: f64::INFINITY,
        });
        assert_eq!(node.advance(), Err(overflow));
        assert_eq!(node.step(), 0);
    }

    let weights = NodeWeights::try_new(0, 0.0, [(1, 1.0)]).unwrap();
    let missing = GivenNoise::try_new(1, 1, [(0, vec![0.0])]).unwrap();
    let mut node = Node::try_new(vec![1.0], weights, refreshed, &missing).unwrap();
    node.message();
    node.receive(1, 0, &[1.0]).unwrap();
    assert!(node.advance().is_err());
    assert_eq!((node.step(), node.message()), (0, Some(&[1.0][..])));
}

#[test]
fn bad_weights_and_parameters_are_refused() {
    for (own, neighbours) in [
        (0.5, &[(1, 0.6)][..]),
        (-0.5, &[(1, 1.5)]),
        (f64::NAN, &[(1, 0.5)]),
        (0.5, &[(1, f64::NAN)]),
        (0.5, &[(0, 0.5)]),
        (0.5, &[(1, 0.25), (1, 0.25)]),
        (f64::INFINITY, &[]),
    ] {
        let refused = NodeWeights::try_new(0, own, neighbours.iter().copied());
        assert!(
            matches!(refused, Err(NodeError::Weights { .. })),
            "{own} {neighbours:?}"
        );
    }
    let matrix = SparseWeights::of_network(&karate()).unwrap();
    assert!(NodeWeights::of_row(&matrix, 34).is_err());
    let alone = || NodeWeights::try_new(0, 1.0, []).unwrap();
    let made =
        |value: Vec<f64>, protocol| Node::try_new(value, alone(), protocol, SeededNoise::new(0));
    assert!(made(vec![], PLAIN).is_err());
    assert!(made(vec![f64::NAN], PLAIN).is_err());
    let spoiled: [fn(&mut NodeProtocol); 3] = [
        |protocol| protocol.sigma = -1.0,
        |protocol| protocol.tau = f64::NAN,
        |protocol| protocol.acceleration = Some(2.5),
    ];
    for spoil in spoiled {
        let mut protocol = PLAIN;
        spoil(&mut protocol);
        assert!(made(vec![1.0], protocol).is_err());
    }
    // A node without neighbours advances alone.
    let mut node = made(vec![1.0], PLAIN).unwrap();
    while node.message().is_some() {
        assert!(node.advance().unwrap());
    }
    assert_eq!(node.step(), 3);
    assert!(!format!("{node:?}").contains("value"));
}

/// Returns the nodes of a triangle with keys for its edges.
fn triangle(kappa: f64, protocol: NodeProtocol, seed: u64) -> Vec<Node<RoundedGaussian>> {
    let noise = RoundedGaussian::seeded(Grid::try_new(2_f64.powi(-12)).unwrap(), seed);
    let key = |a: usize, b: usize| SharedKey::new([(3 * a.min(b) + a.max(b)) as u8; 32]);
    let node = |v: usize| {
        let others = (0..3).filter(|&w| w != v);
        let weights = others.clone().map(|w| (w, 1.0 / 3.0));
        let weights = NodeWeights::try_new(v, 1.0 / 3.0, weights).unwrap();
        let keys = others.map(|w| (w, key(v, w))).collect();
        let masks = NodeMasks { kappa, keys };
        Node::masked(vec![v as f64 / 3.0, 0.1], weights, protocol, noise, &masks).unwrap()
    };
    (0..3).map(node).collect()
}

fn sent(node: &mut Node<RoundedGaussian>) -> Vec<f64> {
    node.message().unwrap().to_vec()
}

/// Masked states differ from unmasked ones by whole masks, and their sum does not.
#[test]
fn both_ends_of_a_mask_cancel() {
    let plain: Vec<_> = triangle(0.0, PLAIN, 5).iter_mut().map(sent).collect();
    let masked: Vec<_> = triangle(100.0, PLAIN, 5).iter_mut().map(sent).collect();
    for coordinate in 0..2 {
        let change = |v: usize| masked[v][coordinate] - plain[v][coordinate];
        assert_eq!(change(0) + change(1) + change(2), 0.0);
        assert!(
            (0..3).all(|v| change(v).abs() > 1.0),
            "{masked:?} {plain:?}"
        );
    }
    // The mask of an edge, added by 0 and subtracted by 1.
    let noise = RoundedGaussian::seeded(Grid::try_new(2_f64.powi(-12)).unwrap(), 5);
    let mask = |key: u8| {
        let mut mask = [0.0; 2];
        let key = SharedKey::new([key; 32]);
        noise.draw(NoiseOf::Key(&key), 0, 100.0, &mut mask).unwrap();
        mask[0]
    };
    let (first, second, third) = (mask(1), mask(2), mask(5)); // 0-1, 0-2, 1-2
    let change = |v: usize| masked[v][0] - plain[v][0];
    assert_eq!(
        [change(0), change(1), change(2)],
        [first + second, third - first, -second - third]
    );
}

/// States are on the grid whenever a draw is added, including masks and fresh noise.
#[test]
fn states_are_on_the_grid_before_each_draw() {
    let protocol = NodeProtocol { tau: 0.25, ..PLAIN };
    let mut nodes = triangle(3.0, protocol, 9);
    let step = 2_f64.powi(-12);
    for time in 0..3 {
        let messages: Vec<_> = nodes.iter_mut().map(sent).collect();
        for (from, message) in messages.iter().enumerate() {
            assert!(
                message.iter().all(|x| x % step == 0.0),
                "step {time}: {message:?}"
            );
            for to in (0..3).filter(|&to| to != from) {
                nodes[to].receive(from, time, message).unwrap();
            }
        }
        // The mean of the three is off the grid for some sums; no node sends it unrounded.
        assert!(nodes.iter_mut().all(|node| node.advance().unwrap()));
    }
    let outputs = nodes.iter().filter_map(Node::output);
    assert!(
        outputs.flatten().any(|x| x % step != 0.0),
        "the result itself is not rounded"
    );
}

#[test]
fn bad_keys_and_mask_sizes_are_refused() {
    let noise = RoundedGaussian::seeded(Grid::try_new(2_f64.powi(-12)).unwrap(), 1);
    let masked = |kappa: f64, keys: &[usize]| {
        let weights = NodeWeights::try_new(0, 0.5, [(1, 0.5)]).unwrap();
        let key = |&w: &usize| (w, SharedKey::new([w as u8; 32]));
        let keys = keys.iter().map(key).collect();
        Node::masked(vec![0.5], weights, PLAIN, noise, &NodeMasks { kappa, keys })
    };
    assert!(masked(3.0, &[1, 4]).is_ok()); // a mask need not be shared with a neighbour in gossip
    assert!(matches!(
        masked(3.0, &[0]),
        Err(NodeError::Weights { node: 0, .. })
    ));
    assert!(matches!(
        masked(3.0, &[1, 1]),
        Err(NodeError::Weights { node: 0, .. })
    ));
    assert!(masked(-1.0, &[1]).is_err() && masked(f64::NAN, &[1]).is_err());
    assert!(masked(1e30, &[1]).is_err()); // beyond the grid
    let weights = NodeWeights::try_new(0, 0.5, [(1, 0.5)]).unwrap();
    let masks = NodeMasks {
        kappa: 3.0,
        keys: vec![(1, SharedKey::new([7; 32]))],
    };
    let without_steps = NodeProtocol { steps: 0, ..PLAIN };
    let idle = Node::masked(vec![0.5], weights, without_steps, noise, &masks).unwrap();
    assert_eq!(idle.output(), Some(&[0.5][..]));
}

/// Node 1 adds the mask shared with 2 and subtracts the one shared with 0: equal keys would cancel.
#[test]
fn one_key_for_two_neighbours_is_refused() {
    let noise = RoundedGaussian::seeded(Grid::try_new(2_f64.powi(-12)).unwrap(), 1);
    let masked = |second: u8| {
        let weights = NodeWeights::try_new(1, 0.5, [(0, 0.25), (2, 0.25)]).unwrap();
        let keys = vec![
            (2, SharedKey::new([second; 32])),
            (0, SharedKey::new([7; 32])),
        ];
        let masks = NodeMasks { kappa: 3.0, keys };
        Node::masked(vec![0.5], weights, PLAIN, noise, &masks)
    };
    let refused = masked(7).err();
    assert_eq!(
        refused,
        Some(NodeError::EqualKeys {
            node: 1,
            first: 0,
            second: 2
        })
    );
    assert!(masked(8).is_ok());
}
