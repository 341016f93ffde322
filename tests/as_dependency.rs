//! The crates are packaged without complaint, and work in a project of somebody else.

use crate::workspace::{ROOT, read};
use std::fs;
use std::process::Command;

/// Runs cargo in `folder`; the build goes to a folder of the tests that is kept, so that only the first run takes long.
fn cargo(arguments: &str, folder: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "cargo {arguments}: {said}");
    said
}

/// A project out of tree that depends on `crates` and contains `program`, checked by the compiler.
fn check_project(crates: &[(&str, &str)], options: &str, program: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut manifest = String::from(
        "[package]\nname = \"stranger\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for (name, place) in crates {
        manifest += &format!("{name} = {{ path = {:?}{options} }}\n", format!("{ROOT}/{place}"));
    }
    fs::write(path.join("Cargo.toml"), manifest).unwrap();
    // The versions that are at hand; cargo drops what the project does not need.
    fs::write(path.join("Cargo.lock"), read("Cargo.lock")).unwrap();
    fs::create_dir(path.join("src")).unwrap();
    fs::write(path.join("src/main.rs"), program).unwrap();
    cargo("check --offline --quiet", path.to_str().unwrap());
}

/// The program of the README.
fn program() -> String {
    let readme = read("README.md");
    let program = readme.split("```rust\n").nth(1).unwrap();
    program.split("```").next().unwrap().to_owned()
}

#[test]
fn the_exact_engine_works_alone() {
    let readme = read("reference/README.md");
    let body = readme.split("```rust\n").nth(1).unwrap();
    let body = body.split("# Ok").next().unwrap();
    let program =
        format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{body}Ok(())\n}}\n");
    let crates = [("muffliato-model", "model"), ("muffliato-reference", "reference")];
    check_project(&crates, "", &program);
}

#[test]
fn the_library_works_without_the_command() {
    check_project(&[("muffliato", "")], ", default-features = false", &program());
}

#[test]
#[ignore = "a minute of compiling; .ci/run asks for it"]
fn the_library_works_with_default_features() {
    check_project(&[("muffliato", "")], "", &program());
}

#[test]
fn packages_are_made_without_a_warning() {
    let said = cargo(
        "package --workspace --exclude muffliato-experiments --exclude muffliato-python --exclude muffliato-proofs --no-verify --offline --allow-dirty",
        ROOT,
    );
    assert_eq!(said.matches("Packaged ").count(), 12, "{said}");
    assert!(!said.contains("warning"), "{said}");
}
