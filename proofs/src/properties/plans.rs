//! The lower end of a plan's cost: weak duality.

use crate::{Case, Choices, claim, cover};
use muffliato_certificate::{LowerRefusal, cores::add_loads, scaled_gain};

pub fn potentials_prove_no_more_than_a_plan_costs<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let edges = [(0, 1), (1, 2)];
    // Of the nodes 0, 1, 2 and of the two masks; those at the observer may be 0.
    let variances = [1, 1, 0, 1, 0].map(|least| least + i32::from(choices.small(1)));
    let flow = i32::from(choices.small(N as u8));
    let rest = N as i32 - flow;
    // Twice N^2 times the loss of this flow, which is the target.
    let by = |variance: i32| 2 / variance;
    let target =
        by(variances[0]) * rest * rest + (by(variances[1]) + by(variances[3])) * flow * flow;
    let values = [i32::from(choices.signed(N as u8)), i32::from(choices.signed(N as u8)), 0];
    let multiplier = 1 + i32::from(choices.small(1));
    let mut loads = [0; 5];
    add_loads(&mut loads, &edges, &values, &[false, false, true], &multiplier);
    let mut cost = 0;
    for draw in 0..5 {
        cost += loads[draw] * variances[draw];
    }
    let gain = multiplier * (4 * N as i32 * values[0] - target);
    claim!(gain <= 2 * cost, "a plan that meets its target costs what potentials prove");
    cover!(choices, gain == 2 * cost && gain > 0, "a best plan");
    #[cfg(test)]
    check_the_rule(N, edges, values, multiplier, loads, (target, cost))?;
    Some(())
}

/// The same of the whole rule, with these loads as costs.
#[cfg(test)]
fn check_the_rule(
    parts: usize,
    edges: [(usize, usize); 2],
    values: [i32; 3],
    multiplier: i32,
    loads: [i32; 5],
    (target, cost): (i32, i32),
) -> Option<()> {
    use muffliato_certificate::{LowerProof, Potential, check_lower};
    let square = parts * parts;
    let over_square = |number: i32| format!("{number}/{square}").parse().ok();
    let costs = loads.into_iter().map(over_square).collect::<Option<Vec<_>>>()?;
    let target_of = |source: usize, observers: &[usize]| {
        let asked = source == 0 && *observers == [2];
        asked.then(|| format!("{target}/{}", 2 * square).parse().ok()).flatten()
    };
    let check = |at_observer: i64| {
        let [first, second, _] = values.map(i64::from);
        let values = vec![(0, first), (1, second), (2, at_observer)];
        let multiplier = multiplier as u64;
        let potential = Potential { source: 0, observers: vec![2], multiplier, values };
        let proof =
            LowerProof { unit: format!("1/{parts}").parse().ok()?, potentials: vec![potential] };
        Some(check_lower(3, &edges, &costs, target_of, &proof))
    };
    match check(0)? {
        Ok(lower) => {
            claim!(lower <= over_square(cost)?, "an accepted end is no more than a plan costs")
        }
        Err(refusal) => claim!(
            refusal == LowerRefusal::Empty && loads == [0; 5],
            "potentials that are 0 everywhere are refused, and no others"
        ),
    }
    claim!(check(1)? == Err(LowerRefusal::AtObserver { potential: 0, node: 2 }), "0 at observers");
    Some(())
}

pub fn scaled_gains_are_no_more_than_a_plan_costs<const N: usize>(
    choices: &mut impl Choices,
) -> Case {
    let (mut loads, mut costs) = ([0; 2], [0; 2]);
    let (mut worth, mut cost) = (0, 0);
    for draw in 0..2 {
        loads[draw] = i32::from(choices.small(N as u8));
        costs[draw] = i32::from(choices.signed(N as u8));
        let variance = i32::from(choices.small(2));
        worth += loads[draw] * variance;
        cost += costs[draw] * variance;
    }
    let gain = i32::from(choices.signed(4 * N as u8));
    choices.assume(gain <= worth)?;
    let negative = costs[0] < 0 || costs[1] < 0;
    match scaled_gain(&loads, &costs, &gain) {
        Ok((above, below)) => {
            claim!(!negative && above >= 0 && below > 0, "a lower end is a fraction from 0");
            claim!(above <= below * cost, "a plan that is worth the gain costs the lower end");
            cover!(choices, above > 0 && above == below * cost, "a best plan");
        }
        Err(refusal) => claim!(
            if negative {
                refusal == LowerRefusal::Costs
            } else {
                refusal == LowerRefusal::Empty && loads[0] + loads[1] == 0
            },
            "negative costs and loads of 0 are refused, and nothing else"
        ),
    }
    Some(())
}
