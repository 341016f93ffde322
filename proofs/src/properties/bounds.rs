//! Steps behind the paper's bounds.

use super::matrices::{any_graph, common_denominator, metropolis, product, sum};
use crate::{Case, Choices, claim, cover};
use muffliato_reference::cores::{square_sum, squared_share};

/// Chooses a row of numerators, not all 0.
fn any_row<const N: usize>(choices: &mut impl Choices, most: u8) -> Option<[i32; N]> {
    let row = choices.array(|choices| choices.small(most).into());
    choices.assume(sum(&row) > 0)?;
    Some(row)
}

/// The claim is symmetric in the entries, so sorted ones are enough.
pub fn squares_are_at_least_their_mean<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut largest = 0;
    let row: [i32; N] = choices.array(|choices| {
        largest = largest.max(choices.small(31).into());
        largest
    });
    let sum = sum(&row);
    claim!(N as i32 * square_sum(&row) >= sum * sum, "squares are at least their mean");
    cover!(choices, row[0] > 0 && row[0] == row[N - 1], "all are equal");
    Some(())
}

pub fn shares_of_a_message_sum_to_one<const N: usize>(choices: &mut impl Choices) -> Case {
    let row = any_row::<N>(choices, 7)?;
    let (mut sources, mut sum) = ([0; N], 0);
    for u in 0..N {
        sources[u] = u;
        let (above, below) = squared_share(&row, &[u]);
        claim!(below == square_sum(&row), "all shares have one denominator");
        sum += above;
    }
    let (above, below) = squared_share(&row, &sources);
    claim!(above == below, "the share of all sources is one");
    claim!(sum == below, "the shares of the sources sum to one");
    cover!(choices, N < 2 || row[0] > row[N - 1], "entries that differ");
    Some(())
}

pub fn shares_lie_between_zero_and_one<const N: usize>(choices: &mut impl Choices) -> Case {
    let row = any_row::<N>(choices, 7)?;
    let source = choices.index(N - 1);
    let (above, below) = squared_share(&row, &[source]);
    claim!(below > 0, "the denominator is positive");
    claim!(0 <= above && above <= below, "the share is at most one");
    claim!((above == 0) == (row[source] == 0), "sources inside the message have shares");
    cover!(choices, above == below, "a share of one");
    Some(())
}

/// Term by term, as in the paper's proof: for t = 0 and 1, observer 0 and source N - 1,
/// `sum_w (W^t)_{w,u}^2 / ||(W^t)_w||^2 <= n max_w W_{v,w}^{-2} (W^{t+1})_{u,v}^2`.
pub fn corollary_1_is_above_theorem_1<const N: usize>(choices: &mut impl Choices) -> Case {
    let edges = any_graph::<N>(choices);
    let (observer, source) = (0, N - 1);
    let matrix = metropolis(&edges);
    let one = common_denominator(N);
    let mut identity = [[0; N]; N];
    let mut smallest = one;
    for w in 0..N {
        identity[w][w] = 1;
        if edges[observer][w] {
            smallest = smallest.min(matrix[observer][w]);
        }
    }
    choices.assume(smallest < one)?;
    let square = product(&matrix, &matrix);
    // The row of W^t, the arrival probability of W^(t+1), and the denominator of the former.
    let terms =
        [(&identity, matrix[source][observer], 1), (&matrix, square[source][observer], one)];
    for (power, arriving, denominator) in terms {
        // The sum of shares as one fraction.
        let (mut above, mut below) = (0_i64, 1_i64);
        for w in 0..N {
            if edges[observer][w] {
                let (share, norm) = squared_share(&power[w], &[source]);
                above = above * i64::from(norm) + i64::from(share) * below;
                below *= i64::from(norm);
            }
        }
        let arriving = i64::from(arriving);
        let walked = i64::from(smallest) * i64::from(denominator);
        claim!(above * walked * walked <= N as i64 * arriving * arriving * below, "the walk costs");
        cover!(choices, above > 0, "the source is heard");
    }
    #[cfg(not(kani))]
    claim_engine_agrees(&edges, observer, source);
    Some(())
}

/// Checks the sums over time with the reference engine.
#[cfg(not(kani))]
fn claim_engine_agrees<const N: usize>(edges: &[[bool; N]; N], observer: usize, source: usize) {
    use muffliato_model::{Network, Observer, Protocol, WeightScheme};
    use muffliato_reference::{PaperBounds, bounds::random_walk_bound};
    let graph = super::matrices::graph(edges);
    let network = Network::try_new(graph, WeightScheme::Metropolis).expect("a network");
    let protocol = Protocol::one_shot(network, 2).expect("a protocol");
    let observer = Observer::full(observer);
    let paper = PaperBounds::of(&protocol).expect("averaging");
    let theorem = paper.pairwise(source, &observer).expect("a pair");
    let corollary = random_walk_bound(&protocol, source, &observer).expect("a neighbour");
    claim!(corollary >= theorem, "the engine's Corollary 1 is above its Theorem 1");
}
