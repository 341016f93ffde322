//! The engine's error type.

muffliato_model::engine_error! {
    /// Errors of the engine. Messages name the place and the remedy.
    ///
    /// ```
    /// use muffliato_fast::{FastError, SparseWeights};
    /// use muffliato_model::Network;
    ///
    /// let network = Network::metropolis("path:3".parse()?)?;
    /// let weights = SparseWeights::of_network(&network)?;
    /// let refused = weights.apply(&[1.0, 2.0], 1, &mut [0.0; 3]);
    /// assert!(matches!(refused, Err(FastError::WrongLength { given: 2, expected: 3, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    FastError {
        /// A value is NaN or infinite.
        #[error("the {what} of node {node} is {value}; give a finite number")]
        NotFinite { what: &'static str, node: usize, value: f64 },
        /// A deviation would reach an observer.
        #[error(
            "what is left of the deviation of node {node} at time {time} is heard by the observer; absorb all of it there, or before it arrives"
        )]
        NotAbsorbed { time: usize, node: usize },
        /// A deviation cannot move along this mask.
        #[error(
            "no flow from node {from} to node {to} in round {round}: flows need an edge of the mask graph without observers, a round that uses the data, and a non-negative amount"
        )]
        NoFlow { round: usize, from: usize, to: usize },
        /// The computation would exceed the memory limit.
        #[error("this needs about {bytes} bytes, more than the limit of {limit}; {remedy}")]
        TooMuchMemory { bytes: u128, limit: u128, remedy: &'static str },
        /// The caller asked to stop.
        #[error("cancelled")]
        Cancelled,
        /// Predetermined noise lacks a draw.
        #[error(
            "no noise of {width} coordinates was given for node {node} at step {step}; give one block for each step that draws noise"
        )]
        NoiseNotGiven { node: usize, step: usize, width: usize },
        /// The operating system's generator failed.
        #[error("the operating system gave no random bytes: {reason}")]
        SystemRandomness { reason: String },
        /// A value is out of range of a grid. It may be private, so it is not included.
        #[error(
            "the value in coordinate {coordinate} is not finite or more than 2^52 steps of {step} from 0; choose a coarser grid or smaller values"
        )]
        OffGrid { coordinate: usize, step: f64 },
        /// An iteration was stopped before it converged.
        #[error(
            "the spectral gap has not converged after {iterations} iterations (it is at most about {estimate:e}, with a residual of {residual:e}); allow more iterations or a larger tolerance"
        )]
        NotConverged { iterations: usize, residual: f64, estimate: f64 },
        /// The computation would exceed the limit on arithmetic.
        #[error(
            "this takes about {products} products of machine words, more than the limit of {limit}; take fewer steps or raise the limit"
        )]
        TooMuchWork { products: u128, limit: u128 },
    }
}
