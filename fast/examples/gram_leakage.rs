//! Times the Gram form: exact GD leakage of one observer, or refreshed leakage on a large graph.
//!
//! ```text
//! gram_leakage gd [GRAPH] [ROUNDS]             hypercube:10, 10 rounds of one gossip step
//! gram_leakage refreshed [GRAPH] [T] [TAU]     regular:1000000:d=8, 20 steps, tau = 1/100
//! ```
//!
//! Prints one line of JSON: seconds (the best of several runs for `gd`), peak memory, and the loss
//! by distance (the largest certified upper end at each) with the largest width of an enclosure.

use muffliato_fast::{GramView, ViewLoss};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn losses(protocol: &Protocol) -> Outcome<Vec<Option<ViewLoss>>> {
    Ok(GramView::of(protocol, &Observer::full(0), &())?.losses(&())?)
}

fn peak_memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<f64>()
        .ok()
        .map(|kb| kb / 1024.0)
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize, default: &str| -> String {
        words
            .get(place)
            .cloned()
            .unwrap_or_else(|| default.to_string())
    };
    let descent = word(0, "gd") == "gd";
    let family = word(
        1,
        if descent {
            "hypercube:10"
        } else {
            "regular:1000000:d=8"
        },
    );
    let steps: usize = word(2, if descent { "10" } else { "20" }).parse()?;
    let graph = family.parse::<GraphSpec>()?.build()?;
    let distances = graph.distances_from(0);
    let network = Network::try_new(graph, WeightScheme::Metropolis)?;
    let protocol = match descent {
        true => Protocol::gradient_descent(network, steps, 1)?,
        false => Protocol::one_shot(network, steps)?.refreshed(word(3, "1/100").parse()?)?,
    };
    let runs = if descent { 20 } else { 1 };
    let (mut seconds, mut found) = (f64::INFINITY, Vec::new());
    for _ in 0..runs {
        let start = Instant::now();
        found = losses(&protocol)?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let mut by_distance: Vec<f64> = Vec::new();
    let mut width: f64 = 0.0;
    for (loss, distance) in found.iter().zip(&distances) {
        if let (Some(loss), Some(distance)) = (loss, distance) {
            let certified = loss.absolute_sum.certified;
            by_distance.resize(by_distance.len().max(*distance), 0.0);
            let largest = &mut by_distance[distance - 1];
            *largest = largest.max(certified.upper());
            width = width.max(certified.upper() - certified.lower());
        }
    }
    let memory = peak_memory_mb().unwrap_or(f64::NAN);
    println!(
        "{{\"seconds\": {seconds}, \"peak_mb\": {memory}, \"largest_width\": {width:e}, \"loss_by_distance\": {by_distance:?}}}"
    );
    Ok(())
}
