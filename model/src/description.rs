//! The description of a protocol in words: everything that its losses depend on, except the graph itself.

use crate::{Protocol, Schedule};

impl Protocol {
    /// Describes the protocol in words: schedule, weights, fresh noise, masks, participation, acceleration and reactions.
    ///
    /// Sentences about a guarantee or a certificate are made from it, so that none of them leaves a condition out.
    ///
    /// ```
    /// use muffliato_model::{Network, Protocol};
    ///
    /// let network = Network::metropolis("path:3".parse()?)?;
    /// let protocol = Protocol::gradient_descent(network, 4, 2)?.refreshed("1/10".parse()?)?.every(2)?;
    /// assert_eq!(
    ///     protocol.describe(),
    ///     "4 rounds of gradient descent with 2 gossip steps each on 3 nodes with metropolis weights, \
    ///      fresh noise of 0.1 sigma at every step between rounds, each node's data used in every 2nd round"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let steps = plural(self.gossip_steps(), "gossip step");
        let mut text = match self.rounds() {
            1 => steps,
            rounds => format!("{rounds} rounds of gradient descent with {steps} each"),
        };
        text += &format!(" on {} nodes", self.nodes());
        text += &match self.schedule() {
            Schedule::Fixed(network) => format!(" with {} weights", network.weights()),
            Schedule::Varying { networks, .. } => {
                let mut schemes: Vec<String> =
                    networks.iter().map(|network| network.weights().to_string()).collect();
                schemes.sort_unstable();
                schemes.dedup();
                format!(
                    ", on one given graph after the other with {} weights",
                    schemes.join(" or ")
                )
            }
            Schedule::EdgeSequence { .. } => ", along one given edge at each step".into(),
        };
        let when = match self.rounds() {
            1 => "at every step after the first",
            _ => "at every step between rounds",
        };
        let whose = match self.masks().and_then(|masks| masks.graph()) {
            None => "neighbours",
            Some(_) => "the neighbours of another graph",
        };
        match self.uniform() {
            Ok(sizes) => {
                if let Some(tau) = sizes.tau {
                    text += &format!(", fresh noise of {} sigma {when}", tau.decimal());
                }
                if let Some(kappa) = sizes.kappa {
                    text += &format!(", masks of {} sigma that {whose} share", kappa.decimal());
                }
            }
            Err(_) => {
                text += ", noise of its own size at each node";
                if self.is_refreshed() {
                    text += &format!(", fresh noise of its own size at each node {when}");
                }
                if self.masks().is_some() {
                    text += &format!(", masks of their own size that {whose} share");
                }
                text += " (a noise plan)";
            }
        }
        if self.period() > 1 {
            let every = ordinal(self.period());
            text += &format!(", each node's data used in every {every} round");
        }
        if let Some(rate) = self.sampling() {
            text +=
                &format!(", each record used with probability {} in each round", rate.decimal());
        }
        if let Some(g) = self.acceleration() {
            text += &format!(", accelerated with g = {}", g.decimal());
        }
        if let Some(factors) = self.reaction() {
            let mut factors: Vec<String> = factors.iter().map(ToString::to_string).collect();
            factors.dedup();
            text += &match &factors[..] {
                [factor] => format!(", each node reacting to its state with the factor {factor}"),
                _ => ", each node reacting to its state with its own factor".into(),
            };
        }
        text
    }
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

fn ordinal(number: usize) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;
    use crate::{Network, Protocol};

    #[test]
    fn a_description_names_every_condition() {
        let network = || Network::metropolis("path:4".parse().unwrap()).unwrap();
        let fraction = |text: &str| text.parse().unwrap();
        let plain = Protocol::one_shot(network(), 3).unwrap();
        let described = plain.describe();
        assert_eq!(described, "3 gossip steps on 4 nodes with metropolis weights");
        let accelerated = plain.clone().accelerated(fraction("5/4")).unwrap();
        assert!(accelerated.describe().ends_with("accelerated with g = 1.25"));
        let masked = plain.masked(fraction("3")).unwrap().describe();
        assert!(masked.contains("masks of 3 sigma that neighbours share"), "{masked}");
        let reacting = Protocol::gradient_descent(network(), 2, 1).unwrap();
        let reacting = reacting.reacting(vec![fraction("1/2"); 4]).unwrap().describe();
        assert!(reacting.ends_with("with the factor 1/2"), "{reacting}");
        let edges = vec![(0, 1), (1, 2)];
        let graph = network().shared_graph();
        let random = Protocol::randomized(graph, edges).unwrap().describe();
        assert_eq!(random, "2 gossip steps on 4 nodes, along one given edge at each step");
    }

    #[test]
    fn ordinals_have_their_suffixes() {
        let found = [1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal);
        let expected = "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 103rd 111th";
        assert_eq!(found.join(" "), expected);
    }
}
