//! Kani's attributes, without effect.

use proc_macro::TokenStream;

/// Marks a harness.
#[proc_macro_attribute]
pub fn proof(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Says that the harness must fail.
#[proc_macro_attribute]
pub fn should_panic(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Names the solver.
#[proc_macro_attribute]
pub fn solver(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Says how often loops are unrolled.
#[proc_macro_attribute]
pub fn unwind(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
