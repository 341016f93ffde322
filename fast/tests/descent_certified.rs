//! Multiprecision enclosures of the losses of gradient descent: known numbers, and refusals.

mod fixtures;

use fixtures::{fraction, network};
use muffliato_fast::{CertifiedView, Enclosure, FastError, GramView, MultiprecisionLimits};
use muffliato_model::{Observer, Protocol};

fn descent(graph: &str, rounds: usize, steps: usize) -> Protocol {
    Protocol::gradient_descent(network(graph), rounds, steps).unwrap()
}

fn certify(protocol: &Protocol, observer: &Observer) -> CertifiedView {
    CertifiedView::of(protocol, observer, &MultiprecisionLimits::default()).unwrap()
}

fn width(certified: Enclosure) -> f64 {
    certified.upper() - certified.lower()
}

#[test]
fn the_gram_form_agrees() {
    let observer = Observer::full(11);
    // With noise at every step both are certified.
    let every = descent("karate", 6, 1);
    let gram = GramView::of(&every, &observer).unwrap();
    assert!(gram.is_certified());
    let gram = gram.losses().unwrap();
    for (proved, gram) in certify(&every, &observer).losses().iter().zip(&gram) {
        let (Some(proved), Some(gram)) = (proved, gram) else {
            assert_eq!(proved.is_none(), gram.is_none());
            continue;
        };
        let (sum, other) = (proved.absolute_sum.certified, gram.absolute_sum.certified);
        assert!(sum.lower() <= other.upper() && other.lower() <= sum.upper());
        assert!(width(sum) <= 1e-11 && width(other) <= 1e-8);
    }
    // Without it the Gram form is an estimate with a certified lower end; multiprecision decides.
    let observer = Observer::full(33);
    let rare = descent("karate", 3, 4);
    let gram = GramView::of(&rare, &observer).unwrap();
    assert!(!gram.is_certified());
    let gram = gram.losses().unwrap();
    let proved = certify(&rare, &observer);
    let mut wide = 0;
    for (proved, gram) in proved.losses().iter().zip(&gram) {
        let (Some(proved), Some(gram)) = (proved, gram) else {
            continue;
        };
        assert!(gram.scalars.certified.lower() <= proved.scalars.certified.upper());
        assert!(proved.scalars.certified.upper() <= gram.scalars.certified.upper());
        assert!(width(proved.absolute_sum.certified) <= 1e-11);
        wide += usize::from(width(gram.scalars.certified) > 0.1);
    }
    assert!(wide > 10, "{wide}");
}

#[test]
fn other_protocols_and_too_much_work_are_refused() {
    let protocol = descent("karate", 3, 3);
    let observer = Observer::full(0);
    let limits = MultiprecisionLimits::default();
    let with = |limits| CertifiedView::of(&protocol, &observer, &limits);
    let few = MultiprecisionLimits {
        work: 1000,
        ..limits
    };
    assert!(matches!(
        with(few),
        Err(FastError::TooMuchWork { limit: 1000, .. })
    ));
    let little = MultiprecisionLimits {
        memory: 1000,
        ..limits
    };
    assert!(matches!(
        with(little),
        Err(FastError::TooMuchMemory { limit: 1000, .. })
    ));
    let endless = descent("path:2", usize::MAX / 2, 2);
    assert!(matches!(
        CertifiedView::of(&endless, &observer, &limits),
        Err(FastError::TooMuchMemory { .. })
    ));
    let fresh = protocol.clone().refreshed(fraction("1/10")).unwrap();
    assert!(matches!(
        CertifiedView::of(&fresh, &observer, &limits),
        Err(FastError::NotApplicable { .. })
    ));
    let stop = |done: usize, _: usize| done < 4;
    assert_eq!(
        CertifiedView::watched(&protocol, &observer, &limits, &stop),
        Err(FastError::Cancelled)
    );
    assert!(CertifiedView::of(&protocol, &Observer::full(34), &limits).is_err());
    let view = certify(&descent("path:4", 2, 2), &observer);
    assert_eq!(
        view.group_loss(&[0]),
        Err(FastError::SourceObserves { node: 0 })
    );
    assert_eq!(
        view.group_loss(&[1, 4]),
        Err(FastError::SourceOutOfRange {
            source_node: 4,
            nodes: 4
        })
    );
    assert_eq!(view.group_loss(&[]).unwrap_err(), FastError::NoSource);
}
