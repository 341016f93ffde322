//! Privacy and error of one graph as tau varies.

use super::averaging::refreshed;
use super::refresh::{DELTA, EPSILON};
use super::setting::{Setting, gap_of};
use muffliato::account::NoiseGain;
use muffliato::fast::{
    Enclosure, GaussianPrivacy, OneShot, OneShotOptions, Rate, acceleration_fraction,
    calibrate_sigma, steps_to_converge,
};
use muffliato::prelude::{Fraction, GraphSpec, Observer, Protocol};

/// One protocol, ready to be asked at each tau.
pub struct Frontier {
    /// What the graph is called.
    pub name: String,
    /// Its size.
    pub nodes: usize,
    /// Whether gossip is accelerated.
    pub accelerated: bool,
    /// The number of steps.
    pub steps: usize,
    protocol: Protocol,
    gain: NoiseGain,
    observers: Vec<usize>,
    /// The noise of LDP at the target.
    local_sigma: f64,
}

/// What a tau gives.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The largest leakage from distance 2 and more; certified unless it is the one-shot one.
    pub leakage: f64,
    /// The noise that meets the target.
    pub sigma: f64,
    /// The expected error with it.
    pub error: f64,
    /// What neighbours get: the epsilon of their leakage 1.
    pub neighbour_epsilon: f64,
}

/// Fresh noise from 1e-4 to 1, three for each power of ten.
fn taus() -> impl Iterator<Item = (f64, Fraction)> {
    (0..=12).filter_map(|k| {
        let tau = 10_f64.powf(-4.0 + f64::from(k) / 3.0);
        let below = 1_000_000;
        let above = (tau * below as f64).round() as i128;
        let fraction = Fraction::try_new(above, below).ok()?;
        Some((above as f64 / below as f64, fraction))
    })
}

impl Frontier {
    /// The protocol on this graph: steps for the rate of plain or of accelerated gossip.
    pub fn of(setting: &Setting<'_>, graph: &str, accelerated: bool) -> anyhow::Result<Self> {
        let built = graph.parse::<GraphSpec>()?.build()?;
        let nodes = built.nodes();
        let observers = match graph.starts_with("regular") {
            true => setting.sample(nodes, 2),
            false => vec![0],
        };
        let network = setting.network(built)?;
        let gap = gap_of(&network)?;
        // Plain gossip converges at the rate of the gap, as if the root were the gap itself.
        let rate = if accelerated { gap } else { gap * gap };
        let steps = steps_to_converge(Rate::Accelerated, rate, nodes, 0.25, 1.0)?.max(2);
        let mut protocol = Protocol::one_shot(network, steps)?;
        if accelerated {
            protocol = protocol.accelerated(acceleration_fraction(gap)?)?;
        }
        Ok(Self {
            name: graph.into(),
            nodes,
            accelerated,
            steps,
            gain: NoiseGain::of(&protocol, &setting.session.progress("expected error"))?,
            protocol,
            observers,
            local_sigma: calibrate_sigma(&Enclosure::exact(1.0), 1.0, EPSILON, DELTA)?,
        })
    }

    /// The error of everybody telling the noisy value to everybody.
    pub fn local(&self) -> f64 {
        self.local_sigma.powi(2) / (2.0 * self.nodes as f64)
    }

    /// The error of a trusted aggregator that adds noise to the mean.
    pub fn trusted(&self) -> f64 {
        self.local() / self.nodes as f64
    }

    fn point(&self, leakage: f64, tau: f64) -> anyhow::Result<Point> {
        let sigma = calibrate_sigma(&Enclosure::exact(leakage), 1.0, EPSILON, DELTA)?;
        let neighbours = GaussianPrivacy::of_leakage(&Enclosure::exact(1.0), 1.0, sigma)?;
        Ok(Point {
            leakage,
            sigma,
            error: self.gain.error(sigma, tau, 1.0),
            neighbour_epsilon: neighbours.epsilon_upper(DELTA)?,
        })
    }

    /// The largest loss from distance 2 and more.
    fn largest(
        &self,
        losses: impl Fn(usize) -> anyhow::Result<Vec<Option<f64>>>,
    ) -> anyhow::Result<f64> {
        let mut largest = 0.0_f64;
        for &observer in &self.observers {
            let distances = self.protocol.graph()?.distances_from(observer);
            let far = losses(observer)?.into_iter().zip(distances);
            let far = far.filter(|(_, distance)| distance.is_some_and(|distance| distance >= 2));
            largest = far.filter_map(|(loss, _)| loss).fold(largest, f64::max);
        }
        Ok(largest)
    }

    /// Without fresh noise: an estimate.
    pub fn one_shot(&self, setting: &Setting<'_>) -> anyhow::Result<Point> {
        let views = OneShot::try_new(&self.protocol, OneShotOptions::default())?;
        let leakage = self.largest(|observer| {
            let bar = setting.session.progress(&self.name);
            let found = views.leakages_of(&[Observer::full(observer)], &bar, |view| {
                let leakages = view.leakages().iter();
                leakages
                    .map(|loss| loss.map(|loss| loss.estimate))
                    .collect()
            })?;
            Ok(found.into_iter().next().unwrap_or_default())
        })?;
        self.point(leakage, 0.0)
    }

    /// All taus, certified.
    pub fn points(&self, setting: &Setting<'_>) -> anyhow::Result<Vec<(f64, Point)>> {
        let points = taus().map(|(tau, fraction)| {
            let leakage = self.largest(|observer| {
                Ok(refreshed(setting, &self.protocol, fraction, observer)?.losses)
            })?;
            Ok((tau, self.point(leakage, tau)?))
        });
        points.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use muffliato::command::session::Session;

    /// More fresh noise never reveals more; at its best it is far better than LDP, and no better than trust.
    #[test]
    fn the_frontier_lies_between_ldp_and_trust() {
        let session = Session::new(true);
        let setting = Setting::quick(&session, false);
        let frontier = Frontier::of(&setting, "hypercube:7", true).unwrap();
        let points = frontier.points(&setting).unwrap();
        for pair in points.windows(2) {
            assert!(
                pair[1].1.leakage <= pair[0].1.leakage * (1.0 + 1e-9),
                "{pair:?}"
            );
        }
        let best = points
            .iter()
            .map(|point| point.1.error)
            .fold(f64::INFINITY, f64::min);
        println!(
            "{best} between {} and {}",
            frontier.trusted(),
            frontier.local()
        );
        assert!(best > frontier.trusted() && best < 0.5 * frontier.local());
    }
}
