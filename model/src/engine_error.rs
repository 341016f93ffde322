//! What can be wrong with a question to either engine: words that the two share.

/// An error of an engine: the variants that every engine has, and its own.
#[doc(hidden)]
#[macro_export]
macro_rules! engine_error {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        pub enum $name {
            /// The protocol makes no sense.
            #[error(transparent)]
            Protocol(#[from] $crate::ProtocolError),
            /// A graph could not be made.
            #[error(transparent)]
            Graph(#[from] $crate::GraphError),
            /// Weights do not fit their graph.
            #[error(transparent)]
            Weights(#[from] $crate::WeightError),
            /// The observer is not part of the protocol.
            #[error(transparent)]
            Observer(#[from] $crate::ObserverError),
            /// Fractions or Lipschitz constants that make no sense.
            #[error(transparent)]
            Absorption(#[from] $crate::AbsorptionError),
            /// What is left of a deviation is heard.
            #[error(
                "what is left of the deviation of node {node} at time {time} is heard by the observer; absorb all of it there, or before it arrives"
            )]
            NotAbsorbed {
                /// When it is sent.
                time: usize,
                /// By whom.
                node: usize,
            },
            /// A source is not a node of the protocol.
            #[error("source {source_node} is outside 0..{nodes}; nodes are numbered from 0")]
            SourceOutOfRange {
                /// The source.
                source_node: usize,
                /// How many nodes there are.
                nodes: usize,
            },
            /// A source is one of the observers, who know their own input anyway.
            #[error("node {node} is both source and observer; a node keeps no secret from itself")]
            SourceObserves {
                /// The node.
                node: usize,
            },
            /// A group without members.
            #[error("no source was given; name at least one node whose input is protected")]
            NoSource,
            /// The formula does not apply to the protocol.
            #[error("{formula} does not apply to this protocol: {reason}")]
            NotApplicable {
                /// The formula.
                formula: &'static str,
                /// Why, and what to use instead.
                reason: &'static str,
            },
            /// A weight scheme that this engine does not know.
            #[error("this engine does not know the weight scheme {scheme}")]
            UnknownScheme {
                /// The scheme.
                scheme: String,
            },
            /// The formula divides by the weight of an edge.
            #[error(
                "the edge {u}-{v} has weight 0, and the bound divides by it; give it a positive weight or remove it"
            )]
            ZeroWeight {
                /// One end.
                u: usize,
                /// The other end.
                v: usize,
            },
            /// The formula needs somebody to hear the observer's neighbours.
            #[error(
                "observer {observer} has no neighbour outside; the bound is not defined (nothing is leaked)"
            )]
            NoNeighbour {
                /// The observer.
                observer: String,
            },
            /// A list has another length than it needs.
            #[error("{given} {what} were given, {expected} are needed")]
            WrongLength {
                /// What the list holds.
                what: &'static str,
                /// Its length.
                given: usize,
                /// The length that is needed.
                expected: usize,
            },
            /// A parameter is outside its range.
            #[error("{parameter} is {value}, but {expected}")]
            BadParameter {
                /// The parameter's name.
                parameter: &'static str,
                /// Its value.
                value: String,
                /// What would be accepted.
                expected: &'static str,
            },
            /// The gossip matrix has no spectral gap.
            #[error("the spectral gap is 0 ({reason}), so gossip does not converge; {remedy}")]
            NoGap {
                /// Why.
                reason: &'static str,
                /// What to use instead.
                remedy: &'static str,
            },
            $($own)*
        }
    };
}
