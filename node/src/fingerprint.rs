//! Fingerprints of everything that was accounted.

use crate::{
    Run, Terms,
    bytes::{put_floats, put_size},
    protocol::draws_of_a_round,
};
use muffliato_model::{Fraction, Graph, Network, Protocol, WeightScheme};
use sha2::{Digest, Sha256};

/// SHA-256 of each part of what a node runs. Two nodes with equal fingerprints run the same.
///
/// | part | bytes that are hashed, after the part's name |
/// | --- | --- |
/// | graph | number of nodes, number of edges, the ends of each edge in increasing order |
/// | weights | name of the scheme; for custom weights the denominator and all numerators |
/// | plan | tau; kappa; the edges of the mask graph |
/// | steps | rounds, gossip steps in each, period of participation, g, rate of sampling |
/// | law | `rounded`, the step of the grid, sigma |
/// | inputs | sensitivity, number of coordinates |
/// | run | the number of the run |
///
/// Sizes have 8 bytes, floats their 8 bytes, fractions numerator and denominator of 16 bytes each;
/// all are little-endian. What is absent is one byte 0, what is present follows one byte 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fingerprint([[u8; 32]; 7]);

/// Names of the parts, in order.
pub const PARTS: [&str; 7] = ["graph", "weights", "plan", "steps", "law", "inputs", "run"];

impl Fingerprint {
    /// Number of bytes.
    pub const BYTES: usize = 7 * 32;

    pub(crate) fn of(
        protocol: &Protocol,
        network: &Network,
        masks: Option<&Graph>,
        terms: &Terms,
    ) -> Self {
        let mut parts = PARTS.map(|name| name.as_bytes().to_vec());
        let [graph, weights, plan, steps, law, inputs, run] = &mut parts;
        put_graph(graph, network.graph());
        put_weights(weights, network.weights());
        match protocol.uniform() {
            Ok(sizes) => {
                put_fraction(plan, sizes.tau);
                put_fraction(plan, sizes.kappa);
            }
            Err(_) => {
                plan.extend_from_slice(b"sizes");
                for draw in draws_of_a_round(protocol, masks) {
                    put_fraction(plan, Some(protocol.variance(draw)));
                }
            }
        }
        if let Some(masks) = masks {
            put_graph(plan, masks);
        }
        for size in [protocol.rounds(), protocol.gossip_steps(), protocol.period()] {
            put_size(steps, size);
        }
        put_fraction(steps, protocol.acceleration());
        put_fraction(steps, protocol.sampling());
        law.extend_from_slice(b"rounded");
        put_floats(law, &[terms.grid.step(), terms.sigma]);
        put_floats(inputs, &[terms.sensitivity]);
        put_size(inputs, terms.coordinates);
        run.extend_from_slice(&terms.run);
        Self(parts.map(|bytes| Sha256::digest(bytes).into()))
    }

    /// Returns the run of those present: a hash of the `run` and of all other parts.
    pub(crate) fn run_of_present(&self, run: Run) -> Run {
        let mut hash = Sha256::new_with_prefix(b"muffliato 1 present");
        hash.update(run);
        hash.update(self.0[..6].as_flattened());
        let mut present = [0; 16];
        present.copy_from_slice(&hash.finalize()[..16]);
        present
    }

    /// Returns the name of the first part in which two fingerprints differ.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = |place: &usize| self.0[*place] != other.0[*place];
        (0..PARTS.len()).find(differs).map(|place| PARTS[place])
    }

    /// Returns the bytes, part by part.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes.copy_from_slice(self.0.as_flattened());
        bytes
    }

    /// Creates a fingerprint from its bytes.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let mut parts = [[0; 32]; 7];
        parts.as_flattened_mut().copy_from_slice(&bytes);
        Self(parts)
    }
}

fn put_graph(out: &mut Vec<u8>, graph: &Graph) {
    put_size(out, graph.nodes());
    put_size(out, graph.edge_count());
    for (u, v) in graph.edges() {
        put_size(out, u);
        put_size(out, v);
    }
}

fn put_fraction(out: &mut Vec<u8>, fraction: Option<Fraction>) {
    out.push(u8::from(fraction.is_some()));
    if let Some(fraction) = fraction {
        out.extend_from_slice(&fraction.numerator().to_le_bytes());
        out.extend_from_slice(&fraction.denominator().to_le_bytes());
    }
}

fn put_weights(out: &mut Vec<u8>, scheme: &WeightScheme) {
    out.extend_from_slice(scheme.to_string().as_bytes());
    let mut inner = scheme;
    while let WeightScheme::Lazy(next) = inner {
        inner = next;
    }
    if let WeightScheme::Custom(custom) = inner {
        for number in
            [custom.denominator()].iter().chain(custom.diagonal()).chain(custom.off_diagonal())
        {
            out.extend_from_slice(&number.to_le_bytes());
        }
    }
}
