//! Tests of the program, its files and its pages.

use std::process::{Command, Output};
use std::{collections::BTreeSet, fs, path::Path};

/// Runs the program with the words of `line` as arguments.
fn run(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muffliato-experiments"))
        .env("RUST_BACKTRACE", "0")
        .args(line.split_whitespace())
        .output()
        .unwrap()
}

fn printed(line: &str) -> String {
    let output = run(line);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the files that a page links to in its own folder.
fn links(page: &str) -> BTreeSet<String> {
    let parts = page.split(['(', '"']).filter_map(|part| {
        let end = part.find([')', '"']).unwrap_or(part.len());
        part[..end].strip_prefix("results/")
    });
    parts.map(String::from).collect()
}

fn check_pages(folder: &Path, pages: &[&str]) {
    for page in pages {
        let text = fs::read_to_string(folder.join(page)).unwrap();
        let links = links(&text);
        assert!(links.len() > 20, "{page}: {links:?}");
        for link in links {
            assert!(folder.join("results").join(&link).is_file(), "{page}: {link}");
        }
    }
}

/// Runs every experiment without data. Substitutes are named, pages link only to existing files,
/// and no temporary file remains.
#[test]
fn all_experiments_run_without_data() {
    let (out, nothing) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let told = printed(&format!(
        "all --quick --trials 1 --quiet --out {} --data {}",
        out.path().display(),
        nothing.path().display()
    ));
    for word in ["Figure 1a", "Figures 1b and 5", "Table 1", "Table 3", "Beyond the paper"] {
        assert!(told.contains(word), "{told}");
    }
    assert!(
        told.contains("in place of the houses") && told.contains("in place of Facebook"),
        "{told}"
    );
    check_pages(out.path(), &["results.md", "results.html"]);
    for file in fs::read_dir(out.path().join("results")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(!name.starts_with('.'), "{name}");
    }
}

/// The seed determines the bytes for any number of threads.
#[test]
fn experiments_are_deterministic() {
    let fig4 = |threads: &str, seed: &str| {
        let out = tempfile::tempdir().unwrap();
        let folder = out.path().display();
        printed(&format!("fig4 --quick --quiet --out {folder} --threads {threads} --seed {seed}"));
        ["fig4.csv", "fig4.png"]
            .map(|name| fs::read(out.path().join("results").join(name)).unwrap())
    };
    let once = fig4("1", "3");
    assert!(once == fig4("2", "3"));
    assert!(once != fig4("2", "4"));
}

#[test]
fn the_shipped_page_shows_files_that_are_there() {
    check_pages(Path::new(env!("CARGO_MANIFEST_DIR")), &["results.md"]);
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    for (line, message) in [
        ("fig9", "possible values"),
        ("fig3 --trials 0", "at least 1"),
        ("fig3 --data /nowhere/at/all", "--help"),
        ("fig3 --quick --out /dev/null", "cannot make the folder"),
    ] {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(message), "{told}");
    }
}
