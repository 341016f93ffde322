//! Table of all registered properties.

use crate::registry::{
    Entry, Planted,
    Run::{NotYet, Proved, ProvedBefore, ProvedTogether},
    register,
};

register! {
    graph::rows_hold_both_directions {
        claim: "counting and filling store each edge in both rows, in bounds, as often as it is given",
        item: "model::graph::{count_neighbours, fill_neighbours}",
        bound: "every three edges on 4 nodes, in any order and direction",
        planted: "model/src/graph/adjacency.rs",
            "targets[*place] = to;"
            => "targets[*place] = from;",
        kani: edges = 3, unwind = 9, Proved(49),
        exhaustive: [1, 2, 3],
        random: [7],
    }
    graph::merged_rows_increase {
        claim: "merging sorted rows keeps their sets and makes them strictly increasing",
        item: "model::graph::merge_rows",
        bound: "every two sorted rows of 4 entries together, from 3 values",
        planted: "model/src/graph/adjacency.rs",
            "last.replace((row, target)) != Some((row, target))"
            => "last.replace((row, target)).is_none_or(|(_, before)| before != target)",
        kani: entries = 4, unwind = 6, Proved(2),
        exhaustive: [1, 2, 3, 4, 5],
        random: [9],
    }
    graph::adjacency_is_the_edge_set {
        claim: "the adjacency arrays are those of the dense matrix: in bounds, sorted, without repetitions",
        item: "model::graph::{count_neighbours, fill_neighbours, sort_rows, merge_rows}",
        bound: "every two edges on 3 nodes; rows are sorted by insertion in place of the library's sort",
        planted: "model/src/graph/adjacency.rs",
            "start = end;"
            => "start = kept;",
        kani: edges = 2, unwind = 6, Proved(52),
        exhaustive: [1, 2, 3, 4],
        random: [7],
    }
    graph::isolated_nodes_leave {
        claim: "dropout keeps exactly the edges between present nodes",
        item: "model::graph::isolate",
        bound: "every graph on 3 nodes and every set of absent ones",
        planted: "model/src/graph/adjacency.rs",
            "!away[row] && !away[target as usize]"
            => "!away[row]",
        kani: nodes = 3, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    graph::distances_change_by_at_most_one_along_edges {
        claim: "distances satisfy the triangle inequality along edges, and are attained",
        item: "model::graph::fill_distances",
        bound: "every graph on 3 nodes and every source",
        planted: "model/src/graph/adjacency.rs",
            "distance[node].map(|so_far| so_far + 1)"
            => "distance[node].map(|so_far| so_far)",
        kani: nodes = 3, unwind = 5, Proved(19),
        exhaustive: [1, 2, 3, 4, 5, 6],
        random: [8],
    }
    weights::metropolis_is_stochastic {
        claim: "Metropolis weights are a gossip matrix with a positive diagonal",
        item: "reference::arithmetic::{degree_shift, inverse_weight, fill_weights}; enumerated also GossipMatrix::of_network, CustomWeights::try_new",
        bound: "every graph on 5 nodes",
        planted: "reference/src/arithmetic/matrix.rs",
            "WeightScheme::Metropolis => Some(1)"
            => "WeightScheme::Metropolis => Some(0)",
        kani: nodes = 5, unwind = 7, Proved(83),
        exhaustive: [1, 2, 3, 4, 5, 6],
        random: [8],
    }
    weights::max_degree_inverse_is_stochastic {
        claim: "inverses of the larger degree are a gossip matrix",
        item: "reference::arithmetic::{degree_shift, inverse_weight, fill_weights}; enumerated also GossipMatrix::of_network, CustomWeights::try_new",
        bound: "every graph on 5 nodes",
        planted: "reference/src/arithmetic/matrix.rs",
            "shift + own.max(other)"
            => "shift + own.min(other)",
        kani: nodes = 5, unwind = 7, Proved(124),
        exhaustive: [1, 2, 3, 4, 5, 6],
        random: [8],
    }
    weights::lazy_is_stochastic {
        claim: "the lazy version is a gossip matrix in which every node keeps at least half",
        item: "reference::arithmetic::make_lazy",
        bound: "every graph on 3 nodes",
        planted: "reference/src/arithmetic/matrix.rs",
            "numerators[v * nodes + v] += &*denominator;"
            => "numerators[v * nodes + v] += &I::one();",
        kani: nodes = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4, 5],
        random: [8],
    }
    weights::edge_average_is_an_idempotent_gossip_matrix {
        claim: "averaging over an edge is a gossip matrix, and its own square",
        item: "reference::arithmetic::{fill_edge_average, multiply}",
        bound: "every edge on 3 nodes",
        planted: "reference/src/arithmetic/matrix.rs",
            "for (row, column) in [(u, u), (u, v), (v, u), (v, v)]"
            => "for (row, column) in [(u, v), (v, u)]",
        kani: nodes = 3, unwind = 11, Proved(37),
        exhaustive: [2, 3, 4, 5],
        random: [8],
    }
    weights::edge_average_keeps_the_mean {
        claim: "averaging over an edge keeps the sum of the values",
        item: "reference::arithmetic::{fill_edge_average, multiply}",
        bound: "every edge on 3 nodes, values up to 3",
        planted: "reference/src/arithmetic/matrix.rs",
            "for (row, column) in [(u, u), (u, v), (v, u), (v, v)]"
            => "for (row, column) in [(u, u), (u, v), (v, v)]",
        kani: nodes = 3, unwind = 11, Proved(21),
        exhaustive: [2, 3, 4],
        random: [8],
    }
    weights::custom_weights_are_accepted_exactly_if_stochastic {
        claim: "custom weights are accepted exactly if they are a gossip matrix",
        item: "model::check_stochastic",
        bound: "the path of 3 nodes, numerators from -1 to 3 over 2",
        planted: "model/src/weights/stochastic.rs",
            "if numerator < 0 && negative.is_none()"
            => "if numerator < 0 && negative.is_some()",
        kani: nodes = 3, unwind = 8, Proved(13),
        exhaustive: [2, 3],
        random: [4],
    }
    weights::dropout_keeps_the_invariants {
        claim: "after dropout the weights are a gossip matrix, and an absent node keeps its value",
        item: "model::graph::isolate, reference::arithmetic::fill_weights",
        bound: "every graph on 3 nodes and every set of absent ones",
        planted: "model/src/graph/adjacency.rs",
            "!away[row] && !away[target as usize]"
            => "!away[target as usize]",
        kani: nodes = 3, unwind = 8, ProvedTogether,
        exhaustive: [2, 3, 4],
        random: [8],
    }
    diagonal::diagonal_is_one_minus_the_rest {
        claim: "the diagonal without cancellation is one minus the weights of the edges",
        item: "fast::arithmetic::{degree_shift, degree_weights}",
        bound: "every row of up to 2 neighbours of degree up to 3, in exact fractions",
        planted: "fast/src/arithmetic/row.rs",
            "    diagonal + group\n"
            => "    diagonal\n",
        kani: neighbours = 2, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3, 4, 5],
        random: [5],
    }
    products::product_is_its_definition {
        claim: "an entry of a product is the sum of its products",
        item: "reference::arithmetic::multiply",
        bound: "all 2 x 2 matrices with entries from -1 to 1",
        planted: "reference/src/arithmetic/matrix.rs",
            "        out_row.fill(I::zero());\n"
            => "",
        kani: rows = 2, unwind = 6, Proved(20),
        exhaustive: [1, 2],
        random: [3, 5],
    }
    products::products_keep_row_and_column_sums {
        claim: "the product of two gossip matrices has rows and columns that sum to one",
        item: "reference::arithmetic::multiply",
        bound: "every two graphs on 3 nodes, Metropolis and inverse larger degree",
        planted: "reference/src/arithmetic/matrix.rs",
            "*sum += &factor.times(entry);"
            => "*sum = factor.times(entry);",
        kani: nodes = 3, unwind = 6, Proved(95),
        exhaustive: [1, 2, 3, 4],
        random: [6],
    }
    products::powers_stay_symmetric {
        claim: "the square and the cube of a gossip matrix are symmetric, with unit row and column sums",
        item: "reference::arithmetic::multiply",
        bound: "every graph on 3 nodes",
        planted: "reference/src/arithmetic/matrix.rs",
            "b_row.iter().zip(out_row.iter_mut())"
            => "b_row.iter().zip(out_row.iter_mut().rev())",
        kani: nodes = 3, unwind = 6, Proved(132),
        exhaustive: [1, 2, 3, 4, 5],
        random: [6],
    }
    products::mixing_keeps_the_sum {
        claim: "a gossip step keeps the sum of the values",
        item: "reference::arithmetic::multiply",
        bound: "every graph on 3 nodes; by linearity every unit vector, times up to 15",
        planted: "reference/src/arithmetic/matrix.rs",
            "if factor.is_zero() {\n                continue;"
            => "if factor.is_zero() {\n                break;",
        kani: nodes = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    products::mixing_stays_between_the_extremes {
        claim: "a mixed value lies between the smallest and the largest",
        item: "reference::arithmetic::multiply",
        bound: "every graph on 3 nodes, values up to 3",
        planted: "reference/src/arithmetic/matrix.rs",
            "        own -= &weight;\n"
            => "",
        kani: nodes = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    products::chebyshev_keeps_row_sums {
        claim: "an accelerated step keeps the sums of rows, for every ratio g",
        item: "reference::arithmetic::chebyshev_step",
        bound: "every graph on 3 nodes, g = p / q with p up to 7 and q up to 4",
        planted: "reference/src/arithmetic/matrix.rs",
            "*entry += &before.times(behind);"
            => "*entry -= &before.times(behind);",
        kani: nodes = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    bounds::squares_are_at_least_their_mean {
        claim: "n times the sum of squares is at least the square of the sum: from Theorem 1 to Corollary 1",
        item: "reference::arithmetic::square_sum",
        bound: "all three entries up to 31, sorted",
        planted: "reference/src/arithmetic/vector.rs",
            "sum += &x.times(y);"
            => "sum += x;",
        kani: entries = 3, unwind = 6, Proved(2),
        exhaustive: [1, 2, 3],
        random: [8],
    }
    bounds::shares_of_a_message_sum_to_one {
        claim: "the shares of all sources in a message sum to exactly one: the mean-loss identity",
        item: "reference::arithmetic::{squared_share, square_sum}",
        bound: "all rows of three entries up to 7",
        planted: "reference/src/arithmetic/vector.rs",
            "above += &row[u].times(&row[u]);"
            => "above += &row[u];",
        kani: entries = 3, unwind = 6, Proved(10),
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    bounds::shares_lie_between_zero_and_one {
        claim: "each term of f lies between 0 and 1",
        item: "reference::arithmetic::squared_share",
        bound: "all rows of three entries up to 7, every source",
        planted: "reference/src/arithmetic/vector.rs",
            "(above, square_sum(row))"
            => "(square_sum(row), above)",
        kani: entries = 3, unwind = 6, Proved(2),
        exhaustive: [1, 2, 3, 4],
        random: [8],
    }
    bounds::corollary_1_is_above_theorem_1 {
        claim: "Corollary 1 is at least Theorem 1, term by term",
        item: "reference::arithmetic::{fill_weights, multiply, squared_share}",
        bound: "every graph on 3 nodes, the first two times, observer 0 and source 2",
        planted: "reference/src/arithmetic/vector.rs",
            "above += &row[u].times(&row[u]);"
            => "above += &square_sum(row);",
        kani: nodes = 3, unwind = 6, Proved(100),
        exhaustive: [2, 3, 4],
        random: [4],
    }
    leakage::leakage_lies_between_zero_and_one {
        claim: "a leakage lies between 0 and 1",
        item: "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}",
        bound: "two messages over 2 draws with entries up to 2; three messages are enumerated",
        planted: "reference/src/arithmetic/elimination.rs",
            "        numerator /= &previous;\n"
            => "",
        kani: draws = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [4, 5],
    }
    leakage::leakages_sum_to_the_rank {
        claim: "the leakages of all draws sum to the rank of the view",
        item: "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}",
        bound: "two messages over 2 draws with entries up to 2; three messages are enumerated",
        planted: "reference/src/arithmetic/elimination.rs",
            "*entry -= &factor.times(above);"
            => "*entry += &factor.times(above);",
        kani: draws = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [4, 5],
    }
    leakage::dependent_messages_add_no_rank {
        claim: "a multiple of a message adds neither rank nor leakage",
        item: "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}",
        bound: "a message over 2 draws with entries up to 3, and a multiple up to 3",
        planted: "reference/src/arithmetic/elimination.rs",
            "if pivot.is_zero() {"
            => "if pivot.is_negative() {",
        kani: draws = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [4],
    }
    leakage::signs_find_the_largest_form {
        claim: "the Gray code finds the largest quadratic form over signs",
        item: "reference::arithmetic::largest_over_signs",
        bound: "all symmetric 3 x 3 matrices with entries from -2 to 2, against any signs",
        planted: "reference/src/arithmetic/signs.rs",
            "size.saturating_sub(1)"
            => "size.saturating_sub(2)",
        kani: inputs = 3, unwind = 6, Proved(48),
        exhaustive: [1, 2, 3],
        random: [6],
    }
    leakage::content_is_the_greatest_divisor {
        claim: "dividing by the content leaves no common divisor",
        item: "reference::arithmetic::divide_by_content",
        bound: "all pairs of integers from -12 to 12",
        planted: "reference/src/arithmetic/vector.rs",
            "for x in a.iter() {"
            => "for x in a.iter().take(1) {",
        kani: entries = 2, unwind = 12, Proved(6),
        exhaustive: [1, 2],
        random: [5],
    }
    sparse::sparse_product_is_the_dense_one {
        claim: "a row of the sparse product equals the dense one",
        item: "fast::arithmetic::mixed_entry",
        bound: "every row on 4 nodes with weights up to 3, values from -1 to 1",
        planted: "fast/src/arithmetic/row.rs",
            "let mut sum = own * x[v];"
            => "let mut sum = own * x[0];",
        kani: neighbours = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [8],
    }
    sparse::blocks_are_mixed_vector_by_vector {
        claim: "a block of vectors is mixed as if each were alone",
        item: "fast::arithmetic::{mixed_block, mixed_entry}",
        bound: "every row on 3 nodes with weights up to 3, two vectors of bits",
        planted: "fast/src/arithmetic/row.rs",
            "x[w as usize * width + k..]"
            => "x[w as usize + k..]",
        kani: neighbours = 2, unwind = 8, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [8],
    }
    sparse::steps_on_integers_are_exact {
        claim: "a step on integers in floats is exact",
        item: "fast::arithmetic::mixed_entry",
        bound: "every row on 3 nodes, weights and values up to 3, in f64",
        planted: "fast/src/arithmetic/row.rs",
            "sum += weight * x[w as usize];"
            => "sum += weight * x[w as usize] + T::from(1) / T::from(2);",
        kani: neighbours = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [8],
    }
    sparse::float_weights_round_as_counted {
        claim: "the floats lie within their stated distance of the exact weights",
        item: "fast::arithmetic::{degree_shift, degree_weights, degree_roundings}",
        bound: "every row of up to 2 neighbours of degree up to 3, in f64",
        planted: "fast/src/arithmetic/row.rs",
            "sums as u64 + 1"
            => "sums.min(1) as u64",
        kani: neighbours = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 3, 4],
        random: [6],
    }
    sparse::acceleration_keeps_constants_and_sums {
        claim: "an accelerated step keeps sums and fixed points",
        item: "fast::arithmetic::chebyshev",
        bound: "two nodes with values up to 3, whole g up to 5",
        planted: "fast/src/arithmetic/lockstep.rs",
            "let behind = T::from(1) - g;"
            => "let behind = g - T::from(1);",
        kani: nodes = 2, unwind = 5, Proved(2),
        exhaustive: [1, 2, 3],
        random: [8],
    }
    floats::enclosures_reach_as_far_as_counted {
        claim: "an enclosure reaches as far as the counted roundings can lead",
        item: "fast::Enclosure::around",
        bound: "floats of four exponents with 4 free bits, up to 3 roundings",
        planted: "fast/src/enclosure.rs",
            "upper: (above * (1.0 + spread)).next_up()"
            => "upper: above.next_up()",
        kani: bits = 4, unwind = 7, ProvedTogether,
        exhaustive: [1, 2, 4, 8],
        random: [16, 52],
    }
    floats::clamping_keeps_the_number {
        claim: "clamping an enclosure keeps every number that satisfies the bound",
        item: "fast::Enclosure::{try_new, contains, clamped_above, clamped_below}",
        bound: "every f64 as ends, bound and number",
        planted: "fast/src/enclosure.rs",
            "lower: self.lower.max(bound),"
            => "lower: self.lower.min(bound),",
        kani: floats = 1, unwind = 3, Proved(8),
        exhaustive: [1],
        random: [1],
    }
    places::block_lengths_do_not_wrap {
        claim: "the length of a block is exact or larger than any slice",
        item: "fast::arithmetic::block_length",
        bound: "any width on 1, 15, 16, 17, 1000 and 2^26 nodes",
        planted: "fast/src/arithmetic/places.rs",
            "nodes.saturating_mul(width)"
            => "nodes.wrapping_mul(width)",
        kani: blocks = 1, unwind = 9, Proved(16),
        exhaustive: [1],
        random: [1],
    }
    places::shards_cover_each_observer_once {
        claim: "the parts of an account cover each observer exactly once",
        item: "model::shard",
        bound: "5 observers in one to four parts",
        planted: "model/src/observer/text.rs",
            "(observers as u128 * part as u128 / of as u128) as usize"
            => "(observers as u128 * part as u128 / (of as u128 + 1)) as usize",
        kani: observers = 5, unwind = 7, ProvedTogether,
        exhaustive: [1, 2, 3, 5, 8],
        random: [100],
    }
    node::neighbours_are_admitted_in_time {
        claim: "a message is admitted exactly if it comes from a neighbour, for this step or the next, before the end",
        item: "node::exchange::admit",
        bound: "two neighbours, any sender, any current step, steps around it",
        planted: "node/src/exchange.rs",
            "step < steps"
            => "step <= steps",
        kani: neighbours = 2, unwind = 6, ProvedTogether,
        exhaustive: [1, 2],
        random: [6],
    }
    node::refused_messages_change_nothing {
        claim: "a message that is from a stranger, for a wrong step, malformed or repeated is rejected without effect",
        item: "node::exchange::Exchange; enumerated also node::Node",
        bound: "senders 0 to 3, steps 0 to 2, before and after a neighbour is heard, one step",
        planted: "node/src/exchange.rs",
            "if *heard {"
            => "if std::mem::take(heard) {",
        kani: steps = 1, unwind = 9, ProvedBefore,
        exhaustive: [1, 2, 3],
        random: [2],
    }
    node::the_order_of_messages_does_not_matter {
        claim: "messages may arrive in any order: the sum is the same bit for bit",
        item: "node::exchange::Exchange; enumerated also node::Node",
        bound: "two neighbours, three values each, both orders",
        planted: "node/src/exchange.rs",
            "let slot = ahead * neighbours.len() + place;"
            => "let slot = ahead * neighbours.len() + self.marks.as_ref().iter().filter(|&&heard| heard).count();",
        kani: steps = 1, unwind = 9, ProvedBefore,
        exhaustive: [1],
        random: [1],
    }
    node::nothing_is_sent_unmasked_unsaved_or_out_of_order {
        claim: "an input enters once a round; nothing is sent before it, before the state is on file, or for another step; no step is accepted out of order",
        item: "node::exchange::Exchange",
        bound: "one neighbour, two rounds of two steps, any seven moves",
        planted: "node/src/exchange.rs",
            "Phase::Unsaved => Err(Order::NotSaved),"
            => "Phase::Unsaved if self.step == 0 => Err(Order::NotSaved), Phase::Unsaved |",
        kani: moves = 7, unwind = 9, NotYet,
        exhaustive: [1, 4, 6, 7],
        random: [20],
    }
    node::headers_are_read_exactly_as_written {
        claim: "the decoder accepts exactly the headers that the encoder writes, and reads what was written",
        item: "node::Header::read; enumerated also node::Message::{from_bytes, to_bytes}",
        bound: "any version, kind and length below 2^16 or above 2^24, one free byte of run, sender and step, cut anywhere",
        planted: "node/src/message.rs",
            "1 => given == Fingerprint::BYTES && step == 0,"
            => "1 => given == Fingerprint::BYTES,",
        kani: values = 1, unwind = 34, NotYet,
        exhaustive: [1],
        random: [1],
    }
    absorption::sums_and_products_only_round_up {
        claim: "sums and products of deviations are not below the exact ones, and zeros are exact",
        item: "fast::arithmetic::{add_up, times_up}",
        bound: "two f64 with 3 free bits each at the low end",
        planted: "fast/src/arithmetic/upward.rs",
            "(a * b).next_up()"
            => "a * b",
        kani: bits = 3, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3, 5],
        random: [20, 51],
    }
    absorption::mixed_deviations_only_round_up {
        claim: "a row of a gossip matrix times deviations is not below the exact sum, by a few roundings at most, and 0 only where that is",
        item: "fast::arithmetic::{mixed_entry_up, add_up, times_up}, of fast::AbsorptionBounds's Matrices::mix_up",
        bound: "a row with two neighbours, weights and values of 1 free bit each at the low end",
        planted: "fast/src/arithmetic/upward.rs",
            "(sum * (1.0 + (terms as f64 + 3.0) * UNIT_ROUNDOFF).next_up()).next_up()"
            => "sum",
        kani: bits = 1, unwind = 5, NotYet,
        exhaustive: [1, 2],
        random: [20, 51],
    }
    absorption::absorption_only_rounds_up {
        claim: "what is absorbed and what is left are not below their shares, nothing is left by the fraction one alone, and nothing falls when what arrives is rounded up",
        item: "fast::arithmetic::{absorb_up, ratio_up, times_up}; enumerated also fast::AbsorptionBounds",
        bound: "fractions in thirds of f64 with 4 free bits at the low end",
        planted: "fast/src/arithmetic/upward.rs",
            "let left = times_up(ratio_up(below - above, below), arrived);"
            => "let left = arrived - absorbed;",
        kani: bits = 4, unwind = 6, ProvedTogether,
        exhaustive: [1, 2, 4],
        random: [20, 51],
    }
    certificate::deviations_are_absorbed_or_heard {
        claim: "the checker of certificates rounds up what is absorbed and what is mixed, leaves nothing negative, hears what senders have left, and its cost does not fall when anything is rounded up",
        item: "certificate::rules::{absorb, first_heard, mixed_up, row_product, divide_up}",
        bound: "one step on the path of 3 nodes, plain and accelerated, deviations up to 3 units, fractions in quarters",
        planted: "certificate/src/rules.rs",
            "let (quotient, rest) = above.div_mod_floor(below);\n    if rest.is_zero() {"
            => "let (quotient, rest) = above.div_mod_floor(below);\n    if rest.is_zero() || rest.is_one() {",
        kani: units = 3, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [60],
    }
    certificate::flows_lose_no_deviation {
        claim: "flows along masks arrive at their ends, no deviation becomes negative, and the cost is the sum of the squares",
        item: "certificate::rules::carry",
        bound: "amounts up to 3 units around a triangle, deviations up to 3 units",
        planted: "certificate/src/rules.rs",
            "deviation[to] = deviation[to].clone() + amount.clone();"
            => "deviation[to] = deviation[to].clone().max(amount.clone());",
        kani: units = 3, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [100],
    }
    certificate::alibis_leave_nothing_to_hear {
        claim: "with the shifts that the checker counts, an alibi leaves nothing audible to the observer",
        item: "certificate::rules::{explain, row_product}",
        bound: "two steps on the path of 3 nodes, any shifts up to 3 thirds and ninths at the two hidden nodes",
        planted: "certificate/src/rules.rs",
            "difference[node] = difference[node].clone() - shift;"
            => "difference[node] = difference[node].clone() + shift;",
        kani: shifts = 3, unwind = 5, Proved(7),
        exhaustive: [1, 2, 3],
        random: [100],
    }
    certificate::steps_are_rounded_up_to_units {
        claim: "for noise on a grid the checker of certificates rounds steps up to units, by less than one, and adds them once for each rounding to deviations that are not 0",
        item: "certificate::rounded::Corrections",
        bound: "sensitivities up to 3 steps, whole and half, in 2 units, up to 3 coordinates and 2 roundings",
        planted: "certificate/src/rounded.rs",
            "root + I::one()"
            => "root",
        kani: steps = 3, unwind = 9, ProvedTogether,
        exhaustive: [1, 2, 3, 7],
        random: [100],
    }
    certificate::whole_shifts_leave_no_more_than_is_counted {
        claim: "a shift in whole steps, rounded toward 0, is no longer than what is absorbed, and leaves no more than the checker counts",
        item: "certificate::rounded::Corrections::left",
        bound: "differences up to 2 steps in two coordinates, deviations up to 6 half steps, any part of them absorbed",
        planted: "certificate/src/rounded.rs",
            "arrived.clone().min(left.clone() + self.step.clone())"
            => "left.clone()",
        kani: steps = 2, unwind = 9, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [20],
    }
    certificate::roundings_add_no_more_than_is_counted {
        claim: "two states that are rounded to steps, once or twice, differ by no more than the checker counts, and equal ones not at all",
        item: "certificate::rounded::Corrections::anew",
        bound: "states up to 6 quarters of a step, one rounding or two",
        planted: "certificate/src/rounded.rs",
            "let anew = step.clone() * roundings;"
            => "let anew = step.clone();",
        kani: quarters = 6, unwind = 9, ProvedTogether,
        exhaustive: [3, 6, 12],
        random: [60],
    }
    certificate::whole_amounts_cost_no_more_than_is_counted {
        claim: "where a part of an input leaves along a mask, some whole amounts cost no more than the checker counts, and sometimes no less",
        item: "certificate::rounded::of_whole_amount",
        bound: "two nodes and a mask of half the deviation, shares in sixths, changes up to 3 steps in one coordinate or two",
        planted: "certificate/src/rounded.rs",
            "(times, two_steps.clone() * two_steps)"
            => "(times, two_steps.clone() * two_steps.clone() + two_steps)",
        kani: steps = 3, unwind = 9, ProvedTogether,
        exhaustive: [2, 3, 4],
        random: [8],
    }
    certificate::indefinite_matrices_are_refused {
        claim: "the checker of certificates accepts a dual vector exactly if the matrix is positive semidefinite",
        item: "certificate::rules::first_indefinite_row",
        bound: "all symmetric 2 x 2 matrices with entries from -2 to 2, against vectors of such entries",
        planted: "certificate/src/rules.rs",
            "pivot.is_negative() || (pivot.is_zero() && !zeros_beside)"
            => "pivot.is_negative()",
        kani: rows = 2, unwind = 4, ProvedBefore,
        exhaustive: [1, 2, 3],
        random: [3],
    }
    certificate::claims_are_compared_exactly {
        claim: "claims are compared exactly",
        item: "certificate::rules::is_at_most",
        bound: "all fractions with numerators from -3 to 3 and denominators up to 4",
        planted: "certificate/src/rules.rs",
            "one.0.clone() * other.1.clone() <= other.0.clone() * one.1.clone()"
            => "one.0.clone() * one.1.clone() <= other.0.clone() * other.1.clone()",
        kani: numerators = 3, unwind = 4, ProvedTogether,
        exhaustive: [1, 3],
        random: [12],
    }
    noise::masks_cancel_in_the_sum {
        claim: "a mask enters the states of the two ends of its edge with opposite signs, and the sum of all states stays",
        item: "fast::arithmetic::{add_mask, take_mask}, model::Draw::enters; enumerated also fast::simulation::GossipState::add_masks",
        bound: "every graph on 3 nodes, masks from -2 to 2 in two coordinates",
        planted: "fast/src/arithmetic/lockstep.rs",
            "take_mask(b, a, mask, &mut values[b * width..(b + 1) * width]);"
            => "take_mask(a, b, mask, &mut values[b * width..(b + 1) * width]);",
        kani: nodes = 3, unwind = 5, ProvedTogether,
        exhaustive: [2, 3],
        random: [8],
    }
    noise::ends_of_an_edge_take_opposite_masks {
        claim: "of the two ends of an edge one adds the shared mask and the other subtracts it, whatever their numbers",
        item: "fast::arithmetic::take_mask; enumerated also node::Node with fast::noise::RoundedGaussian under one key",
        bound: "any two node numbers, masks from -3 to 3",
        planted: "fast/src/arithmetic/lockstep.rs",
            "if own < other {"
            => "if own <= other || own % 2 == 1 {",
        kani: masks = 3, unwind = 4, ProvedTogether,
        exhaustive: [1, 3],
        random: [100],
    }
    noise::rounded_draws_commute_with_whole_steps {
        claim: "the rounded Gaussian goes to the nearest step, and a shift by whole steps commutes with it",
        item: "fast::noise::rounded::nearest_step",
        bound: "any 64 bits of a draw of up to 4 steps, 76, 88, 117 and 122 binary places, shifted by 3 steps",
        planted: "fast/src/noise/rounded.rs",
            "let nearest = (start + half) >> places;"
            => "let nearest = (start + half / 2) >> places;",
        kani: steps = 3, unwind = 6, ProvedTogether,
        exhaustive: [1, 3],
        random: [7],
    }
    noise::whole_shifts_commute_with_rounding {
        claim: "rounding to the grid commutes with a shift by whole steps, and goes to the nearest, halves upwards",
        item: "fast::noise::grid::nearest; enumerated also fast::noise::Grid::round",
        bound: "sixteenths of a step from -127 to 127, shifted by 3 steps, in f64",
        planted: "fast/src/noise/grid.rs",
            "let up = steps - whole >= 0.5;"
            => "let up = steps - whole > 0.5 || (steps - whole == 0.5 && whole < 0.0);",
        kani: steps = 3, unwind = 4, ProvedTogether,
        exhaustive: [0, 1, 2, 3],
        random: [1000003],
    }
    readers::graph6_lines_are_answered {
        claim: "every graph6 text is answered without panic, and every bit is an edge",
        item: "model::graph6::graph6_line, and io::read",
        bound: "all byte strings up to 3 bytes",
        planted: "model/src/graph6.rs",
            "& ((1 << padding) - 1) != 0"
            => "& 0 != 0",
        kani: bytes = 3, unwind = 8, ProvedTogether,
        exhaustive: [1, 2, 3],
        random: [8],
    }
    readers::matrix_lines_are_answered {
        claim: "every line is answered without panic; exactly whole numbers are read, and they are what their digits say",
        item: "io::leading_numbers; enumerated also io::read",
        bound: "all byte strings up to 3 bytes",
        planted: "io/src/matrix_market.rs",
            "byte.checked_sub(b'0').filter(|&digit| digit <= 9)?"
            => "Some(byte & 15)?",
        kani: bytes = 3, unwind = 5, ProvedTogether,
        exhaustive: [1, 2, 3, 4, 5],
        random: [12],
    }
    readers::graph6_is_read_as_written {
        claim: "a graph in graph6 is read back as the same graph",
        item: "model::graph6::{fill_pairs, graph6_line}",
        bound: "every graph on 4 nodes",
        planted: "model/src/graph6.rs",
            "sixes[place] |= bit;"
            => "sixes[place] = bit;",
        kani: nodes = 4, unwind = 9, ProvedTogether,
        exhaustive: [1, 2, 3, 4, 5, 6],
        random: [9],
    }
    certificate::accepted_statistics_are_the_best_attacks {
        claim: "a statistic that the exact rule accepts has the loss of its alibi, and no other attack is stronger",
        item: "certificate::rules::{is_statistic_exact, add_multiple, add_product, changes_by}",
        bound: "every two observations of two draws with coefficients -1, 0 and 1 and variances 1 and 2, every signal of -2, 0 and 2, every two attacks",
        planted: "certificate/src/rules.rs",
            "change == *expected"
            => "change >= *expected",
        kani: draws = 2, unwind = 4, NotYet,
        exhaustive: [1, 2],
        random: [3],
    }
    certificate::flows_cost_no_less_than_the_loss {
        claim: "an accepted flow changes the states by the input alone and costs no less than is lost; out of a node without noise it is refused",
        item: "certificate::rules::{flow_shifts, weighted_product}",
        bound: "two nodes with variances 0, 1 and 2, one mask with variance 1 or 2, every flow of thirds from either node",
        planted: "certificate/src/rules.rs",
            "shift(from, -amount.clone());"
            => "shift(from, amount.clone());",
        kani: parts = 3, unwind = 5, NotYet,
        exhaustive: [1, 2, 3, 4],
        random: [12],
    }
    certificate::products_of_alibis_need_variance {
        claim: "the inner products of alibis are over the variance of each draw, and refused where a draw without variance is shifted",
        item: "certificate::rules::weighted_product",
        bound: "two alibis of two draws with variances 0, 1 and 2, even shifts from -4 to 4",
        planted: "certificate/src/rules.rs",
            "(false, true) => None,"
            => "(false, true) => Some(sum),",
        kani: draws = 2, unwind = 4, NotYet,
        exhaustive: [1, 2],
        random: [3],
    }
    certificate::attacks_count_draws_as_often_as_they_enter {
        claim: "going backwards over the steps, the checker of certificates counts each draw as often as it enters the statistic of an attack, and so its signal and variance",
        item: "certificate::rules::{step_back, add_product, row_product}; enumerated also certificate::Certificate::proved",
        bound: "three steps on the path of 3 nodes, plain and accelerated, coefficients of messages from -2 to 2",
        planted: "certificate/src/rules.rs",
            "let kept = (below.clone() - above.clone()) * denominator.clone();"
            => "let kept = (above.clone() - below.clone()) * denominator.clone();",
        kani: coefficients = 2, unwind = 5, NotYet,
        exhaustive: [1, 2, 3],
        random: [20],
    }
    plans::potentials_prove_no_more_than_a_plan_costs {
        claim: "what potentials prove of the cost of every plan is no more than what a plan costs that meets its target",
        item: "design::lower::add_loads; enumerated also design::check_lower",
        bound: "the path of 3 nodes with an observer at its end, variances 1 and 2, any flow in thirds, potentials from -1 to 1 in thirds, multipliers 1 and 2",
        planted: "design/src/lower.rs",
            "if !observes[a] && !observes[b] {"
            => "if !observes[a] && observes[b] {",
        kani: parts = 3, unwind = 6, NotYet,
        exhaustive: [1, 2, 3],
        random: [12],
    }
    plans::scaled_gains_are_no_more_than_a_plan_costs {
        claim: "the gain of potentials, scaled as the costs allow, is no more than a plan costs whose loads are worth it; negative costs are refused",
        item: "design::lower::scaled_gain",
        bound: "two draws, loads from 0 to 3, costs from -3 to 3, variances 0, 1 and 2, every gain that they are worth",
        planted: "design/src/lower.rs",
            "product(cost, under) < product(over, load)"
            => "product(cost, under) > product(over, load)",
        kani: most = 3, unwind = 4, NotYet,
        exhaustive: [1, 2, 3],
        random: [12],
    }
    kernels::add_up_is_the_float_above_the_sum {
        claim: "add_up is, bit for bit, the float above the computed sum, exact on zeros",
        item: "fast::arithmetic::add_up",
        bound: "any two finite f64 that are not negative",
        planted: "fast/src/arithmetic/upward.rs",
            "(a + b).next_up()"
            => "(a + b).next_down()",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::times_up_is_the_float_above_the_product {
        claim: "times_up is, bit for bit, the float above the computed product, exact on zeros and ones",
        item: "fast::arithmetic::times_up",
        bound: "any two finite f64 that are not negative",
        planted: "fast/src/arithmetic/upward.rs",
            "if a == 0.0 || b == 0.0 {"
            => "if a * b == 0.0 {",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::ratio_up_takes_each_part_outwards {
        claim: "ratio_up is, bit for bit, the float above a quotient whose parts were taken outwards",
        item: "fast::arithmetic::ratio_up",
        bound: "any two whole numbers below 2^64",
        planted: "fast/src/arithmetic/upward.rs",
            "(below as f64).next_down()"
            => "below as f64",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::absorb_up_takes_both_shares_up {
        claim: "absorb_up is, bit for bit, the two products with the fraction and its rest, rounded up",
        item: "fast::arithmetic::absorb_up",
        bound: "any f64 that is finite and not negative, any fraction of whole numbers below 2^64",
        planted: "fast/src/arithmetic/upward.rs",
            "ratio_up(below - above, below)"
            => "(1.0 - ratio_up(above, below))",
        kani: triples = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::sum_up_adds_three_units_to_the_terms {
        claim: "sum_up is, bit for bit, the sum times one unit for each term and three more, rounded up twice",
        item: "fast::arithmetic::sum_up",
        bound: "any f64 that is finite and not negative, any number of terms in 32 bits",
        planted: "fast/src/arithmetic/upward.rs",
            "* UNIT_ROUNDOFF).next_up()).next_up()"
            => "* UNIT_ROUNDOFF)).next_up()",
        kani: sums = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::mixed_entries_are_summed_in_order {
        claim: "a row is, bit for bit, the sum of its products from the diagonal on, alone and in a block",
        item: "fast::arithmetic::{mixed_entry, mixed_block}",
        bound: "rows of two neighbours, any f64 that are finite and not negative",
        planted: "fast/src/arithmetic/row.rs",
            "for (&w, &weight) in columns.iter().zip(values) {\n        sum += weight"
            => "for (&w, &weight) in columns.iter().zip(values).rev() {\n        sum += weight",
        kani: neighbours = 2, unwind = 4, NotYet,
        exhaustive: [1],
        random: [1, 5],
    }
    kernels::mixed_entry_up_is_above_what_is_summed_in_order {
        claim: "mixed_entry_up is, bit for bit, sum_up of the row in order, or the sum of products that are each rounded up near underflow",
        item: "fast::arithmetic::mixed_entry_up",
        bound: "rows of one neighbour, any f64 that are finite and not negative",
        planted: "fast/src/arithmetic/upward.rs",
            "sum_up(sum, row.len())"
            => "sum.next_up()",
        kani: neighbours = 1, unwind = 3, NotYet,
        exhaustive: [1],
        random: [1, 5],
    }
    kernels::enclosures_have_the_ends_of_the_lemma {
        claim: "the ends of an enclosure are, bit for bit, the expressions whose correctness is proved",
        item: "fast::Enclosure::{around, around_with_loss}",
        bound: "any value that is finite and not negative, up to 2 roundings, any number of operations that may have underflowed",
        planted: "fast/src/enclosure.rs",
            "(value + lost).next_up()"
            => "value + lost",
        kani: roundings = 2, unwind = 4, NotYet,
        exhaustive: [1, 2, 3],
        random: [50],
    }
    kernels::roundings_accumulate_as_in_the_lemma {
        claim: "accumulated is, bit for bit, the product of which it is proved that roundings do not exceed it",
        item: "fast::arithmetic::accumulated",
        bound: "any number of roundings below 2^64, units of f64 and of pairs",
        planted: "fast/src/arithmetic/counted.rs",
            "(roundings as f64 + 2.0) * unit"
            => "(roundings as f64) * unit",
        kani: counts = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::degree_weights_are_summed_in_groups {
        claim: "weights by degrees are, bit for bit, inverses of the larger degree, and the diagonal a sum in groups of 32",
        item: "fast::arithmetic::degree_weights",
        bound: "one neighbour, any degrees below 2^26",
        planted: "fast/src/arithmetic/row.rs",
            "(other - own) / (own * other)"
            => "(other - own) / own / other",
        kani: neighbours = 1, unwind = 3, NotYet,
        exhaustive: [1],
        random: [1, 40],
    }
    kernels::sums_and_their_errors_are_those_of_the_lemma {
        claim: "two_sum and fast_two_sum are, bit for bit, the sums and errors that are proved exact",
        item: "fast::arithmetic::{two_sum, fast_two_sum}",
        bound: "any two f64 below 2^1000",
        planted: "fast/src/arithmetic/exact.rs",
            "(a - (sum - shadow)) + (b - shadow)"
            => "(a + b) - sum",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::products_and_their_errors_are_those_of_the_lemma {
        claim: "two_product is, bit for bit, the product and the error that are proved exact",
        item: "fast::arithmetic::two_product",
        bound: "any two f64 below 1e150",
        planted: "fast/src/arithmetic/exact.rs",
            "((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2"
            => "((a1 * b1 - product) + a1 * b2 + a2 * b1)",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::computed_numbers_are_enlarged_as_in_the_lemma {
        claim: "enlarged and enlarged_root are, bit for bit, the expressions that are proved above the exact number",
        item: "fast::arithmetic::{enlarged, enlarged_root}",
        bound: "any f64 that is finite and not negative, any number of roundings in 32 bits",
        planted: "fast/src/arithmetic/counted.rs",
            "(value * (1.0 + spread)).next_up()"
            => "(value * (1.0 + spread))",
        kani: sums = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::balls_have_the_radius_of_the_lemma {
        claim: "sums, products and quotients of balls have, bit for bit, the centre and radius that are proved to contain the exact result",
        item: "fast::arithmetic::radius_up, fast::guarantee::ball",
        bound: "any two f64 with any two radii",
        planted: "fast/src/guarantee/ball.rs",
            "self.radius * other.radius,"
            => "0.0,",
        kani: pairs = 1, unwind = 6, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::differences_round_as_in_the_lemma {
        claim: "add_down and minus_up are, bit for bit, the floats below a sum and above a difference, or 0",
        item: "fast::arithmetic::{add_down, minus_up}",
        bound: "any two finite f64 that are not negative",
        planted: "fast/src/arithmetic/upward.rs",
            "(a + b).next_down().max(0.0)"
            => "(a + b).max(0.0)",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::intervals_round_outwards_as_in_the_lemma {
        claim: "sums, differences, products and squares of intervals have, bit for bit, the ends that are proved outside",
        item: "design::upper::{plus, minus, times, square_below, square_above}",
        bound: "any finite ends, any factor that is finite and not negative",
        planted: "design/src/upper.rs",
            "(self.1 - other.0).next_up()"
            => "(self.1 - other.1).next_up()",
        kani: pairs = 1, unwind = 2, NotYet,
        exhaustive: [1],
        random: [1],
    }
    kernels::residuals_are_bounded_as_in_the_lemma {
        claim: "residual_up is, bit for bit, the expression that is proved above the residual of a trial",
        item: "fast::arithmetic::residual_up",
        bound: "one neighbour, any finite f64 whose sizes have a finite sum",
        planted: "fast/src/arithmetic/counted.rs",
            "let size = a + variance * y.abs() + flow_size;"
            => "let size = a + variance * y + flow_size;",
        kani: neighbours = 1, unwind = 3, NotYet,
        exhaustive: [1],
        random: [1, 3],
    }
}
