//! Round trips of arbitrary specifications through `Display` and `FromStr`.

use proptest::prelude::*;

use super::GraphSpec;
use super::family::{Choice, FAMILIES, Size};

/// Members of all families in their normal form, with arbitrary numbers.
fn member() -> impl Strategy<Value = String> {
    use proptest::num::f64::{INFINITE, NORMAL, SUBNORMAL, ZERO};
    let number = prop_oneof![NORMAL | SUBNORMAL | ZERO | INFINITE, 0.0..1.0];
    let sizes = proptest::collection::vec(any::<usize>(), 1..6);
    let family = 0..FAMILIES.len();
    (family, sizes, number, any::<u64>(), any::<[bool; 2]>()).prop_map(
        |(family, sizes, number, seed, [first, flag])| {
            let family = &FAMILIES[family];
            let mut text = family.name.to_string();
            let sides: Vec<_> = sizes.iter().map(usize::to_string).collect();
            match family.size {
                Size::Nothing => {}
                Size::One(_) => text += &format!(":{}", sizes[0]),
                Size::Sides => text += &format!(":{}", sides.join("x")),
            }
            let mut needed = true;
            for (place, option) in family.options.iter().enumerate() {
                let key = option.key();
                let last = !family.options[place + 1..].iter().any(|o| o.needed().is_some());
                let chosen = needed && (first || last);
                match option {
                    Choice::Number(..) if chosen => text += &format!(":{key}{number}"),
                    Choice::Count(..) if chosen => text += &format!(":{key}{}", sizes[0]),
                    Choice::Seed => text += &format!(":{key}{seed}"),
                    Choice::Flag(_) if flag => text += &format!(":{key}"),
                    _ => {}
                }
                needed &= !(chosen && option.needed().is_some());
            }
            text
        },
    )
}

/// Texts that resemble specifications, valid or not.
fn nearly_a_spec() -> impl Strategy<Value = String> {
    let name = (0..FAMILIES.len()).prop_map(|index| FAMILIES[index].name.to_string());
    let part =
        prop_oneof!["[0-9x]{0,4}", "(c|q|r|d|seed)=[-+0-9.e]{0,4}", "connected|[a-z./=]{0,3}",];
    (name, proptest::collection::vec(part, 0..4))
        .prop_map(|(name, parts)| [vec![name], parts].concat().join(":"))
}

proptest! {
    #[test]
    fn members_are_printed_as_they_are_parsed(text in member()) {
        let spec = text.parse::<GraphSpec>().unwrap();
        prop_assert!(matches!(spec, GraphSpec::Member(_)));
        prop_assert_eq!(spec.to_string(), text);
    }

    #[test]
    fn printing_and_parsing_is_the_identity(text in prop_oneof![any::<String>(), nearly_a_spec()]) {
        if let Ok(spec) = text.parse::<GraphSpec>() {
            prop_assert_eq!(spec.to_string().parse::<GraphSpec>(), Ok(spec));
        }
    }
}
