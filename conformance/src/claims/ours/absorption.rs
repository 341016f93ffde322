//! Gradient descent with real losses: the absorption bound, and what happens without each of its
//! assumptions.

use super::{Departure, unit};
use crate::claims::prelude::*;
use muffliato_certificate::absorption_bound;
use muffliato_fast::AbsorptionBounds;
use muffliato_model::{Absorption, Lipschitz};

/// Returns all vectors of factors.
fn factors(nodes: usize, choices: &[i64]) -> impl Iterator<Item = Vec<Fraction>> {
    let factor = |choice: usize| Fraction::integer(choices[choice]);
    sequences(choices.len(), nodes).map(move |all| all.into_iter().map(factor).collect())
}

fn first_passage(
    protocol: &Protocol,
    source: &[usize],
    observer: &Observer,
) -> Result<BigRational, ClaimError> {
    let plans = [Absorption::first_passage(protocol, observer)?];
    let steps = Lipschitz::default();
    Ok(absorption_bound(protocol, source, observer, &steps, &plans)?)
}

/// The absorption bound.
pub(in crate::claims) fn absorption() -> Result<Verdict, ClaimError> {
    let mut cases = 0;
    for graph in graphs(4) {
        for (rounds, k) in [(2, 1), (3, 1), (2, 2)] {
            let inputs = descent(&graph, rounds, k)?;
            for observer in single_observers(&graph)? {
                let sources = each_source(&graph, &observer);
                let bounds = sources.iter().map(|u| first_passage(&inputs, u, &observer));
                let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
                for reaction in factors(graph.nodes(), &[-1, 0, 1]) {
                    let view = view(&inputs.clone().reacting(reaction)?, &observer)?;
                    for (source, bound) in sources.iter().zip(&bounds) {
                        let below = order(&view.loss(source)?.scalar, bound).is_le();
                        cases += confirm(below, || {
                            format!("{}, {rounds} rounds, K = {k}, {observer}", graph_name(&graph))
                        })?;
                    }
                }
            }
        }
    }
    Ok(Verdict::holds(format!("{cases} pairs and reactions on connected graphs up to 4 nodes")))
}

/// Computes the first-passage bound by the fast engine, which only rounds up.
fn fast_first_passage(
    protocol: &Protocol,
    source: &[usize],
    observer: &Observer,
) -> Result<Enclosure, ClaimError> {
    let plan = Absorption::first_passage(protocol, observer)?;
    let bounds = AbsorptionBounds::of(protocol, observer, &Lipschitz::default())?;
    Ok(estimate(bounds.of_plans(source, &[plan])?))
}

/// Expansive steps.
pub(in crate::claims) fn expansive() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 2..=4, |graph, rounds| {
        let inputs = descent(graph, rounds, 1)?;
        for observer in single_observers(graph)? {
            for reaction in factors(graph.nodes(), &[1, 2]).skip(1) {
                let texts: Vec<_> = reaction.iter().map(Fraction::to_string).collect();
                let steps = Lipschitz::of_nodes(reaction.clone())?;
                let protocol = inputs.clone().reacting(reaction)?;
                let place = format!("K = 1, {rounds} rounds, factors ({})", texts.join(" "));
                for source in each_source(graph, &observer) {
                    let loss = view(&protocol, &observer)?.loss(&source)?.scalar;
                    let plan = Absorption::first_passage(&inputs, &observer)?;
                    let wide = absorption_bound(&inputs, &source, &observer, &steps, &[plan])?;
                    confirm(order(&loss, &wide).is_le(), || graph_name(graph))?;
                    above(
                        &protocol,
                        &source,
                        &observer,
                        first_passage(&inputs, &source, &observer)?,
                        || fast_first_passage(&inputs, &source, &observer),
                        || {
                            let lines = hand_check::deconvolution(&protocol, &source, &observer)?;
                            Ok((Instance::on(graph, place.clone()), lines))
                        },
                    )?;
                }
            }
        }
        Ok(())
    }))
}

