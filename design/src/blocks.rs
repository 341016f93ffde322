//! The covering plan: what many steps and strong masks tend to, from the blocks of the mask graph, in O(n + m).
//!
//! As masks grow, the loss of u towards v tends to `1 / sum s_w^2` over u's component of H - v. So every such component needs `1/r` in all, and the least total is, for each component of H:
//!
//! - with a cut node: the number of its leaf blocks. What leaves a leaf block passes through one node, its cut node; towards it the rest of the block needs `1/r`;
//! - without a cut node, of `m >= 2` nodes: `m/(m-1)`;
//! - for an isolated node: 1.
//!
//! It bounds every plan from below, at every number of steps and every size of masks: potentials that are constant on a component meet no edge, and `||M_T e_w||^2 >= 1/n`. In Coq (`design.v`): `leaf_blocks_bound_the_noise`,
//! `a_component_without_a_cut_node_needs_m_over_m_minus_1` and `columns_of_mixing_have_at_least_1_over_n`. [`Covering::proof`] makes potentials of it, which [`check_lower`](muffliato_certificate::check_lower) accepts; they take the square of the size of a
//! component without a cut node, so that the bound of a large graph is printed without them: it then rests on these theorems and on the search for blocks below, which tests compare with `check_lower` on every small graph.

use muffliato_certificate::{LowerProof, Potential};
use muffliato_model::Graph;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// The least noise of all nodes that covers a mask graph, for the target 1 and every single observer. Divide by the target for another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covering {
    /// The noise variance of each node, spread evenly within each leaf block.
    pub variances: Vec<BigRational>,
    /// Their sum: a lower bound for every plan, in multiples of a trusted aggregator's error.
    pub total: BigRational,
    /// The number of leaf blocks.
    pub leaf_blocks: usize,
    /// Sets that need 1 in all, with an observer towards whom, and their multipliers, which add up to at most 1 at each node. Components without a cut node are kept as one set, without an observer.
    parts: Vec<(Option<usize>, Vec<usize>)>,
}

impl Covering {
    /// Computes the covering plan of a mask graph.
    pub fn of(graph: &Graph) -> Self {
        let blocks = blocks(graph);
        let mut count = vec![0_usize; graph.nodes()];
        blocks.iter().flatten().for_each(|&v| count[v] += 1);
        let is_cut = |v: &usize| count[*v] > 1;
        let mut variances = vec![BigRational::default(); graph.nodes()];
        let (mut parts, mut total, mut leaf_blocks) = (Vec::new(), BigRational::default(), 0);
        for mut block in blocks {
            let mut cuts = block.iter().filter(|&v| is_cut(v));
            let (observer, second) = (cuts.next().copied(), cuts.next());
            if second.is_some() {
                continue;
            }
            leaf_blocks += usize::from(observer.is_some());
            block.retain(|&v| Some(v) != observer);
            let others = match observer {
                None => block.len().saturating_sub(1).max(1),
                Some(_) => block.len(),
            };
            let share = BigRational::new(BigInt::one(), others.into());
            total += &share * BigInt::from(block.len());
            block.iter().for_each(|&v| variances[v] = share.clone());
            parts.push((observer, block));
        }
        Self { variances, total, leaf_blocks, parts }
    }

    /// Returns the proof that no plan with this target for all pairs costs less than `total / (n r)`. It takes the square of the size of components without a cut node. `None` for a single node.
    pub fn proof(&self, target: &BigRational) -> Option<LowerProof> {
        let nodes = self.variances.len();
        let indicator = |observer: usize, part: &[usize], multiplier: u64| Potential {
            source: part[0],
            observers: vec![observer],
            multiplier,
            values: part.iter().map(|&v| (v, 1)).collect(),
        };
        // Multipliers 1 for leaf blocks, 1/(m-1) for components of m nodes, over one denominator.
        let sizes =
            self.parts.iter().filter(|(observer, part)| observer.is_none() && part.len() > 1);
        let mut denominator = 1_u64;
        for (_, part) in sizes {
            let others = part.len() as u64 - 1;
            denominator = denominator.checked_mul(others / gcd(denominator, others))?;
        }
        let mut potentials = Vec::new();
        for (observer, part) in &self.parts {
            match observer {
                Some(cut) => potentials.push(indicator(*cut, part, denominator)),
                None if part.len() == 1 => {
                    let other = (0..nodes).find(|&v| v != part[0])?;
                    potentials.push(indicator(other, part, denominator));
                }
                None => potentials.extend(part.iter().map(|&v| {
                    let rest: Vec<usize> = part.iter().copied().filter(|&w| w != v).collect();
                    indicator(v, &rest, denominator / rest.len() as u64)
                })),
            }
        }
        Some(LowerProof { unit: target.clone(), potentials })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The blocks of a graph: maximal sets of nodes that no single node separates, two neighbours at least; an isolated node is a block of its own.
fn blocks(graph: &Graph) -> Vec<Vec<usize>> {
    let n = graph.nodes();
    let (offsets, targets) = graph.adjacency();
    let (mut found, mut low) = (vec![0_usize; n], vec![0_usize; n]);
    let mut next = offsets[..n].to_vec();
    let (mut blocks, mut waiting, mut clock) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if found[root] > 0 {
            continue;
        }
        clock += 1;
        (found[root], low[root]) = (clock, clock);
        if graph.degree(root) == 0 {
            blocks.push(vec![root]);
            continue;
        }
        let mut path = vec![root];
        while let Some(&v) = path.last() {
            if next[v] < offsets[v + 1] {
                let w = targets[next[v]] as usize;
                next[v] += 1;
                if found[w] == 0 {
                    clock += 1;
                    (found[w], low[w]) = (clock, clock);
                    path.push(w);
                    waiting.push(w);
                } else {
                    low[v] = low[v].min(found[w]);
                }
                continue;
            }
            path.pop();
            let Some(&parent) = path.last() else { break };
            low[parent] = low[parent].min(low[v]);
            if low[v] >= found[parent] {
                let start = waiting.iter().rposition(|&w| w == v).unwrap_or(0);
                let mut block = waiting.split_off(start);
                block.push(parent);
                block.sort_unstable();
                blocks.push(block);
            }
        }
    }
    blocks
}
