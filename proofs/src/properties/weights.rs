//! Gossip matrices: symmetric and non-negative, with unit row and column sums and support inside
//! the edges.

#[cfg(not(kani))]
use super::matrices::graph;
use super::matrices::{
    Adjacency, Edges, Matrix, any_graph, common_denominator, is_inside, is_non_negative,
    is_symmetric, metropolis, mixed, of_scheme, product, sum, sums_are,
};
use crate::{Case, Choices, claim, cover};
use muffliato_model::{
    WeightScheme,
    cores::{check_stochastic, isolate},
};
use muffliato_reference::cores::{fill_edge_average, make_lazy};

fn claim_gossip_matrix<const N: usize>(matrix: &Matrix<N>, edges: &Edges<N>, denominator: i32) {
    claim!(is_symmetric(matrix), "the matrix is symmetric");
    claim!(is_non_negative(matrix), "no weight is negative");
    claim!(sums_are(matrix, denominator), "rows and columns sum to one");
    claim!(is_inside(matrix, edges), "weights are on edges");
}

/// Checks that the engine's constructor builds the same matrix, whose edges weigh one over the
/// larger degree (plus one for Metropolis), and that the check of custom weights accepts it.
#[cfg(not(kani))]
fn claim_engine_agrees<const N: usize>(edges: &Edges<N>, scheme: WeightScheme, matrix: &Matrix<N>) {
    use muffliato_model::{CustomWeights, Network};
    use muffliato_reference::GossipMatrix;
    let one = common_denominator(N);
    let more = usize::from(scheme == WeightScheme::Metropolis);
    let graph = graph(edges);
    let all = || (0..N).flat_map(|v| (0..N).map(move |w| (v, w)));
    for (v, w) in all().filter(|&(v, w)| edges[v][w]) {
        let larger = graph.degree(v).max(graph.degree(w));
        claim!(
            matrix[v][w] as usize * (more + larger) == one as usize,
            "one over the larger degree"
        );
    }
    let entries = all().map(|(v, w)| (v, w, matrix[v][w].into()));
    claim!(CustomWeights::try_new(&graph, one.into(), entries).is_ok(), "the weights are accepted");
    let network = Network::try_new(graph, scheme).expect("a network");
    let engine = GossipMatrix::of_network(&network).expect("a small matrix");
    for (v, w) in all() {
        claim!(
            &engine.numerators()[v * N + w] * one == engine.denominator() * matrix[v][w],
            "the constructor makes the same matrix"
        );
    }
}

pub fn metropolis_is_stochastic<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let matrix = metropolis(&edges);
    claim_gossip_matrix(&matrix, &edges, common_denominator(N));
    for v in 0..N {
        claim!(matrix[v][v] > 0, "the diagonal is positive");
    }
    #[cfg(not(kani))]
    claim_engine_agrees(&edges, WeightScheme::Metropolis, &matrix);
    cover!(choices, N < 2 || matrix[0][1] > 0, "an edge");
    Some(())
}

pub fn max_degree_inverse_is_stochastic<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let matrix = of_scheme(&edges, &WeightScheme::MaxDegreeInverse);
    claim_gossip_matrix(&matrix, &edges, common_denominator(N));
    #[cfg(not(kani))]
    claim_engine_agrees(&edges, WeightScheme::MaxDegreeInverse, &matrix);
    cover!(choices, N < 2 || matrix[0][0] == 0, "a diagonal of zero");
    Some(())
}

pub fn lazy_is_stochastic<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let before = of_scheme(&edges, &WeightScheme::MaxDegreeInverse);
    let (mut lazy, mut denominator) = (before, common_denominator(N));
    make_lazy(N, lazy.as_flattened_mut(), &mut denominator);
    claim!(denominator == 2 * common_denominator(N), "the denominator doubles");
    claim_gossip_matrix(&lazy, &edges, denominator);
    for v in 0..N {
        claim!(2 * lazy[v][v] >= denominator, "every node keeps at least half");
        for w in 0..N {
            claim!(v == w || lazy[v][w] == before[v][w], "an edge's numerator stays");
        }
    }
    cover!(choices, N < 2 || lazy[0][1] > 0, "an edge");
    Some(())
}

fn any_edge_average<const N: usize>(
    choices: &mut impl Choices,
) -> Option<((usize, usize), Matrix<N>)> {
    let (u, v) = (choices.index(N - 1), choices.index(N - 1));
    choices.assume(u != v)?;
    let mut matrix = [[7; N]; N];
    fill_edge_average(N, (u, v), matrix.as_flattened_mut());
    Some(((u, v), matrix))
}

