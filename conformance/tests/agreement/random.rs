//! Random cases, with one test per topic, so that they run in parallel.

use super::generators::{CASES, averaging, descending, masked, planned, refreshed, settings};
use muffliato_conformance::agreement::{Topic, assert_agreement};
use muffliato_conformance::case::Case;
use proptest::prelude::*;

const REGRESSIONS: &str = "tests/agreement/random.proptest-regressions";

proptest! {
    #![proptest_config(settings(CASES, REGRESSIONS))]

    #[test]
    fn leakage_and_rank_of_one_shot_protocols_agree(case in averaging()) {
        assert_agreement(&case, &[Topic::LEAKAGE]);
    }

    #[test]
    fn losses_of_one_shot_protocols_agree(case in averaging()) {
        assert_agreement(&case, &[Topic::LOSSES]);
    }

    #[test]
    fn bounds_and_losses_of_refreshed_protocols_agree(case in refreshed()) {
        assert_agreement(&case, &[Topic::REFRESHED_BOUNDS, Topic::FORMULAS, Topic::LOSSES]);
    }

    #[test]
    fn bounds_and_losses_of_gradient_descent_agree(case in descending()) {
        assert_agreement(&case, &[Topic::GRADIENT_DESCENT, Topic::LEAKAGE, Topic::LOSSES]);
    }

    #[test]
    fn bounds_and_losses_of_masked_protocols_agree(case in masked()) {
        let topics = [Topic::OUR_BOUNDS, Topic::FORMULAS, Topic::LEAKAGE, Topic::LOSSES];
        assert_agreement(&case, &topics);
    }

    #[test]
    fn bounds_and_losses_of_noise_plans_agree(case in planned(&["1/1000", "1/4", "1", "7/5", "9"])) {
        let topics = [Topic::OUR_BOUNDS, Topic::FORMULAS, Topic::LEAKAGE, Topic::LOSSES];
        assert_agreement(&case, &topics);
    }

    #[test]
    fn formulas_of_the_paper_refuse_noise_plans(case in planned(&["1/4", "9"])) {
        if case.protocol.uniform().is_err() {
            assert_agreement(&case, &[Topic::PAPER_BOUNDS, Topic::GRADIENT_DESCENT]);
        }
    }

    #[test]
    fn absorption_bounds_agree(case in prop_oneof![refreshed(), descending()]) {
        assert_agreement(&case, &[Topic::OUR_BOUNDS]);
    }

    #[test]
    fn runs_with_given_noise_are_the_exact_linear_map(
        case in prop_oneof![averaging(), refreshed(), descending()]
    ) {
        assert_agreement(&case, &[Topic::SIMULATION]);
    }

    #[test]
    fn guarantees_agree(case in averaging()) {
        prop_assert!(assert_agreement(&case, &[Topic::GUARANTEE]) >= 6);
    }

    #[test]
    fn every_case_can_be_written_down_and_read_back(
        case in prop_oneof![averaging(), refreshed(), descending(), masked(), planned(&["0", "2"])]
    ) {
        let text = case.to_string();
        let again: Case = text.parse().unwrap();
        prop_assert_eq!(&again, &case, "{}", text);
    }
}

proptest! {
    #![proptest_config(settings(80, REGRESSIONS))]

    #[test]
    fn bounds_of_the_paper_agree(case in averaging()) {
        assert_agreement(&case, &[Topic::PAPER_BOUNDS, Topic::FORMULAS, Topic::ALL_PAIRS]);
    }

    #[test]
    fn gaps_and_steps_agree(case in averaging()) {
        assert_agreement(&case, &[Topic::SPECTRUM]);
    }
}
