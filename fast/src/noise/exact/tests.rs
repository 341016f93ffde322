//! Enumeration of all decisions of the sampler with exact probabilities, and tests of samples.

use super::*;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rand::{SeedableRng, rngs::ChaCha12Rng};
use std::collections::BTreeMap;

/// Follows a path through the decision tree; after its end the decisions are arbitrary.
struct Path {
    /// Each decision so far: the branch taken and the number of branches.
    decided: Vec<(u128, u128)>,
    place: usize,
    mass: BigRational,
    smallest: f64,
    behind: ChaCha12Rng,
    given_up: bool,
}

fn ratio(above: u128, below: u128) -> BigRational {
    BigRational::new(BigInt::from(above), BigInt::from(below))
}

impl Path {
    /// Takes the next branch of the path, or the first one of a new decision; `mass_of` is the
    /// probability of a branch.
    fn decide(&mut self, branches: u128, mass_of: impl Fn(u128) -> BigRational) -> Option<u128> {
        if self.given_up {
            return None;
        }
        if self.place == self.decided.len() {
            self.decided.push((0, branches));
        }
        let (branch, _) = self.decided[self.place];
        self.place += 1;
        self.mass *= mass_of(branch);
        self.given_up = self.mass.to_f64().unwrap() < self.smallest;
        Some(branch)
    }
}

impl Chance for Path {
    fn below(&mut self, bound: u128) -> u128 {
        let random = Bits(&mut self.behind).below(bound);
        self.decide(bound, |_| ratio(1, bound)).unwrap_or(random)
    }

    fn bernoulli(&mut self, above: u128, below: u128) -> bool {
        let random = Bits(&mut self.behind).below(below) < above;
        if above == 0 || above == below {
            return above == below;
        }
        let mass = |branch| ratio(if branch == 1 { above } else { below - above }, below);
        self.decide(2, mass).map_or(random, |branch| branch == 1)
    }
}

/// Computes the exact probability of each outcome over all branches that are at least as likely as
/// `smallest`, and the probability of the pruned branches.
fn enumerate<Y: Ord>(
    smallest: f64,
    sampler: impl Fn(&mut Path) -> Y,
) -> (BTreeMap<Y, BigRational>, BigRational) {
    let (mut found, mut open) = (BTreeMap::new(), BigRational::zero());
    let mut decided = Vec::new();
    loop {
        let mut path = Path {
            decided,
            place: 0,
            mass: BigRational::one(),
            smallest,
            behind: ChaCha12Rng::seed_from_u64(0),
            given_up: false,
        };
        let outcome = sampler(&mut path);
        if path.given_up {
            open += &path.mass;
        } else {
            *found.entry(outcome).or_insert_with(BigRational::zero) += &path.mass;
        }
        // The next path: the last decision that has another branch takes it.
        decided = path.decided;
        while decided.last().is_some_and(|&(branch, all)| branch + 1 == all) {
            decided.pop();
        }
        match decided.last_mut() {
            None => break,
            Some((branch, _)) => *branch += 1,
        }
    }
    let total: BigRational = found.values().sum::<BigRational>() + &open;
    assert!(total.is_one(), "the branches do not add up: {total}");
    (found, open)
}

/// Asserts that `found` is at most the law, and at least the law less the pruned mass; 1e-12 is for
/// the law in floats.
fn assert_law<Y: Ord + std::fmt::Debug>(
    found: &BTreeMap<Y, BigRational>,
    open: &BigRational,
    most_open: f64,
    law: impl Fn(&Y) -> f64,
) {
    let open = open.to_f64().unwrap();
    println!("{} outcomes, {open:e} given up", found.len());
    assert!(open < most_open, "{open} given up");
    for (outcome, mass) in found {
        let (mass, exact) = (mass.to_f64().unwrap(), law(outcome));
        assert!(
            mass <= exact + 1e-12 && exact <= mass + open + 1e-12,
            "{outcome:?}: {mass} of {exact}, {open} given up"
        );
    }
}

#[test]
fn every_integer_below_a_bound_has_the_same_bits() {
    /// Returns one word, and fails on the second call.
    struct Once(Option<u64>);
    impl rand::TryRng for Once {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            unreachable!("whole words are drawn")
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.take().unwrap_or_default())
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("whole words are drawn")
        }
    }
    // Words that are not below the bound are drawn again: here, as zeros.
    for bound in 1..=40_u128 {
        let bits = 128 - (bound - 1).leading_zeros();
        let words = 1_u64 << bits;
        let mut counts = vec![0_u64; bound as usize];
        for word in 0..words {
            let word = if bits == 0 { 0 } else { word << (64 - bits) };
            counts[Bits(&mut Once(Some(word))).below(bound) as usize] += 1;
        }
        assert_eq!(counts[0], 1 + words - bound as u64);
        assert!(counts[1..].iter().all(|&count| count == 1), "{counts:?}");
    }
    let mut generator = ChaCha12Rng::seed_from_u64(1);
    let bound = (1 << 100) + 1;
    let drawn: Vec<u128> = (0..200).map(|_| Bits(&mut generator).below(bound)).collect();
    assert!(drawn.iter().all(|&word| word < bound));
    assert!(drawn.iter().any(|&word| word > bound / 2));
}

