//! `run.sh` against a `cargo kani` that says what it is told to.
#![cfg(unix)]

use muffliato_proofs::INVENTORY;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// A program cannot be started while another thread's child still has it open for writing.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A folder with a `cargo` that knows `kani` alone, and answers with the text in `says`.
struct Kani {
    folder: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Kani {
    fn saying(test: &str, says: &str) -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("muffliato-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("says"), says).unwrap();
        let cargo = folder.join("cargo");
        let script = "#!/bin/sh\n[ \"$1\" = kani ] || exit 9\ncat \"$(dirname \"$0\")/says\"\n";
        fs::write(&cargo, script).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            folder,
            _alone: alone,
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("run.sh");
        Command::new(script)
            .args(arguments)
            .env("PATH", format!("{}:{path}", self.folder.display()))
            .env("INVENTORY", env!("CARGO_BIN_EXE_inventory"))
            .env("KANI_LOG", self.folder.join("log"))
            .output()
            .unwrap()
    }
}

impl Drop for Kani {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What Kani prints of one harness.
fn report(name: &str, covers: &str, verdict: &str) -> String {
    format!(
        "Checking harness table::harnesses::{name}...\n\nSUMMARY:\n ** 0 of 7 failed\n\n ** {covers} cover properties satisfied\n\n\
         VERIFICATION:- {verdict}\nVerification Time: 1.25s\n\n"
    )
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn all_harnesses_that_succeed_are_a_success() {
    let report = |entry: &muffliato_proofs::Entry| {
        report(&format!("{}::proof", entry.name), "2 of 2", "SUCCESSFUL")
    };
    let kani = Kani::saying("success", &INVENTORY.iter().map(report).collect::<String>());
    let output = kani.run(&[]);
    assert!(output.status.success(), "{}", text(&output));
    let expected = format!("{0} of {0} as expected", INVENTORY.len());
    assert!(text(&output).contains(&expected), "{}", text(&output));
}

#[test]
fn failures_missing_harnesses_and_unmet_covers_fail() {
    let name = INVENTORY[0].name;
    let proof = format!("{name}::proof");
    for (says, expected) in [
        (report(&proof, "2 of 2", "FAILED"), "FAILED"),
        (report(&proof, "1 of 2", "SUCCESSFUL"), "COVER NOT MET"),
        (report("another::proof", "2 of 2", "SUCCESSFUL"), "MISSING"),
        (String::new(), "MISSING"),
    ] {
        let kani = Kani::saying("failure", &says);
        let output = kani.run(&[name]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(text(&output).contains(expected), "{}", text(&output));
    }
}

#[test]
fn planted_bugs_have_harnesses_of_their_own() {
    let name = INVENTORY[0].name;
    let found = "SUCCESSFUL (encountered one or more panics as expected)";
    let says = report(&format!("{name}::planted"), "1 of 2", found);
    let kani = Kani::saying("planted", &says);
    let output = kani.run(&["--planted", name]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("bug found"), "{}", text(&output));
    assert!(!kani.run(&[name]).status.success());
}

#[test]
fn a_name_that_is_not_registered_is_refused() {
    let kani = Kani::saying("unknown", "");
    let output = kani.run(&["no_such_property"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}
