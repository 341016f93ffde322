//! The facade alone, as another project would use it.

use muffliato::account::{Protect, Target};
use muffliato::prelude::*;

#[test]
fn a_graph_is_accounted_for_and_the_loss_becomes_a_guarantee() {
    let graph = "florentine".parse::<Graph>().unwrap();
    let (pazzi, medici) = (graph.node("Pazzi").unwrap(), graph.node("Medici").unwrap());
    let protocol = Protocol::one_shot(Network::metropolis(graph).unwrap(), 2).unwrap();
    let account = Account::of(&protocol);
    let account = account.observers(Observers::Listed(vec![medici])).build().unwrap();
    let towards = account.pairs().unwrap();
    let mut pairs = towards[0].pairs.iter();
    let pair = pairs.find(|pair| pair.source() == pazzi).unwrap();
    assert_eq!(pair.distance, Some(2));
    // Through the Salviati alone, who hide nobody.
    assert_eq!(pair.loss.fraction().unwrap().to_string(), "1");
    assert!(pair.theorem_1.as_ref().unwrap().upper() < pair.loss.lower());
    assert_eq!(account.loss(pazzi, medici).unwrap(), pair.loss);
    let guarantee = pair.guarantee().at(4.0, 1.0).unwrap();
    assert!((guarantee.rdp(2.0).unwrap() - 1.0 / 16.0).abs() < 1e-15);
}

#[test]
fn a_graph_is_accounted_for_calibrated_and_simulated() {
    let network = Network::metropolis("hypercube:6".parse().unwrap()).unwrap();
    let protocol = Protocol::one_shot(network, 8).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    let account = Account::of(&protocol).build().unwrap();
    let target = Target { protect: Protect::Distance(6), ..Target::new(1.0, 1e-6) };
    let sigma = account.calibrate(&target, 1.0).unwrap().sigma().unwrap();
    let local = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-6).unwrap();
    assert!(sigma < local / 2.0, "{sigma} {local}");
    let promise = account.guarantee(63, 0).unwrap().at(sigma, 1.0).unwrap();
    assert!(promise.delta(1.0).unwrap() <= 1e-6);
    let run = Simulation::new(&protocol).sigma(sigma);
    let run = run.run(&[0.5; 64], 1, &SeededNoise::new(7)).unwrap();
    // Noise of the mean: sigma / 8, and fresh noise of a tenth of sigma at each of 8 steps.
    assert!((run.values[0] - 0.5).abs() < 6.0 * sigma * (1.0 / 64.0 + 0.08_f64).sqrt());
}
