//! Edge lists: one edge a line.

use super::gathered::{Gathered, Nodes, Outcome};
use super::layout::layout;
use super::table::{self, Delimiter, Field, at_line};
use super::{Format, Place, ReadError, ReadOptions};

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
    /// The line has another number of columns than those before.
    #[error(
        "there are {found} columns, and {expected} in the lines before; give every line the same number (quote labels that contain the separator, or give --delimiter); an adjacency list needs a line for each node"
    )]
    Columns {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A label is or has a bracket, as the tuples of Python do.
    #[error(
        "label {label} of the two has brackets, as Python's tuples and lists have; relabel the nodes (networkx.convert_node_labels_to_integers), or quote the labels, or give --delimiter"
    )]
    Bracket {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// A quote that does not begin or end a field.
    #[error(
        "column {column} has a quote out of place; quote whole fields by \" and write \"\" for a quote within"
    )]
    Quote {
        /// Where the field begins, or what follows it.
        column: usize,
    },
    /// A label begins with a single quote that does not close in it.
    #[error(
        "label {label} of the two begins with a single quote; quote fields by \", or give --delimiter"
    )]
    SingleQuote {
        /// Which of the two labels: 1 or 2.
        label: usize,
    },
    /// There are words after two labels between blanks, which could belong to the labels.
    #[error(
        "the third column is neither a number nor in braces, and could be part of a label with blanks; quote the labels, separate them by commas or tabs, or give --delimiter space to leave the column out"
    )]
    Blanks,
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
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut gathered: Gathered,
) -> Result<Outcome, ReadError> {
    let (delimiter, shape) = match options.delimiter {
        Some(delimiter) => (delimiter, table::shape(text, delimiter)?),
        None => {
            check_brackets(text)?;
            table::detect(text)?
        }
    };
    let layout = layout(text, delimiter, shape, options)?;
    let weights = gathered.wants_weights().then_some(layout.weights).flatten();
    let plain = layout.ends == (0, 1) && !gathered.wants_weights();
    let mut nodes = Nodes::default();
    let mut fields = Vec::new();
    for row in table::lines(text).skip(usize::from(layout.skip_first)) {
        let (text, line) = row?;
        let refuse = |problem| at_line(text, line, problem);
        if plain && let Some((first, second)) = plain_edge(text, delimiter) {
            let (first, second) = (nodes.number(first)?, nodes.number(second)?);
            gathered.add(first, second, Place::Line(line));
            continue;
        }
        table::split(text, delimiter, &mut fields).map_err(refuse)?;
        let end = |column: usize, label| {
            let field = fields.get(column).ok_or(EdgeLineProblem::OneLabel)?;
            check_label(field, label, options.delimiter.is_some())?;
            Ok(&*field.text)
        };
        let first = nodes.number(end(layout.ends.0, 1).map_err(refuse)?)?;
        let second = nodes.number(end(layout.ends.1, 2).map_err(refuse)?)?;
        gathered.add(first, second, Place::Line(line));
        let weight = weights.and_then(|column| fields.get(column));
        gathered.weigh(weight.map(|field| &*field.text))?;
    }
    gathered.notes = layout.notes;
    match layout.nodes {
        Some(declared) => gathered.declared(Format::EdgeList, declared, nodes.labels, text.len()),
        None => gathered.labelled(Format::EdgeList, nodes.labels),
    }
}

/// The two labels of a line that needs no more than [`edge_line`]: without quotes and brackets, and with the
/// separators of the whole file.
fn plain_edge(text: &str, delimiter: Delimiter) -> Option<(&str, &str)> {
    let same = match delimiter {
        Delimiter::Character(',') => true,
        Delimiter::Character('\t') => !text.contains(','),
        Delimiter::Character(_) => false,
        Delimiter::Blanks => !text.contains([',', '\t']),
    };
    if !same || text.contains(['"', '\'', '(', '[', '{', ')', ']', '}']) {
        return None;
    }
    let edge = edge_line(text.as_bytes()).ok()??;
    let label = |bytes| std::str::from_utf8(bytes).ok();
    Some((label(edge.first)?, label(edge.second)?))
}

/// `Err` if a line begins with a bracket: labels such as tuples have separators within.
fn check_brackets(text: &str) -> Result<(), ReadError> {
    for row in table::lines(text) {
        let (text, line) = row?;
        if text.trim_ascii_start().starts_with(['(', '[', '{']) {
            return Err(at_line(text, line, EdgeLineProblem::Bracket { label: 1 }));
        }
    }
    Ok(())
}

