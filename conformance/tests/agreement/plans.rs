//! Noise plans with nodes that add no noise of their own, whose losses may be infinite.

use super::generators::{planned, settings};
use muffliato_account::{Asked, Engine, Exact};
use muffliato_conformance::case::Case;
use muffliato_fast::{AbsorptionBounds, FastError, GramView, MaskedBounds};
use muffliato_model::Lipschitz;
use muffliato_reference::{BigRational, Process, ReferenceError, masked_bound};
use num_traits::ToPrimitive;
use proptest::prelude::*;

const REGRESSIONS: &str = "tests/agreement/plans.proptest-regressions";

/// Returns `None` for an infinite number.
fn finite(
    number: Result<BigRational, ReferenceError>,
) -> Result<Option<BigRational>, ReferenceError> {
    match number {
        Err(ReferenceError::InfiniteLoss { .. }) => Ok(None),
        number => number.map(Some),
    }
}

/// Returns a float that is surely not above the number.
fn below(number: &Option<BigRational>) -> f64 {
    number.as_ref().map_or(f64::MAX, |number| number.to_f64().unwrap() * (1.0 - 1e-14))
}

fn above(number: &Option<BigRational>) -> f64 {
    number.as_ref().map_or(f64::INFINITY, |number| number.to_f64().unwrap() * (1.0 + 1e-14))
}

proptest! {
    #![proptest_config(settings(400, REGRESSIONS))]

    #[test]
    fn losses_of_plans_with_silent_nodes_agree(case in planned(&["0", "0", "1", "1/4"])) {
        let Case { protocol, observer, .. } = &case;
        let process = Process::run(protocol).unwrap();
        let view = process.view(observer).unwrap();
        let found = Exact::of(protocol, u128::MAX).unwrap();
        let gram = match GramView::of(protocol, observer) {
            Err(FastError::Observer(_)) => return Ok(()),
            gram => gram.unwrap().losses().unwrap(),
        };
        let masked = MaskedBounds::of(protocol).ok();
        let absorbed = AbsorptionBounds::of(protocol, observer, &Lipschitz::default()).unwrap();
        let absorbed = absorbed.first_passage_all().unwrap();
        for u in case.sources() {
            let exact = match finite(view.leakage(u)) {
                Err(ReferenceError::TooManyInputs { .. }) => continue,
                exact => exact.unwrap(),
            };
            if protocol.rounds() == 1 {
                let found = found.losses(Asked::new(observer, &[&[u]], &())).unwrap();
                prop_assert_eq!(found.losses[0].fraction(), exact.as_ref());
                prop_assert!(found.losses[0].upper() >= below(&exact));
            }
            let ends = gram[u].unwrap();
            prop_assert!(ends.scalars.certified.lower() <= above(&exact), "{u}: {exact:?} {ends:?}");
            prop_assert!(ends.scalars.certified.upper() >= below(&exact), "{u}: {exact:?} {ends:?}");
            prop_assert!(absorbed[u].unwrap() >= below(&exact), "{u}: {exact:?} {absorbed:?}");
            if let Some(masked) = &masked {
                let bound = finite(masked_bound(protocol, &[u], observer)).unwrap();
                let ends = masked.bound(&[u], observer).unwrap();
                prop_assert!(ends.lower() <= above(&bound) && ends.upper() >= below(&bound));
                prop_assert!(bound.is_none() || ends.relative_width() < 1e-9, "{bound:?} {ends:?}");
                prop_assert!(below(&exact) <= above(&bound), "{u}: {exact:?} above {bound:?}");
            }
        }
    }
}
