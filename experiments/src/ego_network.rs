//! A Facebook ego network: its users, losses and pictures.

use super::authors;
use super::averaging::{Averaging, Leaked};
use super::exhibit::{Plate, row};
use super::files::NamedGraph;
use super::setting::{Setting, short};
use muffliato::plot::GraphDrawing;

/// Order of the Renyi divergence.
pub const ALPHA: f64 = 1.5;
/// Local loss for which the noise is chosen.
const LOCAL_LOSS: f64 = 5.0;

/// Thresholds for a small loss beyond the neighbours, as shares of the LDP loss.
pub const SMALL: [(&str, f64); 2] = [("half", 0.5), ("a tenth", 0.1)];

pub const SUMMARY: &str = "graph,nodes,edges,steps,user,bound_beyond_neighbours,leakage_beyond_neighbours_estimate,given_away_estimate,refreshed_beyond_neighbours_certified,users_below_half,users_below_a_tenth,chosen_user,chosen_bound_beyond_neighbours,published_user,published_bound_beyond_neighbours";

/// Returns the noise.
fn sigma(setting: &Setting<'_>) -> f64 {
    if setting.as_authors {
        authors::ego_sigma(ALPHA, LOCAL_LOSS)
    } else {
        (ALPHA / (2.0 * LOCAL_LOSS)).sqrt()
    }
}

/// Returns the loss of LDP with this noise.
pub fn local_loss(setting: &Setting<'_>) -> f64 {
    ALPHA / (2.0 * sigma(setting).powi(2))
}

/// A network with its noise and steps.
pub struct Ego<'a> {
    setting: &'a Setting<'a>,
    pub name: String,
    pub title: String,
    /// `true` for the network of Figure 1b.
    pub main: bool,
    pub averaging: Averaging<'a>,
    sigma: f64,
    pub users: Users,
}

/// Losses around one user by each account; `None` for the user.
pub struct Seen {
    pub user: usize,
    /// Losses by the paper's formula.
    pub formula: Vec<Option<f64>>,
    /// Estimates for one-shot noise.
    pub leakage: Vec<Option<f64>>,
    /// Certified upper ends for one-shot noise.
    pub at_most: Vec<Option<f64>>,
    /// Certified upper ends with fresh noise.
    pub refreshed: Vec<Option<f64>>,
    /// Summary of `formula` beyond the neighbours.
    pub bound: Beyond,
    /// Summary of `leakage` beyond the neighbours.
    pub leaked: Beyond,
    /// Summary of `refreshed` beyond the neighbours.
    pub certified: Beyond,
}

impl<'a> Ego<'a> {
    /// Creates the network with the noise for the local loss, or with that of the authors' program.
    pub fn of(setting: &'a Setting<'a>, named: NamedGraph, main: bool) -> anyhow::Result<Self> {
        let sigma = sigma(setting);
        let cut = if main {
            1.0 / authors::ego_unit(sigma)
        } else {
            1.0
        };
        let averaging = Averaging::on(setting, &named.title, named.graph, sigma)?;
        let averaging = averaging.authors_cut_at(cut);
        Ok(Self {
            setting,
            name: named.name,
            title: named.title,
            main,
            users: Users::of(setting, &averaging)?,
            averaging,
            sigma,
        })
    }

    /// Returns the user of the published picture, if this network has one.
    pub fn published(&self) -> Option<usize> {
        authors::published_user(&self.name, self.averaging.graph())
    }

    /// Returns the user drawn by the seed, or the published one with `--as-authors`.
    pub fn user(&self) -> usize {
        let drawn = self.setting.sample(self.averaging.graph().nodes(), 1)[0];
        let published = self.published().filter(|_| self.setting.as_authors);
        published.unwrap_or(drawn)
    }

    /// Computes all accounts of a user.
    pub fn see(&self, user: usize) -> anyhow::Result<Seen> {
        let formula = self.averaging.bound_around(user)?;
        let Leaked {
            estimates: leakage,
            at_most,
            ..
        } = self.averaging.leakage_towards(user)?;
        let refreshed = self.averaging.refreshed_towards(user)?.losses;
        let distances = self.averaging.graph().distances_from(user);
        let beyond = |losses: &[Option<f64>]| {
            Beyond::of(distances.iter().copied().zip(losses.iter().copied()))
        };
        Ok(Seen {
            user,
            bound: beyond(&formula),
            leaked: beyond(&leakage),
            certified: beyond(&refreshed),
            formula,
            leakage,
            at_most,
            refreshed,
        })
    }

    /// Returns the label of a user in the file.
    pub fn label(&self, user: usize) -> String {
        self.averaging.graph().label(user)
    }

