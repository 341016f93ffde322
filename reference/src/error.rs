//! Errors of the exact engine.

muffliato_model::engine_error! {
    /// An error of the exact engine. Messages name the place and the remedy.
    #[derive(Eq)]
    ReferenceError {
        /// An attack uses a value that the observer does not see.
        #[error("the observer sees no message and knows no draw of node {node} at time {time}")]
        NotObserved { time: usize, node: usize },
        /// There are too many inputs to enumerate all signs.
        #[error(
            "{inputs} inputs of mixed correlation are too many to enumerate all signs (the limit is {limit}); use the upper bound for vectors, which needs no enumeration"
        )]
        TooManyInputs { inputs: usize, limit: usize },
        /// There are too many assignments of phases to a group.
        #[error(
            "{members} users, each in a phase of its own, can take part in more than {limit} ways; use the upper bound, which counts all rounds for some of them, or a smaller group"
        )]
        TooManyParticipations { members: usize, limit: usize },
        /// The graph has one node, so it has no spectral gap.
        #[error("a graph of one node has no spectral gap; give at least two nodes")]
        SingleNode,
        /// The exact computation would use too much memory.
        #[error(
            "the exact state of {nodes} nodes over {steps} steps has {entries} numbers, more than {limit}; use fewer nodes or steps, or the fast engine"
        )]
        TooLarge { nodes: usize, steps: usize, entries: u128, limit: u128 },
    }
}
