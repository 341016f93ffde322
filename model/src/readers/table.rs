//! Lines of fields: how a text is split into rows, and which separator it uses.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::error::excerpt;
use super::{EdgeLineProblem, ReadError};

/// What separates the fields of a line.
///
/// ```
/// use muffliato_model::readers::Delimiter;
///
/// assert_eq!("tab".parse(), Ok(Delimiter::Character('\t')));
/// assert_eq!("|".parse(), Ok(Delimiter::Character('|')));
/// assert_eq!("space".parse(), Ok(Delimiter::Blanks));
/// assert!("a".parse::<Delimiter>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// One or more spaces or tabs.
    Blanks,
    /// This character; blanks around fields do not count.
    Character(char),
}

/// The text names no delimiter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no delimiter; write comma, semicolon, tab, space, or one sign such as '|' that is no letter, digit, quote or bracket"
)]
pub struct DelimiterError {
    /// What was given.
    pub text: String,
}

impl FromStr for Delimiter {
    type Err = DelimiterError;

    fn from_str(text: &str) -> Result<Self, DelimiterError> {
        match text {
            "comma" => return Ok(Self::Character(',')),
            "semicolon" => return Ok(Self::Character(';')),
            "tab" | "\\t" | "\t" => return Ok(Self::Character('\t')),
            "space" | "spaces" | " " => return Ok(Self::Blanks),
            _ => {}
        }
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(sign), None) if sign.is_ascii_punctuation() && !"\"'([{}])".contains(sign) => {
                Ok(Self::Character(sign))
            }
            _ => Err(DelimiterError {
                text: excerpt(text),
            }),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blanks => f.write_str("spaces"),
            Self::Character('\t') => f.write_str("tabs"),
            Self::Character(sign) => write!(f, "'{sign}'"),
        }
    }
}

/// One field of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field<'a> {
    /// Without the quotes and the blanks around it.
    pub text: Cow<'a, str>,
    pub quoted: bool,
}

/// The lines that are not blank and no comments (which begin with `#` or `%`), with their numbers. A control character
/// is an error.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Result<(&str, usize), ReadError>> {
    text.split('\n').zip(1..).filter_map(|(text, line)| {
        let text = text.strip_suffix('\r').unwrap_or(text);
        let control = |byte: u8| byte.is_ascii_control() && byte != b'\t';
        if let Some(at) = text.bytes().position(control) {
            let problem = EdgeLineProblem::ControlCharacter {
                column: at + 1,
                found: text.as_bytes()[at],
            };
            return Some(Err(at_line(text, line, problem)));
        }
        let visible = text.trim_ascii_start();
        let counts = !visible.is_empty() && !visible.starts_with(['#', '%']);
        counts.then_some(Ok((text, line)))
    })
}

/// The error that a line has this problem.
pub(super) fn at_line(text: &str, line: usize, problem: EdgeLineProblem) -> ReadError {
    ReadError::EdgeLine {
        line,
        text: excerpt(text),
        problem,
    }
}

/// The line and its number, split into its fields; see [`split`].
pub(super) fn split_row<'a>(
    row: Result<(&'a str, usize), ReadError>,
    delimiter: Delimiter,
    fields: &mut Vec<Field<'a>>,
) -> Result<(&'a str, usize), ReadError> {
    let (text, line) = row?;
    split(text, delimiter, fields).map_err(|problem| at_line(text, line, problem))?;
    Ok((text, line))
}

/// Splits a line into its fields. A field may be quoted by `"`, and `""` is a quote in it; attributes in braces
/// (`{'weight': 4}`) are one field up to the end of the line.
pub(super) fn split<'a>(
    line: &'a str,
    delimiter: Delimiter,
    fields: &mut Vec<Field<'a>>,
) -> Result<(), EdgeLineProblem> {
    fields.clear();
    let blank = |sign: char| sign == ' ' || sign == '\t' && delimiter != Delimiter::Character('\t');
    let ends = |sign: char| match delimiter {
        Delimiter::Blanks => blank(sign),
        Delimiter::Character(character) => sign == character,
    };
    let line = line.trim_end_matches(blank);
    let out_of_place = |rest: &str| EdgeLineProblem::Quote {
        column: line.len() - rest.len() + 1,
    };
    let mut rest = line.trim_start_matches(blank);
    loop {
        if rest.starts_with('{') && rest.ends_with('}') && !fields.is_empty() {
            fields.push(Field {
                text: rest.into(),
                quoted: false,
            });
            return Ok(());
        }
        let field;
        (field, rest) = match rest.strip_prefix('"') {
            Some(inner) => {
                let (text, after) = unquoted(inner).ok_or_else(|| out_of_place(rest))?;
                (
                    Field { text, quoted: true },
                    after.trim_start_matches(blank),
                )
            }
            None => {
                let end = rest.find(ends).unwrap_or(rest.len());
                let (text, after) = rest.split_at(end);
                let text = text.trim_matches(blank);
                if text.contains('"') {
                    return Err(out_of_place(rest));
                }
                (
                    Field {
                        text: text.into(),
                        quoted: false,
                    },
                    after,
                )
            }
        };
        let quoted = field.quoted;
        fields.push(field);
        if rest.is_empty() {
            return Ok(());
        }
        rest = match delimiter {
            Delimiter::Blanks if quoted && !line[..line.len() - rest.len()].ends_with(blank) => {
                return Err(out_of_place(rest));
            }
            Delimiter::Blanks => rest.trim_start_matches(blank),
            Delimiter::Character(sign) => rest
                .strip_prefix(sign)
                .ok_or_else(|| out_of_place(rest))?
                .trim_start_matches(blank),
        };
    }
}

