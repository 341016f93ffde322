//! Time and leakage of one observer of one-shot Muffliato, to be compared with
//! the row `one_shot_leakage` of `rivals/`.
//!
//! ```text
//! one_shot_leakage GRAPH OBSERVER STEPS [REPEATS] [EDGES]   (EDGES: a file to write the graph to)
//! one_shot_leakage GRAPH all STEPS
//! one_shot_leakage GRAPH OBSERVER STEPS certified           (with a proof, in multiprecision)
//! ```

use muffliato_fast::{OneShot, OneShotOptions, ViewLeakage};
use muffliato_model::{GraphSpec, Network, Observer, Protocol, WeightScheme};
use std::{
    error::Error,
    fmt::Write,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [graph, observer, steps, rest @ ..] = &arguments[..] else {
        return Err("give a graph, an observer (or `all`) and the number of steps".into());
    };
    let graph = graph.parse::<GraphSpec>()?.build()?;
    if let Some(path) = rest.get(1) {
        let mut text = String::new();
        for (u, v) in graph.edges() {
            writeln!(text, "{u} {v}")?;
        }
        std::fs::write(path, text)?;
    }
    let nodes = graph.nodes();
    let network = Network::try_new(graph, WeightScheme::Metropolis)?;
    let protocol = Protocol::one_shot(network, steps.parse()?)?;
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default())?;
    if observer == "all" {
        return all_observers(&one_shot);
    }
    let observer = Observer::full(observer.parse()?);
    if rest.first().is_some_and(|text| text == "certified") {
        return certified(&one_shot, &observer);
    }
    let mut best = f64::INFINITY;
    let mut view = one_shot.leakage(&observer)?;
    for _ in 1..rest.first().map_or(Ok(5), |text| text.parse())? {
        let start = Instant::now();
        view = one_shot.leakage(&observer)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("seconds {best:.6}");
    println!("columns {}", view.rank());
    println!("sum {:.9}", sum(&view));
    for node in (0..nodes).step_by((nodes / 8).max(1)) {
        if let Ok(leakage) = view.leakage(node) {
            println!("leakage {node} {:.9}", leakage.estimate);
        }
    }
    println!("{:?}", view.pivots());
    Ok(())
}

fn all_observers(one_shot: &OneShot<'_>) -> Result<(), Box<dyn Error>> {
    let nodes = one_shot.protocol().nodes();
    let observers: Vec<_> = (0..nodes).map(Observer::full).collect();
    let start = Instant::now();
    let shown = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        if done.is_multiple_of(256) && shown.fetch_max(done, Ordering::Relaxed) < done {
            eprintln!("{done} of {total} observers");
        }
        true
    };
    let sums = one_shot.leakages_of(&observers, &progress, |view| {
        (view.rank(), sum(&view), view.pivots().smallest_accepted)
    })?;
    println!("seconds {:.3}", start.elapsed().as_secs_f64());
    println!(
        "ranks {}",
        sums.iter().map(|&(rank, ..)| rank).sum::<usize>()
    );
    println!(
        "sum {:.6}",
        sums.iter().map(|&(_, sum, _)| sum).sum::<f64>()
    );
    let smallest = sums.iter().filter_map(|&(.., pivot)| pivot);
    println!("smallest pivot {:e}", smallest.fold(1.0, f64::min));
    Ok(())
}

fn certified(one_shot: &OneShot<'_>, observer: &Observer) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let view = one_shot.certified(observer, &())?;
    println!("seconds {:.3}", start.elapsed().as_secs_f64());
    println!("rank {}, {} bits", view.rank(), view.precision());
    let widths = view.enclosures().iter().flatten();
    let widths = widths.map(|enclosure| enclosure.upper() - enclosure.lower());
    println!("widest enclosure {:e}", widths.fold(0.0, f64::max));
    Ok(())
}

fn sum(view: &ViewLeakage) -> f64 {
    let leakages = view.leakages().iter().flatten();
    leakages.map(|leakage| leakage.estimate).sum()
}
