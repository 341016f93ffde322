//! Writes the vectors and their schemas: `cargo run -p muffliato-vectors`.

use std::{error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in muffliato_vectors::files()? {
        let topic = &file.topic;
        fs::write(folder.join(format!("v1/{topic}.json")), file.to_json()?)?;
        let schema = muffliato_vectors::schema(topic).ok_or("a topic without a schema")?;
        fs::write(folder.join(format!("schema/{topic}.json")), schema)?;
        println!("{topic}: {} cases", file.cases.len());
    }
    Ok(())
}
