//! What all nodes of a run agree on, tied to the account.

use crate::{Fingerprint, HEADER, Node, NodeError, Run, Secrets};
use muffliato_fast::{
    FastError, SparseWeights, lockstep,
    noise::{Grid, SharedKey},
};
use muffliato_model::{Draw, Graph, Protocol};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Numbers that turn a [`Protocol`] in units of sigma into a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// Standard deviation of the noise where the protocol has 1.
    pub sigma: f64,
    /// Largest change of an input, as a Euclidean norm: inputs are clipped to a ball of half this
    /// radius. If records are sampled, the largest change by one record: each is clipped to it.
    pub sensitivity: f64,
    /// Number of coordinates of an input.
    pub coordinates: usize,
    /// Grid of inputs, noise, masks and messages.
    pub grid: Grid,
    /// Number of the run.
    pub run: Run,
}

#[cfg(feature = "account")]
impl Terms {
    /// Describes the account of a protocol as nodes run it: law, sensitivity and coordinates are
    /// theirs.
    ///
    /// ```
    /// use muffliato_fast::noise::Grid;
    /// use muffliato_model::{Network, Protocol};
    /// use muffliato_node::Terms;
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("ring:6".parse()?)?, 4)?.masked("3".parse()?)?;
    /// let grid = Grid::try_new(2_f64.powi(-20))?;
    /// let terms = Terms { sigma: 4.0, sensitivity: 1.0, coordinates: 3, grid, run: [1; 16] };
    /// let loss = terms.account(&protocol).build()?.loss(3, 0)?;
    /// assert_eq!(loss.noise().law().to_string(), "rounded:2^-20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn account<'a>(&self, protocol: &'a Protocol) -> muffliato_account::AccountBuilder<'a> {
        let law = muffliato_account::NoiseLaw::Rounded(self.grid);
        muffliato_account::Account::of(protocol).noise(law, self.sensitivity, self.coordinates)
    }
}

/// A protocol that nodes run exactly as it was accounted for.
///
/// The account of `--noise rounded:STEP` speaks of what these nodes do: inputs are clipped to the
/// sensitivity and rounded to the grid, noise and masks are Gaussians rounded to the grid, and
/// states are rounded to it before each message.
///
/// ```
/// use muffliato_fast::noise::Grid;
/// use muffliato_model::{Network, Protocol};
/// use muffliato_node::{NodeProtocol, Secrets, Terms};
///
/// let protocol = Protocol::one_shot(Network::metropolis("path:2".parse()?)?, 1)?.masked("100".parse()?)?;
/// let grid = Grid::try_new(2_f64.powi(-20))?;
/// let terms = Terms { sigma: 0.01, sensitivity: 4.0, coordinates: 1, grid, run: [1; 16] };
/// let agreed = NodeProtocol::of(&protocol, terms)?;
///
/// // A seed stands for keys here, so that both draw the same mask: for tests and simulation.
/// let mut nodes = [agreed.node(0, vec![2.0], Secrets::Seed(7))?, agreed.node(1, vec![2.0], Secrets::Seed(7))?];
/// let greetings = nodes.each_ref().map(|node| node.hello());
/// nodes[0].receive(&greetings[1])?;
/// nodes[1].receive(&greetings[0])?;
/// for (node, value) in nodes.iter_mut().zip([1.0, 3.0]) {
///     node.inject_value(&[value])?;
///     node.save(); // to a file, before the first message
/// }
/// let [first, second] = [nodes[0].message()?, nodes[1].message()?];
/// nodes[0].receive(&second)?;
/// nodes[1].receive(&first)?;
/// assert!(nodes[0].advance()? && nodes[1].advance()?);
/// assert!((nodes[0].output().unwrap()[0] - 2.0).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NodeProtocol {
    pub(crate) protocol: Protocol,
    pub(crate) terms: Terms,
    pub(crate) weights: SparseWeights,
    pub(crate) masks: Option<Arc<Graph>>,
    pub(crate) fingerprint: Fingerprint,
}