/// The text up to the closing quote, and what follows it. `None` without a closing quote, and where a backslash before
/// it leaves open whether it closes.
fn unquoted(inner: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut text = Cow::Borrowed("");
    let mut rest = inner;
    loop {
        let (part, after) = rest.split_once('"')?;
        if part.ends_with('\\') {
            return None;
        }
        if text.is_empty() {
            text = part.into();
        } else {
            text.to_mut().push_str(part);
        }
        rest = match after.strip_prefix('"') {
            Some(more) => {
                text.to_mut().push('"');
                more
            }
            None => return Some((text, after)),
        };
    }
}

/// How many fields the lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub lines: usize,
    /// In the first line.
    pub first: usize,
    /// In each other line; as in the first where there is no other.
    pub columns: usize,
}

/// The shape of a text in which all lines after the first have the same number of fields, at least two; otherwise the
/// first line that differs, or that does not split.
pub(super) fn shape(text: &str, delimiter: Delimiter) -> Result<Shape, ReadError> {
    let mut fields = Vec::new();
    let mut shape = Shape {
        lines: 0,
        first: 0,
        columns: 0,
    };
    for row in lines(text) {
        let (text, line) = split_row(row, delimiter, &mut fields)?;
        let found = fields.len();
        shape.lines += 1;
        match shape.lines {
            1 => (shape.first, shape.columns) = (found, found),
            2 => shape.columns = found,
            _ => {}
        }
        let expected = shape.columns;
        if shape.lines > 1 && found == 1 {
            return Err(at_line(text, line, EdgeLineProblem::OneLabel));
        }
        if found != expected {
            let problem = EdgeLineProblem::Columns { found, expected };
            return Err(at_line(text, line, problem));
        }
    }
    Ok(shape)
}

/// The delimiter of a text, and its shape with it: the one by which all lines have the same number of fields, two or
/// more (the first line may have one field, or one fewer than the others). If there is none, the error of the
/// delimiter that the text seems to use; if there are several, an error that says so.
pub(super) fn detect(text: &str) -> Result<(Delimiter, Shape), ReadError> {
    let signs = [',', ';', '\t'].map(Delimiter::Character);
    let fits = |delimiter: &Delimiter| -> Option<Shape> {
        let shape = shape(text, *delimiter).ok()?;
        let first = match shape.columns.checked_sub(shape.first) {
            Some(0) => true,
            _ if shape.columns < 2 => false,
            // The number of nodes, or names of all columns but the first.
            _ if shape.first == 1 => {
                first_fields(text, *delimiter, |field| field.parse::<u64>().is_ok())
            }
            Some(1) => first_fields(text, *delimiter, |field| !is_number(field)),
            _ => false,
        };
        (shape.columns >= 2 && first).then_some(shape)
    };
    let mut fitting: Vec<(Delimiter, Shape)> = signs
        .iter()
        .filter_map(|delimiter| Some((*delimiter, fits(delimiter)?)))
        .collect();
    if fitting.len() == 2 && fitting[1].0 == Delimiter::Character('\t') {
        // Blanks around other signs, or signs within fields between tabs.
        let within = has_inner_tab(text, fitting[0].0)?;
        fitting.remove(usize::from(!within));
    }
    let blanks = || fits(&Delimiter::Blanks).map(|shape| (Delimiter::Blanks, shape));
    match fitting[..] {
        [] => blanks().map_or_else(|| Err(ragged(text)), Ok),
        [(Delimiter::Character(sign @ (',' | ';')), _)]
            if only_between_digits(text, sign) && blanks().is_some() =>
        {
            Err(ReadError::Delimiters {
                first: Delimiter::Character(sign),
                second: Delimiter::Blanks,
            })
        }
        [one] => Ok(one),
        [(first, _), (second, _), ..] => Err(ReadError::Delimiters { first, second }),
    }
}