    /// Formats a row of the summary.
    pub fn row(&self, seen: &Seen) -> Vec<String> {
        let graph = self.averaging.graph();
        let chosen = self.users.chosen();
        let published = self.published();
        let (nodes, edges, steps) = (graph.nodes(), graph.edge_count(), self.averaging.steps);
        let around = [seen.bound.mean, seen.leaked.mean, seen.leaked.given_away];
        let numbers = around.into_iter().chain([seen.certified.mean]);
        let shares = SMALL.map(|(_, limit)| self.users.share_below(limit));
        let user = self.label(seen.user);
        let mut row = row![self.name, nodes, edges, steps, user; numbers.chain(shares)];
        row.extend(row![self.label(chosen), self.users.mean(chosen)]);
        row.extend(match published {
            Some(user) => row![self.label(user), self.users.mean(user)],
            None => row!["", ""],
        });
        row
    }

    /// Draws the network, coloured by the formula.
    pub fn drawing(&self, formula: &[Option<f64>]) -> anyhow::Result<GraphDrawing> {
        let title = format!("{}: {}", self.title, self.setting.bound_name());
        let graph = self.averaging.graph().clone();
        // The program shows losses in Figure 1b and multiples of L elsewhere.
        let in_losses = self.setting.as_authors && self.main;
        let unit = if in_losses {
            authors::ego_unit(self.sigma)
        } else {
            1.0
        };
        let losses = formula.iter().map(|loss| loss.map(|loss| loss * unit));
        let drawing = GraphDrawing::try_new(title, graph, losses.collect())?;
        let drawing = drawing.marked_as(self.setting.marked());
        Ok(if in_losses {
            drawing.headed(format!("loss (LDP: {})", short(unit)))
        } else {
            drawing
        })
    }

    /// Draws the pictures of a user.
    pub fn plates(&self, seen: &Seen) -> anyhow::Result<Vec<Plate>> {
        let name = if self.main {
            "fig1b".to_string()
        } else {
            format!("fig5_{}", self.name)
        };
        let caption = if self.setting.as_authors {
            "loss of one user (marked) towards all others, \
            by the formula"
        } else {
            "loss of all others towards one user (marked), by the formula"
        };
        let mut plates = vec![Plate::new(
            &name,
            format!("{}: {caption}.", self.title),
            self.drawing(&seen.formula)?,
        )];
        if !self.main {
            return Ok(plates);
        }
        let most = seen.at_most.iter().flatten().copied().fold(0.0, f64::max);
        let estimates = format!(
            "what this user learns about each other user (estimates; certified upper bounds are at \
             most {})",
            short(most)
        );
        for (part, title, caption, losses) in [
            (
                "leakage",
                "one-shot leakage (estimate)",
                estimates.as_str(),
                &seen.leakage,
            ),
            (
                "refreshed",
                "fresh noise, certified",
                "loss with fresh noise, certified",
                &seen.refreshed,
            ),
        ] {
            let title = format!("{}: {title} towards one user", self.title);
            let drawing =
                GraphDrawing::try_new(title, self.averaging.graph().clone(), losses.clone())?;
            plates.push(Plate::new(
                &format!("{name}_{part}"),
                format!("{}: {caption}.", self.title),
                drawing,
            ));
        }
        Ok(plates)
    }
}

/// Losses between a user and the users at distance 2 or more, each capped at LDP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// Mean; 0 if there are no such users.
    pub mean: f64,
    /// Share of losses above 0.99.
    pub given_away: f64,
}

impl Beyond {
    /// Summarises pairs of a distance and a loss.
    pub fn of(pairs: impl IntoIterator<Item = (Option<usize>, Option<f64>)>) -> Self {
        let far = pairs.into_iter().filter_map(|(distance, loss)| {
            let loss = loss?.min(1.0);
            (distance? >= 2).then_some(loss)
        });
        let far: Vec<f64> = far.collect();
        let count = far.len().max(1) as f64;
        let open = far.iter().filter(|&&loss| loss > 0.99).count();
        Self {
            mean: far.iter().sum::<f64>() / count,
            given_away: open as f64 / count,
        }
    }
}

/// Mean of the formula beyond the neighbours, by user.
pub struct Users(Vec<f64>);

