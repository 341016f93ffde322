//! Where results go: a table, JSON or CSV, to stdout or to a file; pictures beside them.

use super::atomic_file::{check_folder, write_file};
use super::interrupt;
use super::session::Session;
use super::table::wrapped;
use anstream::adapter::strip_str;
use anyhow::Context;
use clap::{Args, ValueEnum};
use muffliato::plot::{Picture, PictureSize};
use serde_json::Value;
use std::{io::Write, path::PathBuf};

/// In which form a result is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs, with everything in it.
    Json,
    /// For spreadsheets, one line an entry.
    Csv,
}

/// The options of every subcommand that has a result.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The form of the result.
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Write the result to a file instead of stdout; it appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The option of subcommands that can draw their result.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct PlotArgs {
    /// Draw the result: a file that ends in .svg or .png; or in .csv, for the numbers that would be drawn.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The title of the picture.
    #[arg(long, value_name = "TEXT", requires = "plot")]
    title: Option<String>,
    /// The size of the picture in pixels; those of a .png are twice as fine.
    #[arg(long, value_name = "WIDTHxHEIGHT", requires = "plot")]
    size: Option<PictureSize>,
}

/// What a subcommand has to say, in each form.
pub trait Report {
    /// For people.
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()>;
    /// For programs.
    fn json(&self, out: &mut dyn Write) -> anyhow::Result<()>;
    /// For spreadsheets.
    fn csv(&self, out: &mut dyn Write) -> anyhow::Result<()>;
}

impl OutputArgs {
    /// `Err` if the file cannot be written, before any work is done.
    pub fn check(&self) -> anyhow::Result<()> {
        self.output.as_deref().map_or(Ok(()), check_folder)
    }

    /// Writes the report in the form asked for. Text for people is wrapped; it has colours on a terminal.
    pub fn deliver(&self, report: &impl Report) -> anyhow::Result<()> {
        match self.format {
            Format::Table => {
                let mut text = Vec::new();
                report.table(&mut text)?;
                let text = wrapped(&String::from_utf8(text)?);
                match &self.output {
                    Some(path) => write_file(path, |out| Ok(write!(out, "{}", strip_str(&text))?)),
                    None => print_text(&text),
                }
            }
            Format::Json => self.write(|out| report.json(out)),
            Format::Csv => self.write(|out| report.csv(out)),
        }
    }

    /// Writes to the place asked for.
    pub fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        match &self.output {
            Some(path) => write_file(path, content),
            None => print(content),
        }
    }
}

/// Writes text for people to stdout, with its colours if that is a terminal.
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
    /// `Err` if the picture's format is unknown or its folder is absent, before any work is done.
    pub fn check(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.plot {
            check_folder(path)?;
            Picture::format_of(path)?;
        }
        Ok(())
    }

    /// Draws what `picture` makes, if a picture was asked for.
    pub fn deliver(
        &self,
        session: &Session,
        picture: impl FnOnce() -> anyhow::Result<Picture>,
    ) -> anyhow::Result<()> {
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
        write_file(path, |out| Ok(out.write_all(&bytes)?))?;
        session.note(&format!("wrote {}", path.display()));
        Ok(())
    }
}

/// The fields of an object, in this order.
macro_rules! fields {
    ($($name:literal: $value:expr),* $(,)?) => { vec![$(($name, serde_json::json!($value))),*] };
}
pub(crate) use fields;

/// Rows for spreadsheets, under a head as it stands in the file.
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

/// A number as a cell, empty where there is none.
pub fn cell(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// An object with one key a line, and lists of objects with one object a line.
pub fn write_json(out: &mut dyn Write, fields: &[(&str, Value)]) -> anyhow::Result<()> {
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

/// A list with one item a line; items are made as they are written.
pub fn write_list(out: &mut dyn Write, items: impl Iterator<Item = Value>) -> anyhow::Result<()> {
    write!(out, "[")?;
    for (number, item) in items.enumerate() {
        let start = if number == 0 { "\n  " } else { ",\n  " };
        write!(out, "{start}{item}")?;
    }
    Ok(write!(out, "]")?)
}
