//! Random graphs, each a function of its parameters and a seed.

mod erdos_renyi;
mod geometric;
mod regular;
mod stream;

pub use erdos_renyi::{erdos_renyi, erdos_renyi_connected};
pub use geometric::geometric;
pub use regular::random_regular;

#[cfg(test)]
mod chi_square;
