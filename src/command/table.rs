//! Tables, paragraphs and counts that fit a terminal.

use anstream::adapter::strip_str;
use std::fmt::Write;

/// Largest width of a line, in characters.
pub const WIDTH: usize = 80;

/// Formats a table: numbers to the right, words to the left. The cells of the header are separated
/// by commas.
///
/// If the table is too wide for a terminal, header cells are broken at spaces, then columns move
/// together. Columns that still do not fit go into further tables, which repeat the first column.
pub fn aligned(head: &str, rows: &[Vec<String>]) -> String {
    let head: Vec<&str> = head.split(',').collect();
    debug_assert!(rows.iter().all(|row| row.len() == head.len()));
    let columns: Vec<usize> = (0..head.len()).collect();
    let one_line: Vec<Vec<&str>> = head.iter().map(|name| vec![*name]).collect();
    let broken: Vec<Vec<&str>> = head.iter().map(|name| name.split(' ').collect()).collect();
    for (head, gap) in [(&one_line, 2), (&broken, 2), (&one_line, 1), (&broken, 1)] {
        if width(&widths(head, rows), gap) <= WIDTH {
            return block(head, rows, &columns, gap);
        }
    }
    let widths = widths(&broken, rows);
    let mut blocks = Vec::new();
    let mut part = vec![0];
    for column in 1..head.len() {
        let with_it = part.iter().chain([&column]).map(|&c| widths[c]);
        if width(&with_it.collect::<Vec<_>>(), 2) > WIDTH && part.len() > 1 {
            blocks.push(block(&broken, rows, &part, 2));
            part = vec![0];
        }
        part.push(column);
    }
    blocks.push(block(&broken, rows, &part, 2));
    blocks.join("\n")
}

/// Returns the width of each column.
fn widths(head: &[Vec<&str>], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |(column, name): (usize, &Vec<&str>)| {
        let names = name.iter().map(|line| line.chars().count());
        let cells = rows.iter().map(|row| visible(&row[column]));
        names.chain(cells).max().unwrap_or(0)
    };
    head.iter().enumerate().map(width).collect()
}

/// Returns the total width of adjacent columns.
fn width(columns: &[usize], gap: usize) -> usize {
    columns.iter().sum::<usize>() + gap * columns.len().saturating_sub(1)
}

/// Formats a table of some columns. Header cells of several lines are aligned at the bottom.
fn block(head: &[Vec<&str>], rows: &[Vec<String>], columns: &[usize], gap: usize) -> String {
    let widths = widths(head, rows);
    let is_word = |cell: &str| strip_str(cell).to_string().starts_with(char::is_alphabetic);
    let words: Vec<bool> =
        (0..head.len()).map(|column| rows.iter().all(|row| is_word(&row[column]))).collect();
    let mut text = String::new();
    let mut line = |cell: &dyn Fn(usize) -> String| {
        let padded = columns.iter().map(|&column| {
            let cell = cell(column);
            let empty = " ".repeat(widths[column].saturating_sub(visible(&cell)));
            if words[column] { cell + &empty } else { empty + &cell }
        });
        let padded: Vec<_> = padded.collect();
        let _ = writeln!(text, "{}", padded.join(&" ".repeat(gap)).trim_end());
    };
    let lines = columns.iter().map(|&c| head[c].len()).max().unwrap_or(0);
    for place in 0..lines {
        line(&|column| {
            let name = &head[column];
            let empty = lines - name.len();
            place.checked_sub(empty).map_or("", |at| name[at]).into()
        });
    }
    line(&|column| "-".repeat(widths[column]));
    for row in rows {
        line(&|column| row[column].clone());
    }
    text
}

/// Formats the distance of a group of pairs.
pub fn distance(distance: Option<usize>) -> String {
    distance.map_or("none".into(), |distance| distance.to_string())
}

