//! Runs the real command. Lines are its arguments, separated by spaces; what stands between two ' is one of them, as a path may be.
#![allow(dead_code)] // each test program uses some of these

use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The command, without what the surroundings could change.
pub fn command(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muffliato"));
    command.env("RUST_BACKTRACE", "0").env("COLUMNS", "100");
    for (place, part) in line.split('\'').enumerate() {
        match place % 2 {
            0 => command.args(part.split_ascii_whitespace()),
            _ => command.arg(part),
        };
    }
    command
}

/// What the command answers.
pub fn muffliato(line: &str) -> Output {
    command(line).output().unwrap()
}

/// What an answer has on standard output and on standard error.
pub fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// What the command prints, if all is well.
pub fn printed(line: &str) -> String {
    checked(muffliato(line))
}

/// The same as JSON.
pub fn json(line: &str) -> Value {
    serde_json::from_str(&printed(&format!("{line} --format json"))).unwrap()
}

/// The same with something on standard input.
pub fn printed_with_input(line: &str, input: &[u8]) -> String {
    let mut child = started(line);
    child.stdin.take().unwrap().write_all(input).unwrap();
    checked(child.wait_with_output().unwrap())
}

/// The message of a line that is refused.
pub fn refused(line: &str) -> String {
    let output = muffliato(line);
    assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
    said(&output).1
}

/// The command at work.
pub fn started(line: &str) -> Child {
    let mut command = command(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

pub fn checked(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    let (printed, told) = said(&output);
    // On a slow machine there are lines of progress; files that were written are named.
    let is_progress = |line: &str| line.contains(": ") && line.contains(" of ");
    let is_file = |line: &str| line.starts_with("note: wrote ");
    assert!(
        told.lines()
            .all(|line| is_file(line) || is_progress(line) && !line.starts_with("note")),
        "{output:?}"
    );
    printed
}
