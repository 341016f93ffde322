//! What the pages say about the code is true.

mod workspace;

use std::{fs, path::Path};
use workspace::{ROOT, read};

/// Every page that names files and tests.
const PAGES: [&str; 13] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/dependencies.md",
    "docs/guide/1-model.md",
    "docs/guide/2-choosing.md",
    "docs/guide/3-ledger.md",
    "docs/guide/4-trusting.md",
    "model/README.md",
    "reference/README.md",
    "fast/README.md",
    "conformance/README.md",
    "proofs/README.md",
];

fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_planted_bug_names_a_test() {
    let contributing = read("CONTRIBUTING.md");
    let tables = contributing.split("## Planted bugs").skip(1);
    let folders = [&["reference", "fast"][..], &["conformance/tests"]];
    assert_eq!(tables.clone().count(), folders.len());
    for (planted, folders) in tables.zip(folders) {
        let mut code = String::new();
        for folder in folders {
            sources(&Path::new(ROOT).join(folder), &mut code);
        }
        let rows = planted.lines().filter(|line| line.ends_with("` |"));
        assert!(rows.clone().count() >= 10, "ten planted bugs at least");
        for row in rows {
            let test = row.rsplit('`').nth(1).unwrap();
            let defined = code.contains(&format!("fn {test}("));
            assert!(defined, "{folders:?} have no test {test}");
        }
    }
}

/// Where the tests of a package are, for a `cargo test -p PACKAGE --test NAME`.
fn test_program(command: &str) -> Option<String> {
    let mut words = command.strip_prefix("cargo test ")?.split(' ');
    let (mut package, mut name) = (String::new(), None);
    while let Some(word) = words.next() {
        match word {
            "-p" => package = words.next()?.replace("muffliato-", ""),
            "--test" => name = words.next(),
            _ => {}
        }
    }
    let folder = match package.as_str() {
        "" | "muffliato" => String::new(),
        package => format!("{package}/"),
    };
    Some(format!("{folder}tests/{}", name?))
}

#[test]
fn every_test_path_and_link_that_is_named_exists() {
    let root = Path::new(ROOT);
    for page in PAGES {
        let text = read(page);
        let folder = root.join(page).parent().unwrap().to_owned();
        assert!(!text.contains('@'), "{page} has a placeholder");
        for name in text.split('`').skip(1).step_by(2) {
            let is_path = name.contains('/') && !name.contains([' ', '{', '<']);
            let exists = root.join(name).exists() || folder.join(name).exists();
            assert!(!is_path || exists, "{page} names {name}");
            if let Some(program) = test_program(name) {
                let files = [format!("{program}.rs"), format!("{program}/main.rs")];
                let exists = files.iter().any(|file| root.join(file).exists());
                assert!(exists, "{page}: {name}");
            }
        }
        for link in text.split("](").skip(1) {
            let link = link.split([')', '#']).next().unwrap();
            let is_elsewhere = link.is_empty() || link.starts_with("http");
            let exists = is_elsewhere || folder.join(link).exists();
            assert!(exists, "{page} links to {link}");
        }
    }
}
