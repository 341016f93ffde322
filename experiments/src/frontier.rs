//! Privacy and error of one graph as tau varies.

use super::refresh::{DELTA, EPSILON};
use super::setting::{Setting, gap_of};
use muffliato::account::{
    Account, Choice, Formulas, Loss, NoiseGain, Observers, Status, steps_to_mix,
};
use muffliato::fast::acceleration_fraction;
use muffliato::prelude::{Fraction, GraphSpec, LossModel, Protocol};

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
    observers: Observers,
    /// The noise of LDP at the target.
    local_sigma: f64,
}

/// What a tau gives.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The largest leakage from distance 2 and more.
    pub leakage: f64,
    /// What is known about it.
    pub status: Status,
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

/// What a neighbour loses: all of its input.
fn local_loss() -> Loss {
    Loss::between(1.0, 1.0, LossModel::SingleInput)
}

impl Frontier {
    /// The protocol on this graph: steps for the rate of plain or of accelerated gossip.
    pub fn of(setting: &Setting<'_>, graph: &str, accelerated: bool) -> anyhow::Result<Self> {
        let built = graph.parse::<GraphSpec>()?.build()?;
        let nodes = built.nodes();
        let observers = match graph.starts_with("regular") {
            true => Observers::Listed(setting.sample(nodes, 2)),
            false => Observers::Listed(vec![0]),
        };
        let network = setting.network(built)?;
        let bar = setting.session.progress("steps");
        let steps = steps_to_mix(&"one-shot".parse()?, &network, accelerated, 1.0, 1.0, &bar)?;
        let steps = steps.max(2);
        let mut protocol = Protocol::one_shot(network.clone(), steps)?;
        if accelerated {
            protocol = protocol.accelerated(acceleration_fraction(gap_of(&network)?)?)?;
        }
        Ok(Self {
            name: graph.into(),
            nodes,
            accelerated,
            steps,
            gain: NoiseGain::of(&protocol, &setting.session.progress("expected error"))?,
            protocol,
            observers,
            local_sigma: local_loss().sigma_for(EPSILON, DELTA, 1.0)?,
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

    /// The largest loss from distance 2 and more of the protocol with fresh noise of `tau` sigma, and what it takes.
    fn point(
        &self,
        setting: &Setting<'_>,
        tau: f64,
        protocol: &Protocol,
        choice: Choice,
    ) -> anyhow::Result<Point> {
        let bar = setting.session.progress(&self.name);
        let account = Account::of(protocol)?.observers(self.observers.clone());
        let account = account.formulas(Formulas::NONE).engine(choice);
        let largest = account.progress(&bar).summary()?.largest(2)?;
        let loss = largest.of_those_seen();
        let sigma = loss.sigma_for(EPSILON, DELTA, 1.0)?;
        Ok(Point {
            leakage: loss.upper(),
            status: loss.status(),
            sigma,
            error: self.gain.error(sigma, tau, 1.0),
            neighbour_epsilon: local_loss().guarantee(sigma, 1.0)?.epsilon(DELTA)?,
        })
    }

    /// Without fresh noise.
    pub fn one_shot(&self, setting: &Setting<'_>) -> anyhow::Result<Point> {
        self.point(setting, 0.0, &self.protocol, Choice::Auto)
    }

    /// All taus, certified.
    pub fn points(&self, setting: &Setting<'_>) -> anyhow::Result<Vec<(f64, Point)>> {
        let points = taus().map(|(tau, fraction)| {
            let refreshed = self.protocol.clone().refreshed(fraction)?;
            let point = self.point(setting, tau, &refreshed, Choice::Fast)?;
            Ok((tau, point))
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
