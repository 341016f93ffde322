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
