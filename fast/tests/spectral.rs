//! The spectral gap against closed forms, and at its limits.

use crate::fixtures::{exactly, graph};
use muffliato_fast::{
    FastError, GapOptions, Rate, SparseWeights, SpectralGap, SpectrumEnd, acceleration,
    acceleration_fraction, gossip_intensities, gossip_steps_per_round, randomized_gap,
    spectral_gap, steps_to_converge,
};
use muffliato_model::{CustomWeights, Graph, Network, WeightScheme, threads};
use num_rational::BigRational;
use std::f64::consts::PI;

fn network(spec: &str, scheme: &str) -> Network {
    Network::try_new(graph(spec), scheme.parse().unwrap()).unwrap()
}

fn gap_with(spec: &str, scheme: &str, options: &GapOptions) -> Result<SpectralGap, FastError> {
    let weights = SparseWeights::of_network(&network(spec, scheme)).unwrap();
    spectral_gap(&weights, options, &())
}

fn gap(spec: &str, scheme: &str) -> SpectralGap {
    gap_with(spec, scheme, &GapOptions::default()).unwrap()
}

/// Options without the proof of the lower end.
fn unproved() -> GapOptions {
    GapOptions { prove_up_to: 0, ..GapOptions::default() }
}

#[test]
fn the_lower_end_allows_for_the_rounding_of_the_weights() {
    // Two nodes that keep a tenth have the gap 1/5, and as a float a tenth is too large.
    let pair = Graph::try_new(2, [(0, 1)]).unwrap();
    let entries = [(0, 0, 1), (0, 1, 9), (1, 0, 9), (1, 1, 1)];
    let tenth = CustomWeights::try_new(&pair, 10, entries).unwrap();
    let network = Network::try_new(pair, WeightScheme::Custom(tenth)).unwrap();
    let weights = SparseWeights::of_network(&network).unwrap();
    for options in [unproved(), GapOptions::default()] {
        let certified = spectral_gap(&weights, &options, &()).unwrap().certified;
        let exact = BigRational::new(1.into(), 5.into());
        assert!(exactly(certified.lower()) <= exact && exact <= exactly(certified.upper()));
    }
}

/// Metropolis weights of a d-regular graph are `(I + A) / (d + 1)`.
#[test]
fn closed_forms() {
    let cos = |fraction: f64| (PI * fraction).cos();
    let cases = [
        ("complete:2", "metropolis", 1.0),
        ("complete:17", "metropolis", 1.0),
        // All other eigenvalues are -1/(n-1).
        ("complete:17", "max-degree-inverse", 15.0 / 16.0),
        ("path:2", "metropolis", 1.0),
        // Paths: (1 + 2 cos(pi k/n)) / 3.
        ("path:3", "metropolis", 1.0 / 3.0),
        ("path:30", "metropolis", 2.0 / 3.0 * (1.0 - cos(1.0 / 30.0))),
        ("path:300", "metropolis", 2.0 / 3.0 * (1.0 - cos(1.0 / 300.0))),
        ("ring:40", "metropolis", 2.0 / 3.0 * (1.0 - cos(2.0 / 40.0))),
        // Odd ring, zero diagonal: the smallest eigenvalue -cos(pi/n) counts.
        ("ring:41", "max-degree-inverse", 1.0 - cos(1.0 / 41.0)),
        ("ring:40", "lazy:max-degree-inverse", 0.5 * (1.0 - cos(2.0 / 40.0))),
        // Hypercubes: (1 + m - 2k) / (m + 1); the smallest is -(m-1)/(m+1), as far from 1 as the second.
        ("hypercube:3", "metropolis", 0.5),
        ("hypercube:7", "metropolis", 0.25),
        ("hypercube:9", "metropolis", 0.2),
        ("torus:12x9", "metropolis", 0.4 * (1.0 - cos(2.0 / 12.0))),
        ("torus:7x5x6", "metropolis", 2.0 / 7.0 * (1.0 - cos(2.0 / 7.0))),
        // Star: 1/n off the diagonal; leaves orthogonal to 1 and to the centre keep 1 - 1/n.
        ("star:50", "metropolis", 1.0 / 50.0),
    ];
    for (spec, scheme, expected) in cases {
        let gap = gap(spec, scheme);
        // The closed forms are floats themselves, off by a few units of 1.
        let close = (gap.estimate - expected).abs() <= 1e-9 * expected;
        assert!(close, "{spec} {scheme}: {gap:?} {expected}");
        assert!(gap.certified.lower() <= expected * (1.0 + 1e-9) + 1e-15, "{spec}: {gap:?}");
        assert!(gap.certified.upper() >= expected * (1.0 - 1e-9) - 1e-15, "{spec}: {gap:?}");
        assert!(gap.is_certified(1e-4), "{spec} {scheme}: {gap:?}");
    }
    assert_eq!(gap("ring:41", "max-degree-inverse").end, SpectrumEnd::Bottom);
    assert_eq!(gap("ring:41", "metropolis").end, SpectrumEnd::Top);
}

