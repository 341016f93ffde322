//! Runs the real command. Lines are its arguments, separated by spaces; text between two ' is one argument, such as a path.

use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// Returns the command in an environment of its own.
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

/// Installs the command under its name in a folder, and returns the PATH with it.
#[cfg(unix)]
pub fn installed(folder: &std::path::Path) -> String {
    let programs = folder.join("bin");
    std::fs::create_dir(&programs).unwrap();
    let program = env!("CARGO_BIN_EXE_muffliato");
    std::os::unix::fs::symlink(program, programs.join("muffliato")).unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", programs.display())
}

/// Runs the command.
pub fn muffliato(line: &str) -> Output {
    command(line).output().unwrap()
}

/// Returns standard output and standard error.
pub fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Returns the output of a command that must succeed.
pub fn printed(line: &str) -> String {
    checked(muffliato(line))
}

/// Returns the output of a command that must succeed, parsed as JSON.
pub fn json(line: &str) -> Value {
    let (line, program) = line.split_at(line.find(" -- ").unwrap_or(line.len()));
    serde_json::from_str(&printed(&format!("{line} --format json{program}"))).unwrap()
}

/// Returns the output of a command that must succeed, given something on standard input.
pub fn printed_with_input(line: &str, input: &[u8]) -> String {
    let mut child = started(line);
    child.stdin.take().unwrap().write_all(input).unwrap();
    checked(child.wait_with_output().unwrap())
}

/// Returns the message of a command that must be refused, on one line.
pub fn refused(line: &str) -> String {
    let output = muffliato(line);
    assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
    words(&said(&output).1)
}

/// Returns a text on one line.
pub fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Starts the command.
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
        told.lines().all(|line| is_file(line) || is_progress(line) && !line.starts_with("note")),
        "{output:?}"
    );
    printed
}
