//! The checker of certificates: its rounding, rejections and comparisons.

use super::matrices::any_symmetric;
use crate::{Case, Choices, claim, cover, split};
use muffliato_certificate::cores::{
    Corrections, absorb, carry, explain, first_heard, first_indefinite_row, flow_shifts,
    is_at_most, is_statistic_exact, mixed_up, of_whole_amount, row_product, step_back,
    weighted_product,
};

/// Metropolis weights of the path 0 - 1 - 2, in thirds.
const ROWS: [&[(u32, i32)]; 3] = [&[(0, 2), (1, 1)], &[(0, 1), (1, 1), (2, 1)], &[(1, 1), (2, 2)]];
const THIRDS: i32 = 3;
/// Denominator of the fractions.
const QUARTERS: i32 = 4;

/// Returns the rest after absorbing these quarters, the squares, and the result of mixing.
struct Step {
    left: [i32; 3],
    squares: i32,
    mixed: [i32; 3],
}

fn step(arrived: [i32; 3], quarters: [i32; 3], before: Option<[i32; 3]>) -> Step {
    let mut left = arrived;
    let fractions = (0..3).map(|node| (node, quarters[node], QUARTERS));
    let squares = absorb(&mut left, fractions);
    let mut mixed = [7; 3];
    for w in 0..3 {
        let accelerated = before.as_ref().map(|before| (&3, &2, &before[w]));
        mixed[w] = mixed_up(ROWS[w], &THIRDS, &left, accelerated);
    }
    Step { left, squares, mixed }
}

pub fn flows_lose_no_deviation<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut any = || choices.array(|choices| i32::from(choices.small(N as u8)));
    let (arrived, amounts): ([_; 3], [_; 3]) = (any(), any());
    let mut moved = arrived;
    let flows = (0..3).map(|w| (w, (w + 1) % 3, amounts[w]));
    let cost = carry(&mut moved, flows);
    let (mut squares, mut clamped) = (0, false);
    for w in 0..3 {
        squares += amounts[w] * amounts[w];
        let left = arrived[w] - amounts[w] + amounts[(w + 2) % 3];
        clamped |= left < 0;
        claim!(moved[w] == if left < 0 { 0 } else { left }, "what a node had, got and gave");
    }
    claim!(cost == squares, "the cost is the sum of the squares");
    cover!(choices, clamped, "a node gives more than it has");
    Some(())
}

pub fn deviations_are_absorbed_or_heard<const N: usize>(choices: &mut impl Choices) -> Case {
    let (mut arrived, mut quarters, mut larger) = ([0; 3], [0; 3], [0; 3]);
    for w in 0..3 {
        arrived[w] = i32::from(choices.small(N as u8));
        quarters[w] = i32::from(choices.small(4));
        larger[w] = arrived[w] + i32::from(choices.flag());
    }
    let before = if choices.flag() { Some([1, 0, 2]) } else { None };
    let now = step(arrived, quarters, before);
    let mut squares = 0;
    for w in 0..3 {
        let absorbed = arrived[w] - now.left[w];
        squares += absorbed * absorbed;
        claim!(now.left[w] >= 0 && absorbed >= 0, "between nothing and what arrived");
        claim!(QUARTERS * absorbed >= quarters[w] * arrived[w], "what is absorbed is rounded up");
        claim!(quarters[w] < QUARTERS || now.left[w] == 0, "the fraction one absorbs all");
    }
    claim!(now.squares == squares, "the cost is the sum of the squares");
    let heard = first_heard(&now.left, [1, 2].into_iter());
    claim!(heard.is_none() == (now.left[1] == 0 && now.left[2] == 0), "senders are heard");
    for w in 0..3 {
        let mut sum = 0;
        for &(node, weight) in ROWS[w] {
            sum += weight * now.left[node as usize];
        }
        // In sixths: twice the sum, or three times the sum and three of the previous one.
        let exact = match before {
            Some(before) => 3 * sum + 3 * before[w],
            None => 2 * sum,
        };
        claim!(6 * now.mixed[w] >= exact && 6 * now.mixed[w] < exact + 6, "mixed, rounded up");
    }
    let more = step(larger, quarters, before);
    claim!(more.squares >= now.squares, "the cost does not fall when deviations are rounded up");
    for w in 0..3 {
        claim!(more.left[w] >= now.left[w] && more.mixed[w] >= now.mixed[w], "deviations grow");
    }
    cover!(choices, heard.is_none() & (now.squares > 0), "all is absorbed");
    cover!(choices, heard.is_some(), "a deviation is heard");
    Some(())
}