#[test]
fn a_missing_gap_is_explained_with_a_remedy() {
    let error = |spec, scheme| gap_with(spec, scheme, &unproved()).unwrap_err().to_string();
    let periodic = error("ring:8", "max-degree-inverse");
    assert!(periodic.contains("bipartite") && periodic.contains("Metropolis"), "{periodic}");
    assert!(error("hypercube:5", "max-degree-inverse").contains("bipartite"));
    assert!(error("grid:1x2", "max-degree-inverse").contains("bipartite"));
    let apart = error("erdos-renyi:30:q=0.01:seed=1", "metropolis");
    assert!(apart.contains("not connected") && apart.contains("giant component"), "{apart}");
    // An edge of weight 0 does not connect.
    let path = Graph::try_new(3, [(0, 1), (1, 2)]).unwrap();
    let entries = [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 2, 2)];
    let custom = CustomWeights::try_new(&path, 2, entries).unwrap();
    let network = Network::try_new(path, WeightScheme::Custom(custom)).unwrap();
    let weights = SparseWeights::of_network(&network).unwrap();
    let found = spectral_gap(&weights, &GapOptions::default(), &());
    assert!(matches!(found, Err(FastError::NoGap { .. })));
    assert!(matches!(
        gap_with("path:1", "metropolis", &unproved()),
        Err(FastError::BadParameter { parameter: "the number of nodes", .. })
    ));
}

/// Without the proof the lower end is crude but positive, and the upper end is still sharp.
#[test]
fn large_graphs_get_an_estimate_and_a_sharp_upper_end() {
    for (spec, expected) in [
        ("torus:100x100", 0.4 * (1.0 - (PI / 50.0).cos())),
        ("torus:400x50", 0.4 * (1.0 - (PI / 200.0).cos())),
        ("hypercube:14", 2.0 / 15.0),
    ] {
        let gap = gap(spec, "metropolis");
        assert!((gap.estimate / expected - 1.0).abs() < 1e-9, "{spec}: {gap:?} {expected}");
        let excess = gap.certified.upper() / expected - 1.0;
        assert!((-1e-12..1e-9).contains(&excess), "{spec}: {gap:?} {expected}");
        assert!(gap.certified.lower() > 0.0 && gap.certified.lower() < expected);
    }
}

/// The bulk of a random regular graph ends at `(1 + 2 sqrt(d-1)) / (d+1)`, a dense edge that takes
/// so many iterations that the eigenvalue 1 of the constant vector would come back by rounding,
/// were it not removed.
#[test]
fn the_constant_vector_stays_away() {
    for seed in 1..4 {
        let gap = gap(&format!("regular:4000:d=8:seed={seed}"), "metropolis");
        let bulk = 1.0 - (1.0 + 2.0 * 7.0_f64.sqrt()) / 9.0;
        assert!((gap.estimate - bulk).abs() < 0.02, "{gap:?} {bulk}");
        assert!(gap.iterations > 60, "{gap:?}");
    }
}

#[test]
fn an_iteration_that_ends_early_is_reported() {
    let options = GapOptions { max_iterations: 20, ..unproved() };
    match gap_with("torus:60x60", "metropolis", &options) {
        Err(FastError::NotConverged { iterations, estimate, .. }) => {
            assert_eq!(iterations, 20);
            assert!(estimate > 0.4 * (1.0 - (PI / 30.0).cos()));
        }
        other => panic!("{other:?}"),
    }
    let weights = SparseWeights::of_network(&network("torus:60x60", "metropolis")).unwrap();
    let stop = |done: usize, _: usize| done < 5;
    assert_eq!(spectral_gap(&weights, &unproved(), &stop), Err(FastError::Cancelled));
}

/// Without diagonals only a proof bounds the distance of the spectrum from -1.
#[test]
fn connectivity_alone_says_nothing_of_the_bottom() {
    let found = gap_with("ring:9", "max-degree-inverse", &unproved()).unwrap();
    assert_eq!(found.certified.lower(), 0.0);
    let proved = gap("ring:9", "max-degree-inverse").certified;
    assert!(proved.lower() > 0.06 && proved.contains(1.0 - (PI / 9.0).cos()));
}

