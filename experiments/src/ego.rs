//! Figures 1b and 5: one user of each Facebook ego network.

use super::authors;
use super::averaging::Averaging;
use super::curves::Curves;
use super::exhibit::{Exhibit, Finding, Plate, Sheet, row};
use super::files::NamedGraph;
use super::setting::{Setting, choose, short};
use muffliato::plot::GraphDrawing;

/// Order of the Renyi divergence.
const ALPHA: f64 = 1.5;
/// Local loss for which the noise is chosen.
const LOCAL_LOSS: f64 = 5.0;

/// Thresholds for a small loss beyond the neighbours, as shares of the LDP loss.
const SMALL: [(&str, f64); 2] = [("half", 0.5), ("a tenth", 0.1)];

const SUMMARY: &str = "graph,nodes,edges,steps,user,bound_beyond_neighbours,leakage_beyond_neighbours_estimate,given_away_estimate,refreshed_beyond_neighbours_certified,users_below_half,users_below_a_tenth,chosen_user,chosen_bound_beyond_neighbours,published_user,published_bound_beyond_neighbours";

/// Runs both figures.
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
        let ego = Ego::new(setting, named, number == 0)?;
        let losses = ego.losses_around(ego.user())?;
        summary.push(ego.row(&losses));
        plates.extend(ego.plates(&losses)?);
        findings.push(ego.finding(&losses));
        if ego.main {
            let (plate, finding) = ego.best_user()?;
            plates.push(plate);
            findings.push(finding);
        }
        all += ego.users.len();
        for (count, (_, limit)) in counts.iter_mut().zip(SMALL) {
            *count += ego.users_below(limit);
        }
        let averaging = &ego.averaging;
        let around = |of: &[Option<f64>]| averaging.around(&[losses.user], |_| Ok(of.to_vec()));
        let leakage = [around(&losses.leakage)?, around(&losses.at_most)?];
        let (formula, refreshed) = (around(&losses.formula)?, around(&losses.refreshed)?);
        curves.push(&ego.title, averaging.steps, formula, leakage, refreshed);
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
        false,
    ));
    let user = if setting.as_authors {
        "the user of the published picture, or drawn by the seed. The formula gives the loss of \
         this user towards all others; leakage is"
    } else {
        "one user drawn by the seed. Losses are"
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

/// Returns the noise.
fn sigma(setting: &Setting<'_>) -> f64 {
    if setting.as_authors {
        authors::ego_sigma(ALPHA, LOCAL_LOSS)
    } else {
        (ALPHA / (2.0 * LOCAL_LOSS)).sqrt()
    }
}

/// Returns the loss of LDP with this noise.
fn local_loss(setting: &Setting<'_>) -> f64 {
    ALPHA / (2.0 * sigma(setting).powi(2))
}

/// A network with its noise and steps.
struct Ego<'a> {
    setting: &'a Setting<'a>,
    name: String,
    title: String,
    /// `true` for the network of Figure 1b.
    main: bool,
    averaging: Averaging<'a>,
    sigma: f64,
    /// Mean of the formula beyond the neighbours, by user: towards each user, or from each with
    /// `--as-authors`.
    users: Vec<f64>,
}

/// Losses around one user by each account; `None` for the user.
struct Losses {
    user: usize,
    /// Losses by the paper's formula.
    formula: Vec<Option<f64>>,
    /// Estimates for one-shot noise.
    leakage: Vec<Option<f64>>,
    /// Certified upper ends for one-shot noise.
    at_most: Vec<Option<f64>>,
    /// Certified upper ends with fresh noise.
    refreshed: Vec<Option<f64>>,
    /// Summaries of `formula`, `leakage` and `refreshed` beyond the neighbours.
    beyond: [Beyond; 3],
}

/// Losses between a user and the users at distance 2 or more, each capped at LDP.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Beyond {
    /// Mean; 0 if there are no such users.
    mean: f64,
    /// Share of losses above 0.99.
    given_away: f64,
}

impl Beyond {
    /// Summarises pairs of a distance and a loss.
    fn of(pairs: impl IntoIterator<Item = (Option<usize>, Option<f64>)>) -> Self {
        let far = pairs.into_iter().filter_map(|(distance, loss)| {
            let loss = loss?.min(1.0);
            (distance? >= 2).then_some(loss)
        });
        let far: Vec<f64> = far.collect();
        let count = far.len().max(1) as f64;
        let open = far.iter().filter(|&&loss| loss > 0.99).count();
        Self { mean: far.iter().sum::<f64>() / count, given_away: open as f64 / count }
    }
}