#[test]
fn bernoulli_of_an_exponential_has_its_probability() {
    for (whole, above, below) in [(0, 0, 1), (0, 1, 3), (0, 7, 8), (0, 1, 1), (1, 1, 2), (3, 2, 5)]
    {
        let (found, open) = enumerate(1e-10, |path| exponential(path, whole, above, below));
        let g = whole as f64 + above as f64 / below as f64;
        assert_law(&found, &open, 1e-8, |&kept| if kept { (-g).exp() } else { -(-g).exp_m1() });
    }
}

/// A trial gives y with probability `c e^{-|y|/t}`, `c = (1 - 1/e) / (2 t)`.
#[test]
fn the_laplace_law_is_exact() {
    for t in [1, 2, 3] {
        let (found, open) = enumerate(1e-8, |path| laplace_trial(path, t));
        let (scale, decay) = (t as f64, (-1.0 / t as f64).exp());
        let c = (1.0 - (-1_f64).exp()) / (2.0 * scale);
        assert_law(&found, &open, 1e-4, |outcome| match outcome {
            Some((_, size)) => c * decay.powi(*size as i32),
            None => 1.0 - c * (1.0 + 2.0 * decay / (1.0 - decay)),
        });
        assert!(found.len() > 8 && !found.contains_key(&Some((true, 0))));
    }
}

fn gaussian_weight(variance: f64, y: i128) -> f64 {
    (-((y * y) as f64) / (2.0 * variance)).exp()
}

fn gaussian_mass(variance: f64, y: i128) -> f64 {
    let total: f64 = (-200..=200).map(|y| gaussian_weight(variance, y)).sum();
    gaussian_weight(variance, y) / total
}

/// A trial gives y with probability `c e^{-y^2 / (2 sigma^2)}`, `c = (1 - 1/e) / (2 t) e^{-sigma^2 / (2 t^2)}`.
#[test]
fn the_gaussian_law_is_exact_and_symmetric() {
    for (variance, parameter) in [("1/4", 0.25), ("1", 1.0), ("3/2", 1.5), ("5", 5.0)] {
        let law = IntegerGaussian::try_new(variance.parse().unwrap()).unwrap();
        let (found, open) = enumerate(1e-7, |path| law.trial(path));
        let scale = law.scale as f64;
        let thinned = (-parameter / (2.0 * scale * scale)).exp();
        let c = (1.0 - (-1_f64).exp()) / (2.0 * scale) * thinned;
        let mass = |y: i128| c * gaussian_weight(parameter, y);
        assert_law(&found, &open, 5e-3, |outcome| match outcome {
            Some(y) => mass(*y),
            None => 1.0 - (-200..=200).map(mass).sum::<f64>(),
        });
        assert!(found.len() > 4);
        for (outcome, mass) in &found {
            assert_eq!(Some(mass), found.get(&outcome.map(|y| -y)), "{outcome:?}");
        }
    }
}

/// Chi-square of 200,000 draws in cells of at least 200 expected draws, against its quantile for a
/// false-alarm rate of 1e-6 by Wilson and Hilferty (z = 4.7534); the tails are one cell.
fn assert_chi_square(variance: &str, seed: u64) {
    let law = IntegerGaussian::try_new(variance.parse().unwrap()).unwrap();
    let parameter = law.above as f64 / law.below as f64;
    let mut generator = ChaCha12Rng::seed_from_u64(seed);
    let count = 200_000;
    let mut counts: BTreeMap<i128, f64> = BTreeMap::new();
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..count {
        let y = law.sample(&mut generator);
        *counts.entry(y).or_default() += 1.0;
        sum += y as f64;
        squares += (y * y) as f64;
    }
    let (mut statistic, mut cells, mut inside, mut expected_inside) = (0.0, 0.0, 0.0, 0.0);
    for y in -200..=200 {
        let expected = count as f64 * gaussian_mass(parameter, y);
        if expected >= 200.0 {
            let seen = counts.get(&y).copied().unwrap_or_default();
            statistic += (seen - expected).powi(2) / expected;
            cells += 1.0;
            inside += seen;
            expected_inside += expected;
        }
    }
    let (outside, expected) = (count as f64 - inside, count as f64 - expected_inside);
    if expected >= 5.0 {
        statistic += (outside - expected).powi(2) / expected;
        cells += 1.0;
    }
    let degrees: f64 = cells - 1.0;
    let spread = 2.0 / (9.0 * degrees);
    let quantile = degrees * (1.0 - spread + 4.7534 * spread.sqrt()).powi(3);
    println!("variance {variance}: chi-square {statistic} of {cells} cells, quantile {quantile}");
    assert!(statistic < quantile, "{statistic} is above {quantile}");
    let exact: f64 = (-200..=200).map(|y| (y * y) as f64 * gaussian_mass(parameter, y)).sum();
    // Five deviations of the sample mean and variance: false-alarm rate below 1e-6 each.
    let mean_error = (sum / count as f64).abs() / (exact / count as f64).sqrt();
    let variance_error = (squares / count as f64 / exact - 1.0).abs() / (2.0 / count as f64).sqrt();
    println!("mean {mean_error} and variance {variance_error} deviations off");
    assert!(mean_error < 5.0 && variance_error < 5.0 * (1.0 + 1.0 / exact).sqrt());
}