/// Clipped steps.
pub(in crate::claims) fn clipping() -> Result<Verdict, ClaimError> {
    let (h, nu) = (ratio(1, 50), ratio(9, 10));
    let one = BigRational::one();
    // Returns a point and its image, exactly and in floats.
    let step = |k: i64, norm: &BigRational| {
        let t = ratio(k, 60);
        let below = &one + &t * &t;
        let direction = [(&one - &t * &t) / &below, whole(2) * &t / &below];
        let point = [norm * &direction[0], norm * &direction[1] / &h];
        let after = [&point[0] - &nu * &direction[0], &point[1] - &nu * &direction[1]];
        (point, after)
    };
    let apart = |a: &[BigRational; 2], b: &[BigRational; 2]| -> BigRational {
        let differences = a.iter().zip(b).map(|(a, b)| a - b);
        differences.map(|difference| &difference * &difference).sum()
    };
    let points: Vec<_> =
        (1..60).flat_map(|k| [ratio(1, 1), ratio(11, 10)].map(|norm| (k, norm))).collect();
    let mut worst: Option<(BigRational, String, f64)> = None;
    for (place, (k, norm)) in points.iter().enumerate() {
        for (l, other) in &points[..place] {
            let ((x, fx), (y, fy)) = (step(*k, norm), step(*l, other));
            let growth = apart(&fx, &fy) / apart(&x, &y);
            if worst.as_ref().is_none_or(|(most, ..)| order(&growth, most).is_gt()) {
                let text = format!(
                    "({}, {}) goes to ({}, {}), ({}, {}) to ({}, {})",
                    x[0], x[1], fx[0], fx[1], y[0], y[1], fy[0], fy[1]
                );
                worst = Some((growth, text, float_growth((*k, norm), (*l, other))));
            }
        }
    }
    let (growth, text, fast) = worst.unwrap_or_default();
    let compared = Comparison::at_most(growth, one);
    let instance =
        Instance::of("squared growth of a distance, H = diag(1, 1/50), nu = 9/10, norm 1");
    Ok(Verdict::refuted(compared.witness(instance, vec![text], [1.0, fast].map(estimate))?))
}

/// Returns the growth in floats, where the gradient is clipped by its norm.
fn float_growth((k, norm): (i64, &BigRational), (l, other): (i64, &BigRational)) -> f64 {
    let step = |k: i64, norm: &BigRational| {
        let (t, norm) = (k as f64 / 60.0, if norm.is_one() { 1.0 } else { 1.1 });
        let below = 1.0 + t * t;
        let point = [norm * (1.0 - t * t) / below, norm * 2.0 * t / below * 50.0];
        let gradient = [point[0], point[1] / 50.0];
        let clipped = 1.0 / libm::hypot(gradient[0], gradient[1]).max(1.0);
        let after = [0, 1].map(|i| point[i] - 0.9 * clipped * gradient[i]);
        (point, after)
    };
    let apart = |a: [f64; 2], b: [f64; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
    let ((x, fx), (y, fy)) = (step(k, norm), step(l, other));
    (apart(fx, fy) / apart(x, y)).powi(2)
}

/// Too little absorption.
pub(in crate::claims) fn too_near() -> Result<Verdict, ClaimError> {
    Verdict::of_search(smallest(4, 2..=2, |graph, k| {
        let protocol = descent(graph, 1, k)?;
        for observer in single_observers(graph)? {
            let distances = graph.distances_from_any(observer.members());
            let near = (0..graph.nodes()).filter(|&w| distances[w] == Some(1));
            let plans = [Absorption::try_new(&protocol, near.map(|w| (0, w, Fraction::ONE)))?];
            for u in (0..graph.nodes()).filter(|&u| distances[u] == Some(k)) {
                let steps = Lipschitz::default();
                let bound = absorption_bound(&protocol, &[u], &observer, &steps, &plans);
                confirm(bound.is_err(), || "the bound takes too little".into())?;
                let nothing = (BigRational::zero(), || Ok(Enclosure::exact(0.0)));
                above(&protocol, &[u], &observer, nothing.0, nothing.1, || {
                    let lines = hand_check::deconvolution(&protocol, &[u], &observer)?;
                    Ok((Instance::on(graph, "K = 2, one round"), lines))
                })?;
            }
        }
        Ok(())
    }))
}

/// A state without noise.
pub(in crate::claims) fn previous_state() -> Result<Verdict, ClaimError> {
    let g = ratio(5, 4);
    Verdict::of_search(smallest(4, 3..=3, |graph, steps| {
        let n = graph.nodes();
        let powers = Process::run(&one_shot(graph, steps)?)?;
        for v in 0..n {
            for u in (0..n).filter(|&u| u != v) {
                let mut seen = Departure {
                    variances: vec![BigRational::one(); n],
                    rows: vec![unit(n + 1, v)],
                };
                for w in graph.neighbours(v) {
                    for t in 0..steps {
                        let mut row = powers.coefficients(t, w).unwrap_or_default();
                        row.push(row[u].clone());
                        if t == 2 {
                            row.iter_mut().for_each(|entry| *entry *= &g);
                            row[n] += (BigRational::one() - &g) * whole(usize::from(w == u));
                        }
                        seen.rows.push(row);
                    }
                }
                let lines = vec![
                    hand_check::matrix(&metropolis(graph)?)?,
                    "t = 2: g W^2 (x + noise) + (1 - g) x, the last term without noise".into(),
                ];
                let observer = Observer::full(v);
                let place = Instance::on(graph, "K = 3, one round, g = 5/4");
                let place = place.of_sources(&[u]).towards(&observer);
                seen.search(BigRational::one(), Enclosure::exact(1.0), place, lines)?;
            }
        }
        Ok(())
    }))
}