pub fn alibis_leave_nothing_to_hear<const N: usize>(choices: &mut impl Choices) -> Case {
    let source = 1 + choices.index(1);
    let mut given = [[0; 3]; 2];
    for time in 0..2 {
        for node in 1..3 {
            given[time][node] = i32::from(choices.signed(N as u8));
        }
    }
    // By the checker: which draws shift by how much.
    let (mut difference, mut shifts) = ([0; 3], given);
    difference[source] = THIRDS;
    for time in 0..2 {
        let here = (1..3).map(|node| (node, given[time][node]));
        explain(&mut difference, here, std::iter::once(1), |node, left| {
            shifts[time][node] += left;
        });
        let left = difference;
        for w in 0..3 {
            difference[w] = row_product(ROWS[w], &left);
        }
    }
    // By the definition of the protocol: what the input adds to the states, minus the shifts.
    let mut state = [0; 3];
    state[source] = THIRDS;
    for time in 0..2 {
        for node in 0..3 {
            state[node] -= shifts[time][node];
        }
        claim!(state[1] == 0, "the observer hears the same as before");
        state = [2 * state[0] + state[1], state[0] + state[1] + state[2], state[1] + 2 * state[2]];
    }
    cover!(choices, shifts[1][1] != given[1][1], "something arrives later");
    // A loop, since the library's array comparison unwinds further than anything here.
    let mut as_given = true;
    for time in 0..2 {
        for node in 0..3 {
            as_given &= shifts[time][node] == given[time][node];
        }
    }
    cover!(choices, as_given, "the given shifts explain all");
    Some(())
}

/// Returns the integer square root of a number below 64.
fn small_root(square: &i32) -> i32 {
    let mut root = 0;
    for next in 1..8 {
        if next * next <= *square {
            root = next;
        }
    }
    root
}

pub fn steps_are_rounded_up_to_units<const N: usize>(choices: &mut impl Choices) -> Case {
    let (drawn, halves) = (choices.index(N - 1), choices.flag());
    let (coordinates, below) = (1 + i32::from(choices.small(2)), 1 + i32::from(halves));
    let roundings = 1 + i32::from(choices.small(1));
    let mut rounded = false;
    split(drawn, N - 1, |drawn| {
        let above = drawn as i32 + 1;
        let sensitivity = (&above, &below);
        let grid = Corrections::of_grid(&2, sensitivity, coordinates, roundings, small_root);
        let step = grid.left(&99, &1) - 1;
        // In units squared, times the square of `above`: the steps, the counted steps, and one unit
        // less.
        let exact = coordinates * (2 * below) * (2 * below);
        let counted = step * step * above * above;
        claim!(counted >= exact, "steps are rounded up to units for every number of coordinates");
        claim!(step > 0 && (step - 1) * (step - 1) * above * above < exact, "by less than a unit");
        claim!(grid.anew(1) == 1 + roundings * step && grid.anew(0) == 0, "roundings add steps");
        rounded = counted > exact;
    });
    cover!(choices, rounded, "units that no step is a multiple of");
    Some(())
}

pub fn whole_shifts_leave_no_more_than_is_counted<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let difference = [(); 2].map(|()| i32::from(choices.signed(N as u8)));
    let most = 3 * N;
    let (drawn, left) = (choices.index(most), i32::from(choices.small(3 * N as u8)));
    let squares = |[x, y]: [i32; 2]| 4 * (x * x + y * y);
    let within = squares(difference) <= (drawn * drawn) as i32;
    choices.assume(within && left <= drawn as i32)?;
    let grid = Corrections::of_grid(&2, (&1, &1), 2, 1, small_root);
    let mut more = false;
    split(drawn, most, |arrived| {
        let arrived = arrived as i32;
        let absorbed = arrived - left;
        // The fraction of the difference, rounded toward 0 in each coordinate.
        let part = |steps: i32| match arrived {
            0 => 0,
            _ => steps * absorbed / arrived,
        };
        let shift = difference.map(part);
        let rest = [difference[0] - shift[0], difference[1] - shift[1]];
        let counted = grid.left(&arrived, &left);
        claim!(squares(shift) <= absorbed * absorbed, "a shift is within what is absorbed");
        claim!(squares(rest) <= counted * counted, "it leaves no more than is counted");
        claim!(counted <= arrived && (left > 0 || counted == 0), "counted is at most arrived");
        more = squares(rest) > left * left;
    });
    cover!(choices, more, "whole steps leave more than real numbers");
    Some(())
}