/// `Err` if this is no label: it is empty, or, unless the delimiter was given, it has brackets or quotes that do not
/// close in it.
fn check_label(field: &Field<'_>, label: usize, given: bool) -> Result<(), EdgeLineProblem> {
    let text = &*field.text;
    if text.is_empty() {
        return Err(EdgeLineProblem::EmptyLabel { label });
    }
    if given || field.quoted {
        return Ok(());
    }
    let mut depth = 0_usize;
    let balanced = text.chars().all(|sign| match sign {
        '(' | '[' | '{' => {
            depth += 1;
            true
        }
        ')' | ']' | '}' => depth.checked_sub(1).inspect(|&less| depth = less).is_some(),
        _ => true,
    });
    if text.starts_with(['(', '[', '{']) || !balanced || depth != 0 {
        return Err(EdgeLineProblem::Bracket { label });
    }
    if text.starts_with('\'') && (text.len() == 1 || !text.ends_with('\'')) {
        return Err(EdgeLineProblem::SingleQuote { label });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, SelfLoop};
    use super::*;
    use crate::Graph;

    fn read(text: &str) -> Result<Reading, ReadError> {
        let options = ReadOptions::default();
        super::read(text, &options, Gathered::default()).map(|outcome| outcome.reading)
    }

    fn notes_of(reading: &Reading) -> Vec<String> {
        reading.notes.iter().map(ToString::to_string).collect()
    }

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
        let reading = read("2 1\n1 0\n2 0\n").unwrap();
        assert_eq!(
            reading.graph,
            Graph::try_new(3, [(1, 2), (0, 1), (0, 2)]).unwrap()
        );
    }

    #[test]
    fn other_labels_are_numbered_by_first_appearance() {
        let reading = read("3 1\r\n1 2\r\n3 1\r\n").unwrap();
        assert_eq!(reading.graph.labels().unwrap(), ["3", "1", "2"]);
        assert_eq!(edges(&reading), [(0, 1), (1, 2)]);
        assert_eq!(reading.graph.node("2"), Some(2));
    }

    #[test]
    fn repetitions_self_loops_and_columns_are_reported() {
        let reading = read("a,b,\n\nb,a,1.5\na , b,2\nc,c,\n").unwrap();
        assert_eq!(reading.graph.nodes(), 3);
        assert_eq!(edges(&reading), [(0, 1)]);
        assert_eq!(reading.repeated_edges, 2);
        assert_eq!(notes_of(&reading), ["the third column was left out"]);
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

    /// Files, the labels of their nodes, and what is told.
    #[test]
    fn headers_counts_quotes_and_columns() {
        let weights = "the third column, which looks like weights, was left out";
        let cases: [(&str, &[&str], &[&str]); 14] = [
            (
                "source,target\na,b\nb,c\n",
                &["a", "b", "c"],
                &["line 1 was read as names of columns: source, target"],
            ),
            (
                "Person;Friend;Since\na;b;1990\nb;c;1991\n",
                &["a", "b", "c"],
                &[
                    "line 1 was read as names of columns: Person, Friend, Since",
                    "the third column \"Since\", which looks like weights, was left out",
                ],
            ),
            (
                "who\twhom\n1\t2\n2\t3\n",
                &["1", "2", "3"],
                &["line 1 was read as names of columns: who, whom"],
            ),
            (
                "weight,from,to\n3,a,b\n4,b,c\n",
                &["a", "b", "c"],
                &[
                    "line 1 was read as names of columns: weight, from, to",
                    "the first column \"weight\", which looks like weights, was left out",
                ],
            ),
            (
                ",source,target\n0,a,b\n1,b,c\n",
                &["a", "b", "c"],
                &[
                    "line 1 was read as names of columns: , source, target",
                    "the first column, which numbers the rows, was left out",
                ],
            ),
            (
                "\"from\" \"to\"\n\"1\" \"a b\" \"c\"\n\"2\" \"c\" \"d\"\n",
                &["a b", "c", "d"],
                &[
                    "line 1 was read as names of columns: , from, to",
                    "the first column, which numbers the rows, was left out",
                ],
            ),
            ("u v\nv w\nw u\n", &["u", "v", "w"], &[]),
            ("a b 1\nb c 2\n", &["a", "b", "c"], &[weights]),
            (
                "a b {'weight': 4, 'k': [1, 2]}\nb c {}\n",
                &["a", "b", "c"],
                &["the third column, which looks like attributes, was left out"],
            ),
            (
                "4\n1 2\n2 4\n",
                &["1", "2", "3", "4"],
                &["line 1 was read as the number of nodes, 4"],
            ),
            (
                "3\na b\nb c\n",
                &["a", "b", "c"],
                &["line 1 was read as the number of nodes, 3"],
            ),
            (
                "\"Smith, J\",\"Doe, A\"\n\"Doe, A\",\"Roe \"\"R\"\"\"\n",
                &["Smith, J", "Doe, A", "Roe \"R\""],
                &[],
            ),
            (
                "New York (NY), Boston\nBoston, O'Hare\n",
                &["New York (NY)", "Boston", "O'Hare"],
                &[],
            ),
            ("ann bob\n", &["ann", "bob"], &[]),
        ];
        for (file, labels, notes) in cases {
            let reading = read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(reading.graph.labels().unwrap(), labels, "{file}");
            assert_eq!(notes_of(&reading), notes, "{file}");
        }
        let five = read("5\n0 1\n1 2\n").unwrap().graph;
        assert_eq!(five, Graph::try_new(5, [(0, 1), (1, 2)]).unwrap());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (file, expected) in [
            (
                "a b\nb c 1\n",
                "line 2: \"b c 1\": there are 3 columns, and 2",
            ),
            (
                "(0, 0) (1, 0)\n(1, 0) (1, 1)\n",
                "brackets, as Python's tuples",
            ),
            ("a (0, 1)\nb (1, 1)\n", "brackets"),
            (
                "'Smith, J','Doe, A'\n'Doe, A','Roe, R'\n",
                "begins with a single quote",
            ),
            ("\"a\"b,c\nd,e\n", "quote out of place"),
            (
                "New York Boston\nBoston New York\n",
                "could be part of a label with blanks",
            ),
            (
                "hero,villain\na,b\nb,c\n",
                "its two labels occur nowhere else",
            ),
            ("3 2\n0 1\n1 2\n", "the numbers of nodes and edges"),
            (
                "4 4\n2 4\n1 3\n2 4\n1 3\n", // METIS
                "the numbers of nodes and edges",
            ),
            ("3 3 2\n1 2 0.5\n2 3 0.5\n", "Matrix Market"),
            (
                "5\na b\nb c\n",
                "5 nodes are declared, and the edges name 3",
            ),
            ("99999999999\n0 1\n", "99999999999 nodes are declared"),
            (
                "4\n1 2\n2 3\n",
                "4 nodes are declared, and the edges name 3",
            ),
            ("x\na b\nb c\n", "there are 2 columns, and 1"),
            (
                "id,hero,partner,score\n1,a,b,3\n2,b,c,4\n",
                "call them source and target",
            ),
            ("1,a,b\n2,b,c\n3,c,d\n", "its first column numbers the rows"),
            (
                "Source,Target,Type\na,b,Directed\n",
                "the column \"Type\" says that edges are directed",
            ),
            ("1 2 0,5\n2 3 0,7\n", "separated by ',' or by spaces"),
        ] {
            let error = read(file).unwrap_err().to_string();
            assert!(
                error.contains(expected) && error.contains(';'),
                "{file}: {error}"
            );
        }
    }

    #[test]
    fn options_decide_what_is_not_clear() {
        let with = |file: &str, delimiter: Option<&str>, header| {
            let options = ReadOptions {
                format: None,
                delimiter: delimiter.map(|text| text.parse().unwrap()),
                header,
            };
            super::read(file, &options, Gathered::default())
                .map(|outcome| outcome.reading.graph.nodes())
        };
        assert_eq!(with("hero,villain\na,b\nb,c\n", None, Some(true)), Ok(3));
        assert_eq!(with("hero,villain\na,b\nb,c\n", None, Some(false)), Ok(5));
        assert_eq!(with("3 2\n0 1\n1 2\n", None, Some(false)), Ok(4));
        assert_eq!(
            with("(0, 0)\t(1, 0)\n(1, 0)\t(1, 1)\n", Some("tab"), None),
            Ok(3)
        );
        assert_eq!(with("1 2 0,5\n2 3 0,7\n", Some("space"), None), Ok(3));
        assert_eq!(with("a|b\nb|c\n", Some("|"), None), Ok(3));
        assert_eq!(
            with("a friend of\nb friend of\n", Some("space"), Some(false)),
            Ok(3)
        );
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