impl<'a> Ego<'a> {
    /// Creates the network with the noise for the local loss, or with that of the authors' program.
    fn new(setting: &'a Setting<'a>, named: NamedGraph, main: bool) -> anyhow::Result<Self> {
        let sigma = sigma(setting);
        let cap = if main { 1.0 / authors::ego_unit(sigma) } else { 1.0 };
        let averaging = Averaging::new(setting, &named.title, named.graph, sigma)?;
        let averaging = averaging.with_authors_cap(cap);
        Ok(Self {
            setting,
            name: named.name,
            title: named.title,
            main,
            users: means_by_user(setting, &averaging)?,
            averaging,
            sigma,
        })
    }

    /// Returns the user of the published picture, if this network has one.
    fn published(&self) -> Option<usize> {
        authors::published_user(&self.name, self.averaging.graph())
    }

    /// Returns the user drawn by the seed, or the published one with `--as-authors`.
    fn user(&self) -> usize {
        let drawn = self.setting.sample(self.users.len(), 1)[0];
        let published = self.published().filter(|_| self.setting.as_authors);
        published.unwrap_or(drawn)
    }

    /// Returns the first user with the smallest mean.
    fn chosen(&self) -> usize {
        let users = 0..self.users.len();
        let least = users.min_by(|&a, &b| self.users[a].total_cmp(&self.users[b]));
        least.unwrap_or(0)
    }

    /// Counts the users with a mean below `limit`.
    fn users_below(&self, limit: f64) -> usize {
        self.users.iter().filter(|&&mean| mean < limit).count()
    }

    /// Returns the share of users with a mean below `limit`.
    fn share_below(&self, limit: f64) -> f64 {
        self.users_below(limit) as f64 / self.users.len().max(1) as f64
    }

    /// Computes all accounts of a user.
    fn losses_around(&self, user: usize) -> anyhow::Result<Losses> {
        let formula = self.averaging.bound_around(user)?;
        let leaked = self.averaging.leakage_towards(user)?;
        let refreshed = self.averaging.refreshed_towards(user)?.losses;
        let distances = self.averaging.graph().distances_from(user);
        let beyond = [&formula, &leaked.estimates, &refreshed]
            .map(|losses| Beyond::of(distances.iter().copied().zip(losses.iter().copied())));
        Ok(Losses {
            user,
            formula,
            leakage: leaked.estimates,
            at_most: leaked.at_most,
            refreshed,
            beyond,
        })
    }

    /// Returns the label of a user in the file.
    fn label(&self, user: usize) -> String {
        self.averaging.graph().label(user)
    }

    /// Formats a row of the summary.
    fn row(&self, losses: &Losses) -> Vec<String> {
        let graph = self.averaging.graph();
        let [bound, leaked, certified] = losses.beyond;
        let numbers = [bound.mean, leaked.mean, leaked.given_away, certified.mean];
        let shares = SMALL.map(|(_, limit)| self.share_below(limit));
        let (nodes, edges, steps) = (graph.nodes(), graph.edge_count(), self.averaging.steps);
        let user = self.label(losses.user);
        let numbers = numbers.into_iter().chain(shares);
        let mut row = row![self.name, nodes, edges, steps, user; numbers];
        row.extend(row![self.label(self.chosen()), self.users[self.chosen()]]);
        row.extend(match self.published() {
            Some(user) => row![self.label(user), self.users[user]],
            None => row!["", ""],
        });
        row
    }

    /// Draws the network, coloured by the formula for a user who was found in this `way`.
    fn drawing(&self, losses: &Losses, way: &str) -> anyhow::Result<GraphDrawing> {
        let user = self.label(losses.user);
        let bound = self.setting.refuted_bound();
        let title = format!("{}: {bound}, user {user}, {way}", self.title);
        let graph = self.averaging.graph().clone();
        // The program shows losses in Figure 1b and multiples of L elsewhere.
        let in_losses = self.setting.as_authors && self.main;
        let unit = if in_losses { authors::ego_unit(self.sigma) } else { 1.0 };
        let losses = losses.formula.iter().map(|loss| loss.map(|loss| loss * unit));
        let drawing = GraphDrawing::try_new(title, graph, losses.collect())?;
        let drawing = drawing.marked_as(self.setting.marked());
        Ok(if in_losses { drawing.headed(format!("loss (LDP: {})", short(unit))) } else { drawing })
    }