#[test]
fn samples_have_the_law_its_mean_its_variance_and_its_tails() {
    for (variance, seed) in [("1/4", 1), ("1", 2), ("7/2", 3), ("100", 4), ("1000/7", 5)] {
        assert_chi_square(variance, seed);
    }
}

/// At the largest scale one draw in a thousand lies beyond 3.2905 deviations: of 30,000 draws, 30
/// are expected, and 6 to 65 occur except for a false-alarm rate below 1e-6; so do 5.5 deviations
/// around the mean number of odd draws.
#[test]
fn the_largest_variance_has_normal_tails_and_exact_low_bits() {
    let limit = i128::from(VARIANCE_LIMIT);
    let mut generator = ChaCha12Rng::seed_from_u64(6);
    for variance in [
        Fraction::try_new(limit, 1).unwrap(),
        Fraction::try_new(limit, 3).unwrap(),
        Fraction::try_new(limit, limit - 1).unwrap(),
    ] {
        let law = IntegerGaussian::try_new(variance).unwrap();
        let sigma = (law.above as f64 / law.below as f64).sqrt();
        let draws: Vec<i128> = (0..30_000).map(|_| law.sample(&mut generator)).collect();
        if sigma > 1e6 {
            let beyond = |y: &&i128| (**y as f64).abs() > 3.2905 * sigma;
            let tails = draws.iter().filter(beyond).count();
            let odd = draws.iter().filter(|y| *y % 2 != 0).count();
            println!("{variance}: {tails} beyond 3.29 deviations, {odd} odd");
            assert!((6..=65).contains(&tails), "{tails} of 30 expected");
            assert!(odd.abs_diff(15_000) < 477, "{odd} odd draws");
        } else {
            assert!(draws.iter().any(|y| *y != 0) && draws.iter().all(|y| y.abs() < 12));
        }
    }
}

#[test]
fn squares_are_divided_like_big_integers() {
    let mut generator = ChaCha12Rng::seed_from_u64(7);
    let word = |generator: &mut ChaCha12Rng, bits: u32| Bits(generator).below(1 << bits);
    for bits in 1..=126 {
        let z = word(&mut generator, bits);
        let d = 1 + word(&mut generator, 1 + (bits * 7) % 124);
        let square = BigInt::from(z) * BigInt::from(z);
        let (whole, rest) = square_over(z, d);
        let exact: BigInt = &square / BigInt::from(d);
        assert_eq!(whole, exact.to_u128().unwrap_or(u128::MAX), "{z}^2 / {d}");
        assert_eq!(BigInt::from(rest), square % BigInt::from(d));
    }
    assert_eq!(square_over(0, 5), (0, 0));
    assert_eq!(square_over(1 << 126, 1), (u128::MAX, 0));
}

#[test]
fn variances_out_of_range_are_refused_and_deviations_round_up() {
    let limit = i128::from(VARIANCE_LIMIT);
    for (above, below) in [(0, 1), (-1, 2), (limit + 1, 1), (1, limit + 1)] {
        let refused = IntegerGaussian::try_new(Fraction::try_new(above, below).unwrap());
        assert!(matches!(refused, Err(FastError::BadParameter { .. })), "{above}/{below}");
    }
    let largest = (1_u64 << 30) as f64 - 2.0;
    for deviation in [1.0 / 1024.0, 0.1, 1.0, 3.3, 1e6 / 3.0, largest] {
        let law = IntegerGaussian::of_deviation(deviation).unwrap();
        let exact = |x: f64| BigRational::from_float(x).unwrap();
        let square = exact(deviation) * exact(deviation);
        let excess = ratio(law.above, law.below) / square;
        assert!(excess >= BigRational::one(), "{deviation}");
        assert!(excess.to_f64().unwrap() <= 1.0 + 2_f64.powi(-30), "{deviation}");
        assert_eq!(IntegerGaussian::try_new(law.variance()), Ok(law));
    }
    for deviation in [0.0, -1.0, 1e-4, 2_f64.powi(30), f64::NAN, f64::INFINITY] {
        assert!(IntegerGaussian::of_deviation(deviation).is_err(), "{deviation}");
    }
}
