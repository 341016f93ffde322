//! The facade alone, as another project would use it.

use muffliato::prelude::*;
use muffliato::reference::guarantee::NoiseScale;

#[test]
fn a_graph_is_accounted_for_and_the_loss_becomes_a_guarantee() {
    let graph = "florentine".parse::<GraphSpec>().unwrap().build().unwrap();
    let (pazzi, medici) = (graph.node("Pazzi").unwrap(), graph.node("Medici").unwrap());
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    let protocol = Protocol::one_shot(network, 2).unwrap();
    let account = Account::of(&protocol, &[Observer::full(medici)]).unwrap();
    let pair = account
        .pairs
        .iter()
        .find(|pair| pair.source == pazzi)
        .unwrap();
    let ratio = |above: i64, below: i64| BigRational::new(above.into(), below.into());
    assert_eq!(pair.distance, Some(2));
    assert_eq!(pair.leakage, ratio(1, 1)); // through the Salviati alone, who hide nobody
    assert!(*pair.paper_bound.as_ref().unwrap() < pair.leakage);
    let scale = NoiseScale::try_new(ratio(1, 1), ratio(4, 1)).unwrap();
    assert_eq!(scale.rdp(&pair.leakage, &ratio(2, 1)), Ok(ratio(1, 16)));
}

#[test]
fn a_graph_is_accounted_for_calibrated_and_simulated() {
    let graph = "hypercube:6".parse::<GraphSpec>().unwrap().build().unwrap();
    let network = Network::try_new(graph, WeightScheme::Metropolis).unwrap();
    let protocol = Protocol::one_shot(network, 8).unwrap();
    let protocol = protocol.refreshed("0.1".parse().unwrap()).unwrap();
    let view = GramView::of(&protocol, &Observer::full(0), &()).unwrap();
    let leakage = view.losses(&()).unwrap()[63].unwrap().loss.certified;
    let sigma = calibrate_sigma(&leakage, 1.0, 1.0, 1e-6).unwrap();
    let local = calibrate_sigma(&Enclosure::exact(1.0), 1.0, 1.0, 1e-6).unwrap();
    assert!(sigma < local / 2.0, "{sigma} {local}");
    let promise = GaussianPrivacy::of_leakage(&leakage, 1.0, sigma).unwrap();
    assert!(promise.delta_upper(1.0).unwrap() <= 1e-6);
    let run = Simulation::new(&protocol).sigma(sigma);
    let run = run.run(&[0.5; 64], 1, &SeededNoise::new(7), &()).unwrap();
    // Noise of the mean: sigma / 8, and fresh noise of a tenth of sigma at each of 8 steps.
    assert!((run.values[0] - 0.5).abs() < 6.0 * sigma * (1.0 / 64.0 + 0.08_f64).sqrt());
}