/// Wraps paragraphs into lines of at most [`WIDTH`] characters and keeps their indentation. Lines
/// with wide gaps, such as table rows, are not wrapped.
pub fn wrapped(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let start = line.len() - line.trim_start().len();
        match line[start..].contains("  ") {
            true => line.to_string(),
            false => filled(line, start, start, WIDTH, ""),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Wraps the examples and lists at the end of a help page. Commands continue after a backslash, and
/// descriptions are indented.
pub fn wrapped_help(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let start = line.len() - line.trim_start().len();
        let described = line[start..].find("  ").map(|gap| {
            let rest = &line[start + gap..];
            start + gap + rest.len() - rest.trim_start().len()
        });
        match described {
            _ if line.starts_with("  muffliato ") || line.starts_with("  for ") => {
                filled(line, start, 6, WIDTH - 2, " \\")
            }
            Some(column) => filled(line, column, column, WIDTH, ""),
            None => filled(line, start, start, WIDTH, ""),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Fills lines of at most `width` characters with the words after `start`, if the line is longer
/// than a terminal. All lines but the first are indented, and all but the last have `end` added.
fn filled(line: &str, start: usize, indent: usize, width: usize, end: &str) -> String {
    if visible(line) <= WIDTH {
        return line.to_string();
    }
    let (mut text, mut current, mut empty) = (String::new(), line[..start].to_string(), true);
    for word in line[start..].split_whitespace() {
        if !empty && visible(&current) + 1 + visible(word) > width {
            text += &format!("{current}{end}\n");
            current = " ".repeat(indent);
        } else if !empty {
            current.push(' ');
        }
        current += word;
        empty = false;
    }
    text + &current
}

/// Returns the number of visible characters.
fn visible(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

/// Formats a count with its noun, in the plural unless the count is 1.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Makes text bold on a terminal.
pub fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// Colours a verdict of the ledger: green if it holds, red if it is refuted, otherwise yellow.
/// Colours are stripped when the output is not a terminal.
pub fn coloured_verdict(verdict: &str) -> String {
    let colour = match verdict.trim_end() {
        "holds" => "32",
        "refuted" | "does not hold" => "31",
        _ => "33",
    };
    format!("\u{1b}[1;{colour}m{verdict}\u{1b}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widest(text: &str) -> usize {
        text.lines().map(visible).max().unwrap_or(0)
    }

    #[test]
    fn text_wraps_at_words_and_keeps_its_indentation() {
        let text = wrapped(&format!("one\n\n    {}\ntwo\n", "word ".repeat(40)));
        assert!(widest(&text) <= WIDTH, "{text}");
        let inner = text.lines().filter(|line| line.contains("word"));
        assert!(inner.clone().all(|line| line.starts_with("    word")) && inner.count() == 3);
        assert!(text.starts_with("one\n\n") && text.ends_with("\ntwo\n"));
        assert_eq!(text.matches("word").count(), 40);
        let colours = coloured_verdict("holds") + " " + &"x".repeat(70);
        assert_eq!(wrapped(&colours), colours, "what is not shown takes no room");
    }

    #[test]
    fn help_hangs_under_descriptions_and_commands_go_on_after_a_backslash() {
        let words = "word ".repeat(20);
        let text = wrapped_help(&format!("Head:\n  name   {words}\n  muffliato {words}"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(widest(&text) <= WIDTH, "{text}");
        assert!(lines[1].starts_with("  name   word") && lines[2].starts_with("         word"));
        assert!(lines[3].ends_with(" \\") && lines[4].starts_with("      word"), "{text}");
    }

    #[test]
    fn tables_are_never_wider_than_a_terminal() {
        let row = |cell: &str, columns: usize| vec![cell.to_string(); columns];
        assert_eq!(aligned("a,b c", &[row("1", 2)]), "a  b c\n-  ---\n1    1\n");
        for columns in [8, 12, 30] {
            let head = vec!["some name"; columns].join(",");
            let table = aligned(&head, &[row("123456", columns), row("1", columns)]);
            assert!(widest(&table) <= WIDTH, "{table}");
            assert!(table.matches("123456").count() >= columns);
        }
    }

    #[test]
    fn a_count_agrees_with_its_noun() {
        assert_eq!(counted(1, "edge"), "1 edge");
        assert_eq!(counted(0, "edge"), "0 edges");
    }
}