impl NodeProtocol {
    /// Ties a protocol to the numbers of a run.
    ///
    /// # Errors
    /// [`FastError::NotApplicable`] for a network that changes and for reacting nodes, and
    /// [`FastError::BadParameter`] for numbers out of range: every deviation must be from `2^-10`
    /// to `2^30` steps of the grid.
    pub fn of(protocol: &Protocol, terms: Terms) -> Result<Arc<Self>, NodeError> {
        let refused = |reason| FastError::NotApplicable { formula: "a run of nodes", reason };
        let network = protocol.fixed_network().ok_or_else(|| {
            refused("the network changes from step to step; give one network, nodes record who drops out")
        })?;
        if protocol.reaction().is_some() {
            let reason =
                "nodes react by what their callers hand them; leave out Protocol::reacting";
            return Err(refused(reason).into());
        }
        let bad = |parameter, value: f64, expected| {
            NodeError::from(FastError::BadParameter {
                parameter,
                value: value.to_string(),
                expected,
            })
        };
        let positive = "it must be a finite number above 0";
        if !(terms.sensitivity > 0.0 && terms.sensitivity.is_finite()) {
            return Err(bad("the sensitivity", terms.sensitivity, positive));
        }
        if terms.coordinates == 0 || terms.coordinates > (u32::MAX as usize - HEADER) / 8 {
            let expected = "an input has from 1 to 2^29 - 5 coordinates";
            return Err(bad("the number of coordinates", terms.coordinates as f64, expected));
        }
        if terms.sensitivity / terms.grid.step() > reach(protocol) as f64 / 4.0 {
            let expected = "it must be at most 2^50 steps of the grid, 2^38 with fresh noise; choose another grid";
            return Err(bad("the sensitivity", terms.sensitivity, expected));
        }
        let masks = protocol.mask_graph(0).map_err(FastError::from)?;
        let agreed = Self {
            weights: SparseWeights::of_network(network)?,
            fingerprint: Fingerprint::of(protocol, network, masks.as_deref(), &terms),
            masks,
            protocol: protocol.clone(),
            terms,
        };
        let steps = 2_f64.powi(-10)..=2_f64.powi(30);
        let fits = |deviation: f64| steps.contains(&(deviation / agreed.terms.grid.step()));
        for draw in draws_of_a_round(protocol, agreed.masks.as_deref()) {
            let deviation = agreed.deviation(draw);
            if deviation != 0.0 && !fits(deviation) || agreed.terms.sigma == 0.0 {
                let expected =
                    "it must be from 2^-10 to 2^30 steps of the grid; choose another grid";
                return Err(bad("a deviation of noise or masks", deviation, expected));
            }
        }
        Ok(Arc::new(agreed))
    }