    /// Draws the pictures of a user.
    fn plates(&self, losses: &Losses) -> anyhow::Result<Vec<Plate>> {
        let title = &self.title;
        let name = if self.main { "fig1b".into() } else { format!("fig5_{}", self.name) };
        let caption = choose(
            self.setting.as_authors,
            "loss of one user (marked) towards all others, by the formula",
            "loss of all others towards one user (marked), by the formula",
        );
        let drawing =
            self.drawing(losses, choose(self.setting.as_authors, "as published", "drawn"))?;
        let mut plates = vec![Plate::new(&name, format!("{title}: {caption}."), drawing)];
        if !self.main {
            return Ok(plates);
        }
        let most = losses.at_most.iter().flatten().copied().fold(0.0, f64::max);
        let estimates = format!(
            "what this user learns about each other user (estimates; certified upper bounds are \
             at most {})",
            short(most)
        );
        let refreshed = "loss with fresh noise, certified".to_string();
        for (part, heading, caption, losses) in [
            ("leakage", "one-shot leakage (estimate)", estimates, &losses.leakage),
            ("refreshed", "fresh noise, certified", refreshed, &losses.refreshed),
        ] {
            let heading = format!("{title}: {heading} towards one user");
            let graph = self.averaging.graph().clone();
            let drawing = GraphDrawing::try_new(heading, graph, losses.clone())?;
            let caption = format!("{title}: {caption}.");
            plates.push(Plate::new(&format!("{name}_{part}"), caption, drawing));
        }
        Ok(plates)
    }

    fn finding(&self, losses: &Losses) -> Finding {
        let [bound, leaked, certified] = losses.beyond;
        let [half, tenth] = SMALL.map(|(_, limit)| 100.0 * self.share_below(limit));
        Finding::claimed(
            format!("{}: the loss is small beyond the user's neighbours.", self.title),
            format!(
                "The mean of the formula over users at distance 2 or more, capped at LDP, is {} \
                 for user {}: {}. Their mean one-shot leakage is {} (estimate), and {:.0} % of \
                 them lose more than 99 % of what LDP loses; with fresh noise of sigma/sqrt(n) \
                 the certified mean is {}. The formula's mean is below half of LDP for {half:.1} % \
                 of all users and below a tenth for {tenth:.1} %.",
                short(bound.mean),
                self.label(losses.user),
                size(bound.mean),
                short(leaked.mean),
                100.0 * leaked.given_away,
                short(certified.mean),
            ),
        )
    }

    /// Reports on the user with the smallest formula, and on the published one.
    fn best_user(&self) -> anyhow::Result<(Plate, Finding)> {
        let losses = self.losses_around(self.chosen())?;
        let (title, user) = (&self.title, self.label(losses.user));
        let plate = Plate::new(
            "fig1b_chosen",
            format!(
                "{title}: the formula for user {user}, who was not drawn but chosen: of all users \
                 it has the smallest mean beyond its neighbours."
            ),
            self.drawing(&losses, "chosen")?,
        );
        let published = self.published().map(|user| {
            let mean = self.users[user];
            format!(
                " For user {}, whom the authors' program shows, the formula's mean is {}: {}.",
                self.label(user),
                short(mean),
                size(mean)
            )
        });
        let [bound, leaked, certified] = losses.beyond.map(|beyond| short(beyond.mean));
        let finding = Finding::measured(
            format!("{title}: the best case, chosen."),
            format!(
                "User {user} has the smallest mean of the formula at distance 2 or more, {bound}: \
                 {}. The mean one-shot leakage there is {leaked} (estimate); the certified mean \
                 with fresh noise is {certified}.{}",
                size(losses.beyond[0].mean),
                published.unwrap_or_default()
            ),
        );
        Ok((plate, finding))
    }
}

