//! Results as a table, JSON or CSV, on stdout or in a file, and their plots.

use super::atomic_file::{check_folder, save};
use super::interrupt;
use super::table::wrapped;
use anstream::adapter::strip_str;
use anyhow::Context;
use clap::{Args, ValueEnum};
use muffliato::plot::{Picture, PictureSize};
use serde_json::Value;
use std::{io::Write, path::PathBuf};

/// The format of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    Table,
    /// JSON, with all fields.
    Json,
    /// CSV, one record a line.
    Csv,
}

/// Options of every subcommand that writes a result.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Format of the result.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write the result to a file instead of stdout; the file appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Options of subcommands that plot their result.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct PlotArgs {
    /// Plot the result to a file that ends in .svg or .png, or write the plotted numbers to a .csv
    /// file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Title of the plot.
    #[arg(long, value_name = "TEXT", requires = "plot")]
    title: Option<String>,
    /// Size of the plot in pixels; a .png has twice the resolution.
    #[arg(long, value_name = "WIDTHxHEIGHT", requires = "plot")]
    size: Option<PictureSize>,
}

/// A result that can be written in every [`Format`].
pub trait Report {
    /// Writes text for people.
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()>;
    /// Writes JSON.
    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()>;
    /// Writes CSV.
    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()>;
}

impl OutputArgs {
    /// Fails if the output file cannot be created. Called before any work is done.
    pub fn check(&self) -> anyhow::Result<()> {
        self.output.as_deref().map_or(Ok(()), check_folder)
    }

    /// Writes the report in the requested format. Text is wrapped, and coloured on a terminal.
    pub fn deliver(&self, report: &impl Report) -> anyhow::Result<()> {
        match self.format {
            Format::Table => {
                let mut text = Vec::new();
                report.table(&mut text)?;
                let text = wrapped(&String::from_utf8(text)?);
                let text = text.replace("Warning:", "\u{1b}[1;33mWarning:\u{1b}[0m");
                match &self.output {
                    Some(path) => save(path, |out| Ok(write!(out, "{}", strip_str(&text))?)),
                    None => print_text(&text),
                }
            }
            Format::Json => self.write(|out| report.json(out)),
            Format::Csv => self.write(|out| report.csv(out)),
        }
    }

    /// Writes to the output file, or to stdout.
    pub fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => save(path, content),
            None => print(content),
        }
    }
}

/// Prints text to stdout, with colours on a terminal.
pub fn print_text(text: &str) -> anyhow::Result<()> {
    interrupt::writing();
    let mut out = anstream::stdout().lock();
    write!(out, "{text}")?;
    out.flush().context("cannot write the result")
}

/// Writes to stdout.
pub fn print(content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    interrupt::writing();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    content(&mut out)?;
    out.flush().context("cannot write the result")
}

impl PlotArgs {
    /// Fails if the format of the plot is unknown or its folder is missing. Called before any work
    /// is done.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.plot {
            check_folder(path)?;
            Picture::format_of(path)?;
        }
        Ok(())
    }

    /// Writes the plot that `picture` returns, if one was requested.
    pub fn deliver(&self, picture: impl FnOnce() -> anyhow::Result<Picture>) -> anyhow::Result<()> {
        let Some(path) = &self.plot else {
            return Ok(());
        };
        let picture = match &self.title {
            Some(title) => picture()?.titled(title),
            None => picture()?,
        };
        interrupt::writing();
        let format = Picture::format_of(path)?;
        let bytes = match self.size {
            Some(size) => picture.encode_sized(format, size)?,
            None => picture.encode(format)?,
        };
        save(path, |out| Ok(out.write_all(&bytes)?))
    }
}

/// Builds the fields of a JSON object, in order.
macro_rules! fields {
    ($($name:literal: $value:expr),* $(,)?) => { vec![$(($name, serde_json::json!($value))),*] };
}
pub(crate) use fields;

/// Writes CSV rows under a header line.
pub fn write_csv<R: IntoIterator<Item: AsRef<[u8]>>>(
    out: &mut dyn Write,
    head: &str,
    rows: impl IntoIterator<Item = R>,
) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(head.split(','))?;
    for row in rows {
        csv.write_record(row)?;
    }
    Ok(csv.flush()?)
}

/// Formats a CSV cell, empty for `None`.
pub fn cell(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Version of the JSON that subcommands write, in its field `format`; docs/json.md describes it.
pub const FORMAT: u32 = 1;

/// Writes a result that is one JSON object, with its version.
pub fn write_value(out: &mut dyn Write, mut value: Value) -> anyhow::Result<()> {
    value["format"] = FORMAT.into();
    Ok(writeln!(out, "{value:#}")?)
}

/// Writes a result as a JSON object, with its version.
pub fn write_json(out: &mut dyn Write, fields: &[(&str, Value)]) -> anyhow::Result<()> {
    let version = [("format", FORMAT.into())];
    write_object(out, &[&version, fields].concat())
}

/// Writes a JSON object with one key a line, and lists of objects with one object a line.
pub fn write_object(out: &mut dyn Write, fields: &[(&str, Value)]) -> anyhow::Result<()> {
    for (number, (key, value)) in fields.iter().enumerate() {
        let start = if number == 0 { "{" } else { ",\n " };
        write!(out, "{start}{}: ", Value::from(*key))?;
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => {
                write_list(out, items.iter().cloned())?;
            }
            value => write!(out, "{value}")?,
        }
    }
    Ok(writeln!(out, "}}")?)
}

/// Writes a JSON list with one item a line, without collecting the items.
pub fn write_list(out: &mut dyn Write, items: impl Iterator<Item = Value>) -> anyhow::Result<()> {
    write!(out, "[")?;
    for (number, item) in items.enumerate() {
        let start = if number == 0 { "\n  " } else { ",\n  " };
        write!(out, "{start}{item}")?;
    }
    Ok(write!(out, "]")?)
}
