//! Table of all registered properties.

use crate::registry::{
    Entry, Planted,
    Run::{NotYet, Proved, ProvedBefore, ProvedTogether},
    register,
};

register! {
    graph::rows_hold_both_directions: edges = 3, unwind = 9, Proved(49), enumerated [1, 2, 3], random [7];
        "counting and filling store each edge in both rows, in bounds, as often as it is given"
        of "model::graph::{count_neighbours, fill_neighbours}"
        for "every three edges on 4 nodes, in any order and direction"
        bug "model/src/graph/adjacency.rs": "targets[*place] = to;" => "targets[*place] = from;"
    graph::merged_rows_increase: entries = 4, unwind = 6, Proved(2), enumerated [1, 2, 3, 4, 5], random [9];
        "merging sorted rows keeps their sets and makes them strictly increasing"
        of "model::graph::merge_rows"
        for "every two sorted rows of 4 entries together, from 3 values"
        bug "model/src/graph/adjacency.rs": "last.replace((row, target)) != Some((row, target))" => "last.replace((row, target)).is_none_or(|(_, before)| before != target)"
    graph::adjacency_is_the_edge_set: edges = 2, unwind = 6, Proved(52), enumerated [1, 2, 3, 4], random [7];
        "the adjacency arrays are those of the dense matrix: in bounds, sorted, without repetitions"
        of "model::graph::{count_neighbours, fill_neighbours, sort_rows, merge_rows}"
        for "every two edges on 3 nodes; rows are sorted by insertion in place of the library's sort"
        bug "model/src/graph/adjacency.rs": "start = end;" => "start = kept;"
    graph::isolated_nodes_leave: nodes = 3, unwind = 5, ProvedTogether, enumerated [1, 2, 3, 4], random [8];
        "dropout keeps exactly the edges between present nodes"
        of "model::graph::isolate"
        for "every graph on 3 nodes and every set of absent ones"
        bug "model/src/graph/adjacency.rs": "!away[row] && !away[target as usize]" => "!away[row]"
    graph::distances_change_by_at_most_one_along_edges: nodes = 3, unwind = 5, Proved(19), enumerated [1, 2, 3, 4, 5, 6], random [8];
        "distances satisfy the triangle inequality along edges, and are attained"
        of "model::graph::fill_distances"
        for "every graph on 3 nodes and every source"
        bug "model/src/graph/distances.rs": "distance[node].map(|so_far| so_far + 1)" => "distance[node].map(|so_far| so_far)"
    weights::metropolis_is_stochastic: nodes = 5, unwind = 7, Proved(83), enumerated [1, 2, 3, 4, 5, 6], random [8];
        "Metropolis weights are a gossip matrix with a positive diagonal"
        of "reference::arithmetic::{degree_shift, inverse_weight, fill_weights}; enumerated also GossipMatrix::of_network, CustomWeights::try_new"
        for "every graph on 5 nodes"
        bug "reference/src/arithmetic/matrix.rs": "WeightScheme::Metropolis => Some(1)" => "WeightScheme::Metropolis => Some(0)"
    weights::max_degree_inverse_is_stochastic: nodes = 5, unwind = 7, Proved(124), enumerated [1, 2, 3, 4, 5, 6], random [8];
        "inverses of the larger degree are a gossip matrix"
        of "reference::arithmetic::{degree_shift, inverse_weight, fill_weights}; enumerated also GossipMatrix::of_network, CustomWeights::try_new"
        for "every graph on 5 nodes"
        bug "reference/src/arithmetic/matrix.rs": "shift + own.max(other)" => "shift + own.min(other)"
    weights::lazy_is_stochastic: nodes = 3, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4, 5], random [8];
        "the lazy version is a gossip matrix in which every node keeps at least half"
        of "reference::arithmetic::make_lazy"
        for "every graph on 3 nodes"
        bug "reference/src/arithmetic/matrix.rs": "numerators[v * nodes + v] += &*denominator;" => "numerators[v * nodes + v] += &I::one();"
    weights::edge_average_is_an_idempotent_gossip_matrix: nodes = 3, unwind = 11, Proved(37), enumerated [2, 3, 4, 5], random [8];
        "averaging over an edge is a gossip matrix, and its own square"
        of "reference::arithmetic::{fill_edge_average, multiply}"
        for "every edge on 3 nodes"
        bug "reference/src/arithmetic/matrix.rs": "for (row, column) in [(u, u), (u, v), (v, u), (v, v)]" => "for (row, column) in [(u, v), (v, u)]"
    weights::edge_average_keeps_the_mean: nodes = 3, unwind = 11, Proved(21), enumerated [2, 3, 4], random [8];
        "averaging over an edge keeps the sum of the values"
        of "reference::arithmetic::{fill_edge_average, multiply}"
        for "every edge on 3 nodes, values up to 3"
        bug "reference/src/arithmetic/matrix.rs": "for (row, column) in [(u, u), (u, v), (v, u), (v, v)]" => "for (row, column) in [(u, u), (u, v), (v, v)]"
    weights::custom_weights_are_accepted_exactly_if_stochastic: nodes = 3, unwind = 8, Proved(13), enumerated [2, 3], random [4];
        "custom weights are accepted exactly if they are a gossip matrix"
        of "model::check_stochastic"
        for "the path of 3 nodes, numerators from -1 to 3 over 2"
        bug "model/src/weights/stochastic.rs": "if numerator < 0 && negative.is_none()" => "if numerator < 0 && negative.is_some()"
    weights::dropout_keeps_the_invariants: nodes = 3, unwind = 8, ProvedTogether, enumerated [2, 3, 4], random [8];
        "after dropout the weights are a gossip matrix, and an absent node keeps its value"
        of "model::graph::isolate, reference::arithmetic::fill_weights"
        for "every graph on 3 nodes and every set of absent ones"
        bug "model/src/graph/adjacency.rs": "!away[row] && !away[target as usize]" => "!away[target as usize]"
    diagonal::diagonal_is_one_minus_the_rest: neighbours = 2, unwind = 5, ProvedTogether, enumerated [1, 2, 3, 4, 5], random [5];
        "the diagonal without cancellation is one minus the weights of the edges"
        of "fast::arithmetic::{degree_shift, degree_weights}"
        for "every row of up to 2 neighbours of degree up to 3, in exact fractions"
        bug "fast/src/arithmetic/row.rs": "    diagonal + group\n" => "    diagonal\n"
    products::product_is_its_definition: rows = 2, unwind = 6, Proved(20), enumerated [1, 2], random [3, 5];
        "an entry of a product is the sum of its products"
        of "reference::arithmetic::multiply"
        for "all 2 x 2 matrices with entries from -1 to 1"
        bug "reference/src/arithmetic/matrix.rs": "        out_row.fill(I::zero());\n" => ""
    products::products_keep_row_and_column_sums: nodes = 3, unwind = 6, Proved(95), enumerated [1, 2, 3, 4], random [6];
        "the product of two gossip matrices has rows and columns that sum to one"
        of "reference::arithmetic::multiply"
        for "every two graphs on 3 nodes, Metropolis and inverse larger degree"
        bug "reference/src/arithmetic/matrix.rs": "*sum += &factor.times(entry);" => "*sum = factor.times(entry);"
    products::powers_stay_symmetric: nodes = 3, unwind = 6, Proved(132), enumerated [1, 2, 3, 4, 5], random [6];
        "the square and the cube of a gossip matrix are symmetric, with unit row and column sums"
        of "reference::arithmetic::multiply"
        for "every graph on 3 nodes"
        bug "reference/src/arithmetic/matrix.rs": "b_row.iter().zip(out_row.iter_mut())" => "b_row.iter().zip(out_row.iter_mut().rev())"
    products::mixing_keeps_the_sum: nodes = 3, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4], random [8];
        "a gossip step keeps the sum of the values"
        of "reference::arithmetic::multiply"
        for "every graph on 3 nodes; by linearity every unit vector, times up to 15"
        bug "reference/src/arithmetic/matrix.rs": "if factor.is_zero() {\n                continue;" => "if factor.is_zero() {\n                break;"
    products::mixing_stays_between_the_extremes: nodes = 3, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4], random [8];
        "a mixed value lies between the smallest and the largest"
        of "reference::arithmetic::multiply"
        for "every graph on 3 nodes, values up to 3"
        bug "reference/src/arithmetic/matrix.rs": "        own -= &weight;\n" => ""
    products::chebyshev_keeps_row_sums: nodes = 3, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4], random [8];
        "an accelerated step keeps the sums of rows, for every ratio g"
        of "reference::arithmetic::chebyshev_step"
        for "every graph on 3 nodes, g = p / q with p up to 7 and q up to 4"
        bug "reference/src/arithmetic/matrix.rs": "*entry += &before.times(behind);" => "*entry -= &before.times(behind);"
    bounds::squares_are_at_least_their_mean: entries = 3, unwind = 6, Proved(2), enumerated [1, 2, 3], random [8];
        "n times the sum of squares is at least the square of the sum: from Theorem 1 to Corollary 1"
        of "reference::arithmetic::square_sum"
        for "all three entries up to 31, sorted"
        bug "reference/src/arithmetic/vector.rs": "sum += &x.times(y);" => "sum += x;"
    bounds::shares_of_a_message_sum_to_one: entries = 3, unwind = 6, Proved(10), enumerated [1, 2, 3, 4], random [8];
        "the shares of all sources in a message sum to exactly one: the mean-loss identity"
        of "reference::arithmetic::{squared_share, square_sum}"
        for "all rows of three entries up to 7"
        bug "reference/src/arithmetic/vector.rs": "above += &row[u].times(&row[u]);" => "above += &row[u];"
    bounds::shares_lie_between_zero_and_one: entries = 3, unwind = 6, Proved(2), enumerated [1, 2, 3, 4], random [8];
        "each term of f lies between 0 and 1"
        of "reference::arithmetic::squared_share"
        for "all rows of three entries up to 7, every source"
        bug "reference/src/arithmetic/vector.rs": "(above, square_sum(row))" => "(square_sum(row), above)"
    bounds::corollary_1_is_above_theorem_1: nodes = 3, unwind = 6, Proved(100), enumerated [2, 3, 4], random [4];
        "Corollary 1 is at least Theorem 1, term by term"
        of "reference::arithmetic::{fill_weights, multiply, squared_share}"
        for "every graph on 3 nodes, the first two times, observer 0 and source 2"
        bug "reference/src/arithmetic/vector.rs": "above += &row[u].times(&row[u]);" => "above += &square_sum(row);"
    leakage::leakage_lies_between_zero_and_one: draws = 2, unwind = 6, ProvedTogether, enumerated [1, 2, 3], random [4, 5];
        "a leakage lies between 0 and 1"
        of "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}"
        for "two messages over 2 draws with entries up to 2; three messages are enumerated"
        bug "reference/src/arithmetic/elimination.rs": "        numerator /= &previous;\n" => ""
    leakage::leakages_sum_to_the_rank: draws = 2, unwind = 6, ProvedTogether, enumerated [1, 2, 3], random [4, 5];
        "the leakages of all draws sum to the rank of the view"
        of "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}"
        for "two messages over 2 draws with entries up to 2; three messages are enumerated"
        bug "reference/src/arithmetic/elimination.rs": "*entry -= &factor.times(above);" => "*entry += &factor.times(above);"
    leakage::dependent_messages_add_no_rank: draws = 2, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4], random [4];
        "a multiple of a message adds neither rank nor leakage"
        of "reference::arithmetic::{eliminate, quadratic_form, weighted_dot}"
        for "a message over 2 draws with entries up to 3, and a multiple up to 3"
        bug "reference/src/arithmetic/elimination.rs": "if pivot.is_zero() {" => "if pivot.is_negative() {"
    leakage::signs_find_the_largest_form: inputs = 3, unwind = 6, Proved(48), enumerated [1, 2, 3], random [6];
        "the Gray code finds the largest quadratic form over signs"
        of "reference::arithmetic::largest_over_signs"
        for "all symmetric 3 x 3 matrices with entries from -2 to 2, against any signs"
        bug "reference/src/arithmetic/signs.rs": "size.saturating_sub(1)" => "size.saturating_sub(2)"
    leakage::content_is_the_greatest_divisor: entries = 2, unwind = 12, Proved(6), enumerated [1, 2], random [5];
        "dividing by the content leaves no common divisor"
        of "reference::arithmetic::divide_by_content"
        for "all pairs of integers from -12 to 12"
        bug "reference/src/arithmetic/vector.rs": "for x in a.iter() {" => "for x in a.iter().take(1) {"
    sparse::sparse_product_is_the_dense_one: neighbours = 3, unwind = 6, ProvedTogether, enumerated [1, 2, 3], random [8];
        "a row of the sparse product equals the dense one"
        of "fast::arithmetic::mixed_entry"
        for "every row on 4 nodes with weights up to 3, values from -1 to 1"
        bug "fast/src/arithmetic/row.rs": "let mut sum = own * x[v];" => "let mut sum = own * x[0];"
    sparse::blocks_are_mixed_vector_by_vector: neighbours = 2, unwind = 8, ProvedBefore, enumerated [1, 2, 3], random [8];
        "a block of vectors is mixed as if each were alone"
        of "fast::arithmetic::{mixed_block, mixed_entry}"
        for "every row on 3 nodes with weights up to 3, two vectors of bits"
        bug "fast/src/arithmetic/row.rs": "x[w as usize * width + k..]" => "x[w as usize + k..]"
    sparse::steps_on_integers_are_exact: neighbours = 2, unwind = 6, ProvedTogether, enumerated [1, 2, 3], random [8];
        "a step on integers in floats is exact"
        of "fast::arithmetic::mixed_entry"
        for "every row on 3 nodes, weights and values up to 3, in f64"
        bug "fast/src/arithmetic/row.rs": "sum += weight * x[w as usize];" => "sum += weight * x[w as usize] + T::from(1) / T::from(2);"
    sparse::float_weights_round_as_counted: neighbours = 2, unwind = 6, ProvedTogether, enumerated [1, 2, 3, 4], random [6];
        "the floats lie within their stated distance of the exact weights"
        of "fast::arithmetic::{degree_shift, degree_weights, degree_roundings}"
        for "every row of up to 2 neighbours of degree up to 3, in f64"
        bug "fast/src/arithmetic/row.rs": "sums as u64 + 1" => "sums.min(1) as u64"
    sparse::acceleration_keeps_constants_and_sums: nodes = 2, unwind = 5, Proved(2), enumerated [1, 2, 3], random [8];
        "an accelerated step keeps sums and fixed points"
        of "fast::arithmetic::chebyshev"
        for "two nodes with values up to 3, whole g up to 5"
        bug "fast/src/arithmetic/lockstep.rs": "let behind = T::from(1) - g;" => "let behind = g - T::from(1);"
    floats::enclosures_reach_as_far_as_counted: bits = 4, unwind = 7, ProvedTogether, enumerated [1, 2, 4, 8], random [16, 52];
        "an enclosure reaches as far as the counted roundings can lead"
        of "fast::Enclosure::around"
        for "floats of four exponents with 4 free bits, up to 3 roundings"
        bug "fast/src/enclosure.rs": "upper: (above * (1.0 + spread)).next_up()" => "upper: above.next_up()"
    floats::clamping_keeps_the_number: floats = 1, unwind = 3, Proved(8), enumerated [1], random [1];
        "clamping an enclosure keeps every number that satisfies the bound"
        of "fast::Enclosure::{try_new, contains, clamped_above, clamped_below}"
        for "every f64 as ends, bound and number"
        bug "fast/src/enclosure.rs": "lower: self.lower.max(bound)," => "lower: self.lower.min(bound),"
    places::block_lengths_do_not_wrap: blocks = 1, unwind = 9, Proved(16), enumerated [1], random [1];
        "the length of a block is exact or larger than any slice"
        of "fast::arithmetic::block_length"
        for "any width on 1, 15, 16, 17, 1000 and 2^26 nodes"
        bug "fast/src/arithmetic/places.rs": "nodes.saturating_mul(width)" => "nodes.wrapping_mul(width)"
    places::shards_cover_each_observer_once: observers = 5, unwind = 7, ProvedTogether, enumerated [1, 2, 3, 5, 8], random [100];
        "the parts of an account cover each observer exactly once"
        of "model::shard"
        for "5 observers in one to four parts"
        bug "model/src/observer/text.rs": "(observers as u128 * part as u128 / of as u128) as usize" => "(observers as u128 * part as u128 / (of as u128 + 1)) as usize"
    node::neighbours_are_admitted_in_time: neighbours = 2, unwind = 6, ProvedTogether, enumerated [1, 2], random [6];
        "a message is admitted exactly if it comes from a neighbour, for this step or the next, before the end"
        of "node::exchange::admit"
        for "two neighbours, any sender, any current step, steps around it"
        bug "node/src/exchange.rs": "step < steps" => "step <= steps"
    node::refused_messages_change_nothing: steps = 1, unwind = 9, ProvedBefore, enumerated [1, 2, 3], random [2];
        "a message that is from a stranger, for a wrong step, malformed or repeated is rejected without effect"
        of "node::exchange::Exchange; enumerated also node::Node"
        for "senders 0 to 3, steps 0 to 2, before and after a neighbour is heard, one step"
        bug "node/src/exchange.rs": "if *heard {" => "if std::mem::take(heard) {"
    node::the_order_of_messages_does_not_matter: steps = 1, unwind = 9, ProvedBefore, enumerated [1], random [1];
        "messages may arrive in any order: the sum is the same bit for bit"
        of "node::exchange::Exchange; enumerated also node::Node"
        for "two neighbours, three values each, both orders"
        bug "node/src/exchange.rs": "let slot = ahead * neighbours.len() + place;" => "let slot = ahead * neighbours.len() + self.marks.as_ref().iter().filter(|&&heard| heard).count();"
    node::nothing_is_sent_unmasked_unsaved_or_out_of_order: moves = 7, unwind = 9, NotYet, enumerated [1, 4, 6, 7], random [20];
        "an input enters once a round; nothing is sent before it, before the state is on file, or for another step; no step is accepted out of order"
        of "node::exchange::Exchange"
        for "one neighbour, two rounds of two steps, any seven moves"
        bug "node/src/exchange.rs": "Phase::Unsaved => Err(Order::NotSaved)," => "Phase::Unsaved if self.step == 0 => Err(Order::NotSaved), Phase::Unsaved |"
    node::headers_are_read_exactly_as_written: values = 1, unwind = 34, NotYet, enumerated [1], random [1];
        "the decoder accepts exactly the headers that the encoder writes, and reads what was written"
        of "node::Header::read; enumerated also node::Message::{from_bytes, to_bytes}"
        for "any version, kind and length below 2^16 or above 2^24, one free byte of run, sender and step, cut anywhere"
        bug "node/src/message.rs": "HELLO => given == Fingerprint::BYTES && step == 0," => "HELLO => given == Fingerprint::BYTES,"
    absorption::sums_and_products_only_round_up: bits = 3, unwind = 5, ProvedTogether, enumerated [1, 2, 3, 5], random [20, 51];
        "sums and products of deviations are not below the exact ones, and zeros are exact"
        of "fast::arithmetic::{add_up, times_up}"
        for "two f64 with 3 free bits each at the low end"
        bug "fast/src/arithmetic/upward.rs": "(a * b).next_up()" => "a * b"
    absorption::mixed_deviations_only_round_up: bits = 1, unwind = 5, NotYet, enumerated [1, 2], random [20, 51];
        "a row of a gossip matrix times deviations is not below the exact sum, by a few roundings at most, and 0 only where that is"
        of "fast::arithmetic::{mixed_entry_up, add_up, times_up}, of fast::AbsorptionBounds's Matrices::mix_up"
        for "a row with two neighbours, weights and values of 1 free bit each at the low end"
        bug "fast/src/arithmetic/upward.rs": "(sum * (1.0 + (terms as f64 + 3.0) * UNIT_ROUNDOFF).next_up()).next_up()" => "sum"
    absorption::absorption_only_rounds_up: bits = 4, unwind = 6, ProvedTogether, enumerated [1, 2, 4], random [20, 51];
        "what is absorbed and what is left are not below their shares, nothing is left by the fraction one alone, and nothing falls when what arrives is rounded up"
        of "fast::arithmetic::{absorb_up, ratio_up, times_up}; enumerated also fast::AbsorptionBounds"
        for "fractions in thirds of f64 with 4 free bits at the low end"
        bug "fast/src/arithmetic/upward.rs": "let left = times_up(ratio_up(below - above, below), arrived);" => "let left = arrived - absorbed;"
    certificate::deviations_are_absorbed_or_heard: units = 3, unwind = 5, ProvedTogether, enumerated [1, 2, 3], random [60];
        "the checker of certificates rounds up what is absorbed and what is mixed, leaves nothing negative, hears what senders have left, and its cost does not fall when anything is rounded up"
        of "certificate::rules::{absorb, first_heard, mixed_up, row_product, divide_up}"
        for "one step on the path of 3 nodes, plain and accelerated, deviations up to 3 units, fractions in quarters"
        bug "certificate/src/rules.rs": "let (quotient, rest) = above.div_mod_floor(below);\n    if rest.is_zero() {" => "let (quotient, rest) = above.div_mod_floor(below);\n    if rest.is_zero() || rest.is_one() {"
    certificate::flows_lose_no_deviation: units = 3, unwind = 5, ProvedTogether, enumerated [1, 2, 3], random [100];
        "flows along masks arrive at their ends, no deviation becomes negative, and the cost is the sum of the squares"
        of "certificate::rules::carry"
        for "amounts up to 3 units around a triangle, deviations up to 3 units"
        bug "certificate/src/rules.rs": "deviation[to] = deviation[to].clone() + amount.clone();" => "deviation[to] = deviation[to].clone().max(amount.clone());"
    certificate::alibis_leave_nothing_to_hear: shifts = 3, unwind = 5, Proved(7), enumerated [1, 2, 3], random [100];
        "with the shifts that the checker counts, an alibi leaves nothing audible to the observer"
        of "certificate::rules::{explain, row_product}"
        for "two steps on the path of 3 nodes, any shifts up to 3 thirds and ninths at the two hidden nodes"
        bug "certificate/src/rules.rs": "difference[node] = difference[node].clone() - shift;" => "difference[node] = difference[node].clone() + shift;"
    certificate::steps_are_rounded_up_to_units: steps = 3, unwind = 9, ProvedTogether, enumerated [1, 2, 3, 7], random [100];
        "for noise on a grid the checker of certificates rounds steps up to units, by less than one, and adds them once for each rounding to deviations that are not 0"
        of "certificate::rounded::Corrections"
        for "sensitivities up to 3 steps, whole and half, in 2 units, up to 3 coordinates and 2 roundings"
        bug "certificate/src/rounded.rs": "root + I::one()" => "root"
    certificate::whole_shifts_leave_no_more_than_is_counted: steps = 2, unwind = 9, ProvedTogether, enumerated [1, 2, 3], random [20];
        "a shift in whole steps, rounded toward 0, is no longer than what is absorbed, and leaves no more than the checker counts"
        of "certificate::rounded::Corrections::left"
        for "differences up to 2 steps in two coordinates, deviations up to 6 half steps, any part of them absorbed"
        bug "certificate/src/rounded.rs": "arrived.clone().min(left.clone() + self.step.clone())" => "left.clone()"
    certificate::roundings_add_no_more_than_is_counted: quarters = 6, unwind = 9, ProvedTogether, enumerated [3, 6, 12], random [60];
        "two states that are rounded to steps, once or twice, differ by no more than the checker counts, and equal ones not at all"
        of "certificate::rounded::Corrections::anew"
        for "states up to 6 quarters of a step, one rounding or two"
        bug "certificate/src/rounded.rs": "let anew = step.clone() * roundings;" => "let anew = step.clone();"
    certificate::whole_amounts_cost_no_more_than_is_counted: steps = 3, unwind = 9, ProvedTogether, enumerated [2, 3, 4], random [8];
        "where a part of an input leaves along a mask, some whole amounts cost no more than the checker counts, and sometimes no less"
        of "certificate::rounded::of_whole_amount"
        for "two nodes and a mask of half the deviation, shares in sixths, changes up to 3 steps in one coordinate or two"
        bug "certificate/src/rounded.rs": "(times, two_steps.clone() * two_steps)" => "(times, two_steps.clone() * two_steps.clone() + two_steps)"
    certificate::indefinite_matrices_are_refused: rows = 2, unwind = 4, ProvedBefore, enumerated [1, 2, 3], random [3];
        "the checker of certificates accepts a dual vector exactly if the matrix is positive semidefinite"
        of "certificate::rules::first_indefinite_row"
        for "all symmetric 2 x 2 matrices with entries from -2 to 2, against vectors of such entries"
        bug "certificate/src/rules.rs": "pivot.is_negative() || (pivot.is_zero() && !zeros_beside)" => "pivot.is_negative()"
    certificate::claims_are_compared_exactly: numerators = 3, unwind = 4, ProvedTogether, enumerated [1, 3], random [12];
        "claims are compared exactly"
        of "certificate::rules::is_at_most"
        for "all fractions with numerators from -3 to 3 and denominators up to 4"
        bug "certificate/src/rules.rs": "one.0.clone() * other.1.clone() <= other.0.clone() * one.1.clone()" => "one.0.clone() * one.1.clone() <= other.0.clone() * other.1.clone()"
    noise::masks_cancel_in_the_sum: nodes = 3, unwind = 5, ProvedTogether, enumerated [2, 3], random [8];
        "a mask enters the states of the two ends of its edge with opposite signs, and the sum of all states stays"
        of "fast::arithmetic::{add_mask, take_mask}, model::Draw::enters; enumerated also fast::simulation::GossipState::add_masks"
        for "every graph on 3 nodes, masks from -2 to 2 in two coordinates"
        bug "fast/src/arithmetic/lockstep.rs": "take_mask(b, a, mask, &mut values[b * width..(b + 1) * width]);" => "take_mask(a, b, mask, &mut values[b * width..(b + 1) * width]);"
    noise::ends_of_an_edge_take_opposite_masks: masks = 3, unwind = 4, ProvedTogether, enumerated [1, 3], random [100];
        "of the two ends of an edge one adds the shared mask and the other subtracts it, whatever their numbers"
        of "fast::arithmetic::take_mask; enumerated also node::Node with fast::noise::RoundedGaussian under one key"
        for "any two node numbers, masks from -3 to 3"
        bug "fast/src/arithmetic/lockstep.rs": "if own < other {" => "if own <= other || own % 2 == 1 {"
    noise::rounded_draws_commute_with_whole_steps: steps = 3, unwind = 6, ProvedTogether, enumerated [1, 3], random [7];
        "the rounded Gaussian goes to the nearest step, and a shift by whole steps commutes with it"
        of "fast::noise::rounded::nearest_step"
        for "any 64 bits of a draw of up to 4 steps, 76, 88, 117 and 122 binary places, shifted by 3 steps"
        bug "fast/src/noise/rounded.rs": "let nearest = (start + half) >> places;" => "let nearest = (start + half / 2) >> places;"
    noise::whole_shifts_commute_with_rounding: steps = 3, unwind = 4, ProvedTogether, enumerated [0, 1, 2, 3], random [1000003];
        "rounding to the grid commutes with a shift by whole steps, and goes to the nearest, halves upwards"
        of "fast::noise::grid::nearest; enumerated also fast::noise::Grid::round"
        for "sixteenths of a step from -127 to 127, shifted by 3 steps, in f64"
        bug "fast/src/noise/grid.rs": "let up = steps - whole >= 0.5;" => "let up = steps - whole > 0.5 || (steps - whole == 0.5 && whole < 0.0);"
    readers::graph6_lines_are_answered: bytes = 3, unwind = 8, ProvedTogether, enumerated [1, 2, 3], random [8];
        "every graph6 text is answered without panic, and every bit is an edge"
        of "model::graph6::graph6_line, and io::read"
        for "all byte strings up to 3 bytes"
        bug "model/src/graph6.rs": "& ((1 << padding) - 1) != 0" => "& 0 != 0"
    readers::matrix_lines_are_answered: bytes = 3, unwind = 5, ProvedTogether, enumerated [1, 2, 3, 4, 5], random [12];
        "every line is answered without panic; exactly whole numbers are read, and they are what their digits say"
        of "io::leading_numbers; enumerated also io::read"
        for "all byte strings up to 3 bytes"
        bug "io/src/matrix_market.rs": "byte.checked_sub(b'0').filter(|&digit| digit <= 9)?" => "Some(byte & 15)?"
    readers::graph6_is_read_as_written: nodes = 4, unwind = 9, ProvedTogether, enumerated [1, 2, 3, 4, 5, 6], random [9];
        "a graph in graph6 is read back as the same graph"
        of "model::graph6::{fill_pairs, graph6_line}"
        for "every graph on 4 nodes"
        bug "model/src/graph6.rs": "sixes[place] |= bit;" => "sixes[place] = bit;"
    certificate::accepted_statistics_are_the_best_attacks: draws = 2, unwind = 4, NotYet, enumerated [1, 2], random [3];
        "a statistic that the exact rule accepts has the loss of its alibi, and no other attack is stronger"
        of "certificate::rules::{is_statistic_exact, add_multiple, add_product, changes_by}"
        for "every two observations of two draws with coefficients -1, 0 and 1 and variances 1 and 2, every signal of -2, 0 and 2, every two attacks"
        bug "certificate/src/rules/sums.rs": "change == *expected" => "change >= *expected"
    certificate::flows_cost_no_less_than_the_loss: parts = 3, unwind = 5, NotYet, enumerated [1, 2, 3, 4], random [12];
        "an accepted flow changes the states by the input alone and costs no less than is lost; out of a node without noise it is refused"
        of "certificate::rules::{flow_shifts, weighted_product}"
        for "two nodes with variances 0, 1 and 2, one mask with variance 1 or 2, every flow of thirds from either node"
        bug "certificate/src/rules.rs": "shift(from, -amount.clone());" => "shift(from, amount.clone());"
    certificate::products_of_alibis_need_variance: draws = 2, unwind = 4, NotYet, enumerated [1, 2], random [3];
        "the inner products of alibis are over the variance of each draw, and refused where a draw without variance is shifted"
        of "certificate::rules::weighted_product"
        for "two alibis of two draws with variances 0, 1 and 2, even shifts from -4 to 4"
        bug "certificate/src/rules.rs": "(false, true) => None," => "(false, true) => Some(sum),"
    certificate::attacks_count_draws_as_often_as_they_enter: coefficients = 2, unwind = 5, NotYet, enumerated [1, 2, 3], random [20];
        "going backwards over the steps, the checker of certificates counts each draw as often as it enters the statistic of an attack, and so its signal and variance"
        of "certificate::rules::{step_back, add_product, row_product}; enumerated also certificate::Certificate::proved"
        for "three steps on the path of 3 nodes, plain and accelerated, coefficients of messages from -2 to 2"
        bug "certificate/src/rules.rs": "let kept = (below.clone() - above.clone()) * denominator.clone();" => "let kept = (above.clone() - below.clone()) * denominator.clone();"
    plans::potentials_prove_no_more_than_a_plan_costs: parts = 3, unwind = 6, NotYet, enumerated [1, 2, 3], random [12];
        "what potentials prove of the cost of every plan is no more than what a plan costs that meets its target"
        of "certificate::plan::add_loads; enumerated also certificate::check_lower"
        for "the path of 3 nodes with an observer at its end, variances 1 and 2, any flow in thirds, potentials from -1 to 1 in thirds, multipliers 1 and 2"
        bug "certificate/src/plan.rs": "if !observes[a] && !observes[b] {" => "if !observes[a] && observes[b] {"
    plans::scaled_gains_are_no_more_than_a_plan_costs: most = 3, unwind = 4, NotYet, enumerated [1, 2, 3], random [12];
        "the gain of potentials, scaled as the costs allow, is no more than a plan costs whose loads are worth it; negative costs are refused"
        of "certificate::plan::scaled_gain"
        for "two draws, loads from 0 to 3, costs from -3 to 3, variances 0, 1 and 2, every gain that they are worth"
        bug "certificate/src/plan.rs": "cost.clone() * under.clone() < over.clone() * load.clone()" => "cost.clone() * under.clone() > over.clone() * load.clone()"
    kernels::add_up_is_the_float_above_the_sum: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "add_up is, bit for bit, the float above the computed sum, exact on zeros"
        of "fast::arithmetic::add_up"
        for "any two finite f64 that are not negative"
        bug "fast/src/arithmetic/upward.rs": "(a + b).next_up()" => "(a + b).next_down()"
    kernels::times_up_is_the_float_above_the_product: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "times_up is, bit for bit, the float above the computed product, exact on zeros and ones"
        of "fast::arithmetic::times_up"
        for "any two finite f64 that are not negative"
        bug "fast/src/arithmetic/upward.rs": "if a == 0.0 || b == 0.0 {" => "if a * b == 0.0 {"
    kernels::ratio_up_takes_each_part_outwards: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "ratio_up is, bit for bit, the float above a quotient whose parts were taken outwards"
        of "fast::arithmetic::ratio_up"
        for "any two whole numbers below 2^64"
        bug "fast/src/arithmetic/upward.rs": "(below as f64).next_down()" => "below as f64"
    kernels::absorb_up_takes_both_shares_up: triples = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "absorb_up is, bit for bit, the two products with the fraction and its rest, rounded up"
        of "fast::arithmetic::absorb_up"
        for "any f64 that is finite and not negative, any fraction of whole numbers below 2^64"
        bug "fast/src/arithmetic/upward.rs": "ratio_up(below - above, below)" => "(1.0 - ratio_up(above, below))"
    kernels::sum_up_adds_three_units_to_the_terms: sums = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "sum_up is, bit for bit, the sum times one unit for each term and three more, rounded up twice"
        of "fast::arithmetic::sum_up"
        for "any f64 that is finite and not negative, any number of terms in 32 bits"
        bug "fast/src/arithmetic/upward.rs": "* UNIT_ROUNDOFF).next_up()).next_up()" => "* UNIT_ROUNDOFF)).next_up()"
    kernels::mixed_entries_are_summed_in_order: neighbours = 2, unwind = 4, NotYet, enumerated [1], random [1, 5];
        "a row is, bit for bit, the sum of its products from the diagonal on, alone and in a block"
        of "fast::arithmetic::{mixed_entry, mixed_block}"
        for "rows of two neighbours, any f64 that are finite and not negative"
        bug "fast/src/arithmetic/row.rs": "for (&w, &weight) in columns.iter().zip(values) {\n        sum += weight" => "for (&w, &weight) in columns.iter().zip(values).rev() {\n        sum += weight"
    kernels::mixed_entry_up_is_above_what_is_summed_in_order: neighbours = 1, unwind = 3, NotYet, enumerated [1], random [1, 5];
        "mixed_entry_up is, bit for bit, sum_up of the row in order, or the sum of products that are each rounded up near underflow"
        of "fast::arithmetic::mixed_entry_up"
        for "rows of one neighbour, any f64 that are finite and not negative"
        bug "fast/src/arithmetic/upward.rs": "sum_up(sum, row.len())" => "sum.next_up()"
    kernels::enclosures_have_the_ends_of_the_lemma: roundings = 2, unwind = 4, NotYet, enumerated [1, 2, 3], random [50];
        "the ends of an enclosure are, bit for bit, the expressions whose correctness is proved"
        of "fast::Enclosure::{around, around_with_loss}"
        for "any value that is finite and not negative, up to 2 roundings, any number of operations that may have underflowed"
        bug "fast/src/enclosure.rs": "(value + lost).next_up()" => "value + lost"
    kernels::roundings_accumulate_as_in_the_lemma: counts = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "accumulated is, bit for bit, the product of which it is proved that roundings do not exceed it"
        of "fast::arithmetic::accumulated"
        for "any number of roundings below 2^64, units of f64 and of pairs"
        bug "fast/src/arithmetic/counted.rs": "(roundings as f64 + 2.0) * unit" => "(roundings as f64) * unit"
    kernels::degree_weights_are_summed_in_groups: neighbours = 1, unwind = 3, NotYet, enumerated [1], random [1, 40];
        "weights by degrees are, bit for bit, inverses of the larger degree, and the diagonal a sum in groups of 32"
        of "fast::arithmetic::degree_weights"
        for "one neighbour, any degrees below 2^26"
        bug "fast/src/arithmetic/row.rs": "(other - own) / (own * other)" => "(other - own) / own / other"
    kernels::sums_and_their_errors_are_those_of_the_lemma: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "two_sum and fast_two_sum are, bit for bit, the sums and errors that are proved exact"
        of "fast::arithmetic::{two_sum, fast_two_sum}"
        for "any two f64 below 2^1000"
        bug "fast/src/arithmetic/exact.rs": "(a - (sum - shadow)) + (b - shadow)" => "(a + b) - sum"
    kernels::products_and_their_errors_are_those_of_the_lemma: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "two_product is, bit for bit, the product and the error that are proved exact"
        of "fast::arithmetic::two_product"
        for "any two f64 below 1e150"
        bug "fast/src/arithmetic/exact.rs": "((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2" => "((a1 * b1 - product) + a1 * b2 + a2 * b1)"
    kernels::pairs_are_computed_as_in_the_lemma: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "sums, products, multiples and quotients of pairs of floats are, bit for bit, the expressions that are proved within the unit"
        of "fast::arithmetic::pair::{plus, negated, times, scaled, over}"
        for "any four f64 below 1e75, quotients below 1e75"
        bug "fast/src/arithmetic/pair.rs": "fast_two_sum(product, lost + cross)" => "fast_two_sum(product, cross)"
    kernels::computed_numbers_are_enlarged_as_in_the_lemma: sums = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "enlarged, enlarged_root and raised are, bit for bit, the expressions that are proved above the exact number"
        of "fast::arithmetic::{enlarged, enlarged_root, raised}"
        for "any f64 that is finite and not negative, any number of roundings in 32 bits"
        bug "fast/src/arithmetic/counted.rs": "(value * (1.0 + spread)).next_up()" => "(value * (1.0 + spread))"
    kernels::balls_have_the_radius_of_the_lemma: pairs = 1, unwind = 6, NotYet, enumerated [1], random [1];
        "sums, products, quotients and roots of balls, and balls of two ends, have, bit for bit, the centre and radius that are proved to contain the exact number"
        of "fast::arithmetic::radius_up, fast::guarantee::ball"
        for "any two f64 with any two radii"
        bug "fast/src/guarantee/ball.rs": "self.radius * other.radius," => "0.0,"
    kernels::differences_round_as_in_the_lemma: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "add_down and minus_up are, bit for bit, the floats below a sum and above a difference, or 0"
        of "fast::arithmetic::{add_down, minus_up}"
        for "any two finite f64 that are not negative"
        bug "fast/src/arithmetic/upward.rs": "(a + b).next_down().max(0.0)" => "(a + b).max(0.0)"
    kernels::intervals_round_outwards_as_in_the_lemma: pairs = 1, unwind = 2, NotYet, enumerated [1], random [1];
        "sums, differences, products and squares of intervals have, bit for bit, the ends that are proved outside"
        of "design::upper::{plus, minus, times, square_below, square_above}"
        for "any finite ends, any factor that is finite and not negative"
        bug "design/src/upper.rs": "(self.1 - other.0).next_up()" => "(self.1 - other.1).next_up()"
    kernels::residuals_are_bounded_as_in_the_lemma: neighbours = 1, unwind = 3, NotYet, enumerated [1], random [1, 3];
        "residual_up is, bit for bit, the expression that is proved above the residual of a trial"
        of "fast::arithmetic::residual_up"
        for "one neighbour, any finite f64 whose sizes have a finite sum"
        bug "fast/src/arithmetic/counted.rs": "let size = a + variance * y.abs() + flow_size;" => "let size = a + variance * y + flow_size;"
}