    /// Ties the protocol of those present to a run, before any input enters. `epsilon` computes
    /// what an account promises for it; more than `target` is refused.
    ///
    /// Missing nodes take their noise and masks along. All nodes must agree on who is missing:
    /// their fingerprints show it. Who is missing must not depend on anybody's data.
    ///
    /// If anybody is missing, the [run](Terms::run) is another one: a hash of the given run and of
    /// what those present run. [Agree](crate::link::agree) on keys for it.
    ///
    /// # Errors
    /// [`NodeError::BelowTarget`], those of [`Protocol::without_nodes`] and [`NodeProtocol::of`],
    /// and those of the account.
    ///
    /// ```
    /// use muffliato_fast::noise::Grid;
    /// use muffliato_model::{Network, Protocol};
    /// use muffliato_node::{NodeError, NodeProtocol, Terms};
    ///
    /// let protocol = Protocol::one_shot(Network::metropolis("ring:5".parse()?)?, 3)?;
    /// let grid = Grid::try_new(0.125)?;
    /// let terms = Terms { sigma: 1.0, sensitivity: 1.0, coordinates: 1, grid, run: [1; 16] };
    /// let account = |_: &Protocol| Ok::<_, NodeError>(1.5); // Account::of(..) in earnest
    /// let refused = NodeProtocol::of_present(&protocol, &[2], terms, 1.0, account);
    /// assert!(matches!(refused, Err(NodeError::BelowTarget { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_present<E: From<NodeError>>(
        protocol: &Protocol,
        missing: &[usize],
        terms: Terms,
        target: f64,
        epsilon: impl FnOnce(&Protocol) -> Result<f64, E>,
    ) -> Result<Arc<Self>, E> {
        let present = protocol.without_nodes(missing).map_err(NodeError::from)?;
        let promised = epsilon(&present)?;
        if promised.is_nan() || target.is_nan() || promised > target {
            return Err(NodeError::BelowTarget { promised, target }.into());
        }
        let agreed = Self::of(&present, terms)?;
        if missing.is_empty() {
            return Ok(agreed);
        }
        let run = agreed.fingerprint.run_of_present(agreed.terms.run);
        Ok(Self::of(&present, Terms { run, ..agreed.terms.clone() })?)
    }

    /// Creates a node that holds `model`: the public starting point of training, or for averaging
    /// any public guess of the values, around which they are clipped.
    ///
    /// # Errors
    /// If there is no such node, the model has another width or is out of range of the grid, and
    /// unless the secrets are one distinct key for each neighbour on the mask graph.
    pub fn node(
        self: &Arc<Self>,
        number: usize,
        model: Vec<f64>,
        secrets: Secrets,
    ) -> Result<Node, NodeError> {
        Node::new(Arc::clone(self), number, model, secrets)
    }

    /// Returns the protocol, for `Terms::account` (feature `account`).
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// Returns the numbers of the run.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the fingerprint of everything that was accounted.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Returns the largest number of bytes of a message.
    pub fn longest_message(&self) -> usize {
        HEADER + (8 * self.terms.coordinates).max(Fingerprint::BYTES)
    }

    /// Returns the neighbours on the mask graph, in increasing order.
    pub(crate) fn mask_neighbours(&self, node: usize) -> Vec<usize> {
        self.masks.iter().flat_map(|masks| masks.neighbours(node)).collect()
    }

    /// Returns the largest size of a state, in steps of the grid.
    pub(crate) fn reach(&self) -> u64 {
        reach(&self.protocol)
    }

    /// Moves values to the range of states.
    pub(crate) fn cut(&self, values: &mut [f64]) {
        let most = self.reach() as f64 * self.terms.grid.step();
        values.iter_mut().for_each(|value| *value = value.clamp(-most, most));
    }

    /// Returns the key from which two nodes expand the masks of this run: SHA-256 of "muffliato 1
    /// masks of", the key that they share, and the fingerprint. Two runs, or two plans under the
    /// same number of a run, have different masks even if their nodes share the same keys.
    pub fn mask_key(&self, shared: &SharedKey) -> SharedKey {
        let mut hash = Sha256::new_with_prefix(b"muffliato 1 masks of");
        hash.update(shared.bytes());
        hash.update(self.fingerprint.to_bytes());
        SharedKey::new(hash.finalize().into())
    }

    pub(crate) fn acceleration(&self) -> Option<f64> {
        self.protocol.acceleration().map(lockstep::float)
    }

    /// Returns the standard deviation of a draw.
    pub(crate) fn deviation(&self, draw: Draw) -> f64 {
        lockstep::deviation(self.terms.sigma, self.protocol.variance(draw))
    }
}

/// Returns the draws of the first round and of one step without inputs, whose sizes are those of
/// all others: own noise at times 0 and 1, then masks. (With one step a round, both have inputs.)
pub(crate) fn draws_of_a_round(
    protocol: &Protocol,
    masks: Option<&Graph>,
) -> impl Iterator<Item = Draw> {
    let own = |time| (0..protocol.nodes()).map(move |node| Draw::Own { time, node });
    let edges = masks.into_iter().flat_map(Graph::edges);
    own(0).chain(own(1)).chain(edges.map(|edge| Draw::Mask { time: 0, edge }))
}

/// States with fresh noise stay within `2^40` steps, as the proof of their bound asks.
fn reach(protocol: &Protocol) -> u64 {
    if protocol.is_refreshed() { 1 << 40 } else { Grid::REACH }
}
