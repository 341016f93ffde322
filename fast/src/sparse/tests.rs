//! The stored weights against the exact ones, and products with blocks.

use super::*;
use muffliato_model::GraphSpec;
use muffliato_reference::GossipMatrix;
use num_rational::BigRational;
use num_traits::One;

fn weights(graph: &str, scheme: &str) -> SparseWeights {
    let graph = graph.parse::<GraphSpec>().unwrap().build().unwrap();
    let network = Network::try_new(graph, scheme.parse().unwrap()).unwrap();
    SparseWeights::of_network(&network).unwrap()
}

#[test]
fn a_block_is_its_columns() {
    let w = weights("karate", "metropolis");
    // One at a time, by fours and by eights, with an overlap at the end.
    for width in [3, 6, 21] {
        let x: Vec<f64> = (0..34 * width).map(|k| (k * k % 101) as f64).collect();
        let mut block = vec![0.0; x.len()];
        w.apply(&x, width, &mut block).unwrap();
        for k in 0..width {
            let column: Vec<f64> = (0..34).map(|v| x[v * width + k]).collect();
            let mut out = vec![0.0; 34];
            w.apply(&column, 1, &mut out).unwrap();
            for v in 0..34 {
                assert_eq!(block[v * width + k], out[v]);
                let dense: f64 = (0..34).map(|u| w.weight(v, u) * column[u]).sum();
                assert!((dense - out[v]).abs() < 1e-12);
            }
        }
        assert!(w.apply(&x, width + 1, &mut block).is_err());
    }
}

fn exactly(number: f64) -> BigRational {
    BigRational::from_float(number).unwrap()
}

/// Stored weights are within their roundings of those of the exact engine.
#[test]
fn weights_are_within_their_roundings() {
    let star = "star:70".parse::<GraphSpec>().unwrap().build().unwrap();
    let tree = Graph::try_new(90, (1..90).map(|v| (v, (v - 1) / (1 + v % 7)))).unwrap();
    for graph in [star, tree, path_with_custom_weights().graph().clone()] {
        for scheme in ["metropolis", "max-degree-inverse", "lazy", "lazy:lazy:metropolis"] {
            let network = Network::try_new(graph.clone(), scheme.parse().unwrap()).unwrap();
            assert_within_roundings(&network);
        }
    }
    assert_within_roundings(&path_with_custom_weights());
}

fn path_with_custom_weights() -> Network {
    let path = Graph::try_new(3, [(0, 1), (1, 2)]).unwrap();
    let third = i128::MAX / 3;
    let rest = i128::MAX - third;
    let entries = [
        (0, 0, rest),
        (0, 1, third),
        (1, 0, third),
        (1, 1, rest - 1),
        (1, 2, 1),
        (2, 1, 1),
        (2, 2, i128::MAX - 1),
    ];
    let weights = CustomWeights::try_new(&path, i128::MAX, entries).unwrap();
    Network::try_new(path, WeightScheme::Custom(weights)).unwrap()
}

fn assert_within_roundings(network: &Network) {
    let fast = SparseWeights::of_network(network).unwrap();
    let exact = GossipMatrix::of_network(network).unwrap();
    let unit = BigRational::one() + exactly(crate::UNIT_ROUNDOFF);
    let growth = unit.pow(fast.roundings() as i32);
    for v in 0..fast.nodes() {
        for w in 0..fast.nodes() {
            let above = exact.numerators()[v * exact.nodes() + w].clone();
            let weight = BigRational::new(above, exact.denominator().clone());
            let stored = exactly(fast.weight(v, w));
            assert!(stored <= &weight * &growth && weight <= stored * &growth);
            if let (Some(common), true) = (fast.common(v), fast.row(v).0.contains(&(w as u32))) {
                assert_eq!(common, fast.weight(v, w));
            }
        }
    }
}

#[test]
fn isolated_nodes_keep_their_value_without_rounding() {
    let graph = Graph::try_new(3, [(0, 1)]).unwrap();
    for scheme in ["metropolis", "max-degree-inverse", "lazy"] {
        let network = Network::try_new(graph.clone(), scheme.parse().unwrap()).unwrap();
        let weights = SparseWeights::of_network(&network).unwrap();
        assert_eq!((weights.own(2), weights.row_roundings(2)), (1.0, 0));
        assert_eq!(weights.common(2), None);
        assert!(weights.row_roundings(0) <= weights.step_roundings());
    }
}

/// Regression: in release mode the number of entries wrapped around, and the product was not
/// computed.
#[test]
fn a_width_whose_block_overflows_is_refused() {
    let graph = Graph::try_new(2, [(0, 1)]).unwrap();
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    let weights = SparseWeights::of_network(&network).unwrap();
    let width = usize::MAX / 2 + 2; // times two nodes is 2, modulo 2^64
    let refused = weights.apply(&[1.0, 2.0], width, &mut [0.0; 2]);
    assert!(matches!(refused, Err(FastError::WrongLength { .. })));
}
