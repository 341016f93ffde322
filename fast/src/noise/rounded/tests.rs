use super::*;
use crate::noise::simulated::tests::assert_normal;
use rand::{SeedableRng, rngs::ChaCha12Rng};

/// Each test accepts with probability at least 1 - 1e-6 if the sampler is right. Seeds are fixed.
const FALSE_ALARM: f64 = 1e-6;

fn generator(seed: u64) -> ChaCha12Rng {
    ChaCha12Rng::seed_from_u64(seed)
}

/// By Hoeffding's inequality the deviation from the probability exceeds this with probability at
/// most [`FALSE_ALARM`].
fn tolerance(trials: usize) -> f64 {
    ((2.0 / FALSE_ALARM).ln() / (2.0 * trials as f64)).sqrt()
}

fn assert_share(what: &str, trials: usize, probability: f64, mut trial: impl FnMut() -> bool) {
    let hits = (0..trials).filter(|_| trial()).count();
    let share = hits as f64 / trials as f64;
    let off = tolerance(trials);
    assert!(
        (share - probability).abs() < off,
        "{what}: {hits} of {trials}, expected {probability} within {off} (false-alarm rate {FALSE_ALARM})"
    );
}

fn normal_law(x: f64) -> f64 {
    libm::erfc(-x / 2_f64.sqrt()) / 2.0
}

#[test]
fn half_an_exponential() {
    let mut random = generator(1);
    assert_share("e^-1/2", 400_000, (-0.5_f64).exp(), || half_exponential(&mut random));
}

/// Algorithm B at fractions that are fixed by their first word.
#[test]
fn fractions_are_kept_with_their_probability() {
    let mut random = generator(2);
    for (k, x) in [(0_u64, 0.25), (0, 0.9), (1, 0.5), (2, 0.75), (5, 0.1)] {
        let word = (x * 2_f64.powi(64)) as u64;
        let kf = k as f64;
        let probability = (-x * (2.0 * kf + x) / (2.0 * kf + 2.0)).exp();
        assert_share(&format!("k = {k}, x = {x}"), 200_000, probability, || {
            let mut x = Fraction { first: Some(word), later: Vec::new() };
            keeps(k, &mut x, &mut random)
        });
    }
}

/// Chi-square test of every integer's frequency against the normal law, for coarse and fine grids,
/// by its normal approximation (Wilson and Hilferty), at 4.9 deviations.
#[test]
fn rounded_samples_follow_the_rounded_normal_law() {
    for (seed, steps) in [(3, 0.4), (4, 1.0), (5, 3.3), (6, 20.0)] {
        let scale = Scale::of(steps).unwrap();
        let mut random = generator(seed);
        let trials = 400_000;
        let reach = (4.0 * steps).ceil() as i128 + 1;
        let mut counts = vec![0_u64; 2 * reach as usize + 1];
        for _ in 0..trials {
            let sample = scale.sample(&mut random).clamp(-reach, reach);
            counts[(sample + reach) as usize] += 1;
        }
        let (mut statistic, mut freedom) = (0.0, -1.0);
        for (place, &count) in counts.iter().enumerate() {
            let y = (place as i128 - reach) as f64;
            let below = if place == 0 { 0.0 } else { normal_law((y - 0.5) / steps) };
            let above = if place + 1 == counts.len() { 1.0 } else { normal_law((y + 0.5) / steps) };
            let expected = (above - below) * f64::from(trials);
            if expected < 5.0 {
                continue;
            }
            statistic += (count as f64 - expected).powi(2) / expected;
            freedom += 1.0;
        }
        let spread = 2.0 / (9.0 * f64::max(freedom, 1.0));
        let z = ((statistic / f64::max(freedom, 1.0)).cbrt() - (1.0 - spread)) / spread.sqrt();
        assert!(
            z < 4.9,
            "deviation of {steps} steps: chi-square {statistic} with {freedom} degrees of freedom, {z} deviations (false-alarm rate {FALSE_ALARM})"
        );
    }
}

/// On a grid of 2^-30 deviations the rounding is invisible.
#[test]
fn fine_samples_are_normal() {
    let scale = Scale::of(2_f64.powi(30)).unwrap();
    let mut random = generator(7);
    let draws = (0..100_000).map(|_| scale.sample(&mut random) as f64 / 2_f64.powi(30));
    assert_normal(draws.collect(), 1.0);
}

/// Words in a given order, to steer comparisons.
struct Script(Vec<u64>);

impl rand::TryRng for Script {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.remove(0))
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        unreachable!("words are all that is asked for")
    }
}

/// With a deviation of one step the boundary of 1 + x is at 1/2: the first bit decides. With 3
/// steps that of `3 x` is at 1/6 = 0.0010101... in binary, and a first word that agrees with it is
/// decided by the next.
#[test]
fn boundaries_are_decided_exactly() {
    let nearest = |steps: f64, k: u128, words: &[u64]| {
        let mut script = Script(words.to_vec());
        let found = Scale::of(steps).unwrap().nearest(k, &mut Fraction::default(), &mut script);
        assert!(script.0.is_empty(), "all words are needed");
        found
    };
    let half = 1_u64 << 63;
    assert_eq!(nearest(1.0, 1, &[half - 1]), 1);
    assert_eq!(nearest(1.0, 1, &[half]), 2);
    assert_eq!(nearest(1.0, 0, &[u64::MAX]), 1);
    let sixth = u64::MAX / 6; // 0x2aaa...
    assert_eq!(nearest(3.0, 0, &[sixth - 1]), 0);
    assert_eq!(nearest(3.0, 0, &[sixth + 1]), 1);
    let third = u64::MAX / 3 * 2; // what follows is 2/3 = 0.aaaa...
    assert_eq!(nearest(3.0, 0, &[sixth, third - 1]), 0);
    assert_eq!(nearest(3.0, 0, &[sixth, third + 1]), 1);
    assert_eq!(nearest(3.0, 0, &[sixth, third, third, third + 1]), 1);
    // The largest integer part at the largest deviation.
    assert_eq!(nearest(2_f64.powi(40), LARGEST, &[0]), 63 << 40);
    assert_eq!(nearest(2_f64.powi(-10), 63, &[0]), 0);
}

#[test]
fn deviations_outside_the_grid_are_refused() {
    for steps in [0.0, 2_f64.powi(-11), 2_f64.powi(41), f64::NAN, f64::INFINITY, -1.0] {
        assert!(Scale::of(steps).is_err(), "{steps}");
    }
}
