//! Figures 1b and 5: one user of each Facebook ego network.

use super::averaging::Averaging;
use super::exhibit::{Exhibit, Finding, Plate, Sheet};
use super::fig1a::{Curve, HEAD, chart, push};
use super::setting::{Setting, Spread, short};
use muffliato::plot::GraphDrawing;

/// Renyi's order, and the local loss that the noise is made for.
const ALPHA: f64 = 1.5;
const LOCAL_LOSS: f64 = 5.0;

/// The figures.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let session = setting.session;
    let mut graphs = setting.data.ego_networks(&mut |note| session.note(&note))?;
    if setting.quick {
        graphs.retain(|named| named.graph.nodes() <= 200);
    }
    let sigma = (ALPHA / (2.0 * LOCAL_LOSS)).sqrt();
    let mut sheet = Sheet::new("fig5", &HEAD);
    let summary_head = [
        "graph",
        "nodes",
        "edges",
        "user",
        "steps",
        "bound_beyond_neighbours",
        "leakage_beyond_neighbours_estimate",
        "given_away_estimate",
        "refreshed_beyond_neighbours_certified",
    ];
    let mut summary = Sheet::new("fig5_summary", &summary_head);
    let (mut plates, mut bounds, mut leaks, mut repaired) = (vec![], vec![], vec![], vec![]);
    let mut findings = Vec::new();
    for (number, named) in graphs.into_iter().enumerate() {
        let nodes = named.graph.nodes();
        let user = setting.sample(nodes, 1)[0];
        let averaging = Averaging::on(setting, &named.title, named.graph, sigma)?;
        let formula = match setting.as_authors {
            true => averaging.bound_from(user)?,
            false => averaging.bound_towards(user)?,
        };
        let leakage = averaging.leakage_towards(user)?;
        let refreshed = averaging.refreshed_towards(user)?.losses;
        let distances = averaging.graph().distances_from(user);
        let beyond = |losses: &[Option<f64>]| {
            let far = losses.iter().zip(&distances);
            let far = far.filter(|(_, distance)| distance.is_some_and(|distance| distance >= 2));
            let far: Vec<f64> = far
                .filter_map(|(loss, _)| loss.map(|loss| loss.min(1.0)))
                .collect();
            let given_away = far.iter().filter(|&&loss| loss > 0.99).count() as f64;
            (
                Spread::of(far.iter().copied()).map_or(0.0, |spread| spread.mean),
                given_away / far.len().max(1) as f64,
            )
        };
        let (bound, (leaked, given_away), certified) =
            (beyond(&formula).0, beyond(&leakage), beyond(&refreshed).0);
        let mut row = vec![
            named.name.clone(),
            nodes.to_string(),
            averaging.graph().edge_count().to_string(),
            averaging.graph().label(user),
            averaging.steps.to_string(),
        ];
        row.extend([bound, leaked, given_away, certified].map(|number| number.to_string()));
        summary.push(row);
        let name = if number == 0 {
            "fig1b".to_string()
        } else {
            format!("fig5_{}", named.name)
        };
        let title = format!("{}: {}", named.title, setting.bound_name());
        plates.push(Plate::new(
            &name,
            format!(
                "{}: what the paper promises everybody towards one user (marked).",
                named.title
            ),
            GraphDrawing::try_new(title, averaging.graph().clone(), formula.clone())?,
        ));
        if number == 0 {
            for (part, title, caption, losses) in [
                (
                    "leakage",
                    "one-shot leakage (estimate)",
                    "what the same user learns of each other one (estimates)",
                    &leakage,
                ),
                (
                    "refreshed",
                    "fresh noise, certified",
                    "the same with fresh noise, certified",
                    &refreshed,
                ),
            ] {
                let title = format!("{}: {title} towards one user", named.title);
                plates.push(Plate::new(
                    &format!("{name}_{part}"),
                    format!("{}: {caption}.", named.title),
                    GraphDrawing::try_new(title, averaging.graph().clone(), losses.clone())?,
                ));
            }
        }
        for (quantity, losses, curves) in [
            (setting.bound_name(), formula, &mut bounds),
            ("one-shot leakage, estimate", leakage, &mut leaks),
            ("refreshed, certified", refreshed, &mut repaired),
        ] {
            let losses = averaging.towards(&[user], |_| Ok(losses.clone()))?;
            let name = named.title.clone();
            let curve = Curve { name, losses };
            push(&mut sheet, quantity, averaging.steps, &curve);
            curves.push(curve);
        }
        findings.push(Finding::new(
            format!("{}: outside the user's own neighbours the loss is small.", named.title),
            format!(
                "The formula's mean over users at distance 2 and more, cut off at LDP, is {}. The one-shot leakage (estimate) there is {} in the mean, and {:.0} % \
                 of these users lose more than 99 % of what LDP loses; with fresh noise of sigma/sqrt(n) the certified mean is {}.",
                short(bound), short(leaked), 100.0 * given_away, short(certified)
            ),
        ));
    }
    findings.push(Finding::new(
        "The picture of the main text comes out for any user.",
        "It does not. The formula's values over all sources add up to the number of messages exactly, so that towards a user with more than n/T \
         neighbours its mean is above LDP after T steps. Where communities are nearly separate and the user is in a small one, the formula is \
         small outside of it, as in the paper.",
    ));
    let by_distance = |name: &str, caption: &str, title: &str, curves: &[Curve]| {
        Plate::new(name, caption, chart(title.into(), curves))
    };
    plates.extend([
        by_distance(
            "fig5_bound",
            "The formula by distance from the user.",
            setting.bound_name(),
            &bounds,
        ),
        by_distance(
            "fig5_leakage",
            "One-shot leakage by distance (estimates).",
            "One-shot leakage (estimate)",
            &leaks,
        ),
        by_distance(
            "fig5_refreshed",
            "With fresh noise, certified.",
            "Fresh noise, certified",
            &repaired,
        ),
    ]);
    Ok(Exhibit {
        title: "Figures 1b and 5: one user of each Facebook ego network".into(),
        method: format!(
            "Giant components, alpha = {ALPHA}, a local loss of {LOCAL_LOSS} (multiply losses by it), the steps of Theorem 2, one user drawn by the \
             seed. Losses are those of everybody towards this user, who knows its own noise; the paper draws the other direction, and so does --as-authors. Refreshed losses of large views are the first-passage bound."
        ),
        sheets: vec![summary, sheet],
        plates,
        findings,
    })
}