pub fn roundings_add_no_more_than_is_counted<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut states = [(); 2].map(|()| i32::from(choices.signed(N as u8)));
    let (apart, twice) = ((states[0] - states[1]).abs(), choices.flag());
    for state in &mut states {
        let off = i32::from(choices.signed(2));
        // Equal states are computed alike.
        if twice && apart > 0 {
            *state += off;
        }
    }
    let steps = states.map(|quarters| (quarters + 2).div_euclid(4));
    let grid = Corrections::of_grid(&4, (&1, &1), 1, 1 + i32::from(twice), small_root);
    let computed = 4 * (steps[0] - steps[1]).abs();
    claim!(computed <= grid.anew(apart), "states differ by no more than is counted");
    cover!(choices, !twice && computed > apart, "a rounding takes states apart");
    cover!(choices, computed > apart + 4, "two roundings do");
    Some(())
}

pub fn whole_amounts_cost_no_more_than_is_counted<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let both = choices.flag();
    let second = if both { N as u8 } else { 0 };
    let change = [N as u8, second].map(|most| i32::from(choices.small(most)));
    let (drawn, sixths, halves) = (choices.index(N - 1), choices.index(6), choices.flag());
    let below = 1 + i32::from(halves);
    let squares = change[0] * change[0] + change[1] * change[1];
    let above = drawn as i32 + 1;
    choices.assume(squares * below * below <= above * above)?;
    // Cost of the source's draw, the other end's draw and, four times, the mask if x steps leave.
    let cost = |steps: i32, x: i32| (steps - x) * (steps - x) + 5 * x * x;
    let (mut whole, mut tight) = (0, false);
    split(drawn, N - 1, |drawn| {
        split(sixths, 6, |sixths| {
            let (above, sixths) = (drawn as i32 + 1, sixths as i32);
            whole = 0;
            for steps in change {
                let x = steps * sixths / 6;
                let up = x + i32::from(steps * sixths % 6 > 0);
                whole += cost(steps, x).min(cost(steps, up));
            }
            let more = of_whole_amount(1 + i32::from(both), (&above, &below));
            let draws = if sixths % 6 > 0 { 6 } else { 0 };
            let counted = cost(6, sixths) * more.1 + 36 * draws * more.0;
            let counted = counted * above * above;
            let whole = whole * 36 * more.1 * below * below;
            claim!(whole <= counted, "some whole amounts cost no more than is counted");
            tight = whole == counted && draws > 0;
        });
    });
    cover!(choices, tight & (whole > 0), "they cost all that is counted");
    Some(())
}

pub fn indefinite_matrices_are_refused<const N: usize>(choices: &mut impl Choices) -> Case {
    let matrix = any_symmetric::<N>(choices, 2);
    let mut eliminated = matrix;
    let refused = first_indefinite_row(N, eliminated.as_flattened_mut());
    let vector: [i32; N] = choices.array(|choices| choices.signed(2).into());
    let mut form = 0;
    for i in 0..N {
        for j in 0..N {
            form += vector[i] * matrix[i][j] * vector[j];
        }
    }
    claim!(refused.is_some() || form >= 0, "a matrix that is accepted has no negative value");
    claim!(refused.is_some() == (smallest_minor(&matrix) < 0), "refused for a negative minor");
    cover!(choices, refused.is_none() & (form == 0), "a value of zero");
    cover!(choices, refused.is_some() & (form < 0), "a negative value");
    Some(())
}

/// Returns the smallest principal minor of up to three rows.
fn smallest_minor<const N: usize>(m: &[[i32; N]; N]) -> i32 {
    let mut smallest = i32::MAX;
    for i in 0..N {
        smallest = smallest.min(m[i][i]);
        for j in 0..i {
            smallest = smallest.min(m[i][i] * m[j][j] - m[i][j] * m[j][i]);
        }
    }
    if N == 3 {
        let mut determinant = 0;
        // Remainders keep the indices in bounds for other N, for which this branch is compiled,
        // too.
        let (b, c) = (1 % N, 2 % N);
        for i in 0..N {
            let (j, k) = ((i + 1) % N, (i + 2) % N);
            determinant += m[0][i] * (m[b][j] * m[c][k] - m[b][k] * m[c][j]);
        }
        smallest = smallest.min(determinant);
    }
    smallest
}

