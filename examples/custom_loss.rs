//! Runs gradient descent on a custom loss: the median of the nodes' numbers, by a smoothed absolute
//! value.
//!
//! `cargo run --release --example custom_loss`

use muffliato::fast::learning::{Aggregation, Descent, LocalLoss};
use muffliato::prelude::*;

/// The loss `sqrt(1 + (theta - x_v)^2)` at node v, whose slope is at most 1.
struct SmoothedMedian {
    numbers: Vec<f64>,
}

impl LocalLoss for SmoothedMedian {
    fn nodes(&self) -> usize {
        self.numbers.len()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn examples(&self, _node: usize) -> usize {
        1
    }

    fn value(&self, node: usize, theta: &[f64]) -> f64 {
        (theta[0] - self.numbers[node]).hypot(1.0)
    }

    fn gradient(&self, node: usize, _example: Option<usize>, theta: &[f64], out: &mut [f64]) {
        let away = theta[0] - self.numbers[node];
        out[0] = away / away.hypot(1.0);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = Network::metropolis("hypercube:5".parse()?)?;
    let numbers = (0..32).map(|v| if v < 29 { f64::from(v % 5) } else { 1000.0 }).collect();
    let loss = SmoothedMedian { numbers };
    let protocol = Protocol::gradient_descent(network, 40, 3)?.refreshed("0.1".parse()?)?;
    let descent = Descent {
        step_size: 0.5,
        sigma: 0.5,
        clip: Some(1.0), // the sensitivity is 2
        ..Descent::of(&protocol)?
    };
    let gossip = Aggregation::of(&protocol)?;
    let run = descent.run(&loss, &[0.0; 32], gossip, &SeededNoise::new(1))?;
    println!("three outliers of 1000 among 32 numbers; found {:.2}", run.means[40][0]);

    let far = Account::of(&protocol).build()?.loss(31, 0)?;
    println!(
        "node 31 loses at most {:.2} times L to node 0, in the model of {}; at most 40 in any",
        far.upper(),
        far.model()
    );
    Ok(())
}
