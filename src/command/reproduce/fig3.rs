//! Figure 3: the hypercube as it grows.

use super::averaging::Averaging;
use super::exhibit::{Exhibit, Finding, Plate, Sheet};
use super::fig1a::{Curve, HEAD, chart, push};
use super::setting::{SIGMA, Setting, short};
use muffliato::model::families;

/// The figure.
pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let dimensions = setting.choose(4..=12, 3..=7);
    let mut sheet = Sheet::new("fig3", &HEAD);
    let (mut bounds, mut leaks, mut repaired) = (Vec::new(), Vec::new(), Vec::new());
    for dimension in dimensions {
        let name = format!("n = {}", 1 << dimension);
        let averaging = Averaging::on(setting, &name, families::hypercube(dimension)?, SIGMA)?;
        for (quantity, curves, losses) in [
            (
                setting.bound_name(),
                &mut bounds,
                averaging.towards(&[0], |v| averaging.bound_towards(v))?,
            ),
            (
                "one-shot leakage, estimate",
                &mut leaks,
                averaging.towards(&[0], |v| averaging.leakage_towards(v))?,
            ),
            (
                "refreshed, certified",
                &mut repaired,
                averaging.towards(&[0], |v| Ok(averaging.refreshed_towards(v)?.losses))?,
            ),
        ] {
            let name = name.clone();
            let curve = Curve { name, losses };
            push(&mut sheet, quantity, averaging.steps, &curve);
            curves.push(curve);
        }
    }
    let at_two = |curves: &[Curve]| {
        let ends = [curves.first(), curves.last()].into_iter().flatten();
        let told = ends.map(|curve| {
            let loss = curve.losses.get(&2).map_or(f64::NAN, |spread| spread.mean);
            format!("{} at {}", short(loss), curve.name)
        });
        told.collect::<Vec<_>>().join(", ")
    };
    let most = |curves: &[Curve]| {
        let far = curves.iter().flat_map(|curve| curve.losses.range(3..));
        far.map(|(_, spread)| spread.most).fold(0.0, f64::max)
    };
    let findings = vec![Finding::new(
        "Privacy improves with n, most of all at short distances beyond the neighbours.",
        format!(
            "The formula at distance 2: {}. One-shot leakage (estimate): {}; at larger distances it reaches {}. With fresh \
                 noise of sigma/sqrt(n), certified: {}.",
            at_two(&bounds),
            at_two(&leaks),
            short(most(&leaks)),
            at_two(&repaired)
        ),
    )];
    let plate = |name, caption, title: &str, curves: &[Curve]| {
        Plate::new(name, caption, chart(format!("{title}, hypercubes"), curves))
    };
    Ok(Exhibit {
        title: "Figure 3: exponential graphs of growing size".into(),
        method: format!(
            "Hypercubes, sigma = 1, alpha = 2, the steps of Theorem 2; all observers see the same. {}, the leakage, and the leakage \
             with fresh noise.",
            setting.bound_name()
        ),
        sheets: vec![sheet],
        plates: vec![
            plate(
                "fig3",
                "What the paper promises for each size.",
                setting.bound_name(),
                &bounds,
            ),
            plate(
                "fig3_leakage",
                "What the messages reveal (estimates).",
                "One-shot leakage (estimate)",
                &leaks,
            ),
            plate(
                "fig3_refreshed",
                "With fresh noise of sigma/sqrt(n), certified.",
                "Fresh noise, certified",
                &repaired,
            ),
        ],
        findings,
    })
}
