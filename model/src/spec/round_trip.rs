//! What `Display` writes of an arbitrary specification is what `FromStr` reads.

use proptest::prelude::*;

use super::{EdgeProbability, FilePath, GraphSpec, Sides};

fn number() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{INFINITE, NORMAL, SUBNORMAL, ZERO};
    let any_sign = NORMAL | SUBNORMAL | ZERO | INFINITE;
    prop_oneof![any_sign, 0.0..1.0]
}

fn sides() -> impl Strategy<Value = Sides> {
    proptest::collection::vec(any::<usize>(), 1..6)
        .prop_filter_map("at least one side", Sides::try_new)
}

fn probability() -> impl Strategy<Value = EdgeProbability> {
    prop_oneof![
        number().prop_map(|c| EdgeProbability::Scaled { c }),
        number().prop_map(|q| EdgeProbability::Given { q }),
    ]
}

/// Texts that look like specifications, right or wrong.
fn nearly_a_spec() -> impl Strategy<Value = String> {
    let name = (0..GraphSpec::families().len())
        .prop_map(|index| GraphSpec::families()[index].name.to_string());
    let part = prop_oneof![
        "[0-9x]{0,4}",
        "(c|q|r|d|seed)=[-+0-9.e]{0,4}",
        "connected|[a-z./=]{0,3}",
    ];
    (name, proptest::collection::vec(part, 0..4))
        .prop_map(|(name, parts)| [vec![name], parts].concat().join(":"))
}

fn spec() -> impl Strategy<Value = GraphSpec> {
    let nodes = any::<usize>;
    let seed = any::<u64>;
    prop_oneof![
        nodes().prop_map(|nodes| GraphSpec::Path { nodes }),
        nodes().prop_map(|nodes| GraphSpec::Ring { nodes }),
        nodes().prop_map(|nodes| GraphSpec::Complete { nodes }),
        nodes().prop_map(|nodes| GraphSpec::Star { nodes }),
        sides().prop_map(|sides| GraphSpec::Grid { sides }),
        sides().prop_map(|sides| GraphSpec::Torus { sides }),
        nodes().prop_map(|dimension| GraphSpec::Hypercube { dimension }),
        (nodes(), probability(), seed(), any::<bool>()).prop_map(
            |(nodes, probability, seed, connected)| GraphSpec::ErdosRenyi {
                nodes,
                probability,
                seed,
                connected,
            }
        ),
        (nodes(), number(), seed()).prop_map(|(nodes, radius, seed)| GraphSpec::Geometric {
            nodes,
            radius,
            seed,
        }),
        (nodes(), nodes(), seed()).prop_map(|(nodes, degree, seed)| GraphSpec::Regular {
            nodes,
            degree,
            seed,
        }),
        Just(GraphSpec::Karate),
        Just(GraphSpec::Florentine),
        any::<String>().prop_map(|text| GraphSpec::File(FilePath::new(text))),
        nearly_a_spec().prop_map(|text| GraphSpec::File(FilePath::new(text))),
    ]
}

proptest! {
    #[test]
    fn parsing_what_is_printed_gives_the_same_value(spec in spec()) {
        prop_assert_eq!(spec.to_string().parse::<GraphSpec>(), Ok(spec));
    }
}
