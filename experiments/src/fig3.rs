//! Figure 3: hypercubes of growing size.

use super::averaging::Averaging;
use super::curves::{Curve, Curves};
use super::exhibit::{Exhibit, Finding};
use super::setting::{SIGMA, Setting, choose, short};
use muffliato::model::families;

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let dimensions = setting.choose(4..=12, 3..=7);
    let mut curves = Curves::new(setting, "fig3");
    for dimension in dimensions {
        let name = format!("n = {}", 1 << dimension);
        let averaging = Averaging::new(setting, &name, families::hypercube(dimension)?, SIGMA)?;
        let mut formula = averaging.around(&[0], |v| averaging.bound_around(v))?;
        if setting.as_authors {
            // The program omits the largest distance.
            formula.pop_last();
        }
        let leakage = averaging.leakage_around(&[0])?;
        let refreshed = averaging.around(&[0], |v| Ok(averaging.refreshed_towards(v)?.losses))?;
        curves.push(&name, averaging.steps, formula, leakage, refreshed);
    }
    Ok(Exhibit {
        title: "Figure 3: exponential graphs of growing size".into(),
        method: format!(
            "Hypercubes, sigma = 1, alpha = 2, the number of steps of Theorem 2; all observers \
             have equivalent views. Shown are {}, the leakage, and the leakage with fresh noise.",
            setting.bound_name()
        ),
        findings: vec![finding(&curves.bounds, &curves.leaks, &curves.repaired)],
        plates: curves
            .plates(
                ["fig3", "fig3_leakage", "fig3_refreshed"],
                [
                    "The paper's bound for each size.",
                    "Leakage of the messages (estimates; dashed: certified upper bound).",
                    "Loss with fresh noise of sigma/sqrt(n), certified.",
                ],
                ", hypercubes",
                false,
            )
            .into(),
        sheets: vec![curves.sheet],
    })
}

fn finding(bounds: &[Curve], leaks: &[Curve], repaired: &[Curve]) -> Finding {
    let at_two = |curves: &[Curve]| {
        let known = curves.iter().filter_map(|curve| Some((&curve.name, curve.at(2)?)));
        let known: Vec<_> = known.collect();
        let (Some((small, before)), Some((large, after))) = (known.first(), known.last()) else {
            return "is not known".to_string();
        };
        format!(
            "{} from {} at {small} to {} at {large}",
            choose(after < before, "falls", "does not fall"),
            short(*before),
            short(*after)
        )
    };
    let far = leaks.iter().flat_map(|curve| curve.losses.range(3..));
    let most = far.map(|(_, spread)| spread.most).fold(0.0, f64::max);
    Finding::claimed(
        "Privacy improves with n, most of all at short distances beyond the neighbours.",
        format!(
            "At distance 2 the formula {}. One-shot leakage (an estimate) {}; at larger distances \
             its largest value is {}. With fresh noise of sigma/sqrt(n) the certified loss {}.",
            at_two(bounds),
            at_two(leaks),
            short(most),
            at_two(repaired)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::by_distance;
    use muffliato::command::session::Session;

    /// Each of the five cubes loses one distance.
    #[test]
    fn the_authors_leave_out_the_largest_distance() {
        let session = Session::new(true);
        for (as_authors, missing) in [(false, 0), (true, 5)] {
            let setting = Setting::quick(&session, as_authors);
            let rows = run(&setting).unwrap().sheets.remove(0).rows;
            let of = |quantity: &str| rows.iter().filter(|row| row[2] == quantity).count();
            let (shown, all) = (of(setting.bound_name()), of("refreshed, certified"));
            assert_eq!(shown + missing, all);
        }
    }

    #[test]
    fn words_follow_from_the_numbers() {
        let curve = |name: &str, at_two: f64| {
            Curve::certified(name, by_distance([(1, 1.0), (2, at_two), (3, 0.75)]))
        };
        let falling = [curve("n = 8", 0.5), curve("n = 16", 0.25)];
        let rising = [curve("n = 8", 0.25), curve("n = 16", 0.5)];
        let found = finding(&falling, &rising, &falling).found;
        assert!(
            found.contains("the formula falls from 0.500 at n = 8 to 0.250 at n = 16"),
            "{found}"
        );
        assert!(found.contains("(an estimate) does not fall from 0.250"), "{found}");
        assert!(found.contains("value is 0.750"), "{found}");
    }
}