pub fn claims_are_compared_exactly<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut fraction = || {
        let above = i32::from(choices.signed(N as u8));
        (above, 1 + i32::from(choices.small(3)))
    };
    let (one, other) = (fraction(), fraction());
    // Twelve is a common denominator.
    let (left, right) = (12 / one.1 * one.0, 12 / other.1 * other.0);
    claim!(is_at_most((&one.0, &one.1), (&other.0, &other.1)) == (left <= right), "compared");
    cover!(choices, left == right && one.1 != other.1, "equal, written differently");
    Some(())
}

pub fn accepted_statistics_are_the_best_attacks<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let mut signed = || i32::from(choices.small(2)) - 1;
    let (mut rows, mut signal, mut c, mut other) = ([[0; N]; 2], [0; 2], [0; 2], [0; 2]);
    for row in 0..2 {
        for draw in 0..N {
            rows[row][draw] = signed();
        }
        (signal[row], c[row], other[row]) = (2 * signed(), signed(), signed());
    }
    let variances: [i32; N] = choices.array(|choices| 1 + i32::from(choices.small(1)));
    let observed = (0..2).map(|row| (&rows[row][..], &signal[row]));
    let statistic = (0..2).map(|row| (&rows[row][..], &c[row]));
    let mut shifts = [0; N];
    let accepted = is_statistic_exact(observed, statistic, &variances, &1, &mut shifts);
    choices.assume(accepted)?;
    let (mut loss, mut cost, mut moved, mut noise) = (0, 0, 0, 0);
    for row in 0..2 {
        loss += c[row] * signal[row];
        moved += other[row] * signal[row];
    }
    for draw in 0..N {
        cost += shifts[draw] * (c[0] * rows[0][draw] + c[1] * rows[1][draw]);
        let enters = other[0] * rows[0][draw] + other[1] * rows[1][draw];
        noise += variances[draw] * enters * enters;
    }
    claim!(loss == cost, "what the input adds to the statistic is the cost of its alibi");
    claim!(moved * moved <= loss * noise, "no other attack is stronger");
    cover!(choices, loss > 0 && other[0] != c[0] && moved != 0, "two attacks");
    Some(())
}

pub fn attacks_count_draws_as_often_as_they_enter<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let c = [(); 3].map(|()| i32::from(choices.signed(N as u8)));
    let accelerated = choices.flag();
    // By the checker, backwards.
    let (mut weight, mut passed_on, mut denominator) = ([0; 3], [0; 3], 1);
    for time in (0..3).rev() {
        let mut sent = [0; 3];
        for w in 0..3 {
            sent[w] = row_product(ROWS[w], &weight);
        }
        let g = if accelerated && time > 0 { Some((&3, &2)) } else { None };
        denominator *= step_back(&mut sent, &weight, &mut passed_on, &THIRDS, g);
        sent[1] += c[time] * denominator;
        weight = sent;
    }
    // By the definition of the protocol: the messages of a unit at each node, times 108.
    let mix = |x: [i32; 3]| [2 * x[0] + x[1], x[0] + x[1] + x[2], x[1] + 2 * x[2]];
    let (mut enters, mut variance) = ([0; 3], 0);
    for node in 0..3 {
        let mut first = [0; 3];
        first[node] = 108;
        let mut second = mix(first);
        for entry in &mut second {
            *entry /= 3;
        }
        let mixed = mix(second);
        let third = if accelerated { (mixed[1] - first[1]) / 2 } else { mixed[1] / 3 };
        enters[node] = c[0] * first[1] + c[1] * second[1] + c[2] * third;
        variance += enters[node] * enters[node];
        claim!(weight[node] * 108 == enters[node] * denominator, "a draw enters as often");
    }
    cover!(choices, accelerated && c[2] != 0 && enters[2] != 0, "an accelerated message");
    cover!(choices, c[1] != 0 && variance > 0 && enters[2] == 0, "an attack that learns nothing");
    #[cfg(test)]
    check_the_attack(c, accelerated, enters[2], variance)?;
    Some(())
}