/// Computes the mean of the formula beyond the neighbours for every user.
fn means_by_user(setting: &Setting<'_>, averaging: &Averaging<'_>) -> anyhow::Result<Vec<f64>> {
    let bound = averaging.bound_of_pairs()?;
    let graph = averaging.graph();
    let mean = |user: usize| {
        let distances = graph.distances_from(user).into_iter().enumerate();
        let pairs = distances.map(|(other, distance)| {
            let (source, observer) = if setting.as_authors { (user, other) } else { (other, user) };
            (distance, bound(source, observer))
        });
        Beyond::of(pairs).mean
    };
    Ok((0..graph.nodes()).map(mean).collect())
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
    let verdict = match counts {
        [half, tenth] if half == all && tenth == all => "It does.",
        [half, _] if half == all => "It does if half of LDP is small.",
        _ => "Not for all.",
    };
    let share = |count: usize| {
        let percent = 100.0 * count as f64 / all.max(1) as f64;
        format!("{count} of {all} ({percent:.1} %)")
    };
    let [half, tenth] = counts.map(share);
    Finding::claimed(
        "Any user gives the picture of the main text.",
        format!(
            "{verdict} Over all networks the formula's mean beyond the neighbours is below half of \
             LDP for {half} users and below a tenth for {tenth}. Over all sources the formula adds \
             up to exactly the number of messages; towards a user with more than n/T neighbours \
             its mean therefore exceeds LDP after T steps."
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;
    use muffliato::model::families;
    use muffliato::plot::{Picture, PictureFormat};

    /// The authors' program has different noise, another user, the other direction, and in
    /// Figure 1b other units, which the legend names.
    #[test]
    fn the_authors_show_another_user_in_other_units() {
        let session = Session::new(true);
        let graph = || NamedGraph {
            name: "348".into(),
            title: "star".into(),
            graph: families::star(12).unwrap(),
        };
        let [paper, authors] = [false, true].map(|authors| Setting::quick(&session, authors));
        assert!((local_loss(&paper) - 5.0).abs() < 1e-12);
        assert!((local_loss(&authors) - 0.2).abs() < 1e-12);
        for (setting, main, marked, heading, limit) in [
            (&paper, true, "observer", "loss in units of L", f64::INFINITY),
            (&authors, true, "source", "loss (LDP: 0.267)", 3.75 + 1e-9),
            (&authors, false, "source", "loss in units of L", 1.0),
        ] {
            let ego = Ego::new(setting, graph(), main).unwrap();
            let losses = ego.losses_around(ego.user()).unwrap();
            let drawing = ego.drawing(&losses, "drawn").unwrap();
            let svg = Picture::from(drawing).encode(PictureFormat::Svg).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            assert!(svg.contains(marked) && svg.contains(heading), "{svg}");
            let formula = losses.formula.iter().flatten();
            let most = formula.fold(0.0_f64, |a, &b| a.max(b));
            assert!(most <= limit, "{most}");
            assert_eq!(ego.row(&losses).len(), SUMMARY.split(',').count());
        }
        let gallery = Ego::new(&authors, graph(), false).unwrap();
        assert_eq!((gallery.user(), gallery.published()), (1, Some(1)));
        let drawn = Ego::new(&paper, graph(), false).unwrap();
        assert_eq!(drawn.user(), paper.sample(12, 1)[0]);
    }

    #[test]
    fn neighbours_are_left_out_and_losses_capped() {
        let losses = [None, Some(7.0), Some(3.0), Some(0.5)];
        let pairs = losses.into_iter().enumerate();
        let pairs = pairs.map(|(distance, loss)| (Some(distance), loss));
        let found = Beyond::of(pairs.chain([(None, Some(1.0))]));
        assert_eq!((found.mean, found.given_away), (0.75, 0.5));
    }

    /// The search agrees with the account of each user in both directions, and finds the minimum.
    #[test]
    fn the_search_is_the_account_of_each_user() {
        let session = Session::new(true);
        for as_authors in [false, true] {
            let setting = Setting::quick(&session, as_authors);
            let named = NamedGraph {
                name: "karate".into(),
                title: "karate".into(),
                graph: families::karate().unwrap(),
            };
            let ego = Ego::new(&setting, named, false).unwrap();
            for (user, found) in ego.users.iter().enumerate() {
                let distances = ego.averaging.graph().distances_from(user);
                let losses = ego.averaging.bound_around(user).unwrap();
                let mean = Beyond::of(distances.into_iter().zip(losses)).mean;
                assert!((found - mean).abs() < 1e-9, "{user}");
            }
            let least = ego.users[ego.chosen()];
            assert!(ego.users.iter().all(|&mean| mean >= least));
            assert_eq!((ego.users_below(2.0), ego.share_below(least)), (34, 0.0));
        }
    }

    #[test]
    fn words_follow_from_the_numbers() {
        assert_eq!(size(0.05), "below a tenth of LDP");
        assert_eq!(size(0.1), "below half of LDP");
        assert_eq!(size(0.5), "not below half of LDP");
        for (counts, word) in
            [([10, 10], "It does."), ([10, 4], "It does if half"), ([9, 9], "Not for all.")]
        {
            let found = any_user(counts, 10).found;
            assert!(found.starts_with(word), "{found}");
        }
        let found = any_user([3, 1], 10).found;
        assert!(found.contains("3 of 10 (30.0 %) users"), "{found}");
    }
}
