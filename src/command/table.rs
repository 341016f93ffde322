//! Tables for people.

use std::fmt::Write;

/// A right-aligned table with a line under its head, whose cells are separated by commas.
pub fn aligned(head: &str, rows: &[Vec<String>]) -> String {
    let length = |text: &str| text.chars().count();
    debug_assert!(rows.iter().all(|row| row.len() == head.split(',').count()));
    let widths: Vec<_> = head
        .split(',')
        .enumerate()
        .map(|(column, name)| {
            let cells = rows.iter().map(|row| length(&row[column]));
            cells.fold(length(name), usize::max)
        })
        .collect();
    let mut text = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<_> = cells
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:>width$}"))
            .collect();
        let _ = writeln!(text, "{}", padded.join("  "));
    };
    line(&mut head.split(','));
    let rules: Vec<_> = widths.iter().map(|&width| "-".repeat(width)).collect();
    line(&mut rules.iter().map(String::as_str));
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    text
}

/// Breaks a sentence into lines of at most this many characters, each with its end.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.join("\n") + "\n"
}

/// The distance of a group of pairs.
pub fn distance(distance: Option<usize>) -> String {
    distance.map_or("none".into(), |distance| distance.to_string())
}
