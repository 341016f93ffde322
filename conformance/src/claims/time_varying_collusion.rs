//! Gradient descent on graphs that are drawn anew in every round.

use super::{
    Claim, ClaimError, Kind, Recorded, Verdict,
    erdos_renyi::{all_graphs, edge_probabilities, neighbourhood, probability},
    instances::{metropolis, view, whole},
};
use muffliato_model::{Observer, Protocol};
use muffliato_reference::{BigRational, order};
use num_traits::Zero;
use std::collections::BTreeMap;

pub(super) const CLAIM: Claim = Claim {
    id: "time-varying-collusion",
    place: "Proposition 1 (Appendix G.1)",
    statement: "With an Erdos-Renyi graph drawn anew in every round, a coalition V learns of u at most twice the sum over \
                the rounds of 1 if u is its neighbour then, else of K d/(n - d), d the number of its neighbours.",
    method: "All pairs of graphs on 4 nodes for two rounds of one step, V of one and of two nodes, q = 1/5, 1/2 and 4/5: given the \
             neighbours of V in both rounds, the mean of the exact loss (gradients as inputs) against the bound. \
             Twice the mean below it would decide the claim (the factor of Lemma 2); the mean alone does not.",
    recorded: Recorded {
        kind: Kind::Open,
        evidence: "672 sources given the neighbours of V, over all 4096 pairs of graphs on 4 nodes: the mean loss exceeds the bound for \
                   0, twice the mean for 132",
    },
    decide,
};

const NODES: usize = 4;

/// How many sequences of graphs, and the sum of the losses of each node.
type Class = (usize, Vec<BigRational>);

fn decide() -> Result<Verdict, ClaimError> {
    let pairs = NODES * (NODES - 1); // in two rounds
    let graphs = all_graphs(NODES)?;
    let (mut cases, mut above, mut undecided) = (0, 0, 0);
    for members in 1..=2 {
        let observer = Observer::coalition(0..members)?;
        // For the neighbours in both rounds and each number of edges.
        let mut classes: BTreeMap<[usize; 2], BTreeMap<usize, Class>> = BTreeMap::new();
        for first in &graphs {
            for second in &graphs {
                let networks = vec![metropolis(first)?, metropolis(second)?];
                let seen = view(&Protocol::gradient_descent_on(networks, 1)?, &observer)?;
                let heard = [first, second].map(|graph| neighbourhood(graph, members));
                let edges = first.edge_count() + second.edge_count();
                let class = classes.entry(heard).or_default().entry(edges);
                let (count, losses) =
                    class.or_insert_with(|| (0, vec![BigRational::zero(); NODES]));
                *count += 1;
                for u in members..NODES {
                    losses[u] += seen.loss(&[u])?.scalar;
                }
            }
        }
        for q in edge_probabilities() {
            for (heard, by_edges) in &classes {
                let weighed = |value: &dyn Fn(&Class) -> BigRational| {
                    let terms = by_edges.iter();
                    let term =
                        |(&edges, class)| probability(&q, edges, pairs - edges) * value(class);
                    terms.map(term).sum::<BigRational>()
                };
                let total = weighed(&|class| whole(class.0));
                for u in members..NODES {
                    let mean = weighed(&|class| class.1[u].clone()) / &total;
                    let round = |heard: &usize| match (heard >> u & 1, heard.count_ones() as usize)
                    {
                        (1, _) => whole(1),
                        (_, degree) => whole(degree) / whole(NODES - degree),
                    };
                    let bound = whole(2) * heard.iter().map(round).sum::<BigRational>();
                    cases += 1;
                    above += usize::from(order(&mean, &bound).is_gt());
                    undecided += usize::from(order(&(whole(2) * &mean), &bound).is_gt());
                }
            }
        }
    }
    let checked = format!(
        "{cases} sources given the neighbours of V, over all 4096 pairs of graphs on 4 nodes: the mean loss exceeds the bound for \
         {above}, twice the mean for {undecided}"
    );
    Ok(match undecided {
        0 => Verdict::Holds { checked },
        _ => Verdict::Open { search: checked },
    })
}
