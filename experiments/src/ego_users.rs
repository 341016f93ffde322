//! All users of a network, and how much of each is lost outside of its neighbours.

use super::averaging::Averaging;
use super::setting::Setting;

/// Losses between one user and those at distance 2 and more, each cut off at LDP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// Their mean; 0 if there are none.
    pub mean: f64,
    /// The share of them that is above 0.99.
    pub given_away: f64,
}

impl Beyond {
    /// Of pairs of a distance and a loss.
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

/// The mean of the formula beyond the neighbours, for each user.
pub struct Users(Vec<f64>);

impl Users {
    /// Of all users: towards each of them, or from each as in the authors' program.
    pub fn of(setting: &Setting<'_>, averaging: &Averaging<'_>) -> anyhow::Result<Self> {
        let bound = averaging.bound_of_pairs()?;
        let graph = averaging.graph();
        let mean = |user: usize| {
            let distances = graph.distances_from(user).into_iter().enumerate();
            let pairs = distances.map(|(other, distance)| match setting.as_authors {
                true => (distance, bound(user, other)),
                false => (distance, bound(other, user)),
            });
            Beyond::of(pairs).mean
        };
        Ok(Self((0..graph.nodes()).map(mean).collect()))
    }

    /// The mean of one user.
    pub fn mean(&self, user: usize) -> f64 {
        self.0[user]
    }

    /// The user with the smallest mean, the first of them.
    pub fn chosen(&self) -> usize {
        let users = 0..self.0.len();
        let least = users.min_by(|&a, &b| self.0[a].total_cmp(&self.0[b]));
        least.unwrap_or(0)
    }

    /// How many users have a mean below the limit.
    pub fn below(&self, limit: f64) -> usize {
        self.0.iter().filter(|&&mean| mean < limit).count()
    }

    /// The same as a share of all users.
    pub fn share_below(&self, limit: f64) -> f64 {
        self.below(limit) as f64 / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;
    use muffliato::model::families;

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

    /// The search agrees with the account of one user, in both directions, and finds the least.
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
