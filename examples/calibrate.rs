//! Calibrates the noise for (1, 1e-6)-differential privacy towards all nodes at distance 3 or more.
//!
//! `cargo run --release --example calibrate`

use muffliato::account::{Protect, Target};
use muffliato::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = Network::metropolis("hypercube:7".parse()?)?;
    let target = Target { protect: Protect::Distance(3), ..Target::new(1.0, 1e-6) };
    for tau in ["0.03", "0.1", "0.3"] {
        let protocol = Protocol::one_shot(network.clone(), 10)?.refreshed(tau.parse()?)?;
        // All nodes of a hypercube are alike: one observer stands for all.
        let account = Account::of(&protocol).observers(Observers::Listed(vec![0])).build()?;
        let found = account.calibrate(&target, 1.0)?;
        println!(
            "tau = {tau}: the loss is at most {:.4}, sigma = {:.3} is enough; a neighbour gets epsilon {:.2}",
            found.largest.clone().promised()?.upper(),
            found.sigma()?,
            found.neighbour_epsilon,
        );
    }
    Ok(())
}
