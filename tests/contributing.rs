//! What CONTRIBUTING and README say about the code is true.

use std::{fs, path::Path};

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
fn every_test_and_folder_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contributing = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let tables = contributing.split("## Planted bugs").skip(1);
    let folders = [&["reference", "fast"][..], &["conformance/tests"]];
    assert_eq!(tables.clone().count(), folders.len());
    for (planted, folders) in tables.zip(folders) {
        let mut code = String::new();
        for folder in folders {
            sources(&root.join(folder), &mut code);
        }
        let rows = planted.lines().filter(|line| line.ends_with("` |"));
        assert!(rows.clone().count() >= 10, "ten planted bugs at least");
        for row in rows {
            let test = row.rsplit('`').nth(1).unwrap();
            let defined = code.contains(&format!("fn {test}("));
            assert!(defined, "{folders:?} have no test {test}");
        }
    }
    for document in ["CONTRIBUTING.md", "README.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        assert!(!text.contains('@'), "{document} has a placeholder");
        for name in text.split('`').skip(1).step_by(2) {
            let is_path = name.contains('/') && !name.contains([' ', '{', '<']);
            assert!(
                !is_path || root.join(name).exists(),
                "{document} names {name}"
            );
        }
    }
}
