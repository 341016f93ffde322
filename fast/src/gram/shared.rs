//! Data shared by the views of all observers of a protocol.

use super::{
    mixing::{Entries, Mixing},
    number::Number,
    pair::Pair,
};
use crate::FastError;
use muffliato_model::Network;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Weights of the fixed network, and buffers reused from view to view, in either precision.
#[derive(Default)]
pub(crate) struct Shared {
    pub floats: SharedIn<f64>,
    pub pairs: SharedIn<Pair>,
}

/// Shared data in one precision.
pub(crate) struct SharedIn<N> {
    weights: OnceLock<Arc<Entries<N>>>,
    spare: Mutex<Vec<Vec<N>>>,
}

impl<N> Default for SharedIn<N> {
    fn default() -> Self {
        Self { weights: OnceLock::new(), spare: Mutex::new(Vec::new()) }
    }
}

impl<N: Number> SharedIn<N> {
    /// Returns the gossip matrix of the protocol's network, whose weights are computed once.
    pub fn mixing<'a>(&self, network: &'a Network) -> Result<Mixing<'a, N>, FastError> {
        let weights = match self.weights.get() {
            Some(weights) => weights,
            None => {
                let weights = Arc::new(Entries::of(network)?);
                self.weights.get_or_init(|| weights)
            }
        };
        Ok(Mixing::of_entries(network.graph(), Arc::clone(weights)))
    }

    /// Returns a buffer of `count` arbitrary numbers.
    pub fn any(&self, count: usize) -> Vec<N> {
        let spare = self.spare().pop();
        let mut numbers = spare.unwrap_or_default();
        numbers.resize(count, N::default());
        numbers
    }

    /// Returns a buffer of `count` zeros.
    pub fn zeros(&self, count: usize) -> Vec<N> {
        let mut numbers = self.any(count);
        numbers.fill(N::default());
        numbers
    }

    /// Takes back a buffer for reuse, unless it is much larger than needed.
    pub fn take_back(&self, numbers: Vec<N>) {
        if numbers.capacity() <= 2 * numbers.len() {
            self.spare().push(numbers);
        }
    }

    fn spare(&self) -> std::sync::MutexGuard<'_, Vec<Vec<N>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
