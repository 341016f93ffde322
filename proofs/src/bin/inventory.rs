//! What `run.sh` asks: the inventory, the functions of the trusted base, names, planted bugs, and what the output of a run says.

use muffliato_proofs::{INVENTORY, listing, trusted_base, verdict};
use std::{env, error::Error, fs, io, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list", _] => print!("{}", listing()),
        ["trusted", root] => print!("{}", trusted_base(Path::new(root))?),
        ["names", ref asked @ ..] => names(asked)?,
        ["plant", name, root] => plant(name, Path::new(root))?,
        ["verdict", status] => {
            println!("{}", verdict(status == "0", &io::read_to_string(io::stdin())?));
        }
        _ => return Err("usage: inventory list ROOT | trusted ROOT | names [NAME...] | plant NAME ROOT | verdict STATUS".into()),
    }
    Ok(())
}

/// Prints the names that were asked for, or all.
fn names(asked: &[&str]) -> Result<(), Box<dyn Error>> {
    let registered = |name: &&&str| INVENTORY.iter().any(|entry| entry.name == **name);
    if let Some(name) = asked.iter().find(|name| !registered(name)) {
        return Err(
            format!("{name} is not registered; proofs/run.sh --list shows the names").into()
        );
    }
    let all = INVENTORY.iter().map(|entry| entry.name);
    all.filter(|name| asked.is_empty() || asked.contains(name)).for_each(|name| println!("{name}"));
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
