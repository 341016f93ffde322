//! Figures 1b and 5: one user of each Facebook ego network.

use super::curves::Curves;
use super::ego_network::{ALPHA, Ego, SMALL, SUMMARY, Seen, local_loss};
use super::exhibit::{Exhibit, Finding, Plate, Sheet};
use super::setting::{Setting, short};

fn finding(ego: &Ego<'_>, seen: &Seen) -> Finding {
    Finding::claimed(
        format!(
            "{}: the loss is small beyond the user's neighbours.",
            ego.title
        ),
        format!(
            "The mean of the formula over users at distance 2 or more, capped at LDP, is {} for \
             user {}: {}. Their mean one-shot leakage is {} (estimate), and {:.0} % of them lose \
             more than 99 % of what LDP loses; with fresh noise of sigma/sqrt(n) the certified \
             mean is {}. The formula's mean is below half of LDP for {:.1} % of all users and \
             below a tenth for {:.1} %.",
            short(seen.bound.mean),
            ego.label(seen.user),
            size(seen.bound.mean),
            short(seen.leaked.mean),
            100.0 * seen.leaked.given_away,
            short(seen.certified.mean),
            100.0 * ego.users.share_below(0.5),
            100.0 * ego.users.share_below(0.1),
        ),
    )
}

/// Reports on the user with the smallest formula, and on the published one.
fn chosen(ego: &Ego<'_>) -> anyhow::Result<(Plate, Finding)> {
    let seen = ego.see(ego.users.chosen())?;
    let plate = Plate::new(
        "fig1b_chosen",
        format!(
            "{}: the formula for user {}, who was not drawn but chosen: of all users it has the \
             smallest mean beyond its neighbours.",
            ego.title,
            ego.label(seen.user)
        ),
        ego.drawing(&seen.formula)?,
    );
    let published = ego.published().map(|user| {
        let mean = ego.users.mean(user);
        format!(
            " For user {}, whom the authors' program shows, the formula's mean is {}: {}.",
            ego.label(user),
            short(mean),
            size(mean)
        )
    });
    let finding = Finding::measured(
        format!("{}: the best case, chosen.", ego.title),
        format!(
            "User {} has the smallest mean of the formula at distance 2 or more, {}: {}. The mean \
             one-shot leakage there is {} (estimate); the certified mean with fresh noise is {}.{}",
            ego.label(seen.user),
            short(seen.bound.mean),
            size(seen.bound.mean),
            short(seen.leaked.mean),
            short(seen.certified.mean),
            published.unwrap_or_default()
        ),
    );
    Ok((plate, finding))
}

/// Describes how small a mean is.
fn size(mean: f64) -> String {
    let smallest = SMALL.iter().rfind(|(_, limit)| mean < *limit);
    match smallest {
        Some((name, _)) => format!("below {name} of LDP"),
        None => "not below half of LDP".into(),
    }
}

/// Reports for how many users of all networks the formula is small.
fn any_user(counts: [usize; 2], all: usize) -> Finding {
    let share = |count: usize| {
        format!(
            "{count} of {all} ({:.1} %)",
            100.0 * count as f64 / all.max(1) as f64
        )
    };
    let verdict = match counts {
        [half, tenth] if half == all && tenth == all => "It does.",
        [half, _] if half == all => "It does if half of LDP is small.",
        _ => "Not for all.",
    };
    Finding::claimed(
        "Any user gives the picture of the main text.",
        format!(
            "{verdict} Over all networks the formula's mean beyond the neighbours is below half of \
             LDP for {} users and below a tenth for {}. Over all sources the formula adds up to \
             exactly the number of messages; towards a user with more than n/T neighbours its mean \
             therefore exceeds LDP after T steps.",
            share(counts[0]),
            share(counts[1])
        ),
    )
}

pub fn run(setting: &Setting<'_>) -> anyhow::Result<Exhibit> {
    let session = setting.session;
    let mut graphs = setting.data.ego_networks(&mut |note| session.note(&note))?;
    if setting.quick {
        graphs.retain(|named| named.graph.nodes() <= 200);
    }
    let mut curves = Curves::new(setting, "fig5");
    let mut summary = Sheet::new("fig5_summary", SUMMARY);
    let (mut plates, mut findings) = (vec![], vec![]);
    let (mut counts, mut all) = ([0; 2], 0);
    for (number, named) in graphs.into_iter().enumerate() {
        let ego = Ego::of(setting, named, number == 0)?;
        let seen = ego.see(ego.user())?;
        summary.push(ego.row(&seen));
        plates.extend(ego.plates(&seen)?);
        findings.push(finding(&ego, &seen));
        if ego.main {
            let (plate, finding) = chosen(&ego)?;
            plates.push(plate);
            findings.push(finding);
        }
        all += ego.averaging.graph().nodes();
        for (count, (_, limit)) in counts.iter_mut().zip(SMALL) {
            *count += ego.users.below(limit);
        }
        let around = |losses: &[Option<f64>]| {
            let averaging = &ego.averaging;
            averaging.around(&[seen.user], |_| Ok(losses.to_vec()))
        };
        let leakage = [around(&seen.leakage)?, around(&seen.at_most)?];
        let (formula, refreshed) = (around(&seen.formula)?, around(&seen.refreshed)?);
        curves.push(&ego.title, ego.averaging.steps, formula, leakage, refreshed);
    }
    findings.push(any_user(counts, all));
    plates.extend(curves.plates(
        ["fig5_bound", "fig5_leakage", "fig5_refreshed"],
        [
            "The formula by distance from the user.",
            "One-shot leakage by distance (estimates; dashed: certified upper bound).",
            "Loss with fresh noise, certified.",
        ],
        "",
    ));
    let user = match setting.as_authors {
        true => {
            "the user of the published picture, or drawn by the seed. The formula gives the loss \
             of this user towards all others; leakage is"
        }
        false => "one user drawn by the seed. Losses are",
    };
    Ok(Exhibit {
        title: "Figures 1b and 5: one user of each Facebook ego network".into(),
        method: format!(
            "Giant components, alpha = {ALPHA}, a local loss of {} (multiply losses by it), the \
             number of steps of Theorem 2, {user} of all others towards this user, who knows its \
             own noise; the paper draws the user's own loss. Losses with fresh noise in large \
             views are first-passage bounds.",
            short(local_loss(setting))
        ),
        sheets: vec![summary, curves.sheet],
        plates,
        findings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_from_the_numbers() {
        assert_eq!(size(0.05), "below a tenth of LDP");
        assert_eq!(size(0.1), "below half of LDP");
        assert_eq!(size(0.5), "not below half of LDP");
        for (counts, word) in [
            ([10, 10], "It does."),
            ([10, 4], "It does if half"),
            ([9, 9], "Not for all."),
        ] {
            let found = any_user(counts, 10).found;
            assert!(found.starts_with(word), "{found}");
        }
        assert!(
            any_user([3, 1], 10)
                .found
                .contains("3 of 10 (30.0 %) users")
        );
    }
}
