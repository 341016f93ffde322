//! Files of the workspace, and cargo on it.

use std::path::Path;
use std::process::Command;

/// The folder of the workspace.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the text of a file, named from the root.
pub fn read(path: &str) -> String {
    let path = Path::new(ROOT).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns `true` if there is such a file, named from the root.
pub fn has(path: &str) -> bool {
    Path::new(ROOT).join(path).is_file()
}

/// Returns the output of cargo; its arguments are separated by spaces.
pub fn cargo(arguments: &str) -> String {
    let output =
        Command::new(env!("CARGO")).args(arguments.split(' ')).current_dir(ROOT).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the cells of the table whose first column has this title.
pub fn table_rows(page: &str, title: &str) -> Vec<Vec<String>> {
    let head = format!("| {title} |");
    let lines = page.lines().skip_while(|line| !line.starts_with(&head));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let inner = row.trim().trim_matches('|');
        inner.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    rows.map(cells).collect()
}
