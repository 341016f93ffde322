//! Tables of losses by distance.

use muffliato::reference::{DistanceSummary, Spread, decimal::rounded_up};
use std::fmt::Write;

const DIGITS: u32 = 3;

/// A right-aligned table with a line under its head.
pub fn aligned(head: &[&str], rows: &[Vec<String>]) -> String {
    let length = |text: &str| text.chars().count();
    let widths: Vec<_> = (0..head.len())
        .map(|column| {
            let cells = rows.iter().map(|row| length(&row[column]));
            cells.chain([length(head[column])]).max().unwrap_or(0)
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
    line(&mut head.iter().copied());
    let rules: Vec<_> = widths.iter().map(|&width| "-".repeat(width)).collect();
    line(&mut rules.iter().map(String::as_str));
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    text
}

/// The distance of a group of pairs.
pub fn distance(row: &DistanceSummary) -> String {
    row.distance
        .map_or("none".into(), |distance| distance.to_string())
}

/// Smallest, mean and largest, each rounded up; dashes where there is nothing.
pub fn spread(spread: Option<&Spread>) -> [String; 3] {
    match spread {
        Some(spread) => {
            [&spread.min, spread.mean.upper(), &spread.max].map(|value| rounded_up(value, DIGITS))
        }
        None => ["-"; 3].map(String::from),
    }
}
