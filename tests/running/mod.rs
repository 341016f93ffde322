//! Runs the real command.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The command, without what the surroundings could change.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muffliato"));
    command.env("RUST_BACKTRACE", "0").env("COLUMNS", "100");
    command
}

/// What the command answers.
pub fn muffliato(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

/// What the command prints, if all is well.
#[allow(dead_code)] // each test program uses some of these
pub fn printed(arguments: &[&str]) -> String {
    checked(muffliato(arguments))
}

/// The same with something on standard input.
#[allow(dead_code)]
pub fn printed_with_input(arguments: &[&str], input: &[u8]) -> String {
    let mut child = started(arguments);
    child.stdin.take().unwrap().write_all(input).unwrap();
    checked(child.wait_with_output().unwrap())
}

/// The command at work.
#[allow(dead_code)]
pub fn started(arguments: &[&str]) -> Child {
    command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[allow(dead_code)]
fn checked(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    // On a slow machine there are lines of progress.
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    let is_progress = |line: &str| line.contains(": ") && line.contains(" of ");
    assert!(
        said.lines()
            .all(|line| is_progress(line) && !line.starts_with("note")),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}