impl Users {
    /// Computes the mean towards each user, or from each with `--as-authors`.
    pub fn of(setting: &Setting<'_>, averaging: &Averaging<'_>) -> anyhow::Result<Self> {
        let bound = averaging.bound_of_pairs()?;
        let graph = averaging.graph();
        let mean = |user: usize| {
            let distances = graph.distances_from(user).into_iter().enumerate();
            let pairs = distances.map(|(other, distance)| {
                if setting.as_authors {
                    (distance, bound(user, other))
                } else {
                    (distance, bound(other, user))
                }
            });
            Beyond::of(pairs).mean
        };
        Ok(Self((0..graph.nodes()).map(mean).collect()))
    }

    pub fn mean(&self, user: usize) -> f64 {
        self.0[user]
    }

    /// Returns the first user with the smallest mean.
    pub fn chosen(&self) -> usize {
        let users = 0..self.0.len();
        let least = users.min_by(|&a, &b| self.0[a].total_cmp(&self.0[b]));
        least.unwrap_or(0)
    }

    /// Counts the users with a mean below `limit`.
    pub fn below(&self, limit: f64) -> usize {
        self.0.iter().filter(|&&mean| mean < limit).count()
    }

    /// Returns the share of users with a mean below `limit`.
    pub fn share_below(&self, limit: f64) -> f64 {
        self.below(limit) as f64 / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;
    use muffliato::model::families;
    use muffliato::plot::{Picture, PictureFormat};

    /// The authors' program has different noise, another user, the other direction, and in Figure
    /// 1b other units, which the legend names.
    #[test]
    fn the_authors_show_another_user_in_other_units() {
        let session = Session::new(true);
        let graph = || NamedGraph {
            name: "348".into(),
            title: "star".into(),
            graph: families::star(12).unwrap(),
        };
        let (paper, authors) = (
            Setting::quick(&session, false),
            Setting::quick(&session, true),
        );
        assert!((local_loss(&paper) - 5.0).abs() < 1e-12);
        assert!((local_loss(&authors) - 0.2).abs() < 1e-12);
        for (setting, main, marked, heading) in [
            (&paper, true, "observer", "loss in units of L"),
            (&authors, true, "source", "loss (LDP: 0.267)"),
            (&authors, false, "source", "loss in units of L"),
        ] {
            let ego = Ego::of(setting, graph(), main).unwrap();
            let seen = ego.see(ego.user()).unwrap();
            let drawing = ego.drawing(&seen.formula).unwrap();
            let svg = Picture::from(drawing).encode(PictureFormat::Svg).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            assert!(svg.contains(marked) && svg.contains(heading), "{svg}");
            let most = seen
                .formula
                .iter()
                .flatten()
                .fold(0.0_f64, |a, &b| a.max(b));
            let limit = match (setting.as_authors, main) {
                (false, _) => f64::INFINITY,
                (true, true) => 3.75 + 1e-9,
                (true, false) => 1.0,
            };
            assert!(most <= limit, "{most}");
            assert_eq!(ego.row(&seen).len(), SUMMARY.split(',').count());
        }
        let gallery = Ego::of(&authors, graph(), false).unwrap();
        assert_eq!((gallery.user(), gallery.published()), (1, Some(1)));
        let drawn = Ego::of(&paper, graph(), false).unwrap();
        assert_eq!(drawn.user(), paper.sample(12, 1)[0]);
    }

    #[test]
    fn neighbours_are_left_out_and_losses_cut() {
        let pairs = [
            (Some(0), None),
            (Some(1), Some(7.0)),
            (Some(2), Some(3.0)),
            (Some(3), Some(0.5)),
            (None, Some(1.0)),
        ];
        let found = Beyond::of(pairs);
        assert_eq!((found.mean, found.given_away), (0.75, 0.5));
    }

    /// The search agrees with the account of each user in both directions, and finds the minimum.
    #[test]
    fn the_search_is_the_account_of_each_user() {
        let session = Session::new(true);
        for as_authors in [false, true] {
            let setting = Setting::quick(&session, as_authors);
            let graph = families::karate().unwrap();
            let averaging = Averaging::on(&setting, "karate", graph, 1.0).unwrap();
            let users = Users::of(&setting, &averaging).unwrap();
            let means: Vec<f64> = (0..34)
                .map(|user| {
                    let distances = averaging.graph().distances_from(user);
                    let losses = averaging.bound_around(user).unwrap();
                    Beyond::of(distances.into_iter().zip(losses)).mean
                })
                .collect();
            for (user, mean) in means.iter().enumerate() {
                assert!((users.mean(user) - mean).abs() < 1e-9, "{user}");
            }
            let least = means.iter().copied().fold(f64::INFINITY, f64::min);
            assert!((users.mean(users.chosen()) - least).abs() < 1e-9);
            assert_eq!(users.below(2.0), 34);
            assert_eq!(users.share_below(users.mean(users.chosen())), 0.0);
        }
    }
}
