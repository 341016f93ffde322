//! Prints one line for each registered property: name, size that Kani proves, unwinding, expected seconds.

fn main() {
    print!("{}", muffliato_proofs::tab_separated());
}
