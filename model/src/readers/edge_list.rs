//! Edge lists: one edge a line.

use std::collections::HashMap;

use super::error::excerpt;
use super::gathered::{Gathered, next_node};
use super::{Format, Place, ReadError, Reading};

/// The two labels in a line of an edge list, as they stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeLine<'a> {
    /// The label of one end: not empty, without blanks around it.
    pub first: &'a [u8],
    /// The label of the other end.
    pub second: &'a [u8],
    /// Whether anything follows the two labels.
    pub more_columns: bool,
}

/// Why a line of an edge list is refused. Columns are counted from 1.
///
/// ```
/// use muffliato_model::readers::{EdgeLineProblem, Format, ReadError, read};
///
/// let Err(ReadError::EdgeLine { line, problem, .. }) = read(Format::EdgeList, b"ann,bob\n,bob\n") else {
///     unreachable!("the second line has one label");
/// };
/// assert_eq!((line, problem), (2, EdgeLineProblem::EmptyLabel { label: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeLineProblem {
    /// There is nothing that separates two labels.
    #[error(
        "there is one label, and an edge needs two; separate them by a comma, a tab or spaces, or begin a comment with '#'"
    )]
    OneLabel,
    /// Nothing stands before the first separator, or between the first two.
    #[error("label {label} of the two is empty; write one label on each side of the separator")]
    EmptyLabel {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// A control character, which no label can contain: in most cases a foreign line end or
    /// encoding.
    #[error(
        "column {column} has the control character {found:#04x}; save the file as UTF-8 with lines that end in \\n or \\r\\n"
    )]
    ControlCharacter {
        /// Where it is.
        column: usize,
        /// The character.
        found: u8,
    },
}

/// Parses one line of an edge list, given without its `\n`; one `\r` at its end is dropped.
///
/// For every byte string, returns without allocating and without panicking:
///
/// * `Err(ControlCharacter)` if there is a control character other than a tab;
/// * `Ok(None)` for a blank line and for a comment, whose first visible byte is `#` or `%`;
/// * otherwise the first two fields without blanks around them, `Err` unless there are two and
///   neither is empty. Fields are separated by commas if the line has any (labels may then
///   contain blanks); else by tabs if it has any; else by one or more spaces. There is no
///   quoting.
pub fn edge_line(line: &[u8]) -> Result<Option<EdgeLine<'_>>, EdgeLineProblem> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    for (at, &found) in line.iter().enumerate() {
        if found.is_ascii_control() && found != b'\t' {
            let column = at + 1;
            return Err(EdgeLineProblem::ControlCharacter { column, found });
        }
    }
    if let None | Some(b'#' | b'%') = line.trim_ascii_start().first() {
        return Ok(None);
    }
    if line.contains(&b',') {
        first_two(line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii))
    } else if line.contains(&b'\t') {
        first_two(line.split(|&byte| byte == b'\t').map(<[u8]>::trim_ascii))
    } else {
        first_two(
            line.split(|&byte| byte == b' ')
                .filter(|field| !field.is_empty()),
        )
    }
    .map(Some)
}

fn first_two<'a>(
    mut fields: impl Iterator<Item = &'a [u8]>,
) -> Result<EdgeLine<'a>, EdgeLineProblem> {
    let (Some(first), Some(second)) = (fields.next(), fields.next()) else {
        return Err(EdgeLineProblem::OneLabel);
    };
    if first.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label: 1 });
    }
    if second.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label: 2 });
    }
    Ok(EdgeLine {
        first,
        second,
        more_columns: fields.next().is_some(),
    })
}

/// Reads an edge list; see [`Format::EdgeList`].
pub(super) fn read(text: &str) -> Result<Reading, ReadError> {
    let mut gathered = Gathered::default();
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    let mut labels = Vec::new();
    let mut node = |label| match numbers.get(label) {
        Some(&number) => Ok(number),
        None => {
            let number = next_node(labels.len())?;
            numbers.insert(label, number);
            labels.push(String::from_utf8_lossy(label).into_owned());
            Ok::<_, ReadError>(number)
        }
    };
    for (text, line) in text.split('\n').zip(1..) {
        let parsed = edge_line(text.as_bytes()).map_err(|problem| ReadError::EdgeLine {
            line,
            text: excerpt(text),
            problem,
        })?;
        if let Some(edge) = parsed {
            gathered.add(node(edge.first)?, node(edge.second)?, Place::Line(line));
            if edge.more_columns && gathered.ignored_columns.is_none() {
                gathered.ignored_columns = Some(line);
            }
        }
    }
    gathered.labelled(Format::EdgeList, labels)
}

#[cfg(test)]
mod tests {
    use super::super::SelfLoop;
    use super::*;
    use crate::Graph;

    fn edges(reading: &Reading) -> Vec<(usize, usize)> {
        reading.graph.edges().collect()
    }

