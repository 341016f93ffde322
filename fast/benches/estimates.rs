//! Estimates of work, by which a method is chosen, against the clock: one line for each observer
//! and method.
//!
//! `cargo bench -p muffliato-fast --bench estimates`. Nothing is asserted: the ratios of the two
//! methods on one line should be similar, so that the cheaper one is chosen.

use muffliato_fast::{AlibiView, FastError, GramView};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme, threads};
use std::{error::Error, hint::black_box, time::Instant};

/// Graph, steps, tau, observer.
const CASES: [(&str, usize, &str, usize); 9] = [
    ("karate", 6, "1/10", 11),
    ("karate", 12, "3/100", 33),
    ("karate", 57, "3/100", 33),
    ("hypercube:6", 12, "1/10", 0),
    ("hypercube:8", 12, "1/10", 0),
    ("star:300", 6, "1/10", 0),
    ("complete:200", 4, "1/10", 0),
    ("erdos-renyi:500:c=8:seed=1", 8, "1/10", 0),
    ("erdos-renyi:1000:c=2:seed=1", 6, "1/20", 0),
];

fn milliseconds(work: impl Fn() -> Result<(), FastError>) -> Result<f64, FastError> {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        work()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(1e3 * best)
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test` runs benchmarks, too: one case shows that they work.
    let cases = if std::env::args().any(|argument| argument == "--bench") {
        &CASES[..]
    } else {
        &CASES[..1]
    };
    println!(
        "{:<40} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}",
        "milliseconds, one thread", "gram", "estimate", "ratio", "alibis", "estimate", "ratio"
    );
    for &(spec, steps, tau, observer) in cases {
        let network =
            Network::try_new(spec.parse::<GraphSpec>()?.build()?, WeightScheme::Metropolis)?;
        let protocol = Protocol::one_shot(network, steps)?.refreshed(tau.parse()?)?;
        let observer = Observer::full(observer);
        let gram = threads::on(1, || {
            milliseconds(|| {
                GramView::of(&protocol, &observer)?.losses().map(|losses| drop(black_box(losses)))
            })
        })
        .ok_or("no thread")??;
        let alibis = threads::on(1, || {
            milliseconds(|| {
                AlibiView::of(&protocol, &observer)?.losses().map(|losses| drop(black_box(losses)))
            })
        })
        .ok_or("no thread")??;
        let estimates =
            [GramView::work(&protocol, &observer)?, AlibiView::work(&protocol, &observer)?]
                .map(|work| work / 1e6);
        println!(
            "{:<40} {gram:>9.2} {:>9.2} {:>6.2} {alibis:>9.2} {:>9.2} {:>6.2}",
            format!("{spec} T={steps} tau={tau} {observer}"),
            estimates[0],
            estimates[0] / gram,
            estimates[1],
            estimates[1] / alibis,
        );
    }
    Ok(())
}
