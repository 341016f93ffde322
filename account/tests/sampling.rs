//! Secret sampling: one record among many.

use super::{network, protocol};
use muffliato_account::{Account, AccountError, Guarantee, Observers, Protect, Target, Unit};
use muffliato_fast::{MaskedBounds, SampledPrivacy};
use muffliato_model::{Graph, Observer, Protocol};

fn sampled(protocol: &Protocol, rate: &str) -> Protocol {
    protocol.clone().sampled(rate.parse().unwrap()).unwrap()
}

fn epsilon(guarantee: &Guarantee) -> f64 {
    guarantee.at(1.0, 1.0).unwrap().epsilon(1e-6).unwrap()
}

/// The masked bound of a round is amplified, and the unit is named.
#[test]
fn masked_rounds_are_amplified() {
    let plain = protocol("hypercube:3", "gd:10x2+masked:2", 1);
    let protocol = sampled(&plain, "1/20");
    let account = Account::of(&protocol).build().unwrap();
    let guarantee = account.guarantee(5, 0).unwrap();
    let each = MaskedBounds::of(&plain).unwrap().bound(&[5], &Observer::full(0)).unwrap();
    assert!((guarantee.upper() / each.upper() - 1.0).abs() < 1e-12);
    assert_eq!(guarantee.conditions().unit, Unit::RecordAddedOrRemoved);
    let text = guarantee.to_string();
    for words in ["one record of node 5", "added or removed", "1/20 in each of 10 rounds"] {
        assert!(text.contains(words), "{text}");
    }
    let curve = guarantee.at(1.0, 1.0).unwrap();
    assert_eq!((curve.mu(), curve.zcdp()), (None, None));
    assert!(curve.rdp(2.5).is_err());
    let rate = "1/20".parse().unwrap();
    let by_hand = SampledPrivacy::of_leakage(each.upper() / 10.0, 1.0, 1.0, rate, 10).unwrap();
    for alpha in [2, 5, 32] {
        let (found, expected) = (curve.rdp(alpha as f64).unwrap(), by_hand.rdp(alpha).unwrap());
        assert!((found / expected - 1.0).abs() < 1e-11, "{alpha}: {found} {expected}");
    }
    let unsampled = Account::of(&plain).build().unwrap().guarantee(5, 0).unwrap();
    assert!(epsilon(&guarantee) < 0.3 * epsilon(&unsampled));
    // Two runs are twenty rounds.
    let twice = guarantee.repeated(2).at(1.0, 1.0).unwrap();
    assert!((twice.rdp(2.0).unwrap() / curve.rdp(2.0).unwrap() - 2.0).abs() < 1e-11);
    // Pairs and summaries promise the same.
    let listed = Account::of(&protocol).observers(Observers::Listed(vec![0])).build().unwrap();
    let pairs = listed.pairs().unwrap();
    let pair = pairs[0].pairs.iter().find(|pair| pair.source() == 4).unwrap();
    assert_eq!(pair.guarantee().conditions().noise, guarantee.conditions().noise);
    assert_eq!(pair.loss.noise(), guarantee.conditions().noise);
}

/// Without masks a round is all states shown, whatever is assumed of the loss functions.
#[test]
fn without_masks_only_the_loss_of_all_states_is_amplified() {
    for protocol in [protocol("path:5", "gd:3x1", 1), protocol("path:5", "gd:3x2+refreshed:1/2", 1)]
    {
        let smaller = Account::of(&protocol).build().unwrap().guarantee(4, 0).unwrap().upper();
        assert!(smaller < 3.0);
        let protocol = sampled(&protocol, "1/2");
        let account = Account::of(&protocol).build().unwrap();
        assert_eq!(account.loss(4, 0).unwrap().upper(), 3.0);
        let guarantee = account.guarantee(4, 0).unwrap();
        assert_eq!(guarantee.upper(), 3.0);
        let each = SampledPrivacy::of_leakage(1.0, 1.0, 1.0, "1/2".parse().unwrap(), 3).unwrap();
        assert!((epsilon(&guarantee) / each.epsilon(1e-6).unwrap() - 1.0).abs() < 1e-9);
    }
}

