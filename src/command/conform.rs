//! `muffliato conform`: grades another program on the test vectors.

use super::atomic_file::save_text;
use super::output::{OutputArgs, Report, write_csv, write_value};
use super::report::escape::html;
use super::session::{CheckFailed, Session, Time};
use super::table::aligned;
use clap::Args;
use muffliato::fast::{FastError, Progress};
use muffliato::model::Fraction;
use muffliato::reference::rational;
use muffliato_vectors::{ConformError, Grade, Program, Report as Graded, conform};
use std::io::Write;
use std::path::PathBuf;

/// Asks another program the test vectors and grades its answers.
///
/// The program reads one JSON question a line and writes one answer a line; both are described in
/// vectors/README.md. An answer is exact, sound (not below the correct number), UNSOUND, refused or
/// unsupported. A program that exits or hangs is started again.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Conform {
    /// Topic to ask about, such as one-shot; may be repeated. All topics by default.
    #[arg(long, value_name = "TOPIC")]
    topic: Vec<String>,
    /// Time limit for one answer.
    #[arg(long, value_name = "TIME", default_value = "10s")]
    timeout: Time,
    /// Relative amount by which an answer may be too small, such as 0.000000001 for a program in
    /// floating point.
    #[arg(long, value_name = "PART", default_value = "0", allow_negative_numbers = true)]
    tolerance: Fraction,
    /// Also write a page for the browser to this file: the table, and every answer that is unsound.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// The program and its arguments.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Exit code 1 if an answer is unsound.

Examples:
  muffliato conform -- python3 vectors/programs/one_shot.py
  muffliato conform --topic training --format json -- python3 vectors/programs/gd_main_text.py
";

/// Number of unsound answers that the table lists.
const NAMED: usize = 10;

impl Conform {
    /// Asks all questions. Fails if an answer is unsound.
    pub fn run(self, session: &Session) -> anyhow::Result<()> {
        self.output.check()?;
        anyhow::ensure!(
            !self.tolerance.is_negative(),
            "--tolerance is {}; it must not be negative",
            self.tolerance
        );
        let Time(patience) = self.timeout;
        let mut program = Program::new(self.command, patience)?;
        let progress = session.progress("asking");
        let asked = |done, total| progress.report(done, total);
        let tolerance = rational(self.tolerance);
        let report = match conform(&mut program, &self.topic, &tolerance, asked) {
            Err(ConformError::Stopped) => return Err(FastError::Cancelled.into()),
            report => report?,
        };
        drop(progress);
        if let Some(path) = &self.page {
            save_text(path, &page(&report)?)?;
        }
        self.output.deliver(&report)?;
        match report.count(Grade::Unsound) {
            0 if report
                .answers
                .iter()
                .all(|answer| matches!(answer.grade, Grade::Crashed | Grade::TooSlow)) =>
            {
                Err(CheckFailed(
                    "the program answered no question: it exited or hung each time".into(),
                )
                .into())
            }
            0 => Ok(()),
            unsound => Err(CheckFailed(format!(
                "{unsound} of {} answers are unsound",
                report.answers.len()
            ))
            .into()),
        }
    }
}

/// Returns the graded answers as a page without scripts.
fn page(report: &Graded) -> anyhow::Result<String> {
    let row = |tag: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", html(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let program = html(&report.program.join(" "));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Conformance of {program}</title>\n\
         <style>body {{ font: 1rem sans-serif; margin: 2rem }} td, th {{ padding: .2rem .6rem; text-align: left }} \
         tr:nth-child(even) {{ background: #eee }}</style>\n<h1>Conformance of <code>{program}</code></h1>\n\
         <p>{} answers, {} of them unsound: below the exact number.</p>\n<table>\n",
        report.answers.len(),
        report.count(Grade::Unsound),
    );
    let head: Vec<String> = Graded::HEAD.split(',').map(String::from).collect();
    page += &row("th", &head);
    for cells in report.rows() {
        page += &row("td", &cells);
    }
    page += "</table>\n<h2>Unsound answers</h2>\n<table>\n";
    page += &row("th", &["case", "flags", "answered", "right"].map(String::from));
    for answer in report.answers.iter().filter(|answer| answer.grade == Grade::Unsound) {
        let right = serde_json::to_string(&answer.right)?;
        let cells = [answer.id.clone(), answer.flags.join(" "), answer.answered.clone(), right];
        page += &row("td", &cells);
    }
    Ok(page + "</table>\n</html>")
}

impl Report for Graded {
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write!(out, "{}", aligned(Self::HEAD, &self.rows()))?;
        let unsound = |grade| grade == Grade::Unsound;
        let named = self.answers.iter().filter(|answer| unsound(answer.grade));
        for answer in named.take(NAMED) {
            let right = serde_json::to_string(&answer.right)?;
            writeln!(out, "UNSOUND {}: answered {}, right is {right}", answer.id, answer.answered)?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write_value(out, serde_json::to_value(self)?)
    }

    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let rows = self.answers.iter().map(|answer| {
            let slack = answer.slack.map_or(String::new(), |slack| slack.to_string());
            let grade = format!("{:?}", answer.grade);
            [answer.id.clone(), answer.flags.join(" "), grade, slack, answer.answered.clone()]
        });
        write_csv(out, "case,flags,grade,slack,answered", rows)
    }
}
