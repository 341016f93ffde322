//! Writes `frozen/ends.json`: the certified ends and the epsilons of the fast engine on a part of the vectors, at the time of writing.
//!
//! Ends may become tighter and must never fall below the exact loss; a test compares them. Write them anew only for a reason.

use muffliato_fast::{GaussianPrivacy, GramView};
use muffliato_vectors::form::{File, Inputs, Question, observer};
use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = Vec::new();
    let files = File::all()?;
    let cases = files.iter().flat_map(|file| &file.cases);
    let losses = cases.filter_map(|case| match &case.question {
        Question::Loss {
            protocol,
            view,
            observers,
            sources,
            inputs,
        } => {
            let phases = protocol.every.is_some() && sources.len() > 1;
            (!phases).then_some((case, protocol, view, observers, sources, inputs))
        }
        _ => None,
    });
    for (case, protocol, view, observers, sources, inputs) in losses.step_by(4) {
        let protocol = protocol.build()?;
        let loss = GramView::of(&protocol, &observer(*view, observers)?)?.group_loss(sources)?;
        let ends = match inputs {
            Inputs::Scalars => loss.scalars.certified,
            Inputs::Vectors => loss.vectors.certified,
        };
        let epsilon = GaussianPrivacy::of_leakage(&ends, 1.0, 2.0)?.epsilon_upper(1e-6)?;
        let row = serde_json::json!([case.id, ends.lower(), ends.upper(), epsilon]);
        lines.push(row.to_string());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("frozen");
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("ends.json"),
        format!("[\n{}\n]\n", lines.join(",\n")),
    )?;
    println!("{} cases", lines.len());
    Ok(())
}
