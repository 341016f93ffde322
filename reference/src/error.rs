//! What can be wrong with a question to the engine.

muffliato_model::engine_error! {
    /// Why the engine could not answer. Messages name the place and the remedy.
    ///
    /// ```
    /// use muffliato_model::{Network, Observer, Protocol, WeightScheme, families};
    /// use muffliato_reference::{Process, ReferenceError};
    ///
    /// let path = Network::try_new(families::path(3)?, WeightScheme::Metropolis)?;
    /// let view = Process::run(&Protocol::one_shot(path, 2)?)?.view(&Observer::full(2))?;
    /// assert_eq!(view.leakage(2), Err(ReferenceError::SourceObserves { node: 2 }));
    /// assert_eq!(view.leakage(3), Err(ReferenceError::SourceOutOfRange { source_node: 3, nodes: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Eq)]
    ReferenceError {
        /// A change of draws that does not explain a change of inputs.
        #[error(
            "the shifts are no alibi: the message or the draw of node {node} at time {time} gives it away"
        )]
        NoAlibi {
            /// When.
            time: usize,
            /// Whose.
            node: usize,
        },
        /// An attack uses what the observer does not see.
        #[error("the observer sees no message and knows no draw of node {node} at time {time}")]
        NotObserved {
            /// When.
            time: usize,
            /// Whose.
            node: usize,
        },
        /// A flow along a mask that is not there, that an observer knows, or that carries more than there is.
        #[error(
            "nothing can flow from {from} to {to} in round {round}: they share no mask that the observers do not know, or more leaves the node than arrives"
        )]
        NoFlow {
            /// In which round.
            round: usize,
            /// From whom.
            from: usize,
            /// To whom.
            to: usize,
        },
        /// More inputs than signs can be enumerated for.
        #[error(
            "{inputs} inputs of mixed correlation are too many to enumerate all signs (the limit is {limit}); use the upper bound for vectors, which needs no enumeration"
        )]
        TooManyInputs {
            /// The inputs: sources times rounds.
            inputs: usize,
            /// The most that are enumerated.
            limit: usize,
        },
        /// More assignments of phases to a group than are gone through.
        #[error(
            "{members} users, each in a phase of its own, can take part in more than {limit} ways; use the upper bound, which counts all rounds for some of them, or a smaller group"
        )]
        TooManyParticipations {
            /// The users.
            members: usize,
            /// The most assignments that are gone through.
            limit: usize,
        },
        /// One node has nobody to gossip with.
        #[error("a graph of one node has no spectral gap; give at least two nodes")]
        SingleNode,
        /// The exact computation would take too much memory.
        #[error(
            "the exact state of {nodes} nodes over {steps} steps has {entries} numbers, more than {limit}; use fewer nodes or steps, or the fast engine"
        )]
        TooLarge {
            /// The nodes.
            nodes: usize,
            /// The steps.
            steps: usize,
            /// The numbers that would be stored.
            entries: u128,
            /// The most that are stored.
            limit: u128,
        },
        /// The exact computation would take longer than was allowed.
        #[error(
            "the exact losses of this view take about {work} operations on machine words, more than {limit}; allow more, or use the fast engine"
        )]
        TooMuchWork {
            /// The operations that it would take.
            work: u128,
            /// The most that were allowed.
            limit: u128,
        },
    }
}
