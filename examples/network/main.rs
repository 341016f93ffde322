//! A graph as processes on 127.0.0.1, one for each node, with encrypted links.
//!
//! ```text
//! cargo run --release --example network -- karate
//! muffliato plan karate --steps 80 --epsilon 1 --delta 1e-6 --plan-out plan.json
//! cargo run --release --example network -- karate --plan plan.json --kill 5:9 --lose 20:60 --certificate claim.json
//! ```
//!
//! The first process is a bulletin board: it starts the others, publishes their ports and public keys, starts a node that
//! crashed again, announces who does not come back, and learns no secret. It ends with the mean, its error beside the predicted
//! one, the guarantee, and a certificate for one pair.

mod board;
mod participant;

use muffliato::account::Target;
use muffliato::fast::noise::Grid;
use muffliato::model::Step;
use muffliato::prelude::*;
use muffliato_design::read_plan;
use muffliato_node::{NodeProtocol, Secrets, Terms};
use std::sync::Arc;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What the operators agreed on; every process builds it from the same arguments.
struct Plan {
    graph: String,
    steps: usize,
    kappa: String,
    /// A plan of `muffliato plan`, in place of steps and kappa.
    plan: Option<String>,
    epsilon: f64,
    delta: f64,
    /// Replaces all secrets, to compare with `muffliato average`.
    seed: Option<u64>,
    /// Nodes that do not show up.
    absent: Vec<usize>,
}

/// The public guess of the values, which lie between 0 and 1.
const GUESS: f64 = 0.5;
const SENSITIVITY: f64 = 1.0;

/// The value of a node: anything between 0 and 1.
fn value_of(node: usize) -> f64 {
    (node * 37 % 101) as f64 / 100.0
}

impl Plan {
    fn protocol(&self) -> Result<Protocol, Failure> {
        let network = Network::metropolis(self.graph.parse()?)?;
        if let Some(path) = &self.plan {
            let (plan, steps) = read_plan(&std::fs::read_to_string(path)?, network.graph())?;
            return Ok(Protocol::one_shot(network, steps)?.with_plan(plan)?);
        }
        Ok(Protocol::one_shot(network, self.steps)?.masked(self.kappa.parse()?)?)
    }

    /// The protocol of those present, if it meets the target.
    fn agreed(&self) -> Result<Arc<NodeProtocol>, Failure> {
        let protocol = self.protocol()?;
        let (run, grid) = (*b"network, 1st run", Grid::try_new(2_f64.powi(-16))?);
        let mut terms = Terms { sigma: 1.0, sensitivity: SENSITIVITY, coordinates: 1, grid, run };
        // The smallest noise that meets the target if everybody is there.
        let target = Target::new(self.epsilon, self.delta);
        terms.sigma = account(&terms, &protocol)?.calibrate(&target, SENSITIVITY)?.sigma()?;
        let accounted = terms.clone();
        let epsilon = |present: &Protocol| {
            let promise = account(&accounted, present)?.summary()?.largest(1)?.promised()?;
            Ok::<f64, Failure>(promise.at(accounted.sigma, SENSITIVITY)?.epsilon(self.delta)?)
        };
        NodeProtocol::of_present(&protocol, &self.absent, terms, self.epsilon, epsilon)
    }

    fn secrets(&self, keys: Vec<(usize, muffliato::fast::noise::SharedKey)>) -> Secrets {
        self.seed.map_or(Secrets::Keys(keys), Secrets::Seed)
    }
}

/// The account of a protocol as nodes run it.
///
/// All results are published, which is one more message to everybody. What is computed from masked
/// states does not matter, but of two nodes that are farther apart than the steps an account says
/// that nothing arrives. Nobody may be so far away, on the edges that are there to the end.
fn account<'a>(terms: &Terms, protocol: &'a Protocol) -> Result<Account<'a>, Failure> {
    let steps = protocol.steps();
    if let Step::Network(network) = protocol.step(steps - 1) {
        let far = |v| network.graph().distances_from(v).into_iter().flatten().any(|d| d > steps);
        if (0..protocol.nodes()).any(far) {
            return Err("results are published: take at least as many steps as the diameter".into());
        }
    }
    Ok(terms.account(protocol).observers(Observers::All).threads(1).build()?)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name)?;
        arguments.get(place + 1).cloned()
    };
    let number = |name: &str, default: &str| option(name).unwrap_or_else(|| default.into());
    let list = |name: &str| {
        option(name)
            .into_iter()
            .flat_map(|text| text.split(',').map(String::from).collect::<Vec<_>>())
    };
    let absent = list("--absent").map(|node| node.parse()).collect::<Result<_, _>>()?;
    let plan = Plan {
        graph: arguments.first().cloned().ok_or("give a graph, such as karate")?,
        steps: number("--steps", "80").parse()?,
        kappa: number("--kappa", "3"),
        plan: option("--plan"),
        epsilon: number("--epsilon", "1").parse()?,
        delta: number("--delta", "1e-6").parse()?,
        seed: option("--seed").map(|seed| seed.parse()).transpose()?,
        absent,
    };
    match option("--node") {
        Some(node) => {
            let folder = option("--folder").ok_or("a node needs a folder for its state")?;
            let board = option("--board").ok_or("a node needs the port of the board")?;
            let die = option("--die").map(|event| event.parse()).transpose()?;
            participant::run(&plan, node.parse()?, board.parse()?, folder.as_ref(), die)
        }
        None => {
            board::run(&plan, &arguments, list("--kill"), list("--lose"), option("--certificate"))
        }
    }
}