    fn fields(line: &str) -> Result<Option<(&str, &str, bool)>, EdgeLineProblem> {
        let text = |label| std::str::from_utf8(label).unwrap();
        let parsed = edge_line(line.as_bytes())?;
        Ok(parsed.map(|edge| (text(edge.first), text(edge.second), edge.more_columns)))
    }

    #[test]
    fn commas_go_before_tabs_and_tabs_before_spaces() {
        assert_eq!(fields("a b"), Ok(Some(("a", "b", false))));
        assert_eq!(fields("  a   b  "), Ok(Some(("a", "b", false))));
        assert_eq!(fields("a b c"), Ok(Some(("a", "b", true))));
        assert_eq!(fields("a b\tc"), Ok(Some(("a b", "c", false))));
        assert_eq!(fields("a\tb\t"), Ok(Some(("a", "b", true))));
        assert_eq!(fields("a\tb , c d"), Ok(Some(("a\tb", "c d", false))));
        assert_eq!(fields("ä,ö"), Ok(Some(("ä", "ö", false))));
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        for line in ["", " ", "\t ", "\r", "# a b", "% a b", " \t# a,b", "#"] {
            assert_eq!(fields(line), Ok(None), "{line:?}");
        }
        assert_eq!(fields("a #b"), Ok(Some(("a", "#b", false))));
    }

    #[test]
    fn lines_without_two_labels_are_refused() {
        assert_eq!(fields("a"), Err(EdgeLineProblem::OneLabel));
        for (line, label) in [
            (",a", 1),
            ("a,", 2),
            ("a, ,b", 2),
            ("\ta\tb", 1),
            ("a\t\tb", 2),
        ] {
            assert_eq!(
                fields(line),
                Err(EdgeLineProblem::EmptyLabel { label }),
                "{line:?}"
            );
        }
    }

    #[test]
    fn old_line_ends_and_utf16_are_refused_rather_than_misread() {
        let control = |column, found| Err(EdgeLineProblem::ControlCharacter { column, found });
        assert_eq!(fields("1 2\r2 3\r"), control(4, b'\r'));
        assert_eq!(fields("# comment\r1 2"), control(10, b'\r'));
        assert_eq!(fields("1\0 \x002\0"), control(2, 0));
    }

    #[test]
    fn integers_below_n_keep_their_numbers() {
        let reading = read("2 1\n1 0\n").unwrap();
        assert_eq!(reading.graph, Graph::try_new(3, [(1, 2), (0, 1)]).unwrap());
    }

    #[test]
    fn other_labels_are_numbered_by_first_appearance() {
        let reading = read("3 1\r\n1 2\r\n").unwrap();
        assert_eq!(reading.graph.labels().unwrap(), ["3", "1", "2"]);
        assert_eq!(edges(&reading), [(0, 1), (1, 2)]);
        assert_eq!(reading.graph.node("2"), Some(2));
    }

    #[test]
    fn repetitions_self_loops_and_columns_are_reported() {
        let reading = read("a,b\n\nb,a,1.5\na , b\nc,c,\n").unwrap();
        assert_eq!(reading.graph.nodes(), 3);
        assert_eq!(edges(&reading), [(0, 1)]);
        assert_eq!(reading.repeated_edges, 2);
        assert_eq!(reading.ignored_columns, Some(3));
        assert_eq!(
            reading.self_loops,
            [SelfLoop {
                node: 2,
                label: "c".into(),
                place: Place::Line(5)
            }]
        );
        // Also where the labels are numbers that the nodes keep.
        let reading = read("1 1\n0 1\n").unwrap();
        assert_eq!(reading.graph.labels(), None);
        assert_eq!(
            (reading.self_loops[0].node, &*reading.self_loops[0].label),
            (1, "1")
        );
    }

    #[test]
    fn a_self_loop_alone_is_a_node() {
        let reading = read("0 0").unwrap();
        assert_eq!(reading.graph, Graph::try_new(1, []).unwrap());
    }

    #[test]
    fn errors_show_the_line() {
        let error = read("a b\n# c\nalone\n").unwrap_err();
        assert_eq!(
            error,
            ReadError::EdgeLine {
                line: 3,
                text: "alone".into(),
                problem: EdgeLineProblem::OneLabel
            }
        );
        assert!(
            error
                .to_string()
                .starts_with("line 3: \"alone\": there is one label")
        );
        assert_eq!(read(""), Err(ReadError::NoNodes));
        assert_eq!(read("# nothing\n\n"), Err(ReadError::NoNodes));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_label() {
        let reading = super::super::read(Format::EdgeList, b"\xef\xbb\xbf0 1\n").unwrap();
        assert_eq!(reading.graph, Graph::try_new(2, [(0, 1)]).unwrap());
    }
}