pub fn edge_average_is_an_idempotent_gossip_matrix<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let ((u, v), once) = any_edge_average::<N>(choices)?;
    let mut edges = [[false; N]; N];
    edges[u][v] = true;
    edges[v][u] = true;
    claim_gossip_matrix(&once, &edges, 2);
    let twice = product(&once, &once);
    for a in 0..N {
        for b in 0..N {
            claim!(twice[a][b] == 2 * once[a][b], "averaging twice is averaging once");
        }
    }
    claim!(once[u][v] == 1, "the two ends share equally");
    cover!(choices, u > v, "an edge given from its larger end");
    Some(())
}

pub fn edge_average_keeps_the_mean<const N: usize>(choices: &mut impl Choices) -> Case {
    let ((u, v), matrix) = any_edge_average::<N>(choices)?;
    let x: [i32; N] = choices.array(|choices| choices.small(3).into());
    let mixed = mixed(&matrix, &x);
    for w in 0..N {
        claim!(w == u || w == v || mixed[w] == 2 * x[w], "the others keep their values");
    }
    claim!(sum(&mixed) == 2 * sum(&x), "the sum stays");
    claim!(mixed[u] == mixed[v], "the two ends agree");
    cover!(choices, x[u] != x[v], "two values that differ");
    Some(())
}

pub fn custom_weights_are_accepted_exactly_if_stochastic<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    const DENOMINATOR: i32 = 2;
    let mut edges = [[false; N]; N];
    let mut matrix = [[0; N]; N];
    let (mut diagonal, mut off_diagonal) = ([0; N], [0; 16]);
    let mut place = 0;
    for v in 0..N {
        for w in 0..N {
            edges[v][w] = v + 1 == w || w + 1 == v;
            if v != w && !edges[v][w] {
                continue;
            }
            let numerator = i32::from(choices.small(DENOMINATOR as u8 + 2)) - 1;
            matrix[v][w] = numerator;
            if v == w {
                diagonal[v] = i128::from(numerator);
            } else {
                off_diagonal[place] = i128::from(numerator);
                place += 1;
            }
        }
    }
    let stored = Adjacency::of(&edges);
    let accepted = check_stochastic(
        &stored.offsets[..N + 1],
        &stored.targets[..place],
        &diagonal,
        &off_diagonal[..place],
        i128::from(DENOMINATOR),
    )
    .is_ok();
    let mut sums = true;
    for row in &matrix {
        sums &= sum(row) == DENOMINATOR;
    }
    let stochastic = is_symmetric(&matrix) && is_non_negative(&matrix) && sums;
    claim!(accepted == stochastic, "accepted exactly if stochastic");
    #[cfg(not(kani))]
    claim_constructor_agrees(&matrix, &edges, DENOMINATOR, stochastic);
    cover!(choices, accepted, "a gossip matrix");
    cover!(choices, sums && is_symmetric(&matrix) && matrix[0][1] < 0, "only a sign is wrong");
    Some(())
}

/// Checks that the constructor accepts the same matrix, and rejects it with a weight off the edges.
#[cfg(not(kani))]
fn claim_constructor_agrees<const N: usize>(
    matrix: &Matrix<N>,
    edges: &Edges<N>,
    denominator: i32,
    stochastic: bool,
) {
    use muffliato_model::{CustomWeights, WeightError};
    let all = || (0..N).flat_map(|v| (0..N).map(move |w| (v, w)));
    let graph = graph(edges);
    let entry = |(v, w): (usize, usize)| (v, w, i128::from(matrix[v][w]));
    let made = CustomWeights::try_new(&graph, denominator.into(), all().map(entry));
    claim!(made.is_ok() == stochastic, "the constructor agrees");
    let outside = all().find(|&(v, w)| v != w && !edges[v][w]);
    if let Some((row, column)) = outside {
        let wrong = all().map(entry).map(|(v, w, weight)| {
            let off = (v, w) == (row, column);
            (v, w, if off { 1 } else { weight })
        });
        let refused = CustomWeights::try_new(&graph, denominator.into(), wrong);
        claim!(
            matches!(refused, Err(WeightError::NoEdge { row: r, column: c, .. }) if (r, c) == (row, column)),
            "a weight outside the edges is refused with its place"
        );
    }
}

pub fn dropout_keeps_the_invariants<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let away: [bool; N] = choices.array(|choices| choices.flag());
    let mut stored = Adjacency::of(&edges);
    isolate(&mut stored.offsets[..N + 1], &mut stored.targets, &away);
    let mut left = [[false; N]; N];
    for v in 0..N {
        for place in 0..N * (N - 1) {
            if stored.offsets[v] <= place && place < stored.offsets[v + 1] {
                left[v][stored.targets[place] as usize] = true;
            }
        }
    }
    let denominator = common_denominator(N);
    let matrix = metropolis(&left);
    claim_gossip_matrix(&matrix, &edges, denominator);
    for v in 0..N {
        claim!(!away[v] || matrix[v][v] == denominator, "who is away keeps everything");
    }
    cover!(choices, away[0] && N > 1 && edges[0][N - 1], "an edge goes");
    Some(())
}