/// The path 0-1-2, K = 1, three rounds, source 2, observer 0, q = 1/2, Delta = sigma: the view
/// loses more of order 2 than the rounds' own losses would, amplified one by one.
#[test]
fn the_losses_of_the_rounds_alone_are_too_small() {
    let w = [[2.0 / 3.0, 1.0 / 3.0, 0.0], [1.0 / 3.0; 3], [0.0, 1.0 / 3.0, 2.0 / 3.0]];
    // (W^k)_{1,j} for k = 0, 1, 2.
    let mut rows = vec![[0.0, 1.0, 0.0]];
    for k in 0..2 {
        let row: [f64; 3] = rows[k];
        rows.push(std::array::from_fn(|j| (0..3).map(|i| row[i] * w[i][j]).sum()));
    }
    let entry = |t: usize, s: usize, node: usize| if t >= s { rows[t - s][node] } else { 0.0 };
    // Whitens the messages of node 1: Gram-Schmidt over the draws of nodes 1 and 2.
    let message =
        |t: usize| -> Vec<f64> { (0..3).flat_map(|s| [entry(t, s, 1), entry(t, s, 2)]).collect() };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for t in 0..3 {
        let mut row = message(t);
        for unit in &basis {
            let along: f64 = row.iter().zip(unit).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(unit).for_each(|(a, b)| *a -= along * b);
        }
        let norm = row.iter().map(|a| a * a).sum::<f64>().sqrt();
        basis.push(row.into_iter().map(|a| a / norm).collect());
    }
    // The input of node 2 in round r is a shift of its draw there.
    let p = |r: usize, s: usize| -> f64 { basis.iter().map(|b| b[2 * r + 1] * b[2 * s + 1]).sum() };
    let coins: Vec<[bool; 3]> =
        (0..8).map(|k| std::array::from_fn(|r| (k >> r) & 1 == 1)).collect();
    let product = |one: &[bool; 3], other: &[bool; 3]| -> f64 {
        let pairs = (0..3).flat_map(|r| (0..3).map(move |s| (r, s)));
        pairs.filter(|&(r, s)| one[r] && other[s]).map(|(r, s)| p(r, s)).sum()
    };
    let mean: f64 = coins
        .iter()
        .flat_map(|one| coins.iter().map(move |other| (one, other)))
        .map(|(one, other)| product(one, other).exp() / 64.0)
        .sum();
    let exact = mean.ln();
    assert!((exact - 0.0916).abs() < 5e-5, "{exact}");
    let alone: f64 = (0..3).map(|r| (0.25 * p(r, r).exp_m1()).ln_1p()).sum();
    assert!((alone - 0.0603).abs() < 5e-5, "{alone}");

    let protocol = sampled(&protocol("path:3", "gd:3x1", 1), "1/2");
    let promised = Account::of(&protocol).build().unwrap().guarantee(2, 0).unwrap();
    assert!(promised.at(1.0, 1.0).unwrap().rdp(2.0).unwrap() >= exact);
}

/// An edge that ended leaves rounds that lose more than others: none is amplified as their mean.
#[test]
fn rounds_that_differ_are_amplified_as_the_worst() {
    let planned = sampled(&protocol("ring:6", "gd:20x1+masked:10", 1), "1/100");
    let protocol = planned.interrupted(&[((2, 3), 18)]).unwrap();
    let of = |plain: &Protocol| {
        let each = MaskedBounds::of(plain).unwrap().bound(&[2], &Observer::full(1)).unwrap();
        let rate = "1/100".parse().unwrap();
        SampledPrivacy::of_leakage(each.upper(), 1.0, 0.25, rate, 1).unwrap()
    };
    let whole = super::protocol("ring:6", "gd:1x1+masked:10", 1);
    let left = Graph::try_new(6, [(0, 1), (0, 5), (1, 2), (3, 4), (4, 5)]).unwrap();
    let ended = whole.clone().masked_on(left, "10".parse().unwrap()).unwrap();
    let (before, after) = (of(&whole), of(&ended));
    assert!(after.mu() > 2.0 * before.mu());
    let listed = Account::of(&protocol).observers(Observers::Listed(vec![1])).build().unwrap();
    let all = Account::of(&protocol).observers(Observers::All).build().unwrap();
    let of_pair = |account: &Account<'_>, place: usize| {
        let towards = &account.pairs().unwrap()[place];
        towards.pairs.iter().find(|pair| pair.source() == 2).unwrap().guarantee()
    };
    for guarantee in [listed.guarantee(2, 1).unwrap(), of_pair(&listed, 0), of_pair(&all, 1)] {
        let curve = guarantee.at(0.25, 1.0).unwrap();
        for alpha in [2, 3, 8, 40] {
            let rounds = 18.0 * before.rdp(alpha).unwrap() + 2.0 * after.rdp(alpha).unwrap();
            assert!(curve.rdp(alpha as f64).unwrap() >= rounds, "{alpha}");
        }
        // The last round alone.
        assert!(curve.epsilon(1e-6).unwrap() >= after.epsilon(1e-6).unwrap());
    }
}

