//! On the hypercube the loss depends on the distance only.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    instances::{graph, one_shot},
};
use muffliato_model::Observer;
use muffliato_reference::{BigRational, PaperBounds, Process};
use std::collections::BTreeMap;

pub(super) const CLAIM: Claim = Claim {
    id: "hypercube",
    place: "Appendix H.2",
    statement: "On the hypercube f(u,v) is a function of the distance between u and v; so is the true loss.",
    method: "f and the exact leakage of all pairs on the cubes of dimension 1 to 4, T up to the dimension, grouped by \
             distance.",
    recorded: Recorded {
        kind: Kind::Holds,
        evidence: "1154 pairs on the cubes of dimension 1 to 4; leakage 1, 2/3, 1, 1 at distances 1 to 4 for T = 4",
    },
    decide,
};

fn decide() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    let mut last = BTreeMap::new();
    for dimension in 1..=4 {
        let cube = graph(&format!("hypercube:{dimension}"))?;
        for steps in 1..=dimension {
            let protocol = one_shot(&cube, steps)?;
            let (bounds, process) = (PaperBounds::of(&protocol)?, Process::run(&protocol)?);
            let mut classes: BTreeMap<u32, (BigRational, BigRational)> = BTreeMap::new();
            for v in 0..cube.nodes() {
                let observer = Observer::full(v);
                let (sums, view) = (bounds.pairwise_all(&observer)?, process.view(&observer)?);
                for u in (0..cube.nodes()).filter(|&u| u != v) {
                    let found = (sums[u].clone(), view.leakage(u)?);
                    let distance = (u ^ v).count_ones();
                    let first = classes.entry(distance).or_insert_with(|| found.clone());
                    if *first != found {
                        let case = format!("dimension {dimension}, T = {steps}, {u} -> {v}");
                        return Ok(Verdict::unconfirmed(case));
                    }
                    cases += 1;
                }
            }
            last = classes;
        }
    }
    let leakages: Vec<_> = last
        .values()
        .map(|(_, leakage)| leakage.to_string())
        .collect();
    Ok(Verdict::holds(format!(
        "{cases} pairs on the cubes of dimension 1 to 4; leakage {} at distances 1 to 4 for T = 4",
        leakages.join(", ")
    )))
}