/// Whether all fields of the first line are like this.
fn first_fields(text: &str, delimiter: Delimiter, like: impl Fn(&str) -> bool) -> bool {
    let mut fields = Vec::new();
    let first = lines(text).flatten().next();
    first.is_some_and(|(text, _)| split(text, delimiter, &mut fields).is_ok())
        && fields.iter().all(|field| like(&field.text))
}

/// The delimiter that a text without a consistent one seems to use: the first sign that occurs in it, else blanks.
pub(super) fn apparent(text: &str) -> Delimiter {
    let occurs = |sign: char| lines(text).flatten().any(|(line, _)| line.contains(sign));
    let sign = [',', ';', '\t'].into_iter().find(|&sign| occurs(sign));
    sign.map_or(Delimiter::Blanks, Delimiter::Character)
}

/// What is wrong with a text that no delimiter splits evenly.
fn ragged(text: &str) -> ReadError {
    match shape(text, apparent(text)) {
        Err(error) => error,
        // One line without a separator, or a first line unlike the others.
        Ok(shape) => {
            let mut lines = lines(text).flatten();
            let first = lines.next().unwrap_or_default();
            match (lines.next(), shape.columns) {
                (Some((text, line)), found) if found >= 2 => {
                    let expected = shape.first;
                    at_line(text, line, EdgeLineProblem::Columns { found, expected })
                }
                _ if first.1 == 0 => ReadError::NoNodes,
                _ => at_line(first.0, first.1, EdgeLineProblem::OneLabel),
            }
        }
    }
}

fn has_inner_tab(text: &str, delimiter: Delimiter) -> Result<bool, ReadError> {
    let mut fields = Vec::new();
    for row in lines(text) {
        split_row(row, delimiter, &mut fields)?;
        if fields.iter().any(|field| field.text.contains('\t')) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether every one of these signs stands between two digits, as a decimal comma does.
fn only_between_digits(text: &str, sign: char) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    text.match_indices(sign)
        .all(|(at, _)| digit(at.checked_sub(1)) && digit(at.checked_add(1)))
}

/// Signs that join the two labels of an edge; a longer one comes before those that it contains.
const JOINING: [&str; 14] = [
    "<-->", "<->", "-->", "---", "->", "--", "<=>", "=>", "<>", "↔", "→", "—", "–", "-",
];

/// Returns the sign that joins two labels in every line: `--` in `a -- b` and in `a--b`. A lone hyphen joins only
/// between blanks.
pub(super) fn joining_sign(text: &str) -> Option<&'static str> {
    let sign_of = |line: &str| {
        JOINING.into_iter().find(|&sign| match sign {
            "-" => line.contains(" - "),
            _ => line.contains(sign),
        })
    };
    let mut lines = lines(text).flatten();
    let unquoted = |(line, _): (&str, usize)| sign_of(line).filter(|_| !line.starts_with('{'));
    let sign = unquoted(lines.next()?)?;
    let fields_before = |(line, _): (&str, usize)| {
        let before = line.split(sign).next().unwrap_or_default().trim_ascii();
        before.starts_with('"') || !before.contains([',', ';', ' ', '\t'])
    };
    let fits = |row| unquoted(row) == Some(sign) && fields_before(row);
    let first = self::lines(text).flatten().next()?;
    (fits(first) && lines.all(fits)).then_some(sign)
}

