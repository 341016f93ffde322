//! Turns on what Kani turns on.

fn main() {
    println!("cargo::rustc-cfg=kani");
    println!("cargo::rerun-if-changed=build.rs");
}