#[test]
fn what_sampling_does_not_cover_is_refused() {
    let plain = protocol("ring:5", "gd:4x1+masked:1", 1);
    let protocol = sampled(&plain, "1/10");
    let account = || Account::of(&protocol).build().unwrap();
    for refused in [
        account().settings().group([1, 2]).build().err(),
        account().loss_towards(&[1, 2], &Observer::full(0)).err(),
        account().guarantee_towards(&[1, 2], &Observer::full(0)).err(),
    ] {
        assert!(matches!(refused, Some(AccountError::SampledGroup { members: 2 })), "{refused:?}");
    }
    let mean = Target { protect: Protect::Mean, ..Target::new(1.0, 1e-6) };
    assert!(matches!(account().calibrate(&mean, 1.0), Err(AccountError::SampledMean)));
    let one = Account::of(&protocol).observers(Observers::Listed(vec![0])).sources([2]);
    let one = one.build().unwrap();
    assert!(matches!(one.attack_certificate(), Err(AccountError::BadParameter { .. })));
    let bare = sampled(&super::protocol("ring:5", "gd:4x1", 1), "1/10");
    let discrete =
        Account::of(&bare).noise("discrete:2^-10".parse().unwrap(), 1.0, 1).build().unwrap();
    let loss = discrete.guarantee(2, 0).unwrap();
    assert!(matches!(loss.at(1.0, 1.0), Err(AccountError::BadParameter { .. })));
    let ring = network("ring:5");
    let changing = Protocol::gradient_descent_on(vec![ring; 2], 1).unwrap();
    assert!(changing.sampled("1/2".parse().unwrap()).is_err());
}

/// A certificate proves the loss of all rounds without sampling; each loses the same.
#[test]
fn certificates_and_calibration_are_about_what_is_amplified() {
    let plain = protocol("ring:5", "gd:4x1+masked:1", 1);
    for plain in [plain.clone().without_masks(), plain] {
        let protocol = sampled(&plain, "1/10");
        let account = Account::of(&protocol).observers(Observers::Listed(vec![0])).build().unwrap();
        let upper = account.guarantee(2, 0).unwrap().upper();
        let certificate = account.settings().sources([2]).build().unwrap().certificate().unwrap();
        assert_eq!(certificate.check(), Ok(()));
        assert_eq!(certificate.protocol, plain);
        let muffliato_certificate::Claim::AtMost(claim) = certificate.claim else { panic!() };
        let claim = muffliato_account::Number::from(claim);
        assert!(claim.upper() >= upper * (1.0 - 1e-9) && claim.upper() <= upper * (1.0 + 1e-6));
    }
    let protocol = sampled(&protocol("ring:5", "gd:4x1+masked:1", 1), "1/10");
    let account = Account::of(&protocol).observers(Observers::All).build().unwrap();
    let found = account.calibrate(&Target::new(1.0, 1e-6), 1.0).unwrap();
    let promised = found.largest.clone().promised().unwrap();
    assert!(promised.at(found.sigma().unwrap(), 1.0).unwrap().delta(1.0).unwrap() <= 1e-6);
    let unsampled = protocol.clone().without_sampling();
    let more =
        Account::of(&unsampled).build().unwrap().calibrate(&Target::new(1.0, 1e-6), 1.0).unwrap();
    assert!(found.sigma().unwrap() < 0.5 * more.sigma().unwrap());
}

/// Noise that is rounded to a grid loses the same, with the corrections of the grid in each round.
#[test]
fn rounded_noise_is_amplified_too() {
    let plain = protocol("hypercube:3", "gd:5x1+masked:2", 1);
    let protocol = sampled(&plain, "1/20");
    let ideal = epsilon(&Account::of(&protocol).build().unwrap().guarantee(5, 0).unwrap());
    let rounded = "rounded:2^-20".parse().unwrap();
    let account = Account::of(&protocol).noise(rounded, 1.0, 1).build().unwrap();
    let shipped = epsilon(&account.guarantee(5, 0).unwrap());
    assert!(shipped > ideal && shipped < 1.001 * ideal, "{ideal} {shipped}");
}
