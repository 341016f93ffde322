//! `PAPER.md`: the code, test and proof for each statement of the paper.
//!
//! `UPDATE=1 cargo test -p muffliato-conformance --test paper` rewrites the page. The test fails if
//! the page is out of date or names a function, test, claim or theorem that does not exist.

use muffliato_conformance::claims::CLAIMS;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A row of the page. An empty cell means that there is nothing of the kind.
struct Row {
    /// Place in the paper.
    place: &'static str,
    formula: &'static str,
    /// A function of `muffliato-reference`.
    reference: &'static str,
    /// A function of `muffliato-fast`.
    fast: &'static str,
    /// Name of a claim in the ledger.
    claim: &'static str,
    test: &'static str,
    /// A theorem in `proofs/theorems`.
    theorem: &'static str,
}

/// Builds the rows from a table whose columns are those of [`Row`].
const fn row([place, formula, reference, fast, claim, test, theorem]: [&'static str; 7]) -> Row {
    Row {
        place,
        formula,
        reference,
        fast,
        claim,
        test,
        theorem,
    }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(["Definition 1 (gossip matrix)", "symmetric, stochastic, on the edges", "of_scheme", "of_scheme", "table-1-weights", "the_weights_of_table_1_have_no_gap_on_a_square", "metropolis_is_a_gossip_matrix"]),
    row(["Definition 2 (Chebyshev)", "P_{t+1} = g X P_t + (1-g) P_{t-1}", "chebyshev_coefficients", "acceleration", "chebyshev-lemma", "the_chebyshev_lemma_fails_at_gap_one", ""]),
    row(["Section 2.2, Renyi to (eps, delta)", "eps + ln(1/delta)/(alpha-1)", "mironov_epsilon", "mironov_epsilon", "renyi-to-dp", "leakage_becomes_a_guarantee", ""]),
    row(["Section 2.2, LDP and central", "alpha Delta^2 / (2 n eps), / (2 n^2 eps)", "local_error", "local_error", "local-central-gap", "", ""]),
    row(["Section 2.3 (pairwise network DP)", "the exact loss: ||Pi e_u||^2", "leakage", "losses", "loss-below-ldp", "leakage_agrees_with_gram_schmidt_on_the_powers_of_w", "leakage_is_at_most_one"]),
    row(["Theorem 1, pairwise", "f(u,v) = sum (W_{0:t})_{w,u}^2 / ||(W_{0:t})_w||^2", "pairwise", "pairwise", "theorem-1", "theorem_1_fails_on_three_nodes", "theorem_1_fails_on_a_path_of_three"]),
    row(["Theorem 1, mean loss", "sum over u of f(u,v) = T_v", "mean_loss", "mean_loss", "mean-loss-identity", "the_bounds_of_all_sources_sum_to_the_number_of_messages", "mean_loss_identity"]),
    row(["Equation (7), of the true loss", "sum of leakages = rank - 1 <= T_v", "leakages", "losses", "average-loss", "leakages_sum_to_the_rank_less_one", "losses_sum_to_at_most_the_messages"]),
    row(["Abstract: privacy grows with distance", "", "leakages", "losses", "distance", "more_distance_is_not_more_privacy", "more_distance_is_not_more_privacy"]),
    row(["Theorem 2 (utility, synchronous)", "3 sigma^2 / n after T_stop", "steps_to_converge", "steps_to_converge", "synchronous-floor", "t_stop_reaches_three_times_the_noise_over_n_on_every_family", ""]),
    row(["Section 3.2: acceleration is free", "same row space", "leakages", "losses", "acceleration-in-averaging", "accelerated_averaging_leaks_what_plain_averaging_leaks", "acceleration_leaks_the_same"]),
    row(["Corollary 1", "n max W_vw^-2 sum_t (W^t)_{u,v}^2", "random_walk_bound", "random_walk", "corollary-1", "corollary_1_fails_where_theorem_1_does", "corollary_1_fails_on_a_path_of_three"]),
    row(["Appendix C.2", "Corollary 1 >= Theorem 1", "random_walk_bound", "random_walk_all", "corollary-1-above-theorem-1", "corollary_1_is_above_theorem_1", "corollary_1_is_above_theorem_1"]),
    row(["Theorem 3 (utility, randomized)", "2 sigma^2 / n after T_stop", "randomized_utility", "randomized_gap", "randomized-floor", "t_stop_of_randomized_gossip_at_half_the_gap_reaches_twice_the_noise_over_n", ""]),
    row(["Theorem 4 (Erdos-Renyi)", "2 T d_v / (n - d_v)", "erdos_renyi_bound", "erdos_renyi_bound", "erdos-renyi", "erdos_renyi_bound_of_an_observer_and_of_a_coalition", ""]),
    row(["Theorem 5 (utility, descent)", "K = ceil(ln max(n, zeta^2/(D sigma^2 + rho^2)) / sqrt(lambda))", "gossip_steps_per_round", "gossip_steps_per_round", "", "gradient_descent_converges_at_the_rate_of_the_condition_number", ""]),
    row(["Theorem 6 (descent, main text)", "T^2 sum_k sum_w (W^k)_{w,u}^2 / ||(W^k)_w||^2", "gd_bound_simple", "gd_simple_all", "gd-main-text", "the_main_text_bound_for_gradient_descent_fails", ""]),
    row(["Theorem 7 (utility, appendix)", "(var + D sigma^2) e^{-T sqrt(lambda)} + D sigma^2/n", "synchronous_utility", "", "synchronous-utility", "two_ways_to_the_error_of_the_accelerated_protocol", ""]),
    row(["Theorem 8 (utility, randomized)", "the same with lambda(p)", "randomized_utility", "randomized_gap", "randomized-utility", "randomized_utility_fails_with_the_printed_gap_and_holds_with_half_of_it", ""]),
    row(["Corollary 2 (randomized privacy)", "f over the active edges", "pairwise", "pairwise", "randomized-privacy", "", ""]),
    row(["Theorem 11 (descent, appendix)", "rows of W_j^k prod W_i^{K-1}", "gd_bound_general", "gd_general_all", "gd-appendix", "the_appendix_bound_for_gradient_descent_fails_with_either_exponent", ""]),
    row(["Theorem 12 (coalitions)", "sum over the distinct neighbours of V", "pairwise_all", "pairwise_all", "coalition-bound", "the_coalition_bound_fails_like_theorem_1", ""]),
    row(["Proposition 1 (coalitions under changing graphs)", "2 sum_t (beta_t + ...)", "time_varying_coalition_gd", "time_varying_coalition_gd", "time-varying-collusion", "colluders_under_time_varying_graphs", ""]),
    row(["Theorem 13 (groups)", "numerator: sum over the group", "group", "group", "group-bound", "the_group_bound_fails_for_a_single_message", "group_bound_fails_for_one_message"]),
    row(["Ours: fresh noise", "first passages, tau^-2 sum f_{t,w}^2", "first_passage_bound", "first_passage_all", "", "refreshed_leakage_is_below_its_closed_forms", "first_passage_bound"]),
    row(["Ours: masks", "((I + kappa^2 L_{H-V})^-1)_uu", "masked_bound", "bound", "masks", "", "masked_bound"]),
    row(["Ours: absorption", "sum z_w(t)^2 / s_t^2", "", "", "absorption", "", "absorption_bound"]),
];

/// Returns the text of all files below `folder` with this extension.
fn text_below(folder: &str, ending: &str) -> String {
    let mut text = String::new();
    let mut open = vec![PathBuf::from(ROOT).join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("target") {
            open.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|found| found == ending) {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

/// Asserts that `text` defines `name` by one of the keywords.
fn assert_defined(text: &str, keywords: &[&str], name: &str, place: &str) {
    let defined = |keyword: &&str| {
        text.match_indices(&format!("{keyword} {name}"))
            .any(|(at, found)| {
                let next = text[at + found.len()..].chars().next();
                !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
            })
    };
    let known = name.is_empty() || keywords.iter().any(defined);
    assert!(known, "{place}: there is no {name} by {keywords:?}");
}

fn page() -> String {
    let mut page = String::from(
        "# From the paper to the code\n\n\
         Each statement of the paper with its formula, the function of each engine that computes it, its entry in the\n\
         [ledger](conformance/CLAIMS.md) (which has the verdict), a test and a theorem in `proofs/theorems`. Written by\n\
         `UPDATE=1 cargo test -p muffliato-conformance --test paper`; the same test checks that every name exists.\n\n\
         | statement | formula, in units of L | reference | fast | ledger | test | Coq |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let code = |text: &str| {
        if text.is_empty() {
            String::new()
        } else {
            format!("`{text}`")
        }
    };
    for row in ROWS {
        let claim = match row.claim {
            "" => String::new(),
            id => format!("[{id}](conformance/CLAIMS.md#{id})"),
        };
        let formula = code(&row.formula.replace('|', "\\|"));
        let [reference, fast, test, theorem] =
            [row.reference, row.fast, row.test, row.theorem].map(code);
        writeln!(
            page,
            "| {} | {formula} | {reference} | {fast} | {claim} | {test} | {theorem} |",
            row.place
        )
        .unwrap();
    }
    page
}

#[test]
fn every_statement_leads_to_code_that_exists() {
    let [reference, fast] = ["reference/src", "fast/src"].map(|folder| text_below(folder, "rs"));
    let tests = ["reference", "fast", "conformance", "account"]
        .map(|folder| text_below(folder, "rs"))
        .concat();
    let theorems = text_below("proofs/theorems", "v");
    for row in ROWS {
        assert_defined(&reference, &["fn"], row.reference, row.place);
        assert_defined(&fast, &["fn"], row.fast, row.place);
        assert_defined(&tests, &["fn"], row.test, row.place);
        assert_defined(&theorems, &["Theorem"], row.theorem, row.place);
        let listed = row.claim.is_empty() || CLAIMS.iter().any(|claim| claim.id == row.claim);
        assert!(listed, "{}: the ledger has no {}", row.place, row.claim);
    }
    let path = Path::new(ROOT).join("PAPER.md");
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(path, page()).unwrap();
    }
    let written = fs::read_to_string(path).unwrap();
    assert!(
        written == page(),
        "PAPER.md is out of date; run UPDATE=1 cargo test -p muffliato-conformance --test paper"
    );
}