/// The same of the whole rule: the strength of the attack on node 2.
#[cfg(test)]
fn check_the_attack(c: [i32; 3], accelerated: bool, signal: i32, variance: i32) -> Option<()> {
    use muffliato_certificate::{Attack, Certificate, Claim, Entry, Law, Proof};
    use muffliato_model::{Network, Observer, Protocol};
    let path = Network::metropolis("path:3".parse().ok()?).ok()?;
    let mut protocol = Protocol::one_shot(path, 3).ok()?;
    if accelerated {
        protocol = protocol.accelerated("3/2".parse().ok()?).ok()?;
    }
    let entry = |time: usize, node: usize, value: i32| {
        Some(Entry { time, node, value: value.to_string().parse().ok()? })
    };
    let messages = (0..3).map(|time| entry(time, 1, c[time])).collect::<Option<Vec<_>>>()?;
    let inputs = vec![entry(0, 2, 1)?];
    let proof = Proof::Attack(Attack { inputs, messages, ..Attack::default() });
    let certificate = Certificate {
        protocol,
        noise: Law::Gaussian,
        observer: Observer::full(0),
        sources: vec![2],
        claim: Claim::AtLeast("0".parse().ok()?),
        proof,
    };
    let (signal, variance) = (i64::from(signal), i64::from(variance).max(1));
    let strength = format!("{}/{variance}", signal * signal).parse().ok()?;
    claim!(certificate.proved() == Ok(strength), "as strong as its signal over its noise");
    Some(())
}

pub fn flows_cost_no_less_than_the_loss<const N: usize>(choices: &mut impl Choices) -> Case {
    let [a, b] = [(); 2].map(|()| i32::from(choices.small(2)));
    let k = 1 + i32::from(choices.small(1));
    let (unit, amount) = (2 * N as i32, 2 * i32::from(choices.signed(N as u8)));
    let source = choices.index(1);
    let mut shifts = [0; 2];
    flow_shifts(source, unit, [(0, 1, amount)].into_iter(), |node, by| shifts[node] += by);
    for node in 0..2 {
        let by_mask = if node == 0 { amount } else { -amount };
        claim!(shifts[node] + by_mask == if node == source { unit } else { 0 }, "the input alone");
    }
    let draws = [(shifts[0], a), (shifts[1], b), (amount, k)];
    let cost = weighted_product(draws.into_iter().map(|(shift, s)| (shift, shift, s)));
    let silent = (a == 0 && shifts[0] != 0) || (b == 0 && shifts[1] != 0);
    claim!(cost.is_none() == silent, "a flow out of a node without noise is refused, and no other");
    if let Some(cost) = cost {
        // The loss is (b + k) / (a b + a k + b k) for the first node.
        let other = if source == 0 { b } else { a };
        let most = unit * unit * (other + k);
        claim!(cost * (a * b + a * k + b * k) >= most, "no flow costs less than the loss");
        cover!(choices, a != b && cost * (a * b + a * k + b * k) == most, "a best flow");
    }
    cover!(choices, silent, "a node without noise");
    Some(())
}

pub fn products_of_alibis_need_variance<const N: usize>(choices: &mut impl Choices) -> Case {
    let mut draws = [(0, 0, 0); N];
    let (mut twice, mut refused) = ([[0; 2]; 2], [[false; 2]; 2]);
    for (one, other, variance) in &mut draws {
        *one = 2 * i32::from(choices.signed(N as u8));
        *other = 2 * i32::from(choices.signed(N as u8));
        *variance = i32::from(choices.small(2));
        let shifts = [*one, *other];
        for i in 0..2 {
            for j in 0..2 {
                let product = shifts[i] * shifts[j];
                refused[i][j] |= product != 0 && *variance == 0;
                twice[i][j] += product * if *variance == 2 { 1 } else { 2 };
            }
        }
    }
    let product = |i: usize, j: usize| {
        weighted_product(draws.iter().map(|&(one, other, variance)| {
            let shifts = [one, other];
            (shifts[i], shifts[j], variance)
        }))
    };
    for i in 0..2 {
        for j in 0..2 {
            let found = product(i, j);
            claim!(found.is_none() == refused[i][j], "refused exactly without variance");
            claim!(found.is_none_or(|found| 2 * found == twice[i][j]), "over its own variance");
        }
    }
    cover!(choices, refused[0][0] && !refused[0][1] && !refused[1][1], "one of them is refused");
    cover!(choices, !refused[0][0] && !refused[1][1] && twice[0][1] < 0, "opposite shifts");
    Some(())
}
