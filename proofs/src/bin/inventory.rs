//! Prints one line for each registered property; `inventory plant NAME ROOT` plants the bug of a
//! property in the workspace at ROOT, `inventory trusted ROOT` prints the functions of the trusted base.

use muffliato_proofs::{INVENTORY, tab_separated, trusted_base};
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => print!("{}", tab_separated()),
        ["trusted", root] => print!("{}", trusted_base(Path::new(root))?),
        ["plant", name, root] => plant(name, Path::new(root))?,
        _ => return Err("usage: inventory [trusted ROOT | plant NAME ROOT]".into()),
    }
    Ok(())
}

/// Plants the bug and prints the name of the changed file.
fn plant(name: &str, root: &Path) -> Result<(), Box<dyn Error>> {
    let entry = INVENTORY.iter().find(|entry| entry.name == name);
    let planted = entry.ok_or(format!("{name} is not registered"))?.planted;
    let path = root.join(planted.file);
    let changed = planted.into_text(&fs::read_to_string(&path)?);
    let changed =
        changed.ok_or(format!("{} has not exactly one {:?}", planted.file, planted.right))?;
    fs::write(path, changed)?;
    println!("{}", planted.file);
    Ok(())
}
