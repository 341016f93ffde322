//! Work without a rival: too large for the programs that it would be compared with.

use crate::measured::peak_megabytes;
use crate::paper_bounds::protocol;
use muffliato_fast::bounds::PaperBounds;
use muffliato_fast::{
    FastError, GapOptions, GramView, OneShot, OneShotOptions, SparseWeights, spectral_gap,
};
use muffliato_model::{Network, Observer, threads};
use std::{error::Error, time::Instant};

const MILLION: &str = "regular:1000000:d=8:seed=1";

/// A description of the work, its result, and seconds.
type Done = Result<(String, String, f64), Box<dyn Error>>;

/// Runs the work and returns one line of JSON: description, result, seconds, peak memory.
pub fn measure(name: &str) -> Result<String, Box<dyn Error>> {
    let work: fn() -> Done = match name {
        "all_observers" => all_observers,
        "million_account" => million_account,
        "million_gap" => million_gap,
        other => return Err(format!("no work {other}").into()),
    };
    let (title, found, seconds) = work()?;
    let peak = peak_megabytes();
    Ok(format!(
        "{{\"work\": {title:?}, \"found\": {found:?}, \"seconds\": {seconds}, \"peak_mb\": {peak}}}"
    ))
}

fn all_observers() -> Done {
    let (graph, protocol) = protocol("erdos-renyi:2048:c=2:seed=1:connected", 17)?;
    let observers: Vec<Observer> = (0..graph.nodes()).map(Observer::full).collect();
    let start = Instant::now();
    let one_shot = OneShot::try_new(&protocol, OneShotOptions::default())?;
    let mean = |observer: &Observer| -> Result<f64, FastError> {
        let view = one_shot.towards(observer)?;
        let estimates = view.losses().iter().flatten().map(|loss| loss.scalars.estimate);
        Ok(estimates.sum::<f64>() / (graph.nodes() - 1) as f64)
    };
    let means = threads::try_in_order(observers.len(), |k| mean(&observers[k]))?;
    let seconds = start.elapsed().as_secs_f64();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let title = "one-shot leakage (estimates), all 2048 observers of an Erdos-Renyi graph, T = 17";
    Ok((title.into(), format!("mean leakage {mean:.4}"), seconds))
}

fn million_account() -> Done {
    let (_, protocol) = protocol(MILLION, 20)?;
    let observer = Observer::full(0);
    let start = Instant::now();
    let bounds = PaperBounds::of(&protocol)?.pairwise_all(&observer)?;
    let refreshed = protocol.refreshed("1/1000".parse()?)?;
    let losses = GramView::of(&refreshed, &observer)?.losses()?;
    let seconds = start.elapsed().as_secs_f64();
    let (mut paper, mut largest, mut width) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (bound, loss) in bounds.iter().zip(&losses) {
        let Some(loss) = loss else { continue };
        let certified = loss.scalars.certified;
        if certified.upper() < 1.0 {
            paper = paper.max(bound.upper());
            largest = largest.max(certified.upper());
        }
        width = width.max(certified.upper() - certified.lower());
    }
    let title = "one observer of a random 8-regular graph of 10^6 nodes, T = 20: paper's bound and certified refreshed leakage, tau = 0.001";
    let found = format!(
        "beyond the neighbours at most {largest:.3e} (paper's bound for one-shot noise {paper:.3e}), enclosures at most {width:.0e} wide"
    );
    Ok((title.into(), found, seconds))
}

fn million_gap() -> Done {
    let (_, protocol) = protocol(MILLION, 1)?;
    let network: &Network = protocol.fixed_network().ok_or("a fixed network")?;
    let start = Instant::now();
    let weights = SparseWeights::of_network(network)?;
    let gap = spectral_gap(&weights, &GapOptions::default(), &())?;
    let seconds = start.elapsed().as_secs_f64();
    let found = format!(
        "estimate {:.6}, certified in [{:.1e}, {:.6}]",
        gap.estimate,
        gap.certified.lower(),
        gap.certified.upper()
    );
    Ok(("spectral gap of the same graph".into(), found, seconds))
}