/// Returns why a field is no label of a node, if it is none: it is only punctuation, ends in a colon, or, unless it
/// is quoted or the delimiter was given, has an arrow within.
pub(super) fn label_flaw(field: &Field<'_>, given: bool) -> Option<&'static str> {
    let text = &*field.text;
    let arrow = |sign: &&str| *sign != "-" && text.contains(*sign);
    if !text.contains(char::is_alphanumeric) {
        Some("is only punctuation, and is no node")
    } else if text.ends_with([':', '：']) {
        Some("ends in a colon, and is no node")
    } else if !given && !field.quoted && (JOINING.iter().any(arrow) || text.contains("\\[")) {
        Some("has an arrow within, as an edge has")
    } else {
        None
    }
}

/// Returns `true` if a number is written with no digit but 0 before its exponent.
pub(super) fn is_zero(text: &str) -> bool {
    let mantissa = text.split(['e', 'E', '/']).next().unwrap_or_default();
    is_number(text) && !mantissa.contains(|sign: char| ('1'..='9').contains(&sign))
}

/// Whether a field is a number: a decimal or a fraction, finite, and not a word such as `nan`.
pub(super) fn is_number(text: &str) -> bool {
    number(text).is_some()
}

/// The number that a field is.
pub(super) fn number(text: &str) -> Option<f64> {
    if let Some((above, below)) = text.split_once('/') {
        let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
        return (below != 0).then(|| above as f64 / below as f64);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins = digits.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let mantissa = digits.split(['e', 'E']).next().unwrap_or_default();
    let vanishes =
        |value: f64| value == 0.0 && mantissa.contains(|sign: char| ('1'..='9').contains(&sign));
    text.parse()
        .ok()
        .filter(|&value: &f64| begins && value.is_finite() && !vanishes(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Delimiter = Delimiter::Character(',');
    const SEMICOLON: Delimiter = Delimiter::Character(';');
    const TAB: Delimiter = Delimiter::Character('\t');

    fn fields(line: &str, delimiter: Delimiter) -> Result<Vec<String>, EdgeLineProblem> {
        let mut fields = Vec::new();
        split(line, delimiter, &mut fields)?;
        Ok(fields
            .into_iter()
            .map(|field| field.text.into_owned())
            .collect())
    }

    #[test]
    fn quotes_protect_separators() {
        let cases = [
            ("\"Smith, J\",\"Doe, A\"", COMMA, vec!["Smith, J", "Doe, A"]),
            ("\"a\"\"b\" , c,", COMMA, vec!["a\"b", "c", ""]),
            ("\"\"\"\",\"\"", COMMA, vec!["\"", ""]),
            (
                "\"New York\" Boston",
                Delimiter::Blanks,
                vec!["New York", "Boston"],
            ),
            ("\"1\" \"a\" \"b\"", Delimiter::Blanks, vec!["1", "a", "b"]),
            ("a\t\"b\"\t", TAB, vec!["a", "b", ""]),
            ("\ta", TAB, vec!["", "a"]),
            (
                "0 1 {'weight': 4, 'x': 2}",
                Delimiter::Blanks,
                vec!["0", "1", "{'weight': 4, 'x': 2}"],
            ),
            (
                "0,1,{'weight': 4, 'x': 2}",
                COMMA,
                vec!["0", "1", "{'weight': 4, 'x': 2}"],
            ),
        ];
        for (line, delimiter, expected) in cases {
            assert_eq!(fields(line, delimiter).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn quotes_out_of_place_are_refused() {
        for (line, delimiter, column) in [
            ("a\"b,c", COMMA, 1),
            ("a,\"b", COMMA, 3),
            ("\"a\"b,c", COMMA, 4),
            ("\"a\"\"b\"c d", Delimiter::Blanks, 7),
            ("\"a\"b c", Delimiter::Blanks, 4),
            ("\"a\\\",b\"", COMMA, 1),
        ] {
            let quote = Err(EdgeLineProblem::Quote { column });
            assert_eq!(fields(line, delimiter), quote, "{line}");
        }
    }

    #[test]
    fn the_delimiter_is_the_one_that_splits_evenly() {
        for (text, delimiter, columns) in [
            ("a b\nb c", Delimiter::Blanks, 2),
            ("0 \t1\n1\t2\n", TAB, 2),
            ("0 1\n1\t2\n", Delimiter::Blanks, 2),
            ("a,b,1\nb,c,2", COMMA, 3),
            ("a, b\nb, c", COMMA, 2),
            ("a,\tb\nb,\tc", COMMA, 2),
            ("a;b\nb;c", SEMICOLON, 2),
            ("Smith, J\tDoe, A\nDoe, A\tRoe, R", TAB, 2),
            ("New York, Boston\nBoston, New York", COMMA, 2),
            ("5\n0 1\n1 2", Delimiter::Blanks, 2),
            ("\"from\" \"to\"\n\"1\" \"a\" \"b\"", Delimiter::Blanks, 3),
            ("1,2\n2,3", COMMA, 2),
        ] {
            let (found, shape) = detect(text).unwrap();
            assert_eq!((found, shape.columns), (delimiter, columns), "{text:?}");
        }
    }

    #[test]
    fn words_are_no_numbers() {
        for text in ["0", "-1", "1e-3", "2.5E-1", ".5", "+7", "1/3"] {
            assert!(is_number(text), "{text}");
        }
        for text in [
            "nan", "inf", "Infinity", "", "-", "a", "1e999", "0x1", "e5", "1/0", "1/2/3", "a/b",
        ] {
            assert!(!is_number(text), "{text}");
        }
    }
}
