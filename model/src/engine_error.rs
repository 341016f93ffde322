//! Error variants that both engines share.

/// Defines the error type of an engine: the shared variants and its own.
#[doc(hidden)]
#[macro_export]
macro_rules! engine_error {
    ($(#[$about:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the messages say what the fields are")]
        pub enum $name {
            /// The protocol is invalid.
            #[error(transparent)]
            Protocol(#[from] $crate::ProtocolError),
            /// A graph cannot be built.
            #[error(transparent)]
            Graph(#[from] $crate::GraphError),
            /// Weights do not fit their graph.
            #[error(transparent)]
            Weights(#[from] $crate::WeightError),
            /// The observer is not part of the protocol.
            #[error(transparent)]
            Observer(#[from] $crate::ObserverError),
            /// The fractions or the Lipschitz constants are invalid.
            #[error(transparent)]
            Absorption(#[from] $crate::AbsorptionError),
            /// A formula for uniform noise was asked for a noise plan.
            #[error(transparent)]
            NotUniform(#[from] $crate::NotUniform),
            /// Nothing hides the input of a source.
            #[error(
                "the loss of node {source_node} is infinite: no noise that the observer does not know hides its input; give noise to it or to a node that shares masks with it"
            )]
            InfiniteLoss { source_node: usize },
            /// A source is not a node of the protocol.
            #[error("source {source_node} is outside 0..{nodes}; nodes are numbered from 0")]
            SourceOutOfRange { source_node: usize, nodes: usize },
            /// A source is one of the observers, who know their own input.
            #[error("node {node} is both source and observer; a node keeps no secret from itself")]
            SourceObserves { node: usize },
            /// The group has no members.
            #[error("no source was given; name at least one node whose input is protected")]
            NoSource,
            /// The formula does not apply to the protocol.
            #[error("{formula} does not apply to this protocol: {reason}")]
            NotApplicable { formula: &'static str, reason: &'static str },
            /// This engine does not know the weight scheme.
            #[error("this engine does not know the weight scheme {scheme}")]
            UnknownScheme { scheme: String },
            /// The formula divides by the weight of an edge, which is 0.
            #[error(
                "the edge {u}-{v} has weight 0, and the bound divides by it; give it a positive weight or remove it"
            )]
            ZeroWeight { u: usize, v: usize },
            /// The observer has no neighbour outside, so the formula is undefined.
            #[error(
                "observer {observer} has no neighbour outside; the bound is not defined (nothing is leaked)"
            )]
            NoNeighbour { observer: String },
            /// A list has the wrong length.
            #[error("{given} {what} were given, {expected} are needed")]
            WrongLength { what: &'static str, given: usize, expected: usize },
            /// A parameter is outside its range.
            #[error("{parameter} is {value}, but {expected}")]
            BadParameter { parameter: &'static str, value: String, expected: &'static str },
            /// The gossip matrix has no spectral gap.
            #[error("the spectral gap is 0 ({reason}), so gossip does not converge; {remedy}")]
            NoGap { reason: &'static str, remedy: &'static str },
            $($own)*
        }
    };
}