#[test]
fn progress_does_not_exceed_its_total() {
    let reports = std::sync::Mutex::new(Vec::new());
    let watch = |done: usize, total: usize| {
        reports.lock().unwrap().push((done, total));
        true
    };
    let weights = SparseWeights::of_network(&network("regular:2000:d=3:seed=1", "metropolis"));
    spectral_gap(&weights.unwrap(), &GapOptions::default(), &watch).unwrap();
    let reports = reports.into_inner().unwrap();
    assert!(reports.len() > 20 && reports.iter().all(|(done, total)| done <= total));
}

#[test]
fn invalid_options_are_refused() {
    let gap = |options| gap_with("ring:5", "metropolis", &options);
    for tolerance in [0.0, -1.0, 1.0, f64::NAN] {
        let found = gap(GapOptions { tolerance, ..unproved() });
        assert!(matches!(found, Err(FastError::BadParameter { parameter: "the tolerance", .. })));
    }
    assert!(gap(GapOptions { max_iterations: 0, ..unproved() }).is_err());
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    // More than eight blocks of the summation and enough entries for a parallel product.
    let weights = SparseWeights::of_network(&network("hypercube:16", "metropolis")).unwrap();
    let gap = || spectral_gap(&weights, &unproved(), &()).unwrap();
    let on = |count| threads::on(count, gap).unwrap();
    let alone = on(1);
    assert!((alone.estimate / (2.0 / 17.0) - 1.0).abs() < 1e-9, "{alone:?}");
    for threads in [2, 3, 5] {
        assert_eq!(on(threads), alone);
    }
}

/// Intensities 2 W_uv / n of a ring: (2/n) (1 - lambda_2).
#[test]
fn intensities_of_a_matrix_scale_its_gap() {
    let weights = SparseWeights::of_network(&network("ring:30", "metropolis")).unwrap();
    let intensities = gossip_intensities(&weights);
    let found =
        randomized_gap(&graph("ring:30"), &intensities, &GapOptions::default(), &()).unwrap();
    let expected = 2.0 / 30.0 * 2.0 / 3.0 * (1.0 - (PI / 15.0).cos());
    assert!((found.estimate / expected - 1.0).abs() < 1e-10, "{found:?} {expected}");
}

#[test]
fn intensities_are_checked() {
    let ring = graph("ring:4");
    let ask = |intensities: &[f64]| randomized_gap(&ring, intensities, &GapOptions::default(), &());
    assert!(ask(&[0.25; 4]).is_ok());
    assert!(matches!(ask(&[0.25; 3]), Err(FastError::WrongLength { given: 3, expected: 4, .. })));
    assert!(matches!(ask(&[0.5; 4]), Err(FastError::BadParameter { .. })));
    assert!(matches!(ask(&[0.25, -0.1, 0.25, 0.25]), Err(FastError::BadParameter { .. })));
    assert!(matches!(ask(&[0.25, f64::NAN, 0.25, 0.25]), Err(FastError::NotFinite { .. })));
    assert!(matches!(ask(&[0.5, 0.0, 0.5, 0.0]), Err(FastError::NoGap { .. })));
    // Neither a bipartite graph nor a missing edge of a ring is an obstacle to randomized gossip.
    assert!(ask(&[0.5, 0.25, 0.25, 0.0]).is_ok());
}

#[test]
fn bad_parameters_of_steps_are_named() {
    let name = |result: Result<usize, FastError>| match result {
        Err(FastError::BadParameter { parameter, .. }) => parameter,
        other => panic!("{other:?}"),
    };
    let steps = |gap, nodes, variance, sigma| {
        name(steps_to_converge(Rate::Accelerated, gap, nodes, variance, sigma))
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(steps(0.1, 5, 1.0, bad), "sigma");
        assert_eq!(steps(bad, 5, 1.0, 1.0), "the gap");
        assert!(acceleration(bad).is_err() && acceleration_fraction(bad).is_err());
        assert_eq!(name(gossip_steps_per_round(bad, 5, 1.0)), "the gap");
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(steps(0.1, 5, bad, 1.0), "the variance");
        assert_eq!(name(gossip_steps_per_round(0.1, 5, bad)), "the heterogeneity");
    }
    assert_eq!(steps(0.1, 0, 1.0, 1.0), "the number of nodes");
    assert_eq!(steps(1e-300, 5, 1.0, 1e-300), "the gap");
}
