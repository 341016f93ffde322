//! Reads the ledger: the verdict on a claim of the paper, and the instance that decides it.
//!
//! `cargo run --release --example read_ledger -- corollary-1`

use muffliato_conformance::{Ledger, claims::Standing};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().nth(1);
    let ledger = Ledger::only(id.as_deref().unwrap_or("theorem-1"))?;
    let audit = ledger.run(&())?;
    for entry in &audit.entries {
        println!("{} ({}): {}", entry.claim.id, entry.claim.place(), entry.verdict.standing);
        println!("  claimed: {}", entry.claim.statement());
        println!("  decided: {}", entry.claim.method());
        println!("  found:   {}", entry.verdict.evidence);
        if entry.verdict.standing == Standing::Refuted {
            let witness = entry.verdict.witness.as_ref().ok_or("a refutation has a witness")?;
            println!("  at {}: {}", witness.instance, witness.exact);
        }
    }
    if !audit.is_as_recorded() {
        return Err("a verdict is not the one on record".into());
    }
    Ok(())
}
