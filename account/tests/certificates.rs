//! Certificates agree with the account.

use super::protocol;
use muffliato_account::{Account, AccountError, Observers};
use muffliato_certificate::{Certificate, Claim, Law, Proof};
use muffliato_fast::{AbsorptionBounds, MaskedBounds};
use muffliato_model::{Lipschitz, Observer, Protocol};
use muffliato_reference::BigRational;

fn about(protocol: &Protocol, source: usize, observer: usize) -> Account<'_> {
    let account = Account::of(protocol).observers(Observers::Listed(vec![observer]));
    account.sources([source]).build().unwrap()
}

fn claimed(certificate: &Certificate) -> f64 {
    let Claim::AtMost(claim) = &certificate.claim else { panic!("a claim at most") };
    // Decimals of 15 places, and fractions.
    let scale = BigRational::from_integer(10_i64.pow(15).into());
    let scaled = (claim * scale).ceil().to_integer();
    scaled.to_string().parse::<f64>().unwrap() / 1e15
}

/// On a grid, a claim is at most the account's loss, up to roundings, and at least the exact one.
#[test]
fn claims_on_a_grid_agree_with_the_account() {
    let cases = [
        ("karate", "masked:3", 4, 33, 3),
        ("karate", "masked:3", 4, 0, 3),
        ("karate", "gd:5x1+masked:3", 5, 33, 3),
        ("hypercube:5", "gd:4x1:every=2+masked:1", 4, 1, 0),
        ("hypercube:5", "refreshed:0.5", 5, 3, 0),
        ("hypercube:5", "refreshed:0.5", 5, 1, 0),
        ("hypercube:5", "refreshed:0.5", 2, 31, 0),
        ("karate", "refreshed:0.1+masked:3", 6, 33, 3),
        ("karate", "one-shot", 4, 33, 3),
        ("path:6", "one-shot", 3, 5, 0),
        ("karate", "gd:6x1", 6, 33, 3),
    ];
    for (graph, plan, steps, source, observer) in cases {
        let protocol = protocol(graph, plan, steps);
        let exact = about(&protocol, source, observer);
        let exact = exact.loss(source, observer).unwrap().lower();
        for (law, coordinates) in [("rounded:2^-24", 1), ("rounded:2^-10", 3), ("rounded:2^-2", 2)]
        {
            let case = format!("{graph} {plan}, {source} to {observer}, {law}, {coordinates}");
            let account = about(&protocol, source, observer).settings();
            let account = account.noise(law.parse().unwrap(), 1.0, coordinates).build().unwrap();
            let said = account.loss(source, observer).unwrap().upper();
            let certificate = account.certificate().unwrap();
            assert!(matches!(certificate.noise, Law::Rounded(_)), "{case}");
            let found = claimed(&certificate);
            assert!(found <= said * (1.0 + 1e-9), "{case}: {found} above {said}");
            assert!(found >= exact, "{case}: {found} below {exact}");
            // Draws that take nothing are not counted on file: on a fine grid nobody notices.
            assert!(
                law != "rounded:2^-24" || found >= said * (1.0 - 1e-5),
                "{case}: {found} {said}"
            );
            // Without the grid the same proof proves no less.
            let ideal = Certificate { noise: Law::Gaussian, ..certificate };
            assert_eq!(ideal.check(), Ok(()), "{case}");
        }
    }
    let protocol = protocol("karate", "masked:3", 4);
    let account = || about(&protocol, 33, 3).settings();
    let discrete = account().noise("discrete:2^-20".parse().unwrap(), 1.0, 1).build().unwrap();
    let refused = discrete.certificate();
    assert!(matches!(refused, Err(AccountError::BadParameter { .. })), "{refused:?}");
    let rounded = account().noise("rounded:2^-20".parse().unwrap(), 1.0, 1).build().unwrap();
    let refused = rounded.attack_certificate();
    assert!(matches!(refused, Err(AccountError::BadParameter { .. })), "{refused:?}");
}

/// With masks, fractions and flows together prove less than each: that is on file, and it is what
/// is promised.
#[test]
fn fractions_and_flows_are_combined_if_that_is_smaller() {
    let masked = protocol("karate", "gd:10x1+masked:3", 10);
    let mut together = 0;
    for source in [0, 11, 16, 25, 33] {
        let account = about(&masked, source, 3);
        let certificate = account.certificate().unwrap();
        let found = claimed(&certificate);
        let promised = account.pairs().unwrap()[0].pairs[0].promised_upper();
        assert!((found / promised - 1.0).abs() < 2e-6, "{source}: {found} {promised}");
        let Proof::Absorption { plans, flows, .. } = &certificate.proof else {
            continue;
        };
        if flows.is_empty() {
            continue;
        }
        together += 1;
        let observer = Observer::full(3);
        let states = MaskedBounds::of(&masked).unwrap().bound(&[source], &observer);
        let bounds = AbsorptionBounds::of(&masked, &observer, &Lipschitz::default()).unwrap();
        let absorbed = bounds.best(&[source]).unwrap().0;
        let smaller = states.unwrap().upper().min(absorbed);
        assert!(found < 0.999 * smaller, "{source}: {found} {smaller}");
        assert_eq!((plans.len(), flows.len(), flows[0].len()), (1, 1, 10));
        let text = certificate.to_json().unwrap();
        assert_eq!(Certificate::parse(&text).unwrap().check(), Ok(()));
    }
    assert!(together >= 1, "{together}");
    // Users who take part in every second round have a proof for each phase.
    let phases = protocol("karate", "gd:6x1:every=2+masked:1", 6);
    let certificate = about(&phases, 16, 3).certificate().unwrap();
    let Proof::Absorption { plans, flows, .. } = &certificate.proof else { panic!("flows alone") };
    assert_eq!((plans.len(), flows.len()), (2, 2));
}
