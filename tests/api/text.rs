//! Syntax as text, in one spelling.

use quote::ToTokens;
use syn::{Attribute, Visibility};

/// Spaces that the tokens are printed with and that nobody writes. Later lines repair what earlier ones did too much.
const SPACES: [(&str, &str); 18] = [
    (" ::", "::"),
    (":: ", "::"),
    (" <", "<"),
    ("< ", "<"),
    (" >", ">"),
    (" ,", ","),
    (" ;", ";"),
    (" :", ":"),
    ("& ", "&"),
    (" (", "("),
    ("->(", "-> ("),
    (":(", ": ("),
    (",(", ", ("),
    ("=(", "= ("),
    ("for(", "for ("),
    ("mut(", "mut ("),
    ("-><", "-> <"),
    (",>", ">"),
];

/// The text of a piece of syntax.
pub fn of(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in SPACES {
        text = text.replace(from, to);
    }
    text
}

/// An attribute without its brackets.
pub fn attribute(attribute: &Attribute) -> String {
    of(&attribute.meta)
}

/// Whether everybody may use it.
pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The attributes that are part of an interface.
pub fn kept(attributes: &[Attribute]) -> Vec<String> {
    let texts = attributes.iter().map(attribute);
    let shown = ["cfg(", "derive(", "non_exhaustive", "must_use", "deprecated"];
    texts
        .filter(|text| shown.iter().any(|start| text.starts_with(start)))
        .map(|text| format!("#[{text}]"))
        .collect()
}
