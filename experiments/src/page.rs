//! The page of all experiments, in HTML and Markdown.

use super::authors::DEPARTURES;
use super::exhibit::{Exhibit, FOLDER};
use muffliato::command::atomic_file::write_file;
use std::io::Write;
use std::path::Path;

const TITLE: &str = "The paper's experiments, compared with exact accounting";

const INTRODUCTION: &str = "Written by `cargo run --release -p muffliato-experiments -- all`. \
                            Losses are multiples of the local loss L = alpha Delta^2 / (2 \
                            sigma^2), the loss of local differential privacy (LDP): 1 is no better \
                            than sending the noisy value to everybody. A certified loss is a \
                            proved upper bound; an estimate guarantees nothing. A finding about \
                            the paper states its claim in our own words (Claimed) and the result \
                            (Found). Every number comes from a table beside the pictures.";

const AUTHORS: &str = "Deviations of the authors' program from the paper";

const ABOUT_AUTHORS: &str = "`--as-authors` reproduces all of these deviations and with them the \
                             published figures. The other experiments (Table 1 and those beyond \
                             the paper) have no counterpart in the program, and the option does \
                             not change them.";

const COLUMNS: [&str; 3] = ["experiments", "the authors' program", "without --as-authors"];

const STYLE: &str = "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 \
                     1em;line-height:1.45;color:#262626}figure{margin:1.5em \
                     0}img{width:100%;max-width:50em}figcaption{color:#555}dt{font-weight:bold;margin-top:.6em}";

/// Writes both pages; each appears complete or not at all.
pub fn write(out: &Path, exhibits: &[Exhibit]) -> anyhow::Result<()> {
    write_file(&out.join("results.html"), |out| html(out, exhibits))?;
    write_file(&out.join("results.md"), |out| markdown(out, exhibits))
}

fn html(out: &mut dyn Write, exhibits: &[Exhibit]) -> anyhow::Result<()> {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta \
         charset=\"utf-8\"><title>{TITLE}</title><style>{STYLE}</style></head><body>\n<h1>{TITLE}</h1>\n<p>{}</p>",
        escape_html(INTRODUCTION)
    )?;
    for exhibit in exhibits {
        writeln!(
            out,
            "<h2>{}</h2>\n<p>{}</p>",
            escape_html(&exhibit.title),
            escape_html(&exhibit.method)
        )?;
        for plate in &exhibit.plates {
            writeln!(
                out,
                "<figure><img src=\"{FOLDER}/{}.png\" \
                 alt=\"{}\"><figcaption>{}</figcaption></figure>",
                plate.name,
                escape_html(&plate.described()),
                escape_html(&plate.caption)
            )?;
        }
        writeln!(out, "<dl>")?;
        for finding in &exhibit.findings {
            let [subject, found] = finding.lines().map(|line| escape_html(&line));
            writeln!(out, "<dt>{subject}</dt><dd>{found}</dd>")?;
        }
        write!(out, "</dl>\n<p>Tables:")?;
        for sheet in &exhibit.sheets {
            write!(out, " <a href=\"{FOLDER}/{0}.csv\">{0}.csv</a>", sheet.name)?;
        }
        writeln!(out, "</p>")?;
    }
    writeln!(out, "<h2>{AUTHORS}</h2>\n<p>{}</p>\n<table><tr>", escape_html(ABOUT_AUTHORS))?;
    for name in COLUMNS {
        write!(out, "<th>{name}</th>")?;
    }
    writeln!(out, "</tr>")?;
    for row in DEPARTURES {
        let cells = row.map(escape_html);
        writeln!(out, "<tr><td>{}</td></tr>", cells.join("</td><td>"))?;
    }
    Ok(writeln!(out, "</table>\n</body></html>")?)
}

fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

fn markdown(out: &mut dyn Write, exhibits: &[Exhibit]) -> anyhow::Result<()> {
    writeln!(out, "# {TITLE}\n\n{INTRODUCTION}")?;
    for exhibit in exhibits {
        writeln!(out, "\n## {}\n\n{}\n", exhibit.title, exhibit.method)?;
        for plate in &exhibit.plates {
            writeln!(out, "![{}]({FOLDER}/{}.png)\n", plate.described(), plate.name)?;
            writeln!(out, "*{}*\n", plate.caption)?;
        }
        for finding in &exhibit.findings {
            let [subject, found] = finding.lines();
            writeln!(out, "- *{subject}*\n  {found}")?;
        }
        let tables = exhibit.sheets.iter();
        let tables: Vec<_> =
            tables.map(|sheet| format!("[{0}.csv]({FOLDER}/{0}.csv)", sheet.name)).collect();
        writeln!(out, "\nTables: {}", tables.join(", "))?;
    }
    write!(out, "\n{}", departures())?;
    Ok(())
}

/// Formats the last section in Markdown.
fn departures() -> String {
    let line = |cells: [&str; 3]| format!("| {} |\n", cells.join(" | "));
    let mut text = format!("## {AUTHORS}\n\n{ABOUT_AUTHORS}\n\n");
    text += &line(COLUMNS);
    text += &line(["---"; 3]);
    for row in DEPARTURES {
        text += &line(row);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture is described by what it shows, and not by the name of its file.
    #[test]
    fn pictures_are_described() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("results.md");
        let page = std::fs::read_to_string(page).unwrap();
        let pictures: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("![")).collect();
        assert!(pictures.len() > 30);
        for picture in pictures {
            let (words, file) = picture.split_once("](").unwrap();
            let shown =
                words.contains("chart") || words.contains("graph") || words.contains("Histogram");
            assert!(shown && words.len() > 15, "{words}: {file}");
        }
    }

    #[test]
    fn the_shipped_page_lists_all_departures() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("results.md");
        let page = std::fs::read_to_string(page).unwrap();
        assert!(
            page.contains(&departures()),
            "cargo run --release -p muffliato-experiments -- all"
        );
    }
}
