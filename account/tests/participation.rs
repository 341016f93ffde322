//! Users whose data is used in every b-th round.

use muffliato_account::{Account, Observers};
use muffliato_model::{Network, Protocol};

fn descent(graph: &str, rounds: usize, period: usize) -> Protocol {
    let network = Network::metropolis(graph.parse().unwrap()).unwrap();
    let protocol = Protocol::gradient_descent(network, rounds, 1).unwrap();
    protocol.every(period).unwrap()
}

/// Whoever has one neighbour loses each of its inputs to it: what is promised for any loss functions is as many.
#[test]
fn no_loss_is_above_the_number_of_inputs() {
    for (rounds, period, used) in [(6, 1, 6), (6, 2, 3), (7, 3, 3), (8, 3, 3), (4, 9, 1)] {
        let protocol = descent("path:3", rounds, period);
        let account = Account::of(&protocol).unwrap();
        assert_eq!(account.inputs(), used, "{rounds} rounds, every {period}");
        assert_eq!(account.loss(0, 1).unwrap().upper(), used as f64);
        let group = account.observers(Observers::Listed(vec![1])).group([0, 2]);
        assert_eq!(group.inputs(), 2 * used);
    }
}
